package collections_test

import (
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

func body(address, network string, changes object) object {
	out := object{"name": "Founders", "collectionAddress": address, "network": network, "sortId": 1}
	for name, value := range changes {
		out[name] = value
	}
	return out
}

// The same address as it is sent and as it is kept.
const (
	upper = "0x00000000000000000000000000000000000C0113"
	lower = "0x00000000000000000000000000000000000c0113"
)

func TestCollectionsAreStoredChangedAndShownByTheirWebsite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		list := "/api/website_collections?websiteId=" + s.WebsiteID.String()
		made := s.Post("/api/website_collections", body(upper, "base", object{
			"royaltyFee": "2.5", "royaltyFeeAddress": upper, "stakingAddress": upper, "imageUrl": "https://shop.example/a.png",
			"themeId": apptest.UnknownID, "mintingContractId": apptest.UnknownID,
		})).OK()
		if made["collectionAddress"] != lower || made["stakingAddress"] != lower ||
			made["royaltyFee"] != apptest.JSONNumber("2.5") || made["mintingContractId"] != nil || made["homeUrl"] != nil ||
			made["themeId"] != apptest.UnknownID {
			t.Errorf("made %v", made)
		}
		id := made["id"].(string)
		first := s.Post("/api/website_collections", body("An1", "solana", object{"sortId": 0})).OK()
		if got := s.Call(s.ClientAPIKey, "GET", list, nil).Data(); len(got) != 2 || got[0]["id"] != first["id"] ||
			!reflect.DeepEqual(got[1], made) {
			t.Errorf("listed as %v", got)
		}
		if got := s.Get(list + "&startingAfter=" + first["id"].(string)).Data(); len(got) != 1 || got[0]["id"] != id {
			t.Errorf("behind the first: %v", got)
		}
		changed := s.Post("/api/website_collections/"+id, object{
			"name": "Early", "royaltyFee": nil, "network": "polygon", "collectionAddress": "x",
		}).OK()
		if changed["name"] != "Early" || changed["royaltyFee"] != nil || changed["network"] != "base" ||
			changed["collectionAddress"] != made["collectionAddress"] || changed["imageUrl"] != made["imageUrl"] {
			t.Errorf("changed to %v", changed)
		}
		want := []any{
			object{"id": first["id"], "name": "Founders", "imageUrl": nil, "royaltyFee": apptest.JSONNumber("0"),
				"royaltyFeeAddress": ""},
			object{"id": id, "name": "Early", "imageUrl": made["imageUrl"], "royaltyFee": apptest.JSONNumber("0"),
				"royaltyFeeAddress": lower},
		}
		if got := s.Get("/api/websites").Data()[0]["collections"]; !reflect.DeepEqual(got, want) {
			t.Errorf("the website shows %v", got)
		}
		s.Post("/api/website_collections", body(upper, "base", nil)).Refused(400, "Collection already exists")
		s.Post("/api/website_collections", body(upper, "polygon", nil)).OK()
		if gone := s.Call(s.WebsiteAPIKey, "DELETE", "/api/website_collections/"+id, nil).OK(); gone["deletedAt"] == nil {
			t.Error(gone)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/website_collections/"+id, nil).Refused(404, "Collection not found")
		s.Post("/api/website_collections/"+id, object{}).Refused(404, "Collection not found")
		s.Get("/api/website_collections/"+id).Refused(404, "Collection not found")
		if got := s.Get(list + "&startingAfter=" + id).Data(); len(got) != 1 {
			t.Errorf("behind a deleted one: %v", got)
		}
		s.Post("/api/website_collections", body(upper, "base", nil)).OK() // its address is free
	})
}

func TestOnlyPropertiesOfACollectionAreKnown(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		sent := body(upper, "base", object{"HomeUrl": "https://a.example", "id": apptest.UnknownID})
		made := s.Call(s.WebsiteAPIKey, "POST", "/api/website_collections", sent)
		if id := made.OK()["id"]; id == apptest.UnknownID || made.Header.Get("Laurel-Ignored") != "HomeUrl, id" {
			t.Errorf("made %v, ignored %s", id, made.Header.Get("Laurel-Ignored"))
		}
		path := "/api/website_collections/" + made.JSON()["id"].(string)
		strict := func(change object) apptest.Response {
			return s.Call(s.WebsiteAPIKey, "POST", path, change, "Prefer", "handling=strict")
		}
		strict(object{"collectionAddress": "x", "network": "polygon", "name": "Early", "websiteId": s.WebsiteID}).OK()
		strict(object{"name": "Late", "mintingContractId": nil}).Refused(400, "mintingContractId is not a known property")
		if got := s.Get(path).OK(); got["name"] != "Early" || got["network"] != "base" || got["collectionAddress"] != lower {
			t.Errorf("changed to %v", got)
		}
	})
}

func TestBadCollectionsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, c := range []struct {
			change        object
			path, message string
		}{
			{object{"collectionAddress": nil}, "collectionAddress", "collectionAddress is required"},
			{object{"collectionAddress": strings.Repeat("x", 129)}, "collectionAddress",
				"collectionAddress must be at most 128 characters"},
			{object{"name": ""}, "name", "name is required"},
			{object{"network": "nowhere"}, "network", "network must be a known network"},
			{object{"network": nil}, "network", "network is required"},
			{object{"sortId": nil}, "sortId", "sortId is required"},
			{object{"sortId": "first"}, "sortId", "sortId must be an integer"},
			{object{"homeUrl": "javascript:alert(1)"}, "homeUrl", "homeUrl must be a valid url"},
			{object{"imageUrl": "/etc/passwd"}, "imageUrl", "imageUrl must be a valid url"},
			{object{"royaltyFee": -1}, "royaltyFee", "royaltyFee must be between 0 and 100"},
			{object{"royaltyFee": "100.000001"}, "royaltyFee", "royaltyFee must be between 0 and 100"},
			{object{"themeId": "x"}, "themeId", "themeId must be a uuid"},
		} {
			a := s.Post("/api/website_collections", body(upper, "base", c.change))
			faults := a.Refused(400, c.message)["errors"].([]any)
			if faults[0].(object)["path"] != c.path {
				t.Errorf("%v: %s", c.change, a.Body)
			}
		}
		s.Get("/api/website_collections").Refused(400, "websiteId is required")
		if got := s.Get("/api/website_collections?websiteId=" + s.WebsiteID.String()).Data(); len(got) != 0 {
			t.Errorf("refused collections were kept: %v", got)
		}
	})
}
