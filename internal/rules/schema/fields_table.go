package schema

import "slices"

var basicFields = []Field{
	{Path: "name", Control: Text, Label: "Name", Help: "Members see this name.", Needed: true, Section: BasicsSection},
	{
		Path: "description", Control: LongText, Label: "Description", Help: "Members see this under the name.",
		Section: BasicsSection,
		Needed:  true,
	},
	{
		Path: "loyaltyRuleGroupId", Control: Group, Label: "Group", Help: "Where the website lists the rule.",
		Section: BasicsSection,
	},
	{
		Path: "mediaUrl", Control: Address, Label: "Picture", Help: "The address of a picture that the website shows.",
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
	{Value: "location", Label: "Place"}, {Value: "portfolioUrl", Label: "Link"}, {Value: "email", Label: "E-mail"},
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
		Path: "metadata.promoCodeType", Control: Select, Label: "Codes", Section: ActionSection, Types: onlyCode,
		Options: []Option{
			{Value: "", Label: "One code for everybody (not said)"}, {Value: "code", Label: "One code for everybody"},
			{Value: "generate", Label: "Codes that are made here, good once each"},
			{Value: "csv", Label: "Codes from a list of yours, good once each"},
		},
	},
	{
		Path: "metadata.promoCode", Control: Text, Label: "Code", Section: ActionSection, Types: onlyCode,
		Help: "What everybody enters. Browser keys never see it.",
	},
	{
		Path: "metadata.promoCodeLength", Control: Integer, Label: "How many codes", Unit: "codes", Section: ActionSection,
		Types: onlyCode, Help: "Of codes that are made here: from 1 to 100,000. More can be added later.",
	},
	{
		Path: "metadata.promoCodeCsvUrl", Control: Address, Label: "List of codes", Section: ActionSection, Types: onlyCode,
		Help: "The address of a CSV file with a code in each line. It is read when you save.",
	},
	{
		Path: "metadata.allowMultipleRedemptions", Control: Checkbox, Label: "Each code counts by itself", Section: ActionSection,
		Types: onlyCode, Help: "A member earns the rule once for each code, instead of once a day or so.",
	},
	{
		Path: "metadata.verificationTextMinimumLength", Control: Integer, Label: "Least length", Unit: "characters",
		Section: ActionSection, Types: []Type{TypeTextInput}, Help: "Shorter texts are refused. Empty: 1.",
	},
	{
		Path: "metadata.link", Control: Text, Label: "Link", Section: ActionSection, Types: []Type{TypeLinkClick},
		Help: "What members open. Without a link the rule is not set up.",
	},
	{
		Path: "metadata.timeDelayToVerifySeconds", Control: Decimal, Label: "Reward after", Unit: "seconds", Section: ActionSection,
		Types: []Type{TypeLinkClick}, Help: "How long after the click the reward follows. Empty: 30.",
	},
	{
		Path: "metadata.enableStreaks", Control: Checkbox, Label: "Count days in a row", Section: ActionSection,
		Types: []Type{TypeCheckIn}, Help: "Or hours, weeks or months in a row, as the rule's interval says.",
	},
	{
		Path: "metadata.autoCheckInRuleIds", Control: Ids, AllowsAny: true, Label: "Rules that check members in", Section: ActionSection,
		Types: []Type{TypeCheckIn}, More: true,
		Help: "An id in each line, or any for every rule. Then members need not check in themselves.",
	},
	{
		Path: "metadata.isCheckInOnEveryTxn", Control: Checkbox, Label: "Check in with every entry", Section: ActionSection,
		Types: []Type{TypeCheckIn}, More: true, Help: "Each change of the member’s balance counts as coming by.",
	},
	{
		Path: "metadata.completeProfileConditions", Control: Ticks, Label: "Fields to fill", Section: ActionSection,
		Types: []Type{TypeProfileCompleted, TypeReferredUser}, Options: profileOptions,
		Help: "A member has earned the rule when each of them is filled or connected.",
	},
	{
		Path: "metadata.walletType", Control: Select, Label: "Wallet", Section: ActionSection, Types: []Type{TypeConnectWallet},
		Options: walletTypes, Help: "Other wallets do not count.",
	},
	{
		Path: "metadata.minimumFollowerCount", Control: Decimal, Label: "Least followers", Unit: "followers",
		Section: ActionSection,
		Types:   []Type{TypeConnectedMicroblog}, Help: "Accounts with fewer do not count. Empty: none needed.",
	},
	{
		Path: "metadata.microblogPostUrl", Control: Text, Label: "Post", Section: ActionSection, Types: []Type{TypeMicroblogLike},
		Help: "The address of the post that members like. The website shows it.",
	},
	{
		Path: "metadata.referralRequirements", Control: Ticks, Label: "What the new member does first", Section: ActionSection,
		Types: []Type{TypeReferredUser}, Options: []Option{
			{Value: "completeProfile", Label: "Fills the fields above"}, {Value: "connectEmail",
				Label: "Connects an e-mail address"},
			{Value: "connectMicroblog", Label: "Connects a microblog account"},
			{Value: "connectChatServer", Label: "Connects a chat account"}, {Value: "achievePoints", Label: "Has points"},
		},
		Help: "Welcome and lump sum are paid when each of them holds.",
	},
	{
		Path: "shopStoreUrl", Control: Address, Label: "Shop", Section: ActionSection, Types: []Type{TypeShopSpend},
		Help: "Which of your shops is asked, where your partner has several.",
	},
	{
		Path: "metadata.rewardPerValue", Control: Checkbox, Label: "Pay for each unit spent", Section: ActionSection,
		Types: []Type{TypeShopSpend}, Help: "The amount is multiplied by what the member spent.",
	},
	{
		Path: "functionId", Control: Identity, Label: "Function", Section: ActionSection, Types: []Type{TypeFunction},
		Help: "The id of the function that decides. Without one the rule is not set up.",
	},
	{
		Path: "subscriptionId", Control: Identity, Label: "Fed by subscription", Section: ActionSection,
		Types: []Type{TypeFunction},
		Help:  "The id of a subscription. Its events are handed to the function, which names the member.",
	},
	{
		Path: "collectionAddress", Control: Text, Label: "Contract", Section: ActionSection,
		Types: []Type{TypeAttendanceToken, TypeGovernanceVote, TypeListing, TypeSwap},
		Help:  "The address of the contract that your partner looks at.",
	},
	{
		Path: "network", Control: Text, Label: "Network", Section: ActionSection,
		Types: []Type{TypeAttendanceToken, TypeGovernanceVote, TypeListing, TypeSwap},
		Help:  "Where the contract stands, such as ethereum or polygon.",
	},
	{
		Path: "externalIntegrationId", Control: Text, Label: "Id at your partner", Section: ActionSection,
		Types: []Type{
			TypePartnerAccount, TypeShopSpend, TypeAttendanceToken, TypeGovernanceVote, TypeListing, TypeSwap,
		},
		Help: "Your partner is told it with each question.",
	},
	{
		Path: "loyaltyUserAllotmentCsvUrl", Control: Address, Label: "List", Section: ActionSection,
		Types: []Type{TypeAirdrop, TypeUpload},
		Help:  "The address of a CSV file: a wallet, and what it gets, in each line. It is read each time you save.",
	},
}

