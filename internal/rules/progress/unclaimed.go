package progress

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/store"
)

// unclaimedSince returns when a run found the member eligible for a reward that nobody has claimed yet; 0: there is
// none. When members join a group, their eligibility becomes one claim of the group. Until it is claimed, their own
// rows still show what each brought.
func (s *State) unclaimedSince() int64 {
	if s.Progress == nil || s.EligibleAt == nil {
		return 0
	}
	return *s.EligibleAt
}

// takeBackUnclaimed returns to a leaving user the eligibility that a run found before it joined, if nobody has claimed
// it. The group keeps the latest one of its remaining members whose progress is no less than its own. If a later run
// found the whole group eligible, the user loses its own.
func (s *State) takeBackUnclaimed(group *State, remaining []State) {
	if s.unclaimedSince() == 0 || s.unclaimedSince() != group.unclaimedSince() {
		s.EligibleAt = nil
		return
	}
	group.EligibleAt = nil
	for _, member := range remaining {
		if member.unclaimedSince() != 0 && *member.Progress >= *group.Progress {
			group.EligibleAt = Later(group.EligibleAt, member.EligibleAt)
		}
	}
}

// loadRemaining returns the unclaimed states of the members who stay with the group, by rule.
func (m merge) loadRemaining(ctx context.Context, tx *store.Tx) (map[laurel.ID][]State, error) {
	rest, err := identity.GroupMembers(ctx, tx, m.website, m.source)
	if err != nil {
		return nil, err
	}
	out := map[laurel.ID][]State{}
	for users := range slices.Chunk(rest, statementChunk) {
		list, err := selectUnclaimed(ctx, tx, m.website, users)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			out[s.RuleID] = append(out[s.RuleID], s)
		}
	}
	return out, nil
}
