//! The measured programs, how each is found, and its command for each job.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Where to look for the programs.
#[derive(clap::Args, Clone)]
pub(crate) struct Arguments {
    /// Directory of more peers, each in a subdirectory:
    /// PEERS/coreutils-libcrypto/sha256sum
    #[arg(long, env = "PEERS")]
    peers: Option<PathBuf>,
    /// The `lanesum` that is measured
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/lanesum"))]
    lanesum: PathBuf,
    /// Number of threads of every peer that has such an option
    #[arg(short = 'j', long, default_value_t = crate::machine::cpus())]
    threads: usize,
}

/// The action of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Hash every file in a directory tree.
    Tree,
    /// Hash one file.
    File,
    /// Check the files of a manifest.
    Check,
}

/// A job for a program. Paths are relative to the data directory.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) action: Action,
    /// `sha1` or `sha256`.
    pub(crate) algorithm: &'a str,
    /// The directory, file or manifest.
    pub(crate) path: &'a str,
    /// The directory or file whose bytes are hashed.
    pub(crate) data: &'a str,
}

/// A program, or its substitute in the record if it is absent.
pub(crate) struct Peer {
    /// Its name in the record.
    pub(crate) name: String,
    /// The version that it prints; empty if it is absent.
    pub(crate) version: String,
    kind: &'static Kind,
    /// `None` if it is absent.
    program: Option<PathBuf>,
    threads: usize,
}

/// A line of the table of peers.
struct Kind {
    name: &'static str,
    /// The name of the program's file; for a family of programs, of the one to look for.
    file: &'static str,
    /// The arguments that make it print its version.
    version: &'static [&'static str],
    /// Whether `PEERS` may hold other builds of it.
    other_builds: bool,
    /// Its command for a job; `None` if it cannot do the job.
    command: fn(&Path, &Task<'_>, usize) -> Option<Command>,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "lanesum",
        file: "lanesum",
        version: &["--version"],
        other_builds: false,
        command: |program, task, _| {
            let arguments: &[&str] = match task.action {
                Action::Tree => &["sum", "-r", "-a", task.algorithm],
                Action::File => &["sum", "-a", task.algorithm],
                Action::Check => &["check", "--quiet"],
            };
            Some(direct(program, arguments, task))
        },
    },
    Kind {
        name: "ceiling",
        file: "lanesum-bench",
        version: &["--version"],
        other_builds: false,
        command: |program, task, threads| Some(ceiling(program, task, threads)),
    },
    Kind {
        name: "ceiling 16 threads",
        file: "lanesum-bench",
        version: &["--version"],
        other_builds: false,
        command: |program, task, _| {
            (task.action != Action::File).then(|| ceiling(program, task, 16))
        },
    },
    Kind {
        name: "true",
        file: "true",
        version: &["--version"],
        other_builds: false,
        command: |program, task, _| {
            (task.action == Action::File).then(|| Command::new(program)) // the floor of a start
        },
    },
    Kind {
        name: "coreutils",
        file: "sha256sum",
        version: &["--version"],
        other_builds: true,
        command: |program, task, _| {
            let program = sibling(program, task)?;
            Some(match task.action {
                Action::Tree => xargs(&program, &[], task, 1, 100_000),
                Action::File => direct(&program, &[], task),
                Action::Check => direct(&program, &["--quiet", "-c"], task),
            })
        },
    },
    Kind {
        name: "coreutils xargs -P",
        file: "sha256sum",
        version: &["--version"],
        other_builds: true,
        command: |program, task, threads| {
            let program = sibling(program, task)?;
            match task.action {
                Action::Tree => Some(xargs(&program, &[], task, threads, 64)),
                Action::File => None,
                // The manifest is split into one part per thread.
                Action::Check => Some(shell(
                    "split -n \"l/$2\" --filter='cat >\"$FILE\"' \"$1\" \"$1.part-\" && \
                     printf '%s\\0' \"$1\".part-* | xargs -0 -n1 -P\"$2\" \"$0\" --quiet -c",
                    [program.into(), task.path.into(), threads.to_string().into()],
                )),
            }
        },
    },
    Kind {
        name: "openssl xargs -P",
        file: "openssl",
        version: &["version"],
        other_builds: true,
        command: |program, task, threads| {
            let option = format!("-{}", task.algorithm);
            no_check(task)?;
            Some(match task.action {
                Action::File => direct(program, &["dgst", &option], task),
                _ => xargs(program, &["dgst", &option], task, threads, 64),
            })
        },
    },
    Kind {
        name: "rhash",
        file: "rhash",
        version: &["--version"],
        other_builds: true,
        command: |program, task, _| {
            let option = format!("--{}", task.algorithm);
            let arguments: &[&str] = match task.action {
                Action::Tree => &[&option, "-r"],
                Action::File => &[&option],
                Action::Check => &[&option, "--skip-ok", "-c"],
            };
            Some(direct(program, arguments, task))
        },
    },
    Kind {
        name: "hashdeep",
        file: "hashdeep",
        version: &["-V"],
        other_builds: true,
        command: |program, task, threads| {
            let threads = format!("-j{threads}");
            no_check(task)?;
            Some(direct(program, &["-r", "-c", task.algorithm, &threads], task))
        },
    },
    Kind {
        name: "busybox xargs -P",
        file: "busybox",
        version: &["--help"],
        other_builds: true,
        command: |program, task, threads| {
            let applet = format!("{}sum", task.algorithm);
            Some(match task.action {
                Action::Tree => xargs(program, &[&applet], task, threads, 64),
                Action::File => direct(program, &[&applet], task),
                Action::Check => direct(program, &[&applet, "-s", "-c"], task),
            })
        },
    },
    Kind {
        name: "go",
        file: "gosum",
        version: &[],
        other_builds: false,
        command: |program, task, threads| {
            let threads = threads.to_string();
            let mut arguments = vec!["-a", task.algorithm, "-j", &threads];
            if task.action == Action::Check {
                arguments.push("-c");
            }
            Some(direct(program, &arguments, task))
        },
    },
    Kind {
        // Another hash, for comparison with a tree hash that is designed for parallelism.
        name: "b3sum",
        file: "b3sum",
        version: &["--version"],
        other_builds: true,
        command: |program, task, _| match (task.algorithm, task.action) {
            ("sha256", Action::Tree) => Some(xargs(program, &[], task, 1, 2000)),
            ("sha256", Action::File) => Some(direct(program, &[], task)),
            _ => None,
        },
    },
];

