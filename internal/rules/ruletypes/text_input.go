package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// textInput pays members who write a text of a minimum length. Nobody reviews the text.
var textInput = Kind{
	Kind: schema.Kind{
		Type: schema.TypeTextInput, Family: schema.FamilyEngagement, Title: "Text",
		Summary: "Members enter text, such as feedback or an address.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkLength, AddMissing: addMissingCharacters},
}

// checkLength refuses texts that are too short.
func checkLength(f decision.Facts) error {
	if f.TextLength() < f.Meta.MinimumLength() {
		return decision.Refuse(decision.MsgVerification)
	}
	return nil
}

// addMissingCharacters adds the missing length.
func addMissingCharacters(f decision.Facts, m *decision.Missing) {
	if checkLength(f) != nil {
		m.Characters = &decision.Lack{
			Have: decision.CountAmount(f.TextLength()), Need: decision.CountAmount(f.Meta.MinimumLength()),
		}
	}
}
