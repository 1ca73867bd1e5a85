//! The picture of speed on the front page: a tree, many messages, one message, each beside the
//! fastest of the peers that were measured in the same run.

use std::fmt::Write as _;

use anyhow::Result;
use lanesum_measure::{Reader, Source, Table};

use crate::cores;

/// How many peers a panel has room for: the fastest.
const PEERS: usize = 4;

/// What a record calls a program or a library, and what people do.
type Name = (&'static str, &'static str);

const PROGRAMS: [Name; 8] = [
    ("lanesum", "lanesum sum -r"),
    ("go", "a parallel Go program"),
    ("b3sum", "b3sum (another function)"),
    ("rhash", "rhash"),
    ("hashdeep", "hashdeep"),
    ("coreutils xargs -P2", "xargs -P2 sha256sum"),
    ("openssl xargs -P2", "xargs -P2 openssl"),
    ("busybox xargs -P2", "xargs -P2 busybox"),
];
const BATCHES: [Name; 7] = [
    ("lanesum", "Lanesum"),
    ("firedancer", "firedancer"),
    ("commonware", "commonware-cryptography"),
    ("isa-l_crypto", "isa-l_crypto"),
    ("ipsec-mb job", "ipsec-mb, jobs"),
    ("ipsec-mb burst", "ipsec-mb, bursts"),
    ("openssl", "OpenSSL, one by one"),
];
const LIBRARIES: [Name; 5] = [
    ("lanesum_hash", "Lanesum"),
    ("openssl", "OpenSSL"),
    ("aws-lc-rs", "AWS-LC"),
    ("ring", "ring"),
    ("rustcrypto", "RustCrypto"),
];

/// A figure of each name: ours, then the fastest of the others. More is faster.
struct Panel {
    title: String,
    unit: &'static str,
    source: String,
    bars: Vec<(&'static str, f64)>,
}

impl Panel {
    /// Nothing without a figure of ours and one of another.
    fn new(
        title: String,
        unit: &'static str,
        table: &Table,
        names: &[Name],
        figure: impl Fn(&str) -> Option<f64>,
    ) -> Option<Self> {
        let of = |&(name, shown): &Name| Some((shown, figure(name)?));
        let ours = of(&names[0])?;
        let mut bars: Vec<_> = names[1..].iter().filter_map(of).collect();
        bars.sort_by(|x, y| y.1.total_cmp(&x.1));
        bars.truncate(PEERS);
        if bars.is_empty() {
            return None;
        }
        bars.insert(0, ours);
        let source = Source::of(table).shown(cores::known());
        Some(Self { title, unit, source, bars })
    }
}

/// The newest of some records, by their date.
fn newest(tables: Vec<Table>) -> Option<Table> {
    tables.into_iter().max_by(|x, y| x.date.cmp(&y.date))
}

/// Gigabytes a second of the program's whole run over a tree of small files.
fn tree(table: &Table) -> Option<Panel> {
    let figure = |peer: &str| {
        let wanted =
            [("job", "tree-small"), ("algorithm", "sha256"), ("cache", "warm"), ("peer", peer)];
        table.figure(&wanted, "gb_per_s")
    };
    let title = "100,000 files of 1.6 GB in memory, SHA-256, all cores".to_owned();
    Panel::new(title, "GB/s", table, &PROGRAMS, figure)
}

/// Millions of messages a second on one core.
fn many(table: &Table) -> Option<Panel> {
    let figure = |library: &str| {
        let wanted =
            [("algorithm", "SHA256"), ("library", library), ("messages", "2048"), ("bytes", "64")];
        table.figure(&wanted, "ns_median").map(|ns| 1e3 / ns)
    };
    let title = "2,048 messages of 64 bytes, SHA-256, one core".to_owned();
    Panel::new(title, "million/s", table, &BATCHES, figure)
}

/// Gigabytes a second of one message on one core.
fn one(table: &Table) -> Option<Panel> {
    let figure = |library: &str| {
        let wanted =
            [("algorithm", "sha256"), ("row", library), ("lanes", "1"), ("blocks", "256")];
        table.figure(&wanted, "gb_per_s_median")
    };
    let title = "one message of 16 KiB, SHA-256, one core".to_owned();
    Panel::new(title, "GB/s", table, &LIBRARIES, figure)
}

/// The picture, of what was measured since the kernels are what they are.
pub(super) fn picture(reader: &Reader) -> Result<String> {
    let panel = |kind: &str, of: fn(&Table) -> Option<Panel>| -> Result<Option<Panel>> {
        Ok(newest(reader.newest(kind)?).and_then(|table| of(&table)))
    };
    let panels = [panel("jobs", tree)?, panel("batch", many)?, panel("kernels", one)?];
    Ok(draw(&panels.into_iter().flatten().collect::<Vec<_>>()))
}

fn draw(panels: &[Panel]) -> String {
    let (width, left, right) = (760.0, 190.0, 640.0);
    let (row, head, foot) = (22.0, 30.0, 26.0);
    let of = |panel: &Panel| head + row * panel.bars.len() as f64 + foot;
    let height: f64 = panels.iter().map(of).sum::<f64>() + 8.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let mut top = 0.0;
    for panel in panels {
        let _ = writeln!(
            out,
            "<text x=\"8\" y=\"{:.0}\" font-weight=\"bold\">{}</text>",
            top + 22.0,
            panel.title
        );
        let most = panel.bars.iter().map(|bar| bar.1).fold(0.0, f64::max);
        for (i, (name, figure)) in panel.bars.iter().enumerate() {
            let y = top + head + row * i as f64;
            let colour = if i == 0 { "#0b6e4f" } else { "#9aa5b1" };
            let long = (right - left) * figure / most;
            let digits = if *figure < 10.0 { 2 } else { 1 };
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{name}</text>\
                 <rect x=\"{left}\" y=\"{y:.0}\" width=\"{long:.1}\" height=\"{:.0}\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.0}\">{figure:.digits$} {}</text>",
                left - 8.0,
                y + 14.0,
                row - 5.0,
                left + long + 6.0,
                y + 14.0,
                panel.unit
            );
        }
        top += of(panel);
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"{:.0}\" font-size=\"10\" fill=\"#666\">{}</text>",
            top - 10.0,
            panel.source
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn table(kind: &str, text: &str) -> Table {
        Table::parse(Path::new(&format!("here/2026-11-22-{kind}.csv")), text)
    }

    #[test]
    fn ours_is_first_and_the_fastest_peers_follow() {
        let text = "algorithm,library,messages,bytes,ns_median\nSHA256,openssl,2048,64,200\n\
                    SHA256,lanesum,2048,64,50\nSHA256,ipsec-mb job,2048,64,100\n";
        let panel = many(&table("batch", text)).unwrap();
        let shown: Vec<_> = panel.bars.iter().map(|bar| (bar.0, bar.1.round())).collect();
        assert_eq!(
            shown,
            [("Lanesum", 20.0), ("ipsec-mb, jobs", 10.0), ("OpenSSL, one by one", 5.0)]
        );
        let drawn = draw(&[panel]);
        assert!(drawn.contains("20.0 million/s") && drawn.contains("OpenSSL, one by one"));
    }

    #[test]
    fn a_record_without_ours_or_without_a_peer_is_no_panel() {
        let head = "algorithm,library,messages,bytes,ns_median\n";
        assert!(many(&table("batch", &format!("{head}SHA256,openssl,2048,64,200\n"))).is_none());
        assert!(many(&table("batch", &format!("{head}SHA256,lanesum,2048,64,50\n"))).is_none());
    }
}
