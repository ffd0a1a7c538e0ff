package audit

import (
	"context"
	"encoding/json"
	"maps"

	"laurel"
	"laurel/internal/store"
)

// parted is a row that keeps which accounts paid for it.
type parted struct {
	Organization name    `db:"organization"`
	What         string  `db:"what"`
	Amount       integer `db:"amount"`
	Parts        string  `db:"parts"`
}

// partsOf reads by whom something was paid; not ok where that is not what the service writes.
func partsOf(text string) (by map[laurel.ID]laurel.Amount, sum laurel.Amount, ok bool) {
	var parts []struct {
		UserID laurel.ID
		Amount laurel.Amount
	}
	err := json.Unmarshal([]byte(text), &parts)
	by = map[laurel.ID]laurel.Amount{}
	for _, p := range parts {
		by[p.UserID] += p.Amount
		sum += p.Amount
	}
	return by, sum, err == nil
}

// verifyParts checks what is kept of whatever accounts paid for, since points go back by it: the parts sum to what was
// paid, and those of one debit are that debit's entries.
func verifyParts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	err := store.ForEachRow(ctx, q, func(r parted) error {
		if _, sum, ok := partsOf(r.Parts); !ok || int64(sum) != int64(r.Amount) {
			report.add(Discrepancy{
				OrganizationID: r.Organization.ID, Problem: r.What + ": what accounts paid for it does not sum to its amount",
			})
		}
		return nil
	}, partedRows(q.Engine()))
	if err != nil {
		return err
	}
	for _, of := range []string{paidHolds, paidMints} {
		if err := verifyPayers(ctx, q, report, of); err != nil {
			return err
		}
	}
	return nil
}

// verifyPayers compares the parts of what was paid by one transaction with its debits, a page at a time.
func verifyPayers(ctx context.Context, q store.Queryer, report *VerifyReport, of string) error {
	for after := (laurel.ID{}); !report.full(); {
		page, err := selectPaid(ctx, q, of, after)
		if err != nil || len(page) == 0 {
			return err
		}
		ids := make([]laurel.ID, len(page))
		for i, r := range page {
			ids[i] = r.TransactionID.ID
		}
		debits, err := debitsOf(ctx, q, ids)
		if err != nil {
			return err
		}
		for _, r := range page {
			if by, _, ok := partsOf(r.Parts); !ok || !maps.Equal(by, debits[r.TransactionID.ID]) {
				report.add(Discrepancy{
					OrganizationID: r.Organization.ID, Problem: r.What + ": other accounts paid for it than it says",
				})
			}
		}
		last := page[len(page)-1]
		if after = last.ID.ID; after.IsZero() {
			report.add(Discrepancy{Problem: last.What + ": it has an id that is none, and what follows is not looked at"})
			return nil
		}
	}
	return nil
}
