package seal

import (
	"crypto/sha256"
	"math/bits"
)

// The first bytes of the texts that leaves and nodes are hashes of (RFC 6962, section 2.1).
const (
	leafPrefix = 0x00
	nodePrefix = 0x01
)

// Root returns the root of the Merkle tree over the leaf hashes (RFC 6962, section 2.1). There must be at least one.
func Root(leaves []Hash) Hash {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := largestPowerOfTwoBelow(len(leaves))
	return hashNode(Root(leaves[:k]), Root(leaves[k:]))
}

// Path returns the sibling hashes that lead from the leaf at a position to the root, from the leaf upwards (RFC 6962,
// section 2.1.1).
func Path(leaves []Hash, position int) []Hash {
	if len(leaves) == 1 {
		return []Hash{}
	}
	k := largestPowerOfTwoBelow(len(leaves))
	if position < k {
		return append(Path(leaves[:k], position), Root(leaves[k:]))
	}
	return append(Path(leaves[k:], position-k), Root(leaves[:k]))
}

// rootFromPath returns the root that a leaf and a path make in a tree of the given size, and whether the path has the
// right length (RFC 9162, section 2.1.3.2).
func rootFromPath(leaf Hash, position, size int64, path []Hash) (Hash, bool) {
	if position < 0 || position >= size {
		return Hash{}, false
	}
	at, last := uint64(position), uint64(size-1)
	root := leaf
	for _, sibling := range path {
		if last == 0 {
			return Hash{}, false
		}
		if at&1 == 1 || at == last {
			root = hashNode(sibling, root)
			if at&1 == 0 { // a right edge: levels without a neighbour are skipped
				up := bits.TrailingZeros64(at)
				at, last = at>>up, last>>up
			}
		} else {
			root = hashNode(root, sibling)
		}
		at, last = at>>1, last>>1
	}
	return root, last == 0
}

// largestPowerOfTwoBelow returns the largest power of two below n, which is at least 2. So many leaves are left of the
// root.
func largestPowerOfTwoBelow(n int) int { return 1 << (bits.Len(uint(n-1)) - 1) } //nolint:gosec // n is at least 2

// hashNode returns the hash of the tree node with these two children.
func hashNode(left, right Hash) Hash {
	var text [1 + 2*len(Hash{})]byte
	text[0] = nodePrefix
	copy(text[1:], left[:])
	copy(text[1+len(left):], right[:])
	return sha256.Sum256(text[:])
}
