package webhooks

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

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

const blocksPerRead = 20

// newestEntries returns the newest entries of a subscription's blocks that the filter selects, the newest first.
func newestEntries(ctx context.Context, q store.Queryer, f deliveryFilter) (out []blockEntry, err error) {
	for last, isFirst := int64(0), true; ; isFirst = false {
		var w store.Where
		w.Add("subscription_id = ?", f.sub.ID)
		if !whereStatuses(&w, f.statuses) {
			return nil, nil
		}
		if !f.before.EventID.IsZero() {
			w.Add("first_position <= ?", f.before.Position)
		}
		if !isFirst {
			w.Add("last_position < ?", last)
		}
		var rows []blockRow
		err := q.Select(ctx, &rows, "SELECT last_position, entries FROM subscription_blocks"+w.String()+
			" ORDER BY last_position DESC LIMIT ?", append(w.Args, min(f.limit, blocksPerRead))...)
		if err != nil || len(rows) == 0 {
			return out, err
		}
		for _, r := range rows {
			entries, err := r.entries()
			if err != nil {
				return nil, err
			}
			for _, e := range slices.Backward(entries) {
				if hasStatus(f.statuses, e.status()) && isBefore(eventKey{e.EventID, e.Position}, f.before) {
					out = append(out, e)
				}
			}
			if last = r.Last; len(out) >= f.limit {
				return out[:f.limit], nil
			}
		}
	}
}

// selectBlocks returns the first blocks of a subscription, behind a position, that may have events of a range.
func selectBlocks(
	ctx context.Context, q store.Queryer, sub laurel.ID, in Range, after int64,
) (rows []blockRow, err error) {
	var w store.Where
	w.Add("subscription_id = ? AND written_at >= ? AND last_position > ?", sub, store.Micros(in.From), after)
	if !whereStatuses(&w, in.Statuses) {
		return nil, nil
	}
	err = q.Select(ctx, &rows, "SELECT last_position, entries FROM subscription_blocks"+w.String()+
		" ORDER BY last_position LIMIT ?", append(w.Args, blocksPerRead)...)
	return rows, err
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
