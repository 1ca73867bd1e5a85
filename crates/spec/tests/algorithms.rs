//! The table of algorithms, and the reference against published digests.

use lanesum_spec::{
    Algorithm, Compression, Family, Int, compress, digest, each_family, each_fips_family, sha2,
    sha512_t_iv,
};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn of(name: &str, message: &[u8]) -> String {
    let algorithm: Algorithm = name.parse().unwrap();
    hex(&digest(algorithm, message)[..algorithm.digest_len()])
}

#[test]
fn the_digest_of_abc_is_as_published() {
    for (name, expected) in [
        ("SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("sha-224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        ("SHA2-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "sha384",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
             8086072ba1e7cc2358baeca134c825a7",
        ),
        (
            "sha512",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
        ("sha512/224", "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"),
        ("SHA512-256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ("md5", "900150983cd24fb0d6963f7d28e17f72"),
        ("ripemd160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        ("sm3", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ] {
        assert_eq!(of(name, b"abc"), expected, "{name}");
    }
}

#[test]
fn a_message_of_two_blocks_hashes_as_published() {
    let message = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
                    hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    assert_eq!(of("sha1", message), "a49b2446a02c645bf419f995b67091253a04a259");
    assert_eq!(
        of("sha256", message),
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    );
    assert_eq!(
        of("sha512", message),
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
         501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    );
}

#[test]
fn the_ivs_of_sha512_t_are_what_their_generation_gives() {
    assert_eq!(sha512_t_iv(224), sha2::IV512_224);
    assert_eq!(sha512_t_iv(256), sha2::IV512_256);
    let sha512_192 = Algorithm::from_name("SHA-512/192").unwrap();
    assert_eq!(sha512_192.iv(), sha512_t_iv(192));
    assert_eq!(sha512_192.digest_len(), 24);
}

#[test]
fn every_sha512_t_in_whole_bytes_has_a_name_but_t_384() {
    for t in (8..512).step_by(8) {
        let algorithm = Algorithm::from_name(&format!("sha512/{t}"));
        assert_eq!(algorithm.is_some(), t != 384, "{t}");
    }
    assert_eq!(Algorithm::from_name("sha512/384"), None);
    assert_eq!(Algorithm::from_name("sha512/100"), None);
}

#[test]
#[should_panic(expected = "t is not 384")]
fn sha512_384_is_refused() {
    sha512_t_iv(384);
}

#[test]
fn every_name_leads_to_one_algorithm() {
    for algorithm in Algorithm::all() {
        let names = [algorithm.name(), algorithm.tag(), algorithm.title()];
        for name in names.iter().chain(algorithm.aliases()) {
            assert_eq!(name.parse(), Ok(algorithm), "{name}");
            assert_eq!(name.to_uppercase().parse(), Ok(algorithm), "{name}");
        }
    }
    let error = "sha3".parse::<Algorithm>().unwrap_err().to_string();
    assert!(error.contains("sha512/256, md5"), "{error}");
}

#[test]
#[should_panic(expected = "a block")]
fn half_a_block_is_refused() {
    compress(Algorithm::SHA1.family(), &mut Algorithm::SHA1.iv(), &[0; 32]);
}

#[test]
fn a_block_known_beforehand_compresses_to_the_same() {
    fn check<C: Compression<N>, const N: usize>() {
        let block: [C::Int; 16] =
            core::array::from_fn(|t| C::Int::truncate(0x9e37_79b9_7f4a_7c15 << t));
        let state: [<C::Int as Int>::Number; N] = core::array::from_fn(|i| block[15 - i].into());
        let plain: [C::Int; N] = C::compress(state, block.map(Into::into)).map(Into::into);
        let expanded: [C::Int; N] = C::compress_expanded(state, &C::expand(block)).map(Into::into);
        assert_eq!(plain, expanded, "{}", core::any::type_name::<C>());
    }
    macro_rules! check_each {
        ($($word:ident { $($name:ident: $module:ident::$family:ident,)* })*) => {
            $($(check::<lanesum_spec::$module::$family, _>();)*)*
        };
    }
    each_family!(check_each);
}

#[test]
fn a_family_has_the_name_of_an_algorithm_and_its_digest_of_abc() {
    for family in Family::ALL {
        let algorithm = family.algorithm();
        assert_eq!((algorithm.name(), algorithm.family()), (family.name(), family));
        assert_eq!(digest(algorithm, b"abc")[..4], family.abc(), "{algorithm}");
    }
}

#[test]
fn the_list_of_fips_families_is_complete() {
    macro_rules! names {
        ($($width:ident { $($name:ident: $module:ident::$family:ident,)* })*) => {
            [$($(stringify!($name)),*),*]
        };
    }
    let listed = each_fips_family!(names);
    let fips = Family::ALL.into_iter().filter(|family| family.is_fips()).map(Family::name);
    assert_eq!(listed[..], fips.collect::<Vec<_>>()[..]);
}
