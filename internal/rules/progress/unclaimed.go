package progress

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/store"
)

// unclaimedSince returns when that was found which waits to be claimed of a rule: a run that looked up to then found
// the member, or its progress was written then; 0: nothing waits. What was found of members before they joined waits
// with their group as one claim; each one's own row tells what it brought until the group claims it.
func (s *State) unclaimedSince() int64 {
	if s.Progress == nil || s.EligibleAt == nil {
		return 0
	}
	return *s.EligibleAt
}

// takeBackUnclaimed gives a leaver back what a run found of it before it joined, where nobody has claimed that. The
// group keeps what was found last of those who stay, by the same run or an earlier one, where their progress is no less
// than its own. A leaver whose find gave way to a later one of the group loses it.
func (s *State) takeBackUnclaimed(group *State, stay []State) {
	if s.unclaimedSince() == 0 || s.unclaimedSince() != group.unclaimedSince() {
		s.EligibleAt = nil
		return
	}
	group.EligibleAt = nil
	for _, mate := range stay {
		if mate.unclaimedSince() != 0 && *mate.Progress >= *group.Progress {
			group.EligibleAt = Later(group.EligibleAt, mate.EligibleAt)
		}
	}
}

// loadRemaining returns the rows of those who stay with the group, by rule.
func (m merge) loadRemaining(ctx context.Context, tx *store.Tx) (map[laurel.ID][]State, error) {
	rest, err := identity.MembersOf(ctx, tx, m.website, m.from)
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
