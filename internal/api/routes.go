package api

import (
	"laurel.example/laurel/internal/api/auctions"
	"laurel.example/laurel/internal/api/badges"
	"laurel.example/laurel/internal/api/claims"
	"laurel.example/laurel/internal/api/commerce"
	"laurel.example/laurel/internal/api/connections"
	"laurel.example/laurel/internal/api/functions"
	"laurel.example/laurel/internal/api/minting"
	"laurel.example/laurel/internal/api/pages"
	"laurel.example/laurel/internal/api/people"
	"laurel.example/laurel/internal/api/points"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/api/rules"
	"laurel.example/laurel/internal/api/subscriptions"
	"laurel.example/laurel/internal/api/websites"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/widget"
)

// The table of routes (contract 4.1 to 4.7, 4.12), family by family: method, path, kinds of keys that may call it,
// summary and handler. The kinds are letters (contract 1.2). With
// ForMember a client key needs the token of the member that the body names. Every call counts against the limit of its
// key's kind in rest.Limits; completions through client keys have two more limits (rules/complete.go).

// ruleRoutes returns the routes of rules. The letters are the kinds of keys that may call a route: organization (O),
// website (W), read-only (R), client (C) and function (S).
func ruleRoutes(o rules.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/loyalty/rules", "OWRC", "List rules", o.ListRules),
		rest.Post("/api/loyalty/rules", "OW", "Create a rule", o.CreateRule),
		rest.Post("/api/loyalty/rules/{id}", "OW", "Update a rule", o.UpdateRule),
		rest.Delete("/api/loyalty/rules/{id}", "OW", "Delete a rule", o.DeleteRule),
		rest.Post("/api/loyalty/rules/{id}/complete", "OWC",
			"Complete a rule for a user", o.CompleteRule, rest.ForMember),
		rest.Post("/api/loyalty/rules/{id}/simulate", "OW", "Simulate the completion of a rule", o.SimulateRule),
		rest.Post("/api/loyalty/rules/{id}/replay", "OW",
			"Replay past completions by a changed rule", o.ReplayRule),
		rest.Get("/api/loyalty/rules/{id}/replays", "OW", "List the replays of a rule", o.ListReplays),
		rest.Get("/api/loyalty/rules/{id}/codes", "OW", "List the codes of a rule", o.ListCodes),
		rest.Get("/api/loyalty/rules/{id}/runs", "OWR", "List the runs of a rule", o.ListRuns),
		rest.Get("/api/loyalty/rules/{id}/imports", "OW", "List the imports of a rule's lists", o.ListImports),
		rest.Get("/api/loyalty/rules/status", "OWRC", "List accepted completions with their state", o.ListProcessing),
		rest.Get("/api/loyalty/rule_groups", "OWRC", "List rule groups with their rules", o.ListGroups),
		rest.Post("/api/loyalty/rule_groups/create", "OW", "Create a rule group", o.CreateGroup),
		rest.Post("/api/loyalty/rule_groups/{id}", "OW", "Update a rule group", o.UpdateGroup),
		rest.Delete("/api/loyalty/rule_groups/{id}", "OW", "Delete a rule group; its rules stay", o.DeleteGroup),
		rest.Get("/api/loyalty/rule_edits", "OWR", "List the edits of a rule", o.ListEdits),
		rest.Post("/api/loyalty/rule_edits/{id}/restore", "OW", "Undo an edit", o.RestoreEdit),
		rest.Get("/api/loyalty/rule_statuses", "OWRC", "List progress on rules", o.ListStatuses),
		rest.Post("/api/loyalty/rule_statuses", "OW", "Write progress on a rule", o.WriteStatus),
		rest.Get("/api/loyalty/rule_chains", "OWRC", "List rule chains", o.ListChains),
		rest.Post("/api/loyalty/rule_chains", "OW", "Lock a rule until conditions hold", o.CreateChain),
		rest.Delete("/api/loyalty/rule_chains/{id}", "OW", "Delete a rule chain", o.DeleteChain),
	}
}

