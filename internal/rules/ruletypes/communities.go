package ruletypes

import (
	"slices"

	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// communityKinds are the types about chats, forums, code hosts and game stores.
var communityKinds = slices.Concat(
	newPlatformKinds("chat_server", schema.FamilyCommunity,
		platformType{Kind: schema.Kind{
			Type: "chat_server_member", Title: "Chat server member", Summary: "Members are on your chat server.",
			OnCall: true, Scheduled: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "chat_server_join", Title: "Chat server join", Summary: "Members join your chat server.", OnCall: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "chat_server_messages", Title: "Chat server messages",
			Summary: "Members send messages on your chat server.", OnCall: true, Scheduled: true, TriggeredByEvents: true,
		}, failure: always(decision.MsgNotAchieved)},
		platformType{Kind: schema.Kind{
			Type: "chat_server_role_grant", Title: "Chat server role",
			Summary: "Members get a certain role on your chat server.", OnCall: true,
		}, failure: always(decision.MsgVerification)},
	),
	newPlatformKinds("messenger", schema.FamilyCommunity,
		platformType{Kind: schema.Kind{
			Type: "messenger_join", Title: "Messenger join", Summary: "Members join your messenger group.", OnCall: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "messenger_messages", Title: "Messenger messages",
			Summary: "Members send messages in your messenger group.", OnCall: true, Scheduled: true, TriggeredByEvents: true,
		}, failure: always(decision.MsgNotAchieved)},
	),
	newPlatformKinds("forum_platform", schema.FamilyCommunity,
		platformType{Kind: schema.Kind{
			Type: "forum_platform_comment", Title: "Forum comment", Summary: "Members comment in your forum.", OnCall: true,
		}, failure: always(decision.MsgCommentMissing)},
	),
	newPlatformKinds("code_host", schema.FamilyCommunity,
		platformType{Kind: schema.Kind{
			Type: "code_host_repo_star", Title: "Repository star", Summary: "Members star one of your repositories.",
			OnCall: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "code_host_repo_fork", Title: "Repository fork", Summary: "Members fork one of your repositories.",
			OnCall: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "code_host_repo_collaborator", Title: "Repository collaborator",
			Summary: "Members become collaborators on one of your repositories.", OnCall: true,
		}},
		platformType{Kind: schema.Kind{
			Type: "code_host_merge_request", Title: "Merge request",
			Summary: "Members get a merge request accepted in one of your repositories.", OnCall: true, Scheduled: true,
			PerAction: true,
		}},
	),
	newPlatformKinds("game_store", schema.FamilyCommunity,
		platformType{Kind: schema.Kind{
			Type: "game_store_wishlist", Title: "Game wishlist", Summary: "Members add your game to their wishlist.",
			OnCall: true,
		}},
	),
)
