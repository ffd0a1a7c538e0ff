package rules

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

type simulateRuleInput struct {
	rest.PathID
	Body simulateRuleInputBody
}

type simulateRuleInputBody struct {
	CompleteRuleInputBody
	At    laurel.Optional[laurel.Timestamp] `json:"at,omitzero" doc:"Decides as if at this time, on the current facts"`
	Draft laurel.Optional[ruleDraft]        `json:"draft,omitzero" doc:"Properties of the rule, laid over it as by an update. Nothing is saved"`
}

// simulatedCheck is one check of the decision, in the order of contract 5.1.
type simulatedCheck struct {
	Name    string `json:"name" doc:"overrides, idempotencyKey, currency, setup, time, blocked, audience, required, window, progress, account, verification or reward"`
	Pass    bool   `json:"pass"`
	Message string `json:"message,omitempty" doc:"The refusal, as a completion would return it"`
}

type simulationBody struct {
	WouldComplete bool              `json:"wouldComplete"`
	Message       *string           `json:"message" doc:"The first refusal; null if there is none"`
	Checks        []simulatedCheck  `json:"checks" doc:"Every check, also those behind the first that fails, as far as they can be judged"`
	Rewards       []completion.Paid `json:"rewards" doc:"The rewards that would be paid"`
	Missing       *decision.Missing `json:"missing" doc:"The missing amounts, if numbers explain the refusal"`
	Transactions  []addedCall       `json:"transactions,omitempty" doc:"The transactions that the rule's function would request. They are not sent"`
}

// addedCall is a transaction that a function requested (contract 7.6).
type addedCall struct {
	To      string          `json:"to"`
	Data    string          `json:"data,omitempty" doc:"0x hex"`
	Value   string          `json:"value,omitempty" doc:"A whole number"`
	ChainID json.RawMessage `json:"chainId,omitempty"`
}

// addedCalls returns the transactions that a function requested as responses show them.
func addedCalls(list []completion.Transaction) []addedCall {
	out := make([]addedCall, len(list))
	for i, t := range list {
		out[i] = addedCall(t)
	}
	return out
}

// simulateRule decides a completion without paying it. With draft, the rule is taken as it would be with the changes in
// draft.
func (h *handlers) simulateRule(ctx context.Context, in *simulateRuleInput) (*rest.Response[simulationBody], error) {
	input, err := (&completeRuleInput{PathID: in.PathID, Body: in.Body.CompleteRuleInputBody}).completeInput()
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
	var draft *schema.Input
	if sent := in.Body.Draft.Ptr(); sent != nil {
		draft = &sent.Input
		rule, err := h.Rules.Rule(ctx, scope, in.ID.ID)
		if err != nil {
			return nil, err
		}
		if err := h.Rules.CheckDraft(ctx, scope, rule, *draft); err != nil {
			return nil, prefixDraftPaths(err)
		}
	}
	simulation, err := h.Completions.Simulate(
		ctx,
		scope,
		completion.SimulateInput{CompleteInput: input, At: in.Body.At.Value.Time, Draft: draft},
	)
	return rest.ResponseOf(simulation, err, shapeSimulation)
}

// shapeSimulation returns a simulation as responses show it: its first refusal, all checks, and the rewards that would
// be paid.
func shapeSimulation(s completion.Simulation) simulationBody {
	out := simulationBody{
		WouldComplete: s.Refusal == nil, Rewards: s.Rewards, Missing: s.Missing, Transactions: addedCalls(s.Transactions),
	}
	if s.Refusal != nil {
		text := s.Refusal.Error()
		out.Message = &text
	}
	for _, c := range s.Checks {
		check := simulatedCheck{Name: c.Name, Pass: c.Refusal == nil}
		if c.Refusal != nil {
			check.Message = c.Refusal.Error()
		}
		out.Checks = append(out.Checks, check)
	}
	return out
}
