//! A testbench for a printed core, and its test vectors: the examples of FIPS 180-4 and messages of
//! many lengths. The testbench stalls both sides, resets the core in the middle of blocks, and clears
//! it with `zeroize_i`.

use lanesum_spec::Algorithm;

use crate::Core;
use crate::text::top;
use lanesum_graph::trace::blocks;

/// The messages whose blocks are sent: first NIST's examples.
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

/// Lines of hexadecimal digits: a chaining value, a block, and the resulting value.
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
            lanesum_spec::compress(family, &mut state, &bytes);
            // The highest bits are written first.
            let hex = |ws: &[u64]| -> String {
                let words = core.options.word_order.arrange(ws.to_vec());
                words.iter().rev().map(|w| format!("{w:0digits$x}")).collect()
            };
            let line = hex(&state[..words]) + &hex(&block) + &hex(&before[..words]);
            text += &(line + "\n");
            count += 1;
        }
    }
    (text, count)
}

/// The number of resets, and the cycles by which every fourth reset comes later than the one
/// before. The latter is 1, so that resets hit every cycle of a block, or more if a block has many
/// cycles.
pub(crate) fn resets(core: &Core) -> (usize, usize) {
    let clocks = core.latency + 3;
    let step = clocks.div_ceil(50);
    (4 * clocks.div_ceil(step), step)
}

/// The testbench in SystemVerilog; it reads `vectors.hex` from the working directory of the
/// simulation.
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
        ports += ".last_i(is_last), ";
    }
    // Back-to-back blocks: each is offered, and its result accepted, without delay.
    let interval = if pipeline {
        String::new()
    } else {
        let due = if chain {
            format!("(open ? {} : {})", core.interval, core.latency + 1)
        } else {
            core.interval.to_string()
        };
        format!(
            "        if (took && linked && stalls == 0 && gap != {due})\n          \
             $fatal(1, \"@TOP@: a block %0d clocks after another\", gap);\n"
        )
    };
    let (resets, step) = resets(core);
    let [wires, state_in, due, dropped, count_up] = if chain { CHAIN } else { NO_CHAIN };
    let ready = if waits {
        "state_ready = $urandom_range(3) >= stalls && !stalled;"
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
        .replace("@STATE_IN@", state_in)
        .replace("@DUE@", due)
        .replace("@DROPPED@", dropped)
        .replace("@COUNT_UP@", count_up)
        .replace("@ID@", &id)
        .replace("@READY@", ready)
        .replace("@INTERVAL@", &interval)
        .replace("@RESETS@", &resets.to_string())
        .replace("@STEP@", &step.to_string());
    text.replace("@TOP@", &top)
}

/// Template fragments that differ for cores without chaining: declarations, the chaining value, the
/// expected result, the effect of a reset, and the update of the counters.
const NO_CHAIN: [&str; 5] = [
    "",
    "now[0+:State]",
    "vectors[received < Count ? received : 0]",
    "",
    "        if (took) sent = sent + 1;
        if (gave) received = received + 1;
",
];

/// Template fragments for cores with chaining. A message continues until its digest or a reset; with
/// stalls, the testbench ends some messages early and begins another with the same chaining value.
const CHAIN: [&str; 5] = [
    "  logic open = 1'b0;        // the next block continues a message
  wire [2*State+Block-1:0] last = vectors[sent > 0 ? sent - 1 : 0];
  wire [2*State+Block-1:0] next = vectors[sent + 1 < Count ? sent + 1 : 0];
  wire is_last = sent + 1 >= Count || next[0+:State] !== now[State+Block+:State] ||
                 (stalls != 0 && sent % 8 == 5);
",
    "open ? ~now[0+:State] : now[0+:State]",
    "last",
    "          open = 1'b0;
",
    "        if (took && !open && received < sent && !gave) $fatal(1, \"@TOP@: a value was lost\");
        if (gave) received = sent;
        if (took) begin
          open = !is_last;
          sent = sent + 1;
        end
",
];

