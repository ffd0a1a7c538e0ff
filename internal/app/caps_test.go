package app_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// capped is a kind of thing of which tenants may have so many.
type capped struct {
	things  string // in the refusal
	path    string
	perSite bool // a website has a bound of its own, and things can be deleted
	body    object
	form    []string // of the dashboard: its path behind the website's, and the fields
}

var handlerText = "module.exports.handler = async (input, output) => { output.setResult(1); return output.buildOutput(); };"

func cappedThings() []capped {
	return []capped{
		{
			"subscriptions", "/api/stratus/subscriptions", true,
			object{
				"name": "s", "callbackUrl": "https://example.com/hook",
				"platformSubscriptions": []any{object{"tableNames": []any{"User"}}},
			},
			[]string{"/subscriptions", "name", "s", "callbackUrl", "https://example.com/hook", "tables", "User", "version", "v2"},
		},
		{
			"functions", "/api/stratus/functions", true, object{"name": "f", "code": handlerText},
			[]string{"/functions", "name", "f", "code", handlerText, "how", "keep"},
		},
		{
			"websites", "/api/websites", false, object{"name": "w"},
			[]string{"/settings/website", "website", "w", "currency", "Points"},
		},
	}
}

// few are bounds that a test reaches.
func few() *app.Caps {
	each := laurel.Caps{Website: 2, Organization: 3}
	return &app.Caps{Subscriptions: each, Functions: each, Websites: 3}
}

// make creates one more thing, for a website unless that is "".
func (c capped) make(s *apptest.Server, website string) apptest.Response {
	s.T.Helper()
	more := object{}
	if c.perSite {
		more["websiteId"], more["organizationId"] = website, s.OrganizationID
	}
	return s.Call(s.OrganizationAPIKey, http.MethodPost, c.path, apptest.Over(c.body, more))
}

func website(s *apptest.Server) string {
	s.T.Helper()
	return s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "another"}).OK()["id"].(string)
}

func TestAWebsiteAndItsOrganizationHaveNoMoreThanTheirCaps(t *testing.T) {
	t.Parallel()
	for _, c := range cappedThings() {
		t.Run(c.things, func(t *testing.T) {
			t.Parallel()
			apptest.EachWith(t, app.Config{Caps: few()}, func(t *testing.T, s *apptest.Server) {
				b := s.SignInOwner(s.OrganizationID)
				form := func(message string) {
					t.Helper()
					b.Post(b.Site(c.form[0]), c.form[1:]...).Shows(http.StatusBadRequest, message)
				}
				if !c.perSite {
					c.make(s, "").OK()
					c.make(s, "").OK()
					c.make(s, "").Refused(http.StatusBadRequest, "Organization has 3 websites already")
					form("Organization has 3 websites already")
					return
				}
				first, second := s.WebsiteID.String(), website(s)
				c.make(s, first).OK()
				gone := c.make(s, first).OK()["id"].(string)
				c.make(s, first).Refused(http.StatusBadRequest, "Website has 2 "+c.things+" already")
				form("Website has 2 " + c.things + " already")
				c.make(s, second).OK()
				c.make(s, second).Refused(http.StatusBadRequest, "Organization has 3 "+c.things+" already")
				s.Call(s.OrganizationAPIKey, http.MethodDelete, c.path+"/"+gone, nil).OK()
				c.make(s, first).OK()
				form("Website has 2 " + c.things + " already")

				other := s.NewProgram("Other")
				body := apptest.Over(c.body, object{"websiteId": other.WebsiteID, "organizationId": other.OrganizationID})
				s.Call(other.OrganizationAPIKey, http.MethodPost, c.path, body).OK()
			})
		})
	}
}

func TestACapOfZeroIsNone(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{Caps: &app.Caps{}}, func(_ *testing.T, s *apptest.Server) {
		for _, c := range cappedThings() {
			for range 4 {
				c.make(s, s.WebsiteID.String()).OK()
			}
		}
	})
}

func TestCallsAtOnceOnTwoNodesDoNotExceedACap(t *testing.T) {
	t.Parallel()
	nodes, _ := apptest.NodesWith(t, app.Config{Caps: few()})
	second := website(nodes[0])
	for _, c := range cappedThings() {
		var made, refused int
		var mu sync.Mutex
		var calls sync.WaitGroup
		for i := range 12 {
			calls.Go(func() {
				got := c.make(nodes[i%2], []string{nodes[0].WebsiteID.String(), second}[i/2%2])
				mu.Lock()
				defer mu.Unlock()
				switch {
				case got.Status == http.StatusOK:
					made++
				case got.Status == http.StatusBadRequest && strings.Contains(got.Body, " "+c.things+" already"):
					refused++
				default:
					t.Errorf("%s: %d %s", c.things, got.Status, got.Body)
				}
			})
		}
		calls.Wait()
		want := 3
		if !c.perSite {
			want = 1 // two are there
		}
		if made != want || refused != 12-want {
			t.Errorf("%d %s were made and %d refused; %d may be there", made, c.things, refused, want)
		}
	}
}

func TestTheDefaultCapsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	each := laurel.Caps{Website: 200, Organization: 1000}
	if got, want := app.DefaultCaps(), (app.Caps{Subscriptions: each, Functions: each, Websites: 500}); got != want {
		t.Errorf("the caps are %v", got)
	}
}
