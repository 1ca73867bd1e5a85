/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One stitched text, TEXT of FAMILY with registers of COPIES times 16 bytes, as the function
 * lanesum_TEXT(state, data, blocks). It is the engine's file.
 *
 * That aligns its frame and keeps the stack pointer of before in it, which ORC has no words for. Here
 * the frame is aligned before the text is called, and the four instructions that would do it
 * become others: `sub` makes the frame as it is, the text keeps that stack pointer and
 * fetches it again, and before the first `pop` the frame is given back. Each macro takes the
 * place of an instruction's first use, and is then no more.
 */
#include "table.h"

LOCAL_FUNCTION(NAMED(NAMED(lanesum_, TEXT), _text))
	.macro mov to, from
	.purgem mov
	.endm
	.macro sub from, bytes
	.purgem sub
	/* Below an aligned place there are the return address and six registers. */
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
