/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations shared by the files of the module. */
#ifndef LANESUM_H
#define LANESUM_H

#include <crypto/internal/hash.h>
#include <linux/types.h>

#undef pr_fmt
#define pr_fmt(fmt) "lanesum: " fmt

/* One of the engine's kernels as a function: compresses blocks into a chaining value. */
typedef void lanesum_text_fn(void *state, const u8 *data, size_t blocks);

/* An assembly function and its requirements. */
struct lanesum_text {
	const char *name;
	lanesum_text_fn *compress;
	bool (*runs)(void);
	/* Whether it uses vector registers, which belong to the interrupted program. */
	bool vector;
};

/* A compression function, the layout of its contexts, and its assembly functions. */
struct lanesum_family {
	const char *name;
	unsigned int block; /* bytes */
	unsigned int word; /* bytes */
	unsigned int state; /* bytes: the chaining value */
	unsigned int context; /* bytes: the Linux kernel's struct, which begins with the state */
	unsigned int count; /* offset of the number of bytes */
	unsigned int buffer; /* offset of the partial block */
	const struct lanesum_text *texts; /* best first, terminated by one without a name */
	const struct lanesum_text *vector; /* selected; NULL if the CPU has no vector registers */
	const struct lanesum_text *general; /* selected, for contexts where vectors must not be used */
};

struct lanesum_algorithm {
	struct shash_alg alg;
	struct lanesum_family *family;
	const void *start; /* the initial chaining value */
	const u8 *known; /* the digest of lanesum_known_message */
};

/* shash.c: one message. */
void lanesum_begin(const struct lanesum_algorithm *algorithm, void *context);
int lanesum_add(const struct lanesum_algorithm *algorithm, void *context, const u8 *data,
		unsigned int len);
void lanesum_end(const struct lanesum_algorithm *algorithm, void *context, u8 *digest);
int lanesum_init(struct shash_desc *desc);
int lanesum_update(struct shash_desc *desc, const u8 *data, unsigned int len);
int lanesum_final(struct shash_desc *desc, u8 *digest);
int lanesum_export(struct shash_desc *desc, void *out);
int lanesum_import(struct shash_desc *desc, const void *in);

/* choose.c: selection of functions. */
int lanesum_choose(struct lanesum_family *family, const struct lanesum_algorithm *algorithms,
		   size_t number, const char *tier);
bool lanesum_is_tier(const struct lanesum_family *families, size_t number, const char *tier);

/* known.c: known answers. */
bool lanesum_is_known(const struct lanesum_algorithm *algorithm);
extern const u8 lanesum_known_sha1[], lanesum_known_sha224[], lanesum_known_sha256[],
	lanesum_known_sha384[], lanesum_known_sha512[];

/* table.c: all functions. */
extern const struct lanesum_text lanesum_sha1_texts[], lanesum_sha256_texts[],
	lanesum_sha512_texts[];

#endif
