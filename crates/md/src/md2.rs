//! MD2, RFC 1319, for compatibility only. Its table lookups depend on message bytes, so its timing
//! reveals information about secrets.

use engine::Digest;

use crate::layout::Md2;

/// The permutation of RFC 1319 §3.2, derived from the digits of pi.
#[rustfmt::skip]
const PI: [u8; 256] = [
    41, 46, 67, 201, 162, 216, 124, 1, 61, 54, 84, 161, 236, 240, 6, 19, 98, 167, 5, 243, 192, 199,
    115, 140, 152, 147, 43, 217, 188, 76, 130, 202, 30, 155, 87, 60, 253, 212, 224, 22, 103, 66,
    111, 24, 138, 23, 229, 18, 190, 78, 196, 214, 218, 158, 222, 73, 160, 251, 245, 142, 187, 47,
    238, 122, 169, 104, 121, 145, 21, 178, 7, 63, 148, 194, 16, 137, 11, 34, 95, 33, 128, 127, 93,
    154, 90, 144, 50, 39, 53, 62, 204, 231, 191, 247, 151, 3, 255, 25, 48, 179, 72, 165, 181, 209,
    215, 94, 146, 42, 172, 86, 170, 198, 79, 184, 56, 210, 150, 164, 125, 182, 118, 252, 107, 226,
    156, 116, 4, 241, 69, 157, 112, 89, 100, 113, 135, 32, 134, 91, 207, 101, 230, 45, 168, 2, 27,
    96, 37, 173, 174, 176, 185, 246, 28, 70, 97, 105, 52, 64, 126, 15, 85, 71, 163, 35, 221, 81,
    175, 58, 195, 92, 249, 206, 186, 197, 234, 38, 44, 83, 13, 110, 133, 40, 132, 9, 211, 223, 205,
    244, 65, 129, 77, 82, 106, 220, 55, 200, 108, 193, 171, 250, 36, 225, 123, 8, 12, 189, 177, 74,
    120, 136, 149, 139, 227, 99, 232, 109, 233, 203, 213, 254, 59, 0, 29, 57, 242, 239, 183, 14,
    102, 88, 208, 228, 166, 119, 114, 248, 235, 117, 75, 10, 49, 68, 80, 180, 143, 237, 31, 26, 219,
    153, 141, 51, 159, 17, 131, 20,
];

/// The length of a block, in bytes.
const BLOCK: usize = 16;

impl Md2 {
    /// An empty message.
    pub(crate) const NEW: Self =
        Self { end: BLOCK as u32, checksum: [0; BLOCK], x: [0; 3 * BLOCK] };

    /// Returns the end of the message so far in `x`, at least 16: the digest so far is before it.
    fn end(&self) -> usize {
        // Clamp an out-of-range value left by another writer.
        (self.end as usize).clamp(BLOCK, 2 * BLOCK - 1)
    }

    /// Compresses the block in the middle of `x` into the checksum and the digest, RFC 1319 §3.2
    /// and §3.4.
    pub(crate) fn transform(&mut self) {
        let mut last = self.checksum[BLOCK - 1];
        for j in 0..BLOCK {
            let byte = self.x[BLOCK + j];
            self.x[2 * BLOCK + j] = self.x[j] ^ byte;
            self.checksum[j] ^= PI[usize::from(byte ^ last)];
            last = self.checksum[j];
        }
        let mut t = 0;
        for round in 0..18 {
            for byte in &mut self.x {
                *byte ^= PI[usize::from(t)];
                t = *byte;
            }
            t = t.wrapping_add(round);
        }
        self.end = BLOCK as u32;
    }

    /// Adds `data` to the message.
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            let end = self.end();
            let (head, rest) = data.split_at(data.len().min(2 * BLOCK - end));
            self.x[end..][..head.len()].copy_from_slice(head);
            self.end = (end + head.len()) as u32;
            if end + head.len() == 2 * BLOCK {
                self.transform();
            }
            data = rest;
        }
    }

    /// Returns the digest (RFC 1319 §3.1 and §3.5), and overwrites the context.
    pub(crate) fn finish(&mut self) -> Digest {
        let padding = 2 * BLOCK - self.end();
        self.update(&[padding as u8; BLOCK][..padding]);
        let checksum = self.checksum;
        self.update(&checksum);
        let digest = Digest::try_from(&self.x[..BLOCK]).unwrap_or_default();
        *self = Self { end: 0, checksum: [0; BLOCK], x: [0; 3 * BLOCK] };
        digest
    }
}
