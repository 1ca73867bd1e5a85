"""Manifests in the forms of other tools, which read them; and the command."""

import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys

import bagit
import model_signing.hashing
import pytest
from conftest import SMALL, fill
from google.protobuf import json_format
from model_signing._signing import signing

import lanesum
from lanesum import manifest as manifests
from lanesum.manifest.__main__ import shown


def test_gnu(tree, tmp_path):
    folder, contents = tree
    made = manifests.build(folder, tmp_path / "out", limits=SMALL)
    made.export("gnu", tmp_path / "sums")
    subprocess.run(["sha256sum", "--quiet", "-c", tmp_path / "sums"], cwd=folder, check=True)
    assert len((tmp_path / "sums").read_bytes().splitlines()) == len(contents)


def test_a_file_is_replaced_when_it_is_complete(tree, tmp_path):
    folder, _ = tree
    made = manifests.build(folder, tmp_path / "out", limits=SMALL)
    made.export("gnu", tmp_path / "sums")
    right = (tmp_path / "sums").read_bytes()
    sums = tmp_path / "old"
    sums.write_bytes(b"old")
    sums.chmod(0o640)
    (tmp_path / "link").symlink_to("old")
    made.export("gnu", tmp_path / "link")
    assert sums.read_bytes() == right and sums.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link").is_symlink()
    (folder / "new\nline").write_bytes(b"")
    other = manifests.build(folder, tmp_path / "other", limits=SMALL)
    with pytest.raises(manifests.ManifestError, match="hashdeep cannot represent"):
        other.export("hashdeep", sums)
    assert sums.read_bytes() == right
    (tmp_path / "dangling").symlink_to("target")
    made.export("gnu", tmp_path / "dangling")
    assert (tmp_path / "target").read_bytes() == right
    # A descriptor is not a name to replace.
    with open(sums, "ab") as file:
        program = "import sys, lanesum.manifest as m; m.open(sys.argv[1]).export('gnu', '/dev/stdout')"
        subprocess.run([sys.executable, "-c", program, tmp_path / "out"], stdout=file, check=True)
    assert sums.read_bytes() == right + right and os.path.islink("/dev/stdout")
    names = {"dangling", "link", "old", "other", "out", "sums", "target", folder.name}
    assert set(os.listdir(tmp_path)) <= names
    with pytest.raises(manifests.ManifestError, match="cannot write .*: Is a directory"):
        made.export("gnu", folder)


def test_an_empty_place_does_not_replace_a_manifest(tree, tmp_path):
    folder, contents = tree
    manifests.build(folder, tmp_path / "out", limits=SMALL)
    empty = tmp_path / "empty"
    empty.mkdir()
    folder.rename(tmp_path / "elsewhere")
    empty.rename(folder)
    with pytest.raises(manifests.ManifestError, match=f"is empty, but its manifest has {len(contents)} "):
        manifests.build(folder, tmp_path / "out", limits=SMALL)
    assert len(manifests.open(tmp_path / "out")) == len(contents)
    manifests.build(folder, tmp_path / "out", limits=SMALL, allow_empty=True)
    assert len(manifests.open(tmp_path / "out")) == 0


def test_hashdeep(tree, tmp_path):
    folder, contents = tree
    made = manifests.build(folder, tmp_path / "out", limits=SMALL)
    made.export("hashdeep", tmp_path / "deep")
    head, names, remark, *lines = (tmp_path / "deep").read_text().splitlines()
    assert (head, names, remark) == ("%%%% HASHDEEP-1.0", "%%%% size,sha256,filename", "##")
    right = [
        f"{len(data)},{hashlib.sha256(data).hexdigest()},{key.decode()}"
        for key, data in sorted(contents.items())
    ]
    assert lines == right
    (folder / "new\nline").write_bytes(b"")
    made = manifests.build(folder, tmp_path / "out", limits=SMALL)
    with pytest.raises(manifests.ManifestError, match="hashdeep cannot represent"):
        made.export("hashdeep", tmp_path / "deep")
    assert (
        len((tmp_path / "deep").read_text().splitlines()) == 3 + len(right) and len(os.listdir(tmp_path)) == 3
    )


def test_bagit(tmp_path):
    bag = tmp_path / "bag"
    contents = fill(bag / "data", 60)
    (bag / "data" / "new\nline").write_bytes(b"odd")
    made = manifests.build(bag / "data", tmp_path / "out", limits=SMALL)
    made.export("bagit", bag)
    bagit.Bag(str(bag)).validate()
    (bag / "data" / min(contents).decode()).write_bytes(b"changed")
    with pytest.raises(bagit.BagError):
        bagit.Bag(str(bag)).validate()
    with pytest.raises(manifests.ManifestError, match="is not a bag"):
        made.export("bagit", tmp_path / "elsewhere")


