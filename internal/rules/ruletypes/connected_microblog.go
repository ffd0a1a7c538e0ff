package ruletypes

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// connectedMicroblog: a connected microblog account, with enough followers where the rule says how many.
var connectedMicroblog = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectedMicroblog, Family: schema.Profile, Title: "Microblog connected",
		Summary: "Members connect a microblog account, with a least number of followers where you set one.",
		OnCall:  true, Platform: schema.Microblog,
	},
	Decision: &decision.Kind{Check: followed, State: true, Lacks: lacksFollowers},
	Profile:  &Profile{Names: accountNames(schema.Microblog)},
}

func followed(f decision.Facts) error {
	if err := accountConnected(f); err != nil {
		return err
	}
	if fewFollowers(f) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}

func fewFollowers(f decision.Facts) bool {
	least := f.Meta.MinimumFollowers
	return least != nil && f.Profile.Followers < *least
}

func lacksFollowers(f decision.Facts, m *decision.Missing) {
	if fewFollowers(f) {
		m.Followers = &decision.Lack{Have: f.Profile.Followers, Need: *f.Meta.MinimumFollowers}
	}
}
