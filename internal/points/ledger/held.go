package ledger

import (
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/points/lots"
	"laurel/internal/store"
)

// isHeld reports whether the line's points are held at first: rewards in a currency with pointsWaitHours. Points that
// callers post are credited at once.
func (p Posting) isHeld(b *store.Batch, l Line) bool {
	return p.Type == TypeLoyaltyRule && l.Direction == Credit && l.Amount > 0 && !p.CreditNow &&
		currencies.Row(b, l.CurrencyID).WaitHours != nil
}

// holdMove turns a credit into one of zero whose metadata describes a new lot of held points.
func (p Posting) holdMove(b *store.Batch, m move) move {
	hours := *currencies.Row(b, m.line.CurrencyID).WaitHours
	until := store.Micros(b.Now().Add(time.Duration(hours) * time.Hour))
	m.lot = &lots.Lot{
		ID:          b.NewID(),
		Amount:      m.amount,
		RuleID:      p.RuleID,
		Description: p.Description,
		CreatedAt:   store.Micros(b.Now()),
		WaitsUntil:  &until,
	}
	if p.RuleType != "" {
		m.lot.RuleType = &p.RuleType
	}
	m.amount, m.line.Metadata = 0, LotMetadata(m.line.Metadata, m.lot, LotWaits)
	return m
}

// stageLot stages the lot of held points of a move, if it has one.
func (m move) stageLot(b *store.Batch, t Transaction, e Entry) {
	if m.lot == nil {
		return
	}
	l := *m.lot
	l.OrganizationID, l.WebsiteID, l.AccountID, l.CurrencyID, l.UserID =
		t.OrganizationID, t.WebsiteID, e.AccountID, e.CurrencyID, e.UserID
	l.TransactionID = t.ID
	lots.Hold(b, l)
}

// The reasons in the metadata of entries that concern a lot.
const (
	LotWaits    = "waiting"
	LotReleased = "released"
	LotExpired  = "expired"
)

// LotMetadata returns an entry's metadata with the lot that it concerns, and the reason.
func LotMetadata(metadata json.RawMessage, l *lots.Lot, reason string) json.RawMessage {
	var m map[string]json.RawMessage
	if len(metadata) > 0 {
		if err := json.Unmarshal(metadata, &m); err != nil {
			return metadata // it is stored as it is
		}
	}
	about := map[string]any{"lotId": l.ID, "reason": reason}
	if reason == LotWaits {
		about["waitingAmount"], about["waitsUntil"] = l.Amount, laurel.Timestamp{Time: store.Time(*l.WaitsUntil)}
	}
	delete(m, "waitingAmount") // of the entry that granted the lot
	delete(m, "waitsUntil")
	for name, value := range m {
		if _, taken := about[name]; !taken {
			about[name] = value
		}
	}
	out, err := json.Marshal(about)
	if err != nil {
		panic(err) // ids, texts and what was decoded encode
	}
	return out
}
