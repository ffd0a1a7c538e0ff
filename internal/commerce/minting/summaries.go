package minting

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// MaxAssetsShown is how many of its assets a contract is returned with at most.
const MaxAssetsShown = 100

// AssetSummary counts the live assets of a contract.
type AssetSummary struct {
	ContractID laurel.ID `db:"minting_contract_id"`
	Assets     int64     `db:"assets"`
	Listed     int64     `db:"listed"`
	Quantity   int64     `db:"quantity"` // of all assets together
	Minted     int64     `db:"minted"`
}

// AssetSummaries returns the summaries of contracts by the contract's id. Contracts without live assets are left out.
func (s *Service) AssetSummaries(
	ctx context.Context, scope laurel.Scope, contracts []laurel.ID,
) (map[laurel.ID]AssetSummary, error) {
	out := map[laurel.ID]AssetSummary{}
	for chunk := range slices.Chunk(contracts, maxIDsPerQuery) {
		rows, err := selectAssetSummaries(ctx, s.DB, scope, chunk)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.ContractID] = r
		}
	}
	return out, nil
}

// NewestAssets returns for each contract its newest live assets that are not hidden, up to MaxAssetsShown. The lists
// are in the order of the contracts. If all of them together exceed the size of a page (budget.MaxPageBytes), the
// lists of the last contracts are left out.
func (s *Service) NewestAssets(ctx context.Context, scope laurel.Scope, contracts []laurel.ID) ([][]Asset, error) {
	var out [][]Asset
	bytes := 0
	for chunk := range slices.Chunk(contracts, contractsPerRead) {
		byContract, sizes, err := s.readNewestAssets(ctx, scope, chunk)
		if err != nil {
			return nil, err
		}
		for _, id := range chunk {
			if bytes += sizes[id]; bytes > budget.MaxPageBytes && len(out) > 0 {
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

// readNewestAssets reads the newest assets of a few contracts by the contract's id, and roughly how many bytes the
// assets of each contract have in a response.
func (s *Service) readNewestAssets(
	ctx context.Context, scope laurel.Scope, contracts []laurel.ID,
) (byContract map[laurel.ID][]Asset, sizes map[laurel.ID]int, err error) {
	byContract, sizes = map[laurel.ID][]Asset{}, map[laurel.ID]int{}
	texts := budget.TextColumnsOf[Asset]()
	query, args := newestAssetsQuery(scope, contracts)
	err = store.ForEachRow(ctx, s.DB, func(a Asset) error {
		byContract[a.ContractID] = append(byContract[a.ContractID], a)
		sizes[a.ContractID] += texts.Size(&a) + assetSize
		return nil
	}, query, args...)
	return byContract, sizes, err
}

// AssetsByID returns the assets with these ids in any order, deleted ones too, without metadata. Those outside the
// scope are left out.
func (s *Service) AssetsByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Asset, error) {
	var out []Asset
	for chunk := range slices.Chunk(ids, maxIDsPerQuery) {
		rows, err := assetsByID(ctx, s.DB, scope, chunk)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// CountAssets returns how many live assets each website has. Websites without assets are left out.
func (s *Service) CountAssets(
	ctx context.Context, scope laurel.Scope, websites []laurel.ID,
) (map[laurel.ID]int64, error) {
	out := map[laurel.ID]int64{}
	for chunk := range slices.Chunk(websites, maxIDsPerQuery) {
		rows, err := countAssets(ctx, s.DB, scope, chunk)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.WebsiteID] = r.N
		}
	}
	return out, nil
}
