package ledger

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// insertTransaction and insertEntry are no store.Records: every completion writes them.
var insertTransaction = store.Insert{Table: "loyalty_transactions", Columns: store.Columns(
	`id uuid, organization_id uuid, website_id uuid, type text, description text, loyalty_rule_id uuid, created_by_id uuid,
	created_at bigint, facts text, cause text`,
)}

// insertTransactions inserts the rows of transactions, without their entries.
func insertTransactions(ctx context.Context, tx *store.Tx, rows []Transaction) error {
	values := make([][]any, len(rows))
	for i, t := range rows {
		values[i] = []any{
			t.ID,
			t.OrganizationID,
			t.WebsiteID,
			string(t.Type),
			t.Description,
			t.RuleID,
			t.CreatedByID,
			store.Micros(t.CreatedAt),
			nullIfEmpty(string(t.facts)),
			nullIfEmpty(string(t.cause.stored())),
		}
	}
	_, err := tx.InsertRows(ctx, insertTransaction, values)
	return err
}

var insertEntry = store.Insert{
	Table: "loyalty_transaction_entries",
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid,
	loyalty_transaction_id uuid, loyalty_account_id uuid, loyalty_currency_id uuid, user_id uuid, direction text, type text, loyalty_rule_id uuid,
	loyalty_rule_type text, amount bigint, start_amount bigint, end_amount bigint, lock_version bigint, idempotency_key text, metadata text, created_at bigint`),
}

// insertEntries inserts entries. Those of main accounts have neither balances nor a version.
func insertEntries(ctx context.Context, tx *store.Tx, rows []entryRow) error {
	values := make([][]any, len(rows))
	for i, e := range rows {
		var start, end, version any
		if !e.UserID.IsZero() {
			start, end, version = e.StartAmount, e.EndAmount, e.LockVersion
		}
		values[i] = []any{
			e.ID,
			e.OrganizationID,
			e.WebsiteID,
			e.TransactionID,
			e.AccountID,
			e.CurrencyID,
			e.UserID,
			string(e.Direction),
			string(e.Type),
			e.RuleID,
			nullIfEmpty(e.RuleType),
			e.Amount,
			start,
			end,
			version,
			nullIfEmpty(e.IdempotencyKey),
			nullIfEmpty(string(e.Metadata)),
			store.Micros(e.CreatedAt),
		}
	}
	_, err := tx.InsertRows(ctx, insertEntry, values)
	return err
}

// nullIfEmpty returns the value that stores a text: nil, which is NULL, for an empty one.
func nullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

type transactionRow struct {
	ID             laurel.ID       `db:"id"`
	OrganizationID laurel.ID       `db:"organization_id"`
	WebsiteID      laurel.ID       `db:"website_id"`
	Type           TransactionType `db:"type"`
	Description    string          `db:"description"`
	RuleID         laurel.ID       `db:"loyalty_rule_id"`
	RuleType       *string         `db:"rule_type"`
	CreatedByID    laurel.ID       `db:"created_by_id"`
	CreatedAt      int64           `db:"created_at"`
	Cause          *string         `db:"cause"`
}

type storedEntry struct {
	ID          laurel.ID     `db:"id"`
	AccountID   laurel.ID     `db:"loyalty_account_id"`
	CurrencyID  laurel.ID     `db:"loyalty_currency_id"`
	UserID      laurel.ID     `db:"user_id"`
	Direction   Direction     `db:"direction"`
	Amount      laurel.Amount `db:"amount"`
	StartAmount laurel.Amount `db:"start_amount"`
	EndAmount   laurel.Amount `db:"end_amount"`
	LockVersion int64         `db:"lock_version"`
	Key         *string       `db:"idempotency_key"`
	Metadata    *string       `db:"metadata"`
	CreatedAt   int64         `db:"created_at"`
}

// entryColumns are those of storedEntry.
const entryColumns = `id, loyalty_account_id, loyalty_currency_id, user_id, direction, amount, start_amount, end_amount,
	lock_version, idempotency_key, metadata, created_at`

// EntriesOf returns the users' entries of transactions of the scope, by transaction. Each list has the order in which
// its entries were made.
func (s *Service) EntriesOf(
	ctx context.Context, scope laurel.Scope, transactions []laurel.ID,
) (map[laurel.ID][]Entry, error) {
	type row struct {
		storedEntry
		TransactionID laurel.ID `db:"loyalty_transaction_id"`
	}
	const column = "loyalty_transaction_id"
	rows, err := store.SelectByIDs[row](ctx, s.db, column, transactions, func(w *store.Where) string {
		w.TenantWithIDs(s.db.Engine(), "", scope)
		w.Add("user_id IS NOT NULL")
		return "SELECT " + column + ", " + entryColumns + " FROM loyalty_transaction_entries" + w.String() + " ORDER BY id"
	})
	out := map[laurel.ID][]Entry{}
	for _, r := range rows {
		out[r.TransactionID] = append(out[r.TransactionID], r.entry(r.TransactionID))
	}
	return out, err
}

// Entry returns an entry of the scope, or NotFound "Transaction".
func (s *Service) Entry(ctx context.Context, scope laurel.Scope, id laurel.ID) (Entry, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	var row struct {
		storedEntry
		TransactionID laurel.ID `db:"loyalty_transaction_id"`
	}
	err := s.db.Get(ctx, &row,
		"SELECT loyalty_transaction_id, "+entryColumns+" FROM loyalty_transaction_entries"+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Entry{}, laurel.Missing("Transaction")
	}
	return row.entry(row.TransactionID), err
}

// findTransaction returns a transaction with its entries of users, or NotFound "Transaction" if the scope has none.
func findTransaction(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Transaction, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	var row transactionRow
	err := q.Get(
		ctx,
		&row,
		`SELECT t.id, t.organization_id, t.website_id, t.type, t.description, t.loyalty_rule_id, t.created_by_id, t.created_at, t.cause,
			(SELECT MAX(e.loyalty_rule_type) FROM loyalty_transaction_entries e WHERE e.loyalty_transaction_id = t.id) AS rule_type
		FROM loyalty_transactions t`+w.String(),
		w.Args...)
	if store.IsNoRows(err) {
		return Transaction{}, laurel.Missing("Transaction")
	}
	if err != nil {
		return Transaction{}, err
	}
	var rows []storedEntry
	// ids ascend in the order in which the entries were made, like the versions of each account
	if err := q.Select(
		ctx,
		&rows,
		"SELECT "+entryColumns+` FROM loyalty_transaction_entries
		WHERE loyalty_transaction_id = ? AND user_id IS NOT NULL ORDER BY id`,
		id,
	); err != nil {
		return Transaction{}, err
	}
	t := Transaction{
		ID:             row.ID,
		OrganizationID: row.OrganizationID,
		WebsiteID:      row.WebsiteID,
		Type:           row.Type,
		Description:    row.Description,
		RuleID:         row.RuleID,
		CreatedByID:    row.CreatedByID,
		CreatedAt:      store.Time(row.CreatedAt),
		cause:          CauseReward, // stored as NULL
	}
	if row.RuleType != nil {
		t.RuleType = *row.RuleType
	}
	if row.Cause != nil {
		t.cause = Cause(*row.Cause)
	}
	for _, e := range rows {
		t.Entries = append(t.Entries, e.entry(id))
	}
	return t, nil
}

// entry returns the entry that the row stores, as one of the given transaction.
func (e storedEntry) entry(transaction laurel.ID) Entry {
	out := Entry{
		ID:            e.ID,
		TransactionID: transaction,
		AccountID:     e.AccountID,
		CurrencyID:    e.CurrencyID,
		UserID:        e.UserID,
		Direction:     e.Direction,
		Amount:        e.Amount,
		StartAmount:   e.StartAmount,
		EndAmount:     e.EndAmount,
		LockVersion:   e.LockVersion,
		CreatedAt:     store.Time(e.CreatedAt),
	}
	if e.Key != nil {
		out.IdempotencyKey = *e.Key
	}
	if e.Metadata != nil {
		out.Metadata = json.RawMessage(*e.Metadata)
	}
	return out
}
