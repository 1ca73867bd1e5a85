"""Runs of a client that are killed at a random moment, and run again until they end: every root must be that of
an undisturbed one. Prints a table, a line for each run.

    python kills.py [RUNS] [SEED]
"""

import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from conftest import fill, root_of
from lanesum import manifest

HERE = pathlib.Path(__file__).parent
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from conftest import SMALL
from lanesum import manifest
told = lambda progress: print(flush=True)
made = manifest.build(sys.argv[2], sys.argv[3], limits=SMALL, progress=told)
print(made.root, made.progress.reused)
"""


def main(runs=100, seed=1):
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place, "tree")
        right = root_of(fill(folder, 3000))

        def start(out):
            """A run, which prints a line for each shard that is done."""
            command = [sys.executable, "-c", PROGRAM, HERE, folder, out]
            return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

        whole = start(pathlib.Path(place, "whole")).communicate()[0]
        assert whole.split()[0] == right
        lines = whole.count("\n")
        print(f"# seed: {seed}\nrun,kills,left shards,commit left,reused shards,root", flush=True)
        for number in range(runs):
            out = pathlib.Path(place, str(number))
            kills = 0
            for _ in range(chance.randint(1, 3)):
                process = start(out)
                # At a random line and some milliseconds after it: a clock would miss a run that is slower or quicker.
                for _ in range(chance.randrange(lines)):
                    process.stdout.readline()
                time.sleep(chance.uniform(0, 0.01))
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += process.returncode == -signal.SIGKILL
            left = len(list(out.glob("shards/*.parquet")))
            has_commit = (out / "commit.json").exists()
            if has_commit:
                assert manifest.open(out).root == right
            root, reused = start(out).communicate()[0].split()
            assert root == right and manifest.open(out).verify().same, f"run {number} has another root"
            print(f"{number},{kills},{left},{'yes' if has_commit else 'no'},{reused},same", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
