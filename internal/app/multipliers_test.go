package app_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

const multipliersPath = "/api/loyalty/multipliers"

// multiply gives a wallet a multiplier and returns its id.
func (s *server) multiply(wallet string, value any, properties object) string {
	s.t.Helper()
	return s.post(multipliersPath, over(object{"walletAddress": wallet, "multiplier": value}, properties)).ok()["id"].(string)
}

// multipliers returns the titles of a list.
func (s *server) multipliers(query string) []string {
	s.t.Helper()
	titles := []string{}
	for _, m := range s.get(multipliersPath + query).data() {
		titles = append(titles, m["title"].(string))
	}
	return titles
}

func TestAMultiplierIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		currency := s.LoyaltyCurrencyID.String()
		made := s.post(multipliersPath, object{"walletAddress": alice, "multiplier": "1.5", "title": "Gold", "description": "of the year",
			"externalIdentifier": "crm-1", "loyaltyCurrencyIds": []any{strings.ToUpper(currency)}, "unheardOf": 1}).
			ok()
		user := made["userId"]
		want := object{
			"id":             made["id"],
			"organizationId": s.OrganizationID.String(),
			"websiteId":      s.WebsiteID.String(),
			"userId":         user,
			"user": object{
				"id":            user,
				"walletAddress": alice,
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
		path := multipliersPath + "/" + made["id"].(string)
		for _, change := range []object{{"multiplier": 2}, {"title": nil}, {"description": "now"}, {"loyaltyCurrencyIds": []any{}}, {}, {"title": "T", "multiplier": "999.999999"}} {
			got := s.post(path, change).ok()
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
		if list := s.get(multipliersPath).data(); len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Errorf("listed %v, want %v", list, want)
		}
		if gone := s.remove(path); !reflect.DeepEqual(gone, object{"id": made["id"]}) {
			t.Errorf("deleted: %v", gone)
		}
		s.call(s.WebsiteAPIKey, http.MethodDelete, path, nil).refused(404, "Multiplier not found")
		s.post(path, object{"multiplier": 2}).refused(404, "Multiplier not found")
		if s.count(multipliersPath) != 0 {
			t.Error("a deleted multiplier is listed")
		}
		if list := s.get(multipliersPath + "?includeDeleted=true").data(); len(list) != 1 || list[0]["deletedAt"] == nil {
			t.Errorf("with deleted ones: %v", list)
		}
	})
}

// atOnce calls many times at once and returns in order.
func atOnce(many int, call func(i int) answer) []answer {
	answers := make([]answer, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { answers[i] = call(i) })
	}
	wg.Wait()
	return answers
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
	each(t, func(t *testing.T, s *server) {
		s.multiply(alice, 2, object{"externalIdentifier": "a", "title": "first"})
		s.multiply(alice, 2, nil)
		s.multiply(alice, 2, object{"externalIdentifier": nil})
		s.post(multipliersPath, object{"walletAddress": bob, "multiplier": 3, "externalIdentifier": "a"}).
			refused(400, "Multiplier already exists")
		if n := s.count("/api/users?walletAddress=" + bob); n != 0 {
			t.Error("a refused multiplier left its user")
		}
		s.call(s.WebsiteAPIKey, http.MethodDelete, multipliersPath, object{"externalIdentifier": "b"}).
			refused(404, "Multiplier not found")
		s.call(s.WebsiteAPIKey, http.MethodDelete, multipliersPath, nil).refused(400, "externalIdentifier is required")
		s.call(s.program("Rival").WebsiteAPIKey, http.MethodDelete, multipliersPath, object{"externalIdentifier": "a"}).
			refused(404, "Multiplier not found")
		gone := s.call(s.WebsiteAPIKey, http.MethodDelete, multipliersPath, object{"externalIdentifier": "a"}).ok()
		if gone["title"] != "first" || gone["deletedAt"] == nil || gone["user"].(object)["walletAddress"] != alice {
			t.Errorf("deleted %v", gone)
		}
		s.multiply(bob, 3, object{"externalIdentifier": "a", "title": "second"})
		if gone := s.remove(multipliersPath + "?externalIdentifier=a"); gone["title"] != "second" {
			t.Errorf("deleted by the query: %v", gone)
		}
		answers := atOnce(6, func(i int) answer {
			return s.post(
				multipliersPath,
				object{"walletAddress": []string{alice, bob}[i%2], "multiplier": 2, "externalIdentifier": "once"},
			)
		})
		made := 0
		for _, a := range answers {
			if a.status == http.StatusOK {
				made++
			} else {
				a.refused(400, "Multiplier already exists")
			}
		}
		if made != 1 {
			t.Errorf("%d of six at once were made", made)
		}
	})
}

