package contractrules

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// watchRow is what a rule watches.
type watchRow struct {
	ID             laurel.ID `db:"id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	ChainID        int64     `db:"chain_id"`
	Contract       string    `db:"contract_address"`
	IsFunction     bool      `db:"is_function"`
	ABI            string    `db:"abi"`
	Since          int64     `db:"since"`
	FromBlock      *int64    `db:"from_block"` // nil: the reader has not found it
	NextBlock      *int64    `db:"next_block"`
	UntilBlock     *int64    `db:"until_block"`
	hasStart       bool      // Since is set by the rule, and is not the moment of the change
}

// isOfSameContract reports whether a stored row is of the contract that a rule is to watch. There may be no stored row.
func (r *watchRow) isOfSameContract(wanted watchRow) bool {
	return r == nil || r.ChainID == wanted.ChainID && r.Contract == wanted.Contract
}

// isSame reports whether a stored row is what a rule is to watch.
func (r watchRow) isSame(wanted watchRow) bool {
	return r.ChainID == wanted.ChainID && r.Contract == wanted.Contract && r.IsFunction == wanted.IsFunction &&
		r.ABI == wanted.ABI && (r.Since == wanted.Since || !wanted.hasStart)
}

const selectRow = `SELECT id, loyalty_rule_id, organization_id, website_id, chain_id, contract_address, is_function, abi, since,
	from_block, next_block, until_block FROM rule_watches`

// selectWatch returns what a rule watches; nil: nothing.
func selectWatch(ctx context.Context, tx *store.Tx, rule laurel.ID) (*watchRow, error) {
	var out watchRow
	err := tx.Get(ctx, &out, selectRow+" WHERE loyalty_rule_id = ?", rule)
	if store.IsNoRows(err) {
		return nil, nil //nolint:nilnil // it watches nothing
	}
	return &out, err
}

// selectWatching returns the ids of the rules that watch something.
func selectWatching(ctx context.Context, q store.Queryer) (ids []laurel.ID, err error) {
	err = q.Select(ctx, &ids, "SELECT loyalty_rule_id FROM rule_watches")
	return ids, err
}

func selectWatched(ctx context.Context, q store.Queryer, chainID uint64) (rows []watchRow, err error) {
	err = q.Select(ctx, &rows, selectRow+" WHERE chain_id = ? ORDER BY id", int64(chainID)) //nolint:gosec // 53 bits
	return rows, err
}

func deleteWatch(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM rule_watches WHERE loyalty_rule_id = ?", rule)
	return err
}

func insertWatch(ctx context.Context, tx *store.Tx, r watchRow) error {
	_, err := tx.Exec(ctx, `INSERT INTO rule_watches (id, loyalty_rule_id, organization_id, website_id, chain_id,
		contract_address, is_function, abi, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.RuleID, r.OrganizationID, r.WebsiteID, r.ChainID, r.Contract, r.IsFunction, r.ABI, r.Since)
	return err
}

// saveBlocks stores the first block of a watch, and how far its past is read.
func saveBlocks(ctx context.Context, tx *store.Tx, w reader.Watch) error {
	_, err := tx.Exec(ctx, "UPDATE rule_watches SET from_block = ?, next_block = ?, until_block = ? WHERE id = ?",
		w.From, w.Past.Next, w.Past.Until, w.ID)
	return err
}

// rulesOf returns rules by the ids of their watches.
func rulesOf(ctx context.Context, tx *store.Tx, ids []laurel.ID) (map[laurel.ID]laurel.ID, error) {
	var w store.Where
	store.InArray(&w, tx, "id", "uuid", ids)
	var rows []watchRow
	err := tx.Select(ctx, &rows, "SELECT id, loyalty_rule_id FROM rule_watches"+w.String(), w.Args...)
	out := make(map[laurel.ID]laurel.ID, len(rows))
	for _, r := range rows {
		out[r.ID] = r.RuleID
	}
	return out, err
}

// eventRow is an event that a rule has to decide on.
type eventRow struct {
	ID             laurel.ID `db:"id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Key            string    `db:"event_key"`
	IsRemoved      bool      `db:"removed"`
	Data           string    `db:"data"`
	CreatedAt      int64     `db:"created_at"`
}

var leasedEvents = worker.QueueTable{
	Table: "rule_events", Key: "id", Due: "due_at", Attempts: "attempts", OwnerColumn: "website_id",
	Columns: "id, loyalty_rule_id, organization_id, website_id, event_key, removed, data, created_at",
}

var eventInsert = store.Insert{Table: "rule_events", Columns: store.Columns(`id uuid, loyalty_rule_id uuid,
	organization_id uuid, website_id uuid, event_key text, removed boolean, data text, attempts bigint, created_at bigint,
	due_at bigint`)}

func insertEvents(ctx context.Context, tx *store.Tx, events []eventRow) error {
	rows := make([][]any, len(events))
	for i, e := range events {
		rows[i] = []any{
			e.ID, e.RuleID, e.OrganizationID, e.WebsiteID, e.Key, e.IsRemoved, e.Data, 0, e.CreatedAt, e.CreatedAt,
		}
	}
	_, err := tx.InsertRows(ctx, eventInsert, rows)
	return err
}

// hasEarlier reports whether another event must be decided on before: one of the rule that was taken back or, if this
// one was taken back, itself.
func hasEarlier(ctx context.Context, q store.Queryer, e eventRow) (bool, error) {
	var w store.Where
	w.Add("loyalty_rule_id = ? AND id < ?", e.RuleID, e.ID)
	if e.IsRemoved {
		w.Add("event_key = ?", e.Key)
	} else {
		w.Add("removed")
	}
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM rule_events"+w.String()+" LIMIT 1", w.Args...)
	return len(found) > 0, err
}

// deleteUndecided removes the events on which a rule has not decided, but those that were taken back.
func deleteUndecided(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM rule_events WHERE loyalty_rule_id = ? AND NOT removed", rule)
	return err
}

func deleteEvent(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM rule_events WHERE id = ?", id)
	return err
}
