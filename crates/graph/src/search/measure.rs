//! What an order costs on the machine at hand: kernels are assembled by the system's
//! C compiler and timed in a child process.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Cost;
use crate::emit::kernel::Kernel;
use crate::emit::order::Times;

const HARNESS: &str = include_str!("timing.c");

/// How often each kernel is timed; a quarter of the timings stay below what counts.
const ROUNDS: usize = 40;

/// The machine at hand.
#[derive(Debug)]
pub struct Machine {
    folder: PathBuf,
}

/// The machine at hand cannot be asked.
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

impl Machine {
    /// Kernels are put into `folder`, which is made.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn new(folder: &Path) -> Result<Self, MeasureError> {
        let wrong = |source| MeasureError {
            what: format!("cannot make {}", folder.display()),
            source: Some(source),
        };
        fs::create_dir_all(folder).map_err(wrong)?;
        Ok(Self { folder: folder.to_owned() })
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

/// A kernel's text as a function of the C ABI, under another name.
fn function(kernel: &Kernel, times: &Times, name: &str) -> String {
    let own = format!(".L{}_", kernel.target.name());
    let text = kernel.listing(times).to_string().replace(&own, &format!(".L{name}_"));
    format!(".p2align 6\n.type {name}, @function\n{name}:\n{text}")
}

impl Cost for Machine {
    type Error = MeasureError;

    fn cost(&mut self, kernel: &Kernel, candidates: &[Times]) -> Result<Vec<f64>, MeasureError> {
        let mut text = String::from(".intel_syntax noprefix\n.text\n");
        let names: Vec<String> = (0..candidates.len()).map(|i| format!("kernel_{i}")).collect();
        for (times, name) in candidates.iter().zip(&names) {
            text += &function(kernel, times, name);
        }
        text += ".section .data.rel.ro, \"aw\"\n.p2align 3\n.globl kernels\nkernels:\n";
        names.iter().for_each(|name| text += &format!(".quad {name}\n"));
        text += &format!(
            ".globl kernel_count\nkernel_count: .long {}\n.globl block_len\nblock_len: .long {}\n\
             .section .note.GNU-stack, \"\", @progbits\n",
            candidates.len(),
            kernel.target.block_len(),
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
            self.run(Path::new("cc"), &["-O2", &rounds, "-c", &from, "-o", &text(&harness)])?;
        }
        let (kernels, program) = (text(&path("kernels.s")), path("timing"));
        self.run(Path::new("cc"), &["-o", &text(&program), &kernels, &text(&harness)])?;
        let printed = self.run(&program, &[])?;
        let cycles: Vec<f64> = printed.lines().filter_map(|line| line.parse().ok()).collect();
        if cycles.len() == candidates.len() {
            return Ok(cycles);
        }
        Err(MeasureError { what: "a kernel did not come back".to_owned(), source: None })
    }
}
