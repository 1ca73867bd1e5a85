//! The rounds and the schedule of FIPS 180-4 as SystemVerilog.

use std::fmt::Write;

use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::{Family, sha1};

/// Names of the state's words.
pub(super) const LETTERS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// K_t, sections 4.2.1 to 4.2.3.
pub(super) fn constant(family: Family, t: usize) -> u64 {
    match family {
        Family::Sha1 => u64::from(sha1::K[t / 20]),
        Family::Sha256 => u64::from(Sha256::K[t]),
        _ => Sha512::K[t],
    }
}

/// Functions on words, sections 3.2 and 4.1. Ch and Maj use ∨ instead of ⊕, which is equivalent for
/// them.
pub(super) fn functions(family: Family, used: &str) -> String {
    let width = family.word_bits();
    let bits = format!("[{}:0]", width - 1);
    let mut out = String::new();
    for n in (1..width).filter(|n| used.contains(&format!("rotr_{n}("))) {
        let _ = writeln!(
            out,
            "  function {bits} rotr_{n}(input {bits} x);\n    rotr_{n} = {{x[{}:0], x[{}:{n}]}};\n  endfunction",
            n - 1,
            width - 1
        );
    }
    for (name, value) in [
        ("ch", "(x & y) | (~x & z)"),
        ("maj", "(x & y) | (x & z) | (y & z)"),
        ("parity", "x ^ y ^ z"),
    ] {
        let _ = writeln!(
            out,
            "  function {bits} {name}(input {bits} x, input {bits} y, input {bits} z);\n    \
             {name} = {value};\n  endfunction"
        );
    }
    if used.contains("rotl_5(") {
        out += &rotated_pair();
    }
    out
}

/// ROTL^5 of the sum of two words, computed from the sum of the shifted words.
pub(super) fn rotated_pair() -> String {
    "  function [31:0] rotl_5(input [31:0] x, input [31:0] y);\n    \
     rotl_5 = {x[26:0], 5'd0} + {y[26:0], 5'd0} + ((x + y) >> 27);\n  endfunction\n"
        .to_owned()
}

/// f_t, section 4.1.1.
pub(super) fn function(t: usize) -> &'static str {
    ["ch", "parity", "maj", "parity"][t / 20]
}

/// The rotations of Σ0, Σ1, σ0 and σ1; the last amount of each σ is a shift.
fn rotations(family: Family) -> [[u32; 3]; 4] {
    if family == Family::Sha256 {
        [[2, 13, 22], [6, 11, 25], [7, 18, 3], [17, 19, 10]]
    } else {
        [[28, 34, 39], [14, 18, 41], [1, 8, 7], [19, 61, 6]]
    }
}

/// W_{r+i}, section 6.1.2 or 6.2.2 step 1.
pub(super) fn schedule(family: Family, i: usize) -> String {
    let w = |back: usize| format!("w{}", i - back);
    if family == Family::Sha1 {
        return format!("rotr_31({} ^ {} ^ {} ^ {})", w(3), w(8), w(14), w(16));
    }
    let [_, _, s0, s1] = rotations(family);
    let small =
        |x: &str, [a, b, c]: [u32; 3]| format!("(rotr_{a}({x}) ^ rotr_{b}({x}) ^ ({x} >> {c}))");
    format!("{} + {} + {} + {}", small(&w(2), s1), w(7), small(&w(15), s0), w(16))
}

/// Emits round t, number `i` of the cycle: section 6.1.2 or 6.2.2 step 3, with `k` for K_t and `w`
/// for W_t. For SHA-1 with pairs, `rotated` is ROTL^5(a); the new word is then a free variable, and
/// its required sum a separate wire.
pub(super) fn round(
    family: Family,
    prefix: &str,
    i: usize,
    t: usize,
    k: &str,
    w: &str,
    rotated: Option<&str>,
) -> String {
    let bits = format!("[{}:0]", family.word_bits() - 1);
    let words = &LETTERS[..family.state_words()];
    let before: Vec<String> = words
        .iter()
        .map(|w| if i == 0 { (*w).to_owned() } else { format!("{prefix}{w}_after{i}") })
        .collect();
    let mut out = String::new();
    let mut wire = |name: String, value: &str| {
        let _ = writeln!(out, "  wire {bits} {name} = {value};");
    };
    let after = |w: &str| format!("{prefix}{w}_after{}", i + 1);
    if let [a, b, c, d, e] = &before[..] {
        let f = function(t);
        let rest = format!("{f}({b}, {c}, {d}) + {e} + {k} + {w}");
        match rotated {
            Some(x) => wire(format!("{prefix}a_sum{}", i + 1), &format!("{x} + {rest}")),
            None => wire(after("a"), &format!("rotr_27({a}) + {rest}")),
        }
        wire(after("b"), a);
        wire(after("c"), &format!("rotr_2({b})"));
        wire(after("d"), c);
        wire(after("e"), d);
    } else if let [a, b, c, d, e, f, g, h] = &before[..] {
        let [s0, s1, ..] = rotations(family);
        let big = |x: &str, n: [u32; 3]| {
            format!("(rotr_{}({x}) ^ rotr_{}({x}) ^ rotr_{}({x}))", n[0], n[1], n[2])
        };
        let t1 = format!("{prefix}t1_{i}");
        wire(t1.clone(), &format!("{h} + {} + ch({e}, {f}, {g}) + {k} + {w}", big(e, s1)));
        wire(after("a"), &format!("{t1} + {} + maj({a}, {b}, {c})", big(a, s0)));
        wire(after("e"), &format!("{d} + {t1}"));
        for (w, old) in ["b", "c", "d", "f", "g", "h"].into_iter().zip([a, b, c, e, f, g]) {
            wire(after(w), old);
        }
    }
    if rotated.is_some() {
        let _ = writeln!(out, "  (* anyseq *) wire {bits} {};", after("a"));
    }
    out
}
