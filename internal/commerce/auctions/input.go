package auctions

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/evm"
)

const (
	maxName        = 1000 // characters
	maxDescription = 10_000
	maxExtension   = 86_400 // seconds
	maxItems       = 50
	maxCollections = 100
	maxSort        = 1 << 31
	maxQuantity    = 1_000_000
)

// Input is an auction as a caller sends it. Type, currency, network and contract count on creation only.
type Input struct {
	Name            laurel.Optional[string]           `json:"name,omitzero"`
	Description     laurel.Optional[string]           `json:"description,omitzero"`
	Type            laurel.Optional[string]           `json:"type,omitzero" doc:"Cannot be changed"`
	StartsAt        laurel.Optional[laurel.Timestamp] `json:"startsAt,omitzero" doc:"Cannot be changed once there is a bid"`
	EndsAt          laurel.Optional[laurel.Timestamp] `json:"endsAt,omitzero" doc:"Cannot be changed once there is a bid"`
	CurrencyID      laurel.Optional[laurel.ID]        `json:"loyaltyCurrencyId,omitzero" doc:"Bids are points of it; cannot be changed"`
	CurrencyAddress laurel.Optional[string]           `json:"currencyAddress,omitzero" doc:"Stored"`
	Network         laurel.Optional[string]           `json:"network,omitzero" doc:"The network of the collections; cannot be changed"`
	MinBid          laurel.Optional[laurel.Amount]    `json:"minBidAmount,omitzero"`
	MinIncrement    laurel.Optional[laurel.Amount]    `json:"minBidIncrement,omitzero" doc:"For english auctions: the least difference between the best bid and the next bid"`
	ReservePrice    laurel.Optional[laurel.Amount]    `json:"reservePrice,omitzero" doc:"Bids below it win nothing"`
	Extension       laurel.Optional[int64]            `json:"extendedDurationInSeconds,omitzero" doc:"english: a bid so shortly before the end moves the end to so many seconds after it"`
	HideBids        laurel.Optional[bool]             `json:"hideBids,omitzero"`
	Collections     laurel.Optional[[]string]         `json:"biddersOwnCollectionAddresses,omitzero"`
	ContractID      laurel.Optional[laurel.ID]        `json:"mintingContractId,omitzero" doc:"The minting contract of the items; cannot be changed"`
}

// Bounds returns what the properties accept on creation, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	needed := []string{"name", "type", "startsAt", "endsAt", "loyaltyCurrencyId", "minBidAmount", "mintingContractId"}
	return laurel.Bounds{
		Required: needed, NotNull: needed,
		Keywords: map[string]laurel.Keywords{
			"name":                          {"minLength": 1, "maxLength": maxName},
			"description":                   {"maxLength": maxDescription},
			"type":                          {"enum": Types()},
			"currencyAddress":               laurel.IdentifierKeywords(),
			"network":                       {"enum": evm.Networks()},
			"minBidAmount":                  {"exclusiveMinimum": 0},
			"minBidIncrement":               {"exclusiveMinimum": 0},
			"reservePrice":                  {"exclusiveMinimum": 0},
			"extendedDurationInSeconds":     {"minimum": 0, "maximum": maxExtension},
			"biddersOwnCollectionAddresses": laurel.IdentifierListKeywords(maxCollections),
		},
	}
}

// applyToNew applies the input to a new auction, and adds a fault for each property that is missing or not valid.
func (in Input) applyToNew(a *Auction, f *laurel.Faults) {
	// if only Set is checked here, apply adds the fault for null
	for _, needed := range []struct {
		path string
		set  bool
	}{
		{"name", in.Name.Set},
		{"type", in.Type.Set && !in.Type.Null},
		{"startsAt", in.StartsAt.Set},
		{"endsAt", in.EndsAt.Set},
		{"loyaltyCurrencyId", in.CurrencyID.Set && !in.CurrencyID.Null},
		{"minBidAmount", in.MinBid.Set},
		{"mintingContractId", in.ContractID.Set && !in.ContractID.Null},
	} {
		if !needed.set {
			f.Add(needed.path, "is required")
		}
	}
	if a.Type = in.Type.Value; a.Type != "" && !slices.Contains(Types(), a.Type) {
		f.Add("type", "must be one of: %s", strings.Join(Types(), ", "))
	}
	a.CurrencyID, a.ContractID = in.CurrencyID.Value, in.ContractID.Value
	laurel.AssignIdentifier(f, "currencyAddress", in.CurrencyAddress, &a.CurrencyAddress)
	if a.Network = in.Network.Ptr(); a.Network != nil && !evm.IsKnownNetwork(*a.Network) {
		f.Add("network", "must be a known network")
	}
	in.apply(a, f)
}

