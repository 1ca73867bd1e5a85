"""A manifest that is whole."""

import bisect
import builtins
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

from lanesum import sha256

from . import tree
from .errors import ManifestError, reason
from .form import read_commit, read_shard
from .stores import store
from .types import Engine, Options, Url
from .work import tree_leaves

if TYPE_CHECKING:
    import os

    from .building import Progress
    from .comparing import Changes
    from .proving import Proof


def open(url: Url, options: Options = None) -> "Manifest":
    """Opens a manifest and returns it.

    url is its path or URL; options are for the client of an object store. Raises ManifestError if there is no complete manifest.
    """
    return Manifest(store(url, options))


class Manifest:
    """Keys, sizes and digests of objects, and the root over them."""

    def __init__(self, kept: Any, commit: dict[str, Any] | None = None) -> None:
        self.kept = kept
        self.commit: dict[str, Any] = commit if commit is not None else read_commit(kept)
        # Of the run that has made it, and for the client of where the objects are.
        self.progress: Progress | None = None
        self.options: Options = None

    @property
    def url(self) -> str:
        """Where the objects are."""
        return self.commit["url"]

    @property
    def root(self) -> str:
        """The root of RFC 6962's tree over the sorted objects, in hexadecimal."""
        return self.commit["root"]

    @property
    def bytes(self) -> int:
        """The bytes of all objects that have digests."""
        return self.commit["bytes"]

    @property
    def complete(self) -> bool:
        """Whether every object that was listed has a digest."""
        return not self.commit["lacking"]

    def __len__(self) -> int:
        """How many objects have digests."""
        return self.commit["objects"]

    def __repr__(self) -> str:
        lacks = "" if self.complete else f", {self.commit['lacking']} lacking"
        return f"<lanesum manifest of {self.url}: {len(self)} objects{lacks}, root {self.root}>"

    def rows(self, columns: list[str] | None = None) -> Iterator[Any]:
        """Yields the rows as tables of pyarrow, a shard at a time, in the order of keys: all columns, or those
        named in columns."""
        for shard in self.commit["shards"]:
            yield read_shard(self.kept, shard["file"], shard["sha256"], columns)

    def lacking(self) -> "Iterator[tuple[builtins.bytes, str, str]]":
        """The objects without a digest: key, "mutated" or "unreadable", and why."""
        for shard in self.commit["shards"]:
            if shard["leaves"] < shard["rows"]:
                rows = read_shard(self.kept, shard["file"], shard["sha256"], ["key", "status", "error"])
                for row in rows.to_pylist():
                    if row["status"] != "ok":
                        yield row["key"], row["status"], row["error"]

    def checked(self) -> Iterator[Any]:
        """The rows, and a ManifestError at the end unless they are what the root is of."""
        root, leaves = tree.Root(), 0
        for rows in self.rows():
            hashes = tree_leaves(rows)[1]
            root.add(tree.pieces(leaves, hashes))
            leaves += len(hashes)
            yield rows
        if root.digest().hex() != self.root or leaves != len(self):
            raise ManifestError(f"the manifest in {self.kept.url} is damaged: its rows have another root")

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

        Reads every object; with quick, only those whose length, time or ETag differ. at is another place
        with the same objects. options are for the client of the objects' store; a manifest that build()
        returned remembers them. engine, threads and progress are those of build().
        """
        from .comparing import verify

        return verify(self, quick, at, options, engine, threads, progress)

    def diff(self, later: "Manifest | Url") -> "Changes":
        """Compares with the manifest later, or the one at that path or URL, and returns the differences as
        Changes."""
        from .comparing import diff

        return diff(self, later)

    def prove(self, key: "str | builtins.bytes") -> "Proof":
        """Returns a Proof that the object key is under the root. Raises KeyError if it has no digest."""
        from .proving import prove

        return prove(self, key)

    def export(self, form: str, to: "str | os.PathLike[str] | IO[builtins.bytes]") -> None:
        """Writes the manifest in another tool's format.

        form is "gnu", "hashdeep" or "model-signing", and to a path or a file that is open in binary mode; or
        form is "bagit", and to the bag's directory.
        """
        from .exporting import export

        export(self, form, to)

    def find(self, key: "builtins.bytes") -> tuple[dict[str, Any], int] | None:
        """Returns the row of the object key and the index of its leaf, or None if it has no digest."""
        shards = self.commit["shards"]
        place = bisect.bisect_right([shard["first"] for shard in shards], key.hex()) - 1
        if place < 0:
            return None
        shard = shards[place]
        rows = read_shard(self.kept, shard["file"], shard["sha256"])
        number = shard["start"]
        for row in rows.filter(tree_leaves(rows)[0]).to_pylist():
            if row["key"] == key:
                return row, number
            number += 1
        return None

    def leaves(self, first: int, count: int) -> Any:
        """Returns the hashes of count leaves from leaf first on, as an array of NumPy."""
        import numpy

        found = []
        for shard in self.commit["shards"]:
            start, end = shard["start"], shard["start"] + shard["leaves"]
            if start < first + count and end > first:
                hashes = tree_leaves(read_shard(self.kept, shard["file"], shard["sha256"]))[1]
                found.append(hashes[max(first - start, 0) : first + count - start])
        return numpy.concatenate(found)

    def nodes(self) -> "builtins.bytes":
        """The hashes of all whole subtrees of 2**LEVEL leaves, one after the other."""
        nodes = self.commit["nodes"]
        try:
            data = builtins.bytes(self.kept.get(nodes["file"]))
        except Exception as error:
            raise ManifestError(f"cannot read {self.kept.url}/{nodes['file']}: {reason(error)}") from error
        if sha256(data).hexdigest() != nodes["sha256"]:
            raise ManifestError(f"{self.kept.url}/{nodes['file']} is damaged: its SHA-256 is not that of its name")
        return data
