//! Assertions on the handshakes, the counter, registers that depend only on the cycle, and registers
//! that are cleared.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::Core;
use crate::control::Ledger;
use crate::netlist::{ClockedRegister, Gate};
use crate::options::Chaining;
use crate::text::top;

/// The module with the assertions: the handshakes of every core, the model of this kind of core, the
/// constants, and the cleared registers.
pub(super) fn text(core: &Core, ledger: &Ledger) -> String {
    let top = top(core);
    let family = core.options.algorithm.family();
    let words = family.state_words();
    let state = words as u32 * family.word_bits() - 1;
    let (wires, ports) = exposed(core);
    let clocks = ledger.clocks;
    let (part, words, due, begins) = if core.options.stream {
        ("word", 1, "now < 8'd15 | now == 8'd@LAST@", [""; 3])
    } else {
        ("block", 16, "now == 8'd@LAST@", BEGINS)
    };
    let body = match core.options.chaining() {
        Chaining::Ring => {
            let [model, not, check] = begins;
            let ring = RING.replace("@DUE@", due).replace("@PART@", part);
            ring.replace("@MODEL@", model).replace("@NOT@", not).replace("@CHECK@", check)
        }
        Chaining::Turn => CHAINED.to_owned(),
        Chaining::Outside => ITERATIVE.to_owned(),
    };
    let input = if core.options.stores_chain() {
        ["  input last_i,\n", " .last_i(last_i),"]
    } else {
        [""; 2]
    };
    let [input, port] = input;
    let bits = words * family.word_bits() - 1;
    let overlap = if ledger.overlap { "(done & !held_q)" } else { "1'b0" };
    let outs = core.options.word_order.arrange((0..family.state_words()).collect());
    let outs: Vec<String> = outs.into_iter().rev().map(|i| format!("out{i}_q")).collect();
    let common = COMMON.replace("@STATE@", &state.to_string()).replace("@PART@", part);
    let body = body
        .replace("@OUTS@", &outs.join(", "))
        .replace("@CLOCKS@", &clocks.to_string())
        .replace("@LAST@", &(clocks - 1).to_string())
        .replace("@OVERLAP@", overlap);
    format!(
        "// What {top} does at its ports, the counter and constants of every clock, and which\n\
         // registers are clear: by k-induction. `expose` makes ports of the registers.\n\
         module {top}_control (\n  input clk_i,\n  input rst_ni,\n  input zeroize_i,\n  \
         input {part}_valid_i,\n{input}  input [{bits}:0] {part}_i,\n  \
         input [{state}:0] state_i,\n  input state_ready_i\n);\n{wires}  \
         wire {part}_ready_o, state_valid_o;\n  wire [{state}:0] state_o;\n  \
         {top} dut (\n    .clk_i(clk_i), .rst_ni(rst_ni), .zeroize_i(zeroize_i),{port}\n    \
         .{part}_valid_i({part}_valid_i), .{part}_ready_o({part}_ready_o), .{part}_i({part}_i),\n    \
         .state_i(state_i), .state_valid_o(state_valid_o), .state_ready_i(state_ready_i),\n    \
         .state_o(state_o){ports}\n  );\n\n{common}{body}\n  \
         // The constants.\n  always @(posedge clk_i) if (rst_ni) begin\n{constants}  end\n\n\
         {clear}{gate}endmodule\n",
        constants = constants(core, ledger, "now"),
        clear = clear(core, ledger),
        gate = gate(core),
    )
}

/// The handshakes of every core.
const COMMON: &str = "  \
  wire take = @PART@_valid_i & @PART@_ready_o;
  wire give = state_valid_o & state_ready_i;
  reg kept = 1'b0;  // a value was shown, and neither taken nor dropped
  reg [@STATE@:0] shown;
  reg fresh = 1'b1; // no clock edge since a reset, or one since zeroize_i was read
  initial assume (!rst_ni);
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) kept <= 1'b0;
    else kept <= state_valid_o & !state_ready_i & !zeroize_i;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) fresh <= 1'b1;
    else fresh <= zeroize_i;
  always @(posedge clk_i) shown <= state_o;

  // A value stays until it is taken; without one, no word is shown. Reset and zeroize_i drop
  // values, and no @PART@ is accepted before the next clock edge has cleared the registers.
  always @(posedge clk_i) begin
    if (!rst_ni) assert (!state_valid_o);
    if (!state_valid_o) assert (state_o == 0);
    if (rst_ni && kept) assert (state_valid_o && state_o == shown);
    if (fresh || !rst_ni) assert (!@PART@_ready_o && !state_valid_o);
  end

