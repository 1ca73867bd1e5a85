//! Tests of the search: programs that it must find, and comparisons with searches without its rules.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use Primitive::{Add, And, AndNot, Not, Or, Rotr, Shl, Shr, Sub, Xor};

/// The value of an operation on bytes, or on truth tables.
fn on_byte(operation: Primitive, x: u8, y: u8) -> u8 {
    match operation {
        Rotr(n) => x.rotate_right(n),
        Shr(n) => x >> n,
        Shl(n) => x << n,
        Xor => x ^ y,
        And => x & y,
        Or => x | y,
        AndNot => x & !y,
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Not => !x,
        Primitive::Ternary(_) => unreachable!("it has three operands"),
    }
}

fn on_bytes(operation: Primitive, x: [u8; 8], y: [u8; 8]) -> [u8; 8] {
    std::array::from_fn(|i| on_byte(operation, x[i], y[i]))
}

type ByteLanes = [u8; 8];

/// The shortest lengths, from all programs for registers of at most `limit` instructions. Any register
/// may be copied or overwritten, and the operands of an instruction differ. Returns the first length at
/// which each word exists. If the inputs `survive`, all of them must exist, too.
fn by_registers(
    operations: &[Primitive],
    inputs: &[ByteLanes],
    survive: bool,
    limit: usize,
) -> BTreeMap<ByteLanes, usize> {
    let mut states = BTreeSet::from([inputs.to_vec()]);
    let mut lengths = BTreeMap::new();
    for length in 0..=limit {
        let mut next = BTreeSet::new();
        for state in &states {
            let mut others = state.clone();
            if survive {
                for input in inputs {
                    if let Some(at) = others.iter().position(|word| word == input) {
                        others.remove(at);
                    }
                }
            }
            if !survive || others.len() + inputs.len() == state.len() {
                for &word in &others {
                    lengths.entry(word).or_insert(length);
                }
                if survive {
                    inputs.iter().for_each(|&word| _ = lengths.entry(word).or_insert(length));
                }
            }
            if length == limit {
                continue;
            }
            let mut add = |at: Option<usize>, word: ByteLanes| {
                let mut state = state.clone();
                match at {
                    Some(at) => state[at] = word,
                    None => state.push(word),
                }
                state.sort_unstable();
                next.insert(state);
            };
            for (x, &first) in state.iter().enumerate() {
                add(None, first);
                for &operation in operations {
                    if operation.arity() == 1 {
                        add(Some(x), on_bytes(operation, first, first));
                        continue;
                    }
                    for (y, &second) in state.iter().enumerate().filter(|(_, y)| **y != first) {
                        let word = on_bytes(operation, first, second);
                        if operation != AndNot {
                            add(Some(x), word);
                        }
                        if !matches!(operation, Sub) {
                            add(Some(y), word);
                        }
                    }
                }
            }
        }
        states = next;
    }
    lengths
}

/// The shortest lengths, from all programs whose results go to new registers.
fn by_words(
    operations: &[Primitive],
    words: &mut Vec<ByteLanes>,
    left: usize,
    inputs: usize,
    lengths: &mut BTreeMap<ByteLanes, usize>,
) {
    let length = words.len() - inputs;
    for &word in words.iter() {
        let shortest = lengths.entry(word).or_insert(length);
        *shortest = length.min(*shortest);
    }
    if left == 0 {
        return;
    }
    for x in 0..words.len() {
        for y in 0..words.len() {
            for &operation in operations {
                if (operation.arity() == 1) == (x == y) {
                    words.push(on_bytes(operation, words[x], words[y]));
                    by_words(operations, words, left - 1, inputs, lengths);
                    words.pop();
                }
            }
        }
    }
}

fn set(operations: &[Primitive], overwrites: Overwrites) -> Set {
    Set { name: "test", operations: operations.to_vec(), ternary: false, overwrites }
}

fn samples(inputs: &[ByteLanes], result: ByteLanes) -> Samples {
    let words =
        |bytes: &[ByteLanes]| bytes.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    Samples { inputs: words(inputs), results: words(&[result]) }
}

