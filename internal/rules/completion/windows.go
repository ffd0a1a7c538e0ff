package completion

import (
	"time"

	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

// windowAt returns the key of the window that this completion would pay, and whether the window is still open, that is,
// not paid according to the rule state. The key is "" if the caller's key replaces the window, if the completion claims
// what a run found the member eligible for, or if the interval has no fixed windows. Where each tier is a window of its
// own, the reached tier counts in place of all others.
func (p *plan) windowAt(state *progress.State, now time.Time) (key string, open bool) {
	hasTiers := ruletypes.HasWindowPerTier(&p.Case)
	switch {
	case p.Trigger.HasFixedWindow && (p.Accepted != nil || !hasTiers):
		return p.Trigger.Window, true
	case (p.In.Key != "" || p.IsClaim()) && !hasTiers:
		return "", true
	}
	for _, s := range p.steps {
		if s.Window != nil {
			if key, open, ok := s.Window(&p.Case, state); ok {
				return key, open
			}
		}
	}
	if key, open, ok := p.functionWindow(state); ok {
		return key, open
	}
	return state.WindowAt(p.Rule.Interval, now)
}

// functionWindow returns the window that a function rule pays, and whether it is open:
//
//   - Until the function has decided, an open window without a key, because the function may set a key that replaces
//     the calendar's window.
//   - If the function has set a key, the window of that key.
//   - If it has set none and the completion is by a job, the calendar's window at the moment of the call.
//
// Otherwise ok is false: the present window of the calendar counts.
func (p *plan) functionWindow(state *progress.State) (key string, open, ok bool) {
	switch {
	case p.Rule.Type != schema.TypeFunction || !p.PreparedFacts.Verdict.HasProvider:
		return "", false, false
	case p.verification == nil || p.verification.answer.IsRunning:
		return "", true, true
	case p.verification.answer.Key != "":
		return functionWindowKey(p.verification.answer.Key), true, true
	case p.Trigger.Job != nil:
		key, open = ruletypes.JobWindow(&p.Case, state)
		return key, open, true
	}
	return "", false, false
}

// functionWindowKey returns the key of the window for a key that a function has set (contract 7.6).
func functionWindowKey(key string) string { return "function " + key }

// functionKey returns the key that a function has set to replace the window; "": none.
func (p *plan) functionKey() string {
	if p.verification == nil {
		return ""
	}
	return p.verification.answer.Key
}

// windowStaysClosed reports whether the paid window stays closed even if the rule opens it again: that of a function's
// key or of an event.
func (p *plan) windowStaysClosed() bool {
	return p.functionKey() != "" || p.Trigger.Event != nil ||
		p.verification != nil && p.Trigger.Kind == decision.TriggerEvent
}

// setVerifiedWindow sets the window again once the provider has answered, for rules whose window depends on that.
func (p *plan) setVerifiedWindow(state *progress.State, now time.Time) {
	if p.Rule.Type == schema.TypeFunction || ruletypes.HasWindowPerTier(&p.Case) {
		p.window, _ = p.windowAt(state, now)
	}
}

// paidWindowKey returns the key of the row that marks a window as paid.
func (p *plan) paidWindowKey(window string) progress.WindowKey {
	return progress.WindowKey{Rule: p.Rule.ID, Subject: p.Person.Subject(), Window: window}
}

// paidWindowKeys returns the keys of all windows that this payment uses up, so that none of them pays again: the
// present window, and further ones of steps.
func (p *plan) paidWindowKeys() []progress.WindowKey {
	var keys []progress.WindowKey
	if p.window != "" {
		keys = append(keys, p.paidWindowKey(p.window))
	}
	for _, s := range p.steps {
		if s.FurtherWindows == nil {
			continue
		}
		for _, window := range s.FurtherWindows(&p.Case) {
			if window != p.window {
				keys = append(keys, p.paidWindowKey(window))
			}
		}
	}
	return keys
}
