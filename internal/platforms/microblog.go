package platforms

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// microblog asks the X API, version 2 (https://docs.x.com/x-api), with an app-only bearer token. Lists of followed
// accounts need an access level that includes them; elsewhere the API answers 403, and the rule type has no answer.
var microblog = apiDriver{
	url:        "https://api.x.com/2",
	needsToken: true,
	headers: func(token string) map[string]string {
		return map[string]string{"Authorization": "Bearer " + token}
	},
	answers: map[string]apiAnswer{
		"microblog_follow":           {microblogFollow, []string{"microblogUserId|microblogAccountUrl"}},
		"microblog_post":             {microblogPost, nil},
		"microblog_post_hashtag":     {microblogHashtag, []string{"microblogHashtag"}},
		"microblog_text_in_bio":      {microblogBio, nil},
		"microblog_text_in_name":     {microblogDisplayName, nil},
		"microblog_text_in_comment":  {microblogComment, []string{"microblogPostUrl"}},
		"microblog_reaction":         {microblogReaction, []string{"microblogPostUrl"}},
		"microblog_comment":          {microblogComment, []string{"microblogPostUrl"}},
		"microblog_repost":           {microblogRepost, []string{"microblogPostUrl"}},
		"microblog_followers":        {microblogFollowers, nil},
		"microblog_liked_by_project": {microblogLikedByProject, []string{"microblogUserId"}},
		"post_impressions":           {microblogImpressions, nil},
	},
}

// microblogEntry is a post as the API shows it.
type microblogEntry struct {
	ID             string    `json:"id"`
	AuthorID       string    `json:"author_id"`
	Text           string    `json:"text"`
	ConversationID string    `json:"conversation_id"`
	CreatedAt      time.Time `json:"created_at"`
	LongForm       *struct {
		Text string `json:"text"` // the whole text of a long post
	} `json:"note_tweet"`
	Attachments struct {
		MediaKeys []string `json:"media_keys"`
	} `json:"attachments"`
	References []struct {
		Type string `json:"type"` // replied_to, quoted or retweeted
		ID   string `json:"id"`
	} `json:"referenced_tweets"`
	Metrics struct {
		Likes       *int64 `json:"like_count"`
		Replies     *int64 `json:"reply_count"`
		Reposts     *int64 `json:"retweet_count"`
		Impressions *int64 `json:"impression_count"`
	} `json:"public_metrics"`
}

// entryFields are the fields of posts that the driver asks for.
const entryFields = "author_id,created_at,text,note_tweet,attachments,conversation_id,referenced_tweets,public_metrics"

// microblogPage is how many items lists return at once, at most.
const microblogPage = 100

// post returns the post as a finding holds it.
func (t microblogEntry) post() *Post {
	text := t.Text
	if t.LongForm != nil && t.LongForm.Text != "" {
		text = t.LongForm.Text
	}
	return &Post{
		ID: t.ID, AuthorID: t.AuthorID, Text: text, CreatedAt: t.CreatedAt, HasMedia: len(t.Attachments.MediaKeys) > 0,
	}
}

// answers reports whether the post is a reply to another post, or stands in its conversation.
func (t microblogEntry) answers(post string) bool {
	for _, r := range t.References {
		if r.Type == "replied_to" && r.ID == post {
			return true
		}
	}
	return t.ConversationID == post && t.ID != post
}

// isOriginal reports whether the post is neither a reply nor a repost.
func (t microblogEntry) isOriginal() bool {
	for _, r := range t.References {
		if r.Type == "replied_to" || r.Type == "retweeted" {
			return false
		}
	}
	return true
}

// isNumber reports whether a text consists of digits, as ids do.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// readEntry returns a post; nil if it does not exist, or only its author's followers see it. The API says so with the
// status 200 and no data.
func readEntry(ctx context.Context, s *apiSession, id string) (*microblogEntry, error) {
	if !isNumber(id) {
		return nil, nil
	}
	var answer struct{ Data *microblogEntry }
	status, err := s.get(ctx, "/tweets/"+id, url.Values{"tweet.fields": {entryFields}}, &answer)
	if err == nil {
		err = unexpected(status)
	}
	return answer.Data, err
}

// microblogList reads a list page by page and calls each for every item until that returns false.
func microblogList[T any](
	ctx context.Context, s *apiSession, path string, query url.Values, each func(T) (more bool),
) error {
	query = maps.Clone(query)
	for {
		var page struct {
			Data []T
			Meta struct {
				NextToken string `json:"next_token"`
			}
		}
		status, err := s.get(ctx, path, query, &page)
		if err == nil {
			err = unexpected(status)
		}
		if err != nil {
			return err
		}
		for _, item := range page.Data {
			if !each(item) {
				return nil
			}
		}
		if page.Meta.NextToken == "" {
			return nil
		}
		if s.calls >= maxCalls {
			return errTooManyCalls
		}
		query.Set("pagination_token", page.Meta.NextToken)
	}
}

