package claims

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	_ "laurel.example/laurel/internal/evm" // the bound address
	"laurel.example/laurel/internal/record"
	_ "laurel.example/laurel/internal/weburl" // the bound fileurl
)

const (
	defaultDecimals = 18
	maxDecimals     = 36
)

// StakingTypes lists the types of staking contracts (contract 2).
func StakingTypes() []string { return []string{"linear", "timelock"} }

// Patch is what a caller writes of a token claim.
type Patch = record.Patch[TokenClaim]

// tokendecimals adds the default to the document.
var (
	_ = record.Define("stakingtype", record.OneOf(StakingTypes()...))
	_ = record.Define("tokendecimals", record.Bound[int64]{
		Check: func(*laurel.Faults, string, int64) {}, Keywords: laurel.Keywords{"default": defaultDecimals},
	})
	_ = record.Define("countries", record.Bound[[]string]{
		Check: checkCountries, Normalize: normalizeCountries, Keywords: laurel.Keywords{"maxItems": maxCountries},
	})
)

// checkCountries adds a fault for each code of no country, or one for a list that is too long.
func checkCountries(f *laurel.Faults, path string, codes []string) {
	if len(codes) > maxCountries {
		f.Add(path, "must have at most %d items", maxCountries)
		return
	}
	for i, code := range codes {
		if !IsCountry(strings.ToUpper(code)) {
			f.Add(path+"."+strconv.Itoa(i), "must be a country code of ISO 3166 alpha-2")
		}
	}
}

// normalizeCountries returns the codes in upper case, without duplicates.
func normalizeCountries(codes []string) []string {
	out := []string{}
	for _, code := range codes {
		if code = strings.ToUpper(code); !slices.Contains(out, code) {
			out = append(out, code)
		}
	}
	return out
}

// checkPeriod returns an Invalid error with the faults of an input, and with that of an end before the start.
func (c *TokenClaim) checkPeriod(f laurel.Faults) error {
	if !c.StartsAt.IsZero() && !c.EndsAt.IsZero() && !c.EndsAt.After(c.StartsAt.Time) {
		f.Add("endTime", "must be after startTime")
	}
	return f.Err()
}

// needsImport reports whether the list must be imported: a list is in the input, or other decimals than before.
func needsImport(in Patch, before TokenClaim) bool {
	return in.Has("csvUrl") || in.Has("erc20Decimals") && in.Values().Decimals != before.Decimals
}
