"""Every example in the documents and in the package runs, and says what it says."""

import doctest
import importlib
import pathlib
import re

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
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_all_that_is_public_says_what_it_is():
    for name in lanesum.__all__:
        assert getattr(lanesum, name).__doc__ or name == "algorithms_available"
