package ruletypes

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// contractEvent pays for events and calls of contracts. It pays the wallet that an argument names, or else the sender
// of the transaction. With isDappRule it pays the wallet that has deployed the contract.
var contractEvent = Kind{
	Kind: schema.Kind{
		Type: schema.TypeContractEvent, Family: schema.FamilyOnchain, Title: "Contract event",
		Summary: "Members trigger an event in a smart contract.", TriggeredByEvents: true, PerArgument: true,
	},
	Decision: &decision.Kind{Check: checkFulfilled},
}

// ContractEvent is an event or a call of a contract that triggers a completion. It is stored with payments that
// external ledgers are asked to accept.
type ContractEvent struct {
	Key         string // chainId:blockHash:txHash:logIndex
	TxHash      string
	PublishedAt int64          // when the reader has published it, in microseconds
	Factor      *laurel.Amount `json:",omitempty"` // multiplies the rule's amount; nil: nothing does
}
