package main_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// now returns the time of the server, which a new record has.
func (c caller) now() time.Time {
	c.t.Helper()
	made := c.post("/api/loyalty/badges", object{
		"name": "A badge", "imageUrl": "https://example.com/a.png", "conditions": []object{{"type": "api"}},
	}).ok(c.t)
	at, err := time.Parse(time.RFC3339, made["createdAt"].(string))
	if err != nil {
		c.t.Fatal(err)
	}
	return at
}

// says demands a 400 whose message begins with a text.
func (r reply) says(t *testing.T, text string) {
	t.Helper()
	if r.status != http.StatusBadRequest || !strings.Contains(r.body, `"message":"`+text) {
		t.Errorf("got %d %s, want %q", r.status, r.body, text)
	}
}

// An integrator tests in a minute what takes months: a window opens, on every node, and after a restart.
func TestTestsMoveTheClockOfADatabaseForward(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		run(t, "init", "--database", database, "--clock", "--name", "Shop", "--website", "Shop", "--currency", "Points").ok()
		key := decode[program](t, run(t, "init", "--database", database, "--name", "Other", "--website", "Other",
			"--currency", "Points", "--json").ok()).WebsiteAPIKey
		run(t, "serve", "--database", database, "--listen", "127.0.0.1:0").fails("serve it with --dev --clock")
		s := serve(t, database, "--dev", "--clock")
		anyone, site := s.caller(""), s.caller(key)
		rule := site.rule("daily")
		body := object{"walletAddress": "cust_1"}
		site.post(completion(rule), body).ok(t)
		site.post(completion(rule), body).refused(t, http.StatusBadRequest, "You have already been rewarded")
		later := time.Now().Add(60 * 24 * time.Hour).UTC().Truncate(time.Second)
		shown := anyone.post("/dev/clock", object{"at": later}).ok(t)["now"].(string)
		got, err := time.Parse(time.RFC3339Nano, shown)
		if err != nil || got.Before(later) || got.After(later.Add(time.Minute)) {
			t.Errorf("the clock shows %v, want %v", shown, later)
		}
		site.post(completion(rule), body).ok(t)
		anyone.post("/dev/clock", object{"at": later.Add(-time.Hour)}).says(t, "at must not be before")
		anyone.post("/dev/clock", object{"at": "9999-12-31T00:00:00Z"}).says(t, "at must be before 2200")
		soon := later.Add(30 * 24 * time.Hour)
		var group sync.WaitGroup
		for range 8 { // the same moment, many times at once, is that moment
			group.Go(func() { anyone.post("/dev/clock", object{"at": soon}) })
		}
		group.Wait()
		if got := site.now(); got.Before(soon) || got.After(soon.Add(time.Minute)) {
			t.Errorf("the clock shows %v, want %v", got, soon)
		}
		later = soon
		anyone.post("/dev/clock", object{}).says(t, "at must be a date and time")
		s.kill()
		if database[:6] != "sqlite" {
			one, two := serve(t, database, "--dev", "--clock"), serve(t, database, "--dev", "--clock")
			one.caller("").post("/dev/clock", object{"at": later.Add(24 * time.Hour)}).ok(t)
			wait.Until(t, "the other node to follow", func() bool {
				return two.caller(key).now().After(later.Add(24 * time.Hour))
			})
			return
		}
		if got := serve(t, database, "--dev", "--clock").caller(key).now(); got.Before(later) {
			t.Errorf("after a restart the time is %v, want %v or later", got, later)
		}
	})
}

func TestOnlyTestDatabasesHaveAClock(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		run(t, "init", "--database", database, "--name", "Shop", "--website", "Shop", "--currency", "Points").ok()
		run(t, "init", "--database", database, "--clock", "--name", "Shop", "--website", "Shop", "--currency", "Points").
			fails("only a new database can have a clock")
		run(t, "serve", "--database", database, "--listen", "127.0.0.1:0", "--clock").fails("--clock needs --dev")
		run(t, "serve", "--database", database, "--listen", "127.0.0.1:0", "--dev", "--clock").fails("laurel init --clock")
		serve(t, database, "--dev").caller("").post("/dev/clock", object{"at": time.Now().Add(time.Hour)}).
			refused(t, http.StatusNotFound, "Route not found")
	})
}
