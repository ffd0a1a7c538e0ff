package completion_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
)

// verifier is an endpoint of the operator that says whether members have earned rules.
type verifier struct {
	*httptest.Server
	mu    sync.Mutex
	say   http.HandlerFunc
	asked []string
}

func newVerifier(t *testing.T) *verifier {
	t.Helper()
	v := &verifier{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		v.asked = append(v.asked, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Authorization"))
		say := v.say
		v.mu.Unlock()
		say(w, r)
	}))
	t.Cleanup(v.Close)
	return v
}

// does sets how the endpoint responds from now on.
func (v *verifier) does(say http.HandlerFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.say = say
}

// takeAsked returns the requests since it was called last.
func (v *verifier) takeAsked() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	asked := v.asked
	v.asked = nil
	return asked
}

// answers returns a handler that writes a status and a body.
func answers(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}
}

// verifiedServer opens a server whose checks ask verifiers, by rule type, with members who have accounts of the
// platform.
func verifiedServer(t *testing.T, address string, checks map[string]object) *apptest.Server {
	t.Helper()
	drivers := map[string]object{}
	for ruleType, check := range checks {
		platform, _, _ := strings.Cut(ruleType, "_repo_")
		platform = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(platform, "_join"), "_comment"), "_wishlist")
		if drivers[platform] == nil {
			drivers[platform] = object{}
		}
		drivers[platform][ruleType] = check
	}
	var list []object
	for platform, byType := range drivers {
		list = append(list, object{"platform": platform, "checks": byType})
	}
	s := apptest.OpenAtNoon(t, address, app.Config{
		NoRateLimits: true, Dev: true, Identity: apptest.IdentityFile(t, object{"platforms": list}),
	})
	for _, wallet := range []string{apptest.Alice, apptest.Bob} {
		s.User(wallet, nil)
		for platform := range drivers {
			account := identity.VerifiedAccount{Platform: platform, ID: "a/b?" + wallet[36:], Name: "n " + wallet[36:]}
			_, err := s.App.Identity.ConnectAccount(t.Context(), s.WebsiteScope(), identity.Ref{Wallet: wallet}, account)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// TestAVerifierOfTheOperatorSaysWhoHasEarnedARule lets an endpoint say yes and no in every form.
func TestAVerifierOfTheOperatorSaysWhoHasEarnedARule(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		v := newVerifier(t)
		s := verifiedServer(t, address, map[string]object{"code_host_repo_star": {
			"url":    v.URL + "/stars/{platformId}?of={metadata.codeHostRepoUrl}&name={platformName}",
			"method": "POST", "path": "data.0.starred", "headers": object{"Authorization": apptest.PlatformSecret},
		}})
		const repository = "https://code.example/acme/x?y=1&z"
		decide := func(wallet string) (rule, outcome string) {
			t.Helper()
			rule = s.Rule("code_host_repo_star", object{"metadata": object{"codeHostRepoUrl": repository}})
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			s.RunCompletionJobs()
			return rule, processingStatus(s, rule, wallet)
		}
		const paid, refused = "completed: Completed", "failed: Quest not completed"
		points := 0
		for _, c := range []struct {
			status     int
			body, want string
		}{
			{200, `{"data":[{"starred":true}]}`, paid}, {200, `{"data":[{"starred":"since May"}]}`, paid},
			{201, `{"data":[{"starred":1}]}`, paid}, {200, `{"data":[{"starred":{"at":5}}]}`, paid}, {204, "", paid},
			{200, `{"data":[{"starred":false}]}`, refused}, {200, `{"data":[{"starred":0}]}`, refused},
			{200, `{"data":[{"starred":null}]}`, refused}, {200, `{"data":[{"starred":""}]}`, refused},
			{200, `{"data":[{}]}`, refused}, {200, `{"data":[]}`, refused}, {200, `[true]`, refused},
			{404, `{"data":[{"starred":true}]}`, refused},
		} {
			v.does(answers(c.status, c.body))
			_, got := decide(apptest.Alice)
			if c.want == paid {
				points += 10
			}
			if got != c.want || s.Balance(apptest.Alice) != fmt.Sprint(points) {
				t.Errorf("%d %s: %s, balance %s", c.status, c.body, got, s.Balance(apptest.Alice))
			}
		}
		v.takeAsked()
		v.does(answers(200, `{"data":[{"starred":true}]}`))
		if rule, got := decide(apptest.Bob); got != paid || s.Balance(apptest.Bob) != "10" {
			t.Errorf("%s: %s", rule, got)
		}
		id := apptest.Bob[36:]
		want := "POST /stars/a%2Fb%3F" + id + "?of=https%3A%2F%2Fcode.example%2Facme%2Fx%3Fy%3D1%26z&name=n+" + id + " " +
			apptest.PlatformSecret
		if asked := v.takeAsked(); len(asked) != 1 || strings.ReplaceAll(asked[0], "n%20", "n+") != want {
			t.Errorf("asked %q, not %q", asked, want)
		}
		s.Sound()
	})
}

