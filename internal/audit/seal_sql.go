package audit

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/seal"
	"laurel/internal/store"
)

// sealRow is an entry with its transaction as the database holds them, and the block that it is in.
type sealRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	AccountID      laurel.ID `db:"loyalty_account_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	UserID         laurel.ID `db:"user_id"`
	Direction      *string   `db:"direction"`
	Type           *string   `db:"type"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	RuleType       *string   `db:"loyalty_rule_type"`
	Amount         *int64    `db:"amount"`
	StartAmount    *int64    `db:"start_amount"`
	EndAmount      *int64    `db:"end_amount"`
	LockVersion    *int64    `db:"lock_version"`
	Key            *string   `db:"idempotency_key"`
	Metadata       *string   `db:"metadata"`
	CreatedAt      *int64    `db:"created_at"`

	TID             laurel.ID `db:"t_id"`
	TOrganizationID laurel.ID `db:"t_organization_id"`
	TWebsiteID      laurel.ID `db:"t_website_id"`
	TType           *string   `db:"t_type"`
	TDescription    *string   `db:"t_description"`
	TRuleID         laurel.ID `db:"t_loyalty_rule_id"`
	TCreatedByID    laurel.ID `db:"t_created_by_id"`
	TCreatedAt      *int64    `db:"t_created_at"`

	Block *int64 `db:"block"` // NULL: in none
}

// sealColumns are the columns of sealRow; e and t are the entry and its transaction.
const sealColumns = `e.id, e.organization_id, e.website_id, e.loyalty_transaction_id, e.loyalty_account_id, e.loyalty_currency_id, e.user_id, e.direction, e.type,
	e.loyalty_rule_id, e.loyalty_rule_type, e.amount, e.start_amount, e.end_amount, e.lock_version, e.idempotency_key, e.metadata, e.created_at,
	t.id AS t_id, t.organization_id AS t_organization_id, t.website_id AS t_website_id, t.type AS t_type, t.description AS t_description,
	t.loyalty_rule_id AS t_loyalty_rule_id, t.created_by_id AS t_created_by_id, t.created_at AS t_created_at`

// content is what the leaf covers, in the order of seal.EntryColumns and seal.TransactionColumns.
func (r *sealRow) content() seal.Row {
	return seal.Row{
		Entry: [len(seal.EntryColumns)]seal.Text{idText(r.ID), idText(r.OrganizationID), idText(r.WebsiteID), idText(r.TransactionID), idText(r.AccountID),
			idText(r.CurrencyID), idText(r.UserID), textText(r.Direction), textText(r.Type), idText(r.RuleID), textText(r.RuleType), intText(r.Amount),
			intText(r.StartAmount), intText(r.EndAmount), intText(r.LockVersion), textText(r.Key), textText(r.Metadata), intText(r.CreatedAt)},
		Transaction: [len(seal.TransactionColumns)]seal.Text{idText(r.TID), idText(r.TOrganizationID), idText(r.TWebsiteID), textText(r.TType),
			textText(r.TDescription), idText(r.TRuleID), idText(r.TCreatedByID), intText(r.TCreatedAt)},
	}
}

func idText(id laurel.ID) seal.Text {
	if id.IsZero() {
		return seal.Text{Null: true}
	}
	return seal.Text{Value: id.String()}
}

func textText(s *string) seal.Text {
	if s == nil {
		return seal.Text{Null: true}
	}
	return seal.Text{Value: *s}
}

func intText(n *int64) seal.Text {
	if n == nil {
		return seal.Text{Null: true}
	}
	return seal.Text{Value: strconv.FormatInt(*n, 10)}
}

// anyOf is a condition that a column holds one of many ids, as one argument: a statement per number of ids would fill the statement caches.
func anyOf(engine store.Engine, column string, ids []laurel.ID) (string, any) {
	if engine == store.Postgres {
		values := make([]any, len(ids))
		for i, id := range ids {
			values[i] = [16]byte(id)
		}
		return column + " = ANY(?::uuid[])", values
	}
	list, err := json.Marshal(ids)
	if err != nil { // ids always encode
		panic(err)
	}
	return column + " IN (SELECT value FROM json_each(?))", string(list)
}

// The columns by which entries are found for sealing.
const (
	entriesByID          = "e.id"
	entriesByTransaction = "e.loyalty_transaction_id"
)

// selectSealRows answers the entries whose column holds one of the ids, by id.
func selectSealRows(ctx context.Context, q store.Queryer, column string, ids []laurel.ID) ([]sealRow, error) {
	condition, arg := anyOf(q.Engine(), column, ids)
	var rows []sealRow
	err := q.Select(ctx, &rows, `SELECT `+sealColumns+`, s.block FROM loyalty_transaction_entries e JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id
		LEFT JOIN sealed_entries s ON s.entry_id = e.id WHERE `+condition+` ORDER BY e.id`, arg)
	return rows, err
}

func selectTransactionsOf(ctx context.Context, q store.Queryer, entries []laurel.ID) ([]laurel.ID, error) {
	condition, arg := anyOf(q.Engine(), "id", entries)
	var ids []laurel.ID
	err := q.Select(ctx, &ids, `SELECT DISTINCT loyalty_transaction_id FROM loyalty_transaction_entries WHERE `+condition, arg)
	return ids, err
}

// sealHead is the last block of an organization; the zero head stands before the first.
type sealHead struct {
	OrganizationID laurel.ID `db:"organization_id"`
	Number         int64     `db:"number"`
	Hash           seal.Hash `db:"hash"`
}

