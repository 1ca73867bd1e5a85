//! Compares the kernels of this process that are assembly with the proven ones.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use lanesum::unstable::{Assembly, assembly};
use lanesum::{Algorithm, Engine, Policy, hash};

use crate::message::print_message;
use crate::{CommandResult, Reported, Verdict, print};

/// The proven functions. A line has the length and the SHA-256 of the machine code, both of the table, and the path.
const PROVEN: &str = include_str!("proven.txt");

/// A proven function.
struct Proven {
    code: Part,
    table: Part,
}

/// The machine code or the table of a proven function.
struct Part {
    len: usize,
    sha256: &'static str,
}

impl Proven {
    fn find(function: &str) -> Option<Self> {
        PROVEN.lines().map(|line| line.split(' ').collect::<Vec<_>>()).find_map(|words| {
            let [code, of_code, table, of_table, name] = words[..] else { return None };
            let part = |len: &str, sha256| Some(Part { len: len.parse().ok()?, sha256 });
            let is_it = name == function;
            is_it.then_some(Self { code: part(code, of_code)?, table: part(table, of_table)? })
        })
    }

    /// Compares a function's code and table with the proven ones.
    fn compare(&self, engine: &Engine, code: &[u8], table: &[u8]) -> Finding {
        let digest = hash(engine, code).to_string();
        let is_code = code.len() == self.code.len && digest == self.code.sha256;
        let is_table =
            table.len() == self.table.len && hash(engine, table).to_string() == self.table.sha256;
        let part = if is_code && !is_table { "; its table differs" } else { "" };
        Finding {
            is_proven: is_code && is_table,
            why: format!("{:>5} bytes, SHA-256 {digest}{part}", code.len()),
        }
    }
}

/// The result for a function.
struct Finding {
    is_proven: bool,
    why: String,
}

/// Opens the memory of this process.
fn memory() -> io::Result<File> {
    File::open("/proc/self/mem")
}

fn check(engine: &Engine, memory: &File, one: &Assembly) -> io::Result<Finding> {
    let Some(proven) = Proven::find(one.function) else {
        return Ok(Finding { is_proven: false, why: "no such function is proven".into() });
    };
    // Not through the pointers: if a function is shorter than the proven one, the memory after it may be unmapped.
    let read = |at: *const (), len| {
        let mut bytes = vec![0; len];
        memory.read_exact_at(&mut bytes, at.addr() as u64).map(|()| bytes)
    };
    let code = read(one.code, proven.code.len)?;
    let table = one.table.map_or(Ok(Vec::new()), |at| read(at, proven.table.len))?;
    Ok(proven.compare(engine, &code, &table))
}

/// Splits the path of a function into its kernel and its compression function.
fn names(function: &str) -> (&str, &str) {
    let mut words = function.rsplit("::").filter(|word| !["text", "compress"].contains(word));
    let compression = words.next().unwrap_or_default();
    (words.next().unwrap_or_default(), compression)
}

/// A kernel that is not assembly, and so is not itself compared.
fn engine() -> Result<Engine, lanesum::PolicyError> {
    Policy::parse("portable_x1")?.engine(Algorithm::SHA256)
}

fn findings() -> Result<Vec<(&'static Assembly, Finding)>, String> {
    if assembly().is_empty() {
        return Err("this build has no kernels that are assembly: --proof requires x86-64".into());
    }
    let engine = engine().map_err(|error| error.to_string())?;
    let memory = memory();
    let all = memory.and_then(|memory| {
        assembly().iter().map(|one| Ok((one, check(&engine, &memory, one)?))).collect()
    });
    all.map_err(|error| format!("cannot read /proc/self/mem: {error}"))
}

pub(super) fn run() -> CommandResult {
    let findings = findings().map_err(|message| {
        print_message(message);
        Reported::Failed
    })?;
    let (mut text, mut count) = (String::new(), 0);
    for (one, Finding { is_proven, why }) in &findings {
        let (kernel, compression) = names(one.function);
        let verdict = if *is_proven { "proven" } else { "not proven" };
        let _ = writeln!(text, "{kernel:<12} {compression:<7} {verdict:<10} {why}");
        count += usize::from(*is_proven);
    }
    let all = findings.len();
    let _ = writeln!(
        text,
        "\n{count} of {all} functions are the proven ones, byte for byte. Compiled code is not compared:\n\
         the other kernels, and functions that pad, iterate and write digests."
    );
    print(text.as_bytes())?;
    Ok(Verdict::of(count == all))
}

#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_is_not_proven() {
        let (engine, memory) = (engine().unwrap(), memory().unwrap());
        for one in assembly() {
            let proven = Proven::find(one.function).unwrap();
            let read = |at: *const (), len| {
                let mut bytes = vec![0; len];
                memory.read_exact_at(&mut bytes, at.addr() as u64).unwrap();
                bytes
            };
            let code = read(one.code, proven.code.len);
            let table = one.table.map_or(Vec::new(), |at| read(at, proven.table.len));
            assert!(proven.compare(&engine, &code, &table).is_proven, "{}", one.function);
            for at in [0, code.len() / 2, code.len() - 1] {
                let mut changed = code.clone();
                changed[at] ^= 1;
                let found = proven.compare(&engine, &changed, &table);
                assert!(!found.is_proven && !found.why.contains("table"), "{}", one.function);
            }
            let short = &code[..code.len() - 1];
            assert!(!proven.compare(&engine, short, &table).is_proven, "{}", one.function);
            for at in 0..table.len() {
                let mut changed = table.clone();
                changed[at] ^= 1;
                let found = proven.compare(&engine, &code, &changed);
                assert!(!found.is_proven && found.why.contains("table"), "{}", one.function);
            }
        }
        assert!(Proven::find("lanesum::kernel::x86::avx2::avx2_x8::sha3::text").is_none());
    }
}
