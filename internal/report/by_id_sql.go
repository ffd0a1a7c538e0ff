package report

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// EntriesByID returns the entries with these ids, in any order; those of others are absent.
func (s *Service) EntriesByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Entry, err error) {
	if w := s.whereIDs("e.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectEntry+w.String(), w.Args...)
	}
	return out, err
}

// AccountsByID returns the accounts of users with these ids as they are now, in any order; those of others are absent.
func (s *Service) AccountsByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Account, err error) {
	if w := s.whereIDs("a.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectAccount+w.String(), w.Args...)
	}
	return out, err
}

// selectRuleState is what is remembered of a user or group and a rule, whether or not the rule counts progress.
const selectRuleState = `SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.user_id,
	COALESCE(r.progress, 0) AS progress, r.created_at, r.updated_at FROM rule_subjects r`

// StatusesByID returns the statuses with these ids, in any order; those of others are absent. The progress of a rule
// that counts none is 0.
func (s *Service) StatusesByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Status, err error) {
	if w := s.whereIDs("r.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectRuleState+w.String(), w.Args...)
	}
	return out, err
}

// whereIDs are the conditions on rows with these ids; nil where there are none.
func (s *Service) whereIDs(prefix string, scope laurel.Scope, ids []laurel.ID) *store.Where {
	if len(ids) == 0 {
		return nil
	}
	w := &store.Where{}
	store.Any(w, s.db, prefix+"id", "uuid", ids)
	w.TenantWithIDs(s.db.Engine(), prefix, scope)
	return w
}
