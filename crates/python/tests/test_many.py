"""Batches of objects, arrays and offsets, compared with hashlib's digest of each message."""

import array
import functools
import hashlib
import hmac
import itertools
import os
import subprocess
import sys
import threading

import hypothesis
import numpy
import pandas
import pyarrow
import pytest
from conftest import refused
from hypothesis import strategies as st
from interrupts import interrupted

import lanesum

BOTH = sorted(lanesum.algorithms_native & hashlib.algorithms_available)
NAMES = st.sampled_from(BOTH)
THREADS = st.sampled_from([None, 1, 2, 5])
MESSAGES = st.lists(st.binary(max_size=300))


def each(name, messages):
    return [hashlib.new(name, message).digest() for message in messages]


def octets(message):
    return message.encode() if isinstance(message, str) else bytes(message)


@hypothesis.given(NAMES, st.lists(st.binary(max_size=2000) | st.text()), THREADS)
def test_objects(name, messages, threads):
    right = each(name, map(octets, messages))
    digests = lanesum.digest_many(name, messages, threads=threads)
    assert digests == right
    assert all(type(digest) is bytes for digest in digests)
    assert lanesum.digest_many(name, tuple(messages)) == right
    assert lanesum.digest_many(name, iter(messages)) == right
    assert lanesum.digest_many(name, (bytearray(octets(m)) for m in messages)) == right
    assert lanesum.digest_many(name, [memoryview(octets(m)) for m in messages]) == right
    hexadecimal = lanesum.digest_many(name, messages, encoding="hex")
    assert hexadecimal == [digest.hex() for digest in right]


def test_more_objects_than_are_held_at_a_time():
    messages = [b"%d" % i for i in range(100_000)]
    right = each("sha256", messages)
    for threads in None, 1, 2, 7:
        assert lanesum.digest_many("sha256", messages, threads=threads) == right
        assert lanesum.digest_many("sha256", iter(messages), threads=threads) == right
    out = bytearray(32 * len(messages))
    assert lanesum.digest_many("sha256", iter(messages), out=out) is out
    assert out == b"".join(right)


def test_long_messages_among_short_ones():
    messages = [os.urandom(1 << (i % 22)) for i in range(200)]
    for threads in None, 1, 3:
        assert lanesum.digest_many("sha1", messages, threads=threads) == each("sha1", messages)


@hypothesis.given(NAMES, MESSAGES, THREADS)
def test_out(name, messages, threads):
    right = b"".join(each(name, messages))
    out = bytearray(len(right))
    assert lanesum.digest_many(name, messages, out=out, threads=threads) is out
    assert out == right
    digits = numpy.zeros(2 * len(right), "u1")
    assert lanesum.digest_many(name, messages, out=digits, encoding="hex") is digits
    assert digits.tobytes() == right.hex().encode()


@hypothesis.given(
    NAMES,
    st.integers(0, 40),
    st.integers(0, 9),
    st.integers(1, 9),
    st.sampled_from(["u1", "i8", ">f4"]),
    THREADS,
)
def test_rows_of_an_array(name, rows, columns, more, dtype, threads):
    whole = numpy.random.default_rng(1).integers(0, 255, (2 * rows, columns + more))
    whole = whole.astype(dtype)
    for data in whole, whole[:, :columns], whole[::2], whole[::2, :columns]:
        digests = lanesum.digest_many(name, data, threads=threads)
        right = each(name, [row.tobytes() for row in data])
        assert digests.dtype == "u1"
        assert digests.shape == (len(data), hashlib.new(name).digest_size)
        assert [row.tobytes() for row in digests] == right
        digits = lanesum.digest_many(name, data, encoding="hex")
        assert [row.decode() for row in digits] == [digest.hex() for digest in right]


