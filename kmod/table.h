/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The table that TEXT reads: FAMILY's, each row COPIES times. */
	.section .rodata
	.p2align 6
TABLE(NAMED(TEXT, _table))
	.macro row bytes:vararg
	.rept COPIES
	.byte \bytes
	.endr
	.endm
#include __stringify(FAMILY.table)
	.purgem row
TABLE_END(NAMED(TEXT, _table))

	.text
