package audit

import (
	"context"

	"laurel"
	"laurel/internal/seal"
	"laurel/internal/store"
)

const countEntries = "SELECT COUNT(*) FROM loyalty_transaction_entries"

// selectChains answers the organizations that have a head or blocks.
func selectChains(ctx context.Context, q store.Queryer) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT organization_id FROM seal_heads UNION SELECT organization_id FROM seal_blocks ORDER BY organization_id")
	return ids, err
}

const selectBlock = "SELECT organization_id, number, size, root, previous_hash, created_at, public_key, hash, signature FROM seal_blocks"

// selectBlocks answers the next blocks behind a number.
func selectBlocks(ctx context.Context, q store.Queryer, organization laurel.ID, after int64, limit int) ([]seal.Block, error) {
	var blocks []seal.Block
	err := q.Select(ctx, &blocks, selectBlock+" WHERE organization_id = ? AND number > ? ORDER BY number LIMIT ?", organization, after, limit)
	return blocks, err
}

// findHead answers the zero head where there is none.
func findHead(ctx context.Context, q store.Queryer, organization laurel.ID) (sealHead, error) {
	var head sealHead
	err := q.Get(ctx, &head, "SELECT organization_id, number, hash FROM seal_heads WHERE organization_id = ?", organization)
	if store.NoRows(err) {
		return sealHead{}, nil
	}
	return head, err
}

// memberRow is an entry as it is now, with its place in a block. ID is zero where the entry is gone.
type memberRow struct {
	sealRow
	Member   laurel.ID `db:"member"`
	Chain    laurel.ID `db:"chain"` // the organization whose block it is
	Position int64     `db:"position"`
	Leaf     seal.Hash `db:"leaf"`
}

const selectMember = `SELECT s.entry_id AS member, s.organization_id AS chain, s.block, s.position, s.leaf, ` + sealColumns + ` FROM sealed_entries s
	LEFT JOIN loyalty_transaction_entries e ON e.id = s.entry_id LEFT JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id`

// selectMembers answers the entries of the blocks from one number to another, in their order.
func selectMembers(ctx context.Context, q store.Queryer, organization laurel.ID, from, to int64) ([]memberRow, error) {
	var rows []memberRow
	err := q.Select(ctx, &rows, selectMember+" WHERE s.organization_id = ? AND s.block >= ? AND s.block <= ? ORDER BY s.block, s.position", organization, from, to)
	return rows, err
}

// selectStrays answers entries whose block is not there.
func selectStrays(ctx context.Context, q store.Queryer, limit int) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, `SELECT s.entry_id FROM sealed_entries s LEFT JOIN seal_blocks b ON b.organization_id = s.organization_id AND b.number = s.block
		WHERE b.number IS NULL ORDER BY s.organization_id, s.block, s.position LIMIT ?`, limit)
	return ids, err
}

// unsealedRow is an entry that is in no block.
type unsealedRow struct {
	ID            laurel.ID `db:"id"`
	TransactionID laurel.ID `db:"loyalty_transaction_id"`
	AccountID     laurel.ID `db:"loyalty_account_id"`
	UserID        laurel.ID `db:"user_id"`
}

// selectUnsealed answers the next entries behind a transaction that are in no block and that the backlog will not come to.
func selectUnsealed(ctx context.Context, q store.Queryer, backlog sealBacklogRow, after laurel.ID, limit int) ([]unsealedRow, error) {
	var w store.Where
	w.Add("s.entry_id IS NULL")
	if !after.IsZero() {
		w.Add("e.loyalty_transaction_id > ?", after)
	}
	if !backlog.done() {
		if backlog.After.IsZero() {
			w.Add("e.id > ?", backlog.Until)
		} else {
			w.Add("(e.id <= ? OR e.id > ?)", backlog.After, backlog.Until)
		}
	}
	w.Args = append(w.Args, limit)
	var rows []unsealedRow
	err := q.Select(ctx, &rows, `SELECT e.id, e.loyalty_transaction_id, e.loyalty_account_id, e.user_id FROM loyalty_transaction_entries e
		LEFT JOIN sealed_entries s ON s.entry_id = e.id`+w.String()+` ORDER BY e.loyalty_transaction_id, e.id LIMIT ?`, w.Args...)
	return rows, err
}

// countBacklog counts the entries that the backlog will come to.
func countBacklog(ctx context.Context, q store.Queryer, backlog sealBacklogRow) (int64, error) {
	var w store.Where
	w.Add("id <= ?", backlog.Until)
	if !backlog.After.IsZero() {
		w.Add("id > ?", backlog.After)
	}
	var n int64
	err := q.Get(ctx, &n, countEntries+w.String(), w.Args...)
	return n, err
}

// existing answers which of the ids are entries.
func existing(ctx context.Context, q store.Queryer, ids []laurel.ID) (map[laurel.ID]bool, error) {
	condition, arg := anyOf(q.Engine(), "id", ids)
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM loyalty_transaction_entries WHERE "+condition, arg)
	there := make(map[laurel.ID]bool, len(found))
	for _, id := range found {
		there[id] = true
	}
	return there, err
}

// findMember answers an entry with its place in a block; store.NoRows where it is in none.
func findMember(ctx context.Context, q store.Queryer, entry laurel.ID) (memberRow, error) {
	var row memberRow
	err := q.Get(ctx, &row, selectMember+" WHERE s.entry_id = ?", entry)
	return row, err
}

func findBlock(ctx context.Context, q store.Queryer, organization laurel.ID, number int64) (seal.Block, error) {
	var b seal.Block
	err := q.Get(ctx, &b, selectBlock+" WHERE organization_id = ? AND number = ?", organization, number)
	return b, err
}

func selectLeaves(ctx context.Context, q store.Queryer, b seal.Block) ([]seal.Hash, error) {
	var leaves []seal.Hash
	err := q.Select(ctx, &leaves, "SELECT leaf FROM sealed_entries WHERE organization_id = ? AND block = ? ORDER BY position", b.OrganizationID, b.Number)
	return leaves, err
}
