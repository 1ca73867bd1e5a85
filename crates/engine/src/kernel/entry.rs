//! An entry of the kernel table, and the macro that defines one.

use lanesum_spec::Family;

use super::abi::Functions;
use super::costs::{COSTS, VENDORS};
use super::tier::Tier;
use crate::base::same;

/// A kernel of the table: an instruction set, a number of lanes, and functions for some families.
/// The prover depends on its layout.
#[repr(C)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) tier: Tier,
    pub(super) lanes: usize,
    pub(super) supported: fn() -> bool,
    pub(super) jobs: &'static [Job],
}

/// A kernel's functions and costs for one family. The prover depends on its layout.
#[repr(C)]
pub(super) struct Job {
    pub(super) family: Family,
    pub(super) functions: Functions,
    /// The cost of one block in every lane, in tenths of a cycle, on CPUs of each of [`VENDORS`]:
    /// the default of a policy.
    pub(super) costs: [u32; VENDORS.len()],
}

impl Job {
    /// Pairs `functions` with the costs that the cost table has for `kernel` and `family`.
    pub(super) const fn of(kernel: &str, family: Family, functions: Functions) -> Self {
        let mut i = 0;
        while i < COSTS.len() {
            let (name, of, costs) = COSTS[i];
            if of as u8 == family as u8 && same(name, kernel) {
                return Self { family, functions, costs };
            }
            i += 1;
        }
        panic!("a kernel without a line in costs.rs: `lanesum-graph costs` makes it")
    }
}

impl Entry {
    /// Whether the kernel is compiled and this CPU supports it.
    pub(super) fn runs_here(&self) -> bool {
        self.is_compiled() && (self.supported)()
    }

    pub(super) const fn is_compiled(&self) -> bool {
        is_compiled(self.tier, self.lanes)
    }
}

/// Whether a build contains the kernels of `tier` with `lanes` lanes.
///
/// Without optimization every intermediate vector is on the stack: a function with several lanes
/// needs up to 2 MiB, and is slower than single-message assembly. Intrinsics of x86's SHA
/// instructions are slower too.
pub(super) const fn is_compiled(tier: Tier, lanes: usize) -> bool {
    !cfg!(lanesum_unoptimized) || lanes == 1 && !matches!(tier, Tier::ShaNi | Tier::Sha512Ni)
}

/// Defines the static `$kernel`, named `$name`. `$feature`s are detected at run time.
macro_rules! kernel {
    ($kernel:ident = $name:ident, $tier:ident, lanes = $lanes:expr, features = [$($feature:tt),*],
        $($family:ident: $functions:expr),* $(,)?) => {
        pub(in crate::kernel) static $kernel: $crate::kernel::Entry = $crate::kernel::Entry {
            name: stringify!($name),
            tier: $crate::kernel::Tier::$tier,
            lanes: $lanes,
            supported: || $crate::base::supported!([$($feature),*]),
            jobs: if $crate::kernel::entry::is_compiled($crate::kernel::Tier::$tier, $lanes) {
                &[$($crate::kernel::entry::Job::of(
                    stringify!($name),
                    lanesum_spec::Family::$family,
                    $functions.any(),
                )),*]
            } else {
                &[]
            },
        };
    };
}
pub(super) use kernel;
