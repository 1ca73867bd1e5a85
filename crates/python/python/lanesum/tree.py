"""Roots of common Merkle trees, with leaves hashed in parallel lanes.

>>> import lanesum
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
    """Returns the fs-verity digest of a file, as `fsverity digest` prints it.

    data is a buffer, algorithm "sha256" or "sha512", block_size the length of a block in bytes, and salt a
    buffer. Raises ValueError for an unsupported algorithm or block size, or a salt of more than 32 bytes.

    >>> tree.fs_verity(b"warp", salt=b"salt") == tree.fs_verity(b"warp")
    False
    """
    return _tree.fs_verity(data, algorithm, block_size, salt)


def dm_verity(data, algorithm="sha256", *, data_block_size=4096, hash_block_size=4096, salt=b""):
    """Returns the dm-verity root hash of an image, as `veritysetup format` prints it.

    data and salt are buffers, algorithm is a name, data_block_size and hash_block_size are lengths in
    bytes. Raises ValueError for data whose length is not a multiple of a block, for an unsupported block
    size, or a salt of more than 256 bytes.

    >>> len(tree.dm_verity(bytes(1 << 20), salt=b"salt"))
    32
    """
    return _tree.dm_verity(data, algorithm, data_block_size, hash_block_size, salt)


def torrent1(data, piece_length):
    """Returns the concatenated SHA-1 digests of the pieces of the buffer data, each piece_length bytes: the
    field `pieces` of a BitTorrent v1 file.

    >>> len(tree.torrent1(bytes(1 << 20), 1 << 18))
    80
    """
    return _tree.torrent1(data, piece_length)


def torrent2(data):
    """Returns the BitTorrent v2 root of the buffer data: the field `pieces root`.

    >>> tree.torrent2(b"warp") == lanesum.sha256(b"warp").digest()
    True
    """
    return _tree.torrent2(data)


def s3(data, part_size):
    """Returns the composite SHA-256 of a multipart upload to Amazon S3: the digest of the digests of the parts
    of the buffer data, each part_size bytes.

    >>> len(tree.s3(bytes(10 << 20), 5 << 20))
    32
    """
    return _tree.s3(data, part_size)


def rfc6962(entries, algorithm="sha256"):
    """Returns the root of an RFC 6962 log (Certificate Transparency). entries is an iterable of buffers, and
    algorithm a name.

    >>> tree.rfc6962([]) == lanesum.sha256(b"").digest()
    True
    """
    return _tree.rfc6962(entries, algorithm)


def verify_inclusion(entry, index, size, proof, root, algorithm="sha256"):
    """Checks that entry is in a log, at index among size entries, whose root is root.

    proof is an iterable of digests, and algorithm a name. Returns None if the proof is valid. Raises ValueError
    if it leads to another root or has a wrong length, or if index is not below size.

    >>> log = tree.Log()
    >>> log.extend([b"warp", b"weft"])
    >>> tree.verify_inclusion(b"weft", 1, 2, log.inclusion(1), log.root())
    """
    _tree.verify_inclusion(entry, index, size, proof, root, algorithm)


def verify_consistency(old_size, size, old_root, root, proof, algorithm="sha256"):
    """Checks that the log of old_size entries with old_root is the beginning of the log of size entries with
    root.

    proof is an iterable of digests, and algorithm a name. Returns None if the proof is valid. Raises ValueError
    if it leads to another root or has a wrong length, or if old_size is greater than size.

    >>> log = tree.Log()
    >>> log.extend([b"warp", b"weft", b"shed"])
    >>> tree.verify_consistency(2, 3, log.root(2), log.root(), log.consistency(2))
    """
    _tree.verify_consistency(old_size, size, old_root, root, proof, algorithm)
