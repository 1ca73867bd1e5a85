"""The RFC 6962 tree over objects: leaves from columns, the root from subtrees, proofs.

A leaf is the object's length (8 bytes, big-endian), its SHA-256 (32 bytes) and its key.
"""

import numpy
import pyarrow
import pyarrow.compute

from lanesum._lanesum import _tree

# A manifest stores the node of every 2**LEVEL leaves, so that a proof reads at most 2**LEVEL rows.
LEVEL = 10
WIDTH = 32
EMPTY = _tree.rfc6962([], "sha256")


def leaves(keys, sizes, digests):
    """The hashes of leaves, an array of shape (count, 32), from Arrow columns without nulls."""
    count = len(keys)
    if not count:
        return numpy.empty((0, WIDTH), "u1")
    heads = numpy.empty((count, 8 + WIDTH), "u1")
    heads[:, :8] = numpy.asarray(sizes).astype(">i8").view("u1").reshape(count, 8)
    heads[:, 8:] = fixed(digests)
    ends = numpy.arange(count + 1, dtype="i8") * heads.shape[1]
    heads = from_buffers(heads, ends)
    nothing = pyarrow.scalar(b"", pyarrow.large_binary())
    entries = pyarrow.compute.binary_join_element_wise(heads, keys, nothing)
    _, ends, data = entries.buffers()
    ends = numpy.frombuffer(ends, "i8")[entries.offset :][: count + 1]
    return rows(_tree.entries(data, ends))


def entry(size, digest, key):
    """The bytes of a leaf."""
    return size.to_bytes(8, "big") + digest + key


def rows(hashes):
    """Concatenated hashes as a NumPy array of shape (count, 32)."""
    return numpy.frombuffer(hashes, "u1").reshape(-1, WIDTH)


def from_buffers(data, ends):
    """A column of bytes, from the concatenated values and their offsets."""
    buffers = [None, pyarrow.py_buffer(ends), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(pyarrow.large_binary(), len(ends) - 1, buffers)


def fixed(column):
    """A column of SHA-256 as a NumPy array of shape (count, 32)."""
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    data = numpy.frombuffer(column.buffers()[1], "u1")
    return data[column.offset * WIDTH :][: len(column) * WIDTH].reshape(-1, WIDTH)


def node(left, right):
    return _tree.parents(left + right)


def pieces(start, hashes):
    """The fewest complete subtrees of at most 2**LEVEL leaves that cover the leaves from leaf `start` on: their
    levels and hashes, in order."""
    first, last = [], []
    for level in range(LEVEL):
        if not len(hashes):
            break
        if start % 2:
            first.append((level, hashes[0].tobytes()))
            hashes = hashes[1:]
            start += 1
        if len(hashes) % 2:
            last.append((level, hashes[-1].tobytes()))
            hashes = hashes[:-1]
        if len(hashes):
            hashes = rows(_tree.parents(hashes))
        start //= 2
    whole = [(LEVEL, row.tobytes()) for row in hashes]
    return first + whole + last[::-1]


class Root:
    """Computes the root from consecutive pieces."""

    def __init__(self):
        self.stack = []
        # The hashes of all complete subtrees of 2**LEVEL leaves.
        self.nodes = []

    def add(self, some):
        for level, digest in some:
            self._push(level, digest)

    def _push(self, level, digest):
        while True:
            if level == LEVEL:
                self.nodes.append(digest)
            if not self.stack or self.stack[-1][0] != level:
                break
            digest = node(self.stack.pop()[1], digest)
            level += 1
        self.stack.append((level, digest))

    def tail(self):
        """The hash of the leaves after the last complete subtree of 2**LEVEL; None if there are none."""
        return _fold([digest for level, digest in self.stack if level < LEVEL])

    def digest(self):
        return _fold([digest for _, digest in self.stack]) or EMPTY


def _fold(peaks):
    if not peaks:
        return None
    digest = peaks[-1]
    for left in reversed(peaks[:-1]):
        digest = node(left, digest)
    return digest


def path(hashes, index):
    """The hashes that lead from the hash at `index` to the root over all of them."""
    return _tree.path(numpy.ascontiguousarray(hashes, "u1"), index)


def root_of(entry, index, count, path):
    """The root that the proof of an entry leads to; None if the proof is invalid."""
    return _tree.root_by(entry, index, count, path)
