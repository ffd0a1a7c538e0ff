package external

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"laurel"
	"laurel/internal/ledger"
	"laurel/internal/store"
)

func basic(key, value string) string {
	return base64.StdEncoding.EncodeToString([]byte(key + ":" + value))
}

// Post is ledger.Post for every currency: where the balances are kept outside, that system is asked first. Errors: those of ledger.Post, and of Pay.
func (s *Service) Post(ctx context.Context, scope laurel.Scope, in ledger.PostInput) (ledger.Transaction, error) {
	t, err := s.Ledger.Post(ctx, scope, in)
	if !errors.Is(err, ledger.ErrOutside) {
		return t, err
	}
	p, err := s.Pay(ctx, scope, Transaction, func(ctx context.Context, p *Post) (Asked, error) {
		if t, err = s.Ledger.Post(ctx, scope, in); !errors.Is(err, ledger.ErrOutside) { // its keys were used meanwhile
			return Asked{}, err
		}
		return s.askFor(ctx, scope, in, p)
	})
	if err != nil || p.ID.IsZero() {
		return t, err
	}
	return s.Ledger.Transaction(ctx, scope, p.TransactionID)
}

// transactionRecord is what a post keeps of a caller's transaction.
type transactionRecord struct {
	Scope laurel.Scope     `json:"scope"`
	Input ledger.PostInput `json:"input"`
	Hash  string           `json:"hash"`
}

// askFor commits the post of a transaction, unless one is open that holds one of its keys.
func (s *Service) askFor(ctx context.Context, scope laurel.Scope, in ledger.PostInput, p *Post) (Asked, error) {
	if err := in.Complete(); err != nil {
		return Asked{}, err
	}
	hash, err := in.Hash()
	if err != nil {
		return Asked{}, err
	}
	if p.Record, err = json.Marshal(transactionRecord{scope, in, hash}); err != nil {
		return Asked{}, err
	}
	p.OrganizationID, p.WebsiteID = scope.OrganizationID, scope.WebsiteID
	p.Holds = HoldsOf(scope, p.Request, keysOf(in)...)
	w := &askWork{post: p}
	err = s.Committer.Submit(ctx, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, scope, in)
		return w, err
	})
	return w.Asked, err
}

func (s *Service) posting(ctx context.Context, scope laurel.Scope, in ledger.PostInput) (ledger.Posting, error) {
	refs := make([]ledger.PartyRef, len(in.Entries))
	for i, e := range in.Entries {
		refs[i] = e.Party
	}
	parties, err := s.People(ctx, scope, refs)
	if err != nil {
		return ledger.Posting{}, err
	}
	return in.Posting(scope, parties), nil
}

func keysOf(in ledger.PostInput) []string {
	var keys []string
	for _, e := range in.Entries {
		if e.Key != "" {
			keys = append(keys, e.Key)
		}
	}
	return keys
}

// RequestOf answers the Idempotency-Key of the request that a context belongs to, or nil.
func RequestOf(ctx context.Context) *Request {
	key := store.RequestKeyOf(ctx)
	if key == nil {
		return nil
	}
	return &Request{key.APIKeyID, key.Key, key.Path, key.Hash}
}

// HoldsOf are the holds of a request's Idempotency-Key and of business keys.
func HoldsOf(scope laurel.Scope, r *Request, keys ...string) []string {
	out := []string{}
	if r != nil {
		out = append(out, "request "+r.APIKeyID.String()+" "+r.Key)
	}
	for _, key := range keys {
		out = append(out, "key "+scope.WebsiteID.String()+" "+key)
	}
	return out
}

// askWork commits a post before the outside is asked.
type askWork struct {
	post    *Post
	posting ledger.Posting
	Asked
}

func (w *askWork) String() string { return "post " + w.post.ID.String() }

// Locks are those of the posting, so that what it would be refused for is refused before the outside is asked.
func (w *askWork) Locks() []store.Lock {
	return append(w.posting.Locks(), Locks(w.post.ID, w.post.Holds)...)
}

func (w *askWork) Judge(b *store.Batch) error {
	if w.Asked = (Asked{Met: Met(b, w.post.Holds)}); !w.Met.IsZero() {
		return nil
	}
	for _, l := range w.posting.Lines {
		if err := l.Party.Check(b); err != nil {
			return err
		}
		if !ledger.LiveCurrency(b, w.post.Scope(), l.CurrencyID) {
			return ledger.ErrNoCurrency()
		}
	}
	if !ledger.Outside(b, w.posting.Lines[0].CurrencyID) { // it came back inside just now
		return unavailable()
	}
	var err error
	if w.post.CurrencyID, w.post.Entries, err = EntriesOf(w.posting); err != nil {
		return err
	}
	w.Made = true
	return Stage(b, *w.post)
}

// finishTransaction writes a caller's transaction that the outside has accepted.
func (s *Service) finishTransaction(ctx context.Context, p Post) error {
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
	return s.Committer.Submit(ctx, func() (store.Work, error) {
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
	post    Post
	record  transactionRecord
	posting ledger.Posting
}

func (w *finishWork) String() string { return "post " + w.post.ID.String() }

func (w *finishWork) keyID(key string) ledger.KeyID {
	return ledger.KeyID{WebsiteID: w.post.WebsiteID, Key: key}
}

func (w *finishWork) Locks() []store.Lock {
	locks := append(w.posting.Locks(), Locks(w.post.ID, w.post.Holds)...)
	for _, key := range keysOf(w.record.Input) {
		locks = append(locks, ledger.Keys.Lock(w.keyID(key)))
	}
	return locks
}

func (w *finishWork) Judge(b *store.Batch) error {
	if !IsOpen(b, w.post.ID) {
		return nil
	}
	for i, l := range w.posting.Lines { // a key that something in another currency has used meanwhile cannot be this entry's
		if l.Key != "" && ledger.Keys.Row(b, w.keyID(l.Key)).Used() {
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
	End(b, w.post, made.ID, "")
	return nil
}
