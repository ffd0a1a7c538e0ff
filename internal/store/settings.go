package store

import (
	"context"
)

// Setting answers the value stored under the name. Where there is none it stores what fresh makes, once: nodes that start together all
// answer the same value, so fresh may have been called in vain.
func (db *DB) Setting(ctx context.Context, name string, fresh func() string) (string, error) {
	const query = "SELECT value FROM settings WHERE name = ?"
	var value string
	err := db.Get(ctx, &value, query, name)
	if !NoRows(err) {
		return value, err
	}
	made := fresh()
	err = db.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", name, made); err != nil {
			return err
		}
		return tx.Get(ctx, &value, query, name)
	})
	return value, err
}
