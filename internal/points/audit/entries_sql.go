package audit

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// storedEntry is the stored form of an entry with its transaction, as texts.
type storedEntry struct {
	ID             seal.Text `db:"id"`
	OrganizationID seal.Text `db:"organization_id"`
	WebsiteID      seal.Text `db:"website_id"`
	TransactionID  seal.Text `db:"loyalty_transaction_id"`
	AccountID      seal.Text `db:"loyalty_account_id"`
	CurrencyID     seal.Text `db:"loyalty_currency_id"`
	UserID         seal.Text `db:"user_id"`
	Direction      seal.Text `db:"direction"`
	Type           seal.Text `db:"type"`
	RuleID         seal.Text `db:"loyalty_rule_id"`
	RuleType       seal.Text `db:"loyalty_rule_type"`
	Amount         seal.Text `db:"amount"`
	StartAmount    seal.Text `db:"start_amount"`
	EndAmount      seal.Text `db:"end_amount"`
	LockVersion    seal.Text `db:"lock_version"`
	Key            seal.Text `db:"idempotency_key"`
	Metadata       seal.Text `db:"metadata"`
	CreatedAt      seal.Text `db:"created_at"`

	TID             seal.Text `db:"t_id"`
	TOrganizationID seal.Text `db:"t_organization_id"`
	TWebsiteID      seal.Text `db:"t_website_id"`
	TType           seal.Text `db:"t_type"`
	TDescription    seal.Text `db:"t_description"`
	TRuleID         seal.Text `db:"t_loyalty_rule_id"`
	TCreatedByID    seal.Text `db:"t_created_by_id"`
	TCreatedAt      seal.Text `db:"t_created_at"`
}

const selectEntries = `SELECT e.id, e.organization_id, e.website_id, e.loyalty_transaction_id, e.loyalty_account_id, e.loyalty_currency_id, e.user_id, e.direction,
	e.type, e.loyalty_rule_id, e.loyalty_rule_type, e.amount, e.start_amount, e.end_amount, e.lock_version, e.idempotency_key, e.metadata, e.created_at,
	t.id AS t_id, t.organization_id AS t_organization_id, t.website_id AS t_website_id, t.type AS t_type, t.description AS t_description,
	t.loyalty_rule_id AS t_loyalty_rule_id, t.created_by_id AS t_created_by_id, t.created_at AS t_created_at
	FROM loyalty_transaction_entries e LEFT JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id WHERE `

// content returns the columns that the leaf covers, in the order of seal.EntryColumns and seal.TransactionColumns.
func (e *storedEntry) content() seal.Row {
	return seal.Row{
		Entry: [len(seal.EntryColumns)]seal.Text{
			e.ID,
			e.OrganizationID,
			e.WebsiteID,
			e.TransactionID,
			e.AccountID,
			e.CurrencyID,
			e.UserID,
			e.Direction,
			e.Type,
			e.RuleID,
			e.RuleType,
			e.Amount,
			e.StartAmount,
			e.EndAmount,
			e.LockVersion,
			e.Key,
			e.Metadata,
			e.CreatedAt,
		},
		Transaction: [len(seal.TransactionColumns)]seal.Text{
			e.TID,
			e.TOrganizationID,
			e.TWebsiteID,
			e.TType,
			e.TDescription,
			e.TRuleID,
			e.TCreatedByID,
			e.TCreatedAt,
		},
	}
}

// leaf returns the hash of the entry and its transaction as they are stored.
func (e *storedEntry) leaf() seal.Hash {
	row := e.content()
	return row.Leaf()
}

// storedEntriesOf returns the stored entries with these ids, by id; ids without an entry are left out.
func storedEntriesOf(ctx context.Context, q store.Queryer, ids []laurel.ID) (map[laurel.ID]*storedEntry, error) {
	condition, arg := inCondition(q.Engine(), "e.id", ids)
	var rows []storedEntry
	err := q.Select(ctx, &rows, selectEntries+condition, arg)
	found := make(map[laurel.ID]*storedEntry, len(rows))
	for i := range rows {
		if id, err := laurel.ParseID(rows[i].ID.Value); err == nil {
			found[id] = &rows[i]
		}
	}
	return found, err
}

// existingEntries returns which of the ids belong to stored entries.
func existingEntries(ctx context.Context, q store.Queryer, ids []laurel.ID) (map[laurel.ID]bool, error) {
	condition, arg := inCondition(q.Engine(), "id", ids)
	var found []lenientID
	err := q.Select(ctx, &found, "SELECT id FROM loyalty_transaction_entries WHERE "+condition, arg)
	exists := make(map[laurel.ID]bool, len(found))
	for _, n := range found {
		exists[n.ID] = true
	}
	return exists, err
}

// selectEntryIDs returns the next ids of entries after an id (nil: from the first), in their order, at most limit of
// them. It returns the values of the column as they are stored, since one may be malformed.
func selectEntryIDs(ctx context.Context, q store.Queryer, after any, limit int) ([]any, error) {
	var w store.Where
	w.Add("id IS NOT NULL")
	if after != nil {
		w.Add("id > ?", after)
	}
	w.Args = append(w.Args, limit)
	var ids []any
	err := q.Select(ctx, &ids, "SELECT id FROM loyalty_transaction_entries"+w.String()+" ORDER BY id LIMIT ?", w.Args...)
	return ids, err
}

// entryAccount names an entry and its account.
type entryAccount struct {
	ID        lenientID `db:"id"`
	AccountID lenientID `db:"loyalty_account_id"`
}

// selectEntriesBetween returns all entries with ids after one id, up to and with another; a zero id is no bound.
func selectEntriesBetween(ctx context.Context, q store.Queryer, after, until laurel.ID) ([]entryAccount, error) {
	var w store.Where
	w.Add("id IS NOT NULL")
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	if !until.IsZero() {
		w.Add("id <= ?", until)
	}
	var rows []entryAccount
	err := q.Select(
		ctx,
		&rows,
		"SELECT id, loyalty_account_id FROM loyalty_transaction_entries"+w.String()+" ORDER BY id",
		w.Args...)
	return rows, err
}

// accountsOfEntriesWithoutID returns the account of each entry that has no id, at most limit of them. Such entries
// exist only in a SQLite file that someone has edited by hand.
func accountsOfEntriesWithoutID(ctx context.Context, q store.Queryer, limit int) ([]lenientID, error) {
	var accounts []lenientID
	err := q.Select(
		ctx,
		&accounts,
		"SELECT loyalty_account_id FROM loyalty_transaction_entries WHERE id IS NULL LIMIT ?",
		limit,
	)
	return accounts, err
}

// inCondition returns the SQL condition that the column has one of the ids, and its one argument: an array on
// PostgreSQL, a JSON list on SQLite.
func inCondition(engine store.Engine, column string, ids []laurel.ID) (string, any) {
	if engine == store.Postgres {
		values := make([]any, len(ids))
		for i, id := range ids {
			values[i] = [16]byte(id)
		}
		return column + " = ANY(?::uuid[])", values
	}
	return column + " IN (SELECT value FROM json_each(?))", string(store.JSON(ids))
}
