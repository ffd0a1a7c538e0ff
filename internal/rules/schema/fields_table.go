package schema

import (
	"slices"

	"laurel.example/laurel"
)

var basicFields = []Field{
	{Path: "name", Control: ControlText, Label: "Name", Help: "Members see this name.", Needed: true, Section: BasicsSection},
	{
		Path: "description", Control: ControlLongText, Label: "Description", Help: "Members see this text below the name.",
		Section: BasicsSection,
		Needed:  true,
	},
	{
		Path: "loyaltyRuleGroupId", Control: ControlGroup, Label: "Group", Help: "Your website lists the rule under this heading.",
		Section: BasicsSection,
	},
	{
		Path: "mediaUrl", Control: ControlAddress, Label: "Picture", Help: "URL of the picture that your website shows.",
		Section: BasicsSection,
	},
}

// platforms are the ids of platforms, with their names.
var platforms = []Option{
	{Value: Microblog, Label: "Microblog"}, {Value: "photo_platform", Label: "Photo platform"},
	{Value: "chat_server", Label: "Chat server"}, {Value: "messenger", Label: "Messenger"},
	{Value: "short_video", Label: "Short video platform"}, {Value: "video_platform", Label: "Video platform"},
	{Value: "forum_platform", Label: "Forum"}, {Value: "code_host", Label: "Code host"},
	{Value: "game_store", Label: "Game store"}, {Value: "game_launcher", Label: "Game launcher"},
}

var profileOptions = slices.Concat([]Option{
	{Value: "displayName", Label: "Name"}, {Value: "bio", Label: "About"}, {Value: "logoUrl", Label: "Picture"},
	{Value: "location", Label: "Location"}, {Value: "portfolioUrl", Label: "Link"}, {Value: "email", Label: "E-mail"},
	{Value: "phone", Label: "Phone"},
}, platforms)

var walletTypes = []Option{
	{Value: "", Label: "Any wallet"}, {Value: "evm", Label: "EVM"}, {Value: "solana", Label: "Solana"},
	{Value: "imx", Label: "IMX"}, {Value: "sui", Label: "Sui"}, {Value: "ton", Label: "TON"},
	{Value: "cosmos", Label: "Cosmos"}, {Value: "agw", Label: "AGW"}, {Value: "flow_cadence", Label: "Flow"},
	{Value: "substrate", Label: "Substrate"},
}

var onlyCode = []Type{TypeCodeEntry}

