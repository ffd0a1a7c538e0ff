package transactions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Input is a transaction that a caller writes (contract 3.10, POST /api/loyalty/transactions).
type Input struct {
	Description string
	Type        ledger.TransactionType // empty: api_key
	CurrencyID  laurel.ID              // of entries that name none
	Entries     []Entry                // 1..100
}

// Entry is one change that the caller asks for.
type Entry struct {
	Party      PartyRef
	Amount     laurel.Amount    // > 0
	Direction  ledger.Direction // empty: credit
	CurrencyID laurel.ID
	Key        string          // idempotencyKey, 1..255 characters
	Metadata   json.RawMessage // an object
}

const (
	maxEntries     = 100
	maxDescription = 1000
	maxEntryKey    = 255
)

// Complete fills defaults and returns every fault of the input.
func (in *Input) Complete() error {
	var f laurel.Faults
	if in.Type == "" {
		in.Type = ledger.TypeAPIKey
	}
	if in.Type != ledger.TypeAPIKey && in.Type != ledger.TypeOrder {
		f.Add("type", "must be one of: %s, %s", ledger.TypeAPIKey, ledger.TypeOrder)
	}
	f.Text("description", in.Description, 0, maxDescription)
	if n := len(in.Entries); n < 1 || n > maxEntries {
		f.Add("entries", "must have between 1 and %d items", maxEntries)
	}
	for i := range min(len(in.Entries), maxEntries) {
		in.Entries[i].complete(&f, "entries."+strconv.Itoa(i), in.CurrencyID)
	}
	in.refuseRepeatedKeys(&f)
	return f.Err()
}

func (e *Entry) complete(f *laurel.Faults, path string, currency laurel.ID) {
	if e.Amount <= 0 {
		f.Add(path+".amount", "must be greater than 0")
	}
	if e.Direction == "" {
		e.Direction = ledger.Credit
	}
	if e.Direction != ledger.Credit && e.Direction != ledger.Debit {
		f.Add(path+".direction", "must be one of: %s, %s", ledger.Credit, ledger.Debit)
	}
	if e.Party.UserID.IsZero() && e.Party.Wallet == "" {
		f.AddText(path+".userId", path+".userId or walletAddress is required")
	}
	if e.CurrencyID.IsZero() {
		e.CurrencyID = currency
	}
	if e.CurrencyID.IsZero() {
		f.Add(path+".loyaltyCurrencyId", "is required")
	}
	f.Text(path+".idempotencyKey", e.Key, 0, maxEntryKey)
	if len(e.Metadata) > 0 && bytes.TrimSpace(e.Metadata)[0] != '{' {
		f.Add(path+".metadata", "must be an object")
	}
	budget.JSON(f, path+".metadata", e.Metadata, budget.Metadata)
}

func (in *Input) refuseRepeatedKeys(f *laurel.Faults) {
	seen := map[string]bool{}
	for i, e := range in.Entries {
		if e.Key != "" && seen[e.Key] {
			f.Add("entries."+strconv.Itoa(i)+".idempotencyKey", "is used by another entry of this transaction")
		}
		seen[e.Key] = true
	}
}

// Hash stands for everything that decides what the transaction does: the same keys with another input are refused.
func (in Input) Hash() (string, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// post writes a transaction whose balances are kept here: all entries or none (contract 4.3). Where all keyed entries
// exist already, made by an equal input, it returns that transaction. Errors: Invalid; Refused "Insufficient balance",
// "Idempotency key already used", "Loyalty currency not found"; NotFound "User"; ledger.ErrOutside.
func (s *Service) post(ctx context.Context, scope laurel.Scope, in Input) (ledger.Transaction, error) {
	if err := in.Complete(); err != nil {
		return ledger.Transaction{}, err
	}
	hash, err := in.Hash()
	if err != nil {
		return ledger.Transaction{}, err
	}
	w := &postWork{scope: scope, in: in, hash: hash}
	refs := make([]PartyRef, len(in.Entries))
	for i, e := range in.Entries {
		refs[i] = e.Party
	}
	now, found := false, true
	err = s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		parties, err := s.People(ctx, scope, refs, now)
		now, found = true, err == nil
		if err != nil {
			return nil, err
		}
		w.posting = in.Posting(scope, parties)
		return w, nil
	})
	if !found { // Judge has not seen the keys: a repeat is answered even where somebody whom it names is gone
		if earlier, other := s.earlier(ctx, w); other != nil || !earlier.IsZero() {
			w.earlier, err = earlier, other
		}
	}
	if err != nil {
		return ledger.Transaction{}, err
	}
	if !w.earlier.IsZero() {
		return s.Ledger.Transaction(ctx, scope, w.earlier)
	}
	return w.made, nil
}

// Posting is the input as a posting, with the parties in the order of its entries.
func (in Input) Posting(scope laurel.Scope, parties []ledger.Party) ledger.Posting {
	p := ledger.Posting{Scope: scope, Type: in.Type, Description: in.Description}
	for i, e := range in.Entries {
		p.Lines = append(
			p.Lines,
			ledger.Line{
				Party:      parties[i],
				CurrencyID: e.CurrencyID,
				Direction:  e.Direction,
				Amount:     e.Amount,
				Key:        e.Key,
				Metadata:   e.Metadata,
			},
		)
	}
	return p
}

// postWork is a caller's transaction on its way through the committer.
type postWork struct {
	scope   laurel.Scope
	in      Input
	hash    string
	posting ledger.Posting
	made    ledger.Transaction
	earlier laurel.ID // the transaction that the keys belong to already
}

func (w *postWork) String() string {
	text := "transaction of website " + w.scope.WebsiteID.String()
	for _, k := range w.keys() {
		text += " with key " + strconv.Quote(k.Key)
	}
	return text
}

func (w *postWork) keys() []ledger.KeyID {
	var keys []ledger.KeyID
	for _, e := range w.in.Entries {
		if e.Key != "" {
			keys = append(keys, ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: e.Key})
		}
	}
	return keys
}

func (w *postWork) Locks() []store.Lock {
	locks := w.posting.Locks()
	for _, k := range w.keys() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	return locks
}

func (w *postWork) Judge(b *store.Batch) error {
	w.made, w.earlier = ledger.Transaction{}, laurel.ID{}
	var uses []ledger.KeyUse
	for _, k := range w.keys() {
		uses = append(uses, *ledger.Keys.Row(b, k))
	}
	earlier, err := ledger.Repeated(uses, w.hash)
	if err != nil || !earlier.IsZero() {
		w.earlier = earlier
		return err
	}
	if w.made, err = w.posting.Stage(b); err != nil {
		return err
	}
	for _, k := range w.keys() {
		ledger.UseKey(b, w.scope, ledger.KeyUse{Key: k.Key, Hash: w.hash, TransactionID: w.made.ID})
	}
	return nil
}

// earlier looks the keys up without locks. The first look may fall into the moment when the keys are written and see a
// part of them; a second one sees all that were written with those.
func (s *Service) earlier(ctx context.Context, w *postWork) (laurel.ID, error) {
	id, err := s.look(ctx, w)
	if laurel.CodeOf(err) == laurel.Refused {
		return s.look(ctx, w)
	}
	return id, err
}

func (s *Service) look(ctx context.Context, w *postWork) (laurel.ID, error) {
	keys := w.keys()
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
	return ledger.Repeated(uses, w.hash)
}
