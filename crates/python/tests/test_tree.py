"""Merkle trees, beside plain recursions and the tools whose trees they are."""

import hashlib
import shutil
import subprocess

import pytest

from lanesum import tree

LENGTHS = [1, 100, 4095, 4096, 4097, 128 * 4096, 128 * 4096 + 1, 300_000]


def data(length):
    return bytes(i % 251 ^ i // 251 % 256 for i in range(length))


def sha256(message):
    return hashlib.sha256(message).digest()


@pytest.mark.parametrize("length", LENGTHS)
def test_fs_verity_is_that_of_the_tool(length, tmp_path):
    assert shutil.which("fsverity"), "fsverity is not there: `make tools`"
    path = tmp_path / "f"
    path.write_bytes(data(length))
    for algorithm, salt in [("sha256", b""), ("sha512", b"salt")]:
        command = ["fsverity", "digest", f"--hash-alg={algorithm}", path]
        if salt:
            command.insert(2, f"--salt={salt.hex()}")
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        digest = tree.fs_verity(data(length), algorithm, salt=salt).hex()
        assert line.split()[0] == f"{algorithm}:{digest}"


def test_lists_of_pieces():
    for length in [0, *LENGTHS]:
        message = data(length)
        for size in [1000, 16384]:
            pieces = [message[i : i + size] for i in range(0, length, size)]
            digests = b"".join(hashlib.sha1(piece).digest() for piece in pieces)
            assert tree.torrent1(message, size) == digests
            parts = b"".join(map(sha256, pieces or [b""]))
            assert tree.s3(message, size) == sha256(parts)


def test_torrent2_pads_to_a_power_of_two():
    for length in LENGTHS:
        message = data(length)
        level = [sha256(message[i : i + 16384]) for i in range(0, length, 16384)]
        while len(level) & (len(level) - 1):
            level.append(bytes(32))
        while len(level) > 1:
            level = [sha256(a + b) for a, b in zip(level[::2], level[1::2], strict=True)]
        assert tree.torrent2(message) == level[0]


def test_rfc6962():
    def root(entries):
        if len(entries) == 1:
            return sha256(b"\0" + entries[0])
        split = 1 << (len(entries) - 1).bit_length() - 1
        return sha256(b"\1" + root(entries[:split]) + root(entries[split:]))

    assert tree.rfc6962([]) == sha256(b"")
    for count in range(1, 40):
        entries = [data(i) for i in range(count)]
        assert tree.rfc6962(entries) == root(entries)
        assert tree.rfc6962(iter(entries)) == root(entries)


def test_what_there_is_not_is_refused():
    for call in [
        lambda: tree.fs_verity(b"", "sha1"),
        lambda: tree.fs_verity(b"", block_size=3000),
        lambda: tree.fs_verity(b"", salt=bytes(33)),
        lambda: tree.dm_verity(b"abc"),
        lambda: tree.dm_verity(b""),
        lambda: tree.torrent1(b"abc", 0),
        lambda: tree.s3(b"abc", 0),
    ]:
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        tree.torrent2("abc")
    with pytest.raises(TypeError):
        tree.rfc6962(["abc"])
