//! Exhaustive tests of the claims about flags, signs, bounds and addresses on 8-bit registers: all
//! operands, and all block counts and lengths that fit. A claim is a known flag, a decided
//! condition, or a result that is a number or an address.
//!
//! The CPU model is a second implementation, with wider numbers.

use super::address::{Address, Region};
use super::call::{Blocks, Call, Left, Stride};
use super::case::{Case, Lengths};
use super::code::Code;
use super::contract::{Argument, Contract};
use super::domain::{Numbers, Operation};
use super::features::Features;
use super::flags::Condition;
use super::image::{Function, Image};
use super::instruction::Mnemonic;
use super::lengths::{Bits, Count, DIFFERENCE_LEN, LengthOf};
use super::processor::Flags;
use super::value::{Byte, Pointer, number};
use lanesum_spec::Family;

const REGISTER: Pointer = Pointer(1);

/// An empty image with empty code.
struct Nothing {
    image: Image,
    code: Code,
    contract: Contract,
}

impl Nothing {
    fn new() -> Self {
        Self::with_addresses(REGISTER)
    }

    fn with_addresses(pointer: Pointer) -> Self {
        let image = Image::empty(pointer);
        let function = Function { name: String::new(), address: 0, code: Vec::new() };
        // The decoder does not support 1-byte addresses, but there is nothing to decode.
        let code = Code::new(&Image::empty(Pointer(8)), &function);
        let contract = Contract {
            arguments: Vec::new(),
            lanes: 2,
            word_len: 1,
            words: 1,
            ..Contract::of_emitted(Family::Sha1, Features::of_kernel("sse2_x1"))
        };
        Self { image, code, contract }
    }

    /// A call with two lanes, and blocks of sixteen 1-byte words.
    fn call(&self, blocks: Blocks) -> Call<'_, u64> {
        Call {
            image: &self.image,
            code: &self.code,
            contract: &self.contract,
            stride: Stride::Is(2),
            lane: 0,
            message: &[],
            blocks,
            link: Vec::new(),
            difference: &[],
            padding_block: &[],
            half: 0,
            lengths: None,
            compress: None,
            conditions: None,
            trace: Vec::new(),
        }
    }
}

/// A case without facts.
fn some_case() -> Case<u64> {
    Case {
        uniform: false,
        expanded: Vec::new(),
        chaining: Vec::new(),
        length: [0; 2],
        data: vec![0; 16],
        end: vec![0; 16],
        ends_at: None,
        len: None,
        facts: Vec::new(),
    }
}

/// The result and flags of an 8-bit CPU.
fn cpu(operation: Operation, x: u8, y: u8) -> (u8, [bool; 4]) {
    let (wide_x, wide_y) = (i32::from(x), i32::from(y));
    let (signed_x, signed_y) = (i32::from(x as i8), i32::from(y as i8));
    let (wide, signed) = match operation {
        Operation::Add => (wide_x + wide_y, signed_x + signed_y),
        Operation::Sub => (wide_x - wide_y, signed_x - signed_y),
        Operation::And => (wide_x & wide_y, signed_x & signed_y),
        Operation::Or => (wide_x | wide_y, signed_x | signed_y),
        Operation::Xor => (wide_x ^ wide_y, signed_x ^ signed_y),
        _ => panic!("{operation:?}"),
    };
    let result = wide as u8;
    let carry = !(0..256).contains(&wide);
    let overflow = !(-128..128).contains(&signed);
    (result, [result == 0, carry, result >> 7 == 1, overflow])
}

/// Whether a jump is taken, according to Intel's manual.
fn taken(condition: Condition, [zero, carry, sign, overflow]: [bool; 4]) -> bool {
    match condition {
        Condition::E => zero,
        Condition::Ne => !zero,
        Condition::B => carry,
        Condition::Ae => !carry,
        Condition::Be => carry | zero,
        Condition::A => !carry & !zero,
        Condition::S => sign,
        Condition::Ns => !sign,
        Condition::L => sign ^ overflow,
        Condition::Ge => !(sign ^ overflow),
        Condition::Le => zero | (sign ^ overflow),
        Condition::G => !zero & !(sign ^ overflow),
    }
}

const CONDITIONS: [Condition; 12] = {
    use Condition::{A, Ae, B, Be, E, G, Ge, L, Le, Ne, Ns, S};
    [E, Ne, B, Ae, Be, A, S, Ns, L, Ge, Le, G]
};

