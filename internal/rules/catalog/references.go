package catalog

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// referenceKey identifies a record that a rule refers to.
type referenceKey struct {
	kind schema.ReferenceKind
	id   laurel.ID
}

// checkNamedReferences returns a fault for each record that the properties p newly refer to and that does not exist in
// the rule's website: badges, functions, subscriptions and contracts, and the rules and currencies in the metadata.
// References that the rule had before are not checked again.
func (s *Service) checkNamedReferences(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	p, before *schema.Properties,
) error {
	found, unchecked := map[referenceKey]bool{}, map[schema.ReferenceKind][]laurel.ID{}
	for _, ref := range before.References() {
		found[referenceKey{ref.Kind, ref.ID}] = true
	}
	references := p.References()
	for _, ref := range references {
		if !found[referenceKey{ref.Kind, ref.ID}] && !slices.Contains(unchecked[ref.Kind], ref.ID) {
			unchecked[ref.Kind] = append(unchecked[ref.Kind], ref.ID)
		}
	}
	for kind, ids := range unchecked {
		live, err := s.selectLive(ctx, tx, scope, kind, ids)
		if err != nil {
			return err
		}
		for _, id := range live {
			found[referenceKey{kind, id}] = true
		}
	}
	var f laurel.Faults
	for _, ref := range references {
		if !found[referenceKey{ref.Kind, ref.ID}] {
			f.AddText(ref.Path, ref.Kind.Label()+" not found")
		}
	}
	return f.Err()
}

// selectLive returns the ids of the scope's live records of a kind among those with the given ids. The kind AnyRuleRef
// includes deleted rules.
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
