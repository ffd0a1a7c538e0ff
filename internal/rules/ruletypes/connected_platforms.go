package ruletypes

import (
	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// connectedPlatforms ask for a connected account of a platform. They differ in the platform alone.
var connectedPlatforms = []Kind{
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

func connectedKind(platform, title string) Kind {
	return Kind{
		Kind: schema.Kind{
			Type: schema.Type("connected_" + platform), Family: schema.Profile, Title: title,
			Summary: "Members connect their account of the platform.", OnCall: true, Platform: platform,
		},
		Decision: &decision.Kind{Check: checkAccountConnected, ChecksState: true},
		Profile:  &Profile{Names: accountNames(platform)},
	}
}

// accountNames returns by what a member's account of a platform is known.
func accountNames(platform string) func(*identity.Connections) []string {
	return func(m *identity.Connections) []string { return m.Accounts()[platform].Names }
}

func checkAccountConnected(f decision.Facts) error {
	if !f.Profile.HasAccount {
		return laurel.Errorf(laurel.Refused, decision.MsgNotConnected, f.Profile.PlatformLabel)
	}
	return nil
}