/// A build that no distribution has, searched for in `PEERS`; its absence is recorded.
const EXPECTED: &[(&str, &str)] = &[("coreutils-libcrypto", "sha256sum")];

/// Reads the job's files; a check reads only the files.
fn ceiling(program: &Path, task: &Task<'_>, threads: usize) -> Command {
    let mut command = Command::new(program);
    command.args(["ceiling", "-j", &threads.to_string(), task.data]);
    command
}

fn no_check(task: &Task<'_>) -> Option<()> {
    (task.action != Action::Check).then_some(())
}

fn direct(program: &Path, arguments: &[&str], task: &Task<'_>) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg(task.path);
    command
}

/// `script`, in which `$0`, `$1` ... are `arguments`.
fn shell(script: &str, arguments: impl IntoIterator<Item = OsString>) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).args(arguments);
    command
}

fn xargs(
    program: &Path,
    arguments: &[&str],
    task: &Task<'_>,
    processes: usize,
    files: usize,
) -> Command {
    let script = format!("find \"$0\" -type f -print0 | xargs -0 -P{processes} -n{files} \"$@\"");
    let head = [task.path.into(), program.into()];
    shell(&script, head.into_iter().chain(arguments.iter().map(OsString::from)))
}

/// `sha1sum` in the directory of `sha256sum`.
fn sibling(program: &Path, task: &Task<'_>) -> Option<PathBuf> {
    let program = program.with_file_name(format!("{}sum", task.algorithm));
    program.is_file().then_some(program)
}

impl Peer {
    /// The command for a job, to be run in the data directory; `None` if the peer is absent or
    /// cannot do the job.
    pub(crate) fn command(&self, task: &Task<'_>) -> Option<Command> {
        (self.kind.command)(self.program.as_ref()?, task, self.threads)
    }

