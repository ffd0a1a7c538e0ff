package payouts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// Transaction is a blockchain transaction that a function has requested (contract 7.6, addTransaction).
type Transaction struct {
	Key            laurel.ID       `json:"idempotencyKey"`
	OrganizationID laurel.ID       `json:"organizationId"`
	WebsiteID      laurel.ID       `json:"websiteId"`
	FunctionID     laurel.ID       `json:"functionId"`
	RunID          laurel.ID       `json:"runId"`
	Transaction    json.RawMessage `json:"transaction"` // {to, data, value, chainId}
}

// ErrRefused says that the driver refuses a transaction for good.
var ErrRefused = errors.New("payouts: the driver refuses the transaction")

// NewTransactionSender returns a function that sends a transaction to the driver and returns the transaction's hash.
// The hash is "" if the driver does not know it yet; the caller may then call the function again with the same key.
// Errors: ErrRefused; any other error is an outage, after which the outcome is unknown.
func NewTransactionSender(
	client *outbound.Client, at outbound.Endpoint,
) func(ctx context.Context, t Transaction) (txHash string, err error) {
	driver := newHTTPDriver(client, at)
	return func(ctx context.Context, t Transaction) (string, error) {
		result, err := ask(ctx, driver, t.Key, t.WebsiteID, t)
		if err == nil && result.Status == Failed {
			err = fmt.Errorf("%w: %s", ErrRefused, result.Message)
		}
		return result.TxHash, err
	}
}
