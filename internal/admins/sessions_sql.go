package admins

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The names of session values that are stored in columns of their own, for lists of sessions.
const (
	SessionValueAdmin   = "admin"   // the id of the signed-in admin; absent before
	SessionValueAddress = "address" // of the network
	SessionValueAgent   = "agent"   // the browser's User-Agent
	SessionValueVersion = "version" // of the admin's credentials when the session began
)

// SessionStore stores browser sessions in the database. It is a store and a codec for the package
// github.com/alexedwards/scs/v2, which passes hashed tokens only.
type SessionStore struct{ db *store.DB }

// Sessions returns the store of sessions.
func (s *Service) Sessions() *SessionStore { return &SessionStore{s.DB} }

// sessionData is the content of a session: texts by name.
type sessionData struct {
	Deadline time.Time      `json:"deadline"`
	Values   map[string]any `json:"values"`
}

// Encode writes what a session holds.
func (*SessionStore) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	return json.Marshal(sessionData{deadline, values})
}

// Decode reads what Encode has written.
func (*SessionStore) Decode(b []byte) (time.Time, map[string]any, error) {
	var d sessionData
	err := json.Unmarshal(b, &d)
	return d.Deadline, d.Values, err
}

// FindCtx returns the content of the session with a hashed token, or false if there is none or it has expired.
func (s *SessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	var found []string
	err := s.db.Select(ctx, &found, "SELECT data FROM admin_sessions WHERE hash = ? AND expires_at > ?", token,
		store.Micros(s.db.Now()))
	if err != nil || len(found) == 0 {
		return nil, false, err
	}
	return []byte(found[0]), true, nil
}

// NewToken returns a context that says to CommitCtx that the session's token is new.
func NewToken(session context.Context) context.Context {
	return context.WithValue(session, newTokenKey{}, true)
}

type newTokenKey struct{}