def test_other_arrays():
    numbers = numpy.arange(1000, dtype="i8")
    right = each("sha256", [number.tobytes() for number in numbers])
    assert [row.tobytes() for row in lanesum.digest_many("sha256", numbers)] == right
    assert lanesum.digest_many("sha256", array.array("q", numbers)) == b"".join(right)
    cube = numpy.arange(24, dtype="u2").reshape(2, 3, 4)
    right = each("sha256", [square.tobytes() for square in cube])
    assert [row.tobytes() for row in lanesum.digest_many("sha256", cube)] == right
    pairs = numpy.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])
    right = each("sha256", [pair.tobytes() for pair in pairs])
    assert [row.tobytes() for row in lanesum.digest_many("sha256", pairs)] == right

    class Derived(numpy.ndarray):
        pass

    assert isinstance(lanesum.digest_many("sha256", pairs.view(Derived)), numpy.ndarray)


WORDS = ["", "warp", "weft é", "\U0001f9f5 thread", "x" * 90]


def test_strings_of_numpy():
    right = each("sha256", [word.encode() for word in WORDS])
    for dtype in "U", ">U100", "O", numpy.dtypes.StringDType():
        digests = lanesum.digest_many("sha256", numpy.array(WORDS, dtype))
        assert digests.dtype == "u1" and digests.shape == (len(WORDS), 32)
        assert [bytes(digest) for digest in digests] == right
        digits = lanesum.digest_many("sha256", numpy.array(WORDS, dtype), encoding="hex")
        assert digits.dtype == "S64" and [row.decode() for row in digits] == [row.hex() for row in right]
        out = bytearray(32 * len(WORDS))
        assert lanesum.digest_many("sha256", numpy.array(WORDS, dtype), out=out) is out
        assert out == b"".join(right)
    padded = numpy.array([word.encode() for word in WORDS], "S400")
    for data in padded, padded[::2], numpy.tile(padded, 30_000):
        digests = lanesum.digest_many("sha256", data)
        some = each("sha256", data[: len(WORDS)])
        assert [row.tobytes() for row in digests[: len(WORDS)]] == some
        assert digests[-1].tobytes() == hashlib.sha256(data[-1]).digest()
    text = numpy.tile(numpy.array(WORDS), 30_000)
    digests = lanesum.digest_many("sha256", text)
    assert digests[-1].tobytes() == right[-1] and len(digests) == len(text)


def test_dates_of_numpy():
    days = numpy.array(["1970-01-02", "2026-11-24", "NaT"], "M8[D]")
    pairs = numpy.array([(day, 1) for day in days], [("day", "M8[D]"), ("number", "i4")])
    for data in days, days - days[0], pairs, pairs["day"], numpy.stack([days, days]), days.astype(">M8[D]"):
        digests = lanesum.digest_many("sha256", data)
        assert digests.dtype == "u1" and digests.shape == (len(data), 32)
        right = each("sha256", [data[i : i + 1].tobytes() for i in range(len(data))])
        assert [row.tobytes() for row in digests] == right


def test_masks_are_refused():
    numbers = numpy.arange(3)
    masked = numpy.ma.array(numbers, mask=[False, True, False])
    pairs = numpy.ma.array([(1, 2)], mask=[(False, True)], dtype=[("a", "i4"), ("b", "i4")])
    many = lanesum.digest_many
    for data in masked, numpy.ma.array(["a", "b"], mask=[True, False]), pairs, numpy.ma.masked_all((2, 2)):
        refused(TypeError, "data: a masked array: fill it", lambda data=data: many("sha256", data))
    for data in [numbers, masked], (b"", numpy.ma.masked):
        refused(TypeError, "data: item 1: masked", lambda data=data: many("sha256", data))
    offsets = numpy.ma.array([0, 1], mask=[True, False])
    refused(TypeError, "offsets: a masked array", lambda: many("sha256", b"warp", offsets=offsets))
    bare = many("sha256", numpy.ma.array(numbers, mask=False))
    assert bare.tobytes() == many("sha256", numbers).tobytes() == many("sha256", masked.filled(1)).tobytes()


