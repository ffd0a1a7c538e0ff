package platforms

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// forumPlatform asks the Data API of Reddit (https://www.reddit.com/dev/api) as an application without a user
// (https://github.com/reddit-archive/reddit/wiki/OAuth2, "Application Only OAuth"). The token is the id and the secret
// of the application with a colon between them.
var forumPlatform = apiDriver{
	url:        "https://oauth.reddit.com",
	tokenURL:   "https://www.reddit.com/api/v1/access_token",
	needsToken: true,
	answers: map[string]apiAnswer{
		"forum_platform_comment": {forumComment, []string{"forumPlatformPostId"}},
	},
}

// forumCommentItem is a comment as the API shows it.
type forumCommentItem struct {
	ID      string  `json:"id"`
	Author  string  `json:"author"`
	Body    string  `json:"body"`
	Link    string  `json:"link_id"` // t3_ and the id of the post
	Created float64 `json:"created_utc"`
}

// forumListing is a page of comments.
type forumListing struct {
	Data struct {
		After    string `json:"after"`
		Children []struct {
			Data forumCommentItem `json:"data"`
		} `json:"children"`
	} `json:"data"`
}

// forumComment finds the comment of the content url, which must stand below the post of the rule. Without one it looks
// through the latest comments of the account, for one with the text of the rule if there is one.
func forumComment(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	post := "t3_" + strings.TrimPrefix(q.text("forumPlatformPostId"), "t3_")
	if q.ContentURL != "" {
		page, err := readForum(ctx, s, "/api/info", url.Values{"id": {"t1_" + ContentID(q.ContentURL)}})
		if err != nil || len(page.Data.Children) == 0 || page.Data.Children[0].Data.Link != post {
			return Finding{Missing: MissingComment}, err
		}
		return page.Data.Children[0].Data.finding(q), nil
	}
	if q.Account.Name == "" {
		return Finding{Missing: MissingComment}, nil
	}
	missing, query := MissingComment, url.Values{"limit": {"100"}, "sort": {"new"}}
	for {
		page, err := readForum(ctx, s, "/user/"+url.PathEscape(q.Account.Name)+"/comments", query)
		if err != nil {
			return Finding{}, err
		}
		for _, child := range page.Data.Children {
			switch c := child.Data; {
			case c.Link != post:
			case q.HoldsText(c.Body):
				return c.finding(q), nil
			default:
				missing = MissingText
			}
		}
		if page.Data.After == "" || s.calls >= maxCalls {
			return Finding{Missing: missing}, nil
		}
		query.Set("after", page.Data.After)
	}
}

// finding returns the comment as a finding. Its author is known by name.
func (c forumCommentItem) finding(q Question) Finding {
	author := c.Author
	if strings.EqualFold(author, q.Account.Name) && q.Account.ID != "" {
		author = q.Account.ID
	}
	at := time.UnixMilli(int64(c.Created * 1000)).UTC()
	return Finding{Found: true, Post: &Post{ID: c.ID, AuthorID: author, Text: c.Body, CreatedAt: at}}
}

// readForum reads a page of comments, with an access token that is kept until shortly before it ends.
func readForum(ctx context.Context, s *apiSession, path string, query url.Values) (forumListing, error) {
	var page forumListing
	token, err := s.forumToken(ctx)
	if err != nil {
		return page, err
	}
	status, body, err := s.call(ctx, apiRequest{
		path: path, query: query, headers: map[string]string{"Authorization": "Bearer " + token},
	})
	if err == nil {
		err = unexpected(status)
	}
	if err == nil && status == 200 && json.Unmarshal(body, &page) != nil {
		err = ErrNoAnswer
	}
	return page, err
}

// forumToken returns an access token of the application.
func (s *apiSession) forumToken(ctx context.Context) (string, error) {
	key, now := s.api.URL+" "+s.api.Token, s.client.now()
	if token, ok := s.client.tokens.get(key, now); ok {
		return token, nil
	}
	status, body, err := s.call(ctx, apiRequest{
		method: "POST", address: s.tokenURL(), body: []byte("grant_type=client_credentials"), headers: map[string]string{
			"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte(s.api.Token)),
			"Content-Type":  "application/x-www-form-urlencoded",
		},
	})
	var answer struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int64  `json:"expires_in"` // seconds
	}
	switch {
	case err != nil:
		return "", err
	case status != 200 || json.Unmarshal(body, &answer) != nil || answer.AccessToken == "":
		return "", fmt.Errorf("%w: no access token, status %d", ErrNoAnswer, status)
	}
	s.client.tokens.set(key, answer.AccessToken, now.Add(time.Duration(answer.ExpiresIn)*time.Second-time.Minute))
	return answer.AccessToken, nil
}
