package schema

// init adds to JSONOnly the properties of metadata that clients of the website show, and those of rule types that
// cannot be completed yet. Forms keep them in their JSON field.
func init() {
	for _, name := range []string{
		"conditionDescription", "socialPlatform", "socialPlatformName", "socialPlatformLogo", "imageUrl", "cta",
		"preGeneratedPostText", "buttonText", "verifyPlaceHolderText", "isMultiplierApplied",
	} {
		JSONOnly["metadata."+name] = "clients of the website show it"
	}
	for _, name := range []string{
		"batchSize", "rewardByBatch", "checkComment", "checkLike", "checkRepost", "checkText", "collection", "directRpc",
		"onlyKnownUsers", "onlyRewardExistingUser", "chatServersToJoin", "enableJoinChatServers", "erc20Type",
		"hasFillSource",
		"hasSaleCurrency", "onlyNative", "hasNeverSold", "hasPaidFullRoyalty", "royaltyAddress", "royaltyPercentage",
		"codeHostRepoUrl", "codeHostBranchName", "isTokenHoldMultiplier", "liquidity", "maxLikes", "maxReposts",
		"maxComments",
		"microblogAccountUrl", "microblogHashtag", "microblogUserId", "microblogUsername", "messengerChannelId",
		"videoPlatformChannelId", "videoPlatformVideoId", "forumPlatformPostId", "gameStoreAppId",
		"onlyRewardSingleTokenOwnership", "requirePostLink", "requirePostMediaLink",
		"rewardCriteria",
		"rewardPerImpression", "rewardQualityPosts", "rewardPerAction", "smartContract",
	} {
		JSONOnly["metadata."+name] = "of types that nothing completes"
	}
	JSONOnly["metadata.swap"] = "of partners that read JSON"
	JSONOnly["metadata.governanceProposals"] = "of partners that read JSON"
}