/// The truth tables of three words.
const TABLES: [ByteLanes; 3] = [[0xf0; 8], [0xcc; 8], [0xaa; 8]];
/// Bytes without a pattern.
const BYTE: [ByteLanes; 1] = [[0xb7, 0x1c, 0x93, 0x2e, 0x4d, 0xf8, 0x65, 0x0a]];

/// Compares the search with the `lengths` of another search up to `limit`, for every `step`-th word. For
/// functions without a length, the search must not find a program.
fn compare(
    set: &Set,
    inputs: &[ByteLanes],
    survive: bool,
    limit: usize,
    lengths: &BTreeMap<ByteLanes, usize>,
    step: usize,
) {
    let survivors = if survive { (1 << inputs.len()) - 1 } else { 0 };
    assert!(
        lengths.values().any(|&length| length == limit),
        "no word is {limit} instructions away"
    );
    for (&word, &length) in lengths.iter().step_by(step) {
        let samples = samples(inputs, word);
        let found = shortest::<8>(set, &[], &samples, survivors, [0, length], &|_| true);
        assert_eq!(found.at_least, length, "{set:?}, {word:02x?}, survive: {survive}");
        assert_eq!(found.program.expect("a program").lines.len(), length);
    }
    for table in (0..=255u8).filter(|&table| !lengths.contains_key(&[table; 8])) {
        let found = {
            let samples = samples(inputs, [table; 8]);
            shortest::<8>(set, &[], &samples, survivors, [0, limit], &|_| true)
        };
        assert!(found.program.is_none(), "{set:?}, {table:02x}");
    }
}

const LOGIC: [&[Primitive]; 3] = [&[And, Or, Not], &[Xor, And, Or, AndNot], &[Xor, And, Or, Not]];

#[test]
fn functions_of_bits_are_as_short_as_without_the_rules() {
    for operations in LOGIC {
        let mut lengths = BTreeMap::new();
        by_words(operations, &mut TABLES.to_vec(), 4, 3, &mut lengths);
        compare(&set(operations, Overwrites::Nothing), &TABLES, true, 4, &lengths, 1);
        for survive in [false, true] {
            let lengths = by_registers(operations, &TABLES, survive, 4);
            compare(&set(operations, Overwrites::Everything), &TABLES, survive, 4, &lengths, 1);
        }
    }
}

#[test]
fn functions_of_a_byte_are_as_short_as_without_the_rules() {
    let shifts: Vec<Primitive> = (1..8).flat_map(|n| [Rotr(n), Shr(n), Shl(n)]).collect();
    let all = [&shifts[..], &[Xor, And, Or, Add, Sub, Not, AndNot]].concat();
    let vector = [&shifts[14..], &[Xor, And, AndNot]].concat();
    for operations in [all, vector] {
        let mut lengths = BTreeMap::new();
        by_words(&operations, &mut BYTE.to_vec(), 3, 1, &mut lengths);
        compare(&set(&operations, Overwrites::Nothing), &BYTE, true, 3, &lengths, 97);
        for survive in [false, true] {
            let lengths = by_registers(&operations, &BYTE, survive, 4);
            compare(&set(&operations, Overwrites::Everything), &BYTE, survive, 4, &lengths, 997);
        }
    }
}

#[test]
fn a_search_that_skips_a_pair_of_operands_is_noticed() {
    let set = set(LOGIC[1], Overwrites::Nothing);
    let mut lengths = BTreeMap::new();
    by_words(LOGIC[1], &mut TABLES.to_vec(), 3, 3, &mut lengths);
    let missed = |pairs: fn(usize, usize) -> bool| {
        let missing = |&(&word, &length): &(&ByteLanes, &usize)| {
            let (samples, mut found) = (samples(&TABLES, word), false);
            let mut see = |_: &[Expression]| {
                found = true;
                true
            };
            Search::<8>::new(&set, &samples, 0, [length, 0], &mut see).skipping(pairs).run();
            !found
        };
        lengths.iter().filter(missing).count()
    };
    assert_eq!(missed(|_, _| true), 0);
    for pairs in [
        (|x, y| (x, y) != (0, 1)) as fn(usize, usize) -> bool,
        |x, y| (x, y) != (1, 2),
        |x, y| (x, y) != (0, 3),
        |x, y| (x, y) != (3, 4),
    ] {
        assert!(missed(pairs) > 0);
    }
}

