//! Proofs of a printed core for `SymbiYosys`, by induction: if the registers are correct in one cycle,
//! they are correct in the next.
//!
//! `<core>.sby` proves the handshakes, the counter and the constants of every cycle, and that the
//! registers are cleared and hold still without a block.
//!
//! `<core>_step.sby` proves the words. It is split into tasks, so that no solver has to compare two
//! orders of a sum bit by bit:
//!
//! - `step` replaces each register by its expected value in terms of a reference model, and proves
//!   that its next value equals the model's after n rounds: for every cycle with different
//!   constants, for a load, and for the value.
//! - `row` proves that a carry-save row preserves the sum, the only fact that `step` knows about
//!   it.
//! - `low`, for cores that store a word as a pair, proves that the row that outputs pairs also
//!   preserves the sum; `step` cuts this row out. It also proves that ROTL^5 of a word follows from
//!   its pair's shifted words and its late bits.
//!
//! The model's rounds are written from FIPS 180-4, independent of the graph that the core is built
//! from.

mod control;
mod fips;
mod step;

use crate::netlist::LATE;
use crate::text::top;
use crate::verilog::{has_low, has_rows};
use crate::{Core, Language};

/// The files of `formal/`. Pipelines need none, because the normal form proves them. VHDL needs
/// none, because it is another printout of the same netlist. A core that stores the chaining value
/// has no step: its registers mix words of two blocks, and the normal form of both blocks proves
/// them.
pub(crate) fn files(core: &Core, language: Language) -> Vec<(String, String)> {
    let (Some(ledger), Language::Sv) = (&core.ledger, language) else { return Vec::new() };
    let top = top(core);
    let mut files = vec![
        (format!("formal/{top}.sby"), ports_script(core)),
        (format!("formal/{top}_control.sv"), control::text(core, ledger)),
    ];
    if core.options.stores_chain() {
        return files;
    }
    files.push((format!("formal/{top}_step.sby"), step_script(core)));
    files.push((format!("formal/{top}_step.sv"), step::text(core, ledger)));
    if has_rows(core) {
        files.push((format!("formal/{top}_row_formal.sv"), carry_save_row(core)));
    }
    if has_low(core) {
        files.push((format!("formal/{top}_low_formal.sv"), low_adder_row(core)));
    }
    files
}

/// The kinds of rows in a core.
fn kinds(core: &Core) -> Vec<&'static str> {
    let all = [(has_rows(core), "row"), (has_low(core), "low")];
    all.into_iter().filter(|kind| kind.0).map(|kind| kind.1).collect()
}

/// The script of the proof of the ports.
fn ports_script(core: &Core) -> String {
    let top = top(core);
    let blocks = if core.options.stores_chain() { 2 } else { 1 };
    let mut text = format!(
        "# sby -f {top}.sby: handshakes, counter, constants, and the clearing of\n\
         # registers, for all inputs, by k-induction.\n\
         [tasks]\ncontrol\ncover\n\n[options]\ncontrol: mode prove\ncontrol: depth 3\n\
         cover: mode cover\ncover: depth {}\n\n[engines]\nsmtbmc yices\n\n[script]\n",
        blocks * core.latency + 4
    );
    let mut files = format!("\n[files]\n../{top}.sv\n../{top}_add.sv\n{top}_control.sv\n");
    for kind in kinds(core) {
        text += &format!("read_verilog -sv {top}_{kind}.sv\n");
        files += &format!("../{top}_{kind}.sv\n");
    }
    let mut expose = vec!["opt_clean".to_owned(), format!("expose {top}/w:*_q")];
    if core.netlist.enable.is_some() {
        expose.push(format!("expose {top}/w:enable"));
    }
    text += &gate(core, "", &mut files);
    text + &lines(&top, "", &expose, "control") + &files
}

/// The script of the proof of the words.
fn step_script(core: &Core) -> String {
    let top = top(core);
    let kinds = kinds(core);
    let mut text = format!(
        "# sby -f {top}_step.sby: in every clock of a block the core does the rounds of FIPS 180-4.\n\
         [tasks]\nstep\n{}\n[options]\nmode bmc\ndepth 1\n\n[engines]\nsmtbmc yices\n\n[script]\n",
        kinds.iter().map(|kind| format!("{kind}\n")).collect::<String>()
    );
    for kind in &kinds {
        text += &format!(
            "{kind}: read_verilog -formal -sv {top}_{kind}.sv {top}_{kind}_formal.sv\n\
             {kind}: prep -flatten -top {top}_{kind}_formal\n"
        );
    }
    if has_rows(core) {
        text += &format!(
            "# What is proven of a row is all that the step knows of it.\n\
             step: read_verilog -formal -sv -D ANY_ROW {top}_row_formal.sv\n"
        );
    }
    let mut expose = vec![
        // `expose` makes ports of only one name of a register.
        format!("delete {top}/w:block_ready_o {top}/w:state_valid_o"),
        "opt_clean".to_owned(),
        format!("expose -evert-dff -sep _ {top}"),
    ];
    if has_low(core) {
        text += &format!("step: read_verilog -sv {top}_low.sv\n");
        expose.push(format!("expose -evert -sep _ {top}/t:{top}_low"));
    }
    let mut files = format!("\n[files]\n../{top}.sv\n../{top}_add.sv\n{top}_step.sv\n");
    text += &gate(core, "step: ", &mut files);
    text += &lines(&top, "step: ", &expose, "step");
    text += &files;
    for kind in &kinds {
        text += &format!("../{top}_{kind}.sv\n{top}_{kind}_formal.sv\n");
    }
    text
}

