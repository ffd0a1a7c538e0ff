package completions

import (
	"context"

	"laurel"
	"laurel/internal/chains"
	"laurel/internal/conditions"
	"laurel/internal/identity"
	"laurel/internal/rules"
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
	of, err := s.standings(ctx, w.scope, &w.rule, []identity.Person{w.person})
	if err == nil {
		w.known.Chains = of[0]
	}
	return err
}

// standings answers how far each of the people is with the chains of the rule.
func (s *Service) standings(ctx context.Context, scope laurel.Scope, rule *rules.Rule, people []identity.Person) ([][]conditions.Standing, error) {
	out := make([][]conditions.Standing, len(people))
	if !rule.Chained {
		return out, nil
	}
	list, err := s.chains.Of(ctx, scope, rule.ID, rule.Version)
	if err != nil {
		return nil, err
	}
	known, err := s.Facts(ctx, scope, people, chains.Conditions(list))
	for i := range known {
		out[i] = chains.Standings(list, known[i])
	}
	return out, err
}

// Facts gathers what conditions are judged by, as it is now, of each of the people: what it, or its group, completed, what it and its group hold, and its own
// rank.
func (s *Service) Facts(ctx context.Context, scope laurel.Scope, people []identity.Person, list []conditions.Condition) ([]conditions.Known, error) {
	names := conditions.Names(list)
	inside, err := s.rules.Sections(ctx, s.db, scope, names.Sections)
	if err != nil {
		return nil, err
	}
	asked := names.Rules
	for _, of := range inside {
		asked = append(asked, of...)
	}
	live, err := s.rules.LiveAmong(ctx, s.db, scope, asked)
	if err != nil {
		return nil, err
	}
	subjects, holders := make([]laurel.ID, len(people)), []laurel.ID{}
	for i, p := range people {
		subjects[i] = p.Subject()
		if len(names.Balances) > 0 {
			holders = append(holders, spenders(p)...)
		}
	}
	completed, err := completedBy(ctx, s.db, subjects, live)
	if err != nil {
		return nil, err
	}
	held, err := s.ledger.Holdings(ctx, scope, holders, names.Balances)
	if err != nil {
		return nil, err
	}
	known := make([]conditions.Known, len(people))
	for i, p := range people {
		known[i] = conditions.Known{Completions: completed[p.Subject()], Sections: inside, Balances: map[laurel.ID]laurel.Amount{}}
		for _, currency := range names.Balances {
			known[i].Balances[currency] = held.Sum(currency, spenders(p))
		}
		if known[i].Ranks, err = s.ranks(ctx, scope, p.UserID, names.Ranks); err != nil {
			return nil, err
		}
	}
	return known, nil
}

func (s *Service) ranks(ctx context.Context, scope laurel.Scope, user laurel.ID, currencies []laurel.ID) (map[laurel.ID]int, error) {
	out := map[laurel.ID]int{}
	for _, currency := range currencies {
		rank, err := s.ledger.Place(ctx, scope, user, currency)
		if err != nil {
			return nil, err
		}
		out[currency] = rank.Place
	}
	return out, nil
}
