// Code generated from openapi.json by scripts/clients. DO NOT EDIT.

import type { Shapes } from "./decimals.js";

/** An exact decimal, such as "12.5". In JSON it is a number; here it is a text, so that no digit is lost. */
export type Decimal = string;

/** Known properties and your own. Requests check metadata for mistakes in typing; `as WithOwn<RuleMetadata>` adds others. */
export type WithOwn<T> = T & Record<string, unknown>;

/** The codes of errors. Later versions may have more. */
export type ErrorCode =
  | "account_blocked"
  | "account_link_expired"
  | "account_link_invalid"
  | "account_not_connected"
  | "account_not_found"
  | "account_of_another"
  | "account_used_by_another"
  | "admin_not_found"
  | "allowlist_exceeded"
  | "already_claimed"
  | "already_referred"
  | "already_reversed"
  | "already_rewarded"
  | "amount_not_allowed"
  | "api_key_invalid"
  | "api_key_not_found"
  | "api_key_read_only"
  | "api_key_required"
  | "asset_not_found"
  | "asset_not_listed"
  | "attribute_exists"
  | "auction_cancelled"
  | "auction_ended"
  | "auction_has_bids"
  | "auction_item_not_found"
  | "auction_not_ended"
  | "auction_not_found"
  | "auction_not_started"
  | "badge_not_found"
  | "badge_required"
  | "badge_reward_cycle"
  | "badge_reward_depth"
  | "badge_user_not_found"
  | "balance_kept_outside"
  | "bid_not_found"
  | "bid_too_low"
  | "body_too_large"
  | "check_in_amount_zero"
  | "choice_answered"
  | "choice_missing"
  | "choice_wrong"
  | "claim_ended"
  | "claim_frozen"
  | "claim_not_started"
  | "click_in_progress"
  | "code_wrong"
  | "collection_exists"
  | "collection_not_found"
  | "comment_link_required"
  | "comment_not_found"
  | "completion_in_progress"
  | "connects_by_redirect"
  | "consumer_not_found"
  | "content_url_required"
  | "contract_exists"
  | "contract_in_use"
  | "contract_not_found"
  | "currencies_cannot_mix"
  | "currency_not_found"
  | "data_job_not_found"
  | "delegation_not_found"
  | "edit_not_restorable"
  | "email_not_connected"
  | "email_not_verified"
  | "email_required"
  | "entry_not_sealed"
  | "event_not_found"
  | "file_not_found"
  | "follow_not_found"
  | "forbidden"
  | "foreign_account_link"
  | "foreign_member_token"
  | "foreign_organization"
  | "foreign_website"
  | "function_disabled"
  | "function_not_found"
  | "function_version_not_found"
  | "hold_final"
  | "hold_not_found"
  | "idempotency_key_not_allowed"
  | "idempotency_key_reused"
  | "idempotency_key_used"
  | "information_required"
  | "insufficient_balance"
  | "internal_error"
  | "invalid_request"
  | "invitation_not_found"
  | "job_not_found"
  | "limit_reached"
  | "list_not_found"
  | "lot_not_found"
  | "lot_not_pending"
  | "malformed_json"
  | "member_token_required"
  | "method_not_allowed"
  | "mint_final"
  | "mint_limit_reached"
  | "mint_not_found"
  | "minting_contract_not_found"
  | "minting_ended"
  | "minting_not_configured"
  | "minting_not_started"
  | "multiplier_exists"
  | "multiplier_not_found"
  | "new_users_only"
  | "no_allocation"
  | "no_wallet"
  | "not_found"
  | "not_on_allowlist"
  | "not_on_list"
  | "not_reversible"
  | "operation_not_allowed"
  | "order_changed"
  | "organization_not_found"
  | "page_section_not_found"
  | "payout_not_failed"
  | "payout_not_found"
  | "phone_not_verified"
  | "post_claimed"
  | "post_not_found"
  | "post_of_another"
  | "post_over"
  | "post_too_old"
  | "post_without_media"
  | "precondition_not_supported"
  | "provider_not_configured"
  | "provider_unavailable"
  | "quest_not_achieved"
  | "quest_not_completed"
  | "question_answered"
  | "question_choice_not_found"
  | "question_exists"
  | "question_not_found"
  | "quota_exceeded"
  | "rate_limited"
  | "record_changed"
  | "redirect_not_allowed"
  | "referral_code_not_found"
  | "referral_code_taken"
  | "referral_loop"
  | "refused"
  | "replay_not_found"
  | "repost_not_found"
  | "required_rules_open"
  | "reward_failed"
  | "role_not_found"
  | "route_not_found"
  | "rule_being_cleared"
  | "rule_chain_cycle"
  | "rule_chain_not_found"
  | "rule_edit_not_found"
  | "rule_expired"
  | "rule_group_not_found"
  | "rule_not_found"
  | "rule_not_set_up"
  | "rule_not_started"
  | "rule_type_not_allowed"
  | "secret_key_required"
  | "self_delegation"
  | "self_referral"
  | "service_unavailable"
  | "signature_expired"
  | "signature_invalid"
  | "signature_required"
  | "sold_out"
  | "subscription_disabled"
  | "subscription_not_found"
  | "terms_in_future"
  | "text_not_found"
  | "token_claim_not_found"
  | "token_currency_fixed"
  | "token_hold_network"
  | "token_hold_points"
  | "token_hold_sales"
  | "token_required"
  | "too_many_events"
  | "too_many_members"
  | "too_many_replays"
  | "too_many_to_order"
  | "transaction_not_found"
  | "unsupported_encoding"
  | "unsupported_media_type"
  | "upload_expired"
  | "upload_not_found"
  | "upload_used"
  | "user_attribute_not_found"
  | "user_attribute_value_not_found"
  | "user_group_not_found"
  | "user_in_other_group"
  | "user_metadata_not_found"
  | "user_not_connected"
  | "user_not_found"
  | "user_not_verified"
  | "verification_failed"
  | "wallet_type_not_supported"
  | "website_not_found"
  | "website_page_section_not_found"
  | "wrong_file_size" | (string & {});

/** The types of rules. */
export type RuleType =
  | "attendance_token_claim"
  | "bonus"
  | "bought_on"
  | "bought_with_royalties"
  | "chat_server_join"
  | "chat_server_member"
  | "chat_server_messages"
  | "chat_server_role_grant"
  | "check_in"
  | "code_entry"
  | "code_host_merge_request"
  | "code_host_repo_collaborator"
  | "code_host_repo_fork"
  | "code_host_repo_star"
  | "connect_wallet"
  | "connected_chat_server"
  | "connected_code_host"
  | "connected_email"
  | "connected_forum_platform"
  | "connected_game_launcher"
  | "connected_game_store"
  | "connected_messenger"
  | "connected_microblog"
  | "connected_phone"
  | "connected_photo_platform"
  | "connected_short_video"
  | "connected_video_platform"
  | "create_partner_account"
  | "dapps_by_active_users"
  | "dapps_by_gas_spent"
  | "dapps_by_new_users"
  | "dapps_by_transaction_count"
  | "dapps_by_user_retention"
  | "external_rule"
  | "forum_platform_comment"
  | "game_store_wishlist"
  | "governance_vote"
  | "link_click"
  | "liquidity_amm_v2"
  | "liquidity_amm_v3"
  | "listing"
  | "lodging"
  | "manual_upload"
  | "messenger_join"
  | "messenger_messages"
  | "microblog_comment"
  | "microblog_follow"
  | "microblog_followers"
  | "microblog_like"
  | "microblog_liked_by_project"
  | "microblog_post"
  | "microblog_post_hashtag"
  | "microblog_reaction"
  | "microblog_repost"
  | "microblog_text_in_bio"
  | "microblog_text_in_comment"
  | "microblog_text_in_name"
  | "minted_on"
  | "photo_platform_follow"
  | "photo_platform_post"
  | "points_airdrop"
  | "poll"
  | "post_impressions"
  | "profile_completed"
  | "quiz"
  | "referred_user"
  | "shop_spend"
  | "short_video_follow"
  | "short_video_post"
  | "smart_contract_event"
  | "snapshot_full_set"
  | "snapshot_hold"
  | "sold_on"
  | "sold_with_royalties"
  | "stratus_function"
  | "swap"
  | "text_input"
  | "token_hold"
  | "token_hold_erc20"
  | "video_platform_comment"
  | "video_platform_subscribe";