// TestAVerifierThatGivesNoAnswerCostsNobodyAReward lets endpoints give every kind of answer that says nothing, and then
// a good one.
func TestAVerifierThatGivesNoAnswerCostsNobodyAReward(t *testing.T) {
	t.Parallel()
	const slow, invalid = "Provider did not answer in time", "Provider did not give a valid answer"
	long := `{"value":true,"rest":"` + strings.Repeat("x", 1<<20) + `"}`
	silent := []struct {
		ruleType string
		say      http.HandlerFunc
		message  string
	}{
		{"messenger_join", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, slow},
		{"code_host_repo_fork", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, slow},
		{"code_host_repo_star", answers(503, `{"value":true}`), slow},
		{"code_host_repo_collaborator", answers(200, `<html>value</html>`), invalid},
		{"forum_platform_comment", answers(403, `{"value":true}`), invalid},
		{"game_store_wishlist", answers(200, long), invalid},
	}
	storetest.EachURL(t, func(t *testing.T, address string) {
		verifiers, checks := map[string]*verifier{}, map[string]object{}
		for _, c := range silent {
			v := newVerifier(t) // a host of its own: another's failures do not open its breaker
			v.does(c.say)
			verifiers[c.ruleType] = v
			checks[c.ruleType] = object{"url": v.URL + "/{platformId}", "path": "value"}
		}
		s := verifiedServer(t, address, checks)
		for i, c := range silent {
			v, rule := verifiers[c.ruleType], s.Rule(c.ruleType, nil)
			body := object{"walletAddress": apptest.Alice}
			asked := s.Complete(rule, apptest.Over(body, object{"verifyOnly": true}))
			if asked.Status != 503 || asked.JSON()["message"] != c.message || asked.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %s", c.ruleType, asked.Status, asked.Body)
			}
			s.Complete(rule, body).OK()
			pause := time.Duration(0)
			if c.ruleType != "messenger_join" { // its answer would be waited for once more
				s.RunCompletionJobs()
				pause = 15 * time.Second
			}
			if got := processingStatus(s, rule, apptest.Alice); got != "pending: Completion request added to queue" {
				t.Errorf("%s, while it is silent: %s", c.ruleType, got)
			}
			v.does(answers(200, `{"value":true}`))
			s.Clock.Advance(pause)
			s.RunCompletionJobs()
			got, balance := processingStatus(s, rule, apptest.Alice), s.Balance(apptest.Alice)
			if got != "completed: Completed" || balance != fmt.Sprint(10*(i+1)) {
				t.Errorf("%s, later: %s, balance %s, asked %q", c.ruleType, got, balance, v.takeAsked())
			}
		}
		lost := s.Rule("game_store_wishlist", nil)
		verifiers["game_store_wishlist"].does(answers(200, long))
		s.Complete(lost, object{"walletAddress": apptest.Bob}).OK()
		for _, pause := range []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute, 0} {
			s.RunCompletionJobs()
			s.Clock.Advance(pause)
		}
		if got := processingStatus(s, lost, apptest.Bob); got != "failed: "+invalid || s.Balance(apptest.Bob) != "" {
			t.Errorf("after five attempts: %s, balance %q", got, s.Balance(apptest.Bob))
		}
		s.Sound()
	})
}
