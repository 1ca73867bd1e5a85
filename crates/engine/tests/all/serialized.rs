//! Digests by serde: hexadecimal where people read it, bytes elsewhere.
#![cfg(feature = "serde")]

use lanesum::{Algorithm, Digest, hash};
use serde_test::{Compact, Configure, Readable, Token};
use serde_test::{assert_de_tokens, assert_de_tokens_error, assert_tokens};

#[test]
fn every_algorithms_digest_goes_both_ways() {
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
fn what_is_no_digest_is_refused() {
    let said =
        "not a digest: hexadecimal digits in pairs, at most 64 bytes, as many as an array has";
    let long: &'static str = "00".repeat(65).leak();
    for hex in ["abc", "0g", long] {
        assert_de_tokens_error::<Readable<Digest>>(&[Token::Str(hex)], said);
    }
    assert_de_tokens_error::<Compact<Digest>>(&[Token::Bytes(&[0; 65])], said);
    let expected =
        "invalid type: integer `1`, expected a digest of at most 64 bytes, or its hexadecimal";
    assert_de_tokens_error::<Readable<Digest>>(&[Token::U8(1)], expected);
}
