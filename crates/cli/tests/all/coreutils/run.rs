//! Runs the same command lines with coreutils and with Lanesum.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use lanesum_testkit::Kind;

use crate::common::Folder;
use crate::coreutils::generate::Case;

/// The tools that Lanesum replaces.
pub(crate) const NAMES: [&str; 9] = [
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "b2sum",
    "sum",
    "cksum",
];

/// Differences of releases before 9.10: the first release that behaves like ours, a description, and whether it
/// can explain the difference in a case. Sources are the NEWS of the releases, and runs of these tests against
/// 9.1, 9.7 and 9.10. Where NEWS has no entry, the release is the earliest possible one after 9.1.
type Change = ((u32, u32), &'static str, fn(&Case, [&Done; 2]) -> bool);
const CHANGES: [Change; 7] = [
    ((9, 2), "names with quotes and what is escaped, which began with other quotes", |_, dones| {
        let [ours, theirs] = dones.map(Done::with_fewer_quotes);
        ours == theirs
    }),
    ((9, 2), "reports with a backslash or a carriage return, not escaped", |case, dones| {
        let [ours, theirs] = dones.map(Done::without_backslashes);
        is_check(case) && holds(case, &["\\", "\r"]) && ours == theirs
    }),
    ((9, 2), "lines with a NUL", |case, _| is_check(case) && holds(case, &["\0"])),
    ((9, 8), "what cksum and b2sum did not know", |case, _| {
        let learnt = matches!(case.tool, "cksum" | "b2sum");
        case.is_new && learnt || case.tool == "cksum" && says(case, &["-b", "-t", "--t"])
    }),
    ((9, 8), "messages that list cksum's algorithms, and those about its --length", |case, _| {
        let of_length = |word: &str| word.starts_with("-l") || word.starts_with("--length");
        let is_listed = |name: &str| !ALGORITHMS.contains(&name) || is_check(case);
        case.tool == "cksum" && (words(case).any(of_length) || algorithms(case).any(is_listed))
    }),
    ((9, 8), "tags with other blanks behind them than one space", |case, _| {
        let has_blanks = matches!(case.tool, "cksum" | "b2sum");
        has_blanks && is_check(case) && holds(case, &["\t(", "  ("])
    }),
    ((9, 10), "--text with --tag", |case, _| {
        says(case, &["-t", "--text", "--te", "-bt", "-tb"]) && says(case, &["--tag", "--ta"])
    }),
];

/// The algorithms that cksum 9.1 checks. For others, a message lists the known ones.
const ALGORITHMS: [&str; 8] =
    ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "sm3"];

/// Returns all inputs that may be manifests.
fn texts(case: &Case) -> impl Iterator<Item = &Vec<u8>> {
    case.files.iter().map(|(_, text)| text).chain([&case.stdin])
}

fn words(case: &Case) -> impl Iterator<Item = &str> {
    case.arguments.iter().filter_map(|word| word.to_str())
}

fn says(case: &Case, any: &[&str]) -> bool {
    words(case).any(|word| any.contains(&word))
}

/// Whether manifests are checked, by a long or a short option.
fn is_check(case: &Case) -> bool {
    let letters = |word: &str| {
        let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        letters.is_some_and(|letters| letters.split(['a', 'l']).next().unwrap().contains('c'))
    };
    words(case).any(|word| word == "--check" || letters(word))
}

/// Whether a manifest contains any of these strings.
fn holds(case: &Case, any: &[&str]) -> bool {
    let has = |text: &Vec<u8>, part: &str| {
        text.windows(part.len()).any(|window| window == part.as_bytes())
    };
    texts(case).any(|text| any.iter().any(|part| has(text, part)))
}

/// The requested algorithms.
fn algorithms(case: &Case) -> impl Iterator<Item = &str> {
    let next = words(case).skip(1).chain([""]);
    words(case).zip(next).filter_map(|(word, next)| match word {
        "-a" | "--algorithm" => Some(next),
        _ if word.starts_with("--a") => word.split_once('=').map(|(_, name)| name),
        _ => word.strip_prefix("-ca").or_else(|| word.strip_prefix("-a")),
    })
}

/// The installed coreutils, or those in the directory `LANESUM_COREUTILS`.
pub(crate) struct Tools {
    folder: PathBuf,
    /// The release. Lanesum follows 9.10.
    release: (u32, u32),
    /// The number of skipped cases for each change.
    left_out: Mutex<BTreeMap<&'static str, usize>>,
}

