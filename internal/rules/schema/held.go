package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/identity"
)

// CollectionWeight says how much each token of a collection counts, and which tokens (metadata.collection).
type CollectionWeight struct {
	Address    string         `json:"address"`
	Network    string         `json:"network"`    // "": any
	Multiplier *laurel.Amount `json:"multiplier"` // nil: 1
	TokenIDs   []TokenID      `json:"tokenIds"`   // of a contract whose balances are by token; none: all
}

// TokenID is the id of a token, as a decimal number. In JSON it is a text or a whole number.
type TokenID string

// UnmarshalJSON reads an id. Numbers are not read through a float.
func (t *TokenID) UnmarshalJSON(text []byte) error {
	*t = TokenID(strings.Trim(string(text), `"`))
	return nil
}

// Held is what members hold for a rule of a hold type: tokens of a contract, or the coin of a network.
type Held struct {
	Network  string
	Contract string   // "": the coin
	IDs      []string // of the tokens that count; none: all
	Weight   laurel.Amount
}

// PaysPerUnit reports whether a rule of a hold type pays its amount per token or batch, and not once.
func (m Meta) PaysPerUnit() bool { return m.RewardPerAction || m.RewardByBatch || len(m.Weights) > 0 }

// Held returns what members hold for the rule. Its collections say so, else its collectionAddress and network, else
// metadata.collection, which otherwise only adds multipliers and token ids. ok is false if there is nothing, or
// something that no network can have.
func (p *Properties) Held() (list []Held, ok bool) {
	meta := p.Meta()
	for _, c := range p.heldCollections(meta) {
		h := Held{Network: c.Network, Contract: c.Address, Weight: laurel.One}
		if p.Type == TypeTokenHoldERC20 && meta.ERC20Type == "native" {
			h.Contract = ""
		}
		for _, w := range meta.Weights {
			isOfContract := identity.NormalizeWallet(w.Address) == h.Contract || h.Contract == ""
			if !isOfContract || w.Network != "" && w.Network != h.Network {
				continue
			}
			if w.Multiplier != nil {
				h.Weight = *w.Multiplier
			}
			for _, id := range w.TokenIDs {
				h.IDs = append(h.IDs, string(id))
			}
		}
		slices.Sort(h.IDs)
		h.IDs = slices.Compact(h.IDs)
		isNoID := func(id string) bool { return !evm.IsTokenID(id) }
		if h.Network == "" || h.Weight < 0 || slices.ContainsFunc(h.IDs, isNoID) {
			return nil, false
		}
		isSame := func(o Held) bool { return o.Network == h.Network && o.Contract == h.Contract }
		if !slices.ContainsFunc(list, isSame) {
			list = append(list, h)
		}
	}
	return list, len(list) > 0
}

// heldCollections returns the contracts and networks that the rule names.
func (p *Properties) heldCollections(meta Meta) []Collection {
	network := ""
	if p.Network != nil {
		network = *p.Network
	}
	switch isNative := p.Type == TypeTokenHoldERC20 && meta.ERC20Type == "native"; {
	case len(p.Collections) > 0:
		return p.Collections
	case p.CollectionAddress != nil && *p.CollectionAddress != "":
		return []Collection{{Address: *p.CollectionAddress, Network: network}}
	case isNative && network != "":
		return []Collection{{Network: network}}
	}
	list := make([]Collection, len(meta.Weights))
	for i, w := range meta.Weights {
		list[i] = Collection{Address: identity.NormalizeWallet(w.Address), Network: w.Network}
		if w.Network == "" {
			list[i].Network = network
		}
	}
	return list
}

// checkTokenIDs adds faults for ids that no token can have.
func checkTokenIDs(f *laurel.Faults, path string, value json.RawMessage) {
	const maxIDs = 1000
	var list []TokenID
	if value == nil || string(value) == "null" {
		return
	}
	if json.Unmarshal(value, &list) != nil || len(list) > maxIDs {
		f.Add(path, "must be an array of up to %d token ids", maxIDs)
		return
	}
	for i, id := range list {
		if !evm.IsTokenID(string(id)) {
			f.Add(path+"."+strconv.Itoa(i), "must be a token id")
		}
	}
}
