/* Prints the roots of trees over standard input. */
#include "check.h"

static unsigned char message[1 << 20];

static void print(const char *what, const unsigned char *digest) {
    printf("%s ", what);
    for (size_t i = 0; i < 32; i++)
        printf("%02x", digest[i]);
    printf("\n");
}

/* Checks that a message in pieces has the same root. */
static void in_pieces(lanesum_tree tree, size_t leaf_len, const char *salt, size_t len, const unsigned char *root) {
    lanesum_tree_builder *builder;
    unsigned char digest[32];
    size_t piece = 1;

    IS(LANESUM_OK, lanesum_tree_begin(tree, LANESUM_SHA256, leaf_len, salt, strlen(salt), NULL, &builder));
    for (size_t i = 0; i < len; i += piece, piece = piece * 3 + 1) {
        if (piece > len - i)
            piece = len - i;
        IS(LANESUM_OK, lanesum_tree_update(builder, message + i, piece));
    }
    IS(LANESUM_OK, lanesum_tree_finish(builder, digest, sizeof digest));
    HOLDS(memcmp(digest, root, sizeof digest) == 0);
    lanesum_tree_free(builder);
}

/* Checks the roots and proofs of a log of these entries, and that other proofs are rejected. */
static void log_of(const void *const *entries, const size_t *lens, size_t count, const unsigned char *last) {
    lanesum_log *log;
    unsigned char roots[8][32], proof[LANESUM_MAX_PROOF_LEN];
    size_t len;
    uint64_t had;

    IS(LANESUM_OK, lanesum_log_begin(LANESUM_SHA256, policy_of("portable"), &log));
    for (size_t i = 0; i <= count; i++) {
        IS(LANESUM_OK, lanesum_log_count(log, &had));
        HOLDS(had == i);
        IS(LANESUM_OK, lanesum_log_root(log, i, roots[i], 32));
        IS(LANESUM_E_ENTRY, lanesum_log_root(log, i + 1, proof, 32));
        IS(LANESUM_OK, lanesum_log_append(log, entries + i, lens + i, i < count));
    }
    HOLDS(memcmp(roots[count], last, 32) == 0);
    for (size_t i = 0; i < count; i++) {
        IS(LANESUM_OK, lanesum_log_inclusion(log, i, proof, sizeof proof, &len));
        for (size_t j = 0; j < count; j++)
            IS(i == j ? LANESUM_OK : LANESUM_E_MISMATCH,
               lanesum_log_verify_inclusion(LANESUM_SHA256, i, count, entries[j], lens[j], proof, len, last, 32));
        IS(LANESUM_E_PROOF_LENGTH, lanesum_log_verify_inclusion(LANESUM_SHA256, i, count, entries[i], lens[i], proof,
                                                             len + 32, last, 32));
        IS(LANESUM_E_PROOF_LENGTH, lanesum_log_verify_inclusion(LANESUM_SHA256, i, count, entries[i], lens[i], proof,
                                                             len - 1, last, 32));
        IS(LANESUM_E_PROOF_LENGTH, lanesum_log_verify_inclusion(LANESUM_SHA256, i, count, entries[i], lens[i], proof,
                                                             len - 32, last, 32));
        IS(LANESUM_E_ENTRY, lanesum_log_verify_inclusion(LANESUM_SHA256, count, count, entries[i], lens[i],
                                                             proof, len, last, 32));
        if (len == 64) {
            memcpy(proof + 64, proof, 32);
            IS(LANESUM_E_MISMATCH, lanesum_log_verify_inclusion(LANESUM_SHA256, i, count, entries[i], lens[i],
                                                                proof + 32, 64, last, 32));
        }
    }
    for (size_t old = 0; old <= count; old++) {
        IS(LANESUM_OK, lanesum_log_consistency(log, old, proof, sizeof proof, &len));
        IS(LANESUM_OK, lanesum_log_verify_consistency(LANESUM_SHA256, old, count, roots[old], last, 32, proof, len));
        IS(LANESUM_E_MISMATCH,
           lanesum_log_verify_consistency(LANESUM_SHA256, old, count, roots[(old + 1) % 3], last, 32, proof, len));
        IS(LANESUM_E_PROOF_LENGTH,
           lanesum_log_verify_consistency(LANESUM_SHA256, old, count, roots[old], last, 32, proof, len + 32));
    }
    lanesum_log_free(log);
}

int main(void) {
    size_t len = fread(message, 1, sizeof message, stdin);
    unsigned char digest[32];
    const void *entries[3] = {"", "a", message};
    size_t lens[3] = {0, 1, len};

    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 4096, "salt", 4, message, len,
                                     digest, 32, NULL));
    print("fs_verity", digest);
    in_pieces(LANESUM_TREE_FS_VERITY, 4096, "salt", len, digest);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 1024, "salt", 4, message,
                                     len / 1024 * 1024, digest, 32, NULL));
    print("dm_verity", digest);
    in_pieces(LANESUM_TREE_DM_VERITY, 1024, "salt", len / 1024 * 1024, digest);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_TORRENT2, LANESUM_SHA256, 16384, NULL, 0, message, len,
                                     digest, 32, NULL));
    print("torrent2", digest);
    in_pieces(LANESUM_TREE_TORRENT2, 16384, "", len, digest);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 5000, NULL, 0, message, len, digest,
                                     32, NULL));
    print("s3", digest);
    in_pieces(LANESUM_TREE_S3, 5000, "", len, digest);
    IS(LANESUM_OK, lanesum_tree_log(LANESUM_SHA256, entries, lens, 3, digest, 32, NULL));
    print("log", digest);
    log_of(entries, lens, 3, digest);
    return 0;
}
