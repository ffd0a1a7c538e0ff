package completion

import (
	"context"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
)

// Holding returns for each user whether what the rule asks of members holds for it as of now (contract 5.5). It reads
// without locks: what changes meanwhile happened afterwards.
func (s *Service) Holding(
	ctx context.Context,
	scope laurel.Scope,
	rule catalog.Current,
	users []laurel.ID,
) ([]bool, error) {
	refs := make([]identity.Ref, len(users))
	for i, u := range users {
		refs[i] = identity.Ref{UserID: u}
	}
	people, err := s.people.ResolveMany(ctx, s.db, scope, refs)
	if err != nil {
		return nil, err
	}
	standings, err := s.chains.Standings(ctx, scope, *rule.Rule, people)
	if err != nil {
		return nil, err
	}
	var parts []part
	if byList(rule.Rule) {
		parts = append(parts, allotted{Service: s})
	}
	if asksStanding(rule.Rule) {
		parts = append(parts, standing{Service: s})
	}
	fed := &Occasion{By: decision.ByRun, At: s.db.Now()} // nobody's call: what a run found is not asked for again
	p := &Prepared{works: make([]*completion, len(people))}
	for i, person := range people {
		p.works[i] = &completion{service: s, scope: scope, rule: *rule.Rule, person: person, parts: parts, fed: fed}
		p.works[i].known.Chains = standings[i]
	}
	holds, at := make([]bool, len(people)), make(map[*completion]int, len(people))
	for i, w := range p.works {
		at[w] = i
	}
	err = p.each(func(w *completion) (err error) {
		holds[at[w]], err = w.meets(ctx)
		return err
	})
	return holds, err
}

func (w *completion) meets(ctx context.Context) (bool, error) {
	for _, p := range w.parts {
		if err := p.ahead(ctx, w); err != nil {
			return false, err
		}
	}
	sub := progress.Subject{}
	if w.rule.TrackProgress {
		var err error
		if sub, err = w.service.reads.subject(ctx, w.subjectKey()); err != nil {
			return false, err
		}
	}
	return decision.Holds(w.facts(&sub, false, true)), nil
}
