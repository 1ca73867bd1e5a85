"""Hashes memory that is nobody's: a column whose last offset is past the end of its buffer, which no
checks can find. The address sanitizer must (`crates/python/sanitize`)."""

import pyarrow

import lanesum

offsets = b"".join(number.to_bytes(4, "little") for number in (0, 5000, 11000))
buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(bytes(10000))]
lanesum.digest_many("sha256", pyarrow.Array.from_buffers(pyarrow.binary(), 2, buffers))
