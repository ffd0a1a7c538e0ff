package catalog_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestARuleNamesAnEventThatItsContractHas(t *testing.T) {
	t.Parallel()
	const shop = `[{"type":"event","name":"Sold","inputs":[{"name":"by","type":"address","indexed":true},
		{"name":"price","type":"uint256"},{"name":"note","type":"string"}]},{"type":"event","name":"Sold","inputs":[]},
		{"type":"event","name":"Closed","inputs":[]},
		{"type":"function","name":"buy","inputs":[{"type":"uint256"}]}]`
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		at := 0
		contract := func(kind string, abi any) string {
			at++
			return s.Post("/api/contracts", object{"name": "Shop", "address": "0x" + strings.Repeat(string(rune('0'+at)), 40),
				"chainId": 1, "type": kind, "abi": abi}).Created()["id"].(string)
		}
		own, token, custom := contract("custom", shop), contract("erc20", nil), contract("custom", nil)
		collection := contract("erc721", []any{})
		const where, sold = "metadata.smartContract", "Sold(address,uint256,string)"
		events := "Sold(address,uint256,string), Sold(), Closed()"
		for _, c := range []struct {
			contract string
			more     object
			path     string // "": accepted
			message  string
		}{
			{own, object{"event": sold}, "", ""},
			{own, object{"event": "event Sold(address indexed by, uint price, string note)", "addressMapping": "by",
				"params":           []object{{"name": "note", "condition": "contains", "value": "x"}},
				"amountMultiplier": object{"valueMapping": "price"}}, "", ""},
			{own, object{"event": "buy", "type": "function", "params": []object{{"name": "arg0", "condition": "equals", "value": 1}}}, "", ""},
			{own, object{"event": ""}, "", ""},
			{own, object{"event": "Sold"}, ".event", " must be a full signature, because several have the name: " + sold + ", Sold()"},
			{own, object{"event": "Paid"}, ".event", " must be an event of the contract's ABI: " + events},
			{own, object{"event": "Sold(address)"}, ".event", " must be an event of the contract's ABI: " + events},
			{own, object{"event": "Closed", "type": "function"}, ".event", " must be a function of the contract's ABI: buy(uint256)"},
			{own, object{"event": "Sold(uint7)"}, ".event.inputs.0.type", " must be a type of the ABI, such as uint256"},
			{own, object{"event": "buy(uint7)", "type": "function"}, ".event.inputs.0.type", " must be a type of the ABI, such as uint256"},
			{own, object{"event": 5}, ".event", " must be a string"},
			{own, object{"event": sold, "params": []object{{"name": "by"}, {"name": "buyer"}}}, ".params.1.name",
				" must be an argument of " + sold + ": by, price, note"},
			{own, object{"event": sold, "addressMapping": "price"}, ".addressMapping", " must be an address of " + sold + ": by"},
			{own, object{"event": sold, "amountMultiplier": object{"valueMapping": "note"}}, ".amountMultiplier.valueMapping",
				" must be a number of " + sold + ": price"},
			{own, object{"event": "Closed", "addressMapping": "by"}, ".addressMapping", " must be an address of Closed(), which has none"},
			{token, object{"event": "Transfer", "addressMapping": "to"}, "", ""},
			{token, object{"event": "transfer", "type": "function"}, "", ""},
			{token, object{"event": "Staked(address,uint256)", "addressMapping": "who"}, "", ""},
			{token, object{"event": "Transfer", "addressMapping": "who"}, ".addressMapping",
				" must be an address of Transfer(address,address,uint256): from, to"},
			{token, object{"event": "Staked"}, ".event", " must be the full signature, because the contract has no ABI"},
			{custom, object{"event": "Transfer"}, ".event", " must be the full signature, because the contract has no ABI"},
			{custom, object{"event": "Transfer(address,address)"}, "", ""},
			{collection, object{"event": "Transfer"}, ".event", " must be an event of the contract's ABI, which has none"},
		} {
			c.more["contractId"] = c.contract
			got := s.Post("/api/loyalty/rules", object{"name": "Sales", "type": "smart_contract_event", "amount": 10, "metadata": object{"smartContract": c.more}})
			if c.message == "" {
				got.OK()
				continue
			}
			got.Refused(400, where+c.path+c.message)
			if firstPath(got) != where+c.path {
				t.Errorf("%v: %s", c.more, got.Body)
			}
		}
		rule := s.Rule("smart_contract_event", object{"metadata": object{"smartContract": object{"contractId": own, "event": "Closed"}}})
		s.Post("/api/contracts/"+own, object{"abi": nil}).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"name": "Renamed"}).OK() // what it had is not checked again
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"smartContract": object{"contractId": own, "event": "Opened"}}}).
			Refused(400, where+".event must be the full signature, because the contract has no ABI")
	})
}
