"""Types and docstrings, as an editor and a type checker see them."""

import ast
import builtins
import inspect
import operator
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


def members(name, one):
    """A class and its public methods and properties by their names, or a function."""
    yield name, one
    if inspect.isclass(one):
        for member, value in vars(one).items():
            found = getattr(one, member, None)
            if not member.startswith("_") and (callable(found) or inspect.isdatadescriptor(value)):
                yield f"{name}.{member}", found


def public():
    """Everything that is public and documented here, by its name."""
    for module in lanesum, lanesum.hmac, lanesum.tree, lanesum.pandas, lanesum.duckdb, lanesum.manifest:
        for name in [*module.__all__, *(["sum"] if module is lanesum else [])]:
            found = getattr(module, name)
            is_another = (getattr(found, "__module__", None) or "").startswith(("hashlib", "_"))
            if callable(found) and not is_another:
                yield from members(f"{module.__name__}.{name}", found)


def undocumented(name, found):
    """Yields the gaps in the docstring of a public function, class or property."""
    doc = inspect.getdoc(found) or ""
    if not doc:
        yield f"{name}: no docstring"
    if not callable(found):
        return
    for parameter in inspect.signature(found).parameters if not inspect.isclass(found) else ():
        if parameter not in ("self", "cls") and not parameter.startswith("_"):
            if not re.search(rf"\b{parameter}\b", doc):
                yield f"{name}: {parameter} is not in the docstring"
    is_method = name.rpartition(".")[0].rpartition(".")[2][:1].isupper()
    if inspect.isroutine(found) and not is_method and not re.search(r"^(>>> |    )", doc, re.MULTILINE):
        yield f"{name}: no example"


def test_everything_public_is_documented():
    found = [text for name, one in public() for text in undocumented(name, one)]
    assert not found, found


def stubs(module):
    """The docstrings in the stub of a module by name, of the first overload, and "" for those without one."""
    path = pathlib.Path(module.__file__).with_suffix(".pyi")

    def docstrings(prefix, body):
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                yield prefix + node.name, ast.get_docstring(node) or ""
                if isinstance(node, ast.ClassDef):
                    yield from docstrings(f"{prefix}{node.name}.", node.body)

    # Later overloads of a function come first, and are replaced.
    return dict(reversed(list(docstrings("", ast.parse(path.read_text()).body))))


def summary(found):
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split())


COMPILED = [
    (module, name, operator.attrgetter(name)(module))
    for module in (lanesum, lanesum.hmac, lanesum.tree)
    for name in stubs(module)
    if not inspect.isfunction(operator.attrgetter(name)(module))
]


@pytest.mark.parametrize("module,name,found", COMPILED, ids=[f"{m.__name__}.{n}" for m, n, _ in COMPILED])
def test_a_stub_has_the_docstring_of_compiled_code(module, name, found):
    """Editors show only the stub's docstring: they cannot import the extension module."""
    assert " ".join(stubs(module)[name].split()) == summary(found) != ""


def test_stubs_of_compiled_code_are_found():
    names = {name for _, name, _ in COMPILED}
    assert {"sum", "digest_many", "HASH.update", "File.ok", "HMAC.copy", "Builder.s3", "Log"} <= names


def test_a_star_import_replaces_no_builtin():
    assert not set(lanesum.__all__) & set(dir(builtins))


def test_a_missing_docstring_is_found():
    def bare(data):
        return data

    def partly(data, threads=None):
        """Hashes data.

        >>> partly(b"")
        """

    def abrupt(data):
        """Hashes data."""

    class Planted:
        def method(self): ...

        @property
        def length(self): ...

    assert list(undocumented("lanesum.bare", bare)) == [
        "lanesum.bare: no docstring",
        "lanesum.bare: data is not in the docstring",
        "lanesum.bare: no example",
    ]
    assert list(undocumented("lanesum.partly", partly)) == ["lanesum.partly: threads is not in the docstring"]
    assert list(undocumented("lanesum.abrupt", abrupt)) == ["lanesum.abrupt: no example"]
    found = [text for name, one in members("lanesum.Planted", Planted) for text in undocumented(name, one)]
    assert found == [f"lanesum.Planted{name}: no docstring" for name in ("", ".method", ".length")]
