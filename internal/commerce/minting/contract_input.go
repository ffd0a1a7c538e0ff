package minting

import (
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/evm"
	"laurel/internal/weburl"
)

const (
	maxName        = 1000 // characters
	maxDescription = 10_000
	maxGates       = 100
	maxWhole       = 1<<53 - 1 // the largest whole number that every JSON reader keeps
)

// maxFee is 100 percent, in millionths.
const maxFee laurel.Amount = 100 * 1_000_000

// ContractInput is a minting contract as a caller sends it. Kind and TokenType count on creation only.
type ContractInput struct {
	Name                 laurel.Optional[string]             `json:"name,omitzero"`
	Kind                 laurel.Optional[string]             `json:"contractKind,omitzero" doc:"Stays as it was created"`
	Address              laurel.Optional[string]             `json:"address,omitzero" doc:"Needed to list an ONCHAIN contract"`
	Network              laurel.Optional[string]             `json:"network,omitzero" doc:"Needed to list an ONCHAIN contract"`
	Symbol               laurel.Optional[string]             `json:"symbol,omitzero"`
	Description          laurel.Optional[string]             `json:"description,omitzero"`
	ImageURL             laurel.Optional[string]             `json:"imageUrl,omitzero"`
	ExternalLinkURL      laurel.Optional[string]             `json:"externalLinkUrl,omitzero"`
	PreRevealMedia       laurel.Optional[string]             `json:"preRevealMedia,omitzero"`
	TokenType            laurel.Optional[string]             `json:"tokenType,omitzero" doc:"Default erc721; stays as it was created"`
	PerUserLimit         laurel.Optional[int64]              `json:"perUserMintLimit,omitzero" doc:"0: no limit"`
	LimitsPerAsset       laurel.Optional[bool]               `json:"isPerAssetMintLimit,omitzero" doc:"true: the limit applies to each asset"`
	Collections          laurel.Optional[[]GatingCollection] `json:"mustOwnCollections,omitzero"`
	RequiresAll          laurel.Optional[bool]               `json:"requireHoldingAllGatedItems,omitzero" doc:"false: any one collection or badge suffices"`
	BadgeIDs             laurel.Optional[[]laurel.ID]        `json:"loyaltyBadgeIds,omitzero"`
	FreeForBadgeHolders  laurel.Optional[bool]               `json:"isFreeClaimForBadgeHolders,omitzero" doc:"true: free for holders, and others pay the price"`
	FreeForTokenHolders  laurel.Optional[bool]               `json:"isFreeClaimForTokenHolders,omitzero" doc:"true: free for owners, and others pay the price"`
	IsListed             laurel.Optional[bool]               `json:"isListed,omitzero"`
	ShowOnMarketplace    laurel.Optional[bool]               `json:"showOnMarketplace,omitzero"`
	HideInactiveListings laurel.Optional[bool]               `json:"hideInactiveListings,omitzero"`
	EnableGasless        laurel.Optional[bool]               `json:"enableGasless,omitzero"`
	IsSoulbound          laurel.Optional[bool]               `json:"isSoulbound,omitzero"`
	HasRevealMechanic    laurel.Optional[bool]               `json:"hasRevealMechanic,omitzero"`
	CollectsEmail        laurel.Optional[bool]               `json:"shouldCollectEmail,omitzero"`
	RevealAvailableAt    laurel.Optional[laurel.Timestamp]   `json:"revealAvailableAt,omitzero"`
	SaleRecipient        laurel.Optional[string]             `json:"primarySaleRecipientAddress,omitzero"`
	RoyaltyFeeAddress    laurel.Optional[string]             `json:"royaltyFeeAddress,omitzero"`
	RoyaltyFee           laurel.Optional[laurel.Amount]      `json:"royaltyFee,omitzero" doc:"Percent, 0 to 100"`
	RelayerID            laurel.Optional[laurel.ID]          `json:"relayerId,omitzero"`
	SortID               laurel.Optional[int64]              `json:"sortId,omitzero"`
	CollectionID         laurel.Optional[laurel.ID]          `json:"websiteCollectionId,omitzero" doc:"The website's collection of these tokens"`
}

