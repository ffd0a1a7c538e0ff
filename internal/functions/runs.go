package functions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/functions/sandbox"
	"laurel/internal/jsontext"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The states of a run (contract 3.34).
const (
	Running   = "running"
	Succeeded = "succeeded"
	Failed    = "failed"
)

// Statuses lists the states of a run.
func Statuses() []string { return []string{Running, Succeeded, Failed} }

// What sets a run off (contract 7.6).
const (
	triggerEvent  = "subscription"
	triggerCron   = "cron"
	triggerInvoke = "invoke"
	triggerRule   = "rule"
)

const (
	runLease = 2 * time.Minute // longer than a run waits for its place and may take
	runsKept = 30 * 24 * time.Hour
)

// The texts of runs that did not come to their handler.
const (
	msgBusy     = "Too many functions are running, try again"
	msgCutOff   = "The server ended while the function ran"
	msgDisabled = "Function is disabled"
	msgGone     = "Function not found"
	msgLate     = "Nobody waits for the function any more"
)

// Run is one execution of a function.
type Run struct {
	ID             laurel.ID
	FunctionID     laurel.ID
	Version        int64
	Trigger        string
	Status         string
	Output         json.RawMessage // nil: none
	Error          string          // of a failed one
	Final          bool            // output.fail ended it, or nothing could run: no later attempt
	Logs           []string
	Duration       time.Duration
	RuleID         laurel.ID
	SubscriptionID laurel.ID
	EventID        laurel.ID
	ScheduledAt    time.Time // of a cron run
	CreatedAt      time.Time
	// Transactions are what a run for a rule asks the payout driver for. Lists leave them out.
	Transactions []Call
}

// EventInput is one event that a function is run for. Attempt counts from 1.
type EventInput struct {
	FunctionID     laurel.ID
	SubscriptionID laurel.ID
	EventID        laurel.ID
	Event          json.RawMessage // the v2 body (contract 7.3)
	Attempt        int
}

// start is what a run begins with.
type start struct {
	function Function
	row      runRow
	input    map[string]any // beside trigger and secrets
	source   laurel.ID      // of what it asks the payout driver for; zero: the run itself
	isDry    bool           // nothing that it asks for is carried out
	request  *laurel.RequestKey
}

// Invoke runs a function with an input and waits for its end. A handler that fails is a Run with Status Failed. Errors:
// NotFound "Function", Refused where it is disabled.
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
	// the caller's going ends nothing: the run is written down as it ended
	return settled(s.carry(context.WithoutCancel(ctx), start{
		function: f, row: runRow{Trigger: triggerInvoke}, input: map[string]any{"input": input}, request: scope.Request,
	}))
}

// settled makes a failed run of one that found no place in time.
func settled(r Run, err error) (Run, error) {
	if errors.Is(err, sandbox.ErrBusy) {
		return r, nil
	}
	return r, err
}

// RunEvent runs a function for an event of a subscription. A handler that fails is a Run with Status Failed; with
// Final, later attempts would change nothing: output.fail ended it, or the function is disabled or gone. An error is a
// fault of this service, after which the event is tried again.
func (s *Service) RunEvent(ctx context.Context, scope laurel.Scope, in EventInput) (Run, error) {
	row := runRow{
		Trigger: triggerEvent, SubscriptionID: in.SubscriptionID, EventID: in.EventID, Attempt: int64(in.Attempt),
	}
	f, err := s.Get(ctx, scope, in.FunctionID, 0)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound:
		return Run{FunctionID: in.FunctionID, Trigger: triggerEvent, Status: Failed, Error: msgGone, Final: true,
			SubscriptionID: in.SubscriptionID, EventID: in.EventID, Logs: []string{}, CreatedAt: s.DB.Now()}, nil
	case err != nil:
		return Run{}, err
	case f.Disabled:
		return s.refuse(ctx, f, row)
	}
	return s.carry(ctx, start{
		function: f, row: row, source: in.EventID,
		input: map[string]any{"subscriptionId": in.SubscriptionID, "event": in.Event},
	})
}

// RuleInput is what a function is run with for a rule.
type RuleInput struct {
	FunctionID, RuleID laurel.ID
	Input              map[string]any // beside trigger and secrets
	// of an event that feeds the rule; zero in calls and runs
	SubscriptionID, EventID laurel.ID
	Attempt                 int  // from 1
	DryRun                  bool // the handler is told, and nothing that it asks for is carried out
}

