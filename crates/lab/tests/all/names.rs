//! Type names are unique in the crates around the graph.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The type that an unindented line defines. Indented definitions are associated or local types.
fn defined(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub").map_or(line, |rest| {
        let rest =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |r| r.1);
        rest.trim_start()
    });
    let (kind, rest) = line.split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (["struct", "enum", "union", "trait", "type"].contains(&kind) && !name.is_empty())
        .then_some(name)
}

/// The types with several definitions, and their files.
fn twice<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, text) in files {
        for name in text.lines().filter_map(defined) {
            all.entry(name).or_default().push(file);
        }
    }
    all.retain(|_, files| files.len() > 1);
    all
}

fn read(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn type_names_are_unique() {
    let mut files = Vec::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["graph", "kernels", "lab", "model", "prove", "report", "rtl"] {
        read(&crates.join(name).join("src"), &mut files);
    }
    let all = || files.iter().map(|(file, text)| (file.as_str(), text.as_str()));
    assert!(all().flat_map(|(_, text)| text.lines()).filter_map(defined).count() > 200);
    assert_eq!(twice(all()), BTreeMap::new());

    for planted in
        ["struct Graph;", "pub enum Graph {", "pub(super) type Graph<W> = W;", "trait Graph {"]
    {
        let found = twice(all().chain([("planted", planted)]));
        assert_eq!(found.keys().collect::<Vec<_>>(), [&"Graph"], "{planted}");
    }
}