@hypothesis.given(NAMES, MESSAGES, st.sampled_from("iIqQ"), THREADS)
def test_offsets(name, messages, kind, threads):
    ends = [0]
    for message in messages:
        ends.append(ends[-1] + len(message))
    offsets, data = array.array(kind, ends), b"".join(messages)
    right = b"".join(each(name, messages))
    assert lanesum.digest_many(name, data, offsets=offsets, threads=threads) == right
    digests = lanesum.digest_many(name, numpy.frombuffer(data, "u1"), offsets=offsets)
    assert digests.tobytes() == right
    key = b"shed"
    tags = lanesum.hmac_many(name, key, data, offsets=numpy.array(ends))
    assert tags == b"".join(hmac.digest(key, message, name) for message in messages)


@hypothesis.given(NAMES, st.binary(max_size=200), MESSAGES, THREADS)
def test_tags(name, key, messages, threads):
    right = [hmac.digest(key, message, name) for message in messages]
    assert lanesum.hmac_many(name, key, messages, threads=threads) == right
    tags = lanesum.hmac_many(name, key, messages, encoding="hex")
    assert tags == [tag.hex() for tag in right]


@hypothesis.given(NAMES, st.lists(st.binary()), st.integers(1, 5), st.integers(1, 90), THREADS)
def test_passwords(name, passwords, iterations, length, threads):
    salts = [b"%d" % i for i in range(len(passwords))]
    keys = lanesum.pbkdf2_many(name, passwords, salts, iterations, length, threads=threads)
    assert keys == [
        hashlib.pbkdf2_hmac(name, password, salt, iterations, length)
        for password, salt in zip(passwords, salts, strict=True)
    ]


def chain(name, digest, count):
    for _ in range(count):
        digest = hashlib.new(name, digest).digest()
    return digest


@hypothesis.given(NAMES, st.lists(st.integers(0, 300), max_size=80), THREADS)
def test_chains(name, counts, threads):
    starts = [hashlib.new(name, b"%d" % i).digest() for i in range(len(counts))]
    right = [chain(name, start, count) for start, count in zip(starts, counts, strict=True)]
    assert lanesum.chain_many(name, starts, counts, threads=threads) == right
    for start, count, end in zip(starts, counts, right, strict=True):
        assert lanesum.chain(name, start, count) == end
    size = hashlib.new(name).digest_size
    rows = numpy.frombuffer(b"".join(starts), "u1").reshape(-1, size)
    assert lanesum.chain_many(name, rows, numpy.array(counts, "u8"), threads=threads) == right


def test_many_chains_on_threads():
    starts = [hashlib.sha256(b"%d" % i).digest() for i in range(3000)]
    counts = [i % 1500 for i in range(3000)]
    ends = lanesum.chain_many("sha256", starts, counts, threads=4)
    assert ends == lanesum.chain_many("sha256", iter(starts), iter(counts), threads=1)
    assert ends[::97] == [chain("sha256", s, c) for s, c in zip(starts[::97], counts[::97], strict=True)]


@hypothesis.given(NAMES, MESSAGES, THREADS)
def test_double_digests(name, messages, threads):
    right = [hashlib.new(name, digest).digest() for digest in each(name, messages)]
    assert lanesum.double_hash_many(name, messages, threads=threads) == right
    assert lanesum.double_hash_many(name, messages, encoding="hex") == [digest.hex() for digest in right]


def test_passwords_in_numpy_arrays():
    right = [hashlib.pbkdf2_hmac("sha256", password, password, 3) for password in (b"a", b"bc")]
    for array_of in "S", "U", "O", numpy.dtypes.StringDType():
        passwords = numpy.array(["a", "bc"], array_of)
        assert lanesum.pbkdf2_many("sha256", passwords, passwords, 3) == right
        assert lanesum.sha1dc_many(passwords)[0] == [hashlib.sha1(b"a").digest(), hashlib.sha1(b"bc").digest()]
    rows = numpy.frombuffer(b"a\0bc", "u1").reshape(2, 2)
    right = [hashlib.pbkdf2_hmac("sha256", row, row, 3) for row in (b"a\0", b"bc")]
    assert lanesum.pbkdf2_many("sha256", rows, rows, 3) == right
    for wrong in numpy.zeros(2, "u1"), numpy.zeros(2), memoryview(b"ab"):
        refused(TypeError, "passwords: .*iterable", lambda wrong=wrong: lanesum.pbkdf2_many("sha256", wrong, wrong, 3))
    masked = numpy.ma.array(["a", "bc"], mask=[0, 1])
    refused(TypeError, "passwords: .*masked", lambda: lanesum.pbkdf2_many("sha256", masked, masked, 3))


