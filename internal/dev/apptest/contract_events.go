package apptest

import (
	"context"
	"encoding/json"

	"laurel"
)

// ReorganizePaidEvent has a rule pay alice 15 points for an event of a contract whose block then leaves the chain, and
// returns the rule.
func (s *Server) ReorganizePaidEvent() string {
	s.T.Helper()
	contract := s.Post("/api/contracts", Object{
		"name": "Shop", "address": "0x00000000000000000000000000000000000000aa", "chainId": 1, "type": "custom",
		"abi": []Object{{"type": "event", "name": "Paid", "inputs": []Object{}}},
	}).Created()["id"].(string)
	rule := s.Rule("smart_contract_event", Object{
		"amount": 15, "interval": "unlimited",
		"metadata": Object{"smartContract": Object{"contractId": contract, "event": "Paid"}},
	})
	id, err := laurel.ParseID(rule)
	for _, removed := range []bool{false, true} {
		var event []byte
		if err == nil {
			event, err = json.Marshal(Object{
				"chainId": 1, "eventName": "Paid", "args": Object{}, "blockTimestamp": laurel.Stamp(s.Clock.Now()),
				"txHash": "0xa", "txFrom": Alice, "eventKey": "1:0xb:0xa:0", "removed": removed,
			})
		}
		if err == nil {
			err = s.App.Completions.DecideOnContractEvent(context.Background(), s.WebsiteScope(), id, event, s.Clock.Now())
		}
	}
	if err != nil {
		s.T.Fatal(err)
	}
	return rule
}
