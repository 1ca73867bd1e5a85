/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "lanesum_sha2.h"
#include "lanesum_sha2_regs.h"

#define REG(name) ((uint32_t)offsetof(lanesum_sha2_regs_t, name))
#define BIT(reg, field) ((uint32_t)LANESUM_SHA2_REGS__##reg##__##field##_bm)
#define AT(reg, field, value) ((uint32_t)(value) << LANESUM_SHA2_REGS__##reg##__##field##_bp)

#define MAX_BYTES (((uint64_t)1 << 61) - 513)

/* A digest is valid at most 140 clocks after its last byte was accepted, and a read takes several. */
#define MAX_POLLS 1000u

#ifndef LANESUM_SHA2_BUS
static uint32_t lanesum_sha2_bus_read(volatile void *base, uint32_t offset)
{
	return *(volatile uint32_t *)((volatile uint8_t *)base + offset);
}

static void lanesum_sha2_bus_write(volatile void *base, uint32_t offset, uint32_t value)
{
	*(volatile uint32_t *)((volatile uint8_t *)base + offset) = value;
}
#endif

static uint32_t get(struct lanesum_sha2 *dev, uint32_t offset)
{
	return lanesum_sha2_bus_read(dev->base, offset);
}

static void put(struct lanesum_sha2 *dev, uint32_t offset, uint32_t value)
{
	lanesum_sha2_bus_write(dev->base, offset, value);
}

/* Volatile, so that compilers neither call memcpy nor omit the copy. */
static void copy(volatile uint8_t *to, const uint8_t *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[i] = from[i];
}

static void wipe(volatile uint8_t *to, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[i] = 0;
}

static uint32_t word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Forgets the message in memory. */
static void forget(struct lanesum_sha2 *dev)
{
	wipe((volatile uint8_t *)&dev->message, sizeof dev->message);
	wipe((volatile uint8_t *)&dev->held, sizeof dev->held);
	dev->begun = 0;
	dev->open = 0;
}

/* Waits until the device is not busy. Returns OK only in the state `wanted`, without an error. */
static enum lanesum_sha2_status settle(struct lanesum_sha2 *dev, uint32_t wanted)
{
	uint32_t polls, status;

	for (polls = 0; polls < MAX_POLLS; polls++) {
		status = get(dev, REG(STATUS));
		if (!(status & BIT(STATUS, BUSY)))
			return status == wanted ? LANESUM_SHA2_OK : LANESUM_SHA2_FAILED;
	}
	return LANESUM_SHA2_TIMEOUT;
}

/* Drops all messages, in the device and in memory. */
static enum lanesum_sha2_status drop(struct lanesum_sha2 *dev)
{
	enum lanesum_sha2_status status;

	forget(dev);
	put(dev, REG(CONTROL), BIT(CONTROL, ZEROIZE));
	put(dev, REG(INTR_STATE), ~(uint32_t)0);
	status = settle(dev, BIT(STATUS, IDLE));
	/* The bus interface of the device retains two words that were read; two reads in succession replace both. */
	(void)get(dev, REG(ID));
	return status;
}

/* Makes the device ready for the next beat: begins the message there, or sends the held word. */
static enum lanesum_sha2_status proceed(struct lanesum_sha2 *dev)
{
	uint64_t blocks = dev->message.length >> 6;
	uint32_t control = BIT(CONTROL, START) | AT(CONTROL, MODE, dev->message.mode);
	enum lanesum_sha2_status status;
	uint32_t i;

	if (dev->open) {
		put(dev, REG(DATA), dev->held);
		return LANESUM_SHA2_OK;
	}
	status = settle(dev, BIT(STATUS, IDLE));
	if (status != LANESUM_SHA2_OK)
		return status;
	if (blocks != 0) {
		for (i = 0; i < 8; i++)
			put(dev, REG(CONTEXT0) + 4 * i, dev->message.value[i]);
		put(dev, REG(CONTEXT_BLOCKS_LOW), (uint32_t)blocks);
		put(dev, REG(CONTEXT_BLOCKS_HIGH), (uint32_t)(blocks >> 32));
		control |= BIT(CONTROL, RESTORE);
	}
	put(dev, REG(CONTROL), control);
	return LANESUM_SHA2_OK;
}

