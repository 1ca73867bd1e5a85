//! Fingerprints of sources. The head of a record states them, so that a page can detect figures of
//! older code.
//!
//! A commit would not do: it changes with every page, and records may be read where no history is
//! available. A file's fingerprint changes when its code does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// Fingerprints of a tree's sources: one for each group of kernels, and one for each other part of the
/// tree. A record's head states the fingerprints of its day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprints(BTreeMap<String, String>);

/// Parts of the tree, with their directories below `crates`. A file belongs to the part with the longest
/// matching path, unless it belongs to a group of kernels.
const PARTS: [(&str, &[&str]); 17] = [
    ("spec", &["spec/src"]),
    ("engine", &["engine/src"]),
    ("kernel", &["engine/src/kernel"]),
    ("choose", &["engine/src/choose"]),
    ("keyed", &["engine/src/keyed"]),
    ("sha1dc", &["engine/src/sha1dc"]),
    ("tree", &["engine/src/tree"]),
    ("cli", &["cli/src"]),
    ("files", &["files/src"]),
    ("git", &["git/src"]),
    ("keep", &["keep/src"]),
    ("manifest", &["manifest/src"]),
    ("streams", &["streams/src"]),
    ("ffi", &["ffi/src", "door/src"]),
    ("md", &["md/src", "door/src"]),
    ("python", &["python/src", "python/python"]),
    ("graph", &["kernels/src/emit", "kernels/src/search", "kernels/src/stitch"]),
];

/// Parts whose string literals are names and messages. A corrected message does not outdate a figure.
const FRONT_ENDS: [&str; 10] =
    ["choose", "tree", "cli", "files", "git", "keep", "manifest", "streams", "ffi", "md"];

/// The parts that the figures of a kind of record depend on. An unknown kind depends on all.
fn parts(kind: &str) -> Vec<&'static str> {
    const CALL: &[&str] = &["spec", "engine", "kernel", "choose"];
    const COMMAND: &[&str] = &["keyed", "tree", "cli", "files", "keep", "manifest", "streams"];
    let with = |parts| [CALL, parts].concat();
    match kind {
        // A kernel called directly, another project's instructions, or a circuit.
        "latencies" | "instructions" => Vec::new(),
        kind if kind.starts_with("rtl-") => Vec::new(),
        // Generated kernels that are measured where they are generated.
        "convergence" | "go" | "openssl-patch" | "orders" | "sweep" => vec!["graph"],
        "calls" | "simulated" | "tiers" => with(&[]),
        "kernels" | "plan" => with(&["keyed"]),
        "sha1dc" | "sha1dc-blocks" => with(&["sha1dc"]),
        "batch" | "c-calls" | "evp" | "passwords" | "pkcs11" | "postgres" => {
            with(&["keyed", "ffi"])
        }
        "libmd" => with(&["md"]),
        "git-suite" => with(&["sha1dc", "md"]),
        "git" => with(&[COMMAND, &["sha1dc", "git", "md"]].concat()),
        "builds" => with(&[COMMAND, &["sha1dc", "git", "python"]].concat()),
        "python" => with(&["keyed", "python"]),
        "buffers" | "digest" | "jobs" | "jobs-cold" | "jobs-cold-runs" | "jobs-runs" | "kept"
        | "start" | "trees" => with(COMMAND),
        _ => PARTS.map(|(name, _)| name).to_vec(),
    }
}

/// Whether records of this kind measure time, which other work disturbs.
pub(crate) fn is_timed(kind: &str) -> bool {
    kind != "simulated" && !kind.starts_with("rtl-")
}

/// Whether each row of a record of this kind measures one kernel, so that a change outdates single rows.
pub(crate) fn is_of_kernels(kind: &str) -> bool {
    matches!(
        kind,
        "calls"
            | "convergence"
            | "go"
            | "kernels"
            | "openssl-patch"
            | "orders"
            | "plan"
            | "simulated"
            | "sweep"
            | "tiers"
    )
}

