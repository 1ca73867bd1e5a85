"""HMAC, RFC 2104, with the names and errors of the standard library's module hmac."""

from hmac import compare_digest

from ._lanesum import HMAC
from ._lanesum import hmac_digest as digest

__all__ = ["HMAC", "compare_digest", "digest", "new"]


def new(key, msg=None, digestmod=""):
    """An HMAC under key, which is bytes or bytearray, of the message msg if that is given.

    digestmod is a name, or a constructor or module of a hash. More is added by update().
    """
    return HMAC(key, msg, digestmod)
