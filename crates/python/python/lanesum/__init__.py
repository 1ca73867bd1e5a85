"""SHA-1, SHA-2 and HMAC of one message, or of many in parallel SIMD lanes.

One message, with the interface of hashlib::

    >>> import lanesum
    >>> lanesum.sha256(b"abc").hexdigest()[:16]
    'ba7816bf8f01cfea'

Batches of lists, arrays and Arrow columns, hashed in parallel SIMD lanes::

    >>> lanesum.digest_many("sha256", ["first", "second"], encoding="hex")[1][:16]
    '16367aacb67a4a01'
"""

from collections.abc import Sequence as _Sequence

from . import hmac, tree
from ._lanesum import (
    HASH,
    SHA1DC,
    Column,
    File,
    Files,
    Finding,
    __version__,
    algorithms_native,
    audit,
    chain,
    chain_many,
    check,
    diff,
    digest_many,
    digest_rows,
    double_hash_many,
    hkdf,
    hkdf_expand,
    hkdf_extract,
    hmac_many,
    md5,
    new,
    pbkdf2_hmac,
    pbkdf2_many,
    ripemd160,
    sha1,
    sha1dc,
    sha1dc_many,
    sha224,
    sha256,
    sha384,
    sha512,
    sha512_224,
    sha512_256,
    sm3,
    sum,
)
from .hmac import compare_digest

__all__ = [
    "HASH",
    "SHA1DC",
    "Column",
    "File",
    "Files",
    "Finding",
    "algorithms_available",
    "algorithms_guaranteed",
    "algorithms_native",
    "audit",
    "blake2b",
    "blake2s",
    "chain",
    "chain_many",
    "check",
    "compare_digest",
    "diff",
    "digest_many",
    "digest_rows",
    "double_hash_many",
    "file_digest",
    "hkdf",
    "hkdf_expand",
    "hkdf_extract",
    "hmac",
    "hmac_many",
    "md5",
    "new",
    "pbkdf2_hmac",
    "pbkdf2_many",
    "ripemd160",
    "scrypt",
    "sha1",
    "sha1dc",
    "sha1dc_many",
    "sha224",
    "sha256",
    "sha384",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha512",
    "sha512_224",
    "sha512_256",
    "shake_128",
    "shake_256",
    "sm3",
    # Without sum: `from lanesum import *` must not replace the built-in function.
]

_Sequence.register(Column)

# hashlib's functions; it is imported when one of them is first used.
_STANDARD = frozenset(
    ["blake2b", "blake2s", "scrypt", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256"]
)
algorithms_guaranteed = frozenset(
    ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", *(_STANDARD - {"scrypt"})]
)


def __getattr__(name):
    if name in _STANDARD or name == "algorithms_available":
        import hashlib

        value = getattr(hashlib, name)
        if name == "algorithms_available":
            value = algorithms_native | value
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return [*globals(), *_STANDARD, "algorithms_available"]


def file_digest(fileobj, digest, /, *, _bufsize=2**18):
    """Hashes the rest of a file object and returns the hash object.

    fileobj is open for reading in binary mode. digest is a name, a constructor, or another callable that
    returns a hash object. A str as fileobj or a file in text mode raises ValueError, a non-blocking
    file without available bytes BlockingIOError.

    >>> import io, lanesum
    >>> lanesum.file_digest(io.BytesIO(b"abc"), "sha256").hexdigest()[:16]
    'ba7816bf8f01cfea'
    """
    hashed = new(digest) if isinstance(digest, str) else digest()
    if hasattr(fileobj, "getbuffer"):
        # The whole file is in memory.
        hashed.update(fileobj.getbuffer())
        return hashed
    if not (hasattr(fileobj, "readinto") and hasattr(fileobj, "readable") and fileobj.readable()):
        raise ValueError(f"'{fileobj!r}' is not a file-like object in binary reading mode.")
    buffer = bytearray(_bufsize)
    view = memoryview(buffer)
    while True:
        size = fileobj.readinto(buffer)
        if size is None:
            raise BlockingIOError("I/O operation would block.")
        if size == 0:
            return hashed
        hashed.update(view[:size])
