//! The attributes of secret keys (§4.3 to §4.10), and when they may be set.

use std::collections::BTreeMap;

use cryptoki_sys::*;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Flag(bool),
    Number,
    Bytes,
    /// Empty, or a `CK_DATE`.
    Date,
    /// An array of mechanisms.
    Mechanisms,
}

/// When an attribute may be set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Settable {
    /// On creation.
    Made,
    /// On creation or copying.
    Copied,
    /// At any time.
    Ever,
    /// At any time, but only to true, once created.
    ToTrue,
    /// At any time, but only to false, once created.
    ToFalse,
    /// On creation, or to false on copying. The default is true.
    CopiedToFalse,
    /// Never: the module sets it.
    Never,
}

pub struct Attribute {
    pub kind: CK_ATTRIBUTE_TYPE,
    pub shape: Shape,
    pub settable: Settable,
}

const fn attribute(kind: CK_ATTRIBUTE_TYPE, shape: Shape, settable: Settable) -> Attribute {
    Attribute { kind, shape, settable }
}

use Settable::{Copied, CopiedToFalse, Ever, Made, Never, ToFalse, ToTrue};
use Shape::{Bytes, Date, Flag, Mechanisms, Number};

/// All attributes of a secret key, except its value and the length of its value.
static ATTRIBUTES: [Attribute; 27] = [
    attribute(CKA_CLASS, Number, Made),
    attribute(CKA_TOKEN, Flag(false), Copied),
    attribute(CKA_PRIVATE, Flag(false), Copied),
    attribute(CKA_MODIFIABLE, Flag(true), Copied),
    attribute(CKA_COPYABLE, Flag(true), CopiedToFalse),
    attribute(CKA_DESTROYABLE, Flag(true), Copied),
    attribute(CKA_LABEL, Bytes, Ever),
    attribute(CKA_KEY_TYPE, Number, Made),
    attribute(CKA_ID, Bytes, Ever),
    attribute(CKA_START_DATE, Date, Ever),
    attribute(CKA_END_DATE, Date, Ever),
    attribute(CKA_DERIVE, Flag(false), Ever),
    attribute(CKA_LOCAL, Flag(false), Never),
    attribute(CKA_KEY_GEN_MECHANISM, Number, Never),
    attribute(CKA_ALLOWED_MECHANISMS, Mechanisms, Made),
    attribute(CKA_SENSITIVE, Flag(false), ToTrue),
    attribute(CKA_ENCRYPT, Flag(false), Ever),
    attribute(CKA_DECRYPT, Flag(false), Ever),
    attribute(CKA_SIGN, Flag(true), Ever),
    attribute(CKA_VERIFY, Flag(true), Ever),
    attribute(CKA_WRAP, Flag(false), Ever),
    attribute(CKA_UNWRAP, Flag(false), Ever),
    attribute(CKA_EXTRACTABLE, Flag(true), ToFalse),
    attribute(CKA_ALWAYS_SENSITIVE, Flag(false), Never),
    attribute(CKA_NEVER_EXTRACTABLE, Flag(false), Never),
    attribute(CKA_WRAP_WITH_TRUSTED, Flag(false), ToTrue),
    attribute(CKA_TRUSTED, Flag(false), Never),
];

/// Returns the attribute with this number.
pub fn find(kind: CK_ATTRIBUTE_TYPE) -> Option<&'static Attribute> {
    ATTRIBUTES.iter().find(|attribute| attribute.kind == kind)
}

impl Shape {
    /// Whether `value` has this type.
    pub fn fits(self, value: &[u8]) -> bool {
        /// The length of a numeric value, in bytes.
        const NUMBER: usize = size_of::<CK_ULONG>();
        match self {
            Flag(_) => matches!(value, [CK_FALSE | CK_TRUE]),
            Number => value.len() == NUMBER,
            Bytes => true,
            Date => matches!(value.len(), 0 | 8),
            Mechanisms => value.len().is_multiple_of(NUMBER),
        }
    }
}

/// Attribute values by number, as the bytes that an application reads.
#[derive(Clone)]
pub struct Values(BTreeMap<CK_ATTRIBUTE_TYPE, Vec<u8>>);

impl Default for Values {
    /// The default values.
    fn default() -> Self {
        let unset = CK_UNAVAILABLE_INFORMATION.to_ne_bytes().to_vec();
        let initial = |shape| match shape {
            Flag(set) => vec![CK_BBOOL::from(set)],
            Number => unset.clone(),
            Bytes | Date | Mechanisms => Vec::new(),
        };
        let values = ATTRIBUTES.iter().map(|known| (known.kind, initial(known.shape)));
        Self(values.collect())
    }
}

impl Values {
    pub fn get(&self, kind: CK_ATTRIBUTE_TYPE) -> Option<&[u8]> {
        self.0.get(&kind).map(Vec::as_slice)
    }

    pub fn flag(&self, kind: CK_ATTRIBUTE_TYPE) -> bool {
        self.get(kind) == Some(&[CK_TRUE])
    }

    pub fn number(&self, kind: CK_ATTRIBUTE_TYPE) -> CK_ULONG {
        let bytes = self.get(kind).and_then(|value| value.try_into().ok());
        bytes.map_or(CK_UNAVAILABLE_INFORMATION, CK_ULONG::from_ne_bytes)
    }

    pub fn put(&mut self, kind: CK_ATTRIBUTE_TYPE, value: Vec<u8>) {
        self.0.insert(kind, value);
    }

    pub fn put_flag(&mut self, kind: CK_ATTRIBUTE_TYPE, set: bool) {
        self.put(kind, vec![set.into()]);
    }

    pub fn put_number(&mut self, kind: CK_ATTRIBUTE_TYPE, number: CK_ULONG) {
        self.put(kind, number.to_ne_bytes().to_vec());
    }

    /// Returns the memory size, in bytes.
    pub fn len(&self) -> usize {
        self.0.values().map(|value| size_of::<CK_ATTRIBUTE>() + value.len()).sum()
    }
}

/// The operation that a template is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    Made,
    Copied,
    Later,
}

impl Attribute {
    /// Checks whether the attribute may change from `now` to `value`.
    pub fn may_become(&self, when: When, now: Option<&[u8]>, value: &[u8]) -> Result<(), CK_RV> {
        if !self.shape.fits(value) {
            return Err(CKR_ATTRIBUTE_VALUE_INVALID);
        }
        let may = match (when, self.settable) {
            (_, Never) => false,
            (When::Made, _) | (_, Ever) | (When::Copied, Copied) => true,
            (_, ToTrue) => value == [CK_TRUE] || now == Some(value),
            (_, ToFalse) => value == [CK_FALSE] || now == Some(value),
            (When::Copied, CopiedToFalse) => value == [CK_FALSE] || now == Some(value),
            // A template for a copy may repeat the current value.
            (When::Copied, _) => now == Some(value),
            (When::Later, _) => false,
        };
        if may { Ok(()) } else { Err(CKR_ATTRIBUTE_READ_ONLY) }
    }
}
