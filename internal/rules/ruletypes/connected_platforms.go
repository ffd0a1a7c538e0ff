package ruletypes

import (
	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// connectedPlatforms ask for a connected account of a platform. They differ in the platform alone.
var connectedPlatforms = []Kind{
	connected("photo_platform", "Photo platform connected"),
	connected("chat_server", "Chat server connected"),
	connected("messenger", "Messenger connected"),
	connected("short_video", "Short video platform connected"),
	connected("video_platform", "Video platform connected"),
	connected("forum_platform", "Forum connected"),
	connected("code_host", "Code host connected"),
	connected("game_store", "Game store connected"),
	connected("game_launcher", "Game launcher connected"),
}

func connected(platform, title string) Kind {
	return Kind{
		Kind: schema.Kind{
			Type: schema.Type("connected_" + platform), Family: schema.Profile, Title: title,
			Summary: "Members connect their account of the platform.", OnCall: true, Platform: platform,
		},
		Decision: &decision.Kind{Check: accountConnected, State: true},
		Profile:  &Profile{Names: accountNames(platform)},
	}
}

// accountNames returns by what a member's account of a platform is known.
func accountNames(platform string) func(*identity.Connections) []string {
	return func(m *identity.Connections) []string { return m.Accounts()[platform].Names }
}

func accountConnected(f decision.Facts) error {
	if !f.Profile.Connected {
		return laurel.Errorf(laurel.Refused, decision.MsgNotConnected, f.Profile.Label)
	}
	return nil
}