// pointRoutes returns the routes of points. The letters are the kinds of keys that may call a route: organization (O),
// website (W), read-only (R), client (C) and function (S).
func pointRoutes(o points.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/loyalty/accounts/{id}/rank", "OWRC",
			"Rank of an account by points of one currency", o.AccountRank),
		rest.Get("/api/loyalty/transaction_entries", "OWRC", "List transaction entries", o.ListEntries),
		rest.Get("/api/loyalty/currencies", "OWRC", "List currencies", o.ListCurrencies),
		rest.Post("/api/loyalty/currencies", "OW", "Create a currency", o.CreateCurrency),
		rest.Post("/api/loyalty/currencies/{id}", "OW", "Update a currency", o.UpdateCurrency),
		rest.Delete("/api/loyalty/currencies/{id}", "OW", "Delete a currency", o.DeleteCurrency),
		rest.Get("/api/loyalty/currencies/{id}/external_posts", "OW",
			"List the posts of a currency to its external ledger", o.ListExternalPosts),
		rest.Post("/api/loyalty/reset", "OW", "Reset a currency", o.ResetCurrency),
		rest.Get("/api/loyalty/clearing_jobs", "OW",
			"List resets of currencies and debits of deleted rules", o.ListClearingJobs),
		rest.Get("/api/loyalty/accounts", "OWRC", "List accounts by balance", o.ListAccounts),
		rest.Get("/api/loyalty/accounts/{id}/lots", "OWR", "List the lots of an account", o.ListLots),
		rest.Get("/api/loyalty/accounts/{id}/expiring", "OWRC",
			"List the points of an account that will expire", o.ListExpiring),
		rest.Post("/api/loyalty/lots/{id}/release", "OW",
			"Credit held points before they are due", o.ReleaseLot),
		rest.Post("/api/loyalty/lots/{id}/cancel", "OW", "Cancel held points", o.CancelLot),
		rest.Post("/api/loyalty/transactions", "OW", "Post a transaction: all entries or none", o.PostTransaction),
		rest.Post("/api/loyalty/transactions/{id}/reverse", "OW", "Reverse a transaction, or a part of it", o.ReverseTransaction),
		rest.Post("/api/loyalty/transactions/reverse", "OW",
			"Reverse the transaction that an idempotency key belongs to", o.ReverseByKey),
		rest.Get("/api/loyalty/payouts", "OW", "List the payouts of token rewards", o.ListPayouts),
		rest.Post("/api/loyalty/payouts/{id}/retry", "OW", "Retry a failed payout", o.RetryPayout),
	}
}

