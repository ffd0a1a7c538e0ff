// Code generated from openapi.json by scripts/clients. DO NOT EDIT.

package laurel

import (
	"encoding/json"
	"time"
)

// Codes of errors, for Error.Code and HasCode. Later versions may have more.
const (
	CodeAccountBlocked             = "account_blocked"
	CodeAccountLinkExpired         = "account_link_expired"
	CodeAccountLinkInvalid         = "account_link_invalid"
	CodeAccountNotConnected        = "account_not_connected"
	CodeAccountNotFound            = "account_not_found"
	CodeAccountOfAnother           = "account_of_another"
	CodeAccountUsedByAnother       = "account_used_by_another"
	CodeAdminNotFound              = "admin_not_found"
	CodeAllowlistExceeded          = "allowlist_exceeded"
	CodeAlreadyClaimed             = "already_claimed"
	CodeAlreadyReferred            = "already_referred"
	CodeAlreadyReversed            = "already_reversed"
	CodeAlreadyRewarded            = "already_rewarded"
	CodeAmountNotAllowed           = "amount_not_allowed"
	CodeAPIKeyInvalid              = "api_key_invalid"
	CodeAPIKeyNotFound             = "api_key_not_found"
	CodeAPIKeyReadOnly             = "api_key_read_only"
	CodeAPIKeyRequired             = "api_key_required"
	CodeAssetNotFound              = "asset_not_found"
	CodeAssetNotListed             = "asset_not_listed"
	CodeAttributeExists            = "attribute_exists"
	CodeAuctionCancelled           = "auction_cancelled"
	CodeAuctionEnded               = "auction_ended"
	CodeAuctionHasBids             = "auction_has_bids"
	CodeAuctionItemNotFound        = "auction_item_not_found"
	CodeAuctionNotEnded            = "auction_not_ended"
	CodeAuctionNotFound            = "auction_not_found"
	CodeAuctionNotStarted          = "auction_not_started"
	CodeBadgeNotFound              = "badge_not_found"
	CodeBadgeRequired              = "badge_required"
	CodeBadgeRewardCycle           = "badge_reward_cycle"
	CodeBadgeRewardDepth           = "badge_reward_depth"
	CodeBadgeUserNotFound          = "badge_user_not_found"
	CodeBalanceKeptOutside         = "balance_kept_outside"
	CodeBidNotFound                = "bid_not_found"
	CodeBidTooLow                  = "bid_too_low"
	CodeBodyTooLarge               = "body_too_large"
	CodeCheckInAmountZero          = "check_in_amount_zero"
	CodeChoiceAnswered             = "choice_answered"
	CodeChoiceMissing              = "choice_missing"
	CodeChoiceWrong                = "choice_wrong"
	CodeClaimEnded                 = "claim_ended"
	CodeClaimFrozen                = "claim_frozen"
	CodeClaimNotStarted            = "claim_not_started"
	CodeClickInProgress            = "click_in_progress"
	CodeCodeWrong                  = "code_wrong"
	CodeCollectionExists           = "collection_exists"
	CodeCollectionNotFound         = "collection_not_found"
	CodeCommentLinkRequired        = "comment_link_required"
	CodeCommentNotFound            = "comment_not_found"
	CodeCompletionInProgress       = "completion_in_progress"
	CodeConnectsByRedirect         = "connects_by_redirect"
	CodeConsumerNotFound           = "consumer_not_found"
	CodeContentURLRequired         = "content_url_required"
	CodeContractExists             = "contract_exists"
	CodeContractInUse              = "contract_in_use"
	CodeContractNotFound           = "contract_not_found"
	CodeCurrenciesCannotMix        = "currencies_cannot_mix"
	CodeCurrencyNotFound           = "currency_not_found"
	CodeDataJobNotFound            = "data_job_not_found"
	CodeDelegationNotFound         = "delegation_not_found"
	CodeEditNotRestorable          = "edit_not_restorable"
	CodeEmailNotConnected          = "email_not_connected"
	CodeEmailNotVerified           = "email_not_verified"
	CodeEmailRequired              = "email_required"
	CodeEntryNotSealed             = "entry_not_sealed"
	CodeEventNotFound              = "event_not_found"
	CodeFileNotFound               = "file_not_found"
	CodeFollowNotFound             = "follow_not_found"
	CodeForbidden                  = "forbidden"
	CodeForeignAccountLink         = "foreign_account_link"
	CodeForeignMemberToken         = "foreign_member_token"
	CodeForeignOrganization        = "foreign_organization"
	CodeForeignWebsite             = "foreign_website"
	CodeFunctionDisabled           = "function_disabled"
	CodeFunctionNotFound           = "function_not_found"
	CodeFunctionVersionNotFound    = "function_version_not_found"
	CodeHoldFinal                  = "hold_final"
	CodeHoldNotFound               = "hold_not_found"
	CodeIdempotencyKeyNotAllowed   = "idempotency_key_not_allowed"
	CodeIdempotencyKeyReused       = "idempotency_key_reused"
	CodeIdempotencyKeyUsed         = "idempotency_key_used"
	CodeInformationRequired        = "information_required"
	CodeInsufficientBalance        = "insufficient_balance"
	CodeInternalError              = "internal_error"
	CodeInvalidRequest             = "invalid_request"
	CodeInvitationNotFound         = "invitation_not_found"
	CodeJobNotFound                = "job_not_found"
	CodeLimitReached               = "limit_reached"
	CodeListNotFound               = "list_not_found"
	CodeLotNotFound                = "lot_not_found"
	CodeLotNotPending              = "lot_not_pending"
	CodeMalformedJSON              = "malformed_json"
	CodeMemberTokenRequired        = "member_token_required"
	CodeMethodNotAllowed           = "method_not_allowed"
	CodeMintFinal                  = "mint_final"
	CodeMintLimitReached           = "mint_limit_reached"
	CodeMintNotFound               = "mint_not_found"
	CodeMintingContractNotFound    = "minting_contract_not_found"
	CodeMintingEnded               = "minting_ended"
	CodeMintingNotConfigured       = "minting_not_configured"
	CodeMintingNotStarted          = "minting_not_started"
	CodeMultiplierExists           = "multiplier_exists"
	CodeMultiplierNotFound         = "multiplier_not_found"
	CodeNewUsersOnly               = "new_users_only"
	CodeNoAllocation               = "no_allocation"
	CodeNoWallet                   = "no_wallet"
	CodeNotFound                   = "not_found"
	CodeNotOnAllowlist             = "not_on_allowlist"
	CodeNotOnList                  = "not_on_list"
	CodeNotReversible              = "not_reversible"
	CodeOperationNotAllowed        = "operation_not_allowed"
	CodeOrderChanged               = "order_changed"
	CodeOrganizationNotFound       = "organization_not_found"
	CodePageSectionNotFound        = "page_section_not_found"
	CodePayoutNotFailed            = "payout_not_failed"
	CodePayoutNotFound             = "payout_not_found"
	CodePhoneNotVerified           = "phone_not_verified"
	CodePostClaimed                = "post_claimed"
	CodePostNotFound               = "post_not_found"
	CodePostOfAnother              = "post_of_another"
	CodePostOver                   = "post_over"
	CodePostTooOld                 = "post_too_old"
	CodePostWithoutMedia           = "post_without_media"
	CodePreconditionNotSupported   = "precondition_not_supported"
	CodeProviderNotConfigured      = "provider_not_configured"
	CodeProviderUnavailable        = "provider_unavailable"
	CodeQuestNotAchieved           = "quest_not_achieved"
	CodeQuestNotCompleted          = "quest_not_completed"
	CodeQuestionAnswered           = "question_answered"
	CodeQuestionChoiceNotFound     = "question_choice_not_found"
	CodeQuestionExists             = "question_exists"
	CodeQuestionNotFound           = "question_not_found"
	CodeQuotaExceeded              = "quota_exceeded"
	CodeRateLimited                = "rate_limited"
	CodeRecordChanged              = "record_changed"
	CodeRedirectNotAllowed         = "redirect_not_allowed"
	CodeReferralCodeNotFound       = "referral_code_not_found"
	CodeReferralCodeTaken          = "referral_code_taken"
	CodeReferralLoop               = "referral_loop"
	CodeRefused                    = "refused"
	CodeReplayNotFound             = "replay_not_found"
	CodeRepostNotFound             = "repost_not_found"
	CodeRequiredRulesOpen          = "required_rules_open"
	CodeRewardFailed               = "reward_failed"
	CodeRoleNotFound               = "role_not_found"
	CodeRouteNotFound              = "route_not_found"
	CodeRuleBeingCleared           = "rule_being_cleared"
	CodeRuleChainCycle             = "rule_chain_cycle"
	CodeRuleChainNotFound          = "rule_chain_not_found"
	CodeRuleEditNotFound           = "rule_edit_not_found"
	CodeRuleExpired                = "rule_expired"
	CodeRuleGroupNotFound          = "rule_group_not_found"
	CodeRuleNotFound               = "rule_not_found"
	CodeRuleNotSetUp               = "rule_not_set_up"
	CodeRuleNotStarted             = "rule_not_started"
	CodeRuleTypeNotAllowed         = "rule_type_not_allowed"
	CodeSecretKeyRequired          = "secret_key_required"
	CodeSelfDelegation             = "self_delegation"
	CodeSelfReferral               = "self_referral"
	CodeServiceUnavailable         = "service_unavailable"
	CodeSignatureExpired           = "signature_expired"
	CodeSignatureInvalid           = "signature_invalid"
	CodeSignatureRequired          = "signature_required"
	CodeSoldOut                    = "sold_out"
	CodeSubscriptionDisabled       = "subscription_disabled"
	CodeSubscriptionNotFound       = "subscription_not_found"
	CodeTermsInFuture              = "terms_in_future"
	CodeTextNotFound               = "text_not_found"
	CodeTokenClaimNotFound         = "token_claim_not_found"
	CodeTokenCurrencyFixed         = "token_currency_fixed"
	CodeTokenHoldNetwork           = "token_hold_network"
	CodeTokenHoldPoints            = "token_hold_points"
	CodeTokenHoldSales             = "token_hold_sales"
	CodeTokenRequired              = "token_required"
	CodeTooManyEvents              = "too_many_events"
	CodeTooManyMembers             = "too_many_members"
	CodeTooManyReplays             = "too_many_replays"
	CodeTooManyToOrder             = "too_many_to_order"
	CodeTransactionNotFound        = "transaction_not_found"
	CodeUnsupportedEncoding        = "unsupported_encoding"
	CodeUnsupportedMediaType       = "unsupported_media_type"
	CodeUploadExpired              = "upload_expired"
	CodeUploadNotFound             = "upload_not_found"
	CodeUploadUsed                 = "upload_used"
	CodeUserAttributeNotFound      = "user_attribute_not_found"
	CodeUserAttributeValueNotFound = "user_attribute_value_not_found"
	CodeUserGroupNotFound          = "user_group_not_found"
	CodeUserInOtherGroup           = "user_in_other_group"
	CodeUserMetadataNotFound       = "user_metadata_not_found"
	CodeUserNotConnected           = "user_not_connected"
	CodeUserNotFound               = "user_not_found"
	CodeUserNotVerified            = "user_not_verified"
	CodeVerificationFailed         = "verification_failed"
	CodeWalletTypeNotSupported     = "wallet_type_not_supported"
	CodeWebsiteNotFound            = "website_not_found"
	CodeWebsitePageSectionNotFound = "website_page_section_not_found"
	CodeWrongFileSize              = "wrong_file_size"
)

// Types of rules.
const (
	RuleTypeAttendanceTokenClaim     = "attendance_token_claim"
	RuleTypeBonus                    = "bonus"
	RuleTypeBoughtOn                 = "bought_on"
	RuleTypeBoughtWithRoyalties      = "bought_with_royalties"
	RuleTypeChatServerJoin           = "chat_server_join"
	RuleTypeChatServerMember         = "chat_server_member"
	RuleTypeChatServerMessages       = "chat_server_messages"
	RuleTypeChatServerRoleGrant      = "chat_server_role_grant"
	RuleTypeCheckIn                  = "check_in"
	RuleTypeCodeEntry                = "code_entry"
	RuleTypeCodeHostMergeRequest     = "code_host_merge_request"
	RuleTypeCodeHostRepoCollaborator = "code_host_repo_collaborator"
	RuleTypeCodeHostRepoFork         = "code_host_repo_fork"
	RuleTypeCodeHostRepoStar         = "code_host_repo_star"
	RuleTypeConnectWallet            = "connect_wallet"
	RuleTypeConnectedChatServer      = "connected_chat_server"
	RuleTypeConnectedCodeHost        = "connected_code_host"
	RuleTypeConnectedEmail           = "connected_email"
	RuleTypeConnectedForumPlatform   = "connected_forum_platform"
	RuleTypeConnectedGameLauncher    = "connected_game_launcher"
	RuleTypeConnectedGameStore       = "connected_game_store"
	RuleTypeConnectedMessenger       = "connected_messenger"
	RuleTypeConnectedMicroblog       = "connected_microblog"
	RuleTypeConnectedPhone           = "connected_phone"
	RuleTypeConnectedPhotoPlatform   = "connected_photo_platform"
	RuleTypeConnectedShortVideo      = "connected_short_video"
	RuleTypeConnectedVideoPlatform   = "connected_video_platform"
	RuleTypeCreatePartnerAccount     = "create_partner_account"
	RuleTypeDappsByActiveUsers       = "dapps_by_active_users"
	RuleTypeDappsByGasSpent          = "dapps_by_gas_spent"
	RuleTypeDappsByNewUsers          = "dapps_by_new_users"
	RuleTypeDappsByTransactionCount  = "dapps_by_transaction_count"
	RuleTypeDappsByUserRetention     = "dapps_by_user_retention"
	RuleTypeExternalRule             = "external_rule"
	RuleTypeForumPlatformComment     = "forum_platform_comment"
	RuleTypeGameStoreWishlist        = "game_store_wishlist"
	RuleTypeGovernanceVote           = "governance_vote"
	RuleTypeLinkClick                = "link_click"
	RuleTypeLiquidityAMMV2           = "liquidity_amm_v2"
	RuleTypeLiquidityAMMV3           = "liquidity_amm_v3"
	RuleTypeListing                  = "listing"
	RuleTypeLodging                  = "lodging"
	RuleTypeManualUpload             = "manual_upload"
	RuleTypeMessengerJoin            = "messenger_join"
	RuleTypeMessengerMessages        = "messenger_messages"
	RuleTypeMicroblogComment         = "microblog_comment"
	RuleTypeMicroblogFollow          = "microblog_follow"
	RuleTypeMicroblogFollowers       = "microblog_followers"
	RuleTypeMicroblogLike            = "microblog_like"
	RuleTypeMicroblogLikedByProject  = "microblog_liked_by_project"
	RuleTypeMicroblogPost            = "microblog_post"
	RuleTypeMicroblogPostHashtag     = "microblog_post_hashtag"
	RuleTypeMicroblogReaction        = "microblog_reaction"
	RuleTypeMicroblogRepost          = "microblog_repost"
	RuleTypeMicroblogTextInBio       = "microblog_text_in_bio"
	RuleTypeMicroblogTextInComment   = "microblog_text_in_comment"
	RuleTypeMicroblogTextInName      = "microblog_text_in_name"
	RuleTypeMintedOn                 = "minted_on"
	RuleTypePhotoPlatformFollow      = "photo_platform_follow"
	RuleTypePhotoPlatformPost        = "photo_platform_post"
	RuleTypePointsAirdrop            = "points_airdrop"
	RuleTypePoll                     = "poll"
	RuleTypePostImpressions          = "post_impressions"
	RuleTypeProfileCompleted         = "profile_completed"
	RuleTypeQuiz                     = "quiz"
	RuleTypeReferredUser             = "referred_user"
	RuleTypeShopSpend                = "shop_spend"
	RuleTypeShortVideoFollow         = "short_video_follow"
	RuleTypeShortVideoPost           = "short_video_post"
	RuleTypeSmartContractEvent       = "smart_contract_event"
	RuleTypeSnapshotFullSet          = "snapshot_full_set"
	RuleTypeSnapshotHold             = "snapshot_hold"
	RuleTypeSoldOn                   = "sold_on"
	RuleTypeSoldWithRoyalties        = "sold_with_royalties"
	RuleTypeStratusFunction          = "stratus_function"
	RuleTypeSwap                     = "swap"
	RuleTypeTextInput                = "text_input"
	RuleTypeTokenHold                = "token_hold"
	RuleTypeTokenHoldErc20           = "token_hold_erc20"
	RuleTypeVideoPlatformComment     = "video_platform_comment"
	RuleTypeVideoPlatformSubscribe   = "video_platform_subscribe"
)

// Account: The balance of a member in a currency (contract 3.9)
type Account struct {
	// The balance
	Amount Decimal `json:"amount"`
	// For currencies of external ledgers: outside if the amount was read there, mirror if it is this
	// ledger's copy. One of: outside, mirror.
	AmountFrom *string `json:"amountFrom"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// How often the account changed; for a main account how many entries it has
	LockVersion int64 `json:"lockVersion"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// What the account owes of points that were taken back. It is taken from later credits. Absent if it
	// owes nothing; only of the member itself with client keys
	Receivable *Decimal `json:"receivable"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member
	User *AccountUser `json:"user"`
	// The member; null for the main account, which pays out
	UserID *string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// AccountProfile: What leaderboards show of a member
type AccountProfile struct {
	// The user name on the chat server
	ChatServerUser *string `json:"chatServerUser"`
	// The name that others see
	DisplayName *string `json:"displayName"`
	// The URL of the member’s picture
	LogoURL *string `json:"logoUrl"`
	// The user name on the microblog, without @
	MicroblogUser *string `json:"microblogUser"`
	// A label that the wallets of one person share; balances stay apart
	WalletGroupIdentifier *string `json:"walletGroupIdentifier"`
}

// AccountStreak: Check-ins of a member in a row, on one rule (contract 3.19)
type AccountStreak struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// A check-in from then on begins a new streak; null: never
	ExpiresAt *time.Time `json:"expiresAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The milestones of the rule
	Milestone []Milestone `json:"milestone"`
	// Windows in a row with a check-in, up to the last one
	StreakCount int64 `json:"streakCount"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member who checked in last
	UserID string `json:"userId"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
}

// AccountUser: The member of an account
type AccountUser struct {
	// The id, a UUID
	ID string `json:"id"`
	// What is known of the member, one item per website
	UserMetadata []AccountProfile `json:"userMetadata"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
	// The values of the member
	WebsiteUserAttributeValues []AttributeValue `json:"websiteUserAttributeValues"`
}

// ActInputBody: Input of the operation: Replace the signing key
type ActInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// AddAuctionItemsInputBody: Input of the operation: Add items to an auction
type AddAuctionItemsInputBody struct {
	// The items to add
	AuctionItems []NewAuctionItem `json:"auctionItems"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// AddedCall: A call of a contract that a function asks the payout driver for
type AddedCall struct {
	// The chain id of the network
	ChainID any `json:"chainId"`
	// 0x hex
	Data *string `json:"data"`
	// The address that is called
	To string `json:"to"`
	// A whole number
	Value *string `json:"value"`
}

// AllocatedUser: The member of a wallet on a list
type AllocatedUser struct {
	// null until the wallet is a user
	ID *string `json:"id"`
	// The wallet on the list
	WalletAddress string `json:"walletAddress"`
}

// AllowBody: Input of the operation: Write entries of an asset's allowlist
type AllowBody struct {
	// The entries to write; those of the same identifier are replaced
	Entries []AllowEntryInput `json:"entries"`
	// The asset
	MintingContractAssetID string `json:"mintingContractAssetId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// AllowEntry: How many items of an asset one identifier may mint (contract 3.25)
type AllowEntry struct {
	// The id, a UUID
	ID string `json:"id"`
	// The asset
	MintingContractAssetID string `json:"mintingContractAssetId"`
	// How many were minted
	QuantityMinted int64 `json:"quantityMinted"`
	// How many may be minted in all
	TotalQuantity int64 `json:"totalQuantity"`
	// The identifier that may mint
	WalletAddress string `json:"walletAddress"`
}

// AllowEntryInput: How many items of an asset one identifier may mint
type AllowEntryInput struct {
	// How many may be minted
	Quantity int64 `json:"quantity"`
	// The identifier that may mint
	WalletAddress string `json:"walletAddress"`
}

// AllowOutputBody: What was written to an allowlist
type AllowOutputBody struct {
	// How many entries are new
	CreatedCount int64 `json:"createdCount"`
	// The asset
	MintingContractAssetID string `json:"mintingContractAssetId"`
}

// AnsweredChoice: A choice of a question that a member has answered
type AnsweredChoice struct {
	// The id, a UUID
	ID string `json:"id"`
	// Only if the user can no longer answer
	IsCorrect *bool `json:"isCorrect"`
	// The answer that members see
	Text string `json:"text"`
}

// AnsweredQuestion: The question that was answered
type AnsweredQuestion struct {
	// The choices
	LoyaltyQuestionChoices []AnsweredChoice `json:"loyaltyQuestionChoices"`
	// The question
	Text string `json:"text"`
}

// AnyRuleMetadata: Settings of a rule of any type: those of its own type have a meaning (contract
// 3.13)
type AnyRuleMetadata struct {
	// true: a member is rewarded for every code, whatever the interval of the rule
	AllowMultipleRedemptions Optional[bool] `json:"allowMultipleRedemptions,omitzero"`
	// Ids of rules, or "any" for all: completing one of them counts as a check-in (contract 5.9)
	AutoCheckInRuleIDs Optional[[]string] `json:"autoCheckInRuleIds,omitzero"`
	// Tokens in a batch; null: 1
	BatchSize Optional[float64] `json:"batchSize,omitzero"`
	// The label of the button. For display; the service does not use it
	ButtonText Optional[string] `json:"buttonText,omitzero"`
	// The chat servers that count, with their channels and roles
	ChatServersToJoin Optional[[]AnyRuleMetadataChatServersToJoin] `json:"chatServersToJoin,omitzero"`
	// true: members comment on the post
	CheckComment Optional[bool] `json:"checkComment,omitzero"`
	// true: members like the post. Likes are taken on trust
	CheckLike Optional[bool] `json:"checkLike,omitzero"`
	// true: members repost the post
	CheckRepost Optional[bool] `json:"checkRepost,omitzero"`
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
	// The branch that changes are merged into; null: any
	CodeHostBranchName Optional[string] `json:"codeHostBranchName,omitzero"`
	// The repository, as https://host/owner/name
	CodeHostRepoURL Optional[string] `json:"codeHostRepoUrl,omitzero"`
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]AnyRuleMetadataCollection] `json:"collection,omitzero"`
	// The fields of the profile, and the platforms, that members fill in or connect: all that are true
	CompleteProfileConditions Optional[AnyRuleMetadataCompleteProfileConditions] `json:"completeProfileConditions,omitzero"`
	// What members have to do. For display; the service does not use it
	ConditionDescription Optional[string] `json:"conditionDescription,omitzero"`
	// A link beside the rule. For display; the service does not use it
	Cta Optional[AnyRuleMetadataCta] `json:"cta,omitzero"`
	// Seconds between two rewards, for the interval custom
	CustomIntervalSeconds Optional[int64] `json:"customIntervalSeconds,omitzero"`
	// A secret for customRewardsApiUrl, sent in the header x-api-key. Only organization and website keys
	// see it
	CustomRewardsAPIKey Optional[string] `json:"customRewardsApiKey,omitzero"`
	// Balances are always read from nodes; kept for older clients
	DirectRpc Optional[bool] `json:"directRpc,omitzero"`
	// Whether members see the servers to join. For display; the service does not use it
	EnableJoinChatServers Optional[bool] `json:"enableJoinChatServers,omitzero"`
	// true: check-ins in consecutive windows count as a streak (contract 5.9)
	EnableStreaks Optional[bool] `json:"enableStreaks,omitzero"`
	// true: verified microblog accounts get the amount times verifiedMultiplier
	EnableVerifiedMultiplier Optional[bool] `json:"enableVerifiedMultiplier,omitzero"`
	// The balance that counts: of a contract (erc20, the default) or of the network’s coin (native). One
	// of: erc20, native.
	Erc20Type Optional[string] `json:"erc20Type,omitzero"`
	// The market whose sales count, by the operator’s name for it; null: any
	FillSource Optional[string] `json:"fillSource,omitzero"`
	// Percent of what a referred member earns that the referrer gets
	FirstReferralReward Optional[NumberOrText] `json:"firstReferralReward,omitzero"`
	// The forum post that members comment on
	ForumPlatformPostID Optional[string] `json:"forumPlatformPostId,omitzero"`
	// The game in the store
	GameStoreAppID Optional[string] `json:"gameStoreAppId,omitzero"`
	// The proposals that a vote on counts, as the partner knows them
	GovernanceProposals Optional[[]AnyRuleMetadataGovernanceProposal] `json:"governanceProposals,omitzero"`
	// false: fillSource does not count
	HasFillSource Optional[bool] `json:"hasFillSource,omitzero"`
	// true: only members who never sold a token of the collections
	HasNeverSold Optional[bool] `json:"hasNeverSold,omitzero"`
	// Sales with full royalties are types of their own; kept for older clients
	HasPaidFullRoyalty Optional[bool] `json:"hasPaidFullRoyalty,omitzero"`
	// false: saleCurrency does not count
	HasSaleCurrency Optional[bool] `json:"hasSaleCurrency,omitzero"`
	// true: only members whose microblog account is verified by the platform
	HasVerifiedMicroblog Optional[bool] `json:"hasVerifiedMicroblog,omitzero"`
	// The URL of a picture. For display; the service does not use it
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// true: the first change of the member’s balance in a window counts as a check-in
	IsCheckInOnEveryTxn Optional[bool] `json:"isCheckInOnEveryTxn,omitzero"`
	// Whether multipliers are shown. For display; the service does not use it
	IsMultiplierApplied Optional[bool] `json:"isMultiplierApplied,omitzero"`
	// true: only members who joined after startTime
	IsRestrictedToNewUsers Optional[bool] `json:"isRestrictedToNewUsers,omitzero"`
	// true: a multiplier reward also multiplies the balance that the member has then, once
	IsRetroactive Optional[bool] `json:"isRetroactive,omitzero"`
	// Whether the rule is shown as a multiplier. For display: rewardType decides
	IsTokenHoldMultiplier Optional[bool] `json:"isTokenHoldMultiplier,omitzero"`
	// The URL that members open, or of the account that they follow
	Link Optional[string] `json:"link,omitzero"`
	// The pools that count, and what their dollars pay (contract 6)
	Liquidity Optional[AnyRuleMetadataLiquidity] `json:"liquidity,omitzero"`
	// Once the post has so many comments, members need not comment on it
	MaxComments Optional[int64] `json:"maxComments,omitzero"`
	// Once the post has so many likes, members need not like it
	MaxLikes Optional[int64] `json:"maxLikes,omitzero"`
	// Once the post has so many reposts, members need not repost it
	MaxReposts Optional[int64] `json:"maxReposts,omitzero"`
	// The channel or group, such as @example
	MessengerChannelID Optional[string] `json:"messengerChannelId,omitzero"`
	// The URL of the account that members follow
	MicroblogAccountURL Optional[string] `json:"microblogAccountUrl,omitzero"`
	// The hashtag that posts must have, with or without #
	MicroblogHashtag Optional[string] `json:"microblogHashtag,omitzero"`
	// The URL of the post that members react to
	MicroblogPostURL Optional[string] `json:"microblogPostUrl,omitzero"`
	// The id of your account on the microblog
	MicroblogUserID Optional[string] `json:"microblogUserId,omitzero"`
	// The name of your account on the microblog. For display; the service does not use it
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
	// The fewest followers that an account must have; null: any number
	MinimumFollowerCount Optional[NumberOrText] `json:"minimumFollowerCount,omitzero"`
	// The currencies that a multiplier reward applies to; empty: all
	MultiplierLoyaltyCurrencyIDs Optional[[]string] `json:"multiplierLoyaltyCurrencyIds,omitzero"`
	// What happens to points for an event that a reorganization removes: taken back within the balance
	// (the default), taken back in full, or kept. One of: reverse_within_balance, reverse, keep.
	OnReorg Optional[string] `json:"onReorg,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// true: only sales in the network’s coin count
	OnlyNative Optional[bool] `json:"onlyNative,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: of each contract one token at most counts
	OnlyRewardSingleTokenOwnership Optional[bool] `json:"onlyRewardSingleTokenOwnership,omitzero"`
	// A proposal for the text of members’ posts. For display; the service does not use it
	PreGeneratedPostText Optional[string] `json:"preGeneratedPostText,omitzero"`
	// The code that all members enter, for promoCodeType code. Only organization and website keys see it
	PromoCode Optional[string] `json:"promoCode,omitzero"`
	// A file with one single-use code per line, for promoCodeType csv. Only organization and website keys
	// see it
	PromoCodeCSVURL Optional[string] `json:"promoCodeCsvUrl,omitzero"`
	// How many single-use codes the service creates, for promoCodeType generate
	PromoCodeLength Optional[int64] `json:"promoCodeLength,omitzero"`
	// One code for all members (code, the default), or single-use codes from a file (csv) or created by
	// the service (generate). One of: code, csv, generate.
	PromoCodeType Optional[string] `json:"promoCodeType,omitzero"`
	// Tiers: the reward depends on the value that was measured or sent. Tiers do not overlap (contract
	// 5.7)
	Range Optional[[]AnyRuleMetadataRange] `json:"range,omitzero"`
	// Counts of the post, written by the service. Values in requests are ignored
	ReactionStats Optional[AnyRuleMetadataReactionStats] `json:"reactionStats,omitzero"`
	// What a referred member must have done before rewards are paid: all that are true (contract 5.12)
	ReferralRequirements Optional[AnyRuleMetadataReferralRequirements] `json:"referralRequirements,omitzero"`
	// What the referrer gets once for each referred member who meets the requirements
	ReferrerReward Optional[NumberOrText] `json:"referrerReward,omitzero"`
	// The currency of referrerReward; null: that of the rule
	ReferrerRewardLoyaltyCurrencyID Optional[string] `json:"referrerRewardLoyaltyCurrencyId,omitzero"`
	// true: members send the link of their post as contentUrl
	RequirePostLink Optional[bool] `json:"requirePostLink,omitzero"`
	// true: only posts with a picture or video count
	RequirePostMediaLink Optional[bool] `json:"requirePostMediaLink,omitzero"`
	// true: progress starts again at 0 after a reward
	ResetProgressOnClaim Optional[bool] `json:"resetProgressOnClaim,omitzero"`
	// true: members also get the badge of the tier
	RewardBadgePerRange Optional[bool] `json:"rewardBadgePerRange,omitzero"`
	// true: the amount is paid for each full batch of batchSize tokens
	RewardByBatch Optional[bool] `json:"rewardByBatch,omitzero"`
	// What counts: views (the default) or posts. One of: IMPRESSIONS_COUNT, ELIGIBLE_POST.
	RewardCriteria Optional[string] `json:"rewardCriteria,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
	// true: the amount is paid for each view
	RewardPerImpression Optional[bool] `json:"rewardPerImpression,omitzero"`
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
	// true: replies and reposts do not count
	RewardQualityPosts Optional[bool] `json:"rewardQualityPosts,omitzero"`
	// The decimal places to which a reward by value is cut; null: 6
	RoundTo Optional[int64] `json:"roundTo,omitzero"`
	// How a reward by value is cut; null: down. One of: down, half_up, up.
	Rounding Optional[string] `json:"rounding,omitzero"`
	// Who receives the royalty; null: the address that the collection names
	RoyaltyAddress Optional[string] `json:"royaltyAddress,omitzero"`
	// The royalty in percent of the price; null: the royaltyFee of the collection
	RoyaltyPercentage Optional[NumberOrText] `json:"royaltyPercentage,omitzero"`
	// The address of the token that sales are paid in, or native; null: any
	SaleCurrency Optional[string] `json:"saleCurrency,omitzero"`
	// Percent of what members of the second tier earn: those whom a referred member referred
	SecondReferralReward Optional[NumberOrText] `json:"secondReferralReward,omitzero"`
	// true: multipliers of members do not raise this reward
	SkipMultiplier Optional[bool] `json:"skipMultiplier,omitzero"`
	// The event or call that completes the rule
	SmartContract Optional[AnyRuleMetadataSmartContract] `json:"smartContract,omitzero"`
	// The platform of the rule. For display; the service does not use it. One of: Custom, Microblog,
	// PhotoPlatform, ChatServer, Messenger, ShortVideo, VideoPlatform, LiveStream, ForumPlatform,
	// CodeHost, GameStore, GameLauncher, WebAccount, Phone.
	SocialPlatform Optional[string] `json:"socialPlatform,omitzero"`
	// The URL of the platform’s logo. For display; the service does not use it
	SocialPlatformLogo Optional[string] `json:"socialPlatformLogo,omitzero"`
	// The name of the platform. For display; the service does not use it
	SocialPlatformName Optional[string] `json:"socialPlatformName,omitzero"`
	// What members get in addition when a streak reaches a milestone, once per streak
	StreakArray Optional[[]AnyRuleMetadataStreakArray] `json:"streakArray,omitzero"`
	// The swaps that count, as the partner checks them
	Swap Optional[AnyRuleMetadataSwap] `json:"swap,omitzero"`
	// Seconds between the click and the reward, 0 to 604,800; null: 30
	TimeDelayToVerifySeconds Optional[NumberOrText] `json:"timeDelayToVerifySeconds,omitzero"`
	// The fewest characters of a text; null: 1
	VerificationTextMinimumLength Optional[int64] `json:"verificationTextMinimumLength,omitzero"`
	// The factor for verified microblog accounts
	VerifiedMultiplier Optional[float64] `json:"verifiedMultiplier,omitzero"`
	// The placeholder of the field in which members enter a code, text or link. For display; the service
	// does not use it
	VerifyPlaceHolderText Optional[string] `json:"verifyPlaceHolderText,omitzero"`
	// The channel that members subscribe to
	VideoPlatformChannelID Optional[string] `json:"videoPlatformChannelId,omitzero"`
	// The video that members comment on
	VideoPlatformVideoID Optional[string] `json:"videoPlatformVideoId,omitzero"`
	// The type of wallet that counts; null: any. One of: evm, solana, imx, sui, ton, cosmos, agw,
	// flow_cadence, substrate.
	WalletType Optional[string] `json:"walletType,omitzero"`
}

type AnyRuleMetadataChatServersToJoin struct {
	// The channels whose messages count; empty: all of the server
	Channels Optional[[]AnyRuleMetadataChatServersToJoinChannel] `json:"channels,omitzero"`
	// The server
	ID string `json:"id"`
	// Roles of which a member must have one
	Roles Optional[[]AnyRuleMetadataChatServersToJoinRole] `json:"roles,omitzero"`
}

type AnyRuleMetadataChatServersToJoinChannel struct {
	// Emojis of which a message must have one
	Emojis Optional[[]AnyRuleMetadataChatServersToJoinChannelEmoji] `json:"emojis,omitzero"`
	// The channel; null: all of the server
	ID Optional[string] `json:"id,omitzero"`
	// Text that a message must have
	Text Optional[string] `json:"text,omitzero"`
}

type AnyRuleMetadataChatServersToJoinChannelEmoji struct {
	// The emoji
	ID string `json:"id"`
}

type AnyRuleMetadataChatServersToJoinRole struct {
	// The role
	ID string `json:"id"`
}

type AnyRuleMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// AnyRuleMetadataCompleteProfileConditions: The fields of the profile, and the platforms, that members
// fill in or connect: all that are true
type AnyRuleMetadataCompleteProfileConditions struct {
	// true: members need it (About)
	Bio Optional[bool] `json:"bio,omitzero"`
	// true: members need it (Chat server)
	ChatServer Optional[bool] `json:"chat_server,omitzero"`
	// true: members need it (Code host)
	CodeHost Optional[bool] `json:"code_host,omitzero"`
	// true: members need it (Name)
	DisplayName Optional[bool] `json:"displayName,omitzero"`
	// true: members need it (E-mail)
	Email Optional[bool] `json:"email,omitzero"`
	// true: members need it (Forum)
	ForumPlatform Optional[bool] `json:"forum_platform,omitzero"`
	// true: members need it (Game launcher)
	GameLauncher Optional[bool] `json:"game_launcher,omitzero"`
	// true: members need it (Game store)
	GameStore Optional[bool] `json:"game_store,omitzero"`
	// true: members need it (Location)
	Location Optional[bool] `json:"location,omitzero"`
	// true: members need it (Picture)
	LogoURL Optional[bool] `json:"logoUrl,omitzero"`
	// true: members need it (Messenger)
	Messenger Optional[bool] `json:"messenger,omitzero"`
	// true: members need it (Microblog)
	Microblog Optional[bool] `json:"microblog,omitzero"`
	// true: members need it (Phone)
	Phone Optional[bool] `json:"phone,omitzero"`
	// true: members need it (Photo platform)
	PhotoPlatform Optional[bool] `json:"photo_platform,omitzero"`
	// true: members need it (Link)
	PortfolioURL Optional[bool] `json:"portfolioUrl,omitzero"`
	// true: members need it (Short video platform)
	ShortVideo Optional[bool] `json:"short_video,omitzero"`
	// true: members need it (Video platform)
	VideoPlatform Optional[bool] `json:"video_platform,omitzero"`
}

// AnyRuleMetadataCta: A link beside the rule. For display; the service does not use it
type AnyRuleMetadataCta struct {
	// The URL of the link
	Href Optional[string] `json:"href,omitzero"`
	// The text of the link
	Label Optional[string] `json:"label,omitzero"`
}

type AnyRuleMetadataGovernanceProposal struct {
	// The proposal
	ID Optional[NumberOrText] `json:"id,omitzero"`
	// Where it is voted on
	Space Optional[string] `json:"space,omitzero"`
}

// AnyRuleMetadataLiquidity: The pools that count, and what their dollars pay (contract 6)
type AnyRuleMetadataLiquidity struct {
	// By liquidityPerDay (fixed, the default) or by customFunction. One of: fixed, custom.
	CalculationType Optional[string] `json:"calculationType,omitzero"`
	// A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log
	CustomFunction Optional[string] `json:"customFunction,omitzero"`
	// The dollars for which the amount of the rule is paid
	LiquidityPerDay Optional[float64] `json:"liquidityPerDay,omitzero"`
	// The network of the pools, of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// true: positions count only while the price is in their range
	OnlyRewardInRangeLiquidity Optional[bool] `json:"onlyRewardInRangeLiquidity,omitzero"`
	// The pools
	Pools Optional[[]AnyRuleMetadataLiquidityPool] `json:"pools,omitzero"`
	// The protocol. For display; the service does not use it
	Protocol Optional[string] `json:"protocol,omitzero"`
}

type AnyRuleMetadataLiquidityPool struct {
	// The address of the pool
	ID string `json:"id"`
}

type AnyRuleMetadataRange struct {
	// What the tier pays, at least 0; null: the amount of the rule
	Amount Optional[NumberOrText] `json:"amount,omitzero"`
	// The greatest value of the tier, at least startRange
	EndRange NumberOrText `json:"endRange"`
	// The badge of the tier, with rewardBadgePerRange
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// The multiplier of the tier, for rewardType multiplier
	LoyaltyMultiplierAmount Optional[NumberOrText] `json:"loyaltyMultiplierAmount,omitzero"`
	// The least value of the tier
	StartRange NumberOrText `json:"startRange"`
}

// AnyRuleMetadataReactionStats: Counts of the post, written by the service. Values in requests are
// ignored
type AnyRuleMetadataReactionStats struct {
	// Comments on the post
	CommentCount Optional[float64] `json:"commentCount,omitzero"`
	// Likes of the post
	LikeCount Optional[float64] `json:"likeCount,omitzero"`
	// Reposts of the post
	RepostCount Optional[float64] `json:"repostCount,omitzero"`
	// When the counts were read
	SyncedAt Optional[string] `json:"syncedAt,omitzero"`
}

// AnyRuleMetadataReferralRequirements: What a referred member must have done before rewards are paid:
// all that are true (contract 5.12)
type AnyRuleMetadataReferralRequirements struct {
	// A balance: that of points, or any above 0
	AchievePoints Optional[bool] `json:"achievePoints,omitzero"`
	// The fields of completeProfileConditions
	CompleteProfile Optional[bool] `json:"completeProfile,omitzero"`
	// A connected chat server account
	ConnectChatServer Optional[bool] `json:"connectChatServer,omitzero"`
	// A verified e-mail address
	ConnectEmail Optional[bool] `json:"connectEmail,omitzero"`
	// A connected microblog account
	ConnectMicroblog Optional[bool] `json:"connectMicroblog,omitzero"`
	// The balance that achievePoints asks for
	Points Optional[AnyRuleMetadataReferralRequirementsPoints] `json:"points,omitzero"`
}

// AnyRuleMetadataReferralRequirementsPoints: The balance that achievePoints asks for
type AnyRuleMetadataReferralRequirementsPoints struct {
	// The least balance
	Amount Optional[NumberOrText] `json:"amount,omitzero"`
	// Its currency; null: that of the rule
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
}

// AnyRuleMetadataSmartContract: The event or call that completes the rule
type AnyRuleMetadataSmartContract struct {
	// The argument with the member’s wallet; null: the sender of the transaction
	AddressMapping Optional[string] `json:"addressMapping,omitzero"`
	// What the amount is multiplied by
	AmountMultiplier Optional[AnyRuleMetadataSmartContractAmountMultiplier] `json:"amountMultiplier,omitzero"`
	// A contract of the website, whose logs are watched; null: a subscription feeds the rule
	ContractID Optional[string] `json:"contractId,omitzero"`
	// everyEvent: params do not count; byParameter, the default: they do. One of: everyEvent, byParameter.
	Criteria Optional[string] `json:"criteria,omitzero"`
	// The name or full signature of the event or function, such as Transfer(address,address,uint256)
	Event Optional[string] `json:"event,omitzero"`
	// Conditions on arguments, which must all hold
	Params Optional[[]AnyRuleMetadataSmartContractParam] `json:"params,omitzero"`
	// What counts: events (the default) or calls of a function. One of: function, event.
	Type Optional[string] `json:"type,omitzero"`
}

// AnyRuleMetadataSmartContractAmountMultiplier: What the amount is multiplied by
type AnyRuleMetadataSmartContractAmountMultiplier struct {
	// An argument with a number. That of a fungible token counts in whole tokens
	ValueMapping Optional[string] `json:"valueMapping,omitzero"`
}

type AnyRuleMetadataSmartContractParam struct {
	// The comparison: of integers if both are, else of texts; null: equals. One of: equals, not_equals,
	// greater_than, greater_than_or_equal, less_than, less_than_or_equal, contains.
	Condition Optional[string] `json:"condition,omitzero"`
	// The argument
	Name Optional[string] `json:"name,omitzero"`
	// The value to compare with
	Value Optional[any] `json:"value,omitzero"`
}

type AnyRuleMetadataStreakArray struct {
	// The points in addition, at least 0
	StreakAmount Optional[NumberOrText] `json:"streakAmount,omitzero"`
	// Consecutive windows with a check-in, at least 1; each milestone once
	StreakMilestone Optional[NumberOrText] `json:"streakMilestone,omitzero"`
}

// AnyRuleMetadataSwap: The swaps that count, as the partner checks them
type AnyRuleMetadataSwap struct {
	// What is given
	From Optional[AnyRuleMetadataSwapFrom] `json:"from,omitzero"`
	// true: only swaps from one chain to another
	RequireCrossChainSwap Optional[bool] `json:"requireCrossChainSwap,omitzero"`
	// What is received
	To Optional[AnyRuleMetadataSwapTo] `json:"to,omitzero"`
}

// AnyRuleMetadataSwapFrom: What is given
type AnyRuleMetadataSwapFrom struct {
	// The chain id, or any
	Chain Optional[NumberOrText] `json:"chain,omitzero"`
	// Any token, or one of tokens. One of: any, specific.
	Mode Optional[string] `json:"mode,omitzero"`
	// The tokens that count
	Tokens Optional[[]AnyRuleMetadataSwapFromToken] `json:"tokens,omitzero"`
	// true: the amount of this side counts. It needs exactly one token, and one side only
	TrackAmount Optional[bool] `json:"trackAmount,omitzero"`
}

type AnyRuleMetadataSwapFromToken struct {
	// The contract of the token
	Address Optional[string] `json:"address,omitzero"`
	// Its chain id
	ChainID Optional[NumberOrText] `json:"chainId,omitzero"`
}

// AnyRuleMetadataSwapTo: What is received
type AnyRuleMetadataSwapTo struct {
	// The chain id, or any
	Chain Optional[NumberOrText] `json:"chain,omitzero"`
	// Any token, or one of tokens. One of: any, specific.
	Mode Optional[string] `json:"mode,omitzero"`
	// The tokens that count
	Tokens Optional[[]AnyRuleMetadataSwapToToken] `json:"tokens,omitzero"`
	// true: the amount of this side counts. It needs exactly one token, and one side only
	TrackAmount Optional[bool] `json:"trackAmount,omitzero"`
}

type AnyRuleMetadataSwapToToken struct {
	// The contract of the token
	Address Optional[string] `json:"address,omitzero"`
	// Its chain id
	ChainID Optional[NumberOrText] `json:"chainId,omitzero"`
}

// ApiKey: A key of the API, without its secret (contract 3.35)
type ApiKey struct {
	// Origins of browsers that may use a client key; empty: all
	AllowedOrigins []string `json:"allowedOrigins"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When the key ends; null: never
	ExpiresAt *time.Time `json:"expiresAt"`
	// The id, a UUID
	ID string `json:"id"`
	// When the key was last used, exact to a minute; null: never
	LastUsedAt *time.Time `json:"lastUsedAt"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The first 12 characters of the key
	Prefix string `json:"prefix"`
	// When the key was revoked; null: it is valid
	RevokedAt *time.Time `json:"revokedAt"`
	// The role (contract 2)
	RoleType string `json:"roleType"`
	// The service user as which the key acts
	UserID string `json:"userId"`
	// The website; null for keys of the organization
	WebsiteID *string `json:"websiteId"`
}

// ArrangeBlocksBody: Input of the operation: Set the whole layout of the loyalty page
type ArrangeBlocksBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
	// The whole new layout: items without id are created, and blocks that are missing are removed
	WebsitePageSections []BlockInput `json:"websitePageSections"`
}

