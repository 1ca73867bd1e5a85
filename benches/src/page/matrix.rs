//! Batches compared with the fastest other library, for each algorithm, length and number of messages:
//! as a table, and as a map whose colours show the faster one.

use std::fmt::Write as _;

use anyhow::Result;
use lanesum_measure::{Reader, Table};

use super::{about, svg};

/// Our time divided by the fastest other library's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    algorithm: String,
    bytes: String,
    messages: String,
    library: String,
    ratio: f64,
    /// The 95 % confidence interval of the median ratio.
    interval: [f64; 2],
}

impl Cell {
    /// Whether the other library is significantly faster.
    fn is_behind(&self) -> bool {
        self.interval[0] > 1.0
    }
}

/// All comparisons, in the order of the record.
pub(super) fn cells(table: &Table) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for row in table.rows() {
        let of = |column| table.of(row, column).to_owned();
        let number = |column| table.of(row, column).parse::<f64>().ok();
        let library = of("library");
        if library.starts_with("lanesum") {
            continue;
        }
        let (Some(ratio), Some(low), Some(high)) =
            (number("ratio_median"), number("ratio_low"), number("ratio_high"))
        else {
            continue;
        };
        let cell = Cell {
            algorithm: of("algorithm"),
            bytes: of("bytes"),
            messages: of("messages"),
            library,
            ratio,
            interval: [low, high],
        };
        let same = |other: &&mut Cell| {
            let key =
                |cell: &Cell| [&cell.algorithm, &cell.bytes, &cell.messages].map(String::to_owned);
            key(other) == key(&cell)
        };
        match cells.iter_mut().rev().find(same) {
            Some(other) if other.ratio < ratio => *other = cell,
            Some(_) => {}
            None => cells.push(cell),
        }
    }
    cells
}

/// The distinct values of a column, in order of appearance.
fn values<'c>(cells: &'c [Cell], of: impl Fn(&'c Cell) -> &'c str) -> Vec<&'c str> {
    let mut values = Vec::new();
    for value in cells.iter().map(of) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn find<'c>(cells: &'c [Cell], algorithm: &str, bytes: &str, messages: &str) -> Option<&'c Cell> {
    cells.iter().find(|cell| {
        cell.algorithm == algorithm && cell.bytes == bytes && cell.messages == messages
    })
}

/// All cells as text: a line for each length, a column for each number of messages. A star
/// marks a faster other library.
pub(super) fn text(cells: &[Cell]) -> String {
    let mut out = String::new();
    let counts = values(cells, |cell| &cell.messages);
    for algorithm in values(cells, |cell| &cell.algorithm) {
        let _ = write!(out, "{algorithm:<12}");
        for count in &counts {
            let _ = write!(out, "{count:>7}");
        }
        out.push('\n');
        for bytes in values(cells, |cell| &cell.bytes) {
            let _ = write!(out, "{:>10} B", bytes);
            for count in &counts {
                let shown = find(cells, algorithm, bytes, count).map(|cell| {
                    format!("{:.2}{}", cell.ratio, if cell.is_behind() { "*" } else { " " })
                });
                let _ = write!(out, "{:>7}", shown.unwrap_or_default());
            }
            out.push('\n');
        }
    }
    let _ = writeln!(out, "{}", summary(cells));
    out
}

/// The number of cells, and of those in which another library is faster, also by the number of messages.
fn summary(cells: &[Cell]) -> String {
    let among = |range: std::ops::RangeInclusive<u64>| {
        let of = cells
            .iter()
            .filter(|cell| cell.messages.parse::<u64>().is_ok_and(|count| range.contains(&count)));
        let (behind, count) = of.fold((0, 0), |(behind, count), cell| {
            (behind + usize::from(cell.is_behind()), count + 1)
        });
        format!("{behind} of {count}")
    };
    let behind = cells.iter().filter(|cell| cell.is_behind()).count();
    format!(
        "Another library is faster in {behind} of {} cells: {} with up to 8 messages, {} with 9 to 64, {} with more.",
        cells.len(),
        among(1..=8),
        among(9..=64),
        among(65..=u64::MAX)
    )
}

/// Green where Lanesum is ahead, the darker the further; red where another library is. Black text stays legible on the
/// darkest of them.
fn colour(cell: &Cell) -> String {
    let (end, share) = if cell.is_behind() {
        ([209, 116, 128], (0.35 + (cell.ratio - 1.0) * 2.0).min(1.0))
    } else {
        ([118, 174, 135], (1.0 - cell.ratio).clamp(0.0, 1.0))
    };
    let part = |end: i32| 255 + ((f64::from(end) - 255.0) * share) as i32;
    format!("#{:02x}{:02x}{:02x}", part(end[0]), part(end[1]), part(end[2]))
}

