package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// microblogKinds are the types about posts, reactions and profiles of the microblog.
var microblogKinds = newPlatformKinds(schema.Microblog, schema.FamilySocial,
	platformType{Kind: schema.Kind{
		Type: "microblog_follow", Title: "Microblog follow", Summary: "Members follow your microblog account.",
		OnCall: true, Scheduled: true,
	}, failure: always(decision.MsgFollowMissing)},
	platformType{Kind: schema.Kind{
		Type: "microblog_post", Title: "Microblog post", Summary: "Members write a post that mentions you.", OnCall: true,
	}, failure: always(decision.MsgPostMissing), acceptsURL: true, needsURL: needsPostLink},
	platformType{Kind: schema.Kind{
		Type: "microblog_post_hashtag", Title: "Post with a hashtag",
		Summary: "Members publish a post with your hashtag.", OnCall: true, Scheduled: true, PerAction: true,
	}, failure: hashtagFailure, acceptsURL: true},
	platformType{Kind: schema.Kind{
		Type: "microblog_text_in_bio", Title: "Text in bio",
		Summary: "Members add text that you choose to their bio.", OnCall: true, Scheduled: true,
	}, failure: always(decision.MsgTextMissing)},
	platformType{Kind: schema.Kind{
		Type: "microblog_text_in_name", Title: "Text in display name",
		Summary: "Members add text that you choose to their display name.", OnCall: true,
	}, failure: always(decision.MsgTextMissing)},
	platformType{Kind: schema.Kind{
		Type: "microblog_text_in_comment", Title: "Comment with your text",
		Summary: "Members write a comment that contains text that you choose.", OnCall: true,
	}, failure: always(decision.MsgCommentMissing), needsURL: needsCommentLink},
	platformType{Kind: schema.Kind{
		Type: "microblog_reaction", Title: "Microblog reaction",
		Summary: "Members like, repost or comment on one of your posts.", OnCall: true,
	}, needsURL: needsReactionLink},
	platformType{Kind: schema.Kind{
		Type: "microblog_comment", Title: "Microblog comment",
		Summary: "Members comment on one of your posts.", OnCall: true, Scheduled: true,
	}, failure: always(decision.MsgCommentMissing), needsURL: needsCommentLink},
	platformType{Kind: schema.Kind{
		Type: "microblog_repost", Title: "Microblog repost",
		Summary: "Members repost one of your posts.", OnCall: true, Scheduled: true,
	}, failure: always(decision.MsgRepostMissing)},
	platformType{Kind: schema.Kind{
		Type: "microblog_followers", Title: "Microblog followers",
		Summary: "Members’ microblog accounts reach a minimum number of followers.", OnCall: true, Scheduled: true,
	}, failure: always(decision.MsgNotAchieved)},
	platformType{Kind: schema.Kind{
		Type: "microblog_liked_by_project", Title: "Liked by you", Summary: "Your account likes a member’s post.",
		Scheduled: true,
	}},
	platformType{Kind: schema.Kind{
		Type: "post_impressions", Title: "Post impressions",
		Summary: "Members’ posts reach a minimum number of views.", OnCall: true, Scheduled: true, PerAction: true,
		WindowPerTier: true,
	}, failure: always(decision.MsgNotAchieved), acceptsURL: true},
)

// needsPostLink refuses calls without the link of the post if the rule requires one.
func needsPostLink(f decision.Facts) (string, bool) {
	return decision.MsgVerification, f.Meta.RequirePostLink
}

// needsReactionLink refuses calls without the link of the comment if the rule wants a comment.
func needsReactionLink(f decision.Facts) (string, bool) {
	return decision.MsgCommentLink, f.Meta.CheckComment
}

// hashtagFailure returns the refusal of members without a post that has the hashtag.
func hashtagFailure(f decision.Facts) string {
	if f.HasContentURL {
		return decision.MsgPostMissing
	}
	return decision.MsgVerification
}
