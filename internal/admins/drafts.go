package admins

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The limits of drafts.
const (
	DraftLifetime   = 15 * time.Minute
	MaxDraftBytes   = 64 << 10 // bytes of its fields
	maxDrafts       = 5        // per browser; the oldest are deleted
	browserLifetime = 30 * 24 * time.Hour
)

// FormDraft is a form that was sent after the session of its sender had ended. It is stored so that the sender can
// sign in again without losing it.
type FormDraft struct {
	ID     laurel.ID
	Page   string              // path of the form's page, below the dashboard's root
	Action string              // path to which it was sent
	Fields map[string][]string // without secrets, which the caller leaves out
}

// RegisterBrowser returns the token under which drafts of an admin's browser are stored. existing is the token that the
// browser has; "" for none. If that token belongs to the admin, it is returned again, so that earlier drafts are found;
// otherwise the browser gets a new one.
func (s *Service) RegisterBrowser(ctx context.Context, admin laurel.ID, existing string) (token string, err error) {
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		token = existing
		renewed, err := renewBrowser(ctx, tx, hashToken(existing), admin, tx.Now().Add(browserLifetime))
		if err != nil || renewed {
			return err
		}
		token = newToken(tx)
		return insertBrowser(ctx, tx, hashToken(token), admin, tx.Now().Add(browserLifetime))
	})
	return token, err
}

// SaveDraft stores a form for the browser with the token. It returns false if no admin has signed in there, or if the
// form is too long.
func (s *Service) SaveDraft(ctx context.Context, token string, form FormDraft) (bool, error) {
	fields, err := json.Marshal(form.Fields)
	if err != nil || token == "" || len(fields)+len(form.Page)+len(form.Action) > MaxDraftBytes {
		return false, err
	}
	saved := false
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		hash := hashToken(token)
		isKnown, err := lockBrowser(ctx, tx, hash)
		if err != nil || !isKnown {
			return err
		}
		saved = true
		if err := insertDraft(ctx, tx, hash, form, string(fields)); err != nil {
			return err
		}
		return trimDrafts(ctx, tx, hash, maxDrafts)
	})
	return saved, err
}

// Drafts returns the drafts of an admin in the browser with the token, newest first; none for an empty token.
func (s *Service) Drafts(ctx context.Context, token string, admin laurel.ID) ([]FormDraft, error) {
	if token == "" {
		return nil, nil
	}
	rows, err := selectDrafts(ctx, s.DB, hashToken(token), admin, s.DB.Now())
	if err != nil {
		return nil, err
	}
	out := make([]FormDraft, len(rows))
	for i, r := range rows {
		out[i] = FormDraft{ID: r.ID, Page: r.Page, Action: r.Action}
		if err := json.Unmarshal([]byte(r.Fields), &out[i].Fields); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DeleteDraft deletes a draft whose form was sent again.
func (s *Service) DeleteDraft(ctx context.Context, token string, id laurel.ID) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return deleteDraft(ctx, tx, hashToken(token), id) })
}
