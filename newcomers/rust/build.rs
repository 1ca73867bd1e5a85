//! Passes the optimization level to the program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=OPT_LEVEL={}", std::env::var("OPT_LEVEL").unwrap());
}
