package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/panics"
	"laurel/internal/store"
)

const (
	callWithin   = 15 * time.Second // the whole exchange (contract 7.5)
	readAtMost   = 64 << 10         // bytes of a response
	bodyKept     = 1024             // characters of it
	mostTogether = 100              // events in one v1 request
	retryAtMost  = 24 * time.Hour   // that a receiver may ask for
	functionRuns = 4                // the first one and three retries
)

// answer is what came of one call of a callback.
type answer struct {
	Attempt
	ok, gone   bool
	retryAfter time.Duration
}

// call posts a body to the callback.
func (s *Service) call(ctx context.Context, url string, headers map[string]string, body []byte) answer {
	out := answer{Attempt: Attempt{At: s.DB.Now()}}
	headers["Content-Type"] = "application/json"
	r, err := s.Outside.Exchange(ctx, outbound.Call{
		Method: "POST", URL: url, Header: headers, Body: body, Within: s.Policy.Within, Limit: readAtMost,
	})
	out.Duration = s.DB.Now().Sub(out.At)
	if err != nil {
		text := told(err)
		out.Error = &text
		return out
	}
	status := int64(r.Status)
	out.Status, out.Body = &status, firstRunes(string(r.Body), bodyKept)
	out.ok, out.gone = r.Status/100 == 2, r.Status == 410
	if !out.ok {
		text := fmt.Sprintf("answered with status %d", r.Status)
		out.Error = &text
	}
	out.retryAfter = min(r.RetryAfter(out.At), retryAtMost)
	return out
}

func told(err error) string {
	var f *outbound.Fault
	if errors.As(err, &f) {
		return f.Told()
	}
	return err.Error()
}

