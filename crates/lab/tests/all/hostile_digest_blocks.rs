//! Hostile functions that write the digests of messages of one block.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::hostile_callee::preceded_by;
use lanesum_prove::{Binary, Shipped, Task};

/// A call without expanded padding is proven for every chaining value, and not only executed with random ones.
#[test]
fn a_block_without_expanded_padding_is_proven() {
    // test r8, r8; jne over the rest
    const WITHOUT_PADDING: [u8; 5] = [0x4d, 0x85, 0xc0, 0x75, 0x09];
    // cmp dword ptr [rdi], the first word of SHA-256's initial value; jne over ret; ret
    const RETURN: [u8; 9] = [0x81, 0x3f, 0x67, 0xe6, 0x09, 0x6a, 0x75, 0x01, 0xc3];
    const NOTHING: [u8; 9] = [0x90; 9];
    let is_it = |one: &Shipped| one.to_string() == "sha_ni_x1/sha256/digest_blocks";
    let kernel = Shipped::all().find(is_it).expect("the function");
    for (then, harm) in [(NOTHING, false), (RETURN, true)] {
        let code = [&WITHOUT_PADDING[..], &then].concat();
        let image = preceded_by(kernel, &code);
        let found = Binary::find(&image, kernel).unwrap().prove();
        assert_eq!(found.is_err(), harm, "{found:?}");
    }
}

/// The bytes before the rest of a message count in its length, for every kernel.
#[test]
fn the_bytes_before_are_not_ignored() {
    // xor ecx, ecx; or r8, r8
    const IGNORE: [u8; 2] = [0x31, 0xc9];
    const NOTHING: [u8; 3] = [0x4d, 0x09, 0xc0];
    let kernels: Vec<Shipped> =
        Shipped::all().filter(|one| one.task == Task::DigestBlocks).collect();
    assert!(kernels.len() >= 6);
    for kernel in kernels {
        for (code, harm) in [(&NOTHING[..], false), (&IGNORE, true)] {
            let found = Binary::find(&preceded_by(kernel, code), kernel).unwrap().prove();
            assert_eq!(found.is_err(), harm, "{kernel}: {found:?}");
        }
    }
}
