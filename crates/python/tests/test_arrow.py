"""Arrow columns of several libraries, compared with hashlib's digest of each value."""

import hashlib
import hmac

import hypothesis
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from conftest import refused
from hypothesis import strategies as st

import lanesum

TYPES = [
    pyarrow.binary(),
    pyarrow.large_binary(),
    pyarrow.binary_view(),
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
]
VALUES = st.lists(st.none() | st.text(max_size=100))
THREADS = st.sampled_from([None, 1, 2])


def digest(name, value):
    return None if value is None else hashlib.new(name, octets(value)).digest()


def octets(value):
    return value.encode() if isinstance(value, str) else value


def taken(column):
    """Imports a column into pyarrow, which validates it."""
    array = pyarrow.chunked_array(column)
    array.validate(full=True)
    assert len(array) == len(column) and array.null_count == column.null_count
    whole = pyarrow.array(column)
    whole.validate(full=True)
    assert whole.to_pylist() == array.to_pylist()
    return array


def test_columns_of_nulls_from_polars():
    """Polars exports a buffer for type `Null`, which Arrow does not define."""
    nulls = polars.Series("a", [None, None])
    assert nulls.dtype == polars.Null
    assert lanesum.digest_many("sha256", nulls).to_list() == [None, None]
    assert lanesum.hmac_many("sha256", b"key", nulls, encoding="hex").to_list() == [None, None]
    frame = polars.DataFrame({"a": nulls, "b": ["x", None]})
    right = list(lanesum.digest_rows("sha256", pyarrow.table({"a": pyarrow.nulls(2), "b": ["x", None]})))
    for columns in frame, [nulls, frame["b"]], polars.concat([frame, frame], rechunk=False)[:2]:
        assert list(lanesum.digest_rows("sha256", columns)) == right
    for lists in polars.Series([[None]]), polars.Series([[None]], dtype=polars.Array(polars.Null, 1)):
        refused(TypeError, "data: a column of .*List", lambda lists=lists: lanesum.digest_many("sha256", lists))


@hypothesis.given(st.sampled_from(TYPES), VALUES, st.integers(0, 5), THREADS)
def test_arrays(kind, values, start, threads):
    values = [octets(value) if "binary" in str(kind) and value is not None else value for value in values]
    whole = pyarrow.array(values, kind)
    chunks = pyarrow.chunked_array([whole, whole[start:], whole[:0]], kind)
    for data in whole, whole[start:], whole[start : 2 * start], chunks:
        right = [digest("sha256", value) for value in data.to_pylist()]
        column = lanesum.digest_many("sha256", data, threads=threads)
        assert isinstance(column, lanesum.Column)
        assert column.is_chunked == (data is chunks)
        array = taken(column)
        assert array.type == pyarrow.binary(32)
        assert array.to_pylist() == right
        digits = taken(lanesum.digest_many("sha256", data, encoding="hex"))
        assert digits.type == pyarrow.large_string()
        assert digits.to_pylist() == [value and value.hex() for value in right]
        tags = taken(lanesum.hmac_many("sha1", b"shed", data)).to_pylist()
        assert tags == [
            None if value is None else hmac.digest(b"shed", octets(value), "sha1")
            for value in data.to_pylist()
        ]


@hypothesis.given(st.integers(0, 70), st.lists(st.booleans()), st.integers(0, 3))
def test_fixed_size(length, valid, start):
    values = [bytes([i % 256]) * length if is_valid else None for i, is_valid in enumerate(valid)]
    data = pyarrow.array(values, pyarrow.binary(length))[start:]
    right = [digest("sha512", value) for value in values[start:]]
    assert taken(lanesum.digest_many("sha512", data)).to_pylist() == right


@hypothesis.given(VALUES, st.sampled_from([pyarrow.int8(), pyarrow.uint16(), pyarrow.int64()]))
def test_dictionaries(values, keys):
    data = pyarrow.array(values, pyarrow.string()).dictionary_encode().cast(
        pyarrow.dictionary(keys, pyarrow.string())
    )
    array = taken(lanesum.digest_many("sha256", data)).combine_chunks()
    if values:
        assert array.type == pyarrow.dictionary(keys, pyarrow.binary(32))
    assert array.to_pylist() == [digest("sha256", value) for value in values]
    digits = taken(lanesum.digest_many("sha256", data, encoding="hex"))
    assert digits.to_pylist() == [value and value.hex() for value in array.to_pylist()]


