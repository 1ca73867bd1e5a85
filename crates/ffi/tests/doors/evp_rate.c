/* Measures digests through EVP with OpenSSL's own provider and with Lanesum's, and through Lanesum's
   C library: evp_rate LIBLANESUM TIER. Prints a line for each case: tier, algorithm, bytes, call,
   provider, and the minimum and the median of the rounds in ns per message. */
#include <dlfcn.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <lanesum.h>

#define ROUNDS 201
#define MAX 65536

static unsigned char message[MAX], out[64];
static size_t len;
static lanesum_algorithm number;
static EVP_MD *md[2];
static EVP_MD_CTX *ctx[2];
static __typeof__(lanesum_hash) *direct;
static __typeof__(lanesum_algorithm_from_name) *named;

static void must(int done, const char *what) {
    if (!done) fprintf(stderr, "%s failed\n", what), exit(1);
}

static void whole(int i) { must(EVP_Digest(message, len, out, NULL, md[i], NULL), "EVP_Digest"); }

static void context(int i) {
    must(EVP_DigestInit_ex2(ctx[i], md[i], NULL) && EVP_DigestUpdate(ctx[i], message, len) &&
             EVP_DigestFinal_ex(ctx[i], out, NULL), "EVP_DigestFinal_ex");
}

static void without(int i) {
    (void)i;
    must(direct(number, message, len, out, sizeof out) == LANESUM_OK, "lanesum_hash");
}

static const struct { const char *name; void (*call)(int); int providers; } CALLS[] = {
    {"EVP_Digest", whole, 2}, {"EVP_MD_CTX", context, 2}, {"lanesum_hash", without, 1},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int n, char **arguments) {
    static const char *const ALGORITHMS[] = {"SHA1", "SHA256", "SHA512", "MD5", "RIPEMD160", "SM3"};
    static const size_t LENGTHS[] = {0, 16, 64, 256, 1024, 8192, 16384, 65536};
    static const char *const PROVIDERS[] = {"default", "lanesum"};
    static const char *const QUERIES[] = {"provider=default", "lanesum.all=yes"};
    static double times[3][2][ROUNDS];
    if (n != 3) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    direct = (__typeof__(direct))dlsym(library, "lanesum_hash");
    named = (__typeof__(named))dlsym(library, "lanesum_algorithm_from_name");
    /* OpenSSL finds a provider by its file name. */
    char folder[] = "/tmp/lanesum-evp-XXXXXX", link[64];
    must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(link, sizeof link, "%s/lanesum.so", folder);
    must(symlink(arguments[1], link) == 0, "symlink");
    must(OSSL_PROVIDER_set_default_search_path(NULL, folder) &&
             OSSL_PROVIDER_load(NULL, "default") && OSSL_PROVIDER_load(NULL, "lanesum"), "providers");
    unlink(link), rmdir(folder);
    for (size_t a = 0; a < sizeof ALGORITHMS / sizeof *ALGORITHMS; a++) {
        must((number = named(ALGORITHMS[a])) > 0, "the algorithm");
        for (int i = 0; i < 2; i++) {
            must((md[i] = EVP_MD_fetch(NULL, ALGORITHMS[a], QUERIES[i])) != NULL, "EVP_MD_fetch");
            must((ctx[i] = EVP_MD_CTX_new()) != NULL, "EVP_MD_CTX_new");
        }
        for (size_t l = 0; l < sizeof LENGTHS / sizeof *LENGTHS; l++) {
            len = LENGTHS[l];
            int messages = 1 + 60000 / (int)(len + 200);
            for (int round = 0; round < ROUNDS; round++)
                for (int c = 0; c < 3; c++)
                    for (int p = 0; p < CALLS[c].providers; p++) {
                        double begin = now();
                        for (int m = 0; m < messages; m++) CALLS[c].call(p);
                        times[c][p][round] = (now() - begin) / messages;
                    }
            for (int c = 0; c < 3; c++)
                for (int p = 0; p < CALLS[c].providers; p++) {
                    double *t = times[c][p];
                    qsort(t, ROUNDS, sizeof *t, ascending);
                    printf("%s,%s,%zu,%s,%s,%.1f,%.1f\n", arguments[2], ALGORITHMS[a], len, CALLS[c].name,
                           CALLS[c].providers == 1 ? "lanesum" : PROVIDERS[p], t[0], t[ROUNDS / 2]);
                }
        }
        for (int i = 0; i < 2; i++) EVP_MD_CTX_free(ctx[i]), EVP_MD_free(md[i]);
    }
    return 0;
}
