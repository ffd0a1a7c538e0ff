package httpapi

import (
	"encoding/json"
	"log/slog"

	"laurel"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
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

// revealed returns a rule's metadata with its secrets in the clear.
func (a *API) revealed(rule laurel.ID, metadata json.RawMessage) json.RawMessage {
	out, err := rulebook.MapSecrets(metadata, func(name string, s rulebook.MetaSecret) (*rulebook.MetaSecret, error) {
		if !s.Sealed {
			return &s, nil
		}
		if plain := a.reveal(rules.Secret(rule, name, s.Text)); plain != nil {
			return &rulebook.MetaSecret{Text: *plain}, nil
		}
		return nil, nil
	})
	if err != nil { // of what cannot be encoded; nothing of it is told
		return json.RawMessage("{}")
	}
	return out
}
