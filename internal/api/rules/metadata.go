package rules

import (
	"encoding/json"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// Metadata returns the function that returns the part of a rule's metadata that a key may see, with secrets in plain
// text for a secret key.
func Metadata(secrets *rest.Secrets) func(laurel.Scope, laurel.ID, []byte) json.RawMessage {
	return (&handlers{Config{Secrets: secrets}}).visibleMetadata
}

// visibleMetadata returns the part of a rule's metadata that the key may see: all for a secret key, with secrets in
// plain text, and for other keys all but the confidential properties.
func (h *handlers) visibleMetadata(scope laurel.Scope, rule laurel.ID, metadata []byte) json.RawMessage {
	if scope.HasSecretKey() {
		return h.revealSecrets(rule, metadata)
	}
	// Most metadata has none of the confidential properties, and need not be decoded.
	if !strings.Contains(string(metadata), "promoCode") && !strings.Contains(string(metadata), "customRewardsApiKey") {
		return metadata
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(metadata, &m) != nil {
		return json.RawMessage("{}")
	}
	for _, name := range schema.ConfidentialMetadata {
		delete(m, name)
	}
	out, err := json.Marshal(m)
	if err != nil {
		return json.RawMessage("{}")
	}
	return out
}

// revealSecrets returns a rule's metadata with its secrets in plain text. A secret that cannot be opened becomes null.
func (h *handlers) revealSecrets(rule laurel.ID, metadata json.RawMessage) json.RawMessage {
	out, err := schema.MapSecrets(metadata, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		if !s.Sealed {
			return &s, nil
		}
		if plain := h.Secrets.Reveal(catalog.SealedSecret(rule, name, s.Text)); plain != nil {
			return &schema.MetaSecret{Text: *plain}, nil
		}
		return nil, nil
	})
	if err != nil { // it cannot be encoded, so none of it is shown
		return json.RawMessage("{}")
	}
	return out
}

// The paths of secrets in responses with a rule, or with a group and its rules.
const (
	ruleSecret  = "metadata." + schema.RewardsKey
	groupSecret = "loyaltyGroupItems.loyaltyRule." + ruleSecret
)
