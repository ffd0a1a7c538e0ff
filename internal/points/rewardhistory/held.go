package rewardhistory

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// HeldLotMetadata returns, by lot, the metadata of the zero-amount entry that granted the lot's held points. The entry
// that releases a lot gets the same metadata.
func (s *Service) HeldLotMetadata(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	held []lots.Lot,
) (map[laurel.ID]json.RawMessage, error) {
	transactions := make([]laurel.ID, len(held))
	for i, l := range held {
		transactions[i] = l.TransactionID
	}
	rows, err := selectZeroEntryMetadata(ctx, q, scope, transactions)
	out := make(map[laurel.ID]json.RawMessage, len(rows))
	for _, metadata := range rows {
		var about struct {
			Lot laurel.ID `json:"lotId"`
		}
		if json.Unmarshal([]byte(metadata), &about) == nil {
			out[about.Lot] = json.RawMessage(metadata)
		}
	}
	return out, err
}
