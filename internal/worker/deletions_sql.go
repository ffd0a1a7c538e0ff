package worker

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// insert stores that a deleted record has dependents left.
func (t *Deletions) insert(ctx context.Context, tx *store.Tx, d Deletion) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO "+t.Table+" ("+t.Column+", organization_id, website_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		d.ID,
		d.OrganizationID,
		d.WebsiteID,
		store.Micros(tx.Now()),
	)
	return err
}

// selectOldest reads up to 16 deleted records with dependents left, oldest first.
func (t *Deletions) selectOldest(ctx context.Context, q store.Queryer) (rows []Deletion, err error) {
	err = q.Select(
		ctx,
		&rows,
		"SELECT "+t.Column+" AS id, organization_id, website_id FROM "+t.Table+" ORDER BY created_at, "+t.Column+" LIMIT 16",
	)
	return rows, err
}

// lock locks the row of a record until tx ends. It returns false if another node holds the lock or has finished it.
func (t *Deletions) lock(ctx context.Context, tx *store.Tx, id laurel.ID) (bool, error) {
	var ids []laurel.ID
	err := tx.Select(
		ctx, &ids, "SELECT "+t.Column+" FROM "+t.Table+" WHERE "+t.Column+" = ?"+tx.ForUpdateSkip(), id,
	)
	return len(ids) > 0, err
}

// delete removes the row of a record that has no dependents left.
func (t *Deletions) delete(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM "+t.Table+" WHERE "+t.Column+" = ?", id)
	return err
}

// IsPending reports whether a deleted record has dependents left.
func (t *Deletions) IsPending(ctx context.Context, q store.Queryer, id laurel.ID) (bool, error) {
	var n int
	err := q.Get(ctx, &n, "SELECT COUNT(*) FROM "+t.Table+" WHERE "+t.Column+" = ?", id)
	return n > 0, err
}
