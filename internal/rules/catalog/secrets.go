package catalog

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/vault"
)

// Secrets in the metadata of a rule and of its edits are sealed for the rule's id. Rules in memory hold them sealed.
// They are revealed only in responses to secret keys and in requests to a feed.

// SealedSecret returns a sealed secret of a rule's metadata as a vault.Secret.
func SealedSecret(rule laurel.ID, name, sealed string) vault.Secret {
	return vault.StoredSecret(sealed, secretPlace(rule, name))
}

// secretPlace returns the place for which a secret of a rule is sealed.
func secretPlace(rule laurel.ID, name string) string { return vault.Place("rule", rule, name) }

// sealMetadata seals the secrets of a rule's metadata that are not sealed yet. A secret whose plain text is the former
// one keeps the former sealed text, so that it does not count as a change.
func (s *Service) sealMetadata(rule laurel.ID, before, after json.RawMessage) (json.RawMessage, error) {
	former := map[string]schema.MetaSecret{}
	_, err := schema.MapSecrets(before, func(name string, stored schema.MetaSecret) (*schema.MetaSecret, error) {
		former[name] = stored
		return &stored, nil
	})
	if err != nil {
		return nil, err
	}
	return schema.MapSecrets(after, func(name string, current schema.MetaSecret) (*schema.MetaSecret, error) {
		if current.Sealed {
			return &current, nil
		}
		stored := former[name]
		if plain, err := s.vault.Reveal(
			SealedSecret(rule, name, stored.Text),
		); err == nil && stored.Sealed && plain == current.Text {
			return &stored, nil
		}
		return &schema.MetaSecret{Text: s.vault.SealSecret(current.Text, secretPlace(rule, name)).Sealed(), Sealed: true}, nil
	})
}

// RevealMetadata returns the metadata of a rule with its secrets in plain text, as an input takes them. A secret that
// cannot be decrypted any more becomes null. The result must not be shown to anyone but secret keys.
func (s *Service) RevealMetadata(r Rule) (json.RawMessage, error) {
	return schema.MapSecrets(r.Metadata, func(name string, secret schema.MetaSecret) (*schema.MetaSecret, error) {
		if !secret.Sealed {
			return &secret, nil
		}
		plain, err := s.vault.Reveal(SealedSecret(r.ID, name, secret.Text))
		if err != nil {
			return nil, nil //nolint:nilerr,nilnil // a secret that cannot be decrypted becomes null
		}
		return &schema.MetaSecret{Text: plain}, nil
	})
}

// secretPlaceholder stands for a sealed secret while restored metadata is checked. Any text would do.
const secretPlaceholder = "placeholder"

// cleanRestoredMetadata checks the metadata that an edit is to restore like that of an input, and returns the metadata
// to store. An input with sealed secrets would be refused: during the check a placeholder stands for each of them.
func cleanRestoredMetadata(restored, current json.RawMessage, f *laurel.Faults) (json.RawMessage, error) {
	secrets := map[string]schema.MetaSecret{}
	plain, err := schema.MapSecrets(restored, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		secrets[name] = s
		return &schema.MetaSecret{Text: secretPlaceholder}, nil
	})
	if err != nil {
		return nil, err
	}
	clean := schema.CleanMetadata(plain, current, f)
	return schema.MapSecrets(clean, func(name string, _ schema.MetaSecret) (*schema.MetaSecret, error) {
		secret := secrets[name]
		return &secret, nil
	})
}

// resealSecrets seals the secrets of a rule's metadata with another key of the vault, also those that are not sealed
// yet.
func resealSecrets(rule laurel.ID, metadata json.RawMessage, move vault.Resealer) (json.RawMessage, error) {
	return schema.MapSecrets(metadata, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		text, err := move(s.Text, !s.Sealed, secretPlace(rule, name))
		return &schema.MetaSecret{Text: text, Sealed: true}, err
	})
}

// resealMetadata applies resealSecrets to a rule's metadata column.
func resealMetadata(rule laurel.ID, text string, move vault.Resealer) (string, error) {
	out, err := resealSecrets(rule, json.RawMessage(text), move)
	return string(out), err
}

// resealProperties applies resealSecrets to the metadata in text, the JSON of a rule's properties as records and edits
// store it. The values of other properties keep their spelling, such as 1.0 for a number.
func resealProperties(rule laurel.ID, text string, move vault.Resealer) (string, error) {
	var properties map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &properties); err != nil {
		return text, err
	}
	metadata, err := resealSecrets(rule, properties["metadata"], move)
	if err != nil || string(metadata) == string(properties["metadata"]) {
		return text, err
	}
	properties["metadata"] = metadata
	out, err := json.Marshal(properties)
	return string(out), err
}