impl Tools {
    pub(crate) fn new() -> Self {
        let folder = PathBuf::from(env::var_os("LANESUM_COREUTILS").unwrap_or_default());
        let output = Command::new(folder.join("sha256sum")).arg("--version").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().next().unwrap_or_default();
        let number = line.strip_prefix("sha256sum (GNU coreutils) ");
        let number = number.unwrap_or_else(|| panic!("GNU coreutils are required, found {line}"));
        let mut parts = number.split('.').map(|part| part.parse().unwrap());
        let release = (parts.next().unwrap(), parts.next().unwrap_or_default());
        Self { folder, release, left_out: Mutex::default() }
    }

    /// Removes the reason from messages about output that cannot be written: releases before 9.10 often omit it.
    pub(crate) fn of_writing(&self, said: String) -> String {
        if self.release >= (9, 10) {
            return said;
        }
        let why = ["No space left on device", "Broken pipe"];
        why.iter()
            .fold(said, |said, why| said.replace(&format!("write error: {why}\n"), "write error\n"))
    }

    /// Returns the path of a tool of coreutils.
    pub(crate) fn at(&self, tool: &str) -> PathBuf {
        self.folder.join(tool)
    }

    /// Commands that run Lanesum and coreutils under the same name.
    pub(crate) fn both(&self, folder: &Folder, tool: &str) -> [Command; 2] {
        let theirs = self.folder.join(tool);
        [OsStr::new(env!("CARGO_BIN_EXE_lanesum")), theirs.as_os_str()].map(|program| {
            let mut command = folder.command(program);
            command.arg0(tool);
            command
        })
    }
}

/// Reports the skipped cases at the end.
impl Drop for Tools {
    fn drop(&mut self) {
        let left_out = self.left_out.get_mut().unwrap();
        if left_out.is_empty() || thread::panicking() {
            return;
        }
        let (major, minor) = self.release;
        let each: Vec<String> =
            left_out.iter().map(|(what, count)| format!("{count} of {what}")).collect();
        let why = format!("coreutils {major}.{minor} did by intent otherwise: {}", each.join(", "));
        lanesum_testkit::left_out(Kind::Tool, "coreutils-9.10", &why);
    }
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Done {
    code: Option<i32>,
    signal: Option<i32>,
    /// Both streams, or the contents of the file that they share.
    out: Vec<u8>,
    err: Vec<u8>,
}

impl Done {
    /// Ignores lines with a backslash or a carriage return.
    fn without_backslashes(&self) -> Self {
        let without = |text: &[u8]| {
            let has = |line: &&[u8]| line.iter().any(|byte| b"\\\r".contains(byte));
            lines(text).filter(|line| !has(line)).collect::<Vec<_>>().concat()
        };
        Self { out: without(&self.out), err: without(&self.err), ..*self }
    }

    /// Ignores the number of quotes at the start of a name in a message.
    fn with_fewer_quotes(&self) -> Self {
        let fewer = |line: &[u8]| {
            let place = line.windows(2).position(|two| two == b": ").map_or(0, |place| place + 2);
            let (tool, rest) = line.split_at(place);
            let quotes = rest.iter().take_while(|byte| b"'$".contains(byte)).count();
            [tool, &rest[quotes..]].concat()
        };
        let err = lines(&self.err).map(fewer).collect::<Vec<_>>().concat();
        Self { out: self.out.clone(), err, ..*self }
    }
}

/// Returns the change up to release 9.10 that explains the difference between ours and theirs.
fn change(release: (u32, u32), case: &Case, dones: [&Done; 2]) -> Option<&'static str> {
    let concerns = |(since, _, is_why): &&Change| release < *since && is_why(case, dones);
    CHANGES.iter().find(concerns).map(|(_, what, _)| *what)
}

