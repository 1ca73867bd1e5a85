"""Builds manifests."""

import os
import time
from collections.abc import Callable
from typing import Any

import pyarrow
import pyarrow.compute

from lanesum import sha256

from . import points, tree
from .engines import engine as running, results
from .errors import Exists, ManifestError, OtherVersion
from .form import COMMIT, SHARDS, VERSION, read_commit, read_shard, sealed
from .jobs import Job, tree_leaves
from .manifest import Manifest
from .plan import Limits, shards
from .stores import store
from .types import Engine, Options, Url


class Progress:
    """The progress of a run.

    `objects` and `bytes` are the numbers hashed so far; with the engine "threads" they include unfinished
    shards. `failed` is the number of objects without a digest. `shards` and `planned` are the numbers of
    finished and of planned shards, and `reused` the number of shards of an earlier run; `all_planned` is
    whether the listing is complete. `skipped` is the number of skipped symbolic links and special files.
    `workers` is the number of a cluster's workers at the start, and `dashboard` the URL of its dashboard.
    `seconds` is the time since the start.
    """

    def __init__(self, callback: "Callable[[Progress], object] | None" = None) -> None:
        if callback is not None and not callable(callback):
            raise TypeError(f"progress: a function is required, not {type(callback).__name__}")
        self.failed = self.shards = self.reused = self.planned = 0
        self._objects = self._bytes = 0
        # The unfinished shards, by the engine's key.
        self.live: dict[Any, Any] = {}
        self.skipped = 0
        self.all_planned = False
        self.dashboard: str | None = None
        self.workers: int | None = None
        self._started = time.monotonic()
        self._callback = callback

    def __repr__(self) -> str:
        counts = f"{self.objects} objects, {self.bytes} bytes, {self.shards} of {self.planned} shards"
        return f"<lanesum manifest progress: {counts}, {self.failed} failed>"

    @property
    def objects(self) -> int:
        """The number of objects hashed so far."""
        return self._objects + sum(live.objects for live in self.live.values())

    @property
    def bytes(self) -> int:
        """The number of bytes hashed so far."""
        return self._bytes + sum(live.bytes for live in self.live.values())

    @property
    def seconds(self) -> float:
        """The seconds since the start of the run."""
        return time.monotonic() - self._started

    def add(self, done: Any) -> None:
        """Counts done, the result of a shard, and calls the callback."""
        self._objects += done.leaves
        self._bytes += done.bytes
        self.failed += done.rows - done.leaves
        self.shards += 1
        self.reused += done.reused
        self.report()

    def report(self) -> None:
        """Calls the callback of the run, if there is one."""
        if self._callback:
            self._callback(self)


def build(
    url: Url,
    out: Url,
    engine: Engine = "threads",
    *,
    threads: int | None = None,
    options: Options = None,
    out_options: Options = None,
    reuse: Manifest | Url | None = None,
    inventory: str | None = None,
    allow_empty: bool = False,
    progress: Callable[[Progress], object] | None = None,
    limits: Limits | None = None,
) -> Manifest:
    """Builds a manifest of every object below a path or URL, and returns it.

    url is the directory or prefix of the objects, and out the directory or prefix of the manifest. An
    interrupted run resumes from its finished shards when it is started again with the same out.

    engine is "threads", "dask", "dask://HOST:PORT", or a function that accepts an iterator of Job and yields
    the result of run_job() for each, in any order. threads is the number of threads, or of workers of a local
    Dask cluster. options and out_options are arguments for the clients of the object stores of url and out.

    reuse is an earlier manifest of the same objects, or its path or URL, which is opened with out_options; it
    may be out. Objects with the same size, time and ETag are not read again. inventory is the URL or path of
    the manifest.json of an S3 inventory, which replaces the listing.

    allow_empty permits an empty manifest to replace one with objects. (A file system may not be mounted.)

    progress is called with the Progress of the run after each shard and once the listing is complete. "threads"
    also calls it every second in which no shard is finished, and Dask when the cluster is connected. limits, a
    Limits, are the sizes of shards.

    If complete is false, failed() yields the objects without a digest. Raises Stopped if a cluster fails,
    ManifestError if no manifest can be built, ValueError for threads below 1.

        made = manifest.build("photos", out="photos.manifest")
        print(made.root, len(made), made.complete)
    """
    check_threads(threads)
    if not isinstance(limits, Limits | None):
        raise TypeError(f"limits: Limits or None is required, not {type(limits).__name__}")
    source, kept = store(url, options), store(out, out_options, "out")
    if kept.place == source.place:
        raise ManifestError(f"out is the directory of the objects, {kept.url}: use another directory for the manifest")
    with kept.held():
        points.reached("begun")
        earlier_objects = _objects(kept)
        kept.clear()
        run_progress = Progress(progress)
        listing = without(source, kept, _listing(source, inventory))
        if reuse is not None:
            earlier = reuse if isinstance(reuse, Manifest) else Manifest(store(reuse, out_options, "reuse"))
            listing = _recalled(listing, earlier)
        jobs = _jobs(source, kept, listing, limits or Limits(), run_progress)
        folded = _Fold(kept)
        with running(engine, threads or _threads(source), run_progress) as run:
            for done in results(run, jobs):
                run_progress.add(done)
                folded.add(done)
        points.reached("all shards")
        if not folded.rows and earlier_objects and not allow_empty:
            raise ManifestError(
                f"{source.url} is empty, but its manifest has {earlier_objects} objects: "
                "allow an empty manifest (--allow-empty, allow_empty=True) to replace it"
            )
        manifest: Manifest = folded.commit(source.url)
    manifest.progress, manifest.options = run_progress, options
    return manifest


