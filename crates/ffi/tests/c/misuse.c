/* Everything that can be wrong in a call and be seen from inside: a status, and
   nothing written. */
#include "check.h"

static _Alignas(16) unsigned char memory[1 << 12];
static unsigned char untouched[1 << 12];

/* Whether to look into contexts: not under valgrind, since there are bytes between
   their fields that nobody writes. */
static int search;

/* Nothing was written to `memory` since `fresh`. */
static void fresh(void) {
    memset(memory, 0xa5, sizeof memory);
    memcpy(untouched, memory, sizeof memory);
}
#define UNTOUCHED HOLDS(memcmp(memory, untouched, sizeof memory) == 0)

static void one_shot(void) {
    fresh();
    IS(HEDDLE_E_NULL, heddle_hash(HEDDLE_SHA256, "abc", 3, NULL, 32));
    IS(HEDDLE_E_NULL, heddle_hash(HEDDLE_SHA256, NULL, 3, memory, 32));
    IS(HEDDLE_E_LENGTH, heddle_hash(HEDDLE_SHA256, "abc", 3, memory, 31));
    IS(HEDDLE_E_LENGTH, heddle_hash(HEDDLE_SHA256, "abc", 3, memory, 0));
    IS(HEDDLE_E_LENGTH, heddle_hash(HEDDLE_SHA256, "abc", SIZE_MAX, memory, 32));
    IS(HEDDLE_E_LENGTH, heddle_hash(HEDDLE_SHA256, "abc", (size_t)PTRDIFF_MAX + 1, memory, 32));
    IS(HEDDLE_E_LENGTH, heddle_hash(HEDDLE_SHA256, "abc", 3, memory, SIZE_MAX));
    IS(HEDDLE_E_ALGORITHM, heddle_hash(0, "abc", 3, memory, 32));
    IS(HEDDLE_E_ALGORITHM, heddle_hash(INT32_MIN, "abc", 3, memory, 32));
    IS(HEDDLE_E_ALGORITHM, heddle_hash(HEDDLE_SHA512_T + 384, "abc", 3, memory, 64));
    UNTOUCHED;
    IS(HEDDLE_OK, heddle_hash(HEDDLE_SHA256, NULL, 0, memory, 32));
    /* A digest over its own message. */
    memcpy(memory, "abc", 3);
    IS(HEDDLE_OK, heddle_hash(HEDDLE_SHA256, memory, 3, memory, sizeof memory));
    HOLDS(memcmp(memory, ABC, 32) == 0);

    IS(HEDDLE_E_NULL, heddle_algorithm_from_name(NULL));
    IS(HEDDLE_E_ALGORITHM, heddle_algorithm_from_name("sha257"));
    IS(HEDDLE_E_ALGORITHM, heddle_algorithm_from_name("\xff\xfe"));
    IS(HEDDLE_E_ALGORITHM, heddle_algorithm_from_name(""));
    IS(HEDDLE_SHA512_256, heddle_algorithm_from_name("SHA-512/256"));
    IS(HEDDLE_SHA512_T + 192, heddle_algorithm_from_name("sha512/192"));
    IS(HEDDLE_E_ALGORITHM, heddle_digest_len(-1));
    IS(HEDDLE_E_ALGORITHM, heddle_block_len(99));
    IS(128, heddle_block_len(HEDDLE_SHA384));
    IS(HEDDLE_E_NULL, heddle_algorithm_name(HEDDLE_SHA1, NULL, 32));
    IS(HEDDLE_E_LENGTH, heddle_algorithm_name(HEDDLE_SHA1, (char *)memory, 4));
    IS(HEDDLE_OK, heddle_algorithm_name(HEDDLE_SHA1, (char *)memory, 5));
    HOLDS(strcmp((char *)memory, "sha1") == 0);
}

