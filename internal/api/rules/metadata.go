package rules

import (
	"encoding/json"
	"strings"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

// Metadata returns a function that leaves out of a rule's metadata what a key may not see, and reveals its secrets to a
// secret key.
func Metadata(secrets *rest.Secrets) func(laurel.Scope, laurel.ID, []byte) json.RawMessage {
	return (&handlers{Config{Secrets: secrets}}).shownMetadata
}

// shownMetadata leaves out of a rule's metadata what the key may not see, and reveals its secrets to a secret key.
func (h *handlers) shownMetadata(scope laurel.Scope, rule laurel.ID, metadata []byte) json.RawMessage {
	if scope.HasSecretKey() {
		return h.revealed(rule, metadata)
	}
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

// revealed returns a rule's metadata with its secrets in the clear.
func (h *handlers) revealed(rule laurel.ID, metadata json.RawMessage) json.RawMessage {
	out, err := schema.MapSecrets(metadata, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		if !s.Sealed {
			return &s, nil
		}
		if plain := h.Secrets.Reveal(catalog.SealedSecret(rule, name, s.Text)); plain != nil {
			return &schema.MetaSecret{Text: *plain}, nil
		}
		return nil, nil
	})
	if err != nil { // of what cannot be encoded; nothing of it is told
		return json.RawMessage("{}")
	}
	return out
}

// Where the secrets of rules stand in answers that tell a rule, or a group with its rules.
const (
	ruleSecret  = "metadata." + schema.RewardsKey
	groupSecret = "loyaltyGroupItems.loyaltyRule." + ruleSecret
)