// RunRule runs a function for a rule (contract 7.6, rule run) and returns as soon as ctx ends. A handler that fails is
// a Run with Status Failed. The transactions that the handler adds are returned: the caller owes them with the payment,
// through Owe. Errors: sandbox.ErrBusy, that of ctx, NotFound "Function".
func (s *Service) RunRule(ctx context.Context, scope laurel.Scope, in RuleInput) (Run, error) {
	b, err := s.startOf(ctx, scope, in)
	if err != nil {
		return Run{}, err
	}
	return s.carry(ctx, b)
}

// BeginRule is RunRule that waits for a time at most: what takes longer goes on, and is a Run with Status Running.
func (s *Service) BeginRule(ctx context.Context, scope laurel.Scope, in RuleInput, within time.Duration) (Run, error) {
	b, err := s.startOf(ctx, scope, in)
	if err != nil {
		return Run{}, err
	}
	input, err := s.open(ctx, &b)
	if err != nil {
		return Run{}, err
	}
	type outcome struct {
		run Run
		err error
	}
	ended, begun := make(chan outcome, 1), b.row.run()
	s.begun.Go(func() {
		var o outcome
		o.run, o.err = s.finish(context.WithoutCancel(ctx), b, input)
		ended <- o
	})
	waited := time.NewTimer(within)
	defer waited.Stop()
	select {
	case o := <-ended:
		return o.run, o.err
	case <-waited.C:
		return begun, nil
	case <-ctx.Done():
		return Run{}, ctx.Err()
	}
}

// Close waits for the end of what goes on. The sandbox is closed before.
func (s *Service) Close() { s.begun.Wait() }

// CutOff reports whether a run failed before its function came to an end: it found no place, or its server ended.
func (r Run) CutOff() bool {
	return r.Status == Failed && (r.Error == msgBusy || r.Error == msgCutOff)
}

// startOf is what a run for a rule begins with.
func (s *Service) startOf(ctx context.Context, scope laurel.Scope, in RuleInput) (start, error) {
	f, err := s.Get(ctx, scope, in.FunctionID, 0)
	if err != nil {
		return start{}, err
	}
	if f.Disabled {
		return start{}, errFunction()
	}
	row := runRow{
		Trigger: triggerRule, RuleID: in.RuleID, SubscriptionID: in.SubscriptionID, EventID: in.EventID,
		Attempt: int64(in.Attempt),
	}
	return start{function: f, row: row, input: in.Input, isDry: in.DryRun}, nil
}

// refuse writes a run down that could not begin.
func (s *Service) refuse(ctx context.Context, f Function, row runRow) (Run, error) {
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		s.opened(tx, f, &row)
		row.Status, row.Final, row.Error = Failed, true, textPtr(msgDisabled)
		return insertRun(ctx, tx, row)
	})
	return row.run(), err
}

// opened fills a row in that begins.
func (s *Service) opened(tx *store.Tx, f Function, row *runRow) {
	row.ID, row.OrganizationID, row.WebsiteID, row.FunctionID = tx.NewID(), f.OrganizationID, f.WebsiteID, f.ID
	row.Version, row.Status, row.Logs = f.Version, Running, "[]"
	row.CreatedAt, row.LeaseAt = store.Micros(tx.Now()), store.Micros(tx.Now().Add(runLease))
}

// carry writes a run down, carries it out, and writes its end down.
func (s *Service) carry(ctx context.Context, b start) (Run, error) {
	input, err := s.open(ctx, &b)
	if err != nil {
		return Run{}, err
	}
	return s.finish(ctx, b, input)
}

// open writes down that a run begins, and returns what its handler gets.
func (s *Service) open(ctx context.Context, b *start) (json.RawMessage, error) {
	input, err := s.inputOf(*b)
	if err != nil {
		return nil, err
	}
	return input, s.DB.Write(ctx, b.request, func(tx *store.Tx) error {
		s.opened(tx, b.function, &b.row)
		return insertRun(ctx, tx, b.row)
	})
}

