/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The texts in general registers. */
#include "text.h"

	/* What the texts say of their frames is for debuggers; objtool finds it out by itself. */
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
