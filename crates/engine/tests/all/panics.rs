//! Panics for invalid arguments report the line of the caller, the wrong value and what is allowed.

use std::any::Any;
use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::Once;

use lanesum::sha1dc::{self, Checked, Detection, Sha1Dc};
use lanesum::tree::{FileBuilder, Tree, fs_verity_digest};
use lanesum::unstable::{chain_many_while, pbkdf2_many_while};
use lanesum::{
    Algorithm, Bytes, Digest, Engine, Hasher, Hex, Hkdf, HmacKey, Lanes, Truncated, chain,
    chain_many, double_hash_many, hash_many, hkdf_many, mac_many, pbkdf2_many, update_many,
    verify_many,
};

thread_local! {
    /// Whether this thread's next panic is expected, and the file and the message that it reported.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
    static REPORT: Cell<Option<(String, String)>> = const { Cell::new(None) };
}

fn text(payload: &dyn Any) -> &str {
    let string = payload.downcast_ref::<String>().map(String::as_str);
    string.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// Returns the source file and the message that a panic of `call` reports.
fn report_of_panic(call: impl FnOnce()) -> (String, String) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| match EXPECTED.get() {
            true => REPORT.set(
                panic
                    .location()
                    .map(|location| (location.file().to_owned(), text(panic.payload()).to_owned())),
            ),
            false => print(panic),
        }));
    });
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    EXPECTED.set(false);
    assert!(result.is_err(), "the call does not panic");
    REPORT.take().expect("a panic has a location")
}

macro_rules! name_their_caller {
    ($($call:expr => $message:expr;)*) => {$(
        let (file, message) = report_of_panic(|| _ = $call);
        assert_eq!((&*file, &*message), (file!(), $message), stringify!($call));
    )*};
}

