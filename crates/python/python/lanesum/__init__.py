"""SHA-1, SHA-2 and HMAC as fast as the hardware allows.

One message, as hashlib has it::

    >>> import lanesum
    >>> lanesum.sha256(b"abc").hexdigest()[:16]
    'ba7816bf8f01cfea'

Many at once, each in a lane of its own of the CPU's vectors: lists, arrays, Arrow columns::

    >>> lanesum.digest_many("sha256", ["warp", "weft"], encoding="hex")[1][:16]
    'e627e2237f44543d'
"""

from . import hmac, tree
from ._lanesum import (
    HASH,
    SHA1DC,
    Column,
    File,
    Files,
    Finding,
    __version__,
    algorithms_available,
    audit,
    check,
    diff,
    digest_many,
    digest_rows,
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
    "audit",
    "check",
    "compare_digest",
    "diff",
    "digest_many",
    "digest_rows",
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
    "sha1",
    "sha1dc",
    "sha1dc_many",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sm3",
    "sum",
]


def file_digest(fileobj, digest, /, *, _bufsize=2**18):
    """The hash of what is left in a file object that is open for reading in binary mode.

    digest is a name, a constructor, or whatever else makes a hash when it is called; the hash
    itself is returned. A str as fileobj or a file in text mode raises ValueError, a file that
    does not block and has nothing at hand BlockingIOError.
    """
    hashed = new(digest) if isinstance(digest, str) else digest()
    if hasattr(fileobj, "getbuffer"):
        # All of it is in memory.
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
