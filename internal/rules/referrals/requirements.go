package referrals

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// defaultProfileFields make a complete profile if the rule lists no fields.
var defaultProfileFields = []string{"displayName", "bio", "logoUrl"}

// refereeFacts holds what the requirements depend on. The wallets of a group are one person: connections and points of
// one member count for all.
type refereeFacts struct {
	identity.PersonProfile
	balance laurel.Amount // in the currency of the points requirement
}

// meetsRequirements reports whether a referee meets the requirements. It is pure.
func meetsRequirements(r schema.ReferralRequirements, facts refereeFacts) bool {
	fields := facts.FilledFields()
	hasEmail := slices.ContainsFunc(
		facts.Members,
		func(c identity.Connections) bool { _, verified := c.Email(); return verified },
	)
	switch {
	case r.Points != nil && (facts.balance < r.Points.Amount || facts.balance <= 0),
		r.ConnectEmail && !hasEmail,
		r.ConnectMicroblog && !slices.Contains(fields, "microblog"),
		r.ConnectChatServer && !slices.Contains(fields, "chat_server"):
		return false
	}
	if !r.CompleteProfile {
		return true
	}
	wanted := slices.Collect(maps.Keys(r.Profile))
	if len(wanted) == 0 {
		wanted = defaultProfileFields
	}
	return !slices.ContainsFunc(wanted, func(name string) bool { return !slices.Contains(fields, name) })
}

// readRefereeFacts reads the facts that the rule's requirements need, and no others.
func (s *Service) readRefereeFacts(
	ctx context.Context,
	scope laurel.Scope,
	rule catalog.Rule,
	referee identity.Person,
) (refereeFacts, error) {
	r := rule.Referral().Requirements
	people := referee.Group
	if len(people) == 0 {
		people = []laurel.ID{referee.UserID}
	}
	var out refereeFacts
	if r.Points != nil {
		currency := r.Points.CurrencyID
		if currency == nil {
			currency = rule.LoyaltyCurrencyID
		}
		if currency != nil {
			balances, err := s.Ledger.PublicBalances(ctx, s.DB, scope, *currency, people)
			if err != nil {
				return out, err
			}
			for _, amount := range balances {
				out.balance += min(amount, laurel.MaxAmount-out.balance)
			}
		}
	}
	if r.CompleteProfile || r.ConnectEmail || r.ConnectMicroblog || r.ConnectChatServer {
		connections, err := s.People.PersonProfile(ctx, scope, referee)
		if err != nil {
			return out, err
		}
		out.PersonProfile = connections
	}
	return out, nil
}
