"""Digests in DuckDB: functions of SQL that take whole vectors.

    >>> import duckdb, lanesum.duckdb
    >>> connection = duckdb.connect()
    >>> lanesum.duckdb.register(connection, "sha256", encoding="hex")
    >>> connection.sql("select lanesum_sha256('warp')[:16]").fetchall()
    [('da9e96b401da78ec',)]
"""

import pyarrow

from . import digest_many, hmac_many

__all__ = ["register"]


def register(connection, algorithm, *, name=None, of="VARCHAR", encoding="bytes", key=None):
    """Gives a connection the function lanesum_sha256, or whatever the algorithm or name is.

    It takes one column of type `of`, VARCHAR (hashed as UTF-8) or BLOB, and gives BLOB, or VARCHAR
    with encoding="hex". With a key the digests are HMACs. What is null stays null. DuckDB runs it in
    threads of its own, so each vector is hashed by one.
    """
    if of not in ("VARCHAR", "BLOB"):
        raise ValueError(f"of: 'VARCHAR' or 'BLOB', not {of!r}")

    def digests(column):
        if key is None:
            made = digest_many(algorithm, column, encoding=encoding, threads=1)
        else:
            made = hmac_many(key, column, algorithm, encoding=encoding, threads=1)
        return pyarrow.array(made)

    # An unknown algorithm, encoding or key is told now.
    digests(pyarrow.array([], pyarrow.string()))
    connection.create_function(
        name or f"lanesum_{algorithm}",
        digests,
        [of],
        "VARCHAR" if encoding == "hex" else "BLOB",
        type="arrow",
        null_handling="special",
    )
