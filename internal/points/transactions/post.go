package transactions

import (
	"context"
	"strconv"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// post writes a transaction whose balances are kept here. Errors: those of Post without those of Pay;
// ledger.ErrOutside.
func (s *Service) post(ctx context.Context, c call) (ledger.Transaction, error) {
	w := &postWork{call: c}
	now, found := false, true
	err := s.Committer.Submit(ctx, c.Scope.Request, func() (_ store.Work, err error) {
		w.posting, err = s.posting(ctx, c, now)
		now, found = true, err == nil
		if err != nil {
			return nil, err
		}
		return w, nil
	})
	if !found { // Judge has not seen the keys: a repeat is answered even where somebody whom it names is gone
		if earlier, other := s.earlier(ctx, c); other != nil || !earlier.IsZero() {
			w.earlier, err = earlier, other
		}
	}
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !w.earlier.IsZero() {
		return s.Ledger.Transaction(ctx, c.Scope, w.earlier)
	}
	return w.made, nil
}

// postWork is a caller's transaction on its way through the committer.
type postWork struct {
	call
	posting ledger.Posting
	made    ledger.Transaction
	earlier laurel.ID // the transaction that the keys belong to already
}

func (w *postWork) String() string {
	text := "transaction of website " + w.Scope.WebsiteID.String()
	for _, k := range w.keys() {
		text += " with key " + strconv.Quote(k.Key)
	}
	return text
}

func (w *postWork) Locks() []store.Lock { return append(w.posting.Locks(), w.locks()...) }

func (w *postWork) Judge(b *store.Batch) (err error) {
	w.made = ledger.Transaction{}
	if w.earlier, err = w.repeats(b); err != nil || !w.earlier.IsZero() {
		return err
	}
	if w.made, err = w.posting.Stage(b); err != nil {
		return err
	}
	for _, k := range w.keys() {
		ledger.UseKey(b, w.Scope, ledger.KeyUse{Key: k.Key, Hash: w.Hash, TransactionID: w.made.ID})
	}
	return nil
}

// earlier looks the keys up without locks. The first look may fall into the moment when the keys are written and see a
// part of them; a second one sees all that were written with those.
func (s *Service) earlier(ctx context.Context, c call) (laurel.ID, error) {
	id, err := s.look(ctx, c)
	if laurel.CodeOf(err) == laurel.Refused {
		return s.look(ctx, c)
	}
	return id, err
}

func (s *Service) look(ctx context.Context, c call) (laurel.ID, error) {
	keys := c.keys()
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
	return ledger.Repeated(uses, c.Hash)
}
