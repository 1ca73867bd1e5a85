"""A manifest that is whole."""

import bisect
import builtins

from lanesum import sha256

from . import tree
from .errors import ManifestError, reason
from .form import read_commit, read_shard
from .stores import store
from .work import tree_leaves


def open(url, options=None):
    """The manifest that is kept at a path or an URL; a ManifestError if there is none that is whole."""
    return Manifest(store(url, options))


class Manifest:
    """Keys, sizes and digests of objects, and the root over them."""

    def __init__(self, kept, commit=None):
        self.kept = kept
        self.commit = commit if commit is not None else read_commit(kept)
        # Of the run that has made it, and for the client of where the objects are.
        self.progress = self.options = None

    @property
    def url(self):
        """Where the objects are."""
        return self.commit["url"]

    @property
    def root(self):
        """The root of RFC 6962's tree over the sorted objects, in hexadecimal."""
        return self.commit["root"]

    @property
    def bytes(self):
        """The bytes of all objects that have digests."""
        return self.commit["bytes"]

    @property
    def complete(self):
        """Whether every object that was listed has a digest."""
        return not self.commit["lacking"]

    def __len__(self):
        """How many objects have digests."""
        return self.commit["objects"]

    def __repr__(self):
        lacks = "" if self.complete else f", {self.commit['lacking']} lacking"
        return f"<lanesum manifest of {self.url}: {len(self)} objects{lacks}, root {self.root}>"

    def rows(self, columns=None):
        """The rows, a shard at a time, in the order of keys."""
        for shard in self.commit["shards"]:
            yield read_shard(self.kept, shard["file"], shard["sha256"], columns)

    def lacking(self):
        """The objects without a digest: key, "mutated" or "unreadable", and why."""
        for shard in self.commit["shards"]:
            if shard["leaves"] < shard["rows"]:
                rows = read_shard(self.kept, shard["file"], shard["sha256"], ["key", "status", "error"])
                for row in rows.to_pylist():
                    if row["status"] != "ok":
                        yield row["key"], row["status"], row["error"]

    def checked(self):
        """The rows, and a ManifestError at the end unless they are what the root is of."""
        root, leaves = tree.Root(), 0
        for rows in self.rows():
            hashes = tree_leaves(rows)[1]
            root.add(tree.pieces(leaves, hashes))
            leaves += len(hashes)
            yield rows
        if root.digest().hex() != self.root or leaves != len(self):
            raise ManifestError(f"the manifest in {self.kept.url} is damaged: its rows have another root")

    def verify(self, quick=False, *, at=None, options=None, engine="threads", threads=None, progress=None):
        """What is otherwise than this manifest says, as Changes.

        Every object is read again; with `quick`, only those whose length, time or tag are not what they were.
        `at` is another place with the same objects; `options` are for the client of where they are. A manifest that
        `build` has returned still has them.
        """
        from .comparing import verify

        return verify(self, quick, at, options, engine, threads, progress)

    def diff(self, later):
        """What is otherwise in a later manifest, as Changes."""
        from .comparing import diff

        return diff(self, later)

    def prove(self, key):
        """A Proof that an object is under the root. A KeyError if there is no digest of it."""
        from .proving import prove

        return prove(self, key)

    def export(self, form, to):
        """Writes the manifest as other tools read it: to a file that is open for bytes or a path
        ("gnu", "hashdeep", "model-signing"), or to a bag's folder ("bagit")."""
        from .exporting import export

        export(self, form, to)

    def find(self, key):
        """The row of an object and the number of its leaf; None if it has no digest."""
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

    def leaves(self, first, count):
        """The hashes of some leaves."""
        import numpy

        found = []
        for shard in self.commit["shards"]:
            start, end = shard["start"], shard["start"] + shard["leaves"]
            if start < first + count and end > first:
                hashes = tree_leaves(read_shard(self.kept, shard["file"], shard["sha256"]))[1]
                found.append(hashes[max(first - start, 0) : first + count - start])
        return numpy.concatenate(found)

    def nodes(self):
        """The hashes of all whole subtrees of 2**LEVEL leaves, one after the other."""
        nodes = self.commit["nodes"]
        try:
            data = builtins.bytes(self.kept.get(nodes["file"]))
        except Exception as error:
            raise ManifestError(f"cannot read {self.kept.url}/{nodes['file']}: {reason(error)}") from error
        if sha256(data).hexdigest() != nodes["sha256"]:
            raise ManifestError(f"{self.kept.url}/{nodes['file']} is damaged: its SHA-256 is not that of its name")
        return data
