/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The engine's stitched assembly file TEXT of FAMILY, for registers of COPIES times 16 bytes, as the
 * function lanesum_TEXT(state, data, blocks).
 *
 * The file aligns its frame and saves the previous stack pointer in it, which ORC cannot describe. So
 * the frame is aligned before the call, and macros replace the four instructions that align it: `sub`
 * allocates the frame without alignment, the file saves and restores that stack pointer, and the frame
 * is released before the first `pop`. Each macro replaces the first use of an instruction, and then
 * undefines itself.
 */
#include "table.h"

LOCAL_FUNCTION(NAMED(NAMED(lanesum_, TEXT), _text))
	.macro mov to, from
	.purgem mov
	.endm
	.macro sub from, bytes
	.purgem sub
	/* The return address and six registers are below an aligned address. */
	.set frame, \bytes + 8
	.att_syntax prefix
	sub $frame, %rsp
	mov %rsp, %rax
	.intel_syntax noprefix
	.endm
	.macro and to, mask
	.purgem and
	.endm
	.macro pop to
	.purgem pop
	.att_syntax prefix
	add $frame, %rsp
	.intel_syntax noprefix
	pop \to
	.endm
	.intel_syntax noprefix
#define ret RET
#include __stringify(TEXT.s)
#undef ret
	.att_syntax prefix
FUNCTION_END(NAMED(NAMED(lanesum_, TEXT), _text))

FUNCTION(NAMED(lanesum_, TEXT))
	test %rdx, %rdx
	jz 1f
	push %rbp
	mov %rsp, %rbp
	and $-64, %rsp
	lea NAMED(TEXT, _table)(%rip), %rcx
	call NAMED(NAMED(lanesum_, TEXT), _text)
	mov %rbp, %rsp
	pop %rbp
1:	RET
FUNCTION_END(NAMED(lanesum_, TEXT))
#undef TEXT
