package merkle_test

import (
	"encoding/json"
	"math/big"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel/internal/commerce/merkle"
)

// entry is what a wallet may claim.
type entry struct {
	wallet merkle.Address
	amount *big.Int
}

func (e entry) leaf() merkle.Hash { return merkle.Leaf(e.wallet, e.amount) }

func treeOf(entries []entry) merkle.Tree {
	leaves := make([]merkle.Hash, len(entries))
	for i, e := range entries {
		leaves[i] = e.leaf()
	}
	return merkle.New(leaves)
}

func entriesOf(t *rapid.T) []entry {
	wallets := rapid.SliceOfNDistinct(
		rapid.SliceOfN(rapid.Byte(), 20, 20), 1, 400, func(b []byte) string { return string(b) },
	).Draw(t, "wallets")
	entries := make([]entry, len(wallets))
	for i, wallet := range wallets {
		amount := rapid.SliceOfN(rapid.Byte(), 1, 32).Draw(t, "amount")
		entries[i] = entry{merkle.Address(wallet), new(big.Int).SetBytes(amount)}
	}
	return entries
}

func TestProofsOfEveryWalletVerifyAndOfNoOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := entriesOf(t)
		tree := treeOf(entries)
		proofs := make([][]merkle.Hash, len(entries))
		for i, e := range entries {
			node, ok := tree.Find(e.leaf())
			if !ok {
				t.Fatalf("no leaf of %v", e)
			}
			proofs[i] = tree.Proof(node)
			if !merkle.Verify(tree.Root(), e.leaf(), proofs[i]) {
				t.Fatalf("the proof of %v does not verify", e)
			}
		}
		for range 20 {
			i := rapid.IntRange(0, len(entries)-1).Draw(t, "i")
			j := rapid.IntRange(0, len(entries)-1).Draw(t, "j")
			other := entry{entries[i].wallet, new(big.Int).Xor(entries[i].amount, big.NewInt(1))}
			if merkle.Verify(tree.Root(), other.leaf(), proofs[i]) {
				t.Fatalf("the proof of %v verifies another amount", entries[i])
			}
			if i != j && merkle.Verify(tree.Root(), entries[j].leaf(), proofs[i]) {
				t.Fatalf("the proof of %v verifies %v", entries[i], entries[j])
			}
			if _, ok := tree.Find(other.leaf()); ok {
				t.Fatal("a leaf that is none was found")
			}
		}
	})
}

func TestBlocksHoldEveryNodeOnceAndGiveTheSameProofs(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 64, 65, 127, 128, 129, 255, 1000, 20_000} {
		entries := make([]entry, n)
		for i := range entries {
			entries[i].wallet[0], entries[i].wallet[1], entries[i].wallet[2] = byte(i), byte(i>>8), byte(i>>16)
			entries[i].amount = big.NewInt(int64(i) + 1)
		}
		tree := treeOf(entries)
		heads, held := tree.Heads(), 0
		blocks := map[int][]byte{}
		for _, head := range heads {
			blocks[head] = tree.Block(head)
			held += len(blocks[head])
		}
		if held != (len(tree)-1)*merkle.Size || !slices.IsSorted(heads) {
			t.Errorf("%d leaves: the blocks hold %d bytes", n, held)
		}
		for _, e := range entries[:min(n, 2000)] {
			node, _ := tree.Find(e.leaf())
			needed := map[int][]byte{}
			for _, head := range merkle.HeadsOf(node) {
				needed[head] = blocks[head]
			}
			proof, ok := merkle.ProofIn(node, needed)
			if !ok || !slices.Equal(proof, tree.Proof(node)) {
				t.Fatalf("%d leaves: the proof of node %d differs", n, node)
			}
		}
	}
	if _, ok := merkle.ProofIn(2, map[int][]byte{}); ok {
		t.Error("a proof was made of nothing")
	}
}

// vector is a tree that @openzeppelin/merkle-tree has made: scripts/merkle/vectors.mjs writes them.
type vector struct {
	Root   string
	Tree   []string
	Values []struct {
		Value     [2]string
		TreeIndex int
		Proof     []string
	}
}

func TestTreesAreThoseOfOpenZeppelin(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) < 5 {
		t.Fatal(len(vectors), err)
	}
	for _, v := range vectors {
		entries := make([]entry, len(v.Values))
		for i, value := range v.Values {
			wallet, known := merkle.ParseAddress(value.Value[0])
			amount, whole := new(big.Int).SetString(value.Value[1], 10)
			if !known || !whole {
				t.Fatal(value)
			}
			entries[i] = entry{wallet, amount}
		}
		tree := treeOf(entries)
		if tree.Root().String() != v.Root || !slices.Equal(texts(tree), v.Tree) {
			t.Errorf("the tree of %d leaves differs", len(entries))
		}
		for i, e := range entries {
			node, ok := tree.Find(e.leaf())
			if !ok || node != v.Values[i].TreeIndex || !slices.Equal(texts(tree.Proof(node)), v.Values[i].Proof) {
				t.Errorf("the proof of %v is %v", v.Values[i], tree.Proof(node))
			}
		}
	}
}

func texts(hashes []merkle.Hash) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = h.String()
	}
	return out
}

func TestAddressesAreReadInAnyCase(t *testing.T) {
	t.Parallel()
	const small = "0x00000000000000000000000000000000000a11ce"
	for _, text := range []string{small, "0x00000000000000000000000000000000000A11CE"} {
		if a, ok := merkle.ParseAddress(text); !ok || a.String() != small {
			t.Errorf("%s is read as %v", text, a)
		}
	}
	for _, text := range []string{"", "0x12", small + "0", "cust_1001"} {
		if _, ok := merkle.ParseAddress(text); ok {
			t.Errorf("%q is read", text)
		}
	}
}
