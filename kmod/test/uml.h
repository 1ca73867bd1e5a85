/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What User Mode Linux does not say of the CPU, though what asks for it is compiled: for the module, and
 * for the kernel's own drivers. Read before every file.
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

/* The registers that the system below lets programs have, as every program may ask. */
static inline int cpu_has_xfeatures(u64 wanted, const char **name)
{
	u32 low, high;

	asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (((u64)high << 32 | low) & wanted) == wanted;
}

/* A driver of the kernel's asks each of its parts again. */
#define x86_match_cpu(ids) true
#endif

#endif
