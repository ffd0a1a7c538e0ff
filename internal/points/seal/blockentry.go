package seal

import "laurel.example/laurel"

// BlockEntry is an entry in a block: its id and its leaf.
type BlockEntry struct {
	ID   laurel.ID
	Leaf Hash
}

// BlockEntrySize is the length of an encoded Member in bytes: the id, then the leaf.
const BlockEntrySize = len(laurel.ID{}) + len(Hash{})

// Append appends the encoded entry to b.
func (e BlockEntry) Append(b []byte) []byte { return append(append(b, e.ID[:]...), e.Leaf[:]...) }

// EncodeBlockEntries encodes members one after the other.
func EncodeBlockEntries(entries []BlockEntry) []byte {
	b := make([]byte, 0, len(entries)*BlockEntrySize)
	for _, entry := range entries {
		b = entry.Append(b)
	}
	return b
}

// DecodeBlockEntries decodes what EncodeBlockEntries has written. isValid is false if the last entry is cut short; it
// is left out then.
func DecodeBlockEntries(b []byte) (entries []BlockEntry, isValid bool) {
	entries = make([]BlockEntry, 0, len(b)/BlockEntrySize)
	for ; len(b) >= BlockEntrySize; b = b[BlockEntrySize:] {
		var entry BlockEntry
		copy(entry.ID[:], b)
		copy(entry.Leaf[:], b[len(entry.ID):])
		entries = append(entries, entry)
	}
	return entries, len(b) == 0
}

// Leaves returns the leaves of members, in their order.
func Leaves(entries []BlockEntry) []Hash {
	leaves := make([]Hash, len(entries))
	for i, entry := range entries {
		leaves[i] = entry.Leaf
	}
	return leaves
}
