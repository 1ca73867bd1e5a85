//! Generates command lines and manifests from seeds.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::process;
use std::thread;

use data_encoding::{BASE64, HEXLOWER};

use crate::common::{Folder, bytes, hex};
use crate::coreutils::run::NAMES;

/// Files that command lines and manifests name.
const FILES: [&[u8]; 9] =
    [b"a", b"empty", b"long", b"two words", b"n\nl", b"b\\s", b"c\rr", b"*star", b"it's"];

/// Names that cannot be hashed, each for a different reason.
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

/// Creates the files to hash.
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

    /// True once in `times` calls, on average.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A command line and its input files.
pub(crate) struct Case {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) environment: Vec<(&'static str, &'static str)>,
    pub(crate) is_posix: bool,
    /// Whether both streams are written to one file, so that their order matters.
    pub(crate) is_shared: bool,
    /// Whether it uses features that tools gained after release 9.1.
    pub(crate) is_new: bool,
    /// Files to create first.
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

const B2SUM_FLAGS: &[&str] =
    &["-l8", "-l256", "-l0", "-l520", "-lx", "-l", "--length=64", "--le", "-bl16", "-l512"];

const B2SUM_NEW_FLAGS: &[&str] = &["-l12", "-l18446744073709551616", "-l12 ", "-l 7"];

const BSD_FLAGS: &[&str] =
    &["-r", "-s", "--sysv", "-rs", "-sr", "--s", "--sysv=1", "-x", "-c", "--", "-", "-z", "--tag"];

