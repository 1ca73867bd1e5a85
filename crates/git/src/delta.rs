//! Deltas: an object as copies from another one and inserted bytes.

use std::fmt;

/// A delta is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// The delta ends within an instruction or a length.
    Truncated,
    /// The instruction 0 is reserved.
    Reserved,
    /// A copy is not inside of the base.
    Outside,
    /// The base has another length.
    Base { expected: u64, found: u64 },
    /// The instructions yield another length than declared.
    Result { declared: u64, found: u64 },
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the delta is truncated"),
            Self::Reserved => f.write_str("the delta has a reserved instruction"),
            Self::Outside => f.write_str("the delta copies bytes from outside of its base"),
            Self::Base { expected, found } => {
                write!(f, "the delta is for a base of {expected} bytes, but its base has {found}")
            }
            Self::Result { declared, found } => {
                write!(f, "the delta yields {found} bytes, not the declared {declared}")
            }
        }
    }
}

/// A delta whose instructions are well-formed for a base.
#[derive(Debug)]
pub(crate) struct Delta<'a> {
    /// The length of the result, in bytes.
    pub(crate) len: u64,
    base: &'a [u8],
    instructions: &'a [u8],
}

/// An instruction.
enum Step<'a> {
    Copy { start: usize, len: usize },
    Insert(&'a [u8]),
}

impl<'a> Delta<'a> {
    /// Checks the lengths and every instruction, without allocating memory.
    pub(crate) fn parse(bytes: &'a [u8], base: &'a [u8]) -> Result<Self, Malformed> {
        let mut instructions = bytes;
        let expected = read_len(&mut instructions).ok_or(Malformed::Truncated)?;
        let declared = read_len(&mut instructions).ok_or(Malformed::Truncated)?;
        if expected != base.len() as u64 {
            return Err(Malformed::Base { expected, found: base.len() as u64 });
        }
        let mut found = 0_u64;
        let mut rest = instructions;
        while !rest.is_empty() {
            found += match read_step(&mut rest)? {
                Step::Copy { start, len } if start.saturating_add(len) > base.len() => {
                    return Err(Malformed::Outside);
                }
                Step::Copy { len, .. } => len as u64,
                Step::Insert(bytes) => bytes.len() as u64,
            };
        }
        if found != declared {
            return Err(Malformed::Result { declared, found });
        }
        Ok(Self { len: found, base, instructions })
    }

    /// Passes the result to `sink`, in pieces.
    pub(crate) fn apply(&self, mut sink: impl FnMut(&[u8])) {
        let mut rest = self.instructions;
        while let Ok(step) = read_step(&mut rest) {
            match step {
                Step::Copy { start, len } => sink(&self.base[start..][..len]),
                Step::Insert(bytes) => sink(bytes),
            }
        }
    }
}

/// A length in base 128, least significant digits first.
fn read_len(bytes: &mut &[u8]) -> Option<u64> {
    let (mut len, mut shift) = (0_u64, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let digit = u64::from(byte & 0x7f);
        if shift > 63 || digit << shift >> shift != digit {
            return None;
        }
        len |= digit << shift;
        if byte < 0x80 {
            return Some(len);
        }
        shift += 7;
    }
}

#[inline]
fn read_step<'a>(bytes: &mut &'a [u8]) -> Result<Step<'a>, Malformed> {
    let (&code, mut rest) = bytes.split_first().ok_or(Malformed::Truncated)?;
    let step = if code & 0x80 != 0 {
        let mut read = |bits: u8, count: u32| {
            let mut number = 0;
            for place in 0..count {
                if bits >> place & 1 != 0 {
                    let (&byte, after) = rest.split_first().ok_or(Malformed::Truncated)?;
                    number |= usize::from(byte) << (8 * place);
                    rest = after;
                }
            }
            Ok(number)
        };
        let start = read(code & 0xf, 4)?;
        let len = read(code >> 4 & 7, 3)?;
        Step::Copy { start, len: if len == 0 { 0x10000 } else { len } }
    } else if code == 0 {
        return Err(Malformed::Reserved);
    } else {
        let (inserted, after) =
            rest.split_at_checked(usize::from(code)).ok_or(Malformed::Truncated)?;
        rest = after;
        Step::Insert(inserted)
    };
    *bytes = rest;
    Ok(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(delta: &[u8], base: &[u8]) -> Result<Vec<u8>, Malformed> {
        let delta = Delta::parse(delta, base)?;
        let mut result = Vec::new();
        delta.apply(|bytes| result.extend_from_slice(bytes));
        assert_eq!(result.len() as u64, delta.len);
        Ok(result)
    }

    #[test]
    fn copies_and_inserts() {
        let base = b"0123456789";
        assert_eq!(result(&[10, 0], base).unwrap(), b"");
        assert_eq!(result(&[10, 5, 0x91, 7, 3, 2, b'a', b'b'], base).unwrap(), b"789ab");
        // A copy without a length has 65,536 bytes; lengths above 127 have two digits.
        let base = vec![7; 0x1_0000];
        let delta = [0x80, 0x80, 0x04, 0x80, 0x80, 0x04, 0x80];
        assert_eq!(result(&delta, &base).unwrap(), base);
    }

    #[test]
    fn malformed_deltas_are_rejected() {
        let base = b"0123456789";
        let cases: [(&[u8], Malformed); 9] = [
            (&[], Malformed::Truncated),
            (&[10], Malformed::Truncated),
            (&[10, 3, 3, 1, 2], Malformed::Truncated),
            (&[10, 3, 0x91, 1], Malformed::Truncated),
            (&[10, 3, 0], Malformed::Reserved),
            (&[10, 3, 0x91, 8, 3], Malformed::Outside),
            (&[9, 0], Malformed::Base { expected: 9, found: 10 }),
            (&[10, 4, 0x91, 1, 3], Malformed::Result { declared: 4, found: 3 }),
            // A length of more than 64 bits.
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0], Malformed::Truncated),
        ];
        for (delta, expected) in cases {
            assert_eq!(result(delta, base), Err(expected), "{delta:?}");
        }
    }
}
