package audit

import (
	"context"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// Discrepancy is one place where the database contradicts itself: a balance and the entries, an entry and its seal, or
// a record of commerce and the rows that it follows from.
type Discrepancy struct {
	OrganizationID laurel.ID // set for a chain of blocks as a whole and for commerce
	AccountID      laurel.ID // zero if the entry or the chain suffices to name the place
	EntryID        laurel.ID // zero if the account, the transaction or the chain as a whole differs
	TransactionID  laurel.ID // set for a transaction or its key
	Unlisted       bool      // a block lists fewer entries than it sealed; the missing one may be unknown
	Problem        string
}

// String returns the account, entry, transaction or organization that the discrepancy names, and the problem.
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

// Trust is what the operator knows from outside the database.
type Trust struct {
	Keys  []seal.PublicKey // blocks must be signed with one of them; none: with any key
	Heads []seal.Hash      // hashes of blocks from the log, which must be in the chains
}

// VerifyReport says what a verification has covered and found. Discrepancies of the chains come first, in their order.
type VerifyReport struct {
	Accounts, Entries int64
	Seal              SealReport
	Discrepancies     []Discrepancy
}

// SealReport counts the chains of blocks.
type SealReport struct {
	Blocks, Sealed, Unsealed int64            // blocks, entries in them, and entries to be sealed yet
	Heads                    []seal.Block     // the last block of each organization
	Keys                     []seal.PublicKey // the keys that blocks are signed with
}

// add adds a discrepancy unless the report is full.
func (r *VerifyReport) add(d Discrepancy) {
	if !r.isFull() {
		r.Discrepancies = append(r.Discrepancies, d)
	}
}

func (r *VerifyReport) isFull() bool { return len(r.Discrepancies) >= maxDiscrepancies }

// IsTruncated reports whether there may be more discrepancies than the report lists.
func (r VerifyReport) IsTruncated() bool { return r.isFull() }

// FirstBadEntry returns the id of the first entry that a discrepancy names. If a block that lists too few entries comes
// before it, the bad entry is unknown, and FirstBad returns a description of that block's discrepancy. It returns "" if
// there is neither.
func (r VerifyReport) FirstBadEntry() string {
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

// maxDiscrepancies bounds a report: a broken ledger may differ everywhere.
const maxDiscrepancies = 1000

// Verify recomputes the whole database in one snapshot, so it may run beside a server. It checks:
//   - blocks: root, chain and signature of each, from the entries;
//   - accounts: versions 1..n without gaps, each entry starts where the one before ended, the last end is the balance;
//   - main accounts: each balance is the sum of the account's entries;
//   - transactions: their entries sum to zero per currency;
//   - references of entries, transactions and business keys;
//   - lots and payouts, against the entries that they follow from;
//   - commerce: holds, auctions, mints, stock and token claims (commerce.go).
//
// It takes no Scope, because it covers all organizations; callers show each one its own discrepancies
// (DiscrepanciesOf).
func (s *Service) Verify(ctx context.Context, trust Trust) (VerifyReport, error) {
	var report VerifyReport
	err := s.db.Snapshot(ctx, func(q store.Queryer) error {
		seals := &sealCheck{q: q, report: &report, trust: trust, ranges: &idRanges{}}
		s.db.Random(seals.ranges.salt[:])
		if err := seals.check(ctx); err != nil {
			return err
		}
		for _, step := range []func(context.Context, store.Queryer, *VerifyReport) error{
			countAccounts, verifyUsers, verifyMainAccounts, verifySums, verifyReferences, verifyTransactions, verifyKeys,
			verifyLots, verifyPayouts, verifyCommerce,
		} {
			if err := step(ctx, q, &report); err != nil {
				return err
			}
		}
		return nil
	})
	return report, err
}
