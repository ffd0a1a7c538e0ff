package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
)

// The modes of the sides of a swap.
const (
	SwapAny      = "any"      // any token
	SwapSpecific = "specific" // one of the tokens that the side names, if it names some
)

// Swap says which swaps count for a rule of type swap, and which amount is measured (metadata.swap).
type Swap struct {
	From                  SwapSide
	To                    SwapSide
	RequireCrossChainSwap bool
}

// SwapSide is what members give in a swap, or what they get.
type SwapSide struct {
	Mode        string
	Chain       json.RawMessage // a number, a text with one, or any
	Tokens      []SwapToken
	TrackAmount bool // the value of a swap is the amount of the side's token, and not its dollars
}

// SwapToken is a token of a chain.
type SwapToken struct {
	Address string
	ChainID json.RawMessage // a text with a number, or a number
}

// UnmarshalJSON decodes each property by itself and by its exact name, as checkSwap checks them.
func (s *Swap) UnmarshalJSON(data []byte) error {
	return decodeEach(data, map[string]any{
		"from": &s.From, "to": &s.To, "requireCrossChainSwap": &s.RequireCrossChainSwap,
	})
}

// UnmarshalJSON decodes each property by itself and by its exact name.
func (s *SwapSide) UnmarshalJSON(data []byte) error {
	return decodeEach(data, map[string]any{
		"mode": &s.Mode, "chain": &s.Chain, "tokens": &s.Tokens, "trackAmount": &s.TrackAmount,
	})
}

// UnmarshalJSON decodes each property by itself and by its exact name.
func (t *SwapToken) UnmarshalJSON(data []byte) error {
	return decodeEach(data, map[string]any{"address": &t.Address, "chainId": &t.ChainID})
}

// decodeEach decodes the properties of an object by name. Those that cannot be decoded are left as they are: values are
// checked when they are stored.
func decodeEach(data []byte, properties map[string]any) error {
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	for name, to := range properties {
		if value := stored[name]; value != nil && string(value) != "null" {
			_ = json.Unmarshal(value, to)
		}
	}
	return nil
}

// OnChain returns the chain id that the side names; 0 if it names none. ok is false if it is no chain id.
func (s SwapSide) OnChain() (id uint64, ok bool) { return chainIDOf(s.Chain) }

// Counted returns the tokens of which one must be the side's; none: any token is.
func (s SwapSide) Counted() []SwapToken {
	if s.Mode == SwapAny && !s.TrackAmount {
		return nil
	}
	return s.Tokens
}

// Contract returns the address of the token's contract.
func (t SwapToken) Contract() string { return evm.Normalize(strings.TrimSpace(t.Address)) }

// OnChain returns the chain id of the token; 0 if it names none. ok is false if it is no chain id.
func (t SwapToken) OnChain() (id uint64, ok bool) { return chainIDOf(t.ChainID) }

// chainIDOf reads a chain id, which may be a text; 0 for any, and for none.
func chainIDOf(value json.RawMessage) (id uint64, ok bool) {
	text := strings.TrimSpace(strings.Trim(string(value), `"`))
	if text == "" || text == "null" || text == SwapAny {
		return 0, true
	}
	id, err := strconv.ParseUint(text, 10, 64)
	return id, err == nil
}

// checkSwap checks the property swap: at most one side tracks the amount, and that side has one token.
func checkSwap(f *laurel.Faults, path string, value json.RawMessage) {
	var swap map[string]json.RawMessage
	if json.Unmarshal(value, &swap) != nil || swap == nil {
		f.Add(path, "must be an object with from and to")
		return
	}
	checkSchema(f, path, value, swapSchema)
	tracked := false
	for _, name := range []string{"from", "to"} {
		if isNull(swap[name]) || !checkSwapSide(f, path+"."+name, swap[name]) {
			continue
		}
		if tracked {
			f.Add(path+"."+name+".trackAmount", "may be set on one side only")
		}
		tracked = true
	}
}

// checkSwapSide checks what the schema does not say of a side of a swap, and reports whether its amount is tracked.
func checkSwapSide(f *laurel.Faults, path string, value json.RawMessage) bool {
	var side map[string]json.RawMessage
	if json.Unmarshal(value, &side) != nil || side == nil {
		return false // checkSchema has added a fault
	}
	if chain := side["chain"]; isOfType(chain, numeric()) && !isChainOrAny(chain) {
		f.Add(path+".chain", "must be a chain id, or any")
	}
	var decoded SwapSide
	_ = json.Unmarshal(value, &decoded) // what cannot be decoded has a fault
	if decoded.TrackAmount && len(decoded.Tokens) != 1 {
		f.Add(path+".trackAmount", "needs exactly one token")
	}
	return decoded.TrackAmount
}

func isChainOrAny(value json.RawMessage) bool {
	var text string
	_, ok := chainIDOf(value)
	return ok && (json.Unmarshal(value, &text) == nil || isNumber(value))
}
