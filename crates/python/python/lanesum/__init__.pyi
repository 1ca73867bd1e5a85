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
    "chain",
    "chain_many",
    "check",
    "compare_digest",
    "diff",
    "digest_many",
    "digest_rows",
    "double_hash_many",
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

# Not None: an explicit out=None selects the overloads that return digests.
_Out = TypeVar("_Out", bound=Buffer | _NumPyArray)
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

class _PandasSeries(Protocol):
    """A Series of pandas, whose stubs lack Arrow's interface."""

    @property
    def hasnans(self) -> bool: ...
    @property
    def iloc(self) -> Any: ...

_Arrow = _ArrowArray | _ArrowStream | _PandasSeries

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
    """An incremental hash of a message."""

    @property
    def name(self) -> str:
        """The name of the algorithm, in lower case."""
    @property
    def digest_size(self) -> int:
        """The length of the digest, in bytes."""
    @property
    def block_size(self) -> int:
        """The length of a block, in bytes."""
    def update(self, obj: Buffer, /) -> None:
        """Appends the buffer obj to the message."""
    def digest(self) -> bytes:
        """Returns the digest of the message so far, as bytes."""
    def hexdigest(self) -> str:
        """Returns the digest of the message so far, as lower-case hexadecimal."""
    def copy(self) -> HASH:
        """Returns an independent copy with the same message so far."""

@final
class SHA1DC:
    """A SHA-1 hash that detects collision attacks."""

    @property
    def name(self) -> str:
        """The name of the algorithm, in lower case."""
    @property
    def is_collision(self) -> bool:
        """Whether a block of the message so far is part of a collision attack: another message can
        then have the same digest."""
    @property
    def digest_size(self) -> int:
        """The length of the digest, in bytes."""
    @property
    def block_size(self) -> int:
        """The length of a block, in bytes."""
    def update(self, obj: Buffer, /) -> None:
        """Appends the buffer obj to the message."""
    def digest(self) -> bytes:
        """Returns the digest of the message so far, as bytes."""
    def hexdigest(self) -> str:
        """Returns the digest of the message so far, as lower-case hexadecimal."""
    def copy(self) -> SHA1DC:
        """Returns an independent copy with the same message so far."""

@final
class Finding:
    """The result of comparing a file with its record."""

    @property
    def class_(
        self,
    ) -> Literal[
        "same", "new", "changed", "moved", "missing", "unreadable", "rotted", "incomparable"
    ]:
        """The class as a word: same, new, changed, moved, missing, unreadable, rotted,
        incomparable."""
    @property
    def path(self) -> str:
        """The path."""
    @property
    def moved_from(self) -> str | None:
        """The previous path, if the file moved; or None."""
    @property
    def before(self) -> dict[str, bytes] | None:
        """The recorded digests, by the names of their algorithms; None for a new file."""
    @property
    def now(self) -> dict[str, bytes] | None:
        """The current digests; None for a file that is missing or cannot be read."""
    @property
    def reason(self) -> str | None:
        """Why the file cannot be read; or None."""

def audit(
    manifest: _Path,
    tree: _Path | None = None,
    algorithm: _Algorithm | None = None,
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: str | Iterable[str] = (),
    all: bool = False,
) -> list[Finding]:
    """Compares the files of a directory with a manifest. Returns a list of Finding, without
    unchanged files unless all is true."""
def diff(
    before: _Path,
    now: _Path,
    algorithm: _Algorithm | None = None,
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: str | Iterable[str] = (),
    all: bool = False,
) -> list[Finding]:
    """Compares two directories or manifests. Returns a list of Finding, without unchanged files
    unless all is true."""
_Digest_co = DefaultTypeVar("_Digest_co", bound=bytes | str, covariant=True, default=bytes | str)

@final
class Column(Sequence[_Digest_co | None], Generic[_Digest_co]):
    """A column of digests: a sequence of `bytes` or hexadecimal `str`, with None for null."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _Digest_co | None: ...
    @overload
    def __getitem__(self, key: slice, /) -> Column[_Digest_co]: ...
    def __iter__(self) -> Iterator[_Digest_co | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reversed__(self) -> Iterator[_Digest_co | None]: ...
    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Returns the index of the first occurrence of `value` from row `start` up to row `stop`,
        which may be negative as in a slice."""
    def count(self, value: object) -> int:
        """Returns the number of occurrences of `value`."""
    def to_pylist(self) -> list[_Digest_co | None]:
        """Returns the digests as a list of `bytes` or hexadecimal `str`, with None for null."""
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    @property
    def null_count(self) -> int:
        """The number of null digests."""
    @property
    def is_chunked(self) -> bool:
        """Whether the data was a stream of chunks. pyarrow.chunked_array(column) makes no copy;
        pyarrow.array(column) concatenates several chunks."""
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

# For algorithms of hashlib only, it returns hashlib's objects.
def new(
    name: str, data: Buffer = b"", *, usedforsecurity: bool = True, **options: Any
) -> HASH:
    """Returns a hash of the algorithm called name, which may be in upper or lower case."""
