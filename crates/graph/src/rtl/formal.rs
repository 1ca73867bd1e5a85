//! Proofs of a printed core, for `SymbiYosys`: that its registers, if they hold what
//! they should, do so a clock later.
//!
//! The induction is cut in three, so that no solver has to see two orders of a sum as
//! bits. `control`, by k-induction: the handshakes, the counter and the constants of
//! every clock. `step`: the registers replaced by what they hold in words of a model,
//! what they take next is the same of the model after n rounds, for every clock with
//! other constants, for a load and for the value. `row`: a carry-save row keeps a sum,
//! which is all that `step` knows of one. The rounds of the model are written here as
//! FIPS 180-4 has them, not read off the graph that the core is made of.

mod control;
mod fips;
mod step;

use crate::rtl::text::top;
use crate::rtl::verilog::has_rows;
use crate::rtl::{Core, Language};

/// The files of `formal/`; none for a pipeline, whose proof is the normal form, and none
/// but for SystemVerilog, from which VHDL differs only in how one netlist is printed.
pub(crate) fn files(core: &Core, language: Language) -> Vec<(String, String)> {
    let (Some(ledger), Language::Sv) = (&core.ledger, language) else { return Vec::new() };
    let top = top(core);
    let mut files = vec![
        (format!("formal/{top}.sby"), script(core)),
        (format!("formal/{top}_control.sv"), control::text(core, ledger)),
        (format!("formal/{top}_step.sv"), step::text(core, ledger)),
    ];
    if has_rows(core) {
        files.push((format!("formal/{top}_row_formal.sv"), row(core)));
    }
    files
}

fn script(core: &Core) -> String {
    let top = top(core);
    let rows = has_rows(core);
    let depth = core.latency + 4;
    let task = if rows { "row\n" } else { "" };
    let mut text = format!(
        "# sby -f {top}.sby: the core does FIPS 180-4's rounds, whatever is done at its ports.\n\
         [tasks]\ncontrol ports\ncover ports\nstep\n{task}\n[options]\n\
         control: mode prove\ncontrol: depth 3\ncover: mode cover\ncover: depth {depth}\n\
         step: mode bmc\nstep: depth 1\n"
    );
    if rows {
        text += "row: mode bmc\nrow: depth 1\n";
    }
    text += "\n[engines]\nsmtbmc yices\n\n[script]\n";
    if rows {
        text += &format!(
            "row: read_verilog -formal -sv {top}_row.sv {top}_row_formal.sv\n\
             row: prep -flatten -top {top}_row_formal\n\
             ports: read_verilog -sv {top}_row.sv\n\
             # What is proven of a row is all that the step knows of it.\n\
             step: read_verilog -formal -sv -D ANY_ROW {top}_row_formal.sv\n"
        );
    }
    for (task, first) in [("ports", "expose"), ("step", "expose -evert-dff -sep _")] {
        let what = if task == "ports" { format!(" {top}/w:*_q") } else { format!(" {top}") };
        let module = if task == "ports" { "control" } else { "step" };
        for line in [
            format!("read_verilog -sv {top}.sv {top}_add.sv"),
            format!("hierarchy -top {top}"),
            "proc -norom".to_owned(),
            "opt_clean".to_owned(),
            format!("{first}{what}"),
            format!("read_verilog -formal -sv {top}_{module}.sv"),
            format!("hierarchy -check -top {top}_{module}"),
            "proc -norom".to_owned(),
            format!("prep -flatten -top {top}_{module}"),
        ] {
            text += &format!("{task}: {line}\n");
        }
    }
    text += &format!("\n[files]\n../{top}.sv\n../{top}_add.sv\n{top}_control.sv\n{top}_step.sv\n");
    if rows {
        text += &format!("../{top}_row.sv\n{top}_row_formal.sv\n");
    }
    text
}

/// A carry-save row, of which no more is known than its sum, and the proof that the
/// row of the core is such a one.
fn row(core: &Core) -> String {
    let top = top(core);
    let high = core.options.algorithm.family().word_bits() - 1;
    format!(
        "`ifdef ANY_ROW\n\
         // Any two words whose sum is that of the three.\n\
         module {top}_row (\n  input  [{high}:0] a_i,\n  input  [{high}:0] b_i,\n  \
         input  [{high}:0] c_i,\n  output [{high}:0] save_o,\n  output [{high}:0] carry_o\n);\n  \
         (* anyseq *) wire [{high}:0] any;\n  assign save_o = any;\n  \
         assign carry_o = a_i + b_i + c_i - any;\nendmodule\n`else\n\
         module {top}_row_formal (\n  input [{high}:0] a_i,\n  input [{high}:0] b_i,\n  \
         input [{high}:0] c_i\n);\n  wire [{high}:0] save, carry;\n  \
         {top}_row dut (.a_i(a_i), .b_i(b_i), .c_i(c_i), .save_o(save), .carry_o(carry));\n  \
         always @* assert (save + carry == a_i + b_i + c_i);\nendmodule\n`endif\n"
    )
}
