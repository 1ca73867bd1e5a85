//! Assertions on the handshakes, the counter, and registers that depend only on the cycle.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::Core;
use crate::control::Ledger;
use crate::text::top;

pub(super) fn text(core: &Core, ledger: &Ledger) -> String {
    let top = top(core);
    let family = core.options.algorithm.family();
    let words = family.state_words();
    let (block, state) = (16 * family.word_bits() - 1, words as u32 * family.word_bits() - 1);
    let clocks = ledger.clocks;
    let (wires, ports) = exposed(core);
    let mut out = format!(
        "// What {top} does at its ports, and the counter and constants of every clock: by\n\
         // k-induction. `expose` makes ports of the registers.\n\
         module {top}_control (\n  input clk_i,\n  input rst_ni,\n  input block_valid_i,\n  \
         input [{block}:0] block_i,\n  input [{state}:0] state_i,\n  input state_ready_i\n);\n{wires}"
    );
    let outs: Vec<String> = (0..words).rev().map(|i| format!("out{i}_q")).collect();
    let _ = write!(
        out,
        "  wire block_ready_o, state_valid_o;\n  wire [{state}:0] state_o;\n  \
         {top} dut (\n    .clk_i(clk_i), .rst_ni(rst_ni), .block_valid_i(block_valid_i),\n    \
         .block_ready_o(block_ready_o), .block_i(block_i), .state_i(state_i),\n    \
         .state_valid_o(state_valid_o), .state_ready_i(state_ready_i), .state_o(state_o){ports}\n  );\n\n  \
         wire take = block_valid_i & block_ready_o;\n  wire give = state_valid_o & state_ready_i;\n  \
         reg busy = 1'b0;  // a block is in the core\n  \
         reg owed = 1'b0;  // a block was taken, and its value not given\n  \
         reg kept = 1'b0;  // a value was shown, and not taken\n  \
         reg [{state}:0] shown;\n  reg [7:0] now;    // clocks since the block was loaded\n  \
         wire last = busy & now == 8'd{clocks};\n  initial assume (!rst_ni);\n  \
         always @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) begin\n      busy <= 1'b0;\n      \
         owed <= 1'b0;\n      kept <= 1'b0;\n    end else begin\n      \
         busy <= take | (busy & !last);\n      owed <= take | (owed & !give);\n      \
         kept <= state_valid_o & !state_ready_i;\n    end\n  \
         always @(posedge clk_i) begin\n    shown <= state_o;\n    now <= take ? 8'd0 : now + 8'd1;\n  end\n\n  \
         // Reset drops what there is. A block in the middle of another waits; with nothing in\n  \
         // the core it does not. A value comes after its block, and stays until it is taken.\n  \
         always @(posedge clk_i)\n    if (!rst_ni) assert (!state_valid_o);\n    else begin\n      \
         if (busy && !last) assert (!block_ready_o);\n      if (!owed) assert (block_ready_o);\n      \
         if (state_valid_o) assert (owed && (!busy || last));\n      \
         if (kept) assert (state_valid_o && state_o == shown);\n      cover (give);\n    end\n\n  \
         // The counter and the constants.\n  \
         always @(posedge clk_i) if (rst_ni) begin\n    assert (busy_q == busy);\n    \
         assert (finish_q == last);\n    assert (owed == (busy | held_q));\n    \
         assert (!(busy & held_q));\n    if (busy) assert (now <= 8'd{clocks} && count_q == now);\n    \
         if (held_q) assert (state_o == {{{}}});\n",
        outs.join(", ")
    );
    out += &constants(core, ledger, "now");
    out + "  end\nendmodule\n"
}

/// Wires for the registers, and connections for the ports that `expose` creates.
pub(super) fn exposed(core: &Core) -> (String, String) {
    let (mut wires, mut ports) = (String::new(), String::new());
    for register in &core.netlist.registers {
        let of = core.netlist.width(register.signal);
        let of = if of == 1 { String::new() } else { format!("[{}:0] ", of - 1) };
        let _ = writeln!(wires, "  wire {of}{}_q;", register.name);
        let _ = write!(ports, ",\n    .{0}_q({0}_q)", register.name);
    }
    (wires, ports)
}

/// Assertions on registers with a fixed value in each cycle `now` of a block.
pub(super) fn constants(core: &Core, ledger: &Ledger, now: &str) -> String {
    let mut out = String::new();
    for (name, values) in &ledger.sequences {
        let register = core.netlist.registers.iter().find(|r| r.name == *name);
        let Some(register) = register else { continue };
        let width = core.netlist.width(register.signal);
        let each: Vec<(usize, String)> =
            values.iter().map(|k| format!("{width}'h{k:x}")).enumerate().collect();
        for (clocks, value) in ranges(&each) {
            let (low, high) = (clocks.start(), clocks.end());
            let from = if *low == 0 { String::new() } else { format!("{now} >= 8'd{low} && ") };
            let _ = writeln!(
                out,
                "    if (busy && {from}{now} <= 8'd{high}) assert ({name}_q == {value});"
            );
        }
    }
    out
}

/// Groups consecutive cycles in which a register has the same value.
fn ranges(each: &[(usize, String)]) -> Vec<(RangeInclusive<usize>, String)> {
    let mut found: Vec<(RangeInclusive<usize>, String)> = Vec::new();
    for (now, text) in each {
        match found.last_mut() {
            Some((range, same)) if same == text && range.end() + 1 == *now => {
                *range = *range.start()..=*now;
            }
            _ => found.push((*now..=*now, text.clone())),
        }
    }
    found
}
