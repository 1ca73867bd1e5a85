"""Compares a manifest with the SHA-256 checksums that S3 stores."""

import base64
import dataclasses
import itertools
from collections.abc import Iterator

from lanesum import sha256

from .errors import ManifestError, reason
from .manifest import Manifest
from .stores import attempt, hash_pieces, store
from .types import Options


@dataclasses.dataclass(frozen=True)
class Compared:
    """The result for an object.

    `class_` is "same", "changed", "unread" (a composite checksum, whose parts were not read), "none" (S3 stores
    no SHA-256) or "unreadable", with the error in `reason`.
    """

    key: bytes
    class_: str
    reason: str | None = None


def compare_checksums(
    manifest: Manifest, *, read: bool = True, options: Options = None
) -> Iterator[Compared]:
    """Compares the objects of a manifest with the checksums that S3 stores, and yields a Compared for each.

    A full-object checksum is compared with the manifest's digest without reading the object. A composite
    checksum of a multipart upload is compared by reading the object, unless read is false. options are
    arguments for the client of S3, by default those of build() if it returned the manifest. Raises
    ManifestError if the objects are not in S3.

        for found in compare_checksums(manifest.open("photos.manifest")):
            print(found.class_, found.key)
    """
    source = store(manifest.url, manifest.options if options is None else options)
    if not hasattr(source, "read_part"):
        raise ManifestError(f"{manifest.url} is not in S3; only S3 stores checksums")
    for rows in manifest.rows(["key", "size", "etag", "sha256", "status"]):
        rows = [row for row in rows.to_pylist() if row["status"] == "ok"]
        asked = source.pool.map(lambda row: attempt(_stored, source, row), rows)
        for row, stored in zip(rows, asked, strict=True):
            class_ = stored if isinstance(stored, Exception) else attempt(_compare, source, row, stored, read)
            if isinstance(class_, Exception):
                yield Compared(row["key"], "unreadable", reason(class_))
            else:
                yield Compared(row["key"], class_)


def _head(source, row, **words):
    return source.ask("head_object", Bucket=source.bucket, Key=source.full_key(row["key"]), **words)


def _stored(source, row):
    """The SHA-256 that S3 stores for an object, if any, and its number of parts, or 0 for the whole object."""
    said = _head(source, row, IfMatch=row["etag"], ChecksumMode="ENABLED")
    checksum, _, count = (said.get("ChecksumSHA256") or "").partition("-")
    if checksum and not count and "-" in said["ETag"]:
        # A multipart upload. With a single part the checksum is composite, too.
        parts = _head(source, row, PartNumber=1).get("PartsCount") or 0
        count = parts if said.get("ChecksumType") == "COMPOSITE" or parts > 1 else 0
    return base64.b64decode(checksum), int(count or 0)


def _compare(source, row, stored, read):
    checksum, count = stored
    if not checksum:
        return "none"
    if not count:
        return "same" if checksum == row["sha256"] else "changed"
    if not read:
        return "unread"
    sizes = (_head(source, row, PartNumber=number)["ContentLength"] for number in range(1, count + 1))
    whole, digests = hash_pieces(lambda *some: source.read_part(row, *some), list(itertools.accumulate(sizes)))
    is_same = sha256(b"".join(digests)).digest() == checksum and whole == row["sha256"]
    return "same" if is_same else "changed"
