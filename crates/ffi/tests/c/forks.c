/* Forks in the middle of a message, and while another thread uses the library for the first time.
   A child that waited for that thread would hang. */
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const lanesum_algorithm ALL[] = {LANESUM_SHA256, LANESUM_SHA512, LANESUM_SHA1, LANESUM_MD5,
                                       LANESUM_RIPEMD160, LANESUM_SM3};

static void hash_all(void) {
    unsigned char digest[64];
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        IS(LANESUM_OK, lanesum_hash(ALL[i], "abc", 3, digest, sizeof digest));
    IS(LANESUM_OK, lanesum_hash(LANESUM_SHA256, "abc", 3, digest, sizeof digest));
    HOLDS(memcmp(digest, ABC, 32) == 0);
}

static void all_well(pid_t child) {
    int status;
    HOLDS(child > 0 && waitpid(child, &status, 0) == child);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *first_use(void *none) {
    (void)none;
    hash_all();
    return NULL;
}

/* Forks while a thread makes the first use of the library. The process must not have used it. */
static void during_first_use(unsigned delay) {
    pthread_t thread;
    pid_t child;
    HOLDS(pthread_create(&thread, NULL, first_use, NULL) == 0);
    for (volatile unsigned i = 0; i < delay; i++)
        ;
    if ((child = fork()) == 0) {
        alarm(60);
        hash_all();
        _exit(0);
    }
    all_well(child);
    HOLDS(pthread_join(thread, NULL) == 0);
}

int main(void) {
    lanesum_hasher hasher;
    unsigned char digest[32];
    pid_t child;

    for (unsigned i = 0; i < 40; i++) {
        if ((child = fork()) == 0) {
            during_first_use(i * i * 500);
            _exit(0);
        }
        all_well(child);
    }

    IS(LANESUM_OK, lanesum_hasher_init(&hasher, LANESUM_SHA256, NULL));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "ab", 2));
    child = fork();
    /* Parent and child continue here, each with its copy of the hasher. */
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "c", 1));
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, digest, sizeof digest));
    HOLDS(memcmp(digest, ABC, 32) == 0);
    if (child == 0)
        _exit(0);
    all_well(child);
    return 0;
}
