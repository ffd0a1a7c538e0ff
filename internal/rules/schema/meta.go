package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel.example/laurel"
)

// Meta is the decoded part of a rule's metadata that decisions need. The metadata was checked by metadataProperties
// when it was stored, so that every property can be decoded.
type Meta struct {
	CustomIntervalSeconds    *int64
	IsRestrictedToNewUsers   bool
	ResetProgressOnClaim     bool
	Range                    []Tier
	EnableStreaks            bool
	HasVerifiedMicroblog     bool
	EnableVerifiedMultiplier bool
	PromoCode                string
	PromoCodeType            string
	PromoCodeLength          *int64
	AllowMultiple            bool
	MinimumText              *int64
	Link                     string
	Delay                    *laurel.Amount // between click and reward, in seconds
	StreakArray              []Streak
	SkipMultiplier           bool
	IsRetroactive            bool
	MultiplierCurrencies     []laurel.ID
	VerifiedMultiplier       *laurel.Amount
	MinimumFollowers         *laurel.Amount
	CompleteProfile          map[string]*bool // required fields by name; nil and false: not required
	WalletType               string
	CheckInTriggers          Triggers
	OnEveryEntry             bool // isCheckInOnEveryTxn
	RewardPerValue           bool
	RoundTo                  *int64          // the decimal places that rewards per value are cut to; nil: 6
	Rounding                 laurel.Rounding // how they are cut; "": down
	RewardPerAction          bool
	RewardPerImpression      bool
	RewardCriteria           string
	CheckText                Texts
	Hashtag                  string // with or without a leading #
	RequirePostLink          bool
	RequirePostMedia         bool
	CheckLike                bool // wanted reactions; likes are taken on trust (contract 9, item 15)
	CheckRepost              bool
	CheckComment             bool
	MicroblogPostURL         string
	BadgePerRange            bool // rewardBadgePerRange: tiers grant badges
	RewardByBatch            bool
	BatchSize                *laurel.Amount
	Weights                  []CollectionWeight // collection
	ERC20Type                string
	OneTokenPerContract      bool // onlyRewardSingleTokenOwnership
	HasNeverSold             bool
	HasPaidFullRoyalty       bool
	OnlyNative               bool
	Contract                 ContractEvent // smartContract
	OnReorg                  string        // what becomes of points for events that a reorganization takes back
	FillSource               string        // the market that counts; "": any
	HasFillSource            *bool         // false: FillSource does not count
	SaleCurrency             string        // the contract of the currency that counts, or native; "": any
	HasSaleCurrency          *bool         // false: SaleCurrency does not count
	RoyaltyAddress           string        // who gets the royalty; "": what the collection says
	RoyaltyPercentage        *laurel.Amount
	Liquidity                Liquidity
	Proposals                []Proposal // governanceProposals
	Swap                     Swap
}

// Streak is a milestone of a rule of type check_in, and the amount that reaching it pays (contract 5.9).
type Streak struct {
	Milestone *laurel.Amount `json:"streakMilestone"`
	Amount    *laurel.Amount `json:"streakAmount"`
}

// Pays reports whether reaching the milestone pays anything.
func (s Streak) Pays() bool { return s.Milestone != nil && s.Amount != nil && *s.Amount > 0 }

