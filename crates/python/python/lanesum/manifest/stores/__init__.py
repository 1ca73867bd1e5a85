"""Where objects are read and manifests are kept: folders, S3, and what fsspec has.

A store has:

- `listing()`: pieces of `plan.listed`, in the order of the bytes of keys;
- `hash(table)`: the SHA-256 of listed objects: an array of rows of bytes, and for those that have
  none their number, whether they were changed since they were listed, and the reason;
- `get(name)`, `put_new(name, data)` (raises Exists), `replace(name, data)`, `names(folder)` of the
  files that manifests are kept in;
- `held(alone)`, while a manifest is made or cleaned in it, and `clear()` of what dead runs left aside.
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
    except (ImportError, ValueError) as error:
        raise ManifestError(f"cannot open {url}: {error}") from error


def _new_s3(place, options):
    from .s3 import S3

    return S3(place, json.loads(options) if options else None)


# A client is dear to make, and serves all threads.
_s3 = functools.lru_cache(maxsize=16)(_new_s3)


class Objects:
    """What stores of objects have in common: one is there when it is whole, and nothing can be locked."""

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


# A long object comes in parts of so many bytes, some of them under way at once.
PART_BYTES = 16 << 20
PARTS_AHEAD = 4


def hash_parts(size, read, parts=None):
    """The SHA-256 of an object whose parts are had by `read(start, end)`; `parts`, if given, is a list of
    the ends of parts, and then theirs come too."""
    ends = parts or [*range(PART_BYTES, size, PART_BYTES), size]
    ranges = zip([0, *ends[:-1]], ends, strict=True)
    whole, digests = sha256(), []
    with concurrent.futures.ThreadPoolExecutor(PARTS_AHEAD) as pool:
        under_way = collections.deque(
            pool.submit(retried, read, *some) for some in itertools.islice(ranges, PARTS_AHEAD)
        )
        try:
            while under_way:
                data = under_way.popleft().result()
                under_way.extend(pool.submit(retried, read, *some) for some in itertools.islice(ranges, 1))
                whole.update(data)
                if parts:
                    digests.append(sha256(data).digest())
        except BaseException:
            for future in under_way:
                future.cancel()
            raise
    return (whole.digest(), digests) if parts else whole.digest()
