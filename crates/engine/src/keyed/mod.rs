//! What has a key: HMAC, and HKDF and PBKDF2 on it.

mod hkdf;
mod hmac;
mod pbkdf2;

pub use self::hkdf::{Hkdf, HkdfError, hkdf_extract, hkdf_many, hkdf_many_with};
pub use self::hmac::{Hmac, HmacKey, mac_each, mac_each_with};
pub use self::pbkdf2::{Pbkdf2Error, pbkdf2, pbkdf2_many, pbkdf2_many_with};
