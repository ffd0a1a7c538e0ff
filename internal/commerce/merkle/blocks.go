package merkle

import "math/bits"

// levels is how many levels of a tree a block holds. The proof of a leaf of a million then takes three blocks of at
// most 8 KiB.
const levels = 7

// A block holds the nodes up to seven levels below its head, which is a node at a level that is a multiple of seven,
// and not the head itself: so the two children of a node stand in one block, and a proof needs of each block that it
// meets the siblings on its way. Within a block nodes stand level by level.

// depthOf returns how many levels a node is below the root.
func depthOf(node int) int { return bits.Len(uint(node+1)) - 1 }

// headOf returns the head of the block that holds a node other than the root, and the node's place in it.
func headOf(node int) (head, place int) {
	down := (depthOf(node)-1)%levels + 1
	head = (node+1)>>down - 1
	return head, 1<<down - 2 + node - ((head+1)<<down - 1)
}

// Heads returns the heads of the blocks of a tree, in ascending order: those of them that have nodes below.
func (t Tree) Heads() []int {
	var heads []int
	for first := 0; 2*first+1 < len(t); first = (first+1)<<levels - 1 {
		for head := first; head <= 2*first && 2*head+1 < len(t); head++ {
			heads = append(heads, head)
		}
	}
	return heads
}

// Block returns the nodes below a head.
func (t Tree) Block(head int) []byte {
	var block []byte
	for down := 1; down <= levels; down++ {
		first, end := (head+1)<<down-1, (head+2)<<down-1
		for node := first; node < min(end, len(t)); node++ {
			block = append(block, t[node][:]...)
		}
	}
	return block
}

// HeadsOf returns the heads of the blocks that the proof of a node needs.
func HeadsOf(node int) []int {
	var heads []int
	for node > 0 {
		head, _ := headOf(node)
		heads = append(heads, head)
		node = head
	}
	return heads
}

// ProofIn returns the hashes that prove a node from the blocks that HeadsOf names; not ok where a block lacks a node.
func ProofIn(node int, blocks map[int][]byte) (proof []Hash, ok bool) {
	for _, sibling := range Path(node) {
		head, place := headOf(sibling)
		block := blocks[head]
		if len(block) < (place+1)*Size {
			return nil, false
		}
		proof = append(proof, Hash(block[place*Size:]))
	}
	return proof, true
}