fn claims(flags: Flags) -> [Option<bool>; 4] {
    [flags.zero, flags.carry, flags.sign, flags.overflow]
}

fn agree(claims: [Option<bool>; 4], flags: [bool; 4]) -> bool {
    claims.iter().zip(flags).all(|(claim, flag)| claim.is_none_or(|claim| claim == flag))
}

/// The exact value of a symbolic number, with k blocks done, n in total, and a slice of `len` elements.
fn exact(x: Address, [k, n, len]: [i64; 3]) -> i64 {
    let of = if x.of == Count::Blocks { n } else { len };
    i64::from(x.done) * k + i64::from(x.total) * of + x.offset
}

/// The value of a symbolic number in a register.
fn at(x: Address, count: [i64; 3]) -> u8 {
    exact(x, count) as u8
}

/// Whether the claim that bytes make allows this value.
fn is(result: &[Byte<u64>], value: u8, of: &mut dyn FnMut(Address) -> u8) -> bool {
    match result[0] {
        Byte::Number(claim) => claim == value,
        Byte::Address(address, 0) => of(address) == value,
        Byte::Bits(known, claim, _) => value & known == claim,
        _ => true,
    }
}

/// All possible (k, n) with `left` blocks left, without a slice.
fn counts(call: &Call<'_, u64>, left: Left, begun: bool) -> Vec<[i64; 3]> {
    let most = call.most_blocks();
    let all = (0..=most).flat_map(|k| (0..=most).map(move |n| [k, n, 0]));
    all.filter(|&[k, ..]| begun || k == 0)
        .filter(|&[k, n, _]| match left {
            Left::Exactly(least) => n - k == least as i64,
            Left::AtLeast(least) => n - k >= least as i64,
        })
        .collect()
}

/// All possible (k, n, len): a slice has at least `each` elements per block, and at most as many as an object has bytes.
fn counts_of_slices(
    call: &Call<'_, u64>,
    left: Left,
    begun: bool,
    each: i64,
) -> impl Iterator<Item = [i64; 3]> + use<> {
    let most = call.pointer().most();
    let all = counts(call, left, begun).into_iter();
    all.flat_map(move |[k, n, _]| (each * n..=most).map(move |len| [k, n, len]))
}

/// The numbers of remaining blocks, and whether some are done.
const STATES: [(Left, bool); 4] = [
    (Left::Exactly(1), true),
    (Left::AtLeast(1), false),
    (Left::AtLeast(1), true),
    (Left::AtLeast(2), true),
];

/// Flags and results for two numbers that depend on the number of blocks: any first offset, and
/// second offsets where a flag changes.
#[test]
fn flags_of_numbers_of_blocks_are_the_cpus() {
    let is_near =
        |j: &i64| [0, 16, 64, 127, 192, 240, 255].iter().any(|edge| (j - edge).abs() <= 1);
    let claimed = flags_of_numbers_agree(&(0..256).filter(is_near).collect::<Vec<_>>());
    assert!(claimed > 100_000, "{claimed}");
}

/// Flags and results for two numbers that depend on the number of blocks: any offsets.
#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn flags_of_any_numbers_of_blocks_are_the_cpus() {
    let claimed = flags_of_numbers_agree(&(0..256).collect::<Vec<_>>());
    assert!(claimed > 1_000_000, "{claimed}");
}

/// Compares the claims about two numbers of blocks with the CPU, for each of these second offsets. Returns
/// the number of claims.
fn flags_of_numbers_agree(offsets: &[i64]) -> u64 {
    let nothing = Nothing::new();
    // k, n, both, 2n - k, and constants.
    let shapes = [(0, 0), (1, 0), (0, 1), (-1, 1), (-1, 2), (16, 0), (0, 16)]
        .map(|(done, total)| Address { done, total, ..Address::new(Region::Number, 0) });
    let claimed = STATES.map(|(left, begun)| {
        let call = nothing.call(Blocks::Any { left, begun });
        flags_agree(&call, &counts(&call, left, begun), &shapes, offsets)
    });
    claimed.iter().sum()
}