/// Stitched kernels, one for each tier of vectors.
const STITCHED: [&str; 5] = ["sse2", "ssse3", "avx", "avx2", "avx512"];
/// SHA-1 of one message by the SHA instructions: no other algorithm runs it.
const SHA1_NI: &str = "sha_ni_sha1";
/// Lane kernels of x86.
const LANES: [&str; 3] = ["sse2", "avx2", "avx512"];

/// Each group of kernels, and its files below `engine/src/kernel`. A lane kernel has
/// its words here, and its function in the part `spec`.
fn groups() -> Vec<(String, Vec<String>)> {
    let files = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let of_all = |folder: &str, isa: &str| {
        ["sha1", "sha256", "sha512"].map(|name| format!("x86/{folder}/{name}_{isa}.s")).to_vec()
    };
    let mut groups: Vec<(String, Vec<String>)> = vec![
        ("sha_ni".into(), files(&["x86/sha_ni.rs"])),
        (SHA1_NI.into(), files(&["x86/stitched/sha1_sha_ni.s"])),
        ("scalar_bmi2".into(), of_all("scalar", "bmi2")),
        ("sha512_ni".into(), files(&["x86/sha512_ni.rs"])),
        ("portable".into(), files(&["portable.rs"])),
        ("neon".into(), files(&["aarch64/neon.rs", "vector/mod.rs", "vector/simd.rs"])),
        ("sha_ce".into(), files(&["aarch64/sha_ce.rs"])),
    ];
    groups.extend(STITCHED.map(|isa| (format!("stitched_{isa}"), of_all("stitched", isa))));
    groups.extend(LANES.map(|isa| {
        let mut of = files(&["vector/mod.rs", "vector/simd.rs", "vector/pair.rs"]);
        of.insert(0, format!("x86/{isa}.rs"));
        if isa == "avx512" {
            of.push("x86/avx512vl.rs".into());
        }
        let texts: &[&str] = match isa {
            "avx2" => &["sha1_avx2_x8", "sha256_avx2_x8", "sha512_avx2_x4"],
            "avx512" => &["sha1_avx512_x16", "sha256_avx512_x16"],
            _ => &[],
        };
        of.extend(texts.iter().map(|name| format!("x86/lanes/{name}.s")));
        (format!("lanes_{isa}"), of)
    }));
    groups
}

