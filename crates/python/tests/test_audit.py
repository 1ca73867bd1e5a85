"""What has become of the files of a tree."""

import copy
import hashlib
import os
import pickle

import pytest
from interrupts import interrupted

import lanesum


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree").mkdir()
    for name in ["same", "changed", "gone", "moved"]:
        (tmp_path / "tree" / name).write_text(name)
    lines = [f"{file.hexdigest}  {file.path}\n" for file in lanesum.sum("tree")]
    (tmp_path / "SUMS").write_text("".join(lines))
    (tmp_path / "old").mkdir()
    for name in ["same", "changed", "gone", "moved"]:
        (tmp_path / "old" / name).write_text(name)
    (tmp_path / "tree" / "changed").write_text("otherwise")
    (tmp_path / "tree" / "gone").unlink()
    (tmp_path / "tree" / "moved").rename(tmp_path / "tree" / "to")
    (tmp_path / "tree" / "new").write_text("new")
    return tmp_path


def classes(found, folder=""):
    return {(f.class_, os.path.relpath(f.path, folder or "."), f.moved_from) for f in found}


def test_audit(tree):
    found = lanesum.audit("SUMS")
    assert classes(found) == {
        ("changed", "tree/changed", None),
        ("missing", "tree/gone", None),
        ("moved", "tree/to", "tree/moved"),
        ("new", "tree/new", None),
    }
    (changed,) = [f for f in found if f.class_ == "changed"]
    assert changed.before == {"sha256": hashlib.sha256(b"changed").digest()}
    assert changed.now == {"sha256": hashlib.sha256(b"otherwise").digest()}
    (missing,) = [f for f in found if f.class_ == "missing"]
    assert missing.now is None and missing.reason is None
    assert len(lanesum.audit("SUMS", all=True)) == 5
    assert classes(lanesum.audit(tree / "SUMS", tree="tree", jobs=1)) == classes(found)
    assert repr(missing) == "<lanesum.Finding missing tree/gone>"
    everything = lanesum.audit("SUMS", all=True)
    assert everything == lanesum.audit("SUMS", all=True) and len(set(everything)) == 5
    assert pickle.loads(pickle.dumps(everything)) == copy.deepcopy(everything) == everything
    assert repr(copy.copy(missing)) == repr(missing) and missing != "missing"


def test_reason(tree):
    # Files in place of directories; root reads everything else.
    (tree / "tree" / "same").unlink()
    (tree / "SUMS").write_text(f"{'0' * 64}  {'x' * 300}\n")
    (found,) = [found for found in lanesum.audit("SUMS") if found.class_ == "unreadable"]
    assert "File name too long" in found.reason


def test_reason_of_a_symlink(tree):
    same = tree / "tree" / "same"
    same.unlink()
    same.symlink_to("changed")
    (found,) = [found for found in lanesum.audit("SUMS") if found.class_ == "unreadable"]
    assert found.reason == "a symlink; use follow=True to follow it"


def test_diff(tree):
    expected = {
        ("changed", "changed", None),
        ("missing", "gone", None),
        ("moved", "to", "moved"),
        ("new", "new", None),
    }
    assert classes(lanesum.diff("old", "tree")) == expected
    assert classes(lanesum.diff("SUMS", "tree")) == expected
    assert lanesum.diff("tree", "tree", "sha1") == []


def test_what_is_wrong(tree):
    with pytest.raises(FileNotFoundError):
        lanesum.audit("nowhere")
    (tree / "BAD").write_text("garbage\n")
    with pytest.raises(ValueError, match="BAD: line 1: not a checksum line"):
        lanesum.audit("BAD")
    with pytest.raises(ValueError, match="globs"):
        lanesum.diff("old", "tree", globs=["a{"])
    (tree / "EMPTY").write_text("# no lines\n")
    with pytest.raises(ValueError, match="EMPTY: no properly formatted checksum lines found"):
        lanesum.audit("EMPTY", "tree")
    for elsewhere in tree / "tree", "old":
        with pytest.raises(ValueError, match=f"SUMS: no name is in the tree {elsewhere};"):
            lanesum.audit("SUMS", elsewhere)
    # The globs exclude all names, which are in the tree.
    assert lanesum.audit("SUMS", "tree", globs="none") == []
    with pytest.raises(ValueError, match="jobs"):
        lanesum.audit("SUMS", jobs=0)


@pytest.mark.parametrize(
    "call",
    [
        "lanesum.audit('SUMS')",
        "lanesum.diff('tree', 'other')",
        "lanesum.diff('SUMS', 'tree')",
    ],
)
def test_an_interrupt_stops_a_call(call, tree):
    """A file whose digest takes minutes, and a thousand more after it."""
    (tree / "other").mkdir()
    for name in "tree", "other":
        with open(tree / name / "long", "wb") as file:
            file.truncate(1 << 40)
    with open(tree / "SUMS", "a") as sums:
        sums.write(f"{'0' * 64}  tree/long\n")
    interrupted(call)
