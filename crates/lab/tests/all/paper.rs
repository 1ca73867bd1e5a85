//! The figures of the paper, `docs/how-fast.md`: each follows from a generated page, a record or a cited publication.

use std::fs;
use std::path::{Path, PathBuf};

use lanesum_model::analyse::EXACT;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// The cells of each row of a Markdown table in a section of a page, without code marks.
fn rows<'a>(page: &'a str, section: &str) -> Vec<Vec<&'a str>> {
    let (_, rest) = page.split_once(&format!("\n## {section}\n")).expect(section);
    let text = rest.split("\n## ").next().unwrap();
    let lines = text.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &'a str| {
        line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    lines.map(cells).collect()
}

/// The only row of a section that begins with `keys` and has `columns` cells.
fn row<'a>(page: &'a str, section: &str, keys: &[&str], columns: usize) -> Vec<&'a str> {
    let found = rows(page, section);
    let mut found = found.into_iter().filter(|row| row.starts_with(keys) && row.len() == columns);
    let row = found.next().unwrap_or_else(|| panic!("{section} has no row {keys:?}"));
    assert_eq!(found.next(), None, "{section}: {keys:?}");
    row
}

fn number(cell: &str) -> f64 {
    cell.split([' ', '%']).next().unwrap().parse().unwrap_or_else(|_| panic!("{cell}"))
}

/// The rows of the newest record of a kind.
fn record(machine: &str, kind: &str) -> String {
    let folder = root().join("benches/record").join(machine);
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let of_kind = |path: &PathBuf| path.to_str().unwrap().ends_with(&format!("-{kind}.csv"));
    fs::read_to_string(files.filter(of_kind).max().unwrap()).unwrap()
}

/// A column of the last row of a record that begins with `keys`.
fn recorded(record: &str, keys: &str, column: &str) -> f64 {
    let mut lines = record.lines().filter(|line| !line.starts_with('#'));
    let at = lines.next().unwrap().split(',').position(|name| name == column).unwrap();
    let line = lines.rfind(|line| line.starts_with(keys)).unwrap_or_else(|| panic!("no {keys}"));
    line.split(',').nth(at).unwrap().parse().unwrap()
}

/// The errors of the simulator and of llvm-mca in a section of the page of limits.
fn errors<'a>(limits: &'a str, core: &str) -> (&'a str, &'a str) {
    let (_, rest) = limits.split_once(&format!("\n## {core}\n")).unwrap();
    let (_, rest) = rest.split_once("error of the simulator is ").unwrap();
    let (ours, rest) = rest.split_once(" %, and that of llvm-mca is ").unwrap();
    (ours, rest.split_once(" %").unwrap().0)
}

const ZEN4: &str = "AMD Zen 4";
const ZEN5: &str = "AMD Zen 5";
const YOUNG: &str = "Young's table: instructions, cycles, instructions per cycle";
const FEWEST: &str = "The fewest instructions of a function";

