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

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

const (
	callTimeout         = 15 * time.Second // of the whole exchange (contract 7.5)
	maxResponseBytes    = 64 << 10         // bytes of a response
	storedBodyRunes     = 1024             // characters of it
	maxV1Events         = 100              // events in one v1 request
	maxRetryAfter       = 24 * time.Hour   // the longest pause that a receiver may ask for
	maxFunctionAttempts = 4                // the first one and three retries
)

// callResult is the result of one call of a callback.
type callResult struct {
	Attempt
	succeeded  bool          // a status from 200 to 299
	gone       bool          // status 410: the endpoint wants no more events
	retryAfter time.Duration // the pause that the response asks for
}

// postToCallback posts a JSON body to a callback URL, once, and returns the result of the call, whether it succeeds or
// fails. It adds the Content-Type to headers.
func (s *Service) postToCallback(ctx context.Context, url string, headers map[string]string, body []byte) callResult {
	out := callResult{Attempt: Attempt{At: s.DB.Now()}}
	headers["Content-Type"] = "application/json"
	r, err := s.Outbound.Exchange(ctx, outbound.Call{
		Method: "POST", URL: url, Header: headers, Body: body, Timeout: s.Policy.CallTimeout, MaxBytes: maxResponseBytes,
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

// failureText returns why a call got no response, in words that may be shown to the tenant.
func failureText(err error) string {
	var f *outbound.Fault
	if errors.As(err, &f) {
		return f.TenantMessage()
	}
	return err.Error()
}

// firstRunes returns at most the first n characters of a text, as valid UTF-8 without NUL for the database.
func firstRunes(text string, n int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}

// deliverV2 makes one attempt at a delivery: it calls the callback, if a call is due, and meanwhile runs the functions
// that are due. It adds the results to the batch. It adds none if the node stops meanwhile, so that the next node tries
// again, or if a signing key is damaged.
func (s *Service) deliverV2(ctx context.Context, batch *deliveryBatch, due deliveryWithEvent) {
	d, event := due.deliveryRow, due.event()
	body := event.BodyV2()
	states := batch.functionStates(&due)
	now := s.DB.Now()
	var running sync.WaitGroup
	for i := range states {
		if f := &states[i]; f.Status == statusPending && f.Due <= store.Micros(now) {
			running.Go(func() { s.runFunction(ctx, batch, due, f) })
		}
	}
	var result *callResult
	if batch.sub.CallbackURL != "" && d.isCallbackDue(now) {
		headers, err := signV2(batch.keys, event.ID.String(), now, body)
		if err != nil { // a stored key is damaged, since this service made it
			s.log.Error("a signing key cannot be used; rotate it", slog.Any("error", err))
			running.Wait()
			return
		}
		headers["laurel-subscription-id"] = batch.sub.ID.String()
		if d.TriggerID != nil {
			headers["laurel-trigger-id"] = *d.TriggerID
		}
		answer := s.postToCallback(ctx, batch.sub.CallbackURL, headers, body)
		result = &answer
	}
	running.Wait()
	if ctx.Err() != nil { // this node stops: the next node sends the event again
		return
	}
	batch.mu.Lock()
	defer batch.mu.Unlock()
	if result != nil {
		s.recordOutcome(batch, result)
	}
	s.finishDelivery(batch, d, states, result)
}

// isCallbackDue reports whether the callback is to be called now: a delivery may be due for a function only.
func (d deliveryRow) isCallbackDue(now time.Time) bool {
	return !d.CallDone && !d.CallFailed && (d.CallDue == nil || *d.CallDue <= store.Micros(now))
}

// finishDelivery computes the state of a delivery after an attempt, and adds the delivery and the attempt to the batch,
// which writes them later. states are those of the functions; result is that of the callback, nil if it was not called.
// The caller has locked batch.mu.
func (s *Service) finishDelivery(batch *deliveryBatch, d deliveryRow, states []FunctionState, result *callResult) {
	d.Attempts++
	if result != nil {
		result.Number = d.Attempts
		s.applyCallResult(&d, *result)
	}
	if batch.sub.CallbackURL == "" {
		d.CallDone, d.CallDue = true, nil
	}
	d.RedeliverFrom = ""
	d.updateStatus(states)
	switch {
	case d.Status == statusDelivered:
		batch.counts.succeeded++
	// this attempt failed, at the callback or at a function; the delivery may still be pending
	case d.Status == statusFailed, result != nil && !result.succeeded,
		slices.ContainsFunc(states, FunctionState.isRetrying):
		batch.counts.failed++
	}
	batch.finished = append(batch.finished, d)
	if result != nil {
		row := d
		batch.attempts = append(batch.attempts, deliveryAttempt{result.Attempt, &row})
	}
}

// applyCallResult updates a delivery with the result of a call of its callback. After a success no further call is
// needed. After a failure it sets when the next call is due by the retry schedule. It marks the call as failed instead
// if the schedule is over, if the endpoint is gone, or if a caller had requested the call for a delivery that was no
// longer pending.
func (s *Service) applyCallResult(d *deliveryRow, result callResult) {
	d.CallDue = nil
	if result.succeeded {
		d.CallDone = true
		return
	}
	// An attempt that a caller requested (RedeliverFrom is then the status before) does not count as one of the schedule,
	// unless the delivery was pending and untried.
	isExtra := d.RedeliverFrom != "" && (d.RedeliverFrom != statusPending || d.Tries > 0)
	if !isExtra {
		d.Tries++
	}
	schedule := s.Policy.Schedule
	if result.gone || d.Tries > int64(len(schedule)) || isExtra && d.RedeliverFrom != statusPending {
		d.CallFailed = true
		return
	}
	d.CallDue = new(store.Micros(result.At.Add(max(s.addJitter(schedule[d.Tries-1]), result.retryAfter))))
}

// addJitter lengthens or shortens a pause by up to a tenth, at random.
func (s *Service) addJitter(d time.Duration) time.Duration {
	var b [1]byte
	s.DB.Random(b[:])
	return d*9/10 + d*time.Duration(b[0])/(5*255)
}

// updateStatus sets the status of a delivery and when it is due again: pending while the callback or a function has
// another attempt, then failed if one of them has failed, else delivered.
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

// isRetrying reports whether the function waits for another attempt after a failed one.
func (f FunctionState) isRetrying() bool { return f.Status == statusPending && f.Attempts > 0 }

// runFunction runs a function on an event once and updates its state: succeeded, failed after maxFunctionAttempts or if
// another attempt would not help, or pending until the next attempt is due. A function that decides for a rule
// (f.RuleID) is run by triggering the rule.
func (s *Service) runFunction(ctx context.Context, batch *deliveryBatch, due deliveryWithEvent, f *FunctionState) {
	f.Attempts++
	retry := s.DB.Now().Add(s.addJitter(s.Policy.Schedule[min(f.Attempts, len(s.Policy.Schedule))-1]))
	f.Due = store.Micros(retry)
	var id laurel.ID
	if f.ID != "" { // else a rule decides without a function
		var err error
		if id, err = laurel.ParseID(f.ID); err != nil {
			f.Status = statusFailed
			return
		}
	}
	scope := laurel.Scope{OrganizationID: due.OrganizationID, WebsiteID: due.WebsiteID, Role: laurel.RoleWebsite}
	event := due.event()
	call := FunctionCall{
		FunctionID: id, SubscriptionID: batch.sub.ID, EventID: due.EventID, Event: event.BodyV2(), Attempt: f.Attempts,
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
	case ctx.Err() == nil: // a node that stops cancels its runs, which is no fault
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

// deliverV1 makes one attempt at many deliveries: it sends the events of all in one v1 request (contract 7.4), then
// runs the functions that are due. It adds the results to the batch. While fewer than maxV1Events deliveries wait,
// those that are not due yet are left for a later request. If the node stops meanwhile, it adds no results.
func (s *Service) deliverV1(ctx context.Context, batch *deliveryBatch, due []deliveryWithEvent) {
	now := s.DB.Now()
	var items [][]byte
	var sent []deliveryWithEvent
	for _, d := range due {
		if d.DueAt != nil && *d.DueAt > store.Micros(now) && len(due) < maxV1Events {
			continue // its batch is still open
		}
		sent = append(sent, d)
		if !d.isCallbackDue(now) {
			continue // only a function is due
		}
		items = append(items, d.event().bodyV1(batch.sub.ID, d.TriggerID))
	}
	if len(sent) == 0 {
		return
	}
	var got *callResult
	if batch.sub.CallbackURL != "" && len(batch.keys) > 0 && len(items) > 0 {
		body := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
		answer := s.postToCallback(ctx, batch.sub.CallbackURL, signV1(batch.keys[0], body), body)
		if ctx.Err() != nil {
			return
		}
		got = &answer
		s.recordOutcome(batch, got) // one request is one attempt, however many events it has
	}
	s.deliverInLanes(sent, func(d deliveryWithEvent) {
		states := s.runDueFunctions(ctx, batch, d, now)
		batch.mu.Lock()
		defer batch.mu.Unlock()
		var result *callResult
		if got != nil && d.isCallbackDue(now) {
			own := *got // finishDelivery numbers it
			result = &own
		}
		s.finishDelivery(batch, d.deliveryRow, states, result)
	})
}

// runDueFunctions runs the functions of an event that are due, one after the other, and returns the states of all its
// functions. Once the batch's time is over it starts no more; the event stays due for the functions that are left.
func (s *Service) runDueFunctions(
	ctx context.Context, batch *deliveryBatch, d deliveryWithEvent, now time.Time,
) []FunctionState {
	states := batch.functionStates(&d)
	for i := range states {
		f := &states[i]
		if f.Status != statusPending || f.Due > store.Micros(now) || ctx.Err() != nil || batch.isOver(s.DB.Now()) {
			continue
		}
		before := *f
		s.runFunction(ctx, batch, d, f)
		if ctx.Err() != nil { // this node stops: the next node runs the function
			*f = before
		}
	}
	return states
}

// formatDays formats a duration, in whole days where possible.
func formatDays(d time.Duration) string {
	if n := d / (24 * time.Hour); n > 0 && d%(24*time.Hour) == 0 {
		return fmt.Sprintf("%d days", n)
	}
	return d.String()
}
