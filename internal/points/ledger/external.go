package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// checkExternalMove checks that the balances of a locked currency may move to an external ledger, or back. They may not
// while something is open that only the ledger which has the balances now can end: held points, or what the
// CurrencyFollower names. Then the error is Invalid and names apiPostUrl.
func (s *Service) checkExternalMove(ctx context.Context, tx *store.Tx, c Currency) error {
	scope := laurel.Scope{OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID}
	if c.API.PostURL != nil {
		if waits, err := lots.HasHeldPoints(ctx, tx, scope, c.ID); err != nil || waits {
			return orFault(err, "cannot be set while points wait")
		}
	}
	if s.follower == nil {
		return nil
	}
	return s.follower.CheckExternalMove(ctx, tx, scope, c)
}

// orFault returns err, or else a fault of apiPostUrl.
func orFault(err error, problem string) error {
	if err != nil {
		return err
	}
	var f laurel.Faults
	f.Add("apiPostUrl", "%s", problem)
	return f.Err()
}

// IsExternallyHeld reports whether an external ledger keeps the balances of a currency of the website, as of now and
// without locks. It shares its read with concurrent callers.
func (s *Service) IsExternallyHeld(ctx context.Context, scope laurel.Scope, id laurel.ID) (bool, error) {
	row, known, err := s.currencyLoader.Get(ctx, id)
	return err == nil && known && row.isLive(scope) && row.PostURL != nil, err
}

// IsExternallyHeldIn is IsExternallyHeld in a transaction, which keeps the currency as it is until the end.
func IsExternallyHeldIn(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	c, live, err := CurrencyIn(ctx, tx, scope, id)
	return live && c.PostURL != nil, err
}

// CurrencyIn reads a live currency of the website in a transaction, and keeps it as it is until the end. It returns
// false if there is none.
func CurrencyIn(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Currency, bool, error) {
	c, err := currencyTable.Get(ctx, tx, store.LiveByID(scope, id), tx.ForShare())
	if laurel.CodeOf(err) == laurel.NotFound {
		return Currency{}, false, nil
	}
	return c, err == nil, err
}
