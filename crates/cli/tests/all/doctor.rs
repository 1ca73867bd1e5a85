//! `lanesum doctor` and `lanesum man` describe the actual state.

use crate::common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::common::{Folder, ran};

const LANESUM: &str = env!("CARGO_BIN_EXE_lanesum");

/// Returns the report about an item: yes or no, and the reason.
fn said(text: &str, what: &str) -> (String, String) {
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(what));
    let line = line.unwrap_or_else(|| panic!("no line for {what}:\n{text}"));
    let mut words = line.trim_start()[what.len()..].trim_start().splitn(2, ' ');
    (words.next().unwrap().to_owned(), words.next().unwrap_or_default().trim().to_owned())
}

#[test]
fn names_in_path_are_identified_by_their_targets() {
    let folder = Folder::new();
    fs::create_dir(folder.at("bin")).unwrap();
    symlink(LANESUM, folder.at("bin/sha256sum")).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.at("bin").display());
    let output = folder.lanesum().arg("doctor").env("PATH", path).output().unwrap();
    let run = ran(&output);
    assert_eq!((run.status, &run.err[..]), (Some(0), ""));
    let (through, why) = said(&run.out, "sha256sum");
    assert_eq!(through, "yes");
    assert!(why.contains("bin/sha256sum -> ") && why.ends_with("lanesum"), "{why}");
    let (through, why) = said(&run.out, "md5sum");
    assert_eq!(through, "no");
    assert!(why.contains("/md5sum is another program"), "{why}");
    let (through, why) = said(&run.out, "digest");
    assert_eq!((&through[..], why.starts_with("not found; a symlink")), ("no", true), "{why}");
}

