package websites_test

import (
	"reflect"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestWebsitesAreCreatedAndListedInFull(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		owner := func(method, path string, body any) apptest.Response {
			return s.Call(s.OrganizationAPIKey, method, path, body)
		}
		foreign := s.NewProgram("Rival")
		created := owner("POST", "/api/websites", apptest.Object{
			"name":               "shop",
			"homeUrl":            "https://shop.example",
			"adminWalletAddress": []string{"0x00000000000000000000000000000000000000Aa"},
		}).OK()
		wants := apptest.Object{
			"name": "shop", "homeUrl": "https://shop.example", "chatServerUrl": nil, "messengerUrl": nil,
			"microblogUsername": nil, "photoPlatformUsername": nil, "trustClientUsers": false, "termsSignedAt": nil,
			"onchainTokens": []any{}, "collections": []any{}, "organizationId": s.OrganizationID.String(),
			"_count": apptest.Object{"mintingContractAssets": apptest.JSONNumber("0")},
		}
		for field, want := range wants {
			if !reflect.DeepEqual(created[field], want) {
				t.Errorf("%s is %v, want %v", field, created[field], want)
			}
		}
		newest := owner("GET", "/api/websites?limit=1", nil)
		if list := newest.Data(); len(list) != 1 || list[0]["name"] != "shop" || newest.JSON()["hasNextPage"] != true {
			t.Fatal(newest.Body)
		}
		rest := owner("GET", "/api/websites?startingAfter="+created["id"].(string), nil)
		if list := rest.Data(); len(list) != 1 || rest.JSON()["hasNextPage"] != false {
			t.Error(rest.Body)
		}
		if own := s.Get("/api/websites").Data(); len(own) != 1 || own[0]["id"] != s.WebsiteID.String() {
			t.Error(own)
		}
		owner("GET", "/api/websites?startingAfter="+foreign.WebsiteID.String(), nil).
			Refused(400, "startingAfter not found")
		s.Call(foreign.OrganizationAPIKey, "GET", "/api/websites?organizationId="+s.OrganizationID.String(), nil).
			Refused(403, "API key does not have access to this organization")
		for body, message := range map[string]string{
			`{"name":"x","adminWalletAddress":["a","b","c"]}`: "adminWalletAddress must have at most 2 items",
			`{"name":"x","homeUrl":"nonsense"}`:               "homeUrl must be a valid url",
			`{}`:                                              "name is required",
		} {
			owner("POST", "/api/websites", body).Refused(400, message)
		}
	})
}

func TestAWebsiteIsChangedAndKeepsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		at := "/api/websites/" + s.WebsiteID.String()
		before := s.Get(at).OK()
		changed := s.Post(at, apptest.Object{
			"homeUrl": "https://shop.example", "microblogUsername": "shop", "adminWalletAddress": []any{"a", "b", "c"},
		}).OK()
		if changed["name"] != before["name"] || changed["homeUrl"] != "https://shop.example" ||
			changed["microblogUsername"] != "shop" {
			t.Errorf("changed to %v", changed)
		}
		if got := s.Post(at, apptest.Object{"homeUrl": nil}).OK(); got["homeUrl"] != nil || got["microblogUsername"] != "shop" {
			t.Errorf("cleared to %v", got)
		}
		for body, message := range map[string]string{
			`{"name":null}`:                     "name is required",
			`{"name":""}`:                       "name is required",
			`{"homeUrl":"javascript:alert(1)"}`: "homeUrl must be a valid url",
			`{"trustClientUsers":null}`:         "trustClientUsers must be a boolean",
		} {
			s.Post(at, body).Refused(400, message)
		}
		sibling := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", `{"name":"Sibling"}`).OK()["id"].(string)
		foreign := s.NewProgram("Rival").WebsiteID.String()
		for _, other := range []string{sibling, foreign, apptest.UnknownID} {
			s.Post("/api/websites/"+other, `{"name":"x"}`).Refused(404, "Website not found")
			s.Get("/api/websites/"+other).Refused(404, "Website not found")
		}
		s.Call(s.OrganizationAPIKey, "POST", "/api/websites/"+sibling, `{"name":"x"}`).OK()
		s.Call(s.OrganizationAPIKey, "POST", "/api/websites/"+foreign, `{"name":"x"}`).Refused(404, "Website not found")
		signed := laurel.Timestamp{Time: apptest.Noon.Add(-time.Hour)}
		if _, err := s.App.SignTerms(t.Context(), s.OrganizationID, s.WebsiteID, &signed); err != nil {
			t.Fatal(err)
		}
		if got := s.Get(at).OK()["termsSignedAt"]; got != signed.String() {
			t.Errorf("the terms were signed at %v", got)
		}
		later := laurel.Timestamp{Time: apptest.Noon.AddDate(1, 0, 0)}
		if _, err := s.App.SignTerms(t.Context(), s.OrganizationID, s.WebsiteID, &later); laurel.CodeOf(err) != laurel.Refused {
			t.Errorf("terms that are signed in a year: %v", err)
		}
	})
}
