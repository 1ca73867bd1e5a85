//! Option parsing compatible with C's `getopt`, including its messages.

use std::collections::VecDeque;
use std::env;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A long option, and its letter if it has one.
#[derive(Clone, Copy)]
pub(super) struct Long {
    pub(super) name: &'static str,
    pub(super) takes_value: bool,
    /// The reported id: the letter of the short option, if any.
    pub(super) id: char,
}

/// The state of the parser.
pub(super) struct Getopt<'a> {
    /// Letters of short options; a colon follows a letter whose option takes a value.
    short: &'a str,
    long: &'a [Long],
    dialect: Dialect,
    arguments: VecDeque<OsString>,
    /// The remaining letters of an argument such as `-abc`.
    cluster: Vec<u8>,
    operands: Vec<OsString>,
}

/// The dialect: the wording of messages, and whether options may follow operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Gnu,
    Solaris,
}

/// An option with its value, or an error message.
pub(super) type Found = Result<(char, Option<OsString>), Vec<u8>>;

impl<'a> Getopt<'a> {
    pub(super) fn new(
        dialect: Dialect,
        short: &'a str,
        long: &'a [Long],
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Self {
        Self {
            short,
            long,
            dialect,
            arguments: arguments.into_iter().collect(),
            cluster: Vec::new(),
            operands: Vec::new(),
        }
    }

    /// Returns the operands, after the last option.
    pub(super) fn operands(self) -> Vec<OsString> {
        self.operands
    }

    fn rest_are_operands(&mut self) {
        self.operands.extend(self.arguments.drain(..));
    }

    fn letter(&mut self) -> Found {
        let letter = self.cluster.remove(0);
        let place = self.short.bytes().position(|known| known == letter && known != b':');
        let Some(place) = place else {
            let text = match self.dialect {
                Dialect::Gnu => [b"invalid option -- '", &[letter][..], b"'"].concat(),
                Dialect::Solaris => [b"illegal option -- ", &[letter][..]].concat(),
            };
            return Err(text);
        };
        let id = char::from(letter);
        if self.short.as_bytes().get(place + 1) != Some(&b':') {
            return Ok((id, None));
        }
        let value = if self.cluster.is_empty() {
            self.arguments.pop_front()
        } else {
            Some(OsString::from_vec(std::mem::take(&mut self.cluster)))
        };
        match (value, self.dialect) {
            (Some(value), _) => Ok((id, Some(value))),
            (None, Dialect::Gnu) => Err(format!("option requires an argument -- '{id}'").into()),
            (None, Dialect::Solaris) => Err(format!("option requires an argument -- {id}").into()),
        }
    }

    fn long(&mut self, text: &[u8]) -> Found {
        let equals = text.iter().position(|&byte| byte == b'=');
        let name = &text[..equals.unwrap_or(text.len())];
        let exact = self.long.iter().find(|long| long.name.as_bytes() == name);
        let starts: Vec<_> =
            self.long.iter().filter(|long| long.name.as_bytes().starts_with(name)).collect();
        let found = match (exact, &starts[..]) {
            (Some(exact), _) => exact,
            (None, [only]) => *only,
            (None, []) => return Err([b"unrecognized option '--", text, b"'"].concat()),
            (None, several) => {
                let mut message = [b"option '--", text, b"' is ambiguous; possibilities:"].concat();
                for long in several {
                    message.extend(format!(" '--{}'", long.name).into_bytes());
                }
                return Err(message);
            }
        };
        let value = equals.map(|equals| OsString::from_vec(text[equals + 1..].to_vec()));
        match (found.takes_value, value) {
            (false, Some(_)) => {
                Err(format!("option '--{}' doesn't allow an argument", found.name).into())
            }
            (false, None) => Ok((found.id, None)),
            (true, value) => match value.or_else(|| self.arguments.pop_front()) {
                Some(value) => Ok((found.id, Some(value))),
                None => Err(format!("option '--{}' requires an argument", found.name).into()),
            },
        }
    }
}

impl Iterator for Getopt<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        if !self.cluster.is_empty() {
            return Some(self.letter());
        }
        loop {
            let argument = self.arguments.pop_front()?;
            match argument.as_bytes() {
                b"--" => self.rest_are_operands(),
                [b'-', b'-', long @ ..] if !self.long.is_empty() => {
                    let long = long.to_vec();
                    return Some(self.long(&long));
                }
                [b'-', letters @ ..] if !letters.is_empty() => {
                    self.cluster = letters.to_vec();
                    return Some(self.letter());
                }
                _ => {
                    self.operands.push(argument);
                    if self.dialect == Dialect::Solaris || env::var_os("POSIXLY_CORRECT").is_some()
                    {
                        self.rest_are_operands();
                    }
                }
            }
        }
    }
}
