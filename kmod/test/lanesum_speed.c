// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the speed of drivers for messages of 64 KiB, with one thread and with eight. Prints rows of a
 * table, in MB/s of all threads.
 */
#include <crypto/hash.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#define BYTES 65536
#define THREADS 8
#define MILLISECONDS 40

static char *drivers[32];
static unsigned int number;
module_param_array(drivers, charp, &number, 0444);

/* A thread: its hash, its number of messages, and its error. */
struct hasher {
	struct crypto_shash *hash;
	ktime_t end;
	u8 *message;
	u64 messages;
	int error;
	struct completion done;
};

static int hashes(void *data)
{
	struct hasher *hasher = data;
	u8 digest[64];

	while (!hasher->error && ktime_before(ktime_get(), hasher->end)) {
		hasher->error = crypto_shash_tfm_digest(hasher->hash, hasher->message, BYTES, digest);
		hasher->messages++;
		cond_resched();
	}
	/* Not `complete`: the module may be unloaded before it returns. */
	kthread_complete_and_exit(&hasher->done, 0);
}

static int row(struct crypto_shash *hash, struct hasher *all, unsigned int threads)
{
	ktime_t begin = ktime_get();
	u64 messages = 0, took;
	int error = 0;

	for (unsigned int i = 0; i < threads; i++) {
		struct task_struct *task;

		all[i].hash = hash;
		all[i].end = ktime_add_ms(begin, MILLISECONDS);
		all[i].messages = 0;
		all[i].error = 0;
		init_completion(&all[i].done);
		task = kthread_run(hashes, &all[i], "lanesum_speed/%u", i);
		if (IS_ERR(task)) {
			all[i].error = PTR_ERR(task);
			complete(&all[i].done);
		}
	}
	for (unsigned int i = 0; i < threads; i++) {
		wait_for_completion(&all[i].done);
		error = error ?: all[i].error;
		messages += all[i].messages;
	}
	took = ktime_to_ns(ktime_sub(ktime_get(), begin));
	if (!error)
		pr_info("row: %s,%u,%llu\n", crypto_shash_driver_name(hash), threads,
			messages * BYTES * 1000 / took);
	return error;
}

static int __init speed_load(void)
{
	struct hasher *all = kcalloc(THREADS, sizeof(*all), GFP_KERNEL);
	int error = all ? 0 : -ENOMEM;

	for (unsigned int i = 0; !error && i < THREADS; i++) {
		all[i].message = kzalloc(BYTES, GFP_KERNEL);
		if (!all[i].message)
			error = -ENOMEM;
	}
	for (unsigned int i = 0; !error && i < number; i++) {
		struct crypto_shash *hash = crypto_alloc_shash(drivers[i], 0, 0);

		if (IS_ERR(hash)) {
			pr_err("lanesum_speed: no driver %s\n", drivers[i]);
			error = PTR_ERR(hash);
			break;
		}
		error = row(hash, all, 1) ?: row(hash, all, THREADS);
		crypto_free_shash(hash);
	}
	for (unsigned int i = 0; all && i < THREADS; i++)
		kfree(all[i].message);
	kfree(all);
	return error;
}

static void __exit speed_unload(void)
{
}

module_init(speed_load);
module_exit(speed_unload);
MODULE_DESCRIPTION("The speed of hashes");
MODULE_LICENSE("GPL");
