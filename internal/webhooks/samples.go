package webhooks

import (
	"encoding/json"
	"slices"
	"strings"

	"laurel"
)

// samples holds made-up data for test events, by table: a shortened form of what its events have.
var samples = map[string]string{
	"LoyaltyTransactionEntry": `{"loyaltyAccountId":"` + someID + `","direction":"credit","type":"loyalty_rule","amount":10,` +
		`"loyaltyTransactionId":"` + someID + `","loyaltyCurrencyId":"` + someID + `","loyaltyAccount":{"id":"` + someID +
		`","user":{"id":"` + someID + `","walletAddress":"cust_1001"}}`,
	"LoyaltyAccount": `{"loyaltyCurrencyId":"` + someID + `","userId":"` + someID + `","amount":120,"lockVersion":12`,
	"LoyaltyRule":    `{"name":"Daily check-in","type":"check_in","amount":10,"loyaltyCurrencyId":"` + someID + `"`,
	"LoyaltyRuleStatus": `{"loyaltyRuleId":"` + someID + `","userId":"` + someID + `","progress":1,"fulfilledAt":"` + someTime +
		`","loyaltyRule":{"id":"` + someID + `","name":"Daily check-in"},"user":{"id":"` + someID + `","walletAddress":"cust_1001"}`,
	"LoyaltyBadge":         `{"name":"Early bird","description":"","imageUrl":"https://files.example/badge.png"`,
	"LoyaltyBadgeUser":     `{"loyaltyBadgeId":"` + someID + `","userId":"` + someID + `","status":"active"`,
	"UserMetadata":         `{"userId":"` + someID + `","displayName":"Ada","user":{"id":"` + someID + `","walletAddress":"cust_1001"}`,
	"User":                 `{"walletAddress":"cust_1001","walletType":null`,
	"AuctionBid":           `{"auctionId":"` + someID + `","userId":"` + someID + `","amount":"25"`,
	"MintingContractAsset": `{"name":"Poster","mintingContractId":"` + someID + `"`,
	"LoyaltyHold":          `{"userId":"` + someID + `","loyaltyCurrencyId":"` + someID + `","amount":10,"capturedAmount":0,"status":"held"`,
	"TokenClaim":           `{"name":"Season one","claim":null`,
	"Subscription":         `{"name":"CRM","disabledAt":"` + someTime + `","disabledReason":"The endpoint answered 410 Gone","consecutiveFailures":1`,
	"contract": `{"chainId":1,"contractAddress":"0x00000000000000000000000000000000000000aa","args":{},"blockNumber":"1",` +
		`"txHash":"0x0000000000000000000000000000000000000000000000000000000000000001","removed":false`,
}

const (
	someID   = "01900000-0000-7000-8000-000000000000"
	someTime = "2026-01-15T12:00:00.000Z"
)

// sampleEvent returns the data of a test event of a type, and its table, which is "" for a contract. Errors: Invalid
// for a type that is not in types.
func sampleEvent(kind string, types []string) (data json.RawMessage, table string, err error) {
	if !slices.Contains(types, kind) {
		var f laurel.Faults
		f.Add("type", "must be one of: %s", strings.Join(types, ", "))
		return nil, "", f.Err()
	}
	table, _, _ = strings.Cut(kind, ".")
	text := samples[table]
	if table == "contract" {
		table = ""
	} else {
		text = `{"id":"` + someID + `",` + text[1:]
	}
	return json.RawMessage(text + `,"test":true}`), table, nil
}
