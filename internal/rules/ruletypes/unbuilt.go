package ruletypes

import "laurel/internal/rules/schema"

// unbuiltKinds are the types that nothing completes yet, because their platforms and blockchains are not connected.
// Rules of these types can be created, and refuse calls with "Rule is not setup". A type that is built moves to its own
// file.
var unbuiltKinds = []Kind{
	{Kind: schema.Kind{
		Type: "microblog_follow", Family: schema.Social, Title: "Microblog follow",
		Summary: "Members follow your account.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_post", Family: schema.Social, Title: "Microblog post",
		Summary: "Members write a post that mentions you.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_post_hashtag", Family: schema.Social, Title: "Post with a hashtag",
		Summary: "Members publish a post with your hashtag.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_text_in_bio", Family: schema.Social, Title: "Text in bio",
		Summary: "Members add a text that you choose to their bio.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_text_in_name", Family: schema.Social, Title: "Text in display name",
		Summary: "Members add a text that you choose to their display name.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_text_in_comment", Family: schema.Social, Title: "Comment with your text",
		Summary: "Members write a comment that contains a text you choose.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_reaction", Family: schema.Social, Title: "Microblog reaction",
		Summary: "Members like, repost or comment on one of your posts.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_comment", Family: schema.Social, Title: "Microblog comment",
		Summary: "Members comment on one of your posts.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_repost", Family: schema.Social, Title: "Microblog repost",
		Summary: "Members repost one of your posts.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_followers", Family: schema.Social, Title: "Microblog followers",
		Summary: "Members reach a minimum number of followers.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "microblog_liked_by_project", Family: schema.Social, Title: "Liked by you",
		Summary: "Your account likes a member’s post.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "post_impressions", Family: schema.Social, Title: "Post impressions",
		Summary: "Members’ posts reach a minimum number of views.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "photo_platform_post", Family: schema.Social, Title: "Photo post",
		Summary: "Members publish a photo that mentions you.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "photo_platform_follow", Family: schema.Social, Title: "Photo platform follow",
		Summary: "Members follow your account.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "short_video_post", Family: schema.Social, Title: "Short video",
		Summary: "Members publish a short video that mentions you.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "short_video_follow", Family: schema.Social, Title: "Short video follow",
		Summary: "Members follow your account.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "video_platform_subscribe", Family: schema.Social, Title: "Video channel subscription",
		Summary: "Members subscribe to your channel.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "video_platform_comment", Family: schema.Social, Title: "Video comment",
		Summary: "Members comment on one of your videos.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_member", Family: schema.Community, Title: "Chat server member",
		Summary: "Members belong to your chat server.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_join", Family: schema.Community, Title: "Chat server join",
		Summary: "Members join your chat server.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_messages", Family: schema.Community, Title: "Chat server messages",
		Summary: "Members send messages on your chat server.", OnCall: true, Scheduled: true, TriggeredByEvents: true,
	}},
	{Kind: schema.Kind{
		Type: "chat_server_role_grant", Family: schema.Community, Title: "Chat server role",
		Summary: "Members have a certain role on your chat server.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "messenger_join", Family: schema.Community, Title: "Messenger join",
		Summary: "Members join your messenger group.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "messenger_messages", Family: schema.Community, Title: "Messenger messages",
		Summary: "Members send messages in your messenger group.", OnCall: true, Scheduled: true, TriggeredByEvents: true,
	}},
	{Kind: schema.Kind{
		Type: "forum_platform_comment", Family: schema.Community, Title: "Forum comment",
		Summary: "Members comment in your forum.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_repo_star", Family: schema.Community, Title: "Repository star",
		Summary: "Members star one of your repositories.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_repo_fork", Family: schema.Community, Title: "Repository fork",
		Summary: "Members fork one of your repositories.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_repo_collaborator", Family: schema.Community, Title: "Repository collaborator",
		Summary: "Members become collaborators on one of your repositories.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "code_host_merge_request", Family: schema.Community, Title: "Merge request",
		Summary: "Members get a merge request accepted in one of your repositories.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "game_store_wishlist", Family: schema.Community, Title: "Game wishlist",
		Summary: "Members add your game to their wishlist.", OnCall: true,
	}},
	{Kind: schema.Kind{
		Type: "token_hold", Family: schema.Onchain, Title: "Token held",
		Summary: "Members hold tokens from a collection.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "token_hold_erc20", Family: schema.Onchain, Title: "Fungible token held",
		Summary: "Members hold a minimum amount of a token.", OnCall: true, Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "snapshot_hold", Family: schema.Onchain, Title: "Held at snapshot",
		Summary: "Members hold tokens from a collection at a given time.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "snapshot_full_set", Family: schema.Onchain, Title: "Full set at snapshot",
		Summary: "Members hold a complete set of tokens from a collection at a given time.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "minted_on", Family: schema.Onchain, Title: "Minted",
		Summary: "Members mint tokens with their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "bought_on", Family: schema.Onchain, Title: "Bought",
		Summary: "Members buy tokens with their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "sold_on", Family: schema.Onchain, Title: "Sold",
		Summary: "Members sell tokens from their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "bought_with_royalties", Family: schema.Onchain, Title: "Bought with royalties",
		Summary: "Members buy tokens and pay royalties.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "sold_with_royalties", Family: schema.Onchain, Title: "Sold with royalties",
		Summary: "Members sell tokens and pay royalties.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "lodging", Family: schema.Onchain, Title: "Lodging",
		Summary: "Members deposit tokens from their wallet in a contract.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v2", Family: schema.Onchain, Title: "Liquidity, version 2",
		Summary: "Members provide liquidity to a trading pool (version 2).", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v3", Family: schema.Onchain, Title: "Liquidity, version 3",
		Summary: "Members provide liquidity to a trading pool (version 3).", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "smart_contract_event", Family: schema.Onchain, Title: "Contract event",
		Summary: "Members trigger an event in a smart contract.", TriggeredByEvents: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_gas_spent", Family: schema.Dapps, Title: "Gas spent",
		Summary: "Members’ applications are ranked by the network fees (gas) that their users pay.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_active_users", Family: schema.Dapps, Title: "Active users",
		Summary: "Members’ applications are ranked by their number of active users.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_new_users", Family: schema.Dapps, Title: "New users",
		Summary: "Members’ applications are ranked by their number of new users.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_transaction_count", Family: schema.Dapps, Title: "Transactions",
		Summary: "Members’ applications are ranked by their number of transactions.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "dapps_by_user_retention", Family: schema.Dapps, Title: "User retention",
		Summary: "Members’ applications are ranked by their number of returning users.", Scheduled: true,
	}},
}
