package claims

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"laurel.example/laurel/internal/commerce/merkle"
	"laurel.example/laurel/internal/rules/lists"
)

// listEntry is a good row of an allocation list.
type listEntry struct {
	wallet merkle.Address
	units  units
	line   int64
	place  int32 // in descending order of amounts; the greatest has 0
}

func (s listEntry) leaf() merkle.Hash { return merkle.Leaf(s.wallet, s.units.big()) }

// allocationList is a whole allocation list with its tree. Each wallet occurs once; the entries are sorted by wallet.
type allocationList struct {
	entries  []listEntry
	tree     merkle.Tree
	rows     int64
	skipped  int64 // bad rows
	replaced int64 // good rows that a later row of the same wallet replaces
	badRows  []string
}

// maxBadRows bounds how many bad rows are described.
const maxBadRows = 10

// listColumns lists the columns of an allocation list.
func listColumns() []string { return []string{"walletAddress", "amount"} }

// readList parses an allocation list and builds its Merkle tree in memory, which takes over a hundred bytes per wallet.
// Bad rows are skipped: they are counted, and the first maxBadRows are described. Without a good row there is no tree.
func readList(table *lists.RowFile, decimals int64) (*allocationList, error) {
	l := &allocationList{entries: make([]listEntry, 0, table.Rows), badRows: []string{}}
	err := table.Each(func(line int64, texts []string, problem string) error {
		l.rows++
		s := listEntry{line: line}
		if problem == "" {
			problem = s.parse(texts, decimals)
		}
		if problem == "" {
			l.entries = append(l.entries, s)
			return nil
		}
		l.skipped++
		if len(l.badRows) < maxBadRows {
			l.badRows = append(l.badRows, fmt.Sprintf("row %d: %s", line, problem))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(l.entries) == 0 {
		return l, nil
	}
	l.keepLastOfEachWallet()
	l.setPlaces()
	leaves := make([]merkle.Hash, len(l.entries))
	for i, s := range l.entries {
		leaves[i] = s.leaf()
	}
	l.tree = merkle.New(leaves)
	return l, nil
}

// parse sets the entry's wallet and units from the texts of a row's two columns, or returns what is wrong with them.
func (s *listEntry) parse(texts []string, decimals int64) (problem string) {
	var ok bool
	if s.wallet, ok = merkle.ParseAddress(texts[0]); !ok {
		return "walletAddress must be 0x and 40 hexadecimal digits"
	}
	if s.units, problem = parseUnits(texts[1], decimals); problem != "" {
		return "amount " + problem
	}
	return ""
}

// keepLastOfEachWallet sorts the entries by wallet, keeps the last row of each, and counts the replaced ones.
func (l *allocationList) keepLastOfEachWallet() {
	slices.SortFunc(l.entries, func(a, b listEntry) int { // the last row of each wallet first, which CompactFunc keeps
		return cmp.Or(bytes.Compare(a.wallet[:], b.wallet[:]), cmp.Compare(b.line, a.line))
	})
	before := len(l.entries)
	l.entries = slices.CompactFunc(l.entries, func(a, b listEntry) bool { return a.wallet == b.wallet })
	l.replaced = int64(before - len(l.entries))
}

// setPlaces sets the place of each entry: 0 for the greatest amount, and so on. Of equal amounts the first wallet comes
// first. The entries stay sorted by wallet.
func (l *allocationList) setPlaces() {
	order := make([]int32, len(l.entries))
	for i := range order {
		order[i] = int32(i) //nolint:gosec // at most lists.MaxRows
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &l.entries[i], &l.entries[j]
		return cmp.Or(bytes.Compare(b.units[:], a.units[:]), cmp.Compare(i, j))
	})
	for place, i := range order {
		l.entries[i].place = int32(place) //nolint:gosec // at most lists.MaxRows
	}
}

func (l *allocationList) total() *big.Int {
	sum := new(big.Int)
	for _, s := range l.entries {
		sum.Add(sum, s.units.big())
	}
	return sum
}

// warnings returns a text about skipped and replaced rows; empty if there are none.
func (l *allocationList) warnings() string {
	var parts []string
	if l.skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d rows were skipped: %s", l.skipped, l.rows, strings.Join(l.badRows, "; ")))
	}
	if l.replaced > 0 {
		parts = append(parts, fmt.Sprintf("%d rows were replaced by a later row of the same wallet", l.replaced))
	}
	return strings.Join(parts, ". ")
}
