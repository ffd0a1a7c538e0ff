package minting

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/store"
)

// AssetsShown is how many of its assets a contract is returned with.
const AssetsShown = 100

// AssetSummary counts the live assets of a contract.
type AssetSummary struct {
	ContractID laurel.ID `db:"minting_contract_id"`
	Assets     int64     `db:"assets"`
	Listed     int64     `db:"listed"`
	Quantity   int64     `db:"quantity"` // of all assets together
	Minted     int64     `db:"minted"`
}

// AssetSummaries returns the summaries of contracts, by contract. Contracts without assets are left out.
func (s *Service) AssetSummaries(
	ctx context.Context, scope laurel.Scope, contracts []laurel.ID,
) (map[laurel.ID]AssetSummary, error) {
	out := map[laurel.ID]AssetSummary{}
	for some := range slices.Chunk(contracts, maxIDsPerQuery) {
		rows, err := selectAssetSummaries(ctx, s.DB, scope, some)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.ContractID] = r
		}
	}
	return out, nil
}

// NewestAssets returns, for each contract, its newest live assets that are not hidden, up to AssetsShown. The lists are
// in the order of the contracts. There are fewer lists than contracts where the rest does not fit on a page
// (budget.Page).
func (s *Service) NewestAssets(ctx context.Context, scope laurel.Scope, contracts []laurel.ID) ([][]Asset, error) {
	var out [][]Asset
	bytes := 0
	for some := range slices.Chunk(contracts, contractsPerRead) {
		byContract, sizes, err := s.readNewestAssets(ctx, scope, some)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			if bytes += sizes[id]; bytes > budget.Page && len(out) > 0 {
				return out, nil
			}
			out = append(out, byContract[id])
		}
	}
	return out, nil
}

// contractsPerRead is how many contracts one statement reads assets of.
const contractsPerRead = 4

// assetSize is roughly how many bytes an asset without its texts has in a response.
const assetSize = 1000

// readNewestAssets reads the newest assets of a few contracts, and how many bytes those of each have in a response.
func (s *Service) readNewestAssets(
	ctx context.Context, scope laurel.Scope, contracts []laurel.ID,
) (byContract map[laurel.ID][]Asset, sizes map[laurel.ID]int, err error) {
	byContract, sizes = map[laurel.ID][]Asset{}, map[laurel.ID]int{}
	texts := budget.TextsOf[assetRow]()
	query, args := newestAssetsQuery(scope, contracts)
	err = store.ForEachRow(ctx, s.DB, func(r assetRow) error {
		byContract[r.ContractID] = append(byContract[r.ContractID], r.asset())
		sizes[r.ContractID] += texts.Size(&r) + assetSize
		return nil
	}, query, args...)
	return byContract, sizes, err
}

// AssetsOf returns the assets with these ids in any order, deleted ones too. Those outside the scope are left out.
func (s *Service) AssetsOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Asset, error) {
	var out []Asset
	for some := range slices.Chunk(ids, maxIDsPerQuery) {
		rows, err := assetsByID(ctx, s.DB, scope, some)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, r.asset())
		}
	}
	return out, nil
}

// CountAssets returns the numbers of live assets, by website.
func (s *Service) CountAssets(
	ctx context.Context, scope laurel.Scope, websites []laurel.ID,
) (map[laurel.ID]int64, error) {
	out := map[laurel.ID]int64{}
	for some := range slices.Chunk(websites, maxIDsPerQuery) {
		rows, err := countAssets(ctx, s.DB, scope, some)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.WebsiteID] = r.N
		}
	}
	return out, nil
}
