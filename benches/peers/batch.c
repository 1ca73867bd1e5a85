/* Batches of messages with Lanesum's C call and with other libraries, alternating in one process.
   Prints a line per sample: algorithm, library, messages per call, bytes per message, ns per
   message, and the core's clock and width before and after. `lanesum-bench keep` selects the valid
   samples. Built by benches/batch with -DISAL, -DFIREDANCER and -DHASHTREE if these libraries are
   available. */
#include <dlfcn.h>
#include <lanesum.h>
#define NO_COMPAT_IMB_API_053 /* or it defines the name SHA1 */
#include <intel-ipsec-mb.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ISAL
#include <sha1_mb.h>
#include <sha256_mb.h>
#include <sha512_mb.h>
#endif
#ifdef FIREDANCER
#include "ballet/sha256/fd_sha256.h"
#include "ballet/sha512/fd_sha512.h"
#endif
#ifdef HASHTREE
#include "hashtree.h"
#endif
#include "probe.h"

#define ROUNDS 101
#define MOST 2048
#define BYTES (4 << 20)

static unsigned char *text;
static const void *message[MOST];
static size_t lens[MOST], count;
/* Whether this call's digests will be compared. Only then are digests copied from libraries that
   return them in their own memory. */
static int compared;
static unsigned char out[MOST * 64] __attribute__((aligned(64)));

static void must(int done, const char *what) {
    if (!done) fprintf(stderr, "%s failed\n", what), exit(1);
}

/* Algorithms, with each library's number or function for it. */
enum { SHA1_, SHA256_, SHA512_, HMAC_, ALGORITHMS };
static const struct {
    const char *name, *of;
    int digest;
    IMB_HASH_ALG ipsec;
} ALGORITHM[ALGORITHMS] = {
    {"SHA1", "SHA1", 20, IMB_AUTH_SHA_1},
    {"SHA256", "SHA256", 32, IMB_AUTH_SHA_256},
    {"SHA512", "SHA512", 64, IMB_AUTH_SHA_512},
    {"HMAC-SHA256", "SHA256", 32, IMB_AUTH_HMAC_SHA_256},
};
static const unsigned char KEY[] = "a key that is shorter than a block";

/* A build of the library: the current one, and the one in the file BEFORE, to measure a change. */
struct build {
    __typeof__(&lanesum_hash_many) hash_many;
    __typeof__(&lanesum_mac_many) mac_many;
    __typeof__(&lanesum_hmac_key_init) key_init;
    __typeof__(&lanesum_algorithm_from_name) from_name;
    lanesum_hmac_key key;
    /* Looked up once, as programs do: a lookup takes as long as a short message. */
    lanesum_algorithm number[ALGORITHMS];
};
static struct build now = {.hash_many = lanesum_hash_many,
                           .mac_many = lanesum_mac_many,
                           .key_init = lanesum_hmac_key_init,
                           .from_name = lanesum_algorithm_from_name};
static struct build then;

static void begin_with(struct build *build) {
    for (size_t a = 0; a < ALGORITHMS; a++) build->number[a] = build->from_name(ALGORITHM[a].of);
    must(build->key_init(&build->key, build->from_name("SHA256"), KEY, sizeof KEY - 1, NULL) == LANESUM_OK,
         "lanesum_hmac_key_init");
}

static void load_before(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    must(library != NULL, path);
    *(void **)&then.hash_many = dlsym(library, "lanesum_hash_many");
    *(void **)&then.mac_many = dlsym(library, "lanesum_mac_many");
    // The name in older builds.
    if (!then.mac_many) *(void **)&then.mac_many = dlsym(library, "lanesum_hmac_many");
    *(void **)&then.key_init = dlsym(library, "lanesum_hmac_key_init");
    *(void **)&then.from_name = dlsym(library, "lanesum_algorithm_from_name");
    must(then.hash_many && then.mac_many && then.key_init && then.from_name && then.hash_many != lanesum_hash_many, path);
    begin_with(&then);
}

