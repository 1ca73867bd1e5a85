//! The script `lanesum-scrub`: its configuration, and its end by a signal.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, Ran, bytes, ran, refused, well};

/// A directory with a tree, its manifest and directories for the script.
fn server() -> Folder {
    let folder = Folder::new();
    symlink(env!("CARGO_BIN_EXE_lanesum"), folder.at("lanesum")).unwrap();
    folder.file("srv/data/1", "one").file("srv/data/2.log", "two").file("srv/1.log", "other");
    well(folder.run("sum -C srv -r data -o SUMS"), "");
    fs::create_dir(folder.at("conf")).unwrap();
    fs::create_dir(folder.at("state")).unwrap();
    folder
}

fn script(folder: &Folder) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("share/lanesum-scrub");
    let mut command = folder.command("env");
    // A shell cannot trap signals that were ignored when it started, as in a background job.
    command.args(["--default-signal=HUP,INT,TERM", "sh"]);
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    command.arg(script).env("PATH", path).env("LANESUM_SCRUB_CONF", "conf");
    command.env("LANESUM_SCRUB_STATE", folder.at("state"));
    command
}

/// Runs the script with a configuration, in which `@` is the directory.
fn scrub(folder: &Folder, configuration: &str) -> Ran {
    let root = folder.path().display().to_string();
    folder.file("conf/data.conf", configuration.replace('@', &root));
    ran(&script(folder).arg("data").output().unwrap())
}

/// Returns the report without its header.
fn report(folder: &Folder) -> String {
    let text = fs::read_to_string(folder.at("state/data.report")).unwrap();
    let (head, rest) = text.split_once("\n\n").unwrap();
    assert!(head.starts_with("Scrub of data on "), "{head}");
    rest.to_owned()
}

#[test]
fn values_are_literal_and_options_are_split_at_blanks() {
    let folder = server();
    folder.file("srv/data/2.log", "changed").file("srv/data/1", "changed");
    // The shell would replace the glob with the name of the file next to the tree.
    let options = "-g *.log --all --tree=data";
    let settings = format!("# comment\n\nDIRECTORY=@/srv\nMANIFEST=@/SUMS\nOPTIONS={options}\n");
    let ran = scrub(&folder, &settings);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(1), "", ""));
    let report = report(&folder);
    assert!(report.ends_with("\nchanged       data/2.log\n1 file: 1 changed\n"), "{report}");
    // The last value counts, and the last line need not end with a line feed.
    let ran = scrub(&folder, &format!("{settings}OPTIONS=--allow=changed -g *.log"));
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
}

#[test]
fn an_invalid_configuration_is_rejected() {
    let folder = server();
    let settings = "DIRECTORY=@/srv\nMANIFEST=@/SUMS\n";
    for (line, says) in [
        (
            "OPTIONS = --all",
            "conf/data.conf: line 3 is not DIRECTORY=, MANIFEST=, OPTIONS=, MAILTO=",
        ),
        (" MAILTO=root", "or a comment:  MAILTO=root"),
        ("MANIFEST=", "conf/data.conf: MANIFEST= is missing"),
        ("DIRECTORY=\"/\"", "conf/data.conf: cannot change to DIRECTORY=\"/\""),
    ] {
        refused(&scrub(&folder, &format!("{settings}{line}\n")), 2, says);
    }
    for words in [&[][..], &["data", "data"]] {
        let ran = ran(&script(&folder).args(words).output().unwrap());
        assert_eq!((ran.status, &*ran.err), (Some(2), "usage: lanesum-scrub NAME\n"));
    }
    let ran = ran(&script(&folder).arg("other").output().unwrap());
    refused(&ran, 2, "lanesum-scrub: cannot read conf/other.conf");
    assert_eq!(fs::read_dir(folder.at("state")).unwrap().count(), 0);
}

/// Waits until the script has created its temporary report.
fn wait_for_report(folder: &Folder, child: &mut Child) {
    let start = Instant::now();
    let has_begun = || {
        let files = fs::read_dir(folder.at("state")).unwrap();
        files.flatten().any(|file| file.metadata().is_ok_and(|metadata| metadata.len() > 0))
    };
    while !has_begun() {
        assert_eq!(child.try_wait().unwrap(), None, "it ends before it writes the report");
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_signal_ends_the_audit_and_removes_the_temporary_report() {
    let folder = server();
    folder.file("srv/data/1", bytes(4 << 20));
    let root = folder.path().display();
    let settings = format!("DIRECTORY={root}/srv\nMANIFEST={root}/SUMS\nOPTIONS=--max-rate=1K\n");
    folder.file("conf/data.conf", settings);
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let mut child = script(&folder).arg("data").spawn().unwrap();
        wait_for_report(&folder, &mut child);
        kill_process(Pid::from_child(&child), signal).unwrap();
        // The pipes are open until the audit ends, too.
        let ran = ran(&child.wait_with_output().unwrap());
        assert_eq!(ran.status, Some(status), "{ran:?}");
        assert_eq!(fs::read_dir(folder.at("state")).unwrap().count(), 0);
    }
}
