package webhooks

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// blockEntry is an event in a block: one that a subscription took at the first attempt, or that was skipped.
type blockEntry struct {
	EventID   laurel.ID       `json:"e"`
	Position  int64           `json:"p"`
	IsSkipped bool            `json:"k,omitempty"`
	At        int64           `json:"t,omitempty"` // when the callback was called; 0: it was not
	Duration  int64           `json:"d,omitempty"` // microseconds
	Response  *int64          `json:"s,omitempty"` // its status
	Body      string          `json:"b,omitempty"`
	Functions json.RawMessage `json:"f,omitempty"`
}

// newBlockEntry returns the entry of a delivery that was delivered at the first attempt or skipped. attempt is the call
// of its callback, nil if there was none.
func newBlockEntry(d deliveryRow, attempt *Attempt) blockEntry {
	e := blockEntry{EventID: d.EventID, Position: d.Position, IsSkipped: d.Status == statusSkipped}
	if attempt != nil {
		e.At, e.Duration = store.Micros(attempt.At), attempt.Duration.Microseconds()
		e.Response, e.Body = attempt.Status, attempt.Body
	}
	if d.Functions != nil {
		e.Functions = json.RawMessage(*d.Functions)
	}
	return e
}

func (e blockEntry) status() string {
	if e.IsSkipped {
		return statusSkipped
	}
	return statusDelivered
}

// attempt returns the call of the callback, or nil if there was none.
func (e blockEntry) attempt() *Attempt {
	if e.At == 0 {
		return nil
	}
	return &Attempt{
		Number: 1, At: store.Time(e.At), Duration: time.Duration(e.Duration) * time.Microsecond, Status: e.Response,
		Body: e.Body,
	}
}

// applyTo sets in the delivery of the entry's event what the entry says.
func (e *blockEntry) applyTo(d *deliveryWithEvent) {
	d.entry, d.isNew = e, false
	d.Position, d.Status, d.DueAt, d.CallDone = e.Position, e.status(), nil, !e.IsSkipped
	if !e.IsSkipped {
		d.Attempts = 1
	}
	if e.Functions != nil {
		text := string(e.Functions)
		d.Functions = &text
	}
}

// blockRow is a block: events of one batch of a subscription, in the order of their positions.
type blockRow struct {
	Last    int64  `db:"last_position"`
	Entries string `db:"entries"`
}

func (r blockRow) entries() (out []blockEntry, err error) {
	err = json.Unmarshal([]byte(r.Entries), &out)
	return out, err
}

// countEntries counts the entries of a block by status, and returns when a callback was called last, nil for never.
func countEntries(entries []blockEntry) (delivered, skipped int64, lastCall any) {
	last := int64(0)
	for _, e := range entries {
		if e.IsSkipped {
			skipped++
		} else {
			delivered++
		}
		last = max(last, e.At)
	}
	if last > 0 {
		lastCall = last
	}
	return delivered, skipped, lastCall
}

// hasStatus reports whether a filter selects a status; without statuses it selects all.
func hasStatus(statuses []string, status string) bool {
	return len(statuses) == 0 || slices.Contains(statuses, status)
}

// isBefore reports whether a comes behind the cursor b in a list of the newest first; a zero cursor is before all.
func isBefore(a, b eventKey) bool {
	return b.EventID.IsZero() || compareKeys(a, b) < 0
}

// compareKeys orders events by position, those of one position by id.
func compareKeys(a, b eventKey) int {
	if a.Position != b.Position {
		if a.Position < b.Position {
			return -1
		}
		return 1
	}
	return a.EventID.Compare(b.EventID)
}

// takeEntries takes entries out of a block, as deliveries of their own that are requested again. events are those of
// the entries.
func takeEntries(
	ctx context.Context, tx *store.Tx, sub *Subscription, block blockRow, events []deliveryWithEvent,
) error {
	entries, err := block.entries()
	if err != nil {
		return err
	}
	var rows []deliveryRow
	var attempts []deliveryAttempt
	for _, d := range events {
		i := slices.IndexFunc(entries, func(e blockEntry) bool { return e.EventID == d.EventID })
		if i < 0 {
			continue
		}
		entry := entries[i]
		entries = slices.Delete(entries, i, i+1)
		entry.applyTo(&d)
		row := d.deliveryRow
		row.requestAgain(store.Micros(tx.Now()))
		rows = append(rows, row)
		if attempt := entry.attempt(); attempt != nil {
			attempts = append(attempts, deliveryAttempt{*attempt, &row})
		}
	}
	if err := replaceEntries(ctx, tx, sub.ID, block.Last, entries); err != nil {
		return err
	}
	if err := saveDeliveries(ctx, tx, rows); err != nil {
		return err
	}
	return insertAttempts(ctx, tx, attempts)
}
