package site_test

import (
	"reflect"
	"testing"

	"laurel/internal/dev/apptest"
)

func TestWebsitesAreCreatedAndListedInFull(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		owner := func(method, path string, body any) apptest.Answer {
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
