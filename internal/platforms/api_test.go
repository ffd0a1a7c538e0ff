package platforms_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// recording is the double of a public API: exchanges as its documentation shows them, with its limits and errors.
type recording struct {
	Source    string
	Headers   map[string]string // of every request
	Exchanges []struct {
		Request         string // method, path and query
		Status          int
		ResponseHeaders map[string]string
		Body            json.RawMessage
	}
}

// openRecording starts the double of a platform's API. A request that was not recorded fails the test.
func openRecording(t *testing.T, platform string) *httptest.Server {
	t.Helper()
	text, err := os.ReadFile("testdata/" + platform + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		for name, value := range r.Headers {
			if request.Header.Get(name) != value {
				t.Errorf("%s: the header %s is %q", request.URL, name, request.Header.Get(name))
			}
		}
		for _, e := range r.Exchanges {
			if e.Request != request.Method+" "+request.URL.RequestURI() {
				continue
			}
			for name, value := range e.ResponseHeaders {
				w.Header().Set(name, value)
			}
			w.WriteHeader(e.Status)
			_, _ = w.Write(e.Body)
			return
		}
		t.Errorf("not recorded: %s %s", request.Method, request.URL.RequestURI())
		w.WriteHeader(http.StatusNotImplemented)
	}))
	t.Cleanup(server.Close)
	return server
}

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// question is a question of a test: the account, the metadata of the rule as JSON, and what is expected.
type question struct {
	ruleType, account, metadata, contentURL string
	want                                    string
}

// ask asks the double of a platform about each question with a client of its own.
func ask(t *testing.T, platform string, questions []question) {
	t.Helper()
	server := openRecording(t, platform)
	d := &platforms.Driver{Platform: platform, API: &platforms.API{URL: server.URL, Token: "t0ken"}}
	for _, q := range questions {
		client := platforms.NewClient(outbound.New(outbound.Options{Trusted: true}), func() time.Time { return noon })
		if got := findingText(askOne(t, client, d, q)); got != q.want {
			t.Errorf("%s of %s with %s %s: %s, not %s", q.ruleType, q.account, q.metadata, q.contentURL, got, q.want)
		}
	}
}

// askOne asks one question.
func askOne(t *testing.T, client *platforms.Client, d *platforms.Driver, q question) (platforms.Finding, error) {
	t.Helper()
	metadata := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(q.metadata), &metadata); q.metadata != "" && err != nil {
		t.Fatal(err)
	}
	if !client.Answers(d, q.ruleType, metadata) {
		return platforms.Finding{}, errors.New("not set up")
	}
	return client.Ask(context.Background(), d, platforms.Question{
		RuleType: q.ruleType, Account: platforms.Account{ID: q.account, Name: "name"}, ContentURL: q.contentURL,
		Metadata: metadata, Since: noon, Until: noon.Add(4 * time.Hour), Hashtag: "#Laurel", Texts: []string{"laurel"},
	})
}

// findingText describes a finding in short.
func findingText(f platforms.Finding, err error) string {
	var fault *outbound.Fault
	switch {
	case errors.As(err, &fault):
		return fault.Error()
	case errors.Is(err, platforms.ErrNoAnswer):
		return "no answer"
	case err != nil:
		return err.Error()
	}
	text := fmt.Sprint(f.Found)
	if f.Value != nil {
		text += " " + f.Value.String()
	}
	if f.Text != nil {
		text += " " + *f.Text
	}
	if f.Post != nil {
		text += fmt.Sprint(" ", f.Post.ID, " by ", f.Post.AuthorID)
	}
	if !f.Found && f.Missing != "" {
		text += " " + string(f.Missing)
	}
	if f.Stats != nil {
		text += fmt.Sprint(" ", *f.Stats.Likes, "/", *f.Stats.Comments, "/", *f.Stats.Reposts)
	}
	return text
}

