/* The PKCS #11 module from C: invalid arguments, forks, finalization and initialization, batches of
   messages. The argument is the module. */
#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lanesum-pkcs11.h>

#define IS(expected, call)                                                                   \
    do {                                                                                     \
        unsigned long status_ = (call);                                                      \
        if (status_ != (expected)) {                                                         \
            fprintf(stderr, "%s:%d: %s: %#lx, not %#lx\n", __FILE__, __LINE__, #call,        \
                    status_, (unsigned long)(expected));                                     \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)
#define HOLDS(condition) IS(1, !!(condition))

static CK_FUNCTION_LIST *f;
static CK_BYTE message[70000], out[64], right[64];
static CK_ULONG n;

static CK_SESSION_HANDLE session(CK_FLAGS flags) {
    CK_SESSION_HANDLE s = 0;
    IS(CKR_OK, f->C_OpenSession(0, CKF_SERIAL_SESSION | flags, NULL, NULL, &s));
    return s;
}

static CK_MECHANISM sha256 = {CKM_SHA256, NULL, 0}, hmac = {CKM_SHA256_HMAC, NULL, 0};

static CK_RV digest(CK_SESSION_HANDLE s, const CK_BYTE *data, CK_ULONG len, CK_BYTE *to) {
    CK_RV status = f->C_DigestInit(s, &sha256);
    if (status != CKR_OK) return status;
    n = 32;
    return f->C_Digest(s, (CK_BYTE *)data, len, to, &n);
}

static void general(void) {
    CK_INFO info;
    CK_SLOT_INFO slot_info;
    CK_TOKEN_INFO token;
    CK_MECHANISM_INFO how;
    CK_SLOT_ID slots[2];
    CK_SESSION_HANDLE s;
    CK_C_INITIALIZE_ARGS arguments = {0};
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_GetInfo(&info));
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_DigestInit(1, &sha256));
    IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_Finalize(NULL));
    arguments.pReserved = &info;
    IS(CKR_ARGUMENTS_BAD, f->C_Initialize(&arguments));
    arguments.pReserved = NULL;
    arguments.CreateMutex = (CK_CREATEMUTEX)abort; /* only one of four */
    IS(CKR_ARGUMENTS_BAD, f->C_Initialize(&arguments));
    arguments.DestroyMutex = (CK_DESTROYMUTEX)abort;
    arguments.LockMutex = (CK_LOCKMUTEX)abort;
    arguments.UnlockMutex = (CK_UNLOCKMUTEX)abort;
    IS(CKR_CANT_LOCK, f->C_Initialize(&arguments));
    arguments.flags = CKF_OS_LOCKING_OK;
    IS(CKR_OK, f->C_Initialize(&arguments));
    IS(CKR_CRYPTOKI_ALREADY_INITIALIZED, f->C_Initialize(NULL));
    IS(CKR_ARGUMENTS_BAD, f->C_Finalize(&info));

    IS(CKR_ARGUMENTS_BAD, f->C_GetInfo(NULL));
    IS(CKR_OK, f->C_GetInfo(&info));
    HOLDS(info.cryptokiVersion.major == 3 && info.libraryDescription[31] == ' ');
    IS(CKR_ARGUMENTS_BAD, f->C_GetSlotList(1, NULL, NULL));
    IS(CKR_OK, f->C_GetSlotList(1, NULL, &n));
    HOLDS(n == 1);
    n = 0;
    IS(CKR_BUFFER_TOO_SMALL, f->C_GetSlotList(1, slots, &n));
    IS(CKR_OK, f->C_GetSlotList(1, slots, &n));
    IS(CKR_SLOT_ID_INVALID, f->C_GetSlotInfo(7, &slot_info));
    IS(CKR_ARGUMENTS_BAD, f->C_GetSlotInfo(0, NULL));
    IS(CKR_OK, f->C_GetSlotInfo(0, &slot_info));
    IS(CKR_SLOT_ID_INVALID, f->C_GetTokenInfo(7, &token));
    IS(CKR_OK, f->C_GetTokenInfo(0, &token));
    IS(CKR_SLOT_ID_INVALID, f->C_GetMechanismList(7, NULL, &n));
    IS(CKR_MECHANISM_INVALID, f->C_GetMechanismInfo(0, CKM_RSA_PKCS, &how));
    IS(CKR_OK, f->C_GetMechanismInfo(0, CKM_SHA256, &how));
    HOLDS(how.flags == CKF_DIGEST);
    IS(CKR_NO_EVENT, f->C_WaitForSlotEvent(CKF_DONT_BLOCK, slots, NULL));

    IS(CKR_SESSION_PARALLEL_NOT_SUPPORTED, f->C_OpenSession(0, 0, NULL, NULL, &s));
    IS(CKR_SLOT_ID_INVALID, f->C_OpenSession(7, CKF_SERIAL_SESSION, NULL, NULL, &s));
    IS(CKR_ARGUMENTS_BAD, f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, NULL));
    s = session(0);
    IS(CKR_SESSION_EXISTS, f->C_InitToken(0, out, 1, message));
    IS(CKR_FUNCTION_NOT_SUPPORTED, f->C_EncryptInit(s, &sha256, 1));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_EncryptInit(s + 1, &sha256, 1));
    IS(CKR_FUNCTION_NOT_PARALLEL, f->C_GetFunctionStatus(s));
    IS(CKR_OK, f->C_SeedRandom(s, message, 8));
    IS(CKR_OK, f->C_SeedRandom(s, NULL, 0));
    IS(CKR_ARGUMENTS_BAD, f->C_SeedRandom(s, NULL, 8));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_SeedRandom(s + 1, message, 8));
    IS(CKR_OK, f->C_GenerateRandom(s, out, 64));
    IS(CKR_ARGUMENTS_BAD, f->C_GenerateRandom(s, NULL, 64));
    IS(CKR_OK, f->C_CloseSession(s));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_CloseSession(s));
    IS(CKR_PIN_LOCKED, f->C_InitToken(0, out, 1, message));
}

