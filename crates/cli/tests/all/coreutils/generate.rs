//! Command lines and manifests from seeds.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::process;
use std::thread;

use crate::common::{Folder, bytes, hex};
use crate::coreutils::run::NAMES;

/// Files that command lines and manifests name.
const FILES: [&[u8]; 9] =
    [b"a", b"empty", b"long", b"two words", b"n\nl", b"b\\s", b"c\rr", b"*star", b"it's"];

/// What cannot be hashed: each for another reason.
const BROKEN: [&[u8]; 9] = [
    b"missing",
    b"d",
    b"a/b",
    b"loop",
    b"/proc/self/mem",
    b"",
    b"unreadable",
    b"gone away",
    b"no\nne",
];

/// Makes what there is to hash.
pub(crate) fn world(folder: &Folder) {
    use std::os::unix::ffi::OsStrExt;
    for name in FILES {
        folder.file(std::ffi::OsStr::from_bytes(name), content(name));
    }
    fs::create_dir(folder.at("d")).unwrap();
    symlink("loop", folder.at("loop")).unwrap();
    folder.file("unreadable", "secret");
    let nobody = std::os::unix::fs::PermissionsExt::from_mode(0o0);
    fs::set_permissions(folder.at("unreadable"), nobody).unwrap();
}

fn content(name: &[u8]) -> Vec<u8> {
    match name {
        b"empty" => Vec::new(),
        b"long" => bytes(300_000),
        _ => name.to_vec(),
    }
}

/// A deterministic source of choices (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A command line, with what it is run on.
pub(crate) struct Case {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) environment: Vec<(&'static str, &'static str)>,
    pub(crate) is_posix: bool,
    /// Whether both streams go to one file, so that their order counts.
    pub(crate) is_shared: bool,
    /// Files that are written before.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

const SUM_FLAGS: &[&str] = &[
    "-b",
    "-t",
    "--binary",
    "--text",
    "--tag",
    "-z",
    "--zero",
    "-c",
    "--check",
    "--quiet",
    "--status",
    "--strict",
    "-w",
    "--warn",
    "--ignore-missing",
    "-bt",
    "-tb",
    "-cw",
    "-wc",
    "-cz",
    "--ta",
    "--te",
    "--t",
    "--s",
    "--st",
    "--sta",
    "--str",
    "--ignore",
    "--i",
    "--foo",
    "--foo=bar",
    "--quiet=1",
    "-x",
    "-bx",
    "-xb",
    "--",
    "-",
    "--=",
    "-a",
    "-l",
    "--check=",
    "--zero=z",
    "-czw",
    "--b",
    "--w",
];

const CKSUM_FLAGS: &[&str] = &[
    "-z",
    "--zero",
    "-c",
    "--check",
    "--quiet",
    "--status",
    "--strict",
    "-w",
    "--warn",
    "--tag",
    "--ignore-missing",
    "--untagged",
    "-a",
    "--algorithm",
    "--algorithm=sha1",
    "-asha256",
    "-amd5",
    "-asha512",
    "-a sha1",
    "-abogus",
    "--algorithm=sha",
    "-acrc",
    "-absd",
    "-asysv",
    "-asm3",
    "-ablake2b",
    "-l",
    "-l8",
    "-l256",
    "-l0",
    "-l12",
    "-l520",
    "-l+16",
    "-l 16",
    "-lx",
    "-l18446744073709551615",
    "-l18446744073709551616",
    "--length",
    "--length=64",
    "--length=",
    "--a=md5",
    "--al=sha224",
    "-cw",
    "-b",
    "-t",
    "--",
    "-",
    "--u",
    "--t",
    "-x",
    "--foo",
    "-casha256",
    "-asha384",
    "--st",
    "--sta",
];

impl Case {
    pub(crate) fn new(tool: &'static str, arguments: Vec<OsString>) -> Self {
        Self {
            tool,
            arguments,
            stdin: Vec::new(),
            environment: vec![("LC_ALL", "C")],
            is_posix: false,
            is_shared: false,
            files: Vec::new(),
        }
    }

    /// Any flags and names, in any order.
    pub(crate) fn command_line(random: &mut Random) -> Self {
        let tool = random.of(&NAMES);
        let flags = if tool == "cksum" { CKSUM_FLAGS } else { SUM_FLAGS };
        let mut arguments = Vec::new();
        // More often few than many: a wrong one hides the rest.
        for _ in 0..random.below(3) {
            arguments.push(random.of(flags).into());
        }
        for _ in 0..random.below(5) {
            let name = name(random);
            let place = random.below(arguments.len() + 1);
            arguments.insert(place, OsString::from_vec(name));
        }
        if random.once_in(4) {
            arguments.push(random.of(flags).into());
        }
        let mut case = Self::new(tool, arguments);
        case.environment = vec![("LC_ALL", random.of(&["C", "C.UTF-8"]))];
        case.is_posix = random.once_in(5);
        case.is_shared = random.once_in(3);
        case.stdin = if random.once_in(2) { manifest(random) } else { content(b"long") };
        case
    }

