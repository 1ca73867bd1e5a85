/* Compares the provider with OpenSSL's own functions through libcrypto, and tests errors.
   Arguments: the directory of lanesum.so, then a colon-separated list of names for each
   algorithm. */
#include <dlfcn.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "holds.h"

#define KEYED "lanesum.keyed=yes"

static unsigned char message[5000];

static OSSL_PROVIDER *ours, *theirs;

static OSSL_LIB_CTX *context(const char *directory) {
    OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
    HOLDS(lib && OSSL_PROVIDER_set_default_search_path(lib, directory));
    HOLDS((theirs = OSSL_PROVIDER_load(lib, "default")));
    HOLDS((ours = OSSL_PROVIDER_load(lib, "lanesum")));
    return lib;
}

static void about(void) {
    char *name, *version, *build;
    unsigned int status = 7;
    OSSL_PARAM asked[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, &name, 0),
                          OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, &version, 0),
                          OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &build, 0),
                          OSSL_PARAM_uint(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_END};
    HOLDS(OSSL_PROVIDER_gettable_params(ours));
    HOLDS(OSSL_PROVIDER_get_params(ours, asked));
    HOLDS(!strcmp(name, "Lanesum") && strlen(version) && strstr(build, version) && status == 1);
    HOLDS(OSSL_PROVIDER_self_test(ours));
}

static unsigned digest(EVP_MD *md, const unsigned char *data, size_t len, unsigned char *out) {
    unsigned n = 0;
    HOLDS(EVP_Digest(data, len, out, &n, md, NULL));
    return n;
}

/* Computes the hash of SSL 3.0 client authentication, which only SHA-1 supports. */
static void ssl3(EVP_MD *ours, EVP_MD *theirs) {
    unsigned char out[2][64];
    EVP_MD *both[] = {ours, theirs};
    HOLDS(!EVP_MD_settable_ctx_params(ours) == !EVP_MD_settable_ctx_params(theirs));
    for (int i = 0; i < 2; i++) {
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        OSSL_PARAM secret[] = {OSSL_PARAM_octet_string("ssl3-ms", message + 9, 48), OSSL_PARAM_END};
        OSSL_PARAM text[] = {OSSL_PARAM_utf8_string("ssl3-ms", "?", 1), OSSL_PARAM_END};
        HOLDS(EVP_DigestInit_ex(ctx, both[i], NULL) && EVP_DigestUpdate(ctx, message, 100));
        if (!EVP_MD_settable_ctx_params(both[i])) {
            HOLDS(EVP_MD_CTX_set_params(ctx, secret) <= 0);
            HOLDS(EVP_MD_CTX_ctrl(ctx, EVP_CTRL_SSL3_MASTER_SECRET, 48, message) <= 0);
        } else {
            HOLDS(EVP_MD_CTX_set_params(ctx, secret) == 1);
            secret[0].data_size = 47;
            HOLDS(EVP_MD_CTX_set_params(ctx, secret) <= 0);
            HOLDS(EVP_MD_CTX_set_params(ctx, text) == 1);
            HOLDS(EVP_MD_CTX_ctrl(ctx, EVP_CTRL_SSL3_MASTER_SECRET, 48, message) == 1);
        }
        HOLDS(EVP_DigestFinal_ex(ctx, out[i], NULL));
        EVP_MD_CTX_free(ctx);
    }
    HOLDS(!memcmp(out[0], out[1], EVP_MD_get_size(ours)));
}

