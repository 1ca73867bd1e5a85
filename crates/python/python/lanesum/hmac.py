"""HMAC, RFC 2104, with the names and errors of the standard library's module hmac."""

from hmac import compare_digest

from ._lanesum import HMAC
from ._lanesum import hmac_digest as digest

__all__ = ["HMAC", "compare_digest", "digest", "new"]


def new(key, msg=None, digestmod=""):
    """Returns an HMAC object.

    key is bytes or bytearray, and msg, a buffer, the beginning of the message. digestmod is required: a
    name, or a constructor or module of a hash. Raises TypeError for a key of another type, or without a
    digestmod.

    >>> from lanesum import hmac
    >>> hmac.new(b"key", b"message", "sha256").hexdigest()[:16]
    '6e9ef29b75fffc5b'
    """
    return HMAC(key, msg, digestmod)
