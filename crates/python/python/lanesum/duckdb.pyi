from typing import Any, Literal

from typing_extensions import Buffer

from . import _Algorithm

__all__ = ["register"]

def register(
    connection: Any,
    algorithm: _Algorithm,
    *,
    name: str | None = None,
    input_type: Literal["VARCHAR", "BLOB"] = "VARCHAR",
    encoding: Literal["bytes", "hex"] = "bytes",
    key: Buffer | None = None,
) -> None: ...
