//! A fingerprint of the kernels' sources. It stands in the head of each record and says which
//! kernels were measured.
//!
//! A commit would not do: it changes with every page, and where records are read there may
//! be no history. The text of a kernel's file changes when the kernel does.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, fs, io};

/// The kernels of a tree, or those that a record says it is of: groups that stand in the
/// same files, each with a fingerprint of what the files say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernels(BTreeMap<String, String>);

/// Stitched kernels, one for each tier of vectors.
const STITCHED: [&str; 5] = ["sse2", "ssse3", "avx", "avx2", "avx512"];
/// SHA-1 of one message by the SHA instructions: no other algorithm runs it.
const SHA1_NI: &str = "sha_ni_sha1";
/// Emitted kernels of general registers.
const SCALAR: [&str; 3] = ["bmi2", "x86_64", "i686"];
/// Lane kernels of x86.
const LANES: [&str; 3] = ["sse2", "avx2", "avx512"];

/// Each group, and the files below `engine/src/kernel`; a name ending in `*` is of all
/// algorithms. The words of lane kernels are in files of their own, what they do in `spec`.
fn groups() -> Vec<(String, Vec<String>)> {
    let files = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let of_all = |folder: &str, isa: &str| {
        ["sha1", "sha256", "sha512"].map(|name| format!("x86/{folder}/{name}_{isa}.s")).to_vec()
    };
    let mut groups: Vec<(String, Vec<String>)> = vec![
        ("sha_ni".into(), files(&["x86/sha_ni.rs"])),
        (SHA1_NI.into(), files(&["x86/stitched/sha1_sha_ni.s"])),
        ("sha512_ni".into(), files(&["x86/sha512_ni.rs"])),
        ("portable".into(), files(&["portable.rs"])),
        ("neon".into(), files(&["aarch64/neon.rs", "vector/mod.rs", "vector/simd.rs"])),
        ("sha_ce".into(), files(&["aarch64/sha_ce.rs"])),
    ];
    groups.extend(SCALAR.map(|isa| (format!("scalar_{isa}"), of_all("scalar", isa))));
    groups.extend(STITCHED.map(|isa| (format!("stitched_{isa}"), of_all("stitched", isa))));
    groups.extend(LANES.map(|isa| {
        let mut of = files(&["vector/mod.rs", "vector/simd.rs", "vector/pair.rs"]);
        of.insert(0, format!("x86/{isa}.rs"));
        if isa == "avx512" {
            of.push("x86/avx512vl.rs".into());
        }
        (format!("lanes_{isa}"), of)
    }));
    groups
}

/// Sources whose text has changed since records were made of them and whose machine code has not:
/// a group, its fingerprint now, and those before. In the release library each kernel's loop over
/// blocks is the same, instruction by instruction (November 2026); but those of AVX2 have other registers and
/// take the same time.
const SAME: [(&str, &str, &[&str]); 4] = [
    ("lanes_avx2", "8139ba7f", &["8ca25bee", "d065ffe1", "0fd9877c", "0b869be5", "fa4082f1"]),
    (
        "lanes_avx512",
        "85c61c5c",
        &["0defad6f", "e7a1754c", "6cc226c7", "dd09bf5c", "9475d626", "af09cb1a", "c5d54814"],
    ),
    ("lanes_sse2", "5bbec2f2", &["7c17e2e1", "83d819af", "6dea1488", "6842e8a5"]),
    ("sha_ni", "96b46138", &["80967cc3", "2dd0b0a4", "50382f73", "6e8b9b1b", "cb0c0cbe"]),
];

