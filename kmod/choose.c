// SPDX-License-Identifier: GPL-2.0-only
/* Selects the assembly functions at load time, after a test with known answers. */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "lanesum.h"

/* Whether the family's current functions compute the known answer of each of its algorithms. */
static bool __init is_right(const struct lanesum_algorithm *algorithms, size_t number,
			    const struct lanesum_family *family)
{
	for (size_t i = 0; i < number; i++)
		if (algorithms[i].family == family && !lanesum_is_known(&algorithms[i]))
			return false;
	return true;
}

/*
 * Tries a family's functions in order, either those with vectors or those without. Sets `chosen` to the
 * first one that runs on this CPU, belongs to `tier` (if not NULL) and is correct.
 */
static void __init choose(const struct lanesum_algorithm *algorithms, size_t number,
			  const struct lanesum_family *family, const struct lanesum_text **chosen,
			  bool vector, const char *tier)
{
	for (const struct lanesum_text *text = family->texts; text->name; text++) {
		if (text->vector != vector || (tier && strcmp(text->name, tier)) || !text->runs())
			continue;
		*chosen = text;
		if (is_right(algorithms, number, family))
			return;
		pr_err("%s of %s gives a wrong answer and is not used\n", text->name,
		       family->name);
		*chosen = NULL;
	}
}

/* Whether a family has a function of tier `tier`, even if it does not run on this CPU. */
static bool __init has(const struct lanesum_family *family, const char *tier)
{
	for (const struct lanesum_text *text = family->texts; text->name; text++)
		if (!strcmp(text->name, tier))
			return true;
	return false;
}

/*
 * Selects the functions of a family. If it has a function of `tier`, no other is accepted; a function with
 * vectors always has one without as its fallback.
 */
int __init lanesum_choose(struct lanesum_family *family, const struct lanesum_algorithm *algorithms,
			  size_t number, const char *tier)
{
	if (tier && !has(family, tier))
		tier = NULL;
	choose(algorithms, number, family, &family->general, false, tier);
	if (!family->general)
		choose(algorithms, number, family, &family->general, false, NULL);
	if (!family->general)
		return -ENODEV;
	choose(algorithms, number, family, &family->vector, true, tier);
	if (tier && !family->vector && strcmp(family->general->name, tier))
		return -ENODEV;
	return 0;
}

/* Whether any family has a function of tier `tier`. */
bool __init lanesum_is_tier(const struct lanesum_family *families, size_t number, const char *tier)
{
	for (size_t i = 0; i < number; i++)
		if (has(&families[i], tier))
			return true;
	return false;
}
