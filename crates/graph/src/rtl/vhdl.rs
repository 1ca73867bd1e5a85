//! A core as VHDL-2008: the same netlist, a signal for every gate.

use std::fmt::Write;

use crate::rtl::Core;
use crate::rtl::netlist::{Gate, LATE, Netlist, Signal, ones};
use crate::rtl::text::{Names, head, names, top};

/// The files of a core: name and text.
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

/// The type of a port or signal: bits are `std_logic`.
fn kind(width: u32, name: &str) -> String {
    if width == 1 { "std_logic".to_owned() } else { format!("{name}({} downto 0)", width - 1) }
}

struct Printer<'n> {
    netlist: &'n Netlist,
    names: Names,
}

fn entity(core: &Core, name: &str) -> String {
    let netlist = &core.netlist;
    let keep = |gate: &Gate| !matches!(gate, Gate::Const(_) | Gate::Register(_) | Gate::Input(..));
    let printer = Printer { netlist, names: names(netlist, keep) };
    let mut out = String::new();
    for line in head(core) {
        writeln!(out, "{}", format!("-- {line}").trim_end()).expect("a string");
    }
    let mut lines = vec!["clk_i : in std_logic".to_owned(), "rst_ni : in std_logic".to_owned()];
    let ports = netlist.inputs.iter().map(|p| (p, "in"));
    for (port, way) in ports.chain(netlist.outputs.iter().map(|(p, _)| (p, "out"))) {
        let kind = kind(port.width * port.words as u32, "std_logic_vector");
        lines.push(format!("{} : {way} {kind}", port.name));
    }
    out += &format!("{LIBRARIES}entity {name} is\n  port (\n    {}\n  );\n", lines.join(";\n    "));
    out += &format!("end entity {name};\n\narchitecture rtl of {name} is\n");
    for i in 0..netlist.gates.len() {
        let signal = Signal(i as u32);
        if let Some(text) = &printer.names.name[i] {
            out += &format!("  signal {text} : {};\n", kind(netlist.width(signal), "unsigned"));
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

impl Printer<'_> {
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
            Gate::Table(x, table) => {
                *out += &format!("  with to_integer({}) select {name} <=\n", t(x));
                let last = table.last().copied().unwrap_or(0);
                for (i, value) in table.iter().enumerate().filter(|(_, v)| **v != last) {
                    *out += &format!("    {} when {i},\n", constant(*value, *width));
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

/// The testbench; it reads `vectors.hex` where it runs.
pub(crate) fn bench(core: &Core, count: usize) -> String {
    let family = core.options.algorithm.family();
    let block = 16 * family.word_bits();
    let state = family.state_words() as u32 * family.word_bits();
    let top = top(core);
    let mut ports = String::new();
    if core.buffer > 0 {
        ports += "state_ready_i => state_ready, ";
    }
    if core.options.stages > 1 {
        ports += "id_i => x\"00\", id_o => open, ";
    }
    let chain = core.options.chain;
    if chain {
        ports += "chain_i => chain, ";
    }
    // A block goes on from the one before it if that is of its message.
    let drive = if chain {
        "        chain <= '0';
        state_in <= VECTORS(sent mod COUNT)(STATE - 1 downto 0);
        if sent > 0 and sent < COUNT and draw(8) > 0 then
          if VECTORS(sent - 1)(2 * STATE + BLOCK_BITS - 1 downto STATE + BLOCK_BITS)
             = VECTORS(sent)(STATE - 1 downto 0) then
            chain <= '1';
            state_in <= not VECTORS(sent)(STATE - 1 downto 0);
          end if;
        end if;
"
    } else {
        "        state_in <= VECTORS(sent mod COUNT)(STATE - 1 downto 0);\n"
    };
    let (due, count_up) = if chain {
        ("sent - 1", "        received := sent when gave else received;\n")
    } else {
        ("received", "        received := received + 1 when gave else received;\n")
    };
    TEMPLATE
        .replace("@DRIVE@", drive)
        .replace("@DUE@", due)
        .replace("@COUNT_UP@", count_up)
        .replace("@CHAIN@", if chain { ", chain" } else { "" })
        .replace("@TOP@", &top)
        .replace("@COUNT@", &count.to_string())
        .replace("@STATE@", &state.to_string())
        .replace("@BLOCK@", &block.to_string())
        .replace("@PORTS@", &ports)
        .replace("@READY@", if core.buffer > 0 { "draw(4) >= stalls" } else { "true" })
}

const TEMPLATE: &str = "\
-- Sends the blocks of vectors.hex through @TOP@ and checks every value, with
-- stalls of both sides: none, a few, many.
library ieee;
use ieee.std_logic_1164.all;
use ieee.math_real.all;
use std.textio.all;
use std.env.all;

entity @TOP@_tb is
end entity @TOP@_tb;

architecture test of @TOP@_tb is
  constant COUNT : positive := @COUNT@;
  constant STATE : positive := @STATE@;
  constant BLOCK_BITS : positive := @BLOCK@;
  subtype vector is std_logic_vector(2 * STATE + BLOCK_BITS - 1 downto 0);
  type vectors_t is array (0 to COUNT - 1) of vector;
  impure function from_file return vectors_t is
    file source : text open read_mode is \"vectors.hex\";
    variable l : line;
    variable found : vectors_t;
  begin
    for i in found'range loop
      readline(source, l);
      hread(l, found(i));
    end loop;
    return found;
  end function;
  constant VECTORS : vectors_t := from_file;
  signal clk, rst_n, block_valid, state_ready@CHAIN@ : std_logic := '0';
  signal block_ready, state_valid : std_logic;
  signal value : std_logic_vector(STATE - 1 downto 0);
  signal state_in : std_logic_vector(STATE - 1 downto 0) := (others => '0');
  signal now_vector : vector := VECTORS(0);
begin
  dut : entity work.@TOP@
    port map (
      clk_i => clk, rst_ni => rst_n, @PORTS@
      block_valid_i => block_valid, block_ready_o => block_ready,
      block_i => now_vector(STATE + BLOCK_BITS - 1 downto STATE),
      state_i => state_in,
      state_valid_o => state_valid, state_o => value);

  process
    variable seed1, seed2 : positive := 1;
    variable sent, received : natural;
    variable took, gave : boolean;
    impure function draw(n : positive) return natural is
      variable x : real;
    begin
      uniform(seed1, seed2, x);
      return natural(floor(x * real(n)));
    end function;
    procedure edge is
    begin
      wait for 4 ns;
      took := block_valid = '1' and block_ready = '1';
      gave := state_valid = '1' and state_ready = '1';
      if gave then
        assert value = VECTORS(@DUE@)(2 * STATE + BLOCK_BITS - 1 downto STATE + BLOCK_BITS)
          report \"@TOP@: a wrong value\" severity failure;
      end if;
      clk <= '1';
      wait for 5 ns;
      clk <= '0';
      wait for 1 ns;
    end procedure;
  begin
    edge;
    rst_n <= '1';
    for stalls in 0 to 2 loop
      sent := 0;
      received := 0;
      while received < COUNT loop
        now_vector <= VECTORS(sent mod COUNT);
@DRIVE@        block_valid <= '1' when sent < COUNT and draw(4) >= stalls else '0';
        state_ready <= '1' when @READY@ else '0';
        edge;
@COUNT_UP@        sent := sent + 1 when took else sent;
      end loop;
    end loop;
    report \"@TOP@: all values are right\" severity note;
    finish;
  end process;
end architecture test;
";
