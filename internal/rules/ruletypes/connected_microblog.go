package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// connectedMicroblog pays members with a connected microblog account, and enough followers if the rule sets a minimum.
var connectedMicroblog = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectedMicroblog, Family: schema.FamilyProfile, Title: "Microblog connected",
		Summary: "Members connect a microblog account. You can require a minimum number of followers.",
		OnCall:  true, Platform: schema.Microblog,
	},
	Decision: &decision.Kind{Check: checkFollowers, ChecksState: true, AddMissing: addMissingFollowers},
	Profile:  &Profile{Names: accountNames(schema.Microblog)},
}

// checkFollowers refuses the completion unless a microblog account is connected and has enough followers.
func checkFollowers(f decision.Facts) error {
	if err := checkAccountConnected(f); err != nil {
		return err
	}
	if hasTooFewFollowers(f) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}

// hasTooFewFollowers reports whether the member has fewer followers than the rule requires.
func hasTooFewFollowers(f decision.Facts) bool {
	least := f.Meta.MinimumFollowers
	return least != nil && f.Profile.Followers < *least
}

// addMissingFollowers adds the missing followers.
func addMissingFollowers(f decision.Facts, m *decision.Missing) {
	if hasTooFewFollowers(f) {
		m.Followers = &decision.Lack{Have: f.Profile.Followers, Need: *f.Meta.MinimumFollowers}
	}
}
