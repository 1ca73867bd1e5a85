//! The PKCS #11 module behaves like a model of the standard for any sequence of calls, with valid
//! handles, stale ones, and ones from other sessions.
#![no_main]

#[path = "../../crates/ffi/tests/all/model/mod.rs"]
mod model;

use cryptoki_sys::{CK_FUNCTION_LIST, CK_RV, CKR_OK};
use lanesum_ffi as _;
use libfuzzer_sys::fuzz_target;
use model::{Choices, Module};

unsafe extern "C" {
    fn C_GetFunctionList(list: *mut *mut CK_FUNCTION_LIST) -> CK_RV;
}

/// The fuzzer's bytes, one or two for each choice.
struct Fuzzed<'d>(&'d [u8]);

impl Choices for Fuzzed<'_> {
    fn more(&mut self) -> bool {
        !self.0.is_empty()
    }

    fn below(&mut self, bound: usize) -> usize {
        let mut next = || self.0.split_off_first().map_or(0, |&byte| usize::from(byte));
        let number = if bound > 256 { next() << 8 | next() } else { next() };
        number % bound
    }
}

fuzz_target!(
    init: {
        // The library turns its panics into failed calls. Here every panic is a fault, including
        // the model's failed assertions.
        std::panic::set_hook(Box::new(|panic| {
            eprintln!("{panic}");
            std::process::abort();
        }));
    },
    |data: &[u8]| {
        // SAFETY: the function is the module's `C_GetFunctionList`.
        let module = unsafe { Module::linked(C_GetFunctionList) };
        assert_eq!(module.initialize(), CKR_OK);
        model::play(&module, &mut Fuzzed(data), "input");
        assert_eq!(module.finalize(), CKR_OK);
    }
);
