package payouts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/evm"
	"laurel/internal/outbound"
)

const (
	maxMessage = 500
	maxTxHash  = 256
)

// driverRequest is the body of a request to the driver.
type driverRequest struct {
	Key            laurel.ID  `json:"idempotencyKey"`
	OrganizationID laurel.ID  `json:"organizationId"`
	WebsiteID      laurel.ID  `json:"websiteId"`
	RelayerID      *laurel.ID `json:"relayerId"`  // null if a badge owes it
	ContractID     *laurel.ID `json:"contractId"` // null: the network's own token
	IsNative       bool       `json:"isNative"`
	Network        *string    `json:"network"`
	ChainID        *uint64    `json:"chainId"`
	Wallet         string     `json:"walletAddress"`
	Amount         string     `json:"amount"` // an exact decimal, in whole units of the token
}

// newDriverRequest returns the body of the HTTP request that asks the driver for a payout. Fields that do not apply are
// nil; both a payout without contract and one in a network without chain id are valid.
func newDriverRequest(p Payout) driverRequest {
	o := driverRequest{
		Key:            p.ID,
		OrganizationID: p.OrganizationID,
		WebsiteID:      p.WebsiteID,
		RelayerID:      p.RelayerID.Ptr(),
		ContractID:     p.ContractID.Ptr(),
		IsNative:       p.ContractID.IsZero(),
		Wallet:         p.Wallet,
		Amount:         p.Amount.String(),
	}
	network := string(p.Network)
	if network != "" {
		o.Network = &network
	}
	if id := evm.ChainID(network); id != 0 {
		o.ChainID = &id
	}
	return o
}

// driverResponse is the body of the driver's response.
type driverResponse struct {
	Status  string `json:"status"`
	TxHash  string `json:"txHash"`
	Message string `json:"message"`
}

// statusOfResponse maps the statuses in responses of the driver to those of a payout.
var statusOfResponse = map[string]string{"done": Done, "pending": Sent, "refused": Failed}

// HTTPDriver returns the driver that sends payouts to the operator's address. A response of 2xx has the JSON {status:
// "done", "pending" or "refused", txHash, message}; done needs a txHash, and a txHash without status means done. A
// response of 400 or 422 refuses the payout with {message}. Everything else is an outage: the outcome is unknown.
func HTTPDriver(client *outbound.Client, at outbound.Endpoint) Driver {
	return func(ctx context.Context, p Payout) (DriverResult, error) {
		body, err := json.Marshal(newDriverRequest(p))
		if err != nil {
			return DriverResult{}, err
		}
		response, err := client.Do(ctx, at.Call(p.ID, ownerOf(p.WebsiteID), body))
		if errors.Is(err, outbound.ErrCircuitOpen) {
			return DriverResult{}, ErrPaused
		}
		if err != nil {
			return DriverResult{}, err
		}
		return parseResponse(response)
	}
}

// parseResponse returns the result in the driver's HTTP response (see HTTPDriver), or an error for an outage and for a
// response that makes no sense.
func parseResponse(response outbound.Response) (DriverResult, error) {
	var body driverResponse
	err := json.Unmarshal(response.Body, &body)
	refused := slices.Contains([]int{400, 422}, response.Status)
	switch {
	case refused:
		return DriverResult{Status: Failed, Message: refusalMessage(body.Message)}, nil
	case response.Status/100 != 2:
		return DriverResult{}, &outbound.Fault{Status: response.Status, Sent: true}
	case err != nil:
		return DriverResult{}, errors.New("the payout driver's response is no JSON with a status")
	case body.Status == "" && body.TxHash != "":
		body.Status = "done"
	}
	status, isKnown := statusOfResponse[body.Status]
	switch {
	case !isKnown:
		return DriverResult{}, fmt.Errorf("the payout driver's response has the status %q", truncate(body.Status, maxTxHash))
	case status == Failed:
		return DriverResult{Status: Failed, Message: refusalMessage(body.Message)}, nil
	case status == Done && body.TxHash == "":
		return DriverResult{}, errors.New("the payout driver says done without a txHash")
	case truncate(body.TxHash, maxTxHash) != body.TxHash:
		return DriverResult{}, errors.New("the payout driver's txHash is too long or no text")
	}
	return DriverResult{Status: status, TxHash: body.TxHash}, nil
}

// truncate makes a text from a response valid UTF-8 and cuts it to a number of characters.
func truncate(s string, maxRunes int) string {
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
	return string(text[:min(len(text), maxRunes)])
}

// refusalMessage returns the driver's message, shortened, or a default if it is blank.
func refusalMessage(message string) string {
	if message = truncate(message, maxMessage); strings.TrimSpace(message) != "" {
		return message
	}
	return "Refused by the payout driver"
}
