package audit

import (
	"context"

	"laurel/internal/store"
)

// verifyCommerce checks holds, auctions, mints, stock and token claims against the entries and rows that they follow
// from: points are held as entries debited them, ended ones were refunded once, and the stock is what mints and
// auctions take. All of these change in one transaction with the rows that they follow from, so a snapshot is
// consistent.
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
