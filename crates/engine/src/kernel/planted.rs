//! Faulty kernels that a test adds to the kernel table: none may be selected.
//!
//! A planted kernel delegates to a kernel of this CPU, then flips one bit of the last lane in the
//! output of one function. Only the thread that plants it sees it.

use core::cell::Cell;
use core::mem::MaybeUninit;
use std::vec::Vec;

use lanesum_spec::{Algorithm, Family, each_family, sha1dc};

use super::abi::{Functions, Trace};
use super::iterate::Iterations;
use super::*;
use crate::words::Columns;
use crate::{Bytes, Hasher, HmacKey, Policy, hash, hash_many, mac_many};

/// The faulty function of a planted kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    Compress,
    Finish,
    /// Faulty if the last block is precomputed.
    Expanded,
    Write,
    Iterate,
    DigestBlocks,
    /// Ignores the bytes before the rest of a message.
    Before,
    Screen,
    /// Reports vectors by all conditions, instead of the shared ones.
    Fulfilled,
    Apart,
    /// Faulty chaining values, schedules, or vectors, of blocks whose traces are written.
    Traced,
    Schedule,
    Left,
}

/// The kernel planted in this thread: the kernel it delegates to, its family, and its fault.
#[derive(Clone, Copy)]
struct Planted {
    by: Kernel,
    family: Family,
    fault: Fault,
}

std::thread_local! {
    static PLANTED: Cell<Option<Planted>> = const { Cell::new(None) };
    /// How often the planted kernel compressed or finished a message.
    static COMPRESSED: Cell<u32> = const { Cell::new(0) };
}

fn planted() -> Planted {
    PLANTED.get().expect("a kernel that is planted")
}

/// Flips a bit if `fault` is planted.
fn spoil<I: KernelWord>(fault: Fault, word: &mut I) {
    if planted().fault == fault {
        *word = I::truncate(word.widen() ^ 1);
    }
}

unsafe fn compress<I: KernelWord>(state: &mut [I], stride: usize, data: &[&[u8]], blocks: usize) {
    let Planted { by, family, .. } = planted();
    by.compress(family, state, stride, data, blocks);
    COMPRESSED.set(COMPRESSED.get() + 1);
    spoil(Fault::Compress, &mut state[by.lanes() - 1]);
}

unsafe fn finish<I: KernelWord>(
    state: &mut [I],
    stride: usize,
    data: &[&[u8]],
    ending: Ending<'_, I>,
) {
    let Planted { by, family, .. } = planted();
    by.finish(family, state, stride, data, ending);
    COMPRESSED.set(COMPRESSED.get() + 1);
    spoil(Fault::Finish, &mut state[by.lanes() - 1]);
    if ending.padding_block.is_some() {
        spoil(Fault::Expanded, &mut state[by.lanes() - 1]);
    }
}

unsafe fn write<I: KernelWord>(state: &[I], stride: usize, out: &mut [[u8; 64]]) {
    let Planted { by, family, fault } = planted();
    by.write(family, state, stride, out);
    out[by.lanes() - 1][0] ^= u8::from(fault == Fault::Write);
}

unsafe fn iterate<I: KernelWord>(
    chains: [&[I]; 2],
    link: &Link<I>,
    u: &mut [I],
    sum: &mut [I],
    stride: usize,
    Iterations { first_hash, count }: Iterations,
) {
    let Planted { by, family, .. } = planted();
    let half = if first_hash == 0 { Half::Inner } else { Half::Outer };
    by.iterate(family, chains, link, u, sum, stride, half, count);
    spoil(Fault::Iterate, &mut sum[by.lanes() - 1]);
}

unsafe fn digest_blocks<I: KernelWord>(
    iv: &[I; 8],
    data: &[&[u8]],
    ending: Ending<'_, I>,
    out: &mut [I::Row],
) {
    let Planted { by, family, fault } = planted();
    let before = if fault == Fault::Before { 0 } else { ending.before };
    let ending = Ending { before, ..ending };
    if !by.digest_blocks(family, iv, data, ending, out) {
        let mut state = Columns::<I>::of(iv);
        let mut blocks = [&[][..]; MAX_LANES];
        let block_len = ending.padding_block.map_or(usize::MAX, |_| family.block_len());
        for (to, message) in blocks.iter_mut().zip(data) {
            *to = &message[..message.len().min(block_len)];
        }
        let mut digests = [[0; 64]; MAX_LANES];
        let digests = &mut digests[..data.len()];
        by.digests(family, state.words_mut(0), MAX_LANES, &blocks[..data.len()], ending, digests);
        for (to, digest) in out.iter_mut().zip(digests) {
            let to = to.as_mut();
            to.copy_from_slice(&digest[..to.len()]);
        }
    }
    COMPRESSED.set(COMPRESSED.get() + 1);
    out[by.lanes() - 1].as_mut()[0] ^= u8::from(fault == Fault::DigestBlocks);
}

