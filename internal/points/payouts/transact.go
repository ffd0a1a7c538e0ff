package payouts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel"
	"laurel/internal/outbound"
)

// Transaction is a transaction that a function asks for (contract 7.6, addTransaction).
type Transaction struct {
	Key            laurel.ID       `json:"idempotencyKey"`
	OrganizationID laurel.ID       `json:"organizationId"`
	WebsiteID      laurel.ID       `json:"websiteId"`
	FunctionID     laurel.ID       `json:"functionId"`
	RunID          laurel.ID       `json:"runId"`
	Transaction    json.RawMessage `json:"transaction"` // {to, data, value, chainId}
}

// ErrRefused is the error of a transaction that the driver will not carry out; asking again would change nothing.
var ErrRefused = errors.New("payouts: the driver refuses the transaction")

// Transact returns what hands transactions of functions to the driver that the settings name, and returns their hash;
// "" where the driver does not know it yet. It may be asked again for the same key.
func Transact(client *outbound.Client, s Settings) func(ctx context.Context, t Transaction) (txHash string, err error) {
	return func(ctx context.Context, t Transaction) (string, error) {
		body, err := json.Marshal(t)
		if err != nil {
			return "", err
		}
		got, err := client.Do(ctx, s.call(t.Key, t.WebsiteID, body))
		if err != nil {
			return "", err
		}
		a, err := understand(got)
		if err == nil && a.Status == Failed {
			err = fmt.Errorf("%w: %s", ErrRefused, a.Message)
		}
		return a.TxHash, err
	}
}

// call is a call of the driver.
func (s Settings) call(key, website laurel.ID, body []byte) outbound.Call {
	header := map[string]string{
		"Content-Type":    "application/json",
		"Accept":          "application/json",
		"Idempotency-Key": key.String(),
	}
	for name, value := range s.Headers {
		header[name] = value
	}
	return outbound.Call{
		Method: "POST", URL: s.URL, Header: header, Body: body, Within: tryLimit, Tries: tries, Limit: answerSize,
		For: "payouts of " + website.String(),
	}
}
