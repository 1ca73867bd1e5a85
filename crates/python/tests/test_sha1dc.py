"""SHA-1 that notices collisions."""

import hashlib
import pathlib

import pytest

import lanesum

DATA = pathlib.Path(__file__).parents[2] / "engine/tests/all/data/sha1dc"
PAIRS = [("shattered-1", "shattered-2"), ("sha-mbles-1", "sha-mbles-2")]


def message(name):
    return (DATA / f"{name}.bin").read_bytes()


@pytest.mark.parametrize("pair", PAIRS)
def test_published_collisions_are_noticed(pair):
    digests = set()
    for name in pair:
        hasher = lanesum.sha1dc(message(name))
        assert hasher.is_collision
        assert hasher.digest() == hashlib.sha1(message(name)).digest()
        assert hasher.copy().is_collision
        safe = lanesum.sha1dc(message(name), safe=True)
        assert safe.is_collision
        digests.add(safe.hexdigest())
    assert len(digests) == 2


def test_fewer_rounds_are_noticed_where_that_is_asked_for():
    reduced = message("sha1_reducedsha_coll")
    assert not lanesum.sha1dc(reduced).is_collision
    assert lanesum.sha1dc(reduced, reduced=True).is_collision


def test_other_messages_are_those_of_sha1():
    for length in range(300):
        data = bytes(i % 251 for i in range(length))
        hasher = lanesum.sha1dc()
        for i in range(0, length, 7):
            hasher.update(data[i : i + 7])
        assert hasher.hexdigest() == hashlib.sha1(data).hexdigest()
        assert not hasher.is_collision
    assert (hasher.name, hasher.digest_size, hasher.block_size) == ("sha1", 20, 64)


@pytest.mark.parametrize("threads", [1, 3, None])
def test_many_at_once(threads):
    messages = [bytes(i % 251 for i in range(length)) for length in range(700)]
    flagged = {17: "shattered-1", 333: "sha-mbles-2", 698: "sha-mbles-1"}
    for number, name in flagged.items():
        messages[number] = message(name)
    messages[500] = message("sha1_reducedsha_coll")
    digests, collisions = lanesum.sha1dc_many(messages, threads=threads)
    assert collisions == list(flagged)
    assert digests == [hashlib.sha1(one).digest() for one in messages]
    digests, collisions = lanesum.sha1dc_many(iter(messages), reduced=True, encoding="hex", threads=threads)
    assert collisions == sorted([*flagged, 500])
    assert digests == [hashlib.sha1(one).hexdigest() for one in messages]
    digests, collisions = lanesum.sha1dc_many(messages, safe=True, threads=threads)
    assert collisions == list(flagged)
    for number, one in enumerate(messages):
        assert digests[number] == lanesum.sha1dc(one, safe=True).digest()
        assert (digests[number] == hashlib.sha1(one).digest()) == (number not in flagged)


def test_many_of_none_and_of_text():
    assert lanesum.sha1dc_many([]) == ([], [])
    assert lanesum.sha1dc_many(("größe",)) == ([hashlib.sha1("größe".encode()).digest()], [])
    for wrong, error in [(b"abc", TypeError), ("abc", TypeError), ([1], TypeError), (7, TypeError)]:
        with pytest.raises(error, match="data"):
            lanesum.sha1dc_many(wrong)
    with pytest.raises(ValueError, match="encoding"):
        lanesum.sha1dc_many([], encoding="base64")
    with pytest.raises(ValueError, match="threads"):
        lanesum.sha1dc_many([], threads=0)


def test_what_is_no_buffer_is_refused():
    with pytest.raises(TypeError):
        lanesum.sha1dc("abc")
    with pytest.raises(TypeError):
        lanesum.sha1dc(b"abc", usedforsecurity=False)
