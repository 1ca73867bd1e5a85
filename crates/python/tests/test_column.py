"""Digests as a column: a sequence, and a column of pandas, NumPy, pyarrow and Polars."""

import collections.abc
import copy
import hashlib
import pickle

import numpy
import pandas
import polars
import pyarrow
import pytest

import lanesum

# The digest of the first ends with a zero byte, which the strings of NumPy's `S` drop.
WORDS = ["403", "warp", None, "weft é", "", "warp"]
assert hashlib.sha256(WORDS[0].encode()).digest()[-1] == 0

FORMS = {
    "array": lambda words: pyarrow.array(words, pyarrow.string()),
    "chunks": lambda words: pyarrow.chunked_array([words[:2], words[2:2], words[2:]], pyarrow.string()),
    "dictionary": lambda words: pyarrow.array(words, pyarrow.string()).dictionary_encode(),
    "slice": lambda words: pyarrow.array(["x", *words, "y"], pyarrow.string())[1 : 1 + len(words)],
}


def digests(words=WORDS, encoding="bytes"):
    made = [None if word is None else hashlib.sha256(word.encode()) for word in words]
    return [one and (one.digest() if encoding == "bytes" else one.hexdigest()) for one in made]


@pytest.fixture(params=[(form, encoding) for form in FORMS for encoding in ("bytes", "hex")], ids=str)
def pair(request):
    """A column, and the list of its digests."""
    form, encoding = request.param
    column = lanesum.digest_many("sha256", FORMS[form](WORDS), encoding=encoding)
    return column, digests(encoding=encoding)


def test_sequence(pair):
    column, right = pair
    assert isinstance(column, collections.abc.Sequence)
    assert len(column) == len(right) and column.null_count == 1
    assert list(column) == column.to_pylist() == right
    assert [column[i] for i in range(-6, 6)] == right + right
    assert column[numpy.int64(1)] == right[1]
    assert list(reversed(column)) == right[::-1]
    assert right[1] in column and None in column and b"" not in column
    assert column.index(right[1]) == 1 and column.index(right[1], 2) == 5 and column.count(right[1]) == 2
    with pytest.raises(ValueError):
        column.index(right[3], 0, 3)
    for index in 6, -7, 1 << 70:
        with pytest.raises(IndexError):
            column[index]
    for key in "0", 1.0, None:
        with pytest.raises(TypeError):
            column[key]
    first, *_, last = column
    assert (first, last) == (right[0], right[-1])


def test_slices(pair):
    column, right = pair
    for start in None, 0, 1, 3, -2, 9:
        for stop in None, 0, 2, 5, -1, 9:
            for step in None, 1, 2, -1, -3:
                part = column[start:stop:step]
                assert type(part) is lanesum.Column and list(part) == right[start:stop:step]
                assert pyarrow.array(part).type == pyarrow.array(column).type
    assert list(column[1:][1:3][1:]) == right[3:4]


def test_equality_and_pickle(pair):
    column, right = pair
    other = lanesum.digest_many("sha256", FORMS["array"](WORDS), encoding=encoding_of(right))
    assert column == other and not column != other
    assert column[1:] != other[:-1] and column[:-1] != other and column != right
    assert column != lanesum.digest_many("sha256", FORMS["array"]([*WORDS[:-1], "x"]))
    with pytest.raises(TypeError):
        hash(column)
    for made in pickle.loads(pickle.dumps(column)), copy.copy(column), copy.deepcopy(column):
        assert made == column and list(made) == right
        assert made.is_chunked == column.is_chunked
        assert pyarrow.array(made).type == pyarrow.array(column).type
    part = column[1:3]
    assert pickle.loads(pickle.dumps(part)) == part and list(pickle.loads(pickle.dumps(column[3:3]))) == []
    for kind in "FixedSizeBinary(32)", "LargeUtf8":
        with pytest.raises(ValueError):
            lanesum.Column._restore("", kind, False, [("FixedSizeBinary(32)", 9, None, [b"short"], [])])


def encoding_of(right):
    return "bytes" if isinstance(right[0], bytes) else "hex"


def test_a_pickled_slice_has_no_more_than_its_rows():
    words = pyarrow.array([str(i) for i in range(10_000)])
    for encoding in "bytes", "hex":
        column = lanesum.digest_many("sha256", words, encoding=encoding)
        assert len(pickle.dumps(column[5000:5010])) < 2000


