/* Concurrent use of a context: one thread gets access, the others LANESUM_E_BUSY. */
#include "check.h"
#include <pthread.h>

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

int main(void) {
    pthread_t threads[8];

    IS(LANESUM_OK, lanesum_hmac_key_init(&key, LANESUM_SHA256, "key", 3, NULL));
    IS(LANESUM_OK, lanesum_hmac_key_mac(&key, message, sizeof message, tag, sizeof tag));
    for (unsigned long i = 0; i < 8; i++)
        HOLDS(pthread_create(&threads[i], NULL, i < 5 ? on_one_hasher : under_one_key,
                             (void *)(i + 1)) == 0);
    for (int i = 0; i < 8; i++)
        HOLDS(pthread_join(threads[i], NULL) == 0);

    /* The context is no longer busy. */
    unsigned char digest[32];
    IS(LANESUM_OK, lanesum_hasher_init(&hasher, LANESUM_SHA256, NULL));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "abc", 3));
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, digest, sizeof digest));
    HOLDS(memcmp(digest, ABC, 32) == 0);
    return 0;
}