static int by(const struct build *build, int a) {
    size_t room = count * (size_t)ALGORITHM[a].digest;
    if (!build->hash_many) return 0;
    if (a == HMAC_) return build->mac_many(&build->key, message, lens, count, out, room, NULL) == LANESUM_OK;
    return build->hash_many(build->number[a], message, lens, count, out, room, NULL) == LANESUM_OK;
}
static int lanesum(int a) { return by(&now, a); }
static int before(int a) { return by(&then, a); }

/* One message at a time, with libcrypto's cheapest call. */
static int libcrypto(int a) {
    for (size_t i = 0; i < count; i++) {
        unsigned char *to = out + i * (size_t)ALGORITHM[a].digest;
        switch (a) {
        case SHA1_: SHA1(message[i], lens[i], to); break;
        case SHA256_: SHA256(message[i], lens[i], to); break;
        case SHA512_: SHA512(message[i], lens[i], to); break;
        default: HMAC(EVP_sha256(), KEY, sizeof KEY - 1, message[i], lens[i], to, NULL);
        }
    }
    return 1;
}

static IMB_MGR *manager;
static uint32_t inner[8] __attribute__((aligned(16))), outer[8] __attribute__((aligned(16)));

static void fill(IMB_JOB *job, size_t i, int a) {
    job->cipher_mode = IMB_CIPHER_NULL;
    job->cipher_direction = IMB_DIR_ENCRYPT;
    job->chain_order = IMB_ORDER_HASH_CIPHER;
    job->hash_alg = ALGORITHM[a].ipsec;
    job->src = message[i];
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = lens[i];
    job->auth_tag_output = out + i * (size_t)ALGORITHM[a].digest;
    job->auth_tag_output_len_in_bytes = (uint64_t)ALGORITHM[a].digest;
    if (a == HMAC_) {
        job->u.HMAC._hashed_auth_key_xor_ipad = (const uint8_t *)inner;
        job->u.HMAC._hashed_auth_key_xor_opad = (const uint8_t *)outer;
    }
}

/* It rejects empty messages for HMAC. */
static int ipsec_has(int a) { return a != HMAC_ || lens[0] > 0; }

/* Jobs, which are submitted one at a time and returned when their lanes are done. */
static int ipsec_job(int a) {
    size_t done = 0;
    if (!ipsec_has(a)) return 0;
    for (size_t i = 0; i < count; i++) {
        fill(IMB_GET_NEXT_JOB(manager), i, a);
        for (IMB_JOB *job = IMB_SUBMIT_JOB_NOCHECK(manager); job; job = IMB_GET_COMPLETED_JOB(manager)) done++;
    }
    while (IMB_FLUSH_JOB(manager)) done++;
    return done == count;
}

/* Bursts of the library's maximum length, if it supports bursts of the algorithm. */
static int ipsec_burst(int a) {
    static IMB_JOB jobs[IMB_MAX_BURST_SIZE];
    if (!ipsec_has(a)) return 0;
    for (size_t i = 0; i < count;) {
        uint32_t n = count - i < IMB_MAX_BURST_SIZE ? (uint32_t)(count - i) : IMB_MAX_BURST_SIZE;
        for (uint32_t j = 0; j < n; j++) fill(&jobs[j], i + j, a);
        if (IMB_SUBMIT_HASH_BURST_NOCHECK(manager, jobs, n, ALGORITHM[a].ipsec) != n) return 0;
        i += n;
    }
    return 1;
}

