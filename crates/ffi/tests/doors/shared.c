/* Threads may share the provider, contexts that they copy, and constant parameters. Calls the
   functions as libcrypto does, but without its locks, which would hide data races. The argument is the
   provider. With a second argument, the threads also cause a data race, which must be reported. */
#include "../c/holds.h"

#include <dlfcn.h>
#include <openssl/core_dispatch.h>
#include <openssl/params.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 20 };

static void *provider;
static const OSSL_DISPATCH *functions;

static void (*find(const OSSL_DISPATCH *table, int number))(void) {
    for (; table->function_id; table++)
        if (table->function_id == number) return table->function;
    fprintf(stderr, "no function %d\n", number);
    exit(1);
}
#define FIND(table, number, type) ((OSSL_FUNC_##type##_fn *)find(table, number))

/* Returns the dispatch table of the operation's algorithm whose names begin with `names`. */
static const OSSL_DISPATCH *algorithm(int operation, const char *names) {
    int keep;
    const OSSL_ALGORITHM *a =
        FIND(functions, OSSL_FUNC_PROVIDER_QUERY_OPERATION, provider_query_operation)(
            provider, operation, &keep);
    HOLDS(a);
    while (a->algorithm_names && strncmp(a->algorithm_names, names, strlen(names))) a++;
    HOLDS(a->algorithm_names);
    return a->implementation;
}

static unsigned char bytes[300];
static unsigned iterations = 5;
static const OSSL_PARAM mac_params[] = {OSSL_PARAM_utf8_string("digest", "SHA256", 6),
                                        OSSL_PARAM_octet_string("key", bytes, 20), OSSL_PARAM_END};
static const OSSL_PARAM kdf_params[] = {OSSL_PARAM_utf8_string("digest", "SHA512", 6),
                                        OSSL_PARAM_octet_string("pass", bytes, 20),
                                        OSSL_PARAM_octet_string("salt", bytes, 20),
                                        OSSL_PARAM_uint("iter", &iterations), OSSL_PARAM_END};

static const OSSL_DISPATCH *md, *mac, *kdf;
static void *shared_md, *shared_mac, *shared_kdf;
static unsigned char right[3][32];

static void of_copies(unsigned char out[3][32]) {
    size_t n;
    void *copy = FIND(md, OSSL_FUNC_DIGEST_DUPCTX, digest_dupctx)(shared_md);
    HOLDS(copy && FIND(md, OSSL_FUNC_DIGEST_UPDATE, digest_update)(copy, bytes, 200));
    HOLDS(FIND(md, OSSL_FUNC_DIGEST_FINAL, digest_final)(copy, out[0], &n, 32));
    FIND(md, OSSL_FUNC_DIGEST_FREECTX, digest_freectx)(copy);

    copy = FIND(mac, OSSL_FUNC_MAC_DUPCTX, mac_dupctx)(shared_mac);
    size_t tag = 0;
    OSSL_PARAM asked[] = {OSSL_PARAM_size_t("size", &tag), OSSL_PARAM_END};
    HOLDS(FIND(mac, OSSL_FUNC_MAC_GET_CTX_PARAMS, mac_get_ctx_params)(shared_mac, asked));
    HOLDS(copy && tag == 32 && asked[0].return_size == sizeof tag);
    HOLDS(FIND(mac, OSSL_FUNC_MAC_UPDATE, mac_update)(copy, bytes, 200));
    HOLDS(FIND(mac, OSSL_FUNC_MAC_FINAL, mac_final)(copy, out[1], &n, 32));
    HOLDS(FIND(mac, OSSL_FUNC_MAC_INIT, mac_init)(copy, NULL, 0, mac_params));
    FIND(mac, OSSL_FUNC_MAC_FREECTX, mac_freectx)(copy);

    copy = FIND(kdf, OSSL_FUNC_KDF_DUPCTX, kdf_dupctx)(shared_kdf);
    HOLDS(copy && FIND(kdf, OSSL_FUNC_KDF_DERIVE, kdf_derive)(copy, out[2], 32, kdf_params));
    FIND(kdf, OSSL_FUNC_KDF_FREECTX, kdf_freectx)(copy);
}

static int races;
static unsigned raced;

static void *thread(void *unused) {
    unsigned status = 0;
    OSSL_PARAM asked[] = {OSSL_PARAM_uint("status", &status), OSSL_PARAM_END};
    unsigned char out[3][32];
    for (int i = 0; i < ROUNDS; i++) {
        if (races) raced++;
        if (i % 10 == 0)
            HOLDS(FIND(functions, OSSL_FUNC_PROVIDER_SELF_TEST, provider_self_test)(provider));
        HOLDS(FIND(functions, OSSL_FUNC_PROVIDER_GET_PARAMS, provider_get_params)(provider, asked));
        HOLDS(status == 1 && algorithm(OSSL_OP_DIGEST, "SHA2-256") == md);
        of_copies(out);
        HOLDS(!memcmp(out, right, sizeof right));
    }
    return unused;
}

int main(int count, char **arguments) {
    HOLDS(count >= 2);
    races = count > 2;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = i % 251;
    void *library = dlopen(arguments[1], RTLD_NOW);
    HOLDS(library);
    OSSL_provider_init_fn *init = (OSSL_provider_init_fn *)dlsym(library, "OSSL_provider_init");
    HOLDS(init && init(NULL, NULL, &functions, &provider));
    md = algorithm(OSSL_OP_DIGEST, "SHA2-256");
    mac = algorithm(OSSL_OP_MAC, "HMAC");
    kdf = algorithm(OSSL_OP_KDF, "PBKDF2");
    shared_md = FIND(md, OSSL_FUNC_DIGEST_NEWCTX, digest_newctx)(provider);
    HOLDS(FIND(md, OSSL_FUNC_DIGEST_INIT, digest_init)(shared_md, NULL));
    HOLDS(FIND(md, OSSL_FUNC_DIGEST_UPDATE, digest_update)(shared_md, bytes, 100));
    shared_mac = FIND(mac, OSSL_FUNC_MAC_NEWCTX, mac_newctx)(provider);
    HOLDS(FIND(mac, OSSL_FUNC_MAC_INIT, mac_init)(shared_mac, NULL, 0, mac_params));
    HOLDS(FIND(mac, OSSL_FUNC_MAC_UPDATE, mac_update)(shared_mac, bytes, 100));
    shared_kdf = FIND(kdf, OSSL_FUNC_KDF_NEWCTX, kdf_newctx)(provider);
    HOLDS(FIND(kdf, OSSL_FUNC_KDF_SET_CTX_PARAMS, kdf_set_ctx_params)(shared_kdf, kdf_params));
    of_copies(right);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) HOLDS(!pthread_create(&threads[i], NULL, thread, NULL));
    for (int i = 0; i < THREADS; i++) HOLDS(!pthread_join(threads[i], NULL));
    FIND(md, OSSL_FUNC_DIGEST_FREECTX, digest_freectx)(shared_md);
    FIND(mac, OSSL_FUNC_MAC_FREECTX, mac_freectx)(shared_mac);
    FIND(kdf, OSSL_FUNC_KDF_FREECTX, kdf_freectx)(shared_kdf);
    FIND(functions, OSSL_FUNC_PROVIDER_TEARDOWN, provider_teardown)(provider);
    printf("all well\n");
    return 0;
}
