"""Stops a run where a test says: a client, or by Dask's `preload` a worker.

LANESUM_TEST_KILL is the name of a point, the how manieth time it is reached, and a file that says that
it was done: a process does it once in all.
"""

import collections
import os
import signal

from lanesum.manifest import points

reached = collections.Counter()


def kill(name):
    point, _, rest = os.environ["LANESUM_TEST_KILL"].partition("=")
    times, _, flag = rest.partition("=")
    reached[name] += 1
    if name == point and reached[name] == int(times):
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


points.reached = kill
