package store

import (
	"context"

	"laurel.example/laurel"
)

// maxSearched bounds the rows whose texts one search reads, the newest first.
const maxSearched = 10_000

// TextSearch describes where the searchable text of a small list is stored.
type TextSearch struct {
	Table string // with the columns id and created_at
	Text  string // an expression
}

// AddContains adds the condition to w that the row's text contains part, compared by Fold. Neither engine's SQL folds
// as Go does. So it reads the texts of the newest maxSearched rows that match w so far, compares them here, and adds
// the condition that the row is one of the matches. It is only for lists of few rows.
func (n TextSearch) AddContains(ctx context.Context, q Queryer, w *Where, part string) error {
	var rows []struct {
		ID   laurel.ID `db:"id"`
		Text string    `db:"text"`
	}
	query := "SELECT id, " + n.Text + " AS text FROM " + n.Table + w.String() + " ORDER BY created_at DESC, id DESC LIMIT ?"
	if err := q.Select(ctx, &rows, query, append(w.Args[:len(w.Args):len(w.Args)], maxSearched)...); err != nil {
		return err
	}
	var ids []laurel.ID
	wanted := NewFolded(part)
	for _, r := range rows {
		if wanted.In(r.Text) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		w.Add("1 = 0")
	}
	InArray(w, q, "id", "uuid", ids)
	return nil
}
