package site_test

import (
	"encoding/json"
	"testing"
)

func TestWebsitesAreCreatedAndListedInFull(t *testing.T) {
	t.Parallel()
	eachServer(t, func(s *server) {
		created := s.post(
			"O",
			"/api/websites",
			`{"name":"shop","homeUrl":"https://shop.example","adminWalletAddress":["0x00000000000000000000000000000000000000Aa"]}`,
		)
		site := read[map[string]json.RawMessage](s, created)
		for field, want := range map[string]string{
			"name": `"shop"`, "homeUrl": `"https://shop.example"`, "chatServerUrl": "null", "messengerUrl": "null", "microblogUsername": "null",
			"photoPlatformUsername": "null", "trustClientUsers": "false", "termsSignedAt": "null", "onchainTokens": "[]", "collections": "[]",
			"_count": `{"mintingContractAssets":0}`, "organizationId": `"` + s.org.OrganizationID.String() + `"`,
		} {
			s.equal(field+" "+string(site[field]), field+" "+want)
		}
		type page struct {
			Data        []struct{ ID, Name string }
			HasNextPage bool
		}
		newest := read[page](s, s.get("O", "/api/websites?limit=1"))
		if len(newest.Data) != 1 || newest.Data[0].Name != "shop" || !newest.HasNextPage {
			s.Fatal(newest)
		}
		if next := read[page](
			s,
			s.get("O", "/api/websites?startingAfter="+newest.Data[0].ID),
		); len(next.Data) != 2 ||
			next.HasNextPage {
			s.Error(next)
		}
		if own := read[page](s, s.get("R", "/api/websites")); len(own.Data) != 1 || own.Data[0].ID != s.site.String() {
			s.Error(own)
		}
		s.refused(s.get("O", "/api/websites?startingAfter="+s.other.String()), 400, "startingAfter not found")
		s.refused(
			s.get(s.foreignKey, "/api/websites?organizationId="+s.org.OrganizationID.String()),
			403,
			"API key does not have access to this organization",
		)
		s.refused(
			s.post("O", "/api/websites", `{"name":"x","adminWalletAddress":["a","b","c"]}`),
			400,
			"adminWalletAddress must have at most 2 items",
		)
		s.refused(s.post("O", "/api/websites", `{"name":"x","homeUrl":"nonsense"}`), 400, "homeUrl must be a valid url")
		s.refused(s.post("O", "/api/websites", `{}`), 400, "name is required")
	})
}
