"""Runs every example of docs/query-engines.md and every recipe of docs/manifests.md in a separate process, with the real library."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs/query-engines.md"
SECTIONS = re.split(r"^## (.*)$", PAGE.read_text(), flags=re.MULTILINE)[1:]
EXAMPLES = [
    (engine, example)
    for engine, text in zip(SECTIONS[::2], SECTIONS[1::2], strict=True)
    for example in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
]
RECIPES = (PAGE.parent / "manifests.md").read_text().partition("\n## Recipes\n")[2]
MANIFESTS = re.findall(r"^### (.*?)$.*?^```python\n(.*?)^```$", RECIPES, re.MULTILINE | re.DOTALL)


def test_every_engine_is_there():
    assert [engine for engine, _ in MANIFESTS] == ["Ray Data", "Spark"]
    assert all(len(example.splitlines()) <= 30 for _, example in MANIFESTS)
    assert [engine for engine, _ in EXAMPLES] == ["Polars", "PySpark", "Dask", "Ray Data"]


@pytest.mark.parametrize("engine,example", EXAMPLES, ids=[engine for engine, _ in EXAMPLES])
def test_recipe(engine, example, tmp_path):
    script = tmp_path / "example.py"
    script.write_text(example)
    # Spark's workers are to be this Python, too.
    env = os.environ | {"PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, script]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("engine,example", MANIFESTS, ids=[engine for engine, _ in MANIFESTS])
def test_recipe_of_manifests(engine, example, tmp_path):
    (tmp_path / "set" / "part").mkdir(parents=True)
    for number in range(50):
        (tmp_path / "set" / "part" / str(number)).write_bytes(bytes(number))
    env = os.environ | {"PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-c", example]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


KILLED = """
import os
import signal


def run_job(job):
    from lanesum import manifest

    if job.index == 3:
        try:
            os.close(os.open("killed", os.O_CREAT | os.O_EXCL))
            os.kill(os.getpid(), signal.SIGKILL)
        except FileExistsError:
            pass
    return manifest.run_job(job)
"""


def test_a_recipe_whose_worker_is_killed(tmp_path):
    (tmp_path / "set").mkdir()
    for number in range(300):
        (tmp_path / "set" / str(number)).write_bytes(bytes(number))
    example = dict(MANIFESTS)["Ray Data"]
    assert example.count("manifest.run_job(") == example.count("engine=by_ray)") == 1
    limits = "manifest.Limits(min_objects=8, mean_objects=16, max_objects=64)"
    program = KILLED.replace('"killed"', repr(str(tmp_path / "killed")))
    program += example.replace("manifest.run_job(", "run_job(").replace(
        "engine=by_ray)", f"engine=by_ray, limits={limits})"
    )
    program += 'assert made.root == manifest.build("set", out="by-threads").root\n'
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / "killed").exists()


def test_the_example_in_rust_is_that_of_the_crate():
    example = re.search(r"^```rust\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)[1]
    crate = (PAGE.parents[1] / "examples/datafusion/src/lib.rs").read_text()
    text = "\n".join(line.removeprefix("//!").removeprefix(" ") for line in crate.splitlines())
    assert all(line in text for line in example.splitlines())