// finish carries a run out, and writes its end down with what it asks the payout driver for.
func (s *Service) finish(ctx context.Context, b start, input json.RawMessage) (Run, error) {
	got, failure := s.Sandbox.Run(ctx, sandbox.Call{
		Of:   worker.Tenant{Organization: b.function.OrganizationID, Website: b.function.WebsiteID},
		Code: b.function.Code, Input: input, Payable: s.isPayable(b.function.OrganizationID),
	})
	if failure != nil {
		got = sandbox.Result{Error: msgOf(failure)}
	}
	b.row.end(got)
	ofRule := b.row.Trigger == triggerRule // the completion owes what it asks for
	var requested *string
	if ofRule && !b.isDry && len(got.Transactions) > 0 {
		requested = textPtr(string(store.JSON(got.Transactions)))
	}
	kept, isEnded := context.WithoutCancel(ctx), false
	err := s.DB.InTx(kept, func(tx *store.Tx) (err error) {
		if isEnded, err = endRun(kept, tx, b.row, requested); err != nil || !isEnded || got.Failed() || ofRule {
			return err
		}
		return s.owe(kept, tx, b, got.Transactions)
	})
	if err == nil && !isEnded { // its lease was over, and another node has ended it as failed
		b.row.end(sandbox.Result{Error: msgCutOff})
		got.Transactions = nil
	}
	if failure != nil && !errors.Is(failure, sandbox.ErrBusy) && ctx.Err() == nil {
		s.Logger.Warn("a function could not be run", slog.String("function", b.function.ID.String()),
			slog.Any("error", failure))
	}
	run := b.row.run()
	if ofRule {
		run.Transactions = got.Transactions
	}
	return run, errors.Join(failure, err)
}

// msgOf is what a run says that did not come to its handler's end.
func msgOf(err error) string {
	switch {
	case errors.Is(err, sandbox.ErrBusy):
		return msgBusy
	case errors.Is(err, sandbox.ErrClosed):
		return msgCutOff
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return msgLate
	}
	return "The function could not be run"
}

// inputOf returns what the handler gets.
func (s *Service) inputOf(b start) (json.RawMessage, error) {
	secrets, err := s.secrets(b.function)
	if err != nil {
		return nil, err
	}
	input := map[string]any{"trigger": b.row.Trigger, "secrets": secrets}
	if b.isDry {
		input["dryRun"] = true
	}
	for name, value := range b.input {
		input[name] = value
	}
	return json.Marshal(input)
}

// end takes over what became of a run.
func (r *runRow) end(got sandbox.Result) {
	r.Status, r.Duration, r.Final = Succeeded, got.Took.Milliseconds(), got.Final
	r.Output, r.Error = nil, nil
	if jsontext.Deep(got.Output) {
		got.Output, got.Error = nil, fmt.Sprintf("Output is nested deeper than %d levels", jsontext.MostLevels)
	}
	if got.Output != nil {
		r.Output = textPtr(plain(string(jsontext.Storable(got.Output))))
	}
	if got.Failed() {
		r.Status, r.Error = Failed, textPtr(plain(got.Error))
	}
	lines := slices.Clone(got.Logs)
	for i, line := range lines {
		lines[i] = plain(line)
	}
	if lines == nil {
		lines = []string{}
	}
	r.Logs = string(store.JSON(lines))
}

// plain is a text as both engines keep it.
func plain(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
}

func textPtr(text string) *string { return &text }

// Runs returns the runs of a function, newest first; with statuses those in one of them. They are kept 30 days. Errors:
// NotFound "Function"; Invalid for a cursor that is none.
func (s *Service) Runs(
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
	rows, err := listRuns(ctx, s.DB, scope.At(f.WebsiteID), runFilter{f.ID, statuses}, page)
	return laurel.MapPage(rows, runRow.run), err
}

// Forget removes runs that are older than 30 days. It is for a periodic worker.
func (s *Service) Forget(ctx context.Context) error {
	if err := s.payments.Prune(ctx); err != nil {
		return err
	}
	return forgetRuns(ctx, s.DB, s.DB.Now().Add(-runsKept))
}

// cutOff ends the runs as failed whose server ended while they ran.
func (s *Service) cutOff(ctx context.Context) error { return endCutOff(ctx, s.DB, msgCutOff) }

// Outputs returns what runs came to, by their ids. Runs without a result, and those of others, are absent.
func (s *Service) Outputs(
	ctx context.Context,
	scope laurel.Scope,
	runs []laurel.ID,
) (map[laurel.ID]json.RawMessage, error) {
	return selectOutputs(ctx, s.DB, scope, runs)
}