static void contexts(void) {
    heddle_hasher hasher, copy;
    size_t len;
    unsigned char *inside = (unsigned char *)&hasher;

    fresh();
    /* Never initialised: whatever the memory holds. */
    for (int byte = 0; byte < 256; byte++) {
        memset(&hasher, byte, sizeof hasher);
        IS(HEDDLE_E_STATE, heddle_hasher_update(&hasher, "abc", 3));
        IS(HEDDLE_E_STATE, heddle_hasher_finish(&hasher, memory, 32));
        IS(HEDDLE_E_STATE, heddle_hasher_copy(&copy, &hasher));
        IS(HEDDLE_E_STATE, heddle_hasher_wipe(&hasher));
        len = sizeof memory;
        IS(HEDDLE_E_STATE, heddle_hasher_export(&hasher, memory, &len));
    }
    IS(HEDDLE_E_NULL, heddle_hasher_init(NULL, HEDDLE_SHA256, NULL));
    IS(HEDDLE_E_ALIGNMENT, heddle_hasher_init((heddle_hasher *)(inside + 1), HEDDLE_SHA256, NULL));
    IS(HEDDLE_E_ALGORITHM, heddle_hasher_init(&hasher, 0, NULL));
    IS(HEDDLE_E_ROW, heddle_hasher_init(&hasher, HEDDLE_SHA256, "nonsense"));
    IS(HEDDLE_E_ROW, heddle_hasher_init(&hasher, HEDDLE_SHA256, "\xff"));
    IS(HEDDLE_E_STATE, heddle_hasher_update(&hasher, "abc", 3));
    UNTOUCHED;

    IS(HEDDLE_OK, heddle_hasher_init(&hasher, HEDDLE_SHA256, "portable"));
    IS(HEDDLE_E_NULL, heddle_hasher_update(&hasher, NULL, 1));
    IS(HEDDLE_E_LENGTH, heddle_hasher_update(&hasher, "abc", SIZE_MAX));
    IS(HEDDLE_OK, heddle_hasher_update(&hasher, NULL, 0));
    IS(HEDDLE_E_OVERLAP, heddle_hasher_update(&hasher, inside + sizeof hasher - 1, 1));
    IS(HEDDLE_E_OVERLAP, heddle_hasher_update(&hasher, inside, sizeof hasher));
    IS(HEDDLE_OK, heddle_hasher_update(&hasher, "ab", 2));
    IS(HEDDLE_E_NULL, heddle_hasher_copy(NULL, &hasher));
    IS(HEDDLE_E_NULL, heddle_hasher_copy(&copy, NULL));
    IS(HEDDLE_OK, heddle_hasher_copy(&copy, &hasher));
    /* Nothing that fails has changed it. */
    IS(HEDDLE_E_NULL, heddle_hasher_finish(&hasher, NULL, 32));
    IS(HEDDLE_E_LENGTH, heddle_hasher_finish(&hasher, memory, 31));
    len = 3;
    IS(HEDDLE_E_LENGTH, heddle_hasher_export(&hasher, memory, &len));
    IS(HEDDLE_E_NULL, heddle_hasher_export(&hasher, NULL, &len));
    IS(HEDDLE_E_NULL, heddle_hasher_export(&hasher, memory, NULL));
    UNTOUCHED;
    IS(HEDDLE_OK, heddle_hasher_update(&hasher, "c", 1));
    IS(HEDDLE_OK, heddle_hasher_finish(&hasher, memory, 32));
    HOLDS(memcmp(memory, ABC, 32) == 0);
    /* Used after it is finished; and nothing of the message is left in it. */
    IS(HEDDLE_E_STATE, heddle_hasher_update(&hasher, "c", 1));
    IS(HEDDLE_E_STATE, heddle_hasher_finish(&hasher, memory, 32));
    for (size_t i = 0; search && i + 3 <= sizeof hasher; i++)
        HOLDS(memcmp(inside + i, "abc", 3) != 0);

    /* The copy, moved elsewhere, exported and imported. */
    memcpy(memory + 1024, &copy, sizeof copy);
    len = HEDDLE_MAX_STATE_LEN;
    IS(HEDDLE_OK, heddle_hasher_export((heddle_hasher *)(memory + 1024), memory, &len));
    for (size_t cut = 0; cut < len; cut++)
        IS(HEDDLE_E_MALFORMED, heddle_hasher_import(&hasher, memory, cut));
    IS(HEDDLE_E_MALFORMED, heddle_hasher_import(&hasher, memory, len + 1));
    IS(HEDDLE_E_NULL, heddle_hasher_import(&hasher, NULL, len));
    IS(HEDDLE_OK, heddle_hasher_import(&hasher, memory, len));
    IS(HEDDLE_OK, heddle_hasher_update(&hasher, "c", 1));
    IS(HEDDLE_OK, heddle_hasher_finish(&hasher, memory, 32));
    HOLDS(memcmp(memory, ABC, 32) == 0);
    IS(HEDDLE_OK, heddle_hasher_wipe(&copy));
    IS(HEDDLE_E_STATE, heddle_hasher_wipe(&copy));

    /* A context of another kind. */
    heddle_hmac_key key;
    heddle_hmac hmac;
    IS(HEDDLE_OK, heddle_hmac_key_init(&key, HEDDLE_SHA256, "k", 1, NULL));
    IS(HEDDLE_OK, heddle_hmac_init(&hmac, &key));
    IS(HEDDLE_E_STATE, heddle_hasher_update((heddle_hasher *)&hmac, "abc", 3));
    IS(HEDDLE_E_STATE, heddle_hmac_init(&hmac, (heddle_hmac_key *)&hmac));
    IS(HEDDLE_E_STATE, heddle_hmac_update((heddle_hmac *)&key, "abc", 3));
    IS(HEDDLE_OK, heddle_hmac_wipe(&hmac));
    IS(HEDDLE_OK, heddle_hmac_key_wipe(&key));
}