    /// A check of manifests of any lines.
    pub(crate) fn manifest(random: &mut Random) -> Self {
        let tool = random.of(&NAMES);
        let mut arguments: Vec<OsString> = vec![random.of(&["-c", "--check"]).into()];
        for _ in 0..random.below(3) {
            let flags = ["--quiet", "--status", "--strict", "-w", "--warn", "--ignore-missing"];
            arguments.push(random.of(&flags).into());
        }
        if tool == "cksum" && random.once_in(2) {
            arguments
                .push(random.of(&["-asha256", "-amd5", "-asha512", "-ablake2b", "-asm3"]).into());
        }
        let mut case = Self::new(tool, Vec::new());
        // One for each thread of each process, so that none meets another's.
        let mine = format!("m{}-{:?}", process::id(), thread::current().id());
        for i in 0..random.below(3) {
            let name = format!("{mine}.{i}").replace(['(', ')'], "");
            arguments.push(name.clone().into());
            case.files.push((name, manifest(random)));
        }
        if random.once_in(12) {
            arguments.push(random.of(&["-", "d", "missing", "two words", "/proc/self/mem"]).into());
        }
        case.arguments = arguments;
        case.stdin = manifest(random);
        case.is_shared = random.once_in(3);
        case.environment = vec![("LC_ALL", random.of(&["C", "C.UTF-8"]))];
        case
    }
}

fn name(random: &mut Random) -> Vec<u8> {
    match random.below(12) {
        0..7 => random.of(&FILES).to_vec(),
        7..11 => random.of(&BROKEN).to_vec(),
        _ => b"-".to_vec(),
    }
}

/// A few lines, of which most would be read.
fn manifest(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    if random.once_in(12) {
        text.extend(b"\xef\xbb\xbf");
    }
    // A manifest is of one algorithm, if it is not mixed.
    let usual = random.of(&ALGORITHMS);
    let ends: &[u8] = random.of(&[&b"\n"[..], b"\n", b"\n", b"\r\n"]);
    let count = random.below(8);
    for i in 0..count {
        let algorithm = if random.once_in(4) { random.of(&ALGORITHMS) } else { usual };
        line(random, algorithm, &mut text);
        if i + 1 < count || !random.once_in(4) {
            text.extend(ends);
        }
    }
    text
}

const ALGORITHMS: [&str; 6] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

fn line(random: &mut Random, algorithm: &str, text: &mut Vec<u8>) {
    let name = name(random);
    let mut digest = hex(algorithm, &content(&name));
    if random.once_in(6) {
        digest = hex(algorithm, b"something else");
    }
    if random.once_in(6) {
        digest = digest.to_uppercase();
    }
    let start = text.len();
    if random.once_in(10) {
        text.extend(random.of(&[&b" "[..], b"  ", b"\t", b"\\", b" \\", b"\0", b"#"]));
    }
    let mut name = name;
    let needs = name.iter().any(|byte| b"\\\n\r".contains(byte));
    if needs && !random.once_in(5) {
        text.push(b'\\');
        name = escaped(&name);
    }
    match random.below(10) {
        0..4 => {
            let between: &[u8] = random.of(&[
                &b"  "[..],
                b"  ",
                b"  ",
                b" *",
                b" ",
                b"\t",
                b"   ",
                b"\t ",
                b"",
                b"\0 ",
            ]);
            text.extend([digest.as_bytes(), between, &name].concat());
        }
        4..8 => {
            let tag = algorithm.to_uppercase();
            let after = random.of(&[" (", " (", " (", "(", "  (", " [", "-256 (", "\t("]);
            let equals = random.of(&[") = ", ") = ", ") = ", ")= ", ")=", ")\t=\t", ") : ", "]= "]);
            text.extend(
                [tag.as_bytes(), after.as_bytes(), &name, equals.as_bytes(), digest.as_bytes()]
                    .concat(),
            );
        }
        8 => {
            let others: [&[u8]; 14] = [
                b"",
                b" ",
                b"# comment",
                b" # comment",
                b"beans",
                b"MD5",
                b"SHA256 ()",
                b"(",
                b")",
                b"CRC (a) = 12",
                b"BLAKE2b-8 (a) = 4a",
                b"BLAKE2b-0x8 (a) = 4a",
                b"BLAKE2b (a) = 00",
                b"SM3 (empty) = 1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b",
            ];
            text.extend(random.of(&others));
        }
        _ => text.extend([digest.as_bytes(), b"  ", &name[..]].concat()),
    }
    // Something goes wrong with a byte.
    if random.once_in(8) && text.len() > start {
        let place = start + random.below(text.len() - start);
        let byte = random.of(b"\0 \t\r\\()=*xF0-");
        match random.below(3) {
            0 => text[place] = byte,
            1 => text.insert(place, byte),
            _ => drop(text.remove(place)),
        }
    }
    if random.once_in(15) {
        text.extend(random.of(&[&b" "[..], b"\r", b"\0", b"\\", b"\0x"]));
    }
}

fn escaped(name: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::new();
    for &byte in name {
        match byte {
            b'\\' => escaped.extend(br"\\"),
            b'\n' => escaped.extend(br"\n"),
            b'\r' => escaped.extend(br"\r"),
            _ => escaped.push(byte),
        }
    }
    escaped
}
