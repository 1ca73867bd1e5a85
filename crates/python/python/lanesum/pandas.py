"""Digests of a Series of pandas: importing this gives every Series the accessor `lanesum`.

    >>> import pandas, lanesum.pandas
    >>> words = pandas.Series(["warp", None])
    >>> words.lanesum.digest("sha256", encoding="hex").str[:16].tolist()
    ['da9e96b401da78ec', <NA>]
"""

import pandas
import pyarrow

from . import digest_many, hmac_many

__all__ = ["Digests"]


@pandas.api.extensions.register_series_accessor("lanesum")
class Digests:
    """Digests of a Series of text or bytes, as Series of an Arrow dtype with its index."""

    def __init__(self, series):
        self._series = series

    def digest(self, algorithm, *, encoding="bytes", threads=None):
        """The digest of each value: bytes, or hexadecimal. What is null stays null."""
        column = digest_many(algorithm, self._series, encoding=encoding, threads=threads)
        return self._like(column)

    def hmac(self, key, digestmod, *, encoding="bytes", threads=None):
        """The tag of each value under key: a pseudonym that nobody can guess without the key."""
        column = hmac_many(key, self._series, digestmod, encoding=encoding, threads=threads)
        return self._like(column)

    def _like(self, column):
        array = pyarrow.chunked_array(column)
        dtype = pandas.ArrowDtype(array.type)
        return pandas.Series(array, self._series.index, dtype, self._series.name)
