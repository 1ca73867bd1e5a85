//! Compares tables in pages of prose with their sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lanesum::{Algorithm, Kernel, Policy};
use lanesum_measure::Fingerprints;
use lanesum_testkit::{Kind, PLATFORMS, left_out};

use crate::tree;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the rows of the table with this header, each as its cells.
pub(crate) fn table(page: &str, head: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let lines = lines.take_while(|line| line.starts_with('|'));
    let cells =
        |line: &str| line.trim_matches('|').split(" | ").map(|c| c.trim().to_owned()).collect();
    lines.map(cells).collect()
}

/// Returns the texts between backticks.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns kernels by name, each with its number of parallel messages on the page.
fn kernels(page: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for line in table(page, "| kernel | messages at once |") {
        let names = names(&line[0]);
        let lanes: Vec<usize> = line[1].split(", ").map(|n| n.parse().unwrap()).collect();
        assert!(lanes.len() == 1 || lanes.len() == names.len(), "{line:?}");
        for (i, name) in names.into_iter().enumerate() {
            let lanes = lanes[i.min(lanes.len() - 1)];
            assert_eq!(found.insert(name.to_owned(), lanes), None, "{name} stands there twice");
        }
    }
    found
}

/// Returns the number of messages that a kernel hashes in parallel, from its name: `avx512_2x16` is
/// two groups of sixteen.
fn lanes_of(name: &str) -> usize {
    let shape = name.rsplit('_').next().unwrap();
    let (groups, lanes) = shape.split_once('x').unwrap();
    groups.parse().unwrap_or(1) * lanes.parse::<usize>().unwrap()
}

#[test]
fn the_table_of_kernels_has_every_kernel() {
    let page = fs::read_to_string(root().join("docs/kernels.md")).unwrap();
    let all = PLATFORMS.iter().flat_map(|platform| platform.kernels);
    let expected: BTreeMap<_, _> = all.map(|&name| (name.to_owned(), lanes_of(name))).collect();
    let listed = kernels(&page);
    let wrong = |(name, lanes): &(&String, &usize)| {
        (listed.get(*name), expected.get(*name)) != (Some(lanes), Some(lanes))
    };
    let wrong: Vec<_> = listed.iter().chain(&expected).filter(wrong).collect();
    assert!(wrong.is_empty(), "docs/kernels.md and testkit/src/table.rs differ: {wrong:?}");
    for kernel in Kernel::all() {
        assert_eq!(kernel.lanes(), lanes_of(kernel.name()), "{kernel}");
    }
}

/// Returns the kernels that hash `messages` messages.
fn cover(algorithm: Algorithm, mut messages: usize) -> BTreeSet<&'static str> {
    let engine = Policy::parse("").unwrap().engine(algorithm).unwrap();
    let mut kernels = BTreeSet::new();
    while messages > 0 {
        let kernel = engine.kernel(messages.min(32));
        kernels.insert(kernel.name());
        messages = messages.saturating_sub(kernel.lanes());
    }
    kernels
}

#[test]
fn the_table_of_batches_has_the_kernels_that_hash_them() {
    let page = fs::read_to_string(root().join("docs/batches.md")).unwrap();
    // Each measured core has a table. The engine distinguishes cores as here.
    const CORES: [(&str, &str, &str); 3] = [
        ("Zen 5", "AuthenticAMD", "26"),
        ("Zen 4", "AuthenticAMD", "25"),
        ("Golden Cove", "GenuineIntel", "6"),
    ];
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let line = cpu.lines().find(|line| line.starts_with(key))?;
        line.split_once(": ").map(|(_, value)| value)
    };
    let (make, family) = (value("vendor_id"), value("cpu family"));
    let is_this =
        |&(_, of, number): &(&str, &str, &str)| make == Some(of) && family == Some(number);
    let of = |core: &str| table(&page, &format!("| messages, {core} | SHA-256 | SHA-512 |"));
    assert!(CORES.iter().all(|(core, ..)| of(core).len() == 8));
    for (core, ..) in CORES.iter().filter(|core| !is_this(core)) {
        let why = format!("the table of {core} requires another CPU");
        left_out(Kind::Test, "batches_on_another_core", &why);
    }
    let Some((core, ..)) = CORES.iter().find(|core| is_this(core)) else { return };
    for line in of(core) {
        let messages = line[0].parse().unwrap();
        for (algorithm, cell) in [Algorithm::SHA256, Algorithm::SHA512].into_iter().zip(&line[1..])
        {
            let said: BTreeSet<&str> =
                names(cell).into_iter().filter(|n| n.contains('_')).collect();
            let lacks = |name: &&&str| !Kernel::all().any(|kernel| kernel.name() == **name);
            if let Some(name) = said.iter().find(lacks) {
                left_out(Kind::Kernel, name, "this CPU cannot run it");
                continue;
            }
            assert_eq!(said, cover(algorithm, messages), "{messages} messages, {algorithm}");
        }
    }
}

