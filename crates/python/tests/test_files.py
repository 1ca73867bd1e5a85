"""Trees of files and manifests."""

import copy
import hashlib
import os
import pickle
import subprocess
import sys

import pytest
from conftest import refused

import lanesum


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tree" / "sub").mkdir(parents=True)
    for i in range(50):
        path = tmp_path / "tree" / ("sub" if i % 2 else "") / f"file {i:02}"
        path.write_bytes(os.urandom(i * 1000))
    return tmp_path / "tree"


def digest(path, name="sha256"):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, name).digest()


@pytest.mark.parametrize("jobs", [None, 1, 3])
@pytest.mark.parametrize("kind", [str, os.fsencode, lambda path: path, lambda path: [path]])
def test_sum(tree, jobs, kind):
    files = list(lanesum.sum(kind(tree), algorithm="sha1", jobs=jobs))
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(tree) for name in names)
    assert sorted(file.path for file in files) == paths
    for file in files:
        assert file.ok and file.error is None and file.expected is None
        assert file.algorithm == "sha1"
        assert file.digest == digest(file.path, "sha1")
        assert file.hexdigest == file.digest.hex()
        assert file.path in repr(file)
    assert [file.path for file in lanesum.sum(tree)] == [file.path for file in files]


def test_a_choice_of_files(tree):
    some = list(lanesum.sum(tree, globs=["*5"]))
    assert {os.path.basename(file.path)[-1] for file in some} == {"5"}
    (tree / "link").symlink_to("file 02")
    assert len(list(lanesum.sum(tree))) == 50
    assert len(list(lanesum.sum(tree, follow=True))) == 51
    for globs in "*5", ("*5",), iter(["*5"]):
        assert [file.path for file in lanesum.sum(tree, globs=globs)] == [file.path for file in some]
    with pytest.raises(ValueError, match="globs: "):
        lanesum.sum(tree, globs=["["])
    for globs in 5, [5]:
        with pytest.raises(TypeError, match="globs: "):
            lanesum.sum(tree, globs=globs)


def test_a_pattern_with_a_slash_matches_the_path_from_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in "a/b/1", "a/1":
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for globs, found in ("a/*", ["a/1"]), ("b/*", []), ("**/b/*", ["a/b/1"]), ("a/b/*", ["a/b/1"]):
        assert sorted(file.path for file in lanesum.sum("a", globs=globs)) == found, globs


def test_algorithms_are_names_or_constructors(tree):
    right = [file.digest for file in lanesum.sum(tree, "md5")]
    assert [file.digest for file in lanesum.sum(tree, lanesum.md5)] == right
    assert [file.digest for file in lanesum.sum(tree, algorithm=hashlib.md5)] == right
    for call in (
        lambda: lanesum.sum(tree, 5),
        lambda: lanesum.check(tree / "none", 5),
        lambda: lanesum.audit(tree / "none", None, 5),
        lambda: lanesum.diff(tree, tree, 5),
    ):
        with pytest.raises(TypeError, match="algorithm: .*'int'"):
            call()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda file: pickle.loads(pickle.dumps(file))])
def test_a_file_can_be_copied(tree, copied):
    odd = os.fsencode(tree) + b"/\xff"
    with open(odd, "wb"):
        pass
    sums = tree / "sums"
    sums.write_text(f"{'0' * 64}  {tree}/none\nSHA512/256 (x) = {'0' * 64}\ngarbage\n")
    files = [*lanesum.sum(odd, "sha512_256"), *lanesum.sum(tree / "none"), *lanesum.check(sums)]
    assert [type(file.error).__name__ for file in files] == [
        "NoneType",
        "FileNotFoundError",
        "FileNotFoundError",
        "FileNotFoundError",
        "ValueError",
    ]
    for file in files:
        made = copied(file)
        for name in "path", "algorithm", "digest", "expected", "ok":
            assert getattr(made, name) == getattr(file, name)
        assert repr(made.error) == repr(file.error)
        assert made == file and hash(made) == hash(file)
    assert len(set(files)) == len(files) and files[0] != "file"
    assert next(lanesum.sum(odd, "sha256")) != files[0]


def test_annotations():
    assert str(lanesum.Files[str]) == "lanesum.Files[str]" and str(lanesum.File[str]) == "lanesum.File[str]"


def test_errors_are_those_of_open(tree):
    for path, call in [
        (tree / "none", lambda path: next(lanesum.sum(path)).error),
        (tree / "none", lanesum.check),
        (tree, lanesum.check),
        (tree / "none", lanesum.audit),
        (tree / "none", lambda path: lanesum.diff(tree, path)),
    ]:
        with pytest.raises(OSError) as right:
            open(path)
        try:
            found = call(str(path))
        except OSError as error:
            found = error
        assert type(found) is right.type and str(found) == str(right.value)
        assert found.filename == str(path)


