//! The figures of `docs/how-fast.md` and `docs/python-columns.md`, with panels for each machine.

use anyhow::Result;
use lanesum_measure::{Reader, Table};

use super::Record;
use super::bars::{Of, Panel, draw};
use super::others::LIBRARIES;

/// The number of peers in a panel, the fastest ones.
const PEERS: usize = 4;

/// The name of a program or a library in records, and its common name.
type Name = (&'static str, &'static str);

const PROGRAMS: [Name; 7] = [
    ("lanesum", "lanesum sum -r"),
    ("go", "a parallel program in Go"),
    ("rhash", "rhash"),
    ("hashdeep", "hashdeep"),
    ("coreutils xargs -P2", "xargs -P2 sha256sum"),
    ("openssl xargs -P2", "xargs -P2 openssl"),
    ("busybox xargs -P2", "xargs -P2 busybox"),
];
const BATCHES: [Name; 9] = [
    ("lanesum", "Lanesum"),
    ("firedancer", "firedancer"),
    ("commonware", "commonware-cryptography"),
    ("tape-sha256", "tape-sha256"),
    ("stringzilla", "StringZilla"),
    ("isa-l_crypto", "isa-l_crypto"),
    ("ipsec-mb job", "ipsec-mb, jobs"),
    ("ipsec-mb burst", "ipsec-mb, bursts"),
    ("openssl", "OpenSSL, a call each"),
];

/// Our figure and the fastest peers' figures, where higher is faster. Returns `None` unless both exist.
fn race(mut panel: Panel, names: &[Name], figure: impl Fn(&str) -> Option<f64>) -> Option<Panel> {
    let mut peers: Vec<_> =
        names[1..].iter().filter_map(|&(name, shown)| Some((shown, figure(name)?))).collect();
    peers.sort_by(|x, y| y.1.total_cmp(&x.1));
    panel.bar(names[0].1, Of::Ours, figure(names[0].0));
    for (shown, figure) in peers.into_iter().take(PEERS) {
        panel.bar(shown, Of::Others, Some(figure));
    }
    panel.compares(&[Of::Ours, Of::Others]).then_some(panel)
}

/// Gigabytes per second of the program's whole run over a tree of small files.
fn tree(table: &Table) -> Option<Panel> {
    let title = "100,000 files, 1.6 GB in memory, SHA-256, two cores".to_owned();
    race(Panel::new(title, "GB/s", table), &PROGRAMS, |peer| {
        let wanted =
            [("job", "tree-small"), ("algorithm", "sha256"), ("cache", "warm"), ("peer", peer)];
        table.figure(&wanted, "gb_per_s")
    })
}

/// Millions of messages per second on one core.
fn many(table: &Table) -> Option<Panel> {
    let title = "2,048 messages of 64 bytes, SHA-256, one core".to_owned();
    race(Panel::new(title, "million/s", table), &BATCHES, |library| {
        let wanted =
            [("algorithm", "SHA256"), ("library", library), ("messages", "2048"), ("bytes", "64")];
        table.figure(&wanted, "ns_median").map(|ns| 1e3 / ns)
    })
}

/// Gigabytes a second of one message on one core.
fn one(table: &Table) -> Option<Panel> {
    let title = "one message of 16 KiB, SHA-256, one core".to_owned();
    race(Panel::new(title, "GB/s", table), &LIBRARIES, |library| {
        let wanted =
            [("algorithm", "sha256"), ("kernel", library), ("lanes", "1"), ("blocks", "256")];
        table.figure(&wanted, "gb_per_s_median")
    })
}

/// A tree, many messages and one, compared with the fastest peers.
pub(super) fn speed(reader: &Reader) -> Result<String> {
    let mut panels: Vec<Panel> = reader.newest("jobs")?.iter().filter_map(tree).collect();
    panels.extend(reader.newest("batch")?.iter().filter_map(many));
    panels.extend(reader.newest("kernels")?.iter().filter_map(one));
    Ok(draw(&panels))
}

