//! No circle of files: of two files of a crate at most one imports from the other, however
//! many lie between. A module and its own children do not count, nor do unit tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree};

/// A module's path within its crate.
type Module = Vec<String>;

/// The modules of a crate, each with its file.
fn modules(src: &Path) -> BTreeMap<Module, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(src.to_owned(), Module::new())];
    while let Some((folder, at)) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let child = || at.iter().cloned().chain([name.clone()]).collect();
            if path.is_dir() {
                folders.push((path, child()));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let root = at.is_empty() && (name == "lib" || name == "main");
                let key: Module = if root || name == "mod" { at.clone() } else { child() };
                if key.last().is_none_or(|last| last != "tests") {
                    found.entry(key).or_insert(path);
                }
            }
        }
    }
    found
}

fn is_test(attributes: &[Attribute]) -> bool {
    let text = |a: &Attribute| a.meta.to_token_stream().to_string();
    attributes.iter().any(|a| text(a) == "cfg (test)")
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Every path that a file's items name, those of unit tests left out.
fn paths(items: Vec<Item>) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for item in items.into_iter().filter(|item| !is_test(attributes(item))) {
        match item {
            Item::Use(item) => opened(&item.tree, &mut Vec::new(), &mut found),
            Item::Mod(item) => found.extend(paths(item.content.unwrap_or_default().1)),
            item => inline(item.into_token_stream(), &mut found),
        }
    }
    found
}

/// The paths of a `use`, braces opened.
fn opened(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let with = |last: String| before.iter().cloned().chain([last]).collect();
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            opened(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) => found.push(with(name.ident.to_string())),
        UseTree::Rename(name) => found.push(with(name.ident.to_string())),
        UseTree::Glob(_) => found.push(before.clone()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| opened(tree, before, found)),
    }
}

/// Paths that begin with `crate`, `super` or `self`, wherever they stand, in macros too.
fn inline(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) if path.is_empty() || colons == 2 => {
                let word = ident.to_string();
                if !path.is_empty() || ["crate", "super", "self"].contains(&word.as_str()) {
                    path.push(word);
                }
                colons = 0;
                continue;
            }
            TokenTree::Punct(ref punct) if punct.as_char() == ':' && !path.is_empty() => {
                colons += 1;
                continue;
            }
            TokenTree::Group(group) => inline(group.stream(), found),
            _ => {}
        }
        found.extend((path.len() > 1).then(|| path.clone()));
        path.clear();
        colons = 0;
    }
    found.extend((path.len() > 1).then_some(path));
}

/// The modules that each module's file imports from, kin left out.
fn imports(modules: &BTreeMap<Module, PathBuf>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let of = |(at, file): (&Module, &PathBuf)| {
        let text = fs::read_to_string(file).unwrap();
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let named = paths(parsed.items).into_iter().filter_map(|path| named(modules, at, path));
        let is_kin = |other: &Module| at.starts_with(other) || other.starts_with(at);
        named.filter(|other| !is_kin(other)).collect()
    };
    modules.iter().map(|module| (module.0, of(module))).collect()
}

/// The module that a path leads into, if it is one of these.
fn named<'m>(
    modules: &'m BTreeMap<Module, PathBuf>,
    at: &Module,
    path: Vec<String>,
) -> Option<&'m Module> {
    let mut words = path.into_iter().peekable();
    let mut module = at.clone();
    match words.peek()?.as_str() {
        "crate" => {
            words.next();
            module.clear();
        }
        "super" | "self" => {
            while let Some(word) = words.next_if(|word| word == "super" || word == "self") {
                if word == "super" {
                    module.pop();
                }
            }
        }
        // A child of this module, or another crate.
        _ => {}
    }
    module.extend(words);
    while !module.is_empty() && !modules.contains_key(&module) {
        module.pop();
    }
    modules.get_key_value(&module).map(|(module, _)| module)
}

/// Modules that reach themselves by what they import, each with those that do so with it.
fn circles(src: &Path) -> Vec<String> {
    let modules = modules(src);
    let imports = imports(&modules);
    let reached = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<&Module> = imports[from].iter().copied().collect();
        while let Some(module) = waiting.pop() {
            if seen.insert(module) {
                waiting.extend(&imports[module]);
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        modules.keys().map(|module| (module, reached(module))).collect();
    let circle = |module: &Module| {
        let with: Vec<String> = reached[module]
            .iter()
            .filter(|other| reached[**other].contains(module))
            .map(|other| other.join("::"))
            .collect();
        with.join(", ")
    };
    let found: BTreeSet<String> = modules.keys().map(circle).filter(|c| !c.is_empty()).collect();
    found.into_iter().collect()
}

#[test]
fn no_crate_has_a_circle_of_files() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    let mut count = 0;
    for folder in fs::read_dir(crates).unwrap() {
        let folder = folder.unwrap();
        let src = folder.path().join("src");
        if src.is_dir() {
            count += modules(&src).len();
            let name = folder.file_name().into_string().unwrap();
            found.extend(circles(&src).into_iter().map(|circle| format!("{name}: {circle}")));
        }
    }
    assert!(count > 100, "only {count} modules were found");
    assert!(found.is_empty(), "circles: {found:#?}");
}

#[test]
fn a_planted_circle_is_found() {
    let planted = |files: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        circles(folder.path())
    };
    let down = ("lib.rs", "mod a; mod b; mod c; pub use a::A;");
    // By `use`, by a path in the middle of a macro, by `super`, over a third file.
    for back in [
        "use crate::a::A;",
        "use crate::{a as other, c};",
        "fn f() { assert!(g(super::a::A)); }",
        "use crate::c::C;",
    ] {
        let files =
            [down, ("a.rs", "use crate::b::{B};"), ("b.rs", back), ("c.rs", "use super::a::A;")];
        assert!(!planted(&files).is_empty(), "{back}");
    }
    // Imports down, a child and its parent, unit tests, and other crates of the same name.
    for fine in [
        "use other::a::A; #[cfg(test)] mod tests { use crate::a::A; }",
        "mod d; use self::d::D;",
        "#[cfg(test)] use crate::a::A;",
    ] {
        let child = ("b/d.rs", "use super::B; use crate::c::C;");
        let files = [down, ("a.rs", "use crate::b::{B};"), ("b.rs", fine), ("c.rs", ""), child];
        assert_eq!(planted(&files), [""; 0], "{fine}");
    }
}
