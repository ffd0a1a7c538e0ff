package minting

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

// assetUpdateColumns are the columns that insertAsset and updateAsset write.
const assetUpdateColumns = `name text, description text, image_url text, animation_url text, metadata text, price bigint,
	loyalty_currency_id uuid, currency_address text, currency_decimals bigint, quantity bigint, unlimited_qty boolean,
	is_listed boolean, is_hidden boolean, is_phygital_item boolean, should_collect_user_info boolean,
	collect_info_type text, listing_starts_at bigint, listing_ends_at bigint, is_allowlisted boolean, token_id bigint,
	updated_at bigint, deleted_at bigint`

// assetColumns are the columns of an asset t with its contract c, without the metadata. The assets of a deleted
// contract count as deleted with it.
const assetColumns = `t.id, t.organization_id, t.website_id, t.minting_contract_id, t.asset_nr, t.name, t.description,
	t.image_url, t.animation_url, t.price, t.loyalty_currency_id, t.currency_address, t.currency_decimals, t.quantity,
	t.unlimited_qty, t.quantity_minted, t.quantity_reserved, t.is_listed, t.is_hidden, t.is_phygital_item,
	t.should_collect_user_info, t.collect_info_type, t.listing_starts_at, t.listing_ends_at, t.is_allowlisted, t.token_id,
	t.revealed_at, t.created_at, t.updated_at, COALESCE(t.deleted_at, c.deleted_at) AS deleted_at`

const (
	fromAssets   = " FROM minting_assets t JOIN minting_contracts c ON c.id = t.minting_contract_id"
	selectAsset  = "SELECT " + assetColumns + ", t.metadata" + fromAssets
	selectAssets = "SELECT " + assetColumns + ", NULL AS metadata" + fromAssets
	liveAsset    = "t.deleted_at IS NULL AND c.deleted_at IS NULL"
)

// selectStock reads the columns that minting needs. The assets of a deleted contract count as deleted with it.
const selectStock = `SELECT t.id, t.organization_id, t.website_id, t.minting_contract_id, t.price, t.loyalty_currency_id,
	t.quantity, t.unlimited_qty, t.quantity_minted, t.quantity_reserved, t.is_listed, t.is_phygital_item,
	t.should_collect_user_info, t.collect_info_type, t.listing_starts_at, t.listing_ends_at, t.is_allowlisted, t.token_id,
	t.currency_address, t.currency_decimals, t.updated_at, COALESCE(t.deleted_at,
	(SELECT c.deleted_at FROM minting_contracts c WHERE c.id = t.minting_contract_id)) AS deleted_at FROM minting_assets t`

// assetRow is the stored form of an asset.
type assetRow struct {
	ID               laurel.ID     `db:"id"`
	OrganizationID   laurel.ID     `db:"organization_id"`
	WebsiteID        laurel.ID     `db:"website_id"`
	ContractID       laurel.ID     `db:"minting_contract_id"`
	Nr               int64         `db:"asset_nr"`
	Name             string        `db:"name"`
	Description      *string       `db:"description"`
	ImageURL         *string       `db:"image_url"`
	AnimationURL     *string       `db:"animation_url"`
	Metadata         *string       `db:"metadata"`
	Price            laurel.Amount `db:"price"`
	CurrencyID       laurel.ID     `db:"loyalty_currency_id"`
	CurrencyAddress  *string       `db:"currency_address"`
	CurrencyDecimals *int64        `db:"currency_decimals"`
	Quantity         int64         `db:"quantity"`
	Unlimited        bool          `db:"unlimited_qty"`
	Minted           int64         `db:"quantity_minted"`
	Reserved         int64         `db:"quantity_reserved"`
	IsListed         bool          `db:"is_listed"`
	IsHidden         bool          `db:"is_hidden"`
	IsPhygital       bool          `db:"is_phygital_item"`
	CollectsUserInfo bool          `db:"should_collect_user_info"`
	CollectInfoType  *string       `db:"collect_info_type"`
	ListingStartsAt  *int64        `db:"listing_starts_at"`
	ListingEndsAt    *int64        `db:"listing_ends_at"`
	IsAllowlisted    bool          `db:"is_allowlisted"`
	TokenID          *int64        `db:"token_id"`
	RevealedAt       *int64        `db:"revealed_at"`
	CreatedAt        int64         `db:"created_at"`
	UpdatedAt        int64         `db:"updated_at"`
	DeletedAt        *int64        `db:"deleted_at"`
}