// peopleRoutes returns the routes of members. The letters are the kinds of keys that may call a route: organization
// (O), website (W), read-only (R), client (C) and function (S).
func peopleRoutes(o people.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/loyalty/account_streaks", "OWRC", "List streaks of check-ins", o.ListStreaks),
		rest.Get("/api/loyalty/questions", "OWRC", "List the questions of quizzes and polls", o.ListQuestions),
		rest.Post("/api/loyalty/questions", "OW", "Create the question of a quiz or poll", o.CreateQuestion),
		rest.Post("/api/loyalty/questions/{id}", "OW", "Update a question", o.UpdateQuestion),
		rest.Get("/api/loyalty/questions_responses", "OWRC", "List answers to questions", o.ListResponses),
		rest.Post("/api/loyalty/questions_responses", "OWC", "Answer a question", o.Respond, rest.ForMember),
		rest.Get("/api/loyalty/multipliers", "OWRC", "List multipliers", o.ListMultipliers),
		rest.Post("/api/loyalty/multipliers", "OW", "Grant a multiplier to a user", o.GrantMultiplier),
		rest.Post("/api/loyalty/multipliers/{id}", "OW", "Update a multiplier", o.UpdateMultiplier),
		rest.Delete("/api/loyalty/multipliers/{id}", "OW", "End a multiplier", o.DeleteMultiplier),
		rest.Delete("/api/loyalty/multipliers", "OW",
			"End a multiplier by its externalIdentifier", o.DeleteNamedMultiplier),
		rest.Post("/api/referral/codes", "OWC",
			"Get or create a member's referral code", o.CreateReferralCode, rest.ForMember),
		rest.Post("/api/referral/users", "OWC", "Record that users came by a referral code", o.ReferUsers, rest.ForMember),
		rest.Get("/api/referral/users", "OWRC", "List referrals", o.ListReferrals),
		rest.Get("/api/users", "OWRC", "List users", o.ListUsers),
		rest.Get("/api/users/count", "OWRC", "Count users", o.CountUsers),
		rest.Get("/api/users/me", "C", "Get the member of the token", o.GetSelf),
		rest.Get("/api/users/imports", "OW", "List imports of members", o.ListMemberImports),
		rest.Post("/api/users/imports", "OW", "Import members from a file", o.ImportMembers),
		rest.Get("/api/users/imports/{id}", "OW", "Get an import of members", o.GetMemberImport),
		rest.Get("/api/users/metadatas", "OWR", "List the metadata of users", o.ListMetadata),
		rest.Get("/api/users/metadatas/{id}", "OWR", "Get the metadata of a user by its id", o.GetMetadata),
		rest.Get("/api/users/{id}", "OWRC", "Get a user", o.GetUser),
		rest.Post("/api/users/metadatas", "OW", "Create or change a user's metadata", o.WriteMetadata),
		rest.Post("/api/users/verify", "OWC", "Move an account to the user who has proved it", o.MoveAccount, rest.ForMember),
		rest.Post("/api/users/connect", "OWC", "Connect a wallet", o.ConnectWallet),
		rest.Post("/api/users/disconnect", "OW", "Take a user out of its group", o.DisconnectUser),
		rest.Get("/api/users/delegations", "OWR", "List delegations of cold wallets", o.ListDelegations),
		rest.Post("/api/users/delegations", "OWC", "Delegate a cold wallet to a user", o.Delegate, rest.ForMember),
		rest.Get("/api/users/delegations/{id}", "OWR", "Get a delegation", o.GetDelegation),
		rest.Delete("/api/users/delegations/{id}", "OW", "Delete a delegation", o.DeleteDelegation),
		rest.Get("/api/users/devices", "OW", "List devices of members", o.ListDevices),
		rest.Post("/api/users/devices", "OWC", "Store a device of a member", o.RecordDevice, rest.ForMember),
		rest.Get("/api/users/devices/{id}", "OW", "Get a device of a member", o.GetDevice),
		rest.Get("/api/website_user_attributes", "OWR", "List attributes of users", o.ListAttributes),
		rest.Post("/api/website_user_attributes", "OW", "Create or change attributes of users", o.WriteAttributes),
		rest.Delete("/api/website_user_attributes", "OW",
			"Delete the attribute of users that the body names", o.DeleteNamedAttribute),
		rest.Get("/api/website_user_attributes/values", "OWR", "List the values of users", o.ListAttributeValues),
		rest.Post("/api/website_user_attributes/values", "OW", "Set values of users", o.WriteAttributeValues),
		rest.Get("/api/website_user_attributes/values/{id}", "OWR", "Get a value of a user", o.GetAttributeValue),
		rest.Get("/api/website_user_attributes/{id}", "OWR", "Get an attribute of users", o.GetAttribute),
		rest.Post("/api/website_user_attributes/{id}", "OW", "Update an attribute of users", o.UpdateAttribute),
		rest.Delete("/api/website_user_attributes/{id}", "OW", "Delete an attribute of users", o.DeleteAttribute),
		rest.Post("/api/users/tokens", "OW", "Issue a member token", o.IssueToken),
		rest.Post("/api/users/tokens/revoke", "OW", "Revoke all earlier member tokens of a user", o.RevokeTokens),
	}
}