/// The script line that reads an open clock gate, if there is one, and adds its file.
fn gate(core: &Core, task: &str, files: &mut String) -> String {
    if core.netlist.enable.is_none() {
        return String::new();
    }
    let top = top(core);
    *files += &format!("../{top}_gate.sv\n");
    format!("{task}read_verilog -formal -sv {top}_gate.sv\n")
}

/// Script lines: read the core, expose its registers, read the module with the assertions.
fn lines(top: &str, task: &str, expose: &[String], module: &str) -> String {
    let begin = [
        format!("read_verilog -sv {top}.sv {top}_add.sv"),
        format!("hierarchy -top {top}"),
        "proc -norom".to_owned(),
    ];
    let end = [
        format!("read_verilog -formal -sv {top}_{module}.sv"),
        format!("hierarchy -check -top {top}_{module}"),
        "proc -norom".to_owned(),
        format!("prep -flatten -top {top}_{module}"),
    ];
    let all = begin.iter().chain(expose).chain(&end);
    all.map(|line| format!("{task}{line}\n")).collect()
}

/// An abstract carry-save row with the same sum and, if the core uses pairs, with zero low carry
/// bits whenever two operands have zero low bits; and the proof that the core's row satisfies this.
fn carry_save_row(core: &Core) -> String {
    let top = top(core);
    let high = core.options.algorithm.family().word_bits() - 1;
    let last = LATE - 1;
    let (mut carry, mut claim) = ("any".to_owned(), String::new());
    if has_low(core) {
        let none = format!("~|{{a_i[{last}:0], b_i[{last}:0]}}");
        carry = format!("{none} ? {{any[{high}:{LATE}], {LATE}'d0}} : any");
        claim = format!("  always @* if ({none}) assert (carry[{last}:0] == {LATE}'d0);\n");
    }
    format!(
        "`ifdef ANY_ROW\n\
         // Any two words whose sum is that of the three.\n\
         module {top}_row (\n  input  [{high}:0] a_i,\n  input  [{high}:0] b_i,\n  \
         input  [{high}:0] c_i,\n  output [{high}:0] save_o,\n  output [{high}:0] carry_o\n);\n  \
         (* anyseq *) wire [{high}:0] any;\n  assign carry_o = {carry};\n  \
         assign save_o = a_i + b_i + c_i - carry_o;\nendmodule\n`else\n\
         module {top}_row_formal (\n  input [{high}:0] a_i,\n  input [{high}:0] b_i,\n  \
         input [{high}:0] c_i\n);\n  wire [{high}:0] save, carry;\n  \
         {top}_row dut (.a_i(a_i), .b_i(b_i), .c_i(c_i), .save_o(save), .carry_o(carry));\n  \
         always @* assert (save + carry == a_i + b_i + c_i);\n{claim}endmodule\n`endif\n"
    )
}

/// The proof of the row that outputs pairs; the step cuts this row out.
fn low_adder_row(core: &Core) -> String {
    let top = top(core);
    let (high, last) = (core.options.algorithm.family().word_bits() - 1, LATE - 1);
    format!(
        "// What makes a pair keeps the sum, and leaves room for {LATE} bits in the second word,\n\
         // where its own second word leaves it. The step claims that it does. And words that\n\
         // are shifted by {LATE} add up to what is rotated, with the late bits.\n\
         module {top}_low_formal (\n  input [{high}:0] a_i,\n  input [{high}:0] b_i,\n  \
         input [{high}:0] c_i\n);\n  wire [{high}:0] save, carry;\n  \
         {top}_low dut (.a_i(a_i), .b_i(b_i), .c_i(c_i), .save_o(save), .carry_o(carry));\n\
         {rotated}  wire [{high}:0] sum = a_i + c_i;\n  \
         always @* begin\n    assert (rotl_5(a_i, c_i) == {{sum[{low}:0], sum[{high}:{late}]}});\n    \
         assume (b_i[{last}:0] == {LATE}'d0);\n    \
         assert (save + carry == a_i + b_i + c_i);\n    \
         assert (carry[{last}:0] == {LATE}'d0);\n  end\nendmodule\n",
        rotated = fips::rotated_pair(),
        low = high - LATE,
        late = high - last,
    )
}
