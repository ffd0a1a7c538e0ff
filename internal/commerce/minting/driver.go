package minting

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
	"laurel/internal/store"
)

const (
	maxMessage   = 500
	maxSignature = 16 << 10 // bytes
)

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
	Status      string          `json:"status"`
	Signature   json.RawMessage `json:"signature"`
	TxHash      string          `json:"txHash"`
	RelayerTxID string          `json:"relayerTxId"`
	Message     string          `json:"message"`
}

// statusOfResponse maps the statuses in responses of the driver to those of a mint.
var statusOfResponse = map[string]string{"signed": Minting, "minted": Minted, "pending": Generating, "refused": Failed}

// HTTP returns the driver that calls the operator's address. The address responds with 2xx and {status: signed, minted,
// pending or refused, signature, txHash, relayerTxId, message}. signed needs a signature, and a signature without
// status means signed. 400 and 422 refuse with {message}. Everything else is an outage, for which the driver returns an
// error. The error is ErrPaused if the address was not called, because it has failed several times in a row.
func HTTP(client *outbound.Client, at outbound.Endpoint) Driver {
	return func(ctx context.Context, j Job) (DriverResult, error) {
		call := at.Call(j.Mint.ID, "mints of "+j.Mint.WebsiteID.String(), store.JSON(newDriverRequest(j)))
		response, err := client.Do(ctx, call)
		if errors.Is(err, outbound.ErrCircuitOpen) {
			return DriverResult{}, ErrPaused
		}
		if err != nil {
			return DriverResult{}, err
		}
		return parseResponse(response)
	}
}

// parseResponse reads the driver's HTTP response and returns the result. An error means an outage: the response is not
// as HTTP describes it, or has a text that is too long.
func parseResponse(response outbound.Response) (DriverResult, error) {
	var body driverResponse
	err := json.Unmarshal(response.Body, &body)
	if string(body.Signature) == "null" {
		body.Signature = nil
	}
	switch {
	case slices.Contains([]int{400, 422}, response.Status):
		return DriverResult{Status: Failed, Message: refusalMessage(body.Message)}, nil
	case response.Status/100 != 2:
		return DriverResult{}, &outbound.Fault{Status: response.Status, Sent: true}
	case err != nil:
		return DriverResult{}, errors.New("the minting driver's response is no JSON with a status")
	case body.Status == "" && body.Signature != nil:
		body.Status = "signed"
	}
	status, isKnown := statusOfResponse[body.Status]
	switch {
	case !isKnown:
		return DriverResult{}, fmt.Errorf("the minting driver's response has the status %q", truncate(body.Status, maxTxHash))
	case status == Failed:
		return DriverResult{Status: Failed, Message: refusalMessage(body.Message)}, nil
	case status == Minting && body.Signature == nil:
		return DriverResult{}, errors.New("the minting driver says signed without a signature")
	case len(body.Signature) > maxSignature:
		return DriverResult{}, errors.New("the minting driver's signature is too long")
	case truncate(body.TxHash, maxTxHash) != body.TxHash || truncate(body.RelayerTxID, maxTxHash) != body.RelayerTxID:
		return DriverResult{}, errors.New("the minting driver's txHash or relayerTxId is too long or no text")
	}
	return DriverResult{Status: status, Signature: body.Signature, TxHash: body.TxHash, RelayerTxID: body.RelayerTxID}, nil
}

// truncate returns a text from a response as valid UTF-8 without NUL, with up to maxLength characters.
func truncate(s string, maxLength int) string {
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
	return string(text[:min(len(text), maxLength)])
}

// refusalMessage returns the driver's message, shortened, or a default if it is blank.
func refusalMessage(message string) string {
	if message = truncate(message, maxMessage); strings.TrimSpace(message) != "" {
		return message
	}
	return "Refused by the minting driver"
}
