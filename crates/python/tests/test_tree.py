"""Merkle trees, compared with plain recursions and with the tools that define them."""

import concurrent.futures
import hashlib
import itertools
import shutil
import subprocess
import sys

import pytest
from conftest import refused

from lanesum import tree

LENGTHS = [1, 100, 4095, 4096, 4097, 128 * 4096, 128 * 4096 + 1, 300_000]


def data(length):
    return bytes(i % 251 ^ i // 251 % 256 for i in range(length))


def sha256(message):
    return hashlib.sha256(message).digest()


@pytest.mark.parametrize("length", LENGTHS)
def test_fs_verity_is_that_of_the_tool(length, tmp_path):
    assert shutil.which("fsverity"), "fsverity is not there: `cargo xtask tools`"
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


def test_bytes_that_come_in_pieces():
    makers = [
        (tree.fs_verity, tree.Builder.fs_verity, {"algorithm": "sha512", "block_size": 1024, "salt": b"salt"}),
        (tree.dm_verity, tree.Builder.dm_verity, {"data_block_size": 1024, "hash_block_size": 512}),
        (tree.torrent2, tree.Builder.torrent2, {}),
        (tree.s3, tree.Builder.s3, {"part_size": 1000}),
    ]
    for length in [0, 1, 1024, 4096, 300 * 1024]:
        message = data(length)
        for whole, make, arguments in makers:
            for piece in [1000, 65536]:
                builder = make(**arguments)
                if whole is tree.dm_verity and length % 1024:
                    builder.update(message)
                    with pytest.raises(ValueError, match="it must be whole blocks"):
                        builder.finish()
                    builder.update(bytes(1024 - length))
                    assert len(builder.finish()) == 32
                    continue
                if whole is tree.dm_verity and not length:
                    with pytest.raises(ValueError, match="it must be whole blocks"):
                        builder.finish()
                    continue
                for start in range(0, length, piece):
                    builder.update(memoryview(message)[start : start + piece])
                assert builder.finish() == whole(message, **arguments)
                for call in [builder.finish, lambda builder=builder: builder.update(b"")]:
                    with pytest.raises(ValueError, match="the builder is finished"):
                        call()


def test_a_builder_shared_by_threads():
    builder = tree.Builder.torrent2()
    zeros = bytes(1 << 20)
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: builder.update(zeros), range(16)))
    assert builder.finish() == tree.torrent2(bytes(16 << 20))


def test_a_log_that_grows():
    for algorithm in ["sha256", "sha512"]:
        log = tree.Log(algorithm)
        entries = [data(i) for i in range(41)]
        roots = [log.root()]
        for entry in entries[:20]:
            log.append(entry)
            roots.append(log.root())
        log.extend(iter(entries[20:]))
        assert len(log) == 41 and "41" in repr(log)
        for size in range(42):
            root = tree.rfc6962(entries[:size], algorithm)
            assert log.root(size) == root and (size > 20 or roots[size] == root)
            proof = log.consistency(size)
            tree.verify_consistency(size, 41, root, log.root(), proof, algorithm)
            for old in range(0, size + 1, 3):
                proof = log.consistency(old, size)
                tree.verify_consistency(old, size, log.root(old), root, proof, algorithm)
            for index in range(0, size, 3):
                proof = log.inclusion(index, size)
                tree.verify_inclusion(entries[index], index, size, proof, root, algorithm)
        for index, entry in enumerate(entries):
            tree.verify_inclusion(entry, index, 41, iter(log.inclusion(index)), log.root(), algorithm)
    with pytest.raises(TypeError, match="entries: item 1: Strings must be encoded"):
        log.extend([b"warp", "weft"])
    with pytest.raises(TypeError):
        log.append("warp")
    assert len(log) == 41


