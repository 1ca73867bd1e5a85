/* Prints the digest of standard input and whether a collision is detected, once for each of the
   functions. The argument is the detection. */
#include "check.h"

static unsigned char message[1 << 12];

static void print(const unsigned char *digest, int collision) {
    for (size_t i = 0; i < 20; i++)
        printf("%02x", digest[i]);
    printf(" %d\n", collision);
}

int main(int argc, char **argv) {
    HOLDS(argc == 2);
    lanesum_detection detection = atoi(argv[1]);
    unsigned char digest[20], digests[3][20], collisions[3];
    const void *messages[3] = {"abc", message, ""};
    size_t lens[3] = {3, fread(message, 1, sizeof message, stdin), 0};
    int collision = -1;
    lanesum_sha1dc_hasher hasher;

    IS(LANESUM_OK, lanesum_sha1dc(message, lens[1], detection, digest, 20, &collision));
    print(digest, collision);
    IS(LANESUM_OK, lanesum_sha1dc_init(&hasher, detection, NULL));
    for (size_t i = 0; i < lens[1]; i++)
        IS(LANESUM_OK, lanesum_sha1dc_update(&hasher, message + i, 1));
    IS(LANESUM_OK, lanesum_sha1dc_finish(&hasher, digest, 20, &collision));
    print(digest, collision);
    IS(LANESUM_OK, lanesum_sha1dc_many(messages, lens, 3, detection, digests[0], 60, collisions, NULL));
    print(digests[1], collisions[1]);
    HOLDS(collisions[0] == 0 && collisions[2] == 0);
    IS(LANESUM_OK, lanesum_hash(LANESUM_SHA1, "abc", 3, digest, 20));
    HOLDS(memcmp(digest, digests[0], 20) == 0);
    return 0;
}
