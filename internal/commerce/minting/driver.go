package minting

import (
	"context"
	"encoding/json"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/outbound"
)

const maxSignature = 16 << 10 // bytes

// ErrPaused is the error for a driver that was not called, because it failed several times in a row.
var ErrPaused = errors.New("the minting driver failed several times in a row and is left alone for a while")

// Job is a mint that the driver signs or carries out.
type Job struct {
	Mint     Mint
	Contract Contract
	Asset    Asset
}

// DriverResult is the result of a driver's call. Its status is Generating if the driver needs more time, Minting
// if it has signed the mint, Minted if it has minted it, or Failed if it refuses it.
type DriverResult struct {
	Status      string
	Signature   json.RawMessage // set with Minting
	TxHash      string
	RelayerTxID string
	Message     string // set with Failed
}

// Driver signs or carries out a mint. It must be idempotent: the same mint may be sent to it again. An error is an
// outage: the outcome is unknown, and the driver is called again later. The error is ErrPaused if it was not called.
type Driver func(ctx context.Context, job Job) (DriverResult, error)

// driverRequest is the body of a request to the driver.
type driverRequest struct {
	Key              laurel.ID            `json:"idempotencyKey"` // the id of the mint
	OrganizationID   laurel.ID            `json:"organizationId"`
	WebsiteID        laurel.ID            `json:"websiteId"`
	ContractID       laurel.ID            `json:"mintingContractId"`
	AssetID          laurel.ID            `json:"mintingContractAssetId"`
	Address          *string              `json:"address"`
	Network          *string              `json:"network"`
	ChainID          *uint64              `json:"chainId"`
	TokenType        string               `json:"tokenType"`
	TokenID          *int64               `json:"tokenId"`
	RelayerID        laurel.NullID        `json:"relayerId"`
	EnableGasless    bool                 `json:"enableGasless"`
	IsSoulbound      bool                 `json:"isSoulbound"`
	UserID           laurel.ID            `json:"userId"`
	Wallet           *string              `json:"walletAddress"`
	Quantity         int64                `json:"quantity"`
	Price            *string              `json:"price"` // for the whole quantity, an exact decimal; null: won, not bought
	PaidInPoints     bool                 `json:"paidInPoints"`
	CurrencyAddress  *string              `json:"currencyAddress"`
	CurrencyDecimals *int64               `json:"currencyDecimals"`
	ExpiresAt        laurel.NullTimestamp `json:"expiresAt"` // no signature may be valid for longer
}

// newDriverRequest returns the body of the request for a job.
func newDriverRequest(j Job) driverRequest {
	request := driverRequest{
		Key: j.Mint.ID, OrganizationID: j.Mint.OrganizationID, WebsiteID: j.Mint.WebsiteID, ContractID: j.Contract.ID,
		AssetID: j.Asset.ID, Address: j.Contract.Address, Network: j.Contract.Network, TokenType: j.Contract.TokenType,
		TokenID: j.Asset.TokenID, RelayerID: j.Contract.RelayerID, EnableGasless: j.Contract.EnableGasless,
		IsSoulbound: j.Contract.IsSoulbound, UserID: j.Mint.UserID, Wallet: j.Mint.Wallet, Quantity: j.Mint.Quantity,
		PaidInPoints: !j.Mint.CurrencyID.IsZero(), CurrencyAddress: j.Asset.CurrencyAddress,
		CurrencyDecimals: j.Asset.CurrencyDecimals, ExpiresAt: j.Mint.ExpiresAt,
	}
	if request.Network != nil {
		if id := evm.ChainID(*request.Network); id != 0 {
			request.ChainID = &id
		}
	}
	if j.Mint.Price != nil {
		price := j.Mint.Price.String()
		request.Price = &price
	}
	return request
}

// driverResponse is the body of the driver's response.
type driverResponse struct {
	outbound.DriverResponse
	Signature   laurel.RawJSON `json:"signature"` // nil: none
	RelayerTxID string         `json:"relayerTxId"`
}

// ImpliedStatus returns signed for a body with a signature.
func (r *driverResponse) ImpliedStatus() string {
	if r.Signature != nil {
		return "signed"
	}
	return ""
}

// HTTP returns the driver that calls the operator's address. The address responds with 2xx and {status: signed, minted,
// pending or refused, signature, txHash, relayerTxId, message}. signed needs a signature, and a signature without
// status means signed. 400 and 422 refuse with {message}. Everything else is an outage, for which the driver returns an
// error. The error is ErrPaused if the address was not called, because it has failed several times in a row.
func HTTP(client *outbound.Client, at outbound.Endpoint) Driver {
	driver := outbound.Driver{
		Client: client, Endpoint: at, Name: "minting driver",
		Statuses: map[string]string{"signed": Minting, "minted": Minted, "pending": Generating, "refused": Failed},
	}
	return func(ctx context.Context, j Job) (DriverResult, error) {
		var body driverResponse
		status, err := driver.Ask(ctx, j.Mint.ID, "mints of "+j.Mint.WebsiteID.String(), newDriverRequest(j), &body)
		switch {
		case errors.Is(err, outbound.ErrCircuitOpen):
			return DriverResult{}, ErrPaused
		case err != nil:
			return DriverResult{}, err
		case status == Failed:
			return DriverResult{Status: Failed, Message: body.Message}, nil
		}
		return body.result(status)
	}
}

// result returns the result of a response that does not refuse. An error means an outage: the response lacks its
// signature, or has a text that is too long.
func (r *driverResponse) result(status string) (DriverResult, error) {
	switch {
	case status == Minting && r.Signature == nil:
		return DriverResult{}, errors.New("the minting driver says signed without a signature")
	case len(r.Signature) > maxSignature:
		return DriverResult{}, errors.New("the minting driver's signature is too long")
	case outbound.Truncate(r.TxHash, maxTxHash) != r.TxHash,
		outbound.Truncate(r.RelayerTxID, maxTxHash) != r.RelayerTxID:
		return DriverResult{}, errors.New("the minting driver's txHash or relayerTxId is too long or no text")
	}
	return DriverResult{
		Status: status, Signature: json.RawMessage(r.Signature), TxHash: r.TxHash, RelayerTxID: r.RelayerTxID,
	}, nil
}