/// Compares the claims about two numbers of these shapes with the CPU, for any first offset and each of these
/// second offsets. Returns the number of claims.
fn flags_agree(
    call: &Call<'_, u64>,
    counts: &[[i64; 3]],
    shapes: &[Address],
    offsets: &[i64],
) -> u64 {
    let mut domain = Numbers { bits: 8 };
    let mut words = call.words(&mut domain);
    let mut claimed = 0u64;
    for (x_of, y_of) in shapes.iter().flat_map(|x| shapes.iter().map(move |y| (*x, *y))) {
        for (i, j) in (0..256).flat_map(|i| offsets.iter().map(move |&j| (i, j))) {
            let [a, b] = [(x_of, i), (y_of, j)].map(|(x, offset)| x.plus(REGISTER.signed(offset)));
            let [x, y] = [a, b].map(|x| REGISTER.bytes::<u64>(x));
            // Masks are supported only if they are constants.
            for name in [Operation::Add, Operation::Sub, Operation::And, Operation::Or] {
                if !matches!(name, Operation::Add | Operation::Sub) && !y_of.is_fixed() && a != b {
                    continue;
                }
                let Ok((result, flags)) = call.binary_operation(&mut words, name, &x, &y) else {
                    continue;
                };
                let claims = claims(flags);
                if claims == [None; 4] && !matches!(result[0], Byte::Address(..)) {
                    continue;
                }
                claimed += 1;
                for &count in counts {
                    let (value, flags) = cpu(name, at(a, count), at(b, count));
                    let same = is(&result, value, &mut |address| at(address, count));
                    assert!(
                        agree(claims, flags) && same,
                        "{name:?} {a:?}, {b:?} at {count:?}: {claims:?} {result:?}, not {flags:?} {value}"
                    );
                }
            }
        }
    }
    claimed
}

/// Flags and results for numbers that depend on the length of a slice of blocks or suspects.
#[test]
fn flags_of_lengths_of_slices_are_the_cpus() {
    let nothing = Nothing::new();
    let mut claimed = 0;
    for (of, each) in [(Count::Slice(0), 16), (Count::Suspects, 2)] {
        for (left, begun) in STATES {
            let call = nothing.call(Blocks::Any { left, begun });
            let number = |done, total, of| Address { done, ..Address::counted(total, of) };
            let shapes =
                [number(0, 0, Count::Blocks), number(0, 1, of), number(-each as i32, 1, of)];
            // Every eleventh length, and the least and greatest ones.
            let most = call.pointer().most();
            let is_some = |&[_, n, len]: &[i64; 3]| {
                len % 11 == 0 || [each * n, each * n + 1, most].contains(&len)
            };
            let counts = counts_of_slices(&call, left, begun, each).filter(is_some);
            claimed += flags_agree(
                &call,
                &counts.collect::<Vec<_>>(),
                &shapes,
                &[0, 1, 16, 127, 128, 129, 255],
            );
        }
    }
    assert!(claimed > 10_000, "{claimed}");
}

/// Bounds and signs of numbers that depend on the length of a slice, for any length. The slice of a difference does
/// not fit in memory with one-byte addresses.
#[test]
fn bounds_of_lengths_of_slices_include_all_of_them() {
    let wide = Pointer(2);
    let any = STATES.map(|(left, begun)| Blocks::Any { left, begun });
    let of_blocks = [(Count::Slice(0), 16), (Count::Suspects, 2)];
    let all = of_blocks.into_iter().flat_map(|of| any.map(|blocks| (REGISTER, of, blocks)));
    let difference = (Count::Difference(0), DIFFERENCE_LEN as i64);
    for (pointer, (of, each), blocks) in all.chain([(wide, difference, Blocks::Are(1))]) {
        let nothing = Nothing::with_addresses(pointer);
        let call = nothing.call(blocks);
        let most = call.pointer().most();
        let counts: Vec<[i64; 3]> = match blocks {
            Blocks::Any { left, begun } => counts_of_slices(&call, left, begun, each).collect(),
            Blocks::Are(n) => (each * n as i64..=most).map(|len| [0, n as i64, len]).collect(),
        };
        assert!(!counts.is_empty());
        let mut signs = 0;
        for (done, total) in (-3..=3).flat_map(|done| (-3..=3).map(move |total| (done, total))) {
            let x = Address { done: done * each as i32, ..Address::counted(total, of) };
            let x = if total == 0 { Address { of: Count::Blocks, ..x } } else { x };
            let edges = [-most - 1, -each, -1, 0, 1, each, most];
            for x in edges.map(|offset| x.plus(offset)) {
                let [least, greatest] = call.bounds(x);
                let (is_exact, sign) = (call.is_exact(x), call.is_negative(x));
                let order = call.against_zero(x);
                signs += usize::from(sign.is_some());
                for &count in &counts {
                    let value = exact(x, count);
                    let fits = (-most - 1..=most).contains(&value);
                    assert!(
                        (least..=greatest).contains(&value.into())
                            && (fits || !is_exact)
                            && sign.is_none_or(|sign| sign == (value < 0))
                            && order.is_none_or(|order| order == value.cmp(&0)),
                        "{x:?} at {count:?}: {value}, not {least} to {greatest}, {sign:?}, {order:?}"
                    );
                }
            }
        }
        assert!(signs > 10, "{of:?}: {signs}");
    }
}

