package completion_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
)

// TestABuiltInDriverChecksReactionsAndStoresTheirStats asks the built-in driver of the microblog, whose API is as its
// recording shows it (platforms/testdata).
func TestABuiltInDriverChecksReactionsAndStoresTheirStats(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case r.Header.Get("Authorization") != "Bearer t0ken":
			w.WriteHeader(http.StatusUnauthorized)
		case path == "/tweets/100":
			_, _ = fmt.Fprint(w, `{"data":{"id":"100","author_id":"1","text":"post","created_at":"2026-01-15T10:00:00.000Z",
				"conversation_id":"100","public_metrics":{"like_count":39,"reply_count":3,"retweet_count":8}}}`)
		case path == "/tweets/200":
			_, _ = fmt.Fprint(w, `{"data":{"id":"200","author_id":"7","text":"comment","created_at":"2026-01-15T11:00:00.000Z",
				"conversation_id":"100","referenced_tweets":[{"type":"replied_to","id":"100"}]}}`)
		case path == "/tweets/100/retweeted_by":
			_, _ = fmt.Fprint(w, `{"data":[{"id":"7","name":"A","username":"a"}],"meta":{"result_count":1}}`)
		case strings.HasPrefix(path, "/tweets/"):
			_, _ = fmt.Fprint(w, `{"errors":[{"title":"Not Found Error"}]}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(api.Close)
	file := apptest.WriteConfig(t, `{"platforms":[{"platform":"microblog","label":"Our microblog","api":{"url":"`+api.URL+`","token":"t0ken"}}]}`)
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Identity: file})
		metadata := object{
			"microblogPostUrl": "https://m.example/our/status/100", "checkRepost": true, "checkComment": true,
			"reactionStats": object{"likeCount": 1},
		}
		rule := s.Rule("microblog_reaction", object{"metadata": metadata})
		stats := func() any {
			return s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]["metadata"].(object)["reactionStats"]
		}
		if got := stats(); got != nil {
			t.Errorf("a caller wrote %v", got)
		}
		for wallet, id := range map[string]string{"w": "7", "v": "8"} {
			s.User(wallet, nil)
			account := identity.VerifiedAccount{Platform: "microblog", ID: id, Name: wallet}
			if _, err := s.App.Identity.ConnectAccount(t.Context(), s.WebsiteScope(), identity.Ref{Wallet: wallet}, account); err != nil {
				t.Fatal(err)
			}
		}
		before := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]["updatedAt"]
		s.Clock.Advance(time.Second)
		for wallet, want := range map[string]string{"w": "completed: Completed", "v": "failed: Repost not found"} {
			body := object{"walletAddress": wallet, "contentUrl": "https://m.example/a/status/200"}
			s.Complete(rule, body).OK()
			s.RunCompletionJobs()
			if got := processingStatus(s, rule, wallet); got != want {
				t.Errorf("%s: %s", wallet, got)
			}
		}
		got, _ := stats().(object)
		if apptest.Spaced(got["likeCount"], got["commentCount"], got["repostCount"]) != "39 3 8" || got["syncedAt"] == nil {
			t.Errorf("%v", got)
		}
		if after := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]["updatedAt"]; after != before {
			t.Errorf("updated at %v, then %v", before, after)
		}
		s.Update(rule, object{"metadata": apptest.Over(metadata, object{"maxReposts": 8})})
		if stats() == nil {
			t.Error("an edit removed the stats")
		}
		s.Complete(rule, object{"walletAddress": "v", "contentUrl": "https://m.example/a/status/201"}).OK()
		s.RunCompletionJobs()
		if got := processingStatus(s, rule, "v"); got != "failed: Comment not found" {
			t.Error(got)
		}
		if edits := s.Get("/api/loyalty/rule_edits?loyaltyRuleId=" + rule).Data(); len(edits) != 2 {
			t.Errorf("%d edits", len(edits))
		}
		other := s.Rule("microblog_repost", nil)
		s.Complete(other, object{"walletAddress": "w"}).Refused(400, "Rule is not setup")
		s.Sound()
	})
}
