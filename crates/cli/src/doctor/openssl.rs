//! Checks whether OpenSSL's configuration loads the provider.

use std::process::Command;

use lanesum::Family;
use lanesum::unstable::BesideOpenssl;

use super::{Finding, Place, commands, libraries};

/// OpenSSL 3 and 4: the versions with providers.
const LIBRARIES: [&str; 2] = ["libcrypto.so.3", "libcrypto.so.4"];

pub(super) fn findings() -> Vec<Finding> {
    let Some(openssl) = commands::find("openssl") else {
        return vec![Finding::no("provider", "the command openssl is not installed")];
    };
    let ask = |words: &[&str]| {
        let output = Command::new(&openssl).args(words).output().ok();
        output
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default()
    };
    let providers = ask(&["list", "-providers"]).to_lowercase();
    let loaded = providers.contains("lanesum");
    let folder = ask(&["version", "-m"]);
    let folder = folder.split('"').nth(1).unwrap_or_default();
    let place = Place(&openssl);
    let provider = if loaded {
        Finding::yes("provider", format!("{place} loads it"))
    } else {
        Finding::no(
            "provider",
            format!(
                "{place} does not load Lanesum: its configuration names no Lanesum provider (modules: {folder})"
            ),
        )
    };
    [provider, programs(loaded)].into_iter().chain(speeds()).collect()
}

/// Reports for each algorithm the provider's measured speed on this kind of CPU, and whether
/// `?provider=lanesum` selects it.
fn speeds() -> Vec<Finding> {
    let Some(core) = BesideOpenssl::core() else {
        let why =
            "speed compared with OpenSSL's own not measured on this CPU; all digests are offered";
        return vec![Finding::no("digests", why)];
    };
    let finding = |family: Family| {
        let (algorithm, beside) = (family.algorithm(), BesideOpenssl::here(family)?);
        let BesideOpenssl { min, median, max } = beside;
        let speed = format!(
            "median {median} % of OpenSSL's own speed on {core}, {min} % to {max} % by message length"
        );
        let what = format!("{algorithm} by EVP");
        Some(if beside.is_slower() {
            Finding::no(what, format!("{speed}; '?lanesum.all=yes' would select it"))
        } else {
            Finding::yes(what, speed)
        })
    };
    Family::ALL.into_iter().filter_map(finding).collect()
}

/// Reports the programs that are linked with OpenSSL. All use the default configuration unless they
/// select another.
fn programs(loaded: bool) -> Finding {
    let mut linked: Vec<String> = libraries::linked_with(|name| LIBRARIES.contains(&name))
        .into_iter()
        .map(|(program, _)| program)
        .collect();
    linked.sort();
    let why = if linked.is_empty() {
        "no program is linked with OpenSSL".into()
    } else {
        linked.join(" ")
    };
    if loaded { Finding::yes("programs", why) } else { Finding::no("programs", why) }
}
