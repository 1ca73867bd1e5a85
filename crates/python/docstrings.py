"""Writes the first paragraph of each docstring of compiled code into the stubs.

Editors show the docstrings of stubs: they cannot import the extension module. Run it in an environment that has
this version of lanesum, for example with target/python/bin/python after `cargo xtask python`.
"""

import ast
import inspect
import operator
import pathlib
import textwrap

import lanesum
import lanesum.hmac
import lanesum.tree

STUBS = pathlib.Path(__file__).parent / "python"


def nodes(body, prefix="", indent=4):
    """Yields the public classes and functions of a stub: name, node and indentation of the body."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield prefix + node.name, node, indent
            if isinstance(node, ast.ClassDef):
                yield from nodes(node.body, f"{prefix}{node.name}.", indent + 4)


def has_docstring(node):
    return isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value.value, str)


def write(module):
    path = STUBS / pathlib.Path(*module.__name__.split("."))
    path = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    first_overloads = {}
    for name, node, indent in nodes(ast.parse(text).body):
        first_overloads.setdefault(name, (node, indent))
    for name, (node, indent) in reversed(first_overloads.items()):
        found = operator.attrgetter(name)(module)
        if inspect.isfunction(found):
            continue
        summary = " ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split())
        pad = " " * indent
        doc = textwrap.fill(
            f'"""{summary}"""', 100, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False
        )
        first = node.body[0]
        if has_docstring(node):
            lines[first.lineno - 1 : first.end_lineno] = [doc + "\n"]
        elif isinstance(node, ast.FunctionDef):
            head = lines[first.lineno - 1].rstrip().removesuffix(" ...")
            lines[first.lineno - 1] = f"{head}\n{doc}\n"
        else:
            decorators = len(getattr(first, "decorator_list", []))
            lines.insert(first.lineno - 1 - decorators, doc + "\n")
    path.write_text("".join(lines))


for module in (lanesum, lanesum.hmac, lanesum.tree):
    write(module)
