from collections.abc import Callable
from typing import Any, Literal

from typing_extensions import Buffer

__all__ = ["Digests"]

class Digests:
    """Digests of a Series of text or bytes, as Series of an Arrow dtype with its index."""

    def __init__(self, series: Any) -> None: ...
    def digest(
        self,
        algorithm: str,
        *,
        encoding: Literal["bytes", "hex"] = "bytes",
        threads: int | None = None,
    ) -> Any: ...
    def hmac(
        self,
        key: Buffer,
        digestmod: str | Callable[[], Any],
        *,
        encoding: Literal["bytes", "hex"] = "bytes",
        threads: int | None = None,
    ) -> Any: ...
