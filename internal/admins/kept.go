package admins

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

// The limits of forms that are kept for people whose session ended while they typed.
const (
	KeptFormLives = 15 * time.Minute
	MaxKeptForm   = 64 << 10 // bytes of its fields
	maxKeptForms  = 5        // per browser: the oldest go
	browserLives  = 30 * 24 * time.Hour
)

// KeptForm is a form that was sent after its sender's session was over.
type KeptForm struct {
	ID     laurel.ID
	Page   string              // that held the form, below the dashboard's root
	Action string              // where it went, likewise
	Fields map[string][]string // without secrets: the caller leaves them out
}

// Browser returns the token under which forms of an admin's browser are kept. known is the one that the browser has: it
// stays where it is the admin's, so that what was kept before is found.
func (s *Service) Browser(ctx context.Context, admin laurel.ID, known string) (token string, err error) {
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		token = known
		renewed, err := renewBrowser(ctx, tx, hashOf(known), admin, tx.Now().Add(browserLives))
		if err != nil || renewed {
			return err
		}
		token = newToken(tx)
		return insertBrowser(ctx, tx, hashOf(token), admin, tx.Now().Add(browserLives))
	})
	return token, err
}

// Keep keeps a form for the browser of a token. It reports false where nobody signed in there, or the form is too long.
func (s *Service) Keep(ctx context.Context, token string, form KeptForm) (bool, error) {
	fields, err := json.Marshal(form.Fields)
	if err != nil || token == "" || len(fields)+len(form.Page)+len(form.Action) > MaxKeptForm {
		return false, err
	}
	kept := false
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		hash := hashOf(token)
		known, err := lockBrowser(ctx, tx, hash)
		if err != nil || !known {
			return err
		}
		kept = true
		if err := insertKept(ctx, tx, hash, form, string(fields)); err != nil {
			return err
		}
		return trimKept(ctx, tx, hash, maxKeptForms)
	})
	return kept, err
}

// Kept returns the forms that are kept for the browser of a token and an admin, the newest first.
func (s *Service) Kept(ctx context.Context, token string, admin laurel.ID) ([]KeptForm, error) {
	if token == "" {
		return nil, nil
	}
	rows, err := keptOf(ctx, s.DB, hashOf(token), admin, s.DB.Now())
	if err != nil {
		return nil, err
	}
	out := make([]KeptForm, len(rows))
	for i, r := range rows {
		out[i] = KeptForm{ID: r.ID, Page: r.Page, Action: r.Action}
		if err := json.Unmarshal([]byte(r.Fields), &out[i].Fields); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DropKept removes a form that is kept for a browser: what it asked for was done.
func (s *Service) DropKept(ctx context.Context, token string, id laurel.ID) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return deleteKept(ctx, tx, hashOf(token), id) })
}
