package schema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// RewardsKey is the property of metadata that is sent to customRewardsApiUrl (contract 5.14).
const RewardsKey = "customRewardsApiKey"

// secretNames are the properties of metadata that are stored sealed only.
var secretNames = []string{RewardsKey}

// MetaSecret is a secret property of metadata: in the clear, as a caller sends it and is told it, or sealed, as it is
// stored. The two have different forms, and callers are refused the sealed one, so that no text can pass for the
// other.
type MetaSecret struct {
	Text   string
	Sealed bool
}

// sealedForm is the stored form.
type sealedForm struct {
	Sealed string `json:"sealed"`
}

// MapSecrets returns the metadata with each of its secrets changed; change returns nil for null. Empty texts are no
// secrets.
func MapSecrets(
	metadata json.RawMessage,
	change func(string, MetaSecret) (*MetaSecret, error),
) (json.RawMessage, error) {
	isMentioned := func(name string) bool { return bytes.Contains(metadata, []byte(`"`+name+`"`)) }
	var properties map[string]json.RawMessage
	if !slices.ContainsFunc(secretNames, isMentioned) || json.Unmarshal(metadata, &properties) != nil {
		return metadata, nil //nolint:nilerr // what is no object holds no secret
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

func (s *MetaSecret) encode() (json.RawMessage, error) {
	switch {
	case s == nil:
		return json.RawMessage("null"), nil
	case s.Sealed:
		return json.Marshal(sealedForm{s.Text})
	}
	return json.Marshal(s.Text)
}
