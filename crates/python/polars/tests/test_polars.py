"""Expressions compared with hashlib."""

import doctest
import hashlib
import hmac

import lanesum_polars
import polars
import pytest

VALUES = ["warp", None, "weft é", "", "a value that is no part of its view" * 9]
WORD = polars.col("word")


def digests(name, values=VALUES):
    return [None if v is None else hashlib.new(name, v.encode()).digest() for v in values]


def hexadecimal(values):
    return [value and value.hex() for value in values]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("dtype", [polars.String, polars.Binary])
def test_digests(dtype, engine):
    frame = polars.LazyFrame({"word": polars.Series(VALUES).cast(dtype)})
    query = frame.select(
        WORD.lanesum.sha256(),
        long=WORD.lanesum.sha512(encoding="hex"),
        short=WORD.lanesum.digest("sha512_256"),
        tag=WORD.lanesum.hmac("sha1", b"shed\0\xff"),
        digits=WORD.lanesum.hmac("sha256", b"", encoding="hex"),
    )
    made = query.collect(engine=engine)
    assert query.collect_schema() == made.schema
    assert made["word"].to_list() == digests("sha256")
    assert made["long"].to_list() == hexadecimal(digests("sha512"))
    assert made["short"].to_list() == digests("sha512_256")
    for name, key, algorithm in ("tag", b"shed\0\xff", "sha1"), ("digits", b"", "sha256"):
        right = [v if v is None else hmac.digest(key, v.encode(), algorithm) for v in VALUES]
        assert made[name].to_list() == (hexadecimal(right) if name == "digits" else right)


def test_many_rows_in_chunks_and_groups():
    values = [None if i % 7 == 3 else f"row {i}" * (i % 5) for i in range(100_000)]
    series = polars.concat([polars.Series("word", values), polars.Series("word", values[:9])], rechunk=False)
    frame = series.to_frame()
    right = digests("sha256", values)
    assert frame.select(WORD.lanesum.sha256())["word"].to_list() == right + right[:9]
    halves = frame.head(1000).with_row_index().group_by(polars.col("index") % 2, maintain_order=True)
    made = halves.agg(WORD.lanesum.sha256())["word"].to_list()
    assert made == [right[:1000:2], right[1:1000:2]]


def test_nothing():
    for series in polars.Series("word", [], polars.String), polars.Series("word", [None, None]):
        made = series.to_frame().select(WORD.lanesum.sha256())["word"]
        assert made.dtype == polars.Binary and made.to_list() == series.to_list()


def test_what_is_wrong():
    frame = polars.DataFrame({"word": ["warp"], "number": [1]})
    with pytest.raises(polars.exceptions.PolarsError, match="unsupported hash type spam"):
        frame.select(WORD.lanesum.digest("spam"))
    with pytest.raises(polars.exceptions.PolarsError, match="i64 has no bytes to hash"):
        frame.select(polars.col("number").lanesum.sha256())
    with pytest.raises(ValueError, match="encoding: 'bytes' or 'hex'"):
        WORD.lanesum.sha256(encoding="base64")
    with pytest.raises(TypeError):
        WORD.lanesum.hmac("sha256", "shed")
    with pytest.raises(TypeError, match="algorithm: .*hmac\\(algorithm, key\\)"):
        WORD.lanesum.hmac(b"shed", "sha256")


def test_docstrings():
    assert doctest.testmod(lanesum_polars).failed == 0
