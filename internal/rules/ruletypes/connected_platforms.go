package ruletypes

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// platformKinds pay members with a connected account of a platform. They differ only in the platform.
var platformKinds = []Kind{
	connectedKind("photo_platform", "Photo platform connected"),
	connectedKind("chat_server", "Chat server connected"),
	connectedKind("messenger", "Messenger connected"),
	connectedKind("short_video", "Short video platform connected"),
	connectedKind("video_platform", "Video platform connected"),
	connectedKind("forum_platform", "Forum connected"),
	connectedKind("code_host", "Code host connected"),
	connectedKind("game_store", "Game store connected"),
	connectedKind("game_launcher", "Game launcher connected"),
}

// connectedKind returns the rule type that pays members who connect their account on a platform.
func connectedKind(platform, title string) Kind {
	return Kind{
		Kind: schema.Kind{
			Type: schema.Type("connected_" + platform), Family: schema.FamilyProfile, Title: title,
			Summary: "Members connect their account on this platform.", OnCall: true, Platform: platform,
		},
		Decision: &decision.Kind{Check: checkAccountConnected, ChecksState: true},
		Profile:  &Profile{Names: accountNames(platform)},
	}
}

// accountNames returns a function that returns the names of a member's account of a platform.
func accountNames(platform string) func(*identity.Connections) []string {
	return func(m *identity.Connections) []string { return m.Accounts()[platform].Names }
}

// checkAccountConnected refuses unless an account of the rule's platform is connected.
func checkAccountConnected(f decision.Facts) error {
	if !f.Profile.HasAccount {
		return laurel.Errorf(laurel.Refused, decision.MsgNotConnected, f.Profile.PlatformLabel)
	}
	return nil
}
