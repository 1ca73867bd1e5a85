/* Computes MACs and keys with libcrypto. Reads lines "mac DIGEST KEY MESSAGE", "hkdf DIGEST KEY
   SALT INFO LENGTH" or "pbkdf2 DIGEST PASSWORD SALT ITERATIONS LENGTH" with values in hexadecimal
   after a dot. Prints each result in hexadecimal, or "-" on failure. The argument is the directory
   of lanesum.so. */
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes(const char *hex, unsigned char *to) {
    size_t n = 0;
    for (hex++; hex[0] && hex[1]; hex += 2) {
        unsigned byte;
        sscanf(hex, "%2x", &byte);
        to[n++] = byte;
    }
    return n;
}

int main(int count, char **arguments) {
    static char line[1 << 20], digest[64], word[5][1 << 18];
    static unsigned char a[1 << 17], b[1 << 17], c[1 << 17], out[1 << 17];
    if (count != 2) return 2;
    if (!OSSL_PROVIDER_set_default_search_path(NULL, arguments[1])) return 2;
    OSSL_PROVIDER *others = OSSL_PROVIDER_load(NULL, "default");
    OSSL_PROVIDER *lanesum = OSSL_PROVIDER_load(NULL, "lanesum");
    if (!others || !lanesum) return 2;
    EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", "lanesum.keyed=yes");
    EVP_KDF *hkdf = EVP_KDF_fetch(NULL, "HKDF", "lanesum.keyed=yes");
    EVP_KDF *pbkdf2 = EVP_KDF_fetch(NULL, "PBKDF2", "lanesum.keyed=yes");
    if (!hmac || !hkdf || !pbkdf2) return 2;
    while (fgets(line, sizeof line, stdin)) {
        size_t n = 0;
        int done = 0;
        sscanf(line, "%63s %63s %262143s %262143s %262143s %262143s", word[4], digest, word[0], word[1],
               word[2], word[3]);
        char kind = word[4][0];
        size_t a_len = bytes(word[0], a), b_len = bytes(word[1], b);
        OSSL_PARAM params[6] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0)};
        if (kind == 'm') {
            params[1] = OSSL_PARAM_construct_end();
            EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(hmac);
            done = EVP_MAC_init(ctx, a, a_len, params) && EVP_MAC_update(ctx, b, b_len) &&
                   EVP_MAC_final(ctx, out, &n, sizeof out);
            EVP_MAC_CTX_free(ctx);
        } else {
            unsigned iterations = strtoul(word[2] + (kind == 'p'), NULL, 10);
            size_t c_len = kind == 'h' ? bytes(word[2], c) : 0;
            n = strtoul(word[3], NULL, 10);
            params[1] = OSSL_PARAM_construct_octet_string(kind == 'h' ? "key" : "pass", a, a_len);
            params[2] = OSSL_PARAM_construct_octet_string("salt", b, b_len);
            params[3] = kind == 'h' ? OSSL_PARAM_construct_octet_string("info", c, c_len)
                                    : OSSL_PARAM_construct_uint("iter", &iterations);
            params[4] = OSSL_PARAM_construct_end();
            EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kind == 'h' ? hkdf : pbkdf2);
            done = n <= sizeof out && EVP_KDF_derive(ctx, out, n, params) == 1;
            EVP_KDF_CTX_free(ctx);
        }
        if (!done) printf("-");
        for (size_t i = 0; done && i < n; i++) printf("%02x", out[i]);
        printf("\n");
        fflush(stdout);
    }
    EVP_MAC_free(hmac);
    EVP_KDF_free(hkdf);
    EVP_KDF_free(pbkdf2);
    OSSL_PROVIDER_unload(lanesum);
    OSSL_PROVIDER_unload(others);
    return 0;
}
