// Package transactions writes the transactions of callers (contract 4.3): what they ask for, whom they name, and, where
// an external ledger keeps the balances, that it is asked first. The books belong to ledger, posts to external.
package transactions

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// PartyRef is how a request names a party: by user id or, without one, by wallet.
type PartyRef struct {
	UserID laurel.ID
	Wallet string
}

// People finds the users that a request names, without writing: a user that a trusted server names for the first time
// is written with the posting. Unless now is asked for, they may be as this node saw them last: their Check tells under
// the locks. Unknown users are a NotFound error. The answer has the order of the references.
type People func(ctx context.Context, scope laurel.Scope, refs []PartyRef, now bool) ([]ledger.Party, error)

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	Ledger    *ledger.Service
	External  *external.Service
	People    People
}

// Service writes callers' transactions.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{c} }

// changes bounds how often a currency goes outside or comes back while a transaction is on its way.
const changes = 3

// Post writes a transaction: all entries or none. Where the balances are kept outside, that system is asked first.
// Where all keyed entries exist already, made by an equal input, it returns that transaction. Errors: Invalid, also
// for a currency that is not there; Refused "Insufficient balance", "Idempotency key already used"; NotFound "User";
// those of external.Service.Pay.
func (s *Service) Post(ctx context.Context, scope laurel.Scope, in Input) (ledger.Transaction, error) {
	if err := in.complete(); err != nil {
		return ledger.Transaction{}, err
	}
	hash, err := in.hash()
	if err != nil {
		return ledger.Transaction{}, err
	}
	c := call{scope, in, hash}
	for range changes {
		t, err := s.post(ctx, c)
		if !errors.Is(err, ledger.ErrOutside) {
			return t, in.named(err)
		}
		if t, err = s.pay(ctx, c); !errors.Is(err, external.ErrNotExternal) {
			return t, in.named(err)
		}
	}
	return ledger.Transaction{}, &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 5}
}

// call is a transaction as it was asked for; a post keeps it so.
type call struct {
	Scope laurel.Scope `json:"scope"`
	Input Input        `json:"input"`
	Hash  string       `json:"hash"`
}

// keys are the business keys of the entries that have one.
func (c call) keys() []ledger.KeyID {
	var keys []ledger.KeyID
	for _, e := range c.Input.Entries {
		if e.Key != "" {
			keys = append(keys, ledger.KeyID{WebsiteID: c.Scope.WebsiteID, Key: e.Key})
		}
	}
	return keys
}

// locks are the rows of the keys.
func (c call) locks() []store.Lock {
	var locks []store.Lock
	for _, k := range c.keys() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	return locks
}

// repeats returns the transaction that the keys, which are locked, belong to already; zero where they are new.
func (c call) repeats(b *store.Batch) (laurel.ID, error) {
	var uses []ledger.KeyUse
	for _, k := range c.keys() {
		uses = append(uses, *ledger.Keys.Row(b, k))
	}
	return ledger.Repeated(uses, c.Hash)
}

// posting finds the parties of a call, as they are now or as this node saw them last.
func (s *Service) posting(ctx context.Context, c call, now bool) (ledger.Posting, error) {
	refs := make([]PartyRef, len(c.Input.Entries))
	for i, e := range c.Input.Entries {
		refs[i] = e.Party
	}
	parties, err := s.People(ctx, c.Scope, refs, now)
	if err != nil {
		return ledger.Posting{}, err
	}
	return c.Input.posting(c.Scope, parties), nil
}