/// Whether our result agrees with coreutils of that release. The CRC of releases 9.0 to 9.3 treats
/// unreadable input as empty, without a message. We report it and exit with status 1.
fn agree(release: (u32, u32), case: &Case, ours: &Done, theirs: &Done) -> bool {
    if case.tool != "cksum" || !((9, 0)..(9, 4)).contains(&release) {
        return ours == theirs;
    }
    let (mut ours, mut theirs) = (ours.clone(), theirs.clone());
    let mut silent = 0;
    for (name, error) in [("d", "Is a directory"), ("/proc/self/mem", "Input/output error")] {
        let sums = ["\n", "\0"].map(|end| format!("4294967295 0 {name}{end}"));
        let taken: usize = sums.iter().map(|line| take_lines(&mut theirs.out, line)).sum();
        let said = if case.is_shared { &mut ours.out } else { &mut ours.err };
        if taken > 0 && take_lines(said, &format!("cksum: {name}: {error}\n")) != taken {
            return false;
        }
        silent += taken;
    }
    if silent > 0 {
        let said = if case.is_shared { &theirs.out } else { &theirs.err };
        let has_failed = lines(said).any(|line| line.starts_with(b"cksum: "));
        if ours.code != Some(1) || theirs.code != Some(has_failed.into()) {
            return false;
        }
        theirs.code = ours.code;
    }
    ours == theirs
}

/// Returns the lines, with their terminators.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| b"\n\0".contains(byte))
}

/// Removes every occurrence of a line. Returns the number of occurrences.
fn take_lines(text: &mut Vec<u8>, line: &str) -> usize {
    let all = lines(text).count();
    *text = lines(text).filter(|other| *other != line.as_bytes()).collect::<Vec<_>>().concat();
    all - lines(text).count()
}

