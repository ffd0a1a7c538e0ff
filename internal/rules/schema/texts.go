package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// Texts are the texts of checkText, of which any one suffices (contract 3.13). In JSON they are a text or an array.
type Texts []string

// UnmarshalJSON decodes a text or an array of texts. Blank ones are left out.
func (t *Texts) UnmarshalJSON(b []byte) error {
	var one string
	var many []string
	if json.Unmarshal(b, &one) == nil {
		many = []string{one}
	} else if err := json.Unmarshal(b, &many); err != nil {
		return err
	}
	*t = slices.DeleteFunc(many, func(s string) bool { return strings.TrimSpace(s) == "" })
	return nil
}
