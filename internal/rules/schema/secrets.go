package schema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// RewardsKey is the property of metadata with the key that is sent to customRewardsApiUrl (contract 5.14).
const RewardsKey = "customRewardsApiKey"

// secretNames are the properties of metadata that are stored sealed.
var secretNames = []string{RewardsKey}

// MetaSecret is a secret property of metadata: in plain text, as inputs and responses have it, or sealed, as it is
// stored. Plain secrets are JSON texts, sealed ones are objects; inputs with objects are refused, so that no input can
// pass for a sealed secret.
type MetaSecret struct {
	Text   string
	Sealed bool
}

// sealedForm is a sealed secret as JSON.
type sealedForm struct {
	Sealed string `json:"sealed"`
}

// MapSecrets calls change with the name and the value of each secret of the metadata, and returns the metadata with the
// results in their places; nil becomes null. Empty texts are not secrets. Metadata without secrets is returned
// unchanged.
func MapSecrets(
	metadata json.RawMessage,
	change func(string, MetaSecret) (*MetaSecret, error),
) (json.RawMessage, error) {
	isMentioned := func(name string) bool { return bytes.Contains(metadata, []byte(`"`+name+`"`)) }
	var properties map[string]json.RawMessage
	if !slices.ContainsFunc(secretNames, isMentioned) || json.Unmarshal(metadata, &properties) != nil {
		return metadata, nil //nolint:nilerr // metadata that is no object has no secrets
	}
	for _, name := range secretNames {
		s := readSecret(properties[name])
		if s.Text == "" {
			continue
		}
		changed, err := change(name, s)
		if err != nil {
			return metadata, err
		}
		if properties[name], err = changed.encode(); err != nil {
			return metadata, err
		}
	}
	return json.Marshal(properties)
}

// readSecret decodes a secret, plain or sealed. It returns an empty MetaSecret for other values.
func readSecret(value json.RawMessage) MetaSecret {
	var text string
	var sealed sealedForm
	switch {
	case json.Unmarshal(value, &text) == nil:
		return MetaSecret{Text: text}
	case json.Unmarshal(value, &sealed) == nil:
		return MetaSecret{Text: sealed.Sealed, Sealed: true}
	}
	return MetaSecret{}
}

// encode returns the secret as JSON; null for nil.
func (s *MetaSecret) encode() (json.RawMessage, error) {
	switch {
	case s == nil:
		return json.RawMessage("null"), nil
	case s.Sealed:
		return json.Marshal(sealedForm{s.Text})
	}
	return json.Marshal(s.Text)
}
