"""Digests of a Series of pandas: importing this gives every Series the accessor `lanesum`.

    >>> import pandas, lanesum.pandas
    >>> words = pandas.Series(["first", None])
    >>> words.lanesum.digest("sha256", encoding="hex").str[:16].tolist()
    ['a7937b64b8caa58f', <NA>]
"""

import pandas
import pyarrow

from . import digest_many, hmac_many

__all__ = ["Digests"]


@pandas.api.extensions.register_series_accessor("lanesum")
class Digests:
    """The accessor `lanesum` of a Series of text or bytes. Results are Series of an Arrow dtype with its index."""

    def __init__(self, series):
        self._series = series

    def digest(self, algorithm, *, encoding="bytes", threads=None):
        """Returns the digest of each value; nulls remain null.

        See lanesum.digest_many for algorithm, encoding and threads.

        >>> words = pandas.Series(["warp", None])
        >>> words.lanesum.digest("sha256", encoding="hex").isna().tolist()
        [False, True]
        """
        column = digest_many(algorithm, self._series, encoding=encoding, threads=threads)
        return self._like(column)

    def hmac(self, algorithm, key, *, encoding="bytes", threads=None):
        """Returns the HMAC of each value: a pseudonym that cannot be guessed without the key.

        See lanesum.hmac_many for algorithm, key, encoding and threads.

        >>> words = pandas.Series(["warp", None])
        >>> words.lanesum.hmac("sha256", b"a secret key").dtype
        fixed_size_binary[32][pyarrow]
        """
        column = hmac_many(algorithm, key, self._series, encoding=encoding, threads=threads)
        return self._like(column)

    def _like(self, column):
        array = pyarrow.chunked_array(column)
        dtype = pandas.ArrowDtype(array.type)
        return pandas.Series(array, self._series.index, dtype, self._series.name)