def test_what_is_no_batch():
    many, tags, rows = lanesum.digest_many, lanesum.hmac_many, numpy.zeros((4, 8), "u1")
    offsets = array.array("q", [0, 2, 4])
    # With a key of 2 GiB each these are more than any address.
    no = [b""] * 100_000

    class Failing:
        def __iter__(self):
            yield b"warp"
            raise ZeroDivisionError

    class Longer(list):
        """A list whose reported length exceeds memory."""

        def __len__(self):
            return 1 << 50

    assert many("sha256", Longer([b"warp"])) == each("sha256", [b"warp"])
    released = memoryview(b"warp")
    released.release()
    gaps = memoryview(b"warp")[::2]
    pairs, column = pandas.MultiIndex.from_arrays([["a"], ["b"]]), pyarrow.array(["a"])
    objects = numpy.array([(1, "warp")], [("number", "i8"), ("object", "O")])
    offsets = numpy.array([0, 4])
    wide, square = numpy.arange(8, dtype="u2"), numpy.zeros((4, 4), "u1")
    for error, text, call in [
        (TypeError, "data: 'bytes' is one message", lambda: many("sha256", b"warp")),
        (TypeError, "data: 'str' is one message", lambda: many("sha256", "warp")),
        (TypeError, "data: 'bytearray' is one", lambda: many("sha256", bytearray(5))),
        (TypeError, "data: .*one axis is one message", lambda: many("sha256", numpy.zeros(5, "u1"))),
        (TypeError, "data: .*one axis is one message", lambda: many("sha256", memoryview(b"warp"))),
        (TypeError, "data: .*without an axis", lambda: many("sha256", numpy.array(1))),
        (TypeError, "data: .*not iterable", lambda: many("sha256", 5)),
        (TypeError, "data: .*not iterable", lambda: many("sha256", None)),
        (TypeError, "data: item 1: .*str is required, not 'NoneType'", lambda: many("sha256", [b"", None])),
        (TypeError, "data: item 1: .*str is required, not 'int'", lambda: many("sha256", iter([b"", 5]))),
        (TypeError, "data: item 0", lambda: many("sha256", [["warp"]])),
        (TypeError, "data: item 1", lambda: many("sha256", numpy.array([b"warp", 5], "O"))),
        (UnicodeEncodeError, "data: item 1", lambda: many("sha256", ["", "\ud800"])),
        (ValueError, "data: item 1: U\\+D800 has no UTF-8", lambda: many("sha256", numpy.array(["", "\ud800"]))),
        (ValueError, "data: item 0: .*released", lambda: many("sha256", [released])),
        (ValueError, "data", lambda: many("sha256", released)),
        (BufferError, "data: item 0: .*contiguous", lambda: many("sha256", [gaps])),
        (ValueError, "data: the bytes of each row", lambda: many("sha256", rows[:, ::2])),
        (ValueError, "data: .*rows in order", lambda: many("sha256", rows[::-1])),
        (ValueError, "data: .*rows in order", lambda: many("sha256", rows.T)),
        (ValueError, "data: .*must have one axis", lambda: many("sha256", numpy.zeros((2, 2), "S3"))),
        (ZeroDivisionError, "data", lambda: many("sha256", Failing())),
        (ValueError, "unsupported hash type spam: use one of lanesum.algorithms_native$", lambda: many("spam", [])),
        (TypeError, "algorithm: .*'int': the order is algorithm, data$", lambda: many(1, [])),
        (TypeError, "algorithm: .*'list': the order is", lambda: many([b""], "sha256")),
        (ValueError, "unsupported hash type .*list", lambda: many(list, [b""])),
        *(
            (ValueError, "unsupported hash type .*sha1dc.*: only sha1dc and sha1dc_many", lambda of=of: many(of, []))
            for of in ("sha1dc", lanesum.sha1dc, functools.partial(lanesum.sha1dc, safe=True))
        ),
        (TypeError, "data: a pandas MultiIndex .*digest_rows", lambda: many("sha256", pairs)),
        (TypeError, "columns: .*not <class 'dict'>: pass its values", lambda: lanesum.digest_rows("sha256", {"a": column})),
        (TypeError, "data: an array of objects", lambda: many("sha256", numpy.array([["a"]], "O"))),
        (TypeError, "data: item 0: an array of objects", lambda: many("sha256", [numpy.array(["a"], "O")])),
        (ValueError, "encoding: 'bytes' or 'hex'", lambda: many("sha256", [], encoding="base64")),
        (TypeError, "encoding: 'bytes' or 'hex' .*'int'", lambda: many("sha256", [], encoding=64)),
        (TypeError, "data: a table .*digest_rows", lambda: many("sha256", pyarrow.table({"a": ["b"]}))),
        (TypeError, "columns: item 0: an Arrow .*'list'", lambda: lanesum.digest_rows("sha256", [["a"]])),
        (TypeError, "columns: a table or a list", lambda: lanesum.digest_rows("sha256", pyarrow.array(["a"]))),
        (ValueError, "threads: at least 1", lambda: many("sha256", [], threads=0)),
        (ValueError, "threads: at least 1 .*not -1$", lambda: many("sha256", [], threads=-1)),
        (ValueError, "threads: at least 1", lambda: many("sha256", [], threads=-(1 << 64))),
        (TypeError, "threads: ", lambda: many("sha256", [], threads="1")),
        (TypeError, "data: .*structured array has objects", lambda: many("sha256", objects)),
        (TypeError, "data: .*structured array has objects", lambda: many("sha256", memoryview(objects))),
        (TypeError, "data: an array of objects", lambda: many("sha256", objects, offsets=offsets)),
        (TypeError, "out: an array of objects", lambda: many("sha256", [b""], out=numpy.zeros(4, "O"))),
        (TypeError, "out: an array of objects", lambda: many("sha256", [b""] * 2, out=numpy.repeat(objects, 4))),
        (TypeError, "out: a writable buffer", lambda: many("sha256", [b""], out=5)),
        (BufferError, "out: ", lambda: many("sha256", [b""], out=bytes(32))),
        (BufferError, "out: ", lambda: many("sha256", [b""], out=memoryview(bytearray(64))[::2])),
        (ValueError, "out: 31 bytes for at least 1 .* of 32 bytes", lambda: many("sha256", [b""], out=bytearray(31))),
        (ValueError, "out: 33 bytes", lambda: many("sha256", [b""], out=bytearray(33))),
        (ValueError, "out: 33 bytes", lambda: many("sha256", rows, out=bytearray(33))),
        (ValueError, "out: has bytes of the data", overlapping),
        (ValueError, "out: has bytes of the data", lambda: overlapping(reversed)),
        (ValueError, "out: has bytes of the data", lambda: overlapping(list)),
        (ValueError, "offsets: offset 1 is negative", lambda: between([0, -1])),
        (ValueError, "offsets: offset 2 is less", lambda: between([0, 2, 1])),
        (ValueError, "offsets: offset 1 is past the end", lambda: between([0, 5])),
        (ValueError, "offsets: one more", lambda: between([])),
        (TypeError, "offsets: integers", lambda: between([0.0, 1.0], "d")),
        (TypeError, "offsets: integers", lambda: between([0, 1], "h")),
        (TypeError, "offsets: an array", lambda: many("sha256", b"warp", offsets=[0, 1])),
        (ValueError, "offsets: ", lambda: many("sha256", b"warp", offsets=numpy.arange(4)[::2])),
        (ValueError, "offsets: ", lambda: many("sha256", b"warp", offsets=numpy.arange(4)[::-1])),
        (TypeError, "offsets: .*without an axis", lambda: many("sha256", b"", offsets=numpy.array(0))),
        (ValueError, "offsets: .*released", lambda: many("sha256", b"warp", offsets=released)),
        (TypeError, "data: a bytes-like", lambda: many("sha256", "warp", offsets=offsets)),
        (TypeError, "data: offsets count bytes", lambda: many("sha256", wide, offsets=offsets)),
        (TypeError, "data: offsets count bytes", lambda: many("sha256", square, offsets=offsets)),
        (BufferError, "data: .*contiguous", lambda: many("sha256", gaps, offsets=offsets)),
        (ValueError, "data: .*released", lambda: many("sha256", released, offsets=offsets)),
        (TypeError, "key: .*'str': the order is algorithm, key, data$", lambda: tags("sha256", "key", [b""])),
        (TypeError, "algorithm: .*'bytes': the order is", lambda: tags(b"key", [b""], "sha256")),
        (TypeError, "algorithm: .*'bytes': the order is", lambda: tags(b"key", "sha256", [b""])),
        (TypeError, "key: .*'list'", lambda: tags("sha256", [b""], b"key")),
        (TypeError, "data: 'bytes' is one message", lambda: tags("sha256", rows, b"key")),
        (BufferError, "key: .*contiguous", lambda: tags("sha256", gaps, [b""])),
        (ValueError, "unsupported hash type spam", lambda: tags("spam", b"key", [b""])),
        (ValueError, "unsupported hash type .*sha3_256", lambda: tags(hashlib.sha3_256, b"key", [b""])),
        (TypeError, "algorithm: .*'list': the order is", lambda: lanesum.digest_rows([rows], "sha256")),
        (TypeError, "columns: .*'str'", lambda: lanesum.digest_rows("sha256", "warp")),
        (TypeError, "key: .*, key=key", lambda: lanesum.digest_rows("sha256", [], key="key")),
        (TypeError, "hash_name: ", lambda: lanesum.pbkdf2_many([b""], [b""], "sha256", 1)),
        (TypeError, "hash_name: .*'bytes'", lambda: lanesum.hkdf(b"key", "sha256", 32)),
        (TypeError, "algorithm: .*'list'", lambda: lanesum.tree.Log([b""])),
        (TypeError, "algorithm: .*'bytes': the order is", lambda: lanesum.chain(bytes(32), "sha256", 1)),
        (TypeError, "start: .*", lambda: lanesum.chain("sha256", "0" * 32, 1)),
        (ValueError, "start: 31 bytes, but a digest of sha256 has 32", lambda: lanesum.chain("sha256", bytes(31), 1)),
        (ValueError, "count: -1 is out of range", lambda: lanesum.chain("sha256", bytes(32), -1)),
        (ValueError, "count: .* is out of range", lambda: lanesum.chain("sha256", bytes(32), 1 << 64)),
        (TypeError, "count: ", lambda: lanesum.chain("sha256", bytes(32), 1.5)),
        (TypeError, "starts: .*iterable", lambda: lanesum.chain_many("sha256", bytes(32), [1])),
        (TypeError, "starts: item 1: ", lambda: lanesum.chain_many("sha256", [bytes(32), "a" * 32], [1, 1])),
        (ValueError, "starts: item 1: 0 bytes, but", lambda: lanesum.chain_many("sha256", [bytes(32), b""], [1, 1])),
        (ValueError, "counts: 0 counts for 1", lambda: lanesum.chain_many("sha256", [bytes(32)], [])),
        (ValueError, "counts: more than 1 ", lambda: lanesum.chain_many("sha256", [bytes(32)], itertools.repeat(1))),
        (ValueError, "counts: item 0: -1", lambda: lanesum.chain_many("sha256", [bytes(32)], [-1])),
        (TypeError, "counts: item 0: ", lambda: lanesum.chain_many("sha256", [bytes(32)], ["1"])),
        (TypeError, "counts: .*not iterable", lambda: lanesum.chain_many("sha256", [bytes(32)], 1)),
        (TypeError, "data: 'bytes' is one message", lambda: lanesum.double_hash_many("sha256", b"warp")),
        (ValueError, "unsupported hash type spam", lambda: lanesum.double_hash_many("spam", [b""])),
        (ValueError, "salts: 0 salts for 1", lambda: lanesum.pbkdf2_many("sha256", [b""], [], 1)),
        (ValueError, "salts: more than 1 ", lambda: lanesum.pbkdf2_many("sha256", [b""], itertools.repeat(b""), 1)),
        (TypeError, "passwords: .*iterable .*'bytes'", lambda: lanesum.pbkdf2_many("sha256", b"", [], 1)),
        (TypeError, "passwords: .*not iterable", lambda: lanesum.pbkdf2_many("sha256", 5, [], 1)),
        (TypeError, "salts: item 0", lambda: lanesum.pbkdf2_many("sha256", [b""], [None], 1)),
        (ValueError, "iteration value", lambda: lanesum.pbkdf2_many("sha256", [b""], [b""], 0)),
        (ValueError, "key length", lambda: lanesum.pbkdf2_many("sha256", [b""], [b""], 1, 0)),
        (MemoryError, "dklen: ", lambda: lanesum.pbkdf2_many("sha256", no, no, 1, (1 << 31) - 1)),
    ]:
        refused(error, text, call)
    assert many("sha256", [b"warp"], threads=1 << 64) == [lanesum.sha256(b"warp").digest()]
    singles = memoryview(wide).cast("B")
    assert many("sha256", singles, offsets=numpy.array([0, 4, 16])) == b"".join(
        each("sha256", [singles[:4], singles[4:]])
    )