func TestTheCodeHostIsAsked(t *testing.T) {
	t.Parallel()
	repository := func(name, more string) string {
		return `{"codeHostRepoUrl":"https://code.example/` + name + `"` + more + `}`
	}
	ask(t, "code_host", []question{
		{"code_host_repo_star", "583231", repository("octocat/spoon-knife.git", ""), "", "true"},
		{"code_host_repo_star", "583231", repository("acme/other", ""), "", "false"},
		{"code_host_repo_star", "404404", repository("acme/other", ""), "", "false"},
		{"code_host_repo_star", "583231", repository("", ""), "", "false"},
		{"code_host_repo_star", "583231", `{}`, "", "not set up"},
		{"code_host_repo_fork", "583231", repository("acme/spoon-knife", ""), "", "true"},
		{"code_host_repo_fork", "583231", repository("acme/other", ""), "", "true"},
		{"code_host_repo_fork", "583231", repository("acme/own", ""), "", "false"},
		{"code_host_repo_collaborator", "583231", repository("acme/spoon-knife", ""), "", "true"},
		{"code_host_repo_collaborator", "583231", repository("acme/own", ""), "", "false"},
		{"code_host_repo_collaborator", "583231", repository("acme/secret", ""), "", "no answer"},
		{"code_host_merge_request", "583231", repository("acme/spoon-knife", `,"codeHostBranchName":"main"`), "", "true 3"},
		{"code_host_merge_request", "583231", repository("acme/gone", ""), "", "false 0"},
		{"code_host_merge_request", "583231", repository("acme/slow", ""), "", "no answer"},
		{"code_host_merge_request", "583231", repository("acme/limited", ""), "", "answered with status 429"},
	})
}

func TestTheChatServerIsAsked(t *testing.T) {
	t.Parallel()
	const member = "80351110224678912"
	servers := func(list string) string { return `{"chatServersToJoin":[` + list + `]}` }
	ask(t, "chat_server", []question{
		{"chat_server_join", member, servers(`{"id":"41771983423143937"}`), "", "true"},
		{"chat_server_join", member, servers(`{"id":"41771983423143937"},{"id":"41771983423143938"}`), "", "false"},
		{"chat_server_join", member, servers(`{"id":"50000000000000000"}`), "", "no answer"},
		{"chat_server_join", member, servers(``), "", "not set up"},
		{"chat_server_join", member, servers(`{"id":"60000000000000000"}`), "", "answered with status 429"},
		{"chat_server_member", member, servers(`{"id":"41771983423143937"}`), "", "true"},
		{"chat_server_member", member, servers(`{"id":"41771983423143937","roles":[{"id":"1"},{"id":"156"}]}`), "", "true"},
		{"chat_server_member", member, servers(`{"id":"41771983423143937","roles":[{"id":"1"}]}`), "", "false"},
		{"chat_server_member", member, servers(`{"id":"41771983423143938","roles":[{"id":"156"}]}`), "", "false"},
		{"chat_server_role_grant", member, servers(`{"id":"41771983423143937","roles":[{"id":"155"},{"id":"157"}]}`), "", "true"},
		{"chat_server_role_grant", member, servers(`{"id":"41771983423143937","roles":[{"id":"158"}]}`), "", "no answer"},
		{"chat_server_role_grant", member, servers(`{"id":"41771983423143938","roles":[{"id":"157"}]}`), "", "false"},
		{"chat_server_messages", member, servers(`{"id":"41771983423143937","channels":[{"id":"81"}]}`), "", "true 41"},
		{"chat_server_messages", member, servers(`{"id":"41771983423143937","channels":[{"id":"82","text":"gm"}]}`), "", "true 2"},
		{
			"chat_server_messages", member,
			servers(`{"id":"41771983423143937","channels":[{"id":"81"},{"id":"82","text":"gm","emojis":[{"id":"99"}]}]}`),
			"", "true 42",
		},
		{"chat_server_messages", member, servers(`{"id":"41771983423143937","channels":[{"id":"83"}]}`), "", "no answer"},
		// stored before it was checked
		{"chat_server_join", member, servers(`{"id":"41771983423143937","channels":"x","roles":5},{"id":6}`), "", "true"},
		{"chat_server_member", member, servers(`{"id":"41771983423143937","roles":[{"id":""},{"id":7},{"id":"156"}]}`), "", "true"},
		{"chat_server_member", member, servers(`{"id":"41771983423143937","roles":[{"id":""}]}`), "", "false"},
		{"chat_server_role_grant", member, servers(`{"id":"41771983423143937","roles":[{"id":""},{"id":"155"},{}]}`), "", "true"},
		{
			"chat_server_messages", member,
			servers(`{"id":"41771983423143937","channels":[{"id":"82","text":"gm","emojis":[{},{"id":"99"}]}]}`), "", "true 1",
		},
	})
}

