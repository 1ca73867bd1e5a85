/* Every error of a caller that the library can detect returns a status and writes nothing. */
#include "check.h"

static _Alignas(16) unsigned char memory[1 << 12];
static unsigned char untouched[1 << 12];

/* Readable memory that is not a policy. */
static const uint64_t zeros[4];
static const lanesum_policy *const no_policy = (const lanesum_policy *)zeros;

/* Whether to search contexts for remains of the message. Not under valgrind: the padding between
   their fields is uninitialized. */
static int search;

/* Fills `memory` with a pattern; UNTOUCHED checks that nothing was written to it since. */
static void fresh(void) {
    memset(memory, 0xa5, sizeof memory);
    memcpy(untouched, memory, sizeof memory);
}
#define UNTOUCHED HOLDS(memcmp(memory, untouched, sizeof memory) == 0)

static void one_shot(void) {
    fresh();
    IS(LANESUM_E_NULL, lanesum_hash(LANESUM_SHA256, "abc", 3, NULL, 32));
    IS(LANESUM_E_NULL, lanesum_hash(LANESUM_SHA256, NULL, 3, memory, 32));
    IS(LANESUM_E_LENGTH, lanesum_hash(LANESUM_SHA256, "abc", 3, memory, 31));
    IS(LANESUM_E_LENGTH, lanesum_hash(LANESUM_SHA256, "abc", 3, memory, 0));
    /* A pointer may be NULL if its length is 0: the buffer is too small. */
    IS(LANESUM_E_LENGTH, lanesum_hash(LANESUM_SHA256, "abc", 3, NULL, 0));
    IS(LANESUM_E_LENGTH, lanesum_algorithm_name(LANESUM_SHA1, NULL, 0));
    IS(LANESUM_E_TOO_LONG, lanesum_hash(LANESUM_SHA256, "abc", SIZE_MAX, memory, 32));
    IS(LANESUM_E_TOO_LONG, lanesum_hash(LANESUM_SHA256, "abc", (size_t)PTRDIFF_MAX + 1, memory, 32));
    IS(LANESUM_E_TOO_LONG, lanesum_hash(LANESUM_SHA256, "abc", 3, memory, SIZE_MAX));
    IS(LANESUM_E_ALGORITHM, lanesum_hash(0, "abc", 3, memory, 32));
    IS(LANESUM_E_ALGORITHM, lanesum_hash(INT32_MIN, "abc", 3, memory, 32));
    IS(LANESUM_E_ALGORITHM, lanesum_hash(LANESUM_SHA512_T + 384, "abc", 3, memory, 64));
    UNTOUCHED;
    IS(LANESUM_OK, lanesum_hash(LANESUM_SHA256, NULL, 0, memory, 32));
    /* A digest that overwrites its message. */
    memcpy(memory, "abc", 3);
    IS(LANESUM_OK, lanesum_hash(LANESUM_SHA256, memory, 3, memory, sizeof memory));
    HOLDS(memcmp(memory, ABC, 32) == 0);

    IS(LANESUM_E_NULL, lanesum_algorithm_from_name(NULL));
    IS(LANESUM_E_ALGORITHM, lanesum_algorithm_from_name("sha257"));
    IS(LANESUM_E_ALGORITHM, lanesum_algorithm_from_name("\xff\xfe"));
    IS(LANESUM_E_ALGORITHM, lanesum_algorithm_from_name(""));
    IS(LANESUM_SHA512_256, lanesum_algorithm_from_name("SHA-512/256"));
    IS(LANESUM_SHA512_T + 192, lanesum_algorithm_from_name("sha512/192"));
    IS(LANESUM_E_ALGORITHM, lanesum_algorithm_digest_len(-1));
    IS(LANESUM_E_ALGORITHM, lanesum_algorithm_block_len(99));
    IS(128, lanesum_algorithm_block_len(LANESUM_SHA384));
    IS(LANESUM_E_NULL, lanesum_algorithm_name(LANESUM_SHA1, NULL, 32));
    IS(LANESUM_E_LENGTH, lanesum_algorithm_name(LANESUM_SHA1, (char *)memory, 4));
    IS(LANESUM_OK, lanesum_algorithm_name(LANESUM_SHA1, (char *)memory, 5));
    HOLDS(strcmp((char *)memory, "sha1") == 0);
}

