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
	callTimeout         = 15 * time.Second // the whole exchange (contract 7.5)
	maxResponseBytes    = 64 << 10         // bytes of a response
	storedBodyRunes     = 1024             // characters of it
	maxV1Events         = 100              // events in one v1 request
	maxRetryAfter       = 24 * time.Hour   // that a receiver may ask for
	maxFunctionAttempts = 4                // the first one and three retries
)

// callResult is what came of one call of a callback.
type callResult struct {
	Attempt
	succeeded, gone bool
	retryAfter      time.Duration
}

// postToCallback posts a body to the callback.
func (s *Service) postToCallback(ctx context.Context, url string, headers map[string]string, body []byte) callResult {
	out := callResult{Attempt: Attempt{At: s.DB.Now()}}
	headers["Content-Type"] = "application/json"
	r, err := s.Outbound.Exchange(ctx, outbound.Call{
		Method: "POST", URL: url, Header: headers, Body: body, Within: s.Policy.CallTimeout, Limit: maxResponseBytes,
	})
	out.Duration = s.DB.Now().Sub(out.At)
	if err != nil {
		text := failureText(err)
		out.Error = &text
		return out
	}
	status := int64(r.Status)
	out.Status, out.Body = &status, firstRunes(string(r.Body), storedBodyRunes)
	out.succeeded, out.gone = r.Status/100 == 2, r.Status == 410
	if !out.succeeded {
		text := fmt.Sprintf("answered with status %d", r.Status)
		out.Error = &text
	}
	out.retryAfter = min(r.RetryAfter(out.At), maxRetryAfter)
	return out
}

