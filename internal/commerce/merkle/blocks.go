package merkle

import "math/bits"

// levelsPerBlock is how many levels of a tree a block has. The proof of one leaf in a million then takes three blocks
// of at most 8 KiB.
const levelsPerBlock = 7

// A block has the nodes up to seven levels below its head, without the head itself. The head is a node whose level is a
// multiple of seven. So the two children of a node are in the same block, and a proof reads only the blocks on its way.
// Within a block the nodes are stored level by level.

// depthOf returns how many levels a node is below the root.
func depthOf(node int) int { return bits.Len(uint(node+1)) - 1 }

// headOf returns the head of the block that contains a node other than the root, and the node's index in that block.
func headOf(node int) (head, index int) {
	down := (depthOf(node)-1)%levelsPerBlock + 1 // levels from the head to the node
	head = (node+1)>>down - 1
	nodesAbove := 1<<down - 2 // in the block, in the levels above the node's own
	leftmost := (head+1)<<down - 1
	return head, nodesAbove + node - leftmost
}

// Heads returns the heads of all blocks of a tree, in ascending order. A tree is stored in blocks: each has the nodes
// of up to levelsPerBlock levels below its head. The heads are the inner nodes whose level is a multiple of
// levelsPerBlock; the root has level 0.
func (t Tree) Heads() []int {
	var heads []int
	// first is the leftmost node of such a level, which has first+1 nodes.
	for first := 0; 2*first+1 < len(t); first = (first+1)<<levelsPerBlock - 1 {
		for head := first; head <= 2*first && 2*head+1 < len(t); head++ {
			heads = append(heads, head)
		}
	}
	return heads
}

// Block returns the hashes of the block below a head, level by level, one after the other. The head itself is not in
// it.
func (t Tree) Block(head int) []byte {
	var block []byte
	for down := 1; down <= levelsPerBlock; down++ {
		first, end := (head+1)<<down-1, (head+2)<<down-1 // the descendants of head on this level: first to end-1
		for node := first; node < min(end, len(t)); node++ {
			block = append(block, t[node][:]...)
		}
	}
	return block
}

// HeadsOf returns the heads of the blocks that hold the proof of a node, from the node's own block up to the block
// below the root.
func HeadsOf(node int) []int {
	var heads []int
	for node > 0 {
		head, _ := headOf(node)
		heads = append(heads, head)
		node = head
	}
	return heads
}

// ProofIn returns the hashes that prove a node, as Tree.Proof does. blocks has, by head, the blocks whose heads HeadsOf
// returns for the node. ProofIn returns false if a block or a node is missing.
func ProofIn(node int, blocks map[int][]byte) (proof []Hash, ok bool) {
	for _, sibling := range Path(node) {
		head, index := headOf(sibling)
		block := blocks[head]
		if len(block) < (index+1)*Size {
			return nil, false
		}
		proof = append(proof, Hash(block[index*Size:]))
	}
	return proof, true
}
