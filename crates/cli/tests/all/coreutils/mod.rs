//! Compares the GNU personalities with the GNU tools for generated command lines and manifests:
//! standard output, standard error and exit status.

use crate::common;
mod generate;
mod run;

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::thread;

use crate::common::{Folder, nasty_names};
use generate::{Case, Random, world};
use run::compare;

pub(crate) use run::Tools;

/// The numbers of cases. Each test takes a few seconds on two cores.
const COMMAND_LINES: u64 = 2000;
const MANIFESTS: u64 = 2000;

/// Runs the cases of the seeds from 0 on, with a thread per core.
#[track_caller]
fn all(count: u64, case: impl Fn(&mut Random) -> Case + Sync) {
    let folder = Folder::new();
    world(&folder);
    let tools = Tools::new();
    let threads = thread::available_parallelism().map_or(1, Into::into) as u64;
    let failures: Vec<String> = thread::scope(|scope| {
        let (folder, tools, case) = (&folder, &tools, &case);
        let run = |first| {
            scope.spawn(move || {
                let seeds = (first..count).step_by(threads as usize);
                let mut failures = Vec::new();
                for seed in seeds {
                    let case = case(&mut Random::new(seed));
                    if let Err(difference) = compare(folder, tools, &case) {
                        failures.push(format!("seed {seed}: {difference}"));
                        if failures.len() == 5 {
                            break;
                        }
                    }
                }
                failures
            })
        };
        let handles: Vec<_> = (0..threads).map(run).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn command_lines_behave_as_with_coreutils() {
    all(COMMAND_LINES, Case::command_line);
}

#[test]
fn manifests_are_checked_as_coreutils_checks_them() {
    all(MANIFESTS, Case::manifest);
}

#[test]
fn names_that_break_lines_are_printed_and_checked_as_with_coreutils() {
    let folder = Folder::new();
    let tools = Tools::new();
    let names = nasty_names();
    for name in &names {
        folder.file(name, name.as_encoded_bytes());
    }
    let mut arguments: Vec<OsString> = vec!["--".into()];
    arguments.extend(names.iter().cloned());
    for tool in run::NAMES {
        let case = Case::new(tool, arguments.clone());
        compare(&folder, &tools, &case).unwrap();
        // The files are missing, so that their names are in messages.
        let missing = names.iter().map(|name| {
            let mut other = OsString::from("no");
            other.push(name);
            other
        });
        let mut missing: Vec<OsString> = missing.collect();
        missing.insert(0, "--".into());
        compare(&folder, &tools, &Case::new(tool, missing)).unwrap();
        if tool == "cksum" {
            continue;
        }
        for flag in ["-b", "--tag"] {
            let output = folder.command(tool).arg(flag).args(&arguments).output().unwrap();
            let mut case = Case::new(tool, ["-c", "SUMS of all"].map(OsString::from).to_vec());
            case.files.push(("SUMS of all".to_owned(), output.stdout));
            compare(&folder, &tools, &case).unwrap();
        }
    }
}

#[test]
fn two_byte_names_are_quoted_as_with_coreutils_in_every_locale() {
    let folder = Folder::new();
    let tools = Tools::new();
    // Every pair of kinds of character, at every position in a name.
    let pieces: [&[u8]; 22] = [
        b"a",
        b"'",
        b"\"",
        b"\\",
        b"\n",
        b"\x01",
        b" ",
        b"#",
        b"~",
        b"{",
        b"}",
        b"=",
        b"?",
        b":",
        b"$",
        b"\xff",
        "é".as_bytes(),
        "’".as_bytes(),
        b"\xc2",
        "\u{85}".as_bytes(),
        b"-",
        b"\x7f",
    ];
    let mut names = Vec::new();
    for a in pieces {
        for b in pieces {
            for c in [&b""[..], b"'", b"\n", b"x"] {
                names.push(OsString::from_vec([b"no/", a, b, c].concat()));
                names.push(OsString::from_vec([a, b, c].concat()));
            }
        }
    }
    for locale in ["C", "C.UTF-8", "xx_XX.UTF-8", "C.utf8", ""] {
        for names in names.chunks(500) {
            let mut case = Case::new("sha1sum", vec!["--".into()]);
            case.arguments.extend(names.iter().cloned());
            case.environment.push(("LC_ALL", locale));
            compare(&folder, &tools, &case).unwrap();
        }
    }
}

#[test]
fn write_errors_have_the_same_status_as_with_coreutils() {
    let folder = Folder::new();
    let tools = Tools::new();
    folder.file("a", "a").file("many", "");
    let many: Vec<OsString> = (0..3000).map(|_| "a".into()).collect();
    for tool in run::NAMES {
        for arguments in
            [vec!["a".into()], vec![], vec!["missing".into(), "a".into()], many.clone()]
        {
            let ends = tools.both(&folder, tool).map(|mut command| {
                let full = File::options().write(true).open("/dev/full").unwrap();
                let output = command.args(&arguments).stdout(full).output().unwrap();
                let said = String::from_utf8(output.stderr).unwrap();
                (output.status.code(), tools.of_writing(said))
            });
            assert_eq!(ends[0], ends[1], "{tool} {:?} to a full disk", arguments.len());
            let ends = tools.both(&folder, tool).map(|mut command| {
                let (nobody, stdout) = std::io::pipe().unwrap();
                drop(nobody);
                let output = command.args(&arguments).stdout(stdout).output().unwrap();
                let said = String::from_utf8(output.stderr).unwrap();
                (output.status.code(), output.status.signal(), tools.of_writing(said))
            });
            assert_eq!(ends[0], ends[1], "{tool} {:?} to nobody", arguments.len());
        }
    }
}

#[test]
fn a_growing_file_is_hashed_to_its_end() {
    let folder = Folder::new();
    let tools = Tools::new();
    let len = 1 << 28;
    let file = folder.sparse("grows", len);
    for mut command in tools.both(&folder, "sha1sum") {
        thread::scope(|scope| {
            let run = scope.spawn(move || command.arg("grows").output().unwrap());
            let mut now = len;
            while !run.is_finished() {
                now += 1;
                file.set_len(now).unwrap();
                thread::sleep(std::time::Duration::from_micros(200));
            }
            let output = common::ran(&run.join().unwrap());
            assert_eq!((output.status, &output.err[..]), (Some(0), ""));
            assert!(output.out.ends_with("  grows\n"), "{output:?}");
        });
    }
}

#[test]
fn only_the_name_of_a_link_selects_a_personality() {
    let folder = Folder::new();
    folder.file("a", "abc");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_lanesum"), folder.at("sha256sum")).unwrap();
    let run = folder.peer("./sha256sum a");
    assert_eq!(run.out, format!("{}  a\n", common::hex("sha256", b"abc")));
    let run = folder.peer("./sha256sum missing");
    assert_eq!(run.err, "./sha256sum: missing: No such file or directory\n");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_lanesum"), folder.at("sha256sum.old")).unwrap();
    assert_eq!(
        folder.peer("./sha256sum.old a").status,
        Some(2),
        "it is lanesum, which has no subcommand 'a'"
    );
}

#[test]
fn help_and_version_describe_lanesum() {
    let folder = Folder::new();
    let tools = Tools::new();
    for tool in run::NAMES {
        for word in ["--help", "--version", "--h", "--vers"] {
            let [ours, theirs] = tools
                .both(&folder, tool)
                .map(|mut command| command.args([word, "--wrong"]).output().unwrap());
            assert_eq!(ours.status, theirs.status);
            assert_eq!((&ours.stderr[..], &theirs.stderr[..]), (&b""[..], &b""[..]));
            let text = String::from_utf8(ours.stdout).unwrap();
            assert!(text.contains("Lanesum") && text.contains(tool), "{text}");
        }
    }
}

use std::os::unix::ffi::OsStringExt;

#[test]
fn cksum_debug_reports_the_kernel() {
    let folder = Folder::new();
    folder.file("a", "abc");
    let cksum = |arguments: &[&str], kernels: &str| {
        let mut command = folder.lanesum();
        std::os::unix::process::CommandExt::arg0(&mut command, "cksum");
        common::ran(
            &command.args(arguments).arg("a").env("LANESUM_KERNEL", kernels).output().unwrap(),
        )
    };
    let said = cksum(&["--debug", "-a", "sha256"], "portable_x1");
    assert_eq!(said.err, "cksum: using portable_x1, and portable_x1 for many files\n");
    assert!(said.out.starts_with("SHA256 (a) = ba7816bf"), "{said:?}");
    assert_eq!(cksum(&["--debug"], "").err, "cksum: using generic code, one file at a time\n");
    assert_eq!(cksum(&["-a", "sha256"], "").err, "");
}