unsafe fn screen(data: &[&[u8]], blocks: usize, suspects: &mut [u32]) {
    for (b, suspects) in suspects.chunks_mut(data.len()).enumerate().take(blocks) {
        for (suspects, data) in suspects.iter_mut().zip(data) {
            let block = &data.as_chunks().0[b];
            *suspects = match planted().fault {
                Fault::Fulfilled => sha1dc::suspects_of(block),
                _ => sha1dc::left_alone(block),
            };
        }
        spoil(Fault::Screen, &mut suspects[data.len() - 1]);
    }
}

unsafe fn apart(pairs: &Pairs<'_>, apart: &mut [[u32; MAX_LANES]; 2]) {
    let Planted { by, .. } = planted();
    let one = Kernel::all().filter(|kernel| !is_planted(*kernel));
    let watcher = Watcher::of(one.filter(|kernel| kernel.lanes() == 1));
    let [whole, reduced] = apart;
    for (l, (whole, reduced)) in whole.iter_mut().zip(reduced).enumerate().take(by.lanes()) {
        let mut pair = Pairs::none();
        (pair.blocks[0], pair.differences[0]) = (pairs.blocks[l], pairs.differences[l]);
        pair.late[0] = pairs.late[l];
        for i in 0..5 {
            (pair.before[i][0], pair.after[i][0]) = (pairs.before[i][l], pairs.after[i][l]);
        }
        let said = watcher.apart(&pair);
        (*whole, *reduced) = (said[0][0], said[1][0]);
    }
    spoil(Fault::Apart, &mut apart[1][by.lanes() - 1]);
}

unsafe fn traced(state: &mut [u32], data: &[u8], blocks: usize, traces: &mut [MaybeUninit<Trace>]) {
    let fault = planted().fault;
    for (block, trace) in data.as_chunks().0[..blocks].iter().zip(traces) {
        let mut words = core::array::from_fn(|i| state[i].into());
        lanesum_spec::compress(Family::Sha1, &mut words, block);
        state.iter_mut().zip(words).for_each(|(to, word)| *to = word as u32);
        let [a, b, c, d, e, ..] = words.map(|word| word as u32);
        let mut words = sha1dc::last_words(block);
        words[35] ^= u32::from(fault == Fault::Schedule);
        let e = e ^ u32::from(fault == Fault::Traced);
        let left = sha1dc::left_alone(block) ^ u32::from(fault == Fault::Left);
        trace.write(Trace { words, after: [d, c, b, a, 0, 0, 0, e], left });
    }
}

const WATCHING: abi::Watching = abi::Watching { screen, apart, traced: Some(traced) };

/// The minimum cost, so that a planted kernel is selected whenever it passes its test.
const fn family_entry(family: Family, functions: Functions) -> FamilyEntry {
    FamilyEntry { family, functions, costs: [1; _] }
}

pub(super) const fn functions<I: KernelWord>() -> FunctionsOf<I> {
    FunctionsOf::new(compress::<I>, finish::<I>, iterate::<I>)
        .writing(write::<I>)
        .digesting_blocks(digest_blocks::<I>)
}

macro_rules! families {
    (W32 { $($name32:ident: $in32:ident::$family32:ident,)* }
        W64 { $($name64:ident: $in64:ident::$family64:ident,)* }) => {
        [
            $(family_entry(Family::$family32, functions::<u32>().watching(Some(WATCHING)).any()),)*
            $(family_entry(Family::$family64, functions::<u64>().any()),)*
        ]
    };
}
static FAMILIES: [FamilyEntry; Family::ALL.len()] = each_family!(families);