// Meta decodes the metadata. Each property is decoded by itself and by its exact name: a malformed property, or one
// whose name differs in case only, must not hide a restriction. Whole numbers may be written as 60, 60.0 or 6e1.
func (p *Properties) Meta() Meta {
	var m Meta
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return m
	}
	for name, to := range map[string]any{
		"isRestrictedToNewUsers": &m.IsRestrictedToNewUsers, "resetProgressOnClaim": &m.ResetProgressOnClaim, "range": &m.Range,
		"enableStreaks": &m.EnableStreaks, "hasVerifiedMicroblog": &m.HasVerifiedMicroblog, "enableVerifiedMultiplier": &m.EnableVerifiedMultiplier,
		"promoCode": &m.PromoCode, "promoCodeType": &m.PromoCodeType, "allowMultipleRedemptions": &m.AllowMultiple,
		"link": &m.Link, "timeDelayToVerifySeconds": &m.Delay, "streakArray": &m.StreakArray, "verifiedMultiplier": &m.VerifiedMultiplier,
		"minimumFollowerCount": &m.MinimumFollowers, "completeProfileConditions": &m.CompleteProfile, "walletType": &m.WalletType,
		"autoCheckInRuleIds": &m.CheckInTriggers, "isCheckInOnEveryTxn": &m.OnEveryEntry, "rewardPerValue": &m.RewardPerValue,
		"rounding":            &m.Rounding,
		"rewardBadgePerRange": &m.BadgePerRange, "rewardPerAction": &m.RewardPerAction, "rewardPerImpression": &m.RewardPerImpression,
		"rewardCriteria": &m.RewardCriteria, "checkText": &m.CheckText, "microblogHashtag": &m.Hashtag,
		"requirePostLink": &m.RequirePostLink, "requirePostMediaLink": &m.RequirePostMedia, "checkLike": &m.CheckLike,
		"checkRepost": &m.CheckRepost, "checkComment": &m.CheckComment, "microblogPostUrl": &m.MicroblogPostURL,
		"rewardByBatch": &m.RewardByBatch, "batchSize": &m.BatchSize, "collection": &m.Weights, "erc20Type": &m.ERC20Type,
		"onlyRewardSingleTokenOwnership": &m.OneTokenPerContract, "hasNeverSold": &m.HasNeverSold,
		"hasPaidFullRoyalty": &m.HasPaidFullRoyalty, "onlyNative": &m.OnlyNative,
		"smartContract": &m.Contract, "onReorg": &m.OnReorg,
		"fillSource": &m.FillSource, "hasFillSource": &m.HasFillSource, "saleCurrency": &m.SaleCurrency,
		"governanceProposals": &m.Proposals,
		"liquidity":           &m.Liquidity, "swap": &m.Swap, "hasSaleCurrency": &m.HasSaleCurrency, "royaltyAddress": &m.RoyaltyAddress, "royaltyPercentage": &m.RoyaltyPercentage,
		"skipMultiplier": &m.SkipMultiplier, "isRetroactive": &m.IsRetroactive, "multiplierLoyaltyCurrencyIds": &m.MultiplierCurrencies,
	} {
		if value := stored[name]; value != nil {
			_ = json.Unmarshal(value, to) // the value was checked when it was stored
		}
	}
	for name, to := range map[string]**int64{
		"customIntervalSeconds": &m.CustomIntervalSeconds, "promoCodeLength": &m.PromoCodeLength, "verificationTextMinimumLength": &m.MinimumText,
		"roundTo": &m.RoundTo,
	} {
		if n, ok := wholeNumber(stored[name]); ok {
			*to = &n
		}
	}
	return m
}

// crossCheck compares properties of the metadata with each other and adds faults to f.
func (m Meta) crossCheck(f *laurel.Faults) {
	tiers := slices.Clone(m.Range)
	slices.SortFunc(tiers, func(a, b Tier) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(tiers); i++ {
		if tiers[i].Start <= tiers[i-1].End {
			f.Add("metadata.range", "must not overlap")
			break
		}
	}
	milestones := map[laurel.Amount]bool{}
	for i, s := range m.StreakArray {
		path := "metadata.streakArray." + strconv.Itoa(i) + ".streakMilestone"
		if s.Amount != nil && *s.Amount < 0 {
			f.Add("metadata.streakArray."+strconv.Itoa(i)+".streakAmount", "must be at least 0")
		}
		switch {
		case s.Milestone == nil || *s.Milestone < laurel.One || *s.Milestone%laurel.One != 0:
			f.Add(path, "must be an integer of at least 1")
		case milestones[*s.Milestone]:
			f.Add(path, "must be distinct")
		default:
			milestones[*s.Milestone] = true
		}
	}
}

// HasSharedCode reports whether all members enter the same code. Otherwise each code can be redeemed once.
func (m Meta) HasSharedCode() bool { return m.PromoCodeType == "" || m.PromoCodeType == "code" }

// GeneratedCodes returns how many codes the service is to generate for the rule.
func (m Meta) GeneratedCodes() int {
	if m.PromoCodeType != "generate" || m.PromoCodeLength == nil {
		return 0
	}
	return int(*m.PromoCodeLength)
}

// maxPlaces is the most decimal places of an amount.
const maxPlaces = 6

// Places returns the decimal places that rewards per value are cut to.
func (m Meta) Places() int {
	if m.RoundTo == nil {
		return maxPlaces
	}
	return int(*m.RoundTo)
}

// MinimumLength returns how many characters a text must have at least.
func (m Meta) MinimumLength() int {
	if m.MinimumText == nil {
		return 1
	}
	return int(*m.MinimumText)
}

// defaultClickDelay is the time between a click and its reward if the rule sets none (contract 3.13).
const defaultClickDelay = 30 * time.Second

// ClickDelay returns the time between a click and its reward.
func (m Meta) ClickDelay() time.Duration {
	if m.Delay == nil {
		return defaultClickDelay
	}
	return time.Duration(*m.Delay) * time.Microsecond // an amount counts millionths: of seconds these are microseconds
}

// TierOf returns the tier that contains the value. A value above all tiers gets the highest tier, and one between two
// tiers the lower one. It returns false for a value below all tiers.
func TierOf(tiers []Tier, value laurel.Amount) (Tier, bool) {
	var best Tier
	found := false
	for _, t := range tiers {
		if t.Start <= value && (!found || t.Start > best.Start) {
			best, found = t, true
		}
	}
	return best, found
}
