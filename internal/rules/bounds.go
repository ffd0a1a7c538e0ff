package rules

import (
	"laurel"
	"laurel/internal/rulebook"
)

// Bounds answers what the properties of a completion accept (contract 5.1).
func (CompleteInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"amount":           {"minimum": 0},
		"contentUrl":       {"format": "uri-reference", "maxLength": rulebook.MaxURL},
		"idempotencyKey":   {"minLength": 1, "maxLength": maxCompletionKey},
		"verificationCode": {"maxLength": maxVerificationCode},
	}}
}

// Bounds answers what the properties of a group of rules accept (contract 3.14).
func (GroupInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Needed: []string{"name"},
		Filled: []string{"name", "isCollapsible", "isRequired", "sortId"},
		Keywords: map[string]laurel.Keywords{
			"name":     {"minLength": 1, "maxLength": rulebook.MaxName},
			"subTitle": {"maxLength": rulebook.MaxName},
			"subtitle": {"maxLength": rulebook.MaxName, "description": "Another spelling of subTitle"},
		},
	}
}

// Bounds answers what a written progress accepts (contract 3.16).
func (StatusInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"progress": {"minimum": 0}, "incProgress": {"minimum": 0}}}
}
