"""What mypy and pyright make of the types; not run."""

import array
import io
from typing import assert_type

import numpy
import numpy.typing
import pandas
import polars
import pyarrow

import lanesum
from lanesum import hmac

words = ["a", "b"]
assert_type(lanesum.digest_many("sha256", words), list[bytes])
assert_type(lanesum.digest_many("sha256", words, encoding="hex"), list[str])
assert_type(lanesum.digest_many(lanesum.sha256, (b"a" for _ in words), encoding="hex"), list[str])
assert_type(lanesum.hmac_many("sha256", b"key", words), list[bytes])
assert_type(lanesum.hmac_many("sha256", b"key", words, encoding="hex"), list[str])
out = bytearray(64)
assert_type(lanesum.digest_many("sha256", words, out=out), bytearray)
assert_type(lanesum.file_digest(io.BytesIO(), lanesum.sha256), lanesum.HASH)
assert_type(lanesum.file_digest(io.BytesIO(), "sha256").hexdigest(), str)
with open("x", "rb") as file, open("x", "rb", buffering=0) as raw:
    lanesum.file_digest(file, "sha1")
    lanesum.file_digest(raw, "sha1")
assert_type(lanesum.new("sha3_256"), lanesum.HASH)
assert_type(lanesum.new("sha256").copy().digest(), bytes)
assert_type(lanesum.sha1dc_many(words, encoding="hex"), tuple[list[str], list[int]])
lanesum.digest_many("sha256", array.array("q", [1]))
rows = numpy.zeros((1, 2), "u1")
numbers: numpy.typing.NDArray[numpy.uint8] = lanesum.digest_many("sha256", rows)
digits: numpy.typing.NDArray[numpy.bytes_] = lanesum.digest_many("sha256", rows, encoding="hex")
assert_type(lanesum.digest_many("sha256", b"ab", offsets=numpy.array([0, 2])), bytes)
assert_type(lanesum.digest_many("sha256", b"ab", offsets=array.array("q", [0, 2])), bytes)
assert_type(lanesum.pbkdf2_many("sha256", words, words, 1), list[bytes])
assert_type(lanesum.double_hash_many("sha256", words, encoding="hex"), list[str])
assert_type(lanesum.chain("sha256", bytes(32), 5), bytes)
assert_type(lanesum.chain_many("sha256", numpy.zeros((2, 32), "u1"), numpy.array([1, 2])), list[bytes])
lanesum.hmac.new(b"", digestmod=lanesum.sha256)

class Arrow:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return object(), object()

column = lanesum.digest_many("sha256", Arrow(), encoding="hex")
assert_type(column, lanesum.Column[str])
assert_type(column[0], str | None)
assert_type(column[1:].to_pylist(), list[str | None])
assert_type(lanesum.digest_rows("sha256", [Arrow()]), lanesum.Column[bytes])

def first(column: lanesum.Column) -> bytes | str | None:
    return column[0]

first(column)
frame = polars.DataFrame({"word": words})
assert_type(lanesum.digest_many("sha256", frame["word"]), polars.Series)
assert_type(lanesum.hmac_many("sha256", b"key", frame["word"], encoding="hex"), polars.Series)
assert_type(lanesum.digest_rows("sha256", frame), polars.Series)
assert_type(lanesum.digest_rows("sha256", [frame["word"], frame["word"]]), polars.Series)
frame.with_columns(digest=lanesum.digest_many("sha256", frame["word"]))
for hashed in lanesum.sum("set", lanesum.md5, globs="*.raw"):
    assert_type(hashed.digest, bytes | None)
    assert_type(hashed.path, str)
for checked in lanesum.check("SHA256SUMS"):
    assert_type(checked.path, str | None)
series = pandas.Series(words)
assert_type(lanesum.digest_many("sha256", series), lanesum.Column[bytes])
assert_type(lanesum.hmac_many("sha256", b"key", series, encoding="hex"), lanesum.Column[str])
assert_type(lanesum.digest_rows("sha256", [series, series]), lanesum.Column[bytes])
