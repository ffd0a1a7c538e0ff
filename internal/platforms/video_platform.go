package platforms

import (
	"context"
	"net/url"
)

// videoPlatform asks the YouTube Data API, version 3 (https://developers.google.com/youtube/v3). The token is an API
// key. Subscriptions are seen if the member's channel shows them to everybody.
var videoPlatform = apiDriver{
	url:        "https://www.googleapis.com/youtube/v3",
	needsToken: true,
	headers: func(token string) map[string]string {
		return map[string]string{"X-Goog-Api-Key": token}
	},
	answers: map[string]apiAnswer{
		"video_platform_subscribe": {videoSubscription, []string{"videoPlatformChannelId"}},
		"video_platform_comment":   {videoComment, []string{"videoPlatformVideoId"}},
	},
}

// videoSubscription looks for the rule's channel among the subscriptions of the member's channel. A channel that hides
// them gets the status 403 and counts as one without.
func videoSubscription(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	var list struct{ Items []struct{ ID string } }
	status, err := s.get(ctx, "/subscriptions", url.Values{
		"part": {"id"}, "channelId": {q.Account.ID}, "forChannelId": {q.text("videoPlatformChannelId")}, "maxResults": {"1"},
	}, &list)
	if err != nil || status == 403 {
		return Finding{}, err
	}
	return Finding{Found: len(list.Items) > 0}, unexpected(status)
}

// videoThread is a comment with the replies to it.
type videoThread struct {
	Snippet struct {
		TopLevelComment videoCommentItem
	}
	Replies struct{ Comments []videoCommentItem }
}

// videoCommentItem is a comment on a video.
type videoCommentItem struct {
	ID      string
	Snippet struct {
		AuthorChannelID struct{ Value string } `json:"authorChannelId"`
		TextOriginal    string
		TextDisplay     string
	}
}

// text returns the text of a comment. Only its author sees the original.
func (c videoCommentItem) text() string {
	if c.Snippet.TextOriginal != "" {
		return c.Snippet.TextOriginal
	}
	return c.Snippet.TextDisplay
}

// videoComment looks for a comment of the member's channel on the rule's video, the latest first, that holds the text
// of the rule if there is one.
func videoComment(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	query := url.Values{
		"part": {"snippet,replies"}, "videoId": {q.text("videoPlatformVideoId")}, "maxResults": {"100"}, "order": {"time"},
		"textFormat": {"plainText"},
	}
	missing := MissingComment
	for {
		var page struct {
			NextPageToken string
			Items         []videoThread
		}
		status, err := s.get(ctx, "/commentThreads", query, &page)
		if err == nil && status == 403 { // comments are switched off
			return Finding{Missing: MissingComment}, nil
		}
		if err == nil {
			err = unexpected(status)
		}
		if err != nil {
			return Finding{}, err
		}
		for _, thread := range page.Items {
			for _, c := range append(thread.Replies.Comments, thread.Snippet.TopLevelComment) {
				if c.Snippet.AuthorChannelID.Value != q.Account.ID {
					continue
				}
				if q.HoldsText(c.text()) {
					return Finding{Found: true}, nil
				}
				missing = MissingText
			}
		}
		if page.NextPageToken == "" || s.calls >= maxCalls {
			return Finding{Missing: missing}, nil
		}
		query.Set("pageToken", page.NextPageToken)
	}
}
