//! A testbench for a printed core, and the blocks it sends: the examples of FIPS
//! 180-4 and messages of many lengths, with stalls of both sides, and a reset in
//! the middle of a block.

use heddle_spec::Algorithm;

use crate::rtl::Core;
use crate::rtl::text::top;
use crate::trace::blocks;

/// The messages whose blocks are sent: NIST's examples first.
fn messages(algorithm: Algorithm) -> Vec<Vec<u8>> {
    let mut messages: Vec<Vec<u8>> = vec![
        b"abc".to_vec(),
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_vec(),
        b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno\
          ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
            .to_vec(),
    ];
    let block = algorithm.block_len();
    for len in [0, 1, block - 9, block - 1, block, block + 1, 20 * block + 7] {
        messages.push((0..len).map(|i| (i % 251) as u8).collect());
    }
    messages
}

/// Lines of hexadecimal digits: a chaining value, a block, and the value after it.
pub(crate) fn vectors(core: &Core) -> (String, usize) {
    let algorithm = core.options.algorithm;
    let family = algorithm.family();
    let digits = family.word_bits() as usize / 4;
    let words = family.state_words();
    let (mut text, mut count) = (String::new(), 0);
    for message in messages(algorithm) {
        let mut state = algorithm.iv();
        for block in blocks(family, &message) {
            let bytes: Vec<u8> =
                block.iter().flat_map(|w| w.to_be_bytes()[8 - digits / 2..].to_vec()).collect();
            let before = state;
            heddle_spec::compress(family, &mut state, &bytes);
            // Word 0 is in the low bits, so the last word is written first.
            let hex = |ws: &[u64]| -> String {
                ws.iter().rev().map(|w| format!("{w:0digits$x}")).collect()
            };
            let line = hex(&state[..words]) + &hex(&block) + &hex(&before[..words]);
            text += &(line + "\n");
            count += 1;
        }
    }
    (text, count)
}

/// The testbench in SystemVerilog; it reads `vectors.hex` where it runs.
pub(crate) fn verilog(core: &Core, count: usize) -> String {
    let family = core.options.algorithm.family();
    let block = 16 * family.word_bits();
    let state = family.state_words() as u32 * family.word_bits();
    let top = top(core);
    let pipeline = core.options.stages > 1;
    let waits = core.buffer > 0;
    let mut ports = String::new();
    if waits {
        ports += ".state_ready_i(state_ready), ";
    }
    if pipeline {
        ports += ".id_i(sent[7:0]), .id_o(id), ";
    }
    let id = if pipeline {
        format!(
            "        if (gave && id !== received[7:0]) $fatal(1, \"{top}: block %0d has id %0d\", received, id);\n"
        )
    } else {
        String::new()
    };
    let id_wire = if pipeline { "  wire [7:0] id;\n" } else { "" };
    let chain = core.options.chain;
    if chain {
        ports += ".chain_i(chain), ";
    }
    let [wires, drive, state_in, due, kept, count_up] = if chain { CHAIN } else { NO_CHAIN };
    let ready = if waits {
        "state_ready = $urandom_range(3) >= stalls;"
    } else {
        "state_ready = 1'b1; // no value of this core waits"
    };
    let text = TEMPLATE;
    let text = text
        .replace("@COUNT@", &count.to_string())
        .replace("@STATE@", &state.to_string())
        .replace("@BLOCK@", &block.to_string())
        .replace("@PORTS@", &ports)
        .replace("@IDWIRE@", id_wire)
        .replace("@WIRES@", wires)
        .replace("@DRIVE@", drive)
        .replace("@STATE_IN@", state_in)
        .replace("@DUE@", due)
        .replace("@KEPT@", kept)
        .replace("@COUNT_UP@", count_up)
        .replace("@ID@", &id)
        .replace("@READY@", ready);
    text.replace("@TOP@", &top)
}

/// What differs where blocks go on from one another: declarations; what is driven; the
/// chaining value; the block whose value is due; that it is still held; and what was given.
const NO_CHAIN: [&str; 6] = [
    "",
    "",
    "now[0+:State]",
    "vectors[received < Count ? received : 0]",
    "",
    "        if (took) sent = sent + 1;
        if (gave) received = received + 1;
",
];

