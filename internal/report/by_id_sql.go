package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// EntriesByID returns the entries of the scope with these ids, in any order. Others are left out.
func (s *Service) EntriesByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Entry, err error) {
	if w := s.whereIDs("e.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectEntry+w.String(), w.Args...)
	}
	return out, err
}

// AccountsByID returns the users' accounts of the scope with these ids, in any order. Others are left out.
func (s *Service) AccountsByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Account, err error) {
	if w := s.whereIDs("a.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectAccount+w.String(), w.Args...)
	}
	return out, err
}

// selectRuleState reads the rule state of users and groups, whether or not the rule counts progress.
const selectRuleState = `SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.user_id,
	COALESCE(r.progress, 0) AS progress, r.created_at, r.updated_at FROM rule_subjects r`

// StatusesByID returns the statuses of the scope with these ids, in any order. Others are left out. The progress of a
// rule that counts none is 0.
func (s *Service) StatusesByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Status, err error) {
	if w := s.whereIDs("r.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectRuleState+w.String(), w.Args...)
	}
	return out, err
}

// whereIDs returns the conditions for the rows of the scope with these ids, or nil if there are no ids.
func (s *Service) whereIDs(prefix string, scope laurel.Scope, ids []laurel.ID) *store.Where {
	if len(ids) == 0 {
		return nil
	}
	w := &store.Where{}
	store.InArray(w, s.db, prefix+"id", "uuid", ids)
	w.TenantWithIDs(s.db.Engine(), prefix, scope)
	return w
}
