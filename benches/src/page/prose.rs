//! Figures in hand-written pages: the text between `<!-- figures: NAME -->` and `<!-- end of figures -->` is
//! generated from the newest records.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use lanesum_measure::{Reader, Table};

use super::{front, in_short};

/// The pages, and the names of their figures.
pub(super) const PAGES: [(&str, &[&str]); 10] = [
    ("../README.md", &["speed"]),
    ("c.md", &["git"]),
    ("cores.md", &["rtl-sg13g2", "rtl-sky130"]),
    ("command.md", &["git-objects", "trees"]),
    ("install.md", &["builds"]),
    ("openssl.md", &["evp", "postgres"]),
    ("pkcs11.md", &["pkcs11"]),
    ("../examples/go/README.md", &["go"]),
    ("../examples/openssl-patch/README.md", &["openssl-patch"]),
    ("python-columns.md", &["python"]),
];

const END: &str = "<!-- end of figures -->";

/// Returns a page with its figures regenerated.
pub(super) fn page(text: &str, names: &[&str], reader: &Reader) -> Result<String> {
    let mut text = text.to_owned();
    for name in names {
        text = fill(&text, name, &figures(name, reader)?)?;
    }
    ensure!(text.matches("<!-- figures: ").count() == names.len(), "the page has unknown figures");
    Ok(text)
}

fn fill(text: &str, name: &str, figures: &str) -> Result<String> {
    let begin = format!("<!-- figures: {name} -->");
    let (before, rest) = text.split_once(&begin).with_context(|| format!("no `{begin}`"))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("no `{END}`"))?;
    Ok(format!("{before}{begin}\n{}\n{END}{after}", figures.trim()))
}

fn figures(name: &str, reader: &Reader) -> Result<String> {
    if name == "speed" {
        return front::table(reader);
    }
    let mut out = String::new();
    // Commands of git, and `check --git`, are two figures of one record.
    let kind = if name == "git-objects" { "git" } else { name };
    for table in reader.newest(kind)? {
        let text = match name {
            "evp" => evp(&table),
            "postgres" => postgres(&table),
            "pkcs11" => pkcs11(&table),
            "rtl-sg13g2" | "rtl-sky130" => cells(&table),
            "python" => super::python::in_words(&table),
            "trees" => trees(&table),
            "git" => git(&table),
            "git-objects" => git_objects(&table),
            "builds" => super::builds::in_words(&table),
            "go" if reader.is_current(&table, "avx512_x16") => go(&table),
            "openssl-patch" if reader.is_current(&table, "avx2_x1") => patch(&table),
            _ => None,
        };
        if let Some(text) = text {
            // The result of a synthesis is independent of the machine.
            let head = match name.starts_with("rtl-") {
                true => format!("Record: `{}`, {}.", table.machine, table.date),
                false => in_short(&table),
            };
            let _ = write!(out, "{head}\n\n{text}\n");
        }
    }
    Ok(match (name, out.is_empty()) {
        ("trees", false) => format!("Times, from `cargo xtask bench-trees`.\n\n{out}"),
        (_, true) => super::NOT_MEASURED.to_owned(),
        (_, false) => out,
    })
}

