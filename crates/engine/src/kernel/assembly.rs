//! Kernels that are assembly, in the memory of this process.

/// A function whose machine code is assembled from text that `lanesum-graph` generates.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    /// The path of the function in the object code.
    pub function: &'static str,
    /// Its first instruction.
    pub code: *const (),
    /// The table that its callers pass. Other functions have their constants after their instructions.
    pub table: Option<*const ()>,
}

// SAFETY: the pointers are only numbers: nothing is accessed through them without `unsafe`.
unsafe impl Sync for Assembly {}
