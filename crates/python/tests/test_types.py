"""Types and docstrings, as an editor and a type checker see them."""

import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import lanesum
import lanesum.duckdb
import lanesum.manifest
import lanesum.pandas

HERE = pathlib.Path(__file__).parent


@pytest.mark.parametrize("checker", ["mypy --strict --cache-dir=/dev/null --ignore-missing-imports", "pyright"])
def test_programs_of_users(checker, tmp_path):
    for name in "batches.py", "manifests.py":
        (tmp_path / name).write_bytes((HERE / "typed" / name).read_bytes())
    program, *options = checker.split()
    if program == "pyright":
        options += ["--pythonpath", sys.executable]
    command = [sys.executable, "-m", program, *options, "batches.py", "manifests.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def public():
    """Every function and method that is public, by its name."""
    for module in lanesum, lanesum.hmac, lanesum.tree, lanesum.pandas, lanesum.duckdb, lanesum.manifest:
        for name in module.__all__:
            found = getattr(module, name)
            if (getattr(found, "__module__", None) or "").startswith(("hashlib", "_")):
                continue
            if inspect.isclass(found):
                for method, function in vars(found).items():
                    if not method.startswith("_") and callable(getattr(found, method)):
                        yield f"{module.__name__}.{name}.{method}", getattr(found, method)
            elif callable(found):
                yield f"{module.__name__}.{name}", found


def test_every_parameter_is_documented():
    missing = []
    for name, function in public():
        doc = inspect.getdoc(function) or ""
        for parameter in inspect.signature(function).parameters:
            if parameter not in ("self", "cls") and not parameter.startswith("_"):
                if not re.search(rf"\b{parameter}\b", doc):
                    missing.append(f"{name}: {parameter}")
    assert not missing, missing
