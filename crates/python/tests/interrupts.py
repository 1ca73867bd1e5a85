"""Interrupts calls, as Ctrl-C does."""

import signal
import subprocess
import sys
import time


def interrupted(batch, progress="False", before=""):
    """Sends SIGINT to a process in a batch. It exits with 7 if the signal's handler was called while the batch
    ran, and before `progress` was true."""
    program = f"""
import lanesum, signal, sys
{before}
def handle(*_):
    if {progress}:
        sys.exit("the batch had nearly ended")
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, handle)
print("ready", flush=True)
try:
    {batch}
except KeyboardInterrupt:
    sys.exit(7)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as child:
        try:
            child.stdout.readline()
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            assert child.wait(timeout=30) == 7
        finally:
            child.kill()
