package audit

import (
	"context"
	"encoding/json"
	"maps"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// paymentWithParts is a hold, a bid or a mint, which stores as its parts how much each account has paid for it.
type paymentWithParts struct {
	Organization lenientID  `db:"organization"`
	What         string     `db:"what"`
	Amount       lenientInt `db:"amount"`
	Parts        string     `db:"parts"`
}

// parseParts parses the stored parts of a payment into the amounts by user and their sum. ok is false for malformed
// JSON.
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

// verifyParts checks the stored parts of payments, which say how much each user paid and which refunds rely on: the
// parts must sum to the amount. Each hold and each mint was paid by one transaction, so its parts must also be the
// debits of that transaction.
func verifyParts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	err := store.ForEachRow(ctx, q, func(r paymentWithParts) error {
		if _, sum, ok := parseParts(r.Parts); !ok || int64(sum) != int64(r.Amount) {
			report.add(Discrepancy{
				OrganizationID: r.Organization.ID, Problem: r.What + ": what accounts paid for it does not sum to its amount",
			})
		}
		return nil
	}, selectPaymentsWithParts(q.Engine()))
	if err != nil {
		return err
	}
	for _, query := range []string{selectHoldsWithDebit, selectMintsWithDebit} {
		if err := verifyPartsAgainstDebits(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

// verifyPartsAgainstDebits checks that the parts of the holds or mints that a query selects are the debits of their
// transactions. It reads them page by page in the order of ids, and ends at a malformed id, which it reports.
func verifyPartsAgainstDebits(ctx context.Context, q store.Queryer, report *VerifyReport, query string) error {
	for after := (laurel.ID{}); !report.isFull(); {
		page, err := selectPaidRecords(ctx, q, query, after)
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
