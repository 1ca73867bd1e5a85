//! An entry of the kernel table, and the macro that defines one.

use lanesum_spec::Family;

use super::abi::Functions;
use super::costs::{CORE_COUNT, COSTS};
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
    pub(super) families: &'static [FamilyEntry],
}

/// A kernel's functions and costs for one family. The prover depends on its layout.
#[repr(C)]
pub(super) struct FamilyEntry {
    pub(super) family: Family,
    pub(super) functions: Functions,
    /// The cost of one block in every lane, in tenths of a cycle, on each core: the default
    /// of a policy.
    pub(super) costs: [u32; CORE_COUNT],
}

/// The cost of a kernel before its first measurement: no plan prefers it.
pub(super) const UNMEASURED: u32 = 1_000_000;

impl FamilyEntry {
    /// Pairs `functions` with the costs that the cost table has for `kernel` and `family`, or [`UNMEASURED`].
    pub(super) const fn of(kernel: &str, family: Family, functions: Functions) -> Self {
        let mut i = 0;
        while i < COSTS.len() {
            let (name, of, costs) = COSTS[i];
            if of as u8 == family as u8 && same(name, kernel) {
                return Self { family, functions, costs };
            }
            i += 1;
        }
        Self { family, functions, costs: [UNMEASURED; _] }
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
        $($(#[$cfg:meta])? $family:ident: $functions:expr),* $(,)?) => {
        pub(in crate::kernel) static $kernel: $crate::kernel::Entry = $crate::kernel::Entry {
            name: stringify!($name),
            tier: $crate::kernel::Tier::$tier,
            lanes: $lanes,
            supported: || $crate::base::supported!([$($feature),*]),
            families: if $crate::kernel::entry::is_compiled($crate::kernel::Tier::$tier, $lanes) {
                &[$($(#[$cfg])? $crate::kernel::entry::FamilyEntry::of(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::planted::functions;
    use crate::kernel::table::ALL;

    fn unmeasured(name: &str, entries: &[FamilyEntry]) -> Vec<String> {
        let entries = entries.iter().filter(|entry| entry.costs.contains(&UNMEASURED));
        entries.map(|entry| format!("{name} {}", entry.family.name())).collect()
    }

    #[test]
    fn every_kernel_has_a_cost() {
        let functions = functions::<u32>().any();
        let planted = FamilyEntry::of("portable_x3", Family::Sha1, functions);
        assert_eq!(unmeasured("portable_x3", &[planted]), ["portable_x3 sha1"]);
        let all = ALL.iter().filter(|entry| !entry.name.starts_with("planted"));
        let without: Vec<_> =
            all.flat_map(|entry| unmeasured(entry.name, entry.families)).collect();
        assert!(without.is_empty(), "without a cost in crates/model/costs.toml: {without:?}");
    }
}