def test_progress(tree):
    said = []
    files = list(lanesum.sum(tree, progress=lambda *so_far: said.append(so_far)))
    assert said[-1] == (sum(range(50)) * 1000, len(files))
    assert said == sorted(said)
    for call in lanesum.sum, lanesum.check:
        refused(TypeError, "progress: a function .*'int'", lambda call=call: call(tree, progress=5))
    with open(tree / min(os.listdir(tree)), "rb") as file:
        refused(TypeError, "path: a path or an iterable of paths .*'BufferedReader'", lambda: lanesum.sum(file))
    refused(TypeError, "path: .*'NoneType'", lambda: lanesum.sum(None))
    failing = lanesum.sum(tree, progress=lambda *so_far: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(failing)


def test_what_cannot_be_read(tree):
    files = list(lanesum.sum([tree / "file 02", tree / "none", tree / "file 04"]))
    assert [file.ok for file in files] == [True, False, True]
    missing = files[1]
    assert missing.digest is None and missing.hexdigest is None
    assert isinstance(missing.error, FileNotFoundError)
    assert missing.error.filename == missing.path == str(tree / "none")
    for wrong in [
        lambda: lanesum.sum(5),
        lambda: lanesum.sum([5]),
        lambda: lanesum.sum(tree, algorithm=5),
        lambda: lanesum.check([tree, tree]),
    ]:
        with pytest.raises(TypeError):
            wrong()
    for wrong in [
        lambda: lanesum.sum(tree, algorithm="spam"),
        lambda: lanesum.sum(tree, jobs=0),
    ]:
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(FileNotFoundError):
        lanesum.check(tree / "none")


def test_check(tree, monkeypatch):
    monkeypatch.chdir(tree)
    lines = [f"{digest(name).hex()}  {name}\n" for name in sorted(os.listdir()) if name != "sub"]
    with open("sums", "w") as manifest:
        manifest.writelines(lines)
        manifest.write("# a remark\n")
        manifest.write("beans\n")
        manifest.write("0" * 64 + "  file 00\n")
        manifest.write("0" * 64 + "  none\n")
        manifest.write(f"SHA512 (file 02) = {digest('file 02', 'sha512').hex()}\n")
    files = list(lanesum.check("sums"))
    *right, beans, wrong, missing, other = files
    assert all(file.ok and file.digest == file.expected for file in right) and len(right) == 25
    assert beans.path is None and isinstance(beans.error, ValueError)
    assert "line 27: not a checksum line" in str(beans.error)
    assert not wrong.ok and wrong.error is None and wrong.expected == bytes(32)
    assert isinstance(missing.error, FileNotFoundError) and not missing.ok
    assert other.ok and other.algorithm == "sha512"
    monkeypatch.chdir("/")
    assert not any(file.ok for file in lanesum.check(tree / "sums"))
    assert [file.ok for file in lanesum.check(tree / "sums", root=tree)] == [file.ok for file in files]
    of_bytes = lanesum.check(os.fsencode(tree / "sums"), root=os.fsencode(tree))
    assert [file.ok for file in of_bytes] == [file.ok for file in files]
    for name, call in [
        ("manifest", lambda: lanesum.check([tree / "sums"])),
        ("root", lambda: lanesum.check(tree / "sums", root=3)),
        ("manifest", lambda: lanesum.audit(3)),
        ("tree", lambda: lanesum.audit(tree / "sums", 3)),
        ("before", lambda: lanesum.diff(3, tree)),
        ("now", lambda: lanesum.diff(tree, 3)),
    ]:
        with pytest.raises(TypeError, match=f"^{name}: .*os.PathLike"):
            call()
    assert not list(lanesum.check(tree / "sums", "sha1", root=tree))[0].ok


def test_check_uses_the_name_of_the_manifest(tree, monkeypatch):
    """A digest without a name, and a BagIt manifest, whose names are relative to its directory."""
    monkeypatch.chdir(tree)
    (tree / "file 02.sha256").write_text(f"{digest('file 02').hex()}\n")
    [file] = lanesum.check("file 02.sha256")
    assert file.ok and file.path == "file 02"
    (tree / "two\nlines").write_bytes(b"")
    (tree / "manifest-sha256.txt").write_text(f"{hashlib.sha256().hexdigest()}  two%0Alines\n")
    assert [file.ok for file in lanesum.check("manifest-sha256.txt")] == [True]
    monkeypatch.chdir("/")
    assert [file.ok for file in lanesum.check(tree / "manifest-sha256.txt")] == [True]
    assert [file.ok for file in lanesum.check(tree / "manifest-sha256.txt", root="/")] == [False]


def test_names_that_are_not_utf_8(tree):
    name = os.path.join(os.fsencode(tree), b"caf\xe9\n")
    with open(name, "wb"):
        pass
    paths = [os.fsencode(file.path) for file in lanesum.sum(tree)]
    assert name in paths


def test_an_iterator_that_is_left(tree):
    files = lanesum.sum([tree] * 1000)
    assert next(files).ok
    del files


def test_a_forked_child_does_not_wait(tree):
    program = f"""
import os, lanesum
files = lanesum.sum({str(tree)!r})
child = os.fork()
if child == 0:
    try:
        next(files)
    except RuntimeError:
        good = len(list(lanesum.sum({str(tree)!r}, jobs=2))) == 50
        os._exit(0 if good else 1)
    os._exit(2)
assert os.waitpid(child, 0)[1] == 0
assert len(list(files)) == 50
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


@pytest.mark.parametrize("text", ["", "# a comment\n", "\n\n"])
def test_a_manifest_without_lines_is_not_correct(text, tmp_path):
    sums = tmp_path / "SUMS"
    sums.write_text(text)
    (file,) = lanesum.check(sums)
    assert file.path is None and not file.ok
    assert str(file.error) == f"{sums}: no properly formatted checksum lines found"
    sums.write_text(f"{text}{'0' * 64}  missing\n")
    (file,) = lanesum.check(sums)
    assert isinstance(file.error, FileNotFoundError)
