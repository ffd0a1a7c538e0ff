package rules

import (
	"context"
	"errors"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/replay"
	"laurel.example/laurel/internal/rules/schema"
)

type replayRuleInput struct {
	rest.PathID
	Body replayRuleInputBody
}

// ruleDraft is an unsaved change of a rule.
type ruleDraft struct{ schema.Input }

type replayRuleInputBody struct {
	rest.TenantBody
	Draft ruleDraft        `json:"draft" doc:"Properties of the rule, as an update has them. Those that are left out stay as they are"`
	From  laurel.Timestamp `json:"from" doc:"Completions from here on are decided again"`
	To    laurel.Timestamp `json:"to" doc:"Up to here, exclusive"`
}

// BegunReplay is a replay that has begun.
type BegunReplay struct {
	ID       laurel.ID `json:"id"`
	Status   string    `json:"status" enum:"pending,processing,complete,failed,cancelled"`
	Progress int64     `json:"progress" minimum:"0" maximum:"100" doc:"Percent of the period that is done"`
}

type replayBody struct {
	BegunReplay
	LoyaltyRuleID laurel.ID        `json:"loyaltyRuleId"`
	From          laurel.Timestamp `json:"from"`
	To            laurel.Timestamp `json:"to"`
	Message       string           `json:"message,omitempty" doc:"Why it failed"`
	Result        *replayResult    `json:"result" doc:"null until the job is complete"`
	CreatedAt     laurel.Timestamp `json:"createdAt"`
	UpdatedAt     laurel.Timestamp `json:"updatedAt"`
}

// replayResult is the result of a replay, in the rule's currency.
type replayResult struct {
	Paid          laurel.Amount `json:"paid" doc:"By the rule as it was then"`
	WouldPay      laurel.Amount `json:"wouldPay" doc:"By the changed rule"`
	Difference    laurel.Amount `json:"difference"`
	Members       int           `json:"members" doc:"The number of members whose sum would differ"`
	KeptOverrides int           `json:"keptOverrides" doc:"Completions that do not change because the caller set their amount"`
}

// replayRule enqueues a replay: the completions of a period are decided again by a changed rule.
func (h *handlers) replayRule(ctx context.Context, in *replayRuleInput) (*rest.Response[BegunReplay], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	job, err := h.Replays.Enqueue(ctx, scope, replay.Input{
		RuleID: in.ID.ID, Changes: in.Body.Draft.Input, From: in.Body.From.Time, To: in.Body.To.Time,
	})
	return rest.ResponseOf(job, prefixDraftPaths(err, "from", "to"), shapeBegunReplay)
}

func shapeBegunReplay(j replay.Job) BegunReplay { return BegunReplay{j.ID, j.Status, j.Progress} }

type listReplaysInput struct {
	rest.PathID
	rest.Paging
}

// listReplays returns a page of the replays of a rule.
func (h *handlers) listReplays(ctx context.Context, in *listReplaysInput) (*rest.Page[replayBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Replays.List(ctx, scope, in.ID.ID, in.Page())
	return rest.ListOf(page, err, shapeReplay)
}

// shapeReplay returns a replay as responses show it, with its result once it is complete.
func shapeReplay(j replay.Job) replayBody {
	out := replayBody{
		BegunReplay: shapeBegunReplay(j), LoyaltyRuleID: j.RuleID, From: j.From, To: j.To,
		Message: j.Message, CreatedAt: j.CreatedAt, UpdatedAt: j.UpdatedAt,
	}
	if r := j.Result; r != nil {
		out.Result = &replayResult{
			Paid: r.Total.Paid, WouldPay: r.Total.WouldPay, Difference: r.Total.Difference(), Members: r.Members,
			KeptOverrides: r.Overridden,
		}
	}
	return out
}

// prefixDraftPaths puts "draft." before the paths of the faults of a draft (contract 4.2), and before messages that
// begin with the path. Faults of otherProperties, which are beside the draft in the body, stay as they are, and so does
// any error that is not Invalid.
func prefixDraftPaths(err error, otherProperties ...string) error {
	var invalid *laurel.Error
	if !errors.As(err, &invalid) || invalid.Code != laurel.Invalid {
		return err
	}
	var f laurel.Faults
	for _, fault := range invalid.Faults {
		if slices.Contains(otherProperties, fault.Path) {
			f.AddText(fault.Path, fault.Message)
			continue
		}
		message := fault.Message
		if strings.HasPrefix(message, fault.Path) {
			message = "draft." + message
		}
		f.AddText("draft."+fault.Path, message)
	}
	return f.Err()
}
