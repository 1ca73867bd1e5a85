"""What S3 says of an object's SHA-256, beside a manifest."""

import base64
import dataclasses

from lanesum import sha256

from .errors import ManifestError, reason
from .stores import hash_parts, store


@dataclasses.dataclass(frozen=True)
class Compared:
    """An object: "same", "differs", "unread" (a checksum of parts, which were not read), "none" (the store has
    no SHA-256 of it) or "unreadable"."""

    key: bytes
    kind: str
    error: str | None = None


def compare_checksums(manifest, *, read=True, options=None):
    """Yields what S3's own checksums say of the objects of a manifest, as Compared.

    One of a whole object is compared with the manifest's digest, and the object is not read. One that is
    composed of those of parts is compared with the parts, which are read, and their whole with the manifest's
    digest; unless `read` is false.
    """
    source = store(manifest.url, options)
    if not hasattr(source, "read_part"):
        raise ManifestError(f"{manifest.url} is no place of S3's: only S3 has checksums to compare")
    for rows in manifest.rows(["key", "size", "etag", "sha256", "status"]):
        for row in rows.to_pylist():
            if row["status"] == "ok":
                try:
                    yield Compared(row["key"], _compare(source, row, read))
                except Exception as error:
                    yield Compared(row["key"], "unreadable", reason(error))


def _compare(source, row, read):
    head = {"Bucket": source.bucket, "Key": source._key(row["key"])}
    said = source.ask("head_object", **head, IfMatch=row["etag"], ChecksumMode="ENABLED")
    checksum = said.get("ChecksumSHA256")
    if checksum is None:
        return "none"
    checksum, _, parts = checksum.partition("-")
    first = source.ask("head_object", **head, PartNumber=1) if said["ETag"].strip('"').count("-") else {}
    count = int(parts or first.get("PartsCount") or 0)
    is_composite = said.get("ChecksumType") == "COMPOSITE" or parts or count > 1
    if not is_composite:
        return "same" if base64.b64decode(checksum) == row["sha256"] else "differs"
    if not read:
        return "unread"
    ends = [first["ContentLength"]]
    for number in range(2, count + 1):
        part = source.ask("head_object", **head, PartNumber=number)
        ends.append(ends[-1] + part["ContentLength"])
    whole, digests = hash_parts(row["size"], lambda *some: source.read_part(row, *some), ends)
    is_same = sha256(b"".join(digests)).digest() == base64.b64decode(checksum) and whole == row["sha256"]
    return "same" if is_same else "differs"
