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
    """Computes the root of a tree over a file that is read in pieces."""

    @staticmethod
    def fs_verity(
        algorithm: str = "sha256", *, block_size: int = 4096, salt: Buffer = b""
    ) -> Builder: ...
    @staticmethod
    def dm_verity(
        algorithm: str = "sha256",
        *,
        data_block_size: int = 4096,
        hash_block_size: int = 4096,
        salt: Buffer = b"",
    ) -> Builder: ...
    @staticmethod
    def torrent2() -> Builder: ...
    @staticmethod
    def s3(part_size: int) -> Builder: ...
    def update(self, data: Buffer, /) -> None: ...
    def finish(self) -> bytes: ...

@final
class Log:
    """An RFC 6962 log, which grows and proves its entries."""

    def __new__(cls, algorithm: str = "sha256") -> Log: ...
    def append(self, entry: Buffer, /) -> None: ...
    def extend(self, entries: Iterable[Buffer], /) -> None: ...
    def __len__(self) -> int: ...
    def root(self, size: int | None = None) -> bytes: ...
    def inclusion(self, index: int) -> list[bytes]: ...
    def consistency(self, size: int) -> list[bytes]: ...

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