const fn entry<const LANES: usize>(name: &'static str) -> Entry {
    let supported = || PLANTED.get().is_some_and(|planted| planted.by.lanes() == LANES);
    Entry { name, tier: Tier::Portable, lanes: LANES, supported, families: &FAMILIES }
}
pub(super) static X1: Entry = entry::<1>("planted_x1");
pub(super) static X2: Entry = entry::<2>("planted_x2");
pub(super) static X4: Entry = entry::<4>("planted_x4");
pub(super) static X8: Entry = entry::<8>("planted_x8");
pub(super) static X16: Entry = entry::<16>("planted_x16");
pub(super) static X32: Entry = entry::<32>("planted_x32");

fn is_planted(kernel: Kernel) -> bool {
    kernel.name().starts_with("planted")
}

/// Whether digests and tags by `policy` are right for `lanes` messages, longer ones and of one block.
fn is_right(policy: &Policy, algorithm: Algorithm, lanes: usize) -> bool {
    let bytes: Vec<u8> = (0..400).map(|i| (i % 251) as u8).collect();
    let longer: Vec<&[u8]> = (0..lanes).map(|l| &bytes[..300 + l]).collect();
    let blocks: Vec<&[u8]> = (0..lanes).map(|l| &bytes[l..l + algorithm.block_len()]).collect();
    [longer, blocks].iter().all(|messages| are_right(policy, algorithm, messages))
}

fn are_right(policy: &Policy, algorithm: Algorithm, messages: &[&[u8]]) -> bool {
    let bytes: Vec<u8> = (0..20).collect();
    let len = algorithm.digest_len();
    let mut digests = std::vec![0; messages.len() * len];
    let engine = policy.engine(algorithm).unwrap();
    hash_many(&engine, messages, Bytes(&mut digests));
    let hashes = messages.iter().zip(digests.chunks_exact(len));
    let right = |message: &[u8]| lanesum_spec::digest(algorithm, message);
    let hashes = hashes.into_iter().all(|(message, digest)| right(message)[..len] == *digest);
    let mut tags = digests;
    let key = HmacKey::new(algorithm, &bytes[..20]);
    mac_many(&engine, &key, messages, Bytes(&mut tags));
    let mut pads = [0x36, 0x5c].map(|byte| std::vec![byte; algorithm.block_len()]);
    for pad in &mut pads {
        pad.iter_mut().zip(&bytes[..20]).for_each(|(pad, key)| *pad ^= key);
    }
    hashes
        && messages.iter().zip(tags.chunks_exact(len)).all(|(message, tag)| {
            let inner = right(&[&pads[0], *message].concat());
            right(&[&pads[1], &inner[..len]].concat())[..len] == *tag
        })
}

/// Covers every kernel of this CPU: scalar, stitched, lanes, SHA instructions.
#[test]
fn a_wrong_kernel_is_not_used() {
    use Fault::*;
    let algorithms = Family::ALL.map(Family::algorithm);
    // Fill the process-wide caches before planting.
    for algorithm in algorithms {
        let mut digests = std::vec![0; 2 * algorithm.digest_len()];
        hash_many(algorithm, &[[0_u8; 0]; 2], Bytes(&mut digests));
        assert_eq!(hash(algorithm, b"").as_bytes(), &digests[algorithm.digest_len()..]);
    }
    let kernels: Vec<Kernel> = Kernel::all().collect();
    assert!(!kernels.iter().copied().any(is_planted));
    for (by, algorithm) in
        kernels.into_iter().flat_map(|by| algorithms.map(|algorithm| (by, algorithm)))
    {
        let family = algorithm.family();
        if !by.supports(algorithm) {
            continue;
        }
        for fault in [None, Compress, Finish, Expanded, Write, Iterate, DigestBlocks, Before] {
            PLANTED.set(Some(Planted { by, family, fault }));
            let kernel = Kernel::all().find(|&kernel| is_planted(kernel)).unwrap();
            Tested::of(kernel).families[family as usize].forget();
            let what = std::format!("{by} {algorithm} {fault:?}");
            assert_eq!(known_answer(kernel, family), fault == None, "{what}");

            // All kernels, and only the planted one.
            let all = Policy::parse("").unwrap().with_clock(Option::None);
            let alone = Policy::fixed(kernel);
            let chosen = all.engine(algorithm).unwrap().kernel(by.lanes());
            assert_eq!(
                chosen == kernel,
                fault == None,
                "{what}: the cheapest, chosen if it is right"
            );
            assert_eq!(all.kernels(algorithm).any(is_planted), fault == None, "{what}");
            assert!(is_right(&all, algorithm, by.lanes()), "{what}");
            assert_eq!(alone.check(algorithm).is_ok(), fault == None, "{what}");
            let one = all.engine_for_one(algorithm).unwrap();
            assert_eq!(one.kernel(1) == kernel, fault == None, "{what}: for one message");
            assert_eq!(alone.engine_for_one(algorithm).is_ok(), fault == None, "{what}");
        }
        PLANTED.set(Option::None);
    }
}