/// Groups of kernels and parts whose sources have changed since they were measured, but not their machine code: the
/// group or the part, its fingerprint now, and earlier ones. In the release library the loop over blocks is the same,
/// instruction by instruction (November 2026), except in lanes of AVX2 and in sixteen lanes of AVX-512, which are assembly
/// now. On Zen 4 they take 0.94 to 1.02 of the time (600 alternating calls for each length); on Zen 5 and Golden Cove they
/// have only been simulated, with 0.96 to 1.02. The generator's kernels for one message are the same. In the
/// command, only code that runs once has changed with `files`: how the maximum rate is passed. In the C library, only the
/// call for one message with detection of collisions has changed, which no record measures. `spec` and `kernel` have
/// changed for the detection of collisions, and for kernels of SHA-1 that only Golden Cove selects, where
/// the records of SHA-1 measured slower ones. Calls with a key overwrite the stack to one of six depths instead of
/// twelve, with the same time for HMACs of 1 to 256 messages (builds in turn, median ratio 1.00). In the command and
/// its libraries, identifiers and messages have changed, and a function that no program called was deleted. The queue of
/// files determines lengths for the progress on a terminal, and has the same speed without one (60,000 small files, builds
/// in turn, median ratio 1.00; callgrind counts the same instructions within 0.1 %). In the Python package, only names of
/// findings have changed. `engine`, `kernel` and `sha_ni` list the functions that are assembly: in the release
/// library, all functions have the same instructions, except that two that start batches have variables at other places of
/// the stack. `choose` and the programs and libraries read a file of costs once, if the environment names one; `engine`
/// identifies the CPU for that. `spec`, `portable`, `lanes_avx2` and `lanes_avx512` have a feature that leaves MD5,
/// RIPEMD-160 and SM3 out of lanes; all that is measured has it. `engine` and `keyed` read batches through a trait object, and
/// constants, also of `sha1dc`, have other names. `sha_ni` loads whole blocks of equal messages as the rounds need them, and
/// `choose` hashes up to five nodes one at a time. On Raptor Cove batches take 0.87 to 1.05 of the time (788 cells, both
/// builds in one run, geometric mean 0.997); the loops over blocks have the same instructions. Since then, `engine`
/// hashes few messages one at a time where it gathers them, and lanes of all kinds are refilled by one function; other
/// changes are of names, and move code (315 batches, builds in turn, geometric mean 0.998). Then `sha_ni`, `lanes_avx512`,
/// `choose` and `keyed` got a separate path for messages of one block and for their HMACs; the loops over blocks did not
/// change.
const SAME: [(&str, &str, &[&str]); 21] = [
    (
        "lanes_avx2",
        "c340e027",
        &[
            "8fde424f", "8139ba7f", "8ca25bee", "d065ffe1", "0fd9877c", "0b869be5", "fa4082f1",
            "c91dafec",
        ],
    ),
    ("choose", "791e29a4", &["dfe4cdf5", "fb0586c7"]),
    ("ffi", "9788ed97", &["9a84b349", "8ce3fd94", "9e5ad20d"]),
    ("engine", "2a27fafa", &["535c0ed0", "73c08a1e", "2efd6ad7"]),
    ("sha1dc", "a337f1cf", &["89047fc1", "f0b62e81"]),
    ("keyed", "c4fb8cab", &["9ed1be1b", "1637a3ec"]),
    ("cli", "bd646d28", &["cacca7c4", "8000f600", "48aba48a"]),
    ("manifest", "47b108a6", &["2d5b0caa", "a894180f"]),
    ("files", "6a1b99b1", &["54384eba", "8e70356c"]),
    ("keep", "0fc34e37", &["43c7e689", "42b7aa7d"]),
    ("git", "35f8a484", &["858c2fa7"]),
    ("md", "bb3a3104", &["2512882b"]),
    ("python", "ac4c3245", &["0b662631", "097a3d85"]),
    (
        "lanes_sse2",
        "d71760b6",
        &["a83a7ff5", "5bbec2f2", "7c17e2e1", "83d819af", "6dea1488", "6842e8a5"],
    ),
    ("portable", "dad4ec33", &["8a49a1f9"]),
    ("lanes_avx512", "d4a0eb20", &["109da8ba", "3d051e20", "48146301", "a87a862f"]),
    ("sha_ni", "e8cba61f", &["8b46b198", "de6d8fb1", "198a33f8", "fe806cde"]),
    (
        "kernel",
        "b09c9844",
        &["f65b906a", "17b6f326", "5c370186", "a15103ce", "c28c835a", "84ce0d60", "7da08009"],
    ),
    ("sha_ce", "66de5aae", &["2043e83c"]),
    ("spec", "38acc35a", &["2c084047", "a941d176", "2b90374e"]),
    ("graph", "1a54670d", &["3290b0bf"]),
];

/// Figures that come from records, below `crates`: entering a figure must not outdate its record.
const FIGURES: &str = "engine/src/peers.rs";

/// The directory of kernels, below `crates`.
const KERNELS: &str = "engine/src/kernel";