static void contexts(void) {
    lanesum_hasher hasher, copy;
    size_t len;
    unsigned char *inside = (unsigned char *)&hasher;

    fresh();
    /* Never initialized, with arbitrary contents. */
    for (int byte = 0; byte < 256; byte++) {
        memset(&hasher, byte, sizeof hasher);
        IS(LANESUM_E_STATE, lanesum_hasher_update(&hasher, "abc", 3));
        IS(LANESUM_E_STATE, lanesum_hasher_finish(&hasher, memory, 32));
        IS(LANESUM_E_STATE, lanesum_hasher_copy(&copy, &hasher));
        IS(LANESUM_E_STATE, lanesum_hasher_wipe(&hasher));
        len = sizeof memory;
        IS(LANESUM_E_STATE, lanesum_hasher_export(&hasher, memory, &len));
    }
    IS(LANESUM_E_NULL, lanesum_hasher_init(NULL, LANESUM_SHA256, NULL));
    IS(LANESUM_E_ALIGNMENT, lanesum_hasher_init((lanesum_hasher *)(inside + 1), LANESUM_SHA256, NULL));
    IS(LANESUM_E_ALGORITHM, lanesum_hasher_init(&hasher, 0, NULL));
    IS(LANESUM_E_STATE, lanesum_hasher_init(&hasher, LANESUM_SHA256, no_policy));
    IS(LANESUM_E_ALIGNMENT,
       lanesum_hasher_init(&hasher, LANESUM_SHA256, (const lanesum_policy *)(memory + 1)));
    IS(LANESUM_E_STATE, lanesum_hasher_update(&hasher, "abc", 3));
    UNTOUCHED;

    IS(LANESUM_OK, lanesum_hasher_init(&hasher, LANESUM_SHA256, policy_of("portable")));
    IS(LANESUM_E_NULL, lanesum_hasher_update(&hasher, NULL, 1));
    IS(LANESUM_E_TOO_LONG, lanesum_hasher_update(&hasher, "abc", SIZE_MAX));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, NULL, 0));
    IS(LANESUM_E_OVERLAP, lanesum_hasher_update(&hasher, inside + sizeof hasher - 1, 1));
    IS(LANESUM_E_OVERLAP, lanesum_hasher_update(&hasher, inside, sizeof hasher));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "ab", 2));
    IS(LANESUM_E_NULL, lanesum_hasher_copy(NULL, &hasher));
    IS(LANESUM_E_NULL, lanesum_hasher_copy(&copy, NULL));
    IS(LANESUM_OK, lanesum_hasher_copy(&copy, &hasher));
    /* Failed calls do not change the hasher. */
    IS(LANESUM_E_NULL, lanesum_hasher_finish(&hasher, NULL, 32));
    IS(LANESUM_E_LENGTH, lanesum_hasher_finish(&hasher, memory, 31));
    len = 3;
    IS(LANESUM_E_LENGTH, lanesum_hasher_export(&hasher, memory, &len));
    IS(LANESUM_E_NULL, lanesum_hasher_export(&hasher, NULL, &len));
    IS(LANESUM_E_NULL, lanesum_hasher_export(&hasher, memory, NULL));
    len = sizeof memory;
    IS(LANESUM_E_OVERLAP, lanesum_hasher_export(&hasher, inside + 200, &len));
    UNTOUCHED;
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "c", 1));
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, memory, 32));
    HOLDS(memcmp(memory, ABC, 32) == 0);
    /* Used after it is finished. No part of the message remains in it. */
    IS(LANESUM_E_STATE, lanesum_hasher_update(&hasher, "c", 1));
    IS(LANESUM_E_STATE, lanesum_hasher_finish(&hasher, memory, 32));
    for (size_t i = 0; search && i + 3 <= sizeof hasher; i++)
        HOLDS(memcmp(inside + i, "abc", 3) != 0);

    /* The copy, moved elsewhere, exported and imported. */
    memcpy(memory + 1024, &copy, sizeof copy);
    len = LANESUM_MAX_STATE_LEN;
    IS(LANESUM_OK, lanesum_hasher_export((lanesum_hasher *)(memory + 1024), memory, &len));
    for (size_t cut = 0; cut < len; cut++)
        IS(LANESUM_E_MALFORMED, lanesum_hasher_import(&hasher, memory, cut));
    IS(LANESUM_E_MALFORMED, lanesum_hasher_import(&hasher, memory, len + 1));
    IS(LANESUM_E_NULL, lanesum_hasher_import(&hasher, NULL, len));
    IS(LANESUM_OK, lanesum_hasher_import(&hasher, memory, len));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "c", 1));
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, memory, 32));
    HOLDS(memcmp(memory, ABC, 32) == 0);
    IS(LANESUM_OK, lanesum_hasher_wipe(&copy));
    IS(LANESUM_E_STATE, lanesum_hasher_wipe(&copy));

    /* A context of another kind. */
    lanesum_hmac_key key;
    lanesum_hmac hmac;
    IS(LANESUM_OK, lanesum_hmac_key_init(&key, LANESUM_SHA256, "k", 1, NULL));
    IS(LANESUM_OK, lanesum_hmac_init(&hmac, &key));
    IS(LANESUM_E_STATE, lanesum_hasher_update((lanesum_hasher *)&hmac, "abc", 3));
    IS(LANESUM_E_STATE, lanesum_hmac_init(&hmac, (lanesum_hmac_key *)&hmac));
    IS(LANESUM_E_STATE, lanesum_hmac_update((lanesum_hmac *)&key, "abc", 3));
    IS(LANESUM_OK, lanesum_hmac_wipe(&hmac));
    IS(LANESUM_OK, lanesum_hmac_key_wipe(&key));
}

static void collisions(void) {
    const void *messages[2] = {"abc", "abc"};
    size_t lens[2] = {3, 3};
    unsigned char flags[2] = {7, 7};
    int collision = 7;
    lanesum_sha1dc_hasher hasher;

    fresh();
    IS(LANESUM_E_NULL, lanesum_sha1dc(NULL, 3, 0, memory, 20, &collision));
    IS(LANESUM_E_NULL, lanesum_sha1dc("abc", 3, 0, NULL, 20, &collision));
    IS(LANESUM_E_NULL, lanesum_sha1dc("abc", 3, 0, memory, 20, NULL));
    IS(LANESUM_E_LENGTH, lanesum_sha1dc("abc", 3, 0, memory, 19, &collision));
    IS(LANESUM_E_TOO_LONG, lanesum_sha1dc("abc", SIZE_MAX, 0, memory, 20, &collision));
    IS(LANESUM_E_DETECTION, lanesum_sha1dc("abc", 3, 4, memory, 20, &collision));
    IS(LANESUM_E_DETECTION, lanesum_sha1dc("abc", 3, -1, memory, 20, &collision));

    IS(LANESUM_E_NULL, lanesum_sha1dc_many(NULL, lens, 2, 0, memory, 40, flags, NULL));
    IS(LANESUM_E_NULL, lanesum_sha1dc_many(messages, NULL, 2, 0, memory, 40, flags, NULL));
    IS(LANESUM_E_NULL, lanesum_sha1dc_many(messages, lens, 2, 0, NULL, 40, flags, NULL));
    IS(LANESUM_E_NULL, lanesum_sha1dc_many(messages, lens, 2, 0, memory, 40, NULL, NULL));
    IS(LANESUM_E_LENGTH, lanesum_sha1dc_many(messages, lens, 2, 0, memory, 39, flags, NULL));
    IS(LANESUM_E_TOO_LONG, lanesum_sha1dc_many(messages, lens, SIZE_MAX, 0, memory, 40, flags, NULL));
    IS(LANESUM_E_DETECTION, lanesum_sha1dc_many(messages, lens, 2, 8, memory, 40, flags, NULL));
    IS(LANESUM_E_STATE, lanesum_sha1dc_many(messages, lens, 2, 0, memory, 40, flags, no_policy));
    IS(LANESUM_E_OVERLAP, lanesum_sha1dc_many(messages, lens, 2, 0, memory, 40, memory + 39, NULL));
    messages[1] = memory + 39;
    IS(LANESUM_E_OVERLAP, lanesum_sha1dc_many(messages, lens, 2, 0, memory, 40, flags, NULL));
    messages[1] = flags;
    IS(LANESUM_E_OVERLAP, lanesum_sha1dc_many(messages, lens, 2, 0, memory, 40, flags, NULL));
    IS(LANESUM_OK, lanesum_sha1dc_many(NULL, NULL, 0, 0, NULL, 0, NULL, NULL));

    IS(LANESUM_E_NULL, lanesum_sha1dc_init(NULL, 0, NULL));
    IS(LANESUM_E_DETECTION, lanesum_sha1dc_init(&hasher, 16, NULL));
    IS(LANESUM_E_STATE, lanesum_sha1dc_init(&hasher, 0, no_policy));
    memset(&hasher, 0, sizeof hasher);
    IS(LANESUM_E_STATE, lanesum_sha1dc_update(&hasher, "abc", 3));
    IS(LANESUM_E_STATE, lanesum_sha1dc_finish(&hasher, memory, 20, &collision));
    IS(LANESUM_OK, lanesum_sha1dc_init(&hasher, 0, NULL));
    IS(LANESUM_E_NULL, lanesum_sha1dc_update(&hasher, NULL, 3));
    IS(LANESUM_E_OVERLAP, lanesum_sha1dc_update(&hasher, &hasher, 3));
    IS(LANESUM_E_NULL, lanesum_sha1dc_finish(&hasher, NULL, 20, &collision));
    IS(LANESUM_E_NULL, lanesum_sha1dc_finish(&hasher, memory, 20, NULL));
    IS(LANESUM_E_LENGTH, lanesum_sha1dc_finish(&hasher, memory, 19, &collision));
    UNTOUCHED;
    HOLDS(collision == 7 && flags[0] == 7 && flags[1] == 7);
    IS(LANESUM_OK, lanesum_sha1dc_finish(&hasher, memory, 20, &collision));
    IS(LANESUM_E_STATE, lanesum_sha1dc_finish(&hasher, memory, 20, &collision));
    HOLDS(collision == 0);
}