// apply sets the properties of an auction that are in the input, and adds a fault for each that is not valid.
func (in Input) apply(a *Auction, f *laurel.Faults) {
	if in.Name.Set {
		f.Text("name", in.Name.Value, 1, maxName)
		a.Name = in.Name.Value
	}
	if in.Description.Set {
		f.Text("description", in.Description.Value, 0, maxDescription)
		a.Description = in.Description.Value
	}
	assignTime(f, "startsAt", in.StartsAt, &a.StartsAt)
	assignTime(f, "endsAt", in.EndsAt, &a.EndsAt)
	if (in.StartsAt.Set || in.EndsAt.Set) && !a.StartsAt.IsZero() && !a.EndsAt.IsZero() && !a.EndsAt.After(a.StartsAt) {
		f.Add("endsAt", "must be after startsAt")
	}
	switch {
	case !in.MinBid.Set: // it stays as it is
	case in.MinBid.Null:
		f.Add("minBidAmount", "is required")
	case in.MinBid.Value <= 0:
		f.Add("minBidAmount", "must be greater than 0")
	default:
		a.MinBid = in.MinBid.Value
	}
	for _, price := range []struct {
		path string
		in   laurel.Optional[laurel.Amount]
		to   **laurel.Amount
	}{{"minBidIncrement", in.MinIncrement, &a.MinIncrement}, {"reservePrice", in.ReservePrice, &a.ReservePrice}} {
		if *price.to = price.in.ApplyTo(*price.to); price.in.Ptr() != nil && price.in.Value <= 0 {
			f.Add(price.path, "must be greater than 0")
		}
	}
	if a.Extension = in.Extension.ApplyTo(a.Extension); in.Extension.Ptr() != nil &&
		(in.Extension.Value < 0 || in.Extension.Value > maxExtension) {
		f.Add("extendedDurationInSeconds", "must be between 0 and %d", maxExtension)
	}
	laurel.Assign(f, "hideBids", in.HideBids, "a boolean", &a.HideBids)
	in.assignCollections(a, f)
}

// assignTime sets a time from the input; null is a fault, and a property that is not in the input changes nothing.
func assignTime(f *laurel.Faults, path string, in laurel.Optional[laurel.Timestamp], to *time.Time) {
	switch {
	case in.Set && in.Null:
		f.Add(path, "is required")
	case in.Set:
		*to = in.Value.Time
	}
}

// assignCollections replaces the collections by those in the input, with their addresses in the stored form. Null
// empties them.
func (in Input) assignCollections(a *Auction, f *laurel.Faults) {
	if !in.Collections.Set {
		return
	}
	a.Collections = nil
	for i, address := range in.Collections.Value {
		f.Identifier("biddersOwnCollectionAddresses."+strconv.Itoa(i), address)
		a.Collections = append(a.Collections, evm.Normalize(address))
	}
	if len(a.Collections) > maxCollections {
		f.Add("biddersOwnCollectionAddresses", "must have at most %d items", maxCollections)
	}
}

// NewAuctionItem is an item as a caller sends it.
type NewAuctionItem struct {
	AssetID  laurel.ID `json:"mintingContractAssetId"`
	Quantity *int64    `json:"quantity,omitempty" doc:"That its winner gets; default 1"`
	SortID   *int64    `json:"sortId,omitempty" doc:"The best bidder wins the first; default: in the order in which items are added"`
}

// Bounds returns what the properties accept, for the API's schema.
func (NewAuctionItem) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"mintingContractAssetId"}, NotNull: []string{"mintingContractAssetId"},
		Keywords: map[string]laurel.Keywords{
			"quantity": {"minimum": 1, "maximum": maxQuantity}, "sortId": {"minimum": -maxSort, "maximum": maxSort},
		},
	}
}

// itemPath returns the path, in the request's body, of a property of the i-th item.
func itemPath(i int, property string) string {
	return "auctionItems." + strconv.Itoa(i) + "." + property
}

// validateItems adds a fault for each invalid property of the items.
func validateItems(f *laurel.Faults, items []NewAuctionItem) {
	if len(items) > maxItems {
		f.Add("auctionItems", "must have at most %d items", maxItems)
	}
	for i, item := range items[:min(len(items), maxItems)] {
		if item.AssetID.IsZero() {
			f.Add(itemPath(i, "mintingContractAssetId"), "is required")
		}
		if q := item.Quantity; q != nil && (*q < 1 || *q > maxQuantity) {
			f.Add(itemPath(i, "quantity"), "must be between 1 and %d", maxQuantity)
		}
		if s := item.SortID; s != nil && (*s < -maxSort || *s > maxSort) {
			f.Add(itemPath(i, "sortId"), "must be between %d and %d", -maxSort, maxSort)
		}
	}
}
