package ledger_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestCurrenciesAreMadeInFull(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		sent := object{
			"name":                      "Gold",
			"symbol":                    "GLD",
			"decimals":                  18,
			"imageUrl":                  "https://img.example/g.png",
			"sortId":                    3,
			"apiAuthType":               "apiKey",
			"apiAuthKey":                "X-Key",
			"apiAuthValue":              "s3cret",
			"apiGetUrl":                 "https://api.example/get",
			"apiPostUrl":                "https://api.example/post",
			"apiGetTransactionEntryUrl": "https://api.example/entries",
		}
		made := s.Post(apptest.CurrenciesPath, sent).OK()
		for field, want := range sent {
			if got := fmt.Sprint(made[field]); got != fmt.Sprint(want) {
				t.Errorf("%s is %s, want %v", field, got, want)
			}
		}
		for field, want := range (object{"isTokenRewardCurrency": false, "deletedAt": nil, "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "updatedAt": made["createdAt"]}) {
			if got, there := made[field]; !there || got != want {
				t.Errorf("%s is %v, want %v", field, got, want)
			}
		}
		if made["createdById"] == nil {
			t.Error("createdById is null")
		}
		secrets := []string{"apiAuthKey", "apiAuthValue", "apiGetUrl", "apiPostUrl", "apiGetTransactionEntryUrl"}
		for key, shown := range map[string]bool{s.OrganizationAPIKey: true, s.WebsiteAPIKey: true, s.ReadOnlyAPIKey: false, s.ClientAPIKey: false} {
			listed := s.Call(key, "GET", apptest.CurrenciesPath, nil).Data()[0]
			if listed["id"] != made["id"] || listed["name"] != "Gold" || listed["apiAuthType"] != "apiKey" {
				t.Errorf("listed: %v", listed)
			}
			for _, field := range secrets {
				if got, there := listed[field]; !there || (got != nil) != shown {
					t.Errorf("%s is %v, shown %v", field, got, shown)
				}
			}
		}
		if main := s.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + made["id"].(string)).
			Data(); len(main) != 1 ||
			main[0]["amount"] != json.Number("0") {
			t.Errorf("main account: %v", main)
		}
		least := s.Post(apptest.CurrenciesPath, object{"name": "G", "symbol": "g", "decimals": 0}).OK()
		for _, field := range append(secrets, "imageUrl", "sortId", "apiAuthType") {
			if got, there := least[field]; !there || got != nil {
				t.Errorf("%s is %v, want null", field, got)
			}
		}
	})
}

func TestBadCurrenciesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		with := func(change object) object {
			b := object{"name": "Gold", "symbol": "G", "decimals": 2}
			for k, v := range change {
				b[k] = v
			}
			return b
		}
		own := apptest.CurrenciesPath + "/" + s.LoyaltyCurrencyID.String()
		for name, c := range map[string]struct {
			body    any
			message string
			update  bool // refused on update too
		}{
			"nothing":             {nil, "name is required", false},
			"no symbol":           {object{"name": "Gold", "decimals": 2}, "symbol is required", false},
			"no decimals":         {object{"name": "Gold", "symbol": "G"}, "decimals is required", false},
			"null decimals":       {with(object{"decimals": nil}), "decimals is required", false},
			"19 decimals":         {with(object{"decimals": 19}), "decimals must be between 0 and 18", false},
			"-1 decimals":         {with(object{"decimals": -1}), "decimals must be between 0 and 18", false},
			"half a decimal":      {with(object{"decimals": 0.5}), "decimals must be an integer", true},
			"decimals in text":    {with(object{"decimals": "2"}), "decimals must be an integer", true},
			"empty name":          {with(object{"name": ""}), "name is required", true},
			"null name":           {with(object{"name": nil}), "name is required", true},
			"name is a number":    {with(object{"name": 5}), "name must be a string", true},
			"long name":           {with(object{"name": strings.Repeat("n", 256)}), "name must be at most 255 characters", true},
			"name with NUL":       {with(object{"name": "a\x00"}), "name must not contain NUL characters", true},
			"long symbol":         {with(object{"symbol": strings.Repeat("n", 33)}), "symbol must be at most 32 characters", true},
			"image is no url":     {with(object{"imageUrl": "img"}), "imageUrl must be a valid url", true},
			"image is a script":   {with(object{"imageUrl": "javascript:alert(1)"}), "imageUrl must be a valid url", true},
			"long image url":      {with(object{"imageUrl": "https://i.example/" + strings.Repeat("i", 2048)}), "imageUrl must be a valid url", true},
			"sortId in text":      {with(object{"sortId": "first"}), "sortId must be an integer", true},
			"sortId beyond int64": {with(object{"sortId": json.Number("9223372036854775808")}), "sortId must be an integer", true},
			"unknown auth":        {with(object{"apiAuthType": "magic"}), "apiAuthType must be one of: none, basic, bearer, apiKey", true},
			"address is no url":   {with(object{"apiGetUrl": "ftp://x.example"}), "apiGetUrl must be a valid url", true},
			"plain address":       {with(object{"apiGetUrl": "http://x.example"}), "apiGetUrl must use https", true},
			"private address":     {with(object{"apiPostUrl": "https://10.0.0.1/post"}), "apiPostUrl must not point to a private address", true},
			"address with user":   {with(object{"apiGetTransactionEntryUrl": "https://u:p@x.example"}), "apiGetTransactionEntryUrl must not contain credentials", true},
			"array":               {"[1]", "Malformed JSON body", true},
			"two objects":         {"{}{}", "Malformed JSON body", true},
		} {
			if got := s.Post(apptest.CurrenciesPath, c.body); got.Status != 400 || got.JSON()["message"] != c.message {
				t.Errorf("create, %s: %d %s", name, got.Status, got.Body)
			}
			if !c.update {
				continue
			}
			if got := s.Post(own, c.body); got.Status != 400 || got.JSON()["message"] != c.message {
				t.Errorf("update, %s: %d %s", name, got.Status, got.Body)
			}
		}
		if got := s.Get(apptest.CurrenciesPath).Data(); len(got) != 1 || got[0]["name"] != "Acme points" {
			t.Errorf("currencies after refusals: %v", got)
		}
		for _, method := range []string{"POST", "DELETE"} {
			s.Call(
				s.WebsiteAPIKey,
				method,
				apptest.CurrenciesPath+"/"+apptest.SecondUnknownID,
				nil,
			).Refused(404, "Loyalty currency not found")
			s.Call(s.WebsiteAPIKey, method, apptest.CurrenciesPath+"/gold", nil).Refused(400, "id must be a uuid")
		}
		s.Post(
			apptest.CurrenciesPath,
			with(object{"websiteId": apptest.SecondUnknownID}),
		).Refused(403, "API key does not have access to this website")
		s.Post(own, object{"organizationId": apptest.SecondUnknownID}).Refused(
			403,
			"API key does not have access to this organization",
		)
	})
}

func TestCurrenciesAreUpdatedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 2, "imageUrl": "https://i.example/a", "sortId": 5}).
			OK()
		path := apptest.CurrenciesPath + "/" + made["id"].(string)
		if same := s.Post(path, nil).
			OK(); same["name"] != "Gold" || same["imageUrl"] != "https://i.example/a" ||
			same["sortId"] != json.Number("5") {
			t.Errorf("absent properties do not keep: %v", same)
		}
		s.Clock.Advance(time.Minute)
		changed := s.Post(
			path,
			object{"name": "Golden", "imageUrl": nil, "sortId": nil, "decimals": 7, "id": apptest.SecondUnknownID},
		).OK()
		if changed["id"] != made["id"] || changed["name"] != "Golden" || changed["symbol"] != "G" ||
			changed["imageUrl"] != nil ||
			changed["sortId"] != nil ||
			changed["decimals"] != json.Number("2") ||
			changed["createdAt"] != made["createdAt"] ||
			changed["updatedAt"] == made["updatedAt"] {
			t.Errorf("changed: %v", changed)
		}
		s.Transact(apptest.Points(apptest.Alice, 5, object{"loyaltyCurrencyId": made["id"]})).OK()
		account := s.Get("/api/loyalty/accounts").Data()[0]
		deleted := s.Call(s.WebsiteAPIKey, "DELETE", path, nil).OK()
		if deleted["id"] != made["id"] || deleted["deletedAt"] == nil || deleted["name"] != "Golden" {
			t.Errorf("deleted: %v", deleted)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", path, nil).Refused(404, "Loyalty currency not found")
		s.Post(path, object{"name": "Silver"}).Refused(404, "Loyalty currency not found")
		s.Transact(
			apptest.Points(apptest.Alice, 5, object{"loyaltyCurrencyId": made["id"]}),
		).Refused(400, "Loyalty currency not found")
		// What was given stays readable.
		if n := s.Count(
			"/api/loyalty/accounts?loyaltyCurrencyId=" + made["id"].(string),
		); n != 1 ||
			account["amount"] != json.Number("5") {
			t.Errorf("%d accounts of the deleted currency", n)
		}
		for query, want := range map[string]int{"": 1, "?includeDeleted=true": 2, "?includeDeleted=1": 2, "?includeDeleted=FALSE": 1, "?excludeTokenRewardCurrencies=false": 1,
			"?startingAfter=" + s.LoyaltyCurrencyID.String(): 0} {
			if got := s.Count(apptest.CurrenciesPath + query); got != want {
				t.Errorf("%s lists %d, want %d", query, got, want)
			}
		}
		s.Get(apptest.CurrenciesPath + "?startingAfter=" + made["id"].(string)).OK() // a cursor that was deleted meanwhile
		for _, name := range []string{"includeDeleted", "excludeTokenRewardCurrencies"} {
			if got := s.Get(
				apptest.CurrenciesPath + "?" + name + "=maybe",
			); got.Status != 400 ||
				!strings.HasPrefix(got.JSON()["message"].(string), name+" must be ") {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
	})
}

func TestCurrenciesAreListedBySortID(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for name, sort := range map[string]any{"c": 7, "a": -1, "b": 7} {
			_ = name
			s.Post(
				apptest.CurrenciesPath,
				object{"name": fmt.Sprint("sorted ", sort), "symbol": "S", "decimals": 0, "sortId": sort},
			).
				OK()
		}
		s.Post(apptest.CurrenciesPath, object{"name": "last", "symbol": "L", "decimals": 0}).OK()
		want := []string{"sorted -1", "sorted 7", "sorted 7", "Acme points", "last"}
		after := ""
		for i, name := range want {
			page := s.Get(apptest.CurrenciesPath + "?limit=1" + after)
			got := page.Data()[0]
			if got["name"] != name || page.JSON()["hasNextPage"] != (i < len(want)-1) {
				t.Fatalf("place %d is %v, hasNextPage %v", i, got["name"], page.JSON()["hasNextPage"])
			}
			after = "&startingAfter=" + got["id"].(string)
		}
	})
}

func TestConcurrentCreatesWithOneIdempotencyKeyMakeOneCurrency(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		answers := make([]apptest.Response, 16)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				answers[i] = s.Call(
					s.WebsiteAPIKey,
					"POST",
					apptest.CurrenciesPath,
					object{"name": "Gold", "symbol": "G", "decimals": 0},
					"Idempotency-Key",
					"one",
				)
			})
		}
		wg.Wait()
		replayed := 0
		for _, a := range answers {
			if a.OK()["id"] != answers[0].JSON()["id"] {
				t.Errorf("answers differ: %s %s", a.Body, answers[0].Body)
			}
			if a.Header.Get("Idempotent-Replayed") == "true" {
				replayed++
			}
		}
		if replayed != len(answers)-1 || s.Count(apptest.CurrenciesPath) != 2 {
			t.Errorf("%d replayed, %d currencies", replayed, s.Count(apptest.CurrenciesPath))
		}
		s.Call(s.WebsiteAPIKey, "POST", apptest.CurrenciesPath, object{"name": "Silver", "symbol": "G", "decimals": 0}, "Idempotency-Key", "one").
			Refused(400, "Idempotency-Key was already used with a different request")
	})
}
