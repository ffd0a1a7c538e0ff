package schema

import "slices"

// ConfidentialLists are the addresses of a rule's lists, which are as open as what is in them. ConfidentialMetadata are
// properties of metadata that complete a rule, or lead to what does. Who may not change rules sees neither (contract
// 3.13).
var (
	ConfidentialLists    = []string{"loyaltyUserAllotmentCsvUrl", "customRewardsCsvUrl", "customRewardsApiUrl"}
	ConfidentialMetadata = []string{"promoCode", "promoCodeCsvUrl", RewardsKey}
)

// IsConfidential reports whether a property, by its path, is one of these.
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
