package ruletypes

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// textInput: the member writes a text of a least length; nobody judges what it says.
var textInput = Kind{
	Kind: schema.Kind{
		Type: schema.TypeTextInput, Family: schema.Engagement, Title: "Text",
		Summary: "Members write a text, such as feedback or an address.", OnCall: true,
	},
	Decision: &decision.Kind{Check: longEnough, Lacks: lacksCharacters},
}

func longEnough(f decision.Facts) error {
	if f.TextLength() < f.Meta.MinimumLength() {
		return decision.Refuse(decision.MsgVerification)
	}
	return nil
}

func lacksCharacters(f decision.Facts, m *decision.Missing) {
	if longEnough(f) != nil {
		m.Characters = &decision.Lack{Have: decision.Whole(f.TextLength()), Need: decision.Whole(f.Meta.MinimumLength())}
	}
}
