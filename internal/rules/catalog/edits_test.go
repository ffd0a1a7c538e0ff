package catalog_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// editView is an edit without its ids and time.
type editView struct {
	action         string
	data, previous object
	comment        any
}

// checkEdit fails the test unless an edit has exactly these properties.
func checkEdit(t *testing.T, edit object, want editView) {
	t.Helper()
	previous, _ := edit["previousData"].(object)
	got := editView{edit["action"].(string), edit["data"].(object), previous, edit["comment"]}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the edit tells\n%v, want\n%v", got, want)
	}
}

func TestEveryChangeOfARuleWritesOneEdit(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/loyalty/rules", object{"name": "R", "type": "check_in", "amount": 10, "editComment": "first"}).
			OK()
		rule := made["id"].(string)
		whole := apptest.Over(made)
		for _, name := range []string{"id", "organizationId", "websiteId", "createdAt", "updatedAt", "loyaltyBadge", "loyaltyRuleChain"} {
			delete(whole, name)
		}
		newest := func(count int, want editView) object {
			t.Helper()
			list := s.Edits(rule)
			if len(list) != count {
				t.Fatalf("%d edits, want %d", len(list), count)
			}
			checkEdit(t, list[0], want)
			return list[0]
		}
		first := newest(1, editView{"create", whole, nil, "first"})
		if _, there := first["previousData"]; there {
			t.Error("a creation has previousData")
		}
		s.Update(rule, object{"amount": 20, "name": "R", "editComment": "doubled"})
		newest(
			2,
			editView{"update", object{"amount": apptest.JSONNumber("20")}, object{"amount": apptest.JSONNumber("10")}, "doubled"},
		)
		s.Update(rule, object{"amount": "20.0", "editComment": "nothing new"})
		s.Update(rule, object{})
		s.Post("/api/loyalty/rules/"+rule, object{"amount": -1}).Refused(400, "amount must be at least 0")
		s.Post("/api/loyalty/rules/"+rule, object{"amount": 30, "loyaltyCurrencyId": apptest.UnknownID}).
			Refused(400, "Loyalty currency not found")
		s.Update(
			rule,
			object{"metadata": object{"link": "https://a.example"}, "hideInUi": true, "startTime": "2026-01-02T00:00:00Z"},
		)
		newest(3, editView{"update",
			object{"metadata": object{"link": "https://a.example"}, "hideInUi": true, "startTime": "2026-01-02T00:00:00.000Z"},
			object{"metadata": object{}, "hideInUi": false, "startTime": nil}, nil})
		gone := s.Remove("/api/loyalty/rules/" + rule)["deletedAt"]
		deleted := newest(4, editView{"delete", object{"deletedAt": gone}, object{"deletedAt": nil}, nil})
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+rule, nil).Refused(404, "Loyalty rule not found")
		s.Update(rule, object{"deletedAt": nil, "editComment": "back"})
		newest(5, editView{"update", object{"deletedAt": nil}, object{"deletedAt": gone}, "back"})
		gone = s.Update(rule, object{"deletedAt": "2030-01-01T00:00:00Z", "editComment": "away"})["deletedAt"]
		newest(6, editView{"delete", object{"deletedAt": gone}, object{"deletedAt": nil}, "away"})
		s.Restore(deleted, object{"editComment": "back again"}).OK()
		newest(7, editView{"restore", object{"deletedAt": nil}, object{"deletedAt": gone}, "back again"})
		s.Update(rule, object{"editComment": ""})
		newest(7, editView{"restore", object{"deletedAt": nil}, object{"deletedAt": gone}, "back again"})
	})
}

