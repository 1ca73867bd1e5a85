"""Digests where columns live: pandas, DuckDB."""

import hashlib
import hmac

import duckdb
import pandas
import pyarrow
import pytest

import lanesum
import lanesum.duckdb
import lanesum.pandas

VALUES = ["warp", None, "weft é", ""]


def digests(values=VALUES, name="sha256"):
    return [None if v is None else hashlib.new(name, v.encode()).digest() for v in values]


def tags(key, values=VALUES):
    return [None if v is None else hmac.digest(key, v.encode(), "sha256") for v in values]


def hexadecimal(values):
    return [value and value.hex() for value in values]


@pytest.mark.parametrize("dtype", ["str", "category", pandas.ArrowDtype(pyarrow.string())])
def test_pandas(dtype, tmp_path):
    series = pandas.Series(VALUES, index=list("abcd"), dtype=dtype, name="word")
    made = series.lanesum.digest("sha256")
    assert made.name == "word" and made.index.tolist() == list("abcd")
    assert made.dtype == pandas.ArrowDtype(pyarrow.binary())
    assert [None if v is pandas.NA else v for v in made] == digests()
    digits = series.lanesum.hmac("sha256", b"shed", encoding="hex")
    assert digits.dtype == pandas.ArrowDtype(pyarrow.large_string())
    assert [None if v is pandas.NA else v for v in digits] == hexadecimal(tags(b"shed"))
    frame = pandas.DataFrame({"digest": made, "digits": digits})
    frame.to_parquet(tmp_path / "x.parquet")
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "x.parquet"), frame)
    assert len(series[:0].lanesum.digest("sha256")) == 0


def test_pandas_in_several_chunks(monkeypatch):
    monkeypatch.setattr(lanesum.pandas, "_ROWS", 3)
    assert [None if v is pandas.NA else v for v in pandas.Series(VALUES).lanesum.digest("sha256")] == digests()


def test_duckdb():
    connection = duckdb.connect()
    connection.execute("create table words as select unnest(?) as word", [VALUES])
    register = lanesum.duckdb.register
    register(connection, "sha256")
    register(connection, "sha1", input_type="BLOB", encoding="hex", name="blob_hex")
    register(connection, "sha256", key=b"shed", name="pseudonym", encoding="hex")
    query = "select lanesum_sha256(word), blob_hex(encode(word)), pseudonym(word) from words"
    rows = connection.execute(query).fetchall()
    right = zip(
        digests(), hexadecimal(digests(name="sha1")), hexadecimal(tags(b"shed")), strict=True
    )
    assert rows == list(right)
    query = "select count(distinct lanesum_sha256(i::varchar)) from range(300_000) t(i)"
    assert connection.execute(query).fetchall() == [(300_000,)]
    with pytest.raises(ValueError, match="unsupported hash type spam"):
        register(connection, "spam")
    with pytest.raises(ValueError, match="input_type: 'VARCHAR' or 'BLOB'"):
        register(connection, "sha256", input_type="INTEGER")
    with pytest.raises(TypeError, match="connection: .*'str': register\\(connection, algorithm\\)"):
        register("sha256", connection)
    # The name is derived from the algorithm, also that of a constructor or an alias.
    for algorithm in lanesum.sha512_256, hashlib.md5, "SHA-384":
        register(connection, algorithm, encoding="hex")
    query = "select lanesum_sha512_256('abc'), lanesum_md5('abc'), lanesum_sha384('abc')"
    names = "sha512_256", "md5", "sha384"
    expected = tuple(lanesum.new(name, b"abc").hexdigest() for name in names)
    assert connection.execute(query).fetchall() == [expected]
    connection.close()