func failureText(err error) string {
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

// deliverV2 tells one event: the callback and the functions that are due, side by side.
func (s *Service) deliverV2(ctx context.Context, w *sendSlot, due deliveryWithEvent) {
	d, event := due.deliveryRow, due.event()
	body := event.BodyV2()
	states := w.functionStates(&due)
	now := s.DB.Now()
	var running sync.WaitGroup
	for i := range states {
		if f := &states[i]; f.Status == statusPending && f.Due <= store.Micros(now) {
			running.Go(func() { s.runFunction(ctx, w, due, f) })
		}
	}
	called := w.sub.CallbackURL != "" && d.isCallbackDue(now)
	var result callResult
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
		result = s.postToCallback(ctx, w.sub.CallbackURL, headers, body)
	}
	running.Wait()
	if ctx.Err() != nil { // this node stops: who comes next tells it
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if called {
		s.recordOutcome(w, result.succeeded, result.gone)
		s.metrics.count(result.succeeded)
	}
	s.finishDelivery(w, d, states, callOf(called, result))
}

// isCallbackDue reports whether the callback is to be called now: a delivery may be due for a function alone.
func (d deliveryRow) isCallbackDue(now time.Time) bool {
	return !d.CallDone && !d.CallFailed && (d.CallDue == nil || *d.CallDue <= store.Micros(now))
}

func callOf(called bool, got callResult) *callResult {
	if !called {
		return nil
	}
	return &got
}

// finishDelivery notes what became of a delivery. w is locked.
func (s *Service) finishDelivery(w *sendSlot, d deliveryRow, states []FunctionState, result *callResult) {
	d.Attempts++
	if result != nil {
		result.Number = d.Attempts
		s.applyCallResult(&d, *result)
	}
	if w.sub.CallbackURL == "" {
		d.CallDone, d.CallDue = true, nil
	}
	d.RedeliverFrom = ""
	d.updateStatus(states)
	switch {
	case d.Status == statusDelivered:
		w.counts.taken++
	case d.Status == statusFailed, result != nil && !result.succeeded, slices.ContainsFunc(states, FunctionState.isRetrying):
		w.counts.failed++
	}
	w.finished = append(w.finished, d)
	if result != nil {
		kept := d
		w.attempts = append(w.attempts, deliveryAttempt{result.Attempt, &kept})
	}
}

// applyCallResult goes by the answer of the callback: it needs no further call, or when the next one is.
func (s *Service) applyCallResult(d *deliveryRow, result callResult) {
	d.CallDue = nil
	if result.succeeded {
		d.CallDone = true
		return
	}
	isExtra := d.RedeliverFrom != "" && (d.RedeliverFrom != statusPending || d.Tries > 0) // asked for, not of the schedule
	if !isExtra {
		d.Tries++
	}
	schedule := s.Policy.Schedule
	if result.gone || d.Tries > int64(len(schedule)) || isExtra && d.RedeliverFrom != statusPending {
		d.CallFailed = true
		return
	}
	next := result.At.Add(max(s.addJitter(schedule[d.Tries-1]), result.retryAfter))
	d.CallDue = microsOf(&next)
}

// addJitter lengthens or shortens a pause by up to a tenth.
func (s *Service) addJitter(d time.Duration) time.Duration {
	var b [1]byte
	s.DB.Random(b[:])
	return d*9/10 + d*time.Duration(b[0])/(5*255)
}

// updateStatus works out the state of a delivery and when it is due again, from its callback and its functions.
func (d *deliveryRow) updateStatus(states []FunctionState) {
	d.setFunctionStates(states)
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

// isRetrying reports whether the function waits for another attempt after one that failed.
func (f FunctionState) isRetrying() bool { return f.Status == statusPending && f.Attempts > 0 }

// runFunction makes one attempt of a function at an event.
func (s *Service) runFunction(ctx context.Context, w *sendSlot, due deliveryWithEvent, f *FunctionState) {
	f.Attempts++
	retry := s.DB.Now().Add(s.addJitter(s.Policy.Schedule[min(f.Attempts, len(s.Policy.Schedule))-1]))
	f.Due = store.Micros(retry)
	id, err := laurel.ParseID(f.ID)
	if err != nil {
		f.Status = statusFailed
		return
	}
	scope := laurel.Scope{OrganizationID: due.OrganizationID, WebsiteID: due.WebsiteID, Role: laurel.RoleWebsite}
	event := due.event()
	call := FunctionCall{
		FunctionID: id, SubscriptionID: w.sub.ID, EventID: due.EventID, Event: event.BodyV2(), Attempt: f.Attempts,
	}
	got, err := panics.Try(func() (FunctionResult, error) {
		if f.RuleID.IsZero() {
			return s.Functions.Run(ctx, scope, call)
		}
		return s.Rules.Trigger(ctx, scope, f.RuleID, event.TriggeredAt, call)
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
	case f.Attempts >= maxFunctionAttempts || got.Final:
		f.Status = statusFailed
	}
}

const statusSucceeded = "succeeded"

// deliverV1 tells events in one v1 request (contract 7.4).
func (s *Service) deliverV1(ctx context.Context, w *sendSlot, due []deliveryWithEvent) {
	now := s.DB.Now()
	var items [][]byte
	var sent []deliveryWithEvent
	for _, d := range due {
		if d.DueAt != nil && *d.DueAt > store.Micros(now) && len(due) < maxV1Events {
			continue // its batch is still open
		}
		sent = append(sent, d)
		if !d.isCallbackDue(now) {
			continue // a function alone is due
		}
		item, err := d.event().bodyV1(w.sub.ID, d.TriggerID)
		if err != nil {
			s.log.Error("an event cannot be told", slog.String("event", d.EventID.String()), slog.Any("error", err))
			continue
		}
		items = append(items, item)
	}
	if len(sent) == 0 {
		return
	}
	var got *callResult
	if w.sub.CallbackURL != "" && len(w.keys) > 0 && len(items) > 0 {
		body := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
		a := s.postToCallback(ctx, w.sub.CallbackURL, signV1(w.keys[0], body), body)
		if ctx.Err() != nil {
			return
		}
		got = &a
		s.recordOutcome(w, a.succeeded, a.gone) // one request is one attempt, however many events it tells
		s.metrics.count(a.succeeded)
	}
	s.runLanes(sent, func(d deliveryWithEvent) {
		states := s.runDueFunctions(ctx, w, d, now)
		w.mu.Lock()
		defer w.mu.Unlock()
		var one *callResult
		if got != nil && d.isCallbackDue(now) {
			mine := *got
			one = &mine
		}
		s.finishDelivery(w, d.deliveryRow, states, one)
	})
}

// runDueFunctions runs the functions of an event that are due, one after the other, and returns what became of all. In a turn
// that is over none begins: the event is due again at once, for them alone.
func (s *Service) runDueFunctions(ctx context.Context, w *sendSlot, d deliveryWithEvent, now time.Time) []FunctionState {
	states := w.functionStates(&d)
	for i := range states {
		f := &states[i]
		if f.Status != statusPending || f.Due > store.Micros(now) || ctx.Err() != nil || w.isOver(s.DB.Now()) {
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

// formatDays tells how long something went on.
func formatDays(d time.Duration) string {
	if n := d / (24 * time.Hour); n > 0 && d%(24*time.Hour) == 0 {
		return fmt.Sprintf("%d days", n)
	}
	return d.String()
}
