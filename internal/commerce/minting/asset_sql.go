package minting

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// fromAssets is the FROM clause of joinedAssets.
const fromAssets = " FROM minting_assets t " + joinContracts

const (
	joinContracts = "JOIN minting_contracts c ON c.id = t.minting_contract_id"
	liveAsset     = "t.deleted_at IS NULL AND c.deleted_at IS NULL"
)

var (
	assetTable = store.NewRecords[Asset]("minting_assets", "Asset")
	// joinedAssets reads assets t with their contracts c. The assets of a deleted contract count as deleted with it.
	joinedAssets    = assetTable.As("t", joinContracts).Computing("deleted_at", "COALESCE(t.deleted_at, c.deleted_at)")
	withoutMetadata = joinedAssets.Without("metadata")
)

// selectStock reads the columns that minting needs. The assets of a deleted contract count as deleted with it.
const selectStock = `SELECT t.id, t.organization_id, t.website_id, t.minting_contract_id, t.price, t.loyalty_currency_id,
	t.quantity, t.unlimited_qty, t.quantity_minted, t.quantity_reserved, t.is_listed, t.is_phygital_item,
	t.should_collect_user_info, t.collect_info_type, t.listing_starts_at, t.listing_ends_at, t.is_allowlisted, t.token_id,
	t.currency_address, t.currency_decimals, t.updated_at, COALESCE(t.deleted_at,
	(SELECT c.deleted_at FROM minting_contracts c WHERE c.id = t.minting_contract_id)) AS deleted_at FROM minting_assets t`

var updateStock = store.Update{
	Table: "minting_assets",
	Keys:  store.Columns("id uuid"),
	Set:   store.Columns("quantity_minted bigint, quantity_reserved bigint, updated_at bigint"),
}

// saveStock writes the stock of locked assets. Works change nothing else of an asset.
func saveStock(ctx context.Context, tx *store.Tx, rows []*Asset) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.ID, r.Minted, r.Reserved, r.UpdatedAt}
	}
	_, err := tx.UpdateRows(ctx, updateStock, values)
	return err
}

// nextAssetNumber takes the next asset number of a contract, which is locked: 1, 2 and so on.
func nextAssetNumber(ctx context.Context, tx *store.Tx, contract laurel.ID) (nr int64, err error) {
	err = tx.Get(ctx, &nr,
		"UPDATE minting_contracts SET next_asset_nr = next_asset_nr + 1 WHERE id = ? RETURNING next_asset_nr - 1", contract)
	return nr, err
}

func whereAsset(scope laurel.Scope, id laurel.ID) *store.Where {
	w := &store.Where{}
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	w.Add(liveAsset)
	return w
}

// lockAsset reads a live asset of the scope with its metadata and locks its row. Errors: NotFound "Asset".
func lockAsset(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Asset, error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " OF t" // only the asset: its contract is joined, and stays unlocked
	}
	return joinedAssets.Get(ctx, tx, whereAsset(scope, id), lock)
}

// lockLiveAssets returns the ids of a contract's live assets and locks their rows. The contract is locked, so no assets
// can be added.
func lockLiveAssets(ctx context.Context, tx *store.Tx, c Contract) (ids []laurel.ID, err error) {
	err = tx.Select(ctx, &ids, `SELECT id FROM minting_assets WHERE minting_contract_id = ? AND organization_id = ?
		AND deleted_at IS NULL ORDER BY id`+tx.ForUpdate(), c.ID, c.OrganizationID)
	return ids, err
}

// sortExpression returns the SQL expression that the list is sorted by. Without a SortBy it is the time of creation.
func (f AssetFilter) sortExpression() string {
	switch f.SortBy {
	case ByPrice:
		return "t.price"
	case ByStartsAt:
		return "COALESCE(t.listing_starts_at, 0)"
	case ByNr:
		return "t.asset_nr"
	}
	return "t.created_at"
}

// addConditions adds the conditions of the filter to a WHERE clause. now is a time in microseconds.
func (f AssetFilter) addConditions(w *store.Where, now int64) {
	store.In(w, "t.id", f.IDs)
	store.In(w, "t.minting_contract_id", f.ContractIDs)
	store.In(w, "t.token_id", f.TokenIDs)
	if f.Address != "" {
		w.Add("c.address = ?", f.Address)
	}
	if f.Network != "" {
		w.Add("c.network = ?", f.Network)
	}
	if f.Native != nil && *f.Native {
		w.Add("t.loyalty_currency_id IS NULL")
	} else if f.Native != nil {
		w.Add("t.loyalty_currency_id IS NOT NULL")
	}
	if f.Listed != nil {
		w.Add("t.is_listed = ?", *f.Listed)
	}
	if !f.WithHidden {
		w.Add("NOT t.is_hidden")
	}
	if !f.WithDeleted {
		w.Add(liveAsset)
	}
	if f.Active {
		w.Add("t.is_listed AND c.is_listed AND COALESCE(t.listing_starts_at, 0) <= ?", now)
		w.Add("(t.listing_ends_at IS NULL OR t.listing_ends_at > ?)", now)
	}
	if f.Past {
		w.Add("t.listing_ends_at <= ?", now)
	}
	if len(f.MintedBy) > 0 {
		var m store.Where
		m.Add("m.minting_asset_id = t.id AND m.website_id = t.website_id AND m.status = '" + Minted + "'")
		store.In(&m, "m.wallet_address", f.MintedBy)
		w.Add("EXISTS (SELECT 1 FROM minting_mints m"+m.String()+")", m.Args...)
	}
}

// listAssets reads a page of the assets that meet the filter. They are sorted by its SortBy, in descending order unless
// it is Ascending. Errors: Invalid for an unknown cursor.
func listAssets(
	ctx context.Context, db *store.DB, scope laurel.Scope, f AssetFilter, page laurel.PageRequest,
) (laurel.Page[Asset], error) {
	none := laurel.PageOf[Asset](nil, page.Limit)
	var w store.Where
	w.Tenant("t.", scope)
	sortBy := f.sortExpression()
	if !page.StartingAfter.IsZero() {
		var at int64
		err := db.Get(ctx, &at, "SELECT "+sortBy+" FROM minting_assets t"+w.String()+" AND t.id = ?",
			append(w.Args, page.StartingAfter)...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After(sortBy, "t.id", !f.Ascending, at, page.StartingAfter)
	}
	f.addConditions(&w, store.Micros(db.Now()))
	records, direction := withoutMetadata, " DESC"
	if f.WithMetadata {
		records = joinedAssets
	}
	if f.Ascending {
		direction = " ASC"
	}
	return store.SelectPage[Asset](
		ctx, db, page.Limit, records.Query()+w.String()+" ORDER BY "+sortBy+direction+", t.id"+direction, w.Args...)
}
