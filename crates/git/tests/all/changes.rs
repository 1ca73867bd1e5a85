//! Other programs change the repository meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::{Folder, checked_by};

/// No object is missed or reported because git moves it to another pack.
#[test]
fn a_repository_is_repacked_meanwhile() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 3);
    let listed = |folder: &Folder| {
        let all = folder.git("r", "cat-file --batch-all-objects --batch-check=%(objectname)");
        all.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let ids = listed(&folder);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for commit in 10..40 {
                folder.write("r/d/1", crate::common::text(1, commit));
                folder.git("r", "add -A");
                folder.git("r", &format!("commit -q -m {commit}"));
                // Another pack each time, because of the new objects.
                folder.git("r", "repack -q -a -d");
            }
            is_done.store(true, Ordering::Relaxed);
        });
        let mut runs = 0;
        while !is_done.load(Ordering::Relaxed) || runs == 0 {
            let found = checked_by(&folder.at("r"), 2, usize::MAX);
            found.is_well();
            for id in &ids {
                found.of(id);
            }
            runs += 1;
        }
    });
    checked_by(&folder.at("r"), 2, usize::MAX).is_well();
}