static void digests(OSSL_LIB_CTX *lib, char *names) {
    char *first = strtok(names, ":");
    EVP_MD *ours = EVP_MD_fetch(lib, first, "lanesum.all=yes");
    EVP_MD *theirs = EVP_MD_fetch(lib, first, "provider=default");
    HOLDS(ours && theirs);
    HOLDS(!strcmp(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(ours)), "lanesum"));
    for (char *name = first; name; name = strtok(NULL, ":")) {
        EVP_MD *same = EVP_MD_fetch(lib, name, "lanesum.all=yes");
        HOLDS(same && EVP_MD_is_a(same, first) && EVP_MD_is_a(theirs, first));
        EVP_MD_free(same);
    }
    HOLDS(EVP_MD_get_type(ours) == EVP_MD_get_type(theirs));
    HOLDS(EVP_MD_get_size(ours) == EVP_MD_get_size(theirs));
    HOLDS(EVP_MD_get_block_size(ours) == EVP_MD_get_block_size(theirs));
    HOLDS(EVP_MD_get_flags(ours) == EVP_MD_get_flags(theirs));
    ssl3(ours, theirs);

    unsigned char a[64], b[64];
    EVP_MD_CTX *whole = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    /* Every length up to a few blocks, then some longer ones, split at possible ends of a block. */
    for (size_t len = 0; len < sizeof message; len += len < 300 ? 1 : 611) {
        unsigned n = digest(ours, message, len, a);
        HOLDS(n == digest(theirs, message, len, b) && !memcmp(a, b, n));
        size_t split = len * 7 % (len + 1);
        HOLDS(EVP_DigestInit_ex(whole, ours, NULL));
        HOLDS(EVP_DigestUpdate(whole, message, split));
        HOLDS(EVP_MD_CTX_copy_ex(copy, whole));
        HOLDS(EVP_DigestUpdate(copy, message + split, len - split));
        HOLDS(EVP_DigestUpdate(copy, NULL, 0));
        memset(a, 0, sizeof a);
        HOLDS(EVP_DigestFinal_ex(copy, a, &n) && !memcmp(a, b, n));
        HOLDS(EVP_DigestUpdate(whole, message + split, len - split));
        memset(a, 0, sizeof a);
        HOLDS(EVP_DigestFinal_ex(whole, a, &n) && !memcmp(a, b, n));
    }
    /* A finished context is unusable until it is initialized again. */
    HOLDS(!EVP_DigestUpdate(whole, message, 1) || !EVP_DigestFinal_ex(whole, a, NULL));
    HOLDS(EVP_DigestInit_ex(whole, ours, NULL) && EVP_DigestFinal_ex(whole, a, NULL));
    ERR_clear_error();
    EVP_MD_CTX_free(whole);
    EVP_MD_CTX_free(copy);
    EVP_MD_free(ours);
    EVP_MD_free(theirs);
}

/* Checks the last error of the queue: OpenSSL's text of the reason, and our data. */
static void failed_for(const char *reason, const char *data) {
    const char *file, *function, *said;
    int flags;
    unsigned long error = ERR_peek_last_error_all(&file, NULL, &function, &said, &flags);
    HOLDS(error && !strcmp(ERR_reason_error_string(error), reason));
    HOLDS(!strcmp(file, "lanesum") && (flags & ERR_TXT_STRING) && strstr(said, data));
    ERR_clear_error();
}

static size_t mac(EVP_MAC *hmac, const char *digest, size_t key, size_t len, unsigned char *out) {
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(hmac), *copy;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
                           OSSL_PARAM_END};
    params[0].data_size = strlen(digest);
    size_t n = 0;
    HOLDS(EVP_MAC_init(ctx, message, key, params));
    HOLDS(EVP_MAC_update(ctx, message, len / 2));
    HOLDS((copy = EVP_MAC_CTX_dup(ctx)));
    HOLDS(EVP_MAC_update(copy, message + len / 2, len - len / 2));
    HOLDS(EVP_MAC_final(copy, NULL, &n, 0) && n == EVP_MAC_CTX_get_mac_size(ctx));
    HOLDS(EVP_MAC_final(copy, out, &n, 64));
    /* Without a key, init reuses the previous one. */
    unsigned char again[64];
    HOLDS(EVP_MAC_init(ctx, NULL, 0, NULL) && EVP_MAC_update(ctx, message, len));
    HOLDS(EVP_MAC_final(ctx, again, &n, sizeof again) && !memcmp(out, again, n));
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_CTX_free(copy);
    return n;
}

