"""Jobs: the shards to hash, and the function that every engine calls for each."""

import dataclasses
import itertools
from collections.abc import Callable

import numpy
import pyarrow
import pyarrow.compute

from lanesum import sha256

from . import points, tree
from .errors import Exists, ManifestError
from .form import ROWS, packed, read_whole, shard_file, unpacked
from .stores import store


@dataclasses.dataclass
class Job:
    """A shard to hash, for run_job(). It does not depend on the process that planned it, and can be pickled."""

    url: str
    options: dict | None
    # The URL to write the rows to; None returns them.
    out: str | None
    out_options: dict | None
    index: int
    start: int
    name: str
    # A table of plan.LISTED, with an optional column `sha256` of known digests; bytes in a serialized job.
    table: pyarrow.Table | bytes
    # A file of an earlier run that may contain this shard's rows.
    finished: str | None = None
    # Whether all digests are known, so that no worker is needed.
    is_known: bool = False

    def serialized(self) -> "Job":
        """Returns a copy whose listing is compressed bytes, which is smaller and faster to pickle.

            pickle.dumps(job.serialized())
        """
        if isinstance(self.table, bytes):
            return self
        sink = pyarrow.BufferOutputStream()
        options = pyarrow.ipc.IpcWriteOptions(compression="lz4")
        with pyarrow.ipc.new_stream(sink, self.table.schema, options=options) as writer:
            writer.write_table(self.table)
        return dataclasses.replace(self, table=sink.getvalue().to_pybytes())


@dataclasses.dataclass
class Done:
    """The result of a shard."""

    index: int
    # The number of the first leaf of `pieces`, if all preceding objects have digests.
    start: int
    rows: int
    leaves: int
    bytes: int
    pieces: list
    file: str | None = None
    sha256: str | None = None
    first: str | None = None
    last: str | None = None
    reused: bool = False
    table: pyarrow.Table | None = None


# The bytes of a shard's objects between two calls of `seen`.
SEEN_BYTES = 64 << 20


def run_job(job: Job, seen: Callable[[int, int], object] | None = None) -> Done:
    """Hashes the objects of job and returns the result, for the engine to yield.

    In a build, it also writes the shard to the manifest. If seen is not None, it is called with the numbers of
    objects and of bytes that were hashed since the last call.

        def engine(jobs):
            return map(manifest.run_job, jobs)
    """
    if not isinstance(job, Job):
        raise TypeError(f"job: a Job is required, not {type(job).__name__}")
    out = store(job.out, job.out_options) if job.out is not None else None
    if out and job.finished:
        done = _finished(job, out)
        if done:
            return done
    if isinstance(job.table, bytes):
        job.table = pyarrow.ipc.open_stream(job.table).read_all()
    rows = hashed(store(job.url, job.options), job.table, seen)
    points.reached("hashed")
    done = _done(job, rows)
    if out is None:
        done.table = rows
        return done
    data = packed(rows)
    done.sha256 = sha256(data).hexdigest()
    done.file = shard_file(job.name, done.sha256)
    try:
        out.put_new(done.file, data)
    except Exists:
        if sha256(out.get(done.file)).hexdigest() != done.sha256:
            out.replace(done.file, data)
    points.reached("shard written")
    return done


def _finished(job, out):
    """The result of an earlier run, if its file is intact and every object has a digest."""
    digest = job.finished.rpartition("-")[2].removesuffix(".parquet")
    try:
        data = read_whole(out, job.finished, digest)
    except ManifestError:
        return None
    rows = unpacked(data)
    done = _done(job, rows)
    if done.leaves < done.rows:
        return None
    done.file, done.sha256, done.reused = job.finished, sha256(data).hexdigest(), True
    return done


def _done(job, rows):
    well, leaves = tree_leaves(rows)
    return Done(
        index=job.index,
        start=job.start,
        rows=len(rows),
        leaves=len(leaves),
        bytes=pyarrow.compute.sum(rows["size"].filter(well)).as_py() or 0,
        pieces=tree.pieces(job.start, leaves),
        first=rows["key"][0].as_py().hex(),
        last=rows["key"][-1].as_py().hex(),
    )


def tree_leaves(rows):
    """A mask of the rows that are leaves of the tree, and the hashes of these leaves."""
    rows = rows.combine_chunks()
    well = pyarrow.compute.equal(rows["status"], "ok").combine_chunks()
    some = rows.filter(well).combine_chunks() if well.false_count else rows
    if not len(some):
        return well, tree.leaves([], [], [])
    columns = (some[name].combine_chunks() for name in ("key", "size", "sha256"))
    return well, tree.leaves(*columns)


def hashed(source, table, seen=None):
    """Hashes listed objects and returns their rows. `seen` is the argument of run_job()."""
    table = table.combine_chunks()
    count = len(table)
    digests = numpy.zeros((count, tree.WIDTH), "u1")
    wanted = numpy.ones(count, bool)
    # Why an object has no digest, by its number.
    lacks = {}
    if table["error"].null_count < count:
        failed = numpy.flatnonzero(table["error"].is_valid())
        lacks = {int(number): table["error"][int(number)].as_py() for number in failed}
        wanted[failed] = False
    if "sha256" in table.column_names:
        known = table["sha256"].combine_chunks()
        is_known = numpy.asarray(known.is_valid())
        digests[is_known] = tree.fixed(known)[is_known]
        wanted &= ~is_known
    numbers = numpy.flatnonzero(wanted)
    if len(numbers):
        some = table if len(numbers) == count else table.take(numbers)
        for start, end, size in _slices(some["size"]):
            places = numbers[start:end]
            digests[places], failures = source.hash(some.slice(start, end - start))
            lacks |= {int(places[number]): text for number, text in failures}
            if seen:
                seen(end - start, size)
    columns = [table[name] for name in ("key", "size", "mtime", "etag")]
    return pyarrow.table(columns + _outcomes(digests, lacks), schema=ROWS)


def _slices(sizes):
    """Splits objects of these sizes at about every SEEN_BYTES: yields the start, end and bytes of each slice."""
    ends = numpy.cumsum(numpy.asarray(sizes))
    starts = numpy.flatnonzero(numpy.diff(ends // SEEN_BYTES)) + 1
    for start, end in itertools.pairwise([0, *starts.tolist(), len(ends)]):
        yield start, end, int(ends[end - 1] - (ends[start - 1] if start else 0))


def _outcomes(digests, lacks):
    """The columns `sha256`, `status` and `error`."""
    count, mask = len(digests), None
    status, errors = pyarrow.repeat(pyarrow.scalar("ok"), count), pyarrow.nulls(count, pyarrow.string())
    if lacks:
        errors = pyarrow.array([lacks.get(number) for number in range(count)], pyarrow.string())
        status = pyarrow.array(["unreadable" if number in lacks else "ok" for number in range(count)])
        has_digest = numpy.ones(count, bool)
        has_digest[list(lacks)] = False
        digests[~has_digest] = 0
        mask = pyarrow.py_buffer(numpy.packbits(has_digest, bitorder="little"))
    data = pyarrow.py_buffer(digests)
    return [pyarrow.Array.from_buffers(pyarrow.binary(tree.WIDTH), count, [mask, data]), status, errors]
