package apptest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"laurel.example/laurel"
)

// CreateContractEventRule creates a rule that pays 15 points for each event of a contract, and returns it.
func (s *Server) CreateContractEventRule() string {
	s.T.Helper()
	var contract any
	if known := s.Get("/api/contracts").Data(); len(known) > 0 {
		contract = known[0]["id"]
	} else {
		contract = s.Post("/api/contracts", Object{
			"name": "Shop", "address": "0x00000000000000000000000000000000000000aa", "chainId": 1, "type": "custom",
			"abi": []Object{{"type": "event", "name": "Paid", "inputs": []Object{}}},
		}).Created()["id"]
	}
	return s.Rule("smart_contract_event", Object{
		"amount": 15, "interval": "unlimited",
		"metadata": Object{"smartContract": Object{"contractId": contract, "event": "Paid"}},
	})
}

// PublishContractEvent lets a rule decide on an event that alice has caused, published at a moment, or on that its
// block has left the chain. It is the same event each time.
func (s *Server) PublishContractEvent(rule string, at time.Time, isRemoved bool) {
	s.T.Helper()
	s.PublishContractEventOf(rule, Alice, 0, at, isRemoved)
}

// PublishContractEventOf is PublishContractEvent for an event that a wallet has caused, with a number in its block.
func (s *Server) PublishContractEventOf(rule, wallet string, number int, at time.Time, isRemoved bool) {
	s.T.Helper()
	id, err := laurel.ParseID(rule)
	var event []byte
	if err == nil {
		event, err = json.Marshal(Object{
			"chainId": 1, "eventName": "Paid", "args": Object{}, "blockTimestamp": laurel.Stamp(s.Clock.Now()),
			"txHash": "0xa", "txFrom": wallet, "eventKey": fmt.Sprintf("1:0xb:0xa:%d", number), "removed": isRemoved,
		})
	}
	if err == nil {
		err = s.App.Completions.DecideOnContractEvent(context.Background(), s.WebsiteScope(), id, event, at)
	}
	if err != nil {
		s.T.Fatal(err)
	}
}

// ReorganizePaidEvent has a rule pay alice 15 points for an event of a contract whose block then leaves the chain, and
// returns the rule.
func (s *Server) ReorganizePaidEvent() string {
	s.T.Helper()
	rule := s.CreateContractEventRule()
	for _, isRemoved := range []bool{false, true} {
		s.PublishContractEvent(rule, s.Clock.Now(), isRemoved)
	}
	return rule
}
