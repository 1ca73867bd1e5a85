//! `lanesum manifest`: passes arguments to the Python package, if it is installed, and returns its
//! status.

use crate::common::{Folder, Ran, ran};

/// A minimal package with that name.
const PACKAGE: &str = "\
import sys
def main():
    print(sys.argv[1:])
    return 7
";

fn run(folder: &Folder, python: &str, path: &str, words: &[&str]) -> Ran {
    let mut command = folder.lanesum();
    command.arg("manifest").args(words).env("LANESUM_PYTHON", python).env("PYTHONPATH", path);
    ran(&command.output().unwrap())
}

#[test]
fn the_package_receives_the_arguments() {
    let folder = Folder::new();
    folder.file("site/lanesum/manifest/__main__.py", PACKAGE);
    for needed in ["fsspec", "numpy", "pyarrow"] {
        folder.file(format!("site/{needed}.py"), "");
    }
    let site = folder.at("site").display().to_string();
    for words in [&["build", "a b", "--out", "-x"][..], &["--help"], &["-h"], &[]] {
        let run = run(&folder, "python3", &site, words);
        let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        assert_eq!((run.status, &run.err[..]), (Some(7), ""));
        assert_eq!(run.out, format!("[{}]\n", quoted.join(", ")));
    }
}

#[test]
fn without_the_package_the_error_says_how_to_install_it() {
    let folder = Folder::new();
    // Nothing is imported from the working directory.
    folder.file("lanesum/manifest/__main__.py", PACKAGE);
    folder.file("pyarrow.py", "").file("fsspec.py", "");
    folder.file("bare", "#!/bin/sh\nexec python3 -S \"$@\"\n");
    assert_eq!(folder.peer("chmod +x bare").status, Some(0));
    let bare = folder.at("bare").display().to_string();
    let missing = run(&folder, &bare, "", &["root", "x"]);
    assert_eq!((missing.status, &missing.out[..]), (Some(1), ""));
    let said = "lacks lanesum and fsspec and numpy and pyarrow: install lanesum with the extra 'manifest', \
                or set LANESUM_PYTHON to another interpreter\n";
    assert!(missing.err.ends_with(said), "{}", missing.err);
    let none = run(&folder, "/none/python", "", &["root", "x"]);
    assert_eq!((none.status, &none.out[..]), (Some(1), ""));
    let said = "lanesum: cannot run /none/python, which 'lanesum manifest' requires: No such file or directory; \
                set LANESUM_PYTHON to another interpreter\n";
    assert_eq!(none.err, said);
}
