package ledger

import (
	"context"
	"fmt"

	"laurel"
	"laurel/internal/store"
)

// Discrepancy is one place where a balance or a running amount differs from what the entries say.
type Discrepancy struct {
	AccountID laurel.ID
	EntryID   laurel.ID // zero where the account as a whole differs
	Problem   string
}

// String tells where and what.
func (d Discrepancy) String() string {
	if d.EntryID.IsZero() {
		return fmt.Sprintf("account %s: %s", d.AccountID, d.Problem)
	}
	return fmt.Sprintf("account %s, entry %s: %s", d.AccountID, d.EntryID, d.Problem)
}

// VerifyReport is what a verification covered and found.
type VerifyReport struct {
	Accounts, Entries int64
	Discrepancies     []Discrepancy
}

// maxDiscrepancies bounds what is listed: a broken ledger may differ everywhere.
const maxDiscrepancies = 1000

// Verify recomputes every balance and running amount of every organization from the entries, in one snapshot, so it may run beside a server:
// versions 1..n without gaps, each entry's start is the former end, the last end is the balance, main accounts are minus what they gave,
// and each transaction sums to zero per currency. It takes no Scope: it is for the operator, from the command line.
func (s *Service) Verify(ctx context.Context) (VerifyReport, error) {
	var report VerifyReport
	err := s.db.Snapshot(ctx, func(q store.Queryer) error {
		for _, step := range []func(context.Context, store.Queryer, *VerifyReport) error{verifyCounts, verifyUsers, verifyMainAccounts, verifySums} {
			if err := step(ctx, q, &report); err != nil {
				return err
			}
		}
		return nil
	})
	return report, err
}
