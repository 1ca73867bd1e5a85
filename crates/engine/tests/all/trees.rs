//! Merkle trees: published roots, every shape compared with a plain recursion, valid and invalid
//! proofs.

use lanesum::tree::{FileBuilder, Log, Missing, ProofError, ShapeError, Tree, fs_verity_digest};
use lanesum::{Algorithm, Digest, Policy};
use lanesum_spec::digest;

/// The entries of Certificate Transparency's tests of Merkle trees, and the root over each number
/// of leading entries.
const ENTRIES: [&[u8]; 8] = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
];
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// Returns bytes in which all leaves differ.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8 ^ (i / 251) as u8).collect()
}

/// A straightforward implementation of a tree, one digest at a time.
struct Plain {
    algorithm: Algorithm,
    leaf_len: usize,
    fan_out: usize,
    place_len: usize,
    salt: &'static [u8],
    missing: Missing,
    pads: bool,
}

impl Plain {
    fn place(&self, message: &[u8]) -> Vec<u8> {
        let all = [self.salt, message].concat();
        let mut place = digest(self.algorithm, &all)[..self.algorithm.digest_len()].to_vec();
        place.resize(self.place_len, 0);
        place
    }

    fn root(&self, message: &[u8]) -> Option<Digest> {
        let leaf = |leaf: &[u8]| {
            let mut leaf = leaf.to_vec();
            if self.pads {
                leaf.resize(self.leaf_len, 0);
            }
            self.place(&leaf)
        };
        let mut level: Vec<_> = message.chunks(self.leaf_len).map(leaf).collect();
        let mut absent = vec![0; self.place_len];
        while level.len() > 1 {
            let node = |children: &[Vec<u8>]| {
                let mut node = children.concat();
                while self.missing != Missing::Nothing && node.len() < self.fan_out * self.place_len
                {
                    node.extend(&absent);
                }
                if children.len() == 1 && self.missing == Missing::Nothing {
                    children[0].clone()
                } else {
                    self.place(&node)
                }
            };
            level = level.chunks(self.fan_out).map(node).collect();
            if self.missing == Missing::EmptyTrees {
                absent = self.place(&absent.repeat(self.fan_out));
            }
        }
        let root = &level.first()?[..self.algorithm.digest_len()];
        Some(Digest::try_from(root).unwrap())
    }

    fn tree(&self) -> Tree {
        let tree = Tree::new(self.algorithm, self.leaf_len, self.fan_out);
        let tree = tree.place_len(self.place_len).missing(self.missing).salt(self.salt);
        if self.pads { tree.pad_leaves() } else { tree }
    }
}

#[test]
fn every_shape_matches_a_plain_recursion_at_every_length() {
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let len = algorithm.digest_len();
        for missing in [Missing::Nothing, Missing::Zeros, Missing::EmptyTrees] {
            for (leaf_len, fan_out, place_len, salt, pads) in [
                (1, 2, len, &b""[..], false),
                (3, 2, len, b"salt", true),
                (7, 3, len + 1, b"", true),
                (64, 5, len, &[9; 200], false),
            ] {
                let plain = Plain { algorithm, leaf_len, fan_out, place_len, salt, missing, pads };
                let tree = plain.tree();
                let lens = (0..40).chain([leaf_len * 125, leaf_len * 125 + 1, leaf_len * 700]);
                for len in lens {
                    let message = bytes(len);
                    let levels = tree.build(&message);
                    let Some(root) = plain.root(&message) else { continue };
                    let what = format!("{algorithm} {missing:?} {leaf_len} {fan_out} {len}");
                    assert_eq!(levels.root(), root, "{what}");
                    let leaves = levels.digests(0).len() as u64;
                    for leaf in [0, leaves / 2, leaves - 1] {
                        let digest = levels.digests(0).nth(leaf as usize).unwrap();
                        let proof = levels.proof(leaf).unwrap();
                        let verify = |leaf: u64, proof: &[Digest]| {
                            tree.verify(leaf, leaves, &digest, proof, &root)
                        };
                        assert_eq!(verify(leaf, &proof), Ok(()), "{what} leaf {leaf}");
                        assert_eq!(
                            verify(leaf, &[&proof[..], &[root]].concat()),
                            Err(ProofError::Length)
                        );
                        if let Some((_, less)) = proof.split_last() {
                            assert_eq!(verify(leaf, less), Err(ProofError::Length));
                        }
                        for i in 0..proof.len() {
                            let mut other = proof.clone();
                            other[i] = digest;
                            if other != proof {
                                assert_eq!(verify(leaf, &other), Err(ProofError::Root), "{what}");
                            }
                        }
                        assert!(verify(leaves, &proof).is_err());
                    }
                }
            }
        }
    }
}

