package platforms

import (
	"context"
	"net/url"
	"strings"
)

// shortVideo asks the oEmbed endpoint of TikTok (https://developers.tiktok.com/doc/embed-videos), which needs no token.
// It shows the caption and the author of a video, and not when it was made.
var shortVideo = apiDriver{
	url: "https://www.tiktok.com",
	answers: map[string]apiAnswer{
		"short_video_post": {shortVideoPost, nil},
	},
}

// shortVideoPost reads the video of the content url. Its author is known by name, so an account that was connected by
// its id is compared by its name.
func shortVideoPost(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	if q.ContentURL == "" {
		return Finding{Missing: MissingPost}, nil
	}
	var video struct {
		Title      string `json:"title"`
		AuthorName string `json:"author_unique_id"`
		ID         string `json:"embed_product_id"`
	}
	status, err := s.get(ctx, "/oembed", url.Values{"url": {q.ContentURL}}, &video)
	switch {
	case err != nil:
		return Finding{}, err
	case status == 400 || status == 404 || video.ID == "" && status == 200:
		return Finding{Missing: MissingPost}, nil
	case status != 200:
		return Finding{}, unexpected(status)
	}
	author := video.AuthorName
	if strings.EqualFold(author, q.Account.Name) && q.Account.ID != "" {
		author = q.Account.ID
	}
	return Finding{Found: true, Post: &Post{ID: video.ID, AuthorID: author, Text: video.Title, HasMedia: true}}, nil
}
