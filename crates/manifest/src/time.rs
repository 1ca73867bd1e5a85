//! File times, in nanoseconds.

use std::fmt;
use std::str::FromStr;

/// A time, in nanoseconds since the beginning of 1970 in UTC. The text is in seconds, with nine
/// digits after the point: `1763874603.000000001`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i128);

/// Nanoseconds per second.
const NANOSECONDS: i128 = 1_000_000_000;

impl Time {
    /// Creates a time from seconds and nanoseconds since 1970.
    pub fn new(seconds: i64, nanoseconds: u32) -> Self {
        Self(i128::from(seconds) * NANOSECONDS + i128::from(nanoseconds))
    }

    /// Returns the nanoseconds since the beginning of 1970.
    pub fn nanoseconds(self) -> i128 {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let count = self.0.unsigned_abs();
        let nanoseconds = NANOSECONDS.unsigned_abs();
        write!(f, "{sign}{}.{:09}", count / nanoseconds, count % nanoseconds)
    }
}

/// The error for a text that is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTime;

impl fmt::Display for NoTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected seconds, with nine decimals or none")
    }
}

impl std::error::Error for NoTime {}

impl FromStr for Time {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let (seconds, fraction) = digits.split_once('.').unwrap_or((digits, "000000000"));
        let number = |digits: &str, most: usize| {
            let is_number = (1..=most).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { digits.parse::<i128>().map_err(|_| NoTime) } else { Err(NoTime) }
        };
        if fraction.len() != 9 {
            return Err(NoTime);
        }
        let count = number(seconds, 18)? * NANOSECONDS + number(fraction, 9)?;
        Ok(Self(sign * count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_reads_back_from_its_text() {
        for (seconds, nanoseconds) in [(0, 0), (1_763_874_603, 1), (-2, 500_000_000), (-1, 0)] {
            let time = Time::new(seconds, nanoseconds);
            assert_eq!(time.to_string().parse(), Ok(time), "{time}");
        }
        assert_eq!("7".parse(), Ok(Time::new(7, 0)));
        assert_eq!(Time::new(-2, 500_000_000).to_string(), "-1.500000000");
        for text in ["", "-", "1.5", "1.", "+1", "--1", "1.0000000000", "9999999999999999999"] {
            assert_eq!(text.parse::<Time>(), Err(NoTime), "{text}");
        }
    }
}
