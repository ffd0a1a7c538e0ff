package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel"
	"laurel/internal/store"
)

// verifyCommerce checks what members get for points: what is held is what entries took, what has ended gave back what
// it did not keep, once, the stock is what mints and auctions say, and claims follow from their lists. Each of these
// moves with the rows that it follows from in one transaction, so that a snapshot never sees it half done.
func verifyCommerce(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, step := range []func(context.Context, store.Queryer, *VerifyReport) error{
		verifyHolds, verifyAuctions, verifyMints, verifyStock, verifyParts, verifyClaims,
	} {
		if err := step(ctx, q, report); err != nil {
			return err
		}
	}
	return nil
}

// parted is a row that keeps which accounts paid for it.
type parted struct {
	Organization name    `db:"organization"`
	What         string  `db:"what"`
	Amount       integer `db:"amount"`
	Parts        string  `db:"parts"`
}

// verifyParts checks that the parts of whatever was paid sum to what was: points go back by them.
func verifyParts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return store.Through(ctx, q, func(r parted) error {
		var parts []struct{ Amount laurel.Amount }
		err := json.Unmarshal([]byte(r.Parts), &parts)
		sum := laurel.Amount(0)
		for _, p := range parts {
			sum += p.Amount
		}
		if err != nil || int64(sum) != int64(r.Amount) {
			report.add(Discrepancy{
				OrganizationID: r.Organization.ID,
				Problem:        fmt.Sprintf("%s: what accounts paid for it does not sum to its amount", r.What),
			})
		}
		return nil
	}, partedRows(q.Engine()))
}
