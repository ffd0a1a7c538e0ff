// Package reversals takes transactions back, whole or in part (contract 1.11): what they gave to members is debited,
// and what they took comes back. It owns how much of each transaction is reversed. The books belong to ledger, held
// points to lots, and the windows of rules to progress.
package reversals

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/store"
)

// The policies: what happens to points that a balance no longer covers.
const (
	WithinBalance = "reverse_within_balance" // they stay with the member
	Everything    = "reverse"                // the account owes them, and later credits pay
)

// Config holds the dependencies of a Service.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	Ledger    *ledger.Service
	History   *rewardhistory.Service
	// KeptOfHold returns what each account has paid for a hold, without what it got back. Errors: Refused if the hold may
	// still give points back.
	KeptOfHold func(ctx context.Context, scope laurel.Scope, hold laurel.ID) (map[laurel.ID]laurel.Amount, error)
	// Reopen returns what frees the windows that a rule's payment to a member has closed, so that it can pay again.
	Reopen func(ctx context.Context, scope laurel.Scope, t ledger.Transaction, user laurel.ID) (ledger.SideEffect, error)
	// RecheckBadges revokes the badges of users that they no longer earn. It may be called again for the same reversal.
	RecheckBadges func(ctx context.Context, scope laurel.Scope, users []laurel.ID) error
}

// Service reverses transactions.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{c} }

// Input says what to reverse, and how.
type Input struct {
	ID          laurel.ID      `json:"id"` // the transaction
	Description string         `json:"description"`
	Amount      *laurel.Amount `json:"amount"` // > 0, of a transaction with one entry; nil: what is not reversed yet
	Policy      string         `json:"policy"` // empty: WithinBalance
	Key         string         `json:"key"`    // idempotencyKey
	Reopen      bool           `json:"reopen"` // the rule can be completed again in the same window
	// RecheckBadges revokes the badges of members that they no longer earn, also if the reversal is repeated.
	RecheckBadges bool `json:"recheckBadges"`
	// SkipOutside leaves out tokens and currencies of external ledgers, in place of refusing the reversal.
	SkipOutside bool `json:"-"`
}

const (
	maxDescription = 1000
	maxKey         = 255
)

// normalize fills in defaults. The error is Invalid with every fault.
func (in *Input) normalize() error {
	var f laurel.Faults
	f.Text("description", in.Description, 0, maxDescription)
	if in.Amount != nil && *in.Amount <= 0 {
		f.Add("amount", "must be greater than 0")
	}
	if in.Policy == "" {
		in.Policy = WithinBalance
	}
	if !slices.Contains(Policies(), in.Policy) {
		f.Add("policy", "must be one of: %s, %s", WithinBalance, Everything)
	}
	f.Text("idempotencyKey", in.Key, 0, maxKey)
	return f.Err()
}

// Policies lists the policies.
func Policies() []string { return []string{WithinBalance, Everything} }

// hash returns the hash of the input. The same key with another input is refused.
func (in Input) hash() (string, error) {
	b, err := json.Marshal(in)
	sum := sha256.Sum256(b)
	return "reversal " + hex.EncodeToString(sum[:]), err
}

// TransactionOfKey returns the transaction that an idempotency key belongs to: of an entry or of a completion. NotFound
// "Transaction" if there is none.
func (s *Service) TransactionOfKey(ctx context.Context, scope laurel.Scope, key string) (laurel.ID, error) {
	use, err := s.Ledger.FindKey(ctx, scope, key)
	if err == nil && use.TransactionID.IsZero() {
		err = laurel.Missing("Transaction")
	}
	return use.TransactionID, err
}

// ErrReversed refuses to reverse more than what is left of a transaction.
func ErrReversed() error { return laurel.Errorf(laurel.Refused, "Transaction was already reversed") }

// Reverse reverses a transaction, or a part of it, and returns the transaction that does so. If the key belongs to an
// earlier reversal with an equal input, it returns that one. Errors: Invalid; NotFound "Transaction"; Refused:
// ErrReversed, those of Parts, "Idempotency key already used".
func (s *Service) Reverse(ctx context.Context, scope laurel.Scope, in Input) (ledger.Transaction, error) {
	t, err := s.reverse(ctx, scope, in)
	if err != nil || !in.RecheckBadges {
		return t, err
	}
	var users []laurel.ID
	for _, e := range t.Entries {
		if !slices.Contains(users, e.UserID) {
			users = append(users, e.UserID)
		}
	}
	err = s.RecheckBadges(ctx, scope.At(t.WebsiteID), users)
	if laurel.IsRefusal(err) { // the reversal has happened, so the caller must not see a refusal
		err = errors.New("badges were not checked again: " + err.Error())
	}
	return t, err
}

// reverse is Reverse without the check of badges.
func (s *Service) reverse(ctx context.Context, scope laurel.Scope, in Input) (ledger.Transaction, error) {
	if err := in.normalize(); err != nil {
		return ledger.Transaction{}, err
	}
	hash, err := in.hash()
	if err != nil {
		return ledger.Transaction{}, err
	}
	of, err := s.Ledger.Transaction(ctx, scope, in.ID)
	if err != nil {
		return ledger.Transaction{}, err
	}
	w := &work{Input: in, scope: scope.At(of.WebsiteID), hash: hash, of: of}
	if earlier, err := s.findEarlier(ctx, w); err != nil || !earlier.IsZero() {
		if err != nil {
			return ledger.Transaction{}, err
		}
		return s.Ledger.Transaction(ctx, w.scope, earlier)
	}
	err = s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		return w, s.prepare(ctx, w)
	})
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !w.earlier.IsZero() {
		return s.Ledger.Transaction(ctx, w.scope, w.earlier)
	}
	return w.written, nil
}

// findEarlier returns the reversal that the key of the input belongs to, or the zero id.
func (s *Service) findEarlier(ctx context.Context, w *work) (laurel.ID, error) {
	if w.Key == "" {
		return laurel.ID{}, nil
	}
	use, err := s.Ledger.FindKey(ctx, w.scope, w.Key)
	if err != nil {
		return laurel.ID{}, err
	}
	return ledger.EarlierTransaction([]ledger.KeyUse{use}, w.hash)
}

// prepare reads what the transaction gave and took, and checks the input against it.
func (s *Service) prepare(ctx context.Context, w *work) (err error) {
	if w.parts, err = s.readParts(ctx, w.scope, w.of, w.SkipOutside); err != nil {
		return err
	}
	if len(w.parts) == 0 && len(w.of.Entries) > 0 {
		return &ledger.UnknownCurrencyError{ID: w.of.Entries[0].CurrencyID} // they are all deleted
	}
	var f laurel.Faults
	if w.Amount != nil && len(w.parts) != 1 {
		f.Add("amount", "is only for transactions with one entry")
	}
	if w.Amount != nil && slices.ContainsFunc(w.parts, func(p Part) bool { return len(p.held) > 0 }) {
		f.Add("amount", "is not for points that are still held: they are reversed as a whole")
	}
	if w.Reopen && w.of.RuleID.IsZero() {
		f.Add("reopen", "is only for rewards of rules")
	}
	if err := f.Err(); err != nil {
		return err
	}
	w.effects = nil
	if !w.Reopen || len(w.parts) == 0 {
		return nil
	}
	// the member who has completed the rule has the first entry; others may follow, of referrers
	effect, err := s.Reopen(ctx, w.scope, w.of, w.parts[0].UserID)
	w.effects = []ledger.SideEffect{effect}
	return err
}
