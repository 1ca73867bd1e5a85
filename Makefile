# Builds and installs, for users and packagers. `cargo xtask` lists the tasks of development (CONTRIBUTING.md).

.DEFAULT_GOAL := help
# Every target is phony.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22
	@echo '  cargo xtask         list all tasks of development'

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

# Variables of the command line reach the task through the environment.
check: ## check format, lints and quick tests; run it before every commit
	cargo xtask check

test: ## run all tests that must pass before a commit lands, except the second stage
	cargo xtask test

test-all: ## run all tests (CONTRIBUTING.md has the minutes)
	cargo xtask test-all

bench: ## measure Lanesum, its peers and the ceilings, as records in benches/record
	cargo xtask bench

generate: ## regenerate all committed generated files in place
	cargo xtask generate

docs: ## build the documentation as a book with search, in target/book/html
	cargo xtask book

dist: ## build the release files of the last commit in target/dist: source, static program, Debian packages
	cargo xtask dist

clean: ## remove everything that was built
	cargo clean
