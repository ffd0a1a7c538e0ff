package catalog

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// thing is what a rule names, wherever it does.
type thing struct {
	kind schema.Thing
	id   laurel.ID
}

// nameThings checks that what the rule names newly is there for its website: badges, functions, subscriptions and
// contracts, and the rules and currencies in its metadata.
func (s *Service) nameThings(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	p, before *schema.Properties,
) error {
	known, missing := map[thing]bool{}, map[schema.Thing][]laurel.ID{}
	for _, n := range before.NamedThings() {
		known[thing{n.Thing, n.ID}] = true
	}
	named := p.NamedThings()
	for _, n := range named {
		if !known[thing{n.Thing, n.ID}] && !slices.Contains(missing[n.Thing], n.ID) {
			missing[n.Thing] = append(missing[n.Thing], n.ID)
		}
	}
	for kind, ids := range missing {
		live, err := s.lookUp(ctx, tx, scope, kind, ids)
		if err != nil {
			return err
		}
		for _, id := range live {
			known[thing{kind, id}] = true
		}
	}
	var f laurel.Faults
	for _, n := range named {
		if !known[thing{n.Thing, n.ID}] {
			f.AddText(n.Path, n.Thing.Label()+" not found")
		}
	}
	return f.Err()
}

// lookUp returns those of the ids that are there.
func (s *Service) lookUp(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	kind schema.Thing,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	switch kind {
	case schema.ACurrency:
		return ledger.LiveCurrencies(ctx, tx, scope, ids)
	case schema.ABadge:
		return badges.LiveAmong(ctx, tx, scope, ids)
	case schema.ARule:
		return s.LiveAmong(ctx, tx, scope, ids)
	case schema.AnyRule: // one at most
		_, err := RuleIn(ctx, tx, scope, ids[0])
		if laurel.CodeOf(err) == laurel.NotFound {
			return nil, nil
		}
		return ids, err
	}
	return s.live[kind](ctx, tx, scope, ids)
}
