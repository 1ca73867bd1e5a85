"""What mypy and pyright make of the types; not run."""

import array
import io
from typing import assert_type

import numpy
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
assert_type(lanesum.new("sha3_256").digest(), bytes)
assert_type(lanesum.sha1dc_many(words, encoding="hex"), tuple[list[str], list[int]])
lanesum.digest_many("sha256", array.array("q", [1]))
lanesum.digest_many("sha256", numpy.zeros((1, 2), "u1"))
lanesum.hmac.new(b"", digestmod=lanesum.sha256)

class Arrow:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return object(), object()

assert_type(lanesum.digest_many("sha256", Arrow(), encoding="hex"), lanesum.Column)
assert_type(lanesum.digest_rows("sha256", [Arrow()]), lanesum.Column)
