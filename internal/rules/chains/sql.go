package chains

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Table has the statements of chains, also for joins elsewhere.
var Table = store.NewRecords[Chain]("rule_chains", "Rule chain")

// maxRulesPerQuery bounds the rules of one query.
const maxRulesPerQuery = 512

// OfRules returns the chains of the rules with these ids, without deleted chains. The chains of one rule are ordered
// oldest first.
func OfRules(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]Chain, error) {
	var out []Chain
	for chunk := range slices.Chunk(ids, maxRulesPerQuery) {
		w := store.Live(scope)
		store.In(w, "loyalty_rule_id", chunk)
		list, err := Table.Select(ctx, q, w, "created_at, id")
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}
