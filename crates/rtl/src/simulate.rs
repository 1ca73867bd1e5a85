//! A cycle-accurate netlist simulator, so that every core is tested without external tools.

use crate::netlist::{Gate, LATE, Netlist, ones};

/// The sum of the [`LATE`] lowest bits of two words.
fn low_sum(x: u64, y: u64) -> u64 {
    (x & ones(LATE)) + (y & ones(LATE))
}

/// A netlist with current register values.
#[derive(Debug)]
pub struct Simulation<'n> {
    netlist: &'n Netlist,
    registers: Vec<u64>,
    inputs: Vec<Vec<u64>>,
    values: Vec<u64>,
}

impl<'n> Simulation<'n> {
    /// Creates a simulation after reset. Registers without a reset start with an arbitrary value
    /// that no output may depend on.
    pub fn new(netlist: &'n Netlist) -> Self {
        let noise = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let registers = netlist.registers.iter().enumerate();
        Self {
            netlist,
            registers: registers
                .map(|(i, r)| r.reset.unwrap_or(noise(i)) & ones(netlist.width(r.signal)))
                .collect(),
            inputs: netlist.inputs.iter().map(|port| vec![0; port.words]).collect(),
            values: Vec::new(),
        }
    }

    /// Sets the words of an input port.
    ///
    /// # Panics
    ///
    /// Panics if no such port exists, or if it has a different number of words.
    pub fn set(&mut self, port: &str, words: &[u64]) {
        let at = self.netlist.inputs.iter().position(|p| p.name == port).expect("an input");
        assert_eq!(self.inputs[at].len(), words.len());
        self.inputs[at].copy_from_slice(words);
    }

    /// Evaluates all combinational signals.
    pub fn settle(&mut self) {
        self.values.clear();
        for (gate, width) in &self.netlist.gates {
            let value = match gate {
                Gate::Input(port, word) => self.inputs[*port][*word],
                Gate::Register(r) => self.registers[*r],
                gate => {
                    let mut operands = [0; 3];
                    for (to, x) in operands.iter_mut().zip(gate.operands()) {
                        *to = self.values[x.index()];
                    }
                    Self::value(gate, operands, *width)
                }
            };
            self.values.push(value);
        }
    }

    /// Evaluates a gate on numeric operands.
    pub(crate) fn value(gate: &Gate, [x, y, z]: [u64; 3], width: u32) -> u64 {
        let value = match gate {
            Gate::Input(..) | Gate::Register(_) => unreachable!("not a function of operands"),
            Gate::Const(k) => *k,
            Gate::Add(..) => x.wrapping_add(y),
            Gate::Sub(..) => x.wrapping_sub(y),
            Gate::Save(..) | Gate::Xor3(..) => x ^ y ^ z,
            Gate::Carry(..) => ((x & y) | (x & z) | (y & z)) << 1,
            Gate::Maj(..) => (x & y) | (x & z) | (y & z),
            Gate::Increment(_) => x.wrapping_add(1),
            Gate::Decrement(_) => x.wrapping_sub(1),
            Gate::Equals(_, k) => u64::from(x == *k),
            Gate::And(..) => x & y,
            Gate::Or(..) => x | y,
            Gate::Xor(..) => x ^ y,
            Gate::Not(_) => !x,
            Gate::Rotr(_, n) => x >> n | x << (width - n),
            Gate::Shr(_, n) => x >> n,
            // A second operand does not affect the result: it only marks the other word of a pair.
            Gate::Shl(_, _, n) => x << n,
            Gate::Join(..) => x | y,
            Gate::LowSave(..) => ((x ^ y ^ z) & !ones(LATE)) | (low_sum(x, z) & ones(LATE)),
            Gate::LowCarry(..) => {
                let maj = ((x & y) | (x & z) | (y & z)) & !ones(LATE);
                maj << 1 | (low_sum(x, z) & !ones(LATE))
            }
            Gate::Ch(..) => (x & y) | (!x & z),
            Gate::Mask(..) => x * y,
            Gate::Select(..) => {
                if x == 1 {
                    y
                } else {
                    z
                }
            }
            Gate::Table(_, table) => table[(x as usize).min(table.len() - 1)],
        };
        value & ones(width)
    }

    /// Returns the words of an output, after [`settle`](Self::settle).
    ///
    /// # Panics
    ///
    /// Panics if no such port exists.
    pub fn get(&self, port: &str) -> Vec<u64> {
        let found = self.netlist.outputs.iter().find(|(p, _)| p.name == port);
        found.expect("an output").1.iter().map(|s| self.values[s.index()]).collect()
    }

    /// Returns the value of the named register, after [`settle`](Self::settle).
    pub fn register(&self, name: &str) -> Option<u64> {
        let at = self.netlist.registers.iter().position(|r| r.name == name)?;
        Some(self.registers[at])
    }

    /// Returns the values of all registers, in the order of the netlist.
    pub fn registers(&self) -> &[u64] {
        &self.registers
    }

    /// Simulates one clock edge: evaluates all signals, then updates every register.
    pub fn clock(&mut self) {
        self.settle();
        let runs = self.netlist.enable.is_none_or(|enable| self.values[enable.index()] == 1);
        for (value, register) in self.registers.iter_mut().zip(&self.netlist.registers) {
            if runs || !register.is_data() {
                *value = self.values[register.next.expect("driven").index()];
            }
        }
    }

    /// Resets all registers that have a reset value.
    pub fn reset(&mut self) {
        for (value, register) in self.registers.iter_mut().zip(&self.netlist.registers) {
            *value = register.reset.unwrap_or(*value);
        }
    }
}
