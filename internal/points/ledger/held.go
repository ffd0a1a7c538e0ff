package ledger

import (
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// isHeld reports whether the points of a line are held before they are credited: rewards are, in a currency with
// pointsWaitHours, unless CreditNow is set. Points that callers post are credited at once.
func (p Posting) isHeld(b *store.Batch, l Line) bool {
	return p.Type == TypeLoyaltyRule && l.Direction == Credit && l.Amount > 0 && !p.CreditNow &&
		currencies.Row(b, l.CurrencyID).WaitHours != nil
}

// planHeldCredit turns the planned credit of a reward into one of held points: its entry has the amount 0 and metadata
// that describe the lot; the lot has the amount, and the time until which the currency holds it.
func (p Posting) planHeldCredit(b *store.Batch, credit plannedEntry) plannedEntry {
	hours := *currencies.Row(b, credit.line.CurrencyID).WaitHours
	until := store.Micros(b.Now().Add(time.Duration(hours) * time.Hour))
	credit.lot = &lots.Lot{
		ID:          b.NewID(),
		Amount:      credit.amount,
		RuleID:      p.RuleID,
		Description: p.Description,
		CreatedAt:   store.Micros(b.Now()),
		WaitsUntil:  &until,
	}
	if p.RuleType != "" {
		credit.lot.RuleType = &p.RuleType
	}
	credit.amount, credit.line.Metadata = 0, LotMetadata(credit.line.Metadata, credit.lot, LotWaits)
	return credit
}

// stageLot stages the lot of held points, if the planned entry has one. e is the entry as it was staged.
func (m plannedEntry) stageLot(b *store.Batch, t Transaction, e Entry) {
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

// LotMetadata returns the metadata of an entry that concerns a lot: the given metadata with the lot's id and the reason
// added, and for LotWaits also with the held amount and its time. Metadata that is no JSON object is returned as it is.
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