static void digests(void) {
    CK_SESSION_HANDLE s = session(0);
    IS(CKR_ARGUMENTS_BAD, f->C_DigestInit(s, NULL));
    IS(CKR_OK, f->C_DigestInit(s, &sha256));
    IS(CKR_OPERATION_ACTIVE, f->C_DigestInit(s, &sha256));
    IS(CKR_OK, f->C_DigestInit(s, NULL)); /* ends it, PKCS #11 3.0 */
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_DigestUpdate(s, message, 1));
    CK_MECHANISM odd = {CKM_SHA256, message, 8}, bad = {CKM_SHA256, NULL, 8};
    IS(CKR_MECHANISM_PARAM_INVALID, f->C_DigestInit(s, &odd));
    IS(CKR_MECHANISM_PARAM_INVALID, f->C_DigestInit(s, &bad));
    IS(CKR_MECHANISM_INVALID, f->C_DigestInit(s, &hmac));
    /* An error ends the operation. */
    IS(CKR_OK, f->C_DigestInit(s, &sha256));
    IS(CKR_ARGUMENTS_BAD, f->C_DigestUpdate(s, NULL, 1));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_DigestUpdate(s, message, 1));
    IS(CKR_OK, f->C_DigestInit(s, &sha256));
    IS(CKR_ARGUMENTS_BAD, f->C_DigestUpdate(s, message, ~0UL));
    IS(CKR_OK, f->C_DigestInit(s, &sha256));
    IS(CKR_ARGUMENTS_BAD, f->C_Digest(s, message, 1, out, NULL));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_DigestFinal(s, out, &n));
    IS(CKR_OK, f->C_DigestInit(s, &sha256));
    IS(CKR_OK, f->C_DigestUpdate(s, NULL, 0));
    n = 64;
    IS(CKR_OPERATION_ACTIVE, f->C_Digest(s, message, 1, out, &n));
    /* After C_Digest only returned the length or the buffer was too small, C_DigestFinal is an
       error, unless C_DigestUpdate has continued the message in parts. */
    for (int small = 0; small < 2; small++) {
        CK_RV told = small ? CKR_BUFFER_TOO_SMALL : CKR_OK;
        for (int parts = 0; parts < 2; parts++) {
            IS(CKR_OK, f->C_DigestInit(s, &sha256));
            n = 2;
            IS(told, f->C_Digest(s, message, 1, small ? out : NULL, &n));
            HOLDS(n == 32);
            if (parts) IS(CKR_OK, f->C_DigestUpdate(s, message, 1));
            n = 64;
            IS(parts ? CKR_OK : CKR_OPERATION_ACTIVE, f->C_DigestFinal(s, out, &n));
            IS(CKR_OPERATION_NOT_INITIALIZED, f->C_DigestFinal(s, out, &n));
        }
        IS(CKR_OK, f->C_DigestInit(s, &sha256));
        n = 2;
        IS(told, f->C_Digest(s, message, 1, small ? out : NULL, &n));
        n = 64;
        IS(CKR_OK, f->C_Digest(s, message, 1, out, &n));
    }
    /* A NULL length and an empty state are rejected. */
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_GetOperationState(s, NULL, &n));
    IS(CKR_ARGUMENTS_BAD, f->C_GetOperationState(s, NULL, NULL));
    IS(CKR_ARGUMENTS_BAD, f->C_SetOperationState(s, NULL, 0, 0, 0));
    IS(CKR_SAVED_STATE_INVALID, f->C_SetOperationState(s, out, 0, 0, 0));
    /* Closing a session ends its operations. */
    IS(CKR_OK, f->C_CloseSession(s));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_DigestFinal(s, out, &n));
}