def test_a_value_of_a_dictionary_is_hashed_once():
    long = "warp" * (1 << 20)
    data = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 100_000), [long])
    digests = pyarrow.array(lanesum.digest_many("sha256", data))
    assert len(digests.dictionary) == 1 and digests[99_999].as_py() == digest("sha256", long)


@pytest.mark.parametrize("keys", ["int8", "uint8", "int16", "uint32", "int64", "uint64"])
def test_keys_without_a_value(keys):
    """A key that is not of the dictionary, unless it is under a null."""

    def column(numbers, values=("warp", "weft")):
        numbers = pyarrow.array(numbers, keys)
        return pyarrow.DictionaryArray.from_arrays(numbers, pyarrow.array(values, "string"), safe=False)

    sound = column([0, None, 1])
    faults = [[0, 2, None], [100]] + ([] if keys.startswith("u") else [[1, 0, -1]])
    for wrong in [*(column(numbers) for numbers in faults), column([0], ())]:
        with pytest.raises(ValueError, match="^data: row .* has key"):
            lanesum.digest_many("sha256", wrong)
        chunked = pyarrow.chunked_array([sound, wrong])
        with pytest.raises(ValueError, match="^data: row .* has key"):
            lanesum.digest_many("sha256", chunked)
        for columns in [wrong], [chunked], pyarrow.table({"word": wrong}), pyarrow.table({"word": chunked}):
            with pytest.raises(ValueError, match="^columns: (item 0: )?row .* has key"):
                lanesum.digest_rows("sha256", columns)
    hidden = pyarrow.Array.from_buffers(
        pyarrow.int8(), 2, [pyarrow.py_buffer(b"\1"), pyarrow.py_buffer(b"\0\x64")]
    )
    hidden = pyarrow.DictionaryArray.from_arrays(hidden, ["warp"], safe=False)
    assert taken(lanesum.digest_many("sha256", hidden)).to_pylist() == [digest("sha256", "warp"), None]
    assert len(taken(lanesum.digest_rows("sha256", [hidden]))) == 2


def test_no_value_and_no_row():
    assert taken(lanesum.digest_many("sha256", pyarrow.nulls(3))).to_pylist() == [None] * 3
    empty = pyarrow.chunked_array([], pyarrow.string())
    assert taken(lanesum.digest_many("sha256", empty)).to_pylist() == []
    assert repr(lanesum.digest_many("sha256", empty)) == "<lanesum.Column of 0 FixedSizeBinary(32)>"


def test_nothing_of_what_is_null_is_left():
    """A value under a null is neither hashed nor is its digest there."""
    hidden = pyarrow.Array.from_buffers(
        pyarrow.binary(),
        2,
        [
            pyarrow.py_buffer(b"\2"),
            pyarrow.py_buffer((0).to_bytes(4, "little") + (4).to_bytes(4, "little") * 2),
            pyarrow.py_buffer(b"warp"),
        ],
    )
    digests = pyarrow.array(lanesum.digest_many("sha256", hidden))
    assert digests.to_pylist() == [None, digest("sha256", b"")]
    assert digests.buffers()[1].to_pybytes()[:32] == bytes(32)


def test_many_rows_by_many_threads():
    values = [f"row {i}" * (i % 5) for i in range(200_000)]
    right = [digest("sha256", value) for value in values]
    for threads in None, 1, 2, 5:
        column = lanesum.digest_many("sha256", pyarrow.array(values), threads=threads)
        assert pyarrow.array(column).to_pylist() == right


