//! The crates of the workspace, and which of them import which.

use std::collections::BTreeMap;
use std::fs;

use crate::process::done;

/// A crate: its package, and the packages of the workspace that it imports.
#[derive(Debug, Default)]
pub struct Crate {
    package: String,
    imports: Vec<String>,
    /// Packages that only its tests import.
    tests: Vec<String>,
    /// Whether `cargo test` skips its unit tests, because they compile the whole library again.
    lacks_unit_tests: bool,
}

impl Crate {
    fn parse(manifest: &str) -> Self {
        let mut found = Self::default();
        let mut section = "";
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
                continue;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            let name = key.split('.').next().unwrap_or_default().trim();
            let is_ours = name == "lanesum" || name.starts_with("lanesum-");
            match (section, name) {
                ("[package]", "name") => found.package = value.trim().trim_matches('"').into(),
                ("[lib]", "test") => found.lacks_unit_tests = value.trim() == "false",
                _ if !is_ours || !section.ends_with("dependencies]") => {}
                _ if section.contains("dev-dependencies") => found.tests.push(name.into()),
                _ => found.imports.push(name.into()),
            }
        }
        found
    }
}

/// Returns the crates of the workspace by directory.
pub fn all() -> Result<BTreeMap<String, Crate>, String> {
    let mut crates = BTreeMap::new();
    let folders = fs::read_dir("crates").map_err(|error| format!("crates: {error}"))?;
    for folder in folders.flatten() {
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml"));
        let manifest = manifest.map_err(|error| format!("{:?}: {error}", folder.path()))?;
        crates.insert(folder.file_name().to_string_lossy().into_owned(), Crate::parse(&manifest));
    }
    Ok(crates)
}

/// Returns the packages whose tests a change of `package` affects, including itself.
pub fn affected<'c>(crates: &'c BTreeMap<String, Crate>, package: &'c str) -> Vec<&'c str> {
    let mut found = vec![package];
    let mut next = 0;
    while next < found.len() {
        let imported = found[next];
        for one in crates.values().filter(|one| one.imports.iter().any(|name| name == imported)) {
            if !found.contains(&one.package.as_str()) {
                found.push(&one.package);
            }
        }
        next += 1;
    }
    // The importers of a crate do not import what only its tests import.
    for one in crates.values() {
        let is_new = !found.contains(&one.package.as_str());
        if is_new && one.tests.iter().any(|name| found.contains(&name.as_str())) {
            found.push(&one.package);
        }
    }
    found
}

/// Runs the tests that changes of the crates affect: their own, and all importers' tests.
pub fn test(names: &[&str]) -> Result<(), String> {
    let crates = all()?;
    let mut packages = Vec::new();
    for name in names {
        let package = crates.get(*name).map(|one| one.package.as_str());
        let package = package.or_else(|| {
            crates.values().map(|one| one.package.as_str()).find(|package| package == name)
        });
        let known = || crates.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        let package =
            package.ok_or_else(|| format!("no crate '{name}'; the crates are {}", known()))?;
        packages.extend(affected(&crates, package));
        if crates.values().any(|one| one.package == package && one.lacks_unit_tests) {
            done("cargo", &["test", "--locked", "--all-features", "--lib", "-p", package])?;
        }
    }
    packages.sort_unstable();
    packages.dedup();
    println!("affected: {}", packages.join(", "));
    let mut arguments = vec!["test", "--locked", "--all-features", "--no-fail-fast"];
    arguments.extend(packages.iter().flat_map(|package| ["-p", package]));
    done("cargo", &arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(package: &str, sections: &str) -> (String, Crate) {
        let manifest = format!("[package]\nname = \"{package}\"\n{sections}\n");
        (package.to_owned(), Crate::parse(&manifest))
    }

    #[test]
    fn importers_are_affected_but_not_importers_of_a_tester() {
        let crates = BTreeMap::from([
            planted("lanesum-spec", "[lib]\ntest = false"),
            planted("lanesum", "[dependencies]\nlanesum-spec.workspace = true"),
            planted("lanesum-lab", "[dev-dependencies]\nlanesum = { path = \"../engine\" }"),
            planted("lanesum-cli", "[dependencies]\nlanesum-lab.workspace = true"),
        ]);
        assert!(crates["lanesum-spec"].lacks_unit_tests && !crates["lanesum"].lacks_unit_tests);
        assert_eq!(affected(&crates, "lanesum-spec"), ["lanesum-spec", "lanesum", "lanesum-lab"]);
        assert_eq!(affected(&crates, "lanesum-lab"), ["lanesum-lab", "lanesum-cli"]);
    }
}