func TestTheVideoPlatformIsAsked(t *testing.T) {
	t.Parallel()
	ask(t, "video_platform", []question{
		{"video_platform_subscribe", "UCmember", `{"videoPlatformChannelId":"UCours"}`, "", "true"},
		{"video_platform_subscribe", "UCmember", `{"videoPlatformChannelId":"UCother"}`, "", "false"},
		{"video_platform_subscribe", "UCprivate", `{"videoPlatformChannelId":"UCours"}`, "", "false"},
		{"video_platform_subscribe", "UCmember", `{}`, "", "not set up"},
		{"video_platform_comment", "UCmember", `{"videoPlatformVideoId":"v1"}`, "", "true"},
		{"video_platform_comment", "UCnobody", `{"videoPlatformVideoId":"v1"}`, "", "false comment"},
		{"video_platform_comment", "UCmember", `{"videoPlatformVideoId":"v2"}`, "", "false comment"},
		{"video_platform_comment", "UCmember", `{"videoPlatformVideoId":"v3"}`, "", "false comment"},
	})
}

func TestTheMessengerIsAsked(t *testing.T) {
	t.Parallel()
	ask(t, "messenger", []question{
		{"messenger_join", "1", `{"messengerChannelId":"@laurel"}`, "", "true"},
		{"messenger_join", "2", `{"messengerChannelId":"@laurel"}`, "", "false"},
		{"messenger_join", "3", `{"messengerChannelId":"@laurel"}`, "", "true"},
		{"messenger_join", "4", `{"messengerChannelId":"@laurel"}`, "", "false"},
		{"messenger_join", "1", `{"messengerChannelId":"@gone"}`, "", "no answer"},
		{"messenger_join", "1", `{"messengerChannelId":"@busy"}`, "", "answered with status 429"},
		{"messenger_messages", "1", `{"messengerChannelId":"@laurel"}`, "", "not set up"},
	})
}

func TestTheGameStoreAndShortVideosAreAsked(t *testing.T) {
	t.Parallel()
	ask(t, "game_store", []question{
		{"game_store_wishlist", "76561197960287930", `{"gameStoreAppId":"570"}`, "", "true"},
		{"game_store_wishlist", "76561197960287930", `{"gameStoreAppId":"10"}`, "", "false"},
		{"game_store_wishlist", "76561197960287931", `{"gameStoreAppId":"570"}`, "", "false"},
	})
	ask(t, "short_video", []question{
		{
			"short_video_post", "id", `{}`, "https://v.example/@scout2015/video/6718335390845095173",
			"true 6718335390845095173 by scout2015",
		},
		{"short_video_post", "id", `{}`, "https://v.example/gone", "false post"},
		{"short_video_post", "id", `{}`, "", "false post"},
		{"short_video_follow", "id", `{}`, "", "not set up"},
	})
}

