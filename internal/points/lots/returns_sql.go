package lots

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var insertReturn = store.Insert{
	Table: "lot_returns",
	Columns: store.Columns(`lot_id uuid, entry_id uuid, organization_id uuid, website_id uuid,
	loyalty_account_id uuid, amount bigint, version bigint, created_at bigint, purpose text`),
}

// readSources reads, for each refund among the entries, the lots of the present era that have paid for its purpose, and
// records in the book how much of each is not refunded yet.
func (b *Book) readSources(ctx context.Context, tx *store.Tx, entries []Entry) error {
	var purposes []string
	for _, e := range entries {
		if !e.Debit && e.Purpose != "" {
			purposes = append(purposes, e.Purpose)
		}
	}
	if len(purposes) == 0 {
		return nil
	}
	var condition store.Where
	condition.Add("loyalty_account_id = ?", b.AccountID)
	store.In(&condition, "purpose", purposes)
	var unrefunded []struct {
		LotID   laurel.ID     `db:"lot_id"`
		Purpose string        `db:"purpose"`
		Amount  laurel.Amount `db:"amount"`
	}
	err := tx.Select(ctx, &unrefunded, `SELECT lot_id, purpose, CAST(SUM(amount) AS BIGINT) AS amount FROM (
		SELECT lot_id, purpose, amount FROM lot_allocations`+condition.String()+`
		UNION ALL SELECT lot_id, purpose, -amount FROM lot_returns`+condition.String()+`) x GROUP BY lot_id, purpose`,
		append(condition.Args[:len(condition.Args):len(condition.Args)], condition.Args...)...)
	if err != nil || len(unrefunded) == 0 {
		return err
	}
	ids := make([]laurel.ID, len(unrefunded))
	for i, n := range unrefunded {
		ids[i] = n.LotID
	}
	w := store.Where{}
	store.In(&w, "id", ids)
	w.Add("era = ?", b.Era)
	var list []*Lot
	if err := tx.Select(ctx, &list, selectLot+w.String(), w.Args...); err != nil {
		return err
	}
	for _, l := range list {
		if b.readLots[l.ID] == nil {
			b.readLots[l.ID] = l
		}
	}
	for _, n := range unrefunded {
		if l := b.readLots[n.LotID]; l != nil && l.Era == b.Era {
			b.addSource(n.Purpose, l, n.Amount)
		}
	}
	return nil
}

// insertRefunds enqueues refunds, whose points the expiry service then returns to the lots that paid.
func insertRefunds(ctx context.Context, tx *store.Tx, rows []Refund) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.EntryID, r.OrganizationID, r.WebsiteID, r.CurrencyID, r.UserID}
	}
	_, err := tx.InsertRows(ctx, store.Insert{
		Table: "lot_refunds",
		Columns: store.Columns(
			"entry_id uuid, organization_id uuid, website_id uuid, loyalty_currency_id uuid, user_id uuid"),
	}, values)
	return err
}

// EnqueuedRefunds returns the first enqueued refunds of a currency, at most limit of them.
func EnqueuedRefunds(ctx context.Context, q store.Queryer, currency laurel.ID, limit int) (rows []Refund, err error) {
	err = q.Select(ctx, &rows, `SELECT entry_id, organization_id, website_id, loyalty_currency_id, user_id FROM lot_refunds
		WHERE loyalty_currency_id = ? ORDER BY entry_id LIMIT ?`, currency, limit)
	return rows, err
}

// RemoveRefunds removes refunds from the queue, once the lots of their accounts are updated.
func RemoveRefunds(ctx context.Context, tx *store.Tx, refunds []Refund) error {
	ids := make([]laurel.ID, len(refunds))
	for i, r := range refunds {
		ids[i] = r.EntryID
	}
	var w store.Where
	store.In(&w, "entry_id", ids)
	_, err := tx.Exec(ctx, "DELETE FROM lot_refunds"+w.String(), w.Args...)
	return err
}
