package schema

import (
	"maps"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/evm"
)

// Types returns every rule type, ordered by name (contract 6).
func Types() []Type { return slices.Sorted(maps.Keys(kinds)) }

// Bounds returns which properties of a rule are required, which must not be null, and which values they accept
// (contract 3.12).
func (Input) Bounds() laurel.Bounds {
	b := laurel.Bounds{
		Required: []string{"name", "type"},
		NotNull: []string{
			"name",
			"type",
			"frequency",
			"interval",
			"rewardType",
			"hideInUi",
			"isRequired",
			"isSpecial",
			"showBeforeStart",
			"trackProgress",
			"isDappRule",
		},
		Keywords: map[string]laurel.Keywords{
			"name":                 {"minLength": 1, "maxLength": MaxName},
			"type":                 {"enum": Types(), "description": "Cannot be changed"},
			"description":          {"maxLength": maxDescription},
			"amount":               {"minimum": 0},
			"maxAmountPerInterval": {"exclusiveMinimum": 0, "description": "Needs maxAmountInterval"},
			"metadata": {
				"oneOf": []laurel.Keywords{ComponentRef(AnyMetadata)},
				"description": "Replaced as a whole. Known properties are checked, all others are stored unchanged. At most " + strconv.Itoa(
					budget.RuleMetadata,
				) + " bytes",
			},
			"collections":        {"maxItems": maxCollections},
			"contractIds":        {"maxItems": maxContracts},
			"network":            {"enum": evm.Networks()},
			"loyaltyRuleGroupId": {"description": "A uuid or " + noSection},
			"deletedAt":          {"description": "On update: a time deletes, null brings back"},
			"editComment":        {"maxLength": MaxName},
		},
	}
	for name, allowed := range map[string][]string{
		"frequency": frequencies, "interval": intervals, "rewardType": rewardTypes, "rewardLifetime": rewardLifetimes, "claimType": claimTypes,
		"progressType": progressTypes, "maxAmountInterval": maxAmountIntervals, "dappDataWindow": dappWindows, "dappDeployedWithin": dappWindows,
	} {
		b.Keywords[name] = laurel.Keywords{"enum": allowed}
	}
	for name, limit := range map[string]int{"externalIntegrationId": maxOpaque, "oauthCredentialsId": maxOpaque} {
		b.Keywords[name] = laurel.Keywords{"maxLength": limit}
	}
	b.Keywords["collectionAddress"] = laurel.IdentifierKeywords()
	for _, name := range []string{"customRewardsApiUrl", "shopStoreUrl"} {
		b.Keywords[name] = laurel.Keywords{"format": "uri", "maxLength": MaxURL}
	}
	// These may be the path of an uploaded file.
	for _, name := range []string{"customRewardsCsvUrl", "loyaltyUserAllotmentCsvUrl", "mediaUrl", "backgroundAssetUrl"} {
		b.Keywords[name] = laurel.Keywords{"format": "uri-reference", "maxLength": MaxURL}
	}
	return b
}

// Bounds returns what a collection of a rule accepts.
func (Collection) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Keywords: map[string]laurel.Keywords{
			"address": laurel.RequiredIdentifierKeywords(),
			"network": {"enum": evm.Networks()},
		},
	}
}

// Bounds returns what the Go types of stored properties do not express.
func (Properties) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Keywords: map[string]laurel.Keywords{"metadata": ComponentRef(CommonMetadata)},
	}
}
