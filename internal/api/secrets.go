package api

import (
	"encoding/json"
	"log/slog"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
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
	out, err := schema.MapSecrets(metadata, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		if !s.Sealed {
			return &s, nil
		}
		if plain := a.reveal(catalog.Secret(rule, name, s.Text)); plain != nil {
			return &schema.MetaSecret{Text: *plain}, nil
		}
		return nil, nil
	})
	if err != nil { // of what cannot be encoded; nothing of it is told
		return json.RawMessage("{}")
	}
	return out
}
