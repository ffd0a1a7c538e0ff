package rest

import (
	"cmp"
	"log/slog"

	"laurel/internal/vault"
)

// Secrets tells secret keys the secrets of the service's records.
type Secrets struct {
	vault *vault.Vault
	log   *slog.Logger
}

// NewSecrets returns the secrets that the vault opens; a nil logger is slog.Default.
func NewSecrets(v *vault.Vault, log *slog.Logger) *Secrets {
	return &Secrets{vault: v, log: cmp.Or(log, slog.Default())}
}

// Reveal returns a secret as it is told to secret keys, nil for none. One that does not open was tampered with: it is
// told as none, and the log names it.
func (s *Secrets) Reveal(sealed vault.Secret) *string {
	if sealed.IsZero() {
		return nil
	}
	plain, err := s.vault.Reveal(sealed)
	if err != nil {
		s.log.Error("a secret does not open and is told as null; set it anew", slog.Any("error", err))
		return nil
	}
	return &plain
}
