# The only list of tasks. `make` without a target lists them.

SECONDS ?= 60
.DEFAULT_GOAL := help
# Every target is phony, except the names of files.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
MAN ?= target/man

help: ## list the tasks
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

build: ## build the command and the libraries in target/release
	cargo build --release --locked -p lanesum-cli -p lanesum-ffi -p lanesum-md
	crates/md/link $(BUILD)/liblanesum_md.a $(BUILD)
	$(BUILD)/lanesum man $(BUILD)/man

# Installation directories, named as in the GNU standards. Packagers set DESTDIR, which is prefixed.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
UNITDIR ?= $(PREFIX)/lib/systemd/system
INSTALL ?= install
# The directory of the built files.
BUILD ?= $(or $(CARGO_TARGET_DIR),target)/release
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
ABI := $(firstword $(subst ., ,$(VERSION)))
INCLUDE_FROM_CMAKE = $(shell realpath -m --relative-to '$(LIBDIR)/cmake/lanesum' '$(INCLUDEDIR)')

$(foreach one,PREFIX BINDIR LIBDIR INCLUDEDIR MANDIR UNITDIR,\
  $(if $(filter /%,$($(one))),,$(error $(one) is not an absolute path: $($(one)))))

# Each page also has a link for every function that it describes.
MAN3 := $(wildcard crates/ffi/man/*.3)

install: install-bin install-lib install-md ## install the output of `make build` under DESTDIR and PREFIX

install-bin:
	$(INSTALL) -D -m 755 $(BUILD)/lanesum "$(DESTDIR)$(BINDIR)/lanesum"
	for page in $(BUILD)/man/lanesum*.1; do \
	  $(INSTALL) -D -m 644 "$$page" "$(DESTDIR)$(MANDIR)/man1/$${page##*/}" || exit 1; done
	$(INSTALL) -m 755 crates/cli/share/lanesum-scrub "$(DESTDIR)$(BINDIR)/lanesum-scrub"
	$(INSTALL) -m 644 crates/cli/share/lanesum-scrub.1 "$(DESTDIR)$(MANDIR)/man1/lanesum-scrub.1"
	$(INSTALL) -d "$(DESTDIR)$(UNITDIR)"
	for unit in lanesum-scrub@.service lanesum-scrub@.timer; do \
	  sed 's|@BINDIR@|$(BINDIR)|' crates/cli/share/$$unit > "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; done

MODULE_ENTRIES = OSSL_provider_init C_GetFunctionList C_GetInterface C_GetInterfaceList
install-lib:
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum.so "$(DESTDIR)$(LIBDIR)/liblanesum.so.$(VERSION)"
	ln -sf liblanesum.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/liblanesum.so.$(ABI)"
	ln -sf liblanesum.so.$(ABI) "$(DESTDIR)$(LIBDIR)/liblanesum.so"
	$(INSTALL) -D -m 644 $(BUILD)/liblanesum.a "$(DESTDIR)$(LIBDIR)/liblanesum.a"
	@# Rust's standard library has LLVM's intermediate code, which `clang -flto` of another release cannot read. The
	@# entry points of modules would replace those of a module that is linked with the archive.
	objcopy --remove-section .llvmbc --remove-section .llvmcmd $(MODULE_ENTRIES:%=--localize-symbol=%) \
	  "$(DESTDIR)$(LIBDIR)/liblanesum.a"
	$(INSTALL) -D -m 644 crates/ffi/include/lanesum.h "$(DESTDIR)$(INCLUDEDIR)/lanesum.h"
	$(INSTALL) -D -m 644 crates/ffi/include/lanesum-pkcs11.h "$(DESTDIR)$(INCLUDEDIR)/lanesum-pkcs11.h"
	$(INSTALL) -d "$(DESTDIR)$(MANDIR)/man3"
	for page in $(MAN3); do \
	  $(INSTALL) -m 644 $$page "$(DESTDIR)$(MANDIR)/man3/$${page##*/}" || exit 1; \
	  for name in $$(sed -n 's/^\.\\" also //p' $$page); do \
	    ln -sf "$${page##*/}" "$(DESTDIR)$(MANDIR)/man3/$$name.3" || exit 1; done; done
	$(INSTALL) -d "$(DESTDIR)$(PREFIX)/share/lanesum"
	for file in openssl.cnf lanesum.module; do \
	  sed 's|liblanesum.so$$|$(LIBDIR)/liblanesum.so|' crates/ffi/share/$$file \
	    > "$(DESTDIR)$(PREFIX)/share/lanesum/$$file" || exit 1; done
	$(INSTALL) -d "$(DESTDIR)$(LIBDIR)/pkgconfig"
	sed 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|' \
	  crates/ffi/share/lanesum.pc.in > "$(DESTDIR)$(LIBDIR)/pkgconfig/lanesum.pc"
	$(INSTALL) -d "$(DESTDIR)$(LIBDIR)/cmake/lanesum"
	for file in lanesum-config.cmake lanesum-config-version.cmake; do \
	  sed 's|@VERSION@|$(VERSION)|;s|@ABI@|$(ABI)|;s|@INCLUDE@|$(INCLUDE_FROM_CMAKE)|' \
	    crates/ffi/share/$$file.in > "$(DESTDIR)$(LIBDIR)/cmake/lanesum/$$file" || exit 1; done