static int root_of(lanesum_tree tree, lanesum_algorithm algorithm, size_t leaf_len, size_t salt_len, size_t len) {
    static const unsigned char zeros[300];
    return lanesum_tree_root(tree, algorithm, leaf_len, zeros, salt_len, zeros, len, memory, 32, NULL);
}

static void trees(void) {
    const void *entries[1] = {"abc"};
    size_t lens[1] = {3};

    fresh();
    IS(LANESUM_E_TREE, root_of(0, LANESUM_SHA256, 1024, 0, 3));
    IS(LANESUM_E_LEAF_LENGTH, root_of(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 1000, 0, 3));
    IS(LANESUM_E_LEAF_LENGTH, root_of(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 0, 0, 3));
    IS(LANESUM_E_TREE_ALGORITHM, root_of(LANESUM_TREE_FS_VERITY, LANESUM_SHA1, 1024, 0, 3));
    IS(LANESUM_E_SALT_LENGTH, root_of(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 1024, 33, 3));
    IS(LANESUM_E_SALT_LENGTH, root_of(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 1024, 257, 0));
    IS(LANESUM_E_MESSAGE_LENGTH, root_of(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 256, 0, 257));
    IS(LANESUM_E_MESSAGE_LENGTH, root_of(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 256, 0, 0));
    IS(LANESUM_E_LEAF_LENGTH, root_of(LANESUM_TREE_TORRENT2, LANESUM_SHA256, 1024, 0, 3));
    IS(LANESUM_E_SALT_LENGTH, root_of(LANESUM_TREE_TORRENT2, LANESUM_SHA256, 16384, 1, 3));
    IS(LANESUM_E_TREE_ALGORITHM, root_of(LANESUM_TREE_TORRENT2, LANESUM_SHA1, 16384, 0, 3));
    IS(LANESUM_E_SALT_LENGTH, root_of(LANESUM_TREE_S3, LANESUM_SHA256, 100, 1, 3));
    IS(LANESUM_E_LENGTH, root_of(LANESUM_TREE_S3, LANESUM_SHA512, 100, 0, 3));
    IS(LANESUM_E_ALGORITHM, root_of(LANESUM_TREE_S3, 0, 100, 0, 3));
    IS(LANESUM_E_NULL, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 1, "abc", 3, memory, 32, NULL));
    IS(LANESUM_E_NULL, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, NULL, 3, memory, 32, NULL));
    IS(LANESUM_E_NULL, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, "abc", 3, NULL, 32, NULL));
    IS(LANESUM_E_STATE,
       lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, "abc", 3, memory, 32, no_policy));
    IS(LANESUM_E_NULL, lanesum_tree_log(LANESUM_SHA256, NULL, lens, 1, memory, 32, NULL));
    IS(LANESUM_E_NULL, lanesum_tree_log(LANESUM_SHA256, entries, NULL, 1, memory, 32, NULL));
    IS(LANESUM_E_NULL, lanesum_tree_log(LANESUM_SHA256, entries, lens, 1, NULL, 32, NULL));
    IS(LANESUM_E_LENGTH, lanesum_tree_log(LANESUM_SHA256, entries, lens, 1, memory, 31, NULL));
    IS(LANESUM_E_STATE, lanesum_tree_log(LANESUM_SHA256, entries, lens, 1, memory, 32, no_policy));
    entries[0] = memory + 31;
    IS(LANESUM_E_OVERLAP, lanesum_tree_log(LANESUM_SHA256, entries, lens, 1, memory, 32, NULL));
    UNTOUCHED;
    IS(LANESUM_OK, lanesum_tree_log(LANESUM_SHA256, NULL, NULL, 0, memory, 32, NULL));
    /* The root may overlap the message. */
    unsigned char elsewhere[32];
    memset(memory, 0x5a, sizeof memory);
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 8, NULL, 0, memory, 40,
                                     elsewhere, 32, NULL));
    IS(LANESUM_OK, lanesum_tree_root(LANESUM_TREE_S3, LANESUM_SHA256, 8, NULL, 0, memory, 40,
                                     memory + 4, 32, NULL));
    HOLDS(memcmp(memory + 4, elsewhere, 32) == 0);
}

