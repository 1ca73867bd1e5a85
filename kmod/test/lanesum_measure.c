// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the time per message of drivers in ticks of the CPU's counter. In an emulator with one tick per
 * instruction, these are instructions. Prints rows of a table.
 */
#include <asm/tsc.h>
#include <crypto/hash.h>
#include <linux/module.h>
#include <linux/slab.h>

static char *drivers[32];
static unsigned int number;
module_param_array(drivers, charp, &number, 0444);

static int __init measure_load(void)
{
	static const unsigned int lengths[] = { 64, 1024, 65536 };
	u8 digest[64];
	u8 *message = kzalloc(lengths[2], GFP_KERNEL);

	if (!message)
		return -ENOMEM;
	for (unsigned int i = 0; i < number; i++) {
		struct crypto_shash *hash = crypto_alloc_shash(drivers[i], 0, 0);

		if (IS_ERR(hash)) {
			pr_err("lanesum_measure: no driver %s\n", drivers[i]);
			continue;
		}
		for (unsigned int j = 0; j < ARRAY_SIZE(lengths); j++) {
			u64 least = U64_MAX;

			/* Some of them include interrupts. */
			for (int times = 0; times < 15; times++) {
				u64 begin = rdtsc_ordered();

				crypto_shash_tfm_digest(hash, message, lengths[j], digest);
				least = min(least, rdtsc_ordered() - begin);
			}
			pr_info("row: %s,%u,%llu\n", crypto_shash_driver_name(hash), lengths[j],
				least);
		}
		crypto_free_shash(hash);
	}
	kfree(message);
	return 0;
}

static void __exit measure_unload(void)
{
}

module_init(measure_load);
module_exit(measure_unload);
MODULE_DESCRIPTION("Ticks of hashes");
MODULE_LICENSE("GPL");
