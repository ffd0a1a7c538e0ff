package contracts

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	_ "laurel.example/laurel/internal/evm" // the bound account
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/record"
	_ "laurel.example/laurel/internal/weburl" // the bound fileurl
)

// Patch is what a caller writes of a contract.
type Patch = record.Patch[Contract]

// The bounds of contracts.
var (
	_ = record.Define("contracttype", record.OneOf(Types()...))
	_ = record.Define("abi", record.Bound[laurel.RawJSON]{Check: checkABI})
)

const (
	maxABI    = 64 << 10
	maxSearch = 1000 // characters
)

// Types lists the types of contracts (contract 2).
func Types() []string { return []string{ERC20, "erc721", "erc1155", "custom"} }

// checkABI adds faults for an ABI that is neither a JSON array of events, functions and other items, nor a JSON string
// with such an array in it. They have their position behind path.
func checkABI(f *laurel.Faults, path string, text laurel.RawJSON) {
	budget.CheckJSON(f, path, json.RawMessage(text), maxABI)
	if len(text) <= maxABI {
		abi.ParseContract(f, path, json.RawMessage(text))
	}
}
