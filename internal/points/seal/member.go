package seal

import "laurel"

// Member is an entry in a block: its id and its leaf.
type Member struct {
	Entry laurel.ID
	Leaf  Hash
}

// MemberSize is the length of an encoded Member in bytes: the id, then the leaf.
const MemberSize = len(laurel.ID{}) + len(Hash{})

// Append appends the encoded member to b.
func (m Member) Append(b []byte) []byte { return append(append(b, m.Entry[:]...), m.Leaf[:]...) }

// EncodeMembers encodes members one after the other.
func EncodeMembers(members []Member) []byte {
	b := make([]byte, 0, len(members)*MemberSize)
	for _, m := range members {
		b = m.Append(b)
	}
	return b
}

// DecodeMembers decodes what EncodeMembers has written. isValid is false where the last member is cut short, which is
// left out.
func DecodeMembers(b []byte) (members []Member, isValid bool) {
	members = make([]Member, 0, len(b)/MemberSize)
	for ; len(b) >= MemberSize; b = b[MemberSize:] {
		var m Member
		copy(m.Entry[:], b)
		copy(m.Leaf[:], b[len(m.Entry):])
		members = append(members, m)
	}
	return members, len(b) == 0
}

// Leaves returns the leaves of members, in their order.
func Leaves(members []Member) []Hash {
	leaves := make([]Hash, len(members))
	for i, m := range members {
		leaves[i] = m.Leaf
	}
	return leaves
}