static CK_OBJECT_CLASS secret = CKO_SECRET_KEY;
static CK_KEY_TYPE generic = CKK_GENERIC_SECRET;
static CK_BBOOL yes = CK_TRUE, no = CK_FALSE;

static void objects(void) {
    CK_SESSION_HANDLE s = session(0), rw = session(CKF_RW_SESSION);
    CK_OBJECT_HANDLE key, copy, found[9];
    CK_ATTRIBUTE whole[] = {{CKA_CLASS, &secret, sizeof secret},
                            {CKA_KEY_TYPE, &generic, sizeof generic},
                            {CKA_VALUE, message, 20},
                            {CKA_LABEL, "warp", 4}};
    IS(CKR_OK, f->C_CreateObject(s, whole, 4, &key));
    IS(CKR_TEMPLATE_INCOMPLETE, f->C_CreateObject(s, whole, 2, &copy));
    IS(CKR_ARGUMENTS_BAD, f->C_CreateObject(s, NULL, 2, &copy));
    IS(CKR_ARGUMENTS_BAD, f->C_CreateObject(s, whole, 4, NULL));
    struct { CK_ATTRIBUTE more; CK_RV status; } cases[] = {
        {{CKA_TOKEN, &yes, 1}, CKR_SESSION_READ_ONLY},
        {{CKA_PRIVATE, &yes, 1}, CKR_USER_NOT_LOGGED_IN},
        {{CKA_LOCAL, &yes, 1}, CKR_ATTRIBUTE_READ_ONLY},
        {{CKA_VALUE_LEN, &n, sizeof n}, CKR_ATTRIBUTE_READ_ONLY},
        {{CKA_MODULUS, message, 9}, CKR_ATTRIBUTE_TYPE_INVALID},
        {{CKA_SIGN, message, 2}, CKR_ATTRIBUTE_VALUE_INVALID},
        {{CKA_SIGN, NULL, 1}, CKR_ATTRIBUTE_VALUE_INVALID},
        {{CKA_SIGN, &yes, ~0UL}, CKR_ATTRIBUTE_VALUE_INVALID},
        {{CKA_START_DATE, message, 7}, CKR_ATTRIBUTE_VALUE_INVALID},
        {{CKA_LABEL, "weft", 4}, CKR_TEMPLATE_INCONSISTENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CK_ATTRIBUTE with[5];
        memcpy(with, whole, sizeof whole);
        with[4] = cases[i].more;
        IS(cases[i].status, f->C_CreateObject(s, with, 5, &copy));
        if (with[4].type == CKA_TOKEN) IS(CKR_DEVICE_MEMORY, f->C_CreateObject(rw, with, 5, &copy));
    }

    CK_BYTE value[32];
    CK_ATTRIBUTE get[] = {{CKA_VALUE, value, 3}, {CKA_MODULUS, value, 9}, {CKA_VALUE, NULL, 0}};
    f->C_GetAttributeValue(s, key, get, 3);
    HOLDS(get[0].ulValueLen == ~0UL && get[1].ulValueLen == ~0UL && get[2].ulValueLen == 20);
    get[0].ulValueLen = 20;
    IS(CKR_OK, f->C_GetAttributeValue(rw, key, get, 1)); /* visible to any session */
    HOLDS(!memcmp(value, message, 20));
    IS(CKR_OBJECT_HANDLE_INVALID, f->C_GetAttributeValue(s, key + 99, get, 1));
    CK_ATTRIBUTE hide = {CKA_SENSITIVE, &yes, 1}, show = {CKA_SENSITIVE, &no, 1};
    IS(CKR_OK, f->C_CopyObject(s, key, &hide, 1, &copy));
    IS(CKR_ATTRIBUTE_SENSITIVE, f->C_GetAttributeValue(s, copy, get, 1));
    IS(CKR_ATTRIBUTE_READ_ONLY, f->C_SetAttributeValue(s, copy, &show, 1));
    IS(CKR_OK, f->C_SetAttributeValue(s, key, &hide, 1));
    IS(CKR_OK, f->C_GetObjectSize(s, key, &n));

    CK_ATTRIBUTE warp = {CKA_LABEL, "warp", 4};
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_FindObjects(s, found, 9, &n));
    IS(CKR_OK, f->C_FindObjectsInit(s, &warp, 1));
    IS(CKR_OPERATION_ACTIVE, f->C_FindObjectsInit(s, NULL, 0));
    IS(CKR_OK, f->C_FindObjects(s, found, 1, &n));
    HOLDS(n == 1 && found[0] == key);
    IS(CKR_OK, f->C_FindObjects(s, found, 9, &n));
    HOLDS(n == 1 && found[0] == copy);
    IS(CKR_OK, f->C_FindObjects(s, found, 9, &n));
    HOLDS(n == 0);
    IS(CKR_OK, f->C_FindObjectsFinal(s));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_FindObjectsFinal(s));
    /* A sensitive value cannot be found by searching for it. */
    IS(CKR_OK, f->C_FindObjectsInit(s, &whole[2], 1));
    IS(CKR_OK, f->C_FindObjects(s, found, 9, &n));
    HOLDS(n == 0);
    IS(CKR_OK, f->C_FindObjectsFinal(s));

    CK_ATTRIBUTE no_sign = {CKA_SIGN, &no, 1};
    IS(CKR_OK, f->C_SetAttributeValue(s, copy, &no_sign, 1));
    IS(CKR_KEY_FUNCTION_NOT_PERMITTED, f->C_SignInit(s, &hmac, copy));
    IS(CKR_OK, f->C_VerifyInit(s, &hmac, copy));
    IS(CKR_SIGNATURE_LEN_RANGE, f->C_Verify(s, message, 1, message, 31));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_Verify(s, message, 1, message, 32));

    CK_MECHANISM generate = {CKM_GENERIC_SECRET_KEY_GEN, NULL, 0};
    CK_ULONG len = 0;
    CK_ATTRIBUTE of_len = {CKA_VALUE_LEN, &len, sizeof len};
    IS(CKR_TEMPLATE_INCOMPLETE, f->C_GenerateKey(s, &generate, NULL, 0, &key));
    IS(CKR_KEY_SIZE_RANGE, f->C_GenerateKey(s, &generate, &of_len, 1, &key));
    len = ~0UL;
    IS(CKR_KEY_SIZE_RANGE, f->C_GenerateKey(s, &generate, &of_len, 1, &key));
    len = 20;
    IS(CKR_MECHANISM_INVALID, f->C_GenerateKey(s, &sha256, &of_len, 1, &key));
    IS(CKR_OK, f->C_GenerateKey(s, &generate, &of_len, 1, &key));
    IS(CKR_OK, f->C_SignInit(rw, &hmac, key));
    n = 2;
    IS(CKR_OK, f->C_SignInit(s, &hmac, key));
    IS(CKR_OK, f->C_Sign(s, message, 1, NULL, &n)); /* as for digests */
    IS(CKR_OPERATION_ACTIVE, f->C_SignFinal(s, out, &n));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_SignFinal(s, out, &n));
    /* A key is destroyed while in use: the operation still succeeds. */
    IS(CKR_OK, f->C_DestroyObject(s, key));
    n = 64;
    IS(CKR_OK, f->C_Sign(rw, message, 9, out, &n));
    IS(CKR_KEY_HANDLE_INVALID, f->C_SignInit(rw, &hmac, key));

    /* Logging out destroys private objects. */
    CK_TOKEN_INFO token;
    IS(CKR_OK, f->C_GetTokenInfo(0, &token));
    HOLDS(token.ulMinPinLen == 0 && token.ulMaxPinLen >= 8);
    HOLDS((token.flags & CKF_PROTECTED_AUTHENTICATION_PATH) && !(token.flags & CKF_LOGIN_REQUIRED));
    IS(CKR_OK, f->C_Login(s, CKU_USER, out, 4)); /* any PIN, and none */
    IS(CKR_OK, f->C_Logout(s));
    IS(CKR_PIN_LOCKED, f->C_Login(s, CKU_SO, NULL, 0));
    IS(CKR_USER_TYPE_INVALID, f->C_Login(s, 9, NULL, 0));
    IS(CKR_USER_NOT_LOGGED_IN, f->C_Logout(s));
    IS(CKR_OK, f->C_Login(s, CKU_USER, NULL, 0));
    IS(CKR_USER_ALREADY_LOGGED_IN, f->C_Login(s, CKU_USER, NULL, 0));
    CK_SESSION_INFO about;
    IS(CKR_OK, f->C_GetSessionInfo(rw, &about));
    HOLDS(about.state == CKS_RW_USER_FUNCTIONS);
    whole[3] = (CK_ATTRIBUTE){CKA_PRIVATE, &yes, 1};
    IS(CKR_OK, f->C_CreateObject(s, whole, 4, &key));
    IS(CKR_OK, f->C_DigestInit(s, &sha256));
    IS(CKR_OK, f->C_Logout(s));
    IS(CKR_OPERATION_NOT_INITIALIZED, f->C_DigestUpdate(s, message, 1));
    IS(CKR_KEY_HANDLE_INVALID, f->C_SignInit(s, &hmac, key));
    IS(CKR_OK, f->C_CloseAllSessions(0));
    IS(CKR_SESSION_HANDLE_INVALID, f->C_GetSessionInfo(s, &about));
}