var rewardFields = []Field{
	{
		Path: "rewardType", Control: Choices, Label: "Members get", Section: RewardSection, Needed: true, Options: []Option{
			{Value: RewardPoints, Label: "Points", Help: "of one currency"},
			{Value: RewardMultiplier, Label: "Multiplier", Help: "on later points"},
			{Value: RewardBadge, Label: "Badge", Help: "and what comes with it"},
			{Value: RewardToken, Label: "Token", Help: "paid by your driver"},
		},
	},
	{
		Path: "amount", Control: Decimal, Label: "Amount", Section: RewardSection,
		Help: "Points, or the value of the multiplier. Up to 6 decimal places.",
	},
	{
		Path: "loyaltyCurrencyId", Control: Currency, Label: "Currency", Section: RewardSection,
		Help: "What points are paid in. A multiplier pays in none.",
	},
	{
		Path: "loyaltyBadgeId", Control: Badge, Label: "Badge", Section: RewardSection,
		Help: "Of rules that give a badge: the one that members are given, with its rewards.",
	},
	{
		Path: "metadata.streakArray", Control: Rows, Label: "Extra for days in a row", Section: RewardSection,
		Types: []Type{TypeCheckIn}, Help: "A missed day begins the count anew. Each milestone pays once per streak.",
		Columns: []Field{
			{Path: "streakMilestone", Control: Decimal, Label: "days", Unit: "in a row"},
			{Path: "streakAmount", Control: Decimal, Label: "extra", Unit: "points"},
		},
	},
	{
		Path: "metadata.range", Control: Rows, Label: "Amounts by value", Section: RewardSection, More: true,
		Help: "What a value between From and To pays, in place of the amount. Ranges must not overlap.",
		Columns: []Field{
			{Path: "startRange", Control: Decimal, Label: "from"}, {Path: "endRange", Control: Decimal, Label: "to"},
			{Path: "amount", Control: Decimal, Label: "points"},
			{Path: "loyaltyMultiplierAmount", Control: Decimal, Label: "multiplier"},
			{Path: "loyaltyBadgeId", Control: Badge, Label: "badge"},
		},
	},
	{
		Path: "metadata.rewardBadgePerRange", Control: Checkbox, Label: "Ranges give their badges", Section: RewardSection,
		More: true, Help: "Whoever reaches a range is given its badge, beside what the range pays.",
	},
	{
		Path: "metadata.firstReferralReward", Control: Decimal, Label: "Share of what new members earn", Unit: "%",
		Section: RewardSection, Types: []Type{TypeReferredUser}, Help: "Runs pay it to whoever brought them.",
	},
	{
		Path: "metadata.secondReferralReward", Control: Decimal, Label: "Share of the second tier", Unit: "%",
		Section: RewardSection, Types: []Type{TypeReferredUser}, Help: "Of what those earn who were brought by the new members.",
	},
	{
		Path: "metadata.referrerReward", Control: Decimal, Label: "Lump sum for the referrer", Section: RewardSection,
		Types: []Type{TypeReferredUser}, Help: "Paid once for each new member who does what is asked.",
	},
	{
		Path: "metadata.referrerRewardLoyaltyCurrencyId", Control: Currency, Label: "Currency of the lump sum",
		Section: RewardSection, Types: []Type{TypeReferredUser}, Help: "None: the rule’s currency.",
	},
	{
		Path: "metadata.skipMultiplier", Control: Checkbox, Label: "Leave multipliers out", Section: RewardSection, More: true,
		Help: "Members’ multipliers do not raise what this rule pays.",
	},
	{
		Path: "metadata.enableVerifiedMultiplier", Control: Checkbox, Label: "More for verified accounts",
		Section: RewardSection,
		More:    true, Help: "Members with a verified microblog account get the amount times the number below.",
	},
	{
		Path: "metadata.verifiedMultiplier", Control: Decimal, Label: "Times for verified accounts", Section: RewardSection,
		More: true,
	},
	{
		Path: "rewardLifetime", Control: Select, Label: "How long the reward stays", Section: RewardSection, More: true,
		Options: []Option{
			{Value: "", Label: "For good"}, {Value: "permanent", Label: "For good, as set by hand"},
			{Value: "dynamic", Label: "While the member qualifies"},
		},
		Help: "A multiplier or badge is taken back when what the rule asks no longer holds.",
	},
	{
		Path: "metadata.multiplierLoyaltyCurrencyIds", Control: Ids, Label: "Currencies that the multiplier raises",
		Section: RewardSection, More: true, Help: "Of multipliers: an id in each line. Empty: all.",
	},
	{
		Path: "metadata.isRetroactive", Control: Checkbox, Label: "Raise the present balance too", Section: RewardSection,
		More: true, Help: "Of multipliers: once, when the multiplier is given.",
	},
}