var actionFields = []Field{
	{
		Path: "metadata.promoCodeType", Control: ControlSelect, Label: "Codes", Section: ActionSection, Types: onlyCode,
		Options: []Option{
			{Value: "", Label: "One code for all members (default)"}, {Value: "code", Label: "One code for all members"},
			{Value: "generate", Label: "Single-use codes created by Laurel"},
			{Value: "csv", Label: "Single-use codes from your own list"},
		},
	},
	{
		Path: "metadata.promoCode", Control: ControlText, Label: "Code", Section: ActionSection, Types: onlyCode,
		Help: "The code that every member enters. Laurel never sends it to your web pages (requests with a browser key).",
	},
	{
		Path: "metadata.promoCodeLength", Control: ControlInteger, Label: "Number of codes", Unit: "codes", Section: ActionSection,
		Types: onlyCode, Help: "How many codes Laurel creates, from 1 to 100,000. You can add more later.",
	},
	{
		Path: "metadata.promoCodeCsvUrl", Control: ControlAddress, Label: "List of codes", Section: ActionSection, Types: onlyCode,
		Help: "URL of a CSV file with one code per line. Laurel imports it when you save.",
	},
	{
		Path: "metadata.allowMultipleRedemptions", Control: ControlCheckbox, Label: "Reward every code", Section: ActionSection,
		Types: onlyCode, Help: "Members get the reward for every code they enter, regardless of the interval below.",
	},
	{
		Path: "metadata.verificationTextMinimumLength", Control: ControlInteger, Label: "Minimum length", Unit: "characters",
		Section: ActionSection, Types: []Type{TypeTextInput},
		Help: "Shorter texts are rejected. Leave empty for 1 character.",
	},
	{
		Path: "metadata.link", Control: ControlText, Label: "Link", Section: ActionSection, Types: []Type{TypeLinkClick},
		Help: "Members open this link. The rule needs a link to work.",
	},
	{
		Path: "metadata.timeDelayToVerifySeconds", Control: ControlDecimal, Label: "Delay before the reward", Unit: "seconds", Section: ActionSection,
		Types: []Type{TypeLinkClick}, Help: "Time between the click and the reward. Leave empty for 30 seconds.",
	},
	{
		Path: "metadata.enableStreaks", Control: ControlCheckbox, Label: "Count streaks", Section: ActionSection,
		Types: []Type{TypeCheckIn},
		Help:  "Counts check-ins on consecutive days, or in consecutive hours, weeks or months if that’s the rule’s interval.",
	},
	{
		Path: "metadata.autoCheckInRuleIds", Control: ControlIds, AllowsAny: true, Label: "Check in by completing these rules", Section: ActionSection,
		Types: []Type{TypeCheckIn}, More: true,
		Help: "Enter one rule ID per line, or “any” for every rule. Completing one of these rules also counts as a check-in.",
	},
	{
		Path: "metadata.isCheckInOnEveryTxn", Control: ControlCheckbox, Label: "Check in with every balance change", Section: ActionSection,
		Types: []Type{TypeCheckIn}, More: true, Help: "Every change to the member’s balance counts as a check-in.",
	},
	{
		Path: "metadata.completeProfileConditions", Control: ControlTicks, Label: "Required profile fields", Section: ActionSection,
		Types: []Type{TypeProfileCompleted, TypeReferredUser}, Options: profileOptions,
		Help: "Members complete the rule when all selected fields are filled in or connected.",
	},
	{
		Path: "metadata.walletType", Control: ControlSelect, Label: "Wallet", Section: ActionSection, Types: []Type{TypeConnectWallet},
		Options: walletTypes, Help: "Only wallets of this type count.",
	},
	{
		Path: "metadata.minimumFollowerCount", Control: ControlDecimal, Label: "Minimum followers", Unit: "followers",
		Section: ActionSection,
		Types:   []Type{TypeConnectedMicroblog, "microblog_post"}, Help: "Accounts with fewer followers don’t count. Leave empty for no minimum.",
	},
	{
		Path: "metadata.referralRequirements", Control: ControlTicks, Label: "Conditions for the new member", Section: ActionSection,
		Types: []Type{TypeReferredUser}, Options: []Option{
			{Value: "completeProfile", Label: "Fills in the profile fields above"}, {Value: "connectEmail",
				Label: "Connects an e-mail address"},
			{Value: "connectMicroblog", Label: "Connects a microblog account"},
			{Value: "connectChatServer", Label: "Connects a chat account"}, {Value: "achievePoints", Label: "Has enough points"},
		},
		Help: "The welcome bonus and the referrer bonus are paid when the new member meets all of these.",
	},
	{
		Path: "shopStoreUrl", Control: ControlAddress, Label: "Shop", Section: ActionSection, Types: []Type{TypeShopSpend},
		Help: "URL of the shop, if your partner connects several shops.",
	},
	{
		Path: "metadata.rewardPerValue", Control: ControlCheckbox, Label: "Multiply by the amount spent", Section: ActionSection,
		Types: []Type{TypeShopSpend}, Help: "The reward is the amount below multiplied by what the member spends.",
	},
	{
		Path: "metadata.rewardPerValue", Control: ControlCheckbox, Label: "Multiply by a value", Section: ActionSection,
		Types: []Type{TypeExternal},
		Help:  "Your server sends a value with each completion, such as the total of an order. The reward is the amount below multiplied by it.",
	},
	{
		Path: "metadata.roundTo", Control: ControlInteger, Label: "Decimal places", Unit: "places", Section: ActionSection,
		Types: []Type{TypeExternal}, More: true,
		Help: "How many places of a reward by value are kept, from 0 to 6. Leave empty for 6.",
	},
	{
		Path: "metadata.rounding", Control: ControlSelect, Label: "Rounding", Section: ActionSection,
		Types: []Type{TypeExternal}, More: true, Options: []Option{
			{Value: "", Label: "Down (default)"}, {Value: string(laurel.RoundDown), Label: "Down"},
			{Value: string(laurel.RoundHalfUp), Label: "To the nearest, half up"}, {Value: string(laurel.RoundUp), Label: "Up"},
		},
		Help: "What happens to the other places of a reward by value, before multipliers and the maximum apply.",
	},
	{
		Path: "functionId", Control: ControlIdentity, Label: "Function", Section: ActionSection, Types: []Type{TypeFunction},
		Help: "ID of the function that decides on the reward. The rule needs a function to work.",
	},
	{
		Path: "subscriptionId", Control: ControlIdentity, Label: "Triggered by subscription", Section: ActionSection,
		Types: []Type{TypeFunction, TypeContractEvent},
		Help:  "ID of a subscription whose events complete the rule. The function of the rule, if it has one, decides on each.",
	},
	{
		Path: "metadata.governanceProposals", Control: ControlRows, Label: "Proposals", Section: ActionSection,
		Types: []Type{TypeGovernanceVote},
		Help: "The proposals that count, and the space or governor of each. A vote on one of them is enough. Without any, all " +
			"proposals of the contract or network below count.",
		Columns: []Field{
			{Path: "id", Control: ControlText, Label: "proposal"}, {Path: "space", Control: ControlText, Label: "space"},
		},
	},
	{
		Path: "collectionAddress", Control: ControlText, Label: "Contract", Section: ActionSection,
		Types: []Type{TypeAttendanceToken, TypeListing, TypeSwap},
		Help:  "Address of the smart contract that your partner checks.",
	},
	{
		Path: "collectionAddress", Control: ControlText, Label: "Governor", Section: ActionSection,
		Types: []Type{TypeGovernanceVote},
		Help:  "Address of the smart contract that counts the votes.",
	},
	{
		Path: "network", Control: ControlText, Label: "Network", Section: ActionSection,
		Types: []Type{TypeAttendanceToken, TypeGovernanceVote, TypeListing, TypeSwap},
		Help:  "Blockchain of the contract, such as ethereum or polygon.",
	},
	{
		Path: "externalIntegrationId", Control: ControlText, Label: "Partner ID", Section: ActionSection,
		Types: []Type{
			TypePartnerAccount, TypeShopSpend, TypeAttendanceToken, TypeGovernanceVote, TypeListing, TypeSwap,
		},
		Help: "Laurel sends this ID to your partner with each request.",
	},
	{
		Path: "loyaltyUserAllotmentCsvUrl", Control: ControlAddress, Label: "List", Section: ActionSection,
		Types: []Type{TypeAirdrop, TypeUpload},
		Help:  "URL of a CSV file with one wallet and amount per line. Laurel imports it each time you save.",
	},
}

