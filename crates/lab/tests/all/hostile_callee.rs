//! Hostile functions that call a function with its own proof.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::attack::{JUMP, jump};
use crate::common::shipped;
use lanesum_prove::{Binary, Image, Shipped, Task};

/// The library with a function whose stack begins `len` bytes lower.
fn lowered(kernel: Shipped, len: i32) -> Image {
    let len = len.to_le_bytes();
    around(kernel, |rest| {
        // lea rax, [rip + the end]; sub rsp, len; push rax
        let mut code = vec![0x48, 0x8d, 0x05];
        code.extend((rest as i32 + 7 + 1).to_le_bytes());
        code.extend([&[0x48, 0x81, 0xec][..], &len, &[0x50]].concat());
        // add rsp, len; ret
        (code, [&[0x48, 0x81, 0xc4][..], &len, &[0xc3]].concat())
    })
}

/// The library with a function that begins with `code`.
pub(crate) fn preceded_by(kernel: Shipped, code: &[u8]) -> Image {
    around(kernel, |_| (code.to_vec(), Vec::new()))
}

/// The library with code before and after the first instructions of a function, which move to another function. `code`
/// returns both parts, given the length of the moved instructions and of the jump that follows them.
fn around(kernel: Shipped, code: impl Fn(usize) -> (Vec<u8>, Vec<u8>)) -> Image {
    let image = shipped();
    let binary = Binary::find(image, kernel).unwrap();
    let (mut moved, mut next) = (Vec::new(), binary.entry());
    while moved.len() < JUMP {
        let instruction = binary.code().at(next).unwrap();
        moved.extend_from_slice(binary.bytes(instruction).unwrap());
        next = instruction.next;
    }
    let others = image.dispatched().iter().filter(|one| one.kernel.task == Task::Iterate);
    let cave = others.max_by_key(|one| image.function(one.address).map(|f| f.code.len()));
    let cave = cave.expect("another function").address;
    let (mut all, behind) = code(moved.len() + JUMP);
    let mut first = jump(binary.entry(), cave);
    first.resize(moved.len(), 0x90);
    all.extend(moved);
    all.extend(jump(cave + all.len() as u64, next));
    all.extend(behind);
    image.patched(binary.entry(), &first).patched(cave, &all)
}

/// Every thread has 64 KiB of stack. `finish` calls `compress`, which has its own proof: together their frames
/// must fit.
#[test]
fn frames_of_a_function_and_its_callee_fit_together() {
    let is_it = |one: &Shipped| one.to_string() == "bmi2_x1/sha256/finish";
    let finish = Shipped::all().find(is_it).expect("the function");
    let compress = Shipped { task: Task::Compress, ..finish };
    for (kernel, len, harm) in [
        (finish, 20_008, false),
        (finish, 40_008, true),
        (compress, 20_008, false),
        (compress, 40_008, true),
    ] {
        let image = lowered(kernel, len);
        let found = Binary::find(&image, kernel).unwrap().prove();
        assert_eq!(found.is_err(), harm, "{kernel} by {len}: {found:?}");
    }
}

/// `memset` needs stack, too.
#[test]
fn the_frame_of_a_function_leaves_stack_for_memset() {
    // sub rsp, imm32
    const FRAME: [u8; 3] = [0x48, 0x81, 0xec];
    let is_it = |one: &Shipped| one.to_string() == "avx512_2x16/md5/iterate";
    let kernel = Shipped::all().find(is_it).expect("the function");
    let entry = Binary::find(shipped(), kernel).unwrap().entry();
    let code = &shipped().function(entry).expect("its code").code;
    let frame = code.windows(FRAME.len()).position(|bytes| bytes == FRAME).expect("its frame");
    let len = entry + (frame + FRAME.len()) as u64;
    for (frame, harm) in [(56_000_u32, false), (65_000, true)] {
        let image = shipped().patched(len, &(frame & !63).to_le_bytes());
        let found = Binary::find(&image, kernel).unwrap().prove();
        assert_eq!(found.is_err(), harm, "{frame}: {found:?}");
        assert!(!harm || format!("{found:?}").contains("for memset"), "{found:?}");
    }
}
