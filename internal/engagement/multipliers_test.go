package engagement_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// multipliers returns the titles of a list.
func multipliers(s *apptest.Server, query string) []string {
	s.T.Helper()
	titles := []string{}
	for _, m := range s.Get(apptest.MultipliersPath + query).Data() {
		titles = append(titles, m["title"].(string))
	}
	return titles
}

func TestAMultiplierIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		currency := s.LoyaltyCurrencyID.String()
		made := s.Post(apptest.MultipliersPath, object{"walletAddress": apptest.Alice, "multiplier": "1.5", "title": "Gold", "description": "of the year",
			"externalIdentifier": "crm-1", "loyaltyCurrencyIds": []any{strings.ToUpper(currency)}, "unheardOf": 1}).
			OK()
		user := made["userId"]
		want := object{
			"id":             made["id"],
			"organizationId": s.OrganizationID.String(),
			"websiteId":      s.WebsiteID.String(),
			"userId":         user,
			"user": object{
				"id":            user,
				"walletAddress": apptest.Alice,
			},
			"multiplier":         json.Number("1.5"),
			"title":              "Gold",
			"description":        "of the year",
			"externalIdentifier": "crm-1",
			"loyaltyCurrencyIds": []any{currency},
			"createdAt":          made["createdAt"],
			"updatedAt":          made["createdAt"],
			"deletedAt":          nil,
		}
		if !reflect.DeepEqual(made, want) {
			t.Errorf("made %v, want %v", made, want)
		}
		path := apptest.MultipliersPath + "/" + made["id"].(string)
		for _, change := range []object{{"multiplier": 2}, {"title": nil}, {"description": "now"}, {"loyaltyCurrencyIds": []any{}}, {}, {"title": "T", "multiplier": "999.999999"}} {
			got := s.Post(path, change).OK()
			for name, value := range change {
				want[name] = value
			}
			want["multiplier"] = got["multiplier"]
			if text, ok := change["multiplier"]; ok &&
				got["multiplier"].(json.Number).String() != strings.Trim(asJSON(text), `"`) {
				t.Errorf("after %v: %v", change, got["multiplier"])
			}
			want["updatedAt"] = got["updatedAt"]
			if !reflect.DeepEqual(got, want) {
				t.Errorf("after %v: %v, want %v", change, got, want)
			}
		}
		if list := s.Get(apptest.MultipliersPath).Data(); len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Errorf("listed %v, want %v", list, want)
		}
		if gone := s.Remove(path); !reflect.DeepEqual(gone, object{"id": made["id"]}) {
			t.Errorf("deleted: %v", gone)
		}
		s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil).Refused(404, "Multiplier not found")
		s.Post(path, object{"multiplier": 2}).Refused(404, "Multiplier not found")
		if s.Count(apptest.MultipliersPath) != 0 {
			t.Error("a deleted multiplier is listed")
		}
		if list := s.Get(
			apptest.MultipliersPath + "?includeDeleted=true",
		).Data(); len(list) != 1 || list[0]["deletedAt"] == nil {
			t.Errorf("with deleted ones: %v", list)
		}
	})
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestAnExternalIdentifierNamesOneLiveMultiplier(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.GrantMultiplier(apptest.Alice, 2, object{"externalIdentifier": "a", "title": "first"})
		s.GrantMultiplier(apptest.Alice, 2, nil)
		s.GrantMultiplier(apptest.Alice, 2, object{"externalIdentifier": nil})
		s.Post(apptest.MultipliersPath, object{"walletAddress": apptest.Bob, "multiplier": 3, "externalIdentifier": "a"}).
			Refused(400, "Multiplier already exists")
		if n := s.Count("/api/users?walletAddress=" + apptest.Bob); n != 0 {
			t.Error("a refused multiplier left its user")
		}
		s.Call(s.WebsiteAPIKey, http.MethodDelete, apptest.MultipliersPath, object{"externalIdentifier": "b"}).
			Refused(404, "Multiplier not found")
		s.Call(
			s.WebsiteAPIKey,
			http.MethodDelete,
			apptest.MultipliersPath,
			nil,
		).Refused(400, "externalIdentifier is required")
		s.Call(
			s.NewProgram("Rival").WebsiteAPIKey,
			http.MethodDelete,
			apptest.MultipliersPath,
			object{"externalIdentifier": "a"},
		).
			Refused(404, "Multiplier not found")
		gone := s.Call(s.WebsiteAPIKey, http.MethodDelete, apptest.MultipliersPath, object{"externalIdentifier": "a"}).OK()
		if gone["title"] != "first" || gone["deletedAt"] == nil || gone["user"].(object)["walletAddress"] != apptest.Alice {
			t.Errorf("deleted %v", gone)
		}
		s.GrantMultiplier(apptest.Bob, 3, object{"externalIdentifier": "a", "title": "second"})
		if gone := s.Remove(apptest.MultipliersPath + "?externalIdentifier=a"); gone["title"] != "second" {
			t.Errorf("deleted by the query: %v", gone)
		}
		answers := apptest.CallConcurrently(6, func(i int) apptest.Response {
			return s.Post(
				apptest.MultipliersPath,
				object{"walletAddress": []string{apptest.Alice, apptest.Bob}[i%2], "multiplier": 2, "externalIdentifier": "once"},
			)
		})
		made := 0
		for _, a := range answers {
			if a.Status == http.StatusOK {
				made++
			} else {
				a.Refused(400, "Multiplier already exists")
			}
		}
		if made != 1 {
			t.Errorf("%d of six at once were made", made)
		}
	})
}

