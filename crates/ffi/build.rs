//! Gives the shared library its soname: what programs ask the loader for, with
//! the number of the C ABI, which is the first number of the version.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let abi = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
        // Also for the one that tests use; programs take no notice.
        println!("cargo:rustc-link-arg=-Wl,-soname,liblanesum.so.{abi}");
    }
}
