//! The output on terminals of three widths, and in a pipe.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, bytes};

/// A session of tmux, which ends with the test.
struct Terminal<'a>(&'a Folder, PathBuf);

impl<'a> Terminal<'a> {
    fn new(folder: &'a Folder, columns: u32, variables: &str, command: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let socket = format!("tmux{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let terminal = Self(folder, folder.at(socket));
        let script = format!(
            "cd '{}'; {variables} '{}' {command}; echo \"ended $?\"; sleep 1000",
            folder.path().display(),
            env!("CARGO_BIN_EXE_lanesum"),
        );
        let columns = columns.to_string();
        terminal.tmux(&["new-session", "-d", "-x", &columns, "-y", "24", "sh", "-c", &script]);
        terminal
    }

    fn tmux(&self, words: &[&str]) -> String {
        let mut command = self.0.command("tmux");
        let output =
            command.env_remove("TMUX").arg("-S").arg(&self.1).args(words).output().unwrap();
        assert!(output.status.success(), "tmux {words:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns the lines on the screen.
    fn screen(&self) -> Vec<String> {
        let text = self.tmux(&["capture-pane", "-p"]);
        text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect()
    }

    /// Waits until the screen satisfies `is_so`, and returns it.
    fn when(&self, is_so: impl Fn(&[String]) -> bool) -> Vec<String> {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                return screen;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{screen:#?}");
            thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        let _ = self.0.command("tmux").arg("-S").arg(&self.1).arg("kill-server").output();
    }
}

/// Replaces every digit with 9, so that screens can be compared.
fn shape(line: &str) -> String {
    let mut shape = String::new();
    for letter in line.chars() {
        let letter = if letter.is_ascii_digit() { '9' } else { letter };
        if !(letter == '9' && shape.ends_with('9')) {
            shape.push(letter);
        }
    }
    shape
}

fn tree() -> Folder {
    let folder = Folder::new();
    folder.file("tree/a long file with a name of some length.iso", bytes(6 << 20));
    for i in 0..40 {
        folder.file(format!("tree/small {i}"), bytes(1000));
    }
    folder
}

#[test]
fn a_terminal_of_any_width_shows_progress() {
    let folder = tree();
    for columns in [40, 72, 120] {
        let words = "sum -r tree missing -o SUMS --max-rate 2M";
        let terminal = Terminal::new(&folder, columns, "", words);
        let is_shown = |lines: &[String]| {
            let has = |text: &str| lines.iter().any(|line| line.contains(text));
            has(" of 6.00 MiB") && has("left")
        };
        let screen = terminal.when(is_shown);
        assert!(screen.iter().all(|line| line.chars().count() <= columns as usize), "{screen:#?}");
        let main = screen
            .iter()
            .find(|line| line.contains("left"))
            .unwrap_or_else(|| panic!("{screen:#?}"));
        assert_eq!(main.contains('█') || main.contains('░'), columns > 60, "{main}");
        // On a busy machine the remaining time may be shown in minutes.
        let is_said = |unit: &str| {
            ["9% 9 ", "9%, 9 "]
                .iter()
                .any(|before| shape(main).contains(&format!("{before}{unit}")))
        };
        assert!(is_said("second") || is_said("minute"), "{main}");
        let end = terminal.when(|lines| lines.iter().any(|line| line.starts_with("ended")));
        let text = end.join("\n");
        assert!(
            !text.contains("left") && !text.contains(" of 6.00 MiB"),
            "the progress remains: {text}"
        );
        // The error appears when it occurs, and again at the end.
        let said = text.replace('\n', "").matches("cannot open missing").count();
        assert_eq!(said, 2, "{text}");
        assert!(text.contains("1 error in total:") && text.contains("ended 1"), "{text}");
    }
}

#[test]
fn the_percentage_of_a_check_counts_bytes() {
    let folder = tree();
    folder.run("sum -r tree -o SUMS");
    let terminal = Terminal::new(&folder, 120, "", "check --quiet SUMS --max-rate 2M");
    let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    let screen = terminal.when(|lines| has(lines, " of 6.00 MiB") && has(lines, " left"));
    let percent = |text: &str| -> i32 {
        let line = screen.iter().find(|line| line.contains(text)).unwrap();
        let before = line.split('%').next().unwrap();
        before.rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    // The long file has nearly all bytes. Its line is drawn slightly later than the other.
    let (all, long) = (percent(" left"), percent(" of 6.00 MiB"));
    assert!(all < 100 && (all - long).abs() <= 20, "{screen:#?}");
}

#[test]
fn a_terminal_shows_the_progress_of_a_git_repository() {
    let folder = Folder::new();
    folder.file("r/long", bytes(6 << 20));
    for words in ["init -q r", "-C r -c core.compression=0 add -A"] {
        assert_eq!(folder.peer(&format!("git {words}")).status, Some(0), "{words}");
    }
    let terminal = Terminal::new(&folder, 120, "", "check --git r --max-rate 2M");
    let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    let screen = terminal.when(|lines| has(lines, " left"));
    let line = screen.iter().find(|line| line.contains(" left")).unwrap();
    assert!(shape(line).contains(" 9%, 9 ") && !line.contains("100%"), "{screen:#?}");
    let end = terminal.when(|lines| has(lines, "ended"));
    assert!(end[0].starts_with("1 loose object, ") && end[1] == "ended 0", "{end:#?}");
}

#[test]
fn a_dumb_terminal_shows_lines_and_a_pipe_shows_no_progress() {
    let folder = tree();
    let terminal = Terminal::new(&folder, 80, "TERM=dumb", "sum -r tree -o SUMS --max-rate 480K");
    let screen = terminal.when(|lines| lines.iter().any(|line| line.starts_with("lanesum: ")));
    let is_said = |unit: &str| shape(&screen[0]).starts_with(&format!("lanesum: 9%, 9 {unit}"));
    assert!(is_said("second") || is_said("minute"), "{screen:#?}");
    let ran = folder.run("sum -r tree -o PIPED --max-rate 8M");
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
}

#[test]
fn classes_are_colored_unless_disabled() {
    let folder = Folder::new();
    folder.file("tree/a", "abc");
    folder.run("sum -r tree -o SUMS");
    folder.file("tree/b", "def");
    for (variables, is_colored) in
        [("", true), ("NO_COLOR=1", false), ("NO_COLOR=", true), ("TERM=dumb", false)]
    {
        let terminal = Terminal::new(&folder, 80, variables, "check --audit SUMS");
        terminal.when(|lines| lines.iter().any(|line| line.starts_with("ended")));
        let text = terminal.tmux(&["capture-pane", "-p", "-e"]);
        assert_eq!(text.contains("\x1b[32mnew"), is_colored, "{variables}: {text:?}");
        drop(terminal);
    }
    let ran = folder.run("check --audit SUMS");
    assert!(ran.out.starts_with("new           tree/b\n"), "{}", ran.out);
}

#[test]
fn explain_reports_kernels_and_times() {
    let folder = tree();
    let ran = folder.run("sum -r tree -o SUMS --explain");
    let lines: Vec<_> = ran.err.lines().collect();
    assert_eq!((ran.status, lines.len()), (Some(0), 2), "{}", ran.err);
    let first = lanesum::Policy::automatic().engine(lanesum::Algorithm::SHA256).unwrap();
    let expected = format!("lanesum: sha256: {}", first.kernel(1).name());
    assert!(lines[0].starts_with(&expected), "{}", lines[0]);
    assert_eq!(
        shape(lines[1]),
        "lanesum: 9 files, 9.9 MiB; 9.9 s of thread time: 9% reading, 9% finding files and waiting, 9% hashing and the rest"
    );
    assert!(lines[1].starts_with("lanesum: 41 files, 6.04 MiB; "), "{}", lines[1]);
    assert_eq!(folder.run("check --quiet SUMS --explain").err.lines().count(), 2);
    assert_eq!(folder.run("check --audit SUMS --explain").err.lines().count(), 2);
    assert_eq!(folder.run("diff tree tree --explain").err.lines().count(), 2);
}
