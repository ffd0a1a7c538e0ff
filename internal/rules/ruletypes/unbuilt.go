package ruletypes

import "laurel/internal/rules/schema"

// unbuiltKinds are the types that nothing completes yet, because their platforms and blockchains are not connected.
// Rules of these types can be created, and refuse calls with "Rule is not setup". A type that is built moves to its own
// file.
var unbuiltKinds = []Kind{
	{Kind: schema.Kind{
		Type: "microblog_follow", Family: schema.FamilySocial, Title: "Microblog follow",
		Summary: "Members follow your microblog account.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_post", Family: schema.FamilySocial, Title: "Microblog post",
		Summary: "Members write a post that mentions you.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_post_hashtag", Family: schema.FamilySocial, Title: "Post with a hashtag",
		Summary: "Members publish a post with your hashtag.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_text_in_bio", Family: schema.FamilySocial, Title: "Text in bio",
		Summary: "Members add text that you choose to their bio.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_text_in_name", Family: schema.FamilySocial, Title: "Text in display name",
		Summary: "Members add text that you choose to their display name.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_text_in_comment", Family: schema.FamilySocial, Title: "Comment with your text",
		Summary: "Members write a comment that contains text that you choose.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_reaction", Family: schema.FamilySocial, Title: "Microblog reaction",
		Summary: "Members like, repost or comment on one of your posts.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_comment", Family: schema.FamilySocial, Title: "Microblog comment",
		Summary: "Members comment on one of your posts.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_repost", Family: schema.FamilySocial, Title: "Microblog repost",
		Summary: "Members repost one of your posts.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_followers", Family: schema.FamilySocial, Title: "Microblog followers",
		Summary: "Members’ microblog accounts reach a minimum number of followers.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_liked_by_project", Family: schema.FamilySocial, Title: "Liked by you",
		Summary: "Your account likes a member’s post.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "post_impressions", Family: schema.FamilySocial, Title: "Post impressions",
		Summary: "Members’ posts reach a minimum number of views.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "photo_platform_post", Family: schema.FamilySocial, Title: "Photo post",
		Summary: "Members publish a photo that mentions you.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "photo_platform_follow", Family: schema.FamilySocial, Title: "Photo platform follow",
		Summary: "Members follow your account on the photo platform.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "short_video_post", Family: schema.FamilySocial, Title: "Short video",
		Summary: "Members publish a short video that mentions you.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "short_video_follow", Family: schema.FamilySocial, Title: "Short video follow",
		Summary: "Members follow your account on the short video platform.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "video_platform_subscribe", Family: schema.FamilySocial, Title: "Video channel subscription",
		Summary: "Members subscribe to your channel.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "video_platform_comment", Family: schema.FamilySocial, Title: "Video comment",
		Summary: "Members comment on one of your videos.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_member", Family: schema.FamilyCommunity, Title: "Chat server member",
		Summary: "Members are on your chat server.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_join", Family: schema.FamilyCommunity, Title: "Chat server join",
		Summary: "Members join your chat server.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_messages", Family: schema.FamilyCommunity, Title: "Chat server messages",
		Summary: "Members send messages on your chat server.", OnCall: true, Scheduled: true, TriggeredByEvents: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_role_grant", Family: schema.FamilyCommunity, Title: "Chat server role",
		Summary: "Members have a certain role on your chat server.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "messenger_join", Family: schema.FamilyCommunity, Title: "Messenger join",
		Summary: "Members join your messenger group.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "messenger_messages", Family: schema.FamilyCommunity, Title: "Messenger messages",
		Summary: "Members send messages in your messenger group.", OnCall: true, Scheduled: true, TriggeredByEvents: true,
	}},
	{Kind: schema.Kind{
		Type: "forum_platform_comment", Family: schema.FamilyCommunity, Title: "Forum comment",
		Summary: "Members comment in your forum.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_repo_star", Family: schema.FamilyCommunity, Title: "Repository star",
		Summary: "Members star one of your repositories.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_repo_fork", Family: schema.FamilyCommunity, Title: "Repository fork",
		Summary: "Members fork one of your repositories.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_repo_collaborator", Family: schema.FamilyCommunity, Title: "Repository collaborator",
		Summary: "Members become collaborators on one of your repositories.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_merge_request", Family: schema.FamilyCommunity, Title: "Merge request",
		Summary: "Members get a merge request accepted in one of your repositories.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "game_store_wishlist", Family: schema.FamilyCommunity, Title: "Game wishlist",
		Summary: "Members add your game to their wishlist.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "token_hold", Family: schema.FamilyOnchain, Title: "Token held",
		Summary: "Members hold tokens from a collection.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "token_hold_erc20", Family: schema.FamilyOnchain, Title: "Fungible token held",
		Summary: "Members hold a minimum amount of a token.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "snapshot_hold", Family: schema.FamilyOnchain, Title: "Held at snapshot",
		Summary: "Members hold tokens from a collection at a time that you choose.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "snapshot_full_set", Family: schema.FamilyOnchain, Title: "Full set at snapshot",
		Summary: "Members hold a complete set of tokens from a collection at a time that you choose.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "minted_on", Family: schema.FamilyOnchain, Title: "Minted",
		Summary: "Members create (mint) tokens with their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "bought_on", Family: schema.FamilyOnchain, Title: "Bought",
		Summary: "Members buy tokens with their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "sold_on", Family: schema.FamilyOnchain, Title: "Sold",
		Summary: "Members sell tokens from their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "bought_with_royalties", Family: schema.FamilyOnchain, Title: "Bought with royalties",
		Summary: "Members buy tokens and pay you royalties.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "sold_with_royalties", Family: schema.FamilyOnchain, Title: "Sold with royalties",
		Summary: "Members resell tokens and pay you royalties.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "lodging", Family: schema.FamilyOnchain, Title: "Lodging",
		Summary: "Members deposit tokens from their wallet into a smart contract.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v2", Family: schema.FamilyOnchain, Title: "Liquidity, version 2",
		Summary: "Members add tokens to a trading pool (version 2) to provide liquidity.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v3", Family: schema.FamilyOnchain, Title: "Liquidity, version 3",
		Summary: "Members add tokens to a trading pool (version 3) to provide liquidity.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "smart_contract_event", Family: schema.FamilyOnchain, Title: "Contract event",
		Summary: "Members trigger an event in a smart contract.", TriggeredByEvents: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_gas_spent", Family: schema.FamilyDapps, Title: "Gas spent",
		Summary: "Members’ apps are ranked by the network fees (gas) that their users pay.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_active_users", Family: schema.FamilyDapps, Title: "Active users",
		Summary: "Members’ apps are ranked by their number of active users.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_new_users", Family: schema.FamilyDapps, Title: "New users",
		Summary: "Members’ apps are ranked by their number of new users.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_transaction_count", Family: schema.FamilyDapps, Title: "Transactions",
		Summary: "Members’ apps are ranked by their number of transactions.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_user_retention", Family: schema.FamilyDapps, Title: "User retention",
		Summary: "Members’ apps are ranked by their number of returning users.", Scheduled: true,
	}},
}
