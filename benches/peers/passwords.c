/* PBKDF2 of passwords with Lanesum's C call and with other libraries, alternating in one process.
   Prints a line per sample: algorithm, library, passwords per call, iterations, ns per iteration of
   one password, and the core before and after (probe.h). Built by benches/passwords, with -DFASTPBKDF2 if that
   library is available. */
#include <lanesum.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#ifdef FASTPBKDF2
#include "fastpbkdf2.h"
#endif
#include "probe.h"

#define ROUNDS 21
#define ITERATIONS 1000
#define MOST 256

static char words[MOST][24], salts[MOST][24];
static const void *word[MOST], *salt[MOST];
static size_t word_lens[MOST], salt_lens[MOST], count;
static unsigned char out[MOST * 64];

enum { SHA1_, SHA256_, SHA512_, ALGORITHMS };
static const struct {
    const char *name;
    size_t digest;
} ALGORITHM[ALGORITHMS] = {{"SHA1", 20}, {"SHA256", 32}, {"SHA512", 64}};

static int lanesum(int a) {
    return lanesum_pbkdf2_many(lanesum_algorithm_from_name(ALGORITHM[a].name), word, word_lens, salt, salt_lens, count,
                               ITERATIONS, out, ALGORITHM[a].digest, NULL) == LANESUM_OK;
}

static int libcrypto(int a) {
    const EVP_MD *md = a == SHA1_ ? EVP_sha1() : a == SHA256_ ? EVP_sha256() : EVP_sha512();
    int done = 1;
    for (size_t i = 0; i < count; i++)
        done &= PKCS5_PBKDF2_HMAC(word[i], (int)word_lens[i], salt[i], (int)salt_lens[i], ITERATIONS, md,
                                  (int)ALGORITHM[a].digest, out + i * ALGORITHM[a].digest);
    return done;
}

#ifdef FASTPBKDF2
static int fastpbkdf2(int a) {
    static void (*const BY[])(const uint8_t *, size_t, const uint8_t *, size_t, uint32_t, uint8_t *, size_t) = {
        fastpbkdf2_hmac_sha1, fastpbkdf2_hmac_sha256, fastpbkdf2_hmac_sha512};
    for (size_t i = 0; i < count; i++)
        BY[a](word[i], word_lens[i], salt[i], salt_lens[i], ITERATIONS, out + i * ALGORITHM[a].digest, ALGORITHM[a].digest);
    return 1;
}
#endif

static const struct { const char *name; int (*all)(int); } LIBRARY[] = {
    {"lanesum", lanesum},
    {"openssl", libcrypto},
#ifdef FASTPBKDF2
    {"fastpbkdf2", fastpbkdf2},
#endif
};
#define LIBRARIES (sizeof LIBRARY / sizeof *LIBRARY)

int main(void) {
    static const size_t PASSWORDS[] = {1, 2, 4, 8, 16, 32, 64, MOST};
    static unsigned char wanted[sizeof out];
    for (size_t i = 0; i < MOST; i++) {
        word_lens[i] = (size_t)snprintf(words[i], sizeof words[i], "password %zu", i * 7919);
        salt_lens[i] = (size_t)snprintf(salts[i], sizeof salts[i], "salt %zu", i * 104729);
        word[i] = words[i], salt[i] = salts[i];
    }
    double tick = tick_ns();
    for (int a = 0; a < ALGORITHMS; a++)
        for (size_t p = 0; p < sizeof PASSWORDS / sizeof *PASSWORDS; p++) {
            count = PASSWORDS[p];
            for (int round = 0; round < ROUNDS; round++)
                for (size_t b = 0; b < LIBRARIES; b++) {
                    /* Other libraries hash one at a time, so the time per password does not depend on the count. */
                    if (b > 0 && count > 1) continue;
                    struct probe first = probe();
                    unsigned long begin = __rdtsc();
                    if (!LIBRARY[b].all(a)) return fprintf(stderr, "%s failed\n", LIBRARY[b].name), 1;
                    double ticks = (double)(__rdtsc() - begin) / ITERATIONS / (double)count;
                    struct probe last = probe();
                    size_t bytes = count * ALGORITHM[a].digest;
                    if (b == 0) memcpy(wanted, out, bytes);
                    if (memcmp(wanted, out, bytes)) return fprintf(stderr, "%s: other keys\n", LIBRARY[b].name), 1;
                    printf("%s,%s,%zu,%d,%.2f", ALGORITHM[a].name, LIBRARY[b].name, count, ITERATIONS, ticks * tick);
                    print_core(first, last, tick);
                }
        }
    return 0;
}
