//! Pages and plots made from records: `docs/benchmarks.md`, `docs/published.md`, and
//! the pictures of others.

mod ahead;
mod bars;
mod beside;
mod bounds;
mod builds;
mod front;
mod matrix;
mod others;
mod pictures;
mod prose;
mod published;
mod python;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lanesum_measure::{Fingerprints, Reader, Source, Table};

use lanesum_model::{Constant, ConstantValue};

use self::bounds::{Bounds, PerByte};
use crate::{cores, machine};

/// The directories of the records and of the pages.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Directory of records, with a subdirectory for each machine
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/record"))]
    records: PathBuf,
    /// Directory for the pages
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"))]
    docs: PathBuf,
}

/// A record of tiers, and the bounds of its machine.
struct Record {
    table: Table,
    bounds: Bounds,
    /// Records of instructions, of any machine.
    counted: Vec<Table>,
    lines: Vec<Line>,
}

struct Line {
    tier: String,
    algorithm: String,
    kernel: String,
    blocks: u64,
    figures: Figures,
}

/// Minimum, lower quartile, median and upper quartile of a series; older records have no
/// quartiles.
#[derive(Clone, Copy)]
struct Figures {
    least: f64,
    median: f64,
    quartiles: Option<[f64; 2]>,
}

impl Figures {
    /// The figures of a row, in the columns whose names begin with `name`.
    fn of(table: &Table, row: &lanesum_measure::Row, name: &str) -> Option<Self> {
        let of = |end: &str| table.of(row, &format!("{name}_{end}")).parse::<f64>().ok();
        let quartiles = of("p25").zip(of("p75")).map(|(lower, upper)| [lower, upper]);
        Some(Self { least: of("min")?, median: of("median")?, quartiles })
    }

    /// Minimum, median, and half the interquartile range.
    fn shown(&self, digits: usize) -> String {
        let spread = self.quartiles.map(|[lower, upper]| (upper - lower) / 2.0);
        let spread = spread.map_or(String::new(), |spread| format!(" ± {spread:.digits$}"));
        format!("{:.digits$} / {:.digits$}{spread}", self.least, self.median)
    }
}

const ALGORITHMS: [(&str, &str, u64); 3] =
    [("sha1", "SHA-1", 64), ("sha256", "SHA-256", 64), ("sha512", "SHA-512", 128)];

/// Replaces figures if the code has changed since every record.
const NOT_MEASURED: &str = "No current figures: the code has changed since the last measurement.";

/// Describes a record in lines: its CPU, the code and the libraries that were measured, and how idle the
/// machine was.
fn about(reader: &Reader, table: &Table) -> String {
    let mut out = String::new();
    let cpu = match reader.core(table) {
        Some(core) => format!("{} (reported as {})", core.title, table.processor),
        None => table.processor.clone(),
    };
    let _ = writeln!(out, "- CPU: {cpu}");
    if let Some(stale) = table.stale() {
        let _ = writeln!(out, "- code: {}", stale.trim_start_matches("the code has "));
    }
    for key in [
        "commit",
        "load before",
        "load after",
        "noise before",
        "noise after",
        "discarded",
        "libraries",
        "peers",
        "crates",
        "isa-l_crypto",
        "firedancer",
        "hashtree",
    ] {
        if let Some(value) = table.says(key) {
            let _ = writeln!(out, "- {key}: {value}");
        }
    }
    out
}

/// Describes a record and its peers in a line, for a page of prose.
fn in_short(table: &Table) -> String {
    let mut out = format!("Measured on {}.", Source::of(table).shown(cores::known()));
    if let Some(peers) = table.says("peers") {
        // OpenSSL prints its version twice.
        let mut parts = peers.split(" (Library: ");
        let _ = write!(out, " Compared with: {}", parts.next().unwrap_or_default());
        parts.for_each(|part| out.push_str(part.split_once(')').map_or("", |(_, rest)| rest)));
        out.push('.');
    }
    out
}

