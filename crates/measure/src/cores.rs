//! The CPU cores that records were measured on, and their known properties.

/// The properties of a core, from `machines.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Core {
    /// The name of the core's model.
    pub name: String,
    /// The title for pages, whatever a hypervisor calls the CPU.
    pub title: String,
    /// Words in the head of a record that identify such a machine. All must be present.
    pub recognised_by: Vec<String>,
    /// Maximum number of instructions dispatched per cycle; `None` if unknown.
    pub width: Option<f64>,
    /// The lowest and the highest clock, in GHz.
    pub ghz: Option<[f64; 2]>,
}

/// The known cores.
#[derive(Clone, Debug, Default)]
pub struct Cores(Vec<Core>);

impl Cores {
    /// Creates the list of known cores.
    pub fn new(cores: impl IntoIterator<Item = Core>) -> Self {
        Self(cores.into_iter().collect())
    }

    /// Returns the core of a machine, identified by the head of a record, or else by the
    /// directory's name if that begins with the name of a model.
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
