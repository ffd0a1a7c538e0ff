package ledger

import (
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// sealedEntry returns what the sealer will seal of an entry: its id and its leaf, which is the hash of the rows that
// insertEntries and insertTransactions write. The leaf is made at posting, so the entry need not be read back, and a
// manipulation of the row before the sealing is found.
func (p Posting) sealedEntry(t *Transaction, e *Entry) seal.BlockEntry {
	transaction := seal.Transaction{
		ID:             t.ID,
		OrganizationID: t.OrganizationID,
		WebsiteID:      t.WebsiteID,
		Type:           string(t.Type),
		Description:    t.Description,
		RuleID:         t.RuleID,
		CreatedByID:    t.CreatedByID,
		CreatedAt:      store.Micros(t.CreatedAt),
	}
	entry := seal.Entry{
		ID:         e.ID,
		AccountID:  e.AccountID,
		CurrencyID: e.CurrencyID,
		UserID:     e.UserID,
		Direction:  string(e.Direction),
		RuleType:   p.RuleType,
		Amount:     e.Amount,
		Key:        e.IdempotencyKey,
		Metadata:   string(e.Metadata),
		CreatedAt:  store.Micros(e.CreatedAt),
	}
	if !e.UserID.IsZero() {
		entry.Running = &seal.Running{Start: e.StartAmount, End: e.EndAmount, LockVersion: e.LockVersion}
	}
	return seal.BlockEntry{ID: e.ID, Leaf: seal.LeafOf(&transaction, &entry)}
}
