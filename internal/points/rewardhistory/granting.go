package rewardhistory

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/points/lots"
	"laurel/internal/store"
)

// Granting returns the metadata of the entries that told of lots which wait, by lot: what gives them later tells the
// same of what they are for.
func (s *Service) Granting(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	waiting []lots.Lot,
) (map[laurel.ID]json.RawMessage, error) {
	transactions := make([]laurel.ID, len(waiting))
	for i, l := range waiting {
		transactions[i] = l.TransactionID
	}
	told, err := selectGranting(ctx, q, scope, transactions)
	out := make(map[laurel.ID]json.RawMessage, len(told))
	for _, metadata := range told {
		var about struct {
			Lot laurel.ID `json:"lotId"`
		}
		if json.Unmarshal([]byte(metadata), &about) == nil {
			out[about.Lot] = json.RawMessage(metadata)
		}
	}
	return out, err
}
