//! The sentence with which a page cites the record of its figures.

use crate::cores::Cores;
use crate::record::Table;

/// The machine, the day, the commit and the load of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The machine: the directory's name.
    pub machine: String,
    /// The machine's description in the head.
    pub processor: String,
    /// The day.
    pub date: String,
    commit: String,
    load: [String; 2],
    stale: Option<String>,
}

impl Source {
    /// Extracts the source of a table.
    pub fn of(table: &Table) -> Self {
        // The kernel's line starts with the load of the last minute.
        let load = |key| table.says(key).and_then(|text| text.split(' ').next());
        let known = |text: Option<&str>| text.unwrap_or("unknown").to_owned();
        Self {
            machine: table.machine.clone(),
            processor: table.processor.clone(),
            date: table.date.clone(),
            commit: known(table.says("commit")),
            load: ["load before", "load after"].map(|key| known(load(key))),
            stale: table.stale().map(str::to_owned),
        }
    }

    /// Whether more threads were runnable than there are CPUs, according to the head.
    pub fn is_crowded(&self) -> bool {
        let cpus = self.processor.split(", ").find_map(|part| part.strip_suffix(" logical CPUs"));
        let Some(cpus) = cpus.and_then(|cpus| cpus.parse::<f64>().ok()) else { return false };
        self.load.iter().any(|load| load.parse::<f64>().is_ok_and(|load| load > cpus))
    }

    /// Formats the CPU by its known title, the machine, the day, the commit and the load, and
    /// whether code has changed since.
    pub fn shown(&self, cores: &Cores) -> String {
        let Self { machine, processor, date, commit, load: [before, after], stale } = self;
        let cpu = cores.of(processor, machine).map_or(processor, |core| &core.title);
        let stale = stale.as_ref().map_or(String::new(), |stale| format!("; {stale}"));
        format!(
            "{cpu}; `{machine}`, {date}, commit {commit}, load {before} before and {after} after{stale}"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cores::Core;

    #[test]
    fn a_page_says_which_cpu_which_commit_and_what_load() {
        let text =
            "# machine: Xeon, model 167\n# commit: abc+\n# load before: 1.46 3 4 1/90 7\nx\n";
        let source = Source::of(&Table::parse(Path::new("m/2026-11-22.2-evp.csv"), text));
        let core = Core {
            title: "Golden Cove".into(),
            recognised_by: vec!["model 167".into()],
            ..Core::default()
        };
        assert_eq!(
            source.shown(&Cores::new([core])),
            "Golden Cove; `m`, 2026-11-22, commit abc+, load 1.46 before and unknown after"
        );
        assert!(source.shown(&Cores::default()).starts_with("Xeon, model 167; "));
    }

    #[test]
    fn more_load_than_cpus_is_a_crowd() {
        let crowded = |head: &str| {
            Source::of(&Table::parse(Path::new("m/2026-11-22-evp.csv"), &format!("{head}x\n")))
                .is_crowded()
        };
        assert!(crowded("# machine: Xeon, 2 logical CPUs, virtual\n# load after: 2.01 3 4\n"));
        assert!(!crowded("# machine: Xeon, 2 logical CPUs, virtual\n# load after: 1.98 3 4\n"));
        assert!(!crowded("# machine: Xeon\n# load before: 9 3 4\n"));
    }
}
