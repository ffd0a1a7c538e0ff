package awards

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
)

// verdict is the progress of a member toward a badge that it does not have.
type verdict struct {
	badges.MemberProgress
	isEarned    bool // all conditions hold
	hasProgress bool // the member has done a part of it
	hasChanged  bool // it differs from the stored progress
}

// gatherFacts returns the facts about each person, in the order of people, that the conditions of the badges need.
// OnLists of the facts has the list conditions whose lists have the person's wallet.
func (s *Service) gatherFacts(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
	people []identity.Person,
) ([]conditions.Facts, error) {
	var all []conditions.Condition
	var badgesWithLists []laurel.ID
	for _, b := range list {
		all = append(all, b.Conditions...)
		if _, has := firstListCondition(b); has {
			badgesWithLists = append(badgesWithLists, b.ID)
		}
	}
	facts, err := s.Chains.GatherFacts(ctx, scope, people, all)
	if err != nil || len(badgesWithLists) == 0 {
		return facts, err
	}
	var wallets []string
	for _, p := range people {
		if p.Wallet != "" {
			wallets = append(wallets, p.Wallet)
		}
	}
	listing, err := s.Lists.FindConditionsByWallets(ctx, scope, badgesWithLists, wallets)
	for i, p := range people {
		facts[i].OnLists = map[laurel.ID]bool{}
		for _, condition := range listing[p.Wallet] {
			facts[i].OnLists[condition] = true
		}
	}
	return facts, err
}

// firstListCondition returns the first condition of a badge that has lists, and false if the badge has none.
func firstListCondition(b badges.Badge) (conditions.Condition, bool) {
	return firstOfType(b, conditions.TypeCSV)
}

// firstOfType returns the first condition of a type of a badge, and false if the badge has none.
func firstOfType(b badges.Badge, kind conditions.Type) (conditions.Condition, bool) {
	for _, c := range b.Conditions {
		if c.Type == kind {
			return c, true
		}
	}
	return conditions.Condition{}, false
}

// statesOf returns the state of each condition of a badge by the facts about a member.
func statesOf(b badges.Badge, facts conditions.Facts) []conditions.State {
	states := make([]conditions.State, len(b.Conditions))
	for i, c := range b.Conditions {
		states[i] = c.Judge(facts, laurel.ID{})
	}
	return states
}

// judgeBatch holds badges and people to judge. A person is judged only for the badges that concern it.
type judgeBatch struct {
	badges   []badges.Badge
	people   []identity.Person
	concerns func(badge, user laurel.ID) bool
}

// judge decides, from the facts as they are now, who has earned which badge. It returns a verdict for each pair of a
// badge and a person for which j.concerns is true. It leaves out blocked members, and pairs in which the badge is
// granted already or was revoked. A user who is not a member yet is judged as a member without anything.
func (s *Service) judge(ctx context.Context, scope laurel.Scope, j judgeBatch) ([]verdict, error) {
	people := j.people[:0:0]
	for _, p := range j.people {
		if !p.Blocked {
			people = append(people, p)
		}
	}
	if len(people) == 0 || len(j.badges) == 0 {
		return nil, nil
	}
	facts, err := s.gatherFacts(ctx, scope, j.badges, people)
	if err != nil {
		return nil, err
	}
	var out []verdict
	var pairs []badges.BadgeAndUser
	for _, b := range j.badges {
		for i, p := range people {
			if j.concerns(b.ID, p.UserID) {
				out = append(out, newVerdict(b, p.UserID, statesOf(b, facts[i])))
				pairs = append(pairs, badges.BadgeAndUser{Badge: b.ID, User: p.UserID})
			}
		}
	}
	stored, err := s.Badges.FindBadgeUsers(ctx, scope, pairs)
	if err != nil {
		return nil, err
	}
	open := out[:0]
	for i, v := range out {
		before, isStored := stored[pairs[i]]
		if isStored && before.Status != badges.Inactive {
			continue
		}
		v.hasChanged = !isStored || isWorthSaving(before.Progress, v.States)
		open = append(open, v)
	}
	return open, nil
}

// newVerdict makes a verdict about a user from the states of a badge's conditions. A badge without conditions is never
// earned. A rank alone is no progress, as every member has one.
func newVerdict(b badges.Badge, user laurel.ID, states []conditions.State) verdict {
	progress := badges.MemberProgress{BadgeID: b.ID, UserID: user, States: states}
	v := verdict{MemberProgress: progress, isEarned: len(states) > 0}
	for _, s := range states {
		v.isEarned = v.isEarned && s.Complete
		v.hasProgress = v.hasProgress || s.Complete || s.Type != conditions.TypeLevel && s.Current > 0
	}
	return v
}

// isWorthSaving reports whether progress has changed visibly: the percentage, or which conditions are complete. Every
// payment changes a balance, but few payments change what members see.
func isWorthSaving(before, now []conditions.State) bool {
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
