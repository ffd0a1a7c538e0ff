package schema

import "slices"

// ConfidentialLists are the properties with the addresses of a rule's lists: anyone who knows an address may read the
// list. ConfidentialMetadata are the properties of metadata that complete a rule, such as codes, or lead to them.
// Callers who may not change rules see neither (contract 3.13).
var (
	ConfidentialLists    = []string{"loyaltyUserAllotmentCsvUrl", "customRewardsCsvUrl", "customRewardsApiUrl"}
	ConfidentialMetadata = []string{"promoCode", "promoCodeCsvUrl", RewardsKey}
)

// IsConfidential reports whether the property at a path is hidden from callers who may not change rules: an address of
// a list, or a code or key in the metadata.
func IsConfidential(path string) bool {
	if slices.Contains(ConfidentialLists, path) {
		return true
	}
	for _, name := range ConfidentialMetadata {
		if path == "metadata."+name {
			return true
		}
	}
	return false
}
