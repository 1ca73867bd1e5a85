/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The stitched texts: rounds in general registers, the schedule in vectors. */
#include "text.h"

#define FAMILY sha1
#define COPIES 1
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
