package catalog_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// things are what a rule may name.
type things struct{ badge, contract, subscription, function, rule any }

func thingsOf(s *apptest.Server) things {
	return things{
		badge: s.CreateBadge(), contract: s.RegisterContract(), subscription: s.Subscribe("", nil, "User")["id"], function: s.CreateFunction(),
		rule: s.Rule("external_rule", nil),
	}
}

// fullRule sets every property that a caller may set to something else than its default, in the form in which it is
// answered.
func fullRule(s *apptest.Server, named things) object {
	return object{
		"name":               "Everything",
		"type":               "external_rule",
		"amount":             json.Number("12.500001"),
		"startTime":          "2026-01-01T22:00:00.000Z",
		"endTime":            "2026-03-01T00:00:00.123Z",
		"effectiveStartTime": "2025-01-01T00:00:00.000Z",
		"effectiveEndTime":   "2025-02-01T00:00:00.000Z",
		"frequency":          "immediately",
		"interval":           "custom",
		"metadata": object{
			"customIntervalSeconds": json.Number("60"),
			"own":                   object{"deep": []any{json.Number("1"), nil, "x"}},
		},
		"description":       "All of it",
		"rewardType":        "points",
		"loyaltyCurrencyId": s.LoyaltyCurrencyID.String(),
		"loyaltyBadgeId":    named.badge,
		"rewardLifetime":    "dynamic",
		"claimType":         "auto",
		"collectionAddress": apptest.Alice,
		"collections": []any{
			object{"address": apptest.Bob, "network": "polygon", "symbol": "PIC"},
			object{"address": "Base58Case", "network": "solana"},
		},
		"network":                    "polygon",
		"contractIds":                []any{named.contract},
		"subscriptionId":             named.subscription,
		"functionId":                 named.function,
		"externalIntegrationId":      "driver-1",
		"oauthCredentialsId":         "driver-2",
		"customRewardsApiUrl":        "https://example.test/rewards?a=1&b=<2>",
		"customRewardsCsvUrl":        "https://example.test/rewards.csv",
		"loyaltyUserAllotmentCsvUrl": "https://example.test/list.csv",
		"shopStoreUrl":               "https://example.test/shop",
		"mediaUrl":                   "https://example.test/a.png",
		"backgroundAssetUrl":         "https://example.test/b.png",
		"hideInUi":                   true,
		"isRequired":                 true,
		"isSpecial":                  true,
		"showBeforeStart":            true,
		"loyaltyRuleGroupId":         nil,
		"maxAmountInterval":          "weekly",
		"maxAmountPerInterval":       json.Number("100.5"),
		"progressType":               "counter",
		"trackProgress":              true,
		"tokenReward": object{
			"relayerId":  apptest.UnknownID,
			"contractId": named.contract,
			"isNative":   true,
		},
		"isDappRule":         true,
		"dappDataWindow":     "daily",
		"dappDeployedWithin": "monthly",
		"duplicatedFromId":   named.rule,
	}
}

// emptyRule is what a rule answers of properties of which nothing was said (contract 3.12).
func emptyRule(s *apptest.Server) object {
	o := object{
		"amount":            nil,
		"frequency":         "none",
		"interval":          "once",
		"metadata":          object{},
		"description":       "",
		"rewardType":        "points",
		"loyaltyCurrencyId": s.LoyaltyCurrencyID.String(),
		"deletedAt":         nil,
		"loyaltyBadge":      nil,
		"loyaltyRuleChain":  []any{},
		"organizationId":    s.OrganizationID.String(),
		"websiteId":         s.WebsiteID.String(),
	}
	for name, v := range fullRule(s, things{}) {
		switch _, given := o[name]; {
		case given:
		case v == true:
			o[name] = false
		default:
			o[name] = nil
		}
	}
	return o
}

// sameRule fails the test unless a response has the wanted properties and no others, besides id and times.
func sameRule(t *testing.T, got, want object) {
	t.Helper()
	for name, v := range want {
		if g, there := got[name]; !there || !reflect.DeepEqual(g, v) {
			t.Errorf("%s is %v, want %v", name, g, v)
		}
	}
	for name, v := range got {
		if _, wanted := want[name]; !wanted && name != "id" && name != "createdAt" && name != "updatedAt" {
			t.Errorf("%s is answered with %v and is no property of a rule", name, v)
		}
	}
}

