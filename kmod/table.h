/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The constants that TEXT reads: FAMILY's table, with each row repeated COPIES times. */
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
