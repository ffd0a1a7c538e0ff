package transactions

import (
	"context"
	"encoding/json"
	"errors"

	"laurel"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// changes bounds how often a currency goes outside or comes back while a transaction is on its way.
const changes = 3

// Post writes a transaction: all entries or none. Where the balances are kept outside, that system is asked first.
// Where all keyed entries exist already, made by an equal input, it returns that transaction. Errors: Invalid; Refused
// "Insufficient balance", "Idempotency key already used", "Loyalty currency not found"; NotFound "User"; those of
// external.Service.Pay.
func (s *Service) Post(ctx context.Context, scope laurel.Scope, in Input) (ledger.Transaction, error) {
	for range changes {
		t, err := s.post(ctx, scope, in)
		if !errors.Is(err, ledger.ErrOutside) {
			return t, err
		}
		written := laurel.ID{}
		p, err := s.External.Pay(ctx, scope, s.Payer(), func(p *external.Post) (external.Asked, error) {
			w, err := s.askFor(ctx, scope, in, p)
			written = w.earlier
			return w.Asked, err
		})
		if errors.Is(err, external.ErrInside) {
			continue // it came back inside just now
		}
		if err != nil {
			return ledger.Transaction{}, err
		}
		if !p.ID.IsZero() {
			written = p.TransactionID
		}
		return s.Ledger.Transaction(ctx, scope, written)
	}
	return ledger.Transaction{}, &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 5}
}

// Payer returns who writes the posts of callers' transactions.
func (s *Service) Payer() external.Payer {
	return external.Payer{Kind: external.Transaction, Finish: s.finishTransaction}
}

// transactionRecord is what a post keeps of a caller's transaction.
type transactionRecord struct {
	Scope laurel.Scope `json:"scope"`
	Input Input        `json:"input"`
	Hash  string       `json:"hash"`
}

// askFor commits the post of a transaction, unless one is open that holds one of its keys, or its keys were used
// meanwhile.
func (s *Service) askFor(ctx context.Context, scope laurel.Scope, in Input, p *external.Post) (*askWork, error) {
	w := &askWork{post: p}
	if err := in.Complete(); err != nil {
		return w, err
	}
	var err error
	if w.hash, err = in.Hash(); err != nil {
		return w, err
	}
	if p.Record, err = json.Marshal(transactionRecord{scope, in, w.hash}); err != nil {
		return w, err
	}
	p.OrganizationID, p.WebsiteID = scope.OrganizationID, scope.WebsiteID
	w.keys = keysOf(scope.WebsiteID, in)
	p.Holds = external.HoldsOf(p.Request, w.keys...)
	err = s.Committer.Submit(ctx, nil, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, scope, in)
		return w, err
	})
	return w, err
}

func (s *Service) posting(ctx context.Context, scope laurel.Scope, in Input) (ledger.Posting, error) {
	refs := make([]PartyRef, len(in.Entries))
	for i, e := range in.Entries {
		refs[i] = e.Party
	}
	parties, err := s.People(ctx, scope, refs, true)
	if err != nil {
		return ledger.Posting{}, err
	}
	return in.Posting(scope, parties), nil
}

func keysOf(website laurel.ID, in Input) []ledger.KeyID {
	var keys []ledger.KeyID
	for _, e := range in.Entries {
		if e.Key != "" {
			keys = append(keys, ledger.KeyID{WebsiteID: website, Key: e.Key})
		}
	}
	return keys
}

// askWork commits a post before the outside is asked.
type askWork struct {
	post    *external.Post
	posting ledger.Posting
	keys    []ledger.KeyID
	hash    string
	earlier laurel.ID // the transaction that the keys belong to already
	external.Asked
}

func (w *askWork) String() string { return "post " + w.post.ID.String() }

// Locks are those of the posting, so that what it would be refused for is refused before the outside is asked.
func (w *askWork) Locks() []store.Lock {
	locks := append(w.posting.Locks(), w.post.Locks()...)
	for _, k := range w.keys {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	return locks
}

func (w *askWork) Judge(b *store.Batch) error {
	w.earlier = laurel.ID{}
	if w.Asked = (external.Asked{Met: w.post.Met(b)}); !w.Met.IsZero() {
		return nil
	}
	if used, err := w.used(b); used || err != nil {
		return err
	}
	for _, l := range w.posting.Lines {
		if err := l.Party.Check(b); err != nil {
			return err
		}
	}
	var err error
	if w.post.CurrencyID, w.post.Entries, err = external.EntriesOf(b, w.posting); err != nil {
		return err
	}
	w.Made = true
	return external.Stage(b, *w.post)
}

// used reports whether an equal input has used the keys, or the same request has had its effect: a post that ended
// since the keys were looked for.
func (w *askWork) used(b *store.Batch) (bool, error) {
	if w.post.Claimed(b) {
		return true, store.ErrDuplicateRequest
	}
	uses := make([]ledger.KeyUse, len(w.keys))
	for i, k := range w.keys {
		uses[i] = *ledger.Keys.Row(b, k)
	}
	var err error
	w.earlier, err = ledger.Repeated(uses, w.hash)
	return !w.earlier.IsZero(), err
}

// finishTransaction writes a caller's transaction that the outside has accepted.
func (s *Service) finishTransaction(ctx context.Context, key *laurel.RequestKey, p external.Post) error {
	var record transactionRecord
	if err := json.Unmarshal(p.Record, &record); err != nil {
		return err
	}
	for i, e := range record.Input.Entries {
		if string(e.Metadata) == "null" { // that there is none is written so
			record.Input.Entries[i].Metadata = nil
		}
	}
	w := &finishWork{post: p, record: record}
	return s.Committer.Submit(ctx, key, func() (store.Work, error) {
		posting, err := s.posting(ctx, record.Scope, record.Input)
		if err != nil {
			return nil, err
		}
		posting.Mirror, posting.AtOnce = true, true
		w.posting = posting
		return w, nil
	})
}

// finishWork writes what was accepted and ends the post.
type finishWork struct {
	post    external.Post
	record  transactionRecord
	posting ledger.Posting
}

func (w *finishWork) String() string { return "post " + w.post.ID.String() }

func (w *finishWork) Locks() []store.Lock {
	locks := append(w.posting.Locks(), w.post.Locks()...)
	for _, key := range keysOf(w.post.WebsiteID, w.record.Input) {
		locks = append(locks, ledger.Keys.Lock(key))
	}
	return locks
}

func (w *finishWork) Judge(b *store.Batch) error {
	if !external.IsOpen(b, w.post.ID) {
		return nil
	}
	// a key that something in another currency has used meanwhile cannot be this entry's
	for i, l := range w.posting.Lines {
		if l.Key != "" && ledger.Keys.Row(b, ledger.KeyID{WebsiteID: w.post.WebsiteID, Key: l.Key}).Used() {
			w.posting.Lines[i].Key = ""
		}
	}
	made, err := w.posting.Stage(b)
	if err != nil {
		return err
	}
	for _, l := range w.posting.Lines {
		if l.Key != "" {
			ledger.UseKey(b, w.post.Scope(), ledger.KeyUse{Key: l.Key, Hash: w.record.Hash, TransactionID: made.ID})
		}
	}
	external.End(b, w.post, made.ID, "")
	return nil
}
