// Package catalog owns rules, their groups and their history. What a rule may say is the business of rulebook; who has
// earned its reward is that of completions.
package catalog

import (
	"context"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/vault"
)

// Rule is one rule with everything that callers see of it (contract 3.12).
type Rule struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	schema.Properties
	Version              int64     // raised by every change
	HasChains            bool      // other things must be done first (chains)
	TokenCurrencyID      laurel.ID // of a rule that pays a token: the hidden currency that it is booked in
	CreatedAt, UpdatedAt time.Time
	DeletedAt            time.Time    // zero while live
	meta                 *schema.Meta // what Meta answers, of a rule that is read often and never changed
}

// Currency is what the rule pays in; zero: nothing.
func (r *Rule) Currency() laurel.ID {
	switch {
	case r.RewardType == schema.RewardToken:
		return r.TokenCurrencyID
	case r.LoyaltyCurrencyID == nil:
		return laurel.ID{}
	}
	return *r.LoyaltyCurrencyID
}

// HasWindowPerCode reports whether each code is a window of its own (contract 5.3).
func (r *Rule) HasWindowPerCode() bool {
	return r.Type == schema.TypeCodeEntry && r.Meta().AllowMultiple
}

// Meta is the metadata that completion goes by.
func (r *Rule) Meta() schema.Meta {
	if r.meta != nil {
		return *r.meta
	}
	return r.Properties.Meta()
}

// Service carries out the operations on rules.
type Service struct {
	db           *store.DB
	ledger       *ledger.Service
	lists        *lists.Service
	vault        *vault.Vault
	ruleCache    *ruleCache
	checkInCache *checkInCache
	log          *slog.Logger
	onSave       func(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, after Rule) error
	mayUndelete  func(ctx context.Context, tx *store.Tx, rule laurel.ID) error
	findLive     map[schema.ReferenceKind]FindLive
	// codesRequested wakes Run when a rule asks for more codes than its own transaction made.
	codesRequested chan struct{}
}

// Config is what a Service is made of.
type Config struct {
	DB     *store.DB
	Ledger *ledger.Service
	Lists  *lists.Service
	Vault  *vault.Vault // seals secrets in metadata
	Logger *slog.Logger
	// OnSave is called in the transaction that makes or changes a rule, deletes it or brings it back, while the rule is
	// locked; nil: nobody follows. before has no id where the rule is new.
	OnSave func(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, after Rule) error
	// MayUndelete is asked before a deleted rule comes back; nil: every rule may.
	MayUndelete func(ctx context.Context, tx *store.Tx, rule laurel.ID) error
	// Live looks up things of other packages that rules name: functions, subscriptions and contracts.
	Live map[schema.ReferenceKind]FindLive
}

// FindLive returns those of the ids that belong to the scope and are not deleted.
type FindLive func(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error)

// New makes the service.
func New(c Config) *Service {
	return &Service{
		db:             c.DB,
		ledger:         c.Ledger,
		lists:          c.Lists,
		vault:          c.Vault,
		ruleCache:      newRuleCache(c.DB),
		checkInCache:   newCheckInCache(c.DB),
		log:            c.Logger,
		onSave:         c.OnSave,
		mayUndelete:    c.MayUndelete,
		findLive:       c.Live,
		codesRequested: make(chan struct{}, 1),
	}
}
