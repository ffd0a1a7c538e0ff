package transactions

import (
	"context"
	"encoding/json"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Applier returns the applier of posts that callers' transactions caused.
func (s *Service) Applier() external.Applier {
	return external.Applier{Kind: external.Transaction, Apply: s.writeAccepted}
}

// postExternally sends a transaction to the external ledger that keeps the balances, and returns it once that ledger
// has accepted it and it is written here. If the keys of the request belong to an earlier transaction, it sends nothing
// and returns that one. Errors: those of external.Service.Pay; external.ErrNotExternal if this ledger keeps the
// balances by now.
func (s *Service) postExternally(ctx context.Context, req request) (ledger.Transaction, error) {
	written := laurel.ID{}
	p, err := s.External.Pay(ctx, req.Scope, s.Applier(), func(p *external.Post) (external.CommitResult, error) {
		w, err := s.commitPost(ctx, req, p)
		written = w.earlier
		return w.CommitResult, err
	})
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !p.ID.IsZero() { // a post was sent; otherwise the keys belong to an earlier transaction
		written = p.TransactionID
	}
	return s.Ledger.Transaction(ctx, req.Scope, written)
}

// commitPost writes the post of a transaction into the database, before it is sent. It writes nothing if an open post
// has one of p's guards (w.BlockedBy), or if the keys of the request belong to an earlier transaction (w.earlier).
func (s *Service) commitPost(ctx context.Context, req request, p *external.Post) (w *commitWork, err error) {
	w = &commitWork{request: req, post: p}
	if p.Record, err = json.Marshal(req); err != nil {
		return w, err
	}
	p.OrganizationID, p.WebsiteID = req.Scope.OrganizationID, req.Scope.WebsiteID
	p.Guards = external.GuardsOf(p.Request, req.keys()...)
	err = s.Committer.Submit(ctx, nil, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, req, true)
		return w, err
	})
	return w, err
}

// commitWork is the Work that commits a post before it is sent.
type commitWork struct {
	request
	post    *external.Post
	posting ledger.Posting
	earlier laurel.ID // the transaction that the keys belong to already
	external.CommitResult
}

func (w *commitWork) String() string { return "post " + w.post.ID.String() }

// Locks include those of the posting, so that what the ledger would refuse is refused before the post is sent.
func (w *commitWork) Locks() []store.Lock {
	return slices.Concat(w.posting.Locks(), w.post.Locks(), w.locks())
}

// Judge runs once the rows are locked: it commits the post, unless another open post has one of its guards, or the keys
// were used. What this ledger could not write after the external ledger has accepted it, such as a balance out of
// range, is refused here already.
func (w *commitWork) Judge(b *store.Batch) error {
	w.earlier = laurel.ID{}
	if w.CommitResult = (external.CommitResult{BlockedBy: w.post.BlockedBy(b)}); !w.BlockedBy.IsZero() {
		return nil
	}
	if used, err := w.checkRepeated(b); used || err != nil {
		return err
	}
	for _, l := range w.posting.Lines {
		if err := l.Member.Check(b); err != nil {
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

// checkRepeated reports whether the keys belong to an earlier transaction with an equal input, and sets w.earlier to
// it. It returns store.ErrDuplicateRequest if the HTTP request has had its effect already, by a post that has ended
// since.
func (w *commitWork) checkRepeated(b *store.Batch) (_ bool, err error) {
	if w.post.IsRequestClaimed(b) {
		return true, store.ErrDuplicateRequest
	}
	w.earlier, err = w.earlierTransaction(b)
	return !w.earlier.IsZero(), err
}

// writeAccepted writes a caller's transaction that the external ledger has accepted, and ends its post.
func (s *Service) writeAccepted(ctx context.Context, key *laurel.RequestKey, p external.Post) error {
	w := &acceptedWork{post: p}
	if err := json.Unmarshal(p.Record, &w.request); err != nil {
		return err
	}
	for i, e := range w.Input.Entries {
		if string(e.Metadata) == "null" { // a missing object is stored as null
			w.Input.Entries[i].Metadata = nil
		}
	}
	return s.Committer.Submit(ctx, key, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, w.request, true)
		w.posting.IsMirror, w.posting.CreditNow = true, true
		return w, err
	})
}

// acceptedWork is the Work that writes an accepted transaction and ends its post.
type acceptedWork struct {
	request
	post    external.Post
	posting ledger.Posting
}

func (w *acceptedWork) String() string { return "post " + w.post.ID.String() }

func (w *acceptedWork) Locks() []store.Lock {
	return slices.Concat(w.posting.Locks(), w.post.Locks(), w.locks())
}

// Judge runs once the rows are locked: it stages the transaction that the external ledger has accepted, marks its keys
// as used, and ends the post. It does nothing if another node has ended the post already.
func (w *acceptedWork) Judge(b *store.Batch) error {
	if !external.IsOpen(b, w.post.ID) {
		return nil
	}
	// a key that a transaction in another currency has used meanwhile cannot belong to this entry
	for i, l := range w.posting.Lines {
		if l.Key != "" && ledger.Keys.Row(b, ledger.KeyID{WebsiteID: w.post.WebsiteID, Key: l.Key}).IsUsed() {
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