static void macs(OSSL_LIB_CTX *lib) {
    static const char *const names[] = {"SHA1", "SHA2-256", "SHA384", "SHA512-256", "MD5"};
    EVP_MAC *ours = EVP_MAC_fetch(lib, "HMAC", KEYED);
    EVP_MAC *theirs = EVP_MAC_fetch(lib, "HMAC", "provider=default");
    HOLDS(ours && theirs);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t len = 0; len < 300; len += 13) {
            unsigned char a[64], b[64];
            size_t n = mac(ours, names[i], len * 2, len, a);
            HOLDS(n == mac(theirs, names[i], len * 2, len, b) && !memcmp(a, b, n));
        }
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(ours);
    unsigned char out[64];
    size_t n, record = 64;
    HOLDS(!EVP_MAC_init(ctx, message, 20, NULL)); /* no digest */
    OSSL_PARAM foreign[] = {OSSL_PARAM_utf8_string("digest", "SHA3-256", 8), OSSL_PARAM_END};
    HOLDS(!EVP_MAC_init(ctx, message, 20, foreign));
    failed_for("invalid digest", "use another provider");
    OSSL_PARAM extendable[] = {OSSL_PARAM_utf8_string("digest", "SHAKE256", 8), OSSL_PARAM_END};
    HOLDS(!EVP_MAC_init(ctx, message, 20, extendable));
    failed_for("xof digests not allowed", "");
    OSSL_PARAM wrong[] = {OSSL_PARAM_octet_string("digest", message, 4), OSSL_PARAM_END};
    HOLDS(!EVP_MAC_CTX_set_params(ctx, wrong));
    OSSL_PARAM right[] = {OSSL_PARAM_utf8_string("digest", "SHA256", 6), OSSL_PARAM_END};
    EVP_MAC_CTX *keyless = EVP_MAC_CTX_new(ours);
    HOLDS(EVP_MAC_CTX_set_params(keyless, right) && !EVP_MAC_init(keyless, NULL, 0, NULL));
    EVP_MAC_CTX_free(keyless);
    HOLDS(EVP_MAC_CTX_set_params(ctx, right));
    HOLDS(EVP_MAC_init(ctx, message, 0, NULL)); /* an empty one */
    HOLDS(!EVP_MAC_final(ctx, out, &n, 31));
    HOLDS(EVP_MAC_final(ctx, out, &n, 32) && n == 32);
    HOLDS(!EVP_MAC_update(ctx, message, 1)); /* finished */
    HOLDS(EVP_MAC_init(ctx, message, 20, NULL));
    OSSL_PARAM tls[] = {OSSL_PARAM_size_t("tls-data-size", &record), OSSL_PARAM_END};
    HOLDS(!EVP_MAC_CTX_set_params(ctx, tls));
    ERR_clear_error();
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(ours);
    EVP_MAC_free(theirs);
}

static int derive(EVP_KDF *kdf, const OSSL_PARAM *params, unsigned char *out, size_t len) {
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    /* A duplicate has the parameters of the original, even after the original is reset. */
    if (!EVP_KDF_CTX_set_params(ctx, params)) {
        EVP_KDF_CTX_free(ctx);
        return 0;
    }
    EVP_KDF_CTX *copy = EVP_KDF_CTX_dup(ctx);
    /* OpenSSL 3.0's own KDFs cannot be duplicated. */
    HOLDS(copy || strcmp(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(kdf)), "lanesum"));
    if (copy)
        EVP_KDF_CTX_reset(ctx);
    else
        copy = ctx, ctx = NULL;
    int status = EVP_KDF_derive(copy, out, len, NULL) == 1;
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_CTX_free(copy);
    return status;
}

/* Derives a key with both and compares them. On failure the reasons must agree, if OpenSSL's own
   function reports one. */
static void both(EVP_KDF *ours, EVP_KDF *theirs, const OSSL_PARAM *params, size_t len) {
    unsigned char a[300], b[300];
    ERR_clear_error();
    int done = derive(ours, params, a, len);
    unsigned long our_error = ERR_peek_last_error();
    ERR_clear_error();
    HOLDS(done == derive(theirs, params, b, len));
    unsigned long their_error = ERR_peek_last_error();
    HOLDS(done ? !memcmp(a, b, len) : our_error != 0);
    const char *our_reason = ERR_reason_error_string(our_error);
    const char *their_reason = ERR_reason_error_string(their_error);
    if (!done && their_error && strcmp(our_reason, their_reason)) {
        fprintf(stderr, "%s, but OpenSSL's own: %s\n", our_reason, their_reason);
        exit(1);
    }
    ERR_clear_error();
}

