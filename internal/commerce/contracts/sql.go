package contracts

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	table      = store.NewRecords[Contract]("contracts", "Contract")
	withoutABI = table.Without("abi") // most lists do not need it
)

// onConflict leaves a contract out if the website has a live one with the same address and chain.
const onConflict = "ON CONFLICT (website_id, address, COALESCE(chain_id, -1)) WHERE deleted_at IS NULL DO NOTHING"

// list returns a page of live contracts, newest first. A deleted contract still works as a cursor. Errors: Invalid for
// an unknown cursor.
func list(
	ctx context.Context, q store.Queryer, scope laurel.Scope, filter Filter, page laurel.PageRequest,
) (laurel.Page[Contract], error) {
	w := store.Live(scope)
	if !filter.ID.IsZero() {
		w.Add("id = ?", filter.ID)
	}
	if filter.Search != "" {
		names := store.TextSearch{Table: "contracts", Text: "COALESCE(name, '') || ' ' || COALESCE(address, '')"}
		if err := names.AddContains(ctx, q, w, filter.Search); err != nil {
			return laurel.Page[Contract]{}, err
		}
	}
	records := table
	if filter.WithoutABI {
		records = withoutABI
	}
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return records.Page(ctx, q, order, page)
}

// selectByID returns contracts of the organization, keyed by id, deleted ones too, without their ABIs. Unknown ids are
// left out.
func selectByID(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]Contract, error) {
	out := make(map[laurel.ID]Contract, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Add(q.Engine().NoIndexPrefix()+"organization_id = ?", scope.OrganizationID)
	found, err := withoutABI.Select(ctx, q, &w, "")
	for _, c := range found {
		out[c.ID] = c
	}
	return out, err
}

// selectAddresses returns the addresses of live contracts on a chain, those with the ids or all.
func selectAddresses(
	ctx context.Context, q store.Queryer, scope laurel.Scope, chainID int64, ids []laurel.ID,
) (out []string, err error) {
	w := store.Live(scope).With("chain_id = ?", chainID)
	store.In(w, "id", ids)
	err = q.Select(ctx, &out, "SELECT address FROM contracts"+w.String()+" ORDER BY address", w.Args...)
	return out, err
}

// LiveAmong returns those of the contracts that belong to the scope and are not deleted.
func LiveAmong(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "contracts", ids)
}