def test_model_signing(tmp_path):
    fill(tmp_path / "model", 60)
    manifests.build(tmp_path / "model", tmp_path / "out", limits=SMALL).export(
        "model-signing", tmp_path / "statement"
    )
    statement = json.loads((tmp_path / "statement").read_bytes())
    theirs = model_signing.hashing.Config().hash(tmp_path / "model")
    # model-signing would sign the same statement, and reads it as its own manifest.
    payload = json.loads(json_format.MessageToJson(signing.Payload(theirs).statement.pb))
    for one in (statement, payload):
        one["predicate"]["serialization"].pop("ignore_paths", None)
    assert statement == payload
    assert signing.dsse_payload_to_manifest(statement) == theirs


def test_names_that_others_have_not(tmp_path):
    folder = tmp_path / "bag" / "data"
    folder.mkdir(parents=True)
    (pathlib.Path(os.fsdecode(os.fsencode(folder) + b"/\xff"))).write_bytes(b"")
    made = manifests.build(folder, tmp_path / "out")
    for form, to in (("bagit", tmp_path / "bag"), ("model-signing", tmp_path / "statement")):
        with pytest.raises(manifests.ManifestError, match="which is not UTF-8"):
            made.export(form, to)
    with pytest.raises(manifests.ManifestError, match="unknown format spam"):
        made.export("spam", tmp_path / "sums")


@pytest.fixture
def command(monkeypatch, capfd):
    """Runs the command in this process: status, output, errors."""
    from lanesum.manifest.__main__ import main

    def run(*arguments, input=None):
        monkeypatch.setattr(sys, "argv", ["lanesum manifest", *map(str, arguments)])
        if input is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input.encode("latin-1"))))
        try:
            status = main()
        except SystemExit as exit:
            status = exit.code
        sys.stdout.flush()
        return status, *capfd.readouterr()

    return run


def test_the_command(tree, tmp_path, command):
    folder, contents = tree
    out, later = tmp_path / "out", tmp_path / "later"
    status, root, said = command("build", folder, "--out", out)
    made = manifests.open(out)
    assert (status, root) == (0, made.root + "\n") and "400 objects" in said and "objects/s" in said
    assert command("root", out)[:2] == (0, root)
    status, found, said = command("verify", out)
    assert (status, found) == (0, "") and re.fullmatch(
        r"lanesum manifest: 400 same\n"
        rf"lanesum manifest: 400 objects, {made.bytes:,} bytes, [\d.]+ s, [\d,]+ objects/s, [\d.]+ MB/s\n",
        said,
    )
    assert command("verify", out, "--quick")[2] == "lanesum manifest: 400 same\n"
    assert command("verify", out, "--quick", "-q", "--threads", 1) == (0, "", "")
    key = min(contents).decode()
    status, proof, _ = command("prove", out, key)
    assert status == 0 and manifests.check_proof(made.root, manifests.Proof.of(proof))
    (tmp_path / "proof").write_text(proof)
    assert command("check-proof", made.root, tmp_path / "proof") == (0, f"{key}: OK\n", "")
    assert command("check-proof", made.root, input=proof)[0] == 0
    assert command("check-proof", "00" * 32, input=proof)[:2] == (1, f"{key}: FAILED\n")
    for wrong in ("", "{}", "[]", "{", '{"key": 5}', "[" * 100_000, "\xff"):
        said = "lanesum manifest: standard input is not a proof\n"
        assert command("check-proof", made.root, input=wrong) == (1, "", said)
    (tmp_path / "odd").write_bytes(b"\xff\x00")
    said = f"lanesum manifest: {tmp_path}/odd is not a proof\n"
    assert command("check-proof", made.root, tmp_path / "odd") == (1, "", said)
    said = f"lanesum manifest: cannot read {tmp_path}/none: No such file or directory\n"
    assert command("check-proof", made.root, tmp_path / "none") == (1, "", said)
    assert command("check-proof", made.root[1:], tmp_path / "proof")[0] == 2
    fields = json.loads(proof)
    for change in ({"index": -1}, {"count": 1 << 70}, {"size": -1}, {"path": ["00"]}):
        assert command("check-proof", made.root, input=json.dumps(fields | change))[0] == 1
    said = "lanesum manifest: none has no digest in this manifest\n"
    assert command("prove", out, "none") == (1, "", said)
    status, sums, _ = command("export", out, "--format", "gnu")
    assert status == 0 and len(sums.splitlines()) == 400
    (folder / key).write_bytes(b"changed")
    assert command("verify", out)[:2] == (1, f"changed  {key}\n")
    assert command("build", folder, "--out", later, "--reuse", out)[0] == 0
    assert command("diff", out, later)[:2] == (1, f"changed  {key}\n")
    assert command("diff", out, out)[0] == 0
    assert command("verify", tmp_path / "none")[0] == 1
    assert command("spam")[0] == command()[0] == command("build", folder)[0] == 2
    assert command("build", tmp_path / "none", "-o", out)[0] == 1
    for threads in 0, "x", "-1":
        status, _, error = command("build", folder, "-o", out, "--threads", threads)
        assert status == 2 and f"expected a number of at least 1, not '{threads}'" in error
    status, _, error = command("verify", out, "--engine", "spam")
    assert status == 2 and "--engine: unknown engine spam: use threads, dask or dask://HOST:PORT" in error
    assert command("--version")[:2] == (0, f"lanesum manifest {lanesum.__version__}\n")
    assert "run lanesum-manifest" in command("--help")[1]
    said = f"lanesum manifest: cannot write {tmp_path}/none/sums: No such file or directory\n"
    assert command("export", out, "--format", "gnu", "-o", tmp_path / "none" / "sums") == (1, "", said)
    said = f"lanesum manifest: {folder} is not in S3; only S3 stores checksums\n"
    assert command("checksums", out) == (1, "", said)
    status, _, said = command("export", out, "--format", "bagit")
    assert status == 2 and "the directory of the bag" in said


