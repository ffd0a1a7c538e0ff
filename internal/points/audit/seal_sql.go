package audit

import (
	"context"
	"slices"
	"time"

	"laurel"
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

// sealHead is the last block of an organization; it is zero before the first.
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

// otherSigningKey returns a public key other than the given one that the last block of an organization is signed with,
// or "".
func otherSigningKey(ctx context.Context, q store.Queryer, key seal.PublicKey) (string, error) {
	var other string
	err := q.Get(
		ctx,
		&other,
		`SELECT b.public_key FROM seal_heads h JOIN seal_blocks b ON b.organization_id = h.organization_id AND b.number = h.number
		WHERE b.public_key <> ? LIMIT 1`,
		key.String(),
	)
	if store.IsNoRows(err) {
		return "", nil
	}
	return other, err
}

// lockHeads locks the heads of the organizations in the order of their ids, and makes missing ones. The heads are those
// that earlier transactions have left.
func lockHeads(ctx context.Context, tx *store.Tx, organizations []laurel.ID) (map[laurel.ID]sealHead, error) {
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

// lockExistingHeads locks and returns the heads that exist, in order of id; organizations without one are left out.
func lockExistingHeads(ctx context.Context, tx *store.Tx, organizations []laurel.ID) (map[laurel.ID]sealHead, error) {
	condition, arg := anyOf(tx.Engine(), "organization_id", organizations)
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
	members []seal.Member
}

// appendBlocks appends one block to the chain of each organization and moves its head. The heads are locked.
func appendBlocks(ctx context.Context, tx *store.Tx, blocks []newBlock) error {
	rows, heads := make([][]any, len(blocks)), make([][]any, len(blocks))
	for i, b := range blocks {
		first, last := idBounds(b.members)
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
			seal.EncodeMembers(b.members),
		}
		heads[i] = []any{b.OrganizationID, b.Number, b.Hash.String()}
	}
	if _, err := tx.InsertRows(ctx, insertBlock, rows); err != nil {
		return err
	}
	_, err := tx.UpdateRows(ctx, updateHead, heads)
	return err
}

// idBounds returns the smallest and the largest id of the members.
func idBounds(members []seal.Member) (first, last laurel.ID) {
	for i, m := range members {
		if i == 0 || m.Entry.Compare(first) < 0 {
			first = m.Entry
		}
		if i == 0 || m.Entry.Compare(last) > 0 {
			last = m.Entry
		}
	}
	return first, last
}

// blockRange names a block, with the smallest and the largest id that it lists.
type blockRange struct {
	OrganizationID laurel.ID `db:"organization_id"`
	Number         int64     `db:"number"`
	First          laurel.ID `db:"first_id"`
	Last           laurel.ID `db:"last_id"`
}

// selectRanges returns the blocks that may list ids between two ids, of one or (zero) all organizations.
func selectRanges(ctx context.Context, q store.Queryer, organization, from, to laurel.ID) ([]blockRange, error) {
	var w store.Where
	if !organization.IsZero() {
		w.Add("organization_id = ?", organization)
	}
	w.Add("first_id <= ?", to)
	w.Add("last_id >= ?", from)
	var rows []blockRange
	err := q.Select(
		ctx,
		&rows,
		"SELECT organization_id, number, first_id, last_id FROM seal_blocks"+w.String()+" ORDER BY organization_id, number",
		w.Args...)
	return rows, err
}

// membersOf returns the entries that a block lists; store.IsNoRows where there is no such block.
func membersOf(ctx context.Context, q store.Queryer, organization laurel.ID, number int64) ([]seal.Member, error) {
	var list []byte
	err := q.Get(
		ctx,
		&list,
		"SELECT members FROM seal_blocks WHERE organization_id = ? AND number = ?",
		organization,
		number,
	)
	members, _ := seal.DecodeMembers(list)
	return members, err
}

// findSealed returns which of the sorted ids are listed by blocks of the organization. It reads every block whose range
// may contain one.
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
	ranges, err := selectRanges(ctx, q, organization, ids[0], ids[len(ids)-1])
	if err != nil {
		return nil, err
	}
	for _, r := range ranges {
		if at, _ := slices.BinarySearchFunc(ids, r.First, laurel.ID.Compare); at == len(ids) || ids[at].Compare(r.Last) > 0 {
			continue
		}
		members, err := membersOf(ctx, q, organization, r.Number)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			if _, asked := slices.BinarySearchFunc(ids, m.Entry, laurel.ID.Compare); asked {
				found[m.Entry] = true
			}
		}
	}
	return found, nil
}

// lastBlockTime returns when the newest block of all organizations was made.
func lastBlockTime(ctx context.Context, q store.Queryer) (time.Time, error) {
	var at int64
	err := q.Get(
		ctx,
		&at,
		`SELECT COALESCE(max(b.created_at), 0) FROM seal_heads h JOIN seal_blocks b ON b.organization_id = h.organization_id AND b.number = h.number`,
	)
	return store.Time(at), err
}
