package chains

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Table has the statements of chains, also for joins elsewhere.
var Table = store.NewRecords[Chain]("rule_chains", "Rule chain")

// live returns the condition for live chains of the scope.
func live(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Tenant("", scope)
	return w.With("deleted_at IS NULL")
}

// byID returns the condition for one live chain of the scope.
func byID(scope laurel.Scope, id laurel.ID) *store.Where { return live(scope).With("id = ?", id) }

// maxRulesPerQuery bounds the rules of one query.
const maxRulesPerQuery = 512

// OfRules returns the chains of the rules with these ids, without deleted chains. The chains of one rule are ordered
// oldest first.
func OfRules(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]Chain, error) {
	var out []Chain
	for chunk := range slices.Chunk(ids, maxRulesPerQuery) {
		w := live(scope)
		store.In(w, "loyalty_rule_id", chunk)
		list, err := Table.Select(ctx, q, w, "created_at, id")
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}
