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

# Maximum number of digests in a chunk: the offsets of `binary` have 32 bits.
_ROWS = 1 << 24


@pandas.api.extensions.register_series_accessor("lanesum")
class Digests:
    """The accessor `lanesum` of a Series of text or bytes. Results are Series with its index and an Arrow dtype."""

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
        return self._like(column, encoding)

    def hmac(self, algorithm, key, *, encoding="bytes", threads=None):
        """Returns the HMAC of each value: a pseudonym that cannot be guessed without the key.

        See lanesum.hmac_many for algorithm, key, encoding and threads.

        >>> words = pandas.Series(["warp", None])
        >>> words.lanesum.hmac("sha256", b"a secret key").dtype
        binary[pyarrow]
        """
        column = hmac_many(algorithm, key, self._series, encoding=encoding, threads=threads)
        return self._like(column, encoding)

    def _like(self, column, encoding):
        kind = pyarrow.large_string() if encoding == "hex" else pyarrow.binary()
        # pandas cannot read columns of fixed-size binary, or dictionaries of them, back from Parquet.
        chunks = []
        for chunk in pyarrow.chunked_array(column).chunks:
            for start in range(0, len(chunk), _ROWS):
                part = chunk.slice(start, _ROWS)
                if pyarrow.types.is_dictionary(part.type):
                    part = part.dictionary_decode()
                chunks.append(part.cast(kind))
        array = pyarrow.chunked_array(chunks, kind)
        return pandas.Series(array, self._series.index, pandas.ArrowDtype(kind), self._series.name)
