"""Where objects are read and manifests are kept: folders, S3, and what fsspec has.

A store has:

- `listing()`: pieces of `plan.listed`, in the order of the bytes of keys;
- `hash(table)`: the SHA-256 of listed objects: an array of rows of bytes, and for those that have
  none their number, whether they were changed since they were listed, and the reason;
- `get(name)`, `put_new(name, data)` (raises Exists), `replace(name, data)`, `names(folder)` of the
  files that manifests are kept in;
- `held(alone)`, while a manifest is made or cleaned in it, and `clear()` of what dead runs left aside;
- `place`, by which two stores are compared, as bytes; and `passed_over`, how many things in it were not listed,
  since they are no objects.
"""

import collections
import concurrent.futures
import contextlib
import functools
import itertools
import json
import os

import numpy

from lanesum import digest_many, sha256

from ..errors import Changed, ManifestError, reason, retried
from ..tree import WIDTH


def store(url, options=None):
    """The store of a path or an URL; `options` are for the client of an object store."""
    url = os.fspath(url)
    if isinstance(url, bytes):
        url = os.fsdecode(url)
    scheme, colon, rest = url.partition("://")
    if not colon or scheme in ("file", "local"):
        from .folder import Folder

        return Folder(rest if colon else url)
    if scheme in ("s3", "s3a"):
        return _s3(rest, json.dumps(options, sort_keys=True) if options else None)
    from .others import Others

    try:
        return Others(url, options)
    except Exception as error:
        raise ManifestError(f"cannot open {url}: {reason(error)}") from error


def _new_s3(place, options):
    from .s3 import S3

    return S3(place, json.loads(options) if options else None)


# A client is dear to make, and serves all threads. As a decorator, stubtest would not take it.
_s3 = functools.lru_cache(maxsize=16)(_new_s3)


def to_key(name):
    """The key of an object: its name's bytes in UTF-8, whatever the locale is."""
    return name.encode("utf-8", "surrogateescape")


def to_name(key):
    """An object's name as clients of stores take it."""
    return key.decode("utf-8", "surrogateescape")


class Objects:
    """What stores of objects have in common: one is there when it is whole, and nothing can be locked."""

    passed_over = 0

    @property
    def place(self):
        return to_key(self.url.rstrip("/"))

    def clear(self):
        """Nothing is left aside: an object is there when it is whole."""

    @contextlib.contextmanager
    def held(self, alone=False):
        """There is no lock, and so nobody who removes shards."""
        if alone:
            raise ManifestError(f"{self.url} has no locks: only a manifest in a folder can be cleaned")
        yield


def hash_batches(table, batch_bytes, read_many, hash_long):
    """`Store.hash` of a store whose small objects are read into memory, `batch_bytes` at a time, by
    `read_many(table)`, a list of bytes or exceptions, and whose long ones by `hash_long(row)`."""
    digests = numpy.zeros((len(table), WIDTH), "u1")
    errors = []
    sizes = numpy.asarray(table["size"])

    def failed(number, error):
        errors.append((number, isinstance(error, Changed), reason(error)))

    def batch(numbers):
        data = read_many(table.take(numbers))
        whole = []
        for number, value in zip(numbers, data, strict=True):
            if isinstance(value, Exception):
                failed(number, value)
            elif len(value) != sizes[number]:
                failed(number, Changed(f"{len(value)} bytes were read, {sizes[number]} listed"))
            else:
                whole.append((number, value))
        if whole:
            hashed = digest_many("sha256", [value for _, value in whole], threads=1)
            for (number, _), digest in zip(whole, hashed, strict=True):
                digests[number] = numpy.frombuffer(digest, "u1")

    waiting, total = [], 0
    for number, size in enumerate(sizes.tolist()):
        if size > batch_bytes:
            try:
                digests[number] = numpy.frombuffer(hash_long(table.slice(number, 1).to_pylist()[0]), "u1")
            except Exception as error:
                failed(number, error)
            continue
        if waiting and total + size > batch_bytes:
            batch(waiting)
            waiting, total = [], 0
        waiting.append(number)
        total += size
    if waiting:
        batch(waiting)
    return digests, sorted(errors)


# A long object comes in pieces of so many bytes, some of them under way at once.
PIECE_BYTES = 16 << 20
PIECES_AHEAD = 4


def hash_pieces(read, ends):
    """The SHA-256 of an object whose bytes are had by `read(start, end)`, and a list of those of its parts,
    which end at `ends`."""
    ranges = (
        (at, min(at + PIECE_BYTES, end), end)
        for start, end in itertools.pairwise([0, *ends])
        for at in range(start, max(end, start + 1), PIECE_BYTES)
    )
    whole, part, digests = sha256(), sha256(), []
    with concurrent.futures.ThreadPoolExecutor(PIECES_AHEAD) as pool:

        def some(count):
            for start, end, end_of_part in itertools.islice(ranges, count):
                yield pool.submit(retried, read, start, end), end == end_of_part

        under_way = collections.deque(some(PIECES_AHEAD))
        try:
            while under_way:
                piece, is_last = under_way.popleft()
                data = piece.result()
                under_way.extend(some(1))
                whole.update(data)
                if len(ends) == 1:
                    continue
                part.update(data)
                if is_last:
                    digests.append(part.digest())
                    part = sha256()
        except BaseException:
            for piece, _ in under_way:
                piece.cancel()
            raise
    return whole.digest(), digests or [whole.digest()]


def attempt(call, *arguments):
    """What a call returns, or the exception that it raises."""
    try:
        return call(*arguments)
    except Exception as error:
        return error