// stored reads a rule back from the list.
func stored(s *apptest.Server, rule string) object {
	s.T.Helper()
	for _, special := range []string{"", "&isSpecial=true"} {
		if list := s.Get("/api/loyalty/rules?includeDeleted=true&loyaltyRuleId=" + rule + special).Data(); len(list) == 1 {
			return list[0]
		}
	}
	s.T.Fatalf("rule %s is not listed", rule)
	return nil
}

func TestARuleIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		least := s.Post("/api/loyalty/rules", object{"name": "Least", "type": "check_in"}).OK()
		want := apptest.Over(emptyRule(s), object{"name": "Least", "type": "check_in"})
		sameRule(t, least, want)
		sameRule(t, stored(s, least["id"].(string)), want)

		named := thingsOf(s)
		sent := apptest.Over(
			fullRule(s, named),
			object{
				"editComment": "as planned",
				"amount":      "12.500001",
				"startTime":   "2026-01-02T00:00:00+02:00",
				"collectionAddress": "0x" + strings.ToUpper(
					apptest.Alice[2:],
				),
				"id":        apptest.UnknownID,
				"createdAt": "2020-01-01T00:00:00Z",
				"unheardOf": 1,
			},
		)
		full := s.Post("/api/loyalty/rules", sent).OK()
		want = apptest.Over(emptyRule(s), fullRule(s, named))
		want["loyaltyBadge"] = object{"id": named.badge, "name": "Regular", "description": "", "imageUrl": "https://files.example/b.png"}
		sameRule(t, full, want)
		sameRule(t, stored(s, full["id"].(string)), want)
		if full["id"] == apptest.UnknownID || full["createdAt"] != full["updatedAt"] ||
			!strings.HasPrefix(full["createdAt"].(string), "2026-01-14T12:00:") {
			t.Errorf("id %v, created %v, updated %v", full["id"], full["createdAt"], full["updatedAt"])
		}

		path := "/api/loyalty/rules/" + full["id"].(string)
		s.Clock.Advance(time.Minute)
		for _, same := range []object{{}, {"name": "Everything", "type": "external_rule", "isDappRule": true, "editComment": "nothing"}, sent} {
			same := s.Post(path, same).OK()
			sameRule(t, same, want)
			if same["updatedAt"] != full["updatedAt"] {
				t.Errorf("an update without a change moved updatedAt to %v", same["updatedAt"])
			}
		}
		changed := s.Post(path, object{"name": "Other", "metadata": object{"customIntervalSeconds": 90}}).OK()
		sameRule(
			t,
			changed,
			apptest.Over(want, object{"name": "Other", "metadata": object{"customIntervalSeconds": json.Number("90")}}),
		)
		if changed["updatedAt"] == full["updatedAt"] || changed["createdAt"] != full["createdAt"] {
			t.Errorf("created %v, updated %v", changed["createdAt"], changed["updatedAt"])
		}

		cleared := object{"interval": "once", "metadata": nil}
		for name, empty := range emptyRule(s) {
			if given := fullRule(s, named)[name]; empty == nil && given != nil && name != "duplicatedFromId" && name != "name" &&
				name != "type" {
				cleared[name] = nil
			}
		}
		got := s.Post(path, apptest.Over(cleared, object{"loyaltyCurrencyId": nil})).OK()
		for name, v := range cleared {
			if name != "interval" && name != "metadata" && !reflect.DeepEqual(got[name], v) {
				t.Errorf("null leaves %s at %v", name, got[name])
			}
		}
		if got["loyaltyCurrencyId"] != s.LoyaltyCurrencyID.String() || !reflect.DeepEqual(got["metadata"], object{}) ||
			got["duplicatedFromId"] != named.rule {
			t.Errorf("cleared: %v", got)
		}
	})
}

