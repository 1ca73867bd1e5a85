"""One message: what hashlib has, held against hashlib."""

import array
import functools
import hashlib
import hmac
import io
import os
import pickle
import socket
import subprocess
import sys
import threading

import hypothesis
import pytest
from conftest import refused
from hypothesis import strategies as st

import lanesum

# RIPEMD-160 and SM3 only where OpenSSL has them.
BOTH = sorted(lanesum.algorithms_native & hashlib.algorithms_available)


def pair(name, *args, **kwargs):
    """A hash of each library."""
    return lanesum.new(name, *args, **kwargs), hashlib.new(name, *args, **kwargs)


def raised(call):
    """The type and text of the exception that a call raises."""
    with pytest.raises(Exception) as info:
        call()
    kind = type(info.value)
    return (ValueError if issubclass(kind, ValueError) else kind), str(info.value)


def test_all_names_are_listed():
    assert set(lanesum.__all__) <= set(dir(lanesum))


def test_hashlib_has_nearly_all():
    assert {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"} <= set(BOTH)


@pytest.mark.parametrize("name", BOTH)
def test_attributes_are_those_of_hashlib(name):
    ours, theirs = pair(name)
    for attribute in "name", "digest_size", "block_size":
        assert getattr(ours, attribute) == getattr(theirs, attribute)
        with pytest.raises(AttributeError):
            setattr(ours, attribute, 1)
    assert lanesum.new(name.upper()).name == name
    assert name in repr(ours)


@pytest.mark.parametrize("name", BOTH)
def test_every_length_up_to_some_blocks(name):
    data = bytes(range(256)) * 2
    for length in range(300):
        ours, theirs = pair(name, data[:length])
        assert ours.digest() == theirs.digest()
        assert ours.hexdigest() == theirs.hexdigest()


@hypothesis.given(st.sampled_from(BOTH), st.lists(st.binary(max_size=5000), max_size=8))
def test_any_pieces(name, pieces):
    ours, theirs = pair(name)
    copies = []
    for piece in pieces:
        copies.append((ours.copy(), theirs.copy()))
        ours.update(piece)
        theirs.update(piece)
    for mine, other in [*copies, (ours, theirs)]:
        assert mine.digest() == other.digest()
        assert mine.hexdigest() == other.hexdigest()


BUFFERS = [
    bytearray(b"warp"),
    memoryview(b"warp and weft")[3:],
    memoryview(bytes(24)).cast("I", (2, 3)),
    array.array("d", [1, 2.5]),
    bytearray(5000),
    b"",
]


@pytest.mark.parametrize("buffer", BUFFERS, ids=repr)
def test_any_contiguous_buffer(buffer):
    ours, theirs = pair("sha256", buffer)
    assert ours.digest() == theirs.digest()
    ours.update(buffer)
    theirs.update(buffer)
    assert ours.digest() == theirs.digest()


def constructors(module):
    return {
        "str": lambda: module.sha256("warp"),
        "int": lambda: module.sha256(1),
        "none": lambda: module.sha256(None),
        "not contiguous": lambda: module.sha256(memoryview(b"warp and")[::2]),
        "unknown": lambda: module.new("spam"),
        "number for a name": lambda: module.new(1),
        "none for a name": lambda: module.new(None),
        "update str": lambda: module.sha256().update("warp"),
        "update none": lambda: module.sha256().update(None),
        "released": lambda: module.sha256(released()),
        "password str": lambda: module.pbkdf2_hmac("sha256", "p", b"s", 1),
        "salt str": lambda: module.pbkdf2_hmac("sha256", b"p", "s", 1),
        "no iterations": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", 0),
        "fewer iterations": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", -1),
        "too many iterations": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", 1 << 40),
        "iterations beyond": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", 1 << 31),
        "no key": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", 1, 0),
        "less than a key": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", 1, -1),
        "too much key": lambda: module.pbkdf2_hmac("sha256", b"p", b"s", 1, 1 << 40),
        "file of text": lambda: module.file_digest(io.StringIO("warp"), "sha256"),
        "no file": lambda: module.file_digest(None, "sha256"),
        "file of an unknown hash": lambda: module.file_digest(io.BytesIO(), "spam"),
    }


def released():
    view = memoryview(b"warp")
    view.release()
    return view


@pytest.mark.parametrize("case", constructors(hashlib))
def test_errors_are_those_of_hashlib(case):
    ours, theirs = raised(constructors(lanesum)[case]), raised(constructors(hashlib)[case])
    if case == "file of text":
        ours, theirs = ours[0], theirs[0]
    assert ours == theirs


def test_other_misuse():
    digest = lanesum.sha256()
    for call in [
        lambda: type(digest)(),
        lambda: pickle.dumps(digest),
        lambda: digest.update(),
        lambda: digest.digest(1),
        lambda: lanesum.sha256(b"", 1),
        lambda: lanesum.sha256(bogus=1),
        lambda: lanesum.sha256(b"", string=b""),
        lambda: lanesum.pbkdf2_hmac(1, b"p", b"s", 1),
        lambda: lanesum.pbkdf2_hmac("sha256", b"p", b"s", 1.5),
    ]:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="unsupported hash type spam"):
        lanesum.pbkdf2_hmac("spam", b"p", b"s", 1)

    class Untrue:
        def __bool__(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        lanesum.sha256(usedforsecurity=Untrue())


def test_what_hashlib_computes():
    """SHA-3, BLAKE2 and scrypt are hashlib's own."""
    assert lanesum.algorithms_guaranteed == hashlib.algorithms_guaranteed
    assert lanesum.algorithms_available == hashlib.algorithms_available | lanesum.algorithms_native
    assert lanesum.algorithms_guaranteed <= lanesum.algorithms_available
    for name in hashlib.algorithms_guaranteed:
        theirs = hashlib.new(name, b"warp", usedforsecurity=False)
        for ours in lanesum.new(name, b"warp", usedforsecurity=False), getattr(lanesum, name)(b"warp"):
            length = (7,) if name.startswith("shake") else ()
            assert ours.digest(*length) == theirs.digest(*length) and ours.name == name
    assert lanesum.new("blake2b", b"warp", digest_size=9, key=b"key").digest_size == 9
    with pytest.raises(TypeError, match="unexpected keyword argument 'key'"):
        lanesum.new("sha256", key=b"key")
    assert lanesum.scrypt is hashlib.scrypt and lanesum.blake2b is hashlib.blake2b
    key = b"password", b"salt", 2
    assert lanesum.pbkdf2_hmac("sha3_256", *key, 9) == hashlib.pbkdf2_hmac("sha3_256", *key, 9)
    with pytest.raises(AttributeError, match="'lanesum' has no attribute 'spam'"):
        lanesum.spam


def test_keywords():
    right = hashlib.sha256(b"warp").digest()
    assert lanesum.sha256(data=b"warp", usedforsecurity=False).digest() == right
    assert lanesum.sha256(string=b"warp").digest() == right
    assert lanesum.new("SHA-256", b"warp").digest() == right


@pytest.mark.parametrize("length", [0, 1, 64, 2**18, 2**18 + 1])
def test_file_digest(tmp_path, length):
    data = os.urandom(length)
    path = tmp_path / "file"
    path.write_bytes(data)
    right = hashlib.sha512(data).digest()
    for digest in "sha512", lanesum.sha512, lambda: lanesum.new("sha512"):
        with open(path, "rb") as file:
            assert lanesum.file_digest(file, digest).digest() == right
        with open(path, "rb", buffering=0) as file:
            assert lanesum.file_digest(file, digest).digest() == right
        assert lanesum.file_digest(io.BytesIO(data), digest).digest() == right
    with open(path, "wb") as file, pytest.raises(ValueError):
        lanesum.file_digest(file, "sha512")


def test_a_file_that_would_block():
    one, other = socket.socketpair()
    with one, other, socket.SocketIO(one, "rb") as file:
        one.setblocking(False)
        with pytest.raises(BlockingIOError):
            lanesum.file_digest(file, "sha256")


def test_threads_share_one():
    """Each update is one step: the pieces of all threads are whole in the message."""
    shared = lanesum.sha256()
    piece = b"w" * 4096

    def add():
        for _ in range(50):
            shared.update(piece)
            shared.digest()

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.digest() == hashlib.sha256(piece * 200).digest()


def test_other_threads_run_meanwhile():
    """The interpreter is released for a long message: another thread counts on."""
    data = bytes(256 << 20)
    done = threading.Event()
    counted = 0

    def count():
        nonlocal counted
        while not done.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    lanesum.sha256(data)
    done.set()
    thread.join()
    assert counted >= 10


@pytest.mark.parametrize("work", ["sha256(b'x' * 5000).digest()", "digest_many('sha256', data)"])
def test_a_forked_child(work):
    """A child of a fork, also of a process whose batches have had threads."""
    program = f"""
import hashlib, os, threading, lanesum
data = [b"%d" % i for i in range(100_000)]
right = lanesum.digest_many("sha256", data, threads=4)
stop = threading.Event()
def busy():
    while not stop.is_set():
        lanesum.digest_many("sha256", data, threads=2)
thread = threading.Thread(target=busy)
thread.start()
for _ in range(5):
    child = os.fork()
    if child == 0:
        lanesum.{work}
        good = lanesum.digest_many("sha256", data, threads=4) == right
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
stop.set()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=120)
    assert done.returncode == 0


def test_hkdf_is_rfc_5869():
    key = lanesum.hkdf(
        "sha256", b"\x0b" * 22, 42, salt=bytes(range(13)), info=bytes(range(0xF0, 0xFA))
    )
    assert key.hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
    extracted = lanesum.hkdf_extract("sha256", bytes(range(13)), b"\x0b" * 22)
    info = bytes(range(0xF0, 0xFA))
    assert lanesum.hkdf_expand("sha256", extracted, 42, info=info) == key
    hkdf, extract, expand = lanesum.hkdf, lanesum.hkdf_extract, lanesum.hkdf_expand
    for error, text, call in [
        (ValueError, "length: between 0 and 8160 bytes", lambda: hkdf("sha256", b"secret", 8161)),
        (ValueError, "length: .* not -1", lambda: hkdf("sha256", b"secret", -1)),
        (TypeError, "length: ", lambda: hkdf("sha256", b"secret", "1")),
        (TypeError, "secret: ", lambda: hkdf("sha256", "secret", 1)),
        (TypeError, "salt: ", lambda: hkdf("sha256", b"secret", 1, salt="salt")),
        (TypeError, "info: ", lambda: hkdf("sha256", b"secret", 1, info=None)),
        (TypeError, "salt: ", lambda: extract("sha256", "salt", b"secret")),
        (TypeError, "secret: ", lambda: extract("sha256", b"salt", 5)),
        (TypeError, "key: ", lambda: expand("sha256", extracted.hex(), 1)),
        (ValueError, "key: extracted key is 1 bytes; .* at least 32$", lambda: expand("sha256", b"k", 1)),
        (ValueError, "unsupported hash type spam", lambda: hkdf("spam", b"secret", 1)),
    ]:
        refused(error, text, call)


@hypothesis.given(
    st.sampled_from(BOTH), st.binary(), st.binary(), st.integers(1, 20), st.integers(1, 200)
)
def test_pbkdf2_is_that_of_hashlib(name, password, salt, iterations, length):
    ours = lanesum.pbkdf2_hmac(name, password, salt, iterations, length)
    assert ours == hashlib.pbkdf2_hmac(name, password, salt, iterations, length)
    if name != "sha512":
        assert lanesum.pbkdf2_hmac(name, password, salt, 1) == hashlib.pbkdf2_hmac(
            name, password, salt, 1
        )


USES = [
    "lanesum.sha512(b'')",
    "lanesum.new('sha512', b'')",
    "lanesum.digest_many('sha512', [b''])",
    "lanesum.hmac.new(b'k', b'', 'sha512')",
    "lanesum.pbkdf2_hmac('sha512', b'p', b's', 1)",
]


@pytest.mark.parametrize(
    "name, value, why",
    [
        ("LANESUM_KERNEL", "nonsense", "there is no kernel or tier"),
        ("LANESUM_KERNEL", "sha_ni_x1", ""),
        ("LANESUM_COSTS", "/missing", "cannot read the costs file '/missing'"),
        ("LANESUM_COSTS", __file__, "is not a costs file"),
    ],
)
def test_an_invalid_environment_is_an_error(name, value, why):
    """A variable is reported at the first use, by every call: importing the package does not fail."""
    program = f"""
import lanesum, lanesum.hmac
for use in {USES!r}:
    try:
        eval(use)
    except ValueError as error:
        print(error)
    else:
        print("no error:", use)
"""
    environment = {**os.environ, name: value}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and not done.stderr and len(lines) == len(USES), done
    assert all(line.startswith(f"{name}: ") and why in line for line in lines), done


@pytest.mark.parametrize(
    "constructor",
    [
        lanesum.sha1dc,
        functools.partial(lanesum.sha1dc, safe=True),
        functools.partial(lanesum.sha256, b"prefix"),
        lambda: hashlib.sha256(b"prefix"),
    ],
)
def test_the_settings_of_a_constructor_are_not_lost(constructor):
    """A batch has no such algorithm, and an HMAC calls the constructor."""
    for call in (
        lambda: lanesum.digest_many(constructor, ["a"]),
        lambda: lanesum.hmac_many(constructor, b"key", ["a"]),
        lambda: lanesum.sum("a", constructor),
    ):
        with pytest.raises(ValueError, match="unsupported hash type"):
            call()
    ours = lanesum.hmac.new(b"key", b"text", constructor)
    assert ours.digest() == hmac.new(b"key", b"text", constructor).digest()
