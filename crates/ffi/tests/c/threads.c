/* Concurrent use of a context: one thread changes it, the others get LANESUM_E_BUSY; any number of
   threads read it. */
#include "check.h"
#include <pthread.h>
#include <sys/mman.h>

enum { ROUNDS = 20000 };

static lanesum_hasher hasher;
static lanesum_hmac_key key;
static unsigned char tag[32];
static unsigned char message[300];

/* Accepts any status that concurrent use may return. The last occurs in a call during which
   another thread initializes the context, which callers must not do. */
static void known(int status) {
    HOLDS(status == LANESUM_OK || status == LANESUM_E_BUSY || status == LANESUM_E_STATE ||
          status == LANESUM_E_INTERNAL);
}

static void *on_one_hasher(void *seed) {
    unsigned long random = (unsigned long)seed;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned char digest[64];
        lanesum_hasher copy;
        random = random * 6364136223846793005u + 1442695040888963407u;
        switch (random >> 60) {
        case 0: known(lanesum_hasher_init(&hasher, LANESUM_SHA512, NULL)); break;
        case 1: known(lanesum_hasher_init(&hasher, LANESUM_SHA1, NULL)); break;
        case 2: known(lanesum_hasher_finish(&hasher, digest, sizeof digest)); break;
        case 3: known(lanesum_hasher_wipe(&hasher)); break;
        case 4:
        case 5:
            if (lanesum_hasher_copy(&copy, &hasher) == LANESUM_OK)
                known(lanesum_hasher_finish(&copy, digest, sizeof digest));
            break;
        default:
            known(lanesum_hasher_update(&hasher, message, (random >> 40) % sizeof message));
        }
    }
    return NULL;
}

/* Threads share a key without waiting, and all tags are correct. */
static void *under_one_key(void *none) {
    (void)none;
    for (int i = 0; i < ROUNDS; i++)
        IS(LANESUM_OK, lanesum_hmac_key_verify(&key, message, sizeof message, tag, sizeof tag));
    return NULL;
}

/* Contexts that threads only read, in read-only memory. */
struct templates {
    lanesum_hasher hasher;
    lanesum_hmac hmac;
};
static const struct templates *templates;
static const lanesum_log *log_of_two;

static void *from_templates(void *none) {
    (void)none;
    for (int i = 0; i < ROUNDS; i++) {
        lanesum_hasher hasher;
        lanesum_hmac hmac;
        unsigned char digest[32], state[LANESUM_MAX_STATE_LEN];
        size_t len = sizeof state;
        uint64_t count;
        IS(LANESUM_OK, lanesum_hasher_copy(&hasher, &templates->hasher));
        IS(LANESUM_OK, lanesum_hasher_update(&hasher, "c", 1));
        IS(LANESUM_OK, lanesum_hasher_finish(&hasher, digest, sizeof digest));
        HOLDS(memcmp(digest, ABC, 32) == 0);
        IS(LANESUM_OK, lanesum_hasher_export(&templates->hasher, state, &len));
        IS(LANESUM_OK, lanesum_hmac_copy(&hmac, &templates->hmac));
        IS(LANESUM_OK, lanesum_hmac_update(&hmac, message, sizeof message));
        IS(LANESUM_OK, lanesum_hmac_verify(&hmac, tag, sizeof tag));
        IS(LANESUM_OK, lanesum_log_count(log_of_two, &count));
        IS(LANESUM_OK, lanesum_log_root(log_of_two, count, digest, sizeof digest));
    }
    return NULL;
}

/* Threads copy contexts and query a log at once: none of them is busy. */
static void read_at_once(void) {
    pthread_t threads[4];
    struct templates *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const void *entries[] = {"a", "b"};
    const size_t lens[] = {1, 1};
    lanesum_log *log;

    HOLDS(made != MAP_FAILED);
    IS(LANESUM_OK, lanesum_hasher_init(&made->hasher, LANESUM_SHA256, NULL));
    IS(LANESUM_OK, lanesum_hasher_update(&made->hasher, "ab", 2));
    IS(LANESUM_OK, lanesum_hmac_init(&made->hmac, &key));
    IS(LANESUM_OK, lanesum_log_begin(LANESUM_SHA256, NULL, &log));
    IS(LANESUM_OK, lanesum_log_append(log, entries, lens, 2));
    HOLDS(mprotect(made, sizeof *made, PROT_READ) == 0);
    templates = made;
    log_of_two = log;
    for (int i = 0; i < 4; i++)
        HOLDS(pthread_create(&threads[i], NULL, from_templates, NULL) == 0);
    for (int i = 0; i < 4; i++)
        HOLDS(pthread_join(threads[i], NULL) == 0);
    lanesum_log_free(log);
    HOLDS(munmap(made, sizeof *made) == 0);
}

int main(void) {
    pthread_t threads[8];

    IS(LANESUM_OK, lanesum_hmac_key_init(&key, LANESUM_SHA256, "key", 3, NULL));
    IS(LANESUM_OK, lanesum_hmac_key_mac(&key, message, sizeof message, tag, sizeof tag));
    for (unsigned long i = 0; i < 8; i++)
        HOLDS(pthread_create(&threads[i], NULL, i < 5 ? on_one_hasher : under_one_key,
                             (void *)(i + 1)) == 0);
    for (int i = 0; i < 8; i++)
        HOLDS(pthread_join(threads[i], NULL) == 0);

    read_at_once();

    /* The context is no longer busy. */
    unsigned char digest[32];
    IS(LANESUM_OK, lanesum_hasher_init(&hasher, LANESUM_SHA256, NULL));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "abc", 3));
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, digest, sizeof digest));
    HOLDS(memcmp(digest, ABC, 32) == 0);
    return 0;
}