fn map(cells: &[Cell], machine: &str) -> String {
    let (counts, lengths) = (values(cells, |c| &c.messages), values(cells, |c| &c.bytes));
    let algorithms = values(cells, |c| &c.algorithm);
    let (left, row, column, head) = (70.0, 18.0, 38.0, 44.0);
    let width = left + column * counts.len() as f64 + 10.0;
    let panel = head + row * lengths.len() as f64 + 10.0;
    let mut out = svg(width, panel * algorithms.len() as f64, 11);
    for (a, algorithm) in algorithms.iter().enumerate() {
        let top = panel * a as f64;
        let _ = writeln!(
            out,
            "<text x=\"8\" y=\"{:.0}\" font-size=\"13\" font-weight=\"bold\">{algorithm}, {machine}: our time / \
             the fastest other library's (red: slower)</text>",
            top + 18.0
        );
        for (c, count) in counts.iter().enumerate() {
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{count}</text>",
                left + column * (c as f64 + 0.5),
                top + head - 6.0
            );
        }
        for (l, bytes) in lengths.iter().enumerate() {
            let y = top + head + row * l as f64;
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{bytes} B</text>",
                left - 6.0,
                y + 13.0
            );
            for (c, count) in counts.iter().enumerate() {
                let Some(cell) = find(cells, algorithm, bytes, count) else { continue };
                let x = left + column * c as f64;
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{:.0}\" height=\"{:.0}\" fill=\"{}\"/>\
                     <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{:.2}</text>",
                    column - 1.0,
                    row - 1.0,
                    colour(cell),
                    x + column / 2.0,
                    y + 13.0,
                    cell.ratio
                );
            }
        }
    }
    out + "</svg>\n"
}

/// The page, and the maps with their names.
pub(super) fn page(reader: &Reader) -> Result<(String, Vec<(String, String)>)> {
    let mut page = String::from(
        "<!-- Generated by `lanesum-bench page` from benches/record. Do not edit. -->\n\
         # Batches compared with other libraries\n\n\
         This page shows where Lanesum is faster than every other measured library, and where it is slower: by algorithm, message\n\
         length and number of messages per call.\n\n\
         A cell is our time divided by the time of the fastest other library: the median over the rounds of one run, in which all\n\
         libraries alternated. Below 1, Lanesum is the fastest. A cell is red if its whole 95 % confidence interval is above 1.\n\
         `1-512` means messages of all these lengths in random order. A single message goes through the same call.\n\
         [batches.md](batches.md) explains the cost of a batch; `cargo xtask bench-batch` measures it.\n",
    );
    let mut maps = Vec::new();
    for table in reader.newest("batch")? {
        let cells = cells(&table);
        if cells.is_empty() {
            // Records from before 22 November 2026 have no ratios.
            continue;
        }
        let name = format!("{}-batch.svg", table.machine);
        let _ = writeln!(page, "\n## {}, {}\n", table.machine, table.date);
        page.push_str(&about(reader, &table));
        let _ = writeln!(
            page,
            "\n![Our time divided by the fastest other library's on {}, by algorithm, length and number of messages: green if \
             Lanesum is faster, red if it is slower](figures/{name})\n\n{}\n",
            table.machine,
            summary(&cells)
        );
        let mut behind: Vec<&Cell> = cells.iter().filter(|cell| cell.is_behind()).collect();
        behind.sort_by(|x, y| y.ratio.total_cmp(&x.ratio));
        if !behind.is_empty() {
            page.push_str("| algorithm | bytes | messages | ratio | 95 % CI | library |\n|---|---:|---:|---:|---:|---|\n");
        }
        for cell in behind {
            let [low, high] = cell.interval;
            let _ = writeln!(
                page,
                "| {} | {} | {} | {:.3} | {low:.3}-{high:.3} | {} |",
                cell.algorithm, cell.bytes, cell.messages, cell.ratio, cell.library
            );
        }
        maps.push((name, map(&cells, &table.machine)));
    }
    Ok((page, maps))
}

/// Prints the newest record of `machine`.
pub(crate) fn print(reader: &Reader, machine: &str) -> Result<()> {
    for table in reader.newest("batch")?.iter().filter(|table| table.machine == machine) {
        let cells = cells(table);
        if !cells.is_empty() {
            println!("{}, {}: our time over the best other library's", table.machine, table.date);
            println!("{}", text(&cells));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn table() -> Table {
        let text = "algorithm,library,messages,bytes,ratio_median,ratio_low,ratio_high\n\
                    SHA256,lanesum,2,64,,,\n\
                    SHA256,slow,2,64,0.5,0.4,0.6\n\
                    SHA256,fast,2,64,1.2,1.1,1.3\n\
                    SHA256,lanesum before,2,64,2.0,1.9,2.1\n\
                    SHA256,lanesum,3,64,,,\n\
                    SHA256,fast,3,64,1.01,0.99,1.03\n";
        Table::parse(Path::new("here/2026-11-22-batch.csv"), text)
    }

    #[test]
    fn the_library_that_is_furthest_ahead_counts_and_never_our_own() {
        let cells = cells(&table());
        assert_eq!(cells.len(), 2);
        assert_eq!((cells[0].library.as_str(), cells[0].ratio), ("fast", 1.2));
        assert!(cells[0].is_behind() && !cells[1].is_behind());
        let text = text(&cells);
        assert!(text.contains("  1.20*  1.01 \n"), "{text}");
        let summary = "Another library is faster in 1 of 2 cells: 1 of 2 with up to 8 messages, 0 of 0 with 9 to 64, \
                       0 of 0 with more.\n";
        assert!(text.ends_with(summary), "{text}");
    }

    #[test]
    fn what_is_behind_is_red_and_nothing_else() {
        let cells = cells(&table());
        assert!(colour(&cells[0]).starts_with("#d") || colour(&cells[0]).starts_with("#e"));
        assert_eq!(colour(&cells[1]), "#ffffff");
        assert!(map(&cells, "here").contains(">1.20</text>"));
    }
}
