"""What mypy and pyright make of the types; not run."""

from collections.abc import Iterable, Iterator
from typing import Any, assert_type

from lanesum import manifest


def show(progress: manifest.Progress) -> None:
    print(progress.objects, progress.bytes, progress.seconds)


made = manifest.build("set", out="set.manifest", progress=show, threads=2)
assert_type(made, manifest.Manifest)
assert_type(made.root, str)
assert_type(len(made), int)
changes = made.verify(quick=True, progress=show)
assert_type(changes, manifest.Changes)
assert_type(changes.same, bool)
for change in changes:
    assert_type(change, manifest.Change)
    assert_type(change.key, bytes)
assert made.find("part/1")
proof = made.prove("part/1")
assert_type(manifest.check_proof(made.root, manifest.Proof.of(proof.json())), bool)
assert_type(manifest.diff("a", made).counts, dict[str, int])
assert_type(manifest.clean("a"), list[str])


def engine(jobs: Iterable[manifest.Job]) -> Iterator[Any]:
    return map(manifest.run_job, (job.serialized() for job in jobs))


def iterating(jobs: Iterator[manifest.Job]) -> list[Any]:
    return [manifest.run_job(next(jobs))]


manifest.build("set", out="a", engine=iterating)
manifest.build("set", out="a", engine=engine, limits=manifest.Limits(max_objects=100), reuse="a")
made.export(format="gnu", to="sums")
for key, reason in manifest.open("a").failed():
    assert_type(key, bytes)
