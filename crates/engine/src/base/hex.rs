//! Hexadecimal digits.

/// Writes `bytes` as lower-case hexadecimal with arithmetic only: compilers vectorize it, and no memory
/// access depends on the value of a byte.
#[inline]
pub(crate) fn write_hex(bytes: &[u8], pairs: &mut [[u8; 2]]) {
    /// Repeats `byte` in both bytes of the result.
    const fn both(byte: u8) -> u16 {
        u16::from_ne_bytes([byte; 2])
    }
    for (pair, &byte) in pairs.iter_mut().zip(bytes) {
        let byte = u16::from(byte);
        // The upper half of the byte comes first.
        let nibbles = byte >> 4 | (byte & 15) << 8;
        let is_letter = (nibbles + both(6)) >> 4 & both(1);
        let digits = nibbles + both(b'0') + is_letter * u16::from(b'a' - b'0' - 10);
        *pair = digits.to_le_bytes();
    }
}
