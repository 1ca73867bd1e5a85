from collections.abc import Iterable
from typing import final

from typing_extensions import Buffer

__all__ = [
    "Builder",
    "Log",
    "dm_verity",
    "fs_verity",
    "rfc6962",
    "s3",
    "torrent1",
    "torrent2",
    "verify_consistency",
    "verify_inclusion",
]

@final
class Builder:
    """Computes the root of a tree over a file incrementally."""

    @staticmethod
    def fs_verity(
        algorithm: str = "sha256", *, block_size: int = 4096, salt: Buffer = b""
    ) -> Builder:
        """Builds the digest that `fsverity digest` prints."""
    @staticmethod
    def dm_verity(
        algorithm: str = "sha256",
        *,
        data_block_size: int = 4096,
        hash_block_size: int = 4096,
        salt: Buffer = b"",
    ) -> Builder:
        """Builds the root that `veritysetup format` prints."""
    @staticmethod
    def torrent2() -> Builder:
        """Builds the root of a file in BitTorrent version 2."""
    @staticmethod
    def s3(part_size: int) -> Builder:
        """Builds the SHA-256 of a multipart upload to Amazon S3, with parts of part_size bytes."""
    def update(self, data: Buffer, /) -> None:
        """Appends the buffer data to the file."""
    def finish(self) -> bytes:
        """Returns the root over the whole file, as bytes, and ends the builder."""

@final
class Log:
    """An RFC 6962 log (Certificate Transparency), which grows and proves its entries."""

    def __new__(cls, algorithm: str = "sha256") -> Log: ...
    def append(self, entry: Buffer, /) -> None:
        """Appends the buffer entry."""
    def extend(self, entries: Iterable[Buffer], /) -> None:
        """Appends the buffers of the iterable entries, or none of them if one is not a buffer."""
    def __len__(self) -> int: ...
    def root(self, size: int | None = None) -> bytes:
        """Returns the root over all entries, or over the first size entries."""
    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """Returns the proof that entry index, counted from 0, is in the log, or among its first
        size entries: a list of digests, its audit path."""
    def consistency(self, old_size: int, size: int | None = None) -> list[bytes]:
        """Returns the proof that the log of the first old_size entries is a prefix of this log, or
        of its first size entries: a list of digests."""

def fs_verity(
    data: Buffer, algorithm: str = "sha256", *, block_size: int = 4096, salt: Buffer = b""
) -> bytes: ...
def dm_verity(
    data: Buffer,
    algorithm: str = "sha256",
    *,
    data_block_size: int = 4096,
    hash_block_size: int = 4096,
    salt: Buffer = b"",
) -> bytes: ...
def torrent1(data: Buffer, piece_length: int) -> bytes: ...
def torrent2(data: Buffer) -> bytes: ...
def s3(data: Buffer, part_size: int) -> bytes: ...
def rfc6962(entries: Iterable[Buffer], algorithm: str = "sha256") -> bytes: ...
def verify_inclusion(
    entry: Buffer,
    index: int,
    size: int,
    proof: Iterable[Buffer],
    root: Buffer,
    algorithm: str = "sha256",
) -> None: ...
def verify_consistency(
    old_size: int,
    size: int,
    old_root: Buffer,
    root: Buffer,
    proof: Iterable[Buffer],
    algorithm: str = "sha256",
) -> None: ...
