/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One text in general registers, TEXT, as the function lanesum_TEXT(state, data, blocks). It is
 * the engine's file; but the kernel has a way of its own to return, and what follows the end of
 * the function is a table, which is no code.
 */
FUNCTION(NAMED(lanesum_, TEXT))
	.intel_syntax noprefix
#define ret RET
#define cfi_endproc cfi_endproc; .section .rodata
#include __stringify(TEXT.s)
#undef cfi_endproc
#undef ret
	.att_syntax prefix
	.text
FUNCTION_END(NAMED(lanesum_, TEXT))
#undef TEXT
