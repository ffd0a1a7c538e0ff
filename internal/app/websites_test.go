package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestWebsitesAreMadeByOrganizationKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		sent := object{
			"name":                  "Shop",
			"homeUrl":               "https://shop.example",
			"chatServerUrl":         "https://chat.example/s",
			"messengerUrl":          "https://m.example/s",
			"microblogUsername":     "shop",
			"photoPlatformUsername": "shop_photos",
			"trustClientUsers":      true,
			"adminWalletAddress":    []string{apptest.Wallet(1), apptest.Wallet(2)},
		}
		made := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", sent).OK()
		for field, want := range sent {
			if got, there := made[field]; field == "adminWalletAddress" && there ||
				field != "adminWalletAddress" && got != want {
				t.Errorf("%s is %v, want %v", field, got, want)
			}
		}
		if made["organizationId"] != s.OrganizationID.String() || made["termsSignedAt"] != nil ||
			len(made["onchainTokens"].([]any)) != 0 ||
			len(made["collections"].([]any)) != 0 ||
			made["_count"].(object)["mintingContractAssets"] != json.Number("0") {
			t.Errorf("made: %v", made)
		}
		listed := s.Call(s.OrganizationAPIKey, "GET", "/api/websites", nil)
		if got := listed.Data(); len(got) != 2 || got[0]["id"] != made["id"] || got[1]["id"] != s.WebsiteID.String() {
			t.Errorf("newest first: %s", listed.Body)
		}
		for _, key := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey} {
			if got := s.Call(key, "GET", "/api/websites", nil).Data(); len(got) != 1 || got[0]["id"] != s.WebsiteID.String() {
				t.Errorf("a website key sees %v", got)
			}
		}
		for key, message := range map[string]string{s.WebsiteAPIKey: "API key is not allowed to perform this operation", s.ReadOnlyAPIKey: "API key is read-only",
			s.ClientAPIKey: "API key is not allowed to perform this operation", s.FunctionAPIKey: "API key is not allowed to perform this operation"} {
			s.Call(key, "POST", "/api/websites", sent).Refused(403, message)
		}
	})
}

func TestBadWebsitesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for name, c := range map[string]struct {
			body    any
			message string
		}{
			"nothing":              {nil, "name is required"},
			"empty name":           {object{"name": ""}, "name is required"},
			"null name":            {object{"name": nil}, "name is required"},
			"long name":            {object{"name": strings.Repeat("n", 1001)}, "name must be at most 1000 characters"},
			"name is a number":     {object{"name": 1}, "name must be a string"},
			"home is no url":       {object{"name": "Shop", "homeUrl": "shop"}, "homeUrl must be a valid url"},
			"chat is no url":       {object{"name": "Shop", "chatServerUrl": "javascript:x"}, "chatServerUrl must be a valid url"},
			"three admins":         {object{"name": "Shop", "adminWalletAddress": []string{"a", "b", "c"}}, "adminWalletAddress must have at most 2 items"},
			"admin in text":        {object{"name": "Shop", "adminWalletAddress": apptest.Wallet(1)}, "adminWalletAddress must be an array"},
			"admin is a number":    {object{"name": "Shop", "adminWalletAddress": []any{apptest.Wallet(1), 5}}, "adminWalletAddress.1 must be a string"},
			"empty admin":          {object{"name": "Shop", "adminWalletAddress": []string{""}}, "adminWalletAddress.0 is required"},
			"long admin":           {object{"name": "Shop", "adminWalletAddress": []string{strings.Repeat("w", 129)}}, "adminWalletAddress.0 must be at most 128 characters"},
			"trust in text":        {object{"name": "Shop", "trustClientUsers": "yes"}, "trustClientUsers must be a boolean"},
			"organization no uuid": {object{"name": "Shop", "organizationId": "acme"}, "organizationId must be a uuid"},
		} {
			if got := s.Call(
				s.OrganizationAPIKey,
				"POST",
				"/api/websites",
				c.body,
			); got.Status != 400 ||
				got.JSON()["message"] != c.message {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Shop", "organizationId": apptest.SecondUnknownID}).
			Refused(403, "API key does not have access to this organization")
		if n := len(s.Call(s.OrganizationAPIKey, "GET", "/api/websites", nil).Data()); n != 1 {
			t.Errorf("%d websites after refusals", n)
		}
	})
}

func TestWebsitesAreFoundByAPartOfTheName(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, name := range []string{"100% Shop", "Corner_shop", "Bakery"} {
			s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": name}).OK()
		}
		for query, want := range map[string]string{"": "[Bakery Corner_shop 100% Shop Acme site]", "SHOP": "[Corner_shop 100% Shop]", "%25": "[100% Shop]", "_": "[Corner_shop]", "aker": "[Bakery]",
			"none": "[]", "%5C": "[]"} {
			names := []string{}
			for _, w := range s.Call(s.OrganizationAPIKey, "GET", "/api/websites?name="+query, nil).Data() {
				names = append(names, w["name"].(string))
			}
			if got := fmt.Sprint(names); got != want {
				t.Errorf("%q finds %s, want %s", query, got, want)
			}
		}
		s.Get("/api/websites?name="+strings.Repeat("n", 1001)).Refused(400, "name must be at most 1000 characters")
	})
}
