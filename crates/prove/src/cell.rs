//! Locations of bytes in registers and memory.

use super::processor::Processor;
use super::value::{Byte, Pointer};

/// The location of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    General(usize, usize),
    Vector(usize, usize),
    Mask(usize, usize),
    Stack(i64),
    Frame(i64),
    State(usize),
}

impl Cell {
    pub(super) fn get<W: Copy>(self, machine: &Processor<W>) -> Byte<W> {
        match self {
            Self::General(i, j) => machine.general[i][j],
            Self::Vector(i, j) => machine.vectors[i][j],
            Self::Mask(i, j) => machine.masks[i][j],
            Self::Stack(offset) => machine.stack.get(offset),
            Self::Frame(offset) => machine.frame.get(offset),
            Self::State(i) => machine.state[i],
        }
    }

    pub(super) fn set<W: Copy>(self, machine: &mut Processor<W>, byte: Byte<W>) {
        match self {
            Self::General(i, j) => machine.general[i][j] = byte,
            Self::Vector(i, j) => machine.vectors[i][j] = byte,
            Self::Mask(i, j) => machine.masks[i][j] = byte,
            Self::Stack(offset) => machine.stack.set(offset, byte),
            Self::Frame(offset) => machine.frame.set(offset, byte),
            Self::State(i) => machine.state[i] = byte,
        }
    }

    /// All cells of a machine.
    pub(super) fn all<W: Copy>(machine: &Processor<W>) -> Vec<Self> {
        let general = (0..16).flat_map(|i| (0..8).map(move |j| Self::General(i, j)));
        let vectors = (0..32).flat_map(|i| (0..64).map(move |j| Self::Vector(i, j)));
        let masks = (0..8).flat_map(|i| (0..8).map(move |j| Self::Mask(i, j)));
        general
            .chain(vectors)
            .chain(masks)
            .chain(machine.stack.offsets().map(Self::Stack))
            .chain(machine.frame.offsets().map(Self::Frame))
            .chain((0..machine.state.len()).map(Self::State))
            .collect()
    }

    /// The cells that may hold an address or a number: groups of pointer size, and of four bytes.
    pub(super) fn of_numbers<W: Copy>(
        machine: &Processor<W>,
        Pointer(len): Pointer,
    ) -> Vec<Vec<Self>> {
        let mut all = Self::in_rows(machine, len);
        if len > 4 {
            all.extend(Self::in_rows(machine, 4));
        }
        all
    }

    fn in_rows<W: Copy>(machine: &Processor<W>, len: usize) -> Vec<Vec<Self>> {
        let all = |of: &dyn Fn(usize) -> Self| (0..len).map(of).collect();
        let every = |range: std::ops::Range<i64>| range.filter(|at| at.rem_euclid(len as i64) == 0);
        let general = (0..16).map(|i| all(&|j| Self::General(i, j)));
        let stack = every(machine.stack.offsets());
        let frame = every(machine.frame.offsets());
        general
            .chain(stack.map(|at| all(&|j| Self::Stack(at + j as i64))))
            .chain(frame.map(|at| all(&|j| Self::Frame(at + j as i64))))
            .collect()
    }
}
