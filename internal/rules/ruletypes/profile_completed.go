package ruletypes

import (
	"maps"
	"slices"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// profileCompleted: every field that the rule names is filled (contract 5.16).
var profileCompleted = Kind{
	Kind: schema.Kind{
		Type: schema.TypeProfileCompleted, Family: schema.Profile, Title: "Profile completed",
		Summary: "Members fill the fields of their profile that you choose.", OnCall: true,
	},
	Decision: &decision.Kind{Equipped: asksFields, Check: fieldsFilled, State: true, Lacks: lacksFields},
	Profile:  &Profile{},
}

// wanted are the fields that the rule wants filled, in order.
func wanted(f decision.Facts) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.Meta.CompleteProfile)) {
		if yes := f.Meta.CompleteProfile[name]; yes != nil && *yes {
			names = append(names, name)
		}
	}
	return names
}

func asksFields(f decision.Facts) bool { return len(wanted(f)) > 0 }

// filled counts the wanted fields that are filled. A field that nobody knows never is.
func filled(f decision.Facts) int {
	n := 0
	for _, name := range wanted(f) {
		if slices.Contains(f.Profile.Fields, name) {
			n++
		}
	}
	return n
}

func fieldsFilled(f decision.Facts) error {
	if filled(f) < len(wanted(f)) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}

func lacksFields(f decision.Facts, m *decision.Missing) {
	if fieldsFilled(f) != nil {
		m.Fields = &decision.Lack{Have: decision.Whole(filled(f)), Need: decision.Whole(len(wanted(f)))}
	}
}
