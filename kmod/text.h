/* SPDX-License-Identifier: GPL-2.0-only */
/* The Linux kernel's macros for functions, with concatenated names. */
#include <linux/cfi_types.h>
#include <linux/linkage.h>
#include <linux/stringify.h>

#define NAMED_(a, b) a##b
#define NAMED(a, b) NAMED_(a, b)
#define FUNCTION(name) SYM_TYPED_FUNC_START(name)
#define LOCAL_FUNCTION(name) SYM_FUNC_START_LOCAL(name)
#define FUNCTION_END(name) SYM_FUNC_END(name)
#define TABLE(name) SYM_DATA_START_LOCAL(name)
#define TABLE_END(name) SYM_DATA_END(name)
