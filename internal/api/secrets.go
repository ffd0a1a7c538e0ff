package api

import (
	"log/slog"

	"laurel/internal/vault"
)

// reveal returns a secret as it is told to secret keys, nil for none. One that does not open was tampered with: it is
// told as none, and the log names it.
func (a *API) reveal(s vault.Secret) *string {
	if s.IsZero() {
		return nil
	}
	plain, err := a.cfg.Vault.Reveal(s)
	if err != nil {
		a.log.Error("a secret does not open and is told as null; set it anew", slog.Any("error", err))
		return nil
	}
	return &plain
}
