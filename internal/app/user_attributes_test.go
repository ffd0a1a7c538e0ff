package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const (
	attributesPath = "/api/website_user_attributes"
	valuesPath     = attributesPath + "/values"
)

// attribute makes an attribute of users.
func attribute(s *apptest.Server, label string) string {
	s.T.Helper()
	return s.Post(attributesPath, object{"data": []object{{"label": label}}}).Data()[0]["id"].(string)
}

// value sets an attribute of a user, and returns what the call returns.
func value(s *apptest.Server, user, attribute, text string) object {
	s.T.Helper()
	got := s.Post(valuesPath, object{"data": []object{
		{"userId": user, "websiteUserAttributeId": attribute, "value": text},
	}})
	var list []object
	if err := json.Unmarshal([]byte(got.Body), &list); err != nil || len(list) != 1 {
		s.T.Fatalf("%d %s", got.Status, got.Body)
	}
	return list[0]
}

func TestAttributesAreWrittenRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post(attributesPath, object{"data": []object{{"label": "Size"}, {"label": "Colour"}, {"label": "Size"}}}).OK()
		list := made["data"].([]any)
		size, colour := list[0].(object), list[1].(object)
		if len(list) != 3 || made["hasNextPage"] != false || !reflect.DeepEqual(list[2], list[0]) || size["deletedAt"] != nil {
			t.Errorf("made %v", made)
		}
		id := size["id"].(string)
		if again := s.Post(attributesPath, object{"data": []object{{"label": "Size"}}}).Data(); !reflect.DeepEqual(again[0], size) {
			t.Errorf("made again: %v", again)
		}
		listed := s.Call(s.ReadOnlyAPIKey, "GET", attributesPath, nil).Data()
		if len(listed) != 2 || !reflect.DeepEqual(listed[0], colour) || !reflect.DeepEqual(listed[1], size) {
			t.Errorf("listed %v", listed)
		}
		if next := s.Get(attributesPath + "?limit=1&startingAfter=" + colour["id"].(string)).Data(); next[0]["id"] != id {
			t.Errorf("the next page: %v", next)
		}
		s.Post(attributesPath, object{"data": []object{{"label": "New"}, {"id": id, "label": "Colour"}}}).
			Refused(400, "User attribute already exists")
		s.Post(attributesPath, object{"data": []object{{"label": "New"}, {"id": apptest.UnknownID, "label": "Other"}}}).
			Refused(404, "User attribute not found")
		s.Post(attributesPath+"/"+id, object{"label": "Colour"}).Refused(400, "User attribute already exists")
		if n := s.Count(attributesPath); n != 2 {
			t.Errorf("refusals left %d attributes", n)
		}
		renamed := s.Post(attributesPath+"/"+id, object{"label": "Shirt size"}).OK()
		if renamed["label"] != "Shirt size" || renamed["updatedAt"] == size["updatedAt"] {
			t.Errorf("renamed to %v", renamed)
		}
		byID := s.Post(attributesPath, object{"data": []object{{"id": id, "label": "Fit"}}}).Data()[0]
		if got := s.Get(attributesPath + "/" + id).OK(); got["label"] != "Fit" || !reflect.DeepEqual(got, byID) {
			t.Errorf("read as %v", got)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", attributesPath, object{"id": id}).OK()
		s.Call(s.WebsiteAPIKey, "DELETE", attributesPath, object{"id": id}).Refused(404, "User attribute not found")
		s.Call(s.WebsiteAPIKey, "DELETE", attributesPath, object{}).Refused(400, "id is required")
		s.Get(attributesPath+"/"+id).Refused(404, "User attribute not found")
		if got := s.Get(attributesPath + "?startingAfter=" + id).Data(); len(got) != 0 { // it still is a cursor
			t.Errorf("behind a deleted one: %v", got)
		}
		attribute(s, "Fit") // its label is free
		if got := s.Remove(attributesPath + "/" + colour["id"].(string)); got["message"] != "Success" {
			t.Errorf("deleted: %v", got)
		}
	})
}

func TestBadAttributesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id, user := attribute(s, "Size"), s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice}).OK()["userId"]
		many := make([]object, 101)
		for i := range many {
			many[i] = object{"label": fmt.Sprint(i)}
		}
		for name, c := range map[string]struct {
			path, message string
			data          any
		}{
			"no list":                 {attributesPath, "data is required", nil},
			"an empty list":           {attributesPath, "data must have between 1 and 100 items", []object{}},
			"a long list":             {attributesPath, "data must have between 1 and 100 items", many},
			"no label":                {attributesPath, "data.0.label is required", []object{{}}},
			"a blank label":           {attributesPath, "data.0.label is required", []object{{"label": ""}}},
			"a long label":            {attributesPath, "data.1.label must be at most 255 characters", []object{{"label": "a"}, {"label": strings.Repeat("l", 256)}}},
			"a bad id":                {attributesPath, "data.0.id must be a uuid", []object{{"label": "a", "id": "x"}}},
			"no value":                {valuesPath, "data.0.value is required", []object{{"userId": user, "websiteUserAttributeId": id}}},
			"a long value":            {valuesPath, "data.0.value must be at most 10000 characters", []object{{"userId": user, "websiteUserAttributeId": id, "value": strings.Repeat("v", 10_001)}}},
			"a value of a number":     {valuesPath, "data.0.value must be a string", []object{{"userId": user, "websiteUserAttributeId": id, "value": 5}}},
			"no user":                 {valuesPath, "data.0.userId is required", []object{{"websiteUserAttributeId": id, "value": "v"}}},
			"no attribute":            {valuesPath, "data.0.websiteUserAttributeId is required", []object{{"userId": user, "value": "v"}}},
			"an empty list of values": {valuesPath, "data must have between 1 and 100 items", []object{}},
		} {
			if got := s.Post(c.path, object{"data": c.data}); got.Status != 400 || got.JSON()["message"] != c.message {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		for message, in := range map[string]object{
			"User not found":                 {"userId": apptest.UnknownID, "websiteUserAttributeId": id, "value": "v"},
			"User attribute not found":       {"userId": user, "websiteUserAttributeId": apptest.UnknownID, "value": "v"},
			"User attribute value not found": {"userId": user, "websiteUserAttributeId": id, "value": "v", "id": apptest.UnknownID},
		} {
			good := object{"userId": user, "websiteUserAttributeId": id, "value": "v"}
			s.Post(valuesPath, object{"data": []object{good, in}}).Refused(404, message)
		}
		s.Get(valuesPath).Refused(400, "userIds is required")
		if n := s.Count(valuesPath + "?userIds=" + user.(string)); n != 0 {
			t.Errorf("refusals left %d values", n)
		}
		for range 2 {
			s.Post(attributesPath, object{"data": many[:99]}).OK() // the second time they are there
		}
		s.Post(attributesPath, object{"data": []object{{"label": "one"}, {"label": "two"}}}).OK()
		for i := range many {
			many[i]["label"] = "more " + many[i]["label"].(string)
		}
		s.Post(attributesPath, object{"data": many[:100]}).Refused(400, "Website has 200 user attributes already")
	})
}

