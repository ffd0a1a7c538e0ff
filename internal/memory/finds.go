package memory

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/store"
)

// find is what waits to be claimed of a rule: a run that looked up to then found the member, or its progress was written then. What was found of members
// before they joined waits with their group as one claim; each one's own row tells what it brought until the group claims it.
type find struct {
	rule laurel.ID
	at   int64 // 0: nothing waits
}

func (s *Subject) find() find {
	if s.Progress == nil || s.FoundAt == nil {
		return find{}
	}
	return find{s.RuleID, *s.FoundAt}
}

// regain gives a leaver back what a run found of it before it joined, where nobody has claimed that: then the group has it no more, unless the same run found
// one of those who stay. Where a later find took its place, it can be claimed nowhere else.
func (s *Subject) regain(group *Subject, stay map[find]bool) {
	own := s.find()
	switch {
	case own.at == 0 || own != group.find():
		s.FoundAt = nil
	case !stay[own]:
		group.FoundAt = nil
	}
}

// finds answers what those brought along who stay with the group.
func (m merge) finds(ctx context.Context, tx *store.Tx) (map[find]bool, error) {
	rest, err := identity.MembersOf(ctx, tx, m.website, m.from)
	if err != nil {
		return nil, err
	}
	out := map[find]bool{}
	for users := range slices.Chunk(rest, forgetChunk) {
		list, err := findsOf(ctx, tx, m.website, users)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			out[s.find()] = true
		}
	}
	return out, nil
}
