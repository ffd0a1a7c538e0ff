package audit

import (
	"context"

	"laurel.example/laurel/internal/store"
)

// verifyCommerce checks holds, auctions, mints, stock and token claims. Points that are held must have been debited by
// entries, points of holds and bids that ended must have been refunded once, and the stock must have decreased by what
// mints and auctions take. Each of these changes in one transaction with the rows that it follows from, so a snapshot
// is consistent.
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
