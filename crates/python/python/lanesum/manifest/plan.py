"""Splits a listing into shards.

Shards of small objects end at keys selected by a hash, so an added or removed object changes one or two
shards, and a run that is started again reuses the others. A shard that reaches the limit of bytes first ends
there, so the change moves all later boundaries up to the next one selected by a hash.
"""

import dataclasses

import numpy
import pyarrow
import pyarrow.compute

from lanesum import digest_many, sha256

from . import points, tree
from .errors import ManifestError

# The columns of a listing. Times are nanoseconds since 1970; the ETag is the store's.
LISTED = pyarrow.schema(
    [
        ("key", pyarrow.large_binary()),
        ("size", pyarrow.int64()),
        ("mtime", pyarrow.int64()),
        ("etag", pyarrow.string()),
        ("error", pyarrow.string()),
    ]
)


def listed(keys, sizes, mtimes, etags=None, errors=None):
    """A piece of a listing, from columns or lists; keys are bytes."""
    nulls = pyarrow.nulls(len(sizes), pyarrow.string())
    columns = [
        keys if isinstance(keys, pyarrow.Array) else pyarrow.array(keys, pyarrow.large_binary()),
        pyarrow.array(sizes, pyarrow.int64()),
        pyarrow.array(mtimes, pyarrow.int64()),
        nulls if etags is None else pyarrow.array(etags, pyarrow.string()),
        nulls if errors is None else pyarrow.array(errors, pyarrow.string()),
    ]
    return pyarrow.table(columns, schema=LISTED)


@dataclasses.dataclass(frozen=True)
class Limits:
    """Limits of the sizes of shards.

    A shard has from `min_objects` to `max_objects` objects. Its end depends on hashes of keys, and is on average
    `mean_objects` after the minimum. The shard also ends with the object that makes it `max_bytes` long, and
    with the listing. A run with other limits has other shards, so it does not resume an interrupted run.
    """

    min_objects: int = 2048
    mean_objects: int = 4096
    max_objects: int = 16384
    max_bytes: int = 4 << 30


@dataclasses.dataclass
class Shard:
    """A shard: `start` is the number of preceding objects, `name` a hash of the listing of its objects."""

    index: int
    start: int
    name: str
    table: pyarrow.Table


def in_order(listing):
    """Yields the pieces of a listing. Raises ManifestError unless their keys are strictly increasing."""
    last = None
    for piece in listing:
        if not len(piece):
            continue
        keys = piece["key"].combine_chunks()
        rises = pyarrow.compute.less(keys[:-1], keys[1:])
        first = keys[0].as_py()
        if pyarrow.compute.all(rises).as_py() is False or (last is not None and first <= last):
            raise ManifestError(
                "the store does not list keys in byte order, or lists a key twice"
            )
        last = keys[-1].as_py()
        yield piece


def shards(url, listing, limits=Limits()):
    """Yields the shards of a listing while it is read."""
    index = start = 0
    cut = _Cut(limits)

    def next_shard():
        nonlocal index, start
        table = cut.next()
        shard = Shard(index, start, name(url, table), table)
        index, start = index + 1, start + len(table)
        return shard

    for piece in in_order(listing):
        points.reached("listed")
        cut.add(piece)
        # A shard depends on no more than the next `limits.max_objects` rows.
        while cut.left >= limits.max_objects:
            yield next_shard()
    while cut.left:
        yield next_shard()


class _Cut:
    """Splits rows where the hash of a key is a multiple of the mean. Each key is hashed once."""

    def __init__(self, limits):
        self.limits = limits
        self.pieces, self.numbers, self.left = [], [], 0
        self.table, self.at = None, 0

    def add(self, piece):
        if self.table is not None:
            self.pieces, self.numbers = [self.table.slice(self.at)], [self.ends_here[self.at :]]
            self.table = None
        digests = tree.fixed(pyarrow.array(digest_many("sha256", piece["key"].combine_chunks(), threads=1)))
        numbers = digests[:, :4].copy().view("<u4")[:, 0]
        self.pieces.append(piece)
        self.numbers.append(numbers % self.limits.mean_objects == 0)
        self.left += len(piece)

    def _join(self):
        self.table = pyarrow.concat_tables(self.pieces).combine_chunks()
        self.ends_here = numpy.concatenate(self.numbers)
        self.ends = numpy.flatnonzero(self.ends_here) + 1
        self.bytes = numpy.cumsum(numpy.asarray(self.table["size"]))
        self.at = 0

    def next(self):
        if self.table is None:
            self._join()
        at, limits = self.at, self.limits
        end = min(at + limits.max_objects, len(self.table))
        found = numpy.searchsorted(self.ends, at + limits.min_objects)
        if found < len(self.ends):
            end = min(end, int(self.ends[found]))
        before = int(self.bytes[at - 1]) if at else 0
        end = min(end, int(numpy.searchsorted(self.bytes, before + limits.max_bytes)) + 1)
        self.at, self.left = end, self.left - (end - at)
        return self.table.slice(at, end - at)


def name(url, table):
    """The name of a shard: a hash of its URL and of the listing of its objects."""
    table = table.combine_chunks()
    hashed = sha256(url.encode("utf-8", "surrogateescape") + b"\0")
    for column in ("size", "mtime"):
        values = table[column].combine_chunks()
        hashed.update(numpy.ascontiguousarray(values.fill_null(-1).to_numpy(), "<i8"))
    for column in ("key", "etag", "error"):
        values = table[column].combine_chunks()
        sizes = pyarrow.compute.binary_length(values).fill_null(-1)
        hashed.update(numpy.ascontiguousarray(sizes.to_numpy(), "<i8"))
        bare = values.fill_null("") if values.null_count else values
        hashed.update(_data(bare))
    return hashed.hexdigest()[:32]


def _data(values):
    """The concatenated values of a column."""
    width = "i8" if values.type == pyarrow.large_binary() else "i4"
    offsets = numpy.frombuffer(values.buffers()[1], width)[values.offset :][: len(values) + 1]
    data = values.buffers()[2]
    return b"" if data is None else memoryview(data)[int(offsets[0]) : int(offsets[-1])]
