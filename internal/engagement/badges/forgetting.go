package badges

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Forget removes what rules gave to subjects, users and groups of users: the badges, and with them their multipliers
// (contract 4.3, reset). The people behind them are held, so nobody is given anything meanwhile.
func (s *Service) Forget(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) error {
	for people := range slices.Chunk(subjects, forgetChunk) {
		for givers := range slices.Chunk(rules, forgetChunk) {
			given, err := givenBy(ctx, tx, scope, givers, people)
			if err != nil {
				return err
			}
			if len(given) == 0 {
				continue
			}
			w := &taking{scope: scope, to: Inactive, takes: func(*userRow) bool { return true }}
			ids := make([]laurel.ID, len(given))
			for i, r := range given {
				w.keys, ids[i] = append(w.keys, userKey{r.BadgeID, r.UserID}), r.ID
			}
			if err := store.Run(ctx, tx, w); err != nil {
				return err
			}
			if err := deleteUsers(ctx, tx, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

// Remembered returns some users to whom a rule gave badges of which nothing was written since a moment.
func (s *Service) Remembered(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	before int64,
) ([]laurel.ID, error) {
	return givenBefore(ctx, q, scope, rule, before)
}