#[test]
fn exclusive_or_takes_four_instructions_of_the_others() {
    let xor = samples(&TABLES[..2], [0xf0 ^ 0xcc; 8]);
    let set_of_three = set(&[And, Or, Not], Overwrites::Nothing);
    let found = shortest::<8>(&set_of_three, &[], &xor, 3, [0, 9], &|_| true);
    assert_eq!(found.at_least, 4);
    // One of two instructions, with a copy.
    let set = set(&[And, Sub, Or], Overwrites::Everything);
    let found = shortest::<8>(&set, &[], &xor, 3, [0, 9], &|_| true);
    // (x ∨ y) − (x ∧ y).
    assert_eq!(found.at_least, 5);
}

/// Runs a program as its lines state.
fn run<const WIDTH: u32>(program: &StraightLine, inputs: &[u64]) -> Vec<u64> {
    let mut registers = inputs.to_vec();
    for line in &program.lines {
        let from = line.from.map(|register| registers[register]);
        let word =
            line.operation.map_or(from[0], |operation| search::evaluate::<WIDTH>(operation, from));
        registers.resize(registers.len().max(line.to + 1), 0);
        registers[line.to] = word;
    }
    registers
}

/// Checks a program by evaluation, and that it obeys its set.
fn check(
    function: &WordFunction,
    set: &Set,
    survive: bool,
    found: &Minimum,
    spec: fn(&WordFunction, &[u64]) -> u64,
) {
    let what = format!("{} on {}", function.name, set.name);
    let program = found.program.as_ref().unwrap_or_else(|| panic!("{what}: no program"));
    assert_eq!(program.lines.len(), found.at_least, "{what}");
    let mut written: usize = function.inputs.len();
    for line in &program.lines {
        let arity = line.operation.map_or(1, Primitive::arity);
        let overwritten = line.operation.map_or(&[][..], |operation| set.overwritten(operation));
        if overwritten.is_empty() {
            assert!(line.to == written, "{what}: {line:?} overwrites a register");
        } else {
            let in_place = overwritten.iter().any(|&at| line.from[at] == line.to);
            assert!(in_place, "{what}: {line:?} has another destination");
        }
        assert!(line.from[..arity].iter().all(|&register| register < written));
        written = written.max(line.to + 1);
    }
    let mut state = 1u64;
    for _ in 0..200 {
        let inputs: Vec<u64> = (0..function.inputs.len())
            .map(|_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                function.graph.mask(state ^ state >> 29)
            })
            .collect();
        let registers = match function.width() {
            32 => run::<32>(program, &inputs),
            _ => run::<64>(program, &inputs),
        };
        let result = function.graph.mask(registers[program.results[0]]);
        assert_eq!(result, spec(function, &inputs), "{what}: {program:?}");
        if survive {
            assert_eq!(registers[..inputs.len()], inputs, "{what}: {program:?}");
        }
    }
}

