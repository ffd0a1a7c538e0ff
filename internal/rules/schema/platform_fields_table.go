package schema

import "slices"

// The rule types of platforms that fields refer to.
var (
	textTypes    = []Type{"microblog_text_in_bio", "microblog_text_in_name", "microblog_text_in_comment"}
	postTypes    = []Type{"microblog_post", "photo_platform_post", "short_video_post"}
	commentTypes = []Type{"video_platform_comment", "forum_platform_comment"}
	ofOnePost    = []Type{
		TypeMicroblogLike, "microblog_text_in_comment", "microblog_reaction", "microblog_comment", "microblog_repost",
	}
	onlyReaction    = []Type{"microblog_reaction"}
	onlyPost        = []Type{"microblog_post"}
	onlyImpressions = []Type{"post_impressions"}
	ofMessenger     = []Type{"messenger_join", "messenger_messages"}
	ofRepository    = []Type{
		"code_host_repo_star", "code_host_repo_fork", "code_host_repo_collaborator", "code_host_merge_request",
	}
	byAction = []Type{"microblog_post_hashtag", "code_host_merge_request"}
)

// platformFields say what members do on platforms.
var platformFields = []Field{
	{
		Path: "metadata.link", Control: ControlText, Label: "Account", Section: ActionSection,
		Types: []Type{"photo_platform_follow", "short_video_follow"}, Help: "URL of the account that members follow.",
	},
	{
		Path: "metadata.microblogAccountUrl", Control: ControlText, Label: "Account", Section: ActionSection,
		Types: []Type{"microblog_follow"}, Help: "URL of the microblog account that members follow.",
	},
	{
		Path: "metadata.microblogUserId", Control: ControlText, Label: "Account ID", Section: ActionSection,
		Types: []Type{"microblog_follow", "microblog_liked_by_project"},
		Help:  "ID of your account on the microblog. It stays the same when the account is renamed.",
	},
	{
		Path: "metadata.microblogPostUrl", Control: ControlText, Label: "Post", Section: ActionSection, Types: ofOnePost,
		Help: "URL of the post that members react to.",
	},
	{
		Path: "metadata.microblogHashtag", Control: ControlText, Label: "Hashtag", Section: ActionSection,
		Types: []Type{"microblog_post_hashtag"}, Help: "The hashtag that members use, with or without #.",
	},
	{
		Path: "metadata.checkText", Control: ControlTexts, Label: "Text", Section: ActionSection,
		Types: slices.Concat(textTypes, postTypes, commentTypes),
		Help:  "The text that must be found, in upper or lower case. Enter one text per line; any of them is enough.",
	},
	{
		Path: "metadata.requirePostLink", Control: ControlCheckbox, Label: "Ask for the link of the post",
		Section: ActionSection, Types: onlyPost, Help: "Members must enter the link of their post.",
	},
	{
		Path: "metadata.requirePostMediaLink", Control: ControlCheckbox, Label: "Posts with a picture or video only",
		Section: ActionSection, Types: onlyPost, Help: "Posts without a picture or video don’t count.",
	},
	{
		Path: "metadata.checkLike", Control: ControlCheckbox, Label: "Like the post", Section: ActionSection,
		Types: onlyReaction, Help: "Likes can’t be verified and are taken on trust.",
	},
	{
		Path: "metadata.checkRepost", Control: ControlCheckbox, Label: "Repost it", Section: ActionSection,
		Types: onlyReaction, Help: "Members repost the post.",
	},
	{
		Path: "metadata.checkComment", Control: ControlCheckbox, Label: "Comment on it", Section: ActionSection,
		Types: onlyReaction, Help: "Members comment on the post and enter the link of their comment.",
	},
	{
		Path: "metadata.maxLikes", Control: ControlInteger, Label: "Likes needed", Unit: "likes", Section: ActionSection,
		Types: onlyReaction, More: true, Help: "Once the post has so many likes, members no longer need to like it.",
	},
	{
		Path: "metadata.maxReposts", Control: ControlInteger, Label: "Reposts needed", Unit: "reposts",
		Section: ActionSection, Types: onlyReaction, More: true,
		Help: "Once the post has so many reposts, members no longer need to repost it.",
	},
	{
		Path: "metadata.maxComments", Control: ControlInteger, Label: "Comments needed", Unit: "comments",
		Section: ActionSection, Types: onlyReaction, More: true,
		Help: "Once the post has so many comments, members no longer need to comment on it.",
	},
	{
		Path: "metadata.messengerChannelId", Control: ControlText, Label: "Channel", Section: ActionSection,
		Types: ofMessenger, Help: "ID of the channel or group, such as @laurel.",
	},
	{
		Path: "metadata.videoPlatformChannelId", Control: ControlText, Label: "Channel ID", Section: ActionSection,
		Types: []Type{"video_platform_subscribe"}, Help: "ID of the channel that members subscribe to.",
	},
	{
		Path: "metadata.videoPlatformVideoId", Control: ControlText, Label: "Video ID", Section: ActionSection,
		Types: []Type{"video_platform_comment"}, Help: "ID of the video that members comment on.",
	},
	{
		Path: "metadata.forumPlatformPostId", Control: ControlText, Label: "Post ID", Section: ActionSection,
		Types: []Type{"forum_platform_comment"}, Help: "ID of the forum post that members comment on.",
	},
	{
		Path: "metadata.codeHostRepoUrl", Control: ControlAddress, Label: "Repository", Section: ActionSection,
		Types: ofRepository, Help: "URL of the repository.",
	},
	{
		Path: "metadata.codeHostBranchName", Control: ControlText, Label: "Branch", Section: ActionSection,
		Types: []Type{"code_host_merge_request"}, Help: "Changes must be merged into this branch. Leave empty for any.",
	},
	{
		Path: "metadata.gameStoreAppId", Control: ControlText, Label: "Game ID", Section: ActionSection,
		Types: []Type{"game_store_wishlist"}, Help: "ID of the game in the store.",
	},
	{
		Path: "metadata.rewardPerAction", Control: ControlCheckbox, Label: "Multiply by the number", Section: ActionSection,
		Types: byAction, Help: "The reward is the amount below multiplied by how often members did it.",
	},
	{
		Path: "metadata.rewardPerImpression", Control: ControlCheckbox, Label: "Multiply by the number of views",
		Section: ActionSection, Types: onlyImpressions,
		Help: "The reward is the amount below multiplied by how often the posts were seen.",
	},
	{
		Path: "metadata.rewardCriteria", Control: ControlSelect, Label: "Count", Section: ActionSection,
		Types: onlyImpressions, Options: []Option{
			{Value: "", Label: "Views (default)"}, {Value: "IMPRESSIONS_COUNT", Label: "Views"},
			{Value: "ELIGIBLE_POST", Label: "Posts"},
		},
	},
	{
		Path: "metadata.rewardQualityPosts", Control: ControlCheckbox, Label: "Original posts only", Section: ActionSection,
		Types: onlyImpressions, Help: "Replies and reposts don’t count.",
	},
}