func TestMultipliersAreListedNewestFirstByEveryFilter(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.in(alice, "family")
		s.in(bob, "family")
		s.post(metadatasPath, object{"walletAddress": bob, "walletGroupIdentifier": "wallets"}).ok()
		carol := "0x0000000000000000000000000000000000000ca1"
		s.multiply(alice, 2, object{"title": "a"})
		s.multiply(bob, 2, object{"title": "b", "externalIdentifier": "x"})
		s.multiply(carol, 2, object{"title": "c"})
		s.remove(multipliersPath + "/" + s.multiply(alice, 2, object{"title": "gone"}))
		user := s.get("/api/users?walletAddress=" + alice).data()[0]
		group := user["userMetadata"].([]any)[0].(object)["userGroupId"].(string)
		for query, want := range map[string][]string{
			"":                                             {"c", "b", "a"},
			"?includeDeleted=true":                         {"gone", "c", "b", "a"},
			"?walletAddress=" + alice:                      {"a"},
			"?walletAddress=" + bob + "," + carol:          {"c", "b"},
			"?userId=" + user["id"].(string):               {"a"},
			"?userGroupId=" + group:                        {"b", "a"},
			"?userGroupExternalIdentifier=family":          {"b", "a"},
			"?userGroupExternalIdentifier=none":            {},
			"?walletGroupIdentifier=wallets":               {"b"},
			"?externalIdentifier=x":                        {"b"},
			"?externalIdentifier=x&walletAddress=" + alice: {},
			"?limit=2":                                     {"c", "b"},
		} {
			if got := s.multipliers(query); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
		second := s.get(multipliersPath + "?limit=2")
		after := second.data()[1]["id"].(string)
		s.remove(multipliersPath + "/" + after)
		if got := s.multipliers(
			"?limit=2&startingAfter=" + after,
		); second.ok()["hasNextPage"] != true ||
			!slices.Equal(got, []string{"a"}) {
			t.Errorf("after one that was deleted meanwhile: %v", got)
		}
		s.get(multipliersPath+"?startingAfter="+unknownID).refused(400, "startingAfter not found")
		if list := s.call(s.program("Rival").WebsiteAPIKey, http.MethodGet, multipliersPath, nil).data(); len(list) != 0 {
			t.Errorf("another tenant sees %v", list)
		}
	})
}

func TestBadMultipliersAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		path := multipliersPath + "/" + s.multiply(alice, 2, object{"title": "kept"})
		rival := s.program("Rival")
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
			{object{"loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID.String(), unknownID}}, "Loyalty currency not found"},
			{object{"loyaltyCurrencyIds": []any{rival.LoyaltyCurrencyID.String()}}, "Loyalty currency not found"},
			{object{"loyaltyCurrencyIds": slices.Repeat([]any{s.LoyaltyCurrencyID.String()}, 101)}, "loyaltyCurrencyIds must have at most 100 items"},
		} {
			s.post(multipliersPath, over(object{"walletAddress": alice, "multiplier": 2}, c.body)).refused(400, c.message)
			s.post(path, c.body).refused(400, c.message)
		}
		s.post(multipliersPath, object{"walletAddress": alice}).refused(400, "multiplier is required")
		s.post(multipliersPath, object{"multiplier": 2}).refused(400, "userId or walletAddress is required")
		s.post(multipliersPath, object{"multiplier": 2, "userId": unknownID}).refused(404, "User not found")
		s.post(multipliersPath, object{"multiplier": 2, "walletAddress": alice, "externalIdentifier": ""}).
			refused(400, "externalIdentifier is required")
		s.post(multipliersPath, object{"multiplier": 2, "walletAddress": alice, "externalIdentifier": strings.Repeat("e", 256)}).
			refused(400, "externalIdentifier must be at most 255 characters")
		s.post(multipliersPath+"/"+unknownID, object{"multiplier": 2}).refused(404, "Multiplier not found")
		s.call(rival.WebsiteAPIKey, http.MethodPost, path, object{"multiplier": 3}).refused(404, "Multiplier not found")
		s.call(rival.WebsiteAPIKey, http.MethodDelete, path, nil).refused(404, "Multiplier not found")
		if list := s.get(multipliersPath).
			data(); len(list) != 1 || list[0]["multiplier"] != json.Number("2") ||
			list[0]["title"] != "kept" {
			t.Errorf("refused writes left %v", list)
		}
	})
}
