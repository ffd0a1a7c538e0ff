package ruletypes

import (
	"slices"

	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// mediaKinds are the types about photos, short videos and the video platform.
var mediaKinds = slices.Concat(
	newPlatformKinds("photo_platform", schema.FamilySocial,
		postType("photo_platform_post", "Photo post", "Members publish a photo that mentions you."),
		followType("photo_platform_follow", "Photo platform follow", "Members follow your account on the photo platform."),
	),
	newPlatformKinds("short_video", schema.FamilySocial,
		postType("short_video_post", "Short video", "Members publish a short video that mentions you."),
		followType("short_video_follow", "Short video follow",
			"Members follow your account on the short video platform."),
	),
	newPlatformKinds("video_platform", schema.FamilySocial,
		platformType{Kind: schema.Kind{
			Type: "video_platform_subscribe", Title: "Video channel subscription",
			Summary: "Members subscribe to your channel.", OnCall: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "video_platform_comment", Title: "Video comment", Summary: "Members comment on one of your videos.",
			OnCall: true,
		}, failure: always(decision.MsgCommentMissing)},
	),
)

// postType returns a type about a post with a text.
func postType(name schema.Type, title, summary string) platformType {
	return platformType{
		Kind:    schema.Kind{Type: name, Title: title, Summary: summary, OnCall: true},
		failure: always(decision.MsgPostMissing), acceptsURL: true,
	}
}

// followType returns a type about following an account.
func followType(name schema.Type, title, summary string) platformType {
	return platformType{
		Kind:    schema.Kind{Type: name, Title: title, Summary: summary, OnCall: true},
		failure: always(decision.MsgFollowMissing),
	}
}
