package api

import (
	"net/http"
	"slices"

	"laurel/internal/rules/decision"
)

// routes is the API on a few screens (contract section 4): method, path, who may call it (contract 1.2), what it does,
// the handler.
func (a *API) routes() []route {
	return slices.Concat(a.ruleRoutes(), a.pointRoutes(), a.peopleRoutes())
}

func (a *API) ruleRoutes() []route {
	return []route{
		get("/api/loyalty/rules", "OWRC", "List rules", a.listRules),
		post("/api/loyalty/rules", "OW", "Create a rule", a.createRule, secret(ruleSecret)),
		post("/api/loyalty/rules/{id}", "OW", "Update a rule", a.updateRule, secret(ruleSecret)),
		del("/api/loyalty/rules/{id}", "OW", "Delete a rule", a.deleteRule),
		post(
			"/api/loyalty/rules/{id}/complete",
			"OWC",
			"Complete a rule for a user",
			a.completeRule,
			forMember,
			ofRule,
			invalidAs(decision.MsgInvalidRequest),
		),
		post(
			"/api/loyalty/rules/{id}/simulate",
			"OW",
			"Try what completing a rule would come to",
			a.simulateRule,
			ofRule,
			invalidAs(decision.MsgInvalidRequest),
		),
		get("/api/loyalty/rules/{id}/codes", "OW", "List the codes of a rule", a.listCodes),
		get("/api/loyalty/rules/{id}/runs", "OWR", "List the runs of a rule", a.listRuns, ofRule),
		get("/api/loyalty/rules/{id}/imports", "OW", "List the readings of a rule's lists", a.listImports),
		get("/api/loyalty/rules/status", "OWRC", "List what became of completions", a.listProcessing),
		get("/api/loyalty/rule_groups", "OWRC", "List rule groups with their rules", a.listGroups),
		post("/api/loyalty/rule_groups/create", "OW", "Create a rule group", a.createGroup, secret(groupSecret)),
		post("/api/loyalty/rule_groups/{id}", "OW", "Update a rule group", a.updateGroup, secret(groupSecret)),
		del("/api/loyalty/rule_groups/{id}", "OW", "Delete a rule group; its rules stay", a.deleteGroup),
		get("/api/loyalty/rule_edits", "OWR", "List the edits of a rule", a.listEdits),
		post("/api/loyalty/rule_edits/{id}/restore", "OW", "Undo an edit", a.restoreEdit,
			secret("data."+ruleSecret, "previousData."+ruleSecret)),
		get("/api/loyalty/rule_statuses", "OWRC", "List progress on rules", a.listStatuses),
		post("/api/loyalty/rule_statuses", "OW", "Write progress on a rule", a.writeStatus),
		get("/api/loyalty/account_streaks", "OWRC", "List streaks of check-ins", a.listStreaks),
		get("/api/loyalty/questions", "OWRC", "List the questions of quizzes and polls", a.listQuestions),
		post("/api/loyalty/questions", "OW", "Give a quiz or poll its question", a.createQuestion),
		post("/api/loyalty/questions/{id}", "OW", "Change a question", a.updateQuestion),
		get("/api/loyalty/questions_responses", "OWRC", "List answers to questions", a.listResponses),
		post("/api/loyalty/questions_responses", "OWC", "Answer a question", a.respond, forMember),

		get("/api/loyalty/rule_chains", "OWRC", "List rule chains", a.listChains),
		post("/api/loyalty/rule_chains", "OW", "Lock a rule until conditions hold", a.createChain),
		del("/api/loyalty/rule_chains/{id}", "OW", "Delete a rule chain", a.deleteChain),
	}
}

func (a *API) pointRoutes() []route {
	return []route{
		get("/api/loyalty/accounts/{id}/rank", "OWRC", "Rank of an account by points of one currency", a.accountRank),
		get("/api/loyalty/transaction_entries", "OWRC", "List transaction entries", a.listEntries),
		get("/api/loyalty/currencies", "OWRC", "List currencies", a.listCurrencies),
		post("/api/loyalty/currencies", "OW", "Create a currency", a.createCurrency, secret("apiAuthValue")),
		post("/api/loyalty/currencies/{id}", "OW", "Update a currency", a.updateCurrency, secret("apiAuthValue")),
		del("/api/loyalty/currencies/{id}", "OW", "Delete a currency", a.deleteCurrency),
		get(
			"/api/loyalty/currencies/{id}/external_posts",
			"OW",
			"List what the system that keeps a currency's balances was asked to write",
			a.listExternalPosts,
		),
		post("/api/loyalty/reset", "OW", "Reset a currency", a.resetCurrency),
		get("/api/loyalty/clearing_jobs", "OW", "List resets of currencies and debits of deleted rules", a.listClearingJobs),
		get("/api/loyalty/accounts", "OWRC", "List accounts by balance", a.listAccounts),
		get("/api/loyalty/accounts/{id}/lots", "OWR", "List the lots of an account", a.listLots),
		post("/api/loyalty/lots/{id}/release", "OW", "Give points before their time of waiting ends", a.releaseLot),
		post("/api/loyalty/lots/{id}/cancel", "OW", "Cancel points that wait", a.cancelLot),
		post("/api/loyalty/transactions", "OW", "Write a transaction: all entries or none", a.postTransaction),
		get("/api/loyalty/payouts", "OW", "List what is owed for token rewards", a.listPayouts),
		post("/api/loyalty/payouts/{id}/retry", "OW", "Hand a payout that failed over again", a.retryPayout),
		get("/api/loyalty/multipliers", "OWRC", "List multipliers", a.listMultipliers),
		post("/api/loyalty/multipliers", "OW", "Give a user a multiplier", a.giveMultiplier),
		post("/api/loyalty/multipliers/{id}", "OW", "Update a multiplier", a.updateMultiplier),
		del("/api/loyalty/multipliers/{id}", "OW", "End a multiplier", a.deleteMultiplier),
		del("/api/loyalty/multipliers", "OW", "End the multiplier that an externalIdentifier names", a.deleteNamedMultiplier),
	}
}

func (a *API) peopleRoutes() []route {
	return []route{
		post("/api/referral/codes", "OWC", "Make or find a member's referral code", a.createReferralCode, forMember),
		post("/api/referral/users", "OWC", "Tell who came by a referral code", a.referUsers, forMember),
		get("/api/referral/users", "OWRC", "List referrals", a.listReferrals),

		get("/api/users", "OWRC", "List users", a.listUsers),
		post("/api/users/metadatas", "OW", "Create or change a user's metadata", a.writeMetadata),
		post("/api/users/tokens", "OW", "Issue a member token", a.issueToken, secret("token")),
		post("/api/users/tokens/revoke", "OW", "Refuse all earlier member tokens of a user", a.revokeTokens),

		get("/api/websites", "OWR", "List websites", a.listWebsites),
		post("/api/websites", "O", "Create a website", a.createWebsite),

		post("/api/assets", "OWC", "Announce a file that will be uploaded", a.createAsset, secret("signedUrl"), forMember),
		get("/api/assets", "OW", "List files", a.listAssets),
		del("/api/assets/{id}", "OWC", "Delete a file", a.deleteAsset),
	}
}

// keyless are the routes that need no key, besides those that every server has (contract 1.1).
func (a *API) keyless() []Keyless {
	return []Keyless{
		{Method: http.MethodPut, Path: "/uploads/{token}", Name: "/uploads/{token}", Limited: true, Run: a.upload},
		{Method: http.MethodGet, Path: "/files/*", Name: "/files/{file}", Run: a.file},
	}
}
