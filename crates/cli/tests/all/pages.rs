//! Runs every command of the pages in the documentation, in order, and compares the output.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::{Folder, ran};

/// Returns the commands of a page's blocks, each with its documented output.
fn steps(text: &str) -> Vec<(String, Vec<String>)> {
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match line {
            "```console" => is_inside = true,
            "```" => is_inside = false,
            _ if !is_inside => {}
            _ => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push((command.to_owned(), Vec::new())),
                (None, Some((_, printed))) => printed.push(line.to_owned()),
                (None, None) => panic!("`{line}` comes before any command"),
            },
        }
    }
    steps
}

/// Returns the page with `printed` as the output of its commands.
fn filled(text: &str, printed: Vec<Vec<String>>) -> String {
    let mut printed = printed.into_iter();
    let (mut page, mut is_inside) = (String::new(), false);
    for line in text.lines() {
        is_inside = line == "```console" || is_inside && line != "```";
        let is_command = is_inside && line.starts_with("$ ");
        if !is_inside || is_command || line == "```console" {
            page += &format!("{line}\n");
        }
        if is_command {
            printed.next().iter().flatten().for_each(|line| page += &format!("{line}\n"));
        }
    }
    page
}

/// Runs the commands of a page. With `LANESUM_WRITE`, replaces the documented output with the
/// actual one.
fn run(page: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join("docs").join(page);
    let text = fs::read_to_string(&file).unwrap();
    let (folder, home, programs) = (Folder::new(), Folder::new(), Folder::new());
    symlink(env!("CARGO_BIN_EXE_lanesum"), programs.at("lanesum")).unwrap();
    let scrub = root.join("crates/cli/share/lanesum-scrub");
    symlink(scrub.canonicalize().unwrap(), programs.at("lanesum-scrub")).unwrap();
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    let (mut written, mut wrong) = (Vec::new(), Vec::new());
    let steps = steps(&text);
    for (command, printed) in &steps {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(folder.path());
        shell.env("PATH", &path).env("LC_ALL", "C");
        shell.env_remove("LANESUM_KERNEL").env_remove("LANESUM_COSTS");
        shell.env("HOME", home.path()).env_remove("XDG_CACHE_HOME");
        let output = shell.output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        if !output.status.success() {
            wrong.push(format!("{command} fails:\n{out}"));
        }
        let found: Vec<_> = out.lines().map(str::to_owned).collect();
        if found != *printed {
            wrong.push(format!("{command}\n{out}"));
        }
        written.push(found);
    }
    assert!(steps.iter().any(|(command, _)| command.contains("lanesum ")), "{page}");
    if std::env::var_os("LANESUM_WRITE").is_some() {
        fs::write(file, filled(&text, written)).unwrap();
    } else {
        assert!(wrong.is_empty(), "{page} prints otherwise:\n{}", wrong.join("\n"));
    }
}

#[test]
fn the_tutorial_works_as_documented() {
    run("tutorial.md");
}

#[test]
fn verifying_a_download_works_as_documented() {
    run("verify-a-download.md");
}

#[test]
fn keeping_an_archive_works_as_documented() {
    run("keep-an-archive.md");
}

#[test]
fn scripts_work_as_documented() {
    run("replace-sha256sum.md");
}

#[test]
fn scrubbing_a_server_works_as_documented() {
    run("scrub-a-server.md");
}

/// Runs the examples of every help text in a directory with the files that they mention.
#[test]
fn the_examples_of_help_texts_and_manual_pages_run() {
    let programs = Folder::new();
    symlink(env!("CARGO_BIN_EXE_lanesum"), programs.at("lanesum")).unwrap();
    // The Python package is tested separately.
    symlink("/bin/true", programs.at("lanesum-manifest")).unwrap();
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    let shell = |folder: &Folder, line: &str| {
        let mut shell = folder.command("bash");
        shell.args(["-c", line]).env("PATH", &path);
        shell.env("HOME", folder.path()).env_remove("XDG_CACHE_HOME");
        ran(&shell.output().unwrap())
    };
    let pages = Folder::new();
    assert_eq!(pages.run("man .").status, Some(0));
    let mut names: Vec<_> =
        fs::read_dir(pages.path()).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    assert!(names.len() > 15, "{names:?}");
    for page in names {
        let text = fs::read_to_string(&page).unwrap();
        for section in [".SH \"EXIT STATUS\"\n", ".SH EXAMPLES\n"] {
            assert_eq!(text.matches(section).count(), 1, "{}: {section}", page.display());
        }
        let name = page.file_stem().unwrap().to_str().unwrap().replace('-', " ");
        // The help text of 'lanesum manifest' is the package's.
        let lines: Vec<String> = if name == "lanesum manifest" {
            let (_, examples) = text.split_once(".SH EXAMPLES\n").unwrap();
            let lines = examples.lines().filter(|line| line.starts_with("lanesum "));
            lines.map(|line| line.replace("\\-", "-")).collect()
        } else {
            let help = programs.run(&format!("{} --help", &name["lanesum".len()..]));
            assert_eq!((help.status, &help.err[..]), (Some(0), ""), "{name}");
            let lines = help.out.lines().filter_map(|line| line.strip_prefix("    $ "));
            lines.map(str::to_owned).collect()
        };
        assert!(!lines.is_empty(), "{name}");
        let folder = Folder::new();
        for tree in ["photos", "old", "new"] {
            folder.file(format!("{tree}/a.jpg"), "a").file(format!("{tree}/raw/b.jpg"), "b");
        }
        folder.file("disk.img", vec![7; 8192]).file("abc.txt", "abc").file("key", "secret");
        folder.file("entries.txt", "one\ntwo\n");
        folder.run("sum -r photos -o photos.sha256");
        assert_eq!(folder.peer("git init -q project").status, Some(0));
        assert_eq!(folder.peer("git -C project hash-object -w ../abc.txt").status, Some(0));
        for line in lines {
            let in_page = line.replace('-', "\\-").replace('\'', "\\(aq");
            assert!(text.contains(&in_page), "{name}: {line}");
            let ran = shell(&folder, &line);
            assert_eq!((ran.status, &ran.err[..]), (Some(0), ""), "{name}: {line}");
        }
    }
}
