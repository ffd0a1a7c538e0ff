package audit

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// sealHead names the last block of an organization's chain. Number 0 and the zero Hash stand for a chain without
// blocks.
type sealHead struct {
	OrganizationID laurel.ID `db:"organization_id"`
	Number         int64     `db:"number"`
	Hash           seal.Hash `db:"hash"`
}

var insertHeads = store.Insert{
	Table:    "seal_heads",
	Columns:  store.Columns("organization_id uuid, number bigint, hash text"),
	Conflict: store.IgnoreConflicts,
}

// otherSigningKey returns a public key other than the given one with which the last block of some organization is
// signed, or "" if all of them are signed with the given key.
func otherSigningKey(ctx context.Context, q store.Queryer, key seal.PublicKey) (string, error) {
	var otherKey string
	err := q.Get(
		ctx,
		&otherKey,
		`SELECT b.public_key FROM seal_heads h JOIN seal_blocks b ON b.organization_id = h.organization_id AND b.number = h.number
		WHERE b.public_key <> ? LIMIT 1`,
		key.String(),
	)
	if store.IsNoRows(err) {
		return "", nil
	}
	return otherKey, err
}

// lockOrCreateHeads locks and returns the heads of the organizations, in the order of ids, and inserts missing ones.
func lockOrCreateHeads(ctx context.Context, tx *store.Tx, organizations []laurel.ID) (map[laurel.ID]sealHead, error) {
	heads, err := lockExistingHeads(ctx, tx, organizations)
	if err != nil || len(heads) == len(organizations) {
		return heads, err
	}
	var missing [][]any
	for _, organization := range organizations {
		if _, exists := heads[organization]; !exists {
			missing = append(missing, []any{organization, int64(0), seal.Hash{}.String()})
		}
	}
	if _, err := tx.InsertRows(ctx, insertHeads, missing); err != nil {
		return nil, err
	}
	return lockExistingHeads(ctx, tx, organizations)
}

// lockExistingHeads locks the heads that exist, in the order of ids, and returns them; organizations without one are
// left out.
func lockExistingHeads(ctx context.Context, tx *store.Tx, organizations []laurel.ID) (map[laurel.ID]sealHead, error) {
	condition, arg := inCondition(tx.Engine(), "organization_id", organizations)
	var rows []sealHead
	err := tx.Select(
		ctx,
		&rows,
		"SELECT organization_id, number, hash FROM seal_heads WHERE "+condition+" ORDER BY organization_id"+tx.ForUpdate(),
		arg,
	)
	heads := make(map[laurel.ID]sealHead, len(rows))
	for _, h := range rows {
		heads[h.OrganizationID] = h
	}
	return heads, err
}

var (
	insertBlock = store.Insert{
		Table: "seal_blocks",
		Columns: store.Columns(`organization_id uuid, number bigint, size bigint, root text, previous_hash text,
		created_at bigint, public_key text, hash text, signature text, first_id uuid, last_id uuid, members bytea`),
	}
	updateHead = store.Update{
		Table: "seal_heads",
		Keys:  store.Columns("organization_id uuid"),
		Set:   store.Columns("number bigint, hash text"),
	}
)

// newBlock is a new block with its entries.
type newBlock struct {
	seal.Block
	entries []seal.BlockEntry
}

// insertBlocks inserts one block for each organization and moves the head of its chain. The heads are locked.
func insertBlocks(ctx context.Context, tx *store.Tx, blocks []newBlock) error {
	rows, heads := make([][]any, len(blocks)), make([][]any, len(blocks))
	for i, b := range blocks {
		first, last := idBounds(b.entries)
		rows[i] = []any{
			b.OrganizationID,
			b.Number,
			b.Size,
			b.Root.String(),
			b.PreviousHash.String(),
			b.CreatedAt,
			b.PublicKey.String(),
			b.Hash.String(),
			b.Signature.String(),
			first,
			last,
			seal.EncodeBlockEntries(b.entries),
		}
		heads[i] = []any{b.OrganizationID, b.Number, b.Hash.String()}
	}
	if _, err := tx.InsertRows(ctx, insertBlock, rows); err != nil {
		return err
	}
	_, err := tx.UpdateRows(ctx, updateHead, heads)
	return err
}

// idBounds returns the smallest and the largest id of the entries, which are in no order; both are zero if there are
// none.
func idBounds(entries []seal.BlockEntry) (first, last laurel.ID) {
	for i, e := range entries {
		if i == 0 || e.ID.Compare(first) < 0 {
			first = e.ID
		}
		if i == 0 || e.ID.Compare(last) > 0 {
			last = e.ID
		}
	}
	return first, last
}

// blockIDs names a block, and the smallest and the largest id of the entries that it lists.
type blockIDs struct {
	OrganizationID laurel.ID `db:"organization_id"`
	Number         int64     `db:"number"`
	First          laurel.ID `db:"first_id"`
	Last           laurel.ID `db:"last_id"`
}

// selectBlocksOverlapping returns the blocks that may list entries with ids between two ids, of one organization or,
// if it is zero, of all.
func selectBlocksOverlapping(
	ctx context.Context, q store.Queryer, organization, from, to laurel.ID,
) ([]blockIDs, error) {
	var w store.Where
	if !organization.IsZero() {
		w.Add("organization_id = ?", organization)
	}
	w.Add("first_id <= ?", to)
	w.Add("last_id >= ?", from)
	var rows []blockIDs
	err := q.Select(
		ctx,
		&rows,
		"SELECT organization_id, number, first_id, last_id FROM seal_blocks"+w.String()+" ORDER BY organization_id, number",
		w.Args...)
	return rows, err
}

// entriesOfBlock returns the entries that a block lists; the error is store.IsNoRows if there is no such block.
func entriesOfBlock(
	ctx context.Context, q store.Queryer, organization laurel.ID, number int64,
) ([]seal.BlockEntry, error) {
	var list []byte
	err := q.Get(
		ctx,
		&list,
		"SELECT members FROM seal_blocks WHERE organization_id = ? AND number = ?",
		organization,
		number,
	)
	entries, _ := seal.DecodeBlockEntries(list)
	return entries, err
}

// findSealed returns those of the ids that a block of the organization lists. The ids must be sorted. It reads only
// blocks whose range of ids contains at least one of them.
func findSealed(
	ctx context.Context,
	q store.Queryer,
	organization laurel.ID,
	ids []laurel.ID,
) (map[laurel.ID]bool, error) {
	found := map[laurel.ID]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	ranges, err := selectBlocksOverlapping(ctx, q, organization, ids[0], ids[len(ids)-1])
	if err != nil {
		return nil, err
	}
	for _, r := range ranges {
		if at, _ := slices.BinarySearchFunc(ids, r.First, laurel.ID.Compare); at == len(ids) || ids[at].Compare(r.Last) > 0 {
			continue
		}
		entries, err := entriesOfBlock(ctx, q, organization, r.Number)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if _, isWanted := slices.BinarySearchFunc(ids, e.ID, laurel.ID.Compare); isWanted {
				found[e.ID] = true
			}
		}
	}
	return found, nil
}

// lastBlockTime returns when the newest block of all organizations was made, or the zero time if there is none.
func lastBlockTime(ctx context.Context, q store.Queryer) (time.Time, error) {
	var at int64
	err := q.Get(
		ctx,
		&at,
		`SELECT COALESCE(max(b.created_at), 0) FROM seal_heads h JOIN seal_blocks b ON b.organization_id = h.organization_id AND b.number = h.number`,
	)
	return store.Time(at), err
}