func frequencyFields() []Field {
	scheduled := typesWhere(func(k Kind) bool { return k.Scheduled })
	return []Field{
		{
			Path: "interval", Control: Select, Label: "A member can earn it", Section: FrequencySection, Needed: true,
			Help: "Days begin at 00:00 UTC, weeks on Sunday.",
			Options: []Option{
				{Value: "once", Label: "Once"}, {Value: "hourly", Label: "Once an hour"}, {Value: "daily", Label: "Once a day"},
				{Value: "weekly", Label: "Once a week"}, {Value: "monthly", Label: "Once a month"},
				{Value: IntervalCustom, Label: "After a time of your own"}, {Value: "unlimited", Label: "As often as they like"},
				{Value: everyMessage, Label: "With every message"},
			},
		},
		{
			Path: "metadata.customIntervalSeconds", Control: Integer, Label: "Time of your own", Unit: "seconds",
			Section: FrequencySection,
			Help:    "From 60 to 31,536,000, counted from the last reward. For “After a time of your own” only.",
		},
		{
			Path: "frequency", Control: Select, Label: "Runs", Section: FrequencySection, Needed: true,
			Help: "When the service looks at all members by itself, from the rule’s start on.", Types: scheduled,
			Options: []Option{
				{Value: FrequencyNone, Label: "Never: members or your server call"}, {Value: FrequencyOnce, Label: "Once"},
				{Value: frequencyHourly, Label: "Every hour"}, {Value: frequencyDaily, Label: "Every day"},
				{Value: frequencyWeekly, Label: "Every week"}, {Value: frequencyMonthly, Label: "Every month"},
				{Value: "immediately", Label: "At once"},
			},
		},
		{
			Path: "claimType", Control: Select, Label: "What runs do", Section: FrequencySection, Types: scheduled,
			Options: []Option{
				{Value: "", Label: "Pay"}, {Value: "auto", Label: "Pay, as set by hand"},
				{Value: "manual", Label: "Find who may claim"},
			},
			Help: "Members who may claim get the reward when they ask for it.",
		},
		{
			Path: "maxAmountPerInterval", Control: Decimal, Label: "At most", Section: FrequencySection, More: true, Types: cappedTypes,
			Help: "What a member gets from this rule in the time below.",
		},
		{
			Path: "maxAmountInterval", Control: Select, Label: "in", Section: FrequencySection, More: true, Types: cappedTypes,
			Options: []Option{
				{Value: "", Label: "No limit"}, {Value: "daily", Label: "a day"}, {Value: "weekly", Label: "a week"},
				{Value: "monthly", Label: "a month"}, {Value: "lifetime", Label: "all"},
			},
		},
		{
			Path: "trackProgress", Control: Checkbox, Label: "Reward when progress is complete", Section: FrequencySection, More: true,
			Needed: true, Help: "Your server writes how far each member is.",
		},
		{
			Path: "progressType", Control: Select, Label: "Progress counts", Section: FrequencySection, More: true,
			Options: []Option{
				{Value: "", Label: "To 100"}, {Value: "percentage", Label: "To 100 percent"},
				{Value: "counter", Label: "To the end of the highest range"},
			},
		},
		{
			Path: "metadata.resetProgressOnClaim", Control: Checkbox, Label: "Progress begins anew after a reward",
			Section: FrequencySection,
			More:    true,
		},
	}
}

