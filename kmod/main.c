// SPDX-License-Identifier: GPL-2.0-only
/* SHA-1 and SHA-2 (FIPS 180-4) as hashes of the Linux kernel, with the engine's assembly. */
#include <crypto/sha1.h>
#include <crypto/sha2.h>
#include <linux/module.h>

#include "lanesum.h"

static int priority = 300;
module_param(priority, int, 0444);
MODULE_PARM_DESC(priority, "cra_priority of all algorithms; the kernel's drivers have 100 to 250");

static char *tier;
module_param(tier, charp, 0444);
MODULE_PARM_DESC(tier, "tier to use instead of the best one: x86_64, bmi2, ssse3, avx, avx2, avx512 or sha_ni");

#define FAMILY(state_struct, buffer_field, block_bytes, family)                               \
	{                                                                                      \
		.name = #family,                                                               \
		.block = block_bytes,                                                          \
		.word = sizeof(((struct state_struct *)NULL)->state[0]),                       \
		.state = sizeof(((struct state_struct *)NULL)->state),                         \
		.context = sizeof(struct state_struct),                                        \
		.count = offsetof(struct state_struct, count),                                 \
		.buffer = offsetof(struct state_struct, buffer_field),                         \
		.texts = lanesum_##family##_texts,                                             \
	}

static struct lanesum_family families[] = {
	FAMILY(sha1_state, buffer, SHA1_BLOCK_SIZE, sha1),
	FAMILY(sha256_state, buf, SHA256_BLOCK_SIZE, sha256),
	FAMILY(sha512_state, buf, SHA512_BLOCK_SIZE, sha512),
};

static_assert(!offsetof(struct sha1_state, state) && !offsetof(struct sha256_state, state) &&
	      !offsetof(struct sha512_state, state));

/* FIPS 180-4, 5.3. */
static const u32 sha1_start[] = { SHA1_H0, SHA1_H1, SHA1_H2, SHA1_H3, SHA1_H4 };
static const u32 sha224_start[] = { SHA224_H0, SHA224_H1, SHA224_H2, SHA224_H3,
				    SHA224_H4, SHA224_H5, SHA224_H6, SHA224_H7 };
static const u32 sha256_start[] = { SHA256_H0, SHA256_H1, SHA256_H2, SHA256_H3,
				    SHA256_H4, SHA256_H5, SHA256_H6, SHA256_H7 };
static const u64 sha384_start[] = { SHA384_H0, SHA384_H1, SHA384_H2, SHA384_H3,
				    SHA384_H4, SHA384_H5, SHA384_H6, SHA384_H7 };
static const u64 sha512_start[] = { SHA512_H0, SHA512_H1, SHA512_H2, SHA512_H3,
				    SHA512_H4, SHA512_H5, SHA512_H6, SHA512_H7 };

#define ALGORITHM(name, NAME, family_index, state_struct)                                     \
	{                                                                                      \
		.family = &families[family_index],                                             \
		.start = name##_start,                                                         \
		.known = lanesum_known_##name,                                                 \
		.alg = {                                                                       \
			.digestsize = NAME##_DIGEST_SIZE,                                      \
			.init = lanesum_init,                                                  \
			.update = lanesum_update,                                              \
			.final = lanesum_final,                                                \
			.export = lanesum_export,                                              \
			.import = lanesum_import,                                              \
			.descsize = sizeof(struct state_struct),                               \
			.statesize = sizeof(struct state_struct),                              \
			.base = {                                                              \
				.cra_name = #name,                                             \
				.cra_blocksize = NAME##_BLOCK_SIZE,                            \
				.cra_module = THIS_MODULE,                                     \
			},                                                                     \
		},                                                                             \
	}

static struct lanesum_algorithm algorithms[] = {
	ALGORITHM(sha1, SHA1, 0, sha1_state),
	ALGORITHM(sha224, SHA224, 1, sha256_state),
	ALGORITHM(sha256, SHA256, 1, sha256_state),
	ALGORITHM(sha384, SHA384, 2, sha512_state),
	ALGORITHM(sha512, SHA512, 2, sha512_state),
};

static void unregister(size_t number)
{
	while (number--)
		crypto_unregister_shash(&algorithms[number].alg);
}

static int __init lanesum_load(void)
{
	if (tier && !lanesum_is_tier(families, ARRAY_SIZE(families), tier)) {
		pr_err("unknown tier %s\n", tier);
		return -EINVAL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		int error = lanesum_choose(&families[i], algorithms, ARRAY_SIZE(algorithms), tier);

		if (error) {
			pr_err("no %s of %s runs on this CPU\n", tier ?: "tier", families[i].name);
			return error;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(algorithms); i++) {
		const struct lanesum_family *family = algorithms[i].family;
		const struct lanesum_text *text = family->vector ?: family->general;
		struct crypto_alg *base = &algorithms[i].alg.base;
		int error;

		base->cra_priority = priority;
		snprintf(base->cra_driver_name, sizeof(base->cra_driver_name), "%s-lanesum-%s",
			 base->cra_name, text->name);
		error = crypto_register_shash(&algorithms[i].alg);
		if (error) {
			pr_err("cannot register %s: %d\n", base->cra_driver_name, error);
			unregister(i);
			return error;
		}
	}
	return 0;
}

static void __exit lanesum_unload(void)
{
	unregister(ARRAY_SIZE(algorithms));
}

module_init(lanesum_load);
module_exit(lanesum_unload);

MODULE_DESCRIPTION("SHA-1 and SHA-2 with Lanesum's proven assembly");
MODULE_AUTHOR("The Lanesum authors");
MODULE_LICENSE("GPL");
MODULE_ALIAS_CRYPTO("sha1");
MODULE_ALIAS_CRYPTO("sha224");
MODULE_ALIAS_CRYPTO("sha256");
MODULE_ALIAS_CRYPTO("sha384");
MODULE_ALIAS_CRYPTO("sha512");
