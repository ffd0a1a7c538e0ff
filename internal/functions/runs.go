package functions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/jsontext"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The states of a run (contract 3.34).
const (
	Running   = "running"
	Succeeded = "succeeded"
	Failed    = "failed"
)

// Statuses lists the states of a run.
func Statuses() []string { return []string{Running, Succeeded, Failed} }

// The triggers of runs (contract 7.6).
const (
	triggerEvent  = "subscription"
	triggerCron   = "cron"
	triggerInvoke = "invoke"
	triggerRule   = "rule"
)

const (
	runLeaseTime = 2 * time.Minute // longer than a run may wait for a place and take
	runRetention = 30 * 24 * time.Hour
)

// The errors of runs that were refused or interrupted.
const (
	msgBusy        = "Too many functions are running, try again"
	msgInterrupted = "The server ended while the function ran"
	msgDisabled    = "Function is disabled"
	msgNotFound    = "Function not found"
	msgCallerGone  = "Nobody waits for the function any more"
)

// Run is one execution of a function: a row of function_runs.
type Run struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"-"`
	WebsiteID      laurel.ID            `db:"website_id" json:"-"`
	FunctionID     laurel.ID            `db:"function_id" json:"functionId"`
	Version        int64                `db:"version" json:"version"`
	Trigger        string               `db:"trigger_kind" json:"trigger"`
	Status         string               `db:"status" json:"status"`
	Final          bool                 `db:"final" json:"-"` // output.fail ended it, or the function cannot run: no later attempt helps
	Output         laurel.RawJSON       `db:"output" json:"output"`
	Error          laurel.NullText      `db:"error" json:"error"` // of a failed one
	Logs           laurel.List[string]  `db:"logs" json:"logs"`
	Milliseconds   int64                `db:"duration_ms" json:"durationMs"`
	RuleID         laurel.NullID        `db:"rule_id" json:"-"`
	SubscriptionID laurel.NullID        `db:"subscription_id" json:"-"`
	EventID        laurel.NullID        `db:"event_id" json:"-"`
	Attempt        int64                `db:"attempt" json:"-"`
	ScheduledAt    laurel.NullTimestamp `db:"scheduled_at" json:"-"` // of a cron run
	LeaseAt        laurel.Timestamp     `db:"lease_at" json:"-"`     // it counts as interrupted if it still runs then
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	// Transactions are those that a run for a rule requested. Lists leave them out.
	Transactions []Call `json:"-"`
}

// Duration returns how long the handler ran.
func (r Run) Duration() time.Duration { return time.Duration(r.Milliseconds) * time.Millisecond }

// EventInput is an event that a function runs on. Attempt counts from 1.
type EventInput struct {
	FunctionID     laurel.ID
	SubscriptionID laurel.ID
	EventID        laurel.ID
	Event          json.RawMessage // the v2 body (contract 7.3)
	Attempt        int
}

// pendingRun is a run that is to be executed.
type pendingRun struct {
	function Function
	run      Run
	input    map[string]any // of the handler, without trigger and secrets
	source   laurel.ID      // requests its transactions once; zero: the run itself
	isDry    bool           // its transactions are dropped
	request  *laurel.RequestKey
}

// Invoke runs a function with an input and waits for the result. A handler that fails is a Run with Status Failed.
// Errors: NotFound "Function", Refused if it is disabled.
func (s *Service) Invoke(ctx context.Context, scope laurel.Scope, id laurel.ID, input json.RawMessage) (Run, error) {
	f, err := s.Get(ctx, scope, id, 0)
	if err != nil {
		return Run{}, err
	}
	if f.Disabled {
		return Run{}, laurel.Errorf(laurel.Refused, msgDisabled)
	}
	if len(input) == 0 {
		input = json.RawMessage("null")
	}
	// The run goes on if the caller disconnects, and its result is stored.
	return ignoreBusy(s.execute(context.WithoutCancel(ctx), pendingRun{
		function: f, run: Run{Trigger: triggerInvoke}, input: map[string]any{"input": input}, request: scope.Request,
	}))
}

// ignoreBusy drops the error of a run that found no free child in time: the run itself has failed with that reason.
func ignoreBusy(r Run, err error) (Run, error) {
	if errors.Is(err, sandbox.ErrBusy) {
		return r, nil
	}
	return r, err
}

// RunEvent runs a function on an event of a subscription. A handler that fails is a Run with Status Failed. Its Final
// is true if later attempts would not help: output.fail ended it, or the function is disabled or deleted. An error is a
// fault of this service, after which the caller tries the event again.
func (s *Service) RunEvent(ctx context.Context, scope laurel.Scope, in EventInput) (Run, error) {
	run := Run{
		FunctionID: in.FunctionID, Trigger: triggerEvent, SubscriptionID: laurel.NullableID(in.SubscriptionID),
		EventID: laurel.NullableID(in.EventID), Attempt: int64(in.Attempt),
	}
	f, err := s.Get(ctx, scope, in.FunctionID, 0)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound:
		run.Status, run.Error, run.Final, run.Logs = Failed, msgNotFound, true, laurel.List[string]{}
		run.CreatedAt.Time = s.DB.Now()
		return run, nil
	case err != nil:
		return Run{}, err
	case f.Disabled:
		return s.recordRefused(ctx, f, run)
	}
	return s.execute(ctx, pendingRun{
		function: f, run: run, source: in.EventID,
		input: map[string]any{"subscriptionId": in.SubscriptionID, "event": in.Event},
	})
}

// RuleInput is the input of a function that decides for a rule.
type RuleInput struct {
	FunctionID, RuleID laurel.ID
	Input              map[string]any // of the handler, without trigger and secrets
	// The event that triggers the rule; zero in calls and runs.
	SubscriptionID, EventID laurel.ID
	Attempt                 int  // from 1
	DryRun                  bool // the handler sees it, and its transactions are dropped
}

// RunRule runs a function for a rule (contract 7.6, rule run), until ctx ends at the latest. A handler that fails is a
// Run with Status Failed. The Run has the transactions that the handler added: the caller stages them with the payment,
// by StageTransactions. Errors: sandbox.ErrBusy, that of ctx, NotFound "Function".
func (s *Service) RunRule(ctx context.Context, scope laurel.Scope, in RuleInput) (Run, error) {
	p, err := s.newRuleRun(ctx, scope, in)
	if err != nil {
		return Run{}, err
	}
	return s.execute(ctx, p)
}

// RunRuleWithin runs a function for a rule, as RunRule does, but waits for the result no longer than timeout. A run
// that takes longer, or whose ctx ends, continues in the background; after the timeout the result is the Run with
// Status Running.
func (s *Service) RunRuleWithin(
	ctx context.Context, scope laurel.Scope, in RuleInput, timeout time.Duration,
) (Run, error) {
	p, err := s.newRuleRun(ctx, scope, in)
	if err != nil {
		return Run{}, err
	}
	input, err := s.beginRun(ctx, &p)
	if err != nil {
		return Run{}, err
	}
	type outcome struct {
		run Run
		err error
	}
	result, startedRun := make(chan outcome, 1), p.run
	s.detachedRuns.Go(func() {
		var o outcome
		o.run, o.err = s.finishRun(context.WithoutCancel(ctx), p, input)
		result <- o
	})
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case o := <-result:
		return o.run, o.err
	case <-timer.C:
		return startedRun, nil
	case <-ctx.Done():
		return Run{}, ctx.Err()
	}
}

// Close waits for runs in the background. The sandbox must be closed before.
func (s *Service) Close() { s.detachedRuns.Wait() }

// WasInterrupted reports whether a run failed before its handler could decide: it found no free place, or its server
// ended.
func (r Run) WasInterrupted() bool {
	return r.Status == Failed && (r.Error == msgBusy || r.Error == msgInterrupted)
}

// newRuleRun returns the run of a function for a rule. Errors: NotFound "Function", also if it is disabled.
func (s *Service) newRuleRun(ctx context.Context, scope laurel.Scope, in RuleInput) (pendingRun, error) {
	f, err := s.Get(ctx, scope, in.FunctionID, 0)
	if err != nil {
		return pendingRun{}, err
	}
	if f.Disabled {
		return pendingRun{}, errFunctionNotFound()
	}
	run := Run{
		Trigger: triggerRule, RuleID: laurel.NullableID(in.RuleID), SubscriptionID: laurel.NullableID(in.SubscriptionID),
		EventID: laurel.NullableID(in.EventID), Attempt: int64(in.Attempt),
	}
	return pendingRun{function: f, run: run, input: in.Input, isDry: in.DryRun}, nil
}

// recordRefused stores a run of a disabled function as failed, and returns it.
func (s *Service) recordRefused(ctx context.Context, f Function, run Run) (Run, error) {
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		run.begin(tx, f)
		run.Status, run.Final, run.Error = Failed, true, msgDisabled
		_, err := runTable.Insert(ctx, tx, &run, "")
		return err
	})
	return run, err
}

// begin sets the properties of a run that begins, except what started it.
func (r *Run) begin(tx *store.Tx, f Function) {
	r.ID, r.OrganizationID, r.WebsiteID, r.FunctionID = tx.NewID(), f.OrganizationID, f.WebsiteID, f.ID
	r.Version, r.Status, r.Logs = f.Version, Running, laurel.List[string]{}
	r.CreatedAt.Time, r.LeaseAt.Time = tx.Now(), tx.Now().Add(runLeaseTime)
}

// execute stores a run, executes it in the sandbox and stores its result, which it returns.
func (s *Service) execute(ctx context.Context, p pendingRun) (Run, error) {
	input, err := s.beginRun(ctx, &p)
	if err != nil {
		return Run{}, err
	}
	return s.finishRun(ctx, p, input)
}

// beginRun stores a run with Status Running, and returns the input of its handler as JSON. It sets the properties of
// p.run that every run begins with, such as its id.
func (s *Service) beginRun(ctx context.Context, p *pendingRun) (json.RawMessage, error) {
	input, err := s.handlerInput(*p)
	if err != nil {
		return nil, err
	}
	return input, s.DB.Write(ctx, p.request, func(tx *store.Tx) error {
		p.run.begin(tx, p.function)
		_, err := runTable.Insert(ctx, tx, &p.run, "")
		return err
	})
}

// finishRun executes a run in the sandbox, and stores its result with the transactions that it requested. If another
// node has ended the run meanwhile because its lease expired, the result is dropped and the run is returned as
// interrupted. The error is that of the sandbox or of storing the result.
func (s *Service) finishRun(ctx context.Context, p pendingRun, input json.RawMessage) (Run, error) {
	result, failure := s.Sandbox.Run(ctx, sandbox.Call{
		Tenant: worker.Tenant{Organization: p.function.OrganizationID, Website: p.function.WebsiteID},
		Code:   p.function.Code, Input: input, Payable: s.canRequestTransactions(p.function.OrganizationID),
	})
	if failure != nil {
		result = sandbox.Result{Error: failureMessage(failure)}
	}
	p.run.setResult(result)
	isForRule := p.run.Trigger == triggerRule // its transactions are staged with the payment of the completion
	var requested *string
	if isForRule && !p.isDry && len(result.Transactions) > 0 {
		requested = new(string(store.JSON(result.Transactions)))
	}
	writeCtx, isEnded := context.WithoutCancel(ctx), false
	err := s.DB.InTx(writeCtx, func(tx *store.Tx) (err error) {
		if isEnded, err = endRun(writeCtx, tx, p.run, requested); err != nil || !isEnded || result.Failed() || isForRule {
			return err
		}
		return s.requestTransactions(writeCtx, tx, p, result.Transactions)
	})
	if err == nil && !isEnded { // its lease had expired, and another node has stored it as failed
		p.run.setResult(sandbox.Result{Error: msgInterrupted})
		result.Transactions = nil
	}
	if failure != nil && !errors.Is(failure, sandbox.ErrBusy) && ctx.Err() == nil {
		s.Logger.Warn("a function could not be run", slog.String("function", p.function.ID.String()),
			slog.Any("error", failure))
	}
	if isForRule {
		p.run.Transactions = result.Transactions
	}
	return p.run, errors.Join(failure, err)
}

// failureMessage returns the error that a run shows if the sandbox could not execute it because of err.
func failureMessage(err error) string {
	switch {
	case errors.Is(err, sandbox.ErrBusy):
		return msgBusy
	case errors.Is(err, sandbox.ErrClosed):
		return msgInterrupted
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return msgCallerGone
	}
	return "The function could not be run"
}

// handlerInput returns the input of the handler as JSON, with the trigger and the secrets of the function.
func (s *Service) handlerInput(p pendingRun) (json.RawMessage, error) {
	secrets, err := s.secrets(p.function)
	if err != nil {
		return nil, err
	}
	input := map[string]any{"trigger": p.run.Trigger, "secrets": secrets}
	if p.isDry {
		input["dryRun"] = true
	}
	for name, value := range p.input {
		input[name] = value
	}
	return json.Marshal(input)
}

// setResult sets the run's result, with texts that both engines can store. An output that is nested too
// deep makes the run fail.
func (r *Run) setResult(result sandbox.Result) {
	r.Status, r.Milliseconds, r.Final = Succeeded, result.Took.Milliseconds(), result.Final
	r.Output, r.Error = nil, ""
	if jsontext.IsTooDeep(result.Output) {
		result.Output, result.Error = nil, fmt.Sprintf("Output is nested deeper than %d levels", jsontext.MaxDepth)
	}
	if result.Output != nil {
		r.Output = laurel.RawJSON(sanitizeText(string(jsontext.ReplaceUnstorable(result.Output))))
	}
	if result.Failed() {
		r.Status, r.Error = Failed, laurel.NullText(sanitizeText(result.Error))
	}
	r.Logs = append(laurel.List[string]{}, result.Logs...)
	for i, line := range r.Logs {
		r.Logs[i] = sanitizeText(line)
	}
}

// sanitizeText returns a text as valid UTF-8 without NUL, which both engines can store.
func sanitizeText(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
}

// ListRuns returns a page of the runs of a function, newest first; with statuses, only those. Runs are stored for 30
// days. Errors: NotFound "Function"; Invalid for an unknown cursor.
func (s *Service) ListRuns(
	ctx context.Context,
	scope laurel.Scope,
	function laurel.ID,
	statuses []string,
	page laurel.PageRequest,
) (laurel.Page[Run], error) {
	f, err := s.Get(ctx, scope, function, 0)
	if err != nil {
		return laurel.Page[Run]{}, err
	}
	return listRuns(ctx, s.DB, scope.At(f.WebsiteID), runFilter{f.ID, statuses}, page)
}

// RemoveOld removes runs that are older than 30 days. A periodic worker calls it.
func (s *Service) RemoveOld(ctx context.Context) error {
	if err := s.transactionQueue.Prune(ctx); err != nil {
		return err
	}
	return removeOldRuns(ctx, s.DB, s.DB.Now().Add(-runRetention))
}

// failInterrupted ends runs as failed whose server ended while they ran.
func (s *Service) failInterrupted(ctx context.Context) error {
	return failExpiredRuns(ctx, s.DB, msgInterrupted)
}

// Outputs returns the outputs of runs by the run's id. Runs without an output, and those outside the scope, are left
// out.
func (s *Service) Outputs(
	ctx context.Context,
	scope laurel.Scope,
	runs []laurel.ID,
) (map[laurel.ID]json.RawMessage, error) {
	return selectOutputs(ctx, s.DB, scope, runs)
}
