"""Engines that run shards: threads of this process, or Dask. Both return results in any order."""

import concurrent.futures
import contextlib
import os
import pickle
import uuid
from collections.abc import Iterable

from .errors import ManifestError, Stopped, reason
from .jobs import Done, run_job


def check_name(name):
    """Fails for an unknown name of an engine."""
    if name not in ("threads", "dask") and not name.startswith("dask://"):
        raise ManifestError(f"unknown engine {name}: use threads, dask or dask://HOST:PORT")


@contextlib.contextmanager
def engine(name, threads, progress):
    """A function from jobs to their results, in any order, with a bounded number in progress. Sets the
    dashboard and the number of workers of `progress`."""
    if callable(name):
        # A custom engine: a function from an iterator of jobs to an iterator of results.
        yield name
        return
    if not isinstance(name, str):
        raise TypeError(f"engine: a name or a function is required, not {type(name).__name__}")
    check_name(name)
    if name == "threads":
        with Threads(threads or os.cpu_count() or 1, progress) as pool:
            yield pool.run
    else:
        with Dask(name.partition("://")[2], threads) as cluster:
            progress.dashboard = cluster.client.dashboard_link
            progress.workers = len(cluster.client.nthreads())
            progress.report()
            yield cluster.run


def results(run, jobs):
    """Yields the result of every job once. Raises ManifestError if an engine's function, `run`, loses one."""
    pending, count = set(), 0

    def counted():
        nonlocal count
        for job in jobs:
            pending.add(job.index)
            count += 1
            yield job

    returned = run(counted())
    if not isinstance(returned, Iterable):
        raise ManifestError(f"the engine returned {type(returned).__name__}, not an iterator of results")
    for done in returned:
        if not isinstance(done, Done) or done.index >= count:
            raise ManifestError(f"the engine yielded {type(done).__name__}, not a result of run_job() for its jobs")
        # An engine may run a job again, and yield both results.
        if done.index in pending:
            pending.remove(done.index)
            yield done
    if pending:
        raise ManifestError(f"the engine yielded no result for {len(pending)} of {count} jobs")
    if next(jobs, None) is not None:
        raise ManifestError(f"the engine ended after {count} jobs, before the last one")


# The seconds between two reports of progress while no shard is finished.
EVERY = 1.0


class Live:
    """The numbers of objects and bytes of an unfinished shard that have been hashed."""

    def __init__(self):
        self.objects = self.bytes = 0

    def seen(self, objects, size):
        self.objects += objects
        self.bytes += size


class Threads:
    def __init__(self, count, progress):
        self.count, self.progress = count, progress

    def __enter__(self):
        self.pool = concurrent.futures.ThreadPoolExecutor(self.count, "lanesum-manifest")
        return self

    def __exit__(self, *_):
        self.pool.shutdown(wait=True, cancel_futures=True)

    def run(self, jobs):
        ahead = 2 * self.count + 2
        under_way = {}
        for job in jobs:
            while too_far(job, under_way, ahead):
                yield from self._some(under_way)
            if job.is_known:
                yield run_job(job)
                continue
            live = Live()
            future = self.pool.submit(run_job, job, live.seen)
            under_way[future] = job.index
            self.progress.live[future] = live
        while under_way:
            yield from self._some(under_way)

    def _some(self, under_way):
        done, first = (), concurrent.futures.FIRST_COMPLETED
        while not done:
            done, _ = concurrent.futures.wait(under_way, EVERY, first)
            if not done:
                self.progress.report()
        for future in done:
            del under_way[future]
            self.progress.live.pop(future)
            yield future.result()


def too_far(job, under_way, ahead):
    """Whether another job must wait: for a free place, or for a much earlier job, since all later results
    are held in memory until that one has finished, with all their rows if those are returned."""
    if not under_way:
        return False
    # The dictionary has the order in which the jobs were started.
    first = next(iter(under_way.values()))
    return len(under_way) >= ahead or job.index - first >= (32 if job.out else 2) * ahead


class _Call:
    """Unpickles as the result of `run_job` for a job. A worker that cannot import this package then fails the shard
    with an error; a task that it cannot unpickle would kill it without a message."""

    def __init__(self, job):
        self.job = job

    def __reduce__(self):
        return run_job, (self.job,)


class Dask:
    """A cluster at an address, or a local one."""

    def __init__(self, address, workers=None):
        try:
            import distributed
        except ImportError:
            raise ManifestError(
                "Dask is not installed: install lanesum with the extra `dask`, or run `pip install distributed bokeh`"
            ) from None
        self.distributed = distributed
        self.address, self.workers = address, workers

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            distributed = self.distributed
            if self.address:
                where = f"tcp://{self.address}"
            else:
                where = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=self.workers or os.cpu_count() or 1,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=40,
                    )
                )
            try:
                client = distributed.Client(where, timeout="10s", set_as_default=False)
                self.client = stack.enter_context(client)
            except (OSError, TimeoutError) as error:
                raise ManifestError(f"cannot connect to Dask at {self.address}: {reason(error)}") from error
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        return self.stack.__exit__(*error)

    def run(self, jobs):
        threads = sum(self.client.nthreads().values()) or 1
        ahead = 4 * threads + 4
        under_way = {}
        run = uuid.uuid4().hex
        completed = self.distributed.as_completed(raise_errors=False, loop=self.client.loop)
        for job in jobs:
            while too_far(job, under_way, ahead):
                yield self._next(completed, under_way)
            if job.is_known:
                yield run_job(job)
                continue
            key = f"lanesum-shard-{run}-{job.index}"
            call = pickle.dumps(_Call(job.serialized()))
            future = self.client.submit(pickle.loads, call, key=key, pure=False, retries=3)
            under_way[future] = job.index
            completed.add(future)
        while under_way:
            yield self._next(completed, under_way)

    def _next(self, completed, under_way):
        try:
            future = next(completed)
            del under_way[future]
            return future.result(timeout=60)
        except ManifestError:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise Stopped(f"the cluster failed; run it again to resume: {reason(error)}") from error