static void *hash(void *unused) {
    CK_SESSION_HANDLE s = session(0);
    CK_BYTE to[32];
    CK_MECHANISM how = {CKM_SHA256, NULL, 0};
    for (int i = 0; i < 50; i++) {
        CK_ULONG len = 32;
        IS(CKR_OK, f->C_DigestInit(s, &how));
        IS(CKR_OK, f->C_Digest(s, message, sizeof message, to, &len));
        HOLDS(!memcmp(to, right, 32));
    }
    IS(CKR_OK, f->C_CloseSession(s));
    return unused;
}

/* A child inherits no session and must initialize the module again. The parent continues. */
static void forks(void) {
    CK_SESSION_HANDLE s = session(0);
    pthread_t threads[3];
    IS(CKR_OK, digest(s, message, sizeof message, right));
    for (int i = 0; i < 3; i++) HOLDS(!pthread_create(&threads[i], NULL, hash, NULL));
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        if (!child) {
            IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_DigestInit(s, &sha256));
            IS(CKR_OK, f->C_Initialize(NULL));
            IS(CKR_SESSION_HANDLE_INVALID, f->C_DigestInit(s + 70000, &sha256));
            IS(CKR_OK, digest(session(0), message, sizeof message, out));
            HOLDS(!memcmp(out, right, 32));
            IS(CKR_OK, f->C_Finalize(NULL));
            _exit(0);
        }
        int status;
        HOLDS(waitpid(child, &status, 0) == child && status == 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    IS(CKR_OK, digest(s, message, sizeof message, out));
    HOLDS(!memcmp(out, right, 32));
    IS(CKR_OK, f->C_CloseSession(s));
}

