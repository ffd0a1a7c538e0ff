package minting

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/record"
	_ "laurel.example/laurel/internal/weburl" // the bounds url and fileurl
)

const (
	maxName        = 1000 // characters
	maxDescription = 10_000
	maxWhole       = 1<<53 - 1 // the largest whole number that every JSON reader keeps
)

// ContractPatch is what a caller writes of a minting contract.
type ContractPatch = record.Patch[Contract]

var (
	_ = record.Define("contractkind", record.OneOf(Kinds()...))
	_ = record.Define("tokentype", record.OneOf(TokenTypes()...))
	_ = record.Define("gatingcollections", record.Bound[[]GatingCollection]{
		Check: checkGatingCollections, Normalize: normalizeGatingCollections,
	})
	_ = record.Define("distinctids", record.Bound[[]laurel.ID]{
		Check: func(*laurel.Faults, string, []laurel.ID) {}, Normalize: distinct[laurel.ID],
	})
)

// Bounds returns what the properties accept, for the API's schema.
func (GatingCollection) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"address", "network"}, NotNull: []string{"address", "network"},
		Keywords: map[string]laurel.Keywords{
			"address": laurel.RequiredIdentifierKeywords(), "network": {"enum": evm.Networks()},
		},
	}
}

// checkGatingCollections adds a fault for each property that is not valid.
func checkGatingCollections(f *laurel.Faults, path string, list []GatingCollection) {
	for i, gate := range list {
		path := path + "." + strconv.Itoa(i) + "."
		f.Identifier(path+"address", gate.Address)
		switch {
		case gate.Network == "":
			f.Add(path+"network", "is required")
		case !evm.IsKnownNetwork(gate.Network):
			f.Add(path+"network", "must be a known network")
		}
	}
}

// normalizeGatingCollections returns the collections with the stored forms of their addresses, without duplicates.
func normalizeGatingCollections(list []GatingCollection) []GatingCollection {
	list = slices.Clone(list)
	for i := range list {
		list[i].Address = evm.Normalize(list[i].Address)
	}
	return distinct(list)
}

// distinct returns the items without duplicates.
func distinct[T comparable](list []T) (out []T) {
	for _, item := range list {
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// validate completes a contract to which an input with these faults was applied. It returns an Invalid error with the
// faults, also for a listed ONCHAIN contract without address or network.
func (c *Contract) validate(f laurel.Faults) error {
	c.TokenType = cmp.Or(c.TokenType, TokenTypes()[0])
	if c.Address != nil && *c.Address == "" {
		c.Address = nil
	}
	if c.Kind == Onchain && c.IsListed {
		if c.Address == nil {
			f.Add("address", "is required")
		}
		if c.Network == nil {
			f.Add("network", "is required")
		}
	}
	return f.Err()
}

// checkOneOf adds a fault if the value is not one of the list.
func checkOneOf(f *laurel.Faults, path, value string, of []string) {
	if !slices.Contains(of, value) {
		f.Add(path, "must be one of: %s", strings.Join(of, ", "))
	}
}

// checkBetween adds a fault if the value is not between least and most, which both are valid.
func checkBetween(f *laurel.Faults, path string, value, least, most int64) {
	if value < least || value > most {
		f.Add(path, "must be between %d and %d", least, most)
	}
}

// addMissingBadges adds a fault for each badge id that is not among the live ones.
func addMissingBadges(f *laurel.Faults, path string, ids, live []laurel.ID) {
	for i, id := range ids {
		if !slices.Contains(live, id) {
			f.AddText(path+"."+strconv.Itoa(i), "Badge not found")
		}
	}
}
