package pages

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var blockTable = store.NewRecords[Block]("website_page_sections", "Website page section")

// listBlocks returns a page of blocks by sortId. Errors: Invalid for an unknown cursor.
func listBlocks(
	ctx context.Context, q store.Queryer, scope laurel.Scope, visibleOnly bool, page laurel.PageRequest,
) (laurel.Page[Block], error) {
	w := store.Live(scope)
	if visibleOnly {
		w.Add("NOT is_hidden")
	}
	return blockTable.Page(ctx, q, bySort(scope, w), page)
}

// saveLayout removes the blocks of before that are not in after, and saves those of after. tx holds the lock of the
// layout.
func saveLayout(ctx context.Context, tx *store.Tx, before, after []Block) error {
	for _, b := range before {
		if indexOf(after, b.ID) >= 0 {
			continue
		}
		_, err := tx.Exec(
			ctx, "UPDATE website_page_sections SET deleted_at = ?, updated_at = ? WHERE id = ?",
			store.Micros(tx.Now()), store.Micros(tx.Now()), b.ID,
		)
		if err != nil {
			return err
		}
	}
	for _, b := range after {
		if err := saveBlock(ctx, tx, b, indexOf(before, b.ID) < 0); err != nil {
			return err
		}
	}
	return nil
}

// saveBlock inserts a new block, or updates one that exists.
func saveBlock(ctx context.Context, tx *store.Tx, b Block, isNew bool) error {
	if isNew {
		_, err := blockTable.Insert(ctx, tx, &b, "")
		return err
	}
	return blockTable.Update(ctx, tx, &b)
}
