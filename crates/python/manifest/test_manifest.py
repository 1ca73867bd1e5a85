"""Manifests of directories: contents, the same result from every engine, and rejected input."""

import fcntl
import functools
import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import uuid

import fsspec
import hypothesis
import numpy
import pyarrow
import pyarrow.parquet
import pytest
from conftest import SMALL, fill, merkle_tree_hash, root_of, root_of_digests, shifted
from hypothesis import strategies

from lanesum import manifest as manifests
from lanesum.manifest import ManifestError, engines, form, jobs, plan, tree as trees
from lanesum.manifest.stores import store as open_store
from lanesum.manifest.stores.directory import Directory


def build(tree, out, **more):
    return manifests.build(tree, out, **{"limits": SMALL} | more)


def refused(text, call, *arguments, **more):
    with pytest.raises(ManifestError, match=text):
        call(*arguments, **more)


def test_contents(tree, tmp_path):
    directory, contents = tree
    made = build(directory, tmp_path / "out")
    assert made.root == root_of(contents) and made.complete and len(made) == len(contents)
    assert made.bytes == sum(map(len, contents.values())) and made.url == str(directory)
    rows = [row for shard in made.rows() for row in shard.to_pylist()]
    assert [row["key"] for row in rows] == sorted(contents)
    for row in rows:
        data = contents[row["key"]]
        assert (row["size"], row["sha256"]) == (len(data), hashlib.sha256(data).digest())
        assert (row["status"], row["error"], row["etag"]) == ("ok", None, None)
        assert row["mtime"] == os.stat(os.path.join(os.fsencode(directory), row["key"])).st_mtime_ns
    assert manifests.open(tmp_path / "out").root == made.root
    assert made.root in repr(made) and len(made.commit["shards"]) > 5
    assert made.progress.objects == 400 and made.progress.bytes == made.bytes


def test_the_root_of_what_sha256sum_prints(tree, tmp_path):
    directory, _ = tree
    lines = subprocess.check_output(
        "find . -type f -print0 | xargs -0 sha256sum -z", shell=True, cwd=directory
    ).split(b"\0")
    objects = []
    for line in filter(None, lines):
        digest, key = line[:64], line[66:].removeprefix(b"./")
        size = os.stat(os.path.join(os.fsencode(directory), key)).st_size
        objects.append((key, size, bytes.fromhex(digest.decode())))
    assert root_of_digests(objects) == build(directory, tmp_path / "out").root


def test_the_same_by_every_engine(tree, tmp_path, cluster):
    directory, contents = tree
    made = [
        build(directory, tmp_path / "1"),
        build(directory, tmp_path / "2", threads=1),
        build(directory, tmp_path / "3", engine=cluster),
    ]
    assert {one.root for one in made} == {root_of(contents)}
    files = [sorted(os.listdir(tmp_path / name / "shards")) for name in "123"]
    assert files[0] == files[1] == files[2]
    commits = {(tmp_path / name / "commit.json").read_bytes() for name in "123"}
    assert len(commits) == 1
    assert build(directory, tmp_path / "4", limits=plan.Limits()).root == made[0].root


keys = strategies.binary(min_size=1, max_size=8)


@hypothesis.settings(max_examples=60)
@hypothesis.given(
    strategies.dictionaries(keys, strategies.integers(0, 1 << 40), max_size=80),
    strategies.integers(1, 9),
    strategies.integers(1, 9),
    strategies.randoms(),
)
def test_the_root_whatever_the_shards_and_their_order(objects, least, mean, chance):
    digest = {key: hashlib.sha256(key).digest() for key in objects}
    listing = [plan.listed([key], [size], [0]) for key, size in sorted(objects.items())]
    limits = plan.Limits(min_objects=least, mean_objects=mean, max_objects=least + 9, max_bytes=1 << 41)
    done = []
    for shard in plan.shards("", iter(listing), limits):
        table = shard.table.combine_chunks()
        column = pyarrow.array([digest[key] for key in table["key"].to_pylist()], pyarrow.binary(32))
        hashes = trees.leaves(table["key"].combine_chunks(), table["size"].combine_chunks(), column)
        done.append((shard.index, trees.pieces(shard.start, hashes)))
    chance.shuffle(done)
    root = trees.Root()
    for _, pieces in sorted(done, key=lambda one: one[0]):
        root.add(pieces)
    assert root.digest().hex() == root_of_digests((key, size, digest[key]) for key, size in objects.items())


