//! Lines of a manifest of any length, one at a time.

use std::io::{self, BufRead, Read};

use crate::MAX_LINE;

/// Reads the next line, including its terminator, into `line`. Returns whether there was one. A line
/// longer than [`MAX_LINE`] is truncated to `MAX_LINE + 1` bytes.
///
/// # Errors
///
/// Any error of `input`. Interrupted reads are retried.
pub fn read_line(input: &mut impl BufRead, terminator: u8, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let room = MAX_LINE as u64 + 1;
    let read = input.by_ref().take(room).read_until(terminator, line)?;
    if read as u64 == room && !line.ends_with(&[terminator]) {
        input.skip_until(terminator)?;
    }
    Ok(read > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_however_they_are_read() {
        let text = b"one\n\ntwo\nlast";
        for capacity in 1..=text.len() {
            let mut input = io::BufReader::with_capacity(capacity, &text[..]);
            let mut line = Vec::new();
            let mut lines = Vec::new();
            while read_line(&mut input, b'\n', &mut line).unwrap() {
                lines.push(line.clone());
            }
            assert_eq!(lines, [&b"one\n"[..], b"\n", b"two\n", b"last"]);
        }
    }

    #[test]
    fn a_line_without_end_takes_little_memory_and_the_next_is_read() {
        let mut text = vec![b'x'; 5 * MAX_LINE];
        text.extend_from_slice(b"\nnext\n");
        let mut input = &text[..];
        let mut line = Vec::new();
        assert!(read_line(&mut input, b'\n', &mut line).unwrap());
        assert_eq!(line.len(), MAX_LINE + 1);
        assert!(read_line(&mut input, b'\n', &mut line).unwrap());
        assert_eq!(line, b"next\n");
    }
}
