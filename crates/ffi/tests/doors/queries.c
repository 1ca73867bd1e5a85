/* Checks which provider's keyed functions and digests a query selects, and that OpenSSL allows no
   better definition. Arguments: the directory of lanesum.so, and names of digests, preceded by a minus
   sign if they are slower than OpenSSL's own, or else by a plus sign. */
#include <openssl/core_dispatch.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "holds.h"

/* Whether a query selects the functions of the provider `name`, or none if `name` is NULL. */
static int finds(OSSL_LIB_CTX *lib, const char *query, const char *name) {
    EVP_MAC *hmac = EVP_MAC_fetch(lib, "HMAC", query);
    EVP_KDF *hkdf = EVP_KDF_fetch(lib, "HKDF", query), *pbkdf2 = EVP_KDF_fetch(lib, "PBKDF2", query);
    const OSSL_PROVIDER *of[] = {hmac ? EVP_MAC_get0_provider(hmac) : NULL,
                                 hkdf ? EVP_KDF_get0_provider(hkdf) : NULL,
                                 pbkdf2 ? EVP_KDF_get0_provider(pbkdf2) : NULL};
    int all = 1;
    for (int i = 0; i < 3; i++)
        all &= name ? of[i] && !strcmp(OSSL_PROVIDER_get0_name(of[i]), name) : !of[i];
    EVP_MAC_free(hmac);
    EVP_KDF_free(hkdf);
    EVP_KDF_free(pbkdf2);
    ERR_clear_error();
    return all;
}

/* A provider whose HMAC defines the property `provider` explicitly, next to its own. None of its
   functions are called. */
static void *new_context(void *provider) { return provider; }
static void free_context(void *context) { (void)context; }
static int nothing(void) { return 0; }

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache) {
    static const OSSL_DISPATCH functions[] = {
        {OSSL_FUNC_MAC_NEWCTX, (void (*)(void))new_context},
        {OSSL_FUNC_MAC_FREECTX, (void (*)(void))free_context},
        {OSSL_FUNC_MAC_INIT, (void (*)(void))nothing},
        {OSSL_FUNC_MAC_UPDATE, (void (*)(void))nothing},
        {OSSL_FUNC_MAC_FINAL, (void (*)(void))nothing},
        {0, NULL}};
    static const OSSL_ALGORITHM macs[] = {{"HMAC", "provider=both,both.keyed=yes", functions, NULL},
                                          {NULL, NULL, NULL, NULL}};
    (void)provider;
    *no_cache = 0;
    return operation == OSSL_OP_MAC ? macs : NULL;
}

static int both(const OSSL_CORE_HANDLE *core, const OSSL_DISPATCH *upcalls,
                const OSSL_DISPATCH **functions, void **provider) {
    static const OSSL_DISPATCH own[] = {
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query}, {0, NULL}};
    (void)core, (void)upcalls;
    *functions = own;
    *provider = (void *)own;
    return 1;
}

/* A definition that names its provider has a disadvantage: an HMAC that
   `provider=both,both.keyed=yes` selects is also selected by `?provider=both`. */
static void no_other_way(OSSL_LIB_CTX *lib) {
    HOLDS(OSSL_PROVIDER_add_builtin(lib, "both", both));
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(lib, "both");
    HOLDS(provider);
    for (int i = 0; i < 2; i++) {
        const char *query = i ? "?provider=both" : "provider=both,both.keyed=yes";
        EVP_MAC *hmac = EVP_MAC_fetch(lib, "HMAC", query);
        HOLDS(hmac && EVP_MAC_get0_provider(hmac) == provider);
        EVP_MAC_free(hmac);
    }
    HOLDS(OSSL_PROVIDER_unload(provider));
}

/* Checks which provider's digest a query selects: none if `provider` is NULL. */
static void digest_of(OSSL_LIB_CTX *lib, const char *name, const char *query, const char *provider) {
    EVP_MD *md = EVP_MD_fetch(lib, name, query);
    const char *of = md ? OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md)) : NULL;
    if (provider ? !of || strcmp(of, provider) : of != NULL) {
        fprintf(stderr, "%s by %s: %s, not %s\n", name, query, of ? of : "none", provider ? provider : "none");
        exit(1);
    }
    EVP_MD_free(md);
    ERR_clear_error();
}

/* A query for the provider does not select a digest that is slower than OpenSSL's own. */
static void digest(OSSL_LIB_CTX *lib, const char *name, int is_slower) {
    digest_of(lib, name, "lanesum.all=yes", "lanesum");
    digest_of(lib, name, "?lanesum.all=yes", "lanesum");
    digest_of(lib, name, "?provider=lanesum,?lanesum.all=yes", "lanesum");
    digest_of(lib, name, "provider=lanesum", is_slower ? NULL : "lanesum");
    digest_of(lib, name, "?provider=lanesum", is_slower ? "default" : "lanesum");
}

int main(int count, char **arguments) {
    HOLDS(count > 1);
    OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
    HOLDS(lib && OSSL_PROVIDER_set_default_search_path(lib, arguments[1]));
    OSSL_PROVIDER *theirs = OSSL_PROVIDER_load(lib, "default");
    OSSL_PROVIDER *ours = OSSL_PROVIDER_load(lib, "lanesum");
    HOLDS(theirs && ours);
    HOLDS(finds(lib, "lanesum.keyed=yes", "lanesum"));
    HOLDS(finds(lib, "?provider=lanesum,lanesum.keyed=yes", "lanesum"));
    HOLDS(finds(lib, "?provider=lanesum,?lanesum.keyed=yes", "lanesum"));
    HOLDS(finds(lib, "?provider=lanesum", "default"));
    HOLDS(finds(lib, "provider=lanesum", NULL));
    HOLDS(finds(lib, "provider=lanesum,lanesum.keyed=yes", NULL));
    no_other_way(lib);
    for (int i = 2; i < count; i++)
        digest(lib, arguments[i] + 1, arguments[i][0] == '-');
    HOLDS(OSSL_PROVIDER_unload(ours) && OSSL_PROVIDER_unload(theirs));
    OSSL_LIB_CTX_free(lib);
    return 0;
}
