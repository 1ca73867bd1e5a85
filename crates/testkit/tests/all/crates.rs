//! The order of the workspace's crates: each depends only on those before it.

use std::fs;
use std::path::Path;

/// The crates, lowest first, by directory.
const ORDER: [&str; 22] = [
    "spec", "measure", "door", "streams", "graph", "prove", "model", "kernels", "rtl", "report",
    // Nothing above this line depends on the engine.
    "engine", "manifest", "files", "keep", "git", "ffi", "md", "cli", "python", "testkit", "lab",
    // Runs the tasks; no crate imports it.
    "xtask",
];

/// The crates of this workspace that a `Cargo.toml` lists as dependencies, except for tests.
fn dependencies(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().scan("", |section, line| {
        if line.starts_with('[') {
            *section = line;
        }
        Some((*section, line))
    });
    let own = lines.filter(|(section, _)| {
        section.ends_with("dependencies]") && !section.contains("dev-dependencies")
    });
    own.filter_map(|(_, line)| match line.split([' ', '.', '=']).next()? {
        "lanesum" => Some("engine"),
        name => name.strip_prefix("lanesum-"),
    })
    .collect()
}

/// Dependencies on a crate that is not before `name`.
fn upward<'a>(name: &str, manifest: &'a str) -> Vec<&'a str> {
    let at = |name: &str| ORDER.iter().position(|one| *one == name);
    let own = at(name).unwrap_or_else(|| panic!("crates/{name} is not in the order"));
    let all = dependencies(manifest);
    all.into_iter().filter(|one| at(one).is_none_or(|other| other >= own)).collect()
}

#[test]
fn crates_depend_on_earlier_ones() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut count = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let entry = entry.unwrap();
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert_eq!(upward(&name, &manifest), [""; 0], "crates/{name}");
        count += dependencies(&manifest).len();
    }
    assert!(count > 30, "only {count} dependencies were found");
}

#[test]
fn a_planted_dependency_on_a_later_crate_is_found() {
    let planted = |line: &str| format!("[package]\nname = \"x\"\n\n[dependencies]\n{line}\n");
    assert_eq!(upward("prove", &planted("lanesum-graph.workspace = true")), [""; 0]);
    assert_eq!(upward("prove", &planted("lanesum-kernels.workspace = true")), ["kernels"]);
    assert_eq!(upward("rtl", &planted("lanesum = { workspace = true }")), ["engine"]);
    let target = "[target.'cfg(unix)'.dependencies]\nlanesum-cli = { path = \"../cli\" }\n";
    assert_eq!(upward("files", target), ["cli"]);
    assert_eq!(upward("engine", "[dev-dependencies]\nlanesum-testkit.workspace = true"), [""; 0]);
}
