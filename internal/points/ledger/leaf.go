package ledger

import (
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

// leaf is what the sealer seals of an entry: the row that insertEntries and insertTransactions write of it. It is made
// here so that nobody reads the entry back to seal it, and what is sealed is what was posted, whatever a hand does to
// the row before the sealer comes.
func (p Posting) leaf(t *Transaction, e *Entry) seal.Member {
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
	return seal.Member{Entry: e.ID, Leaf: seal.LeafOf(&of, &row)}
}
