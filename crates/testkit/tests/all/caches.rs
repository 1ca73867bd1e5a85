//! The engine caches values per process in few files, so that a reader finds them all.

use std::fs;
use std::path::Path;

use crate::tree;

/// The files of the engine with statics that change.
const CACHES: [&str; 5] = [
    "base/cpuid.rs",
    "choose/environment.rs",
    "choose/process.rs",
    "choose/trial.rs",
    "kernel/tested.rs",
];

/// The types of constant data.
const DATA: [&str; 8] = ["u8", "u16", "u32", "u64", "Assembly", "Entry", "PaddingTables", "Table"];

/// Returns the statics in a source that may not be constant data, without those of its tests.
fn caches(source: &str) -> Vec<&str> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let statics = source.lines().map(str::trim_start).filter(|line| {
        let item =
            line.split_once("static ").filter(|(before, _)| !before.contains(['\'', '/', '&']));
        item.and_then(|(_, item)| item.split_once(": ")).is_some_and(|(_, of)| {
            let of = of.split('=').next().unwrap_or_default();
            let mut words = of.split(|c: char| !c.is_alphanumeric() && c != '_');
            !words.any(|word| DATA.contains(&word))
        })
    });
    let threads = source.lines().filter(|line| line.contains("thread_local!"));
    statics.chain(threads).collect()
}

#[test]
fn the_engine_caches_per_process_in_known_files() {
    let src = tree::root().join("crates/engine/src");
    let mut homes = Vec::new();
    for path in
        tree::files(&src).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"))
    {
        let name = path.strip_prefix(&src).unwrap();
        // A file of tests.
        if name == Path::new("kernel/planted.rs") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let found = caches(&source);
        if !found.is_empty() {
            let name = name.to_str().unwrap();
            assert!(CACHES.contains(&name), "{name}: {found:?} belong in choose/process.rs");
            homes.push(name.to_owned());
        }
    }
    homes.sort();
    assert_eq!(homes, CACHES);
}

#[test]
fn planted_caches_are_found() {
    for cache in [
        "    static FOUND: AtomicU8 = AtomicU8::new(0);",
        "pub(crate) static KEPT: OfFamilies<I> = [const { FirstUse::new() }; _];",
        "static mut LAST: Option<Kernel> = None;",
        "std::thread_local! {",
    ] {
        assert_eq!(caches(&format!("fn f() {{\n{cache}\n}}\n")), [cache.trim_start()], "{cache}");
    }
    for data in [
        "static END: [u8; 256] = {",
        "pub static KERNELS: [&Entry; 4] = ALL;",
        "fn f(x: &'static str) {}",
    ] {
        assert!(caches(data).is_empty(), "{data}");
    }
}
