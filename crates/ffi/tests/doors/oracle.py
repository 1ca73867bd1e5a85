"""Compares the results of our module and SoftHSM's through PyKCS11, and tests ours with python-pkcs11.

Arguments: our module, SoftHSM's. SOFTHSM2_CONF names the configuration of a token with PIN 1234.
"""

import sys

import PyKCS11
from PyKCS11 import LowLevel as low

OURS, THEIRS = sys.argv[1:]
MESSAGE = bytes(i % 251 for i in range(5000))
# PyKCS11 does not call the module for an empty message.
LENGTHS = [1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000, 5000]
DIGESTS = "SHA_1 SHA224 SHA256 SHA384 SHA512 MD5".split()


def session(path, pin):
    module = PyKCS11.PyKCS11Lib()
    module.load(path)
    slot = module.getSlotList(tokenPresent=True)[0]
    opened = module.openSession(slot, PyKCS11.CKF_SERIAL_SESSION | PyKCS11.CKF_RW_SESSION)
    opened.login(pin)
    return module, opened


def key(opened, value):
    return opened.createObject([
        (PyKCS11.CKA_CLASS, PyKCS11.CKO_SECRET_KEY),
        (PyKCS11.CKA_KEY_TYPE, PyKCS11.CKK_GENERIC_SECRET),
        (PyKCS11.CKA_TOKEN, False),
        (PyKCS11.CKA_PRIVATE, False),
        (PyKCS11.CKA_SENSITIVE, False),
        (PyKCS11.CKA_EXTRACTABLE, True),
        (PyKCS11.CKA_SIGN, True),
        (PyKCS11.CKA_VERIFY, True),
        (PyKCS11.CKA_LABEL, "shed"),
        (PyKCS11.CKA_VALUE, value),
    ])


def results(path, pin):
    """Returns the results of a module for a list of calls."""
    module, opened = session(path, pin)
    said = {}
    secret = key(opened, MESSAGE[:70])
    for name in DIGESTS:
        digest = PyKCS11.Mechanism(getattr(PyKCS11, "CKM_" + name), None)
        hmac = PyKCS11.Mechanism(getattr(PyKCS11, f"CKM_{name}_HMAC"), None)
        for length in LENGTHS:
            said[name, length] = bytes(opened.digest(MESSAGE[:length], digest))
            tag = bytes(opened.sign(secret, MESSAGE[:length], hmac))
            said[name, length, "tag"] = tag
            said[name, length, "right"] = opened.verify(secret, MESSAGE[:length], tag, hmac)
            said[name, length, "wrong"] = opened.verify(secret, b"!" + MESSAGE[:length], tag, hmac)
        running = opened.digestSession(digest)
        for part in (MESSAGE[:1], MESSAGE[1:300], MESSAGE[300:]):
            running.update(part)
        said[name, "parts"] = bytes(running.final())

    # Invalid calls for which the standard allows only one status.
    lib, s = module.lib, opened.session
    sha256 = low.CK_MECHANISM()
    sha256.mechanism = PyKCS11.CKM_SHA256
    rsa = low.CK_MECHANISM()
    rsa.mechanism = PyKCS11.CKM_DES_MAC_GENERAL
    said["final without init"] = lib.C_DigestFinal(s, low.ckbytelist(64))
    said["update without init"] = lib.C_DigestUpdate(s, low.ckbytelist(1))
    said["digest by a cipher"] = lib.C_DigestInit(s, rsa)
    said["init"] = lib.C_DigestInit(s, sha256)
    said["init twice"] = lib.C_DigestInit(s, sha256)
    said["final"] = lib.C_DigestFinal(s, low.ckbytelist(64))
    said["final twice"] = lib.C_DigestFinal(s, low.ckbytelist(64))
    said["sign final without init"] = lib.C_SignFinal(s, low.ckbytelist(64))
    said["sign by a digest"] = lib.C_SignInit(s, sha256, secret)
    said["find final without init"] = lib.C_FindObjectsFinal(s)
    said["value"] = bytes(opened.getAttributeValue(secret, [PyKCS11.CKA_VALUE])[0])
    said["label"] = opened.getAttributeValue(secret, [PyKCS11.CKA_LABEL])[0]
    said["found"] = len(opened.findObjects([(PyKCS11.CKA_LABEL, "shed")]))
    said["not found"] = len(opened.findObjects([(PyKCS11.CKA_LABEL, "reed")]))
    opened.destroyObject(secret)
    said["gone"] = len(opened.findObjects([(PyKCS11.CKA_LABEL, "shed")]))
    opened.logout()
    opened.closeSession()
    return said


ours, theirs = results(OURS, ""), results(THEIRS, "1234")
for question, answer in theirs.items():
    assert ours[question] == answer, (question, ours[question], answer)
assert len(ours) > 250, len(ours)

# python-pkcs11 reads attributes and templates in a different way.
import hashlib
import hmac

import pkcs11

token = next(pkcs11.lib(OURS).get_tokens())
with token.open(rw=True, user_pin=pkcs11.PROTECTED_AUTH) as opened:
    for name in ("SHA_1", "SHA256", "SHA512"):
        mechanism = getattr(pkcs11.Mechanism, name)
        right = hashlib.new(name.replace("_", "").lower(), MESSAGE).digest()
        assert opened.digest(MESSAGE, mechanism=mechanism) == right
        assert opened.digest((MESSAGE[:9], MESSAGE[9:]), mechanism=mechanism) == right
    secret = opened.create_object({
        pkcs11.Attribute.CLASS: pkcs11.ObjectClass.SECRET_KEY,
        pkcs11.Attribute.KEY_TYPE: pkcs11.KeyType.GENERIC_SECRET,
        pkcs11.Attribute.VALUE: b"shed" * 8,
        pkcs11.Attribute.SIGN: True,
        pkcs11.Attribute.VERIFY: True,
    })
    tag = secret.sign(MESSAGE, mechanism=pkcs11.Mechanism.SHA256_HMAC)
    assert tag == hmac.digest(b"shed" * 8, MESSAGE, "sha256")
    assert secret.verify(MESSAGE, tag, mechanism=pkcs11.Mechanism.SHA256_HMAC)
    assert not secret.verify(MESSAGE + b"!", tag, mechanism=pkcs11.Mechanism.SHA256_HMAC)
    made = opened.generate_key(pkcs11.KeyType.GENERIC_SECRET, 256, label="made",
                               mechanism=pkcs11.Mechanism.GENERIC_SECRET_KEY_GEN,
                               mechanism_param=None,
                               capabilities=pkcs11.MechanismFlag.SIGN | pkcs11.MechanismFlag.VERIFY)
    tag = made.sign(b"weft", mechanism=pkcs11.Mechanism.SHA512_HMAC)
    assert made.verify(b"weft", tag, mechanism=pkcs11.Mechanism.SHA512_HMAC) and len(tag) == 64
    try:
        made[pkcs11.Attribute.VALUE]
        raise AssertionError("a sensitive value was told")
    except pkcs11.AttributeSensitive:
        pass
print("all well")