// asset decodes the row.
func (r assetRow) asset() Asset {
	a := Asset{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, ContractID: r.ContractID, Nr: r.Nr,
		Name: r.Name, Description: r.Description, ImageURL: r.ImageURL, AnimationURL: r.AnimationURL, Price: r.Price,
		CurrencyID: r.CurrencyID, CurrencyAddress: r.CurrencyAddress, CurrencyDecimals: r.CurrencyDecimals,
		Quantity: r.Quantity, Unlimited: r.Unlimited, Minted: r.Minted, Reserved: r.Reserved, IsListed: r.IsListed,
		IsHidden: r.IsHidden, IsPhygital: r.IsPhygital, CollectsUserInfo: r.CollectsUserInfo,
		CollectInfoType: r.CollectInfoType,
		ListingStartsAt: timeOrNil(r.ListingStartsAt), ListingEndsAt: timeOrNil(r.ListingEndsAt),
		IsAllowlisted: r.IsAllowlisted, TokenID: r.TokenID, RevealedAt: timeOrZero(r.RevealedAt),
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt), DeletedAt: timeOrZero(r.DeletedAt),
	}
	if r.Metadata != nil {
		a.Metadata = json.RawMessage(*r.Metadata)
	}
	return a
}

func timeOrNil(at *int64) *time.Time {
	if at == nil {
		return nil
	}
	t := store.Time(*at)
	return &t
}

func timeOrZero(at *int64) time.Time {
	if at == nil {
		return time.Time{}
	}
	return store.Time(*at)
}

var updateStock = store.Update{
	Table: "minting_assets",
	Keys:  store.Columns("id uuid"),
	Set:   store.Columns("quantity_minted bigint, quantity_reserved bigint, updated_at bigint"),
}

// saveStock writes the stock of locked assets. Works change nothing else of an asset.
func saveStock(ctx context.Context, tx *store.Tx, rows []*assetRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.ID, r.Minted, r.Reserved, r.UpdatedAt}
	}
	_, err := tx.UpdateRows(ctx, updateStock, values)
	return err
}

// updateValues returns the values of assetUpdateColumns, in their order.
func (a Asset) updateValues() []any {
	var metadata any
	if a.Metadata != nil {
		metadata = string(a.Metadata)
	}
	return []any{
		a.Name, store.OrNull(a.Description), store.OrNull(a.ImageURL), store.OrNull(a.AnimationURL), metadata, a.Price,
		a.CurrencyID, store.OrNull(a.CurrencyAddress), store.OrNull(a.CurrencyDecimals), a.Quantity, a.Unlimited,
		a.IsListed, a.IsHidden, a.IsPhygital, a.CollectsUserInfo, store.OrNull(a.CollectInfoType),
		microsOf(a.ListingStartsAt), microsOf(a.ListingEndsAt), a.IsAllowlisted, store.OrNull(a.TokenID),
		store.Micros(a.UpdatedAt), orNull(a.DeletedAt),
	}
}

// insertAsset writes a new asset.
func insertAsset(ctx context.Context, tx *store.Tx, a Asset) error {
	_, err := tx.InsertRows(ctx, store.Insert{
		Table: "minting_assets",
		Columns: store.Columns("id uuid, organization_id uuid, website_id uuid, minting_contract_id uuid, asset_nr bigint, " +
			"quantity_minted bigint, quantity_reserved bigint, created_at bigint, " + assetUpdateColumns),
	}, [][]any{append(
		[]any{a.ID, a.OrganizationID, a.WebsiteID, a.ContractID, a.Nr, 0, 0, store.Micros(a.CreatedAt)},
		a.updateValues()...)})
	return err
}

// updateAsset writes a locked asset without its stock.
func updateAsset(ctx context.Context, tx *store.Tx, a Asset) error {
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "minting_assets", Keys: store.Columns("id uuid"), Set: store.Columns(assetUpdateColumns),
	}, [][]any{append([]any{a.ID}, a.updateValues()...)})
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

// readAsset reads a live asset of the scope with its metadata. Errors: NotFound "Asset".
func readAsset(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Asset, error) {
	w := whereAsset(scope, id)
	var r assetRow
	err := q.Get(ctx, &r, selectAsset+w.String(), w.Args...)
	if store.IsNoRows(err) {
		err = errNoAsset()
	}
	return r.asset(), err
}

// lockAsset reads a live asset of the scope with its metadata and locks its row. Errors: NotFound "Asset".
func lockAsset(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (r assetRow, err error) {
	w := whereAsset(scope, id)
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " OF t" // only the asset: its contract is joined, and stays unlocked
	}
	err = tx.Get(ctx, &r, selectAsset+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		err = errNoAsset()
	}
	return r, err
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
) (laurel.Page[assetRow], error) {
	none := laurel.PageOf[assetRow](nil, page.Limit)
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
	query, direction := selectAssets, " DESC"
	if f.WithMetadata {
		query = selectAsset
	}
	if f.Ascending {
		direction = " ASC"
	}
	return store.SelectPage[assetRow](
		ctx, db, page.Limit, query+w.String()+" ORDER BY "+sortBy+direction+", t.id"+direction, w.Args...)
}
