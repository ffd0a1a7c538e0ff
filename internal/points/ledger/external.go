package ledger

import (
	"context"

	"laurel"
	"laurel/internal/points/lots"
	"laurel/internal/store"
)

// checkKeeperChange is asked before the balances of a currency, which is locked, go to a system outside or come back:
// Invalid, naming apiPostUrl, where something is under way that only the present keeper of the balances can end.
func (s *Service) checkKeeperChange(ctx context.Context, tx *store.Tx, c Currency) error {
	scope := laurel.Scope{OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID}
	if c.API.PostURL != nil {
		if waits, err := lots.AnyHeld(ctx, tx, scope, c.ID); err != nil || waits {
			return orFault(err, "cannot be set while points wait")
		}
	}
	if s.follower == nil {
		return nil
	}
	return s.follower.CheckMove(ctx, tx, scope, c)
}

func orFault(err error, problem string) error {
	if err != nil {
		return err
	}
	var f laurel.Faults
	f.Add("apiPostUrl", "%s", problem)
	return f.Err()
}

// IsExternallyHeld reports whether a system outside keeps the balances of a currency, as it stands now, without locks.
// It shares its read with other callers of the same moment. A currency that is not the website's is not.
func (s *Service) IsExternallyHeld(ctx context.Context, scope laurel.Scope, id laurel.ID) (bool, error) {
	row, known, err := s.currencyLoader.Get(ctx, id)
	return err == nil && known && row.isLive(scope) && row.APIPostURL != nil, err
}

// IsExternallyHeldIn reports the same inside a transaction, where it stays so until the end.
func IsExternallyHeldIn(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	row, err := readCurrencyRow(ctx, tx, scope, id, tx.ForShare())
	if laurel.CodeOf(err) == laurel.NotFound {
		return false, nil
	}
	return err == nil && row.DeletedAt == nil && row.APIPostURL != nil, err
}

// CurrencyIn reads a live currency of the website inside a transaction, where it stays as it is until the end; false:
// there is none.
func CurrencyIn(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Currency, bool, error) {
	row, err := readCurrencyRow(ctx, tx, scope, id, tx.ForShare())
	if laurel.CodeOf(err) == laurel.NotFound || err == nil && row.DeletedAt != nil {
		return Currency{}, false, nil
	}
	return row.currency(), err == nil, err
}
