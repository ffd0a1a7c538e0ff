package pools

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
)

const wordSize = 32 // bytes

// word is a value that a function has returned.
type word [wordSize]byte

// wordsIn returns the words of an answer; nil if it is not made of whole words. Forks of a contract return further
// ones.
func wordsIn(data []byte) []word {
	if len(data)%wordSize != 0 {
		return nil
	}
	out := make([]word, len(data)/wordSize)
	for i := range out {
		out[i] = word(data[i*wordSize:])
	}
	return out
}

func (w word) number() *big.Int { return new(big.Int).SetBytes(w[:]) }

func (w word) address() string { return "0x" + hex.EncodeToString(w[12:]) }

// tick returns a word as a number of up to 32 bits with a sign.
func (w word) tick() int64 { return int64(int32(binary.BigEndian.Uint32(w[28:]))) } //nolint:gosec // it has a sign
