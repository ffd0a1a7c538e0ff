package ruletypes

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/schema"
)

// Input is a call to complete a rule (contract 4.2).
type Input struct {
	RuleID           laurel.ID
	User             identity.Ref
	Amount           *laurel.Amount // override, external_rule only
	ContentURL       string
	Key              string // idempotencyKey, external_rule only
	QuestionChoiceID laurel.ID
	RangeValue       *laurel.Amount
	SkipRequired     bool // skipChainOrRequiredCheck
	VerificationCode string
	VerifyOnly       bool // runs every check and writes nothing
}

// Entered returns the verificationCode without surrounding space.
func (in Input) Entered() string { return strings.TrimSpace(in.VerificationCode) }

const (
	maxCompletionKey    = 70
	maxVerificationCode = 10_000
)

// Validate adds to f each fault that the input alone shows, without the rule or the member (contract 5.1, step 2).
func (in Input) Validate(f *laurel.Faults) {
	if in.Amount != nil && *in.Amount < 0 {
		f.Add("amount", "must be at least 0")
	}
	if in.ContentURL != "" {
		if !schema.ValidURL(in.ContentURL) {
			f.Add("contentUrl", "must be a valid url")
		}
	}
	f.Text("idempotencyKey", in.Key, 0, maxCompletionKey)
	f.Text("verificationCode", in.VerificationCode, 0, maxVerificationCode)
	if in.User != (identity.Ref{}) { // a missing user has a message of its own
		in.User.Validate(f)
	}
}

// Bounds returns the limits of a completion's properties (contract 5.1).
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"amount":           {"minimum": 0},
		"contentUrl":       {"format": "uri-reference", "maxLength": schema.MaxURL},
		"idempotencyKey":   {"minLength": 1, "maxLength": maxCompletionKey},
		"verificationCode": {"maxLength": maxVerificationCode},
	}}
}
