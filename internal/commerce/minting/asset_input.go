package minting

import (
	"bytes"
	"encoding/json"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/evm"
	"laurel/internal/weburl"
)

const (
	maxDecimals = 36
	maxQuantity = 1_000_000_000_000 // of one asset: sums of many stay whole numbers
)

// AssetInput is an asset as a caller sends it. ContractID counts on creation only.
type AssetInput struct {
	ContractID       laurel.Optional[laurel.ID]        `json:"mintingContractId,omitzero"`
	Name             laurel.Optional[string]           `json:"name,omitzero"`
	Description      laurel.Optional[string]           `json:"description,omitzero"`
	ImageURL         laurel.Optional[string]           `json:"imageUrl,omitzero"`
	AnimationURL     laurel.Optional[string]           `json:"animationUrl,omitzero"`
	Metadata         laurel.Optional[json.RawMessage]  `json:"metadata,omitzero"`
	Price            laurel.Optional[laurel.Amount]    `json:"price,omitzero" doc:"The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain"`
	CurrencyID       laurel.Optional[laurel.ID]        `json:"loyaltyCurrencyId,omitzero" doc:"Needed in an OFFCHAIN contract"`
	CurrencyAddress  laurel.Optional[string]           `json:"currencyAddress,omitzero" doc:"ONCHAIN: the token that the price is in; null: the network's own"`
	CurrencyDecimals laurel.Optional[int64]            `json:"currencyDecimals,omitzero"`
	Quantity         laurel.Optional[int64]            `json:"quantity,omitzero" doc:"In all, with those that are minted"`
	Unlimited        laurel.Optional[bool]             `json:"unlimitedQty,omitzero"`
	IsListed         laurel.Optional[bool]             `json:"isListed,omitzero"`
	IsHidden         laurel.Optional[bool]             `json:"isHidden,omitzero"`
	IsPhygital       laurel.Optional[bool]             `json:"isPhygitalItem,omitzero"`
	CollectsUserInfo laurel.Optional[bool]             `json:"shouldCollectUserInfo,omitzero"`
	CollectInfoType  laurel.Optional[string]           `json:"collectInfoType,omitzero"`
	ListingStartsAt  laurel.Optional[laurel.Timestamp] `json:"listingStartsAt,omitzero"`
	ListingEndsAt    laurel.Optional[laurel.Timestamp] `json:"listingEndsAt,omitzero"`
	IsAllowlisted    laurel.Optional[bool]             `json:"isAllowlisted,omitzero" doc:"true: only wallets on the allowlist may mint"`
	TokenID          laurel.Optional[int64]            `json:"tokenId,omitzero"`
}

// Bounds returns what the properties accept on creation, for the API's schema.
func (AssetInput) Bounds() laurel.Bounds {
	file := laurel.Keywords{"format": "uri-reference", "maxLength": weburl.MaxLength}
	return laurel.Bounds{
		Required: []string{"mintingContractId", "name", "price", "quantity"},
		NotNull:  []string{"mintingContractId", "name", "price", "quantity"},
		Keywords: map[string]laurel.Keywords{
			"name":             {"minLength": 1, "maxLength": maxName},
			"description":      {"maxLength": maxDescription},
			"imageUrl":         file,
			"animationUrl":     file,
			"metadata":         {"type": []string{"object", "null"}},
			"price":            {"minimum": 0},
			"currencyAddress":  laurel.IdentifierKeywords(),
			"currencyDecimals": {"minimum": 0, "maximum": maxDecimals},
			"quantity":         {"minimum": 0, "maximum": maxQuantity},
			"collectInfoType":  {"enum": InfoTypes()},
			"tokenId":          {"minimum": 0, "maximum": maxWhole},
		},
	}
}

// applyToNew applies the input to a new asset, and adds a fault for each property that is missing or not valid.
func (in AssetInput) applyToNew(a *Asset, f *laurel.Faults) {
	// if only Set is checked here, apply adds the fault for null
	for _, property := range []struct {
		path string
		set  bool
	}{
		{"mintingContractId", in.ContractID.Set && !in.ContractID.Null},
		{"name", in.Name.Set},
		{"price", in.Price.Set},
		{"quantity", in.Quantity.Set},
	} {
		if !property.set {
			f.Add(property.path, "is required")
		}
	}
	in.apply(a, f)
}

