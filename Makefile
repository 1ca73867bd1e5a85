# The only list of tasks. `make` alone says what there is.

SECONDS ?= 60
.DEFAULT_GOAL := help
.PHONY: help run check test test-huge tools locks cross sanitize miri fuzz bench bench-peers memory graph

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

run: ## hash the source tree: the main job, on something at hand
	cargo run --release -- sum -r crates

# Workspaces of their own, whose lock files must follow the libraries' needs.
ASIDE := benches fuzz crates/engine/tests/freestanding

locks: ## whether every lock file is as the manifests want it
	@for folder in $(ASIDE); do \
	  cargo update --workspace --locked --quiet --manifest-path $$folder/Cargo.toml || exit 1; done

check: locks ## format, lints and quick tests: run it before every commit
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	cargo test --workspace --locked --lib -q

test: tools locks ## everything that CI passes, and what it needs
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	cargo test --workspace --all-features --locked --no-fail-fast
	cargo doc --workspace --no-deps --all-features --locked -q

test-huge: ## messages over 4 GiB on every row: half an hour
	cargo test -p heddle --locked --test huge -- --include-ignored --nocapture

# Programs that tests run beside ours. Debian's and Ubuntu's names.
TEST_TOOLS := objdump:binutils sha256sum:coreutils cksum:coreutils openssl:openssl strace:strace

tools: ## install the programs that tests run (Debian, Ubuntu)
	@missing=; for tool in $(TEST_TOOLS); do \
	  command -v $${tool%%:*} >/dev/null || missing="$$missing $${tool##*:}"; done; \
	if [ -n "$$missing" ]; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  echo "installing$$missing"; \
	  $$sudo apt-get update -q && $$sudo apt-get install -qy --no-install-recommends $$missing; \
	fi

cross: ## the libraries' tests on 32-bit x86, AArch64 and big-endian s390x, under QEMU
	.ci/cross

# The libraries that have kernels, or read what others wrote. Left out are two
# tests that build the library again without the sanitizer, and huge messages.
SANITIZED := -p heddle-spec -p heddle -p heddle-manifest

sanitize: ## the libraries' tests under the address sanitizer, every row
	RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=target/sanitize \
	  cargo test --locked --no-fail-fast --target $(HOST) --lib --tests $(SANITIZED) -- \
	  --skip lane_kernels_do_what_the_specification_asks --skip a_program_of_nothing_but_core \
	  --skip messages_over_4_gib

# Few, since Miri takes minutes for what a CPU does in a second.
miri: ## portable rows and the scheduler under Miri, where a nightly has it
	cargo +nightly miri test --locked --target-dir target/miri -p heddle --lib --test lanes -- \
	  portable_x1::words::W32 what_is_not_drained

FUZZ_TARGETS := $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
# Coverage for libFuzzer and the address sanitizer, on the stable compiler.
FUZZ_FLAGS = --cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 -Zsanitizer=address \
	-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares

graph: ## the report: how fast can these functions be? (with figures: target/graph.html)
	cargo run --release -q -p heddle-graph -- report --page target/graph.html

fuzz: ## look for inputs that break a reader or the scheduler, SECONDS for each target
	cd fuzz && for target in $(FUZZ_TARGETS); do \
	  mkdir -p corpus/$$target artifacts/$$target seeds/$$target && \
	  RUSTC_BOOTSTRAP=1 RUSTFLAGS="$(FUZZ_FLAGS)" \
	    cargo run --locked --release --target $(HOST) --bin $$target -- \
	    -max_total_time=$(SECONDS) -artifact_prefix=artifacts/$$target/ \
	    corpus/$$target seeds/$$target || exit 1; \
	done

bench: ## measure Heddle, its peers and the ceilings, into benches/record
	cargo build --release --locked
	cargo build --release --locked --manifest-path benches/Cargo.toml
	benches/target/release/heddle-bench jobs
	benches/target/release/heddle-bench kernels

bench-peers: ## install the peers that the distribution has (Debian, Ubuntu)
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo apt-get update -q && \
	$$sudo apt-get install -qy --no-install-recommends \
	  rhash b3sum hashdeep busybox openssl coreutils findutils

memory: ## a million files within their bound of memory (minutes)
	cargo test -p heddle-cli --locked --release --test memory -- --include-ignored