// Bounds returns what the properties accept on creation, for the API's schema.
func (ContractInput) Bounds() laurel.Bounds {
	file := laurel.Keywords{"format": "uri-reference", "maxLength": weburl.MaxLength}
	address := laurel.IdentifierKeywords()
	return laurel.Bounds{
		Required: []string{"name", "contractKind"}, NotNull: []string{"name", "contractKind"},
		Keywords: map[string]laurel.Keywords{
			"name":                        {"minLength": 1, "maxLength": maxName},
			"contractKind":                {"enum": Kinds()},
			"address":                     address,
			"network":                     {"enum": evm.Networks()},
			"symbol":                      {"maxLength": maxName},
			"description":                 {"maxLength": maxDescription},
			"imageUrl":                    file,
			"externalLinkUrl":             {"format": "uri", "maxLength": weburl.MaxLength},
			"preRevealMedia":              file,
			"tokenType":                   {"enum": TokenTypes()},
			"perUserMintLimit":            {"minimum": 0, "maximum": maxWhole},
			"mustOwnCollections":          {"maxItems": maxGates},
			"loyaltyBadgeIds":             {"maxItems": maxGates},
			"primarySaleRecipientAddress": address,
			"royaltyFeeAddress":           address,
			"royaltyFee":                  {"minimum": 0, "maximum": 100},
		},
	}
}

// Bounds returns what the properties accept, for the API's schema.
func (GatingCollection) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"address", "network"}, NotNull: []string{"address", "network"},
		Keywords: map[string]laurel.Keywords{
			"address": laurel.RequiredIdentifierKeywords(), "network": {"enum": evm.Networks()},
		},
	}
}

// applyToNew sets the properties of a new contract from the input. It returns nil or an Invalid error with every fault.
func (in ContractInput) applyToNew(c *Contract) error {
	var f laurel.Faults
	if !in.Name.Set {
		f.Add("name", "is required")
	}
	switch {
	case !in.Kind.Set || in.Kind.Null:
		f.Add("contractKind", "is required")
	default:
		c.Kind = checkOneOf(&f, "contractKind", in.Kind.Value, Kinds())
	}
	if in.TokenType.Set && !in.TokenType.Null {
		c.TokenType = checkOneOf(&f, "tokenType", in.TokenType.Value, TokenTypes())
	}
	in.apply(c, &f)
	return f.Err()
}

// applyToExisting sets the properties of a contract that are in the input. It returns nil or an Invalid error with
// every fault.
func (in ContractInput) applyToExisting(c *Contract) error {
	var f laurel.Faults
	in.apply(c, &f)
	return f.Err()
}

// apply sets the properties of a contract that are in the input, and adds a fault for each that is not valid.
func (in ContractInput) apply(c *Contract, f *laurel.Faults) {
	if in.Name.Set {
		f.Text("name", in.Name.Value, 1, maxName)
		c.Name = in.Name.Value
	}
	laurel.AssignText(f, "description", in.Description, maxDescription, &c.Description)
	weburl.Assign(f, "imageUrl", in.ImageURL, weburl.ValidOrFile, &c.ImageURL)
	weburl.Assign(f, "externalLinkUrl", in.ExternalLinkURL, weburl.Valid, &c.ExternalLinkURL)
	weburl.Assign(f, "preRevealMedia", in.PreRevealMedia, weburl.ValidOrFile, &c.PreRevealMedia)
	assignText(f, "symbol", in.Symbol, maxName, &c.Symbol)
	assignAddress(f, "primarySaleRecipientAddress", in.SaleRecipient, &c.SaleRecipient)
	assignAddress(f, "royaltyFeeAddress", in.RoyaltyFeeAddress, &c.RoyaltyFeeAddress)
	c.SaleRecipient, c.RoyaltyFeeAddress = evm.Normalize(c.SaleRecipient), evm.Normalize(c.RoyaltyFeeAddress)
	if in.RoyaltyFee.Set {
		if c.RoyaltyFee = in.RoyaltyFee.Value; c.RoyaltyFee < 0 || c.RoyaltyFee > maxFee {
			f.Add("royaltyFee", "must be between 0 and 100")
		}
	}
	if in.PerUserLimit.Set {
		c.PerUserLimit = in.PerUserLimit.Value
		checkBetween(f, "perUserMintLimit", c.PerUserLimit, 0, maxWhole)
	}
	if in.RevealAvailableAt.Set {
		c.RevealAvailableAt.Timestamp = in.RevealAvailableAt.Value
	}
	if in.RelayerID.Set {
		c.RelayerID.ID = in.RelayerID.Value
	}
	if in.SortID.Set {
		c.SortID = in.SortID.Ptr()
	}
	if in.CollectionID.Set {
		c.CollectionID.ID = in.CollectionID.Value
	}
	in.assignFlags(c, f)
	in.assignGates(c, f)
	in.assignAddressAndNetwork(c, f)
}

