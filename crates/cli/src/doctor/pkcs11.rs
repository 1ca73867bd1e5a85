//! Checks which PKCS #11 modules are registered with p11-kit.

use std::process::Command;

use super::{Finding, Place, commands};

pub(super) fn findings() -> Vec<Finding> {
    const WHAT: &str = "module";
    let Some(command) = commands::find("p11-kit") else {
        let why = "the command p11-kit is not installed; programs with a module setting can load liblanesum.so";
        return vec![Finding::no(WHAT, why)];
    };
    let output = Command::new(&command).arg("list-modules").output();
    let listed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let listed = listed.unwrap_or_default();
    let place = Place(&command);
    // Compare the module's own description: the installer chooses its name in p11-kit.
    vec![if listed.contains("Lanesum SHA engine") {
        Finding::yes(WHAT, format!("{place} lists it"))
    } else {
        let how = "copy lanesum.module to /etc/pkcs11/modules";
        Finding::no(WHAT, format!("{place} does not list Lanesum: {how}"))
    }]
}