static void builders(void) {
    lanesum_tree_builder *builder = NULL;

    fresh();
    IS(LANESUM_E_NULL, lanesum_tree_begin(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, NULL, NULL));
    IS(LANESUM_E_ALIGNMENT, lanesum_tree_begin(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, NULL,
                                               (lanesum_tree_builder **)(memory + 1)));
    IS(LANESUM_E_NULL, lanesum_tree_begin(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 1024, NULL, 1, NULL, &builder));
    IS(LANESUM_E_TREE, lanesum_tree_begin(0, LANESUM_SHA256, 100, NULL, 0, NULL, &builder));
    IS(LANESUM_E_LEAF_LENGTH, lanesum_tree_begin(LANESUM_TREE_S3, LANESUM_SHA256, 0, NULL, 0, NULL, &builder));
    IS(LANESUM_E_LEAF_LENGTH, lanesum_tree_begin(LANESUM_TREE_S3, LANESUM_SHA256, SIZE_MAX, NULL, 0, NULL, &builder));
    IS(LANESUM_E_SALT_LENGTH,
       lanesum_tree_begin(LANESUM_TREE_FS_VERITY, LANESUM_SHA256, 1024, memory, 33, NULL, &builder));
    IS(LANESUM_E_ALGORITHM, lanesum_tree_begin(LANESUM_TREE_S3, 0, 100, NULL, 0, NULL, &builder));
    IS(LANESUM_E_STATE, lanesum_tree_begin(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, no_policy, &builder));
    HOLDS(builder == NULL);
    IS(LANESUM_E_NULL, lanesum_tree_update(NULL, "abc", 3));
    IS(LANESUM_E_NULL, lanesum_tree_finish(NULL, memory, 32));
    lanesum_tree_free(NULL);
    lanesum_log_free(NULL);

    IS(LANESUM_OK,
       lanesum_tree_begin(LANESUM_TREE_DM_VERITY, LANESUM_SHA256, 512, NULL, 0, policy_of("portable"), &builder));
    IS(LANESUM_E_NULL, lanesum_tree_update(builder, NULL, 1));
    IS(LANESUM_E_TOO_LONG, lanesum_tree_update(builder, "abc", SIZE_MAX));
    IS(LANESUM_OK, lanesum_tree_update(builder, NULL, 0));
    IS(LANESUM_E_MESSAGE_LENGTH, lanesum_tree_finish(builder, memory, 32));
    IS(LANESUM_OK, lanesum_tree_update(builder, untouched, 511));
    IS(LANESUM_E_MESSAGE_LENGTH, lanesum_tree_finish(builder, memory, 32));
    IS(LANESUM_OK, lanesum_tree_update(builder, untouched, 1));
    IS(LANESUM_E_LENGTH, lanesum_tree_finish(builder, memory, 31));
    IS(LANESUM_E_NULL, lanesum_tree_finish(builder, NULL, 32));
    UNTOUCHED;
    IS(LANESUM_OK, lanesum_tree_finish(builder, memory, 32));
    IS(LANESUM_E_STATE, lanesum_tree_finish(builder, memory, 32));
    IS(LANESUM_E_STATE, lanesum_tree_update(builder, "abc", 3));
    lanesum_tree_free(builder);
    /* Freed before it is finished. */
    IS(LANESUM_OK, lanesum_tree_begin(LANESUM_TREE_S3, LANESUM_SHA256, 100, NULL, 0, NULL, &builder));
    IS(LANESUM_OK, lanesum_tree_update(builder, untouched, 300));
    lanesum_tree_free(builder);
}

