// Package webhooks delivers events to subscriptions (contract 7). It owns subscriptions, the events that it makes from
// the change feed, how far each subscription is in them, and the sending with signatures, retries and a history. It
// does not own the data of an event (Records), how functions run (Functions) or how rules are completed (Rules).
package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

// Functions finds and runs the functions of websites.
type Functions interface {
	// Missing returns the first of these ids that is no live function of the website; "" if all are.
	Missing(ctx context.Context, scope laurel.Scope, ids []string) (string, error)
	// Run runs a function on an event and waits for its end. An error is a fault of the service, not of the function.
	Run(ctx context.Context, scope laurel.Scope, call FunctionCall) (FunctionResult, error)
	// Outputs returns the results of runs; runs without a result are absent.
	Outputs(ctx context.Context, scope laurel.Scope, runs []laurel.ID) (map[laurel.ID]json.RawMessage, error)
}

// FunctionCall is one attempt of a function at an event.
type FunctionCall struct {
	FunctionID, SubscriptionID, EventID laurel.ID
	Event                               json.RawMessage // the v2 body
	Attempt                             int             // from 1
}

// Rules finds and triggers the rules of websites that subscriptions trigger (contract 6).
type Rules interface {
	// TriggeredBy returns the live rules of a website that these subscriptions trigger.
	TriggeredBy(
		ctx context.Context, q store.Queryer, scope laurel.Scope, subscriptions []laurel.ID,
	) ([]TriggeredRule, error)
	// Trigger lets a rule decide on an event that happened at a moment, and waits for the result. An error is a fault
	// of the service, not of the rule.
	Trigger(
		ctx context.Context, scope laurel.Scope, rule laurel.ID, at time.Time, call FunctionCall,
	) (FunctionResult, error)
}

// TriggeredRule is a rule that the events of a subscription trigger. One without a function decides by itself.
type TriggeredRule struct{ ID, FunctionID, SubscriptionID laurel.ID }

// FunctionResult is the result of one attempt of a function at an event.
type FunctionResult struct {
	RunID     laurel.ID
	Succeeded bool
	Final     bool // another attempt would not help
}

// Policy says when deliveries are retried and when a subscription is disabled. Zero fields take the values of
// DefaultPolicy.
type Policy struct {
	Schedule       []time.Duration // pauses before the second, third, … attempt
	DisableAfter   time.Duration   // a subscription is disabled after failing for so long …
	DisableAtLeast int             // … and in at least so many attempts
	CallTimeout    time.Duration   // of one call, including the reading of its response
}

const (
	maxPauses = 100
	maxPause  = 30 * 24 * time.Hour
)

// Validate returns an error that names the first setting that is out of bounds, or nil.
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

// withDefaults fills zero fields from DefaultPolicy.
func (p Policy) withDefaults() Policy {
	defaults := DefaultPolicy()
	if len(p.Schedule) == 0 {
		p.Schedule = defaults.Schedule
	}
	p.DisableAfter = cmp.Or(p.DisableAfter, defaults.DisableAfter)
	p.CallTimeout = cmp.Or(p.CallTimeout, callTimeout)
	p.DisableAtLeast = cmp.Or(p.DisableAtLeast, defaults.DisableAtLeast)
	return p
}

// DefaultPolicy returns the retry schedule of contract 7.5, and when a subscription that fails is disabled.
func DefaultPolicy() Policy {
	return Policy{
		Schedule: []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
			14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
		},
		DisableAfter: 5 * 24 * time.Hour, DisableAtLeast: 20,
	}
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB        *store.DB
	Vault     *vault.Vault
	Outbound  *outbound.Client
	Records   Records
	Functions Functions
	Rules     Rules
	// Currencies returns the currency of each main account. Accounts outside the scope are left out.
	Currencies func(
		ctx context.Context, q store.Queryer, s laurel.Scope, accounts []laurel.ID,
	) (map[laurel.ID]laurel.ID, error)
	// Head returns the newest block of the network with a chain id; 0 if it is not known.
	Head   func(chainID int64) uint64
	Policy Policy
	Caps   laurel.Caps  // of live subscriptions
	Logger *slog.Logger // nil: slog.Default()
}

// Service owns subscriptions, their events and their deliveries.
type Service struct {
	Config
	// Load returns the event data of changes of all tables of one website. New takes it from Records.
	Load    Load
	log     *slog.Logger
	queue   worker.Runner // of subscriptions with due events
	fanouts worker.Runner // of websites whose many subscriptions are to be woken
	wakeup  worker.Wakeup // starts the queue without waiting for its next look
	metrics metrics
}

// New returns a Service. Its workers start with Run.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	cfg.Policy = cfg.Policy.withDefaults()
	s := &Service{
		Config: cfg, Load: cfg.Records.load, log: cfg.Logger, wakeup: worker.NewWakeup(), metrics: newMetrics(),
	}
	s.queue, s.fanouts = s.newSendQueue(), s.newFanoutQueue()
	return s
}

// Retention is how long events and their attempts can be read (contract 7.5).
const Retention = 30 * 24 * time.Hour
