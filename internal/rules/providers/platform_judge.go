package providers

import (
	"strings"

	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// judge reports whether a finding earns the rule, and the refusal if it does not; "" for that of the type. It is pure.
func (v *platformVerification) judge(found platforms.Finding, a identity.PlatformAccount) (ok bool, refusal string) {
	q := v.question(string(v.rule.Type), a)
	switch {
	case found.Post != nil:
		refusal = v.judgePost(*found.Post, a)
		return refusal == "", refusal
	case found.Value != nil && isMeasured(v.rule.Type): // the tiers decide
		return len(v.meta.Range) > 0 || *found.Value > 0, ""
	case !found.Found:
		return false, refusalOf(found.Missing)
	case found.Text != nil && v.rule.Type == "microblog_post_hashtag":
		if !q.HasHashtag(*found.Text) {
			return false, decision.MsgTextMissing
		}
	case found.Text != nil && looksForText(v.rule.Type):
		if !q.HoldsText(*found.Text) {
			return false, decision.MsgTextMissing
		}
	}
	return true, ""
}

// judgePost returns the refusal of a post: of another account, from before the rule, without media or without the text;
// "" if it earns the rule (contract 5.1).
func (v *platformVerification) judgePost(post platforms.Post, a identity.PlatformAccount) string {
	q, start := v.question(string(v.rule.Type), a), v.rule.StartTime
	switch {
	case !isAuthor(post.AuthorID, a):
		return decision.MsgPostOfOther
	case start != nil && !post.CreatedAt.IsZero() && post.CreatedAt.Before(start.Time):
		return decision.MsgPostTooOld
	case v.wasCountedBefore(post):
		return decision.MsgPostClaimed
	case v.meta.RequirePostMedia && !post.HasMedia:
		return decision.MsgPostNoMedia
	case !q.HoldsText(post.Text):
		return decision.MsgTextMissing
	case v.rule.Type == "microblog_post_hashtag" && !q.HasHashtag(post.Text):
		return decision.MsgTextMissing
	}
	return ""
}

// wasCountedBefore reports whether a post is from before the time in question, and may have been paid for then: without
// a content url the platform may find the same post again and again, and posts with a hashtag are also counted.
func (v *platformVerification) wasCountedBefore(post platforms.Post) bool {
	isSearched := v.request.Request.ContentURL == "" || v.rule.Type == "microblog_post_hashtag"
	return isSearched && !post.CreatedAt.IsZero() && post.CreatedAt.Before(v.request.Since)
}

// isAuthor reports whether an account may have written a post. A platform without ids of authors, and members without
// an account, leave that open.
func isAuthor(author string, a identity.PlatformAccount) bool {
	if a.ID == "" { // proven by a public profile (contract 3.5)
		return author == "" || a.Name == "" || strings.EqualFold(strings.TrimPrefix(author, "@"), a.Name)
	}
	return author == "" || author == a.ID
}

// isMeasured reports whether the value that a platform finds for the type is a measure, and not only a sign.
func isMeasured(t schema.Type) bool {
	switch t {
	case "microblog_followers", "post_impressions", "chat_server_messages", "messenger_messages":
		return true
	}
	return t.Kind().PerAction
}

// looksForText reports whether rules of the type look for a text in what the platform finds.
func looksForText(t schema.Type) bool {
	return strings.HasPrefix(string(t), "microblog_text_in_") || claimsPost(t) || t == "video_platform_comment"
}

// refusalOf returns the refusal for what an account has not done; "" for the default of the type.
func refusalOf(missing platforms.Missing) string {
	return map[platforms.Missing]string{
		platforms.MissingPost: decision.MsgPostMissing, platforms.MissingText: decision.MsgTextMissing,
		platforms.MissingComment: decision.MsgCommentMissing, platforms.MissingRepost: decision.MsgRepostMissing,
		platforms.MissingFollow: decision.MsgFollowMissing,
	}[missing]
}
