//! Forks while another thread uses the crate for the first time. The child has only the forking
//! thread, and must not wait for values that the other thread was computing.
#![cfg(unix)]

use std::{env, thread};

use crate::common::itself;
use lanesum::{Algorithm, Bytes, hash, hash_many};

/// Set for the process that forks, in which nothing else runs.
const FORKS: &str = "LANESUM_TEST_FORKS";

#[test]
fn a_child_does_not_wait_for_first_use_in_its_parent() {
    if env::var_os(FORKS).is_some() {
        return (0..40).for_each(|i| waits_for(|| during_first_use(i * i * 500)));
    }
    let name = "fork::a_child_does_not_wait_for_first_use_in_its_parent";
    let status = itself().args([name, "--exact"]).env(FORKS, "1").status().expect("a program");
    assert!(status.success(), "{status}");
}

/// Forks while another thread makes the first use of the crate, `delay` iterations after it starts.
/// The process must not have used the crate.
fn during_first_use(delay: u32) {
    let thread = thread::spawn(use_all);
    (0..delay).for_each(|i| {
        std::hint::black_box(i);
    });
    waits_for(use_all);
    thread.join().expect("the thread of the first use");
}

fn use_all() {
    for algorithm in Algorithm::all() {
        let mut digests = [0; 2 * 64];
        let places = &mut digests[..2 * algorithm.digest_len()];
        hash_many(algorithm, &[b"abc"; 2], Bytes(places));
        assert_eq!(places[..algorithm.digest_len()], *hash(algorithm, b"abc").as_bytes());
    }
}

/// Runs `work` in a child, which is killed after a minute, and waits for it.
fn waits_for(work: impl FnOnce()) {
    // SAFETY: the child has only this thread. It uses no state of other threads except the
    // allocator of the C library, which is usable after a fork.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no child");
    if child == 0 {
        // SAFETY: `alarm` has no preconditions.
        unsafe { libc::alarm(60) };
        work();
        // SAFETY: the child has no destructors or exit handlers to run.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: `status` is writable.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(ended, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status:#x}");
}
