package audit

import (
	"context"

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
