"""Interrupted runs resume, and end with the same root as an uninterrupted run."""

import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import types
import urllib.request

import dask
import distributed  # noqa: F401: its settings are there before one of them is set
import pytest
from conftest import SMALL, root_of

from lanesum import manifest as manifests
from lanesum.manifest import building, engines, points

HERE = pathlib.Path(__file__).parent
COMMAND = pathlib.Path(sys.executable).parent / "lanesum-manifest"
PROGRAM = """
import os, sys
sys.path.insert(0, sys.argv[1])
if "LANESUM_TEST_KILL" in os.environ:
    import killed
from conftest import SMALL
from lanesum import manifest
if __name__ == "__main__":
    try:
        made = manifest.build(sys.argv[2], sys.argv[3], sys.argv[4], limits=SMALL)
    except manifest.ManifestError as error:
        sys.exit(f"said: {error}")
    print(made.root, made.progress.reused)
"""


def run(folder, out, engine="threads", kill=None, **more):
    environ = os.environ | ({"LANESUM_TEST_KILL": kill} if kill else {})
    command = [sys.executable, "-c", PROGRAM, HERE, folder, out, engine]
    return subprocess.run(command, capture_output=True, text=True, env=environ, timeout=120, **more)


@pytest.mark.parametrize("point", points.NAMES)
def test_a_client_that_is_killed(tree, tmp_path, point):
    folder, contents = tree
    out = tmp_path / "out"
    # At the first time, and where there are several in the midst.
    often = point in ("planned", "hashed", "shard aside", "shard written")
    for times in (1, 7) if often else (1,):
        first = run(folder, out, kill=f"{point}={times}={tmp_path / f'flag {times}'}")
        assert first.returncode == -9, (first.stdout, first.stderr)
        if point != "committed":
            with pytest.raises(manifests.ManifestError, match="no complete manifest"):
                manifests.open(out)
    again = run(folder, out)
    root, reused = again.stdout.split()
    assert root == root_of(contents), again.stderr
    shards = len(manifests.open(out).commit["shards"])
    if point == "shard written":
        assert int(reused) >= 6
    if point in ("all shards", "nodes written", "commit aside", "committed"):
        assert int(reused) == shards
    assert manifests.open(out).verify().same


@pytest.mark.parametrize("point", ["hashed", "shard aside", "shard written"])
def test_a_worker_that_is_killed(tree, tmp_path, point, monkeypatch):
    folder, contents = tree
    flag = tmp_path / "flag"
    monkeypatch.setenv("LANESUM_TEST_KILL", f"{point}=3={flag}")
    with dask.config.set({"distributed.worker.preload": [str(HERE / "killed.py")]}):
        made = manifests.build(folder, tmp_path / "out", "dask", threads=2, limits=SMALL)
    assert flag.exists() and made.root == root_of(contents) and made.verify().same


@pytest.fixture
def machines(tmp_path):
    """A function that starts a scheduler and, unless `alone`, a worker, each as a process. It returns the
    scheduler, an engine's name and a function that starts another worker; all are stopped at the end."""
    started = []

    def start(alone=False):
        file = tmp_path / f"scheduler {len(started)}.json"
        dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        scheduler = subprocess.Popen([*dask, *options], **quiet)
        started.append(scheduler)
        while not file.exists():
            time.sleep(0.05)
        command = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", file]
        command += ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "5"]

        def worker(*more):
            started.append(subprocess.Popen([*command, *more], **quiet))

        if not alone:
            worker()
        address = json.loads(file.read_text())["address"]
        return scheduler, address.replace("tcp://", "dask://"), worker

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_a_scheduler_that_is_killed(tree, tmp_path, machines, monkeypatch):
    folder, contents = tree
    out = tmp_path / "out"
    scheduler, engine, _ = machines()

    def progress(so_far):
        if so_far.shards == 5:
            scheduler.kill()

    begun = time.monotonic()
    with pytest.raises(manifests.Stopped, match="the cluster failed; run it again to resume"):
        manifests.build(folder, out, engine, limits=SMALL, progress=progress)
    assert time.monotonic() - begun < 60
    with pytest.raises(manifests.ManifestError, match="no complete manifest"):
        manifests.open(out)
    _, engine, _ = machines()
    made = manifests.build(folder, out, engine, limits=SMALL)
    assert made.root == root_of(contents) and made.progress.reused >= 5