#[test]
fn libraries_and_their_programs_are_identified() {
    let folder = Folder::new();
    fs::create_dir_all(folder.at("bin")).unwrap();
    fs::create_dir_all(folder.at("lib")).unwrap();
    // Real libraries with the name, and a real program linked with one.
    folder.file("md.c", "int nothing_of_it(void) { return 0; }");
    folder.file("lanesum.c", "const char *nothing_of_it(void) { return \"LANESUM_KERNEL\"; }");
    folder
        .file("main.c", "int nothing_of_it(void); int main(void) { return nothing_of_it() != 0; }");
    let compile = |arguments: &str| {
        let ran = folder.peer(&format!("cc {arguments}"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    };
    let doctor = || {
        let mut command = folder.lanesum();
        command
            .arg("doctor")
            .env("PATH", folder.at("bin"))
            .env("LD_LIBRARY_PATH", folder.at("lib"));
        let run = ran(&command.output().unwrap());
        assert_eq!(run.status, Some(0), "{}", run.err);
        run.out
    };
    compile("-shared -fPIC -Wl,-soname,libmd.so.0 -o lib/libmd.so.0 md.c");
    compile("-o bin/prog main.c lib/libmd.so.0");
    let text = doctor();
    assert_eq!(said(&text, "libmd.so.0").0, "no");
    assert!(said(&text, "libmd.so.0").1.contains("is another library"));
    assert_eq!(said(&text, "prog").0, "no");
    compile("-shared -fPIC -Wl,-soname,libmd.so.0 -o lib/libmd.so.0 lanesum.c");
    let text = doctor();
    assert_eq!(said(&text, "libmd.so.0").0, "yes");
    assert_eq!(said(&text, "prog").0, "yes");
    assert!(said(&text, "prog").1.ends_with("lib/libmd.so.0"));
}

#[test]
fn installed_files_are_found_in_a_clean_root() {
    let folder = Folder::new();
    let done = |arguments: &str| {
        let ran = folder.peer(arguments);
        assert_eq!(ran.status, Some(0), "{arguments}: {}{}", ran.out, ran.err);
    };
    // The command and its manual pages, and libraries that identify themselves like Lanesum's.
    fs::create_dir(folder.at("build")).unwrap();
    fs::copy(LANESUM, folder.at("build/lanesum")).unwrap();
    common::well(folder.run("man build/man"), "");
    for name in ["liblanesum", "liblanesum_sha1dc"] {
        folder.file(format!("build/{name}.a"), "!<arch>\n");
    }
    folder.file("lanesum.c", "const char *nothing_of_it(void) { return \"LANESUM_KERNEL\"; }");
    for name in ["liblanesum", "liblanesum_md", "liblanesum_freebsd_md", "liblanesum_sha1dc"] {
        done(&format!("cc -shared -fPIC -o build/{name}.so lanesum.c"));
    }
    folder.file("main.c", "int main(void) { return 0; }");
    done("cc -shared -fPIC -Wl,-soname,libmd.so.0 -o libmd.so.0 main.c");
    fs::create_dir_all(folder.at("system")).unwrap();
    fs::rename(folder.at("libmd.so.0"), folder.at("system/libmd.so.0")).unwrap();
    let (source, here) = (concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), folder.path().display());
    done(&format!(
        "make -s -C {source} install PREFIX=/usr BUILD={here}/build DESTDIR={here}/root"
    ));

    let doctor = |libraries: &[&str]| {
        let mut command = folder.command(folder.at("root/usr/bin/lanesum"));
        let libraries = libraries.iter().map(|name| folder.at(name));
        command.arg("doctor").env("PATH", folder.at("root/usr/bin"));
        command.env("LD_LIBRARY_PATH", std::env::join_paths(libraries).unwrap());
        let run = ran(&command.output().unwrap());
        assert_eq!(run.status, Some(0), "{}", run.err);
        run.out
    };
    let text = doctor(&["system", "root/usr/lib"]);
    assert_eq!(said(&text, "liblanesum.so.0").0, "yes");
    let aside = format!("LD_LIBRARY_PATH={}", folder.at("root/usr/lib/lanesum").display());
    for name in ["libmd.so.0", "liblanesum_freebsd_md.so.0", "libsha1detectcoll.so.1"] {
        let (through, why) = said(&text, name);
        assert!(through == "no" && why.ends_with(&aside), "{name}: {through} {why}");
    }
    let text = doctor(&["root/usr/lib/lanesum", "system"]);
    for name in ["libmd.so.0", "liblanesum_freebsd_md.so.0", "libsha1detectcoll.so.1"] {
        assert_eq!(said(&text, name).0, "yes", "{name}: {text}");
    }
    // Configuration files for other programs contain the path of the library.
    for (name, line) in [
        ("openssl.cnf", "module = /usr/lib/liblanesum.so"),
        ("lanesum.module", "module: /usr/lib/liblanesum.so"),
    ] {
        let text = fs::read_to_string(folder.at(format!("root/usr/share/lanesum/{name}"))).unwrap();
        assert!(text.lines().any(|found| found == line), "{name}: {text}");
    }
}

#[test]
fn openssl_and_p11_kit_report_what_they_load() {
    let folder = Folder::new();
    let program = |name: &str, script: &str| {
        folder.file(format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder.at(format!("bin/{name}")), executable).unwrap();
    };
    let doctor = || {
        let output = folder.lanesum().arg("doctor").env("PATH", folder.at("bin")).output().unwrap();
        ran(&output).out
    };
    fs::create_dir(folder.at("bin")).unwrap();
    let text = doctor();
    for (what, program) in [("provider", "openssl"), ("module", "p11-kit")] {
        let (through, why) = said(&text, what);
        assert!(through == "no" && why.contains(&format!("the command {program} is not")), "{why}");
    }
    program("openssl", "echo 'MODULESDIR: \"/modules\"'");
    program("p11-kit", "echo 'softhsm2: libsofthsm2.so'");
    let text = doctor();
    for (what, why) in [
        ("provider", "modules: /modules"),
        ("programs", "no program is linked with OpenSSL"),
        ("module", "copy lanesum.module to"),
    ] {
        let said = said(&text, what);
        assert!(said.0 == "no" && said.1.contains(why), "{what}: {said:?}");
    }
    program("openssl", "echo '  lanesum'; echo '    name: Lanesum'");
    program("p11-kit", "echo 'ours: /usr/lib/liblanesum.so (Lanesum SHA engine)'");
    let text = doctor();
    for what in ["provider", "programs", "module"] {
        assert_eq!(said(&text, what).0, "yes", "{what}: {text}");
    }
}

#[test]
fn kernels_match_list_in_the_same_environment() {
    let folder = Folder::new();
    for kernel in ["", "portable_x1"] {
        let run = |words: &[&str]| {
            let mut command = folder.lanesum();
            if !kernel.is_empty() {
                command.env("LANESUM_KERNEL", kernel);
            }
            ran(&command.args(words).output().unwrap()).out
        };
        assert!(run(&["doctor"]).ends_with(&run(&["list", "--all"])));
    }
    let wrong = folder.lanesum().arg("doctor").env("LANESUM_KERNEL", "nonsense").output().unwrap();
    let wrong = ran(&wrong);
    assert_eq!(wrong.status, Some(2));
    assert!(wrong.err.contains("LANESUM_KERNEL"), "{}", wrong.err);
}

#[test]
fn costs_of_kernels_are_built_in_or_from_a_file() {
    let folder = Folder::new();
    let run = |costs: &str| {
        ran(&folder.lanesum().arg("doctor").env("LANESUM_COSTS", costs).output().unwrap())
    };
    let without = run("");
    assert_eq!((without.status, &without.err[..]), (Some(0), ""));
    let cpu = lanesum::unstable::Cpu::this().to_string();
    let (is_measured, why) = said(&without.out, "built-in");
    assert!(why.contains(&cpu), "{why}");
    assert_eq!(is_measured == "no", why.contains("run 'lanesum tune --output FILE'"), "{why}");
    let (used, why) = said(&without.out, "LANESUM_COSTS");
    assert!(used == "no" && why.contains("not set"), "{why}");

    folder.file("costs", lanesum::unstable::CostsFile(&[]).to_string());
    let with = run("costs");
    assert_eq!((with.status, &with.err[..]), (Some(0), ""));
    assert_eq!(said(&with.out, "LANESUM_COSTS"), ("yes".into(), "costs".into()));

    // An invalid file is named in the report, and makes the status 2, like an invalid LANESUM_KERNEL.
    let wrong = run("missing");
    assert_eq!(wrong.status, Some(2));
    let (used, why) = said(&wrong.out, "LANESUM_COSTS");
    assert!(used == "no" && why.starts_with("cannot read the costs file 'missing'"), "{why}");
    assert!(wrong.err.contains("LANESUM_COSTS: cannot read"), "{}", wrong.err);
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = Folder::new();
    common::well(folder.run("man pages"), "");
    let help = folder.run("--help").out;
    // A line with a name is indented by two spaces; continuation lines are indented further.
    let names = |heading: &str| -> Vec<&str> {
        let lines = help.split(heading).nth(1).unwrap().lines().skip(1);
        let lines = lines.take_while(|line| !line.is_empty());
        let lines = lines.filter_map(|line| line.strip_prefix("  "));
        let lines = lines.filter(|line| !line.starts_with(' '));
        lines.filter_map(|line| line.split(' ').next()).collect()
    };
    assert_eq!(names("\nCommands:"), ["sum", "check", "diff", "mac", "list"], "{help}");
    let commands = [names("\nCommands:"), names("\nMore commands:")].concat();
    let all = ["sum", "check", "diff", "mac", "list", "tree", "manifest", "bench", "tune"];
    assert_eq!(commands, [&all[..], &["doctor", "completions", "man"]].concat(), "{help}");
    for name in &commands {
        let about = help.split(&format!("\n  {name} ")).nth(1).unwrap_or_default();
        assert!(about.trim_start().starts_with(char::is_uppercase), "{name}: {help}");
    }
    for words in ["-h", ""] {
        let short = folder.run(words);
        let short = format!("{}{}", short.out, short.err);
        assert!(short.contains("\nMore commands: tree, manifest, bench,"), "{short}");
    }
    for name in commands.iter().map(|name| format!("lanesum-{name}")).chain(["lanesum".into()]) {
        let path = folder.at(format!("pages/{name}.1"));
        assert!(Path::new(&path).exists(), "{name}");
        let mut man = folder.command("man");
        man.args(["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]).arg(&path);
        let output = ran(&man.output().unwrap());
        assert_eq!((output.status, &output.err[..]), (Some(0), ""), "{name}");
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains(".SH SYNOPSIS") && text.contains(".SH DESCRIPTION"),
            "{name}: {text}"
        );
    }
    let page = fs::read_to_string(folder.at("pages/lanesum-sum.1")).unwrap();
    assert!(page.contains("lanesum sum") && page.contains("one\\-file\\-system"), "{page}");
    let page = fs::read_to_string(folder.at("pages/lanesum.1")).unwrap();
    assert!(page.contains("OTHER NAMES") && page.contains("sha256sum"), "{page}");
    let run = folder.run("man /dev/null/pages");
    assert_eq!(run.status, Some(1));
    assert!(
        run.err.contains("cannot write pages to /dev/null/pages: Not a directory"),
        "{}",
        run.err
    );
}