static void batches(void) {
    const void *messages[3] = {"abc", "abc", "abc"};
    size_t lens[3] = {3, 3, 3};
    uint64_t offsets[4] = {0, 3, 3, 6};
    int32_t offsets32[4] = {0, 3, 3, 6};

    fresh();
    IS(HEDDLE_E_NULL, heddle_hash_many(HEDDLE_SHA256, NULL, lens, 3, memory, 96, NULL));
    IS(HEDDLE_E_NULL, heddle_hash_many(HEDDLE_SHA256, messages, NULL, 3, memory, 96, NULL));
    IS(HEDDLE_E_NULL, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, NULL, 96, NULL));
    IS(HEDDLE_E_LENGTH, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, memory, 95, NULL));
    IS(HEDDLE_E_LENGTH, heddle_hash_many(HEDDLE_SHA256, messages, lens, SIZE_MAX, memory, 96, NULL));
    IS(HEDDLE_E_LENGTH, heddle_hash_many(HEDDLE_SHA256, messages, lens, SIZE_MAX / 32, memory,
                                         SIZE_MAX / 2, NULL));
    IS(HEDDLE_E_ROW, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, memory, 96, "warp_x9"));
    IS(HEDDLE_OK, heddle_hash_many(HEDDLE_SHA256, NULL, NULL, 0, NULL, 0, NULL));
    messages[1] = NULL;
    IS(HEDDLE_E_NULL, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, memory, 96, NULL));
    messages[1] = memory + 95;
    IS(HEDDLE_E_OVERLAP, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, memory, 96, NULL));
    lens[1] = SIZE_MAX;
    IS(HEDDLE_E_LENGTH, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, memory, 96, NULL));

    IS(HEDDLE_E_NULL, heddle_hash_offsets(HEDDLE_SHA256, NULL, 6, offsets, 3, memory, 96, NULL));
    IS(HEDDLE_E_NULL, heddle_hash_offsets(HEDDLE_SHA256, "abcabc", 6, NULL, 3, memory, 96, NULL));
    IS(HEDDLE_E_LENGTH, heddle_hash_offsets(HEDDLE_SHA256, "abcabc", 6, offsets, SIZE_MAX, memory,
                                            96, NULL));
    IS(HEDDLE_E_MALFORMED, heddle_hash_offsets(HEDDLE_SHA256, "abcabc", 5, offsets, 3, memory, 96,
                                               NULL));
    offsets[1] = 7;
    IS(HEDDLE_E_MALFORMED, heddle_hash_offsets(HEDDLE_SHA256, "abcabc", 6, offsets, 3, memory, 96,
                                               NULL));
    offsets[1] = UINT64_MAX;
    IS(HEDDLE_E_MALFORMED, heddle_hash_offsets(HEDDLE_SHA256, "abcabc", 6, offsets, 3, memory, 96,
                                               NULL));
    offsets32[0] = -1;
    IS(HEDDLE_E_MALFORMED, heddle_hash_offsets32(HEDDLE_SHA256, "abcabc", 6, offsets32, 3, memory,
                                                 96, NULL));
    offsets[1] = 3;
    IS(HEDDLE_E_OVERLAP, heddle_hash_offsets(HEDDLE_SHA256, memory + 90, 6, offsets, 3, memory, 96,
                                             NULL));

    IS(HEDDLE_E_LENGTH, heddle_hash_rows(HEDDLE_SHA256, "abcabc", 3, SIZE_MAX, 3, memory, 96, NULL));
    IS(HEDDLE_E_MALFORMED, heddle_hash_rows(HEDDLE_SHA256, "abcabc", 3, 2, 2, memory, 64, NULL));
    IS(HEDDLE_E_NULL, heddle_hash_rows(HEDDLE_SHA256, NULL, 3, 3, 2, memory, 64, NULL));
    UNTOUCHED;

    IS(HEDDLE_OK, heddle_hash_rows(HEDDLE_SHA256, "abcabc", 3, 3, 2, memory, 64, NULL));
    HOLDS(memcmp(memory, ABC, 32) == 0 && memcmp(memory + 32, ABC, 32) == 0);
    IS(HEDDLE_OK, heddle_hash_offsets(HEDDLE_SHA256, "abcabc", 6, offsets, 3, memory, 96, NULL));
    HOLDS(memcmp(memory, ABC, 32) == 0 && memcmp(memory + 64, ABC, 32) == 0);
    offsets32[0] = 0;
    IS(HEDDLE_OK,
       heddle_hash_offsets32(HEDDLE_SHA256, "abcabc", 6, offsets32, 3, memory + 96, 96, NULL));
    HOLDS(memcmp(memory, memory + 96, 96) == 0);
    lens[1] = 3;
    messages[1] = "abc";
    IS(HEDDLE_OK, heddle_hash_many(HEDDLE_SHA256, messages, lens, 3, memory, 96, "portable"));
    for (int i = 0; i < 3; i++)
        HOLDS(memcmp(memory + 32 * i, ABC, 32) == 0);
}

