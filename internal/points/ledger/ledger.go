// Package ledger owns currencies, accounts, transactions, entries, balances and rank: the record of every point.
//
// It is double entry: the entries of a transaction sum to zero per currency, a reward debits the currency's main
// account and credits the user's. Entries are never changed or removed. It does not own users (a Party names one),
// rules, or why points move.
package ledger

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/store"
	"laurel/internal/vault"
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
	CreatedByID    laurel.ID // the service user of the key
	CreatedAt      time.Time
	facts          json.RawMessage
	cause          Cause
	Entries        []Entry // of users, without the counter-entries of main accounts
}

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

// Member is a user whose account a posting changes, as the identity package knows it; app makes one from a person.
type Member struct {
	UserID   laurel.ID
	Wallet   string
	Blocked  bool                       // its accounts are not ranked
	Spenders []laurel.ID                // users whose balances a debit may use, in order; the party first (contract 5.16)
	Locks    []store.Lock               // its user and member rows, and those of its spenders
	Check    func(b *store.Batch) error // the locked rows are still what the party was read from, else store.ErrStale
	Admit    func(b *store.Batch) error // stages the rows of a new user; called when nothing may refuse any more
	// SideEffects are what an entry of the party sets off in the same transaction, such as a check-in.
	SideEffects []SideEffect
}

// SideEffect is something that an entry sets off.
type SideEffect interface {
	Locks() []store.Lock
	CheckCurrent(b *store.Batch) error // store.ErrStale where what it was prepared on has changed; it stages nothing
	Stage(b *store.Batch)              // stages it, when the entry is staged
}

// Service carries out the ledger's operations.
type Service struct {
	db             *store.DB
	outbound       *outbound.Client
	vault          *vault.Vault
	log            *slog.Logger
	cutoffs        cutoffRequests
	tallies        tallies
	keys           store.Loader[KeyID, *KeyUse]
	currencyLoader store.Loader[laurel.ID, *currencyRow]
	follower       CurrencyFollower
}

// Config is what a Service is made of.
type Config struct {
	DB       *store.DB
	Outbound *outbound.Client // says which addresses of outside balances may be stored
	Vault    *vault.Vault     // seals their credentials
	Logger   *slog.Logger
	Follower CurrencyFollower // nil: nothing follows currencies
}

// CurrencyFollower changes with currencies, in their transactions and while nothing is posted in them, what packages
// above keep of them.
type CurrencyFollower interface {
	// CheckMove errs if the balances of a currency may not go to an external ledger, or come back, for now.
	CheckMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c Currency) error
	// Deleted ends what is open in a currency that is deleted.
	Deleted(ctx context.Context, tx *store.Tx, scope laurel.Scope, c Currency) error
}

// New makes the service.
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

// Transaction reads a transaction with its users' entries; NotFound "Transaction" outside the scope.
func (s *Service) Transaction(ctx context.Context, scope laurel.Scope, id laurel.ID) (Transaction, error) {
	return findTransaction(ctx, s.db, scope, id)
}
