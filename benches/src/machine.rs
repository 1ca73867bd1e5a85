//! The description of the machine and its state in a record.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lanesum_measure::{Core, Fingerprints, Table};

use crate::{cores, probe};

/// The directory of all records.
const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/record");

/// The lines `key: value` in the head of a record.
pub(crate) type Head = Vec<(&'static str, String)>;

fn cpu_info(key: &str) -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = info.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    });
    value.unwrap_or_else(|| "unknown".into())
}

/// The logical CPUs of the machine.
fn all_cpus() -> usize {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines().filter(|line| line.starts_with("processor")).count().max(1)
}

/// The logical CPUs that this process may use.
pub(crate) fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The name of the machine among the records: CPU and number of logical CPUs. Hypervisors give different
/// CPUs one model name, so the later one has its family and model in its name, too.
fn name_among(records: &Path, processor: &str, name: String) -> String {
    let cpu = |processor: &str| processor.split(", ").take(2).collect::<Vec<_>>().join(", ");
    let entries = fs::read_dir(records.join(&name)).into_iter().flatten();
    let mut others = entries.filter_map(|entry| Table::read(&entry.ok()?.path()).ok());
    if others.any(|table| !table.processor.is_empty() && cpu(&table.processor) != cpu(processor)) {
        let numbers = cpu(processor)
            .split(' ')
            .filter(|word| word.parse::<u32>().is_ok())
            .fold(String::new(), |numbers, number| format!("{numbers}-{number}"));
        return name + &numbers;
    }
    name
}

/// The name of this machine.
pub(crate) fn name() -> String {
    let model = match cpu_info("model name").as_str() {
        "unknown" => std::env::consts::ARCH.to_owned(),
        model => model.to_lowercase().replace("(r)", "").replace("(tm)", ""),
    };
    let words: Vec<_> = model
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !["processor", "cpu", "core"].contains(word))
        .collect();
    name_among(Path::new(RECORDS), &processor(), format!("{}-x{}", words.join("-"), all_cpus()))
}

fn line_of(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The measured commit, with `+` if files differ from it.
fn commit() -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let Some(commit) = output_of("git", &["-C", root, "rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".into();
    };
    let status = output_of("git", &["-C", root, "status", "--porcelain", "-uno"]);
    if status.is_some_and(|status| status.is_empty()) { commit } else { commit + "+" }
}

/// The machine as the system describes it.
fn processor() -> String {
    let memory = line_of("/proc/meminfo");
    let memory = memory.lines().next().and_then(|line| line.split_whitespace().nth(1));
    let gib =
        memory.and_then(|kib| kib.parse::<f64>().ok()).map_or(0.0, |kib| kib / (1 << 20) as f64);
    let virtual_machine = cpu_info("flags").split(' ').any(|flag| flag == "hypervisor");
    format!(
        "{}, family {} model {}, {} logical CPUs, {gib:.0} GiB{}",
        cpu_info("model name"),
        cpu_info("cpu family"),
        cpu_info("model"),
        all_cpus(),
        if virtual_machine { ", virtual" } else { "" }
    )
}

/// This machine's core, if it is known.
pub(crate) fn core() -> Core {
    cores::known().of(&processor(), &name()).cloned().unwrap_or_default()
}

/// The sources whose fingerprints are in records.
pub(crate) const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates");

/// The machine and its state before a run, and the measured code.
pub(crate) fn head() -> Head {
    let sources = Fingerprints::of(Path::new(CRATES));
    let mut head = vec![
        ("date", jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        ("machine", processor()),
        ("kernel", line_of("/proc/sys/kernel/osrelease")),
        ("compiler", env!("COMPILER").to_owned()),
        ("commit", commit()),
        ("sources", sources.map_or_else(|_| "unknown".into(), |sources| sources.to_string())),
    ];
    head.extend(state(["load before", "noise before"]));
    head
}

/// The current load and noise, with the given keys.
pub(crate) fn state([load, noise]: [&'static str; 2]) -> Head {
    let probe = probe::noise(&core()).map_or_else(
        || "no two probes of the core agree".into(),
        |probe| {
            format!(
                "fixed work, median {:.3}, ninth decile {:.2} times the minimum; {:.2} GHz (median {:.2}); \
                 {:.1} moves per cycle (median {:.1}); {} of {} probes discarded",
                probe.work.median / probe.work.least,
                probe.work.tenth / probe.work.least,
                probe.ghz.most,
                probe.ghz.median,
                probe.dispatch.most,
                probe.dispatch.median,
                probe.discarded.count(),
                probe.discarded.samples,
            )
        },
    );
    vec![(load, line_of("/proc/loadavg")), (noise, probe)]
}

/// This program's peak memory. Linux counts it as that of each program that it starts, so
/// lower values cannot be measured.
pub(crate) fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".into(), |value| value.trim().to_owned())
}

/// Today's date, for the name of a record.
pub(crate) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// The directory of this machine's records.
pub(crate) fn records() -> PathBuf {
    Path::new(RECORDS).join(name())
}

/// Pins this process to its current CPU.
pub(crate) fn stay() {
    let mut set = rustix::thread::CpuSet::new();
    set.set(rustix::thread::sched_getcpu());
    if let Err(error) = rustix::thread::sched_setaffinity(None, &set) {
        eprintln!("cannot pin the process to a CPU: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_cpu_with_the_same_model_name_is_another_machine() {
        let records = std::env::temp_dir().join(format!("lanesum-names-{}", std::process::id()));
        let of = |processor: &str| name_among(&records, processor, "amd-epyc-x2".into());
        let zen5 = "AMD EPYC, family 26 model 2, 2 logical CPUs, 24 GiB, virtual";
        assert_eq!(of(zen5), "amd-epyc-x2");
        fs::create_dir_all(records.join("amd-epyc-x2")).unwrap();
        let text = format!("# machine: {zen5}\ncore,ns\n");
        fs::write(records.join("amd-epyc-x2/2026-11-22-jobs.csv"), text).unwrap();
        assert_eq!(of(zen5), "amd-epyc-x2");
        let zen4 = "AMD EPYC, family 25 model 17, 2 logical CPUs, 24 GiB, virtual";
        assert_eq!(of(zen4), "amd-epyc-x2-25-17");
        fs::remove_dir_all(records).unwrap();
    }
}
