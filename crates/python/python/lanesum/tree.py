"""Merkle trees that people have, their leaves hashed side by side in lanes.

>>> from lanesum import tree
>>> tree.fs_verity(b"warp").hex()[:16]
'f6af489d8f63ab3e'
>>> tree.rfc6962([b"warp", b"weft"]).hex()[:16]
'2cae78f84c92cdf7'

A file whose bytes come in pieces:

>>> builder = tree.Builder.fs_verity()
>>> builder.update(b"wa")
>>> builder.update(b"rp")
>>> builder.finish() == tree.fs_verity(b"warp")
True

A log that grows, and proves what is in it:

>>> log = tree.Log()
>>> log.extend([b"warp", b"weft", b"shed"])
>>> tree.verify_inclusion(b"weft", 1, 3, log.inclusion(1), log.root())
>>> tree.verify_inclusion(b"wool", 1, 3, log.inclusion(1), log.root())
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
    """The digest of a file by Linux's fs-verity: what `fsverity digest` prints.

    Raises ValueError for an algorithm or a block size that there is not, or a salt of more than 32
    bytes.
    """
    return _tree.fs_verity(data, algorithm, block_size, salt)


def dm_verity(data, algorithm="sha256", *, data_block_size=4096, hash_block_size=4096, salt=b""):
    """The root of an image by Linux's dm-verity: what `veritysetup format` prints.

    Raises ValueError for data that are no whole blocks, for block sizes that there are not, or a
    salt of more than 256 bytes.
    """
    return _tree.dm_verity(data, algorithm, data_block_size, hash_block_size, salt)


def torrent1(data, piece_length):
    """The SHA-1 digests of pieces, one after the other: `pieces` of a torrent of version 1."""
    return _tree.torrent1(data, piece_length)


def torrent2(data):
    """The root of a file by BitTorrent version 2: `pieces root` of a torrent."""
    return _tree.torrent2(data)


def s3(data, part_size):
    """The SHA-256 of an upload in parts as Amazon S3 makes it: of the digests of all parts."""
    return _tree.s3(data, part_size)


def rfc6962(entries, algorithm="sha256"):
    """The root of a log by RFC 6962 (Certificate Transparency) whose entries are buffers."""
    return _tree.rfc6962(entries, algorithm)


def verify_inclusion(entry, index, size, proof, root, algorithm="sha256"):
    """Nothing, if entry is number index of a log of size entries that has this root, as proof says.

    Raises ValueError if the proof leads to another root, is not as long as it has to be, or there can
    be no such entry. A proof is an iterable of digests.
    """
    _tree.verify_inclusion(entry, index, size, proof, root, algorithm)


def verify_consistency(old_size, size, old_root, root, proof, algorithm="sha256"):
    """Nothing, if the log of old_size entries that has old_root is the beginning of the one of size
    entries that has root, as proof says.

    Raises ValueError as verify_inclusion does.
    """
    _tree.verify_consistency(old_size, size, old_root, root, proof, algorithm)
