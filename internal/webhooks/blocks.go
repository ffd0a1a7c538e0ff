package webhooks

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"laurel"
	"laurel/internal/store"
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

// counts counts the entries of a block by status, and returns when a callback was called last, nil for never.
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

// insertBlock stores the entries of a batch, if there are any.
func insertBlock(ctx context.Context, tx *store.Tx, sub Subscription, entries []blockEntry) error {
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b blockEntry) int { return int(a.Position - b.Position) })
	delivered, skipped, lastCall := countEntries(entries)
	_, err := tx.Exec(ctx, `INSERT INTO subscription_blocks (subscription_id, last_position, first_position, organization_id,
		website_id, written_at, last_call_at, delivered, skipped, entries) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		sub.ID, entries[len(entries)-1].Position, entries[0].Position, sub.OrganizationID, sub.WebsiteID,
		store.Micros(tx.Now()), lastCall, delivered, skipped, string(store.JSON(entries)))
	return err
}

// replaceEntries stores which entries of a block are left.
func replaceEntries(ctx context.Context, tx *store.Tx, sub laurel.ID, last int64, entries []blockEntry) error {
	if len(entries) == 0 {
		_, err := tx.Exec(ctx, "DELETE FROM subscription_blocks WHERE subscription_id = ? AND last_position = ?", sub, last)
		return err
	}
	delivered, skipped, _ := countEntries(entries)
	_, err := tx.Exec(ctx, `UPDATE subscription_blocks SET delivered = ?, skipped = ?, entries = ?
		WHERE subscription_id = ? AND last_position = ?`, delivered, skipped, string(store.JSON(entries)), sub, last)
	return err
}

// whereStatuses adds the condition of blocks that have entries with some of the statuses, and returns whether there can
// be any. No statuses are all.
func whereStatuses(w *store.Where, statuses []string) bool {
	delivered, skipped := hasStatus(statuses, statusDelivered), hasStatus(statuses, statusSkipped)
	switch {
	case delivered && !skipped:
		w.Add("delivered > 0")
	case skipped && !delivered:
		w.Add("skipped > 0")
	}
	return delivered || skipped
}

// hasStatus reports whether a filter selects a status; without statuses it selects all.
func hasStatus(statuses []string, status string) bool {
	return len(statuses) == 0 || slices.Contains(statuses, status)
}

const blocksPerRead = 20

// newestEntries returns the newest entries of a subscription's blocks with some of the statuses, the newest first, at
// most limit of them. They come before the key, unless that is zero.
func newestEntries(
	ctx context.Context, q store.Queryer, sub laurel.ID, statuses []string, before eventKey, limit int,
) (out []blockEntry, err error) {
	for last, isFirst := int64(0), true; ; isFirst = false {
		var w store.Where
		w.Add("subscription_id = ?", sub)
		if !whereStatuses(&w, statuses) {
			return nil, nil
		}
		if !before.EventID.IsZero() {
			w.Add("first_position <= ?", before.Position)
		}
		if !isFirst {
			w.Add("last_position < ?", last)
		}
		var rows []blockRow
		err := q.Select(ctx, &rows, "SELECT last_position, entries FROM subscription_blocks"+w.String()+
			" ORDER BY last_position DESC LIMIT ?", append(w.Args, min(limit, blocksPerRead))...)
		if err != nil || len(rows) == 0 {
			return out, err
		}
		for _, r := range rows {
			entries, err := r.entries()
			if err != nil {
				return nil, err
			}
			for _, e := range slices.Backward(entries) {
				if hasStatus(statuses, e.status()) && isBefore(eventKey{e.EventID, e.Position}, before) {
					out = append(out, e)
				}
			}
			if last = r.Last; len(out) >= limit {
				return out[:limit], nil
			}
		}
	}
}

// selectBlocks returns the first of the blocks that the conditions select, in the order of their positions.
func selectBlocks(ctx context.Context, q store.Queryer, w store.Where) (rows []blockRow, err error) {
	err = q.Select(ctx, &rows, "SELECT last_position, entries FROM subscription_blocks"+w.String()+
		" ORDER BY last_position LIMIT ?", append(w.Args, blocksPerRead)...)
	return rows, err
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

// findEntry returns the entry of an event in a block of a subscription, nil if there is none, with the whole block.
func findEntry(
	ctx context.Context, q store.Queryer, sub laurel.ID, of eventKey,
) (found *blockEntry, block blockRow, err error) {
	err = q.Get(ctx, &block, `SELECT last_position, entries FROM subscription_blocks WHERE subscription_id = ?
		AND last_position >= ? ORDER BY last_position LIMIT 1`, sub, of.Position)
	if store.IsNoRows(err) {
		return nil, block, nil
	} else if err != nil {
		return nil, block, err
	}
	entries, err := block.entries()
	for i, e := range entries {
		if e.EventID == of.EventID {
			return &entries[i], block, err
		}
	}
	return nil, block, err
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