// lockHeads locks the heads of the organizations in the order of their ids. Whoever waited sees the blocks of those before.
func lockHeads(ctx context.Context, tx *store.Tx, organizations map[laurel.ID]bool) (map[laurel.ID]sealHead, error) {
	heads := map[laurel.ID]sealHead{}
	for _, organization := range slices.SortedFunc(maps.Keys(organizations), compareIDs) {
		var head sealHead
		find := func() error {
			return tx.Get(ctx, &head, "SELECT organization_id, number, hash FROM seal_heads WHERE organization_id = ?"+tx.ForUpdate(), organization)
		}
		err := find()
		if store.NoRows(err) {
			if _, err = tx.Exec(ctx, "INSERT INTO seal_heads (organization_id, number, hash) VALUES (?, 0, ?) ON CONFLICT DO NOTHING", organization, seal.Hash{}.String()); err == nil {
				err = find()
			}
		}
		if err != nil {
			return nil, err
		}
		heads[organization] = head
	}
	return heads, nil
}

// sealMember is an entry's place in a block.
type sealMember struct {
	entry laurel.ID
	leaf  seal.Hash
}

var insertSealed = store.Insert{Table: "sealed_entries", Columns: store.Columns("entry_id uuid, organization_id uuid, block bigint, position bigint, leaf bytea")}

// insertBlock appends a block behind the locked head.
func insertBlock(ctx context.Context, tx *store.Tx, b seal.Block, members []sealMember) error {
	_, err := tx.Exec(ctx, `INSERT INTO seal_blocks (organization_id, number, size, root, previous_hash, created_at, public_key, hash, signature)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, b.OrganizationID, b.Number, b.Size, b.Root.String(), b.PreviousHash.String(), b.CreatedAt,
		b.PublicKey.String(), b.Hash.String(), b.Signature.String())
	if err != nil {
		return err
	}
	rows := make([][]any, len(members))
	for i, m := range members {
		rows[i] = []any{m.entry, b.OrganizationID, b.Number, int64(i), m.leaf[:]}
	}
	if _, err := tx.InsertRows(ctx, insertSealed, rows); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE seal_heads SET number = ?, hash = ? WHERE organization_id = ?", b.Number, b.Hash.String(), b.OrganizationID)
	return err
}

// sealBacklogRow says how far the entries from before sealing are sealed: in the order of ids, behind After up to Until.
type sealBacklogRow struct {
	After  laurel.ID `db:"after_id"`
	Until  laurel.ID `db:"until_id"`
	DoneAt *int64    `db:"done_at"`
}

func (b sealBacklogRow) done() bool { return b.DoneAt != nil }

// never tells that sealing has not begun: where there were no entries, it is done as it begins.
func (b sealBacklogRow) never() bool { return !b.done() && b.Until.IsZero() }

const (
	backlogName   = "entries"
	selectBacklog = "SELECT after_id, until_id, done_at FROM seal_backlog WHERE name = ?"
)

// readBacklog answers the zero row where sealing has never begun.
func readBacklog(ctx context.Context, q store.Queryer) (sealBacklogRow, error) {
	var row sealBacklogRow
	err := q.Get(ctx, &row, selectBacklog, backlogName)
	if store.NoRows(err) {
		return sealBacklogRow{}, nil
	}
	return row, err
}

// lockBacklog makes the row where there is none: the entries of this moment are the backlog.
func lockBacklog(ctx context.Context, tx *store.Tx) (sealBacklogRow, error) {
	var row sealBacklogRow
	find := func() error { return tx.Get(ctx, &row, selectBacklog+tx.ForUpdate(), backlogName) }
	err := find()
	if !store.NoRows(err) {
		return row, err
	}
	var until laurel.ID
	if err := tx.Get(ctx, &until, "SELECT id FROM loyalty_transaction_entries ORDER BY id DESC LIMIT 1"); err != nil && !store.NoRows(err) {
		return row, err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO seal_backlog (name, after_id, until_id, done_at) VALUES (?, NULL, ?, NULL) ON CONFLICT DO NOTHING", backlogName, until); err != nil {
		return row, err
	}
	return row, find()
}

func saveBacklog(ctx context.Context, tx *store.Tx, after laurel.ID, done bool) error {
	var at any
	if done {
		at = store.Micros(tx.Now())
	}
	_, err := tx.Exec(ctx, "UPDATE seal_backlog SET after_id = ?, done_at = ? WHERE name = ?", after, at, backlogName)
	return err
}

// backlogEntry is an entry that the backlog comes to.
type backlogEntry struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
}

func selectNextEntries(ctx context.Context, q store.Queryer, at sealBacklogRow, limit int) ([]backlogEntry, error) {
	if at.Until.IsZero() {
		return nil, nil
	}
	var w store.Where
	w.Add("id <= ?", at.Until)
	if !at.After.IsZero() {
		w.Add("id > ?", at.After)
	}
	w.Args = append(w.Args, limit)
	var rows []backlogEntry
	err := q.Select(ctx, &rows, "SELECT id, organization_id FROM loyalty_transaction_entries"+w.String()+" ORDER BY id LIMIT ?", w.Args...)
	return rows, err
}

// lastBlockTime answers when the newest block of all organizations was made.
func lastBlockTime(ctx context.Context, q store.Queryer) (time.Time, error) {
	var at int64
	err := q.Get(ctx, &at, `SELECT COALESCE(max(b.created_at), 0) FROM seal_heads h JOIN seal_blocks b ON b.organization_id = h.organization_id AND b.number = h.number`)
	return store.Time(at), err
}
