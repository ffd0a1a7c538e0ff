package audit

import (
	"context"
	"encoding/json"
	"maps"

	"laurel"
	"laurel/internal/store"
)

// partsRow is a row that stores which accounts paid for it.
type partsRow struct {
	Organization lenientID  `db:"organization"`
	What         string     `db:"what"`
	Amount       lenientInt `db:"amount"`
	Parts        string     `db:"parts"`
}

// parseParts parses the stored parts of a payment into the amounts by user and their sum, or returns false.
func parseParts(text string) (byUser map[laurel.ID]laurel.Amount, sum laurel.Amount, ok bool) {
	var parts []struct {
		UserID laurel.ID
		Amount laurel.Amount
	}
	err := json.Unmarshal([]byte(text), &parts)
	byUser = map[laurel.ID]laurel.Amount{}
	for _, p := range parts {
		byUser[p.UserID] += p.Amount
		sum += p.Amount
	}
	return byUser, sum, err == nil
}

// verifyParts checks the stored parts of payments, which refunds rely on: they sum to the amount, and those of a single
// debit are the entries of that debit.
func verifyParts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	err := store.ForEachRow(ctx, q, func(r partsRow) error {
		if _, sum, ok := parseParts(r.Parts); !ok || int64(sum) != int64(r.Amount) {
			report.add(Discrepancy{
				OrganizationID: r.Organization.ID, Problem: r.What + ": what accounts paid for it does not sum to its amount",
			})
		}
		return nil
	}, partsRows(q.Engine()))
	if err != nil {
		return err
	}
	for _, query := range []string{paidHolds, paidMints} {
		if err := verifyPayers(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

// verifyPayers compares the parts of rows that one transaction has paid with its debits, page by page.
func verifyPayers(ctx context.Context, q store.Queryer, report *VerifyReport, query string) error {
	for after := (laurel.ID{}); !report.isFull(); {
		page, err := selectPaid(ctx, q, query, after)
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
			if byUser, _, ok := parseParts(r.Parts); !ok || !maps.Equal(byUser, debits[r.TransactionID.ID]) {
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
