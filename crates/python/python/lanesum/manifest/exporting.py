"""Exports a manifest in the formats of other tools."""

import builtins
import contextlib
import errno
import io
import json
import os
import pathlib
import stat
import uuid

from lanesum import sha256

from .errors import ManifestError, reason
from .replacing import replacing

FORMATS = ("gnu", "hashdeep", "bagit", "model-signing")


def export(manifest, format, to):
    if format not in FORMATS:
        raise ManifestError(f"unknown format {format}: use one of {', '.join(FORMATS)}")
    if not isinstance(to, str | bytes | os.PathLike) and not hasattr(to, "write"):
        raise TypeError(f"to: a path or a file in binary mode is required, not {type(to).__name__}")
    if not manifest.complete:
        raise ManifestError(
            f"{manifest.commit['failed']} objects have no digest; other formats cannot represent them"
        )
    if format == "bagit":
        return bag(manifest, pathlib.Path(to))
    write = {"gnu": gnu, "hashdeep": hashdeep, "model-signing": model_signing}[format]
    if isinstance(to, io.TextIOBase):
        raise TypeError("to: a file opened in binary mode is required, not a text file")
    if hasattr(to, "write"):
        write(manifest, to)
        return None
    publish(to, lambda file: write(manifest, file))
    return None


def publish(path, write):
    """Replaces the file at `path` once `write(file)` has written all of it. Its mode, owner and extended
    attributes are preserved. Devices, FIFOs and descriptors such as /dev/stdout are written to."""
    path = os.fspath(path)
    try:
        place, is_file = destination(path)
        if not is_file:
            with builtins.open(place, "ab") as file:
                return write(file)
        directory, name = os.path.split(place)
        temporary = os.path.join(directory, f".{name[:180]}.{uuid.uuid4().hex}.lanesum-tmp")
        with replacing(place, temporary) as file:
            if os.path.exists(place):
                preserve(place, file.fileno())
            write(file)
    except OSError as error:
        raise ManifestError(f"cannot write {path}: {reason(error)}") from error


def destination(path):
    """The path behind the symlinks at the end of `path`, and whether a regular file is or can be there."""
    for _ in range(40):
        directory = os.path.dirname(path)
        if not os.path.islink(path):
            return path, not os.path.lexists(path) or stat.S_ISREG(os.lstat(path).st_mode)
        if os.path.realpath(directory).startswith("/proc/"):
            return path, False
        path = os.path.join(directory, os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def preserve(path, descriptor):
    """Copies the metadata of the file at `path`, as far as the system allows."""
    was = os.stat(path)
    with contextlib.suppress(OSError):
        os.chown(descriptor, was.st_uid, was.st_gid)
    os.chmod(descriptor, stat.S_IMODE(was.st_mode))
    for name in os.listxattr(path) if hasattr(os, "listxattr") else ():
        with contextlib.suppress(OSError):
            os.setxattr(descriptor, name, os.getxattr(path, name))


def rows(manifest):
    for shard in manifest.rows(["key", "size", "sha256"]):
        columns = (shard[name].to_pylist() for name in ("key", "size", "sha256"))
        yield from zip(*columns, strict=True)


def gnu(manifest, file):
    """Writes lines of sha256sum, with names relative to the directory of the objects."""
    for key, _, digest in rows(manifest):
        escaped = key.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        mark = b"\\" if escaped != key else b""
        # Without a directory, `-` would be standard input.
        escaped = b"./-" if key == b"-" else escaped
        file.write(mark + digest.hex().encode() + b"  " + escaped + b"\n")


def hashdeep(manifest, file):
    file.write(b"%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n##\n")
    for key, size, digest in rows(manifest):
        if b"\n" in key or b"\r" in key:
            raise ManifestError(f"hashdeep cannot represent the key {key!r}, which has a newline")
        file.write(b"%d,%s,%s\n" % (size, digest.hex().encode(), key))


def text(key, format):
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise ManifestError(f"{format} cannot represent the key {key!r}, which is not UTF-8") from None


def model_signing(manifest, file):
    """Writes the statement that sigstore's model-signing signs: digests of files, and a digest over these."""
    # model-signing sorts paths by their components.
    named = sorted((text(key, "model-signing").split("/"), digest) for key, _, digest in rows(manifest))
    resources = [
        {"algorithm": "sha256", "digest": digest.hex(), "name": "/".join(parts)} for parts, digest in named
    ]
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {
                "name": manifest.url.rstrip("/").rpartition("/")[2],
                "digest": {"sha256": sha256(b"".join(digest for _, digest in named)).hexdigest()},
            }
        ],
        "predicateType": "https://model_signing/signature/v1.0",
        "predicate": {
            "serialization": {
                "method": "files",
                "hash_type": "sha256",
                "allow_symlinks": False,
                "ignore_paths": [],
            },
            "resources": resources,
        },
    }
    file.write(json.dumps(statement, indent=1, ensure_ascii=False).encode() + b"\n")


def bag(manifest, directory):
    """Writes the tag files of a bag (RFC 8493) whose payload, `data`, contains the manifest's objects."""
    if manifest.url != str((directory / "data").absolute()) and not (directory / "data").exists():
        raise ManifestError(f"{directory} is not a bag: the objects must be in {directory / 'data'}")
    payload = bytearray()
    for key, _, digest in rows(manifest):
        name = text(key, "BagIt").replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")
        payload += f"{digest.hex()}  data/{name}\n".encode()
    files = {
        "bagit.txt": b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n",
        "bag-info.txt": f"Payload-Oxum: {manifest.bytes}.{len(manifest)}\n".encode(),
        "manifest-sha256.txt": bytes(payload),
    }
    tags = "".join(f"{sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    for name, data in {**files, "tagmanifest-sha256.txt": tags.encode()}.items():
        publish(directory / name, lambda file, data=data: file.write(data))