var rewardFields = []Field{
	{
		Path: "rewardType", Control: ControlChoices, Label: "Members get", Section: RewardSection, Needed: true, Options: []Option{
			{Value: RewardPoints, Label: "Points", Help: "In a currency you choose"},
			{Value: RewardMultiplier, Label: "Multiplier", Help: "Increases later rewards"},
			{Value: RewardBadge, Label: "Badge", Help: "Includes the badge’s own rewards"},
			{Value: RewardToken, Label: "Token", Help: "Paid out on a blockchain"},
		},
	},
	{
		Path: "amount", Control: ControlDecimal, Label: "Amount", Section: RewardSection,
		Help: "Number of points, or size of the multiplier. Use up to 6 decimal places.",
	},
	{
		Path: "loyaltyCurrencyId", Control: ControlCurrency, Label: "Currency", Section: RewardSection,
		Help: "The currency that members are paid in. Not used for multipliers.",
	},
	{
		Path: "loyaltyBadgeId", Control: ControlBadge, Label: "Badge", Section: RewardSection,
		Help: "For badge rewards: members get this badge and the rewards that come with it.",
	},
	{
		Path: "metadata.streakArray", Control: ControlRows, Label: "Streak bonuses", Section: RewardSection,
		Types: []Type{TypeCheckIn}, Help: "A missed day restarts the streak. Each bonus is paid once per streak.",
		Columns: []Field{
			{Path: "streakMilestone", Control: ControlDecimal, Label: "days", Unit: "in a row"},
			{Path: "streakAmount", Control: ControlDecimal, Label: "extra", Unit: "points"},
		},
	},
	{
		Path: "metadata.range", Control: ControlRows, Label: "Amounts per range", Section: RewardSection, More: true,
		Help: "The reward can depend on a value, such as the amount that the member spent. If the value falls within a range, " +
			"the rule pays that range’s amount instead of the amount above. Ranges can’t overlap.",
		Columns: []Field{
			{Path: "startRange", Control: ControlDecimal, Label: "from"}, {Path: "endRange", Control: ControlDecimal, Label: "to"},
			{Path: "amount", Control: ControlDecimal, Label: "points"},
			{Path: "loyaltyMultiplierAmount", Control: ControlDecimal, Label: "multiplier"},
			{Path: "loyaltyBadgeId", Control: ControlBadge, Label: "badge"},
		},
	},
	{
		Path: "metadata.rewardBadgePerRange", Control: ControlCheckbox, Label: "Grant each range’s badge", Section: RewardSection,
		More: true, Help: "Members whose value falls within a range also get the badge that you choose for it.",
	},
	{
		Path: "metadata.firstReferralReward", Control: ControlDecimal, Label: "Referral share", Unit: "%",
		Section: RewardSection, Types: []Type{TypeReferredUser},
		Help: "The share of the new member’s earnings that the referrer gets, paid on a schedule.",
	},
	{
		Path: "metadata.secondReferralReward", Control: ControlDecimal, Label: "Second-tier referral share", Unit: "%",
		Section: RewardSection, Types: []Type{TypeReferredUser},
		Help: "If the new member refers others, the original referrer gets this share of what the others earn.",
	},
	{
		Path: "metadata.referrerReward", Control: ControlDecimal, Label: "Referrer bonus", Section: RewardSection,
		Types: []Type{TypeReferredUser}, Help: "Paid once for each new member who meets the conditions.",
	},
	{
		Path: "metadata.referrerRewardLoyaltyCurrencyId", Control: ControlCurrency, Label: "Currency of the referrer bonus",
		Section: RewardSection, Types: []Type{TypeReferredUser}, Help: "Defaults to the rule’s currency.",
	},
	{
		Path: "metadata.skipMultiplier", Control: ControlCheckbox, Label: "Ignore multipliers", Section: RewardSection, More: true,
		Help: "Members’ multipliers don’t increase this rule’s reward.",
	},
	{
		Path: "metadata.enableVerifiedMultiplier", Control: ControlCheckbox, Label: "Pay more to verified accounts",
		Section: RewardSection,
		More:    true, Help: "Members with a verified microblog account get the amount multiplied by the number below.",
	},
	{
		Path: "metadata.verifiedMultiplier", Control: ControlDecimal, Label: "Multiplier for verified accounts", Section: RewardSection,
		More: true,
	},
	{
		Path: "rewardLifetime", Control: ControlSelect, Label: "Reward duration", Section: RewardSection, More: true,
		Options: []Option{
			{Value: "", Label: "Permanent (default)"}, {Value: "permanent", Label: "Permanent"},
			{Value: "dynamic", Label: "While the member qualifies"},
		},
		Help: "With “While the member qualifies”, Laurel revokes the multiplier or badge once the member no longer meets " +
			"the rule’s conditions.",
	},
	{
		Path: "metadata.multiplierLoyaltyCurrencyIds", Control: ControlIds, Label: "Multiplier currencies",
		Section: RewardSection, More: true,
		Help: "For multiplier rewards: IDs of the currencies that the multiplier applies to, one per line. Leave empty for " +
			"all currencies.",
	},
	{
		Path: "metadata.isRetroactive", Control: ControlCheckbox, Label: "Also multiply the current balance", Section: RewardSection,
		More: true, Help: "For multiplier rewards: when members get the multiplier, their current balance is multiplied too.",
	},
}

