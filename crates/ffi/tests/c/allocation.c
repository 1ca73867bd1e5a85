/* Nothing is allocated once an algorithm was used. */
#include "check.h"
#include <errno.h>

/* The allocator, with a counter before it: for the library as well. */
static size_t calls;
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
void *malloc(size_t len) { return calls++, __libc_malloc(len); }
void *calloc(size_t count, size_t len) { return calls++, __libc_calloc(count, len); }
void *realloc(void *old, size_t len) { return calls++, __libc_realloc(old, len); }
void *aligned_alloc(size_t alignment, size_t len) {
    return calls++, __libc_memalign(alignment, len);
}
int posix_memalign(void **to, size_t alignment, size_t len) {
    calls++;
    *to = __libc_memalign(alignment, len);
    return *to == NULL ? ENOMEM : 0;
}

enum { COUNT = 100, LEN = 200 };
static unsigned char buffer[COUNT * LEN], out[COUNT * 64];
static const void *messages[COUNT];
static size_t lens[COUNT];
static uint64_t offsets[COUNT + 1];

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

int main(void) {
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = buffer + i * LEN;
        lens[i] = i * 2;
        offsets[i + 1] = offsets[i] + 2 * i;
    }
    void *volatile one = malloc(1);
    free(one);
    HOLDS(calls == 1);
    const lanesum_policy *portable = policy_of("portable");
    for (lanesum_algorithm algorithm = LANESUM_SHA1; algorithm <= LANESUM_SM3; algorithm++) {
        everything(algorithm, NULL);
        everything(algorithm, portable);
        size_t before = calls;
        everything(algorithm, NULL);
        everything(algorithm, portable);
        HOLDS(calls == before);
    }
    return 0;
}
