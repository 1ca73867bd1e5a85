//! A core as SystemVerilog, restricted to the subset that yosys, Verilator and Icarus support: no
//! packages, no interfaces, no packed arrays of words. A port of several words is one vector with
//! word i in bits 32i … 32i+31, the layout of `logic [15:0][31:0]`.

use std::fmt::Write;

use crate::Core;
use crate::netlist::{Gate, LATE, Netlist, Port, Signal};
use crate::text::{CLOCK, FEW_RANGES, Names, RESET, bare, head, names, ranges, top};

/// The files of a core, as pairs of name and contents.
pub fn files(core: &Core) -> Vec<(String, String)> {
    let top = top(core);
    let mut files = vec![
        (format!("{top}.sv"), module(core, &core.netlist, &top)),
        (format!("{top}_add.sv"), adder(core, &top)),
    ];
    if has_rows(core) {
        files.push((format!("{top}_row.sv"), carry_save_row(core, &top)));
    }
    if has_low(core) {
        files.push((format!("{top}_low.sv"), low_adder_row(core, &top)));
    }
    if core.netlist.enable.is_some() {
        files.push((format!("{top}_gate.sv"), clock_gate(&top)));
    }
    for (_, text) in &mut files {
        // After the comment at the top.
        let at = text.lines().take_while(|line| line.starts_with("//")).map(|l| l.len() + 1).sum();
        text.insert_str(at, "`default_nettype none\n\n");
        *text += "\n`default_nettype wire\n";
    }
    files
}

pub(crate) fn has_rows(core: &Core) -> bool {
    core.netlist.gates.iter().any(|(gate, _)| matches!(gate, Gate::Save(..)))
}

pub(crate) fn has_low(core: &Core) -> bool {
    core.netlist.gates.iter().any(|(gate, _)| matches!(gate, Gate::LowSave(..)))
}

/// SystemVerilog names for the signals of a netlist.
pub(crate) fn named(netlist: &Netlist) -> Names {
    names(netlist, |gate| {
        let low = matches!(gate, Gate::LowSave(..) | Gate::LowCarry(..));
        low || matches!(gate, Gate::Save(..) | Gate::Carry(..))
    })
}

fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

fn adder(core: &Core, top: &str) -> String {
    let bits = range(core.options.algorithm.family().word_bits());
    format!(
        "// An adder of its own module, so that synthesis keeps the order of the sums.\n\
         module {top}_add (\n  input  logic {bits}a_i,\n  input  logic {bits}b_i,\n  \
         output logic {bits}sum_o\n);\n  assign sum_o = a_i + b_i;\nendmodule\n"
    )
}

fn carry_save_row(core: &Core, top: &str) -> String {
    let width = core.options.algorithm.family().word_bits();
    let (bits, below) = (range(width), format!("[{}:0]", width - 2));
    format!(
        "// A carry-save row: save_o + carry_o = a_i + b_i + c_i, and no carry is passed on.\n\
         module {top}_row (\n  input  logic {bits}a_i,\n  input  logic {bits}b_i,\n  \
         input  logic {bits}c_i,\n  output logic {bits}save_o,\n  output logic {bits}carry_o\n);\n  \
         wire {below} a = a_i{below};\n  wire {below} b = b_i{below};\n  \
         wire {below} c = c_i{below};\n  assign save_o = a_i ^ b_i ^ c_i;\n  \
         assign carry_o = {{(a & b) | (a & c) | (b & c), 1'b0}};\nendmodule\n"
    )
}

/// The gate is open for a proof, which shows that a closed one changes nothing.
fn clock_gate(top: &str) -> String {
    format!(
        "// The gate of a clock. For cells, replace this file by a module with the clock gate of their\n\
         // library.\n\
         module {top}_gate (\n  input  logic clk_i,\n  input  logic enable_i,\n  \
         output logic clk_o\n);\n\
         `ifdef FORMAL\n  assign clk_o = clk_i;\n`else\n  logic open;\n  \
         always_latch if (!clk_i) open = enable_i;\n  assign clk_o = clk_i & open;\n`endif\nendmodule\n"
    )
}