func TestTheMicroblogIsAsked(t *testing.T) {
	t.Parallel()
	const ann, ours, reply = "6253282", "https://m.example/our/status/1460323737035677698",
		"https://m.example/ann/status/1460323737035677699"
	about := func(more string) string { return `{"microblogPostUrl":"` + ours + `"` + more + `}` }
	ask(t, "microblog", []question{
		{"microblog_follow", ann, `{"microblogUserId":"2244994945"}`, "", "true"},
		{"microblog_follow", ann, `{"microblogAccountUrl":"https://m.example/our_account"}`, "", "true"},
		{"microblog_follow", ann, `{"microblogUserId":"3"}`, "", "false follow"},
		{"microblog_follow", "403", `{"microblogUserId":"3"}`, "", "no answer"},
		{"microblog_follow", "429", `{"microblogUserId":"3"}`, "", "answered with status 429"},
		{"microblog_follow", ann, `{}`, "", "not set up"},
		{"microblog_post", ann, `{}`, ours, "true 1460323737035677698 by 2244994945"},
		{"microblog_post", ann, `{}`, "https://m.example/x/404", "false post"},
		{"microblog_post", ann, `{}`, "https://m.example/x/..%2Fusers", "false post"},
		{"microblog_post", ann, `{}`, "", "true 4 by 6253282"},
		{"microblog_post_hashtag", ann, `{"microblogHashtag":"laurel"}`, "", "true 2"},
		{"microblog_post_hashtag", ann, `{"microblogHashtag":"laurel"}`, reply, "true 1460323737035677699 by 6253282"},
		{"microblog_text_in_bio", ann, `{}`, "", "true Member of Laurel"},
		{"microblog_text_in_bio", "404", `{}`, "", "false text"},
		{"microblog_text_in_name", ann, `{}`, "", "true Ann 🌿 Laurel"},
		{"microblog_text_in_comment", ann, about(""), reply, "true 1460323737035677699 by 6253282"},
		{"microblog_comment", ann, about(""), reply, "true 1460323737035677699 by 6253282"},
		{"microblog_comment", ann, about(""), ours, "false comment"},
		{"microblog_comment", ann, about(""), "", "true 1460323737035677699 by 6253282"},
		{"microblog_repost", ann, about(""), "", "true"},
		{"microblog_repost", ann, `{"microblogPostUrl":"` + reply + `"}`, "", "false repost"},
		{"microblog_reaction", ann, about(`,"checkRepost":true,"checkComment":true,"checkLike":true`), reply, "true 39/3/8"},
		{"microblog_reaction", "77", about(`,"checkRepost":true`), "", "false repost 39/3/8"},
		{"microblog_reaction", "77", about(`,"checkRepost":true,"maxReposts":8`), "", "true 39/3/8"},
		{"microblog_reaction", "77", about(`,"checkComment":true,"maxComments":4`), reply, "false 39/3/8"},
		{"microblog_followers", ann, `{}`, "", "true 250"},
		{"microblog_followers", "404", `{}`, "", "false"},
		{"microblog_liked_by_project", ann, `{"microblogUserId":"2244994945"}`, "", "true"},
		{"microblog_liked_by_project", "77", `{"microblogUserId":"2244994945"}`, "", "false"},
		{"post_impressions", ann, `{}`, ours, "true 1200 1460323737035677698 by 2244994945"},
		{"post_impressions", ann, `{}`, "", "true 1060"},
		{"post_impressions", ann, `{"rewardQualityPosts":true}`, "", "true 60"},
		{"post_impressions", ann, `{"rewardQualityPosts":true,"rewardCriteria":"ELIGIBLE_POST"}`, "", "true 3"},
	})
}