func TestMultipliersAreListedNewestFirstByEveryFilter(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Bob, "walletGroupIdentifier": "wallets"}).OK()
		carol := "0x0000000000000000000000000000000000000ca1"
		s.GrantMultiplier(apptest.Alice, 2, object{"title": "a"})
		s.GrantMultiplier(apptest.Bob, 2, object{"title": "b", "externalIdentifier": "x"})
		s.GrantMultiplier(carol, 2, object{"title": "c"})
		s.Remove(apptest.MultipliersPath + "/" + s.GrantMultiplier(apptest.Alice, 2, object{"title": "gone"}))
		user := s.Get("/api/users?walletAddress=" + apptest.Alice).Data()[0]
		group := user["userMetadata"].([]any)[0].(object)["userGroupId"].(string)
		for query, want := range map[string][]string{
			"":                                {"c", "b", "a"},
			"?includeDeleted=true":            {"gone", "c", "b", "a"},
			"?walletAddress=" + apptest.Alice: {"a"},
			"?walletAddress=" + apptest.Bob + "," + carol:          {"c", "b"},
			"?userId=" + user["id"].(string):                       {"a"},
			"?userGroupId=" + group:                                {"b", "a"},
			"?userGroupExternalIdentifier=family":                  {"b", "a"},
			"?userGroupExternalIdentifier=none":                    {},
			"?walletGroupIdentifier=wallets":                       {"b"},
			"?externalIdentifier=x":                                {"b"},
			"?externalIdentifier=x&walletAddress=" + apptest.Alice: {},
			"?limit=2": {"c", "b"},
		} {
			if got := multipliers(s, query); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
		second := s.Get(apptest.MultipliersPath + "?limit=2")
		after := second.Data()[1]["id"].(string)
		s.Remove(apptest.MultipliersPath + "/" + after)
		if got := multipliers(
			s,
			"?limit=2&startingAfter="+after,
		); second.OK()["hasNextPage"] != true ||
			!slices.Equal(got, []string{"a"}) {
			t.Errorf("after one that was deleted meanwhile: %v", got)
		}
		s.Get(apptest.MultipliersPath+"?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		if list := s.Call(
			s.NewProgram("Rival").WebsiteAPIKey,
			http.MethodGet,
			apptest.MultipliersPath,
			nil,
		).Data(); len(list) != 0 {
			t.Errorf("another tenant sees %v", list)
		}
	})
}

func TestBadMultipliersAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		path := apptest.MultipliersPath + "/" + s.GrantMultiplier(apptest.Alice, 2, object{"title": "kept"})
		rival := s.NewProgram("Rival")
		for _, c := range []struct {
			body    object
			message string
		}{
			{object{"multiplier": 0}, "multiplier must be between 0.01 and 999.999999"}, {object{"multiplier": "0.009999"}, "multiplier must be between 0.01 and 999.999999"},
			{object{"multiplier": 1000}, "multiplier must be between 0.01 and 999.999999"}, {object{"multiplier": nil}, "multiplier is required"},
			{object{"multiplier": "x"}, "multiplier must be a number"}, {object{"multiplier": "1.0000001"}, "multiplier must have at most 6 decimal places"},
			{object{"title": strings.Repeat("é", 1001)}, "title must be at most 1000 characters"},
			{object{"description": strings.Repeat("é", 10_001)}, "description must be at most 10000 characters"},
			{object{"loyaltyCurrencyIds": []any{"x"}}, "loyaltyCurrencyIds.0 must be a uuid"},
			{object{"loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID.String(), apptest.UnknownID}}, "Loyalty currency not found"},
			{object{"loyaltyCurrencyIds": []any{rival.LoyaltyCurrencyID.String()}}, "Loyalty currency not found"},
			{object{"loyaltyCurrencyIds": slices.Repeat([]any{s.LoyaltyCurrencyID.String()}, 101)}, "loyaltyCurrencyIds must have at most 100 items"},
		} {
			s.Post(
				apptest.MultipliersPath,
				apptest.Over(object{"walletAddress": apptest.Alice, "multiplier": 2}, c.body),
			).Refused(400, c.message)
			s.Post(path, c.body).Refused(400, c.message)
		}
		s.Post(apptest.MultipliersPath, object{"walletAddress": apptest.Alice}).Refused(400, "multiplier is required")
		s.Post(apptest.MultipliersPath, object{"multiplier": 2}).Refused(400, "userId or walletAddress is required")
		s.Post(apptest.MultipliersPath, object{"multiplier": 2, "userId": apptest.UnknownID}).Refused(404, "User not found")
		s.Post(apptest.MultipliersPath, object{"multiplier": 2, "walletAddress": apptest.Alice, "externalIdentifier": ""}).
			Refused(400, "externalIdentifier is required")
		s.Post(apptest.MultipliersPath, object{"multiplier": 2, "walletAddress": apptest.Alice, "externalIdentifier": strings.Repeat("e", 256)}).
			Refused(400, "externalIdentifier must be at most 255 characters")
		s.Post(apptest.MultipliersPath+"/"+apptest.UnknownID, object{"multiplier": 2}).Refused(404, "Multiplier not found")
		s.Call(rival.WebsiteAPIKey, http.MethodPost, path, object{"multiplier": 3}).Refused(404, "Multiplier not found")
		s.Call(rival.WebsiteAPIKey, http.MethodDelete, path, nil).Refused(404, "Multiplier not found")
		if list := s.Get(apptest.MultipliersPath).
			Data(); len(list) != 1 || list[0]["multiplier"] != json.Number("2") ||
			list[0]["title"] != "kept" {
			t.Errorf("refused writes left %v", list)
		}
	})
}
