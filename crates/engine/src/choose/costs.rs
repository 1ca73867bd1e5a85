//! Costs files: the costs of kernels on one CPU, as text.
//!
//! The first lines are the format, Lanesum's version and the CPU. Every other line has a kernel, a family and a
//! cost. Empty lines and lines that begin with `#` are comments.

use core::fmt::{self, Display, Write};

use lanesum_spec::Family;

use crate::base::Cpu;
use crate::kernel::Kernel;

const FORMAT: &str = "lanesum costs 1";
const VERSION: &str = "version ";
const CPU: &str = "cpu ";

/// A hundred thousand cycles for a block in every lane, more than any kernel takes. Sums of larger costs could
/// overflow.
const MAX_COST: u32 = 1_000_000;

/// Calls `found` for each cost in `text`. Skips unknown kernels and families, and kernels that cannot run here.
pub(super) fn parse(
    text: &str,
    mut found: impl FnMut(Kernel, Family, u32),
) -> Result<(), CostsFault> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut head = |prefix: &str| {
        let (number, line) = lines.next().ok_or(CostsFault::Format)?;
        line.strip_prefix(prefix).ok_or(CostsFault::Line(number))
    };
    if head(FORMAT) != Ok("") {
        return Err(CostsFault::Format);
    }
    head(VERSION)?;
    if !is_display_of(&Cpu::this(), head(CPU)?) {
        return Err(CostsFault::OtherCpu);
    }
    for (number, line) in lines {
        let mut words = line.split_whitespace();
        let (Some(kernel), Some(family), Some(cost), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(CostsFault::Line(number));
        };
        let cost = cost.parse().ok().filter(|cost| (1..=MAX_COST).contains(cost));
        let cost = cost.ok_or(CostsFault::Line(number))?;
        let kernel = Kernel::all().find(|known| known.name() == kernel);
        let family = Family::ALL.into_iter().find(|known| known.name() == family);
        if let (Some(kernel), Some(family)) = (kernel, family) {
            found(kernel, family, cost);
        }
    }
    Ok(())
}

/// Whether `text` is what `value` displays.
fn is_display_of(value: &impl Display, text: &str) -> bool {
    struct Rest<'t>(&'t str);

    impl Write for Rest<'_> {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
            Ok(())
        }
    }

    let mut rest = Rest(text);
    write!(rest, "{value}").is_ok() && rest.0.is_empty()
}

/// Displays the costs file of this CPU with these costs, in tenths of a cycle. `Policy::with_costs` reads it.
pub struct CostsFile<'c>(pub &'c [(Kernel, Family, u32)]);

impl Display for CostsFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FORMAT}\n{VERSION}{}\n{CPU}{}", env!("CARGO_PKG_VERSION"), Cpu::this())?;
        for (kernel, family, cost) in self.0 {
            writeln!(f, "{kernel} {} {}", family.name(), (*cost).clamp(1, MAX_COST))?;
        }
        Ok(())
    }
}

/// Why costs are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CostsFault {
    /// The file cannot be read. Contains the system's error code.
    #[cfg(feature = "std")]
    Unreadable(Option<i32>),
    /// The text is not a costs file, or one of another format.
    Format,
    /// The line with this number is malformed.
    Line(u32),
    OtherCpu,
}

impl CostsFault {
    /// Writes the message about `file`; empty if the text is not from a file.
    pub(super) fn message(self, file: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format_args!("'{file}'");
        let file: &dyn Display = if file.is_empty() { &"the text" } else { &name };
        match self {
            #[cfg(feature = "std")]
            Self::Unreadable(code) => {
                write!(
                    f,
                    "cannot read the costs file {file}, which 'lanesum tune --output' writes"
                )?;
                let Some(code) = code else { return Ok(()) };
                let cause = std::io::Error::from_raw_os_error(code).to_string();
                write!(f, ": {}", cause.split(" (os error").next().unwrap_or_default())
            }
            Self::Format => write!(
                f,
                "{file} is not a costs file of this version: write one with 'lanesum tune --output'"
            ),
            Self::Line(number) => write!(
                f,
                "line {number} of {file} is malformed: write the file again with 'lanesum tune --output'"
            ),
            Self::OtherCpu => write!(
                f,
                "{file} was measured on another CPU than this one ({}): write it again with \
                 'lanesum tune --output'",
                Cpu::this()
            ),
        }
    }
}
