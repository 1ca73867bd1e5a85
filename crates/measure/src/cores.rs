//! The cores that have measured, and what is known of them.

/// What a core can do, as far as the tree knows: `machines.toml` says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Core {
    /// The name of its model.
    pub name: String,
    /// What it is, whatever a hypervisor calls it.
    pub title: String,
    /// What the head of a record says of such a machine, all of it.
    pub recognised_by: Vec<String>,
    /// Instructions that it dispatches in a cycle at most; none where nobody knows.
    pub width: Option<f64>,
    /// The lowest and the highest clock that it runs at, in GHz.
    pub ghz: Option<[f64; 2]>,
}

/// The cores that the tree knows.
#[derive(Clone, Debug, Default)]
pub struct Cores(Vec<Core>);

impl Cores {
    /// These cores.
    pub fn new(cores: impl IntoIterator<Item = Core>) -> Self {
        Self(cores.into_iter().collect())
    }

    /// The core of a machine, by what a record's head says of it or by the name of its
    /// folder, which may begin with the model's.
    pub fn of(&self, processor: &str, machine: &str) -> Option<&Core> {
        let says = |core: &&Core| {
            !core.recognised_by.is_empty()
                && core.recognised_by.iter().all(|word| processor.contains(word.as_str()))
        };
        let named = |core: &&Core| !core.name.is_empty() && machine.starts_with(&core.name);
        self.0.iter().find(says).or_else(|| self.0.iter().find(named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_known_by_all_that_the_head_says_or_by_the_folder() {
        let core = |name: &str, words: &[&str]| Core {
            name: name.into(),
            recognised_by: words.iter().map(|&word| word.into()).collect(),
            ..Core::default()
        };
        let cores = Cores::new([core("risc", &[]), core("zen5", &["AMD", "family 26"])]);
        let name = |processor, machine| cores.of(processor, machine).map(|core| &core.name[..]);
        assert_eq!(name("AMD EPYC, family 26 model 2", "amd-epyc-x2"), Some("zen5"));
        assert_eq!(name("AMD EPYC, family 25 model 1", "amd-epyc-x2"), None);
        assert_eq!(name("", "zen5-x2"), Some("zen5"));
    }
}