#[test]
fn panics_report_the_line_of_the_caller() {
    let (sha1, sha256) = (Algorithm::SHA1, Algorithm::SHA256);
    let (one, two) = (["warp"], ["warp", "weft"]);
    let key = HmacKey::new(sha256, "shed");
    let keys = [key.clone()];
    let tree = Tree::new(sha256, 4, 2);
    let mut digests = [Digest::EMPTY];
    let mut bytes = [0; 31];
    let levels = tree.build(b"warp");
    name_their_caller! {
        Digest::EMPTY.truncated(1) => "a digest of 0 bytes cannot be truncated to 1";
        Engine::new(sha256).kernel(0) => "live is 0; it must be from 1 to 32";
        Engine::new(sha256).kernel(33) => "live is 33; it must be from 1 to 32";
        hash_many(sha256, &two, &mut digests[..]) =>
            "number of outputs (1) does not match number of messages (2)";
        hash_many(sha256, &two, &mut digests) =>
            "number of outputs (1) does not match number of messages (2)";
        hash_many(sha256, &two, &mut [[0; 32]]) =>
            "number of outputs (1) does not match number of messages (2)";
        hash_many(sha256, &one, &mut [[0; 33]]) =>
            "outputs of 33 bytes are longer than digests of 32 bytes";
        hash_many(sha256, &one, &mut vec![[0; 33]]) =>
            "outputs of 33 bytes are longer than digests of 32 bytes";
        hash_many(sha256, &one, Bytes(&mut bytes)) =>
            "output buffer has 31 bytes; 1 outputs of 32 bytes need 32";
        hash_many(sha256, &one, Hex(&mut bytes)) =>
            "output buffer has 31 bytes; 1 outputs of 64 bytes need 64";
        hash_many(sha256, &one, Truncated(&mut bytes, 0)) =>
            "digests of 32 bytes cannot be truncated to 0: pass 1 to 32";
        chain(sha256, [0; 31], 1) => "start has 31 bytes, but a digest of sha256 has 32";
        chain(sha1, [0; 32], 0) => "start has 32 bytes, but a digest of sha1 has 20";
        chain_many(sha256, &[[0; 32]; 2], &[1], &mut digests) =>
            "number of counts (1) does not match number of starts (2)";
        chain_many(sha256, &[&[0; 32][..], &[]], &[1, 0], &mut digests) =>
            "start 1 has 0 bytes, but a digest of sha256 has 32";
        chain_many(sha256, &[[0; 32]; 2], &[1; 2], &mut digests) =>
            "number of outputs (1) does not match number of messages (2)";
        chain_many_while(sha256, &[[0; 32]], &[1; 2], &mut digests, &mut || true) =>
            "number of counts (2) does not match number of starts (1)";
        double_hash_many(sha256, &two, &mut digests) =>
            "number of outputs (1) does not match number of messages (2)";
        Hasher::new(sha256).finish_many(sha1, &one, &mut digests) =>
            "hasher uses sha256, but the engine uses sha1";
        Hasher::new(sha256).finish_many(sha256, &two, &mut digests) =>
            "number of outputs (1) does not match number of messages (2)";
        update_many(sha1, [(&mut Hasher::new(sha256), "warp")]) =>
            "hasher uses sha256, but the engine uses sha1";
        mac_many(sha1, &key, &one, &mut digests) => "key uses sha256, but the engine uses sha1";
        mac_many(sha256, &keys, &two, &mut vec![Digest::EMPTY]) =>
            "number of keys (1) does not match number of messages (2)";
        mac_many(sha256, &key, &two, &mut digests) =>
            "number of outputs (1) does not match number of messages (2)";
        verify_many(sha256, &key, &two, &digests) =>
            "number of tags (1) does not match number of messages (2)";
        verify_many(sha1, &key, &one, &digests) => "key uses sha256, but the engine uses sha1";
        Hkdf::new(sha256, "", "").expand_many(sha1, &one, &mut bytes) =>
            "key uses sha256, but the engine uses sha1";
        Hkdf::new(sha256, "", "").expand_many(sha256, &two, &mut bytes) =>
            "output length (31 bytes) is not a multiple of the number of keys (2)";
        hkdf_many(sha256, &one, &two, &two, &mut bytes[..30]) =>
            "number of salts (1) does not match number of secrets (2)";
        hkdf_many(sha256, &two, &two, &one, &mut bytes[..30]) =>
            "number of infos (1) does not match number of secrets (2)";
        hkdf_many(sha256, &two, &two, &two, &mut bytes) =>
            "output length (31 bytes) is not a multiple of the number of keys (2)";
        pbkdf2_many(sha256, &one, &two, 1, &mut bytes) =>
            "number of salts (2) does not match number of passwords (1)";
        pbkdf2_many(sha256, &two, &two, 1, &mut bytes) =>
            "output length (31 bytes) is not a multiple of the number of keys (2)";
        pbkdf2_many_while(sha256, &two, &two, 1, &mut bytes, &mut || true) =>
            "output length (31 bytes) is not a multiple of the number of keys (2)";
        Lanes::<&[u8]>::new(sha256).set_engine(&Engine::new(sha1)) =>
            "lanes use sha256, but the engine uses sha1";
        Lanes::new(sha1).push_keyed(&key, &b"warp"[..]) =>
            "key uses sha256, but the lanes use sha1";
        sha1dc::hash_many(sha256, Detection::new(), &one, &mut [Checked::default()]) =>
            "collision detection requires sha1, but the engine uses sha256";
        sha1dc::hash_many(sha1, Detection::new(), &two, &mut [Checked::default()]) =>
            "number of outputs (1) does not match number of messages (2)";
        sha1dc::hash(sha256, Detection::new(), "") =>
            "collision detection requires sha1, but the engine uses sha256";
        sha1dc::Lanes::<&[u8]>::new(sha256, Detection::new()) =>
            "collision detection requires sha1, but the engine uses sha256";
        Sha1Dc::with(sha256, Detection::new()) =>
            "collision detection requires sha1, but the engine uses sha256";
        Tree::new(sha256, 0, 2) => "leaf_len is 0; it must be at least 1";
        Tree::new(sha256, 4, 1) => "fan_out is 1; it must be at least 2";
        Tree::list(sha256, 0) => "leaf_len is 0; it must be at least 1";
        Tree::torrent2_on(sha1) => "BitTorrent version 2 requires sha256, but the engine uses sha1";
        tree.clone().place_len(31) => "place_len is 31, but a digest has 32 bytes";
        tree.hash_nodes(0, &bytes, &mut Vec::new()) =>
            "31 bytes are not whole digests of 32 bytes each";
        tree.above(bytes.to_vec()) => "31 bytes are not whole digests of 32 bytes each";
        levels.bytes(9) => "level is 9; it must be less than 1";
        levels.digests(9) => "level is 9; it must be less than 1";
        fs_verity_digest(sha256, 4096, b"", 0, &Digest::EMPTY) =>
            "root has 0 bytes, but a digest of sha256 has 32";
        FileBuilder::torrent2(sha1) =>
            "BitTorrent version 2 requires sha256, but the engine uses sha1";
        FileBuilder::s3(sha256, 0) => "leaf_len is 0; it must be at least 1";
    }
}

/// Returns the sources of the public modules: all except kernels and words.
fn sources(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.file_name().and_then(|name| name.to_str()) {
            Some("kernel" | "words" | "unstable.rs") => {}
            Some(_) if path.is_dir() => found.extend(sources(&path)),
            _ => found.push(fs::read_to_string(path).unwrap()),
        }
    }
    found
}

#[test]
fn every_function_that_documents_a_panic_reports_its_caller() {
    /// Panics that a broken implementation of `Message` causes, not an argument.
    const NOT_OF_ARGUMENTS: [&str; 2] = ["returns other bytes", "May panic"];

    let calls = include_str!("panics.rs");
    let mut count = 0;
    for source in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        for (i, _) in lines.iter().enumerate().filter(|(_, line)| **line == "/// # Panics") {
            let is_head = |line: &&&str| {
                line.starts_with("///") || line.starts_with("#[") || line.starts_with("//")
            };
            let head: Vec<&str> = lines[i..].iter().take_while(is_head).copied().collect();
            let Some(name) = lines[i + head.len()].strip_prefix("pub fn ") else { continue };
            let name = &name[..name.find(['(', '<']).unwrap()];
            if NOT_OF_ARGUMENTS.iter().any(|what| head.iter().any(|line| line.contains(what))) {
                continue;
            }
            assert!(head.contains(&"#[track_caller]"), "{name} does not report its caller");
            assert!(calls.contains(&format!("{name}(")), "{name} is not called above");
            count += 1;
        }
    }
    assert!(count > 20, "{count} functions document panics");
}