static void keyed(void) {
    const void *messages[2] = {"abc", "abc"};
    size_t lens[2] = {3, 3};
    unsigned char tag[64], again[64];
    heddle_hmac_key key;
    heddle_hmac hmac;

    fresh();
    memset(&key, 0x5a, sizeof key);
    memset(&hmac, 0x5a, sizeof hmac);
    IS(HEDDLE_E_STATE, heddle_hmac_key_mac(&key, "abc", 3, memory, 32));
    IS(HEDDLE_E_STATE, heddle_hmac_key_wipe(&key));
    IS(HEDDLE_E_STATE, heddle_hmac_init(&hmac, &key));
    IS(HEDDLE_E_STATE, heddle_hmac_update(&hmac, "abc", 3));
    IS(HEDDLE_E_STATE, heddle_hmac_finish(&hmac, memory, 32));
    IS(HEDDLE_E_STATE, heddle_hmac_many(&key, messages, lens, 2, memory, 64, NULL));
    IS(HEDDLE_E_NULL, heddle_hmac_key_init(&key, HEDDLE_SHA256, NULL, 1, NULL));
    IS(HEDDLE_E_NULL, heddle_hmac_key_init(NULL, HEDDLE_SHA256, "k", 1, NULL));
    IS(HEDDLE_E_NULL, heddle_hmac_once(HEDDLE_SHA256, NULL, 1, "abc", 3, memory, 32));
    IS(HEDDLE_E_LENGTH, heddle_hmac_once(HEDDLE_SHA256, "k", 1, "abc", 3, memory, 31));
    IS(HEDDLE_OK, heddle_hmac_key_init(&key, HEDDLE_SHA256, "k", 1, NULL));
    IS(HEDDLE_E_LENGTH, heddle_hmac_key_mac(&key, "abc", 3, memory, 31));
    IS(HEDDLE_E_NULL, heddle_hmac_key_mac(&key, NULL, 3, memory, 32));
    IS(HEDDLE_E_OVERLAP, (messages[1] = memory, heddle_hmac_many(&key, messages, lens, 2, memory,
                                                                 64, NULL)));
    UNTOUCHED;

    IS(HEDDLE_OK, heddle_hmac_key_mac(&key, "abc", 3, tag, sizeof tag));
    IS(HEDDLE_OK, heddle_hmac_once(HEDDLE_SHA256, "k", 1, "abc", 3, again, sizeof again));
    HOLDS(memcmp(tag, again, 32) == 0);
    IS(HEDDLE_OK, heddle_hmac_key_verify(&key, "abc", 3, tag, 32));
    IS(HEDDLE_E_MISMATCH, heddle_hmac_key_verify(&key, "abc", 3, tag, 31));
    IS(HEDDLE_E_MISMATCH, heddle_hmac_key_verify(&key, "abd", 3, tag, 32));
    IS(HEDDLE_E_MISMATCH, heddle_hmac_key_verify(&key, "abc", 3, NULL, 0));
    IS(HEDDLE_OK, heddle_hmac_init(&hmac, &key));
    IS(HEDDLE_OK, heddle_hmac_update(&hmac, "abc", 3));
    IS(HEDDLE_E_LENGTH, heddle_hmac_finish(&hmac, memory, 31));
    IS(HEDDLE_OK, heddle_hmac_verify(&hmac, tag, 32));
    IS(HEDDLE_E_STATE, heddle_hmac_verify(&hmac, tag, 32));
    messages[1] = "abc";
    IS(HEDDLE_OK, heddle_hmac_many(&key, messages, lens, 2, memory, 64, NULL));
    HOLDS(memcmp(memory, tag, 32) == 0 && memcmp(memory + 32, tag, 32) == 0);

    fresh();
    IS(HEDDLE_E_PARAMETER, heddle_pbkdf2(HEDDLE_SHA256, "p", 1, "s", 1, 0, memory, 32));
    IS(HEDDLE_E_NULL, heddle_pbkdf2(HEDDLE_SHA256, NULL, 1, "s", 1, 1, memory, 32));
    IS(HEDDLE_E_OVERLAP, heddle_pbkdf2(HEDDLE_SHA256, "p", 1, memory, 1, 1, memory, 32));
    static unsigned char long_key[255 * 20 + 1];
    IS(HEDDLE_E_PARAMETER,
       heddle_hkdf(HEDDLE_SHA1, NULL, 0, "s", 1, NULL, 0, long_key, sizeof long_key));
    IS(HEDDLE_OK,
       heddle_hkdf(HEDDLE_SHA1, NULL, 0, "s", 1, NULL, 0, long_key, sizeof long_key - 1));
    IS(HEDDLE_E_PARAMETER, heddle_hkdf_expand(HEDDLE_SHA256, "short", 5, NULL, 0, again, 32));
    IS(HEDDLE_OK, heddle_pbkdf2(HEDDLE_SHA256, NULL, 0, NULL, 0, 1, NULL, 0));
}