/// The day of a record, with an asterisk if it is stale.
fn day(table: &Table) -> String {
    format!("{}{}", table.date, if table.stale().is_some() { "\\*" } else { "" })
}

/// Prints this machine's newest record of batches as a table.
pub(crate) fn print_matrix(arguments: &Arguments) -> Result<()> {
    let reader = Reader::new(&arguments.records, cores::known().clone());
    matrix::print(&reader, &machine::name())
}

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    let sources =
        Fingerprints::of(Path::new(machine::CRATES)).context("cannot read the sources")?;
    let reader = Reader::new(&arguments.records, cores::known().clone()).of_sources(sources);
    for (path, why) in reader.refused()? {
        eprintln!("skipped: {}: {why}", path.display());
    }
    cores::models().check_records(&arguments.records)?;
    let records = read(&reader)?;
    ensure!(!records.is_empty(), "no record of tiers in {}", arguments.records.display());
    let figures = arguments.docs.join("figures");
    fs::create_dir_all(&figures).with_context(|| format!("cannot make {}", figures.display()))?;
    let mut page = String::from(
        "<!-- Generated by `lanesum-bench page` from benches/record. Do not edit. -->\n\
         # One message\n\n\
         - [Tier by tier](#tier-by-tier): each set of instructions, with OpenSSL limited to it\n\
         - [Whole messages, by the CPU's best kernel](#whole-messages-by-the-cpus-best-kernel), compared with OpenSSL,\n  \
         AWS-LC, ring and RustCrypto\n\
         - [Short messages, one call after another](#short-messages-one-call-after-another)\n\n\
         This page shows the time of one message by tier and length, compared with other libraries.\n\n\
         A figure is *minimum / median ± half the interquartile range*. A sample is valid if the core had the same plausible clock\n\
         before and after it, and if the core did not exceed its width. The number of discarded samples is shown.\n\n\
         A figure without ± was measured with an older clock, a chain of additions. Another thread on the same core can make that\n\
         chain a few percent slower, so a figure without ± may be a few percent too low.\n\n\
         The lines above a table show how idle the machine was. *Load* is Linux's load average. *Noise* is a fixed piece of work,\n\
         repeated 200 times: the median and the ninth decile relative to the fastest. *Moves per cycle* is the number of register\n\
         copies that the core dispatched per cycle; about half of its width means that another thread ran on the same core. A virtual\n\
         machine can report the model number of another CPU: `intel-xeon-x2` reports 167, and was recognized by its instructions,\n\
         including AMX. *Code: changed since* means that sources that these figures depend on have changed. Figures of kernels\n\
         that have changed are omitted.\n\n\
         ## Tier by tier\n\n\
         The unit is core cycles per byte; each figure is the median of five rounds. Our kernel for a tier and OpenSSL, limited to\n\
         that tier by its capability mask, were measured alternately in one run. A row that names a kernel is only the kernel, without\n\
         padding. `lanesum_hash` and `openssl` are whole messages, whose padding adds a block. If the median is far from the\n\
         minimum, the machine was not idle.\n\n\
         No core can be faster than its bounds. *Chain*, the dashed line, is the latency from block to block, in general registers or\n\
         in the SHA instructions. It counts only latencies that have a source. *Issue* is the number of instructions per block,\n\
         divided by the number that the core can start per cycle.\n",
    );
    page.push_str(&constants(&records));
    for record in &records {
        let _ = writeln!(page, "\n### {}, {}\n", record.table.machine, record.table.date);
        page.push_str(&about(&reader, &record.table));
        for (algorithm, title, block) in ALGORITHMS {
            let _ = writeln!(page, "\n#### {title}\n");
            let name = format!("{}-{algorithm}.svg", record.table.machine);
            fs::write(figures.join(&name), plot(record, algorithm, title, block))?;
            let _ = writeln!(page, "![{title}, cycles per byte by length](figures/{name})\n");
            page.push_str(&table(record, algorithm, block));
        }
    }
    page.push_str(&others::messages(&reader, &reader.newest("kernels")?));
    page.push_str(&others::calls(&reader, &reader.newest("calls")?));
    for table in reader.newest("sweep")? {
        let name = format!("{}-ahead.svg", table.machine);
        fs::write(figures.join(name), ahead::plot(&table))?;
    }
    write(&figures.join("speed.svg"), &pictures::speed(&reader)?)?;
    write(&figures.join("chains.svg"), &pictures::chains(&records))?;
    write(&figures.join("lanes.svg"), &pictures::lanes(&reader)?)?;
    write(&figures.join("python.svg"), &pictures::python(&reader)?)?;
    write(&arguments.docs.join("benchmarks.md"), &page)?;
    let (page, maps) = matrix::page(&reader)?;
    write(&arguments.docs.join("matrix.md"), &page)?;
    for (name, map) in maps {
        write(&figures.join(name), &map)?;
    }
    write(&arguments.docs.join("published.md"), &beside::page(&reader, &records)?)?;
    for (name, figures) in prose::PAGES {
        let path = arguments.docs.join(name);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = prose::page(&text, figures, &reader)
            .with_context(|| format!("cannot make {}", path.display()))?;
        write(&path, &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// The constants of the bounds of each machine, with their sources.
fn constants(records: &[Record]) -> String {
    let mut out = String::from("\nThe bounds follow from these constants:\n\n");
    for record in records {
        let Some(model) = cores::model(&record.table) else { continue };
        let width = model.units.pools.get("issue").and_then(Constant::stated);
        let width = width.map_or("not known".to_owned(), |width| {
            format!("{} instructions per cycle ({})", width.value(), width.source())
        });
        let _ = write!(out, "- {}: width {width}", model.titled());
        for (algorithm, title, _) in ALGORITHMS {
            for (tier, with) in [("", ""), ("sha_ni", " with SHA instructions")] {
                let bound = record.bounds.bound(algorithm, tier);
                if let Some(bound) = bound.filter(|_| tier.is_empty() || algorithm != "sha512") {
                    let _ = write!(out, ";\n  {title}{with}: {}", bound.why);
                }
            }
        }
        out.push('\n');
    }
    out
}

/// The newest record of tiers of each machine.
fn read(reader: &Reader) -> Result<Vec<Record>> {
    let counted = reader.newest("instructions")?;
    let tables = reader.newest("tiers")?.into_iter().filter(|table| !table.rows().is_empty());
    tables.map(|table| Record::new(table, &counted)).collect()
}

impl Record {
    /// A figure below a bound is an error, because one of the two is wrong.
    fn new(table: Table, counted: &[Table]) -> Result<Self> {
        let bounds = Bounds::of(cores::model(&table))?;
        let mut record = Self { table, bounds, counted: counted.to_vec(), lines: Vec::new() };
        let Self { table, lines, .. } = &mut record;
        for row in table.rows() {
            let of = |column| table.of(row, column).to_owned();
            let Some(figures) = Figures::of(table, row, "cycles_per_byte") else { continue };
            lines.push(Line {
                tier: of("tier"),
                algorithm: of("algorithm"),
                kernel: of("kernel"),
                blocks: of("blocks").parse()?,
                figures,
            });
        }
        for Line { tier, algorithm, kernel, figures, .. } in &record.lines {
            let block = ALGORITHMS.iter().find(|of| of.0 == algorithm).map_or(64, |of| of.2);
            let chain = record.bounds.bound(algorithm, tier).cloned();
            let path = record.table.path.display();
            for bound in chain.into_iter().chain(record.issue(algorithm, kernel, block)) {
                bound
                    .admits(figures.least, &format!("{path}: {algorithm} of {kernel} by {tier}"))?;
            }
        }
        Ok(record)
    }

    /// The bound of a kernel by the core's width, if its instructions were counted.
    fn issue(&self, algorithm: &str, kernel: &str, block: u64) -> Option<PerByte> {
        let model = cores::model(&self.table);
        let width = model.and_then(|machine| machine.units.pools["issue"].stated());
        PerByte::of_issue(width, &self.counted, [&self.table.machine, algorithm, kernel], block)
    }

    fn tiers(&self, algorithm: &str) -> Vec<&str> {
        let mut tiers = Vec::new();
        for line in self.lines.iter().filter(|line| line.algorithm == algorithm) {
            if is_kernel(&line.kernel) && !tiers.contains(&line.tier.as_str()) {
                tiers.push(&line.tier);
            }
        }
        tiers
    }

    fn of(&self, algorithm: &str, tier: &str, name: impl Fn(&str) -> bool) -> Vec<&Line> {
        self.lines
            .iter()
            .filter(|line| line.algorithm == algorithm && line.tier == tier && name(&line.kernel))
            .collect()
    }
}

fn is_kernel(name: &str) -> bool {
    name != "openssl" && name != "lanesum_hash"
}

fn table(record: &Record, algorithm: &str, block: u64) -> String {
    let mut out = String::from("| tier | kernel |");
    let blocks: Vec<u64> = record
        .lines
        .iter()
        .filter(|line| line.algorithm == algorithm)
        .map(|line| line.blocks)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    for n in &blocks {
        let _ = write!(out, " {} B |", n * block);
    }
    out.push_str(" chain | issue | ours / OpenSSL, longest |\n|---|---|");
    out.push_str(&"---:|".repeat(blocks.len() + 3));
    out.push('\n');
    for tier in record.tiers(algorithm) {
        let rows: [(&str, Vec<&Line>); 3] = [
            ("kernel", record.of(algorithm, tier, is_kernel)),
            ("lanesum_hash", record.of(algorithm, tier, |name| name == "lanesum_hash")),
            ("openssl", record.of(algorithm, tier, |name| name == "openssl")),
        ];
        let longest =
            |lines: &[&Line]| lines.iter().max_by_key(|l| l.blocks).map(|l| l.figures.median);
        let ratio = match (longest(&rows[1].1), longest(&rows[2].1)) {
            (Some(ours), Some(theirs)) => format!("{:.3}", ours / theirs),
            _ => String::new(),
        };
        for (name, lines) in &rows {
            let Some(first) = lines.first() else { continue };
            let shown = if *name == "kernel" { first.kernel.as_str() } else { name };
            let _ = write!(out, "| {tier} | `{shown}` |");
            for n in &blocks {
                match lines.iter().find(|line| line.blocks == *n) {
                    Some(line) => {
                        let _ = write!(out, " {} |", line.figures.shown(3));
                    }
                    None => out.push_str(" |"),
                }
            }
            let bound = record.bounds.bound(algorithm, tier);
            let bound = bound.map_or("not known".into(), |bound| format!("{:.3}", bound.value()));
            let issue = record.issue(algorithm, &first.kernel, block);
            let issue = issue.map_or(String::new(), |issue| format!("{:.3}", issue.value()));
            let ratio = if *name == "lanesum_hash" { &ratio } else { "" };
            let _ = writeln!(out, " {bound} | {issue} | {ratio} |");
        }
    }
    for (tier, on) in [("", "without SHA instructions"), ("sha_ni", "with SHA instructions")] {
        let has = tier.is_empty() || record.tiers(algorithm).contains(&tier);
        let text = match record.bounds.bound(algorithm, tier) {
            _ if !has => continue,
            Some(bound) => format!("{:.3}, {}", bound.value(), bound.why),
            None if tier.is_empty() => {
                "unknown, because no latency of this machine has a source".into()
            }
            None => unknown(record, algorithm),
        };
        let _ = writeln!(out, "\nBound {on}: {text}.");
    }
    out
}

/// A substitute for the bound of the SHA instructions if their latencies have no source: the
/// cycles per instruction of the fastest figure.
fn unknown(record: &Record, algorithm: &str) -> String {
    let lines = record.of(algorithm, "sha_ni", |_| true);
    let least = lines.iter().map(|line| line.figures.least).reduce(f64::min).unwrap_or(f64::NAN);
    let old_clock = lines.iter().any(|line| line.figures.quartiles.is_none());
    let (count, name) =
        if algorithm == "sha1" { (20.0, "sha1rnds4") } else { (32.0, "sha256rnds2") };
    format!(
        "unknown, because the model of this machine has no source for the latencies of its SHA instructions; the minimum, \
         {least:.3}, is {:.2} cycles per `{name}`{}",
        least * 64.0 / count,
        if old_clock { ", measured with the older clock, and may be too low" } else { "" }
    )
}

const COLOURS: [&str; 6] = ["#0b6e4f", "#1f5fa8", "#8a3fa0", "#9a4a00", "#a02334", "#5a5a5a"];

/// The start of a picture, with its background.
fn svg(width: f64, height: f64, font_size: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"{font_size}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    )
}

/// Whole messages, ours and OpenSSL's, over the logarithm of their length.
fn plot(record: &Record, algorithm: &str, title: &str, block: u64) -> String {
    let (width, height, left, top) = (760.0, 360.0, 56.0, 34.0);
    let (right, bottom) = (width - 170.0, height - 44.0);
    let lines: Vec<&Line> =
        record.lines.iter().filter(|l| l.algorithm == algorithm && l.blocks >= 4).collect();
    let most = lines.iter().map(|l| l.figures.median).fold(1.0, f64::max) * 1.05;
    let (first, last) = (
        lines.iter().map(|l| l.blocks).min().unwrap_or(1) as f64,
        lines.iter().map(|l| l.blocks).max().unwrap_or(2) as f64,
    );
    let x = |blocks: f64| left + (right - left) * (blocks / first).ln() / (last / first).ln();
    let y = |cycles: f64| bottom - (bottom - top) * cycles / most;
    let mut out = svg(width, height, 12);
    let _ = writeln!(
        out,
        "<text x=\"{left}\" y=\"20\" font-size=\"14\">{title}, {}: cycles per byte, median (solid: Lanesum, \
         dotted: OpenSSL)</text>",
        record.table.machine
    );
    for i in 0..=4 {
        let value = most * f64::from(i) / 4.0;
        let at = y(value);
        let _ = writeln!(
            out,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.0}\" y=\"{:.1}\" \
             text-anchor=\"end\">{value:.1}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    let mut n = first;
    while n <= last {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{} B</text>",
            x(n),
            bottom + 18.0,
            n as u64 * block
        );
        n *= 4.0;
    }
    for (i, tier) in record.tiers(algorithm).into_iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        for (library, dash) in [("lanesum_hash", ""), ("openssl", " stroke-dasharray=\"2 4\"")] {
            let mut points = record.of(algorithm, tier, |name| name == library);
            points.retain(|line| line.blocks >= 4);
            points.sort_by_key(|line| line.blocks);
            let path: Vec<String> = points
                .iter()
                .map(|line| format!("{:.1} {:.1}", x(line.blocks as f64), y(line.figures.median)))
                .collect();
            let _ = writeln!(
                out,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
                path.join("L")
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{tier}</text>",
            right + 12.0,
            top + 14.0 + 18.0 * i as f64
        );
    }
    for (tier, name) in [("", "bound"), ("sha_ni", "bound, SHA instructions")] {
        let has = tier.is_empty() || record.tiers(algorithm).contains(&tier);
        let Some(bound) = record.bounds.bound(algorithm, tier).filter(|_| has) else {
            continue;
        };
        let at = y(bound.value());
        let _ = writeln!(
            out,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#000\" stroke-dasharray=\"7 4\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\">{name}</text>",
            right + 12.0,
            at + 4.0
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests;
