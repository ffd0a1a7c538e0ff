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

// ErrPaused is a driver's error where it was not called.
var ErrPaused = errors.New("the minting driver failed several times in a row and is left alone for a while")

// Job is what the driver is asked for.
type Job struct {
	Mint      Mint
	Contract  Contract
	Asset     Asset
	ExpiresAt *laurel.Timestamp // when the mint fails by itself; nil: never
}

// DriverResult is what a driver says of a mint: Generating where it needs more time, Minting where it has signed it, Minted
// where it has minted it, or Failed where it refuses it.
type DriverResult struct {
	Status      string
	Signature   json.RawMessage // of Minting
	TxHash      string
	RelayerTxID string
	Message     string // of Failed
}

// Driver signs or carries out a mint. Asked again for the same mint it must do nothing twice. An error is an outage:
// nothing is known, and the driver is asked again; ErrPaused where it was not called at all.
type Driver func(ctx context.Context, job Job) (DriverResult, error)

// driverRequest is what the driver is told.
type driverRequest struct {
	Key              laurel.ID         `json:"idempotencyKey"` // the id of the mint
	OrganizationID   laurel.ID         `json:"organizationId"`
	WebsiteID        laurel.ID         `json:"websiteId"`
	ContractID       laurel.ID         `json:"mintingContractId"`
	AssetID          laurel.ID         `json:"mintingContractAssetId"`
	Address          *string           `json:"address"`
	Network          *string           `json:"network"`
	ChainID          *uint64           `json:"chainId"`
	TokenType        string            `json:"tokenType"`
	TokenID          *int64            `json:"tokenId"`
	RelayerID        *laurel.ID        `json:"relayerId"`
	EnableGasless    bool              `json:"enableGasless"`
	IsSoulbound      bool              `json:"isSoulbound"`
	UserID           laurel.ID         `json:"userId"`
	Wallet           *string           `json:"walletAddress"`
	Quantity         int64             `json:"quantity"`
	Price            *string           `json:"price"` // of all, an exact decimal; null: won, not bought
	PaidInPoints     bool              `json:"paidInPoints"`
	CurrencyAddress  *string           `json:"currencyAddress"`
	CurrencyDecimals *int64            `json:"currencyDecimals"`
	ExpiresAt        *laurel.Timestamp `json:"expiresAt"` // no signature may be good for longer
}

func newDriverRequest(j Job) driverRequest {
	o := driverRequest{
		Key: j.Mint.ID, OrganizationID: j.Mint.OrganizationID, WebsiteID: j.Mint.WebsiteID, ContractID: j.Contract.ID,
		AssetID: j.Asset.ID, Address: j.Contract.Address, Network: j.Contract.Network, TokenType: j.Contract.TokenType,
		TokenID: j.Asset.TokenID, RelayerID: j.Contract.RelayerID.Ptr(), EnableGasless: j.Contract.EnableGasless,
		IsSoulbound: j.Contract.IsSoulbound, UserID: j.Mint.UserID, Wallet: j.Mint.Wallet, Quantity: j.Mint.Quantity,
		PaidInPoints: !j.Mint.CurrencyID.IsZero(), CurrencyAddress: j.Asset.CurrencyAddress,
		CurrencyDecimals: j.Asset.CurrencyDecimals, ExpiresAt: j.ExpiresAt,
	}
	if o.Network != nil {
		if id := evm.ID(*o.Network); id != 0 {
			o.ChainID = &id
		}
	}
	if j.Mint.Price != nil {
		price := j.Mint.Price.String()
		o.Price = &price
	}
	return o
}

// driverResponse is the body of the driver's response.
type driverResponse struct {
	Status      string          `json:"status"`
	Signature   json.RawMessage `json:"signature"`
	TxHash      string          `json:"txHash"`
	RelayerTxID string          `json:"relayerTxId"`
	Message     string          `json:"message"`
}

// The statuses that a driver may answer with 2xx.
var statusOfResponse = map[string]string{"signed": Minting, "minted": Minted, "pending": Generating, "refused": Failed}

// HTTP is the driver that calls the operator's address. The answer is 2xx with {status: signed, minted, pending or
// refused, signature, txHash, relayerTxId, message}; signed needs a signature, and a signature without status means
// signed. 400 and 422 refuse with {message}. Everything else is an outage.
func HTTP(client *outbound.Client, at outbound.Endpoint) Driver {
	return func(ctx context.Context, j Job) (DriverResult, error) {
		call := at.Call(j.Mint.ID, "mints of "+j.Mint.WebsiteID.String(), store.JSON(newDriverRequest(j)))
		response, err := client.Do(ctx, call)
		if errors.Is(err, outbound.ErrResting) {
			return DriverResult{}, ErrPaused
		}
		if err != nil {
			return DriverResult{}, err
		}
		return parseResponse(response)
	}
}

// parseResponse returns what an HTTP answer means. It is pure.
func parseResponse(response outbound.Answer) (DriverResult, error) {
	var a driverResponse
	err := json.Unmarshal(response.Body, &a)
	if string(a.Signature) == "null" {
		a.Signature = nil
	}
	switch {
	case slices.Contains([]int{400, 422}, response.Status):
		return DriverResult{Status: Failed, Message: refusalMessage(a.Message)}, nil
	case response.Status/100 != 2:
		return DriverResult{}, &outbound.Fault{Status: response.Status, Sent: true}
	case err != nil:
		return DriverResult{}, errors.New("the minting driver's answer is no JSON that tells a status")
	case a.Status == "" && a.Signature != nil:
		a.Status = "signed"
	}
	status, isKnown := statusOfResponse[a.Status]
	switch {
	case !isKnown:
		return DriverResult{}, fmt.Errorf("the minting driver answered with the status %q", truncate(a.Status, maxTxHash))
	case status == Failed:
		return DriverResult{Status: Failed, Message: refusalMessage(a.Message)}, nil
	case status == Minting && a.Signature == nil:
		return DriverResult{}, errors.New("the minting driver says signed without a signature")
	case len(a.Signature) > maxSignature:
		return DriverResult{}, errors.New("the minting driver's signature is too long")
	case truncate(a.TxHash, maxTxHash) != a.TxHash || truncate(a.RelayerTxID, maxTxHash) != a.RelayerTxID:
		return DriverResult{}, errors.New("the minting driver's txHash or relayerTxId is too long or no text")
	}
	return DriverResult{Status: status, Signature: a.Signature, TxHash: a.TxHash, RelayerTxID: a.RelayerTxID}, nil
}

// truncate returns as much of a text from outside as is kept.
func truncate(s string, most int) string {
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
	return string(text[:min(len(text), most)])
}

func refusalMessage(message string) string {
	if message = truncate(message, maxMessage); strings.TrimSpace(message) != "" {
		return message
	}
	return "Refused by the minting driver"
}
