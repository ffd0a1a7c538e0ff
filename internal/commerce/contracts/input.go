package contracts

import (
	"bytes"
	"encoding/json"
	"slices"

	"laurel"
	"laurel/internal/budget"
	_ "laurel/internal/evm" // the bound account
	"laurel/internal/record"
	_ "laurel/internal/weburl" // the bound fileurl
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

// checkABI adds a fault for an ABI that is neither a JSON array of objects with a type, nor a JSON string with such an
// array in it.
func checkABI(f *laurel.Faults, path string, abi laurel.RawJSON) {
	budget.CheckJSON(f, path, json.RawMessage(abi), maxABI)
	text := bytes.TrimSpace(abi)
	if len(text) > 0 && text[0] == '"' {
		var inner string
		if err := json.Unmarshal(text, &inner); err == nil {
			text = []byte(inner)
		}
	}
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil || items == nil || slices.Contains(entryTypes(items), "") {
		f.Add(path, "must be a JSON array of objects with a type, or the text of one")
	}
}

// entryTypes returns the types of an ABI's entries, with "" for an entry without one.
func entryTypes(items []map[string]json.RawMessage) []string {
	out := make([]string, len(items))
	for i, item := range items {
		_ = json.Unmarshal(item["type"], &out[i]) // anything but a text stays ""
	}
	return out
}