/// Flags of addresses in a slice, and behind it, wherever a slice of any length is.
#[test]
fn flags_of_places_in_slices_are_the_cpus() {
    let nothing = Nothing::new();
    let mut domain = Numbers { bits: 8 };
    let page = REGISTER.page() as i64;
    let mut claimed = 0;
    for (left, begun) in STATES {
        let call = nothing.call(Blocks::Any { left, begun });
        let counts = Vec::from_iter(counts_of_slices(&call, left, begun, 16));
        let mut words = call.words(&mut domain);
        for (done, total, of) in [
            (0, 0, Count::Blocks),
            (16, 0, Count::Blocks),
            (0, 16, Count::Blocks),
            (0, 1, Count::Slice(0)),
            (0, 1, Count::Slice(1)),
            (-16, 1, Count::Slice(0)),
        ] {
            for offset in -128..128 {
                let shape = Address { done, ..Address::counted(total, of) };
                let place = Address { region: Region::Message(0), ..shape.plus(offset) };
                let x = REGISTER.bytes::<u64>(place);
                for (name, y) in [(Operation::And, x.clone()), (Operation::Sub, number(0, 1))] {
                    let Ok((_, flags)) = call.binary_operation(&mut words, name, &x, &y) else {
                        continue;
                    };
                    let claims = claims(flags);
                    if claims == [None; 4] {
                        continue;
                    }
                    claimed += 1;
                    for &[k, n, len] in &counts {
                        // Another slice may be longer.
                        let own = if of == Count::Slice(1) { call.pointer().most() } else { len };
                        let count = [k, n, own];
                        for base in page..=256 - len - page {
                            let x = (base + exact(place, count)) as u8;
                            let y = if name == Operation::And { x } else { 0 };
                            let (_, flags) = cpu(name, x, y);
                            assert!(
                                agree(claims, flags),
                                "{name:?} {place:?} at {count:?}, the slice at {base}: {claims:?}, not {flags:?}"
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(claimed > 100, "{claimed}");
}

/// Iterations are counted by 32 bits, however small memory is.
#[test]
fn lengths_of_arrays_are_bounded_with_every_number_of_iterations() {
    let mut nothing = Nothing::new();
    nothing.contract.arguments.push(Argument::Iterations);
    let call = nothing.call(Blocks::Any { left: Left::AtLeast(1), begun: true });
    let x = Address { done: 2, ..Address::counted(1, Count::Words(0)) };
    assert!(call.bounds(x)[1] >= 2 * i128::from(u32::MAX));
    assert!(!call.is_exact(x));
}

/// Shifts and products of such numbers, and their zero flags.
#[test]
fn shifts_and_products_of_numbers_of_blocks_are_the_cpus() {
    let nothing = Nothing::new();
    let mut domain = Numbers { bits: 8 };
    let (left, begun) = (Left::AtLeast(1), true);
    let call = nothing.call(Blocks::Any { left, begun });
    let counts = counts(&call, left, begun);
    let mut words = call.words(&mut domain);
    let mut claimed = 0;
    for (done, total) in [(1, 0), (0, 1), (-1, 1), (3, -2)] {
        for offset in 0..256 {
            let a =
                Address { done, total, ..Address::new(Region::Number, REGISTER.signed(offset)) };
            let x = REGISTER.bytes::<u64>(a);
            for n in 0..8u64 {
                for function in [Operation::ShiftLeft, Operation::ShiftRight] {
                    let Ok(result) = words.shifted(function, &x, n) else { continue };
                    claimed += 1;
                    for &count in &counts {
                        let x = at(a, count);
                        let value = if function == Operation::ShiftLeft { x << n } else { x >> n };
                        let same = is(&result, value, &mut |address| at(address, count));
                        assert!(same, "{function:?} {a:?} by {n} at {count:?}: {result:?}");
                    }
                }
            }
            for k in 0..256u64 {
                let Ok(result) = words.product(&x, &number(k, 1)) else { continue };
                claimed += 1;
                for &count in &counts {
                    let value = at(a, count).wrapping_mul(k as u8);
                    let same = is(&result, value, &mut |address| at(address, count));
                    assert!(same, "{a:?} times {k} at {count:?}: {result:?}");
                }
            }
        }
    }
    assert!(claimed > 10_000, "{claimed}");
}

/// Flags of addresses, for every location of an object relative to the address at which the sign
/// changes.
#[test]
fn flags_of_places_are_the_cpus_wherever_the_object_is() {
    let nothing = Nothing::new();
    // Four bytes: the addresses of two lanes' messages.
    let len = 4;
    let page = REGISTER.page() as i64;
    let bases = page..=256 - len - page;
    let claimed = flags_of_places_agree(&nothing.call(Blocks::Are(1)), Region::Data, bases);
    assert!(claimed > 10_000, "{claimed}");
    // A message without blocks may be anywhere, and its pointer may be null. That of a slice is not.
    let message = Region::Message(0);
    let empty = nothing.call(Blocks::Are(0));
    flags_of_places_agree(&empty, message, 0..=255);
    let contract = &Contract { arguments: vec![Argument::Slices], ..nothing.contract.clone() };
    let claimed = flags_of_places_agree(&Call { contract, ..empty }, message, 1..=255);
    assert!(claimed > 100, "{claimed}");
}

/// Compares the claims of `call` about addresses in `region` with the CPU's flags, for a region at
/// each of these addresses. Returns the number of claims.
fn flags_of_places_agree(
    call: &Call<'_, u64>,
    region: Region,
    bases: std::ops::RangeInclusive<i64>,
) -> usize {
    let mut domain = Numbers { bits: 8 };
    let mut words = call.words(&mut domain);
    let mut claimed = 0;
    let place = |offset: i64| Address::new(region, REGISTER.signed(offset));
    let mere = |offset: i64| Address::new(Region::Number, REGISTER.signed(offset));
    for (i, j) in (0..256).flat_map(|i| (0..256).map(move |j| (i, j))) {
        for (a, b) in [(place(i), place(j)), (place(i), mere(j)), (mere(i), place(j))] {
            let [x, y] = [a, b].map(|x| REGISTER.bytes::<u64>(x));
            for name in [Operation::Add, Operation::Sub, Operation::And] {
                let Ok((result, flags)) = call.binary_operation(&mut words, name, &x, &y) else {
                    continue;
                };
                let claims = claims(flags);
                if claims == [None; 4] && !matches!(result[0], Byte::Address(..)) {
                    continue;
                }
                claimed += 1;
                // A result without claims about flags does not depend on the region's address.
                let step = if claims == [None; 4] { 16 } else { 1 };
                for base in bases.clone().step_by(step) {
                    let of = |x: Address| match x.region {
                        Region::Number => x.offset as u8,
                        _ => (base + x.offset) as u8,
                    };
                    let (value, flags) = cpu(name, of(a), of(b));
                    let same = is(&result, value, &mut |address| of(address));
                    assert!(
                        agree(claims, flags) && same,
                        "{name:?} {a:?}, {b:?}, the object at {base}: {claims:?} {result:?}, not {flags:?}"
                    );
                }
            }
        }
    }
    claimed
}

/// The lengths of two messages and a block, with known facts.
#[derive(Clone, Copy)]
pub(super) struct Of2 {
    pub(super) own: i64,
    pub(super) other: i64,
    pub(super) k: i64,
}

impl Of2 {
    pub(super) fn of(self, x: Address) -> i64 {
        let length = |of: LengthOf| match of {
            LengthOf::Lane(0) => self.own,
            LengthOf::Lane(_) => self.other,
            LengthOf::Shortest(_) => self.own.min(self.other),
            LengthOf::Longest(_) => self.own.max(self.other),
        };
        let n = match x.of {
            Count::Length(of) => length(of),
            Count::Whole(of) => length(of) / 16,
            Count::Last(of) => (length(of) + 2) / 16,
            Count::Blocks => 0,
            other => panic!("{other:?}"),
        };
        i64::from(x.done) * self.k + i64::from(x.total) * n + x.offset
    }
}

/// Conditions, conditional moves, shifts and masks of lengths, for all lengths that satisfy the
/// facts of a case.
#[test]
fn conditions_of_lengths_are_the_cpus() {
    let nothing = Nothing::new();
    let mut domain = Numbers { bits: 8 };
    let most = super::ends::most_bytes(REGISTER) as i64;
    let own = Address::counted(1, Count::Length(LengthOf::Lane(0)));
    let block = Address { done: 1, ..Address::new(Region::Number, 0) };
    let begins = Address { done: 16, ..block };
    let shortest = Address::counted(1, Count::Length(LengthOf::Shortest(3)));
    let longest = Address::counted(1, Count::Length(LengthOf::Longest(3)));
    let (mut claimed, mut rounded) = (0u64, 0);
    for left in [[0, 13], [14, 15], [-2, -1], [-most, -3], [16, most], [5, 5]] {
        let facts =
            vec![(own, begins, left.map(i128::from)), (shortest, longest, [-i128::from(most), -1])];
        let ends_at = (left[0] == left[1]).then_some(left[0]);
        let case = Case { ends_at, facts, ..some_case() };
        let mut call = nothing.call(Blocks::Are(0));
        call.lengths = Some(Lengths::Any(case));
        let all = (0..=most).flat_map(|own| (0..=most).map(move |other| (own, other)));
        let all = all.flat_map(|(own, other)| (0..=8).map(move |k| Of2 { own, other, k }));
        // A sample of lengths, and all at either end.
        let is_some = |x: i64| x % 7 == 0 || x < 17 || x > most - 3;
        let all: Vec<Of2> = all
            .filter(|x| is_some(x.own) && x.own != x.other)
            .filter(|x| x.other % 31 == 0 || x.other == most)
            .filter(|x| (left[0]..=left[1]).contains(&(x.own - 16 * x.k)))
            .collect();
        assert!(!all.is_empty());
        let shapes = [
            own,
            Address { done: -16, ..own },
            Address { done: 16, total: -1, of: own.of, ..block },
            block,
            shortest,
            longest,
            Address::counted(1, Count::Whole(LengthOf::Shortest(3))),
            Address::counted(1, Count::Last(LengthOf::Longest(3))),
            Address::new(Region::Number, 0),
        ];
        let mut machine = call.entry_state(0, &[0]);
        for (x_of, y_of) in shapes.iter().flat_map(|x| shapes.iter().map(move |y| (*x, *y))) {
            // Offsets near boundaries, and others.
            let ends = [-128, -64, -16, -1, 0, 2, 16, 64, 127];
            let offsets = (-128..128).filter(|i| i % 5 == 0 || ends.contains(i));
            for (i, j) in offsets.flat_map(|i| ends.map(move |j| (i, j))) {
                let (a, b) = (x_of.plus(i), y_of.plus(j));
                if a.is_fixed() && b.is_fixed() {
                    continue;
                }
                let mut words = call.words(&mut domain);
                let [x, y] = [a, b].map(|x| REGISTER.bytes::<u64>(x));
                for name in [Mnemonic::Cmp, Mnemonic::Test] {
                    if name == Mnemonic::Test && a != b {
                        continue;
                    }
                    let of = if name == Mnemonic::Cmp { Operation::Sub } else { Operation::And };
                    let Ok((_, flags)) = call.binary_operation(&mut words, of, &x, &y) else {
                        continue;
                    };
                    machine.flags = flags;
                    machine.compared = call.compared(&mut words, name, [&x, &y]);
                    for condition in CONDITIONS {
                        let Ok(Some(claim)) = call.holds(&machine, condition) else { continue };
                        claimed += 1;
                        for &lengths in &all {
                            let (_, flags) = cpu(of, lengths.of(a) as u8, lengths.of(b) as u8);
                            assert_eq!(
                                claim,
                                taken(condition, flags),
                                "{name:?} {a:?}, {b:?}, {condition:?}: {} and {} bytes, block {}",
                                lengths.own,
                                lengths.other,
                                lengths.k
                            );
                        }
                    }
                }
            }
        }
        // The minimum and maximum of two lengths by a conditional move.
        let lane = |lane: u8| Address::counted(1, Count::Length(LengthOf::Lane(lane)));
        for (a, b) in [(lane(0), lane(1)), (lane(1), lane(0))] {
            let mut words = call.words(&mut domain);
            let [x, y] = [a, b].map(|x| REGISTER.bytes::<u64>(x));
            let mut machine = call.entry_state(0, &[0]);
            let (_, flags) = call.binary_operation(&mut words, Operation::Sub, &x, &y).unwrap();
            machine.flags = flags;
            machine.compared = call.compared(&mut words, Mnemonic::Cmp, [&x, &y]);
            for (kept, moved) in [(a, b), (b, a)] {
                for condition in CONDITIONS {
                    let [own, other] = [kept, moved].map(|x| REGISTER.bytes::<u64>(x));
                    let result = call.either(&mut words, &machine, condition, [&own, &other]);
                    for &lengths in &all {
                        let [x, y] = [a, b].map(|x| lengths.of(x) as u8);
                        let (_, flags) = cpu(Operation::Sub, x, y);
                        let is_moved = taken(condition, flags);
                        let value = lengths.of(if is_moved { moved } else { kept }) as u8;
                        let same = is(&result, value, &mut |x| lengths.of(x) as u8);
                        assert!(same, "cmov {condition:?} {kept:?}, {moved:?}: {result:?}");
                        claimed += 1;
                    }
                }
            }
        }
        // Numbers of blocks of a length.
        for more in 0..=16 {
            let mut words = call.words(&mut domain);
            let a = own.plus(more);
            let x = REGISTER.bytes::<u64>(a);
            for n in 1..8 {
                let Ok(result) = words.shifted(Operation::ShiftRight, &x, n) else { continue };
                for &lengths in &all {
                    let value = (lengths.of(a) as u8) >> n;
                    let same = is(&result, value, &mut |x| lengths.of(x) as u8);
                    assert!(same, "{a:?} >> {n}: {result:?}");
                    claimed += 1;
                }
            }
            for mask in 0..=255u64 {
                let result =
                    call.binary_operation(&mut words, Operation::And, &x, &number(mask, 1));
                let Ok((result, flags)) = result else { continue };
                let is_rounded = matches!(result[0], Byte::Address(x, 0) if x.total == 16);
                rounded += u64::from(is_rounded);
                for &lengths in &all {
                    let (value, real) = cpu(Operation::And, lengths.of(a) as u8, mask as u8);
                    let same = is(&result, value, &mut |x| lengths.of(x) as u8);
                    assert!(same && agree(claims(flags), real), "{a:?} & {mask}: {result:?}");
                    claimed += 1;
                }
            }
        }
    }
    assert!(claimed > 10_000, "{claimed}");
    // In each case a length is rounded down to its whole blocks, or to the start of its last one.
    assert_eq!(rounded, 2 * 6);
}

/// Every bitwise function of three partially known bytes: two bits vary, the others are zero.
#[test]
fn functions_of_bits_that_are_known_are_those_of_all_that_they_may_be() {
    let mut all: Vec<(Byte<u64>, Vec<u8>)> = (0..4).map(|k| (Byte::Number(k), vec![k])).collect();
    all.push((Byte::Number(0xff), vec![0xff]));
    for unknown in 1..4u8 {
        let known = !unknown;
        let values = (0..4u8).filter(|value| value & unknown == 0);
        all.extend(values.map(|value| {
            let may_be = (0..4u8).filter(|k| k & known & 3 == value).collect();
            (Byte::Bits(known, value, 1), may_be)
        }));
    }
    let nothing = Nothing::new();
    let call = nothing.call(Blocks::Are(1));
    let mut domain = Numbers { bits: 8 };
    let mut words = call.words(&mut domain);
    let mut claimed = 0;
    for table in 0..=255u8 {
        for (x, xs) in &all {
            for (y, ys) in &all {
                for (z, zs) in &all {
                    let Ok(result) = words.bitwise(table, [&[*x], &[*y], &[*z]]) else { continue };
                    claimed += 1;
                    for (&x, &y, &z) in xs.iter().flat_map(|x| {
                        ys.iter().flat_map(move |y| zs.iter().map(move |z| (x, y, z)))
                    }) {
                        let bit = |b: u8| {
                            let place = (x >> b & 1) << 2 | (y >> b & 1) << 1 | (z >> b & 1);
                            (table >> place & 1) << b
                        };
                        let value = (0..8).fold(0, |all, b| all | bit(b));
                        assert!(is(&result, value, &mut |_| value), "{table:#x} {x} {y} {z}");
                    }
                }
            }
        }
    }
    assert!(claimed > 100_000, "{claimed}");
}

/// Sums, shifts and joins of partially known numbers.
#[test]
fn numbers_of_which_bits_are_known_are_all_that_they_may_be() {
    let all: Vec<(Bits, Vec<u8>)> = (0..16u64)
        .flat_map(|unknown| (0..16u64).map(move |value| (!unknown, value)))
        .filter(|(known, value)| value & !known == 0)
        .map(|(known, value)| {
            let may_be = (0..16u64).filter(|k| k & known & 15 == value).map(|k| k as u8).collect();
            (Bits { known, value, lanes: 1 }, may_be)
        })
        .collect();
    let says = |bits: Bits, value: u64| value & bits.known == bits.value & bits.known;
    for (x, xs) in &all {
        for (y, ys) in &all {
            let sum = x.sum(*y);
            let both = Byte::<u64>::of_bits(*x).joined(Byte::of_bits(*y), 1);
            for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                assert!(says(sum, u64::from(x) + u64::from(y)), "{x} + {y}: {sum:?}");
                for one in [x, y] {
                    assert!(is(&[both], one, &mut |_| one), "{x} or {y}: {both:?}");
                }
            }
        }
        for (n, left) in (0..8).flat_map(|n| [(n, true), (n, false)]) {
            let shifted = x.shifted(left, n, 8);
            for &x in xs {
                let value = if left { x << n } else { x >> n };
                assert!(says(shifted, value.into()), "{x} by {n}: {shifted:?}");
            }
        }
    }
    assert_eq!(all.len(), 81);
}

/// `bzhi` takes its count from the lowest byte.
#[test]
fn the_lowest_bits_of_a_number_are_the_cpus() {
    let nothing = Nothing::new();
    let call = nothing.call(Blocks::Are(1));
    let mut domain = Numbers { bits: 8 };
    let mut words = call.words(&mut domain);
    for (x, count) in (0..256u64).flat_map(|x| (0..256u64).map(move |count| (x, count))) {
        let result = call.lowest(&mut words, &number(x, 1), &number(count, 1)).unwrap();
        let value = if count < 8 { x & ((1 << count) - 1) } else { x };
        assert_eq!(result, number(value, 1), "{x}, {count}");
    }
}

/// `bzhi` with a length as its count: a claimed result is that of every length in the range.
#[test]
fn the_lowest_bits_by_a_length_are_the_cpus() {
    let nothing = Nothing::with_addresses(Pointer(8));
    let length = Address::counted(1, Count::Length(LengthOf::Lane(0)));
    let edges = [0, 1, 31, 32, 63, 64, 65, 111, 255, 256, 300];
    let ranges = edges.into_iter().flat_map(|least| edges.map(|most| [least, most]));
    let mut claimed = [0; 2];
    for [least, most] in ranges.filter(|[least, most]| least <= most) {
        let fact = (length, Address::new(Region::Number, 0), [least, most]);
        let mut call = nothing.call(Blocks::Are(1));
        call.lengths = Some(Lengths::Any(Case { facts: vec![fact], ..some_case() }));
        let mut domain = Numbers { bits: 8 };
        let mut words = call.words(&mut domain);
        let mut count = words.pointer.bytes(length);
        // The upper half does not matter.
        count[4..].fill(Byte::Number(0));
        let result = call.lowest(&mut words, &number(u64::MAX, 8), &count).unwrap();
        let lengths = least as u64..=most as u64;
        if result == number(u64::MAX, 8) {
            assert!(lengths.clone().all(|len| len & 0xff >= 64), "{least} to {most}");
            claimed[0] += 1;
        } else if let Byte::Address(ones, 0) = result[0] {
            assert_eq!(ones, Address { region: Region::Ones, ..length });
            assert!(lengths.clone().all(|len| len <= 64), "{least} to {most}");
            claimed[1] += 1;
        }
    }
    assert_eq!(claimed, [9, 21]);
}
