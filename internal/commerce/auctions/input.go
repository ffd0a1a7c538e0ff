package auctions

import (
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/record"
)

const (
	maxItems       = 50
	maxCollections = 100
	maxSort        = 1 << 31
	maxQuantity    = 1_000_000
)

// Patch is what a caller writes of an auction.
type Patch = record.Patch[Auction]

var (
	_ = record.Define("auctiontype", record.OneOf(Types()...))
	_ = record.Define("collectionaddresses", record.Bound[[]string]{
		Check: checkCollections, Normalize: normalizeCollections,
		Keywords: laurel.IdentifierListKeywords(maxCollections),
	})
)

// checkCollections adds a fault for each address that is not valid, and for too many.
func checkCollections(f *laurel.Faults, path string, addresses []string) {
	for i, address := range addresses {
		f.Identifier(path+"."+strconv.Itoa(i), address)
	}
	if len(addresses) > maxCollections {
		f.Add(path, "must have at most %d items", maxCollections)
	}
}

// normalizeCollections returns the addresses in their stored form.
func normalizeCollections(addresses []string) (out []string) {
	for _, address := range addresses {
		out = append(out, evm.Normalize(address))
	}
	return out
}

// checkPeriod adds a fault for an end before the start, if the input has one of them.
func (a *Auction) checkPeriod(in Patch, f *laurel.Faults) {
	isSet := (in.Has("startsAt") || in.Has("endsAt")) && !a.StartsAt.IsZero() && !a.EndsAt.IsZero()
	if isSet && !a.EndsAt.After(a.StartsAt.Time) {
		f.Add("endsAt", "must be after startsAt")
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