#[test]
fn the_table_of_cores_has_the_clocks_that_cores_say() {
    let page = fs::read_to_string(root().join("docs/cores.md")).unwrap();
    let mut named = Vec::new();
    for line in table(&page, "| core | rounds per clock | clocks per block |") {
        let names = names(&line[0]);
        let numbers = line[2].split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
        let clocks: Vec<&str> = numbers.collect();
        for (i, name) in names.iter().enumerate() {
            let folder = root().join("rtl/cores").join(name);
            let text = fs::read_to_string(folder.join(format!("{name}_core.sv"))).unwrap();
            let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//")).collect();
            let head = head.concat();
            // A core has one number for a message and one for many.
            let own = if names.len() == 1 { &clocks[..] } else { &clocks[i..=i] };
            for clocks in own {
                let says = head.contains(&format!(" {clocks} clocks"));
                assert!(says, "{name} says nothing of {clocks} clocks: {head}");
            }
            named.push((*name).to_owned());
        }
    }
    let there = fs::read_dir(root().join("rtl/cores")).unwrap();
    let mut there: Vec<_> =
        there.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    named.sort();
    there.sort();
    assert_eq!(named, there);
}

/// Returns the contents of a file of the tree.
fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_table_of_statuses_has_their_texts() {
    let source = text("crates/door/src/failure.rs");
    let (_, causes) = source.split_once("pub enum Failure: i32 {\n").unwrap();
    let said = causes.lines().map_while(|line| {
        let (name, rest) = line.trim().strip_suffix("\";")?.split_once(" = ")?;
        let (number, text) = rest.split_once(", \"")?;
        // `TooLong` is `TOO_LONG` in C.
        let mut snake = String::new();
        for (i, c) in name.char_indices() {
            snake.extend((i > 0 && c.is_uppercase()).then_some('_'));
            snake.extend(c.to_uppercase());
        }
        Some((format!("`LANESUM_E_{snake}` ({number})"), text.to_owned()))
    });
    let said: Vec<(String, String)> = said.collect();
    let lines = table(&text("docs/c.md"), "| status | text | what to do |");
    let found: Vec<_> = lines.iter().map(|line| (line[0].clone(), line[1].clone())).collect();
    assert!(said.len() > 10 && lines.iter().all(|line| line.len() == 3), "{lines:?}");
    assert_eq!(found, said);
}

#[test]
fn the_table_of_calls_has_those_of_the_header_and_of_the_crate() {
    let header = text("crates/ffi/include/lanesum.h");
    let words = header.split("lanesum_").skip(1).filter_map(|rest| rest.split_once('('));
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let declared: BTreeSet<String> = words
        .filter(|(name, _)| is_name(name))
        .map(|(name, _)| format!("lanesum_{name}"))
        .collect();
    let api = text("crates/testkit/tests/fixtures/api.txt");
    let mut found = BTreeSet::new();
    for line in table(&text("docs/c.md"), "| task | C | Rust |") {
        for name in names(&line[1]) {
            assert!(found.insert(name.to_owned()), "{name} stands there twice");
        }
        for name in names(line.get(2).map_or("", |cell| cell)) {
            assert!(is_listed(&api, name), "{name} is no public item");
        }
    }
    assert_eq!(found, declared);
}

/// Collects the names in documentation examples, from all sources below a directory.
fn in_examples(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            in_examples(&path, found);
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let comment = |line: &str| {
            let line = line.trim_start();
            line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::to_owned)
        };
        let comments: Vec<String> = source.lines().filter_map(comment).collect();
        // Every second piece between fences is code.
        let code = comments.split(|line| line.trim() == "```").skip(1).step_by(2).flatten();
        let is_other = |c: char| !c.is_alphanumeric() && c != '_';
        found.extend(code.flat_map(|line| line.split(is_other)).map(str::to_owned));
    }
}

#[test]
fn names_on_the_front_page_of_the_crate_have_an_example() {
    let front = text("crates/engine/src/lib.rs").replace("//! ", "");
    let mut found = BTreeSet::new();
    in_examples(&root().join("crates/engine/src"), &mut found);
    // A macro generates the examples of these, for each algorithm.
    found.extend(["sha512".to_owned(), "Sha256".to_owned()]);
    let lines = table(&front, "| you have | you call |");
    let items: Vec<&str> = lines.iter().flat_map(|line| names(&line[1])).collect();
    assert!(items.len() > 15, "{items:?}");
    for item in items {
        let name = item.rsplit("::").next().unwrap();
        assert!(item == "std" || found.contains(name), "{item} has no example");
    }
}

/// Returns the lines of a section of a Cargo.toml, without comments.
fn section<'m>(manifest: &'m str, head: &str) -> Vec<&'m str> {
    let lines = manifest.lines().skip_while(|line| *line != head).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