static void row_table(void) {
    heddle_row row;

    IS(HEDDLE_E_NULL, heddle_row_at(0, NULL));
    IS(HEDDLE_E_ALIGNMENT, heddle_row_at(0, (heddle_row *)(memory + 1)));
    IS(HEDDLE_E_ROW, heddle_row_at(heddle_row_count(), &row));
    IS(HEDDLE_E_ROW, heddle_row_at(SIZE_MAX, &row));
    IS(HEDDLE_E_ROW, heddle_row_runs(SIZE_MAX, HEDDLE_SHA1));
    IS(HEDDLE_E_ALGORITHM, heddle_row_runs(0, 0));
    IS(HEDDLE_E_PARAMETER, heddle_row_chosen(HEDDLE_SHA1, 0, NULL, &row));
    IS(HEDDLE_E_PARAMETER, heddle_row_chosen(HEDDLE_SHA1, 33, NULL, &row));
    HOLDS(strcmp(heddle_status_text(12345), heddle_status_text(54321)) == 0);

    /* Each row that can run here, forced. */
    for (size_t i = 0; i < heddle_row_count(); i++) {
        IS(HEDDLE_OK, heddle_row_at(i, &row));
        if (!heddle_row_runs(i, HEDDLE_SHA256)) {
            heddle_hasher hasher;
            IS(HEDDLE_E_ROW, heddle_hasher_init(&hasher, HEDDLE_SHA256, row.name));
            continue;
        }
        const void *messages[2] = {"abc", "abc"};
        size_t lens[2] = {3, 3};
        heddle_row chosen;
        IS(HEDDLE_OK, heddle_row_chosen(HEDDLE_SHA256, 32, row.name, &chosen));
        HOLDS(strcmp(chosen.name, row.name) == 0 && chosen.lanes == row.lanes && row.runs == 1);
        IS(HEDDLE_OK, heddle_hash_many(HEDDLE_SHA256, messages, lens, 2, memory, 64, row.name));
        HOLDS(memcmp(memory, ABC, 32) == 0 && memcmp(memory + 32, ABC, 32) == 0);
    }
}

int main(int argc, char **argv) {
    search = argc > 1 && strcmp(argv[1], "search") == 0;
    one_shot();
    contexts();
    batches();
    keyed();
    row_table();
    return 0;
}
