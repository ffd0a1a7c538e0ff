package claims

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"laurel/internal/commerce/merkle"
	"laurel/internal/rules/lists"
)

// share is what a row of the list allocates.
type share struct {
	wallet merkle.Address
	units  units
	line   int64
	place  int32 // by amount, 0 is the greatest
}

func (s share) leaf() merkle.Hash { return merkle.Leaf(s.wallet, s.units.big()) }

// allotted is a whole list, each wallet once and in the order of wallets.
type allotted struct {
	shares   []share
	tree     merkle.Tree
	rows     int64
	skipped  int64 // bad rows
	replaced int64 // good rows of a wallet that a later row names again
	told     []string
}

// maxTold bounds how many bad rows a message names.
const maxTold = 10

// columnsOf lists the columns of an allocation list.
func columnsOf() []string { return []string{"walletAddress", "amount"} }

// readList reads a list and makes its tree. It is held in memory: a hundred bytes and more per wallet.
func readList(table *lists.RowFile, decimals int64) (*allotted, error) {
	l := &allotted{shares: make([]share, 0, table.Rows), told: []string{}}
	err := table.Each(func(line int64, texts []string, problem string) error {
		l.rows++
		s := share{line: line}
		if problem == "" {
			problem = s.read(texts, decimals)
		}
		if problem == "" {
			l.shares = append(l.shares, s)
			return nil
		}
		l.skipped++
		if len(l.told) < maxTold {
			l.told = append(l.told, fmt.Sprintf("row %d: %s", line, problem))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(l.shares) == 0 {
		return l, nil
	}
	l.lastOfEach()
	l.order()
	leaves := make([]merkle.Hash, len(l.shares))
	for i, s := range l.shares {
		leaves[i] = s.leaf()
	}
	l.tree = merkle.New(leaves)
	return l, nil
}

func (s *share) read(texts []string, decimals int64) (problem string) {
	var ok bool
	if s.wallet, ok = merkle.ParseAddress(texts[0]); !ok {
		return "walletAddress must be 0x and 40 hexadecimal digits"
	}
	if s.units, problem = parseUnits(texts[1], decimals); problem != "" {
		return "amount " + problem
	}
	return ""
}

// lastOfEach sorts by wallet and keeps the last row of each.
func (l *allotted) lastOfEach() {
	slices.SortFunc(l.shares, func(a, b share) int {
		return cmp.Or(bytes.Compare(a.wallet[:], b.wallet[:]), cmp.Compare(b.line, a.line))
	})
	before := len(l.shares)
	l.shares = slices.CompactFunc(l.shares, func(a, b share) bool { return a.wallet == b.wallet })
	l.replaced = int64(before - len(l.shares))
}

// order numbers the wallets from the greatest amount to the smallest.
func (l *allotted) order() {
	order := make([]int32, len(l.shares))
	for i := range order {
		order[i] = int32(i) //nolint:gosec // at most lists.MaxRows
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &l.shares[i], &l.shares[j]
		return cmp.Or(bytes.Compare(b.units[:], a.units[:]), cmp.Compare(i, j))
	})
	for place, i := range order {
		l.shares[i].place = int32(place) //nolint:gosec // at most lists.MaxRows
	}
}

func (l *allotted) total() *big.Int {
	sum := new(big.Int)
	for _, s := range l.shares {
		sum.Add(sum, s.units.big())
	}
	return sum
}

// summary tells which rows count for nothing; empty: all count.
func (l *allotted) summary() string {
	var parts []string
	if l.skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d rows were skipped: %s", l.skipped, l.rows, strings.Join(l.told, "; ")))
	}
	if l.replaced > 0 {
		parts = append(parts, fmt.Sprintf("%d rows were replaced by a later row of the same wallet", l.replaced))
	}
	return strings.Join(parts, ". ")
}
