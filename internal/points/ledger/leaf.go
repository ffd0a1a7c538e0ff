package ledger

import (
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

// leaf returns the leaf of an entry, which the sealer seals: the hash of the rows that insertEntries and
// insertTransactions write. It is made at posting, so the entry need not be read back, and a manipulation of the row
// before the sealing is found.
func (p Posting) leaf(t *Transaction, e *Entry) seal.BlockEntry {
	of := seal.Transaction{
		ID:             t.ID,
		OrganizationID: t.OrganizationID,
		WebsiteID:      t.WebsiteID,
		Type:           string(t.Type),
		Description:    t.Description,
		RuleID:         t.RuleID,
		CreatedByID:    t.CreatedByID,
		CreatedAt:      store.Micros(t.CreatedAt),
	}
	row := seal.Entry{
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
		row.Running = &seal.Running{Start: e.StartAmount, End: e.EndAmount, LockVersion: e.LockVersion}
	}
	return seal.BlockEntry{ID: e.ID, Leaf: seal.LeafOf(&of, &row)}
}