/// OpenSSL's time divided by Lanesum's, for all lengths and both kinds of calls.
fn evp(table: &Table) -> Option<String> {
    let ratios = |tier: &str, algorithm: &str| -> Option<(f64, f64)> {
        let ours = table.rows().iter().filter(|row| {
            let of = |column| table.of(row, column);
            of("tier") == tier
                && of("algorithm") == algorithm
                && of("provider") == "lanesum"
                && of("call") != "lanesum_hash"
        });
        let ratios = ours.filter_map(|row| {
            let of = |column| table.of(row, column);
            let wanted = [
                ("tier", tier),
                ("algorithm", algorithm),
                ("bytes", of("bytes")),
                ("call", of("call")),
                ("provider", "default"),
            ];
            Some(table.figure(&wanted, "ns_median")? / of("ns_median").parse::<f64>().ok()?)
        });
        ratios.fold(None, |all, ratio| {
            let (least, most) = all.unwrap_or((ratio, ratio));
            Some((ratio.min(least), ratio.max(most)))
        })
    };
    let tiers = [
        ("sha_ni", "all features (SHA instructions)"),
        ("avx512", "AVX-512, SHA instructions masked"),
        ("avx2", "AVX2"),
        ("avx", "AVX"),
        ("ssse3", "SSSE3"),
        ("sse2", "SSE2"),
    ];
    let mut rows = String::new();
    for (tier, title) in tiers {
        let cells = ["SHA512", "SHA256", "SHA1", "MD5"].map(|algorithm| {
            ratios(tier, algorithm).map_or("-".into(), |(x, y)| format!("{x:.2} to {y:.2}"))
        });
        if cells.iter().any(|cell| cell != "-") {
            let _ = writeln!(rows, "| {title} | {} |", cells.join(" | "));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let dash = if rows.contains("| - |") { " -: not measured." } else { "" };
    let mut out = format!(
        "OpenSSL's time divided by Lanesum's: above 1, Lanesum is faster. Each ratio is of medians. A cell has the minimum and the\n\
         maximum over all lengths from 0 bytes to 64 KiB, with `EVP_Digest` and with a reused context.{dash}\n\n\
         | | SHA-512 | SHA-256 | SHA-1 | MD5 |\n|---|---|---|---|---|\n{rows}"
    );
    // The overhead of EVP is the difference between a digest with and without it.
    let overheads: Vec<f64> = table
        .rows()
        .iter()
        .filter(|row| table.of(row, "call") == "EVP_Digest" && table.of(row, "bytes") == "64")
        .filter(|row| table.of(row, "provider") == "lanesum")
        .filter_map(|row| {
            let [tier, algorithm] = ["tier", "algorithm"].map(|column| table.of(row, column));
            let wanted = [
                ("tier", tier),
                ("algorithm", algorithm),
                ("bytes", "64"),
                ("call", "lanesum_hash"),
            ];
            let without = table.figure(&wanted, "ns_median")?;
            Some(table.of(row, "ns_median").parse::<f64>().ok()? - without)
        })
        .collect();
    if let Some(cost) = lanesum_measure::median(&overheads) {
        let _ = writeln!(
            out,
            "\nEVP adds {cost:.0} ns over `lanesum_hash` for a 64-byte message (median of all algorithms and tiers)."
        );
    }
    Some(out)
}

/// Seconds of jobs in a server, with OpenSSL's digests and with ours.
fn postgres(table: &Table) -> Option<String> {
    let jobs = [
        ("verifybackup", "backup", "`pg_verifybackup` with SHA-512 checksums"),
        ("sha512", "documents", "`sha512()` of documents of 128 KiB"),
        ("sha512", "records", "`sha512()` of values of 1 KiB"),
        ("sha256", "documents", "`sha256()` of documents of 128 KiB"),
        ("sha256", "records", "`sha256()` of values of 1 KiB"),
    ];
    let mut out =
        String::from("Seconds, minimum and median:\n\n| | OpenSSL | Lanesum |\n|---|---:|---:|\n");
    let mut any = false;
    for (job, data, title) in jobs {
        let of = |digests: &'static str| {
            let wanted = [("job", job), ("data", data), ("digests", digests)];
            let least = table.figure(&wanted, "wall_s_min")?;
            let median = table.figure(&wanted, "wall_s_median")?;
            Some(format!("{least:.3} / {median:.3}"))
        };
        if let Some((theirs, ours)) = of("openssl").zip(of("lanesum")) {
            any = true;
            let _ = writeln!(out, "| {title} | {theirs} | {ours} |");
        }
    }
    any.then_some(out)
}

/// Area and clock of cores in standard cells.
fn cells(table: &Table) -> Option<String> {
    let mut out = String::from(
        "| core | clocks a block | GE | ns: best netlist (median) | Mbps | Mbps per kGE |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    for row in table.rows() {
        let of = |column| table.of(row, column);
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} ({}) | {} | {} |",
            of("core"),
            of("clocks_a_block"),
            of("area"),
            of("ns_best"),
            of("ns"),
            of("mbps_best"),
            of("mbps_best_per_k"),
        );
    }
    (!table.rows().is_empty()).then_some(out)
}