func TestValuesAreReplacedAndShownWithTheirUser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 1)).OK()
		alice, size, colour := s.UserOf(apptest.Alice), attribute(s, "Size"), attribute(s, "Colour")
		first := value(s, alice, size, "M")
		value(s, alice, colour, "red")
		same := value(s, alice, size, "M")
		second := value(s, alice, size, "L")
		if !reflect.DeepEqual(first, same) || second["id"] != first["id"] || second["value"] != "L" ||
			second["createdAt"] != first["createdAt"] || second["updatedAt"] == first["updatedAt"] || second["customFieldId"] != size {
			t.Errorf("written %v, then %v", first, second)
		}
		s.Post(valuesPath, object{"data": []object{ // with its id, twice in one call: the last one counts
			{"userId": alice, "websiteUserAttributeId": size, "value": "XS", "id": first["id"]},
			{"userId": alice, "websiteUserAttributeId": size, "value": "XL"},
		}})
		listed := s.Get(valuesPath + "?userIds=" + alice).Data()
		if len(listed) != 2 || listed[0]["value"] != "red" || listed[1]["value"] != "XL" {
			t.Errorf("listed %v", listed)
		}
		if got := s.Get(valuesPath + "/" + first["id"].(string)).OK(); !reflect.DeepEqual(got, listed[1]) {
			t.Errorf("read as %v", got)
		}
		if got := s.Get(valuesPath + "?limit=1&userIds=" + alice + "&startingAfter=" + listed[0]["id"].(string)).Data(); got[0]["id"] != first["id"] {
			t.Errorf("the next page: %v", got)
		}
		shown := s.Get("/api/users/" + alice).OK()["websiteUserAttributes"].([]any)
		want := []any{
			object{"id": size, "label": "Size", "websiteUserAttributeValues": []any{
				object{"id": first["id"], "userId": alice, "value": "XL", "websiteUserAttributeId": size}}},
			object{"id": colour, "label": "Colour", "websiteUserAttributeValues": []any{
				object{"id": listed[0]["id"], "userId": alice, "value": "red", "websiteUserAttributeId": colour}}},
		}
		if !reflect.DeepEqual(shown, want) {
			t.Errorf("the user shows %v", shown)
		}
		ofAccount := func(key string) []any {
			account := s.Call(key, "GET", "/api/loyalty/accounts", nil).Data()[0]
			return account["user"].(object)["websiteUserAttributeValues"].([]any)
		}
		if got := ofAccount(s.ReadOnlyAPIKey); len(got) != 2 || got[1].(object)["value"] != "red" ||
			got[1].(object)["websiteUserAttribute"].(object)["label"] != "Colour" {
			t.Errorf("the account shows %v", got)
		}
		if got := ofAccount(s.ClientAPIKey); len(got) != 0 {
			t.Errorf("a client key sees %v", got)
		}
		own := s.Call(s.ClientAPIKey, "GET", "/api/users/"+alice, nil, s.MemberTokenHeaders(alice)...).OK()
		if got := own["websiteUserAttributes"].([]any); len(got) != 0 {
			t.Errorf("a client key sees %v", got)
		}
		s.Remove(attributesPath + "/" + size)
		if got := s.Get(valuesPath + "?userIds=" + alice).Data(); len(got) != 1 {
			t.Errorf("values of a deleted attribute: %v", got)
		}
		s.Get(valuesPath+"/"+first["id"].(string)).Refused(404, "User attribute value not found")
		// A user of the organization becomes a member of the website.
		site := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Second"}).OK()["id"]
		other := s.Call(s.OrganizationAPIKey, "POST", attributesPath, object{"websiteId": site, "data": []object{{"label": "Size"}}}).Data()[0]
		s.Call(s.OrganizationAPIKey, "POST", valuesPath, object{"websiteId": site, "data": []object{
			{"userId": alice, "websiteUserAttributeId": other["id"], "value": "S"}}})
		if got := s.Call(s.OrganizationAPIKey, "GET", valuesPath+"?userIds="+alice, nil).Data(); len(got) != 2 {
			t.Errorf("of both websites: %v", got)
		}
	})
}

func TestValuesOfOneUserAreWrittenAtTheSameTime(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		alice := s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice}).OK()["userId"].(string)
		size, colour := attribute(s, "Size"), attribute(s, "Colour")
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				data := []object{
					{"userId": alice, "websiteUserAttributeId": size, "value": fmt.Sprint(i)},
					{"userId": alice, "websiteUserAttributeId": colour, "value": fmt.Sprint(i)},
				}
				if i%2 == 0 {
					data[0], data[1] = data[1], data[0]
				}
				if got := s.Post(valuesPath, object{"data": data}); got.Status != 200 {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		wg.Wait()
		list := s.Get(valuesPath + "?userIds=" + alice).Data()
		if len(list) != 2 || list[0]["value"] != list[1]["value"] {
			t.Errorf("values: %v", list)
		}
	})
}