impl Fingerprints {
    /// Computes the fingerprints of the sources in `crates`. Skips the directories and groups that are
    /// missing there.
    ///
    /// # Errors
    ///
    /// If `crates` contains no kernel, or a file cannot be read.
    pub fn of(crates: &Path) -> io::Result<Self> {
        let mut found = BTreeMap::new();
        let mut elsewhere = vec![crates.join(FIGURES)];
        for (name, files) in groups() {
            let files: Vec<PathBuf> =
                files.iter().map(|file| crates.join(KERNELS).join(file)).collect();
            if files.iter().all(|file| file.exists()) {
                found.insert(name, print(&files, fingerprint)?);
            }
            elsewhere.extend(files);
        }
        if found.is_empty() {
            let text = format!("no kernels in {}", crates.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        let nested = |path: &Path, below: &Path| {
            PARTS.iter().flat_map(|(_, directories)| *directories).any(|other| {
                let other = crates.join(other);
                path.starts_with(&other) && other != below && other.starts_with(below)
            })
        };
        for (name, directories) in PARTS {
            let mut files = Vec::new();
            for directory in directories.iter().map(|directory| crates.join(directory)) {
                let mut own = sources(&directory)?;
                own.retain(|file| !elsewhere.contains(file) && !nested(file, &directory));
                files.extend(own);
            }
            if !files.is_empty() {
                let rust = if FRONT_ENDS.contains(&name) { without_strings } else { fingerprint };
                found.insert(name.to_owned(), print(&files, rust)?);
            }
        }
        Ok(Self(found))
    }

    /// Parses the text that [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Self {
        text.split(", ").filter_map(|group| group.split_once(' ')).collect()
    }

    /// Lists the parts that this kind of record depends on, and that have changed since it was measured. A
    /// part without a fingerprint in the record counts as changed.
    pub(crate) fn changed(&self, measured: &Self, kind: &str) -> Vec<&'static str> {
        parts(kind).into_iter().filter(|part| !self.is_same(measured, part)).collect()
    }

    /// Whether the record states any part of the tree, as records do since 24 November 2026.
    pub(crate) fn has_parts(&self) -> bool {
        PARTS.iter().any(|(part, _)| self.0.contains_key(*part))
    }

    /// Compares the kernels behind a name, on a tier and for an algorithm if the record has these columns.
    /// Other projects' code always compares equal. A record without algorithms measures whole programs, for
    /// which the kernel of a single algorithm matters little.
    pub fn same(&self, other: &Self, name: &str, tier: &str, algorithm: &str) -> bool {
        let others = !algorithm.replace('-', "").to_ascii_lowercase().ends_with("sha1");
        let ran = ran(name, tier);
        ran.iter()
            .filter(|group| !(others && *group == SHA1_NI))
            .all(|group| self.is_same(other, group))
    }

    /// Compares a group or a part.
    fn is_same(&self, before: &Self, name: &str) -> bool {
        let Some((now, before)) = self.0.get(name).zip(before.0.get(name)) else {
            return false;
        };
        let same = |&(of, current, earlier): &(&str, &str, &[&str])| {
            of == name && current == now && earlier.contains(&&before[..])
        };
        now == before || SAME.iter().any(same)
    }
}