/** The balance of a member in a currency (contract 3.9) */
export interface Account {
  /** The balance */
  amount: Decimal;
  /**
   * For currencies of external ledgers: outside if the amount was read there, mirror if it is this
   * ledger's copy
   */
  amountFrom?: "outside" | "mirror";
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** How often the account changed; for a main account how many entries it has */
  lockVersion: number;
  /** The currency */
  loyaltyCurrencyId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /**
   * What the account owes of points that were taken back. It is taken from later credits. Absent if it
   * owes nothing; only of the member itself with client keys
   */
  receivable?: Decimal;
  /** When it was last changed */
  updatedAt: string;
  /** The member */
  user: AccountUser | null;
  /** The member; null for the main account, which pays out */
  userId: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** What leaderboards show of a member */
export interface AccountProfile {
  /** The user name on the chat server */
  chatServerUser: string | null;
  /** The name that others see */
  displayName: string | null;
  /** The URL of the member’s picture */
  logoUrl: string | null;
  /** The user name on the microblog, without @ */
  microblogUser: string | null;
  /** A label that the wallets of one person share; balances stay apart */
  walletGroupIdentifier: string | null;
}

/** Check-ins of a member in a row, on one rule (contract 3.19) */
export interface AccountStreak {
  /** When it was created */
  createdAt: string;
  /** A check-in from then on begins a new streak; null: never */
  expiresAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** The milestones of the rule */
  milestone: Milestone[];
  /** Windows in a row with a check-in, up to the last one */
  streakCount: number;
  /** When it was last changed */
  updatedAt: string;
  /** The member who checked in last */
  userId: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
}

/** The member of an account */
export interface AccountUser {
  /** The id, a UUID */
  id: string;
  /** What is known of the member, one item per website */
  userMetadata: AccountProfile[];
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
  /** The values of the member */
  websiteUserAttributeValues: AttributeValue[];
}

/** Input of the operation: Replace the signing key */
export interface ActInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Add items to an auction */
export interface AddAuctionItemsInputBody {
  /** The items to add */
  auctionItems: NewAuctionItem[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A call of a contract that a function asks the payout driver for */
export interface AddedCall {
  /** The chain id of the network */
  chainId?: unknown;
  /** 0x hex */
  data?: string;
  /** The address that is called */
  to: string;
  /** A whole number */
  value?: string;
}

/** The member of a wallet on a list */
export interface AllocatedUser {
  /** null until the wallet is a user */
  id: string | null;
  /** The wallet on the list */
  walletAddress: string;
}

/** Input of the operation: Write entries of an asset's allowlist */
export interface AllowBody {
  /** The entries to write; those of the same identifier are replaced */
  entries: AllowEntryInput[];
  /** The asset */
  mintingContractAssetId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** How many items of an asset one identifier may mint (contract 3.25) */
export interface AllowEntry {
  /** The id, a UUID */
  id: string;
  /** The asset */
  mintingContractAssetId: string;
  /** How many were minted */
  quantityMinted: number;
  /** How many may be minted in all */
  totalQuantity: number;
  /** The identifier that may mint */
  walletAddress: string;
}

/** How many items of an asset one identifier may mint */
export interface AllowEntryInput {
  /** How many may be minted */
  quantity: number;
  /** The identifier that may mint */
  walletAddress: string;
}

/** What was written to an allowlist */
export interface AllowOutputBody {
  /** How many entries are new */
  createdCount: number;
  /** The asset */
  mintingContractAssetId: string;
}

/** A choice of a question that a member has answered */
export interface AnsweredChoice {
  /** The id, a UUID */
  id: string;
  /** Only if the user can no longer answer */
  isCorrect?: boolean;
  /** The answer that members see */
  text: string;
}

/** The question that was answered */
export interface AnsweredQuestion {
  /** The choices */
  loyaltyQuestionChoices: AnsweredChoice[];
  /** The question */
  text: string;
}

/** Settings of a rule of any type: those of its own type have a meaning (contract 3.13) */
export interface AnyRuleMetadata {
  /** true: a member is rewarded for every code, whatever the interval of the rule */
  allowMultipleRedemptions?: boolean | null | undefined;
  /** Ids of rules, or "any" for all: completing one of them counts as a check-in (contract 5.9) */
  autoCheckInRuleIds?: string[] | null | undefined;
  /** Tokens in a batch; null: 1 */
  batchSize?: number | null | undefined;
  /** The label of the button. For display; the service does not use it */
  buttonText?: string | null | undefined;
  /** The chat servers that count, with their channels and roles */
  chatServersToJoin?: AnyRuleMetadataChatServersToJoin[] | null | undefined;
  /** true: members comment on the post */
  checkComment?: boolean | null | undefined;
  /** true: members like the post. Likes are taken on trust */
  checkLike?: boolean | null | undefined;
  /** true: members repost the post */
  checkRepost?: boolean | null | undefined;
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
  /** The branch that changes are merged into; null: any */
  codeHostBranchName?: string | null | undefined;
  /** The repository, as https://host/owner/name */
  codeHostRepoUrl?: string | null | undefined;
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: AnyRuleMetadataCollection[] | null | undefined;
  /** The fields of the profile, and the platforms, that members fill in or connect: all that are true */
  completeProfileConditions?: AnyRuleMetadataCompleteProfileConditions | null | undefined;
  /** What members have to do. For display; the service does not use it */
  conditionDescription?: string | null | undefined;
  /** A link beside the rule. For display; the service does not use it */
  cta?: AnyRuleMetadataCta | null | undefined;
  /** Seconds between two rewards, for the interval custom */
  customIntervalSeconds?: number | null | undefined;
  /**
   * A secret for customRewardsApiUrl, sent in the header x-api-key. Only organization and website keys
   * see it
   */
  customRewardsApiKey?: string | null | undefined;
  /** Balances are always read from nodes; kept for older clients */
  directRpc?: boolean | null | undefined;
  /** Whether members see the servers to join. For display; the service does not use it */
  enableJoinChatServers?: boolean | null | undefined;
  /** true: check-ins in consecutive windows count as a streak (contract 5.9) */
  enableStreaks?: boolean | null | undefined;
  /** true: verified microblog accounts get the amount times verifiedMultiplier */
  enableVerifiedMultiplier?: boolean | null | undefined;
  /** The balance that counts: of a contract (erc20, the default) or of the network’s coin (native) */
  erc20Type?: "erc20" | "native" | null | undefined;
  /** The market whose sales count, by the operator’s name for it; null: any */
  fillSource?: string | null | undefined;
  /** Percent of what a referred member earns that the referrer gets */
  firstReferralReward?: number | string | null | undefined;
  /** The forum post that members comment on */
  forumPlatformPostId?: string | null | undefined;
  /** The game in the store */
  gameStoreAppId?: string | null | undefined;
  /** The proposals that a vote on counts, as the partner knows them */
  governanceProposals?: AnyRuleMetadataGovernanceProposal[] | null | undefined;
  /** false: fillSource does not count */
  hasFillSource?: boolean | null | undefined;
  /** true: only members who never sold a token of the collections */
  hasNeverSold?: boolean | null | undefined;
  /** Sales with full royalties are types of their own; kept for older clients */
  hasPaidFullRoyalty?: boolean | null | undefined;
  /** false: saleCurrency does not count */
  hasSaleCurrency?: boolean | null | undefined;
  /** true: only members whose microblog account is verified by the platform */
  hasVerifiedMicroblog?: boolean | null | undefined;
  /** The URL of a picture. For display; the service does not use it */
  imageUrl?: string | null | undefined;
  /** true: the first change of the member’s balance in a window counts as a check-in */
  isCheckInOnEveryTxn?: boolean | null | undefined;
  /** Whether multipliers are shown. For display; the service does not use it */
  isMultiplierApplied?: boolean | null | undefined;
  /** true: only members who joined after startTime */
  isRestrictedToNewUsers?: boolean | null | undefined;
  /** true: a multiplier reward also multiplies the balance that the member has then, once */
  isRetroactive?: boolean | null | undefined;
  /** Whether the rule is shown as a multiplier. For display: rewardType decides */
  isTokenHoldMultiplier?: boolean | null | undefined;
  /** The URL that members open, or of the account that they follow */
  link?: string | null | undefined;
  /** The pools that count, and what their dollars pay (contract 6) */
  liquidity?: AnyRuleMetadataLiquidity | null | undefined;
  /** Once the post has so many comments, members need not comment on it */
  maxComments?: number | null | undefined;
  /** Once the post has so many likes, members need not like it */
  maxLikes?: number | null | undefined;
  /** Once the post has so many reposts, members need not repost it */
  maxReposts?: number | null | undefined;
  /** The channel or group, such as @example */
  messengerChannelId?: string | null | undefined;
  /** The URL of the account that members follow */
  microblogAccountUrl?: string | null | undefined;
  /** The hashtag that posts must have, with or without # */
  microblogHashtag?: string | null | undefined;
  /** The URL of the post that members react to */
  microblogPostUrl?: string | null | undefined;
  /** The id of your account on the microblog */
  microblogUserId?: string | null | undefined;
  /** The name of your account on the microblog. For display; the service does not use it */
  microblogUsername?: string | null | undefined;
  /** The fewest followers that an account must have; null: any number */
  minimumFollowerCount?: number | string | null | undefined;
  /** The currencies that a multiplier reward applies to; empty: all */
  multiplierLoyaltyCurrencyIds?: string[] | null | undefined;
  /**
   * What happens to points for an event that a reorganization removes: taken back within the balance
   * (the default), taken back in full, or kept
   */
  onReorg?: "reverse_within_balance" | "reverse" | "keep" | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** true: only sales in the network’s coin count */
  onlyNative?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: of each contract one token at most counts */
  onlyRewardSingleTokenOwnership?: boolean | null | undefined;
  /** A proposal for the text of members’ posts. For display; the service does not use it */
  preGeneratedPostText?: string | null | undefined;
  /** The code that all members enter, for promoCodeType code. Only organization and website keys see it */
  promoCode?: string | null | undefined;
  /**
   * A file with one single-use code per line, for promoCodeType csv. Only organization and website keys
   * see it
   */
  promoCodeCsvUrl?: string | null | undefined;
  /** How many single-use codes the service creates, for promoCodeType generate */
  promoCodeLength?: number | null | undefined;
  /**
   * One code for all members (code, the default), or single-use codes from a file (csv) or created by
   * the service (generate)
   */
  promoCodeType?: "code" | "csv" | "generate" | null | undefined;
  /**
   * Tiers: the reward depends on the value that was measured or sent. Tiers do not overlap (contract
   * 5.7)
   */
  range?: AnyRuleMetadataRange[] | null | undefined;
  /** Counts of the post, written by the service. Values in requests are ignored */
  reactionStats?: AnyRuleMetadataReactionStats | null | undefined;
  /** What a referred member must have done before rewards are paid: all that are true (contract 5.12) */
  referralRequirements?: AnyRuleMetadataReferralRequirements | null | undefined;
  /** What the referrer gets once for each referred member who meets the requirements */
  referrerReward?: number | string | null | undefined;
  /** The currency of referrerReward; null: that of the rule */
  referrerRewardLoyaltyCurrencyId?: string | null | undefined;
  /** true: members send the link of their post as contentUrl */
  requirePostLink?: boolean | null | undefined;
  /** true: only posts with a picture or video count */
  requirePostMediaLink?: boolean | null | undefined;
  /** true: progress starts again at 0 after a reward */
  resetProgressOnClaim?: boolean | null | undefined;
  /** true: members also get the badge of the tier */
  rewardBadgePerRange?: boolean | null | undefined;
  /** true: the amount is paid for each full batch of batchSize tokens */
  rewardByBatch?: boolean | null | undefined;
  /** What counts: views (the default) or posts */
  rewardCriteria?: "IMPRESSIONS_COUNT" | "ELIGIBLE_POST" | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
  /** true: the amount is paid for each view */
  rewardPerImpression?: boolean | null | undefined;
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
  /** true: replies and reposts do not count */
  rewardQualityPosts?: boolean | null | undefined;
  /** The decimal places to which a reward by value is cut; null: 6 */
  roundTo?: number | null | undefined;
  /** How a reward by value is cut; null: down */
  rounding?: "down" | "half_up" | "up" | null | undefined;
  /** Who receives the royalty; null: the address that the collection names */
  royaltyAddress?: string | null | undefined;
  /** The royalty in percent of the price; null: the royaltyFee of the collection */
  royaltyPercentage?: number | string | null | undefined;
  /** The address of the token that sales are paid in, or native; null: any */
  saleCurrency?: string | null | undefined;
  /** Percent of what members of the second tier earn: those whom a referred member referred */
  secondReferralReward?: number | string | null | undefined;
  /** true: multipliers of members do not raise this reward */
  skipMultiplier?: boolean | null | undefined;
  /** The event or call that completes the rule */
  smartContract?: AnyRuleMetadataSmartContract | null | undefined;
  /** The platform of the rule. For display; the service does not use it */
  socialPlatform?: "Custom" | "Microblog" | "PhotoPlatform" | "ChatServer" | "Messenger" | "ShortVideo" | "VideoPlatform" | "LiveStream" | "ForumPlatform" | "CodeHost" | "GameStore" | "GameLauncher" | "WebAccount" | "Phone" | null | undefined;
  /** The URL of the platform’s logo. For display; the service does not use it */
  socialPlatformLogo?: string | null | undefined;
  /** The name of the platform. For display; the service does not use it */
  socialPlatformName?: string | null | undefined;
  /** What members get in addition when a streak reaches a milestone, once per streak */
  streakArray?: AnyRuleMetadataStreakArray[] | null | undefined;
  /** The swaps that count, as the partner checks them */
  swap?: AnyRuleMetadataSwap | null | undefined;
  /** Seconds between the click and the reward, 0 to 604,800; null: 30 */
  timeDelayToVerifySeconds?: number | string | null | undefined;
  /** The fewest characters of a text; null: 1 */
  verificationTextMinimumLength?: number | null | undefined;
  /** The factor for verified microblog accounts */
  verifiedMultiplier?: number | null | undefined;
  /**
   * The placeholder of the field in which members enter a code, text or link. For display; the service
   * does not use it
   */
  verifyPlaceHolderText?: string | null | undefined;
  /** The channel that members subscribe to */
  videoPlatformChannelId?: string | null | undefined;
  /** The video that members comment on */
  videoPlatformVideoId?: string | null | undefined;
  /** The type of wallet that counts; null: any */
  walletType?: "evm" | "solana" | "imx" | "sui" | "ton" | "cosmos" | "agw" | "flow_cadence" | "substrate" | null | undefined;
}

export interface AnyRuleMetadataChatServersToJoin {
  /** The channels whose messages count; empty: all of the server */
  channels?: AnyRuleMetadataChatServersToJoinChannel[] | null | undefined;
  /** The server */
  id: string;
  /** Roles of which a member must have one */
  roles?: AnyRuleMetadataChatServersToJoinRole[] | null | undefined;
}

export interface AnyRuleMetadataChatServersToJoinChannel {
  /** Emojis of which a message must have one */
  emojis?: AnyRuleMetadataChatServersToJoinChannelEmoji[] | null | undefined;
  /** The channel; null: all of the server */
  id?: string | null | undefined;
  /** Text that a message must have */
  text?: string | null | undefined;
}

export interface AnyRuleMetadataChatServersToJoinChannelEmoji {
  /** The emoji */
  id: string;
}

export interface AnyRuleMetadataChatServersToJoinRole {
  /** The role */
  id: string;
}

export interface AnyRuleMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** The fields of the profile, and the platforms, that members fill in or connect: all that are true */
export interface AnyRuleMetadataCompleteProfileConditions {
  /** true: members need it (About) */
  bio?: boolean | null | undefined;
  /** true: members need it (Chat server) */
  chat_server?: boolean | null | undefined;
  /** true: members need it (Code host) */
  code_host?: boolean | null | undefined;
  /** true: members need it (Name) */
  displayName?: boolean | null | undefined;
  /** true: members need it (E-mail) */
  email?: boolean | null | undefined;
  /** true: members need it (Forum) */
  forum_platform?: boolean | null | undefined;
  /** true: members need it (Game launcher) */
  game_launcher?: boolean | null | undefined;
  /** true: members need it (Game store) */
  game_store?: boolean | null | undefined;
  /** true: members need it (Location) */
  location?: boolean | null | undefined;
  /** true: members need it (Picture) */
  logoUrl?: boolean | null | undefined;
  /** true: members need it (Messenger) */
  messenger?: boolean | null | undefined;
  /** true: members need it (Microblog) */
  microblog?: boolean | null | undefined;
  /** true: members need it (Phone) */
  phone?: boolean | null | undefined;
  /** true: members need it (Photo platform) */
  photo_platform?: boolean | null | undefined;
  /** true: members need it (Link) */
  portfolioUrl?: boolean | null | undefined;
  /** true: members need it (Short video platform) */
  short_video?: boolean | null | undefined;
  /** true: members need it (Video platform) */
  video_platform?: boolean | null | undefined;
}

/** A link beside the rule. For display; the service does not use it */
export interface AnyRuleMetadataCta {
  /** The URL of the link */
  href?: string | null | undefined;
  /** The text of the link */
  label?: string | null | undefined;
}

export interface AnyRuleMetadataGovernanceProposal {
  /** The proposal */
  id?: number | string | null | undefined;
  /** Where it is voted on */
  space?: string | null | undefined;
}

/** The pools that count, and what their dollars pay (contract 6) */
export interface AnyRuleMetadataLiquidity {
  /** By liquidityPerDay (fixed, the default) or by customFunction */
  calculationType?: "fixed" | "custom" | null | undefined;
  /** A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log */
  customFunction?: string | null | undefined;
  /** The dollars for which the amount of the rule is paid */
  liquidityPerDay?: number | null | undefined;
  /** The network of the pools, of contract 2.1 */
  network?: string | null | undefined;
  /** true: positions count only while the price is in their range */
  onlyRewardInRangeLiquidity?: boolean | null | undefined;
  /** The pools */
  pools?: AnyRuleMetadataLiquidityPool[] | null | undefined;
  /** The protocol. For display; the service does not use it */
  protocol?: string | null | undefined;
}

export interface AnyRuleMetadataLiquidityPool {
  /** The address of the pool */
  id: string;
}

export interface AnyRuleMetadataRange {
  /** What the tier pays, at least 0; null: the amount of the rule */
  amount?: number | string | null | undefined;
  /** The greatest value of the tier, at least startRange */
  endRange: number | string;
  /** The badge of the tier, with rewardBadgePerRange */
  loyaltyBadgeId?: string | null | undefined;
  /** The multiplier of the tier, for rewardType multiplier */
  loyaltyMultiplierAmount?: number | string | null | undefined;
  /** The least value of the tier */
  startRange: number | string;
}

/** Counts of the post, written by the service. Values in requests are ignored */
export interface AnyRuleMetadataReactionStats {
  /** Comments on the post */
  commentCount?: number | null | undefined;
  /** Likes of the post */
  likeCount?: number | null | undefined;
  /** Reposts of the post */
  repostCount?: number | null | undefined;
  /** When the counts were read */
  syncedAt?: string | null | undefined;
}

/** What a referred member must have done before rewards are paid: all that are true (contract 5.12) */
export interface AnyRuleMetadataReferralRequirements {
  /** A balance: that of points, or any above 0 */
  achievePoints?: boolean | null | undefined;
  /** The fields of completeProfileConditions */
  completeProfile?: boolean | null | undefined;
  /** A connected chat server account */
  connectChatServer?: boolean | null | undefined;
  /** A verified e-mail address */
  connectEmail?: boolean | null | undefined;
  /** A connected microblog account */
  connectMicroblog?: boolean | null | undefined;
  /** The balance that achievePoints asks for */
  points?: AnyRuleMetadataReferralRequirementsPoints | null | undefined;
}

/** The balance that achievePoints asks for */
export interface AnyRuleMetadataReferralRequirementsPoints {
  /** The least balance */
  amount?: number | string | null | undefined;
  /** Its currency; null: that of the rule */
  loyaltyCurrencyId?: string | null | undefined;
}

/** The event or call that completes the rule */
export interface AnyRuleMetadataSmartContract {
  /** The argument with the member’s wallet; null: the sender of the transaction */
  addressMapping?: string | null | undefined;
  /** What the amount is multiplied by */
  amountMultiplier?: AnyRuleMetadataSmartContractAmountMultiplier | null | undefined;
  /** A contract of the website, whose logs are watched; null: a subscription feeds the rule */
  contractId?: string | null | undefined;
  /** everyEvent: params do not count; byParameter, the default: they do */
  criteria?: "everyEvent" | "byParameter" | null | undefined;
  /** The name or full signature of the event or function, such as Transfer(address,address,uint256) */
  event?: string | null | undefined;
  /** Conditions on arguments, which must all hold */
  params?: AnyRuleMetadataSmartContractParam[] | null | undefined;
  /** What counts: events (the default) or calls of a function */
  type?: "function" | "event" | null | undefined;
}

/** What the amount is multiplied by */
export interface AnyRuleMetadataSmartContractAmountMultiplier {
  /** An argument with a number. That of a fungible token counts in whole tokens */
  valueMapping?: string | null | undefined;
}

export interface AnyRuleMetadataSmartContractParam {
  /** The comparison: of integers if both are, else of texts; null: equals */
  condition?: "equals" | "not_equals" | "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "contains" | null | undefined;
  /** The argument */
  name?: string | null | undefined;
  /** The value to compare with */
  value?: unknown | undefined;
}

export interface AnyRuleMetadataStreakArray {
  /** The points in addition, at least 0 */
  streakAmount?: number | string | null | undefined;
  /** Consecutive windows with a check-in, at least 1; each milestone once */
  streakMilestone?: number | string | null | undefined;
}

/** The swaps that count, as the partner checks them */
export interface AnyRuleMetadataSwap {
  /** What is given */
  from?: AnyRuleMetadataSwapFrom | null | undefined;
  /** true: only swaps from one chain to another */
  requireCrossChainSwap?: boolean | null | undefined;
  /** What is received */
  to?: AnyRuleMetadataSwapTo | null | undefined;
}

/** What is given */
export interface AnyRuleMetadataSwapFrom {
  /** The chain id, or any */
  chain?: number | string | null | undefined;
  /** Any token, or one of tokens */
  mode?: "any" | "specific" | null | undefined;
  /** The tokens that count */
  tokens?: AnyRuleMetadataSwapFromToken[] | null | undefined;
  /** true: the amount of this side counts. It needs exactly one token, and one side only */
  trackAmount?: boolean | null | undefined;
}

export interface AnyRuleMetadataSwapFromToken {
  /** The contract of the token */
  address?: string | null | undefined;
  /** Its chain id */
  chainId?: number | string | null | undefined;
}

/** What is received */
export interface AnyRuleMetadataSwapTo {
  /** The chain id, or any */
  chain?: number | string | null | undefined;
  /** Any token, or one of tokens */
  mode?: "any" | "specific" | null | undefined;
  /** The tokens that count */
  tokens?: AnyRuleMetadataSwapToToken[] | null | undefined;
  /** true: the amount of this side counts. It needs exactly one token, and one side only */
  trackAmount?: boolean | null | undefined;
}

export interface AnyRuleMetadataSwapToToken {
  /** The contract of the token */
  address?: string | null | undefined;
  /** Its chain id */
  chainId?: number | string | null | undefined;
}

/** A key of the API, without its secret (contract 3.35) */
export interface ApiKey {
  /** Origins of browsers that may use a client key; empty: all */
  allowedOrigins: string[];
  /** When it was created */
  createdAt: string;
  /** When the key ends; null: never */
  expiresAt: string | null;
  /** The id, a UUID */
  id: string;
  /** When the key was last used, exact to a minute; null: never */
  lastUsedAt: string | null;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The first 12 characters of the key */
  prefix: string;
  /** When the key was revoked; null: it is valid */
  revokedAt: string | null;
  /** The role (contract 2) */
  roleType: string;
  /** The service user as which the key acts */
  userId: string;
  /** The website; null for keys of the organization */
  websiteId: string | null;
}

/** Input of the operation: Set the whole layout of the loyalty page */
export interface ArrangeBlocksBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
  /** The whole new layout: items without id are created, and blocks that are missing are removed */
  websitePageSections: BlockInput[];
}

/** A file (contract 3.31) */
export interface Asset {
  /** When it was created */
  createdAt: string;
  /** Until when it can be uploaded; null once it was */
  expiresAt: string | null;
  /** As the url holds it */
  fileName: string;
  /** The folder */
  filePath: string;
  /** Bytes */
  fileSize: number;
  /** The id, a UUID */
  id: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** null until it was uploaded */
  uploadedAt: string | null;
  /** Where the file is found, by anyone */
  url: string;
  /** The user who owns the file; null: none */
  userId: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** One attempt to deliver an event */
export interface Attempt {
  /** When it was tried */
  at: string;
  /** The answer, its first 1,024 bytes */
  body: string;
  /** How long it took, in milliseconds */
  durationMs: number;
  /** Why the attempt failed; null: it did not */
  error: string | null;
  /** The number of the attempt, from 1 */
  number: number;
  /** The HTTP status of the answer; null: there was none */
  status: number | null;
}

/** An attribute to write */
export interface AttributeInput {
  /** Of an attribute that gets the label */
  id?: string | null | undefined;
  /** The name of the attribute */
  label: string;
}

/** The value of an attribute, with the attribute */
export interface AttributeValue {
  /** The value */
  value: string;
  /** The attribute */
  websiteUserAttribute: ShortAttribute;
}

/** Input of the operation: Create or change attributes of users */
export interface AttributesBody {
  /** The attributes to write */
  data: AttributeInput[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** An auction, in which members bid points (contract 3.27) */
export interface Auction {
  /** The highest 10; none while bids are hidden */
  auctionBids: TopAuctionBid[];
  /** With includeItems=true */
  auctionItems?: AuctionItem[];
  /** Only owners of one of these collections may bid; empty: everyone */
  biddersOwnCollectionAddresses: string[];
  /** When it was created */
  createdAt: string;
  /** The token that prices or bids are in; null: points, or the network’s coin */
  currencyAddress: string | null;
  /** The decimal places of the currency */
  currencyDecimals: number;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** A text for people */
  description: string;
  /** When the auction ends */
  endsAt: string;
  /** A bid so shortly before the end moves the end to so many seconds after it */
  extendedDurationInSeconds: number | null;
  /** true: bids are not shown until the end */
  hideBids: boolean;
  /** The id, a UUID */
  id: string;
  /** The currency */
  loyaltyCurrency: AuctionCurrency | null;
  /** Bids are points of it */
  loyaltyCurrencyId: string;
  /** The least bid, a decimal */
  minBidAmount: string;
  /** The least step above the best bid of an open auction, a decimal */
  minBidIncrement: string | null;
  /** The minting contract */
  mintingContractId: string;
  /** The name, for people */
  name: string;
  /** The blockchain, by a name of contract 2.1 */
  network: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Shown to secret keys only */
  reservePrice: string | null;
  /** Empty: bids are points */
  signature: string;
  /** When bids are taken from */
  startsAt: string;
  /** in_progress also before it starts */
  status: "in_progress" | "completed" | "cancelled";
  /** How the winner pays: its bid, the second bid, or by open bidding */
  type: "first_price" | "second_price" | "english";
  /** When it was last changed */
  updatedAt: string;
  /** The user who created it */
  userId: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A bid of a member (contract 3.27) */
export interface AuctionBid {
  /** The bid, a decimal */
  amount: string;
  /** The auction; null: it was deleted */
  auction: BidsAuction | null;
  /** The auction */
  auctionId: string;
  /** The item; null: none was named */
  auctionItem: AuctionBidItem | null;
  /** The item that the bidder named; for a fulfilled bid the one that it won */
  auctionItemId: string | null;
  /** When it was created */
  createdAt: string;
  /** The token that prices or bids are in; null: points, or the network’s coin */
  currencyAddress: string | null;
  /** The decimal places of the currency */
  currencyDecimals: number;
  /** The id, a UUID */
  id: string;
  /** The currency */
  loyaltyCurrency: AuctionBidCurrency | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Where the bid stands */
  status: "submitted" | "accepted" | "rejected" | "fulfilled";
  /** When it was last changed */
  updatedAt: string;
  /** The member */
  user: ShortUser;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The asset of a bid’s item */
export interface AuctionBidAsset {
  /** The id, a UUID */
  id: string;
  /** true: a thing that is shipped belongs to it */
  isPhygitalItem: boolean;
  /** When it was revealed; null: not yet */
  revealedAt: string | null;
  /** Always null */
  shippingPrice: Decimal | null;
  /** The id of the token in its contract; null: none */
  tokenId: number | null;
}

/** The currency of a bid, with its external ledger for secret keys */
export interface AuctionBidCurrency {
  /** The user name or header for the external ledger. Only organization and website keys see it */
  apiAuthKey: string | null;
  /** How the external ledger is called; null: this service keeps the balances */
  apiAuthType: string | null;
  /** The secret for the external ledger. Only organization and website keys see it */
  apiAuthValue: string | null;
  /** Where the external ledger is asked about an entry (contract 5.15) */
  apiGetTransactionEntryUrl: string | null;
  /** Where balances are read from the external ledger (contract 5.15) */
  apiGetUrl: string | null;
  /** Where transactions are posted to the external ledger (contract 5.15) */
  apiPostUrl: string | null;
}

/** The item of a bid */
export interface AuctionBidItem {
  /** The id, a UUID */
  id: string;
  /** The asset */
  mintingContractAsset: AuctionBidAsset | null;
  /** How many the winner gets */
  quantity: number;
}

/** The currency of an auction */
export interface AuctionCurrency {
  /** How many places a page shows; amounts are whole units everywhere */
  decimals: number;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** The name, for people */
  name: string;
  /** The short name, such as PTS */
  symbol: string;
}

/** An item of an auction (contract 3.27) */
export interface AuctionItem {
  /** The auction */
  auctionId: string;
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** The asset */
  mintingContractAsset: AuctionItemAsset;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How many the winner gets */
  quantity: number;
  /** The place in lists: the lowest first */
  sortId: number;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The asset of an item */
export interface AuctionItemAsset {
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** true: a thing that is shipped belongs to it */
  isPhygitalItem: boolean;
  /** The name, for people */
  name: string;
  /** When it was revealed; null: not yet */
  revealedAt: string | null;
  /** The id of the token in its contract; null: none */
  tokenId: number | null;
}

/** An item of an auction that offers the asset */
export interface AuctionedItem {
  /** The id, a UUID */
  id: string;
}

/** Blocks that are still to be read */
export interface Backfill {
  /** The next block to be read */
  nextBlock: string;
  /** The last block to be read */
  toBlock: string;
}

/** A badge, with its conditions, rewards and holders (contract 3.21) */
export interface Badge {
  /** When it was created */
  createdAt: string;
  /** Newest first */
  dataJobs: BadgeJob[];
  /** In lists with includeDeleted */
  deletedAt?: string;
  /** A text for members */
  description: string;
  /** true: not shown to members */
  hideInUi: boolean;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string;
  /** With a user filter the rows of those users, else the newest 100 */
  loyaltyBadgeUsers: BadgeUser[];
  /** The conditions */
  loyaltyConditions: BadgeCondition[];
  /** Rules that grant it, or to which a condition refers */
  loyaltyRules: BadgeThing[];
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** What members get */
  rewards: BadgeReward[];
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** What a condition refers to: one of the properties, the others are null */
export interface BadgeAssociation {
  /** The badge */
  loyaltyBadge: BadgeThing | null;
  /** The currency */
  loyaltyCurrency: BadgeThing | null;
  /** Always null */
  loyaltyLeaderboardView: BadgeThing | null;
  /** The rule */
  loyaltyRule: BadgeThing | null;
  /** The group of rules */
  loyaltyRuleGroup: BadgeThing | null;
}

/** A condition that earns a badge (contract 3.21) */
export interface BadgeCondition {
  /** For points the balance that is needed, for level the worst rank, else 0 */
  amount: Decimal;
  /** What the condition refers to */
  association: BadgeAssociation[];
  /** Shown to secret keys only */
  csvFiles: BadgeFile[];
  /** Shown to secret keys only */
  csvUrl: string | null;
  /** What members have to do, for people */
  description: string;
  /** The id, a UUID */
  id: string;
  /** The currency of the balance or rank; null for other conditions */
  loyaltyCurrencyId: string | null;
  /** The group of a condition of type section; null for others */
  loyaltyRuleGroupId: string | null;
  /** How often the rule must be completed */
  repeatCount: number;
  /** How many of the rules, badges or rules of the group are needed */
  requiredCount: number;
  /** What the condition asks (contract 2) */
  type: "rule" | "rules" | "section" | "points" | "level" | "api" | "badge" | "badges" | "csv";
}

/** A file with members who meet a condition */
export interface BadgeFile {
  /** A text for people */
  description: string | null;
  /** The id, a UUID */
  id: string;
  /** The name of the file; null: none */
  name: string | null;
  /** The address of the file */
  url: string;
}

/** A job that judges members for a badge, or imports its lists (contract 3.21) */
export interface BadgeJob {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** Shown to secret keys only */
  message?: string;
  /** Where the job stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  /** When it was last changed */
  updatedAt: string;
}

/** How far a member is toward one condition */
export interface BadgeProgress {
  /** true: it is met */
  complete: boolean;
  /** What there is */
  current: Decimal;
  /** The condition */
  loyaltyConditionId: string;
  /** What is needed */
  required: Decimal;
  /** What the condition asks (contract 2) */
  type: string;
}

/** What holders of a badge get (contract 3.21) */
export interface BadgeReward {
  /** Points or tokens; 0 for other rewards */
  amount: Decimal;
  /** The id, a UUID */
  id: string;
  /** true: a multiplier also multiplies the present balance once */
  isRetroactive: boolean;
  /** The further badge that is granted; null for other rewards */
  loyaltyBadgeId: string | null;
  /** The currency of points and tokens; null for other rewards */
  loyaltyCurrencyId: string | null;
  /** For multipliers; empty: all currencies */
  loyaltyCurrencyIds: string[];
  /** The factor of a multiplier; 1 for other rewards */
  multiplier: Decimal;
  /** What members get */
  rewardType: "points" | "multiplier" | "badge" | "token";
}

/** What a condition or badge refers to */
export interface BadgeThing {
  /** The id, a UUID */
  id: string;
  /** The name, for people */
  name: string;
}

/** A member’s badge, also one that is not earned yet (contract 3.21) */
export interface BadgeUser {
  /** Left out until granted */
  completedAt?: string;
  /** When it was created */
  createdAt: string;
  /** true: the member has dismissed the badge */
  dismissedInUi: boolean;
  /** true: not shown to members */
  hideInUi: boolean;
  /** The id, a UUID */
  id: string;
  /** The badge */
  loyaltyBadgeId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How far the member is, by condition */
  progress: BadgeProgress[];
  /** active while the badge is held */
  status: "active" | "inactive" | "revoked";
  /** When it was last changed */
  updatedAt: string;
  /** The member */
  user: ShortUser;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The banner of a page section */
export interface BannerInput {
  /** The pictures that the banner turns through */
  carousel?: CarouselInput | null | undefined;
  /** The id, a UUID */
  id?: string | null | undefined;
  /** The collections that the banner shows */
  websiteCollectionBanners?: ShownInput[] | undefined;
}

/** A replay that has begun */
export interface BegunReplay {
  /** The id, a UUID */
  id: string;
  /** Percent of the period that is done */
  progress: number;
  /** Where the job stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
}

/** The auction of a bid */
export interface BidsAuction {
  /** The id, a UUID */
  id: string;
  /** The name of the auction */
  name: string;
}

/** A block of the loyalty page (contract 3.30) */
export interface BlockInput {
  /** The id of an existing block; absent: a new block */
  id?: string | null | undefined;
  /** true: client keys do not see it */
  isHidden?: boolean | undefined;
  /** The group of rules that the block shows */
  loyaltyRuleGroupId?: string | null | undefined;
  /** Settings of the block for your website, stored as they are sent */
  metadata?: Record<string, unknown> | undefined;
  /** Default: its place in the list, from 0 */
  sortId?: number | undefined;
  /** The second heading */
  subTitle?: string | null | undefined;
  /** The heading */
  title?: string | null | undefined;
  /** A name of your own, such as hero or leaderboard */
  type: string;
}

/** An event or a call of a contract to watch (contract 3.32) */
export interface BlockchainInput {
  /** EVENT or FUNCTION */
  blockchainSubscriptionType?: string | undefined;
  /** The chain id of the network */
  chainId?: number | undefined;
  /** The address of the contract */
  contractAddress?: string | undefined;
  /**
   * A JSON fragment or a signature such as event Transfer(address indexed from, address indexed to,
   * uint256 value)
   */
  eventAbi?: string | undefined;
  /** The first block that counts. Default: the newest one */
  fromBlock?: string | undefined;
  /** The function, as JSON or as a signature */
  functionAbi?: string | undefined;
  /** An id of your own, carried in events */
  triggerId?: string | null | undefined;
}

/** An event or a call of a contract that is watched (contract 3.32) */
export interface BlockchainSource {
  /** The blocks from fromBlock on that are still to be read; absent once all are */
  backfill?: Backfill;
  /** EVENT: logs of contracts; FUNCTION: calls */
  blockchainSubscriptionType: "EVENT" | "FUNCTION";
  /** The chain id of the network */
  chainId: number;
  /** The address of the contract */
  contractAddress: string;
  /** When it was created */
  createdAt: string;
  /** The newest block when it was created; 0: the chain was not read */
  createdAtBlock: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The event, as JSON or as a signature */
  eventAbi: string;
  /** The first topic of the event, or the selector of the function */
  eventSelector: string;
  /** The first block that counts. Default: the newest one */
  fromBlock: string;
  /** The function, as JSON or as a signature */
  functionAbi: string;
  /** The id, a UUID */
  id: string;
  /** When it was last changed */
  updatedAt: string;
}

/** Settings of rules of type bought_on. Members buy tokens with their wallet. */
export interface BoughtOnMetadata {
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: BoughtOnMetadataCollection[] | null | undefined;
  /** The market whose sales count, by the operator’s name for it; null: any */
  fillSource?: string | null | undefined;
  /** false: fillSource does not count */
  hasFillSource?: boolean | null | undefined;
  /** false: saleCurrency does not count */
  hasSaleCurrency?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** true: only sales in the network’s coin count */
  onlyNative?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
  /** The address of the token that sales are paid in, or native; null: any */
  saleCurrency?: string | null | undefined;
}

export interface BoughtOnMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type bought_on, with its settings */
export interface BoughtOnRule {
  /** The settings of the type */
  metadata?: BoughtOnMetadata | null | undefined;
  /** The type of the rule */
  type: "bought_on";
}

/** Settings of rules of type bought_with_royalties. Members buy tokens and pay you royalties. */
export interface BoughtWithRoyaltiesMetadata {
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: BoughtWithRoyaltiesMetadataCollection[] | null | undefined;
  /** The market whose sales count, by the operator’s name for it; null: any */
  fillSource?: string | null | undefined;
  /** false: fillSource does not count */
  hasFillSource?: boolean | null | undefined;
  /** Sales with full royalties are types of their own; kept for older clients */
  hasPaidFullRoyalty?: boolean | null | undefined;
  /** false: saleCurrency does not count */
  hasSaleCurrency?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** true: only sales in the network’s coin count */
  onlyNative?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
  /** Who receives the royalty; null: the address that the collection names */
  royaltyAddress?: string | null | undefined;
  /** The royalty in percent of the price; null: the royaltyFee of the collection */
  royaltyPercentage?: number | string | null | undefined;
  /** The address of the token that sales are paid in, or native; null: any */
  saleCurrency?: string | null | undefined;
}

export interface BoughtWithRoyaltiesMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type bought_with_royalties, with its settings */
export interface BoughtWithRoyaltiesRule {
  /** The settings of the type */
  metadata?: BoughtWithRoyaltiesMetadata | null | undefined;
  /** The type of the rule */
  type: "bought_with_royalties";
}

/** A file with members who meet the csv condition of a badge */
export interface CSVInput {
  /** A text for people */
  description?: string | null | undefined;
  /** A name for the file */
  name?: string | null | undefined;
  /** The address of the file */
  src: string;
}

/** The last answer of the receiver of an event */
export interface Callback {
  /** What the receiver answered */
  response: CallbackResponse;
}

/** An answer of the receiver, its beginning */
export interface CallbackResponse {
  /** The answer, its first 1,024 bytes */
  body: string;
  /** How long it took, in milliseconds */
  durationMs: number;
  /** Why the attempt failed; null: it did not */
  error: string | null;
  /** The HTTP status of the answer; null: there was none */
  status: number | null;
}

/** Input of the operation: Cancel an auction */
export interface CancelAuctionInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Cancel held points */
export interface CancelLotInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Kept with the lot */
  reason?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Capture a hold, or a part of it */
export interface CaptureHoldInputBody {
  /** Above 0 and at most what is held, which is the default */
  amount?: Decimal | number | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The pictures of a banner */
export interface CarouselInput {
  /** The pictures */
  carouselItems?: CarouselItemInput[] | undefined;
  /** The id, a UUID */
  id?: string | null | undefined;
}

/** A picture of a banner */
export interface CarouselItemInput {
  /** The id, a UUID */
  id?: string | null | undefined;
  /** Default: its place in the list, from 0 */
  sortId?: number | null | undefined;
}

/** A rule chain */
export interface ChainBody {
  /** The chain */
  data: RuleChain;
}

/** A condition of a rule chain (contract 3.17) */
export interface ChainCondition {
  /** For points the balance that is needed, for level the worst rank, else 0 */
  amount: Decimal;
  /** What the condition refers to */
  association: ChainNeedful[];
  /** Shown to secret keys only */
  csvUrl: string | null;
  /** A text for people */
  description: string;
  /** The id, a UUID */
  id: string;
  /** How often the rule must be completed */
  repeatCount: number;
  /** null: all */
  requiredCount: number | null;
  /** What the condition asks (contract 2) */
  type: "rule" | "rules" | "section" | "points" | "level" | "api" | "badge" | "badges" | "csv";
}

/** What a condition of a chain refers to */
export interface ChainNeedful {
  /** The id, a UUID */
  id: string;
  /** The badge that is needed; null for other conditions */
  loyaltyBadgeId: string | null;
  /** The currency */
  loyaltyCurrency: Named | null;
  /** The currency of the balance or rank; null for other conditions */
  loyaltyCurrencyId: string | null;
  /** The rule */
  loyaltyRule: Named | null;
  /** The group of a condition of type section; null for others */
  loyaltyRuleGroupId: string | null;
  /** The rule */
  loyaltyRuleId: string | null;
}

/** Input of the operation: Grant and revoke roles */
export interface ChangeRolesInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
  /** The roles to grant or, with deletedAt, to revoke */
  websiteUserRoles: RoleChange[];
}

/** The roles that were written */
export interface ChangedRoles {
  /** The roles as they are now */
  data: UserRole[];
}

/** Settings of rules of type chat_server_join. Members join your chat server. */
export interface ChatServerJoinMetadata {
  /** The chat servers that count, with their channels and roles */
  chatServersToJoin?: ChatServerJoinMetadataChatServersToJoin[] | null | undefined;
  /** Whether members see the servers to join. For display; the service does not use it */
  enableJoinChatServers?: boolean | null | undefined;
}

export interface ChatServerJoinMetadataChatServersToJoin {
  /** The channels whose messages count; empty: all of the server */
  channels?: ChatServerJoinMetadataChatServersToJoinChannel[] | null | undefined;
  /** The server */
  id: string;
  /** Roles of which a member must have one */
  roles?: ChatServerJoinMetadataChatServersToJoinRole[] | null | undefined;
}

export interface ChatServerJoinMetadataChatServersToJoinChannel {
  /** Emojis of which a message must have one */
  emojis?: ChatServerJoinMetadataChatServersToJoinChannelEmoji[] | null | undefined;
  /** The channel; null: all of the server */
  id?: string | null | undefined;
  /** Text that a message must have */
  text?: string | null | undefined;
}

export interface ChatServerJoinMetadataChatServersToJoinChannelEmoji {
  /** The emoji */
  id: string;
}

export interface ChatServerJoinMetadataChatServersToJoinRole {
  /** The role */
  id: string;
}

/** A rule of type chat_server_join, with its settings */
export interface ChatServerJoinRule {
  /** The settings of the type */
  metadata?: ChatServerJoinMetadata | null | undefined;
  /** The type of the rule */
  type: "chat_server_join";
}

/** Settings of rules of type chat_server_member. Members are on your chat server. */
export interface ChatServerMemberMetadata {
  /** The chat servers that count, with their channels and roles */
  chatServersToJoin?: ChatServerMemberMetadataChatServersToJoin[] | null | undefined;
  /** Whether members see the servers to join. For display; the service does not use it */
  enableJoinChatServers?: boolean | null | undefined;
}

export interface ChatServerMemberMetadataChatServersToJoin {
  /** The channels whose messages count; empty: all of the server */
  channels?: ChatServerMemberMetadataChatServersToJoinChannel[] | null | undefined;
  /** The server */
  id: string;
  /** Roles of which a member must have one */
  roles?: ChatServerMemberMetadataChatServersToJoinRole[] | null | undefined;
}

export interface ChatServerMemberMetadataChatServersToJoinChannel {
  /** Emojis of which a message must have one */
  emojis?: ChatServerMemberMetadataChatServersToJoinChannelEmoji[] | null | undefined;
  /** The channel; null: all of the server */
  id?: string | null | undefined;
  /** Text that a message must have */
  text?: string | null | undefined;
}

export interface ChatServerMemberMetadataChatServersToJoinChannelEmoji {
  /** The emoji */
  id: string;
}

export interface ChatServerMemberMetadataChatServersToJoinRole {
  /** The role */
  id: string;
}

/** A rule of type chat_server_member, with its settings */
export interface ChatServerMemberRule {
  /** The settings of the type */
  metadata?: ChatServerMemberMetadata | null | undefined;
  /** The type of the rule */
  type: "chat_server_member";
}

/** Settings of rules of type chat_server_messages. Members send messages on your chat server. */
export interface ChatServerMessagesMetadata {
  /** The chat servers that count, with their channels and roles */
  chatServersToJoin?: ChatServerMessagesMetadataChatServersToJoin[] | null | undefined;
  /** Whether members see the servers to join. For display; the service does not use it */
  enableJoinChatServers?: boolean | null | undefined;
}

export interface ChatServerMessagesMetadataChatServersToJoin {
  /** The channels whose messages count; empty: all of the server */
  channels?: ChatServerMessagesMetadataChatServersToJoinChannel[] | null | undefined;
  /** The server */
  id: string;
  /** Roles of which a member must have one */
  roles?: ChatServerMessagesMetadataChatServersToJoinRole[] | null | undefined;
}

export interface ChatServerMessagesMetadataChatServersToJoinChannel {
  /** Emojis of which a message must have one */
  emojis?: ChatServerMessagesMetadataChatServersToJoinChannelEmoji[] | null | undefined;
  /** The channel; null: all of the server */
  id?: string | null | undefined;
  /** Text that a message must have */
  text?: string | null | undefined;
}

export interface ChatServerMessagesMetadataChatServersToJoinChannelEmoji {
  /** The emoji */
  id: string;
}

export interface ChatServerMessagesMetadataChatServersToJoinRole {
  /** The role */
  id: string;
}

/** A rule of type chat_server_messages, with its settings */
export interface ChatServerMessagesRule {
  /** The settings of the type */
  metadata?: ChatServerMessagesMetadata | null | undefined;
  /** The type of the rule */
  type: "chat_server_messages";
}

/** Settings of rules of type chat_server_role_grant. Members get a certain role on your chat server. */
export interface ChatServerRoleGrantMetadata {
  /** The chat servers that count, with their channels and roles */
  chatServersToJoin?: ChatServerRoleGrantMetadataChatServersToJoin[] | null | undefined;
  /** Whether members see the servers to join. For display; the service does not use it */
  enableJoinChatServers?: boolean | null | undefined;
}

export interface ChatServerRoleGrantMetadataChatServersToJoin {
  /** The channels whose messages count; empty: all of the server */
  channels?: ChatServerRoleGrantMetadataChatServersToJoinChannel[] | null | undefined;
  /** The server */
  id: string;
  /** Roles of which a member must have one */
  roles?: ChatServerRoleGrantMetadataChatServersToJoinRole[] | null | undefined;
}

export interface ChatServerRoleGrantMetadataChatServersToJoinChannel {
  /** Emojis of which a message must have one */
  emojis?: ChatServerRoleGrantMetadataChatServersToJoinChannelEmoji[] | null | undefined;
  /** The channel; null: all of the server */
  id?: string | null | undefined;
  /** Text that a message must have */
  text?: string | null | undefined;
}

export interface ChatServerRoleGrantMetadataChatServersToJoinChannelEmoji {
  /** The emoji */
  id: string;
}

export interface ChatServerRoleGrantMetadataChatServersToJoinRole {
  /** The role */
  id: string;
}

/** A rule of type chat_server_role_grant, with its settings */
export interface ChatServerRoleGrantRule {
  /** The settings of the type */
  metadata?: ChatServerRoleGrantMetadata | null | undefined;
  /** The type of the rule */
  type: "chat_server_role_grant";
}

/**
 * Settings of rules of type check_in. Members check in every day, week or month, and can earn more
 * with streaks.
 */
export interface CheckInMetadata {
  /** Ids of rules, or "any" for all: completing one of them counts as a check-in (contract 5.9) */
  autoCheckInRuleIds?: string[] | null | undefined;
  /** true: check-ins in consecutive windows count as a streak (contract 5.9) */
  enableStreaks?: boolean | null | undefined;
  /** true: the first change of the member’s balance in a window counts as a check-in */
  isCheckInOnEveryTxn?: boolean | null | undefined;
  /** What members get in addition when a streak reaches a milestone, once per streak */
  streakArray?: CheckInMetadataStreakArray[] | null | undefined;
}

export interface CheckInMetadataStreakArray {
  /** The points in addition, at least 0 */
  streakAmount?: number | string | null | undefined;
  /** Consecutive windows with a check-in, at least 1; each milestone once */
  streakMilestone?: number | string | null | undefined;
}

/** A rule of type check_in, with its settings */
export interface CheckInRule {
  /** The settings of the type */
  metadata?: CheckInMetadata | null | undefined;
  /** The type of the rule */
  type: "check_in";
}

/** A choice of a question */
export interface ChoiceBody {
  /** The id of an existing choice; ignored on creation */
  id?: string | null | undefined;
  /** Absent: as it was, of a new choice false. Polls take any choice */
  isCorrect?: boolean | null | undefined;
  /** A number or a text to sort by, numbers first */
  sortIdentifier?: number | string | undefined;
  /** The answer that members see */
  text: string;
}

/** The import of the list of a token claim */
export interface ClaimDataJob {
  /** The id, a UUID */
  id: string;
  /** Why it failed, or which rows were skipped */
  message?: string;
  /** Where the job stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
}

/** Whether a wallet can claim now */
export interface ClaimEligibility {
  /** true: the wallet has claimed */
  alreadyClaimed: boolean;
  /** The allocation of the wallet, as a decimal */
  amount: string;
  /** The contract that pays claims */
  claimContractAddress: string | null;
  /** When it was claimed; null: not yet */
  claimedAt: string | null;
  /** true: the wallet can claim now */
  eligible: boolean;
  /** Empty if no driver reads the staking contract */
  stakes: ClaimStake[];
  /** The token claim */
  tokenClaimId: string;
}

/** The Merkle proof of a wallet */
export interface ClaimProof {
  /** From the bottom up */
  proof: string[];
  /** The token claim */
  tokenClaimId: string;
  /** A decimal */
  totalAllocation: string;
  /** The wallet that the proof is of */
  walletAddress: string;
}

/** The report of a claim */
export interface ClaimReceipt {
  /** What was claimed */
  data: ClaimedAllocation;
  /** A text for people */
  message: string;
}

/** Tokens that a wallet has staked */
export interface ClaimStake {
  /** The tokens in the stake, a decimal */
  amount: string;
  /** The tokens that can be taken now, a decimal */
  claimable: string;
  /** The tokens that were taken, a decimal */
  claimed: string;
  /** How long the stake lasts, in seconds */
  duration: number;
  /** The id of the stake in its contract */
  stakeId: string;
  /** When the stake began */
  startTime: string;
}

/** The token of a claim */
export interface ClaimToken {
  /** The address of the contract */
  address: string;
  /** The chain id of the network; null: not on a chain */
  chainId: number | null;
  /** The id, a UUID */
  id: string;
  /** The name of the token’s contract; null: none */
  name: string | null;
}

/** Input of the operation: Report that a wallet has claimed */
export interface ClaimTokenBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** 0x and 64 hexadecimal digits */
  txHash: string;
  /** The wallet that has claimed */
  walletAddress: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A wallet on the list of a token claim */
export interface ClaimUser {
  /** A decimal */
  amount: string;
  /** When it was claimed; null: not yet */
  claimedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The member */
  user: AllocatedUser;
}

/** What a wallet has claimed */
export interface ClaimedAllocation {
  /** When it was claimed; null: not yet */
  claimedAt: string | null;
  /** The token claim */
  tokenClaimId: string;
  /** A decimal */
  totalAllocation: string;
  /** The wallet that has claimed */
  walletAddress: string;
}

/** A job that debits many members: a reset of a currency, or the end of a rule */
export interface ClearingJob {
  /** That were debited so far */
  accounts: number;
  /** The sum of all debits so far */
  amount: Decimal;
  /** When it was created */
  createdAt: string;
  /** The user who created it; null: the service */
  createdById: string | null;
  /** The id, a UUID */
  id: string;
  /** For a reset: its currency */
  loyaltyCurrencyId: string | null;
  /** For the debit of a deleted rule: the rule */
  loyaltyRuleId: string | null;
  /** Why it was cancelled, or what it left out */
  message: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Where the job stands */
  status: "processing" | "complete" | "cancelled";
  /** What is reset, or that the points of a deleted rule are debited */
  type: "loyalty_reset_balances" | "loyalty_reset_balances_data_and_rules" | "loyalty_reset_balances_data_not_rules" | "loyalty_rule_debit";
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Settings of rules of type code_entry. Members enter a code that you hand out. */
export interface CodeEntryMetadata {
  /** true: a member is rewarded for every code, whatever the interval of the rule */
  allowMultipleRedemptions?: boolean | null | undefined;
  /** The code that all members enter, for promoCodeType code. Only organization and website keys see it */
  promoCode?: string | null | undefined;
  /**
   * A file with one single-use code per line, for promoCodeType csv. Only organization and website keys
   * see it
   */
  promoCodeCsvUrl?: string | null | undefined;
  /** How many single-use codes the service creates, for promoCodeType generate */
  promoCodeLength?: number | null | undefined;
  /**
   * One code for all members (code, the default), or single-use codes from a file (csv) or created by
   * the service (generate)
   */
  promoCodeType?: "code" | "csv" | "generate" | null | undefined;
}

/** A rule of type code_entry, with its settings */
export interface CodeEntryRule {
  /** The settings of the type */
  metadata?: CodeEntryMetadata | null | undefined;
  /** The type of the rule */
  type: "code_entry";
}

/**
 * Settings of rules of type code_host_merge_request. Members get a merge request accepted in one of
 * your repositories.
 */
export interface CodeHostMergeRequestMetadata {
  /** The branch that changes are merged into; null: any */
  codeHostBranchName?: string | null | undefined;
  /** The repository, as https://host/owner/name */
  codeHostRepoUrl?: string | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

/** A rule of type code_host_merge_request, with its settings */
export interface CodeHostMergeRequestRule {
  /** The settings of the type */
  metadata?: CodeHostMergeRequestMetadata | null | undefined;
  /** The type of the rule */
  type: "code_host_merge_request";
}

/**
 * Settings of rules of type code_host_repo_collaborator. Members become collaborators on one of your
 * repositories.
 */
export interface CodeHostRepoCollaboratorMetadata {
  /** The repository, as https://host/owner/name */
  codeHostRepoUrl?: string | null | undefined;
}

/** A rule of type code_host_repo_collaborator, with its settings */
export interface CodeHostRepoCollaboratorRule {
  /** The settings of the type */
  metadata?: CodeHostRepoCollaboratorMetadata | null | undefined;
  /** The type of the rule */
  type: "code_host_repo_collaborator";
}

/** Settings of rules of type code_host_repo_fork. Members fork one of your repositories. */
export interface CodeHostRepoForkMetadata {
  /** The repository, as https://host/owner/name */
  codeHostRepoUrl?: string | null | undefined;
}

/** A rule of type code_host_repo_fork, with its settings */
export interface CodeHostRepoForkRule {
  /** The settings of the type */
  metadata?: CodeHostRepoForkMetadata | null | undefined;
  /** The type of the rule */
  type: "code_host_repo_fork";
}

/** Settings of rules of type code_host_repo_star. Members star one of your repositories. */
export interface CodeHostRepoStarMetadata {
  /** The repository, as https://host/owner/name */
  codeHostRepoUrl?: string | null | undefined;
}

/** A rule of type code_host_repo_star, with its settings */
export interface CodeHostRepoStarRule {
  /** The settings of the type */
  metadata?: CodeHostRepoStarMetadata | null | undefined;
  /** The type of the rule */
  type: "code_host_repo_star";
}

/** One page of the codes of a rule */
export interface CodeList {
  /** true: all codes are there; false: they are still created or imported */
  complete: boolean;
  /** The items of this page */
  data: RedemptionCode[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** A code was sent */
export interface CodeSent {
  /** A text for people */
  message: string;
  /** true: it was done */
  success: boolean;
  /** The member whose number it is */
  userId: string;
}

/** A contract whose tokens count for a rule */
export interface Collection {
  /** The address of the contract */
  address: string;
  /** The blockchain, by a name of contract 2.1 */
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
  /** The short name of the token, for display */
  symbol?: string | undefined;
}

/** A collection of the website */
export interface CollectionSummary {
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** The minting contract of the collection; null: none */
  mintingContractId: string | null;
  /** The name, for people */
  name: string;
}

/** Input of the operation: Complete a rule for a user */
export interface CompleteRuleInputBody {
  /** In place of the rule's amount; external_rule only */
  amount?: Decimal | number | null | undefined;
  /** The link of what the member posted, for types that ask for it */
  contentUrl?: string | null | undefined;
  /** Only for external_rule. Unique on the website forever, among completions and entries together */
  idempotencyKey?: string | null | undefined;
  /** The choice */
  loyaltyQuestionChoiceId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
   * the amount is paid for each unit of it
   */
  rangeValue?: Decimal | number | null | undefined;
  /** true: chains and required rules do not stop the completion. Not through client keys */
  skipChainOrRequiredCheck?: boolean | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /** What the member entered: a code or a text */
  verificationCode?: string | null | undefined;
  /** true, as boolean or text: every check and no reward */
  verifyOnly?: boolean | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The answer to a completion (contract 4.2) */
export interface CompletionBody {
  /** The result */
  data: CompletionData;
  /** For people; programs read data */
  message: string;
}

/** What came of a completion */
export interface CompletionData {
  /** The transaction that pays the reward; absent if no points were paid */
  loyaltyTransactionId?: string;
  /** What was paid */
  rewards: Paid[];
  /** completed, or pending while it is worked on */
  status: "completed" | "pending";
  /**
   * With verifyOnly, to secret keys: what the rule's function would ask the payout driver for. Nothing
   * of it is sent
   */
  transactions?: AddedCall[];
}

/** A condition of a badge or rule chain (contract 3.21) */
export interface ConditionInput {
  /** points: the balance; level: the worst rank, up to 5000 */
  amount?: Decimal | number | null | undefined;
  /** A file with the members who meet the condition */
  csvUrl?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** The badges of the condition */
  loyaltyBadgeIds?: string[] | undefined;
  /** The currency of a condition of type points or level */
  loyaltyCurrencyIds?: string[] | undefined;
  /** Stored; no condition refers to it */
  loyaltyLeaderboardViewIds?: string[] | undefined;
  /** The group of a condition of type section */
  loyaltyRuleGroupIds?: string[] | undefined;
  /** The rule of a condition of type rule */
  loyaltyRuleId?: string | null | undefined;
  /** The rules of the condition */
  loyaltyRuleIds?: string[] | undefined;
  /** How often the rule must be completed */
  repeatCount?: number | null | undefined;
  /** How many of the rules, badges or rules of the group are needed */
  requiredCount?: number | null | undefined;
  /** What the condition asks (contract 2) */
  type: "rule" | "rules" | "section" | "points" | "level" | "api" | "badge" | "badges" | "csv";
}

/** Input of the operation: Connect a wallet */
export interface ConnectBody {
  /** The wallet may leave another group */
  confirmDisconnect?: boolean | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The user whose group the wallet joins */
  userId?: string | null | undefined;
  /** The proof that the wallet is the member’s */
  verificationData?: VerificationData | null | undefined;
  /** The wallet to connect */
  walletAddress: string;
  /** The kind of wallet, which says how the signature is checked */
  walletType: "agw" | "cosmos" | "evm" | "flow_cadence" | "imx" | "solana" | "substrate" | "sui" | "ton";
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Connect a phone number by its code */
export interface ConnectPhoneBody {
  /** The code that was sent to the number */
  code: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** In E.164 format */
  phoneNumber: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Settings of rules of type connect_wallet. Members connect a wallet and prove that they own it. */
export interface ConnectWalletMetadata {
  /** The type of wallet that counts; null: any */
  walletType?: "evm" | "solana" | "imx" | "sui" | "ton" | "cosmos" | "agw" | "flow_cadence" | "substrate" | null | undefined;
}

/** A rule of type connect_wallet, with its settings */
export interface ConnectWalletRule {
  /** The settings of the type */
  metadata?: ConnectWalletMetadata | null | undefined;
  /** The type of the rule */
  type: "connect_wallet";
}

/** The result of connecting an account */
export interface ConnectedAccount {
  /** With MAXIMUM_ACCOUNT_LINKED: moves the account by POST /api/users/verify, within 15 minutes */
  accountLinkData?: string;
  /** Why the proof does not count, for programs */
  error?: string;
  /** A text for people */
  message?: string;
  /** true: it was done */
  success: boolean;
}

/**
 * Settings of rules of type connected_microblog. Members connect a microblog account. You can require
 * a minimum number of followers.
 */
export interface ConnectedMicroblogMetadata {
  /** The fewest followers that an account must have; null: any number */
  minimumFollowerCount?: number | string | null | undefined;
}

/** A rule of type connected_microblog, with its settings */
export interface ConnectedMicroblogRule {
  /** The settings of the type */
  metadata?: ConnectedMicroblogMetadata | null | undefined;
  /** The type of the rule */
  type: "connected_microblog";
}

/** The member whose wallet is connected */
export interface ConnectedUser {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** A member token, if a signature was checked */
  token?: string;
  /** When the member token ends */
  tokenExpiresAt?: string;
  /** When it was last changed */
  updatedAt: string;
  /** The wallet that is connected */
  walletAddress: string;
}

/** A contract on a blockchain (contract 3.23) */
export interface Contract {
  /** As it was sent; absent with includeAbi=false */
  abi?: unknown | null;
  /** The address of the contract */
  address: string;
  /** The chain id of the network; null: not on a chain */
  chainId: number | null;
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt?: string;
  /** The URL of the token’s icon */
  iconUrl?: string;
  /** The id, a UUID */
  id: string;
  /** The name, for people */
  name: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The standard of the contract */
  type: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** How many assets a minting contract has */
export interface ContractCount {
  /** Live assets that are listed */
  isListed: number;
}

/** An event of a blockchain */
export interface ContractEvent {
  /** The block */
  blockNumber: string;
  /** The address of the contract */
  contractAddress: string;
  /** When the event was read */
  detectedAt: string;
  /** What tells the event from others of the chain */
  eventKey: string;
  /** The hash of the transaction on the blockchain; null: none */
  txHash: string;
}

/** Sums of a minting contract */
export interface ContractStats {
  /** Counts */
  _count: ContractCount;
  /** Sums over the assets */
  _sum: ContractSum;
  /** The minting contract */
  mintingContractId: string;
}

/** How many items a minting contract has and has minted */
export interface ContractSum {
  /** How many there are in all; null: without limit */
  quantity: number | null;
  /** How many were minted */
  quantityMinted: number | null;
}

/** One page of bids, with their number */
export interface CountedListAuctionBid {
  /** How many items the filter matches in all */
  count?: number;
  /** The items of this page */
  data: AuctionBid[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** Input of the operation: Announce a file that will be uploaded */
export interface CreateAssetInputBody {
  /** Ends with one of png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb */
  fileName?: string | null | undefined;
  /** Default images */
  filePath?: "images" | "videos" | "banners" | "fonts" | "posts" | "profiles" | "minting" | "loyalty" | "tokenClaims" | "dapps" | null | undefined;
  /** Bytes */
  fileSize?: number | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The user who owns the file; through client keys the member token's user */
  userId?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create an auction */
export interface CreateAuctionBody {
  /** The items that winners get */
  auctionItems?: NewAuctionItem[] | undefined;
  /** Only owners of one of these collections may bid; empty: everyone */
  biddersOwnCollectionAddresses?: string[] | null | undefined;
  /** Stored */
  currencyAddress?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** Cannot be changed once there is a bid */
  endsAt: string;
  /** english: a bid so shortly before the end moves the end to so many seconds after it */
  extendedDurationInSeconds?: number | null | undefined;
  /** true: bids are not shown until the end */
  hideBids?: boolean | null | undefined;
  /** Bids are points of it; cannot be changed */
  loyaltyCurrencyId: string;
  /** The least bid, a decimal */
  minBidAmount: Decimal | number;
  /** For english auctions: the least difference between the best bid and the next bid */
  minBidIncrement?: Decimal | number | null | undefined;
  /** The minting contract of the items; cannot be changed */
  mintingContractId: string;
  /** The name, for people */
  name: string;
  /** The network of the collections; cannot be changed */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Bids below it win nothing */
  reservePrice?: Decimal | number | null | undefined;
  /** Cannot be changed once there is a bid */
  startsAt: string;
  /** Cannot be changed */
  type: "first_price" | "second_price" | "english";
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a badge */
export interface CreateBadgeBody {
  /** The conditions that earn the badge */
  conditions: ConditionInput[];
  /** Further lists of the badge's csv conditions */
  csvFiles?: CSVInput[] | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** true: not shown to members */
  hideInUi?: boolean | null | undefined;
  /** The URL of the picture */
  imageUrl: string;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** What members get */
  rewards?: RewardInput[] | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Lock a rule until conditions hold */
export interface CreateChainBody {
  /** The conditions */
  loyaltyConditions: ConditionInput[];
  /** The rule */
  loyaltyRuleId: string;
  /** The name, for people */
  name: string;
  /** AND: all conditions must hold; OR: one of them */
  operatorType?: "AND" | "OR" | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Add a collection to a website */
export interface CreateCollectionBody {
  /** The address of your chat server */
  chatServerUrl?: string | null | undefined;
  /** The contract of the collection */
  collectionAddress: string;
  /** The address of the home page */
  homeUrl?: string | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** The address of your messenger group */
  messengerUrl?: string | null | undefined;
  /** Your account on the microblog */
  microblogUsername?: string | null | undefined;
  /** The name, for people */
  name: string;
  /** The blockchain, by a name of contract 2.1 */
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Your account on the photo platform */
  photoPlatformUsername?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  /** Who receives royalties */
  royaltyFeeAddress?: string | null | undefined;
  /** Lists go by it, the lowest first */
  sortId: number;
  /** The contract that locks its tokens */
  stakingAddress?: string | null | undefined;
  /** An id of your own */
  themeId?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Register a contract */
export interface CreateContractBody {
  /** A JSON array, or the text of one */
  abi?: unknown | undefined;
  /** The address of the contract */
  address: string;
  /** The chain id of the network; null: not on a chain */
  chainId: number | null;
  /** The URL of the token’s icon */
  iconUrl?: string | null | undefined;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The standard of the contract */
  type: "erc20" | "erc721" | "erc1155" | "custom";
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a currency */
export interface CreateCurrencyBody {
  /** The user name or header for the external ledger. Only organization and website keys see it */
  apiAuthKey?: string | null | undefined;
  /** How the external ledger is called; null: this service keeps the balances */
  apiAuthType?: "none" | "basic" | "bearer" | "apiKey" | null | undefined;
  /** The secret for the external ledger. Only organization and website keys see it */
  apiAuthValue?: string | null | undefined;
  /** Where the external ledger is asked about an entry (contract 5.15) */
  apiGetTransactionEntryUrl?: string | null | undefined;
  /** Where balances are read from the external ledger (contract 5.15) */
  apiGetUrl?: string | null | undefined;
  /** Where transactions are posted to the external ledger (contract 5.15) */
  apiPostUrl?: string | null | undefined;
  /** How many places a page shows; cannot be changed */
  decimals: number;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** How many days points live; null: they do not expire */
  pointsExpireAfterDays?: number | null | undefined;
  /** How many hours rewards are held before they are credited; null: not at all */
  pointsWaitHours?: number | null | undefined;
  /** The place in lists: the lowest first */
  sortId?: number | null | undefined;
  /** The short name, such as PTS */
  symbol: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a function */
export interface CreateFunctionBody {
  /** The program: a module that exports a handler (contract 7.6) */
  code?: string | undefined;
  /** When it runs by itself, as five fields; null: it does not */
  cron?: string | null | undefined;
  /** true: it does nothing */
  disabled?: boolean | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Secrets that the handler gets as input.secrets; they are never returned */
  secrets?: Record<string, string> | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a rule group */
export interface CreateGroupBody {
  /** true: pages may fold the group */
  isCollapsible?: boolean | undefined;
  /** true: members complete its rules before others */
  isRequired?: boolean | undefined;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The place in lists: the lowest first */
  sortId?: number | undefined;
  /** The second heading */
  subTitle?: string | null | undefined;
  /** Another spelling of subTitle */
  subtitle?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Reserve points of a user for an order */
export interface CreateHoldBody {
  /** The points to reserve, above 0 */
  amount: Decimal | number;
  /** A text for people */
  description?: string | null | undefined;
  /** Default 3600 */
  expiresInSeconds?: number | null | undefined;
  /** Unique on the website forever, among entries, completions and holds together */
  idempotencyKey?: string | null | undefined;
  /** The currency */
  loyaltyCurrencyId: string;
  /** At most 16384 bytes */
  metadata?: Record<string, unknown> | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create an API key */
export interface CreateKeyInputBody {
  /** For client keys; empty: all origins */
  allowedOrigins?: string[] | undefined;
  /** When the key ends; absent: never */
  expiresAt?: string | null | undefined;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The role (contract 2) */
  roleType: "ORGANIZATION_API_KEY" | "WEBSITE_API_KEY" | "WEBSITE_READ_ONLY_API_KEY" | "WEBSITE_CLIENT_API_KEY" | "STRATUS_API_KEY";
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a minting asset */
export interface CreateMintingAssetBody {
  /** The URL of a video or animation */
  animationUrl?: string | null | undefined;
  /** What members are asked for */
  collectInfoType?: "customInput" | "freeText" | "shippingDetails" | null | undefined;
  /** ONCHAIN: the token that the price is in; null: the network's own */
  currencyAddress?: string | null | undefined;
  /** The decimal places of the currency */
  currencyDecimals?: number | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** true: only wallets on the allowlist may mint */
  isAllowlisted?: boolean | null | undefined;
  /** true: not shown to members */
  isHidden?: boolean | null | undefined;
  /** true: members can see and mint it */
  isListed?: boolean | null | undefined;
  /** true: a thing that is shipped belongs to it */
  isPhygitalItem?: boolean | null | undefined;
  /** When it can no longer be minted; null: never */
  listingEndsAt?: string | null | undefined;
  /** When it can be minted from; null: at once */
  listingStartsAt?: string | null | undefined;
  /** Needed in an OFFCHAIN contract */
  loyaltyCurrencyId?: string | null | undefined;
  /** Data of your own, stored and returned as it was sent. At most 16,384 bytes */
  metadata?: Record<string, unknown> | null | undefined;
  /** The minting contract */
  mintingContractId: string;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain */
  price: Decimal | number;
  /** In all, with those that are minted */
  quantity: number;
  /** true: members are asked for collectInfoType */
  shouldCollectUserInfo?: boolean | null | undefined;
  /** The id of the token in its contract; null: none */
  tokenId?: number | null | undefined;
  /** true: there is no limit */
  unlimitedQty?: boolean | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a minting contract */
export interface CreateMintingContractBody {
  /** Needed to list an ONCHAIN contract */
  address?: string | null | undefined;
  /** Stays as it was created */
  contractKind: "ONCHAIN" | "OFFCHAIN";
  /** A text for people */
  description?: string | null | undefined;
  /** true: the driver pays the fees */
  enableGasless?: boolean | null | undefined;
  /** A link beside the contract */
  externalLinkUrl?: string | null | undefined;
  /** true: tokens show what they are only after the reveal */
  hasRevealMechanic?: boolean | null | undefined;
  /** true: your website hides assets that cannot be minted now */
  hideInactiveListings?: boolean | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** true: free for holders, and others pay the price */
  isFreeClaimForBadgeHolders?: boolean | null | undefined;
  /** true: free for owners, and others pay the price */
  isFreeClaimForTokenHolders?: boolean | null | undefined;
  /** true: members can see and mint it */
  isListed?: boolean | null | undefined;
  /** true: the limit applies to each asset */
  isPerAssetMintLimit?: boolean | null | undefined;
  /** true: tokens cannot be passed on */
  isSoulbound?: boolean | null | undefined;
  /** Badges whose holders may mint */
  loyaltyBadgeIds?: string[] | null | undefined;
  /** The collections whose owners may mint */
  mustOwnCollections?: GatingCollection[] | null | undefined;
  /** The name, for people */
  name: string;
  /** Needed to list an ONCHAIN contract */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** 0: no limit */
  perUserMintLimit?: number | null | undefined;
  /** The URL of what is shown before the reveal */
  preRevealMedia?: string | null | undefined;
  /** Who receives the price */
  primarySaleRecipientAddress?: string | null | undefined;
  /** The operator’s driver that pays or mints */
  relayerId?: string | null | undefined;
  /** false: any one collection or badge suffices */
  requireHoldingAllGatedItems?: boolean | null | undefined;
  /** When tokens can be revealed; null: at any time */
  revealAvailableAt?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  /** Who receives royalties */
  royaltyFeeAddress?: string | null | undefined;
  /** true: members give an e-mail address */
  shouldCollectEmail?: boolean | null | undefined;
  /** true: your website lists it on its marketplace */
  showOnMarketplace?: boolean | null | undefined;
  /** The place in lists: the lowest first */
  sortId?: number | null | undefined;
  /** The short name, such as PTS */
  symbol?: string | null | undefined;
  /** Default erc721; stays as it was created */
  tokenType?: "erc721" | "erc1155" | "erc721c" | null | undefined;
  /** The website's collection of these tokens */
  websiteCollectionId?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Settings of rules of type create_partner_account. Members open an account with your partner. */
export interface CreatePartnerAccountMetadata {
  /** The URL that members open, or of the account that they follow */
  link?: string | null | undefined;
}

/** A rule of type create_partner_account, with its settings */
export interface CreatePartnerAccountRule {
  /** The settings of the type */
  metadata?: CreatePartnerAccountMetadata | null | undefined;
  /** The type of the rule */
  type: "create_partner_account";
}

/** Input of the operation: Create the question of a quiz or poll */
export interface CreateQuestionBody {
  /** Default false; cannot be changed */
  allowMultipleAttempts?: boolean | null | undefined;
  /** The choices */
  loyaltyQuestionAnswers: ChoiceBody[];
  /** A quiz or poll, which has one question */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The question */
  questionText: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Get or create a member's referral code */
export interface CreateReferralCodeBody {
  /** Without it a code is generated */
  customReferralCode?: string | null | undefined;
  /** A rule of type referred_user */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a rule */
export type CreateRuleBody = {
  /** The points of a reward, or the value of a multiplier; null: 0 */
  amount?: Decimal | number | null | undefined;
  /** The URL of the background picture */
  backgroundAssetUrl?: string | null | undefined;
  /** manual: members claim what a run found; auto: runs pay. null: auto for types that run */
  claimType?: "manual" | "auto" | null | undefined;
  /** The contract that a partner checks */
  collectionAddress?: string | null | undefined;
  /** The contracts whose tokens count */
  collections?: Collection[] | null | undefined;
  /** The contracts that are ranked; empty: all of the network */
  contractIds?: string[] | null | undefined;
  /** Where the service asks whom to reward (contract 5.14) */
  customRewardsApiUrl?: string | null | undefined;
  /** A file that says whom to reward (contract 5.14) */
  customRewardsCsvUrl?: string | null | undefined;
  /** The time whose transactions count; null: all time */
  dappDataWindow?: "daily" | "weekly" | "monthly" | null | undefined;
  /** Only applications deployed within this time count; null: all */
  dappDeployedWithin?: "daily" | "weekly" | "monthly" | null | undefined;
  /** On update: a time deletes, null brings back */
  deletedAt?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** The rule that this one is a copy of */
  duplicatedFromId?: string | null | undefined;
  /** A comment for the history of the rule */
  editComment?: string | null | undefined;
  /** On-chain events count up to here; null: without end */
  effectiveEndTime?: string | null | undefined;
  /** On-chain events count from here on; null: from the start of the rule */
  effectiveStartTime?: string | null | undefined;
  /** When the rule ends; null: never */
  endTime?: string | null | undefined;
  /** The id that partners get with each request */
  externalIntegrationId?: string | null | undefined;
  /** How often the rule runs over all members; none and once: it does not (contract 5.3) */
  frequency?: "none" | "once" | "hourly" | "daily" | "weekly" | "monthly" | "immediately" | undefined;
  /** The function */
  functionId?: string | null | undefined;
  /** true: not shown to members */
  hideInUi?: boolean | undefined;
  /** How often a member can earn the reward (contract 5.3) */
  interval?: "hourly" | "daily" | "weekly" | "monthly" | "once" | "custom" | "every_message" | "unlimited" | undefined;
  /** true: the rule ranks applications; set on creation */
  isDappRule?: boolean | undefined;
  /** true: members complete it before others */
  isRequired?: boolean | undefined;
  /** true: hidden from members, so that only bots complete it */
  isSpecial?: boolean | undefined;
  /** The badge that the rule grants; needed for rewardType badge */
  loyaltyBadgeId?: string | null | undefined;
  /** The currency of the points. Default: that of the website, if it has only one */
  loyaltyCurrencyId?: string | null | undefined;
  /** A uuid or no-section */
  loyaltyRuleGroupId?: string | null | undefined;
  /** A file of members and amounts (contract 5.13) */
  loyaltyUserAllotmentCsvUrl?: string | null | undefined;
  /** The period of maxAmountPerInterval */
  maxAmountInterval?: "daily" | "weekly" | "monthly" | "lifetime" | null | undefined;
  /** Needs maxAmountInterval */
  maxAmountPerInterval?: Decimal | number | null | undefined;
  /** The URL of the picture or video */
  mediaUrl?: string | null | undefined;
  /**
   * Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
   * bytes
   */
  metadata?: RuleMetadata | null | undefined;
  /** The name, for people */
  name: string;
  /** The blockchain, by a name of contract 2.1 */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** A name of the operator’s settings for a platform */
  oauthCredentialsId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** percentage: complete at 100; counter: at the end of the highest tier */
  progressType?: "counter" | "percentage" | null | undefined;
  /** dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent */
  rewardLifetime?: "permanent" | "dynamic" | null | undefined;
  /** What members get */
  rewardType?: "points" | "multiplier" | "badge" | "token" | undefined;
  /** The shop, if a partner connects several */
  shopStoreUrl?: string | null | undefined;
  /** true: members see the rule before it starts */
  showBeforeStart?: boolean | undefined;
  /** When the rule starts; null: at once */
  startTime?: string | null | undefined;
  /** The subscription whose events complete the rule */
  subscriptionId?: string | null | undefined;
  /** The token that the rule pays (contract 5.5) */
  tokenReward?: TokenReward | null | undefined;
  /** true: the reward needs complete progress */
  trackProgress?: boolean | undefined;
  /** Cannot be changed */
  type: RuleType;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
} & RuleByType;

/** Input of the operation: Create a page section */
export interface CreateSectionBody {
  /** The banner */
  banner?: BannerInput | null | undefined;
  /** Replaces the former ones */
  discoveryItems?: DiscoveryInput[] | undefined;
  /** When it is no longer shown; null: never */
  durationEnd?: string | null | undefined;
  /** When the section is shown from */
  durationStart: string;
  /** Replaces the former ones */
  itemsGrids?: ShownInput[] | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The page, for placement page */
  pageId?: string | null | undefined;
  /** The kind of section */
  pageSectionType?: "all_items" | "discovery_item" | "discovery_items_grid" | null | undefined;
  /** global, or page for the page pageId */
  placement: "global" | "page";
  /** Lists go by it, the lowest first. Default 0 */
  sortId?: number | undefined;
  /** The heading */
  title?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Subscribe to changes */
export interface CreateSubscriptionBody {
  /** The events and calls of contracts that are watched */
  blockchainSubscriptions?: BlockchainInput[] | undefined;
  /** Where events are sent; empty: nowhere */
  callbackUrl?: string | undefined;
  /** Events count up to here */
  endsAt?: string | null | undefined;
  /** confirmed: events are sent once their block is final; instant: at once */
  finality?: string | null | undefined;
  /** Functions that run for each event */
  functionIds?: string[] | undefined;
  /** The most events that are sent in a UTC day; further ones are recorded */
  maxEventsPerDay?: number | null | undefined;
  /** Data of your own, returned with the subscription */
  metadata?: unknown | undefined;
  /** The name, for people */
  name: string;
  /** The organization, with every key (contract 1.3) */
  organizationId: string;
  /** The tables of the service that are watched */
  platformSubscriptions?: PlatformInput[] | undefined;
  /**
   * At most 30 days back: the subscription begins with the events that the website has recorded since
   * then
   */
  replayFrom?: string | null | undefined;
  /** Events count from here on */
  startsAt?: string | null | undefined;
  /** The form of the requests: v1 or v2 */
  version?: string | undefined;
  /** The website, with every key (contract 1.3) */
  websiteId: string;
}

/** Input of the operation: Create a token claim */
export interface CreateTokenClaimBody {
  /** true: what is claimed is staked */
  claimAndStake?: boolean | undefined;
  /** The contract that pays claims */
  claimContractAddress?: string | null | undefined;
  /** A contract of type erc20 */
  contractId: string;
  /** Rows of walletAddress,amount */
  csvUrl?: string | null | undefined;
  /** When claiming ends; null: never */
  endTime?: string | null | undefined;
  /** Default 18 */
  erc20Decimals?: number | undefined;
  /** Codes of countries, ISO 3166 alpha-2 */
  geoBlock?: string[] | undefined;
  /** Default true */
  isDraft?: boolean | undefined;
  /** true: members choose how much to stake */
  isStakingOptional?: boolean | undefined;
  /** The greatest bonus, in percent */
  maxBonus?: Decimal | number | undefined;
  /** The shortest time to lock, in days */
  minLockup?: Decimal | number | undefined;
  /** The shortest time for the multiplier, in days */
  minLockupForMultiplier?: Decimal | number | undefined;
  /** 0 to 100 */
  minPercentageToStake?: Decimal | number | undefined;
  /** Default 1 */
  multiplier?: Decimal | number | undefined;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The operator’s driver that pays or mints */
  relayerId?: string | null | undefined;
  /** The contract that locks what is staked */
  stakingContractAddress?: string | null | undefined;
  /** How stakes are released */
  stakingContractType?: "linear" | "timelock" | null | undefined;
  /** When members can claim from; null: at once */
  startTime?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create a website */
export interface CreateWebsiteInputBody {
  /** Wallets that administer the website */
  adminWalletAddress?: string[] | undefined;
  /** The address of your chat server */
  chatServerUrl?: string | null | undefined;
  /** The address of the home page */
  homeUrl?: string | null | undefined;
  /** The address of your messenger group */
  messengerUrl?: string | null | undefined;
  /** Your account on the microblog */
  microblogUsername?: string | null | undefined;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Your account on the photo platform */
  photoPlatformUsername?: string | null | undefined;
  /** true: client keys name users without a member token */
  trustClientUsers?: boolean | undefined;
}

/** Where to send the bytes of a file, and where it is found then */
export interface CreatedAsset {
  /** The id, a UUID */
  id: string;
  /** Where the bytes are sent by PUT, within 15 minutes */
  signedUrl?: string;
  /** Where the file is found afterwards, by anyone */
  url: string;
}

/** A currency of points (contract 3.8) */
export interface Currency {
  /** The user name or header for the external ledger. Only organization and website keys see it */
  apiAuthKey: string | null;
  /** How the external ledger is called; null: this service keeps the balances */
  apiAuthType: string | null;
  /** The secret for the external ledger. Only organization and website keys see it */
  apiAuthValue?: string | null;
  /** Where the external ledger is asked about an entry (contract 5.15) */
  apiGetTransactionEntryUrl: string | null;
  /** Where balances are read from the external ledger (contract 5.15) */
  apiGetUrl: string | null;
  /** Where transactions are posted to the external ledger (contract 5.15) */
  apiPostUrl: string | null;
  /** When it was created */
  createdAt: string;
  /** The user who created it; null: the service */
  createdById: string | null;
  /** How many places a page shows; amounts are whole units everywhere */
  decimals: number;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** true: the hidden currency of a token reward */
  isTokenRewardCurrency: boolean;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How many days points live; null: they do not expire */
  pointsExpireAfterDays: number | null;
  /** How many hours rewards are held before they are credited; null: not at all */
  pointsWaitHours: number | null;
  /** The place in lists: the lowest first */
  sortId: number | null;
  /** The short name, such as PTS */
  symbol: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A code was sent */
export interface DataCodeSent {
  /** The result */
  data: CodeSent;
}

/** The result of connecting a phone number */
export interface DataConnectedAccount {
  /** The result */
  data: ConnectedAccount;
}

/** The phone number was disconnected */
export interface DataDisconnected {
  /** The result */
  data: Disconnected;
}

/** Input of the operation: Delegate a cold wallet to a user */
export interface DelegateBody {
  /** The cold wallet, which signs */
  delegatorWalletAddress: string;
  /** The text that the cold wallet signed */
  message?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Client keys need it */
  signature?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** Of the cold wallet; by default that which its address has by its form */
  walletType?: "agw" | "cosmos" | "evm" | "flow_cadence" | "imx" | "solana" | "substrate" | "sui" | "ton" | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A cold wallet that a member may act for */
export interface Delegation {
  /** When it was created */
  createdAt: string;
  /** The cold wallet that delegates to the member */
  delegatorWalletAddress: string;
  /** The id, a UUID */
  id: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A cold wallet that delegates to a member */
export interface Delegator {
  /** The wallet that delegates to the member */
  walletAddress: string;
}

/** Input of the operation: Delete the attribute of users that the body names */
export interface DeleteAttributeInputBody {
  /** The id, a UUID */
  id: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: End a multiplier by its externalIdentifier */
export interface DeleteNamedMultiplierInputBody {
  /** The identifier of the multiplier that ends */
  externalIdentifier?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A deleted rule */
export interface DeletedBody {
  /** When it was deleted */
  deletedAt: string;
  /** The id, a UUID */
  id: string;
}

/** A device of a member */
export interface Device {
  /** When it was created */
  createdAt: string;
  /** An identifier of the device */
  deviceIdentifier: string | null;
  /** The id, a UUID */
  id: string;
  /** The address of the device */
  ipAddress: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How the device became known */
  source: "api";
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Input of the operation: Store a device of a member */
export interface DeviceBody {
  /** An identifier of the device */
  deviceIdentifier?: string | null | undefined;
  /** The address of the device */
  ipAddress: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Disconnect an account */
export interface DisconnectInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Disconnect the phone number of a user */
export interface DisconnectPhoneInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The account was disconnected */
export interface Disconnected {
  /** A text for people */
  message: string;
}

/** An item of a page section that leads to rules */
export interface DiscoveryInput {
  /** The label of the button */
  buttonText?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** Where the button leads */
  externalLink?: string | null | undefined;
  /** true: without the facts of the rules */
  hideQuestInfo?: boolean | undefined;
  /** The id of an existing part; ignored on creation */
  id?: string | null | undefined;
  /** How the item is laid out */
  layout?: "container_style" | "full_width_hero" | null | undefined;
  /** The group of rules that the item leads to */
  loyaltyRuleGroupId?: string | null | undefined;
  /** The URL of the picture or video */
  mediaLink?: string | null | undefined;
  /** A link to the microblog */
  microblog?: string | null | undefined;
  /** The URL of the picture or video of the item’s page */
  pageMediaLink?: string | null | undefined;
  /** Default: its place in the list, from 0 */
  sortId?: number | undefined;
  /** The heading */
  title?: string | null | undefined;
  /** A link to the website */
  website?: string | null | undefined;
}

/** An item of a page section that leads to rules */
export interface DiscoveryItem {
  /** The label of the button */
  buttonText: string | null;
  /** A text for people */
  description: string | null;
  /** Where the button leads */
  externalLink: string | null;
  /** true: without the facts of the rules */
  hideQuestInfo: boolean;
  /** The id, a UUID */
  id: string;
  /** How the item is laid out */
  layout: string | null;
  /** The group of rules that the item leads to; null: none */
  loyaltyRuleGroupId: string | null;
  /** The group of rules; null: none */
  loyaltySection: LoyaltyHeader | null;
  /** The URL of the picture or video */
  mediaLink: string | null;
  /** A link to the microblog */
  microblog: string | null;
  /** The URL of the picture or video of the item’s page */
  pageMediaLink: string | null;
  /** The place in lists: the lowest first */
  sortId: number;
  /** The heading */
  title: string | null;
  /** A link to the website */
  website: string | null;
}

/** Input of the operation: Enable a subscription that was disabled */
export interface EnableInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Default true */
  replay?: boolean | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** One change of a balance (contract 3.11) */
export interface Entry {
  /** The points of the entry, above 0; direction says which way */
  amount: Decimal;
  /** When it was created */
  createdAt: string;
  /** credit raises the balance, debit lowers it */
  direction: "credit" | "debit";
  /** The id, a UUID */
  id: string;
  /** A key of the caller, unique per website for ever (contract 1.8) */
  idempotencyKey: string | null;
  /** The account */
  loyaltyAccount: EntryAccount;
  /** The balance after the entry; null for main accounts */
  loyaltyAccountEndAmount: Decimal | null;
  /** The account */
  loyaltyAccountId: string;
  /** The account’s lockVersion after the entry; null for main accounts */
  loyaltyAccountLockVersion: number | null;
  /** The balance before the entry; null for main accounts */
  loyaltyAccountStartAmount: Decimal | null;
  /** The currency */
  loyaltyCurrencyId: string;
  /** The transaction of the entry */
  loyaltyTransaction: EntryTransaction;
  /** The transaction */
  loyaltyTransactionId: string;
  /** Data of the caller or of the service, such as orderId or reversalOf */
  metadata?: Record<string, unknown>;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** What caused it: loyalty_rule, api_key, order, auction_bid or direct_mint */
  type: "auction_bid" | "direct_mint" | "loyalty_rule" | "api_key" | "order";
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The account of an entry */
export interface EntryAccount {
  /** The id, a UUID */
  id: string;
  /** The member */
  user: ShortUser | null;
}

/** The group of an entry’s rule */
export interface EntryGroupItem {
  /** The group of the rule */
  loyaltyRuleGroupId: string;
}

/** The rule that paid */
export interface EntryRule {
  /** A text for people */
  description: string;
  /** The id, a UUID */
  id: string;
  /** The group of the rule; absent without one */
  loyaltyRuleGroupItem?: EntryGroupItem;
  /** The settings of the rule */
  metadata: Record<string, unknown>;
  /** The name, for people */
  name: string;
  /** What the rule asks of members (contract 6) */
  type: string;
}

/** The transaction of an entry */
export interface EntryTransaction {
  /** What the transaction was for */
  description: string;
  /** The id, a UUID */
  id: string;
  /** The rule that paid; absent without one */
  loyaltyRule?: EntryRule;
  /** What caused it: loyalty_rule, api_key, order, auction_bid or direct_mint */
  type: string;
}

/** An event of a subscription, with its delivery (contract 3.33) */
export interface Event {
  /** How often it was tried */
  attempts: number;
  /** The last answer of the receiver; null: none */
  callback: Callback | null;
  /** The event of the blockchain; null for events of the service */
  event: ContractEvent | null;
  /** The run of a function for the event; null: none */
  functionRun: EventRun | null;
  /** Present if the subscription has several functions */
  functionRuns?: EventRun[];
  /** The id, a UUID */
  id: string;
  /** When it is tried next; null: no more */
  nextAttemptAt: string | null;
  /** The whole body of v2 */
  payload: Record<string, unknown>;
  /** Whether the event was delivered */
  status: "pending" | "delivered" | "failed" | "skipped" | "held";
  /** The table; null for events of blockchains */
  table: string | null;
  /** When it happened */
  triggeredAt: string;
  /** What happened */
  type: string;
}

/** The run of a function for an event */
export interface EventRun {
  /** The function; null of a rule that decides by itself */
  id: string | null;
  /** The rule that decides on the event; absent of a function that the subscription names itself */
  loyaltyRuleId?: string;
  /** What the handler returned */
  output: unknown;
  /** The id of the run; null: it did not begin */
  runId: string | null;
  /** How the run ended */
  status: "pending" | "succeeded" | "failed";
}

/** Points that expire at a time */
export interface Expiring {
  /** The points that expire then */
  amount: Decimal;
  /** When the points expire */
  expiresAt: string;
}

/** What is posted for one member */
export interface ExternalEntry {
  /** As the external ledger receives it: an exact decimal */
  amount: string;
  /** credit raises the balance, debit lowers it */
  direction: "credit" | "debit";
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string;
}

/**
 * Settings of rules of type external_rule. Your server reports something, such as a paid order, and
 * can pay by its value.
 */
export interface ExternalMetadata {
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
  /** The decimal places to which a reward by value is cut; null: 6 */
  roundTo?: number | null | undefined;
  /** How a reward by value is cut; null: down */
  rounding?: "down" | "half_up" | "up" | null | undefined;
}

/** A transaction that is posted to the external ledger of a currency (contract 5.15) */
export interface ExternalPost {
  /** How often it was tried */
  attempts: number;
  /** When it was created */
  createdAt: string;
  /** What is posted for each member */
  entries: ExternalEntry[];
  /** When it ended; null: it has not */
  finishedAt: string | null;
  /** The idempotencyKey that the external ledger receives */
  id: string;
  /** A call may have arrived although its response did not */
  inDoubt: boolean;
  /** What is posted */
  kind: "transaction" | "completion";
  /** The currency */
  loyaltyCurrencyId: string;
  /** The transaction here; null until the external ledger has accepted */
  loyaltyTransactionId: string | null;
  /** Why it was refused, or why the last call failed */
  message: string | null;
  /** When it is tried next; null: no more */
  nextAttemptAt: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Whether the external ledger has accepted */
  status: "open" | "done" | "refused" | "cancelled";
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A rule of type external_rule, with its settings */
export interface ExternalRule {
  /** The settings of the type */
  metadata?: ExternalMetadata | null | undefined;
  /** The type of the rule */
  type: "external_rule";
}

/** Settings of rules of type forum_platform_comment. Members comment in your forum. */
export interface ForumPlatformCommentMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
  /** The forum post that members comment on */
  forumPlatformPostId?: string | null | undefined;
}

/** A rule of type forum_platform_comment, with its settings */
export interface ForumPlatformCommentRule {
  /** The settings of the type */
  metadata?: ForumPlatformCommentMetadata | null | undefined;
  /** The type of the rule */
  type: "forum_platform_comment";
}

/** A function (contract 3.34) */
export interface Function {
  /** The program (contract 7.6) */
  code: string;
  /** When it was created */
  createdAt: string;
  /** When it runs by itself, as five fields; null: it does not */
  cron: string | null;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** true: it does nothing */
  disabled: boolean;
  /** The id, a UUID */
  id: string;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** When it was last changed */
  updatedAt: string;
  /** From 1; each change of the code raises it */
  version: number;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A run of a function (contract 3.34) */
export interface FunctionRun {
  /** When it was created */
  createdAt: string;
  /** How long it took, in milliseconds */
  durationMs: number;
  /** Why it failed */
  error: string | null;
  /** The function */
  functionId: string;
  /** The id, a UUID */
  id: string;
  /** The output of console.log, at most 64 KiB */
  logs: string[];
  /** The value that was passed to setResult; null without one */
  output: unknown;
  /** The same as id */
  runId: string;
  /** How the run ended */
  status: "running" | "succeeded" | "failed";
  /** What started the run */
  trigger: "subscription" | "cron" | "invoke" | "rule";
  /** The version of the code that ran */
  version: number;
}

/** Settings of rules of type game_store_wishlist. Members add your game to their wishlist. */
export interface GameStoreWishlistMetadata {
  /** The game in the store */
  gameStoreAppId?: string | null | undefined;
}

/** A rule of type game_store_wishlist, with its settings */
export interface GameStoreWishlistRule {
  /** The settings of the type */
  metadata?: GameStoreWishlistMetadata | null | undefined;
  /** The type of the rule */
  type: "game_store_wishlist";
}

/** A badge whose holders may mint */
export interface GatingBadge {
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string;
  /** The name, for people */
  name: string;
}

/** A badge whose holders may mint */
export interface GatingBadgeItem {
  /** The badge */
  loyaltyBadge: GatingBadge;
}

/** A collection whose owners may mint */
export interface GatingCollection {
  /** The address of the contract */
  address: string;
  /** The blockchain, by a name of contract 2.1 */
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
}

export interface GetPageSectionsResponse {
  /** The banner */
  banner?: SectionBanner | null;
  /** When it was created */
  createdAt?: string;
  /** The items of this page */
  data: PageSection[];
  /** When it was deleted; null or absent while it exists */
  deletedAt?: string;
  /** The items that the section leads to */
  discoveryItems?: DiscoveryItem[];
  /** When it is no longer shown; null: never */
  durationEnd?: string | null;
  /** When the section is shown from */
  durationStart?: string;
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
  /** The id, a UUID */
  id?: string;
  /** The collections that the section shows as a grid */
  itemsGrids?: ShownCollection[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string;
  /** The page, for placement page */
  pageId?: string;
  /** The kind of section */
  pageSectionType?: string | null;
  /** global, or page for the page pageId */
  placement?: string;
  /** The place in lists: the lowest first */
  sortId?: number;
  /** The heading */
  title?: string | null;
  /** When it was last changed */
  updatedAt?: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string;
}

/** Input of the operation: Grant a multiplier to a user */
export interface GiveMultiplierBody {
  /** A text for people */
  description?: string | null | undefined;
  /** Names one live multiplier of the website */
  externalIdentifier?: string | null | undefined;
  /** Empty or absent: all currencies */
  loyaltyCurrencyIds?: string[] | null | undefined;
  /** The factor that rewards are multiplied by */
  multiplier: Decimal | number;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The heading */
  title?: string | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A badge that was granted or revoked */
export interface GivenBadge {
  /** The badge of the member */
  data: GivenBadgeUser;
  /** A text for people */
  message: string;
}

/** The badge of the member */
export interface GivenBadgeUser {
  /** The id, a UUID */
  id: string;
  /** The badge */
  loyaltyBadgeId: string;
  /** active while the badge is held */
  status: "active" | "inactive" | "revoked";
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
}

/** An answer to a question */
export interface GivenBody {
  /** The response is an earlier one, and the question takes no further */
  alreadySubmitted: boolean;
  /** true: the answer is right */
  isCorrect: boolean;
  /** The answer */
  response: GivenResponse;
}

/** The answer that counts */
export interface GivenResponse {
  /** The id, a UUID */
  id: string;
  /** The choice */
  loyaltyQuestionChoiceId: string;
  /** The question */
  loyaltyQuestionId: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
}

/** Settings of rules of type governance_vote. Members vote on a proposal. */
export interface GovernanceVoteMetadata {
  /** The proposals that a vote on counts, as the partner knows them */
  governanceProposals?: GovernanceVoteMetadataGovernanceProposal[] | null | undefined;
}

export interface GovernanceVoteMetadataGovernanceProposal {
  /** The proposal */
  id?: number | string | null | undefined;
  /** Where it is voted on */
  space?: string | null | undefined;
}

/** A rule of type governance_vote, with its settings */
export interface GovernanceVoteRule {
  /** The settings of the type */
  metadata?: GovernanceVoteMetadata | null | undefined;
  /** The type of the rule */
  type: "governance_vote";
}

/** A rule in a group */
export interface GroupItem {
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRule: RuleBody;
  /** The place in lists: the lowest first */
  sortId: number;
}

/** The group of a member */
export interface GroupName {
  /** An identifier of your own */
  externalIdentifier: string | null;
  /** The id, a UUID */
  id: string;
}

/** Points that are reserved for an order */
export interface Hold {
  /** The amount debited from the accounts that paid */
  amount: Decimal;
  /** The captured part of amount; the rest went back */
  capturedAmount: Decimal;
  /** When it was created */
  createdAt: string;
  /** A text for people */
  description: string | null;
  /** When the hold is released by itself */
  expiresAt: string;
  /** The id, a UUID */
  id: string;
  /** The currency */
  loyaltyCurrencyId: string;
  /** The transaction that took the amount */
  loyaltyTransactionId: string;
  /** Data of your own, stored and returned as it was sent. At most 16,384 bytes */
  metadata: Record<string, unknown>;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Where it stands */
  status: "held" | "captured" | "released" | "expired";
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The id of what was deleted */
export interface IdBody {
  /** The id, a UUID */
  id: string;
}

/** Input of the operation: Import members from a file */
export interface ImportMembersBody {
  /** The url of a file that was uploaded for the website, in place of csvUrl */
  assetUrl?: string | null | undefined;
  /** The address of the file */
  csvUrl?: string | null | undefined;
  /** Of the opening balances. Default: the website's only currency */
  loyaltyCurrencyId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Run a function and wait for its end */
export interface InvokeFunctionBody {
  /** Any value; the handler gets it as input.input */
  input?: unknown | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The run of a function that was invoked */
export interface InvokedFunction {
  /** The run */
  data: FunctionRun;
}

/** Input of the operation: Issue a member token */
export interface IssueTokenInputBody {
  /** Default 3600 */
  expiresInSeconds?: number | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** What names a transaction */
export interface KeyOfTransaction {
  /** The key of an entry or completion of the transaction */
  idempotencyKey: string;
}

/** An attribute with the values of a member */
export interface LabeledAttribute {
  /** The id, a UUID */
  id: string;
  /** The name of the attribute */
  label: string;
  /** The values of the member */
  websiteUserAttributeValues: ShortValue[];
}

/** What there is, and what is needed */
export interface Lack {
  /** What there is */
  have: Decimal;
  /** What is needed */
  need: Decimal;
}

/** Input of the operation: Take a user out of its group */
export interface LeaveGroupInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Settings of rules of type link_click. Members open a link and get the reward after a delay. */
export interface LinkClickMetadata {
  /** The URL that members open, or of the account that they follow */
  link?: string | null | undefined;
  /** Seconds between the click and the reward, 0 to 604,800; null: 30 */
  timeDelayToVerifySeconds?: number | string | null | undefined;
}

/** A rule of type link_click, with its settings */
export interface LinkClickRule {
  /** The settings of the type */
  metadata?: LinkClickMetadata | null | undefined;
  /** The type of the rule */
  type: "link_click";
}

/**
 * Settings of rules of type liquidity_amm_v2. Members add tokens to a trading pool (version 2) to
 * provide liquidity.
 */
export interface LiquidityAmmV2Metadata {
  /** The pools that count, and what their dollars pay (contract 6) */
  liquidity?: LiquidityAmmV2MetadataLiquidity | null | undefined;
}

/** The pools that count, and what their dollars pay (contract 6) */
export interface LiquidityAmmV2MetadataLiquidity {
  /** By liquidityPerDay (fixed, the default) or by customFunction */
  calculationType?: "fixed" | "custom" | null | undefined;
  /** A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log */
  customFunction?: string | null | undefined;
  /** The dollars for which the amount of the rule is paid */
  liquidityPerDay?: number | null | undefined;
  /** The network of the pools, of contract 2.1 */
  network?: string | null | undefined;
  /** true: positions count only while the price is in their range */
  onlyRewardInRangeLiquidity?: boolean | null | undefined;
  /** The pools */
  pools?: LiquidityAmmV2MetadataLiquidityPool[] | null | undefined;
  /** The protocol. For display; the service does not use it */
  protocol?: string | null | undefined;
}

export interface LiquidityAmmV2MetadataLiquidityPool {
  /** The address of the pool */
  id: string;
}

/** A rule of type liquidity_amm_v2, with its settings */
export interface LiquidityAmmV2Rule {
  /** The settings of the type */
  metadata?: LiquidityAmmV2Metadata | null | undefined;
  /** The type of the rule */
  type: "liquidity_amm_v2";
}

/**
 * Settings of rules of type liquidity_amm_v3. Members add tokens to a trading pool (version 3) to
 * provide liquidity.
 */
export interface LiquidityAmmV3Metadata {
  /** The pools that count, and what their dollars pay (contract 6) */
  liquidity?: LiquidityAmmV3MetadataLiquidity | null | undefined;
}

/** The pools that count, and what their dollars pay (contract 6) */
export interface LiquidityAmmV3MetadataLiquidity {
  /** By liquidityPerDay (fixed, the default) or by customFunction */
  calculationType?: "fixed" | "custom" | null | undefined;
  /** A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log */
  customFunction?: string | null | undefined;
  /** The dollars for which the amount of the rule is paid */
  liquidityPerDay?: number | null | undefined;
  /** The network of the pools, of contract 2.1 */
  network?: string | null | undefined;
  /** true: positions count only while the price is in their range */
  onlyRewardInRangeLiquidity?: boolean | null | undefined;
  /** The pools */
  pools?: LiquidityAmmV3MetadataLiquidityPool[] | null | undefined;
  /** The protocol. For display; the service does not use it */
  protocol?: string | null | undefined;
}

export interface LiquidityAmmV3MetadataLiquidityPool {
  /** The address of the pool */
  id: string;
}

/** A rule of type liquidity_amm_v3, with its settings */
export interface LiquidityAmmV3Rule {
  /** The settings of the type */
  metadata?: LiquidityAmmV3Metadata | null | undefined;
  /** The type of the rule */
  type: "liquidity_amm_v3";
}

/** One page of a list (contract 1.6) */
export interface ListAccount {
  /** The items of this page */
  data: Account[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListAllowEntry {
  /** The items of this page */
  data: AllowEntry[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListApiKey {
  /** The items of this page */
  data: ApiKey[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListAsset {
  /** The items of this page */
  data: Asset[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListAuction {
  /** The items of this page */
  data: Auction[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListAuctionItem {
  /** The items of this page */
  data: AuctionItem[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListBadge {
  /** The items of this page */
  data: Badge[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListClaimUser {
  /** The items of this page */
  data: ClaimUser[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListClearingJob {
  /** The items of this page */
  data: ClearingJob[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListContract {
  /** The items of this page */
  data: Contract[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListContractsBody {
  /** The items of this page */
  data: MintingContract[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
  /** Sums of the contracts on this page */
  stats: ContractStats[];
}

/** One page of a list (contract 1.6) */
export interface ListCurrency {
  /** The items of this page */
  data: Currency[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListDelegation {
  /** The items of this page */
  data: Delegation[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListDevice {
  /** The items of this page */
  data: Device[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListEntry {
  /** The items of this page */
  data: Entry[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListEvent {
  /** The items of this page */
  data: Event[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListExpiring {
  /** The items of this page */
  data: Expiring[];
  /** true: there are more items; ask for them with after, the expiresAt of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListExternalPost {
  /** The items of this page */
  data: ExternalPost[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListFunction {
  /** The items of this page */
  data: Function[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListFunctionRun {
  /** The items of this page */
  data: FunctionRun[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListHold {
  /** The items of this page */
  data: Hold[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListListedBadgeUser {
  /** The items of this page */
  data: ListedBadgeUser[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListLot {
  /** The items of this page */
  data: Lot[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListMemberImport {
  /** The items of this page */
  data: MemberImport[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListMetadata {
  /** The items of this page */
  data: Metadata[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListMintStatus {
  /** The items of this page */
  data: MintStatus[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListMintingAsset {
  /** The items of this page */
  data: MintingAsset[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListMultiplier {
  /** The items of this page */
  data: Multiplier[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListPayout {
  /** The items of this page */
  data: Payout[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListProcessingView {
  /** The items of this page */
  data: ProcessingView[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListQuestion {
  /** The items of this page */
  data: Question[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListQuestionResponse {
  /** The items of this page */
  data: QuestionResponse[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListReferralItem {
  /** The items of this page */
  data: ReferralItem[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListReplayBody {
  /** The items of this page */
  data: ReplayBody[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleBody {
  /** The items of this page */
  data: RuleBody[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleChain {
  /** The items of this page */
  data: RuleChain[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleEdit {
  /** The items of this page */
  data: RuleEdit[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleGroup {
  /** The items of this page */
  data: RuleGroup[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleImport {
  /** The items of this page */
  data: RuleImport[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleRun {
  /** The items of this page */
  data: RuleRun[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListRuleStatus {
  /** The items of this page */
  data: RuleStatus[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListSubscription {
  /** The items of this page */
  data: Subscription[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListTokenClaim {
  /** The items of this page */
  data: TokenClaim[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListUser {
  /** The items of this page */
  data: User[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListUserAttribute {
  /** The items of this page */
  data: UserAttribute[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListUserAttributeValue {
  /** The items of this page */
  data: UserAttributeValue[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListUserRole {
  /** The items of this page */
  data: UserRole[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListWebsite {
  /** The items of this page */
  data: Website[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListWebsiteCollection {
  /** The items of this page */
  data: WebsiteCollection[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** One page of a list (contract 1.6) */
export interface ListWebsitePageSection {
  /** The items of this page */
  data: WebsitePageSection[];
  /** true: there are more items; ask for them with startingAfter, the id of the last one */
  hasNextPage: boolean;
}

/** A member’s badge, with when it was deleted (contract 3.21) */
export interface ListedBadgeUser {
  /** Left out until granted */
  completedAt?: string;
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** true: the member has dismissed the badge */
  dismissedInUi: boolean;
  /** true: not shown to members */
  hideInUi: boolean;
  /** The id, a UUID */
  id: string;
  /** The badge */
  loyaltyBadgeId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How far the member is, by condition */
  progress: BadgeProgress[];
  /** active while the badge is held */
  status: "active" | "inactive" | "revoked";
  /** When it was last changed */
  updatedAt: string;
  /** The member */
  user: ShortUser;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Settings of rules of type listing. Members list tokens from a collection for sale. */
export interface ListingMetadata {
  /** The market whose sales count, by the operator’s name for it; null: any */
  fillSource?: string | null | undefined;
}

/** A rule of type listing, with its settings */
export interface ListingRule {
  /** The settings of the type */
  metadata?: ListingMetadata | null | undefined;
  /** The type of the rule */
  type: "listing";
}

/** Settings of rules of type lodging. Members deposit tokens from their wallet into a smart contract. */
export interface LodgingMetadata {
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: LodgingMetadataCollection[] | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

export interface LodgingMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type lodging, with its settings */
export interface LodgingRule {
  /** The settings of the type */
  metadata?: LodgingMetadata | null | undefined;
  /** The type of the rule */
  type: "lodging";
}

/** Points of one reward that are held, or that expire */
export interface Lot {
  /** Points, with up to 6 decimal places */
  amount: Decimal;
  /** When it was created */
  createdAt: string;
  /** When it was spent, expired, cancelled or closed */
  endedAt: string | null;
  /** When the points expire; null: never */
  expiresAt: string | null;
  /** The debit by which it expired */
  expiryEntryId: string | null;
  /** The id, a UUID */
  id: string;
  /** The account */
  loyaltyAccountId: string;
  /** The currency */
  loyaltyCurrencyId: string;
  /** The rule that paid the points; null if no rule did */
  loyaltyRuleId: string | null;
  /**
   * The entry that credited the points; null while they are held, and for points from before points
   * expired
   */
  loyaltyTransactionEntryId: string | null;
  /**
   * The transaction that credited the points, or granted held ones; null for points from before points
   * expired
   */
  loyaltyTransactionId: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The reason of a cancellation */
  reason: string | null;
  /** The remaining points of an open lot, or all points of a pending lot */
  remaining: Decimal;
  /** Whether the points are held, credited or cancelled */
  state: "pending" | "released" | "cancelled" | "open" | "spent" | "expired" | "closed";
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** When held points are credited; null: they were not held */
  waitsUntil: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The group of rules that an item leads to */
export interface LoyaltyHeader {
  /** The id, a UUID */
  id: string;
  /** The name, for people */
  name: string;
}

/** An import of members from a file (contract 1.11) */
export interface MemberImport {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** How far it is, what was imported, or which rows are bad */
  message?: string;
  /** Where the job stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  /** When it was last changed */
  updatedAt: string;
}

/** Settings of rules of type messenger_join. Members join your messenger group. */
export interface MessengerJoinMetadata {
  /** The channel or group, such as @example */
  messengerChannelId?: string | null | undefined;
}

/** A rule of type messenger_join, with its settings */
export interface MessengerJoinRule {
  /** The settings of the type */
  metadata?: MessengerJoinMetadata | null | undefined;
  /** The type of the rule */
  type: "messenger_join";
}

/** Settings of rules of type messenger_messages. Members send messages in your messenger group. */
export interface MessengerMessagesMetadata {
  /** The channel or group, such as @example */
  messengerChannelId?: string | null | undefined;
}

/** A rule of type messenger_messages, with its settings */
export interface MessengerMessagesRule {
  /** The settings of the type */
  metadata?: MessengerMessagesMetadata | null | undefined;
  /** The type of the rule */
  type: "messenger_messages";
}

/** What is known of a member (contract 3.5) */
export interface Metadata {
  /** A text of the member about itself */
  bio: string | null;
  /** Why the member is or is not blocked. Only organization and website keys see it */
  blockStatusReason: string | null;
  /** The user name on the chat server */
  chatServerUser: string | null;
  /** The user id on the chat server */
  chatServerUserId: string | null;
  /** When the account was connected; null: not connected by the member */
  chatServerVerifiedAt: string | null;
  /** The user name on the code host */
  codeHostUser: string | null;
  /** The user id on the code host */
  codeHostUserId: string | null;
  /** When the account was connected; null: not connected by the member */
  codeHostVerifiedAt: string | null;
  /** When it was created */
  createdAt: string;
  /** The name that others see */
  displayName: string | null;
  /** The e-mail address. Only organization and website keys see it */
  emailAddress: string | null;
  /** When the member proved the address; null: not yet */
  emailVerifiedAt: string | null;
  /** An identifier of your own for the member; not unique */
  externalIdentifier: string | null;
  /** A score of your own */
  externalLoyaltyScore: string | null;
  /** The user name in the forum */
  forumPlatformUser: string | null;
  /** The user id in the forum */
  forumPlatformUserId: string | null;
  /** When the account was connected; null: not connected by the member */
  forumPlatformVerifiedAt: string | null;
  /** The account id of the game launcher */
  gameLauncherAccountId: string | null;
  /** The user name of the game launcher */
  gameLauncherUsername: string | null;
  /** When the account was connected; null: not connected by the member */
  gameLauncherVerifiedAt: string | null;
  /** The user id in the game store */
  gameStoreUserId: string | null;
  /** The user name in the game store */
  gameStoreUsername: string | null;
  /** When the account was connected; null: not connected by the member */
  gameStoreVerifiedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** Notes for your team. Only organization and website keys see it */
  internalNotes: string | null;
  /** true: the member is never blocked automatically. Only organization and website keys see it */
  isBlockExempt: boolean;
  /** true: the member completes nothing */
  isBlocked: boolean;
  /** The user name on the live stream platform */
  liveStreamUser: string | null;
  /** The user id on the live stream platform */
  liveStreamUserId: string | null;
  /** When the account was connected; null: not yet */
  liveStreamVerifiedAt: string | null;
  /** Where the member says it lives */
  location: string | null;
  /** The URL of the member’s picture */
  logoUrl: string | null;
  /** The user id on the messenger */
  messengerUserId: string | null;
  /** The user name on the messenger */
  messengerUsername: string | null;
  /** When the account was connected; null: not connected by the member */
  messengerVerifiedAt: string | null;
  /** Always null */
  meta: string | null;
  /** The followers of the account */
  microblogFollowersCount: number | null;
  /** The user name on the microblog, without @ */
  microblogUser: string | null;
  /** The user id on the microblog */
  microblogUserId: string | null;
  /** true: the microblog has verified the account */
  microblogVerifiedAccount: boolean;
  /** When the account was connected; null: not connected by the member */
  microblogVerifiedAt: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The phone number in E.164 form, such as +4915112345678. Only organization and website keys see it */
  phoneNumber: string | null;
  /** When the member proved the number; null: not yet */
  phoneVerifiedAt: string | null;
  /** The user name on the photo platform */
  photoPlatformUser: string | null;
  /** When the account was connected; null: not yet */
  photoPlatformVerifiedAt: string | null;
  /** A link of the member */
  portfolioUrl: string | null;
  /** The user name on the short video platform */
  shortVideoUser: string | null;
  /** The user id on the short video platform */
  shortVideoUserId: string | null;
  /** When the account was connected; null: not connected by the member */
  shortVideoVerifiedAt: string | null;
  /** How likely the member has several accounts. Only organization and website keys see it */
  sybilScore: number | null;
  /** When it was last changed */
  updatedAt: string;
  /** The member */
  user: UserName;
  /** The group of the member; null: none */
  userGroup: GroupName | null;
  /** The group of the member; null: none */
  userGroupId: string | null;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** When a signature proved the wallet; null: not yet */
  verifiedLocallyAt: string | null;
  /** The member’s channel on the video platform */
  videoPlatformChannelId: string | null;
  /** When the channel was connected; null: not connected by the member */
  videoPlatformVerifiedAt: string | null;
  /** A label that the wallets of one person share; balances stay apart */
  walletGroupIdentifier: string | null;
  /** The user name of the web account */
  webAccountUser: string | null;
  /** The user id of the web account */
  webAccountUserId: string | null;
  /** When the account was connected; null: not connected by the member */
  webAccountVerifiedAt: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Settings of rules of type microblog_comment. Members comment on one of your posts. */
export interface MicroblogCommentMetadata {
  /** The URL of the post that members react to */
  microblogPostUrl?: string | null | undefined;
}

/** A rule of type microblog_comment, with its settings */
export interface MicroblogCommentRule {
  /** The settings of the type */
  metadata?: MicroblogCommentMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_comment";
}

/** Settings of rules of type microblog_follow. Members follow your microblog account. */
export interface MicroblogFollowMetadata {
  /** The URL of the account that members follow */
  microblogAccountUrl?: string | null | undefined;
  /** The id of your account on the microblog */
  microblogUserId?: string | null | undefined;
  /** The name of your account on the microblog. For display; the service does not use it */
  microblogUsername?: string | null | undefined;
}

/** A rule of type microblog_follow, with its settings */
export interface MicroblogFollowRule {
  /** The settings of the type */
  metadata?: MicroblogFollowMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_follow";
}

/**
 * Settings of rules of type microblog_like. Members like one of your posts. They must connect their
 * account, but Laurel doesn’t verify the like.
 */
export interface MicroblogLikeMetadata {
  /** The URL of the post that members react to */
  microblogPostUrl?: string | null | undefined;
}

/** A rule of type microblog_like, with its settings */
export interface MicroblogLikeRule {
  /** The settings of the type */
  metadata?: MicroblogLikeMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_like";
}

/** Settings of rules of type microblog_liked_by_project. Your account likes a member’s post. */
export interface MicroblogLikedByProjectMetadata {
  /** The id of your account on the microblog */
  microblogUserId?: string | null | undefined;
  /** The name of your account on the microblog. For display; the service does not use it */
  microblogUsername?: string | null | undefined;
}

/** A rule of type microblog_liked_by_project, with its settings */
export interface MicroblogLikedByProjectRule {
  /** The settings of the type */
  metadata?: MicroblogLikedByProjectMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_liked_by_project";
}

/** Settings of rules of type microblog_post_hashtag. Members publish a post with your hashtag. */
export interface MicroblogPostHashtagMetadata {
  /** The hashtag that posts must have, with or without # */
  microblogHashtag?: string | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

/** A rule of type microblog_post_hashtag, with its settings */
export interface MicroblogPostHashtagRule {
  /** The settings of the type */
  metadata?: MicroblogPostHashtagMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_post_hashtag";
}

/** Settings of rules of type microblog_post. Members write a post that mentions you. */
export interface MicroblogPostMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
  /** The fewest followers that an account must have; null: any number */
  minimumFollowerCount?: number | string | null | undefined;
  /** true: members send the link of their post as contentUrl */
  requirePostLink?: boolean | null | undefined;
  /** true: only posts with a picture or video count */
  requirePostMediaLink?: boolean | null | undefined;
}

/** A rule of type microblog_post, with its settings */
export interface MicroblogPostRule {
  /** The settings of the type */
  metadata?: MicroblogPostMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_post";
}

/** Settings of rules of type microblog_reaction. Members like, repost or comment on one of your posts. */
export interface MicroblogReactionMetadata {
  /** true: members comment on the post */
  checkComment?: boolean | null | undefined;
  /** true: members like the post. Likes are taken on trust */
  checkLike?: boolean | null | undefined;
  /** true: members repost the post */
  checkRepost?: boolean | null | undefined;
  /** Once the post has so many comments, members need not comment on it */
  maxComments?: number | null | undefined;
  /** Once the post has so many likes, members need not like it */
  maxLikes?: number | null | undefined;
  /** Once the post has so many reposts, members need not repost it */
  maxReposts?: number | null | undefined;
  /** The URL of the post that members react to */
  microblogPostUrl?: string | null | undefined;
  /** Counts of the post, written by the service. Values in requests are ignored */
  reactionStats?: MicroblogReactionMetadataReactionStats | null | undefined;
}

/** Counts of the post, written by the service. Values in requests are ignored */
export interface MicroblogReactionMetadataReactionStats {
  /** Comments on the post */
  commentCount?: number | null | undefined;
  /** Likes of the post */
  likeCount?: number | null | undefined;
  /** Reposts of the post */
  repostCount?: number | null | undefined;
  /** When the counts were read */
  syncedAt?: string | null | undefined;
}

/** A rule of type microblog_reaction, with its settings */
export interface MicroblogReactionRule {
  /** The settings of the type */
  metadata?: MicroblogReactionMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_reaction";
}

/** Settings of rules of type microblog_repost. Members repost one of your posts. */
export interface MicroblogRepostMetadata {
  /** The URL of the post that members react to */
  microblogPostUrl?: string | null | undefined;
}

/** A rule of type microblog_repost, with its settings */
export interface MicroblogRepostRule {
  /** The settings of the type */
  metadata?: MicroblogRepostMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_repost";
}

/** Settings of rules of type microblog_text_in_bio. Members add text that you choose to their bio. */
export interface MicroblogTextInBioMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
}

/** A rule of type microblog_text_in_bio, with its settings */
export interface MicroblogTextInBioRule {
  /** The settings of the type */
  metadata?: MicroblogTextInBioMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_text_in_bio";
}

/**
 * Settings of rules of type microblog_text_in_comment. Members write a comment that contains text that
 * you choose.
 */
export interface MicroblogTextInCommentMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
  /** The URL of the post that members react to */
  microblogPostUrl?: string | null | undefined;
}

/** A rule of type microblog_text_in_comment, with its settings */
export interface MicroblogTextInCommentRule {
  /** The settings of the type */
  metadata?: MicroblogTextInCommentMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_text_in_comment";
}

/**
 * Settings of rules of type microblog_text_in_name. Members add text that you choose to their display
 * name.
 */
export interface MicroblogTextInNameMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
}

/** A rule of type microblog_text_in_name, with its settings */
export interface MicroblogTextInNameRule {
  /** The settings of the type */
  metadata?: MicroblogTextInNameMetadata | null | undefined;
  /** The type of the rule */
  type: "microblog_text_in_name";
}

/** A milestone of streaks */
export interface Milestone {
  /** The points in addition at the milestone */
  streakAmount: Decimal;
  /** Check-ins in a row */
  streakMilestone: Decimal;
}

/** Input of the operation: Mint items of an asset for a user */
export interface MintBody {
  /** Recorded */
  agreedToSendW9?: boolean | null | undefined;
  /** The asset */
  assetId: string;
  /** The minting contract */
  contractId: string;
  /** What the member entered, if the asset asks for it */
  customInputValue?: string | null | undefined;
  /** Where to reach the member, if the contract asks for it */
  emailAddress?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** How many to mint; default 1 */
  quantity?: number | null | undefined;
  /** Your id of where to ship */
  shippingId?: string | null | undefined;
  /** Recorded */
  shippingOrderType?: string | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A mint that was accepted */
export interface MintOutputBody {
  /** The id of the mint */
  mintingContractAssetMintStatusId: string;
}

/** A mint of a member (contract 3.26) */
export interface MintStatus {
  /** When it was created */
  createdAt: string;
  /** What the member entered, if the asset asks for it */
  customInputValue: string | null;
  /** null for read-only and client keys */
  emailAddress: string | null;
  /** Why it failed, as a number; null: it did not */
  errorCode: number | null;
  /** Why it failed, for people; null: it did not */
  errorMessage: string | null;
  /** The id, a UUID */
  id: string;
  /** The asset */
  mintingContractAssetId: string;
  /** The minting contract */
  mintingContractId: string;
  /** The price of all items */
  price: Decimal | null;
  /** How many */
  quantity: number;
  /** The driver’s id of the transaction; null: none */
  relayerTxId: string | null;
  /** Your id of where to ship */
  shippingId: string | null;
  /** As the minting driver returned it */
  signature?: unknown;
  /** Where the mint stands */
  status: "generatingSignature" | "minting" | "minted" | "failed";
  /** The hash of the transaction on the blockchain; null: none */
  txHash: string | null;
  /** What is still to be paid; null: nothing */
  unpaid: Unpaid | null;
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
}

/** Settings of rules of type minted_on. Members create (mint) tokens with their wallet. */
export interface MintedOnMetadata {
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: MintedOnMetadataCollection[] | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

export interface MintedOnMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type minted_on, with its settings */
export interface MintedOnRule {
  /** The settings of the type */
  metadata?: MintedOnMetadata | null | undefined;
  /** The type of the rule */
  type: "minted_on";
}

/** An asset of a minting contract (contract 3.25) */
export interface MintingAsset {
  /** The URL of a video or animation */
  animationUrl: string | null;
  /** The number in its contract, from 1 */
  assetNr: number;
  /** The auctions’ items that offer the asset */
  auctionItems: AuctionedItem[];
  /** What members are asked for */
  collectInfoType: string | null;
  /** When it was created */
  createdAt: string;
  /** The token that prices or bids are in; null: points, or the network’s coin */
  currencyAddress: string | null;
  /** The decimal places of the currency */
  currencyDecimals: number | null;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** A text for people */
  description: string | null;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** true: only identifiers on the allowlist may mint */
  isAllowlisted: boolean;
  /** true: not shown to members */
  isHidden: boolean;
  /** true: members can see and mint it */
  isListed: boolean;
  /** true: a thing that is shipped belongs to it */
  isPhygitalItem: boolean;
  /** When it can no longer be minted; null: never */
  listingEndsAt: string | null;
  /** When it can be minted from; null: at once */
  listingStartsAt: string | null;
  /** The currency of the price; null: the currency of the blockchain */
  loyaltyCurrencyId: string | null;
  /** With includeMetadata=true, if it has any */
  metadata?: Record<string, unknown>;
  /** The minting contract */
  mintingContractId: string;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The price of one item */
  price: Decimal;
  /** How many there are in all */
  quantity: number;
  /** How many were minted */
  quantityMinted: number;
  /** When it was revealed; null: not yet */
  revealedAt: string | null;
  /** true: members are asked for collectInfoType */
  shouldCollectUserInfo: boolean;
  /** The id of the token in its contract; null: none */
  tokenId: number | null;
  /** true: there is no limit */
  unlimitedQty: boolean;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A minting contract: a catalogue of assets (contract 3.24) */
export interface MintingContract {
  /** The address of the contract */
  address: string | null;
  /** ONCHAIN: tokens of a contract; OFFCHAIN: goods that are paid with points */
  contractKind: "ONCHAIN" | "OFFCHAIN";
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** A text for people */
  description: string | null;
  /** true: the driver pays the fees */
  enableGasless: boolean;
  /** A link beside the contract */
  externalLinkUrl: string | null;
  /** true: tokens show what they are only after the reveal */
  hasRevealMechanic: boolean;
  /** true: your website hides assets that cannot be minted now */
  hideInactiveListings: boolean;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** true: free for holders of the badges */
  isFreeClaimForBadgeHolders: boolean;
  /** true: free for owners of the collections */
  isFreeClaimForTokenHolders: boolean;
  /** true: members can see and mint it */
  isListed: boolean;
  /** true: perUserMintLimit applies to each asset, not to the contract */
  isPerAssetMintLimit: boolean;
  /** true: tokens cannot be passed on */
  isSoulbound: boolean;
  /** The newest 100 that are not hidden */
  mintingContractAssets: MintingAsset[];
  /** The badges whose holders may mint */
  mintingContractBadgeAssociation: GatingBadgeItem[];
  /** The collections whose owners may mint */
  mustOwnCollections: GatingCollection[];
  /** The name, for people */
  name: string;
  /** The blockchain, by a name of contract 2.1 */
  network: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** 0: no limit */
  perUserMintLimit: number;
  /** The URL of what is shown before the reveal */
  preRevealMedia: string | null;
  /** Who receives the price */
  primarySaleRecipientAddress: string;
  /** The operator’s driver that pays or mints */
  relayerId: string | null;
  /** true: members need all collections and badges; false: one of them */
  requireHoldingAllGatedItems: boolean;
  /** When tokens can be revealed; null: at any time */
  revealAvailableAt: string | null;
  /** Percent */
  royaltyFee: Decimal;
  /** Who receives royalties */
  royaltyFeeAddress: string;
  /** true: members give an e-mail address */
  shouldCollectEmail: boolean;
  /** true: your website lists it on its marketplace */
  showOnMarketplace: boolean;
  /** The place in lists: the lowest first */
  sortId: number | null;
  /** The short name, such as PTS */
  symbol: string;
  /** The standard of the tokens */
  tokenType: "erc721" | "erc1155" | "erc721c";
  /** Live ones */
  totalAssets: number;
  /** When it was last changed */
  updatedAt: string;
  /** The collection */
  websiteCollectionId?: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** What a completion lacks, in numbers */
export interface Missing {
  /** What the cap of the period still allows */
  capLeft?: Decimal;
  /** The length of the text */
  characters?: Lack;
  /** Conditions of chains, with their state */
  conditions?: State[];
  /** Fields of the profile that are filled in */
  fields?: Lack;
  /** The followers of the account */
  followers?: Lack;
  /** When the next window opens */
  opensAt?: string;
  /** The progress that there is and that is needed */
  progress?: Lack;
  /** Required rules that are completed */
  required?: Lack;
  /** The value that was measured or sent */
  value?: Lack;
}

/** Input of the operation: Move an account to the user who has proved it */
export interface MoveAccountInputBody {
  /** Of the refusal MAXIMUM_ACCOUNT_LINKED */
  accountLinkData: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A factor that raises what a member earns (contract 3.20) */
export interface Multiplier {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** A text for people */
  description: string | null;
  /** An identifier of your own, unique among multipliers of the website */
  externalIdentifier: string | null;
  /** The id, a UUID */
  id: string;
  /** The badge that granted it */
  loyaltyBadgeId?: string;
  /** Empty: all currencies */
  loyaltyCurrencyIds: string[];
  /** The rule that granted it */
  loyaltyRuleId?: string;
  /** The factor that rewards are multiplied by */
  multiplier: Decimal;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The heading */
  title: string | null;
  /** When it was last changed */
  updatedAt: string;
  /** The member */
  user: ShortUser;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** What a condition refers to */
export interface Named {
  /** The name, for people */
  name: string;
}

/** An item to add to an auction */
export interface NewAuctionItem {
  /** The asset */
  mintingContractAssetId: string;
  /** That its winner gets; default 1 */
  quantity?: number | null | undefined;
  /** The best bidder wins the first; default: in the order in which items are added */
  sortId?: number | null | undefined;
}

/** A new key of the API, with its secret (contract 3.35) */
export interface NewKey {
  /** Origins of browsers that may use a client key; empty: all */
  allowedOrigins: string[];
  /** When it was created */
  createdAt: string;
  /** When the key ends; null: never */
  expiresAt: string | null;
  /** The id, a UUID */
  id: string;
  /** Shown once: only its hash is stored */
  key?: string;
  /** When the key was last used, exact to a minute; null: never */
  lastUsedAt: string | null;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The first 12 characters of the key */
  prefix: string;
  /** When the key was revoked; null: it is valid */
  revokedAt: string | null;
  /** The role (contract 2) */
  roleType: string;
  /** The service user as which the key acts */
  userId: string;
  /** The website; null for keys of the organization */
  websiteId: string | null;
}

/** A rule of a type that has no settings of its own */
export interface OtherRule {
  /** The type of the rule */
  type: "attendance_token_claim" | "bonus" | "connected_chat_server" | "connected_code_host" | "connected_email" | "connected_forum_platform" | "connected_game_launcher" | "connected_game_store" | "connected_messenger" | "connected_phone" | "connected_photo_platform" | "connected_short_video" | "connected_video_platform" | "dapps_by_active_users" | "dapps_by_gas_spent" | "dapps_by_new_users" | "dapps_by_transaction_count" | "dapps_by_user_retention" | "manual_upload" | "microblog_followers" | "points_airdrop" | "poll" | "quiz";
}

/** The result of a proof */
export interface Outcome {
  /** For POST /api/users/verify, which moves the account to this user */
  accountLinkData?: string;
  /** Why the proof does not count, for programs */
  error?: string;
  /** To try again with */
  jwtState?: string;
  /** A text for people */
  message?: string;
  /** false: the proof does not count, and error says why */
  success: boolean;
}

/** An account of the member of the token */
export interface OwnAccount {
  /** The balance */
  amount: Decimal;
  /** The currency */
  loyaltyCurrencyId: string;
  /** The place by balance, from 1; "5000+" above 5,000; null without a rank */
  rank: number | string | null;
}

/** The group of the member of the token */
export interface OwnGroup {
  /** An identifier of your own */
  externalIdentifier: string | null;
  /** The id, a UUID */
  id: string;
  /** In order of joining */
  users: ShortUser[];
}

/** A section of a marketplace page (contract 3.29) */
export interface PageSection {
  /** The banner */
  banner: SectionBanner | null;
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt?: string;
  /** The items that the section leads to */
  discoveryItems: DiscoveryItem[];
  /** When it is no longer shown; null: never */
  durationEnd: string | null;
  /** When the section is shown from */
  durationStart: string;
  /** The id, a UUID */
  id: string;
  /** The collections that the section shows as a grid */
  itemsGrids: ShownCollection[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The page, for placement page */
  pageId?: string;
  /** The kind of section */
  pageSectionType: string | null;
  /** global, or page for the page pageId */
  placement: string;
  /** The place in lists: the lowest first */
  sortId: number;
  /** The heading */
  title: string | null;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** What was paid */
export interface Paid {
  /** The points that were paid */
  amount?: Decimal;
  /** The badge that was granted */
  loyaltyBadgeId?: string;
  /** The currency */
  loyaltyCurrencyId?: string;
  /** The multiplier that was granted */
  multiplier?: Decimal;
  /** What members get */
  rewardType: string;
  /** The points are held and not credited yet, as pointsWaitHours of the currency says */
  waiting?: boolean;
}

/** The payout of a token reward (contract 5.5) */
export interface Payout {
  /** The tokens to pay */
  amount: Decimal;
  /** Calls of the driver since the payout was created or retried */
  attempts: number;
  /** The contract of the token; null: none */
  contractId: string | null;
  /** When it was created */
  createdAt: string;
  /** The idempotencyKey that the payout driver receives */
  id: string;
  /** true: the coin of the network, not a token of a contract */
  isNative: boolean;
  /** null if a rule granted the reward */
  loyaltyBadgeId: string | null;
  /** The hidden currency of the token */
  loyaltyCurrencyId: string;
  /** null if a badge granted the reward */
  loyaltyRuleId: string | null;
  /** The entry that the payout is for */
  loyaltyTransactionEntryId: string;
  /** Why it failed, or why the last call failed */
  message: string | null;
  /** The blockchain, by a name of contract 2.1 */
  network: string | null;
  /** When it is tried next; null: no more */
  nextAttemptAt: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** null if a badge granted the reward */
  relayerId: string | null;
  /** Where it stands */
  status: "waiting" | "sent" | "done" | "failed";
  /** The hash of the transaction on the blockchain; null: none */
  txHash: string | null;
  /** Moves with status and txHash */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Settings of rules of type photo_platform_follow. Members follow your account on the photo platform. */
export interface PhotoPlatformFollowMetadata {
  /** The URL that members open, or of the account that they follow */
  link?: string | null | undefined;
}

/** A rule of type photo_platform_follow, with its settings */
export interface PhotoPlatformFollowRule {
  /** The settings of the type */
  metadata?: PhotoPlatformFollowMetadata | null | undefined;
  /** The type of the rule */
  type: "photo_platform_follow";
}

/** Settings of rules of type photo_platform_post. Members publish a photo that mentions you. */
export interface PhotoPlatformPostMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
}

/** A rule of type photo_platform_post, with its settings */
export interface PhotoPlatformPostRule {
  /** The settings of the type */
  metadata?: PhotoPlatformPostMetadata | null | undefined;
  /** The type of the rule */
  type: "photo_platform_post";
}

/** Input of the operation: Bid for a user */
export interface PlaceBidBody {
  /** The bid: at least minBidAmount, and above the best bid of an open auction */
  amount: Decimal | number;
  /** The auction */
  auctionId: string;
  /** Recorded */
  auctionItemId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Tables of the service to watch (contract 3.32) */
export interface PlatformInput {
  /** Limits entries and accounts to the currencies of these main accounts */
  mainLoyaltyAccountIds?: string[] | undefined;
  /** The tables */
  tableNames?: string[] | undefined;
  /** An id of your own, carried in events */
  triggerId?: string | null | undefined;
}

/** A table of the service that is watched (contract 3.32) */
export interface PlatformSource {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The table */
  table: string;
  /** When it was last changed */
  updatedAt: string;
}

/** Settings of rules of type post_impressions. Members’ posts reach a minimum number of views. */
export interface PostImpressionsMetadata {
  /** What counts: views (the default) or posts */
  rewardCriteria?: "IMPRESSIONS_COUNT" | "ELIGIBLE_POST" | null | undefined;
  /** true: the amount is paid for each view */
  rewardPerImpression?: boolean | null | undefined;
  /** true: replies and reposts do not count */
  rewardQualityPosts?: boolean | null | undefined;
}

/** A rule of type post_impressions, with its settings */
export interface PostImpressionsRule {
  /** The settings of the type */
  metadata?: PostImpressionsMetadata | null | undefined;
  /** The type of the rule */
  type: "post_impressions";
}

/** Input of the operation: Post a transaction: all entries or none */
export interface PostTransactionInputBody {
  /** What the transaction is for, up to 1,000 characters */
  description: string;
  /** The entries, one per member or account */
  entries: TransactionEntry[];
  /** The currency of entries without one */
  loyaltyCurrencyId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Default api_key */
  type?: "api_key" | "order" | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** An entry of a transaction (contract 3.10) */
export interface PostedEntry {
  /** The points of the entry, above 0; direction says which way */
  amount: Decimal;
  /** credit raises the balance, debit lowers it */
  direction: string;
  /** The id, a UUID */
  id: string;
  /** A key of the caller, unique per website for ever (contract 1.8) */
  idempotencyKey?: string;
  /** The account */
  loyaltyAccountId: string;
  /** The currency */
  loyaltyCurrencyId: string;
  /** Data of the caller or of the service, such as orderId or reversalOf */
  metadata?: Record<string, unknown>;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
}

/** A completion that is worked on (contract 3.16) */
export interface ProcessingView {
  /** When it was created */
  createdAt: string;
  /** When it was completed; null: not yet */
  fulfilledAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** A text for people */
  message: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How far the member is; null: the rule has no progress */
  progress: Decimal | null;
  /** Absent if there is only progress */
  status?: "pending" | "processing" | "completed" | "failed";
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Settings of rules of type profile_completed. Members fill in the profile fields that you choose. */
export interface ProfileCompletedMetadata {
  /** The fields of the profile, and the platforms, that members fill in or connect: all that are true */
  completeProfileConditions?: ProfileCompletedMetadataCompleteProfileConditions | null | undefined;
}

/** The fields of the profile, and the platforms, that members fill in or connect: all that are true */
export interface ProfileCompletedMetadataCompleteProfileConditions {
  /** true: members need it (About) */
  bio?: boolean | null | undefined;
  /** true: members need it (Chat server) */
  chat_server?: boolean | null | undefined;
  /** true: members need it (Code host) */
  code_host?: boolean | null | undefined;
  /** true: members need it (Name) */
  displayName?: boolean | null | undefined;
  /** true: members need it (E-mail) */
  email?: boolean | null | undefined;
  /** true: members need it (Forum) */
  forum_platform?: boolean | null | undefined;
  /** true: members need it (Game launcher) */
  game_launcher?: boolean | null | undefined;
  /** true: members need it (Game store) */
  game_store?: boolean | null | undefined;
  /** true: members need it (Location) */
  location?: boolean | null | undefined;
  /** true: members need it (Picture) */
  logoUrl?: boolean | null | undefined;
  /** true: members need it (Messenger) */
  messenger?: boolean | null | undefined;
  /** true: members need it (Microblog) */
  microblog?: boolean | null | undefined;
  /** true: members need it (Phone) */
  phone?: boolean | null | undefined;
  /** true: members need it (Photo platform) */
  photo_platform?: boolean | null | undefined;
  /** true: members need it (Link) */
  portfolioUrl?: boolean | null | undefined;
  /** true: members need it (Short video platform) */
  short_video?: boolean | null | undefined;
  /** true: members need it (Video platform) */
  video_platform?: boolean | null | undefined;
}

/** A rule of type profile_completed, with its settings */
export interface ProfileCompletedRule {
  /** The settings of the type */
  metadata?: ProfileCompletedMetadata | null | undefined;
  /** The type of the rule */
  type: "profile_completed";
}

/** The question of a quiz or poll (contract 3.18) */
export interface Question {
  /** true: members may answer again until they are right */
  allowMultipleAttempts: boolean;
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** The choices */
  loyaltyQuestionChoices: QuestionChoice[];
  /** The rule */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The question */
  text: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A choice of a question */
export interface QuestionChoice {
  /** The id, a UUID */
  id: string;
  /** As it was sent; without one the place in the list, from 0 */
  sortIdentifier: number | string;
  /** The answer that members see */
  text: string;
}

/** An answer of a member (contract 3.18) */
export interface QuestionResponse {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** Always true for polls */
  isCorrect: boolean;
  /** The choice */
  loyaltyQuestionChoiceId: string;
  /** The question */
  loyaltyQuestionId: string;
  /** The question */
  question: AnsweredQuestion;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
}

/** What will be sent again */
export interface Queued {
  /** How many events will be sent again */
  queued: number;
}

/** Input of the operation: Redeliver the events of a period */
export interface RangeInputBody {
  /** The start of the period */
  from?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** One or many; none: every status */
  status?: string[] | undefined;
  /** The end of the period */
  to?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A rank */
export interface RankOutputBody {
  /** null: the user has no amount. Ranks beyond 5000 are the text 5000+. */
  rank: number | string | null;
}

/** Input of the operation: Redeliver an event */
export interface RedeliverInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A single-use code of a rule */
export interface RedemptionCode {
  /** The code */
  code: string;
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** When it was redeemed; null: not yet */
  redeemedAt: string | null;
  /** Who redeemed it; null: nobody yet */
  redeemedByUserId: string | null;
}

/** Input of the operation: Record that users came by a referral code */
export interface ReferUsersBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** In any case; this or referralCodeId */
  referralCode?: string | null | undefined;
  /** The id of the code */
  referralCodeId?: string | null | undefined;
  /** The users who came by the code */
  userIds: string[];
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The referral code of a member for a rule (contract 3.22) */
export interface ReferralCode {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The code */
  referralCode: string;
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A referral (contract 3.22) */
export interface ReferralItem {
  /** The amount that the referrer got for this referee, in the rule's currency */
  amount: Decimal;
  /** The rule's requirements have held */
  eligible: boolean;
  /** The id, a UUID */
  id: string;
  /** The code by which the member came */
  referralCode: ReferralItemCode;
  /** The part of amount that is shares of the referee's earnings */
  tier1Amount: Decimal;
  /** The part of amount that is shares of the earnings of users whom the referee referred */
  tier2Amount: Decimal;
  /** The member who was referred */
  user: ShortUser;
}

/** The code by which a member came */
export interface ReferralItemCode {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** The code */
  referralCode: string;
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
}

/**
 * Settings of rules of type referred_user. Members refer new members. You can reward both members and
 * pay the referrer a share of the new member’s earnings.
 */
export interface ReferredUserMetadata {
  /** The fields of the profile, and the platforms, that members fill in or connect: all that are true */
  completeProfileConditions?: ReferredUserMetadataCompleteProfileConditions | null | undefined;
  /** Percent of what a referred member earns that the referrer gets */
  firstReferralReward?: number | string | null | undefined;
  /** What a referred member must have done before rewards are paid: all that are true (contract 5.12) */
  referralRequirements?: ReferredUserMetadataReferralRequirements | null | undefined;
  /** What the referrer gets once for each referred member who meets the requirements */
  referrerReward?: number | string | null | undefined;
  /** The currency of referrerReward; null: that of the rule */
  referrerRewardLoyaltyCurrencyId?: string | null | undefined;
  /** Percent of what members of the second tier earn: those whom a referred member referred */
  secondReferralReward?: number | string | null | undefined;
}

/** The fields of the profile, and the platforms, that members fill in or connect: all that are true */
export interface ReferredUserMetadataCompleteProfileConditions {
  /** true: members need it (About) */
  bio?: boolean | null | undefined;
  /** true: members need it (Chat server) */
  chat_server?: boolean | null | undefined;
  /** true: members need it (Code host) */
  code_host?: boolean | null | undefined;
  /** true: members need it (Name) */
  displayName?: boolean | null | undefined;
  /** true: members need it (E-mail) */
  email?: boolean | null | undefined;
  /** true: members need it (Forum) */
  forum_platform?: boolean | null | undefined;
  /** true: members need it (Game launcher) */
  game_launcher?: boolean | null | undefined;
  /** true: members need it (Game store) */
  game_store?: boolean | null | undefined;
  /** true: members need it (Location) */
  location?: boolean | null | undefined;
  /** true: members need it (Picture) */
  logoUrl?: boolean | null | undefined;
  /** true: members need it (Messenger) */
  messenger?: boolean | null | undefined;
  /** true: members need it (Microblog) */
  microblog?: boolean | null | undefined;
  /** true: members need it (Phone) */
  phone?: boolean | null | undefined;
  /** true: members need it (Photo platform) */
  photo_platform?: boolean | null | undefined;
  /** true: members need it (Link) */
  portfolioUrl?: boolean | null | undefined;
  /** true: members need it (Short video platform) */
  short_video?: boolean | null | undefined;
  /** true: members need it (Video platform) */
  video_platform?: boolean | null | undefined;
}

/** What a referred member must have done before rewards are paid: all that are true (contract 5.12) */
export interface ReferredUserMetadataReferralRequirements {
  /** A balance: that of points, or any above 0 */
  achievePoints?: boolean | null | undefined;
  /** The fields of completeProfileConditions */
  completeProfile?: boolean | null | undefined;
  /** A connected chat server account */
  connectChatServer?: boolean | null | undefined;
  /** A verified e-mail address */
  connectEmail?: boolean | null | undefined;
  /** A connected microblog account */
  connectMicroblog?: boolean | null | undefined;
  /** The balance that achievePoints asks for */
  points?: ReferredUserMetadataReferralRequirementsPoints | null | undefined;
}

/** The balance that achievePoints asks for */
export interface ReferredUserMetadataReferralRequirementsPoints {
  /** The least balance */
  amount?: number | string | null | undefined;
  /** Its currency; null: that of the rule */
  loyaltyCurrencyId?: string | null | undefined;
}

/** A rule of type referred_user, with its settings */
export interface ReferredUserRule {
  /** The settings of the type */
  metadata?: ReferredUserMetadata | null | undefined;
  /** The type of the rule */
  type: "referred_user";
}

/** Who referred the member */
export interface Referrer {
  /** true: the requirements are met */
  eligible: boolean;
  /** The code by which the member came */
  referralCode: ReferrerCode;
  /** The member who was referred */
  user: ShortUser;
}

/** The code of the referrer */
export interface ReferrerCode {
  /** The member who referred */
  user: ShortUser;
}

/** Input of the operation: Release a hold */
export interface ReleaseHoldInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Credit held points before they are due */
export interface ReleaseLotInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** A replay of completions by a changed rule (contract 4.2) */
export interface ReplayBody {
  /** When it was created */
  createdAt: string;
  /** The start of the period */
  from: string;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** Why it failed */
  message?: string;
  /** Percent of the period that is done */
  progress: number;
  /** What the replay found; null until it is complete */
  result: ReplayResult | null;
  /** Where the job stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  /** The end of the period */
  to: string;
  /** When it was last changed */
  updatedAt: string;
}

/** What a replay found */
export interface ReplayResult {
  /** What the draft would pay more; negative: less */
  difference: Decimal;
  /** Completions that do not change because the caller set their amount */
  keptOverrides: number;
  /** The number of members whose sum would differ */
  members: number;
  /** By the rule as it was then */
  paid: Decimal;
  /** By the changed rule */
  wouldPay: Decimal;
}

/** Input of the operation: Replay past completions by a changed rule */
export interface ReplayRuleInputBody {
  /** Properties of the rule, as an update has them. Those that are left out stay as they are */
  draft: RuleDraft;
  /** Completions from here on are decided again */
  from: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Up to here, exclusive */
  to: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Report the result of a mint */
export interface ReportMintBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** How the mint ended */
  status: "failed" | "minted";
  /** The hash of the transaction on the blockchain; null: none */
  txHash?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The report of a mint */
export interface ReportMintOutputBody {
  /** A text for people */
  message: "Success";
}

/** A reset that has begun */
export interface ResetBody {
  /** true while the reset of a large currency continues in the background */
  pending?: boolean;
  /** true: it was done */
  success: boolean;
}

/** Input of the operation: Reset a currency */
export interface ResetInputBody {
  /** The currency whose balances become 0 */
  loyaltyCurrencyId: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** What is reset besides the balances (contract 2) */
  type: "loyalty_reset_balances" | "loyalty_reset_balances_data_and_rules" | "loyalty_reset_balances_data_not_rules";
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Answer a question */
export interface RespondInputBody {
  /** The choice */
  loyaltyQuestionChoiceId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Undo an edit */
export interface RestoreEditInputBody {
  /** A comment for the history of the rule */
  editComment?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Retry a failed payout */
export interface RetryPayoutInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Reverse the transaction that an idempotency key belongs to */
export interface ReverseByKeyInputBody {
  /** A part of a transaction with one entry, above 0; default: what is not reversed yet */
  amount?: Decimal | number | null | undefined;
  /** Default: that of the reversed transaction */
  description?: string | undefined;
  /** Of the reversal; unique on the website forever, among entries and completions together */
  idempotencyKey?: string | null | undefined;
  /** The transaction, by a key of its entries */
  of: KeyOfTransaction;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Default reverse_within_balance */
  policy?: "reverse_within_balance" | "reverse" | undefined;
  /** Revoke badges of the members whose conditions no longer hold */
  recheckBadges?: boolean | undefined;
  /** The rule that has paid can be completed again in the same window */
  reopen?: boolean | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Reverse a transaction, or a part of it */
export interface ReverseTransactionInputBody {
  /** A part of a transaction with one entry, above 0; default: what is not reversed yet */
  amount?: Decimal | number | null | undefined;
  /** Default: that of the reversed transaction */
  description?: string | undefined;
  /** Of the reversal; unique on the website forever, among entries and completions together */
  idempotencyKey?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Default reverse_within_balance */
  policy?: "reverse_within_balance" | "reverse" | undefined;
  /** Revoke badges of the members whose conditions no longer hold */
  recheckBadges?: boolean | undefined;
  /** The rule that has paid can be completed again in the same window */
  reopen?: boolean | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Revoke a badge of a user */
export interface RevokeBadgeBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The status to set; default revoked */
  status?: "revoked" | "inactive" | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Revoke all earlier member tokens of a user */
export interface RevokeTokensInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Grant a badge to a user */
export interface RewardBadgeBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The status to set; default active */
  status?: "active" | "inactive" | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** What holders of a badge get */
export interface RewardInput {
  /** points, token */
  amount?: Decimal | number | null | undefined;
  /** multiplier: credits the current balance x (multiplier - 1) once */
  isRetroactive?: boolean | undefined;
  /** badge: the badge that is granted with this one */
  loyaltyBadgeId?: string | undefined;
  /** points: what is paid; token: the hidden currency of the token */
  loyaltyCurrencyId?: string | undefined;
  /** multiplier: empty or absent for all currencies */
  loyaltyCurrencyIds?: string[] | undefined;
  /** The factor of a multiplier; needed for these */
  multiplier?: Decimal | number | null | undefined;
  /** What members get */
  rewardType: "points" | "multiplier" | "badge" | "token";
}

/** A role to grant or to revoke */
export interface RoleChange {
  /** Any time revokes the role, at the time of the call */
  deletedAt?: string | null | undefined;
  /** The role (contract 2) */
  roleType: "WEBSITE_SUPER_ADMIN" | "WEBSITE_ADMIN" | "WEBSITE_MODERATOR" | "WEBSITE_DEVELOPER" | "WEBSITE_VIEWER" | "ORGANIZATION_API_KEY" | "WEBSITE_API_KEY" | "WEBSITE_READ_ONLY_API_KEY" | "WEBSITE_CLIENT_API_KEY" | "STRATUS_API_KEY";
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string;
}

/** A row that was left out */
export interface RowError {
  /** In the file, from 1; in a feed the number of the result */
  line: number;
  /** A text for people */
  message: string;
}

/** A rule (contract 3.12) */
export type RuleBody = {
  /** The points of a reward, or the value of a multiplier; null: 0 */
  amount: Decimal | null;
  /** The URL of the background picture */
  backgroundAssetUrl: string | null;
  /** manual: members claim what a run found; auto: runs pay. null: auto for types that run */
  claimType: string | null;
  /** The contract that a partner checks; null: none */
  collectionAddress: string | null;
  /** The contracts whose tokens count */
  collections: Collection[] | null;
  /** The contracts that are ranked; empty: all of the network */
  contractIds: string[] | null;
  /** When it was created */
  createdAt: string;
  /** Where the service asks whom to reward (contract 5.14) */
  customRewardsApiUrl: string | null;
  /** A file that says whom to reward (contract 5.14) */
  customRewardsCsvUrl: string | null;
  /** The time whose transactions count; null: all time */
  dappDataWindow: string | null;
  /** Only applications deployed within this time count; null: all */
  dappDeployedWithin: string | null;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** A text for people */
  description: string;
  /** The rule that this one is a copy of */
  duplicatedFromId: string | null;
  /** On-chain events count up to here; null: without end */
  effectiveEndTime: string | null;
  /** On-chain events count from here on; null: from the start of the rule */
  effectiveStartTime: string | null;
  /** When the rule ends; null: never */
  endTime: string | null;
  /** The id that partners get with each request */
  externalIntegrationId: string | null;
  /** How often the rule runs over all members; none and once: it does not (contract 5.3) */
  frequency: string;
  /** The function */
  functionId: string | null;
  /** true: not shown to members */
  hideInUi: boolean;
  /** The id, a UUID */
  id: string;
  /** How often a member can earn the reward (contract 5.3) */
  interval: string;
  /** true: the rule ranks applications; set on creation */
  isDappRule: boolean;
  /** true: members complete it before others */
  isRequired: boolean;
  /** true: hidden from members, so that only bots complete it */
  isSpecial: boolean;
  /** The badge */
  loyaltyBadge: ShortBadge | null;
  /** The badge that the rule grants; null: none */
  loyaltyBadgeId: string | null;
  /** The currency of the points */
  loyaltyCurrencyId: string | null;
  /** The chains that lock the rule */
  loyaltyRuleChain: RuleChain[];
  /** The group of the rule */
  loyaltyRuleGroupId: string | null;
  /** A file of members and amounts (contract 5.13) */
  loyaltyUserAllotmentCsvUrl: string | null;
  /** The period of maxAmountPerInterval */
  maxAmountInterval: string | null;
  /** The most that a member can earn in a period; null: no limit. Needs maxAmountInterval */
  maxAmountPerInterval: Decimal | null;
  /** The URL of the picture or video */
  mediaUrl: string | null;
  /** Data of your own, stored and returned as it was sent. At most 16,384 bytes */
  metadata: Record<string, unknown> & RuleMetadata;
  /** The name, for people */
  name: string;
  /** The blockchain, by a name of contract 2.1 */
  network: string | null;
  /** A name of the operator’s settings for a platform */
  oauthCredentialsId: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** percentage: complete at 100; counter: at the end of the highest tier */
  progressType: string | null;
  /** dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent */
  rewardLifetime: string | null;
  /** What members get */
  rewardType: string;
  /** The shop, if a partner connects several */
  shopStoreUrl: string | null;
  /** true: members see the rule before it starts */
  showBeforeStart: boolean;
  /** When the rule starts; null: at once */
  startTime: string | null;
  /** The subscription whose events complete the rule */
  subscriptionId: string | null;
  /** The token that the rule pays (contract 5.5) */
  tokenReward: TokenReward | null;
  /** true: the reward needs complete progress */
  trackProgress: boolean;
  /** What the rule asks of members (contract 6) */
  type: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
} & RuleByType;

/** The settings in metadata, by the type of the rule */
export type RuleByType =
  | BoughtOnRule
  | BoughtWithRoyaltiesRule
  | ChatServerJoinRule
  | ChatServerMemberRule
  | ChatServerMessagesRule
  | ChatServerRoleGrantRule
  | CheckInRule
  | CodeEntryRule
  | CodeHostMergeRequestRule
  | CodeHostRepoCollaboratorRule
  | CodeHostRepoForkRule
  | CodeHostRepoStarRule
  | ConnectWalletRule
  | ConnectedMicroblogRule
  | CreatePartnerAccountRule
  | ExternalRule
  | ForumPlatformCommentRule
  | GameStoreWishlistRule
  | GovernanceVoteRule
  | LinkClickRule
  | LiquidityAmmV2Rule
  | LiquidityAmmV3Rule
  | ListingRule
  | LodgingRule
  | MessengerJoinRule
  | MessengerMessagesRule
  | MicroblogCommentRule
  | MicroblogFollowRule
  | MicroblogLikeRule
  | MicroblogLikedByProjectRule
  | MicroblogPostRule
  | MicroblogPostHashtagRule
  | MicroblogReactionRule
  | MicroblogRepostRule
  | MicroblogTextInBioRule
  | MicroblogTextInCommentRule
  | MicroblogTextInNameRule
  | MintedOnRule
  | PhotoPlatformFollowRule
  | PhotoPlatformPostRule
  | PostImpressionsRule
  | ProfileCompletedRule
  | ReferredUserRule
  | ShopSpendRule
  | ShortVideoFollowRule
  | ShortVideoPostRule
  | SmartContractEventRule
  | SnapshotFullSetRule
  | SnapshotHoldRule
  | SoldOnRule
  | SoldWithRoyaltiesRule
  | StratusFunctionRule
  | SwapRule
  | TextInputRule
  | TokenHoldRule
  | TokenHoldErc20Rule
  | VideoPlatformCommentRule
  | VideoPlatformSubscribeRule
  | OtherRule;

/** Conditions that lock a rule (contract 3.17) */
export interface RuleChain {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** The conditions */
  loyaltyConditions: ChainCondition[];
  /** The rule */
  loyaltyRuleId: string;
  /** The name, for people */
  name: string;
  /** AND: all conditions must hold; OR: one of them */
  operatorType: "AND" | "OR";
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A change of a rule that is not saved */
export interface RuleDraft {
  /** The points of a reward, or the value of a multiplier; null: 0 */
  amount?: Decimal | number | null | undefined;
  /** The URL of the background picture */
  backgroundAssetUrl?: string | null | undefined;
  /** manual: members claim what a run found; auto: runs pay. null: auto for types that run */
  claimType?: "manual" | "auto" | null | undefined;
  /** The contract that a partner checks */
  collectionAddress?: string | null | undefined;
  /** The contracts whose tokens count */
  collections?: Collection[] | null | undefined;
  /** The contracts that are ranked; empty: all of the network */
  contractIds?: string[] | null | undefined;
  /** Where the service asks whom to reward (contract 5.14) */
  customRewardsApiUrl?: string | null | undefined;
  /** A file that says whom to reward (contract 5.14) */
  customRewardsCsvUrl?: string | null | undefined;
  /** The time whose transactions count; null: all time */
  dappDataWindow?: "daily" | "weekly" | "monthly" | null | undefined;
  /** Only applications deployed within this time count; null: all */
  dappDeployedWithin?: "daily" | "weekly" | "monthly" | null | undefined;
  /** On update: a time deletes, null brings back */
  deletedAt?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** The rule that this one is a copy of */
  duplicatedFromId?: string | null | undefined;
  /** A comment for the history of the rule */
  editComment?: string | null | undefined;
  /** On-chain events count up to here; null: without end */
  effectiveEndTime?: string | null | undefined;
  /** On-chain events count from here on; null: from the start of the rule */
  effectiveStartTime?: string | null | undefined;
  /** When the rule ends; null: never */
  endTime?: string | null | undefined;
  /** The id that partners get with each request */
  externalIntegrationId?: string | null | undefined;
  /** How often the rule runs over all members; none and once: it does not (contract 5.3) */
  frequency?: "none" | "once" | "hourly" | "daily" | "weekly" | "monthly" | "immediately" | undefined;
  /** The function */
  functionId?: string | null | undefined;
  /** true: not shown to members */
  hideInUi?: boolean | undefined;
  /** How often a member can earn the reward (contract 5.3) */
  interval?: "hourly" | "daily" | "weekly" | "monthly" | "once" | "custom" | "every_message" | "unlimited" | undefined;
  /** true: the rule ranks applications; set on creation */
  isDappRule?: boolean | undefined;
  /** true: members complete it before others */
  isRequired?: boolean | undefined;
  /** true: hidden from members, so that only bots complete it */
  isSpecial?: boolean | undefined;
  /** The badge that the rule grants; needed for rewardType badge */
  loyaltyBadgeId?: string | null | undefined;
  /** The currency of the points */
  loyaltyCurrencyId?: string | null | undefined;
  /** A uuid or no-section */
  loyaltyRuleGroupId?: string | null | undefined;
  /** A file of members and amounts (contract 5.13) */
  loyaltyUserAllotmentCsvUrl?: string | null | undefined;
  /** The period of maxAmountPerInterval */
  maxAmountInterval?: "daily" | "weekly" | "monthly" | "lifetime" | null | undefined;
  /** Needs maxAmountInterval */
  maxAmountPerInterval?: Decimal | number | null | undefined;
  /** The URL of the picture or video */
  mediaUrl?: string | null | undefined;
  /**
   * Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
   * bytes
   */
  metadata?: AnyRuleMetadata | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The blockchain, by a name of contract 2.1 */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** A name of the operator’s settings for a platform */
  oauthCredentialsId?: string | null | undefined;
  /** percentage: complete at 100; counter: at the end of the highest tier */
  progressType?: "counter" | "percentage" | null | undefined;
  /** dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent */
  rewardLifetime?: "permanent" | "dynamic" | null | undefined;
  /** What members get */
  rewardType?: "points" | "multiplier" | "badge" | "token" | undefined;
  /** The shop, if a partner connects several */
  shopStoreUrl?: string | null | undefined;
  /** true: members see the rule before it starts */
  showBeforeStart?: boolean | undefined;
  /** When the rule starts; null: at once */
  startTime?: string | null | undefined;
  /** The subscription whose events complete the rule */
  subscriptionId?: string | null | undefined;
  /** The token that the rule pays (contract 5.5) */
  tokenReward?: TokenReward | null | undefined;
  /** true: the reward needs complete progress */
  trackProgress?: boolean | undefined;
  /** Cannot be changed */
  type?: RuleType | undefined;
}

/** An edit in the history of a rule (contract 3.15) */
export interface RuleEdit {
  /** What the edit did */
  action: "create" | "update" | "delete" | "restore";
  /** The comment of the edit */
  comment?: string;
  /** The properties that changed, as they are after the edit; of a new rule all */
  data: Record<string, unknown>;
  /** When it was made */
  editedAt: string;
  /** The user who made it */
  editedByUserId: string;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The same properties before the edit; absent for create */
  previousData?: Record<string, unknown>;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A group of rules (contract 3.14) */
export interface RuleGroup {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /**
   * true: the group has further rules that did not fit into the response. The list of rules, filtered by
   * the group, has them all
   */
  hasMoreItems?: boolean;
  /** The id, a UUID */
  id: string;
  /** true: pages may fold the group */
  isCollapsible: boolean;
  /** true: members complete its rules before others */
  isRequired: boolean;
  /** The rules of the group, in their order */
  loyaltyGroupItems: GroupItem[];
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The place in lists: the lowest first */
  sortId: number;
  /** The second heading */
  subTitle: string | null;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** An import of a list of a rule */
export interface RuleImport {
  /** When it was created */
  createdAt: string;
  /** The problems of the first 100 skipped rows */
  errors: RowError[];
  /** When it ended; null: it has not */
  finishedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The list: codes, allotments or rewards */
  kind: "allotment" | "codes" | "rewards" | "condition";
  /** For the kind condition: the condition of the chain; otherwise null */
  loyaltyConditionId: string | null;
  /** The rule */
  loyaltyRuleId: string;
  /** Why it failed, or which rows were left out; null: neither */
  message: string | null;
  /** New rows */
  rowsKept: number;
  /** How many rows were read so far */
  rowsRead: number;
  /** Invalid rows, and rows that the list has already */
  rowsSkipped: number;
  /** null until the file is downloaded */
  rowsTotal: number | null;
  /** Where the import stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  /** When it was last changed */
  updatedAt: string;
  /** The address of the file */
  url: string;
}

/**
 * Settings that rules of every type may have (contract 3.13). Other properties are stored as they are
 * sent
 */
export interface RuleMetadata {
  /** The label of the button. For display; the service does not use it */
  buttonText?: string | null | undefined;
  /** What members have to do. For display; the service does not use it */
  conditionDescription?: string | null | undefined;
  /** A link beside the rule. For display; the service does not use it */
  cta?: RuleMetadataCta | null | undefined;
  /** Seconds between two rewards, for the interval custom */
  customIntervalSeconds?: number | null | undefined;
  /**
   * A secret for customRewardsApiUrl, sent in the header x-api-key. Only organization and website keys
   * see it
   */
  customRewardsApiKey?: string | null | undefined;
  /** true: verified microblog accounts get the amount times verifiedMultiplier */
  enableVerifiedMultiplier?: boolean | null | undefined;
  /** true: only members whose microblog account is verified by the platform */
  hasVerifiedMicroblog?: boolean | null | undefined;
  /** The URL of a picture. For display; the service does not use it */
  imageUrl?: string | null | undefined;
  /** Whether multipliers are shown. For display; the service does not use it */
  isMultiplierApplied?: boolean | null | undefined;
  /** true: only members who joined after startTime */
  isRestrictedToNewUsers?: boolean | null | undefined;
  /** true: a multiplier reward also multiplies the balance that the member has then, once */
  isRetroactive?: boolean | null | undefined;
  /** The currencies that a multiplier reward applies to; empty: all */
  multiplierLoyaltyCurrencyIds?: string[] | null | undefined;
  /** A proposal for the text of members’ posts. For display; the service does not use it */
  preGeneratedPostText?: string | null | undefined;
  /**
   * Tiers: the reward depends on the value that was measured or sent. Tiers do not overlap (contract
   * 5.7)
   */
  range?: RuleMetadataRange[] | null | undefined;
  /** true: progress starts again at 0 after a reward */
  resetProgressOnClaim?: boolean | null | undefined;
  /** true: members also get the badge of the tier */
  rewardBadgePerRange?: boolean | null | undefined;
  /** true: multipliers of members do not raise this reward */
  skipMultiplier?: boolean | null | undefined;
  /** The platform of the rule. For display; the service does not use it */
  socialPlatform?: "Custom" | "Microblog" | "PhotoPlatform" | "ChatServer" | "Messenger" | "ShortVideo" | "VideoPlatform" | "LiveStream" | "ForumPlatform" | "CodeHost" | "GameStore" | "GameLauncher" | "WebAccount" | "Phone" | null | undefined;
  /** The URL of the platform’s logo. For display; the service does not use it */
  socialPlatformLogo?: string | null | undefined;
  /** The name of the platform. For display; the service does not use it */
  socialPlatformName?: string | null | undefined;
  /** The factor for verified microblog accounts */
  verifiedMultiplier?: number | null | undefined;
  /**
   * The placeholder of the field in which members enter a code, text or link. For display; the service
   * does not use it
   */
  verifyPlaceHolderText?: string | null | undefined;
}

/** A link beside the rule. For display; the service does not use it */
export interface RuleMetadataCta {
  /** The URL of the link */
  href?: string | null | undefined;
  /** The text of the link */
  label?: string | null | undefined;
}

export interface RuleMetadataRange {
  /** What the tier pays, at least 0; null: the amount of the rule */
  amount?: number | string | null | undefined;
  /** The greatest value of the tier, at least startRange */
  endRange: number | string;
  /** The badge of the tier, with rewardBadgePerRange */
  loyaltyBadgeId?: string | null | undefined;
  /** The multiplier of the tier, for rewardType multiplier */
  loyaltyMultiplierAmount?: number | string | null | undefined;
  /** The least value of the tier */
  startRange: number | string;
}

/** A run of a rule over all members */
export interface RuleRun {
  /** When it was created */
  createdAt: string;
  /** Members that were evaluated so far */
  evaluated: number;
  /** Members who could not be paid; the server's log says why */
  failed: number;
  /** When it ended; null: it has not */
  finishedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** Why the run failed or was cancelled, or what it waits for; empty otherwise */
  message: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Members who do not fulfil the rule, or were paid already */
  refused: number;
  /** Members who were paid, or who may claim if claimType is manual */
  rewarded: number;
  /** The time of the run; its rewards are decided as of then */
  scheduledAt: string;
  /** The beginning of the period that the run covers: the run before, or the rule's start */
  since: string;
  /** When it began; null: it has not */
  startedAt: string | null;
  /** Where the run stands */
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The progress of a member on a rule (contract 3.16) */
export interface RuleStatus {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** The rule */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** How far the member is, up to the target of the rule (contract 5.7) */
  progress: Decimal;
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The banner of a page section */
export interface SectionBanner {
  /** The pictures that the banner turns through */
  carousel: SectionCarousel | null;
  /** The id, a UUID */
  id: string;
  /** The collections that the banner shows */
  websiteCollectionBanners: ShownCollection[];
}

/** The pictures of a banner */
export interface SectionCarousel {
  /** The pictures */
  carouselItems: SectionCarouselItem[];
  /** The id, a UUID */
  id: string;
}

/** A picture of a banner */
export interface SectionCarouselItem {
  /** The id, a UUID */
  id: string;
  /** The place in lists: the lowest first */
  sortId: number;
}

/** The member of the token (contract 1.11) */
export interface Self {
  /** The member’s accounts */
  accounts: OwnAccount[];
  /** When it was created */
  createdAt: string;
  /** Wallets that delegate to the member, with includeDelegation=true */
  delegationsFrom?: Delegator[];
  /** The id, a UUID */
  id: string;
  /** Always false */
  isPlatformSuperAdmin: boolean;
  /** Stored; null: not set */
  notifications: boolean | null;
  /** Who referred the member */
  referrers: Referrer[];
  /** true: created when a call named it, and nothing else is known yet */
  temporaryLoyaltyUser: boolean;
  /** When it was last changed */
  updatedAt: string;
  /** The group of the member; null: none */
  userGroup: OwnGroup | null;
  /** What is known of the member, one item per website */
  userMetadata: Metadata[];
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
  /** The kind of wallet; null: unknown */
  walletType: string | null;
  /** The attributes of the website that have a value for the member */
  websiteUserAttributes: LabeledAttribute[];
}

/** Input of the operation: Send a code to a phone number */
export interface SendPhoneCodeInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** In E.164 format */
  phoneNumber: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/**
 * Settings of rules of type shop_spend. Members buy from your shop. The reward can depend on the
 * amount they spend.
 */
export interface ShopSpendMetadata {
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
}

/** A rule of type shop_spend, with its settings */
export interface ShopSpendRule {
  /** The settings of the type */
  metadata?: ShopSpendMetadata | null | undefined;
  /** The type of the rule */
  type: "shop_spend";
}

/** An attribute */
export interface ShortAttribute {
  /** The id, a UUID */
  id: string;
  /** The name of the attribute */
  label: string;
}

/** The badge that a rule grants */
export interface ShortBadge {
  /** A text for people */
  description: string;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string;
  /** The name, for people */
  name: string;
}

/** A member */
export interface ShortUser {
  /** The id, a UUID */
  id: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
}

/** The value of a member */
export interface ShortValue {
  /** The id, a UUID */
  id: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The value */
  value: string;
  /** The attribute */
  websiteUserAttributeId: string;
}

/**
 * Settings of rules of type short_video_follow. Members follow your account on the short video
 * platform.
 */
export interface ShortVideoFollowMetadata {
  /** The URL that members open, or of the account that they follow */
  link?: string | null | undefined;
}

/** A rule of type short_video_follow, with its settings */
export interface ShortVideoFollowRule {
  /** The settings of the type */
  metadata?: ShortVideoFollowMetadata | null | undefined;
  /** The type of the rule */
  type: "short_video_follow";
}

/** Settings of rules of type short_video_post. Members publish a short video that mentions you. */
export interface ShortVideoPostMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
}

/** A rule of type short_video_post, with its settings */
export interface ShortVideoPostRule {
  /** The settings of the type */
  metadata?: ShortVideoPostMetadata | null | undefined;
  /** The type of the rule */
  type: "short_video_post";
}

/** A collection that a section shows */
export interface ShownCollection {
  /** The id, a UUID */
  id: string;
  /** The collection; null: none */
  websiteCollection: CollectionSummary | null;
  /** The collection */
  websiteCollectionId?: string;
}

/** A collection that a section shows */
export interface ShownInput {
  /** The id of an existing part; ignored on creation */
  id?: string | null | undefined;
  /** The collection */
  websiteCollectionId?: string | null | undefined;
}

/** Input of the operation: Simulate the completion of a rule */
export interface SimulateRuleInputBody {
  /** In place of the rule's amount; external_rule only */
  amount?: Decimal | number | null | undefined;
  /** Decides as if at this time, on the current facts */
  at?: string | null | undefined;
  /** The link of what the member posted, for types that ask for it */
  contentUrl?: string | null | undefined;
  /** Properties of the rule, laid over it; nothing is saved */
  draft?: RuleDraft | null | undefined;
  /** Only for external_rule. Unique on the website forever, among completions and entries together */
  idempotencyKey?: string | null | undefined;
  /** The choice */
  loyaltyQuestionChoiceId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
   * the amount is paid for each unit of it
   */
  rangeValue?: Decimal | number | null | undefined;
  /** true: chains and required rules do not stop the completion. Not through client keys */
  skipChainOrRequiredCheck?: boolean | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /** What the member entered: a code or a text */
  verificationCode?: string | null | undefined;
  /** true, as boolean or text: every check and no reward */
  verifyOnly?: boolean | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** One check of a completion, in order */
export interface SimulatedCheck {
  /** The refusal, as a completion would return it */
  message?: string;
  /**
   * overrides, idempotencyKey, currency, setup, time, blocked, audience, required, window, progress,
   * account, verification or reward
   */
  name: string;
  /** true: the check is met */
  pass: boolean;
}

/** What a completion would do (contract 4.2) */
export interface SimulationBody {
  /** Every check, also those behind the first that fails, as far as they can be judged */
  checks: SimulatedCheck[];
  /** The first refusal; null if there is none */
  message: string | null;
  /** What is lacking, in numbers; null: nothing */
  missing: Missing | null;
  /** The rewards that would be paid */
  rewards: Paid[];
  /** The transactions that the rule's function would request. They are not sent */
  transactions?: AddedCall[];
  /** true: the completion would be paid */
  wouldComplete: boolean;
}

/** A collection of the website */
export interface SiteCollection {
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** The name of the collection */
  name: string;
  /** Percent; 0 if none is set */
  royaltyFee: Decimal;
  /** Empty if none is set */
  royaltyFeeAddress: string;
}

/** Settings of rules of type smart_contract_event. Members trigger an event in a smart contract. */
export interface SmartContractEventMetadata {
  /**
   * What happens to points for an event that a reorganization removes: taken back within the balance
   * (the default), taken back in full, or kept
   */
  onReorg?: "reverse_within_balance" | "reverse" | "keep" | null | undefined;
  /** The event or call that completes the rule */
  smartContract?: SmartContractEventMetadataSmartContract | null | undefined;
}

/** The event or call that completes the rule */
export interface SmartContractEventMetadataSmartContract {
  /** The argument with the member’s wallet; null: the sender of the transaction */
  addressMapping?: string | null | undefined;
  /** What the amount is multiplied by */
  amountMultiplier?: SmartContractEventMetadataSmartContractAmountMultiplier | null | undefined;
  /** A contract of the website, whose logs are watched; null: a subscription feeds the rule */
  contractId?: string | null | undefined;
  /** everyEvent: params do not count; byParameter, the default: they do */
  criteria?: "everyEvent" | "byParameter" | null | undefined;
  /** The name or full signature of the event or function, such as Transfer(address,address,uint256) */
  event?: string | null | undefined;
  /** Conditions on arguments, which must all hold */
  params?: SmartContractEventMetadataSmartContractParam[] | null | undefined;
  /** What counts: events (the default) or calls of a function */
  type?: "function" | "event" | null | undefined;
}

/** What the amount is multiplied by */
export interface SmartContractEventMetadataSmartContractAmountMultiplier {
  /** An argument with a number. That of a fungible token counts in whole tokens */
  valueMapping?: string | null | undefined;
}

export interface SmartContractEventMetadataSmartContractParam {
  /** The comparison: of integers if both are, else of texts; null: equals */
  condition?: "equals" | "not_equals" | "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "contains" | null | undefined;
  /** The argument */
  name?: string | null | undefined;
  /** The value to compare with */
  value?: unknown | undefined;
}

/** A rule of type smart_contract_event, with its settings */
export interface SmartContractEventRule {
  /** The settings of the type */
  metadata?: SmartContractEventMetadata | null | undefined;
  /** The type of the rule */
  type: "smart_contract_event";
}

/**
 * Settings of rules of type snapshot_full_set. Members hold a token from each of several collections
 * at a time that you choose.
 */
export interface SnapshotFullSetMetadata {
  /** true: only members who never sold a token of the collections */
  hasNeverSold?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
}

/** A rule of type snapshot_full_set, with its settings */
export interface SnapshotFullSetRule {
  /** The settings of the type */
  metadata?: SnapshotFullSetMetadata | null | undefined;
  /** The type of the rule */
  type: "snapshot_full_set";
}

/**
 * Settings of rules of type snapshot_hold. Members hold tokens from a collection at a time that you
 * choose.
 */
export interface SnapshotHoldMetadata {
  /** Tokens in a batch; null: 1 */
  batchSize?: number | null | undefined;
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: SnapshotHoldMetadataCollection[] | null | undefined;
  /** true: only members who never sold a token of the collections */
  hasNeverSold?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: of each contract one token at most counts */
  onlyRewardSingleTokenOwnership?: boolean | null | undefined;
  /** true: the amount is paid for each full batch of batchSize tokens */
  rewardByBatch?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

export interface SnapshotHoldMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type snapshot_hold, with its settings */
export interface SnapshotHoldRule {
  /** The settings of the type */
  metadata?: SnapshotHoldMetadata | null | undefined;
  /** The type of the rule */
  type: "snapshot_hold";
}

/** Settings of rules of type sold_on. Members sell tokens from their wallet. */
export interface SoldOnMetadata {
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: SoldOnMetadataCollection[] | null | undefined;
  /** The market whose sales count, by the operator’s name for it; null: any */
  fillSource?: string | null | undefined;
  /** false: fillSource does not count */
  hasFillSource?: boolean | null | undefined;
  /** false: saleCurrency does not count */
  hasSaleCurrency?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** true: only sales in the network’s coin count */
  onlyNative?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
  /** The address of the token that sales are paid in, or native; null: any */
  saleCurrency?: string | null | undefined;
}

export interface SoldOnMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type sold_on, with its settings */
export interface SoldOnRule {
  /** The settings of the type */
  metadata?: SoldOnMetadata | null | undefined;
  /** The type of the rule */
  type: "sold_on";
}

/** Settings of rules of type sold_with_royalties. Members resell tokens and pay you royalties. */
export interface SoldWithRoyaltiesMetadata {
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: SoldWithRoyaltiesMetadataCollection[] | null | undefined;
  /** The market whose sales count, by the operator’s name for it; null: any */
  fillSource?: string | null | undefined;
  /** false: fillSource does not count */
  hasFillSource?: boolean | null | undefined;
  /** Sales with full royalties are types of their own; kept for older clients */
  hasPaidFullRoyalty?: boolean | null | undefined;
  /** false: saleCurrency does not count */
  hasSaleCurrency?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** true: only sales in the network’s coin count */
  onlyNative?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
  /**
   * true: the amount is paid for each unit of the value: of the price, of the spending, or of the
   * rangeValue that the call sends
   */
  rewardPerValue?: boolean | null | undefined;
  /** Who receives the royalty; null: the address that the collection names */
  royaltyAddress?: string | null | undefined;
  /** The royalty in percent of the price; null: the royaltyFee of the collection */
  royaltyPercentage?: number | string | null | undefined;
  /** The address of the token that sales are paid in, or native; null: any */
  saleCurrency?: string | null | undefined;
}

export interface SoldWithRoyaltiesMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type sold_with_royalties, with its settings */
export interface SoldWithRoyaltiesRule {
  /** The settings of the type */
  metadata?: SoldWithRoyaltiesMetadata | null | undefined;
  /** The type of the rule */
  type: "sold_with_royalties";
}

/** The start of a connection */
export interface StartedFlow {
  /** What the profile must contain */
  code?: string;
  /** For accounts that are proved by their profile */
  jwtState?: string;
  /** Where the member’s browser goes to connect the account */
  url: string;
}

/** The state of a condition */
export interface State {
  /** true: it is met */
  complete: boolean;
  /** What there is */
  current: Decimal;
  /** The condition */
  loyaltyConditionId: string;
  /** What is needed */
  required: Decimal;
  /** What the condition asks (contract 2) */
  type: string;
}

/** An event with every attempt to deliver it (contract 3.33) */
export interface StoriedEvent {
  /** Every attempt, the first one first */
  attemptList: Attempt[];
  /** How often it was tried */
  attempts: number;
  /** The last answer of the receiver; null: none */
  callback: Callback | null;
  /** The event of the blockchain; null for events of the service */
  event: ContractEvent | null;
  /** The run of a function for the event; null: none */
  functionRun: EventRun | null;
  /** Present if the subscription has several functions */
  functionRuns?: EventRun[];
  /** The id, a UUID */
  id: string;
  /** When it is tried next; null: no more */
  nextAttemptAt: string | null;
  /** The whole body of v2 */
  payload: Record<string, unknown>;
  /** Whether the event was delivered */
  status: "pending" | "delivered" | "failed" | "skipped" | "held";
  /** The table; null for events of blockchains */
  table: string | null;
  /** When it happened */
  triggeredAt: string;
  /** What happened */
  type: string;
}

/**
 * Settings of rules of type stratus_function. One of your functions decides which members are
 * rewarded.
 */
export interface StratusFunctionMetadata {
  /**
   * What happens to points for an event that a reorganization removes: taken back within the balance
   * (the default), taken back in full, or kept
   */
  onReorg?: "reverse_within_balance" | "reverse" | "keep" | null | undefined;
}

/** A rule of type stratus_function, with its settings */
export interface StratusFunctionRule {
  /** The settings of the type */
  metadata?: StratusFunctionMetadata | null | undefined;
  /** The type of the rule */
  type: "stratus_function";
}

/** A subscription to events (contract 3.32) */
export interface Subscription {
  /** The events and calls of contracts that are watched */
  blockchainSubscriptions?: BlockchainSource[];
  /** Where events are sent; empty: nowhere */
  callbackUrl: string;
  /** How many events failed in a row */
  consecutiveFailures: number;
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** true: it does nothing */
  disabled: boolean;
  /** When it was disabled */
  disabledAt?: string;
  /** Why it was disabled */
  disabledReason?: string;
  /** Events count up to here */
  endsAt?: string;
  /** confirmed: events are sent once their block is final; instant: at once */
  finality?: "confirmed" | "instant";
  /** Functions that run for each event */
  functionIds: string[];
  /** The id, a UUID */
  id: string;
  /** The most events that are sent in a UTC day; further ones are recorded */
  maxEventsPerDay?: number;
  /** Data of your own */
  metadata?: unknown;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The tables of the service that are watched */
  platformSubscriptions?: PlatformSource[];
  /** The moment from which on the subscription began with recorded events; absent if with new ones */
  replayFrom?: string;
  /** whsec_ and the base64 of 24 bytes */
  signingKey?: string;
  /** Events count from here on */
  startsAt?: string;
  /** When it was last changed */
  updatedAt: string;
  /** The form of the requests: v1 or v2 */
  version: "v1" | "v2";
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** It was done */
export interface Success {
  /** A text for people */
  message: string;
}

/** Settings of rules of type swap. Members swap one token for another. */
export interface SwapMetadata {
  /** The swaps that count, as the partner checks them */
  swap?: SwapMetadataSwap | null | undefined;
}

/** The swaps that count, as the partner checks them */
export interface SwapMetadataSwap {
  /** What is given */
  from?: SwapMetadataSwapFrom | null | undefined;
  /** true: only swaps from one chain to another */
  requireCrossChainSwap?: boolean | null | undefined;
  /** What is received */
  to?: SwapMetadataSwapTo | null | undefined;
}

/** What is given */
export interface SwapMetadataSwapFrom {
  /** The chain id, or any */
  chain?: number | string | null | undefined;
  /** Any token, or one of tokens */
  mode?: "any" | "specific" | null | undefined;
  /** The tokens that count */
  tokens?: SwapMetadataSwapFromToken[] | null | undefined;
  /** true: the amount of this side counts. It needs exactly one token, and one side only */
  trackAmount?: boolean | null | undefined;
}

export interface SwapMetadataSwapFromToken {
  /** The contract of the token */
  address?: string | null | undefined;
  /** Its chain id */
  chainId?: number | string | null | undefined;
}

/** What is received */
export interface SwapMetadataSwapTo {
  /** The chain id, or any */
  chain?: number | string | null | undefined;
  /** Any token, or one of tokens */
  mode?: "any" | "specific" | null | undefined;
  /** The tokens that count */
  tokens?: SwapMetadataSwapToToken[] | null | undefined;
  /** true: the amount of this side counts. It needs exactly one token, and one side only */
  trackAmount?: boolean | null | undefined;
}

export interface SwapMetadataSwapToToken {
  /** The contract of the token */
  address?: string | null | undefined;
  /** Its chain id */
  chainId?: number | string | null | undefined;
}

/** A rule of type swap, with its settings */
export interface SwapRule {
  /** The settings of the type */
  metadata?: SwapMetadata | null | undefined;
  /** The type of the rule */
  type: "swap";
}

/** The proof of a TON wallet */
export interface TONProof {
  /** What the wallet signed */
  proof: TONProofProof;
  /** 32 bytes in hexadecimal */
  publicKey: string;
  /** Code and data of the wallet in base64, whose hash is the address */
  walletStateInit: string;
}

/** The domain that a TON wallet signed for */
export interface TONProofDomain {
  /** The length of the domain in bytes */
  lengthBytes?: number | undefined;
  /** The domain that the wallet signed for */
  value: string;
}

/** What a TON wallet signed */
export interface TONProofProof {
  /** The domain that the wallet signed for */
  domain: TONProofDomain;
  /** The nonce */
  payload: string;
  /** Base64 */
  signature: string;
  /** Seconds since 1970 */
  timestamp: number;
}

/** Input of the operation: Send a test event */
export interface TestInputBody {
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** One of the subscription's own; default the first */
  type?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Settings of rules of type text_input. Members enter text, such as feedback or an address. */
export interface TextInputMetadata {
  /** The fewest characters of a text; null: 1 */
  verificationTextMinimumLength?: number | null | undefined;
}

/** A rule of type text_input, with its settings */
export interface TextInputRule {
  /** The settings of the type */
  metadata?: TextInputMetadata | null | undefined;
  /** The type of the rule */
  type: "text_input";
}

/** A member token (contract 1.2) */
export interface Token {
  /** When the token ends */
  expiresAt: string;
  /** The member token, for the header Authorization */
  token?: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Tokens that wallets on a list can claim (contract 3.28) */
export interface TokenClaim {
  /** true: what is claimed is staked */
  claimAndStake: boolean;
  /** The contract that pays claims */
  claimContractAddress: string | null;
  /** The contract of the token */
  contract: ClaimToken;
  /** When it was created */
  createdAt: string;
  /** Shown to secret keys only */
  csvUrl: string | null;
  /** The import of the list; null: none */
  dataJobId: string | null;
  /** When it was deleted; null or absent while it exists */
  deletedAt?: string;
  /** When claiming ends; null: never */
  endTime: string | null;
  /** The decimal places of the token */
  erc20Decimals: number;
  /** Countries that cannot claim, as ISO 3166 alpha-2 */
  geoBlock: string[];
  /** The id, a UUID */
  id: string;
  /** true: hidden from members */
  isDraft: boolean;
  /** true: members choose how much to stake */
  isStakingOptional: boolean;
  /** The greatest bonus, in percent */
  maxBonus: Decimal;
  /** null until the list is imported */
  merkleRoot: string | null;
  /** The shortest time to lock, in days */
  minLockup: Decimal;
  /** The shortest time for the multiplier, in days */
  minLockupForMultiplier: Decimal;
  /** The least part to stake, in percent */
  minPercentageToStake: Decimal;
  /** The factor for the greatest lockup */
  multiplier: Decimal;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The operator’s driver that pays or mints */
  relayerId: string | null;
  /** The contract that locks what is staked */
  stakingContractAddress: string | null;
  /** linear or timelock */
  stakingContractType: string | null;
  /** When members can claim from; null: at once */
  startTime: string | null;
  /** Exact, with up to erc20Decimals places */
  totalAllocatedAmount: Decimal;
  /** Exact, with up to erc20Decimals places */
  totalClaimedAmount: Decimal;
  /** How many wallets are on the list */
  totalWalletsAllocated: number;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Whether a token opens a gate */
export interface TokenGateOutputBody {
  /** true: the token opens the gate */
  eligible: boolean;
  /** A text for people */
  message: string;
}

/** Settings of rules of type token_hold_erc20. Members hold a minimum amount of a token. */
export interface TokenHoldErc20Metadata {
  /** Tokens in a batch; null: 1 */
  batchSize?: number | null | undefined;
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: TokenHoldErc20MetadataCollection[] | null | undefined;
  /** Balances are always read from nodes; kept for older clients */
  directRpc?: boolean | null | undefined;
  /** The balance that counts: of a contract (erc20, the default) or of the network’s coin (native) */
  erc20Type?: "erc20" | "native" | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: the amount is paid for each full batch of batchSize tokens */
  rewardByBatch?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

export interface TokenHoldErc20MetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type token_hold_erc20, with its settings */
export interface TokenHoldErc20Rule {
  /** The settings of the type */
  metadata?: TokenHoldErc20Metadata | null | undefined;
  /** The type of the rule */
  type: "token_hold_erc20";
}

/** Settings of rules of type token_hold. Members hold tokens from a collection. */
export interface TokenHoldMetadata {
  /** Tokens in a batch; null: 1 */
  batchSize?: number | null | undefined;
  /** How much each token of a contract counts. The amount of the rule is paid for each token then */
  collection?: TokenHoldMetadataCollection[] | null | undefined;
  /** true: only members who never sold a token of the collections */
  hasNeverSold?: boolean | null | undefined;
  /** Whether the rule is shown as a multiplier. For display: rewardType decides */
  isTokenHoldMultiplier?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyKnownUsers?: boolean | null | undefined;
  /** Only members are ever paid; kept for older clients */
  onlyRewardExistingUser?: boolean | null | undefined;
  /** true: of each contract one token at most counts */
  onlyRewardSingleTokenOwnership?: boolean | null | undefined;
  /** true: the amount is paid for each full batch of batchSize tokens */
  rewardByBatch?: boolean | null | undefined;
  /** true: the amount is paid for each token, or each time that members did it */
  rewardPerAction?: boolean | null | undefined;
}

export interface TokenHoldMetadataCollection {
  /** The contract */
  address?: string | null | undefined;
  /** The factor for each of its tokens; null: 1 */
  multiplier?: number | string | null | undefined;
  /** A network of contract 2.1 */
  network?: string | null | undefined;
  /** The only tokens that count; null: all */
  tokenIds?: (number | string)[] | null | undefined;
}

/** A rule of type token_hold, with its settings */
export interface TokenHoldRule {
  /** The settings of the type */
  metadata?: TokenHoldMetadata | null | undefined;
  /** The type of the rule */
  type: "token_hold";
}

/** The token that a rule pays (contract 5.5) */
export interface TokenReward {
  /** The contract of the token */
  contractId?: string | undefined;
  /** true: the coin of the network, not a token of a contract */
  isNative?: boolean | undefined;
  /** The operator’s driver that pays or mints */
  relayerId: string;
}

/** One of the highest bids */
export interface TopAuctionBid {
  /** The bid, a decimal */
  amount: string;
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
}

/** A transaction of points (contract 3.10) */
export interface Transaction {
  /** When it was created */
  createdAt: string;
  /** What the transaction was for */
  description: string;
  /** The entries, one per member or account */
  entries: PostedEntry[];
  /** The id, a UUID */
  id: string;
  /** The currency of all entries; null if they differ */
  loyaltyCurrencyId: string | null;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** api_key, or order for an order of a shop */
  type: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** An entry to post: what one member gets or pays */
export interface TransactionEntry {
  /** The points of the entry, above 0; direction says which way */
  amount: Decimal | number;
  /** Default credit */
  direction?: "credit" | "debit" | undefined;
  /** Unique on the website forever, among entries and completions together */
  idempotencyKey?: string | null | undefined;
  /** The currency. Default: that of the transaction */
  loyaltyCurrencyId?: string | null | undefined;
  /** At most 16384 bytes */
  metadata?: Record<string, unknown> | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
}

/** What a mint still costs */
export interface Unpaid {
  /** Points */
  amount: Decimal;
  /** Items */
  quantity: number;
}

/** Input of the operation: Update an attribute of users */
export interface UpdateAttributeBody {
  /** Unique in a website */
  label?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update an auction */
export interface UpdateAuctionInputBody {
  /** Only owners of one of these collections may bid; empty: everyone */
  biddersOwnCollectionAddresses?: string[] | null | undefined;
  /** Stored */
  currencyAddress?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** Cannot be changed once there is a bid */
  endsAt?: string | undefined;
  /** english: a bid so shortly before the end moves the end to so many seconds after it */
  extendedDurationInSeconds?: number | null | undefined;
  /** true: bids are not shown until the end */
  hideBids?: boolean | null | undefined;
  /** Bids are points of it; cannot be changed */
  loyaltyCurrencyId?: string | undefined;
  /** The least bid, a decimal */
  minBidAmount?: Decimal | number | undefined;
  /** For english auctions: the least difference between the best bid and the next bid */
  minBidIncrement?: Decimal | number | null | undefined;
  /** The minting contract of the items; cannot be changed */
  mintingContractId?: string | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The network of the collections; cannot be changed */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Bids below it win nothing */
  reservePrice?: Decimal | number | null | undefined;
  /** Cannot be changed once there is a bid */
  startsAt?: string | undefined;
  /** Cannot be changed */
  type?: "first_price" | "second_price" | "english" | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a badge */
export interface UpdateBadgeInputBody {
  /** Further lists of the badge's csv conditions */
  csvFiles?: CSVInput[] | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** true: not shown to members */
  hideInUi?: boolean | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** What holders get; replaces the former rewards */
  rewards?: RewardInput[] | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Hide or dismiss a badge of a user */
export interface UpdateBadgeUserInputBody {
  /** true: the member has dismissed the badge */
  dismissedInUi?: boolean | null | undefined;
  /** true: not shown to members */
  hideInUi?: boolean | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a collection */
export interface UpdateCollectionBody {
  /** The address of your chat server */
  chatServerUrl?: string | null | undefined;
  /** The contract of the collection */
  collectionAddress?: string | undefined;
  /** The address of the home page */
  homeUrl?: string | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** The address of your messenger group */
  messengerUrl?: string | null | undefined;
  /** Your account on the microblog */
  microblogUsername?: string | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The blockchain, by a name of contract 2.1 */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Your account on the photo platform */
  photoPlatformUsername?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  /** Who receives royalties */
  royaltyFeeAddress?: string | null | undefined;
  /** Lists go by it, the lowest first */
  sortId?: number | undefined;
  /** The contract that locks its tokens */
  stakingAddress?: string | null | undefined;
  /** An id of your own */
  themeId?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a contract */
export interface UpdateContractBody {
  /** A JSON array, or the text of one */
  abi?: unknown | undefined;
  /** The address of the contract */
  address?: string | undefined;
  /** The chain id of the network; null: not on a chain */
  chainId?: number | null | undefined;
  /** The URL of the token’s icon */
  iconUrl?: string | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The kind of record */
  type?: "erc20" | "erc721" | "erc1155" | "custom" | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a function */
export interface UpdateFunctionBody {
  /** The program; a change raises the version (contract 7.6) */
  code?: string | undefined;
  /** When it runs by itself, as five fields; null: it does not */
  cron?: string | null | undefined;
  /** true: it does nothing */
  disabled?: boolean | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Secrets that the handler gets as input.secrets; they are never returned */
  secrets?: Record<string, string> | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a minting asset */
export interface UpdateMintingAssetBody {
  /** The URL of a video or animation */
  animationUrl?: string | null | undefined;
  /** What members are asked for */
  collectInfoType?: "customInput" | "freeText" | "shippingDetails" | null | undefined;
  /** ONCHAIN: the token that the price is in; null: the network's own */
  currencyAddress?: string | null | undefined;
  /** The decimal places of the currency */
  currencyDecimals?: number | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** true: only wallets on the allowlist may mint */
  isAllowlisted?: boolean | null | undefined;
  /** true: not shown to members */
  isHidden?: boolean | null | undefined;
  /** true: members can see and mint it */
  isListed?: boolean | null | undefined;
  /** true: a thing that is shipped belongs to it */
  isPhygitalItem?: boolean | null | undefined;
  /** When it can no longer be minted; null: never */
  listingEndsAt?: string | null | undefined;
  /** When it can be minted from; null: at once */
  listingStartsAt?: string | null | undefined;
  /** Needed in an OFFCHAIN contract */
  loyaltyCurrencyId?: string | null | undefined;
  /** Data of your own, stored and returned as it was sent. At most 16,384 bytes */
  metadata?: Record<string, unknown> | null | undefined;
  /** The minting contract */
  mintingContractId?: string | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain */
  price?: Decimal | number | undefined;
  /** In all, with those that are minted */
  quantity?: number | undefined;
  /** true: members are asked for collectInfoType */
  shouldCollectUserInfo?: boolean | null | undefined;
  /** The id of the token in its contract; null: none */
  tokenId?: number | null | undefined;
  /** true: there is no limit */
  unlimitedQty?: boolean | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a minting contract */
export interface UpdateMintingContractBody {
  /** Needed to list an ONCHAIN contract */
  address?: string | null | undefined;
  /** Stays as it was created */
  contractKind?: "ONCHAIN" | "OFFCHAIN" | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** true: the driver pays the fees */
  enableGasless?: boolean | null | undefined;
  /** A link beside the contract */
  externalLinkUrl?: string | null | undefined;
  /** true: tokens show what they are only after the reveal */
  hasRevealMechanic?: boolean | null | undefined;
  /** true: your website hides assets that cannot be minted now */
  hideInactiveListings?: boolean | null | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** true: free for holders, and others pay the price */
  isFreeClaimForBadgeHolders?: boolean | null | undefined;
  /** true: free for owners, and others pay the price */
  isFreeClaimForTokenHolders?: boolean | null | undefined;
  /** true: members can see and mint it */
  isListed?: boolean | null | undefined;
  /** true: the limit applies to each asset */
  isPerAssetMintLimit?: boolean | null | undefined;
  /** true: tokens cannot be passed on */
  isSoulbound?: boolean | null | undefined;
  /** Badges whose holders may mint */
  loyaltyBadgeIds?: string[] | null | undefined;
  /** The collections whose owners may mint */
  mustOwnCollections?: GatingCollection[] | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** Needed to list an ONCHAIN contract */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** 0: no limit */
  perUserMintLimit?: number | null | undefined;
  /** The URL of what is shown before the reveal */
  preRevealMedia?: string | null | undefined;
  /** Who receives the price */
  primarySaleRecipientAddress?: string | null | undefined;
  /** The operator’s driver that pays or mints */
  relayerId?: string | null | undefined;
  /** false: any one collection or badge suffices */
  requireHoldingAllGatedItems?: boolean | null | undefined;
  /** When tokens can be revealed; null: at any time */
  revealAvailableAt?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  /** Who receives royalties */
  royaltyFeeAddress?: string | null | undefined;
  /** true: members give an e-mail address */
  shouldCollectEmail?: boolean | null | undefined;
  /** true: your website lists it on its marketplace */
  showOnMarketplace?: boolean | null | undefined;
  /** The place in lists: the lowest first */
  sortId?: number | null | undefined;
  /** The short name, such as PTS */
  symbol?: string | null | undefined;
  /** Default erc721; stays as it was created */
  tokenType?: "erc721" | "erc1155" | "erc721c" | null | undefined;
  /** The website's collection of these tokens */
  websiteCollectionId?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a multiplier */
export interface UpdateMultiplierInputBody {
  /** A text for people */
  description?: string | null | undefined;
  /** Empty or absent: all currencies */
  loyaltyCurrencyIds?: string[] | null | undefined;
  /** The factor that rewards are multiplied by */
  multiplier?: Decimal | number | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The heading */
  title?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a question */
export interface UpdateQuestionBody {
  /** The choices that the question has from now on */
  loyaltyQuestionAnswers: ChoiceBody[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The question */
  questionText: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a page section */
export interface UpdateSectionBody {
  /** The banner */
  banner?: BannerInput | null | undefined;
  /** Replaces the former ones */
  discoveryItems?: DiscoveryInput[] | undefined;
  /** When it is no longer shown; null: never */
  durationEnd?: string | null | undefined;
  /** When the section is shown from */
  durationStart?: string | undefined;
  /** Replaces the former ones */
  itemsGrids?: ShownInput[] | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The page, for placement page */
  pageId?: string | null | undefined;
  /** The kind of section */
  pageSectionType?: "all_items" | "discovery_item" | "discovery_items_grid" | null | undefined;
  /** global, or page for the page pageId */
  placement?: "global" | "page" | undefined;
  /** Lists go by it, the lowest first. Default 0 */
  sortId?: number | undefined;
  /** The heading */
  title?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a subscription */
export interface UpdateSubscriptionBody {
  /** Where events are sent; empty: nowhere */
  callbackUrl?: string | undefined;
  /** Events count up to here */
  endsAt?: string | null | undefined;
  /** confirmed: events are sent once their block is final; instant: at once */
  finality?: string | null | undefined;
  /** Functions that run for each event */
  functionIds?: string[] | undefined;
  /** The most events that are sent in a UTC day; further ones are recorded */
  maxEventsPerDay?: number | null | undefined;
  /** Data of your own, returned with the subscription */
  metadata?: unknown | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Events count from here on */
  startsAt?: string | null | undefined;
  /** The form of the requests: v1 or v2 */
  version?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a token claim */
export interface UpdateTokenClaimBody {
  /** true: what is claimed is staked */
  claimAndStake?: boolean | undefined;
  /** The contract that pays claims */
  claimContractAddress?: string | null | undefined;
  /** A contract of type erc20 */
  contractId?: string | undefined;
  /** Rows of walletAddress,amount */
  csvUrl?: string | null | undefined;
  /** When claiming ends; null: never */
  endTime?: string | null | undefined;
  /** Default 18 */
  erc20Decimals?: number | undefined;
  /** Codes of countries, ISO 3166 alpha-2 */
  geoBlock?: string[] | undefined;
  /** Default true */
  isDraft?: boolean | undefined;
  /** true: members choose how much to stake */
  isStakingOptional?: boolean | undefined;
  /** The greatest bonus, in percent */
  maxBonus?: Decimal | number | undefined;
  /** The shortest time to lock, in days */
  minLockup?: Decimal | number | undefined;
  /** The shortest time for the multiplier, in days */
  minLockupForMultiplier?: Decimal | number | undefined;
  /** 0 to 100 */
  minPercentageToStake?: Decimal | number | undefined;
  /** Default 1 */
  multiplier?: Decimal | number | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The operator’s driver that pays or mints */
  relayerId?: string | null | undefined;
  /** The contract that locks what is staked */
  stakingContractAddress?: string | null | undefined;
  /** How stakes are released */
  stakingContractType?: "linear" | "timelock" | null | undefined;
  /** When members can claim from; null: at once */
  startTime?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a website */
export interface UpdateWebsiteBody {
  /** The address of your chat server */
  chatServerUrl?: string | null | undefined;
  /** The address of the home page */
  homeUrl?: string | null | undefined;
  /** The address of your messenger group */
  messengerUrl?: string | null | undefined;
  /** Your account on the microblog */
  microblogUsername?: string | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Your account on the photo platform */
  photoPlatformUsername?: string | null | undefined;
  /** true: client keys may name members without a member token, except for bids and mints */
  trustClientUsers?: boolean | undefined;
}

/** A member (contract 3.4) */
export interface User {
  /** When it was created */
  createdAt: string;
  /** Wallets that delegate to the member, with includeDelegation=true */
  delegationsFrom?: Delegator[];
  /** The id, a UUID */
  id: string;
  /** Always false */
  isPlatformSuperAdmin: boolean;
  /** Stored; null: not set */
  notifications: boolean | null;
  /** Who referred the member */
  referrers: Referrer[];
  /** true: created when a call named it, and nothing else is known yet */
  temporaryLoyaltyUser: boolean;
  /** When it was last changed */
  updatedAt: string;
  /** What is known of the member, one item per website */
  userMetadata: Metadata[];
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
  /** The kind of wallet; null: unknown */
  walletType: string | null;
  /** The attributes of the website that have a value for the member */
  websiteUserAttributes: LabeledAttribute[];
}

/** An attribute of members (contract 3.7) */
export interface UserAttribute {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The name of the attribute */
  label: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** The value of a member (contract 3.7) */
export interface UserAttributeValue {
  /** When it was created */
  createdAt: string;
  /** The same as websiteUserAttributeId */
  customFieldId: string;
  /** The id, a UUID */
  id: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /** The value */
  value: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
  /** The attribute */
  websiteUserAttributeId: string;
}

/** How many members there are */
export interface UserCount {
  /** How many members the website has */
  totalCount: number;
}

/** The member of the metadata */
export interface UserName {
  /** The id, a UUID */
  id: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
}

/** A role of a user (contract 3.36) */
export interface UserRole {
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The id, a UUID */
  id: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The role (contract 2) */
  roleType: string;
  /** When it was last changed */
  updatedAt: string;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId: string;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A value to set */
export interface ValueItem {
  /** Of the value that the user has of the attribute */
  id?: string | null | undefined;
  /** The member that has the value */
  userId: string;
  /** The value */
  value: string;
  /** The attribute */
  websiteUserAttributeId: string;
}

/** Input of the operation: Set values of users */
export interface ValuesBody {
  /** The values to write */
  data: ValueItem[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The proof that a wallet is the member’s */
export interface VerificationData {
  /** For wallet types that a driver of the operator checks; it is ignored without one */
  accessToken?: string | undefined;
  /** The text that was signed */
  message?: string | undefined;
  /** The signature of message by the wallet */
  signature?: string | undefined;
  /** The proof of a TON wallet */
  tonVerification?: TONProof | null | undefined;
  /** Secret keys: your server has checked the signature */
  verifiedLocally?: boolean | undefined;
}

/** Settings of rules of type video_platform_comment. Members comment on one of your videos. */
export interface VideoPlatformCommentMetadata {
  /** Text to find, in any case; of several texts any one suffices */
  checkText?: string[] | null | undefined;
  /** The video that members comment on */
  videoPlatformVideoId?: string | null | undefined;
}

/** A rule of type video_platform_comment, with its settings */
export interface VideoPlatformCommentRule {
  /** The settings of the type */
  metadata?: VideoPlatformCommentMetadata | null | undefined;
  /** The type of the rule */
  type: "video_platform_comment";
}

/** Settings of rules of type video_platform_subscribe. Members subscribe to your channel. */
export interface VideoPlatformSubscribeMetadata {
  /** The channel that members subscribe to */
  videoPlatformChannelId?: string | null | undefined;
}

/** A rule of type video_platform_subscribe, with its settings */
export interface VideoPlatformSubscribeRule {
  /** The settings of the type */
  metadata?: VideoPlatformSubscribeMetadata | null | undefined;
  /** The type of the rule */
  type: "video_platform_subscribe";
}

/** A website: a program with members of its own (contract 3.2) */
export interface Website {
  /** Counts */
  _count: WebsiteCount;
  /** The address of your chat server */
  chatServerUrl: string | null;
  /** The collections of the website */
  collections: SiteCollection[];
  /** When it was created */
  createdAt: string;
  /** The address of the home page */
  homeUrl: string | null;
  /** The id, a UUID */
  id: string;
  /** The address of your messenger group */
  messengerUrl: string | null;
  /** Your account on the microblog */
  microblogUsername: string | null;
  /** The name, for people */
  name: string;
  /** Tokens of the website */
  onchainTokens: (Record<string, unknown>)[];
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Your account on the photo platform */
  photoPlatformUsername: string | null;
  /** When the terms were signed; null: not yet */
  termsSignedAt: string | null;
  /** true: client keys may name members without a member token, except for bids and mints */
  trustClientUsers: boolean;
  /** When it was last changed */
  updatedAt: string;
}

/** A collection of a website (contract 3.3) */
export interface WebsiteCollection {
  /** The address of your chat server */
  chatServerUrl: string | null;
  /** The contract of the collection */
  collectionAddress: string;
  /** When it was created */
  createdAt: string;
  /** When it was deleted; null or absent while it exists */
  deletedAt: string | null;
  /** The address of the home page */
  homeUrl: string | null;
  /** The id, a UUID */
  id: string;
  /** The URL of the picture */
  imageUrl: string | null;
  /** The address of your messenger group */
  messengerUrl: string | null;
  /** Your account on the microblog */
  microblogUsername: string | null;
  /** The minting contract that names the collection; null: none */
  mintingContractId: string | null;
  /** The name, for people */
  name: string;
  /** The blockchain, by a name of contract 2.1 */
  network: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** Your account on the photo platform */
  photoPlatformUsername: string | null;
  /** Percent */
  royaltyFee: Decimal | null;
  /** Who receives royalties */
  royaltyFeeAddress: string | null;
  /** The place in lists: the lowest first */
  sortId: number;
  /** The contract that locks its tokens */
  stakingAddress: string | null;
  /** An id of your own */
  themeId: string | null;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Counts of a website */
export interface WebsiteCount {
  /** How many minting assets the website has */
  mintingContractAssets: number;
}

/** A block of the loyalty page (contract 3.30) */
export interface WebsitePageSection {
  /** When it was created */
  createdAt: string;
  /** The id, a UUID */
  id: string;
  /** true: not shown through client keys */
  isHidden: boolean;
  /** The group of rules that the block shows; null: none */
  loyaltyRuleGroupId: string | null;
  /** Settings of the block for your website, as they were sent */
  metadata: Record<string, unknown>;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The place in lists: the lowest first */
  sortId: number;
  /** The second heading */
  subTitle: string | null;
  /** The heading */
  title: string | null;
  /** The name of the block, such as hero or leaderboard */
  type: string;
  /** When it was last changed */
  updatedAt: string;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** A token claim with what a wallet can claim (contract 3.28) */
export interface WholeTokenClaim {
  /** true: what is claimed is staked */
  claimAndStake: boolean;
  /** The contract that pays claims */
  claimContractAddress: string | null;
  /** The contract of the token */
  contract: ClaimToken;
  /** When it was created */
  createdAt: string;
  /** Shown to secret keys only */
  csvUrl: string | null;
  /** The import of the list; null: none */
  dataJob: ClaimDataJob | null;
  /** The import of the list; null: none */
  dataJobId: string | null;
  /** When it was deleted; null or absent while it exists */
  deletedAt?: string;
  /** When claiming ends; null: never */
  endTime: string | null;
  /** The decimal places of the token */
  erc20Decimals: number;
  /** Countries that cannot claim, as ISO 3166 alpha-2 */
  geoBlock: string[];
  /** The id, a UUID */
  id: string;
  /** true: hidden from members */
  isDraft: boolean;
  /** true: members choose how much to stake */
  isStakingOptional: boolean;
  /** The greatest bonus, in percent */
  maxBonus: Decimal;
  /** null until the list is imported */
  merkleRoot: string | null;
  /** The shortest time to lock, in days */
  minLockup: Decimal;
  /** The shortest time for the multiplier, in days */
  minLockupForMultiplier: Decimal;
  /** The least part to stake, in percent */
  minPercentageToStake: Decimal;
  /** The factor for the greatest lockup */
  multiplier: Decimal;
  /** The name, for people */
  name: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId: string;
  /** With walletAddress, if it is on the list */
  proof?: string[];
  /** The operator’s driver that pays or mints */
  relayerId: string | null;
  /** The contract that locks what is staked */
  stakingContractAddress: string | null;
  /** linear or timelock */
  stakingContractType: string | null;
  /** When members can claim from; null: at once */
  startTime: string | null;
  /** The token claim */
  tokenClaimId: string;
  /** Exact, with up to erc20Decimals places */
  totalAllocatedAmount: Decimal;
  /** The amount of the wallet, or without walletAddress that of all wallets, as a decimal */
  totalAllocation: string;
  /** Exact, with up to erc20Decimals places */
  totalClaimedAmount: Decimal;
  /** How many wallets are on the list */
  totalWalletsAllocated: number;
  /** When it was last changed */
  updatedAt: string;
  /** The wallet of the query; null without one */
  walletAddress: string | null;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId: string;
}

/** Input of the operation: Update a currency */
export interface WriteCurrencyBody {
  /** The user name or header for the external ledger. Only organization and website keys see it */
  apiAuthKey?: string | null | undefined;
  /** How the external ledger is called; null: this service keeps the balances */
  apiAuthType?: "none" | "basic" | "bearer" | "apiKey" | null | undefined;
  /** The secret for the external ledger. Only organization and website keys see it */
  apiAuthValue?: string | null | undefined;
  /** Where the external ledger is asked about an entry (contract 5.15) */
  apiGetTransactionEntryUrl?: string | null | undefined;
  /** Where balances are read from the external ledger (contract 5.15) */
  apiGetUrl?: string | null | undefined;
  /** Where transactions are posted to the external ledger (contract 5.15) */
  apiPostUrl?: string | null | undefined;
  /** How many places a page shows; cannot be changed */
  decimals?: number | undefined;
  /** The URL of the picture */
  imageUrl?: string | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** How many days points live; null: they do not expire */
  pointsExpireAfterDays?: number | null | undefined;
  /** How many hours rewards are held before they are credited; null: not at all */
  pointsWaitHours?: number | null | undefined;
  /** The place in lists: the lowest first */
  sortId?: number | null | undefined;
  /** The short name, such as PTS */
  symbol?: string | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a rule group */
export interface WriteGroupBody {
  /** true: pages may fold the group */
  isCollapsible?: boolean | undefined;
  /** true: members complete its rules before others */
  isRequired?: boolean | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The place in lists: the lowest first */
  sortId?: number | undefined;
  /** The second heading */
  subTitle?: string | null | undefined;
  /** Another spelling of subTitle */
  subtitle?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Create or change a user's metadata */
export interface WriteMetadataInputBody {
  /** A text of the member about itself */
  bio?: string | null | undefined;
  /** Why the member is or is not blocked. Only organization and website keys see it */
  blockStatusReason?: "sybil_and_multi_account" | "account_migration" | "abuse_manipulation" | "not_sybil" | "issue_resolved" | "microblog_suspended" | "other" | null | undefined;
  /** The user name on the chat server */
  chatServerUser?: string | null | undefined;
  /** The user id on the chat server */
  chatServerUserId?: string | null | undefined;
  /** The user name on the code host */
  codeHostUser?: string | null | undefined;
  /** The user id on the code host */
  codeHostUserId?: string | null | undefined;
  /** The name that others see */
  displayName?: string | null | undefined;
  /** The e-mail address. Only organization and website keys see it */
  emailAddress?: string | null | undefined;
  /** An identifier of your own for the member; not unique */
  externalIdentifier?: string | null | undefined;
  /** A score of your own */
  externalLoyaltyScore?: string | null | undefined;
  /** The user name in the forum */
  forumPlatformUser?: string | null | undefined;
  /** The user id in the forum */
  forumPlatformUserId?: string | null | undefined;
  /** The account id of the game launcher */
  gameLauncherAccountId?: string | null | undefined;
  /** The user name of the game launcher */
  gameLauncherUsername?: string | null | undefined;
  /** The user id in the game store */
  gameStoreUserId?: string | null | undefined;
  /** The user name in the game store */
  gameStoreUsername?: string | null | undefined;
  /** Notes for your team. Only organization and website keys see it */
  internalNotes?: string | null | undefined;
  /** true: the member is never blocked automatically. Only organization and website keys see it */
  isBlockExempt?: boolean | null | undefined;
  /** true: the member completes nothing */
  isBlocked?: boolean | null | undefined;
  /** Where the member says it lives */
  location?: string | null | undefined;
  /** The URL of the member’s picture */
  logoUrl?: string | null | undefined;
  /** The user id on the messenger */
  messengerUserId?: string | null | undefined;
  /** The user name on the messenger */
  messengerUsername?: string | null | undefined;
  /** The followers of the account */
  microblogFollowersCount?: number | null | undefined;
  /** The user name on the microblog, without @ */
  microblogUser?: string | null | undefined;
  /** The user id on the microblog */
  microblogUserId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** The phone number in E.164 form, such as +4915112345678. Only organization and website keys see it */
  phoneNumber?: string | null | undefined;
  /** A link of the member */
  portfolioUrl?: string | null | undefined;
  /** The user name on the short video platform */
  shortVideoUser?: string | null | undefined;
  /** The user id on the short video platform */
  shortVideoUserId?: string | null | undefined;
  /** How likely the member has several accounts. Only organization and website keys see it */
  sybilScore?: number | null | undefined;
  /** Your identifier of the group that the member joins; a new one creates the group */
  userGroupExternalIdentifier?: string | null | undefined;
  /** Joins the group; null leaves it */
  userGroupId?: string | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /** The member’s channel on the video platform */
  videoPlatformChannelId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** A label that the wallets of one person share; balances stay apart */
  walletGroupIdentifier?: string | null | undefined;
  /** The user name of the web account */
  webAccountUser?: string | null | undefined;
  /** The user id of the web account */
  webAccountUserId?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Update a rule */
export interface WriteRuleBody {
  /** The points of a reward, or the value of a multiplier; null: 0 */
  amount?: Decimal | number | null | undefined;
  /** The URL of the background picture */
  backgroundAssetUrl?: string | null | undefined;
  /** manual: members claim what a run found; auto: runs pay. null: auto for types that run */
  claimType?: "manual" | "auto" | null | undefined;
  /** The contract that a partner checks */
  collectionAddress?: string | null | undefined;
  /** The contracts whose tokens count */
  collections?: Collection[] | null | undefined;
  /** The contracts that are ranked; empty: all of the network */
  contractIds?: string[] | null | undefined;
  /** Where the service asks whom to reward (contract 5.14) */
  customRewardsApiUrl?: string | null | undefined;
  /** A file that says whom to reward (contract 5.14) */
  customRewardsCsvUrl?: string | null | undefined;
  /** The time whose transactions count; null: all time */
  dappDataWindow?: "daily" | "weekly" | "monthly" | null | undefined;
  /** Only applications deployed within this time count; null: all */
  dappDeployedWithin?: "daily" | "weekly" | "monthly" | null | undefined;
  /** On update: a time deletes, null brings back */
  deletedAt?: string | null | undefined;
  /** A text for people */
  description?: string | null | undefined;
  /** The rule that this one is a copy of */
  duplicatedFromId?: string | null | undefined;
  /** A comment for the history of the rule */
  editComment?: string | null | undefined;
  /** On-chain events count up to here; null: without end */
  effectiveEndTime?: string | null | undefined;
  /** On-chain events count from here on; null: from the start of the rule */
  effectiveStartTime?: string | null | undefined;
  /** When the rule ends; null: never */
  endTime?: string | null | undefined;
  /** The id that partners get with each request */
  externalIntegrationId?: string | null | undefined;
  /** How often the rule runs over all members; none and once: it does not (contract 5.3) */
  frequency?: "none" | "once" | "hourly" | "daily" | "weekly" | "monthly" | "immediately" | undefined;
  /** The function */
  functionId?: string | null | undefined;
  /** true: not shown to members */
  hideInUi?: boolean | undefined;
  /** How often a member can earn the reward (contract 5.3) */
  interval?: "hourly" | "daily" | "weekly" | "monthly" | "once" | "custom" | "every_message" | "unlimited" | undefined;
  /** true: the rule ranks applications; set on creation */
  isDappRule?: boolean | undefined;
  /** true: members complete it before others */
  isRequired?: boolean | undefined;
  /** true: hidden from members, so that only bots complete it */
  isSpecial?: boolean | undefined;
  /** The badge that the rule grants; needed for rewardType badge */
  loyaltyBadgeId?: string | null | undefined;
  /** The currency of the points */
  loyaltyCurrencyId?: string | null | undefined;
  /** A uuid or no-section */
  loyaltyRuleGroupId?: string | null | undefined;
  /** A file of members and amounts (contract 5.13) */
  loyaltyUserAllotmentCsvUrl?: string | null | undefined;
  /** The period of maxAmountPerInterval */
  maxAmountInterval?: "daily" | "weekly" | "monthly" | "lifetime" | null | undefined;
  /** Needs maxAmountInterval */
  maxAmountPerInterval?: Decimal | number | null | undefined;
  /** The URL of the picture or video */
  mediaUrl?: string | null | undefined;
  /**
   * Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
   * bytes
   */
  metadata?: AnyRuleMetadata | null | undefined;
  /** The name, for people */
  name?: string | undefined;
  /** The blockchain, by a name of contract 2.1 */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  /** A name of the operator’s settings for a platform */
  oauthCredentialsId?: string | null | undefined;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** percentage: complete at 100; counter: at the end of the highest tier */
  progressType?: "counter" | "percentage" | null | undefined;
  /** dynamic: a multiplier or badge is revoked when its holder no longer qualifies; null: permanent */
  rewardLifetime?: "permanent" | "dynamic" | null | undefined;
  /** What members get */
  rewardType?: "points" | "multiplier" | "badge" | "token" | undefined;
  /** The shop, if a partner connects several */
  shopStoreUrl?: string | null | undefined;
  /** true: members see the rule before it starts */
  showBeforeStart?: boolean | undefined;
  /** When the rule starts; null: at once */
  startTime?: string | null | undefined;
  /** The subscription whose events complete the rule */
  subscriptionId?: string | null | undefined;
  /** The token that the rule pays (contract 5.5) */
  tokenReward?: TokenReward | null | undefined;
  /** true: the reward needs complete progress */
  trackProgress?: boolean | undefined;
  /** Cannot be changed */
  type?: RuleType | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** Input of the operation: Write progress on a rule */
export interface WriteStatusInputBody {
  /** Adds to the progress; clamped to the rule's target */
  incProgress?: Decimal | number | null | undefined;
  /** The rule */
  loyaltyRuleId: string;
  /** The organization. In requests absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** Sets the progress; clamped to the rule's target */
  progress?: Decimal | number | null | undefined;
  /** The id of the member. In requests either it or walletAddress names the member */
  userId?: string | null | undefined;
  /**
   * The member’s identifier: a customer number or any stable text of 1 to 128 characters, or a wallet
   * address
   */
  walletAddress?: string | null | undefined;
  /** The website. In requests absent: that of the key (contract 1.3) */
  websiteId?: string | undefined;
}

/** The decimals of responses: "#" stands for one, a name for an object that has some. */
export const shapes: Shapes = {
  Account: { amount: "#", receivable: "#" },
  AccountStreak: { milestone: "Milestone" },
  AuctionBid: { auctionItem: "AuctionBidItem" },
  AuctionBidAsset: { shippingPrice: "#" },
  AuctionBidItem: { mintingContractAsset: "AuctionBidAsset" },
  Badge: { loyaltyBadgeUsers: "BadgeUser", loyaltyConditions: "BadgeCondition", rewards: "BadgeReward" },
  BadgeCondition: { amount: "#" },
  BadgeProgress: { current: "#", required: "#" },
  BadgeReward: { amount: "#", multiplier: "#" },
  BadgeUser: { progress: "BadgeProgress" },
  CaptureHoldInputBody: { amount: "#" },
  ChainBody: { data: "RuleChain" },
  ChainCondition: { amount: "#" },
  ClearingJob: { amount: "#" },
  CompleteRuleInputBody: { amount: "#", rangeValue: "#" },
  CompletionBody: { data: "CompletionData" },
  CompletionData: { rewards: "Paid" },
  ConditionInput: { amount: "#" },
  CountedListAuctionBid: { data: "AuctionBid" },
  CreateAuctionBody: { minBidAmount: "#", minBidIncrement: "#", reservePrice: "#" },
  CreateBadgeBody: { conditions: "ConditionInput", rewards: "RewardInput" },
  CreateChainBody: { loyaltyConditions: "ConditionInput" },
  CreateCollectionBody: { royaltyFee: "#" },
  CreateHoldBody: { amount: "#" },
  CreateMintingAssetBody: { price: "#" },
  CreateMintingContractBody: { royaltyFee: "#" },
  CreateRuleBody: { amount: "#", maxAmountPerInterval: "#" },
  CreateTokenClaimBody: { maxBonus: "#", minLockup: "#", minLockupForMultiplier: "#", minPercentageToStake: "#", multiplier: "#" },
  Entry: { amount: "#", loyaltyAccountEndAmount: "#", loyaltyAccountStartAmount: "#" },
  Expiring: { amount: "#" },
  GiveMultiplierBody: { multiplier: "#" },
  GroupItem: { loyaltyRule: "RuleBody" },
  Hold: { amount: "#", capturedAmount: "#" },
  Lack: { have: "#", need: "#" },
  ListAccount: { data: "Account" },
  ListBadge: { data: "Badge" },
  ListClearingJob: { data: "ClearingJob" },
  ListContractsBody: { data: "MintingContract" },
  ListEntry: { data: "Entry" },
  ListExpiring: { data: "Expiring" },
  ListHold: { data: "Hold" },
  ListListedBadgeUser: { data: "ListedBadgeUser" },
  ListLot: { data: "Lot" },
  ListMintStatus: { data: "MintStatus" },
  ListMintingAsset: { data: "MintingAsset" },
  ListMultiplier: { data: "Multiplier" },
  ListPayout: { data: "Payout" },
  ListProcessingView: { data: "ProcessingView" },
  ListReferralItem: { data: "ReferralItem" },
  ListReplayBody: { data: "ReplayBody" },
  ListRuleBody: { data: "RuleBody" },
  ListRuleChain: { data: "RuleChain" },
  ListRuleGroup: { data: "RuleGroup" },
  ListRuleStatus: { data: "RuleStatus" },
  ListTokenClaim: { data: "TokenClaim" },
  ListWebsite: { data: "Website" },
  ListWebsiteCollection: { data: "WebsiteCollection" },
  ListedBadgeUser: { progress: "BadgeProgress" },
  Lot: { amount: "#", remaining: "#" },
  Milestone: { streakAmount: "#", streakMilestone: "#" },
  MintStatus: { price: "#", unpaid: "Unpaid" },
  MintingAsset: { price: "#" },
  MintingContract: { mintingContractAssets: "MintingAsset", royaltyFee: "#" },
  Missing: { capLeft: "#", characters: "Lack", conditions: "State", fields: "Lack", followers: "Lack", progress: "Lack", required: "Lack", value: "Lack" },
  Multiplier: { multiplier: "#" },
  OwnAccount: { amount: "#" },
  Paid: { amount: "#", multiplier: "#" },
  Payout: { amount: "#" },
  PlaceBidBody: { amount: "#" },
  PostTransactionInputBody: { entries: "TransactionEntry" },
  PostedEntry: { amount: "#" },
  ProcessingView: { progress: "#" },
  ReferralItem: { amount: "#", tier1Amount: "#", tier2Amount: "#" },
  ReplayBody: { result: "ReplayResult" },
  ReplayResult: { difference: "#", paid: "#", wouldPay: "#" },
  ReplayRuleInputBody: { draft: "RuleDraft" },
  ReverseByKeyInputBody: { amount: "#" },
  ReverseTransactionInputBody: { amount: "#" },
  RewardInput: { amount: "#", multiplier: "#" },
  RuleBody: { amount: "#", loyaltyRuleChain: "RuleChain", maxAmountPerInterval: "#" },
  RuleChain: { loyaltyConditions: "ChainCondition" },
  RuleDraft: { amount: "#", maxAmountPerInterval: "#" },
  RuleGroup: { loyaltyGroupItems: "GroupItem" },
  RuleStatus: { progress: "#" },
  Self: { accounts: "OwnAccount" },
  SimulateRuleInputBody: { amount: "#", draft: "RuleDraft", rangeValue: "#" },
  SimulationBody: { missing: "Missing", rewards: "Paid" },
  SiteCollection: { royaltyFee: "#" },
  State: { current: "#", required: "#" },
  TokenClaim: { maxBonus: "#", minLockup: "#", minLockupForMultiplier: "#", minPercentageToStake: "#", multiplier: "#", totalAllocatedAmount: "#", totalClaimedAmount: "#" },
  Transaction: { entries: "PostedEntry" },
  TransactionEntry: { amount: "#" },
  Unpaid: { amount: "#" },
  UpdateAuctionInputBody: { minBidAmount: "#", minBidIncrement: "#", reservePrice: "#" },
  UpdateBadgeInputBody: { rewards: "RewardInput" },
  UpdateCollectionBody: { royaltyFee: "#" },
  UpdateMintingAssetBody: { price: "#" },
  UpdateMintingContractBody: { royaltyFee: "#" },
  UpdateMultiplierInputBody: { multiplier: "#" },
  UpdateTokenClaimBody: { maxBonus: "#", minLockup: "#", minLockupForMultiplier: "#", minPercentageToStake: "#", multiplier: "#" },
  Website: { collections: "SiteCollection" },
  WebsiteCollection: { royaltyFee: "#" },
  WholeTokenClaim: { maxBonus: "#", minLockup: "#", minLockupForMultiplier: "#", minPercentageToStake: "#", multiplier: "#", totalAllocatedAmount: "#", totalClaimedAmount: "#" },
  WriteRuleBody: { amount: "#", maxAmountPerInterval: "#" },
  WriteStatusInputBody: { incProgress: "#", progress: "#" },
};
