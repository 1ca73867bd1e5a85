# The only list of tasks. `make` alone says what there is.

SECONDS ?= 60
.DEFAULT_GOAL := help
# Every goal is one, but those that are files.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
MAN ?= target/man

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

build: ## the command and the libraries, in target/release
	cargo build --release --locked -p lanesum-cli -p lanesum-ffi -p lanesum-md
	crates/md/link $(BUILD)/liblanesum_md.a $(BUILD)
	$(BUILD)/lanesum man $(BUILD)/man

# Where things go, as the GNU standards have it; DESTDIR comes before for packagers.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
UNITDIR ?= $(PREFIX)/lib/systemd/system
INSTALL ?= install
# Where they come from.
BUILD ?= target/release
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
ABI := $(firstword $(subst ., ,$(VERSION)))
INCLUDE_FROM_CMAKE = $(shell realpath -m --relative-to '$(LIBDIR)/cmake/lanesum' '$(INCLUDEDIR)')

# Each is also found by the names of the functions that it describes.
MAN3 := $(wildcard crates/ffi/man/*.3)

install: install-bin install-lib install-md ## what `make build` made, below PREFIX and DESTDIR

install-bin:
	$(INSTALL) -D -m 755 $(BUILD)/lanesum "$(DESTDIR)$(BINDIR)/lanesum"
	for page in $(BUILD)/man/lanesum*.1; do \
	  $(INSTALL) -D -m 644 "$$page" "$(DESTDIR)$(MANDIR)/man1/$${page##*/}" || exit 1; done
	$(INSTALL) -m 755 crates/cli/share/lanesum-scrub "$(DESTDIR)$(BINDIR)/lanesum-scrub"
	$(INSTALL) -d "$(DESTDIR)$(UNITDIR)"
	for unit in lanesum-scrub@.service lanesum-scrub@.timer; do \
	  sed 's|@BINDIR@|$(BINDIR)|' crates/cli/share/$$unit > "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; done

install-lib:
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum.so "$(DESTDIR)$(LIBDIR)/liblanesum.so.$(VERSION)"
	ln -sf liblanesum.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/liblanesum.so.$(ABI)"
	ln -sf liblanesum.so.$(ABI) "$(DESTDIR)$(LIBDIR)/liblanesum.so"
	$(INSTALL) -D -m 644 $(BUILD)/liblanesum.a "$(DESTDIR)$(LIBDIR)/liblanesum.a"
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

# In a folder of its own: nothing finds it that does not look for it there.
install-md:
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum_md.so "$(DESTDIR)$(LIBDIR)/lanesum/libmd.so.0"
	$(INSTALL) -D -m 755 $(BUILD)/liblanesum_freebsd_md.so \
	  "$(DESTDIR)$(LIBDIR)/lanesum/liblanesum_freebsd_md.so.0"
	$(INSTALL) -D -m 644 crates/md/include/solaris/sha2.h \
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum/solaris/sha2.h"

uninstall: ## takes away what `make install` put there
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
	  "$(DESTDIR)$(INCLUDEDIR)/lanesum/solaris/sha2.h"
	for page in $(MAN3); do rm -f "$(DESTDIR)$(MANDIR)/man3/$${page##*/}"; \
	  for name in $$(sed -n 's/^\.\\" also //p' $$page); do \
	    rm -f "$(DESTDIR)$(MANDIR)/man3/$$name.3"; done; done
	for folder in "$(DESTDIR)$(INCLUDEDIR)/lanesum/solaris" "$(DESTDIR)$(INCLUDEDIR)/lanesum" \
	  "$(DESTDIR)$(LIBDIR)/lanesum" "$(DESTDIR)$(LIBDIR)/cmake/lanesum" \
	  "$(DESTDIR)$(PREFIX)/share/lanesum"; do rmdir "$$folder" 2>/dev/null || :; done

# The kernel that the module is for, and its headers.
KERNEL ?= $(shell uname -r)
KERNEL_BUILD ?= /lib/modules/$(KERNEL)/build
KMOD := lanesum-$(VERSION)

