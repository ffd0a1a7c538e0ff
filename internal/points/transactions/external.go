package transactions

import (
	"context"
	"encoding/json"
	"slices"

	"laurel"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Payer returns who writes the posts of callers' transactions.
func (s *Service) Payer() external.Applier {
	return external.Applier{Kind: external.Transaction, Apply: s.finish}
}

// pay has the system asked that keeps the balances. Errors: those of external.Service.Pay; external.ErrNotExternal where
// none keeps them any more.
func (s *Service) pay(ctx context.Context, c call) (ledger.Transaction, error) {
	written := laurel.ID{}
	p, err := s.External.Pay(ctx, c.Scope, s.Payer(), func(p *external.Post) (external.CommitResult, error) {
		w, err := s.ask(ctx, c, p)
		written = w.earlier
		return w.CommitResult, err
	})
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !p.ID.IsZero() {
		written = p.TransactionID
	}
	return s.Ledger.Transaction(ctx, c.Scope, written)
}

// ask commits the post of a transaction, unless one is open that holds one of its keys, or its keys were used
// meanwhile.
func (s *Service) ask(ctx context.Context, c call, p *external.Post) (w *askWork, err error) {
	w = &askWork{call: c, post: p}
	if p.Record, err = json.Marshal(c); err != nil {
		return w, err
	}
	p.OrganizationID, p.WebsiteID = c.Scope.OrganizationID, c.Scope.WebsiteID
	p.Guards = external.GuardsOf(p.Request, c.keys()...)
	err = s.Committer.Submit(ctx, nil, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, c, true)
		return w, err
	})
	return w, err
}

// askWork commits a post before the outside is asked.
type askWork struct {
	call
	post    *external.Post
	posting ledger.Posting
	earlier laurel.ID // the transaction that the keys belong to already
	external.CommitResult
}

func (w *askWork) String() string { return "post " + w.post.ID.String() }

// Locks are those of the posting, so that what it would be refused for is refused before the outside is asked.
func (w *askWork) Locks() []store.Lock {
	return slices.Concat(w.posting.Locks(), w.post.Locks(), w.locks())
}

func (w *askWork) Judge(b *store.Batch) error {
	w.earlier = laurel.ID{}
	if w.CommitResult = (external.CommitResult{BlockedBy: w.post.BlockedBy(b)}); !w.BlockedBy.IsZero() {
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
	w.Committed = true
	return external.Stage(b, *w.post)
}

// used reports whether an equal input has used the keys, or the same request has had its effect: a post that ended
// since the keys were looked for.
func (w *askWork) used(b *store.Batch) (_ bool, err error) {
	if w.post.IsRequestClaimed(b) {
		return true, store.ErrDuplicateRequest
	}
	w.earlier, err = w.repeats(b)
	return !w.earlier.IsZero(), err
}

// finish writes a caller's transaction that the outside has accepted.
func (s *Service) finish(ctx context.Context, key *laurel.RequestKey, p external.Post) error {
	w := &finishWork{post: p}
	if err := json.Unmarshal(p.Record, &w.call); err != nil {
		return err
	}
	for i, e := range w.Input.Entries {
		if string(e.Metadata) == "null" { // that there is none is written so
			w.Input.Entries[i].Metadata = nil
		}
	}
	return s.Committer.Submit(ctx, key, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, w.call, true)
		w.posting.Mirror, w.posting.AtOnce = true, true
		return w, err
	})
}

// finishWork writes what was accepted and ends the post.
type finishWork struct {
	call
	post    external.Post
	posting ledger.Posting
}

func (w *finishWork) String() string { return "post " + w.post.ID.String() }

func (w *finishWork) Locks() []store.Lock {
	return slices.Concat(w.posting.Locks(), w.post.Locks(), w.locks())
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
			ledger.UseKey(b, w.post.Scope(), ledger.KeyUse{Key: l.Key, Hash: w.Hash, TransactionID: made.ID})
		}
	}
	external.End(b, w.post, made.ID, "")
	return nil
}
