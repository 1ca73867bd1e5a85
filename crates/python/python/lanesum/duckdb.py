"""Digests in DuckDB: SQL functions over whole vectors.

    >>> import duckdb, lanesum.duckdb
    >>> connection = duckdb.connect()
    >>> lanesum.duckdb.register(connection, "sha256", encoding="hex")
    >>> connection.sql("select lanesum_sha256('first')[:16]").fetchall()
    [('a7937b64b8caa58f',)]
"""

import pyarrow

from . import digest_many, hmac_many, new

__all__ = ["register"]


def register(connection, algorithm, *, name=None, input_type="VARCHAR", encoding="bytes", key=None):
    """Registers an SQL function with a connection.

    connection is a DuckDB connection. algorithm is a name or a constructor, as for lanesum.digest_many. name is
    the function's name; None means lanesum_ and the algorithm's name, such as lanesum_sha256. input_type is the
    type of its argument, "VARCHAR" (hashed as UTF-8) or "BLOB". encoding is "bytes" for results of type BLOB, or
    "hex" for VARCHAR. With key the digests are HMACs; pass a name then, since the default is that of the plain
    hash. Nulls remain null. DuckDB calls the function in its own threads, so each vector is hashed by one
    thread. Raises ValueError for an unknown algorithm or type, and TypeError for arguments in a
    wrong order.

        lanesum.duckdb.register(connection, "sha256", name="pseudonym", key=b"a secret key")
    """
    if not hasattr(connection, "create_function"):
        kind = type(connection).__name__
        raise TypeError(f"connection: a DuckDB connection is required, not '{kind}': register(connection, algorithm)")
    if input_type not in ("VARCHAR", "BLOB"):
        raise ValueError(f"input_type: 'VARCHAR' or 'BLOB' is required, not {input_type!r}")

    def digests(column):
        if key is None:
            made = digest_many(algorithm, column, encoding=encoding, threads=1)
        else:
            made = hmac_many(algorithm, key, column, encoding=encoding, threads=1)
        return pyarrow.array(made)

    # Fails now for an unknown algorithm, encoding or key.
    digests(pyarrow.array([], pyarrow.string()))
    connection.create_function(
        name or f"lanesum_{(new(algorithm) if isinstance(algorithm, str) else algorithm()).name}",
        digests,
        [input_type],
        "VARCHAR" if encoding == "hex" else "BLOB",
        type="arrow",
        null_handling="special",
    )