impl FromIterator<(String, String)> for Fingerprints {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(groups: I) -> Self {
        Self(groups.into_iter().collect())
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Fingerprints {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(groups: I) -> Self {
        groups.into_iter().map(|(name, print)| (name.to_owned(), print.to_owned())).collect()
    }
}

impl fmt::Display for Fingerprints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, print)) in self.0.iter().enumerate() {
            write!(f, "{}{name} {print}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// The groups of kernels that run under a name: a kernel's own group, or all groups that a call selects from.
fn ran(name: &str, tier: &str) -> Vec<String> {
    let one = |group: &str| vec![group.to_owned()];
    let chosen = || {
        let stitched = STITCHED.map(|isa| format!("stitched_{isa}"));
        [one("sha_ni"), one(SHA1_NI), stitched.to_vec()].concat()
    };
    match name.rsplit_once('_').unwrap_or((name, "")) {
        ("avx512_vl", _) => one("lanes_avx512"),
        ("sha_ni", "x1") => [one("sha_ni"), one(SHA1_NI)].concat(),
        ("sha_ni" | "sha_ni_vl", _) => one("sha_ni"),
        ("sha512_ni", _) => one("sha512_ni"),
        ("sha_ce" | "sha512_ce", _) => one("sha_ce"),
        ("neon", _) => one("neon"),
        ("bmi2_asm", "x1") => one("scalar_bmi2"),
        // Records of a removed kernel count as changed.
        ("x86_64_asm", "x1") => one("scalar_x86_64"),
        ("portable" | "bmi2", "x1") => one("portable"),
        // Portable lanes are in no group, but in the part.
        ("portable", _) => one("kernel"),
        (isa, "x1") if STITCHED.contains(&isa) => one(&format!("stitched_{isa}")),
        (isa, count) if LANES.contains(&isa) && count.ends_with(|c: char| c.is_ascii_digit()) => {
            one(&format!("lanes_{isa}"))
        }
        ("lanesum", "hash" | "hmac" | "") => match tier {
            // The default choice for the CPU, which depends on the algorithm.
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

/// Lists the files of code below a directory, sorted by path, without tests. A missing directory has no files.
fn sources(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| named(directory, &error))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path
            .extension()
            .is_some_and(|end| ["py", "rs", "s"].iter().any(|code| end == *code))
            && path.file_stem().is_some_and(|name| name != "tests")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Computes one fingerprint of some files, with this function for Rust and assembly. 32 bits suffice to
/// distinguish the states of a file.
fn print(files: &[PathBuf], rust: fn(u64, &str) -> u64) -> io::Result<String> {
    let mut hash = FNV;
    for file in files {
        let text = fs::read_to_string(file).map_err(|error| named(file, &error))?;
        let is_python = file.extension().is_some_and(|end| end == "py");
        hash = if is_python { python(hash, &text) } else { rust(hash, &text) };
    }
    Ok(format!("{:08x}", (hash >> 32) as u32 ^ hash as u32))
}

/// The offset basis of 64-bit FNV-1a.
pub(crate) const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a 64-bit FNV-1a hash.
pub(crate) fn fnv(hash: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Hashes a source in Python without whole-line comments and docstrings. Indentation is code there, and `//` is
/// an operator.
fn python(hash: u64, text: &str) -> u64 {
    const QUOTES: &str = "\"\"\"";
    let mut in_docstring = false;
    let is_code = |line: &&str| {
        let (line, begun) = (line.trim_start(), in_docstring);
        let begins = !begun && line.starts_with(QUOTES);
        let ends = line.matches(QUOTES).count() > usize::from(begins);
        in_docstring = (begins || begun) && !ends;
        !begins && !begun && !line.is_empty() && !line.starts_with('#')
    };
    text.lines().filter(is_code).fold(hash, |hash, line| fnv(hash, line.bytes().chain([b'\n'])))
}

/// Hashes a source in Rust like [`fingerprint`], and without the contents of its string literals.
fn without_strings(hash: u64, text: &str) -> u64 {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['"', '/', '\'']) {
        code += &rest[..at];
        rest = &rest[at..];
        let raw = code.len() - code.trim_end_matches('#').len();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with('"') && code[..code.len() - raw].ends_with('r') {
            let end = format!("\"{}", "#".repeat(raw));
            rest[1..].find(&end).map_or(rest.len(), |at| at + 2)
        } else if rest.starts_with('"') {
            end_of_string(rest)
        } else {
            // A character that would begin a string or an escape; any other one may be a lifetime.
            let quoted =
                ["'\"'", "'\\''", "'\\\\'", "'/'"].into_iter().find(|c| rest.starts_with(c));
            code += quoted.unwrap_or(&rest[..1]);
            quoted.map_or(1, str::len)
        };
        rest = &rest[length..];
    }
    fingerprint(hash, &(code + rest))
}

/// Returns the length of the string literal that `text` begins with.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |at| at + 2)
}

/// Hashes a source in Rust or assembly, without comments, tests and white space. The project's name until
/// November 2026 is replaced by the current one.
fn fingerprint(mut hash: u64, text: &str) -> u64 {
    let mut lines = text.lines().filter(|line| !line.starts_with("# ")).peekable();
    while let Some(line) = lines.next() {
        let begins_tests = |next: &&str| next.starts_with("mod ") && next.ends_with('{');
        if line == "#[cfg(test)]" && lines.peek().is_some_and(begins_tests) {
            break;
        }
        let code = line.split("//").next().unwrap_or_default().replace("heddle", "lanesum");
        hash = fnv(hash, code.bytes().filter(|byte| !byte.is_ascii_whitespace()));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Fingerprints {
        Fingerprints::of(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))).unwrap()
    }

    #[test]
    fn fingerprints_are_read_as_they_were_written() {
        assert_eq!(Fingerprints::parse(&tree().to_string()), tree());
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
        // A kernel that only one algorithm runs.
        older = tree.clone();
        older.0.remove(SHA1_NI);
        assert!(!tree.same(&older, "sha_ni_x1", "", "sha1"));
        assert!(!tree.same(&older, "lanesum_hash", "", "sha1"));
        assert!(!tree.same(&older, "lanesum_hash", "", "HMAC-SHA-1"));
        assert!(tree.same(&older, "sha_ni_x1", "", "sha256"));
        assert!(tree.same(&older, "lanesum", "", ""));
        assert!(tree.same(&older, "sha_ni_x2", "", "sha1"));
        // Source that has changed without changing the machine code.
        let [(group, _, before), ..] = SAME;
        older.0.insert(group.into(), before[0].into());
        for (group, now, _) in SAME {
            assert_eq!(tree.0[group], now, "`SAME` is of the sources as they are: {group}");
        }
        assert!(tree.same(&older, "avx2_2x8", "", ""));
        assert!(!older.same(&tree, "avx2_2x8", "", ""), "only one direction was compared");
        assert!(tree.same(&older, "openssl", "avx2", ""));
        let (part, _, before) = SAME.into_iter().find(|(name, ..)| *name == "files").unwrap();
        older.0.insert(part.into(), before[0].into());
        assert!(tree.changed(&older, "jobs").is_empty());
        assert_eq!(older.changed(&tree, "jobs"), [part], "only one direction was compared");
        // A record without fingerprints.
        assert!(!tree.same(&Fingerprints::default(), "sha_ni_x1", "sha_ni", ""));
        assert!(tree.same(&Fingerprints::default(), "openssl", "sha_ni", ""));
    }

    #[test]
    fn every_call_of_the_engine_has_groups_of_files() {
        let groups = groups();
        for call in ["lanesum", "lanesum_hash", "lanesum_hmac", "lanesum_hmac_many"] {
            let ran = ran(call, "");
            assert!(!ran.is_empty(), "{call}");
            assert!(ran.iter().all(|name| groups.iter().any(|group| group.0 == *name)), "{call}");
        }
    }

    #[test]
    fn comments_and_space_are_no_part_of_a_kernel() {
        let same = |x, y| fingerprint(FNV, x) == fingerprint(FNV, y);
        assert!(same("add eax, 1 // heddle\n", "# by hand\n  add eax,1"));
        assert!(same("fn f() {}\n#[cfg(test)]\nmod tests {\n}\n", "fn f() {}\n"));
        assert!(!same("#[cfg(test)]\nmod tests;\nfn f() {}", "#[cfg(test)]\nmod tests;\n"));
        assert!(!same("add eax, 1", "add eax, 2"));
    }

    #[test]
    fn messages_are_no_part_of_a_front_end_and_the_code_around_them_is() {
        let same = |x, y| without_strings(FNV, x) == without_strings(FNV, y);
        assert!(same(r#"f("a \" b", c)"#, r#"f("d // \\", c)"#));
        assert!(same("f(\"a\nb\"); // \"g\n", "f(\"c\");\n// h"));
        assert!(same(r###"f(r#"a "quoted" b"#, r"c\")"###, r###"f(r#"d"#, r"e")"###));
        assert!(!same(r#"f("a", b)"#, r#"f("a", c)"#));
        assert!(!same(r#"f('"', b, "c")"#, r#"f('"', d, "c")"#));
        assert!(!same(r#"f('\'', b, "c")"#, r#"f('\'', d, "c")"#));
        assert!(!same(r#"f::<'a>(b, "c")"#, r#"f::<'a>(d, "c")"#));
        assert!(!same("a / b", "a / c"));
    }

    #[test]
    fn floor_division_and_indentation_are_code_in_python() {
        let same = |x, y| python(FNV, x) == python(FNV, y);
        assert!(same("# halves\n\na = b // 2\n", "a = b // 2"));
        assert!(!same("a = b // 2", "a = b // 3"));
        assert!(!same("if a:\n    b()\n    c()", "if a:\n    b()\nc()"));
        assert!(same("\"\"\"A.\"\"\"\na = 1", "\"\"\"B.\n\nC.\n\"\"\"\na = 1"));
        assert!(!same("\"\"\"A.\"\"\"\na = 1", "\"\"\"A.\"\"\"\na = 2"));
        assert!(!same("a = \"\"\"b\"\"\"", "a = \"\"\"c\"\"\""));
    }

    #[test]
    fn a_change_makes_stale_the_kinds_that_depend_on_it_and_no_other() {
        let tree = tree();
        assert!(tree.has_parts() && !Fingerprints::parse("sha_ni 1234abcd").has_parts());
        let changed = |part: &str, kind: &str| {
            let mut measured = tree.clone();
            measured.0.insert(part.into(), "00000000".into());
            tree.changed(&measured, kind)
        };
        assert_eq!(changed("choose", "batch"), ["choose"]);
        assert_eq!(changed("keyed", "kernels"), ["keyed"]);
        assert_eq!(changed("files", "jobs"), ["files"]);
        assert_eq!(changed("python", "python"), ["python"]);
        assert_eq!(changed("graph", "sweep"), ["graph"]);
        assert!(changed("cli", "batch").is_empty() && changed("engine", "latencies").is_empty());
        for (part, _) in PARTS {
            assert!(tree.0.contains_key(part), "{part}");
            assert_eq!(changed(part, "of a kind that is not known"), [part]);
        }
        assert_eq!(tree.changed(&Fingerprints::default(), "tiers").len(), 4);
    }

    #[test]
    fn every_source_belongs_to_one_part() {
        let root = std::env::temp_dir().join(format!("lanesum-parts-{}", std::process::id()));
        let files = [
            ("engine/src/lib.rs", "engine"),
            (FIGURES, ""),
            ("engine/src/run/new.rs", "engine"),
            ("engine/src/choose/deep/new.rs", "choose"),
            ("engine/src/kernel/new.rs", "kernel"),
            ("engine/src/kernel/portable.rs", "portable"),
            ("door/src/lib.rs", "ffi md"),
            ("python/python/lanesum/new.py", "python"),
        ];
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        files.iter().for_each(|(file, _)| write(file, "first"));
        for (file, parts) in files {
            let before = Fingerprints::of(&root).unwrap();
            write(file, "second");
            let after = Fingerprints::of(&root).unwrap();
            let changed = after.0.iter().filter(|(name, print)| before.0[*name] != **print);
            let changed: Vec<&str> = changed.map(|(name, _)| &name[..]).collect();
            assert_eq!(changed.join(" "), parts, "{file}");
        }
        let before = Fingerprints::of(&root).unwrap();
        for file in ["engine/src/run/tests.rs", "engine/src/notes.md"] {
            write(file, "new");
        }
        write("engine/src/lib.rs", "second // a comment");
        assert_eq!(Fingerprints::of(&root).unwrap(), before);
        fs::remove_dir_all(root).unwrap();
    }
}
