package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/schema"
)

const (
	maxFunctionTime = 5 * time.Second // of a run that a caller waits for (contract 7.6)
	maxEntryData    = 1 << 10         // data must have fewer bytes
	maxFunctionKey  = 70              // characters of idempotencyKey
)

// Functions verifies members by the functions of rules (contract 7.6, rule run and rule result).
type Functions struct{ functions *functions.Service }

// NewFunctions returns the provider.
func NewFunctions(s *functions.Service) Functions { return Functions{s} }

// IsAvailable reports whether the rule refers to a live function of its website that is not disabled.
func (p Functions) IsAvailable(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	if rule.FunctionID == nil {
		return false, nil
	}
	return p.functions.IsRunnable(ctx, scope, *rule.FunctionID)
}

// Verify runs the function. A run that fails or has an invalid result is a Verification with IsInvalid. If the function
// does not respond in time, or finds no free place to run, the error has the code laurel.Unanswered.
func (p Functions) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	if q.Rule.FunctionID == nil {
		return Verification{}, errors.New("providers: the rule has no function")
	}
	in := functions.RuleInput{
		FunctionID: *q.Rule.FunctionID, RuleID: q.RuleID, Input: functionInput(q), DryRun: q.DryRun,
	}
	if e := q.Event; e != nil {
		in.SubscriptionID, in.EventID, in.Attempt, in.Input["event"] = e.SubscriptionID, e.ID, e.Attempt, e.Body
	}
	run, err := p.runOrResume(ctx, scope, q, in)
	switch {
	case errors.Is(err, sandbox.ErrBusy):
		return Verification{}, unansweredError(outbound.ProviderBusy, fmt.Errorf("%w: %w", ErrBusy, err))
	case errors.Is(err, context.DeadlineExceeded):
		return Verification{}, unansweredError(outbound.ProviderSlow, err)
	case err != nil:
		return Verification{}, err
	case run.Status == functions.Running:
		return Verification{IsRunning: true, RunID: run.ID}, nil
	case run.Status != functions.Succeeded:
		return Verification{IsInvalid: true, RunID: run.ID, IsFinal: run.Final}, nil
	}
	v := readFunctionResult(json.RawMessage(run.Output), q)
	v.RunID = run.ID
	if v.Fulfilled && len(run.Transactions) > 0 {
		v.Requested = &functions.RequestedTransactions{FunctionID: run.FunctionID, RunID: run.ID, Calls: run.Transactions}
	}
	return v, nil
}

// runOrResume returns a run of the function for the request. If q.RunID names a run that was started for the request
// earlier, it reads that run. Otherwise, or if that run was interrupted or belongs to another function than the rule
// has now, it starts a run and waits as q.WaitMode says.
func (p Functions) runOrResume(
	ctx context.Context,
	scope laurel.Scope,
	q VerificationRequest,
	in functions.RuleInput,
) (functions.Run, error) {
	if !q.RunID.IsZero() {
		run, err := p.functions.GetRun(ctx, scope, in.FunctionID, q.RunID)
		if laurel.CodeOf(err) != laurel.NotFound && !run.WasInterrupted() {
			return run, err
		}
	}
	switch q.WaitMode {
	case ContinueInBackground:
		return p.functions.RunRuleWithin(ctx, scope, in, maxFunctionTime)
	case WaitBriefly:
		within, cancel := context.WithTimeout(ctx, maxFunctionTime)
		defer cancel()
		ctx = within
	}
	return p.functions.RunRule(ctx, scope, in)
}

