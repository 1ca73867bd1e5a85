//! Compares each operation of a vector word with the specification's own word in every lane.
//! `lane_kernel!` generates this test for every word of every kernel.

use lanesum_spec::{Int, Word};

use super::vector::Vector;

/// Returns element `i` of a fixed pseudorandom sequence (splitmix64).
fn random(i: u64) -> u64 {
    let mut z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Values that carry, overflow, and distinguish bits and bytes, then random ones: distinct, and
/// more than a vector has lanes.
fn values<I: Int>() -> Vec<I> {
    let top = 1u64 << (I::BITS - 1);
    let edges = [
        0,                     // no carry, no bit
        1,                     // the lowest bit
        top,                   // the highest bit, the sign of signed instructions
        top - 1,               // carries into it
        u64::MAX,              // carries out of the word
        0x5555_5555_5555_5555, // neighbouring bits differ
        0xaaaa_aaaa_aaaa_aaaa,
        0x0123_4567_89ab_cdef, // bytes differ
        0x7fff_ffff_8000_0001, // halves of a word of 64 bits differ, and carry
    ];
    let values: Vec<I> = edges.into_iter().chain((0..32).map(random)).map(I::truncate).collect();
    for (i, a) in values.iter().enumerate() {
        assert!(!values[..i].contains(a), "no two values are alike");
    }
    values
}

/// Returns `LANES` distinct values: every `step`-th of `values` from `first` on.
fn lanes<V: Vector>(values: &[V::Int], first: usize, step: usize) -> Vec<V::Int> {
    (0..V::LANES).map(|l| values[(first + l * step) % values.len()]).collect()
}

fn load<V: Vector>(words: &[V::Int]) -> V {
    assert!(words.len() >= V::LANES);
    // SAFETY: the caller of `check` detected the features; the length was asserted.
    unsafe { V::load(words) }
}

fn store<V: Vector>(word: V) -> Vec<V::Int> {
    let mut words = vec![V::Int::ZERO; V::LANES];
    // SAFETY: the caller of `check` detected the features; `words` has `LANES` words.
    unsafe { word.store(&mut words) };
    words
}

/// Checks every operation of `V` on a CPU that has its features.
pub(super) fn check<V>()
where
    V: Vector,
{
    let values = values::<V::Int>();
    assert!(values.len() > V::LANES);
    loads_and_stores::<V>(&values);
    // The steps are coprime to the number of values (41), so that all lanes differ.
    for i in 0..values.len() {
        let x = lanes::<V>(&values, i, 1);
        one_operand::<V>(&x);
        for j in 0..values.len() {
            let y = lanes::<V>(&values, j, 3);
            let z = lanes::<V>(&values, i + 7 * j, 5);
            more_operands::<V>(&x, &y, &z);
        }
    }
    transposes_blocks::<V>();
}

/// The specification's own word type.
type W<V> = <<V as Word>::Int as Int>::Number;

/// Asserts that `ours` equals the reference in every lane.
fn same<V: Vector>(what: &str, ours: V, theirs: impl Fn(usize) -> W<V>) {
    for (l, ours) in store(ours).into_iter().enumerate() {
        let theirs = theirs(l).into();
        assert_eq!(ours, theirs, "{what}, lane {l}: {ours:x} is not {theirs:x}");
    }
}

fn one_operand<V: Vector>(x: &[V::Int]) {
    let v: V = load(x);
    let r = |l: usize| W::<V>::from(x[l]);
    same("not", !v, |l| !r(l));
    same("pin", v.pin(), r);
    let mut w = [v; 16];
    w[15] = !v;
    V::fence(&mut w);
    same("fence", w[0], r);
    same("fence", w[15], |l| !r(l));
    for n in 1..V::Int::BITS {
        same("rotr", v.rotr(n), |l| r(l).rotr(n));
        same("rotl", v.rotl(n), |l| r(l).rotl(n));
        same("shr", v.shr(n), |l| r(l).shr(n));
    }
}

fn more_operands<V: Vector>(x: &[V::Int], y: &[V::Int], z: &[V::Int]) {
    let [a, b, c]: [V; 3] = [load(x), load(y), load(z)];
    let r = |l: usize| [W::<V>::from(x[l]), W::<V>::from(y[l]), W::<V>::from(z[l])];
    same("add", a + b, |l| r(l)[0] + r(l)[1]);
    same("sub", a - b, |l| r(l)[0] - r(l)[1]);
    same("and", a & b, |l| r(l)[0] & r(l)[1]);
    same("xor", a ^ b, |l| r(l)[0] ^ r(l)[1]);
    same("add of a constant", a + z[0], |l| r(l)[0] + z[0]);
    // FIPS 180-4 §4.1.1 and §4.1.2 as printed, independent of any word's implementation.
    same("ch", V::ch(a, b, c), |l| {
        let [x, y, z] = r(l);
        (x & y) ^ (!x & z)
    });
    same("plus_ch", a.plus_ch(b, c, a), |l| {
        let [x, y, _] = r(l);
        x + ((y & r(l)[2]) ^ (!y & x))
    });
    same("maj", V::maj(a, b, c), |l| {
        let [x, y, z] = r(l);
        (x & y) ^ (x & z) ^ (y & z)
    });
    same("xor3", V::xor3(a, b, c), |l| {
        let [x, y, z] = r(l);
        x ^ y ^ z
    });
}

/// Checks that loads and stores work at any address and write only `LANES` words.
fn loads_and_stores<V: Vector>(values: &[V::Int]) {
    for first in 0..=values.len() - V::LANES {
        let words = &values[first..first + V::LANES];
        let mut stored = values.to_vec();
        stored.rotate_left(1);
        let before = stored.clone();
        // SAFETY: the caller of `check` detected the features; both slices have `LANES` words.
        unsafe { load::<V>(words).store(&mut stored[first..first + V::LANES]) };
        assert_eq!(stored[first..first + V::LANES], *words, "store at {first}");
        assert_eq!(stored[..first], before[..first], "store at {first} writes before it");
        let after = first + V::LANES;
        assert_eq!(stored[after..], before[after..], "store at {first} writes after it");
    }
}

/// Checks that word t of lane l depends only on bytes of lane l, at any address and in either byte
/// order.
fn transposes_blocks<V: Vector>() {
    let word = V::Int::BYTES;
    let block = 16 * word;
    for (offset, skew) in [(0, 0), (block, 1), (2 * block, 7), (block, word)] {
        // All words differ: each byte is random, and each lane has a separate buffer.
        let lanes: Vec<Vec<u8>> = (0..V::LANES as u64)
            .map(|l| (0..4 * block as u64).map(|i| random(l << 32 | i) as u8).collect())
            .collect();
        let data: Vec<&[u8]> =
            lanes.iter().map(|lane| &lane[skew..skew + offset + block]).collect();
        for big_endian in [true, false] {
            // SAFETY: the caller of `check` detected the features; each lane has a block after
            // `offset`.
            let words: [V; 16] = unsafe { V::load_block(&data, offset, big_endian) };
            for (t, &ours) in words.iter().enumerate() {
                for (l, ours) in store(ours).into_iter().enumerate() {
                    let bytes = &data[l][offset + t * word..][..word];
                    let theirs = V::Int::from_be_bytes(bytes);
                    let theirs = if big_endian { theirs } else { theirs.swap_bytes() };
                    assert_eq!(ours, theirs, "W_{t} of lane {l}, big-endian: {big_endian}");
                }
            }
        }
    }
}
