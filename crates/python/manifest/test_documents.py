"""Runs the examples of docs/manifests.md, and compares its capacity plan with the simulation."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import simulate
from conftest import SMALL, fill, shifted

from lanesum import manifest as manifests

ROOT = pathlib.Path(__file__).parents[3]
PAGE = (ROOT / "docs/manifests.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_quickstart_of_a_shell(tmp_path):
    # The command is the launcher of this package's own.
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "lanesum").write_text(f'#!/bin/sh\nshift\nexec {sys.executable} -m lanesum.manifest "$@"\n')
    (bin / "lanesum").chmod(0o755)
    [script] = blocks("sh")
    environ = os.environ | {"PATH": f"{bin}:{os.environ['PATH']}"}
    run = subprocess.run(
        ["sh", "-e", "-c", script], cwd=tmp_path, env=environ, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert "notes: OK\n2026/a.raw: OK\nnotes: OK\n" in run.stdout


def test_the_examples_before_the_recipes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = [block for block in blocks("python") if "engine=" not in block and not block.startswith("# check.py")]
    assert len(examples) == 2 and "duckdb" in examples[1]
    for example in examples:
        exec(compile(example, "docs/manifests.md", "exec"), {"__name__": "example"})


def test_a_rebuilt_manifest_by_its_commit(tmp_path, monkeypatch):
    """The example for other tools reads no obsolete shard."""
    monkeypatch.chdir(tmp_path)
    fill(tmp_path / "set", 300)
    first = manifests.build("set", "set.manifest", limits=SMALL)
    (tmp_path / "set" / "0").write_bytes(b"first of all")
    manifests.build("set", "set.manifest", limits=SMALL)
    assert len(list(tmp_path.glob("set.manifest/shards/*.parquet"))) > len(first.commit["shards"])
    [example] = [block for block in blocks("python") if "duckdb" in block]
    exec(compile(example, "docs/manifests.md", "exec"), {"__name__": "example"})


@pytest.fixture
def verifier(tmp_path):
    [program] = [block for block in blocks("python") if block.startswith("# check.py")]
    assert len(program.splitlines()) <= 50 and "lanesum" not in program
    (tmp_path / "check.py").write_text(program)
    return tmp_path / "check.py"


def test_the_verifier(tmp_path, verifier):
    contents = fill(tmp_path / "tree", 300)
    made = manifests.build(tmp_path / "tree", tmp_path / "out", limits=SMALL)

    def check(proof, root=made.root):
        (tmp_path / "proof").write_text(proof.json())
        run = subprocess.run(
            [sys.executable, "-I", verifier, root, tmp_path / "proof"], capture_output=True, text=True
        )
        return run.returncode == 0

    check_py = {"__name__": "check"}
    exec(compile(verifier.read_text(), "check.py", "exec"), check_py)
    for key in [*sorted(contents)[::10], max(contents)]:
        proof = made.prove(key)
        fields = vars(proof) | {"key": proof.key.hex()}
        assert check_py["root_of"](fields) == made.root
        for change in ({"size": proof.size + 1}, {"index": (proof.index + 1) % 300}, {"sha256": "11" * 32}):
            try:
                assert check_py["root_of"](fields | change) != made.root
            except ValueError:
                pass
    proof = made.prove(min(contents))
    assert check(proof)
    for change in (
        {"path": proof.path[1:]},
        {"path": (*proof.path, "00" * 32)},
        {"index": 300},
        {"key": b"other"},
        shifted(proof),
    ):
        assert not check(manifests.Proof(**vars(proof) | change))
    assert not check(proof, "00" * 32)


def test_a_small_simulation():
    world = simulate.World(shards=2000, workers=20, life=3600.0, straggler=0.02)
    found = simulate.simulate(world)
    assert sum(found.done) == 2000 and found.deaths > 10
    assert 2000 < found.begun <= 2000 + found.deaths
    calm = simulate.simulate(simulate.World(shards=2000, workers=20, life=1e12, straggler=0.0))
    # Workers are idle only at the end.
    assert calm.begun == 2000 and calm.deaths == 0
    assert 2000 / 20 * 32 <= calm.seconds <= 2000 / 20 * 32 * 1.1
    assert calm.seconds < found.seconds
    slow = simulate.simulate(simulate.World(shards=2000, workers=20, scheduler=5.0))
    assert slow.scheduler > 0.95 and slow.seconds >= 2000 * 5


def test_the_table_of_the_plan(capsys):
    simulate.main()
    assert capsys.readouterr().out in PAGE