#[test]
fn bytes_in_pieces_have_the_same_tree() {
    for (leaf_len, fan_out, pads, lens) in [
        (2, 2, false, [1, 20_000, 70_001]),
        (1000, 4, true, [999, 600_000, 5_000_001]),
        (300_000, 2, false, [0, 1, 9_700_000]),
        (300_000, 3, true, [300_000, 300_001, 3_500_007]),
    ] {
        let tree = Tree::new(Algorithm::SHA256, leaf_len, fan_out).missing(Missing::Zeros);
        let tree = tree.place_len(if pads { 40 } else { 32 });
        let tree = if pads { tree.pad_leaves() } else { tree };
        for len in lens {
            let message = bytes(len);
            let whole = tree.build(&message);
            for piece in [1009, 1 << 16, 3 << 20] {
                let (mut builder, mut root) = (tree.builder(), tree.root_builder());
                for piece in message.chunks(piece) {
                    builder.update(piece);
                    root.update(piece);
                }
                let levels = builder.finish();
                assert_eq!(levels.count(), whole.count(), "{leaf_len} {len} {piece}");
                for level in 0..levels.count() {
                    assert_eq!(levels.bytes(level), whole.bytes(level), "{leaf_len} {len} {piece}");
                }
                assert_eq!(root.finish(), whole.root(), "{leaf_len} {len} {piece}");
            }
        }
    }
}

#[test]
fn logs_have_the_published_roots() {
    for policy in ["portable", ""] {
        let engine = match policy {
            "" => lanesum::Engine::new(Algorithm::SHA256),
            policy => Policy::parse(policy).unwrap().engine(Algorithm::SHA256).unwrap(),
        };
        let log = Tree::rfc6962(&engine);
        for (entries, root) in ROOTS.iter().enumerate() {
            let levels = log.build_entries(&ENTRIES[..entries]);
            assert_eq!(levels.root().to_string(), *root, "{entries} entries");
        }
    }
}

/// The proofs of RFC 6962 §2.1.3 for a log of seven entries, whose digests it names by letters.
#[test]
fn proofs_match_the_example_of_the_rfc() {
    let log = Tree::rfc6962(Algorithm::SHA256);
    let levels = log.build_entries(&ENTRIES[..7]);
    let leaf = |i| levels.digests(0).nth(i).unwrap();
    let node = |i| levels.digests(1).nth(i).unwrap();
    let (k, l) = (levels.digests(2).next().unwrap(), levels.digests(2).nth(1).unwrap());
    let (a, b, c, d, e, f, j) = (leaf(0), leaf(1), leaf(2), leaf(3), leaf(4), leaf(5), leaf(6));
    let (g, h, i) = (node(0), node(1), node(2));
    assert_eq!(levels.proof(0).unwrap(), [b, h, l]);
    assert_eq!(levels.proof(3).unwrap(), [c, g, l]);
    assert_eq!(levels.proof(4).unwrap(), [f, j, k]);
    assert_eq!(levels.proof(6).unwrap(), [i, k]);
    assert_eq!(levels.consistency(3).unwrap(), [c, d, g, l]);
    assert_eq!(levels.consistency(4).unwrap(), [l]);
    assert_eq!(levels.consistency(6).unwrap(), [i, j, k]);
    let _ = (a, e);
}

#[test]
fn only_a_log_that_has_grown_has_a_valid_consistency_proof() {
    let log = Tree::rfc6962(Algorithm::SHA256);
    let entries: Vec<_> = (0..70u8).map(|i| [i; 3]).collect();
    let roots: Vec<_> = (0..=70).map(|n| log.build_entries(&entries[..n]).root()).collect();
    for new in 0..=entries.len() {
        let levels = log.build_entries(&entries[..new]);
        for old in 0..=new {
            let proof = levels.consistency(old as u64).unwrap();
            let verify = |root: &Digest, proof: &[Digest]| {
                log.verify_consistency(old as u64, new as u64, root, &roots[new], proof)
            };
            assert_eq!(verify(&roots[old], &proof), Ok(()), "{old} of {new}");
            assert_eq!(
                verify(&roots[old], &[&proof[..], &[roots[1]]].concat()),
                Err(ProofError::Length)
            );
            assert_eq!(verify(&Digest::from([7; 32]), &proof), Err(ProofError::Root));
            if let Some((_, less)) = proof.split_last() {
                assert_eq!(verify(&roots[old], less), Err(ProofError::Length), "{old} of {new}");
            }
            if proof.len() > 1 && proof.first() != proof.last() {
                let turned: Vec<_> = proof.iter().rev().copied().collect();
                assert_eq!(verify(&roots[old], &turned), Err(ProofError::Root), "{old} of {new}");
            }
        }
        assert!(levels.consistency(new as u64 + 1).is_err());
    }
    let huge = log.verify_consistency(u64::MAX - 1, u64::MAX, &roots[0], &roots[0], &[roots[0]; 9]);
    assert_eq!(huge, Err(ProofError::Length));
    let short = Digest::from([0; 20]);
    assert_eq!(log.verify(0, 1, &short, &[], &roots[1]), Err(ProofError::Digest { bytes: 20 }));
    let torrent = Tree::torrent2();
    assert_eq!(torrent.build(b"").consistency(0), Err(ProofError::Form));
}

