"""From a place of objects to a manifest of them."""

import os
import time
from collections.abc import Callable
from typing import Any

import pyarrow
import pyarrow.compute

from lanesum import sha256

from . import points, tree
from .engines import engine as running
from .errors import Exists, ManifestError, OtherVersion
from .form import COMMIT, SHARDS, VERSION, read_commit, read_shard, sealed
from .manifest import Manifest
from .plan import Limits, shards
from .stores import store
from .types import Engine, Options, Url
from .work import Job, tree_leaves


class Progress:
    """The progress of a run.

    `objects` and `bytes` are the numbers hashed so far; with the engine "threads" they include those of
    unfinished shards. `lacking` is the number of objects without a digest. `shards` and `planned` are the
    numbers of finished and of planned shards, `reused` those of an earlier run; `whole` is whether all are
    planned. `passed_over` is the number of symbolic links and special files that were skipped. `workers` and
    `dashboard` are the number of a cluster's workers at the start and the URL of its dashboard. `seconds` is
    the time since the start.
    """

    def __init__(self, said: "Callable[[Progress], object] | None" = None) -> None:
        self.lacking = self.shards = self.reused = self.planned = 0
        self._objects = self._bytes = 0
        # The unfinished shards, by whatever the engine knows them by.
        self.live: dict[Any, Any] = {}
        self.passed_over = 0
        self.whole = False
        self.dashboard: str | None = None
        self.workers: int | None = None
        self.begun = time.monotonic()
        self.said = said

    @property
    def objects(self) -> int:
        return self._objects + sum(live.objects for live in self.live.values())

    @property
    def bytes(self) -> int:
        return self._bytes + sum(live.bytes for live in self.live.values())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def add(self, done: Any) -> None:
        """Counts the finished shard done."""
        self._objects += done.leaves
        self._bytes += done.bytes
        self.lacking += done.rows - done.leaves
        self.shards += 1
        self.reused += done.reused
        self.say()

    def say(self) -> None:
        if self.said:
            self.said(self)


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
    """Makes a manifest of every object below a path or URL, and returns it.

    url is the directory or prefix of the objects, and out that of the manifest. A run that was stopped
    resumes from its finished shards when it is started again with the same out.

    engine is "threads", "dask", "dask://HOST:PORT" or a function that runs jobs; threads is the number of
    threads, or of workers of a local Dask cluster. options and out_options are for the clients of url's and
    out's object stores.

    reuse is an earlier manifest of the same objects, or where it is: objects with the same length, time and
    ETag are not read again. inventory is the URL of the manifest.json of an S3 inventory, which replaces the
    listing.

    allow_empty permits an empty manifest to replace one with objects. (A file system may not be mounted.)

    progress is called with a Progress about once a second, and after each shard. limits are the sizes of
    shards.

    Objects that could not be read are in the result's lacking(). Raises ManifestError if no manifest can be
    made.
    """
    source, kept = store(url, options), store(out, out_options)
    if kept.place == source.place:
        raise ManifestError(f"a manifest cannot be kept in {kept.url} itself: give it a folder of its own")
    with kept.held():
        points.reached("begun")
        earlier_objects = _objects(kept)
        kept.clear()
        run_progress = Progress(progress)
        listing = without(source, kept, _listing(source, inventory))
        if reuse is not None:
            earlier = reuse if isinstance(reuse, Manifest) else Manifest(store(reuse, out_options))
            listing = _recalled(listing, earlier)
        jobs = _jobs(source, kept, listing, limits or Limits(), run_progress)
        folded = _Fold(kept)
        with running(engine, threads or _threads(source), run_progress) as run:
            for done in run(jobs):
                run_progress.add(done)
                folded.add(done)
        points.reached("all shards")
        if not folded.rows and earlier_objects and not allow_empty:
            raise ManifestError(
                f"{source.url} is empty, and its manifest has {earlier_objects} objects: "
                "it is retained unless empty ones are allowed"
            )
        manifest: Manifest = folded.commit(source.url)
    manifest.progress, manifest.options = run_progress, options
    return manifest


def _objects(kept):
    """How many objects an earlier manifest has. One of another release is not replaced, a damaged one is."""
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
    progress.whole, progress.passed_over = True, source.passed_over
    progress.say()


def _threads(source):
    """An object store is waited for more than a disk is."""
    cores = os.cpu_count() or 1
    return cores if source.url.startswith("/") else min(32, 4 * cores)


def without(source, kept, listing):
    """A listing without the manifest itself, if that is kept among the objects."""
    prefix = source.place.rstrip(b"/") + b"/"
    if not kept.place.startswith(prefix):
        yield from listing
        return
    below = kept.place[len(prefix) :] + b"/"
    for piece in listing:
        inside = pyarrow.compute.starts_with(piece["key"], below)
        yield piece.filter(pyarrow.compute.invert(inside))


class _Fold:
    """Puts what was done together, in the order of keys, as soon as it can be."""

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
                # Something before it lacks, so that its leaves have other numbers.
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
        """Writes what makes the shards a manifest; nothing before this is one."""
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
            "lacking": self.rows - self.leaves,
            "bytes": self.bytes,
            "nodes": {"file": nodes_file, "sha256": digest},
            "shards": self.shards,
        }
        data = sealed(commit)
        try:
            self.kept.put_new(COMMIT, data)
        except Exists:
            # An earlier one: of the same run's end, or of the place as it was.
            if bytes(self.kept.get(COMMIT)) != data:
                self.kept.replace(COMMIT, data)
        points.reached("committed")
        return Manifest(self.kept, commit)
