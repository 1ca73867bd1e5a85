//! Tests the library on a system with `std`, and compares CPUID's features with those that `std` detects.

use lanesum::{Algorithm, HmacKey, hash};

#[test]
fn containers_hold_messages() {
    let messages = ["first", "second", "abc"];
    let expected = messages.map(|message| hash(Algorithm::SHA256, message));
    for digests in newcomer_no_std::digests(&messages) {
        assert_eq!(digests, expected);
    }
    assert_eq!(newcomer_no_std::counted(&messages), expected);
    let keys: Vec<HmacKey> = (0..3).map(|i| HmacKey::new(Algorithm::SHA256, [i; 16])).collect();
    let tags = newcomer_no_std::tags(&keys, &messages.to_vec());
    assert_eq!(tags[1], keys[1].mac("second"));
}

/// A kernel for one message of each vector ISA is in every build.
#[test]
#[cfg(target_arch = "x86_64")]
fn cpuid_detects_what_std_detects() {
    let is_kernel = |name: &str| lanesum::Kernel::all().any(|kernel| kernel.name() == name);
    assert!(is_kernel("sse2_x1"));
    assert_eq!(is_kernel("ssse3_x1"), is_x86_feature_detected!("ssse3"));
    assert_eq!(is_kernel("avx_x1"), is_x86_feature_detected!("avx"));
    let bmi = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
    assert_eq!(is_kernel("bmi2_asm_x1"), bmi);
    assert_eq!(is_kernel("avx2_x1"), bmi && is_x86_feature_detected!("avx2"));
    let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
    assert_eq!(is_kernel("avx512_x1"), bmi && avx512);
}
