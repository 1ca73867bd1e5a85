//! The inputs of a step's lanes.

use lanesum_spec::Family;

use crate::choose::{Plan, Step};
use crate::words::{MAX_LANES, State, readable};

impl Step {
    /// Fills the remaining lanes of `data` with a copy of the first lane's bytes.
    #[inline]
    pub(crate) fn repeat(self, data: &mut [&[u8]]) {
        let first = data[0];
        data[self.used..self.width()].fill(first);
    }

    /// Returns the input of every lane: the live lanes' bytes, and a copy of the first lane's bytes for
    /// each dead lane, whose result is ignored.
    #[inline]
    pub(crate) fn data<'m, const LANES: usize>(
        self,
        live: impl Iterator<Item = &'m [u8]>,
    ) -> [&'m [u8]; LANES] {
        let mut data: [&[u8]; LANES] = [readable(&[]); LANES];
        data.iter_mut().zip(live).for_each(|(to, bytes)| *to = readable(bytes));
        self.repeat(&mut data);
        data
    }
}

/// Compresses the first `blocks` blocks of `data(l)` into lane l, for the first `live` lanes.
pub(crate) fn compress_lanes<'m>(
    plan: &Plan,
    family: Family,
    state: &mut State,
    live: usize,
    data: impl Fn(usize) -> &'m [u8],
    blocks: usize,
) {
    for step in plan.steps(live) {
        let data: [&[u8]; MAX_LANES] = step.data(step.lanes().map(&data));
        let data = &data[..step.kernel.lanes()];
        step.kernel.compress_in(family, state, step.first, data, blocks);
    }
}
