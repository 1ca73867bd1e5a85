//! Looks at OpenSSL: whether its configuration loads the provider.

use std::process::Command;

use super::{Finding, Place, commands, libraries};

/// OpenSSL 3 and 4: what has providers.
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
    vec![provider, programs(loaded)]
}

/// The programs that are linked with OpenSSL. They all use the default configuration, unless they
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
