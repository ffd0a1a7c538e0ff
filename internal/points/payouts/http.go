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
	maxHash    = 256
)

// order is what the driver is told.
type order struct {
	Key            laurel.ID  `json:"idempotencyKey"`
	OrganizationID laurel.ID  `json:"organizationId"`
	WebsiteID      laurel.ID  `json:"websiteId"`
	RelayerID      *laurel.ID `json:"relayerId"`  // null: a badge owes it, and names none
	ContractID     *laurel.ID `json:"contractId"` // null: the network's own token
	IsNative       bool       `json:"isNative"`
	Network        *string    `json:"network"`
	ChainID        *uint64    `json:"chainId"`
	Wallet         string     `json:"walletAddress"`
	Amount         string     `json:"amount"` // an exact decimal, in whole units of the token
}

func orderOf(p Payout) order {
	o := order{
		Key:            p.ID,
		OrganizationID: p.OrganizationID,
		WebsiteID:      p.WebsiteID,
		RelayerID:      p.RelayerID.Ptr(),
		ContractID:     p.ContractID.Ptr(),
		IsNative:       p.ContractID.IsZero(),
		Wallet:         p.Wallet,
		Amount:         p.Amount.String(),
	}
	if p.Network != "" {
		o.Network = &p.Network
	}
	if id := evm.ID(p.Network); id != 0 {
		o.ChainID = &id
	}
	return o
}

// said is the body of the driver's response.
type said struct {
	Status  string `json:"status"`
	TxHash  string `json:"txHash"`
	Message string `json:"message"`
}

// The statuses that a driver may answer with 2xx.
var meanings = map[string]string{"done": Done, "pending": Sent, "refused": Failed}

// HTTP is the driver that calls the operator's address. The answer is 2xx with {status: done, pending or refused,
// txHash, message}; done needs a txHash, and a txHash without status means done. 400 and 422 refuse with {message}.
// Everything else is an outage.
func HTTP(client *outbound.Client, at outbound.Endpoint) Driver {
	return func(ctx context.Context, p Payout) (Answer, error) {
		body, err := json.Marshal(orderOf(p))
		if err != nil {
			return Answer{}, err
		}
		got, err := client.Do(ctx, at.Call(p.ID, ownerOf(p.WebsiteID), body))
		if errors.Is(err, outbound.ErrResting) {
			return Answer{}, ErrResting
		}
		if err != nil {
			return Answer{}, err
		}
		return understand(got)
	}
}

// understand returns what an HTTP answer means. It is pure.
func understand(got outbound.Answer) (Answer, error) {
	var a said
	err := json.Unmarshal(got.Body, &a)
	refused := slices.Contains([]int{400, 422}, got.Status)
	switch {
	case refused:
		return Answer{Status: Failed, Message: reason(a.Message)}, nil
	case got.Status/100 != 2:
		return Answer{}, &outbound.Fault{Status: got.Status, Sent: true}
	case err != nil:
		return Answer{}, errors.New("the payout driver's answer is no JSON that tells a status")
	case a.Status == "" && a.TxHash != "":
		a.Status = "done"
	}
	status, known := meanings[a.Status]
	switch {
	case !known:
		return Answer{}, fmt.Errorf("the payout driver answered with the status %q", cut(a.Status, maxHash))
	case status == Failed:
		return Answer{Status: Failed, Message: reason(a.Message)}, nil
	case status == Done && a.TxHash == "":
		return Answer{}, errors.New("the payout driver says done without a txHash")
	case cut(a.TxHash, maxHash) != a.TxHash:
		return Answer{}, errors.New("the payout driver's txHash is too long or no text")
	}
	return Answer{Status: status, TxHash: a.TxHash}, nil
}

// cut returns as much of a text from outside as is kept.
func cut(s string, most int) string {
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
	return string(text[:min(len(text), most)])
}

func reason(message string) string {
	if message = cut(message, maxMessage); strings.TrimSpace(message) != "" {
		return message
	}
	return "Refused by the payout driver"
}