fn low_adder_row(core: &Core, top: &str) -> String {
    let width = core.options.algorithm.family().word_bits();
    let (bits, above) = (range(width), format!("[{}:{LATE}]", width - 2));
    format!(
        "// A carry-save row whose {LATE} lowest bits are added, so that these bits of carry_o are zero:\n\
         // save_o + carry_o = a_i + b_i + c_i, where they are zero in b_i, too.\n\
         module {top}_low (\n  input  logic {bits}a_i,\n  input  logic {bits}b_i,\n  \
         input  logic {bits}c_i,\n  output logic {bits}save_o,\n  output logic {bits}carry_o\n);\n  \
         wire {above} a = a_i{above};\n  wire {above} b = b_i{above};\n  \
         wire {above} c = c_i{above};\n  \
         wire [{LATE}:0] low = {{1'b0, a_i[{last}:0]}} + {{1'b0, c_i[{last}:0]}};\n  \
         wire unused = &{{1'b0, b_i[{last}:0]}};\n  \
         assign save_o = {{a_i[{top_bit}] ^ b_i[{top_bit}] ^ c_i[{top_bit}], a ^ b ^ c, low[{last}:0]}};\n  \
         assign carry_o = {{(a & b) | (a & c) | (b & c), low[{LATE}], {LATE}'b0}};\nendmodule\n",
        last = LATE - 1,
        top_bit = width - 1
    )
}

struct VerilogPrinter<'n> {
    netlist: &'n Netlist,
    names: Names,
    top: String,
    /// For each signal, the number of low bits without readers.
    unread: Vec<u32>,
}

/// The source of one module. The adder module is `<core>_add`.
pub(crate) fn module(core: &Core, netlist: &Netlist, name: &str) -> String {
    let (names, unread) = (named(netlist), netlist.unread());
    let printer = VerilogPrinter { netlist, names, unread, top: top(core) };
    let mut out = String::new();
    for line in head(core) {
        writeln!(out, "// {line}").expect("a string");
    }
    let out = out.replace("// \n", "//\n");
    printer.module(out, name)
}

