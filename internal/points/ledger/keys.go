package ledger

import (
	"cmp"
	"context"

	"laurel"
	"laurel/internal/store"
)

// KeyID names a business idempotency key (contract 1.8.2): unique per website, for ever.
type KeyID struct {
	WebsiteID laurel.ID
	Key       string
}

// KeyUse is what a key was used for. The zero use of an unknown key has Used() false.
type KeyUse struct {
	WebsiteID      laurel.ID `db:"website_id"`
	Key            string    `db:"idempotency_key"`
	OrganizationID laurel.ID `db:"organization_id"`
	Hash           string    `db:"hash"` // of the input; the same key with another input is refused
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	Answer         string    `db:"answer"` // of the first use, where it cannot be read from the transaction
	CreatedAt      int64     `db:"created_at"`
}

// Used reports whether the key belongs to something that happened.
func (u KeyUse) Used() bool { return u.CreatedAt != 0 }

// Keys is the table of business idempotency keys for Works.
var Keys = &store.Table[KeyID, KeyUse]{
	Name: "ledger_keys", Rank: store.RankLedgerKeys,
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

// UseKey marks a key as used by what the batch stages.
func UseKey(b *store.Batch, scope laurel.Scope, use KeyUse) {
	row := Keys.Changed(b, KeyID{scope.WebsiteID, use.Key})
	row.OrganizationID, row.Hash, row.TransactionID, row.Answer =
		scope.OrganizationID, use.Hash, use.TransactionID, use.Answer
	row.CreatedAt = store.Micros(b.Now())
}

// FindKey reads what a key was used for; an unknown key answers the zero use.
func (s *Service) FindKey(ctx context.Context, scope laurel.Scope, key string) (KeyUse, error) {
	use, known, err := s.keys.Get(ctx, KeyID{scope.WebsiteID, key})
	if err != nil || !known {
		return KeyUse{}, err
	}
	return *use, nil
}

// KeyConflict is the refusal of a key that was used for something else.
func KeyConflict() error { return laurel.Errorf(laurel.Refused, "Idempotency key already used") }

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
