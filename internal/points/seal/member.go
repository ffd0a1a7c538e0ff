package seal

import "laurel"

// Member is an entry in a block: its id and its leaf.
type Member struct {
	Entry laurel.ID
	Leaf  Hash
}

// MemberSize is the bytes of one Member in a List: the id, then the leaf.
const MemberSize = len(laurel.ID{}) + len(Hash{})

// Append writes the member behind b.
func (m Member) Append(b []byte) []byte { return append(append(b, m.Entry[:]...), m.Leaf[:]...) }

// EncodeMembers writes members one after the other.
func EncodeMembers(members []Member) []byte {
	b := make([]byte, 0, len(members)*MemberSize)
	for _, m := range members {
		b = m.Append(b)
	}
	return b
}

// DecodeMembers reads what List writes; whole is false where the last one is cut short, which is left out.
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
