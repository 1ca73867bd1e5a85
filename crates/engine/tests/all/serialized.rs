//! Digests with serde: hexadecimal in human-readable formats, bytes in others.
#![cfg(feature = "serde")]

use lanesum::{Algorithm, Digest, hash};
use serde_test::{Compact, Configure, Readable, Token};
use serde_test::{assert_de_tokens, assert_de_tokens_error, assert_tokens};

#[test]
fn digests_of_every_algorithm_round_trip() {
    for algorithm in Algorithm::all() {
        let digest = hash(algorithm, "abc");
        let hex: &'static str = digest.to_string().leak();
        let bytes: &'static [u8] = digest.as_bytes().to_vec().leak();
        assert_tokens::<Readable<Digest>>(&digest.readable(), &[Token::BorrowedStr(hex)]);
        assert_tokens::<Compact<Digest>>(&digest.compact(), &[Token::BorrowedBytes(bytes)]);
        for token in [Token::Str(hex), Token::String(hex)] {
            assert_de_tokens(&digest.readable(), &[token]);
        }
        for token in [Token::Bytes(bytes), Token::ByteBuf(bytes)] {
            assert_de_tokens(&digest.compact(), &[token]);
        }
    }
}

#[test]
fn invalid_digests_are_rejected() {
    let long: &'static str = "00".repeat(65).leak();
    let too_long = "65 bytes are too long for a digest: at most 64";
    for (hex, said) in [
        ("abc", "3 hexadecimal digits are not a whole number of bytes"),
        ("0g", "'g' at byte 1 is not a hexadecimal digit"),
        ("0\u{e9}a", "'\u{e9}' at byte 1 is not a hexadecimal digit"),
        (long, too_long),
    ] {
        assert_de_tokens_error::<Readable<Digest>>(&[Token::Str(hex)], said);
        assert_eq!(hex.parse::<Digest>().unwrap_err().to_string(), said);
    }
    assert_de_tokens_error::<Compact<Digest>>(&[Token::Bytes(&[0; 65])], too_long);
    let error = <[u8; 20]>::try_from(Digest::from([0; 32])).unwrap_err();
    assert_eq!(error.to_string(), "a digest of 32 bytes does not fit an array of 20");
    let expected =
        "invalid type: integer `1`, expected a digest of at most 64 bytes, or its hexadecimal";
    assert_de_tokens_error::<Readable<Digest>>(&[Token::U8(1)], expected);
}