@pytest.mark.parametrize(
    "key,text",
    [
        (b"a/b c", "a/b c"),
        ("naïve".encode(), "naïve"),
        (b"back\\slash", "back\\slash"),
        (b"two\nlines", r'"two\x0alines"'),
        (b"\x1b[31mred", r'"\x1b[31mred"'),
        (b'caf\xe9 "\\', r'"caf\xe9 \"\\"'),
        ("\x85".encode(), r'"\u0085"'),
        (b"", '""'),
    ],
)
def test_how_keys_are_shown(key, text):
    assert shown(key) == text


def test_what_moved_and_what_is_skipped(tree, tmp_path, command):
    folder, contents = tree
    out, later = tmp_path / "out", tmp_path / "later"
    (folder / "link").symlink_to("nowhere")
    assert "1 skipped (symlinks and special files)" in command("build", folder, "-o", out)[2]
    long = max(contents, key=lambda key: len(contents[key])).decode()
    os.rename(folder / long, folder / "two\nlines")
    (folder / "link").unlink()
    assert "special files" not in command("build", folder, "-o", later)[2]
    status, found, said = command("diff", out, later)
    assert status == 1 and sorted(found.splitlines()) == [f"missing  {long}", r'new  "two\x0alines"']
    assert said == "lanesum manifest: 399 same, 1 new, 1 missing, 1 moved\n"


def test_who_reads_has_enough(tree, tmp_path):
    folder, _ = tree
    manifests.build(folder, tmp_path / "out", limits=SMALL)
    line = f"{sys.executable} -m lanesum.manifest export {tmp_path / 'out'} --format gnu"
    for more, said in (("| head -1 | wc -l", "1\n"), ("| true", "")):
        run = subprocess.run(["sh", "-c", f"{line} {more}"], capture_output=True, text=True)
        assert (run.stdout, run.stderr) == (said, "")
    run = subprocess.run(["sh", "-c", f"{line} >/dev/full"], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (1, "lanesum manifest: standard output: No space left on device\n")


def test_a_run_that_is_stopped_by_hand(tree, tmp_path):
    program = """
import os, signal, sys
from lanesum.manifest import points
from lanesum.manifest.__main__ import main
# What starts the tests in the background may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
points.reached = lambda name: name == "hashed" and os.kill(os.getpid(), signal.SIGINT)
main()
"""
    command = [sys.executable, "-c", program, "build", tree[0], "-o", tmp_path / "out"]
    run = subprocess.run(command, capture_output=True, text=True)
    said = "lanesum manifest: interrupted; run the command again to resume\n"
    assert run.stderr == said and not (tmp_path / "out" / "commit.json").exists()


def test_the_line_on_a_terminal(tree, tmp_path):
    line = f"{sys.executable} -m lanesum.manifest build {tree[0]} -o {tmp_path / 'out'}"
    run = subprocess.run(["script", "-qec", line, "/dev/null"], capture_output=True, text=True, check=True)
    assert "shard 0 of 1" in run.stdout and "\033[K" in run.stdout


def test_without_what_it_needs(tmp_path):
    program = """
import sys
sys.modules["distributed"] = sys.modules["boto3"] = None
from lanesum import manifest
for arguments in [(sys.argv[1], sys.argv[2], "dask"), ("s3://bucket", sys.argv[2])]:
    try:
        manifest.build(*arguments)
    except manifest.ManifestError as error:
        print(error)
"""
    (tmp_path / "tree").mkdir()
    command = [sys.executable, "-c", program, tmp_path / "tree", tmp_path / "out"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "Dask is not installed: install lanesum with the extra `dask`, or run `pip install distributed bokeh`",
        "boto3 is not installed: install lanesum with the extra `s3`, or run `pip install boto3 obstore`",
    ]
