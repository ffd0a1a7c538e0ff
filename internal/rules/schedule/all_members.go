package schedule

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completion"
)

// walkAllMembers is the Walk for rules whose runs go over all members of the website. It lists the members in the order
// of their ids.
func (s *Service) walkAllMembers(ctx context.Context, scope laurel.Scope, p Page) ([]WalkMember, error) {
	after := laurel.ID{}
	if p.After != "" {
		var err error
		if after, err = laurel.ParseID(p.After); err != nil {
			return nil, err
		}
	}
	ids, err := s.People.MembersAfter(ctx, scope, after, p.Limit)
	members := make([]WalkMember, len(ids))
	for i, id := range ids {
		members[i] = WalkMember{completion.Candidate{User: identity.Ref{UserID: id}}, id.String()}
	}
	return members, err
}