/// A block goes on from the one before it if that is of its message and was not reset away,
/// now and then not even so; a value is then given up.
const CHAIN: [&str; 6] = [
    "  logic chain = 1'b0;
  logic linked = 1'b0;
  wire [2*State+Block-1:0] last = vectors[sent > 0 ? sent - 1 : 0];
",
    "        if (!rst_n) linked = 1'b0;
        chain = linked && sent > 0 && last[State+Block+:State] === now[0+:State] &&
                $urandom_range(7) != 0;
",
    "chain ? ~now[0+:State] : now[0+:State]",
    "last",
    " && !took",
    "        if (gave) received = sent;
        if (took) begin
          sent = sent + 1;
          linked = 1'b1;
        end
",
];

const TEMPLATE: &str = "\
// Sends the blocks of vectors.hex through @TOP@ and checks every value, with
// stalls of both sides: none, a few, many. Half-way the core is reset in the
// middle of a block; what it had not given is sent again.
`timescale 1ns / 1ps
module @TOP@_tb;
  localparam int Count = @COUNT@;
  localparam int State = @STATE@;
  localparam int Block = @BLOCK@;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic block_valid = 1'b0;
  logic state_ready = 1'b0;
  wire block_ready, state_valid;
  wire [State-1:0] state;
  logic [State-1:0] kept;
  logic is_kept = 1'b0;
@IDWIRE@  logic [2*State+Block-1:0] vectors[Count];
  int unsigned sent = 0;
  int unsigned received = 0;
  int unsigned stalls = 0;
  int unsigned clocks = 0;
  int unsigned since = 0;
  logic was_reset = 1'b0;
  logic took, gave;
  wire [2*State+Block-1:0] now = vectors[sent < Count ? sent : 0];
@WIRES@  wire [2*State+Block-1:0] due = @DUE@;

  @TOP@ dut (
      .clk_i(clk), .rst_ni(rst_n), @PORTS@
      .block_valid_i(block_valid), .block_ready_o(block_ready),
      .block_i(now[State+:Block]), .state_i(@STATE_IN@),
      .state_valid_o(state_valid), .state_o(state));

  // One process, so that nothing races: inputs change while the clock is low, and
  // outputs are looked at before it rises.
  initial begin
    $readmemh(\"vectors.hex\", vectors);
    for (stalls = 0; stalls < 3; stalls = stalls + 1) begin
      sent = 0;
      received = 0;
      since = 0;
      was_reset = 1'b0;
      while (received < Count) begin
        #1;
        // In the middle of a block, half-way.
        since = sent >= Count / 2 && sent > received ? since + 1 : 0;
        rst_n = clocks >= 3 && (was_reset || since != 5);
        if (!rst_n) begin
          sent = received;
          is_kept = 1'b0;
          was_reset = clocks >= 3;
        end
        block_valid = rst_n && sent < Count && $urandom_range(3) >= stalls;
        @READY@
@DRIVE@        #4;
        took = rst_n && block_valid && block_ready;
        gave = rst_n && state_valid && state_ready;
        if (!rst_n && state_valid) $fatal(1, \"@TOP@: a value in reset\");
        if (is_kept && (!state_valid || state !== kept)) $fatal(1, \"@TOP@: a value was not held\");
        if (rst_n && state_valid && received >= sent) $fatal(1, \"@TOP@: a value without a block\");
        if (gave && state !== due[State+Block+:State])
          $fatal(1, \"@TOP@: block %0d: %h, not %h\", received, state, due[State+Block+:State]);
@ID@        is_kept = rst_n && state_valid && !state_ready@KEPT@;
        kept = state;
        clk = 1'b1;
        #5;
        clk = 1'b0;
        clocks = clocks + 1;
@COUNT_UP@        if (clocks > 1000000) $fatal(1, \"@TOP@: no progress\");
      end
      if (!was_reset) $fatal(1, \"@TOP@: not reset in the middle of a block\");
    end
    $display(\"@TOP@: %0d blocks three times, %0d clocks\", Count, clocks);
    $finish;
  end
endmodule
";
