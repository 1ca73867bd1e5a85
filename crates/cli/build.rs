//! Links the unwinder statically if the GNU toolchain provides the archive. Loading `libgcc_s.so` takes a tenth of the time of
//! a run on one small file.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if target("OS") != "linux" || target("ENV") != "gnu" || is_static {
        return;
    }
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let found = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output();
    let archive = found.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    // A compiler without the archive prints its bare name.
    if archive.is_some_and(|archive| Path::new(archive.trim()).is_absolute()) {
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
