package awards

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
)

// TakeBack takes back what a transaction has paid, as far as balances go. It does nothing if that is done already.
type TakeBack func(ctx context.Context, scope laurel.Scope, transaction laurel.ID) error

// Recheck revokes the badges that users have earned by conditions which no longer hold, and takes back what these have
// paid, further badges included (contract 1.11). Badges of rules, and those that were granted by hand, stay. It looks
// at the members of the users' groups, too, and again as long as a revoked badge may have been the condition of
// another. If it fails, calling it again goes on where it ended.
func (s *Service) Recheck(ctx context.Context, scope laurel.Scope, users []laurel.ID, takeBack TakeBack) error {
	scope.Request = nil // the request has had its effect before
	people, err := s.resolveUsers(ctx, scope, users)
	if err != nil {
		return err
	}
	for _, p := range people {
		for _, member := range p.Group {
			if !slices.Contains(users, member) {
				users = append(users, member)
			}
		}
	}
	if people, err = s.resolveUsers(ctx, scope, users); err != nil {
		return err
	}
	people = slices.DeleteFunc(people, func(p identity.Person) bool { return p.Blocked }) // they are not judged
	for {
		lost, err := s.findLost(ctx, scope, people)
		if err != nil || len(lost) == 0 {
			return err
		}
		for _, u := range lost {
			if err := s.revoke(ctx, scope, u, takeBack); err != nil {
				return err
			}
		}
	}
}

// findLost returns the badges that people have earned by conditions which no longer hold.
func (s *Service) findLost(
	ctx context.Context, scope laurel.Scope, people []identity.Person,
) (lost []badges.BadgeUser, err error) {
	users := make([]laurel.ID, len(people))
	for i, p := range people {
		users[i] = p.UserID
	}
	earned, err := s.Badges.ListEarned(ctx, scope, users)
	if err != nil || len(earned) == 0 {
		return nil, err
	}
	var ids []laurel.ID
	for _, u := range earned {
		if !slices.Contains(ids, u.BadgeID) {
			ids = append(ids, u.BadgeID)
		}
	}
	byID, err := s.Badges.ByIDs(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	list := pick(byID, ids)
	facts, err := s.gatherFacts(ctx, scope, list, people)
	if err != nil {
		return nil, err
	}
	for _, u := range earned {
		badge, isLive := byID[u.BadgeID]
		i := slices.Index(users, u.UserID)
		if isLive && !isComplete(statesOf(badge, facts[i])) {
			lost = append(lost, u)
		}
	}
	return lost, nil
}

// isComplete reports whether all conditions hold.
func isComplete(states []conditions.State) bool {
	return !slices.ContainsFunc(states, func(s conditions.State) bool { return !s.Complete })
}

// revoke takes back what a badge has paid to a member, its further badges, and the badge itself. The badge comes last,
// so that an interrupted call is found again.
func (s *Service) revoke(ctx context.Context, scope laurel.Scope, u badges.BadgeUser, takeBack TakeBack) error {
	payment, err := s.Rewards.PaymentOfBadge(ctx, scope, u.BadgeID, u.UserID, u.RewardedAt.Time)
	if err != nil {
		return err
	}
	if !payment.IsZero() {
		if err := takeBack(ctx, scope, payment); err != nil {
			return err
		}
	}
	further, err := s.Badges.ListGrantedWith(ctx, scope, u)
	if err != nil {
		return err
	}
	for _, f := range further {
		if err := s.revoke(ctx, scope, f, takeBack); err != nil {
			return err
		}
	}
	_, err = s.Badges.Revoke(ctx, scope, u.BadgeID, identity.Ref{UserID: u.UserID}, badges.Revoked)
	return err
}
