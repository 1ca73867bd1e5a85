"""Proofs that one object is under the root of a manifest."""

import dataclasses
import json

import numpy

from . import tree


@dataclasses.dataclass(frozen=True)
class Proof:
    """An object, the number of its leaf among how many, and the hashes that lead to the root."""

    key: bytes
    size: int
    sha256: str
    index: int
    count: int
    root: str
    path: tuple

    def json(self):
        """The proof as text; keys are in hexadecimal, since they may be any bytes."""
        fields = dataclasses.asdict(self) | {"key": self.key.hex(), "path": list(self.path)}
        return json.dumps(fields)

    @classmethod
    def of(cls, text):
        """The proof of a text."""
        fields = json.loads(text)
        return cls(**fields | {"key": bytes.fromhex(fields["key"]), "path": tuple(fields["path"])})


def check_proof(proof, root):
    """Whether a proof leads to a root in hexadecimal, which is to be had from elsewhere than the proof.

    A ValueError or TypeError says that it is no proof, or no root."""
    root = bytes.fromhex(root)
    if len(root) != tree.WIDTH:
        raise ValueError("a root has 64 digits")
    digest = bytes.fromhex(proof.sha256)
    # With another length, bytes of the digest would pass for some of the key.
    if len(digest) != tree.WIDTH or not 0 <= proof.size < 1 << 64:
        return False
    path = [bytes.fromhex(digest) for digest in proof.path]
    return tree.root_of(tree.entry(proof.size, digest, proof.key), proof.index, proof.count, path) == root


def prove(manifest, key):
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
