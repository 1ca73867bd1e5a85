/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The assembly file TEXT with SHA instructions, as the function lanesum_TEXT(state, data, blocks). */
#include "table.h"

FUNCTION(NAMED(lanesum_, TEXT))
	test %rdx, %rdx
	jz 1f
	lea NAMED(TEXT, _table)(%rip), %rcx
	.intel_syntax noprefix
#define ret RET
#include __stringify(TEXT.s)
#undef ret
	.att_syntax prefix
1:	RET
FUNCTION_END(NAMED(lanesum_, TEXT))
#undef TEXT
