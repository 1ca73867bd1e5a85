/* Keys in the PKCS #11 module, one step at a time. The argument is the module. */
#include "steps.h"

#include <dlfcn.h>
#include <p11-kit/pkcs11.h>

#include <lanesum-pkcs11.h>

#define OK(call) HOLDS((call) == CKR_OK)

static CK_FUNCTION_LIST *f;
static LANESUM_FUNCTION_LIST *lanesum;
static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE object;
static CK_ULONG len;

struct mechanisms {
    const char *name;
    CK_MECHANISM_TYPE digest, hmac, general;
};

static const struct mechanisms *numbers(void) {
    static const struct mechanisms all[] = {
        {"sha1", CKM_SHA_1, CKM_SHA_1_HMAC, CKM_SHA_1_HMAC_GENERAL},
        {"sha256", CKM_SHA256, CKM_SHA256_HMAC, CKM_SHA256_HMAC_GENERAL},
        {"sha512", CKM_SHA512, CKM_SHA512_HMAC, CKM_SHA512_HMAC_GENERAL},
        {"md5", CKM_MD5, CKM_MD5_HMAC, CKM_MD5_HMAC_GENERAL},
        {"ripemd160", CKM_RIPEMD160, CKM_RIPEMD160_HMAC, CKM_RIPEMD160_HMAC_GENERAL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name)) return &all[i];
    HOLDS(0);
    return NULL;
}

static CK_MECHANISM how(CK_MECHANISM_TYPE type) {
    CK_MECHANISM mechanism = {type, NULL, 0};
    return mechanism;
}

static void open_session(void) {
    OK(f->C_OpenSession(0, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session));
}

static void create(void) {
    CK_OBJECT_CLASS class = CKO_SECRET_KEY;
    CK_KEY_TYPE type = CKK_GENERIC_SECRET;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &class, sizeof class},
                               {CKA_KEY_TYPE, &type, sizeof type},
                               {CKA_VALUE, key, key_len}};
    OK(f->C_CreateObject(session, template, 3, &object));
}

static void destroy(void) { OK(f->C_DestroyObject(session, object)); }

static void key_made(void) {
    create();
    destroy();
}

static void key_kept(void) {
    create();
    answer.live_len = 1; /* in pages of the module */
}

static void sign_init(void) {
    CK_MECHANISM hmac = how(numbers()->hmac);
    OK(f->C_SignInit(session, &hmac, object));
}

static void sign(void) {
    create();
    sign_init();
    len = sizeof out;
    OK(f->C_Sign(session, message, 100, out, &len));
    destroy();
}

static void sign_in_parts(void) {
    create();
    sign_init();
    OK(f->C_SignUpdate(session, message, 10));
    OK(f->C_SignUpdate(session, message, 1000));
    len = sizeof out;
    OK(f->C_SignFinal(session, out, &len));
    destroy();
}

static void begin(void) {
    create();
    sign_init();
    OK(f->C_SignUpdate(session, message, 1000));
    destroy();
}

static void sign_kept(void) {
    begin();
    answer.live_len = 1;
}

static void sign_kept_closed(void) {
    OK(f->C_CloseSession(session));
    open_session();
}

static void close_with_a_key(void) {
    create();
    OK(f->C_CloseSession(session));
    open_session();
}

static void finalize(void) {
    begin();
    create();
    OK(f->C_Finalize(NULL));
    OK(f->C_Initialize(NULL));
    open_session();
}

/* The given tag does not match, so that the correct tag is also secret. */
static void verify(void) {
    CK_MECHANISM hmac = how(numbers()->hmac);
    create();
    sign_init();
    len = sizeof out;
    OK(f->C_Sign(session, message, 10, out, &len));
    OK(f->C_VerifyInit(session, &hmac, object));
    HOLDS(f->C_Verify(session, message, 100, out, len) == CKR_SIGNATURE_INVALID);
    destroy();
}

