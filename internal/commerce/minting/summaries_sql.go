package minting

import (
	"context"
	"fmt"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 512

// selectAssetSummaries returns, for each contract, how many live assets it has, how many of them are listed, and the
// sums of their quantities and minted items. Contracts without live assets are left out.
func selectAssetSummaries(
	ctx context.Context, q store.Queryer, scope laurel.Scope, contracts []laurel.ID,
) (rows []AssetSummary, err error) {
	var w store.Where
	store.InArray(&w, q, "t.minting_contract_id", "uuid", contracts)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	w.Add(liveAsset)
	err = q.Select(
		ctx,
		&rows,
		`SELECT t.minting_contract_id, COUNT(*) AS assets, CAST(SUM(CASE WHEN t.is_listed THEN 1 ELSE 0 END) AS BIGINT) AS
		listed, CAST(SUM(t.quantity) AS BIGINT) AS quantity, CAST(SUM(t.quantity_minted) AS BIGINT) AS minted`+fromAssets+
			w.String()+" GROUP BY t.minting_contract_id",
		w.Args...)
	return rows, err
}

// newestAssetsQuery returns the statement that reads the newest assets of some contracts, MaxAssetsShown of each. It
// has a subquery for each contract, so that an index gives the rows in order.
func newestAssetsQuery(scope laurel.Scope, contracts []laurel.ID) (query string, args []any) {
	parts := make([]string, len(contracts))
	for i, id := range contracts {
		var w store.Where
		w.Add("t.minting_contract_id = ?", id)
		w.Add("t.organization_id = ?", scope.OrganizationID)
		w.Add("t.deleted_at IS NULL AND NOT t.is_hidden")
		parts[i] = "SELECT * FROM (" + withoutMetadata.Query() + w.String() + " ORDER BY t.created_at DESC, t.id DESC LIMIT ?) q" +
			fmt.Sprint(i)
		args = append(append(args, w.Args...), MaxAssetsShown)
	}
	return "SELECT * FROM (" + strings.Join(parts, " UNION ALL ") +
		") u ORDER BY u.minting_contract_id, u.created_at DESC, u.id DESC", args
}

// assetsByID reads the assets of the scope with these ids, deleted ones too, without metadata.
func assetsByID(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) ([]Asset, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.InArray(&w, q, "t.id", "uuid", ids)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	return withoutMetadata.Select(ctx, q, &w, "")
}

type countedAssets struct {
	WebsiteID laurel.ID `db:"website_id"`
	N         int64     `db:"n"`
}

// countAssets counts the live assets of each website. Websites without any are left out.
func countAssets(
	ctx context.Context, q store.Queryer, scope laurel.Scope, websites []laurel.ID,
) (rows []countedAssets, err error) {
	var w store.Where
	store.InArray(&w, q, "t.website_id", "uuid", websites)
	w.Add(q.Engine().NoIndexPrefix()+"t.organization_id = ?", scope.OrganizationID)
	w.Add(liveAsset)
	err = q.Select(ctx, &rows, "SELECT t.website_id, COUNT(*) AS n"+fromAssets+w.String()+" GROUP BY t.website_id", w.Args...)
	return rows, err
}