def test_memory_that_is_used_again():
    """A column that is gone leaves its memory to the next, and nothing of its digests."""
    rows = 200_000  # more bytes of digests than are kept in an allocator's own memory
    first = pyarrow.array(lanesum.digest_many("sha256", pyarrow.array(map(str, range(rows)))))
    places = {first.buffers()[1].address}
    kept = first.slice(0, 1000).to_pylist()
    for parity in 0, 1:
        values = [str(i) if i % 2 == parity else None for i in range(rows - 1000 * parity)]
        second = pyarrow.array(lanesum.digest_many("sha256", pyarrow.array(values)))
        assert second.to_pylist() == [digest("sha256", value) for value in values]
        null = 32 * (1 - parity)
        assert second.buffers()[1].to_pybytes()[null : null + 32] == bytes(32)
        assert second.buffers()[1].size == 32 * len(values)
        # The first one is still alive, so its memory is not reused.
        assert first.slice(0, 1000).to_pylist() == kept
        assert second.buffers()[1].address not in places
        del second
    place = first.buffers()[1].address
    del first
    again = [pyarrow.array(lanesum.digest_many("sha256", pyarrow.array(["x"] * rows))) for _ in "12"]
    assert place in {column.buffers()[1].address for column in again}
    for column in again:
        assert column.to_pylist() == [digest("sha256", "x")] * rows


def test_more_rows_than_memory():
    words = pyarrow.array([str(i) if i % 9 else None for i in range(600_000)])
    digests = taken(lanesum.digest_many("sha256", words)).to_pylist()
    digits = taken(lanesum.digest_many("sha256", words, encoding="hex")).to_pylist()
    assert digits == [value and value.hex() for value in digests]
    assert digests[-1] == digest("sha256", "599999") and digests[-6] is None
    for rows in 1 << 50, 1 << 60:
        nothing = pyarrow.Array.from_buffers(pyarrow.binary(0), rows, [None, pyarrow.py_buffer(b"")])
        for encoding in "bytes", "hex":
            with pytest.raises((MemoryError, ValueError), match="^data: "):
                lanesum.digest_many("sha256", nothing, encoding=encoding)


def test_polars():
    values = ["warp", None, "weft", "weft"]
    right = [digest("sha256", value) for value in values]
    series = polars.Series("word", values)
    assert polars.Series(lanesum.digest_many("sha256", series)).to_list() == right
    categories = series.cast(polars.Categorical)
    assert polars.Series(lanesum.digest_many("sha256", categories)).to_list() == right
    binary = series.cast(polars.Binary)
    assert polars.Series(lanesum.digest_many("sha256", binary)).to_list() == right
    digits = polars.Series(lanesum.digest_many("sha256", series, encoding="hex"))
    assert digits.to_list() == [value and value.hex() for value in right]
    for words in series, categories, series.cast(polars.Enum(["warp", "weft"])):
        digits = lanesum.digest_many("sha256", words, encoding="hex")
        assert digits.dtype == polars.String and digits.to_list() == [value and value.hex() for value in right]


def test_pandas():
    values = ["warp", None, "weft"]
    right = [digest("sha256", value) for value in values]
    for dtype in pandas.ArrowDtype(pyarrow.string()), "string[pyarrow]":
        series = pandas.Series(values, dtype=dtype)
        assert taken(lanesum.digest_many("sha256", series)).to_pylist() == right
    for data in series.array, pandas.Index(values), pandas.Categorical(values), pandas.Series(values).array:
        assert lanesum.digest_many("sha256", data).to_pylist() == right
    for data in pandas.Series(values).to_numpy(object), [b"", pandas.NA], [b"", pandas.NaT], [b"", None]:
        with pytest.raises(TypeError, match="data: item 1: .*: nulls are supported only by .* Arrow columns"):
            lanesum.digest_many("sha256", data)
    for mixed in [1, "a"], ["a", 1]:
        with pytest.raises(TypeError, match="data: no Arrow form .*: cast it to text or bytes"):
            lanesum.digest_many("sha256", pandas.Series(mixed, dtype=object))


def framed(row):
    """Returns the message of a row, as documented."""
    message = b"lanesum.row\x01" + len(row).to_bytes(4, "little")
    for value in row:
        if value is None:
            message += b"\0"
        else:
            value = octets(value)
            message += b"\1" + len(value).to_bytes(8, "little") + value
    return message


