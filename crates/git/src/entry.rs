//! The header of a packed object: its type or base, and its length.

use crate::object::Type;
use crate::report::Fault;

/// Maximum length of an entry's header, in bytes: a 64-bit length and an id.
pub(crate) const MAX_HEADER: u64 = 10 + 32;

/// The header of an entry.
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// The declared length of the decoded object or delta, in bytes.
    pub(crate) len: u64,
    pub(crate) header_len: usize,
}

pub(crate) enum Kind {
    Whole(Type),
    /// A delta, with the number of bytes back to its base.
    Distance(u64),
    /// A delta, with the id of its base.
    Id([u8; 32]),
}

impl Header {
    pub(crate) fn parse(bytes: &[u8], id_len: usize) -> Result<Self, Fault> {
        let truncated = || Fault::unreadable("the header of the entry is truncated");
        let too_large = || Fault::unreadable("the header of the entry has a number over 64 bits");
        let mut at = 0;
        let mut byte = || {
            at += 1;
            bytes.get(at - 1).copied().ok_or_else(truncated)
        };
        let first = byte()?;
        let (mut len, mut shift, mut last) = (u64::from(first & 0xf), 4, first);
        while last & 0x80 != 0 {
            last = byte()?;
            let digit = u64::from(last & 0x7f);
            if shift > 63 || digit << shift >> shift != digit {
                return Err(too_large());
            }
            len |= digit << shift;
            shift += 7;
        }
        let kind = match first >> 4 & 7 {
            6 => {
                let mut last = byte()?;
                let mut distance = u64::from(last & 0x7f);
                while last & 0x80 != 0 {
                    last = byte()?;
                    let more = distance.checked_add(1).filter(|more| more >> 57 == 0);
                    distance = more.ok_or_else(too_large)? << 7 | u64::from(last & 0x7f);
                }
                Kind::Distance(distance)
            }
            7 => {
                let base = bytes.get(at..at + id_len).ok_or_else(truncated)?;
                at += id_len;
                let mut id = [0; 32];
                id[..id_len].copy_from_slice(base);
                Kind::Id(id)
            }
            number => Kind::Whole(Type::from_number(number).ok_or_else(|| {
                Fault::unreadable(format!("the header of the entry has the unknown type {number}"))
            })?),
        };
        Ok(Self { kind, len, header_len: at })
    }
}
