// SPDX-License-Identifier: GPL-2.0-only
/*
 * One message: collects, compresses and pads blocks (FIPS 180-4, 5.1). Contexts are the kernel's
 * structs, so that one driver can import a state that another exported.
 */
#include <asm/byteorder.h>
#include <asm/fpu/api.h>
#include <asm/simd.h>
#include <crypto/internal/simd.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "lanesum.h"

/* Bytes between kernel_fpu_begin and kernel_fpu_end, which disable preemption. */
#define PIECE 4096
/* The maximum of the high word of a number of bytes: the number of bits must fit in the same words
 * (FIPS 180-4, 1).
 */
#define MOST (U64_MAX >> 3)

static const struct lanesum_algorithm *of(struct shash_desc *desc)
{
	return container_of(crypto_shash_alg(desc->tfm), struct lanesum_algorithm, alg);
}

/* Families with 128-byte blocks have two words of length, the low one first; for others both are the same. */
static u64 *low_count(const struct lanesum_family *family, void *context)
{
	return context + family->count;
}

static u64 *high_count(const struct lanesum_family *family, void *context)
{
	return low_count(family, context) + (family->block == 128);
}

static void compress(const struct lanesum_family *family, void *state, const u8 *data,
		     size_t blocks)
{
	if (!family->vector || !crypto_simd_usable()) {
		family->general->compress(state, data, blocks);
		return;
	}
	while (blocks) {
		size_t piece = min_t(size_t, blocks, PIECE / family->block);

		kernel_fpu_begin();
		family->vector->compress(state, data, piece);
		kernel_fpu_end();
		data += piece * family->block;
		blocks -= piece;
	}
}

void lanesum_begin(const struct lanesum_algorithm *algorithm, void *context)
{
	memset(context, 0, algorithm->family->context);
	memcpy(context, algorithm->start, algorithm->family->state);
}

int lanesum_add(const struct lanesum_algorithm *algorithm, void *context, const u8 *data,
		unsigned int len)
{
	const struct lanesum_family *family = algorithm->family;
	u64 *low = low_count(family, context), *high = high_count(family, context);
	u8 *buffer = context + family->buffer;
	unsigned int filled = *low % family->block;

	if (low == high) {
		if (len > MOST - *low)
			return -EINVAL;
		*low += len;
	} else {
		if (*low + len < len) {
			if (*high == MOST)
				return -EINVAL;
			++*high;
		}
		*low += len;
	}
	if (filled) {
		unsigned int part = min(len, family->block - filled);

		memcpy(buffer + filled, data, part);
		data += part;
		len -= part;
		if (filled + part < family->block)
			return 0;
		compress(family, context, buffer, 1);
	}
	if (len >= family->block) {
		compress(family, context, data, len / family->block);
		data += len - len % family->block;
		len %= family->block;
	}
	memcpy(buffer, data, len);
	return 0;
}

void lanesum_end(const struct lanesum_algorithm *algorithm, void *context, u8 *digest)
{
	const struct lanesum_family *family = algorithm->family;
	u64 low = *low_count(family, context), high = *high_count(family, context);
	u8 *buffer = context + family->buffer;
	unsigned int filled = low % family->block;
	/* The length field takes two words. */
	unsigned int room = family->block - 2 * family->word;
	__be64 bits[2] = {
		cpu_to_be64(family->block == 128 ? high << 3 | low >> 61 : 0),
		cpu_to_be64(low << 3),
	};

	buffer[filled++] = 0x80;
	memset(buffer + filled, 0, family->block - filled);
	if (filled > room) {
		compress(family, context, buffer, 1);
		memset(buffer, 0, family->block);
	}
	memcpy(buffer + room, (u8 *)bits + sizeof(bits) - 2 * family->word, 2 * family->word);
	compress(family, context, buffer, 1);

	if (family->word == 4)
		cpu_to_be32_array(context, context, family->state / 4);
	else
		for (u64 *word = context; word < (u64 *)(context + family->state); word++)
			*word = (__force u64)cpu_to_be64(*word);
	memcpy(digest, context, algorithm->alg.digestsize);
	memzero_explicit(context, family->context);
}

int lanesum_init(struct shash_desc *desc)
{
	lanesum_begin(of(desc), shash_desc_ctx(desc));
	return 0;
}

int lanesum_update(struct shash_desc *desc, const u8 *data, unsigned int len)
{
	return lanesum_add(of(desc), shash_desc_ctx(desc), data, len);
}

int lanesum_final(struct shash_desc *desc, u8 *digest)
{
	lanesum_end(of(desc), shash_desc_ctx(desc), digest);
	return 0;
}

int lanesum_export(struct shash_desc *desc, void *out)
{
	memcpy(out, shash_desc_ctx(desc), of(desc)->family->context);
	return 0;
}

/* Every chaining value and every buffer is valid, but not every length. */
int lanesum_import(struct shash_desc *desc, const void *in)
{
	const struct lanesum_family *family = of(desc)->family;
	void *context = shash_desc_ctx(desc);

	memcpy(context, in, family->context);
	if (*high_count(family, context) > MOST) {
		memzero_explicit(context, family->context);
		return -EINVAL;
	}
	return 0;
}