/* Writes output over the input, which the standard allows: for one message, and for a batch, whose
   results are in another order than the messages in memory. */
static void in_place(LANESUM_FUNCTION_LIST *list, CK_SESSION_HANDLE s, CK_OBJECT_HANDLE key) {
    enum { COUNT = 100, EACH = 200 };
    static CK_BYTE memory[COUNT * EACH], digests[COUNT * 32], tags[COUNT * 32];
    const CK_BYTE *messages[COUNT];
    CK_ULONG lengths[COUNT], len = sizeof digests;
    for (int i = 0; i < COUNT; i++)
        messages[i] = memory + (COUNT - 1 - i) * EACH, lengths[i] = EACH;
    memcpy(memory, message, sizeof memory);
    IS(CKR_OK, list->DigestMany(s, &sha256, messages, lengths, COUNT, digests, &len));
    IS(CKR_OK, list->SignMany(s, &hmac, key, messages, lengths, COUNT, tags, &len));
    IS(CKR_OK, list->DigestMany(s, &sha256, messages, lengths, COUNT, memory, &len));
    HOLDS(!memcmp(memory, digests, sizeof digests));
    memcpy(memory, message, sizeof memory);
    IS(CKR_OK, list->SignMany(s, &hmac, key, messages, lengths, COUNT, memory, &len));
    HOLDS(!memcmp(memory, tags, sizeof tags));
    for (int i = 0; i < COUNT; i++) {
        memcpy(memory, message + (COUNT - 1 - i) * EACH, EACH);
        IS(CKR_OK, digest(s, memory, EACH, memory));
        HOLDS(!memcmp(memory, digests + 32 * i, 32));
        memcpy(memory, message + (COUNT - 1 - i) * EACH, EACH);
        n = 32;
        IS(CKR_OK, f->C_SignInit(s, &hmac, key));
        IS(CKR_OK, f->C_Sign(s, memory, EACH, memory, &n));
        HOLDS(!memcmp(memory, tags + 32 * i, 32));
    }
}

