package referrals

import (
	"context"
	"maps"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

// profileByDefault is a complete profile where the rule does not say what one is.
var profileByDefault = []string{"displayName", "bio", "logoUrl"}

// standing is what the requirements look at of a referee. The wallets of a group are one person: connections and points
// of one count for all.
type standing struct {
	identity.Standing
	balance laurel.Amount // in the currency of the requirement
}

// met reports whether the requirements hold. It is pure.
func met(r schema.ReferralRequirements, s standing) bool {
	fields := s.Fields()
	emailed := slices.ContainsFunc(
		s.Members,
		func(c identity.Connections) bool { _, verified := c.Email(); return verified },
	)
	switch {
	case r.Points != nil && (s.balance < r.Points.Amount || s.balance <= 0),
		r.ConnectEmail && !emailed,
		r.ConnectMicroblog && !slices.Contains(fields, "microblog"),
		r.ConnectChatServer && !slices.Contains(fields, "chat_server"):
		return false
	}
	if !r.CompleteProfile {
		return true
	}
	wanted := slices.Collect(maps.Keys(r.Profile))
	if len(wanted) == 0 {
		wanted = profileByDefault
	}
	return !slices.ContainsFunc(wanted, func(name string) bool { return !slices.Contains(fields, name) })
}

// standing reads what the rule's requirements look at, and nothing where there are none.
func (s *Service) standing(
	ctx context.Context,
	scope laurel.Scope,
	rule catalog.Rule,
	referee identity.Person,
) (standing, error) {
	r := rule.Referral().Requirements
	people := referee.Group
	if len(people) == 0 {
		people = []laurel.ID{referee.UserID}
	}
	var out standing
	if r.Points != nil {
		currency := r.Points.CurrencyID
		if currency == nil {
			currency = rule.LoyaltyCurrencyID
		}
		if currency != nil {
			held, err := s.Ledger.Balances(ctx, s.DB, scope, *currency, people)
			if err != nil {
				return out, err
			}
			for _, amount := range held {
				out.balance += min(amount, laurel.MaxAmount-out.balance)
			}
		}
	}
	if r.CompleteProfile || r.ConnectEmail || r.ConnectMicroblog || r.ConnectChatServer {
		known, err := s.People.Standing(ctx, scope, referee)
		if err != nil {
			return out, err
		}
		out.Standing = known
	}
	return out, nil
}
