//! Looks at PKCS #11: which modules p11-kit has registered.

use std::process::Command;

use super::{Finding, Place, commands};

pub(super) fn findings() -> Vec<Finding> {
    const WHAT: &str = "module";
    let Some(command) = commands::find("p11-kit") else {
        let why = "there is no command p11-kit to ask; programs that are told a module take \
                   liblanesum.so";
        return vec![Finding::no(WHAT, why)];
    };
    let output = Command::new(&command).arg("list-modules").output();
    let listed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let listed = listed.unwrap_or_default();
    let place = Place(&command);
    // A module's own words for itself: its name in p11-kit is that of whoever installs it.
    vec![if listed.contains("Lanesum SHA engine") {
        Finding::yes(WHAT, format!("{place} lists it"))
    } else {
        let how = "lanesum.module goes to /etc/pkcs11/modules";
        Finding::no(WHAT, format!("{place} lists none of Lanesum's: {how}"))
    }]
}
