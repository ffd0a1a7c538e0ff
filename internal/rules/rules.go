// Package rules owns rules, their groups, what they remember of each member, and completion: the decision whether a member
// has earned a rule's reward, and exactly one payment for it. It does not own points (ledger) or users (identity).
package rules

import (
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/ledger"
	"laurel/internal/store"
)

// Rule is one rule with everything that callers see of it (contract 3.12).
type Rule struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Properties
	Version              int64 // raised by every change
	CreatedAt, UpdatedAt time.Time
	DeletedAt            time.Time // zero while live
}

// Properties are the properties of a rule that callers set, with the interface's names: stored, answered and compared in this form.
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
	Collections           []Collection      `json:"collections"`
	Network               *string           `json:"network"`
	ContractIDs           []laurel.ID       `json:"contractIds"`
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

// Collection is a collection that a rule looks at.
type Collection struct {
	Address string  `json:"address"`
	Network string  `json:"network"`
	Symbol  *string `json:"symbol,omitempty"`
}

// TokenReward says which token a rule pays (contract 5.5).
type TokenReward struct {
	RelayerID  laurel.ID  `json:"relayerId"`
	ContractID *laurel.ID `json:"contractId,omitempty"`
	IsNative   *bool      `json:"isNative,omitempty"`
}

// Service carries out the operations on rules.
type Service struct {
	db        *store.DB
	committer *store.Committer
	people    *identity.Service
	ledger    *ledger.Service
}

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
}

// New makes the service.
func New(c Config) *Service {
	return &Service{db: c.DB, committer: c.Committer, people: c.People, ledger: c.Ledger}
}