static void kdfs(OSSL_LIB_CTX *lib) {
    unsigned char a[300];
    EVP_KDF *ours = EVP_KDF_fetch(lib, "HKDF", KEYED);
    EVP_KDF *theirs = EVP_KDF_fetch(lib, "HKDF", "provider=default");
    HOLDS(ours && theirs);
    for (int mode = 0; mode < 3; mode++)
        for (size_t len = 0; len <= sizeof a; len += 20) {
            OSSL_PARAM params[] = {OSSL_PARAM_int("mode", &mode),
                                   OSSL_PARAM_utf8_string("digest", "SHA1", 4),
                                   OSSL_PARAM_octet_string("key", message, 30 + len),
                                   OSSL_PARAM_octet_string("salt", message + 9, len / 3),
                                   OSSL_PARAM_octet_string("info", message + 1, len / 2),
                                   OSSL_PARAM_octet_string("info", message + 2, 3),
                                   OSSL_PARAM_END};
            both(ours, theirs, params, len);
            params[0] = OSSL_PARAM_construct_utf8_string("mode", "EXTRACT", 7);
            both(ours, theirs, params, len);
            params[0] = OSSL_PARAM_construct_int("mode", &mode);
            params[2].key = "nothing";
            both(ours, theirs, params, len); /* no key */
            params[2].key = "key";
            params[1].key = "nothing";
            both(ours, theirs, params, len); /* no digest */
        }
    EVP_KDF_free(ours);
    EVP_KDF_free(theirs);

    ours = EVP_KDF_fetch(lib, "PBKDF2", KEYED);
    theirs = EVP_KDF_fetch(lib, "PBKDF2", "provider=default");
    HOLDS(ours && theirs);
    for (unsigned iterations = 0; iterations < 1500; iterations = iterations * 3 + 1)
        for (int pkcs5 = 0; pkcs5 < 2; pkcs5++)
            for (size_t len = 1; len < sizeof a; len += 97) {
                OSSL_PARAM params[] = {OSSL_PARAM_uint("iter", &iterations),
                                       OSSL_PARAM_int("pkcs5", &pkcs5),
                                       OSSL_PARAM_utf8_string("digest", "SHA2-512", 8),
                                       OSSL_PARAM_octet_string("pass", message, len),
                                       OSSL_PARAM_octet_string("salt", message + 9, 24),
                                       OSSL_PARAM_END};
                both(ours, theirs, params, len);
                params[4].data_size = 15;
                both(ours, theirs, params, len);
                params[4].key = "nothing";
                both(ours, theirs, params, len); /* no salt */
                params[4].key = "salt";
                params[3].key = "nothing";
                both(ours, theirs, params, len); /* no password */
                /* Newer versions of OpenSSL also reject it. */
                params[2] = OSSL_PARAM_construct_utf8_string("digest", "SHAKE128", 8);
                HOLDS(!derive(ours, params, a, len));
                failed_for("xof digests not allowed", "");
            }
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(ours);
    HOLDS(EVP_KDF_derive(ctx, a, 20, NULL) != 1); /* nothing is set */
    HOLDS(EVP_KDF_CTX_get_kdf_size(ctx) == SIZE_MAX);
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(ours);
    EVP_KDF_free(theirs);
    ERR_clear_error();
}

static void *thread(void *md) {
    unsigned char a[64], b[64];
    for (int i = 0; i < 300; i++) {
        unsigned n = digest(md, message, i * 5, a);
        HOLDS(n == digest(md, message, i * 5, b) && !memcmp(a, b, n));
    }
    return NULL;
}

