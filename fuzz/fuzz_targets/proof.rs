//! Proofs of a log: no numbers or digests panic, and an existing log accepts only its own proofs.
#![no_main]

use std::sync::LazyLock;

use lanesum::tree::{Log, ProofError, Tree};
use lanesum::{Algorithm, Digest};
use libfuzzer_sys::fuzz_target;

/// The number of entries of the largest log: below 256, so that some numbers are out of range.
const ENTRIES: usize = 77;

static LOGS: LazyLock<Vec<Log>> = LazyLock::new(|| {
    let mut log = Log::new(Algorithm::SHA256);
    let mut logs = vec![log.clone()];
    for i in 0..ENTRIES {
        log.append(&[[i as u8; 3]]);
        logs.push(log.clone());
    }
    logs
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&[of, number, change, at], rest)) = bytes.split_first_chunk() else { return };
    any(rest);
    let log = &LOGS[usize::from(of) % LOGS.len()];
    let number = u64::from(number);
    let (tree, root, count) = (log.tree(), log.root(), log.len());

    if let Ok(own) = log.proof(number) {
        let leaf = tree.entry([number as u8; 3]);
        let judged = |proof: &[Digest]| tree.verify(number, count, &leaf, proof, &root);
        assert_eq!(judged(&own), Ok(()));
        let proof = changed(&own, change, at, rest);
        assert_eq!(judged(&proof).is_ok(), proof == own);
    } else {
        assert!(number >= log.len());
    }
    if let Ok(own) = log.consistency(number) {
        let old = log.root_at(number).unwrap();
        let judged =
            |proof: &[Digest]| tree.verify_consistency(number, count, &old, &root, proof);
        assert_eq!(judged(&own), Ok(()));
        let proof = changed(&own, change, at, rest);
        assert_eq!(judged(&proof).is_ok(), proof == own);
    } else {
        assert!(number > log.len());
    }
});

/// A modified proof.
fn changed(own: &[Digest], change: u8, at: u8, rest: &[u8]) -> Vec<Digest> {
    let mut proof = own.to_vec();
    let at = usize::from(at) % (proof.len() + 1);
    let other = Digest::try_from(&rest[..rest.len().min(32)]).unwrap_or(Digest::from([0; 32]));
    match change % 5 {
        0 => proof.insert(at, other),
        1 => proof.truncate(at),
        2 => proof.reverse(),
        3 => proof.rotate_left(at),
        _ if at < proof.len() => proof[at] = other,
        _ => {}
    }
    proof
}

/// Verifies the proof in the bytes.
fn any(bytes: &[u8]) {
    let Some((numbers, bytes)) = bytes.split_first_chunk::<16>() else { return };
    let [old, new] = [0, 8].map(|at| u64::from_le_bytes(numbers[at..][..8].try_into().unwrap()));
    let digests: Vec<_> = bytes.chunks(32).filter_map(|part| Digest::try_from(part).ok()).collect();
    let Some((root, proof)) = digests.split_first() else { return };
    let tree = Tree::rfc6962(Algorithm::SHA256);
    let judged = [
        tree.verify(old, new, root, proof, root),
        tree.verify_consistency(old, new, root, root, proof),
    ];
    for error in judged.into_iter().filter_map(Result::err) {
        assert!(!error.to_string().is_empty());
        assert!(error != ProofError::Form);
    }
    // The proof has more digests than any tree has levels.
    assert!(proof.len() < 66 || judged.iter().all(Result::is_err));
}
