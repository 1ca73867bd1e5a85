from collections.abc import Callable, Iterable, Sequence
from os import PathLike
import os
from typing import Any, BinaryIO, Literal, final, overload

from typing_extensions import Buffer

from . import hmac as hmac
from . import tree as tree
from .hmac import compare_digest as compare_digest

__all__ = [
    "HASH",
    "SHA1DC",
    "Column",
    "File",
    "Files",
    "Finding",
    "algorithms_available",
    "audit",
    "check",
    "compare_digest",
    "diff",
    "digest_many",
    "digest_rows",
    "file_digest",
    "hkdf",
    "hkdf_expand",
    "hkdf_extract",
    "hmac",
    "hmac_many",
    "md5",
    "new",
    "pbkdf2_hmac",
    "pbkdf2_many",
    "ripemd160",
    "sha1",
    "sha1dc",
    "sha1dc_many",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sm3",
    "sum",
]

__version__: str
algorithms_available: frozenset[str]

@final
class HASH:
    """A hash of a message whose bytes come in any pieces, as hashlib has it."""

    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, obj: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> HASH: ...

@final
class SHA1DC:
    """A SHA-1 hash of a message whose blocks are looked at."""

    @property
    def name(self) -> str: ...
    @property
    def is_collision(self) -> bool: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, obj: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> SHA1DC: ...

@final
class Finding:
    """What has become of a file."""

    @property
    def class_(
        self,
    ) -> Literal[
        "same", "new", "changed", "moved", "missing", "unreadable", "rotted", "incomparable"
    ]: ...
    @property
    def path(self) -> str: ...
    @property
    def moved_from(self) -> str | None: ...
    @property
    def before(self) -> dict[str, bytes] | None: ...
    @property
    def now(self) -> dict[str, bytes] | None: ...
    @property
    def reason(self) -> str | None: ...

def audit(
    manifest: str | os.PathLike[str],
    tree: str | os.PathLike[str] | None = None,
    algorithm: str | None = None,
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: Iterable[str] = (),
    all: bool = False,
) -> list[Finding]: ...
def diff(
    before: str | os.PathLike[str],
    now: str | os.PathLike[str],
    algorithm: str | None = None,
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: Iterable[str] = (),
    all: bool = False,
) -> list[Finding]: ...
@final
class Column:
    """A column of digests, for whatever takes Arrow's PyCapsule interface."""

    def __len__(self) -> int: ...
    @property
    def null_count(self) -> int: ...
    @property
    def is_chunked(self) -> bool: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Encoding = Literal["bytes", "hex"]

def new(name: str, data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha1(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha1dc(data: Buffer = b"", *, safe: bool = False, reduced: bool = False) -> SHA1DC: ...
def sha224(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha256(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha384(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha512(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha512_224(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sha512_256(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def md5(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def ripemd160(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def sm3(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH: ...
def file_digest(
    fileobj: BinaryIO | Any, digest: str | Callable[[], Any], /, *, _bufsize: int = 262144
) -> Any: ...
def pbkdf2_hmac(
    hash_name: str, password: Buffer, salt: Buffer, iterations: int, dklen: int | None = None
) -> bytes: ...
def pbkdf2_many(
    hash_name: str,
    passwords: Iterable[Buffer | str],
    salts: Iterable[Buffer | str],
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int | None = None,
) -> list[bytes]: ...
def hkdf(
    hash_name: str, secret: Buffer, length: int, *, salt: Buffer = b"", info: Buffer = b""
) -> bytes: ...
def hkdf_extract(hash_name: str, salt: Buffer, secret: Buffer) -> bytes: ...
def hkdf_expand(hash_name: str, key: Buffer, length: int, *, info: Buffer = b"") -> bytes: ...
@overload
def digest_many(
    algorithm: str,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> list[bytes]: ...
@overload
def digest_many(
    algorithm: str,
    data: Any,
    *,
    offsets: Buffer | None = None,
    out: Any = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> Any: ...
@overload
def hmac_many(
    key: Buffer,
    data: Iterable[Buffer | str],
    digestmod: str | Callable[[], Any],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> list[bytes]: ...
@overload
def hmac_many(
    key: Buffer,
    data: Any,
    digestmod: str | Callable[[], Any],
    *,
    offsets: Buffer | None = None,
    out: Any = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> Any: ...
@overload
def sha1dc_many(
    data: Iterable[Buffer | str],
    *,
    safe: bool = False,
    reduced: bool = False,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> tuple[list[bytes], list[int]]: ...
@overload
def sha1dc_many(
    data: Iterable[Buffer | str],
    *,
    safe: bool = False,
    reduced: bool = False,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> tuple[list[str], list[int]]: ...
def digest_rows(
    algorithm: str,
    columns: Any,
    *,
    key: Buffer | None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> Column: ...

_Path = str | bytes | PathLike[str] | PathLike[bytes]

@final
class File:
    """What became of a file: its digest, or why there is none."""

    @property
    def path(self) -> str | None: ...
    @property
    def algorithm(self) -> str | None: ...
    @property
    def digest(self) -> bytes | None: ...
    @property
    def hexdigest(self) -> str | None: ...
    @property
    def expected(self) -> bytes | None: ...
    @property
    def error(self) -> OSError | ValueError | None: ...
    @property
    def ok(self) -> bool: ...

@final
class Files:
    """An iterator over files with their digests, in a stable order."""

    def __iter__(self) -> Files: ...
    def __next__(self) -> File: ...

def sum(
    path: _Path | Iterable[_Path],
    algorithm: str = "sha256",
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: Sequence[str] = (),
    progress: Callable[[int, int], object] | None = None,
) -> Files: ...
def check(
    manifest: _Path,
    algorithm: str | None = None,
    *,
    root: str | PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Files: ...
