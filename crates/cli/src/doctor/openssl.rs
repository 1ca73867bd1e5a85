//! OpenSSL, which programs reach Heddle through if it is told to load a provider.

use std::process::Command;

use super::{Finding, Place, commands};

pub(super) fn findings() -> Vec<Finding> {
    let Some(openssl) = commands::find("openssl") else {
        return vec![Finding::no("provider", "there is no command openssl to ask")];
    };
    let ask = |words: &[&str]| {
        let output = Command::new(&openssl).args(words).output().ok();
        output
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default()
    };
    let loaded = ask(&["list", "-providers"]).to_lowercase().contains("heddle");
    let folder = ask(&["version", "-m"]);
    let folder = folder.split('"').nth(1).unwrap_or_default();
    let place = Place(&openssl);
    vec![if loaded {
        Finding::yes("provider", format!("{place} loads it"))
    } else {
        Finding::no(
            "provider",
            format!(
                "{place} loads none of Heddle's: its configuration names none (modules: {folder})"
            ),
        )
    }]
}
