package minting

import (
	"cmp"
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// AllowEntry is a wallet's entry on the allowlist of an asset, with the quantity that it may mint (contract 3.25): a
// row of minting_allowlist.
type AllowEntry struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"-"`
	WebsiteID      laurel.ID        `db:"website_id" json:"-"`
	AssetID        laurel.ID        `db:"minting_asset_id" json:"mintingContractAssetId"`
	Wallet         string           `db:"wallet_address" json:"walletAddress"`
	Quantity       int64            `db:"total_quantity" json:"quantity"`
	Minted         int64            `db:"quantity_minted" json:"quantityMinted"`
	Reserved       int64            `db:"quantity_reserved" json:"-"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"-"`
}

// AllowEntryInput is an entry as a caller sends it.
type AllowEntryInput struct {
	Wallet   string `json:"walletAddress"`
	Quantity *int64 `json:"quantity"`
}

const maxEntries = 25

// Bounds returns what the properties accept, for the API's schema.
func (AllowEntryInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"walletAddress", "quantity"}, NotNull: []string{"walletAddress", "quantity"},
		Keywords: map[string]laurel.Keywords{
			"walletAddress": laurel.RequiredIdentifierKeywords(),
			"quantity":      {"minimum": 0, "maximum": maxWhole},
		},
	}
}

// MaxAllowEntries returns how many entries one call may write.
func MaxAllowEntries() int { return maxEntries }

// AddToAllowlist writes entries of an asset's allowlist and returns how many of them are new. A wallet that is on it
// already gets the new quantity. Errors: NotFound "Asset"; Invalid.
func (s *Service) AddToAllowlist(
	ctx context.Context, scope laurel.Scope, asset laurel.ID, entries []AllowEntryInput,
) (created int64, err error) {
	quantities, err := quantitiesByWallet(entries)
	if err != nil {
		return 0, err
	}
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		a, err := lockAsset(ctx, tx, scope, asset)
		if err != nil {
			return err
		}
		created, err = upsertAllowEntries(ctx, tx, a, quantities)
		return err
	})
	return created, err
}

// quantitiesByWallet validates entries and returns their quantities by wallet. If a wallet occurs twice, the last entry
// counts. There must be between 1 and maxEntries.
func quantitiesByWallet(entries []AllowEntryInput) (map[string]int64, error) {
	var f laurel.Faults
	if n := len(entries); n < 1 || n > maxEntries {
		f.Add("entries", "must have between 1 and %d items", maxEntries)
		return nil, f.Err()
	}
	out := map[string]int64{}
	for i, e := range entries {
		path := "entries." + strconv.Itoa(i) + "."
		if e.Quantity == nil {
			f.Add(path+"quantity", "is required")
			continue
		}
		checkBetween(&f, path+"quantity", *e.Quantity, 0, maxWhole)
		f.Identifier(path+"walletAddress", e.Wallet)
		out[identity.NormalizeWallet(e.Wallet)] = *e.Quantity
	}
	return out, f.Err()
}

// Allowlist returns a page of the allowlist of a live asset, newest entry first. With a wallet, it has at most the
// entry of that wallet; "" stands for all. Errors: NotFound "Asset"; Invalid for an unknown cursor.
func (s *Service) Allowlist(
	ctx context.Context, scope laurel.Scope, asset laurel.ID, wallet string, page laurel.PageRequest,
) (laurel.Page[AllowEntry], error) {
	a, err := withoutMetadata.Get(ctx, s.DB, whereAsset(scope, asset), "")
	if err != nil {
		return laurel.Page[AllowEntry]{}, err
	}
	return listAllowEntries(ctx, s.DB, a, wallet, page)
}

// allowKey names the entry of a wallet on an asset's allowlist.
type allowKey struct {
	Asset  laurel.ID
	Wallet string
}

// allowRow is an allowlist entry as Works read and change it.
type allowRow struct {
	AllowEntry
	isNew bool // not in the database
}

// remaining returns how many more items the wallet may mint.
func (r *allowRow) remaining() int64 { return r.Quantity - r.Minted - r.Reserved }

var allowlist = &store.Table[allowKey, allowRow]{
	Name: "minting allowlist", Rank: store.LockRankAllowlist,
	Compare: func(a, b allowKey) int { return cmp.Or(a.Asset.Compare(b.Asset), cmp.Compare(a.Wallet, b.Wallet)) },
	Query:   allowTable.As("t").Query(),
	Key:     store.Columns("minting_asset_id uuid, wallet_address text"),
	Args:    func(k allowKey) []any { return []any{k.Asset, k.Wallet} },
	KeyOf:   func(r *allowRow) allowKey { return allowKey{r.AssetID, r.Wallet} },
	New: func(k allowKey) *allowRow {
		return &allowRow{AllowEntry: AllowEntry{AssetID: k.Asset, Wallet: k.Wallet}, isNew: true}
	},
	Save: saveAllowRows,
}

// countKey names the count of a user's items of a contract, or of an asset.
type countKey struct{ Subject, User laurel.ID }

// countRow counts the items of a contract, or of an asset, that a user has minted or reserved.
type countRow struct {
	Subject        laurel.ID `db:"subject_id" update:"key"`
	UserID         laurel.ID `db:"user_id" update:"key"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Quantity       int64     `db:"quantity"`
	isNew          bool      // not in the database yet
}

var counts = &store.Table[countKey, countRow]{
	Name: "minting counts", Rank: store.LockRankMintCounts,
	Compare: func(a, b countKey) int { return cmp.Or(a.Subject.Compare(b.Subject), a.User.Compare(b.User)) },
	Query:   countTable.Query(),
	Key:     store.Columns("subject_id uuid, user_id uuid"),
	Args:    func(k countKey) []any { return []any{k.Subject, k.User} },
	KeyOf:   func(r *countRow) countKey { return countKey{r.Subject, r.UserID} },
	New:     func(k countKey) *countRow { return &countRow{Subject: k.Subject, UserID: k.User, isNew: true} },
	Save:    countTable.Saver(func(r *countRow) bool { return r.isNew }),
}

// addToCounts adds to how many items of the asset, and of its contract, the user of the mint has minted or reserved. A
// negative quantity is taken away.
func addToCounts(b *store.Batch, m Mint, quantity int64) {
	for _, subject := range []laurel.ID{m.ContractID, m.AssetID} {
		r := counts.Changed(b, countKey{subject, m.UserID})
		r.OrganizationID, r.WebsiteID = m.OrganizationID, m.WebsiteID
		r.Quantity += quantity
	}
}

// mintCountLocks names the rows that addToCounts changes.
func mintCountLocks(m Mint) []store.Lock {
	return []store.Lock{counts.Lock(countKey{m.ContractID, m.UserID}), counts.Lock(countKey{m.AssetID, m.UserID})}
}