// microblogUser is an account as the API shows it.
type microblogUser struct {
	ID          string
	Name        string // the display name
	Username    string
	Description string
	Metrics     struct {
		Followers *int64 `json:"followers_count"`
	} `json:"public_metrics"`
}

// readMicroblogUser returns the account of the question; nil if it does not exist any more.
func readMicroblogUser(ctx context.Context, s *apiSession, q Question) (*microblogUser, error) {
	var answer struct{ Data *microblogUser }
	status, err := s.get(ctx, "/users/"+url.PathEscape(q.Account.ID),
		url.Values{"user.fields": {"description,name,username,public_metrics"}}, &answer)
	if err == nil {
		err = unexpected(status)
	}
	return answer.Data, err
}

// microblogFollow looks for the rule's account among those that the member follows, the latest first.
func microblogFollow(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	id, name := q.text("microblogUserId"), strings.TrimPrefix(ContentID(q.text("microblogAccountUrl")), "@")
	found := false
	err := microblogList(ctx, s, "/users/"+url.PathEscape(q.Account.ID)+"/following",
		url.Values{"max_results": {"1000"}}, func(u microblogUser) bool {
			found = id != "" && u.ID == id || id == "" && strings.EqualFold(u.Username, name)
			return !found
		})
	return Finding{Found: found, Missing: MissingFollow}, err
}

// microblogPost finds the post of the content url; without one, the latest own post in the time that counts that holds
// the text of the rule.
func microblogPost(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	if q.ContentURL != "" {
		return findPost(ctx, s, q)
	}
	return findOwnPost(ctx, s, q, func(t microblogEntry) bool { return t.isOriginal() && q.HoldsText(t.post().Text) })
}

// findPost returns the post of the content url.
func findPost(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	t, err := readEntry(ctx, s, ContentID(q.ContentURL))
	if t == nil || err != nil {
		return Finding{Missing: MissingPost}, err
	}
	return Finding{Found: true, Post: t.post()}, nil
}

// findOwnPost returns the latest own post in the time that counts that matches.
func findOwnPost(
	ctx context.Context, s *apiSession, q Question, isMatch func(microblogEntry) bool,
) (Finding, error) {
	out := Finding{Missing: MissingPost}
	err := eachOwnEntry(ctx, s, q, func(t microblogEntry) bool {
		if isMatch(t) {
			out = Finding{Found: true, Post: t.post()}
		}
		return !out.Found
	})
	return out, err
}

// eachOwnEntry calls each for the own posts in the time that counts, the latest first, until that returns false.
func eachOwnEntry(ctx context.Context, s *apiSession, q Question, each func(microblogEntry) bool) error {
	query := url.Values{"max_results": {strconv.Itoa(microblogPage)}, "tweet.fields": {entryFields}}
	if !q.Since.IsZero() {
		query.Set("start_time", q.Since.UTC().Format(time.RFC3339))
	}
	return microblogList(ctx, s, "/users/"+url.PathEscape(q.Account.ID)+"/tweets", query, func(t microblogEntry) bool {
		if t.AuthorID == "" {
			t.AuthorID = q.Account.ID
		}
		return !q.covers(t.CreatedAt) || each(t)
	})
}

// microblogHashtag finds the post of the content url; without one, it counts the own posts with the hashtag.
func microblogHashtag(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	if q.ContentURL != "" {
		return findPost(ctx, s, q)
	}
	var n int64
	err := eachOwnEntry(ctx, s, q, func(t microblogEntry) bool {
		if t.isOriginal() && q.HasHashtag(t.post().Text) {
			n++
		}
		return true
	})
	if errors.Is(err, errTooManyCalls) { // what was read counts
		err = nil
	}
	return count(n), err
}

// microblogBio returns the text of the account's profile.
func microblogBio(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	u, err := readMicroblogUser(ctx, s, q)
	if u == nil || err != nil {
		return Finding{Missing: MissingText}, err
	}
	return Finding{Found: true, Text: &u.Description}, nil
}

// microblogDisplayName returns the display name of the account.
func microblogDisplayName(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	u, err := readMicroblogUser(ctx, s, q)
	if u == nil || err != nil {
		return Finding{Missing: MissingText}, err
	}
	return Finding{Found: true, Text: &u.Name}, nil
}

// microblogComment finds the comment of the content url, which must answer the post of the rule. Without one it
// searches the last seven days for a comment of the account.
func microblogComment(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	post := ContentID(q.text("microblogPostUrl"))
	if q.ContentURL != "" {
		t, err := readEntry(ctx, s, ContentID(q.ContentURL))
		if t == nil || err != nil || !t.answers(post) {
			return Finding{Missing: MissingComment}, err
		}
		return Finding{Found: true, Post: t.post()}, nil
	}
	if !isNumber(post) || !isNumber(q.Account.ID) {
		return Finding{Missing: MissingComment}, nil
	}
	var page struct{ Data []microblogEntry }
	status, err := s.get(ctx, "/tweets/search/recent", url.Values{
		"query": {"conversation_id:" + post + " from:" + q.Account.ID}, "max_results": {"10"}, "tweet.fields": {entryFields},
	}, &page)
	if err == nil {
		err = unexpected(status)
	}
	if len(page.Data) == 0 || err != nil {
		return Finding{Missing: MissingComment}, err
	}
	return Finding{Found: true, Post: page.Data[0].post()}, nil
}

