package store

import "context"

const selectSetting = "SELECT value FROM settings WHERE name = ?"

// Setting returns the value of a setting, or "" if it is not set.
func (db *DB) Setting(ctx context.Context, name string) (string, error) {
	return setting(ctx, db, name)
}

// setting is DB.Setting on a Queryer.
func setting(ctx context.Context, q Queryer, name string) (value string, err error) {
	if err = q.Get(ctx, &value, selectSetting, name); IsNoRows(err) {
		return "", nil
	}
	return value, err
}

// ChangeSetting calls change with the value of a setting, or "" if it is not set, stores the result and returns it. If
// the result is "", the setting is removed. If change fails, nothing is stored, and ChangeSetting returns the error.
// Nodes that change the same setting wait for each other.
func (db *DB) ChangeSetting(ctx context.Context, name string, change func(old string) (string, error)) (string, error) {
	var value string
	err := db.InTx(ctx, func(tx *Tx) error {
		if err := tx.AdvisoryLock(ctx, "setting "+name); err != nil {
			return err
		}
		old, err := setting(ctx, tx, name)
		if err != nil {
			return err
		}
		if value, err = change(old); err != nil || value == old {
			return err
		}
		if value == "" {
			_, err = tx.Exec(ctx, "DELETE FROM settings WHERE name = ?", name)
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO settings (name, value) VALUES (?, ?)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
		return err
	})
	return value, err
}