// connectionRoutes returns the routes by which members connect what they own elsewhere. The letters are the kinds of
// keys that may call a route: organization (O), website (W), read-only (R), client (C) and function (S).
func connectionRoutes(o connections.Operations) []rest.Operation {
	each := rest.EachOf("authType", connections.AuthTypes())
	return []rest.Operation{
		rest.Get("/api/{authType}/auth", "OWC", "Start the connection of an account", o.Start, each),
		rest.Get("/api/{authType}/auth/connect", "OWC", "Connect an account by its public profile", o.Connect, each),
		rest.Delete("/api/{authType}/auth", "OWC", "Disconnect an account", o.Disconnect, each, rest.ForMember),
		rest.Post("/api/phone_verifications", "OWC", "Send a code to a phone number", o.SendPhoneCode, rest.ForMember),
		rest.Post("/api/phone_verifications/connect", "OWC",
			"Connect a phone number by its code", o.ConnectPhone, rest.ForMember),
		rest.Post("/api/phone_verifications/disconnect", "OWC",
			"Disconnect the phone number of a user", o.DisconnectPhone, rest.ForMember),
		rest.Post("/api/phone/auth", "OWC",
			"Send a code to a phone number (deprecated)", o.SendBarePhoneCode, rest.ForMember),
		rest.Post("/api/phone/auth/connect", "OWC",
			"Connect a phone number by its code (deprecated)", o.ConnectBarePhone, rest.ForMember),
		rest.Post("/api/phone/auth/disconnect", "OWC",
			"Disconnect the phone number of a user (deprecated)", o.DisconnectBarePhone, rest.ForMember),
	}
}

// badgeRoutes returns the routes of badges. The letters are the kinds of keys that may call a route: organization (O),
// website (W), read-only (R), client (C) and function (S).
func badgeRoutes(o badges.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/loyalty/badges", "OWRC", "List badges", o.ListBadges),
		rest.Post("/api/loyalty/badges", "OW", "Create a badge", o.CreateBadge),
		rest.Post("/api/loyalty/badges/{id}", "OW", "Update a badge", o.UpdateBadge),
		rest.Delete("/api/loyalty/badges/{id}", "OW", "Delete a badge", o.DeleteBadge),
		rest.Post("/api/loyalty/badges/{id}/reward", "OW", "Grant a badge to a user", o.RewardBadge),
		rest.Post("/api/loyalty/badges/{id}/revoke", "OW", "Revoke a badge of a user", o.RevokeBadge),
		rest.Get("/api/loyalty/badge_users", "OWRC", "List the users of a badge", o.ListBadgeUsers),
		rest.Post("/api/loyalty/badge_users/{id}", "OWC", "Hide or dismiss a badge of a user", o.UpdateBadgeUser),
	}
}

// functionRoutes returns the routes of functions. The letters are the kinds of keys that may call a route: organization
// (O), website (W), read-only (R), client (C) and function (S).
func functionRoutes(o functions.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/stratus/functions", "OW", "List functions", o.ListFunctions),
		rest.Post("/api/stratus/functions", "OW", "Create a function", o.CreateFunction),
		rest.Get("/api/stratus/functions/{id}", "OW", "Get a function", o.GetFunction),
		rest.Post("/api/stratus/functions/{id}", "OW", "Update a function", o.UpdateFunction),
		rest.Delete("/api/stratus/functions/{id}", "OW", "Delete a function", o.DeleteFunction),
		rest.Get("/api/stratus/functions/{id}/runs", "OW", "List the runs of a function", o.ListRuns),
		rest.Post("/api/stratus/functions/{id}/invoke", "OWS", "Run a function and wait for its end", o.InvokeFunction),
	}
}

