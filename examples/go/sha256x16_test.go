// SPDX-License-Identifier: MIT OR Apache-2.0

package sha256x16

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
)

// data returns random bytes, the same ones for a seed.
func data(seed int64, n int) []byte {
	b := make([]byte, n)
	rand.New(rand.NewSource(seed)).Read(b)
	return b
}

// random returns messages of these lengths, at odd addresses.
func random(lengths ...int) [][]byte {
	messages := make([][]byte, len(lengths))
	for i, n := range lengths {
		messages[i] = data(int64(i), n+1)[1:]
	}
	return messages
}

// check compares Sum256Many with crypto/sha256.
func check(t *testing.T, messages [][]byte) {
	t.Helper()
	digests := make([][sha256.Size]byte, len(messages))
	Sum256Many(digests, messages)
	for i, m := range messages {
		if digests[i] != sha256.Sum256(m) {
			t.Errorf("message %d of %d, of %d bytes: %x", i, len(messages), len(m), digests[i])
		}
	}
}

func TestAVX512(t *testing.T) {
	if !hasAVX512 {
		t.Skip("this CPU lacks AVX-512: only the calls of crypto/sha256 are tested")
	}
}

// The examples of FIPS 180-2, and the empty message. The first fills the lanes; the others are in one lane each.
func TestPublishedVectors(t *testing.T) {
	vectors := []struct{ message, digest string }{
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{
			"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
		},
		{
			"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
			"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
		},
		{
			strings.Repeat("a", 1000000),
			"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
		},
	}
	for lane := 0; lane < 16; lane++ {
		messages := make([][]byte, 16)
		for i := range messages {
			messages[i] = []byte(vectors[0].message)
		}
		for _, v := range vectors {
			messages[lane] = []byte(v.message)
			digests := make([][sha256.Size]byte, len(messages))
			Sum256Many(digests, messages)
			for i, digest := range digests {
				want := vectors[0].digest
				if i == lane {
					want = v.digest
				}
				if got := hex.EncodeToString(digest[:]); got != want {
					t.Errorf("lane %d, %d bytes: %s, want %s", i, len(messages[i]), got, want)
				}
			}
		}
	}
}

// Equal lengths, with each number of lanes in use.
func TestLengths(t *testing.T) {
	for n := 0; n <= 300; n++ {
		for _, count := range []int{1, 7, 8, 9, 15, 16, 17, 33} {
			lengths := make([]int, count)
			for i := range lengths {
				lengths[i] = n
			}
			check(t, random(lengths...))
		}
	}
}

func TestRaggedLengths(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for round := 0; round < 200; round++ {
		lengths := make([]int, r.Intn(100))
		for i := range lengths {
			lengths[i] = r.Intn(1 << uint(1+r.Intn(12)))
		}
		check(t, random(lengths...))
	}
}

// Lanes that continue after the others have run out of messages, also after more blocks than one call hashes.
func TestLongMessages(t *testing.T) {
	limit := 1024 * sha256.BlockSize
	for _, long := range []int{1, 7, 8, 16} {
		lengths := make([]int, 40)
		for i := range lengths {
			lengths[i] = 100
		}
		for i := 0; i < long; i++ {
			lengths[i] = limit*(i%3) + 5*limit/2 - 60 + i
		}
		check(t, random(lengths...))
	}
	check(t, random(limit-1, limit, limit+1, limit-9, 2*limit, 0))
}

func TestNoMessages(t *testing.T) {
	Sum256Many(nil, nil)
	Sum256Many([][sha256.Size]byte{}, [][]byte{})
	check(t, make([][]byte, 20))
}

func TestDifferentNumbers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("more messages than digests did not panic")
		}
	}()
	Sum256Many(make([][sha256.Size]byte, 1), make([][]byte, 2))
}

func TestWithoutAVX512(t *testing.T) {
	defer func(has bool) { hasAVX512 = has }(hasAVX512)
	hasAVX512 = false
	check(t, random(0, 1, 63, 64, 65, 1000))
}

func TestArgumentsAreNotModified(t *testing.T) {
	messages := random(10, 200, 64, 64, 128, 0, 1, 2, 3)
	check(t, messages)
	for i, m := range random(10, 200, 64, 64, 128, 0, 1, 2, 3) {
		if !bytes.Equal(m, messages[i]) {
			t.Errorf("message %d was modified", i)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	messages := random(64, 120, 0, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64)
	digests := make([][sha256.Size]byte, len(messages))
	if n := testing.AllocsPerRun(10, func() { Sum256Many(digests, messages) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// New goroutines have small stacks: each depth of the stack must grow it in time. The profiler interrupts the assembly.
func TestGoroutines(t *testing.T) {
	if err := pprof.StartCPUProfile(new(bytes.Buffer)); err != nil {
		t.Log("no profile: ", err)
	} else {
		defer pprof.StopCPUProfile()
	}
	messages := random(0, 1, 100, 1000, 10000, 64, 300, 300, 300, 300, 7, 7, 7, 7, 7, 7, 7, 7, 7, 50000)
	var group sync.WaitGroup
	for depth := 0; depth < 512; depth++ {
		group.Add(1)
		go func(depth int) {
			defer group.Done()
			deep(t, depth, messages)
		}(depth)
	}
	group.Wait()
}

//go:noinline
func deep(t *testing.T, depth int, messages [][]byte) byte {
	var used [24]byte
	if depth == 0 {
		check(t, messages)
		return 0
	}
	used[depth%len(used)] = deep(t, depth-1, messages)
	return used[0]
}
