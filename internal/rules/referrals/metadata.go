package referrals

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Metadata returns the metadata of an entry that was paid for a referral. kind is welcome, lump_sum, tier1 or tier2
// (contract 5.12).
func Metadata(kind string, referee laurel.ID) json.RawMessage {
	return store.JSON(struct {
		Referral string    `json:"referral"`
		Referee  laurel.ID `json:"refereeUserId"`
	}{kind, referee})
}
