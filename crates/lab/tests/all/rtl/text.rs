//! The text of generated files, and options that change only it.

use lanesum_rtl::{
    Core, Language, Options, Simulation, Technology, WordOrder, core, files, package, prove,
};
use lanesum_spec::Algorithm;

use crate::rtl::{Numbers, expected, random_block, streamed};

/// One core of every kind.
fn cores() -> Vec<Core> {
    let technology = Technology::named("osu018").unwrap();
    let mut all = Vec::new();
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let one = Options { technology: technology.clone(), ..Options::new(algorithm, 1) };
        all.push(Options { unfold: 4, ..one.clone() });
        all.push(Options { chain: true, ..one.clone() });
        all.push(Options { stages: 4, unfold: 2, ..one.clone() });
        if algorithm != Algorithm::SHA1 {
            all.push(Options { technology: technology.clone(), ..streamed(algorithm) });
        }
        all.push(Options { clock_gate: true, ..one.clone() });
        all.push(one);
    }
    all.iter().map(|options| core(options).unwrap()).collect()
}

/// Signals are named after the plan, lines have at most 100 characters, and every file states its
/// license.
#[test]
fn generated_text_is_readable() {
    for core in cores() {
        for language in [Language::Sv, Language::Vhdl] {
            for (name, text) in files(&core, language) {
                if name.ends_with(".hex") {
                    continue;
                }
                assert!(text.lines().take(3).any(|l| l.contains("SPDX-License-Identifier: MIT")));
                for line in text.lines() {
                    // A comment that was split from its line would continue as code.
                    let bare = line.trim_start();
                    let split =
                        ["//", "--"].iter().any(|sign| bare != *sign && line.ends_with(sign));
                    assert!(!split, "{name}: {line}");
                    assert!(line.chars().count() <= 100, "{name}: {line}");
                    assert_eq!(line, line.trim_end(), "{name}");
                }
                let source = name.ends_with(".sv") && !name.contains('/');
                assert!(!source || text.contains("`default_nettype none\n"), "{name}");
                let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let mut numbered = words.filter(|word| {
                    word.strip_prefix('n').is_some_and(|n| n.parse::<u32>().is_ok())
                });
                assert!(!source || numbered.next().is_none(), "{name}: {:?}", core.options);
            }
        }
    }
}

/// All modules and files have the prefix, so that two cores can be in one design. Files that testbenches read have fixed names.
#[test]
fn a_name_replaces_every_module_name() {
    for language in [Language::Sv, Language::Vhdl] {
        let one = Options { name: Some("left_1".to_owned()), ..Options::new(Algorithm::SHA1, 2) };
        let shell = Options { name: one.name.clone(), ..streamed(Algorithm::SHA256) };
        for options in [one, shell] {
            for (name, text) in files(&core(&options).unwrap(), language) {
                let file = name.rsplit('/').next().unwrap();
                let is_read = ["vectors.hex", "lanesum_stream_tb.svh"].contains(&file);
                assert!(file.starts_with("left_1") || is_read, "{name}");
                assert!(!text.contains("sha1_core") && !text.contains("lanesum_sha2"), "{name}");
            }
        }
    }
}

/// Every input except the clock has a delay.
#[test]
fn constraints_list_every_input_except_the_clock() {
    for core in cores().iter().filter(|core| !core.options.stream) {
        let [_, (_, text)] = package(core, "left_1", &files(core, Language::Sv));
        let (_, listed) = text.split_once("get_ports {").unwrap();
        let mut listed: Vec<_> = listed.split('}').next().unwrap().split_whitespace().collect();
        let bits = |words: u32| if words == 1 { "" } else { "[*]" };
        let inputs = core.netlist.inputs.iter();
        let inputs = inputs.map(|p| format!("{}{}", p.name, bits(p.width * p.words as u32)));
        let mut wanted: Vec<_> = inputs.chain(["rst_ni".to_owned()]).collect();
        listed.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(listed, wanted);
    }
}

/// The first word is in the highest bits. The proof and the values do not change otherwise.
#[test]
fn the_word_order_reverses_the_words_of_ports() {
    let mut numbers = Numbers(13);
    for algorithm in [Algorithm::SHA1, Algorithm::SHA512] {
        let options = Options { word_order: WordOrder::HighFirst, ..Options::new(algorithm, 4) };
        let core = core(&options).unwrap();
        prove(&core, 2).unwrap();
        let (state, block) = random_block(algorithm.family(), &mut numbers);
        let reversed = |words: &[u64]| words.iter().rev().copied().collect::<Vec<u64>>();
        let mut simulation = Simulation::new(&core.netlist);
        simulation.clock();
        simulation.set("block_valid_i", &[1]);
        simulation.set("block_i", &reversed(&block));
        simulation.set("state_i", &reversed(&state));
        for _ in 0..core.latency {
            simulation.clock();
        }
        simulation.settle();
        assert_eq!(simulation.get("state_valid_o"), [1]);
        let value = expected(algorithm.family(), &state, &block);
        assert_eq!(simulation.get("state_o"), reversed(&value));
    }
}
