package schema

import (
	"encoding/json"

	"laurel.example/laurel"
)

// Input holds the properties of a rule that a caller sets. On create an absent property gets its default; on update it
// keeps its value, and null clears it if null is allowed. Values of a wrong JSON type are refused when the input is
// decoded.
type Input struct {
	Name                  laurel.Optional[string]           `json:"name,omitzero"`
	Type                  laurel.Optional[string]           `json:"type,omitzero"`
	Amount                laurel.Optional[laurel.Amount]    `json:"amount,omitzero"`
	StartTime             laurel.Optional[laurel.Timestamp] `json:"startTime,omitzero"`
	EndTime               laurel.Optional[laurel.Timestamp] `json:"endTime,omitzero"`
	EffectiveStartTime    laurel.Optional[laurel.Timestamp] `json:"effectiveStartTime,omitzero"`
	EffectiveEndTime      laurel.Optional[laurel.Timestamp] `json:"effectiveEndTime,omitzero"`
	Frequency             laurel.Optional[string]           `json:"frequency,omitzero"`
	Interval              laurel.Optional[string]           `json:"interval,omitzero"`
	Metadata              laurel.Optional[json.RawMessage]  `json:"metadata,omitzero"`
	Description           laurel.Optional[string]           `json:"description,omitzero"`
	RewardType            laurel.Optional[string]           `json:"rewardType,omitzero"`
	LoyaltyCurrencyID     laurel.Optional[laurel.ID]        `json:"loyaltyCurrencyId,omitzero"`
	LoyaltyBadgeID        laurel.Optional[laurel.ID]        `json:"loyaltyBadgeId,omitzero"`
	RewardLifetime        laurel.Optional[string]           `json:"rewardLifetime,omitzero"`
	ClaimType             laurel.Optional[string]           `json:"claimType,omitzero"`
	CollectionAddress     laurel.Optional[string]           `json:"collectionAddress,omitzero"`
	Collections           laurel.Optional[[]Collection]     `json:"collections,omitzero"`
	Network               laurel.Optional[string]           `json:"network,omitzero"`
	ContractIDs           laurel.Optional[[]laurel.ID]      `json:"contractIds,omitzero"`
	SubscriptionID        laurel.Optional[laurel.ID]        `json:"subscriptionId,omitzero"`
	FunctionID            laurel.Optional[laurel.ID]        `json:"functionId,omitzero"`
	ExternalIntegrationID laurel.Optional[string]           `json:"externalIntegrationId,omitzero"`
	OAuthCredentialsID    laurel.Optional[string]           `json:"oauthCredentialsId,omitzero"`
	CustomRewardsAPIURL   laurel.Optional[string]           `json:"customRewardsApiUrl,omitzero"`
	CustomRewardsCSVURL   laurel.Optional[string]           `json:"customRewardsCsvUrl,omitzero"`
	UserAllotmentCSVURL   laurel.Optional[string]           `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	ShopStoreURL          laurel.Optional[string]           `json:"shopStoreUrl,omitzero"`
	MediaURL              laurel.Optional[string]           `json:"mediaUrl,omitzero"`
	BackgroundAssetURL    laurel.Optional[string]           `json:"backgroundAssetUrl,omitzero"`
	HideInUI              laurel.Optional[bool]             `json:"hideInUi,omitzero"`
	IsRequired            laurel.Optional[bool]             `json:"isRequired,omitzero"`
	IsSpecial             laurel.Optional[bool]             `json:"isSpecial,omitzero"`
	ShowBeforeStart       laurel.Optional[bool]             `json:"showBeforeStart,omitzero"`
	LoyaltyRuleGroupID    laurel.Optional[string]           `json:"loyaltyRuleGroupId,omitzero"` // an id or "no-section"
	MaxAmountInterval     laurel.Optional[string]           `json:"maxAmountInterval,omitzero"`
	MaxAmountPerInterval  laurel.Optional[laurel.Amount]    `json:"maxAmountPerInterval,omitzero"`
	ProgressType          laurel.Optional[string]           `json:"progressType,omitzero"`
	TrackProgress         laurel.Optional[bool]             `json:"trackProgress,omitzero"`
	TokenReward           laurel.Optional[TokenReward]      `json:"tokenReward,omitzero"`
	IsDappRule            laurel.Optional[bool]             `json:"isDappRule,omitzero"`
	DappDataWindow        laurel.Optional[string]           `json:"dappDataWindow,omitzero"`
	DappDeployedWithin    laurel.Optional[string]           `json:"dappDeployedWithin,omitzero"`
	DuplicatedFromID      laurel.Optional[laurel.ID]        `json:"duplicatedFromId,omitzero"`
	// on update: a time deletes the rule, null undeletes it
	DeletedAt   laurel.Optional[laurel.Timestamp] `json:"deletedAt,omitzero"`
	EditComment laurel.Optional[string]           `json:"editComment,omitzero"`
}