# In a separate directory, so that no program loads these libraries by accident.
install-md:
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum_md.so "$(DESTDIR)$(LIBDIR)/lanesum/libmd.so.0"
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum_freebsd_md.so \
	  "$(DESTDIR)$(LIBDIR)/lanesum/liblanesum_freebsd_md.so.0"
	$(INSTALL) -D -m 644 crates/md/include/solaris/sha2.h \
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum/solaris/sha2.h"
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum_sha1dc.so "$(DESTDIR)$(LIBDIR)/lanesum/libsha1detectcoll.so.1"
	ln -sf libsha1detectcoll.so.1 "$(DESTDIR)$(LIBDIR)/lanesum/libsha1detectcoll.so"
	$(INSTALL) -D -m 644 $(BUILD)/liblanesum_sha1dc.a "$(DESTDIR)$(LIBDIR)/lanesum/libsha1detectcoll.a"
	$(INSTALL) -D -m 644 crates/md/include/sha1dc/sha1.h \
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum/sha1dc/sha1.h"

uninstall: ## remove the files that `make install` installed
	rm -f "$(DESTDIR)$(BINDIR)/lanesum" "$(DESTDIR)$(MANDIR)/man1/lanesum.1" \
	  "$(DESTDIR)$(BINDIR)/lanesum-scrub" "$(DESTDIR)$(UNITDIR)"/lanesum-scrub@.* \
	  "$(DESTDIR)$(MANDIR)"/man1/lanesum-*.1 "$(DESTDIR)$(LIBDIR)/liblanesum.so" \
	  "$(DESTDIR)$(LIBDIR)/liblanesum.so.$(ABI)" "$(DESTDIR)$(LIBDIR)/liblanesum.so.$(VERSION)" \
	  "$(DESTDIR)$(LIBDIR)/liblanesum.a" "$(DESTDIR)$(INCLUDEDIR)/lanesum.h" \
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum-pkcs11.h" "$(DESTDIR)$(PREFIX)/share/lanesum/openssl.cnf" \
	  "$(DESTDIR)$(PREFIX)/share/lanesum/lanesum.module" \
	  "$(DESTDIR)$(LIBDIR)/pkgconfig/lanesum.pc" "$(DESTDIR)$(LIBDIR)/lanesum/libmd.so.0" \
	  "$(DESTDIR)$(LIBDIR)/cmake/lanesum/lanesum-config.cmake" \
	  "$(DESTDIR)$(LIBDIR)/cmake/lanesum/lanesum-config-version.cmake" \
	  "$(DESTDIR)$(LIBDIR)/lanesum/liblanesum_freebsd_md.so.0" \
	  "$(DESTDIR)$(LIBDIR)"/lanesum/libsha1detectcoll.* \
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum/solaris/sha2.h" "$(DESTDIR)$(INCLUDEDIR)/lanesum/sha1dc/sha1.h"
	for page in $(MAN3); do rm -f "$(DESTDIR)$(MANDIR)/man3/$${page##*/}"; \
	  for name in $$(sed -n 's/^\.\\" also //p' $$page); do \
	    rm -f "$(DESTDIR)$(MANDIR)/man3/$$name.3"; done; done
	for folder in "$(DESTDIR)$(INCLUDEDIR)/lanesum/solaris" "$(DESTDIR)$(INCLUDEDIR)/lanesum/sha1dc" \
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum" \
	  "$(DESTDIR)$(LIBDIR)/lanesum" "$(DESTDIR)$(LIBDIR)/cmake/lanesum" \
	  "$(DESTDIR)$(PREFIX)/share/lanesum"; do rmdir "$$folder" 2>/dev/null || :; done

# The target kernel of the module, and its headers.
KERNEL ?= $(shell uname -r)
KERNEL_BUILD ?= /lib/modules/$(KERNEL)/build
KMOD := lanesum-$(VERSION)

kmod: ## build the Linux module against the headers of KERNEL, in target/kmod
	kmod/check $(KERNEL_BUILD)
	kmod/stage target/kmod/$(KERNEL)
	$(MAKE) -C $(KERNEL_BUILD) M=$(CURDIR)/target/kmod/$(KERNEL) modules

kmod-install: ## install the module with DKMS, for KERNEL and later kernels (with DESTDIR only its source)
	kmod/stage "$(DESTDIR)/usr/src/$(KMOD)"
	[ -n "$(DESTDIR)" ] || dkms install lanesum/$(VERSION) -k $(KERNEL)

kmod-uninstall: ## remove the module that `make kmod-install` installed
	[ -n "$(DESTDIR)" ] || dkms remove lanesum/$(VERSION) --all
	rm -r "$(DESTDIR)/usr/src/$(KMOD)"

# For another installed kernel: KERNEL=... kmod/test/run DIR.
kmod-test: ## test the module in Debian's kernel on many emulated CPUs, and prove its assembly files
	@.ci/install linux-image-cloud-amd64 linux-headers-cloud-amd64 qemu-system-x86_64:qemu-system-x86 \
	  $(KMOD_TOOLS) dkms:dkms
	QEMU="$$(kmod/test/backports target/kmod/qemu)" kmod/test/run target/kmod/test
	"$$(.ci/graph)" prove --linux --binary target/kmod/test/module/texts.o
	$(call ran,linux_module)