def test_hostile_proofs_are_refused():
    log = tree.Log()
    log.extend([data(i) for i in range(13)])
    root, old = log.root(), log.root(6)
    inclusion, consistency = log.inclusion(5), log.consistency(6)
    endless = itertools.repeat(bytes(32))

    def wrong(text, index=5, size=13, proof=inclusion, root=root, entry=data(5)):
        with pytest.raises(ValueError, match=text):
            tree.verify_inclusion(entry, index, size, proof, root)

    tree.verify_inclusion(data(5), 5, 13, inclusion, root)
    for proof in [inclusion[:-1], [*inclusion, bytes(32)], [], endless]:
        wrong("wrong number of digests", proof=proof)
    wrong("another root", proof=inclusion[::-1])
    wrong("another root", proof=[bytes(32), *inclusion[1:]])
    wrong("another root", entry=b"")
    wrong("another root", index=4)
    wrong("another root", root=old)
    wrong("^index: 13 is out of range for a log of 13 entries", index=13)
    wrong("^index: 0 is out of range for a log of 0 entries", index=0, size=0)
    for size in 0, 20, 65:
        wrong(f"proof: a digest of {size} bytes is not one of sha256", proof=[bytes(size), *inclusion[1:]])
    # The hexadecimal digits of a root are no wrong root.
    for short in root[:-1], root.hex().encode(), b"":
        wrong(f"^root: a digest of {len(short)} bytes is not one of sha256", root=short)
    for number in [-1, 1 << 64]:
        wrong(f"^index: {number} is out of range", index=number)
        wrong(f"^size: {number} is out of range", size=number)
    for name, method, first in [
        ("index", log.inclusion, 13),
        ("old_size", log.consistency, 14),
        ("index", lambda index: log.inclusion(index, 6), 6),
        ("size", lambda size: log.inclusion(0, size), 14),
        ("old_size", lambda old: log.consistency(old, 6), 7),
        ("size", lambda size: log.consistency(1, size), 14),
        ("size", log.root, 14),
    ]:
        for number in [-1, first, 1 << 63, 1 << 64]:
            with pytest.raises(ValueError, match=f"^{name}: {number} is out of range"):
                method(number)
    for call in [
        lambda: tree.verify_inclusion("", 5, 13, inclusion, root),
        lambda: tree.verify_inclusion(b"", 5.0, 13, inclusion, root),
        lambda: tree.verify_inclusion(b"", 5, 13, ["00" * 32], root),
        lambda: tree.verify_inclusion(b"", 5, 13, 7, root),
    ]:
        with pytest.raises(TypeError):
            call()

    tree.verify_consistency(6, 13, old, root, consistency)
    for numbers, roots, proof, text in [
        ((6, 13), (old, root), consistency[:-1], "wrong number of digests"),
        ((6, 13), (old, root), [*consistency, bytes(32)], "wrong number of digests"),
        ((6, 13), (old, root), endless, "wrong number of digests"),
        ((6, 13), (old, root), consistency[::-1], "another root"),
        ((6, 13), (root, old), consistency, "another root"),
        ((13, 6), (old, root), consistency, "^old_size: 13 is out of range for a log of 6 entries"),
        ((0, 13), (old, root), [], "another root"),
        ((-1, 13), (old, root), [], "^old_size: -1 is out of range"),
        ((6, 13), (old[:-1], root), consistency, "^old_root: a digest of 31 bytes"),
        ((6, 13), (old, root.hex().encode()), consistency, "^root: a digest of 64 bytes"),
    ]:
        with pytest.raises(ValueError, match=text):
            tree.verify_consistency(*numbers, *roots, proof)


@pytest.mark.parametrize(
    "name, call",
    [
        ("block_size", lambda size: tree.fs_verity(b"", block_size=size)),
        ("data_block_size", lambda size: tree.dm_verity(b"", data_block_size=size)),
        ("hash_block_size", lambda size: tree.dm_verity(b"", hash_block_size=size)),
        ("piece_length", lambda size: tree.torrent1(b"", size)),
        ("part_size", lambda size: tree.s3(b"", size)),
        ("block_size", lambda size: tree.Builder.fs_verity(block_size=size)),
        ("data_block_size", lambda size: tree.Builder.dm_verity(data_block_size=size)),
        ("hash_block_size", lambda size: tree.Builder.dm_verity(hash_block_size=size)),
        ("part_size", tree.Builder.s3),
    ],
)
def test_sizes_are_named(name, call):
    for size in [-1, 1 << 64]:
        refused(ValueError, f"^{name}: {size} is out of range", lambda size=size: call(size))
    for size in [b"", None, 1.5]:
        refused(TypeError, f"^{name}: .*'{type(size).__name__}'", lambda size=size: call(size))
    if name in ("piece_length", "part_size"):
        refused(ValueError, f"^{name}: at least 1 is required, not 0", lambda: call(0))


def test_what_there_is_not_is_refused():
    for call in [
        lambda: tree.fs_verity(b"", "sha1"),
        lambda: tree.fs_verity(b"", block_size=3000),
        lambda: tree.fs_verity(b"", salt=bytes(33)),
        lambda: tree.dm_verity(b"abc"),
        lambda: tree.dm_verity(b""),
        lambda: tree.torrent1(b"abc", 0),
        lambda: tree.s3(b"abc", 0),
        lambda: tree.Builder.s3(0),
        lambda: tree.Builder.fs_verity("md5"),
        lambda: tree.Log("sha257"),
    ]:
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        tree.torrent2("abc")
    with pytest.raises(TypeError):
        tree.rfc6962(["abc"])


# A piece length far too small: the digests have twenty times the length of the data.
SHORT_OF_MEMORY = """
import resource
import lanesum

data = bytes(20 << 20)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (100 << 20), -1))
try:
    lanesum.tree.torrent1(data, 1)
except MemoryError as error:
    print(error)
"""


def test_pieces_short_of_memory():
    command = [sys.executable, "-c", SHORT_OF_MEMORY]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "not enough memory for the digests\n"), done.stderr
