/* Checks that batches hashed by several threads have the same results as those of one thread, and that
   threads are started. */
#include "check.h"
#include <pthread.h>

/* Counts the threads that the library starts. */
#include <dlfcn.h>
static size_t started;
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    started++;
    return real(thread, attributes, run, argument);
}

enum { COUNT = 3000, LEN = 400 };
static unsigned char buffer[COUNT * LEN], one[COUNT * 64], many[COUNT * 64];
static const void *messages[COUNT];
static size_t lens[COUNT];
static uint64_t offsets[COUNT + 1], links[COUNT];

/* Makes one of the calls, which writes `COUNT * len` bytes to `out`. */
static int call(int what, size_t len, unsigned char *out, const lanesum_policy *policy) {
    static lanesum_hmac_key key;
    lanesum_algorithm sha = LANESUM_SHA512;
    switch (what) {
    case 0: return lanesum_hash_many(sha, messages, lens, COUNT, out, COUNT * len, policy);
    case 1: return lanesum_hash_offsets(sha, buffer, sizeof buffer, offsets, COUNT, out, COUNT * len, policy);
    case 2: return lanesum_hash_strided(sha, buffer, LEN, LEN, COUNT, out, COUNT * len, policy);
    case 3:
        IS(LANESUM_OK, lanesum_hmac_key_init(&key, sha, "key", 3, NULL));
        return lanesum_mac_many(&key, messages, lens, COUNT, out, COUNT * len, policy);
    case 4:
        return lanesum_hkdf_many(sha, messages, lens, messages, lens, messages, lens, COUNT, out, len, policy);
    case 5: return lanesum_pbkdf2_many(sha, messages, lens, messages, lens, COUNT, 2, out, len, policy);
    case 6: return lanesum_double_hash_many(sha, messages, lens, COUNT, out, COUNT * len, policy);
    case 7: return lanesum_chain_many(sha, buffer, COUNT * 64, links, COUNT, out, COUNT * len, policy);
    default: return 1;
    }
}

int main(void) {
    static const size_t RESULT[] = {64, 64, 64, 64, 42, 42, 64, 64};
    lanesum_policy *policy;

    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = i % 251;
    /* One message in ten is long, so that the threads' parts have different numbers of messages. */
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = buffer + i * LEN;
        lens[i] = i % 10 == 0 ? LEN : i % 50;
        offsets[i + 1] = offsets[i] + lens[i];
        links[i] = i % 17;
    }
    IS(LANESUM_OK, lanesum_policy_new(NULL, 3, &policy));
    for (int what = 0; what < 8; what++) {
        size_t before = started, len = RESULT[what];
        IS(LANESUM_OK, call(what, len, one, NULL));
        HOLDS(started == before);
        memset(many, 0, sizeof many);
        IS(LANESUM_OK, call(what, len, many, policy));
        HOLDS(memcmp(one, many, COUNT * len) == 0);
        HOLDS(started > before && started <= before + 2);
        before = started;
        IS(LANESUM_E_LENGTH, what == 4 || what == 5 ? LANESUM_E_LENGTH : call(what, len - 1, many, policy));
        HOLDS(started == before);
    }
    /* Too little work for another thread. */
    size_t before = started;
    IS(LANESUM_OK, lanesum_hash_many(LANESUM_SHA256, messages, lens, 20, many, 640, policy));
    HOLDS(started == before);
    /* Arguments are checked before anything is hashed. */
    IS(LANESUM_E_PARAMETER, lanesum_pbkdf2_many(LANESUM_SHA512, messages, lens, messages, lens, COUNT, 0, many, 42, policy));
    lanesum_policy_free(policy);
    return 0;
}
