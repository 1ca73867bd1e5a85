/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU features that User Mode Linux does not report, for the module and for the kernel's drivers. Included
 * before every file.
 */
#ifndef LANESUM_UML_H
#define LANESUM_UML_H

#ifdef __ASSEMBLY__
#define RET ret
#else
#include <linux/types.h>
#include <asm/cpu_device_id.h>
#include <asm/cpufeature.h>
#include <asm/fpu/types.h>

/* The registers that the host enables, as reported to every program. */
static inline int cpu_has_xfeatures(u64 wanted, const char **name)
{
	u32 low, high;

	asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (((u64)high << 32 | low) & wanted) == wanted;
}

/* One of the kernel's drivers checks each of its parts again. */
#define x86_match_cpu(ids) true
#endif

#endif
