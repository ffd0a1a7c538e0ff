package vault

import (
	"encoding/json"
	"fmt"
	"log/slog"

	"laurel.example/laurel"
)

// Secret is a text that must be readable again, such as a credential for another system. It holds the text sealed and
// bound to its place; only Reveal opens it. Printed, logged or encoded it shows only a mark. The zero Secret is empty.
type Secret struct{ sealed, place string }

// secretMark is shown in place of every Secret.
const secretMark = "[sealed]"

// Place returns the place of a sealed text: the property of the row with that id, such as "currency:<id>:apiAuthValue".
// A text that was sealed for a place can only be opened with the same place.
func Place(kind string, id laurel.ID, property string) string {
	return kind + ":" + id.String() + ":" + property
}

// SealSecret seals a text for its place.
func (v *Vault) SealSecret(plain, place string) Secret {
	return Secret{v.Seal([]byte(plain), place), place}
}

// StoredSecret returns the Secret of a sealed text from the database; empty if the text is "".
func StoredSecret(sealed, place string) Secret {
	if sealed == "" {
		return Secret{}
	}
	return Secret{sealed, place}
}

// Reveal returns the plain text of a secret; "" for an empty one. Errors: those of Open.
func (v *Vault) Reveal(s Secret) (string, error) {
	if s.IsZero() {
		return "", nil
	}
	plain, err := v.Open(s.sealed, s.place)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.place, err)
	}
	return string(plain), nil
}

// Sealed returns the sealed text, for storing it.
func (s Secret) Sealed() string { return s.sealed }

// IsZero reports whether the secret is empty.
func (s Secret) IsZero() bool { return s.sealed == "" }

// String returns a mark.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return secretMark
}

// Format writes the mark, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, s.String()) }

// LogValue returns the mark.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns the mark.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON returns the mark, null for none.
func (s Secret) MarshalJSON() ([]byte, error) {
	if s.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(secretMark)
}
