package ledger

import (
	"cmp"
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// KeyID names a business idempotency key (contract 1.8.2): unique per website, for ever.
type KeyID struct {
	WebsiteID laurel.ID
	Key       string
}

// KeyUse says which transaction has used a key. It is zero for an unknown key.
type KeyUse struct {
	WebsiteID      laurel.ID `db:"website_id"`
	Key            string    `db:"idempotency_key"`
	OrganizationID laurel.ID `db:"organization_id"`
	Hash           string    `db:"hash"` // of the input; the same key with another input is refused
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	Answer         string    `db:"answer"` // the result of the first use, if it cannot be read from the transaction
	CreatedAt      int64     `db:"created_at"`
}

// IsUsed reports whether the key was used.
func (u KeyUse) IsUsed() bool { return u.CreatedAt != 0 }

// Keys is the table of business idempotency keys for Works.
var Keys = &store.Table[KeyID, KeyUse]{
	Name: "ledger_keys", Rank: store.LockRankLedgerKeys,
	Compare: func(a, b KeyID) int {
		return cmp.Or(a.WebsiteID.Compare(b.WebsiteID), cmp.Compare(a.Key, b.Key))
	},
	Query: selectKey,
	Key:   store.Columns("website_id uuid, idempotency_key text"),
	Args:  func(k KeyID) []any { return []any{k.WebsiteID, k.Key} },
	KeyOf: func(u *KeyUse) KeyID { return KeyID{u.WebsiteID, u.Key} },
	New:   func(k KeyID) *KeyUse { return &KeyUse{WebsiteID: k.WebsiteID, Key: k.Key} },
	Save:  insertKeys,
}

// UseKey marks a key as used by a transaction that the batch stages.
func UseKey(b *store.Batch, scope laurel.Scope, use KeyUse) {
	row := Keys.Changed(b, KeyID{scope.WebsiteID, use.Key})
	row.OrganizationID, row.Hash, row.TransactionID, row.Answer =
		scope.OrganizationID, use.Hash, use.TransactionID, use.Answer
	row.CreatedAt = store.Micros(b.Now())
}

// FindKey returns the use of a key, or the zero use of an unknown one.
func (s *Service) FindKey(ctx context.Context, scope laurel.Scope, key string) (KeyUse, error) {
	use, known, err := s.keys.Get(ctx, KeyID{scope.WebsiteID, key})
	if err != nil || !known {
		return KeyUse{}, err
	}
	return *use, nil
}

// ErrKeyConflict refuses a key that was used with another input.
func ErrKeyConflict() error { return laurel.Errorf(laurel.Refused, "Idempotency key already used") }

// EarlierTransaction returns the transaction that has used all of the keys, if its input had the same hash. It returns
// the zero id if none of the keys was used, and ErrKeyConflict otherwise.
func EarlierTransaction(uses []KeyUse, hash string) (laurel.ID, error) {
	used := 0
	for _, u := range uses {
		if u.IsUsed() {
			used++
		}
	}
	if used == 0 {
		return laurel.ID{}, nil
	}
	for _, u := range uses {
		if !u.IsUsed() || u.Hash != hash || u.TransactionID != uses[0].TransactionID {
			return laurel.ID{}, ErrKeyConflict()
		}
	}
	return uses[0].TransactionID, nil
}