// Asset: A file (contract 3.31)
type Asset struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Until when it can be uploaded; null once it was
	ExpiresAt *time.Time `json:"expiresAt"`
	// As the url holds it
	FileName string `json:"fileName"`
	// The folder
	FilePath string `json:"filePath"`
	// Bytes
	FileSize int64 `json:"fileSize"`
	// The id, a UUID
	ID string `json:"id"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// null until it was uploaded
	UploadedAt *time.Time `json:"uploadedAt"`
	// Where the file is found, by anyone
	URL string `json:"url"`
	// The user who owns the file; null: none
	UserID *string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// Attempt: One attempt to deliver an event
type Attempt struct {
	// When it was tried
	At time.Time `json:"at"`
	// The answer, its first 1,024 bytes
	Body string `json:"body"`
	// How long it took, in milliseconds
	DurationMs int64 `json:"durationMs"`
	// Why the attempt failed; null: it did not
	Error *string `json:"error"`
	// The number of the attempt, from 1
	Number int64 `json:"number"`
	// The HTTP status of the answer; null: there was none
	Status *int64 `json:"status"`
}

// AttributeInput: An attribute to write
type AttributeInput struct {
	// Of an attribute that gets the label
	ID Optional[string] `json:"id,omitzero"`
	// The name of the attribute
	Label string `json:"label"`
}

// AttributeValue: The value of an attribute, with the attribute
type AttributeValue struct {
	// The value
	Value string `json:"value"`
	// The attribute
	WebsiteUserAttribute ShortAttribute `json:"websiteUserAttribute"`
}

// AttributesBody: Input of the operation: Create or change attributes of users
type AttributesBody struct {
	// The attributes to write
	Data []AttributeInput `json:"data"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// Auction: An auction, in which members bid points (contract 3.27)
type Auction struct {
	// The highest 10; none while bids are hidden
	AuctionBids []TopAuctionBid `json:"auctionBids"`
	// With includeItems=true
	AuctionItems []AuctionItem `json:"auctionItems"`
	// Only owners of one of these collections may bid; empty: everyone
	BiddersOwnCollectionAddresses []string `json:"biddersOwnCollectionAddresses"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The token that prices or bids are in; null: points, or the network’s coin
	CurrencyAddress *string `json:"currencyAddress"`
	// The decimal places of the currency
	CurrencyDecimals int64 `json:"currencyDecimals"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// A text for people
	Description string `json:"description"`
	// When the auction ends
	EndsAt time.Time `json:"endsAt"`
	// A bid so shortly before the end moves the end to so many seconds after it
	ExtendedDurationInSeconds *int64 `json:"extendedDurationInSeconds"`
	// true: bids are not shown until the end
	HideBids bool `json:"hideBids"`
	// The id, a UUID
	ID string `json:"id"`
	// The currency
	LoyaltyCurrency *AuctionCurrency `json:"loyaltyCurrency"`
	// Bids are points of it
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The least bid, a decimal
	MinBidAmount string `json:"minBidAmount"`
	// The least step above the best bid of an open auction, a decimal
	MinBidIncrement *string `json:"minBidIncrement"`
	// The minting contract
	MintingContractID string `json:"mintingContractId"`
	// The name, for people
	Name string `json:"name"`
	// The blockchain, by a name of contract 2.1
	Network *string `json:"network"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Shown to secret keys only
	ReservePrice *string `json:"reservePrice"`
	// Empty: bids are points
	Signature string `json:"signature"`
	// When bids are taken from
	StartsAt time.Time `json:"startsAt"`
	// in_progress also before it starts. One of: in_progress, completed, cancelled.
	Status string `json:"status"`
	// How the winner pays: its bid, the second bid, or by open bidding. One of: first_price, second_price,
	// english.
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The user who created it
	UserID *string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// AuctionBid: A bid of a member (contract 3.27)
type AuctionBid struct {
	// The bid, a decimal
	Amount string `json:"amount"`
	// The auction; null: it was deleted
	Auction *BidsAuction `json:"auction"`
	// The auction
	AuctionID string `json:"auctionId"`
	// The item; null: none was named
	AuctionItem *AuctionBidItem `json:"auctionItem"`
	// The item that the bidder named; for a fulfilled bid the one that it won
	AuctionItemID *string `json:"auctionItemId"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The token that prices or bids are in; null: points, or the network’s coin
	CurrencyAddress *string `json:"currencyAddress"`
	// The decimal places of the currency
	CurrencyDecimals int64 `json:"currencyDecimals"`
	// The id, a UUID
	ID string `json:"id"`
	// The currency
	LoyaltyCurrency *AuctionBidCurrency `json:"loyaltyCurrency"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Where the bid stands. One of: submitted, accepted, rejected, fulfilled.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member
	User ShortUser `json:"user"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// AuctionBidAsset: The asset of a bid’s item
type AuctionBidAsset struct {
	// The id, a UUID
	ID string `json:"id"`
	// true: a thing that is shipped belongs to it
	IsPhygitalItem bool `json:"isPhygitalItem"`
	// When it was revealed; null: not yet
	RevealedAt *time.Time `json:"revealedAt"`
	// Always null
	ShippingPrice *Decimal `json:"shippingPrice"`
	// The id of the token in its contract; null: none
	TokenID *int64 `json:"tokenId"`
}

// AuctionBidCurrency: The currency of a bid, with its external ledger for secret keys
type AuctionBidCurrency struct {
	// The user name or header for the external ledger. Only organization and website keys see it
	APIAuthKey *string `json:"apiAuthKey"`
	// How the external ledger is called; null: this service keeps the balances
	APIAuthType *string `json:"apiAuthType"`
	// The secret for the external ledger. Only organization and website keys see it
	APIAuthValue *string `json:"apiAuthValue"`
	// Where the external ledger is asked about an entry (contract 5.15)
	APIGetTransactionEntryURL *string `json:"apiGetTransactionEntryUrl"`
	// Where balances are read from the external ledger (contract 5.15)
	APIGetURL *string `json:"apiGetUrl"`
	// Where transactions are posted to the external ledger (contract 5.15)
	APIPostURL *string `json:"apiPostUrl"`
}

// AuctionBidItem: The item of a bid
type AuctionBidItem struct {
	// The id, a UUID
	ID string `json:"id"`
	// The asset
	MintingContractAsset *AuctionBidAsset `json:"mintingContractAsset"`
	// How many the winner gets
	Quantity int64 `json:"quantity"`
}

// AuctionCurrency: The currency of an auction
type AuctionCurrency struct {
	// How many places a page shows; amounts are whole units everywhere
	Decimals int64 `json:"decimals"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// The name, for people
	Name string `json:"name"`
	// The short name, such as PTS
	Symbol string `json:"symbol"`
}

// AuctionItem: An item of an auction (contract 3.27)
type AuctionItem struct {
	// The auction
	AuctionID string `json:"auctionId"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The asset
	MintingContractAsset AuctionItemAsset `json:"mintingContractAsset"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How many the winner gets
	Quantity int64 `json:"quantity"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// AuctionItemAsset: The asset of an item
type AuctionItemAsset struct {
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// true: a thing that is shipped belongs to it
	IsPhygitalItem bool `json:"isPhygitalItem"`
	// The name, for people
	Name string `json:"name"`
	// When it was revealed; null: not yet
	RevealedAt *time.Time `json:"revealedAt"`
	// The id of the token in its contract; null: none
	TokenID *int64 `json:"tokenId"`
}

// AuctionedItem: An item of an auction that offers the asset
type AuctionedItem struct {
	// The id, a UUID
	ID string `json:"id"`
}

// Backfill: Blocks that are still to be read
type Backfill struct {
	// The next block to be read
	NextBlock string `json:"nextBlock"`
	// The last block to be read
	ToBlock string `json:"toBlock"`
}

// Badge: A badge, with its conditions, rewards and holders (contract 3.21)
type Badge struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Newest first
	DataJobs []BadgeJob `json:"dataJobs"`
	// In lists with includeDeleted
	DeletedAt *time.Time `json:"deletedAt"`
	// A text for members
	Description string `json:"description"`
	// true: not shown to members
	HideInUI bool `json:"hideInUi"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL string `json:"imageUrl"`
	// With a user filter the rows of those users, else the newest 100
	LoyaltyBadgeUsers []BadgeUser `json:"loyaltyBadgeUsers"`
	// The conditions
	LoyaltyConditions []BadgeCondition `json:"loyaltyConditions"`
	// Rules that grant it, or to which a condition refers
	LoyaltyRules []BadgeThing `json:"loyaltyRules"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// What members get
	Rewards []BadgeReward `json:"rewards"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// BadgeAssociation: What a condition refers to: one of the properties, the others are null
type BadgeAssociation struct {
	// The badge
	LoyaltyBadge *BadgeThing `json:"loyaltyBadge"`
	// The currency
	LoyaltyCurrency *BadgeThing `json:"loyaltyCurrency"`
	// Always null
	LoyaltyLeaderboardView *BadgeThing `json:"loyaltyLeaderboardView"`
	// The rule
	LoyaltyRule *BadgeThing `json:"loyaltyRule"`
	// The group of rules
	LoyaltyRuleGroup *BadgeThing `json:"loyaltyRuleGroup"`
}

// BadgeCondition: A condition that earns a badge (contract 3.21)
type BadgeCondition struct {
	// For points the balance that is needed, for level the worst rank, else 0
	Amount Decimal `json:"amount"`
	// What the condition refers to
	Association []BadgeAssociation `json:"association"`
	// Shown to secret keys only
	CSVFiles []BadgeFile `json:"csvFiles"`
	// Shown to secret keys only
	CSVURL *string `json:"csvUrl"`
	// What members have to do, for people
	Description string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// The currency of the balance or rank; null for other conditions
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// The group of a condition of type section; null for others
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	// How often the rule must be completed
	RepeatCount int64 `json:"repeatCount"`
	// How many of the rules, badges or rules of the group are needed
	RequiredCount int64 `json:"requiredCount"`
	// What the condition asks (contract 2). One of: rule, rules, section, points, level, api, badge,
	// badges, csv.
	Type string `json:"type"`
}

// BadgeFile: A file with members who meet a condition
type BadgeFile struct {
	// A text for people
	Description *string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// The name of the file; null: none
	Name *string `json:"name"`
	// The address of the file
	URL string `json:"url"`
}

// BadgeJob: A job that judges members for a badge, or imports its lists (contract 3.21)
type BadgeJob struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// Shown to secret keys only
	Message *string `json:"message"`
	// Where the job stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
}

// BadgeProgress: How far a member is toward one condition
type BadgeProgress struct {
	// true: it is met
	Complete bool `json:"complete"`
	// What there is
	Current Decimal `json:"current"`
	// The condition
	LoyaltyConditionID string `json:"loyaltyConditionId"`
	// What is needed
	Required Decimal `json:"required"`
	// What the condition asks (contract 2)
	Type string `json:"type"`
}

// BadgeReward: What holders of a badge get (contract 3.21)
type BadgeReward struct {
	// Points or tokens; 0 for other rewards
	Amount Decimal `json:"amount"`
	// The id, a UUID
	ID string `json:"id"`
	// true: a multiplier also multiplies the present balance once
	IsRetroactive bool `json:"isRetroactive"`
	// The further badge that is granted; null for other rewards
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// The currency of points and tokens; null for other rewards
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// For multipliers; empty: all currencies
	LoyaltyCurrencyIDs []string `json:"loyaltyCurrencyIds"`
	// The factor of a multiplier; 1 for other rewards
	Multiplier Decimal `json:"multiplier"`
	// What members get. One of: points, multiplier, badge, token.
	RewardType string `json:"rewardType"`
}

// BadgeThing: What a condition or badge refers to
type BadgeThing struct {
	// The id, a UUID
	ID string `json:"id"`
	// The name, for people
	Name string `json:"name"`
}

// BadgeUser: A member’s badge, also one that is not earned yet (contract 3.21)
type BadgeUser struct {
	// Left out until granted
	CompletedAt *time.Time `json:"completedAt"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// true: the member has dismissed the badge
	DismissedInUI bool `json:"dismissedInUi"`
	// true: not shown to members
	HideInUI bool `json:"hideInUi"`
	// The id, a UUID
	ID string `json:"id"`
	// The badge
	LoyaltyBadgeID string `json:"loyaltyBadgeId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How far the member is, by condition
	Progress []BadgeProgress `json:"progress"`
	// active while the badge is held. One of: active, inactive, revoked.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member
	User ShortUser `json:"user"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// BannerInput: The banner of a page section
type BannerInput struct {
	// The pictures that the banner turns through
	Carousel Optional[CarouselInput] `json:"carousel,omitzero"`
	// The id, a UUID
	ID Optional[string] `json:"id,omitzero"`
	// The collections that the banner shows
	WebsiteCollectionBanners Optional[[]ShownInput] `json:"websiteCollectionBanners,omitzero"`
}

// BegunReplay: A replay that has begun
type BegunReplay struct {
	// The id, a UUID
	ID string `json:"id"`
	// Percent of the period that is done
	Progress int64 `json:"progress"`
	// Where the job stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
}

// BidsAuction: The auction of a bid
type BidsAuction struct {
	// The id, a UUID
	ID string `json:"id"`
	// The name of the auction
	Name string `json:"name"`
}

// BlockInput: A block of the loyalty page (contract 3.30)
type BlockInput struct {
	// The id of an existing block; absent: a new block
	ID Optional[string] `json:"id,omitzero"`
	// true: client keys do not see it
	IsHidden Optional[bool] `json:"isHidden,omitzero"`
	// The group of rules that the block shows
	LoyaltyRuleGroupID Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	// Settings of the block for your website, stored as they are sent
	Metadata any `json:"metadata,omitempty"`
	// Default: its place in the list, from 0
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The second heading
	SubTitle Optional[string] `json:"subTitle,omitzero"`
	// The heading
	Title Optional[string] `json:"title,omitzero"`
	// A name of your own, such as hero or leaderboard
	Type string `json:"type"`
}

// BlockchainInput: An event or a call of a contract to watch (contract 3.32)
type BlockchainInput struct {
	// EVENT or FUNCTION
	BlockchainSubscriptionType Optional[string] `json:"blockchainSubscriptionType,omitzero"`
	// The chain id of the network
	ChainID Optional[int64] `json:"chainId,omitzero"`
	// The address of the contract
	ContractAddress Optional[string] `json:"contractAddress,omitzero"`
	// A JSON fragment or a signature such as event Transfer(address indexed from, address indexed to,
	// uint256 value)
	EventABI Optional[string] `json:"eventAbi,omitzero"`
	// The first block that counts. Default: the newest one
	FromBlock Optional[string] `json:"fromBlock,omitzero"`
	// The function, as JSON or as a signature
	FunctionABI Optional[string] `json:"functionAbi,omitzero"`
	// An id of your own, carried in events
	TriggerID Optional[string] `json:"triggerId,omitzero"`
}

// BlockchainSource: An event or a call of a contract that is watched (contract 3.32)
type BlockchainSource struct {
	// The blocks from fromBlock on that are still to be read; absent once all are
	Backfill *Backfill `json:"backfill"`
	// EVENT: logs of contracts; FUNCTION: calls. One of: EVENT, FUNCTION.
	BlockchainSubscriptionType string `json:"blockchainSubscriptionType"`
	// The chain id of the network
	ChainID int64 `json:"chainId"`
	// The address of the contract
	ContractAddress string `json:"contractAddress"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The newest block when it was created; 0: the chain was not read
	CreatedAtBlock string `json:"createdAtBlock"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The event, as JSON or as a signature
	EventABI string `json:"eventAbi"`
	// The first topic of the event, or the selector of the function
	EventSelector string `json:"eventSelector"`
	// The first block that counts. Default: the newest one
	FromBlock string `json:"fromBlock"`
	// The function, as JSON or as a signature
	FunctionABI string `json:"functionAbi"`
	// The id, a UUID
	ID string `json:"id"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
}

// BoughtOnMetadata: Settings of rules of type bought_on. Members buy tokens with their wallet.
type BoughtOnMetadata struct {
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]BoughtOnMetadataCollection] `json:"collection,omitzero"`
	// The market whose sales count, by the operator’s name for it; null: any
	FillSource Optional[string] `json:"fillSource,omitzero"`
	// false: fillSource does not count
	HasFillSource Optional[bool] `json:"hasFillSource,omitzero"`
	// false: saleCurrency does not count
	HasSaleCurrency Optional[bool] `json:"hasSaleCurrency,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// true: only sales in the network’s coin count
	OnlyNative Optional[bool] `json:"onlyNative,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
	// The address of the token that sales are paid in, or native; null: any
	SaleCurrency Optional[string] `json:"saleCurrency,omitzero"`
}

type BoughtOnMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// BoughtOnRule: A rule of type bought_on, with its settings
type BoughtOnRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: bought_on.
	Type string `json:"type"`
}

// BoughtWithRoyaltiesMetadata: Settings of rules of type bought_with_royalties. Members buy tokens and
// pay you royalties.
type BoughtWithRoyaltiesMetadata struct {
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]BoughtWithRoyaltiesMetadataCollection] `json:"collection,omitzero"`
	// The market whose sales count, by the operator’s name for it; null: any
	FillSource Optional[string] `json:"fillSource,omitzero"`
	// false: fillSource does not count
	HasFillSource Optional[bool] `json:"hasFillSource,omitzero"`
	// Sales with full royalties are types of their own; kept for older clients
	HasPaidFullRoyalty Optional[bool] `json:"hasPaidFullRoyalty,omitzero"`
	// false: saleCurrency does not count
	HasSaleCurrency Optional[bool] `json:"hasSaleCurrency,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// true: only sales in the network’s coin count
	OnlyNative Optional[bool] `json:"onlyNative,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
	// Who receives the royalty; null: the address that the collection names
	RoyaltyAddress Optional[string] `json:"royaltyAddress,omitzero"`
	// The royalty in percent of the price; null: the royaltyFee of the collection
	RoyaltyPercentage Optional[NumberOrText] `json:"royaltyPercentage,omitzero"`
	// The address of the token that sales are paid in, or native; null: any
	SaleCurrency Optional[string] `json:"saleCurrency,omitzero"`
}

type BoughtWithRoyaltiesMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// BoughtWithRoyaltiesRule: A rule of type bought_with_royalties, with its settings
type BoughtWithRoyaltiesRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: bought_with_royalties.
	Type string `json:"type"`
}

// CSVInput: A file with members who meet the csv condition of a badge
type CSVInput struct {
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// A name for the file
	Name Optional[string] `json:"name,omitzero"`
	// The address of the file
	Src string `json:"src"`
}

// Callback: The last answer of the receiver of an event
type Callback struct {
	// What the receiver answered
	Response CallbackResponse `json:"response"`
}

// CallbackResponse: An answer of the receiver, its beginning
type CallbackResponse struct {
	// The answer, its first 1,024 bytes
	Body string `json:"body"`
	// How long it took, in milliseconds
	DurationMs int64 `json:"durationMs"`
	// Why the attempt failed; null: it did not
	Error *string `json:"error"`
	// The HTTP status of the answer; null: there was none
	Status *int64 `json:"status"`
}

// CancelAuctionInputBody: Input of the operation: Cancel an auction
type CancelAuctionInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CancelLotInputBody: Input of the operation: Cancel held points
type CancelLotInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Kept with the lot
	Reason Optional[string] `json:"reason,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CaptureHoldInputBody: Input of the operation: Capture a hold, or a part of it
type CaptureHoldInputBody struct {
	// Above 0 and at most what is held, which is the default
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CarouselInput: The pictures of a banner
type CarouselInput struct {
	// The pictures
	CarouselItems Optional[[]CarouselItemInput] `json:"carouselItems,omitzero"`
	// The id, a UUID
	ID Optional[string] `json:"id,omitzero"`
}

// CarouselItemInput: A picture of a banner
type CarouselItemInput struct {
	// The id, a UUID
	ID Optional[string] `json:"id,omitzero"`
	// Default: its place in the list, from 0
	SortID Optional[int64] `json:"sortId,omitzero"`
}

// ChainBody: A rule chain
type ChainBody struct {
	// The chain
	Data RuleChain `json:"data"`
}

// ChainCondition: A condition of a rule chain (contract 3.17)
type ChainCondition struct {
	// For points the balance that is needed, for level the worst rank, else 0
	Amount Decimal `json:"amount"`
	// What the condition refers to
	Association []ChainNeedful `json:"association"`
	// Shown to secret keys only
	CSVURL *string `json:"csvUrl"`
	// A text for people
	Description string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// How often the rule must be completed
	RepeatCount int64 `json:"repeatCount"`
	// null: all
	RequiredCount *int64 `json:"requiredCount"`
	// What the condition asks (contract 2). One of: rule, rules, section, points, level, api, badge,
	// badges, csv.
	Type string `json:"type"`
}

// ChainNeedful: What a condition of a chain refers to
type ChainNeedful struct {
	// The id, a UUID
	ID string `json:"id"`
	// The badge that is needed; null for other conditions
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// The currency
	LoyaltyCurrency *Named `json:"loyaltyCurrency"`
	// The currency of the balance or rank; null for other conditions
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// The rule
	LoyaltyRule *Named `json:"loyaltyRule"`
	// The group of a condition of type section; null for others
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	// The rule
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
}

// ChangeRolesInputBody: Input of the operation: Grant and revoke roles
type ChangeRolesInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
	// The roles to grant or, with deletedAt, to revoke
	WebsiteUserRoles []RoleChange `json:"websiteUserRoles"`
}

// ChangedRoles: The roles that were written
type ChangedRoles struct {
	// The roles as they are now
	Data []UserRole `json:"data"`
}

// ChatServerJoinMetadata: Settings of rules of type chat_server_join. Members join your chat server.
type ChatServerJoinMetadata struct {
	// The chat servers that count, with their channels and roles
	ChatServersToJoin Optional[[]ChatServerJoinMetadataChatServersToJoin] `json:"chatServersToJoin,omitzero"`
	// Whether members see the servers to join. For display; the service does not use it
	EnableJoinChatServers Optional[bool] `json:"enableJoinChatServers,omitzero"`
}

type ChatServerJoinMetadataChatServersToJoin struct {
	// The channels whose messages count; empty: all of the server
	Channels Optional[[]ChatServerJoinMetadataChatServersToJoinChannel] `json:"channels,omitzero"`
	// The server
	ID string `json:"id"`
	// Roles of which a member must have one
	Roles Optional[[]ChatServerJoinMetadataChatServersToJoinRole] `json:"roles,omitzero"`
}

type ChatServerJoinMetadataChatServersToJoinChannel struct {
	// Emojis of which a message must have one
	Emojis Optional[[]ChatServerJoinMetadataChatServersToJoinChannelEmoji] `json:"emojis,omitzero"`
	// The channel; null: all of the server
	ID Optional[string] `json:"id,omitzero"`
	// Text that a message must have
	Text Optional[string] `json:"text,omitzero"`
}

type ChatServerJoinMetadataChatServersToJoinChannelEmoji struct {
	// The emoji
	ID string `json:"id"`
}

type ChatServerJoinMetadataChatServersToJoinRole struct {
	// The role
	ID string `json:"id"`
}

// ChatServerJoinRule: A rule of type chat_server_join, with its settings
type ChatServerJoinRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: chat_server_join.
	Type string `json:"type"`
}

// ChatServerMemberMetadata: Settings of rules of type chat_server_member. Members are on your chat
// server.
type ChatServerMemberMetadata struct {
	// The chat servers that count, with their channels and roles
	ChatServersToJoin Optional[[]ChatServerMemberMetadataChatServersToJoin] `json:"chatServersToJoin,omitzero"`
	// Whether members see the servers to join. For display; the service does not use it
	EnableJoinChatServers Optional[bool] `json:"enableJoinChatServers,omitzero"`
}

type ChatServerMemberMetadataChatServersToJoin struct {
	// The channels whose messages count; empty: all of the server
	Channels Optional[[]ChatServerMemberMetadataChatServersToJoinChannel] `json:"channels,omitzero"`
	// The server
	ID string `json:"id"`
	// Roles of which a member must have one
	Roles Optional[[]ChatServerMemberMetadataChatServersToJoinRole] `json:"roles,omitzero"`
}

type ChatServerMemberMetadataChatServersToJoinChannel struct {
	// Emojis of which a message must have one
	Emojis Optional[[]ChatServerMemberMetadataChatServersToJoinChannelEmoji] `json:"emojis,omitzero"`
	// The channel; null: all of the server
	ID Optional[string] `json:"id,omitzero"`
	// Text that a message must have
	Text Optional[string] `json:"text,omitzero"`
}

type ChatServerMemberMetadataChatServersToJoinChannelEmoji struct {
	// The emoji
	ID string `json:"id"`
}

type ChatServerMemberMetadataChatServersToJoinRole struct {
	// The role
	ID string `json:"id"`
}

// ChatServerMemberRule: A rule of type chat_server_member, with its settings
type ChatServerMemberRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: chat_server_member.
	Type string `json:"type"`
}

// ChatServerMessagesMetadata: Settings of rules of type chat_server_messages. Members send messages on
// your chat server.
type ChatServerMessagesMetadata struct {
	// The chat servers that count, with their channels and roles
	ChatServersToJoin Optional[[]ChatServerMessagesMetadataChatServersToJoin] `json:"chatServersToJoin,omitzero"`
	// Whether members see the servers to join. For display; the service does not use it
	EnableJoinChatServers Optional[bool] `json:"enableJoinChatServers,omitzero"`
}

type ChatServerMessagesMetadataChatServersToJoin struct {
	// The channels whose messages count; empty: all of the server
	Channels Optional[[]ChatServerMessagesMetadataChatServersToJoinChannel] `json:"channels,omitzero"`
	// The server
	ID string `json:"id"`
	// Roles of which a member must have one
	Roles Optional[[]ChatServerMessagesMetadataChatServersToJoinRole] `json:"roles,omitzero"`
}

type ChatServerMessagesMetadataChatServersToJoinChannel struct {
	// Emojis of which a message must have one
	Emojis Optional[[]ChatServerMessagesMetadataChatServersToJoinChannelEmoji] `json:"emojis,omitzero"`
	// The channel; null: all of the server
	ID Optional[string] `json:"id,omitzero"`
	// Text that a message must have
	Text Optional[string] `json:"text,omitzero"`
}

type ChatServerMessagesMetadataChatServersToJoinChannelEmoji struct {
	// The emoji
	ID string `json:"id"`
}

type ChatServerMessagesMetadataChatServersToJoinRole struct {
	// The role
	ID string `json:"id"`
}

// ChatServerMessagesRule: A rule of type chat_server_messages, with its settings
type ChatServerMessagesRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: chat_server_messages.
	Type string `json:"type"`
}

// ChatServerRoleGrantMetadata: Settings of rules of type chat_server_role_grant. Members get a certain
// role on your chat server.
type ChatServerRoleGrantMetadata struct {
	// The chat servers that count, with their channels and roles
	ChatServersToJoin Optional[[]ChatServerRoleGrantMetadataChatServersToJoin] `json:"chatServersToJoin,omitzero"`
	// Whether members see the servers to join. For display; the service does not use it
	EnableJoinChatServers Optional[bool] `json:"enableJoinChatServers,omitzero"`
}

type ChatServerRoleGrantMetadataChatServersToJoin struct {
	// The channels whose messages count; empty: all of the server
	Channels Optional[[]ChatServerRoleGrantMetadataChatServersToJoinChannel] `json:"channels,omitzero"`
	// The server
	ID string `json:"id"`
	// Roles of which a member must have one
	Roles Optional[[]ChatServerRoleGrantMetadataChatServersToJoinRole] `json:"roles,omitzero"`
}

type ChatServerRoleGrantMetadataChatServersToJoinChannel struct {
	// Emojis of which a message must have one
	Emojis Optional[[]ChatServerRoleGrantMetadataChatServersToJoinChannelEmoji] `json:"emojis,omitzero"`
	// The channel; null: all of the server
	ID Optional[string] `json:"id,omitzero"`
	// Text that a message must have
	Text Optional[string] `json:"text,omitzero"`
}

type ChatServerRoleGrantMetadataChatServersToJoinChannelEmoji struct {
	// The emoji
	ID string `json:"id"`
}

type ChatServerRoleGrantMetadataChatServersToJoinRole struct {
	// The role
	ID string `json:"id"`
}

// ChatServerRoleGrantRule: A rule of type chat_server_role_grant, with its settings
type ChatServerRoleGrantRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: chat_server_role_grant.
	Type string `json:"type"`
}

// CheckInMetadata: Settings of rules of type check_in. Members check in every day, week or month, and
// can earn more with streaks.
type CheckInMetadata struct {
	// Ids of rules, or "any" for all: completing one of them counts as a check-in (contract 5.9)
	AutoCheckInRuleIDs Optional[[]string] `json:"autoCheckInRuleIds,omitzero"`
	// true: check-ins in consecutive windows count as a streak (contract 5.9)
	EnableStreaks Optional[bool] `json:"enableStreaks,omitzero"`
	// true: the first change of the member’s balance in a window counts as a check-in
	IsCheckInOnEveryTxn Optional[bool] `json:"isCheckInOnEveryTxn,omitzero"`
	// What members get in addition when a streak reaches a milestone, once per streak
	StreakArray Optional[[]CheckInMetadataStreakArray] `json:"streakArray,omitzero"`
}

