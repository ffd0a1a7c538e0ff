package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"laurel"
)

// ErrDuplicateRequest tells that a request with the same Idempotency-Key has committed its effect already.
var ErrDuplicateRequest = errors.New("store: the Idempotency-Key was used by another request")

// RequestKey is the Idempotency-Key of one HTTP request (contract 1.8.1). Put into a context by WithRequestKey it
// becomes a unique row in the transaction of the request's first effect, so that no crash can separate the two.
type RequestKey struct {
	APIKeyID laurel.ID
	Key      string
	Path     string
	Hash     string // of the input
	written  bool
}

// Answer is what a RequestKey led to. Status 0: the effect is committed, the answer was not (yet) stored.
type Answer struct {
	Path      string `db:"path"`
	Hash      string `db:"hash"`
	Status    int    `db:"status"`
	Body      string `db:"answer"`
	CreatedAt int64  `db:"created_at"`
}

type requestKeyContext struct{}

// WithRequestKey makes the first transaction under ctx claim the key.
func WithRequestKey(ctx context.Context, key *RequestKey) context.Context {
	return context.WithValue(ctx, requestKeyContext{}, key)
}

// RequestKeyOf returns the key that WithRequestKey put into the context, or nil.
func RequestKeyOf(ctx context.Context) *RequestKey {
	key, _ := ctx.Value(requestKeyContext{}).(*RequestKey)
	return key
}

// KeyID names a request_keys row.
type KeyID struct {
	APIKeyID laurel.ID
	Key      string
}

// ID names the row of this key.
func (k *RequestKey) ID() KeyID { return KeyID{k.APIKeyID, k.Key} }

// Written reports whether a transaction of the request has committed the key.
func (k *RequestKey) Written() bool { return k != nil && k.written }

func (k *RequestKey) pending() bool { return k != nil && !k.written }

func (k *RequestKey) committed() {
	if k != nil {
		k.written = true
	}
}

// Lock names the row of the key for a Work that does not claim it but begins what claims it later.
func (id KeyID) Lock() Lock { return requestKeys.Lock(id) }

// Claimed reports whether a transaction has claimed the locked key.
func (id KeyID) Claimed(b *Batch) bool { return requestKeys.Row(b, id).exists() }

// claim inserts the key in the caller's transaction.
func (k *RequestKey) claim(ctx context.Context, tx *Tx) error {
	if !k.pending() {
		return nil
	}
	row := &requestKeyRow{APIKeyID: k.APIKeyID, Key: k.Key}
	row.claimedBy(k, tx.now)
	err := requestKeys.Save(ctx, tx, []*requestKeyRow{row})
	if errors.Is(err, ErrRerun) {
		return ErrDuplicateRequest
	}
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

func (r *requestKeyRow) claimedBy(k *RequestKey, now time.Time) {
	r.Path, r.Hash, r.CreatedAt = k.Path, k.Hash, Micros(now)
}

var requestKeys = &Table[KeyID, requestKeyRow]{
	Name: "request_keys", Rank: RankRequests,
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
			Conflict: LeaveOut,
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

// FindAnswer returns what became of a key, or sql.ErrNoRows where no effect of it is committed.
func (db *DB) FindAnswer(ctx context.Context, id KeyID) (Answer, error) {
	var a Answer
	err := db.Get(
		ctx,
		&a,
		"SELECT path, hash, status, answer, created_at FROM request_keys WHERE api_key_id = ? AND idempotency_key = ?",
		id.APIKeyID,
		id.Key,
	)
	return a, err
}

// StoreAnswer keeps the answer of a request for replays. A request without effect gets its row here.
func (db *DB) StoreAnswer(ctx context.Context, k *RequestKey, status int, body string) error {
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

// LoseAnswers forgets the kept answers that hold one of the texts. Their keys stay used: repetitions are told that they
// were carried out. Answers are found on a view that no timeout ends, since the table is large.
func (db *DB) LoseAnswers(ctx context.Context, texts ...string) error {
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
	for some := range slices.Chunk(found, forgetChunk) {
		err := db.InTx(ctx, func(tx *Tx) error {
			for _, k := range some {
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

// forgetChunk bounds how many keys one transaction removes, which must end within its time limit however many there
// are.
const forgetChunk = 1000

// ForgetAnswers removes keys older than the time, for which contract 1.8.1 no longer promises a replay.
func (db *DB) ForgetAnswers(ctx context.Context, before time.Time) error {
	for {
		var removed int64
		err := db.InTx(ctx, func(tx *Tx) (err error) {
			removed, err = tx.Exec(ctx, `DELETE FROM request_keys WHERE (api_key_id, idempotency_key) IN
				(SELECT api_key_id, idempotency_key FROM request_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)`, Micros(before), forgetChunk)
			return err
		})
		if err != nil || removed < forgetChunk {
			return err
		}
	}
}

// ForgetAnswer removes one key when it is older than the time, so that the key can be used afresh.
func (db *DB) ForgetAnswer(ctx context.Context, id KeyID, before time.Time) error {
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