// websiteRoutes returns the routes of websites, API keys, roles and files. The letters are the kinds of keys that may
// call a route: organization (O), website (W), read-only (R), client (C) and function (S).
func websiteRoutes(o websites.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/websites", "OWR", "List websites", o.ListWebsites),
		rest.Get("/api/websites/{id}", "OWR", "Get a website", o.GetWebsite),
		rest.Post("/api/websites", "O", "Create a website", o.CreateWebsite),
		rest.Post("/api/websites/{id}", "OW", "Update a website", o.UpdateWebsite),
		rest.Post("/api/api_keys", "OW", "Create an API key", o.CreateKey),
		rest.Get("/api/api_keys", "OW", "List API keys", o.ListKeys),
		rest.Delete("/api/api_keys/{id}", "OW", "Revoke an API key", o.RevokeKey),
		rest.Post("/api/website_user_roles", "OW", "Grant and revoke roles", o.ChangeRoles),
		rest.Get("/api/website_user_roles", "OWR", "List the roles of users", o.ListRoles),
		rest.Post("/api/assets", "OWC", "Announce a file that will be uploaded", o.CreateAsset, rest.ForMember),
		rest.Get("/api/assets", "OW", "List files", o.ListAssets),
		rest.Get("/api/assets/{id}", "OW", "Get a file", o.GetAsset),
		rest.Delete("/api/assets/{id}", "OWC", "Delete a file", o.DeleteAsset),
	}
}

// pageRoutes returns the routes of collections, page sections and the loyalty page. The letters are the kinds of keys
// that may call a route: organization (O), website (W), read-only (R), client (C) and function (S).
func pageRoutes(o pages.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/website_collections", "OWRC", "List the collections of a website", o.ListCollections),
		rest.Post("/api/website_collections", "OW", "Add a collection to a website", o.CreateCollection),
		rest.Get("/api/website_collections/{id}", "OWRC", "Get a collection", o.GetCollection),
		rest.Post("/api/website_collections/{id}", "OW", "Update a collection", o.UpdateCollection),
		rest.Delete("/api/website_collections/{id}", "OW", "Delete a collection", o.DeleteCollection),
		rest.Get("/api/page_sections", "OWRC", "List the page sections of a place", o.ListSections),
		rest.Post("/api/page_sections", "OW", "Create a page section", o.CreateSection),
		rest.Get("/api/page_sections/{id}", "OWRC", "Get a page section", o.GetSection),
		rest.Post("/api/page_sections/{id}", "OW", "Update a page section", o.UpdateSection),
		rest.Delete("/api/page_sections/{id}", "OW", "Delete a page section", o.DeleteSection),
		rest.Get("/api/loyalty/website_page_sections", "OWRC", "List the blocks of the loyalty page", o.ListBlocks),
		rest.Get("/api/loyalty/website_page_sections/{id}", "OWRC", "Get a block of the loyalty page", o.GetBlock),
		rest.Post("/api/loyalty/website_page_sections", "OW",
			"Set the whole layout of the loyalty page", o.ArrangeBlocks),
	}
}

// commerceRoutes returns the routes of contracts and holds. The letters are the kinds of keys that may call a route:
// organization (O), website (W), read-only (R), client (C) and function (S).
func commerceRoutes(o commerce.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/contracts", "OWR", "List contracts", o.ListContracts),
		rest.Post("/api/contracts", "OW", "Register a contract", o.CreateContract),
		rest.Get("/api/contracts/{id}", "OWR", "Get a contract", o.GetContract),
		rest.Post("/api/contracts/{id}", "OW", "Update a contract", o.UpdateContract),
		rest.Delete("/api/contracts/{id}", "OW", "Delete a contract", o.DeleteContract),
		rest.Get("/api/loyalty/holds", "OWRC", "List holds", o.ListHolds),
		rest.Post("/api/loyalty/holds", "OW", "Reserve points of a user for an order", o.CreateHold),
		rest.Get("/api/loyalty/holds/{id}", "OWRC", "Get a hold", o.GetHold),
		rest.Post("/api/loyalty/holds/{id}/capture", "OW", "Capture a hold, or a part of it", o.CaptureHold),
		rest.Post("/api/loyalty/holds/{id}/release", "OW", "Release a hold", o.ReleaseHold),
	}
}

