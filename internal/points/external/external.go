// Package external owns the exchange with external ledgers, which keep the balances of some currencies (contract 5.15):
// posts to them, the results of these posts, and reading balances there. A post is committed before the external ledger
// is called. The transaction that writes what it has accepted ends the post. So neither a crash nor a lost response
// pays half. Which points move, and why, is decided by others; the ledger mirrors what was accepted.
package external

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

// The kinds of posts. Each has an Applier that writes what was accepted.
const (
	Transaction = "transaction" // of a caller (contract 4.3)
	Completion  = "completion"  // of a rule
)

var kinds = []string{Transaction, Completion}

// The states of a post.
const (
	Open      = "open"      // being sent, or due to be sent again
	Done      = "done"      // accepted, and written here
	Refused   = "refused"   // by the external ledger, with its message
	Cancelled = "cancelled" // the external ledger was never reached
)

// Entry is one change of a balance in a post.
type Entry struct {
	Wallet    string           `json:"walletAddress"`
	Amount    string           `json:"amount"`
	Direction ledger.Direction `json:"direction"`
}

// Post is one request to an external ledger, to be written there whole or not at all.
type Post struct {
	ID             laurel.ID // the idempotencyKey of the request
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	CurrencyID     laurel.ID
	RuleID         laurel.ID // of a completion
	Kind           string
	Entries        []Entry
	Record         json.RawMessage // the input of the transaction that writes it here
	Request        *Request        // the Idempotency-Key of the HTTP request that caused it
	NeverCancelled bool            // no caller would repeat it, so it is sent until its outcome is known
	Guards         []string        // names of things that must not be paid for twice while the post is open
	Status         string
	Message        string
	Result         string // the result of the transaction that wrote it
	TransactionID  laurel.ID
	InDoubt        bool // a call may have arrived without a response; while the post is being sent, an earlier call
	Attempts       int64
	DueAt          time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
	FinishedAt     time.Time // zero while open
}

// Request is a laurel.RequestKey as it is stored with a post.
type Request struct {
	APIKeyID        laurel.ID
	Key, Path, Hash string
}

// Scope is the website of the post.
func (p Post) Scope() laurel.Scope {
	return laurel.Scope{OrganizationID: p.OrganizationID, WebsiteID: p.WebsiteID}
}

// Applier writes accepted posts of one kind to the ledger.
type Applier struct {
	Kind string
	// Apply writes an accepted post in one transaction, which also ends the post and claims the key.
	Apply func(ctx context.Context, key *laurel.RequestKey, p Post) error
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB *store.DB
	// for posts only: failures of other calls neither open the breaker of their host nor take their connections
	PostClient *outbound.Client
	ReadClient *outbound.Client // for balances
	Ledger     *ledger.Service
	Vault      *vault.Vault // opens the credentials of currencies
	Logger     *slog.Logger
}

// Service sends posts to external ledgers and reads balances there.
type Service struct {
	Config
	items leaser
	cache *balanceCache
	// newQueue makes the queue of a Resolver, over the same items.
	newQueue func(do func(context.Context, *worker.Item[row]) error) worker.Runner
}

// leaser takes leases on posts, and deletes old ones. It is an interface for the same reason as budget.Cache.
type leaser interface {
	LeaseByKey(ctx context.Context, key laurel.ID, atOnce bool) (*worker.Item[row], error)
	Prune(ctx context.Context) error
}

// New makes the service. Posts that the service leaves open are ended by a Resolver, which callers make with
// NewResolver.
func New(c Config) *Service {
	items := &worker.Items[row]{DB: c.DB, Table: postQueueTable, LeaseTime: lease, OnLease: markInDoubt, Save: saveAttempt}
	return &Service{
		Config: c,
		items:  items,
		cache:  newBalanceCache(),
		newQueue: func(do func(context.Context, *worker.Item[row]) error) worker.Runner {
			return newQueue(items, c.Logger, do)
		},
	}
}

// unavailable returns the error that callers see while an external ledger is down.
func unavailable() error {
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 5}
}

// ErrNotExternal says that no external ledger keeps the balances that a posting changes, or none does any more: it is
// paid as usual.
var ErrNotExternal = errors.New("external: no external ledger keeps the balances of this posting")

// EntriesOf returns the currency and the entries of the post that asks an external ledger to accept a posting. The rows
// of the posting must be locked. Lines of amount zero make no entry. Errors: ErrNotExternal if no currency of the
// posting is kept outside; ledger.UnknownCurrencyError; Refused if the posting has several currencies, or a user
// without wallet; those of ledger.Posting.CheckRange.
func EntriesOf(b *store.Batch, p ledger.Posting) (currency laurel.ID, entries []Entry, err error) {
	isExternal, mixesCurrencies, hasNoWallet := false, false, false
	for _, l := range p.Lines {
		if !ledger.IsLiveCurrency(b, p.Scope, l.CurrencyID) {
			return currency, nil, &ledger.UnknownCurrencyError{ID: l.CurrencyID}
		}
		if l.Amount == 0 {
			continue
		}
		mixesCurrencies = mixesCurrencies || !currency.IsZero() && l.CurrencyID != currency
		hasNoWallet = hasNoWallet || strings.TrimSpace(l.Member.Wallet) == ""
		currency, isExternal = l.CurrencyID, isExternal || ledger.IsExternal(b, l.CurrencyID)
		entries = append(entries, Entry{l.Member.Wallet, l.Amount.String(), l.Direction})
	}
	switch {
	case !isExternal:
		return currency, nil, ErrNotExternal
	case mixesCurrencies:
		return currency, nil, laurel.Errorf(
			laurel.Refused,
			"A currency that is kept outside cannot share a transaction with another one",
		)
	case hasNoWallet:
		return currency, nil, laurel.Errorf(laurel.Refused, "User has no wallet address")
	}
	return currency, entries, p.CheckRange(b)
}
