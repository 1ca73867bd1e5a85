"""Digests as expressions of Polars: importing this gives every expression the namespace `lanesum`.

    >>> import polars, lanesum_polars
    >>> words = polars.DataFrame({"word": ["first", None]})
    >>> digits = words.select(polars.col("word").lanesum.sha256(encoding="hex").str.head(16))
    >>> digits["word"].to_list()
    ['a7937b64b8caa58f', None]
"""

from pathlib import Path

import polars
from polars.plugins import register_plugin_function

__all__ = ["Digests"]


@polars.api.register_expr_namespace("lanesum")
class Digests:
    """Digests of the values of an expression, String (hashed as UTF-8) or Binary."""

    def __init__(self, expression):
        self._expression = expression

    def digest(self, algorithm, *, encoding="bytes"):
        """Returns the digest of each value: Binary, or String in hexadecimal. Nulls remain null."""
        return self._made(algorithm, encoding, None)

    def sha256(self, *, encoding="bytes"):
        """Returns the SHA-256 of each value."""
        return self.digest("sha256", encoding=encoding)

    def sha512(self, *, encoding="bytes"):
        """Returns the SHA-512 of each value."""
        return self.digest("sha512", encoding=encoding)

    def hmac(self, algorithm, key, *, encoding="bytes"):
        """Returns the HMAC of each value under key. The key is part of the expression, and of plans that are
        written to a file."""
        if not isinstance(algorithm, str):
            kind = type(algorithm).__name__
            raise TypeError(f"algorithm: a name is required, not {kind!r}: hmac(algorithm, key)")
        return self._made(algorithm, encoding, bytes(key))

    def _made(self, algorithm, encoding, key):
        if encoding not in ("bytes", "hex"):
            raise ValueError(f"encoding: 'bytes' or 'hex', not {encoding!r}")
        return register_plugin_function(
            plugin_path=Path(__file__).parent,
            function_name="digest",
            args=[self._expression],
            kwargs={"algorithm": algorithm, "is_hex": encoding == "hex", "key": key},
            is_elementwise=True,
        )
