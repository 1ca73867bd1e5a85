//! What the machine reads and writes: registers, the stack, and what it was called with.

use super::domain::Domain;
use super::machine::{Machine, Program, Region, Value};
use crate::emit::instruction::{Address, Base, Operand, RSP};

impl Program<'_> {
    pub(super) fn place<W: Copy>(
        &self,
        machine: &Machine<W>,
        address: Address,
    ) -> Result<(Region, i64), String> {
        if address.bits != self.pointer_bits {
            return Err("an address has another width".to_owned());
        }
        match (address.base, address.index) {
            (Base::Constants, None) if self.pointer_bits == 64 => {
                Ok((Region::Constants, address.displacement))
            }
            (Base::Register(base), None) => match machine.registers[usize::from(base.0)] {
                Value::Pointer(region, offset) => Ok((region, offset + address.displacement)),
                _ => Err("an address depends on a word".to_owned()),
            },
            _ => Err("an address has an index".to_owned()),
        }
    }

    fn constant(&self, offset: i64, len: i64) -> Result<u64, String> {
        let at = usize::try_from(offset).ok().filter(|_| offset % len == 0);
        match at.and_then(|at| self.constants.get(at / len as usize)) {
            Some((k, bits)) if i64::from(*bits) == 8 * len => Ok(*k),
            _ => Err("there is no such constant".to_owned()),
        }
    }

    pub(super) fn load<W: Copy>(
        &self,
        machine: &Machine<W>,
        (region, offset): (Region, i64),
        len: i64,
    ) -> Result<Value<W>, String> {
        if let (Region::Stack, Value::Pointer(_, top)) = (region, machine.registers[4])
            && offset < top
        {
            return Err("it reads below the stack pointer".to_owned());
        }
        match machine.memory.get(&(region, offset)) {
            Some((Value::Undefined, _)) | None => {
                Err(format!("{region:?} + {offset} is not known"))
            }
            Some((value, stored)) if *stored == len => Ok(*value),
            Some(_) => Err(format!("{region:?} + {offset} is read in parts")),
        }
    }

    pub(super) fn store<W: Copy>(
        &self,
        machine: &mut Machine<W>,
        address: Address,
        value: Value<W>,
        len: i64,
    ) -> Result<(), String> {
        let (region, offset) = self.place(machine, address)?;
        let may = match (region, machine.registers[4]) {
            (Region::State, _) => (0..=self.state_len - len).contains(&offset),
            (Region::Stack, Value::Pointer(_, top)) => offset >= top && offset + len <= 0,
            _ => false,
        };
        if !may {
            return Err(format!("it writes to {region:?} + {offset}"));
        }
        let near = machine.memory.range((region, offset - 7)..(region, offset + len));
        let overlaps = near.filter(|((_, at), (_, l))| at + l > offset).map(|(k, _)| *k);
        let cut: Vec<_> = overlaps.collect();
        for key in cut {
            machine.memory.remove(&key);
        }
        machine.memory.insert((region, offset), (value, len));
        Ok(())
    }

    pub(super) fn pop<W: Copy>(&self, machine: &mut Machine<W>) -> Result<Value<W>, String> {
        let len = self.pointer_len();
        let top = self.place(machine, self.top())?;
        let value = self.load(machine, top, len)?;
        if let Value::Pointer(Region::Stack, top) = machine.registers[4] {
            machine.registers[4] = Value::Pointer(Region::Stack, top + len);
        }
        Ok(value)
    }

    pub(super) fn read<D: Domain>(
        &self,
        domain: &mut D,
        machine: &Machine<D::Word>,
        operand: Option<&Operand>,
        bits: u32,
    ) -> Result<Value<D::Word>, String> {
        match operand {
            Some(Operand::Register(register)) => match machine.registers[usize::from(register.0)] {
                Value::Undefined => Err(format!("{} is not known", register.name(bits))),
                // Half of an address is no address.
                Value::Pointer(..) | Value::Count(_) | Value::Callers(_) | Value::Return
                    if bits != self.pointer_bits =>
                {
                    Err(format!("{} is not known", register.name(bits)))
                }
                Value::Word(_) | Value::Reversed(_) if bits != self.word_bits => {
                    Err("a word is taken at another width".to_owned())
                }
                value => Ok(value),
            },
            Some(Operand::Memory(address)) => {
                let len = i64::from(bits / 8);
                match self.place(machine, *address)? {
                    (Region::Constants, offset) => {
                        let k = self.constant(offset, len)?;
                        Ok(Value::Word(domain.constant(k)))
                    }
                    place => match self.load(machine, place, len)? {
                        Value::Word(_) | Value::Reversed(_) if bits != self.word_bits => {
                            Err("a word is taken at another width".to_owned())
                        }
                        value => Ok(value),
                    },
                }
            }
            Some(Operand::Immediate(k)) if bits == self.word_bits => {
                Ok(Value::Word(domain.constant(self.mask(*k))))
            }
            Some(Operand::Immediate(_)) => Err("a constant has another width".to_owned()),
            None => Err("an operand is missing".to_owned()),
        }
    }

    pub(super) fn write<W: Copy>(
        &self,
        machine: &mut Machine<W>,
        to: Option<&Operand>,
        value: Value<W>,
        bits: u32,
    ) -> Result<(), String> {
        match to {
            Some(Operand::Register(register)) => {
                if *register == RSP && !matches!(value, Value::Pointer(Region::Stack, _)) {
                    return Err("the stack pointer is used for something else".to_owned());
                }
                machine.registers[usize::from(register.0)] = value;
                Ok(())
            }
            Some(Operand::Memory(address)) => {
                self.store(machine, *address, value, i64::from(bits / 8))
            }
            _ => Err("there is nothing to write to".to_owned()),
        }
    }
}