// microblogRepost looks for the account among those that have reposted the post of the rule.
func microblogRepost(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	post := ContentID(q.text("microblogPostUrl"))
	if !isNumber(post) {
		return Finding{Missing: MissingRepost}, nil
	}
	found := false
	err := microblogList(ctx, s, "/tweets/"+post+"/retweeted_by", url.Values{"max_results": {strconv.Itoa(microblogPage)}},
		func(u microblogUser) bool {
			found = u.ID == q.Account.ID
			return !found
		})
	return Finding{Found: found, Missing: MissingRepost}, err
}

// microblogReaction checks the wanted reactions to the post of the rule. Likes are taken on trust (contract 9, item
// 15). Reposts and comments are no longer verified once the post has as many as the rule allows.
func microblogReaction(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	t, err := readEntry(ctx, s, ContentID(q.text("microblogPostUrl")))
	if t == nil || err != nil {
		return Finding{Missing: MissingPost}, err
	}
	stats := &ReactionStats{Likes: t.Metrics.Likes, Comments: t.Metrics.Replies, Reposts: t.Metrics.Reposts}
	for _, reaction := range []struct {
		wanted, limit string
		reached       *int64
		find          func(context.Context, *apiSession, Question) (Finding, error)
	}{
		{"checkRepost", "maxReposts", stats.Reposts, microblogRepost},
		{"checkComment", "maxComments", stats.Comments, microblogComment},
	} {
		if !q.isSet(reaction.wanted) || q.hasReached(reaction.limit, reaction.reached) {
			continue
		}
		found, err := reaction.find(ctx, s, q)
		if err != nil {
			return Finding{}, err
		}
		if !found.Found || found.Post != nil && found.Post.AuthorID != q.Account.ID {
			return Finding{Missing: found.Missing, Stats: stats}, nil
		}
	}
	return Finding{Found: true, Stats: stats}, nil
}

// hasReached reports whether a post has as many reactions as a property of the rule allows.
func (q Question) hasReached(property string, reached *int64) bool {
	limit, err := strconv.ParseInt(metadataValue(q.Metadata, property), 10, 64)
	return err == nil && reached != nil && *reached >= limit
}

// microblogFollowers returns the number of followers, which is remembered for some minutes.
func microblogFollowers(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	key, now := s.api.URL+" "+q.Account.ID, s.client.now()
	if n, ok := s.client.followers.get(key, now); ok {
		return count(n), nil
	}
	u, err := readMicroblogUser(ctx, s, q)
	if u == nil || u.Metrics.Followers == nil || err != nil {
		return Finding{}, err
	}
	s.client.followers.set(key, *u.Metrics.Followers, now)
	return count(*u.Metrics.Followers), nil
}

// microblogLikedByProject looks for a post of the member, written in the time that counts, among those that the
// project's account has liked.
func microblogLikedByProject(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	found := false
	err := microblogList(ctx, s, "/users/"+url.PathEscape(q.text("microblogUserId"))+"/liked_tweets",
		url.Values{"max_results": {strconv.Itoa(microblogPage)}, "tweet.fields": {entryFields}},
		func(t microblogEntry) bool {
			found = t.AuthorID == q.Account.ID && q.covers(t.CreatedAt)
			return !found
		})
	return Finding{Found: found}, err
}

// microblogImpressions returns how often the post of the content url was seen; without one, how often all own posts in
// the time that counts were. With the criteria ELIGIBLE_POST it counts those posts in place of their views, and with
// rewardQualityPosts replies and reposts do not count.
func microblogImpressions(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	if q.ContentURL != "" {
		t, err := readEntry(ctx, s, ContentID(q.ContentURL))
		if t == nil || err != nil {
			return Finding{Missing: MissingPost}, err
		}
		out := count(t.value(q))
		out.Post = t.post()
		return out, nil
	}
	var sum int64
	err := eachOwnEntry(ctx, s, q, func(t microblogEntry) bool {
		sum += t.value(q)
		return true
	})
	if errors.Is(err, errTooManyCalls) { // what was read counts
		err = nil
	}
	return count(sum), err
}

// value returns what a post adds to the value of a rule about impressions.
func (t microblogEntry) value(q Question) int64 {
	switch {
	case q.isSet("rewardQualityPosts") && !t.isOriginal(), t.Metrics.Impressions == nil:
		return 0
	case q.text("rewardCriteria") == "ELIGIBLE_POST":
		return 1
	}
	return *t.Metrics.Impressions
}
