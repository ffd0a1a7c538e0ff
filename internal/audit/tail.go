package audit

import (
	"context"

	"laurel"
)

const (
	// tailWindow bounds the unsealed entries that verification holds at a time; the rest of the feed is read once for each window.
	tailWindow = 200_000
	tailPage   = 1000
)

// unsealed checks the entries that are in no block: each must be one that the sealer will come to. The change feed tells of those, since posting
// writes entry and change in one transaction; whatever neither a block nor the feed knows was put there by hand.
func (c *sealCheck) unsealed(ctx context.Context) error {
	backlog, err := readBacklog(ctx, c.q)
	if err != nil {
		return err
	}
	if backlog.never() { // nobody has sealed anything
		return c.q.Get(ctx, &c.report.Seal.Unsealed, countEntries)
	}
	if !backlog.done() {
		if c.report.Seal.Unsealed, err = countBacklog(ctx, c.q, backlog); err != nil {
			return err
		}
	}
	var after laurel.ID
	for first := true; ; first = false {
		rows, err := selectUnsealed(ctx, c.q, backlog, after, tailWindow)
		if err != nil {
			return err
		}
		last := len(rows) < tailWindow
		if !last {
			rows = wholeTransactions(rows)
			after = rows[len(rows)-1].TransactionID
		}
		if err := c.window(ctx, rows, first); err != nil || last {
			return err
		}
	}
}

// wholeTransactions leaves out the last transaction, whose entries may go on behind the window, unless there is no other.
func wholeTransactions(rows []unsealedRow) []unsealedRow {
	end := len(rows)
	for end > 0 && rows[end-1].TransactionID == rows[len(rows)-1].TransactionID {
		end--
	}
	if end == 0 {
		return rows
	}
	return rows[:end]
}

// window compares unsealed entries, of whole transactions, with the feed. Users' entries are in it by themselves, those of main accounts by the
// others of their transaction.
func (c *sealCheck) window(ctx context.Context, rows []unsealedRow, first bool) error {
	waiting := make(map[laurel.ID]bool, len(rows)) // users' entries: whether the feed tells of them
	for _, r := range rows {
		if !r.UserID.IsZero() {
			waiting[r.ID] = false
		}
	}
	if err := c.hear(ctx, waiting, first); err != nil {
		return err
	}
	told := map[laurel.ID]bool{}
	for _, r := range rows {
		if waiting[r.ID] {
			told[r.TransactionID] = true
		}
	}
	for _, r := range rows {
		if waiting[r.ID] || r.UserID.IsZero() && told[r.TransactionID] {
			c.report.Seal.Unsealed++
			continue
		}
		c.report.add(Discrepancy{AccountID: r.AccountID, EntryID: r.ID, Problem: "it is in no block and the change feed does not tell of it: it was put there by hand"})
	}
	return nil
}

// hear reads what the sealer has not passed of the feed and marks the entries that it tells of; the first time it also names those that are gone.
func (c *sealCheck) hear(ctx context.Context, waiting map[laurel.ID]bool, first bool) error {
	for seq := int64(0); ; {
		changes, err := sealTail.Read(ctx, c.q, seq, tailPage)
		if err != nil || len(changes) == 0 {
			return err
		}
		ids := make([]laurel.ID, len(changes))
		for i, change := range changes {
			seq, ids[i] = change.Seq, change.EntityID
			if _, asked := waiting[change.EntityID]; asked {
				waiting[change.EntityID] = true
			}
		}
		if !first {
			continue
		}
		there, err := existing(ctx, c.q, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !there[id] {
				c.report.add(Discrepancy{EntryID: id, Problem: "the change feed tells of it and it is gone"})
			}
		}
	}
}
