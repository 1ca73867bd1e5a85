//! Runs `openssl speed` for comparison.

use std::process::{Command, Stdio};

use lanesum::Algorithm;

/// Runs `openssl speed` for one second on messages of `len` bytes. Returns gigabytes (10^9 bytes)
/// per second, or `None` if `openssl` is not installed or lacks the algorithm.
pub(super) fn rate(algorithm: Algorithm, len: usize) -> Option<f64> {
    let name = algorithm.name().replace('/', "-");
    let bytes = len.to_string();
    let words = ["speed", "-mr", "-seconds", "1", "-bytes", &bytes, "-evp", &name];
    let output = Command::new("openssl").args(words).stderr(Stdio::null()).output().ok()?;
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// Returns the output of `openssl version`.
pub(super) fn version() -> Option<String> {
    let output = Command::new("openssl").arg("version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Parses the rate in a line such as `+F:22:sha256:1938546688.00`.
fn parse(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("+F:"))?;
    let rate: f64 = line.rsplit(':').next()?.trim().parse().ok()?;
    (rate > 0.0).then_some(rate / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_the_line_for_machines() {
        let text = "+H:8192\n+F:30:SHA256:1938546688.00\n";
        assert_eq!(parse(text), Some(1.938_546_688));
        assert_eq!(parse("+H:8192\n"), None);
        assert_eq!(parse("+F:30:SHA256:0.00\n"), None);
    }
}
