//! `lanesum sum` on files of every kind.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;

use crate::common::{Folder, Ran, bytes, hex, ran, well};
use lanesum::Kernel;
use lanesum_spec::Algorithm;
use rustix::fs::{CWD, FileType, Mode, mknodat};

/// Lengths around a block, the buffer of a lane, the buffer of a single file, and the threshold for
/// a thread.
const LENGTHS: [usize; 13] =
    [0, 1, 63, 64, 65, 65_535, 65_536, 65_537, 262_143, 262_145, 1 << 20, (5 << 20) + 3, 9 << 20];

fn fifo(folder: &Folder, name: &str) {
    mknodat(CWD, folder.at(name), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

#[test]
fn a_tree_is_hashed_depth_first_in_byte_order_with_hidden_files() {
    let folder = Folder::new();
    let names = ["B", "a-b", "a/.hidden/x", "a/z", "a0", ".ignore", ".git/config", "é", "target/o"];
    for name in names {
        folder.file(name, name);
    }
    folder.file(".ignore", "*");
    let order = [".git/config", ".ignore", "B", "a/.hidden/x", "a/z", "a-b", "a0", "target/o", "é"];
    // Sorted by the bytes of names in each directory: `a` before `a-b`.
    let lines: String = order
        .map(|name| {
            let contents = fs::read(folder.at(name)).unwrap();
            format!("{}  ./{name}\n", hex("sha256", &contents))
        })
        .concat();
    well(folder.run("sum -r ."), &lines);
    well(folder.run("sum -r"), &lines);
    for jobs in ["1", "2", "7"] {
        well(folder.run(&format!("sum -r . -j {jobs}")), &lines);
    }
}

#[test]
fn files_of_every_length_have_the_same_digest_as_with_gnu_tools() {
    let folder = Folder::new();
    let mut names = String::new();
    for (i, len) in LENGTHS.into_iter().cycle().take(3 * LENGTHS.len()).enumerate() {
        let name = format!("{i}-{len}");
        folder.file(&name, &bytes(len + i)[i..]);
        names += &format!(" {name}");
    }
    for algorithm in ["sha1", "sha256", "sha512", "md5"] {
        let expected = folder.peer(&format!("{algorithm}sum {names}"));
        assert_eq!(expected.status, Some(0));
        well(folder.run(&format!("sum -a {algorithm} {names}")), &expected.out);
        well(folder.run(&format!("sum -j 1 -a {algorithm} {names}")), &expected.out);
        for (name, line) in names.split_whitespace().zip(expected.out.lines()) {
            well(folder.run(&format!("sum -a {algorithm} {name}")), &format!("{line}\n"));
        }
    }
}

#[test]
fn standard_input_of_any_length_is_read_for_a_dash_or_without_paths() {
    let folder = Folder::new();
    for len in LENGTHS {
        let message = bytes(len);
        folder.file("f", &message);
        let expected = folder.peer("sha256sum f").out.replace("  f", "  -");
        well(folder.feed("sum", &message), &expected);
        well(folder.feed("sum -", &message), &expected);
        well(folder.feed("sum -r -", &message), &expected);
    }
}

#[test]
fn several_algorithms_are_tagged_lines_in_the_requested_order() {
    let folder = Folder::new();
    for len in LENGTHS {
        folder.file("f", bytes(len));
        let line = |name: &str| folder.peer(&format!("{name}sum --tag f")).out;
        let lines = line("sha512") + &line("sha1") + &line("sha256");
        well(folder.run("sum -a sha512,sha1,sha256 f"), &lines);
        well(folder.run("sum -a sha512 -a SHA-1 -a sha2-256 f"), &lines);
    }
    let ran = folder.run("sum -a sha1,sha256 --format gnu f");
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

#[test]
fn formats_match_other_tools() {
    let folder = Folder::new();
    folder.file("abc", "abc");
    let digest = hex("sha256", b"abc");
    well(folder.run("sum --tag abc"), &format!("SHA256 (abc) = {digest}\n"));
    well(folder.run("sum --format bsd abc"), &format!("SHA256 (abc) = {digest}\n"));
    well(folder.run("sum -z abc"), &format!("{digest}  abc\0"));
    let json = format!("{{\"algorithm\":\"sha256\",\"digest\":\"{digest}\",\"path\":\"abc\"}}\n");
    well(folder.run("sum --format json abc"), &json);
}

#[test]
fn unreadable_files_are_reported_and_the_others_hashed() {
    let folder = Folder::new();
    folder.file("good", "abc").file("dir/inside", "").file("locked", "x");
    symlink("nowhere", folder.at("dangling")).unwrap();
    symlink("round", folder.at("round")).unwrap();
    fs::set_permissions(folder.at("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    let good = format!("{}  good\n", hex("sha256", b"abc"));
    let mut cases = vec![
        ("missing", "cannot open missing: No such file or directory"),
        ("good/x", "cannot open good/x: Not a directory"),
        ("dir", "cannot read dir: Is a directory; use -r to hash the files below it"),
        ("dangling", "cannot open dangling: No such file or directory"),
        ("round", "cannot open round: Too many levels of symbolic links"),
    ];
    // Root can read every file.
    if fs::read(folder.at("locked")).is_err() {
        cases.push(("locked", "cannot open locked: Permission denied"));
    }
    for (name, message) in cases {
        for words in [format!("sum {name} good"), format!("sum good {name}")] {
            let expected =
                Ran { status: Some(1), out: good.clone(), err: format!("lanesum: {message}\n") };
            assert_eq!(folder.run(&words), expected);
        }
    }
    assert_eq!(
        folder.run("sum -r missing good").err,
        "lanesum: cannot open missing: No such file or directory\n"
    );
}

#[test]
fn links_in_a_tree_are_followed_only_on_request_and_loops_are_found() {
    let folder = Folder::new();
    folder.file("tree/file", "abc").file("elsewhere/file", "def");
    symlink("file", folder.at("tree/to-file")).unwrap();
    symlink("../elsewhere", folder.at("tree/to-folder")).unwrap();
    symlink("tree", folder.at("named")).unwrap();
    symlink("tree/file", folder.at("named-file")).unwrap();
    let abc = hex("sha256", b"abc");
    let def = hex("sha256", b"def");

    let not_followed = "lanesum: 2 symlinks were not followed; use -L to follow symlinks\n";
    let of = |root: &str| Ran {
        status: Some(0),
        out: format!("{abc}  {root}/file\n"),
        err: not_followed.to_owned(),
    };
    assert_eq!(folder.run("sum -r tree"), of("tree"));
    assert_eq!(folder.run("sum -r named"), of("named"), "arguments are followed");
    well(folder.run("sum -r named-file"), &format!("{abc}  named-file\n"));
    well(folder.run("sum named-file"), &format!("{abc}  named-file\n"));

    let followed = format!("{abc}  tree/file\n{abc}  tree/to-file\n{def}  tree/to-folder/file\n");
    well(folder.run("sum -r -L tree"), &followed);

    symlink(".", folder.at("tree/loop")).unwrap();
    symlink("nowhere", folder.at("tree/dangling")).unwrap();
    let expected = Ran {
        status: Some(1),
        out: followed,
        err: "lanesum: cannot access tree/dangling: No such file or directory\n\
              lanesum: cannot follow tree/loop: it points to one of its parent directories\n"
            .to_owned(),
    };
    assert_eq!(folder.run("sum -rL tree"), expected);
}

#[test]
fn a_fifo_or_device_is_read_when_named_and_never_opened_in_a_tree() {
    let folder = Folder::new();
    folder.file("tree/file", "abc");
    fifo(&folder, "tree/pipe");
    let expected = Ran {
        status: Some(0),
        out: format!("{}  tree/file\n", hex("sha256", b"abc")),
        err: "lanesum: skipping tree/pipe: not a regular file\n".to_owned(),
    };
    assert_eq!(folder.run("sum -r tree"), expected);
    let message = bytes(300_000);
    thread::scope(|scope| {
        scope.spawn(|| fs::write(folder.at("tree/pipe"), &message).unwrap());
        well(folder.run("sum tree/pipe"), &format!("{}  tree/pipe\n", hex("sha256", &message)));
    });
    well(folder.run("sum /dev/null"), &format!("{}  /dev/null\n", hex("sha256", b"")));
}

#[test]
fn files_with_a_wrong_length_are_read_to_their_end() {
    let folder = Folder::new();
    // procfs reports length 0 for files, and sysfs the length of a page.
    for name in
        ["/proc/version", "/proc/filesystems", "/sys/kernel/mm/transparent_hugepage/enabled"]
    {
        if let Ok(contents) = fs::read(name) {
            well(
                folder.run(&format!("sum {name}")),
                &format!("{}  {name}\n", hex("sha256", &contents)),
            );
        }
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_reported() {
    let folder = Folder::new();
    folder.file("good", "abc");
    let len = 1 << 29;
    let shrink = |step: u64| len - 4096 * step;
    let grow = |step: u64| len + step;
    for (name, len_at) in [("shrinks", &shrink as &(dyn Fn(u64) -> u64 + Sync)), ("grows", &grow)] {
        let file = folder.sparse(name, len);
        let expected = Ran {
            status: Some(1),
            out: format!("{}  good\n", hex("sha256", b"abc")),
            err: format!("lanesum: {name} changed while being read\n"),
        };
        thread::scope(|scope| {
            let run = scope.spawn(|| folder.run(&format!("sum {name} good")));
            let mut step = 0;
            while !run.is_finished() {
                step += 1;
                file.set_len(len_at(step)).unwrap();
                thread::sleep(std::time::Duration::from_micros(200));
            }
            assert_eq!(run.join().unwrap(), expected);
        });
    }
}

#[test]
fn globs_work_as_in_ripgrep_and_depth_is_limited() {
    let folder = Folder::new();
    for name in ["a.c", "b.h", "sub/c.c", "sub/deep/d.c", "skip/e.c"] {
        folder.file(name, "");
    }
    let names = |words: &str| {
        let ran = folder.run(words);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.out.lines().map(|line| line[66..].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("sum -r . -g *.c -g !skip"), ["./a.c", "./sub/c.c", "./sub/deep/d.c"]);
    assert_eq!(names("sum -r . -g /sub/*.c"), ["./sub/c.c"]);
    assert_eq!(names("sum -r . -g !**/deep"), ["./a.c", "./b.h", "./skip/e.c", "./sub/c.c"]);
    assert_eq!(names("sum -r . -d 1"), ["./a.c", "./b.h"]);
    assert_eq!(names("sum -rx sub"), ["sub/c.c", "sub/deep/d.c"]);
    assert_eq!(folder.run("sum -r . -g a{").status, Some(2));
}

#[test]
fn invalid_usage_exits_with_status_2_and_a_correction() {
    let folder = Folder::new();
    for (words, says) in [
        ("", "Usage"),
        ("summ", "sum"),
        ("sum --beans", "--beans"),
        ("sum -a sha257 x", "sha256"),
        ("sum -j 0 x", "-j"),
        ("sum --tag --format gnu x", "--tag"),
        ("sum -L x", "--recursive"),
        ("check --tag x", "--tag"),
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.status, Some(2), "{words}: {ran:?}");
        assert!(ran.err.contains(says), "{words}: {}", ran.err);
    }
}

#[test]
fn options_of_other_tools_cause_a_tip() {
    let folder = Folder::new();
    folder.file("file", "").file("dir/file", "").file("two words", "");
    let options = [
        ("audit SUMS", "use: lanesum check --audit SUMS\n"),
        ("verify SUMS -w", "use: lanesum check SUMS -w\n"),
        ("hash x", "use: lanesum sum x\n"),
        ("update SUMS", "use: lanesum sum --update SUMS\n"),
        ("-c SUMS", "use: lanesum check SUMS\n"),
        ("--check SUMS", "use: lanesum check SUMS\n"),
        ("-r dir", "use: lanesum sum -r dir\n"),
        ("-rL dir", "use: lanesum sum -rL dir\n"),
        ("--format=json file", "use: lanesum sum --format=json file\n"),
        ("file", "use: lanesum sum file\n"),
        ("dir", "use: lanesum sum -r dir\n"),
        ("sum -r dir --exclude x", "use -g '!PATTERN'"),
        ("sum -r dir --exclude=x", "use -g '!PATTERN'"),
        ("diff dir dir --include x", "use -g PATTERN"),
        ("sum -b file", "omit it"),
        ("check --text SUMS", "omit it"),
        ("sum --threads 4 file", "use -j N"),
        ("check --recursive SUMS", "use --audit"),
        ("check -r SUMS", "use --audit"),
        ("sum --check SUMS", "use: lanesum check MANIFEST\n"),
        ("sum -a sha257 file", "'sha256'"),
    ];
    for (words, tip) in options {
        let ran = folder.run(words);
        assert_eq!((ran.status, &ran.out[..]), (Some(2), ""), "{words}: {ran:?}");
        assert!(ran.err.contains("  tip: ") && ran.err.contains(tip), "{words}: {}", ran.err);
        assert_eq!(ran.err.matches("tip: ").count(), 1, "{words}: {}", ran.err);
    }
    let ran = ran(&folder.lanesum().arg("two words").output().unwrap());
    assert!(ran.err.contains("use: lanesum sum 'two words'\n"), "{}", ran.err);
    // clap corrects typos.
    assert!(folder.run("chekc SUMS").err.contains("a similar subcommand exists: 'check'"));
    assert!(folder.run("sum --recursiv x").err.contains("'--recursive'"));
    assert!(!folder.run("xyzzy").err.contains("tip:"));
}

#[test]
fn an_unusable_kernel_is_rejected_with_a_list_of_usable_ones() {
    let folder = Folder::new();
    folder.file("abc", "abc");
    let with = |kernel: &str, words: &[&str]| {
        ran(&folder.lanesum().env("LANESUM_KERNEL", kernel).args(words).output().unwrap())
    };
    // Every command exits with status 2 and lists the usable kernels if the name is unknown, the
    // CPU cannot run the kernel, or the kernel does not support the algorithm.
    folder.file("SUMS", format!("{}  abc\n", hex("sha512", b"abc"))).file("key", [7; 64]);
    let absent = Kernel::table().find_map(Result::err).expect("no CPU has every kernel");
    let lacking = Kernel::all().find(|kernel| !kernel.supports(Algorithm::SHA512));
    let lacking = lacking.expect("every CPU has a kernel without SHA-512").name();
    let reads: [&[&str]; 5] = [
        &["sum", "-a", "sha512", "abc"],
        &["check", "-a", "sha512", "SUMS"],
        &["mac", "-a", "sha512", "--key-file", "key", "abc"],
        &["list"],
        &["doctor"],
    ];
    for (value, what) in
        [("beans", "no kernel or tier"), (absent, "cannot run"), (lacking, "has sha512")]
    {
        for words in reads {
            // These commands need no kernel for a particular algorithm.
            if value == lacking && matches!(words[0], "list" | "doctor") {
                continue;
            }
            let refused = with(value, words);
            assert_eq!(refused.status, Some(2), "{value} {words:?}: {refused:?}");
            let said = &refused.err;
            for text in ["LANESUM_KERNEL", what, "portable_x1"] {
                assert!(said.contains(text), "{value} {words:?}: {said}");
            }
        }
    }
    // An invalid costs file is rejected by the same commands.
    for words in reads {
        let refused =
            ran(&folder.lanesum().env("LANESUM_COSTS", "abc").args(words).output().unwrap());
        assert_eq!(refused.status, Some(2), "{words:?}: {refused:?}");
        for text in ["LANESUM_COSTS: 'abc' is not a costs file", "'lanesum tune --output'"] {
            assert!(refused.err.contains(text), "{words:?}: {}", refused.err);
        }
    }
    let line = format!("{}  abc\n", hex("sha256", b"abc"));
    for kernel in ["portable_x1", "portable", "sse2"] {
        if cfg!(target_arch = "x86_64") || kernel.starts_with("portable") {
            well(with(kernel, &["sum", "abc"]), &line);
        }
    }
}

#[test]
fn completions_contain_every_flag() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.run(&format!("completions {shell}"));
        assert_eq!(ran.status, Some(0));
        for flag in ["recursive", "algorithm", "ignore-missing", "output"] {
            assert!(ran.out.contains(flag), "{shell}: {flag}");
        }
    }
}

#[test]
fn list_shows_every_algorithm_and_its_kernels() {
    let folder = Folder::new();
    for words in ["list", "list --all"] {
        let ran = folder.run(words);
        assert_eq!((ran.status, &ran.err[..]), (Some(0), ""));
        for algorithm in lanesum_spec::Algorithm::all() {
            assert!(ran.out.lines().any(|line| line.starts_with(algorithm.name())), "{algorithm}");
        }
        assert!(ran.out.lines().all(|line| line.trim_end() == line), "{}", ran.out);
        let one: OsString = "portable_x1".into();
        let mut command = folder.lanesum();
        command.args(words.split(' ')).env("LANESUM_KERNEL", &one);
        let line = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(line.contains("sha256        256  portable_x1    portable_x1"), "{line}");
    }
    assert_eq!(folder.run("list --kernels").status, Some(2));
}

/// The short form has only algorithms, the long one also every kernel and alias.
#[test]
fn list_is_short_without_all() {
    let folder = Folder::new();
    let (short, all) = (folder.run("list").out, folder.run("list --all").out);
    let names = lanesum_manifest::Checksum::all().count();
    assert!(short.lines().count() <= names + 7, "{short}");
    assert!(short.contains("lanesum list --all") && !short.contains("aliases\n"), "{short}");
    for kernel in lanesum::Kernel::table() {
        let name = kernel.map_or_else(|name| name, lanesum::Kernel::name);
        assert!(all.lines().any(|line| line.split(' ').next() == Some(name)), "{name}: {all}");
    }
    for alias in lanesum_manifest::Checksum::all().flat_map(|algorithm| algorithm.aliases()) {
        assert!(all.contains(alias), "{alias}: {all}");
    }
}

#[test]
fn list_as_json_has_the_contents_of_the_tables() {
    let folder = Folder::new();
    let object = |kernel: Option<&str>| -> serde_json::Value {
        let mut command = folder.lanesum();
        command.args(["list", "--json"]).envs(kernel.map(|kernel| ("LANESUM_KERNEL", kernel)));
        let ran = ran(&command.output().unwrap());
        assert_eq!((ran.status, &ran.err[..]), (Some(0), ""));
        serde_json::from_str(&ran.out).unwrap()
    };
    let list = object(None);
    let policy = lanesum::Policy::automatic();
    let algorithms = list["algorithms"].as_array().unwrap();
    assert_eq!(algorithms.len(), lanesum::Algorithm::all().count());
    for (found, algorithm) in algorithms.iter().zip(lanesum::Algorithm::all()) {
        let engine = policy.engine(algorithm).unwrap();
        assert_eq!(found["name"], algorithm.name());
        assert_eq!(found["bits"], algorithm.digest_len() * 8);
        assert_eq!(found["broken"], algorithm.is_compatibility_only());
        assert_eq!(found["one"], engine.kernel(1).name());
        assert_eq!(found["many"], engine.kernel(32).name());
        assert!(found["aliases"].as_array().unwrap().iter().eq(algorithm.aliases()));
    }
    for (found, kernel) in list["kernels"].as_array().unwrap().iter().zip(lanesum::Kernel::table())
    {
        assert_eq!(found["name"], kernel.map_or_else(|name| name, lanesum::Kernel::name));
        assert_eq!(found["runs"], kernel.is_ok());
        if let Ok(kernel) = kernel {
            assert_eq!(found["lanes"], kernel.lanes());
            assert_eq!(found["tier"], kernel.tier().name());
            let has = found["algorithms"].as_array().unwrap().iter().any(|name| name == "sha256");
            assert_eq!(has, kernel.supports(lanesum::Algorithm::SHA256));
        }
    }
    for (found, tier) in list["tiers"].as_array().unwrap().iter().zip(lanesum::Tier::ALL) {
        let runs = lanesum::Kernel::all().any(|kernel| kernel.tier() == tier);
        assert_eq!((&found["name"], &found["runs"]), (&tier.name().into(), &runs.into()));
    }
    let one = object(Some("portable_x1"));
    let kernels = one["kernels"].as_array().unwrap();
    let chosen = |kernel: &&serde_json::Value| !kernel["chosen"].as_array().unwrap().is_empty();
    let runs = kernels.iter().filter(|kernel| kernel["runs"] == true);
    let chosen: Vec<_> = runs.filter(chosen).map(|kernel| &kernel["name"]).collect();
    assert_eq!(chosen, ["portable_x1"]);
    assert_eq!(folder.run("list --json --all").status, Some(2));
}

#[test]
fn files_of_a_sha1_collision_are_errors() {
    let folder = Folder::new();
    let attack = include_bytes!("../../../engine/tests/all/data/sha1dc/shattered-1.bin");
    let long = [&attack[..], &bytes(9 << 20)].concat();
    folder.file("attack", attack).file("long", &long).file("other", bytes(1000));
    let line = format!("{}  other\n", hex("sha1", &bytes(1000)));
    well(folder.run("sum -a sha1dc other"), &line);
    let said = |name: &str| {
        format!(
            "lanesum: {name} contains a SHA-1 collision attack: another file can have the same \
             digest\n"
        )
    };
    for jobs in ["", "-j 1"] {
        let ran = folder.run(&format!("sum {jobs} -a sha1dc attack other long"));
        assert_eq!(
            ran,
            Ran { status: Some(1), out: line.clone(), err: said("attack") + &said("long") }
        );
        // Collisions are also detected together with another algorithm.
        for name in ["attack", "long"] {
            let ran = folder.run(&format!("sum {jobs} -a SHA1DC,sha256 {name}"));
            assert_eq!(ran, Ran { status: Some(1), out: String::new(), err: said(name) });
        }
    }
    assert_eq!(folder.feed("sum -a sha1dc", attack).status, Some(1));
    // Plain SHA-1 does not detect collisions.
    well(folder.run("sum -a sha1 attack"), "f92d74e3874587aaf443d1db961d4e26dde13e9c  attack\n");
    assert_eq!(folder.run("sum -a sha1ds attack").status, Some(2));
}
