package store

import "context"

// TakeTurns keeps other transactions that name the same from going on until this one ends: for decisions on rows that
// may not be there yet, which nobody can lock. It comes before every other lock, so that no cycle of waiting arises.
// SQLite's single writer takes turns anyway.
func (tx *Tx) TakeTurns(ctx context.Context, name string) error {
	if tx.db.engine == SQLite {
		return nil
	}
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name)
	return err
}
