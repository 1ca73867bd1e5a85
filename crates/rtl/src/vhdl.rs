//! A core as VHDL-2008: a printout of the netlist with one signal per gate.

use std::fmt::Write;

use crate::Core;
use crate::netlist::{Gate, LATE, Netlist, Signal, ones};
use crate::text::{CLOCK, FEW_RANGES, Names, RESET, head, names, ranges, top};

/// The files of a core, as pairs of name and contents.
pub fn files(core: &Core) -> Vec<(String, String)> {
    let top = top(core);
    vec![(format!("{top}_add.vhd"), adder(core, &top)), (format!("{top}.vhd"), entity(core, &top))]
}

const LIBRARIES: &str =
    "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n\n";

fn adder(core: &Core, top: &str) -> String {
    let high = core.options.algorithm.family().word_bits() - 1;
    format!(
        "-- An adder of its own entity, so that synthesis keeps the order of the sums.\n\
         {LIBRARIES}entity {top}_add is\n  port (\n    a_i   : in  unsigned({high} downto 0);\n    \
         b_i   : in  unsigned({high} downto 0);\n    sum_o : out unsigned({high} downto 0)\n  );\n\
         end entity {top}_add;\n\narchitecture rtl of {top}_add is\nbegin\n  \
         sum_o <= a_i + b_i;\nend architecture rtl;\n"
    )
}

/// The VHDL type of a port or signal; a single bit is `std_logic`.
fn kind(width: u32, name: &str) -> String {
    if width == 1 { "std_logic".to_owned() } else { format!("{name}({} downto 0)", width - 1) }
}

/// The initial value of a register. A register with a reset starts at its reset value, so that no
/// table is indexed by an undefined value.
fn initial(netlist: &Netlist, signal: Signal) -> String {
    let Gate::Register(r) = netlist.driver(signal) else { return String::new() };
    let reset = netlist.registers[*r].reset;
    reset.map_or(String::new(), |k| format!(" := {}", constant(k, netlist.width(signal))))
}

/// The entity's ports, each with a comment that describes it.
fn ports(netlist: &Netlist) -> String {
    let mut lines = vec![
        ("clk_i : in std_logic".to_owned(), CLOCK.to_owned()),
        ("rst_ni : in std_logic".to_owned(), RESET.to_owned()),
    ];
    let inputs = netlist.inputs.iter().map(|p| (p, "in"));
    for (port, way) in inputs.chain(netlist.outputs.iter().map(|(p, _)| (p, "out"))) {
        let kind = kind(port.width * port.words as u32, "std_logic_vector");
        lines.push((format!("{} : {way} {kind}", port.name), port.comment.clone()));
    }
    let longest = lines.iter().map(|l| l.0.len()).max().unwrap_or(0) + 1;
    let count = lines.len();
    let mut out = "  port (\n".to_owned();
    for (i, (text, comment)) in lines.into_iter().enumerate() {
        let text = if i + 1 < count { text + ";" } else { text };
        out += &format!("    {text:longest$}  -- {comment}\n");
    }
    out + "  );\n"
}

struct VhdlPrinter<'n> {
    netlist: &'n Netlist,
    names: Names,
}

