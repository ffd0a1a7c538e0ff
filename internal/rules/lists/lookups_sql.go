package lists

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// keyedRow is a wallet or token of a list with its amount.
type keyedRow struct {
	Key    string         `db:"k"`
	Amount *laurel.Amount `db:"amount"`
}

func (r keyedRow) toMember() Member { return Member{Wallet: r.Key, Amount: r.Amount} }

const selectAllotment = `SELECT a.wallet_address AS k, a.amount FROM list_sources s JOIN allotments a ON a.import_id = s.current_import_id`

// selectMembers reads which of the wallets are in the current import of a list.
func selectMembers(ctx context.Context, q store.Queryer, list Key, wallets []string) ([]keyedRow, error) {
	var w store.Where
	w.Add("s.owner_id = ? AND s.kind = ?", list.Owner, list.kind())
	store.In(&w, "a.wallet_address", wallets)
	var rows []keyedRow
	err := q.Select(ctx, &rows, selectAllotment+w.String(), w.Args...)
	return rows, err
}

// selectMemberPage reads a page of the members of a rule's list, ordered by wallet.
func selectMemberPage(
	ctx context.Context, q store.Queryer, scope laurel.Scope, after Key, limit int,
) ([]keyedRow, error) {
	var rows []keyedRow
	err := q.Select(
		ctx,
		&rows,
		selectAllotment+" WHERE s.owner_id = ? AND s.kind = 'allotment' AND s.organization_id = ? AND s.website_id = ? AND a.wallet_address > ? ORDER BY a.wallet_address LIMIT ?",
		after.Owner,
		scope.OrganizationID,
		scope.WebsiteID,
		after.Wallet,
		limit,
	)
	return rows, err
}

// selectOwnersByWallets reads the owners with a list that contains one of the wallets. For rules only lists of kind
// Allotment count; for badges all lists do.
func selectOwnersByWallets(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	owner string,
	wallets []string,
) ([]laurel.ID, error) {
	var inner, outer store.Where
	inner.Add("a.import_id = s.current_import_id")
	store.In(&inner, "a.wallet_address", wallets)
	outer.Add("s.owner = ?", owner)
	if owner == OwnerRule {
		outer.Add("s.kind = 'allotment'")
	}
	outer.Tenant("s.", scope)
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT s.owner_id FROM list_sources s"+outer.String()+" AND EXISTS (SELECT 1 FROM allotments a"+inner.String()+")",
		append(outer.Args, inner.Args...)...)
	return ids, err
}

// selectTokenRewards reads the rewards of tokens from the current import of a rule's list.
func selectTokenRewards(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	tokens []string,
) ([]keyedRow, error) {
	var w store.Where
	w.Add("s.owner_id = ? AND s.kind = 'rewards'", rule)
	w.Tenant("s.", scope)
	store.In(&w, "r.token_id", tokens)
	var rows []keyedRow
	err := q.Select(
		ctx,
		&rows,
		"SELECT r.token_id AS k, r.amount FROM list_sources s JOIN token_rewards r ON r.import_id = s.current_import_id"+w.String(),
		w.Args...)
	return rows, err
}
