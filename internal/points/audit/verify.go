package audit

import (
	"context"
	"fmt"

	"laurel"
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

// Discrepancy is one place where a balance or a running amount differs from what the entries say, an entry from what
// was sealed, or what is held, sold or claimed from the rows that it follows from.
type Discrepancy struct {
	OrganizationID laurel.ID // of a chain of blocks as a whole, and of what is held, sold or claimed; zero otherwise
	AccountID      laurel.ID // zero where the entry or the chain tells enough
	EntryID        laurel.ID // zero where the account, the transaction or the chain as a whole differs
	TransactionID  laurel.ID // of what concerns a transaction or its key; zero otherwise
	Unlisted       bool      // a block lists fewer entries than it sealed: one is missing that nothing may name any more
	Problem        string
}

// String tells where and what.
func (d Discrepancy) String() string {
	switch {
	case !d.AccountID.IsZero() && !d.EntryID.IsZero():
		return fmt.Sprintf("account %s, entry %s: %s", d.AccountID, d.EntryID, d.Problem)
	case !d.AccountID.IsZero():
		return fmt.Sprintf("account %s: %s", d.AccountID, d.Problem)
	case !d.EntryID.IsZero():
		return fmt.Sprintf("entry %s: %s", d.EntryID, d.Problem)
	case !d.TransactionID.IsZero():
		return fmt.Sprintf("transaction %s: %s", d.TransactionID, d.Problem)
	case !d.OrganizationID.IsZero():
		return fmt.Sprintf("organization %s: %s", d.OrganizationID, d.Problem)
	}
	return d.Problem
}

// Trust is what the operator knows from elsewhere than the database.
type Trust struct {
	Keys  []seal.PublicKey // blocks must be signed with one of them; none: with whatever key they name
	Heads []seal.Hash      // hashes of blocks, as the log told them, that must be in the chains
}

// VerifyReport is what a verification covered and found. Discrepancies of the chains come first, in their order.
type VerifyReport struct {
	Accounts, Entries int64
	Seal              SealReport
	Discrepancies     []Discrepancy
}

// SealReport is what the chains of blocks hold.
type SealReport struct {
	Blocks, Sealed, Unsealed int64            // blocks, entries in them, and entries that wait rightly
	Heads                    []seal.Block     // the last block of each organization
	Keys                     []seal.PublicKey // that blocks are signed with
}

func (r *VerifyReport) add(d Discrepancy) {
	if !r.isFull() {
		r.Discrepancies = append(r.Discrepancies, d)
	}
}

func (r *VerifyReport) isFull() bool { return len(r.Discrepancies) >= maxDiscrepancies }

// IsTruncated reports whether there may be more discrepancies than are listed.
func (r VerifyReport) IsTruncated() bool { return r.isFull() }

// FirstBad tells the first bad entry; where it cannot be named any more, what tells of it. "" when none is bad.
func (r VerifyReport) FirstBad() string {
	for _, d := range r.Discrepancies {
		switch {
		case !d.EntryID.IsZero():
			return d.EntryID.String()
		case d.Unlisted:
			return "none can be named: " + d.String()
		}
	}
	return ""
}

// maxDiscrepancies bounds what is listed: a broken ledger may differ everywhere.
const maxDiscrepancies = 1000

// Verify recomputes the whole database in one snapshot, so it may run beside a server: every block's root, chain and
// signature from the entries, every balance and running amount, versions 1..n without gaps, each entry's start is the
// former end, the last end is the balance, main accounts are minus what they gave, each transaction sums to zero per
// currency, entries, transactions and business keys belong together, lots are what their entries say, payouts owe
// what entries booked in tokens, and holds, auctions, mints, stock and token claims are what entries and their own rows
// say (commerce.go). It takes no Scope: it covers all organizations, and callers show each its own findings
// (Owned).
func (s *Service) Verify(ctx context.Context, trust Trust) (VerifyReport, error) {
	var report VerifyReport
	err := s.db.Snapshot(ctx, func(q store.Queryer) error {
		seals := &sealCheck{q: q, report: &report, trust: trust, census: &census{}}
		s.db.Random(seals.census.salt[:])
		if err := seals.check(ctx); err != nil {
			return err
		}
		for _, step := range []func(context.Context, store.Queryer, *VerifyReport) error{
			countAccounts, verifyUsers, verifyMainAccounts, verifySums, verifyReferences, verifyTransactions, verifyKeys, verifyLots,
			verifyPayouts, verifyCommerce,
		} {
			if err := step(ctx, q, &report); err != nil {
				return err
			}
		}
		return nil
	})
	return report, err
}
