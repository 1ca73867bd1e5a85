from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import (
    blake2b as blake2b,
    blake2s as blake2s,
    scrypt as scrypt,
    sha3_224 as sha3_224,
    sha3_256 as sha3_256,
    sha3_384 as sha3_384,
    sha3_512 as sha3_512,
    shake_128 as shake_128,
    shake_256 as shake_256,
)
from os import PathLike
import os
from types import GenericAlias
from typing import Any, Generic, Literal, Protocol, Self, SupportsIndex, TypeVar, final, overload

import numpy
from numpy.typing import NDArray
from typing_extensions import Buffer, TypeVar as DefaultTypeVar

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
    "algorithms_guaranteed",
    "algorithms_native",
    "audit",
    "blake2b",
    "blake2s",
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
    "scrypt",
    "sha1",
    "sha1dc",
    "sha1dc_many",
    "sha224",
    "sha256",
    "sha384",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha512",
    "sha512_224",
    "sha512_256",
    "shake_128",
    "shake_256",
    "sm3",
]

__version__: str
algorithms_available: frozenset[str]
algorithms_guaranteed: frozenset[str]
algorithms_native: frozenset[str]

_Out = TypeVar("_Out")
_Hash_co = TypeVar("_Hash_co", bound="_Hash", covariant=True)

class _Hash(Protocol):
    """The common interface of this package's and hashlib's hash objects."""

    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, obj: Buffer, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Self: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Arrow = _ArrowArray | _ArrowStream

class _NumPyArray(Protocol):
    """A NumPy array, which is a Buffer only from Python 3.12 on."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class _PolarsSeries(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_physical(self) -> Any: ...

_Series = TypeVar("_Series", bound=_PolarsSeries)
_Series_co = TypeVar("_Series_co", bound=_PolarsSeries, covariant=True)

class _PolarsFrame(Protocol[_Series_co]):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_series(self, index: int = 0) -> _Series_co: ...

_Algorithm = str | Callable[[], _Hash]

@final
class HASH:
    """A hash of a message that may come in pieces, with the methods of hashlib's objects."""

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
    """A SHA-1 hash that detects collision attacks."""

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
    """The result of comparing a file with its record."""

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
    algorithm: _Algorithm | None = None,
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: str | Iterable[str] = (),
    all: bool = False,
) -> list[Finding]: ...
def diff(
    before: str | os.PathLike[str],
    now: str | os.PathLike[str],
    algorithm: _Algorithm | None = None,
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: str | Iterable[str] = (),
    all: bool = False,
) -> list[Finding]: ...
_Digest_co = DefaultTypeVar("_Digest_co", bound=bytes | str, covariant=True, default=bytes | str)

@final
class Column(Sequence[_Digest_co | None], Generic[_Digest_co]):
    """A column of digests: a sequence of bytes, or of str in hexadecimal, with None for null."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _Digest_co | None: ...
    @overload
    def __getitem__(self, key: slice, /) -> Column[_Digest_co]: ...
    def __iter__(self) -> Iterator[_Digest_co | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reversed__(self) -> Iterator[_Digest_co | None]: ...
    def index(self, value: object, start: int = 0, stop: int | None = None) -> int: ...
    def count(self, value: object) -> int: ...
    def to_pylist(self) -> list[_Digest_co | None]: ...
    @classmethod
    def __class_getitem__(cls, value: Any) -> GenericAlias: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
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

class _Reader(Protocol):
    def readable(self) -> bool: ...
    def readinto(self, buffer: bytearray, /) -> int | None: ...

class _InMemory(Protocol):
    def getbuffer(self) -> Buffer: ...

_File = _Reader | _InMemory

def new(
    name: str, data: Buffer = b"", *, usedforsecurity: bool = True, **options: Any
) -> _Hash: ...
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
@overload
def file_digest(fileobj: _File, digest: str, /, *, _bufsize: int = 262144) -> _Hash: ...
@overload
def file_digest(
    fileobj: _File, digest: Callable[[], _Hash_co], /, *, _bufsize: int = 262144
) -> _Hash_co: ...
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
_Offsets = Buffer | _NumPyArray

@overload
def digest_many(
    algorithm: _Algorithm,
    data: Any,
    *,
    offsets: _Offsets | None = None,
    out: _Out,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Out: ...
@overload
def digest_many(  # type: ignore[overload-overlap]
    algorithm: _Algorithm,
    data: _Series,
    *,
    offsets: None = None,
    out: None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Series: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: _Arrow,
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> Column[bytes]: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: _NumPyArray,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> NDArray[numpy.uint8]: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: _Arrow,
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> Column[str]: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: _NumPyArray,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> NDArray[numpy.bytes_]: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: Buffer,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> bytes: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> list[bytes]: ...
@overload
def digest_many(
    algorithm: _Algorithm,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> list[str]: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: Any,
    *,
    offsets: _Offsets | None = None,
    out: _Out,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Out: ...
@overload
def hmac_many(  # type: ignore[overload-overlap]
    algorithm: _Algorithm,
    key: Buffer,
    data: _Series,
    *,
    offsets: None = None,
    out: None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Series: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: _Arrow,
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> Column[bytes]: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: _NumPyArray,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> NDArray[numpy.uint8]: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: _Arrow,
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> Column[str]: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: _NumPyArray,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> NDArray[numpy.bytes_]: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: Buffer,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> bytes: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> list[bytes]: ...
@overload
def hmac_many(
    algorithm: _Algorithm,
    key: Buffer,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> list[str]: ...
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
@overload
def digest_rows(  # type: ignore[overload-overlap]
    algorithm: _Algorithm,
    columns: _PolarsFrame[_Series] | list[_Series] | tuple[_Series, ...],
    *,
    key: Buffer | None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Series: ...
@overload
def digest_rows(
    algorithm: _Algorithm,
    columns: _Arrow | Iterable[_Arrow],
    *,
    key: Buffer | None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> Column[bytes]: ...
@overload
def digest_rows(
    algorithm: _Algorithm,
    columns: _Arrow | Iterable[_Arrow],
    *,
    key: Buffer | None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> Column[str]: ...

_Path = str | bytes | PathLike[str] | PathLike[bytes]

@final
class File:
    """The result of hashing a file: a digest, or an error."""

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
    algorithm: _Algorithm = "sha256",
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: str | Iterable[str] = (),
    progress: Callable[[int, int], object] | None = None,
) -> Files: ...
def check(
    manifest: _Path,
    algorithm: _Algorithm | None = None,
    *,
    root: str | PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Files: ...
