package completions

import (
	"context"

	"laurel"
	"laurel/internal/chains"
	"laurel/internal/conditions"
	"laurel/internal/identity"
)

// chained: conditions must hold before the rule can be completed (contract 5.8). They are looked at without locks: what changes before the commit
// happened at once with the completion, which counts as the earlier one.
type chained struct {
	inert
	*Service
}

func (s chained) ahead(ctx context.Context, w *completion) error {
	if w.in.SkipRequired {
		return nil
	}
	list, err := s.chains.Of(ctx, w.scope, w.rule.ID, w.rule.Version)
	if err != nil {
		return err
	}
	known, err := s.Facts(ctx, w.scope, w.person, chains.Conditions(list))
	w.known.Chains = chains.Standings(list, known)
	return err
}

// Facts gathers what conditions are judged by of a member, as it is now: what it, or its group, completed, what it and its group hold, and its own rank.
func (s *Service) Facts(ctx context.Context, scope laurel.Scope, p identity.Person, list []conditions.Condition) (conditions.Known, error) {
	names := conditions.Names(list)
	known := conditions.Known{Ranks: map[laurel.ID]int{}}
	var err error
	if known.Sections, err = s.rules.Sections(ctx, s.db, scope, names.Sections); err != nil {
		return known, err
	}
	asked := names.Rules
	for _, inside := range known.Sections {
		asked = append(asked, inside...)
	}
	live, err := s.rules.LiveAmong(ctx, s.db, scope, asked)
	if err != nil {
		return known, err
	}
	if known.Completions, err = completedBy(ctx, s.db, p.Subject(), live); err != nil {
		return known, err
	}
	if known.Balances, err = s.ledger.Holdings(ctx, scope, spenders(p), names.Balances); err != nil {
		return known, err
	}
	for _, currency := range names.Ranks {
		rank, err := s.ledger.Place(ctx, scope, p.UserID, currency)
		if err != nil {
			return known, err
		}
		known.Ranks[currency] = rank.Place
	}
	return known, nil
}