// assignFlags sets the booleans that are in the input; null is a fault.
func (in ContractInput) assignFlags(c *Contract, f *laurel.Faults) {
	for _, flag := range []struct {
		path string
		in   laurel.Optional[bool]
		to   *bool
	}{
		{"isPerAssetMintLimit", in.LimitsPerAsset, &c.LimitsPerAsset},
		{"requireHoldingAllGatedItems", in.RequiresAll, &c.RequiresAll},
		{"isFreeClaimForBadgeHolders", in.FreeForBadgeHolders, &c.FreeForBadgeHolders},
		{"isFreeClaimForTokenHolders", in.FreeForTokenHolders, &c.FreeForTokenHolders},
		{"isListed", in.IsListed, &c.IsListed},
		{"showOnMarketplace", in.ShowOnMarketplace, &c.ShowOnMarketplace},
		{"hideInactiveListings", in.HideInactiveListings, &c.HideInactiveListings},
		{"enableGasless", in.EnableGasless, &c.EnableGasless},
		{"isSoulbound", in.IsSoulbound, &c.IsSoulbound},
		{"hasRevealMechanic", in.HasRevealMechanic, &c.HasRevealMechanic},
		{"shouldCollectEmail", in.CollectsEmail, &c.CollectsEmail},
	} {
		laurel.Assign(f, flag.path, flag.in, "a boolean", flag.to)
	}
}

// assignGates replaces the collections and badges that minters must hold by those in the input, without duplicates. It
// adds a fault for each collection that is not valid, and for a list that is too long. Null empties a list.
func (in ContractInput) assignGates(c *Contract, f *laurel.Faults) {
	if in.Collections.Set {
		c.Collections = nil
		if len(in.Collections.Value) > maxGates {
			f.Add("mustOwnCollections", "must have at most %d items", maxGates)
			return
		}
		for i, gate := range in.Collections.Value {
			path := "mustOwnCollections." + strconv.Itoa(i) + "."
			f.Identifier(path+"address", gate.Address)
			switch {
			case gate.Network == "":
				f.Add(path+"network", "is required")
			case !evm.IsKnownNetwork(gate.Network):
				f.Add(path+"network", "must be a known network")
			}
			gate.Address = evm.Normalize(gate.Address)
			if !slices.Contains(c.Collections, gate) {
				c.Collections = append(c.Collections, gate)
			}
		}
	}
	if in.BadgeIDs.Set {
		c.BadgeIDs = nil
		if len(in.BadgeIDs.Value) > maxGates {
			f.Add("loyaltyBadgeIds", "must have at most %d items", maxGates)
			return
		}
		for _, id := range in.BadgeIDs.Value {
			if !slices.Contains(c.BadgeIDs, id) {
				c.BadgeIDs = append(c.BadgeIDs, id)
			}
		}
	}
}

// assignAddressAndNetwork sets, from the input, the contract's blockchain network and its address there. A listed
// ONCHAIN contract must have both.
func (in ContractInput) assignAddressAndNetwork(c *Contract, f *laurel.Faults) {
	laurel.AssignIdentifier(f, "address", in.Address, &c.Address)
	if c.Address != nil {
		stored := evm.Normalize(*c.Address)
		if c.Address = &stored; stored == "" {
			c.Address = nil
		}
	}
	if in.Network.Set {
		if c.Network = in.Network.Ptr(); c.Network != nil && !evm.IsKnownNetwork(*c.Network) {
			f.Add("network", "must be a known network")
		}
	}
	if c.Kind != Onchain || !c.IsListed {
		return
	}
	if c.Address == nil {
		f.Add("address", "is required")
	}
	if c.Network == nil {
		f.Add("network", "is required")
	}
}

// checkOneOf returns the value, and adds a fault if it is not one of the list.
func checkOneOf(f *laurel.Faults, path, value string, of []string) string {
	if !slices.Contains(of, value) {
		f.Add(path, "must be one of: %s", strings.Join(of, ", "))
	}
	return value
}

// assignAddress sets an address if it is in the input; null empties it.
func assignAddress(f *laurel.Faults, path string, in laurel.Optional[string], to *string) {
	if in.Set {
		f.OptionalIdentifier(path, in.Value)
		*to = in.Value
	}
}

// assignText sets a text if it is in the input; null empties it.
func assignText(f *laurel.Faults, path string, in laurel.Optional[string], most int, to *string) {
	if in.Set {
		f.Text(path, in.Value, 0, most)
		*to = in.Value
	}
}

// checkBetween adds a fault if the value is not between least and most, which both are valid.
func checkBetween(f *laurel.Faults, path string, value, least, most int64) {
	if value < least || value > most {
		f.Add(path, "must be between %d and %d", least, most)
	}
}

// addMissingBadges adds a fault for each badge id that is not among the live ones.
func addMissingBadges(f *laurel.Faults, path string, ids, live []laurel.ID) {
	for i, id := range ids {
		if !slices.Contains(live, id) {
			f.AddText(path+"."+strconv.Itoa(i), "Badge not found")
		}
	}
}
