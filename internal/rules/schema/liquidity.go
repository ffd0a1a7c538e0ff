package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/rules/formula"
)

const maxPools = 5

// The calculations of rules about liquidity.
const (
	CalculationFixed  = "fixed" // the amount for each LiquidityPerDay; the default
	CalculationCustom = "custom"
)

// Liquidity says which pools count for a rule about liquidity, and what their dollars pay (metadata.liquidity).
type Liquidity struct {
	CalculationType            string
	CustomFunction             string         // a formula of the dollars
	LiquidityPerDay            *laurel.Amount // the dollars for which the rule's amount is paid
	Network                    string
	OnlyRewardInRangeLiquidity bool
	Pools                      []struct{ ID string } // the addresses of the pools
}

// UnmarshalJSON decodes each property by itself and by its exact name, as checkLiquidity checks them.
func (l *Liquidity) UnmarshalJSON(data []byte) error {
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	for name, to := range map[string]any{
		"calculationType": &l.CalculationType, "customFunction": &l.CustomFunction, "liquidityPerDay": &l.LiquidityPerDay,
		"network": &l.Network, "onlyRewardInRangeLiquidity": &l.OnlyRewardInRangeLiquidity, "pools": &l.Pools,
	} {
		if value := stored[name]; value != nil {
			_ = json.Unmarshal(value, to) // the value was checked when it was stored
		}
	}
	return nil
}

// PoolNetwork returns the network of the pools of a rule about liquidity; "" if it names none.
func (p *Properties) PoolNetwork() string {
	network := p.Meta().Liquidity.Network
	if network == "" && p.Network != nil {
		return *p.Network
	}
	return network
}

// Addresses returns the addresses of the pools, each once.
func (l Liquidity) Addresses() []string {
	var out []string
	for _, pool := range l.Pools {
		if id := evm.Normalize(strings.TrimSpace(pool.ID)); id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// checkLiquidity checks the property liquidity: an object with at most maxPools pools.
func checkLiquidity(f *laurel.Faults, path string, value json.RawMessage) {
	var l map[string]json.RawMessage
	if json.Unmarshal(value, &l) != nil || l == nil {
		f.Add(path, "must be an object with calculationType, network and pools")
		return
	}
	for _, property := range []struct {
		name  string
		check check
	}{
		{"calculationType", oneOf(CalculationFixed, CalculationCustom)},
		{"customFunction", checkFormula},
		{"liquidityPerDay", checkThat("a number of at least 0", isFactor)},
		{"network", checkThat("a known network", isKnownNetwork)},
		{"onlyRewardInRangeLiquidity", aBoolean},
		{"protocol", aText},
		{"pools", checkPools},
	} {
		if value := l[property.name]; value != nil && string(value) != "null" {
			property.check(f, path+"."+property.name, value)
		}
	}
}

// checkFormula checks that a value is a formula of X.
func checkFormula(f *laurel.Faults, path string, value json.RawMessage) {
	var text string
	if json.Unmarshal(value, &text) != nil {
		f.Add(path, "must be a string")
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	if _, err := formula.Parse(text); err != nil {
		f.Add(path, "must be a formula of X with %s: %s", formula.Operators, err)
	}
}

func isKnownNetwork(value json.RawMessage) bool {
	var name string
	return json.Unmarshal(value, &name) == nil && evm.IsKnownNetwork(name)
}

// checkPools checks that a value is an array of at most maxPools pools.
func checkPools(f *laurel.Faults, path string, value json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && len(list) > maxPools {
		f.Add(path, "must have at most %d items", maxPools)
		return
	}
	checkIDObjects(f, path, value)
}
