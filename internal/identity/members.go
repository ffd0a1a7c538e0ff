package identity

import (
	"context"

	"laurel"
)

// MembersAfter returns the members of the scope's website in the order of their ids, behind one of them (zero: from the
// start). Fewer than the limit are the last ones.
func (s *Service) MembersAfter(
	ctx context.Context,
	scope laurel.Scope,
	after laurel.ID,
	limit int,
) ([]laurel.ID, error) {
	return selectMembersAfter(ctx, s.db, scope, after, limit)
}

// CountMembers returns how many members the scope's website has.
func (s *Service) CountMembers(ctx context.Context, scope laurel.Scope) (int64, error) {
	return countMembers(ctx, s.db, scope)
}