const TEMPLATE: &str = "\
// Sends the blocks of vectors.hex, which is read where this runs, through @TOP@ and
// checks every value, with stalls of both sides: none, a few, many, and once for 10,000
// clocks. The core is reset repeatedly, a growing number of clocks after the previous
// reset, with and without a clock edge and a block at the same time, and by zeroize_i;
// blocks without a value are sent again.
`timescale 1ns / 1ps
module @TOP@_tb;
  localparam int Count = @COUNT@;
  localparam int State = @STATE@;
  localparam int Block = @BLOCK@;
  localparam int Resets = @RESETS@;
  localparam int Step = @STEP@;
  localparam int Pause = 10000;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic zeroize = 1'b0;
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
  int unsigned resets = 0;
  int unsigned since = 0;   // clocks since the reset
  int unsigned gap = 0;     // clocks since a block was taken
  logic linked = 1'b0;      // one was, since the reset
  int unsigned pause = 0;   // clocks of the long stall
  logic hit, took, gave, stalled;
  wire [2*State+Block-1:0] now = vectors[sent < Count ? sent : 0];
@WIRES@  wire [2*State+Block-1:0] due = @DUE@;

  @TOP@ dut (
      .clk_i(clk), .rst_ni(rst_n), .zeroize_i(zeroize), @PORTS@
      .block_valid_i(block_valid), .block_ready_o(block_ready),
      .block_i(now[State+:Block]), .state_i(@STATE_IN@),
      .state_valid_o(state_valid), .state_o(state));

  // One process, so that nothing races: inputs change while the clock is low, and
  // outputs are looked at before it rises.
  initial begin
    $readmemh(\"vectors.hex\", vectors, 0, Count - 1);
    for (int i = 0; i < Count; i = i + 1)
      if (^vectors[i] === 1'bx) $fatal(1, \"@TOP@: vectors.hex is missing or short; run this in tb/\");
    for (stalls = 0; stalls < 3; stalls = stalls + 1) begin
      sent = 0;
      received = 0;
      resets = 0;
      since = 0;
      while (received < Count) begin
        #1;
        stalled = stalls == 2 && received >= Count / 2 && pause < Pause;
        pause = pause + 32'(stalled);
        // Each clock in turn; with stalls at any time.
        hit = resets < Resets && !stalled && clocks >= 3 &&
              (stalls == 0 ? since >= resets / 4 * Step : $urandom_range(Resets * Step) == 0);
        zeroize = hit && resets % 4 == 3;
        rst_n = clocks >= 3 && (!hit || zeroize);
        if (zeroize) begin
          resets = resets + 1;
          since = 0;
        end
        if (!rst_n) begin
          sent = received;
          is_kept = 1'b0;
          linked = 1'b0;
@DROPPED@          #1;
          if (state_valid || (clocks > 0 && state !== '0)) $fatal(1, \"@TOP@: a value in reset\");
          if (hit) resets = resets + 1;
          since = 0;
          // Every other pulse is over before the clock's edge.
          if (resets % 2 == 1) rst_n = 1'b1;
        end
        block_valid = rst_n && sent < Count && $urandom_range(3) >= stalls && !(hit && resets % 4 == 1);
        @READY@
        #4;
        took = rst_n && block_valid && block_ready;
        gave = rst_n && state_valid && state_ready;
        if (rst_n && ^{block_ready, state_valid} === 1'bx) $fatal(1, \"@TOP@: not known after reset\");
        if (rst_n && !state_valid && state !== '0) $fatal(1, \"@TOP@: a word without a value\");
        if (is_kept && (!state_valid || state !== kept)) $fatal(1, \"@TOP@: a value was not held\");
        if (rst_n && state_valid && received >= sent) $fatal(1, \"@TOP@: a value without a block\");
        if (gave && state !== due[State+Block+:State])
          $fatal(1, \"@TOP@: block %0d: %h, not %h\", received, state, due[State+Block+:State]);
@ID@@INTERVAL@        is_kept = rst_n && state_valid && !state_ready && !zeroize;
        kept = state;
        clk = 1'b1;
        #5;
        clk = 1'b0;
        clocks = clocks + 1;
        since = since + 1;
        gap = took ? 1 : gap + 1;
@COUNT_UP@        if (took) linked = 1'b1;
        if (zeroize) begin
          sent = received;
          linked = 1'b0;
@DROPPED@        end
        if (clocks > 1000000) $fatal(1, \"@TOP@: no progress\");
      end
      if (stalls == 0 && resets < Resets) $fatal(1, \"@TOP@: not reset in every clock\");
    end
    $display(\"@TOP@: %0d blocks three times, %0d clocks\", Count, clocks);
    $finish;
  end
endmodule
";
