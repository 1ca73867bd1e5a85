//! Bencoding, BEP 3. The parser accepts only the canonical form.

use super::TorrentError;

/// Maximum nesting depth of lists and dictionaries.
const MAX_DEPTH: usize = 128;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value<'t> {
    Int(i64),
    Bytes(&'t [u8]),
    List(Vec<Value<'t>>),
    Dict(Vec<Entry<'t>>),
}

/// An entry of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'t> {
    pub(super) key: &'t [u8],
    pub(super) value: Value<'t>,
}

impl<'t> Value<'t> {
    /// Parses the value that spans all of `text`.
    pub(super) fn parse(text: &'t [u8]) -> Result<Self, TorrentError> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        if reader.at == text.len() { Ok(value) } else { Err(TorrentError("trailing bytes")) }
    }

    /// Returns the value of this key in a dictionary.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let entry = self.dict()?.iter().find(|entry| entry.key == key.as_bytes())?;
        Some(&entry.value)
    }

    pub(super) fn int(&self) -> Option<i64> {
        match self {
            Self::Int(int) => Some(*int),
            _ => None,
        }
    }

    pub(super) fn bytes(&self) -> Option<&'t [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn dict(&self) -> Option<&[Entry<'t>]> {
        match self {
            Self::Dict(entries) => Some(entries),
            _ => None,
        }
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Result<u8, TorrentError> {
        self.text.get(self.at).copied().ok_or(TorrentError("unexpected end"))
    }

    fn value(&mut self, depth: usize) -> Result<Value<'t>, TorrentError> {
        if depth > MAX_DEPTH {
            return Err(TorrentError("nested too deeply"));
        }
        match self.peek()? {
            b'i' => {
                self.at += 1;
                let text = self.until(b'e')?;
                canonical(text).map(Value::Int)
            }
            b'l' => {
                self.at += 1;
                let mut list = Vec::new();
                while self.peek()? != b'e' {
                    list.push(self.value(depth + 1)?);
                }
                self.at += 1;
                Ok(Value::List(list))
            }
            b'd' => {
                self.at += 1;
                let mut entries: Vec<Entry<'t>> = Vec::new();
                while self.peek()? != b'e' {
                    let key = self.bytes()?;
                    if entries.last().is_some_and(|last| last.key >= key) {
                        return Err(TorrentError("unsorted dictionary keys"));
                    }
                    entries.push(Entry { key, value: self.value(depth + 1)? });
                }
                self.at += 1;
                Ok(Value::Dict(entries))
            }
            _ => self.bytes().map(Value::Bytes),
        }
    }

    fn bytes(&mut self) -> Result<&'t [u8], TorrentError> {
        let len = canonical(self.until(b':')?)?;
        let len = usize::try_from(len).map_err(|_| TorrentError("negative length"))?;
        let rest = &self.text[self.at..];
        let bytes = rest.get(..len).ok_or(TorrentError("unexpected end"))?;
        self.at += len;
        Ok(bytes)
    }

    /// Returns the text before the next `end`, and skips `end`.
    fn until(&mut self, end: u8) -> Result<&'t [u8], TorrentError> {
        // Numbers have at most twenty digits and a sign.
        let rest = &self.text[self.at..self.text.len().min(self.at + 24)];
        let len = rest.iter().position(|&byte| byte == end);
        let len = len.ok_or(TorrentError("invalid value"))?;
        self.at += len + 1;
        Ok(&rest[..len])
    }
}

/// Parses a number in canonical form.
fn canonical(text: &[u8]) -> Result<i64, TorrentError> {
    let number = str::from_utf8(text).ok().and_then(|text| text.parse::<i64>().ok());
    let number = number.ok_or(TorrentError("invalid number"))?;
    if number.to_string().as_bytes() == text {
        Ok(number)
    } else {
        Err(TorrentError("number is not in canonical form"))
    }
}

/// Writes a number.
pub(super) fn int(out: &mut Vec<u8>, int: u64) {
    out.extend(format!("i{int}e").into_bytes());
}

/// Writes bytes.
pub(super) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(format!("{}:", bytes.len()).into_bytes());
    out.extend(bytes);
}