static void logs(void) {
    lanesum_log *log = NULL;
    const void *entries[2] = {"abc", "abd"};
    size_t lens[2] = {3, 3}, len = 7;
    uint64_t count = 7;
    unsigned char root[32], proof[64];

    fresh();
    IS(LANESUM_E_NULL, lanesum_log_begin(LANESUM_SHA256, NULL, NULL));
    IS(LANESUM_E_ALGORITHM, lanesum_log_begin(0, NULL, &log));
    IS(LANESUM_E_STATE, lanesum_log_begin(LANESUM_SHA256, no_policy, &log));
    HOLDS(log == NULL);
    IS(LANESUM_E_NULL, lanesum_log_append(NULL, entries, lens, 2));
    IS(LANESUM_E_NULL, lanesum_log_count(NULL, &count));
    IS(LANESUM_OK, lanesum_log_begin(LANESUM_SHA256, NULL, &log));
    IS(LANESUM_E_NULL, lanesum_log_append(log, NULL, lens, 2));
    IS(LANESUM_E_NULL, lanesum_log_append(log, entries, NULL, 2));
    IS(LANESUM_E_TOO_LONG, lanesum_log_append(log, entries, lens, SIZE_MAX));
    IS(LANESUM_OK, lanesum_log_append(log, NULL, NULL, 0));
    IS(LANESUM_E_ENTRY, lanesum_log_inclusion(log, 0, proof, 64, &len));
    IS(LANESUM_OK, lanesum_log_append(log, entries, lens, 2));
    IS(LANESUM_E_NULL, lanesum_log_count(log, NULL));
    IS(LANESUM_E_NULL, lanesum_log_root(NULL, 2, memory, 32));
    IS(LANESUM_E_NULL, lanesum_log_root(log, 2, NULL, 32));
    IS(LANESUM_E_LENGTH, lanesum_log_root(log, 2, memory, 31));
    IS(LANESUM_E_ENTRY, lanesum_log_root(log, 3, memory, 32));
    IS(LANESUM_E_ENTRY, lanesum_log_root(log, UINT64_MAX, memory, 32));
    IS(LANESUM_E_NULL, lanesum_log_inclusion(NULL, 0, memory, 32, &len));
    IS(LANESUM_E_NULL, lanesum_log_inclusion(log, 0, NULL, 32, &len));
    IS(LANESUM_E_NULL, lanesum_log_inclusion(log, 0, memory, 32, NULL));
    IS(LANESUM_E_LENGTH, lanesum_log_inclusion(log, 0, memory, 31, &len));
    IS(LANESUM_E_ENTRY, lanesum_log_inclusion(log, 2, memory, 32, &len));
    IS(LANESUM_E_ENTRY, lanesum_log_inclusion(log, UINT64_MAX, memory, 32, &len));
    IS(LANESUM_E_LENGTH, lanesum_log_consistency(log, 1, memory, 31, &len));
    IS(LANESUM_E_ENTRY, lanesum_log_consistency(log, 3, memory, 64, &len));
    HOLDS(len == 7 && count == 7);
    UNTOUCHED;
    IS(LANESUM_OK, lanesum_log_consistency(log, 2, NULL, 0, &len));
    HOLDS(len == 0);

    IS(LANESUM_OK, lanesum_log_root(log, 2, root, 32));
    IS(LANESUM_OK, lanesum_log_inclusion(log, 0, proof, 32, &len));
    HOLDS(len == 32);
    lanesum_log_free(log);
    IS(LANESUM_OK, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 2, "abc", 3, proof, 32, root, 32));
    IS(LANESUM_E_NULL, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 2, NULL, 3, proof, 32, root, 32));
    IS(LANESUM_E_NULL, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 2, "abc", 3, NULL, 32, root, 32));
    IS(LANESUM_E_NULL, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 2, "abc", 3, proof, 32, NULL, 32));
    IS(LANESUM_E_ROOT_LENGTH, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 2, "abc", 3, proof, 32, root, 31));
    IS(LANESUM_E_TOO_LONG, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 2, "abc", 3, proof, SIZE_MAX, root, 32));
    IS(LANESUM_E_ALGORITHM, lanesum_log_verify_inclusion(0, 0, 2, "abc", 3, proof, 32, root, 32));
    IS(LANESUM_E_MISMATCH, lanesum_log_verify_inclusion(LANESUM_SHA256, 1, 2, "abc", 3, proof, 32, root, 32));
    IS(LANESUM_E_PROOF_LENGTH, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, UINT64_MAX, "abc", 3, proof, 32, root, 32));
    IS(LANESUM_E_ENTRY, lanesum_log_verify_inclusion(LANESUM_SHA256, 0, 0, "abc", 3, NULL, 0, root, 32));
    IS(LANESUM_E_ENTRY, lanesum_log_verify_consistency(LANESUM_SHA256, 3, 2, root, root, 32, NULL, 0));
    IS(LANESUM_E_NULL, lanesum_log_verify_consistency(LANESUM_SHA256, 1, 2, NULL, root, 32, proof, 32));
    IS(LANESUM_E_NULL, lanesum_log_verify_consistency(LANESUM_SHA256, 1, 2, root, NULL, 32, proof, 32));
    IS(LANESUM_E_ROOT_LENGTH, lanesum_log_verify_consistency(LANESUM_SHA256, 1, 2, root, root, 20, proof, 32));
    IS(LANESUM_E_MISMATCH, lanesum_log_verify_consistency(LANESUM_SHA256, 1, 2, root, root, 32, proof, 32));
    IS(LANESUM_E_PROOF_LENGTH, lanesum_log_verify_consistency(LANESUM_SHA256, 1, 2, root, root, 32, proof, 33));
}

static void chains(void) {
    uint64_t counts[2] = {0, 1};
    unsigned char starts[64];

    fresh();
    memset(starts, 0x5a, sizeof starts);
    IS(LANESUM_E_NULL, lanesum_chain(LANESUM_SHA256, NULL, 32, 1, memory, 32));
    IS(LANESUM_E_NULL, lanesum_chain(LANESUM_SHA256, starts, 32, 1, NULL, 32));
    IS(LANESUM_E_LENGTH, lanesum_chain(LANESUM_SHA256, starts, 32, 1, memory, 31));
    IS(LANESUM_E_PARAMETER, lanesum_chain(LANESUM_SHA256, starts, 31, 1, memory, 32));
    IS(LANESUM_E_PARAMETER, lanesum_chain(LANESUM_SHA256, starts, 33, 0, memory, 32));
    IS(LANESUM_E_PARAMETER, lanesum_chain(LANESUM_SHA256, NULL, 0, 0, memory, 32));
    IS(LANESUM_E_TOO_LONG, lanesum_chain(LANESUM_SHA256, starts, SIZE_MAX, 1, memory, 32));
    IS(LANESUM_E_NULL, lanesum_chain_many(LANESUM_SHA256, NULL, 64, counts, 2, memory, 64, NULL));
    IS(LANESUM_E_NULL, lanesum_chain_many(LANESUM_SHA256, starts, 64, NULL, 2, memory, 64, NULL));
    IS(LANESUM_E_NULL, lanesum_chain_many(LANESUM_SHA256, starts, 64, counts, 2, NULL, 64, NULL));
    IS(LANESUM_E_LENGTH, lanesum_chain_many(LANESUM_SHA256, starts, 64, counts, 2, memory, 63, NULL));
    IS(LANESUM_E_PARAMETER, lanesum_chain_many(LANESUM_SHA256, starts, 63, counts, 2, memory, 64, NULL));
    IS(LANESUM_E_PARAMETER, lanesum_chain_many(LANESUM_SHA256, starts, 64, counts, 1, memory, 64, NULL));
    IS(LANESUM_E_TOO_LONG, lanesum_chain_many(LANESUM_SHA256, starts, 64, counts, SIZE_MAX, memory, 64, NULL));
    IS(LANESUM_E_ALIGNMENT, lanesum_chain_many(LANESUM_SHA256, starts, 32, (void *)((char *)counts + 1), 1,
                                             memory, 32, NULL));
    IS(LANESUM_E_STATE, lanesum_chain_many(LANESUM_SHA256, starts, 64, counts, 2, memory, 64, no_policy));
    /* In place, and partly. */
    IS(LANESUM_E_OVERLAP, lanesum_chain_many(LANESUM_SHA256, memory, 64, counts, 2, memory, 64, NULL));
    IS(LANESUM_E_OVERLAP, lanesum_chain_many(LANESUM_SHA256, memory + 63, 64, counts, 2, memory, 64, NULL));
    uint64_t both[8] = {0};
    IS(LANESUM_E_OVERLAP, lanesum_chain_many(LANESUM_SHA256, starts, 64, both, 2, (uint8_t *)both, 64, NULL));
    IS(LANESUM_OK, lanesum_chain_many(LANESUM_SHA256, NULL, 0, NULL, 0, NULL, 0, NULL));
    UNTOUCHED;

    /* Where overlap is allowed, it does not change the result. */
    IS(LANESUM_OK, lanesum_hash(LANESUM_SHA256, starts, 32, starts + 32, 32));
    IS(LANESUM_OK, lanesum_chain_many(LANESUM_SHA256, starts, 64, counts, 2, memory, 64, NULL));
    HOLDS(memcmp(memory, starts, 32) == 0);
    memcpy(memory + 1, starts, 32);
    IS(LANESUM_OK, lanesum_chain(LANESUM_SHA256, memory + 1, 32, 1, memory, 32));
    HOLDS(memcmp(memory, starts + 32, 32) == 0);
}

