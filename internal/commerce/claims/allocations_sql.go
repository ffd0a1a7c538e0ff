package claims

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const selectAllocation = `SELECT import_id, wallet_address, units, node, place, tx_hash, claimed_at
	FROM token_claim_allocations`

type allocationRow struct {
	ImportID  laurel.ID            `db:"import_id"`
	Wallet    string               `db:"wallet_address"`
	Units     string               `db:"units"`
	Node      int64                `db:"node"`
	Place     int64                `db:"place"`
	TxHash    *string              `db:"tx_hash"`
	ClaimedAt laurel.NullTimestamp `db:"claimed_at"`
}

// allocation decodes the row.
func (r allocationRow) allocation() Allocation {
	a := Allocation{
		ID: allocationID(r.ImportID, r.Place), Wallet: r.Wallet, Units: parseBig(r.Units), ClaimedAt: r.ClaimedAt.Time,
		node: int(r.Node),
	}
	if r.TxHash != nil {
		a.TxHash = *r.TxHash
	}
	return a
}

// findAllocation reads a wallet's allocation in an import, or returns false.
func findAllocation(
	ctx context.Context, q store.Queryer, importID laurel.ID, wallet string,
) (a Allocation, ok bool, err error) {
	var r allocationRow
	err = q.Get(ctx, &r, selectAllocation+" WHERE import_id = ? AND wallet_address = ?", importID, wallet)
	if store.IsNoRows(err) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	return r.allocation(), true, nil
}

// readBlocks reads the blocks of an import's Merkle tree below the given heads (package merkle says how a tree is
// divided into blocks). The result maps each head to its block; blocks that do not exist are left out.
func readBlocks(ctx context.Context, q store.Queryer, importID laurel.ID, heads []int) (map[int][]byte, error) {
	out := make(map[int][]byte, len(heads))
	if len(heads) == 0 {
		return out, nil
	}
	var w store.Where
	w.Add("import_id = ?", importID)
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

// markClaimed records the claim of a wallet, or returns false if the wallet has claimed already.
func markClaimed(ctx context.Context, tx *store.Tx, importID laurel.ID, wallet, hash string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE token_claim_allocations SET tx_hash = ?, claimed_at = ? WHERE import_id = ?
		AND wallet_address = ? AND claimed_at IS NULL`, hash, store.Micros(tx.Now()), importID, wallet)
	return n > 0, err
}

// readCursor reads the allocation after which a page begins, or returns nil for the first page (after is zero). Errors:
// Invalid if no allocation of the import has the id.
func readCursor(
	ctx context.Context, q store.Queryer, importID, after laurel.ID,
) (cursor *allocationRow, err error) {
	if after.IsZero() {
		return nil, nil //nolint:nilnil // no cursor
	}
	place, ok := placeOf(importID, after)
	if !ok {
		return nil, laurel.ErrCursor()
	}
	var r allocationRow
	err = q.Get(ctx, &r, selectAllocation+" WHERE import_id = ? AND place = ?", importID, place)
	if store.IsNoRows(err) {
		return nil, laurel.ErrCursor()
	}
	return &r, err
}

// pageQuery describes a page of an import's allocations.
type pageQuery struct {
	importID laurel.ID
	cursor   *allocationRow // nil: from the start
	filter   UserFilter
	limit    int
}

func (p pageQuery) conditions() *store.Where {
	w := &store.Where{}
	w.Add("import_id = ?", p.importID)
	return w
}

// selectUsers reads a page of allocations in the order of its filter. Sorted by claimedAt, the claimed allocations come
// first; the others, greatest amount first, fill the rest of the page, unless the filter excludes them (ClaimedOnly).
func selectUsers(ctx context.Context, q store.Queryer, p pageQuery) (laurel.Page[allocationRow], error) {
	if p.filter.SortBy != orderClaimed {
		return selectByAmount(ctx, q, p.conditions(), p)
	}
	var claimed laurel.Page[allocationRow]
	if p.cursor == nil || !p.cursor.ClaimedAt.IsZero() { // the page begins among the claimed ones
		var err error
		if claimed, err = selectClaimed(ctx, q, p); err != nil || claimed.HasNextPage {
			return claimed, err
		}
		p.cursor = nil // the others are read from their start
	}
	if p.filter.ClaimedOnly {
		return claimed, nil
	}
	where := p.conditions()
	where.Add("claimed_at IS NULL")
	p.filter.Ascending, p.limit = false, p.limit-len(claimed.Data)
	unclaimed, err := selectByAmount(ctx, q, where, p)
	unclaimed.Data = append(claimed.Data, unclaimed.Data...)
	return unclaimed, err
}

// selectByAmount reads a page of the allocations that fulfil w: the greatest amount first, or the least if the filter
// is Ascending. It adds the condition of the cursor to w.
func selectByAmount(
	ctx context.Context,
	q store.Queryer,
	w *store.Where,
	p pageQuery,
) (laurel.Page[allocationRow], error) {
	order, afterCursor := "place", "place > ?" // place 0 has the greatest amount
	if p.filter.Ascending {
		order, afterCursor = "place DESC", "place < ?"
	}
	if p.cursor != nil {
		w.Add(afterCursor, p.cursor.Place)
	}
	return store.SelectPage[allocationRow](ctx, q, p.limit, selectAllocation+w.String()+" ORDER BY "+order, w.Args...)
}

// selectClaimed reads a page of claimed allocations: the latest claim first, or the earliest if the filter is
// Ascending.
func selectClaimed(ctx context.Context, q store.Queryer, p pageQuery) (laurel.Page[allocationRow], error) {
	w, order, comparison := p.conditions(), "claimed_at DESC, place DESC", " < "
	if p.filter.Ascending {
		order, comparison = "claimed_at, place", " > "
	}
	w.Add("claimed_at IS NOT NULL")
	if p.cursor != nil {
		w.Add("(claimed_at, place)"+comparison+"(?, ?)", p.cursor.ClaimedAt, p.cursor.Place)
	}
	return store.SelectPage[allocationRow](ctx, q, p.limit, selectAllocation+w.String()+" ORDER BY "+order, w.Args...)
}