#[test]
fn a_growing_log_matches_the_tree_over_all_entries() {
    for algorithm in [Algorithm::SHA256, Algorithm::SHA512] {
        let mut log = Log::new(algorithm);
        assert!(log.is_empty());
        let tree = Tree::rfc6962(algorithm);
        let entries: Vec<_> = (0..70u8).map(|i| vec![i; i.into()]).collect();
        // Few and many entries per call, so that nodes are hashed singly and in batches.
        for len in [1, 1, 2, 3, 1, 7, 0, 16, 1, 38] {
            let had = log.len() as usize;
            log.append(&entries[had..had + len]);
            let levels = tree.build_entries(&entries[..had + len]);
            assert_eq!(log.root(), levels.root(), "{algorithm} {}", log.len());
            for (entry, bytes) in (0..log.len()).zip(&entries) {
                let proof = log.proof(entry).unwrap();
                assert_eq!(Ok(&proof), levels.proof(entry).as_ref(), "{entry} of {}", log.len());
                let leaf = tree.entry(bytes);
                let count = log.len();
                assert_eq!(tree.verify(entry, count, &leaf, &proof, &log.root()), Ok(()));
                assert_eq!(tree.root_by(entry, count, &leaf, &proof), Ok(log.root()));
            }
            for size in 0..=log.len() {
                let levels = tree.build_entries(&entries[..size as usize]);
                for i in (0..=size).step_by(3) {
                    assert_eq!(log.proof_at(i, size), levels.proof(i), "{i} of {size}");
                    assert_eq!(log.consistency_at(i, size), levels.consistency(i), "{i} of {size}");
                }
            }
            for old in 0..=log.len() {
                assert_eq!(log.consistency(old), levels.consistency(old), "{old} of {}", log.len());
                assert_eq!(
                    log.root_at(old),
                    Ok(tree.build_entries(&entries[..old as usize]).root())
                );
            }
        }
        assert_eq!(log.len(), entries.len() as u64);
        let none = |leaf| ProofError::Leaf { leaf, leaves: 70 };
        assert_eq!(log.proof(70), Err(none(70)));
        let fewer = |size| ProofError::Size { size, leaves: 70 };
        assert_eq!(log.root_at(71), Err(fewer(71)));
        assert_eq!(log.proof_at(0, 71), Err(fewer(71)));
        assert_eq!(log.consistency_at(0, 71), Err(fewer(71)));
        // Also on 32-bit targets, where these numbers exceed `usize`.
        assert_eq!(log.proof(u64::MAX), Err(none(u64::MAX)));
        assert_eq!(log.root_at(1 << 32), Err(fewer(1 << 32)));
        assert_eq!(log.consistency(71), Err(fewer(71)));
        assert_eq!(tree.root_by(70, 70, &log.root(), &[]), Err(none(70)));
    }
}