var eligibilityFields = []Field{
	{
		Path: "metadata.isRestrictedToNewUsers", Control: Checkbox, Label: "New members only", Section: EligibilitySection,
		Help: "Members who were there before the rule’s start are refused. Without a start nobody is.",
	},
	{
		Path: "metadata.hasVerifiedMicroblog", Control: Checkbox, Label: "Verified microblog accounts only", Section: EligibilitySection,
		Help: "Members connect an account that bears the platform’s own mark.",
	},
}

var timingFields = []Field{
	{Path: "startTime", Control: Moment, Label: "Starts", Help: "UTC. Empty: at once.", Section: TimingSection},
	{Path: "endTime", Control: Moment, Label: "Ends", Help: "UTC. Empty: never.", Section: TimingSection},
	{
		Path: "isRequired", Control: Checkbox, Label: "Required", Help: "Members complete it once before any other rule.",
		Section: TimingSection, Needed: true,
	},
}

var visibilityFields = []Field{
	{
		Path: "hideInUi", Control: Checkbox, Label: "Hide from members", Section: VisibilitySection, Needed: true,
		Help: "Browser keys do not see the rule. It can still be completed.",
	},
	{
		Path: "showBeforeStart", Control: Checkbox, Label: "Show before it starts", Section: VisibilitySection, Needed: true,
		Help: "Members see it, and cannot earn it yet.",
	},
	{
		Path: "isSpecial", Control: Checkbox, Label: "Honeypot", Section: VisibilitySection, Needed: true,
		Help: "Left out of lists: whoever completes it is no honest member.",
	},
	{Path: "backgroundAssetUrl", Control: Address, Label: "Background picture", Section: VisibilitySection},
	{
		Path: "customRewardsApiUrl", Control: Address, Label: "Address that says who is rewarded", Section: VisibilitySection,
		Help: "Of rules that follow a feed of yours.",
	},
	{
		Path: "metadata." + RewardsKey, Control: Secret, Label: "Key for this address", Section: VisibilitySection,
		Help: "Sent with each request to it. Never shown; empty keeps what is stored.",
	},
	{Path: "customRewardsCsvUrl", Control: Address, Label: "List that says who is rewarded", Section: VisibilitySection},
}
