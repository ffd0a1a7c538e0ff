package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
)

// ErrDuplicateRequest is returned when another request with the same Idempotency-Key has committed its effect already.
var ErrDuplicateRequest = errors.New("store: the Idempotency-Key was used by another request")

// StoredResponse is the stored response of a request with an Idempotency-Key. Status 0 means that its effect is
// committed and its response is not stored, or not yet.
type StoredResponse struct {
	Path      string `db:"path"`
	Hash      string `db:"hash"`
	Status    int    `db:"status"`
	Body      string `db:"answer"`
	CreatedAt int64  `db:"created_at"`
}

// KeyID is the key of a row of request_keys.
type KeyID struct {
	APIKeyID laurel.ID
	Key      string
}

// KeyIDOf returns the key of the row of a request's Idempotency-Key.
func KeyIDOf(k *laurel.RequestKey) KeyID { return KeyID{k.APIKeyID, k.Key} }

// needsClaim reports whether a request has a key that none of its transactions has claimed yet.
func needsClaim(k *laurel.RequestKey) bool { return k != nil && !k.Claimed }

// Lock returns the lock of the key's row, for a Work that does not claim the key itself but starts the job that will.
func (id KeyID) Lock() Lock { return requestKeys.Lock(id) }

// IsClaimed reports whether a transaction has claimed the locked key.
func (id KeyID) IsClaimed(b *Batch) bool { return requestKeys.Row(b, id).exists() }

// Write runs fn in a transaction like InTx and claims the request's Idempotency-Key in it. If key is nil or claimed
// already, Write is InTx. Errors: those of fn and InTx; ErrDuplicateRequest if another request has claimed the key.
func (db *DB) Write(ctx context.Context, key *laurel.RequestKey, fn func(tx *Tx) error) error {
	if !needsClaim(key) {
		return db.InTx(ctx, fn)
	}
	err := db.InTx(ctx, func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		row := &requestKeyRow{APIKeyID: key.APIKeyID, Key: key.Key}
		row.claim(key, tx.now)
		err := requestKeys.Save(ctx, tx, []*requestKeyRow{row})
		if errors.Is(err, ErrRerun) {
			return ErrDuplicateRequest
		}
		return err
	})
	key.Claimed = err == nil
	return err
}

type requestKeyRow struct {
	APIKeyID  laurel.ID `db:"api_key_id"`
	Key       string    `db:"idempotency_key"`
	Path      string    `db:"path"`
	Hash      string    `db:"hash"`
	CreatedAt int64     `db:"created_at"`
}

func (r *requestKeyRow) exists() bool { return r.CreatedAt != 0 }

func (r *requestKeyRow) claim(k *laurel.RequestKey, now time.Time) {
	r.Path, r.Hash, r.CreatedAt = k.Path, k.Hash, Micros(now)
}

var requestKeys = &Table[KeyID, requestKeyRow]{
	Name: "request_keys", Rank: LockRankRequests,
	Compare: func(a, b KeyID) int {
		return cmp.Or(cmp.Compare(string(a.APIKeyID[:]), string(b.APIKeyID[:])), cmp.Compare(a.Key, b.Key))
	},
	Query: "SELECT t.api_key_id, t.idempotency_key, t.path, t.hash, t.created_at FROM request_keys t",
	Key:   Columns("api_key_id uuid, idempotency_key text"),
	Args:  func(k KeyID) []any { return []any{k.APIKeyID, k.Key} },
	KeyOf: func(r *requestKeyRow) KeyID { return KeyID{r.APIKeyID, r.Key} },
	New:   func(k KeyID) *requestKeyRow { return &requestKeyRow{APIKeyID: k.APIKeyID, Key: k.Key} },
	Save: func(ctx context.Context, tx *Tx, rows []*requestKeyRow) error {
		values := make([][]any, len(rows))
		for i, r := range rows {
			values[i] = []any{r.APIKeyID, r.Key, r.Path, r.Hash, r.CreatedAt, 0, ""}
		}
		n, err := tx.InsertRows(ctx, Insert{
			Table:    "request_keys",
			Conflict: IgnoreConflicts,
			Columns: Columns(
				"api_key_id uuid, idempotency_key text, path text, hash text, created_at bigint, status bigint, answer text",
			),
		}, values)
		if err == nil && n < int64(len(rows)) {
			return ErrRerun
		}
		return err
	},
}