";

/// The model of a core without chaining.
const ITERATIVE: &str = "  \
  reg run = 1'b0;   // a block is processed
  reg done = 1'b0;  // its value is complete, and not in the output register
  reg held = 1'b0;  // a value is in the output register
  reg [7:0] now;    // clocks since the block was loaded
  wire ends = run & now == 8'd@LAST@;
  wire moves = done & !held;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      run <= 1'b0;
      done <= 1'b0;
      held <= 1'b0;
    end else begin
      run <= !zeroize_i & (take | (run & !ends));
      done <= !zeroize_i & (ends | (done & held));
      held <= !zeroize_i & (moves | (held & !give));
    end
  always @(posedge clk_i) now <= take ? 8'd0 : now + 8'd1;

  // A block in the middle of another waits, and so does one while two values wait.
  always @(posedge clk_i) if (rst_ni) begin
    assert (state_valid_o == held);
    assert (block_ready_o == (!fresh & !run & (!done | @OVERLAP@)));
    cover (give);
    assert (run_q == run && finish_q == done && held_q == held);
    if (held) assert (state_o == {@OUTS@});
    if (run) assert (!done && now <= 8'd@LAST@ && count_q == now + 1);
    else assert (count_q == 0);
  end
";

/// The model of a core with chaining.
const CHAINED: &str = "  \
  reg busy = 1'b0;   // a block is in the core
  reg ended = 1'b1;  // the newest block is the last of its message, or there is none
  reg held = 1'b0;   // a value is shown
  reg [7:0] now;     // clocks since the block was taken
  wire last = busy & now == 8'd@LAST@;
  wire ends = busy & now == 8'd@CLOCKS@;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      busy <= 1'b0;
      ended <= 1'b1;
      held <= 1'b0;
    end else begin
      busy <= !zeroize_i & (take | (busy & !ends));
      ended <= zeroize_i | (take ? last_i : ended);
      held <= !zeroize_i & ((ends & ended) | (held & !give));
    end
  always @(posedge clk_i) now <= take ? 8'd0 : now + 8'd1;

  // A block during another waits; one that continues the message is taken a clock before it
  // ends. With nothing in the core a block is taken, once the value before it was.
  always @(posedge clk_i) if (rst_ni) begin
    assert (state_valid_o == held);
    assert (block_ready_o == (!fresh & (busy ? last & !ended : !held)));
    cover (give);
    cover (take & last);
    assert (run_q == busy && last_q == last && held_q == held && ended_q == ended);
    assert (turn_q == (busy & (now == 8'd0 | ends)));
    assert (begins_q == (busy & now == 8'd0));
    if (busy) assert (!held && now <= 8'd@CLOCKS@);
    if (held) assert (ended);
    if (busy) assert (count_q == (ends ? 1 : last ? 0 : now + 1));
    else assert (count_q == 0);
  end
";

/// With whole blocks, `ended` is also set in the turn before the last block of a message.
const BEGINS: [&str; 3] = [
    "  reg begins = 1'b0; // a block was accepted a clock ago
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begins <= 1'b0;
    else begins <= !zeroize_i & take;
",
    " & !begins",
    " && begins_q == begins",
];

/// The model of a core whose chaining value is a ring.
const RING: &str = "  \
  reg busy = 1'b0;   // a block is in the core
  reg ended = 1'b0;  // the last @PART@ of its message was accepted
  reg held = 1'b0;   // a value is shown
  reg [7:0] now;     // the cycle of the block
  wire due = @DUE@;
  wire waits = busy & due & !ended & !take;
  wire ends = busy & now == 8'd0 & ended@NOT@;
@MODEL@  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      busy <= 1'b0;
      ended <= 1'b0;
      held <= 1'b0;
    end else begin
      busy <= !zeroize_i & (take | (busy & !ends));
      ended <= !zeroize_i & (take ? last_i : ended & !ends);
      held <= !zeroize_i & (ends | (held & !give));
    end
  always @(posedge clk_i)
    if (!busy | now == 8'd@LAST@ & !waits) now <= 8'd0;
    else if (!waits) now <= now + 8'd1;

  // A cycle in which a @PART@ is due waits for it. With nothing in the core a @PART@ is taken, once
  // the value before it was.
  always @(posedge clk_i) if (rst_ni) begin
    assert (state_valid_o == held);
    assert (@PART@_ready_o == (!fresh & (busy ? due & !ended : !held)));
    cover (give);
    cover (take & busy & now == 8'd@LAST@);
    cover (waits);
    assert (run_q == busy && held_q == held && ended_q == ended@CHECK@);
    if (busy) assert (!held && now <= 8'd@LAST@);
    else assert (!ended);
    if (busy) assert (count_q == (now == 8'd@LAST@ ? 0 : now + 1));
    else assert (count_q == 0);
  end
";

/// Assertions that every register of the datapath is clear when the core is idle, and at the first
/// clock edge after a reset, or the second from the one that reads `zeroize_i`. A clear register has
/// one value, so that nothing changes in an idle core.
fn clear(core: &Core, ledger: &Ledger) -> String {
    let data = core.netlist.registers.iter().filter(|r| r.is_data());
    // The chaining value is kept between the blocks of a message, a value until it is taken.
    let keeps = if core.options.stores_chain() { "h" } else { "out" };
    let (values, words): (Vec<_>, Vec<_>) = data.partition(|r| r.name.starts_with(keeps));
    let [words, values] = [words, values].map(|registers| {
        let each =
            registers.iter().map(|r| format!("{}_q == {}", r.name, idle_value(core, ledger, r)));
        each.collect::<Vec<_>>().join(" &\n    ")
    });
    let [busy, value] = match core.options.chaining() {
        Chaining::Ring => ["run_q", "run_q | take | held_q"],
        Chaining::Turn => ["run_q", "run_q | take | !ended_q | held_q"],
        Chaining::Outside => ["run_q | finish_q", "finish_q | held_q"],
    };
    format!(
        "  // The registers are clear if nothing was processed a clock ago, and at the first clock\n  \
         // edge after a reset, or the second from the one that reads zeroize_i.\n  \
         wire words_clear =\n    {words};\n  wire values_clear =\n    {values};\n  \
         reg idle = 1'b0;    // no block was processed or accepted\n  \
         reg empty = 1'b0;   // nor was there a value\n  \
         reg dropped = 1'b1; // reset, or a clock edge with zeroize_i\n  \
         reg wiped = 1'b0;   // that was a clock ago\n  \
         always @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) dropped <= 1'b1;\n    \
         else dropped <= zeroize_i;\n  \
         always @(posedge clk_i) begin\n    idle <= !({busy} | take);\n    \
         empty <= !({value});\n    wiped <= dropped;\n    \
         if (idle) assert (words_clear);\n    if (empty) assert (values_clear);\n    \
         if (wiped) assert (words_clear & values_clear);\n  end\n"
    )
}

/// Assertions that no register of the datapath changes at a clock edge that the gate stops. So the gate
/// has no effect on the others.
fn gate(core: &Core) -> String {
    if core.netlist.enable.is_none() {
        return String::new();
    }
    let data = core.netlist.registers.iter().filter(|r| r.is_data());
    let bits: u32 = data.clone().map(|r| core.netlist.width(r.signal)).sum();
    let each = data.map(|r| format!("{}_q", r.name)).collect::<Vec<_>>().join(", ");
    let waits = if core.options.stream { "    cover (stopped & run_q);\n" } else { "" };
    format!(
        "  // No register changes in a clock that the gate stops.\n  \
         wire [{0}:0] words = {{{each}}};\n  reg [{0}:0] earlier;\n  reg stopped = 1'b0;\n  \
         always @(posedge clk_i) begin\n    stopped <= !enable;\n    earlier <= words;\n    \
         if (stopped) assert (words == earlier);\n    cover (stopped);\n{waits}  end\n",
        bits - 1
    )
}

/// The contents of a cleared register: zero, or the constant that the first cycle of a block reads.
fn idle_value(core: &Core, ledger: &Ledger, register: &ClockedRegister) -> String {
    let netlist = &core.netlist;
    let sequence = ledger.sequences.iter().find(|s| s.0 == register.name);
    let constant = match (sequence, netlist.driver(register.next.expect("driven"))) {
        (Some((_, values)), _) => values[0],
        (None, Gate::Select(_, _, constant)) => netlist.constant(*constant).unwrap_or(0),
        _ => 0,
    };
    format!("{}'h{constant:x}", netlist.width(register.signal))
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
    if core.netlist.enable.is_some() {
        wires += "  wire enable;\n";
        ports += ",\n    .enable(enable)";
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
                "    if (run_q && {from}{now} <= 8'd{high}) assert ({name}_q == {value});"
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
