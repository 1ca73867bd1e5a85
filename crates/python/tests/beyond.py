"""Reads out of bounds: a producer reports a buffer longer than it is, which no check can detect. The
address sanitizer must (`crates/python/sanitize`)."""

import pyarrow

import lanesum

offsets = b"".join(number.to_bytes(4, "little") for number in (0, 5000, 11000))
data = bytes(10000)
beyond = pyarrow.foreign_buffer(pyarrow.py_buffer(data).address, 11000, data)
buffers = [None, pyarrow.py_buffer(offsets), beyond]
lanesum.digest_many("sha256", pyarrow.Array.from_buffers(pyarrow.binary(), 2, buffers))