# Raises MemoryError whichever allocation of a result fails first.
SHORT_OF_MEMORY = """
import resource
import sys
import pyarrow
import lanesum

messages = [b"warp"] * 1_000_000
column = lanesum.digest_many("sha256", pyarrow.array(messages))
call, room = eval(sys.argv[1]), int(sys.argv[2])
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (room << 20), -1))
try:
    call()
except MemoryError:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
else:
    sys.exit(f"{room} MiB are enough")
assert len(call()) == len(messages)
"""


@pytest.mark.parametrize(
    "call",
    [
        'lambda: lanesum.digest_many("sha256", messages, threads=1)',
        'lambda: lanesum.digest_many("sha256", messages, threads=8)',
        'lambda: lanesum.digest_many("sha256", iter(messages), encoding="hex", threads=1)',
        "column.to_pylist",
        "lambda: lanesum.sha1dc_many(messages, threads=1)[0]",
        "lambda: lanesum.pbkdf2_many('sha256', messages, messages, 1, threads=1)",
    ],
)
@pytest.mark.parametrize("mebibytes", [5, 10, 15])
def test_short_of_memory(call, mebibytes):
    # In a separate process, because a later attempt would use the memory that an earlier one freed.
    command = [sys.executable, "-c", SHORT_OF_MEMORY, call, str(mebibytes)]
    # One arena: the address space that glibc reserves for others is not in use, but is not limited.
    env = os.environ | {"MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    assert done.returncode == 0, done.stderr


def between(offsets, kind="q"):
    return lanesum.digest_many("sha256", b"warp", offsets=array.array(kind, offsets))


def overlapping(of=lambda rows: rows):
    rows = numpy.zeros((4, 32), "u1")
    return lanesum.digest_many("sha256", of(rows), out=rows)


def test_a_list_that_another_thread_changes():
    data = [b"%d" % i for i in range(50_000)]
    stop = threading.Event()

    def change():
        while not stop.is_set():
            del data[100:]
            data.extend(b"%d" % i for i in range(50_000))

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(20):
        lanesum.digest_many("sha256", data)
        lanesum.digest_many("sha256", numpy.arange(5000), threads=3)
    stop.set()
    thread.join()


def test_bytes_that_another_thread_changes():
    """Each digest is of some bytes that were there; one that is held is never moved."""
    data = [bytearray(5000) for _ in range(1000)]
    array = numpy.zeros((1000, 5000), "u1")
    stop = threading.Event()

    def change():
        refusals = 0
        while not stop.is_set():
            for message in data:
                try:
                    message[:] = bytes([message[0] ^ 1]) * len(message)
                    message.append(0)
                    message.pop()
                except BufferError:
                    refusals += 1
            array[:] ^= 1

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(20):
        assert len(set(map(len, lanesum.digest_many("sha256", data, threads=2)))) == 1
        assert lanesum.digest_many("sha256", array, threads=2).shape == (1000, 32)
        lanesum.sha256(data[0]).update(data[1])
    stop.set()
    thread.join()


def test_an_algorithm_may_be_a_constructor():
    for algorithm in lanesum.sha512, hashlib.sha512, "SHA512":
        assert lanesum.digest_many(algorithm, [b"warp"]) == each("sha512", [b"warp"])
        assert lanesum.hmac_many(algorithm, b"key", [b"warp"]) == [hmac.digest(b"key", b"warp", "sha512")]


@pytest.mark.parametrize("threads", [1, 2])
def test_long_messages(threads):
    """More than 32 MiB in a piece, which is hashed a slice at a time."""
    messages = [os.urandom(i * 999_983) for i in (1, 9, 0, 17, 3, 8)]
    key = b"shed"
    for name in "sha256", "sha512":
        assert lanesum.digest_many(name, messages, threads=threads) == each(name, messages)
        tags = lanesum.hmac_many(name, key, messages, threads=threads, encoding="hex")
        assert tags == [hmac.digest(key, message, name).hex() for message in messages]
        twice = [hashlib.new(name, digest).digest() for digest in each(name, messages)]
        assert lanesum.double_hash_many(name, messages, threads=threads) == twice


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "batch",
    [
        "lanesum.digest_many('sha512', [bytes(1 << 20)] * 900_000, threads={})",
        "lanesum.digest_many('sha512', [bytearray(1 << 26)] * 4_000, threads={})",
        "lanesum.hmac_many('sha512', b'key', (bytes(1 << 26),) * 4_000, threads={}, encoding='hex')",
        "lanesum.pbkdf2_many('sha512', [b'a', b'b'], [b'c', b'd'], 200_000_000, threads={})",
        "lanesum.chain_many('sha512', [bytes(64)] * 200, range(1 << 40, (1 << 40) + 200), threads={})",
        "lanesum.chain('sha512', bytes(64), 1 << 40)",
    ],
)
def test_an_interrupt_stops_a_batch(batch, threads):
    """A batch of minutes ends soon after a signal, whether it has many pieces or long ones."""
    interrupted(batch.format(threads))


# Each window of these takes less time than passes between two checks for signals.
MANY = "words = [b'x' * 1000] * 10_000_000; blocks = sys.getallocatedblocks()"
HALF = "sys.getallocatedblocks() - blocks > 5_000_000"


@pytest.mark.parametrize(
    "batch, progress, before",
    [
        ("lanesum.digest_many('sha256', words)", HALF, MANY),
        ("lanesum.digest_many('sha256', words, encoding='hex')", HALF, MANY),
        ("lanesum.digest_many('sha256', tuple(words))", HALF, MANY),
        ("lanesum.hmac_many('sha256', b'key', words)", HALF, MANY),
        (
            "lanesum.digest_many('sha256', words, out=out)",
            "any(out[-32:])",
            f"{MANY}; out = bytearray(32 * len(words))",
        ),
    ],
    ids=["list", "hex", "tuple", "tags", "out"],
)
def test_an_interrupt_stops_a_batch_of_windows(batch, progress, before):
    interrupted(batch, progress, before)
