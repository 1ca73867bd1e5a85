/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * All assembly files as functions. `lanesum-graph prove --linux` proves that the resulting object computes
 * FIPS 180-4 with the Linux kernel's calling convention.
 */
#include "text.h"

	/* The call frame information is for debuggers; objtool does not need it. */
	.cfi_sections .debug_frame
	.text

#define TEXT sha1_x86_64
#include "scalar.h"
#define TEXT sha256_x86_64
#include "scalar.h"
#define TEXT sha512_x86_64
#include "scalar.h"
#define TEXT sha1_bmi2
#include "scalar.h"
#define TEXT sha256_bmi2
#include "scalar.h"
#define TEXT sha512_bmi2
#include "scalar.h"

#define FAMILY sha1
#define COPIES 1
#define TEXT sha1_sha_ni
#include "sha_ni.h"
#define TEXT sha1_ssse3
#include "stitched.h"
#define TEXT sha1_avx
#include "stitched.h"
#undef COPIES
#define COPIES 2
#define TEXT sha1_avx2
#include "stitched.h"
#define TEXT sha1_avx512
#include "stitched.h"
#undef COPIES
#undef FAMILY

#define FAMILY sha256
#define COPIES 1
#define TEXT sha256_sha_ni
#include "sha_ni.h"
#define TEXT sha256_ssse3
#include "stitched.h"
#define TEXT sha256_avx
#include "stitched.h"
#undef COPIES
#define COPIES 2
#define TEXT sha256_avx2
#include "stitched.h"
#define TEXT sha256_avx512
#include "stitched.h"
#undef COPIES
#undef FAMILY

#define FAMILY sha512
#define COPIES 1
#define TEXT sha512_ssse3
#include "stitched.h"
#define TEXT sha512_avx
#include "stitched.h"
#undef COPIES
#define COPIES 2
#define TEXT sha512_avx2
#include "stitched.h"
#define TEXT sha512_avx512
#include "stitched.h"
#undef COPIES
#undef FAMILY
