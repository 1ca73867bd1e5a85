/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The engine's assembly file TEXT for general registers, as the function lanesum_TEXT(state, data,
 * blocks). The Linux kernel has a separate macro to return, and the table after the end of the
 * function goes to a data section.
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
