package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// besides is what one organization receives while another one uses all that it may.
type besides struct {
	*apptest.Server
	other app.Program
}

// subscribe makes subscriptions of a website to its members.
func (s besides) subscribe(key, callback string, website any, many int) {
	s.T.Helper()
	for range many {
		s.Call(key, http.MethodPost, subscriptions, object{
			"name": "CRM", "websiteId": website, "organizationId": s.organizationOf(key), "callbackUrl": callback,
			"platformSubscriptions": []any{object{"tableNames": []any{"UserMetadata"}}},
		}).OK()
	}
}

func (s besides) organizationOf(key string) any {
	if key == s.other.OrganizationAPIKey {
		return s.other.OrganizationID
	}
	return s.OrganizationID
}

// join makes a member of a website, which is one event.
func (s besides) join(key string, website any, wallet string) {
	s.T.Helper()
	s.Call(key, http.MethodPost, "/api/users/metadatas", object{"websiteId": website, "walletAddress": wallet}).OK()
}

// TestManySlowSubscriptionsOfAnOrganizationLeavePlacesToOthers has an organization with 400 subscriptions on eight
// websites, none of which answers. The event of another organization, the last of all, is sent during their requests.
func TestManySlowSubscriptionsOfAnOrganizationLeavePlacesToOthers(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, server *apptest.Server, r *apptest.Receiver) {
		s := besides{server, server.NewProgram("Other")}
		slow, release := apptest.NewReceiver(t), make(chan struct{})
		slow.Say = func(apptest.Received) (int, map[string]string, string) {
			<-release
			return 204, nil, ""
		}
		t.Cleanup(func() { close(release) }) // before the receiver ends
		for i := range 8 {
			website := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": fmt.Sprint("Shop ", i)}).OK()["id"]
			s.subscribe(s.OrganizationAPIKey, slow.URL, website, 50)
			s.join(s.OrganizationAPIKey, website, "cust_1")
		}
		s.subscribe(s.other.OrganizationAPIKey, r.URL, s.other.WebsiteID, 1)
		s.FanOut()
		defer apptest.RunWorkers(func(ctx context.Context) { s.App.Webhooks.Run(ctx) })()
		s.WaitUntil(func() bool { return slow.CountCalls() >= 100 })
		s.join(s.other.OrganizationAPIKey, s.other.WebsiteID, "cust_2")
		s.FanOut()
		s.WaitUntil(func() bool { return r.CountCalls() > 0 })
		if n := slow.CountCalls(); n > 128 {
			t.Errorf("%d calls of one organization were begun before the one of another", n)
		}
	})
}
