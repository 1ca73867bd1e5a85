/* Checks that nothing is allocated after the first use of an algorithm, and that exhausted memory
   is reported as a status. */
#include "check.h"
#include <errno.h>

/* Wraps the allocator, also for the library, and counts its calls. */
static size_t calls;
/* Longer allocations fail. */
static size_t most = SIZE_MAX;
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
void *malloc(size_t len) { return calls++, len > most ? NULL : __libc_malloc(len); }
void *calloc(size_t count, size_t len) {
    return calls++, count * len > most ? NULL : __libc_calloc(count, len);
}
void *realloc(void *old, size_t len) { return calls++, len > most ? NULL : __libc_realloc(old, len); }
void *aligned_alloc(size_t alignment, size_t len) {
    return calls++, len > most ? NULL : __libc_memalign(alignment, len);
}
int posix_memalign(void **to, size_t alignment, size_t len) {
    calls++;
    *to = len > most ? NULL : __libc_memalign(alignment, len);
    return *to == NULL ? ENOMEM : 0;
}

enum { COUNT = 100, LEN = 200 };
static unsigned char buffer[COUNT * LEN], out[COUNT * 64];
static const void *messages[COUNT];
static size_t lens[COUNT];
static uint64_t offsets[COUNT + 1];
static uint64_t links[COUNT];

static void everything(lanesum_algorithm algorithm, const lanesum_policy *policy) {
    lanesum_hasher hasher, copy;
    lanesum_hmac_key key;
    lanesum_hmac hmac;
    IS(LANESUM_OK, lanesum_hash(algorithm, buffer, 1000, out, sizeof out));
    IS(LANESUM_OK, lanesum_hasher_init(&hasher, algorithm, policy));
    for (int i = 0; i < COUNT; i++)
        IS(LANESUM_OK, lanesum_hasher_update(&hasher, messages[i], lens[i]));
    IS(LANESUM_OK, lanesum_hasher_copy(&copy, &hasher));
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, out, sizeof out));
    IS(LANESUM_OK, lanesum_hasher_finish(&copy, out, sizeof out));
    IS(LANESUM_OK, lanesum_hash_many(algorithm, messages, lens, COUNT, out, sizeof out, policy));
    IS(LANESUM_OK, lanesum_hash_offsets(algorithm, buffer, sizeof buffer, offsets, COUNT, out,
                                      sizeof out, policy));
    IS(LANESUM_OK, lanesum_hash_strided(algorithm, buffer, LEN, LEN, COUNT, out, sizeof out, policy));
    IS(LANESUM_OK, lanesum_double_hash_many(algorithm, messages, lens, COUNT, out, sizeof out, policy));
    size_t len = (size_t)lanesum_algorithm_digest_len(algorithm);
    IS(LANESUM_OK, lanesum_chain(algorithm, buffer, len, 3, out, sizeof out));
    IS(LANESUM_OK, lanesum_chain_many(algorithm, buffer, len * COUNT, links, COUNT, out, sizeof out, policy));
    IS(LANESUM_OK, lanesum_hmac_key_init(&key, algorithm, buffer, 100, policy));
    IS(LANESUM_OK, lanesum_hmac_key_mac(&key, buffer, 100, out, sizeof out));
    IS(LANESUM_OK, lanesum_mac_many(&key, messages, lens, COUNT, out, sizeof out, policy));
    IS(LANESUM_OK, lanesum_hmac_init(&hmac, &key));
    IS(LANESUM_OK, lanesum_hmac_update(&hmac, buffer, 100));
    IS(LANESUM_OK, lanesum_hmac_finish(&hmac, out, sizeof out));
    IS(LANESUM_OK, lanesum_hkdf_many(algorithm, messages, lens, messages, lens, messages, lens,
                                   COUNT, out, 42, policy));
    IS(LANESUM_OK, lanesum_pbkdf2_many(algorithm, messages, lens, messages, lens, COUNT, 2, out, 42,
                                     policy));
}

/* A log that cannot allocate memory for more entries remains unchanged. */
static void exhausted(void) {
    enum { ENTRIES = 10000 };
    static const void *entries[ENTRIES];
    static size_t ones[ENTRIES];
    unsigned char before[32], after[32];
    lanesum_log *log;
    uint64_t count;
    for (size_t i = 0; i < ENTRIES; i++) {
        entries[i] = "x";
        ones[i] = 1;
    }
    IS(LANESUM_OK, lanesum_log_begin(LANESUM_SHA256, NULL, &log));
    IS(LANESUM_OK, lanesum_log_append(log, entries, ones, 1000));
    IS(LANESUM_OK, lanesum_log_root(log, 1000, before, sizeof before));
    for (most = 1 << 10; most < 32 * 11000; most *= 2) {
        IS(LANESUM_E_MEMORY, lanesum_log_append(log, entries, ones, ENTRIES));
        IS(LANESUM_E_MEMORY, lanesum_tree_log(LANESUM_SHA256, entries, ones, ENTRIES, after, 32, NULL));
        IS(LANESUM_OK, lanesum_log_count(log, &count));
        HOLDS(count == 1000);
        IS(LANESUM_OK, lanesum_log_root(log, 1000, after, sizeof after));
        HOLDS(memcmp(before, after, sizeof before) == 0);
    }
    most = SIZE_MAX;
    IS(LANESUM_OK, lanesum_log_append(log, entries, ones, ENTRIES));
    IS(LANESUM_OK, lanesum_log_root(log, 1000 + ENTRIES, after, sizeof after));
    lanesum_log_free(log);
}

/* The memory for a root does not grow with the message. The digests of its leaves are 8 MiB. */
static void bounded(void) {
    static unsigned char message[16 << 20];
    unsigned char root[32];
    most = 4 << 20;
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 64, NULL, 0, message,
                                     sizeof message, root, sizeof root, NULL));
    most = SIZE_MAX;
}

int main(void) {
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = buffer + i * LEN;
        lens[i] = i * 2;
        links[i] = i % 4;
        offsets[i + 1] = offsets[i] + 2 * i;
    }
    void *volatile one = malloc(1);
    free(one);
    HOLDS(calls == 1);
    const lanesum_policy *portable = policy_of("portable");
    lanesum_policy *threads;
    IS(LANESUM_OK, lanesum_policy_new(NULL, 4, &threads));
    for (lanesum_algorithm algorithm = LANESUM_SHA1; lanesum_algorithm_digest_len(algorithm) > 0; algorithm++) {
        everything(algorithm, NULL);
        everything(algorithm, portable);
        everything(algorithm, threads);
        size_t before = calls;
        everything(algorithm, NULL);
        everything(algorithm, portable);
        /* The batches are too short for a second thread. */
        everything(algorithm, threads);
        HOLDS(calls == before);
    }
    lanesum_policy_free(threads);
    exhausted();
    bounded();
    return 0;
}
