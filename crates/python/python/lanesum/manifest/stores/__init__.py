"""Stores of objects and of manifests: directories, S3, and the drivers of fsspec.

A store has:

- `listing()`: yields pieces of `plan.listed`, in the byte order of keys;
- `hash(table)`: returns the SHA-256 of listed objects, an array of shape (count, 32), and for each object
  without one its number and the reason;
- `get(name)`, `put_new(name, data)` (raises Exists), `replace(name, data)` and `names(directory)` of the files
  of a manifest;
- `held(alone)`: a lock while a manifest is built or, with `alone`, cleaned; `clear()`: removes the temporary
  files of killed runs;
- `place`: the path or URL as bytes, to compare two stores; and `skipped`, the number of skipped symbolic links
  and special files.
"""

import collections
import concurrent.futures
import contextlib
import functools
import itertools
import json
import os
from collections.abc import Mapping

import numpy

from lanesum import digest_many, sha256

from ..errors import Changed, ManifestError, reason, retried
from ..tree import WIDTH


# Arguments of boto3's client that obstore also supports.
S3_OPTIONS = (
    "endpoint_url",
    "region_name",
    "aws_access_key_id",
    "aws_secret_access_key",
    "aws_session_token",
)


def store(url, options=None, name="url"):
    """The store of a path or a URL, which is argument `name`; `options` are arguments for the client of an object
    store."""
    try:
        url = os.fsdecode(url)
    except TypeError:
        raise TypeError(f"{name}: a path or a URL is required, not {type(url).__name__}") from None
    if "\0" in url:
        raise ValueError(f"{name}: embedded null byte")
    if not isinstance(options, Mapping | None):
        raise TypeError(f"options of {url}: a mapping or None is required, not {type(options).__name__}")
    scheme, colon, rest = url.partition("://")
    if not colon or scheme in ("file", "local"):
        from .directory import Directory

        if options:
            raise ManifestError(f"cannot open {url}: a path has no options, only an object store")
        return Directory(rest if colon else url)
    if scheme in ("s3", "s3a"):
        options = {name: value for name, value in (options or {}).items() if value is not None}
        for name, value in options.items():
            if name not in S3_OPTIONS:
                raise ManifestError(f"cannot open {url}: unknown option {name}: use {', '.join(S3_OPTIONS)}")
            if not isinstance(value, str):
                kind = type(value).__name__
                raise ManifestError(f"cannot open {url}: option {name}: str is required, not {kind}")
        return _s3(rest, json.dumps(options, sort_keys=True) if options else None)
    from .others import Others

    try:
        return Others(url, options)
    except Exception as error:
        raise ManifestError(f"cannot open {url}: {reason(error)}") from error


def _new_s3(place, options):
    from .s3 import S3

    return S3(place, json.loads(options) if options else None)


# Creating a client is slow, and it serves all threads. stubtest does not support `lru_cache` as a decorator.
_s3 = functools.lru_cache(maxsize=16)(_new_s3)


def to_key(name):
    """The key of an object: the UTF-8 of its name, regardless of the locale."""
    return name.encode("utf-8", "surrogateescape")


def to_name(key):
    """The name of an object for the clients of stores."""
    return key.decode("utf-8", "surrogateescape")


class Objects:
    """The common part of object stores, whose writes are atomic and which have no locks."""

    skipped = 0

    @property
    def place(self):
        return to_key(self.url.rstrip("/"))

    def clear(self):
        """Does nothing: writes are atomic, so there are no temporary files."""

    @contextlib.contextmanager
    def held(self, alone=False):
        """Object stores have no locks, so their manifests cannot be cleaned."""
        if alone:
            raise ManifestError(f"{self.url} has no locks: only a manifest in a local directory can be cleaned")
        yield


def hash_batches(table, batch_bytes, read_many, hash_long):
    """Implements `hash` of a store. Reads small objects into memory, at most `batch_bytes` at a time, with
    `read_many(table)`, which returns a list of bytes or exceptions; longer ones are hashed by
    `hash_long(row)`."""
    digests = numpy.zeros((len(table), WIDTH), "u1")
    errors = []
    sizes = numpy.asarray(table["size"])

    def failed(number, error):
        errors.append((number, reason(error)))

    def batch(numbers):
        data = read_many(table.take(numbers))
        whole = []
        for number, value in zip(numbers, data, strict=True):
            if isinstance(value, Exception):
                failed(number, value)
            elif len(value) != sizes[number]:
                failed(number, Changed(f"read {len(value)} bytes of {sizes[number]}"))
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


# A long object is fetched in pieces of PIECE_BYTES bytes, PIECES_AHEAD of them concurrently.
PIECE_BYTES = 16 << 20
PIECES_AHEAD = 4


def hash_pieces(read, ends):
    """The SHA-256 of an object, which `read(start, end)` reads, and a list of the SHA-256 of its parts, which end
    at `ends`."""
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
    """The result of a call, or the exception that it raises."""
    try:
        return call(*arguments)
    except Exception as error:
        return error
