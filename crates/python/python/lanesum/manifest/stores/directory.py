"""A local directory, or a shared one that has the same path on all machines of a cluster."""

import contextlib
import fcntl
import os
import time
import uuid

import numpy
import pyarrow

from lanesum._lanesum import hash_listed, list_directory

from .. import plan, points, tree
from ..errors import ManifestError, reason
from ..form import COMMIT, SHARDS, read_commit
from ..replacing import replacing

ASIDE = ".aside"
# The age in seconds at which an unlocked temporary file is a leftover. The lock of a slow machine may be late.
STALE = 3600
# The lock file: shared while a manifest is built, exclusive while it is cleaned.
LOCK = "lock"


class Directory:
    def __init__(self, path):
        self.path = os.path.abspath(os.fspath(path))
        self.url = self.path
        self.options = None
        self.skipped = 0

    @property
    def place(self):
        return os.fsencode(os.path.realpath(self.path))

    def listing(self):
        if not os.path.isdir(self.path):
            what = "not a directory" if os.path.lexists(self.path) else "no such directory"
            raise ManifestError(f"cannot list {self.path}: {what}")
        self.skipped = 0
        for names, ends, sizes, mtimes, errors, skipped in self._pieces():
            self.skipped += skipped
            keys = tree.from_buffers(names, numpy.frombuffer(ends, "i8"))
            said = None
            if errors:
                said = [None] * len(keys)
                for number, text in errors:
                    said[number] = text
            sizes, mtimes = (numpy.frombuffer(column, "i8") for column in (sizes, mtimes))
            yield plan.listed(keys, sizes, mtimes, errors=said)

    def _pieces(self):
        try:
            yield from list_directory(os.fsencode(self.path))
        except OSError as error:
            raise ManifestError(f"cannot list {self.path}: {reason(error)}") from error

    def hash(self, table):
        keys = table["key"].combine_chunks()
        ends = numpy.frombuffer(keys.buffers()[1], "i8")[keys.offset :][: len(keys) + 1]
        data = keys.buffers()[2]
        names = b"" if data is None else memoryview(data)[int(ends[0]) : int(ends[-1])].tobytes()
        columns = ends - ends[0], table["size"], table["mtime"]
        digests, errors = hash_listed(
            os.fsencode(self.path),
            names,
            *(numpy.ascontiguousarray(column, "i8").tobytes() for column in columns),
            threads=1,
        )
        return numpy.frombuffer(digests, "u1").reshape(-1, tree.WIDTH), sorted(errors)

    def names(self, directory):
        try:
            return sorted(os.listdir(os.path.join(self.path, directory)))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def get(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return pyarrow.py_buffer(file.read())

    def put_new(self, name, data):
        """Replaces the file. An existing one has the same contents if its name includes their hash."""
        self.replace(name, data)

    def replace(self, name, data):
        path = os.path.join(self.path, name)
        aside = f"{path}.{uuid.uuid4().hex}{ASIDE}"
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            point = "commit aside" if name == COMMIT else "shard aside"
            with replacing(path, aside, lambda: points.reached(point)) as file:
                # The lock shows that the writer is alive; some file systems have no locks.
                with contextlib.suppress(OSError):
                    fcntl.flock(file, fcntl.LOCK_EX)
                file.write(data)
        except OSError as error:
            raise ManifestError(f"cannot write {path}: {reason(error)}") from error

    def clear(self):
        """Removes the temporary files of killed runs."""
        for directory in (self.path, os.path.join(self.path, SHARDS)):
            with contextlib.suppress(OSError):
                for entry in os.scandir(directory):
                    if entry.name.endswith(ASIDE) and time.time() - entry.stat().st_mtime > STALE:
                        _remove_leftover(entry.path)

    @contextlib.contextmanager
    def held(self, alone=False):
        """Holds a shared lock, or with `alone` an exclusive one, under which shards may be removed."""
        path = os.path.join(self.path, LOCK)
        names = set(self.names(""))
        if alone:
            if not os.path.isdir(self.path):
                raise ManifestError(f"cannot lock {path}: no such directory")
            # Fails before the lock file is created.
            read_commit(self)
        elif names and not names & {COMMIT, LOCK, SHARDS}:
            raise ManifestError(f"{self.path} has other files: use a new directory for the manifest")
        try:
            if not alone:
                os.makedirs(self.path, exist_ok=True)
            file = open(path, "ab")
        except OSError as error:
            raise ManifestError(f"cannot write {path}: {reason(error)}") from error
        with file:
            how = fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH
            try:
                fcntl.flock(file, how)
            except BlockingIOError:
                raise ManifestError(f"a run is in progress in {self.path}: wait for it to finish") from None
            except OSError as error:
                if alone:
                    raise ManifestError(f"cannot lock {path}: {reason(error)}") from error
            yield

    def remove(self, name):
        os.unlink(os.path.join(self.path, name))


def _remove_leftover(path):
    with contextlib.suppress(OSError), open(path, "rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
