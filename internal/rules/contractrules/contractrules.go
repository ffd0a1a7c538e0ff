// Package contractrules tells the reader of networks which contracts rules watch, and lets the rules decide on what the
// reader finds there. It owns what rules watch, and the queue of events that they still have to decide on. It does not
// decide and pay (completion), and reads no blockchain (evm/reader).
package contractrules

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Service is what rules watch (reader.Watches).
type Service struct {
	Config
	queue worker.Runner
}

// Config holds what New needs.
type Config struct {
	DB *store.DB
	// Decide lets a rule decide on an event that was published at a moment. It may be called again for an event
	// that is decided.
	Decide func(ctx context.Context, scope laurel.Scope, rule laurel.ID, data json.RawMessage, publishedAt time.Time) error
	Find   FindContract
	Logger *slog.Logger
}

// New returns the service. Run must be started for events to be decided on.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.queue = s.newQueue()
	return s
}

// Contract is a registered contract.
type Contract struct {
	ChainID   *int64 // nil: of no blockchain that has chain ids
	Address   string
	ABI       *abi.Contract
	HasOwnABI bool // else ABI is what the standard of its type says
}

// FindContract returns a live contract of the scope's website. Errors: NotFound.
type FindContract func(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Contract, error)

// OnRuleSaved updates what a rule watches, in the transaction that saves the rule: the event or function of the
// contract that it names, from the moment on. A rule that a subscription triggers watches nothing itself.
func OnRuleSaved(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule, find FindContract,
) error {
	wanted, err := watchOf(ctx, tx, scope, rule, find)
	if err != nil {
		return err
	}
	stored, err := selectWatch(ctx, tx, rule.ID)
	if err != nil {
		return err
	}
	if wanted == nil || stored != nil && !stored.isSame(*wanted) {
		if err := deleteWatch(ctx, tx, rule.ID); err != nil {
			return err
		}
		if wanted != nil && !stored.isOfSameContract(*wanted) { // what waits is of another contract
			if err := deleteUndecided(ctx, tx, rule.ID); err != nil {
				return err
			}
		}
		stored = nil
	}
	if wanted == nil || stored != nil {
		return nil
	}
	wanted.ID = tx.NewID()
	return insertWatch(ctx, tx, *wanted)
}

// watchOf returns what a rule is to watch; nil: nothing.
func watchOf(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule, find FindContract,
) (*watchRow, error) {
	event := rule.Meta().Contract
	switch {
	case rule.Type != schema.TypeContractEvent, !rule.DeletedAt.IsZero(), rule.SubscriptionID != nil,
		event.ContractID == nil, event.Event == "":
		return nil, nil //nolint:nilnil // it watches nothing
	}
	scope = scope.At(rule.WebsiteID)
	found, err := find(ctx, tx, scope, *event.ContractID)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound, err == nil && found.ChainID == nil:
		return nil, nil //nolint:nilnil // no blockchain has it
	case err != nil:
		return nil, err
	}
	text, ok := textOf(found.ABI, &event)
	if !ok && (found.HasOwnABI || !event.HasSignature()) {
		return nil, nil //nolint:nilnil // the contract has no such event any more
	}
	since := tx.Now()
	if rule.EffectiveStartTime != nil {
		since = rule.EffectiveStartTime.Time
	}
	return &watchRow{
		RuleID: rule.ID, OrganizationID: rule.OrganizationID, WebsiteID: rule.WebsiteID, ChainID: *found.ChainID,
		Contract: strings.ToLower(found.Address), IsFunction: event.IsFunction(), ABI: text, Since: store.Micros(since),
		hasStart: rule.EffectiveStartTime != nil,
	}, nil
}

// textOf returns the event or function that a rule names, as its contract's ABI has it or, with ok false, as the rule
// writes it.
func textOf(c *abi.Contract, event *schema.ContractEvent) (text string, ok bool) {
	var f laurel.Faults
	if event.IsFunction() {
		if found := c.FindFunction(&f, "", event.Event); found != nil {
			return found.Text(), true
		}
	} else if found := c.FindEvent(&f, "", event.Event); found != nil {
		return found.Text(), true
	}
	return event.Event, false
}

// Watched returns what rules watch on a network.
func (s *Service) Watched(ctx context.Context, q store.Queryer, chainID uint64) ([]reader.Watch, error) {
	rows, err := selectWatched(ctx, q, chainID)
	out := make([]reader.Watch, len(rows))
	for i, r := range rows {
		out[i] = reader.Watch{
			ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Contract: r.Contract, ABI: r.ABI,
			IsFunction: r.IsFunction, From: reader.NewestBlock, Since: store.Time(r.Since),
		}
		if r.FromBlock != nil {
			out[i].From = *r.FromBlock
		}
		if r.NextBlock != nil && r.UntilBlock != nil {
			out[i].Past = &reader.Past{Next: *r.NextBlock, Until: *r.UntilBlock}
		}
	}
	return out, err
}

// Move stores the first block of watches, and how far their past is read.
func (s *Service) Move(ctx context.Context, tx *store.Tx, _ int64, watches ...reader.Watch) error {
	for _, w := range watches {
		if err := saveBlocks(ctx, tx, w); err != nil {
			return err
		}
	}
	return nil
}

// Publish queues events for the rules that watch their contracts.
func (s *Service) Publish(ctx context.Context, tx *store.Tx, events ...reader.Event) error {
	ids := make([]laurel.ID, len(events))
	for i, e := range events {
		ids[i] = e.WatchID
	}
	rules, err := rulesOf(ctx, tx, ids)
	if err != nil {
		return err
	}
	var rows []eventRow
	for _, e := range events {
		var about struct {
			Key       string `json:"eventKey"`
			IsRemoved bool   `json:"removed"`
		}
		if err := json.Unmarshal(e.Data, &about); err != nil {
			return err
		}
		rule, ok := rules[e.WatchID]
		if !ok {
			continue // the rule was changed just now
		}
		rows = append(rows, eventRow{
			ID: tx.NewID(), RuleID: rule, OrganizationID: e.OrganizationID, WebsiteID: e.WebsiteID, Key: about.Key,
			IsRemoved: about.IsRemoved, Data: string(e.Data), CreatedAt: store.Micros(tx.Now()),
		})
	}
	return insertEvents(ctx, tx, rows)
}
