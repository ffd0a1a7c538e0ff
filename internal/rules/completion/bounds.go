package completion

import (
	"laurel"
	"laurel/internal/rules/schema"
)

// Bounds returns what the properties of a completion accept (contract 5.1).
func (CompleteInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"amount":           {"minimum": 0},
		"contentUrl":       {"format": "uri-reference", "maxLength": schema.MaxURL},
		"idempotencyKey":   {"minLength": 1, "maxLength": maxCompletionKey},
		"verificationCode": {"maxLength": maxVerificationCode},
	}}
}