// mintingRoutes returns the routes of minting contracts, assets and mints. The letters are the kinds of keys that may
// call a route: organization (O), website (W), read-only (R), client (C) and function (S).
func mintingRoutes(o minting.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/minting/contracts", "OWRC", "List minting contracts", o.ListContracts),
		rest.Post("/api/minting/contracts", "OW", "Create a minting contract", o.CreateContract),
		rest.Get("/api/minting/contracts/{id}", "OWRC", "Get a minting contract", o.GetContract),
		rest.Post("/api/minting/contracts/{id}", "OW", "Update a minting contract", o.UpdateContract),
		rest.Delete("/api/minting/contracts/{id}", "OW", "Delete a minting contract", o.DeleteContract),
		rest.Post("/api/minting/contracts/mint", "OWC", "Mint items of an asset for a user", o.Mint, rest.ForMember),
		rest.Get("/api/minting/assets", "OWRC", "List minting assets", o.ListAssets),
		rest.Post("/api/minting/assets", "OW", "Create a minting asset", o.CreateAsset),
		rest.Get("/api/minting/assets/allowlist", "OWR", "List the allowlist of an asset", o.ListAllowed),
		rest.Post("/api/minting/assets/allowlist", "OW", "Write entries of an asset's allowlist", o.Allow),
		rest.Get("/api/minting/assets/{id}", "OWRC", "Get a minting asset", o.GetAsset),
		rest.Post("/api/minting/assets/{id}", "OW", "Update a minting asset", o.UpdateAsset),
		rest.Delete("/api/minting/assets/{id}", "OW", "Delete a minting asset", o.DeleteAsset),
		rest.Get("/api/minting/token_gate", "OWRC", "Check whether a token opens the gate of an asset", o.TokenGate),
		rest.Get("/api/minting/status", "OWRC", "List mints", o.ListMints),
		rest.Get("/api/minting/status/{id}", "OWRC", "Get a mint", o.GetMint),
		rest.Post("/api/minting/status/{id}", "OWC", "Report the result of a mint", o.ReportMint),
	}
}

// auctionRoutes returns the routes of auctions and bids. The letters are the kinds of keys that may call a route:
// organization (O), website (W), read-only (R), client (C) and function (S).
func auctionRoutes(o auctions.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/auctions", "OWRC", "List auctions", o.List),
		rest.Post("/api/auctions", "OW", "Create an auction", o.Create),
		rest.Get("/api/auctions/items", "OWRC", "List the items of auctions", o.ListItems),
		rest.Get("/api/auctions/items/{id}", "OWRC", "Get an item of an auction", o.GetItem),
		rest.Get("/api/auctions/{id}", "OWRC", "Get an auction", o.Get),
		rest.Post("/api/auctions/{id}", "OW", "Update an auction", o.Update),
		rest.Post("/api/auctions/{id}/cancel", "OW", "Cancel an auction", o.Cancel),
		rest.Post("/api/auctions/{id}/items", "OW", "Add items to an auction", o.AddItems),
		rest.Get("/api/auction_bids", "OWRC", "List bids", o.ListBids),
		rest.Post("/api/auction_bids", "OWC", "Bid for a user", o.Bid, rest.ForMember),
		rest.Get("/api/auction_bids/{id}", "OWRC", "Get a bid", o.GetBid),
	}
}

