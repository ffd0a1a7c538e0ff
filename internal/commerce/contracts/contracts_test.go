package contracts_test

import (
	"reflect"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

// The same address as it is sent and as it is kept.
const (
	address = "0x00000000000000000000000000000000000C0113"
	lower   = "0x00000000000000000000000000000000000c0113"
)

func body(changes object) object {
	out := object{"name": "Shop token", "address": address, "chainId": 8453, "type": "erc20"}
	for name, value := range changes {
		out[name] = value
	}
	return out
}

func TestContractsAreRegisteredChangedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		abi := []any{object{"type": "function", "name": "mint", "inputs": []any{}}}
		made := s.Post("/api/contracts", body(object{"abi": abi, "iconUrl": "https://shop.example/a.png"})).Created()
		if made["address"] != lower || !reflect.DeepEqual(made["abi"], abi) {
			t.Errorf("made %v", made)
		}
		if _, isIncluded := made["deletedAt"]; isIncluded {
			t.Error("a live contract tells when it was deleted")
		}
		id := made["id"].(string)
		s.Post("/api/contracts", body(object{"address": lower})).Refused(400, "Contract already exists")
		other := s.Post("/api/contracts", body(object{"chainId": nil, "name": "100%_sure", "abi": `[{"type":"receive"}]`})).Created()
		if other["chainId"] != nil || other["abi"] != `[{"type":"receive"}]` {
			t.Errorf("made %v", other)
		}
		s.Post("/api/contracts", body(object{"chainId": nil})).Refused(400, "Contract already exists")
		for query, want := range map[string]int{"": 2, "?search=SHOP": 1, "?search=%25_": 1, "?search=c0113": 2,
			"?search=zzz": 0, "?id=" + id: 1, "?cursor=" + other["id"].(string): 1, "?limit=1": 1} {
			if got := s.Get("/api/contracts" + query).Data(); len(got) != want {
				t.Errorf("%s lists %v", query, got)
			}
		}
		for _, one := range s.Get("/api/contracts?includeAbi=false").Data() {
			if _, isIncluded := one["abi"]; isIncluded {
				t.Errorf("shows its ABI: %v", one)
			}
		}
		changed := s.Post("/api/contracts/"+id, object{
			"name": "Token", "abi": nil, "iconUrl": nil, "address": apptest.Alice, "chainId": 1,
		}).OK()
		if changed["name"] != "Token" || changed["abi"] != nil || changed["address"] != made["address"] ||
			changed["chainId"] != made["chainId"] || changed["iconUrl"] != nil {
			t.Errorf("changed to %v", changed)
		}
		if gone := s.Call(s.WebsiteAPIKey, "DELETE", "/api/contracts/"+id, nil).OK(); gone["deletedAt"] == nil {
			t.Error(gone)
		}
		for _, method := range []string{"DELETE", "GET"} {
			s.Call(s.WebsiteAPIKey, method, "/api/contracts/"+id, nil).Refused(404, "Contract not found")
		}
		s.Post("/api/contracts/"+id, object{}).Refused(404, "Contract not found")
		s.Post("/api/contracts", body(nil)).Created() // its address is free
	})
}

func TestAContractThatALiveRuleNamesStays(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		named := s.Post("/api/contracts", body(nil)).Created()["id"].(string)
		paid := s.Post("/api/contracts", body(object{"chainId": 1})).Created()["id"].(string)
		end := func(id string) apptest.Response { return s.Call(s.WebsiteAPIKey, "DELETE", "/api/contracts/"+id, nil) }
		rule := s.Rule("check_in", object{"contractIds": []any{s.RegisterContract(), named}})
		s.Rule("check_in", object{"rewardType": "token",
			"tokenReward": object{"relayerId": apptest.UnknownID, "contractId": paid}})
		s.Rule("check_in", object{"description": "not " + named}) // only speaks of it
		end(named).Refused(400, "Contract is used by a rule")
		end(paid).Refused(400, "Contract is used by a rule")
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		end(named).OK()
	})
}

func TestOfEqualContractsAtOnceOneIsRegistered(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var all sync.WaitGroup
		answers := make([]apptest.Response, 8)
		for i := range answers {
			all.Go(func() { answers[i] = s.Post("/api/contracts", body(nil)) })
		}
		all.Wait()
		made := 0
		for _, a := range answers {
			if a.Status == 201 {
				made++
				continue
			}
			a.Refused(400, "Contract already exists")
		}
		if made != 1 || len(s.Get("/api/contracts").Data()) != 1 {
			t.Errorf("%d were made", made)
		}
	})
}

func TestARepeatedRegistrationIsAnsweredAsTheFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ask := func() apptest.Response {
			return s.Call(s.WebsiteAPIKey, "POST", "/api/contracts", body(nil), "Idempotency-Key", "k1")
		}
		first, second := ask(), ask()
		if first.Created()["id"] != second.Created()["id"] || second.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s, then %d %s", first.Body, second.Status, second.Body)
		}
	})
}

func TestBadContractsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const abi = "abi must be a JSON array of objects with a type, or the text of one"
		for _, c := range []struct {
			change  object
			path    string
			message string
		}{
			{object{"name": nil}, "name", "name is required"},
			{object{"name": strings.Repeat("x", 41)}, "name", "name must be at most 40 characters"},
			{object{"address": nil}, "address", "address is required"},
			{object{"address": "0x12"}, "address", "address must be 0x and 40 hexadecimal digits"},
			{object{"chainId": 0}, "chainId", "chainId must be between 1 and 9007199254740991"},
			{object{"chainId": "one"}, "chainId", "chainId must be an integer"},
			{object{"type": "erc1"}, "type", "type must be one of: erc20, erc721, erc1155, custom"},
			{object{"type": nil}, "type", "type is required"},
			{object{"abi": object{}}, "abi", abi}, {object{"abi": "nonsense"}, "abi", abi},
			{object{"abi": []any{1}}, "abi.0", "abi.0 must be an object with a type"},
			{object{"abi": []any{object{"name": "x"}}}, "abi.0.type", "abi.0.type is required"},
			{object{"abi": []any{object{"type": "view"}}}, "abi.0.type",
				"abi.0.type must be one of: function, event, error, constructor, receive, fallback"},
			{object{"abi": `[{"type":"receive"},{"type":"function","name":"pay","inputs":[{"type":"uint256"},{"type":"uint7"}]}]`},
				"abi.1.inputs.1.type", "abi.1.inputs.1.type must be a type of the ABI, such as uint256"},
			{object{"abi": []any{object{"type": "error", "name": "No", "inputs": []any{object{"type": "tuple", "components": []any{
				object{"name": "1", "type": "bool"}}}}}}}, "abi.0.inputs.0.components.0.name",
				"abi.0.inputs.0.components.0.name must be a name of letters, digits, _ and $ that begins with no digit"},
			{object{"abi": `[` + strings.Repeat(" ", 64<<10) + `]`}, "abi", "abi must be at most 65536 bytes"},
			{object{"iconUrl": "javascript:alert(1)"}, "iconUrl", "iconUrl must be a valid url"},
		} {
			a := s.Post("/api/contracts", body(c.change))
			faults := a.Refused(400, c.message)["errors"].([]any)
			if faults[0].(object)["path"] != c.path {
				t.Errorf("%v: %s", c.change, a.Body)
			}
		}
		without := body(nil)
		delete(without, "chainId")
		s.Post("/api/contracts", without).Refused(400, "chainId is required")
		if got := s.Get("/api/contracts").Data(); len(got) != 0 {
			t.Errorf("refused contracts were kept: %v", got)
		}
	})
}
