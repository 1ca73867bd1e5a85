//! The summary at the end of a test run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::table::{ELSEWHERE, Kind, PLATFORMS, platform, required};

/// The checks that a run skipped.
#[derive(Debug, Default)]
pub struct Summary {
    /// By kind, the names that no test exercised, each with its reasons.
    left_out: BTreeMap<Kind, BTreeMap<String, BTreeSet<String>>>,
}

impl Summary {
    /// Parses the reports of a run on the platform `host`: lines of [`left_out`](crate::left_out),
    /// and tab-separated lines `ran <kind> <name>` for additional runs.
    pub fn read(gathered: &str, host: &str) -> Result<Self, String> {
        let mut ran: BTreeSet<(&str, &str)> = [("platform", host)].into();
        let mut summary = Self::default();
        for line in gathered.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let kind = |word: &str| Kind::ALL.into_iter().find(|kind| kind.to_string() == word);
            match fields[..] {
                ["ran", word, name] if kind(word).is_some_and(|kind| kind.has(name)) => {
                    ran.insert((word, name));
                }
                [word, name, place, why] if kind(word).is_some_and(|kind| kind.has(name)) => {
                    summary.add(kind(word).expect("just seen"), name, format!("on {place}, {why}"));
                }
                _ => return Err(format!("a line says nothing that is known here: '{line}'")),
            }
        }
        let has_run = |kernel| {
            let places = ran.iter().filter(|(kind, _)| *kind == "platform");
            places
                .filter_map(|(_, name)| platform(name))
                .any(|place| place.kernels.contains(kernel))
        };
        for place in PLATFORMS.iter().filter(|place| !ran.contains(&("platform", place.name))) {
            summary.add(Kind::Platform, place.name, "run by `cargo xtask cross`".into());
            for kernel in place.kernels.iter().filter(|kernel| !has_run(kernel)) {
                let why = format!("a kernel of {}, run by `cargo xtask cross`", place.name);
                summary.add(Kind::Kernel, kernel, why);
            }
        }
        for (test, command) in ELSEWHERE {
            if !ran.contains(&("test", test)) {
                summary.add(Kind::Test, test, format!("run by `{command}`"));
            }
        }
        Ok(summary)
    }

    fn add(&mut self, kind: Kind, name: &str, why: String) {
        self.left_out.entry(kind).or_default().entry(name.to_owned()).or_default().insert(why);
    }

    /// Returns the text, with a line for each reason.
    pub fn text(&self) -> String {
        let mut text = String::from("Skipped in this run:\n");
        for kind in Kind::ALL {
            let Some(names) = self.left_out.get(&kind) else {
                let _ = writeln!(text, "  {kind}s: none");
                continue;
            };
            let _ = writeln!(text, "  {kind}s:");
            let mut by_reason: BTreeMap<String, Vec<&str>> = BTreeMap::new();
            for (name, reasons) in names {
                let reasons = reasons.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
                by_reason.entry(reasons).or_default().push(name);
            }
            for (reason, names) in by_reason {
                let _ = writeln!(text, "    {}: {reason}", names.join(", "));
            }
        }
        text
    }

    /// Returns a clause for each check that `words` require and the run skipped.
    pub fn missing(&self, words: &str) -> Result<Vec<String>, String> {
        let mut missing = Vec::new();
        for word in required(words).map_err(|unknown| unknown.to_string())? {
            for (kind, names) in &self.left_out {
                let asked = names.keys().filter(|name| kind.is_asked_for(word, name));
                missing.extend(asked.map(|name| format!("{word}: the {kind} {name} was skipped")));
            }
        }
        Ok(missing)
    }
}
