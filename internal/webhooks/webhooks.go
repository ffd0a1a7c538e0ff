// Package webhooks tells others what happened (contract 7): subscriptions to tables, the events that the change feed
// turns into, and their delivery with signatures, retries and a history. It does not own what an event says of a record
// (Describe), nor how functions run (Functions) and rules are completed (Rules).
package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/outbound"
	"laurel/internal/store"
	"laurel/internal/vault"
	"laurel/internal/worker"
)

// Describe returns what events say of changes, as the table of contract 7.1 has it: one item for each change, nil for
// one that fires nothing, such as of a record that is gone. All changes are of one website.
type Describe func(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)

// Functions are the functions of websites, as subscriptions use them.
type Functions interface {
	// Missing returns the first of these ids that is no live function of the website; "" for none.
	Missing(ctx context.Context, scope laurel.Scope, ids []string) (string, error)
	// Run runs a function on an event and waits for its end. An error is a fault of the service, not of the function.
	Run(ctx context.Context, scope laurel.Scope, call FunctionCall) (FunctionResult, error)
	// Outputs returns what runs came to; runs without a result are absent.
	Outputs(ctx context.Context, scope laurel.Scope, runs []laurel.ID) (map[laurel.ID]json.RawMessage, error)
}

// FunctionCall is one attempt of a function at an event.
type FunctionCall struct {
	FunctionID, SubscriptionID, EventID laurel.ID
	Event                               json.RawMessage // the v2 body
	Attempt                             int             // from 1
}

// Rules are the rules of websites that events feed (contract 6).
type Rules interface {
	// TriggeredBy returns the live rules of a website that these subscriptions feed, each with its function.
	TriggeredBy(ctx context.Context, q store.Queryer, scope laurel.Scope, subscriptions []laurel.ID) ([]TriggeredRule, error)
	// Trigger has a rule decide on an event that happened at a moment, and waits for the end. An error is a fault of the
	// service, not of the rule.
	Trigger(ctx context.Context, scope laurel.Scope, rule laurel.ID, at time.Time, call FunctionCall) (FunctionResult, error)
}

// TriggeredRule is a rule that a subscription feeds.
type TriggeredRule struct{ ID, FunctionID, SubscriptionID laurel.ID }

// FunctionResult is what an attempt came to.
type FunctionResult struct {
	RunID     laurel.ID
	Succeeded bool
	Final     bool // it is not tried again
}

// Policy says how long deliveries are tried. Zero parts are those of DefaultPolicy.
type Policy struct {
	Schedule       []time.Duration // pauses before the second, third, … attempt
	DisableAfter   time.Duration   // every attempt failed for so long
	DisableAtLeast int             // and at least so many of them
	CallTimeout    time.Duration   // that a call may take, the reading of its response included
}

const (
	maxPauses = 100
	maxPause  = 30 * 24 * time.Hour
)

// Validate returns an error that says which part cannot be.
func (p Policy) Validate() error {
	switch {
	case len(p.Schedule) > maxPauses:
		return fmt.Errorf("the retry schedule has %d pauses: at most %d", len(p.Schedule), maxPauses)
	case p.DisableAfter < 0:
		return fmt.Errorf("the time before a subscription is disabled is %s: it must not be negative", p.DisableAfter)
	}
	for _, pause := range p.Schedule {
		if pause <= 0 || pause > maxPause {
			return fmt.Errorf("the retry schedule has a pause of %s: more than 0s and at most %s", pause, maxPause)
		}
	}
	return nil
}

// withDefaults puts the defaults in the place of zero parts.
func (p Policy) withDefaults() Policy {
	usual := DefaultPolicy()
	if len(p.Schedule) == 0 {
		p.Schedule = usual.Schedule
	}
	p.DisableAfter = cmp.Or(p.DisableAfter, usual.DisableAfter)
	p.CallTimeout = cmp.Or(p.CallTimeout, callTimeout)
	p.DisableAtLeast = cmp.Or(p.DisableAtLeast, usual.DisableAtLeast)
	return p
}

// DefaultPolicy is contract 7.5.
func DefaultPolicy() Policy {
	return Policy{
		Schedule: []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
			14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
		},
		DisableAfter: 5 * 24 * time.Hour, DisableAtLeast: 20,
	}
}

// Config holds what the service needs.
type Config struct {
	DB        *store.DB
	Vault     *vault.Vault
	Outbound  *outbound.Client
	Describe  Describe
	Functions Functions
	Rules     Rules
	// Currencies returns the currencies of main accounts; those that are none of the scope are left out.
	Currencies func(
		ctx context.Context, q store.Queryer, s laurel.Scope, accounts []laurel.ID,
	) (map[laurel.ID]laurel.ID, error)
	Policy Policy
	Caps   laurel.Caps  // of live subscriptions
	Logger *slog.Logger // nil: slog.Default()
}

// Service owns subscriptions, their events and their deliveries.
type Service struct {
	Config
	log     *slog.Logger
	queue   worker.Runner // of subscriptions with something to send
	fanouts worker.Runner // of websites with events that wait for their deliveries
	wakeups chan struct{}
	metrics metrics
}

// New makes the service.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	cfg.Policy = cfg.Policy.withDefaults()
	s := &Service{Config: cfg, log: cfg.Logger, wakeups: make(chan struct{}, 1), metrics: newMetrics()}
	s.queue, s.fanouts = s.newSendQueue(), s.newFanoutQueue()
	return s
}

// Retention is for how long events and their attempts can be read (contract 7.5).
const Retention = 30 * 24 * time.Hour