func TestTheForumIsAsked(t *testing.T) {
	t.Parallel()
	ask(t, "forum_platform", []question{
		{
			"forum_platform_comment", "id", `{"forumPlatformPostId":"15bfi0"}`,
			"https://f.example/r/laurel/comments/15bfi0/hello/c7", "true c7 by id",
		},
		{
			"forum_platform_comment", "id", `{"forumPlatformPostId":"other"}`,
			"https://f.example/r/laurel/comments/15bfi0/hello/c7", "false comment",
		},
		{"forum_platform_comment", "id", `{"forumPlatformPostId":"15bfi0"}`, "https://f.example/x/gone", "false comment"},
		{"forum_platform_comment", "id", `{"forumPlatformPostId":"t3_15bfi0"}`, "", "true c7 by id"},
		{"forum_platform_comment", "id", `{"forumPlatformPostId":"15bfi1"}`, "", "false text"},
		{"forum_platform_comment", "id", `{}`, "", "not set up"},
	})
}

func TestAnAPIIsLeftAloneUntilItsLimitIsReset(t *testing.T) {
	t.Parallel()
	server := openRecording(t, "microblog")
	d := &platforms.Driver{Platform: "microblog", API: &platforms.API{URL: server.URL, Token: "t0ken"}}
	now := noon
	client := platforms.NewClient(outbound.New(outbound.Options{Trusted: true}), func() time.Time { return now })
	limited := question{ruleType: "microblog_follow", account: "429", metadata: `{"microblogUserId":"3"}`}
	other := question{ruleType: "microblog_text_in_bio", account: "6253282"}
	if got := findingText(askOne(t, client, d, limited)); got != "answered with status 429" {
		t.Error(got)
	}
	if got := findingText(askOne(t, client, d, other)); got != "answered with status 429" {
		t.Errorf("before the reset: %s", got)
	}
	now = noon.Add(2 * time.Minute) // x-rate-limit-reset
	if got := findingText(askOne(t, client, d, other)); got != "true Member of Laurel" {
		t.Errorf("after the reset: %s", got)
	}
}

// TestFollowersAreReadOnceInTenMinutes asks about accounts whose followers grow with each request.
func TestFollowersAreReadOnceInTenMinutes(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = fmt.Fprintf(w, `{"data":{"id":"1","public_metrics":{"followers_count":%d}}}`, asked)
	}))
	t.Cleanup(server.Close)
	d := &platforms.Driver{Platform: "microblog", API: &platforms.API{URL: server.URL, Token: "t0ken"}}
	now := noon
	client := platforms.NewClient(outbound.New(outbound.Options{Trusted: true}), func() time.Time { return now })
	for i, step := range []struct {
		after   time.Duration
		account string
		want    string
	}{
		{0, "1", "true 1"}, {0, "1", "true 1"}, {0, "2", "true 2"}, {9 * time.Minute, "1", "true 1"},
		{time.Minute, "1", "true 3"}, {0, "2", "true 4"},
	} {
		now = now.Add(step.after)
		q := question{ruleType: "microblog_followers", account: step.account}
		if got := findingText(askOne(t, client, d, q)); got != step.want {
			t.Errorf("%d: %s, not %s", i, got, step.want)
		}
	}
}

// TestNoErrorTellsACredentialInThePath asks the messenger, whose API takes the token there, while it is not reached,
// while it breaks off, and at an address that is none.
func TestNoErrorTellsACredentialInThePath(t *testing.T) {
	t.Parallel()
	breakOff := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	broken := httptest.NewServer(http.HandlerFunc(breakOff))
	t.Cleanup(broken.Close)
	for _, address := range []string{"http://127.0.0.1:1", broken.URL, "http://127.0.0.1:port"} {
		client := platforms.NewClient(outbound.New(outbound.Options{Trusted: true}), func() time.Time { return noon })
		d := &platforms.Driver{Platform: "messenger", API: &platforms.API{URL: address, Token: "t0ken"}}
		_, err := askOne(t, client, d, question{
			ruleType: "messenger_join", account: "1", metadata: `{"messengerChannelId":"@laurel"}`,
		})
		var fault *outbound.Fault
		if text := fmt.Sprintf("%v %+v", err, err); !errors.As(err, &fault) || strings.Contains(text, "t0ken") {
			t.Errorf("%s: %s", address, text)
		}
	}
}
