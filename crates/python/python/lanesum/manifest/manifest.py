"""Committed manifests."""

import bisect
import builtins
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

from lanesum import sha256

from . import tree
from .errors import ManifestError, reason
from .form import ROWS, read_commit, read_shard
from .jobs import tree_leaves
from .stores import store, to_key
from .types import Engine, Options, Url

if TYPE_CHECKING:
    import os

    from .building import Progress
    from .comparing import Changes
    from .proving import Proof


def open(url: Url, options: Options = None) -> "Manifest":
    """Opens a manifest and returns it.

    url is its path or URL; options are arguments for the client of the manifest's object store. Raises
    ManifestError if there is no committed manifest, that is, no valid commit.json.

        print(manifest.open("photos.manifest").root)
    """
    return Manifest(store(url, options))


class Manifest:
    """The keys, sizes and digests of objects, and the Merkle root over them. Its length is the number of
    objects with digests.

    `commit` has the contents of commit.json. In a manifest that build() returned, `progress` is the Progress
    of the run; otherwise it is None.
    """

    def __init__(self, store: Any, commit: dict[str, Any] | None = None) -> None:
        self.store = store
        self.commit: dict[str, Any] = commit if commit is not None else read_commit(store)
        # The progress of the run that built it, and arguments for the client of the objects' store.
        self.progress: Progress | None = None
        self.options: Options = None

    @property
    def url(self) -> str:
        """The path or URL of the objects."""
        return self.commit["url"]

    @property
    def root(self) -> str:
        """The root of the RFC 6962 tree over the sorted objects: 64 hexadecimal digits."""
        return self.commit["root"]

    @property
    def bytes(self) -> int:
        """The total size in bytes of the objects with digests."""
        return self.commit["bytes"]

    @property
    def complete(self) -> bool:
        """Whether every listed object has a digest."""
        return not self.commit["failed"]

    def __len__(self) -> int:
        """The number of objects with digests."""
        return self.commit["objects"]

    def __repr__(self) -> str:
        lacks = "" if self.complete else f", {self.commit['failed']} without a digest"
        return f"<lanesum manifest of {self.url}: {len(self)} objects{lacks}, root {self.root}>"

    def rows(self, columns: list[str] | None = None) -> Iterator[Any]:
        """Yields the rows as pyarrow Tables, one per shard, in the order of keys.

        columns are the names of the columns to read; None means all of them: key, size, mtime, etag, sha256,
        status and error. The iteration raises ValueError for another name, and ManifestError if a shard is missing
        or corrupt.

            for table in made.rows(["key", "sha256"]):
                print(table.num_rows)
        """
        if isinstance(columns, str):
            raise TypeError("columns: a list of names is required, not str")
        for name in columns or ():
            if name not in ROWS.names:
                raise ValueError(f"columns: no column {name!r}: use {', '.join(ROWS.names)}")
        for shard in self.commit["shards"]:
            yield read_shard(self.store, shard["file"], shard["sha256"], columns)

    def failed(self) -> "Iterator[tuple[builtins.bytes, str]]":
        """Yields the objects without a digest, each as a tuple of its key and the reason.

            for key, reason in made.failed():
                print(key, reason)
        """
        for shard in self.commit["shards"]:
            if shard["leaves"] < shard["rows"]:
                rows = read_shard(self.store, shard["file"], shard["sha256"], ["key", "status", "error"])
                for row in rows.to_pylist():
                    if row["status"] != "ok":
                        yield row["key"], row["error"]

    def verified_rows(self) -> Iterator[Any]:
        """Yields all columns as rows() does. Raises ManifestError at the end if their root is not the manifest's.

            for table in made.verified_rows():
                print(table.num_rows)
        """
        root, leaves = tree.Root(), 0
        for rows in self.rows():
            hashes = tree_leaves(rows)[1]
            root.add(tree.pieces(leaves, hashes))
            leaves += len(hashes)
            yield rows
        if root.digest().hex() != self.root or leaves != len(self):
            raise ManifestError(f"the manifest in {self.store.url} is corrupt: its rows have another root")

    def verify(
        self,
        quick: bool = False,
        *,
        at: Url | None = None,
        options: Options = None,
        engine: Engine = "threads",
        threads: int | None = None,
        progress: "Callable[[Progress], object] | None" = None,
    ) -> "Changes":
        """Compares the objects with this manifest and returns the differences as Changes.

        Reads every object; with quick, only objects whose size, time or ETag differ. at is the path or URL of
        a copy of the objects. options are arguments for the client of the objects' store, by default those of
        build() if it returned this manifest and at is None. See build() for engine, threads and progress.

        The objects are read while the result is iterated. The iteration raises ManifestError if the objects
        cannot be listed or the manifest is corrupt, Stopped if a cluster fails, ValueError for threads below 1.

            assert made.verify(quick=True).same
        """
        from .comparing import verify

        return verify(self, quick, at, options, engine, threads, progress)

    def diff(self, later: "Manifest | Url") -> "Changes":
        """Compares this manifest with later, a Manifest or the path or URL of one, and returns the differences
        as Changes. Raises ManifestError if one of them is missing; the iteration raises it if one is corrupt.

            assert made.diff("tuesday.manifest").same
        """
        from .comparing import diff

        return diff(self, later if isinstance(later, Manifest) else Manifest(store(later, None, "later")))

    def prove(self, key: "str | builtins.bytes") -> "Proof":
        """Returns a Proof that the object key is under the root. Raises KeyError if there is no such object, or
        if it has no digest.

            proof = made.prove("2026/a.raw")
        """
        from .proving import prove

        return prove(self, key)

    def export(self, format: str, to: "str | os.PathLike[str] | IO[builtins.bytes]") -> None:
        """Writes the manifest in another tool's format.

        format is "gnu" (sha256sum), "hashdeep", "model-signing" or "bagit". to is a path, or a file opened in
        binary mode; for "bagit" it is the directory of the bag. Raises ManifestError if the format cannot
        represent the manifest.

            made.export("gnu", "SHA256SUMS")
        """
        from .exporting import export

        export(self, format, to)

    def find(self, key: "str | builtins.bytes") -> tuple[dict[str, Any], int] | None:
        """Returns the row of the object key and the index of its leaf, or None if there is no such object, or if
        it has no digest.

            row, index = made.find("2026/a.raw")
            print(row["size"], row["sha256"].hex())
        """
        if not isinstance(key, str | builtins.bytes):
            raise TypeError(f"key: str or bytes is required, not {type(key).__name__}")
        key = to_key(key) if isinstance(key, str) else key
        shards = self.commit["shards"]
        place = bisect.bisect_right([shard["first"] for shard in shards], key.hex()) - 1
        if place < 0:
            return None
        shard = shards[place]
        rows = read_shard(self.store, shard["file"], shard["sha256"])
        number = shard["start"]
        for row in rows.filter(tree_leaves(rows)[0]).to_pylist():
            if row["key"] == key:
                return row, number
            number += 1
        return None

    def leaves(self, first: int, count: int) -> Any:
        """Returns the hashes of count leaves, starting with leaf first: a NumPy array of shape (count, 32)."""
        import numpy

        found = []
        for shard in self.commit["shards"]:
            start, end = shard["start"], shard["start"] + shard["leaves"]
            if start < first + count and end > first:
                hashes = tree_leaves(read_shard(self.store, shard["file"], shard["sha256"]))[1]
                found.append(hashes[max(first - start, 0) : first + count - start])
        return numpy.concatenate(found)

    def nodes(self) -> "builtins.bytes":
        """Returns the concatenated hashes of all complete subtrees of 1,024 leaves, 32 bytes each."""
        nodes = self.commit["nodes"]
        try:
            data = builtins.bytes(self.store.get(nodes["file"]))
        except Exception as error:
            raise ManifestError(f"cannot read {self.store.url}/{nodes['file']}: {reason(error)}") from error
        if sha256(data).hexdigest() != nodes["sha256"]:
            raise ManifestError(f"{self.store.url}/{nodes['file']} is corrupt: its SHA-256 does not match its name")
        return data
