/* Prints the result of every function that computes digests, MACs or keys, one per line. The test
   compares them with the specification and the engine. */
#include "check.h"

static void print(const char *what, const unsigned char *bytes, size_t len) {
    printf("%s ", what);
    for (size_t i = 0; i < len; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

enum { COUNT = 70 };
static unsigned char buffer[COUNT * COUNT];
static unsigned char out[COUNT * 64];
static const void *messages[COUNT];
static size_t lens[COUNT];
static uint64_t offsets[COUNT + 1], counts[COUNT];
static int32_t offsets32[COUNT + 1];

int main(int argc, char **argv) {
    HOLDS(argc == 2);
    lanesum_algorithm algorithm = lanesum_algorithm_from_name(argv[1]);
    HOLDS(algorithm > 0);
    size_t len = (size_t)lanesum_algorithm_digest_len(algorithm);
    lanesum_hasher hasher;
    lanesum_hmac_key key;
    lanesum_hmac hmac;

    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = i % 251;
    for (size_t i = 0; i < COUNT; i++) {
        lens[i] = counts[i] = i;
        offsets[i + 1] = offsets[i] + i;
        offsets32[i + 1] = (int32_t)offsets[i + 1];
        messages[i] = buffer + offsets[i];
    }
    IS(LANESUM_OK, lanesum_hash(algorithm, buffer, sizeof buffer, out, sizeof out));
    print("hash", out, len);
    IS(LANESUM_OK, lanesum_hasher_init(&hasher, algorithm, NULL));
    for (size_t at = 0, step = 1; at < sizeof buffer; at += step, step++) {
        size_t rest = sizeof buffer - at;
        IS(LANESUM_OK, lanesum_hasher_update(&hasher, buffer + at, step < rest ? step : rest));
    }
    IS(LANESUM_OK, lanesum_hasher_finish(&hasher, out, sizeof out));
    print("hash", out, len);
    IS(LANESUM_OK, lanesum_hash_many(algorithm, messages, lens, COUNT, out, len * COUNT, NULL));
    print("many", out, len * COUNT);
    IS(LANESUM_OK, lanesum_hash_offsets(algorithm, buffer, sizeof buffer, offsets, COUNT, out,
                                      len * COUNT, NULL));
    print("many", out, len * COUNT);
    IS(LANESUM_OK, lanesum_hash_offsets32(algorithm, buffer, sizeof buffer, offsets32, COUNT, out,
                                        len * COUNT, NULL));
    print("many", out, len * COUNT);
    IS(LANESUM_OK, lanesum_hash_strided(algorithm, buffer, 33, COUNT, COUNT, out, len * COUNT, NULL));
    print("strided", out, len * COUNT);
    IS(LANESUM_OK, lanesum_double_hash_many(algorithm, messages, lens, COUNT, out, len * COUNT, NULL));
    print("doubles", out, len * COUNT);
    IS(LANESUM_OK, lanesum_chain(algorithm, buffer, len, 1000, out, sizeof out));
    print("chain", out, len);
    IS(LANESUM_OK, lanesum_chain_many(algorithm, buffer, len * COUNT, counts, COUNT, out, len * COUNT, NULL));
    print("chains", out, len * COUNT);

    IS(LANESUM_OK, lanesum_hmac_once(algorithm, buffer, 200, buffer, 1000, out, sizeof out));
    print("hmac", out, len);
    IS(LANESUM_OK, lanesum_hmac_key_init(&key, algorithm, buffer, 200, NULL));
    IS(LANESUM_OK, lanesum_hmac_key_mac(&key, buffer, 1000, out, sizeof out));
    print("hmac", out, len);
    IS(LANESUM_OK, lanesum_hmac_init(&hmac, &key));
    IS(LANESUM_OK, lanesum_hmac_update(&hmac, buffer, 333));
    IS(LANESUM_OK, lanesum_hmac_update(&hmac, buffer + 333, 667));
    IS(LANESUM_OK, lanesum_hmac_finish(&hmac, out, sizeof out));
    print("hmac", out, len);
    IS(LANESUM_OK, lanesum_mac_many(&key, messages, lens, COUNT, out, len * COUNT, NULL));
    print("hmacs", out, len * COUNT);

    IS(LANESUM_OK, lanesum_hkdf(algorithm, buffer, 7, buffer, 22, buffer, 9, out, 42));
    print("hkdf", out, 42);
    IS(LANESUM_OK, lanesum_hkdf_extract(algorithm, buffer, 7, buffer, 22, out, sizeof out));
    IS(LANESUM_OK, lanesum_hkdf_expand(algorithm, out, len, buffer, 9, out + 64, 42));
    print("hkdf", out + 64, 42);
    IS(LANESUM_OK, lanesum_hkdf_many(algorithm, messages, lens, messages, lens, messages, lens,
                                   COUNT, out, 42, NULL));
    print("hkdfs", out, 42 * COUNT);
    IS(LANESUM_OK, lanesum_pbkdf2(algorithm, buffer, 7, buffer, 22, 5, out, 42));
    print("pbkdf2", out, 42);
    IS(LANESUM_OK, lanesum_pbkdf2_many(algorithm, messages, lens, messages, lens, COUNT, 5, out, 42,
                                     NULL));
    print("pbkdf2s", out, 42 * COUNT);
    return 0;
}
