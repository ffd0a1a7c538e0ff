package claims

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

const selectAllocation = `SELECT import_id, wallet_address, units, node, place, tx_hash, claimed_at
	FROM token_claim_allocations`

type allocationRow struct {
	ImportID  laurel.ID `db:"import_id"`
	Wallet    string    `db:"wallet_address"`
	Units     string    `db:"units"`
	Node      int64     `db:"node"`
	Place     int64     `db:"place"`
	TxHash    *string   `db:"tx_hash"`
	ClaimedAt *int64    `db:"claimed_at"`
}

func (r allocationRow) allocation() Allocation {
	a := Allocation{
		ID: allocationID(r.ImportID, r.Place), Wallet: r.Wallet, Units: number(r.Units), ClaimedAt: timeOf(r.ClaimedAt),
		node: int(r.Node),
	}
	if r.TxHash != nil {
		a.TxHash = *r.TxHash
	}
	return a
}

// allocationOf reads what a reading allocates to a wallet; not ok: nothing.
func allocationOf(
	ctx context.Context, q store.Queryer, reading laurel.ID, wallet string,
) (a Allocation, ok bool, err error) {
	var r allocationRow
	err = q.Get(ctx, &r, selectAllocation+" WHERE import_id = ? AND wallet_address = ?", reading, wallet)
	if store.NoRows(err) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	return r.allocation(), true, nil
}

func blocksOf(ctx context.Context, q store.Queryer, reading laurel.ID, heads []int) (map[int][]byte, error) {
	out := make(map[int][]byte, len(heads))
	if len(heads) == 0 {
		return out, nil
	}
	var w store.Where
	w.Add("import_id = ?", reading)
	store.In(&w, "head", heads)
	var rows []struct {
		Head  int    `db:"head"`
		Nodes []byte `db:"nodes"`
	}
	err := q.Select(ctx, &rows, "SELECT head, nodes FROM token_claim_blocks"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.Head] = r.Nodes
	}
	return out, err
}

// setClaimed returns false where the wallet has claimed already.
func setClaimed(ctx context.Context, tx *store.Tx, reading laurel.ID, wallet, hash string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE token_claim_allocations SET tx_hash = ?, claimed_at = ? WHERE import_id = ?
		AND wallet_address = ? AND claimed_at IS NULL`, hash, store.Micros(tx.Now()), reading, wallet)
	return n > 0, err
}

// cursorOf reads the allocation that a page begins after.
func cursorOf(
	ctx context.Context, q store.Queryer, reading, after laurel.ID,
) (cursor *allocationRow, err error) {
	if after.IsZero() {
		return nil, nil //nolint:nilnil // no cursor
	}
	place, ok := placeOf(reading, after)
	if !ok {
		return nil, laurel.ErrCursor()
	}
	var r allocationRow
	err = q.Get(ctx, &r, selectAllocation+" WHERE import_id = ? AND place = ?", reading, place)
	if store.NoRows(err) {
		return nil, laurel.ErrCursor()
	}
	return &r, err
}

// part is a page of the allocations of a reading.
type part struct {
	reading laurel.ID
	cursor  *allocationRow // nil: from the start
	users   Users
	limit   int
}

func (p part) where() *store.Where {
	w := &store.Where{}
	w.Add("import_id = ?", p.reading)
	return w
}

// usersOf reads a page in the order that it asks for.
func usersOf(ctx context.Context, q store.Queryer, p part) (laurel.Page[allocationRow], error) {
	if p.users.SortBy != orderClaimed {
		return byAmount(ctx, q, p.where(), p)
	}
	var first laurel.Page[allocationRow]
	if p.cursor == nil || p.cursor.ClaimedAt != nil {
		var err error
		if first, err = claimedOnes(ctx, q, p); err != nil || first.HasNextPage {
			return first, err
		}
		p.cursor = nil
	}
	if p.users.Claimed {
		return first, nil
	}
	open := p.where()
	open.Add("claimed_at IS NULL")
	p.users.Ascending, p.limit = false, p.limit-len(first.Data)
	rest, err := byAmount(ctx, q, open, p)
	rest.Data = append(first.Data, rest.Data...)
	return rest, err
}

// byAmount reads allocations in the order of amounts.
func byAmount(ctx context.Context, q store.Queryer, w *store.Where, p part) (laurel.Page[allocationRow], error) {
	order, op := "place", "place > ?" // places go from the greatest amount to the smallest
	if p.users.Ascending {
		order, op = "place DESC", "place < ?"
	}
	if p.cursor != nil {
		w.Add(op, p.cursor.Place)
	}
	return store.SelectPage[allocationRow](ctx, q, p.limit, selectAllocation+w.String()+" ORDER BY "+order, w.Args...)
}

// claimedOnes reads claimed allocations in the order of their claims.
func claimedOnes(ctx context.Context, q store.Queryer, p part) (laurel.Page[allocationRow], error) {
	w, order, op := p.where(), "claimed_at DESC, place DESC", " < "
	if p.users.Ascending {
		order, op = "claimed_at, place", " > "
	}
	w.Add("claimed_at IS NOT NULL")
	if p.cursor != nil {
		w.Add("(claimed_at, place)"+op+"(?, ?)", *p.cursor.ClaimedAt, p.cursor.Place)
	}
	return store.SelectPage[allocationRow](ctx, q, p.limit, selectAllocation+w.String()+" ORDER BY "+order, w.Args...)
}
