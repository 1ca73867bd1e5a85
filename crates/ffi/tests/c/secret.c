/* Under memcheck, hashes a message whose bytes are marked as undefined: a branch or an
   address that depends on one of them is an error. Prints the digests of several prefixes, and of the
   message in pieces. With a second argument, `branch` or `address`, the program itself makes
   the error, which memcheck must report. */
#include "check.h"

#include <valgrind/memcheck.h>

static unsigned char message[4096 + 77];
static unsigned char digest[64];

static void print(size_t len) {
    VALGRIND_MAKE_MEM_DEFINED(digest, sizeof digest);
    for (size_t i = 0; i < len; i++)
        printf("%02x", digest[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    HOLDS(argc == 2 || argc == 3);
    lanesum_algorithm algorithm = lanesum_algorithm_from_name(argv[1]);
    HOLDS(algorithm > 0);
    size_t len = (size_t)lanesum_algorithm_digest_len(algorithm);
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = i % 251;
    /* Check that the kernel is available, since another would otherwise be tested in its place. The
       first use also initializes the library, before the message is marked as undefined. */
    lanesum_hasher kernel;
    IS(LANESUM_OK, lanesum_hasher_init(&kernel, algorithm, policy_of(getenv("LANESUM_KERNEL"))));
    IS(LANESUM_OK, lanesum_hash(algorithm, message, sizeof message, digest, sizeof digest));
    VALGRIND_MAKE_MEM_UNDEFINED(message, sizeof message);
    if (argc == 3) {
        static volatile unsigned char table[256];
        if (strcmp(argv[2], "address") == 0)
            digest[0] = table[message[7]];
        else if (message[7] > 3)
            table[0] = 1;
        return 0;
    }
    static const size_t lens[] = {1, 55, 64, 111, 128, 300, sizeof message};
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        IS(LANESUM_OK, lanesum_hash(algorithm, message, lens[i], digest, sizeof digest));
        print(len);
    }
    lanesum_hasher hasher;
    IS(LANESUM_OK, lanesum_hasher_init(&hasher, algorithm, NULL));
    for (size_t at = 0, step = 1; at < sizeof message; at += step, step += 60) {
        if (step > sizeof message - at) step = sizeof message - at;
        IS(LANESUM_OK, lanesum_hasher_update(&hasher, message + at, step));
    }
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, digest, sizeof digest));
    print(len);
    return 0;
}
