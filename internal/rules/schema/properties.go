// Package schema owns what a rule may say: its types, properties and metadata, with every check on them, and the
// windows, schedules and targets that follow from them. It has no database and decides nothing about members: that is
// the business of decision and completion.
package schema

import (
	"encoding/json"

	"laurel.example/laurel"
)

// Properties are the properties of a rule that callers set, with their names in the API. They are stored, returned and
// compared in this form.
type Properties struct {
	Name                  string            `json:"name"`
	Type                  Type              `json:"type"`
	Amount                *laurel.Amount    `json:"amount"`
	StartTime             *laurel.Timestamp `json:"startTime"`
	EndTime               *laurel.Timestamp `json:"endTime"`
	EffectiveStartTime    *laurel.Timestamp `json:"effectiveStartTime"`
	EffectiveEndTime      *laurel.Timestamp `json:"effectiveEndTime"`
	Frequency             string            `json:"frequency"`
	Interval              string            `json:"interval"`
	Metadata              json.RawMessage   `json:"metadata"`
	Description           string            `json:"description"`
	RewardType            string            `json:"rewardType"`
	LoyaltyCurrencyID     *laurel.ID        `json:"loyaltyCurrencyId"`
	LoyaltyBadgeID        *laurel.ID        `json:"loyaltyBadgeId"`
	RewardLifetime        *string           `json:"rewardLifetime"`
	ClaimType             *string           `json:"claimType"`
	CollectionAddress     *string           `json:"collectionAddress"`
	Collections           []Collection      `json:"collections" nullable:"true"`
	Network               *string           `json:"network"`
	ContractIDs           []laurel.ID       `json:"contractIds" nullable:"true"`
	SubscriptionID        *laurel.ID        `json:"subscriptionId"`
	FunctionID            *laurel.ID        `json:"functionId"`
	ExternalIntegrationID *string           `json:"externalIntegrationId"`
	OAuthCredentialsID    *string           `json:"oauthCredentialsId"`
	CustomRewardsAPIURL   *string           `json:"customRewardsApiUrl"`
	CustomRewardsCSVURL   *string           `json:"customRewardsCsvUrl"`
	UserAllotmentCSVURL   *string           `json:"loyaltyUserAllotmentCsvUrl"`
	ShopStoreURL          *string           `json:"shopStoreUrl"`
	MediaURL              *string           `json:"mediaUrl"`
	BackgroundAssetURL    *string           `json:"backgroundAssetUrl"`
	HideInUI              bool              `json:"hideInUi"`
	IsRequired            bool              `json:"isRequired"`
	IsSpecial             bool              `json:"isSpecial"`
	ShowBeforeStart       bool              `json:"showBeforeStart"`
	LoyaltyRuleGroupID    *laurel.ID        `json:"loyaltyRuleGroupId"`
	MaxAmountInterval     *string           `json:"maxAmountInterval"`
	MaxAmountPerInterval  *laurel.Amount    `json:"maxAmountPerInterval"`
	ProgressType          *string           `json:"progressType"`
	TrackProgress         bool              `json:"trackProgress"`
	TokenReward           *TokenReward      `json:"tokenReward"`
	IsDappRule            bool              `json:"isDappRule"`
	DappDataWindow        *string           `json:"dappDataWindow"`
	DappDeployedWithin    *string           `json:"dappDeployedWithin"`
	DuplicatedFromID      *laurel.ID        `json:"duplicatedFromId"`
}

// Collection is a token collection that a rule refers to.
type Collection struct {
	Address string  `json:"address"`
	Network string  `json:"network"`
	Symbol  *string `json:"symbol,omitempty"`
}

// TokenReward is the token that a rule pays (contract 5.5).
type TokenReward struct {
	RelayerID  laurel.ID  `json:"relayerId"`
	ContractID *laurel.ID `json:"contractId,omitempty"`
	IsNative   *bool      `json:"isNative,omitempty"`
}

// PaysToken reports whether the rule pays a token and names exactly one: that of a contract, or the native token of its
// network.
func (p *Properties) PaysToken() bool {
	t := p.TokenReward
	if p.RewardType != RewardToken || t == nil {
		return false
	}
	native := t.IsNative != nil && *t.IsNative
	return (t.ContractID != nil) != native && (!native || p.Network != nil && *p.Network != "")
}

// Target returns the progress at which the rule counts as complete (contract 5.7): 100, or for counters the end of the
// highest tier.
func (p *Properties) Target() laurel.Amount {
	target := 100 * laurel.One
	if p.ProgressType == nil || *p.ProgressType != "counter" {
		return target
	}
	if tiers := p.Meta().Range; len(tiers) > 0 {
		target = tiers[0].End
		for _, t := range tiers {
			target = max(target, t.End)
		}
	}
	return target
}