def test_no_cluster_at_an_address(tree, tmp_path):
    with pytest.raises(manifests.ManifestError, match="cannot connect to Dask at 127.0.0.1:9"):
        manifests.build(tree[0], tmp_path / "out", "dask://127.0.0.1:9")


def test_the_command_without_its_dependencies():
    code = "import sys; sys.modules['pyarrow'] = None; from lanesum._manifest import main; sys.exit(main())"
    run = subprocess.run([sys.executable, "-c", code, "root", "x"], capture_output=True, text=True)
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith("lanesum-manifest: ") and "pyarrow" in run.stderr
    assert run.stderr.endswith("; install lanesum with the extra 'manifest'\n")


def test_a_cluster_whose_workers_come_later(tree, tmp_path, machines):
    _, engine, worker = machines(alone=True)
    command = [COMMAND, "build", tree[0], "-o", tmp_path / "out"]
    with subprocess.Popen(
        [*command, "--engine", engine], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        said = [run.stderr.readline(), run.stderr.readline()]
        assert said[1] == "lanesum manifest: waiting for workers: the cluster has none\n"
        worker()
        assert run.communicate()[0] == root_of(tree[1]) + "\n"


def test_a_cluster_whose_workers_have_no_lanesum(tree, tmp_path, machines):
    _, engine, worker = machines(alone=True)
    (tmp_path / "without.py").write_text("import sys\nsys.modules['lanesum'] = None\n")
    worker("--preload", str(tmp_path / "without.py"))
    with pytest.raises(manifests.Stopped, match="the cluster failed; run it again to resume: .*lanesum"):
        manifests.build(tree[0], tmp_path / "out", engine, limits=SMALL)


def test_what_is_known_does_not_run_ahead(monkeypatch):
    """What needs no reading waits for a shard before it that does: its rows would wait in memory."""
    released, begun, begun_before = threading.Event(), [], []

    def run_job(job, seen=None):
        assert job.is_known or released.wait(60)
        return job.index

    def release():
        begun_before.append(len(begun))
        released.set()

    def jobs():
        for index in range(200):
            begun.append(index)
            yield types.SimpleNamespace(index=index, is_known=index > 0, out=None)

    monkeypatch.setattr(engines, "run_job", run_job)
    threading.Timer(0.5, release).start()
    with engines.Threads(1, building.Progress()) as pool:
        assert sorted(pool.run(jobs())) == list(range(200))
    assert begun_before[0] < 20


def test_a_shard_that_no_worker_can_write(tree, tmp_path, cluster):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "shards").write_bytes(b"")
    with pytest.raises(manifests.ManifestError, match="cannot write .*shards/"):
        manifests.build(tree[0], tmp_path / "out", cluster, limits=SMALL)


def test_a_dashboard_shows_the_run(tree, tmp_path):
    shown = []

    def progress(so_far):
        if so_far.dashboard and not shown:
            shown.append(urllib.request.urlopen(so_far.dashboard, timeout=60).read())

    made = manifests.build(tree[0], tmp_path / "out", "dask", threads=1, limits=SMALL, progress=progress)
    assert made.root == root_of(tree[1])
    # Without bokeh, the page only names the missing package.
    assert b"bokeh.min.js" in shown[0], shown[0][:500]


def test_the_command_with_a_cluster_of_its_own(tree, tmp_path):
    command = [sys.executable, "-m", "lanesum.manifest", "build", tree[0], "-o", tmp_path / "out"]
    command += ["--engine", "dask", "--threads", "1"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.stdout == root_of(tree[1]) + "\n", run.stderr
    said = r"^lanesum manifest: dashboard: http://127\.0\.0\.1:\d+/status$"
    assert re.search(said, run.stderr, re.MULTILINE)
