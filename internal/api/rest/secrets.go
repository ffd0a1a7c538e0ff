package rest

import (
	"cmp"
	"log/slog"

	"laurel.example/laurel/internal/vault"
)

// Secrets reveals sealed secrets of records to secret keys.
type Secrets struct {
	vault *vault.Vault
	log   *slog.Logger
}

// NewSecrets returns the Secrets of a vault; a nil logger is slog.Default.
func NewSecrets(v *vault.Vault, log *slog.Logger) *Secrets {
	return &Secrets{vault: v, log: cmp.Or(log, slog.Default())}
}

// Reveal returns a secret in plain text, nil if there is none. A secret that cannot be opened was tampered with: it is
// logged and returned as nil.
func (s *Secrets) Reveal(sealed vault.Secret) *string {
	if sealed.IsZero() {
		return nil
	}
	plain, err := s.vault.Reveal(sealed)
	if err != nil {
		s.log.Error("a secret cannot be opened and is shown as null; set it again", slog.Any("error", err))
		return nil
	}
	return &plain
}
