package memberimports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
)

const (
	maxBadRows  = 10   // bad rows that a message describes
	maxDoubts   = 1000 // doubtful rows that are looked up; more are bad
	rowsPerPart = 2000 // rows that one transaction stores
)

// badRow is a row that cannot be imported, and why.
type badRow struct {
	line    int64
	problem string
}

// checkedFile is what is known of a file once all of its rows were read.
type checkedFile struct {
	rows       int64
	bad        []badRow // the first ones
	badCount   int64
	doubts     map[string]badRow // by wallet: rows whose wallet looks like none
	lines      map[[16]byte]bool // the wallets that were read, as digests: a file may have a million
	total      laurel.Amount     // of the balances
	hasBalance bool
}

// addBad counts a bad row.
func (c *checkedFile) addBad(line int64, problem string) {
	c.badCount++
	if len(c.bad) < maxBadRows {
		c.bad = append(c.bad, badRow{line, problem})
	}
}

// check reads all rows of a file and returns an importFault unless all are good. Nothing is written before, so a file
// with a bad row can be mended and imported again without counting balances twice.
func (s *Service) check(ctx context.Context, scope laurel.Scope, file *lists.RowFile) (*checkedFile, error) {
	select {
	case s.checkSlot <- struct{}{}: // this node checks one file at a time, because the wallets of a file take memory
		defer func() { <-s.checkSlot }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c := &checkedFile{doubts: map[string]badRow{}, lines: make(map[[16]byte]bool, file.Rows)}
	now := s.DB.Now()
	err := file.Each(func(line int64, texts []string, problem string) error {
		c.rows++
		var r memberRow
		if problem == "" {
			r, problem = parseRow(line, texts, file.Decimal, now)
		}
		if problem == "" {
			problem = c.add(r)
		}
		if problem != "" {
			c.addBad(line, problem)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if err := s.checkDoubts(ctx, scope, c); err != nil {
		return nil, err
	}
	c.lines = nil // not needed any more
	err = c.fault()
	return c, err
}

// add adds a row that is good by itself, or returns why it is bad beside the others.
func (c *checkedFile) add(r memberRow) (problem string) {
	sum := sha256.Sum256([]byte(r.Wallet))
	key := [16]byte(sum[:16])
	if c.lines[key] {
		return "walletAddress stands in the file already"
	}
	c.lines[key] = true
	var err error
	if c.total, err = c.total.Plus(r.Balance); err != nil {
		return fmt.Sprintf("the balances add up to %d or more", laurel.MaxAmount/laurel.One)
	}
	c.hasBalance = c.hasBalance || r.Balance > 0
	doubt := lists.WalletDoubt(r.Wallet)
	if doubt == "" {
		return ""
	}
	problem = "walletAddress " + doubt
	if len(c.doubts) < maxDoubts {
		c.doubts[r.Wallet], problem = badRow{r.Line, problem}, ""
	}
	return problem
}

// checkDoubts adds the rows to the bad ones whose wallet looks like none and is that of no member.
func (s *Service) checkDoubts(ctx context.Context, scope laurel.Scope, c *checkedFile) error {
	if len(c.doubts) == 0 {
		return nil
	}
	wallets := make([]string, 0, len(c.doubts))
	for wallet := range c.doubts {
		wallets = append(wallets, wallet)
	}
	slices.Sort(wallets)
	known, err := identity.MembersByWallet(ctx, s.DB, scope, wallets)
	if err != nil {
		return err
	}
	for _, wallet := range known {
		delete(c.doubts, wallet)
	}
	for _, doubt := range c.doubts {
		c.badCount++
		c.bad = append(c.bad, doubt)
	}
	slices.SortFunc(c.bad, func(a, b badRow) int { return cmp.Compare(a.line, b.line) })
	c.bad = c.bad[:min(len(c.bad), maxBadRows)]
	return nil
}

// fault returns the importFault of a file with bad rows or without rows, or nil.
func (c *checkedFile) fault() error {
	switch {
	case c.rows == 0:
		return &importFault{"File has no rows"}
	case c.badCount == 0:
		return nil
	}
	var texts []string
	for _, row := range c.bad {
		texts = append(texts, fmt.Sprintf("row %d: %s", row.line, row.problem))
	}
	if more := c.badCount - int64(len(c.bad)); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return &importFault{fmt.Sprintf("%d of %d rows are bad: %s", c.badCount, c.rows, strings.Join(texts, "; "))}
}

// currencyOf returns the currency of a file's opening balances: the one that the import names or, without one, the
// website's only currency; none if the file has no balances. Errors: an importFault if there is no such currency, or if
// it takes no opening balances any more.
func (s *Service) currencyOf(
	ctx context.Context, scope laurel.Scope, named laurel.ID, c *checkedFile,
) (laurel.NullID, error) {
	if !c.hasBalance {
		return laurel.NullableID(named), nil
	}
	var id laurel.ID
	err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		if id = named; id.IsZero() {
			if id, err = s.Ledger.OnlyCurrency(ctx, tx, scope); err != nil {
				return err
			}
		}
		if id.IsZero() {
			return &importFault{"File has balances, and the website has not one currency alone: name " + currencyPath}
		}
		return checkCurrency(ctx, tx, scope, id)
	})
	if laurel.CodeOf(err) == laurel.Invalid {
		err = &importFault{err.Error()}
	}
	return laurel.NullableID(id), err
}

// fileName returns the last part of the path of an address, as people know the file.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil || path.Base(u.Path) == "/" || path.Base(u.Path) == "." {
		return ""
	}
	return path.Base(u.Path)
}
