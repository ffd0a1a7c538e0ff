package connect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// stateRow is the state of a flow between its start and the return of the browser: a row of connect_states. The state
// itself is not stored, only its hash.
type stateRow struct {
	ID             laurel.ID   `db:"id"`
	OrganizationID laurel.ID   `db:"organization_id"`
	WebsiteID      laurel.ID   `db:"website_id"`
	UserID         laurel.ID   `db:"user_id"`
	Hash           string      `db:"hash"`
	Platform       string      `db:"platform"`
	Role           laurel.Role `db:"role_type"` // of the key that has started the flow
	Redirect       string      `db:"redirect"`  // ""; a page of the service
	SkipsChannel   bool        `db:"skips_channel"`
	BrowserHash    string      `db:"browser_hash"` // of the mark of the browser that may end the flow; "": any
	Sealed         string      `db:"proof_sealed"` // a proof; "" once it was used
	ExpiresAt      int64       `db:"expires_at"`
	UsedAt         *int64      `db:"used_at"`
	CreatedAt      int64       `db:"created_at"`
}

// proof is what the provider must confirm besides the state. It is sealed at rest.
type proof struct {
	Verifier string `json:"verifier"`
	Nonce    string `json:"nonce"`
}

var states = store.NewRecords[stateRow]("connect_states", "State")

// Sealed describes the proofs of flows under way, for a change of LAUREL_SECRET.
var Sealed = vault.SealedColumns{
	Table: "connect_states", ID: "id", PlaceID: "id", Columns: []string{"proof_sealed"}, Where: "proof_sealed <> ''",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, proofPlace(of))
	},
}

// proofPlace returns the place of a sealed proof.
func proofPlace(id laurel.ID) string { return vault.Place("connect_state", id, "proof") }

// hashOf returns the hash under which a state, or the mark of a browser, is stored. Both are 32 random bytes, so nobody
// finds one by its hash.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// lockState reads the state with a hash and locks it. Errors: NotFound.
func lockState(ctx context.Context, tx *store.Tx, hash string) (stateRow, error) {
	w := &store.Where{}
	return states.Get(ctx, tx, w.With("hash = ?", hash), tx.ForUpdate())
}

// useState marks a state as used and removes its proof.
func useState(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE connect_states SET used_at = ?, proof_sealed = '' WHERE id = ?",
		store.Micros(tx.Now()), id)
	return err
}

// useAnswer uses up an answer of a provider that is not bound to a state, and reports whether it was new: who has seen
// it in the address of a browser must not repeat it with a state of their own.
func (s *Flows) useAnswer(ctx context.Context, row stateRow, found platforms.Identity) (isNew bool, err error) {
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		n, err := tx.Exec(ctx, `INSERT INTO connect_answers (hash, organization_id, website_id, expires_at)
			VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
			hashOf(found.Once), row.OrganizationID, row.WebsiteID, store.Micros(found.OnceUntil.Add(time.Minute)))
		isNew = n > 0
		return err
	})
	return isNew, err
}

const (
	stateRetention = time.Hour // after the end of a state, so that a late browser shows why it failed
	removeChunk    = 1000
)

// RemoveOld removes states that have ended, and answers that count no more, in chunks. It is for a periodic worker.
func (s *Flows) RemoveOld(ctx context.Context) error {
	for _, old := range []struct {
		statement string
		after     time.Duration
	}{
		{`DELETE FROM connect_states WHERE id IN (
			SELECT id FROM connect_states WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`, stateRetention},
		{`DELETE FROM connect_answers WHERE hash IN (
			SELECT hash FROM connect_answers WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`, 0},
	} {
		for removed := int64(removeChunk); removed == removeChunk; {
			err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
				removed, err = tx.Exec(ctx, old.statement, store.Micros(tx.Now().Add(-old.after)), removeChunk)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
