package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// microblogLike pays members with a connected account. The like itself is taken on trust.
var microblogLike = Kind{
	Kind: schema.Kind{
		Type: schema.TypeMicroblogLike, Family: schema.FamilySocial, Title: "Microblog like",
		Summary: "Members like one of your posts. They must connect their account, but Laurel doesn’t verify the like.",
		OnCall:  true, Scheduled: true, Platform: schema.Microblog,
	},
	Decision:           &decision.Kind{Check: checkAccountConnected, ChecksState: true},
	Profile:            &Profile{Names: accountNames(schema.Microblog)},
	RunsOverAllMembers: true,
}
