from typing import Any, Literal

from typing_extensions import Buffer

__all__ = ["register"]

def register(
    connection: Any,
    algorithm: str,
    *,
    name: str | None = None,
    of: Literal["VARCHAR", "BLOB"] = "VARCHAR",
    encoding: Literal["bytes", "hex"] = "bytes",
    key: Buffer | None = None,
) -> None: ...