kmod: ## the module for Linux, against the headers of KERNEL, in target/kmod
	kmod/check $(KERNEL_BUILD)
	kmod/stage target/kmod/$(KERNEL)
	$(MAKE) -C $(KERNEL_BUILD) M=$(CURDIR)/target/kmod/$(KERNEL) modules

kmod-install: ## the module by DKMS, for KERNEL and those that come after (with DESTDIR its source alone)
	kmod/stage "$(DESTDIR)/usr/src/$(KMOD)"
	[ -n "$(DESTDIR)" ] || dkms install lanesum/$(VERSION) -k $(KERNEL)

kmod-uninstall: ## takes away what `make kmod-install` put there
	[ -n "$(DESTDIR)" ] || dkms remove lanesum/$(VERSION) --all
	rm -r "$(DESTDIR)/usr/src/$(KMOD)"

# Another kernel that is installed: KERNEL=... kmod/test/run FOLDER.
kmod-test: ## the module in Debian's kernel in emulation, on many CPUs, and the proof of its texts
	@.ci/install linux-image-cloud-amd64 linux-headers-cloud-amd64 qemu-system-x86_64:qemu-system-x86 \
	  $(KMOD_TOOLS) dkms:dkms
	QEMU="$$(kmod/test/backports target/kmod/qemu)" kmod/test/run target/kmod/test
	"$$(.ci/graph)" prove --linux --binary target/kmod/test/module/texts.o
	$(call ran,linux_module)

KMOD_TOOLS := busybox:busybox-static kcapi-dgst:kcapi-tools cpio:cpio
# Kernels of the system's source, unpacked (1.4 GB) and built once (minutes).
KMOD_SOURCE := /usr/src/linux-source-6.1.tar.xz:linux-source-6.1 flex bison bc libelf-dev libssl-dev

kmod-debug: keeper ## the module in a kernel that looks for faults: its locks, lost memory, failing allocations; as a record
	@.ci/install $(KMOD_TOOLS) $(KMOD_SOURCE) qemu-system-x86_64:qemu-system-x86
	QEMU="$$(kmod/test/backports target/kmod/qemu)" $(KEEP) kmod-debug kmod/test/debug target/kmod/linux

kmod-uml: ## the module in User Mode Linux, on the CPU at hand
	@.ci/install $(KMOD_TOOLS) $(KMOD_SOURCE)
	kmod/test/uml target/kmod/linux

header: ## make lanesum.h and its manual pages again from the source
	LANESUM_WRITE=1 cargo test -q -p lanesum-ffi --all-features --locked --test all header::the_header

run: ## hash the source tree: the main job, on something at hand
	cargo run --release -- sum -r crates

# Workspaces of their own, whose lock files must follow the libraries' needs.
ASIDE := benches benches/peers/crates fuzz crates/engine/tests/freestanding newcomers/rust newcomers/no_std crates/python/polars examples/datafusion examples/git-objects

locks: ## whether every lock file is as the manifests want it
	@for folder in $(ASIDE); do \
	  cargo update --workspace --locked --quiet --manifest-path $$folder/Cargo.toml || exit 1; done

prose: ## whether comments, documents and messages have phrases of .ci/phrases
	@.ci/prose

check: locks prose ## format, lints and quick tests: run it before every commit
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	cargo test --workspace --locked --lib --bins -q

test: ## what must pass before every commit lands, and what it needs; ends with what it left out
	@.ci/summed $(MAKE) --no-print-directory test-steps

test-steps: tools locks prose test-checks aside generated newcomers
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	cargo test --workspace --all-features --locked --no-fail-fast
	cargo doc --workspace --no-deps --all-features --locked -q

test-all: ## `make test` and the rest: long tests, hardware, sanitizer, i686 (CONTRIBUTING.md: minutes)
	@.ci/summed $(MAKE) --no-print-directory test-steps test-rest

test-rest: test-long prove package rules aside-all rtl-test cross-i686 sanitize suites memory test-huge

# Each crate is built from what would be published of it, beside the others' packages.
package: ## a dry run of publishing each crate, without a registry's answer: minutes
	cargo package --workspace --exclude lanesum-testkit --exclude lanesum-python --locked --offline --target-dir target/publish

