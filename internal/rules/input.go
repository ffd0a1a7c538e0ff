package rules

import (
	"encoding/json"

	"laurel"
)

// Input is what a caller sets of a rule. On create an absent property has its default; on update it keeps its value, and null
// clears it where null is allowed. Values of a wrong JSON type never get here: the interface refuses them by name.
type Input struct {
	Name                  laurel.Optional[string]           `json:"name"`
	Type                  laurel.Optional[string]           `json:"type"`
	Amount                laurel.Optional[laurel.Amount]    `json:"amount"`
	StartTime             laurel.Optional[laurel.Timestamp] `json:"startTime"`
	EndTime               laurel.Optional[laurel.Timestamp] `json:"endTime"`
	EffectiveStartTime    laurel.Optional[laurel.Timestamp] `json:"effectiveStartTime"`
	EffectiveEndTime      laurel.Optional[laurel.Timestamp] `json:"effectiveEndTime"`
	Frequency             laurel.Optional[string]           `json:"frequency"`
	Interval              laurel.Optional[string]           `json:"interval"`
	Metadata              laurel.Optional[json.RawMessage]  `json:"metadata"`
	Description           laurel.Optional[string]           `json:"description"`
	RewardType            laurel.Optional[string]           `json:"rewardType"`
	LoyaltyCurrencyID     laurel.Optional[laurel.ID]        `json:"loyaltyCurrencyId"`
	LoyaltyBadgeID        laurel.Optional[laurel.ID]        `json:"loyaltyBadgeId"`
	RewardLifetime        laurel.Optional[string]           `json:"rewardLifetime"`
	ClaimType             laurel.Optional[string]           `json:"claimType"`
	CollectionAddress     laurel.Optional[string]           `json:"collectionAddress"`
	Collections           laurel.Optional[[]Collection]     `json:"collections"`
	Network               laurel.Optional[string]           `json:"network"`
	ContractIDs           laurel.Optional[[]laurel.ID]      `json:"contractIds"`
	SubscriptionID        laurel.Optional[laurel.ID]        `json:"subscriptionId"`
	FunctionID            laurel.Optional[laurel.ID]        `json:"functionId"`
	ExternalIntegrationID laurel.Optional[string]           `json:"externalIntegrationId"`
	OAuthCredentialsID    laurel.Optional[string]           `json:"oauthCredentialsId"`
	CustomRewardsAPIURL   laurel.Optional[string]           `json:"customRewardsApiUrl"`
	CustomRewardsCSVURL   laurel.Optional[string]           `json:"customRewardsCsvUrl"`
	UserAllotmentCSVURL   laurel.Optional[string]           `json:"loyaltyUserAllotmentCsvUrl"`
	ShopStoreURL          laurel.Optional[string]           `json:"shopStoreUrl"`
	MediaURL              laurel.Optional[string]           `json:"mediaUrl"`
	BackgroundAssetURL    laurel.Optional[string]           `json:"backgroundAssetUrl"`
	HideInUI              laurel.Optional[bool]             `json:"hideInUi"`
	IsRequired            laurel.Optional[bool]             `json:"isRequired"`
	IsSpecial             laurel.Optional[bool]             `json:"isSpecial"`
	ShowBeforeStart       laurel.Optional[bool]             `json:"showBeforeStart"`
	LoyaltyRuleGroupID    laurel.Optional[string]           `json:"loyaltyRuleGroupId"` // an id or "no-section"
	MaxAmountInterval     laurel.Optional[string]           `json:"maxAmountInterval"`
	MaxAmountPerInterval  laurel.Optional[laurel.Amount]    `json:"maxAmountPerInterval"`
	ProgressType          laurel.Optional[string]           `json:"progressType"`
	TrackProgress         laurel.Optional[bool]             `json:"trackProgress"`
	TokenReward           laurel.Optional[TokenReward]      `json:"tokenReward"`
	IsDappRule            laurel.Optional[bool]             `json:"isDappRule"`
	DappDataWindow        laurel.Optional[string]           `json:"dappDataWindow"`
	DappDeployedWithin    laurel.Optional[string]           `json:"dappDeployedWithin"`
	DuplicatedFromID      laurel.Optional[laurel.ID]        `json:"duplicatedFromId"`
	DeletedAt             laurel.Optional[laurel.Timestamp] `json:"deletedAt"` // on update: set deletes, null undeletes
	EditComment           laurel.Optional[string]           `json:"editComment"`
}
