//! Properties that hold however a message is split, exported, resumed and mixed with others, and
//! for every text of a policy.

use std::collections::BTreeSet;

use crate::common::{engine, itself, kernels, rust_crypto};
use lanesum::{Algorithm, Done, Hasher, ImportError, Kernel, Lanes, Policy, Tier, hash, hash_many};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

/// A kernel of this CPU and an algorithm that it supports.
fn kernel() -> impl Strategy<Value = (Kernel, Algorithm)> {
    select(kernels().collect::<Vec<_>>())
}

fn algorithm() -> impl Strategy<Value = Algorithm> {
    select(Algorithm::all().collect::<Vec<_>>())
}

/// A message of up to a few blocks of any family, and some bytes.
fn message() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..700)
}

fn finish(hasher: Hasher) -> Vec<u8> {
    hasher.finish().as_bytes().to_vec()
}

/// Splits a message at each of `cuts`.
fn pieces<'m>(message: &'m [u8], cuts: &[Index]) -> Vec<&'m [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(message.len() + 1)).collect();
    cuts.extend([0, message.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &message[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn digests_do_not_depend_on_how_updates_are_split(
        (kernel, algorithm) in kernel(),
        message in message(),
        cuts in prop::collection::vec(any::<Index>(), 0..12),
    ) {
        let mut hasher = Hasher::new(engine(kernel, algorithm));
        let mut len = 0;
        for piece in pieces(&message, &cuts) {
            hasher.update(piece);
            len += piece.len() as u64;
            prop_assert_eq!(hasher.len(), len);
        }
        prop_assert_eq!(finish(hasher), rust_crypto(algorithm, &message));
    }

    #[test]
    fn a_clone_is_independent(
        (kernel, algorithm) in kernel(),
        [head, ours, theirs] in [message(), message(), message()],
    ) {
        let mut hasher = Hasher::new(engine(kernel, algorithm));
        hasher.update(&head);
        let mut clone = hasher.clone();
        hasher.update(&ours);
        clone.update(&theirs);
        prop_assert_eq!(finish(hasher), rust_crypto(algorithm, &[head.clone(), ours].concat()));
        prop_assert_eq!(finish(clone), rust_crypto(algorithm, &[head, theirs].concat()));
    }

    #[test]
    fn a_hash_can_be_exported_and_imported_at_any_point(
        (kernel, algorithm) in kernel(),
        message in message(),
        cuts in prop::collection::vec(any::<Index>(), 1..6),
    ) {
        let mut hasher = Hasher::new(engine(kernel, algorithm));
        for piece in pieces(&message, &cuts) {
            let exported = hasher.export();
            hasher = Hasher::import(exported.as_ref()).unwrap();
            prop_assert_eq!(hasher.algorithm(), algorithm);
            prop_assert_eq!(hasher.export().as_ref().to_vec(), exported.as_ref());
            hasher.update(piece);
        }
        prop_assert_eq!(finish(hasher), rust_crypto(algorithm, &message));
    }

    #[test]
    fn an_incomplete_exported_state_is_rejected(
        algorithm in algorithm(),
        message in message(),
        more in prop::collection::vec(any::<u8>(), 1..9),
    ) {
        let mut hasher = Hasher::new(algorithm);
        hasher.update(&message);
        let exported = hasher.export();
        let exported = exported.as_ref();
        for len in 0..exported.len() {
            prop_assert_eq!(Hasher::import(&exported[..len]).err(), Some(ImportError), "{} bytes", len);
        }
        let longer = [exported, &more].concat();
        prop_assert_eq!(Hasher::import(&longer).err(), Some(ImportError));
    }

    /// States have no checksum, so a corrupted chaining value is undetected. But an accepted state
    /// exports to the same bytes, and a wrong magic or version is rejected.
    #[test]
    fn a_corrupted_state_is_rejected_or_exports_to_the_same_bytes(
        algorithm in algorithm(),
        message in message(),
        at in any::<Index>(),
        xor in 1..=255u8,
    ) {
        let mut hasher = Hasher::new(algorithm);
        hasher.update(&message);
        let mut bytes = hasher.export().as_ref().to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= xor;
        let imported = Hasher::import(&bytes);
        prop_assert!(at >= 5 || imported.is_err(), "byte {} is part of the header", at);
        if let Ok(imported) = imported {
            prop_assert!(imported.export().as_ref().eq_ignore_ascii_case(&bytes));
            imported.finish();
        }
    }

    #[test]
    fn no_bytes_make_an_import_panic(bytes in prop::collection::vec(any::<u8>(), 0..260)) {
        let named = [b"LSM\x01\x06sha256", &bytes[..]].concat();
        for bytes in [bytes, named] {
            if let Ok(hasher) = Hasher::import(&bytes) {
                hasher.finish();
            }
        }
    }

    #[test]
    fn push_order_does_not_matter(
        (kernel, algorithm) in kernel(),
        messages in prop::collection::vec(message(), 0..80).prop_shuffle(),
        order in any::<u64>(),
        turns in prop::collection::vec(any::<bool>(), 80),
    ) {
        let digests: Vec<Vec<u8>> = messages.iter().map(|m| rust_crypto(algorithm, m)).collect();
        let mut indices: Vec<usize> = (0..messages.len()).collect();
        indices.sort_by_key(|&i| order.wrapping_mul(2 * i as u64 + 1).rotate_left(23));

        let mut lanes = Lanes::new(engine(kernel, algorithm));
        let mut done: Vec<Done<(usize, &[u8])>> = Vec::new();
        for (&index, take) in indices.iter().zip(turns) {
            done.extend(lanes.push((index, &messages[index][..])));
            if take {
                // Take only one message, while others are in lanes.
                done.extend(lanes.drain().take(1));
            }
        }
        done.extend(lanes.drain());
        prop_assert!(lanes.is_empty());
        prop_assert_eq!(done.len(), messages.len());
        for Done { message: (index, _), digest: Ok(digest) } in done {
            prop_assert_eq!(digest.as_bytes(), &digests[index], "message {}", index);
        }
    }

    #[test]
    fn a_batch_has_the_digests_of_single_messages(
        algorithm in algorithm(),
        messages in prop::collection::vec(message(), 0..80),
    ) {
        let slices: Vec<&[u8]> = messages.iter().map(|m| &m[..]).collect();
        let mut digests = vec![hash(algorithm, b"not hashed yet"); slices.len()];
        hash_many(algorithm, &slices, &mut digests[..]);
        for (digest, message) in digests.iter().zip(&messages) {
            prop_assert_eq!(digest.as_bytes(), rust_crypto(algorithm, message));
        }
    }

    /// The policy of any list of valid words matches a model: each word retains some of the kernels
    /// that the previous words have left.
    #[test]
    fn a_list_of_words_allows_the_kernels_that_every_word_allows(
        words in subsequence(words(), 0..5).prop_shuffle(),
        spaces in select(vec!["", " ", "\t"]),
    ) {
        let text = words.iter().map(|(word, _)| format!("{spaces}{word}{spaces}"));
        let text = text.collect::<Vec<_>>().join(",");
        let mut model: BTreeSet<&str> = Kernel::all().map(Kernel::name).collect();
        for (_, keeps) in &words {
            model.retain(|name| keeps.contains(name));
        }
        match Policy::parse(&text) {
            Ok(policy) => {
                prop_assert!(!model.is_empty(), "'{}' leaves nothing", text);
                for algorithm in Algorithm::all() {
                    let ours: BTreeSet<&str> =
                        policy.kernels(algorithm).map(Kernel::name).collect();
                    let left = Kernel::all().filter(|b| b.supports(algorithm)).map(Kernel::name);
                    let theirs: BTreeSet<&str> = left.filter(|name| model.contains(name)).collect();
                    prop_assert_eq!(&ours, &theirs, "'{}' for {}", text, algorithm);
                    match policy.check(algorithm) {
                        Ok(()) => prop_assert!(!theirs.is_empty()),
                        Err(error) => {
                            prop_assert!(theirs.is_empty());
                            let error = error.to_string();
                            prop_assert!(error.contains(algorithm.name()), "{}", error);
                            for kernel in Kernel::all().filter(|b| b.supports(algorithm)) {
                                prop_assert!(error.contains(kernel.name()), "{}", error);
                            }
                        }
                    }
                }
            }
            Err(error) => {
                prop_assert!(model.is_empty(), "'{}': {}", text, error);
                lists_what_can_run(&error.to_string());
            }
        }
    }

    #[test]
    fn an_unknown_word_is_reported_next_to_any_other(
        nonsense in "[a-z0-9_+ -]{0,8}[a-z0-9_+][^,]{0,40}",
        beside in select(words()),
        first in any::<bool>(),
    ) {
        let nonsense = nonsense.trim();
        prop_assume!(words().iter().all(|(word, _)| word != nonsense));
        let text = if first {
            format!("{nonsense},{}", beside.0)
        } else {
            format!("{},{nonsense}", beside.0)
        };
        let error = Policy::parse(&text).unwrap_err().to_string();
        let start: String = nonsense.chars().take(8).collect();
        prop_assert!(error.contains(&format!("'{start}")), "{}", error);
        lists_what_can_run(&error);
    }
}

/// Returns every word that is valid in `LANESUM_KERNEL` here, with the kernels that it retains.
fn words() -> Vec<(String, BTreeSet<&'static str>)> {
    let names = |keep: &dyn Fn(Kernel) -> bool| {
        Kernel::all().filter(|&kernel| keep(kernel)).map(Kernel::name).collect()
    };
    let mut words = Vec::new();
    for only in Kernel::all() {
        words.push((only.name().to_owned(), names(&|kernel| kernel == only)));
    }
    for tier in Tier::ALL {
        words.push((format!("-{}", tier.name()), names(&|kernel| kernel.tier() != tier)));
        if Kernel::all().any(|kernel| kernel.tier() == tier) {
            let kept = names(&|kernel| tier.includes(kernel.tier()));
            words.push((tier.name().to_owned(), kept));
        }
    }
    words
}

fn lists_what_can_run(error: &str) {
    for kernel in Kernel::all() {
        assert!(error.contains(kernel.name()), "{error}: does not list {kernel}");
        assert!(error.contains(kernel.tier().name()), "{error}: does not list {kernel}'s tier");
    }
}

#[test]
fn an_empty_list_is_the_automatic_policy() {
    for text in ["", " ", ",", " , ,"] {
        let policy = Policy::parse(text).unwrap();
        for algorithm in Algorithm::all() {
            let all = Kernel::all().filter(|kernel| kernel.supports(algorithm));
            assert!(policy.kernels(algorithm).eq(all), "'{text}' for {algorithm}");
        }
    }
}

#[test]
fn the_engine_for_one_message_has_the_same_kernel_as_other_engines() {
    for (text, _) in words() {
        let policy = Policy::parse(&text).unwrap();
        for algorithm in Algorithm::all() {
            match (policy.engine(algorithm), policy.engine_for_one(algorithm)) {
                (Ok(any), Ok(one)) => {
                    assert_eq!(one.kernel(1), any.kernel(1), "'{text}' for {algorithm}");
                    assert_eq!(one.lanes(), one.kernel(1).lanes(), "'{text}' for {algorithm}");
                }
                (any, one) => assert_eq!(any.err(), one.err(), "'{text}' for {algorithm}"),
            }
            let is_checked = policy.check(algorithm).is_ok();
            assert_eq!(is_checked, policy.engine(algorithm).is_ok(), "'{text}' for {algorithm}");
        }
    }
}

#[test]
fn errors_distinguish_unsupported_kernels_from_unknown_ones() {
    for name in Kernel::table().filter_map(Result::err) {
        let error = Policy::parse(name).unwrap_err().to_string();
        assert!(error.contains("cannot run") && error.contains(name), "{error}");
        lists_what_can_run(&error);
    }
    let error = Policy::parse("abacus_x10").unwrap_err().to_string();
    assert!(error.contains("there is no") && error.contains("'abacus_x10'"), "{error}");
}

/// The test below runs this in a separate process, because tests of a process share the
/// environment.
#[test]
#[ignore = "is run by the_environment_is_obeyed"]
fn says_its_policy() {
    if std::env::var_os("UNASKED").is_some() {
        assert_eq!(
            format!("{:?}", Policy::automatic()),
            format!("{:?}", Policy::parse("").unwrap())
        );
        return;
    }
    match Policy::from_env() {
        Ok(policy) => println!("policy {policy:?}"),
        Err(error) => println!("error {error}"),
    }
    for algorithm in Algorithm::all() {
        if let Err(error) = Policy::check_env(algorithm) {
            println!("{algorithm} refused: {error}");
        }
        // Calls that cannot report errors work with any value of the variable.
        let digest = lanesum::hash(algorithm, b"abc");
        let mut many = [digest; 3];
        hash_many(algorithm, &[b"abc"; 3], &mut many[..]);
        assert_eq!(many, [digest; 3]);
        assert_eq!(digest.as_bytes(), rust_crypto(algorithm, b"abc"));
    }
    // An algorithm for which the variable leaves no kernel may use every kernel.
    if let Ok(policy) = Policy::from_env() {
        let (automatic, all) = (Policy::automatic(), Policy::parse("").unwrap());
        for algorithm in Algorithm::all() {
            let asked = policy.kernels(algorithm).next().map_or(&all, |_| &policy);
            assert!(automatic.kernels(algorithm).eq(asked.kernels(algorithm)), "{algorithm}");
        }
    }
}

#[test]
fn the_environment_is_obeyed() {
    let process = || {
        let mut command = itself();
        command.args(["props::says_its_policy", "--exact", "--ignored", "--nocapture"]);
        command
    };
    let run = |value: &str| {
        let output = process().env("LANESUM_KERNEL", value).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let [out, err] = [output.stdout, output.stderr].map(|s| String::from_utf8(s).unwrap());
        assert!(!err.contains("LANESUM_KERNEL"), "{err}");
        out
    };
    // The variable has no effect unless the program opts in.
    for value in ["portable", "abacus"] {
        let mut command = process();
        assert!(
            command.env("LANESUM_KERNEL", value).env("UNASKED", "1").status().unwrap().success()
        );
    }
    for kernel in Kernel::all() {
        let said = run(kernel.name());
        assert!(said.contains(&format!("policy {{{kernel}}}")), "{said}");
    }
    for value in ["abacus", "-abacus", "portable,abacus"] {
        let out = run(value);
        assert!(out.contains("sha256 refused: there is no"), "{value}: {out}");
    }
    let lacks = Kernel::all().find(|kernel| !kernel.supports(Algorithm::SHA512));
    if let Some(kernel) = lacks {
        let out = run(kernel.name());
        assert!(out.contains("sha512 refused: no allowed"), "{out}");
        assert!(!out.contains("sha256 refused") || !kernel.supports(Algorithm::SHA256), "{out}");
    }
    let out = run("portable_x1");
    assert!(!out.contains("refused"), "{out}");
    let said = run("abacus");
    let error = said.lines().find(|line| line.contains("error")).expect("an error");
    assert!(error.contains("'abacus'"), "{said}");
    lists_what_can_run(error);
}
