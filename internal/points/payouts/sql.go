package payouts

import (
	"context"
	"strings"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const payoutColumns = `t.id, t.organization_id, t.website_id, t.loyalty_currency_id, t.loyalty_rule_id, t.loyalty_badge_id, t.loyalty_transaction_entry_id, t.user_id,
	t.wallet_address, t.amount, t.relayer_id, t.contract_id, t.network, t.status, t.tx_hash, t.message, t.attempts, t.faults, t.due_at, t.created_at, t.updated_at`

const selectPayout = "SELECT " + payoutColumns + " FROM payouts t"

type row struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	CurrencyID     laurel.ID     `db:"loyalty_currency_id"`
	RuleID         laurel.ID     `db:"loyalty_rule_id"`
	BadgeID        laurel.ID     `db:"loyalty_badge_id"`
	EntryID        laurel.ID     `db:"loyalty_transaction_entry_id"`
	UserID         laurel.ID     `db:"user_id"`
	Wallet         string        `db:"wallet_address"`
	Amount         laurel.Amount `db:"amount"`
	RelayerID      laurel.ID     `db:"relayer_id"`
	ContractID     laurel.ID     `db:"contract_id"`
	Network        *string       `db:"network"`
	Status         string        `db:"status"`
	TxHash         *string       `db:"tx_hash"`
	Message        string        `db:"message"`
	Attempts       int64         `db:"attempts"`
	Faults         int64         `db:"faults"`
	DueAt          int64         `db:"due_at"`
	CreatedAt      int64         `db:"created_at"`
	UpdatedAt      int64         `db:"updated_at"`
}

// payout returns the payout that the row stores.
func (r row) payout() Payout {
	p := Payout{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		CurrencyID:     r.CurrencyID,
		RuleID:         r.RuleID,
		BadgeID:        r.BadgeID,
		EntryID:        r.EntryID,
		UserID:         r.UserID,
		Wallet:         r.Wallet,
		Amount:         r.Amount,
		RelayerID:      r.RelayerID,
		ContractID:     r.ContractID,
		Status:         r.Status,
		Message:        r.Message,
		Attempts:       r.Attempts,
		Faults:         r.Faults,
		DueAt:          store.Time(r.DueAt),
		CreatedAt:      store.Time(r.CreatedAt),
		UpdatedAt:      store.Time(r.UpdatedAt),
	}
	if r.Network != nil {
		p.Network = *r.Network
	}
	if r.TxHash != nil {
		p.TxHash = *r.TxHash
	}
	return p
}

// applyCall sets the columns that a call of the driver changes.
func (r *row) applyCall(after Payout) {
	r.Status, r.Message, r.Attempts, r.Faults = after.Status, after.Message, after.Attempts, after.Faults
	r.UpdatedAt = store.Micros(after.UpdatedAt)
	if after.TxHash != "" {
		r.TxHash = &after.TxHash
	}
}

// nullIfEmpty returns the value that stores a text: nil, which is NULL, for an empty one.
func nullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

var insertPayout = store.Insert{
	Table: "payouts",
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, loyalty_currency_id uuid,
	loyalty_rule_id uuid, loyalty_badge_id uuid, loyalty_transaction_entry_id uuid, user_id uuid, wallet_address text, amount bigint, relayer_id uuid, contract_id uuid, network text,
	status text, tx_hash text, message text, attempts bigint, faults bigint, due_at bigint, created_at bigint, updated_at bigint`),
}

// insertPayouts inserts payouts.
func insertPayouts(ctx context.Context, tx *store.Tx, rows []Payout) error {
	values := make([][]any, len(rows))
	for i, p := range rows {
		values[i] = []any{
			p.ID,
			p.OrganizationID,
			p.WebsiteID,
			p.CurrencyID,
			p.RuleID,
			p.BadgeID,
			p.EntryID,
			p.UserID,
			p.Wallet,
			p.Amount,
			p.RelayerID,
			p.ContractID,
			nullIfEmpty(p.Network),
			p.Status,
			nullIfEmpty(p.TxHash),
			p.Message,
			p.Attempts,
			p.Faults,
			store.Micros(p.DueAt),
			store.Micros(p.CreatedAt),
			store.Micros(p.UpdatedAt),
		}
	}
	_, err := tx.InsertRows(ctx, insertPayout, values)
	return err
}

// payoutQueueTable describes the queue of payouts.
var payoutQueueTable = worker.QueueTable{
	Table: "payouts", Key: "id", Due: "due_at", Open: "status IN ('waiting', 'sent')", Attempts: "attempts", OwnerColumn: "website_id",
	Columns: strings.ReplaceAll(payoutColumns, "t.", ""),
}

// savePayout writes the columns that a call of the driver changes.
func savePayout(ctx context.Context, tx *store.Tx, r *row) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE payouts SET status = ?, tx_hash = ?, message = ?, attempts = ?, faults = ?, updated_at = ? WHERE id = ?",
		r.Status,
		r.TxHash,
		r.Message,
		r.Attempts,
		r.Faults,
		r.UpdatedAt,
		r.ID,
	)
	return err
}

// readPayout returns a payout of the scope, or NotFound "Payout" if the scope has no such payout.
func readPayout(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (row, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	var r row
	err := q.Get(ctx, &r, selectPayout+w.String(), w.Args...)
	if store.IsNoRows(err) {
		err = laurel.Missing("Payout")
	}
	return r, err
}

// retryPayout makes a failed payout wait for the driver again, as if it had not been tried, and reports whether it had
// failed. It changes no other payout.
func retryPayout(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	now := store.Micros(tx.Now())
	var w store.Where
	w.Add("id = ? AND status = 'failed'", id)
	w.Tenant("", scope)
	n, err := tx.Exec(
		ctx,
		"UPDATE payouts SET status = 'waiting', message = '', attempts = 0, faults = 0, due_at = ?, updated_at = ?"+w.String(),
		append([]any{now, now}, w.Args...)...)
	return n > 0, err
}

// listPayouts returns a page of the payouts that match the filter, newest first. It returns laurel.ErrCursor if
// page.StartingAfter is no payout of the scope.
func listPayouts(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[row], error) {
	var none laurel.Page[row]
	var w store.Where
	w.Tenant("t.", scope)
	store.In(&w, "t.status", f.Statuses)
	store.In(&w, "t.loyalty_rule_id", f.RuleIDs)
	store.In(&w, "t.user_id", f.UserIDs)
	store.In(&w, "t.wallet_address", f.Wallets)
	if !page.StartingAfter.IsZero() {
		after, err := readPayout(ctx, q, scope, page.StartingAfter)
		if laurel.CodeOf(err) == laurel.NotFound {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("t.created_at", "t.id", true, after.CreatedAt, after.ID)
	}
	return store.SelectPage[row](
		ctx,
		q,
		page.Limit,
		selectPayout+w.String()+" ORDER BY t.created_at DESC, t.id DESC",
		w.Args...)
}