/* Sends a whole block, except for its last word. */
static enum lanesum_sha2_status compress(struct lanesum_sha2 *dev, const uint8_t *block)
{
	enum lanesum_sha2_status status = proceed(dev);
	uint32_t i;

	if (status != LANESUM_SHA2_OK)
		return status;
	for (i = 0; i < 60; i += 4)
		put(dev, REG(DATA), word(block + i));
	dev->held = word(block + 60);
	dev->open = 1;
	return LANESUM_SHA2_OK;
}

/* Sends the last `bytes` bytes of the message, in `data`, and stores the digest or chaining value in the structure, which
 * `forget` wipes. */
static enum lanesum_sha2_status end(struct lanesum_sha2 *dev, uint32_t last, uint32_t bytes, uint32_t data)
{
	uint32_t wanted = BIT(STATUS, DONE);
	enum lanesum_sha2_status status;
	uint32_t i;

	if (last & BIT(LAST, SAVE))
		wanted |= BIT(STATUS, SAVED);
	put(dev, REG(LAST), last | BIT(LAST, LAST) | AT(LAST, BYTES, bytes));
	put(dev, REG(DATA), data);
	status = settle(dev, wanted);
	if (status != LANESUM_SHA2_OK)
		return status;
	for (i = 0; i < 8; i++)
		dev->message.value[i] = get(dev, REG(DIGEST0) + 4 * i);
	/* A reset in between would have cleared the words. */
	return settle(dev, wanted);
}

enum lanesum_sha2_status lanesum_sha2_init(struct lanesum_sha2 *dev, volatile void *base)
{
	if (!dev)
		return LANESUM_SHA2_INVALID;
	dev->base = base;
	if (get(dev, REG(ID)) != LANESUM_SHA2_REGS__ID__MAGIC_reset ||
	    (get(dev, REG(VERSION)) & BIT(VERSION, MAJOR)) != AT(VERSION, MAJOR, LANESUM_SHA2_REGS__VERSION__MAJOR_reset))
		return LANESUM_SHA2_NO_DEVICE;
	put(dev, REG(INTR_ENABLE), 0);
	return drop(dev);
}

enum lanesum_sha2_status lanesum_sha2_start(struct lanesum_sha2 *dev, enum lanesum_sha2_mode mode)
{
	enum lanesum_sha2_status status = LANESUM_SHA2_OK;

	if (!dev || (mode != LANESUM_SHA2_224 && mode != LANESUM_SHA2_256))
		return LANESUM_SHA2_INVALID;
	if (dev->open)
		status = drop(dev);
	forget(dev);
	if (status != LANESUM_SHA2_OK)
		return status;
	dev->message.mode = (uint8_t)mode;
	dev->begun = 1;
	return LANESUM_SHA2_OK;
}

enum lanesum_sha2_status lanesum_sha2_update(struct lanesum_sha2 *dev, const void *data, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)data;
	enum lanesum_sha2_status status;
	const uint8_t *block;
	uint32_t filled;
	size_t part;

	if (!dev || (!data && size != 0))
		return LANESUM_SHA2_INVALID;
	if (!dev->begun)
		return LANESUM_SHA2_NO_MESSAGE;
	if (size > MAX_BYTES - dev->message.length)
		return LANESUM_SHA2_TOO_LONG;
	while (size != 0) {
		filled = (uint32_t)dev->message.length & 63;
		part = 64 - filled;
		if (part > size)
			part = size;
		block = bytes;
		if (part != 64) {
			copy(dev->message.block + filled, bytes, part);
			block = dev->message.block;
		}
		if (filled + part == 64) {
			status = compress(dev, block);
			if (status != LANESUM_SHA2_OK) {
				(void)drop(dev);
				return status;
			}
		}
		dev->message.length += part;
		bytes += part;
		size -= part;
	}
	return LANESUM_SHA2_OK;
}

