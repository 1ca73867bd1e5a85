"""The format of a manifest: the rows of a shard as Parquet, and the commit, which lists the shards."""

import json

import pyarrow
import pyarrow.parquet

from lanesum import sha256

from .errors import ManifestError, OtherVersion, reason

VERSION = 1
COMMIT = "commit.json"
SHARDS = "shards"

# DuckDB, Polars and Spark read all of these types. `status` is "ok" or "unreadable"; only rows that are
# "ok" have a digest.
ROWS = pyarrow.schema(
    [
        pyarrow.field("key", pyarrow.large_binary(), nullable=False),
        pyarrow.field("size", pyarrow.int64(), nullable=False),
        ("mtime", pyarrow.int64()),
        ("etag", pyarrow.string()),
        ("sha256", pyarrow.binary(32)),
        pyarrow.field("status", pyarrow.string(), nullable=False),
        ("error", pyarrow.string()),
    ]
)

# Digests cannot be compressed.
COMPRESSION = {name: "none" if name == "sha256" else "zstd" for name in ROWS.names}


def packed(rows):
    """Rows as the bytes of a Parquet file, deterministic for a release of pyarrow."""
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(
        rows, sink, compression=COMPRESSION, use_dictionary=["status", "error"], write_statistics=["key"]
    )
    return sink.getvalue()


def unpacked(data, columns=None):
    return pyarrow.parquet.read_table(pyarrow.BufferReader(data), columns=columns, use_threads=False)


def shard_file(name, digest):
    return f"{SHARDS}/{name}-{digest[:32]}.parquet"


def read_shard(store, file, digest, columns=None):
    """The rows of a shard whose bytes have `digest`."""
    return unpacked(read_whole(store, file, digest), columns)


def read_whole(store, file, digest):
    """The bytes of a shard, whose SHA-256 must begin with `digest`."""
    try:
        data = store.get(file)
    except Exception as error:
        raise ManifestError(f"cannot read shard {store.url}/{file}: {reason(error)}") from error
    if not sha256(data).hexdigest().startswith(digest):
        raise ManifestError(f"shard {store.url}/{file} is corrupt: its SHA-256 does not match its name")
    return data


def sealed(commit):
    """A commit as bytes, with a digest of its contents."""
    body = json.dumps(commit, sort_keys=True, separators=(",", ":"))
    return json.dumps(
        {**commit, "sha256": sha256(body.encode()).hexdigest()}, sort_keys=True, indent=0
    ).encode()


def read_commit(store):
    try:
        text = bytes(store.get(COMMIT))
    except FileNotFoundError:
        raise ManifestError(f"no complete manifest in {store.url}: {COMMIT} is missing") from None
    except Exception as error:
        raise ManifestError(f"cannot read {store.url}/{COMMIT}: {reason(error)}") from error
    try:
        commit = json.loads(text)
        version = commit["lanesum manifest"]
    except (ValueError, KeyError, TypeError):
        raise ManifestError(f"{store.url}/{COMMIT} is corrupt, or not a commit of a manifest") from None
    if version != VERSION:
        raise OtherVersion(
            f"{store.url}/{COMMIT} has version {version}; this lanesum reads version {VERSION}"
        )
    seal = commit.pop("sha256", None)
    body = json.dumps(commit, sort_keys=True, separators=(",", ":"))
    if seal != sha256(body.encode()).hexdigest():
        raise ManifestError(f"{store.url}/{COMMIT} is corrupt: its SHA-256 does not match its contents")
    return commit
