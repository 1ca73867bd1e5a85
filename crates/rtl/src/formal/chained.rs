//! Assertions on the handshakes, the counter and the constants of a core that stores the chaining
//! value.

use super::control::{constants, exposed};
use crate::Core;
use crate::control::Ledger;
use crate::text::top;

pub(super) fn text(core: &Core, ledger: &Ledger) -> String {
    let top = top(core);
    let family = core.options.algorithm.family();
    let words = family.state_words() as u32;
    let (block, state) = (16 * family.word_bits() - 1, words * family.word_bits() - 1);
    let clocks = ledger.clocks;
    let last = clocks - 1;
    let (wires, ports) = exposed(core);
    let constants = constants(core, ledger, "at");
    format!(
        "// What {top} does at its ports, and the counter and constants of every clock: by\n\
         // k-induction. `expose` makes ports of the registers.\n\
         module {top}_control (\n  input clk_i,\n  input rst_ni,\n  input block_valid_i,\n  \
         input chain_i,\n  input [{block}:0] block_i,\n  input [{state}:0] state_i,\n  \
         input state_ready_i\n);\n{wires}  \
         wire block_ready_o, state_valid_o;\n  wire [{state}:0] state_o;\n  \
         {top} dut (\n    .clk_i(clk_i), .rst_ni(rst_ni), .block_valid_i(block_valid_i),\n    \
         .block_ready_o(block_ready_o), .block_i(block_i), .state_i(state_i), .chain_i(chain_i),\n    \
         .state_valid_o(state_valid_o), .state_ready_i(state_ready_i), .state_o(state_o){ports}\n  );\n\n  \
         wire take = block_valid_i & block_ready_o;\n  wire give = state_valid_o & state_ready_i;\n  \
         reg busy = 1'b0;   // a block is in the core\n  \
         reg due = 1'b0;    // a value is valid: not taken, and no block continues from it\n  \
         reg kept = 1'b0;   // it was valid a clock ago\n  \
         reg [{state}:0] shown;\n  reg [7:0] now;     // clocks since the block was taken\n  \
         wire last = busy & now == 8'd{last};\n  wire ends = busy & now == 8'd{clocks};\n  \
         wire [7:0] at = now == 8'd{clocks} ? 8'd0 : now;  // of the counter\n  \
         initial assume (!rst_ni);\n  \
         always @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) begin\n      busy <= 1'b0;\n      \
         due <= 1'b0;\n      kept <= 1'b0;\n    end else begin\n      \
         busy <= take | (busy & !ends);\n      due <= ends | (due & !give & !take);\n      \
         kept <= due & !give & !take;\n    end\n  \
         always @(posedge clk_i) begin\n    shown <= state_o;\n    now <= take ? 8'd0 : now + 8'd1;\n  end\n\n  \
         // Reset drops block and value. A block during another waits; one that continues\n  \
         // from it is taken a clock before it ends, and one that finds nothing in the core is\n  \
         // taken unless a value is still wanted. A value stays until it is taken, or given up.\n  \
         always @(posedge clk_i)\n    if (!rst_ni) assert (!state_valid_o);\n    else begin\n      \
         if (busy) assert (block_ready_o == (last & chain_i));\n      \
         else assert (block_ready_o == (!due | state_ready_i | chain_i));\n      \
         assert (state_valid_o == due);\n      if (busy) assert (!due);\n      \
         if (kept) assert (state_o == shown);\n      cover (give);\n      \
         cover (take & last);\n    end\n\n  \
         // The counter and the constants.\n  \
         always @(posedge clk_i) if (rst_ni) begin\n    assert (idle_q == !busy);\n    \
         assert (last_q == last);\n    assert (turn_q == (busy & at == 8'd0));\n    \
         assert (begins_q == (busy & now == 8'd0));\n    assert (held_q == due);\n    \
         if (busy) assert (now <= 8'd{clocks} && count_q == at);\n    \
         else assert (count_q == {last});\n{constants}  end\nendmodule\n"
    )
}
