// Package merkle computes the Merkle trees from which claim contracts verify allocations: those of OpenZeppelin's
// StandardMerkleTree with the encoding (address, uint256). It stores nothing.
package merkle

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"slices"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/keccak"
)

// Size is the length of a Hash in bytes.
const Size = 32

// Hash is a node of a tree.
type Hash [Size]byte

// String returns 0x and the hexadecimal digits.
func (h Hash) String() string { return "0x" + hex.EncodeToString(h[:]) }

// Address is an account of an EVM network.
type Address [20]byte

// String returns 0x and the hexadecimal digits in lower case.
func (a Address) String() string { return "0x" + hex.EncodeToString(a[:]) }

// ParseAddress parses 0x and 40 hexadecimal digits in any case.
func ParseAddress(text string) (a Address, ok bool) {
	if !evm.IsAccount(text) {
		return a, false
	}
	_, err := hex.Decode(a[:], []byte(text[2:]))
	return a, err == nil
}

// MaxBits is the length of the largest amount in bits.
const MaxBits = 256

// Leaf returns keccak256(keccak256(abi.encode(address, uint256))). The amount has at most MaxBits.
func Leaf(wallet Address, amount *big.Int) Hash {
	var encoded [2 * Size]byte
	copy(encoded[Size-len(wallet):], wallet[:])
	amount.FillBytes(encoded[Size:])
	return Hash(keccak.Sum256(keccak.Sum256(encoded[:])))
}

// Tree is a complete binary tree of 2n-1 nodes in an array: the root comes first, the children of node i are 2i+1 and
// 2i+2, and the i-th leaf in ascending order is node 2n-2-i. A tree of one leaf is that leaf.
type Tree []Hash

// New returns the tree of the leaves, which it sorts. There must be at least one.
func New(leaves []Hash) Tree {
	slices.SortFunc(leaves, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	tree := make(Tree, 2*len(leaves)-1)
	for i, leaf := range leaves { // the leaves are the last nodes, in descending order
		tree[len(tree)-1-i] = leaf
	}
	for i := len(leaves) - 2; i >= 0; i-- { // each inner node after its children
		tree[i] = parent(tree[2*i+1], tree[2*i+2])
	}
	return tree
}

// parent returns the hash of two sibling nodes. It hashes them in ascending order, so a proof need not say which one is
// left.
func parent(a, b Hash) Hash {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return Hash(keccak.Sum256(append(a[:], b[:]...)))
}

// Root returns the root hash, which a claim contract stores.
func (t Tree) Root() Hash { return t[0] }

// Find returns the index of the leaf with this hash, or false if the tree has none.
func (t Tree) Find(leaf Hash) (node int, ok bool) {
	leaves := t[len(t)/2:] // the greatest first
	i, ok := slices.BinarySearchFunc(leaves, leaf, func(a, b Hash) int { return bytes.Compare(b[:], a[:]) })
	return len(t)/2 + i, ok
}

// Path returns the indexes of the nodes whose hashes prove a node: its sibling, the sibling of its parent, and so on up
// to the root. Hashed together in this order they give the root hash.
func Path(node int) []int {
	var path []int
	for ; node > 0; node = (node - 1) / 2 {
		if node%2 == 0 {
			path = append(path, node-1)
		} else {
			path = append(path, node+1)
		}
	}
	return path
}

// Proof returns the hashes of the nodes on the Path of a node, from which anyone can compute the root hash.
func (t Tree) Proof(node int) []Hash {
	path := Path(node)
	proof := make([]Hash, len(path))
	for i, sibling := range path {
		proof[i] = t[sibling]
	}
	return proof
}

// Verify reports whether a leaf and the hashes of its proof give the root hash, as OpenZeppelin's MerkleProof.verify
// does on the chain.
func Verify(root, leaf Hash, proof []Hash) bool {
	for _, sibling := range proof {
		leaf = parent(leaf, sibling)
	}
	return leaf == root
}
