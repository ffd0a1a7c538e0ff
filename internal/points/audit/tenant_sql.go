package audit

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// OwnsEntry reports whether the scope owns an entry of the ledger.
func (s *Service) OwnsEntry(ctx context.Context, scope laurel.Scope, entry laurel.ID) (bool, error) {
	found, err := ownedIDs(ctx, s.db, scope, "loyalty_transaction_entries", []laurel.ID{entry})
	return found[entry], err
}

// DiscrepanciesOf returns the discrepancies of the list that concern the scope's organization, in their order. A
// deleted entry concerns the organization whose blocks list it.
func (s *Service) DiscrepanciesOf(ctx context.Context, scope laurel.Scope, list []Discrepancy) ([]Discrepancy, error) {
	scope = scope.At(laurel.ID{}) // all websites of the organization
	var entries, accounts, transactions []laurel.ID
	for _, d := range list {
		entries, accounts = append(entries, d.EntryID), append(accounts, d.AccountID)
		transactions = append(transactions, d.TransactionID)
	}
	owned := map[laurel.ID]bool{scope.OrganizationID: true}
	for _, rows := range []struct {
		table string
		ids   []laurel.ID
	}{
		{"loyalty_transaction_entries", entries}, {"loyalty_accounts", accounts}, {"loyalty_transactions", transactions},
	} {
		found, err := ownedIDs(ctx, s.db, scope, rows.table, rows.ids)
		if err != nil {
			return nil, err
		}
		for id := range found {
			owned[id] = true
		}
	}
	entries = slices.DeleteFunc(entries, laurel.ID.IsZero)
	slices.SortFunc(entries, laurel.ID.Compare)
	sealed, err := findSealed(ctx, s.db, scope.OrganizationID, slices.Compact(entries))
	if err != nil {
		return nil, err
	}
	var out []Discrepancy
	for _, d := range list {
		if owned[d.OrganizationID] || owned[d.AccountID] || owned[d.EntryID] || owned[d.TransactionID] || sealed[d.EntryID] {
			out = append(out, d)
		}
	}
	return out, nil
}

// ownedIDs returns which of the ids are those of rows in the table that the scope owns; zero ids are ignored.
func ownedIDs(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	table string,
	ids []laurel.ID,
) (map[laurel.ID]bool, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), laurel.ID.IsZero)
	found, err := store.SelectByIDs[laurel.ID](ctx, q, "id", ids, func(w *store.Where) string {
		w.Tenant("", scope)
		return "SELECT id FROM " + table + w.String()
	})
	out := map[laurel.ID]bool{}
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 500
