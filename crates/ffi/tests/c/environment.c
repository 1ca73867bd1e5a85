/* Every call without a policy returns a status if LANESUM_KERNEL leaves the algorithm without a
   kernel, or if LANESUM_KERNEL or LANESUM_COSTS is invalid. A call with a policy that lists kernels
   ignores the variables. Arguments: an algorithm, whether it has a kernel ("none" or "some"), and
   the name of the kernel for one message, if it matters. */
#include "check.h"

static unsigned char out[256];
static lanesum_hasher hasher;
static lanesum_hmac_key key;
static lanesum_hmac hmac;
static lanesum_kernel kernel;

int main(int argc, char **argv) {
    const void *messages[] = {"abc"};
    const size_t lens[] = {3};
    const uint64_t offsets[] = {0, 3};
    const int32_t offsets32[] = {0, 3};
    lanesum_algorithm algorithm;
    size_t len;
    int expected;

    HOLDS(argc == 3 || argc == 4);
    algorithm = lanesum_algorithm_from_name(argv[1]);
    HOLDS(algorithm > 0);
    len = (size_t)lanesum_algorithm_digest_len(algorithm);
    expected = strcmp(argv[2], "none") == 0 ? LANESUM_E_KERNEL : LANESUM_OK;

    IS(expected, lanesum_hash(algorithm, "abc", 3, out, sizeof out));
    IS(expected, lanesum_hash_many(algorithm, messages, lens, 1, out, len, NULL));
    IS(expected, lanesum_hash_offsets(algorithm, "abc", 3, offsets, 1, out, len, NULL));
    IS(expected, lanesum_hash_offsets32(algorithm, "abc", 3, offsets32, 1, out, len, NULL));
    IS(expected, lanesum_hash_strided(algorithm, "abc", 3, 3, 1, out, len, NULL));
    IS(expected, lanesum_double_hash_many(algorithm, messages, lens, 1, out, len, NULL));
    IS(expected, lanesum_chain(algorithm, out + 128, len, 2, out, sizeof out));
    IS(expected, lanesum_chain_many(algorithm, out + 128, len, offsets, 1, out, len, NULL));
    IS(expected, lanesum_hasher_init(&hasher, algorithm, NULL));
    IS(expected, lanesum_hmac_once(algorithm, "key", 3, "abc", 3, out, sizeof out));
    IS(expected, lanesum_hmac_key_init(&key, algorithm, "key", 3, NULL));
    IS(expected, lanesum_hkdf(algorithm, "salt", 4, "secret", 6, "", 0, out, 16));
    IS(expected, lanesum_hkdf_extract(algorithm, "salt", 4, "secret", 6, out, sizeof out));
    IS(expected, lanesum_hkdf_expand(algorithm, out + 128, len, "", 0, out, 16));
    IS(expected, lanesum_hkdf_many(algorithm, messages, lens, messages, lens, messages, lens, 1,
                                   out, 16, NULL));
    IS(expected, lanesum_pbkdf2(algorithm, "word", 4, "salt", 4, 2, out, 16));
    IS(expected, lanesum_pbkdf2_many(algorithm, messages, lens, messages, lens, 1, 2, out, 16,
                                     NULL));
    IS(expected, lanesum_kernel_chosen(algorithm, 1, NULL, &kernel));
    HOLDS(argc == 3 || strcmp(kernel.name, argv[3]) == 0);

    /* With a policy. */
    IS(LANESUM_OK, lanesum_hasher_init(&hasher, algorithm, policy_of("portable")));
    IS(LANESUM_OK, lanesum_hasher_update(&hasher, "abc", 3));
    len = sizeof out;
    IS(LANESUM_OK, lanesum_hasher_export(&hasher, out, &len));
    IS(expected, lanesum_hasher_import(&hasher, out, len));
    IS(LANESUM_OK, lanesum_hmac_key_init(&key, algorithm, "key", 3, policy_of("portable")));
    IS(LANESUM_OK, lanesum_hmac_key_mac(&key, "abc", 3, out, sizeof out));
    IS(LANESUM_OK, lanesum_hmac_init(&hmac, &key));
    IS(LANESUM_OK, lanesum_hmac_update(&hmac, "abc", 3));
    IS(LANESUM_OK, lanesum_hmac_finish(&hmac, out, sizeof out));
    IS(expected, lanesum_mac_many(&key, messages, lens, 1, out,
                                   (size_t)lanesum_algorithm_digest_len(algorithm), NULL));
    return 0;
}
