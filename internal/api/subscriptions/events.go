package subscriptions

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/webhooks"
)

// event is contract 3.33.
type event struct {
	ID            laurel.ID            `json:"id"`
	TriggeredAt   laurel.Timestamp     `json:"triggeredAt"`
	Table         *string              `json:"table"`
	Type          string               `json:"type"`
	Status        string               `json:"status" enum:"pending,delivered,failed,skipped,held"`
	Attempts      int64                `json:"attempts"`
	NextAttemptAt laurel.NullTimestamp `json:"nextAttemptAt"`
	FunctionRun   *eventRun            `json:"functionRun"`
	FunctionRuns  []eventRun           `json:"functionRuns,omitempty" doc:"Present if the subscription has several functions"`
	Callback      *callback            `json:"callback"`
	Event         *contractEvent       `json:"event"`
	Payload       laurel.Object        `json:"payload" doc:"The whole body of v2"`
}

type eventRun struct {
	ID     *string    `json:"id" doc:"The function; null of a rule that decides by itself"`
	RuleID *laurel.ID `json:"loyaltyRuleId,omitempty" doc:"The rule that decides on the event; absent of a function that the subscription names itself"`
	RunID  *laurel.ID `json:"runId"`
	Status string     `json:"status" enum:"pending,succeeded,failed"`
	Output rest.Any   `json:"output"`
}

type callback struct {
	Response CallbackResponse `json:"response"`
}

// CallbackResponse is the response of a callback. It is exported so that schemas that embed it have its properties.
type CallbackResponse struct {
	Status     *int64  `json:"status"`
	Body       string  `json:"body"`
	DurationMs int64   `json:"durationMs"`
	Error      *string `json:"error"`
}

type contractEvent struct {
	BlockNumber     string           `json:"blockNumber"`
	TxHash          string           `json:"txHash"`
	EventKey        string           `json:"eventKey"`
	ContractAddress string           `json:"contractAddress"`
	DetectedAt      laurel.Timestamp `json:"detectedAt"`
}

// shapeContractEvent returns what an event says of its contract; nil for one of a platform table.
func shapeContractEvent(d webhooks.Delivery) *contractEvent {
	of := d.Contract()
	if of == nil {
		return nil
	}
	out := contractEvent(*of)
	return &out
}

// shapeAttempt returns the result of an attempt to deliver an event as responses show it: the status and body that the
// callback returned, or the error.
func shapeAttempt(a webhooks.Attempt) CallbackResponse {
	return CallbackResponse{Status: a.Status, Body: a.Body, DurationMs: a.Duration.Milliseconds(), Error: a.Error}
}

// shapeEvent returns a delivery as responses show it: as an event of its subscription, with the runs of its functions
// and the last attempt. functionRun is the first run; functionRuns has all if there are several.
func shapeEvent(d webhooks.Delivery) event {
	out := event{
		ID: d.ID, TriggeredAt: laurel.Timestamp{Time: d.TriggeredAt}, Type: d.Type, Status: d.Status, Attempts: d.Attempts,
		NextAttemptAt: d.NextAttemptAt, Payload: laurel.Object(d.BodyV2()),
	}
	if d.Table != "" && !d.IsOfContract() {
		out.Table = &d.Table
	}
	out.Event = shapeContractEvent(d)
	for _, f := range d.Functions {
		run := eventRun{RuleID: f.RuleID.Ptr(), RunID: f.RunID.Ptr(), Status: f.Status, Output: rest.Any(f.Output)}
		if f.ID != "" {
			run.ID = &f.ID
		}
		if run.Output == nil {
			run.Output = rest.Any(json.RawMessage("null"))
		}
		out.FunctionRuns = append(out.FunctionRuns, run)
	}
	if len(out.FunctionRuns) > 0 {
		out.FunctionRun = &out.FunctionRuns[0]
	}
	if len(out.FunctionRuns) == 1 {
		out.FunctionRuns = nil
	}
	if d.Last != nil {
		out.Callback = &callback{shapeAttempt(*d.Last)}
	}
	return out
}

type listEventsInput struct {
	rest.PathID
	rest.Tenant
	Limit         rest.Limit100 `query:"limit"`
	StartingAfter rest.ID       `query:"startingAfter"`
	Cursor        rest.ID       `query:"cursor" doc:"The same as startingAfter"`
	Status        rest.Strings  `query:"status" doc:"One or many of pending, delivered, failed, skipped, held"`
}