static void batches(void) {
    const void *messages[3] = {"abc", "abc", "abc"};
    size_t lens[3] = {3, 3, 3};
    uint64_t offsets[4] = {0, 3, 3, 6};
    int32_t offsets32[4] = {0, 3, 3, 6};

    fresh();
    IS(LANESUM_E_NULL, lanesum_hash_many(LANESUM_SHA256, NULL, lens, 3, memory, 96, NULL));
    IS(LANESUM_E_NULL, lanesum_hash_many(LANESUM_SHA256, messages, NULL, 3, memory, 96, NULL));
    IS(LANESUM_E_NULL, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, NULL, 96, NULL));
    IS(LANESUM_E_LENGTH, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 95, NULL));
    IS(LANESUM_E_TOO_LONG, lanesum_hash_many(LANESUM_SHA256, messages, lens, SIZE_MAX, memory, 96, NULL));
    IS(LANESUM_E_LENGTH, lanesum_hash_many(LANESUM_SHA256, messages, lens, SIZE_MAX / 32, memory,
                                       SIZE_MAX / 2, NULL));
    IS(LANESUM_E_STATE, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, no_policy));
    IS(LANESUM_OK, lanesum_hash_many(LANESUM_SHA256, NULL, NULL, 0, NULL, 0, NULL));
    messages[1] = NULL;
    IS(LANESUM_E_NULL, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, NULL));
    messages[1] = memory + 95;
    IS(LANESUM_E_OVERLAP, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, NULL));
    lens[1] = SIZE_MAX;
    IS(LANESUM_E_TOO_LONG, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, NULL));

    IS(LANESUM_E_NULL, lanesum_hash_offsets(LANESUM_SHA256, NULL, 6, offsets, 3, memory, 96, NULL));
    IS(LANESUM_E_NULL, lanesum_hash_offsets(LANESUM_SHA256, "abcabc", 6, NULL, 3, memory, 96, NULL));
    IS(LANESUM_E_TOO_LONG, lanesum_hash_offsets(LANESUM_SHA256, "abcabc", 6, offsets, SIZE_MAX, memory,
                                            96, NULL));
    IS(LANESUM_E_OFFSETS, lanesum_hash_offsets(LANESUM_SHA256, "abcabc", 5, offsets, 3, memory, 96,
                                               NULL));
    offsets[1] = 7;
    IS(LANESUM_E_OFFSETS, lanesum_hash_offsets(LANESUM_SHA256, "abcabc", 6, offsets, 3, memory, 96,
                                               NULL));
    offsets[1] = UINT64_MAX;
    IS(LANESUM_E_OFFSETS, lanesum_hash_offsets(LANESUM_SHA256, "abcabc", 6, offsets, 3, memory, 96,
                                               NULL));
    offsets32[0] = -1;
    IS(LANESUM_E_OFFSETS, lanesum_hash_offsets32(LANESUM_SHA256, "abcabc", 6, offsets32, 3, memory,
                                                 96, NULL));
    offsets[1] = 3;
    IS(LANESUM_E_OVERLAP, lanesum_hash_offsets(LANESUM_SHA256, memory + 90, 6, offsets, 3, memory, 96,
                                             NULL));

    lens[1] = 3;
    IS(LANESUM_E_OVERLAP, lanesum_double_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, NULL));
    messages[1] = NULL;
    IS(LANESUM_E_NULL, lanesum_double_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, NULL));
    IS(LANESUM_E_NULL, lanesum_double_hash_many(LANESUM_SHA256, messages, NULL, 3, memory, 96, NULL));
    IS(LANESUM_E_LENGTH, lanesum_double_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 95, NULL));
    IS(LANESUM_E_STATE, lanesum_double_hash_many(LANESUM_SHA256, NULL, NULL, 0, memory, 96, no_policy));
    IS(LANESUM_OK, lanesum_double_hash_many(LANESUM_SHA256, NULL, NULL, 0, NULL, 0, NULL));

    IS(LANESUM_E_TOO_LONG, lanesum_hash_strided(LANESUM_SHA256, "abcabc", 3, SIZE_MAX, 3, memory, 96, NULL));
    IS(LANESUM_E_STRIDE, lanesum_hash_strided(LANESUM_SHA256, "abcabc", 3, 2, 2, memory, 64, NULL));
    IS(LANESUM_E_NULL, lanesum_hash_strided(LANESUM_SHA256, NULL, 3, 3, 2, memory, 64, NULL));
    UNTOUCHED;

    IS(LANESUM_OK, lanesum_hash_strided(LANESUM_SHA256, "abcabc", 3, 3, 2, memory, 64, NULL));
    HOLDS(memcmp(memory, ABC, 32) == 0 && memcmp(memory + 32, ABC, 32) == 0);
    IS(LANESUM_OK, lanesum_hash_offsets(LANESUM_SHA256, "abcabc", 6, offsets, 3, memory, 96, NULL));
    HOLDS(memcmp(memory, ABC, 32) == 0 && memcmp(memory + 64, ABC, 32) == 0);
    offsets32[0] = 0;
    IS(LANESUM_OK,
       lanesum_hash_offsets32(LANESUM_SHA256, "abcabc", 6, offsets32, 3, memory + 96, 96, NULL));
    HOLDS(memcmp(memory, memory + 96, 96) == 0);
    lens[1] = 3;
    messages[1] = "abc";
    IS(LANESUM_OK, lanesum_hash_many(LANESUM_SHA256, messages, lens, 3, memory, 96, policy_of("portable")));
    for (int i = 0; i < 3; i++)
        HOLDS(memcmp(memory + 32 * i, ABC, 32) == 0);
}

