"""Object stores: a local S3 with injected faults, and drivers of fsspec."""

import collections
import hashlib
import os
import random
import subprocess
import sys
import threading
import zlib

import fsspec
import pytest
from conftest import SMALL, fill, root_of
from fsspec.implementations.memory import MemoryFileSystem

from lanesum import manifest as manifests
from lanesum.manifest import __main__ as command, plan
from lanesum.manifest.checksums import compare_checksums
from lanesum.manifest.stores import others, s3, store as open_store


@pytest.fixture
def objects(store, request):
    """Some objects of the store, below a prefix of the test's own."""
    prefix = request.node.name
    chance = random.Random(1)
    keys = ["a b", "ü/ö", "%41", "x?a=b#c", "+", "*'~", "a//b", "d/", "\\", "l" * 900, *map(str, range(40))]
    # moto's routes have no newline.
    keys += ["a\tb", "\x01", "\x7f", "..", "a/../b", "~/./x", "/a", "😀"]
    contents = {key.encode(): chance.randbytes(chance.choice([0, 1, 56, 3000])) for key in keys}
    store.fill(prefix, contents)
    return f"s3://bucket/{prefix}", contents


def build(store, url, out, **more):
    options, out_options = (store.options if str(one).startswith("s3") else None for one in (url, out))
    given = {"limits": SMALL, "options": options, "out_options": out_options} | more
    return manifests.build(url, out, **given)


def test_s3(store, objects, tmp_path, cluster):
    url, contents = objects
    made = build(store, url, tmp_path / "out")
    assert made.root == root_of(contents) and made.complete
    assert None not in {row["etag"] for rows in made.rows() for row in rows.to_pylist()}
    # It still has the options that it was made with.
    assert made.verify().same
    store.faults()
    assert made.verify(quick=True, options=store.options).same
    assert store.counts().get("objects", 0) == 0
    assert build(store, url, tmp_path / "dask", engine=cluster).root == made.root


def test_a_manifest_in_s3(store, objects, tmp_path):
    url, contents = objects
    first = build(store, url, f"{url}-out/run")
    assert first.root == root_of(contents)
    again = build(store, url, f"{url}-out/run")
    assert again.root == first.root and again.progress.reused == len(again.commit["shards"])
    opened = manifests.open(f"{url}-out/run", store.options)
    assert opened.verify(options=store.options).same
    # A corrupt shard is repaired, although its name exists.
    key = f"{url.removeprefix('s3://bucket/')}-out/run/{first.commit['shards'][0]['file']}"
    store.client.put_object(Bucket="bucket", Key=key, Body=b"damage")
    with pytest.raises(manifests.ManifestError, match="is corrupt"):
        list(opened.verify(options=store.options))
    assert build(store, url, f"{url}-out/run").root == first.root
    assert opened.verify(options=store.options).same
    # Another state has another commit.
    store.client.put_object(Bucket="bucket", Key=f"{url.removeprefix('s3://bucket/')}/new", Body=b"new")
    changed = build(store, url, f"{url}-out/run")
    assert manifests.open(f"{url}-out/run", store.options).root == changed.root != first.root
    # One that is kept among the objects is none of them.
    inside = build(store, url, f"{url}/manifest")
    assert build(store, url, f"{url}/manifest").root == inside.root == changed.root