// listEvents returns a page of the events of a subscription. cursor is another name of startingAfter.
func (h *handlers) listEvents(ctx context.Context, in *listEventsInput) (*rest.Page[event], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := checkStatuses(in.Status.Values); err != nil {
		return nil, err
	}
	after := in.StartingAfter
	if after.IsZero() {
		after = in.Cursor
	}
	page, err := h.Webhooks.ListEvents(ctx, scope, in.ID.ID, in.Status.Values, rest.PageRequest(in.Limit.Or(), after))
	return rest.ListOf(page, err, shapeEvent)
}

// checkStatuses checks that all statuses are known. Errors: Invalid.
func checkStatuses(statuses []string) error {
	allowed := webhooks.Statuses()
	for _, s := range statuses {
		if !slices.Contains(allowed, s) {
			var f laurel.Faults
			f.Add("status", "must be one of: %s", strings.Join(allowed, ", "))
			return f.Err()
		}
	}
	return nil
}

type eventInput struct {
	rest.PathID
	EventID rest.ID `path:"eventId"`
	rest.Tenant
}

// DeliveredEvent is exported so that schemas that embed it have its properties.
type DeliveredEvent = event

// storiedEvent is an event with all attempts.
type storiedEvent struct {
	DeliveredEvent
	AttemptList []attempt `json:"attemptList"`
}

type attempt struct {
	Number int64            `json:"number"`
	At     laurel.Timestamp `json:"at"`
	CallbackResponse
}

// getEvent returns an event with all attempts to deliver it.
func (h *handlers) getEvent(ctx context.Context, in *eventInput) (*rest.Response[storiedEvent], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	d, attempts, err := h.Webhooks.GetEvent(ctx, scope, in.ID.ID, in.EventID.ID)
	return rest.ResponseOf(d, err, func(d webhooks.Delivery) storiedEvent {
		out := storiedEvent{DeliveredEvent: shapeEvent(d), AttemptList: []attempt{}}
		for _, a := range attempts {
			out.AttemptList = append(out.AttemptList, attempt{a.Number, laurel.Timestamp{Time: a.At}, shapeAttempt(a)})
		}
		return out
	})
}

type redeliverInput struct {
	rest.PathID
	EventID rest.ID `path:"eventId"`
	Body    struct {
		rest.TenantBody
	}
}

// redeliver sends an event again.
func (h *handlers) redeliver(ctx context.Context, in *redeliverInput) (*rest.Response[event], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	d, err := h.Webhooks.Redeliver(ctx, scope, in.ID.ID, in.EventID.ID)
	return rest.ResponseOf(d, err, shapeEvent)
}

type rangeInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		From   laurel.Optional[laurel.Timestamp] `json:"from,omitzero"`
		To     laurel.Optional[laurel.Timestamp] `json:"to,omitzero"`
		Status rest.OneOrMany                    `json:"status,omitempty" doc:"One or many; none: every status"`
	}
}

type queued struct {
	Queued int64 `json:"queued"`
}

// redeliverRange enqueues the events of a period for another delivery and returns their number.
func (h *handlers) redeliverRange(ctx context.Context, in *rangeInput) (*rest.Response[queued], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	if err := checkStatuses(in.Body.Status); err != nil {
		return nil, err
	}
	n, err := h.Webhooks.RedeliverRange(ctx, scope, in.ID.ID, webhooks.Range{
		From: momentOf(in.Body.From), To: momentOf(in.Body.To), Statuses: in.Body.Status,
	})
	return rest.ResponseOf(n, err, func(n int64) queued { return queued{n} })
}

// momentOf returns the time of an optional timestamp; zero for none.
func momentOf(in laurel.Optional[laurel.Timestamp]) time.Time {
	if t := in.Ptr(); t != nil {
		return t.Time
	}
	return time.Time{}
}

type testInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		Type string `json:"type,omitempty" doc:"One of the subscription's own; default the first"`
	}
}

// test sends a made-up event to a subscription.
func (h *handlers) test(ctx context.Context, in *testInput) (*rest.Response[event], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	d, err := h.Webhooks.Test(ctx, scope, in.ID.ID, in.Body.Type)
	return rest.ResponseOf(d, err, shapeEvent)
}