static void find(void) {
    CK_ATTRIBUTE template = {CKA_VALUE, key, key_len};
    CK_OBJECT_HANDLE found = 0;
    create();
    OK(f->C_FindObjectsInit(session, &template, 1));
    OK(f->C_FindObjects(session, &found, 1, &len));
    HOLDS(len == 1 && found == object);
    OK(f->C_FindObjectsFinal(session));
    key[0] ^= 1;
    OK(f->C_FindObjectsInit(session, &template, 1));
    OK(f->C_FindObjects(session, &found, 1, &len));
    HOLDS(len == 0);
    OK(f->C_FindObjectsFinal(session));
    destroy();
}

static void tell(void) {
    CK_ATTRIBUTE template = {CKA_VALUE, out, sizeof out};
    create();
    OK(f->C_GetAttributeValue(session, object, &template, 1));
    HOLDS(!memcmp(out, key, key_len));
    destroy();
}

/* The check value is part of a digest of the key. */
static void check_value(void) {
    CK_ATTRIBUTE template = {CKA_CHECK_VALUE, out, sizeof out};
    create();
    OK(f->C_GetAttributeValue(session, object, &template, 1));
    HOLDS(template.ulValueLen == 3);
    destroy();
}

static void copy(void) {
    CK_OBJECT_HANDLE second;
    CK_ATTRIBUTE template = {CKA_LABEL, "second", 6};
    create();
    OK(f->C_CopyObject(session, object, &template, 1, &second));
    OK(f->C_SetAttributeValue(session, second, &template, 1));
    destroy();
    OK(f->C_DestroyObject(session, second));
}

static void digest_key(void) {
    CK_MECHANISM digest = how(numbers()->digest);
    create();
    OK(f->C_DigestInit(session, &digest));
    OK(f->C_DigestUpdate(session, message, 10));
    OK(f->C_DigestKey(session, object));
    OK(f->C_DigestUpdate(session, message, 10));
    len = sizeof out;
    OK(f->C_DigestFinal(session, out, &len));
    destroy();
}

static void sign_many(CK_MECHANISM hmac) {
    static const CK_BYTE *messages[40];
    static CK_ULONG lens[40];
    for (size_t i = 0; i < 40; i++) {
        messages[i] = message + i;
        lens[i] = 30 * i;
    }
    create();
    len = sizeof out;
    OK(lanesum->SignMany(session, &hmac, object, messages, lens, 40, out, &len));
    destroy();
}

static void sign_many_whole(void) { sign_many(how(numbers()->hmac)); }

/* The truncated bytes of the tags are also secret. */
static void sign_many_cut(void) {
    CK_ULONG cut = 10;
    CK_MECHANISM hmac = {numbers()->general, &cut, sizeof cut};
    sign_many(hmac);
}

int main(int count, char **arguments) {
    HOLDS(count == 2);
    void *module = dlopen(arguments[1], RTLD_NOW);
    HOLDS(module);
    CK_RV (*get)(CK_FUNCTION_LIST **) = dlsym(module, "C_GetFunctionList");
    CK_RV (*interface)(const char *, CK_VERSION *, void *, CK_FLAGS) =
        dlsym(module, "C_GetInterface");
    struct {
        const char *name;
        void *functions;
        CK_FLAGS flags;
    } *ours;
    OK(get(&f));
    OK(interface("Vendor Lanesum", NULL, &ours, 0));
    lanesum = ours->functions;
    OK(f->C_Initialize(NULL));
    open_session();
    static const struct step steps[] = {
        PLANTED,
        {"key_made", key_made},
        {"key_kept", key_kept},
        {"key_destroyed", destroy},
        {"sign", sign},
        {"sign_in_parts", sign_in_parts},
        {"sign_kept", sign_kept},
        {"sign_kept_closed", sign_kept_closed},
        {"close_with_a_key", close_with_a_key},
        {"finalize", finalize},
        {"verify", verify},
        {"find", find},
        {"tell", tell},
        {"check_value", check_value},
        {"copy", copy},
        {"digest_key", digest_key},
        {"sign_many", sign_many_whole},
        {"sign_many_cut", sign_many_cut},
    };
    return serve(steps, sizeof steps / sizeof *steps);
}