#[test]
fn the_front_page_of_the_crate_documents_every_feature() {
    let manifest = text("crates/engine/Cargo.toml");
    let features = section(&manifest, "[features]");
    let declared: BTreeSet<&str> = features
        .iter()
        .map(|line| line.split(' ').next().unwrap())
        .filter(|&name| name != "default")
        .collect();
    assert!(declared.contains("digest"), "{declared:?}");
    let front = text("crates/engine/src/lib.rs").replace("//! ", "");
    let lines = table(&front, "| feature | adds |");
    assert_eq!(lines.iter().map(|line| names(&line[0])[0]).collect::<BTreeSet<_>>(), declared);
}

#[test]
fn the_documentation_of_published_crates_has_all_features() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let manifest = fs::read_to_string(&path).unwrap();
        if manifest.contains("\npublish = false\n") {
            continue;
        }
        let metadata = section(&manifest, "[package.metadata.docs.rs]");
        assert_eq!(metadata, ["all-features = true"], "{}", path.display());
        count += 1;
    }
    assert!(count > 10, "{count} published crates");
}

#[test]
fn the_crate_documents_every_type_of_the_specification_that_its_api_names() {
    let api = text("crates/testkit/tests/fixtures/api.txt");
    let mut named = BTreeSet::new();
    for path in tree::files(&root().join("crates/spec/src")) {
        let source = fs::read_to_string(path).unwrap();
        for line in source.lines().map(str::trim_start) {
            let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
            let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else {
                continue;
            };
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            let is_other = |c: char| !c.is_alphanumeric() && c != '_';
            if api.split(is_other).any(|word| word == name) {
                assert!(
                    is_listed(&api, name),
                    "{name} of lanesum-spec is not documented by lanesum"
                );
                named.insert(name.to_owned());
            }
        }
    }
    for name in ["Algorithm", "Family", "ParseAlgorithmError"] {
        assert!(named.contains(name), "{named:?}");
    }
    assert!(!api.contains("lanesum_spec"));
}

/// Returns the fixed parts of a message in docs/troubleshooting.md. Capital letters, numbers and
/// quoted texts are values.
fn fixed_parts(message: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for clause in message.split([':', ';', '(', ')', ',']) {
        for word in clause.split_whitespace() {
            let bare = word.trim_matches(['\'', '`']);
            let is_value = bare.len() == 1 && bare.chars().all(|c| c.is_ascii_uppercase())
                || bare.chars().all(|c| c.is_ascii_digit());
            if is_value {
                parts.push(String::new());
            } else {
                let part = parts.last_mut().unwrap();
                *part += if part.is_empty() { "" } else { " " };
                *part += &word.replace('`', "");
            }
        }
        parts.push(String::new());
    }
    parts.retain(|part| part.len() > 6 && part != "LANESUM_KERNEL");
    parts
}

#[test]
fn the_messages_of_troubleshooting_are_printed_by_the_sources() {
    let mut sources = String::new();
    for path in tree::files(&root().join("crates")) {
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        if !is_test && path.extension().is_some_and(|end| end == "rs") {
            // A string continues on the next line after a backslash.
            let lines = fs::read_to_string(path).unwrap().replace("\\\n", " ");
            sources.extend(lines.split_whitespace().flat_map(|word| [word, " "]));
        }
    }
    let missing = |message: &str| -> Vec<String> {
        let mut parts = fixed_parts(message);
        parts.retain(|part| !sources.contains(part.as_str()));
        parts
    };
    let page = text("docs/troubleshooting.md");
    let mut count = 0;
    for (at, _) in page.match_indices("| message | what to do |") {
        for line in table(&page[at..], "| message |") {
            assert_eq!(missing(&line[0]), [""; 0], "{}", line[0]);
            assert!(line[1].ends_with('.'), "{line:?}");
            count += 1;
        }
    }
    assert!(count > 50, "{count} messages");
    assert_eq!(missing("F is never printed: X"), ["is never printed"]);
}

/// Whether a public item is in the listing: a type, a function, or `Type::method`.
fn is_listed(api: &str, name: &str) -> bool {
    let (item, method) = name.split_once("::").unwrap_or((name, ""));
    let names = |line: &str, name: &str| {
        line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
    };
    let blocks = api.split("\n\n").skip(1);
    let mut of_item = blocks.filter(|block| {
        let head = block.lines().next().unwrap_or_default();
        let declared = head.split(['(', '{', '<', ';']).next().unwrap_or_default();
        declared.starts_with("pub ") && names(declared, item)
    });
    of_item.any(|block| {
        method.is_empty()
            || block
                .lines()
                .skip(1)
                .any(|line| line.split('(').next().is_some_and(|head| names(head, method)))
    })
}

#[test]
fn pages_notice_a_change_of_every_kernel() {
    let (tree, none) = (Fingerprints::of(&root().join("crates")).unwrap(), Fingerprints::default());
    assert!(
        tree.same(&none, "unlisted_x1", "", ""),
        "a name without a group of files never changes"
    );
    for kernel in PLATFORMS.iter().flat_map(|platform| platform.kernels) {
        assert!(tree.same(&tree, kernel, "", ""), "{kernel}");
        assert!(!tree.same(&none, kernel, "", ""), "{kernel} has no group in `ran`");
    }
}
