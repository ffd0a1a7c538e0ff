package awards

import (
	"context"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
)

// verdict is how far a member is with a badge that it does not have.
type verdict struct {
	badges.MemberProgress
	earned bool // all conditions hold
	begun  bool // something of it is done
	moved  bool // it is not what was written last
}

// facts gathers what the conditions of badges are judged by.
func (s *Service) facts(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
	people []identity.Person,
) ([]conditions.Facts, error) {
	var all []conditions.Condition
	var listing []laurel.ID
	for _, b := range list {
		all = append(all, b.Conditions...)
		if _, has := listed(b); has {
			listing = append(listing, b.ID)
		}
	}
	known, err := s.Chains.Facts(ctx, scope, people, all)
	if err != nil || len(listing) == 0 {
		return known, err
	}
	var wallets []string
	for _, p := range people {
		if p.Wallet != "" {
			wallets = append(wallets, p.Wallet)
		}
	}
	naming, err := s.Lists.ConditionsListing(ctx, scope, listing, wallets)
	for i, p := range people {
		known[i].OnLists = map[laurel.ID]bool{}
		for _, condition := range naming[p.Wallet] {
			known[i].OnLists[condition] = true
		}
	}
	return known, err
}

// listed returns the first condition of a badge that names a list.
func listed(b badges.Badge) (conditions.Condition, bool) { return first(b, conditions.CSV) }

// first returns the first condition of a type.
func first(b badges.Badge, kind conditions.Type) (conditions.Condition, bool) {
	for _, c := range b.Conditions {
		if c.Type == kind {
			return c, true
		}
	}
	return conditions.Condition{}, false
}

func statesOf(b badges.Badge, k conditions.Facts) []conditions.State {
	states := make([]conditions.State, len(b.Conditions))
	for i, c := range b.Conditions {
		states[i] = c.Judge(k, laurel.ID{})
	}
	return states
}

// judging are badges and the people who are judged, each for those badges that concern it.
type judging struct {
	badges   []badges.Badge
	people   []identity.Person
	concerns func(badge, user laurel.ID) bool
}

// judge judges members as they are now. Whoever has a badge, or had it revoked, is left out, and so are members with a
// block mark. A user who is not a member yet is judged as one who has nothing.
func (s *Service) judge(ctx context.Context, scope laurel.Scope, j judging) ([]verdict, error) {
	people := j.people[:0:0]
	for _, p := range j.people {
		if !p.Blocked {
			people = append(people, p)
		}
	}
	if len(people) == 0 || len(j.badges) == 0 {
		return nil, nil
	}
	known, err := s.facts(ctx, scope, j.badges, people)
	if err != nil {
		return nil, err
	}
	var out []verdict
	var pairs []badges.Pair
	for _, b := range j.badges {
		for i, p := range people {
			if j.concerns(b.ID, p.UserID) {
				out = append(out, verdictOn(b, p.UserID, statesOf(b, known[i])))
				pairs = append(pairs, badges.Pair{Badge: b.ID, User: p.UserID})
			}
		}
	}
	kept, err := s.Badges.ReadUsers(ctx, scope, pairs)
	if err != nil {
		return nil, err
	}
	open := out[:0]
	for i, v := range out {
		before, is := kept[pairs[i]]
		if is && before.Status != badges.Inactive {
			continue
		}
		v.moved = !is || differ(before.Progress, v.States)
		open = append(open, v)
	}
	return open, nil
}

func verdictOn(b badges.Badge, user laurel.ID, states []conditions.State) verdict {
	progress := badges.MemberProgress{BadgeID: b.ID, UserID: user, States: states}
	v := verdict{MemberProgress: progress, earned: len(states) > 0}
	for _, s := range states {
		v.earned = v.earned && s.Complete
		v.begun = v.begun || s.Complete || s.Type != conditions.Level && s.Current > 0
	}
	return v
}

// differ reports whether progress is worth writing: the share or what is complete is not the same. Every payment moves
// a balance, and few of them move either.
func differ(before, now []conditions.State) bool {
	if len(before) != len(now) || badges.PercentComplete(before) != badges.PercentComplete(now) {
		return true
	}
	for i := range now {
		if before[i].Complete != now[i].Complete {
			return true
		}
	}
	return false
}
