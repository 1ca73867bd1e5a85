/* Prints the SHA-256 digests of files or standard input, as sha256sum does.

     cc sum.c -o sum $(pkg-config --cflags --libs lanesum) */
#include <lanesum.h>
#include <stdio.h>
#include <string.h>

static int sum(FILE *file, const char *name) {
    static unsigned char buffer[1 << 16];
    unsigned char digest[LANESUM_MAX_DIGEST_LEN];
    lanesum_hasher hasher;
    size_t len;
    int i, status = lanesum_hasher_init(&hasher, LANESUM_SHA256, NULL);

    while (status == LANESUM_OK && (len = fread(buffer, 1, sizeof buffer, file)) > 0)
        status = lanesum_hasher_update(&hasher, buffer, len);
    if (ferror(file)) {
        perror(name);
        return 1;
    }
    if (status == LANESUM_OK)
        status = lanesum_hasher_finish(&hasher, digest, sizeof digest);
    if (status != LANESUM_OK) {
        fprintf(stderr, "%s: %s\n", name, lanesum_status_text(status));
        return 1;
    }
    for (i = 0; i < lanesum_algorithm_digest_len(LANESUM_SHA256); i++)
        printf("%02x", digest[i]);
    printf("  %s\n", name);
    return 0;
}

int main(int argc, char **argv) {
    int i, failed = 0;

    if (argc == 1)
        return sum(stdin, "-");
    for (i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            failed = 1;
            continue;
        }
        failed |= sum(file, argv[i]);
        fclose(file);
    }
    return failed;
}
