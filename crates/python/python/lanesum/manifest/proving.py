"""Inclusion proofs: that an object is under the root of a manifest."""

import dataclasses
import json
import re
from typing import TYPE_CHECKING

import numpy

from . import tree

if TYPE_CHECKING:
    from .manifest import Manifest


@dataclasses.dataclass(frozen=True)
class Proof:
    """A proof that an object is under a root.

    `key`, `size` in bytes and `sha256` are the object's. Its leaf is the one at `index` of `count`. `path` has
    the hashes that lead to `root`. Hashes are in hexadecimal.
    """

    key: bytes
    size: int
    sha256: str
    index: int
    count: int
    root: str
    path: tuple[str, ...]

    def json(self) -> str:
        """Returns the proof as JSON, with the key in hexadecimal, since it may be any bytes.

            pathlib.Path("proof").write_text(made.prove("2026/a.raw").json())
        """
        fields = dataclasses.asdict(self) | {"key": self.key.hex(), "path": list(self.path)}
        return json.dumps(fields)

    @classmethod
    def of(cls, text: str | bytes) -> "Proof":
        """Parses a proof from the JSON in text, which json() returned. Raises ValueError if it is malformed.

            proof = manifest.Proof.of(pathlib.Path("proof").read_bytes())
        """
        try:
            fields = json.loads(text)
            return cls(**fields | {"key": bytes.fromhex(fields["key"]), "path": tuple(fields["path"])})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ValueError(f"malformed proof: {error!r}") from error


def check_proof(root: str, proof: Proof) -> bool:
    """Returns whether proof, a Proof, leads to root.

    root is 64 hexadecimal digits from a trusted source, never the proof's own. Raises TypeError for
    arguments of another type or in another order, ValueError for a malformed root or proof.

        assert manifest.check_proof(root, manifest.Proof.of(text))
    """
    for name, given, kind in ("root", root, str), ("proof", proof, Proof):
        if not isinstance(given, kind):
            raise TypeError(f"{name}: {kind.__name__} is required, not {type(given).__name__}: check_proof(root, proof)")
    if not re.fullmatch("[0-9a-fA-F]{64}", root):
        raise ValueError("root: 64 hexadecimal digits are required")
    wanted = bytes.fromhex(root)
    digest = bytes.fromhex(proof.sha256)
    # With another length, bytes of the digest could be part of the key.
    if len(digest) != tree.WIDTH or not 0 <= proof.size < 1 << 64:
        return False
    path = [bytes.fromhex(digest) for digest in proof.path]
    found = tree.root_of(tree.entry(proof.size, digest, proof.key), proof.index, proof.count, path)
    return bool(found == wanted)


def prove(manifest: "Manifest", key: str | bytes) -> Proof:
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
    return Proof(row["key"], row["size"], row["sha256"].hex(), index, count, manifest.root, path)
