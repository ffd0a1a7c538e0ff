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

// referenceKey identifies a record that a rule refers to.
type referenceKey struct {
	kind schema.ReferenceKind
	id   laurel.ID
}

// checkNamedReferences returns a fault for each record that the rule newly refers to and that does not exist in its
// website: badges, functions, subscriptions and contracts, and the rules and currencies in its metadata. References
// that the rule had before are not checked again.
func (s *Service) checkNamedReferences(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	p, before *schema.Properties,
) error {
	found, missing := map[referenceKey]bool{}, map[schema.ReferenceKind][]laurel.ID{}
	for _, n := range before.References() {
		found[referenceKey{n.Kind, n.ID}] = true
	}
	references := p.References()
	for _, n := range references {
		if !found[referenceKey{n.Kind, n.ID}] && !slices.Contains(missing[n.Kind], n.ID) {
			missing[n.Kind] = append(missing[n.Kind], n.ID)
		}
	}
	for kind, ids := range missing {
		live, err := s.selectLive(ctx, tx, scope, kind, ids)
		if err != nil {
			return err
		}
		for _, id := range live {
			found[referenceKey{kind, id}] = true
		}
	}
	var f laurel.Faults
	for _, n := range references {
		if !found[referenceKey{n.Kind, n.ID}] {
			f.AddText(n.Path, n.Kind.Label()+" not found")
		}
	}
	return f.Err()
}

// selectLive returns the ids of the records of a kind that exist and are live in the scope.
func (s *Service) selectLive(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	kind schema.ReferenceKind,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	switch kind {
	case schema.CurrencyRef:
		return ledger.LiveCurrencies(ctx, tx, scope, ids)
	case schema.BadgeRef:
		return badges.LiveAmong(ctx, tx, scope, ids)
	case schema.RuleRef:
		return s.LiveAmong(ctx, tx, scope, ids)
	case schema.AnyRuleRef: // a rule has one such reference at most
		_, err := ReadRule(ctx, tx, scope, ids[0])
		if laurel.CodeOf(err) == laurel.NotFound {
			return nil, nil
		}
		return ids, err
	}
	return s.findLive[kind](ctx, tx, scope, ids)
}
