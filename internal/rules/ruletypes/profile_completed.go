package ruletypes

import (
	"maps"
	"slices"

	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// profileCompleted pays members who have filled every field that the rule names (contract 5.16).
var profileCompleted = Kind{
	Kind: schema.Kind{
		Type: schema.TypeProfileCompleted, Family: schema.FamilyProfile, Title: "Profile completed",
		Summary: "Members fill in the profile fields that you choose.", OnCall: true,
	},
	Decision: &decision.Kind{
		IsSetUp: hasProfileFields, Check: checkFields, ChecksState: true, AddMissing: addMissingFields,
	},
	Profile: &Profile{},
}

// requiredFields returns the names of the profile fields that the rule requires, sorted.
func requiredFields(f decision.Facts) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.Meta.CompleteProfile)) {
		if yes := f.Meta.CompleteProfile[name]; yes != nil && *yes {
			names = append(names, name)
		}
	}
	return names
}

// hasProfileFields reports whether the rule names any field.
func hasProfileFields(f decision.Facts) bool { return len(requiredFields(f)) > 0 }

// countFilled returns how many of the required fields are filled. Unknown fields never are.
func countFilled(f decision.Facts) int {
	n := 0
	for _, name := range requiredFields(f) {
		if slices.Contains(f.Profile.Fields, name) {
			n++
		}
	}
	return n
}

// checkFields refuses unless all required fields are filled.
func checkFields(f decision.Facts) error {
	if countFilled(f) < len(requiredFields(f)) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}

// addMissingFields adds the fields that are not filled.
func addMissingFields(f decision.Facts, m *decision.Missing) {
	if checkFields(f) != nil {
		m.Fields = &decision.Lack{
			Have: decision.CountAmount(countFilled(f)), Need: decision.CountAmount(len(requiredFields(f))),
		}
	}
}
