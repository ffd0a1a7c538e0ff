package minting

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/store"
)

// AssetsShown is how many of its assets a contract is told with.
const AssetsShown = 100

// AssetSummary is what a contract has: live assets.
type AssetSummary struct {
	ContractID laurel.ID `db:"minting_contract_id"`
	Assets     int64     `db:"assets"`
	Listed     int64     `db:"listed"`
	Quantity   int64     `db:"quantity"` // of all together
	Minted     int64     `db:"minted"`
}

// AssetSummaries returns what contracts have, by contract; those without assets are left out.
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

// NewestAssets returns the newest live assets of contracts that are not hidden, up to AssetsShown of each, in the order of
// the contracts: of as many contracts, from the first on, as there is room for on a page.
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

// contractsPerRead is of how many contracts the assets are read at once.
const contractsPerRead = 4

// assetSize is roughly what an asset without texts has in a response, in bytes.
const assetSize = 1000

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

// AssetsOf returns the assets with these ids, deleted ones too, in any order; those of others are absent.
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

// CountAssets returns how many live assets websites have, by website.
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