def test_numpy(pair):
    column, right = pair
    for made in numpy.asarray(column), numpy.array(column), numpy.asarray(column, object):
        assert made.dtype == object and made.shape == (6,) and made.tolist() == right
    with pytest.raises(ValueError, match="copy: "):
        numpy.asarray(column, copy=False)
    with pytest.raises(ValueError, match="dtype: .*nulls"):
        numpy.asarray(column, "S64")
    assert numpy.asarray(column[:0]).shape == (0,)
    if encoding_of(right) == "hex":
        assert numpy.asarray(column[:2], "U64").tolist() == right[:2]


def test_pandas(pair):
    column, right = pair
    frame = pandas.DataFrame({"word": WORDS}, index=list("abcdef"))
    frame["digest"] = column
    series = [frame["digest"], frame.assign(digest=column)["digest"], pandas.Series(column)]
    series += [pandas.DataFrame({"digest": column})["digest"]]
    for made in series:
        assert [None if pandas.isna(value) else value for value in made] == right
    with pytest.raises(ValueError):
        frame["digest"] = column[1:]


def test_polars_and_pyarrow(pair):
    column, right = pair
    series = polars.Series("digest", column)
    assert series.to_list() == right
    assert polars.DataFrame({"digest": column})["digest"].to_list() == right
    frame = polars.DataFrame({"word": WORDS}).with_columns(polars.Series("digest", column))
    assert frame["digest"].to_list() == right
    # `with_columns(digest=column)` accepts only NumPy's and Polars' own columns.
    for other in column, pyarrow.array(right):
        with pytest.raises(TypeError, match="cannot create expression literal"):
            frame.with_columns(digest=other)
    assert pyarrow.chunked_array(column).to_pylist() == pyarrow.array(column).to_pylist() == right
    assert pyarrow.table({"digest": pyarrow.array(column)})["digest"].to_pylist() == right


@pytest.mark.parametrize("encoding", ["bytes", "hex"])
def test_polars_series_and_frames(encoding):
    frame = polars.DataFrame({"word": WORDS, "other": WORDS[::-1]})
    right = digests(encoding=encoding)
    made = lanesum.digest_many("sha256", frame["word"], encoding=encoding)
    assert type(made) is polars.Series and made.name == "word" and made.to_list() == right
    keyed = lanesum.hmac_many("sha256", b"key", frame["word"], encoding=encoding)
    rows = lanesum.digest_rows("sha256", frame, encoding=encoding)
    assert type(rows) is type(keyed) is polars.Series
    assert rows.equals(lanesum.digest_rows("sha256", [frame["word"], frame["other"]], encoding=encoding))
    assert rows.to_list() == lanesum.digest_rows("sha256", frame.to_arrow(), encoding=encoding).to_pylist()
    wide = frame.with_columns(digest=made, keyed=keyed, rows=rows)
    assert wide["digest"].to_list() == right and wide["rows"].to_list() == rows.to_list()
    assert frame.with_columns(polars.Series("digest", made))["digest"].to_list() == right
    assert frame.with_columns(made)["word"].to_list() == right
    lazy = frame.lazy().select(
        polars.col("word").map_batches(
            lambda words: lanesum.digest_many("sha256", words, encoding=encoding), return_dtype=made.dtype
        )
    )
    assert lazy.collect()["word"].to_list() == right
    empty = lanesum.digest_many("sha256", frame["word"][:0], encoding=encoding)
    assert empty.dtype == made.dtype and empty.to_list() == []


def test_the_index_of_a_data_frame_is_not_a_column():
    words = {"word": ["a", None], "other": ["b", "c"]}
    right = lanesum.digest_rows("sha256", pandas.DataFrame(words))
    for index in [7, 5], ["x", "y"], pandas.MultiIndex.from_tuples([(1, "a"), (2, "b")]), pandas.RangeIndex(3, 5):
        frame = pandas.DataFrame(words, index=index)
        assert lanesum.digest_rows("sha256", frame) == right
        assert frame.index.equals(pandas.DataFrame(words, index=index).index)
        frame["digest"] = right
        assert frame["digest"].iloc[1] == right[1]


def test_annotations():
    def of(column: lanesum.Column[str]) -> lanesum.Column[bytes] | None: ...

    assert lanesum.Column[bytes].__origin__ is lanesum.Column


def test_rows_and_nothing():
    rows = lanesum.digest_rows("sha256", [pyarrow.array(["a", "b"])])
    assert rows == rows[:] and len(set(rows)) == 2
    nothing = lanesum.digest_many("sha256", pyarrow.array([], pyarrow.string()))
    assert list(nothing) == [] and nothing == nothing[::-1] and nothing.to_pylist() == []
    nulls = lanesum.digest_many("sha256", pyarrow.nulls(3))
    assert list(nulls) == [None] * 3 == pickle.loads(pickle.dumps(nulls)).to_pylist()