/// The specification, on numbers.
fn specified(function: &WordFunction, inputs: &[u64]) -> u64 {
    use lanesum_spec::{W32, W64};
    fn sigmas<V: Variant, W: Word<Int = V::Int>>(name: &str, x: W) -> W {
        match name {
            "Σ0" => big_sigma(x, V::BIG_SIGMA0),
            "Σ1" => big_sigma(x, V::BIG_SIGMA1),
            "σ0" => sigma(x, V::SIGMA0),
            _ => sigma(x, V::SIGMA1),
        }
    }
    let words: Vec<W64> = inputs.iter().copied().map(W64).collect();
    match (function.name, words[..].get(..3)) {
        ("Ch", Some(&[x, y, z])) => W64::ch(x, y, z).0,
        ("Maj", Some(&[x, y, z])) => W64::maj(x, y, z).0,
        ("Parity", Some(&[x, y, z])) => W64::xor3(x, y, z).0,
        (name, _) if function.width() == 32 => {
            sigmas::<Sha256, W32>(name, W32(inputs[0] as u32)).0.into()
        }
        (name, _) => sigmas::<Sha512, W64>(name, words[0]).0,
    }
}

#[test]
fn ch_maj_and_parity_have_these_minimums() {
    // Operands survive, operands may be overwritten: Ch, Maj, Parity.
    let expected = [
        ("risc", [[3, 4, 2], [3, 4, 2]]),
        ("x86-plain", [[4, 6, 3], [3, 4, 2]]),
        ("x86-bmi", [[4, 5, 3], [3, 4, 2]]),
        ("sse2", [[4, 6, 3], [3, 4, 2]]),
        ("avx2", [[3, 4, 2], [3, 4, 2]]),
        ("avx512", [[2, 2, 2], [1, 1, 1]]),
    ];
    for (set, (name, minimums)) in Set::all(64, false).iter().zip(expected) {
        assert_eq!(set.name, name);
        for (survive, minimums) in [true, false].into_iter().zip(minimums) {
            for (function, minimum) in WordFunction::bitwise().iter().zip(minimums) {
                let found = function.minimum(set, survive, 7);
                assert_eq!(found.at_least, minimum, "{} on {name}", function.name);
                check(function, set, survive, &found, specified);
            }
        }
    }
}

#[test]
fn maj_with_a_word_of_the_last_round_has_these_minimums() {
    let expected = [("risc", 3), ("x86-plain", 4), ("x86-bmi", 4), ("sse2", 4), ("avx2", 3)];
    for (set, (name, minimum)) in Set::all(64, false).iter().zip(expected) {
        let found = WordFunction::next_maj().minimum(set, true, 7);
        assert_eq!((set.name, found.at_least), (name, minimum));
        assert_eq!(found.program.expect("a program").lines.len(), minimum);
    }
    for function in WordFunction::of_two_rounds() {
        let found = function.minimum(&Set::gates(), true, 7);
        assert_eq!(found.at_least, 6, "{}", function.name);
        assert!(found.program.is_some());
    }
}

#[test]
fn maj_takes_three_gates_per_round() {
    let facts = amortized();
    assert!(facts.is_proof(), "{facts:?}");
    assert!(facts.double > 0, "{facts:?}");
    // For other functions it is not proven, or false.
    assert!(!amortized::verify(|x, y, z| x ^ y ^ z).is_proof());
    assert!(!amortized::verify(|x, y, z| (x & y) ^ (!x & z)).is_proof());
    assert!(!amortized::verify(|x, y, _| x & y).is_proof());
}

/// Compares the minimums of Σ0, Σ1, σ0 and σ1 with the expected ones. Their operand survives.
fn compare_sigmas(functions: &[WordFunction; 4], expected: &[(&str, [usize; 4])]) {
    for &(name, minimums) in expected {
        let sets = Set::all(functions[0].width(), true);
        let set = sets.iter().find(|set| set.name == name).expect("a set");
        for (function, minimum) in functions.iter().zip(minimums) {
            let found = function.proven(set, true);
            assert_eq!(found.at_least, minimum, "{} on {name}", function.name);
            check(function, set, true, &found, specified);
        }
    }
}

#[test]
fn sigmas_have_these_minimums() {
    let expected = [
        ("risc", [5; 4]),
        ("x86-plain", [6, 6, 7, 7]),
        ("x86-bmi", [5, 5, 6, 6]),
        ("avx512", [4; 4]),
    ];
    compare_sigmas(&WordFunction::linear_256(), &expected);
    compare_sigmas(&WordFunction::linear_512(), &[("avx512", [4; 4])]);
}

