//! Imports point one way. Files of a crate do not import each other in a cycle, including through
//! other files and re-exports, and the directories of the engine import only from lower layers. A
//! module and its own children do not count, nor do unit tests.

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

/// Returns all paths in a file's items, except in unit tests.
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

/// Expands the paths of a `use` with braces.
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

/// Collects paths that begin with `crate`, `super` or `self`, also in macros.
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

/// The modules of a crate, the paths that each names, and its re-exports with their targets.
struct Crate {
    modules: BTreeMap<Module, PathBuf>,
    named: BTreeMap<Module, Vec<Vec<String>>>,
    exports: BTreeMap<Module, Vec<(String, Vec<String>)>>,
    /// The names of the items that a module defines.
    items: BTreeMap<Module, BTreeSet<String>>,
    /// Maximum number of re-exports to follow for a name.
    depth: usize,
}

impl Crate {
    fn of(src: &Path) -> Self {
        let mut modules = modules(src);
        let (mut named, mut exports) = (BTreeMap::new(), BTreeMap::new());
        let (mut items, mut tests) = (BTreeMap::new(), Vec::new());
        for (at, file) in &modules {
            let text = fs::read_to_string(file).unwrap();
            let parsed =
                syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            tests.extend(parsed.items.iter().filter(|item| is_test(attributes(item))).filter_map(
                |item| match item {
                    Item::Mod(item) => Some([&at[..], &[item.ident.to_string()]].concat()),
                    _ => None,
                },
            ));
            exports.insert(at.clone(), exported(&parsed.items));
            items.insert(at.clone(), parsed.items.iter().filter_map(name).collect());
            named.insert(at.clone(), paths(parsed.items));
        }
        modules.retain(|at, _| tests.iter().all(|test| !at.starts_with(test)));
        Self { modules, named, exports, items, depth: 9 }
    }

    /// The modules that each module's file imports from, without its ancestors and descendants.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let of = |at: &Module| {
            let found = self.named[at].iter().filter_map(|path| self.resolve(at, path, 0));
            let is_kin = |other: &Module| at.starts_with(other) || other.starts_with(at);
            found.filter(|other| !is_kin(other)).collect()
        };
        self.modules.keys().map(|at| (at, of(at))).collect()
    }

    /// The module that defines what `path` names in module `at`, through re-exports.
    fn resolve(&self, at: &Module, path: &[String], depth: usize) -> Option<&Module> {
        let (module, rest) = self.walk(at, path)?;
        let Some(name) = rest.first().filter(|_| depth < self.depth) else { return Some(module) };
        for (exported, target) in &self.exports[module] {
            if exported == name {
                return self.resolve(module, target, depth + 1).or(Some(module));
            }
        }
        for (_, target) in self.exports[module].iter().filter(|(name, _)| name == "*") {
            let inner: Vec<String> = target.iter().cloned().chain([name.clone()]).collect();
            if let Some(found) = self.resolve(module, &inner, depth + 1)
                && self.items[found].contains(name)
            {
                return Some(found);
            }
        }
        Some(module)
    }

    /// The innermost module that a path leads to, and the rest of the path.
    fn walk<'p>(&self, at: &Module, path: &'p [String]) -> Option<(&Module, &'p [String])> {
        let mut module = at.clone();
        let mut words = path;
        match words.first()?.as_str() {
            "crate" => {
                words = &words[1..];
                module.clear();
            }
            "super" | "self" => {
                while let Some(word) = words.first().filter(|w| *w == "super" || *w == "self") {
                    if word == "super" {
                        module.pop();
                    }
                    words = &words[1..];
                }
            }
            // A child of this module, or another crate.
            _ => {}
        }
        while let Some(word) = words.first() {
            module.push(word.clone());
            if !self.modules.contains_key(&module) {
                module.pop();
                break;
            }
            words = &words[1..];
        }
        // An inline module has no file: its contents belong to its parent.
        while !self.modules.contains_key(&module) {
            module.pop()?;
        }
        self.modules.get_key_value(&module).map(|(module, _)| (module, words))
    }
}

/// Returns the name of an item, if it can be imported.
fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Returns the names that a file re-exports, with their target paths.
fn exported(items: &[Item]) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for item in items.iter().filter(|item| !is_test(attributes(item))) {
        if let Item::Use(item) = item {
            renamed(&item.tree, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Collects the names that a `use` introduces, with their paths; `*` for a glob.
fn renamed(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let with = |last: &dyn ToString| before.iter().cloned().chain([last.to_string()]).collect();
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            renamed(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            found.push((before.last().unwrap().clone(), before.clone()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), with(&name.ident))),
        UseTree::Rename(name) => found.push((name.rename.to_string(), with(&name.ident))),
        UseTree::Glob(_) => found.push(("*".into(), before.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| renamed(tree, before, found)),
    }
}

/// Crates with import cycles through re-exports.
const NOT_RESOLVED: [&str; 2] = ["manifest", "spec"];

/// Finds modules that import themselves indirectly, each with the other modules of its cycle.
fn circles(src: &Path) -> Vec<String> {
    let mut all = Crate::of(src);
    if NOT_RESOLVED.iter().any(|name| src.ends_with(format!("{name}/src"))) {
        all.depth = 0;
    }
    let (modules, imports) = (&all.modules, all.imports());
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

/// The layers of the engine, lowest first. A file imports from its own layer and lower ones.
const LAYERS: &[&[&str]] = &[
    &["base"],
    &["digest", "messages", "outputs", "words"],
    &["kernel"],
    &["choose"],
    &["run"],
    &["keyed", "sha1dc"],
    &["lanes", "locked", "peers", "tree", "typed"],
    &["rustcrypto", "unstable"],
];

/// Imports from a higher layer, and files in no layer.
fn violations(src: &Path, layers: &[&[&str]]) -> Vec<String> {
    let all = Crate::of(src);
    let layer = |module: &Module| {
        let top = module.first()?;
        layers.iter().position(|layer| layer.contains(&&**top))
    };
    let mut found = Vec::new();
    for (at, targets) in all.imports() {
        if at.is_empty() {
            continue;
        }
        let Some(own) = layer(at) else {
            found.push(format!("{} is in no layer", at.join("::")));
            continue;
        };
        let higher = targets.into_iter().filter(|target| layer(target).is_some_and(|k| k > own));
        found.extend(
            higher.map(|target| format!("{} imports {}", at.join("::"), target.join("::"))),
        );
    }
    found
}

#[test]
fn layers_of_the_engine_import_from_lower_ones() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    assert_eq!(violations(&crates.join("engine/src"), LAYERS), [""; 0]);
}

#[test]
fn a_planted_import_from_a_higher_layer_is_found() {
    let planted = |low: &str| {
        let folder = planted(&[
            ("lib.rs", "mod low; mod high; pub use high::High;"),
            ("low.rs", low),
            ("high/mod.rs", "mod part; pub(crate) use self::part::*; pub use self::part::High;"),
            ("high/part.rs", "pub struct High; pub(crate) struct Hidden; use crate::low::Low;"),
        ]);
        violations(folder.path(), &[&["low"], &["high"]])
    };
    // By the path of the module, through a glob, and through the crate's root.
    for up in ["use crate::high::High;", "use crate::high::Hidden;", "fn f() -> crate::High {}"] {
        assert_eq!(planted(up), ["low imports high::part"], "{up}");
    }
    assert_eq!(planted("pub struct Low;"), [""; 0]);
}

/// Creates a directory with these files.
fn planted(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
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
    let planted = |files: &[(&str, &str)]| circles(planted(files).path());
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
