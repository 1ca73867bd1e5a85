//! What tasks install: Debian packages, by group, and virtual environments of Python.

use std::path::Path;
use std::{env, fs};

use crate::process::shell;

/// Groups of packages, as PROGRAM:PACKAGE with the package names of Debian and Ubuntu (`.ci/install`).
pub const PACKAGES: [(&str, &str); 15] = [
    (
        "test-tools",
        "objdump:binutils nm:binutils sha256sum:coreutils cksum:coreutils b3sum:b3sum \
         openssl:openssl strace:strace git:git tmux:tmux rhash:rhash hashdeep:hashdeep \
         shasum:perl bash:bash script:bsdutils setsid:util-linux setpriv:util-linux man:man-db \
         setfacl:acl cc:gcc c++:g++ pkg-config:pkg-config cmake:cmake meson:meson \
         valgrind:valgrind gdb:gdb mtree:mtree-netbsd /usr/include/sha2.h:libmd-dev \
         /usr/include/openssl/core.h:libssl-dev python3:python3 \
         /usr/share/doc/python3-venv:python3-venv \
         /usr/include/p11-kit-1/p11-kit/pkcs11.h:libp11-kit-dev p11-kit:p11-kit \
         pkcs11-tool:opensc softhsm2-util:softhsm2 llvm-mca-19:llvm-19 fsverity:fsverity \
         /usr/sbin/veritysetup:cryptsetup-bin mktorrent:mktorrent",
    ),
    ("python-tests", "libpython@VERSION@-testsuite"),
    (
        "hardware",
        "verilator:verilator iverilog:iverilog ghdl:ghdl yosys:yosys sta:opensta \
         /usr/share/qflow/tech/osu018/osu018_stdcells.v:qflow-tech-osu018 graywolf:graywolf \
         qrouter:qrouter /usr/lib/qflow/scripts/place2def.tcl:qflow",
    ),
    ("kernel", "linux-image-cloud-amd64 linux-headers-cloud-amd64 dkms:dkms"),
    // A dynamic busybox would not start in a test machine.
    ("kmod", "busybox-static kcapi-dgst:kcapi-tools cpio:cpio"),
    // Kernels built from the system's source package: unpacking (1.4 GB) and building take minutes, once.
    (
        "kernel-source",
        "/usr/src/linux-source-6.1.tar.xz:linux-source-6.1 flex bison bc libelf-dev libssl-dev",
    ),
    ("emulator", "qemu-system-x86_64:qemu-system-x86"),
    ("git-build", "/usr/include/zlib.h:zlib1g-dev make:make"),
    ("openssl", "/usr/include/openssl/core.h:libssl-dev"),
    (
        "dist",
        "dh:debhelper dpkg-buildpackage:dpkg-dev lintian:lintian fakeroot:fakeroot xz:xz-utils \
         openssl:openssl pkcs11-tool:opensc cc:gcc",
    ),
    ("book", "chromium:chromium python3:python3"),
    ("go", "go:golang-go"),
    ("c", "cc:gcc"),
    ("ipsec-mb", "/usr/include/intel-ipsec-mb.h:libipsec-mb-dev"),
    (
        "peers",
        "rhash b3sum hashdeep busybox:busybox-static openssl coreutils findutils libipsec-mb-dev \
         libssl-dev pkg-config",
    ),
];

/// The virtual environments target/NAME, each with its file of requirements.
pub const VENVS: [(&str, &str); 10] = [
    // OpenSSL and PKCS #11, for the tests of the C interfaces.
    ("doors", "crates/ffi/tests/doors/requirements.txt"),
    // libtorrent and torf, for the tests of `lanesum tree`.
    ("trees", "crates/cli/tests/trees/requirements.txt"),
    // The generator of registers.
    ("peakrdl", "rtl/axil/requirements.txt"),
    // Bitwuzla, an independent solver for bit vectors.
    ("smt", "crates/lab/tests/requirements.txt"),
    ("deny", ".ci/deny.txt"),
    ("python", "crates/python/tests/requirements.txt"),
    ("manifests", "crates/python/manifest/requirements.txt"),
    // Libraries that distribute tables over threads, processes and machines. They need Java.
    ("engines", "crates/python/engines/requirements.txt"),
    ("bench-python", "benches/columns.txt"),
    ("wheel", "crates/python/tests/wheel.txt"),
];

/// Installs a group of packages, or sets up a virtual environment.
pub fn install(name: &str) -> Result<(), String> {
    if let Some((_, packages)) = PACKAGES.iter().find(|(group, _)| *group == name) {
        let version =
            "$(/usr/bin/python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])')";
        return shell(&format!(".ci/install {}", packages.replace("@VERSION@", version)));
    }
    let venv = VENVS.iter().find(|(venv, _)| *venv == name);
    let (_, requirements) = venv.ok_or_else(|| format!("no virtual environment '{name}'"))?;
    // A copy of the requirements marks a complete environment.
    let pins = Path::new("target").join(name).join("pins");
    let wanted = fs::read(requirements).map_err(|error| format!("{requirements}: {error}"))?;
    if fs::read(&pins).is_ok_and(|pins| pins == wanted) {
        return Ok(());
    }
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    shell(&format!(
        "'{python}' -m venv target/{name}; target/{name}/bin/pip install -q -r {requirements}; \
         cp {requirements} {}",
        pins.display()
    ))
}
