package contracts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/evm"
	"laurel/internal/weburl"
)

const (
	maxName   = 40 // characters
	maxABI    = 64 << 10
	maxSearch = 1000
	maxChain  = 1<<53 - 1 // the largest whole number that every JSON reader keeps
)

// Types lists the types of contracts (contract 2).
func Types() []string { return []string{ERC20, "erc721", "erc1155", "custom"} }

// Input is a contract as a caller sends it. Address and ChainID count on creation only.
type Input struct {
	Name    laurel.Optional[string]          `json:"name,omitzero"`
	Address laurel.Optional[string]          `json:"address,omitzero"`
	ChainID laurel.Optional[int64]           `json:"chainId,omitzero"`
	Type    laurel.Optional[string]          `json:"type,omitzero"`
	ABI     laurel.Optional[json.RawMessage] `json:"abi,omitzero" doc:"A JSON array, or the text of one"`
	IconURL laurel.Optional[string]          `json:"iconUrl,omitzero"`
}

// Bounds returns what the properties accept. chainId is required, but may be null.
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"name", "address", "chainId", "type"}, NotNull: []string{"name", "address", "type"},
		Keywords: map[string]laurel.Keywords{
			"name":    {"minLength": 1, "maxLength": maxName},
			"address": {"pattern": "^0x[0-9a-fA-F]{40}$"},
			"chainId": {"minimum": 1, "maximum": maxChain},
			"type":    {"enum": Types()},
			"iconUrl": {"format": "uri-reference", "maxLength": weburl.MaxLength},
		},
	}
}

// applyToNew sets the properties of a new contract from the input. It returns nil or an Invalid error with every fault.
func (in Input) applyToNew(c *Contract) error {
	var f laurel.Faults
	switch {
	case in.Address.Value == "":
		f.Add("address", "is required")
	case !evm.IsAccount(in.Address.Value):
		f.Add("address", "must be 0x and 40 hexadecimal digits")
	}
	c.Address = evm.Normalize(in.Address.Value)
	c.ChainID = in.ChainID.Ptr()
	switch {
	case !in.ChainID.Set:
		f.Add("chainId", "is required")
	case c.ChainID != nil && (*c.ChainID < 1 || *c.ChainID > maxChain):
		f.Add("chainId", "must be between 1 and %d", maxChain)
	}
	if !in.Name.Set {
		f.Add("name", "is required")
	}
	if !in.Type.Set {
		f.Add("type", "is required")
	}
	in.apply(c, &f)
	return f.Err()
}

// applyToExisting sets the properties of a contract that are in the input. It returns nil or an Invalid error with
// every fault.
func (in Input) applyToExisting(c *Contract) error {
	var f laurel.Faults
	in.apply(c, &f)
	return f.Err()
}

// apply sets the properties of a contract that are in the input, and adds a fault for each that is not valid.
func (in Input) apply(c *Contract, f *laurel.Faults) {
	if in.Name.Set {
		f.Text("name", in.Name.Value, 1, maxName)
		c.Name = in.Name.Ptr()
	}
	switch {
	case !in.Type.Set: // it stays as it is
	case in.Type.Null:
		f.Add("type", "is required")
	case !slices.Contains(Types(), in.Type.Value):
		f.Add("type", "must be one of: %s", strings.Join(Types(), ", "))
	default:
		c.Type = in.Type.Value
	}
	if in.ABI.Set {
		c.ABI = laurel.RawJSON(in.ABI.Value)
		if in.ABI.Null {
			c.ABI = nil
		}
		checkABI(f, c.ABI)
	}
	weburl.Assign(f, "iconUrl", in.IconURL, weburl.ValidOrFile, &c.IconURL)
}

// checkABI adds a fault for an ABI that is neither a JSON array of objects with a type, nor a JSON string with such an
// array in it. nil is no fault.
func checkABI(f *laurel.Faults, abi laurel.RawJSON) {
	if abi == nil {
		return
	}
	budget.CheckJSON(f, "abi", json.RawMessage(abi), maxABI)
	text := bytes.TrimSpace(abi)
	if len(text) > 0 && text[0] == '"' {
		var inner string
		if err := json.Unmarshal(text, &inner); err == nil {
			text = []byte(inner)
		}
	}
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil || items == nil || slices.Contains(entryTypes(items), "") {
		f.Add("abi", "must be a JSON array of objects with a type, or the text of one")
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
