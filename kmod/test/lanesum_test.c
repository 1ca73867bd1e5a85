// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that a program cannot run: states exchanged between drivers, contexts in which vectors must not be
 * used, and invalid states. Loading the module fails if a test fails.
 */
#include <crypto/hash.h>
#include <crypto/sha1.h>
#include <crypto/sha2.h>
#include <linux/module.h>
#include <linux/slab.h>

#include <asm/fpu/api.h>

#define BYTES 40000
/* Larger than any driver's state; not every kernel has a constant for this limit. */
#define STATE_BYTES 512

static u8 *message;

/* The digest by two drivers: the first hashes `half` bytes, the second the rest. */
static int by_two(struct crypto_shash *first, struct crypto_shash *second, size_t half, u8 *digest)
{
	SHASH_DESC_ON_STACK(one, first);
	SHASH_DESC_ON_STACK(two, second);
	u8 state[STATE_BYTES];

	one->tfm = first;
	two->tfm = second;
	if (crypto_shash_statesize(first) != crypto_shash_statesize(second) ||
	    crypto_shash_statesize(first) > sizeof(state))
		return -EINVAL;
	return crypto_shash_init(one) ?: crypto_shash_update(one, message, half) ?:
	       crypto_shash_export(one, state) ?: crypto_shash_import(two, state) ?:
	       crypto_shash_finup(two, message + half, BYTES - half, digest);
}

/* States with an impossible length must be rejected, all others accepted. */
static int garbage(struct crypto_shash *ours, size_t high)
{
	SHASH_DESC_ON_STACK(desc, ours);
	u64 state[STATE_BYTES / 8];
	u8 digest[SHA512_DIGEST_SIZE];
	int wrong = 0;

	desc->tfm = ours;
	memset(state, 0xa5, sizeof(state));
	if (crypto_shash_import(desc, state) != -EINVAL)
		wrong = 1;
	state[high] = U64_MAX >> 3;
	if (crypto_shash_import(desc, state) || crypto_shash_final(desc, digest))
		wrong = 2;
	/* The longest message must reject more bytes, also if only the low word of the length overflows. */
	state[high] = U64_MAX >> 3;
	if (crypto_shash_digestsize(ours) > 32)
		state[high - 1] = U64_MAX - 10;
	if (crypto_shash_import(desc, state) || crypto_shash_update(desc, message, 100) != -EINVAL)
		wrong = 3;
	return wrong;
}

static int one_algorithm(const char *name, const char *other, size_t high)
{
	struct crypto_shash *ours, *theirs;
	u8 wanted[SHA512_DIGEST_SIZE], found[SHA512_DIGEST_SIZE];
	unsigned int len;
	int error, wrong = 0;

	ours = crypto_alloc_shash(name, 0, 0);
	theirs = crypto_alloc_shash(other, 0, 0);
	if (IS_ERR(ours) || IS_ERR(theirs)) {
		pr_err("lanesum_test: %s or %s is missing\n", name, other);
		return -ENOENT;
	}
	len = crypto_shash_digestsize(ours);
	if (!strstr(crypto_shash_driver_name(ours), "lanesum")) {
		pr_err("lanesum_test: %s is not ours\n", crypto_shash_driver_name(ours));
		wrong = 1;
	}
	error = crypto_shash_tfm_digest(theirs, message, BYTES, wanted);
	for (size_t half = 0; !error && half <= 300; half += 1) {
		error = by_two(ours, theirs, half, found);
		wrong |= memcmp(wanted, found, len);
		error = error ?: by_two(theirs, ours, half, found);
		wrong |= memcmp(wanted, found, len);
	}
	if (error || wrong)
		pr_err("lanesum_test: %s: states go wrong: %d\n", name, error);

	/* While the FPU is in use, the driver must not use it. */
	kernel_fpu_begin();
	error = error ?: crypto_shash_tfm_digest(ours, message, BYTES, found);
	kernel_fpu_end();
	if (error || memcmp(wanted, found, len)) {
		pr_err("lanesum_test: %s: wrong without vectors\n", name);
		wrong = 1;
	}
	error = garbage(ours, high);
	if (error) {
		pr_err("lanesum_test: %s: garbage %d\n", name, error);
		wrong = 1;
	}
	pr_info("lanesum_test: %s and %s: %s\n", crypto_shash_driver_name(ours), other,
		wrong ? "wrong" : "right");
	crypto_free_shash(ours);
	crypto_free_shash(theirs);
	return wrong ? -EBADMSG : 0;
}

static int __init test_load(void)
{
	int error;

	message = kmalloc(BYTES, GFP_KERNEL);
	if (!message)
		return -ENOMEM;
	for (size_t i = 0; i < BYTES; i++)
		message[i] = i * i >> 3;
	error = one_algorithm("sha1", "sha1-generic", offsetof(struct sha1_state, count) / 8) ?:
		one_algorithm("sha224", "sha224-generic", 4) ?:
		one_algorithm("sha256", "sha256-generic", 4) ?:
		one_algorithm("sha384", "sha384-generic", 9) ?:
		one_algorithm("sha512", "sha512-generic", 9);
	kfree(message);
	return error;
}

static void __exit test_unload(void)
{
}

module_init(test_load);
module_exit(test_unload);
MODULE_DESCRIPTION("Tests of Lanesum's hashes in the kernel");
MODULE_LICENSE("GPL");