// frequencyFields returns the fields of the section about how often a rule pays and runs.
func frequencyFields() []Field {
	scheduled := typesWhere(func(k Kind) bool { return k.Scheduled })
	return []Field{
		{
			Path: "interval", Control: ControlSelect, Label: "How often a member can earn the reward", Section: FrequencySection,
			Needed: true,
			Help:   "Days start at 00:00 UTC, and weeks start on Sunday.",
			Options: []Option{
				{Value: "once", Label: "Once"}, {Value: "hourly", Label: "Once an hour"}, {Value: "daily", Label: "Once a day"},
				{Value: "weekly", Label: "Once a week"}, {Value: "monthly", Label: "Once a month"},
				{Value: IntervalCustom, Label: "At a custom interval"}, {Value: "unlimited", Label: "As often as they like"},
				{Value: everyMessage, Label: "With every message"},
			},
		},
		{
			Path: "metadata.customIntervalSeconds", Control: ControlInteger, Label: "Custom interval", Unit: "seconds",
			Section: FrequencySection,
			Help: "Minimum time between two rewards, from 60 to 31,536,000 seconds (one year). Used only with “At a custom " +
				"interval”.",
		},
		{
			Path: "frequency", Control: ControlSelect, Label: "Schedule", Section: FrequencySection, Needed: true,
			Help: "How often Laurel checks all members automatically, beginning on the rule’s start date.", Types: scheduled,
			Options: []Option{
				{Value: FrequencyNone, Label: "Never (members or your server complete the rule)"},
				{Value: FrequencyOnce, Label: "Once"},
				{Value: frequencyHourly, Label: "Every hour"}, {Value: frequencyDaily, Label: "Every day"},
				{Value: frequencyWeekly, Label: "Every week"}, {Value: frequencyMonthly, Label: "Every month"},
				{Value: "immediately", Label: "Immediately"},
			},
		},
		{
			Path: "claimType", Control: ControlSelect, Label: "Scheduled runs", Section: FrequencySection, Types: scheduled,
			Options: []Option{
				{Value: "", Label: "Pay members (default)"}, {Value: "auto", Label: "Pay members"},
				{Value: "manual", Label: "Let members claim"},
			},
			Help: "With “Let members claim”, members who qualify get the reward when they claim it.",
		},
		{
			Path: "maxAmountPerInterval", Control: ControlDecimal, Label: "Maximum per member", Section: FrequencySection, More: true, Types: cappedTypes,
			Help: "The most a member can earn from this rule in each period.",
		},
		{
			Path: "maxAmountInterval", Control: ControlSelect, Label: "Limit period", Section: FrequencySection, More: true,
			Types: cappedTypes,
			Options: []Option{
				{Value: "", Label: "No limit"}, {Value: "daily", Label: "per day"}, {Value: "weekly", Label: "per week"},
				{Value: "monthly", Label: "per month"}, {Value: "lifetime", Label: "in total"},
			},
		},
		{
			Path: "trackProgress", Control: ControlCheckbox, Label: "Reward when progress is complete", Section: FrequencySection, More: true,
			Needed: true, Help: "Your server reports each member’s progress. The rule pays members when they reach the target.",
		},
		{
			Path: "progressType", Control: ControlSelect, Label: "Progress target", Section: FrequencySection, More: true,
			Options: []Option{
				{Value: "", Label: "100 (default)"}, {Value: "percentage", Label: "100 percent"},
				{Value: "counter", Label: "Upper limit of the highest range"},
			},
		},
		{
			Path: "metadata.resetProgressOnClaim", Control: ControlCheckbox, Label: "Restart progress after a reward",
			Section: FrequencySection,
			More:    true,
		},
	}
}

