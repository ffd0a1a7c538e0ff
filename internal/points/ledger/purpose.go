package ledger

import (
	"encoding/json"

	"laurel"
)

// purposeOf returns the id of the thing that an entry pays for or refunds, from its metadata: a hold, an auction, or a
// mint that was bought. For a mint that was won in an auction it is the auction, because the winner paid there. Lots
// use the purpose to find the payment that a refund belongs to. It is "" for other entries.
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
		return "" // a caller's own metadata, in another form
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
