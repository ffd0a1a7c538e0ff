package claims

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var table = store.NewRecords[TokenClaim]("token_claims", "Token claim")

// visibleClaims returns the conditions for the live token claims that a caller may see: drafts are hidden from some.
func visibleClaims(scope laurel.Scope) *store.Where {
	w := store.Live(scope)
	if hidesDrafts(scope) {
		w.Add("NOT is_draft")
	}
	return w
}

// find reads a live token claim that the caller may see. lock is a clause such as tx.ForUpdate(), or "" for none.
// Errors: NotFound "Token claim".
func find(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string) (TokenClaim, error) {
	return table.Get(ctx, q, visibleClaims(scope).With("id = ?", id), lock)
}

// findClaimsByID reads token claims of the organization by their ids, deleted ones too. Unknown ids are left out.
func findClaimsByID(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]TokenClaim, error) {
	out := make(map[laurel.ID]TokenClaim, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Add(q.Engine().NoIndexPrefix()+"organization_id = ?", scope.OrganizationID)
	found, err := table.Select(ctx, q, &w, "")
	for _, c := range found {
		out[c.ID] = c
	}
	return out, err
}

// list reads a page of the live token claims that the caller may see, newest first, of one contract or, if contract
// is zero, of all. Errors: Invalid for an unknown cursor.
func list(
	ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID, page laurel.PageRequest,
) (laurel.Page[TokenClaim], error) {
	w := visibleClaims(scope)
	if !contract.IsZero() {
		w.Add("contract_id = ?", contract)
	}
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return table.Page(ctx, q, order, page) // a deleted token claim still works as a cursor
}

func usesContract(ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID) (bool, error) {
	var n int
	err := q.Get(ctx, &n, `SELECT COUNT(*) FROM token_claims WHERE contract_id = ? AND organization_id = ?
		AND deleted_at IS NULL`, contract, scope.OrganizationID)
	return n > 0, err
}
