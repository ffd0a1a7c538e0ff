package report

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// EntriesOf returns the entries with these ids, in any order; those of others are absent.
func (s *Service) EntriesOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Entry, error) {
	return named[Entry](ctx, s.db, scope, selectEntry, "e.", ids)
}

// AccountsOf returns the accounts of users with these ids as they are now, in any order; those of others are absent.
func (s *Service) AccountsOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Account, error) {
	return named[Account](ctx, s.db, scope, selectAccount, "a.", ids)
}

// selectRemembered is what is remembered of a user or group and a rule, whether or not the rule counts progress.
const selectRemembered = `SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.user_id,
	COALESCE(r.progress, 0) AS progress, r.created_at, r.updated_at FROM rule_subjects r`

// StatusesOf returns the statuses with these ids, in any order; those of others are absent. The progress of a rule that
// counts none is 0.
func (s *Service) StatusesOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Status, error) {
	return named[Status](ctx, s.db, scope, selectRemembered, "r.", ids)
}

func named[T any](
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	query, prefix string,
	ids []laurel.ID,
) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.Any(&w, q, prefix+"id", "uuid", ids)
	w.Tenant(q.Engine().NoIndex()+prefix, scope)
	var out []T
	err := q.Select(ctx, &out, query+w.String(), w.Args...)
	return out, err
}
