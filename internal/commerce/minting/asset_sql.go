package minting

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

const assetColumns = `id, organization_id, website_id, minting_contract_id, asset_nr, name, description, image_url,
	animation_url, metadata, price, loyalty_currency_id, currency_address, currency_decimals, quantity, unlimited_qty,
	quantity_minted, quantity_reserved, is_listed, is_hidden, is_phygital_item, should_collect_user_info,
	collect_info_type, listing_starts_at, listing_ends_at, is_allowlisted, token_id, revealed_at, created_at, updated_at,
	deleted_at`

// selectStock reads what minting goes by. The assets of a deleted contract are deleted with it.
const selectStock = `SELECT t.id, t.organization_id, t.website_id, t.minting_contract_id, t.price, t.loyalty_currency_id,
	t.quantity, t.unlimited_qty, t.quantity_minted, t.quantity_reserved, t.is_listed, t.is_phygital_item,
	t.should_collect_user_info, t.collect_info_type, t.listing_starts_at, t.listing_ends_at, t.is_allowlisted, t.token_id,
	t.updated_at, COALESCE(t.deleted_at,
	(SELECT c.deleted_at FROM minting_contracts c WHERE c.id = t.minting_contract_id)) AS deleted_at FROM minting_assets t`

// assetRow is an asset as it is stored.
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

func (r assetRow) asset() Asset {
	a := Asset{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, ContractID: r.ContractID, Nr: r.Nr,
		Name: r.Name, Description: r.Description, ImageURL: r.ImageURL, AnimationURL: r.AnimationURL, Price: r.Price,
		CurrencyID: r.CurrencyID, CurrencyAddress: r.CurrencyAddress, CurrencyDecimals: r.CurrencyDecimals,
		Quantity: r.Quantity, Unlimited: r.Unlimited, Minted: r.Minted, IsListed: r.IsListed, IsHidden: r.IsHidden,
		IsPhygital: r.IsPhygital, CollectsUserInfo: r.CollectsUserInfo, CollectInfoType: r.CollectInfoType,
		ListingStartsAt: moment(r.ListingStartsAt), ListingEndsAt: moment(r.ListingEndsAt),
		IsAllowlisted: r.IsAllowlisted, TokenID: r.TokenID, RevealedAt: orZero(r.RevealedAt),
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt), DeletedAt: orZero(r.DeletedAt),
	}
	if r.Metadata != nil {
		a.Metadata = json.RawMessage(*r.Metadata)
	}
	return a
}

func moment(at *int64) *time.Time {
	if at == nil {
		return nil
	}
	t := store.Time(*at)
	return &t
}

func orZero(at *int64) time.Time {
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

// saveStock writes what Works change of assets, which they have locked.
func saveStock(ctx context.Context, tx *store.Tx, rows []*assetRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.ID, r.Minted, r.Reserved, r.UpdatedAt}
	}
	_, err := tx.UpdateRows(ctx, updateStock, values)
	return err
}