/// The passages of the paper that have figures.
fn quotes() -> Vec<String> {
    let (limits, orders, hardware) = (page("waterfall.md"), page("orders.md"), page("hardware.md"));
    // Columns: 4 chain, 5 units, 11 simulated, 12 measured, 13 residual.
    let kernel = |core, algorithm, name| row(&limits, core, &[algorithm, name], 15);
    let sha256 = kernel(ZEN4, "sha256", "sha_ni_x1");
    let sha1 = kernel(ZEN4, "sha1", "sha_ni_x1");
    let lanes = kernel(ZEN4, "sha256", "avx512_x16");
    let zen5 = kernel(ZEN5, "sha256", "bmi2_asm_x1");
    assert_eq!(sha256[4], sha256[12], "the kernel is at its bound");
    let per_byte = |cells: &[&str], lanes: f64| number(cells[12]) / 64.0 / lanes;
    let (half, whole) = (per_byte(&lanes, 16.0), per_byte(&sha256, 1.0));
    assert!((0.45..0.55).contains(&(half / whole)), "about half");
    for core in [ZEN4, ZEN5] {
        assert!(number(kernel(core, "sha512", "avx2_2x4")[13]) > 5.0, "too optimistic");
    }
    let (ours4, mca4) = errors(&limits, ZEN4);
    let (ours5, mca5) = errors(&limits, ZEN5);
    assert!(number(ours4) < number(mca4) && number(ours5) > number(mca5));
    let kernels = |core| {
        let all = rows(&limits, core).into_iter().filter(|row| row[0].starts_with("sha"));
        all.collect::<Vec<_>>()
    };
    let unexplained = {
        let (_, rest) = limits.split_once(&format!("\n## {ZEN4}\n")).unwrap();
        let (_, rest) = rest.split_once("which are not explained: ").unwrap();
        rest.split_once(". ").unwrap().0.split(", ").count()
    };
    let zen4 = kernels(ZEN4);
    let size = |cells: &&Vec<&str>| (number(cells[13]).abs() * 10.0) as i64;
    let mut largest: Vec<_> = zen4.iter().collect();
    largest.sort_by_key(|cells| -size(cells));
    assert_eq!(largest[0][..2], ["sha1", "avx512_2x16"]);
    assert_eq!(largest[1][..2], ["sha1", "sha_ni_x4"]);

    // Columns: 3 cycles, 5 cycles per byte, 6 bound, 7 their ratio. Zen 5 comes first.
    let young = |algorithm, name| -> Vec<Vec<&str>> {
        let all = rows(&orders, YOUNG).into_iter();
        all.filter(|row| row.starts_with(&[algorithm, name])).collect()
    };
    let [sha1_avx2, sha256_avx2] = ["sha1", "sha256"].map(|algorithm| young(algorithm, "avx2_x1"));
    let more = |cells: &[&str]| format!("{:.0} %", 100.0 * (number(cells[7]) - 1.0));
    let bound = |cells: &[&str]| format!("{:.2}", number(cells[6]) / 64.0);
    let scalar = &young("sha256", "bmi2_asm_x1")[0];
    let over = 100.0 * (number(scalar[5]) / (number(scalar[6]) / 64.0) - 1.0);
    let zen5_all = kernels(ZEN5);
    let a_third = zen4.iter().chain(&zen5_all);
    let a_third = a_third.filter(|row| row[0] == "sha256" && row[4] == "257");
    let a_third: Vec<f64> = a_third.map(|row| number(row[12]) / 257.0).collect();
    assert!(a_third.len() > 10 && a_third.iter().all(|ratio| *ratio > 4.0 / 3.0), "{a_third:?}");

    let maj = row(&orders, FEWEST, &["Maj", "x86-bmi"], 7);
    assert!(orders.contains("shorter programs than the best form for: Maj on x86-bmi.\n"));
    assert!(orders.contains("R rounds need at least 3 R gates for Maj"));
    assert!(orders.contains(" = 2544, instead of 816 + 1984 = 2800."));

    let golden = record("intel-xeon-x2", "latencies");
    let rounds = recorded(&golden, "sha1rnds4,rounds,", "cycles_median") * 20.0 / 64.0;
    let chain = recorded(&golden, "sha1rnds4,abcd,", "cycles_median").round();
    let tiers = record("intel-xeon-x2", "tiers");
    let whole_sha1 = recorded(&tiers, "sha_ni,sha1,sha_ni_x1,32,", "cycles_per_byte_min");

    let kept = row(&hardware, "A word in carry-save form", &["1"], 8);
    let chained = row(&hardware, "Table 4: others' cores", &["sha1_u4_chain", "0.18 um"], 7);
    let eight = row(&hardware, "Table 3: standard cells of 0.18 um", &["sha1_u8"], 12);
    let ratios = rows(&hardware, "Table 3: standard cells of 0.18 um");
    let within = ratios.iter().filter(|row| row.last() == Some(&"within 10 %")).count();
    assert!(
        2 * within > ratios.iter().filter(|row| row.last().unwrap().contains("within")).count()
    );
    let optimal = page("optimal.md");
    let delays = "0.18 um standard cells (OSU), ns before layout";
    let bounds = row(&optimal, "Below A + F/2: SHA-1 in carry-save form", &[delays], 6);
    let suhaili: f64 = 4196.30;
    let layout =
        |wires| row(&hardware, "What figures before layout leave out", &["sha1_u1", wires], 9);
    let before = layout("none: before layout")[4];
    let after = layout("extracted after routing")[5];
    // In parentheses: the median and the worst netlist.
    let median = |cell: &str| number(cell.split_once('(').unwrap().1.split_once(',').unwrap().0);

    vec![
        format!("takes {} cycles per block, which is its bound", sha256[12]),
        format!("its error is {ours4} %. That of llvm-mca, on the same instructions, is {mca4} %"),
        format!("On Zen 5 the error is {ours5} %, against {mca5} %"),
        format!("more than {:.0} % below a bound", 100.0 * (1.0 - EXACT)),
        format!("Maj needs {} instructions with BMI, where our best form has {}", maj[2], maj[4]),
        format!("{} cycles per block of 64 bytes: {} cycles per byte", 80 * 2, 160.0 / 64.0),
        format!(
            "4 cycles per round. That is {} cycles per byte for SHA-256, and {} for SHA-512",
            64 * 4 / 64,
            80.0 * 4.0 / 128.0
        ),
        format!("within {} of its chain bound on Zen 5", more(&sha1_avx2[0])),
        format!("takes {} longer than it on Golden Cove", more(&sha1_avx2[1])),
        format!(
            "at least {} cycles per byte on the five ALUs of Golden Cove, and {} on the six of Zen 5",
            bound(&sha256_avx2[1]),
            bound(&sha256_avx2[0])
        ),
        format!("AVX2 take {} and {}", sha256_avx2[1][5], sha256_avx2[0][5]),
        format!("at least {} cycles per byte for the instructions", bound(scalar)),
        format!("Zen 5 takes {}, which is {over:.0} % more", scalar[5]),
        format!("needs {} instructions if all operands survive, and {} in", maj[2], maj[4]),
        "is 2544 operations instead of 2800".to_owned(),
        format!("the chain is {} cycles with the final addition", sha256[4]),
        format!("and the kernel takes {}. Every", sha256[12]),
        format!("SHA-1 on Zen 4: {} cycles, and the kernel takes {}", sha1[4], sha1[12]),
        format!("takes {chain} cycles, so the bound is {} cycles per byte", chain * 20.0 / 64.0),
        format!("takes {rounds:.2}, and a whole kernel {whole_sha1:.2}"),
        format!(
            "at least {} cycles per block of every lane, and take {}: {half:.2} cycles per byte",
            number(lanes[5]),
            lanes[12]
        ),
        format!("about half of the {whole:.2} of"),
        format!("| {ZEN4} | {} | {ours4} % | {mca4} % |", zen4.len()),
        format!("| {ZEN5} | {} | {ours5} % | {mca5} % |", zen5_all.len()),
        format!("{unexplained} of {} residuals are above 5 %", zen4.len()),
        format!("in two groups of 16 lanes, {}", largest[0][13]),
        format!("for four messages, {}", largest[1][13].replace('-', "−")),
        format!("takes {} cycles, and the simulator predicts {}", zen5[12], zen5[11]),
        format!("executes {} instructions per cycle on this code", zen5[3]),
        format!("from {} to {} ns", number(kept[2]), number(kept[5])),
        format!("published one, from {} to {} ns in cells of 0.18 µm", bounds[1], bounds[4]),
        format!("selection, takes {} ns.", number(kept[5])),
        format!("the medians are {} and {} ns", median(kept[2]), median(kept[5])),
        format!("reach {} Mbps for one message", chained[5]),
        format!("eight rounds {} in the same flow", eight[6]),
        format!("So {ours4} % is an error"),
        "ratios within 10 % for most cores".to_owned(),
        // Cited.
        "about 5.2 cycles per byte for SHA-256 in four lanes".to_owned(),
        "between 9 % and 36 % [8]".to_owned(),
        format!("report {suhaili:.2} Mbps"),
        format!("its period is {after} ns instead of {before}, which is {:.0} % more", {
            100.0 * (number(after) / number(before) - 1.0)
        }),
        "97.9 MHz and 104,585 µm²".to_owned(),
    ]
}

