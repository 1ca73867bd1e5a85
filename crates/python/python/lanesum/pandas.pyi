from typing import Any, Literal

from typing_extensions import Buffer

from . import _Algorithm

__all__ = ["Digests"]

class Digests:
    """Digests of a Series of text or bytes, as Series with its index and an Arrow dtype."""

    def __init__(self, series: Any) -> None: ...
    def digest(
        self,
        algorithm: _Algorithm,
        *,
        encoding: Literal["bytes", "hex"] = "bytes",
        threads: int | None = None,
    ) -> Any: ...
    def hmac(
        self,
        algorithm: _Algorithm,
        key: Buffer,
        *,
        encoding: Literal["bytes", "hex"] = "bytes",
        threads: int | None = None,
    ) -> Any: ...