@hypothesis.settings(max_examples=30)
@hypothesis.given(
    strategies.dictionaries(strategies.text("ab0-é", min_size=1), keys, min_size=1, max_size=60),
    strategies.integers(1, 9),
    strategies.integers(1, 9),
    strategies.randoms(),
)
def test_a_run_whatever_the_shards_and_their_order(objects, least, mean, chance):
    store, place = fsspec.filesystem("memory"), f"/{uuid.uuid4()}"
    for name, data in objects.items():
        store.pipe_file(f"{place}/{name}", data)
    gone = {name for name in objects if chance.random() < 0.1}

    def engine(jobs):
        """Returns results in any order, after some objects have been deleted."""
        jobs = list(jobs)
        for name in gone:
            store.rm_file(f"{place}/{name}")
        chance.shuffle(jobs)
        return map(manifests.run_job, jobs)

    limits = plan.Limits(min_objects=least, mean_objects=mean, max_objects=least + 9)
    made = build(f"memory:/{place}", f"memory:/{place}-out", engine=engine, limits=limits)
    assert {key.decode() for key, _ in made.failed()} == gone
    assert made.root == root_of({name.encode(): objects[name] for name in objects.keys() - gone})


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 1023, 1024, 1025, 2048, 3001])
def test_trees_of_every_shape(count):
    leaves = numpy.frombuffer(random.Random(count).randbytes(32 * count), "u1").reshape(-1, 32)
    right = merkle_tree_hash([leaf.tobytes() for leaf in leaves])
    cuts = sorted(random.Random(1).choices(range(count + 1), k=4))
    root = trees.Root()
    for start, end in zip([0, *cuts], [*cuts, count], strict=True):
        root.add(trees.pieces(start, leaves[start:end]))
    assert root.digest() == right and len(root.nodes) == count >> trees.LEVEL


