//! The reference against the vectors that others published.

use lanesum_spec::{Algorithm, digest};

#[path = "../../../vectors/rsp.rs"]
mod rsp;

fn hash(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    digest(algorithm, message)[..algorithm.digest_len()].to_vec()
}

/// The vectors of every algorithm of the table.
fn published() -> impl Iterator<Item = (Algorithm, rsp::Published)> {
    for algorithm in Algorithm::all() {
        assert!(
            rsp::PUBLISHED.iter().any(|entry| entry.algorithm == algorithm.name()),
            "no vectors for {algorithm}: add a file to vectors/hash, and a line to PUBLISHED in vectors/rsp.rs"
        );
    }
    rsp::PUBLISHED.into_iter().map(|entry| (entry.algorithm.parse().unwrap(), entry))
}

#[test]
fn every_published_message_has_its_published_digest() {
    for (algorithm, entry) in published() {
        for file in entry.messages {
            let cases = rsp::messages(file);
            // NIST's files have each length of a block, or as many as a block has bytes.
            assert!(entry.monte.is_none() || cases.len() >= algorithm.block_len(), "{file}");
            for case in cases {
                let len = case.message.len();
                assert_eq!(hash(algorithm, &case.message), case.digest, "{file}, {len} bytes");
            }
        }
    }
}

#[test]
fn a_hundred_thousand_chained_digests_end_as_published() {
    for (algorithm, entry) in published() {
        let Some(file) = entry.monte else { continue };
        let monte = rsp::monte(file);
        assert_eq!(monte.digests.len(), 100, "{file}");
        assert_eq!(monte.run(|message| hash(algorithm, message)), monte.digests, "{file}");
    }
}

#[test]
fn records_of_the_keyed_files_are_read_whole() {
    let hkdf = rsp::records("kdf/rfc-5869-HKDF-SHA256.txt");
    assert_eq!(hkdf.len(), 3);
    assert_eq!(hkdf[0].bytes("OKM").len(), hkdf[0].number("L"));
    assert!(hkdf[2].bytes("salt").is_empty(), "a value may be empty");

    let hmac = rsp::records("hmac/rfc-4231-sha512.txt");
    assert_eq!(hmac.len(), 6);
    assert!(hmac.iter().all(|record| record.bytes("MD").len() == 64));

    for file in ["kdf/rfc-6070-PBKDF2-SHA1.txt", "kdf/rfc-7914-PBKDF2-SHA256.txt"] {
        for record in rsp::records(file) {
            assert_eq!(record.bytes("DERIVED_KEY").len(), record.number("LENGTH"), "{file}");
        }
    }
}