/// One long message and its bounds, for each algorithm.
pub(super) fn chains(records: &[Record]) -> String {
    let panel = |record: &Record, (algorithm, title, _): (&str, &str, u64)| {
        let title = format!("{title}, one long message: cycles per byte (lower is faster)");
        let mut panel = Panel::new(title, "", &record.table);
        let least = |library: &str, instructions: bool| {
            let tiers = record.tiers(algorithm).into_iter();
            let tiers = tiers.filter(|tier| (*tier == "sha_ni") == instructions);
            let longest = |tier| {
                let lines = record.of(algorithm, tier, |name| name == library);
                lines.iter().max_by_key(|line| line.blocks).map(|line| line.figures.median)
            };
            tiers.filter_map(longest).reduce(f64::min)
        };
        for (instructions, tier, of) in [(false, "", ""), (true, "sha_ni", ", SHA instructions")] {
            let ours = least("lanesum_hash", instructions);
            let bound = record.bounds.bound(algorithm, tier).filter(|_| ours.is_some());
            panel.bar(&format!("chain{of}"), Of::Bound, bound.map(|bound| bound.value()));
            panel.bar(&format!("Lanesum{of}"), Of::Ours, ours);
            panel.bar(&format!("OpenSSL{of}"), Of::Others, least("openssl", instructions));
        }
        panel
    };
    let panels = records.iter().flat_map(|record| super::ALGORITHMS.map(|of| panel(record, of)));
    draw(&panels.collect::<Vec<_>>())
}

/// Cycles per byte by the number of messages that a kernel hashes in parallel.
pub(super) fn lanes(reader: &Reader) -> Result<String> {
    let kernels = [
        ("bmi2_asm_x1", "1: general registers"),
        ("sha_ni_x1", "1: SHA instructions"),
        ("sha_ni_x2", "2: SHA instructions"),
        ("sse2_x4", "4: SSE2"),
        ("avx2_x8", "8: AVX2"),
        ("avx512_x16", "16: AVX-512"),
        ("avx512_2x16", "32: AVX-512, two groups"),
    ];
    let panel = |table: &Table| {
        let title = "SHA-256 by messages in parallel: cycles per byte (lower is faster)".to_owned();
        let mut panel = Panel::new(title, "", table);
        for (kernel, shown) in kernels {
            let wanted = [("algorithm", "sha256"), ("kernel", kernel), ("blocks", "64")];
            panel.bar(shown, Of::Ours, table.figure(&wanted, "cycles_per_byte_median"));
        }
        panel
    };
    Ok(draw(&reader.newest("kernels")?.iter().map(panel).collect::<Vec<_>>()))
}

/// Columns and lists in Python, compared with other packages.
pub(super) fn python(reader: &Reader) -> Result<String> {
    let tables = reader.newest("python")?;
    Ok(draw(&tables.iter().flat_map(super::python::panels).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn table(text: &str) -> Table {
        let head = "algorithm,library,messages,bytes,ns_median\n";
        Table::parse(Path::new("here/2026-11-22-batch.csv"), &format!("{head}{text}"))
    }

    #[test]
    fn ours_is_first_and_the_fastest_peers_follow() {
        let text = "SHA256,openssl,2048,64,200\nSHA256,lanesum,2048,64,50\n\
                    SHA256,ipsec-mb job,2048,64,100\n";
        let panel = many(&table(text)).unwrap();
        let shown: Vec<_> = panel.bars.iter().map(|bar| (&bar.0[..], bar.2.round())).collect();
        let expected = [("Lanesum", 20.0), ("ipsec-mb, jobs", 10.0), ("OpenSSL, a call each", 5.0)];
        assert_eq!(shown, expected);
        let drawn = draw(&[panel]);
        assert!(drawn.contains("20.0 million/s") && drawn.contains("OpenSSL, a call each"));
    }

    #[test]
    fn a_record_without_ours_or_without_a_peer_is_no_panel() {
        assert!(many(&table("SHA256,openssl,2048,64,200\n")).is_none());
        assert!(many(&table("SHA256,lanesum,2048,64,50\n")).is_none());
    }
}
