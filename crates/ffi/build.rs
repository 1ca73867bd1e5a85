//! Sets the soname of the shared library. It contains the version of the C ABI, which is the major
//! version.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let abi = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
        // Also for the library of the tests. Linking programs with a soname has no effect.
        println!("cargo:rustc-link-arg=-Wl,-soname,liblanesum.so.{abi}");
    }
}
