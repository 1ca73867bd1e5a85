/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Driver for lanesum_sha2_axil: SHA-224 and SHA-256 of messages in memory. Freestanding C99 without a C library, which is
 * also valid C++. It polls, and never waits without limit. Calls for the same device must not run concurrently. */
#ifndef LANESUM_SHA2_H
#define LANESUM_SHA2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lanesum_sha2_mode { LANESUM_SHA2_224, LANESUM_SHA2_256 };

enum lanesum_sha2_status {
	LANESUM_SHA2_OK,
	LANESUM_SHA2_INVALID,    /* a null pointer, an unknown mode or an invalid context; nothing changed */
	LANESUM_SHA2_NO_MESSAGE, /* no message was begun or restored; nothing changed */
	LANESUM_SHA2_TOO_LONG,   /* the message would reach 2^61 - 512 bytes; nothing changed */
	LANESUM_SHA2_NO_DEVICE,  /* no lanesum_sha2_axil at this address, or an incompatible version */
	LANESUM_SHA2_FAILED,     /* the device reported an error, for example after a reset; the message was dropped */
	LANESUM_SHA2_TIMEOUT     /* the device did not become ready; the message was dropped */
};

/* A message up to some byte. As secret as the message. */
struct lanesum_sha2_context {
	uint64_t length;   /* bytes of the message so far */
	uint32_t value[8]; /* the chaining value after its whole blocks */
	uint8_t block[64]; /* the bytes after them */
	uint8_t mode;
};

/* A device and its message. The members are private. */
struct lanesum_sha2 {
	volatile void *base;
	struct lanesum_sha2_context message;
	uint32_t held; /* the last word of the newest whole block: a context could end with it */
	uint8_t begun; /* there is a message */
	uint8_t open;  /* the device has whole blocks of it, up to `held` */
};

#ifdef LANESUM_SHA2_BUS
/* Defined by the program: accesses to the 32-bit register at `offset`. By default, they are volatile accesses to `base`. */
uint32_t lanesum_sha2_bus_read(volatile void *base, uint32_t offset);
void lanesum_sha2_bus_write(volatile void *base, uint32_t offset, uint32_t value);
#endif

/* Prepares the device at `base`: identifies and zeroizes it, and disables its interrupts. */
enum lanesum_sha2_status lanesum_sha2_init(struct lanesum_sha2 *dev, volatile void *base);

/* Hashes `size` bytes at `data`: 28 or 32 bytes to `digest`. Drops a message that was begun. */
enum lanesum_sha2_status lanesum_sha2_hash(struct lanesum_sha2 *dev, enum lanesum_sha2_mode mode, const void *data,
                                           size_t size, uint8_t *digest);

/* Begins a message. Drops one that was begun before. */
enum lanesum_sha2_status lanesum_sha2_start(struct lanesum_sha2 *dev, enum lanesum_sha2_mode mode);

/* Appends `size` bytes at `data` to the message. */
enum lanesum_sha2_status lanesum_sha2_update(struct lanesum_sha2 *dev, const void *data, size_t size);

/* Ends the message: 28 or 32 bytes to `digest`. */
enum lanesum_sha2_status lanesum_sha2_finish(struct lanesum_sha2 *dev, uint8_t *digest);

/* Moves the message to `context`, so that the device is free for another. */
enum lanesum_sha2_status lanesum_sha2_save(struct lanesum_sha2 *dev, struct lanesum_sha2_context *context);

/* Continues the message in `context`, which remains valid. Drops a message that was begun. */
enum lanesum_sha2_status lanesum_sha2_restore(struct lanesum_sha2 *dev, const struct lanesum_sha2_context *context);

/* Drops the message, and overwrites it in the device and in `dev`. */
enum lanesum_sha2_status lanesum_sha2_zeroize(struct lanesum_sha2 *dev);

#ifdef __cplusplus
}
#endif

#endif