/// Returns the passages that `paper` lacks, and its figures outside of them: numbers with decimals or units.
fn unchecked(paper: &str, quotes: &[String]) -> Vec<String> {
    let (text, _) = paper.split_once("\n## References\n").unwrap();
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut wrong = Vec::new();
    for quote in quotes {
        if !text.contains(quote) {
            wrong.push(format!("not quoted: {quote}"));
        }
    }
    for quote in quotes {
        text = text.replace(quote, " ");
    }
    let units = ["%", "cycles", "ns", "Mbps", "MHz", "c/B"];
    let words: Vec<&str> = text.split(' ').collect();
    for (i, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let numeric = bare.starts_with(|c: char| c.is_ascii_digit())
            && bare.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',');
        let unit = words.get(i + 1).map(|next| next.trim_matches([',', '.', ':', ';', ')']));
        if numeric && (bare.contains(['.', ',']) || unit.is_some_and(|unit| units.contains(&unit)))
        {
            wrong.push(format!(
                "not checked: {}",
                words[i.saturating_sub(3)..(i + 2).min(words.len())].join(" ")
            ));
        }
    }
    wrong
}

#[test]
fn the_paper_has_only_figures_that_follow_from_records_and_citations() {
    assert_eq!(unchecked(&page("how-fast.md"), &quotes()), [""; 0]);
}

#[test]
fn a_wrong_or_an_unknown_figure_in_the_paper_is_rejected() {
    let (paper, quotes) = (page("how-fast.md"), quotes());
    let planted = |from: &str, to: &str| {
        assert!(paper.contains(from), "{from}");
        unchecked(&paper.replace(from, to), &quotes)
    };
    for quote in &quotes {
        // This passage with a different last digit.
        let at = quote.rfind(|c: char| c.is_ascii_digit()).unwrap();
        let digit = u8::from(quote.as_bytes()[at] == b'0') + b'0';
        let wrong = format!("{}{}{}", &quote[..at], digit as char, &quote[at + 1..]);
        let text = paper.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.replace(" ## References ", "\n## References\n").replace(quote, &wrong);
        let found = unchecked(&text, &quotes);
        assert!(found.contains(&format!("not quoted: {quote}")), "{wrong}: {found:?}");
    }
    let added =
        planted("\n## Kernels\n", "\n## Kernels\n\nThey are 17 % faster, and take 1,234 bytes.\n");
    assert_eq!(added.len(), 2, "{added:?}");
    assert!(added[0].contains("17 %") && added[1].contains("1,234"), "{added:?}");
}
