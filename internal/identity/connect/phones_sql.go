package connect

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// phoneCode is the code that was sent to a user last.
type phoneCode struct {
	WebsiteID      laurel.ID        `db:"website_id"`
	UserID         laurel.ID        `db:"user_id"`
	OrganizationID laurel.ID        `db:"organization_id"`
	PhoneNumber    string           `db:"phone_number"`
	CodeHash       string           `db:"code_hash"`
	Attempts       int64            `db:"attempts"` // wrong ones
	CreatedAt      laurel.Timestamp `db:"created_at"`
	ExpiresAt      laurel.Timestamp `db:"expires_at"`
}

var phoneCodes = store.NewRecords[phoneCode]("phone_codes", "Code")

// replaceCode stores the code of a user in place of the earlier one.
func replaceCode(ctx context.Context, tx *store.Tx, c *phoneCode) error {
	_, err := phoneCodes.Insert(ctx, tx, c, `ON CONFLICT (website_id, user_id) DO UPDATE SET
		phone_number = excluded.phone_number, code_hash = excluded.code_hash, attempts = excluded.attempts,
		created_at = excluded.created_at, expires_at = excluded.expires_at`)
	return err
}

// lockCode reads and locks the code of a user, or returns sql.ErrNoRows if there is none.
func lockCode(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) (c phoneCode, err error) {
	err = tx.Get(ctx, &c, phoneCodes.Query()+" WHERE website_id = ? AND user_id = ?"+tx.ForUpdate(), scope.WebsiteID, user)
	return c, err
}

// countAttempt counts a wrong try of the locked code.
func countAttempt(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE phone_codes SET attempts = attempts + 1 WHERE website_id = ? AND user_id = ?",
		scope.WebsiteID, user)
	return err
}

// useCode deletes a code that was right. It returns a spentError if it was used or replaced since it was read.
func useCode(ctx context.Context, tx *store.Tx, c phoneCode) error {
	n, err := tx.Exec(ctx, "DELETE FROM phone_codes WHERE website_id = ? AND user_id = ? AND code_hash = ?",
		c.WebsiteID, c.UserID, c.CodeHash)
	if err == nil && n == 0 {
		return spentError(InvalidCode)
	}
	return err
}

// deleteOldCodes deletes the codes that expired before a time, and returns how many it has deleted.
func deleteOldCodes(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(ctx, "DELETE FROM phone_codes WHERE (website_id, user_id) IN (SELECT website_id, user_id FROM "+
		"phone_codes WHERE expires_at < ? ORDER BY expires_at LIMIT ?)", store.Micros(before), deleteChunk)
}

// deleteChunk bounds the rows that one transaction deletes, so that requests never wait long for it.
const deleteChunk = 1000

// DeleteOldContacts deletes codes and links that expired a day ago. It is for a periodic worker.
func DeleteOldContacts(ctx context.Context, db *store.DB) error {
	before := db.Now().Add(-contactRetention)
	for _, remove := range []func(context.Context, *store.Tx, time.Time) (int64, error){deleteOldCodes, deleteOldLinks} {
		for n := int64(deleteChunk); n == deleteChunk; {
			err := db.InTx(ctx, func(tx *store.Tx) (err error) {
				n, err = remove(ctx, tx, before)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
