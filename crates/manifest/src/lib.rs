//! Reads and writes checksum manifests. Entries round-trip whatever bytes a name contains.
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
//! This crate does no I/O: the caller reads lines with [`read_line`], of at most [`MAX_LINE`] bytes, and
//! writes buffers. So a manifest may be larger than memory.
//!
//! # Formats
//!
//! | name | line | records the algorithm |
//! |---|---|---|
//! | `gnu` | `<hex>  name` | no |
//! | `bsd` | `SHA256 (name) = <hex>` | yes |
//! | `json` | `{"algorithm":"sha256","digest":"<hex>","path":"name"}` | yes |
//!
//! In `gnu` and `bsd` lines, a line feed, a carriage return or a backslash in a name is escaped as `\n`,
//! `\r` or `\\`, and the line starts with a backslash, like in GNU coreutils. Names in lines that end with
//! NUL are not escaped.
//!
//! `json` is JSON Lines: one UTF-8 object per line, with these fields in this order. The fields are stable.
//! Others may be added after them, and readers ignore unknown fields.
//!
//! | field | value |
//! |---|---|
//! | `algorithm` | [`Algorithm::name`](lanesum_spec::Algorithm::name): `sha256`, `sha512/256` |
//! | `digest` | lower-case hexadecimal |
//! | `path` | the name, if it is UTF-8 |
//! | `path_base64` | otherwise: the bytes of the name in base64 (RFC 4648 §4, padded) |
//! | `size` | the length of the file in bytes, if recorded |
//! | `mtime` | the modification [`Time`], if recorded: seconds since 1970 as a string |
//!
//! # Other input
//!
//! The format of each line is detected independently, so formats may be mixed. Readers also accept
//!
//! - lines that end with CR LF, a byte order mark, and a last line without a line feed;
//! - blank lines, and comments: lines that start with `#`;
//! - leading spaces;
//! - digests in upper case, and in base64 (SHA-384 only if the algorithm is known: its base64 is as long as
//!   SHA-256 in hexadecimal);
//! - `<hex> *name`, GNU's mark for binary files, also written by OpenSSL's `-r`;
//! - `<hex> name` with one space, if the first untagged line has one space, too. A manifest uses only one
//!   of the two, otherwise a name could gain or lose a leading space;
//! - any name or alias of an algorithm as a tag, with or without a space before the parenthesis, such as
//!   OpenSSL's `SHA2-256(name)= <hex>`.
//!
//! The algorithm of an untagged line is the one in [`Options`], or else selected by the length of the
//! digest: MD5, SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512.
//!
//! A tab after the digest is rejected. So are a digest with the wrong length for its algorithm, a name that
//! is empty or contains NUL, and UTF-16.
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
mod json;
mod lines;
mod malformed;
mod names;
mod reader;
mod record;
mod time;

pub use audit::{Finding, Moves, Pair, Pairs};
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
