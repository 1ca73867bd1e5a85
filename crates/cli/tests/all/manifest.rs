//! `lanesum manifest`: passes its arguments to the Python package's command and returns its status.

use crate::common::{Folder, Ran, ran};

/// Runs `lanesum manifest` with a single directory in `PATH`.
fn run(folder: &Folder, words: &[&str]) -> Ran {
    let mut command = folder.lanesum();
    command.arg("manifest").args(words).env("PATH", folder.at("bin"));
    ran(&command.output().unwrap())
}

#[test]
fn the_package_receives_the_arguments() {
    let folder = Folder::new();
    folder.file("bin/lanesum-manifest", "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n");
    assert_eq!(folder.peer("chmod +x bin/lanesum-manifest").status, Some(0));
    for words in [&["build", "a b", "--out", "-x"][..], &["--help"], &["-h"]] {
        let run = run(&folder, words);
        let expected: String = words.iter().map(|word| format!("<{word}>")).collect();
        assert_eq!((run.status, &run.err[..], &run.out[..]), (Some(7), "", &expected[..]));
    }
}

#[test]
fn without_the_package_the_error_says_how_to_install_it() {
    let folder = Folder::new();
    // Nothing is run from the working directory.
    folder.file("lanesum-manifest", "#!/bin/sh\n");
    assert_eq!(folder.peer("chmod +x lanesum-manifest").status, Some(0));
    let missing = run(&folder, &["root", "x"]);
    assert_eq!((missing.status, &missing.out[..]), (Some(1), ""));
    let said = "lanesum: cannot run lanesum-manifest: No such file or directory; install the Python package \
                lanesum with the extra 'manifest', or activate the virtual environment that has it\n";
    assert_eq!(missing.err, said);
    folder.file("bin/lanesum-manifest", "");
    let denied = run(&folder, &["root", "x"]);
    assert_eq!(denied.status, Some(1));
    assert_eq!(denied.err, "lanesum: cannot run lanesum-manifest: Permission denied\n");
}