// claimRoutes returns the routes of token claims. The letters are the kinds of keys that may call a route: organization
// (O), website (W), read-only (R), client (C) and function (S).
func claimRoutes(o claims.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/token_claims", "OWRC", "List token claims", o.List),
		rest.Post("/api/token_claims", "OW", "Create a token claim", o.Create),
		rest.Get("/api/token_claims/{id}", "OWRC", "Get a token claim with what a wallet may claim", o.Get),
		rest.Post("/api/token_claims/{id}", "OW", "Update a token claim", o.Update),
		rest.Delete("/api/token_claims/{id}", "OW", "Delete a token claim", o.Delete),
		rest.Get("/api/token_claims/{id}/eligibility", "OWRC", "Check whether a wallet may claim now", o.Eligibility),
		rest.Get("/api/token_claims/{id}/proof", "OWRC", "Get the Merkle proof of a wallet", o.Proof),
		rest.Get("/api/token_claims/{id}/users", "OWR", "List the wallets of a token claim", o.ListUsers),
		rest.Post("/api/token_claims/{id}/claim", "OWC", "Report that a wallet has claimed", o.Claim, rest.ForMember),
	}
}

// subscriptionRoutes returns the routes of subscriptions and their events. The letters are the kinds of keys that may
// call a route: organization (O), website (W), read-only (R), client (C) and function (S).
func subscriptionRoutes(o subscriptions.Operations) []rest.Operation {
	return []rest.Operation{
		rest.Get("/api/stratus/subscriptions", "OW", "List subscriptions", o.ListSubscriptions),
		rest.Post("/api/stratus/subscriptions", "OW", "Subscribe to changes", o.CreateSubscription),
		rest.Get("/api/stratus/subscriptions/{id}", "OW", "Get a subscription", o.GetSubscription),
		rest.Post("/api/stratus/subscriptions/{id}", "OW", "Update a subscription", o.UpdateSubscription),
		rest.Delete("/api/stratus/subscriptions/{id}", "OW", "Delete a subscription", o.DeleteSubscription),
		rest.Get("/api/stratus/subscriptions/{id}/events", "OW",
			"List the events of a subscription", o.ListEvents),
		rest.Get("/api/stratus/subscriptions/{id}/events/{eventId}", "OW",
			"Get an event with all attempts", o.GetEvent),
		rest.Post("/api/stratus/subscriptions/{id}/events/{eventId}/redeliver", "OW",
			"Redeliver an event", o.Redeliver),
		rest.Post("/api/stratus/subscriptions/{id}/redeliver", "OW",
			"Redeliver the events of a period", o.RedeliverRange),
		rest.Post("/api/stratus/subscriptions/{id}/test", "OW", "Send a test event", o.TestSubscription),
		rest.Post("/api/stratus/subscriptions/{id}/rotate_key", "OW", "Replace the signing key", o.RotateKey),
		rest.Post("/api/stratus/subscriptions/{id}/enable", "OW",
			"Enable a subscription that was disabled", o.EnableSubscription),
	}
}

// keylessRoutes are the routes that need no key, besides those of every server (contract 1.1).
func keylessRoutes(w websites.Operations, c connections.Operations) []rest.Keyless {
	routes := []rest.Keyless{
		{Method: "PUT", Path: "/uploads/{token}", Name: "/uploads/{token}", Limited: true, Run: w.Upload},
		{Method: "GET", Path: "/files/*", Name: "/files/{file}", Run: w.File},
		{Method: "GET", Path: "/widget.js", Name: "/widget.js", Limited: true, Run: widgetScript},
	}
	for _, platform := range platforms.IDs() {
		routes = append(routes, rest.Keyless{
			Method: "GET", Path: connect.CallbackPath(platform), Name: connect.CallbackPath("{authType}"), Limited: true,
			Run: c.Callback(platform),
		})
	}
	email := rest.Keyless{
		Method: "GET", Path: connect.CallbackPath(identity.Email), Name: connect.CallbackPath("{authType}"), Limited: true,
		Run: c.EmailPage,
	}
	confirmation := email
	confirmation.Method, confirmation.Run = "POST", c.ConfirmEmail
	return append(routes, email, confirmation)
}

// widgetScript serves the script of the custom element that pages embed.
func widgetScript(x *rest.Exchange) error {
	x.WriteScript(widget.Script)
	return nil
}
