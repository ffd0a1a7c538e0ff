package schema

// init adds to JSONOnly the properties of metadata that clients of the website show, and others that need no form of
// their own. Forms keep them in their JSON field.
func init() {
	for _, name := range []string{
		"conditionDescription", "socialPlatform", "socialPlatformName", "socialPlatformLogo", "imageUrl", "cta",
		"preGeneratedPostText", "buttonText", "verifyPlaceHolderText", "isMultiplierApplied",
		"isTokenHoldMultiplier",
	} {
		JSONOnly["metadata."+name] = "clients of the website show it"
	}
	for _, name := range []string{"hasFillSource", "hasSaleCurrency", "hasPaidFullRoyalty"} {
		JSONOnly["metadata."+name] = "the type and the fields of sales say it"
	}
	for _, name := range []string{"directRpc", "onlyKnownUsers", "onlyRewardExistingUser"} {
		JSONOnly["metadata."+name] = "says what always holds: nodes are asked, and members alone are paid"
	}
	for _, name := range []string{"chatServersToJoin", "enableJoinChatServers", "microblogUsername"} {
		JSONOnly["metadata."+name] = "lists of servers, channels, roles and emojis, and what websites show of accounts"
	}
	JSONOnly["metadata.smartContract"] = "forms have its properties"
	JSONOnly["metadata.liquidity"] = "forms have its properties"
	JSONOnly["metadata.swap"] = "forms have its properties"
}
