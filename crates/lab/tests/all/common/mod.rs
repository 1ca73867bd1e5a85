//! Helpers shared by several tests.
#![allow(dead_code)] // each test uses only some of them

/// Pseudorandom numbers for tests: splitmix64.
pub(crate) fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The padded block of the message `abc`, and a random block; words have `bits` bits.
pub(crate) fn blocks(bits: u32, seed: &mut u64) -> [[u64; 16]; 2] {
    let mut abc = [0; 16];
    (abc[0], abc[15]) = (0x6162_6380 << (bits - 32), 24);
    [abc, std::array::from_fn(|_| random(seed) >> (64 - bits))]
}

/// The mnemonic of this name, in lower case.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn mnemonic(name: &str) -> lanesum_prove::Mnemonic {
    let is_it = |one: &lanesum_prove::Mnemonic| format!("{one:?}").to_lowercase() == name;
    lanesum_prove::Mnemonic::values().find(is_it).unwrap_or_else(|| panic!("no instruction {name}"))
}

/// Instructions by name.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) trait Named {
    /// The mnemonic, in lower case.
    fn name(&self) -> String;
    fn rename(&mut self, name: &str);
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
impl Named for lanesum_prove::Instruction {
    fn name(&self) -> String {
        format!("{:?}", self.mnemonic).to_lowercase()
    }

    fn rename(&mut self, name: &str) {
        self.mnemonic = mnemonic(name);
    }
}

/// The bytes of the release library, read once.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn shipped_file() -> &'static [u8] {
    static FILE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    FILE.get_or_init(|| std::fs::read(lanesum_testkit::release_library()).unwrap())
}

/// The parsed release library.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn shipped() -> &'static lanesum_prove::Image {
    use lanesum_prove::Image;
    static IMAGE: std::sync::OnceLock<Image> = std::sync::OnceLock::new();
    IMAGE.get_or_init(|| Image::new(shipped_file()).unwrap())
}

/// The function of the release library with this name.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn named(name: &str) -> lanesum_prove::Binary<'static> {
    let kernel = lanesum_prove::Shipped::all().find(|kernel| kernel.to_string() == name).unwrap();
    lanesum_prove::Binary::find(shipped(), kernel).unwrap()
}
