// Package ledger owns currencies, accounts, transactions, entries, balances and rank: the record of every point.
//
// It is double entry: the entries of a transaction sum to zero per currency, a reward debits the currency's main
// account and credits the user's. Entries are never changed or removed. It does not own users (a Member names one)
// or rules, and does not decide why points move.
package ledger

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// TransactionType says what a transaction is for (contract 2).
type TransactionType string

// The transaction types. Callers may write TypeAPIKey and TypeOrder.
const (
	TypeAuctionBid  TransactionType = "auction_bid"
	TypeDirectMint  TransactionType = "direct_mint"
	TypeLoyaltyRule TransactionType = "loyalty_rule"
	TypeAPIKey      TransactionType = "api_key"
	TypeOrder       TransactionType = "order"
)

// Direction says whether an entry raises (credit) or lowers (debit) its account.
type Direction string

// The directions.
const (
	Credit Direction = "credit"
	Debit  Direction = "debit"
)

// Opposite returns the other direction.
func (d Direction) Opposite() Direction {
	if d == Credit {
		return Debit
	}
	return Credit
}

// Transaction is a set of entries that happened together (contract 3.10).
type Transaction struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Type           TransactionType
	Description    string
	RuleID         laurel.ID // zero: no rule
	RuleType       string    // set only by Service.Transaction
	CreatedByID    laurel.ID // the service user of the key
	CreatedAt      time.Time
	facts          json.RawMessage
	cause          Cause
	Entries        []Entry // of users, without the counter-entries of main accounts
}

// Cause returns why the points have moved.
func (t Transaction) Cause() Cause { return t.cause }

// Entry is one change of one account (contract 3.11).
type Entry struct {
	ID             laurel.ID
	TransactionID  laurel.ID
	AccountID      laurel.ID
	CurrencyID     laurel.ID
	UserID         laurel.ID // zero: the main account
	Direction      Direction
	Amount         laurel.Amount // never negative
	StartAmount    laurel.Amount // balance before and after, of users' accounts
	EndAmount      laurel.Amount
	LockVersion    int64 // the account's number of changes after this one; 0 on main accounts
	IdempotencyKey string
	Metadata       json.RawMessage // an object, or nil
	CreatedAt      time.Time
}

// Member is a user whose account a posting changes. Package app makes one from a person of package identity.
type Member struct {
	UserID   laurel.ID
	Wallet   string
	Blocked  bool                       // its accounts are not ranked
	Spenders []laurel.ID                // users whose balances a debit may use, in order; the member first (contract 5.16)
	Locks    []store.Lock               // its user and member rows, and those of its spenders
	Check    func(b *store.Batch) error // store.ErrStale if the locked rows have changed since the read
	Admit    func(b *store.Batch) error // stages the rows of a new user; called once no refusal is possible any more
	// SideEffects happen in the same transaction as an entry of the member, such as a check-in.
	SideEffects []SideEffect
}

// SideEffect is something that happens together with an entry, in its transaction.
type SideEffect interface {
	Locks() []store.Lock
	CheckCurrent(b *store.Batch) error // returns store.ErrStale if what it was prepared on has changed
	Stage(b *store.Batch)              // stages it once the entry is staged
}

// Service implements the operations of the ledger.
type Service struct {
	db             *store.DB
	outbound       *outbound.Client
	vault          *vault.Vault
	log            *slog.Logger
	cutoffs        cutoffRequests
	entryCounts    entryCounts
	keys           store.Loader[KeyID, *KeyUse]
	currencyLoader store.Loader[laurel.ID, *Currency]
	follower       CurrencyFollower
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB       *store.DB
	Outbound *outbound.Client // checks the addresses of external ledgers
	Vault    *vault.Vault     // seals their credentials
	Logger   *slog.Logger
	Follower CurrencyFollower // nil: nothing follows currencies
}

// CurrencyFollower lets packages above the ledger take part in changes of currencies. Its methods are called in the
// transaction of the change, while nothing is posted in the currency.
type CurrencyFollower interface {
	// CheckExternalMove returns an error if the balances of a currency cannot go to an external ledger, or come back, for
	// now.
	CheckExternalMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c Currency) error
	// Deleted ends the holds, auctions and the like that are open in a currency that is deleted.
	Deleted(ctx context.Context, tx *store.Tx, scope laurel.Scope, c Currency) error
}

// New makes the service. Its background work is done by Run.
func New(c Config) *Service {
	return &Service{
		db:             c.DB,
		outbound:       c.Outbound,
		vault:          c.Vault,
		log:            c.Logger,
		follower:       c.Follower,
		keys:           Keys.Loader(c.DB),
		currencyLoader: newCurrencyLoader(c.DB),
	}
}

// Transaction reads a transaction with its users' entries, or NotFound "Transaction" if the scope has none.
func (s *Service) Transaction(ctx context.Context, scope laurel.Scope, id laurel.ID) (Transaction, error) {
	return findTransaction(ctx, s.db, scope, id)
}