    /// Whether the program was not found.
    pub(crate) fn is_absent(&self) -> bool {
        self.program.is_none()
    }

    /// Whether it hashes with the algorithm of the job, unlike a ceiling or another hash.
    pub(crate) fn is_rival(&self) -> bool {
        !["lanesum", "ceiling", "ceiling 16 threads", "true", "b3sum"].contains(&self.kind.name)
    }

    fn new(
        kind: &'static Kind,
        build: Option<&str>,
        program: Option<PathBuf>,
        threads: usize,
    ) -> Self {
        let family = kind.name.split(' ').next().unwrap_or_default();
        let mut name = kind.name.replacen(family, build.unwrap_or(family), 1);
        if name.ends_with("-P") {
            name += &threads.to_string();
        }
        let version = program.as_ref().map_or_else(String::new, |program| version(kind, program));
        Self { name, version, kind, program, threads }
    }
}

/// The first line of output that contains a program's version.
fn version(kind: &Kind, program: &Path) -> String {
    let mut command = Command::new(program);
    if kind.file == "gosum" {
        command = Command::new(go().unwrap_or_default());
        command.arg("version").arg(program);
    }
    let Ok(output) = command.args(kind.version).output() else { return "unknown".into() };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()));
    let line = line.unwrap_or("unknown");
    // Without the path that `go version FILE` prints first.
    let line = line.strip_prefix(&format!("{}: ", program.display())).unwrap_or(line);
    line.trim().to_owned()
}

fn on_path(file: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(file)).find(|program| program.is_file())
}

fn go() -> Option<PathBuf> {
    let usual = PathBuf::from("/usr/local/go/bin/go");
    on_path("go").or_else(|| usual.is_file().then_some(usual))
}

/// Builds the Go peer if Go 1.24 or later is installed: older releases have no SHA-NI code.
fn build_go() -> Result<Option<PathBuf>> {
    let Some(go) = go() else { return Ok(None) };
    let version = Command::new(&go).args(["env", "GOVERSION"]).output()?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let minor = version.strip_prefix("go1.").and_then(|rest| rest.split('.').next()?.parse().ok());
    if minor.is_none_or(|minor: u32| minor < 24) {
        eprintln!("go is skipped: {} is {version}, but 1.24 is required", go.display());
        return Ok(None);
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = package.join("target/gosum");
    let status = Command::new(&go)
        .args(["build", "-o"])
        .arg(&program)
        .arg(package.join("peers/gosum.go"))
        .status()?;
    if !status.success() {
        bail!("go cannot build peers/gosum.go: {status}");
    }
    Ok(Some(program))
}

/// All peers, including absent ones.
pub(crate) fn find(arguments: &Arguments) -> Result<Vec<Peer>> {
    let threads = arguments.threads;
    let mut peers = Vec::new();
    for kind in KINDS {
        let program = match kind.file {
            "lanesum" => arguments.lanesum.canonicalize().ok(),
            "lanesum-bench" => Some(env::current_exe()?),
            "gosum" => build_go()?,
            file => on_path(file),
        };
        peers.push(Peer::new(kind, None, program, threads));
    }

    let mut builds = Vec::new();
    if let Some(folder) = &arguments.peers {
        let entries = fs::read_dir(folder)
            .with_context(|| format!("cannot read PEERS directory {}", folder.display()))?;
        for entry in entries {
            builds.push(entry?.path().canonicalize()?);
        }
        builds.sort();
    }
    for kind in KINDS.iter().filter(|kind| kind.other_builds) {
        for build in &builds {
            let program = build.join(kind.file);
            if program.is_file() {
                let name = build.file_name().unwrap_or_default().to_string_lossy();
                peers.push(Peer::new(kind, Some(&name), Some(program), threads));
            }
        }
        for (name, file) in EXPECTED {
            if kind.file == *file && !builds.iter().any(|build| build.ends_with(name)) {
                peers.push(Peer::new(kind, Some(name), None, threads));
            }
        }
    }
    Ok(peers)
}

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    for peer in find(arguments)? {
        let place = peer.program.as_ref().map_or("absent".into(), |p| p.display().to_string());
        println!("{:32} {:40} {place}", peer.name, peer.version);
    }
    Ok(())
}
