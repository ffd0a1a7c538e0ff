package rules

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/completion"
)

type completeRuleInput struct {
	rest.PathID
	Body CompleteRuleInputBody
}

// CompleteRuleInputBody is a call to complete a rule. It is exported so that schemas that embed it have its properties.
type CompleteRuleInputBody struct {
	caller.NamedUser
	rest.TenantBody
	Amount                   laurel.Optional[laurel.Amount]   `json:"amount,omitzero" doc:"In place of the rule's amount; external_rule only"`
	ContentURL               laurel.Optional[string]          `json:"contentUrl,omitzero"`
	IdempotencyKey           laurel.Optional[string]          `json:"idempotencyKey,omitzero" doc:"Only for external_rule. Unique on the website forever, among completions and entries together"`
	LoyaltyQuestionChoiceID  laurel.Optional[laurel.ID]       `json:"loyaltyQuestionChoiceId,omitzero"`
	RangeValue               laurel.Optional[laurel.Amount]   `json:"rangeValue,omitzero" doc:"Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required: the amount is paid for each unit of it"`
	SkipChainOrRequiredCheck laurel.Optional[bool]            `json:"skipChainOrRequiredCheck,omitzero"`
	VerificationCode         laurel.Optional[string]          `json:"verificationCode,omitzero"`
	VerifyOnly               laurel.Optional[json.RawMessage] `json:"verifyOnly,omitzero" doc:"true, as boolean or text: every check and no reward"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (CompleteRuleInputBody) Bounds() laurel.Bounds {
	b := completion.CompleteInput{}.Bounds()
	b.Keywords["verifyOnly"] = laurel.Keywords{"oneOf": []laurel.Keywords{{"type": "boolean"}, {"type": "string"}}}
	return b
}

// completeInput converts the body of a request to the input of package completion. Errors: Invalid.
func (in *completeRuleInput) completeInput() (completion.CompleteInput, error) {
	b := in.Body
	out := completion.CompleteInput{
		RuleID:           in.ID.ID,
		User:             b.Ref(),
		Amount:           b.Amount.Ptr(),
		ContentURL:       b.ContentURL.Value,
		Key:              b.IdempotencyKey.Value,
		QuestionChoiceID: b.LoyaltyQuestionChoiceID.Value,
		RangeValue:       b.RangeValue.Ptr(),
		SkipRequired:     b.SkipChainOrRequiredCheck.Value,
		VerificationCode: b.VerificationCode.Value,
	}
	var f laurel.Faults
	// An empty key is refused: a caller whose order has no number would otherwise pay twice without noticing.
	if b.IdempotencyKey.Set && !b.IdempotencyKey.Null && out.Key == "" {
		f.Add("idempotencyKey", "must be at least 1 character")
	}
	switch strings.ToLower(strings.Trim(string(b.VerifyOnly.Value), `"`)) {
	case "", "null", "false", "0": // VerifyOnly stays false
	case "true", "1":
		out.VerifyOnly = true
	default:
		f.Add("verifyOnly", rest.NotBoolean)
	}
	out.Validate(&f)
	return out, f.Err()
}

type completionBody struct {
	Message string `json:"message" doc:"For people; programs read data"`
	Data    struct {
		Status               string            `json:"status" enum:"completed,pending"`
		LoyaltyTransactionID *laurel.ID        `json:"loyaltyTransactionId,omitempty"`
		Rewards              []completion.Paid `json:"rewards"`
		Transactions         []addedCall       `json:"transactions,omitempty" doc:"With verifyOnly, to secret keys: what the rule's function would ask the payout driver for. Nothing of it is sent"`
	} `json:"data"`
}

type completeRuleOutput struct {
	Replayed string `header:"Idempotent-Replayed"`
	Body     completionBody
}

// errNameUser is caller.ErrNameUser as an error without faults: with a fault the message of a completion would be
// "Invalid request".
var errNameUser = laurel.Errorf(laurel.Invalid, "userId or walletAddress is required")

// completeRule completes a rule for the user that the body names. A client key must be allowed to act for that user,
// and its completions are limited per minute.
func (h *handlers) completeRule(ctx context.Context, in *completeRuleInput) (*completeRuleOutput, error) {
	input, err := in.completeInput()
	if err != nil {
		return nil, err
	}
	if input.User.UserID.IsZero() && input.User.Wallet == "" {
		return nil, errNameUser
	}
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient {
		if err := h.Caller.CheckActsFor(ctx, scope, input.User); err != nil {
			return nil, err
		}
		if err := h.limitCompletions(ctx, scope, input); err != nil {
			return nil, err
		}
	}
	completed, err := h.Completions.Complete(ctx, scope, input)
	if err != nil {
		return nil, err
	}
	out := &completeRuleOutput{}
	out.Body.Message, out.Body.Data.Status = completed.Message, completed.Status
	out.Body.Data.LoyaltyTransactionID, out.Body.Data.Rewards = completed.TransactionID, completed.Rewards
	if scope.HasSecretKey() { // calls contain data for the payout driver, such as signatures
		out.Body.Data.Transactions = addedCalls(completed.Transactions)
	}
	if completed.Replayed {
		out.Replayed = "true"
	}
	return out, nil
}

// The limits of completions through client keys (contract 1.9).
const (
	completionsPerUser        = 7
	completionsPerUserAndRule = 2
)

// limitCompletions counts a completion through a client key against two limits per minute: that of the user, and that
// of the user for this rule. A group counts as one user. Errors: RateLimited.
func (h *handlers) limitCompletions(ctx context.Context, scope laurel.Scope, input completion.CompleteInput) error {
	if h.CompletionLimitsOff {
		return nil
	}
	user, err := h.Identity.Person(ctx, scope, input.User)
	if err != nil {
		return err
	}
	prefix := "complete:" + scope.WebsiteID.String() + ":"
	for _, l := range []struct {
		name, policy string
		most         int
	}{
		{prefix + user.UserID.String(), "completions", completionsPerUser},
		{prefix + input.RuleID.String() + ":" + user.UserID.String(), "completions-per-rule", completionsPerUserAndRule},
	} {
		allowed, err := h.Tenancy.Allow(ctx, l.name, l.most, time.Minute)
		if err != nil {
			return err
		}
		if err := rest.ReportSharedLimit(ctx, l.policy, l.most, time.Minute, allowed); err != nil {
			return err
		}
	}
	return nil
}