def test_two_runs_into_one_folder_of_s3(store, objects):
    url, contents = objects
    made = []
    runs = [threading.Thread(target=lambda: made.append(build(store, url, f"{url}-out"))) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert {one.root for one in made} == {root_of(contents)} and len(made) == 4


@pytest.mark.parametrize(
    "faults",
    [{"busy": 5}, {"short": 5}, {"cut": 5}, {"slow": 0.1}, {"drip": 10}, {"stall": 20}],
    ids=lambda faults: next(iter(faults)),
)
@pytest.mark.parametrize("long", [False, True], ids=["small", "long"])
def test_a_store_that_is_wrong_now_and_then(store, objects, tmp_path, faults, long, monkeypatch):
    url, contents = objects
    if long:
        monkeypatch.setattr(s3, "BATCH_BYTES", 100)
        monkeypatch.setattr("lanesum.manifest.stores.PIECE_BYTES", 1000)
    # What drips takes longer than this in all, but is never silent for so long; what stalls is.
    monkeypatch.setattr(s3, "SILENCE", 1)
    store.faults(**faults)
    made = build(store, url, tmp_path / "out")
    assert store.counts()["objects"] > len(contents) - 10
    assert list(made.failed()) == [] and made.root == root_of(contents)


@pytest.mark.parametrize("long", [False, True], ids=["small", "long"])
def test_what_s3_refuses_is_listed(store, objects, tmp_path, monkeypatch, long):
    url, contents = objects
    if long:
        monkeypatch.setattr(s3, "BATCH_BYTES", 100)
    prefix = url.removeprefix("s3://bucket/")
    long_keys = sorted(key for key in contents if len(contents[key]) == 3000)
    denied, gone, changed = long_keys[-3:]
    store.faults(denied=denied.decode())
    client = store.client

    def reached(name):
        if name == "planned":
            client.delete_object(Bucket="bucket", Key=f"{prefix}/{gone.decode()}")
            client.put_object(Bucket="bucket", Key=f"{prefix}/{changed.decode()}", Body=bytes(3000))

    monkeypatch.setattr("lanesum.manifest.points.reached", reached)
    made = build(store, url, tmp_path / "out")
    lacking = dict(made.failed())
    assert lacking == {
        denied: "access denied",
        gone: "no longer exists",
        changed: "changed after it was listed",
    }
    assert made.root == root_of({key: data for key, data in contents.items() if key not in lacking})


def test_a_store_that_is_busy_whatever_it_is_asked(store, objects, tmp_path):
    url, contents = objects
    store.faults(all=3)
    made = build(store, url, f"{url}-out")
    assert made.complete and made.root == root_of(contents)
    assert manifests.open(f"{url}-out", store.options).verify(options=store.options).same
    assert store.counts()["PUT"] > 3


def test_a_store_that_does_not_come_back(store, objects, tmp_path, monkeypatch):
    url, contents = objects
    monkeypatch.setattr("lanesum.manifest.errors.WAIT", 0.001)
    store.faults(busy=1)
    made = build(store, url, tmp_path / "out")
    assert not made.complete and len(made) == 0
    # Both clients report it in the same words.
    assert dict(made.failed()) == dict.fromkeys(contents, "the store returned status 503 SlowDown")
    # Each object was requested the maximum number of times.
    assert store.counts()["objects"] == 7 * len(contents)
    store.faults(all=1)
    with pytest.raises(manifests.ManifestError, match="cannot list"):
        build(store, url, tmp_path / "other")
    with pytest.raises(manifests.ManifestError, match="cannot read|cannot write|cannot list"):
        build(store, tmp_path, f"{url}-out")
    store.faults()
    again = build(store, url, tmp_path / "out")
    assert again.root == root_of(contents)


def test_a_store_that_is_not_there(tmp_path, store):
    with pytest.raises(manifests.ManifestError, match="cannot list s3://none"):
        build(store, "s3://none/prefix", tmp_path / "out")
    # A name that is wrong is no place without objects.
    for url in ("s3://bucket/no-such-prefix", "memory://no-such-place"):
        with pytest.raises(manifests.ManifestError, match="no objects have this prefix"):
            build(store, url, tmp_path / "out", options=store.options if url.startswith("s3") else None)
    assert not (tmp_path / "out" / "commit.json").exists()
    for url in ("spam://none", "sftp:///none"):
        with pytest.raises(manifests.ManifestError, match=f"cannot open {url}: "):
            build(store, url, tmp_path / "out")
    for options in ({"endpoint_url": "spam"}, {"spam": "1"}, {"region_name": ["spam"]}):
        said = "cannot open s3://bucket/prefix: .*(spam|str is required, not list)"
        with pytest.raises(manifests.ManifestError, match=said):
            build(store, "s3://bucket/prefix", tmp_path / "out", options=options)


def test_options_of_s3(store, objects, tmp_path):
    """An option that only one of the two clients has is rejected, and None is the client's default."""
    url, contents = objects
    for name in "verify", "config", "use_ssl":
        with pytest.raises(manifests.ManifestError, match=f"unknown option {name}: use endpoint_url, region_name"):
            build(store, url, tmp_path / "out", options=store.options | {name: False})
    options = store.options | {"aws_session_token": None}
    assert build(store, url, tmp_path / "out", options=options).root == root_of(contents)


def test_without_credentials(store, objects, tmp_path, monkeypatch):
    url, contents = objects
    for name in ("AWS_ACCESS_KEY_ID", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    options = {"endpoint_url": store.url, "region_name": "us-east-1"}
    # Public objects need no credentials; the error of others names the missing ones.
    for key in contents:
        path = f"{url.removeprefix('s3://bucket/')}/{key.decode()}"
        store.client.put_object_acl(Bucket="bucket", Key=path, ACL="public-read")
    assert build(store, url, tmp_path / "out", options=options).root == root_of(contents)
    store.faults(closed=True)
    with pytest.raises(manifests.ManifestError, match="access denied, without credentials"):
        build(store, url, tmp_path / "other", options=options)
    assert build(store, url, tmp_path / "other").root == root_of(contents)


def test_the_command_with_an_endpoint(store, objects, tmp_path, monkeypatch, capfd):
    url, contents = objects
    names = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in names.items():
        monkeypatch.setenv(name, value)

    def run(*words):
        monkeypatch.setattr("sys.argv", ["", *map(str, words), "--endpoint", store.url])
        status = command.main()
        sys.stdout.flush()
        return status, *capfd.readouterr()

    out, key = f"{url}-out", "a b"
    assert run("build", url, "-o", out)[:2] == (0, root_of(contents) + "\n")
    assert run("root", out)[1] == root_of(contents) + "\n"
    status, found, said = run("verify", out)
    assert (status, found) == (0, "") and said.startswith(f"lanesum manifest: {len(contents)} same\n")
    assert run("build", url, "-o", tmp_path / "later", "--reuse", out)[0] == 0
    assert run("diff", out, tmp_path / "later")[0] == 0
    assert len(run("export", out, "--format", "gnu")[1].splitlines()) == len(contents)
    assert manifests.check_proof(root_of(contents), manifests.Proof.of(run("prove", out, key)[1]))
    assert run("checksums", out) == (
        0,
        "",
        f"lanesum manifest: {len(contents)} without a SHA-256 in the store\n",
    )
    prefix = url.removeprefix("s3://bucket/")
    put = {"Bucket": "bucket", "ChecksumAlgorithm": "SHA256"}
    store.client.put_object(Key=f"{prefix}/{key}", Body=contents[key.encode()], **put)
    assert run("build", url, "-o", out, "-q")[0] == 0
    said = f"lanesum manifest: 1 same, {len(contents) - 1} without a SHA-256 in the store\n"
    assert run("checksums", out, "--no-read") == (0, "", said)
    store.client.put_object(Key=f"{prefix}/{key}", Body=b"otherwise", **put)
    status, found, _ = run("checksums", out)
    assert (status, found) == (1, f"unreadable  {key}: changed after it was listed\n")
    said = f"lanesum manifest: {out} has no locks: only a manifest in a local directory can be cleaned\n"
    assert run("clean", out) == (1, "", said)


def test_without_obstore(store, objects, tmp_path, monkeypatch):
    url, contents = objects
    monkeypatch.setattr(s3.S3, "_obstore", lambda self, session: None)
    assert build(store, url, tmp_path / "out").root == root_of(contents)


@pytest.mark.parametrize("piece", [1 << 20, 16 << 20])
def test_checksums_of_s3(store, request, tmp_path, piece, monkeypatch):
    monkeypatch.setattr("lanesum.manifest.stores.PIECE_BYTES", piece)
    prefix = request.node.name
    client, url = store.client, f"s3://bucket/{prefix}"
    put = {"Bucket": "bucket", "ChecksumAlgorithm": "SHA256"}
    client.put_object(Key=f"{prefix}/whole", Body=b"warp", **put)
    client.put_object(Bucket="bucket", Key=f"{prefix}/none", Body=b"weft", ChecksumAlgorithm="CRC32")
    upload = client.create_multipart_upload(Key=f"{prefix}/parts", **put)["UploadId"]
    parts = []
    for number, data in enumerate([bytes(5 << 20), b"\1" * (6 << 20), b"end"], 1):
        told = {"PartNumber": number, "UploadId": upload, "Body": data}
        said = client.upload_part(Key=f"{prefix}/parts", **told, **put)
        parts.append({"PartNumber": number, "ETag": said["ETag"], "ChecksumSHA256": said["ChecksumSHA256"]})
    done = {"UploadId": upload, "MultipartUpload": {"Parts": parts}}
    client.complete_multipart_upload(Bucket="bucket", Key=f"{prefix}/parts", **done)
    made = build(store, url, tmp_path / "out")
    store.faults()

    def compared(manifest, **more):
        found = compare_checksums(manifest, options=store.options, **more)
        return {one.key: (one.class_, one.reason) for one in found}

    unread = compared(made, read=False)
    assert unread == {b"none": ("none", None), b"parts": ("unread", None), b"whole": ("same", None)}
    assert store.counts().get("objects", 0) == 0
    assert compared(made) == {**unread, b"parts": ("same", None)}
    # A manifest that says otherwise than the store.
    rows = [rows for rows in made.rows()]
    wrong = [table.set_column(4, "sha256", [[bytes(32)] * len(table)]).cast(table.schema) for table in rows]
    made.rows = lambda columns=None: iter(wrong)
    assert compared(made) == {
        b"none": ("none", None),
        b"parts": ("changed", None),
        b"whole": ("changed", None),
    }
    client.put_object(Key=f"{prefix}/whole", Body=b"other", **put)
    made.rows = lambda columns=None: iter(rows)
    assert compared(made)[b"whole"] == ("unreadable", "changed after it was listed")
    folder = manifests.build(tmp_path, tmp_path / "folder")
    with pytest.raises(manifests.ManifestError, match="is not in S3"):
        list(compare_checksums(folder))


def test_what_fsspec_has(tmp_path, request, monkeypatch):
    fs = fsspec.filesystem("memory")
    contents = fill(tmp_path / "tree", 100)
    root = f"/{request.node.name}"
    for key, data in contents.items():
        fs.pipe_file(f"{root}/{os.fsdecode(key)}", data)
    made = manifests.build(f"memory:/{root}", f"memory:/{root}-out", limits=SMALL)
    assert made.root == root_of(contents)
    opened = manifests.open(f"memory:/{root}-out")
    assert opened.verify().same and opened.verify(quick=True).same
    monkeypatch.setattr(others, "BATCH_BYTES", 100)
    monkeypatch.setattr("lanesum.manifest.stores.PIECE_BYTES", 1000)
    assert manifests.build(f"memory:/{root}", tmp_path / "out", limits=SMALL).root == made.root
    long = max(contents, key=lambda key: len(contents[key]))

    def reached(name):
        if name == "planned":
            fs.pipe_file(f"{root}/{os.fsdecode(long)}", bytes(5000))

    monkeypatch.setattr("lanesum.manifest.points.reached", reached)
    changed = manifests.build(f"memory:/{root}", tmp_path / "changed", limits=SMALL)
    assert [key for key, _ in changed.failed()] == [long]


class Wrong(MemoryFileSystem):
    """An fsspec driver whose store is sometimes busy, truncates bodies, and loses an object."""

    protocol = "wrong"
    # The number of requests for each part of an object, which stays below the maximum.
    asked = collections.Counter()

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.replace("wrong://", "memory://"))

    def cat_file(self, path, start=None, end=None, **more):
        Wrong.asked[path, start] += 1
        times, kind = Wrong.asked[path, start], zlib.crc32(f"{path} {start}".encode()) % 3
        if kind > 0 and times == 1 or kind == 2 and times == 3:
            raise OSError("503 Slow Down")
        data = super().cat_file(path, start, end, **more)
        return data[: len(data) // 2] if kind == 2 and times == 2 else data


@pytest.mark.parametrize("long", [False, True], ids=["small", "long"])
def test_a_driver_that_is_wrong_now_and_then(tmp_path, request, monkeypatch, long):
    fsspec.register_implementation("wrong", Wrong, clobber=True)
    Wrong.asked.clear()
    monkeypatch.setattr("lanesum.manifest.errors.WAIT", 0.001)
    if long:
        monkeypatch.setattr(others, "BATCH_BYTES", 100)
        monkeypatch.setattr("lanesum.manifest.stores.PIECE_BYTES", 1000)
    root = f"/{request.node.name}"
    contents = fill(tmp_path / "tree", 100)
    memory = fsspec.filesystem("memory")
    for key, data in contents.items():
        memory.pipe_file(f"{root}/{os.fsdecode(key)}", data)
    made = manifests.build(f"wrong:/{root}", tmp_path / "out", limits=SMALL)
    assert made.root == root_of(contents) and Wrong.asked.total() > 150
    gone, denied = sorted(contents, key=lambda key: len(contents[key]))[-2:]
    real = Wrong.cat_file

    def refuses(self, path, *some, **more):
        if path.endswith(denied.decode()):
            raise PermissionError(13, "Permission denied")
        return real(self, path, *some, **more)

    def reached(name):
        if name == "planned" and memory.exists(f"{root}/{gone.decode()}"):
            memory.rm_file(f"{root}/{gone.decode()}")

    monkeypatch.setattr(Wrong, "cat_file", refuses)
    monkeypatch.setattr("lanesum.manifest.points.reached", reached)
    made = manifests.build(f"wrong:/{root}", tmp_path / "other", limits=SMALL)
    lacking = dict(made.failed())
    assert set(lacking) == {gone, denied} and lacking[denied] == "Permission denied"
    assert made.root == root_of({key: data for key, data in contents.items() if key not in lacking})


def test_keys_of_any_length(tmp_path, request):
    fs = fsspec.filesystem("memory")
    root = f"/{request.node.name}"
    contents = {b"k" * length: b"warp" for length in (1, 255, 4096, 1 << 20)}
    for key, data in contents.items():
        fs.pipe_file(f"{root}/{key.decode()}", data)
    made = manifests.build(f"memory:/{root}", tmp_path / "out", limits=SMALL)
    assert made.root == root_of(contents) and made.verify().same
    assert manifests.check_proof(made.root, made.prove(b"k" * (1 << 20)))


def test_long_objects_in_parts(store, request, tmp_path):
    data = random.Random(2).randbytes(40 << 20)
    store.fill(request.node.name, {b"long": data, b"short": b"warp"})
    made = build(store, f"s3://bucket/{request.node.name}", tmp_path / "out")
    assert made.root == root_of({b"long": data, b"short": b"warp"})
    row = made.find(b"long")[0]
    assert row["sha256"] == hashlib.sha256(data).digest()


@pytest.mark.parametrize(
    "key,plain",
    [
        ("a", True),
        ("a/b.c", True),
        ("a//b", False),
        ("/a", False),
        ("a/", False),
        ("a\n", False),
        ("..", False),
        ("a/../b", False),
        ("a/.", False),
        (".a/..b", True),
        ("", False),
    ],
)
def test_which_keys_are_plain(key, plain):
    assert bool(s3.PLAIN.fullmatch(key.encode())) == plain


def test_an_order_that_is_none(tmp_path, monkeypatch):
    listing = [plan.listed([b"b"], [0], [0]), plan.listed([b"a"], [0], [0])]
    (tmp_path / "tree").mkdir()
    monkeypatch.setattr(type(open_store(tmp_path)), "listing", lambda self: iter(listing))
    with pytest.raises(manifests.ManifestError, match="does not list keys in byte order"):
        manifests.build(tmp_path / "tree", tmp_path / "out")


def test_keys_of_any_locale(tmp_path):
    """A key is the same bytes wherever it is listed, also where names of files are not UTF-8."""
    program = """
import fsspec, sys
from lanesum import manifest
fsspec.filesystem("memory").pipe_file("/place/\\u00fc", b"warp")
made = manifest.build("memory://place", sys.argv[1])
print(sys.getfilesystemencoding(), made.root, made.find(b"\\xc3\\xbc") is not None, made.verify().same)
"""
    environ = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", program, tmp_path / "out"]
    run = subprocess.run(command, capture_output=True, text=True, env=environ)
    encoding, root, *is_well = run.stdout.split()
    assert encoding != "utf-8" and is_well == ["True", "True"], run.stderr
    assert root == root_of({"ü".encode(): b"warp"})


def test_amazon_itself_has_no_endpoint_to_set(monkeypatch):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret", "region_name": "eu-west-1"}
    store = open_store("s3://bucket/prefix", keys)
    assert store.objects is not None and store.url == "s3://bucket/prefix"
