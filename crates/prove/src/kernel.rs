//! The engine's kernels, and their paths in its source.

use std::fmt;

use lanesum_spec::Family;

/// A function of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The kernel's name.
    pub name: &'static str,
    /// The number of messages that it processes in parallel.
    pub lanes: usize,
    /// The compression function.
    pub family: Family,
    /// The function's purpose.
    pub task: Task,
}

/// The purpose of a kernel's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Compresses blocks.
    Compress,
    /// Compresses the remaining bytes of messages and their padding.
    Finish,
    /// Writes the chaining values as digests.
    Write,
    /// Repeats HMAC and XORs the digests: the loop of PBKDF2.
    Iterate,
    /// Writes the digests of messages of one block.
    DigestBlocks,
    /// Compresses blocks and writes a trace of each, for the search for collision attacks on SHA-1.
    Traced,
    /// Reports which disturbance vectors a block may belong to.
    Screen,
    /// Evaluates all conditions of the reported vectors.
    Read,
    /// Checks whether reported blocks belong to one.
    Apart,
}

impl Task {
    /// The name of functions for it.
    fn name(self) -> &'static str {
        match self {
            Self::Compress => "compress",
            Self::Finish => "finish",
            Self::Write => "write",
            Self::Iterate => "iterate",
            Self::DigestBlocks => "digest_blocks",
            Self::Traced => "traced",
            Self::Screen => "screen",
            Self::Read => "read",
            Self::Apart => "apart",
        }
    }
}

/// The module path of kernels.
pub(super) const ENGINE: &str = "lanesum::kernel::";

