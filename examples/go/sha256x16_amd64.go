// SPDX-License-Identifier: MIT OR Apache-2.0

package sha256x16

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"

	"golang.org/x/sys/cpu"
)

const (
	lanes = 16

	// Go cannot preempt assembly, so a call returns after at most 16 x 64 KiB.
	maxBlocks = 1024
)

var hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

// iv is the initial hash value, FIPS 180-4 5.3.3.
var iv = [8]uint32{
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}

// message is the layout that sha256AVX512x16 reads.
type message struct {
	blocks *byte
	_      uint64
}

//go:noescape
func sha256AVX512x16(state *uint32, stride uintptr, messages *message, blocks uintptr)

// lane is a lane's position in a message.
type lane struct {
	index  int  // of the message, or -1 if the lane is idle
	inTail bool // whether the whole blocks of the message are hashed
	offset int  // of the next block, in the message or in the tail
	left   int  // bytes of whole blocks from there
}

// sumLanes assigns the next message to each lane whose message is hashed. There are at least minLanes messages.
func sumLanes(digests [][sha256.Size]byte, messages [][]byte) {
	var (
		all    [lanes]lane
		state  [8][lanes]uint32 // word i of lane l at state[i][l]
		tails  [lanes][2 * sha256.BlockSize]byte
		inputs [lanes]message
	)
	next, active := 0, 0
	for l := range all {
		all[l].index = -1
	}
	for {
		for l := 0; l < lanes && next < len(messages); l++ {
			if all[l].index >= 0 {
				continue
			}
			for i, word := range iv {
				state[i][l] = word
			}
			all[l] = lane{index: next, left: len(messages[next]) &^ (sha256.BlockSize - 1)}
			if all[l].left == 0 {
				all[l] = lane{index: next, left: pad(&tails[l], messages[next]), inTail: true}
			}
			next++
			active++
		}
		if active < minLanes {
			for l := range all {
				if at := &all[l]; at.index >= 0 && !at.inTail {
					digests[at.index] = resume(&state, l, messages[at.index], at.offset)
					at.index = -1
					active--
				}
			}
		}
		if active == 0 {
			return
		}

		// As many blocks as every active lane has. Idle lanes hash those of an active one.
		n := maxBlocks * sha256.BlockSize
		var some *byte
		for l := range all {
			at := &all[l]
			if at.index < 0 {
				continue
			}
			if at.inTail {
				some = &tails[l][at.offset]
			} else {
				some = &messages[at.index][at.offset]
			}
			inputs[l].blocks = some
			if at.left < n {
				n = at.left
			}
		}
		if active < lanes {
			for l := range all {
				if all[l].index < 0 {
					inputs[l].blocks = some
				}
			}
		}
		sha256AVX512x16(&state[0][0], lanes, &inputs[0], uintptr(n/sha256.BlockSize))

		for l := range all {
			at := &all[l]
			if at.index < 0 {
				continue
			}
			at.offset += n
			at.left -= n
			if at.left > 0 {
				continue
			}
			if !at.inTail {
				*at = lane{index: at.index, left: pad(&tails[l], messages[at.index]), inTail: true}
				continue
			}
			digest := &digests[at.index]
			for i := range state {
				binary.BigEndian.PutUint32(digest[4*i:], state[i][l])
			}
			at.index = -1
			active--
		}
	}
}

// pad sets tail to the end of a message and its padding (FIPS 180-4 5.1.1), and returns their length.
func pad(tail *[2 * sha256.BlockSize]byte, m []byte) int {
	*tail = [2 * sha256.BlockSize]byte{}
	end := copy(tail[:], m[len(m)&^(sha256.BlockSize-1):])
	tail[end] = 0x80
	n := sha256.BlockSize
	if end+1+8 > n {
		n *= 2
	}
	binary.BigEndian.PutUint64(tail[n-8:], uint64(len(m))<<3)
	return n
}

// resume hashes the rest of a lane's message with crypto/sha256, which accepts a chaining value in its marshaled form.
func resume(state *[8][lanes]uint32, l int, m []byte, hashed int) (digest [sha256.Size]byte) {
	if hashed == 0 {
		return sha256.Sum256(m)
	}
	var marshaled [4 + sha256.Size + sha256.BlockSize + 8]byte
	copy(marshaled[:], "sha\x03")
	for i := range state {
		binary.BigEndian.PutUint32(marshaled[4+4*i:], state[i][l])
	}
	binary.BigEndian.PutUint64(marshaled[len(marshaled)-8:], uint64(hashed))
	h := sha256.New()
	if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(marshaled[:]) != nil {
		return sha256.Sum256(m)
	}
	h.Write(m[hashed:])
	h.Sum(digest[:0])
	return digest
}