static void keyed(void) {
    const void *messages[2] = {"abc", "abc"};
    size_t lens[2] = {3, 3};
    unsigned char tag[64], again[64];
    lanesum_hmac_key key;
    lanesum_hmac hmac;

    fresh();
    memset(&key, 0x5a, sizeof key);
    memset(&hmac, 0x5a, sizeof hmac);
    IS(LANESUM_E_STATE, lanesum_hmac_key_mac(&key, "abc", 3, memory, 32));
    IS(LANESUM_E_STATE, lanesum_hmac_key_wipe(&key));
    IS(LANESUM_E_STATE, lanesum_hmac_init(&hmac, &key));
    IS(LANESUM_E_STATE, lanesum_hmac_update(&hmac, "abc", 3));
    IS(LANESUM_E_STATE, lanesum_hmac_finish(&hmac, memory, 32));
    IS(LANESUM_E_STATE, lanesum_mac_many(&key, messages, lens, 2, memory, 64, NULL));
    IS(LANESUM_E_NULL, lanesum_hmac_key_init(&key, LANESUM_SHA256, NULL, 1, NULL));
    IS(LANESUM_E_NULL, lanesum_hmac_key_init(NULL, LANESUM_SHA256, "k", 1, NULL));
    IS(LANESUM_E_NULL, lanesum_hmac_once(LANESUM_SHA256, NULL, 1, "abc", 3, memory, 32));
    IS(LANESUM_E_LENGTH, lanesum_hmac_once(LANESUM_SHA256, "k", 1, "abc", 3, memory, 31));
    IS(LANESUM_OK, lanesum_hmac_key_init(&key, LANESUM_SHA256, "k", 1, NULL));
    IS(LANESUM_E_LENGTH, lanesum_hmac_key_mac(&key, "abc", 3, memory, 31));
    IS(LANESUM_E_NULL, lanesum_hmac_key_mac(&key, NULL, 3, memory, 32));
    IS(LANESUM_E_OVERLAP, (messages[1] = memory, lanesum_mac_many(&key, messages, lens, 2, memory,
                                                                 64, NULL)));
    UNTOUCHED;

    IS(LANESUM_OK, lanesum_hmac_key_mac(&key, "abc", 3, tag, sizeof tag));
    IS(LANESUM_OK, lanesum_hmac_once(LANESUM_SHA256, "k", 1, "abc", 3, again, sizeof again));
    HOLDS(memcmp(tag, again, 32) == 0);
    IS(LANESUM_OK, lanesum_hmac_key_verify(&key, "abc", 3, tag, 32));
    IS(LANESUM_E_MISMATCH, lanesum_hmac_key_verify(&key, "abc", 3, tag, 31));
    IS(LANESUM_E_MISMATCH, lanesum_hmac_key_verify(&key, "abd", 3, tag, 32));
    IS(LANESUM_E_MISMATCH, lanesum_hmac_key_verify(&key, "abc", 3, NULL, 0));
    IS(LANESUM_OK, lanesum_hmac_init(&hmac, &key));
    IS(LANESUM_OK, lanesum_hmac_update(&hmac, "abc", 3));
    IS(LANESUM_E_LENGTH, lanesum_hmac_finish(&hmac, memory, 31));
    IS(LANESUM_OK, lanesum_hmac_verify(&hmac, tag, 32));
    IS(LANESUM_E_STATE, lanesum_hmac_verify(&hmac, tag, 32));
    messages[1] = "abc";
    IS(LANESUM_OK, lanesum_mac_many(&key, messages, lens, 2, memory, 64, NULL));
    HOLDS(memcmp(memory, tag, 32) == 0 && memcmp(memory + 32, tag, 32) == 0);

    fresh();
    IS(LANESUM_E_PARAMETER, lanesum_pbkdf2(LANESUM_SHA256, "p", 1, "s", 1, 0, memory, 32));
    IS(LANESUM_E_NULL, lanesum_pbkdf2(LANESUM_SHA256, NULL, 1, "s", 1, 1, memory, 32));
    IS(LANESUM_E_OVERLAP, lanesum_pbkdf2(LANESUM_SHA256, "p", 1, memory, 1, 1, memory, 32));
    static unsigned char long_key[255 * 20 + 1];
    IS(LANESUM_E_PARAMETER,
       lanesum_hkdf(LANESUM_SHA1, NULL, 0, "s", 1, NULL, 0, long_key, sizeof long_key));
    IS(LANESUM_OK,
       lanesum_hkdf(LANESUM_SHA1, NULL, 0, "s", 1, NULL, 0, long_key, sizeof long_key - 1));
    IS(LANESUM_E_PARAMETER, lanesum_hkdf_expand(LANESUM_SHA256, "short", 5, NULL, 0, again, 32));
    IS(LANESUM_OK, lanesum_pbkdf2(LANESUM_SHA256, NULL, 0, NULL, 0, 1, NULL, 0));
    IS(LANESUM_E_OVERLAP, lanesum_pbkdf2(LANESUM_SHA256, memory + 31, 1, "s", 1, 1, memory, 32));
    IS(LANESUM_E_OVERLAP,
       lanesum_hkdf(LANESUM_SHA256, memory, 1, "s", 1, NULL, 0, memory, 32));
    IS(LANESUM_E_OVERLAP,
       lanesum_hkdf(LANESUM_SHA256, NULL, 0, memory, 1, NULL, 0, memory, 32));
    IS(LANESUM_E_OVERLAP,
       lanesum_hkdf(LANESUM_SHA256, NULL, 0, "s", 1, memory, 1, memory, 32));
    IS(LANESUM_E_OVERLAP, lanesum_hkdf_expand(LANESUM_SHA256, memory, 32, NULL, 0, memory, 32));
    messages[1] = memory + 63;
    IS(LANESUM_E_OVERLAP, lanesum_pbkdf2_many(LANESUM_SHA256, messages, lens, messages, lens, 2, 1,
                                              memory, 32, NULL));
    IS(LANESUM_E_OVERLAP, lanesum_hkdf_many(LANESUM_SHA256, messages, lens, messages, lens, messages,
                                            lens, 2, memory, 32, NULL));
    UNTOUCHED;
    /* Where overlap is allowed, it does not change the result. */
    unsigned char elsewhere[64];
    memset(memory, 0x5a, sizeof memory);
    IS(LANESUM_OK, lanesum_hkdf_extract(LANESUM_SHA256, memory, 9, memory, 40, elsewhere, 32));
    IS(LANESUM_OK, lanesum_hkdf_extract(LANESUM_SHA256, memory, 9, memory, 40, memory + 4, 32));
    HOLDS(memcmp(memory + 4, elsewhere, 32) == 0);
    memset(memory, 0x5a, sizeof memory);
    IS(LANESUM_OK, lanesum_hmac_once(LANESUM_SHA256, memory, 9, memory, 40, elsewhere, 32));
    IS(LANESUM_OK, lanesum_hmac_once(LANESUM_SHA256, memory, 9, memory, 40, memory + 4, 32));
    HOLDS(memcmp(memory + 4, elsewhere, 32) == 0);
}