type CheckInMetadataStreakArray struct {
	// The points in addition, at least 0
	StreakAmount Optional[NumberOrText] `json:"streakAmount,omitzero"`
	// Consecutive windows with a check-in, at least 1; each milestone once
	StreakMilestone Optional[NumberOrText] `json:"streakMilestone,omitzero"`
}

// CheckInRule: A rule of type check_in, with its settings
type CheckInRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: check_in.
	Type string `json:"type"`
}

// ChoiceBody: A choice of a question
type ChoiceBody struct {
	// The id of an existing choice; ignored on creation
	ID Optional[string] `json:"id,omitzero"`
	// Absent: as it was, of a new choice false. Polls take any choice
	IsCorrect Optional[bool] `json:"isCorrect,omitzero"`
	// A number or a text to sort by, numbers first
	SortIdentifier Optional[NumberOrText] `json:"sortIdentifier,omitzero"`
	// The answer that members see
	Text string `json:"text"`
}

// ClaimDataJob: The import of the list of a token claim
type ClaimDataJob struct {
	// The id, a UUID
	ID string `json:"id"`
	// Why it failed, or which rows were skipped
	Message *string `json:"message"`
	// Where the job stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
}

// ClaimEligibility: Whether a wallet can claim now
type ClaimEligibility struct {
	// true: the wallet has claimed
	AlreadyClaimed bool `json:"alreadyClaimed"`
	// The allocation of the wallet, as a decimal
	Amount string `json:"amount"`
	// The contract that pays claims
	ClaimContractAddress *string `json:"claimContractAddress"`
	// When it was claimed; null: not yet
	ClaimedAt *time.Time `json:"claimedAt"`
	// true: the wallet can claim now
	Eligible bool `json:"eligible"`
	// Empty if no driver reads the staking contract
	Stakes []ClaimStake `json:"stakes"`
	// The token claim
	TokenClaimID string `json:"tokenClaimId"`
}

// ClaimProof: The Merkle proof of a wallet
type ClaimProof struct {
	// From the bottom up
	Proof []string `json:"proof"`
	// The token claim
	TokenClaimID string `json:"tokenClaimId"`
	// A decimal
	TotalAllocation string `json:"totalAllocation"`
	// The wallet that the proof is of
	WalletAddress string `json:"walletAddress"`
}

// ClaimReceipt: The report of a claim
type ClaimReceipt struct {
	// What was claimed
	Data ClaimedAllocation `json:"data"`
	// A text for people
	Message string `json:"message"`
}

// ClaimStake: Tokens that a wallet has staked
type ClaimStake struct {
	// The tokens in the stake, a decimal
	Amount string `json:"amount"`
	// The tokens that can be taken now, a decimal
	Claimable string `json:"claimable"`
	// The tokens that were taken, a decimal
	Claimed string `json:"claimed"`
	// How long the stake lasts, in seconds
	Duration int64 `json:"duration"`
	// The id of the stake in its contract
	StakeID string `json:"stakeId"`
	// When the stake began
	StartTime time.Time `json:"startTime"`
}

// ClaimToken: The token of a claim
type ClaimToken struct {
	// The address of the contract
	Address string `json:"address"`
	// The chain id of the network; null: not on a chain
	ChainID *int64 `json:"chainId"`
	// The id, a UUID
	ID string `json:"id"`
	// The name of the token’s contract; null: none
	Name *string `json:"name"`
}

// ClaimTokenBody: Input of the operation: Report that a wallet has claimed
type ClaimTokenBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// 0x and 64 hexadecimal digits
	TxHash string `json:"txHash"`
	// The wallet that has claimed
	WalletAddress string `json:"walletAddress"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ClaimUser: A wallet on the list of a token claim
type ClaimUser struct {
	// A decimal
	Amount string `json:"amount"`
	// When it was claimed; null: not yet
	ClaimedAt *time.Time `json:"claimedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The member
	User AllocatedUser `json:"user"`
}

// ClaimedAllocation: What a wallet has claimed
type ClaimedAllocation struct {
	// When it was claimed; null: not yet
	ClaimedAt *time.Time `json:"claimedAt"`
	// The token claim
	TokenClaimID string `json:"tokenClaimId"`
	// A decimal
	TotalAllocation string `json:"totalAllocation"`
	// The wallet that has claimed
	WalletAddress string `json:"walletAddress"`
}

// ClearingJob: A job that debits many members: a reset of a currency, or the end of a rule
type ClearingJob struct {
	// That were debited so far
	Accounts int64 `json:"accounts"`
	// The sum of all debits so far
	Amount Decimal `json:"amount"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The user who created it; null: the service
	CreatedByID *string `json:"createdById"`
	// The id, a UUID
	ID string `json:"id"`
	// For a reset: its currency
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// For the debit of a deleted rule: the rule
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// Why it was cancelled, or what it left out
	Message *string `json:"message"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Where the job stands. One of: processing, complete, cancelled.
	Status string `json:"status"`
	// What is reset, or that the points of a deleted rule are debited. One of: loyalty_reset_balances,
	// loyalty_reset_balances_data_and_rules, loyalty_reset_balances_data_not_rules, loyalty_rule_debit.
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// CodeEntryMetadata: Settings of rules of type code_entry. Members enter a code that you hand out.
type CodeEntryMetadata struct {
	// true: a member is rewarded for every code, whatever the interval of the rule
	AllowMultipleRedemptions Optional[bool] `json:"allowMultipleRedemptions,omitzero"`
	// The code that all members enter, for promoCodeType code. Only organization and website keys see it
	PromoCode Optional[string] `json:"promoCode,omitzero"`
	// A file with one single-use code per line, for promoCodeType csv. Only organization and website keys
	// see it
	PromoCodeCSVURL Optional[string] `json:"promoCodeCsvUrl,omitzero"`
	// How many single-use codes the service creates, for promoCodeType generate
	PromoCodeLength Optional[int64] `json:"promoCodeLength,omitzero"`
	// One code for all members (code, the default), or single-use codes from a file (csv) or created by
	// the service (generate). One of: code, csv, generate.
	PromoCodeType Optional[string] `json:"promoCodeType,omitzero"`
}

// CodeEntryRule: A rule of type code_entry, with its settings
type CodeEntryRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: code_entry.
	Type string `json:"type"`
}

