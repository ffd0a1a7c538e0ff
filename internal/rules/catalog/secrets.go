package catalog

import (
	"encoding/json"

	"laurel"
	"laurel/internal/rules/schema"
	"laurel/internal/vault"
)

// Secrets in the metadata of a rule, and of its edits, are sealed for the rule. Whoever handles a rule holds them
// sealed; only what is told to secret keys, and what is sent to a feed, is revealed.

// Secret is a secret of a rule's metadata as it is stored.
func Secret(rule laurel.ID, name, sealed string) vault.Secret {
	return vault.Kept(sealed, place(rule, name))
}

func place(rule laurel.ID, name string) string { return vault.Place("rule", rule, name) }

// seal seals what stands in the clear in a rule's metadata. A secret that is what it was keeps its sealed text, so
// that it counts as unchanged.
func (s *Service) seal(rule laurel.ID, before, now json.RawMessage) (json.RawMessage, error) {
	held := map[string]schema.MetaSecret{}
	_, err := schema.MapSecrets(before, func(name string, was schema.MetaSecret) (*schema.MetaSecret, error) {
		held[name] = was
		return &was, nil
	})
	if err != nil {
		return nil, err
	}
	return schema.MapSecrets(now, func(name string, is schema.MetaSecret) (*schema.MetaSecret, error) {
		if is.Sealed {
			return &is, nil
		}
		was := held[name]
		if plain, err := s.vault.Reveal(Secret(rule, name, was.Text)); err == nil && was.Sealed && plain == is.Text {
			return &was, nil
		}
		return &schema.MetaSecret{Text: s.vault.Keep(is.Text, place(rule, name)).Sealed(), Sealed: true}, nil
	})
}

// Plain returns the metadata of a rule with its secrets in the clear, as an input takes them. A secret that cannot be
// read any more is null. It must not be shown.
func (s *Service) Plain(r Rule) (json.RawMessage, error) {
	return schema.MapSecrets(r.Metadata, func(name string, held schema.MetaSecret) (*schema.MetaSecret, error) {
		if !held.Sealed {
			return &held, nil
		}
		plain, err := s.vault.Reveal(Secret(r.ID, name, held.Text))
		if err != nil {
			return nil, nil //nolint:nilerr,nilnil // null is the secret that is lost
		}
		return &schema.MetaSecret{Text: plain}, nil
	})
}

// cleaned checks the metadata of an edit that is restored like any other, but for secrets, which stay sealed.
func cleaned(restored, present json.RawMessage, f *laurel.Faults) (json.RawMessage, error) {
	held := map[string]schema.MetaSecret{}
	plain, err := schema.MapSecrets(restored, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		held[name] = s
		return &schema.MetaSecret{Text: "held"}, nil
	})
	if err != nil {
		return nil, err
	}
	clean := schema.CleanMetadata(plain, present, f)
	return schema.MapSecrets(clean, func(name string, _ schema.MetaSecret) (*schema.MetaSecret, error) {
		was := held[name]
		return &was, nil
	})
}

// moved moves the secrets of metadata.
func moved(rule laurel.ID, metadata json.RawMessage, move vault.Mover) (json.RawMessage, error) {
	return schema.MapSecrets(metadata, func(name string, s schema.MetaSecret) (*schema.MetaSecret, error) {
		text, err := move(s.Text, !s.Sealed, place(rule, name))
		return &schema.MetaSecret{Text: text, Sealed: true}, err
	})
}

// movedMetadata moves the secrets of a rule's metadata column.
func movedMetadata(rule laurel.ID, text string, move vault.Mover) (string, error) {
	out, err := moved(rule, json.RawMessage(text), move)
	return string(out), err
}

// movedProperties moves the secrets of properties, as records and edits hold them. Their other properties stay as they
// are spelt.
func movedProperties(rule laurel.ID, text string, move vault.Mover) (string, error) {
	var properties map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &properties); err != nil {
		return text, err
	}
	metadata, err := moved(rule, properties["metadata"], move)
	if err != nil || string(metadata) == string(properties["metadata"]) {
		return text, err
	}
	properties["metadata"] = metadata
	out, err := json.Marshal(properties)
	return string(out), err
}
