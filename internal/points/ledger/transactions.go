package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/store"
)

// People finds the users that a request names, without writing: a user that a trusted server names for the first time
// is written with the posting. Unless now is asked for, they may be as this node saw them last: their Check tells under
// the locks. Unknown users are a NotFound error. The answer has the order of the references.
type People func(ctx context.Context, scope laurel.Scope, refs []PartyRef, now bool) ([]Party, error)

// PostInput is a transaction that a caller writes (contract 3.10, POST /api/loyalty/transactions).
type PostInput struct {
	Description string
	Type        TransactionType // empty: api_key
	CurrencyID  laurel.ID       // of entries that name none
	Entries     []PostEntry     // 1..100
}

// PostEntry is one change that the caller asks for.
type PostEntry struct {
	Party      PartyRef
	Amount     laurel.Amount // > 0
	Direction  Direction     // empty: credit
	CurrencyID laurel.ID
	Key        string          // idempotencyKey, 1..255 characters
	Metadata   json.RawMessage // an object
}

const (
	maxPostEntries = 100
	maxDescription = 1000
	maxEntryKey    = 255
)

// Complete fills defaults and returns every fault of the input.
func (in *PostInput) Complete() error {
	var f laurel.Faults
	if in.Type == "" {
		in.Type = TypeAPIKey
	}
	if in.Type != TypeAPIKey && in.Type != TypeOrder {
		f.Add("type", "must be one of: %s, %s", TypeAPIKey, TypeOrder)
	}
	f.Text("description", in.Description, 0, maxDescription)
	if n := len(in.Entries); n < 1 || n > maxPostEntries {
		f.Add("entries", "must have between 1 and %d items", maxPostEntries)
	}
	for i := range min(len(in.Entries), maxPostEntries) {
		in.Entries[i].complete(&f, "entries."+strconv.Itoa(i), in.CurrencyID)
	}
	in.refuseRepeatedKeys(&f)
	return f.Err()
}

func (e *PostEntry) complete(f *laurel.Faults, path string, currency laurel.ID) {
	if e.Amount <= 0 {
		f.Add(path+".amount", "must be greater than 0")
	}
	if e.Direction == "" {
		e.Direction = Credit
	}
	if e.Direction != Credit && e.Direction != Debit {
		f.Add(path+".direction", "must be one of: %s, %s", Credit, Debit)
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

func (in *PostInput) refuseRepeatedKeys(f *laurel.Faults) {
	seen := map[string]bool{}
	for i, e := range in.Entries {
		if e.Key != "" && seen[e.Key] {
			f.Add("entries."+strconv.Itoa(i)+".idempotencyKey", "is used by another entry of this transaction")
		}
		seen[e.Key] = true
	}
}

// Hash stands for everything that decides what the transaction does: the same keys with another input are refused.
func (in PostInput) Hash() (string, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Post writes a transaction: all entries or none (contract 4.3). Where all keyed entries exist already, made by an
// equal input, it returns that transaction. Errors: Invalid; Refused "Insufficient balance", "Idempotency key already
// used", "Loyalty currency not found"; NotFound "User".
func (s *Service) Post(ctx context.Context, scope laurel.Scope, in PostInput) (Transaction, error) {
	if err := in.Complete(); err != nil {
		return Transaction{}, err
	}
	hash, err := in.Hash()
	if err != nil {
		return Transaction{}, err
	}
	w := &postWork{scope: scope, in: in, hash: hash}
	refs := make([]PartyRef, len(in.Entries))
	for i, e := range in.Entries {
		refs[i] = e.Party
	}
	now, found := false, true
	err = s.committer.Submit(ctx, func() (store.Work, error) {
		parties, err := s.people(ctx, scope, refs, now)
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
		return Transaction{}, err
	}
	if !w.earlier.IsZero() {
		return s.Transaction(ctx, scope, w.earlier)
	}
	return w.made, nil
}

// Posting is the input as a posting, with the parties in the order of its entries.
func (in PostInput) Posting(scope laurel.Scope, parties []Party) Posting {
	p := Posting{Scope: scope, Type: in.Type, Description: in.Description}
	for i, e := range in.Entries {
		p.Lines = append(
			p.Lines,
			Line{
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
	in      PostInput
	hash    string
	posting Posting
	made    Transaction
	earlier laurel.ID // the transaction that the keys belong to already
}

func (w *postWork) String() string {
	text := "transaction of website " + w.scope.WebsiteID.String()
	for _, k := range w.keys() {
		text += " with key " + strconv.Quote(k.Key)
	}
	return text
}

func (w *postWork) keys() []KeyID {
	var keys []KeyID
	for _, e := range w.in.Entries {
		if e.Key != "" {
			keys = append(keys, KeyID{w.scope.WebsiteID, e.Key})
		}
	}
	return keys
}

func (w *postWork) Locks() []store.Lock {
	locks := w.posting.Locks()
	for _, k := range w.keys() {
		locks = append(locks, Keys.Lock(k))
	}
	return locks
}

func (w *postWork) Judge(b *store.Batch) error {
	w.made, w.earlier = Transaction{}, laurel.ID{}
	var uses []KeyUse
	for _, k := range w.keys() {
		uses = append(uses, *Keys.Row(b, k))
	}
	earlier, err := Repeated(uses, w.hash)
	if err != nil || !earlier.IsZero() {
		w.earlier = earlier
		return err
	}
	if w.made, err = w.posting.Stage(b); err != nil {
		return err
	}
	for _, k := range w.keys() {
		UseKey(b, w.scope, KeyUse{Key: k.Key, Hash: w.hash, TransactionID: w.made.ID})
	}
	return nil
}

// Repeated tells a repeat of an earlier transaction (its id) from a conflict and from something new (zero).
func Repeated(uses []KeyUse, hash string) (laurel.ID, error) {
	used := 0
	for _, u := range uses {
		if u.Used() {
			used++
		}
	}
	if used == 0 {
		return laurel.ID{}, nil
	}
	for _, u := range uses {
		if !u.Used() || u.Hash != hash || u.TransactionID != uses[0].TransactionID {
			return laurel.ID{}, KeyConflict()
		}
	}
	return uses[0].TransactionID, nil
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
	found, err := Keys.Read(ctx, s.db, keys)
	if err != nil {
		return laurel.ID{}, err
	}
	uses := make([]KeyUse, len(keys))
	for i, k := range keys {
		if use := found[k]; use != nil {
			uses[i] = *use
		}
	}
	return Repeated(uses, w.hash)
}

// Transaction reads a transaction with its users' entries; NotFound "Transaction" outside the scope.
func (s *Service) Transaction(ctx context.Context, scope laurel.Scope, id laurel.ID) (Transaction, error) {
	return findTransaction(ctx, s.db, scope, id)
}
