//! Checksum manifests, read and written without loss: whatever the bytes of a
//! name, what is written reads back as the same entry.
//!
//! ```
//! use lanesum_manifest::{Entry, Format, Line, Options, Reader, Terminator};
//! use lanesum_spec::{Algorithm, digest};
//!
//! let digest = digest(Algorithm::SHA256, b"abc");
//! let entry = Entry::new(Algorithm::SHA256, &digest[..32], b"two\nlines").unwrap();
//!
//! let mut line = Vec::new();
//! let gnu = Format::from_name("gnu").unwrap();
//! gnu.write(&entry, Terminator::Newline, &mut line);
//! assert!(line.starts_with(b"\\ba7816bf") && line.ends_with(b"  two\\nlines\n"));
//!
//! let mut reader = Reader::new(Options::default());
//! assert_eq!(reader.line(&line), Line::Entry(entry));
//! assert_eq!(reader.line(b"# a remark\n"), Line::Skip);
//! assert!(matches!(reader.line(b"beans\n"), Line::Malformed(_)));
//! ```
//!
//! No file is opened here: the caller reads lines (of at most [`MAX_LINE`] bytes, by [`read_line`])
//! and writes buffers, so a manifest may be longer than memory.
//!
//! # Formats
//!
//! | name | a line | names the algorithm |
//! |---|---|---|
//! | `gnu` | `<hex>  name` | no |
//! | `bsd` | `SHA256 (name) = <hex>` | yes |
//! | `json` | `{"algorithm":"sha256","digest":"<hex>","path":"name"}` | yes |
//!
//! In `gnu` and `bsd` lines, a name with a line feed, a carriage return or a
//! backslash in it has these written as `\n`, `\r` and `\\`, and the line begins
//! with a backslash to say so, as GNU coreutils does. Lines that end in NUL have
//! names as they are.
//!
//! `json` is JSON Lines: an object on each line, in UTF-8, with exactly these
//! fields, in this order. They are a promise; others may be added after them, and
//! a reader passes over those it does not know.
//!
//! | field | value |
//! |---|---|
//! | `algorithm` | [`Algorithm::name`](lanesum_spec::Algorithm::name): `sha256`, `sha512/256` |
//! | `digest` | hexadecimal, in lower case |
//! | `path` | the name, when it is UTF-8 |
//! | `path_base64` | in place of `path`, when it is not: its bytes in base64 (RFC 4648 §4, padded) |
//! | `size` | the file's length in bytes, if it was recorded |
//! | `mtime` | the [`Time`] of its last change, if it was recorded: seconds since 1970 as a string |
//!
//! # What is read besides
//!
//! Each line is recognized by itself, so formats may be mixed. Beyond what the
//! writers write, a reader takes
//!
//! - lines that end in CR LF, a byte order mark before the first, no line feed after the last;
//! - blank lines, and comments: lines whose first character is `#`;
//! - spaces before a line;
//! - digests in upper case, and in base64 (SHA-384 only where the algorithm is
//!   known, as in base64 it is as long as SHA-256 in hexadecimal);
//! - `<hex> *name` (GNU's mark of a binary file), also as OpenSSL's `-r` writes it;
//! - `<hex> name` with one space, if the first line without a tag has one too: a
//!   manifest has one or the other, else a name could gain or lose a leading space;
//! - any name or alias of an algorithm as a tag, a space before the bracket or not:
//!   `SHA2-256(name)= <hex>`, as OpenSSL writes it.
//!
//! A line without a tag is of the algorithm given in [`Options`], else of the one
//! that its digest's length tells: MD5, SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512.
//!
//! A tab after the digest is refused, as are a digest of a length that is not its
//! algorithm's, a name that is empty or holds a NUL, and UTF-16.
#![forbid(unsafe_code)]

pub mod torrent;

mod audit;
mod checksum;
mod class;
mod coreutils;
mod digest;
mod entry;
mod escape;
mod formats;
mod lines;
mod malformed;
mod names;
mod reader;
mod record;
mod time;
mod told;

pub use audit::{Finding, Moves, Pair, Pairs, diff};
pub use checksum::{Checksum, Foreign, UnknownChecksum};
pub use class::{Class, Counts, NoClass};
pub use coreutils::{CoreutilsLine, CoreutilsReader, CoreutilsStyle, Kind, Lengths};
pub use entry::{Entry, InvalidEntry};
pub use escape::report_name;
pub use formats::{Format, sfv_line};
pub use lines::read_line;
pub use malformed::Malformed;
pub use names::{leads_out, normal_name, path_order};
pub use reader::{Line, Lines, MAX_LINE, Options, Reader, Terminator};
pub use record::{Named, Record, merged};
pub use time::{NoTime, Time};
