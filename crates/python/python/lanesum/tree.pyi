from collections.abc import Iterable

from typing_extensions import Buffer

__all__ = ["dm_verity", "fs_verity", "rfc6962", "s3", "torrent1", "torrent2"]

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