func TestEditsNameTheKeyThatMadeThem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		currency := object{"name": "C", "symbol": "C", "decimals": 0}
		own := s.Post("/api/loyalty/currencies", currency).OK()["createdById"]
		organization := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/currencies", currency).OK()["createdById"]
		rule := s.Rule("check_in", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID})
		s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rules/"+rule, object{"amount": 1}).OK()
		s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rule_edits/"+s.Edits(rule)[0]["id"].(string)+"/restore", nil).
			OK()
		s.Remove("/api/loyalty/rules/" + rule)
		want := []any{own, organization, organization, own}
		if own == organization || own == nil {
			t.Fatalf("the keys act as %v and %v", own, organization)
		}
		for i, e := range s.Edits(rule) {
			if e["editedByUserId"] != want[i] || e["loyaltyRuleId"] != rule || e["websiteId"] != s.WebsiteID.String() ||
				e["organizationId"] != s.OrganizationID.String() {
				t.Errorf("edit %d: %v, want it by %v", i, e, want[i])
			}
			if _, err := time.Parse("2006-01-02T15:04:05.000Z", e["editedAt"].(string)); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestEditsArePagedNewestFirstAndBounded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule("check_in", nil), s.Rule("check_in", nil)
		for i := range 104 {
			s.Update(rule, object{"amount": 100 + i})
		}
		s.Remove("/api/loyalty/rules/" + rule) // a deleted rule keeps its edits
		path := "/api/loyalty/rule_edits?loyaltyRuleId=" + rule
		whole := s.Edits(rule)
		if len(whole) != 106 || whole[0]["action"] != "delete" || whole[105]["action"] != "create" ||
			len(s.Get(path).Data()) != 100 {
			t.Fatalf(
				"%d edits from %v to %v; %d without a limit",
				len(whole),
				whole[0],
				whole[len(whole)-1],
				len(s.Get(path).Data()),
			)
		}
		var listed []object
		for after := ""; ; {
			page := s.Get(path + "&limit=25" + after)
			listed = append(listed, page.Data()...)
			if page.OK()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + listed[len(listed)-1]["id"].(string)
		}
		if !reflect.DeepEqual(listed, whole) {
			t.Errorf("%d edits in pages, %d in one", len(listed), len(whole))
		}
		cursor := whole[3]["id"].(string)
		s.Get("/api/loyalty/rule_edits?loyaltyRuleId="+other+"&startingAfter="+cursor).Refused(400, "startingAfter not found")
		for query, message := range map[string]string{
			"":                                       "loyaltyRuleId is required",
			"?loyaltyRuleId=":                        "loyaltyRuleId is required",
			"?loyaltyRuleId=true":                    "loyaltyRuleId must be a uuid",
			"?loyaltyRuleId=" + rule + "&limit=0":    "limit must be between 1 and 1000",
			"?loyaltyRuleId=" + rule + "&limit=1001": "limit must be between 1 and 1000",
			"?loyaltyRuleId=" + rule + "&limit=x":    "limit must be a number",
			"?loyaltyRuleId=" + rule + "&startingAfter=" + apptest.UnknownID: "startingAfter not found",
		} {
			s.Get("/api/loyalty/rule_edits"+query).Refused(400, message)
		}
		rival := s.NewProgram("Rival")
		for _, a := range []apptest.Response{s.Get("/api/loyalty/rule_edits?loyaltyRuleId=" + apptest.UnknownID), s.Call(rival.WebsiteAPIKey, http.MethodGet, path, nil)} {
			if len(a.Data()) != 0 || a.OK()["hasNextPage"] != false {
				t.Errorf("edits of an unknown rule: %s", a.Body)
			}
		}
		upper := "/api/loyalty/rule_edits?loyaltyRuleId=" + strings.ToUpper(other) + "&organizationId=" + s.OrganizationID.String() + "&websiteId=" + s.WebsiteID.String()
		if list := s.Get(upper).Data(); len(list) != 1 {
			t.Errorf("edits by an upper-case id: %v", list)
		}
	})
}

func TestEditsHideSecretsFromReadOnlyKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		secret := func(n int) object {
			return object{
				"promoCode":           fmt.Sprint("S", n),
				"promoCodeCsvUrl":     "https://s.example",
				"customRewardsApiKey": "k",
				"buttonText":          fmt.Sprint("B", n),
			}
		}
		rule := s.Rule("code_entry", object{"metadata": secret(1)})
		s.Update(rule, object{"metadata": secret(2)})
		path := "/api/loyalty/rule_edits?loyaltyRuleId=" + rule
		for i, e := range s.Call(s.ReadOnlyAPIKey, http.MethodGet, path, nil).Data() {
			if got, want := e["data"].(object)["metadata"], (object{"buttonText": fmt.Sprint("B", 2-i)}); !reflect.DeepEqual(
				got,
				want,
			) {
				t.Errorf("a read-only key sees %v, want %v", got, want)
			}
			if previous, ok := e["previousData"].(object); ok &&
				!reflect.DeepEqual(previous["metadata"], object{"buttonText": "B1"}) {
				t.Errorf("a read-only key sees what was before: %v", previous)
			}
		}
		for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey} {
			if got := s.Call(key, http.MethodGet, path, nil).Data()[0]["data"].(object)["metadata"]; !reflect.DeepEqual(
				got,
				secret(2),
			) {
				t.Errorf("a secret key sees %v", got)
			}
		}
		s.Call(s.ClientAPIKey, http.MethodGet, path, nil).Refused(403, "API key is not allowed to perform this operation")
		restore := "/api/loyalty/rule_edits/" + s.Edits(rule)[0]["id"].(string) + "/restore"
		s.Call(s.ClientAPIKey, http.MethodPost, restore, nil).Refused(403, "API key is not allowed to perform this operation")
		s.Call(s.ReadOnlyAPIKey, http.MethodPost, restore, nil).Refused(403, "API key is read-only")
	})
}