/// Messages per second.
fn pkcs11(table: &Table) -> Option<String> {
    let rate = |what: &str, bytes: &str, threads: &str, peer: &str| {
        let wanted = [("what", what), ("bytes", bytes), ("threads", threads), ("peer", peer)];
        let median = table.figure(&wanted, "per_s_median")?;
        Some(if median >= 1e6 {
            format!("{:.1} million", median / 1e6)
        } else {
            format!("{:.0} thousand", median / 1e3)
        })
    };
    let lines = [
        ("one", "128", "1", "128 bytes, two calls each (`C_DigestInit`, `C_Digest`)"),
        ("one", "128", "2", "128 bytes, two calls each, two threads"),
        ("many", "128", "1", "128 bytes with `DigestMany`"),
        ("one", "65536", "1", "64 KiB, two calls each"),
        ("one", "65536", "2", "64 KiB, two calls each, two threads"),
    ];
    let mut out = String::from(
        "SHA-1, messages per second, median:\n\n| | Lanesum | SoftHSM |\n|---|---:|---:|\n",
    );
    let mut any = false;
    for (what, bytes, threads, title) in lines {
        let Some(ours) = rate(what, bytes, threads, "lanesum") else { continue };
        any = true;
        let theirs =
            rate(what, bytes, threads, "softhsm").unwrap_or_else(|| "not available".into());
        let _ = writeln!(out, "| {title} | {ours} | {theirs} |");
    }
    any.then_some(out)
}

/// CPU seconds of commands of git, by its implementation of SHA-1.
fn git(table: &Table) -> Option<String> {
    let commands = [
        ("index-pack", "`git index-pack`"),
        ("clone", "`git clone --bare --no-local`"),
        ("fsck", "`git fsck --full`"),
        ("verify-pack", "`git verify-pack`"),
        ("hash-object-large", "`git hash-object`, a file of 512 MiB"),
        ("hash-object-many", "`git hash-object`, 32,768 files of 1 KiB"),
    ];
    let mut out = String::from(
        "CPU seconds, medians; only libcrypto's SHA-1 does not detect collisions:\n\n\
         | | libsha1detectcoll | git's own SHA-1 | libcrypto |\n|---|---:|---:|---:|\n",
    );
    let empty = out.len();
    for (command, title) in commands {
        let seconds = ["external", "block", "openssl"]
            .map(|sha1| table.figure(&[("name", &format!("{sha1}-{command}"))], "cpu_s_median"));
        // Older records lack `clone`.
        let [Some(ours), Some(own), Some(unchecked)] = seconds else { continue };
        let _ = writeln!(out, "| {title} | {ours:.2} | {own:.2} | {unchecked:.2} |");
    }
    (out.len() > empty).then_some(out)
}

/// Seconds of `git fsck` and of `check --git`.
fn git_objects(table: &Table) -> Option<String> {
    let programs = [
        ("git", "`git fsck --full`, one thread"),
        ("lanesum-j1", "`lanesum check --git -j1`"),
        ("lanesum-j2", "`lanesum check --git -j2`"),
    ];
    let (_, of) = table.says("larger")?.split_once("a pack of ")?;
    let (size, _) = of.split_once(';')?;
    let mut out = format!(
        "A pack of {size}, in the page cache, medians of wall seconds. `git fsck` also checks that objects are well-formed and \
         connected.\n\n| | seconds |\n|---|---:|\n"
    );
    for (program, title) in programs {
        let name = format!("{program}-larger-good");
        let seconds = table.figure(&[("name", &name)], "wall_s_median")?;
        let _ = writeln!(out, "| {title} | {seconds:.1} |");
    }
    Some(out)
}