var eligibilityFields = []Field{
	{
		Path: "metadata.isRestrictedToNewUsers", Control: ControlCheckbox, Label: "New members only", Section: EligibilitySection,
		Help: "Only members who join after the rule’s start date can earn the reward. Set a start date below.",
	},
	{
		Path: "metadata.hasVerifiedMicroblog", Control: ControlCheckbox, Label: "Verified microblog accounts only", Section: EligibilitySection,
		Help: "Only members whose account the microblog has verified can earn the reward.",
	},
}

var timingFields = []Field{
	{
		Path: "startTime", Control: ControlMoment, Label: "Starts", Help: "Time in UTC. Leave empty to start right away.",
		Section: TimingSection,
	},
	{
		Path: "endTime", Control: ControlMoment, Label: "Ends", Help: "Time in UTC. Leave empty if the rule never ends.",
		Section: TimingSection,
	},
	{
		Path: "isRequired", Control: ControlCheckbox, Label: "Required",
		Help:    "Members must complete this rule once before they can complete any other rule.",
		Section: TimingSection, Needed: true,
	},
}

var visibilityFields = []Field{
	{
		Path: "hideInUi", Control: ControlCheckbox, Label: "Hide from members", Section: VisibilitySection, Needed: true,
		Help: "Hides the rule from your web pages (requests with a browser key). Members can still complete it.",
	},
	{
		Path: "showBeforeStart", Control: ControlCheckbox, Label: "Show before it starts", Section: VisibilitySection, Needed: true,
		Help: "Members see the rule before its start date, but can’t complete it yet.",
	},
	{
		Path: "isSpecial", Control: ControlCheckbox, Label: "Bot trap", Section: VisibilitySection, Needed: true,
		Help: "Hides the rule from members, so anyone who completes it is likely a bot.",
	},
	{Path: "backgroundAssetUrl", Control: ControlAddress, Label: "Background picture", Section: VisibilitySection},
	{
		Path: "customRewardsApiUrl", Control: ControlAddress, Label: "Rewards URL", Section: VisibilitySection,
		Help: "URL in your system that tells Laurel which members to reward.",
	},
	{
		Path: "metadata." + RewardsKey, Control: ControlSecret, Label: "Key for the rewards URL", Section: VisibilitySection,
		Help: "Laurel sends this key with each request to the URL. The key is never shown again. Leave empty to keep the stored " +
			"key.",
	},
	{Path: "customRewardsCsvUrl", Control: ControlAddress, Label: "Rewards list URL", Section: VisibilitySection},
}