#ifdef ISAL
#define ISAL_WAY(ALG, alg, words, swap)                                                        \
    static int isal_##alg(void) {                                                             \
        static ISAL_##ALG##_HASH_CTX_MGR mgr __attribute__((aligned(64)));                     \
        static ISAL_##ALG##_HASH_CTX contexts[MOST] __attribute__((aligned(64)));              \
        static int made;                                                                      \
        ISAL_##ALG##_HASH_CTX *back;                                                          \
        if (!made++) must(!isal_##alg##_ctx_mgr_init(&mgr), "isal_ctx_mgr_init");              \
        for (size_t i = 0; i < count; i++) {                                                  \
            isal_hash_ctx_init(&contexts[i]);                                                 \
            if (isal_##alg##_ctx_mgr_submit(&mgr, &contexts[i], &back, message[i],             \
                                            (uint32_t)lens[i], ISAL_HASH_ENTIRE)) return 0;    \
        }                                                                                     \
        do must(!isal_##alg##_ctx_mgr_flush(&mgr, &back), "flush"); while (back);              \
        for (size_t i = 0; i < count; i++)                                                    \
            for (int w = 0; w < words; w++) {                                                 \
                __typeof__(contexts[i].job.result_digest[w]) word =                           \
                    swap(contexts[i].job.result_digest[w]);                                   \
                memcpy(out + (i * words + (size_t)w) * sizeof word, &word, sizeof word);       \
            }                                                                                 \
        return 1;                                                                             \
    }
ISAL_WAY(SHA1, sha1, 5, __builtin_bswap32)
ISAL_WAY(SHA256, sha256, 8, __builtin_bswap32)
ISAL_WAY(SHA512, sha512, 8, __builtin_bswap64)
static int isal(int a) {
    return a == SHA1_ ? isal_sha1() : a == SHA256_ ? isal_sha256() : a == SHA512_ && isal_sha512();
}
#endif

#ifdef FIREDANCER
static int firedancer(int a) {
    if (a == SHA256_) {
        fd_sha256_batch_t memory, *batch = fd_sha256_batch_init(&memory);
        for (size_t i = 0; i < count; i++) fd_sha256_batch_add(batch, message[i], lens[i], out + 32 * i);
        fd_sha256_batch_fini(batch);
    } else if (a == SHA512_) {
        fd_sha512_batch_t memory, *batch = fd_sha512_batch_init(&memory);
        for (size_t i = 0; i < count; i++) fd_sha512_batch_add(batch, message[i], lens[i], out + 64 * i);
        fd_sha512_batch_fini(batch);
    } else {
        return 0;
    }
    return 1;
}
#endif

#ifdef HASHTREE
/* Consecutive nodes of 64 bytes. */
static int hashtree(int a) {
    if (a != SHA256_ || lens[0] != 64 || (count > 1 && message[1] != (const char *)message[0] + 64)) return 0;
    hashtree_hash(out, message[0], count);
    return 1;
}
#endif

/* The libraries in benches/peers/crates. */
void crates_take(const void *const *messages, const size_t *lens, size_t count, const void *key, size_t key_len);
int crates_lanesum(int, void *), crates_commonware(int, void *), crates_tape(int, void *), crates_stringzilla(int, void *),
    crates_rustcrypto(int, void *), crates_aws_lc(int, void *);
#define CRATE(name) static int name(int a) { return crates_##name(a, compared ? out : NULL); }
CRATE(commonware)
CRATE(tape)
CRATE(stringzilla)
CRATE(rustcrypto)
CRATE(aws_lc)
static int in_rust(int a) { return crates_lanesum(a, compared ? out : NULL); }

static const struct { const char *name; int (*all)(int); } LIBRARY[] = {
    {"lanesum", lanesum},
    {"lanesum in Rust", in_rust},
    {"lanesum before", before},
    {"commonware", commonware},
    {"tape-sha256", tape},
    {"stringzilla", stringzilla},
    {"rustcrypto", rustcrypto},
    {"aws-lc", aws_lc},
    {"openssl", libcrypto},
    {"ipsec-mb job", ipsec_job},
    {"ipsec-mb burst", ipsec_burst},
#ifdef ISAL
    {"isa-l_crypto", isal},
#endif
#ifdef FIREDANCER
    {"firedancer", firedancer},
#endif
#ifdef HASHTREE
    {"hashtree", hashtree},
#endif
};
#define LIBRARIES (sizeof LIBRARY / sizeof *LIBRARY)