test-long: tools ## tests that take more than some seconds each
	.ci/long
	.ci/places
	$(call ran,long)

# What gathers a run's summary is told that this was run after all.
ran = @[ -z "$$LANESUM_LEFT_OUT" ] || printf 'ran\ttest\t%s\n' $(1) >>"$$LANESUM_LEFT_OUT"

# So many of each function; `make test` has a few, `make test-long` some more.
MUTANTS ?= 200
mutants: ## whether changed machine code of kernels is refused, or does the same on this CPU: an hour
	LANESUM_MUTANTS=$(MUTANTS) cargo test -p lanesum-graph --locked --test all \
	  mutants:: -- --include-ignored --nocapture

# An adversary by a fixed seed; `make test` has a sample.
ATTACKS ?= 20000
attack: ## whether inserted code and tricks with files are refused, or do nothing on this CPU: an hour
	LANESUM_ATTACKS=$(ATTACKS) cargo test -p lanesum-graph --locked --test all \
	  attack:: -- --include-ignored --nocapture

# Release builds with their symbols, each proven on its own.
# The C library's proof is a test of crates/graph.
prove: ## proofs of a static program and of Python's extension module, as they ship (`make test` has the C library's)
	RUSTFLAGS='-C target-feature=+crt-static' cargo build -q --release --locked -p lanesum-cli \
	  --target "$$(rustc -vV | sed -n 's/^host: //p')" --target-dir target/static
	cargo build -q --release --locked -p lanesum-python
	graph="$$(.ci/graph)" && for file in target/static/*/release/lanesum target/release/lib_lanesum.so; do \
	    echo "$$file" && "$$graph" prove --binary "$$file" || exit 1; done

# What is equal by normal forms, judged by Bitwuzla.
rules: target/smt/pins ## whether words of one normal form are one, as a solver of bit vectors has it
	LANESUM_SMT=$(CURDIR)/target/smt/bin/python cargo test -p lanesum-graph --locked --test all \
	  rules:: -- --include-ignored

target/smt/pins: crates/graph/tests/requirements.txt
	python3 -m venv target/smt
	target/smt/bin/pip install -q -r $<
	cp $< $@

# Programs outside the workspace, as new users write them: with cargo's default profiles, which no setting of this
# repository may change.
newcomers: ## programs of new users in cargo's default profiles, dev and release
	.ci/newcomers

test-checks: generated aside ## whether the checks of this tree refuse what they are for
	.ci/test-checks

aside: ## whether fuzz targets and measurements compile
	.ci/aside fuzz
	.ci/aside benches

aside-all: aside ## and the measurements of other libraries, which take minutes
	.ci/aside benches-all
	$(call ran,aside_all)

test-huge: ## messages over 4 GiB on every kernel: half an hour
	cargo test -p lanesum --locked --test all huge:: -- --include-ignored --nocapture
	$(call ran,messages_over_4_gib)

# What tests run beside ours, or need to be there. Debian's and Ubuntu's names.
TEST_TOOLS := objdump:binutils nm:binutils sha256sum:coreutils cksum:coreutils b3sum:b3sum openssl:openssl strace:strace \
	git:git tmux:tmux rhash:rhash hashdeep:hashdeep shasum:perl bash:bash script:bsdutils setsid:util-linux setpriv:util-linux man:man-db \
	setfacl:acl cc:gcc c++:g++ pkg-config:pkg-config cmake:cmake meson:meson valgrind:valgrind gdb:gdb mtree:mtree-netbsd \
	/usr/include/sha2.h:libmd-dev /usr/include/openssl/core.h:libssl-dev \
	python3:python3 /usr/share/doc/python3-venv:python3-venv \
	/usr/include/p11-kit-1/p11-kit/pkcs11.h:libp11-kit-dev p11-kit:p11-kit \
	pkcs11-tool:opensc softhsm2-util:softhsm2 llvm-mca-19:llvm-19 \
	fsverity:fsverity /usr/sbin/veritysetup:cryptsetup-bin mktorrent:mktorrent
# What simulates hardware, and synthesises it.
HARDWARE_TOOLS := verilator:verilator iverilog:iverilog ghdl:ghdl \
	yosys:yosys sta:opensta /usr/share/qflow/tech/osu018/osu018_stdcells.v:qflow-tech-osu018

tools: ## install the programs that tests run (Debian, Ubuntu)
	@.ci/install $(TEST_TOOLS)
	@$(MAKE) --no-print-directory python-tests target/doors/pins target/trees/pins

tools-all: tools ## and those of `make test-all`
	@.ci/install $(HARDWARE_TOOLS)

# Python's own tests, in a package for each of its versions.
python-tests:
	@.ci/install $$(/usr/bin/python3 -c \
	  'import sys; print("libpython%d.%d-testsuite" % sys.version_info[:2])')

# Bindings of OpenSSL and PKCS #11, for the tests of the doors.
target/doors/pins: crates/ffi/tests/doors/requirements.txt
	python3 -m venv target/doors
	target/doors/bin/pip install -q -r $<
	cp $< $@

# libtorrent and torf, for the tests of `lanesum tree`.
target/trees/pins: crates/cli/tests/trees/requirements.txt
	python3 -m venv target/trees
	target/trees/bin/pip install -q -r $<
	cp $< $@

# The Python package, in an environment of its own: PYTHON=python3.13 takes another.
PYTHON ?= python3
target/python/pins: crates/python/tests/requirements.txt
	$(PYTHON) -m venv target/python
	target/python/bin/pip install -q -r $<
	cp $< $@

python: python-tests target/python/pins ## the Python package, and its tests beside hashlib and other libraries (minutes)
	VIRTUAL_ENV=$(CURDIR)/target/python target/python/bin/maturin develop -q --locked -m crates/python/Cargo.toml
	target/python/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python crates/python/tests
	cd crates/python && ../../target/python/bin/python -m mypy.stubtest --mypy-config-file mypy.ini lanesum
	$(call ran,python)

# Manifests: a cluster and a store on this machine, and what both have against them.
target/manifests/pins: crates/python/manifest/requirements.txt
	$(PYTHON) -m venv target/manifests
	target/manifests/bin/pip install -q -r $<
	cp $< $@

manifests: target/manifests/pins ## manifests of folders and stores: a Dask cluster and an S3 that go wrong (minutes)
	VIRTUAL_ENV=$(CURDIR)/target/manifests target/manifests/bin/maturin develop -q --locked -m crates/python/Cargo.toml
	target/manifests/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python crates/python/manifest
	$(call ran,manifests)

KILLS ?= 100
manifests-kills: keeper manifests ## manifests whose runs are killed at random, and go on, a hundred, as a record (minutes; KILLS=...)
	$(KEEP) manifest-kills target/manifests/bin/python crates/python/manifest/kills.py $(KILLS)

python-sanitize: python-tests target/python/pins ## the Python package's tests under the address sanitizer (minutes)
	$(SANITIZE) crates/python/sanitize $(CURDIR)/target/python/bin/python
	$(call ran,python_sanitize)

# Python's libraries that spread tables over threads, processes and machines. They need a Java.
target/engines/pins: crates/python/engines/requirements.txt
	$(PYTHON) -m venv target/engines
	target/engines/bin/pip install -q -r $<
	cp $< $@

python-engines: target/engines/pins ## Polars' plug-in, DataFusion's function, and recipes with the real PySpark, Dask and Ray (minutes)
	VIRTUAL_ENV=$(CURDIR)/target/engines target/engines/bin/maturin develop -q --locked -m crates/python/Cargo.toml
	VIRTUAL_ENV=$(CURDIR)/target/engines CARGO_TARGET_DIR=$(CURDIR)/target/polars \
	  target/engines/bin/maturin develop -q --locked -m crates/python/polars/Cargo.toml
	target/engines/bin/python -m pytest -c crates/python/pytest.ini --rootdir crates/python \
	  crates/python/polars/tests crates/python/engines
	CARGO_TARGET_DIR=target/datafusion cargo test -q --locked --manifest-path examples/datafusion/Cargo.toml
	$(call ran,python_engines)

git-objects: ## the example that recomputes the ids of a repository, on this one and beside git (minutes)
	CARGO_TARGET_DIR=target/git-objects cargo test -q --locked --manifest-path examples/git-objects/Cargo.toml
	$(call ran,git_objects)

wheel: ## a manylinux2014 wheel for this architecture, into target/wheels, tested with the oldest and the newest Python here (minutes)
	crates/python/wheel target/wheels

cross-i686: ## the libraries' tests on 32-bit x86 alone, and the proof of a program for it: minutes
	.ci/cross i686-unknown-linux-gnu

windows: ## whether the libraries that know no files compile for Windows (MinGW): minutes
	.ci/windows

cross: ## the libraries' tests on 32-bit x86, AArch64 and big-endian s390x, under QEMU
	.ci/cross

# The libraries that have kernels, or read what others wrote. Left out are two
# tests that build the library again without the sanitizer, and huge messages.
SANITIZED := -p lanesum-spec -p lanesum -p lanesum-manifest
# The libraries for C look for the sanitizer in the program that loads them. Left out of the
# doors' tests is what other people's programs do, which have none, and what valgrind does.
SANITIZED_DOORS := wycheproof_passes libcrypto_finds threads_share_it a_c_program a_state_goes_on every_digest random_calls \
	many_threads the_example_in_cpp every_way what_is_wrong what_watches two_threads a_child
sanitize python-sanitize: SANITIZE = RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Clink-arg=-rdynamic" \
	CARGO_TARGET_DIR=$(CURDIR)/target/sanitize
sanitize: RUNTIME = $(shell rustc --print target-libdir)/librustc-stable_rt.asan.a

sanitize: tools ## the libraries' tests under the address sanitizer, every kernel and every door
	$(SANITIZE) cargo test --locked --no-fail-fast --target $(HOST) --lib --tests $(SANITIZED) -- \
	  --skip lane_kernels_do_what_the_specification_asks --skip a_program_of_nothing_but_core \
	  --skip messages_over_4_gib --skip gdb_shows --skip nothing_of_a_key --skip examples::
	$(SANITIZE) cargo test --locked --no-fail-fast --target $(HOST) --lib -p lanesum-ffi -p lanesum-md
	$(SANITIZE) cargo build --locked --target $(HOST) -p lanesum-ffi --example lanesum
	LANESUM_TEST_CC_FLAGS="-Wl,--whole-archive $(RUNTIME) -Wl,--no-whole-archive -rdynamic -lm -lrt" \
	$(SANITIZE) cargo test --locked --no-fail-fast --target $(HOST) -p lanesum-ffi \
	  --test all -- $(SANITIZED_DOORS)
	@echo "left out under the sanitizer: object code, gdb, examples, the freestanding program, what keys leave, messages" \
	  "over 4 GiB; of the doors what other programs do; everything of other crates"
	$(call ran,sanitize)

# What others wrote: from registries, from Debian's sources and, with PEERS=DIR, from elsewhere.
suites: tools ## other people's suites: coreutils', busybox's, OpenSSL's, python-pkcs11's, pkcs11test
	.ci/suites
	$(call ran,suites)

target/deny/pins: .ci/deny.txt
	python3 -m venv target/deny
	target/deny/bin/pip install -q -r $<
	cp $< $@

deny: target/deny/pins ## whether the crates that this depends on have licences and sources as deny.toml wants
	.ci/deny

# What lintian, dpkg and the packages' tests want.
DIST_TOOLS := dh:debhelper dpkg-buildpackage:dpkg-dev lintian:lintian fakeroot:fakeroot xz:xz-utils \
	openssl:openssl pkcs11-tool:opensc cc:gcc
DIST ?= target/dist
dist: ## what is given away of the last commit, in target/dist: source, static program, Debian's packages (6 minutes)
	@.ci/install $(DIST_TOOLS)
	packages/make $(DIST)

dist-test: ## the same twice, byte for byte, and a try of each part: in an empty root, by lintian, installed and purged (14 minutes)
	@.ci/install $(DIST_TOOLS)
	packages/make $(DIST)
	packages/make $(DIST)-again
	packages/test $(DIST) $(DIST)-again
	$(call ran,dist)

# Few, since Miri takes minutes for what a CPU does in a second.
miri: ## portable kernels and the scheduler under Miri, where a nightly has it
	cargo +nightly miri test --locked --target-dir target/miri -p lanesum --lib --test all -- \
	  portable_x1::words::W32 what_is_not_drained
	$(call ran,miri)

FUZZ_TARGETS := $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
# Coverage for libFuzzer and the address sanitizer, on the stable compiler.
FUZZ_FLAGS = --cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 -Zsanitizer=address \
	-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares

man: ## manual pages from the flags, into target/man (MAN=FOLDER)
	cargo run --release --locked -q -p lanesum-cli -- man $(MAN)

graph: ## the report: how fast can these functions be? (with figures: target/graph.html)
	cargo run --release -q -p lanesum-graph -- report --page target/graph.html

# The pages themselves, their links and examples are tested by `make test`; this compiles mdBook first.
target/book-tool/bin/mdbook:
	cargo install -q mdbook --locked --version 0.5.4 --no-default-features --features search --root target/book-tool

book: target/book-tool/bin/mdbook ## the documentation as a book with search, in target/book/html (four minutes the first time)
	.ci/book $<

generated: ## whether what is generated and committed is what the sources give
	.ci/generated

generate: header ## make again, in place, everything that is generated and committed
	.ci/generated write

# What measures, in the order in which pages need it: hours on a machine that does nothing else.
MEASUREMENTS := bench bench-instructions bench-sweep bench-orders bench-digest bench-doors bench-batch
reproduce: ## every table and figure of the documents, made again from the records (MEASURE=1: from new ones)
	$(if $(MEASURE),$(MAKE) --no-print-directory $(MEASUREMENTS))
	$(if $(MEASURE),for rtl in osu018 ecp5 ice40 xc2v; do \
	  $(MAKE) --no-print-directory rtl-report RTL=$$rtl || exit 1; done)
	$(MAKE) --no-print-directory generate graph
	@git --no-pager diff --stat -- README.md docs crates/graph/models

rtl-test: tools-all ## printed cores, linted, run in Verilator, Icarus and GHDL, some proven
	rtl/test target/rtl-test
	$(call ran,hardware)

# yosys, opensta and qflow-tech-osu018 of Debian; minutes. RTL=ecp5, ice40, xc2v: FPGAs.
RTL ?= osu018
rtl-report: keeper ## area, clock and energy of cores in the cells of osu018, or RTL=ecp5, ice40, xc2v, as a record
	$(KEEP) rtl-$(RTL) rtl/report target/rtl-report/$(RTL) $(RTL)

rtl-page: ## make docs/hardware.md and its figures from the records of cores
	cargo run --release --locked -q -p lanesum-graph -- hardware

fuzz: ## look for inputs that break a reader or the scheduler, SECONDS for each target
	cd fuzz && for target in $(FUZZ_TARGETS); do \
	  mkdir -p corpus/$$target artifacts/$$target seeds/$$target && \
	  RUSTC_BOOTSTRAP=1 RUSTFLAGS="$(FUZZ_FLAGS)" \
	    cargo run --locked --release --target $(HOST) --bin $$target -- \
	    -max_total_time=$(SECONDS) -artifact_prefix=artifacts/$$target/ \
	    corpus/$$target seeds/$$target || exit 1; \
	done
	$(call ran,fuzz)

bench: ## measure Lanesum, its peers and the ceilings, into benches/record
	cargo build --release --locked
	cargo build --release --locked --manifest-path benches/Cargo.toml
	benches/target/release/lanesum-bench jobs
	benches/target/release/lanesum-bench kernels
	benches/target/release/lanesum-bench calls
	$(MAKE) --no-print-directory bench-tiers bench-latencies

bench-page: ## make docs/benchmarks.md, published.md, orders.md and figures in other pages from the records
	cargo run --release --locked -q -p lanesum-graph -- orders
	cargo run --release --locked --no-default-features --manifest-path benches/Cargo.toml -- page

# Without AWS-LC, which reads OpenSSL's mask too and ends the program where it wants more than
# the CPU has.
bench-tiers: ## measure one message on every tier against the system's libcrypto (its headers: libssl-dev)
	cargo run --release --locked --no-default-features --features installed \
	  --manifest-path benches/Cargo.toml -- tiers

bench-latencies: keeper ## measure the SHA instructions' latencies from each operand: the bounds of a page
	benches/target/release/lanesum-bench latencies

# Runs what prints a table, and keeps that as a record.
KEEP := benches/target/release/lanesum-bench keep

keeper:
	cargo build --release --locked --no-default-features --manifest-path benches/Cargo.toml

bench-sweep: keeper ## measure forms of stitched kernels that are not shipped, beside those that are
	cargo build --release --locked -p lanesum-graph
	$(KEEP) sweep target/release/lanesum-graph sweep --times 61

bench-instructions: keeper ## Young's table: instructions of a block by callgrind, and its cycles, kernel by kernel
	cargo build --release --locked -p lanesum-cli
	$(KEEP) instructions benches/instructions

# Minutes in all, each search a part of one.
ROUNDS_OF := sha1_rounds_bmi2 sha256_rounds_bmi2 sha512_rounds_bmi2
WHOLE := $(foreach isa,bmi2 x86_64 i686,sha1_$(isa) sha256_$(isa) sha512_$(isa))
bench-orders: keeper ## how searches for an order converge, and orders of one machine on another
	cargo build --release --locked -p lanesum-graph
	$(KEEP) convergence target/release/lanesum-graph converge $(ROUNDS_OF) --evaluations 4000
	$(KEEP) orders target/release/lanesum-graph cross $(WHOLE) --evaluations 500 --measure

bench-digest: keeper ## digest and GNU's names beside openssl and coreutils, and the curve of read lengths
	cargo build --release --locked -p lanesum-cli
	cargo build --release --locked -p lanesum-files --example buffers
	$(KEEP) digest benches/digest
	head -c 536870912 /dev/zero >/dev/shm/lanesum-half
	$(KEEP) buffers target/release/examples/buffers /dev/shm/lanesum-half; \
	  status=$$?; rm /dev/shm/lanesum-half; exit $$status

bench-doors: keeper ## what the doors of C, OpenSSL and PKCS #11 cost, beside libcrypto, libmd and SoftHSM
	cargo build --release --locked -p lanesum-ffi -p lanesum-md --lib
	cargo build --release --locked -p lanesum-ffi --example calls
	crates/md/link target/release/liblanesum_md.a target/release
	for door in c-calls libmd evp pkcs11; do $(KEEP) $$door benches/doors $$door || exit 1; done

bench-batch: keeper ## many messages at once, beside ipsec-mb (Debian's), crates, and what PEERS has of isa-l_crypto, hashtree and firedancer
	cargo build --release --locked -p lanesum-ffi --lib
	cargo build --release --locked --manifest-path benches/peers/crates/Cargo.toml --target-dir benches/target
	$(KEEP) batch benches/batch
	benches/target/release/lanesum-bench matrix

bench-passwords: keeper ## PBKDF2 of one password and of many, beside libcrypto, hashcat, and what PEERS has of fastpbkdf2 and john
	cargo build --release --locked -p lanesum-ffi --lib
	$(KEEP) passwords benches/passwords

target/bench-python/pins: benches/columns.txt
	$(PYTHON) -m venv target/bench-python
	target/bench-python/bin/pip install -q -r $<
	cp $< $@

bench-python: keeper target/bench-python/pins ## columns and calls of Python, beside hashlib, Polars, DuckDB, DataFusion, ClickHouse (8 GB)
	VIRTUAL_ENV=$(CURDIR)/target/bench-python target/bench-python/bin/maturin develop -q --release --locked \
	  -m crates/python/Cargo.toml
	$(KEEP) python target/bench-python/bin/python benches/columns

# What is given in MANIFESTS makes it smaller, and is for whoever looks: --files 100000 --entries 1000000.
MANIFESTS ?=
bench-manifests: keeper target/manifests/pins ## manifests: a million files, ten million entries, an S3 on this machine, beside boto3 (10 GB; MANIFESTS=...)
	VIRTUAL_ENV=$(CURDIR)/target/manifests target/manifests/bin/maturin develop -q --release --locked \
	  -m crates/python/Cargo.toml
	$(if $(MANIFESTS),,$(KEEP) manifests) target/manifests/bin/python benches/manifests $(MANIFESTS)

kills: keeper ## commands that write, each killed a hundred times at random moments, as a record (minutes)
	cargo test -p lanesum-cli --locked --test all --no-run
	$(KEEP) kills bash -o pipefail -c 'cargo test -q -p lanesum-cli --locked --test all \
	  killed_a_hundred -- --ignored --nocapture | sed -n "s/^record: //p"'

# What is given in KEPT makes it smaller, and is for whoever looks: --files 10000 --entries 100000 --compared 1000000.
KEPT ?=
bench-kept: keeper ## an unchanged tree by the cache, audits, updates of a million entries, a diff of ten million (10 GB of disk; KEPT=...)
	cargo build --release --locked -p lanesum-cli
	cargo build --release --locked -p lanesum-files --example stats
	$(if $(KEPT),,$(KEEP) kept) benches/kept $(KEPT)

# What the emulator counts; nothing is timed.
bench-kmod: keeper ## instructions of messages by the kernel's drivers and the module's, in emulation
	QEMU="$$(kmod/test/backports target/kmod/qemu)" CPU=EPYC $(KEEP) kmod kmod/test/run target/kmod/test figures

bench-kmod-uml: keeper ## the kernel's drivers and the module's in User Mode Linux, at the speed of the CPU at hand
	@.ci/install $(KMOD_TOOLS) $(KMOD_SOURCE)
	$(KEEP) kmod-uml kmod/test/uml target/kmod/linux speed

# Of each algorithm, length and count: what the engine's plan takes, and the best kernel alone.
bench-plan: keeper ## plans of batches beside each kernel alone, on the CPU at hand (three minutes)
	cargo build --release --locked -p lanesum-cli
	$(KEEP) plan sh -c 'target/release/lanesum bench --plan -l 0,8,32,64,128,256,1024,8192 -s 150 \
	  --record target/plan.csv >/dev/null && grep -v "^\#" target/plan.csv'

bench-trees: keeper target/trees/pins ## Merkle trees and SHA-1 that notices collisions, beside fsverity, veritysetup, mktorrent, libtorrent and git
	cargo build --release --locked -p lanesum-cli
	$(KEEP) trees benches/trees

bench-sha1dc: keeper ## one message by SHA-1 that notices collisions, beside the crate sha1-checked
	cargo bench -q -p lanesum --locked --bench sha1dc --no-run
	$(KEEP) sha1dc cargo bench -q -p lanesum --locked --bench sha1dc

# Some minutes; the tests have a million.
sha1dc-blocks: keeper ## a billion random blocks, of which none is taken for one of a collision attack, as a record
	cargo test -p lanesum --locked --test all --no-run
	$(KEEP) sha1dc-blocks sh -c 'LANESUM_SHA1DC_BLOCKS=1000000000 \
	  cargo test -q -p lanesum --locked --test all random_blocks -- --ignored --nocapture | sed -n "s/^record: //p"'

bench-postgres: keeper ## PostgreSQL, unchanged, on OpenSSL's own digests and on Lanesum's (Debian's postgresql)
	cargo build --release --locked -p lanesum-ffi --lib
	$(KEEP) postgres benches/postgres

# The source comes from where this system's packages do; minutes.
openssl-patch: keeper ## OpenSSL with Lanesum's kernels inside: its own tests, and its speed before and after
	examples/openssl-patch/build target/openssl-patch
	$(KEEP) openssl-patch examples/openssl-patch/speed target/openssl-patch

bench-peers: ## install the peers that the distribution has (Debian, Ubuntu)
	@.ci/install rhash b3sum hashdeep busybox openssl coreutils findutils libipsec-mb-dev \
	  libssl-dev pkg-config

memory: ## a million files within their bound of memory (minutes)
	cargo test -p lanesum-cli --locked --release --test all memory:: -- --include-ignored
	$(call ran,memory)
