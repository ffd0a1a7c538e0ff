package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// resealChunk is how many rows one transaction rewrites, since each may have a megabyte.
const resealChunk = 20

// sealedRow is a row with its one or two sealed texts; "" is no text.
type sealedRow struct {
	ID      laurel.ID `db:"id"`
	PlaceID laurel.ID `db:"of_id"`
	First   string    `db:"a"`
	Second  string    `db:"b"`
}

// reseal replaces each sealed text in the columns t by the text that move returns for it, a few rows per transaction.
// The ids of the rows are read before, in a snapshot without a timeout: a search through a large table takes longer
// than a transaction may. After an interruption it starts over; move must return texts that were replaced already as
// they are.
func reseal(ctx context.Context, db *store.DB, t vault.SealedColumns, move vault.Resealer) error {
	var ids []laurel.ID
	err := db.Snapshot(ctx, func(q store.Queryer) error {
		return q.Select(ctx, &ids, "SELECT "+t.ID+" FROM "+t.Table+" WHERE "+t.Where+" ORDER BY "+t.ID)
	})
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, resealChunk) {
		err := db.InTx(ctx, func(tx *store.Tx) error {
			rows, err := selectSealedRows(ctx, tx, t, chunk)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := resealRow(ctx, tx, t, row, move); err != nil {
					return fmt.Errorf("%s %s: %w", t.Table, row.ID, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// selectSealedRows reads rows with their sealed texts, and locks them for the transaction.
func selectSealedRows(
	ctx context.Context, tx *store.Tx, t vault.SealedColumns, ids []laurel.ID,
) (rows []sealedRow, err error) {
	second := "''" // a table has one or two columns with sealed texts
	if len(t.Columns) > 1 {
		second = "COALESCE(" + t.Columns[1] + ", '')"
	}
	var w store.Where
	w.Add(t.Where)
	store.In(&w, t.ID, ids)
	query := "SELECT " + t.ID + " AS id, " + t.PlaceID + " AS of_id, COALESCE(" + t.Columns[0] + ", '') AS a, " + second + " AS b FROM " +
		t.Table + w.String() + " ORDER BY " + t.ID + tx.ForUpdate()
	err = tx.Select(ctx, &rows, query, w.Args...)
	return rows, err
}

// resealRow replaces each sealed text of a row by the text that move returns for it. A row whose texts stay the same is
// not written.
func resealRow(ctx context.Context, tx *store.Tx, t vault.SealedColumns, row sealedRow, move vault.Resealer) error {
	var set []string
	var args []any
	for i, text := range []string{row.First, row.Second}[:len(t.Columns)] {
		if text == "" {
			continue
		}
		moved, err := t.Reseal(row.PlaceID, text, move)
		if err != nil {
			return err
		}
		if moved != text {
			set, args = append(set, t.Columns[i]+" = ?"), append(args, moved)
		}
	}
	if len(set) == 0 {
		return nil
	}
	query := "UPDATE " + t.Table + " SET " + strings.Join(set, ", ") + " WHERE " + t.ID + " = ? AND " + t.Where
	_, err := tx.Exec(ctx, query, append(args, row.ID)...)
	return err
}
