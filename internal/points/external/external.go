// Package external owns what happens with currencies whose balances a system outside keeps (contract 5.15): what it is
// asked to write, what became of that, and reading balances there. A post is committed before the outside is asked and
// ended by the transaction that writes what it has accepted, so that neither a crash nor a call without answer pays
// half. Which points move, and why, is the business of others; the ledger mirrors what was accepted.
package external

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
	"laurel/internal/vault"
	"laurel/internal/worker"
)

// The kinds of posts: who writes what was accepted.
const (
	Transaction = "transaction" // of a caller (contract 4.3)
	Completion  = "completion"  // of a rule
)

var kinds = []string{Transaction, Completion}

// The states of a post.
const (
	Open      = "open"      // the outside is being asked, or will be again
	Done      = "done"      // accepted, and written here
	Refused   = "refused"   // by the outside, with its message
	Cancelled = "cancelled" // the outside was never reached
)

// Entry is a change of a balance that the outside is asked for.
type Entry struct {
	Wallet    string           `json:"walletAddress"`
	Amount    string           `json:"amount"`
	Direction ledger.Direction `json:"direction"`
}

// Post is what the outside is asked to write, all of it or nothing.
type Post struct {
	ID             laurel.ID // the idempotencyKey that the outside is shown
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	CurrencyID     laurel.ID
	RuleID         laurel.ID // of a completion
	Kind           string
	Entries        []Entry
	Record         json.RawMessage // what the transaction is made of that writes it here
	Request        *Request        // the Idempotency-Key of the HTTP request that asked for it
	NeverCancelled bool            // nobody would ask anew: it is never cancelled, but asked for until it is known
	Guards         []string        // what must not be paid for twice while the post is open
	Status         string
	Message        string
	Result         string // what the transaction that wrote it answered
	TransactionID  laurel.ID
	InDoubt        bool // a call may have arrived whose answer did not; of a post that is being asked for: an earlier one
	Attempts       int64
	DueAt          time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
	FinishedAt     time.Time // zero while open
}

// Request is a laurel.RequestKey as a post keeps it.
type Request struct {
	APIKeyID        laurel.ID
	Key, Path, Hash string
}

// Scope is the website of the post.
func (p Post) Scope() laurel.Scope {
	return laurel.Scope{OrganizationID: p.OrganizationID, WebsiteID: p.WebsiteID}
}

// Applier writes the posts of one kind when the outside has accepted them.
type Applier struct {
	Kind string
	// Apply writes in one transaction what the outside has accepted, and ends the post in it. It claims the key.
	Apply func(ctx context.Context, key *laurel.RequestKey, p Post) error
}

// Config is what a Service is made of.
type Config struct {
	DB *store.DB
	// for posts alone: nothing else that fails has their host left alone, or takes their connections
	PostClient *outbound.Client
	ReadClient *outbound.Client // for balances
	Ledger     *ledger.Service
	Vault      *vault.Vault // opens the credentials of currencies
	Logger     *slog.Logger
}

// Service asks outside systems to write and to read.
type Service struct {
	Config
	items leases
	cache *balanceCache
	// newQueue makes the queue of a Carrier, over the same items.
	newQueue func(do func(context.Context, *worker.Item[row]) error) worker.Runner
}

// leases are the posts that this node may take. It is an interface for the reason of budget.Cache.
type leases interface {
	Take(ctx context.Context, key laurel.ID, atOnce bool) (*worker.Item[row], error)
	Prune(ctx context.Context) error
}

// New makes the service. What it leaves open is carried on by a Carrier.
func New(c Config) *Service {
	items := &worker.Items[row]{DB: c.DB, Table: leasedPosts, Lease: lease, Taken: markInDoubt, Save: saveAttempt}
	return &Service{
		Config: c,
		items:  items,
		cache:  newBalanceCache(),
		newQueue: func(do func(context.Context, *worker.Item[row]) error) worker.Runner {
			return newQueue(items, c.Logger, do)
		},
	}
}

// unavailable is what callers see while the outside is down.
func unavailable() error {
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 5}
}

// ErrNotExternal tells who wants to ask the outside that nobody there is concerned, or no more: what it pays is paid as
// usual.
var ErrNotExternal = errors.New("external: nobody outside keeps what is to be paid")

// EntriesOf are the changes that a posting, whose rows are locked, asks the outside for; those of nothing are left out.
// Errors: ErrNotExternal; ledger.UnknownCurrencyError; Refused where it is of several currencies, or for a user without
// wallet; those of ledger.Posting.Fits.
func EntriesOf(b *store.Batch, p ledger.Posting) (currency laurel.ID, entries []Entry, err error) {
	isExternal, mixesCurrencies, hasNoWallet := false, false, false
	for _, l := range p.Lines {
		if !ledger.LiveCurrency(b, p.Scope, l.CurrencyID) {
			return currency, nil, &ledger.UnknownCurrencyError{ID: l.CurrencyID}
		}
		if l.Amount == 0 {
			continue
		}
		mixesCurrencies = mixesCurrencies || !currency.IsZero() && l.CurrencyID != currency
		hasNoWallet = hasNoWallet || strings.TrimSpace(l.Party.Wallet) == ""
		currency, isExternal = l.CurrencyID, isExternal || ledger.Outside(b, l.CurrencyID)
		entries = append(entries, Entry{l.Party.Wallet, l.Amount.String(), l.Direction})
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
	return currency, entries, p.Fits(b)
}
