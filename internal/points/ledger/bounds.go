package ledger

import (
	"laurel"
	"laurel/internal/outbound"
)

// Bounds returns what the properties of a currency accept (contract 3.8).
func (CurrencyInput) Bounds() laurel.Bounds {
	link := laurel.Keywords{"format": "uri", "maxLength": maxURL}
	return laurel.Bounds{
		Required: []string{"name", "symbol", "decimals"},
		NotNull:  []string{"name", "symbol", "decimals"},
		Keywords: map[string]laurel.Keywords{
			"name":   {"minLength": 1, "maxLength": maxCurrencyName},
			"symbol": {"minLength": 1, "maxLength": maxSymbol},
			"decimals": {
				"minimum":     0,
				"maximum":     maxDecimals,
				"description": "How many places a page shows; cannot be changed",
			},
			"apiAuthType":  {"enum": outbound.AuthTypes()},
			"apiAuthKey":   {"maxLength": maxCredential},
			"apiAuthValue": {"maxLength": maxCredential},
			"pointsExpireAfterDays": {
				"minimum":     1,
				"maximum":     maxExpireDays,
				"description": "How many days points live; null: they do not expire",
			},
			"pointsWaitHours": {
				"minimum":     1,
				"maximum":     maxWaitHours,
				"description": "How many hours rewards are held before they are credited; null: not at all",
			},
			"imageUrl":                  {"format": "uri-reference", "maxLength": maxURL},
			"apiGetUrl":                 link,
			"apiPostUrl":                link,
			"apiGetTransactionEntryUrl": link,
		},
	}
}