impl Kernels {
    /// The kernels of the engine whose sources are in that folder, `crates/engine/src`; those
    /// that it does not have are left out.
    ///
    /// # Errors
    ///
    /// When it has none, or a file cannot be read.
    pub fn of(engine: &Path) -> io::Result<Self> {
        let print = |files: &Vec<String>| {
            let mut hash = FNV;
            for file in files {
                let path = engine.join("kernel").join(file);
                match fs::read_to_string(&path) {
                    Ok(text) => hash = fingerprint(hash, &text),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    Err(error) => {
                        let text = format!("{}: {error}", path.display());
                        return Err(io::Error::new(error.kind(), text));
                    }
                }
            }
            // Half of it is plenty to tell one state of a file from another.
            Ok(Some(format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)))
        };
        let groups = groups().into_iter().map(|(name, files)| Ok((name, print(&files)?)));
        let groups: Vec<(String, Option<String>)> = groups.collect::<io::Result<_>>()?;
        let found: Self =
            groups.into_iter().filter_map(|(name, print)| Some((name, print?))).collect();
        if found.0.is_empty() {
            let text = format!("no kernels in {}", engine.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(found)
    }

    /// As [`Display`](fmt::Display) writes it.
    pub fn parse(text: &str) -> Self {
        text.split(", ").filter_map(|group| group.split_once(' ')).collect()
    }

    /// Whether what ran under a name, on a tier and for an algorithm where the record says them, is the
    /// same here and there. What is none of ours is the same everywhere. A record that says no algorithm
    /// is of whole programs, to which the kernel of one algorithm alone is little.
    pub fn same(&self, other: &Self, name: &str, tier: &str, algorithm: &str) -> bool {
        let others = !algorithm.replace('-', "").to_ascii_lowercase().ends_with("sha1");
        ran(name, tier).iter().filter(|group| !(others && *group == SHA1_NI)).all(|group| {
            let Some((print, before)) = self.0.get(group).zip(other.0.get(group)) else {
                return false;
            };
            let same = |&(of, now, then): &(&str, &str, &[&str])| {
                of == group && now == print && then.contains(&&before[..])
            };
            print == before || SAME.iter().any(same)
        })
    }
}

impl FromIterator<(String, String)> for Kernels {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(groups: I) -> Self {
        Self(groups.into_iter().collect())
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Kernels {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(groups: I) -> Self {
        groups.into_iter().map(|(name, print)| (name.to_owned(), print.to_owned())).collect()
    }
}

impl fmt::Display for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, print)) in self.0.iter().enumerate() {
            write!(f, "{}{name} {print}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// The groups of what runs under a name: a kernel's, or that of a call that chooses among them.
fn ran(name: &str, tier: &str) -> Vec<String> {
    let one = |group: &str| vec![group.to_owned()];
    let chosen = || {
        let stitched = STITCHED.map(|isa| format!("stitched_{isa}"));
        [one("sha_ni"), one(SHA1_NI), stitched.to_vec()].concat()
    };
    if let Some(isa) = name.strip_suffix("_asm_x1") {
        return one(&format!("scalar_{isa}"));
    }
    match name.rsplit_once('_').unwrap_or((name, "")) {
        ("avx512_vl", _) => one("lanes_avx512"),
        ("sha_ni", "x1") => [one("sha_ni"), one(SHA1_NI)].concat(),
        ("sha_ni", _) => one("sha_ni"),
        ("sha512_ni", _) => one("sha512_ni"),
        ("sha_ce" | "sha512_ce", _) => one("sha_ce"),
        ("neon", _) => one("neon"),
        ("portable" | "bmi2", "x1") => one("portable"),
        (isa, "x1") if STITCHED.contains(&isa) => one(&format!("stitched_{isa}")),
        (isa, count) if LANES.contains(&isa) && count.ends_with(|c: char| c.is_ascii_digit()) => {
            one(&format!("lanes_{isa}"))
        }
        ("lanesum", "hash" | "hmac" | "") => match tier {
            // As the CPU is: which of them runs is the algorithm's matter.
            "" | "sha_ni" => chosen(),
            "bmi2" => one("scalar_bmi2"),
            "scalar" => one("scalar_x86_64"),
            tier => one(&format!("stitched_{tier}")),
        },
        _ if name.starts_with("lanesum") => {
            [chosen(), LANES.map(|isa| format!("lanes_{isa}")).to_vec()].concat()
        }
        _ => Vec::new(),
    }
}

/// The start of Fowler, Noll and Vo's hash of 64 bits, FNV-1a.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with what a source says: its comments, its tests and its white space are left
/// out, and so is the name that the project had until November 2026.
fn fingerprint(mut hash: u64, text: &str) -> u64 {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    for line in lines.filter(|line| !line.starts_with("# ")) {
        let code = line.split("//").next().unwrap_or_default().replace("heddle", "lanesum");
        for byte in code.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Kernels {
        Kernels::of(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src"))).unwrap()
    }

    #[test]
    fn what_a_record_says_of_its_kernels_is_read_as_it_was_written() {
        assert_eq!(Kernels::parse(&tree().to_string()), tree());
    }

    #[test]
    fn a_kernel_that_has_changed_is_another_and_its_neighbours_are_not() {
        let tree = tree();
        let mut older = tree.clone();
        older.0.insert("stitched_avx2".into(), "00000000".into());
        assert!(!tree.same(&older, "avx2_x1", "avx2", ""));
        assert!(!tree.same(&older, "lanesum_hash", "avx2", ""));
        assert!(!tree.same(&older, "lanesum_hash", "", ""), "any of them may have been chosen");
        assert!(!tree.same(&older, "lanesum_hash", "sha_ni", ""), "SHA-512's is a stitched one");
        assert!(tree.same(&older, "sha_ni_x1", "sha_ni", ""));
        // One that a single algorithm runs.
        older = tree.clone();
        older.0.remove(SHA1_NI);
        assert!(!tree.same(&older, "sha_ni_x1", "", "sha1"));
        assert!(!tree.same(&older, "lanesum_hash", "", "sha1"));
        assert!(!tree.same(&older, "lanesum_hash", "", "HMAC-SHA-1"));
        assert!(tree.same(&older, "sha_ni_x1", "", "sha256"));
        assert!(tree.same(&older, "lanesum", "", ""));
        assert!(tree.same(&older, "sha_ni_x2", "", "sha1"));
        // A text that has changed, its machine code not.
        let [(group, _, before), ..] = SAME;
        older.0.insert(group.into(), before[0].into());
        for (group, now, _) in SAME {
            assert_eq!(tree.0[group], now, "`SAME` is of the sources as they are: {group}");
        }
        assert!(tree.same(&older, "avx2_2x8", "", ""));
        assert!(!older.same(&tree, "avx2_2x8", "", ""), "the other way nobody has compared");
        assert!(tree.same(&older, "openssl", "avx2", ""));
        // A record of which nobody knows what ran.
        assert!(!tree.same(&Kernels::default(), "sha_ni_x1", "sha_ni", ""));
        assert!(tree.same(&Kernels::default(), "openssl", "sha_ni", ""));
    }

    #[test]
    fn every_kernel_of_x86_has_a_group_of_files() {
        let groups = groups();
        for kernel in
            "avx512_2x16 avx512_x8 avx2_2x4 avx2_x8 sse2_x4 sse2_x2 sha_ni_x4 sha512_ni_x1 \
                    avx512_x1 avx_x1 ssse3_x1 sse2_x1 bmi2_asm_x1 x86_64_asm_x1 i686_asm_x1 \
                    bmi2_x1 portable_x1 lanesum lanesum_hash lanesum_hmac lanesum_hmac_many"
                .split_whitespace()
        {
            let ran = ran(kernel, "");
            assert!(!ran.is_empty(), "{kernel}");
            assert!(ran.iter().all(|name| groups.iter().any(|group| group.0 == *name)), "{kernel}");
        }
    }

    #[test]
    fn comments_and_space_are_no_part_of_a_kernel() {
        let same = |x, y| fingerprint(FNV, x) == fingerprint(FNV, y);
        assert!(same("add eax, 1 // heddle\n", "# by hand\n  add eax,1"));
        assert!(same("fn f() {}\n#[cfg(test)]\nmod tests {}\n", "fn f() {}\n"));
        assert!(!same("add eax, 1", "add eax, 2"));
    }
}
