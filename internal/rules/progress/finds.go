package progress

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/store"
)

// waits returns when that was found which waits to be claimed of a rule: a run that looked up to then found the member,
// or its progress was written then; 0: nothing waits. What was found of members before they joined waits with their
// group as one claim; each one's own row tells what it brought until the group claims it.
func (s *Subject) waits() int64 {
	if s.Progress == nil || s.FoundAt == nil {
		return 0
	}
	return *s.FoundAt
}

// regain gives a leaver back what a run found of it before it joined, where nobody has claimed that. The group keeps
// what was found last of those who stay, by the same run or an earlier one, where their progress is no less than its
// own. A leaver whose find gave way to a later one of the group loses it.
func (s *Subject) regain(group *Subject, stay []Subject) {
	if s.waits() == 0 || s.waits() != group.waits() {
		s.FoundAt = nil
		return
	}
	group.FoundAt = nil
	for _, mate := range stay {
		if mate.waits() != 0 && *mate.Progress >= *group.Progress {
			group.FoundAt = Later(group.FoundAt, mate.FoundAt)
		}
	}
}

// finds returns the rows of those who stay with the group, by rule.
func (m merge) finds(ctx context.Context, tx *store.Tx) (map[laurel.ID][]Subject, error) {
	rest, err := identity.MembersOf(ctx, tx, m.website, m.from)
	if err != nil {
		return nil, err
	}
	out := map[laurel.ID][]Subject{}
	for users := range slices.Chunk(rest, forgetChunk) {
		list, err := findsOf(ctx, tx, m.website, users)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			out[s.RuleID] = append(out[s.RuleID], s)
		}
	}
	return out, nil
}