const CKSUM_NEW_FLAGS: &[&str] = &[
    "--base64",
    "--base",
    "--raw",
    "--r",
    "--b",
    "--binary",
    "--text",
    "-b",
    "-t",
    "-asha2",
    "-asha3",
    "-acrc32b",
    "-l224",
    "-l256",
    "-l384",
    "-l512",
    "-l12",
    "-l18446744073709551616",
    "-asha2 ",
    "-cb",
    "-l007",
    "-abogus",
    "-l520",
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
    "-l520",
    "-l+16",
    "-l 16",
    "-lx",
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
            is_new: false,
            files: Vec::new(),
        }
    }

    /// Generates a command line of any flags and names, in any order.
    pub(crate) fn command_line(random: &mut Random) -> Self {
        let tool = random.of(&NAMES);
        let (flags, new) = match tool {
            "cksum" => (CKSUM_FLAGS, CKSUM_NEW_FLAGS),
            "b2sum" if random.once_in(2) => (B2SUM_FLAGS, B2SUM_NEW_FLAGS),
            "sum" => (BSD_FLAGS, &[][..]),
            _ => (SUM_FLAGS, &[][..]),
        };
        let is_new = !new.is_empty() && random.once_in(3);
        let mut arguments: Vec<OsString> = Vec::new();
        // Few flags are more likely than many, since an invalid one hides the others.
        for _ in 0..random.below(3) {
            arguments.push(random.of(flags).into());
        }
        for _ in 0..if is_new { 1 + random.below(3) } else { 0 } {
            arguments.push(random.of(new).into());
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
        case.is_new = is_new;
        case.stdin = if random.once_in(2) { manifest(random, is_new) } else { content(b"long") };
        case
    }

    /// Generates a check of manifests with any lines.
    pub(crate) fn manifest(random: &mut Random) -> Self {
        let tool = random.of(&NAMES.map(|tool| if tool == "sum" { "cksum" } else { tool }));
        let is_new = random.once_in(3);
        let mut arguments: Vec<OsString> = vec![random.of(&["-c", "--check"]).into()];
        for _ in 0..random.below(3) {
            let flags = ["--quiet", "--status", "--strict", "-w", "--warn", "--ignore-missing"];
            arguments.push(random.of(&flags).into());
        }
        if tool == "cksum" && random.once_in(2) {
            let flags: &[&str] = match is_new {
                true => &["-asha2", "-asha3", "-ablake2b", "-asha1", "-asha256", "--untagged"],
                false => &["-asha256", "-amd5", "-asha512", "-ablake2b", "-asm3"],
            };
            arguments.push(random.of(flags).into());
            if is_new && random.once_in(3) {
                arguments.push(random.of(&["-l256", "-l384", "-l128", "--base64", "--raw"]).into());
            }
        }
        let mut case = Self::new(tool, Vec::new());
        // A separate name for each thread of each process, to avoid conflicts.
        let mine = format!("m{}-{:?}", process::id(), thread::current().id());
        for i in 0..random.below(3) {
            let name = format!("{mine}.{i}").replace(['(', ')'], "");
            arguments.push(name.clone().into());
            case.files.push((name, manifest(random, is_new)));
        }
        if random.once_in(12) {
            arguments.push(random.of(&["-", "d", "missing", "two words", "/proc/self/mem"]).into());
        }
        case.arguments = arguments;
        case.is_new = is_new;
        case.stdin = manifest(random, is_new);
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

/// Generates a manifest of a few lines, mostly valid ones.
fn manifest(random: &mut Random, is_new: bool) -> Vec<u8> {
    let mut text = Vec::new();
    if random.once_in(12) {
        text.extend(b"\xef\xbb\xbf");
    }
    // Unless it is mixed, a manifest has a single algorithm.
    let algorithms = if is_new { NEW_ALGORITHMS } else { ALGORITHMS };
    let usual = random.of(algorithms);
    let ends: &[u8] = random.of(&[&b"\n"[..], b"\n", b"\n", b"\r\n"]);
    let count = random.below(8);
    for i in 0..count {
        let algorithm = if random.once_in(4) { random.of(algorithms) } else { usual };
        line(random, algorithm, is_new, &mut text);
        if i + 1 < count || !random.once_in(4) {
            text.extend(ends);
        }
    }
    text
}

const ALGORITHMS: &[&str] =
    &["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sm3", "blake2b-512", "blake2b-128"];

const NEW_ALGORITHMS: &[&str] = &[
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sm3",
    "blake2b-512",
    "blake2b-128",
    "blake2b-16",
    "blake2b-24",
    "blake2b-32",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
];

/// Returns a digest by the lower-case name of its algorithm.
fn digest(algorithm: &str, message: &[u8]) -> Vec<u8> {
    use sha3::Digest;
    let bits = |prefix| algorithm.strip_prefix(prefix).and_then(|bits: &str| bits.parse().ok());
    if let Some(bits) = bits("blake2b-") {
        let mut params = blake2b_simd::Params::new();
        let bits: usize = bits;
        return params.hash_length(bits / 8).hash(message).as_bytes().to_vec();
    }
    match bits("sha3-") {
        Some(224) => sha3::Sha3_224::digest(message).to_vec(),
        Some(256) => sha3::Sha3_256::digest(message).to_vec(),
        Some(384) => sha3::Sha3_384::digest(message).to_vec(),
        Some(_) => sha3::Sha3_512::digest(message).to_vec(),
        None => HEXLOWER.decode(hex(algorithm, message).as_bytes()).unwrap(),
    }
}

fn line(random: &mut Random, algorithm: &str, is_new: bool, text: &mut Vec<u8>) {
    let name = name(random);
    let bytes = digest(algorithm, &content(&name));
    let mut digest = HEXLOWER.encode(&bytes);
    if is_new && random.once_in(2) {
        digest = BASE64.encode(&bytes);
    }
    if random.once_in(6) {
        let other = self::digest(algorithm, b"something else");
        digest = if is_new { BASE64.encode(&other) } else { HEXLOWER.encode(&other) };
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
            let mut tag = algorithm.to_uppercase().replace("BLAKE2B", "BLAKE2b");
            tag = tag.replace("BLAKE2b-512", "BLAKE2b");
            if is_new && random.once_in(4) {
                // OpenSSL's tags, and invalid digest lengths.
                tag = tag.replace("SHA2", "SHA2-2").replace("SHA384", "SHA2-384");
                let tags = [tag.as_str(), "SHA2", "SHA3", "SHA256-128", "SHA1-80", "SHA3-0400"];
                tag = random.of(&tags).to_owned();
            }
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
    // Corrupt a byte.
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