def sha1(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-1 hash object."""
def sha1dc(data: Buffer = b"", *, safe: bool = False, reduced: bool = False) -> SHA1DC:
    """Returns a SHA-1 hash object that detects blocks of collision attacks, as git does: see
    is_collision."""
def sha224(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-224 hash object."""
def sha256(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-256 hash object."""
def sha384(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-384 hash object."""
def sha512(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-512 hash object."""
def sha512_224(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-512/224 hash object."""
def sha512_256(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SHA-512/256 hash object."""
def md5(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a MD5 hash object."""
def ripemd160(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a RIPEMD-160 hash object."""
def sm3(data: Buffer = b"", *, usedforsecurity: bool = True) -> HASH:
    """Returns a SM3 hash object."""
@overload
def file_digest(fileobj: _File, digest: str, /, *, _bufsize: int = 262144) -> HASH: ...
@overload
def file_digest(
    fileobj: _File, digest: Callable[[], _Hash_co], /, *, _bufsize: int = 262144
) -> _Hash_co: ...
def pbkdf2_hmac(
    hash_name: str, password: Buffer, salt: Buffer, iterations: int, dklen: int | None = None
) -> bytes:
    """Derives a key from a password with PBKDF2 and HMAC, which RFC 8018 defines."""
def pbkdf2_many(
    hash_name: str,
    passwords: Iterable[Buffer | str],
    salts: Iterable[Buffer | str],
    iterations: int,
    dklen: int | None = None,
    *,
    threads: int | None = None,
) -> list[bytes]:
    """Derives keys from many passwords with PBKDF2, which RFC 8018 defines."""
def hkdf(
    hash_name: str, secret: Buffer, length: int, *, salt: Buffer = b"", info: Buffer = b""
) -> bytes:
    """Derives a key from a secret with HKDF, which RFC 5869 defines."""
def hkdf_extract(hash_name: str, salt: Buffer, secret: Buffer) -> bytes:
    """Runs the first step of HKDF only: returns the HMAC of the secret under the salt."""
def hkdf_expand(hash_name: str, key: Buffer, length: int, *, info: Buffer = b"") -> bytes:
    """Runs the second step of HKDF only: expands the key that the first one extracted."""
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
) -> _Out:
    """Computes the digests of many messages in one call, in parallel SIMD lanes."""
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
def double_hash_many(
    algorithm: _Algorithm,
    data: Any,
    *,
    offsets: _Offsets | None = None,
    out: _Out,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Out:
    """Hashes many messages, and each digest once more: double SHA-256 (SHA256d), as in Bitcoin."""
@overload
def double_hash_many(  # type: ignore[overload-overlap]
    algorithm: _Algorithm,
    data: _Series,
    *,
    offsets: None = None,
    out: None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> _Series: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: _Arrow,
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> Column[bytes]: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: _NumPyArray,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> NDArray[numpy.uint8]: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: _Arrow,
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> Column[str]: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: _NumPyArray,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> NDArray[numpy.bytes_]: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: Buffer,
    *,
    offsets: _Offsets | None = None,
    out: None = None,
    encoding: _Encoding = "bytes",
    threads: int | None = None,
) -> bytes: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["bytes"] = "bytes",
    threads: int | None = None,
) -> list[bytes]: ...
@overload
def double_hash_many(
    algorithm: _Algorithm,
    data: Iterable[Buffer | str],
    *,
    offsets: None = None,
    out: None = None,
    encoding: Literal["hex"],
    threads: int | None = None,
) -> list[str]: ...
def chain(algorithm: _Algorithm, start: Buffer, count: SupportsIndex) -> bytes:
    """Computes a hash chain: hashes start, a digest, count times, each time the digest before."""
def chain_many(
    algorithm: _Algorithm,
    starts: Iterable[Buffer],
    counts: Iterable[SupportsIndex],
    *,
    threads: int | None = None,
) -> list[bytes]:
    """Computes many hash chains in parallel SIMD lanes."""
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
) -> _Out:
    """Computes the HMACs of many messages under one key."""
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
) -> tuple[list[bytes], list[int]]:
    """Computes the SHA-1 digests of many messages, and detects collision attacks as sha1dc does."""
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
) -> _Series:
    """Computes one digest for each row of several columns of bytes or text."""
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
_Name_co = DefaultTypeVar("_Name_co", bound=str | None, covariant=True, default=str | None)

@final
class File(Generic[_Name_co]):
    """The result of hashing a file: a digest, or an error."""

    @property
    def path(self) -> _Name_co:
        """The path, which begins with an argument of the call; None for a malformed line of a
        manifest. Bytes that are not UTF-8 are decoded as by os.fsdecode, and os.fsencode restores
        them."""
    @property
    def algorithm(self) -> _Name_co:
        """The name of the algorithm."""
    @property
    def digest(self) -> bytes | None:
        """The digest as bytes; None if there is an error."""
    @property
    def hexdigest(self) -> str | None:
        """The digest as lower-case hexadecimal; None if there is an error. Unlike in hash objects,
        it is a property."""
    @property
    def expected(self) -> bytes | None:
        """The digest in the manifest, as bytes; None without a manifest."""
    @property
    def error(self) -> OSError | ValueError | None:
        """Why there is no digest, an OSError or a ValueError; or None."""
    @property
    def ok(self) -> bool:
        """Whether the file has the expected digest; without a manifest, whether it was read."""
    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class Files(Generic[_Name_co]):
    """An iterator over files with their digests, in a stable order. The files are read by threads
    in the background, which stop when it is dropped."""

    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def __iter__(self) -> Files[_Name_co]: ...
    def __next__(self) -> File[_Name_co]: ...

def sum(
    path: _Path | Iterable[_Path],
    algorithm: _Algorithm = "sha256",
    *,
    jobs: int | None = None,
    follow: bool = False,
    globs: str | Iterable[str] = (),
    progress: Callable[[int, int], object] | None = None,
) -> Files[str]:
    """Hashes files, and all files below directories, as fast as the command. Returns an iterator of
    File, in the order of the paths, by name within each directory."""
def check(
    manifest: _Path,
    algorithm: _Algorithm | None = None,
    *,
    root: _Path | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Files:
    """Hashes the files of a manifest. Returns an iterator of File, in the manifest's order; ok is
    whether a file has the expected digest."""