/// Seconds of tree hashes and of collision-detecting hashes, by us and by the original tools.
fn trees(table: &Table) -> Option<String> {
    let lines = [
        ("fsverity", "fsverity", "`fsverity digest`"),
        ("dmverity", "veritysetup", "`veritysetup format`"),
        ("torrent1", "mktorrent", "`mktorrent`, version 1"),
        ("torrent1", "libtorrent1", "libtorrent, version 1"),
        ("torrent2", "libtorrent2", "libtorrent, version 2"),
        ("s3", "openssl-flat", "`openssl dgst -sha256`, not in parts"),
        ("sha1dc-many", "git-many", "`git hash-object`, many files of 16 KiB"),
        ("sha1dc-one", "git-one", "`git hash-object`, one file"),
    ];
    let seconds = |name: &str, column| table.figure(&[("name", name)], column);
    let mut out = String::from(
        "Median seconds, the file in the page cache (2 GiB; 256 MiB of many files):\n\n\
         | tool | its CPU | our CPU | ratio | its wall | ours, two threads |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let mut any = false;
    for (ours, theirs, title) in lines {
        let own = |jobs: &str, column| {
            seconds(&format!("lanesum-{ours}{jobs}"), column)
                .or_else(|| seconds(&format!("lanesum-{ours}"), column))
        };
        let cpu = own("-j1", "cpu_s_median").zip(seconds(theirs, "cpu_s_median"));
        let wall = own("-j2", "wall_s_median").zip(seconds(theirs, "wall_s_median"));
        let (Some((cpu, its_cpu)), Some((wall, its_wall))) = (cpu, wall) else { continue };
        any = true;
        let ratio = cpu / its_cpu;
        let _ = writeln!(
            out,
            "| {title} | {its_cpu:.2} | {cpu:.2} | {ratio:.2} | {its_wall:.2} | {wall:.2} |"
        );
    }
    if let Some(read) = seconds("read", "cpu_s_median") {
        let _ = writeln!(out, "\nReading the file without hashing takes {read:.2} CPU seconds.");
    }
    any.then_some(out)
}

/// All rows of the example in Go: its speed, and its ratio to each other implementation.
fn go(table: &Table) -> Option<String> {
    let others = ["minio server", "minio Sum256", "crypto/sha256"];
    let mut out = String::from(
        "MB/s of sha256x16, and how many times as fast it is as each of the others. Below 1, it is slower.\n\n\
         | messages | bytes of each | MB/s | minio's server for AVX-512 | minio's `Sum256` | `crypto/sha256` |\n\
         |---:|---:|---:|---:|---:|---:|\n",
    );
    let ours = table.rows().iter().filter(|row| table.of(row, "implementation") == "sha256x16");
    for row in ours.clone() {
        let [messages, bytes] = ["messages", "bytes"].map(|column| table.of(row, column));
        let figure = |implementation, column| {
            let of = [("messages", messages), ("bytes", bytes), ("implementation", implementation)];
            table.figure(&of, column)
        };
        let speed = figure("sha256x16", "mb_per_s_median")?;
        let _ = write!(out, "| {messages} | {} | {speed:.0} |", bytes.replace('-', " to "));
        for other in others {
            let _ = write!(out, " {:.2} |", figure(other, "ratio_median")?);
        }
        out.push('\n');
    }
    (ours.count() > 0).then_some(out)
}

/// `openssl speed` before and after the patch.
fn patch(table: &Table) -> Option<String> {
    let mut out = String::from(
        "Megabytes per second of `openssl speed`, median:\n\n\
         | algorithm | SHA instructions | bytes | before | after | |\n|---|---|---:|---:|---:|---:|\n",
    );
    let lines = [
        ("sha512", "sha_ni", "(has none)"),
        ("sha256", "avx2", "masked"),
        ("sha1", "avx2", "masked"),
    ];
    let mut any = false;
    for (algorithm, tier, how) in lines {
        for bytes in ["64", "16384"] {
            let of = |tree: &'static str| {
                let wanted =
                    [("tier", tier), ("algorithm", algorithm), ("tree", tree), ("bytes", bytes)];
                table.figure(&wanted, "mb_per_s_median")
            };
            let Some((before, after)) = of("before").zip(of("after")) else { continue };
            any = true;
            let name = algorithm.replace("sha", "SHA-");
            let more = 100.0 * (after / before - 1.0);
            let _ = writeln!(
                out,
                "| {name} | {how} | {bytes} | {before:.0} | {after:.0} | {more:+.1} % |"
            );
        }
    }
    any.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_the_marks_is_made_again_and_nothing_else() {
        let text = "a\n<!-- figures: x -->\nold 0.41\n<!-- end of figures -->\nb\n";
        let new = fill(text, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- figures: x -->\nnew\n<!-- end of figures -->\nb\n");
        assert_eq!(fill(&new, "x", "new").unwrap(), new, "made again it is the same");
        assert!(fill("a", "x", "new").is_err());
    }
}
