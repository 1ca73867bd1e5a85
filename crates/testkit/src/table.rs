//! The names of all checks that a run can skip.

use std::fmt;

/// The kind of a skipped check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A kernel in the engine's table.
    Kernel,
    /// An external program that tests run.
    Tool,
    /// An architecture.
    Platform,
    /// A test.
    Test,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Kernel, Self::Tool, Self::Platform, Self::Test];

    /// Whether the name is known.
    pub(crate) fn has(self, name: &str) -> bool {
        self.names().contains(&name)
    }

    fn names(self) -> Vec<&'static str> {
        match self {
            Self::Kernel => {
                PLATFORMS.iter().flat_map(|platform| platform.kernels).copied().collect()
            }
            Self::Tool => TOOLS.to_vec(),
            Self::Platform => PLATFORMS.iter().map(|platform| platform.name).collect(),
            Self::Test => {
                let elsewhere = ELSEWHERE.iter().map(|(name, _)| *name);
                elsewhere.chain(TESTS).collect()
            }
        }
    }

    /// Whether a word of `LANESUM_REQUIRE` requires the check called `name`: by its name, or by the
    /// tier that prefixes a kernel's name.
    pub(crate) fn is_asked_for(self, word: &str, name: &str) -> bool {
        let of_tier = || name.strip_prefix(word).is_some_and(|rest| rest.starts_with('_'));
        word == name || self == Self::Kernel && TIERS.contains(&word) && of_tier()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kernel => "kernel",
            Self::Tool => "tool",
            Self::Platform => "platform",
            Self::Test => "test",
        })
    }
}

/// The engine's tiers. A test of the engine compares them with its table.
pub const TIERS: [&str; 12] = [
    "portable",
    "sse2",
    "ssse3",
    "avx",
    "bmi2",
    "avx2",
    "avx512",
    "sha_ni",
    "sha512_ni",
    "neon",
    "sha_ce",
    "sha512_ce",
];

/// An architecture with its kernels from the engine's table.
#[derive(Debug)]
pub struct Platform {
    /// The name, as in target triples.
    pub name: &'static str,
    /// The kernels, in any order. A test of the engine compares them with its table.
    pub kernels: &'static [&'static str],
}

/// The architectures that tests run on.
pub const PLATFORMS: [Platform; 4] = [
    Platform {
        name: "x86_64",
        kernels: &[
            "avx512_2x16",
            "avx512_2x8",
            "avx512_x16",
            "avx512_x8",
            "avx512_vl_x8",
            "avx512_vl_x4",
            "avx512_x1",
            "avx2_2x8",
            "avx2_x8",
            "avx2_2x4",
            "avx2_x4",
            "avx2_x1",
            "avx_x1",
            "ssse3_x1",
            "sse2_x4",
            "sse2_x2",
            "sse2_x1",
            "sha_ni_vl_x4",
            "sha_ni_vl_x2",
            "sha_ni_vl_x1",
            "sha_ni_x4",
            "sha_ni_x2",
            "sha_ni_x1",
            "sha512_ni_x1",
            "bmi2_asm_x1",
            "bmi2_x1",
            "portable_x1",
        ],
    },
    Platform {
        name: "i686",
        kernels: &[
            "avx2_2x8",
            "avx2_x8",
            "avx2_2x4",
            "avx2_x4",
            "sse2_x4",
            "sse2_x2",
            "sha_ni_x4",
            "sha_ni_x2",
            "sha_ni_x1",
            "sha512_ni_x1",
            "bmi2_x1",
            "portable_x1",
        ],
    },
    Platform {
        name: "aarch64",
        kernels: &["neon_x4", "neon_x2", "sha_ce_x2", "sha_ce_x1", "sha512_ce_x1", "portable_x1"],
    },
    Platform { name: "s390x", kernels: &["portable_x4", "portable_x2", "portable_x1"] },
];

/// Programs that `cargo test` can do without, or whose version limits the comparisons.
const TOOLS: [&str; 9] = [
    "cc",
    "coreutils-9.10",
    "fsverity",
    "gdb",
    "llvm-mca-19",
    "mktorrent",
    "nm",
    "objdump",
    "veritysetup",
];

/// Tests with requirements that a machine may not meet.
const TESTS: [&str; 12] = [
    "a_full_disk",
    "batches_on_another_core",
    "freestanding",
    "object_code",
    "proofs",
    "rivals",
    "a_kernel_that_the_cpu_lacks",
    "evp_test_of_peers",
    "forms_of_instructions",
    "pkcs11test",
    "set_user_id",
    "valgrind_of_avx512",
];

/// Tests that are too slow for `make test`, and the command that runs each. A test of `xtask` compares it with the
/// table of tasks.
pub const ELSEWHERE: [(&str, &str); 22] = [
    ("checks", "cargo xtask test-checks"),
    ("newcomers", "cargo xtask newcomers"),
    ("slow", "cargo xtask test-slow"),
    ("rustdoc", "cargo xtask rustdoc"),
    ("aside_all", "cargo xtask aside-all"),
    ("book", "cargo xtask book-test"),
    ("dist", "cargo xtask dist-test"),
    ("git_objects", "cargo xtask git-objects"),
    ("go", "cargo xtask go-test"),
    ("hardware", "cargo xtask rtl-test"),
    ("linux_module", "cargo xtask kmod-test"),
    ("long", "cargo xtask test-long"),
    ("memory", "cargo xtask memory"),
    ("messages_over_4_gib", "cargo xtask test-huge"),
    ("sanitize", "cargo xtask sanitize"),
    ("suites", "cargo xtask suites"),
    ("miri", "cargo xtask miri"),
    ("python", "cargo xtask python"),
    ("manifests", "cargo xtask manifests"),
    ("python_engines", "cargo xtask python-engines"),
    ("python_sanitize", "cargo xtask python-sanitize"),
    ("fuzz", "cargo xtask fuzz"),
];

/// Returns the platform that this program is compiled for; an unknown one has only the portable
/// kernels.
pub fn here() -> &'static Platform {
    static OTHER: Platform = Platform { name: "other", kernels: PLATFORMS[3].kernels };
    let name = match std::env::consts::ARCH {
        "x86" => "i686",
        name => name,
    };
    platform(name).unwrap_or(&OTHER)
}

/// Returns the platform with this name.
pub fn platform(name: &str) -> Option<&'static Platform> {
    PLATFORMS.iter().find(|platform| platform.name == name)
}

/// An unknown word in `LANESUM_REQUIRE`.
#[derive(Debug)]
pub struct Unknown(String);

impl std::error::Error for Unknown {}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has the unknown name '{}'; the names are", crate::REQUIRE, self.0)?;
        write!(f, "\n  tier: {}", TIERS.join(", "))?;
        for kind in Kind::ALL {
            let mut names = kind.names();
            names.sort_unstable();
            names.dedup();
            write!(f, "\n  {kind}: {}", names.join(", "))?;
        }
        Ok(())
    }
}

/// Splits the words of `LANESUM_REQUIRE`. Fails if one is unknown.
pub fn required(words: &str) -> Result<Vec<&str>, Unknown> {
    let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    let known = |word| TIERS.contains(&word) || Kind::ALL.iter().any(|kind| kind.has(word));
    words.map(|word| if known(word) { Ok(word) } else { Err(Unknown(word.to_owned())) }).collect()
}
