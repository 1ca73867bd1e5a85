// SPDX-License-Identifier: MIT OR Apache-2.0

// Package sha256x16 computes the SHA-256 digests of many messages, sixteen at a time, with AVX-512.
package sha256x16

import "crypto/sha256"

// With fewer messages, crypto/sha256 is faster on CPUs with SHA instructions.
const minLanes = 8

// Sum256Many computes the SHA-256 digest of each message. The messages may have any lengths. On a CPU without AVX-512,
// and for a few messages, it calls [crypto/sha256.Sum256] for each. Several goroutines may call it at the same time.
//
// It panics if digests and messages differ in length.
func Sum256Many(digests [][sha256.Size]byte, messages [][]byte) {
	if len(digests) != len(messages) {
		panic("sha256x16: digests and messages differ in length")
	}
	if hasAVX512 && len(messages) >= minLanes {
		sumLanes(digests, messages)
		return
	}
	for i, m := range messages {
		digests[i] = sha256.Sum256(m)
	}
}