/// Runs a case with both, and returns the difference as an error.
pub(crate) fn compare(folder: &Folder, tools: &Tools, case: &Case) -> Result<(), String> {
    let dones = tools.both(folder, case.tool).map(|command| run(folder, case, command));
    let [ours, theirs] = &dones;
    if agree(tools.release, case, ours, theirs) {
        return Ok(());
    }
    if let Some(what) = change(tools.release, case, [ours, theirs]) {
        *tools.left_out.lock().unwrap().entry(what).or_default() += 1;
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

/// Returns the text around the first difference.
fn first_difference(shown: &[u8], a: &[u8], b: &[u8]) -> String {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let part = &shown[same.saturating_sub(200).min(shown.len())..shown.len().min(same + 300)];
    part.escape_ascii().to_string()
}

fn run(folder: &Folder, case: &Case, mut command: Command) -> Done {
    // Each thread has separate files, which both commands share.
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

/// Tests of the comparison itself, with pairs that differ in one respect.
mod judged {
    use super::*;

    fn done(code: i32, out: &str, err: &str) -> Done {
        Done { code: Some(code), signal: None, out: out.into(), err: err.into() }
    }

    fn cksum(is_shared: bool) -> Case {
        Case { is_shared, ..Case::new("cksum", vec!["a".into(), "d".into()]) }
    }

    const OUT: &str = "1220704766 1 a\n4294967295 0 d\n";
    const ERR: &str = "cksum: d: Is a directory\n";

    #[test]
    fn equal_results_pass_and_every_difference_is_rejected() {
        let theirs = done(0, "1220704766 1 a\n", "");
        let case = Case::new("sha1sum", Vec::new());
        assert!(agree((9, 1), &case, &theirs, &theirs));
        let signal = Done { signal: Some(13), ..theirs.clone() };
        for ours in [done(1, "1220704766 1 a\n", ""), done(0, "", ""), signal, done(0, OUT, "")] {
            for (case, release) in [(&case, (9, 1)), (&cksum(false), (9, 1)), (&case, (9, 7))] {
                assert!(!agree(release, case, &ours, &theirs));
            }
        }
    }

    #[test]
    fn the_excuse_for_an_unreported_directory_covers_nothing_else() {
        let (case, theirs) = (cksum(false), done(0, OUT, ""));
        let ours = done(1, "1220704766 1 a\n", ERR);
        assert!(agree((9, 1), &case, &ours, &theirs));
        for wrong in [
            done(0, "1220704766 1 a\n", ERR),
            done(1, "1220704766 2 a\n", ERR),
            done(1, "", ERR),
            done(1, "1220704766 1 a\n", ""),
            done(1, "1220704766 1 a\n", &ERR.repeat(2)),
            done(1, "1220704766 1 a\n", "cksum: d: No such file or directory\n"),
            done(1, "1220704766 1 a\n", &format!("{ERR}cksum: a: beans\n")),
            done(1, OUT, ERR),
            done(1, &OUT.replace(" d", " e"), ERR),
        ] {
            let said = String::from_utf8_lossy(&wrong.err);
            assert!(!agree((9, 1), &case, &wrong, &theirs), "{:?} {said}", wrong.code);
        }
        // With an additional error, both exit with status 1.
        let both = "cksum: missing: No such file or directory\n";
        let ours = done(1, "1220704766 1 a\n", &format!("{ERR}{both}"));
        assert!(agree((9, 1), &case, &ours, &done(1, OUT, both)));
        assert!(!agree((9, 1), &case, &ours, &done(0, OUT, both)));
        assert!(!agree((9, 1), &case, &ours, &done(0, OUT, "")));
        // Later releases also report it.
        assert!(!agree((9, 4), &case, &done(1, "1220704766 1 a\n", ERR), &theirs));
        // No other tool is excused.
        let case = Case::new("sha1sum", Vec::new());
        assert!(!agree((9, 1), &case, &done(1, "1220704766 1 a\n", ERR), &theirs));
    }

    #[test]
    fn both_streams_in_one_file_are_compared_in_the_same_way() {
        let theirs = done(0, OUT, "");
        let ours = |text: &str| done(1, text, "");
        assert!(agree((9, 1), &cksum(true), &ours(&format!("1220704766 1 a\n{ERR}")), &theirs));
        assert!(!agree((9, 1), &cksum(true), &ours("1220704766 1 a\n"), &theirs));
        assert!(!agree((9, 1), &cksum(true), &ours(ERR), &theirs));
        assert!(!agree((9, 1), &cksum(false), &ours(&format!("1220704766 1 a\n{ERR}")), &theirs));
    }

    #[test]
    fn an_earlier_release_is_excused_only_for_its_known_differences() {
        let theirs = done(1, "a\\b: FAILED\na: OK\n", "");
        let manifest = |text: &str| {
            let files = vec![("m".to_owned(), text.into())];
            Case { files, ..Case::new("sha1sum", vec!["-c".into(), "m".into()]) }
        };
        let excused = |release, case: &Case, ours: &Done, theirs: &Done| {
            assert!(!agree(release, case, ours, theirs));
            change(release, case, [ours, theirs]).is_some()
        };
        let case = manifest("0000  a\\b\n");
        let ours = done(1, "\\a\\\\b: FAILED\na: OK\n", "");
        assert!(excused((9, 1), &case, &ours, &theirs));
        assert!(!excused((9, 10), &case, &ours, &theirs), "Lanesum follows 9.10");
        // Differences in the rest of the report, in the status, or for other names are not excused.
        for wrong in ["\\a\\\\b: FAILED\na: FAILED\n", "\\a\\\\b: FAILED\n", ""] {
            assert!(!excused((9, 1), &case, &done(1, wrong, ""), &theirs), "{wrong}");
        }
        assert!(!excused((9, 1), &case, &done(0, "\\a\\\\b: FAILED\na: OK\n", ""), &theirs));
        assert!(!excused((9, 1), &manifest("0000  a b\n"), &ours, &theirs));
        // An option of cksum does not excuse differences without that option or of another tool.
        let [ours, theirs] = [done(0, "1 1 a\n", ""), done(0, "2 1 a\n", "")];
        let with = |tool, words: &[&str]| Case::new(tool, words.iter().map(Into::into).collect());
        for words in [&["a"][..], &["-asha1", "a"], &["--untagged", "a"], &["-c", "a"]] {
            assert!(!excused((9, 1), &with("cksum", words), &ours, &theirs), "{words:?}");
        }
        for words in [&["-b"][..], &["-l12"], &["-abogus"], &["-a", "a"], &["-acrc", "-c"]] {
            assert!(excused((9, 1), &with("cksum", words), &ours, &theirs), "{words:?}");
            assert!(!excused((9, 10), &with("cksum", words), &ours, &theirs), "{words:?}");
            assert!(!excused((9, 1), &with("md5sum", words), &ours, &theirs), "{words:?}");
        }
        // A new feature excuses only the tools that gained it, in earlier releases.
        let new = |tool| Case { is_new: true, ..with(tool, &["a"]) };
        assert!(excused((9, 1), &new("cksum"), &ours, &theirs));
        assert!(!excused((9, 8), &new("cksum"), &ours, &theirs));
        assert!(!excused((9, 1), &new("sum"), &ours, &theirs));
        // Quotes at the start of a name may differ, but not the quoted text.
        let case = Case::new("md5sum", Vec::new());
        let said =
            |name: &str| done(1, "", &format!("md5sum: {name}: No such file or directory\n"));
        let theirs = said("'''a'$'\\n'");
        assert!(excused((9, 1), &case, &said("'a'$'\\n'"), &theirs));
        assert!(!excused((9, 1), &case, &said("'b'$'\\n'"), &theirs));
    }
}
