package catalog

import (
	"encoding/json"

	"laurel"
	"laurel/internal/rules/schema"
	"laurel/internal/vault"
)

// Secrets in the metadata of a rule, and of its edits, are sealed for the rule. Whoever handles a rule holds them
// sealed; only what is told to secret keys, and what is sent to a feed, is revealed.

// SealedSecret is a secret of a rule's metadata as it is stored.
func SealedSecret(rule laurel.ID, name, sealed string) vault.Secret {
	return vault.Kept(sealed, secretPlace(rule, name))
}

func secretPlace(rule laurel.ID, name string) string { return vault.Place("rule", rule, name) }

// sealMetadata seals what stands in the clear in a rule's metadata. A secret that is what it was keeps its sealed text,
// so that it counts as unchanged.
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
		return &schema.MetaSecret{Text: s.vault.Keep(current.Text, secretPlace(rule, name)).Sealed(), Sealed: true}, nil
	})
}

// RevealMetadata returns the metadata of a rule with its secrets in the clear, as an input takes them. A secret that
// cannot be read any more is null. It must not be shown.
func (s *Service) RevealMetadata(r Rule) (json.RawMessage, error) {
	return schema.MapSecrets(r.Metadata, func(name string, secret schema.MetaSecret) (*schema.MetaSecret, error) {
		if !secret.Sealed {
			return &secret, nil
		}
		plain, err := s.vault.Reveal(SealedSecret(r.ID, name, secret.Text))
		if err != nil {
			return nil, nil //nolint:nilerr,nilnil // null is the secret that is lost
		}
		return &schema.MetaSecret{Text: plain}, nil
	})
}

// cleanRestoredMetadata checks the metadata of an edit that is restored like any other, but for secrets, which stay
// sealed.
func cleanRestoredMetadata(restored, current json.RawMessage, f *laurel.Faults) (json.RawMessage, error) {
	secrets := map[string]schema.MetaSecret{}
	plain, err := schema.MapSecrets(restored, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		secrets[name] = s
		return &schema.MetaSecret{Text: "held"}, nil
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

// resealSecrets moves the secrets of metadata.
func resealSecrets(rule laurel.ID, metadata json.RawMessage, move vault.Mover) (json.RawMessage, error) {
	return schema.MapSecrets(metadata, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		text, err := move(s.Text, !s.Sealed, secretPlace(rule, name))
		return &schema.MetaSecret{Text: text, Sealed: true}, err
	})
}

// resealMetadata moves the secrets of a rule's metadata column.
func resealMetadata(rule laurel.ID, text string, move vault.Mover) (string, error) {
	out, err := resealSecrets(rule, json.RawMessage(text), move)
	return string(out), err
}

// resealProperties moves the secrets of properties, as records and edits hold them. Their other properties stay as they
// are spelt.
func resealProperties(rule laurel.ID, text string, move vault.Mover) (string, error) {
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
