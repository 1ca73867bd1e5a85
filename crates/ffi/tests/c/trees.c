/* Prints roots of trees over standard input. */
#include "check.h"

static unsigned char message[1 << 20];

static void print(const char *what, const unsigned char *digest) {
    printf("%s ", what);
    for (size_t i = 0; i < 32; i++)
        printf("%02x", digest[i]);
    printf("\n");
}

int main(void) {
    size_t len = fread(message, 1, sizeof message, stdin);
    unsigned char digest[32];
    const void *entries[3] = {"", "a", message};
    size_t lens[3] = {0, 1, len};

    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 4096, "salt", 4, message, len,
                                     digest, 32, NULL));
    print("fs_verity", digest);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 1024, "salt", 4, message,
                                     len / 1024 * 1024, digest, 32, NULL));
    print("dm_verity", digest);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_TORRENT2, LANESUM_SHA256, 16384, NULL, 0, message, len,
                                     digest, 32, NULL));
    print("torrent2", digest);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 5000, NULL, 0, message, len, digest,
                                     32, NULL));
    print("s3", digest);
    IS(LANESUM_OK, lanesum_tree_log(LANESUM_SHA256, entries, lens, 3, digest, 32, NULL));
    print("log", digest);
    return 0;
}
