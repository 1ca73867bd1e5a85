//! The same command line, run by coreutils and by Lanesum.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};

use crate::common::Folder;
use crate::generate::Case;

/// The tools that Lanesum stands in for.
pub(crate) const NAMES: [&str; 7] =
    ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "cksum"];

/// Coreutils, as they are installed.
pub(crate) struct Tools {
    /// The release, of which Lanesum follows 9.1.
    release: (u32, u32),
}

impl Tools {
    pub(crate) fn new() -> Self {
        let output = Command::new("sha256sum").arg("--version").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().next().unwrap_or_default();
        let number = line.strip_prefix("sha256sum (GNU coreutils) ");
        let number = number.unwrap_or_else(|| panic!("GNU's coreutils are wanted, here is {line}"));
        let mut parts = number.split('.').map(|part| part.parse().unwrap());
        let release = (parts.next().unwrap(), parts.next().unwrap_or_default());
        if release != (9, 1) {
            eprintln!("coreutils {number}: what later releases changed is left out");
        }
        Self { release }
    }

    /// Whether a release after 9.1 does something else by intent: its `cksum` has more options
    /// and algorithms, and its reports escape names with a backslash or a carriage return, too.
    pub(crate) fn differ_by_intent(&self, case: &Case) -> bool {
        let holds = |bytes: &[u8]| bytes.iter().any(|byte| b"\\\r".contains(byte));
        self.release > (9, 1)
            && (case.tool == "cksum"
                || holds(&case.stdin)
                || case.files.iter().any(|(_, bytes)| holds(bytes))
                || case.arguments.iter().any(|word| word == "SUMS of all"))
    }

    /// Lanesum and coreutils, called by the same name.
    pub(crate) fn both(&self, folder: &Folder, tool: &str) -> [Command; 2] {
        [OsStr::new(env!("CARGO_BIN_EXE_lanesum")), OsStr::new(tool)].map(|program| {
            let mut command = folder.command(program);
            command.arg0(tool);
            command
        })
    }
}

/// What a command did.
#[derive(PartialEq, Eq)]
struct Done {
    code: Option<i32>,
    signal: Option<i32>,
    /// Both streams, or all that went to the one file they share.
    out: Vec<u8>,
    err: Vec<u8>,
}

/// Runs a case both ways, and says how they differ.
pub(crate) fn compare(folder: &Folder, tools: &Tools, case: &Case) -> Result<(), String> {
    if tools.differ_by_intent(case) {
        return Ok(());
    }
    let dones = tools.both(folder, case.tool).map(|command| run(folder, case, command));
    let [ours, theirs] = &dones;
    // Release 9.1's CRC takes what it cannot read for empty, and says nothing. We do not.
    let is_silent = |name: &str| {
        let line = format!("4294967295 0 {name}");
        case.tool == "cksum" && theirs.out.windows(line.len()).any(|text| text == line.as_bytes())
    };
    if ours == theirs || ["d", "/proc/self/mem"].into_iter().any(is_silent) {
        return Ok(());
    }
    let mut text = format!("{} {:?} {:?}\n", case.tool, case.arguments, case.environment);
    let _ = writeln!(text, "  stdin: {}", case.stdin.escape_ascii());
    for (name, bytes) in &case.files {
        let _ = writeln!(text, "  {name}: {}", bytes.escape_ascii());
    }
    for (who, done) in [("lanesum", ours), ("coreutils", theirs)] {
        let _ = writeln!(
            text,
            "  {who}: {:?} {:?}\n    out {}\n    err {}",
            done.code,
            done.signal,
            first_difference(&done.out, &ours.out, &theirs.out),
            first_difference(&done.err, &ours.err, &theirs.err),
        );
    }
    Err(text)
}

/// The text about the place where the two differ.
fn first_difference(shown: &[u8], a: &[u8], b: &[u8]) -> String {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let part = &shown[same.saturating_sub(200).min(shown.len())..shown.len().min(same + 300)];
    part.escape_ascii().to_string()
}

fn run(folder: &Folder, case: &Case, mut command: Command) -> Done {
    // Each thread has its own, and both commands have the same.
    for (name, bytes) in &case.files {
        fs::write(folder.at(name), bytes).unwrap();
    }
    command.args(&case.arguments).envs(case.environment.iter().copied());
    command.env_remove("POSIXLY_CORRECT");
    if case.is_posix {
        command.env("POSIXLY_CORRECT", "1");
    }
    let mut stdin = tempfile::tempfile().unwrap();
    stdin.write_all(&case.stdin).unwrap();
    stdin.rewind().unwrap();
    command.stdin(stdin);
    let shared = case.is_shared.then(|| tempfile::tempfile().unwrap());
    if let Some(file) = &shared {
        let clone = || Stdio::from(File::try_clone(file).unwrap());
        command.stdout(clone()).stderr(clone());
    }
    let output = command.output().unwrap();
    let mut out = output.stdout;
    if let Some(mut file) = shared {
        file.rewind().unwrap();
        std::io::Read::read_to_end(&mut file, &mut out).unwrap();
    }
    Done { code: output.status.code(), signal: output.status.signal(), out, err: output.stderr }
}
