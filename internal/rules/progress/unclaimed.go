package progress

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// unclaimedSince returns when a run found the member eligible for a reward that was not claimed yet; 0 if there is no
// such reward. When members join a group, their eligibility becomes that of the group, which claims it once. Until
// then, the members' own rows still show the eligibility that each had before.
func (s *State) unclaimedSince() int64 {
	if s.Progress == nil || s.EligibleAt == nil {
		return 0
	}
	return *s.EligibleAt
}

// takeBackUnclaimed decides who keeps an unclaimed eligibility when the user of this state leaves the group. If the
// group's eligibility is the one that a run found of the user before it joined, the user takes it back, and the group
// gets the latest one of the remaining members whose progress is at least the group's. In any other case, such as after
// a later run that found the whole group eligible, the group keeps its own and the user gets none.
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

// loadRemaining returns, by rule, the states with an unclaimed eligibility of the members who stay with the group.
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