KMOD_TOOLS := busybox-static kcapi-dgst:kcapi-tools cpio:cpio
# Kernels built from the system's source package. Unpacking (1.4 GB) and building take minutes, once.
KMOD_SOURCE := /usr/src/linux-source-6.1.tar.xz:linux-source-6.1 flex bison bc libelf-dev libssl-dev

kmod-debug: keeper ## test the module in a kernel with debug checks (locks, leaks, failing allocations), as a record
	@.ci/install $(KMOD_TOOLS) $(KMOD_SOURCE) qemu-system-x86_64:qemu-system-x86
	QEMU="$$(kmod/test/backports target/kmod/qemu)" $(KEEP) kmod-debug kmod/test/debug target/kmod/linux

kmod-uml: ## test the module in User Mode Linux, on this CPU
	@.ci/install $(KMOD_TOOLS) $(KMOD_SOURCE)
	kmod/test/uml target/kmod/linux

header: ## regenerate lanesum.h and its manual pages from the sources
	LANESUM_WRITE=1 cargo test -q -p lanesum-ffi --all-features --locked --test all header::the_header

proven: ## regenerate the list of `lanesum doctor --proof` from the release library
	LANESUM_WRITE=1 cargo test -q -p lanesum-lab --all-features --locked --test all the_list_of_proven_assembly

run: ## try the command: hash the source tree
	cargo run --release -- sum -r crates

# Packages outside the workspace. Their lock files must match the libraries' dependencies.
ASIDE := benches benches/peers/crates fuzz crates/engine/tests/freestanding newcomers/rust newcomers/no_std crates/python/polars examples/datafusion examples/git-objects

locks: ## check that every lock file is up to date
	@for folder in $(ASIDE); do \
	  cargo update --workspace --locked --quiet --manifest-path $$folder/Cargo.toml || exit 1; done

prose: ## check comments, documents and messages for the phrases of .ci/phrases
	@.ci/prose

check: locks prose ## check format, lints and quick tests; run it before every commit
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	cargo test --workspace --locked --lib --bins -q

# Where `make test` certifies that the C library is proven, so that it need not repeat the proof; empty: always prove.
CERTIFICATES ?= $(abspath $(or $(CARGO_TARGET_DIR),target)/certificates)
test: ## run all tests that must pass before a commit lands; ends with a list of skipped tests
	@.ci/summed $(MAKE) --no-print-directory test-steps

test-steps: tools locks prose test-checks aside generated newcomers
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	LANESUM_CERTIFICATES='$(CERTIFICATES)' cargo test --workspace --all-features --locked --no-fail-fast
	cargo doc --workspace --no-deps --all-features --locked -q
	.ci/fragments target/doc/lanesum

test-all: ## run `make test` and the rest: long tests, hardware, sanitizer, i686 (CONTRIBUTING.md has the minutes)
	@.ci/summed $(MAKE) --no-print-directory test-steps test-rest CERTIFICATES=

test-rest: test-long prove package rules aside-all rtl-test cross-i686 sanitize suites memory test-huge book-test

# Each crate is built from its package and the packages of the others.
package: ## dry-run publishing of each crate, without a registry (minutes)
	cargo package --workspace --exclude lanesum-testkit --exclude lanesum-python --locked --offline --target-dir target/publish

test-long: tools ## run the tests that take more than a few seconds each
	.ci/long
	.ci/places
	.ci/newcomers levels
	$(call ran,long)

# Records in the run's summary that a test skipped by `cargo test` has run.
ran = @[ -z "$$LANESUM_LEFT_OUT" ] || printf 'ran\ttest\t%s\n' $(1) >>"$$LANESUM_LEFT_OUT"

# Mutants of each function. `make test` runs a few, `make test-long` a few more.
MUTANTS ?= 200
mutants: ## mutate machine code of kernels: each mutant must be rejected, or be equivalent on this CPU (an hour)
	LANESUM_MUTANTS=$(MUTANTS) cargo test -p lanesum-lab --all-features --locked --test all \
	  mutants:: -- --include-ignored --nocapture

# Attacks from a fixed seed; `make test` runs a sample.
ATTACKS ?= 20000
attack: ## insert code and manipulate files: each attack must be rejected, or have no effect on this CPU (an hour)
	LANESUM_ATTACKS=$(ATTACKS) cargo test -p lanesum-lab --all-features --locked --test all \
	  attack:: -- --include-ignored --nocapture

