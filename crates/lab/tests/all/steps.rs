//! The printed steps of a proof, checked by an independent reader: every line is evaluated on
//! numbers.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::process::Command;

use crate::common::random;
use crate::refused::{folder, shipped};

fn steps(kernel: &str) -> String {
    let file = folder().join(format!("{kernel}-steps.s"));
    fs::write(&file, shipped(kernel)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"));
    let output = command.args(["prove", "--steps", kernel]).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

struct Judge {
    bits: u32,
    inputs: HashMap<u64, u64>,
    forms: Vec<u64>,
    nodes: Vec<u64>,
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

impl Judge {
    fn mask(&self, k: u64) -> u64 {
        k & (u64::MAX >> (64 - self.bits))
    }

    fn rotated(&self, x: u64, n: u64) -> u64 {
        let n = n as u32 % self.bits;
        if n == 0 { x } else { self.mask(x >> n | x << (self.bits - n)) }
    }

    /// The value of a form, in terms of earlier forms.
    fn form(&self, text: &str) -> u64 {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let form = |text: &str| self.forms[number(text) as usize];
        match kind {
            "input" => self.inputs[&number(rest)],
            "sum" => {
                let mut terms = rest.split(" + ");
                let first = number(terms.next().unwrap());
                let sum = terms.fold(first, |sum, term| {
                    let (times, of) = term.split_once(" * ").unwrap();
                    sum.wrapping_add(number(times).wrapping_mul(form(of)))
                });
                self.mask(sum)
            }
            "polynomial" => rest.split(" ^ ").fold(0, |sum, product| {
                let ones = self.mask(u64::MAX);
                let variables = product.split(" & ").filter(|variable| !variable.is_empty());
                sum ^ variables.fold(ones, |product, variable| {
                    let (of, n) = variable.split_once(">>>").unwrap();
                    product & self.rotated(form(of), number(n))
                })
            }),
            "shr" => {
                let (of, n) = rest.split_once(' ').unwrap();
                form(of) >> number(n)
            }
            other => panic!("{other} is not a form"),
        }
    }

    fn node(&self, text: &str) -> u64 {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [name, rest @ ..] = &words[..] else { panic!("{text}") };
        let mut operands = Vec::new();
        let mut k = 0;
        for word in rest {
            if word.starts_with("0x") {
                k = number(word);
            } else {
                operands.push(self.nodes[number(word) as usize]);
            }
        }
        let result = match (*name, &operands[..]) {
            ("input", _) => self.inputs[&k],
            ("constant", _) => k,
            ("add", all) => all.iter().fold(k, |sum, x| sum.wrapping_add(*x)),
            ("sub", [x, y]) => x.wrapping_sub(*y),
            ("and", [x, y]) => x & y,
            ("andnot", [x, y]) => x & !y,
            ("or", [x, y]) => x | y,
            ("xor", all) => all.iter().fold(0, |sum, x| sum ^ x),
            ("not", [x]) => !x,
            ("rotr", [x]) => self.rotated(*x, k),
            ("shr", [x]) => x >> k,
            ("shl", [x]) => x << k,
            ("ch", [x, y, z]) => x & y | !x & z,
            ("maj", [x, y, z]) => x & y | x & z | y & z,
            _ => panic!("{text} is not a node"),
        };
        self.mask(result)
    }
}

/// The first line that is wrong on numbers, and the number of lines of each kind.
fn judged(text: &str, bits: u32, seed: &mut u64) -> (Option<String>, HashMap<&'static str, usize>) {
    let inputs = (0..200).map(|i| (i, random(seed) >> (64 - bits))).collect();
    let mut judge = Judge { bits, inputs, forms: Vec::new(), nodes: Vec::new() };
    let mut counts = HashMap::new();
    let mut claims = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let kind = match words[..] {
            ["form", x, "+", "form", y, "=", "form", sum, ..] => {
                let [x, y, sum] = [x, y, sum].map(|id| judge.forms[number(id) as usize]);
                if judge.mask(x.wrapping_add(y)) != sum || x & y != 0 {
                    return (Some(line.to_owned()), counts);
                }
                "joined"
            }
            ["form", i, "=", ..] => {
                assert_eq!(number(i) as usize, judge.forms.len());
                let value = judge.form(line.split_once(" = ").unwrap().1);
                judge.forms.push(value);
                "form"
            }
            ["node", i, "=", ..] => {
                assert_eq!(number(i) as usize, judge.nodes.len());
                let (node, form) =
                    line.split_once(" = ").unwrap().1.split_once(" : form ").unwrap();
                let form = number(form.split_once(" by ").unwrap().0) as usize;
                let value = judge.node(node);
                judge.nodes.push(value);
                if value != judge.forms[form] {
                    return (Some(line.to_owned()), counts);
                }
                "node"
            }
            _ if line.contains(" by form ") || line.starts_with("halves: ") => {
                claims.push(line);
                "equal"
            }
            _ if line.starts_with("invariant") => "invariant",
            _ if line.contains(" by Flags ") => "branch",
            _ => continue,
        };
        *counts.entry(kind).or_default() += 1;
    }
    for line in claims {
        let words: Vec<&str> = line.split_whitespace().collect();
        let nodes = words.windows(2).filter(|pair| pair[0] == "node");
        let nodes: Vec<u64> =
            nodes.map(|pair| judge.nodes[number(pair[1].trim_end_matches(':')) as usize]).collect();
        let is = match nodes[..] {
            // The xor of the two words equals its part in the upper half.
            [x, y, differ, shifted] => {
                differ == shifted && x ^ y == differ && differ << (64 - bits / 2) == 0
            }
            [x, y] => x == y,
            _ => false,
        };
        if !is {
            return (Some(line.to_owned()), counts);
        }
    }
    (None, counts)
}

#[test]
fn steps_are_true_and_changed_steps_are_detected() {
    for (kernel, bits) in [("sha256_bmi2", 32), ("sha512_i686", 64)] {
        let text = steps(kernel);
        let mut seed = 3;
        let (wrong, counts) = judged(&text, bits, &mut seed);
        assert_eq!(wrong, None, "{kernel}");
        println!("{kernel}: {counts:?}");
        // Words held in two halves have no sums that are split this way.
        let joined = if bits == 32 { "joined" } else { "form" };
        for kind in ["form", "node", "equal", "invariant", "branch", joined] {
            assert!(counts.get(kind).is_some_and(|n| *n > 0), "{kernel}: no {kind}");
        }
        assert!(text.contains(" by rotation of every variable"), "{kernel}");
        // Wrong rules and steps.
        let with = |line: &str, other: String| {
            text.replacen(&format!("{line}\n"), &format!("{other}\n"), 1)
        };
        // Only forms that some node has.
        let of_nodes: BTreeSet<&str> = text
            .lines()
            .filter_map(|line| line.split_once(" : form ")?.1.split_once(" by "))
            .map(|(form, _)| form)
            .collect();
        let is_used = |line: &&str| match line.split_once(" = ").map(|(own, _)| own) {
            Some(own) if own.starts_with("form ") && !own.contains('+') => {
                of_nodes.contains(own.trim_start_matches("form "))
            }
            _ => true,
        };
        let line = |what: &str| {
            let all = text.lines().filter(|line| line.contains(what)).filter(is_used);
            let all: Vec<&str> = all.collect();
            *all.get(all.len() / 2).unwrap_or_else(|| panic!("{kernel}: no line has {what}"))
        };
        let mut changed = vec![
            with(line(" = sum "), line(" = sum ").replacen("0x1 *", "0x3 *", 1)),
            with(line(" = sum "), line(" = sum ").to_owned() + " + 0x1 * 0"),
            with(line(">>>"), line(">>>").replacen(">>>", ">>>1", 1)),
            with(line(" & "), line(" & ").replacen(" & ", " ^ ", 1)),
            with(line(" = shr "), line(" = shr ").replacen(" 0x", " 0x1", 1)),
            with(line(" = rotr "), line(" = rotr ").replacen("rotr", "shl", 1)),
            with(line(" = xor "), line(" = xor ").replacen("xor", "or", 1)),
            with(line(" = add "), line(" = add ").replacen("add", "xor", 1)),
        ];
        if bits == 32 {
            let joined = line(" by no common bit");
            changed.push(with(joined, joined.replacen("= form ", "= form 1", 1)));
        }
        let equal = text.lines().rfind(|line| line.starts_with("in the end")).unwrap();
        let words: Vec<&str> = equal.split_whitespace().collect();
        let at = words.iter().rposition(|word| *word == "node").unwrap() + 1;
        let other = equal.replacen(&format!("= node {}", words[at]), "= node 3", 1);
        changed.push(with(equal, other));
        for (i, changed) in changed.iter().enumerate() {
            assert_ne!(*changed, text, "{kernel}: {i}");
            let wrong = std::panic::catch_unwind(|| judged(changed, bits, &mut 3).0);
            assert!(!matches!(wrong, Ok(None)), "{kernel}: change {i} is not detected");
        }
    }
}
