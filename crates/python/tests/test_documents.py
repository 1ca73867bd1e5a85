"""Runs every example in the documents and in the package, and compares its output."""

import doctest
import importlib
import inspect
import pathlib
import re
import types

import pyarrow
import pytest

import lanesum

ROOT = pathlib.Path(__file__).parents[3]
NAMES = ["README.md", "crates/python/README.md", "docs/tutorial-messages.md", "docs/migrating.md"]
PAGES = [*sorted(ROOT.glob("docs/python*.md")), *(ROOT / name for name in NAMES)]


def examples(page):
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, example in enumerate(examples(page)):
        exec(compile(example, f"{page.name}, example {number}", "exec"), {"__name__": "example"})


def test_pages_have_examples():
    assert len(PAGES) >= 8 and all(map(examples, PAGES)) and sum(len(examples(page)) for page in PAGES) >= 12


@pytest.mark.parametrize("name", ["lanesum", "lanesum.hmac", "lanesum.duckdb", "lanesum.pandas", "lanesum.tree"])
def test_docstrings(name):
    names = {"lanesum": lanesum, "pyarrow": pyarrow, "tree": lanesum.tree}
    assert doctest.testmod(importlib.import_module(name), extraglobs=names).failed == 0


def test_docstrings_of_the_extension(tmp_path, monkeypatch):
    """doctest does not find the functions of an extension module."""
    monkeypatch.chdir(tmp_path)
    for name in "photos", "backup/photos":
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "empty").touch()
    (tmp_path / "SHA256SUMS").write_text(f"{lanesum.sha256().hexdigest()}  photos/empty\n")
    parser, runner, count = doctest.DocTestParser(), doctest.DocTestRunner(), 0
    for name in [*lanesum.__all__, "sum"]:
        doc = inspect.getdoc(getattr(lanesum, name))
        if isinstance(getattr(lanesum, name), types.BuiltinFunctionType) and ">>>" in doc:
            test = parser.get_doctest(doc, {"lanesum": lanesum, "pyarrow": pyarrow}, name, None, 0)
            count += len(test.examples)
            runner.run(test)
    assert runner.summarize(verbose=False).failed == 0 and count > 20


def test_the_tested_versions_are_those_of_the_requirements():
    page = (ROOT / "docs/python-columns.md").read_text()
    table = re.search(r"^\| library \|.*?\n\n", page, re.MULTILINE | re.DOTALL)[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[2:] if row]
    pins = (pathlib.Path(__file__).parent / "requirements.txt").read_text().splitlines()
    assert len(rows) == 5
    for library, _, version in rows:
        assert f"{library.partition(',')[0].lower()}=={version}" in pins, library


def test_all_that_is_public_says_what_it_is():
    for name in lanesum.__all__:
        assert getattr(lanesum, name).__doc__ or name == "algorithms_available"