# Release builds with symbols, each proven separately, and a user's program in cargo's release profile. A test of
# crates/lab proves the C library. Building the Python module with that library selects the same features, so that the
# engine is not compiled again.
prove: ## prove the released static program and Python extension module, and a user's program (`make test` proves the C library)
	RUSTFLAGS='-C target-feature=+crt-static' cargo build -q --release --locked -p lanesum-cli \
	  --target "$$(rustc -vV | sed -n 's/^host: //p')" --target-dir target/static
	cargo build -q --release --locked -p lanesum-ffi -p lanesum-python --lib
	cargo build -q --release --locked --manifest-path newcomers/rust/Cargo.toml --bin level --target-dir target/newcomers
	graph="$$(.ci/graph)" && for file in target/static/*/release/lanesum target/release/lib_lanesum.so target/newcomers/release/level; do \
	    echo "$$file" && "$$graph" prove --binary "$$file" || exit 1; done

# Bitwuzla, an independent solver for bit vectors, checks the normal forms.
rules: target/smt/pins ## check with Bitwuzla that words with the same normal form are equal
	LANESUM_SMT=$(CURDIR)/target/smt/bin/python cargo test -p lanesum-lab --all-features --locked --test all \
	  rules:: -- --include-ignored

target/smt/pins: crates/lab/tests/requirements.txt
	python3 -m venv target/smt
	target/smt/bin/pip install -q -r $<
	cp $< $@

# Programs outside the workspace, as new users write them: with cargo's default profiles, unaffected by this
# repository's settings.
newcomers: ## build and run new users' programs in cargo's default profiles, dev and release
	.ci/newcomers

test-checks: generated aside ## test the checks of this tree: each must reject a planted fault
	.ci/test-checks

aside: ## check that fuzz targets and measurements compile
	.ci/aside fuzz
	.ci/aside benches

aside-all: aside ## also check that the measurements of other libraries compile (minutes)
	.ci/aside benches-all
	$(call ran,aside_all)

test-huge: ## hash messages over 4 GiB on every kernel (half an hour)
	cargo test -p lanesum --locked --test all huge:: -- --include-ignored --nocapture
	$(call ran,messages_over_4_gib)

# Programs and headers that the tests need, as PROGRAM:PACKAGE with the package names of Debian and Ubuntu.
TEST_TOOLS := objdump:binutils nm:binutils sha256sum:coreutils cksum:coreutils b3sum:b3sum openssl:openssl strace:strace \
	git:git tmux:tmux rhash:rhash hashdeep:hashdeep shasum:perl bash:bash script:bsdutils setsid:util-linux setpriv:util-linux man:man-db \
	setfacl:acl cc:gcc c++:g++ pkg-config:pkg-config cmake:cmake meson:meson valgrind:valgrind gdb:gdb mtree:mtree-netbsd \
	/usr/include/sha2.h:libmd-dev /usr/include/openssl/core.h:libssl-dev \
	python3:python3 /usr/share/doc/python3-venv:python3-venv \
	/usr/include/p11-kit-1/p11-kit/pkcs11.h:libp11-kit-dev p11-kit:p11-kit \
	pkcs11-tool:opensc softhsm2-util:softhsm2 llvm-mca-19:llvm-19 \
	fsverity:fsverity /usr/sbin/veritysetup:cryptsetup-bin mktorrent:mktorrent
# Simulators and synthesis tools.
HARDWARE_TOOLS := verilator:verilator iverilog:iverilog ghdl:ghdl \
	yosys:yosys sta:opensta /usr/share/qflow/tech/osu018/osu018_stdcells.v:qflow-tech-osu018 \
	graywolf:graywolf qrouter:qrouter /usr/lib/qflow/scripts/place2def.tcl:qflow

tools: ## install the programs that tests run (Debian, Ubuntu)
	@.ci/install $(TEST_TOOLS)
	@$(MAKE) --no-print-directory python-tests target/doors/pins target/trees/pins target/peakrdl/pins

tools-all: tools ## also install the programs that `make test-all` runs
	@.ci/install $(HARDWARE_TOOLS)

# CPython's tests, in one package per version.
python-tests:
	@.ci/install $$(/usr/bin/python3 -c \
	  'import sys; print("libpython%d.%d-testsuite" % sys.version_info[:2])')

# Python bindings of OpenSSL and PKCS #11, for the tests of the C interfaces.
target/doors/pins: crates/ffi/tests/doors/requirements.txt
	python3 -m venv target/doors
	target/doors/bin/pip install -q -r $<
	cp $< $@

# libtorrent and torf, for the tests of `lanesum tree`.
target/trees/pins: crates/cli/tests/trees/requirements.txt
	python3 -m venv target/trees
	target/trees/bin/pip install -q -r $<
	cp $< $@

# PeakRDL, the generator of registers.
target/peakrdl/pins: rtl/axil/requirements.txt
	python3 -m venv target/peakrdl
	target/peakrdl/bin/pip install -q -r $<
	cp $< $@

# The Python package, in a virtual environment. PYTHON=python3.13 selects another interpreter.
PYTHON ?= python3
target/python/pins: crates/python/tests/requirements.txt
	$(PYTHON) -m venv target/python
	target/python/bin/pip install -q -r $<
	cp $< $@

python: python-tests target/python/pins ## build the Python package and test it against hashlib and other libraries (minutes)
	VIRTUAL_ENV=$(CURDIR)/target/python target/python/bin/maturin develop -q --locked -m crates/python/Cargo.toml
	target/python/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python crates/python/tests
	cd crates/python && ../../target/python/bin/python -m mypy.stubtest --mypy-config-file mypy.ini lanesum
	$(call ran,python)

# Manifests: a cluster and an object store on this machine, both with injected failures.
target/manifests/pins: crates/python/manifest/requirements.txt
	$(PYTHON) -m venv target/manifests
	target/manifests/bin/pip install -q -r $<
	cp $< $@

manifests: target/manifests/pins ## test manifests of directories and stores, with a failing Dask cluster and a failing S3 (minutes)
	VIRTUAL_ENV=$(CURDIR)/target/manifests target/manifests/bin/maturin develop -q --locked -m crates/python/Cargo.toml
	target/manifests/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python crates/python/manifest
	$(call ran,manifests)

KILLS ?= 100
manifests-kills: keeper manifests ## kill a hundred manifest runs at random and resume them, as a record (minutes; KILLS=...)
	$(KEEP) manifest-kills target/manifests/bin/python crates/python/manifest/kills.py $(KILLS)

python-sanitize: python-tests target/python/pins ## run the Python package's tests under the address sanitizer (minutes)
	$(SANITIZE) crates/python/sanitize $(CURDIR)/target/python/bin/python
	$(call ran,python_sanitize)

# Python libraries that distribute tables over threads, processes and machines. They need Java.
target/engines/pins: crates/python/engines/requirements.txt
	$(PYTHON) -m venv target/engines
	target/engines/bin/pip install -q -r $<
	cp $< $@

python-engines: target/engines/pins ## test the Polars plug-in, the DataFusion function, and the recipes with PySpark, Dask and Ray (minutes)
	VIRTUAL_ENV=$(CURDIR)/target/engines target/engines/bin/maturin develop -q --locked -m crates/python/Cargo.toml
	VIRTUAL_ENV=$(CURDIR)/target/engines CARGO_TARGET_DIR=$(CURDIR)/target/polars \
	  target/engines/bin/maturin develop -q --locked -m crates/python/polars/Cargo.toml
	target/engines/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python \
	  crates/python/polars/tests crates/python/engines
	CARGO_TARGET_DIR=target/datafusion cargo test -q --locked --manifest-path examples/datafusion/Cargo.toml
	$(call ran,python_engines)

git-objects: ## test the example that recomputes the ids of a git repository: on this one, against git (minutes)
	CARGO_TARGET_DIR=target/git-objects cargo test -q --locked --manifest-path examples/git-objects/Cargo.toml
	$(call ran,git_objects)

go-test: ## test the example in Go with a lane kernel, by vet and with the race detector (seconds)
	@.ci/install go:golang-go cc:gcc
	cd examples/go && go vet ./... && go test -count=1 ./... && go test -count=1 -race ./...
	cd examples/go/bench && go vet ./...
	$(call ran,go)

wheel: ## build a manylinux2014 wheel for this architecture in target/wheels, and test it with the oldest and the newest installed Python (minutes)
	crates/python/wheel target/wheels

cross-i686: ## run the libraries' tests on 32-bit x86, and prove a program for it (minutes)
	.ci/cross i686-unknown-linux-gnu

windows: ## check that the libraries without file access compile for Windows with MinGW (minutes)
	.ci/windows

cross: ## run the libraries' tests on 32-bit x86, and on AArch64 and big-endian s390x under QEMU
	.ci/cross

# The libraries that have kernels or parse untrusted input. Two tests that rebuild the library without the
# sanitizer are skipped, as are huge messages, and set-user-ID programs, which the leak sanitizer cannot trace.
SANITIZED := -p lanesum-spec -p lanesum -p lanesum-manifest
# The C libraries expect the sanitizer's runtime in the program that loads them. So the tests that run other
# projects' programs, or valgrind, are skipped.
SANITIZED_DOORS := wycheproof_vectors the_provider_matches threads_share_the_provider the_c_program_passes a_saved_state \
	digests_match random_calls threads_use_separate the_cpp_example all_functions_agree invalid_calls memory_checkers \
	concurrent_use a_child
# Some tests request more memory than there is, which must fail without ending the process.
sanitize python-sanitize: SANITIZE = RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Clink-arg=-rdynamic" \
	CARGO_TARGET_DIR=$(CURDIR)/target/sanitize ASAN_OPTIONS=allocator_may_return_null=1
sanitize: RUNTIME = $(shell rustc --print target-libdir)/librustc-stable_rt.asan.a

sanitize: tools ## run the tests of the libraries and the C interfaces under the address sanitizer, on every kernel
	$(SANITIZE) cargo test --locked --no-fail-fast --target $(HOST) --lib --tests $(SANITIZED) -- \
	  --skip lane_kernels_do_what_the_specification_asks --skip a_program_of_nothing_but_core \
	  --skip messages_over_4_gib --skip gdb_shows --skip nothing_of_a_key --skip examples:: \
	  --skip set_user_id_programs
	$(SANITIZE) cargo test --locked --no-fail-fast --target $(HOST) --lib -p lanesum-ffi -p lanesum-md
	$(SANITIZE) cargo build --locked --target $(HOST) -p lanesum-ffi --example lanesum
	LANESUM_TEST_CC_FLAGS="-Wl,--whole-archive $(RUNTIME) -Wl,--no-whole-archive -rdynamic -lm -lrt" \
	$(SANITIZE) cargo test --locked --no-fail-fast --target $(HOST) -p lanesum-ffi \
	  --test all -- $(SANITIZED_DOORS)
	@echo "skipped under the sanitizer: tests of object code, gdb, examples, the freestanding program, traces of keys in" \
	  "memory, messages over 4 GiB, set-user-ID programs, other projects' programs that load the C libraries, and all other crates"
	$(call ran,sanitize)

# For building git.
GIT_TOOLS := /usr/include/zlib.h:zlib1g-dev make:make
# Other projects' test suites, from registries, from Debian's sources and, with PEERS=DIR, from checkouts in DIR.
suites: tools ## run the test suites of coreutils, busybox, git, OpenSSL, python-pkcs11 and pkcs11test
	@.ci/install $(GIT_TOOLS)
	.ci/suites
	$(call ran,suites)

target/deny/pins: .ci/deny.txt
	python3 -m venv target/deny
	target/deny/bin/pip install -q -r $<
	cp $< $@

deny: target/deny/pins ## check licenses, bans and sources of all dependencies against deny.toml
	.ci/deny

# The tools of dpkg, lintian and the packages' tests.
DIST_TOOLS := dh:debhelper dpkg-buildpackage:dpkg-dev lintian:lintian fakeroot:fakeroot xz:xz-utils \
	openssl:openssl pkcs11-tool:opensc cc:gcc
DIST ?= target/dist
dist: ## build the release files of the last commit in target/dist: source, static program, Debian packages (6 minutes)
	@.ci/install $(DIST_TOOLS)
	packages/make $(DIST)

dist-test: ## build the release files twice, compare and test them: in an empty chroot, by lintian, installed and purged (14 minutes)
	@.ci/install $(DIST_TOOLS)
	packages/make $(DIST)
	packages/make $(DIST)-again
	packages/test $(DIST) $(DIST)-again
	$(call ran,dist)

# Only a few tests: Miri needs minutes for a second of CPU time.
miri: ## test portable kernels and the scheduler under Miri (needs a nightly toolchain)
	cargo +nightly miri test --locked --target-dir target/miri -p lanesum --lib --test all -- \
	  portable_x1::words::W32 what_is_not_drained
	$(call ran,miri)

FUZZ_TARGETS := $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
# libFuzzer's coverage and the address sanitizer, on the stable compiler.
FUZZ_FLAGS = --cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 -Zsanitizer=address \
	-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares

man: ## generate manual pages from the flags in target/man (MAN=DIR)
	cargo run --release --locked -q -p lanesum-cli -- man $(MAN)

# `make test` tests the pages, their links and their examples. This also compiles mdBook.
target/book-tool/bin/mdbook:
	cargo install -q mdbook --locked --version 0.5.4 --no-default-features --features search --root target/book-tool

book: target/book-tool/bin/mdbook ## build the documentation as a book with search, in target/book/html (four minutes the first time)
	.ci/book $<

BOOK_TOOLS := chromium:chromium python3:python3
book-test: book ## test the book in headless Chromium: links, search, the interactive page, figures on phones and in dark themes (five minutes the first time)
	@.ci/install $(BOOK_TOOLS)
	.ci/book-test --screenshots target/book/screenshots
	$(call ran,book)

generated: ## check that committed generated files are up to date
	.ci/generated

generate: header ## regenerate all committed generated files in place
	.ci/generated write
	@$(MAKE) --no-print-directory proven

# The measurements in the order in which the pages need them: hours on an idle machine.
MEASUREMENTS := bench bench-instructions bench-sweep bench-orders bench-digest bench-doors bench-batch
reproduce: ## regenerate every table and figure of the documents from the records (MEASURE=1: measure first)
	$(if $(MEASURE),$(MAKE) --no-print-directory $(MEASUREMENTS))
	$(if $(MEASURE),for rtl in osu018 ecp5 ice40 xc2v; do \
	  $(MAKE) --no-print-directory rtl-report RTL=$$rtl || exit 1; done)
	$(MAKE) --no-print-directory generate
	@git --no-pager diff --stat -- README.md docs crates/rtl/measured.toml

rtl-test: tools-all ## lint generated cores, run them in Verilator, Icarus and GHDL, and prove some
	rtl/test target/rtl-test
	rtl/flow/layout-test target/layout-test
	$(call ran,hardware)

rtl-demo: ## hash FILE with a committed core in Icarus Verilog, which it installs if missing; needs no Rust build
	@.ci/install iverilog:iverilog
	rtl/demo $${FILE:+"$$FILE"}

# Needs Debian's yosys, opensta and qflow-tech-osu018; takes minutes. RTL=sg13g2, sky130: cells in the file SG13G2 or SKY130. RTL=ecp5,
# ice40, xc2v: FPGAs. RTL=layout: a core placed and routed by qflow's tools (ONLY=NAME), about ten times as long.
RTL ?= osu018
rtl-report: keeper ## measure area, clock and energy of cores in osu018 cells, or RTL=sg13g2, sky130, ecp5, ice40, xc2v, layout, as a record
	$(KEEP) rtl-$(RTL) rtl/report target/rtl-report/$(RTL) $(RTL)

rtl-page: ## generate docs/hardware.md and its figures from the records of cores
	cargo run --release --locked -q -p lanesum-lab -- hardware

fuzz: ## fuzz the parsers and the scheduler, SECONDS for each target
	cd fuzz && for target in $(FUZZ_TARGETS); do \
	  mkdir -p corpus/$$target artifacts/$$target seeds/$$target && \
	  RUSTC_BOOTSTRAP=1 RUSTFLAGS="$(FUZZ_FLAGS)" \
	    cargo run --locked --release --target $(HOST) --bin $$target -- \
	    -max_total_time=$(SECONDS) -artifact_prefix=artifacts/$$target/ \
	    corpus/$$target seeds/$$target || exit 1; \
	done
	$(call ran,fuzz)

bench: ## measure Lanesum, its peers and the ceilings, as records in benches/record
	cargo build --release --locked
	cargo build --release --locked --manifest-path benches/Cargo.toml
	benches/target/release/lanesum-bench jobs
	benches/target/release/lanesum-bench kernels
	benches/target/release/lanesum-bench calls
	$(MAKE) --no-print-directory bench-tiers bench-latencies bench-simulated

bench-page: ## generate docs/benchmarks.md, published.md, orders.md, optimal.md and the figures in other pages from the records
	cargo run --release --locked -q -p lanesum-lab -- orders
	cargo run --release --locked --no-default-features --manifest-path benches/Cargo.toml -- page

# Without AWS-LC: it obeys OpenSSL's capability mask, too, and aborts if the mask has a feature that the CPU lacks.
bench-tiers: ## measure one message on every tier, compared with the system's libcrypto (needs libssl-dev)
	cargo run --release --locked --no-default-features --features installed \
	  --manifest-path benches/Cargo.toml -- tiers

bench-simulated: ## bounds and simulated cycles of each kernel in the benchmark's machine code, and llvm-mca's, as a record
	cargo build --release --locked --manifest-path benches/Cargo.toml
	benches/target/release/lanesum-bench keep simulated \
	  cargo run --release --locked -q -p lanesum-lab -- simulate --binary benches/target/release/lanesum-bench

bench-latencies: keeper ## measure latencies from each operand, units and dispatch width, for the bounds on pages
	benches/target/release/lanesum-bench latencies

# Runs a program that prints a table, and stores the table as a record.
KEEP := benches/target/release/lanesum-bench keep

keeper:
	cargo build --release --locked --no-default-features --manifest-path benches/Cargo.toml

bench-sweep: keeper ## measure other forms of the stitched kernels, compared with the shipped ones
	cargo build --release --locked -p lanesum-lab
	$(KEEP) sweep target/release/lanesum-graph sweep --times 61

bench-instructions: keeper ## measure instructions (by callgrind) and cycles per block of every kernel, as in Young's table
	cargo build --release --locked -p lanesum-cli
	$(KEEP) instructions benches/instructions

# Minutes in total; each search takes less than one.
ROUNDS_OF := sha1_rounds_bmi2 sha256_rounds_bmi2 sha512_rounds_bmi2
WHOLE := $(foreach isa,bmi2 x86_64 i686,sha1_$(isa) sha256_$(isa) sha512_$(isa))
bench-orders: keeper ## measure how searches for an instruction order converge, and one machine's orders on another
	cargo build --release --locked -p lanesum-lab
	$(KEEP) convergence target/release/lanesum-graph converge $(ROUNDS_OF) --evaluations 4000
	$(KEEP) orders target/release/lanesum-graph cross $(WHOLE) --evaluations 500 --measure

bench-digest: keeper ## measure `digest` and the GNU names compared with openssl and coreutils, and read lengths
	cargo build --release --locked -p lanesum-cli
	cargo build --release --locked -p lanesum-files --example buffers
	$(KEEP) digest benches/digest
	head -c 536870912 /dev/zero >/dev/shm/lanesum-half
	$(KEEP) buffers target/release/examples/buffers /dev/shm/lanesum-half; \
	  status=$$?; rm /dev/shm/lanesum-half; exit $$status

bench-doors: keeper ## measure the overhead of the C, OpenSSL and PKCS #11 interfaces, compared with libcrypto, libmd and SoftHSM
	cargo build --release --locked -p lanesum-ffi -p lanesum-md --lib
	cargo build --release --locked -p lanesum-ffi --example calls
	crates/md/link target/release/liblanesum_md.a target/release
	for door in c-calls libmd evp pkcs11; do $(KEEP) $$door benches/doors $$door || exit 1; done

bench-batch: keeper ## measure batches, compared with Debian's ipsec-mb, crates, and isa-l_crypto, hashtree and firedancer in PEERS
	cargo build --release --locked -p lanesum-ffi --lib
	@.ci/install /usr/include/intel-ipsec-mb.h:libipsec-mb-dev
	cargo build --release --locked --manifest-path benches/peers/crates/Cargo.toml --target-dir benches/target
	$(KEEP) batch benches/batch
	benches/target/release/lanesum-bench matrix

bench-go: keeper ## measure the example in Go, compared with crypto/sha256 and minio's sha256-simd (three minutes)
	@.ci/install go:golang-go
	cd examples/go/bench && go build -o ../../../target/go-bench .
	$(KEEP) go target/go-bench

bench-passwords: keeper ## measure PBKDF2 of one and of many passwords, compared with libcrypto, hashcat, and fastpbkdf2 and john in PEERS
	cargo build --release --locked -p lanesum-ffi --lib
	$(KEEP) passwords benches/passwords

target/bench-python/pins: benches/columns.txt
	$(PYTHON) -m venv target/bench-python
	target/bench-python/bin/pip install -q -r $<
	cp $< $@

bench-python: keeper target/bench-python/pins ## measure Python's columns and calls, compared with hashlib, Polars, DuckDB, DataFusion, ClickHouse (8 GB)
	VIRTUAL_ENV=$(CURDIR)/target/bench-python target/bench-python/bin/maturin develop -q --release --locked \
	  -m crates/python/Cargo.toml
	$(KEEP) python target/bench-python/bin/python benches/columns

# MANIFESTS has options for a smaller run, which writes no record: --files 100000 --entries 1000000.
MANIFESTS ?=
bench-manifests: keeper target/manifests/pins ## measure manifests of a million files, of ten million entries, and of a local S3, compared with boto3 (10 GB; MANIFESTS=...)
	VIRTUAL_ENV=$(CURDIR)/target/manifests target/manifests/bin/maturin develop -q --release --locked \
	  -m crates/python/Cargo.toml
	$(if $(MANIFESTS),,$(KEEP) manifests) target/manifests/bin/python benches/manifests $(MANIFESTS)

kills: keeper ## kill each command that writes a hundred times at random moments, as a record (minutes)
	cargo test -p lanesum-cli --locked --test all --no-run
	$(KEEP) kills bash -o pipefail -c 'cargo test -q -p lanesum-cli --locked --test all \
	  killed_a_hundred -- --ignored --nocapture | sed -n "s/^record: //p"'

# KEPT has options for a smaller run, which writes no record: --files 10000 --entries 100000 --compared 1000000.
KEPT ?=
bench-kept: keeper ## measure an unchanged tree with the cache, audits and updates of a million entries, a diff of ten million (10 GB of disk; KEPT=...)
	cargo build --release --locked -p lanesum-cli
	cargo build --release --locked -p lanesum-files --example stats
	$(if $(KEPT),,$(KEEP) kept) benches/kept $(KEPT)

# The emulator counts instructions; nothing is timed.
bench-kmod: keeper ## count instructions per message of the kernel's drivers and the module's, in emulation
	QEMU="$$(kmod/test/backports target/kmod/qemu)" CPU=EPYC $(KEEP) kmod kmod/test/run target/kmod/test figures

bench-kmod-uml: keeper ## measure the kernel's drivers and the module's in User Mode Linux, at this CPU's speed
	@.ci/install $(KMOD_TOOLS) $(KMOD_SOURCE)
	$(KEEP) kmod-uml kmod/test/uml target/kmod/linux speed

# For each algorithm, length and count: the time of the engine's plan, and of the best single kernel.
bench-plan: keeper ## measure the engine's plans of batches, compared with each kernel, on this CPU (three minutes)
	cargo build --release --locked -p lanesum-cli
	$(KEEP) plan sh -c 'target/release/lanesum bench --plan -l 0,8,32,64,128,256,1024,8192 -s 150 \
	  --record target/plan.csv >/dev/null && grep -v "^\#" target/plan.csv'

bench-trees: keeper target/trees/pins ## measure Merkle trees and collision-detecting SHA-1, compared with fsverity, veritysetup, mktorrent, libtorrent and git
	cargo build --release --locked -p lanesum-cli
	$(KEEP) trees benches/trees

bench-sha1dc: keeper ## measure collision-detecting SHA-1, compared with the crates sha1dc and sha1-checked
	cargo bench -q -p lanesum --locked --bench sha1dc --no-run
	$(KEEP) sha1dc cargo bench -q -p lanesum --locked --bench sha1dc

git-suite: keeper ## run all of git's tests with libsha1detectcoll, as a record (half an hour)
	@.ci/install $(GIT_TOOLS)
	$(KEEP) git-suite .ci/suites git_whole

# Takes a few minutes; the tests use a million blocks.
sha1dc-blocks: keeper ## hash a billion random blocks with collision detection, which must find none, as a record
	cargo test -p lanesum --locked --test all --no-run
	$(KEEP) sha1dc-blocks sh -c 'LANESUM_SHA1DC_BLOCKS=1000000000 \
	  cargo test -q -p lanesum --locked --test all random_blocks -- --ignored --nocapture | sed -n "s/^record: //p"'

bench-git: keeper ## measure git with libsha1detectcoll, with its own SHA-1 and with libcrypto's (builds git three times), and `check --git` compared with `git fsck` (3 GB of disk)
	@.ci/install $(GIT_TOOLS) /usr/include/openssl/core.h:libssl-dev
	cargo build --release --locked -p lanesum-cli
	cargo build --release --locked -p lanesum-md --lib
	crates/md/link target/release/liblanesum_md.a target/release
	$(KEEP) git benches/git

# BUILDS has options for a smaller run, which writes no record: --trial --rounds 9 --builds 0.
BUILDS ?=
bench-builds: ## measure hashing in cargo's dev profile, and CPU seconds of building with cargo and pip (a quarter of an hour)
	cargo build --locked --no-default-features --features builds --manifest-path benches/Cargo.toml
	benches/target/debug/lanesum-bench builds $(BUILDS)

bench-postgres: keeper ## measure unmodified PostgreSQL with OpenSSL's digests and with Lanesum's (Debian's postgresql)
	cargo build --release --locked -p lanesum-ffi --lib
	$(KEEP) postgres benches/postgres

# Downloads the source package of this system's OpenSSL; takes minutes.
openssl-patch: keeper ## patch OpenSSL with Lanesum's kernels: run its tests, and measure its speed before and after
	examples/openssl-patch/build target/openssl-patch
	$(KEEP) openssl-patch examples/openssl-patch/speed target/openssl-patch

bench-peers: ## install the peers that Debian and Ubuntu package
	@.ci/install rhash b3sum hashdeep busybox:busybox-static openssl coreutils findutils libipsec-mb-dev \
	  libssl-dev pkg-config

memory: ## hash a million files within a fixed memory limit (minutes)
	cargo test -p lanesum-cli --locked --release --test all memory:: -- --include-ignored
	$(call ran,memory)
