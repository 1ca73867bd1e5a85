// SPDX-License-Identifier: MIT OR Apache-2.0

package sha256x16_test

import (
	"crypto/sha256"
	"fmt"

	"example/sha256x16"
)

func ExampleSum256Many() {
	messages := [][]byte{[]byte("abc"), []byte(""), []byte("many messages"), []byte("at once")}
	digests := make([][sha256.Size]byte, len(messages))
	sha256x16.Sum256Many(digests, messages)
	for i, m := range messages {
		fmt.Printf("%x  %q\n", digests[i][:8], m)
	}
	// Output:
	// ba7816bf8f01cfea  "abc"
	// e3b0c44298fc1c14  ""
	// ee587f1c273b6afd  "many messages"
	// 2c1c3733626507b9  "at once"
}
