package minting

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	allowTable = store.NewRecords[AllowEntry]("minting_allowlist", "Allowlist entry")
	countTable = store.NewRecords[countRow]("minting_counts", "Count").As("t")
)

// upsertAllowEntries writes how many items each wallet may mint of an asset, and returns how many of the wallets are
// new on the allowlist. The caller has locked the asset.
func upsertAllowEntries(
	ctx context.Context,
	tx *store.Tx,
	a Asset,
	quantities map[string]int64,
) (created int64, err error) {
	now := laurel.Timestamp{Time: tx.Now()}
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
		e := AllowEntry{
			ID: tx.NewID(), OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, AssetID: a.ID, Wallet: wallet,
			Quantity: quantities[wallet], CreatedAt: now, UpdatedAt: now,
		}
		if _, err := allowTable.Insert(ctx, tx, &e, ""); err != nil {
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
	w := (&store.Where{}).With("minting_asset_id = ?", a.ID)
	w.Add(q.Engine().NoIndexPrefix()+"website_id = ?", a.WebsiteID)
	cursors := *w
	if wallet != "" {
		w.Add("wallet_address = ?", wallet)
	}
	order := store.List{Where: w, Cursors: &cursors, Order: []string{"created_at", "id"}, Newest: true}
	return allowTable.Page(ctx, q, order, page)
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
