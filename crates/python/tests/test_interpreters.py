"""Sub-interpreters: one that shares the main one's lock has the module, one that does not gets an error."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

INSIDE = '''
import os
def said():
    try:
        import lanesum
    except ImportError as error:
        return f"refused: {error}"
    try:
        lanesum.digest_many("sha256", [b"warp", None], threads=2)
    except TypeError:
        right = lanesum.sha256(b"warp").digest()
        assert lanesum.digest_many("sha256", [b"warp"] * 5000, threads=2) == [right] * 5000
        assert lanesum.hmac.new(b"key", b"", "sha256").copy().name == "hmac-sha256"
        return right.hex()
os.write(1, said().encode() + bytes([10]))
'''
first, *config = sys.argv[1:]
if first == "main":
    exec(INSIDE)
sub = interpreters.create(*config)
interpreters.run_string(sub, INSIDE)
interpreters.destroy(sub)
exec(INSIDE)
"""
# Since Python 3.12 a new interpreter has its own lock by default.
APART = sys.version_info >= (3, 12)


@pytest.mark.parametrize("first", ["main", "sub"])
@pytest.mark.parametrize("config", [[], ["legacy"]] if sys.version_info >= (3, 13) else [[]])
def test_an_import_elsewhere(first, config):
    command = [sys.executable, "-c", PROGRAM, first, *config]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and not run.stderr
    *before, sub, after = run.stdout.splitlines()
    assert before == ([after] if first == "main" else []) and len(after) == 64
    if APART and not config:
        assert sub.startswith("refused: ") and "subinterpreters" in sub
    else:
        assert sub == after
