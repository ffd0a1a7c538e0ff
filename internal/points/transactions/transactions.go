// Package transactions writes the transactions of callers (contract 4.3): it validates the input, finds the users that
// it names, and posts to the external ledger first if one keeps the balances. The books belong to ledger, posts to
// external.
package transactions

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// MemberRef names a member in a request: by user id or, without one, by wallet.
type MemberRef struct {
	UserID laurel.ID
	Wallet string
}

// People finds the members that a request names, in the order of the references, without writing: a user that a trusted
// server names for the first time is written with the posting. Unless current is set, they may be as this node read
// them last; their Check finds out under the locks. Unknown users are a NotFound error.
type People func(ctx context.Context, scope laurel.Scope, refs []MemberRef, current bool) ([]ledger.Member, error)

// Config holds the dependencies and settings of a Service.
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

// maxSwitches bounds how often a currency may change between this ledger and an external one while a transaction is on
// its way.
const maxSwitches = 3

// Post writes a transaction: all entries or none. If an external ledger keeps the balances, it must accept the
// transaction first. If the keys of all keyed entries belong to an earlier transaction with an equal input, Post
// returns that transaction. Errors: Invalid, also for an unknown currency; Refused "Insufficient balance", "Idempotency
// key already used"; NotFound "User"; those of external.Service.Pay; Unavailable if the balances move between this
// ledger and an external one several times meanwhile.
func (s *Service) Post(ctx context.Context, scope laurel.Scope, in Input) (ledger.Transaction, error) {
	if err := in.normalize(); err != nil {
		return ledger.Transaction{}, err
	}
	hash, err := in.hash()
	if err != nil {
		return ledger.Transaction{}, err
	}
	req := request{scope, in, hash}
	for range maxSwitches {
		t, err := s.post(ctx, req)
		if !errors.Is(err, ledger.ErrExternal) {
			return t, in.nameCurrencyPath(err)
		}
		if t, err = s.postExternally(ctx, req); !errors.Is(err, external.ErrNotExternal) {
			return t, in.nameCurrencyPath(err)
		}
	}
	return ledger.Transaction{}, &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 5}
}

// request is a transaction as a caller sent it. A post stores it as JSON.
type request struct {
	Scope laurel.Scope `json:"scope"`
	Input Input        `json:"input"`
	Hash  string       `json:"hash"`
}

// keys returns the business keys of the entries that have one.
func (req request) keys() []ledger.KeyID {
	var keys []ledger.KeyID
	for _, e := range req.Input.Entries {
		if e.Key != "" {
			keys = append(keys, ledger.KeyID{WebsiteID: req.Scope.WebsiteID, Key: e.Key})
		}
	}
	return keys
}

// locks returns the locks of the keys' rows.
func (req request) locks() []store.Lock {
	var locks []store.Lock
	for _, k := range req.keys() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	return locks
}

// earlierTransaction returns the transaction that the locked keys belong to already, or the zero id if they are new.
func (req request) earlierTransaction(b *store.Batch) (laurel.ID, error) {
	var uses []ledger.KeyUse
	for _, k := range req.keys() {
		uses = append(uses, *ledger.Keys.Row(b, k))
	}
	return ledger.EarlierTransaction(uses, req.Hash)
}

// posting finds the members of a request and returns its posting. With current it reads the members from the database;
// otherwise they may be as this node read them last.
func (s *Service) posting(ctx context.Context, req request, current bool) (ledger.Posting, error) {
	refs := make([]MemberRef, len(req.Input.Entries))
	for i, e := range req.Input.Entries {
		refs[i] = e.Member
	}
	members, err := s.People(ctx, req.Scope, refs, current)
	if err != nil {
		return ledger.Posting{}, err
	}
	return req.Input.posting(req.Scope, members), nil
}
