package ledger

import (
	"encoding/json"

	"laurel"
)

// purposeOf returns what an entry pays for or refunds, from its metadata: the id of a hold, of an auction, or of a mint
// that was bought. The refund of a mint that was won belongs to the auction, where it was paid. An entry without a
// purpose cannot be matched with a refund.
func purposeOf(kind TransactionType, metadata *string) string {
	if metadata == nil {
		return ""
	}
	var about struct {
		Hold    laurel.ID `json:"loyaltyHoldId"`
		Auction laurel.ID `json:"auctionId"`
		Mint    laurel.ID `json:"mintingContractAssetMintStatusId"`
	}
	if json.Unmarshal([]byte(*metadata), &about) != nil {
		return "" // a caller's own words
	}
	id := about.Auction
	switch {
	case kind == TypeOrder:
		id = about.Hold
	case kind == TypeDirectMint && id.IsZero():
		id = about.Mint
	}
	if id.IsZero() {
		return ""
	}
	return id.String()
}
