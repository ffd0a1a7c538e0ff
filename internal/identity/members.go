package identity

import (
	"context"
	"time"

	"laurel.example/laurel"
)

// MembersAfter returns the ids of up to limit members of the scope's website that are greater than after, in ascending
// order; a zero after means from the start. Fewer than limit means that these are the last ones.
func (s *Service) MembersAfter(
	ctx context.Context,
	scope laurel.Scope,
	after laurel.ID,
	limit int,
) ([]laurel.ID, error) {
	return selectMembersAfter(ctx, s.db, scope, after, limit)
}

// CountMembers returns the number of members of the scope's website.
func (s *Service) CountMembers(ctx context.Context, scope laurel.Scope) (int64, error) {
	return countMembers(ctx, s.db, scope)
}

// MembersSince returns since when users are members of the scope's website, by user id. Users that are none are left
// out.
func (s *Service) MembersSince(
	ctx context.Context, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID]time.Time, error) {
	return selectMembersSince(ctx, s.db, scope, users)
}