func TestDefaultsFollowTheType(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge()
		for _, c := range []struct {
			sent, want object
		}{
			{object{"type": "dapps_by_gas_spent"}, object{"isDappRule": true}},
			{object{"type": "dapps_by_gas_spent", "isDappRule": false}, object{"isDappRule": false}},
			{object{"type": "external_rule", "loyaltyRuleGroupId": "no-section"}, object{"isDappRule": false, "loyaltyRuleGroupId": nil}},
			{object{"type": "token_hold", "frequency": "weekly"}, object{"frequency": "weekly"}},
			{object{"type": "chat_server_messages", "interval": "every_message"}, object{"interval": "every_message"}},
			{object{"type": "quiz", "rewardType": "token", "tokenReward": object{"relayerId": apptest.UnknownID}},
				object{"loyaltyCurrencyId": nil, "tokenReward": object{"relayerId": apptest.UnknownID}}},
			{object{"type": "quiz", "rewardType": "badge", "loyaltyBadgeId": strings.ToUpper(badge)}, object{"loyaltyCurrencyId": nil, "loyaltyBadgeId": badge}},
			{object{"type": "quiz", "rewardType": "multiplier", "amount": 2}, object{"loyaltyCurrencyId": nil, "amount": json.Number("2")}},
			{object{"type": "quiz", "amount": 0}, object{"amount": json.Number("0")}},
		} {
			got := s.Post("/api/loyalty/rules", apptest.Over(object{"name": "N"}, c.sent)).OK()
			for name, v := range c.want {
				if g, there := got[name]; !there || !reflect.DeepEqual(g, v) {
					t.Errorf("%v: %s is %v, want %v", c.sent, name, g, v)
				}
			}
		}
	})
}

func TestMetadataIsKeptVerbatim(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		raw := `{"zebra":1.50,"big":123456789012345678901234567890,"exp":1E+2,"html":"<a href=\"x\">&</a>","uni":"é\u2028😀","nul":null,"list":[1.0,{"b":0.10}],` +
			`"minQty":1,"maxQty":2,"tokenMode":"a","swappedToChain":1,"swappedToTokens":[],"trackTokenAmount":true,"reactionStats":{"likeCount":5},` +
			`"minimumFollowerCount":"1000","swap":{"from":{"mode":"any","chain":"any","tokens":[]},"tokenMode":"x","extra":7.0},"link":null}`
		want := `{"big":123456789012345678901234567890,"exp":1E+2,"html":"<a href=\"x\">&</a>","link":null,"list":[1.0,{"b":0.10}],"minimumFollowerCount":"1000",` +
			`"nul":null,"swap":{"extra":7.0,"from":{"chain":"any","mode":"any","tokens":[]}},"uni":"é` + "\u2028" + `😀","zebra":1.50}`
		created := s.Post("/api/loyalty/rules", `{"name":"M","type":"check_in","metadata":`+raw+`}`).OK()
		rule := created["id"].(string)
		check := func(where string, got any) {
			t.Helper()
			d := json.NewDecoder(strings.NewReader(want))
			d.UseNumber()
			var wanted any
			if err := d.Decode(&wanted); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, wanted) {
				t.Errorf("%s: %v, want %v", where, got, wanted)
			}
		}
		check("created", created["metadata"])
		check("listed", stored(s, rule)["metadata"])
		check("after another change", s.Post("/api/loyalty/rules/"+rule, object{"name": "N"}).OK()["metadata"])
		if got := s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"only": 1}}).OK()["metadata"]; !reflect.DeepEqual(
			got,
			object{"only": json.Number("1")},
		) {
			t.Errorf("replaced: %v", got)
		}
	})
}

func TestWhatOnlySecretKeysSeeOfARule(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Rule(
			"code_entry",
			object{
				"metadata": object{
					"promoCode":           "HUSH",
					"promoCodeCsvUrl":     "https://example.test/c.csv",
					"customRewardsApiKey": "k",
					"link":                "x",
					"n":                   json.Number("1.0"),
				},
			},
		)
		for key, hidden := range map[string]bool{s.OrganizationAPIKey: false, s.WebsiteAPIKey: false, s.ReadOnlyAPIKey: true, s.ClientAPIKey: true} {
			m := s.Call(key, http.MethodGet, "/api/loyalty/rules", nil).Data()[0]["metadata"].(object)
			for _, name := range []string{"promoCode", "promoCodeCsvUrl", "customRewardsApiKey"} {
				if _, shown := m[name]; shown == hidden {
					t.Errorf("%s is shown: %v, to a key of %s", name, shown, key[:9])
				}
			}
			if m["link"] != "x" || m["n"] != json.Number("1.0") {
				t.Errorf("the rest: %v", m)
			}
		}
	})
}

func TestDeletingAndBringingBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", nil)
		path := "/api/loyalty/rules/" + rule
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		gone := s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil).OK()
		if len(gone) != 2 || gone["id"] != rule || !strings.HasPrefix(fmt.Sprint(gone["deletedAt"]), "2026-01-14T12:") {
			t.Errorf("deleted: %v", gone)
		}
		s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil).Refused(404, "Loyalty rule not found")
		s.Post(path, object{"name": "x"}).Refused(404, "Loyalty rule not found")
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(404, "Loyalty rule not found")
		if got := stored(s, rule)["deletedAt"]; got != gone["deletedAt"] {
			t.Errorf("listed as deleted at %v, want %v", got, gone["deletedAt"])
		}
		if got := s.Balance(apptest.Alice); got != "10" {
			t.Errorf("deleting a rule left %s", got)
		}
		if back := s.Post(path, object{"deletedAt": nil, "name": "Back"}).
			OK(); back["deletedAt"] != nil ||
			back["name"] != "Back" {
			t.Errorf("brought back: %v", back)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		if again := s.Post(path, object{"deletedAt": "2020-01-01T00:00:00Z"}).OK(); again["deletedAt"] == nil {
			t.Errorf("deleted by an update: %v", again)
		}
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(404, "Loyalty rule not found")
	})
}

func TestRulesOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", nil)
		path := "/api/loyalty/rules/" + rule
		rival := s.NewProgram("Rival")
		before := stored(s, rule)
		user := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()["user"].(object)["id"]
		for name, a := range map[string]apptest.Response{
			"update":   s.Call(rival.WebsiteAPIKey, http.MethodPost, path, object{"name": "mine"}),
			"delete":   s.Call(rival.WebsiteAPIKey, http.MethodDelete, path, nil),
			"complete": s.Call(rival.WebsiteAPIKey, http.MethodPost, path+"/complete", object{"walletAddress": apptest.Bob}),
			"organization": s.Call(
				rival.OrganizationAPIKey,
				http.MethodPost,
				path+"/complete",
				object{"walletAddress": apptest.Bob},
			),
			"unknown": s.Post("/api/loyalty/rules/"+apptest.UnknownID, object{}),
			"nil": s.Post(
				"/api/loyalty/rules/00000000-0000-0000-0000-000000000000/complete",
				object{"walletAddress": apptest.Bob},
			),
		} {
			if a.Status != 404 || a.JSON()["message"] != "Loyalty rule not found" {
				t.Errorf("%s: %d %s", name, a.Status, a.Body)
			}
		}
		own := s.Call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "R", "type": "external_rule"}).OK()["id"].(string)
		s.Call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules/"+own+"/complete", object{"userId": user}).
			Refused(404, "User not found")
		foreign := s.Call(
			rival.WebsiteAPIKey,
			http.MethodPost,
			"/api/loyalty/rules",
			object{"name": "R", "type": "check_in", "loyaltyCurrencyId": s.LoyaltyCurrencyID},
		)
		apptest.SameFaults(
			t,
			"foreign currency",
			foreign.Refused(400, "Loyalty currency not found"),
			[]object{{"path": "loyaltyCurrencyId", "message": "Loyalty currency not found"}},
		)
		for _, m := range []string{http.MethodGet, http.MethodPost} {
			tail, body := "?websiteId="+s.WebsiteID.String(), any(nil)
			if m == http.MethodPost {
				tail, body = "", object{"name": "R", "type": "check_in", "websiteId": s.WebsiteID}
			}
			s.Call(rival.WebsiteAPIKey, m, "/api/loyalty/rules"+tail, body).
				Refused(403, "API key does not have access to this website")
			s.Call(rival.OrganizationAPIKey, m, "/api/loyalty/rules"+tail, body).
				Refused(403, "API key does not have access to this website")
		}
		s.Call(rival.WebsiteAPIKey, http.MethodPost, path+"/complete", object{"walletAddress": apptest.Bob, "organizationId": s.OrganizationID}).
			Refused(403, "API key does not have access to this organization")
		if after := stored(s, rule); !reflect.DeepEqual(after, before) {
			t.Errorf("a stranger changed %v to %v", before, after)
		}
		for key, message := range map[string]string{"": "API key is required", "lrl_w_x": "Invalid API key", s.ReadOnlyAPIKey: "API key is read-only",
			s.ClientAPIKey: "API key is not allowed to perform this operation", s.FunctionAPIKey: "API key is not allowed to perform this operation"} {
			s.Call(key, http.MethodPost, path, object{"name": "mine"}).Refused(403, message)
			s.Call(key, http.MethodDelete, path, nil).Refused(403, message)
		}
		s.Call(s.ReadOnlyAPIKey, http.MethodPost, path+"/complete", object{"walletAddress": apptest.Alice}).
			Refused(403, "API key is read-only")
	})
}