def _objects(kept):
    """The number of objects in an earlier manifest. 0 for a corrupt one; fails for one of another release."""
    try:
        return read_commit(kept)["objects"]
    except OtherVersion:
        raise
    except ManifestError:
        return 0


def _listing(source, inventory):
    if inventory is None:
        return source.listing()
    from .inventory import listing

    return listing(source, inventory)


def _recalled(listing, earlier):
    from .comparing import recalled

    return recalled(listing, earlier.rows())


def _jobs(source, kept, listing, limits, progress):
    finished = {
        name.rpartition("-")[0]: f"{SHARDS}/{name}"
        for name in kept.names(SHARDS)
        if name.endswith(".parquet")
    }
    for shard in shards(source.url, listing, limits):
        points.reached("planned")
        progress.planned += 1
        yield Job(
            source.url,
            source.options,
            kept.url,
            kept.options,
            shard.index,
            shard.start,
            shard.name,
            shard.table,
            finished.get(shard.name),
        )
    progress.all_planned, progress.skipped = True, source.skipped
    progress.report()


def check_threads(threads):
    if not isinstance(threads, int | None):
        raise TypeError(f"threads: int or None is required, not {type(threads).__name__}")
    if threads is not None and threads < 1:
        raise ValueError(f"threads: at least 1 is required, or None to choose automatically, not {threads}")


def _threads(source):
    """The default number of threads: more for object stores, whose latency is higher than a disk's."""
    cores = os.cpu_count() or 1
    return cores if source.url.startswith("/") else min(32, 4 * cores)


def without(source, kept, listing):
    """A listing without the manifest itself, which may be stored among the objects."""
    prefix = source.place.rstrip(b"/") + b"/"
    if not kept.place.startswith(prefix):
        yield from listing
        return
    below = kept.place[len(prefix) :] + b"/"
    for piece in listing:
        inside = pyarrow.compute.starts_with(piece["key"], below)
        yield piece.filter(pyarrow.compute.invert(inside))


class _Fold:
    """Combines the results of shards in the order of keys, as soon as possible."""

    def __init__(self, kept):
        self.kept = kept
        self.waiting = {}
        self.root = tree.Root()
        self.next = self.leaves = self.rows = self.bytes = 0
        self.shards = []

    def add(self, done):
        self.waiting[done.index] = done
        while self.next in self.waiting:
            done = self.waiting.pop(self.next)
            pieces = done.pieces
            if done.start != self.leaves:
                # A preceding object has no digest, so these leaves have other numbers.
                rows = read_shard(self.kept, done.file, done.sha256)
                pieces = tree.pieces(self.leaves, tree_leaves(rows)[1])
            self.root.add(pieces)
            self.shards.append(
                {
                    "file": done.file,
                    "sha256": done.sha256,
                    "rows": done.rows,
                    "start": self.leaves,
                    "leaves": done.leaves,
                    "first": done.first,
                    "last": done.last,
                }
            )
            self.next += 1
            self.leaves += done.leaves
            self.rows += done.rows
            self.bytes += done.bytes

    def commit(self, url):
        """Writes the commit, which makes the shards a manifest."""
        nodes = b"".join(self.root.nodes)
        digest = sha256(nodes).hexdigest()
        nodes_file = f"{SHARDS}/nodes-{digest[:32]}.bin"
        try:
            self.kept.put_new(nodes_file, nodes)
        except Exists:
            pass
        points.reached("nodes written")
        commit = {
            "lanesum manifest": VERSION,
            "url": url,
            "root": self.root.digest().hex(),
            "objects": self.leaves,
            "failed": self.rows - self.leaves,
            "bytes": self.bytes,
            "nodes": {"file": nodes_file, "sha256": digest},
            "shards": self.shards,
        }
        data = sealed(commit)
        try:
            self.kept.put_new(COMMIT, data)
        except Exists:
            # The commit of an interrupted run, or of an earlier state of the objects.
            if bytes(self.kept.get(COMMIT)) != data:
                self.kept.replace(COMMIT, data)
        points.reached("committed")
        return Manifest(self.kept, commit)