// apply sets the properties of an asset that are in the input, and adds a fault for each that is not valid.
func (in AssetInput) apply(a *Asset, f *laurel.Faults) {
	if in.Name.Set {
		f.Text("name", in.Name.Value, 1, maxName)
		a.Name = in.Name.Value
	}
	laurel.AssignText(f, "description", in.Description, maxDescription, &a.Description)
	weburl.Assign(f, "imageUrl", in.ImageURL, weburl.ValidOrFile, &a.ImageURL)
	weburl.Assign(f, "animationUrl", in.AnimationURL, weburl.ValidOrFile, &a.AnimationURL)
	in.assignMetadata(a, f)
	in.assignPrice(a, f)
	assignRequired(f, "quantity", in.Quantity, &a.Quantity)
	checkBetween(f, "quantity", a.Quantity, 0, maxQuantity)
	for _, flag := range []struct {
		path string
		in   laurel.Optional[bool]
		to   *bool
	}{
		{"unlimitedQty", in.Unlimited, &a.Unlimited},
		{"isListed", in.IsListed, &a.IsListed},
		{"isHidden", in.IsHidden, &a.IsHidden},
		{"isPhygitalItem", in.IsPhygital, &a.IsPhygital},
		{"shouldCollectUserInfo", in.CollectsUserInfo, &a.CollectsUserInfo},
		{"isAllowlisted", in.IsAllowlisted, &a.IsAllowlisted},
	} {
		laurel.Assign(f, flag.path, flag.in, "a boolean", flag.to)
	}
	if in.CollectInfoType.Set {
		if a.CollectInfoType = in.CollectInfoType.Ptr(); a.CollectInfoType != nil {
			checkOneOf(f, "collectInfoType", *a.CollectInfoType, InfoTypes())
		}
	}
	if in.ListingStartsAt.Set {
		a.ListingStartsAt.Timestamp = in.ListingStartsAt.Value
	}
	if in.ListingEndsAt.Set {
		a.ListingEndsAt.Timestamp = in.ListingEndsAt.Value
	}
	if !a.ListingStartsAt.IsZero() && !a.ListingEndsAt.IsZero() && !a.ListingEndsAt.After(a.ListingStartsAt.Time) {
		f.Add("listingEndsAt", "must be after listingStartsAt")
	}
	if in.TokenID.Set {
		if a.TokenID = in.TokenID.Ptr(); a.TokenID != nil {
			checkBetween(f, "tokenId", *a.TokenID, 0, maxWhole)
		}
	}
}

// assignMetadata sets the metadata, which must be a JSON object or null.
func (in AssetInput) assignMetadata(a *Asset, f *laurel.Faults) {
	if !in.Metadata.Set {
		return
	}
	a.Metadata = laurel.RawJSON(in.Metadata.Value)
	if text := bytes.TrimSpace(a.Metadata); in.Metadata.Null || len(text) == 0 {
		a.Metadata = nil
	} else if text[0] != '{' {
		f.Add("metadata", "must be an object")
	}
	budget.CheckJSON(f, "metadata", json.RawMessage(a.Metadata), budget.Metadata)
}

// assignPrice sets the price and its currency: a currency of points, or a token's address and decimals on the
// blockchain.
func (in AssetInput) assignPrice(a *Asset, f *laurel.Faults) {
	assignRequired(f, "price", in.Price, &a.Price)
	if a.Price < 0 {
		f.Add("price", "must be at least 0")
	}
	if in.CurrencyID.Set {
		a.CurrencyID.ID = in.CurrencyID.Value
	}
	laurel.AssignIdentifier(f, "currencyAddress", in.CurrencyAddress, &a.CurrencyAddress)
	if a.CurrencyAddress != nil {
		stored := evm.Normalize(*a.CurrencyAddress)
		a.CurrencyAddress = &stored
	}
	if in.CurrencyDecimals.Set {
		a.CurrencyDecimals = in.CurrencyDecimals.Ptr()
		if d := a.CurrencyDecimals; d != nil && (*d < 0 || *d > maxDecimals) {
			f.Add("currencyDecimals", "must be between 0 and %d", maxDecimals)
		}
	}
}

// assignRequired sets a property if it is in the input; null is a fault. Without it in the input nothing changes.
func assignRequired[T any](f *laurel.Faults, path string, in laurel.Optional[T], to *T) {
	switch {
	case in.Set && in.Null:
		f.Add(path, "is required")
	case in.Set:
		*to = in.Value
	}
}
