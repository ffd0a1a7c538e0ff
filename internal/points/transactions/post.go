package transactions

import (
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// post writes a transaction whose balances this ledger keeps. At the first try members may be as this node read them
// last; later tries read them again. Errors: those of Post without those of Pay; ledger.ErrExternal if an external
// ledger keeps the balances.
func (s *Service) post(ctx context.Context, req request) (ledger.Transaction, error) {
	w := &postWork{request: req}
	current, membersFound := false, true
	err := s.Committer.Submit(ctx, req.Scope.Request, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, req, current)
		current, membersFound = true, err == nil
		if err != nil {
			return nil, err
		}
		return w, nil
	})
	if !membersFound { // Judge did not run; a repeated request gets its transaction even if a user is deleted
		if id, lookupErr := s.findEarlier(ctx, req); lookupErr != nil || !id.IsZero() {
			w.earlier, err = id, lookupErr
		}
	}
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !w.earlier.IsZero() {
		return s.Ledger.Transaction(ctx, req.Scope, w.earlier)
	}
	return w.written, nil
}

// postWork is the Work that posts a caller's transaction.
type postWork struct {
	request
	posting ledger.Posting
	written ledger.Transaction
	earlier laurel.ID // the transaction that the keys belong to already
}

// String names the transaction in the log, by its website and keys.
func (w *postWork) String() string {
	text := "transaction of website " + w.Scope.WebsiteID.String()
	for _, k := range w.keys() {
		text += " with key " + strconv.Quote(k.Key)
	}
	return text
}

func (w *postWork) Locks() []store.Lock { return append(w.posting.Locks(), w.locks()...) }

// Judge runs once the rows are locked: it finds the earlier transaction that has the same keys, or else stages the
// posting and marks the keys as used.
func (w *postWork) Judge(b *store.Batch) (err error) {
	w.written = ledger.Transaction{}
	if w.earlier, err = w.earlierTransaction(b); err != nil || !w.earlier.IsZero() {
		return err
	}
	if w.written, err = w.posting.Stage(b); err != nil {
		return err
	}
	for _, k := range w.keys() {
		ledger.UseKey(b, w.Scope, ledger.KeyUse{Key: k.Key, Hash: w.Hash, TransactionID: w.written.ID})
	}
	return nil
}

// findEarlier returns, without locks, the transaction that the request's keys belong to, or the zero id. A read may
// happen while the keys are being written and see only some of them; so if the keys do not agree, it reads once more.
func (s *Service) findEarlier(ctx context.Context, req request) (laurel.ID, error) {
	id, err := s.readEarlier(ctx, req)
	if laurel.CodeOf(err) == laurel.Refused {
		return s.readEarlier(ctx, req)
	}
	return id, err
}

// readEarlier returns the transaction that the request's keys belong to, or the zero id if none of them was used.
// Refused if only some of them belong to the same transaction.
func (s *Service) readEarlier(ctx context.Context, req request) (laurel.ID, error) {
	keys := req.keys()
	found, err := ledger.Keys.Read(ctx, s.DB, keys)
	if err != nil {
		return laurel.ID{}, err
	}
	uses := make([]ledger.KeyUse, len(keys))
	for i, k := range keys {
		if use := found[k]; use != nil {
			uses[i] = *use
		}
	}
	return ledger.EarlierTransaction(uses, req.Hash)
}
