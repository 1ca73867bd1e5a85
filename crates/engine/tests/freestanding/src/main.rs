//! Hashes a few messages with only `core`, and compares the digests with published ones. The exit
//! status is 0, or the number of the check that failed.
//!
//! Only the parts that start files and a C library usually provide are unsafe: the entry point, the
//! exit, and the memory functions that compilers call.
#![no_std]
#![no_main]

use core::arch::{asm, naked_asm};
use core::panic::PanicInfo;

use lanesum::{Algorithm, Done, Hasher, Kernel, Lanes, Policy, Tier, hash_many};

/// The exit status after a panic.
const PANICKED: i32 = 101;

/// The program's entry point.
///
/// # Safety
///
/// Only the system may call it. It aligns the stack to 16 bytes, as functions require before their
/// return address is pushed.
#[unsafe(no_mangle)]
#[unsafe(naked)]
unsafe extern "C" fn _start() -> ! {
    naked_asm!("xor ebp, ebp", "and rsp, -16", "call {main}", "ud2", main = sym main)
}

extern "C" fn main() -> ! {
    exit(check())
}

/// Ends the process with the system call `exit_group`.
fn exit(status: i32) -> ! {
    // SAFETY: the call does not return and accesses no memory.
    unsafe {
        asm!("syscall", in("rax") 231, in("rdi") status, options(noreturn, nostack));
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    exit(PANICKED)
}

/// Messages and the first four bytes of their SHA-1, SHA-256 and SHA-512 digests: the examples of
/// FIPS 180-4, and the empty message.
const KNOWN: [(&[u8], [[u8; 4]; 3]); 3] = [
    (b"", [[0xda, 0x39, 0xa3, 0xee], [0xe3, 0xb0, 0xc4, 0x42], [0xcf, 0x83, 0xe1, 0x35]]),
    (b"abc", [[0xa9, 0x99, 0x3e, 0x36], [0xba, 0x78, 0x16, 0xbf], [0xdd, 0xaf, 0x35, 0xa1]]),
    (
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        [[0x84, 0x98, 0x3e, 0x44], [0x24, 0x8d, 0x6a, 0x61], [0x20, 0x4a, 0x8f, 0xc6]],
    ),
];

fn check() -> i32 {
    // CPUID detects more features than the target has: every CPU that runs this has SSSE3.
    if !Kernel::all().any(|kernel| kernel.tier() == Tier::Ssse3) {
        return 1;
    }
    for (a, algorithm) in
        [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512].into_iter().enumerate()
    {
        // The specification itself.
        for (message, digests) in KNOWN {
            if lanesum_spec::digest(algorithm, message)[..4] != digests[a] {
                return 2;
            }
            let mut hasher = Hasher::new(algorithm);
            message.chunks(5).for_each(|piece| {
                hasher.update(piece);
            });
            if hasher.finish().as_bytes()[..4] != digests[a] {
                return 3;
            }
        }
        // Each kernel, including portable ones, in lanes that are full and refilled.
        for kernel in Kernel::all().filter(|kernel| kernel.supports(algorithm)) {
            let Ok(engine) = Policy::fixed(kernel).engine(algorithm) else { return 6 };
            let mut lanes = Lanes::new(engine);
            let mut right = 0;
            for i in 0..50 {
                right += i32::from(is_right(lanes.push(numbered(i)), a));
            }
            for done in lanes.drain() {
                right += i32::from(is_right(Some(done), a));
            }
            if right != 50 {
                return 4;
            }
        }
        let messages = KNOWN.map(|(message, _)| message);
        let mut digests = [lanesum::hash(algorithm, b"not yet"); 3];
        hash_many(algorithm, &messages, &mut digests);
        if (0..3).any(|i| digests[i].as_bytes()[..4] != KNOWN[i].1[a]) {
            return 5;
        }
    }
    0
}

/// A known message with its number.
type Numbered = (usize, &'static [u8]);

fn numbered(i: usize) -> Numbered {
    let number = i % KNOWN.len();
    (number, KNOWN[number].0)
}

fn is_right(done: Option<Done<Numbered>>, algorithm: usize) -> bool {
    let Some(Done { message, digest: Ok(digest) }) = done else { return false };
    digest.as_bytes()[..4] == KNOWN[message.0].1[algorithm]
}

/// The functions that compilers call to copy and compare memory, which a kernel provides. They are
/// assembly, because a compiler could turn a loop into a call of the function itself.
mod memory {
    use core::arch::naked_asm;

    /// # Safety
    ///
    /// The arguments must be valid for the C function.
    #[unsafe(no_mangle)]
    #[unsafe(naked)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
        naked_asm!("mov rax, rdi", "mov rcx, rdx", "rep movsb", "ret")
    }

    /// # Safety
    ///
    /// The arguments must be valid for the C function.
    #[unsafe(no_mangle)]
    #[unsafe(naked)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
        naked_asm!(
            "mov rax, rdi",
            "mov rcx, rdx",
            "cmp rdi, rsi",
            "jbe 2f",
            // Backwards, so that bytes not yet copied are not overwritten.
            "lea rdi, [rdi + rcx - 1]",
            "lea rsi, [rsi + rcx - 1]",
            "std",
            "rep movsb",
            "cld",
            "ret",
            "2:",
            "rep movsb",
            "ret",
        )
    }

    /// # Safety
    ///
    /// The arguments must be valid for the C function.
    #[unsafe(no_mangle)]
    #[unsafe(naked)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, n: usize) -> *mut u8 {
        naked_asm!("mov r8, rdi", "mov eax, esi", "mov rcx, rdx", "rep stosb", "mov rax, r8", "ret")
    }

    /// # Safety
    ///
    /// The arguments must be valid for the C function.
    #[unsafe(no_mangle)]
    #[unsafe(naked)]
    unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        naked_asm!(
            "xor eax, eax",
            "xor ecx, ecx",
            "2:",
            "cmp rcx, rdx",
            "je 3f",
            "movzx eax, byte ptr [rdi + rcx]",
            "movzx r8d, byte ptr [rsi + rcx]",
            "inc rcx",
            "sub eax, r8d",
            "je 2b",
            "3:",
            "ret",
        )
    }

    /// # Safety
    ///
    /// The arguments must be valid for the C function.
    #[unsafe(no_mangle)]
    #[unsafe(naked)]
    unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        naked_asm!("jmp {memcmp}", memcmp = sym memcmp)
    }
}
