/* HMAC, HKDF and PBKDF2 of the provider, and SHA-1 with a secret, through libcrypto, one step at a
   time. The argument is the directory of lanesum.so. */
#include "steps.h"

#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>

static EVP_MAC *hmac;
static EVP_KDF *hkdf, *pbkdf2;
static EVP_MAC_CTX *begun;
static OSSL_PARAM params[8];
static size_t len;

static void digest(void) {
    /* The provider accepts Lanesum's names, also those with a slash. */
    params[0] = OSSL_PARAM_construct_utf8_string("digest", name, 0);
    params[1] = OSSL_PARAM_construct_end();
}

static void begin(void) {
    digest();
    HOLDS((begun = EVP_MAC_CTX_new(hmac)));
    HOLDS(EVP_MAC_init(begun, key, key_len, params));
    HOLDS(EVP_MAC_update(begun, message, 10) && EVP_MAC_update(begun, message, 300));
}

static void mac(void) {
    begin();
    HOLDS(EVP_MAC_final(begun, out, &len, sizeof out));
    EVP_MAC_CTX_free(begun);
}

static void mac_again(void) {
    begin();
    HOLDS(EVP_MAC_final(begun, out, &len, sizeof out));
    HOLDS(EVP_MAC_init(begun, NULL, 0, NULL) && EVP_MAC_update(begun, message, 100));
    HOLDS(EVP_MAC_final(begun, out, &len, sizeof out));
    EVP_MAC_CTX_free(begun);
}

static void mac_key_as_a_parameter(void) {
    digest();
    params[1] = OSSL_PARAM_construct_octet_string("key", key, key_len);
    params[2] = OSSL_PARAM_construct_end();
    HOLDS((begun = EVP_MAC_CTX_new(hmac)));
    HOLDS(EVP_MAC_CTX_set_params(begun, params) && EVP_MAC_init(begun, NULL, 0, NULL));
    HOLDS(EVP_MAC_update(begun, message, 1000) && EVP_MAC_final(begun, out, &len, sizeof out));
    EVP_MAC_CTX_free(begun);
}

static void mac_copied(void) {
    begin();
    EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(begun);
    HOLDS(copy && EVP_MAC_final(begun, out, &len, sizeof out));
    EVP_MAC_CTX_free(begun);
    HOLDS(EVP_MAC_update(copy, message, 200) && EVP_MAC_final(copy, out, &len, sizeof out));
    EVP_MAC_CTX_free(copy);
}

static void mac_given_up(void) {
    begin();
    EVP_MAC_CTX_free(begun);
}

static void mac_kept(void) {
    begin();
    answer.live_len = 1; /* somewhere in the heap */
}

static void mac_kept_freed(void) { EVP_MAC_CTX_free(begun); }

static void derive(EVP_KDF *kdf, size_t n) {
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    HOLDS(ctx && EVP_KDF_derive(ctx, out, n, params) == 1);
    EVP_KDF_CTX_free(ctx);
}

static void hkdf_of(const char *mode, size_t n) {
    digest();
    params[1] = OSSL_PARAM_construct_octet_string("key", key, key_len);
    params[2] = OSSL_PARAM_construct_octet_string("salt", "salt", 4);
    params[3] = OSSL_PARAM_construct_octet_string("info", "info", 4);
    params[4] = OSSL_PARAM_construct_utf8_string("mode", (char *)mode, 0);
    params[5] = OSSL_PARAM_construct_end();
    derive(hkdf, n);
}

static void hkdf_whole(void) { hkdf_of("EXTRACT_AND_EXPAND", 100); }
static void hkdf_expand(void) { hkdf_of("EXPAND_ONLY", 100); }

static void hkdf_extract(void) {
    EVP_MD *md = EVP_MD_fetch(NULL, name, "lanesum.all=yes");
    HOLDS(md);
    int n = EVP_MD_get_size(md);
    EVP_MD_free(md);
    hkdf_of("EXTRACT_ONLY", (size_t)n);
}

static void pbkdf2_one(void) {
    unsigned iterations = 3;
    digest();
    params[1] = OSSL_PARAM_construct_octet_string("pass", key, key_len);
    params[2] = OSSL_PARAM_construct_octet_string("salt", "salt", 4);
    params[3] = OSSL_PARAM_construct_uint("iter", &iterations);
    params[4] = OSSL_PARAM_construct_end();
    derive(pbkdf2, 100);
}

/* The hash of SSL 3.0 client authentication, which only SHA-1 supports. The first 48 bytes of the key
   are the master secret. The copy of it in `out` is overwritten after the step. */
static void ssl3(int copied) {
    EVP_MD *md = EVP_MD_fetch(NULL, "SHA1", "lanesum.all=yes");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new(), *last = copied ? copy : ctx;
    HOLDS(md && ctx && copy);
    memcpy(out, key, key_len < 48 ? key_len : 48);
    params[0] = OSSL_PARAM_construct_octet_string("ssl3-ms", out, 48);
    params[1] = OSSL_PARAM_construct_end();
    HOLDS(EVP_DigestInit_ex(ctx, md, NULL) && EVP_DigestUpdate(ctx, message, 1000));
    HOLDS(EVP_MD_CTX_set_params(ctx, params) == 1);
    if (copied) HOLDS(EVP_MD_CTX_copy_ex(copy, ctx));
    HOLDS(EVP_DigestFinal_ex(last, out + 64, NULL));
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    EVP_MD_free(md);
}

static void ssl3_whole(void) {
    if (!strcmp(name, "sha1")) ssl3(0);
}

static void ssl3_copied(void) {
    if (!strcmp(name, "sha1")) ssl3(1);
}

int main(int count, char **arguments) {
    HOLDS(count == 2 && OSSL_PROVIDER_set_default_search_path(NULL, arguments[1]));
    HOLDS(OSSL_PROVIDER_load(NULL, "default") && OSSL_PROVIDER_load(NULL, "lanesum"));
    HOLDS((hmac = EVP_MAC_fetch(NULL, "HMAC", "lanesum.keyed=yes")));
    HOLDS((hkdf = EVP_KDF_fetch(NULL, "HKDF", "lanesum.keyed=yes")));
    HOLDS((pbkdf2 = EVP_KDF_fetch(NULL, "PBKDF2", "lanesum.keyed=yes")));
    static const struct step steps[] = {
        PLANTED,
        {"mac", mac},
        {"mac_again", mac_again},
        {"mac_key_as_a_parameter", mac_key_as_a_parameter},
        {"mac_copied", mac_copied},
        {"mac_given_up", mac_given_up},
        {"mac_kept", mac_kept},
        {"mac_kept_freed", mac_kept_freed},
        {"hkdf", hkdf_whole},
        {"hkdf_extract", hkdf_extract},
        {"hkdf_expand", hkdf_expand},
        {"pbkdf2", pbkdf2_one},
        {"ssl3", ssl3_whole},
        {"ssl3_copied", ssl3_copied},
    };
    return serve(steps, sizeof steps / sizeof *steps);
}
