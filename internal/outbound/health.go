package outbound

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Health remembers how the latest calls of providers have ended, by a key that names the provider and the tenant. It
// knows what this process has seen since it started, and nothing else. It may be used by many goroutines.
type Health struct {
	now   func() time.Time
	mu    sync.Mutex
	byKey map[string]Status
}

// NewHealth returns a Health that has seen nothing. now is the clock.
func NewHealth(now func() time.Time) *Health { return &Health{now: now, byKey: map[string]Status{}} }

// Status is how the latest calls of a provider have ended. Zero times: never.
type Status struct {
	LastSuccess, LastFailure time.Time
	Problem                  string    // the kind of the last failure, without addresses and secrets
	PausedUntil              time.Time // the provider is left alone until then, if that is later than now
	Remaining                string    // calls that the provider still takes, as it announced last; "": it announced none
}

// IsFailing reports whether the last call has failed.
func (s Status) IsFailing() bool { return s.LastFailure.After(s.LastSuccess) }

// IsUnused reports whether there was no call.
func (s Status) IsUnused() bool { return s.LastFailure.IsZero() && s.LastSuccess.IsZero() }

// problem is an error whose kind may be shown to admins of a tenant.
type problem interface{ Problem() string }

// Record notes how a call has ended. Of an error only its kind is kept. A call that its caller has given up says
// nothing about the provider.
func (h *Health) Record(key string, err error) {
	var fault *Fault
	var named problem
	switch {
	case err == nil:
		h.edit(key, func(s *Status, now time.Time) { s.LastSuccess, s.PausedUntil = now, time.Time{} })
	case errors.Is(err, context.Canceled):
	case errors.As(err, &fault):
		h.Fail(key, fault.TenantMessage(), fault.PausedFor)
	case errors.As(err, &named):
		h.Fail(key, named.Problem(), 0)
	default:
		h.Fail(key, string(KindInvalidResponse), 0)
	}
}

// Fail notes a failed call, and for how long at most the provider is left alone after it.
func (h *Health) Fail(key, problem string, pausedFor time.Duration) {
	h.edit(key, func(s *Status, now time.Time) {
		s.LastFailure, s.Problem = now, problem
		if pausedFor > 0 && !s.PausedUntil.After(now) {
			s.PausedUntil = now.Add(pausedFor)
		}
	})
}

// NoteRemaining notes how many calls the provider still takes.
func (h *Health) NoteRemaining(key, remaining string) {
	h.edit(key, func(s *Status, _ time.Time) { s.Remaining = remaining })
}

// Of returns the status of a key.
func (h *Health) Of(key string) Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byKey[key]
}

// maxStatuses bounds what is remembered. If there are more, all are forgotten.
const maxStatuses = 20_000

// edit changes the status of a key.
func (h *Health) edit(key string, change func(s *Status, now time.Time)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.byKey[key]
	if !ok && len(h.byKey) >= maxStatuses {
		clear(h.byKey)
	}
	change(&s, h.now())
	h.byKey[key] = s
}

// Protect runs a call of another protocol than HTTP under the circuit breaker of a tenant and a host, as Do does for
// HTTP. call returns the failure that counts against the host, and the error of the call. While the breaker is open,
// Protect does not run it and returns a Fault.
func (c *Client) Protect(ctx context.Context, tenant, host string, call func() (hostErr, err error)) error {
	b := c.breakerOf(tenant + " " + host)
	done, err := b.Allow()
	if err != nil {
		return &Fault{Err: ErrCircuitOpen, PausedFor: c.pause}
	}
	hostErr, err := call()
	if ctx.Err() != nil {
		hostErr = errCallerGone
	}
	done(hostErr)
	c.notePause(b, err)
	return err
}