/// A kernel with proofs: its name, its number of lanes, its compression functions, and the source
/// path of its functions, where `*` is the name of the compression function.
type KernelLine = (&'static str, usize, &'static [Family], &'static str);

macro_rules! of_32_bits {
    (W32 { $($name:ident: $module:ident::$family:ident,)* } W64 $_64:tt) => {
        &[$(Family::$family),*]
    };
}
/// The families with 32-bit words.
const OF_32_BITS: &[Family] = lanesum_spec::each_family!(of_32_bits);

/// All kernels with proofs.
const KERNELS: &[KernelLine] = {
    use Family::{Md5, Sha1, Sha256, Sha512};
    &[
        ("sse2_x4", 4, OF_32_BITS, "x86::sse2::sse2_x4::*::compress"),
        ("sse2_x2", 2, &[Sha512], "x86::sse2::sse2_x2::*::compress"),
        ("avx2_x8", 8, OF_32_BITS, "x86::avx2::avx2_x8::*::compress"),
        ("avx2_2x8", 16, &[Sha1, Md5], "x86::avx2::avx2_2x8::*::compress"),
        ("avx2_x4", 4, &[Sha512], "x86::avx2::avx2_x4::*::compress"),
        ("avx2_2x4", 8, &[Sha512], "x86::avx2::avx2_2x4::*::compress"),
        ("avx512_x16", 16, OF_32_BITS, "x86::avx512::avx512_x16::*::compress"),
        ("avx512_2x16", 32, &[Sha1, Sha256, Md5], "x86::avx512::avx512_2x16::*::compress"),
        ("avx512_x8", 8, &[Sha512], "x86::avx512::avx512_x8::*::compress"),
        ("avx512_vl_x8", 8, &[Sha1, Sha256], "x86::avx512vl::avx512_vl_x8::*::compress"),
        ("avx512_vl_x4", 4, &[Sha512], "x86::avx512vl::avx512_vl_x4::*::compress"),
        ("avx512_2x8", 16, &[Sha512], "x86::avx512::avx512_2x8::*::compress"),
        // One function per number of lanes, all with the same name.
        ("sha_ni_vl_x1", 1, &[Sha1], "x86::sha_ni::vl::*"),
        ("sha_ni_vl_x2", 2, &[Sha1], "x86::sha_ni::vl::*"),
        ("sha_ni_vl_x4", 4, &[Sha1], "x86::sha_ni::vl::*"),
        ("sha_ni_x1", 1, &[Sha1, Sha256], "x86::sha_ni::*"),
        ("sha_ni_x2", 2, &[Sha1, Sha256], "x86::sha_ni::*"),
        ("sha_ni_x4", 4, &[Sha1], "x86::sha_ni::*"),
        ("sha512_ni_x1", 1, &[Sha512], "x86::sha512_ni::instructions::*"),
        ("sse2_x1", 1, &[Sha1, Sha256, Sha512], "x86::stitched::sse2_x1::*"),
        ("ssse3_x1", 1, &[Sha1, Sha256, Sha512], "x86::stitched::ssse3_x1::*"),
        ("avx_x1", 1, &[Sha1, Sha256, Sha512], "x86::stitched::avx_x1::*"),
        ("avx2_x1", 1, &[Sha1, Sha256, Sha512], "x86::stitched::avx2_x1::*"),
        ("avx512_x1", 1, &[Sha1, Sha256, Sha512], "x86::stitched::avx512_x1::*"),
        ("bmi2_asm_x1", 1, &[Sha1, Sha256, Sha512], "x86::scalar::bmi2_asm_x1::*::compress"),
        ("bmi2_x1", 1, &[Sha1, Sha256, Sha512], "x86::bmi2_x1::*::compress"),
        ("portable_x1", 1, &Family::ALL, "portable::portable_x1::*::compress"),
    ]
};

impl Shipped {
    /// Every function in a library for x86-64.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::of_bits(64)
    }

    /// Every function in a library with addresses of `bits` bits.
    pub fn of_bits(bits: usize) -> impl Iterator<Item = Self> {
        let is_there = move |line: &&KernelLine| match line.0 {
            "bmi2_asm_x1" => bits == 64,
            name if name.starts_with("avx512_") || name.contains("_vl_") => bits == 64,
            _ => bits == 64 || !line.3.contains("stitched"),
        };
        let of = move |task| {
            KERNELS.iter().filter(is_there).flat_map(move |&(name, lanes, families, _)| {
                families.iter().map(move |&family| Self { name, lanes, family, task })
            })
        };
        // Generic code writes the other kernels' digests.
        let writes = |kernel: &Self| {
            kernel.is_masked()
                || kernel.has_sha() && kernel.lanes > 1 && !kernel.name.contains("_vl_")
        };
        let iterates = |kernel: &Self| kernel.has_its_own_loop();
        let digests_blocks = |kernel: &Self| match kernel.family {
            Family::Sha256 => kernel.is_masked() || kernel.has_sha() && kernel.lanes <= 2,
            Family::Sha512 => kernel.is_masked(),
            _ => false,
        };
        let traces =
            |kernel: &Self| kernel.has_sha() && kernel.lanes == 1 && kernel.family == Family::Sha1;
        let reports = |kernel: &Self| {
            const NAMES: [&str; 6] =
                ["sse2_x4", "avx2_x8", "avx512_x16", "avx512_vl_x8", "bmi2_x1", "portable_x1"];
            NAMES.contains(&kernel.name) && kernel.family == Family::Sha1
        };
        of(Task::Compress)
            .chain(of(Task::Finish))
            .chain(of(Task::Write).filter(writes))
            .chain(of(Task::Iterate).filter(iterates))
            .chain(of(Task::DigestBlocks).filter(digests_blocks))
            .chain(of(Task::Traced).filter(traces))
            .chain([Self { name: "portable_x1", lanes: 1, family: Family::Sha1, task: Task::Read }])
            .chain([Task::Screen, Task::Apart].into_iter().flat_map(of).filter(reports))
            .filter(move |kernel| !kernel.is_left_out(bits))
    }

    /// Whether the kernel loads and stores lanes under masks.
    pub(super) fn is_masked(&self) -> bool {
        self.name.starts_with("avx512_") && self.lanes > 1
    }

    /// Whether the kernel uses the SHA-1 and SHA-256 instructions.
    pub(super) fn has_sha(&self) -> bool {
        self.name.starts_with("sha_ni_")
    }

    /// Whether `finish` pads a copy of each message's end.
    pub(super) fn copies(&self) -> bool {
        self.task == Task::Finish && !self.is_masked() && !self.has_sha()
    }

    /// Whether there is no proof of the function in code with addresses of `bits` bits: a `finish` that pads
    /// copies in several lanes, and parts of the detection of collisions.
    pub(super) fn is_left_out(&self, bits: usize) -> bool {
        match self.task {
            Task::Traced | Task::Screen | Task::Read | Task::Apart => bits != 64,
            _ => self.copies() && self.lanes > 1,
        }
    }

    /// Whether the function evaluates conditions of collision attacks.
    pub(super) fn screens(&self) -> bool {
        matches!(self.task, Task::Screen | Task::Read)
    }

    /// Whether the kernel has its own loop of PBKDF2. Emitted kernels and those with SHA512
    /// instructions share another kernel's.
    fn has_its_own_loop(&self) -> bool {
        let path = KERNELS.iter().find(|line| line.0 == self.name).map_or("", |line| line.3);
        !["scalar", "sha512_ni"].iter().any(|of| path.contains(of))
    }

    /// The function's path in the source.
    pub fn path(self) -> String {
        let path = KERNELS.iter().find(|line| line.0 == self.name).map_or("", |line| line.3);
        let path = match self.task {
            // No kernel has its own.
            Task::Read => return "lanesum_spec::sha1dc::read".into(),
            Task::Compress => path.to_owned(),
            // Such kernels share a function that does not require their features.
            Task::Finish if path.ends_with('*') => {
                format!("{}_finish", path.replace("instructions::", ""))
            }
            Task::Finish => path.replace("compress", "finish"),
            // It uses no other instructions with AVX-512VL.
            Task::Write if path.ends_with('*') => format!("{}_write", path.replace("vl::", "")),
            Task::Write => path.replace("compress", "write"),
            Task::Iterate if path.ends_with('*') => format!("{path}_iterate"),
            Task::Iterate => path.replace("compress", "iterate"),
            Task::DigestBlocks if path.ends_with('*') => format!("{path}_digest_blocks"),
            Task::DigestBlocks => path.replace("compress", "digest_blocks"),
            Task::Traced => format!("{path}_traced"),
            Task::Screen | Task::Apart => {
                // The portable kernel's.
                let own = !path.ends_with('*');
                let path = if own { path } else { "portable::portable_x1::*::compress" };
                path.replace("compress", self.task.name())
            }
        };
        format!("{ENGINE}{}", path.replace('*', self.family.name()))
    }
}

/// Formats the names of the kernel and the compression function, such as `avx2_x8/sha256`, followed
/// by the task unless it is `Compress`.
impl fmt::Display for Shipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = match self.task {
            Task::Compress => String::new(),
            task => format!("/{}", task.name()),
        };
        write!(f, "{}/{}{task}", self.name, self.family.name())
    }
}
