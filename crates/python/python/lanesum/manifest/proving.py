"""Proofs that one object is under the root of a manifest."""

import dataclasses
import json
from typing import TYPE_CHECKING

import numpy

from . import tree

if TYPE_CHECKING:
    from .manifest import Manifest


@dataclasses.dataclass(frozen=True)
class Proof:
    """An object, the number of its leaf among how many, and the hashes that lead to the root."""

    key: bytes
    size: int
    sha256: str
    index: int
    count: int
    root: str
    path: tuple[str, ...]

    def json(self) -> str:
        """Returns the proof as text, with the key in hexadecimal, since it may be any bytes."""
        fields = dataclasses.asdict(self) | {"key": self.key.hex(), "path": list(self.path)}
        return json.dumps(fields)

    @classmethod
    def of(cls, text: str | bytes) -> "Proof":
        """Parses a proof from text, which json() returned."""
        fields = json.loads(text)
        return cls(**fields | {"key": bytes.fromhex(fields["key"]), "path": tuple(fields["path"])})


def check_proof(root: str, proof: Proof) -> bool:
    """Returns whether a Proof leads to a root.

    root is in hexadecimal, and must come from elsewhere than the proof. Raises TypeError for arguments of
    other types or in another order, ValueError for a root or a proof that is malformed.
    """
    for name, given, kind in ("root", root, str), ("proof", proof, Proof):
        if not isinstance(given, kind):
            raise TypeError(f"{name}: {kind.__name__} expected, not {type(given).__name__}: check_proof(root, proof)")
    wanted = bytes.fromhex(root)
    if len(wanted) != tree.WIDTH:
        raise ValueError("a root has 64 digits")
    digest = bytes.fromhex(proof.sha256)
    # With another length, bytes of the digest would pass for some of the key.
    if len(digest) != tree.WIDTH or not 0 <= proof.size < 1 << 64:
        return False
    path = [bytes.fromhex(digest) for digest in proof.path]
    found = tree.root_of(tree.entry(proof.size, digest, proof.key), proof.index, proof.count, path)
    return bool(found == wanted)


def prove(manifest: "Manifest", key: str | bytes) -> Proof:
    key = key.encode("utf-8", "surrogateescape") if isinstance(key, str) else bytes(key)
    found = manifest.find(key)
    if found is None:
        raise KeyError(key)
    row, index = found
    nodes = numpy.frombuffer(manifest.nodes(), "u1").reshape(-1, tree.WIDTH)
    width = 1 << tree.LEVEL
    block, count = index // width, len(manifest)
    leaves = manifest.leaves(block * width, min(width, count - block * width))
    path = tree.path(leaves, index % width)
    if count % width:
        end = tree.Root()
        end.add(tree.pieces(0, manifest.leaves(count - count % width, count % width)))
        tail = numpy.frombuffer(end.digest(), "u1").reshape(1, -1)
        nodes = numpy.concatenate([nodes, tail])
    path += tree.path(nodes, block)
    path = tuple(digest.hex() for digest in path)
    return Proof(key, row["size"], row["sha256"].hex(), index, count, manifest.root, path)