static void kernel_table(void) {
    lanesum_kernel kernel;

    IS(LANESUM_E_NULL, lanesum_kernel_at(0, NULL));
    IS(LANESUM_E_ALIGNMENT, lanesum_kernel_at(0, (lanesum_kernel *)(memory + 1)));
    IS(LANESUM_E_KERNEL, lanesum_kernel_at(lanesum_kernel_count(), &kernel));
    IS(LANESUM_E_KERNEL, lanesum_kernel_at(SIZE_MAX, &kernel));
    IS(LANESUM_E_KERNEL, lanesum_kernel_supports(SIZE_MAX, LANESUM_SHA1));
    IS(LANESUM_E_ALGORITHM, lanesum_kernel_supports(0, 0));
    IS(LANESUM_E_PARAMETER, lanesum_kernel_chosen(LANESUM_SHA1, 0, NULL, &kernel));
    IS(LANESUM_E_PARAMETER, lanesum_kernel_chosen(LANESUM_SHA1, 33, NULL, &kernel));
    HOLDS(strcmp(lanesum_status_text(12345), lanesum_status_text(54321)) == 0);

    /* Each kernel that can run here, forced. */
    for (size_t i = 0; i < lanesum_kernel_count(); i++) {
        lanesum_policy *policy = NULL;
        IS(LANESUM_OK, lanesum_kernel_at(i, &kernel));
        IS(kernel.runs ? LANESUM_OK : LANESUM_E_KERNEL, lanesum_policy_new(kernel.name, 1, &policy));
        if (!lanesum_kernel_supports(i, LANESUM_SHA256)) {
            lanesum_hasher hasher;
            if (policy)
                IS(LANESUM_E_KERNEL, lanesum_hasher_init(&hasher, LANESUM_SHA256, policy));
            lanesum_policy_free(policy);
            continue;
        }
        const void *messages[2] = {"abc", "abc"};
        size_t lens[2] = {3, 3};
        lanesum_kernel chosen;
        IS(LANESUM_OK, lanesum_kernel_chosen(LANESUM_SHA256, 32, policy, &chosen));
        HOLDS(strcmp(chosen.name, kernel.name) == 0 && chosen.lanes == kernel.lanes && kernel.runs == 1);
        IS(LANESUM_OK, lanesum_hash_many(LANESUM_SHA256, messages, lens, 2, memory, 64, policy));
        HOLDS(memcmp(memory, ABC, 32) == 0 && memcmp(memory + 32, ABC, 32) == 0);
        lanesum_policy_free(policy);
    }
}

static void policies(void) {
    static const char *const wrong[] = {"nonsense", "warp_x9", "\xff", "-nonsense", "portable,warp_x9"};
    lanesum_policy *policy = NULL;

    fresh();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        IS(LANESUM_E_KERNEL, lanesum_policy_new(wrong[i], 1, &policy));
    IS(LANESUM_E_NULL, lanesum_policy_new("portable", 1, NULL));
    IS(LANESUM_E_ALIGNMENT, lanesum_policy_new("portable", 1, (lanesum_policy **)(memory + 1)));
    HOLDS(policy == NULL);
    UNTOUCHED;
    lanesum_policy_free(NULL);
    IS(LANESUM_OK, lanesum_policy_new(NULL, 0, &policy));
    /* A policy works with every algorithm. */
    for (lanesum_algorithm algorithm = LANESUM_SHA1; algorithm < LANESUM_SHA512_T + 512; algorithm++) {
        lanesum_hasher hasher;
        unsigned char by_itself[64];
        if (lanesum_algorithm_digest_len(algorithm) < 0)
            continue;
        IS(LANESUM_OK, lanesum_hasher_init(&hasher, algorithm, policy));
        IS(LANESUM_OK, lanesum_hasher_update(&hasher, "abc", 3));
        IS(LANESUM_OK, lanesum_hasher_finish(&hasher, memory, 64));
        IS(LANESUM_OK, lanesum_hash(algorithm, "abc", 3, by_itself, 64));
        HOLDS(memcmp(memory, by_itself, lanesum_algorithm_digest_len(algorithm)) == 0);
    }
    lanesum_policy_free(policy);
}

int main(int argc, char **argv) {
    search = argc > 1 && strcmp(argv[1], "search") == 0;
    one_shot();
    contexts();
    batches();
    chains();
    collisions();
    trees();
    builders();
    logs();
    keyed();
    kernel_table();
    policies();
    return 0;
}