// functionInput returns the input of the function's handler, without trigger and secrets. The first member of the
// request is the user; a request without members, as for an event, has an empty user.
func functionInput(q VerificationRequest) map[string]any {
	type member struct {
		ID         *laurel.ID `json:"id"`
		Wallet     *string    `json:"walletAddress"`
		WalletType *string    `json:"walletType,omitempty"`
	}
	user, group, profile := member{}, []member{}, (*identity.Profile)(nil)
	for i, m := range q.Members {
		entry := member{ID: m.UserID.Ptr(), Wallet: orNull(m.Wallet)}
		if i == 0 {
			user, profile = entry, m.Profile
			user.WalletType = orNull(m.WalletType)
		}
		group = append(group, entry)
	}
	r := q.Rule
	return map[string]any{
		"user": user, "userMetadata": profile, "userGroupUsers": group,
		"loyaltyRule": map[string]any{
			"id": q.RuleID, "name": r.Name, "type": r.Type, "amount": r.Amount, "metadata": withoutSecrets(r.Metadata),
			"startTime": r.StartTime, "endTime": r.EndTime, "interval": r.Interval, "rewardType": r.RewardType,
		},
		"request": request{
			ContentURL: orNull(q.Request.ContentURL), Code: orNull(q.Request.Code), RangeValue: q.Request.RangeValue,
		},
	}
}

// withoutSecrets returns the metadata of a rule with null for its secrets.
func withoutSecrets(metadata json.RawMessage) json.RawMessage {
	removeSecret := func(string, schema.MetaSecret) (*schema.MetaSecret, error) { return nil, nil }
	cleaned, err := schema.MapSecrets(metadata, removeSecret)
	if err != nil || len(cleaned) == 0 {
		return json.RawMessage("{}")
	}
	return cleaned
}

// functionResult is an item of a handler's result.
type functionResult struct {
	Wallet     string         `json:"walletAddress"`
	Amount     *laurel.Amount `json:"amount"`
	Key        *string        `json:"idempotencyKey"`
	Data       *string        `json:"data"`
	BadgeID    *laurel.ID     `json:"loyaltyBadgeId"`
	Multiplier *laurel.Amount `json:"loyaltyMultiplierAmount"`
}

// readFunctionResult decodes the result of a handler: an array with one item, or an empty array if the member has not
// earned the rule. Any other result is invalid.
func readFunctionResult(text json.RawMessage, q VerificationRequest) Verification {
	var items []functionResult
	if !strings.HasPrefix(string(bytes.TrimSpace(text)), "[") || json.Unmarshal(text, &items) != nil || len(items) > 1 {
		return Verification{IsInvalid: true}
	}
	if len(items) == 0 {
		return Verification{}
	}
	r := items[0]
	if !r.isValid(q) {
		return Verification{IsInvalid: true}
	}
	v := Verification{Fulfilled: true, Amount: r.Amount}
	if !r.namesMember(q) {
		v.Wallet = identity.NormalizeWallet(r.Wallet)
	}
	if q.Rule.RewardType == schema.RewardMultiplier && r.Multiplier != nil {
		v.Amount = r.Multiplier
	}
	if q.Rule.RewardType == schema.RewardBadge {
		v.BadgeID = r.BadgeID
	}
	if r.Data != nil {
		v.Data = asObject(*r.Data)
	}
	if r.Key != nil {
		v.Key = *r.Key
	}
	return v
}

// namesMember reports whether an item has the wallet of the member or of another member of its group.
func (r *functionResult) namesMember(q VerificationRequest) bool {
	wallet := identity.NormalizeWallet(r.Wallet)
	return slices.ContainsFunc(q.Members, func(m Member) bool { return m.Wallet != "" && m.Wallet == wallet })
}

// isValid reports whether all properties of an item are valid. Only for dapp rules and for events may the wallet be
// that of another member than the request's.
func (r *functionResult) isValid(q VerificationRequest) bool {
	var f laurel.Faults
	identity.Ref{Wallet: r.Wallet}.Validate(&f)
	switch {
	case f.Err() != nil,
		!r.namesMember(q) && !q.Rule.IsDappRule && q.Event == nil,
		r.Amount != nil && *r.Amount < 0,
		r.Multiplier != nil && *r.Multiplier <= 0,
		r.Key != nil && (*r.Key == "" || len(*r.Key) > maxFunctionKey || strings.ContainsRune(*r.Key, 0)):
		return false
	case r.Data == nil:
		return true
	case len(*r.Data) >= maxEntryData:
		return false
	}
	return json.Valid([]byte(*r.Data)) && !strings.Contains(*r.Data, `\u0000`)
}

// asObject returns a JSON object unchanged, and any other JSON value as the property data of an object.
func asObject(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text
	}
	return `{"data":` + text + `}`
}
