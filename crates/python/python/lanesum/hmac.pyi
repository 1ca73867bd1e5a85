from collections.abc import Callable
from hmac import compare_digest as compare_digest
from typing import Any, final

from typing_extensions import Buffer

__all__ = ["HMAC", "compare_digest", "digest", "new"]

_DigestMod = str | Callable[[], Any] | Any

@final
class HMAC:
    """An HMAC of a message that may come in pieces, with the methods of `hmac.HMAC`."""

    def __new__(
        cls, key: bytes | bytearray, msg: Buffer | None = None, digestmod: _DigestMod = ""
    ) -> HMAC: ...
    @property
    def name(self) -> str:
        """`hmac-` and the name of the algorithm."""
    @property
    def digest_size(self) -> int:
        """The length of the digest, in bytes."""
    @property
    def block_size(self) -> int:
        """The length of a block, in bytes."""
    def update(self, msg: Buffer) -> None:
        """Appends the buffer msg to the message."""
    def digest(self) -> bytes:
        """Returns the digest of the message so far, as bytes."""
    def hexdigest(self) -> str:
        """Returns the digest of the message so far, as lower-case hexadecimal."""
    def copy(self) -> HMAC:
        """Returns a copy with the same message so far."""

def new(
    key: bytes | bytearray, msg: Buffer | None = None, digestmod: _DigestMod = ""
) -> HMAC: ...
def digest(key: Buffer, msg: Buffer, digest: _DigestMod) -> bytes:
    """Returns the HMAC of one message as bytes, faster than an object."""
