"""HMAC of one message, held against the module hmac."""

import hashlib
import hmac

import hypothesis
import pytest
from hypothesis import strategies as st

import lanesum

BOTH = sorted(lanesum.algorithms_native & hashlib.algorithms_available)


@hypothesis.given(st.sampled_from(BOTH), st.binary(max_size=300), st.lists(st.binary(max_size=3000)))
def test_any_pieces(name, key, pieces):
    ours, theirs = lanesum.hmac.new(key, digestmod=name), hmac.new(key, digestmod=name)
    for piece in pieces:
        ours.update(piece)
        theirs.update(piece)
        assert ours.copy().digest() == theirs.digest()
    assert ours.hexdigest() == theirs.hexdigest()
    assert lanesum.hmac.digest(key, b"".join(pieces), name) == ours.digest()
    for attribute in "name", "digest_size", "block_size":
        assert getattr(ours, attribute) == getattr(theirs, attribute)


def test_what_a_digestmod_may_be():
    right = hmac.digest(b"key", b"warp", "sha256")
    for digestmod in "sha256", "SHA256", lanesum.sha256, hashlib.sha256:
        assert lanesum.hmac.new(b"key", b"warp", digestmod).digest() == right
        assert lanesum.hmac.HMAC(b"key", b"warp", digestmod=digestmod).digest() == right
        assert lanesum.hmac.digest(b"key", b"warp", digestmod) == right


class Nameless:
    """A hash of another library, without a name and a size."""

    digest_size = 32
    block_size = 64

    def __init__(self, data=b""):
        self._hash = hashlib.sha256(data)

    def update(self, data):
        self._hash.update(data)

    def digest(self):
        return self._hash.digest()

    def hexdigest(self):
        return self._hash.hexdigest()

    def copy(self):
        copy = Nameless()
        copy._hash = self._hash.copy()
        return copy


@pytest.mark.parametrize("digestmod", ["sha3_256", "blake2b", hashlib.sha3_512, hashlib.blake2s, Nameless])
def test_other_hashes_are_the_standard_librarys(digestmod):
    ours, theirs = (module.new(b"key", b"warp", digestmod) for module in (lanesum.hmac, hmac))
    assert type(ours) is lanesum.hmac.HMAC
    copy = ours.copy()
    assert copy.hexdigest() == theirs.hexdigest()
    for mac in ours, theirs:
        mac.update(b"weft")
    assert ours.digest() == theirs.digest() == lanesum.hmac.digest(b"key", b"warpweft", digestmod)
    assert copy.digest() != ours.digest()
    for attribute in "digest_size", "block_size":
        assert getattr(ours, attribute) == getattr(theirs, attribute)
    if digestmod is not Nameless:
        assert ours.name == theirs.name and ours.name[5:] in repr(ours)


def calls(module):
    return {
        "no digestmod": lambda: module.new(b"key"),
        "empty digestmod": lambda: module.new(b"key", b"", ""),
        "str key": lambda: module.new("key", digestmod="sha256"),
        "view as key": lambda: module.new(memoryview(b"key"), digestmod="sha256"),
        "str message": lambda: module.new(b"key", "warp", "sha256"),
        "str update": lambda: module.new(b"key", b"", "sha256").update("warp"),
        "unknown": lambda: module.new(b"key", b"", "spam"),
        "number": lambda: module.new(b"key", b"", 5),
        "digest of str": lambda: module.digest(b"key", "warp", "sha256"),
        "digest under str": lambda: module.digest("key", b"warp", "sha256"),
        "digest unknown": lambda: module.digest(b"key", b"warp", "spam"),
        "compare str and bytes": lambda: module.compare_digest("warp", b"warp"),
    }


@pytest.mark.parametrize("case", calls(hmac))
def test_errors_are_those_of_hmac(case):
    with pytest.raises(Exception) as theirs:
        calls(hmac)[case]()
    with pytest.raises(theirs.type) as ours:
        calls(lanesum.hmac)[case]()
    # Python 3.13 has another word for it; ours is that of 3.11.
    text = str(theirs.value).replace("required argument", "required parameter")
    assert str(ours.value) == text


def test_compare_digest():
    assert lanesum.compare_digest(b"warp", b"warp")
    assert not lanesum.hmac.compare_digest("warp", "weft")
