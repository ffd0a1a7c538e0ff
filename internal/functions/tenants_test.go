package functions_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// TestSlowFunctionsOfTwoWebsitesLeaveChildrenToOtherOrganizations has two websites of an organization run functions that
// fetch from an address which does not answer, more than there are children. Those of another organization run
// meanwhile, one after the other, before any of these fetches ends.
func TestSlowFunctionsOfTwoWebsitesLeaveChildrenToOtherOrganizations(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, Dev: true, ConcurrentFunctions: 4}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		var begun, ended atomic.Int64
		release := make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			begun.Add(1)
			select {
			case <-release:
			case <-r.Context().Done(): // nobody waits any more
				ended.Add(1)
			}
		}))
		defer slow.Close()
		other := s.NewProgram("Other")
		quick := s.Call(other.WebsiteAPIKey, http.MethodPost, path, object{"name": "f", "code": handler(`output.setResult(1)`)}).OK()["id"].(string)
		second := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Second"}).OK()["id"]
		var running sync.WaitGroup
		for _, website := range []any{s.WebsiteID, second} {
			id := s.Call(s.OrganizationAPIKey, http.MethodPost, path, object{
				"name": "f", "websiteId": website, "code": handler(`await fetch("` + slow.URL + `"); output.setResult(1)`),
			}).OK()["id"].(string)
			for range 4 {
				running.Go(func() { s.Call(s.OrganizationAPIKey, http.MethodPost, path+"/"+id+"/invoke", nil) })
			}
		}
		s.WaitUntil(func() bool { return begun.Load() >= 2 })
		for range 6 {
			run := s.Call(other.WebsiteAPIKey, http.MethodPost, path+"/"+quick+"/invoke", nil).OK()["data"].(object)
			if run["status"] != "succeeded" {
				t.Errorf("%v", run)
			}
		}
		if n := ended.Load(); n > 0 {
			t.Errorf("%d slow fetches ended before others had their turn", n)
		}
		close(release)
		running.Wait()
	})
}
