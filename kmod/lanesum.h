/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the module know of each other. */
#ifndef LANESUM_H
#define LANESUM_H

#include <crypto/internal/hash.h>
#include <linux/types.h>

#undef pr_fmt
#define pr_fmt(fmt) "lanesum: " fmt

/* A kernel of the engine's as a function: compresses blocks into a chaining value. */
typedef void lanesum_text_fn(void *state, const u8 *data, size_t blocks);

/* A text, and what it needs. */
struct lanesum_text {
	const char *name;
	lanesum_text_fn *compress;
	bool (*runs)(void);
	/* Whether it uses registers that are the interrupted program's. */
	bool vector;
};

/* A compression function, what its contexts look like, and which texts compute it. */
struct lanesum_family {
	const char *name;
	unsigned int block; /* bytes */
	unsigned int word; /* bytes */
	unsigned int state; /* bytes: the chaining value */
	unsigned int context; /* bytes: the kernel's own struct, which begins with the state */
	unsigned int count; /* where in it the number of bytes is */
	unsigned int buffer; /* where in it the last partial block is */
	const struct lanesum_text *texts; /* best first; ends with one without a name */
	const struct lanesum_text *vector; /* chosen; none if the CPU has no such registers */
	const struct lanesum_text *general; /* chosen, for where vectors may not be used */
};

struct lanesum_algorithm {
	struct shash_alg alg;
	struct lanesum_family *family;
	const void *start; /* the chaining value that a message begins with */
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

/* choose.c: which texts are used. */
int lanesum_choose(struct lanesum_family *family, const struct lanesum_algorithm *algorithms,
		   size_t number, const char *tier);
bool lanesum_is_tier(const struct lanesum_family *families, size_t number, const char *tier);

/* known.c: known answers. */
bool lanesum_is_known(const struct lanesum_algorithm *algorithm);
extern const u8 lanesum_known_sha1[], lanesum_known_sha224[], lanesum_known_sha256[],
	lanesum_known_sha384[], lanesum_known_sha512[];

/* table.c: every text. */
extern const struct lanesum_text lanesum_sha1_texts[], lanesum_sha256_texts[],
	lanesum_sha512_texts[];

#endif
