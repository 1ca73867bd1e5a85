//! The cost of an order on this machine: the system's C compiler assembles kernels, and a
//! child process times them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{OrderCost, compiler};
use crate::emit::Target;
use crate::emit::order::{Orderable, Times};

const HARNESS: &str = include_str!("timing.c");

/// The number of timings of each kernel. The result is their lower quartile.
const ROUNDS: usize = 40;

/// This machine.
#[derive(Debug)]
pub struct Stopwatch {
    folder: PathBuf,
    signature: KernelSignature,
    /// The object file that is linked with the kernels.
    objects: Vec<String>,
}

/// The arguments of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelSignature {
    /// Chaining value, words, number of blocks, table ([`Kernel`](crate::emit::Kernel)).
    Message,
    /// Chaining values, distance of their words, messages, number of blocks
    /// ([`LaneKernel`](crate::emit::LaneKernel)).
    Lanes,
}

impl KernelSignature {
    /// The blocks of a call: few enough for the messages of sixteen lanes to stay in the first cache.
    fn blocks(self) -> usize {
        match self {
            Self::Message => 32,
            Self::Lanes => 12,
        }
    }
}

/// This machine cannot measure kernels.
#[derive(Debug)]
pub struct MeasureError {
    what: String,
    source: Option<io::Error>,
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for MeasureError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|e| e as _)
    }
}

impl Stopwatch {
    /// Creates a stopwatch for kernels with these arguments, with its files in `folder`, which is created.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written.
    pub fn new(folder: &Path, signature: KernelSignature) -> Result<Self, MeasureError> {
        let wrong = |source| MeasureError {
            what: format!("cannot make {}", folder.display()),
            source: Some(source),
        };
        fs::create_dir_all(folder).map_err(wrong)?;
        Ok(Self { folder: folder.to_owned(), signature, objects: Vec::new() })
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Result<String, MeasureError> {
        let wrong = |source| MeasureError {
            what: format!("cannot run {}", program.display()),
            source: Some(source),
        };
        let output = Command::new(program).args(arguments).output().map_err(wrong)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let what = format!("{} failed ({}): {said}", program.display(), output.status);
        Err(MeasureError { what, source: None })
    }
}

/// A function to time.
#[derive(Clone, Debug)]
pub struct TimedText {
    /// Its lines of assembly, with local or unique labels.
    pub text: String,
    /// The data of its fourth argument.
    pub table: Vec<u8>,
}

impl TimedText {
    /// A kernel with an order, and with labels marked by a unique number.
    pub fn of(kernel: &impl Orderable, times: &Times, number: usize) -> Self {
        let own = format!(".L{}_", kernel.name());
        let text = kernel.listing(times).to_string().replace(&own, &format!(".L{number}_"));
        Self { text, table: Vec::new() }
    }
}

impl<K: Orderable> OrderCost<K> for Stopwatch {
    type Error = MeasureError;

    fn cost(&mut self, kernel: &K, candidates: &[Times]) -> Result<Vec<f64>, MeasureError> {
        let texts: Vec<TimedText> = candidates
            .iter()
            .enumerate()
            .map(|(number, times)| TimedText::of(kernel, times, number))
            .collect();
        self.time(&texts, self.signature.blocks())
    }
}

impl Stopwatch {
    /// The code of the system's compiler for the target's rounds, for comparison with kernels.
    ///
    /// # Errors
    ///
    /// If it cannot be compiled.
    pub fn compiled(&mut self, target: Target) -> Result<TimedText, MeasureError> {
        let name = format!("compiled_{}", target.name());
        let (source, object) =
            (self.folder.join(format!("{name}.c")), self.folder.join(format!("{name}.o")));
        fs::write(&source, compiler::source(target, &name)).map_err(|e| MeasureError {
            what: format!("cannot write {}", source.display()),
            source: Some(e),
        })?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (source, object) = (text(&source), text(&object));
        let mut arguments = compiler::flags(target).to_vec();
        arguments.extend(["-c", &source, "-o", &object]);
        self.run(Path::new("cc"), &arguments)?;
        self.objects.push(object);
        // One more jump per call.
        Ok(TimedText { text: format!("    jmp {name}\n"), table: Vec::new() })
    }

    /// Cycles per block of each function, in alternating calls with `blocks` blocks.
    ///
    /// # Errors
    ///
    /// If they cannot be assembled or run.
    pub fn time(&mut self, texts: &[TimedText], blocks: usize) -> Result<Vec<f64>, MeasureError> {
        let mut text = String::from(".intel_syntax noprefix\n.text\n");
        for (i, function) in texts.iter().enumerate() {
            let name = format!("kernel_{i}");
            text += &format!(".p2align 6\n.type {name}, @function\n{name}:\n{}", function.text);
        }
        text += ".section .rodata\n";
        for (i, function) in texts.iter().enumerate() {
            text += &format!(".p2align 6\ntable_{i}:\n");
            function.table.iter().for_each(|byte| text += &format!(".byte {byte}\n"));
        }
        text += ".section .data.rel.ro, \"aw\"\n.p2align 3\n";
        for list in ["kernel", "table"] {
            text += &format!(".globl {list}s\n{list}s:\n");
            (0..texts.len()).for_each(|i| text += &format!(".quad {list}_{i}\n"));
        }
        text += &format!(
            ".globl kernel_count\nkernel_count: .long {}\n.globl block_count\nblock_count: .long {blocks}\n\
             .section .note.GNU-stack, \"\", @progbits\n",
            texts.len(),
        );
        let path = |name: &str| self.folder.join(name);
        let write = |name: &str, text: &str| {
            fs::write(path(name), text).map_err(|source| MeasureError {
                what: format!("cannot write {}", path(name).display()),
                source: Some(source),
            })
        };
        write("kernels.s", &text)?;
        let harness = path("timing.o");
        let text = |path: &Path| path.to_string_lossy().into_owned();
        if !harness.exists() {
            write("timing.c", HARNESS)?;
            let rounds = format!("-DROUNDS={ROUNDS}");
            let from = text(&path("timing.c"));
            let signature = match self.signature {
                KernelSignature::Message => "-DMESSAGE",
                KernelSignature::Lanes => "-DLANES",
            };
            let (object, flags) = (text(&harness), ["-O2", signature, &rounds]);
            self.run(Path::new("cc"), &[&flags[..], &["-c", &from, "-o", &object]].concat())?;
        }
        let (kernels, program) = (text(&path("kernels.s")), path("timing"));
        let (out, harness) = (text(&program), text(&harness));
        let mut arguments = vec!["-o", &out, &kernels, &harness];
        arguments.extend(self.objects.iter().map(String::as_str));
        self.run(Path::new("cc"), &arguments)?;
        let printed = self.run(&program, &[])?;
        let cycles: Vec<f64> = printed.lines().filter_map(|line| line.parse().ok()).collect();
        if cycles.len() == texts.len() {
            return Ok(cycles);
        }
        Err(MeasureError { what: "a kernel did not come back".to_owned(), source: None })
    }
}
