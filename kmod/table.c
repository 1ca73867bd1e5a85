// SPDX-License-Identifier: GPL-2.0-only
/* All assembly functions, the best first, with their requirements on the CPU and the Linux kernel. */
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/fpu/xcr.h>
#include <linux/linkage.h>

#include "lanesum.h"

static bool always(void)
{
	return true;
}

static bool has_bmi2(void)
{
	return boot_cpu_has(X86_FEATURE_BMI1) && boot_cpu_has(X86_FEATURE_BMI2);
}

static bool has_ssse3(void)
{
	return boot_cpu_has(X86_FEATURE_SSSE3);
}

/* Also checks the registers, which the Linux kernel may disable. */
static bool has_avx(void)
{
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}

static bool has_avx2(void)
{
	return has_avx() && boot_cpu_has(X86_FEATURE_AVX2) && has_bmi2();
}

static bool has_avx512(void)
{
	return has_avx2() && boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       cpu_has_xfeatures(XFEATURE_MASK_AVX512, NULL);
}

static bool has_sha_ni(void)
{
	return has_ssse3() && boot_cpu_has(X86_FEATURE_XMM4_1) && boot_cpu_has(X86_FEATURE_SHA_NI);
}

/* The first row of the table of a family that has SHA instructions. */
#define SHA_NI(family) { "sha_ni", lanesum_##family##_sha_ni, has_sha_ni, true },

#define TEXTS(family, first)                                                                          \
	asmlinkage lanesum_text_fn lanesum_##family##_avx512, lanesum_##family##_avx2,         \
		lanesum_##family##_avx, lanesum_##family##_ssse3, lanesum_##family##_bmi2,     \
		lanesum_##family##_x86_64;                                                     \
	const struct lanesum_text lanesum_##family##_texts[] = {                               \
		first                                                                          \
		{ "avx512", lanesum_##family##_avx512, has_avx512, true },                     \
		{ "avx2", lanesum_##family##_avx2, has_avx2, true },                           \
		{ "avx", lanesum_##family##_avx, has_avx, true },                              \
		{ "ssse3", lanesum_##family##_ssse3, has_ssse3, true },                        \
		{ "bmi2", lanesum_##family##_bmi2, has_bmi2, false },                          \
		{ "x86_64", lanesum_##family##_x86_64, always, false },                        \
		{}                                                                             \
	}

asmlinkage lanesum_text_fn lanesum_sha1_sha_ni, lanesum_sha256_sha_ni;

TEXTS(sha1, SHA_NI(sha1));
TEXTS(sha256, SHA_NI(sha256));
TEXTS(sha512, );
