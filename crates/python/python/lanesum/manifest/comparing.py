"""Merges two sorted streams of rows: finds differences, and digests that are still valid."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.compute as compute

from .engines import engine as running, results
from .errors import ManifestError
from .jobs import Job
from .manifest import Manifest
from .plan import Limits, shards
from .stores import store
from .types import Engine, Options, Url

# Maximum number of retained digests of missing and of new objects, to detect moves.
MOVES = 100_000


@dataclasses.dataclass(frozen=True)
class Change:
    """An object that differs.

    `class_` is "new", "missing", "changed", "rotted" (another digest, but the same size, time and ETag) or
    "unreadable" (also if it changed after it was listed). `before` and `now` are its digests of 32 bytes, or
    None. `reason` is the error if it has no digest now.
    """

    class_: str
    key: bytes
    before: bytes | None
    now: bytes | None
    reason: str | None = None


class Changes:
    """An iterator over the differences, in the order of keys.

    Objects and rows are read during the iteration.

    `counts` has the number of objects of each class so far, including "same". `moved` pairs the keys of
    missing and of new objects with the same digest: one key per digest, of at most 100,000 digests of missing
    and 100,000 of new objects. `same` is whether there is no difference.

        changes = made.verify()
        for change in changes:
            print(change.class_, change.key)
        assert changes.same
    """

    def __init__(self, before: Iterable[pyarrow.Table], after: Iterable[pyarrow.Table]) -> None:
        self.counts: dict[str, int] = dict.fromkeys(
            ["same", "new", "missing", "changed", "rotted", "unreadable"], 0
        )
        self._missing: dict[bytes | None, bytes] = {}
        self._new: dict[bytes | None, bytes] = {}
        self._pieces = (join(*pair) for pair in beside(before, after))
        self._waiting: Iterator[Change] = iter(())
        # A difference that `same` has read, and that iteration has not returned yet.
        self._next: Change | None = None

    def __iter__(self) -> "Changes":
        return self

    def __next__(self) -> Change:
        change, self._next = self._next or self._read(), None
        self.counts[change.class_] += 1
        if change.class_ == "missing" and len(self._missing) < MOVES:
            self._missing.setdefault(change.before, change.key)
        elif change.class_ == "new" and len(self._new) < MOVES:
            self._new.setdefault(change.now, change.key)
        return change

    def _read(self) -> Change:
        while True:
            for change in self._waiting:
                return change
            same, self._waiting = next(self._pieces)
            self.counts["same"] += same

    @property
    def moved(self) -> list[tuple[bytes, bytes]]:
        """The keys before and after of each moved object so far."""
        return [
            (key, self._new[digest])
            for digest, key in self._missing.items()
            if digest and digest in self._new
        ]

    @property
    def same(self) -> bool:
        """Whether there is no difference. Reads up to the next difference, which iteration still yields, or to
        the end."""
        if self._next is None:
            try:
                self._next = self._read()
            except StopIteration:
                pass
        return self._next is None and not any(
            count for class_, count in self.counts.items() if class_ != "same"
        )


def beside(before: Iterable[Any], after: Iterable[Any]) -> Iterator[Any]:
    """Splits the tables of two sorted streams so that both tables of a pair cover the same range of keys."""
    streams = [iter(before), iter(after)]
    tables: list[Any] = [None, None]
    ended = [False, False]
    while True:
        for side in range(2):
            while not ended[side] and (tables[side] is None or not len(tables[side])):
                table = next(streams[side], None)
                if table is None:
                    ended[side] = True
                else:
                    tables[side] = table.combine_chunks()
        empty = [table is None or not len(table) for table in tables]
        if all(empty):
            return
        bounds = [tables[side]["key"][-1].as_py() for side in range(2) if not empty[side]]
        bound = pyarrow.scalar(min(bounds), pyarrow.large_binary())
        pair: list[Any] = []
        for side in range(2):
            if empty[side]:
                pair.append(tables[side])
                continue
            count = compute.sum(compute.less_equal(tables[side]["key"], bound)).as_py()
            pair.append(tables[side].slice(0, count))
            tables[side] = tables[side].slice(count)
        yield pair


def join(old: Any, new: Any) -> tuple[int, Iterator[Change]]:
    """The number of equal rows of two tables, and an iterator over the differences; either table may be None."""
    if old is None or new is None or not len(old) or not len(new):
        some = old if new is None or not len(new) else new
        return 0, (_missing(row) if some is old else _new(row) for row in _rows(some))
    old, new = old.combine_chunks(), new.combine_chunks()
    if old["key"].equals(new["key"]):
        pairs, missing, unlisted = (old, new), None, None
    else:
        places = compute.index_in(old["key"], new["key"].combine_chunks()).combine_chunks()
        both = places.is_valid()
        pairs = old.filter(both), new.take(places.drop_null())
        missing = old.filter(compute.invert(both))
        unlisted = new.filter(compute.invert(compute.is_in(new["key"], old["key"].combine_chunks())))
    before, after = pairs
    same = compute.fill_null(compute.equal(before["sha256"], after["sha256"]), False)
    same = compute.and_(same, compute.equal(before["size"], after["size"]))
    differ = compute.invert(same)
    count = compute.sum(same).as_py() or 0
    if count == len(before) and not missing and not unlisted:
        return count, iter(())
    changes = [
        _changed(row, now)
        for row, now in zip(_rows(before.filter(differ)), _rows(after.filter(differ)), strict=True)
    ]
    changes += [_missing(row) for row in _rows(missing)]
    changes += [_new(row) for row in _rows(unlisted)]
    return count, iter(sorted(changes, key=lambda change: change.key))


def _rows(table):
    return table.to_pylist() if table is not None and len(table) else []


def _missing(row):
    return Change("missing", row["key"], row["sha256"], None)


def _new(row):
    if row["status"] != "ok":
        return Change("unreadable", row["key"], None, None, row["error"])
    return Change("new", row["key"], None, row["sha256"])


def _changed(row, now):
    if now["status"] != "ok":
        return Change("unreadable", row["key"], row["sha256"], None, now["error"])
    untouched = _look(row) == _look(now) and (row["mtime"], row["etag"]) != (None, None)
    class_ = "rotted" if untouched and row["sha256"] is not None else "changed"
    return Change(class_, row["key"], row["sha256"], now["sha256"])


def _look(row):
    return row["size"], row["mtime"], row["etag"]


def diff(before: Manifest | Url, after: Manifest | Url, options: Options = None) -> Changes:
    """Compares two manifests and returns the differences as Changes.

    before and after are manifests, or the paths or URLs of manifests. options are arguments for the clients
    of the manifests' object stores. Raises ManifestError if a manifest is missing; the iteration raises it if
    one is corrupt.

        assert manifest.diff("monday.manifest", "tuesday.manifest").same
    """
    before, after = (
        one if isinstance(one, Manifest) else Manifest(store(one, options, name))
        for name, one in (("before", before), ("after", after))
    )
    return Changes(before.verified_rows(), after.verified_rows())


def verify(
    manifest: Manifest,
    quick: bool,
    at: Url | None,
    options: Options,
    engine: Engine,
    threads: int | None,
    progress: Callable[[Any], object] | None,
) -> Changes:
    url = at if at is not None else manifest.url
    if options is None and at is None:
        options = manifest.options
    return Changes(manifest.verified_rows(), _now(manifest, url, quick, options, engine, threads, progress))


def _now(manifest, url, quick, options, engine, threads, progress):
    """The rows of the current objects, in the order of keys."""
    from .building import Progress, _threads, check_threads, without

    source = store(url, options, "at")
    listing = without(source, manifest.store, source.listing())
    if quick:
        listing = recalled(listing, manifest.rows())
    check_threads(threads)
    run_progress = Progress(progress)

    def jobs():
        for shard in shards(source.url, listing, Limits()):
            run_progress.planned += 1
            is_known = quick and not shard.table["sha256"].null_count
            what = shard.index, shard.start, shard.name, shard.table
            yield Job(source.url, source.options, None, None, *what, is_known=is_known)
        run_progress.all_planned, run_progress.skipped = True, source.skipped
        run_progress.report()

    waiting, following = {}, 0
    with running(engine, threads or _threads(source), run_progress) as run:
        for done in results(run, jobs()):
            run_progress.add(done)
            waiting[done.index] = done
            while following in waiting:
                done = waiting.pop(following)
                following += 1
                yield done.table


def recalled(listing, rows):
    """Adds digests of earlier rows to a listing, for objects with the same size, time and ETag."""
    for now, then in beside(listing, rows):
        if now is None or not len(now):
            continue
        yield _with_known(now.combine_chunks(), then)


def _with_known(now, then):
    unknown = pyarrow.nulls(len(now), pyarrow.binary(32))
    if then is None or not len(then):
        return now.append_column("sha256", unknown)
    then = then.combine_chunks()
    if not now["key"].equals(then["key"]):
        places = compute.index_in(now["key"], then["key"].combine_chunks())
        then = then.take(places)
    same = compute.equal(now["size"], then["size"])
    marks = 0
    for column in ("mtime", "etag"):
        if now[column].null_count < len(now):
            same = compute.and_(same, compute.equal(now[column], then[column]))
            marks += 1
    if not marks:
        return now.append_column("sha256", unknown)
    same = compute.fill_null(compute.and_(same, now["error"].is_null()), False)
    return now.append_column(
        "sha256", compute.if_else(same, then["sha256"], pyarrow.scalar(None, pyarrow.binary(32)))
    )
