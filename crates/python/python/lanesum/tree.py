"""Roots of common Merkle trees, with leaves hashed in parallel lanes.

>>> from lanesum import tree
>>> tree.fs_verity(b"first").hex()[:16]
'06e7b24bc657f62d'
>>> tree.rfc6962([b"first", b"second"]).hex()[:16]
'3ae5bfa57ffa769d'

A file in pieces:

>>> builder = tree.Builder.fs_verity()
>>> builder.update(b"fi")
>>> builder.update(b"rst")
>>> builder.finish() == tree.fs_verity(b"first")
True

An append-only log with proofs:

>>> log = tree.Log()
>>> log.extend([b"first", b"second", b"third"])
>>> tree.verify_inclusion(b"second", 1, 3, log.inclusion(1), log.root())
>>> tree.verify_inclusion(b"fourth", 1, 3, log.inclusion(1), log.root())
Traceback (most recent call last):
ValueError: the proof leads to another root
"""

from ._lanesum import _tree

__all__ = [
    "Builder",
    "Log",
    "dm_verity",
    "fs_verity",
    "rfc6962",
    "s3",
    "torrent1",
    "torrent2",
    "verify_consistency",
    "verify_inclusion",
]

Builder = _tree.Builder
Log = _tree.Log


def fs_verity(data, algorithm="sha256", *, block_size=4096, salt=b""):
    """Returns the digest of a file by Linux's fs-verity: what `fsverity digest` prints.

    data is a buffer, algorithm "sha256" or "sha512", block_size the length of a block in bytes, and salt a
    buffer. Raises ValueError for an algorithm or a block size that there is not, or a salt of more than 32
    bytes.
    """
    return _tree.fs_verity(data, algorithm, block_size, salt)


def dm_verity(data, algorithm="sha256", *, data_block_size=4096, hash_block_size=4096, salt=b""):
    """Returns the root of an image by Linux's dm-verity: what `veritysetup format` prints.

    data and salt are buffers, algorithm is a name, data_block_size and hash_block_size are lengths in
    bytes. Raises ValueError for data that are no whole blocks, for block sizes that there are not, or a
    salt of more than 256 bytes.
    """
    return _tree.dm_verity(data, algorithm, data_block_size, hash_block_size, salt)


def torrent1(data, piece_length):
    """Returns the concatenated SHA-1 digests of the pieces of the buffer data, each piece_length bytes: `pieces`
    of a torrent of version 1."""
    return _tree.torrent1(data, piece_length)


def torrent2(data):
    """Returns the root of the buffer data by BitTorrent version 2: `pieces root` of a torrent."""
    return _tree.torrent2(data)


def s3(data, part_size):
    """Returns the SHA-256 of a multipart upload to Amazon S3: that of the digests of the parts of the buffer
    data, each part_size bytes."""
    return _tree.s3(data, part_size)


def rfc6962(entries, algorithm="sha256"):
    """Returns the root of a log by RFC 6962 (Certificate Transparency). entries is an iterable of buffers, and
    algorithm a name."""
    return _tree.rfc6962(entries, algorithm)


def verify_inclusion(entry, index, size, proof, root, algorithm="sha256"):
    """Checks that entry is in a log, at index among size entries, whose root is root.

    proof is an iterable of digests, and algorithm a name. Raises ValueError if the proof leads to another
    root, does not have the required length, or there can be no such entry.
    """
    _tree.verify_inclusion(entry, index, size, proof, root, algorithm)


def verify_consistency(old_size, size, old_root, root, proof, algorithm="sha256"):
    """Checks that the log of old_size entries with old_root is the beginning of the log of size entries with
    root.

    proof is an iterable of digests, and algorithm a name. Raises ValueError as verify_inclusion does.
    """
    _tree.verify_consistency(old_size, size, old_root, root, proof, algorithm)
