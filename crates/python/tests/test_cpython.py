"""CPython's own tests of hashlib and hmac, of the Python that runs this.

They are changed only by replacing the standard library's functions by lanesum's. The tests that are left
out are named here, with the reason.
"""

import hashlib
import hmac
import types
import unittest.mock

from test import test_hashlib, test_hmac

import lanesum


def stand_in(module, **ours):
    """A module with all that `module` has, except these."""
    made = types.ModuleType(module.__name__)
    made.__dict__.update(module.__dict__, **ours)
    return made


OURS = {name: getattr(lanesum, name) for name in hashlib.__all__ if name in lanesum.__all__}
HASHLIB = stand_in(hashlib, **OURS)
test_hashlib.hashlib = HASHLIB
test_hashlib.openssl_hashlib = HASHLIB


class HashLibTestCase(test_hashlib.HashLibTestCase):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in self.constructors_to_test:
            if name in lanesum.algorithms_native:
                self.constructors_to_test[name] = {
                    getattr(lanesum, name),
                    lambda *args, _name=name, **kwargs: lanesum.new(_name, *args, **kwargs),
                }

    # The stable ABI has no immutable types before Python 3.14.
    test_readonly_types = None


class KDFTests(test_hashlib.KDFTests):
    pass


def native(function):
    """A function of lanesum.hmac without the algorithms that it leaves to the standard library."""

    def call(key, msg=b"", digestmod="", **kwargs):
        digestmod = kwargs.get("digest", digestmod)
        if isinstance(digestmod, str) and digestmod and digestmod.lower() not in lanesum.algorithms_native:
            raise ValueError(digestmod)
        return function(key, msg, digestmod)

    return call


# The standard library's HMAC, based on lanesum's functions instead of OpenSSL's.
OPENSSL = types.SimpleNamespace(
    UnsupportedDigestmodError=ValueError,
    hmac_new=native(lanesum.hmac.new),
    hmac_digest=native(lanesum.hmac.digest),
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


class InPlaceOfHmac:
    """While such a test runs, `lanesum.hmac` is in place of the module hmac."""

    def setUp(self):
        super().setUp()
        for name, ours in ("hmac", lanesum.hmac), ("hashlib", HASHLIB):
            patch = unittest.mock.patch.object(test_hmac, name, ours)
            patch.start()
            self.addCleanup(patch.stop)


class VectorsInPlaceOfHmac(InPlaceOfHmac, test_hmac.TestVectorsTestCase):
    # These also make objects of the standard library's class by its private `_init_old`.
    # TestVectorsTestCase above runs them on lanesum's HMAC.
    test_md5_vectors = test_sha_vectors = None
    test_sha224_rfc4231 = test_sha256_rfc4231 = test_sha384_rfc4231 = test_sha512_rfc4231 = None


class ConstructorInPlaceOfHmac(InPlaceOfHmac, test_hmac.ConstructorTestCase):
    pass


class SanityInPlaceOfHmac(InPlaceOfHmac, test_hmac.SanityTestCase):
    pass


class UpdateInPlaceOfHmac(InPlaceOfHmac, getattr(test_hmac, "UpdateTestCase", object)):
    pass


class CopyInPlaceOfHmac(InPlaceOfHmac, test_hmac.CopyTestCase):
    # These look at private attributes of the standard library's class.
    test_attributes_old = test_realcopy_old = test_realcopy_hmac = None


class CompareInPlaceOfHmac(InPlaceOfHmac, test_hmac.CompareDigestTestCase):
    pass


def test_lanesum_is_what_ran():
    """Checks that the tests above ran lanesum's functions, not the standard library's."""
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