// firstRunes cuts a text, which may be no valid UTF-8, for the database.
func firstRunes(text string, most int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// deliver tells one event: the callback and the functions that are due, side by side.
func (s *Service) deliver(ctx context.Context, w *sender, due toldRow) {
	d, event := due.deliveryRow, due.event()
	body := event.Body()
	states := w.states(&due)
	now := s.DB.Now()
	var running sync.WaitGroup
	for i := range states {
		if f := &states[i]; f.Status == statusPending && f.Due <= store.Micros(now) {
			running.Go(func() { s.runFunction(ctx, w, due, f) })
		}
	}
	called := w.sub.CallbackURL != "" && d.callDue(now)
	var got answer
	if called {
		var headers map[string]string
		headers, err := signV2(w.keys, event.ID.String(), now, body)
		if err != nil { // a key that this service made
			s.log.Error("a signing key cannot be used; rotate it", slog.Any("error", err))
			running.Wait()
			return
		}
		headers["laurel-subscription-id"] = w.sub.ID.String()
		if d.TriggerID != nil {
			headers["laurel-trigger-id"] = *d.TriggerID
		}
		got = s.call(ctx, w.sub.CallbackURL, headers, body)
	}
	running.Wait()
	if ctx.Err() != nil { // this node stops: who comes next tells it
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if called {
		s.fare(w, got.ok, got.gone)
		s.gave.count(got.ok)
	}
	s.ended(w, d, states, callOf(called, got))
}

// callDue reports whether the callback is to be called now: a delivery may be due for a function alone.
func (d deliveryRow) callDue(now time.Time) bool {
	return !d.Called && !d.CallFailed && (d.CallDue == nil || *d.CallDue <= store.Micros(now))
}

func callOf(called bool, got answer) *answer {
	if !called {
		return nil
	}
	return &got
}

// ended notes what became of a delivery. w is locked.
func (s *Service) ended(w *sender, d deliveryRow, states []FunctionState, got *answer) {
	d.Attempts++
	if got != nil {
		got.Number = d.Attempts
		s.outcome(&d, *got)
	}
	if w.sub.CallbackURL == "" {
		d.Called, d.CallDue = true, nil
	}
	d.Again = ""
	d.settle(states)
	switch {
	case d.Status == statusDelivered:
		w.fared.taken++
	case d.Status == statusFailed, got != nil && !got.ok, slices.ContainsFunc(states, FunctionState.failing):
		w.fared.failed++
	}
	w.done = append(w.done, d)
	if got != nil {
		kept := d
		w.attempts = append(w.attempts, attempted{got.Attempt, &kept})
	}
}

// outcome goes by the answer of the callback: it needs no further call, or when the next one is.
func (s *Service) outcome(d *deliveryRow, got answer) {
	d.CallDue = nil
	if got.ok {
		d.Called = true
		return
	}
	beside := d.Again != "" && (d.Again != statusPending || d.Tries > 0) // asked for, not of the schedule
	if !beside {
		d.Tries++
	}
	schedule := s.Policy.Schedule
	if got.gone || d.Tries > int64(len(schedule)) || beside && d.Again != statusPending {
		d.CallFailed = true
		return
	}
	next := got.At.Add(max(s.jittered(schedule[d.Tries-1]), got.retryAfter))
	d.CallDue = microsOf(&next)
}

// jittered lengthens or shortens a pause by up to a tenth.
func (s *Service) jittered(d time.Duration) time.Duration {
	var b [1]byte
	s.DB.Random(b[:])
	return d*9/10 + d*time.Duration(b[0])/(5*255)
}

// settle works out the state of a delivery and when it is due again, from its callback and its functions.
func (d *deliveryRow) settle(states []FunctionState) {
	d.setStates(states)
	d.DueAt = d.CallDue
	pending, failed := d.CallDue != nil, d.CallFailed
	for _, f := range states {
		switch f.Status {
		case statusPending:
			pending = true
			if d.DueAt == nil || f.Due < *d.DueAt {
				due := f.Due
				d.DueAt = &due
			}
		case statusFailed:
			failed = true
		}
	}
	switch {
	case pending:
		d.Status = statusPending
	case failed:
		d.Status = statusFailed
	default:
		d.Status = statusDelivered
	}
}

// failing reports whether the function waits for another attempt after one that failed.
func (f FunctionState) failing() bool { return f.Status == statusPending && f.Attempts > 0 }

// runFunction makes one attempt of a function at an event.
func (s *Service) runFunction(ctx context.Context, w *sender, due toldRow, f *FunctionState) {
	f.Attempts++
	retry := s.DB.Now().Add(s.jittered(s.Policy.Schedule[min(f.Attempts, len(s.Policy.Schedule))-1]))
	f.Due = store.Micros(retry)
	id, err := laurel.ParseID(f.ID)
	if err != nil {
		f.Status = statusFailed
		return
	}
	scope := laurel.Scope{OrganizationID: due.OrganizationID, WebsiteID: due.WebsiteID, Role: laurel.RoleWebsite}
	event := due.event()
	call := FunctionCall{
		FunctionID: id, SubscriptionID: w.sub.ID, EventID: due.EventID, Event: event.Body(), Attempt: f.Attempts,
	}
	got, err := panics.Try(func() (FunctionResult, error) {
		if f.RuleID.IsZero() {
			return s.Functions.Run(ctx, scope, call)
		}
		return s.Rules.Feed(ctx, scope, f.RuleID, event.TriggeredAt, call)
	})
	switch {
	case err == nil:
		f.RunID = got.RunID
	case ctx.Err() == nil: // a node that stops breaks off what it runs, and there is nothing to look into
		s.log.Warn("a function could not be run on an event", slog.String("function", f.ID), slog.Any("error", err))
	}
	switch {
	case err == nil && got.Succeeded:
		f.Status = statusSucceeded
	case f.Attempts >= functionRuns || got.Final:
		f.Status = statusFailed
	}
}

const statusSucceeded = "succeeded"

// together tells events in one v1 request (contract 7.4).
func (s *Service) together(ctx context.Context, w *sender, due []toldRow) {
	now := s.DB.Now()
	var items [][]byte
	var sent []toldRow
	for _, d := range due {
		if d.DueAt != nil && *d.DueAt > store.Micros(now) && len(due) < mostTogether {
			continue // its batch is still open
		}
		sent = append(sent, d)
		if !d.callDue(now) {
			continue // a function alone is due
		}
		item, err := d.event().flat(w.sub.ID, d.TriggerID)
		if err != nil {
			s.log.Error("an event cannot be told", slog.String("event", d.EventID.String()), slog.Any("error", err))
			continue
		}
		items = append(items, item)
	}
	if len(sent) == 0 {
		return
	}
	var got *answer
	if w.sub.CallbackURL != "" && len(w.keys) > 0 && len(items) > 0 {
		body := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
		a := s.call(ctx, w.sub.CallbackURL, signV1(w.keys[0], body), body)
		if ctx.Err() != nil {
			return
		}
		got = &a
		s.fare(w, a.ok, a.gone) // one request is one attempt, however many events it tells
		s.gave.count(a.ok)
	}
	s.lanes(sent, func(d toldRow) {
		states := s.runDue(ctx, w, d, now)
		w.mu.Lock()
		defer w.mu.Unlock()
		var one *answer
		if got != nil && d.callDue(now) {
			mine := *got
			one = &mine
		}
		s.ended(w, d.deliveryRow, states, one)
	})
}

// runDue runs the functions of an event that are due, one after the other, and returns what became of all. In a turn
// that is over none begins: the event is due again at once, for them alone.
func (s *Service) runDue(ctx context.Context, w *sender, d toldRow, now time.Time) []FunctionState {
	states := w.states(&d)
	for i := range states {
		f := &states[i]
		if f.Status != statusPending || f.Due > store.Micros(now) || ctx.Err() != nil || w.over(s.DB.Now()) {
			continue
		}
		before := *f
		s.runFunction(ctx, w, d, f)
		if ctx.Err() != nil { // this node stops: who comes next runs it
			*f = before
		}
	}
	return states
}

// days tells how long something went on.
func days(d time.Duration) string {
	if n := d / (24 * time.Hour); n > 0 && d%(24*time.Hour) == 0 {
		return fmt.Sprintf("%d days", n)
	}
	return d.String()
}
