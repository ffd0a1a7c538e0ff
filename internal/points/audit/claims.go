package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/keccak"
	"laurel.example/laurel/internal/store"
)

// claimsPage is how many token claims are read at a time.
const claimsPage = 100

// verifyClaims checks the token claims (contract 5.20): lists of wallets that may each claim an amount of a token. The
// contract on the blockchain knows only the root of a Merkle tree over the list. verifyClaims recomputes the tree of
// each list, and compares the stored root, the stored blocks of tree nodes that proofs are read from, and the sums. It
// has one tree in memory at a time, with about 150 bytes per wallet.
func verifyClaims(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	if err := addFindings(ctx, q, report, claimsOfOtherImports); err != nil {
		return err
	}
	var after storedClaim
	for !report.isFull() {
		claims, err := selectClaims(ctx, q, after.ID.ID, claimsPage)
		if err != nil {
			return err
		}
		for _, c := range claims {
			if err := (&claimCheck{claim: c, report: report}).check(ctx, q); err != nil {
				return err
			}
		}
		if len(claims) < claimsPage {
			return nil
		}
		after = claims[len(claims)-1]
	}
	return nil
}

// claimCheck checks one token claim.
type claimCheck struct {
	claim                        storedClaim
	report                       *VerifyReport
	leaves                       []allocationLeaf
	walletCount                  int64
	claimedCount                 int64
	allocatedUnits, claimedUnits *big.Int
}

// allocationLeaf is the leaf of an allocation, and the number of the tree node that is stored for it.
type allocationLeaf struct {
	hash [32]byte
	node int64
}

// addProblem adds a discrepancy of the token claim.
func (c *claimCheck) addProblem(format string, args ...any) {
	c.report.add(Discrepancy{
		OrganizationID: c.claim.OrganizationID.ID,
		Problem:        "token claim " + c.claim.ID.String() + ": " + fmt.Sprintf(format, args...),
	})
}

// check compares the token claim's sums, root and tree with the allocations of its current import. Without one there
// must be no allocations and no root.
func (c *claimCheck) check(ctx context.Context, q store.Queryer) error {
	c.allocatedUnits, c.claimedUnits = new(big.Int), new(big.Int)
	if !c.claim.CurrentImportID.IsZero() {
		if err := eachAllocation(ctx, q, c.claim.CurrentImportID.ID, c.addAllocation); err != nil {
			return err
		}
	}
	if int64(c.claim.Wallets) != c.walletCount || c.claim.Allocated != c.allocatedUnits.String() {
		c.addProblem("what it allocates is not what its list says")
	}
	if int64(c.claim.ClaimedWallets) != c.claimedCount || c.claim.Claimed != c.claimedUnits.String() {
		c.addProblem("what was claimed is not what its list says")
	}
	if len(c.leaves) == 0 {
		if c.claim.Root != nil {
			c.addProblem("it has the root of a list that it does not have")
		}
		return nil
	}
	tree := buildTree(c.leaves)
	if c.claim.Root == nil || *c.claim.Root != "0x"+hex.EncodeToString(tree[0][:]) {
		c.addProblem("its root is not that of its list")
	}
	return c.checkProofs(ctx, q, tree)
}

// addAllocation adds the allocation of a wallet to the sums and the leaves. It reports one without a valid leaf, and
// one with a time of claim but no transaction, or the reverse.
func (c *claimCheck) addAllocation(row allocationRow) error {
	c.walletCount++
	leaf, units, ok := row.merkleLeaf()
	if !ok {
		c.addProblem("wallet %s has no allocation that a contract could know", row.Wallet)
		return nil
	}
	c.leaves = append(c.leaves, allocationLeaf{leaf, int64(row.Node)})
	c.allocatedUnits.Add(c.allocatedUnits, units)
	if (row.ClaimedAt == nil) != (row.TxHash == nil) {
		c.addProblem("wallet %s has claimed by no transaction, or not by one", row.Wallet)
	}
	if row.ClaimedAt != nil {
		c.claimedCount++
		c.claimedUnits.Add(c.claimedUnits, units)
	}
	return nil
}

// merkleLeaf returns the leaf of an allocation, keccak256(keccak256(abi.encode(address, uint256))), and its amount in
// units. ok is false for a malformed address, and for an amount that is malformed, not positive or above 256 bits.
func (s allocationRow) merkleLeaf() (leaf [32]byte, units *big.Int, ok bool) {
	var encoded [64]byte
	units, ok = new(big.Int).SetString(s.Units, 10)
	if !ok || units.Sign() <= 0 || units.BitLen() > 256 || !evm.IsAccount(s.Wallet) {
		return leaf, units, false
	}
	if _, err := hex.Decode(encoded[12:32], []byte(s.Wallet[2:])); err != nil {
		return leaf, units, false
	}
	units.FillBytes(encoded[32:])
	return [32]byte(keccak.Sum256(keccak.Sum256(encoded[:]))), units, true
}

// buildTree returns the complete binary tree over the leaves, of which there must be at least one and which it sorts:
// the children of node i are 2i+1 and 2i+2, and a node is the hash of its children in ascending order.
func buildTree(leaves []allocationLeaf) [][32]byte {
	slices.SortFunc(leaves, func(a, b allocationLeaf) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	tree := make([][32]byte, 2*len(leaves)-1)
	for i, leaf := range leaves {
		tree[len(tree)-1-i] = leaf.hash
	}
	for i := len(leaves) - 2; i >= 0; i-- {
		a, b := tree[2*i+1], tree[2*i+2]
		if bytes.Compare(a[:], b[:]) > 0 {
			a, b = b, a
		}
		tree[i] = [32]byte(keccak.Sum256(append(a[:], b[:]...)))
	}
	return tree
}

// checkProofs checks that each allocation stores the number of its tree node, and that the stored blocks contain the
// nodes of the tree, each but the root once.
func (c *claimCheck) checkProofs(ctx context.Context, q store.Queryer, tree [][32]byte) error {
	for i, leaf := range c.leaves {
		if leaf.node != int64(len(tree)-1-i) {
			c.addProblem("node %d is not that of the leaf %x that names it", leaf.node, leaf.hash)
		}
	}
	nodes := 0
	err := eachTreeBlock(ctx, q, c.claim.CurrentImportID.ID, func(b treeBlock) error {
		want := nodesOfBlock(tree, int64(b.Head))
		nodes += len(want) / 32
		if len(want) == 0 || !bytes.Equal(want, b.Nodes) {
			c.addProblem("block %d of its tree is not what follows from its list", b.Head)
		}
		return nil
	})
	if nodes != len(tree)-1 { // every node but the root is in one block
		c.addProblem("blocks of its tree are missing, or there are too many")
	}
	return err
}

// levelsPerBlock is how many levels of a Merkle tree, below the node that names the block, a stored block has.
const levelsPerBlock = 7

// nodesOfBlock returns the hashes that the stored block of a tree contains: those of the nodes up to levelsPerBlock
// levels below the node head, level by level, without head itself. It returns nil if the tree has no such node.
func nodesOfBlock(tree [][32]byte, head int64) (block []byte) {
	if head < 0 || head >= int64(len(tree)) {
		return nil
	}
	for level := 1; level <= levelsPerBlock; level++ {
		// the children of node i are 2i+1 and 2i+2, so the nodes of a level below head follow one another
		first, end := (head+1)<<level-1, (head+2)<<level-1
		for node := first; node < min(end, int64(len(tree))); node++ {
			block = append(block, tree[node][:]...)
		}
	}
	return block
}
