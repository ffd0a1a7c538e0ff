package holds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
)

// Limits of a new hold.
const (
	MinExpiry      = 60 // seconds
	MaxExpiry      = 30 * 24 * 60 * 60
	defaultExpiry  = 60 * 60
	MaxDescription = 1000 // characters
	MaxKey         = 255
)

// Input is a new hold as a caller sends it.
type Input struct {
	Member      transactions.MemberRef `json:"Party"` // the name in hashes that are stored
	CurrencyID  laurel.ID
	Amount      laurel.Amount
	Description *string
	ExpiresIn   *int64          // seconds; nil: an hour
	Key         *string         // idempotencyKey
	Metadata    json.RawMessage // an object, or nil
}

// normalize fills in defaults and returns every fault of the input.
func (in *Input) normalize() error {
	var f laurel.Faults
	if in.Member.UserID.IsZero() && in.Member.Wallet == "" {
		f.AddText("userId", "userId or walletAddress is required")
	}
	if in.CurrencyID.IsZero() {
		f.Add("loyaltyCurrencyId", "is required")
	}
	if in.Amount <= 0 {
		f.Add("amount", "must be greater than 0")
	}
	if in.Description != nil {
		f.Text("description", *in.Description, 0, MaxDescription)
	}
	if in.ExpiresIn == nil {
		expiry := int64(defaultExpiry)
		in.ExpiresIn = &expiry
	}
	if *in.ExpiresIn < MinExpiry || *in.ExpiresIn > MaxExpiry {
		f.Add("expiresInSeconds", "must be between %d and %d", MinExpiry, MaxExpiry)
	}
	if in.Key != nil {
		f.Text("idempotencyKey", *in.Key, 1, MaxKey)
	}
	if text := bytes.TrimSpace(in.Metadata); len(text) == 0 || string(text) == "null" {
		in.Metadata = json.RawMessage("{}")
	} else if text[0] != '{' {
		f.Add("metadata", "must be an object")
	}
	budget.CheckJSON(&f, "metadata", in.Metadata, budget.Metadata)
	return f.Err()
}

// hash returns a hash of the whole input, by which a retry with the same idempotency key is recognized: the key with
// another hash is refused.
func (in Input) hash() (string, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte("hold "), b...)) // never the hash of a transaction, which may have the same key
	return hex.EncodeToString(sum[:]), nil
}

// Create debits the amount from the member, and what the member's balance does not cover from the member's group, and
// makes the hold. If the key belongs to a hold with an equal input already, it returns that hold as it is now. Errors:
// Invalid, also for an unknown currency; Refused "Insufficient balance", "Idempotency key already used", for a blocked
// member, and if an external ledger keeps the balances; NotFound "User".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Input) (Hold, error) {
	if err := in.normalize(); err != nil {
		return Hold{}, err
	}
	hash, err := in.hash()
	if err != nil {
		return Hold{}, err
	}
	w := &createWork{scope: scope, in: in, hash: hash}
	current := false
	err = s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		members, err := s.People(ctx, scope, []transactions.MemberRef{in.Member}, current)
		if err != nil {
			return nil, err
		}
		current = true // a retry reads the member from the database
		w.prepare(s.DB.NewID(), members[0])
		return w, nil
	})
	var unknown *ledger.UnknownCurrencyError
	if errors.As(err, &unknown) {
		err = laurel.Unknown("loyaltyCurrencyId", "Loyalty currency")
	}
	if err != nil {
		return Hold{}, err
	}
	if w.earlier.IsZero() {
		return w.result, nil
	}
	h, err := holdOfTransaction(ctx, s.DB, scope, w.earlier)
	if laurel.CodeOf(err) == laurel.NotFound { // the key belongs to a transaction that is no hold
		return Hold{}, ledger.ErrKeyConflict()
	}
	return h, err
}