impl VerilogPrinter<'_> {
    fn module(&self, mut out: String, name: &str) -> String {
        out += &format!("module {name} (\n");
        let mut lines = vec![
            ("input  logic clk_i".to_owned(), CLOCK.to_owned()),
            ("input  logic rst_ni".to_owned(), RESET.to_owned()),
        ];
        let port = |way: &str, port: &Port| {
            let bits = range(port.width * port.words as u32);
            (format!("{way} logic {bits}{}", port.name), port.comment.clone())
        };
        lines.extend(self.netlist.inputs.iter().map(|p| port("input ", p)));
        lines.extend(self.netlist.outputs.iter().map(|(p, _)| port("output", p)));
        let longest = lines.iter().map(|l| l.0.len()).max().unwrap_or(0) + 1;
        let count = lines.len();
        for (i, (text, comment)) in lines.into_iter().enumerate() {
            let text = if i + 1 < count { text + "," } else { text };
            out += &format!("  {text:longest$}  // {comment}\n");
        }
        out += ");\n";
        for register in &self.netlist.registers {
            let bits = range(self.netlist.width(register.signal));
            let line = format!("  logic {bits}{};", self.text(register.signal));
            out += &match &register.comment[..] {
                "" => line + "\n",
                comment => format!("{line:32}  // {comment}\n"),
            };
        }
        out += "\n";
        for i in 0..self.netlist.gates.len() {
            self.wire(Signal(i as u32), &mut out);
        }
        self.registers(&mut out);
        out += "\n";
        for (port, words) in &self.netlist.outputs {
            let all: Vec<String> =
                words.iter().rev().map(|&w| bare(&self.text(w)).to_owned()).collect();
            let value =
                if all.len() == 1 { all[0].clone() } else { format!("{{{}}}", all.join(", ")) };
            out += &format!("  assign {} = {value};\n", port.name);
        }
        out + "endmodule\n"
    }

    fn registers(&self, out: &mut String) {
        let (control, data): (Vec<_>, Vec<_>) =
            self.netlist.registers.iter().partition(|r| r.reset.is_some());
        if !control.is_empty() {
            *out +=
                "\n  always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) begin\n";
            for r in &control {
                let width = self.netlist.width(r.signal);
                let value = constant(r.reset.unwrap_or(0), width);
                *out += &format!("      {} <= {value};\n", self.text(r.signal));
            }
            *out += "    end else begin\n";
            for r in &control {
                let next = self.text(r.next.expect("driven"));
                *out += &format!("      {} <= {};\n", self.text(r.signal), bare(&next));
            }
            *out += "    end\n  end\n";
        }
        let clock = match self.netlist.enable {
            None => "clk_i",
            Some(enable) => {
                *out += &format!(
                    "\n  // The registers below are clocked only when they change.\n  wire clk_data;\n  \
                     {}_gate gate (.clk_i(clk_i), .enable_i({}), .clk_o(clk_data));\n",
                    self.top,
                    bare(&self.text(enable))
                );
                "clk_data"
            }
        };
        *out += &format!("\n  always_ff @(posedge {clock}) begin\n");
        for r in &data {
            let next = self.text(r.next.expect("driven"));
            *out += &format!("    {} <= {};\n", self.text(r.signal), bare(&next));
        }
        *out += "  end\n";
    }

    /// Declares a signal, if it has a name.
    fn wire(&self, signal: Signal, out: &mut String) {
        let (gate, width) = &self.netlist.gates[signal.index()];
        let Some(name) = &self.names.name[signal.index()] else { return };
        let bits = range(*width);
        let after = match self.netlist.arrivals[signal.index()] {
            Some(arrival) if arrival.value > 0.0 => format!("  // {arrival}"),
            _ => String::new(),
        };
        match gate {
            Gate::Register(_) => {}
            Gate::Add(x, y) => {
                *out += &format!(
                    "  logic {bits}{name};{after}\n  {}_add add_{name} (.a_i({}), .b_i({}), .sum_o({name}));\n",
                    self.top,
                    self.text(*x),
                    self.text(*y)
                );
                if let low @ 1.. = self.unread[signal.index()] {
                    *out += &format!("  wire unused_{name} = &{{1'b0, {name}[{}:0]}};\n", low - 1);
                }
            }
            // One module instance computes both words of a row; it is emitted with the first of
            // them.
            &Gate::Save(x, y, z)
            | &Gate::Carry(x, y, z)
            | &Gate::LowSave(x, y, z)
            | &Gate::LowCarry(x, y, z) => {
                let (kind, mates) = if matches!(gate, Gate::Save(..) | Gate::Carry(..)) {
                    ("row", [Gate::Save(x, y, z), Gate::Carry(x, y, z)])
                } else {
                    ("low", [Gate::LowSave(x, y, z), Gate::LowCarry(x, y, z)])
                };
                let mates = mates.map(|mate| self.netlist.find(mate, *width));
                if mates.iter().flatten().any(|mate| *mate < signal) {
                    return;
                }
                let [save, carry] =
                    mates.map(|mate| mate.map(|m| self.text(m)).unwrap_or_default());
                for word in [&save, &carry].into_iter().filter(|word| !word.is_empty()) {
                    *out += &format!("  logic {bits}{word};{after}\n");
                }
                let [x, y, z] = [x, y, z].map(|word| self.text(word));
                *out += &format!(
                    "  {}_{kind} {kind}_{name} (.a_i({x}), .b_i({y}), .c_i({z}), .save_o({save}), .carry_o({carry}));\n",
                    self.top
                );
            }
            Gate::Table(x, table) if *width == 1 && ranges(table).len() <= FEW_RANGES => {
                let value = set(table, &self.text(*x), self.netlist.width(*x));
                *out += &format!("  wire {name} = {};\n", bare(&value));
            }
            Gate::Table(x, table) if ranges(table).len() <= FEW_RANGES => {
                let mut ranges = ranges(table);
                let last = ranges.pop().expect("a table has entries").1;
                let mut value = String::new();
                for (end, entry) in ranges {
                    let (end, entry) =
                        (constant(end as u64, self.netlist.width(*x)), constant(entry, *width));
                    value += &format!("({} < {end}) ? {entry} : ", self.text(*x));
                }
                let last = constant(last, *width);
                *out += &format!("  wire {bits}{name} = {value}{last};\n");
            }
            Gate::Table(x, table) => {
                *out += &format!(
                    "  logic {bits}{name};\n  always_comb begin\n    case ({})\n",
                    self.text(*x)
                );
                let last = table.last().copied().unwrap_or(0);
                for (i, value) in table.iter().enumerate().filter(|(_, value)| **value != last) {
                    let (i, value) =
                        (constant(i as u64, self.netlist.width(*x)), constant(*value, *width));
                    *out += &format!("      {i}: {name} = {value};\n");
                }
                *out += &format!(
                    "      default: {name} = {};\n    endcase\n  end\n",
                    constant(last, *width)
                );
            }
            gate => {
                let value = self.expression(gate, *width);
                *out += &format!("  wire {bits}{name} = {};{after}\n", bare(&value));
            }
        }
    }

    /// Bits `high` … `low` of a named signal.
    fn slice(&self, signal: Signal, high: u32, low: u32) -> String {
        if let Gate::Input(port, word) = *self.netlist.driver(signal) {
            let port = &self.netlist.inputs[port];
            let base = port.width * word as u32;
            return format!("{}[{}:{}]", port.name, base + high, base + low);
        }
        if let Gate::Const(k) = *self.netlist.driver(signal) {
            let width = high - low + 1;
            let bits = (k >> low) & crate::netlist::ones(width);
            return format!("{width}'h{bits:x}");
        }
        format!("{}[{high}:{low}]", self.text(signal))
    }

    fn text(&self, signal: Signal) -> String {
        let (gate, width) = &self.netlist.gates[signal.index()];
        if let Some(name) = &self.names.name[signal.index()] {
            return name.clone();
        }
        match gate {
            Gate::Input(port, _) if self.netlist.inputs[*port].words == 1 => {
                self.netlist.inputs[*port].name.to_owned()
            }
            Gate::Input(..) => self.slice(signal, width - 1, 0),
            gate => self.expression(gate, *width),
        }
    }

    fn expression(&self, gate: &Gate, width: u32) -> String {
        let t = |x: &Signal| self.text(*x);
        match gate {
            Gate::Const(k) => constant(*k, width),
            Gate::Xor3(x, y, z) => format!("({} ^ {} ^ {})", t(x), t(y), t(z)),
            Gate::Maj(x, y, z) => {
                let (x, y, z) = (t(x), t(y), t(z));
                format!("(({x} & {y}) | ({x} & {z}) | ({y} & {z}))")
            }
            Gate::Ch(x, y, z) => format!("(({0} & {1}) | (~{0} & {2}))", t(x), t(y), t(z)),
            Gate::Increment(x) => format!("({} + {})", t(x), constant(1, width)),
            Gate::Decrement(x) => format!("({} - {})", t(x), constant(1, width)),
            Gate::Equals(x, k) => format!("({} == {})", t(x), constant(*k, self.netlist.width(*x))),
            Gate::And(x, y) => format!("({} & {})", t(x), t(y)),
            Gate::Or(x, y) => {
                // ∨ is associative.
                let flat = |x: &Signal| {
                    let inner = matches!(self.netlist.driver(*x), Gate::Or(..));
                    let text = t(x);
                    if inner { bare(&text).to_owned() } else { text }
                };
                format!("({} | {})", flat(x), flat(y))
            }
            Gate::Xor(x, y) => format!("({} ^ {})", t(x), t(y)),
            Gate::Not(x) => format!("~{}", t(x)),
            Gate::Rotr(x, n) => {
                format!("{{{}, {}}}", self.slice(*x, n - 1, 0), self.slice(*x, width - 1, *n))
            }
            Gate::Shr(x, n) => format!("{{{n}'d0, {}}}", self.slice(*x, width - 1, *n)),
            Gate::Shl(x, _, n) => format!("{{{}, {n}'d0}}", self.slice(*x, width - 1 - n, 0)),
            Gate::Sub(x, y) => format!("({} - {})", t(x), t(y)),
            Gate::Join(x, y) => format!("({} | {})", t(x), t(y)),
            Gate::Mask(bit, x) => format!("({{{width}{{{}}}}} & {})", bare(&t(bit)), t(x)),
            Gate::Select(bit, x, y) => format!("({} ? {} : {})", t(bit), t(x), t(y)),
            Gate::Add(..)
            | Gate::Save(..)
            | Gate::Carry(..)
            | Gate::LowSave(..)
            | Gate::LowCarry(..)
            | Gate::Table(..)
            | Gate::Register(_)
            | Gate::Input(..) => unreachable!("these have names"),
        }
    }
}

/// Whether `x`, of `width` bits, is the index of a one in `table`.
fn set(table: &[u64], x: &str, width: u32) -> String {
    let mut start = 0;
    let mut terms = Vec::new();
    for (end, value) in ranges(table) {
        let [low, high] = [start, end].map(|at| constant(at as u64, width));
        if value == 1 {
            terms.push(match (start, end) {
                (0, _) => format!("{x} < {high}"),
                (_, end) if end == table.len() => format!("{x} >= {low}"),
                (start, end) if start + 1 == end => format!("{x} == {low}"),
                _ => format!("({x} >= {low} && {x} < {high})"),
            });
        }
        start = end;
    }
    terms.join(" || ")
}

fn constant(k: u64, width: u32) -> String {
    if width < 32 {
        format!("{width}'d{k}")
    } else {
        format!("{width}'h{k:0w$x}", w = width as usize / 4)
    }
}
