package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/evm"
)

const maxPools = 5

// Closed enumerations inside objects of the metadata (contract 2).
var (
	contractKinds    = []string{"function", "event"}
	contractCriteria = []string{"everyEvent", "byParameter"}
	conditions       = []string{
		"equals",
		"not_equals",
		"greater_than",
		"greater_than_or_equal",
		"less_than",
		"less_than_or_equal",
		"contains",
	}
	calculations = []string{"fixed", "custom"}
)

// checkChoice adds a fault for a value that is not one of the allowed ones; absent and null values are valid.
func checkChoice(f *laurel.Faults, path string, value *string, allowed []string) {
	if value != nil && !slices.Contains(allowed, *value) {
		f.Add(path, "must be one of: %s", strings.Join(allowed, ", "))
	}
}

// checkLiquidity checks that the property liquidity is an object with a known calculationType and network and at most
// maxPools pools.
func checkLiquidity(f *laurel.Faults, path string, value json.RawMessage) {
	var l struct {
		CalculationType, Network *string
		Pools                    []json.RawMessage
	}
	if !isObject(value) || json.Unmarshal(value, &l) != nil {
		f.Add(path, "must be an object with calculationType, network and pools")
		return
	}
	checkChoice(f, path+".calculationType", l.CalculationType, calculations)
	checkNetwork(f, path+".network", l.Network)
	if len(l.Pools) > maxPools {
		f.Add(path+".pools", "must have at most %d items", maxPools)
	}
}

// checkMetadataCollection checks that the property collection is an array of objects, each with a known network and a
// numeric multiplier if it has them.
func checkMetadataCollection(f *laurel.Faults, path string, value json.RawMessage) {
	var list []*struct {
		Network    *string
		Multiplier json.RawMessage
	}
	if json.Unmarshal(value, &list) != nil || slices.Contains(list, nil) {
		f.Add(path, "must be an array of {address, multiplier, network}")
		return
	}
	for i, c := range list {
		at := path + "." + strconv.Itoa(i)
		if c.Network != nil && !evm.IsKnownNetwork(*c.Network) {
			f.Add(at+".network", "must be a known network")
		}
		if c.Multiplier != nil && string(c.Multiplier) != "null" && !isNumeric(c.Multiplier) {
			f.Add(at+".multiplier", "must be a number")
		}
	}
}
