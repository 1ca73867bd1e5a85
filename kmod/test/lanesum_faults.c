// SPDX-License-Identifier: GPL-2.0-only
/* Faults that a kernel with debug checks must find, to test that these checks are active. */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/fpu/api.h>

static char *fault = "path";
module_param(fault, charp, 0444);

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

/*
 * Leaks so many allocations that stale pointers on stacks cannot reference all of them. `noinline` keeps
 * the function's name in the report.
 */
static noinline int leak(void)
{
	for (int i = 0; i < 50; i++)
		if (!kmalloc(1000, GFP_KERNEL))
			return -ENOMEM;
	return 0;
}

/* The first allocation leaks if the second one fails. */
static int path(void)
{
	void *one = kmalloc(1000, GFP_KERNEL), *two = one ? kmalloc(1000, GFP_KERNEL) : NULL;

	if (!two)
		return -ENOMEM;
	kfree(one);
	kfree(two);
	return 0;
}

/* An allocation that may sleep, in atomic context. */
static int sleep(void)
{
	void *memory;

	kernel_fpu_begin();
	memory = kmalloc(1000, GFP_KERNEL);
	kernel_fpu_end();
	kfree(memory);
	return 0;
}

/* Two locks, taken in both orders. */
static int locks(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
	return 0;
}

static int __init faults_load(void)
{
	static const struct {
		const char *name;
		int (*have)(void);
	} all[] = { { "leak", leak }, { "path", path }, { "sleep", sleep }, { "locks", locks } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i].name, fault))
			return all[i].have();
	return -EINVAL;
}

static void __exit faults_unload(void)
{
}

module_init(faults_load);
module_exit(faults_unload);
MODULE_DESCRIPTION("Faults to be found");
MODULE_LICENSE("GPL");