#[test]
fn functions_with_their_addition_and_free_copies_have_these_minimums() {
    let functions = WordFunction::bitwise().into_iter().chain(WordFunction::summed());
    let functions = functions.chain([WordFunction::next_maj()]);
    // A part of a function that is added separately saves no instruction.
    for (function, minimum) in functions.zip([3, 4, 2, 4, 5, 3]) {
        let set = Set::without_copies(function.width(), false);
        let found = function.minimum(&set, true, 6);
        assert_eq!(found.at_least, minimum, "{}", function.name);
        assert!(found.program.is_some_and(|program| function.is_proven(&program)));
    }
    let word = WordFunction::word_of_sha1();
    let found = word.minimum(&Set::without_copies(word.width(), true), true, 5);
    assert_eq!(found.at_least, 4);
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn long_searches_have_the_stated_results() {
    for long in LONG {
        let functions = WordFunction::linear_256().into_iter().chain(WordFunction::linear_512());
        let is_this = |f: &WordFunction| (f.name, f.width()) == (long.function, long.width);
        let function = functions.into_iter().find(is_this).expect("a function");
        let mut sets = Set::all(long.width, true);
        sets.push(Set::without_copies(long.width, true));
        let set = sets.iter().find(|set| set.name == long.set).expect("a set");
        let found = function.minimum(set, true, long.limit);
        let what = format!("{} on {}", long.function, long.set);
        assert_eq!((found.at_least, found.tried), (long.at_least, long.tried), "{what}");
        assert_eq!(found.program.is_some(), long.limit == long.at_least, "{what}");
        if found.program.is_some() {
            check(&function, set, true, &found, specified);
        }
    }
}

#[test]
fn a_solved_last_instruction_is_the_same_as_a_tried_one() {
    let [x, y] = [0x243f_6a88_85a3_08d3u64, 0x1319_8a2e_0370_7344];
    for z in [0xa409_3822_299f_31d0, x ^ y, x & !y, x | y, !x] {
        for result in (0..=u8::MAX)
            .map(|table| search::evaluate::<64>(Primitive::Ternary(table), [x, y, z]))
            .chain([x.rotate_right(1), x.wrapping_add(y)])
        {
            let solved = search::tables([x, y, z], result);
            for table in 0..=u8::MAX {
                let word = search::evaluate::<64>(Primitive::Ternary(table), [x, y, z]);
                assert_eq!(search::is_between(table, solved), word == result, "{z:x} {table:x}");
            }
        }
    }
}

#[test]
fn changed_programs_are_not_proven() {
    for (function, linear) in WordFunction::bitwise()
        .into_iter()
        .map(|f| (f, false))
        .chain(WordFunction::linear_256().map(|f| (f, true)))
    {
        let set = &Set::all(function.width(), linear)[5];
        let program = function.minimum(set, true, 4).program.expect("a program");
        assert!(function.is_proven(&program));
        for at in 0..program.lines.len() {
            let mut changed = program.clone();
            let line = &mut changed.lines[at];
            line.operation = line.operation.map(|operation| match operation {
                Rotr(n) => Rotr(n % 31 + 1),
                Shr(n) => Shr(n % 31 + 1),
                Primitive::Ternary(table) => Primitive::Ternary(table ^ 8),
                _ => Not,
            });
            assert_eq!(
                function.is_proven(&changed),
                changed == program,
                "{}, {changed:?}",
                function.name
            );
            let mut shorter = program.clone();
            shorter.lines.remove(at);
            let mut written: Vec<usize> = (0..function.inputs.len()).collect();
            let complete = shorter.lines.iter().all(|line| {
                written.push(line.to);
                line.from.iter().all(|from| written[..written.len() - 1].contains(from))
            });
            let complete = complete && program.results.iter().all(|to| written.contains(to));
            assert!(
                !complete || !function.is_proven(&shorter),
                "{} without line {at}",
                function.name
            );
        }
    }
}