// createWork is the Work that makes a hold.
type createWork struct {
	scope   laurel.Scope
	in      Input
	hash    string
	id      laurel.ID
	spend   Spend
	result  Hold
	earlier laurel.ID // the transaction that the key belongs to already
}

// prepare sets the id of the new hold and the payment of the member for it.
func (w *createWork) prepare(id laurel.ID, member ledger.Member) {
	w.id = id
	w.spend = Spend{
		Scope: w.scope, Member: member, CurrencyID: w.in.CurrencyID, Amount: w.in.Amount, Type: ledger.TypeOrder,
		Description: descriptionOrDefault(w.in.Description), Metadata: entryMetadata(id),
	}
}

// descriptionOrDefault returns the description of a hold's transactions.
func descriptionOrDefault(description *string) string {
	if description == nil || *description == "" {
		return "Hold"
	}
	return *description
}

// entryMetadata returns the metadata of a hold's ledger entries.
func entryMetadata(hold laurel.ID) json.RawMessage {
	return store.JSON(struct {
		ID laurel.ID `json:"loyaltyHoldId"`
	}{hold})
}

func (w *createWork) String() string {
	text := "hold of website " + w.scope.WebsiteID.String()
	if w.in.Key != nil {
		text += " with key " + strconv.Quote(*w.in.Key)
	}
	return text
}

func (w *createWork) Locks() []store.Lock {
	locks := append(w.spend.Locks(), rows.LockPresumedAbsent(w.id))
	if w.in.Key != nil {
		locks = append(locks, ledger.Keys.Lock(ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: *w.in.Key}))
	}
	return locks
}

// Judge decides on the hold under the locks: it looks for an earlier hold with the same key, refuses blocked members,
// debits the amount, and stages the hold. If the key was used with an equal input, it only sets w.earlier.
func (w *createWork) Judge(b *store.Batch) (err error) {
	w.result, w.earlier = Hold{}, laurel.ID{}
	if w.in.Key != nil {
		use := *ledger.Keys.Row(b, ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: *w.in.Key})
		if w.earlier, err = ledger.EarlierTransaction([]ledger.KeyUse{use}, w.hash); err != nil || !w.earlier.IsZero() {
			return err
		}
	}
	if err := w.spend.Member.Check(b); err != nil {
		return err
	}
	if w.spend.Member.Blocked {
		return ErrBlocked()
	}
	parts, transaction, err := w.spend.Take(b)
	if err != nil {
		return err
	}
	if w.in.Key != nil {
		ledger.UseKey(b, w.scope, ledger.KeyUse{Key: *w.in.Key, Hash: w.hash, TransactionID: transaction})
	}
	now := laurel.Timestamp{Time: b.Now()}
	ends := laurel.Timestamp{Time: now.Add(time.Duration(*w.in.ExpiresIn) * time.Second)}
	w.result = Hold{
		ID: w.id, OrganizationID: w.scope.OrganizationID, WebsiteID: w.scope.WebsiteID, UserID: w.spend.Member.UserID,
		CurrencyID: w.in.CurrencyID, Amount: w.in.Amount, Status: Held, Description: w.in.Description,
		Metadata: laurel.Object(w.in.Metadata), Parts: parts, TransactionID: transaction, ExpiresAt: ends, DueAt: ends,
		CreatedAt: now, UpdatedAt: now, isNew: true,
	}
	*rows.Changed(b, w.id) = w.result
	feed.Changes.Add(b, w.result.change(feed.Created))
	return nil
}

// change returns the change of the hold for the feed.
func (h Hold) change(action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: h.OrganizationID, WebsiteID: h.WebsiteID, EntityID: h.ID, Table: feed.TableHold, Action: action,
		Data: store.JSON(HoldChange{h.Status, h.CapturedAmount}),
	}
}

// HoldChange is the data of a hold's change in the feed: its state at that moment.
type HoldChange struct {
	Status         string        `json:"status"`
	CapturedAmount laurel.Amount `json:"capturedAmount"`
}
