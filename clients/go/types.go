// Code generated from openapi.json by scripts/clients. DO NOT EDIT.

package laurel

import (
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

type Account struct {
	Amount Decimal `json:"amount"`
	// For currencies of external ledgers: outside if the amount was read there, mirror if it is this
	// ledger's copy. One of: outside, mirror.
	AmountFrom        *string   `json:"amountFrom"`
	CreatedAt         time.Time `json:"createdAt"`
	ID                string    `json:"id"`
	LockVersion       int64     `json:"lockVersion"`
	LoyaltyCurrencyID string    `json:"loyaltyCurrencyId"`
	OrganizationID    string    `json:"organizationId"`
	// What the account owes of points that were taken back. It is taken from later credits. Absent if it
	// owes nothing; only of the member itself with client keys
	Receivable *Decimal     `json:"receivable"`
	UpdatedAt  time.Time    `json:"updatedAt"`
	User       *AccountUser `json:"user"`
	UserID     *string      `json:"userId"`
	WebsiteID  string       `json:"websiteId"`
}

type AccountProfile struct {
	ChatServerUser        *string `json:"chatServerUser"`
	DisplayName           *string `json:"displayName"`
	LogoURL               *string `json:"logoUrl"`
	MicroblogUser         *string `json:"microblogUser"`
	WalletGroupIdentifier *string `json:"walletGroupIdentifier"`
}

type AccountStreak struct {
	CreatedAt time.Time `json:"createdAt"`
	// A check-in from then on begins a new streak; null: never
	ExpiresAt     *time.Time  `json:"expiresAt"`
	ID            string      `json:"id"`
	LoyaltyRuleID string      `json:"loyaltyRuleId"`
	Milestone     []Milestone `json:"milestone"`
	// Windows in a row with a check-in, up to the last one
	StreakCount int64     `json:"streakCount"`
	UpdatedAt   time.Time `json:"updatedAt"`
	// The member who checked in last
	UserID        string  `json:"userId"`
	WalletAddress *string `json:"walletAddress"`
}

type AccountUser struct {
	ID                         string           `json:"id"`
	UserMetadata               []AccountProfile `json:"userMetadata"`
	WalletAddress              *string          `json:"walletAddress"`
	WebsiteUserAttributeValues []AttributeValue `json:"websiteUserAttributeValues"`
}

type ActInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type AddAuctionItemsInputBody struct {
	AuctionItems   []NewAuctionItem `json:"auctionItems"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type AddedCall struct {
	ChainID any `json:"chainId"`
	// 0x hex
	Data *string `json:"data"`
	To   string  `json:"to"`
	// A whole number
	Value *string `json:"value"`
}

type AllocatedUser struct {
	// null until the wallet is a user
	ID            *string `json:"id"`
	WalletAddress string  `json:"walletAddress"`
}

type AllowBody struct {
	Entries                []AllowEntryInput `json:"entries"`
	MintingContractAssetID string            `json:"mintingContractAssetId"`
	OrganizationID         Optional[string]  `json:"organizationId,omitzero"`
	WebsiteID              Optional[string]  `json:"websiteId,omitzero"`
}

type AllowEntry struct {
	ID                     string `json:"id"`
	MintingContractAssetID string `json:"mintingContractAssetId"`
	QuantityMinted         int64  `json:"quantityMinted"`
	TotalQuantity          int64  `json:"totalQuantity"`
	WalletAddress          string `json:"walletAddress"`
}

type AllowEntryInput struct {
	Quantity      int64  `json:"quantity"`
	WalletAddress string `json:"walletAddress"`
}

type AllowOutputBody struct {
	CreatedCount           int64  `json:"createdCount"`
	MintingContractAssetID string `json:"mintingContractAssetId"`
}

type AnsweredChoice struct {
	ID string `json:"id"`
	// Only if the user can no longer answer
	IsCorrect *bool  `json:"isCorrect"`
	Text      string `json:"text"`
}

type AnsweredQuestion struct {
	LoyaltyQuestionChoices []AnsweredChoice `json:"loyaltyQuestionChoices"`
	Text                   string           `json:"text"`
}

type ApiKey struct {
	AllowedOrigins []string   `json:"allowedOrigins"`
	CreatedAt      time.Time  `json:"createdAt"`
	ExpiresAt      *time.Time `json:"expiresAt"`
	ID             string     `json:"id"`
	LastUsedAt     *time.Time `json:"lastUsedAt"`
	Name           string     `json:"name"`
	OrganizationID string     `json:"organizationId"`
	Prefix         string     `json:"prefix"`
	RevokedAt      *time.Time `json:"revokedAt"`
	RoleType       string     `json:"roleType"`
	UserID         string     `json:"userId"`
	WebsiteID      *string    `json:"websiteId"`
}

type ArrangeBlocksBody struct {
	OrganizationID      Optional[string] `json:"organizationId,omitzero"`
	WebsiteID           Optional[string] `json:"websiteId,omitzero"`
	WebsitePageSections []BlockInput     `json:"websitePageSections"`
}

type Asset struct {
	CreatedAt time.Time `json:"createdAt"`
	// Until when it can be uploaded; null once it was
	ExpiresAt *time.Time `json:"expiresAt"`
	// As the url holds it
	FileName string `json:"fileName"`
	FilePath string `json:"filePath"`
	// Bytes
	FileSize       int64  `json:"fileSize"`
	ID             string `json:"id"`
	OrganizationID string `json:"organizationId"`
	// null until it was uploaded
	UploadedAt *time.Time `json:"uploadedAt"`
	URL        string     `json:"url"`
	// The user who owns the file; null: none
	UserID    *string `json:"userId"`
	WebsiteID string  `json:"websiteId"`
}

type Attempt struct {
	At         time.Time `json:"at"`
	Body       string    `json:"body"`
	DurationMs int64     `json:"durationMs"`
	Error      *string   `json:"error"`
	Number     int64     `json:"number"`
	Status     *int64    `json:"status"`
}

type AttributeValue struct {
	Value                string         `json:"value"`
	WebsiteUserAttribute ShortAttribute `json:"websiteUserAttribute"`
}

type AttributesBody struct {
	Data           []Item           `json:"data"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type Auction struct {
	// The highest 10; none while bids are hidden
	AuctionBids []TopAuctionBid `json:"auctionBids"`
	// With includeItems=true
	AuctionItems                  []AuctionItem    `json:"auctionItems"`
	BiddersOwnCollectionAddresses []string         `json:"biddersOwnCollectionAddresses"`
	CreatedAt                     time.Time        `json:"createdAt"`
	CurrencyAddress               *string          `json:"currencyAddress"`
	CurrencyDecimals              int64            `json:"currencyDecimals"`
	DeletedAt                     *time.Time       `json:"deletedAt"`
	Description                   string           `json:"description"`
	EndsAt                        time.Time        `json:"endsAt"`
	ExtendedDurationInSeconds     *int64           `json:"extendedDurationInSeconds"`
	HideBids                      bool             `json:"hideBids"`
	ID                            string           `json:"id"`
	LoyaltyCurrency               *AuctionCurrency `json:"loyaltyCurrency"`
	LoyaltyCurrencyID             string           `json:"loyaltyCurrencyId"`
	MinBidAmount                  string           `json:"minBidAmount"`
	MinBidIncrement               *string          `json:"minBidIncrement"`
	MintingContractID             string           `json:"mintingContractId"`
	Name                          string           `json:"name"`
	Network                       *string          `json:"network"`
	OrganizationID                string           `json:"organizationId"`
	// Shown to secret keys only
	ReservePrice *string   `json:"reservePrice"`
	Signature    string    `json:"signature"`
	StartsAt     time.Time `json:"startsAt"`
	// in_progress also before it starts. One of: in_progress, completed, cancelled.
	Status string `json:"status"`
	// One of: first_price, second_price, english.
	Type      string    `json:"type"`
	UpdatedAt time.Time `json:"updatedAt"`
	// The user who created it
	UserID    *string `json:"userId"`
	WebsiteID string  `json:"websiteId"`
}

type AuctionBid struct {
	Amount      string          `json:"amount"`
	Auction     *BidsAuction    `json:"auction"`
	AuctionID   string          `json:"auctionId"`
	AuctionItem *AuctionBidItem `json:"auctionItem"`
	// The item that the bidder named; for a fulfilled bid the one that it won
	AuctionItemID    *string             `json:"auctionItemId"`
	CreatedAt        time.Time           `json:"createdAt"`
	CurrencyAddress  *string             `json:"currencyAddress"`
	CurrencyDecimals int64               `json:"currencyDecimals"`
	ID               string              `json:"id"`
	LoyaltyCurrency  *AuctionBidCurrency `json:"loyaltyCurrency"`
	OrganizationID   string              `json:"organizationId"`
	// One of: submitted, accepted, rejected, fulfilled.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	User      ShortUser `json:"user"`
	WebsiteID string    `json:"websiteId"`
}

type AuctionBidAsset struct {
	ID             string     `json:"id"`
	IsPhygitalItem bool       `json:"isPhygitalItem"`
	RevealedAt     *time.Time `json:"revealedAt"`
	ShippingPrice  *Decimal   `json:"shippingPrice"`
	TokenID        *int64     `json:"tokenId"`
}

type AuctionBidCurrency struct {
	APIAuthKey                *string `json:"apiAuthKey"`
	APIAuthType               *string `json:"apiAuthType"`
	APIAuthValue              *string `json:"apiAuthValue"`
	APIGetTransactionEntryURL *string `json:"apiGetTransactionEntryUrl"`
	APIGetURL                 *string `json:"apiGetUrl"`
	APIPostURL                *string `json:"apiPostUrl"`
}

type AuctionBidItem struct {
	ID                   string           `json:"id"`
	MintingContractAsset *AuctionBidAsset `json:"mintingContractAsset"`
	Quantity             int64            `json:"quantity"`
}

type AuctionCurrency struct {
	Decimals int64   `json:"decimals"`
	ID       string  `json:"id"`
	ImageURL *string `json:"imageUrl"`
	Name     string  `json:"name"`
	Symbol   string  `json:"symbol"`
}

type AuctionItem struct {
	AuctionID            string           `json:"auctionId"`
	CreatedAt            time.Time        `json:"createdAt"`
	ID                   string           `json:"id"`
	MintingContractAsset AuctionItemAsset `json:"mintingContractAsset"`
	OrganizationID       string           `json:"organizationId"`
	Quantity             int64            `json:"quantity"`
	SortID               int64            `json:"sortId"`
	UpdatedAt            time.Time        `json:"updatedAt"`
	WebsiteID            string           `json:"websiteId"`
}

type AuctionItemAsset struct {
	ID             string     `json:"id"`
	ImageURL       *string    `json:"imageUrl"`
	IsPhygitalItem bool       `json:"isPhygitalItem"`
	Name           string     `json:"name"`
	RevealedAt     *time.Time `json:"revealedAt"`
	TokenID        *int64     `json:"tokenId"`
}

type AuctionedItem struct {
	ID string `json:"id"`
}

type Backfill struct {
	NextBlock string `json:"nextBlock"`
	ToBlock   string `json:"toBlock"`
}

type Badge struct {
	CreatedAt time.Time `json:"createdAt"`
	// Newest first
	DataJobs []BadgeJob `json:"dataJobs"`
	// In lists with includeDeleted
	DeletedAt   *time.Time `json:"deletedAt"`
	Description string     `json:"description"`
	HideInUI    bool       `json:"hideInUi"`
	ID          string     `json:"id"`
	ImageURL    string     `json:"imageUrl"`
	// With a user filter the rows of those users, else the newest 100
	LoyaltyBadgeUsers []BadgeUser      `json:"loyaltyBadgeUsers"`
	LoyaltyConditions []BadgeCondition `json:"loyaltyConditions"`
	// Rules that grant it, or to which a condition refers
	LoyaltyRules   []BadgeThing  `json:"loyaltyRules"`
	Name           string        `json:"name"`
	OrganizationID string        `json:"organizationId"`
	Rewards        []BadgeReward `json:"rewards"`
	UpdatedAt      time.Time     `json:"updatedAt"`
	WebsiteID      string        `json:"websiteId"`
}

type BadgeAssociation struct {
	LoyaltyBadge           *BadgeThing `json:"loyaltyBadge"`
	LoyaltyCurrency        *BadgeThing `json:"loyaltyCurrency"`
	LoyaltyLeaderboardView *BadgeThing `json:"loyaltyLeaderboardView"`
	LoyaltyRule            *BadgeThing `json:"loyaltyRule"`
	LoyaltyRuleGroup       *BadgeThing `json:"loyaltyRuleGroup"`
}

type BadgeCondition struct {
	Amount      Decimal            `json:"amount"`
	Association []BadgeAssociation `json:"association"`
	// Shown to secret keys only
	CSVFiles []BadgeFile `json:"csvFiles"`
	// Shown to secret keys only
	CSVURL             *string `json:"csvUrl"`
	Description        string  `json:"description"`
	ID                 string  `json:"id"`
	LoyaltyCurrencyID  *string `json:"loyaltyCurrencyId"`
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	RepeatCount        int64   `json:"repeatCount"`
	RequiredCount      int64   `json:"requiredCount"`
	// One of: rule, rules, section, points, level, api, badge, badges, csv.
	Type string `json:"type"`
}

type BadgeFile struct {
	Description *string `json:"description"`
	ID          string  `json:"id"`
	Name        *string `json:"name"`
	URL         string  `json:"url"`
}

type BadgeJob struct {
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
	// Shown to secret keys only
	Message *string `json:"message"`
	// One of: pending, processing, complete, failed, cancelled.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
}

type BadgeProgress struct {
	Complete           bool    `json:"complete"`
	Current            Decimal `json:"current"`
	LoyaltyConditionID string  `json:"loyaltyConditionId"`
	Required           Decimal `json:"required"`
	Type               string  `json:"type"`
}

type BadgeReward struct {
	Amount            Decimal `json:"amount"`
	ID                string  `json:"id"`
	IsRetroactive     bool    `json:"isRetroactive"`
	LoyaltyBadgeID    *string `json:"loyaltyBadgeId"`
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// For multipliers; empty: all currencies
	LoyaltyCurrencyIDs []string `json:"loyaltyCurrencyIds"`
	Multiplier         Decimal  `json:"multiplier"`
	// One of: points, multiplier, badge, token.
	RewardType string `json:"rewardType"`
}

type BadgeThing struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type BadgeUser struct {
	// Left out until granted
	CompletedAt    *time.Time      `json:"completedAt"`
	CreatedAt      time.Time       `json:"createdAt"`
	DismissedInUI  bool            `json:"dismissedInUi"`
	HideInUI       bool            `json:"hideInUi"`
	ID             string          `json:"id"`
	LoyaltyBadgeID string          `json:"loyaltyBadgeId"`
	OrganizationID string          `json:"organizationId"`
	Progress       []BadgeProgress `json:"progress"`
	// One of: active, inactive, revoked.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	User      ShortUser `json:"user"`
	UserID    string    `json:"userId"`
	WebsiteID string    `json:"websiteId"`
}

type BannerInput struct {
	Carousel                 Optional[CarouselInput] `json:"carousel,omitzero"`
	ID                       Optional[string]        `json:"id,omitzero"`
	WebsiteCollectionBanners Optional[[]ShownInput]  `json:"websiteCollectionBanners,omitzero"`
}

type BegunReplay struct {
	ID string `json:"id"`
	// Percent of the period that is done
	Progress int64 `json:"progress"`
	// One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
}

type BidsAuction struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type BlockInput struct {
	// The id of an existing block; absent: a new block
	ID Optional[string] `json:"id,omitzero"`
	// true: client keys do not see it
	IsHidden           Optional[bool]           `json:"isHidden,omitzero"`
	LoyaltyRuleGroupID Optional[string]         `json:"loyaltyRuleGroupId,omitzero"`
	Metadata           Optional[map[string]any] `json:"metadata,omitzero"`
	// Default: its place in the list, from 0
	SortID   Optional[int64]  `json:"sortId,omitzero"`
	SubTitle Optional[string] `json:"subTitle,omitzero"`
	Title    Optional[string] `json:"title,omitzero"`
	// A name of your own, such as hero or leaderboard
	Type string `json:"type"`
}

type BlockchainInput struct {
	// EVENT or FUNCTION
	BlockchainSubscriptionType Optional[string] `json:"blockchainSubscriptionType,omitzero"`
	ChainID                    Optional[int64]  `json:"chainId,omitzero"`
	ContractAddress            Optional[string] `json:"contractAddress,omitzero"`
	// A JSON fragment or a signature such as event Transfer(address indexed from, address indexed to,
	// uint256 value)
	EventABI    Optional[string] `json:"eventAbi,omitzero"`
	FromBlock   Optional[string] `json:"fromBlock,omitzero"`
	FunctionABI Optional[string] `json:"functionAbi,omitzero"`
	TriggerID   Optional[string] `json:"triggerId,omitzero"`
}

type BlockchainSource struct {
	// The blocks from fromBlock on that are still to be read; absent once all are
	Backfill *Backfill `json:"backfill"`
	// One of: EVENT, FUNCTION.
	BlockchainSubscriptionType string     `json:"blockchainSubscriptionType"`
	ChainID                    int64      `json:"chainId"`
	ContractAddress            string     `json:"contractAddress"`
	CreatedAt                  time.Time  `json:"createdAt"`
	CreatedAtBlock             string     `json:"createdAtBlock"`
	DeletedAt                  *time.Time `json:"deletedAt"`
	EventABI                   string     `json:"eventAbi"`
	EventSelector              string     `json:"eventSelector"`
	FromBlock                  string     `json:"fromBlock"`
	FunctionABI                string     `json:"functionAbi"`
	ID                         string     `json:"id"`
	UpdatedAt                  time.Time  `json:"updatedAt"`
}

type CSVInput struct {
	Description Optional[string] `json:"description,omitzero"`
	Name        Optional[string] `json:"name,omitzero"`
	Src         string           `json:"src"`
}

type Callback struct {
	Response CallbackResponse `json:"response"`
}

type CallbackResponse struct {
	Body       string  `json:"body"`
	DurationMs int64   `json:"durationMs"`
	Error      *string `json:"error"`
	Status     *int64  `json:"status"`
}

type CancelAuctionInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type CancelLotInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Kept with the lot
	Reason    Optional[string] `json:"reason,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CaptureHoldInputBody struct {
	// Above 0 and at most what is held, which is the default
	Amount         Optional[Decimal] `json:"amount,omitzero"`
	OrganizationID Optional[string]  `json:"organizationId,omitzero"`
	WebsiteID      Optional[string]  `json:"websiteId,omitzero"`
}

type CarouselInput struct {
	CarouselItems Optional[[]CarouselItemInput] `json:"carouselItems,omitzero"`
	ID            Optional[string]              `json:"id,omitzero"`
}

type CarouselItemInput struct {
	ID Optional[string] `json:"id,omitzero"`
	// Default: its place in the list, from 0
	SortID Optional[int64] `json:"sortId,omitzero"`
}

type ChainBody struct {
	Data RuleChain `json:"data"`
}

type ChainCondition struct {
	Amount      Decimal        `json:"amount"`
	Association []ChainNeedful `json:"association"`
	// Shown to secret keys only
	CSVURL      *string `json:"csvUrl"`
	Description string  `json:"description"`
	ID          string  `json:"id"`
	RepeatCount int64   `json:"repeatCount"`
	// null: all
	RequiredCount *int64 `json:"requiredCount"`
	// One of: rule, rules, section, points, level, api, badge, badges, csv.
	Type string `json:"type"`
}

type ChainNeedful struct {
	ID                 string  `json:"id"`
	LoyaltyBadgeID     *string `json:"loyaltyBadgeId"`
	LoyaltyCurrency    *Named  `json:"loyaltyCurrency"`
	LoyaltyCurrencyID  *string `json:"loyaltyCurrencyId"`
	LoyaltyRule        *Named  `json:"loyaltyRule"`
	LoyaltyRuleGroupID *string `json:"loyaltyRuleGroupId"`
	LoyaltyRuleID      *string `json:"loyaltyRuleId"`
}

type ChangeRolesInputBody struct {
	OrganizationID   Optional[string] `json:"organizationId,omitzero"`
	WebsiteID        Optional[string] `json:"websiteId,omitzero"`
	WebsiteUserRoles []RoleChange     `json:"websiteUserRoles"`
}

type ChangedRoles struct {
	Data []UserRole `json:"data"`
}

type ChoiceBody struct {
	// The id of an existing choice; ignored on creation
	ID Optional[string] `json:"id,omitzero"`
	// Absent: as it was, of a new choice false. Polls take any choice
	IsCorrect Optional[bool] `json:"isCorrect,omitzero"`
	// A number or a text to sort by, numbers first
	SortIdentifier Optional[NumberOrText] `json:"sortIdentifier,omitzero"`
	Text           string                 `json:"text"`
}

type ClaimDataJob struct {
	ID string `json:"id"`
	// Why it failed, or which rows were skipped
	Message *string `json:"message"`
	// One of: pending, processing, complete, failed, cancelled.
	Status string `json:"status"`
}

type ClaimEligibility struct {
	AlreadyClaimed bool `json:"alreadyClaimed"`
	// The allocation of the wallet, as a decimal
	Amount               string     `json:"amount"`
	ClaimContractAddress *string    `json:"claimContractAddress"`
	ClaimedAt            *time.Time `json:"claimedAt"`
	Eligible             bool       `json:"eligible"`
	// Empty if no driver reads the staking contract
	Stakes       []ClaimStake `json:"stakes"`
	TokenClaimID string       `json:"tokenClaimId"`
}

type ClaimProof struct {
	// From the bottom up
	Proof        []string `json:"proof"`
	TokenClaimID string   `json:"tokenClaimId"`
	// A decimal
	TotalAllocation string `json:"totalAllocation"`
	WalletAddress   string `json:"walletAddress"`
}

type ClaimReceipt struct {
	Data    ClaimedAllocation `json:"data"`
	Message string            `json:"message"`
}

type ClaimStake struct {
	Amount    string    `json:"amount"`
	Claimable string    `json:"claimable"`
	Claimed   string    `json:"claimed"`
	Duration  int64     `json:"duration"`
	StakeID   string    `json:"stakeId"`
	StartTime time.Time `json:"startTime"`
}

type ClaimToken struct {
	Address string  `json:"address"`
	ChainID *int64  `json:"chainId"`
	ID      string  `json:"id"`
	Name    *string `json:"name"`
}

type ClaimTokenBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// 0x and 64 hexadecimal digits
	TxHash        string           `json:"txHash"`
	WalletAddress string           `json:"walletAddress"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type ClaimUser struct {
	// A decimal
	Amount    string        `json:"amount"`
	ClaimedAt *time.Time    `json:"claimedAt"`
	ID        string        `json:"id"`
	User      AllocatedUser `json:"user"`
}

type ClaimedAllocation struct {
	ClaimedAt    *time.Time `json:"claimedAt"`
	TokenClaimID string     `json:"tokenClaimId"`
	// A decimal
	TotalAllocation string `json:"totalAllocation"`
	WalletAddress   string `json:"walletAddress"`
}

type ClearingJob struct {
	// That were debited so far
	Accounts int64 `json:"accounts"`
	// The sum of all debits so far
	Amount      Decimal   `json:"amount"`
	CreatedAt   time.Time `json:"createdAt"`
	CreatedByID *string   `json:"createdById"`
	ID          string    `json:"id"`
	// For a reset: its currency
	LoyaltyCurrencyID *string `json:"loyaltyCurrencyId"`
	// For the debit of a deleted rule: the rule
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// Why it was cancelled, or what it left out
	Message        *string `json:"message"`
	OrganizationID string  `json:"organizationId"`
	// One of: processing, complete, cancelled.
	Status string `json:"status"`
	// One of: loyalty_reset_balances, loyalty_reset_balances_data_and_rules,
	// loyalty_reset_balances_data_not_rules, loyalty_rule_debit.
	Type      string    `json:"type"`
	UpdatedAt time.Time `json:"updatedAt"`
	WebsiteID string    `json:"websiteId"`
}

type CodeList struct {
	Complete    bool             `json:"complete"`
	Data        []RedemptionCode `json:"data"`
	HasNextPage bool             `json:"hasNextPage"`
}

type CodeSent struct {
	Message string `json:"message"`
	Success bool   `json:"success"`
	UserID  string `json:"userId"`
}

type Collection struct {
	Address string           `json:"address"`
	Network string           `json:"network"`
	Symbol  Optional[string] `json:"symbol,omitzero"`
}

type CollectionSummary struct {
	ID                string  `json:"id"`
	ImageURL          *string `json:"imageUrl"`
	MintingContractID *string `json:"mintingContractId"`
	Name              string  `json:"name"`
}

type CompleteRuleInputBody struct {
	// In place of the rule's amount; external_rule only
	Amount     Optional[Decimal] `json:"amount,omitzero"`
	ContentURL Optional[string]  `json:"contentUrl,omitzero"`
	// Only for external_rule. Unique on the website forever, among completions and entries together
	IdempotencyKey          Optional[string] `json:"idempotencyKey,omitzero"`
	LoyaltyQuestionChoiceID Optional[string] `json:"loyaltyQuestionChoiceId,omitzero"`
	OrganizationID          Optional[string] `json:"organizationId,omitzero"`
	// Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
	// the amount is paid for each unit of it
	RangeValue               Optional[Decimal] `json:"rangeValue,omitzero"`
	SkipChainOrRequiredCheck Optional[bool]    `json:"skipChainOrRequiredCheck,omitzero"`
	UserID                   Optional[string]  `json:"userId,omitzero"`
	VerificationCode         Optional[string]  `json:"verificationCode,omitzero"`
	// true, as boolean or text: every check and no reward
	VerifyOnly    Optional[bool]   `json:"verifyOnly,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type CompletionBody struct {
	Data CompletionBodyDataStruct `json:"data"`
	// For people; programs read data
	Message string `json:"message"`
}

type CompletionBodyDataStruct struct {
	LoyaltyTransactionID *string `json:"loyaltyTransactionId"`
	Rewards              []Paid  `json:"rewards"`
	// One of: completed, pending.
	Status string `json:"status"`
	// With verifyOnly, to secret keys: what the rule's function would ask the payout driver for. Nothing
	// of it is sent
	Transactions []AddedCall `json:"transactions"`
}

type ConnectBody struct {
	// The wallet may leave another group
	ConfirmDisconnect Optional[bool]   `json:"confirmDisconnect,omitzero"`
	OrganizationID    Optional[string] `json:"organizationId,omitzero"`
	// The user whose group the wallet joins
	UserID           Optional[string]           `json:"userId,omitzero"`
	VerificationData Optional[VerificationData] `json:"verificationData,omitzero"`
	WalletAddress    string                     `json:"walletAddress"`
	// One of: agw, cosmos, evm, flow_cadence, imx, solana, substrate, sui, ton.
	WalletType string           `json:"walletType"`
	WebsiteID  Optional[string] `json:"websiteId,omitzero"`
}

type ConnectPhoneBody struct {
	Code           string           `json:"code"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// In E.164 format
	PhoneNumber   string           `json:"phoneNumber"`
	UserID        Optional[string] `json:"userId,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type ConnectedAccount struct {
	// With MAXIMUM_ACCOUNT_LINKED: moves the account by POST /api/users/verify, within 15 minutes
	AccountLinkData *string `json:"accountLinkData"`
	// Why the proof does not count, for programs
	Error   *string `json:"error"`
	Message *string `json:"message"`
	Success bool    `json:"success"`
}

type ConnectedUser struct {
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
	// A member token, if a signature was checked
	Token          *string    `json:"token"`
	TokenExpiresAt *time.Time `json:"tokenExpiresAt"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	WalletAddress  string     `json:"walletAddress"`
}

type Contract struct {
	// As it was sent; absent with includeAbi=false
	ABI            any        `json:"abi"`
	Address        string     `json:"address"`
	ChainID        *int64     `json:"chainId"`
	CreatedAt      time.Time  `json:"createdAt"`
	DeletedAt      *time.Time `json:"deletedAt"`
	IconURL        *string    `json:"iconUrl"`
	ID             string     `json:"id"`
	Name           *string    `json:"name"`
	OrganizationID string     `json:"organizationId"`
	Type           string     `json:"type"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	WebsiteID      string     `json:"websiteId"`
}

type ContractCount struct {
	// Live assets that are listed
	IsListed int64 `json:"isListed"`
}

type ContractEvent struct {
	BlockNumber     string    `json:"blockNumber"`
	ContractAddress string    `json:"contractAddress"`
	DetectedAt      time.Time `json:"detectedAt"`
	EventKey        string    `json:"eventKey"`
	TxHash          string    `json:"txHash"`
}

type ContractStats struct {
	Count             ContractCount `json:"_count"`
	Sum               ContractSum   `json:"_sum"`
	MintingContractID string        `json:"mintingContractId"`
}

type ContractSum struct {
	Quantity       *int64 `json:"quantity"`
	QuantityMinted *int64 `json:"quantityMinted"`
}

type CountedListAuctionBid struct {
	Count       *int64       `json:"count"`
	Data        []AuctionBid `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type CreateAssetInputBody struct {
	// Ends with one of png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb
	FileName Optional[string] `json:"fileName,omitzero"`
	// Default images. One of: images, videos, banners, fonts, posts, profiles, minting, loyalty,
	// tokenClaims, dapps.
	FilePath Optional[string] `json:"filePath,omitzero"`
	// Bytes
	FileSize       Optional[int64]  `json:"fileSize,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// The user who owns the file; through client keys the member token's user
	UserID    Optional[string] `json:"userId,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateAuctionBody struct {
	AuctionItems                  Optional[[]NewAuctionItem] `json:"auctionItems,omitzero"`
	BiddersOwnCollectionAddresses Optional[[]string]         `json:"biddersOwnCollectionAddresses,omitzero"`
	// Stored
	CurrencyAddress Optional[string] `json:"currencyAddress,omitzero"`
	Description     Optional[string] `json:"description,omitzero"`
	// Cannot be changed once there is a bid
	EndsAt time.Time `json:"endsAt"`
	// english: a bid so shortly before the end moves the end to so many seconds after it
	ExtendedDurationInSeconds Optional[int64] `json:"extendedDurationInSeconds,omitzero"`
	HideBids                  Optional[bool]  `json:"hideBids,omitzero"`
	// Bids are points of it; cannot be changed
	LoyaltyCurrencyID string  `json:"loyaltyCurrencyId"`
	MinBidAmount      Decimal `json:"minBidAmount"`
	// For english auctions: the least difference between the best bid and the next bid
	MinBidIncrement Optional[Decimal] `json:"minBidIncrement,omitzero"`
	// The minting contract of the items; cannot be changed
	MintingContractID string `json:"mintingContractId"`
	Name              string `json:"name"`
	// The network of the collections; cannot be changed
	Network        Optional[string] `json:"network,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Bids below it win nothing
	ReservePrice Optional[Decimal] `json:"reservePrice,omitzero"`
	// Cannot be changed once there is a bid
	StartsAt time.Time `json:"startsAt"`
	// Cannot be changed. One of: first_price, second_price, english.
	Type      string           `json:"type"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateBadgeBody struct {
	Conditions []Input `json:"conditions"`
	// Further lists of the badge's csv conditions
	CSVFiles       Optional[[]CSVInput]    `json:"csvFiles,omitzero"`
	Description    Optional[string]        `json:"description,omitzero"`
	HideInUI       Optional[bool]          `json:"hideInUi,omitzero"`
	ImageURL       string                  `json:"imageUrl"`
	Name           string                  `json:"name"`
	OrganizationID Optional[string]        `json:"organizationId,omitzero"`
	Rewards        Optional[[]RewardInput] `json:"rewards,omitzero"`
	WebsiteID      Optional[string]        `json:"websiteId,omitzero"`
}

type CreateBody struct {
	BlockchainSubscriptions Optional[[]BlockchainInput] `json:"blockchainSubscriptions,omitzero"`
	CallbackURL             Optional[string]            `json:"callbackUrl,omitzero"`
	EndsAt                  Optional[time.Time]         `json:"endsAt,omitzero"`
	Finality                Optional[string]            `json:"finality,omitzero"`
	FunctionIDs             Optional[[]string]          `json:"functionIds,omitzero"`
	MaxEventsPerDay         Optional[int64]             `json:"maxEventsPerDay,omitzero"`
	Metadata                Optional[any]               `json:"metadata,omitzero"`
	Name                    string                      `json:"name"`
	OrganizationID          string                      `json:"organizationId"`
	PlatformSubscriptions   Optional[[]PlatformInput]   `json:"platformSubscriptions,omitzero"`
	StartsAt                Optional[time.Time]         `json:"startsAt,omitzero"`
	Version                 Optional[string]            `json:"version,omitzero"`
	WebsiteID               string                      `json:"websiteId"`
}

type CreateChainBody struct {
	LoyaltyConditions []Input `json:"loyaltyConditions"`
	LoyaltyRuleID     string  `json:"loyaltyRuleId"`
	Name              string  `json:"name"`
	// One of: AND, OR.
	OperatorType   Optional[string] `json:"operatorType,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type CreateCollectionBody struct {
	ChatServerURL         Optional[string] `json:"chatServerUrl,omitzero"`
	CollectionAddress     string           `json:"collectionAddress"`
	HomeURL               Optional[string] `json:"homeUrl,omitzero"`
	ImageURL              Optional[string] `json:"imageUrl,omitzero"`
	MessengerURL          Optional[string] `json:"messengerUrl,omitzero"`
	MicroblogUsername     Optional[string] `json:"microblogUsername,omitzero"`
	Name                  string           `json:"name"`
	Network               string           `json:"network"`
	OrganizationID        Optional[string] `json:"organizationId,omitzero"`
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee        Optional[Decimal] `json:"royaltyFee,omitzero"`
	RoyaltyFeeAddress Optional[string]  `json:"royaltyFeeAddress,omitzero"`
	// Lists go by it, the lowest first
	SortID int64 `json:"sortId"`
	// The contract that locks its tokens
	StakingAddress Optional[string] `json:"stakingAddress,omitzero"`
	ThemeID        Optional[string] `json:"themeId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type CreateContractBody struct {
	// A JSON array, or the text of one
	ABI            Optional[any]    `json:"abi,omitzero"`
	Address        string           `json:"address"`
	ChainID        Optional[int64]  `json:"chainId"`
	IconURL        Optional[string] `json:"iconUrl,omitzero"`
	Name           string           `json:"name"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of: erc20, erc721, erc1155, custom.
	Type      string           `json:"type"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateCurrencyBody struct {
	APIAuthKey Optional[string] `json:"apiAuthKey,omitzero"`
	// One of: none, basic, bearer, apiKey.
	APIAuthType               Optional[string] `json:"apiAuthType,omitzero"`
	APIAuthValue              Optional[string] `json:"apiAuthValue,omitzero"`
	APIGetTransactionEntryURL Optional[string] `json:"apiGetTransactionEntryUrl,omitzero"`
	APIGetURL                 Optional[string] `json:"apiGetUrl,omitzero"`
	APIPostURL                Optional[string] `json:"apiPostUrl,omitzero"`
	// How many places a page shows; cannot be changed
	Decimals       int64            `json:"decimals"`
	ImageURL       Optional[string] `json:"imageUrl,omitzero"`
	Name           string           `json:"name"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// How many days points live; null: they do not expire
	PointsExpireAfterDays Optional[int64] `json:"pointsExpireAfterDays,omitzero"`
	// How many hours rewards are held before they are credited; null: not at all
	PointsWaitHours Optional[int64]  `json:"pointsWaitHours,omitzero"`
	SortID          Optional[int64]  `json:"sortId,omitzero"`
	Symbol          string           `json:"symbol"`
	WebsiteID       Optional[string] `json:"websiteId,omitzero"`
}

type CreateFunctionBody struct {
	Code           Optional[string]            `json:"code,omitzero"`
	Cron           Optional[string]            `json:"cron,omitzero"`
	Disabled       Optional[bool]              `json:"disabled,omitzero"`
	Name           Optional[string]            `json:"name,omitzero"`
	OrganizationID Optional[string]            `json:"organizationId,omitzero"`
	Secrets        Optional[map[string]string] `json:"secrets,omitzero"`
	WebsiteID      Optional[string]            `json:"websiteId,omitzero"`
}

type CreateGroupBody struct {
	IsCollapsible  Optional[bool]   `json:"isCollapsible,omitzero"`
	IsRequired     Optional[bool]   `json:"isRequired,omitzero"`
	Name           string           `json:"name"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	SortID         Optional[int64]  `json:"sortId,omitzero"`
	SubTitle       Optional[string] `json:"subTitle,omitzero"`
	// Another spelling of subTitle
	Subtitle  Optional[string] `json:"subtitle,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateHoldBody struct {
	Amount      Decimal          `json:"amount"`
	Description Optional[string] `json:"description,omitzero"`
	// Default 3600
	ExpiresInSeconds Optional[int64] `json:"expiresInSeconds,omitzero"`
	// Unique on the website forever, among entries, completions and holds together
	IdempotencyKey    Optional[string] `json:"idempotencyKey,omitzero"`
	LoyaltyCurrencyID string           `json:"loyaltyCurrencyId"`
	// At most 16384 bytes
	Metadata       Optional[map[string]any] `json:"metadata,omitzero"`
	OrganizationID Optional[string]         `json:"organizationId,omitzero"`
	UserID         Optional[string]         `json:"userId,omitzero"`
	WalletAddress  Optional[string]         `json:"walletAddress,omitzero"`
	WebsiteID      Optional[string]         `json:"websiteId,omitzero"`
}

type CreateKeyInputBody struct {
	// For client keys; empty: all origins
	AllowedOrigins Optional[[]string]  `json:"allowedOrigins,omitzero"`
	ExpiresAt      Optional[time.Time] `json:"expiresAt,omitzero"`
	Name           string              `json:"name"`
	OrganizationID Optional[string]    `json:"organizationId,omitzero"`
	// One of: ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY,
	// STRATUS_API_KEY.
	RoleType  string           `json:"roleType"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateMintingAssetBody struct {
	AnimationURL Optional[string] `json:"animationUrl,omitzero"`
	// One of: customInput, freeText, shippingDetails.
	CollectInfoType Optional[string] `json:"collectInfoType,omitzero"`
	// ONCHAIN: the token that the price is in; null: the network's own
	CurrencyAddress  Optional[string] `json:"currencyAddress,omitzero"`
	CurrencyDecimals Optional[int64]  `json:"currencyDecimals,omitzero"`
	Description      Optional[string] `json:"description,omitzero"`
	ImageURL         Optional[string] `json:"imageUrl,omitzero"`
	// true: only wallets on the allowlist may mint
	IsAllowlisted   Optional[bool]      `json:"isAllowlisted,omitzero"`
	IsHidden        Optional[bool]      `json:"isHidden,omitzero"`
	IsListed        Optional[bool]      `json:"isListed,omitzero"`
	IsPhygitalItem  Optional[bool]      `json:"isPhygitalItem,omitzero"`
	ListingEndsAt   Optional[time.Time] `json:"listingEndsAt,omitzero"`
	ListingStartsAt Optional[time.Time] `json:"listingStartsAt,omitzero"`
	// Needed in an OFFCHAIN contract
	LoyaltyCurrencyID Optional[string]         `json:"loyaltyCurrencyId,omitzero"`
	Metadata          Optional[map[string]any] `json:"metadata,omitzero"`
	MintingContractID string                   `json:"mintingContractId"`
	Name              string                   `json:"name"`
	OrganizationID    Optional[string]         `json:"organizationId,omitzero"`
	// The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain
	Price Decimal `json:"price"`
	// In all, with those that are minted
	Quantity              int64            `json:"quantity"`
	ShouldCollectUserInfo Optional[bool]   `json:"shouldCollectUserInfo,omitzero"`
	TokenID               Optional[int64]  `json:"tokenId,omitzero"`
	UnlimitedQty          Optional[bool]   `json:"unlimitedQty,omitzero"`
	WebsiteID             Optional[string] `json:"websiteId,omitzero"`
}

type CreateMintingContractBody struct {
	// Needed to list an ONCHAIN contract
	Address Optional[string] `json:"address,omitzero"`
	// Stays as it was created. One of: ONCHAIN, OFFCHAIN.
	ContractKind         string           `json:"contractKind"`
	Description          Optional[string] `json:"description,omitzero"`
	EnableGasless        Optional[bool]   `json:"enableGasless,omitzero"`
	ExternalLinkURL      Optional[string] `json:"externalLinkUrl,omitzero"`
	HasRevealMechanic    Optional[bool]   `json:"hasRevealMechanic,omitzero"`
	HideInactiveListings Optional[bool]   `json:"hideInactiveListings,omitzero"`
	ImageURL             Optional[string] `json:"imageUrl,omitzero"`
	// true: free for holders, and others pay the price
	IsFreeClaimForBadgeHolders Optional[bool] `json:"isFreeClaimForBadgeHolders,omitzero"`
	// true: free for owners, and others pay the price
	IsFreeClaimForTokenHolders Optional[bool] `json:"isFreeClaimForTokenHolders,omitzero"`
	IsListed                   Optional[bool] `json:"isListed,omitzero"`
	// true: the limit applies to each asset
	IsPerAssetMintLimit Optional[bool]               `json:"isPerAssetMintLimit,omitzero"`
	IsSoulbound         Optional[bool]               `json:"isSoulbound,omitzero"`
	LoyaltyBadgeIDs     Optional[[]string]           `json:"loyaltyBadgeIds,omitzero"`
	MustOwnCollections  Optional[[]GatingCollection] `json:"mustOwnCollections,omitzero"`
	Name                string                       `json:"name"`
	// Needed to list an ONCHAIN contract
	Network        Optional[string] `json:"network,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// 0: no limit
	PerUserMintLimit            Optional[int64]  `json:"perUserMintLimit,omitzero"`
	PreRevealMedia              Optional[string] `json:"preRevealMedia,omitzero"`
	PrimarySaleRecipientAddress Optional[string] `json:"primarySaleRecipientAddress,omitzero"`
	RelayerID                   Optional[string] `json:"relayerId,omitzero"`
	// false: any one collection or badge suffices
	RequireHoldingAllGatedItems Optional[bool]      `json:"requireHoldingAllGatedItems,omitzero"`
	RevealAvailableAt           Optional[time.Time] `json:"revealAvailableAt,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee         Optional[Decimal] `json:"royaltyFee,omitzero"`
	RoyaltyFeeAddress  Optional[string]  `json:"royaltyFeeAddress,omitzero"`
	ShouldCollectEmail Optional[bool]    `json:"shouldCollectEmail,omitzero"`
	ShowOnMarketplace  Optional[bool]    `json:"showOnMarketplace,omitzero"`
	SortID             Optional[int64]   `json:"sortId,omitzero"`
	Symbol             Optional[string]  `json:"symbol,omitzero"`
	// Default erc721; stays as it was created. One of: erc721, erc1155, erc721c.
	TokenType Optional[string] `json:"tokenType,omitzero"`
	// The website's collection of these tokens
	WebsiteCollectionID Optional[string] `json:"websiteCollectionId,omitzero"`
	WebsiteID           Optional[string] `json:"websiteId,omitzero"`
}

type CreateQuestionBody struct {
	// Default false; cannot be changed
	AllowMultipleAttempts  Optional[bool] `json:"allowMultipleAttempts,omitzero"`
	LoyaltyQuestionAnswers []ChoiceBody   `json:"loyaltyQuestionAnswers"`
	// A quiz or poll, which has one question
	LoyaltyRuleID  string           `json:"loyaltyRuleId"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	QuestionText   string           `json:"questionText"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type CreateReferralCodeBody struct {
	// Without it a code is generated
	CustomReferralCode Optional[string] `json:"customReferralCode,omitzero"`
	// A rule of type referred_user
	LoyaltyRuleID  string           `json:"loyaltyRuleId"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	UserID         Optional[string] `json:"userId,omitzero"`
	WalletAddress  Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type CreateRuleBody struct {
	Amount             Optional[Decimal] `json:"amount,omitzero"`
	BackgroundAssetURL Optional[string]  `json:"backgroundAssetUrl,omitzero"`
	// One of: manual, auto.
	ClaimType           Optional[string]       `json:"claimType,omitzero"`
	CollectionAddress   Optional[string]       `json:"collectionAddress,omitzero"`
	Collections         Optional[[]Collection] `json:"collections,omitzero"`
	ContractIDs         Optional[[]string]     `json:"contractIds,omitzero"`
	CustomRewardsAPIURL Optional[string]       `json:"customRewardsApiUrl,omitzero"`
	CustomRewardsCSVURL Optional[string]       `json:"customRewardsCsvUrl,omitzero"`
	// One of: daily, weekly, monthly.
	DappDataWindow Optional[string] `json:"dappDataWindow,omitzero"`
	// One of: daily, weekly, monthly.
	DappDeployedWithin Optional[string] `json:"dappDeployedWithin,omitzero"`
	// On update: a time deletes, null brings back
	DeletedAt             Optional[time.Time] `json:"deletedAt,omitzero"`
	Description           Optional[string]    `json:"description,omitzero"`
	DuplicatedFromID      Optional[string]    `json:"duplicatedFromId,omitzero"`
	EditComment           Optional[string]    `json:"editComment,omitzero"`
	EffectiveEndTime      Optional[time.Time] `json:"effectiveEndTime,omitzero"`
	EffectiveStartTime    Optional[time.Time] `json:"effectiveStartTime,omitzero"`
	EndTime               Optional[time.Time] `json:"endTime,omitzero"`
	ExternalIntegrationID Optional[string]    `json:"externalIntegrationId,omitzero"`
	// One of: none, once, hourly, daily, weekly, monthly, immediately.
	Frequency  Optional[string] `json:"frequency,omitzero"`
	FunctionID Optional[string] `json:"functionId,omitzero"`
	HideInUI   Optional[bool]   `json:"hideInUi,omitzero"`
	// One of: hourly, daily, weekly, monthly, once, custom, every_message, unlimited.
	Interval          Optional[string] `json:"interval,omitzero"`
	IsDappRule        Optional[bool]   `json:"isDappRule,omitzero"`
	IsRequired        Optional[bool]   `json:"isRequired,omitzero"`
	IsSpecial         Optional[bool]   `json:"isSpecial,omitzero"`
	LoyaltyBadgeID    Optional[string] `json:"loyaltyBadgeId,omitzero"`
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// A uuid or no-section
	LoyaltyRuleGroupID         Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	LoyaltyUserAllotmentCSVURL Optional[string] `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	// One of: daily, weekly, monthly, lifetime.
	MaxAmountInterval    Optional[string]  `json:"maxAmountInterval,omitzero"`
	MaxAmountPerInterval Optional[Decimal] `json:"maxAmountPerInterval,omitzero"`
	MediaURL             Optional[string]  `json:"mediaUrl,omitzero"`
	// Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
	// bytes
	Metadata           Optional[map[string]any] `json:"metadata,omitzero"`
	Name               string                   `json:"name"`
	Network            Optional[string]         `json:"network,omitzero"`
	OauthCredentialsID Optional[string]         `json:"oauthCredentialsId,omitzero"`
	OrganizationID     Optional[string]         `json:"organizationId,omitzero"`
	// One of: counter, percentage.
	ProgressType Optional[string] `json:"progressType,omitzero"`
	// One of: permanent, dynamic.
	RewardLifetime Optional[string] `json:"rewardLifetime,omitzero"`
	// One of: points, multiplier, badge, token.
	RewardType      Optional[string]      `json:"rewardType,omitzero"`
	ShopStoreURL    Optional[string]      `json:"shopStoreUrl,omitzero"`
	ShowBeforeStart Optional[bool]        `json:"showBeforeStart,omitzero"`
	StartTime       Optional[time.Time]   `json:"startTime,omitzero"`
	SubscriptionID  Optional[string]      `json:"subscriptionId,omitzero"`
	TokenReward     Optional[TokenReward] `json:"tokenReward,omitzero"`
	TrackProgress   Optional[bool]        `json:"trackProgress,omitzero"`
	// Cannot be changed
	Type      string           `json:"type"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateSectionBody struct {
	Banner Optional[BannerInput] `json:"banner,omitzero"`
	// Replaces the former ones
	DiscoveryItems Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero"`
	DurationEnd    Optional[time.Time]        `json:"durationEnd,omitzero"`
	DurationStart  time.Time                  `json:"durationStart"`
	// Replaces the former ones
	ItemsGrids     Optional[[]ShownInput] `json:"itemsGrids,omitzero"`
	OrganizationID Optional[string]       `json:"organizationId,omitzero"`
	// The page, for placement page
	PageID Optional[string] `json:"pageId,omitzero"`
	// One of: all_items, discovery_item, discovery_items_grid.
	PageSectionType Optional[string] `json:"pageSectionType,omitzero"`
	// One of: global, page.
	Placement string `json:"placement"`
	// Lists go by it, the lowest first. Default 0
	SortID    Optional[int64]  `json:"sortId,omitzero"`
	Title     Optional[string] `json:"title,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type CreateTokenClaimBody struct {
	ClaimAndStake        Optional[bool]   `json:"claimAndStake,omitzero"`
	ClaimContractAddress Optional[string] `json:"claimContractAddress,omitzero"`
	// A contract of type erc20
	ContractID string `json:"contractId"`
	// Rows of walletAddress,amount
	CSVURL  Optional[string]    `json:"csvUrl,omitzero"`
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// Default 18
	Erc20Decimals Optional[int64] `json:"erc20Decimals,omitzero"`
	// Codes of countries, ISO 3166 alpha-2
	GeoBlock Optional[[]string] `json:"geoBlock,omitzero"`
	// Default true
	IsDraft                Optional[bool]    `json:"isDraft,omitzero"`
	IsStakingOptional      Optional[bool]    `json:"isStakingOptional,omitzero"`
	MaxBonus               Optional[Decimal] `json:"maxBonus,omitzero"`
	MinLockup              Optional[Decimal] `json:"minLockup,omitzero"`
	MinLockupForMultiplier Optional[Decimal] `json:"minLockupForMultiplier,omitzero"`
	// 0 to 100
	MinPercentageToStake Optional[Decimal] `json:"minPercentageToStake,omitzero"`
	// Default 1
	Multiplier             Optional[Decimal] `json:"multiplier,omitzero"`
	Name                   string            `json:"name"`
	OrganizationID         Optional[string]  `json:"organizationId,omitzero"`
	RelayerID              Optional[string]  `json:"relayerId,omitzero"`
	StakingContractAddress Optional[string]  `json:"stakingContractAddress,omitzero"`
	// One of: linear, timelock.
	StakingContractType Optional[string]    `json:"stakingContractType,omitzero"`
	StartTime           Optional[time.Time] `json:"startTime,omitzero"`
	WebsiteID           Optional[string]    `json:"websiteId,omitzero"`
}

type CreateWebsiteInputBody struct {
	// Wallets that administer the website
	AdminWalletAddress    Optional[[]string] `json:"adminWalletAddress,omitzero"`
	ChatServerURL         Optional[string]   `json:"chatServerUrl,omitzero"`
	HomeURL               Optional[string]   `json:"homeUrl,omitzero"`
	MessengerURL          Optional[string]   `json:"messengerUrl,omitzero"`
	MicroblogUsername     Optional[string]   `json:"microblogUsername,omitzero"`
	Name                  string             `json:"name"`
	OrganizationID        Optional[string]   `json:"organizationId,omitzero"`
	PhotoPlatformUsername Optional[string]   `json:"photoPlatformUsername,omitzero"`
	// true: client keys name users without a member token
	TrustClientUsers Optional[bool] `json:"trustClientUsers,omitzero"`
}

type CreatedAsset struct {
	ID        string  `json:"id"`
	SignedURL *string `json:"signedUrl"`
	URL       string  `json:"url"`
}

type Currency struct {
	APIAuthKey                *string    `json:"apiAuthKey"`
	APIAuthType               *string    `json:"apiAuthType"`
	APIAuthValue              *string    `json:"apiAuthValue"`
	APIGetTransactionEntryURL *string    `json:"apiGetTransactionEntryUrl"`
	APIGetURL                 *string    `json:"apiGetUrl"`
	APIPostURL                *string    `json:"apiPostUrl"`
	CreatedAt                 time.Time  `json:"createdAt"`
	CreatedByID               *string    `json:"createdById"`
	Decimals                  int64      `json:"decimals"`
	DeletedAt                 *time.Time `json:"deletedAt"`
	ID                        string     `json:"id"`
	ImageURL                  *string    `json:"imageUrl"`
	IsTokenRewardCurrency     bool       `json:"isTokenRewardCurrency"`
	Name                      string     `json:"name"`
	OrganizationID            string     `json:"organizationId"`
	PointsExpireAfterDays     *int64     `json:"pointsExpireAfterDays"`
	PointsWaitHours           *int64     `json:"pointsWaitHours"`
	SortID                    *int64     `json:"sortId"`
	Symbol                    string     `json:"symbol"`
	UpdatedAt                 time.Time  `json:"updatedAt"`
	WebsiteID                 string     `json:"websiteId"`
}

type DataCodeSent struct {
	Data CodeSent `json:"data"`
}

type DataConnectedAccount struct {
	Data ConnectedAccount `json:"data"`
}

type DataDisconnected struct {
	Data Disconnected `json:"data"`
}

type DelegateBody struct {
	// The cold wallet, which signs
	DelegatorWalletAddress string           `json:"delegatorWalletAddress"`
	Message                Optional[string] `json:"message,omitzero"`
	OrganizationID         Optional[string] `json:"organizationId,omitzero"`
	// Client keys need it
	Signature     Optional[string] `json:"signature,omitzero"`
	UserID        Optional[string] `json:"userId,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	// Of the cold wallet; by default that which its address has by its form. One of: agw, cosmos, evm,
	// flow_cadence, imx, solana, substrate, sui, ton.
	WalletType Optional[string] `json:"walletType,omitzero"`
	WebsiteID  Optional[string] `json:"websiteId,omitzero"`
}

type Delegation struct {
	CreatedAt              time.Time `json:"createdAt"`
	DelegatorWalletAddress string    `json:"delegatorWalletAddress"`
	ID                     string    `json:"id"`
	OrganizationID         string    `json:"organizationId"`
	UserID                 string    `json:"userId"`
	WebsiteID              string    `json:"websiteId"`
}

type Delegator struct {
	WalletAddress string `json:"walletAddress"`
}

type DeleteAttributeInputBody struct {
	ID             string           `json:"id"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type DeleteNamedMultiplierInputBody struct {
	ExternalIdentifier Optional[string] `json:"externalIdentifier,omitzero"`
	OrganizationID     Optional[string] `json:"organizationId,omitzero"`
	WebsiteID          Optional[string] `json:"websiteId,omitzero"`
}

type DeletedBody struct {
	DeletedAt time.Time `json:"deletedAt"`
	ID        string    `json:"id"`
}

type Device struct {
	CreatedAt        time.Time `json:"createdAt"`
	DeviceIdentifier *string   `json:"deviceIdentifier"`
	ID               string    `json:"id"`
	IPAddress        string    `json:"ipAddress"`
	OrganizationID   string    `json:"organizationId"`
	// One of: api.
	Source    string `json:"source"`
	UserID    string `json:"userId"`
	WebsiteID string `json:"websiteId"`
}

type DeviceBody struct {
	DeviceIdentifier Optional[string] `json:"deviceIdentifier,omitzero"`
	IPAddress        string           `json:"ipAddress"`
	OrganizationID   Optional[string] `json:"organizationId,omitzero"`
	UserID           Optional[string] `json:"userId,omitzero"`
	WalletAddress    Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID        Optional[string] `json:"websiteId,omitzero"`
}

type DisconnectInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	UserID         Optional[string] `json:"userId,omitzero"`
	WalletAddress  Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type DisconnectPhoneInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	UserID         Optional[string] `json:"userId,omitzero"`
	WalletAddress  Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type Disconnected struct {
	Message string `json:"message"`
}

type DiscoveryInput struct {
	ButtonText    Optional[string] `json:"buttonText,omitzero"`
	Description   Optional[string] `json:"description,omitzero"`
	ExternalLink  Optional[string] `json:"externalLink,omitzero"`
	HideQuestInfo Optional[bool]   `json:"hideQuestInfo,omitzero"`
	// The id of an existing part; ignored on creation
	ID Optional[string] `json:"id,omitzero"`
	// One of: container_style, full_width_hero.
	Layout             Optional[string] `json:"layout,omitzero"`
	LoyaltyRuleGroupID Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	MediaLink          Optional[string] `json:"mediaLink,omitzero"`
	Microblog          Optional[string] `json:"microblog,omitzero"`
	PageMediaLink      Optional[string] `json:"pageMediaLink,omitzero"`
	// Default: its place in the list, from 0
	SortID  Optional[int64]  `json:"sortId,omitzero"`
	Title   Optional[string] `json:"title,omitzero"`
	Website Optional[string] `json:"website,omitzero"`
}

type DiscoveryItem struct {
	ButtonText         *string        `json:"buttonText"`
	Description        *string        `json:"description"`
	ExternalLink       *string        `json:"externalLink"`
	HideQuestInfo      bool           `json:"hideQuestInfo"`
	ID                 string         `json:"id"`
	Layout             *string        `json:"layout"`
	LoyaltyRuleGroupID *string        `json:"loyaltyRuleGroupId"`
	LoyaltySection     *LoyaltyHeader `json:"loyaltySection"`
	MediaLink          *string        `json:"mediaLink"`
	Microblog          *string        `json:"microblog"`
	PageMediaLink      *string        `json:"pageMediaLink"`
	SortID             int64          `json:"sortId"`
	Title              *string        `json:"title"`
	Website            *string        `json:"website"`
}

type DomainStruct struct {
	LengthBytes Optional[int64] `json:"lengthBytes,omitzero"`
	Value       string          `json:"value"`
}

type EnableInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default true
	Replay    Optional[bool]   `json:"replay,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type Entry struct {
	Amount    Decimal   `json:"amount"`
	CreatedAt time.Time `json:"createdAt"`
	// One of: credit, debit.
	Direction                 string           `json:"direction"`
	ID                        string           `json:"id"`
	IdempotencyKey            *string          `json:"idempotencyKey"`
	LoyaltyAccount            EntryAccount     `json:"loyaltyAccount"`
	LoyaltyAccountEndAmount   *Decimal         `json:"loyaltyAccountEndAmount"`
	LoyaltyAccountID          string           `json:"loyaltyAccountId"`
	LoyaltyAccountLockVersion *int64           `json:"loyaltyAccountLockVersion"`
	LoyaltyAccountStartAmount *Decimal         `json:"loyaltyAccountStartAmount"`
	LoyaltyCurrencyID         string           `json:"loyaltyCurrencyId"`
	LoyaltyTransaction        EntryTransaction `json:"loyaltyTransaction"`
	LoyaltyTransactionID      string           `json:"loyaltyTransactionId"`
	Metadata                  map[string]any   `json:"metadata"`
	OrganizationID            string           `json:"organizationId"`
	// One of: auction_bid, direct_mint, loyalty_rule, api_key, order.
	Type      string    `json:"type"`
	UpdatedAt time.Time `json:"updatedAt"`
	WebsiteID string    `json:"websiteId"`
}

type EntryAccount struct {
	ID   string     `json:"id"`
	User *ShortUser `json:"user"`
}

type EntryGroupItem struct {
	LoyaltyRuleGroupID string `json:"loyaltyRuleGroupId"`
}

type EntryRule struct {
	Description          string          `json:"description"`
	ID                   string          `json:"id"`
	LoyaltyRuleGroupItem *EntryGroupItem `json:"loyaltyRuleGroupItem"`
	Metadata             map[string]any  `json:"metadata"`
	Name                 string          `json:"name"`
	Type                 string          `json:"type"`
}

type EntryTransaction struct {
	Description string     `json:"description"`
	ID          string     `json:"id"`
	LoyaltyRule *EntryRule `json:"loyaltyRule"`
	Type        string     `json:"type"`
}

type Event struct {
	Attempts    int64          `json:"attempts"`
	Callback    *Callback      `json:"callback"`
	Event       *ContractEvent `json:"event"`
	FunctionRun *EventRun      `json:"functionRun"`
	// Present if the subscription has several functions
	FunctionRuns  []EventRun `json:"functionRuns"`
	ID            string     `json:"id"`
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// The whole body of v2
	Payload map[string]any `json:"payload"`
	// One of: pending, delivered, failed, skipped, held.
	Status      string    `json:"status"`
	Table       *string   `json:"table"`
	TriggeredAt time.Time `json:"triggeredAt"`
	Type        string    `json:"type"`
}

type EventRun struct {
	// The function; null of a rule that decides by itself
	ID *string `json:"id"`
	// The rule that decides on the event; absent of a function that the subscription names itself
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	Output        any     `json:"output"`
	RunID         *string `json:"runId"`
	// One of: pending, succeeded, failed.
	Status string `json:"status"`
}

type Expiring struct {
	Amount    Decimal   `json:"amount"`
	ExpiresAt time.Time `json:"expiresAt"`
}

type ExternalEntry struct {
	// As the external ledger receives it: an exact decimal
	Amount string `json:"amount"`
	// One of: credit, debit.
	Direction     string `json:"direction"`
	WalletAddress string `json:"walletAddress"`
}

type ExternalPost struct {
	Attempts   int64           `json:"attempts"`
	CreatedAt  time.Time       `json:"createdAt"`
	Entries    []ExternalEntry `json:"entries"`
	FinishedAt *time.Time      `json:"finishedAt"`
	// The idempotencyKey that the external ledger receives
	ID string `json:"id"`
	// A call may have arrived although its response did not
	InDoubt bool `json:"inDoubt"`
	// One of: transaction, completion.
	Kind                 string  `json:"kind"`
	LoyaltyCurrencyID    string  `json:"loyaltyCurrencyId"`
	LoyaltyTransactionID *string `json:"loyaltyTransactionId"`
	// Why it was refused, or why the last call failed
	Message        *string    `json:"message"`
	NextAttemptAt  *time.Time `json:"nextAttemptAt"`
	OrganizationID string     `json:"organizationId"`
	// One of: open, done, refused, cancelled.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	WebsiteID string    `json:"websiteId"`
}

type Function struct {
	Code           string     `json:"code"`
	CreatedAt      time.Time  `json:"createdAt"`
	Cron           *string    `json:"cron"`
	DeletedAt      *time.Time `json:"deletedAt"`
	Disabled       bool       `json:"disabled"`
	ID             string     `json:"id"`
	Name           string     `json:"name"`
	OrganizationID string     `json:"organizationId"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	// From 1; each change of the code raises it
	Version   int64  `json:"version"`
	WebsiteID string `json:"websiteId"`
}

type FunctionRun struct {
	CreatedAt  time.Time `json:"createdAt"`
	DurationMs int64     `json:"durationMs"`
	// Why it failed
	Error      *string `json:"error"`
	FunctionID string  `json:"functionId"`
	ID         string  `json:"id"`
	// The output of console.log, at most 64 KiB
	Logs []string `json:"logs"`
	// The value that was passed to setResult; null without one
	Output any `json:"output"`
	// The same as id
	RunID string `json:"runId"`
	// One of: running, succeeded, failed.
	Status string `json:"status"`
	// One of: subscription, cron, invoke, rule.
	Trigger string `json:"trigger"`
	// The version of the code that ran
	Version int64 `json:"version"`
}

type GatingBadge struct {
	ID       string `json:"id"`
	ImageURL string `json:"imageUrl"`
	Name     string `json:"name"`
}

type GatingBadgeItem struct {
	LoyaltyBadge GatingBadge `json:"loyaltyBadge"`
}

type GatingCollection struct {
	Address string `json:"address"`
	Network string `json:"network"`
}

type GetPageSectionsResponse struct {
	Banner          *SectionBanner    `json:"banner"`
	CreatedAt       *time.Time        `json:"createdAt"`
	Data            []PageSection     `json:"data"`
	DeletedAt       *time.Time        `json:"deletedAt"`
	DiscoveryItems  []DiscoveryItem   `json:"discoveryItems"`
	DurationEnd     *time.Time        `json:"durationEnd"`
	DurationStart   *time.Time        `json:"durationStart"`
	HasNextPage     bool              `json:"hasNextPage"`
	ID              *string           `json:"id"`
	ItemsGrids      []ShownCollection `json:"itemsGrids"`
	OrganizationID  *string           `json:"organizationId"`
	PageID          *string           `json:"pageId"`
	PageSectionType *string           `json:"pageSectionType"`
	Placement       *string           `json:"placement"`
	SortID          *int64            `json:"sortId"`
	Title           *string           `json:"title"`
	UpdatedAt       *time.Time        `json:"updatedAt"`
	WebsiteID       *string           `json:"websiteId"`
}

type GiveMultiplierBody struct {
	Description Optional[string] `json:"description,omitzero"`
	// Names one live multiplier of the website
	ExternalIdentifier Optional[string] `json:"externalIdentifier,omitzero"`
	// Empty or absent: all currencies
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	Multiplier         Decimal            `json:"multiplier"`
	OrganizationID     Optional[string]   `json:"organizationId,omitzero"`
	Title              Optional[string]   `json:"title,omitzero"`
	UserID             Optional[string]   `json:"userId,omitzero"`
	WalletAddress      Optional[string]   `json:"walletAddress,omitzero"`
	WebsiteID          Optional[string]   `json:"websiteId,omitzero"`
}

type GivenBadge struct {
	Data    GivenBadgeUser `json:"data"`
	Message string         `json:"message"`
}

type GivenBadgeUser struct {
	ID             string `json:"id"`
	LoyaltyBadgeID string `json:"loyaltyBadgeId"`
	// One of: active, inactive, revoked.
	Status string `json:"status"`
	UserID string `json:"userId"`
}

type GivenBody struct {
	// The response is an earlier one, and the question takes no further
	AlreadySubmitted bool          `json:"alreadySubmitted"`
	IsCorrect        bool          `json:"isCorrect"`
	Response         GivenResponse `json:"response"`
}

type GivenResponse struct {
	ID                      string `json:"id"`
	LoyaltyQuestionChoiceID string `json:"loyaltyQuestionChoiceId"`
	LoyaltyQuestionID       string `json:"loyaltyQuestionId"`
	UserID                  string `json:"userId"`
}

type GroupItem struct {
	ID          string   `json:"id"`
	LoyaltyRule RuleBody `json:"loyaltyRule"`
	SortID      int64    `json:"sortId"`
}

type GroupName struct {
	ExternalIdentifier *string `json:"externalIdentifier"`
	ID                 string  `json:"id"`
}

type Hold struct {
	// The amount debited from the accounts that paid
	Amount Decimal `json:"amount"`
	// The captured part of amount; the rest went back
	CapturedAmount    Decimal   `json:"capturedAmount"`
	CreatedAt         time.Time `json:"createdAt"`
	Description       *string   `json:"description"`
	ExpiresAt         time.Time `json:"expiresAt"`
	ID                string    `json:"id"`
	LoyaltyCurrencyID string    `json:"loyaltyCurrencyId"`
	// The transaction that took the amount
	LoyaltyTransactionID string         `json:"loyaltyTransactionId"`
	Metadata             map[string]any `json:"metadata"`
	OrganizationID       string         `json:"organizationId"`
	// One of: held, captured, released, expired.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	UserID    string    `json:"userId"`
	WebsiteID string    `json:"websiteId"`
}

type IdBody struct {
	ID string `json:"id"`
}

type ImportMembersBody struct {
	// The url of a file that was uploaded for the website, in place of csvUrl
	AssetURL Optional[string] `json:"assetUrl,omitzero"`
	// The address of the file
	CSVURL Optional[string] `json:"csvUrl,omitzero"`
	// Of the opening balances. Default: the website's only currency
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	OrganizationID    Optional[string] `json:"organizationId,omitzero"`
	WebsiteID         Optional[string] `json:"websiteId,omitzero"`
}

type Input struct {
	Amount                    Optional[Decimal]  `json:"amount,omitzero"`
	CSVURL                    Optional[string]   `json:"csvUrl,omitzero"`
	Description               Optional[string]   `json:"description,omitzero"`
	LoyaltyBadgeIDs           Optional[[]string] `json:"loyaltyBadgeIds,omitzero"`
	LoyaltyCurrencyIDs        Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	LoyaltyLeaderboardViewIDs Optional[[]string] `json:"loyaltyLeaderboardViewIds,omitzero"`
	LoyaltyRuleGroupIDs       Optional[[]string] `json:"loyaltyRuleGroupIds,omitzero"`
	LoyaltyRuleID             Optional[string]   `json:"loyaltyRuleId,omitzero"`
	LoyaltyRuleIDs            Optional[[]string] `json:"loyaltyRuleIds,omitzero"`
	RepeatCount               Optional[int64]    `json:"repeatCount,omitzero"`
	RequiredCount             Optional[int64]    `json:"requiredCount,omitzero"`
	// One of: rule, rules, section, points, level, api, badge, badges, csv.
	Type string `json:"type"`
}

type InvokeFunctionBody struct {
	// Any value; the handler gets it as input.input
	Input          Optional[any]    `json:"input,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type InvokedFunction struct {
	Data FunctionRun `json:"data"`
}

type IssueTokenInputBody struct {
	// Default 3600
	ExpiresInSeconds Optional[int64]  `json:"expiresInSeconds,omitzero"`
	OrganizationID   Optional[string] `json:"organizationId,omitzero"`
	UserID           Optional[string] `json:"userId,omitzero"`
	WalletAddress    Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID        Optional[string] `json:"websiteId,omitzero"`
}

type Item struct {
	// Of an attribute that gets the label
	ID    Optional[string] `json:"id,omitzero"`
	Label string           `json:"label"`
}

type KeyOfTransaction struct {
	IdempotencyKey string `json:"idempotencyKey"`
}

type LabeledAttribute struct {
	ID                         string       `json:"id"`
	Label                      string       `json:"label"`
	WebsiteUserAttributeValues []ShortValue `json:"websiteUserAttributeValues"`
}

type Lack struct {
	Have Decimal `json:"have"`
	Need Decimal `json:"need"`
}

type LeaveGroupInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	UserID         string           `json:"userId"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type ListAccount struct {
	Data        []Account `json:"data"`
	HasNextPage bool      `json:"hasNextPage"`
}

type ListAllowEntry struct {
	Data        []AllowEntry `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListApiKey struct {
	Data        []ApiKey `json:"data"`
	HasNextPage bool     `json:"hasNextPage"`
}

type ListAsset struct {
	Data        []Asset `json:"data"`
	HasNextPage bool    `json:"hasNextPage"`
}

type ListAuction struct {
	Data        []Auction `json:"data"`
	HasNextPage bool      `json:"hasNextPage"`
}

type ListAuctionItem struct {
	Data        []AuctionItem `json:"data"`
	HasNextPage bool          `json:"hasNextPage"`
}

type ListBadge struct {
	Data        []Badge `json:"data"`
	HasNextPage bool    `json:"hasNextPage"`
}

type ListClaimUser struct {
	Data        []ClaimUser `json:"data"`
	HasNextPage bool        `json:"hasNextPage"`
}

type ListClearingJob struct {
	Data        []ClearingJob `json:"data"`
	HasNextPage bool          `json:"hasNextPage"`
}

type ListContract struct {
	Data        []Contract `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListContractsBody struct {
	Data        []MintingContract `json:"data"`
	HasNextPage bool              `json:"hasNextPage"`
	Stats       []ContractStats   `json:"stats"`
}

type ListCurrency struct {
	Data        []Currency `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListDelegation struct {
	Data        []Delegation `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListDevice struct {
	Data        []Device `json:"data"`
	HasNextPage bool     `json:"hasNextPage"`
}

type ListEntry struct {
	Data        []Entry `json:"data"`
	HasNextPage bool    `json:"hasNextPage"`
}

type ListEvent struct {
	Data        []Event `json:"data"`
	HasNextPage bool    `json:"hasNextPage"`
}

type ListExpiring struct {
	Data        []Expiring `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListExternalPost struct {
	Data        []ExternalPost `json:"data"`
	HasNextPage bool           `json:"hasNextPage"`
}

type ListFunction struct {
	Data        []Function `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListFunctionRun struct {
	Data        []FunctionRun `json:"data"`
	HasNextPage bool          `json:"hasNextPage"`
}

type ListHold struct {
	Data        []Hold `json:"data"`
	HasNextPage bool   `json:"hasNextPage"`
}

type ListListedBadgeUser struct {
	Data        []ListedBadgeUser `json:"data"`
	HasNextPage bool              `json:"hasNextPage"`
}

type ListLot struct {
	Data        []Lot `json:"data"`
	HasNextPage bool  `json:"hasNextPage"`
}

type ListMemberImport struct {
	Data        []MemberImport `json:"data"`
	HasNextPage bool           `json:"hasNextPage"`
}

type ListMetadata struct {
	Data        []Metadata `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListMintStatus struct {
	Data        []MintStatus `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListMintingAsset struct {
	Data        []MintingAsset `json:"data"`
	HasNextPage bool           `json:"hasNextPage"`
}

type ListMultiplier struct {
	Data        []Multiplier `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListPayout struct {
	Data        []Payout `json:"data"`
	HasNextPage bool     `json:"hasNextPage"`
}

type ListProcessingView struct {
	Data        []ProcessingView `json:"data"`
	HasNextPage bool             `json:"hasNextPage"`
}

type ListQuestion struct {
	Data        []Question `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListQuestionResponse struct {
	Data        []QuestionResponse `json:"data"`
	HasNextPage bool               `json:"hasNextPage"`
}

type ListReferralItem struct {
	Data        []ReferralItem `json:"data"`
	HasNextPage bool           `json:"hasNextPage"`
}

type ListReplayBody struct {
	Data        []ReplayBody `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListRuleBody struct {
	Data        []RuleBody `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListRuleChain struct {
	Data        []RuleChain `json:"data"`
	HasNextPage bool        `json:"hasNextPage"`
}

type ListRuleEdit struct {
	Data        []RuleEdit `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListRuleGroup struct {
	Data        []RuleGroup `json:"data"`
	HasNextPage bool        `json:"hasNextPage"`
}

type ListRuleImport struct {
	Data        []RuleImport `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListRuleRun struct {
	Data        []RuleRun `json:"data"`
	HasNextPage bool      `json:"hasNextPage"`
}

type ListRuleStatus struct {
	Data        []RuleStatus `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListSubscription struct {
	Data        []Subscription `json:"data"`
	HasNextPage bool           `json:"hasNextPage"`
}

type ListTokenClaim struct {
	Data        []TokenClaim `json:"data"`
	HasNextPage bool         `json:"hasNextPage"`
}

type ListUser struct {
	Data        []User `json:"data"`
	HasNextPage bool   `json:"hasNextPage"`
}

type ListUserAttribute struct {
	Data        []UserAttribute `json:"data"`
	HasNextPage bool            `json:"hasNextPage"`
}

type ListUserAttributeValue struct {
	Data        []UserAttributeValue `json:"data"`
	HasNextPage bool                 `json:"hasNextPage"`
}

type ListUserRole struct {
	Data        []UserRole `json:"data"`
	HasNextPage bool       `json:"hasNextPage"`
}

type ListWebsite struct {
	Data        []Website `json:"data"`
	HasNextPage bool      `json:"hasNextPage"`
}

type ListWebsiteCollection struct {
	Data        []WebsiteCollection `json:"data"`
	HasNextPage bool                `json:"hasNextPage"`
}

type ListWebsitePageSection struct {
	Data        []WebsitePageSection `json:"data"`
	HasNextPage bool                 `json:"hasNextPage"`
}

type ListedBadgeUser struct {
	// Left out until granted
	CompletedAt    *time.Time      `json:"completedAt"`
	CreatedAt      time.Time       `json:"createdAt"`
	DeletedAt      *time.Time      `json:"deletedAt"`
	DismissedInUI  bool            `json:"dismissedInUi"`
	HideInUI       bool            `json:"hideInUi"`
	ID             string          `json:"id"`
	LoyaltyBadgeID string          `json:"loyaltyBadgeId"`
	OrganizationID string          `json:"organizationId"`
	Progress       []BadgeProgress `json:"progress"`
	// One of: active, inactive, revoked.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	User      ShortUser `json:"user"`
	UserID    string    `json:"userId"`
	WebsiteID string    `json:"websiteId"`
}

type Lot struct {
	Amount    Decimal   `json:"amount"`
	CreatedAt time.Time `json:"createdAt"`
	// When it was spent, expired, cancelled or closed
	EndedAt   *time.Time `json:"endedAt"`
	ExpiresAt *time.Time `json:"expiresAt"`
	// The debit by which it expired
	ExpiryEntryID     *string `json:"expiryEntryId"`
	ID                string  `json:"id"`
	LoyaltyAccountID  string  `json:"loyaltyAccountId"`
	LoyaltyCurrencyID string  `json:"loyaltyCurrencyId"`
	// The rule that paid the points; null if no rule did
	LoyaltyRuleID *string `json:"loyaltyRuleId"`
	// The entry that credited the points; null while they are held, and for points from before points
	// expired
	LoyaltyTransactionEntryID *string `json:"loyaltyTransactionEntryId"`
	// The transaction that credited the points, or granted held ones; null for points from before points
	// expired
	LoyaltyTransactionID *string `json:"loyaltyTransactionId"`
	OrganizationID       string  `json:"organizationId"`
	// The reason of a cancellation
	Reason *string `json:"reason"`
	// The remaining points of an open lot, or all points of a pending lot
	Remaining Decimal `json:"remaining"`
	// One of: pending, released, cancelled, open, spent, expired, closed.
	State      string     `json:"state"`
	UserID     string     `json:"userId"`
	WaitsUntil *time.Time `json:"waitsUntil"`
	WebsiteID  string     `json:"websiteId"`
}

type LoyaltyHeader struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type MemberImport struct {
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
	// How far it is, what was imported, or which rows are bad
	Message *string `json:"message"`
	// One of: pending, processing, complete, failed, cancelled.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
}

type Metadata struct {
	Bio                      *string    `json:"bio"`
	BlockStatusReason        *string    `json:"blockStatusReason"`
	ChatServerUser           *string    `json:"chatServerUser"`
	ChatServerUserID         *string    `json:"chatServerUserId"`
	ChatServerVerifiedAt     *time.Time `json:"chatServerVerifiedAt"`
	CodeHostUser             *string    `json:"codeHostUser"`
	CodeHostUserID           *string    `json:"codeHostUserId"`
	CodeHostVerifiedAt       *time.Time `json:"codeHostVerifiedAt"`
	CreatedAt                time.Time  `json:"createdAt"`
	DisplayName              *string    `json:"displayName"`
	EmailAddress             *string    `json:"emailAddress"`
	EmailVerifiedAt          *time.Time `json:"emailVerifiedAt"`
	ExternalIdentifier       *string    `json:"externalIdentifier"`
	ExternalLoyaltyScore     *string    `json:"externalLoyaltyScore"`
	ForumPlatformUser        *string    `json:"forumPlatformUser"`
	ForumPlatformUserID      *string    `json:"forumPlatformUserId"`
	ForumPlatformVerifiedAt  *time.Time `json:"forumPlatformVerifiedAt"`
	GameLauncherAccountID    *string    `json:"gameLauncherAccountId"`
	GameLauncherUsername     *string    `json:"gameLauncherUsername"`
	GameLauncherVerifiedAt   *time.Time `json:"gameLauncherVerifiedAt"`
	GameStoreUserID          *string    `json:"gameStoreUserId"`
	GameStoreUsername        *string    `json:"gameStoreUsername"`
	GameStoreVerifiedAt      *time.Time `json:"gameStoreVerifiedAt"`
	ID                       string     `json:"id"`
	InternalNotes            *string    `json:"internalNotes"`
	IsBlockExempt            bool       `json:"isBlockExempt"`
	IsBlocked                bool       `json:"isBlocked"`
	LiveStreamUser           *string    `json:"liveStreamUser"`
	LiveStreamUserID         *string    `json:"liveStreamUserId"`
	LiveStreamVerifiedAt     *time.Time `json:"liveStreamVerifiedAt"`
	Location                 *string    `json:"location"`
	LogoURL                  *string    `json:"logoUrl"`
	MessengerUserID          *string    `json:"messengerUserId"`
	MessengerUsername        *string    `json:"messengerUsername"`
	MessengerVerifiedAt      *time.Time `json:"messengerVerifiedAt"`
	Meta                     *string    `json:"meta"`
	MicroblogFollowersCount  *int64     `json:"microblogFollowersCount"`
	MicroblogUser            *string    `json:"microblogUser"`
	MicroblogUserID          *string    `json:"microblogUserId"`
	MicroblogVerifiedAccount bool       `json:"microblogVerifiedAccount"`
	MicroblogVerifiedAt      *time.Time `json:"microblogVerifiedAt"`
	OrganizationID           string     `json:"organizationId"`
	PhoneNumber              *string    `json:"phoneNumber"`
	PhoneVerifiedAt          *time.Time `json:"phoneVerifiedAt"`
	PhotoPlatformUser        *string    `json:"photoPlatformUser"`
	PhotoPlatformVerifiedAt  *time.Time `json:"photoPlatformVerifiedAt"`
	PortfolioURL             *string    `json:"portfolioUrl"`
	ShortVideoUser           *string    `json:"shortVideoUser"`
	ShortVideoUserID         *string    `json:"shortVideoUserId"`
	ShortVideoVerifiedAt     *time.Time `json:"shortVideoVerifiedAt"`
	SybilScore               *float64   `json:"sybilScore"`
	UpdatedAt                time.Time  `json:"updatedAt"`
	User                     UserName   `json:"user"`
	UserGroup                *GroupName `json:"userGroup"`
	UserGroupID              *string    `json:"userGroupId"`
	UserID                   string     `json:"userId"`
	VerifiedLocallyAt        *time.Time `json:"verifiedLocallyAt"`
	VideoPlatformChannelID   *string    `json:"videoPlatformChannelId"`
	VideoPlatformVerifiedAt  *time.Time `json:"videoPlatformVerifiedAt"`
	WalletGroupIdentifier    *string    `json:"walletGroupIdentifier"`
	WebAccountUser           *string    `json:"webAccountUser"`
	WebAccountUserID         *string    `json:"webAccountUserId"`
	WebAccountVerifiedAt     *time.Time `json:"webAccountVerifiedAt"`
	WebsiteID                string     `json:"websiteId"`
}

type Milestone struct {
	StreakAmount    Decimal `json:"streakAmount"`
	StreakMilestone Decimal `json:"streakMilestone"`
}

type MintBody struct {
	// Recorded
	AgreedToSendW9   Optional[bool]   `json:"agreedToSendW9,omitzero"`
	AssetID          string           `json:"assetId"`
	ContractID       string           `json:"contractId"`
	CustomInputValue Optional[string] `json:"customInputValue,omitzero"`
	EmailAddress     Optional[string] `json:"emailAddress,omitzero"`
	OrganizationID   Optional[string] `json:"organizationId,omitzero"`
	Quantity         Optional[int64]  `json:"quantity,omitzero"`
	ShippingID       Optional[string] `json:"shippingId,omitzero"`
	// Recorded
	ShippingOrderType Optional[string] `json:"shippingOrderType,omitzero"`
	UserID            Optional[string] `json:"userId,omitzero"`
	WalletAddress     Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID         Optional[string] `json:"websiteId,omitzero"`
}

type MintOutputBody struct {
	MintingContractAssetMintStatusID string `json:"mintingContractAssetMintStatusId"`
}

type MintStatus struct {
	CreatedAt        time.Time `json:"createdAt"`
	CustomInputValue *string   `json:"customInputValue"`
	// null for read-only and client keys
	EmailAddress           *string `json:"emailAddress"`
	ErrorCode              *int64  `json:"errorCode"`
	ErrorMessage           *string `json:"errorMessage"`
	ID                     string  `json:"id"`
	MintingContractAssetID string  `json:"mintingContractAssetId"`
	MintingContractID      string  `json:"mintingContractId"`
	// The price of all items
	Price       *Decimal `json:"price"`
	Quantity    int64    `json:"quantity"`
	RelayerTxID *string  `json:"relayerTxId"`
	ShippingID  *string  `json:"shippingId"`
	// As the minting driver returned it
	Signature any `json:"signature"`
	// One of: generatingSignature, minting, minted, failed.
	Status        string    `json:"status"`
	TxHash        *string   `json:"txHash"`
	Unpaid        *Unpaid   `json:"unpaid"`
	UpdatedAt     time.Time `json:"updatedAt"`
	UserID        string    `json:"userId"`
	WalletAddress *string   `json:"walletAddress"`
}

type MintingAsset struct {
	AnimationURL      *string         `json:"animationUrl"`
	AssetNr           int64           `json:"assetNr"`
	AuctionItems      []AuctionedItem `json:"auctionItems"`
	CollectInfoType   *string         `json:"collectInfoType"`
	CreatedAt         time.Time       `json:"createdAt"`
	CurrencyAddress   *string         `json:"currencyAddress"`
	CurrencyDecimals  *int64          `json:"currencyDecimals"`
	DeletedAt         *time.Time      `json:"deletedAt"`
	Description       *string         `json:"description"`
	ID                string          `json:"id"`
	ImageURL          *string         `json:"imageUrl"`
	IsAllowlisted     bool            `json:"isAllowlisted"`
	IsHidden          bool            `json:"isHidden"`
	IsListed          bool            `json:"isListed"`
	IsPhygitalItem    bool            `json:"isPhygitalItem"`
	ListingEndsAt     *time.Time      `json:"listingEndsAt"`
	ListingStartsAt   *time.Time      `json:"listingStartsAt"`
	LoyaltyCurrencyID *string         `json:"loyaltyCurrencyId"`
	// With includeMetadata=true, if it has any
	Metadata          map[string]any `json:"metadata"`
	MintingContractID string         `json:"mintingContractId"`
	Name              string         `json:"name"`
	OrganizationID    string         `json:"organizationId"`
	// The price of one item
	Price                 Decimal    `json:"price"`
	Quantity              int64      `json:"quantity"`
	QuantityMinted        int64      `json:"quantityMinted"`
	RevealedAt            *time.Time `json:"revealedAt"`
	ShouldCollectUserInfo bool       `json:"shouldCollectUserInfo"`
	TokenID               *int64     `json:"tokenId"`
	UnlimitedQty          bool       `json:"unlimitedQty"`
	UpdatedAt             time.Time  `json:"updatedAt"`
	WebsiteID             string     `json:"websiteId"`
}

type MintingContract struct {
	Address *string `json:"address"`
	// One of: ONCHAIN, OFFCHAIN.
	ContractKind               string     `json:"contractKind"`
	CreatedAt                  time.Time  `json:"createdAt"`
	DeletedAt                  *time.Time `json:"deletedAt"`
	Description                *string    `json:"description"`
	EnableGasless              bool       `json:"enableGasless"`
	ExternalLinkURL            *string    `json:"externalLinkUrl"`
	HasRevealMechanic          bool       `json:"hasRevealMechanic"`
	HideInactiveListings       bool       `json:"hideInactiveListings"`
	ID                         string     `json:"id"`
	ImageURL                   *string    `json:"imageUrl"`
	IsFreeClaimForBadgeHolders bool       `json:"isFreeClaimForBadgeHolders"`
	IsFreeClaimForTokenHolders bool       `json:"isFreeClaimForTokenHolders"`
	IsListed                   bool       `json:"isListed"`
	IsPerAssetMintLimit        bool       `json:"isPerAssetMintLimit"`
	IsSoulbound                bool       `json:"isSoulbound"`
	// The newest 100 that are not hidden
	MintingContractAssets           []MintingAsset     `json:"mintingContractAssets"`
	MintingContractBadgeAssociation []GatingBadgeItem  `json:"mintingContractBadgeAssociation"`
	MustOwnCollections              []GatingCollection `json:"mustOwnCollections"`
	Name                            string             `json:"name"`
	Network                         *string            `json:"network"`
	OrganizationID                  string             `json:"organizationId"`
	// 0: no limit
	PerUserMintLimit            int64      `json:"perUserMintLimit"`
	PreRevealMedia              *string    `json:"preRevealMedia"`
	PrimarySaleRecipientAddress string     `json:"primarySaleRecipientAddress"`
	RelayerID                   *string    `json:"relayerId"`
	RequireHoldingAllGatedItems bool       `json:"requireHoldingAllGatedItems"`
	RevealAvailableAt           *time.Time `json:"revealAvailableAt"`
	// Percent
	RoyaltyFee         Decimal `json:"royaltyFee"`
	RoyaltyFeeAddress  string  `json:"royaltyFeeAddress"`
	ShouldCollectEmail bool    `json:"shouldCollectEmail"`
	ShowOnMarketplace  bool    `json:"showOnMarketplace"`
	SortID             *int64  `json:"sortId"`
	Symbol             string  `json:"symbol"`
	// One of: erc721, erc1155, erc721c.
	TokenType string `json:"tokenType"`
	// Live ones
	TotalAssets         int64     `json:"totalAssets"`
	UpdatedAt           time.Time `json:"updatedAt"`
	WebsiteCollectionID *string   `json:"websiteCollectionId"`
	WebsiteID           string    `json:"websiteId"`
}

type Missing struct {
	CapLeft    *Decimal   `json:"capLeft"`
	Characters *Lack      `json:"characters"`
	Conditions []State    `json:"conditions"`
	Fields     *Lack      `json:"fields"`
	Followers  *Lack      `json:"followers"`
	OpensAt    *time.Time `json:"opensAt"`
	Progress   *Lack      `json:"progress"`
	Required   *Lack      `json:"required"`
	Value      *Lack      `json:"value"`
}

type MoveAccountInputBody struct {
	// Of the refusal MAXIMUM_ACCOUNT_LINKED
	AccountLinkData string           `json:"accountLinkData"`
	OrganizationID  Optional[string] `json:"organizationId,omitzero"`
	UserID          Optional[string] `json:"userId,omitzero"`
	WalletAddress   Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID       Optional[string] `json:"websiteId,omitzero"`
}

type Multiplier struct {
	CreatedAt          time.Time  `json:"createdAt"`
	DeletedAt          *time.Time `json:"deletedAt"`
	Description        *string    `json:"description"`
	ExternalIdentifier *string    `json:"externalIdentifier"`
	ID                 string     `json:"id"`
	// The badge that granted it
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// Empty: all currencies
	LoyaltyCurrencyIDs []string `json:"loyaltyCurrencyIds"`
	// The rule that granted it
	LoyaltyRuleID  *string   `json:"loyaltyRuleId"`
	Multiplier     Decimal   `json:"multiplier"`
	OrganizationID string    `json:"organizationId"`
	Title          *string   `json:"title"`
	UpdatedAt      time.Time `json:"updatedAt"`
	User           ShortUser `json:"user"`
	UserID         string    `json:"userId"`
	WebsiteID      string    `json:"websiteId"`
}

type Named struct {
	Name string `json:"name"`
}

type NewAuctionItem struct {
	MintingContractAssetID string `json:"mintingContractAssetId"`
	// That its winner gets; default 1
	Quantity Optional[int64] `json:"quantity,omitzero"`
	// The best bidder wins the first; default: in the order in which items are added
	SortID Optional[int64] `json:"sortId,omitzero"`
}

type NewKey struct {
	AllowedOrigins []string   `json:"allowedOrigins"`
	CreatedAt      time.Time  `json:"createdAt"`
	ExpiresAt      *time.Time `json:"expiresAt"`
	ID             string     `json:"id"`
	// Shown once: only its hash is stored
	Key            *string    `json:"key"`
	LastUsedAt     *time.Time `json:"lastUsedAt"`
	Name           string     `json:"name"`
	OrganizationID string     `json:"organizationId"`
	Prefix         string     `json:"prefix"`
	RevokedAt      *time.Time `json:"revokedAt"`
	RoleType       string     `json:"roleType"`
	UserID         string     `json:"userId"`
	WebsiteID      *string    `json:"websiteId"`
}

type Outcome struct {
	// For POST /api/users/verify, which moves the account to this user
	AccountLinkData *string `json:"accountLinkData"`
	Error           *string `json:"error"`
	// To try again with
	JwtState *string `json:"jwtState"`
	Message  *string `json:"message"`
	Success  bool    `json:"success"`
}

type OwnAccount struct {
	Amount            Decimal       `json:"amount"`
	LoyaltyCurrencyID string        `json:"loyaltyCurrencyId"`
	Rank              *NumberOrText `json:"rank"`
}

type OwnGroup struct {
	ExternalIdentifier *string `json:"externalIdentifier"`
	ID                 string  `json:"id"`
	// In order of joining
	Users []ShortUser `json:"users"`
}

type PageSection struct {
	Banner          *SectionBanner    `json:"banner"`
	CreatedAt       time.Time         `json:"createdAt"`
	DeletedAt       *time.Time        `json:"deletedAt"`
	DiscoveryItems  []DiscoveryItem   `json:"discoveryItems"`
	DurationEnd     *time.Time        `json:"durationEnd"`
	DurationStart   time.Time         `json:"durationStart"`
	ID              string            `json:"id"`
	ItemsGrids      []ShownCollection `json:"itemsGrids"`
	OrganizationID  string            `json:"organizationId"`
	PageID          *string           `json:"pageId"`
	PageSectionType *string           `json:"pageSectionType"`
	Placement       string            `json:"placement"`
	SortID          int64             `json:"sortId"`
	Title           *string           `json:"title"`
	UpdatedAt       time.Time         `json:"updatedAt"`
	WebsiteID       string            `json:"websiteId"`
}

type Paid struct {
	Amount            *Decimal `json:"amount"`
	LoyaltyBadgeID    *string  `json:"loyaltyBadgeId"`
	LoyaltyCurrencyID *string  `json:"loyaltyCurrencyId"`
	Multiplier        *Decimal `json:"multiplier"`
	RewardType        string   `json:"rewardType"`
	// The points are held and not credited yet, as pointsWaitHours of the currency says
	Waiting *bool `json:"waiting"`
}

type Payout struct {
	Amount Decimal `json:"amount"`
	// Calls of the driver since the payout was created or retried
	Attempts   int64     `json:"attempts"`
	ContractID *string   `json:"contractId"`
	CreatedAt  time.Time `json:"createdAt"`
	// The idempotencyKey that the payout driver receives
	ID       string `json:"id"`
	IsNative bool   `json:"isNative"`
	// null if a rule granted the reward
	LoyaltyBadgeID *string `json:"loyaltyBadgeId"`
	// The hidden currency of the token
	LoyaltyCurrencyID string `json:"loyaltyCurrencyId"`
	// null if a badge granted the reward
	LoyaltyRuleID             *string `json:"loyaltyRuleId"`
	LoyaltyTransactionEntryID string  `json:"loyaltyTransactionEntryId"`
	// Why it failed, or why the last call failed
	Message        *string    `json:"message"`
	Network        *string    `json:"network"`
	NextAttemptAt  *time.Time `json:"nextAttemptAt"`
	OrganizationID string     `json:"organizationId"`
	// null if a badge granted the reward
	RelayerID *string `json:"relayerId"`
	// One of: waiting, sent, done, failed.
	Status string  `json:"status"`
	TxHash *string `json:"txHash"`
	// Moves with status and txHash
	UpdatedAt     time.Time `json:"updatedAt"`
	UserID        string    `json:"userId"`
	WalletAddress string    `json:"walletAddress"`
	WebsiteID     string    `json:"websiteId"`
}

type PlaceBidBody struct {
	Amount    Decimal `json:"amount"`
	AuctionID string  `json:"auctionId"`
	// Recorded
	AuctionItemID  Optional[string] `json:"auctionItemId,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	UserID         Optional[string] `json:"userId,omitzero"`
	WalletAddress  Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type PlatformInput struct {
	// Limits entries and accounts to the currencies of these main accounts
	MainLoyaltyAccountIDs Optional[[]string] `json:"mainLoyaltyAccountIds,omitzero"`
	TableNames            Optional[[]string] `json:"tableNames,omitzero"`
	TriggerID             Optional[string]   `json:"triggerId,omitzero"`
}

type PlatformSource struct {
	CreatedAt time.Time  `json:"createdAt"`
	DeletedAt *time.Time `json:"deletedAt"`
	ID        string     `json:"id"`
	Table     string     `json:"table"`
	UpdatedAt time.Time  `json:"updatedAt"`
}

type PostTransactionInputBody struct {
	Description string             `json:"description"`
	Entries     []TransactionEntry `json:"entries"`
	// The currency of entries without one
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	OrganizationID    Optional[string] `json:"organizationId,omitzero"`
	// Default api_key. One of: api_key, order.
	Type      Optional[string] `json:"type,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type PostedEntry struct {
	Amount            Decimal        `json:"amount"`
	Direction         string         `json:"direction"`
	ID                string         `json:"id"`
	IdempotencyKey    *string        `json:"idempotencyKey"`
	LoyaltyAccountID  string         `json:"loyaltyAccountId"`
	LoyaltyCurrencyID string         `json:"loyaltyCurrencyId"`
	Metadata          map[string]any `json:"metadata"`
	UserID            string         `json:"userId"`
	WalletAddress     *string        `json:"walletAddress"`
}

type ProcessingView struct {
	CreatedAt      time.Time  `json:"createdAt"`
	FulfilledAt    *time.Time `json:"fulfilledAt"`
	ID             string     `json:"id"`
	LoyaltyRuleID  string     `json:"loyaltyRuleId"`
	Message        string     `json:"message"`
	OrganizationID string     `json:"organizationId"`
	Progress       *Decimal   `json:"progress"`
	// Absent if there is only progress. One of: pending, processing, completed, failed.
	Status    *string   `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	UserID    string    `json:"userId"`
	WebsiteID string    `json:"websiteId"`
}

type Question struct {
	AllowMultipleAttempts  bool             `json:"allowMultipleAttempts"`
	CreatedAt              time.Time        `json:"createdAt"`
	ID                     string           `json:"id"`
	LoyaltyQuestionChoices []QuestionChoice `json:"loyaltyQuestionChoices"`
	LoyaltyRuleID          string           `json:"loyaltyRuleId"`
	OrganizationID         string           `json:"organizationId"`
	Text                   string           `json:"text"`
	UpdatedAt              time.Time        `json:"updatedAt"`
	WebsiteID              string           `json:"websiteId"`
}

type QuestionChoice struct {
	ID string `json:"id"`
	// As it was sent; without one the place in the list, from 0
	SortIdentifier NumberOrText `json:"sortIdentifier"`
	Text           string       `json:"text"`
}

type QuestionResponse struct {
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
	// Always true for polls
	IsCorrect               bool             `json:"isCorrect"`
	LoyaltyQuestionChoiceID string           `json:"loyaltyQuestionChoiceId"`
	LoyaltyQuestionID       string           `json:"loyaltyQuestionId"`
	Question                AnsweredQuestion `json:"question"`
	UserID                  string           `json:"userId"`
}

type Queued struct {
	Queued int64 `json:"queued"`
}

type RangeInputBody struct {
	From           Optional[time.Time] `json:"from,omitzero"`
	OrganizationID Optional[string]    `json:"organizationId,omitzero"`
	// One or many; none: every status
	Status    Optional[[]string]  `json:"status,omitzero"`
	To        Optional[time.Time] `json:"to,omitzero"`
	WebsiteID Optional[string]    `json:"websiteId,omitzero"`
}

type RankOutputBody struct {
	// null: the user has no amount. Ranks beyond 5000 are the text 5000+.
	Rank *NumberOrText `json:"rank"`
}

type RedeliverInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type RedemptionCode struct {
	Code             string     `json:"code"`
	CreatedAt        time.Time  `json:"createdAt"`
	ID               string     `json:"id"`
	RedeemedAt       *time.Time `json:"redeemedAt"`
	RedeemedByUserID *string    `json:"redeemedByUserId"`
}

type ReferUsersBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// In any case; this or referralCodeId
	ReferralCode   Optional[string] `json:"referralCode,omitzero"`
	ReferralCodeID Optional[string] `json:"referralCodeId,omitzero"`
	// The users who came by the code
	UserIDs   []string         `json:"userIds"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type ReferralCode struct {
	CreatedAt      time.Time  `json:"createdAt"`
	DeletedAt      *time.Time `json:"deletedAt"`
	ID             string     `json:"id"`
	LoyaltyRuleID  string     `json:"loyaltyRuleId"`
	OrganizationID string     `json:"organizationId"`
	ReferralCode   string     `json:"referralCode"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	UserID         string     `json:"userId"`
	WebsiteID      string     `json:"websiteId"`
}

type ReferralItem struct {
	// The amount that the referrer got for this referee, in the rule's currency
	Amount Decimal `json:"amount"`
	// The rule's requirements have held
	Eligible     bool                           `json:"eligible"`
	ID           string                         `json:"id"`
	ReferralCode ReferralItemReferralCodeStruct `json:"referralCode"`
	// The part of amount that is shares of the referee's earnings
	Tier1Amount Decimal `json:"tier1Amount"`
	// The part of amount that is shares of the earnings of users whom the referee referred
	Tier2Amount Decimal   `json:"tier2Amount"`
	User        ShortUser `json:"user"`
}

type ReferralItemReferralCodeStruct struct {
	CreatedAt     time.Time  `json:"createdAt"`
	DeletedAt     *time.Time `json:"deletedAt"`
	ID            string     `json:"id"`
	LoyaltyRuleID string     `json:"loyaltyRuleId"`
	ReferralCode  string     `json:"referralCode"`
	UpdatedAt     time.Time  `json:"updatedAt"`
	UserID        string     `json:"userId"`
}

type Referrer struct {
	Eligible     bool                       `json:"eligible"`
	ReferralCode ReferrerReferralCodeStruct `json:"referralCode"`
	User         ShortUser                  `json:"user"`
}

type ReferrerReferralCodeStruct struct {
	User ShortUser `json:"user"`
}

type ReleaseHoldInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type ReleaseLotInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type ReplayBody struct {
	CreatedAt     time.Time `json:"createdAt"`
	From          time.Time `json:"from"`
	ID            string    `json:"id"`
	LoyaltyRuleID string    `json:"loyaltyRuleId"`
	// Why it failed
	Message *string `json:"message"`
	// Percent of the period that is done
	Progress int64         `json:"progress"`
	Result   *ReplayResult `json:"result"`
	// One of: pending, processing, complete, failed, cancelled.
	Status    string    `json:"status"`
	To        time.Time `json:"to"`
	UpdatedAt time.Time `json:"updatedAt"`
}

type ReplayResult struct {
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

type ReplayRuleInputBody struct {
	// Properties of the rule, as an update has them. Those that are left out stay as they are
	Draft RuleDraft `json:"draft"`
	// Completions from here on are decided again
	From           time.Time        `json:"from"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Up to here, exclusive
	To        time.Time        `json:"to"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type ReportMintBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of: failed, minted.
	Status    string           `json:"status"`
	TxHash    Optional[string] `json:"txHash,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type ReportMintOutputBody struct {
	// One of: Success.
	Message string `json:"message"`
}

type ResetBody struct {
	// true while the reset of a large currency continues in the background
	Pending *bool `json:"pending"`
	Success bool  `json:"success"`
}

type ResetInputBody struct {
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId"`
	OrganizationID    Optional[string] `json:"organizationId,omitzero"`
	// One of: loyalty_reset_balances, loyalty_reset_balances_data_and_rules,
	// loyalty_reset_balances_data_not_rules.
	Type      string           `json:"type"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type RespondInputBody struct {
	LoyaltyQuestionChoiceID string           `json:"loyaltyQuestionChoiceId"`
	OrganizationID          Optional[string] `json:"organizationId,omitzero"`
	UserID                  Optional[string] `json:"userId,omitzero"`
	WalletAddress           Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID               Optional[string] `json:"websiteId,omitzero"`
}

type RestoreEditInputBody struct {
	EditComment    Optional[string] `json:"editComment,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type RetryPayoutInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type ReverseByKeyInputBody struct {
	// A part of a transaction with one entry, above 0; default: what is not reversed yet
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// Default: that of the reversed transaction
	Description Optional[string] `json:"description,omitzero"`
	// Of the reversal; unique on the website forever, among entries and completions together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	Of             KeyOfTransaction `json:"of"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default reverse_within_balance. One of: reverse_within_balance, reverse.
	Policy Optional[string] `json:"policy,omitzero"`
	// Revoke badges of the members whose conditions no longer hold
	RecheckBadges Optional[bool] `json:"recheckBadges,omitzero"`
	// The rule that has paid can be completed again in the same window
	Reopen    Optional[bool]   `json:"reopen,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type ReverseTransactionInputBody struct {
	// A part of a transaction with one entry, above 0; default: what is not reversed yet
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// Default: that of the reversed transaction
	Description Optional[string] `json:"description,omitzero"`
	// Of the reversal; unique on the website forever, among entries and completions together
	IdempotencyKey Optional[string] `json:"idempotencyKey,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Default reverse_within_balance. One of: reverse_within_balance, reverse.
	Policy Optional[string] `json:"policy,omitzero"`
	// Revoke badges of the members whose conditions no longer hold
	RecheckBadges Optional[bool] `json:"recheckBadges,omitzero"`
	// The rule that has paid can be completed again in the same window
	Reopen    Optional[bool]   `json:"reopen,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type RevokeBadgeBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of: revoked, inactive.
	Status        Optional[string] `json:"status,omitzero"`
	UserID        Optional[string] `json:"userId,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type RevokeTokensInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	UserID         string           `json:"userId"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type RewardBadgeBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of: active, inactive.
	Status        Optional[string] `json:"status,omitzero"`
	UserID        Optional[string] `json:"userId,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type RewardInput struct {
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// multiplier: credits the current balance x (multiplier - 1) once
	IsRetroactive Optional[bool] `json:"isRetroactive,omitzero"`
	// badge: the badge that is granted with this one
	LoyaltyBadgeID Optional[string] `json:"loyaltyBadgeId,omitzero"`
	// points: what is paid; token: the hidden currency of the token
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// multiplier: empty or absent for all currencies
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	Multiplier         Optional[Decimal]  `json:"multiplier,omitzero"`
	// One of: points, multiplier, badge, token.
	RewardType string `json:"rewardType"`
}

type RoleChange struct {
	// Any time revokes the role, at the time of the call
	DeletedAt Optional[time.Time] `json:"deletedAt,omitzero"`
	// One of: WEBSITE_SUPER_ADMIN, WEBSITE_ADMIN, WEBSITE_MODERATOR, WEBSITE_DEVELOPER, WEBSITE_VIEWER,
	// ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY,
	// STRATUS_API_KEY.
	RoleType      string `json:"roleType"`
	WalletAddress string `json:"walletAddress"`
}

type RowError struct {
	// In the file, from 1; in a feed the number of the result
	Line    int64  `json:"line"`
	Message string `json:"message"`
}

type RuleBody struct {
	Amount                     *Decimal       `json:"amount"`
	BackgroundAssetURL         *string        `json:"backgroundAssetUrl"`
	ClaimType                  *string        `json:"claimType"`
	CollectionAddress          *string        `json:"collectionAddress"`
	Collections                []Collection   `json:"collections"`
	ContractIDs                []string       `json:"contractIds"`
	CreatedAt                  time.Time      `json:"createdAt"`
	CustomRewardsAPIURL        *string        `json:"customRewardsApiUrl"`
	CustomRewardsCSVURL        *string        `json:"customRewardsCsvUrl"`
	DappDataWindow             *string        `json:"dappDataWindow"`
	DappDeployedWithin         *string        `json:"dappDeployedWithin"`
	DeletedAt                  *time.Time     `json:"deletedAt"`
	Description                string         `json:"description"`
	DuplicatedFromID           *string        `json:"duplicatedFromId"`
	EffectiveEndTime           *time.Time     `json:"effectiveEndTime"`
	EffectiveStartTime         *time.Time     `json:"effectiveStartTime"`
	EndTime                    *time.Time     `json:"endTime"`
	ExternalIntegrationID      *string        `json:"externalIntegrationId"`
	Frequency                  string         `json:"frequency"`
	FunctionID                 *string        `json:"functionId"`
	HideInUI                   bool           `json:"hideInUi"`
	ID                         string         `json:"id"`
	Interval                   string         `json:"interval"`
	IsDappRule                 bool           `json:"isDappRule"`
	IsRequired                 bool           `json:"isRequired"`
	IsSpecial                  bool           `json:"isSpecial"`
	LoyaltyBadge               *ShortBadge    `json:"loyaltyBadge"`
	LoyaltyBadgeID             *string        `json:"loyaltyBadgeId"`
	LoyaltyCurrencyID          *string        `json:"loyaltyCurrencyId"`
	LoyaltyRuleChain           []RuleChain    `json:"loyaltyRuleChain"`
	LoyaltyRuleGroupID         *string        `json:"loyaltyRuleGroupId"`
	LoyaltyUserAllotmentCSVURL *string        `json:"loyaltyUserAllotmentCsvUrl"`
	MaxAmountInterval          *string        `json:"maxAmountInterval"`
	MaxAmountPerInterval       *Decimal       `json:"maxAmountPerInterval"`
	MediaURL                   *string        `json:"mediaUrl"`
	Metadata                   map[string]any `json:"metadata"`
	Name                       string         `json:"name"`
	Network                    *string        `json:"network"`
	OauthCredentialsID         *string        `json:"oauthCredentialsId"`
	OrganizationID             string         `json:"organizationId"`
	ProgressType               *string        `json:"progressType"`
	RewardLifetime             *string        `json:"rewardLifetime"`
	RewardType                 string         `json:"rewardType"`
	ShopStoreURL               *string        `json:"shopStoreUrl"`
	ShowBeforeStart            bool           `json:"showBeforeStart"`
	StartTime                  *time.Time     `json:"startTime"`
	SubscriptionID             *string        `json:"subscriptionId"`
	TokenReward                *TokenReward   `json:"tokenReward"`
	TrackProgress              bool           `json:"trackProgress"`
	Type                       string         `json:"type"`
	UpdatedAt                  time.Time      `json:"updatedAt"`
	WebsiteID                  string         `json:"websiteId"`
}

type RuleChain struct {
	CreatedAt         time.Time        `json:"createdAt"`
	ID                string           `json:"id"`
	LoyaltyConditions []ChainCondition `json:"loyaltyConditions"`
	LoyaltyRuleID     string           `json:"loyaltyRuleId"`
	Name              string           `json:"name"`
	// One of: AND, OR.
	OperatorType   string    `json:"operatorType"`
	OrganizationID string    `json:"organizationId"`
	UpdatedAt      time.Time `json:"updatedAt"`
	WebsiteID      string    `json:"websiteId"`
}

type RuleDraft struct {
	Amount             Optional[Decimal] `json:"amount,omitzero"`
	BackgroundAssetURL Optional[string]  `json:"backgroundAssetUrl,omitzero"`
	// One of: manual, auto.
	ClaimType           Optional[string]       `json:"claimType,omitzero"`
	CollectionAddress   Optional[string]       `json:"collectionAddress,omitzero"`
	Collections         Optional[[]Collection] `json:"collections,omitzero"`
	ContractIDs         Optional[[]string]     `json:"contractIds,omitzero"`
	CustomRewardsAPIURL Optional[string]       `json:"customRewardsApiUrl,omitzero"`
	CustomRewardsCSVURL Optional[string]       `json:"customRewardsCsvUrl,omitzero"`
	// One of: daily, weekly, monthly.
	DappDataWindow Optional[string] `json:"dappDataWindow,omitzero"`
	// One of: daily, weekly, monthly.
	DappDeployedWithin Optional[string] `json:"dappDeployedWithin,omitzero"`
	// On update: a time deletes, null brings back
	DeletedAt             Optional[time.Time] `json:"deletedAt,omitzero"`
	Description           Optional[string]    `json:"description,omitzero"`
	DuplicatedFromID      Optional[string]    `json:"duplicatedFromId,omitzero"`
	EditComment           Optional[string]    `json:"editComment,omitzero"`
	EffectiveEndTime      Optional[time.Time] `json:"effectiveEndTime,omitzero"`
	EffectiveStartTime    Optional[time.Time] `json:"effectiveStartTime,omitzero"`
	EndTime               Optional[time.Time] `json:"endTime,omitzero"`
	ExternalIntegrationID Optional[string]    `json:"externalIntegrationId,omitzero"`
	// One of: none, once, hourly, daily, weekly, monthly, immediately.
	Frequency  Optional[string] `json:"frequency,omitzero"`
	FunctionID Optional[string] `json:"functionId,omitzero"`
	HideInUI   Optional[bool]   `json:"hideInUi,omitzero"`
	// One of: hourly, daily, weekly, monthly, once, custom, every_message, unlimited.
	Interval          Optional[string] `json:"interval,omitzero"`
	IsDappRule        Optional[bool]   `json:"isDappRule,omitzero"`
	IsRequired        Optional[bool]   `json:"isRequired,omitzero"`
	IsSpecial         Optional[bool]   `json:"isSpecial,omitzero"`
	LoyaltyBadgeID    Optional[string] `json:"loyaltyBadgeId,omitzero"`
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// A uuid or no-section
	LoyaltyRuleGroupID         Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	LoyaltyUserAllotmentCSVURL Optional[string] `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	// One of: daily, weekly, monthly, lifetime.
	MaxAmountInterval    Optional[string]  `json:"maxAmountInterval,omitzero"`
	MaxAmountPerInterval Optional[Decimal] `json:"maxAmountPerInterval,omitzero"`
	MediaURL             Optional[string]  `json:"mediaUrl,omitzero"`
	// Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
	// bytes
	Metadata           Optional[map[string]any] `json:"metadata,omitzero"`
	Name               Optional[string]         `json:"name,omitzero"`
	Network            Optional[string]         `json:"network,omitzero"`
	OauthCredentialsID Optional[string]         `json:"oauthCredentialsId,omitzero"`
	// One of: counter, percentage.
	ProgressType Optional[string] `json:"progressType,omitzero"`
	// One of: permanent, dynamic.
	RewardLifetime Optional[string] `json:"rewardLifetime,omitzero"`
	// One of: points, multiplier, badge, token.
	RewardType      Optional[string]      `json:"rewardType,omitzero"`
	ShopStoreURL    Optional[string]      `json:"shopStoreUrl,omitzero"`
	ShowBeforeStart Optional[bool]        `json:"showBeforeStart,omitzero"`
	StartTime       Optional[time.Time]   `json:"startTime,omitzero"`
	SubscriptionID  Optional[string]      `json:"subscriptionId,omitzero"`
	TokenReward     Optional[TokenReward] `json:"tokenReward,omitzero"`
	TrackProgress   Optional[bool]        `json:"trackProgress,omitzero"`
	// Cannot be changed
	Type Optional[string] `json:"type,omitzero"`
}

type RuleEdit struct {
	// One of: create, update, delete, restore.
	Action         string         `json:"action"`
	Comment        *string        `json:"comment"`
	Data           map[string]any `json:"data"`
	EditedAt       time.Time      `json:"editedAt"`
	EditedByUserID string         `json:"editedByUserId"`
	ID             string         `json:"id"`
	LoyaltyRuleID  string         `json:"loyaltyRuleId"`
	OrganizationID string         `json:"organizationId"`
	PreviousData   map[string]any `json:"previousData"`
	WebsiteID      string         `json:"websiteId"`
}

type RuleGroup struct {
	CreatedAt time.Time  `json:"createdAt"`
	DeletedAt *time.Time `json:"deletedAt"`
	// true: the group has further rules that did not fit into the response. The list of rules, filtered by
	// the group, has them all
	HasMoreItems      *bool       `json:"hasMoreItems"`
	ID                string      `json:"id"`
	IsCollapsible     bool        `json:"isCollapsible"`
	IsRequired        bool        `json:"isRequired"`
	LoyaltyGroupItems []GroupItem `json:"loyaltyGroupItems"`
	Name              string      `json:"name"`
	OrganizationID    string      `json:"organizationId"`
	SortID            int64       `json:"sortId"`
	SubTitle          *string     `json:"subTitle"`
	UpdatedAt         time.Time   `json:"updatedAt"`
	WebsiteID         string      `json:"websiteId"`
}

type RuleImport struct {
	CreatedAt time.Time `json:"createdAt"`
	// The problems of the first 100 skipped rows
	Errors     []RowError `json:"errors"`
	FinishedAt *time.Time `json:"finishedAt"`
	ID         string     `json:"id"`
	// One of: allotment, codes, rewards, condition.
	Kind string `json:"kind"`
	// For the kind condition: the condition of the chain; otherwise null
	LoyaltyConditionID *string `json:"loyaltyConditionId"`
	LoyaltyRuleID      string  `json:"loyaltyRuleId"`
	Message            *string `json:"message"`
	// New rows
	RowsKept int64 `json:"rowsKept"`
	RowsRead int64 `json:"rowsRead"`
	// Invalid rows, and rows that the list has already
	RowsSkipped int64 `json:"rowsSkipped"`
	// null until the file is downloaded
	RowsTotal *int64 `json:"rowsTotal"`
	// One of: pending, processing, complete, failed, cancelled.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	URL       string    `json:"url"`
}

type RuleRun struct {
	CreatedAt time.Time `json:"createdAt"`
	// Members that were evaluated so far
	Evaluated int64 `json:"evaluated"`
	// Members who could not be paid; the server's log says why
	Failed        int64      `json:"failed"`
	FinishedAt    *time.Time `json:"finishedAt"`
	ID            string     `json:"id"`
	LoyaltyRuleID string     `json:"loyaltyRuleId"`
	// Why the run failed or was cancelled, or what it waits for; empty otherwise
	Message        string `json:"message"`
	OrganizationID string `json:"organizationId"`
	// Members who do not fulfil the rule, or were paid already
	Refused int64 `json:"refused"`
	// Members who were paid, or who may claim if claimType is manual
	Rewarded int64 `json:"rewarded"`
	// The time of the run; its rewards are decided as of then
	ScheduledAt time.Time `json:"scheduledAt"`
	// The beginning of the period that the run covers: the run before, or the rule's start
	Since     time.Time  `json:"since"`
	StartedAt *time.Time `json:"startedAt"`
	// One of: pending, processing, complete, failed, cancelled.
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updatedAt"`
	WebsiteID string    `json:"websiteId"`
}

type RuleStatus struct {
	CreatedAt      time.Time `json:"createdAt"`
	ID             string    `json:"id"`
	LoyaltyRuleID  string    `json:"loyaltyRuleId"`
	OrganizationID string    `json:"organizationId"`
	Progress       Decimal   `json:"progress"`
	UpdatedAt      time.Time `json:"updatedAt"`
	UserID         string    `json:"userId"`
	WebsiteID      string    `json:"websiteId"`
}

type SectionBanner struct {
	Carousel                 *SectionCarousel  `json:"carousel"`
	ID                       string            `json:"id"`
	WebsiteCollectionBanners []ShownCollection `json:"websiteCollectionBanners"`
}

type SectionCarousel struct {
	CarouselItems []SectionCarouselItem `json:"carouselItems"`
	ID            string                `json:"id"`
}

type SectionCarouselItem struct {
	ID     string `json:"id"`
	SortID int64  `json:"sortId"`
}

type Self struct {
	Accounts              []OwnAccount       `json:"accounts"`
	CreatedAt             time.Time          `json:"createdAt"`
	DelegationsFrom       []Delegator        `json:"delegationsFrom"`
	ID                    string             `json:"id"`
	IsPlatformSuperAdmin  bool               `json:"isPlatformSuperAdmin"`
	Notifications         *bool              `json:"notifications"`
	Referrers             []Referrer         `json:"referrers"`
	TemporaryLoyaltyUser  bool               `json:"temporaryLoyaltyUser"`
	UpdatedAt             time.Time          `json:"updatedAt"`
	UserGroup             *OwnGroup          `json:"userGroup"`
	UserMetadata          []Metadata         `json:"userMetadata"`
	WalletAddress         *string            `json:"walletAddress"`
	WalletType            *string            `json:"walletType"`
	WebsiteUserAttributes []LabeledAttribute `json:"websiteUserAttributes"`
}

type SendPhoneCodeInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// In E.164 format
	PhoneNumber   string           `json:"phoneNumber"`
	UserID        Optional[string] `json:"userId,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type ShortAttribute struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

type ShortBadge struct {
	Description string `json:"description"`
	ID          string `json:"id"`
	ImageURL    string `json:"imageUrl"`
	Name        string `json:"name"`
}

type ShortUser struct {
	ID            string  `json:"id"`
	WalletAddress *string `json:"walletAddress"`
}

type ShortValue struct {
	ID                     string `json:"id"`
	UserID                 string `json:"userId"`
	Value                  string `json:"value"`
	WebsiteUserAttributeID string `json:"websiteUserAttributeId"`
}

type ShownCollection struct {
	ID                  string             `json:"id"`
	WebsiteCollection   *CollectionSummary `json:"websiteCollection"`
	WebsiteCollectionID *string            `json:"websiteCollectionId"`
}

type ShownInput struct {
	// The id of an existing part; ignored on creation
	ID                  Optional[string] `json:"id,omitzero"`
	WebsiteCollectionID Optional[string] `json:"websiteCollectionId,omitzero"`
}

type SimulateRuleInputBody struct {
	// In place of the rule's amount; external_rule only
	Amount Optional[Decimal] `json:"amount,omitzero"`
	// Decides as if at this time, on the current facts
	At         Optional[time.Time] `json:"at,omitzero"`
	ContentURL Optional[string]    `json:"contentUrl,omitzero"`
	Draft      Optional[RuleDraft] `json:"draft,omitzero"`
	// Only for external_rule. Unique on the website forever, among completions and entries together
	IdempotencyKey          Optional[string] `json:"idempotencyKey,omitzero"`
	LoyaltyQuestionChoiceID Optional[string] `json:"loyaltyQuestionChoiceId,omitzero"`
	OrganizationID          Optional[string] `json:"organizationId,omitzero"`
	// Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
	// the amount is paid for each unit of it
	RangeValue               Optional[Decimal] `json:"rangeValue,omitzero"`
	SkipChainOrRequiredCheck Optional[bool]    `json:"skipChainOrRequiredCheck,omitzero"`
	UserID                   Optional[string]  `json:"userId,omitzero"`
	VerificationCode         Optional[string]  `json:"verificationCode,omitzero"`
	// true, as boolean or text: every check and no reward
	VerifyOnly    Optional[bool]   `json:"verifyOnly,omitzero"`
	WalletAddress Optional[string] `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string] `json:"websiteId,omitzero"`
}

type SimulatedCheck struct {
	// The refusal, as a completion would return it
	Message *string `json:"message"`
	// overrides, idempotencyKey, currency, setup, time, blocked, audience, required, window, progress,
	// account, verification or reward
	Name string `json:"name"`
	Pass bool   `json:"pass"`
}

type SimulationBody struct {
	// Every check, also those behind the first that fails, as far as they can be judged
	Checks []SimulatedCheck `json:"checks"`
	// The first refusal; null if there is none
	Message *string  `json:"message"`
	Missing *Missing `json:"missing"`
	// The rewards that would be paid
	Rewards []Paid `json:"rewards"`
	// The transactions that the rule's function would request. They are not sent
	Transactions  []AddedCall `json:"transactions"`
	WouldComplete bool        `json:"wouldComplete"`
}

type SiteCollection struct {
	ID       string  `json:"id"`
	ImageURL *string `json:"imageUrl"`
	Name     string  `json:"name"`
	// Percent; 0 if none is set
	RoyaltyFee Decimal `json:"royaltyFee"`
	// Empty if none is set
	RoyaltyFeeAddress string `json:"royaltyFeeAddress"`
}

type StartedFlow struct {
	// What the profile must contain
	Code *string `json:"code"`
	// For accounts that are proved by their profile
	JwtState *string `json:"jwtState"`
	URL      string  `json:"url"`
}

type State struct {
	Complete           bool    `json:"complete"`
	Current            Decimal `json:"current"`
	LoyaltyConditionID string  `json:"loyaltyConditionId"`
	Required           Decimal `json:"required"`
	Type               string  `json:"type"`
}

type StoriedEvent struct {
	AttemptList []Attempt      `json:"attemptList"`
	Attempts    int64          `json:"attempts"`
	Callback    *Callback      `json:"callback"`
	Event       *ContractEvent `json:"event"`
	FunctionRun *EventRun      `json:"functionRun"`
	// Present if the subscription has several functions
	FunctionRuns  []EventRun `json:"functionRuns"`
	ID            string     `json:"id"`
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// The whole body of v2
	Payload map[string]any `json:"payload"`
	// One of: pending, delivered, failed, skipped, held.
	Status      string    `json:"status"`
	Table       *string   `json:"table"`
	TriggeredAt time.Time `json:"triggeredAt"`
	Type        string    `json:"type"`
}

type Subscription struct {
	BlockchainSubscriptions []BlockchainSource `json:"blockchainSubscriptions"`
	CallbackURL             string             `json:"callbackUrl"`
	ConsecutiveFailures     int64              `json:"consecutiveFailures"`
	CreatedAt               time.Time          `json:"createdAt"`
	DeletedAt               *time.Time         `json:"deletedAt"`
	Disabled                bool               `json:"disabled"`
	DisabledAt              *time.Time         `json:"disabledAt"`
	DisabledReason          *string            `json:"disabledReason"`
	EndsAt                  *time.Time         `json:"endsAt"`
	// One of: confirmed, instant.
	Finality              *string          `json:"finality"`
	FunctionIDs           []string         `json:"functionIds"`
	ID                    string           `json:"id"`
	MaxEventsPerDay       *int64           `json:"maxEventsPerDay"`
	Metadata              any              `json:"metadata"`
	Name                  string           `json:"name"`
	OrganizationID        string           `json:"organizationId"`
	PlatformSubscriptions []PlatformSource `json:"platformSubscriptions"`
	// whsec_ and the base64 of 24 bytes
	SigningKey *string    `json:"signingKey"`
	StartsAt   *time.Time `json:"startsAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`
	// One of: v1, v2.
	Version   string `json:"version"`
	WebsiteID string `json:"websiteId"`
}

type Success struct {
	Message string `json:"message"`
}

type TONProof struct {
	Proof TONProofProofStruct `json:"proof"`
	// 32 bytes in hexadecimal
	PublicKey string `json:"publicKey"`
	// Code and data of the wallet in base64, whose hash is the address
	WalletStateInit string `json:"walletStateInit"`
}

type TONProofProofStruct struct {
	Domain DomainStruct `json:"domain"`
	// The nonce
	Payload string `json:"payload"`
	// Base64
	Signature string `json:"signature"`
	// Seconds since 1970
	Timestamp int64 `json:"timestamp"`
}

type TestInputBody struct {
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of the subscription's own; default the first
	Type      Optional[string] `json:"type,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type Token struct {
	ExpiresAt time.Time `json:"expiresAt"`
	Token     *string   `json:"token"`
	UserID    string    `json:"userId"`
	WebsiteID string    `json:"websiteId"`
}

type TokenClaim struct {
	ClaimAndStake        bool       `json:"claimAndStake"`
	ClaimContractAddress *string    `json:"claimContractAddress"`
	Contract             ClaimToken `json:"contract"`
	CreatedAt            time.Time  `json:"createdAt"`
	// Shown to secret keys only
	CSVURL            *string    `json:"csvUrl"`
	DataJobID         *string    `json:"dataJobId"`
	DeletedAt         *time.Time `json:"deletedAt"`
	EndTime           *time.Time `json:"endTime"`
	Erc20Decimals     int64      `json:"erc20Decimals"`
	GeoBlock          []string   `json:"geoBlock"`
	ID                string     `json:"id"`
	IsDraft           bool       `json:"isDraft"`
	IsStakingOptional bool       `json:"isStakingOptional"`
	MaxBonus          Decimal    `json:"maxBonus"`
	// null until the list is imported
	MerkleRoot             *string `json:"merkleRoot"`
	MinLockup              Decimal `json:"minLockup"`
	MinLockupForMultiplier Decimal `json:"minLockupForMultiplier"`
	MinPercentageToStake   Decimal `json:"minPercentageToStake"`
	Multiplier             Decimal `json:"multiplier"`
	Name                   string  `json:"name"`
	OrganizationID         string  `json:"organizationId"`
	RelayerID              *string `json:"relayerId"`
	StakingContractAddress *string `json:"stakingContractAddress"`
	// linear or timelock
	StakingContractType *string    `json:"stakingContractType"`
	StartTime           *time.Time `json:"startTime"`
	// Exact, with up to erc20Decimals places
	TotalAllocatedAmount float64 `json:"totalAllocatedAmount"`
	// Exact, with up to erc20Decimals places
	TotalClaimedAmount    float64   `json:"totalClaimedAmount"`
	TotalWalletsAllocated int64     `json:"totalWalletsAllocated"`
	UpdatedAt             time.Time `json:"updatedAt"`
	WebsiteID             string    `json:"websiteId"`
}

type TokenGateOutputBody struct {
	Eligible bool   `json:"eligible"`
	Message  string `json:"message"`
}

type TokenReward struct {
	ContractID Optional[string] `json:"contractId,omitzero"`
	IsNative   Optional[bool]   `json:"isNative,omitzero"`
	RelayerID  string           `json:"relayerId"`
}

type TopAuctionBid struct {
	Amount    string    `json:"amount"`
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
}

type Transaction struct {
	CreatedAt   time.Time     `json:"createdAt"`
	Description string        `json:"description"`
	Entries     []PostedEntry `json:"entries"`
	ID          string        `json:"id"`
	// The currency of all entries; null if they differ
	LoyaltyCurrencyID *string   `json:"loyaltyCurrencyId"`
	OrganizationID    string    `json:"organizationId"`
	Type              string    `json:"type"`
	UpdatedAt         time.Time `json:"updatedAt"`
	WebsiteID         string    `json:"websiteId"`
}

type TransactionEntry struct {
	Amount Decimal `json:"amount"`
	// Default credit. One of: credit, debit.
	Direction Optional[string] `json:"direction,omitzero"`
	// Unique on the website forever, among entries and completions together
	IdempotencyKey    Optional[string] `json:"idempotencyKey,omitzero"`
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// At most 16384 bytes
	Metadata      Optional[map[string]any] `json:"metadata,omitzero"`
	UserID        Optional[string]         `json:"userId,omitzero"`
	WalletAddress Optional[string]         `json:"walletAddress,omitzero"`
}

type Unpaid struct {
	// Points
	Amount Decimal `json:"amount"`
	// Items
	Quantity int64 `json:"quantity"`
}

type UpdateAttributeBody struct {
	// Unique in a website
	Label          Optional[string] `json:"label,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type UpdateAuctionInputBody struct {
	BiddersOwnCollectionAddresses Optional[[]string] `json:"biddersOwnCollectionAddresses,omitzero"`
	// Stored
	CurrencyAddress Optional[string] `json:"currencyAddress,omitzero"`
	Description     Optional[string] `json:"description,omitzero"`
	// Cannot be changed once there is a bid
	EndsAt Optional[time.Time] `json:"endsAt,omitzero"`
	// english: a bid so shortly before the end moves the end to so many seconds after it
	ExtendedDurationInSeconds Optional[int64] `json:"extendedDurationInSeconds,omitzero"`
	HideBids                  Optional[bool]  `json:"hideBids,omitzero"`
	// Bids are points of it; cannot be changed
	LoyaltyCurrencyID Optional[string]  `json:"loyaltyCurrencyId,omitzero"`
	MinBidAmount      Optional[Decimal] `json:"minBidAmount,omitzero"`
	// For english auctions: the least difference between the best bid and the next bid
	MinBidIncrement Optional[Decimal] `json:"minBidIncrement,omitzero"`
	// The minting contract of the items; cannot be changed
	MintingContractID Optional[string] `json:"mintingContractId,omitzero"`
	Name              Optional[string] `json:"name,omitzero"`
	// The network of the collections; cannot be changed
	Network        Optional[string] `json:"network,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// Bids below it win nothing
	ReservePrice Optional[Decimal] `json:"reservePrice,omitzero"`
	// Cannot be changed once there is a bid
	StartsAt Optional[time.Time] `json:"startsAt,omitzero"`
	// Cannot be changed. One of: first_price, second_price, english.
	Type      Optional[string] `json:"type,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type UpdateBadgeInputBody struct {
	// Further lists of the badge's csv conditions
	CSVFiles       Optional[[]CSVInput]    `json:"csvFiles,omitzero"`
	Description    Optional[string]        `json:"description,omitzero"`
	HideInUI       Optional[bool]          `json:"hideInUi,omitzero"`
	ImageURL       Optional[string]        `json:"imageUrl,omitzero"`
	Name           Optional[string]        `json:"name,omitzero"`
	OrganizationID Optional[string]        `json:"organizationId,omitzero"`
	Rewards        Optional[[]RewardInput] `json:"rewards,omitzero"`
	WebsiteID      Optional[string]        `json:"websiteId,omitzero"`
}

type UpdateBadgeUserInputBody struct {
	DismissedInUI  Optional[bool]   `json:"dismissedInUi,omitzero"`
	HideInUI       Optional[bool]   `json:"hideInUi,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type UpdateCollectionBody struct {
	ChatServerURL         Optional[string] `json:"chatServerUrl,omitzero"`
	CollectionAddress     Optional[string] `json:"collectionAddress,omitzero"`
	HomeURL               Optional[string] `json:"homeUrl,omitzero"`
	ImageURL              Optional[string] `json:"imageUrl,omitzero"`
	MessengerURL          Optional[string] `json:"messengerUrl,omitzero"`
	MicroblogUsername     Optional[string] `json:"microblogUsername,omitzero"`
	Name                  Optional[string] `json:"name,omitzero"`
	Network               Optional[string] `json:"network,omitzero"`
	OrganizationID        Optional[string] `json:"organizationId,omitzero"`
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee        Optional[Decimal] `json:"royaltyFee,omitzero"`
	RoyaltyFeeAddress Optional[string]  `json:"royaltyFeeAddress,omitzero"`
	// Lists go by it, the lowest first
	SortID Optional[int64] `json:"sortId,omitzero"`
	// The contract that locks its tokens
	StakingAddress Optional[string] `json:"stakingAddress,omitzero"`
	ThemeID        Optional[string] `json:"themeId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type UpdateContractBody struct {
	// A JSON array, or the text of one
	ABI            Optional[any]    `json:"abi,omitzero"`
	Address        Optional[string] `json:"address,omitzero"`
	ChainID        Optional[int64]  `json:"chainId,omitzero"`
	IconURL        Optional[string] `json:"iconUrl,omitzero"`
	Name           Optional[string] `json:"name,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// One of: erc20, erc721, erc1155, custom.
	Type      Optional[string] `json:"type,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type UpdateFunctionBody struct {
	Code           Optional[string]            `json:"code,omitzero"`
	Cron           Optional[string]            `json:"cron,omitzero"`
	Disabled       Optional[bool]              `json:"disabled,omitzero"`
	Name           Optional[string]            `json:"name,omitzero"`
	OrganizationID Optional[string]            `json:"organizationId,omitzero"`
	Secrets        Optional[map[string]string] `json:"secrets,omitzero"`
	WebsiteID      Optional[string]            `json:"websiteId,omitzero"`
}

type UpdateInputBody struct {
	CallbackURL     Optional[string]    `json:"callbackUrl,omitzero"`
	EndsAt          Optional[time.Time] `json:"endsAt,omitzero"`
	Finality        Optional[string]    `json:"finality,omitzero"`
	FunctionIDs     Optional[[]string]  `json:"functionIds,omitzero"`
	MaxEventsPerDay Optional[int64]     `json:"maxEventsPerDay,omitzero"`
	Metadata        Optional[any]       `json:"metadata,omitzero"`
	Name            Optional[string]    `json:"name,omitzero"`
	OrganizationID  Optional[string]    `json:"organizationId,omitzero"`
	StartsAt        Optional[time.Time] `json:"startsAt,omitzero"`
	Version         Optional[string]    `json:"version,omitzero"`
	WebsiteID       Optional[string]    `json:"websiteId,omitzero"`
}

type UpdateMintingAssetBody struct {
	AnimationURL Optional[string] `json:"animationUrl,omitzero"`
	// One of: customInput, freeText, shippingDetails.
	CollectInfoType Optional[string] `json:"collectInfoType,omitzero"`
	// ONCHAIN: the token that the price is in; null: the network's own
	CurrencyAddress  Optional[string] `json:"currencyAddress,omitzero"`
	CurrencyDecimals Optional[int64]  `json:"currencyDecimals,omitzero"`
	Description      Optional[string] `json:"description,omitzero"`
	ImageURL         Optional[string] `json:"imageUrl,omitzero"`
	// true: only wallets on the allowlist may mint
	IsAllowlisted   Optional[bool]      `json:"isAllowlisted,omitzero"`
	IsHidden        Optional[bool]      `json:"isHidden,omitzero"`
	IsListed        Optional[bool]      `json:"isListed,omitzero"`
	IsPhygitalItem  Optional[bool]      `json:"isPhygitalItem,omitzero"`
	ListingEndsAt   Optional[time.Time] `json:"listingEndsAt,omitzero"`
	ListingStartsAt Optional[time.Time] `json:"listingStartsAt,omitzero"`
	// Needed in an OFFCHAIN contract
	LoyaltyCurrencyID Optional[string]         `json:"loyaltyCurrencyId,omitzero"`
	Metadata          Optional[map[string]any] `json:"metadata,omitzero"`
	MintingContractID Optional[string]         `json:"mintingContractId,omitzero"`
	Name              Optional[string]         `json:"name,omitzero"`
	OrganizationID    Optional[string]         `json:"organizationId,omitzero"`
	// The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain
	Price Optional[Decimal] `json:"price,omitzero"`
	// In all, with those that are minted
	Quantity              Optional[int64]  `json:"quantity,omitzero"`
	ShouldCollectUserInfo Optional[bool]   `json:"shouldCollectUserInfo,omitzero"`
	TokenID               Optional[int64]  `json:"tokenId,omitzero"`
	UnlimitedQty          Optional[bool]   `json:"unlimitedQty,omitzero"`
	WebsiteID             Optional[string] `json:"websiteId,omitzero"`
}

type UpdateMintingContractBody struct {
	// Needed to list an ONCHAIN contract
	Address Optional[string] `json:"address,omitzero"`
	// Stays as it was created. One of: ONCHAIN, OFFCHAIN.
	ContractKind         Optional[string] `json:"contractKind,omitzero"`
	Description          Optional[string] `json:"description,omitzero"`
	EnableGasless        Optional[bool]   `json:"enableGasless,omitzero"`
	ExternalLinkURL      Optional[string] `json:"externalLinkUrl,omitzero"`
	HasRevealMechanic    Optional[bool]   `json:"hasRevealMechanic,omitzero"`
	HideInactiveListings Optional[bool]   `json:"hideInactiveListings,omitzero"`
	ImageURL             Optional[string] `json:"imageUrl,omitzero"`
	// true: free for holders, and others pay the price
	IsFreeClaimForBadgeHolders Optional[bool] `json:"isFreeClaimForBadgeHolders,omitzero"`
	// true: free for owners, and others pay the price
	IsFreeClaimForTokenHolders Optional[bool] `json:"isFreeClaimForTokenHolders,omitzero"`
	IsListed                   Optional[bool] `json:"isListed,omitzero"`
	// true: the limit applies to each asset
	IsPerAssetMintLimit Optional[bool]               `json:"isPerAssetMintLimit,omitzero"`
	IsSoulbound         Optional[bool]               `json:"isSoulbound,omitzero"`
	LoyaltyBadgeIDs     Optional[[]string]           `json:"loyaltyBadgeIds,omitzero"`
	MustOwnCollections  Optional[[]GatingCollection] `json:"mustOwnCollections,omitzero"`
	Name                Optional[string]             `json:"name,omitzero"`
	// Needed to list an ONCHAIN contract
	Network        Optional[string] `json:"network,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// 0: no limit
	PerUserMintLimit            Optional[int64]  `json:"perUserMintLimit,omitzero"`
	PreRevealMedia              Optional[string] `json:"preRevealMedia,omitzero"`
	PrimarySaleRecipientAddress Optional[string] `json:"primarySaleRecipientAddress,omitzero"`
	RelayerID                   Optional[string] `json:"relayerId,omitzero"`
	// false: any one collection or badge suffices
	RequireHoldingAllGatedItems Optional[bool]      `json:"requireHoldingAllGatedItems,omitzero"`
	RevealAvailableAt           Optional[time.Time] `json:"revealAvailableAt,omitzero"`
	// Percent, 0 to 100
	RoyaltyFee         Optional[Decimal] `json:"royaltyFee,omitzero"`
	RoyaltyFeeAddress  Optional[string]  `json:"royaltyFeeAddress,omitzero"`
	ShouldCollectEmail Optional[bool]    `json:"shouldCollectEmail,omitzero"`
	ShowOnMarketplace  Optional[bool]    `json:"showOnMarketplace,omitzero"`
	SortID             Optional[int64]   `json:"sortId,omitzero"`
	Symbol             Optional[string]  `json:"symbol,omitzero"`
	// Default erc721; stays as it was created. One of: erc721, erc1155, erc721c.
	TokenType Optional[string] `json:"tokenType,omitzero"`
	// The website's collection of these tokens
	WebsiteCollectionID Optional[string] `json:"websiteCollectionId,omitzero"`
	WebsiteID           Optional[string] `json:"websiteId,omitzero"`
}

type UpdateMultiplierInputBody struct {
	Description Optional[string] `json:"description,omitzero"`
	// Empty or absent: all currencies
	LoyaltyCurrencyIDs Optional[[]string] `json:"loyaltyCurrencyIds,omitzero"`
	Multiplier         Optional[Decimal]  `json:"multiplier,omitzero"`
	OrganizationID     Optional[string]   `json:"organizationId,omitzero"`
	Title              Optional[string]   `json:"title,omitzero"`
	WebsiteID          Optional[string]   `json:"websiteId,omitzero"`
}

type UpdateQuestionBody struct {
	// The choices that the question has from now on
	LoyaltyQuestionAnswers []ChoiceBody     `json:"loyaltyQuestionAnswers"`
	OrganizationID         Optional[string] `json:"organizationId,omitzero"`
	QuestionText           string           `json:"questionText"`
	WebsiteID              Optional[string] `json:"websiteId,omitzero"`
}

type UpdateSectionBody struct {
	Banner Optional[BannerInput] `json:"banner,omitzero"`
	// Replaces the former ones
	DiscoveryItems Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero"`
	DurationEnd    Optional[time.Time]        `json:"durationEnd,omitzero"`
	DurationStart  Optional[time.Time]        `json:"durationStart,omitzero"`
	// Replaces the former ones
	ItemsGrids     Optional[[]ShownInput] `json:"itemsGrids,omitzero"`
	OrganizationID Optional[string]       `json:"organizationId,omitzero"`
	// The page, for placement page
	PageID Optional[string] `json:"pageId,omitzero"`
	// One of: all_items, discovery_item, discovery_items_grid.
	PageSectionType Optional[string] `json:"pageSectionType,omitzero"`
	// One of: global, page.
	Placement Optional[string] `json:"placement,omitzero"`
	// Lists go by it, the lowest first. Default 0
	SortID    Optional[int64]  `json:"sortId,omitzero"`
	Title     Optional[string] `json:"title,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type UpdateTokenClaimBody struct {
	ClaimAndStake        Optional[bool]   `json:"claimAndStake,omitzero"`
	ClaimContractAddress Optional[string] `json:"claimContractAddress,omitzero"`
	// A contract of type erc20
	ContractID Optional[string] `json:"contractId,omitzero"`
	// Rows of walletAddress,amount
	CSVURL  Optional[string]    `json:"csvUrl,omitzero"`
	EndTime Optional[time.Time] `json:"endTime,omitzero"`
	// Default 18
	Erc20Decimals Optional[int64] `json:"erc20Decimals,omitzero"`
	// Codes of countries, ISO 3166 alpha-2
	GeoBlock Optional[[]string] `json:"geoBlock,omitzero"`
	// Default true
	IsDraft                Optional[bool]    `json:"isDraft,omitzero"`
	IsStakingOptional      Optional[bool]    `json:"isStakingOptional,omitzero"`
	MaxBonus               Optional[Decimal] `json:"maxBonus,omitzero"`
	MinLockup              Optional[Decimal] `json:"minLockup,omitzero"`
	MinLockupForMultiplier Optional[Decimal] `json:"minLockupForMultiplier,omitzero"`
	// 0 to 100
	MinPercentageToStake Optional[Decimal] `json:"minPercentageToStake,omitzero"`
	// Default 1
	Multiplier             Optional[Decimal] `json:"multiplier,omitzero"`
	Name                   Optional[string]  `json:"name,omitzero"`
	OrganizationID         Optional[string]  `json:"organizationId,omitzero"`
	RelayerID              Optional[string]  `json:"relayerId,omitzero"`
	StakingContractAddress Optional[string]  `json:"stakingContractAddress,omitzero"`
	// One of: linear, timelock.
	StakingContractType Optional[string]    `json:"stakingContractType,omitzero"`
	StartTime           Optional[time.Time] `json:"startTime,omitzero"`
	WebsiteID           Optional[string]    `json:"websiteId,omitzero"`
}

type UpdateWebsiteBody struct {
	ChatServerURL         Optional[string] `json:"chatServerUrl,omitzero"`
	HomeURL               Optional[string] `json:"homeUrl,omitzero"`
	MessengerURL          Optional[string] `json:"messengerUrl,omitzero"`
	MicroblogUsername     Optional[string] `json:"microblogUsername,omitzero"`
	Name                  Optional[string] `json:"name,omitzero"`
	OrganizationID        Optional[string] `json:"organizationId,omitzero"`
	PhotoPlatformUsername Optional[string] `json:"photoPlatformUsername,omitzero"`
	TrustClientUsers      Optional[bool]   `json:"trustClientUsers,omitzero"`
}

type User struct {
	CreatedAt             time.Time          `json:"createdAt"`
	DelegationsFrom       []Delegator        `json:"delegationsFrom"`
	ID                    string             `json:"id"`
	IsPlatformSuperAdmin  bool               `json:"isPlatformSuperAdmin"`
	Notifications         *bool              `json:"notifications"`
	Referrers             []Referrer         `json:"referrers"`
	TemporaryLoyaltyUser  bool               `json:"temporaryLoyaltyUser"`
	UpdatedAt             time.Time          `json:"updatedAt"`
	UserMetadata          []Metadata         `json:"userMetadata"`
	WalletAddress         *string            `json:"walletAddress"`
	WalletType            *string            `json:"walletType"`
	WebsiteUserAttributes []LabeledAttribute `json:"websiteUserAttributes"`
}

type UserAttribute struct {
	CreatedAt      time.Time  `json:"createdAt"`
	DeletedAt      *time.Time `json:"deletedAt"`
	ID             string     `json:"id"`
	Label          string     `json:"label"`
	OrganizationID string     `json:"organizationId"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	WebsiteID      string     `json:"websiteId"`
}

type UserAttributeValue struct {
	CreatedAt time.Time `json:"createdAt"`
	// The same as websiteUserAttributeId
	CustomFieldID          string    `json:"customFieldId"`
	ID                     string    `json:"id"`
	OrganizationID         string    `json:"organizationId"`
	UpdatedAt              time.Time `json:"updatedAt"`
	UserID                 string    `json:"userId"`
	Value                  string    `json:"value"`
	WebsiteID              string    `json:"websiteId"`
	WebsiteUserAttributeID string    `json:"websiteUserAttributeId"`
}

type UserCount struct {
	TotalCount int64 `json:"totalCount"`
}

type UserName struct {
	ID            string  `json:"id"`
	WalletAddress *string `json:"walletAddress"`
}

type UserRole struct {
	CreatedAt      time.Time  `json:"createdAt"`
	DeletedAt      *time.Time `json:"deletedAt"`
	ID             string     `json:"id"`
	OrganizationID string     `json:"organizationId"`
	RoleType       string     `json:"roleType"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	UserID         string     `json:"userId"`
	WalletAddress  *string    `json:"walletAddress"`
	WebsiteID      string     `json:"websiteId"`
}

type ValueItem struct {
	// Of the value that the user has of the attribute
	ID                     Optional[string] `json:"id,omitzero"`
	UserID                 string           `json:"userId"`
	Value                  string           `json:"value"`
	WebsiteUserAttributeID string           `json:"websiteUserAttributeId"`
}

type ValuesBody struct {
	Data           []ValueItem      `json:"data"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	WebsiteID      Optional[string] `json:"websiteId,omitzero"`
}

type VerificationData struct {
	// For wallet types that a driver of the operator checks; it is ignored without one
	AccessToken Optional[string] `json:"accessToken,omitzero"`
	// The text that was signed
	Message         Optional[string]   `json:"message,omitzero"`
	Signature       Optional[string]   `json:"signature,omitzero"`
	TONVerification Optional[TONProof] `json:"tonVerification,omitzero"`
	// Secret keys: your server has checked the signature
	VerifiedLocally Optional[bool] `json:"verifiedLocally,omitzero"`
}

type Website struct {
	Count                 WebsiteCount     `json:"_count"`
	ChatServerURL         *string          `json:"chatServerUrl"`
	Collections           []SiteCollection `json:"collections"`
	CreatedAt             time.Time        `json:"createdAt"`
	HomeURL               *string          `json:"homeUrl"`
	ID                    string           `json:"id"`
	MessengerURL          *string          `json:"messengerUrl"`
	MicroblogUsername     *string          `json:"microblogUsername"`
	Name                  string           `json:"name"`
	OnchainTokens         []map[string]any `json:"onchainTokens"`
	OrganizationID        string           `json:"organizationId"`
	PhotoPlatformUsername *string          `json:"photoPlatformUsername"`
	TermsSignedAt         *time.Time       `json:"termsSignedAt"`
	TrustClientUsers      bool             `json:"trustClientUsers"`
	UpdatedAt             time.Time        `json:"updatedAt"`
}

type WebsiteCollection struct {
	ChatServerURL         *string    `json:"chatServerUrl"`
	CollectionAddress     string     `json:"collectionAddress"`
	CreatedAt             time.Time  `json:"createdAt"`
	DeletedAt             *time.Time `json:"deletedAt"`
	HomeURL               *string    `json:"homeUrl"`
	ID                    string     `json:"id"`
	ImageURL              *string    `json:"imageUrl"`
	MessengerURL          *string    `json:"messengerUrl"`
	MicroblogUsername     *string    `json:"microblogUsername"`
	MintingContractID     *string    `json:"mintingContractId"`
	Name                  string     `json:"name"`
	Network               string     `json:"network"`
	OrganizationID        string     `json:"organizationId"`
	PhotoPlatformUsername *string    `json:"photoPlatformUsername"`
	// Percent
	RoyaltyFee        *Decimal  `json:"royaltyFee"`
	RoyaltyFeeAddress *string   `json:"royaltyFeeAddress"`
	SortID            int64     `json:"sortId"`
	StakingAddress    *string   `json:"stakingAddress"`
	ThemeID           *string   `json:"themeId"`
	UpdatedAt         time.Time `json:"updatedAt"`
	WebsiteID         string    `json:"websiteId"`
}

type WebsiteCount struct {
	MintingContractAssets int64 `json:"mintingContractAssets"`
}

type WebsitePageSection struct {
	CreatedAt          time.Time      `json:"createdAt"`
	ID                 string         `json:"id"`
	IsHidden           bool           `json:"isHidden"`
	LoyaltyRuleGroupID *string        `json:"loyaltyRuleGroupId"`
	Metadata           map[string]any `json:"metadata"`
	OrganizationID     string         `json:"organizationId"`
	SortID             int64          `json:"sortId"`
	SubTitle           *string        `json:"subTitle"`
	Title              *string        `json:"title"`
	Type               string         `json:"type"`
	UpdatedAt          time.Time      `json:"updatedAt"`
	WebsiteID          string         `json:"websiteId"`
}

type WholeTokenClaim struct {
	ClaimAndStake        bool       `json:"claimAndStake"`
	ClaimContractAddress *string    `json:"claimContractAddress"`
	Contract             ClaimToken `json:"contract"`
	CreatedAt            time.Time  `json:"createdAt"`
	// Shown to secret keys only
	CSVURL            *string       `json:"csvUrl"`
	DataJob           *ClaimDataJob `json:"dataJob"`
	DataJobID         *string       `json:"dataJobId"`
	DeletedAt         *time.Time    `json:"deletedAt"`
	EndTime           *time.Time    `json:"endTime"`
	Erc20Decimals     int64         `json:"erc20Decimals"`
	GeoBlock          []string      `json:"geoBlock"`
	ID                string        `json:"id"`
	IsDraft           bool          `json:"isDraft"`
	IsStakingOptional bool          `json:"isStakingOptional"`
	MaxBonus          Decimal       `json:"maxBonus"`
	// null until the list is imported
	MerkleRoot             *string `json:"merkleRoot"`
	MinLockup              Decimal `json:"minLockup"`
	MinLockupForMultiplier Decimal `json:"minLockupForMultiplier"`
	MinPercentageToStake   Decimal `json:"minPercentageToStake"`
	Multiplier             Decimal `json:"multiplier"`
	Name                   string  `json:"name"`
	OrganizationID         string  `json:"organizationId"`
	// With walletAddress, if it is on the list
	Proof                  []string `json:"proof"`
	RelayerID              *string  `json:"relayerId"`
	StakingContractAddress *string  `json:"stakingContractAddress"`
	// linear or timelock
	StakingContractType *string    `json:"stakingContractType"`
	StartTime           *time.Time `json:"startTime"`
	TokenClaimID        string     `json:"tokenClaimId"`
	// Exact, with up to erc20Decimals places
	TotalAllocatedAmount float64 `json:"totalAllocatedAmount"`
	// The amount of the wallet, or without walletAddress that of all wallets, as a decimal
	TotalAllocation string `json:"totalAllocation"`
	// Exact, with up to erc20Decimals places
	TotalClaimedAmount    float64   `json:"totalClaimedAmount"`
	TotalWalletsAllocated int64     `json:"totalWalletsAllocated"`
	UpdatedAt             time.Time `json:"updatedAt"`
	WalletAddress         *string   `json:"walletAddress"`
	WebsiteID             string    `json:"websiteId"`
}

type WriteCurrencyBody struct {
	APIAuthKey Optional[string] `json:"apiAuthKey,omitzero"`
	// One of: none, basic, bearer, apiKey.
	APIAuthType               Optional[string] `json:"apiAuthType,omitzero"`
	APIAuthValue              Optional[string] `json:"apiAuthValue,omitzero"`
	APIGetTransactionEntryURL Optional[string] `json:"apiGetTransactionEntryUrl,omitzero"`
	APIGetURL                 Optional[string] `json:"apiGetUrl,omitzero"`
	APIPostURL                Optional[string] `json:"apiPostUrl,omitzero"`
	// How many places a page shows; cannot be changed
	Decimals       Optional[int64]  `json:"decimals,omitzero"`
	ImageURL       Optional[string] `json:"imageUrl,omitzero"`
	Name           Optional[string] `json:"name,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	// How many days points live; null: they do not expire
	PointsExpireAfterDays Optional[int64] `json:"pointsExpireAfterDays,omitzero"`
	// How many hours rewards are held before they are credited; null: not at all
	PointsWaitHours Optional[int64]  `json:"pointsWaitHours,omitzero"`
	SortID          Optional[int64]  `json:"sortId,omitzero"`
	Symbol          Optional[string] `json:"symbol,omitzero"`
	WebsiteID       Optional[string] `json:"websiteId,omitzero"`
}

type WriteGroupBody struct {
	IsCollapsible  Optional[bool]   `json:"isCollapsible,omitzero"`
	IsRequired     Optional[bool]   `json:"isRequired,omitzero"`
	Name           Optional[string] `json:"name,omitzero"`
	OrganizationID Optional[string] `json:"organizationId,omitzero"`
	SortID         Optional[int64]  `json:"sortId,omitzero"`
	SubTitle       Optional[string] `json:"subTitle,omitzero"`
	// Another spelling of subTitle
	Subtitle  Optional[string] `json:"subtitle,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type WriteMetadataInputBody struct {
	Bio Optional[string] `json:"bio,omitzero"`
	// One of: sybil_and_multi_account, account_migration, abuse_manipulation, not_sybil, issue_resolved,
	// microblog_suspended, other.
	BlockStatusReason           Optional[string]  `json:"blockStatusReason,omitzero"`
	ChatServerUser              Optional[string]  `json:"chatServerUser,omitzero"`
	ChatServerUserID            Optional[string]  `json:"chatServerUserId,omitzero"`
	CodeHostUser                Optional[string]  `json:"codeHostUser,omitzero"`
	CodeHostUserID              Optional[string]  `json:"codeHostUserId,omitzero"`
	DisplayName                 Optional[string]  `json:"displayName,omitzero"`
	EmailAddress                Optional[string]  `json:"emailAddress,omitzero"`
	ExternalIdentifier          Optional[string]  `json:"externalIdentifier,omitzero"`
	ExternalLoyaltyScore        Optional[string]  `json:"externalLoyaltyScore,omitzero"`
	ForumPlatformUser           Optional[string]  `json:"forumPlatformUser,omitzero"`
	ForumPlatformUserID         Optional[string]  `json:"forumPlatformUserId,omitzero"`
	GameLauncherAccountID       Optional[string]  `json:"gameLauncherAccountId,omitzero"`
	GameLauncherUsername        Optional[string]  `json:"gameLauncherUsername,omitzero"`
	GameStoreUserID             Optional[string]  `json:"gameStoreUserId,omitzero"`
	GameStoreUsername           Optional[string]  `json:"gameStoreUsername,omitzero"`
	InternalNotes               Optional[string]  `json:"internalNotes,omitzero"`
	IsBlockExempt               Optional[bool]    `json:"isBlockExempt,omitzero"`
	IsBlocked                   Optional[bool]    `json:"isBlocked,omitzero"`
	Location                    Optional[string]  `json:"location,omitzero"`
	LogoURL                     Optional[string]  `json:"logoUrl,omitzero"`
	MessengerUserID             Optional[string]  `json:"messengerUserId,omitzero"`
	MessengerUsername           Optional[string]  `json:"messengerUsername,omitzero"`
	MicroblogFollowersCount     Optional[int64]   `json:"microblogFollowersCount,omitzero"`
	MicroblogUser               Optional[string]  `json:"microblogUser,omitzero"`
	MicroblogUserID             Optional[string]  `json:"microblogUserId,omitzero"`
	OrganizationID              Optional[string]  `json:"organizationId,omitzero"`
	PhoneNumber                 Optional[string]  `json:"phoneNumber,omitzero"`
	PortfolioURL                Optional[string]  `json:"portfolioUrl,omitzero"`
	ShortVideoUser              Optional[string]  `json:"shortVideoUser,omitzero"`
	ShortVideoUserID            Optional[string]  `json:"shortVideoUserId,omitzero"`
	SybilScore                  Optional[float64] `json:"sybilScore,omitzero"`
	UserGroupExternalIdentifier Optional[string]  `json:"userGroupExternalIdentifier,omitzero"`
	// Joins the group; null leaves it
	UserGroupID            Optional[string] `json:"userGroupId,omitzero"`
	UserID                 Optional[string] `json:"userId,omitzero"`
	VideoPlatformChannelID Optional[string] `json:"videoPlatformChannelId,omitzero"`
	WalletAddress          Optional[string] `json:"walletAddress,omitzero"`
	WalletGroupIdentifier  Optional[string] `json:"walletGroupIdentifier,omitzero"`
	WebAccountUser         Optional[string] `json:"webAccountUser,omitzero"`
	WebAccountUserID       Optional[string] `json:"webAccountUserId,omitzero"`
	WebsiteID              Optional[string] `json:"websiteId,omitzero"`
}

type WriteRuleBody struct {
	Amount             Optional[Decimal] `json:"amount,omitzero"`
	BackgroundAssetURL Optional[string]  `json:"backgroundAssetUrl,omitzero"`
	// One of: manual, auto.
	ClaimType           Optional[string]       `json:"claimType,omitzero"`
	CollectionAddress   Optional[string]       `json:"collectionAddress,omitzero"`
	Collections         Optional[[]Collection] `json:"collections,omitzero"`
	ContractIDs         Optional[[]string]     `json:"contractIds,omitzero"`
	CustomRewardsAPIURL Optional[string]       `json:"customRewardsApiUrl,omitzero"`
	CustomRewardsCSVURL Optional[string]       `json:"customRewardsCsvUrl,omitzero"`
	// One of: daily, weekly, monthly.
	DappDataWindow Optional[string] `json:"dappDataWindow,omitzero"`
	// One of: daily, weekly, monthly.
	DappDeployedWithin Optional[string] `json:"dappDeployedWithin,omitzero"`
	// On update: a time deletes, null brings back
	DeletedAt             Optional[time.Time] `json:"deletedAt,omitzero"`
	Description           Optional[string]    `json:"description,omitzero"`
	DuplicatedFromID      Optional[string]    `json:"duplicatedFromId,omitzero"`
	EditComment           Optional[string]    `json:"editComment,omitzero"`
	EffectiveEndTime      Optional[time.Time] `json:"effectiveEndTime,omitzero"`
	EffectiveStartTime    Optional[time.Time] `json:"effectiveStartTime,omitzero"`
	EndTime               Optional[time.Time] `json:"endTime,omitzero"`
	ExternalIntegrationID Optional[string]    `json:"externalIntegrationId,omitzero"`
	// One of: none, once, hourly, daily, weekly, monthly, immediately.
	Frequency  Optional[string] `json:"frequency,omitzero"`
	FunctionID Optional[string] `json:"functionId,omitzero"`
	HideInUI   Optional[bool]   `json:"hideInUi,omitzero"`
	// One of: hourly, daily, weekly, monthly, once, custom, every_message, unlimited.
	Interval          Optional[string] `json:"interval,omitzero"`
	IsDappRule        Optional[bool]   `json:"isDappRule,omitzero"`
	IsRequired        Optional[bool]   `json:"isRequired,omitzero"`
	IsSpecial         Optional[bool]   `json:"isSpecial,omitzero"`
	LoyaltyBadgeID    Optional[string] `json:"loyaltyBadgeId,omitzero"`
	LoyaltyCurrencyID Optional[string] `json:"loyaltyCurrencyId,omitzero"`
	// A uuid or no-section
	LoyaltyRuleGroupID         Optional[string] `json:"loyaltyRuleGroupId,omitzero"`
	LoyaltyUserAllotmentCSVURL Optional[string] `json:"loyaltyUserAllotmentCsvUrl,omitzero"`
	// One of: daily, weekly, monthly, lifetime.
	MaxAmountInterval    Optional[string]  `json:"maxAmountInterval,omitzero"`
	MaxAmountPerInterval Optional[Decimal] `json:"maxAmountPerInterval,omitzero"`
	MediaURL             Optional[string]  `json:"mediaUrl,omitzero"`
	// Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
	// bytes
	Metadata           Optional[map[string]any] `json:"metadata,omitzero"`
	Name               Optional[string]         `json:"name,omitzero"`
	Network            Optional[string]         `json:"network,omitzero"`
	OauthCredentialsID Optional[string]         `json:"oauthCredentialsId,omitzero"`
	OrganizationID     Optional[string]         `json:"organizationId,omitzero"`
	// One of: counter, percentage.
	ProgressType Optional[string] `json:"progressType,omitzero"`
	// One of: permanent, dynamic.
	RewardLifetime Optional[string] `json:"rewardLifetime,omitzero"`
	// One of: points, multiplier, badge, token.
	RewardType      Optional[string]      `json:"rewardType,omitzero"`
	ShopStoreURL    Optional[string]      `json:"shopStoreUrl,omitzero"`
	ShowBeforeStart Optional[bool]        `json:"showBeforeStart,omitzero"`
	StartTime       Optional[time.Time]   `json:"startTime,omitzero"`
	SubscriptionID  Optional[string]      `json:"subscriptionId,omitzero"`
	TokenReward     Optional[TokenReward] `json:"tokenReward,omitzero"`
	TrackProgress   Optional[bool]        `json:"trackProgress,omitzero"`
	// Cannot be changed
	Type      Optional[string] `json:"type,omitzero"`
	WebsiteID Optional[string] `json:"websiteId,omitzero"`
}

type WriteStatusInputBody struct {
	// Adds to the progress; clamped to the rule's target
	IncProgress    Optional[Decimal] `json:"incProgress,omitzero"`
	LoyaltyRuleID  string            `json:"loyaltyRuleId"`
	OrganizationID Optional[string]  `json:"organizationId,omitzero"`
	// Sets the progress; clamped to the rule's target
	Progress      Optional[Decimal] `json:"progress,omitzero"`
	UserID        Optional[string]  `json:"userId,omitzero"`
	WalletAddress Optional[string]  `json:"walletAddress,omitzero"`
	WebsiteID     Optional[string]  `json:"websiteId,omitzero"`
}
