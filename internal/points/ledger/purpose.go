package ledger

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
)

// purposes are the properties of metadata that name what an entry is for.
type purposes struct {
	Hold       laurel.ID `json:"loyaltyHoldId"`
	Auction    laurel.ID `json:"auctionId"`
	Mint       laurel.ID `json:"mintingContractAssetMintStatusId"`
	ReversalOf laurel.ID `json:"reversalOf"`
}

// purposeOf returns the id of the thing that an entry pays for or refunds: a hold, an auction, or a mint that was
// bought, from its metadata. For a mint that was won in an auction it is the auction, because the winner paid there.
// For a caller's debit of another kind it is the transaction, which a reversal names. Lots use the purpose to find the
// payment that a refund belongs to. It is "" for other entries.
func purposeOf(kind TransactionType, e Entry, isReversal bool) string {
	var about purposes
	if len(e.Metadata) > 0 && json.Unmarshal(e.Metadata, &about) != nil {
		about = purposes{} // a caller's own metadata, in another form
	}
	var id laurel.ID
	switch {
	case kind == TypeOrder && !about.Hold.IsZero():
		id = about.Hold
	case (kind == TypeOrder || kind == TypeAPIKey) && e.Direction == Debit:
		return lots.TransactionPurpose(e.TransactionID)
	case kind == TypeOrder || kind == TypeAPIKey:
		if !isReversal || about.ReversalOf.IsZero() {
			return ""
		}
		return lots.TransactionPurpose(about.ReversalOf)
	case kind == TypeDirectMint && about.Auction.IsZero():
		id = about.Mint
	case kind != TypeLoyaltyRule:
		id = about.Auction
	}
	if id.IsZero() {
		return ""
	}
	return id.String()
}
