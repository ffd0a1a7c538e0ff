package minting

import (
	"context"
	"maps"
	"slices"

	"laurel"
	"laurel/internal/store"
)

const selectAllowEntry = `SELECT t.id, t.minting_asset_id, t.wallet_address, t.total_quantity, t.quantity_minted, t.created_at
	FROM minting_allowlist t`

const selectAllowRow = `SELECT t.minting_asset_id, t.wallet_address, t.total_quantity, t.quantity_minted,
	t.quantity_reserved FROM minting_allowlist t`

const selectCount = "SELECT t.subject_id, t.user_id, t.organization_id, t.website_id, t.quantity FROM minting_counts t"

// upsertAllowEntries writes how many items each wallet may mint of an asset, and returns how many of the wallets are
// new on the allowlist. The caller has locked the asset.
func upsertAllowEntries(
	ctx context.Context,
	tx *store.Tx,
	a assetRow,
	quantities map[string]int64,
) (created int64, err error) {
	now := store.Micros(tx.Now())
	for _, wallet := range slices.Sorted(maps.Keys(quantities)) {
		n, err := tx.Exec(
			ctx,
			"UPDATE minting_allowlist SET total_quantity = ?, updated_at = ? WHERE minting_asset_id = ? AND wallet_address = ?",
			quantities[wallet], now, a.ID, wallet)
		if err != nil {
			return 0, err
		}
		if n > 0 {
			continue
		}
		created++
		if _, err := tx.Exec(
			ctx,
			`INSERT INTO minting_allowlist (id, organization_id, website_id, minting_asset_id, wallet_address, total_quantity,
			quantity_minted, quantity_reserved, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?)`,
			tx.NewID(), a.OrganizationID, a.WebsiteID, a.ID, wallet, quantities[wallet], now, now); err != nil {
			return 0, err
		}
	}
	return created, nil
}

// listAllowEntries reads a page of an asset's allowlist, newest entry first, of one wallet or, if it is "", of all.
// Errors: Invalid for an unknown cursor.
func listAllowEntries(
	ctx context.Context, q store.Queryer, a Asset, wallet string, page laurel.PageRequest,
) (laurel.Page[AllowEntry], error) {
	var w store.Where
	w.Add("t.minting_asset_id = ?", a.ID)
	w.Add(q.Engine().NoIndexPrefix()+"t.website_id = ?", a.WebsiteID)
	if wallet != "" {
		w.Add("t.wallet_address = ?", wallet)
	}
	if !page.StartingAfter.IsZero() {
		var at AllowEntry
		err := q.Get(ctx, &at, selectAllowEntry+" WHERE t.id = ? AND t.minting_asset_id = ?", page.StartingAfter, a.ID)
		if store.IsNoRows(err) {
			return laurel.Page[AllowEntry]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[AllowEntry]{}, err
		}
		w.After("t.created_at", "t.id", true, at.Created, at.ID) // true: descending
	}
	return store.SelectPage[AllowEntry](
		ctx, q, page.Limit, selectAllowEntry+w.String()+" ORDER BY t.created_at DESC, t.id DESC", w.Args...)
}

// saveAllowRows writes how much of locked allowlist entries is minted and reserved. It makes no new entries.
func saveAllowRows(ctx context.Context, tx *store.Tx, rows []*allowRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.AssetID, r.Wallet, r.Minted, r.Reserved}
	}
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "minting_allowlist",
		Keys:  store.Columns("minting_asset_id uuid, wallet_address text"),
		Set:   store.Columns("quantity_minted bigint, quantity_reserved bigint"),
	}, values)
	return err
}

var insertCounts = store.Insert{
	Table: "minting_counts", Conflict: store.IgnoreConflicts,
	Columns: store.Columns("subject_id uuid, user_id uuid, organization_id uuid, website_id uuid, quantity bigint"),
}

// saveCounts writes how many items users have minted of an asset or contract: it updates locked counts and inserts new
// ones. It returns store.ErrRerun if another transaction has inserted one of the new ones meanwhile.
func saveCounts(ctx context.Context, tx *store.Tx, rows []*countRow) error {
	var added, changed [][]any
	for _, r := range rows {
		if r.isNew {
			added = append(added, []any{r.Subject, r.UserID, r.OrganizationID, r.WebsiteID, r.Quantity})
		} else {
			changed = append(changed, []any{r.Subject, r.UserID, r.Quantity})
		}
	}
	n, err := tx.InsertRows(ctx, insertCounts, added)
	if err != nil {
		return err
	}
	if n < int64(len(added)) {
		return store.ErrRerun
	}
	_, err = tx.UpdateRows(ctx, store.Update{
		Table: "minting_counts",
		Keys:  store.Columns("subject_id uuid, user_id uuid"),
		Set:   store.Columns("quantity bigint"),
	}, changed)
	return err
}