enum lanesum_sha2_status lanesum_sha2_finish(struct lanesum_sha2 *dev, uint8_t *digest)
{
	enum lanesum_sha2_status status;
	uint32_t filled, last, bytes, i;

	if (!dev || !digest)
		return LANESUM_SHA2_INVALID;
	if (!dev->begun)
		return LANESUM_SHA2_NO_MESSAGE;
	filled = (uint32_t)dev->message.length & 63;
	last = filled & ~(uint32_t)3;
	bytes = dev->message.mode == LANESUM_SHA2_224 ? 28 : 32;
	status = proceed(dev);
	if (status == LANESUM_SHA2_OK) {
		for (i = 0; i < last; i += 4)
			put(dev, REG(DATA), word(dev->message.block + i));
		status = end(dev, 0, filled - last, word(dev->message.block + last));
	}
	if (status != LANESUM_SHA2_OK) {
		(void)drop(dev);
		return status;
	}
	for (i = 0; i < bytes; i++)
		digest[i] = (uint8_t)(dev->message.value[i / 4] >> 8 * (i % 4));
	put(dev, REG(CONTROL), BIT(CONTROL, TAKE));
	forget(dev);
	return LANESUM_SHA2_OK;
}

enum lanesum_sha2_status lanesum_sha2_hash(struct lanesum_sha2 *dev, enum lanesum_sha2_mode mode, const void *data,
                                           size_t size, uint8_t *digest)
{
	enum lanesum_sha2_status status;

	if (!digest || (!data && size != 0))
		return LANESUM_SHA2_INVALID;
	status = lanesum_sha2_start(dev, mode);
	if (status == LANESUM_SHA2_OK)
		status = lanesum_sha2_update(dev, data, size);
	if (status == LANESUM_SHA2_OK)
		status = lanesum_sha2_finish(dev, digest);
	return status;
}

enum lanesum_sha2_status lanesum_sha2_save(struct lanesum_sha2 *dev, struct lanesum_sha2_context *context)
{
	enum lanesum_sha2_status status;
	uint64_t blocks;

	if (!dev || !context)
		return LANESUM_SHA2_INVALID;
	if (!dev->begun)
		return LANESUM_SHA2_NO_MESSAGE;
	if (dev->open) {
		status = end(dev, BIT(LAST, SAVE), 4, dev->held);
		blocks = (uint64_t)get(dev, REG(BLOCKS_HIGH)) << 32 | get(dev, REG(BLOCKS_LOW));
		if (status == LANESUM_SHA2_OK && blocks != dev->message.length >> 6)
			status = LANESUM_SHA2_FAILED;
		if (status != LANESUM_SHA2_OK) {
			(void)drop(dev);
			return status;
		}
		put(dev, REG(CONTROL), BIT(CONTROL, TAKE));
	}
	copy((volatile uint8_t *)context, (const uint8_t *)&dev->message, sizeof *context);
	forget(dev);
	return LANESUM_SHA2_OK;
}

enum lanesum_sha2_status lanesum_sha2_restore(struct lanesum_sha2 *dev, const struct lanesum_sha2_context *context)
{
	enum lanesum_sha2_status status;

	if (!context || context->length > MAX_BYTES)
		return LANESUM_SHA2_INVALID;
	status = lanesum_sha2_start(dev, (enum lanesum_sha2_mode)context->mode);
	if (status == LANESUM_SHA2_OK)
		copy((volatile uint8_t *)&dev->message, (const uint8_t *)context, sizeof *context);
	return status;
}

enum lanesum_sha2_status lanesum_sha2_zeroize(struct lanesum_sha2 *dev)
{
	return dev ? drop(dev) : LANESUM_SHA2_INVALID;
}