/// Testing a kernel takes longer than hashing a short message.
#[test]
fn for_one_message_no_costlier_kernel_is_tested() {
    for algorithm in Family::ALL.map(Family::algorithm) {
        let by = Policy::parse("portable").unwrap().engine(algorithm).unwrap().kernel(1);
        let family = algorithm.family();
        PLANTED.set(Some(Planted { by, family, fault: Fault::None }));
        let kernel = Kernel::all().find(|&kernel| is_planted(kernel)).unwrap();
        let tested = &Tested::of(kernel).families[family as usize];
        for (cost, is_tested) in [(u32::MAX, false), (1, true)] {
            tested.forget();
            let policy = Policy::parse("").unwrap().with_cost(kernel, algorithm, cost);
            policy.check(algorithm).unwrap();
            assert_eq!(policy.engine_for_one(algorithm).unwrap().lanes(), 1);
            assert_eq!(tested.is_tried(), is_tested, "{algorithm} at {cost}");
        }
        PLANTED.set(Option::None);
    }
}

/// Covers every number of lanes.
#[test]
fn a_kernel_that_watches_wrongly_is_not_used() {
    let by_lanes = |lanes| Kernel::all().find(|kernel| kernel.lanes() == lanes);
    let kernels: Vec<Kernel> = [1, 2, 4, 8, 16, 32].into_iter().filter_map(by_lanes).collect();
    assert!(!kernels.iter().copied().any(is_planted));
    for by in kernels {
        use Fault::*;
        for fault in [None, Screen, Fulfilled, Apart, Traced, Schedule, Left] {
            PLANTED.set(Some(Planted { by, family: Family::Sha1, fault }));
            let kernel = Kernel::all().find(|&kernel| is_planted(kernel)).unwrap();
            let right = Watcher::with(kernel).unwrap().known_answer();
            assert_eq!(right, fault == None, "{by} {fault:?}");
            Tested::of(kernel).screening.forget();
            let chosen = Watcher::of(core::iter::once(kernel)).kernel;
            assert_eq!(chosen == kernel, right, "{by} {fault:?}");
        }
        PLANTED.set(Option::None);
    }
}

/// The engine passed to a call selects the kernel, whichever one the process has cached.
#[test]
fn one_message_is_hashed_by_the_kernel_of_its_engine() {
    let compressed = |hash: &dyn Fn()| {
        let before = COMPRESSED.get();
        hash();
        COMPRESSED.get() - before
    };
    for algorithm in Family::ALL.map(Family::algorithm) {
        let automatic =
            || assert_eq!(hash(algorithm, b"abc").as_bytes().len(), algorithm.digest_len());
        automatic();
        let by = Policy::parse("portable").unwrap().engine(algorithm).unwrap().kernel(1);
        PLANTED.set(Some(Planted { by, family: algorithm.family(), fault: Fault::None }));
        let kernel = Kernel::all().find(|&kernel| is_planted(kernel)).unwrap();
        let engine = Policy::fixed(kernel).engine(algorithm).unwrap();
        assert_eq!(
            compressed(&|| assert_eq!(hash(&engine, b"abc"), hash(algorithm, b"abc"))),
            1,
            "{algorithm} by the engine"
        );
        assert_eq!(compressed(&automatic), 0, "{algorithm} by itself");
        let stream =
            || assert_eq!(Hasher::new(&engine).update(b"abc").finish(), hash(algorithm, b"abc"));
        assert_eq!(compressed(&stream), 1, "{algorithm} in a stream");
        PLANTED.set(Option::None);
    }
}
