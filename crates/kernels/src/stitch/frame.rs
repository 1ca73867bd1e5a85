//! The entry and exit of a kernel, and its stack frame.
//!
//! A kernel uses the System V calling convention. Its arguments are the chaining value,
//! the blocks, their number, and its table: K, once for each block in a register, and
//! then shuffle masks.

use super::text::{R, Scalar, VectorIsa};

/// The remaining blocks, from the current one.
pub const DATA: R = "rsi";
/// K of the rounds sixteen before the current rounds of the schedule.
pub const K: R = "rbp";
/// W + K of the current rounds, if the block's W + K are all stored; otherwise, and
/// while blocks are loaded, the second block.
pub const WK: R = "rdi";
/// Stack slots: the end of the blocks, the blocks after the current ones, the chaining
/// value, the end of W + K in the second block's loop.
pub const END: &str = "end";
pub const NEXT: &str = "next";
pub const STATE: &str = "state";
pub const WK_END: &str = "wk end";

const SAVED: [&str; 6] = [STATE, END, NEXT, K, WK_END, "rsp"];
const KEPT: [R; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

pub struct Frame {
    pub isa: VectorIsa,
    /// The bytes of W + K at the bottom of the stack.
    pub wk_bytes: usize,
    /// The bytes of a block.
    pub block: usize,
}

impl Frame {
    pub fn saved(&self, what: &str) -> String {
        let i = SAVED.iter().position(|saved| *saved == what).expect("a place of this name");
        format!("[rsp+{}]", self.wk_bytes + 8 * i)
    }

    /// Saves the callee-saved registers, allocates the frame, and stores the arguments.
    pub fn enter(&self) -> Vec<String> {
        let mut lines: Vec<String> = KEPT.iter().map(|r| format!("push {r}")).collect();
        lines.push("mov rax, rsp".into());
        lines.push(format!("sub rsp, {}", (self.wk_bytes + 8 * SAVED.len()).next_multiple_of(64)));
        lines.push("and rsp, -64".into());
        lines.push(format!("mov {}, rax", self.saved("rsp")));
        lines.push(format!("mov {}, rdi", self.saved(STATE)));
        lines.push(format!("imul rdx, rdx, {}", self.block));
        lines.push(format!("add rdx, {DATA}"));
        lines.push(format!("mov {}, rdx", self.saved(END)));
        lines.push(format!("mov {K}, rcx"));
        lines
    }

    /// Stores the address `offset` bytes after `register`.
    pub fn save(&self, what: &str, register: R, offset: usize) -> Vec<String> {
        vec![format!("lea rax, [{register}+{offset}]"), format!("mov {}, rax", self.saved(what))]
    }

    /// Selects the block after the one at `DATA` to load, or the same one again if it is the last.
    pub fn second(&self) -> Vec<String> {
        if !self.isa.is_wide() {
            return Vec::new();
        }
        vec![
            format!("lea {WK}, [{DATA}+{}]", self.block),
            format!("cmp {WK}, {}", self.saved(END)),
            format!("cmovae {WK}, {DATA}"),
        ]
    }

    /// Selects the blocks to load next: the current ones again if there are no more.
    pub fn next(&self) -> Vec<String> {
        let blocks = if self.isa.is_wide() { 2 } else { 1 };
        let mut lines = vec![
            format!("lea r14, [{DATA}+{}]", blocks * self.block),
            format!("mov {}, r14", self.saved(NEXT)),
            format!("cmp r14, {}", self.saved(END)),
            format!("cmovb {DATA}, r14"),
        ];
        lines.extend(self.second());
        lines
    }

    /// Loads the chaining value, or adds it and stores the sum.
    pub fn state(&self, add: bool, words: &[R], bits: u32) -> Vec<String> {
        let mut s = Scalar::new(self.isa, bits);
        s.push(format!("mov r14, {}", self.saved(STATE)));
        for (i, &word) in words.iter().enumerate() {
            let place = format!("[r14+{}]", i * bits as usize / 8);
            s.op_memory(if add { "add" } else { "mov" }, word, &place);
            if add {
                let word = s.name(word);
                s.push(format!("mov {place}, {word}"));
            }
        }
        s.lines
    }

    pub fn leave(&self) -> Vec<String> {
        let mut lines = vec![format!("mov rsp, {}", self.saved("rsp"))];
        if self.isa.is_wide() {
            lines.push("vzeroupper".into());
        }
        lines.extend(KEPT.iter().rev().map(|r| format!("pop {r}")));
        lines.push("ret".into());
        lines
    }
}