def test_proofs(tmp_path):
    contents = fill(tmp_path / "tree", 2500)
    limits = plan.Limits(min_objects=300, mean_objects=300, max_objects=700)
    made = build(tmp_path / "tree", tmp_path / "out", limits=limits)
    for key in sorted(contents)[:: len(contents) // 19] + [min(contents), max(contents)]:
        proof = made.prove(key)
        assert manifests.check_proof(made.root, proof)
        assert manifests.Proof.of(proof.json()) == proof
        assert (proof.size, proof.sha256) == (len(contents[key]), hashlib.sha256(contents[key]).hexdigest())
        wrong = [
            {"key": key + b"x"},
            {"size": proof.size + 1},
            {"sha256": "00" * 32},
            {"index": proof.index ^ 1},
            {"count": 2 * proof.count},
            {"path": proof.path[:-1]},
            {"path": (*proof.path, "00" * 32)},
            {"path": (proof.path[1], proof.path[0], *proof.path[2:])},
            {"index": -1},
            {"count": 1 << 70},
            {"size": -1},
            {"size": 1 << 64},
            shifted(proof),
        ]
        for change in wrong:
            assert not manifests.check_proof(made.root, manifests.Proof(**vars(proof) | change))
        assert manifests.check_proof(made.root.upper(), proof)
        with pytest.raises(ValueError, match="64 hexadecimal digits"):
            manifests.check_proof(made.root[:-2], proof)
        with pytest.raises(TypeError, match=r"root: .*check_proof\(root, proof\)"):
            manifests.check_proof(proof, made.root)
        with pytest.raises(TypeError, match="proof: .*not str"):
            manifests.check_proof(made.root, proof.json())
    for text in "", "{}", "[]", "null", '{"key": "zz"}', proof.json().replace('"path"', '"paths"'):
        with pytest.raises(ValueError, match="malformed proof"):
            manifests.Proof.of(text)
    for root in "", "zz" * 32, made.root[:-1] + "g":
        with pytest.raises(ValueError, match="root: 64 hexadecimal digits"):
            manifests.check_proof(root, proof)
    with pytest.raises(KeyError):
        made.prove(b"none")
    with pytest.raises(KeyError):
        made.prove("")


def test_arguments(tmp_path):
    contents = fill(tmp_path / "tree", 20)
    made = build(tmp_path / "tree", tmp_path / "out")
    key = max(contents)
    row, index = made.find(key.decode())
    assert (row["key"], index) == (key, 19) and made.find(key) == (row, index) and made.find("none") is None
    for call in made.find, made.prove:
        with pytest.raises(TypeError, match="key: str or bytes is required, not int"):
            call(3)
    with pytest.raises(TypeError, match="threads: int or None is required, not str"):
        build(tmp_path / "tree", tmp_path / "out", threads="2")
    with pytest.raises(TypeError, match="limits: Limits or None is required, not int"):
        build(tmp_path / "tree", tmp_path / "out", limits=5)
    for call in functools.partial(build, tmp_path / "tree", tmp_path / "out"), made.verify:
        with pytest.raises(TypeError, match="progress: a function is required, not int"):
            list(call(progress=5))
    for threads in 0, -1:
        with pytest.raises(ValueError, match="threads: at least 1"):
            build(tmp_path / "tree", tmp_path / "out", threads=threads)
        with pytest.raises(ValueError, match="threads: at least 1"):
            made.verify(threads=threads).same
    tree, out = tmp_path / "tree", tmp_path / "out"
    for name, call in [
        ("url", lambda path: build(path, out)),
        ("out", lambda path: build(tree, path)),
        ("reuse", lambda path: build(tree, out, reuse=path)),
        ("url", manifests.open),
        ("url", manifests.clean),
        ("before", lambda path: manifests.diff(path, made)),
        ("after", lambda path: manifests.diff(made, path)),
        ("later", made.diff),
        ("at", lambda path: made.verify(at=path).same),
    ]:
        with pytest.raises(TypeError, match=f"^{name}: a path or a URL is required, not int$"):
            call(5)
        with pytest.raises(ValueError, match=f"^{name}: embedded null byte$"):
            call("a\0b")
    with pytest.raises(ManifestError, match="cannot open .*/out: a path has no options"):
        manifests.open(out, {"endpoint_url": "http://localhost"})
    with pytest.raises(ValueError, match="^columns: no column 'spam': use key, size, mtime, "):
        list(made.rows(["key", "spam"]))
    with pytest.raises(TypeError, match="^columns: a list of names is required, not str$"):
        list(made.rows("key"))
    with pytest.raises(TypeError, match="^options of memory://out: a mapping or None is required, not str$"):
        manifests.open("memory://out", "spam")
    for format in "gnu", "bagit":
        with pytest.raises(TypeError, match="^to: a path or a file .*, not NoneType$"):
            made.export(format, None)
    with pytest.raises(TypeError, match="^job: a Job is required, not int"):
        manifests.run_job(5)
    with pytest.raises(ManifestError) as info:
        manifests.open(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    assert r"/\udcff: commit.json is missing" in str(info.value)
    with open(tmp_path / "sums", "w") as file, pytest.raises(TypeError, match="to: .*binary mode"):
        made.export("gnu", file)
    assert (tmp_path / "sums").read_bytes() == b""


def test_same_consumes_no_change(tmp_path):
    contents = fill(tmp_path / "tree", 60)
    made = manifests.build(tmp_path / "tree", tmp_path / "out", limits=SMALL)
    changed = sorted(contents)[7::13]
    for key in changed:
        path = os.path.join(os.fsencode(tmp_path / "tree"), key)
        with open(path, "ab") as file:
            file.write(b"more")
    changes = made.verify()
    assert not changes.same and not changes.same
    assert [change.key for change in changes] == changed and not changes.same
    changes = made.verify()
    keys = []
    for change in changes:
        keys.append(change.key)
        assert not changes.same
    assert keys == changed
    assert changes.counts["changed"] == len(changed) and changes.counts["same"] == 60 - len(changed)
    assert made.diff(made).same and list(made.diff(made)) == []


def test_progress_within_a_shard(tmp_path, monkeypatch):
    """A shard that waits for a report of the objects that it has hashed so far."""
    contents = fill(tmp_path / "tree", 30)
    monkeypatch.setattr(jobs, "SEEN_BYTES", 1000)
    monkeypatch.setattr(engines, "EVERY", 0.01)
    reported, slices, hash_slice = threading.Event(), [], Directory.hash

    def waiting(store, table):
        slices.append(len(table))
        assert len(slices) == 1 or reported.wait(30)
        return hash_slice(store, table)

    def progress(so_far):
        if so_far.objects and so_far.bytes and not so_far.shards:
            reported.set()

    monkeypatch.setattr(Directory, "hash", waiting)
    made = manifests.build(tmp_path / "tree", tmp_path / "out", threads=1, progress=progress)
    assert len(slices) > 2 and sum(slices) == 30 and made.root == root_of(contents)
    size = sum(map(len, contents.values()))
    assert (made.progress.objects, made.progress.bytes) == (30, size)
    assert f"30 objects, {size} bytes, 1 of 1 shards, 0 failed" in repr(made.progress)


def test_keys_of_any_bytes(tmp_path):
    directory = os.fsencode(tmp_path / "tree")
    names = [bytes([byte]) for byte in range(1, 256) if byte not in b"/."]
    names += [b"a/" + bytes([byte]) + b"/x" for byte in range(1, 256) if byte not in b"/."]
    names = [name for name in names if name != b"a"] + [b"long/" + b"n" * 255, b"\n\\\r\x00"[:3]]
    deep = b"/".join([b"d" * 200] * 15)
    contents = {name: name for name in [*names, deep]}
    for name in contents:
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(name)
    made = build(os.fsdecode(directory), tmp_path / "out")
    assert made.root == root_of(contents) and made.complete
    assert made.verify().same
    made.export("gnu", tmp_path / "sums")
    subprocess.run(["sha256sum", "--quiet", "-c", tmp_path / "sums"], cwd=directory, check=True)


def test_nothing_and_links_and_itself(tmp_path):
    directory = tmp_path / "tree"
    directory.mkdir()
    out = directory / "manifest"
    empty = build(directory, out)
    assert empty.root == hashlib.sha256(b"").hexdigest() == build(directory, out).root
    assert len(empty) == 0 and empty.complete and empty.verify().same
    (directory / "one").write_bytes(b"warp")
    (directory / "link").symlink_to("one")
    os.mkfifo(directory / "fifo")
    made = build(directory, out)
    assert made.root == root_of({b"one": b"warp"}) and made.progress.skipped == 2
    # A symlink to the directory is the same place.
    (tmp_path / "other name").symlink_to(directory)
    assert build(tmp_path / "other name", out).root == build(directory, tmp_path / "other name/manifest").root
    assert manifests.open(out).root == made.root
    refused("use another directory", build, tmp_path / "other name", directory)
    assert made.verify(quick=True).same and manifests.diff(empty, made).counts["new"] == 0
    refused("use another directory", build, directory, directory)
    # Swapped arguments: a manifest may be hashed, but none is written among other files.
    before = sorted(os.listdir(directory))
    refused("has other files: use a new directory", build, out, directory)
    assert sorted(os.listdir(directory)) == before
    refused("not a directory", build, directory / "one", out)
    refused("no such directory", build, directory / "none", out)
    refused("engine spam", build, directory, out, engine="spam")
    refused("no complete manifest", manifests.open, directory)
    refused("cannot write", build, directory, directory / "one" / "out")


def test_an_engine_that_loses_results(tree, tmp_path):
    directory, _ = tree
    made = build(directory, tmp_path / "out")
    commit = (tmp_path / "out" / "commit.json").read_bytes()

    def lost(jobs):
        return (manifests.run_job(job) for job in jobs if job.index)

    def last_lost(jobs):
        return (manifests.run_job(job) for job in list(jobs)[:-1])

    def ended(jobs):
        yield manifests.run_job(next(jobs))

    def other(jobs):
        return (job.index for job in jobs)

    for text, engine in [
        ("no result for 1 of", lost),
        ("no result for 1 of", last_lost),
        ("ended after 1 jobs, before the last", ended),
        ("no result for .* of", lambda jobs: iter(list(jobs)[:0])),
        ("ended after 0 jobs", lambda jobs: []),
        ("returned NoneType, not an iterator", lambda jobs: None),
        ("yielded int, not a result", other),
    ]:
        refused(text, build, directory, tmp_path / "out", engine=engine)
        # These objects are one shard of the default size.
        if engine is not ended:
            refused(text, list, made.verify(engine=engine))
        assert (tmp_path / "out" / "commit.json").read_bytes() == commit

    def twice(jobs):
        return (result for job in jobs for result in [manifests.run_job(job)] * 2)

    assert build(directory, tmp_path / "out", engine=twice).root == made.root
    assert made.verify(engine=twice).same
    with pytest.raises(TypeError, match="engine: .*not int"):
        build(directory, tmp_path / "out", engine=3)


def test_verify(tree, tmp_path):
    directory, contents = tree
    made = build(directory, tmp_path / "out")
    for quick in (False, True):
        changes = made.verify(quick)
        assert changes.same and changes.counts["same"] == len(contents)
    some = sorted(contents)
    paths = [directory / os.fsdecode(key) for key in some]
    paths[3].write_bytes(b"changed")
    data = contents[some[5]] = bytes(56)
    contents[some[5]] = data
    paths[5].write_bytes(data)
    made = build(directory, tmp_path / "out")
    times = os.stat(paths[5]).st_mtime_ns
    paths[5].write_bytes(b"\1" + data[1:])
    os.utime(paths[5], ns=(times, times))
    paths[7].rename(directory / "moved")
    paths[9].unlink()
    (directory / "added").write_bytes(b"new")
    changes = made.verify()
    found = {(change.class_, change.key) for change in changes}
    right = {("missing", some[7]), ("new", b"moved"), ("missing", some[9]), ("new", b"added")}
    assert found == right | {("rotted", some[5])} and not changes.same
    assert changes.counts["same"] == len(contents) - 3
    assert (some[7], b"moved") in changes.moved or not contents[some[7]]
    # A quick run does not read the rotted object, whose metadata is unchanged.
    assert {(change.class_, change.key) for change in made.verify(quick=True)} == right
    later = build(directory, tmp_path / "later")
    assert {(change.class_, change.key) for change in made.diff(later)} == right | {("rotted", some[5])}
    assert made.diff(made).same and not manifests.diff(tmp_path / "out", tmp_path / "later").same


def test_a_copy_elsewhere(tree, tmp_path):
    directory, contents = tree
    made = build(directory, tmp_path / "out")
    fill(tmp_path / "copy", 400)
    assert made.verify(at=tmp_path / "copy").same
    (tmp_path / "copy" / os.fsdecode(min(contents))).write_bytes(b"other")
    assert [change.class_ for change in made.verify(at=tmp_path / "copy")] == ["changed"]


def test_reuse(tree, tmp_path, monkeypatch):
    directory, contents = tree
    made = build(directory, tmp_path / "out")
    changed = sorted(contents)[200]
    (directory / os.fsdecode(changed)).write_bytes(b"changed")
    contents[changed] = b"changed"
    read = []
    real = open_store(directory).__class__.hash
    monkeypatch.setattr(
        "lanesum.manifest.stores.directory.Directory.hash",
        lambda self, table: (read.extend(table["key"].to_pylist()), real(self, table))[1],
    )
    again = build(directory, tmp_path / "again", reuse=made)
    assert again.root == root_of(contents) and read == [changed]
    assert build(directory, tmp_path / "third", reuse=tmp_path / "out").root == again.root
    # In its own place, too, only the changed object is read: other shards are reused by their listing.
    read.clear()
    assert build(directory, tmp_path / "out", reuse=tmp_path / "out").root == again.root and read == [changed]


def test_unreadable_objects_are_listed(tree, tmp_path):
    directory, contents = tree
    # The run needs an unprivileged user: root may read anything.
    for path in [directory.parent, *directory.parent.parents][:3]:
        path.chmod(0o755)
    denied = sorted(contents)[10:12]
    for key in denied:
        os.chmod(directory / os.fsdecode(key), 0)
    (directory / "closed").mkdir(mode=0)
    (tmp_path / "out").mkdir()
    (tmp_path / "out").chmod(0o777)
    # A run over an empty directory imports all modules while they are readable.
    (tmp_path / "nothing").mkdir()
    program = f"""
import os, sys
import lanesum.manifest.__main__ as command
arguments, sys.argv = sys.argv, ["", "build", "{tmp_path}/nothing", "--out", "{tmp_path}/first", "--quiet"]
assert command.main() == 0
os.getuid() or os.setuid(65534)
sys.argv = arguments
print()
sys.exit(command.main())
"""
    command = [sys.executable, "-c", program, "build", directory, "--out", tmp_path / "out"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert "without a digest" in run.stderr, run.stderr
    made = manifests.open(tmp_path / "out")
    assert run.stdout.split()[-1] == made.root and not made.complete
    lacking = dict(made.failed())
    assert set(lacking) == {*denied, b"closed/"}
    for key, error in lacking.items():
        assert "Permission denied" in error
        assert f"{key.decode()}: unreadable" in run.stderr
    assert "3 objects without a digest" in run.stderr
    assert made.root == root_of({key: data for key, data in contents.items() if key not in denied})
    refused("no digest", made.export, "gnu", tmp_path / "sums")
    for key in denied:
        os.chmod(directory / os.fsdecode(key), 0o644)
    (directory / "closed").rmdir()
    assert build(directory, tmp_path / "out").root == root_of(contents)


@pytest.mark.parametrize("how", ["changed", "longer", "gone"])
def test_changes_between_list_and_read(tree, tmp_path, how, monkeypatch):
    directory, contents = tree
    key = sorted(contents, key=lambda key: (-len(contents[key]), key))[0]
    path = directory / os.fsdecode(key)

    def reached(name):
        if name == "planned" and path.exists() and path.read_bytes() == contents[key]:
            if how == "gone":
                path.unlink()
            else:
                path.write_bytes(bytes(len(contents[key]) + (how == "longer")))

    monkeypatch.setattr("lanesum.manifest.points.reached", reached)
    made = build(directory, tmp_path / "out")
    [(failed, reason)] = made.failed()
    assert failed == key and ("changed" in reason) == (how != "gone")
    assert made.root == root_of({other: data for other, data in contents.items() if other != key})
    monkeypatch.undo()
    # Another run lists the current state, and hashes only the shards around the object again.
    again = build(directory, tmp_path / "out")
    assert again.complete and again.progress.reused >= len(again.commit["shards"]) - 3
    assert again.verify().same


def test_corruption_is_rejected(tree, tmp_path):
    directory, _ = tree
    out = tmp_path / "out"
    made = build(directory, out)
    right = made.root
    shard = out / made.commit["shards"][3]["file"]
    whole = shard.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for damaged in (whole[:-1], whole[: len(whole) // 2], b"", bytes(flipped)):
        shard.write_bytes(damaged)
        refused("is corrupt", lambda: list(manifests.open(out).verify()))
        refused("is corrupt", lambda: list(manifests.open(out).diff(made)))
        # A run repairs it.
        assert build(directory, out).root == right and shard.read_bytes() == whole
    shard.unlink()
    refused("cannot read shard", lambda: list(manifests.open(out).verify()))
    assert build(directory, out).root == right
    commit = (out / "commit.json").read_bytes()
    for damaged in (commit[:-9], b"", commit.replace(right.encode(), right[::-1].encode()), b"[]"):
        (out / "commit.json").write_bytes(damaged)
        refused("corrupt", manifests.open, out)
    (out / "commit.json").write_bytes(commit.replace(b'"lanesum manifest": 1', b'"lanesum manifest": 2'))
    refused("has version 2; this lanesum reads version 1", manifests.open, out)
    later = sorted((path, path.read_bytes()) for path in out.glob("*/*"))
    refused("has version 2; this lanesum reads version 1", build, directory, out)
    assert sorted((path, path.read_bytes()) for path in out.glob("*/*")) == later
    assert b'"lanesum manifest": 2' in (out / "commit.json").read_bytes()
    # A valid seal does not help a root that is not the rows'.
    fields = json.loads(commit) | {"root": right[::-1]}
    fields.pop("sha256")
    (out / "commit.json").write_bytes(form.sealed(fields))
    refused("have another root", lambda: list(manifests.open(out).verify()))


def test_every_reader_rejects_corruption(tmp_path):
    contents = fill(tmp_path / "tree", 1200)
    made = build(tmp_path / "tree", tmp_path / "out")
    proof = made.prove(min(contents))
    shards = [made.commit["shards"][0]["file"], made.commit["nodes"]["file"]]
    for name in shards:
        path = tmp_path / "out" / name
        whole = path.read_bytes()
        for damaged in (whole[:-1], bytes([whole[0] ^ 1]) + whole[1:]):
            path.write_bytes(damaged)
            refused("is corrupt", made.prove, min(contents))
            if name == shards[0]:
                refused("is corrupt", made.export, "gnu", tmp_path / "sums")
                refused("is corrupt", lambda: made.diff(made).same)
                refused("is corrupt", build, tmp_path / "tree", tmp_path / "later", reuse=made)
                assert not (tmp_path / "sums").exists() and not (tmp_path / "later" / "commit.json").exists()
        path.unlink()
        refused("cannot read", made.prove, min(contents))
        path.write_bytes(whole)
        assert made.prove(min(contents)) == proof


def test_obsolete_shards_are_removed(tree, tmp_path, monkeypatch):
    directory, contents = tree
    out = tmp_path / "out"
    first = build(directory, out)
    assert manifests.clean(out) == []
    for key in sorted(contents)[::40]:
        (directory / os.fsdecode(key)).write_bytes(b"changed")
    made = build(directory, out)
    named = {shard["file"] for shard in made.commit["shards"]} | {made.commit["nodes"]["file"]}
    left = {shard["file"] for shard in first.commit["shards"]} - named
    assert len(left) > 3
    # Not during a run, which may reuse obsolete shards.
    while_running = []

    def reached(name):
        if name == "planned" and not while_running:
            while_running.append(True)
            refused("a run is in progress", manifests.clean, out)

    monkeypatch.setattr("lanesum.manifest.points.reached", reached)
    assert build(directory, out).root == made.root and while_running
    monkeypatch.undo()
    with open_store(out).held(alone=True):
        refused("a run is in progress", manifests.clean, out)
    assert set(manifests.clean(out)) >= left and manifests.clean(out) == []
    assert {f"shards/{name}" for name in os.listdir(out / "shards")} == named
    assert manifests.open(out).verify().same
    (out / "commit.json").unlink()
    refused("no complete manifest", manifests.clean, out)
    assert {f"shards/{name}" for name in os.listdir(out / "shards")} == named
    refused("has no locks", manifests.clean, "memory://none")
    refused("no such directory", manifests.clean, tmp_path / "none")
    # Without a manifest, not even a lock is written.
    refused("no complete manifest", manifests.clean, directory)
    assert not (directory / "lock").exists()


def test_leftovers_of_killed_runs_are_removed(tree, tmp_path):
    directory, _ = tree
    shards = tmp_path / "out" / "shards"
    shards.mkdir(parents=True)
    names = [tmp_path / "out" / "commit.json.1.aside", *(shards / f"{number}.aside" for number in range(3))]
    for path in names:
        path.write_bytes(b"half")
    for path in names[:3]:
        os.utime(path, (1, 1))
    # The writer of one still holds its lock, and another is new.
    with open(names[2], "rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        build(directory, tmp_path / "out")
        assert [path.exists() for path in names] == [False, False, True, True]
    build(directory, tmp_path / "out")
    assert [path.exists() for path in names] == [False, False, False, True]


def test_shard_boundaries_are_stable(tmp_path):
    contents = fill(tmp_path / "tree", 1500)
    made = build(tmp_path / "tree", tmp_path / "out")
    (tmp_path / "tree" / "a" / "0").write_bytes(b"one more, before all")
    again = build(tmp_path / "tree", tmp_path / "out")
    assert len(again) == len(contents) + 1
    assert again.progress.reused >= len(made.commit["shards"]) - 2


def test_two_runs_at_once(tree, tmp_path):
    directory, contents = tree
    program = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from conftest import SMALL
from lanesum import manifest
print(manifest.build({str(directory)!r}, {str(tmp_path / "out")!r}, limits=SMALL).root)
"""
    runs = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert {run.communicate()[0].strip() for run in runs} == {root_of(contents)}
    assert manifests.open(tmp_path / "out").verify().same
    assert not [name for name in os.listdir(tmp_path / "out" / "shards") if "aside" in name]


def test_a_full_disk(tree, tmp_path):
    directory, contents = tree
    out = tmp_path / "out"
    out.mkdir()
    build_it = f"{sys.executable} -m lanesum.manifest build {directory} --out {out}"
    script = f"mount -t tmpfs -o size=16k none {out} && {build_it}"
    run = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True)
    assert run.returncode == 1 and f"cannot write {out}" in run.stderr, run.stderr
    assert "No space left on device" in run.stderr
    assert build(directory, out).root == root_of(contents)


def test_others_read_its_shards(tree, tmp_path):
    import duckdb
    import polars

    directory, contents = tree
    build(directory, tmp_path / "out")
    files = str(tmp_path / "out" / "shards" / "*.parquet")
    total, first = duckdb.sql(f"select sum(size), min(key) from '{files}'").fetchall()[0]
    assert total == sum(map(len, contents.values())) and first == min(contents)
    table = polars.read_parquet(files).sort("key")
    assert table["key"].to_list() == sorted(contents)
    digests = [hashlib.sha256(contents[key]).digest() for key in sorted(contents)]
    assert table["sha256"].to_list() == digests
    assert duckdb.sql(f"select sha256 from '{files}' order by key").fetchall() == [
        (digest,) for digest in digests
    ]