#define RAGGED SIZE_MAX /* lengths of 1 to 512 in random order */

/* The distance between messages: their length and a cache line. Nodes of a tree are contiguous. */
static size_t apart(size_t len) { return len == RAGGED ? 512 + 64 : len == 64 ? 64 : len + 64; }

static void take(size_t messages, size_t len) {
    count = messages;
    for (size_t i = 0; i < count; i++) {
        lens[i] = len == RAGGED ? 1 + i * 211 % 512 : len;
        message[i] = text + i * apart(len);
    }
    crates_take(message, lens, count, KEY, sizeof KEY - 1);
}

int main(void) {
    static const size_t MESSAGES[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 31, 32, 33, 48, 64, MOST};
    static const size_t LENGTHS[] = {0, 8, 32, 55, 64, 100, 128, 256, 1024, 8192, RAGGED};
    static unsigned char wanted[sizeof out];
    must((text = malloc(BYTES)) != NULL, "malloc");
    for (size_t i = 0; i < BYTES; i++) text[i] = (unsigned char)(i * i * 31 + i * 7 + (i >> 8));
    must((manager = alloc_mb_mgr(0)) != NULL, "alloc_mb_mgr");
    init_mb_mgr_auto(manager, NULL);
    unsigned char pad[64] = {0};
    memcpy(pad, KEY, sizeof KEY - 1);
    for (int i = 0; i < 64; i++) pad[i] ^= 0x36;
    IMB_SHA256_ONE_BLOCK(manager, pad, inner);
    for (int i = 0; i < 64; i++) pad[i] ^= 0x36 ^ 0x5c;
    IMB_SHA256_ONE_BLOCK(manager, pad, outer);
    begin_with(&now);
    if (getenv("BEFORE") && *getenv("BEFORE")) load_before(getenv("BEFORE"));
    double tick = tick_ns();

    for (int a = 0; a < ALGORITHMS; a++)
        for (size_t l = 0; l < sizeof LENGTHS / sizeof *LENGTHS; l++)
            for (size_t m = 0; m < sizeof MESSAGES / sizeof *MESSAGES; m++) {
                if (MESSAGES[m] * apart(LENGTHS[l]) > BYTES) continue;
                take(MESSAGES[m], LENGTHS[l]);
                char of[24] = "1-512";
                if (LENGTHS[l] != RAGGED) snprintf(of, sizeof of, "%zu", LENGTHS[l]);
                int has[LIBRARIES], calls = 1 + (int)(16384 / (count * (lens[count / 2] + 64)));
                compared = 1;
                for (size_t b = 0; b < LIBRARIES; b++) {
                    memset(out, 0, sizeof out);
                    has[b] = LIBRARY[b].all(a);
                    size_t bytes = count * (size_t)ALGORITHM[a].digest;
                    if (b == 0) memcpy(wanted, out, bytes);
                    if (has[b] && memcmp(wanted, out, bytes))
                        fprintf(stderr, "%s: other digests of %s\n", LIBRARY[b].name, ALGORITHM[a].name), exit(1);
                }
                compared = 0;
                for (int round = 0; round < ROUNDS; round++)
                    for (size_t b = 0; b < LIBRARIES; b++) {
                        if (!has[b]) continue;
                        LIBRARY[b].all(a);
                        struct probe first = probe();
                        unsigned long begin = __rdtsc();
                        for (int c = 0; c < calls; c++) LIBRARY[b].all(a);
                        double ticks = (double)(__rdtsc() - begin) / calls / (double)count;
                        struct probe last = probe();
                        printf("%s,%s,%zu,%s,%.2f", ALGORITHM[a].name, LIBRARY[b].name, count, of, ticks * tick);
                        print_core(first, last, tick);
                    }
            }
    return 0;
}