static void many(void *library) {
    struct { CK_UTF8CHAR *name; void *list; CK_FLAGS flags; } *interface;
    CK_RV (*get)(const char *, CK_VERSION *, void *, CK_FLAGS) = dlsym(library, "C_GetInterface");
    IS(CKR_OK, get("Vendor Lanesum", NULL, &interface, 0));
    LANESUM_FUNCTION_LIST *list = interface->list;
    HOLDS(list->version.major == 1);
    CK_SESSION_HANDLE s = session(0);
    const CK_BYTE *messages[100];
    CK_ULONG lengths[100], len;
    static CK_BYTE results[3200];
    CK_OBJECT_HANDLE key;
    CK_ATTRIBUTE whole[] = {{CKA_CLASS, &secret, sizeof secret},
                            {CKA_KEY_TYPE, &generic, sizeof generic},
                            {CKA_VALUE, message, 20}};
    IS(CKR_OK, f->C_CreateObject(s, whole, 3, &key));
    for (int i = 0; i < 100; i++) messages[i] = message + i, lengths[i] = i * i;
    IS(CKR_OK, list->DigestMany(s, &sha256, messages, lengths, 100, NULL, &len));
    HOLDS(len == 3200);
    len = 3199;
    IS(CKR_BUFFER_TOO_SMALL, list->DigestMany(s, &sha256, messages, lengths, 100, results, &len));
    IS(CKR_OK, list->DigestMany(s, &sha256, messages, lengths, 100, results, &len));
    for (int i = 0; i < 100; i++) {
        IS(CKR_OK, digest(s, messages[i], lengths[i], out));
        HOLDS(!memcmp(out, results + 32 * i, 32));
    }
    CK_ULONG cut = 10;
    CK_MECHANISM short_hmac = {CKM_SHA256_HMAC_GENERAL, &cut, sizeof cut};
    for (CK_MECHANISM *how = &hmac; how; how = how == &hmac ? &short_hmac : NULL) {
        CK_ULONG each = how == &hmac ? 32 : cut;
        len = sizeof results;
        IS(CKR_OK, list->SignMany(s, how, key, messages, lengths, 100, results, &len));
        HOLDS(len == 100 * each);
        for (int i = 0; i < 100; i++) {
            n = 32;
            IS(CKR_OK, f->C_SignInit(s, how, key));
            IS(CKR_OK, f->C_Sign(s, (CK_BYTE *)messages[i], lengths[i], out, &n));
            HOLDS(n == each && !memcmp(out, results + each * i, each));
        }
    }
    in_place(list, s, key);
    len = 0;
    IS(CKR_OK, list->DigestMany(s, &sha256, NULL, NULL, 0, results, &len));
    IS(CKR_ARGUMENTS_BAD, list->DigestMany(s, &sha256, NULL, lengths, 9, results, &len));
    IS(CKR_ARGUMENTS_BAD, list->DigestMany(s, &sha256, messages, lengths, 9, results, NULL));
    IS(CKR_ARGUMENTS_BAD, list->DigestMany(s, &sha256, messages, lengths, ~0UL, results, &len));
    IS(CKR_KEY_HANDLE_INVALID, list->SignMany(s, &hmac, 99, messages, lengths, 9, results, &len));
    IS(CKR_SESSION_HANDLE_INVALID, list->DigestMany(0, &sha256, messages, lengths, 9, out, &len));
    IS(CKR_OK, f->C_CloseSession(s));
}

int main(int count, char **arguments) {
    HOLDS(count == 2);
    for (size_t i = 0; i < sizeof message; i++) message[i] = i % 251;
    void *library = dlopen(arguments[1], RTLD_NOW);
    HOLDS(library);
    CK_RV (*get)(CK_FUNCTION_LIST **) = dlsym(library, "C_GetFunctionList");
    HOLDS(get);
    IS(CKR_ARGUMENTS_BAD, get(NULL));
    IS(CKR_OK, get(&f));
    general();
    digests();
    objects();
    forks();
    many(library);
    IS(CKR_OK, f->C_Finalize(NULL));
    for (int i = 0; i < 20; i++) {
        IS(CKR_OK, f->C_Initialize(NULL));
        CK_SESSION_HANDLE s = session(0);
        IS(CKR_OK, digest(s, message, sizeof message, out));
        IS(CKR_OK, f->C_DigestInit(s, &sha256)); /* left open */
        IS(CKR_OK, f->C_Finalize(NULL));
        IS(CKR_CRYPTOKI_NOT_INITIALIZED, f->C_DigestUpdate(s, message, 1));
    }
    dlclose(library);
    printf("all well\n");
    return 0;
}
