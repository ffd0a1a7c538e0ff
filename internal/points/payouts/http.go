package payouts

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/outbound"
)

const maxTxHash = 256

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
type driverResponse struct{ outbound.DriverResponse }

// ImpliedStatus returns done for a body with a txHash.
func (r *driverResponse) ImpliedStatus() string {
	if r.TxHash != "" {
		return "done"
	}
	return ""
}

// newHTTPDriver returns the driver at the operator's address.
func newHTTPDriver(client *outbound.Client, at outbound.Endpoint) outbound.Driver {
	return outbound.Driver{
		Client: client, Endpoint: at, Name: "payout driver",
		Statuses: map[string]string{"done": Done, "pending": Sent, "refused": Failed},
	}
}

// HTTPDriver returns the driver that sends payouts to the operator's address. A response of 2xx has the JSON {status:
// "done", "pending" or "refused", txHash, message}; done needs a txHash, and a txHash without status means done. A
// response of 400 or 422 refuses the payout with {message}. Everything else is an outage: the outcome is unknown.
func HTTPDriver(client *outbound.Client, at outbound.Endpoint) Driver {
	driver := newHTTPDriver(client, at)
	return func(ctx context.Context, p Payout) (DriverResult, error) {
		result, err := ask(ctx, driver, p.ID, p.WebsiteID, newDriverRequest(p))
		if errors.Is(err, outbound.ErrCircuitOpen) {
			err = ErrPaused
		}
		return result, err
	}
}

// ask sends a request to the driver and returns the result in its response (see HTTPDriver), or an error for an outage
// and for a response that makes no sense.
func ask(
	ctx context.Context, driver outbound.Driver, key, website laurel.ID, request any,
) (DriverResult, error) {
	var body driverResponse
	status, err := driver.Ask(ctx, key, "payouts of "+website.String(), request, &body)
	switch {
	case err != nil:
		return DriverResult{}, err
	case status == Failed:
		return DriverResult{Status: Failed, Message: body.Message}, nil
	case status == Done && body.TxHash == "":
		return DriverResult{}, errors.New("the payout driver says done without a txHash")
	case outbound.Truncate(body.TxHash, maxTxHash) != body.TxHash:
		return DriverResult{}, errors.New("the payout driver's txHash is too long or no text")
	}
	return DriverResult{Status: status, TxHash: body.TxHash}, nil
}
