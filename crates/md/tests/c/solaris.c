/* A program for Solaris: one context type and one set of functions for all of SHA-2. */
#include <sha2.h>
#include <stdio.h>
#include <string.h>

extern void md5_calc(unsigned char *digest, unsigned char *data, unsigned int len);

static void print(const unsigned char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

int main(void) {
    static const struct {
        uint64_t mechanism;
        size_t len;
    } MECHANISMS[] = {{SHA256, 32}, {SHA256_HMAC, 32}, {SHA384, 48}, {SHA512, 64},
                      {SHA512_224, 28}, {SHA512_256, 32}};
    unsigned char digest[64], untouched[64];
    SHA2_CTX context;

    if (sizeof context != 216)
        return 1;
    for (size_t i = 0; i < sizeof MECHANISMS / sizeof *MECHANISMS; i++) {
        SHA2Init(MECHANISMS[i].mechanism, &context);
        SHA2Update(&context, "a", 1);
        SHA2Update(&context, "bc", 2);
        SHA2Final(digest, &context);
        print(digest, MECHANISMS[i].len);
    }
    SHA512Init(&context);
    SHA2Update(&context, "abc", 3);
    SHA512Final(digest, &context);
    print(digest, 64);
    md5_calc(digest, (unsigned char *)"abc", 3);
    print(digest, 16);

    /* A context that is finished, uninitialized or without a mechanism: nothing is written. */
    memset(digest, 0x77, sizeof digest);
    memset(untouched, 0x77, sizeof untouched);
    SHA2Update(&context, "abc", 3);
    SHA2Final(digest, &context);
    for (int byte = 0; byte < 256; byte++) {
        memset(&context, byte, sizeof context);
        SHA2Update(&context, "abc", 3);
        SHA2Final(digest, &context);
    }
    SHA2Init(11, &context);
    SHA2Update(&context, "abc", 3);
    SHA2Final(digest, &context);
    SHA2Init(UINT64_MAX, &context);
    SHA2Final(digest, &context);
    SHA2Init(SHA256, NULL);
    SHA2Final(digest, NULL);
    SHA2Init(SHA256, &context);
    SHA2Final(NULL, &context);
    return memcmp(digest, untouched, sizeof digest) != 0;
}
