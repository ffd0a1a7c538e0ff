// Package catalog owns rules, their groups, and the history of their edits. It does not own the properties that a rule
// may have (schema), nor the decision whether a member has earned its reward (completion).
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

// Rule is a rule with everything that callers may see of it (contract 3.12).
type Rule struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	schema.Properties
	Version              int64     // raised by every change
	HasChains            bool      // chains lock the rule (package chains)
	TokenCurrencyID      laurel.ID // the hidden currency in which a token reward is booked
	CreatedAt, UpdatedAt time.Time
	DeletedAt            time.Time    // zero while live
	meta                 *schema.Meta // the decoded metadata of a cached rule, which never changes
}

// Currency returns the currency that the rule pays in. The zero id means that it pays no points and no token.
func (r *Rule) Currency() laurel.ID {
	switch {
	case r.RewardType == schema.RewardToken:
		return r.TokenCurrencyID
	case r.LoyaltyCurrencyID == nil:
		return laurel.ID{}
	}
	return *r.LoyaltyCurrencyID
}

// HasWindowPerCode reports whether each code of the rule is a window of its own (contract 5.3).
func (r *Rule) HasWindowPerCode() bool {
	return r.Type == schema.TypeCodeEntry && r.Meta().AllowMultiple
}

// Meta returns the decoded metadata.
func (r *Rule) Meta() schema.Meta {
	if r.meta != nil {
		return *r.meta
	}
	return r.Properties.Meta()
}

// Service implements the operations on rules.
type Service struct {
	db           *store.DB
	ledger       *ledger.Service
	lists        *lists.Service
	vault        *vault.Vault
	ruleCache    *ruleCache
	checkInCache *checkInCache
	log          *slog.Logger
	follower     Follower
	findLive     map[schema.ReferenceKind]FindLive
	// codesRequested wakes Run if a rule requests more codes than its own transaction has generated.
	codesRequested chan struct{}
}

// Config holds what a Service is made from.
type Config struct {
	DB     *store.DB
	Ledger *ledger.Service
	Lists  *lists.Service
	Vault  *vault.Vault // seals secrets in metadata
	Logger *slog.Logger
	// Follower, if not nil, updates what packages above store about rules.
	Follower Follower
	// Live finds records of other packages that rules refer to: functions, subscriptions and contracts.
	Live map[schema.ReferenceKind]FindLive
}

// Follower updates what packages above store about rules, in the transactions that change them and while they are
// locked.
type Follower interface {
	// RuleSaved is called after a rule was created, changed, deleted or undeleted. before has a zero id if it is new.
	RuleSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, after Rule) error
	// CheckUndelete returns an error if a deleted rule may not be undeleted yet, because its grants are still being ended.
	CheckUndelete(ctx context.Context, tx *store.Tx, rule laurel.ID) error
}

// FindLive returns the ids of the records that belong to the scope and are not deleted.
type FindLive func(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error)

// New returns a Service.
func New(c Config) *Service {
	return &Service{
		db:             c.DB,
		ledger:         c.Ledger,
		lists:          c.Lists,
		vault:          c.Vault,
		ruleCache:      newRuleCache(c.DB),
		checkInCache:   newCheckInCache(c.DB),
		log:            c.Logger,
		follower:       c.Follower,
		findLive:       c.Live,
		codesRequested: make(chan struct{}, 1),
	}
}