fn entity(core: &Core, name: &str) -> String {
    let netlist = &core.netlist;
    let keep = |gate: &Gate| !matches!(gate, Gate::Const(_) | Gate::Register(_) | Gate::Input(..));
    let printer = VhdlPrinter { netlist, names: names(netlist, keep) };
    let mut out = String::new();
    let mut lines = head(core);
    lines[0] = lines[0].replace(". Do not edit.", " --language vhdl. Do not edit.");
    for line in lines {
        writeln!(out, "{}", format!("-- {line}").trim_end()).expect("a string");
    }
    out += &format!("{LIBRARIES}entity {name} is\n{}", ports(netlist));
    out += &format!("end entity {name};\n\narchitecture rtl of {name} is\n");
    for i in 0..netlist.gates.len() {
        let signal = Signal(i as u32);
        if let Some(text) = &printer.names.name[i] {
            let kind = kind(netlist.width(signal), "unsigned");
            out += &format!("  signal {text} : {kind}{};\n", initial(netlist, signal));
        }
    }
    out += "begin\n";
    for i in 0..netlist.gates.len() {
        printer.assign(Signal(i as u32), name, &mut out);
    }
    printer.registers(&mut out);
    for (port, words) in &netlist.outputs {
        let all: Vec<String> = words.iter().rev().map(|&w| printer.text(w)).collect();
        let value = if port.width == 1 {
            all[0].clone()
        } else {
            format!("std_logic_vector({})", all.join(" & "))
        };
        out += &format!("  {} <= {value};\n", port.name);
    }
    out + "end architecture rtl;\n"
}