@hypothesis.given(st.lists(st.tuples(st.none() | st.text(max_size=9), st.none() | st.binary(max_size=99))))
def test_rows(rows):
    words = pyarrow.array([row[0] for row in rows], pyarrow.string())
    blobs = pyarrow.array([row[1] for row in rows], pyarrow.binary())
    table = pyarrow.table({"word": words, "blob": blobs})
    right = [hashlib.sha256(framed(row)).digest() for row in rows]
    views = [words.cast(pyarrow.string_view()), pyarrow.chunked_array([blobs[:2], blobs[2:]])]
    encoded = [words.dictionary_encode(), blobs]
    for columns in [words, blobs], (words, blobs), table, views, encoded:
        assert taken(lanesum.digest_rows("sha256", columns)).to_pylist() == right
    assert lanesum.digest_rows("sha256", polars.DataFrame(table)).to_list() == right
    digits = taken(lanesum.digest_rows("sha256", table, encoding="hex")).to_pylist()
    assert digits == [value.hex() for value in right]
    tags = taken(lanesum.digest_rows("sha256", table, key=b"shed")).to_pylist()
    assert tags == [hmac.digest(b"shed", framed(row), "sha256") for row in rows]


def test_rows_that_are_alike_when_joined():
    rows = [("ab", "c"), ("a", "bc"), ("abc", ""), ("abc", None), (None, "abc"), ("", "abc")]
    columns = [pyarrow.array(list(column)) for column in zip(*rows, strict=True)]
    assert len(set(taken(lanesum.digest_rows("sha256", columns)).to_pylist())) == len(rows)


def test_rows_in_chunks():
    """Chunks of every kind are concatenated, empty ones and slices too."""
    values = ["warp", None, "weft", "", "a value longer than twelve bytes", "weft"]
    right = [hashlib.sha256(framed([value])).digest() for value in values]
    words = pyarrow.array(values)
    nulls = pyarrow.DictionaryArray.from_arrays(pyarrow.array([None, None], "int32"), words[6:])
    for kind in "string", "large_string", "binary", "large_binary", "string_view", "binary_view":
        whole = words.cast(kind)
        for encode in False, True:
            if encode and "view" in kind:
                continue
            parts = [whole[1:], whole[6:], whole[:0], whole[:2], whole[2:]]
            expected = right[1:] + right
            if encode:
                parts = [part.dictionary_encode() for part in parts]
                if kind == "string":
                    parts.append(nulls)
                    expected = expected + [hashlib.sha256(framed([None])).digest()] * 2
            column = pyarrow.chunked_array(parts)
            assert lanesum.digest_rows("sha256", [column]).to_pylist() == expected, (kind, encode)
            table = pyarrow.table({"word": column})
            assert lanesum.digest_rows("sha256", table).to_pylist() == expected, (kind, encode)
    fixed = pyarrow.array([b"warp", None, b"weft"], pyarrow.binary(4))
    column = pyarrow.chunked_array([fixed[1:], fixed[3:], fixed])
    expected = [hashlib.sha256(framed([value])).digest() for value in [None, b"weft", b"warp", None, b"weft"]]
    assert lanesum.digest_rows("sha256", [column]).to_pylist() == expected


class Handing:
    """A producer that hands out the same capsules each time."""

    def __init__(self, array):
        self.capsules = array.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


class Broken:
    def __init__(self, answer):
        self.answer = answer

    def __arrow_c_array__(self, requested_schema=None):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def stream(error):
    def batches():
        yield pyarrow.record_batch({"word": ["warp"]})
        raise error

    return pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"word": "string"}), batches())


def edited(values, buffer, at, number):
    """An array with a number that its producer got wrong."""
    array = pyarrow.array(values)
    buffers = array.buffers()
    wrong = bytearray(buffers[buffer])
    wrong[at : at + 4] = number.to_bytes(4, "little", signed=True)
    buffers[buffer] = pyarrow.py_buffer(bytes(wrong))
    return pyarrow.Array.from_buffers(array.type, len(array), buffers)


def chunks(array):
    return pyarrow.chunked_array([array, array])