// CommitCtx writes the session with a hashed token; b is its content, as Encode wrote it. It inserts the session if the
// context comes from NewToken, and otherwise only updates an existing one. So a session that was ended while one of its
// requests was under way is not inserted again.
func (s *SessionStore) CommitCtx(ctx context.Context, token string, b []byte, expiry time.Time) error {
	_, values, err := s.Decode(b)
	if err != nil {
		return err
	}
	text := func(name string) string {
		value, _ := values[name].(string)
		return value
	}
	var admin laurel.ID
	if id := text(SessionValueAdmin); id != "" {
		if admin, err = laurel.ParseID(id); err != nil {
			return err
		}
	}
	isNew := ctx.Value(newTokenKey{}) != nil
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		now := store.Micros(tx.Now())
		if !isNew {
			_, err := tx.Exec(
				ctx,
				`UPDATE admin_sessions SET admin_id = ?, data = ?, address = ?, agent = ?, seen_at = ?, expires_at = ?
				WHERE hash = ?`,
				admin,
				string(b),
				text(SessionValueAddress),
				text(SessionValueAgent),
				now,
				store.Micros(expiry),
				token,
			)
			return err
		}
		_, err := tx.Exec(
			ctx,
			`INSERT INTO admin_sessions (hash, id, admin_id, data, address, agent, created_at, seen_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			token,
			tx.NewID(),
			admin,
			string(b),
			text(SessionValueAddress),
			text(SessionValueAgent),
			now,
			now,
			store.Micros(expiry),
		)
		return err
	})
}

// DeleteCtx ends the session of a token.
func (s *SessionStore) DeleteCtx(ctx context.Context, token string) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM admin_sessions WHERE hash = ?", token)
		return err
	})
}

// Find is FindCtx for callers without context.
func (s *SessionStore) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx for callers without context.
func (s *SessionStore) Commit(token string, b []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, b, expiry)
}

// Delete is DeleteCtx for callers without context.
func (s *SessionStore) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// Session is a browser in which an admin is signed in.
type Session struct {
	ID         laurel.ID
	Address    string
	Agent      string
	IsCurrent  bool // it is the session of the caller
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// List returns the sessions of an admin that have not expired, most recently used first. The session with the hashed
// token is the caller's own: it gets IsCurrent.
func (s *SessionStore) List(ctx context.Context, admin laurel.ID, token string) ([]Session, error) {
	var rows []struct {
		Hash       string    `db:"hash"`
		ID         laurel.ID `db:"id"`
		Address    string    `db:"address"`
		Agent      string    `db:"agent"`
		CreatedAt  int64     `db:"created_at"`
		LastUsedAt int64     `db:"seen_at"`
	}
	err := s.db.Select(ctx, &rows, `SELECT hash, id, address, agent, created_at, seen_at FROM admin_sessions
		WHERE admin_id = ? AND expires_at > ? ORDER BY seen_at DESC, id`, admin, store.Micros(s.db.Now()))
	out := make([]Session, len(rows))
	for i, r := range rows {
		out[i] = Session{r.ID, r.Address, r.Agent, r.Hash == token, store.Time(r.CreatedAt), store.Time(r.LastUsedAt)}
	}
	return out, err
}

// End ends one session of an admin, if it exists.
func (s *SessionStore) End(ctx context.Context, admin, session laurel.ID) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM admin_sessions WHERE admin_id = ? AND id = ?", admin, session)
		return err
	})
}

// deleteSessions deletes the sessions of an admin except one; the zero id means all.
func deleteSessions(ctx context.Context, tx *store.Tx, admin, except laurel.ID) error {
	query, args := "DELETE FROM admin_sessions WHERE admin_id = ?", []any{admin}
	if !except.IsZero() {
		query, args = query+" AND id <> ?", append(args, except)
	}
	_, err := tx.Exec(ctx, query, args...)
	return err
}

// EndSessions ends every session of an admin except one (the zero id means all), and every pending sign-in. The
// remaining session must continue with the credentials version of the returned admin.
func (s *Service) EndSessions(ctx context.Context, admin, except laurel.ID) (Admin, error) {
	return s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error { return endSessions(ctx, tx, row, except) })
}

// endSessions ends the sessions of an admin except one (the zero id means all) and the links that let the admin in. It
// raises the credentials version in the row, which also ends pending sign-ins; the caller writes the row.
func endSessions(ctx context.Context, tx *store.Tx, row *adminRow, except laurel.ID) error {
	row.Credentials++
	if err := deleteLinksOfAdmin(ctx, tx, row.ID); err != nil {
		return err
	}
	return deleteSessions(ctx, tx, row.ID, except)
}

// deleteChunk bounds the rows that one transaction deletes.
const deleteChunk = 1000

// DeleteExpired deletes expired sessions, links, drafts, browsers and used states, and adjustments that no longer
// count, deleteChunk rows per transaction. It is for a periodic worker.
func (s *Service) DeleteExpired(ctx context.Context) error {
	for _, expired := range []struct {
		table, key, timeColumn string
		age                    time.Duration // rows are deleted this long after their time in timeColumn
	}{
		{"admin_sessions", "hash", "expires_at", 0},
		{"admin_links", "hash", "expires_at", 0},
		{"admin_kept_forms", "id", "expires_at", 0},
		{"admin_browsers", "hash", "expires_at", 0},
		{"admin_used_states", "hash", "expires_at", 0},
		{"admin_adjustments", "id", "created_at", 48 * time.Hour},
	} {
		for removed := int64(deleteChunk); removed == deleteChunk; {
			err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
				removed, err = tx.Exec(ctx, "DELETE FROM "+expired.table+" WHERE "+expired.key+" IN (SELECT "+expired.key+" FROM "+
					expired.table+" WHERE "+expired.timeColumn+" < ? ORDER BY "+expired.timeColumn+" LIMIT ?)",
					store.Micros(tx.Now().Add(-expired.age)), deleteChunk)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
