//! Object ids, the types of objects, and their encoding.

use lanesum::{Algorithm, Digest};

/// The hash function of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectHash {
    Sha1,
    Sha256,
}

impl ObjectHash {
    pub(crate) fn algorithm(self) -> Algorithm {
        match self {
            Self::Sha1 => Algorithm::SHA1,
            Self::Sha256 => Algorithm::SHA256,
        }
    }

    /// Returns the length of an id, in bytes.
    pub(crate) fn len(self) -> usize {
        self.algorithm().digest_len()
    }

    /// Returns the number of this hash function in multi-pack-indexes, commit-graphs and reverse
    /// indexes.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Sha1 => 1,
            Self::Sha256 => 2,
        }
    }
}

/// Creates an id of the repository's hash function.
pub(crate) fn id(bytes: &[u8]) -> Digest {
    Digest::try_from(bytes).expect("ids are digests")
}

/// The type of an object that is not stored as a delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl Type {
    const ALL: [Self; 4] = [Self::Commit, Self::Tree, Self::Blob, Self::Tag];

    fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }

    /// Returns the type with this number in packs.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Parses a header such as `blob 12\0`. Returns the type, the length of the object, and the
    /// length of the header. Returns `None` unless it is in git's canonical form.
    pub(crate) fn parse_header(bytes: &[u8]) -> Option<(Self, u64, usize)> {
        let end = bytes.iter().position(|byte| *byte == 0)?;
        let (name, digits) = str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
        let of_type = Self::ALL.into_iter().find(|one| one.name() == name)?;
        let is_canonical = digits == "0" || !digits.starts_with('0');
        let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        let len = digits.parse().ok().filter(|_| is_canonical && all_digits)?;
        Some((of_type, len, end + 1))
    }

    /// Returns the header that is hashed before the contents.
    pub(crate) fn header(self, len: u64) -> String {
        format!("{} {len}\0", self.name())
    }
}

/// Maximum length of a header, in bytes: the longest name, a space, 20 digits and a NUL.
pub(crate) const MAX_HEADER: usize = 6 + 1 + 20 + 1;

/// A decoded object in the form that is hashed: the header, then the contents.
pub(crate) struct Object {
    pub(crate) of_type: Type,
    header_len: usize,
    message: Vec<u8>,
}

impl Object {
    /// Creates an empty object with capacity for `len` bytes of contents.
    pub(crate) fn with_capacity(of_type: Type, len: usize) -> Self {
        let header = of_type.header(len as u64);
        let mut message = Vec::with_capacity(header.len() + len);
        message.extend_from_slice(header.as_bytes());
        Self { of_type, header_len: header.len(), message }
    }

    /// Creates an object from its header and contents.
    pub(crate) fn from_message(of_type: Type, header_len: usize, message: Vec<u8>) -> Self {
        Self { of_type, header_len, message }
    }

    pub(crate) fn message(&self) -> &[u8] {
        &self.message
    }

    pub(crate) fn contents(&self) -> &[u8] {
        &self.message[self.header_len..]
    }

    /// Returns the buffer, for appending contents.
    pub(crate) fn message_mut(&mut self) -> &mut Vec<u8> {
        &mut self.message
    }

    /// Resizes the contents to `len` bytes, which the caller overwrites.
    pub(crate) fn zeroed(&mut self, len: usize) -> &mut [u8] {
        self.message.resize(self.header_len + len, 0);
        &mut self.message[self.header_len..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_those_that_git_writes() {
        for of_type in Type::ALL {
            for len in [0, 1, 9, 10, u64::MAX] {
                let header = of_type.header(len);
                assert!(header.len() <= MAX_HEADER);
                let parsed = Type::parse_header(header.as_bytes());
                assert_eq!(parsed, Some((of_type, len, header.len())));
            }
        }
        let malformed: [&[u8]; 9] = [
            b"",
            b"blob",
            b"blob 1",
            b"blob 01\0",
            b"blob +1\0",
            b"blob \0",
            b"blob 1 \0",
            b"blob 18446744073709551616\0",
            b"blub 1\0",
        ];
        for bytes in malformed {
            assert_eq!(Type::parse_header(bytes), None, "{bytes:?}");
        }
    }
}
