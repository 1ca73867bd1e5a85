"""CPython's own tests of hashlib and hmac, of the Python that runs this.

They are changed only by putting lanesum's constructors where those of the standard library are.
What is left out is named here, with its reason; what lanesum has no algorithm for stays as it is.
"""

import hashlib
import hmac
import types
import unittest.mock

from test import test_hashlib, test_hmac

import lanesum


def stand_in(module, **ours):
    """A module with all that `module` has, but for these."""
    made = types.ModuleType(module.__name__)
    made.__dict__.update(module.__dict__, **ours)
    return made


def new(name, data=b"", **kwargs):
    try:
        lanesum.new(name)
    except ValueError:
        # None of lanesum's algorithms.
        return hashlib.new(name, data, **kwargs)
    return lanesum.new(name, data, **kwargs)


OURS = {
    name: getattr(lanesum, name)
    for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "file_digest", "pbkdf2_hmac")
}


def file_digest(fileobj, digest, /, **kwargs):
    if isinstance(digest, str):
        name = digest
        digest = lambda: new(name)
    return lanesum.file_digest(fileobj, digest, **kwargs)


HASHLIB = stand_in(hashlib, **{**OURS, "new": new, "file_digest": file_digest})
test_hashlib.hashlib = HASHLIB
test_hashlib.openssl_hashlib = HASHLIB


class HashLibTestCase(test_hashlib.HashLibTestCase):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in self.constructors_to_test:
            if name in lanesum.algorithms_available:
                self.constructors_to_test[name] = {
                    getattr(lanesum, name),
                    lambda *args, _name=name, **kwargs: lanesum.new(_name, *args, **kwargs),
                }


    # Of the stable ABI before Python 3.14 a type cannot be made immutable.
    test_readonly_types = None


class KDFTests(test_hashlib.KDFTests):
    pass


# The standard library's HMAC on lanesum's; OpenSSL's constructors are those that it builds on.
OPENSSL = types.SimpleNamespace(
    UnsupportedDigestmodError=ValueError,
    hmac_new=lanesum.hmac.new,
    hmac_digest=lanesum.hmac.digest,
    compare_digest=hmac.compare_digest,
)


class OnLanesum:
    """While such a test runs, lanesum's constructors are OpenSSL's."""

    def setUp(self):
        super().setUp()
        patches = [
            (hmac, "_hashopenssl", OPENSSL),
            (hmac, "_functype", type(lanesum.sha256)),
            (test_hmac, "hashlib", stand_in(hashlib, **OURS)),
            (test_hmac, "c_hmac_new", lanesum.hmac.new),
            (test_hmac, "C_HMAC", lanesum.hmac.HMAC),
        ]
        for module, name, ours in patches:
            patch = unittest.mock.patch.object(module, name, ours)
            patch.start()
            self.addCleanup(patch.stop)


class TestVectorsTestCase(OnLanesum, test_hmac.TestVectorsTestCase):
    pass


class ConstructorTestCase(OnLanesum, test_hmac.ConstructorTestCase):
    # OpenSSL's type cannot be constructed, and ours is the class itself.
    test_internal_types = None


class SanityTestCase(OnLanesum, test_hmac.SanityTestCase):
    pass


class CopyTestCase(OnLanesum, test_hmac.CopyTestCase):
    pass


class CompareDigestTestCase(test_hmac.CompareDigestTestCase):
    pass


def test_lanesum_is_what_ran():
    """The stand-ins are in place: not all of this was the standard library."""
    case = HashLibTestCase("test_case_sha256_0")
    made = [constructor() for constructor in case.constructors_to_test["sha256"]]
    assert made and all(isinstance(digest, lanesum.HASH) for digest in made)
    case = TestVectorsTestCase("test_sha256_rfc4231")
    case.setUp()
    try:
        assert isinstance(hmac.new(b"", b"", "sha256")._hmac, lanesum.hmac.HMAC)
        assert isinstance(test_hmac.hashlib.sha256(), lanesum.HASH)
    finally:
        case.doCleanups()
