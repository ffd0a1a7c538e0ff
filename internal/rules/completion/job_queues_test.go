package completion_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
)

// eachPlatformServer runs the test on both engines, with a rule of a platform, a member who has earned it, and the
// member's account there.
func eachPlatformServer(
	t *testing.T, f func(s *apptest.Server, platform *apptest.Platform, db apptest.Database, rule string),
) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		platform := apptest.NewPlatform(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Identity: platform.ConfigFile(t, nil)})
		p := &platformTest{
			platformCase: platformCases["code_host_repo_star"], Server: s, t: t, platform: platform,
			ruleType: "code_host_repo_star",
		}
		p.byURL = false
		rule := p.create(nil)
		s.User("w", nil)
		p.connect("w", "9001")
		p.earn("9001")
		f(s, platform, apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}, rule)
		s.Sound()
	})
}

// queueMetric returns the value of a metric of a queue, as the server shows it.
func queueMetric(s *apptest.Server, name, queue string) string {
	s.T.Helper()
	body := s.Call("", "GET", "/metrics", nil).Body
	for line := range strings.Lines(body) {
		if value, found := strings.CutPrefix(line, `laurel_queue_`+name+`{queue="`+queue+`"} `); found {
			return strings.TrimSpace(value)
		}
	}
	s.T.Fatalf("no metric %s of the queue %s", name, queue)
	return ""
}

func TestEachKindOfProviderHasItsOwnQueueOfJobs(t *testing.T) {
	t.Parallel()
	eachPlatformServer(t, func(s *apptest.Server, platform *apptest.Platform, db apptest.Database, star string) {
		click := link(s, nil, nil)
		s.Complete(click, object{"walletAddress": "w"}).OK()
		s.Complete(star, object{"walletAddress": "w"}).OK()
		s.Clock.Advance(time.Minute)
		for queue, want := range map[string]string{"clicks": "1", "platform_jobs": "1", "function_jobs": "0"} {
			if got := queueMetric(s, "due", queue); got != want {
				t.Errorf("%s items of %s are due", got, queue)
			}
		}
		platform.Fail(401)
		if n := s.RunCompletionJobs(); n != 2 || s.Balance("w") != "10" {
			t.Errorf("%d jobs, balance %q", n, s.Balance("w"))
		}
		for queue, want := range map[string]string{"clicks": "0", "platform_jobs": "1", "function_jobs": "0"} {
			if got := queueMetric(s, "failed_total", queue); got != want {
				t.Errorf("%s attempts of %s failed", got, queue)
			}
		}
		platform.Fail(0)
		s.Clock.Advance(time.Hour)
		if n := s.RunCompletionJobs(); n != 1 || s.Balance("w") != "20" {
			t.Errorf("%d jobs, balance %q", n, s.Balance("w"))
		}
		if n := db.Count("rule_jobs WHERE provider = 'platform' AND status = 'completed'"); n != 1 {
			t.Errorf("%d jobs of platforms", n)
		}
	})
}

// TestJobsOfNodesOfTheFormerVersionAreDecided covers jobs without a provider, which those nodes store in an upgrade.
func TestJobsOfNodesOfTheFormerVersionAreDecided(t *testing.T) {
	t.Parallel()
	eachPlatformServer(t, func(s *apptest.Server, _ *apptest.Platform, db apptest.Database, star string) {
		s.Complete(star, object{"walletAddress": "w"}).OK()
		db.Exec("UPDATE rule_jobs SET provider = ''")
		if n := s.RunCompletionJobs(); n != 1 || s.Balance("w") != "10" {
			t.Errorf("%d jobs, balance %q", n, s.Balance("w"))
		}
	})
}

// TestASlowPlatformIsAskedOnceByTwoNodes lets one node work on more members than it asks about at once, while each
// answer takes its time. Another node begins when the lease of the first members would have ended.
func TestASlowPlatformIsAskedOnceByTwoNodes(t *testing.T) {
	t.Parallel()
	const members, answerTime, leaseTime = 40, 2500 * time.Millisecond, time.Minute
	platform := apptest.NewPlatform(t)
	nodes, _ := apptest.NodesWith(t, app.Config{NoRateLimits: true, Identity: platform.ConfigFile(t, nil)})
	slow, other := nodes[0], nodes[1]
	rule := slow.Rule("code_host_repo_star", nil)
	for i := range members {
		wallet := fmt.Sprint("w", i)
		slow.User(wallet, nil)
		_, err := slow.App.Identity.ConnectAccount(t.Context(), slow.WebsiteScope(), identity.Ref{Wallet: wallet},
			identity.VerifiedAccount{Platform: "code_host", ID: wallet, Name: wallet})
		if err != nil {
			t.Fatal(err)
		}
		platform.Know("code_host_repo_star", wallet, true)
		slow.Complete(rule, object{"walletAddress": wallet}).OK()
	}
	var mu sync.Mutex
	var working sync.WaitGroup
	asked, otherHasBegun := map[string]int{}, false
	ask := func(path string) (isLate bool) {
		mu.Lock()
		defer mu.Unlock()
		asked[path]++
		if otherHasBegun {
			return true
		}
		slow.Clock.Advance(answerTime)
		if time.Duration(len(asked))*answerTime > leaseTime {
			otherHasBegun = true
			working.Go(func() { other.RunCompletionJobs() })
		}
		return otherHasBegun
	}
	platform.OnCall = func(path string) {
		if ask(path) {
			time.Sleep(500 * time.Millisecond) // until the other node has leased what is due
		}
	}
	for range members { // more rounds than are needed
		slow.RunCompletionJobs()
	}
	working.Wait()
	platform.OnCall = nil
	for slow.RunCompletionJobs() > 0 {
	}
	if !otherHasBegun || len(asked) != members {
		t.Fatalf("asked about %d members; the other node has begun: %v", len(asked), otherHasBegun)
	}
	for path, times := range asked {
		if times != 1 {
			t.Errorf("asked %d times: %s", times, path)
		}
	}
	for i := range members {
		if wallet := fmt.Sprint("w", i); slow.Balance(wallet) != "10" {
			t.Errorf("%s has %q", wallet, slow.Balance(wallet))
		}
	}
	slow.Sound()
}
