//! The table of tasks. CONTRIBUTING.md's tables of commands are generated from it.

use crate::task::Selection::{Quick, Slow};
use crate::task::Stage::{First, Manual, Measurement, Part, Second};
use crate::task::Step::{Run, Sh, Tests};
use crate::task::{Task, UNMEASURED};

/// Slow tests by a part of their name, which `make test` leaves to the second stage: tests of more than half a minute of CPU
/// time, and all tests of the release library, because its build takes longer than that.
pub const SLOW: &[&str] = &[
    "a_kernel_with_instructions_of_another_cpu",
    "attack::",
    "binary::",
    "binary_cpu::",
    "claims::",
    "every_core_is_proven_equal_to_the_specification",
    "every_kernel_passes_the_monte_carlo_tests_as_one_stream",
    "flipped_cpu::",
    "hostile_",
    "lane_kernels_do_what_the_specification_asks",
    "leaves_no_key_material",
    "mutants::",
    "orders_are_compared_on_every_machine",
    "published_keys_in_lanes_on_every_kernel",
    "simulate::",
    "the_list_of_proven_assembly",
];

/// All tasks. Times are from runs that started with an empty `target`, on two cores of Zen 5 (November 2026).
pub const TASKS: &[Task] = &[
    Task::new(First, "check", [2, 3])
        .about("formatting, lock files, prose check, lints, unit tests of libraries and programs")
        .steps(&[
            Run("locks"),
            Run("prose"),
            Run("format"),
            Run("lints"),
            Sh("cargo test --workspace --locked --lib --bins -q"),
        ]),
    Task::new(First, "test", [15, 26])
        .about("format, lock files, prose check, lints, and the quick tests of every crate. Not included: the second stage, the unit tests of the engine and liblanesum (`check`, `test-long`), and the tests of the Python package (`python`)")
        .steps(&[Run("tools"), Run("locks"), Run("prose"), Run("format"), Run("lints"), Run("tests")])
        .summed(),
    Task::new(First, "affected", [3, 5])
        .about("with the names of crates: the tests of these crates and of all crates that import them")
        .steps(&[Sh("echo 'cargo xtask affected CRATE...' >&2; exit 2")]),
    Task::new(Part, "locks", [1, 1])
        .about("checks that every lock file is up to date")
        // Packages outside the workspace. Their lock files must match the libraries' dependencies.
        .steps(&[Sh("for folder in benches benches/peers/crates fuzz crates/engine/tests/freestanding newcomers/rust \
            newcomers/no_std crates/python/polars examples/datafusion examples/git-objects; do \
            cargo update --workspace --locked --quiet --manifest-path $folder/Cargo.toml; done")]),
    Task::new(Part, "prose", [1, 1])
        .about("checks comments, documents and messages for the phrases of .ci/phrases")
        .steps(&[Sh(".ci/prose")]),
    Task::new(Part, "format", [1, 1]).about("checks formatting").steps(&[Sh("cargo fmt --all --check")]),
    Task::new(Part, "lints", [1, 2])
        .about("lints of the whole workspace")
        .steps(&[Sh("cargo clippy --workspace --all-targets --all-features --locked -- -D warnings")]),
    Task::new(Part, "tests", [14, 24])
        .about("the quick tests of every crate")
        .needs(TEST_NEEDS)
        .steps(&[Tests(Quick)]),
    Task::new(Part, "tools", [3, 1])
        .about("installs the programs that tests run (Debian, Ubuntu)")
        .needs(TEST_NEEDS),
    Task::new(Part, "tools-all", [5, 2])
        .about("installs the programs that `cargo xtask test-all` runs")
        .needs(&["hardware"])
        .steps(&[Run("tools")]),
    Task::new(Second, "second", [54, 70])
        .about("all tasks of the second stage, which must pass before a change lands")
        .steps(&[
            Run("test-slow"),
            Run("newcomers"),
            Run("test-checks"),
            Run("rustdoc"),
            Run("deny"),
            Run("book-test"),
            Run("go-test"),
            Run("python"),
            Run("sanitize"),
            Run("prove"),
        ])
        .summed(),
    // As new users write them: unaffected by this repository's settings.
    Task::new(Second, "newcomers", [2, 2])
        .about("programs outside the workspace that use the crates: with cargo's default profiles, with small stacks, and without `std`")
        .steps(&[Sh(".ci/newcomers")])
        .ran("newcomers"),
    Task::new(Second, "test-checks", [1, 1])
        .about("the checks of this tree: each must reject a planted fault")
        .needs(&["peakrdl"])
        .steps(&[Run("generated"), Run("aside"), Sh(".ci/test-checks")])
        .ran("checks"),
    Task::new(Second, "generated", [1, 2])
        .about("whether committed generated files are up to date")
        .steps(&[Sh(".ci/generated")]),
    Task::new(Second, "aside", [1, 2])
        .about("whether fuzz targets and measurements compile")
        .steps(&[Sh(".ci/aside fuzz\n.ci/aside benches")]),
    Task::new(Second, "test-slow", [7, 14])
        .about("the tests that `make test` skips because they are slow (`SLOW` in `xtask/src/table.rs`): proofs of the C library, attacks on the prover, and long tests of every kernel")
        .needs(TEST_NEEDS)
        .steps(&[Tests(Slow)])
        .ran("slow"),
    Task::new(Second, "rustdoc", [1, 1])
        .about("the pages of rustdoc")
        .steps(&[Sh("cargo doc --workspace --no-deps --all-features --locked -q\n.ci/fragments target/doc/lanesum")])
        .ran("rustdoc"),
    Task::new(Second, "deny", [1, 1])
        .about("licenses, bans and sources of all crates, by cargo-deny")
        .needs(&["deny"])
        .steps(&[Sh(".ci/deny")]),
    Task::new(Second, "book-test", [5, 4])
        .about("the book in Debian's Chromium: links, anchors, search, figures at 400 px and in dark themes, and every choice of the interactive page; screenshots in `target/book/screenshots`")
        .needs(&["book"])
        .steps(&[Run("book"), Sh(".ci/book-test --screenshots target/book/screenshots")])
        .ran("book"),
    Task::new(Second, "go-test", [1, 1])
        .about("the example in Go with a lane kernel: vet, its tests, and these with the race detector")
        .needs(&["go", "c"])
        .steps(&[Sh("(cd examples/go && go vet ./... && go test -count=1 ./... && go test -count=1 -race ./...)
            cd examples/go/bench && go vet ./...")])
        .ran("go"),
    Task::new(Second, "python", [4, 5])
        .about("the Python package: its tests against hashlib, CPython's tests, its stubs. `PYTHON=python3.13` selects another interpreter")
        .needs(&["python-tests", "python"])
        .steps(&[Sh("VIRTUAL_ENV=$PWD/target/python target/python/bin/maturin develop -q --locked -m crates/python/Cargo.toml
            target/python/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python crates/python/tests
            cd crates/python && ../../target/python/bin/python -m mypy.stubtest --mypy-config-file mypy.ini lanesum")])
        .ran("python"),
    Task::new(Second, "sanitize", [6, 8])
        .about("the libraries and the C interfaces under the address sanitizer, on every kernel")
        .steps(&[Run("tools"), Sh(".ci/sanitize")])
        .ran("sanitize"),
    // Release builds with symbols, each proven separately, and a user's program in cargo's release profile. A test of
    // crates/lab proves the C library. Building the Python module with that library selects the same features, so that
    // the engine is not compiled again.
    Task::new(Second, "prove", [24, 29])
        .about("proofs of the released static program and Python extension module, and of a user's program; `test-slow` proves the C library")
        .steps(&[Sh("host=$(rustc -vV | sed -n 's/^host: //p')
            RUSTFLAGS='-C target-feature=+crt-static' cargo build -q --release --locked -p lanesum-cli \\
              --target \"$host\" --target-dir target/static
            cargo build -q --release --locked -p lanesum-ffi -p lanesum-python --lib
            cargo build -q --release --locked --manifest-path newcomers/rust/Cargo.toml --bin level --target-dir target/newcomers
            graph=$(.ci/graph)
            for file in target/static/*/release/lanesum target/release/lib_lanesum.so target/newcomers/release/level; do
              echo \"$file\"; \"$graph\" prove --binary \"$file\"; done")]),
    Task::new(Manual, "test-all", [206, 232])
        .about("`make test`, `second`, `test-long`, `package`, `rules`, `aside-all`, `rtl-test`, `cross-i686`, `suites`, `memory` and `test-huge`; minutes: about their sum")
        .steps(&[
            Run("test"),
            Run("second"),
            Run("test-long"),
            Run("package"),
            Run("rules"),
            Run("aside-all"),
            Run("rtl-test"),
            Run("cross-i686"),
            Run("suites"),
            Run("memory"),
            Run("test-huge"),
        ])
        .summed(),
    Task::new(Manual, "test-long", [14, 16])
        .about("tests that are marked as long (`ignore = \"long: …\"`), and the unit tests of the engine and of liblanesum")
        .steps(&[Run("tools"), Sh(".ci/long"), Sh(".ci/places"), Sh(".ci/newcomers levels")])
        .ran("long"),
    Task::new(Manual, "rtl-test", [0, 70])
        .about("cores in Verilator, Icarus and GHDL, proofs by sby, gates; HMAC, and the registers of `rtl/axil` with their driver")
        .steps(&[
            Run("tools-all"),
            Sh("rtl/test target/rtl-test"),
            Sh("rtl/flow/layout-test target/layout-test"),
        ])
        .ran("hardware"),
    Task::new(Manual, "python-sanitize", [6, 6])
        .about("the Python package's tests under the address sanitizer")
        .needs(&["python-tests", "python"])
        .steps(&[Sh(".ci/sanitized crates/python/sanitize \"$PWD/target/python/bin/python\"")])
        .ran("python_sanitize"),
    Task::new(Manual, "python-engines", [9, 12])
        .about("Polars' plug-in, DataFusion's function, and the recipes (including those for manifests) with the real PySpark, Dask and Ray")
        .needs(&["engines"])
        .steps(&[Sh("export VIRTUAL_ENV=$PWD/target/engines
            target/engines/bin/maturin develop -q --locked -m crates/python/Cargo.toml
            CARGO_TARGET_DIR=$PWD/target/polars target/engines/bin/maturin develop -q --locked -m crates/python/polars/Cargo.toml
            target/engines/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python \\
              crates/python/polars/tests crates/python/engines
            CARGO_TARGET_DIR=target/datafusion cargo test -q --locked --manifest-path examples/datafusion/Cargo.toml")])
        .ran("python_engines"),
    Task::new(Manual, "manifests", [4, 5])
        .about("dataset manifests: with a failing Dask cluster and a failing S3, and with other tools")
        .needs(&["manifests"])
        .steps(&[Sh("VIRTUAL_ENV=$PWD/target/manifests target/manifests/bin/maturin develop -q --locked -m crates/python/Cargo.toml
            target/manifests/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python crates/python/manifest")])
        .ran("manifests"),
    Task::new(Manual, "manifests-kills", [8, 8])
        .about("`manifests`, and a hundred (`KILLS`) runs that are killed at random and resume; writes a record (in `benches/record`)")
        .steps(&[
            Run("keeper"),
            Run("manifests"),
            Sh("benches/target/release/lanesum-bench keep manifest-kills \
                target/manifests/bin/python crates/python/manifest/kills.py ${KILLS:-100}"),
        ]),
    Task::new(Manual, "suites", [9, 9])
        .about("GNU coreutils' and busybox's tests of sums, git's tests of objects and packs, OpenSSL's `evp_test` of two releases, python-pkcs11's tests; with `PEERS=DIR` also Google's pkcs11test and other releases of OpenSSL")
        .needs(&["git-build"])
        .steps(&[Run("tools"), Sh(".ci/suites")])
        .ran("suites"),
    // For another installed kernel: KERNEL=... kmod/test/run DIR.
    Task::new(Manual, "kmod-test", [12, 14])
        .about("the Linux kernel module in Debian's Linux kernel, in emulation on many CPUs; the proof of its assembly files")
        .needs(&["kernel", "kmod", "emulator"])
        .steps(&[Sh("QEMU=$(kmod/test/backports target/kmod/qemu) kmod/test/run target/kmod/test
            graph=$(.ci/graph); \"$graph\" prove --linux --binary target/kmod/test/module/texts.o")])
        .ran("linux_module"),
    Task::new(Manual, "kmod-debug", [12, 18])
        .about("the module in a Linux kernel with debug checks (locks, leaks, failing allocations); writes a record")
        .needs(&["kmod", "kernel-source", "emulator"])
        .steps(&[
            Run("keeper"),
            Sh("QEMU=$(kmod/test/backports target/kmod/qemu) \
                benches/target/release/lanesum-bench keep kmod-debug kmod/test/debug target/kmod/linux"),
        ]),
    Task::new(Manual, "kmod-uml", [4, 6])
        .about("the module in User Mode Linux, on this CPU")
        .needs(&["kmod", "kernel-source"])
        .steps(&[Sh("kmod/test/uml target/kmod/linux")]),
    Task::new(Manual, "git-objects", [2, 3])
        .about("the example that recomputes the ids of a git repository: on this one, compared with git")
        .steps(&[Sh("CARGO_TARGET_DIR=target/git-objects cargo test -q --locked --manifest-path examples/git-objects/Cargo.toml")])
        .ran("git_objects"),
    Task::new(Manual, "rules", [5, 5])
        .about("the prover's rewriting rules (its normal forms), checked by Bitwuzla")
        .needs(&["smt"])
        .steps(&[Sh("LANESUM_SMT=$PWD/target/smt/bin/python \
            cargo test -p lanesum-lab --all-features --locked --test all rules:: -- --include-ignored")]),
    Task::new(Manual, "memory", [2, 2])
        .about("a million files within a fixed memory limit")
        .steps(&[Sh("cargo test -p lanesum-cli --locked --release --test all memory:: -- --include-ignored")])
        .ran("memory"),
    Task::new(Manual, "kills", [5, 5])
        .about("commands that write, each killed a hundred times; writes a record")
        .steps(&[
            Run("keeper"),
            Sh("cargo test -p lanesum-cli --locked --test all --no-run
                benches/target/release/lanesum-bench keep kills bash -o pipefail -c 'cargo test -q -p lanesum-cli --locked \
                --test all killed_a_hundred -- --ignored --nocapture | sed -n \"s/^record: //p\"'"),
        ]),
    // `make test` tests the pages, their links and their examples.
    Task::new(Manual, "book", [4, 0])
        .about("builds the documentation as a book, in `target/book/html`; mdBook is compiled the first time")
        .steps(&[
            Sh("[ -x target/book-tool/bin/mdbook ] || cargo install -q mdbook --locked --version 0.5.4 \
                --no-default-features --features search --root target/book-tool"),
            Sh(".ci/book target/book-tool/bin/mdbook"),
        ]),
    Task::new(Manual, "man", UNMEASURED)
        .about("generates the command's manual pages in `target/man` (`MAN=DIR`)")
        .steps(&[Sh("cargo run --release --locked -q -p lanesum-cli -- man \"${MAN:-target/man}\"")]),
    Task::new(Manual, "generate", UNMEASURED)
        .about("regenerates all committed generated files in place")
        .steps(&[Run("commands"), Run("header"), Sh(".ci/generated write"), Run("proven")]),
    Task::new(Manual, "commands", [1, 1])
        .about("regenerates the tables of commands in CONTRIBUTING.md")
        .steps(&[Sh("LANESUM_WRITE=1 cargo test -q -p lanesum-xtask --locked contributing")]),
    Task::new(Manual, "header", UNMEASURED)
        .about("regenerates lanesum.h and its manual pages from the sources")
        .steps(&[Sh("LANESUM_WRITE=1 cargo test -q -p lanesum-ffi --all-features --locked --test all header::the_header")]),
    Task::new(Manual, "proven", UNMEASURED)
        .about("regenerates the list of `lanesum doctor --proof` from the release library")
        .steps(&[Sh("LANESUM_WRITE=1 cargo test -q -p lanesum-lab --all-features --locked --test all the_list_of_proven_assembly")]),
    // The measurements are in the order in which the pages need them: hours on an idle machine.
    Task::new(Manual, "reproduce", [5, 5])
        .about("regenerates every table and figure of the documents from the records (`MEASURE=1` measures first)")
        .steps(&[
            Sh("[ -z \"${MEASURE-}\" ] || cargo xtask measurements"),
            Run("generate"),
            Sh("git --no-pager diff --stat -- README.md docs crates/rtl/measured.toml"),
        ]),
    Task::new(Manual, "aside-all", [3, 4])
        .about("whether the measurements of all other libraries compile")
        .steps(&[Run("aside"), Sh(".ci/aside benches-all")])
        .ran("aside_all"),
    Task::new(Manual, "cross-i686", [5, 6])
        .about("the libraries on i686, and the proof of their kernels there")
        .steps(&[Sh(".ci/cross i686-unknown-linux-gnu")]),
    Task::new(Manual, "cross", [13, 13])
        .about("the libraries on i686, and on AArch64 and s390x under QEMU")
        .steps(&[Sh(".ci/cross")]),
    Task::new(Manual, "windows", [2, 2])
        .about("whether the libraries without file access compile for Windows, with Debian's compiler and MinGW")
        .steps(&[Sh(".ci/windows")]),
    // Only a few tests: Miri needs minutes for a second of CPU time.
    Task::new(Manual, "miri", UNMEASURED)
        .about("portable kernels and the scheduler under Miri (needs a nightly toolchain)")
        .steps(&[Sh("cargo +nightly miri test --locked --target-dir target/miri -p lanesum --lib --test all -- \
            portable_x1::words::W32 what_is_not_drained")])
        .ran("miri"),
    Task::new(Manual, "fuzz", [6, 6])
        .about("fuzzes the parsers and the scheduler, `SECONDS` (60) for each target")
        .steps(&[Sh(".ci/fuzz")])
        .ran("fuzz"),
    // Each crate is built from its package and the packages of the others.
    Task::new(Manual, "package", [3, 3])
        .about("a dry run of publishing, without a registry: each crate built from its package")
        .steps(&[Sh("cargo package --workspace --exclude lanesum-testkit --exclude lanesum-python --exclude lanesum-xtask \
            --locked --offline --target-dir target/publish")]),
    Task::new(Manual, "wheel", [5, 6])
        .about("a manylinux2014 wheel (glibc 2.17 or later) for this architecture, checked by auditwheel, tested in fresh environments")
        .needs(&["wheel"])
        .steps(&[Sh("crates/python/wheel target/wheels")]),
    Task::new(Manual, "dist", [6, 0])
        .about("builds the release files of the last commit in `target/dist` (`DIST=DIR`): source, static program, Debian packages")
        .needs(&["dist"])
        .steps(&[Sh("packages/make \"${DIST:-target/dist}\"")]),
    Task::new(Manual, "dist-test", [14, 22])
        .about("builds the release files twice and compares them, then tests them: the static program in an empty chroot, Debian's packages by lintian, installed and purged in a copy of the system")
        .needs(&["dist"])
        .steps(&[Sh("dist=${DIST:-target/dist}
            packages/make \"$dist\"
            packages/make \"$dist-again\"
            packages/test \"$dist\" \"$dist-again\"")])
        .ran("dist"),
    Task::new(Manual, "test-huge", [32, 32])
        .about("messages over 4 GiB on every kernel")
        .steps(&[Sh("cargo test -p lanesum --locked --test all huge:: -- --include-ignored --nocapture")])
        .ran("messages_over_4_gib"),
    Task::new(Manual, "git-suite", [30, 0])
        .about("all of git's tests with libsha1detectcoll; writes a record")
        .needs(&["git-build"])
        .steps(&[Run("keeper"), Sh("benches/target/release/lanesum-bench keep git-suite .ci/suites git_whole")]),
    // `test-slow` tries a few mutants of each function, `test-long` a few more.
    Task::new(Manual, "mutants", [60, 0])
        .about("mutates machine code of kernels (`MUTANTS=200` of each function): the prover must reject each mutant, unless it is equivalent on this CPU")
        .steps(&[Sh("LANESUM_MUTANTS=${MUTANTS:-200} cargo test -p lanesum-lab --all-features --locked --test all \
            mutants:: -- --include-ignored --nocapture")]),
    // From a fixed seed; `test-slow` runs a sample.
    Task::new(Manual, "attack", [60, 0])
        .about("inserts code and manipulates files: the prover must reject each attack, unless it has no effect on this CPU (`ATTACKS=20000`)")
        .steps(&[Sh("LANESUM_ATTACKS=${ATTACKS:-20000} cargo test -p lanesum-lab --all-features --locked --test all \
            attack:: -- --include-ignored --nocapture")]),
    Task::new(Manual, "run", UNMEASURED)
        .about("tries the command: hashes the source tree")
        .steps(&[Sh("cargo run --release -- sum -r crates")]),
    Task::new(Manual, "bench-page", UNMEASURED)
        .about("generates docs/benchmarks.md, published.md, orders.md, optimal.md and the figures in other pages from the records")
        .steps(&[Sh("cargo run --release --locked -q -p lanesum-lab -- orders
            cargo run --release --locked --no-default-features --manifest-path benches/Cargo.toml -- page")]),
    Task::new(Manual, "rtl-page", UNMEASURED)
        .about("generates docs/hardware.md and its figures from the records of cores")
        .steps(&[Sh("cargo run --release --locked -q -p lanesum-lab -- hardware")]),
    Task::new(Manual, "bench-peers", [1, 1])
        .about("installs the peers that Debian and Ubuntu package")
        .needs(&["peers"]),
    Task::new(Measurement, "measurements", UNMEASURED)
        .about("all measurements that the pages need, in their order")
        .steps(&[
            Run("bench"),
            Run("bench-instructions"),
            Run("bench-sweep"),
            Run("bench-orders"),
            Run("bench-digest"),
            Run("bench-doors"),
            Run("bench-batch"),
            Sh("for rtl in osu018 ecp5 ice40 xc2v; do RTL=$rtl cargo xtask rtl-report; done"),
        ]),
    Task::new(Measurement, "bench", [15, 0])
        .about("Lanesum, its peers and the ceilings")
        .steps(&[
            Sh("cargo build --release --locked
                cargo build --release --locked --manifest-path benches/Cargo.toml
                for part in jobs kernels calls; do benches/target/release/lanesum-bench $part; done"),
            Run("bench-tiers"),
            Run("bench-latencies"),
            Run("bench-simulated"),
        ]),
    // Without AWS-LC: it obeys OpenSSL's capability mask, too, and aborts if the mask has a feature that the CPU lacks.
    Task::new(Measurement, "bench-tiers", UNMEASURED)
        .about("one message on every tier, compared with the system's libcrypto (needs libssl-dev)")
        .steps(&[Sh("cargo run --release --locked --no-default-features --features installed \
            --manifest-path benches/Cargo.toml -- tiers")]),
    Task::new(Measurement, "bench-simulated", UNMEASURED)
        .about("bounds and simulated cycles of each kernel in the benchmark's machine code, and llvm-mca's")
        .steps(&[Sh("cargo build --release --locked --manifest-path benches/Cargo.toml
            benches/target/release/lanesum-bench keep simulated \
            cargo run --release --locked -q -p lanesum-lab -- simulate --binary benches/target/release/lanesum-bench")]),
    Task::new(Measurement, "bench-latencies", UNMEASURED)
        .about("latencies from each operand, units and dispatch width, for the bounds on pages")
        .steps(&[Run("keeper"), Sh("benches/target/release/lanesum-bench latencies")]),
    Task::new(Part, "keeper", [1, 1])
        .about("the program that stores a printed table as a record")
        .steps(&[Sh("cargo build --release --locked --no-default-features --manifest-path benches/Cargo.toml")]),
    Task::new(Measurement, "bench-sweep", UNMEASURED)
        .about("other forms of the stitched kernels, compared with the shipped ones")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-lab
                benches/target/release/lanesum-bench keep sweep target/release/lanesum-graph sweep --times 61"),
        ]),
    Task::new(Measurement, "bench-instructions", UNMEASURED)
        .about("instructions (by callgrind) and cycles per block of every kernel, as in Young's table")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-cli
                benches/target/release/lanesum-bench keep instructions benches/instructions"),
        ]),
    Task::new(Measurement, "bench-orders", UNMEASURED)
        .about("how searches for an instruction order converge, and one machine's orders on another (minutes)")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-lab
                keep=benches/target/release/lanesum-bench graph=target/release/lanesum-graph
                $keep keep convergence $graph converge sha{1,256,512}_rounds_bmi2 --evaluations 4000
                $keep keep orders $graph cross sha{1,256,512}_bmi2 sha{1,256,512}_x86_64 sha{1,256,512}_i686 \
                  --evaluations 500 --measure"),
        ]),
    Task::new(Measurement, "bench-digest", UNMEASURED)
        .about("`digest` and the GNU names compared with openssl and coreutils, and read lengths")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-cli
                cargo build --release --locked -p lanesum-files --example buffers
                benches/target/release/lanesum-bench keep digest benches/digest
                trap 'rm -f /dev/shm/lanesum-half' EXIT
                head -c 536870912 /dev/zero >/dev/shm/lanesum-half
                benches/target/release/lanesum-bench keep buffers target/release/examples/buffers /dev/shm/lanesum-half"),
        ]),
    Task::new(Measurement, "bench-doors", UNMEASURED)
        .about("the overhead of the C, OpenSSL and PKCS #11 interfaces, compared with libcrypto, libmd and SoftHSM")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-ffi -p lanesum-md --lib
                cargo build --release --locked -p lanesum-ffi --example calls
                crates/md/link target/release/liblanesum_md.a target/release
                for door in c-calls libmd evp pkcs11; do
                  benches/target/release/lanesum-bench keep $door benches/doors $door; done"),
        ]),
    Task::new(Measurement, "bench-batch", UNMEASURED)
        .about("batches, compared with Debian's ipsec-mb, crates, and isa-l_crypto, hashtree and firedancer in `PEERS`")
        .needs(&["ipsec-mb"])
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-ffi --lib
                cargo build --release --locked --manifest-path benches/peers/crates/Cargo.toml --target-dir benches/target
                benches/target/release/lanesum-bench keep batch benches/batch
                benches/target/release/lanesum-bench matrix"),
        ]),
    Task::new(Measurement, "bench-go", [3, 0])
        .about("the example in Go, compared with crypto/sha256 and minio's sha256-simd")
        .needs(&["go"])
        .steps(&[
            Run("keeper"),
            Sh("(cd examples/go/bench && go build -o ../../../target/go-bench .)
                benches/target/release/lanesum-bench keep go target/go-bench"),
        ]),
    Task::new(Measurement, "bench-passwords", UNMEASURED)
        .about("PBKDF2 of one and of many passwords, compared with libcrypto, hashcat, and fastpbkdf2 and john in `PEERS`")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-ffi --lib
                benches/target/release/lanesum-bench keep passwords benches/passwords"),
        ]),
    Task::new(Measurement, "bench-python", UNMEASURED)
        .about("Python's columns and calls, compared with hashlib, Polars, DuckDB, DataFusion, ClickHouse (8 GB)")
        .needs(&["bench-python"])
        .steps(&[
            Run("keeper"),
            Sh("VIRTUAL_ENV=$PWD/target/bench-python target/bench-python/bin/maturin develop -q --release --locked \
                  -m crates/python/Cargo.toml
                benches/target/release/lanesum-bench keep python target/bench-python/bin/python benches/columns"),
        ]),
    // Options select a smaller run, which writes no record.
    Task::new(Measurement, "bench-manifests", UNMEASURED)
        .about("manifests of a million files, of ten million entries, and of a local S3, compared with boto3 (10 GB; smaller: `MANIFESTS='--files 100000 --entries 1000000'`)")
        .needs(&["manifests"])
        .steps(&[
            Run("keeper"),
            Sh("VIRTUAL_ENV=$PWD/target/manifests target/manifests/bin/maturin develop -q --release --locked \
                  -m crates/python/Cargo.toml
                run='target/manifests/bin/python benches/manifests'
                if [ -n \"${MANIFESTS-}\" ]; then $run $MANIFESTS
                else benches/target/release/lanesum-bench keep manifests $run; fi"),
        ]),
    Task::new(Measurement, "bench-kept", UNMEASURED)
        .about("an unchanged tree with the cache, audits and updates of a million entries, a diff of ten million (10 GB of disk; smaller: `KEPT='--files 10000 --entries 100000 --compared 1000000'`)")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-cli
                cargo build --release --locked -p lanesum-files --example stats
                if [ -n \"${KEPT-}\" ]; then benches/kept $KEPT
                else benches/target/release/lanesum-bench keep kept benches/kept; fi"),
        ]),
    // The emulator counts instructions; nothing is timed.
    Task::new(Measurement, "bench-kmod", UNMEASURED)
        .about("instructions per message of the kernel's drivers and the module's, in emulation")
        .steps(&[
            Run("keeper"),
            Sh("QEMU=$(kmod/test/backports target/kmod/qemu) CPU=EPYC \
                benches/target/release/lanesum-bench keep kmod kmod/test/run target/kmod/test figures"),
        ]),
    Task::new(Measurement, "bench-kmod-uml", UNMEASURED)
        .about("the kernel's drivers and the module's in User Mode Linux, at this CPU's speed")
        .needs(&["kmod", "kernel-source"])
        .steps(&[
            Run("keeper"),
            Sh("benches/target/release/lanesum-bench keep kmod-uml kmod/test/uml target/kmod/linux speed"),
        ]),
    // For each algorithm, length and count: the time of the engine's plan, and of the best single kernel.
    Task::new(Measurement, "bench-plan", [3, 0])
        .about("the engine's plans of batches, compared with each kernel, on this CPU")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-cli
                benches/target/release/lanesum-bench keep plan sh -c 'target/release/lanesum bench --plan \
                  -l 0,8,32,64,128,256,1024,8192 -s 150 --record target/plan.csv >/dev/null && grep -v \"^#\" target/plan.csv'"),
        ]),
    Task::new(Measurement, "bench-trees", UNMEASURED)
        .about("Merkle trees and collision-detecting SHA-1, compared with fsverity, veritysetup, mktorrent, libtorrent and git")
        .needs(&["trees"])
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-cli
                benches/target/release/lanesum-bench keep trees benches/trees"),
        ]),
    Task::new(Measurement, "bench-sha1dc", UNMEASURED)
        .about("collision-detecting SHA-1, compared with the crates sha1dc and sha1-checked")
        .steps(&[
            Run("keeper"),
            Sh("cargo bench -q -p lanesum --locked --bench sha1dc --no-run
                benches/target/release/lanesum-bench keep sha1dc cargo bench -q -p lanesum --locked --bench sha1dc"),
        ]),
    // Takes a few minutes; the tests use a million blocks.
    Task::new(Measurement, "sha1dc-blocks", UNMEASURED)
        .about("a billion random blocks with collision detection, which must find none")
        .steps(&[
            Run("keeper"),
            Sh("cargo test -p lanesum --locked --test all --no-run
                benches/target/release/lanesum-bench keep sha1dc-blocks sh -c 'LANESUM_SHA1DC_BLOCKS=1000000000 \
                  cargo test -q -p lanesum --locked --test all random_blocks -- --ignored --nocapture | sed -n \"s/^record: //p\"'"),
        ]),
    Task::new(Measurement, "bench-git", UNMEASURED)
        .about("git with libsha1detectcoll, with its own SHA-1 and with libcrypto's (builds git three times), and `check --git` compared with `git fsck` (3 GB of disk)")
        .needs(&["git-build", "openssl"])
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-cli
                cargo build --release --locked -p lanesum-md --lib
                crates/md/link target/release/liblanesum_md.a target/release
                benches/target/release/lanesum-bench keep git benches/git"),
        ]),
    // Options select a smaller run, which writes no record.
    Task::new(Measurement, "bench-builds", [15, 0])
        .about("hashing in cargo's dev profile, and CPU seconds of building with cargo and pip (smaller: `BUILDS='--trial --rounds 9 --builds 0'`)")
        .steps(&[Sh("cargo build --locked --no-default-features --features builds --manifest-path benches/Cargo.toml
            benches/target/debug/lanesum-bench builds ${BUILDS-}")]),
    Task::new(Measurement, "bench-postgres", UNMEASURED)
        .about("unmodified PostgreSQL with OpenSSL's digests and with Lanesum's (Debian's postgresql)")
        .steps(&[
            Run("keeper"),
            Sh("cargo build --release --locked -p lanesum-ffi --lib
                benches/target/release/lanesum-bench keep postgres benches/postgres"),
        ]),
    // Downloads the source package of this system's OpenSSL; takes minutes.
    Task::new(Measurement, "openssl-patch", UNMEASURED)
        .about("patches OpenSSL with Lanesum's kernels: runs its tests, and measures its speed before and after")
        .steps(&[
            Run("keeper"),
            Sh("examples/openssl-patch/build target/openssl-patch
                benches/target/release/lanesum-bench keep openssl-patch examples/openssl-patch/speed target/openssl-patch"),
        ]),
    // Needs Debian's yosys, opensta and qflow-tech-osu018; takes minutes. A layout takes about ten times as long.
    Task::new(Measurement, "rtl-report", UNMEASURED)
        .about("area, clock and energy of cores in osu018 cells, or `RTL=`: sg13g2 or sky130 (cells in the file `SG13G2` or `SKY130`), ecp5, ice40, xc2v (FPGAs), layout (a core placed and routed by qflow's tools, `ONLY=NAME`)")
        .steps(&[
            Run("keeper"),
            Sh("rtl=${RTL:-osu018}
                benches/target/release/lanesum-bench keep rtl-$rtl rtl/report target/rtl-report/$rtl $rtl"),
        ]),
];

/// The tools and packages of `make test`. CPython's tests have one package per version.
const TEST_NEEDS: &[&str] = &["test-tools", "python-tests", "doors", "trees", "peakrdl"];