#[test]
fn files_in_pieces_have_the_values_that_tools_print() {
    let sha256 = Algorithm::SHA256;
    let salt = b"salt";
    let builders = || {
        [
            FileBuilder::fs_verity(sha256, 1024, salt).unwrap(),
            FileBuilder::dm_verity(sha256, 512, 1024, salt).unwrap(),
            FileBuilder::torrent2(sha256),
            FileBuilder::s3(sha256, 700),
        ]
    };
    for len in [0, 1, 512, 700, 1024, 1025, 7 * 512, 100_000, 1 << 20] {
        let message = bytes(len);
        let fs_verity = Tree::fs_verity(sha256, 1024, salt).unwrap().build(&message).root();
        let fs_verity = fs_verity_digest(sha256, 1024, salt, len as u64, &fs_verity);
        let dm_verity = Tree::dm_verity(sha256, 512, 1024, salt).unwrap();
        let dm_verity = match len % 512 {
            0 if len > 0 => Ok(dm_verity.build(&message).root()),
            _ => Err(ShapeError::Rest { block: 512, bytes: len as u64 }),
        };
        let parts: Vec<_> = message.chunks(700).map(lanesum::sha256).collect();
        let parts = if len == 0 { vec![lanesum::sha256(b"")] } else { parts };
        let s3 = lanesum::sha256(parts.concat()).into();
        let wanted = [fs_verity, dm_verity, Ok(Tree::torrent2().build(&message).root()), Ok(s3)];
        for piece in [700, 1 << 16] {
            for (mut builder, wanted) in builders().into_iter().zip(wanted) {
                message.chunks(piece).for_each(|piece| _ = builder.update(piece));
                assert_eq!(builder.check(), wanted.map(|_| ()));
                assert_eq!(builder.finish(), wanted, "{len} {piece}");
            }
        }
    }
    let refused = |builder: Result<FileBuilder, ShapeError>| builder.unwrap_err();
    assert_eq!(refused(FileBuilder::fs_verity(sha256, 100, b"")), ShapeError::Block { bytes: 100 });
    let long = FileBuilder::dm_verity(sha256, 512, 512, &[0; 257]);
    assert_eq!(refused(long), ShapeError::Salt { max: 256 });
}

#[test]
fn invalid_shapes_are_rejected() {
    let refused = |shape: Result<Tree, ShapeError>| shape.unwrap_err();
    let sha256 = Algorithm::SHA256;
    assert_eq!(refused(Tree::fs_verity(sha256, 4095, b"")), ShapeError::Block { bytes: 4095 });
    assert_eq!(refused(Tree::fs_verity(sha256, 32, b"")), ShapeError::Block { bytes: 32 });
    for bytes in [1 << 20, 1 << (usize::BITS - 2)] {
        assert_eq!(refused(Tree::fs_verity(sha256, bytes, b"")), ShapeError::Block { bytes });
        assert_eq!(refused(Tree::dm_verity(sha256, bytes, 4096, b"")), ShapeError::Block { bytes });
        assert_eq!(refused(Tree::dm_verity(sha256, 4096, bytes, b"")), ShapeError::Block { bytes });
    }
    assert!(Tree::dm_verity(sha256, 512 << 10, 512 << 10, b"").is_ok());
    assert_eq!(refused(Tree::fs_verity(sha256, 4096, &[0; 33])), ShapeError::Salt { max: 32 });
    let sha1 = Algorithm::SHA1;
    assert_eq!(
        refused(Tree::fs_verity(sha1, 4096, b"")),
        ShapeError::Algorithm { algorithm: sha1 }
    );
    assert_eq!(
        refused(Tree::dm_verity(sha256, 512, 4096, &[0; 257])),
        ShapeError::Salt { max: 256 }
    );
    assert_eq!(refused(Tree::dm_verity(sha256, 0, 4096, b"")), ShapeError::Block { bytes: 0 });
    let root = Digest::from([0; 32]);
    assert!(fs_verity_digest(sha256, 0, b"", 0, &root).is_err());
    // The output of `fsverity digest` for an empty file.
    assert_eq!(
        fs_verity_digest(sha256, 4096, b"", 0, &root).unwrap().to_string(),
        "3d248ca542a24fc62d1c43b916eae5016878e2533c88238480b26128a1f1af95"
    );
}

#[test]
fn a_log_reserves_memory_or_remains_unchanged() {
    let entries = vec![b"entry"; 1000];
    for before in [0, 1, 7, 64] {
        let (mut log, mut reserved) = (Log::new(Algorithm::SHA384), Log::new(Algorithm::SHA384));
        log.append(&entries[..before]);
        reserved.append(&entries[..before]);
        for too_many in [usize::MAX, usize::MAX / 2, usize::MAX / 96] {
            reserved.try_reserve(too_many).unwrap_err();
        }
        assert_eq!((reserved.len(), reserved.root()), (log.len(), log.root()));
        reserved.try_reserve(entries.len()).unwrap();
        assert_eq!((reserved.len(), reserved.root()), (log.len(), log.root()));
        log.append(&entries);
        reserved.append(&entries);
        assert_eq!((reserved.len(), reserved.root()), (log.len(), log.root()));
        for old in [0, 1, before as u64, log.len()] {
            assert_eq!(reserved.consistency(old), log.consistency(old));
        }
    }
}
