//! Starts programs, without what `cargo run` adds to the environment.

use std::env;
use std::path::Path;
use std::process::Command;

/// Returns a command without the variables that `cargo run` sets for this program: build scripts and
/// programs under test would otherwise see them.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text == "CARGO" || text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_")
        {
            command.env_remove(name);
        }
    }
    let Some(paths) = env::var_os("LD_LIBRARY_PATH") else { return command };
    let target = env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let is_foreign = |path: &Path| {
        !path.as_os_str().is_empty()
            && target.as_deref().is_none_or(|target| !path.starts_with(target))
            && !path.ancestors().any(|part| part.ends_with("toolchains"))
    };
    let kept: Vec<_> = env::split_paths(&paths).filter(|path| is_foreign(path)).collect();
    match env::join_paths(&kept) {
        Ok(paths) if !kept.is_empty() => command.env("LD_LIBRARY_PATH", paths),
        _ => command.env_remove("LD_LIBRARY_PATH"),
    };
    command
}

/// Runs a script in the root of the repository.
pub fn shell(script: &str) -> Result<(), String> {
    done("bash", &["-euo", "pipefail", "-c", script])
}

/// Runs this program for a task, with additional variables of the environment.
pub fn again<'a>(
    task: &str,
    settings: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<(), String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    ended("this program", Command::new(this).arg(task).envs(settings))
}

/// Runs a program in the root of the repository.
pub fn done(program: &str, arguments: &[&str]) -> Result<(), String> {
    ended(program, command(program).args(arguments))
}

fn ended(program: &str, command: &mut Command) -> Result<(), String> {
    let status = command.status();
    let status = status.map_err(|error| format!("cannot run {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed: {status}")) }
}