impl VhdlPrinter<'_> {
    fn text(&self, signal: Signal) -> String {
        if let Some(name) = &self.names.name[signal.index()] {
            return name.clone();
        }
        let (gate, width) = &self.netlist.gates[signal.index()];
        match gate {
            Gate::Const(k) => constant(*k, *width),
            Gate::Input(port, word) => {
                let port = &self.netlist.inputs[*port];
                let low = port.width * *word as u32;
                if port.width == 1 {
                    port.name.to_owned()
                } else {
                    format!("unsigned({}({} downto {low}))", port.name, low + port.width - 1)
                }
            }
            _ => unreachable!("every other gate has a name"),
        }
    }

    fn assign(&self, signal: Signal, top: &str, out: &mut String) {
        let (gate, width) = &self.netlist.gates[signal.index()];
        let Some(name) = &self.names.name[signal.index()] else { return };
        let t = |x: &Signal| self.text(*x);
        let value = match gate {
            Gate::Register(_) | Gate::Const(_) | Gate::Input(..) => return,
            Gate::Add(x, y) => {
                let arrival = self.netlist.arrivals[signal.index()].unwrap_or_default();
                *out += &format!(
                    "  add_{name} : entity work.{top}_add\n    port map (a_i => {}, b_i => {}, sum_o => {name}); -- {arrival}\n",
                    t(x),
                    t(y)
                );
                return;
            }
            Gate::Table(x, table)
                if self.netlist.width(*x) > 1 && ranges(table).len() <= FEW_RANGES =>
            {
                let mut ranges = ranges(table);
                let last = ranges.pop().expect("a table has entries").1;
                let choice = |(end, entry): (usize, u64)| {
                    format!("{} when {} < {end} else ", constant(entry, *width), t(x))
                };
                let value: String = ranges.into_iter().map(choice).collect();
                value + &constant(last, *width)
            }
            Gate::Table(x, table) => {
                let bit = self.netlist.width(*x) == 1;
                let (by, quote) =
                    if bit { (t(x), "'") } else { (format!("to_integer({})", t(x)), "") };
                *out += &format!("  with {by} select {name} <=\n");
                let last = table.last().copied().unwrap_or(0);
                for (i, value) in table.iter().enumerate().filter(|(_, v)| **v != last) {
                    *out += &format!("    {} when {quote}{i}{quote},\n", constant(*value, *width));
                }
                *out += &format!("    {} when others;\n", constant(last, *width));
                return;
            }
            Gate::Save(x, y, z) | Gate::Xor3(x, y, z) => {
                format!("{} xor {} xor {}", t(x), t(y), t(z))
            }
            Gate::Carry(x, y, z) => {
                let (x, y, z) = (t(x), t(y), t(z));
                format!("shift_left(({x} and {y}) or ({x} and {z}) or ({y} and {z}), 1)")
            }
            Gate::Maj(x, y, z) => {
                let (x, y, z) = (t(x), t(y), t(z));
                format!("({x} and {y}) or ({x} and {z}) or ({y} and {z})")
            }
            Gate::Ch(x, y, z) => format!("({0} and {1}) or ((not {0}) and {2})", t(x), t(y), t(z)),
            Gate::Increment(x) if *width == 1 => format!("not {}", t(x)),
            Gate::Decrement(x) if *width == 1 => format!("not {}", t(x)),
            Gate::Increment(x) => format!("{} + 1", t(x)),
            Gate::Decrement(x) => format!("{} - 1", t(x)),
            Gate::Equals(x, k) => {
                let k = constant(*k, self.netlist.width(*x));
                format!("'1' when {} = {k} else '0'", t(x))
            }
            Gate::And(x, y) => format!("{} and {}", t(x), t(y)),
            Gate::Or(x, y) => format!("{} or {}", t(x), t(y)),
            Gate::Xor(x, y) => format!("{} xor {}", t(x), t(y)),
            Gate::Not(x) => format!("not {}", t(x)),
            Gate::Rotr(x, n) => format!("rotate_right({}, {n})", t(x)),
            Gate::Shr(x, n) => format!("shift_right({}, {n})", t(x)),
            Gate::Shl(x, _, n) => format!("shift_left({}, {n})", t(x)),
            Gate::Sub(x, y) => format!("{} - {}", t(x), t(y)),
            Gate::Join(x, y) => format!("{} or {}", t(x), t(y)),
            Gate::LowSave(x, y, z) => {
                let (low, high) = (constant(ones(LATE), *width), constant(!ones(LATE), *width));
                let (x, y, z) = (t(x), t(y), t(z));
                format!(
                    "(({x} xor {y} xor {z}) and {high}) or ((({x} and {low}) + ({z} and {low})) and {low})"
                )
            }
            Gate::LowCarry(x, y, z) => {
                let (low, high) = (constant(ones(LATE), *width), constant(!ones(LATE), *width));
                let (x, y, z) = (t(x), t(y), t(z));
                format!(
                    "shift_left((({x} and {y}) or ({x} and {z}) or ({y} and {z})) and {high}, 1)\n    \
                     or ((({x} and {low}) + ({z} and {low})) and {high})"
                )
            }
            Gate::Mask(bit, x) => {
                format!("{} when {} = '1' else {}", t(x), t(bit), constant(0, *width))
            }
            Gate::Select(bit, x, y) => format!("{} when {} = '1' else {}", t(x), t(bit), t(y)),
        };
        *out += &format!("  {name} <= {value};\n");
    }

    fn registers(&self, out: &mut String) {
        let (control, data): (Vec<_>, Vec<_>) =
            self.netlist.registers.iter().partition(|r| r.reset.is_some());
        *out += "\n  control : process (clk_i, rst_ni)\n  begin\n    if rst_ni = '0' then\n";
        for r in &control {
            let value = constant(r.reset.unwrap_or(0), self.netlist.width(r.signal));
            *out += &format!("      {} <= {value};\n", self.text(r.signal));
        }
        *out += "    elsif rising_edge(clk_i) then\n";
        for r in &control {
            let next = self.text(r.next.expect("driven"));
            *out += &format!("      {} <= {next};\n", self.text(r.signal));
        }
        *out += "    end if;\n  end process control;\n\n  \
                 datapath : process (clk_i)\n  begin\n    if rising_edge(clk_i) then\n";
        for r in &data {
            let next = self.text(r.next.expect("driven"));
            *out += &format!("      {} <= {next};\n", self.text(r.signal));
        }
        *out += "    end if;\n  end process datapath;\n\n";
    }
}

fn constant(k: u64, width: u32) -> String {
    let k = k & ones(width);
    match width {
        1 => format!("'{k}'"),
        width if width % 4 == 0 => format!("unsigned'(x\"{k:0w$x}\")", w = width as usize / 4),
        width => format!("unsigned'(\"{k:0w$b}\")", w = width as usize),
    }
}