// CodeHostMergeRequestMetadata: Settings of rules of type code_host_merge_request. Members get a merge
// request accepted in one of your repositories.
type CodeHostMergeRequestMetadata struct {
	// The branch that changes are merged into; null: any
	CodeHostBranchName Optional[string] `json:"codeHostBranchName,omitzero"`
	// The repository, as https://host/owner/name
	CodeHostRepoURL Optional[string] `json:"codeHostRepoUrl,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

// CodeHostMergeRequestRule: A rule of type code_host_merge_request, with its settings
type CodeHostMergeRequestRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: code_host_merge_request.
	Type string `json:"type"`
}

// CodeHostRepoCollaboratorMetadata: Settings of rules of type code_host_repo_collaborator. Members
// become collaborators on one of your repositories.
type CodeHostRepoCollaboratorMetadata struct {
	// The repository, as https://host/owner/name
	CodeHostRepoURL Optional[string] `json:"codeHostRepoUrl,omitzero"`
}

// CodeHostRepoCollaboratorRule: A rule of type code_host_repo_collaborator, with its settings
type CodeHostRepoCollaboratorRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: code_host_repo_collaborator.
	Type string `json:"type"`
}

// CodeHostRepoForkMetadata: Settings of rules of type code_host_repo_fork. Members fork one of your
// repositories.
type CodeHostRepoForkMetadata struct {
	// The repository, as https://host/owner/name
	CodeHostRepoURL Optional[string] `json:"codeHostRepoUrl,omitzero"`
}

// CodeHostRepoForkRule: A rule of type code_host_repo_fork, with its settings
type CodeHostRepoForkRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: code_host_repo_fork.
	Type string `json:"type"`
}

// CodeHostRepoStarMetadata: Settings of rules of type code_host_repo_star. Members star one of your
// repositories.
type CodeHostRepoStarMetadata struct {
	// The repository, as https://host/owner/name
	CodeHostRepoURL Optional[string] `json:"codeHostRepoUrl,omitzero"`
}

// CodeHostRepoStarRule: A rule of type code_host_repo_star, with its settings
type CodeHostRepoStarRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: code_host_repo_star.
	Type string `json:"type"`
}

// CodeList: One page of the codes of a rule
type CodeList struct {
	// true: all codes are there; false: they are still created or imported
	Complete bool `json:"complete"`
	// The items of this page
	Data []RedemptionCode `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// CodeSent: A code was sent
type CodeSent struct {
	// A text for people
	Message string `json:"message"`
	// true: it was done
	Success bool `json:"success"`
	// The member whose number it is
	UserID string `json:"userId"`
}

// Collection: A contract whose tokens count for a rule
type Collection struct {
	// The address of the contract
	Address string `json:"address"`
	// The blockchain, by a name of contract 2.1
	Network string `json:"network"`
	// The short name of the token, for display
	Symbol Optional[string] `json:"symbol,omitzero"`
}

// CollectionSummary: A collection of the website
type CollectionSummary struct {
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// The minting contract of the collection; null: none
	MintingContractID *string `json:"mintingContractId"`
	// The name, for people
	Name string `json:"name"`
}

// CompleteRuleInputBody: Input of the operation: Complete a rule for a user
type CompleteRuleInputBody struct {
	// In place of the rule's amount; external_rule only
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// The link of what the member posted, for types that ask for it
	ContentURL Optional[string] `json:"contentUrl,omitzero"`
	// Only for external_rule. Unique on the website forever, among completions and entries together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	// The choice
	LoyaltyQuestionChoiceID Optional[string] `json:"loyaltyQuestionChoiceId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
	// the amount is paid for each unit of it
	RangeValue Optional[Decimal] `json:"rangeValue,omitzero"`
	// true: chains and required rules do not stop the completion. Not through client keys
	SkipChainOrRequiredCheck Optional[bool] `json:"skipChainOrRequiredCheck,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// What the member entered: a code or a text
	VerificationCode Optional[string] `json:"verificationCode,omitzero"`
	// true, as boolean or text: every check and no reward
	VerifyOnly Optional[bool] `json:"verifyOnly,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CompletionBody: The answer to a completion (contract 4.2)
type CompletionBody struct {
	// The result
	Data CompletionData `json:"data"`
	// For people; programs read data
	Message string `json:"message"`
}

// CompletionData: What came of a completion
type CompletionData struct {
	// The transaction that pays the reward; absent if no points were paid
	LoyaltyTransactionID *string `json:"loyaltyTransactionId"`
	// What was paid
	Rewards []Paid `json:"rewards"`
	// completed, or pending while it is worked on. One of: completed, pending.
	Status string `json:"status"`
	// With verifyOnly, to secret keys: what the rule's function would ask the payout driver for. Nothing
	// of it is sent
	Transactions []AddedCall `json:"transactions"`
}

// ConditionInput: A condition of a badge or rule chain (contract 3.21)
type ConditionInput struct {
	// points: the balance; level: the worst rank, up to 5000
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// A file with the members who meet the condition
	CSVURL Optional[string] `json:"csvUrl,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// The badges of the condition
	LoyaltyBadgeIDs Optional[[]string] `json:"loyaltyBadgeIds,omitzero"`
	// The currency of a condition of type points or level
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	// Stored; no condition refers to it
	LoyaltyLeaderboardViewIDs Optional[[]string] `json:"loyaltyLeaderboardViewIds,omitzero"`
	// The group of a condition of type section
	LoyaltyRuleGroupIDs Optional[[]string] `json:"loyaltyRuleGroupIds,omitzero"`
	// The rule of a condition of type rule
	LoyaltyRuleID Optional[string] `json:"loyaltyRuleId,omitzero"`
	// The rules of the condition
	LoyaltyRuleIDs Optional[[]string] `json:"loyaltyRuleIds,omitzero"`
	// How often the rule must be completed
	RepeatCount Optional[int64] `json:"repeatCount,omitzero"`
	// How many of the rules, badges or rules of the group are needed
	RequiredCount Optional[int64] `json:"requiredCount,omitzero"`
	// What the condition asks (contract 2). One of: rule, rules, section, points, level, api, badge,
	// badges, csv.
	Type string `json:"type"`
}

// ConnectBody: Input of the operation: Connect a wallet
type ConnectBody struct {
	// The wallet may leave another group
	ConfirmDisconnect Optional[bool] `json:"confirmDisconnect,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The user whose group the wallet joins
	UserID Optional[string] `json:"userId,omitzero"`
	// The proof that the wallet is the member’s
	VerificationData Optional[VerificationData] `json:"verificationData,omitzero"`
	// The wallet to connect
	WalletAddress string `json:"walletAddress"`
	// The kind of wallet, which says how the signature is checked. One of: agw, cosmos, evm, flow_cadence,
	// imx, solana, substrate, sui, ton.
	WalletType string `json:"walletType"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ConnectPhoneBody: Input of the operation: Connect a phone number by its code
type ConnectPhoneBody struct {
	// The code that was sent to the number
	Code string `json:"code"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// In E.164 format
	PhoneNumber string `json:"phoneNumber"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ConnectWalletMetadata: Settings of rules of type connect_wallet. Members connect a wallet and prove
// that they own it.
type ConnectWalletMetadata struct {
	// The type of wallet that counts; null: any. One of: evm, solana, imx, sui, ton, cosmos, agw,
	// flow_cadence, substrate.
	WalletType Optional[string] `json:"walletType,omitzero"`
}

// ConnectWalletRule: A rule of type connect_wallet, with its settings
type ConnectWalletRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: connect_wallet.
	Type string `json:"type"`
}

// ConnectedAccount: The result of connecting an account
type ConnectedAccount struct {
	// With MAXIMUM_ACCOUNT_LINKED: moves the account by POST /api/users/verify, within 15 minutes
	AccountLinkData *string `json:"accountLinkData"`
	// Why the proof does not count, for programs
	Error *string `json:"error"`
	// A text for people
	Message *string `json:"message"`
	// true: it was done
	Success bool `json:"success"`
}

// ConnectedMicroblogMetadata: Settings of rules of type connected_microblog. Members connect a
// microblog account. You can require a minimum number of followers.
type ConnectedMicroblogMetadata struct {
	// The fewest followers that an account must have; null: any number
	MinimumFollowerCount Optional[NumberOrText] `json:"minimumFollowerCount,omitzero"`
}

// ConnectedMicroblogRule: A rule of type connected_microblog, with its settings
type ConnectedMicroblogRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: connected_microblog.
	Type string `json:"type"`
}

// ConnectedUser: The member whose wallet is connected
type ConnectedUser struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// A member token, if a signature was checked
	Token *string `json:"token"`
	// When the member token ends
	TokenExpiresAt *time.Time `json:"tokenExpiresAt"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The wallet that is connected
	WalletAddress string `json:"walletAddress"`
}

// Contract: A contract on a blockchain (contract 3.23)
type Contract struct {
	// As it was sent; absent with includeAbi=false
	ABI any `json:"abi"`
	// The address of the contract
	Address string `json:"address"`
	// The chain id of the network; null: not on a chain
	ChainID *int64 `json:"chainId"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The URL of the token’s icon
	IconURL *string `json:"iconUrl"`
	// The id, a UUID
	ID string `json:"id"`
	// The name, for people
	Name *string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The standard of the contract
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// ContractCount: How many assets a minting contract has
type ContractCount struct {
	// Live assets that are listed
	IsListed int64 `json:"isListed"`
}

// ContractEvent: An event of a blockchain
type ContractEvent struct {
	// The block
	BlockNumber string `json:"blockNumber"`
	// The address of the contract
	ContractAddress string `json:"contractAddress"`
	// When the event was read
	DetectedAt time.Time `json:"detectedAt"`
	// What tells the event from others of the chain
	EventKey string `json:"eventKey"`
	// The hash of the transaction on the blockchain; null: none
	TxHash string `json:"txHash"`
}

// ContractStats: Sums of a minting contract
type ContractStats struct {
	// Counts
	Count ContractCount `json:"_count"`
	// Sums over the assets
	Sum ContractSum `json:"_sum"`
	// The minting contract
	MintingContractID string `json:"mintingContractId"`
}

// ContractSum: How many items a minting contract has and has minted
type ContractSum struct {
	// How many there are in all; null: without limit
	Quantity *int64 `json:"quantity"`
	// How many were minted
	QuantityMinted *int64 `json:"quantityMinted"`
}

// CountedListAuctionBid: One page of bids, with their number
type CountedListAuctionBid struct {
	// How many items the filter matches in all
	Count *int64 `json:"count"`
	// The items of this page
	Data []AuctionBid `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// CreateAssetInputBody: Input of the operation: Announce a file that will be uploaded
type CreateAssetInputBody struct {
	// Ends with one of png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb
	FileName Optional[string] `json:"fileName,omitzero"`
	// Default images. One of: images, videos, banners, fonts, posts, profiles, minting, loyalty,
	// tokenClaims, dapps.
	FilePath Optional[string] `json:"filePath,omitzero"`
	// Bytes
	FileSize Optional[int64] `json:"fileSize,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The user who owns the file; through client keys the member token's user
	UserID Optional[string] `json:"userId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateAuctionBody: Input of the operation: Create an auction
type CreateAuctionBody struct {
	// The items that winners get
	AuctionItems Optional[[]NewAuctionItem] `json:"auctionItems,omitzero"`
	// Only owners of one of these collections may bid; empty: everyone
	BiddersOwnCollectionAddresses Optional[[]string] `json:"biddersOwnCollectionAddresses,omitzero"`
	// Stored
	CurrencyAddress Optional[string] `json:"currencyAddress,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// Cannot be changed once there is a bid
	EndsAt time.Time `json:"endsAt"`
	// english: a bid so shortly before the end moves the end to so many seconds after it
	ExtendedDurationInSeconds Optional[int64] `json:"extendedDurationInSeconds,omitzero"`
	// true: bids are not shown until the end
	HideBids Optional[bool] `json:"hideBids,omitzero"`
	// Bids are points of it; cannot be changed
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The least bid, a decimal
	MinBidAmount Decimal `json:"minBidAmount"`
	// For english auctions: the least difference between the best bid and the next bid
	MinBidIncrement Optional[Decimal] `json:"minBidIncrement,omitzero"`
	// The minting contract of the items; cannot be changed
	MintingContractID string `json:"mintingContractId"`
	// The name, for people
	Name string `json:"name"`
	// The network of the collections; cannot be changed
	Network Optional[string] `json:"network,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Bids below it win nothing
	ReservePrice Optional[Decimal] `json:"reservePrice,omitzero"`
	// Cannot be changed once there is a bid
	StartsAt time.Time `json:"startsAt"`
	// Cannot be changed. One of: first_price, second_price, english.
	Type string `json:"type"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateBadgeBody: Input of the operation: Create a badge
type CreateBadgeBody struct {
	// The conditions that earn the badge
	Conditions []ConditionInput `json:"conditions"`
	// Further lists of the badge's csv conditions
	CSVFiles Optional[[]CSVInput] `json:"csvFiles,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// true: not shown to members
	HideInUI Optional[bool] `json:"hideInUi,omitzero"`
	// The URL of the picture
	ImageURL string `json:"imageUrl"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// What members get
	Rewards Optional[[]RewardInput] `json:"rewards,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateChainBody: Input of the operation: Lock a rule until conditions hold
type CreateChainBody struct {
	// The conditions
	LoyaltyConditions []ConditionInput `json:"loyaltyConditions"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The name, for people
	Name string `json:"name"`
	// AND: all conditions must hold; OR: one of them. One of: AND, OR.
	OperatorType Optional[string] `json:"operatorType,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateCollectionBody: Input of the operation: Add a collection to a website
type CreateCollectionBody struct {
	// The address of your chat server
	ChatServerURL Optional[string] `json:"chatServerUrl,omitzero"`
	// The contract of the collection
	CollectionAddress string `json:"collectionAddress"`
	// The address of the home page
	HomeURL Optional[string] `json:"homeUrl,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// The address of your messenger group
	MessengerURL Optional[string] `json:"messengerUrl,omitzero"`
	// Your account on the microblog
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The blockchain, by a name of contract 2.1
	Network string `json:"network"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Your account on the photo platform
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee Optional[Decimal] `json:"royaltyFee,omitzero"`
	// Who receives royalties
	RoyaltyFeeAddress Optional[string] `json:"royaltyFeeAddress,omitzero"`
	// Lists go by it, the lowest first
	SortID int64 `json:"sortId"`
	// The contract that locks its tokens
	StakingAddress Optional[string] `json:"stakingAddress,omitzero"`
	// An id of your own
	ThemeID Optional[string] `json:"themeId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateContractBody: Input of the operation: Register a contract
type CreateContractBody struct {
	// A JSON array, or the text of one
	ABI Optional[any] `json:"abi,omitzero"`
	// The address of the contract
	Address string `json:"address"`
	// The chain id of the network; null: not on a chain
	ChainID Optional[int64] `json:"chainId"`
	// The URL of the token’s icon
	IconURL Optional[string] `json:"iconUrl,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The standard of the contract. One of: erc20, erc721, erc1155, custom.
	Type string `json:"type"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateCurrencyBody: Input of the operation: Create a currency
type CreateCurrencyBody struct {
	// The user name or header for the external ledger. Only organization and website keys see it
	APIAuthKey Optional[string] `json:"apiAuthKey,omitzero"`
	// How the external ledger is called; null: this service keeps the balances. One of: none, basic,
	// bearer, apiKey.
	APIAuthType Optional[string] `json:"apiAuthType,omitzero"`
	// The secret for the external ledger. Only organization and website keys see it
	APIAuthValue Optional[string] `json:"apiAuthValue,omitzero"`
	// Where the external ledger is asked about an entry (contract 5.15)
	APIGetTransactionEntryURL Optional[string] `json:"apiGetTransactionEntryUrl,omitzero"`
	// Where balances are read from the external ledger (contract 5.15)
	APIGetURL Optional[string] `json:"apiGetUrl,omitzero"`
	// Where transactions are posted to the external ledger (contract 5.15)
	APIPostURL Optional[string] `json:"apiPostUrl,omitzero"`
	// How many places a page shows; cannot be changed
	Decimals int64 `json:"decimals"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// How many days points live; null: they do not expire
	PointsExpireAfterDays Optional[int64] `json:"pointsExpireAfterDays,omitzero"`
	// How many hours rewards are held before they are credited; null: not at all
	PointsWaitHours Optional[int64] `json:"pointsWaitHours,omitzero"`
	// The place in lists: the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The short name, such as PTS
	Symbol string `json:"symbol"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateFunctionBody: Input of the operation: Create a function
type CreateFunctionBody struct {
	// The program: a module that exports a handler (contract 7.6)
	Code Optional[string] `json:"code,omitzero"`
	// When it runs by itself, as five fields; null: it does not
	Cron Optional[string] `json:"cron,omitzero"`
	// true: it does nothing
	Disabled Optional[bool] `json:"disabled,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Secrets that the handler gets as input.secrets; they are never returned
	Secrets Optional[map[string]string] `json:"secrets,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateGroupBody: Input of the operation: Create a rule group
type CreateGroupBody struct {
	// true: pages may fold the group
	IsCollapsible Optional[bool] `json:"isCollapsible,omitzero"`
	// true: members complete its rules before others
	IsRequired Optional[bool] `json:"isRequired,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The place in lists: the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The second heading
	SubTitle Optional[string] `json:"subTitle,omitzero"`
	// Another spelling of subTitle
	Subtitle Optional[string] `json:"subtitle,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateHoldBody: Input of the operation: Reserve points of a user for an order
type CreateHoldBody struct {
	// The points to reserve, above 0
	Amount Decimal `json:"amount"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// Default 3600
	ExpiresInSeconds Optional[int64] `json:"expiresInSeconds,omitzero"`
	// Unique on the website forever, among entries, completions and holds together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// At most 16384 bytes
	Metadata any `json:"metadata,omitempty"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateKeyInputBody: Input of the operation: Create an API key
type CreateKeyInputBody struct {
	// For client keys; empty: all origins
	AllowedOrigins Optional[[]string] `json:"allowedOrigins,omitzero"`
	// When the key ends; absent: never
	ExpiresAt Optional[time.Time] `json:"expiresAt,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The role (contract 2). One of: ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY,
	// WEBSITE_CLIENT_API_KEY, STRATUS_API_KEY.
	RoleType string `json:"roleType"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateMintingAssetBody: Input of the operation: Create a minting asset
type CreateMintingAssetBody struct {
	// The URL of a video or animation
	AnimationURL Optional[string] `json:"animationUrl,omitzero"`
	// What members are asked for. One of: customInput, freeText, shippingDetails.
	CollectInfoType Optional[string] `json:"collectInfoType,omitzero"`
	// ONCHAIN: the token that the price is in; null: the network's own
	CurrencyAddress Optional[string] `json:"currencyAddress,omitzero"`
	// The decimal places of the currency
	CurrencyDecimals Optional[int64] `json:"currencyDecimals,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// true: only wallets on the allowlist may mint
	IsAllowlisted Optional[bool] `json:"isAllowlisted,omitzero"`
	// true: not shown to members
	IsHidden Optional[bool] `json:"isHidden,omitzero"`
	// true: members can see and mint it
	IsListed Optional[bool] `json:"isListed,omitzero"`
	// true: a thing that is shipped belongs to it
	IsPhygitalItem Optional[bool] `json:"isPhygitalItem,omitzero"`
	// When it can no longer be minted; null: never
	ListingEndsAt Optional[time.Time] `json:"listingEndsAt,omitzero"`
	// When it can be minted from; null: at once
	ListingStartsAt Optional[time.Time] `json:"listingStartsAt,omitzero"`
	// Needed in an OFFCHAIN contract
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// Data of your own, stored and returned as it was sent. At most 16,384 bytes
	Metadata any `json:"metadata,omitempty"`
	// The minting contract
	MintingContractID string `json:"mintingContractId"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain
	Price Decimal `json:"price"`
	// In all, with those that are minted
	Quantity int64 `json:"quantity"`
	// true: members are asked for collectInfoType
	ShouldCollectUserInfo Optional[bool] `json:"shouldCollectUserInfo,omitzero"`
	// The id of the token in its contract; null: none
	TokenID Optional[int64] `json:"tokenId,omitzero"`
	// true: there is no limit
	UnlimitedQty Optional[bool] `json:"unlimitedQty,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateMintingContractBody: Input of the operation: Create a minting contract
type CreateMintingContractBody struct {
	// Needed to list an ONCHAIN contract
	Address Optional[string] `json:"address,omitzero"`
	// Stays as it was created. One of: ONCHAIN, OFFCHAIN.
	ContractKind string `json:"contractKind"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// true: the driver pays the fees
	EnableGasless Optional[bool] `json:"enableGasless,omitzero"`
	// A link beside the contract
	ExternalLinkURL Optional[string] `json:"externalLinkUrl,omitzero"`
	// true: tokens show what they are only after the reveal
	HasRevealMechanic Optional[bool] `json:"hasRevealMechanic,omitzero"`
	// true: your website hides assets that cannot be minted now
	HideInactiveListings Optional[bool] `json:"hideInactiveListings,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// true: free for holders, and others pay the price
	IsFreeClaimForBadgeHolders Optional[bool] `json:"isFreeClaimForBadgeHolders,omitzero"`
	// true: free for owners, and others pay the price
	IsFreeClaimForTokenHolders Optional[bool] `json:"isFreeClaimForTokenHolders,omitzero"`
	// true: members can see and mint it
	IsListed Optional[bool] `json:"isListed,omitzero"`
	// true: the limit applies to each asset
	IsPerAssetMintLimit Optional[bool] `json:"isPerAssetMintLimit,omitzero"`
	// true: tokens cannot be passed on
	IsSoulbound Optional[bool] `json:"isSoulbound,omitzero"`
	// Badges whose holders may mint
	LoyaltyBadgeIDs Optional[[]string] `json:"loyaltyBadgeIds,omitzero"`
	// The collections whose owners may mint
	MustOwnCollections Optional[[]GatingCollection] `json:"mustOwnCollections,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// Needed to list an ONCHAIN contract
	Network Optional[string] `json:"network,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// 0: no limit
	PerUserMintLimit Optional[int64] `json:"perUserMintLimit,omitzero"`
	// The URL of what is shown before the reveal
	PreRevealMedia Optional[string] `json:"preRevealMedia,omitzero"`
	// Who receives the price
	PrimarySaleRecipientAddress Optional[string] `json:"primarySaleRecipientAddress,omitzero"`
	// The operator’s driver that pays or mints
	RelayerID Optional[string] `json:"relayerId,omitzero"`
	// false: any one collection or badge suffices
	RequireHoldingAllGatedItems Optional[bool] `json:"requireHoldingAllGatedItems,omitzero"`
	// When tokens can be revealed; null: at any time
	RevealAvailableAt Optional[time.Time] `json:"revealAvailableAt,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee Optional[Decimal] `json:"royaltyFee,omitzero"`
	// Who receives royalties
	RoyaltyFeeAddress Optional[string] `json:"royaltyFeeAddress,omitzero"`
	// true: members give an e-mail address
	ShouldCollectEmail Optional[bool] `json:"shouldCollectEmail,omitzero"`
	// true: your website lists it on its marketplace
	ShowOnMarketplace Optional[bool] `json:"showOnMarketplace,omitzero"`
	// The place in lists: the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The short name, such as PTS
	Symbol Optional[string] `json:"symbol,omitzero"`
	// Default erc721; stays as it was created. One of: erc721, erc1155, erc721c.
	TokenType Optional[string] `json:"tokenType,omitzero"`
	// The website's collection of these tokens
	WebsiteCollectionID Optional[string] `json:"websiteCollectionId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreatePartnerAccountMetadata: Settings of rules of type create_partner_account. Members open an
// account with your partner.
type CreatePartnerAccountMetadata struct {
	// The URL that members open, or of the account that they follow
	Link Optional[string] `json:"link,omitzero"`
}

// CreatePartnerAccountRule: A rule of type create_partner_account, with its settings
type CreatePartnerAccountRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: create_partner_account.
	Type string `json:"type"`
}

// CreateQuestionBody: Input of the operation: Create the question of a quiz or poll
type CreateQuestionBody struct {
	// Default false; cannot be changed
	AllowMultipleAttempts Optional[bool] `json:"allowMultipleAttempts,omitzero"`
	// The choices
	LoyaltyQuestionAnswers []ChoiceBody `json:"loyaltyQuestionAnswers"`
	// A quiz or poll, which has one question
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The question
	QuestionText string `json:"questionText"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateReferralCodeBody: Input of the operation: Get or create a member's referral code
type CreateReferralCodeBody struct {
	// Without it a code is generated
	CustomReferralCode Optional[string] `json:"customReferralCode,omitzero"`
	// A rule of type referred_user
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateRuleBody: Input of the operation: Create a rule
type CreateRuleBody struct {
	// The points of a reward, or the value of a multiplier; null: 0
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// The URL of the background picture
	BackgroundAssetURL Optional[string] `json:"backgroundAssetUrl,omitzero"`
	// manual: members claim what a run found; auto: runs pay. null: auto for types that run. One of:
	// manual, auto.
	ClaimType Optional[string] `json:"claimType,omitzero"`
	// The contract that a partner checks
	CollectionAddress Optional[string] `json:"collectionAddress,omitzero"`
	// The contracts whose tokens count
	Collections Optional[[]Collection] `json:"collections,omitzero"`
	// The contracts that are ranked; empty: all of the network
	ContractIDs Optional[[]string] `json:"contractIds,omitzero"`
	// Where the service asks whom to reward (contract 5.14)
	CustomRewardsAPIURL Optional[string] `json:"customRewardsApiUrl,omitzero"`
	// A file that says whom to reward (contract 5.14)
	CustomRewardsCSVURL Optional[string] `json:"customRewardsCsvUrl,omitzero"`
	// The time whose transactions count; null: all time. One of: daily, weekly, monthly.
	DappDataWindow Optional[string] `json:"dappDataWindow,omitzero"`
	// Only applications deployed within this time count; null: all. One of: daily, weekly, monthly.
	DappDeployedWithin Optional[string] `json:"dappDeployedWithin,omitzero"`
	// On update: a time deletes, null brings back
	DeletedAt Optional[time.Time] `json:"deletedAt,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// The rule that this one is a copy of
	DuplicatedFromID Optional[string] `json:"duplicatedFromId,omitzero"`
	// A comment for the history of the rule
	EditComment Optional[string] `json:"editComment,omitzero"`
	// On-chain events count up to here; null: without end
	EffectiveEndTime Optional[time.Time] `json:"effectiveEndTime,omitzero"`
	// On-chain events count from here on; null: from the start of the rule
	EffectiveStartTime Optional[time.Time] `json:"effectiveStartTime,omitzero"`
	// When the rule ends; null: never
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// The id that partners get with each request
	ExternalIntegrationID Optional[string] `json:"externalIntegrationId,omitzero"`
	// How often the rule runs over all members; none and once: it does not (contract 5.3). One of: none,
	// once, hourly, daily, weekly, monthly, immediately.
	Frequency Optional[string] `json:"frequency,omitzero"`
	// The function
	FunctionID Optional[string] `json:"functionId,omitzero"`
	// true: not shown to members
	HideInUI Optional[bool] `json:"hideInUi,omitzero"`
	// How often a member can earn the reward (contract 5.3). One of: hourly, daily, weekly, monthly, once,
	// custom, every_message, unlimited.
	Interval Optional[string] `json:"interval,omitzero"`
	// true: the rule ranks applications; set on creation
	IsDappRule Optional[bool] `json:"isDappRule,omitzero"`
	// true: members complete it before others
	IsRequired Optional[bool] `json:"isRequired,omitzero"`
	// true: hidden from members, so that only bots complete it
	IsSpecial Optional[bool] `json:"isSpecial,omitzero"`
	// The badge that the rule grants; needed for rewardType badge
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// The currency of the points. Default: that of the website, if it has only one
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// A uuid or no-section
	LoyaltyRuleGroupID Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	// A file of members and amounts (contract 5.13)
	LoyaltyUserAllotmentCSVURL Optional[string] `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	// The period of maxAmountPerInterval. One of: daily, weekly, monthly, lifetime.
	MaxAmountInterval Optional[string] `json:"maxAmountInterval,omitzero"`
	// Needs maxAmountInterval
	MaxAmountPerInterval Optional[Decimal] `json:"maxAmountPerInterval,omitzero"`
	// The URL of the picture or video
	MediaURL Optional[string] `json:"mediaUrl,omitzero"`
	// Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
	// bytes
	Metadata any `json:"metadata,omitempty"`
	// The name, for people
	Name string `json:"name"`
	// The blockchain, by a name of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// A name of the operator’s settings for a platform
	OauthCredentialsID Optional[string] `json:"oauthCredentialsId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// percentage: complete at 100; counter: at the end of the highest tier. One of: counter, percentage.
	ProgressType Optional[string] `json:"progressType,omitzero"`
	// dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent. One
	// of: permanent, dynamic.
	RewardLifetime Optional[string] `json:"rewardLifetime,omitzero"`
	// What members get. One of: points, multiplier, badge, token.
	RewardType Optional[string] `json:"rewardType,omitzero"`
	// The shop, if a partner connects several
	ShopStoreURL Optional[string] `json:"shopStoreUrl,omitzero"`
	// true: members see the rule before it starts
	ShowBeforeStart Optional[bool] `json:"showBeforeStart,omitzero"`
	// When the rule starts; null: at once
	StartTime Optional[time.Time] `json:"startTime,omitzero"`
	// The subscription whose events complete the rule
	SubscriptionID Optional[string] `json:"subscriptionId,omitzero"`
	// The token that the rule pays (contract 5.5)
	TokenReward Optional[TokenReward] `json:"tokenReward,omitzero"`
	// true: the reward needs complete progress
	TrackProgress Optional[bool] `json:"trackProgress,omitzero"`
	// Cannot be changed
	Type string `json:"type"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateSectionBody: Input of the operation: Create a page section
type CreateSectionBody struct {
	// The banner
	Banner Optional[BannerInput] `json:"banner,omitzero"`
	// Replaces the former ones
	DiscoveryItems Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero"`
	// When it is no longer shown; null: never
	DurationEnd Optional[time.Time] `json:"durationEnd,omitzero"`
	// When the section is shown from
	DurationStart time.Time `json:"durationStart"`
	// Replaces the former ones
	ItemsGrids Optional[[]ShownInput] `json:"itemsGrids,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The page, for placement page
	PageID Optional[string] `json:"pageId,omitzero"`
	// The kind of section. One of: all_items, discovery_item, discovery_items_grid.
	PageSectionType Optional[string] `json:"pageSectionType,omitzero"`
	// global, or page for the page pageId. One of: global, page.
	Placement string `json:"placement"`
	// Lists go by it, the lowest first. Default 0
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The heading
	Title Optional[string] `json:"title,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateSubscriptionBody: Input of the operation: Subscribe to changes
type CreateSubscriptionBody struct {
	// The events and calls of contracts that are watched
	BlockchainSubscriptions Optional[[]BlockchainInput] `json:"blockchainSubscriptions,omitzero"`
	// Where events are sent; empty: nowhere
	CallbackURL Optional[string] `json:"callbackUrl,omitzero"`
	// Events count up to here
	EndsAt Optional[time.Time] `json:"endsAt,omitzero"`
	// confirmed: events are sent once their block is final; instant: at once
	Finality Optional[string] `json:"finality,omitzero"`
	// Functions that run for each event
	FunctionIDs Optional[[]string] `json:"functionIds,omitzero"`
	// The most events that are sent in a UTC day; further ones are recorded
	MaxEventsPerDay Optional[int64] `json:"maxEventsPerDay,omitzero"`
	// Data of your own, returned with the subscription
	Metadata Optional[any] `json:"metadata,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization, with every key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The tables of the service that are watched
	PlatformSubscriptions Optional[[]PlatformInput] `json:"platformSubscriptions,omitzero"`
	// At most 30 days back: the subscription begins with the events that the website has recorded since
	// then
	ReplayFrom Optional[time.Time] `json:"replayFrom,omitzero"`
	// Events count from here on
	StartsAt Optional[time.Time] `json:"startsAt,omitzero"`
	// The form of the requests: v1 or v2
	Version Optional[string] `json:"version,omitzero"`
	// The website, with every key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// CreateTokenClaimBody: Input of the operation: Create a token claim
type CreateTokenClaimBody struct {
	// true: what is claimed is staked
	ClaimAndStake Optional[bool] `json:"claimAndStake,omitzero"`
	// The contract that pays claims
	ClaimContractAddress Optional[string] `json:"claimContractAddress,omitzero"`
	// A contract of type erc20
	ContractID string `json:"contractId"`
	// Rows of walletAddress,amount
	CSVURL Optional[string] `json:"csvUrl,omitzero"`
	// When claiming ends; null: never
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// Default 18
	Erc20Decimals Optional[int64] `json:"erc20Decimals,omitzero"`
	// Codes of countries, ISO 3166 alpha-2
	GeoBlock Optional[[]string] `json:"geoBlock,omitzero"`
	// Default true
	IsDraft Optional[bool] `json:"isDraft,omitzero"`
	// true: members choose how much to stake
	IsStakingOptional Optional[bool] `json:"isStakingOptional,omitzero"`
	// The greatest bonus, in percent
	MaxBonus Optional[Decimal] `json:"maxBonus,omitzero"`
	// The shortest time to lock, in days
	MinLockup Optional[Decimal] `json:"minLockup,omitzero"`
	// The shortest time for the multiplier, in days
	MinLockupForMultiplier Optional[Decimal] `json:"minLockupForMultiplier,omitzero"`
	// 0 to 100
	MinPercentageToStake Optional[Decimal] `json:"minPercentageToStake,omitzero"`
	// Default 1
	Multiplier Optional[Decimal] `json:"multiplier,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The operator’s driver that pays or mints
	RelayerID Optional[string] `json:"relayerId,omitzero"`
	// The contract that locks what is staked
	StakingContractAddress Optional[string] `json:"stakingContractAddress,omitzero"`
	// How stakes are released. One of: linear, timelock.
	StakingContractType Optional[string] `json:"stakingContractType,omitzero"`
	// When members can claim from; null: at once
	StartTime Optional[time.Time] `json:"startTime,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// CreateWebsiteInputBody: Input of the operation: Create a website
type CreateWebsiteInputBody struct {
	// Wallets that administer the website
	AdminWalletAddress Optional[[]string] `json:"adminWalletAddress,omitzero"`
	// The address of your chat server
	ChatServerURL Optional[string] `json:"chatServerUrl,omitzero"`
	// The address of the home page
	HomeURL Optional[string] `json:"homeUrl,omitzero"`
	// The address of your messenger group
	MessengerURL Optional[string] `json:"messengerUrl,omitzero"`
	// Your account on the microblog
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Your account on the photo platform
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	// true: client keys name users without a member token
	TrustClientUsers Optional[bool] `json:"trustClientUsers,omitzero"`
}

// CreatedAsset: Where to send the bytes of a file, and where it is found then
type CreatedAsset struct {
	// The id, a UUID
	ID string `json:"id"`
	// Where the bytes are sent by PUT, within 15 minutes
	SignedURL *string `json:"signedUrl"`
	// Where the file is found afterwards, by anyone
	URL string `json:"url"`
}

// Currency: A currency of points (contract 3.8)
type Currency struct {
	// The user name or header for the external ledger. Only organization and website keys see it
	APIAuthKey *string `json:"apiAuthKey"`
	// How the external ledger is called; null: this service keeps the balances
	APIAuthType *string `json:"apiAuthType"`
	// The secret for the external ledger. Only organization and website keys see it
	APIAuthValue *string `json:"apiAuthValue"`
	// Where the external ledger is asked about an entry (contract 5.15)
	APIGetTransactionEntryURL *string `json:"apiGetTransactionEntryUrl"`
	// Where balances are read from the external ledger (contract 5.15)
	APIGetURL *string `json:"apiGetUrl"`
	// Where transactions are posted to the external ledger (contract 5.15)
	APIPostURL *string `json:"apiPostUrl"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The user who created it; null: the service
	CreatedByID *string `json:"createdById"`
	// How many places a page shows; amounts are whole units everywhere
	Decimals int64 `json:"decimals"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// true: the hidden currency of a token reward
	IsTokenRewardCurrency bool `json:"isTokenRewardCurrency"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How many days points live; null: they do not expire
	PointsExpireAfterDays *int64 `json:"pointsExpireAfterDays"`
	// How many hours rewards are held before they are credited; null: not at all
	PointsWaitHours *int64 `json:"pointsWaitHours"`
	// The place in lists: the lowest first
	SortID *int64 `json:"sortId"`
	// The short name, such as PTS
	Symbol string `json:"symbol"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// DataCodeSent: A code was sent
type DataCodeSent struct {
	// The result
	Data CodeSent `json:"data"`
}

// DataConnectedAccount: The result of connecting a phone number
type DataConnectedAccount struct {
	// The result
	Data ConnectedAccount `json:"data"`
}

// DataDisconnected: The phone number was disconnected
type DataDisconnected struct {
	// The result
	Data Disconnected `json:"data"`
}

// DelegateBody: Input of the operation: Delegate a cold wallet to a user
type DelegateBody struct {
	// The cold wallet, which signs
	DelegatorWalletAddress string `json:"delegatorWalletAddress"`
	// The text that the cold wallet signed
	Message Optional[string] `json:"message,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Client keys need it
	Signature Optional[string] `json:"signature,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// Of the cold wallet; by default that which its address has by its form. One of: agw, cosmos, evm,
	// flow_cadence, imx, solana, substrate, sui, ton.
	WalletType Optional[string] `json:"walletType,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// Delegation: A cold wallet that a member may act for
type Delegation struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The cold wallet that delegates to the member
	DelegatorWalletAddress string `json:"delegatorWalletAddress"`
	// The id, a UUID
	ID string `json:"id"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// Delegator: A cold wallet that delegates to a member
type Delegator struct {
	// The wallet that delegates to the member
	WalletAddress string `json:"walletAddress"`
}

// DeleteAttributeInputBody: Input of the operation: Delete the attribute of users that the body names
type DeleteAttributeInputBody struct {
	// The id, a UUID
	ID string `json:"id"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// DeleteNamedMultiplierInputBody: Input of the operation: End a multiplier by its externalIdentifier
type DeleteNamedMultiplierInputBody struct {
	// The identifier of the multiplier that ends
	ExternalIdentifier Optional[string] `json:"externalIdentifier,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// DeletedBody: A deleted rule
type DeletedBody struct {
	// When it was deleted
	DeletedAt time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
}

// Device: A device of a member
type Device struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// An identifier of the device
	DeviceIdentifier *string `json:"deviceIdentifier"`
	// The id, a UUID
	ID string `json:"id"`
	// The address of the device
	IPAddress string `json:"ipAddress"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How the device became known. One of: api.
	Source string `json:"source"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// DeviceBody: Input of the operation: Store a device of a member
type DeviceBody struct {
	// An identifier of the device
	DeviceIdentifier Optional[string] `json:"deviceIdentifier,omitzero"`
	// The address of the device
	IPAddress string `json:"ipAddress"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// DisconnectInputBody: Input of the operation: Disconnect an account
type DisconnectInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// DisconnectPhoneInputBody: Input of the operation: Disconnect the phone number of a user
type DisconnectPhoneInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// Disconnected: The account was disconnected
type Disconnected struct {
	// A text for people
	Message string `json:"message"`
}

// DiscoveryInput: An item of a page section that leads to rules
type DiscoveryInput struct {
	// The label of the button
	ButtonText Optional[string] `json:"buttonText,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// Where the button leads
	ExternalLink Optional[string] `json:"externalLink,omitzero"`
	// true: without the facts of the rules
	HideQuestInfo Optional[bool] `json:"hideQuestInfo,omitzero"`
	// The id of an existing part; ignored on creation
	ID Optional[string] `json:"id,omitzero"`
	// How the item is laid out. One of: container_style, full_width_hero.
	Layout Optional[string] `json:"layout,omitzero"`
	// The group of rules that the item leads to
	LoyaltyRuleGroupID Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	// The URL of the picture or video
	MediaLink Optional[string] `json:"mediaLink,omitzero"`
	// A link to the microblog
	Microblog Optional[string] `json:"microblog,omitzero"`
	// The URL of the picture or video of the item’s page
	PageMediaLink Optional[string] `json:"pageMediaLink,omitzero"`
	// Default: its place in the list, from 0
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The heading
	Title Optional[string] `json:"title,omitzero"`
	// A link to the website
	Website Optional[string] `json:"website,omitzero"`
}

// DiscoveryItem: An item of a page section that leads to rules
type DiscoveryItem struct {
	// The label of the button
	ButtonText *string `json:"buttonText"`
	// A text for people
	Description *string `json:"description"`
	// Where the button leads
	ExternalLink *string `json:"externalLink"`
	// true: without the facts of the rules
	HideQuestInfo bool `json:"hideQuestInfo"`
	// The id, a UUID
	ID string `json:"id"`
	// How the item is laid out
	Layout *string `json:"layout"`
	// The group of rules that the item leads to; null: none
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	// The group of rules; null: none
	LoyaltySection *LoyaltyHeader `json:"loyaltySection"`
	// The URL of the picture or video
	MediaLink *string `json:"mediaLink"`
	// A link to the microblog
	Microblog *string `json:"microblog"`
	// The URL of the picture or video of the item’s page
	PageMediaLink *string `json:"pageMediaLink"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
	// The heading
	Title *string `json:"title"`
	// A link to the website
	Website *string `json:"website"`
}

// EnableInputBody: Input of the operation: Enable a subscription that was disabled
type EnableInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default true
	Replay Optional[bool] `json:"replay,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// Entry: One change of a balance (contract 3.11)
type Entry struct {
	// The points of the entry, above 0; direction says which way
	Amount Decimal `json:"amount"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// credit raises the balance, debit lowers it. One of: credit, debit.
	Direction string `json:"direction"`
	// The id, a UUID
	ID string `json:"id"`
	// A key of the caller, unique per website for ever (contract 1.8)
	IdempotencyKey *string `json:"idempotencyKey"`
	// The account
	LoyaltyAccount EntryAccount `json:"loyaltyAccount"`
	// The balance after the entry; null for main accounts
	LoyaltyAccountEndAmount *Decimal `json:"loyaltyAccountEndAmount"`
	// The account
	LoyaltyAccountID string `json:"loyaltyAccountId"`
	// The account’s lockVersion after the entry; null for main accounts
	LoyaltyAccountLockVersion *int64 `json:"loyaltyAccountLockVersion"`
	// The balance before the entry; null for main accounts
	LoyaltyAccountStartAmount *Decimal `json:"loyaltyAccountStartAmount"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The transaction of the entry
	LoyaltyTransaction EntryTransaction `json:"loyaltyTransaction"`
	// The transaction
	LoyaltyTransactionID string `json:"loyaltyTransactionId"`
	// Data of the caller or of the service, such as orderId or reversalOf
	Metadata map[string]any `json:"metadata"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// What caused it: loyalty_rule, api_key, order, auction_bid or direct_mint. One of: auction_bid,
	// direct_mint, loyalty_rule, api_key, order.
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// EntryAccount: The account of an entry
type EntryAccount struct {
	// The id, a UUID
	ID string `json:"id"`
	// The member
	User *ShortUser `json:"user"`
}

// EntryGroupItem: The group of an entry’s rule
type EntryGroupItem struct {
	// The group of the rule
	LoyaltyRuleGroupID string `json:"loyaltyRuleGroupId"`
}

// EntryRule: The rule that paid
type EntryRule struct {
	// A text for people
	Description string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// The group of the rule; absent without one
	LoyaltyRuleGroupItem *EntryGroupItem `json:"loyaltyRuleGroupItem"`
	// The settings of the rule
	Metadata map[string]any `json:"metadata"`
	// The name, for people
	Name string `json:"name"`
	// What the rule asks of members (contract 6)
	Type string `json:"type"`
}

// EntryTransaction: The transaction of an entry
type EntryTransaction struct {
	// What the transaction was for
	Description string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule that paid; absent without one
	LoyaltyRule *EntryRule `json:"loyaltyRule"`
	// What caused it: loyalty_rule, api_key, order, auction_bid or direct_mint
	Type string `json:"type"`
}

// Event: An event of a subscription, with its delivery (contract 3.33)
type Event struct {
	// How often it was tried
	Attempts int64 `json:"attempts"`
	// The last answer of the receiver; null: none
	Callback *Callback `json:"callback"`
	// The event of the blockchain; null for events of the service
	Event *ContractEvent `json:"event"`
	// The run of a function for the event; null: none
	FunctionRun *EventRun `json:"functionRun"`
	// Present if the subscription has several functions
	FunctionRuns []EventRun `json:"functionRuns"`
	// The id, a UUID
	ID string `json:"id"`
	// When it is tried next; null: no more
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// The whole body of v2
	Payload map[string]any `json:"payload"`
	// Whether the event was delivered. One of: pending, delivered, failed, skipped, held.
	Status string `json:"status"`
	// The table; null for events of blockchains
	Table *string `json:"table"`
	// When it happened
	TriggeredAt time.Time `json:"triggeredAt"`
	// What happened
	Type string `json:"type"`
}

// EventRun: The run of a function for an event
type EventRun struct {
	// The function; null of a rule that decides by itself
	ID *string `json:"id"`
	// The rule that decides on the event; absent of a function that the subscription names itself
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// What the handler returned
	Output any `json:"output"`
	// The id of the run; null: it did not begin
	RunID *string `json:"runId"`
	// How the run ended. One of: pending, succeeded, failed.
	Status string `json:"status"`
}

// Expiring: Points that expire at a time
type Expiring struct {
	// The points that expire then
	Amount Decimal `json:"amount"`
	// When the points expire
	ExpiresAt time.Time `json:"expiresAt"`
}

// ExternalEntry: What is posted for one member
type ExternalEntry struct {
	// As the external ledger receives it: an exact decimal
	Amount string `json:"amount"`
	// credit raises the balance, debit lowers it. One of: credit, debit.
	Direction string `json:"direction"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress string `json:"walletAddress"`
}

// ExternalMetadata: Settings of rules of type external_rule. Your server reports something, such as a
// paid order, and can pay by its value.
type ExternalMetadata struct {
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
	// The decimal places to which a reward by value is cut; null: 6
	RoundTo Optional[int64] `json:"roundTo,omitzero"`
	// How a reward by value is cut; null: down. One of: down, half_up, up.
	Rounding Optional[string] `json:"rounding,omitzero"`
}

// ExternalPost: A transaction that is posted to the external ledger of a currency (contract 5.15)
type ExternalPost struct {
	// How often it was tried
	Attempts int64 `json:"attempts"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// What is posted for each member
	Entries []ExternalEntry `json:"entries"`
	// When it ended; null: it has not
	FinishedAt *time.Time `json:"finishedAt"`
	// The idempotencyKey that the external ledger receives
	ID string `json:"id"`
	// A call may have arrived although its response did not
	InDoubt bool `json:"inDoubt"`
	// What is posted. One of: transaction, completion.
	Kind string `json:"kind"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The transaction here; null until the external ledger has accepted
	LoyaltyTransactionID *string `json:"loyaltyTransactionId"`
	// Why it was refused, or why the last call failed
	Message *string `json:"message"`
	// When it is tried next; null: no more
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Whether the external ledger has accepted. One of: open, done, refused, cancelled.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// ExternalRule: A rule of type external_rule, with its settings
type ExternalRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: external_rule.
	Type string `json:"type"`
}

// ForumPlatformCommentMetadata: Settings of rules of type forum_platform_comment. Members comment in
// your forum.
type ForumPlatformCommentMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
	// The forum post that members comment on
	ForumPlatformPostID Optional[string] `json:"forumPlatformPostId,omitzero"`
}

// ForumPlatformCommentRule: A rule of type forum_platform_comment, with its settings
type ForumPlatformCommentRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: forum_platform_comment.
	Type string `json:"type"`
}

// Function: A function (contract 3.34)
type Function struct {
	// The program (contract 7.6)
	Code string `json:"code"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it runs by itself, as five fields; null: it does not
	Cron *string `json:"cron"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// true: it does nothing
	Disabled bool `json:"disabled"`
	// The id, a UUID
	ID string `json:"id"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// From 1; each change of the code raises it
	Version int64 `json:"version"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// FunctionRun: A run of a function (contract 3.34)
type FunctionRun struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// How long it took, in milliseconds
	DurationMs int64 `json:"durationMs"`
	// Why it failed
	Error *string `json:"error"`
	// The function
	FunctionID string `json:"functionId"`
	// The id, a UUID
	ID string `json:"id"`
	// The output of console.log, at most 64 KiB
	Logs []string `json:"logs"`
	// The value that was passed to setResult; null without one
	Output any `json:"output"`
	// The same as id
	RunID string `json:"runId"`
	// How the run ended. One of: running, succeeded, failed.
	Status string `json:"status"`
	// What started the run. One of: subscription, cron, invoke, rule.
	Trigger string `json:"trigger"`
	// The version of the code that ran
	Version int64 `json:"version"`
}

// GameStoreWishlistMetadata: Settings of rules of type game_store_wishlist. Members add your game to
// their wishlist.
type GameStoreWishlistMetadata struct {
	// The game in the store
	GameStoreAppID Optional[string] `json:"gameStoreAppId,omitzero"`
}

// GameStoreWishlistRule: A rule of type game_store_wishlist, with its settings
type GameStoreWishlistRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: game_store_wishlist.
	Type string `json:"type"`
}

// GatingBadge: A badge whose holders may mint
type GatingBadge struct {
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL string `json:"imageUrl"`
	// The name, for people
	Name string `json:"name"`
}

// GatingBadgeItem: A badge whose holders may mint
type GatingBadgeItem struct {
	// The badge
	LoyaltyBadge GatingBadge `json:"loyaltyBadge"`
}

// GatingCollection: A collection whose owners may mint
type GatingCollection struct {
	// The address of the contract
	Address string `json:"address"`
	// The blockchain, by a name of contract 2.1
	Network string `json:"network"`
}

type GetPageSectionsResponse struct {
	// The banner
	Banner *SectionBanner `json:"banner"`
	// When it was created
	CreatedAt *time.Time `json:"createdAt"`
	// The items of this page
	Data []PageSection `json:"data"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The items that the section leads to
	DiscoveryItems []DiscoveryItem `json:"discoveryItems"`
	// When it is no longer shown; null: never
	DurationEnd *time.Time `json:"durationEnd"`
	// When the section is shown from
	DurationStart *time.Time `json:"durationStart"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
	// The id, a UUID
	ID *string `json:"id"`
	// The collections that the section shows as a grid
	ItemsGrids []ShownCollection `json:"itemsGrids"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID *string `json:"organizationId"`
	// The page, for placement page
	PageID *string `json:"pageId"`
	// The kind of section
	PageSectionType *string `json:"pageSectionType"`
	// global, or page for the page pageId
	Placement *string `json:"placement"`
	// The place in lists: the lowest first
	SortID *int64 `json:"sortId"`
	// The heading
	Title *string `json:"title"`
	// When it was last changed
	UpdatedAt *time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID *string `json:"websiteId"`
}

// GiveMultiplierBody: Input of the operation: Grant a multiplier to a user
type GiveMultiplierBody struct {
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// Names one live multiplier of the website
	ExternalIdentifier Optional[string] `json:"externalIdentifier,omitzero"`
	// Empty or absent: all currencies
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	// The factor that rewards are multiplied by
	Multiplier Decimal `json:"multiplier"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The heading
	Title Optional[string] `json:"title,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// GivenBadge: A badge that was granted or revoked
type GivenBadge struct {
	// The badge of the member
	Data GivenBadgeUser `json:"data"`
	// A text for people
	Message string `json:"message"`
}

// GivenBadgeUser: The badge of the member
type GivenBadgeUser struct {
	// The id, a UUID
	ID string `json:"id"`
	// The badge
	LoyaltyBadgeID string `json:"loyaltyBadgeId"`
	// active while the badge is held. One of: active, inactive, revoked.
	Status string `json:"status"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
}

// GivenBody: An answer to a question
type GivenBody struct {
	// The response is an earlier one, and the question takes no further
	AlreadySubmitted bool `json:"alreadySubmitted"`
	// true: the answer is right
	IsCorrect bool `json:"isCorrect"`
	// The answer
	Response GivenResponse `json:"response"`
}

// GivenResponse: The answer that counts
type GivenResponse struct {
	// The id, a UUID
	ID string `json:"id"`
	// The choice
	LoyaltyQuestionChoiceID string `json:"loyaltyQuestionChoiceId"`
	// The question
	LoyaltyQuestionID string `json:"loyaltyQuestionId"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
}

// GovernanceVoteMetadata: Settings of rules of type governance_vote. Members vote on a proposal.
type GovernanceVoteMetadata struct {
	// The proposals that a vote on counts, as the partner knows them
	GovernanceProposals Optional[[]GovernanceVoteMetadataGovernanceProposal] `json:"governanceProposals,omitzero"`
}

type GovernanceVoteMetadataGovernanceProposal struct {
	// The proposal
	ID Optional[NumberOrText] `json:"id,omitzero"`
	// Where it is voted on
	Space Optional[string] `json:"space,omitzero"`
}

// GovernanceVoteRule: A rule of type governance_vote, with its settings
type GovernanceVoteRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: governance_vote.
	Type string `json:"type"`
}

// GroupItem: A rule in a group
type GroupItem struct {
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRule RuleBody `json:"loyaltyRule"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
}

// GroupName: The group of a member
type GroupName struct {
	// An identifier of your own
	ExternalIdentifier *string `json:"externalIdentifier"`
	// The id, a UUID
	ID string `json:"id"`
}

// Hold: Points that are reserved for an order
type Hold struct {
	// The amount debited from the accounts that paid
	Amount Decimal `json:"amount"`
	// The captured part of amount; the rest went back
	CapturedAmount Decimal `json:"capturedAmount"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// A text for people
	Description *string `json:"description"`
	// When the hold is released by itself
	ExpiresAt time.Time `json:"expiresAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The transaction that took the amount
	LoyaltyTransactionID string `json:"loyaltyTransactionId"`
	// Data of your own, stored and returned as it was sent. At most 16,384 bytes
	Metadata map[string]any `json:"metadata"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Where it stands. One of: held, captured, released, expired.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// IdBody: The id of what was deleted
type IdBody struct {
	// The id, a UUID
	ID string `json:"id"`
}

// ImportMembersBody: Input of the operation: Import members from a file
type ImportMembersBody struct {
	// The url of a file that was uploaded for the website, in place of csvUrl
	AssetURL Optional[string] `json:"assetUrl,omitzero"`
	// The address of the file
	CSVURL Optional[string] `json:"csvUrl,omitzero"`
	// Of the opening balances. Default: the website's only currency
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// InvokeFunctionBody: Input of the operation: Run a function and wait for its end
type InvokeFunctionBody struct {
	// Any value; the handler gets it as input.input
	Input Optional[any] `json:"input,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// InvokedFunction: The run of a function that was invoked
type InvokedFunction struct {
	// The run
	Data FunctionRun `json:"data"`
}

// IssueTokenInputBody: Input of the operation: Issue a member token
type IssueTokenInputBody struct {
	// Default 3600
	ExpiresInSeconds Optional[int64] `json:"expiresInSeconds,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// KeyOfTransaction: What names a transaction
type KeyOfTransaction struct {
	// The key of an entry or completion of the transaction
	IdempotencyKey string `json:"idempotencyKey"`
}

// LabeledAttribute: An attribute with the values of a member
type LabeledAttribute struct {
	// The id, a UUID
	ID string `json:"id"`
	// The name of the attribute
	Label string `json:"label"`
	// The values of the member
	WebsiteUserAttributeValues []ShortValue `json:"websiteUserAttributeValues"`
}

// Lack: What there is, and what is needed
type Lack struct {
	// What there is
	Have Decimal `json:"have"`
	// What is needed
	Need Decimal `json:"need"`
}

// LeaveGroupInputBody: Input of the operation: Take a user out of its group
type LeaveGroupInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// LinkClickMetadata: Settings of rules of type link_click. Members open a link and get the reward
// after a delay.
type LinkClickMetadata struct {
	// The URL that members open, or of the account that they follow
	Link Optional[string] `json:"link,omitzero"`
	// Seconds between the click and the reward, 0 to 604,800; null: 30
	TimeDelayToVerifySeconds Optional[NumberOrText] `json:"timeDelayToVerifySeconds,omitzero"`
}

// LinkClickRule: A rule of type link_click, with its settings
type LinkClickRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: link_click.
	Type string `json:"type"`
}

// LiquidityAmmV2Metadata: Settings of rules of type liquidity_amm_v2. Members add tokens to a trading
// pool (version 2) to provide liquidity.
type LiquidityAmmV2Metadata struct {
	// The pools that count, and what their dollars pay (contract 6)
	Liquidity Optional[LiquidityAmmV2MetadataLiquidity] `json:"liquidity,omitzero"`
}

// LiquidityAmmV2MetadataLiquidity: The pools that count, and what their dollars pay (contract 6)
type LiquidityAmmV2MetadataLiquidity struct {
	// By liquidityPerDay (fixed, the default) or by customFunction. One of: fixed, custom.
	CalculationType Optional[string] `json:"calculationType,omitzero"`
	// A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log
	CustomFunction Optional[string] `json:"customFunction,omitzero"`
	// The dollars for which the amount of the rule is paid
	LiquidityPerDay Optional[float64] `json:"liquidityPerDay,omitzero"`
	// The network of the pools, of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// true: positions count only while the price is in their range
	OnlyRewardInRangeLiquidity Optional[bool] `json:"onlyRewardInRangeLiquidity,omitzero"`
	// The pools
	Pools Optional[[]LiquidityAmmV2MetadataLiquidityPool] `json:"pools,omitzero"`
	// The protocol. For display; the service does not use it
	Protocol Optional[string] `json:"protocol,omitzero"`
}

type LiquidityAmmV2MetadataLiquidityPool struct {
	// The address of the pool
	ID string `json:"id"`
}

// LiquidityAmmV2Rule: A rule of type liquidity_amm_v2, with its settings
type LiquidityAmmV2Rule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: liquidity_amm_v2.
	Type string `json:"type"`
}

// LiquidityAmmV3Metadata: Settings of rules of type liquidity_amm_v3. Members add tokens to a trading
// pool (version 3) to provide liquidity.
type LiquidityAmmV3Metadata struct {
	// The pools that count, and what their dollars pay (contract 6)
	Liquidity Optional[LiquidityAmmV3MetadataLiquidity] `json:"liquidity,omitzero"`
}

// LiquidityAmmV3MetadataLiquidity: The pools that count, and what their dollars pay (contract 6)
type LiquidityAmmV3MetadataLiquidity struct {
	// By liquidityPerDay (fixed, the default) or by customFunction. One of: fixed, custom.
	CalculationType Optional[string] `json:"calculationType,omitzero"`
	// A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log
	CustomFunction Optional[string] `json:"customFunction,omitzero"`
	// The dollars for which the amount of the rule is paid
	LiquidityPerDay Optional[float64] `json:"liquidityPerDay,omitzero"`
	// The network of the pools, of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// true: positions count only while the price is in their range
	OnlyRewardInRangeLiquidity Optional[bool] `json:"onlyRewardInRangeLiquidity,omitzero"`
	// The pools
	Pools Optional[[]LiquidityAmmV3MetadataLiquidityPool] `json:"pools,omitzero"`
	// The protocol. For display; the service does not use it
	Protocol Optional[string] `json:"protocol,omitzero"`
}

type LiquidityAmmV3MetadataLiquidityPool struct {
	// The address of the pool
	ID string `json:"id"`
}

// LiquidityAmmV3Rule: A rule of type liquidity_amm_v3, with its settings
type LiquidityAmmV3Rule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: liquidity_amm_v3.
	Type string `json:"type"`
}

// ListAccount: One page of a list (contract 1.6)
type ListAccount struct {
	// The items of this page
	Data []Account `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListAllowEntry: One page of a list (contract 1.6)
type ListAllowEntry struct {
	// The items of this page
	Data []AllowEntry `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListApiKey: One page of a list (contract 1.6)
type ListApiKey struct {
	// The items of this page
	Data []ApiKey `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListAsset: One page of a list (contract 1.6)
type ListAsset struct {
	// The items of this page
	Data []Asset `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListAuction: One page of a list (contract 1.6)
type ListAuction struct {
	// The items of this page
	Data []Auction `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListAuctionItem: One page of a list (contract 1.6)
type ListAuctionItem struct {
	// The items of this page
	Data []AuctionItem `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListBadge: One page of a list (contract 1.6)
type ListBadge struct {
	// The items of this page
	Data []Badge `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListClaimUser: One page of a list (contract 1.6)
type ListClaimUser struct {
	// The items of this page
	Data []ClaimUser `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListClearingJob: One page of a list (contract 1.6)
type ListClearingJob struct {
	// The items of this page
	Data []ClearingJob `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListContract: One page of a list (contract 1.6)
type ListContract struct {
	// The items of this page
	Data []Contract `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListContractsBody: One page of a list (contract 1.6)
type ListContractsBody struct {
	// The items of this page
	Data []MintingContract `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
	// Sums of the contracts on this page
	Stats []ContractStats `json:"stats"`
}

// ListCurrency: One page of a list (contract 1.6)
type ListCurrency struct {
	// The items of this page
	Data []Currency `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListDelegation: One page of a list (contract 1.6)
type ListDelegation struct {
	// The items of this page
	Data []Delegation `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListDevice: One page of a list (contract 1.6)
type ListDevice struct {
	// The items of this page
	Data []Device `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListEntry: One page of a list (contract 1.6)
type ListEntry struct {
	// The items of this page
	Data []Entry `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListEvent: One page of a list (contract 1.6)
type ListEvent struct {
	// The items of this page
	Data []Event `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListExpiring: One page of a list (contract 1.6)
type ListExpiring struct {
	// The items of this page
	Data []Expiring `json:"data"`
	// true: there are more items; ask for them with after, the expiresAt of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListExternalPost: One page of a list (contract 1.6)
type ListExternalPost struct {
	// The items of this page
	Data []ExternalPost `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListFunction: One page of a list (contract 1.6)
type ListFunction struct {
	// The items of this page
	Data []Function `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListFunctionRun: One page of a list (contract 1.6)
type ListFunctionRun struct {
	// The items of this page
	Data []FunctionRun `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListHold: One page of a list (contract 1.6)
type ListHold struct {
	// The items of this page
	Data []Hold `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListListedBadgeUser: One page of a list (contract 1.6)
type ListListedBadgeUser struct {
	// The items of this page
	Data []ListedBadgeUser `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListLot: One page of a list (contract 1.6)
type ListLot struct {
	// The items of this page
	Data []Lot `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListMemberImport: One page of a list (contract 1.6)
type ListMemberImport struct {
	// The items of this page
	Data []MemberImport `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListMetadata: One page of a list (contract 1.6)
type ListMetadata struct {
	// The items of this page
	Data []Metadata `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListMintStatus: One page of a list (contract 1.6)
type ListMintStatus struct {
	// The items of this page
	Data []MintStatus `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListMintingAsset: One page of a list (contract 1.6)
type ListMintingAsset struct {
	// The items of this page
	Data []MintingAsset `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListMultiplier: One page of a list (contract 1.6)
type ListMultiplier struct {
	// The items of this page
	Data []Multiplier `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListPayout: One page of a list (contract 1.6)
type ListPayout struct {
	// The items of this page
	Data []Payout `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListProcessingView: One page of a list (contract 1.6)
type ListProcessingView struct {
	// The items of this page
	Data []ProcessingView `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListQuestion: One page of a list (contract 1.6)
type ListQuestion struct {
	// The items of this page
	Data []Question `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListQuestionResponse: One page of a list (contract 1.6)
type ListQuestionResponse struct {
	// The items of this page
	Data []QuestionResponse `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListReferralItem: One page of a list (contract 1.6)
type ListReferralItem struct {
	// The items of this page
	Data []ReferralItem `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListReplayBody: One page of a list (contract 1.6)
type ListReplayBody struct {
	// The items of this page
	Data []ReplayBody `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleBody: One page of a list (contract 1.6)
type ListRuleBody struct {
	// The items of this page
	Data []RuleBody `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleChain: One page of a list (contract 1.6)
type ListRuleChain struct {
	// The items of this page
	Data []RuleChain `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleEdit: One page of a list (contract 1.6)
type ListRuleEdit struct {
	// The items of this page
	Data []RuleEdit `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleGroup: One page of a list (contract 1.6)
type ListRuleGroup struct {
	// The items of this page
	Data []RuleGroup `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleImport: One page of a list (contract 1.6)
type ListRuleImport struct {
	// The items of this page
	Data []RuleImport `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleRun: One page of a list (contract 1.6)
type ListRuleRun struct {
	// The items of this page
	Data []RuleRun `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListRuleStatus: One page of a list (contract 1.6)
type ListRuleStatus struct {
	// The items of this page
	Data []RuleStatus `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListSubscription: One page of a list (contract 1.6)
type ListSubscription struct {
	// The items of this page
	Data []Subscription `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListTokenClaim: One page of a list (contract 1.6)
type ListTokenClaim struct {
	// The items of this page
	Data []TokenClaim `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListUser: One page of a list (contract 1.6)
type ListUser struct {
	// The items of this page
	Data []User `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListUserAttribute: One page of a list (contract 1.6)
type ListUserAttribute struct {
	// The items of this page
	Data []UserAttribute `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListUserAttributeValue: One page of a list (contract 1.6)
type ListUserAttributeValue struct {
	// The items of this page
	Data []UserAttributeValue `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListUserRole: One page of a list (contract 1.6)
type ListUserRole struct {
	// The items of this page
	Data []UserRole `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListWebsite: One page of a list (contract 1.6)
type ListWebsite struct {
	// The items of this page
	Data []Website `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListWebsiteCollection: One page of a list (contract 1.6)
type ListWebsiteCollection struct {
	// The items of this page
	Data []WebsiteCollection `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListWebsitePageSection: One page of a list (contract 1.6)
type ListWebsitePageSection struct {
	// The items of this page
	Data []WebsitePageSection `json:"data"`
	// true: there are more items; ask for them with startingAfter, the id of the last one
	HasNextPage bool `json:"hasNextPage"`
}

// ListedBadgeUser: A member’s badge, with when it was deleted (contract 3.21)
type ListedBadgeUser struct {
	// Left out until granted
	CompletedAt *time.Time `json:"completedAt"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// true: the member has dismissed the badge
	DismissedInUI bool `json:"dismissedInUi"`
	// true: not shown to members
	HideInUI bool `json:"hideInUi"`
	// The id, a UUID
	ID string `json:"id"`
	// The badge
	LoyaltyBadgeID string `json:"loyaltyBadgeId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How far the member is, by condition
	Progress []BadgeProgress `json:"progress"`
	// active while the badge is held. One of: active, inactive, revoked.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member
	User ShortUser `json:"user"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// ListingMetadata: Settings of rules of type listing. Members list tokens from a collection for sale.
type ListingMetadata struct {
	// The market whose sales count, by the operator’s name for it; null: any
	FillSource Optional[string] `json:"fillSource,omitzero"`
}

// ListingRule: A rule of type listing, with its settings
type ListingRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: listing.
	Type string `json:"type"`
}

// LodgingMetadata: Settings of rules of type lodging. Members deposit tokens from their wallet into a
// smart contract.
type LodgingMetadata struct {
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]LodgingMetadataCollection] `json:"collection,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

type LodgingMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// LodgingRule: A rule of type lodging, with its settings
type LodgingRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: lodging.
	Type string `json:"type"`
}

// Lot: Points of one reward that are held, or that expire
type Lot struct {
	// Points, with up to 6 decimal places
	Amount Decimal `json:"amount"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was spent, expired, cancelled or closed
	EndedAt *time.Time `json:"endedAt"`
	// When the points expire; null: never
	ExpiresAt *time.Time `json:"expiresAt"`
	// The debit by which it expired
	ExpiryEntryID *string `json:"expiryEntryId"`
	// The id, a UUID
	ID string `json:"id"`
	// The account
	LoyaltyAccountID string `json:"loyaltyAccountId"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The rule that paid the points; null if no rule did
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// The entry that credited the points; null while they are held, and for points from before points
	// expired
	LoyaltyTransactionEntryID *string `json:"loyaltyTransactionEntryId"`
	// The transaction that credited the points, or granted held ones; null for points from before points
	// expired
	LoyaltyTransactionID *string `json:"loyaltyTransactionId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The reason of a cancellation
	Reason *string `json:"reason"`
	// The remaining points of an open lot, or all points of a pending lot
	Remaining Decimal `json:"remaining"`
	// Whether the points are held, credited or cancelled. One of: pending, released, cancelled, open,
	// spent, expired, closed.
	State string `json:"state"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// When held points are credited; null: they were not held
	WaitsUntil *time.Time `json:"waitsUntil"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// LoyaltyHeader: The group of rules that an item leads to
type LoyaltyHeader struct {
	// The id, a UUID
	ID string `json:"id"`
	// The name, for people
	Name string `json:"name"`
}

// MemberImport: An import of members from a file (contract 1.11)
type MemberImport struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// How far it is, what was imported, or which rows are bad
	Message *string `json:"message"`
	// Where the job stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
}

// MessengerJoinMetadata: Settings of rules of type messenger_join. Members join your messenger group.
type MessengerJoinMetadata struct {
	// The channel or group, such as @example
	MessengerChannelID Optional[string] `json:"messengerChannelId,omitzero"`
}

// MessengerJoinRule: A rule of type messenger_join, with its settings
type MessengerJoinRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: messenger_join.
	Type string `json:"type"`
}

// MessengerMessagesMetadata: Settings of rules of type messenger_messages. Members send messages in
// your messenger group.
type MessengerMessagesMetadata struct {
	// The channel or group, such as @example
	MessengerChannelID Optional[string] `json:"messengerChannelId,omitzero"`
}

// MessengerMessagesRule: A rule of type messenger_messages, with its settings
type MessengerMessagesRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: messenger_messages.
	Type string `json:"type"`
}

// Metadata: What is known of a member (contract 3.5)
type Metadata struct {
	// A text of the member about itself
	Bio *string `json:"bio"`
	// Why the member is or is not blocked. Only organization and website keys see it
	BlockStatusReason *string `json:"blockStatusReason"`
	// The user name on the chat server
	ChatServerUser *string `json:"chatServerUser"`
	// The user id on the chat server
	ChatServerUserID *string `json:"chatServerUserId"`
	// When the account was connected; null: not connected by the member
	ChatServerVerifiedAt *time.Time `json:"chatServerVerifiedAt"`
	// The user name on the code host
	CodeHostUser *string `json:"codeHostUser"`
	// The user id on the code host
	CodeHostUserID *string `json:"codeHostUserId"`
	// When the account was connected; null: not connected by the member
	CodeHostVerifiedAt *time.Time `json:"codeHostVerifiedAt"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The name that others see
	DisplayName *string `json:"displayName"`
	// The e-mail address. Only organization and website keys see it
	EmailAddress *string `json:"emailAddress"`
	// When the member proved the address; null: not yet
	EmailVerifiedAt *time.Time `json:"emailVerifiedAt"`
	// An identifier of your own for the member; not unique
	ExternalIdentifier *string `json:"externalIdentifier"`
	// A score of your own
	ExternalLoyaltyScore *string `json:"externalLoyaltyScore"`
	// The user name in the forum
	ForumPlatformUser *string `json:"forumPlatformUser"`
	// The user id in the forum
	ForumPlatformUserID *string `json:"forumPlatformUserId"`
	// When the account was connected; null: not connected by the member
	ForumPlatformVerifiedAt *time.Time `json:"forumPlatformVerifiedAt"`
	// The account id of the game launcher
	GameLauncherAccountID *string `json:"gameLauncherAccountId"`
	// The user name of the game launcher
	GameLauncherUsername *string `json:"gameLauncherUsername"`
	// When the account was connected; null: not connected by the member
	GameLauncherVerifiedAt *time.Time `json:"gameLauncherVerifiedAt"`
	// The user id in the game store
	GameStoreUserID *string `json:"gameStoreUserId"`
	// The user name in the game store
	GameStoreUsername *string `json:"gameStoreUsername"`
	// When the account was connected; null: not connected by the member
	GameStoreVerifiedAt *time.Time `json:"gameStoreVerifiedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// Notes for your team. Only organization and website keys see it
	InternalNotes *string `json:"internalNotes"`
	// true: the member is never blocked automatically. Only organization and website keys see it
	IsBlockExempt bool `json:"isBlockExempt"`
	// true: the member completes nothing
	IsBlocked bool `json:"isBlocked"`
	// The user name on the live stream platform
	LiveStreamUser *string `json:"liveStreamUser"`
	// The user id on the live stream platform
	LiveStreamUserID *string `json:"liveStreamUserId"`
	// When the account was connected; null: not yet
	LiveStreamVerifiedAt *time.Time `json:"liveStreamVerifiedAt"`
	// Where the member says it lives
	Location *string `json:"location"`
	// The URL of the member’s picture
	LogoURL *string `json:"logoUrl"`
	// The user id on the messenger
	MessengerUserID *string `json:"messengerUserId"`
	// The user name on the messenger
	MessengerUsername *string `json:"messengerUsername"`
	// When the account was connected; null: not connected by the member
	MessengerVerifiedAt *time.Time `json:"messengerVerifiedAt"`
	// Always null
	Meta *string `json:"meta"`
	// The followers of the account
	MicroblogFollowersCount *int64 `json:"microblogFollowersCount"`
	// The user name on the microblog, without @
	MicroblogUser *string `json:"microblogUser"`
	// The user id on the microblog
	MicroblogUserID *string `json:"microblogUserId"`
	// true: the microblog has verified the account
	MicroblogVerifiedAccount bool `json:"microblogVerifiedAccount"`
	// When the account was connected; null: not connected by the member
	MicroblogVerifiedAt *time.Time `json:"microblogVerifiedAt"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The phone number in E.164 form, such as +4915112345678. Only organization and website keys see it
	PhoneNumber *string `json:"phoneNumber"`
	// When the member proved the number; null: not yet
	PhoneVerifiedAt *time.Time `json:"phoneVerifiedAt"`
	// The user name on the photo platform
	PhotoPlatformUser *string `json:"photoPlatformUser"`
	// When the account was connected; null: not yet
	PhotoPlatformVerifiedAt *time.Time `json:"photoPlatformVerifiedAt"`
	// A link of the member
	PortfolioURL *string `json:"portfolioUrl"`
	// The user name on the short video platform
	ShortVideoUser *string `json:"shortVideoUser"`
	// The user id on the short video platform
	ShortVideoUserID *string `json:"shortVideoUserId"`
	// When the account was connected; null: not connected by the member
	ShortVideoVerifiedAt *time.Time `json:"shortVideoVerifiedAt"`
	// How likely the member has several accounts. Only organization and website keys see it
	SybilScore *float64 `json:"sybilScore"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member
	User UserName `json:"user"`
	// The group of the member; null: none
	UserGroup *GroupName `json:"userGroup"`
	// The group of the member; null: none
	UserGroupID *string `json:"userGroupId"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// When a signature proved the wallet; null: not yet
	VerifiedLocallyAt *time.Time `json:"verifiedLocallyAt"`
	// The member’s channel on the video platform
	VideoPlatformChannelID *string `json:"videoPlatformChannelId"`
	// When the channel was connected; null: not connected by the member
	VideoPlatformVerifiedAt *time.Time `json:"videoPlatformVerifiedAt"`
	// A label that the wallets of one person share; balances stay apart
	WalletGroupIdentifier *string `json:"walletGroupIdentifier"`
	// The user name of the web account
	WebAccountUser *string `json:"webAccountUser"`
	// The user id of the web account
	WebAccountUserID *string `json:"webAccountUserId"`
	// When the account was connected; null: not connected by the member
	WebAccountVerifiedAt *time.Time `json:"webAccountVerifiedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// MicroblogCommentMetadata: Settings of rules of type microblog_comment. Members comment on one of
// your posts.
type MicroblogCommentMetadata struct {
	// The URL of the post that members react to
	MicroblogPostURL Optional[string] `json:"microblogPostUrl,omitzero"`
}

// MicroblogCommentRule: A rule of type microblog_comment, with its settings
type MicroblogCommentRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_comment.
	Type string `json:"type"`
}

// MicroblogFollowMetadata: Settings of rules of type microblog_follow. Members follow your microblog
// account.
type MicroblogFollowMetadata struct {
	// The URL of the account that members follow
	MicroblogAccountURL Optional[string] `json:"microblogAccountUrl,omitzero"`
	// The id of your account on the microblog
	MicroblogUserID Optional[string] `json:"microblogUserId,omitzero"`
	// The name of your account on the microblog. For display; the service does not use it
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
}

// MicroblogFollowRule: A rule of type microblog_follow, with its settings
type MicroblogFollowRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_follow.
	Type string `json:"type"`
}

// MicroblogLikeMetadata: Settings of rules of type microblog_like. Members like one of your posts.
// They must connect their account, but Laurel doesn’t verify the like.
type MicroblogLikeMetadata struct {
	// The URL of the post that members react to
	MicroblogPostURL Optional[string] `json:"microblogPostUrl,omitzero"`
}

// MicroblogLikeRule: A rule of type microblog_like, with its settings
type MicroblogLikeRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_like.
	Type string `json:"type"`
}

// MicroblogLikedByProjectMetadata: Settings of rules of type microblog_liked_by_project. Your account
// likes a member’s post.
type MicroblogLikedByProjectMetadata struct {
	// The id of your account on the microblog
	MicroblogUserID Optional[string] `json:"microblogUserId,omitzero"`
	// The name of your account on the microblog. For display; the service does not use it
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
}

// MicroblogLikedByProjectRule: A rule of type microblog_liked_by_project, with its settings
type MicroblogLikedByProjectRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_liked_by_project.
	Type string `json:"type"`
}

// MicroblogPostHashtagMetadata: Settings of rules of type microblog_post_hashtag. Members publish a
// post with your hashtag.
type MicroblogPostHashtagMetadata struct {
	// The hashtag that posts must have, with or without #
	MicroblogHashtag Optional[string] `json:"microblogHashtag,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

// MicroblogPostHashtagRule: A rule of type microblog_post_hashtag, with its settings
type MicroblogPostHashtagRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_post_hashtag.
	Type string `json:"type"`
}

// MicroblogPostMetadata: Settings of rules of type microblog_post. Members write a post that mentions
// you.
type MicroblogPostMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
	// The fewest followers that an account must have; null: any number
	MinimumFollowerCount Optional[NumberOrText] `json:"minimumFollowerCount,omitzero"`
	// true: members send the link of their post as contentUrl
	RequirePostLink Optional[bool] `json:"requirePostLink,omitzero"`
	// true: only posts with a picture or video count
	RequirePostMediaLink Optional[bool] `json:"requirePostMediaLink,omitzero"`
}

// MicroblogPostRule: A rule of type microblog_post, with its settings
type MicroblogPostRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_post.
	Type string `json:"type"`
}

// MicroblogReactionMetadata: Settings of rules of type microblog_reaction. Members like, repost or
// comment on one of your posts.
type MicroblogReactionMetadata struct {
	// true: members comment on the post
	CheckComment Optional[bool] `json:"checkComment,omitzero"`
	// true: members like the post. Likes are taken on trust
	CheckLike Optional[bool] `json:"checkLike,omitzero"`
	// true: members repost the post
	CheckRepost Optional[bool] `json:"checkRepost,omitzero"`
	// Once the post has so many comments, members need not comment on it
	MaxComments Optional[int64] `json:"maxComments,omitzero"`
	// Once the post has so many likes, members need not like it
	MaxLikes Optional[int64] `json:"maxLikes,omitzero"`
	// Once the post has so many reposts, members need not repost it
	MaxReposts Optional[int64] `json:"maxReposts,omitzero"`
	// The URL of the post that members react to
	MicroblogPostURL Optional[string] `json:"microblogPostUrl,omitzero"`
	// Counts of the post, written by the service. Values in requests are ignored
	ReactionStats Optional[MicroblogReactionMetadataReactionStats] `json:"reactionStats,omitzero"`
}

// MicroblogReactionMetadataReactionStats: Counts of the post, written by the service. Values in
// requests are ignored
type MicroblogReactionMetadataReactionStats struct {
	// Comments on the post
	CommentCount Optional[float64] `json:"commentCount,omitzero"`
	// Likes of the post
	LikeCount Optional[float64] `json:"likeCount,omitzero"`
	// Reposts of the post
	RepostCount Optional[float64] `json:"repostCount,omitzero"`
	// When the counts were read
	SyncedAt Optional[string] `json:"syncedAt,omitzero"`
}

// MicroblogReactionRule: A rule of type microblog_reaction, with its settings
type MicroblogReactionRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_reaction.
	Type string `json:"type"`
}

// MicroblogRepostMetadata: Settings of rules of type microblog_repost. Members repost one of your
// posts.
type MicroblogRepostMetadata struct {
	// The URL of the post that members react to
	MicroblogPostURL Optional[string] `json:"microblogPostUrl,omitzero"`
}

// MicroblogRepostRule: A rule of type microblog_repost, with its settings
type MicroblogRepostRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_repost.
	Type string `json:"type"`
}

// MicroblogTextInBioMetadata: Settings of rules of type microblog_text_in_bio. Members add text that
// you choose to their bio.
type MicroblogTextInBioMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
}

// MicroblogTextInBioRule: A rule of type microblog_text_in_bio, with its settings
type MicroblogTextInBioRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_text_in_bio.
	Type string `json:"type"`
}

// MicroblogTextInCommentMetadata: Settings of rules of type microblog_text_in_comment. Members write a
// comment that contains text that you choose.
type MicroblogTextInCommentMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
	// The URL of the post that members react to
	MicroblogPostURL Optional[string] `json:"microblogPostUrl,omitzero"`
}

// MicroblogTextInCommentRule: A rule of type microblog_text_in_comment, with its settings
type MicroblogTextInCommentRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_text_in_comment.
	Type string `json:"type"`
}

// MicroblogTextInNameMetadata: Settings of rules of type microblog_text_in_name. Members add text that
// you choose to their display name.
type MicroblogTextInNameMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
}

// MicroblogTextInNameRule: A rule of type microblog_text_in_name, with its settings
type MicroblogTextInNameRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: microblog_text_in_name.
	Type string `json:"type"`
}

// Milestone: A milestone of streaks
type Milestone struct {
	// The points in addition at the milestone
	StreakAmount Decimal `json:"streakAmount"`
	// Check-ins in a row
	StreakMilestone Decimal `json:"streakMilestone"`
}

// MintBody: Input of the operation: Mint items of an asset for a user
type MintBody struct {
	// Recorded
	AgreedToSendW9 Optional[bool] `json:"agreedToSendW9,omitzero"`
	// The asset
	AssetID string `json:"assetId"`
	// The minting contract
	ContractID string `json:"contractId"`
	// What the member entered, if the asset asks for it
	CustomInputValue Optional[string] `json:"customInputValue,omitzero"`
	// Where to reach the member, if the contract asks for it
	EmailAddress Optional[string] `json:"emailAddress,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// How many to mint; default 1
	Quantity Optional[int64] `json:"quantity,omitzero"`
	// Your id of where to ship
	ShippingID Optional[string] `json:"shippingId,omitzero"`
	// Recorded
	ShippingOrderType Optional[string] `json:"shippingOrderType,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// MintOutputBody: A mint that was accepted
type MintOutputBody struct {
	// The id of the mint
	MintingContractAssetMintStatusID string `json:"mintingContractAssetMintStatusId"`
}

// MintStatus: A mint of a member (contract 3.26)
type MintStatus struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// What the member entered, if the asset asks for it
	CustomInputValue *string `json:"customInputValue"`
	// null for read-only and client keys
	EmailAddress *string `json:"emailAddress"`
	// Why it failed, as a number; null: it did not
	ErrorCode *int64 `json:"errorCode"`
	// Why it failed, for people; null: it did not
	ErrorMessage *string `json:"errorMessage"`
	// The id, a UUID
	ID string `json:"id"`
	// The asset
	MintingContractAssetID string `json:"mintingContractAssetId"`
	// The minting contract
	MintingContractID string `json:"mintingContractId"`
	// The price of all items
	Price *Decimal `json:"price"`
	// How many
	Quantity int64 `json:"quantity"`
	// The driver’s id of the transaction; null: none
	RelayerTxID *string `json:"relayerTxId"`
	// Your id of where to ship
	ShippingID *string `json:"shippingId"`
	// As the minting driver returned it
	Signature any `json:"signature"`
	// Where the mint stands. One of: generatingSignature, minting, minted, failed.
	Status string `json:"status"`
	// The hash of the transaction on the blockchain; null: none
	TxHash *string `json:"txHash"`
	// What is still to be paid; null: nothing
	Unpaid *Unpaid `json:"unpaid"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
}

// MintedOnMetadata: Settings of rules of type minted_on. Members create (mint) tokens with their
// wallet.
type MintedOnMetadata struct {
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]MintedOnMetadataCollection] `json:"collection,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

type MintedOnMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// MintedOnRule: A rule of type minted_on, with its settings
type MintedOnRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: minted_on.
	Type string `json:"type"`
}

// MintingAsset: An asset of a minting contract (contract 3.25)
type MintingAsset struct {
	// The URL of a video or animation
	AnimationURL *string `json:"animationUrl"`
	// The number in its contract, from 1
	AssetNr int64 `json:"assetNr"`
	// The auctions’ items that offer the asset
	AuctionItems []AuctionedItem `json:"auctionItems"`
	// What members are asked for
	CollectInfoType *string `json:"collectInfoType"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The token that prices or bids are in; null: points, or the network’s coin
	CurrencyAddress *string `json:"currencyAddress"`
	// The decimal places of the currency
	CurrencyDecimals *int64 `json:"currencyDecimals"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// A text for people
	Description *string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// true: only identifiers on the allowlist may mint
	IsAllowlisted bool `json:"isAllowlisted"`
	// true: not shown to members
	IsHidden bool `json:"isHidden"`
	// true: members can see and mint it
	IsListed bool `json:"isListed"`
	// true: a thing that is shipped belongs to it
	IsPhygitalItem bool `json:"isPhygitalItem"`
	// When it can no longer be minted; null: never
	ListingEndsAt *time.Time `json:"listingEndsAt"`
	// When it can be minted from; null: at once
	ListingStartsAt *time.Time `json:"listingStartsAt"`
	// The currency of the price; null: the currency of the blockchain
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// With includeMetadata=true, if it has any
	Metadata map[string]any `json:"metadata"`
	// The minting contract
	MintingContractID string `json:"mintingContractId"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The price of one item
	Price Decimal `json:"price"`
	// How many there are in all
	Quantity int64 `json:"quantity"`
	// How many were minted
	QuantityMinted int64 `json:"quantityMinted"`
	// When it was revealed; null: not yet
	RevealedAt *time.Time `json:"revealedAt"`
	// true: members are asked for collectInfoType
	ShouldCollectUserInfo bool `json:"shouldCollectUserInfo"`
	// The id of the token in its contract; null: none
	TokenID *int64 `json:"tokenId"`
	// true: there is no limit
	UnlimitedQty bool `json:"unlimitedQty"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// MintingContract: A minting contract: a catalogue of assets (contract 3.24)
type MintingContract struct {
	// The address of the contract
	Address *string `json:"address"`
	// ONCHAIN: tokens of a contract; OFFCHAIN: goods that are paid with points. One of: ONCHAIN, OFFCHAIN.
	ContractKind string `json:"contractKind"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// A text for people
	Description *string `json:"description"`
	// true: the driver pays the fees
	EnableGasless bool `json:"enableGasless"`
	// A link beside the contract
	ExternalLinkURL *string `json:"externalLinkUrl"`
	// true: tokens show what they are only after the reveal
	HasRevealMechanic bool `json:"hasRevealMechanic"`
	// true: your website hides assets that cannot be minted now
	HideInactiveListings bool `json:"hideInactiveListings"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// true: free for holders of the badges
	IsFreeClaimForBadgeHolders bool `json:"isFreeClaimForBadgeHolders"`
	// true: free for owners of the collections
	IsFreeClaimForTokenHolders bool `json:"isFreeClaimForTokenHolders"`
	// true: members can see and mint it
	IsListed bool `json:"isListed"`
	// true: perUserMintLimit applies to each asset, not to the contract
	IsPerAssetMintLimit bool `json:"isPerAssetMintLimit"`
	// true: tokens cannot be passed on
	IsSoulbound bool `json:"isSoulbound"`
	// The newest 100 that are not hidden
	MintingContractAssets []MintingAsset `json:"mintingContractAssets"`
	// The badges whose holders may mint
	MintingContractBadgeAssociation []GatingBadgeItem `json:"mintingContractBadgeAssociation"`
	// The collections whose owners may mint
	MustOwnCollections []GatingCollection `json:"mustOwnCollections"`
	// The name, for people
	Name string `json:"name"`
	// The blockchain, by a name of contract 2.1
	Network *string `json:"network"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// 0: no limit
	PerUserMintLimit int64 `json:"perUserMintLimit"`
	// The URL of what is shown before the reveal
	PreRevealMedia *string `json:"preRevealMedia"`
	// Who receives the price
	PrimarySaleRecipientAddress string `json:"primarySaleRecipientAddress"`
	// The operator’s driver that pays or mints
	RelayerID *string `json:"relayerId"`
	// true: members need all collections and badges; false: one of them
	RequireHoldingAllGatedItems bool `json:"requireHoldingAllGatedItems"`
	// When tokens can be revealed; null: at any time
	RevealAvailableAt *time.Time `json:"revealAvailableAt"`
	// Percent
	RoyaltyFee Decimal `json:"royaltyFee"`
	// Who receives royalties
	RoyaltyFeeAddress string `json:"royaltyFeeAddress"`
	// true: members give an e-mail address
	ShouldCollectEmail bool `json:"shouldCollectEmail"`
	// true: your website lists it on its marketplace
	ShowOnMarketplace bool `json:"showOnMarketplace"`
	// The place in lists: the lowest first
	SortID *int64 `json:"sortId"`
	// The short name, such as PTS
	Symbol string `json:"symbol"`
	// The standard of the tokens. One of: erc721, erc1155, erc721c.
	TokenType string `json:"tokenType"`
	// Live ones
	TotalAssets int64 `json:"totalAssets"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The collection
	WebsiteCollectionID *string `json:"websiteCollectionId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// Missing: What a completion lacks, in numbers
type Missing struct {
	// What the cap of the period still allows
	CapLeft *Decimal `json:"capLeft"`
	// The length of the text
	Characters *Lack `json:"characters"`
	// Conditions of chains, with their state
	Conditions []State `json:"conditions"`
	// Fields of the profile that are filled in
	Fields *Lack `json:"fields"`
	// The followers of the account
	Followers *Lack `json:"followers"`
	// When the next window opens
	OpensAt *time.Time `json:"opensAt"`
	// The progress that there is and that is needed
	Progress *Lack `json:"progress"`
	// Required rules that are completed
	Required *Lack `json:"required"`
	// The value that was measured or sent
	Value *Lack `json:"value"`
}

// MoveAccountInputBody: Input of the operation: Move an account to the user who has proved it
type MoveAccountInputBody struct {
	// Of the refusal MAXIMUM_ACCOUNT_LINKED
	AccountLinkData string `json:"accountLinkData"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// Multiplier: A factor that raises what a member earns (contract 3.20)
type Multiplier struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// A text for people
	Description *string `json:"description"`
	// An identifier of your own, unique among multipliers of the website
	ExternalIdentifier *string `json:"externalIdentifier"`
	// The id, a UUID
	ID string `json:"id"`
	// The badge that granted it
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// Empty: all currencies
	LoyaltyCurrencyIDs []string `json:"loyaltyCurrencyIds"`
	// The rule that granted it
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// The factor that rewards are multiplied by
	Multiplier Decimal `json:"multiplier"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The heading
	Title *string `json:"title"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The member
	User ShortUser `json:"user"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// Named: What a condition refers to
type Named struct {
	// The name, for people
	Name string `json:"name"`
}

// NewAuctionItem: An item to add to an auction
type NewAuctionItem struct {
	// The asset
	MintingContractAssetID string `json:"mintingContractAssetId"`
	// That its winner gets; default 1
	Quantity Optional[int64] `json:"quantity,omitzero"`
	// The best bidder wins the first; default: in the order in which items are added
	SortID Optional[int64] `json:"sortId,omitzero"`
}

// NewKey: A new key of the API, with its secret (contract 3.35)
type NewKey struct {
	// Origins of browsers that may use a client key; empty: all
	AllowedOrigins []string `json:"allowedOrigins"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When the key ends; null: never
	ExpiresAt *time.Time `json:"expiresAt"`
	// The id, a UUID
	ID string `json:"id"`
	// Shown once: only its hash is stored
	Key *string `json:"key"`
	// When the key was last used, exact to a minute; null: never
	LastUsedAt *time.Time `json:"lastUsedAt"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The first 12 characters of the key
	Prefix string `json:"prefix"`
	// When the key was revoked; null: it is valid
	RevokedAt *time.Time `json:"revokedAt"`
	// The role (contract 2)
	RoleType string `json:"roleType"`
	// The service user as which the key acts
	UserID string `json:"userId"`
	// The website; null for keys of the organization
	WebsiteID *string `json:"websiteId"`
}

// OtherRule: A rule of a type that has no settings of its own
type OtherRule struct {
	// The type of the rule
	Type string `json:"type"`
}

// Outcome: The result of a proof
type Outcome struct {
	// For POST /api/users/verify, which moves the account to this user
	AccountLinkData *string `json:"accountLinkData"`
	// Why the proof does not count, for programs
	Error *string `json:"error"`
	// To try again with
	JwtState *string `json:"jwtState"`
	// A text for people
	Message *string `json:"message"`
	// false: the proof does not count, and error says why
	Success bool `json:"success"`
}

// OwnAccount: An account of the member of the token
type OwnAccount struct {
	// The balance
	Amount Decimal `json:"amount"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// The place by balance, from 1; "5000+" above 5,000; null without a rank
	Rank *NumberOrText `json:"rank"`
}

// OwnGroup: The group of the member of the token
type OwnGroup struct {
	// An identifier of your own
	ExternalIdentifier *string `json:"externalIdentifier"`
	// The id, a UUID
	ID string `json:"id"`
	// In order of joining
	Users []ShortUser `json:"users"`
}

// PageSection: A section of a marketplace page (contract 3.29)
type PageSection struct {
	// The banner
	Banner *SectionBanner `json:"banner"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The items that the section leads to
	DiscoveryItems []DiscoveryItem `json:"discoveryItems"`
	// When it is no longer shown; null: never
	DurationEnd *time.Time `json:"durationEnd"`
	// When the section is shown from
	DurationStart time.Time `json:"durationStart"`
	// The id, a UUID
	ID string `json:"id"`
	// The collections that the section shows as a grid
	ItemsGrids []ShownCollection `json:"itemsGrids"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The page, for placement page
	PageID *string `json:"pageId"`
	// The kind of section
	PageSectionType *string `json:"pageSectionType"`
	// global, or page for the page pageId
	Placement string `json:"placement"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
	// The heading
	Title *string `json:"title"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// Paid: What was paid
type Paid struct {
	// The points that were paid
	Amount *Decimal `json:"amount"`
	// The badge that was granted
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// The currency
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// The multiplier that was granted
	Multiplier *Decimal `json:"multiplier"`
	// What members get
	RewardType string `json:"rewardType"`
	// The points are held and not credited yet, as pointsWaitHours of the currency says
	Waiting *bool `json:"waiting"`
}

// Payout: The payout of a token reward (contract 5.5)
type Payout struct {
	// The tokens to pay
	Amount Decimal `json:"amount"`
	// Calls of the driver since the payout was created or retried
	Attempts int64 `json:"attempts"`
	// The contract of the token; null: none
	ContractID *string `json:"contractId"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The idempotencyKey that the payout driver receives
	ID string `json:"id"`
	// true: the coin of the network, not a token of a contract
	IsNative bool `json:"isNative"`
	// null if a rule granted the reward
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// The hidden currency of the token
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// null if a badge granted the reward
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// The entry that the payout is for
	LoyaltyTransactionEntryID string `json:"loyaltyTransactionEntryId"`
	// Why it failed, or why the last call failed
	Message *string `json:"message"`
	// The blockchain, by a name of contract 2.1
	Network *string `json:"network"`
	// When it is tried next; null: no more
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// null if a badge granted the reward
	RelayerID *string `json:"relayerId"`
	// Where it stands. One of: waiting, sent, done, failed.
	Status string `json:"status"`
	// The hash of the transaction on the blockchain; null: none
	TxHash *string `json:"txHash"`
	// Moves with status and txHash
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress string `json:"walletAddress"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// PhotoPlatformFollowMetadata: Settings of rules of type photo_platform_follow. Members follow your
// account on the photo platform.
type PhotoPlatformFollowMetadata struct {
	// The URL that members open, or of the account that they follow
	Link Optional[string] `json:"link,omitzero"`
}

// PhotoPlatformFollowRule: A rule of type photo_platform_follow, with its settings
type PhotoPlatformFollowRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: photo_platform_follow.
	Type string `json:"type"`
}

// PhotoPlatformPostMetadata: Settings of rules of type photo_platform_post. Members publish a photo
// that mentions you.
type PhotoPlatformPostMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
}

// PhotoPlatformPostRule: A rule of type photo_platform_post, with its settings
type PhotoPlatformPostRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: photo_platform_post.
	Type string `json:"type"`
}

// PlaceBidBody: Input of the operation: Bid for a user
type PlaceBidBody struct {
	// The bid: at least minBidAmount, and above the best bid of an open auction
	Amount Decimal `json:"amount"`
	// The auction
	AuctionID string `json:"auctionId"`
	// Recorded
	AuctionItemID Optional[string] `json:"auctionItemId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// PlatformInput: Tables of the service to watch (contract 3.32)
type PlatformInput struct {
	// Limits entries and accounts to the currencies of these main accounts
	MainLoyaltyAccountIDs Optional[[]string] `json:"mainLoyaltyAccountIds,omitzero"`
	// The tables
	TableNames Optional[[]string] `json:"tableNames,omitzero"`
	// An id of your own, carried in events
	TriggerID Optional[string] `json:"triggerId,omitzero"`
}

// PlatformSource: A table of the service that is watched (contract 3.32)
type PlatformSource struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The table
	Table string `json:"table"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
}

// PostImpressionsMetadata: Settings of rules of type post_impressions. Members’ posts reach a
// minimum number of views.
type PostImpressionsMetadata struct {
	// What counts: views (the default) or posts. One of: IMPRESSIONS_COUNT, ELIGIBLE_POST.
	RewardCriteria Optional[string] `json:"rewardCriteria,omitzero"`
	// true: the amount is paid for each view
	RewardPerImpression Optional[bool] `json:"rewardPerImpression,omitzero"`
	// true: replies and reposts do not count
	RewardQualityPosts Optional[bool] `json:"rewardQualityPosts,omitzero"`
}

// PostImpressionsRule: A rule of type post_impressions, with its settings
type PostImpressionsRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: post_impressions.
	Type string `json:"type"`
}

// PostTransactionInputBody: Input of the operation: Post a transaction: all entries or none
type PostTransactionInputBody struct {
	// What the transaction is for, up to 1,000 characters
	Description string `json:"description"`
	// The entries, one per member or account
	Entries []TransactionEntry `json:"entries"`
	// The currency of entries without one
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default api_key. One of: api_key, order.
	Type Optional[string] `json:"type,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// PostedEntry: An entry of a transaction (contract 3.10)
type PostedEntry struct {
	// The points of the entry, above 0; direction says which way
	Amount Decimal `json:"amount"`
	// credit raises the balance, debit lowers it
	Direction string `json:"direction"`
	// The id, a UUID
	ID string `json:"id"`
	// A key of the caller, unique per website for ever (contract 1.8)
	IdempotencyKey *string `json:"idempotencyKey"`
	// The account
	LoyaltyAccountID string `json:"loyaltyAccountId"`
	// The currency
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// Data of the caller or of the service, such as orderId or reversalOf
	Metadata map[string]any `json:"metadata"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
}

// ProcessingView: A completion that is worked on (contract 3.16)
type ProcessingView struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was completed; null: not yet
	FulfilledAt *time.Time `json:"fulfilledAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// A text for people
	Message string `json:"message"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How far the member is; null: the rule has no progress
	Progress *Decimal `json:"progress"`
	// Absent if there is only progress. One of: pending, processing, completed, failed.
	Status *string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// ProfileCompletedMetadata: Settings of rules of type profile_completed. Members fill in the profile
// fields that you choose.
type ProfileCompletedMetadata struct {
	// The fields of the profile, and the platforms, that members fill in or connect: all that are true
	CompleteProfileConditions Optional[ProfileCompletedMetadataCompleteProfileConditions] `json:"completeProfileConditions,omitzero"`
}

// ProfileCompletedMetadataCompleteProfileConditions: The fields of the profile, and the platforms,
// that members fill in or connect: all that are true
type ProfileCompletedMetadataCompleteProfileConditions struct {
	// true: members need it (About)
	Bio Optional[bool] `json:"bio,omitzero"`
	// true: members need it (Chat server)
	ChatServer Optional[bool] `json:"chat_server,omitzero"`
	// true: members need it (Code host)
	CodeHost Optional[bool] `json:"code_host,omitzero"`
	// true: members need it (Name)
	DisplayName Optional[bool] `json:"displayName,omitzero"`
	// true: members need it (E-mail)
	Email Optional[bool] `json:"email,omitzero"`
	// true: members need it (Forum)
	ForumPlatform Optional[bool] `json:"forum_platform,omitzero"`
	// true: members need it (Game launcher)
	GameLauncher Optional[bool] `json:"game_launcher,omitzero"`
	// true: members need it (Game store)
	GameStore Optional[bool] `json:"game_store,omitzero"`
	// true: members need it (Location)
	Location Optional[bool] `json:"location,omitzero"`
	// true: members need it (Picture)
	LogoURL Optional[bool] `json:"logoUrl,omitzero"`
	// true: members need it (Messenger)
	Messenger Optional[bool] `json:"messenger,omitzero"`
	// true: members need it (Microblog)
	Microblog Optional[bool] `json:"microblog,omitzero"`
	// true: members need it (Phone)
	Phone Optional[bool] `json:"phone,omitzero"`
	// true: members need it (Photo platform)
	PhotoPlatform Optional[bool] `json:"photo_platform,omitzero"`
	// true: members need it (Link)
	PortfolioURL Optional[bool] `json:"portfolioUrl,omitzero"`
	// true: members need it (Short video platform)
	ShortVideo Optional[bool] `json:"short_video,omitzero"`
	// true: members need it (Video platform)
	VideoPlatform Optional[bool] `json:"video_platform,omitzero"`
}

// ProfileCompletedRule: A rule of type profile_completed, with its settings
type ProfileCompletedRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: profile_completed.
	Type string `json:"type"`
}

// Question: The question of a quiz or poll (contract 3.18)
type Question struct {
	// true: members may answer again until they are right
	AllowMultipleAttempts bool `json:"allowMultipleAttempts"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The choices
	LoyaltyQuestionChoices []QuestionChoice `json:"loyaltyQuestionChoices"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The question
	Text string `json:"text"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// QuestionChoice: A choice of a question
type QuestionChoice struct {
	// The id, a UUID
	ID string `json:"id"`
	// As it was sent; without one the place in the list, from 0
	SortIdentifier NumberOrText `json:"sortIdentifier"`
	// The answer that members see
	Text string `json:"text"`
}

// QuestionResponse: An answer of a member (contract 3.18)
type QuestionResponse struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// Always true for polls
	IsCorrect bool `json:"isCorrect"`
	// The choice
	LoyaltyQuestionChoiceID string `json:"loyaltyQuestionChoiceId"`
	// The question
	LoyaltyQuestionID string `json:"loyaltyQuestionId"`
	// The question
	Question AnsweredQuestion `json:"question"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
}

// Queued: What will be sent again
type Queued struct {
	// How many events will be sent again
	Queued int64 `json:"queued"`
}

// RangeInputBody: Input of the operation: Redeliver the events of a period
type RangeInputBody struct {
	// The start of the period
	From Optional[time.Time] `json:"from,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One or many; none: every status
	Status Optional[[]string] `json:"status,omitzero"`
	// The end of the period
	To Optional[time.Time] `json:"to,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RankOutputBody: A rank
type RankOutputBody struct {
	// null: the user has no amount. Ranks beyond 5000 are the text 5000+.
	Rank *NumberOrText `json:"rank"`
}

// RedeliverInputBody: Input of the operation: Redeliver an event
type RedeliverInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RedemptionCode: A single-use code of a rule
type RedemptionCode struct {
	// The code
	Code string `json:"code"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// When it was redeemed; null: not yet
	RedeemedAt *time.Time `json:"redeemedAt"`
	// Who redeemed it; null: nobody yet
	RedeemedByUserID *string `json:"redeemedByUserId"`
}

// ReferUsersBody: Input of the operation: Record that users came by a referral code
type ReferUsersBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// In any case; this or referralCodeId
	ReferralCode Optional[string] `json:"referralCode,omitzero"`
	// The id of the code
	ReferralCodeID Optional[string] `json:"referralCodeId,omitzero"`
	// The users who came by the code
	UserIDs []string `json:"userIds"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReferralCode: The referral code of a member for a rule (contract 3.22)
type ReferralCode struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The code
	ReferralCode string `json:"referralCode"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// ReferralItem: A referral (contract 3.22)
type ReferralItem struct {
	// The amount that the referrer got for this referee, in the rule's currency
	Amount Decimal `json:"amount"`
	// The rule's requirements have held
	Eligible bool `json:"eligible"`
	// The id, a UUID
	ID string `json:"id"`
	// The code by which the member came
	ReferralCode ReferralItemCode `json:"referralCode"`
	// The part of amount that is shares of the referee's earnings
	Tier1Amount Decimal `json:"tier1Amount"`
	// The part of amount that is shares of the earnings of users whom the referee referred
	Tier2Amount Decimal `json:"tier2Amount"`
	// The member who was referred
	User ShortUser `json:"user"`
}

// ReferralItemCode: The code by which a member came
type ReferralItemCode struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The code
	ReferralCode string `json:"referralCode"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
}

// ReferredUserMetadata: Settings of rules of type referred_user. Members refer new members. You can
// reward both members and pay the referrer a share of the new member’s earnings.
type ReferredUserMetadata struct {
	// The fields of the profile, and the platforms, that members fill in or connect: all that are true
	CompleteProfileConditions Optional[ReferredUserMetadataCompleteProfileConditions] `json:"completeProfileConditions,omitzero"`
	// Percent of what a referred member earns that the referrer gets
	FirstReferralReward Optional[NumberOrText] `json:"firstReferralReward,omitzero"`
	// What a referred member must have done before rewards are paid: all that are true (contract 5.12)
	ReferralRequirements Optional[ReferredUserMetadataReferralRequirements] `json:"referralRequirements,omitzero"`
	// What the referrer gets once for each referred member who meets the requirements
	ReferrerReward Optional[NumberOrText] `json:"referrerReward,omitzero"`
	// The currency of referrerReward; null: that of the rule
	ReferrerRewardLoyaltyCurrencyID Optional[string] `json:"referrerRewardLoyaltyCurrencyId,omitzero"`
	// Percent of what members of the second tier earn: those whom a referred member referred
	SecondReferralReward Optional[NumberOrText] `json:"secondReferralReward,omitzero"`
}

// ReferredUserMetadataCompleteProfileConditions: The fields of the profile, and the platforms, that
// members fill in or connect: all that are true
type ReferredUserMetadataCompleteProfileConditions struct {
	// true: members need it (About)
	Bio Optional[bool] `json:"bio,omitzero"`
	// true: members need it (Chat server)
	ChatServer Optional[bool] `json:"chat_server,omitzero"`
	// true: members need it (Code host)
	CodeHost Optional[bool] `json:"code_host,omitzero"`
	// true: members need it (Name)
	DisplayName Optional[bool] `json:"displayName,omitzero"`
	// true: members need it (E-mail)
	Email Optional[bool] `json:"email,omitzero"`
	// true: members need it (Forum)
	ForumPlatform Optional[bool] `json:"forum_platform,omitzero"`
	// true: members need it (Game launcher)
	GameLauncher Optional[bool] `json:"game_launcher,omitzero"`
	// true: members need it (Game store)
	GameStore Optional[bool] `json:"game_store,omitzero"`
	// true: members need it (Location)
	Location Optional[bool] `json:"location,omitzero"`
	// true: members need it (Picture)
	LogoURL Optional[bool] `json:"logoUrl,omitzero"`
	// true: members need it (Messenger)
	Messenger Optional[bool] `json:"messenger,omitzero"`
	// true: members need it (Microblog)
	Microblog Optional[bool] `json:"microblog,omitzero"`
	// true: members need it (Phone)
	Phone Optional[bool] `json:"phone,omitzero"`
	// true: members need it (Photo platform)
	PhotoPlatform Optional[bool] `json:"photo_platform,omitzero"`
	// true: members need it (Link)
	PortfolioURL Optional[bool] `json:"portfolioUrl,omitzero"`
	// true: members need it (Short video platform)
	ShortVideo Optional[bool] `json:"short_video,omitzero"`
	// true: members need it (Video platform)
	VideoPlatform Optional[bool] `json:"video_platform,omitzero"`
}

// ReferredUserMetadataReferralRequirements: What a referred member must have done before rewards are
// paid: all that are true (contract 5.12)
type ReferredUserMetadataReferralRequirements struct {
	// A balance: that of points, or any above 0
	AchievePoints Optional[bool] `json:"achievePoints,omitzero"`
	// The fields of completeProfileConditions
	CompleteProfile Optional[bool] `json:"completeProfile,omitzero"`
	// A connected chat server account
	ConnectChatServer Optional[bool] `json:"connectChatServer,omitzero"`
	// A verified e-mail address
	ConnectEmail Optional[bool] `json:"connectEmail,omitzero"`
	// A connected microblog account
	ConnectMicroblog Optional[bool] `json:"connectMicroblog,omitzero"`
	// The balance that achievePoints asks for
	Points Optional[ReferredUserMetadataReferralRequirementsPoints] `json:"points,omitzero"`
}

// ReferredUserMetadataReferralRequirementsPoints: The balance that achievePoints asks for
type ReferredUserMetadataReferralRequirementsPoints struct {
	// The least balance
	Amount Optional[NumberOrText] `json:"amount,omitzero"`
	// Its currency; null: that of the rule
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
}

// ReferredUserRule: A rule of type referred_user, with its settings
type ReferredUserRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: referred_user.
	Type string `json:"type"`
}

// Referrer: Who referred the member
type Referrer struct {
	// true: the requirements are met
	Eligible bool `json:"eligible"`
	// The code by which the member came
	ReferralCode ReferrerCode `json:"referralCode"`
	// The member who was referred
	User ShortUser `json:"user"`
}

// ReferrerCode: The code of the referrer
type ReferrerCode struct {
	// The member who referred
	User ShortUser `json:"user"`
}

// ReleaseHoldInputBody: Input of the operation: Release a hold
type ReleaseHoldInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReleaseLotInputBody: Input of the operation: Credit held points before they are due
type ReleaseLotInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReplayBody: A replay of completions by a changed rule (contract 4.2)
type ReplayBody struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The start of the period
	From time.Time `json:"from"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// Why it failed
	Message *string `json:"message"`
	// Percent of the period that is done
	Progress int64 `json:"progress"`
	// What the replay found; null until it is complete
	Result *ReplayResult `json:"result"`
	// Where the job stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
	// The end of the period
	To time.Time `json:"to"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
}

// ReplayResult: What a replay found
type ReplayResult struct {
	// What the draft would pay more; negative: less
	Difference Decimal `json:"difference"`
	// Completions that do not change because the caller set their amount
	KeptOverrides int64 `json:"keptOverrides"`
	// The number of members whose sum would differ
	Members int64 `json:"members"`
	// By the rule as it was then
	Paid Decimal `json:"paid"`
	// By the changed rule
	WouldPay Decimal `json:"wouldPay"`
}

// ReplayRuleInputBody: Input of the operation: Replay past completions by a changed rule
type ReplayRuleInputBody struct {
	// Properties of the rule, as an update has them. Those that are left out stay as they are
	Draft RuleDraft `json:"draft"`
	// Completions from here on are decided again
	From time.Time `json:"from"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Up to here, exclusive
	To time.Time `json:"to"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReportMintBody: Input of the operation: Report the result of a mint
type ReportMintBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// How the mint ended. One of: failed, minted.
	Status string `json:"status"`
	// The hash of the transaction on the blockchain; null: none
	TxHash Optional[string] `json:"txHash,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReportMintOutputBody: The report of a mint
type ReportMintOutputBody struct {
	// A text for people. One of: Success.
	Message string `json:"message"`
}

// ResetBody: A reset that has begun
type ResetBody struct {
	// true while the reset of a large currency continues in the background
	Pending *bool `json:"pending"`
	// true: it was done
	Success bool `json:"success"`
}

// ResetInputBody: Input of the operation: Reset a currency
type ResetInputBody struct {
	// The currency whose balances become 0
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// What is reset besides the balances (contract 2). One of: loyalty_reset_balances,
	// loyalty_reset_balances_data_and_rules, loyalty_reset_balances_data_not_rules.
	Type string `json:"type"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RespondInputBody: Input of the operation: Answer a question
type RespondInputBody struct {
	// The choice
	LoyaltyQuestionChoiceID string `json:"loyaltyQuestionChoiceId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RestoreEditInputBody: Input of the operation: Undo an edit
type RestoreEditInputBody struct {
	// A comment for the history of the rule
	EditComment Optional[string] `json:"editComment,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RetryPayoutInputBody: Input of the operation: Retry a failed payout
type RetryPayoutInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReverseByKeyInputBody: Input of the operation: Reverse the transaction that an idempotency key
// belongs to
type ReverseByKeyInputBody struct {
	// A part of a transaction with one entry, above 0; default: what is not reversed yet
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// Default: that of the reversed transaction
	Description Optional[string] `json:"description,omitzero"`
	// Of the reversal; unique on the website forever, among entries and completions together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	// The transaction, by a key of its entries
	Of KeyOfTransaction `json:"of"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default reverse_within_balance. One of: reverse_within_balance, reverse.
	Policy Optional[string] `json:"policy,omitzero"`
	// Revoke badges of the members whose conditions no longer hold
	RecheckBadges Optional[bool] `json:"recheckBadges,omitzero"`
	// The rule that has paid can be completed again in the same window
	Reopen Optional[bool] `json:"reopen,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ReverseTransactionInputBody: Input of the operation: Reverse a transaction, or a part of it
type ReverseTransactionInputBody struct {
	// A part of a transaction with one entry, above 0; default: what is not reversed yet
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// Default: that of the reversed transaction
	Description Optional[string] `json:"description,omitzero"`
	// Of the reversal; unique on the website forever, among entries and completions together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default reverse_within_balance. One of: reverse_within_balance, reverse.
	Policy Optional[string] `json:"policy,omitzero"`
	// Revoke badges of the members whose conditions no longer hold
	RecheckBadges Optional[bool] `json:"recheckBadges,omitzero"`
	// The rule that has paid can be completed again in the same window
	Reopen Optional[bool] `json:"reopen,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RevokeBadgeBody: Input of the operation: Revoke a badge of a user
type RevokeBadgeBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The status to set; default revoked. One of: revoked, inactive.
	Status Optional[string] `json:"status,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RevokeTokensInputBody: Input of the operation: Revoke all earlier member tokens of a user
type RevokeTokensInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RewardBadgeBody: Input of the operation: Grant a badge to a user
type RewardBadgeBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The status to set; default active. One of: active, inactive.
	Status Optional[string] `json:"status,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// RewardInput: What holders of a badge get
type RewardInput struct {
	// points, token
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// multiplier: credits the current balance x (multiplier - 1) once
	IsRetroactive Optional[bool] `json:"isRetroactive,omitzero"`
	// badge: the badge that is granted with this one
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// points: what is paid; token: the hidden currency of the token
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// multiplier: empty or absent for all currencies
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	// The factor of a multiplier; needed for these
	Multiplier Optional[Decimal] `json:"multiplier,omitzero"`
	// What members get. One of: points, multiplier, badge, token.
	RewardType string `json:"rewardType"`
}

// RoleChange: A role to grant or to revoke
type RoleChange struct {
	// Any time revokes the role, at the time of the call
	DeletedAt Optional[time.Time] `json:"deletedAt,omitzero"`
	// The role (contract 2). One of: WEBSITE_SUPER_ADMIN, WEBSITE_ADMIN, WEBSITE_MODERATOR,
	// WEBSITE_DEVELOPER, WEBSITE_VIEWER, ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY,
	// WEBSITE_CLIENT_API_KEY, STRATUS_API_KEY.
	RoleType string `json:"roleType"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress string `json:"walletAddress"`
}

// RowError: A row that was left out
type RowError struct {
	// In the file, from 1; in a feed the number of the result
	Line int64 `json:"line"`
	// A text for people
	Message string `json:"message"`
}

// RuleBody: A rule (contract 3.12)
type RuleBody struct {
	// The points of a reward, or the value of a multiplier; null: 0
	Amount *Decimal `json:"amount"`
	// The URL of the background picture
	BackgroundAssetURL *string `json:"backgroundAssetUrl"`
	// manual: members claim what a run found; auto: runs pay. null: auto for types that run
	ClaimType *string `json:"claimType"`
	// The contract that a partner checks; null: none
	CollectionAddress *string `json:"collectionAddress"`
	// The contracts whose tokens count
	Collections []Collection `json:"collections"`
	// The contracts that are ranked; empty: all of the network
	ContractIDs []string `json:"contractIds"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Where the service asks whom to reward (contract 5.14)
	CustomRewardsAPIURL *string `json:"customRewardsApiUrl"`
	// A file that says whom to reward (contract 5.14)
	CustomRewardsCSVURL *string `json:"customRewardsCsvUrl"`
	// The time whose transactions count; null: all time
	DappDataWindow *string `json:"dappDataWindow"`
	// Only applications deployed within this time count; null: all
	DappDeployedWithin *string `json:"dappDeployedWithin"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// A text for people
	Description string `json:"description"`
	// The rule that this one is a copy of
	DuplicatedFromID *string `json:"duplicatedFromId"`
	// On-chain events count up to here; null: without end
	EffectiveEndTime *time.Time `json:"effectiveEndTime"`
	// On-chain events count from here on; null: from the start of the rule
	EffectiveStartTime *time.Time `json:"effectiveStartTime"`
	// When the rule ends; null: never
	EndTime *time.Time `json:"endTime"`
	// The id that partners get with each request
	ExternalIntegrationID *string `json:"externalIntegrationId"`
	// How often the rule runs over all members; none and once: it does not (contract 5.3)
	Frequency string `json:"frequency"`
	// The function
	FunctionID *string `json:"functionId"`
	// true: not shown to members
	HideInUI bool `json:"hideInUi"`
	// The id, a UUID
	ID string `json:"id"`
	// How often a member can earn the reward (contract 5.3)
	Interval string `json:"interval"`
	// true: the rule ranks applications; set on creation
	IsDappRule bool `json:"isDappRule"`
	// true: members complete it before others
	IsRequired bool `json:"isRequired"`
	// true: hidden from members, so that only bots complete it
	IsSpecial bool `json:"isSpecial"`
	// The badge
	LoyaltyBadge *ShortBadge `json:"loyaltyBadge"`
	// The badge that the rule grants; null: none
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// The currency of the points
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// The chains that lock the rule
	LoyaltyRuleChain []RuleChain `json:"loyaltyRuleChain"`
	// The group of the rule
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	// A file of members and amounts (contract 5.13)
	LoyaltyUserAllotmentCSVURL *string `json:"loyaltyUserAllotmentCsvUrl"`
	// The period of maxAmountPerInterval
	MaxAmountInterval *string `json:"maxAmountInterval"`
	// The most that a member can earn in a period; null: no limit. Needs maxAmountInterval
	MaxAmountPerInterval *Decimal `json:"maxAmountPerInterval"`
	// The URL of the picture or video
	MediaURL *string `json:"mediaUrl"`
	// Data of your own, stored and returned as it was sent. At most 16,384 bytes
	Metadata map[string]any `json:"metadata"`
	// The name, for people
	Name string `json:"name"`
	// The blockchain, by a name of contract 2.1
	Network *string `json:"network"`
	// A name of the operator’s settings for a platform
	OauthCredentialsID *string `json:"oauthCredentialsId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// percentage: complete at 100; counter: at the end of the highest tier
	ProgressType *string `json:"progressType"`
	// dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent
	RewardLifetime *string `json:"rewardLifetime"`
	// What members get
	RewardType string `json:"rewardType"`
	// The shop, if a partner connects several
	ShopStoreURL *string `json:"shopStoreUrl"`
	// true: members see the rule before it starts
	ShowBeforeStart bool `json:"showBeforeStart"`
	// When the rule starts; null: at once
	StartTime *time.Time `json:"startTime"`
	// The subscription whose events complete the rule
	SubscriptionID *string `json:"subscriptionId"`
	// The token that the rule pays (contract 5.5)
	TokenReward *TokenReward `json:"tokenReward"`
	// true: the reward needs complete progress
	TrackProgress bool `json:"trackProgress"`
	// What the rule asks of members (contract 6)
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// RuleByType: The settings in metadata, by the type of the rule. RuleByType is one of its fields: set
// one of them.
type RuleByType struct {
	BoughtOnRule                 *BoughtOnRule
	BoughtWithRoyaltiesRule      *BoughtWithRoyaltiesRule
	ChatServerJoinRule           *ChatServerJoinRule
	ChatServerMemberRule         *ChatServerMemberRule
	ChatServerMessagesRule       *ChatServerMessagesRule
	ChatServerRoleGrantRule      *ChatServerRoleGrantRule
	CheckInRule                  *CheckInRule
	CodeEntryRule                *CodeEntryRule
	CodeHostMergeRequestRule     *CodeHostMergeRequestRule
	CodeHostRepoCollaboratorRule *CodeHostRepoCollaboratorRule
	CodeHostRepoForkRule         *CodeHostRepoForkRule
	CodeHostRepoStarRule         *CodeHostRepoStarRule
	ConnectWalletRule            *ConnectWalletRule
	ConnectedMicroblogRule       *ConnectedMicroblogRule
	CreatePartnerAccountRule     *CreatePartnerAccountRule
	ExternalRule                 *ExternalRule
	ForumPlatformCommentRule     *ForumPlatformCommentRule
	GameStoreWishlistRule        *GameStoreWishlistRule
	GovernanceVoteRule           *GovernanceVoteRule
	LinkClickRule                *LinkClickRule
	LiquidityAmmV2Rule           *LiquidityAmmV2Rule
	LiquidityAmmV3Rule           *LiquidityAmmV3Rule
	ListingRule                  *ListingRule
	LodgingRule                  *LodgingRule
	MessengerJoinRule            *MessengerJoinRule
	MessengerMessagesRule        *MessengerMessagesRule
	MicroblogCommentRule         *MicroblogCommentRule
	MicroblogFollowRule          *MicroblogFollowRule
	MicroblogLikeRule            *MicroblogLikeRule
	MicroblogLikedByProjectRule  *MicroblogLikedByProjectRule
	MicroblogPostRule            *MicroblogPostRule
	MicroblogPostHashtagRule     *MicroblogPostHashtagRule
	MicroblogReactionRule        *MicroblogReactionRule
	MicroblogRepostRule          *MicroblogRepostRule
	MicroblogTextInBioRule       *MicroblogTextInBioRule
	MicroblogTextInCommentRule   *MicroblogTextInCommentRule
	MicroblogTextInNameRule      *MicroblogTextInNameRule
	MintedOnRule                 *MintedOnRule
	PhotoPlatformFollowRule      *PhotoPlatformFollowRule
	PhotoPlatformPostRule        *PhotoPlatformPostRule
	PostImpressionsRule          *PostImpressionsRule
	ProfileCompletedRule         *ProfileCompletedRule
	ReferredUserRule             *ReferredUserRule
	ShopSpendRule                *ShopSpendRule
	ShortVideoFollowRule         *ShortVideoFollowRule
	ShortVideoPostRule           *ShortVideoPostRule
	SmartContractEventRule       *SmartContractEventRule
	SnapshotFullSetRule          *SnapshotFullSetRule
	SnapshotHoldRule             *SnapshotHoldRule
	SoldOnRule                   *SoldOnRule
	SoldWithRoyaltiesRule        *SoldWithRoyaltiesRule
	StratusFunctionRule          *StratusFunctionRule
	SwapRule                     *SwapRule
	TextInputRule                *TextInputRule
	TokenHoldRule                *TokenHoldRule
	TokenHoldErc20Rule           *TokenHoldErc20Rule
	VideoPlatformCommentRule     *VideoPlatformCommentRule
	VideoPlatformSubscribeRule   *VideoPlatformSubscribeRule
	OtherRule                    *OtherRule
	Raw                          json.RawMessage // the object as it was read; written if no other field is set
}

// MarshalJSON writes the field that is set.
func (u RuleByType) MarshalJSON() ([]byte, error) {
	switch {
	case u.BoughtOnRule != nil:
		return json.Marshal(u.BoughtOnRule)
	case u.BoughtWithRoyaltiesRule != nil:
		return json.Marshal(u.BoughtWithRoyaltiesRule)
	case u.ChatServerJoinRule != nil:
		return json.Marshal(u.ChatServerJoinRule)
	case u.ChatServerMemberRule != nil:
		return json.Marshal(u.ChatServerMemberRule)
	case u.ChatServerMessagesRule != nil:
		return json.Marshal(u.ChatServerMessagesRule)
	case u.ChatServerRoleGrantRule != nil:
		return json.Marshal(u.ChatServerRoleGrantRule)
	case u.CheckInRule != nil:
		return json.Marshal(u.CheckInRule)
	case u.CodeEntryRule != nil:
		return json.Marshal(u.CodeEntryRule)
	case u.CodeHostMergeRequestRule != nil:
		return json.Marshal(u.CodeHostMergeRequestRule)
	case u.CodeHostRepoCollaboratorRule != nil:
		return json.Marshal(u.CodeHostRepoCollaboratorRule)
	case u.CodeHostRepoForkRule != nil:
		return json.Marshal(u.CodeHostRepoForkRule)
	case u.CodeHostRepoStarRule != nil:
		return json.Marshal(u.CodeHostRepoStarRule)
	case u.ConnectWalletRule != nil:
		return json.Marshal(u.ConnectWalletRule)
	case u.ConnectedMicroblogRule != nil:
		return json.Marshal(u.ConnectedMicroblogRule)
	case u.CreatePartnerAccountRule != nil:
		return json.Marshal(u.CreatePartnerAccountRule)
	case u.ExternalRule != nil:
		return json.Marshal(u.ExternalRule)
	case u.ForumPlatformCommentRule != nil:
		return json.Marshal(u.ForumPlatformCommentRule)
	case u.GameStoreWishlistRule != nil:
		return json.Marshal(u.GameStoreWishlistRule)
	case u.GovernanceVoteRule != nil:
		return json.Marshal(u.GovernanceVoteRule)
	case u.LinkClickRule != nil:
		return json.Marshal(u.LinkClickRule)
	case u.LiquidityAmmV2Rule != nil:
		return json.Marshal(u.LiquidityAmmV2Rule)
	case u.LiquidityAmmV3Rule != nil:
		return json.Marshal(u.LiquidityAmmV3Rule)
	case u.ListingRule != nil:
		return json.Marshal(u.ListingRule)
	case u.LodgingRule != nil:
		return json.Marshal(u.LodgingRule)
	case u.MessengerJoinRule != nil:
		return json.Marshal(u.MessengerJoinRule)
	case u.MessengerMessagesRule != nil:
		return json.Marshal(u.MessengerMessagesRule)
	case u.MicroblogCommentRule != nil:
		return json.Marshal(u.MicroblogCommentRule)
	case u.MicroblogFollowRule != nil:
		return json.Marshal(u.MicroblogFollowRule)
	case u.MicroblogLikeRule != nil:
		return json.Marshal(u.MicroblogLikeRule)
	case u.MicroblogLikedByProjectRule != nil:
		return json.Marshal(u.MicroblogLikedByProjectRule)
	case u.MicroblogPostRule != nil:
		return json.Marshal(u.MicroblogPostRule)
	case u.MicroblogPostHashtagRule != nil:
		return json.Marshal(u.MicroblogPostHashtagRule)
	case u.MicroblogReactionRule != nil:
		return json.Marshal(u.MicroblogReactionRule)
	case u.MicroblogRepostRule != nil:
		return json.Marshal(u.MicroblogRepostRule)
	case u.MicroblogTextInBioRule != nil:
		return json.Marshal(u.MicroblogTextInBioRule)
	case u.MicroblogTextInCommentRule != nil:
		return json.Marshal(u.MicroblogTextInCommentRule)
	case u.MicroblogTextInNameRule != nil:
		return json.Marshal(u.MicroblogTextInNameRule)
	case u.MintedOnRule != nil:
		return json.Marshal(u.MintedOnRule)
	case u.PhotoPlatformFollowRule != nil:
		return json.Marshal(u.PhotoPlatformFollowRule)
	case u.PhotoPlatformPostRule != nil:
		return json.Marshal(u.PhotoPlatformPostRule)
	case u.PostImpressionsRule != nil:
		return json.Marshal(u.PostImpressionsRule)
	case u.ProfileCompletedRule != nil:
		return json.Marshal(u.ProfileCompletedRule)
	case u.ReferredUserRule != nil:
		return json.Marshal(u.ReferredUserRule)
	case u.ShopSpendRule != nil:
		return json.Marshal(u.ShopSpendRule)
	case u.ShortVideoFollowRule != nil:
		return json.Marshal(u.ShortVideoFollowRule)
	case u.ShortVideoPostRule != nil:
		return json.Marshal(u.ShortVideoPostRule)
	case u.SmartContractEventRule != nil:
		return json.Marshal(u.SmartContractEventRule)
	case u.SnapshotFullSetRule != nil:
		return json.Marshal(u.SnapshotFullSetRule)
	case u.SnapshotHoldRule != nil:
		return json.Marshal(u.SnapshotHoldRule)
	case u.SoldOnRule != nil:
		return json.Marshal(u.SoldOnRule)
	case u.SoldWithRoyaltiesRule != nil:
		return json.Marshal(u.SoldWithRoyaltiesRule)
	case u.StratusFunctionRule != nil:
		return json.Marshal(u.StratusFunctionRule)
	case u.SwapRule != nil:
		return json.Marshal(u.SwapRule)
	case u.TextInputRule != nil:
		return json.Marshal(u.TextInputRule)
	case u.TokenHoldRule != nil:
		return json.Marshal(u.TokenHoldRule)
	case u.TokenHoldErc20Rule != nil:
		return json.Marshal(u.TokenHoldErc20Rule)
	case u.VideoPlatformCommentRule != nil:
		return json.Marshal(u.VideoPlatformCommentRule)
	case u.VideoPlatformSubscribeRule != nil:
		return json.Marshal(u.VideoPlatformSubscribeRule)
	case u.OtherRule != nil:
		return json.Marshal(u.OtherRule)
	case u.Raw != nil:
		return u.Raw, nil
	}
	return []byte("{}"), nil
}

// UnmarshalJSON reads the object, and sets the field that its properties name.
func (u *RuleByType) UnmarshalJSON(text []byte) error {
	*u = RuleByType{Raw: append(json.RawMessage(nil), text...)}
	var named struct {
		Value string `json:"type"`
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	switch named.Value {
	case "bought_on":
		u.BoughtOnRule = new(BoughtOnRule)
		return decode(text, u.BoughtOnRule)
	case "bought_with_royalties":
		u.BoughtWithRoyaltiesRule = new(BoughtWithRoyaltiesRule)
		return decode(text, u.BoughtWithRoyaltiesRule)
	case "chat_server_join":
		u.ChatServerJoinRule = new(ChatServerJoinRule)
		return decode(text, u.ChatServerJoinRule)
	case "chat_server_member":
		u.ChatServerMemberRule = new(ChatServerMemberRule)
		return decode(text, u.ChatServerMemberRule)
	case "chat_server_messages":
		u.ChatServerMessagesRule = new(ChatServerMessagesRule)
		return decode(text, u.ChatServerMessagesRule)
	case "chat_server_role_grant":
		u.ChatServerRoleGrantRule = new(ChatServerRoleGrantRule)
		return decode(text, u.ChatServerRoleGrantRule)
	case "check_in":
		u.CheckInRule = new(CheckInRule)
		return decode(text, u.CheckInRule)
	case "code_entry":
		u.CodeEntryRule = new(CodeEntryRule)
		return decode(text, u.CodeEntryRule)
	case "code_host_merge_request":
		u.CodeHostMergeRequestRule = new(CodeHostMergeRequestRule)
		return decode(text, u.CodeHostMergeRequestRule)
	case "code_host_repo_collaborator":
		u.CodeHostRepoCollaboratorRule = new(CodeHostRepoCollaboratorRule)
		return decode(text, u.CodeHostRepoCollaboratorRule)
	case "code_host_repo_fork":
		u.CodeHostRepoForkRule = new(CodeHostRepoForkRule)
		return decode(text, u.CodeHostRepoForkRule)
	case "code_host_repo_star":
		u.CodeHostRepoStarRule = new(CodeHostRepoStarRule)
		return decode(text, u.CodeHostRepoStarRule)
	case "connect_wallet":
		u.ConnectWalletRule = new(ConnectWalletRule)
		return decode(text, u.ConnectWalletRule)
	case "connected_microblog":
		u.ConnectedMicroblogRule = new(ConnectedMicroblogRule)
		return decode(text, u.ConnectedMicroblogRule)
	case "create_partner_account":
		u.CreatePartnerAccountRule = new(CreatePartnerAccountRule)
		return decode(text, u.CreatePartnerAccountRule)
	case "external_rule":
		u.ExternalRule = new(ExternalRule)
		return decode(text, u.ExternalRule)
	case "forum_platform_comment":
		u.ForumPlatformCommentRule = new(ForumPlatformCommentRule)
		return decode(text, u.ForumPlatformCommentRule)
	case "game_store_wishlist":
		u.GameStoreWishlistRule = new(GameStoreWishlistRule)
		return decode(text, u.GameStoreWishlistRule)
	case "governance_vote":
		u.GovernanceVoteRule = new(GovernanceVoteRule)
		return decode(text, u.GovernanceVoteRule)
	case "link_click":
		u.LinkClickRule = new(LinkClickRule)
		return decode(text, u.LinkClickRule)
	case "liquidity_amm_v2":
		u.LiquidityAmmV2Rule = new(LiquidityAmmV2Rule)
		return decode(text, u.LiquidityAmmV2Rule)
	case "liquidity_amm_v3":
		u.LiquidityAmmV3Rule = new(LiquidityAmmV3Rule)
		return decode(text, u.LiquidityAmmV3Rule)
	case "listing":
		u.ListingRule = new(ListingRule)
		return decode(text, u.ListingRule)
	case "lodging":
		u.LodgingRule = new(LodgingRule)
		return decode(text, u.LodgingRule)
	case "messenger_join":
		u.MessengerJoinRule = new(MessengerJoinRule)
		return decode(text, u.MessengerJoinRule)
	case "messenger_messages":
		u.MessengerMessagesRule = new(MessengerMessagesRule)
		return decode(text, u.MessengerMessagesRule)
	case "microblog_comment":
		u.MicroblogCommentRule = new(MicroblogCommentRule)
		return decode(text, u.MicroblogCommentRule)
	case "microblog_follow":
		u.MicroblogFollowRule = new(MicroblogFollowRule)
		return decode(text, u.MicroblogFollowRule)
	case "microblog_like":
		u.MicroblogLikeRule = new(MicroblogLikeRule)
		return decode(text, u.MicroblogLikeRule)
	case "microblog_liked_by_project":
		u.MicroblogLikedByProjectRule = new(MicroblogLikedByProjectRule)
		return decode(text, u.MicroblogLikedByProjectRule)
	case "microblog_post":
		u.MicroblogPostRule = new(MicroblogPostRule)
		return decode(text, u.MicroblogPostRule)
	case "microblog_post_hashtag":
		u.MicroblogPostHashtagRule = new(MicroblogPostHashtagRule)
		return decode(text, u.MicroblogPostHashtagRule)
	case "microblog_reaction":
		u.MicroblogReactionRule = new(MicroblogReactionRule)
		return decode(text, u.MicroblogReactionRule)
	case "microblog_repost":
		u.MicroblogRepostRule = new(MicroblogRepostRule)
		return decode(text, u.MicroblogRepostRule)
	case "microblog_text_in_bio":
		u.MicroblogTextInBioRule = new(MicroblogTextInBioRule)
		return decode(text, u.MicroblogTextInBioRule)
	case "microblog_text_in_comment":
		u.MicroblogTextInCommentRule = new(MicroblogTextInCommentRule)
		return decode(text, u.MicroblogTextInCommentRule)
	case "microblog_text_in_name":
		u.MicroblogTextInNameRule = new(MicroblogTextInNameRule)
		return decode(text, u.MicroblogTextInNameRule)
	case "minted_on":
		u.MintedOnRule = new(MintedOnRule)
		return decode(text, u.MintedOnRule)
	case "photo_platform_follow":
		u.PhotoPlatformFollowRule = new(PhotoPlatformFollowRule)
		return decode(text, u.PhotoPlatformFollowRule)
	case "photo_platform_post":
		u.PhotoPlatformPostRule = new(PhotoPlatformPostRule)
		return decode(text, u.PhotoPlatformPostRule)
	case "post_impressions":
		u.PostImpressionsRule = new(PostImpressionsRule)
		return decode(text, u.PostImpressionsRule)
	case "profile_completed":
		u.ProfileCompletedRule = new(ProfileCompletedRule)
		return decode(text, u.ProfileCompletedRule)
	case "referred_user":
		u.ReferredUserRule = new(ReferredUserRule)
		return decode(text, u.ReferredUserRule)
	case "shop_spend":
		u.ShopSpendRule = new(ShopSpendRule)
		return decode(text, u.ShopSpendRule)
	case "short_video_follow":
		u.ShortVideoFollowRule = new(ShortVideoFollowRule)
		return decode(text, u.ShortVideoFollowRule)
	case "short_video_post":
		u.ShortVideoPostRule = new(ShortVideoPostRule)
		return decode(text, u.ShortVideoPostRule)
	case "smart_contract_event":
		u.SmartContractEventRule = new(SmartContractEventRule)
		return decode(text, u.SmartContractEventRule)
	case "snapshot_full_set":
		u.SnapshotFullSetRule = new(SnapshotFullSetRule)
		return decode(text, u.SnapshotFullSetRule)
	case "snapshot_hold":
		u.SnapshotHoldRule = new(SnapshotHoldRule)
		return decode(text, u.SnapshotHoldRule)
	case "sold_on":
		u.SoldOnRule = new(SoldOnRule)
		return decode(text, u.SoldOnRule)
	case "sold_with_royalties":
		u.SoldWithRoyaltiesRule = new(SoldWithRoyaltiesRule)
		return decode(text, u.SoldWithRoyaltiesRule)
	case "stratus_function":
		u.StratusFunctionRule = new(StratusFunctionRule)
		return decode(text, u.StratusFunctionRule)
	case "swap":
		u.SwapRule = new(SwapRule)
		return decode(text, u.SwapRule)
	case "text_input":
		u.TextInputRule = new(TextInputRule)
		return decode(text, u.TextInputRule)
	case "token_hold":
		u.TokenHoldRule = new(TokenHoldRule)
		return decode(text, u.TokenHoldRule)
	case "token_hold_erc20":
		u.TokenHoldErc20Rule = new(TokenHoldErc20Rule)
		return decode(text, u.TokenHoldErc20Rule)
	case "video_platform_comment":
		u.VideoPlatformCommentRule = new(VideoPlatformCommentRule)
		return decode(text, u.VideoPlatformCommentRule)
	case "video_platform_subscribe":
		u.VideoPlatformSubscribeRule = new(VideoPlatformSubscribeRule)
		return decode(text, u.VideoPlatformSubscribeRule)
	case "attendance_token_claim", "bonus", "connected_chat_server", "connected_code_host", "connected_email", "connected_forum_platform", "connected_game_launcher", "connected_game_store", "connected_messenger", "connected_phone", "connected_photo_platform", "connected_short_video", "connected_video_platform", "dapps_by_active_users", "dapps_by_gas_spent", "dapps_by_new_users", "dapps_by_transaction_count", "dapps_by_user_retention", "manual_upload", "microblog_followers", "points_airdrop", "poll", "quiz":
		u.OtherRule = new(OtherRule)
		return decode(text, u.OtherRule)
	}
	return nil
}

// RuleChain: Conditions that lock a rule (contract 3.17)
type RuleChain struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The conditions
	LoyaltyConditions []ChainCondition `json:"loyaltyConditions"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The name, for people
	Name string `json:"name"`
	// AND: all conditions must hold; OR: one of them. One of: AND, OR.
	OperatorType string `json:"operatorType"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// RuleDraft: A change of a rule that is not saved
type RuleDraft struct {
	// The points of a reward, or the value of a multiplier; null: 0
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// The URL of the background picture
	BackgroundAssetURL Optional[string] `json:"backgroundAssetUrl,omitzero"`
	// manual: members claim what a run found; auto: runs pay. null: auto for types that run. One of:
	// manual, auto.
	ClaimType Optional[string] `json:"claimType,omitzero"`
	// The contract that a partner checks
	CollectionAddress Optional[string] `json:"collectionAddress,omitzero"`
	// The contracts whose tokens count
	Collections Optional[[]Collection] `json:"collections,omitzero"`
	// The contracts that are ranked; empty: all of the network
	ContractIDs Optional[[]string] `json:"contractIds,omitzero"`
	// Where the service asks whom to reward (contract 5.14)
	CustomRewardsAPIURL Optional[string] `json:"customRewardsApiUrl,omitzero"`
	// A file that says whom to reward (contract 5.14)
	CustomRewardsCSVURL Optional[string] `json:"customRewardsCsvUrl,omitzero"`
	// The time whose transactions count; null: all time. One of: daily, weekly, monthly.
	DappDataWindow Optional[string] `json:"dappDataWindow,omitzero"`
	// Only applications deployed within this time count; null: all. One of: daily, weekly, monthly.
	DappDeployedWithin Optional[string] `json:"dappDeployedWithin,omitzero"`
	// On update: a time deletes, null brings back
	DeletedAt Optional[time.Time] `json:"deletedAt,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// The rule that this one is a copy of
	DuplicatedFromID Optional[string] `json:"duplicatedFromId,omitzero"`
	// A comment for the history of the rule
	EditComment Optional[string] `json:"editComment,omitzero"`
	// On-chain events count up to here; null: without end
	EffectiveEndTime Optional[time.Time] `json:"effectiveEndTime,omitzero"`
	// On-chain events count from here on; null: from the start of the rule
	EffectiveStartTime Optional[time.Time] `json:"effectiveStartTime,omitzero"`
	// When the rule ends; null: never
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// The id that partners get with each request
	ExternalIntegrationID Optional[string] `json:"externalIntegrationId,omitzero"`
	// How often the rule runs over all members; none and once: it does not (contract 5.3). One of: none,
	// once, hourly, daily, weekly, monthly, immediately.
	Frequency Optional[string] `json:"frequency,omitzero"`
	// The function
	FunctionID Optional[string] `json:"functionId,omitzero"`
	// true: not shown to members
	HideInUI Optional[bool] `json:"hideInUi,omitzero"`
	// How often a member can earn the reward (contract 5.3). One of: hourly, daily, weekly, monthly, once,
	// custom, every_message, unlimited.
	Interval Optional[string] `json:"interval,omitzero"`
	// true: the rule ranks applications; set on creation
	IsDappRule Optional[bool] `json:"isDappRule,omitzero"`
	// true: members complete it before others
	IsRequired Optional[bool] `json:"isRequired,omitzero"`
	// true: hidden from members, so that only bots complete it
	IsSpecial Optional[bool] `json:"isSpecial,omitzero"`
	// The badge that the rule grants; needed for rewardType badge
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// The currency of the points
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// A uuid or no-section
	LoyaltyRuleGroupID Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	// A file of members and amounts (contract 5.13)
	LoyaltyUserAllotmentCSVURL Optional[string] `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	// The period of maxAmountPerInterval. One of: daily, weekly, monthly, lifetime.
	MaxAmountInterval Optional[string] `json:"maxAmountInterval,omitzero"`
	// Needs maxAmountInterval
	MaxAmountPerInterval Optional[Decimal] `json:"maxAmountPerInterval,omitzero"`
	// The URL of the picture or video
	MediaURL Optional[string] `json:"mediaUrl,omitzero"`
	// Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
	// bytes
	Metadata any `json:"metadata,omitempty"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The blockchain, by a name of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// A name of the operator’s settings for a platform
	OauthCredentialsID Optional[string] `json:"oauthCredentialsId,omitzero"`
	// percentage: complete at 100; counter: at the end of the highest tier. One of: counter, percentage.
	ProgressType Optional[string] `json:"progressType,omitzero"`
	// dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent. One
	// of: permanent, dynamic.
	RewardLifetime Optional[string] `json:"rewardLifetime,omitzero"`
	// What members get. One of: points, multiplier, badge, token.
	RewardType Optional[string] `json:"rewardType,omitzero"`
	// The shop, if a partner connects several
	ShopStoreURL Optional[string] `json:"shopStoreUrl,omitzero"`
	// true: members see the rule before it starts
	ShowBeforeStart Optional[bool] `json:"showBeforeStart,omitzero"`
	// When the rule starts; null: at once
	StartTime Optional[time.Time] `json:"startTime,omitzero"`
	// The subscription whose events complete the rule
	SubscriptionID Optional[string] `json:"subscriptionId,omitzero"`
	// The token that the rule pays (contract 5.5)
	TokenReward Optional[TokenReward] `json:"tokenReward,omitzero"`
	// true: the reward needs complete progress
	TrackProgress Optional[bool] `json:"trackProgress,omitzero"`
	// Cannot be changed
	Type Optional[string] `json:"type,omitzero"`
}

// RuleEdit: An edit in the history of a rule (contract 3.15)
type RuleEdit struct {
	// What the edit did. One of: create, update, delete, restore.
	Action string `json:"action"`
	// The comment of the edit
	Comment *string `json:"comment"`
	// The properties that changed, as they are after the edit; of a new rule all
	Data map[string]any `json:"data"`
	// When it was made
	EditedAt time.Time `json:"editedAt"`
	// The user who made it
	EditedByUserID string `json:"editedByUserId"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The same properties before the edit; absent for create
	PreviousData map[string]any `json:"previousData"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// RuleGroup: A group of rules (contract 3.14)
type RuleGroup struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// true: the group has further rules that did not fit into the response. The list of rules, filtered by
	// the group, has them all
	HasMoreItems *bool `json:"hasMoreItems"`
	// The id, a UUID
	ID string `json:"id"`
	// true: pages may fold the group
	IsCollapsible bool `json:"isCollapsible"`
	// true: members complete its rules before others
	IsRequired bool `json:"isRequired"`
	// The rules of the group, in their order
	LoyaltyGroupItems []GroupItem `json:"loyaltyGroupItems"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
	// The second heading
	SubTitle *string `json:"subTitle"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// RuleImport: An import of a list of a rule
type RuleImport struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The problems of the first 100 skipped rows
	Errors []RowError `json:"errors"`
	// When it ended; null: it has not
	FinishedAt *time.Time `json:"finishedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The list: codes, allotments or rewards. One of: allotment, codes, rewards, condition.
	Kind string `json:"kind"`
	// For the kind condition: the condition of the chain; otherwise null
	LoyaltyConditionID *string `json:"loyaltyConditionId"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// Why it failed, or which rows were left out; null: neither
	Message *string `json:"message"`
	// New rows
	RowsKept int64 `json:"rowsKept"`
	// How many rows were read so far
	RowsRead int64 `json:"rowsRead"`
	// Invalid rows, and rows that the list has already
	RowsSkipped int64 `json:"rowsSkipped"`
	// null until the file is downloaded
	RowsTotal *int64 `json:"rowsTotal"`
	// Where the import stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The address of the file
	URL string `json:"url"`
}

// RuleMetadata: Settings that rules of every type may have (contract 3.13). Other properties are
// stored as they are sent
type RuleMetadata struct {
	// The label of the button. For display; the service does not use it
	ButtonText Optional[string] `json:"buttonText,omitzero"`
	// What members have to do. For display; the service does not use it
	ConditionDescription Optional[string] `json:"conditionDescription,omitzero"`
	// A link beside the rule. For display; the service does not use it
	Cta Optional[RuleMetadataCta] `json:"cta,omitzero"`
	// Seconds between two rewards, for the interval custom
	CustomIntervalSeconds Optional[int64] `json:"customIntervalSeconds,omitzero"`
	// A secret for customRewardsApiUrl, sent in the header x-api-key. Only organization and website keys
	// see it
	CustomRewardsAPIKey Optional[string] `json:"customRewardsApiKey,omitzero"`
	// true: verified microblog accounts get the amount times verifiedMultiplier
	EnableVerifiedMultiplier Optional[bool] `json:"enableVerifiedMultiplier,omitzero"`
	// true: only members whose microblog account is verified by the platform
	HasVerifiedMicroblog Optional[bool] `json:"hasVerifiedMicroblog,omitzero"`
	// The URL of a picture. For display; the service does not use it
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// Whether multipliers are shown. For display; the service does not use it
	IsMultiplierApplied Optional[bool] `json:"isMultiplierApplied,omitzero"`
	// true: only members who joined after startTime
	IsRestrictedToNewUsers Optional[bool] `json:"isRestrictedToNewUsers,omitzero"`
	// true: a multiplier reward also multiplies the balance that the member has then, once
	IsRetroactive Optional[bool] `json:"isRetroactive,omitzero"`
	// The currencies that a multiplier reward applies to; empty: all
	MultiplierLoyaltyCurrencyIDs Optional[[]string] `json:"multiplierLoyaltyCurrencyIds,omitzero"`
	// A proposal for the text of members’ posts. For display; the service does not use it
	PreGeneratedPostText Optional[string] `json:"preGeneratedPostText,omitzero"`
	// Tiers: the reward depends on the value that was measured or sent. Tiers do not overlap (contract
	// 5.7)
	Range Optional[[]RuleMetadataRange] `json:"range,omitzero"`
	// true: progress starts again at 0 after a reward
	ResetProgressOnClaim Optional[bool] `json:"resetProgressOnClaim,omitzero"`
	// true: members also get the badge of the tier
	RewardBadgePerRange Optional[bool] `json:"rewardBadgePerRange,omitzero"`
	// true: multipliers of members do not raise this reward
	SkipMultiplier Optional[bool] `json:"skipMultiplier,omitzero"`
	// The platform of the rule. For display; the service does not use it. One of: Custom, Microblog,
	// PhotoPlatform, ChatServer, Messenger, ShortVideo, VideoPlatform, LiveStream, ForumPlatform,
	// CodeHost, GameStore, GameLauncher, WebAccount, Phone.
	SocialPlatform Optional[string] `json:"socialPlatform,omitzero"`
	// The URL of the platform’s logo. For display; the service does not use it
	SocialPlatformLogo Optional[string] `json:"socialPlatformLogo,omitzero"`
	// The name of the platform. For display; the service does not use it
	SocialPlatformName Optional[string] `json:"socialPlatformName,omitzero"`
	// The factor for verified microblog accounts
	VerifiedMultiplier Optional[float64] `json:"verifiedMultiplier,omitzero"`
	// The placeholder of the field in which members enter a code, text or link. For display; the service
	// does not use it
	VerifyPlaceHolderText Optional[string] `json:"verifyPlaceHolderText,omitzero"`
}

// RuleMetadataCta: A link beside the rule. For display; the service does not use it
type RuleMetadataCta struct {
	// The URL of the link
	Href Optional[string] `json:"href,omitzero"`
	// The text of the link
	Label Optional[string] `json:"label,omitzero"`
}

type RuleMetadataRange struct {
	// What the tier pays, at least 0; null: the amount of the rule
	Amount Optional[NumberOrText] `json:"amount,omitzero"`
	// The greatest value of the tier, at least startRange
	EndRange NumberOrText `json:"endRange"`
	// The badge of the tier, with rewardBadgePerRange
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// The multiplier of the tier, for rewardType multiplier
	LoyaltyMultiplierAmount Optional[NumberOrText] `json:"loyaltyMultiplierAmount,omitzero"`
	// The least value of the tier
	StartRange NumberOrText `json:"startRange"`
}

// RuleRun: A run of a rule over all members
type RuleRun struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Members that were evaluated so far
	Evaluated int64 `json:"evaluated"`
	// Members who could not be paid; the server's log says why
	Failed int64 `json:"failed"`
	// When it ended; null: it has not
	FinishedAt *time.Time `json:"finishedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// Why the run failed or was cancelled, or what it waits for; empty otherwise
	Message string `json:"message"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Members who do not fulfil the rule, or were paid already
	Refused int64 `json:"refused"`
	// Members who were paid, or who may claim if claimType is manual
	Rewarded int64 `json:"rewarded"`
	// The time of the run; its rewards are decided as of then
	ScheduledAt time.Time `json:"scheduledAt"`
	// The beginning of the period that the run covers: the run before, or the rule's start
	Since time.Time `json:"since"`
	// When it began; null: it has not
	StartedAt *time.Time `json:"startedAt"`
	// Where the run stands. One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// RuleStatus: The progress of a member on a rule (contract 3.16)
type RuleStatus struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// How far the member is, up to the target of the rule (contract 5.7)
	Progress Decimal `json:"progress"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// SectionBanner: The banner of a page section
type SectionBanner struct {
	// The pictures that the banner turns through
	Carousel *SectionCarousel `json:"carousel"`
	// The id, a UUID
	ID string `json:"id"`
	// The collections that the banner shows
	WebsiteCollectionBanners []ShownCollection `json:"websiteCollectionBanners"`
}

// SectionCarousel: The pictures of a banner
type SectionCarousel struct {
	// The pictures
	CarouselItems []SectionCarouselItem `json:"carouselItems"`
	// The id, a UUID
	ID string `json:"id"`
}

// SectionCarouselItem: A picture of a banner
type SectionCarouselItem struct {
	// The id, a UUID
	ID string `json:"id"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
}

// Self: The member of the token (contract 1.11)
type Self struct {
	// The member’s accounts
	Accounts []OwnAccount `json:"accounts"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Wallets that delegate to the member, with includeDelegation=true
	DelegationsFrom []Delegator `json:"delegationsFrom"`
	// The id, a UUID
	ID string `json:"id"`
	// Always false
	IsPlatformSuperAdmin bool `json:"isPlatformSuperAdmin"`
	// Stored; null: not set
	Notifications *bool `json:"notifications"`
	// Who referred the member
	Referrers []Referrer `json:"referrers"`
	// true: created when a call named it, and nothing else is known yet
	TemporaryLoyaltyUser bool `json:"temporaryLoyaltyUser"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The group of the member; null: none
	UserGroup *OwnGroup `json:"userGroup"`
	// What is known of the member, one item per website
	UserMetadata []Metadata `json:"userMetadata"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
	// The kind of wallet; null: unknown
	WalletType *string `json:"walletType"`
	// The attributes of the website that have a value for the member
	WebsiteUserAttributes []LabeledAttribute `json:"websiteUserAttributes"`
}

// SendPhoneCodeInputBody: Input of the operation: Send a code to a phone number
type SendPhoneCodeInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// In E.164 format
	PhoneNumber string `json:"phoneNumber"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// ShopSpendMetadata: Settings of rules of type shop_spend. Members buy from your shop. The reward can
// depend on the amount they spend.
type ShopSpendMetadata struct {
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
}

// ShopSpendRule: A rule of type shop_spend, with its settings
type ShopSpendRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: shop_spend.
	Type string `json:"type"`
}

// ShortAttribute: An attribute
type ShortAttribute struct {
	// The id, a UUID
	ID string `json:"id"`
	// The name of the attribute
	Label string `json:"label"`
}

// ShortBadge: The badge that a rule grants
type ShortBadge struct {
	// A text for people
	Description string `json:"description"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL string `json:"imageUrl"`
	// The name, for people
	Name string `json:"name"`
}

// ShortUser: A member
type ShortUser struct {
	// The id, a UUID
	ID string `json:"id"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
}

// ShortValue: The value of a member
type ShortValue struct {
	// The id, a UUID
	ID string `json:"id"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The value
	Value string `json:"value"`
	// The attribute
	WebsiteUserAttributeID string `json:"websiteUserAttributeId"`
}

// ShortVideoFollowMetadata: Settings of rules of type short_video_follow. Members follow your account
// on the short video platform.
type ShortVideoFollowMetadata struct {
	// The URL that members open, or of the account that they follow
	Link Optional[string] `json:"link,omitzero"`
}

// ShortVideoFollowRule: A rule of type short_video_follow, with its settings
type ShortVideoFollowRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: short_video_follow.
	Type string `json:"type"`
}

// ShortVideoPostMetadata: Settings of rules of type short_video_post. Members publish a short video
// that mentions you.
type ShortVideoPostMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
}

// ShortVideoPostRule: A rule of type short_video_post, with its settings
type ShortVideoPostRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: short_video_post.
	Type string `json:"type"`
}

// ShownCollection: A collection that a section shows
type ShownCollection struct {
	// The id, a UUID
	ID string `json:"id"`
	// The collection; null: none
	WebsiteCollection *CollectionSummary `json:"websiteCollection"`
	// The collection
	WebsiteCollectionID *string `json:"websiteCollectionId"`
}

// ShownInput: A collection that a section shows
type ShownInput struct {
	// The id of an existing part; ignored on creation
	ID Optional[string] `json:"id,omitzero"`
	// The collection
	WebsiteCollectionID Optional[string] `json:"websiteCollectionId,omitzero"`
}

// SimulateRuleInputBody: Input of the operation: Simulate the completion of a rule
type SimulateRuleInputBody struct {
	// In place of the rule's amount; external_rule only
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// Decides as if at this time, on the current facts
	At Optional[time.Time] `json:"at,omitzero"`
	// The link of what the member posted, for types that ask for it
	ContentURL Optional[string] `json:"contentUrl,omitzero"`
	// Properties of the rule, laid over it; nothing is saved
	Draft Optional[RuleDraft] `json:"draft,omitzero"`
	// Only for external_rule. Unique on the website forever, among completions and entries together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	// The choice
	LoyaltyQuestionChoiceID Optional[string] `json:"loyaltyQuestionChoiceId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
	// the amount is paid for each unit of it
	RangeValue Optional[Decimal] `json:"rangeValue,omitzero"`
	// true: chains and required rules do not stop the completion. Not through client keys
	SkipChainOrRequiredCheck Optional[bool] `json:"skipChainOrRequiredCheck,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// What the member entered: a code or a text
	VerificationCode Optional[string] `json:"verificationCode,omitzero"`
	// true, as boolean or text: every check and no reward
	VerifyOnly Optional[bool] `json:"verifyOnly,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// SimulatedCheck: One check of a completion, in order
type SimulatedCheck struct {
	// The refusal, as a completion would return it
	Message *string `json:"message"`
	// overrides, idempotencyKey, currency, setup, time, blocked, audience, required, window, progress,
	// account, verification or reward
	Name string `json:"name"`
	// true: the check is met
	Pass bool `json:"pass"`
}

// SimulationBody: What a completion would do (contract 4.2)
type SimulationBody struct {
	// Every check, also those behind the first that fails, as far as they can be judged
	Checks []SimulatedCheck `json:"checks"`
	// The first refusal; null if there is none
	Message *string `json:"message"`
	// What is lacking, in numbers; null: nothing
	Missing *Missing `json:"missing"`
	// The rewards that would be paid
	Rewards []Paid `json:"rewards"`
	// The transactions that the rule's function would request. They are not sent
	Transactions []AddedCall `json:"transactions"`
	// true: the completion would be paid
	WouldComplete bool `json:"wouldComplete"`
}

// SiteCollection: A collection of the website
type SiteCollection struct {
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// The name of the collection
	Name string `json:"name"`
	// Percent; 0 if none is set
	RoyaltyFee Decimal `json:"royaltyFee"`
	// Empty if none is set
	RoyaltyFeeAddress string `json:"royaltyFeeAddress"`
}

// SmartContractEventMetadata: Settings of rules of type smart_contract_event. Members trigger an event
// in a smart contract.
type SmartContractEventMetadata struct {
	// What happens to points for an event that a reorganization removes: taken back within the balance
	// (the default), taken back in full, or kept. One of: reverse_within_balance, reverse, keep.
	OnReorg Optional[string] `json:"onReorg,omitzero"`
	// The event or call that completes the rule
	SmartContract Optional[SmartContractEventMetadataSmartContract] `json:"smartContract,omitzero"`
}

// SmartContractEventMetadataSmartContract: The event or call that completes the rule
type SmartContractEventMetadataSmartContract struct {
	// The argument with the member’s wallet; null: the sender of the transaction
	AddressMapping Optional[string] `json:"addressMapping,omitzero"`
	// What the amount is multiplied by
	AmountMultiplier Optional[SmartContractEventMetadataSmartContractAmountMultiplier] `json:"amountMultiplier,omitzero"`
	// A contract of the website, whose logs are watched; null: a subscription feeds the rule
	ContractID Optional[string] `json:"contractId,omitzero"`
	// everyEvent: params do not count; byParameter, the default: they do. One of: everyEvent, byParameter.
	Criteria Optional[string] `json:"criteria,omitzero"`
	// The name or full signature of the event or function, such as Transfer(address,address,uint256)
	Event Optional[string] `json:"event,omitzero"`
	// Conditions on arguments, which must all hold
	Params Optional[[]SmartContractEventMetadataSmartContractParam] `json:"params,omitzero"`
	// What counts: events (the default) or calls of a function. One of: function, event.
	Type Optional[string] `json:"type,omitzero"`
}

// SmartContractEventMetadataSmartContractAmountMultiplier: What the amount is multiplied by
type SmartContractEventMetadataSmartContractAmountMultiplier struct {
	// An argument with a number. That of a fungible token counts in whole tokens
	ValueMapping Optional[string] `json:"valueMapping,omitzero"`
}

type SmartContractEventMetadataSmartContractParam struct {
	// The comparison: of integers if both are, else of texts; null: equals. One of: equals, not_equals,
	// greater_than, greater_than_or_equal, less_than, less_than_or_equal, contains.
	Condition Optional[string] `json:"condition,omitzero"`
	// The argument
	Name Optional[string] `json:"name,omitzero"`
	// The value to compare with
	Value Optional[any] `json:"value,omitzero"`
}

// SmartContractEventRule: A rule of type smart_contract_event, with its settings
type SmartContractEventRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: smart_contract_event.
	Type string `json:"type"`
}

// SnapshotFullSetMetadata: Settings of rules of type snapshot_full_set. Members hold a token from each
// of several collections at a time that you choose.
type SnapshotFullSetMetadata struct {
	// true: only members who never sold a token of the collections
	HasNeverSold Optional[bool] `json:"hasNeverSold,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
}

// SnapshotFullSetRule: A rule of type snapshot_full_set, with its settings
type SnapshotFullSetRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: snapshot_full_set.
	Type string `json:"type"`
}

// SnapshotHoldMetadata: Settings of rules of type snapshot_hold. Members hold tokens from a collection
// at a time that you choose.
type SnapshotHoldMetadata struct {
	// Tokens in a batch; null: 1
	BatchSize Optional[float64] `json:"batchSize,omitzero"`
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]SnapshotHoldMetadataCollection] `json:"collection,omitzero"`
	// true: only members who never sold a token of the collections
	HasNeverSold Optional[bool] `json:"hasNeverSold,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: of each contract one token at most counts
	OnlyRewardSingleTokenOwnership Optional[bool] `json:"onlyRewardSingleTokenOwnership,omitzero"`
	// true: the amount is paid for each full batch of batchSize tokens
	RewardByBatch Optional[bool] `json:"rewardByBatch,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

type SnapshotHoldMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// SnapshotHoldRule: A rule of type snapshot_hold, with its settings
type SnapshotHoldRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: snapshot_hold.
	Type string `json:"type"`
}

// SoldOnMetadata: Settings of rules of type sold_on. Members sell tokens from their wallet.
type SoldOnMetadata struct {
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]SoldOnMetadataCollection] `json:"collection,omitzero"`
	// The market whose sales count, by the operator’s name for it; null: any
	FillSource Optional[string] `json:"fillSource,omitzero"`
	// false: fillSource does not count
	HasFillSource Optional[bool] `json:"hasFillSource,omitzero"`
	// false: saleCurrency does not count
	HasSaleCurrency Optional[bool] `json:"hasSaleCurrency,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// true: only sales in the network’s coin count
	OnlyNative Optional[bool] `json:"onlyNative,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
	// The address of the token that sales are paid in, or native; null: any
	SaleCurrency Optional[string] `json:"saleCurrency,omitzero"`
}

type SoldOnMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// SoldOnRule: A rule of type sold_on, with its settings
type SoldOnRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: sold_on.
	Type string `json:"type"`
}

// SoldWithRoyaltiesMetadata: Settings of rules of type sold_with_royalties. Members resell tokens and
// pay you royalties.
type SoldWithRoyaltiesMetadata struct {
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]SoldWithRoyaltiesMetadataCollection] `json:"collection,omitzero"`
	// The market whose sales count, by the operator’s name for it; null: any
	FillSource Optional[string] `json:"fillSource,omitzero"`
	// false: fillSource does not count
	HasFillSource Optional[bool] `json:"hasFillSource,omitzero"`
	// Sales with full royalties are types of their own; kept for older clients
	HasPaidFullRoyalty Optional[bool] `json:"hasPaidFullRoyalty,omitzero"`
	// false: saleCurrency does not count
	HasSaleCurrency Optional[bool] `json:"hasSaleCurrency,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// true: only sales in the network’s coin count
	OnlyNative Optional[bool] `json:"onlyNative,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
	// true: the amount is paid for each unit of the value: of the price, of the spending, or of the
	// rangeValue that the call sends
	RewardPerValue Optional[bool] `json:"rewardPerValue,omitzero"`
	// Who receives the royalty; null: the address that the collection names
	RoyaltyAddress Optional[string] `json:"royaltyAddress,omitzero"`
	// The royalty in percent of the price; null: the royaltyFee of the collection
	RoyaltyPercentage Optional[NumberOrText] `json:"royaltyPercentage,omitzero"`
	// The address of the token that sales are paid in, or native; null: any
	SaleCurrency Optional[string] `json:"saleCurrency,omitzero"`
}

type SoldWithRoyaltiesMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// SoldWithRoyaltiesRule: A rule of type sold_with_royalties, with its settings
type SoldWithRoyaltiesRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: sold_with_royalties.
	Type string `json:"type"`
}

// StartedFlow: The start of a connection
type StartedFlow struct {
	// What the profile must contain
	Code *string `json:"code"`
	// For accounts that are proved by their profile
	JwtState *string `json:"jwtState"`
	// Where the member’s browser goes to connect the account
	URL string `json:"url"`
}

// State: The state of a condition
type State struct {
	// true: it is met
	Complete bool `json:"complete"`
	// What there is
	Current Decimal `json:"current"`
	// The condition
	LoyaltyConditionID string `json:"loyaltyConditionId"`
	// What is needed
	Required Decimal `json:"required"`
	// What the condition asks (contract 2)
	Type string `json:"type"`
}

// StoriedEvent: An event with every attempt to deliver it (contract 3.33)
type StoriedEvent struct {
	// Every attempt, the first one first
	AttemptList []Attempt `json:"attemptList"`
	// How often it was tried
	Attempts int64 `json:"attempts"`
	// The last answer of the receiver; null: none
	Callback *Callback `json:"callback"`
	// The event of the blockchain; null for events of the service
	Event *ContractEvent `json:"event"`
	// The run of a function for the event; null: none
	FunctionRun *EventRun `json:"functionRun"`
	// Present if the subscription has several functions
	FunctionRuns []EventRun `json:"functionRuns"`
	// The id, a UUID
	ID string `json:"id"`
	// When it is tried next; null: no more
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// The whole body of v2
	Payload map[string]any `json:"payload"`
	// Whether the event was delivered. One of: pending, delivered, failed, skipped, held.
	Status string `json:"status"`
	// The table; null for events of blockchains
	Table *string `json:"table"`
	// When it happened
	TriggeredAt time.Time `json:"triggeredAt"`
	// What happened
	Type string `json:"type"`
}

// StratusFunctionMetadata: Settings of rules of type stratus_function. One of your functions decides
// which members are rewarded.
type StratusFunctionMetadata struct {
	// What happens to points for an event that a reorganization removes: taken back within the balance
	// (the default), taken back in full, or kept. One of: reverse_within_balance, reverse, keep.
	OnReorg Optional[string] `json:"onReorg,omitzero"`
}

// StratusFunctionRule: A rule of type stratus_function, with its settings
type StratusFunctionRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: stratus_function.
	Type string `json:"type"`
}

// Subscription: A subscription to events (contract 3.32)
type Subscription struct {
	// The events and calls of contracts that are watched
	BlockchainSubscriptions []BlockchainSource `json:"blockchainSubscriptions"`
	// Where events are sent; empty: nowhere
	CallbackURL string `json:"callbackUrl"`
	// How many events failed in a row
	ConsecutiveFailures int64 `json:"consecutiveFailures"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// true: it does nothing
	Disabled bool `json:"disabled"`
	// When it was disabled
	DisabledAt *time.Time `json:"disabledAt"`
	// Why it was disabled
	DisabledReason *string `json:"disabledReason"`
	// Events count up to here
	EndsAt *time.Time `json:"endsAt"`
	// confirmed: events are sent once their block is final; instant: at once. One of: confirmed, instant.
	Finality *string `json:"finality"`
	// Functions that run for each event
	FunctionIDs []string `json:"functionIds"`
	// The id, a UUID
	ID string `json:"id"`
	// The most events that are sent in a UTC day; further ones are recorded
	MaxEventsPerDay *int64 `json:"maxEventsPerDay"`
	// Data of your own
	Metadata any `json:"metadata"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The tables of the service that are watched
	PlatformSubscriptions []PlatformSource `json:"platformSubscriptions"`
	// The moment from which on the subscription began with recorded events; absent if with new ones
	ReplayFrom *time.Time `json:"replayFrom"`
	// whsec_ and the base64 of 24 bytes
	SigningKey *string `json:"signingKey"`
	// Events count from here on
	StartsAt *time.Time `json:"startsAt"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The form of the requests: v1 or v2. One of: v1, v2.
	Version string `json:"version"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// Success: It was done
type Success struct {
	// A text for people
	Message string `json:"message"`
}

// SwapMetadata: Settings of rules of type swap. Members swap one token for another.
type SwapMetadata struct {
	// The swaps that count, as the partner checks them
	Swap Optional[SwapMetadataSwap] `json:"swap,omitzero"`
}

// SwapMetadataSwap: The swaps that count, as the partner checks them
type SwapMetadataSwap struct {
	// What is given
	From Optional[SwapMetadataSwapFrom] `json:"from,omitzero"`
	// true: only swaps from one chain to another
	RequireCrossChainSwap Optional[bool] `json:"requireCrossChainSwap,omitzero"`
	// What is received
	To Optional[SwapMetadataSwapTo] `json:"to,omitzero"`
}

// SwapMetadataSwapFrom: What is given
type SwapMetadataSwapFrom struct {
	// The chain id, or any
	Chain Optional[NumberOrText] `json:"chain,omitzero"`
	// Any token, or one of tokens. One of: any, specific.
	Mode Optional[string] `json:"mode,omitzero"`
	// The tokens that count
	Tokens Optional[[]SwapMetadataSwapFromToken] `json:"tokens,omitzero"`
	// true: the amount of this side counts. It needs exactly one token, and one side only
	TrackAmount Optional[bool] `json:"trackAmount,omitzero"`
}

type SwapMetadataSwapFromToken struct {
	// The contract of the token
	Address Optional[string] `json:"address,omitzero"`
	// Its chain id
	ChainID Optional[NumberOrText] `json:"chainId,omitzero"`
}

// SwapMetadataSwapTo: What is received
type SwapMetadataSwapTo struct {
	// The chain id, or any
	Chain Optional[NumberOrText] `json:"chain,omitzero"`
	// Any token, or one of tokens. One of: any, specific.
	Mode Optional[string] `json:"mode,omitzero"`
	// The tokens that count
	Tokens Optional[[]SwapMetadataSwapToToken] `json:"tokens,omitzero"`
	// true: the amount of this side counts. It needs exactly one token, and one side only
	TrackAmount Optional[bool] `json:"trackAmount,omitzero"`
}

type SwapMetadataSwapToToken struct {
	// The contract of the token
	Address Optional[string] `json:"address,omitzero"`
	// Its chain id
	ChainID Optional[NumberOrText] `json:"chainId,omitzero"`
}

// SwapRule: A rule of type swap, with its settings
type SwapRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: swap.
	Type string `json:"type"`
}

// TONProof: The proof of a TON wallet
type TONProof struct {
	// What the wallet signed
	Proof TONProofProof `json:"proof"`
	// 32 bytes in hexadecimal
	PublicKey string `json:"publicKey"`
	// Code and data of the wallet in base64, whose hash is the address
	WalletStateInit string `json:"walletStateInit"`
}

// TONProofDomain: The domain that a TON wallet signed for
type TONProofDomain struct {
	// The length of the domain in bytes
	LengthBytes Optional[int64] `json:"lengthBytes,omitzero"`
	// The domain that the wallet signed for
	Value string `json:"value"`
}

// TONProofProof: What a TON wallet signed
type TONProofProof struct {
	// The domain that the wallet signed for
	Domain TONProofDomain `json:"domain"`
	// The nonce
	Payload string `json:"payload"`
	// Base64
	Signature string `json:"signature"`
	// Seconds since 1970
	Timestamp int64 `json:"timestamp"`
}

// TestInputBody: Input of the operation: Send a test event
type TestInputBody struct {
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of the subscription's own; default the first
	Type Optional[string] `json:"type,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// TextInputMetadata: Settings of rules of type text_input. Members enter text, such as feedback or an
// address.
type TextInputMetadata struct {
	// The fewest characters of a text; null: 1
	VerificationTextMinimumLength Optional[int64] `json:"verificationTextMinimumLength,omitzero"`
}

// TextInputRule: A rule of type text_input, with its settings
type TextInputRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: text_input.
	Type string `json:"type"`
}

// Token: A member token (contract 1.2)
type Token struct {
	// When the token ends
	ExpiresAt time.Time `json:"expiresAt"`
	// The member token, for the header Authorization
	Token *string `json:"token"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// TokenClaim: Tokens that wallets on a list can claim (contract 3.28)
type TokenClaim struct {
	// true: what is claimed is staked
	ClaimAndStake bool `json:"claimAndStake"`
	// The contract that pays claims
	ClaimContractAddress *string `json:"claimContractAddress"`
	// The contract of the token
	Contract ClaimToken `json:"contract"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Shown to secret keys only
	CSVURL *string `json:"csvUrl"`
	// The import of the list; null: none
	DataJobID *string `json:"dataJobId"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// When claiming ends; null: never
	EndTime *time.Time `json:"endTime"`
	// The decimal places of the token
	Erc20Decimals int64 `json:"erc20Decimals"`
	// Countries that cannot claim, as ISO 3166 alpha-2
	GeoBlock []string `json:"geoBlock"`
	// The id, a UUID
	ID string `json:"id"`
	// true: hidden from members
	IsDraft bool `json:"isDraft"`
	// true: members choose how much to stake
	IsStakingOptional bool `json:"isStakingOptional"`
	// The greatest bonus, in percent
	MaxBonus Decimal `json:"maxBonus"`
	// null until the list is imported
	MerkleRoot *string `json:"merkleRoot"`
	// The shortest time to lock, in days
	MinLockup Decimal `json:"minLockup"`
	// The shortest time for the multiplier, in days
	MinLockupForMultiplier Decimal `json:"minLockupForMultiplier"`
	// The least part to stake, in percent
	MinPercentageToStake Decimal `json:"minPercentageToStake"`
	// The factor for the greatest lockup
	Multiplier Decimal `json:"multiplier"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The operator’s driver that pays or mints
	RelayerID *string `json:"relayerId"`
	// The contract that locks what is staked
	StakingContractAddress *string `json:"stakingContractAddress"`
	// linear or timelock
	StakingContractType *string `json:"stakingContractType"`
	// When members can claim from; null: at once
	StartTime *time.Time `json:"startTime"`
	// Exact, with up to erc20Decimals places
	TotalAllocatedAmount Decimal `json:"totalAllocatedAmount"`
	// Exact, with up to erc20Decimals places
	TotalClaimedAmount Decimal `json:"totalClaimedAmount"`
	// How many wallets are on the list
	TotalWalletsAllocated int64 `json:"totalWalletsAllocated"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// TokenGateOutputBody: Whether a token opens a gate
type TokenGateOutputBody struct {
	// true: the token opens the gate
	Eligible bool `json:"eligible"`
	// A text for people
	Message string `json:"message"`
}

// TokenHoldErc20Metadata: Settings of rules of type token_hold_erc20. Members hold a minimum amount of
// a token.
type TokenHoldErc20Metadata struct {
	// Tokens in a batch; null: 1
	BatchSize Optional[float64] `json:"batchSize,omitzero"`
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]TokenHoldErc20MetadataCollection] `json:"collection,omitzero"`
	// Balances are always read from nodes; kept for older clients
	DirectRpc Optional[bool] `json:"directRpc,omitzero"`
	// The balance that counts: of a contract (erc20, the default) or of the network’s coin (native). One
	// of: erc20, native.
	Erc20Type Optional[string] `json:"erc20Type,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: the amount is paid for each full batch of batchSize tokens
	RewardByBatch Optional[bool] `json:"rewardByBatch,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

type TokenHoldErc20MetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// TokenHoldErc20Rule: A rule of type token_hold_erc20, with its settings
type TokenHoldErc20Rule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: token_hold_erc20.
	Type string `json:"type"`
}

// TokenHoldMetadata: Settings of rules of type token_hold. Members hold tokens from a collection.
type TokenHoldMetadata struct {
	// Tokens in a batch; null: 1
	BatchSize Optional[float64] `json:"batchSize,omitzero"`
	// How much each token of a contract counts. The amount of the rule is paid for each token then
	Collection Optional[[]TokenHoldMetadataCollection] `json:"collection,omitzero"`
	// true: only members who never sold a token of the collections
	HasNeverSold Optional[bool] `json:"hasNeverSold,omitzero"`
	// Whether the rule is shown as a multiplier. For display: rewardType decides
	IsTokenHoldMultiplier Optional[bool] `json:"isTokenHoldMultiplier,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyKnownUsers Optional[bool] `json:"onlyKnownUsers,omitzero"`
	// Only members are ever paid; kept for older clients
	OnlyRewardExistingUser Optional[bool] `json:"onlyRewardExistingUser,omitzero"`
	// true: of each contract one token at most counts
	OnlyRewardSingleTokenOwnership Optional[bool] `json:"onlyRewardSingleTokenOwnership,omitzero"`
	// true: the amount is paid for each full batch of batchSize tokens
	RewardByBatch Optional[bool] `json:"rewardByBatch,omitzero"`
	// true: the amount is paid for each token, or each time that members did it
	RewardPerAction Optional[bool] `json:"rewardPerAction,omitzero"`
}

type TokenHoldMetadataCollection struct {
	// The contract
	Address Optional[string] `json:"address,omitzero"`
	// The factor for each of its tokens; null: 1
	Multiplier Optional[NumberOrText] `json:"multiplier,omitzero"`
	// A network of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The only tokens that count; null: all
	TokenIDs Optional[[]NumberOrText] `json:"tokenIds,omitzero"`
}

// TokenHoldRule: A rule of type token_hold, with its settings
type TokenHoldRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: token_hold.
	Type string `json:"type"`
}

// TokenReward: The token that a rule pays (contract 5.5)
type TokenReward struct {
	// The contract of the token
	ContractID Optional[string] `json:"contractId,omitzero"`
	// true: the coin of the network, not a token of a contract
	IsNative Optional[bool] `json:"isNative,omitzero"`
	// The operator’s driver that pays or mints
	RelayerID string `json:"relayerId"`
}

// TopAuctionBid: One of the highest bids
type TopAuctionBid struct {
	// The bid, a decimal
	Amount string `json:"amount"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
}

// Transaction: A transaction of points (contract 3.10)
type Transaction struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// What the transaction was for
	Description string `json:"description"`
	// The entries, one per member or account
	Entries []PostedEntry `json:"entries"`
	// The id, a UUID
	ID string `json:"id"`
	// The currency of all entries; null if they differ
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// api_key, or order for an order of a shop
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// TransactionEntry: An entry to post: what one member gets or pays
type TransactionEntry struct {
	// The points of the entry, above 0; direction says which way
	Amount Decimal `json:"amount"`
	// Default credit. One of: credit, debit.
	Direction Optional[string] `json:"direction,omitzero"`
	// Unique on the website forever, among entries and completions together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	// The currency. Default: that of the transaction
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// At most 16384 bytes
	Metadata any `json:"metadata,omitempty"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
}

// Unpaid: What a mint still costs
type Unpaid struct {
	// Points
	Amount Decimal `json:"amount"`
	// Items
	Quantity int64 `json:"quantity"`
}

// UpdateAttributeBody: Input of the operation: Update an attribute of users
type UpdateAttributeBody struct {
	// Unique in a website
	Label Optional[string] `json:"label,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateAuctionInputBody: Input of the operation: Update an auction
type UpdateAuctionInputBody struct {
	// Only owners of one of these collections may bid; empty: everyone
	BiddersOwnCollectionAddresses Optional[[]string] `json:"biddersOwnCollectionAddresses,omitzero"`
	// Stored
	CurrencyAddress Optional[string] `json:"currencyAddress,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// Cannot be changed once there is a bid
	EndsAt Optional[time.Time] `json:"endsAt,omitzero"`
	// english: a bid so shortly before the end moves the end to so many seconds after it
	ExtendedDurationInSeconds Optional[int64] `json:"extendedDurationInSeconds,omitzero"`
	// true: bids are not shown until the end
	HideBids Optional[bool] `json:"hideBids,omitzero"`
	// Bids are points of it; cannot be changed
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// The least bid, a decimal
	MinBidAmount Optional[Decimal] `json:"minBidAmount,omitzero"`
	// For english auctions: the least difference between the best bid and the next bid
	MinBidIncrement Optional[Decimal] `json:"minBidIncrement,omitzero"`
	// The minting contract of the items; cannot be changed
	MintingContractID Optional[string] `json:"mintingContractId,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The network of the collections; cannot be changed
	Network Optional[string] `json:"network,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Bids below it win nothing
	ReservePrice Optional[Decimal] `json:"reservePrice,omitzero"`
	// Cannot be changed once there is a bid
	StartsAt Optional[time.Time] `json:"startsAt,omitzero"`
	// Cannot be changed. One of: first_price, second_price, english.
	Type Optional[string] `json:"type,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateBadgeInputBody: Input of the operation: Update a badge
type UpdateBadgeInputBody struct {
	// Further lists of the badge's csv conditions
	CSVFiles Optional[[]CSVInput] `json:"csvFiles,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// true: not shown to members
	HideInUI Optional[bool] `json:"hideInUi,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// What holders get; replaces the former rewards
	Rewards Optional[[]RewardInput] `json:"rewards,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateBadgeUserInputBody: Input of the operation: Hide or dismiss a badge of a user
type UpdateBadgeUserInputBody struct {
	// true: the member has dismissed the badge
	DismissedInUI Optional[bool] `json:"dismissedInUi,omitzero"`
	// true: not shown to members
	HideInUI Optional[bool] `json:"hideInUi,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateCollectionBody: Input of the operation: Update a collection
type UpdateCollectionBody struct {
	// The address of your chat server
	ChatServerURL Optional[string] `json:"chatServerUrl,omitzero"`
	// The contract of the collection
	CollectionAddress Optional[string] `json:"collectionAddress,omitzero"`
	// The address of the home page
	HomeURL Optional[string] `json:"homeUrl,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// The address of your messenger group
	MessengerURL Optional[string] `json:"messengerUrl,omitzero"`
	// Your account on the microblog
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The blockchain, by a name of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Your account on the photo platform
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee Optional[Decimal] `json:"royaltyFee,omitzero"`
	// Who receives royalties
	RoyaltyFeeAddress Optional[string] `json:"royaltyFeeAddress,omitzero"`
	// Lists go by it, the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The contract that locks its tokens
	StakingAddress Optional[string] `json:"stakingAddress,omitzero"`
	// An id of your own
	ThemeID Optional[string] `json:"themeId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateContractBody: Input of the operation: Update a contract
type UpdateContractBody struct {
	// A JSON array, or the text of one
	ABI Optional[any] `json:"abi,omitzero"`
	// The address of the contract
	Address Optional[string] `json:"address,omitzero"`
	// The chain id of the network; null: not on a chain
	ChainID Optional[int64] `json:"chainId,omitzero"`
	// The URL of the token’s icon
	IconURL Optional[string] `json:"iconUrl,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The kind of record. One of: erc20, erc721, erc1155, custom.
	Type Optional[string] `json:"type,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateFunctionBody: Input of the operation: Update a function
type UpdateFunctionBody struct {
	// The program; a change raises the version (contract 7.6)
	Code Optional[string] `json:"code,omitzero"`
	// When it runs by itself, as five fields; null: it does not
	Cron Optional[string] `json:"cron,omitzero"`
	// true: it does nothing
	Disabled Optional[bool] `json:"disabled,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Secrets that the handler gets as input.secrets; they are never returned
	Secrets Optional[map[string]string] `json:"secrets,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateMintingAssetBody: Input of the operation: Update a minting asset
type UpdateMintingAssetBody struct {
	// The URL of a video or animation
	AnimationURL Optional[string] `json:"animationUrl,omitzero"`
	// What members are asked for. One of: customInput, freeText, shippingDetails.
	CollectInfoType Optional[string] `json:"collectInfoType,omitzero"`
	// ONCHAIN: the token that the price is in; null: the network's own
	CurrencyAddress Optional[string] `json:"currencyAddress,omitzero"`
	// The decimal places of the currency
	CurrencyDecimals Optional[int64] `json:"currencyDecimals,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// true: only wallets on the allowlist may mint
	IsAllowlisted Optional[bool] `json:"isAllowlisted,omitzero"`
	// true: not shown to members
	IsHidden Optional[bool] `json:"isHidden,omitzero"`
	// true: members can see and mint it
	IsListed Optional[bool] `json:"isListed,omitzero"`
	// true: a thing that is shipped belongs to it
	IsPhygitalItem Optional[bool] `json:"isPhygitalItem,omitzero"`
	// When it can no longer be minted; null: never
	ListingEndsAt Optional[time.Time] `json:"listingEndsAt,omitzero"`
	// When it can be minted from; null: at once
	ListingStartsAt Optional[time.Time] `json:"listingStartsAt,omitzero"`
	// Needed in an OFFCHAIN contract
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// Data of your own, stored and returned as it was sent. At most 16,384 bytes
	Metadata any `json:"metadata,omitempty"`
	// The minting contract
	MintingContractID Optional[string] `json:"mintingContractId,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain
	Price Optional[Decimal] `json:"price,omitzero"`
	// In all, with those that are minted
	Quantity Optional[int64] `json:"quantity,omitzero"`
	// true: members are asked for collectInfoType
	ShouldCollectUserInfo Optional[bool] `json:"shouldCollectUserInfo,omitzero"`
	// The id of the token in its contract; null: none
	TokenID Optional[int64] `json:"tokenId,omitzero"`
	// true: there is no limit
	UnlimitedQty Optional[bool] `json:"unlimitedQty,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateMintingContractBody: Input of the operation: Update a minting contract
type UpdateMintingContractBody struct {
	// Needed to list an ONCHAIN contract
	Address Optional[string] `json:"address,omitzero"`
	// Stays as it was created. One of: ONCHAIN, OFFCHAIN.
	ContractKind Optional[string] `json:"contractKind,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// true: the driver pays the fees
	EnableGasless Optional[bool] `json:"enableGasless,omitzero"`
	// A link beside the contract
	ExternalLinkURL Optional[string] `json:"externalLinkUrl,omitzero"`
	// true: tokens show what they are only after the reveal
	HasRevealMechanic Optional[bool] `json:"hasRevealMechanic,omitzero"`
	// true: your website hides assets that cannot be minted now
	HideInactiveListings Optional[bool] `json:"hideInactiveListings,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// true: free for holders, and others pay the price
	IsFreeClaimForBadgeHolders Optional[bool] `json:"isFreeClaimForBadgeHolders,omitzero"`
	// true: free for owners, and others pay the price
	IsFreeClaimForTokenHolders Optional[bool] `json:"isFreeClaimForTokenHolders,omitzero"`
	// true: members can see and mint it
	IsListed Optional[bool] `json:"isListed,omitzero"`
	// true: the limit applies to each asset
	IsPerAssetMintLimit Optional[bool] `json:"isPerAssetMintLimit,omitzero"`
	// true: tokens cannot be passed on
	IsSoulbound Optional[bool] `json:"isSoulbound,omitzero"`
	// Badges whose holders may mint
	LoyaltyBadgeIDs Optional[[]string] `json:"loyaltyBadgeIds,omitzero"`
	// The collections whose owners may mint
	MustOwnCollections Optional[[]GatingCollection] `json:"mustOwnCollections,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// Needed to list an ONCHAIN contract
	Network Optional[string] `json:"network,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// 0: no limit
	PerUserMintLimit Optional[int64] `json:"perUserMintLimit,omitzero"`
	// The URL of what is shown before the reveal
	PreRevealMedia Optional[string] `json:"preRevealMedia,omitzero"`
	// Who receives the price
	PrimarySaleRecipientAddress Optional[string] `json:"primarySaleRecipientAddress,omitzero"`
	// The operator’s driver that pays or mints
	RelayerID Optional[string] `json:"relayerId,omitzero"`
	// false: any one collection or badge suffices
	RequireHoldingAllGatedItems Optional[bool] `json:"requireHoldingAllGatedItems,omitzero"`
	// When tokens can be revealed; null: at any time
	RevealAvailableAt Optional[time.Time] `json:"revealAvailableAt,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee Optional[Decimal] `json:"royaltyFee,omitzero"`
	// Who receives royalties
	RoyaltyFeeAddress Optional[string] `json:"royaltyFeeAddress,omitzero"`
	// true: members give an e-mail address
	ShouldCollectEmail Optional[bool] `json:"shouldCollectEmail,omitzero"`
	// true: your website lists it on its marketplace
	ShowOnMarketplace Optional[bool] `json:"showOnMarketplace,omitzero"`
	// The place in lists: the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The short name, such as PTS
	Symbol Optional[string] `json:"symbol,omitzero"`
	// Default erc721; stays as it was created. One of: erc721, erc1155, erc721c.
	TokenType Optional[string] `json:"tokenType,omitzero"`
	// The website's collection of these tokens
	WebsiteCollectionID Optional[string] `json:"websiteCollectionId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateMultiplierInputBody: Input of the operation: Update a multiplier
type UpdateMultiplierInputBody struct {
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// Empty or absent: all currencies
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	// The factor that rewards are multiplied by
	Multiplier Optional[Decimal] `json:"multiplier,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The heading
	Title Optional[string] `json:"title,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateQuestionBody: Input of the operation: Update a question
type UpdateQuestionBody struct {
	// The choices that the question has from now on
	LoyaltyQuestionAnswers []ChoiceBody `json:"loyaltyQuestionAnswers"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The question
	QuestionText string `json:"questionText"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateSectionBody: Input of the operation: Update a page section
type UpdateSectionBody struct {
	// The banner
	Banner Optional[BannerInput] `json:"banner,omitzero"`
	// Replaces the former ones
	DiscoveryItems Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero"`
	// When it is no longer shown; null: never
	DurationEnd Optional[time.Time] `json:"durationEnd,omitzero"`
	// When the section is shown from
	DurationStart Optional[time.Time] `json:"durationStart,omitzero"`
	// Replaces the former ones
	ItemsGrids Optional[[]ShownInput] `json:"itemsGrids,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The page, for placement page
	PageID Optional[string] `json:"pageId,omitzero"`
	// The kind of section. One of: all_items, discovery_item, discovery_items_grid.
	PageSectionType Optional[string] `json:"pageSectionType,omitzero"`
	// global, or page for the page pageId. One of: global, page.
	Placement Optional[string] `json:"placement,omitzero"`
	// Lists go by it, the lowest first. Default 0
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The heading
	Title Optional[string] `json:"title,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateSubscriptionBody: Input of the operation: Update a subscription
type UpdateSubscriptionBody struct {
	// Where events are sent; empty: nowhere
	CallbackURL Optional[string] `json:"callbackUrl,omitzero"`
	// Events count up to here
	EndsAt Optional[time.Time] `json:"endsAt,omitzero"`
	// confirmed: events are sent once their block is final; instant: at once
	Finality Optional[string] `json:"finality,omitzero"`
	// Functions that run for each event
	FunctionIDs Optional[[]string] `json:"functionIds,omitzero"`
	// The most events that are sent in a UTC day; further ones are recorded
	MaxEventsPerDay Optional[int64] `json:"maxEventsPerDay,omitzero"`
	// Data of your own, returned with the subscription
	Metadata Optional[any] `json:"metadata,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Events count from here on
	StartsAt Optional[time.Time] `json:"startsAt,omitzero"`
	// The form of the requests: v1 or v2
	Version Optional[string] `json:"version,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateTokenClaimBody: Input of the operation: Update a token claim
type UpdateTokenClaimBody struct {
	// true: what is claimed is staked
	ClaimAndStake Optional[bool] `json:"claimAndStake,omitzero"`
	// The contract that pays claims
	ClaimContractAddress Optional[string] `json:"claimContractAddress,omitzero"`
	// A contract of type erc20
	ContractID Optional[string] `json:"contractId,omitzero"`
	// Rows of walletAddress,amount
	CSVURL Optional[string] `json:"csvUrl,omitzero"`
	// When claiming ends; null: never
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// Default 18
	Erc20Decimals Optional[int64] `json:"erc20Decimals,omitzero"`
	// Codes of countries, ISO 3166 alpha-2
	GeoBlock Optional[[]string] `json:"geoBlock,omitzero"`
	// Default true
	IsDraft Optional[bool] `json:"isDraft,omitzero"`
	// true: members choose how much to stake
	IsStakingOptional Optional[bool] `json:"isStakingOptional,omitzero"`
	// The greatest bonus, in percent
	MaxBonus Optional[Decimal] `json:"maxBonus,omitzero"`
	// The shortest time to lock, in days
	MinLockup Optional[Decimal] `json:"minLockup,omitzero"`
	// The shortest time for the multiplier, in days
	MinLockupForMultiplier Optional[Decimal] `json:"minLockupForMultiplier,omitzero"`
	// 0 to 100
	MinPercentageToStake Optional[Decimal] `json:"minPercentageToStake,omitzero"`
	// Default 1
	Multiplier Optional[Decimal] `json:"multiplier,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The operator’s driver that pays or mints
	RelayerID Optional[string] `json:"relayerId,omitzero"`
	// The contract that locks what is staked
	StakingContractAddress Optional[string] `json:"stakingContractAddress,omitzero"`
	// How stakes are released. One of: linear, timelock.
	StakingContractType Optional[string] `json:"stakingContractType,omitzero"`
	// When members can claim from; null: at once
	StartTime Optional[time.Time] `json:"startTime,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// UpdateWebsiteBody: Input of the operation: Update a website
type UpdateWebsiteBody struct {
	// The address of your chat server
	ChatServerURL Optional[string] `json:"chatServerUrl,omitzero"`
	// The address of the home page
	HomeURL Optional[string] `json:"homeUrl,omitzero"`
	// The address of your messenger group
	MessengerURL Optional[string] `json:"messengerUrl,omitzero"`
	// Your account on the microblog
	MicroblogUsername Optional[string] `json:"microblogUsername,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Your account on the photo platform
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	// true: client keys may name members without a member token, except for bids and mints
	TrustClientUsers Optional[bool] `json:"trustClientUsers,omitzero"`
}

// User: A member (contract 3.4)
type User struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Wallets that delegate to the member, with includeDelegation=true
	DelegationsFrom []Delegator `json:"delegationsFrom"`
	// The id, a UUID
	ID string `json:"id"`
	// Always false
	IsPlatformSuperAdmin bool `json:"isPlatformSuperAdmin"`
	// Stored; null: not set
	Notifications *bool `json:"notifications"`
	// Who referred the member
	Referrers []Referrer `json:"referrers"`
	// true: created when a call named it, and nothing else is known yet
	TemporaryLoyaltyUser bool `json:"temporaryLoyaltyUser"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// What is known of the member, one item per website
	UserMetadata []Metadata `json:"userMetadata"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
	// The kind of wallet; null: unknown
	WalletType *string `json:"walletType"`
	// The attributes of the website that have a value for the member
	WebsiteUserAttributes []LabeledAttribute `json:"websiteUserAttributes"`
}

// UserAttribute: An attribute of members (contract 3.7)
type UserAttribute struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The name of the attribute
	Label string `json:"label"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// UserAttributeValue: The value of a member (contract 3.7)
type UserAttributeValue struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The same as websiteUserAttributeId
	CustomFieldID string `json:"customFieldId"`
	// The id, a UUID
	ID string `json:"id"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The value
	Value string `json:"value"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
	// The attribute
	WebsiteUserAttributeID string `json:"websiteUserAttributeId"`
}

// UserCount: How many members there are
type UserCount struct {
	// How many members the website has
	TotalCount int64 `json:"totalCount"`
}

// UserName: The member of the metadata
type UserName struct {
	// The id, a UUID
	ID string `json:"id"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
}

// UserRole: A role of a user (contract 3.36)
type UserRole struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The id, a UUID
	ID string `json:"id"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The role (contract 2)
	RoleType string `json:"roleType"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID string `json:"userId"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress *string `json:"walletAddress"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// ValueItem: A value to set
type ValueItem struct {
	// Of the value that the user has of the attribute
	ID Optional[string] `json:"id,omitzero"`
	// The member that has the value
	UserID string `json:"userId"`
	// The value
	Value string `json:"value"`
	// The attribute
	WebsiteUserAttributeID string `json:"websiteUserAttributeId"`
}

// ValuesBody: Input of the operation: Set values of users
type ValuesBody struct {
	// The values to write
	Data []ValueItem `json:"data"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// VerificationData: The proof that a wallet is the member’s
type VerificationData struct {
	// For wallet types that a driver of the operator checks; it is ignored without one
	AccessToken Optional[string] `json:"accessToken,omitzero"`
	// The text that was signed
	Message Optional[string] `json:"message,omitzero"`
	// The signature of message by the wallet
	Signature Optional[string] `json:"signature,omitzero"`
	// The proof of a TON wallet
	TONVerification Optional[TONProof] `json:"tonVerification,omitzero"`
	// Secret keys: your server has checked the signature
	VerifiedLocally Optional[bool] `json:"verifiedLocally,omitzero"`
}

// VideoPlatformCommentMetadata: Settings of rules of type video_platform_comment. Members comment on
// one of your videos.
type VideoPlatformCommentMetadata struct {
	// Text to find, in any case; of several texts any one suffices
	CheckText Optional[[]string] `json:"checkText,omitzero"`
	// The video that members comment on
	VideoPlatformVideoID Optional[string] `json:"videoPlatformVideoId,omitzero"`
}

// VideoPlatformCommentRule: A rule of type video_platform_comment, with its settings
type VideoPlatformCommentRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: video_platform_comment.
	Type string `json:"type"`
}

// VideoPlatformSubscribeMetadata: Settings of rules of type video_platform_subscribe. Members
// subscribe to your channel.
type VideoPlatformSubscribeMetadata struct {
	// The channel that members subscribe to
	VideoPlatformChannelID Optional[string] `json:"videoPlatformChannelId,omitzero"`
}

// VideoPlatformSubscribeRule: A rule of type video_platform_subscribe, with its settings
type VideoPlatformSubscribeRule struct {
	// The settings of the type
	Metadata any `json:"metadata,omitempty"`
	// The type of the rule. One of: video_platform_subscribe.
	Type string `json:"type"`
}

// Website: A website: a program with members of its own (contract 3.2)
type Website struct {
	// Counts
	Count WebsiteCount `json:"_count"`
	// The address of your chat server
	ChatServerURL *string `json:"chatServerUrl"`
	// The collections of the website
	Collections []SiteCollection `json:"collections"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The address of the home page
	HomeURL *string `json:"homeUrl"`
	// The id, a UUID
	ID string `json:"id"`
	// The address of your messenger group
	MessengerURL *string `json:"messengerUrl"`
	// Your account on the microblog
	MicroblogUsername *string `json:"microblogUsername"`
	// The name, for people
	Name string `json:"name"`
	// Tokens of the website
	OnchainTokens []map[string]any `json:"onchainTokens"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Your account on the photo platform
	PhotoPlatformUsername *string `json:"photoPlatformUsername"`
	// When the terms were signed; null: not yet
	TermsSignedAt *time.Time `json:"termsSignedAt"`
	// true: client keys may name members without a member token, except for bids and mints
	TrustClientUsers bool `json:"trustClientUsers"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
}

// WebsiteCollection: A collection of a website (contract 3.3)
type WebsiteCollection struct {
	// The address of your chat server
	ChatServerURL *string `json:"chatServerUrl"`
	// The contract of the collection
	CollectionAddress string `json:"collectionAddress"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// The address of the home page
	HomeURL *string `json:"homeUrl"`
	// The id, a UUID
	ID string `json:"id"`
	// The URL of the picture
	ImageURL *string `json:"imageUrl"`
	// The address of your messenger group
	MessengerURL *string `json:"messengerUrl"`
	// Your account on the microblog
	MicroblogUsername *string `json:"microblogUsername"`
	// The minting contract that names the collection; null: none
	MintingContractID *string `json:"mintingContractId"`
	// The name, for people
	Name string `json:"name"`
	// The blockchain, by a name of contract 2.1
	Network string `json:"network"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// Your account on the photo platform
	PhotoPlatformUsername *string `json:"photoPlatformUsername"`
	// Percent
	RoyaltyFee *Decimal `json:"royaltyFee"`
	// Who receives royalties
	RoyaltyFeeAddress *string `json:"royaltyFeeAddress"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
	// The contract that locks its tokens
	StakingAddress *string `json:"stakingAddress"`
	// An id of your own
	ThemeID *string `json:"themeId"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// WebsiteCount: Counts of a website
type WebsiteCount struct {
	// How many minting assets the website has
	MintingContractAssets int64 `json:"mintingContractAssets"`
}

// WebsitePageSection: A block of the loyalty page (contract 3.30)
type WebsitePageSection struct {
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// The id, a UUID
	ID string `json:"id"`
	// true: not shown through client keys
	IsHidden bool `json:"isHidden"`
	// The group of rules that the block shows; null: none
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	// Settings of the block for your website, as they were sent
	Metadata map[string]any `json:"metadata"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// The place in lists: the lowest first
	SortID int64 `json:"sortId"`
	// The second heading
	SubTitle *string `json:"subTitle"`
	// The heading
	Title *string `json:"title"`
	// The name of the block, such as hero or leaderboard
	Type string `json:"type"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// WholeTokenClaim: A token claim with what a wallet can claim (contract 3.28)
type WholeTokenClaim struct {
	// true: what is claimed is staked
	ClaimAndStake bool `json:"claimAndStake"`
	// The contract that pays claims
	ClaimContractAddress *string `json:"claimContractAddress"`
	// The contract of the token
	Contract ClaimToken `json:"contract"`
	// When it was created
	CreatedAt time.Time `json:"createdAt"`
	// Shown to secret keys only
	CSVURL *string `json:"csvUrl"`
	// The import of the list; null: none
	DataJob *ClaimDataJob `json:"dataJob"`
	// The import of the list; null: none
	DataJobID *string `json:"dataJobId"`
	// When it was deleted; null or absent while it exists
	DeletedAt *time.Time `json:"deletedAt"`
	// When claiming ends; null: never
	EndTime *time.Time `json:"endTime"`
	// The decimal places of the token
	Erc20Decimals int64 `json:"erc20Decimals"`
	// Countries that cannot claim, as ISO 3166 alpha-2
	GeoBlock []string `json:"geoBlock"`
	// The id, a UUID
	ID string `json:"id"`
	// true: hidden from members
	IsDraft bool `json:"isDraft"`
	// true: members choose how much to stake
	IsStakingOptional bool `json:"isStakingOptional"`
	// The greatest bonus, in percent
	MaxBonus Decimal `json:"maxBonus"`
	// null until the list is imported
	MerkleRoot *string `json:"merkleRoot"`
	// The shortest time to lock, in days
	MinLockup Decimal `json:"minLockup"`
	// The shortest time for the multiplier, in days
	MinLockupForMultiplier Decimal `json:"minLockupForMultiplier"`
	// The least part to stake, in percent
	MinPercentageToStake Decimal `json:"minPercentageToStake"`
	// The factor for the greatest lockup
	Multiplier Decimal `json:"multiplier"`
	// The name, for people
	Name string `json:"name"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID string `json:"organizationId"`
	// With walletAddress, if it is on the list
	Proof []string `json:"proof"`
	// The operator’s driver that pays or mints
	RelayerID *string `json:"relayerId"`
	// The contract that locks what is staked
	StakingContractAddress *string `json:"stakingContractAddress"`
	// linear or timelock
	StakingContractType *string `json:"stakingContractType"`
	// When members can claim from; null: at once
	StartTime *time.Time `json:"startTime"`
	// The token claim
	TokenClaimID string `json:"tokenClaimId"`
	// Exact, with up to erc20Decimals places
	TotalAllocatedAmount Decimal `json:"totalAllocatedAmount"`
	// The amount of the wallet, or without walletAddress that of all wallets, as a decimal
	TotalAllocation string `json:"totalAllocation"`
	// Exact, with up to erc20Decimals places
	TotalClaimedAmount Decimal `json:"totalClaimedAmount"`
	// How many wallets are on the list
	TotalWalletsAllocated int64 `json:"totalWalletsAllocated"`
	// When it was last changed
	UpdatedAt time.Time `json:"updatedAt"`
	// The wallet of the query; null without one
	WalletAddress *string `json:"walletAddress"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID string `json:"websiteId"`
}

// WriteCurrencyBody: Input of the operation: Update a currency
type WriteCurrencyBody struct {
	// The user name or header for the external ledger. Only organization and website keys see it
	APIAuthKey Optional[string] `json:"apiAuthKey,omitzero"`
	// How the external ledger is called; null: this service keeps the balances. One of: none, basic,
	// bearer, apiKey.
	APIAuthType Optional[string] `json:"apiAuthType,omitzero"`
	// The secret for the external ledger. Only organization and website keys see it
	APIAuthValue Optional[string] `json:"apiAuthValue,omitzero"`
	// Where the external ledger is asked about an entry (contract 5.15)
	APIGetTransactionEntryURL Optional[string] `json:"apiGetTransactionEntryUrl,omitzero"`
	// Where balances are read from the external ledger (contract 5.15)
	APIGetURL Optional[string] `json:"apiGetUrl,omitzero"`
	// Where transactions are posted to the external ledger (contract 5.15)
	APIPostURL Optional[string] `json:"apiPostUrl,omitzero"`
	// How many places a page shows; cannot be changed
	Decimals Optional[int64] `json:"decimals,omitzero"`
	// The URL of the picture
	ImageURL Optional[string] `json:"imageUrl,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// How many days points live; null: they do not expire
	PointsExpireAfterDays Optional[int64] `json:"pointsExpireAfterDays,omitzero"`
	// How many hours rewards are held before they are credited; null: not at all
	PointsWaitHours Optional[int64] `json:"pointsWaitHours,omitzero"`
	// The place in lists: the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The short name, such as PTS
	Symbol Optional[string] `json:"symbol,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// WriteGroupBody: Input of the operation: Update a rule group
type WriteGroupBody struct {
	// true: pages may fold the group
	IsCollapsible Optional[bool] `json:"isCollapsible,omitzero"`
	// true: members complete its rules before others
	IsRequired Optional[bool] `json:"isRequired,omitzero"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The place in lists: the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The second heading
	SubTitle Optional[string] `json:"subTitle,omitzero"`
	// Another spelling of subTitle
	Subtitle Optional[string] `json:"subtitle,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// WriteMetadataInputBody: Input of the operation: Create or change a user's metadata
type WriteMetadataInputBody struct {
	// A text of the member about itself
	Bio Optional[string] `json:"bio,omitzero"`
	// Why the member is or is not blocked. Only organization and website keys see it. One of:
	// sybil_and_multi_account, account_migration, abuse_manipulation, not_sybil, issue_resolved,
	// microblog_suspended, other.
	BlockStatusReason Optional[string] `json:"blockStatusReason,omitzero"`
	// The user name on the chat server
	ChatServerUser Optional[string] `json:"chatServerUser,omitzero"`
	// The user id on the chat server
	ChatServerUserID Optional[string] `json:"chatServerUserId,omitzero"`
	// The user name on the code host
	CodeHostUser Optional[string] `json:"codeHostUser,omitzero"`
	// The user id on the code host
	CodeHostUserID Optional[string] `json:"codeHostUserId,omitzero"`
	// The name that others see
	DisplayName Optional[string] `json:"displayName,omitzero"`
	// The e-mail address. Only organization and website keys see it
	EmailAddress Optional[string] `json:"emailAddress,omitzero"`
	// An identifier of your own for the member; not unique
	ExternalIdentifier Optional[string] `json:"externalIdentifier,omitzero"`
	// A score of your own
	ExternalLoyaltyScore Optional[string] `json:"externalLoyaltyScore,omitzero"`
	// The user name in the forum
	ForumPlatformUser Optional[string] `json:"forumPlatformUser,omitzero"`
	// The user id in the forum
	ForumPlatformUserID Optional[string] `json:"forumPlatformUserId,omitzero"`
	// The account id of the game launcher
	GameLauncherAccountID Optional[string] `json:"gameLauncherAccountId,omitzero"`
	// The user name of the game launcher
	GameLauncherUsername Optional[string] `json:"gameLauncherUsername,omitzero"`
	// The user id in the game store
	GameStoreUserID Optional[string] `json:"gameStoreUserId,omitzero"`
	// The user name in the game store
	GameStoreUsername Optional[string] `json:"gameStoreUsername,omitzero"`
	// Notes for your team. Only organization and website keys see it
	InternalNotes Optional[string] `json:"internalNotes,omitzero"`
	// true: the member is never blocked automatically. Only organization and website keys see it
	IsBlockExempt Optional[bool] `json:"isBlockExempt,omitzero"`
	// true: the member completes nothing
	IsBlocked Optional[bool] `json:"isBlocked,omitzero"`
	// Where the member says it lives
	Location Optional[string] `json:"location,omitzero"`
	// The URL of the member’s picture
	LogoURL Optional[string] `json:"logoUrl,omitzero"`
	// The user id on the messenger
	MessengerUserID Optional[string] `json:"messengerUserId,omitzero"`
	// The user name on the messenger
	MessengerUsername Optional[string] `json:"messengerUsername,omitzero"`
	// The followers of the account
	MicroblogFollowersCount Optional[int64] `json:"microblogFollowersCount,omitzero"`
	// The user name on the microblog, without @
	MicroblogUser Optional[string] `json:"microblogUser,omitzero"`
	// The user id on the microblog
	MicroblogUserID Optional[string] `json:"microblogUserId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The phone number in E.164 form, such as +4915112345678. Only organization and website keys see it
	PhoneNumber Optional[string] `json:"phoneNumber,omitzero"`
	// A link of the member
	PortfolioURL Optional[string] `json:"portfolioUrl,omitzero"`
	// The user name on the short video platform
	ShortVideoUser Optional[string] `json:"shortVideoUser,omitzero"`
	// The user id on the short video platform
	ShortVideoUserID Optional[string] `json:"shortVideoUserId,omitzero"`
	// How likely the member has several accounts. Only organization and website keys see it
	SybilScore Optional[float64] `json:"sybilScore,omitzero"`
	// Your identifier of the group that the member joins; a new one creates the group
	UserGroupExternalIdentifier Optional[string] `json:"userGroupExternalIdentifier,omitzero"`
	// Joins the group; null leaves it
	UserGroupID Optional[string] `json:"userGroupId,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s channel on the video platform
	VideoPlatformChannelID Optional[string] `json:"videoPlatformChannelId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// A label that the wallets of one person share; balances stay apart
	WalletGroupIdentifier Optional[string] `json:"walletGroupIdentifier,omitzero"`
	// The user name of the web account
	WebAccountUser Optional[string] `json:"webAccountUser,omitzero"`
	// The user id of the web account
	WebAccountUserID Optional[string] `json:"webAccountUserId,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// WriteRuleBody: Input of the operation: Update a rule
type WriteRuleBody struct {
	// The points of a reward, or the value of a multiplier; null: 0
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// The URL of the background picture
	BackgroundAssetURL Optional[string] `json:"backgroundAssetUrl,omitzero"`
	// manual: members claim what a run found; auto: runs pay. null: auto for types that run. One of:
	// manual, auto.
	ClaimType Optional[string] `json:"claimType,omitzero"`
	// The contract that a partner checks
	CollectionAddress Optional[string] `json:"collectionAddress,omitzero"`
	// The contracts whose tokens count
	Collections Optional[[]Collection] `json:"collections,omitzero"`
	// The contracts that are ranked; empty: all of the network
	ContractIDs Optional[[]string] `json:"contractIds,omitzero"`
	// Where the service asks whom to reward (contract 5.14)
	CustomRewardsAPIURL Optional[string] `json:"customRewardsApiUrl,omitzero"`
	// A file that says whom to reward (contract 5.14)
	CustomRewardsCSVURL Optional[string] `json:"customRewardsCsvUrl,omitzero"`
	// The time whose transactions count; null: all time. One of: daily, weekly, monthly.
	DappDataWindow Optional[string] `json:"dappDataWindow,omitzero"`
	// Only applications deployed within this time count; null: all. One of: daily, weekly, monthly.
	DappDeployedWithin Optional[string] `json:"dappDeployedWithin,omitzero"`
	// On update: a time deletes, null brings back
	DeletedAt Optional[time.Time] `json:"deletedAt,omitzero"`
	// A text for people
	Description Optional[string] `json:"description,omitzero"`
	// The rule that this one is a copy of
	DuplicatedFromID Optional[string] `json:"duplicatedFromId,omitzero"`
	// A comment for the history of the rule
	EditComment Optional[string] `json:"editComment,omitzero"`
	// On-chain events count up to here; null: without end
	EffectiveEndTime Optional[time.Time] `json:"effectiveEndTime,omitzero"`
	// On-chain events count from here on; null: from the start of the rule
	EffectiveStartTime Optional[time.Time] `json:"effectiveStartTime,omitzero"`
	// When the rule ends; null: never
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// The id that partners get with each request
	ExternalIntegrationID Optional[string] `json:"externalIntegrationId,omitzero"`
	// How often the rule runs over all members; none and once: it does not (contract 5.3). One of: none,
	// once, hourly, daily, weekly, monthly, immediately.
	Frequency Optional[string] `json:"frequency,omitzero"`
	// The function
	FunctionID Optional[string] `json:"functionId,omitzero"`
	// true: not shown to members
	HideInUI Optional[bool] `json:"hideInUi,omitzero"`
	// How often a member can earn the reward (contract 5.3). One of: hourly, daily, weekly, monthly, once,
	// custom, every_message, unlimited.
	Interval Optional[string] `json:"interval,omitzero"`
	// true: the rule ranks applications; set on creation
	IsDappRule Optional[bool] `json:"isDappRule,omitzero"`
	// true: members complete it before others
	IsRequired Optional[bool] `json:"isRequired,omitzero"`
	// true: hidden from members, so that only bots complete it
	IsSpecial Optional[bool] `json:"isSpecial,omitzero"`
	// The badge that the rule grants; needed for rewardType badge
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// The currency of the points
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// A uuid or no-section
	LoyaltyRuleGroupID Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	// A file of members and amounts (contract 5.13)
	LoyaltyUserAllotmentCSVURL Optional[string] `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	// The period of maxAmountPerInterval. One of: daily, weekly, monthly, lifetime.
	MaxAmountInterval Optional[string] `json:"maxAmountInterval,omitzero"`
	// Needs maxAmountInterval
	MaxAmountPerInterval Optional[Decimal] `json:"maxAmountPerInterval,omitzero"`
	// The URL of the picture or video
	MediaURL Optional[string] `json:"mediaUrl,omitzero"`
	// Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
	// bytes
	Metadata any `json:"metadata,omitempty"`
	// The name, for people
	Name Optional[string] `json:"name,omitzero"`
	// The blockchain, by a name of contract 2.1
	Network Optional[string] `json:"network,omitzero"`
	// A name of the operator’s settings for a platform
	OauthCredentialsID Optional[string] `json:"oauthCredentialsId,omitzero"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// percentage: complete at 100; counter: at the end of the highest tier. One of: counter, percentage.
	ProgressType Optional[string] `json:"progressType,omitzero"`
	// dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent. One
	// of: permanent, dynamic.
	RewardLifetime Optional[string] `json:"rewardLifetime,omitzero"`
	// What members get. One of: points, multiplier, badge, token.
	RewardType Optional[string] `json:"rewardType,omitzero"`
	// The shop, if a partner connects several
	ShopStoreURL Optional[string] `json:"shopStoreUrl,omitzero"`
	// true: members see the rule before it starts
	ShowBeforeStart Optional[bool] `json:"showBeforeStart,omitzero"`
	// When the rule starts; null: at once
	StartTime Optional[time.Time] `json:"startTime,omitzero"`
	// The subscription whose events complete the rule
	SubscriptionID Optional[string] `json:"subscriptionId,omitzero"`
	// The token that the rule pays (contract 5.5)
	TokenReward Optional[TokenReward] `json:"tokenReward,omitzero"`
	// true: the reward needs complete progress
	TrackProgress Optional[bool] `json:"trackProgress,omitzero"`
	// Cannot be changed
	Type Optional[string] `json:"type,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

// WriteStatusInputBody: Input of the operation: Write progress on a rule
type WriteStatusInputBody struct {
	// Adds to the progress; clamped to the rule's target
	IncProgress Optional[Decimal] `json:"incProgress,omitzero"`
	// The rule
	LoyaltyRuleID string `json:"loyaltyRuleId"`
	// The organization. In requests absent: that of the key (contract 1.3)
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Sets the progress; clamped to the rule's target
	Progress Optional[Decimal] `json:"progress,omitzero"`
	// The id of the member. In requests either it or walletAddress names the member
	UserID Optional[string] `json:"userId,omitzero"`
	// The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
	// address
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// The website. In requests absent: that of the key (contract 1.3)
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}