def test_what_is_no_column(capfd):
    many, rows = lanesum.digest_many, lanesum.digest_rows
    words = pyarrow.array(["warp", "weft"])
    view = pyarrow.array(["more than twelve"], pyarrow.string_view())
    buffers = view.buffers()
    wrong = bytearray(buffers[1])
    wrong[12:16] = (9).to_bytes(4, "little")
    buffers[1] = pyarrow.py_buffer(bytes(wrong))
    outside = pyarrow.Array.from_buffers(view.type, 1, buffers)
    for error, text, call in [
        (TypeError, "data: a column of Int64", lambda: many("sha256", pyarrow.array([1]))),
        (TypeError, "data: a column of List", lambda: many("sha256", pyarrow.array([["x"]]))),
        (TypeError, "data: a column of .*RunEnd.*run_end_decode", lambda: many("sha256", pyarrow.compute.run_end_encode(words))),
        (TypeError, "data: a table is not one column", lambda: many("sha256", pyarrow.table([words], ["x"]))),
        (TypeError, "out: the digests of a column", lambda: many("sha256", words, out=bytearray(64))),
        (ValueError, "data: offset 1 is neg", lambda: many("sha256", edited(["a", "b"], 1, 4, -1))),
        (ValueError, "data: offset 2 is less", lambda: many("sha256", edited(["a"] * 3, 1, 8, 0))),
        (ValueError, "data: offset 1 is past", lambda: many("sha256", edited(["a", "b"], 1, 4, 9))),
        (ValueError, "data: view 0 is outside", lambda: many("sha256", outside)),
        (ZeroDivisionError, "data", lambda: many("sha256", Broken(ZeroDivisionError()))),
        (TypeError, "data", lambda: many("sha256", Broken(5))),
        (Exception, "data", lambda: many("sha256", Broken((1, 2)))),
        (Exception, "data", lambda: many("sha256", Broken(()))),
        (Exception, "data", lambda: many("sha256", Broken(words.__arrow_c_array__()[::-1]))),
        (Exception, "columns", lambda: rows("sha256", stream(ValueError("sheared")))),
        (TypeError, "columns: a table or a list", lambda: rows("sha256", words)),
        (TypeError, "columns: a table or a list", lambda: rows("sha256", 5)),
        (ValueError, "columns: at least one", lambda: rows("sha256", [])),
        (ValueError, "columns: item 0: offset 1 is neg", lambda: rows("sha256", [chunks(edited(["a", "b"], 1, 4, -1))])),
        (ValueError, "columns: columns of 2 and of 1", lambda: rows("sha256", [words, words[:1]])),
        (TypeError, "columns: item 1: a column of Int64", lambda: rows("sha256", [words, pyarrow.array([1, 2])])),
        (Exception, "columns", lambda: rows("sha256", ["warp"])),
        (ValueError, "columns: has rows that are null", lambda: rows("sha256", pyarrow.array([None, {"a": "b"}]))),
        (TypeError, "key: a bytes-like", lambda: rows("sha256", [words], key="key")),
        (ValueError, "threads: at least 1", lambda: rows("sha256", [words], threads=-1)),
        (ValueError, "encoding: ", lambda: rows("sha256", [words], encoding="base64")),
    ]:
        refused(error, text, call)
    with pytest.raises(Exception, match="sheared"):
        rows("sha256", stream(ValueError("sheared")))
    for taken_once in many, lambda name, once: rows(name, [once]):
        once = Handing(words)
        assert len(taken_once("sha256", once)) == 2
        with pytest.raises(ValueError, match="^(data|columns): .*taken before"):
            taken_once("sha256", once)
    capfd.readouterr()


def test_polars_objects_and_lazy_frames_are_refused():
    """Polars exports objects as their addresses."""
    objects = polars.Series("word", [b"warp", "weft"], dtype=polars.Object)
    frame = polars.DataFrame({"word": objects})
    for call in (
        lambda: lanesum.digest_many("sha256", objects),
        lambda: lanesum.hmac_many("sha256", b"key", objects),
        lambda: lanesum.digest_rows("sha256", frame),
        lambda: lanesum.digest_rows("sha256", iter([objects])),
    ):
        refused(TypeError, "(data|columns: item 0|columns): a Polars column of Object", call)
    lazy = polars.LazyFrame({"word": ["warp"]})
    refused(TypeError, "data: a Polars LazyFrame", lambda: lanesum.digest_many("sha256", lazy))
    word = polars.col("word")
    refused(TypeError, "data: a Polars Expr .*map_batches", lambda: lanesum.digest_many("sha256", word))
    refused(TypeError, "columns: a Polars LazyFrame", lambda: lanesum.digest_rows("sha256", lazy))
