//! The files of a core in a directory: at its top what is synthesized, the
//! testbench in `tb/`, the proofs in `formal/`.

use crate::rtl::text::top;
use crate::rtl::{Core, Language, bench, formal, verilog, vhdl};

/// Every file: its path in the directory, and its text.
pub fn files(core: &Core, language: Language) -> Vec<(String, String)> {
    let top = top(core);
    let (vectors, count) = bench::vectors(core);
    let mut files = match language {
        Language::Sv => verilog::files(core),
        Language::Vhdl => vhdl::files(core),
    };
    match language {
        Language::Sv => files.push((format!("tb/{top}_tb.sv"), bench::verilog(core, count))),
        Language::Vhdl => files.push((format!("tb/{top}_tb.vhd"), vhdl::bench(core, count))),
    }
    files.extend(formal::files(core, language));
    files.push(("tb/vectors.hex".to_owned(), vectors));
    files
}
