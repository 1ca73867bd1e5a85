//! Keyed functions: HMAC, and HKDF and PBKDF2, which are built on it.

mod hkdf;
mod hmac;
mod many;
mod pbkdf2;
mod stack;

pub use self::hkdf::{Hkdf, HkdfError, hkdf_extract, hkdf_many};
pub use self::hmac::{Hmac, HmacKey, VerifyError};
pub(crate) use self::many::mac_many_at;
pub use self::many::{Keys, mac_many, verify_many};
pub use self::pbkdf2::{Pbkdf2Error, pbkdf2, pbkdf2_many, pbkdf2_many_while};
pub use self::stack::{Depth, wiping_entry_stack, wiping_stack};