// FindResponse returns the stored response of a key, or sql.ErrNoRows if no effect with that key is committed.
func (db *DB) FindResponse(ctx context.Context, id KeyID) (StoredResponse, error) {
	var a StoredResponse
	err := db.Get(
		ctx,
		&a,
		"SELECT path, hash, status, answer, created_at FROM request_keys WHERE api_key_id = ? AND idempotency_key = ?",
		id.APIKeyID,
		id.Key,
	)
	return a, err
}

// StoreResponse stores the response of a request, so that the same request with the same key gets it again. If the
// request had no effect, its key is not claimed yet; then StoreResponse also inserts the key's row.
func (db *DB) StoreResponse(ctx context.Context, k *laurel.RequestKey, status int, body string) error {
	return db.InTx(ctx, func(tx *Tx) error {
		_, err := tx.Exec(
			ctx,
			`INSERT INTO request_keys (api_key_id, idempotency_key, path, hash, created_at, status, answer) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (api_key_id, idempotency_key) DO UPDATE SET status = excluded.status, answer = excluded.answer`,
			k.APIKeyID,
			k.Key,
			k.Path,
			k.Hash,
			Micros(tx.Now()),
			status,
			body,
		)
		return err
	})
}

// ClearResponses deletes the stored responses that contain one of the texts, such as personal data. Their keys stay
// claimed, so a repeated request has no second effect. The responses are found in a snapshot, which has no timeout,
// since the table is large.
func (db *DB) ClearResponses(ctx context.Context, texts ...string) error {
	var found []struct {
		APIKeyID laurel.ID `db:"api_key_id"`
		Key      string    `db:"idempotency_key"`
	}
	conditions, args := make([]string, len(texts)), make([]any, len(texts))
	for i, text := range texts {
		conditions[i], args[i] = "answer LIKE ?", "%"+text+"%"
	}
	query := "SELECT api_key_id, idempotency_key FROM request_keys WHERE " + strings.Join(conditions, " OR ")
	err := db.Snapshot(ctx, func(q Queryer) error { return q.Select(ctx, &found, query, args...) })
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(found, maxKeysPerTx) {
		err := db.InTx(ctx, func(tx *Tx) error {
			for _, k := range chunk {
				_, err := tx.Exec(
					ctx,
					"UPDATE request_keys SET status = 0, answer = '' WHERE api_key_id = ? AND idempotency_key = ?",
					k.APIKeyID,
					k.Key,
				)
				if err != nil {
					return err
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

// maxKeysPerTx is the most keys that one transaction changes, so that it ends within its time limit.
const maxKeysPerTx = 1000

// DeleteOldRequestKeys deletes the Idempotency-Keys that were claimed before the given time, with their responses, at
// most maxKeysPerTx per transaction. A repeated request is then a new one, as contract 1.8.1 allows.
func (db *DB) DeleteOldRequestKeys(ctx context.Context, before time.Time) error {
	for {
		var removed int64
		err := db.InTx(ctx, func(tx *Tx) (err error) {
			removed, err = tx.Exec(ctx, `DELETE FROM request_keys WHERE (api_key_id, idempotency_key) IN
				(SELECT api_key_id, idempotency_key FROM request_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)`, Micros(before), maxKeysPerTx)
			return err
		})
		if err != nil || removed < maxKeysPerTx {
			return err
		}
	}
}

// DeleteOldRequestKey deletes one key if it was claimed before the time, so that the key can be used again.
func (db *DB) DeleteOldRequestKey(ctx context.Context, id KeyID, before time.Time) error {
	return db.InTx(ctx, func(tx *Tx) error {
		_, err := tx.Exec(
			ctx,
			"DELETE FROM request_keys WHERE api_key_id = ? AND idempotency_key = ? AND created_at < ?",
			id.APIKeyID,
			id.Key,
			Micros(before),
		)
		return err
	})
}