/* Threads share a digest, and a child continues with the context of its parent. */
static void processes(OSSL_LIB_CTX *lib) {
    EVP_MD *md = EVP_MD_fetch(lib, "SHA512", "lanesum.all=yes");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    pthread_t threads[4];
    unsigned char a[64], b[64];
    HOLDS(EVP_DigestInit_ex(ctx, md, NULL) && EVP_DigestUpdate(ctx, message, 1000));
    for (int i = 0; i < 4; i++) HOLDS(!pthread_create(&threads[i], NULL, thread, md));
    pid_t child = fork();
    HOLDS(child >= 0);
    digest(md, message, 2000, b);
    HOLDS(EVP_DigestUpdate(ctx, message + 1000, 1000) && EVP_DigestFinal_ex(ctx, a, NULL));
    HOLDS(!memcmp(a, b, 64));
    if (!child) {
        /* Not _exit: the child has the memory, but not the threads, of its parent, and valgrind
           would report that memory as leaked. */
        execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    int status;
    HOLDS(waitpid(child, &status, 0) == child && status == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

/* Unloads the provider while its functions are in use, and frees the library context before the
   objects created from it. */
static void odd_orders(const char *directory) {
    unsigned char a[64];
    for (int unload = 0; unload < 2; unload++) {
        OSSL_LIB_CTX *lib = context(directory);
        EVP_MD *md = EVP_MD_fetch(lib, "SHA256", "lanesum.all=yes");
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        HOLDS(EVP_DigestInit_ex(ctx, md, NULL) && EVP_DigestUpdate(ctx, message, 100));
        if (unload) HOLDS(OSSL_PROVIDER_unload(ours));
        EVP_MD_free(md);
        HOLDS(EVP_DigestFinal_ex(ctx, a, NULL));
        if (unload) EVP_MD_CTX_free(ctx);
        if (!unload) HOLDS(OSSL_PROVIDER_unload(ours));
        HOLDS(OSSL_PROVIDER_unload(theirs));
        OSSL_LIB_CTX_free(lib);
        if (!unload) EVP_MD_CTX_free(ctx);
    }
}

/* Calls the provider's functions directly, in ways that libcrypto does not. */
static void by_hand(const char *directory) {
    char path[4096];
    snprintf(path, sizeof path, "%s/lanesum.so", directory);
    void *library = dlopen(path, RTLD_NOW);
    HOLDS(library);
    OSSL_provider_init_fn *init = (OSSL_provider_init_fn *)dlsym(library, "OSSL_provider_init");
    const OSSL_DISPATCH none = {0, NULL}, *functions = NULL;
    void *provider = NULL;
    HOLDS(init && !init(NULL, &none, NULL, NULL) && !init(NULL, NULL, &functions, NULL));
    HOLDS(init(NULL, NULL, &functions, &provider) && functions && provider);
    OSSL_FUNC_provider_query_operation_fn *query = NULL;
    OSSL_FUNC_provider_teardown_fn *teardown = NULL;
    OSSL_FUNC_provider_get_params_fn *get = NULL;
    for (const OSSL_DISPATCH *f = functions; f->function_id; f++) {
        if (f->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION)
            query = OSSL_FUNC_provider_query_operation(f);
        /* libcrypto would use the strings after some programs have unloaded the library. */
        HOLDS(f->function_id != OSSL_FUNC_PROVIDER_GET_REASON_STRINGS);
        if (f->function_id == OSSL_FUNC_PROVIDER_TEARDOWN) teardown = OSSL_FUNC_provider_teardown(f);
        if (f->function_id == OSSL_FUNC_PROVIDER_GET_PARAMS) get = OSSL_FUNC_provider_get_params(f);
    }
    HOLDS(query && teardown && get && !get(NULL, NULL) && get(provider, NULL));
    int keep;
    HOLDS(!query(NULL, OSSL_OP_DIGEST, &keep) && !query(provider, 99, &keep));
    HOLDS(query(provider, OSSL_OP_DIGEST, NULL));
    for (const OSSL_ALGORITHM *a = query(provider, OSSL_OP_DIGEST, &keep); a->algorithm_names; a++) {
        OSSL_FUNC_digest_newctx_fn *new = NULL;
        OSSL_FUNC_digest_freectx_fn *release = NULL;
        OSSL_FUNC_digest_dupctx_fn *dup = NULL;
        OSSL_FUNC_digest_init_fn *begin = NULL;
        OSSL_FUNC_digest_update_fn *update = NULL;
        OSSL_FUNC_digest_final_fn *final = NULL;
        OSSL_FUNC_digest_digest_fn *once = NULL;
        int (*serialize)(void *, unsigned char *, size_t *) = NULL;
        int (*deserialize)(void *, const unsigned char *, size_t) = NULL;
        for (const OSSL_DISPATCH *f = a->implementation; f->function_id; f++) switch (f->function_id) {
            case OSSL_FUNC_DIGEST_NEWCTX: new = OSSL_FUNC_digest_newctx(f); break;
            case OSSL_FUNC_DIGEST_FREECTX: release = OSSL_FUNC_digest_freectx(f); break;
            case OSSL_FUNC_DIGEST_DUPCTX: dup = OSSL_FUNC_digest_dupctx(f); break;
            case OSSL_FUNC_DIGEST_INIT: begin = OSSL_FUNC_digest_init(f); break;
            case OSSL_FUNC_DIGEST_UPDATE: update = OSSL_FUNC_digest_update(f); break;
            case OSSL_FUNC_DIGEST_FINAL: final = OSSL_FUNC_digest_final(f); break;
            case OSSL_FUNC_DIGEST_DIGEST: once = OSSL_FUNC_digest_digest(f); break;
            case 16: serialize = (int (*)(void *, unsigned char *, size_t *))f->function; break;
            case 17: deserialize = (int (*)(void *, const unsigned char *, size_t))f->function; break;
        }
        unsigned char out[64], other[64], state[512];
        size_t n = 0, state_len = 0, room;
        release(NULL);
        HOLDS(!dup(NULL) && !begin(NULL, NULL) && !update(NULL, message, 1));
        HOLDS(!final(NULL, out, &n, 64) && !serialize(NULL, state, &state_len));
        HOLDS(!once(provider, NULL, 1, out, &n, 64) && !once(provider, message, 1, NULL, &n, 64));
        HOLDS(!once(provider, message, 1, out, &n, 15));
        void *ctx = new(provider), *second = new(provider);
        HOLDS(ctx && second && !update(ctx, message, 1) && !final(ctx, out, &n, 64));
        HOLDS(!serialize(ctx, NULL, &state_len));
        HOLDS(begin(ctx, NULL) && !update(ctx, NULL, 1) && !update(ctx, message, SIZE_MAX));
        HOLDS(update(ctx, NULL, 0) && update(ctx, message, 77));
        HOLDS(serialize(ctx, NULL, &state_len) && state_len < sizeof state);
        room = state_len - 1;
        HOLDS(!serialize(ctx, state, &room) && room == state_len && serialize(ctx, state, &room));
        HOLDS(!deserialize(second, state, state_len - 1) && !deserialize(second, NULL, 0));
        state[5] ^= 0x40; /* the name of another algorithm or of none */
        HOLDS(!deserialize(second, state, state_len));
        state[5] ^= 0x40;
        HOLDS(deserialize(second, state, state_len));
        HOLDS(!final(ctx, NULL, &n, 64) && !final(ctx, out, &n, 15));
        HOLDS(final(ctx, out, &n, 64) && !final(ctx, out, &n, 64) && !update(ctx, message, 1));
        HOLDS(final(second, other, NULL, 64) && !memcmp(out, other, n));
        release(ctx);
        release(second);
    }
    teardown(provider);
    HOLDS(!dlclose(library));
}

int main(int count, char **arguments) {
    HOLDS(count > 2);
    for (size_t i = 0; i < sizeof message; i++) message[i] = i % 251;
    by_hand(arguments[1]);
    OSSL_LIB_CTX *lib = context(arguments[1]);
    about();
    for (int i = 2; i < count; i++) digests(lib, arguments[i]);
    macs(lib);
    kdfs(lib);
    processes(lib);
    HOLDS(OSSL_PROVIDER_unload(ours) && OSSL_PROVIDER_unload(theirs));
    OSSL_LIB_CTX_free(lib);
    odd_orders(arguments[1]);
    printf("all well\n");
    return 0;
}
