// Code generated from openapi.json by scripts/clients. DO NOT EDIT.

import type { Shapes } from "./decimals.js";

/** An exact decimal, such as "12.5". In JSON it is a number; here it is a text, so that no digit is lost. */
export type Decimal = string;

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

export interface Account {
  amount: Decimal;
  /**
   * For currencies of external ledgers: outside if the amount was read there, mirror if it is this
   * ledger's copy
   */
  amountFrom?: "outside" | "mirror";
  createdAt: string;
  id: string;
  lockVersion: number;
  loyaltyCurrencyId: string;
  organizationId: string;
  /**
   * What the account owes of points that were taken back. It is taken from later credits. Absent if it
   * owes nothing; only of the member itself with client keys
   */
  receivable?: Decimal;
  updatedAt: string;
  user: AccountUser | null;
  userId: string | null;
  websiteId: string;
}

export interface AccountProfile {
  chatServerUser: string | null;
  displayName: string | null;
  logoUrl: string | null;
  microblogUser: string | null;
  walletGroupIdentifier: string | null;
}

export interface AccountStreak {
  createdAt: string;
  /** A check-in from then on begins a new streak; null: never */
  expiresAt: string | null;
  id: string;
  loyaltyRuleId: string;
  milestone: Milestone[];
  /** Windows in a row with a check-in, up to the last one */
  streakCount: number;
  updatedAt: string;
  /** The member who checked in last */
  userId: string;
  walletAddress: string | null;
}

export interface AccountUser {
  id: string;
  userMetadata: AccountProfile[];
  walletAddress: string | null;
  websiteUserAttributeValues: AttributeValue[];
}

export interface ActInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface AddAuctionItemsInputBody {
  auctionItems: NewAuctionItem[];
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface AddedCall {
  chainId?: unknown;
  /** 0x hex */
  data?: string;
  to: string;
  /** A whole number */
  value?: string;
}

export interface AllocatedUser {
  /** null until the wallet is a user */
  id: string | null;
  walletAddress: string;
}

export interface AllowBody {
  entries: AllowEntryInput[];
  mintingContractAssetId: string;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface AllowEntry {
  id: string;
  mintingContractAssetId: string;
  quantityMinted: number;
  totalQuantity: number;
  walletAddress: string;
}

export interface AllowEntryInput {
  quantity: number;
  walletAddress: string;
}

export interface AllowOutputBody {
  createdCount: number;
  mintingContractAssetId: string;
}

export interface AnsweredChoice {
  id: string;
  /** Only if the user can no longer answer */
  isCorrect?: boolean;
  text: string;
}

export interface AnsweredQuestion {
  loyaltyQuestionChoices: AnsweredChoice[];
  text: string;
}

export interface ApiKey {
  allowedOrigins: string[];
  createdAt: string;
  expiresAt: string | null;
  id: string;
  lastUsedAt: string | null;
  name: string;
  organizationId: string;
  prefix: string;
  revokedAt: string | null;
  roleType: string;
  userId: string;
  websiteId: string | null;
}

export interface ArrangeBlocksBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
  websitePageSections: BlockInput[];
}

export interface Asset {
  createdAt: string;
  /** Until when it can be uploaded; null once it was */
  expiresAt: string | null;
  /** As the url holds it */
  fileName: string;
  filePath: string;
  /** Bytes */
  fileSize: number;
  id: string;
  organizationId: string;
  /** null until it was uploaded */
  uploadedAt: string | null;
  url: string;
  /** The user who owns the file; null: none */
  userId: string | null;
  websiteId: string;
}

export interface Attempt {
  at: string;
  body: string;
  durationMs: number;
  error: string | null;
  number: number;
  status: number | null;
}

export interface AttributeValue {
  value: string;
  websiteUserAttribute: ShortAttribute;
}

export interface AttributesBody {
  data: Item[];
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface Auction {
  /** The highest 10; none while bids are hidden */
  auctionBids: TopAuctionBid[];
  /** With includeItems=true */
  auctionItems?: AuctionItem[];
  biddersOwnCollectionAddresses: string[];
  createdAt: string;
  currencyAddress: string | null;
  currencyDecimals: number;
  deletedAt: string | null;
  description: string;
  endsAt: string;
  extendedDurationInSeconds: number | null;
  hideBids: boolean;
  id: string;
  loyaltyCurrency: AuctionCurrency | null;
  loyaltyCurrencyId: string;
  minBidAmount: string;
  minBidIncrement: string | null;
  mintingContractId: string;
  name: string;
  network: string | null;
  organizationId: string;
  /** Shown to secret keys only */
  reservePrice: string | null;
  signature: string;
  startsAt: string;
  /** in_progress also before it starts */
  status: "in_progress" | "completed" | "cancelled";
  type: "first_price" | "second_price" | "english";
  updatedAt: string;
  /** The user who created it */
  userId: string | null;
  websiteId: string;
}

export interface AuctionBid {
  amount: string;
  auction: BidsAuction | null;
  auctionId: string;
  auctionItem: AuctionBidItem | null;
  /** The item that the bidder named; for a fulfilled bid the one that it won */
  auctionItemId: string | null;
  createdAt: string;
  currencyAddress: string | null;
  currencyDecimals: number;
  id: string;
  loyaltyCurrency: AuctionBidCurrency | null;
  organizationId: string;
  status: "submitted" | "accepted" | "rejected" | "fulfilled";
  updatedAt: string;
  user: ShortUser;
  websiteId: string;
}

export interface AuctionBidAsset {
  id: string;
  isPhygitalItem: boolean;
  revealedAt: string | null;
  shippingPrice: Decimal | null;
  tokenId: number | null;
}

export interface AuctionBidCurrency {
  apiAuthKey: string | null;
  apiAuthType: string | null;
  apiAuthValue: string | null;
  apiGetTransactionEntryUrl: string | null;
  apiGetUrl: string | null;
  apiPostUrl: string | null;
}

export interface AuctionBidItem {
  id: string;
  mintingContractAsset: AuctionBidAsset | null;
  quantity: number;
}

export interface AuctionCurrency {
  decimals: number;
  id: string;
  imageUrl: string | null;
  name: string;
  symbol: string;
}

export interface AuctionItem {
  auctionId: string;
  createdAt: string;
  id: string;
  mintingContractAsset: AuctionItemAsset;
  organizationId: string;
  quantity: number;
  sortId: number;
  updatedAt: string;
  websiteId: string;
}

export interface AuctionItemAsset {
  id: string;
  imageUrl: string | null;
  isPhygitalItem: boolean;
  name: string;
  revealedAt: string | null;
  tokenId: number | null;
}

export interface AuctionedItem {
  id: string;
}

export interface Backfill {
  nextBlock: string;
  toBlock: string;
}

export interface Badge {
  createdAt: string;
  /** Newest first */
  dataJobs: BadgeJob[];
  /** In lists with includeDeleted */
  deletedAt?: string;
  description: string;
  hideInUi: boolean;
  id: string;
  imageUrl: string;
  /** With a user filter the rows of those users, else the newest 100 */
  loyaltyBadgeUsers: BadgeUser[];
  loyaltyConditions: BadgeCondition[];
  /** Rules that grant it, or to which a condition refers */
  loyaltyRules: BadgeThing[];
  name: string;
  organizationId: string;
  rewards: BadgeReward[];
  updatedAt: string;
  websiteId: string;
}

export interface BadgeAssociation {
  loyaltyBadge: BadgeThing | null;
  loyaltyCurrency: BadgeThing | null;
  loyaltyLeaderboardView: BadgeThing | null;
  loyaltyRule: BadgeThing | null;
  loyaltyRuleGroup: BadgeThing | null;
}

export interface BadgeCondition {
  amount: Decimal;
  association: BadgeAssociation[];
  /** Shown to secret keys only */
  csvFiles: BadgeFile[];
  /** Shown to secret keys only */
  csvUrl: string | null;
  description: string;
  id: string;
  loyaltyCurrencyId: string | null;
  loyaltyRuleGroupId: string | null;
  repeatCount: number;
  requiredCount: number;
  type: "rule" | "rules" | "section" | "points" | "level" | "api" | "badge" | "badges" | "csv";
}

export interface BadgeFile {
  description: string | null;
  id: string;
  name: string | null;
  url: string;
}

export interface BadgeJob {
  createdAt: string;
  id: string;
  /** Shown to secret keys only */
  message?: string;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  updatedAt: string;
}

export interface BadgeProgress {
  complete: boolean;
  current: Decimal;
  loyaltyConditionId: string;
  required: Decimal;
  type: string;
}

export interface BadgeReward {
  amount: Decimal;
  id: string;
  isRetroactive: boolean;
  loyaltyBadgeId: string | null;
  loyaltyCurrencyId: string | null;
  /** For multipliers; empty: all currencies */
  loyaltyCurrencyIds: string[];
  multiplier: Decimal;
  rewardType: "points" | "multiplier" | "badge" | "token";
}

export interface BadgeThing {
  id: string;
  name: string;
}

export interface BadgeUser {
  /** Left out until granted */
  completedAt?: string;
  createdAt: string;
  dismissedInUi: boolean;
  hideInUi: boolean;
  id: string;
  loyaltyBadgeId: string;
  organizationId: string;
  progress: BadgeProgress[];
  status: "active" | "inactive" | "revoked";
  updatedAt: string;
  user: ShortUser;
  userId: string;
  websiteId: string;
}

export interface BannerInput {
  carousel?: CarouselInput | null | undefined;
  id?: string | null | undefined;
  websiteCollectionBanners?: ShownInput[] | undefined;
}

export interface BegunReplay {
  id: string;
  /** Percent of the period that is done */
  progress: number;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
}

export interface BidsAuction {
  id: string;
  name: string;
}

export interface BlockInput {
  /** The id of an existing block; absent: a new block */
  id?: string | null | undefined;
  /** true: client keys do not see it */
  isHidden?: boolean | undefined;
  loyaltyRuleGroupId?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Default: its place in the list, from 0 */
  sortId?: number | undefined;
  subTitle?: string | null | undefined;
  title?: string | null | undefined;
  /** A name of your own, such as hero or leaderboard */
  type: string;
}

export interface BlockchainInput {
  /** EVENT or FUNCTION */
  blockchainSubscriptionType?: string | undefined;
  chainId?: number | undefined;
  contractAddress?: string | undefined;
  /**
   * A JSON fragment or a signature such as event Transfer(address indexed from, address indexed to,
   * uint256 value)
   */
  eventAbi?: string | undefined;
  fromBlock?: string | undefined;
  functionAbi?: string | undefined;
  triggerId?: string | null | undefined;
}

export interface BlockchainSource {
  /** The blocks from fromBlock on that are still to be read; absent once all are */
  backfill?: Backfill;
  blockchainSubscriptionType: "EVENT" | "FUNCTION";
  chainId: number;
  contractAddress: string;
  createdAt: string;
  createdAtBlock: string;
  deletedAt: string | null;
  eventAbi: string;
  eventSelector: string;
  fromBlock: string;
  functionAbi: string;
  id: string;
  updatedAt: string;
}

export interface CSVInput {
  description?: string | null | undefined;
  name?: string | null | undefined;
  src: string;
}

export interface Callback {
  response: CallbackResponse;
}

export interface CallbackResponse {
  body: string;
  durationMs: number;
  error: string | null;
  status: number | null;
}

export interface CancelAuctionInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface CancelLotInputBody {
  organizationId?: string | undefined;
  /** Kept with the lot */
  reason?: string | undefined;
  websiteId?: string | undefined;
}

export interface CaptureHoldInputBody {
  /** Above 0 and at most what is held, which is the default */
  amount?: Decimal | number | null | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface CarouselInput {
  carouselItems?: CarouselItemInput[] | undefined;
  id?: string | null | undefined;
}

export interface CarouselItemInput {
  id?: string | null | undefined;
  /** Default: its place in the list, from 0 */
  sortId?: number | null | undefined;
}

export interface ChainBody {
  data: RuleChain;
}

export interface ChainCondition {
  amount: Decimal;
  association: ChainNeedful[];
  /** Shown to secret keys only */
  csvUrl: string | null;
  description: string;
  id: string;
  repeatCount: number;
  /** null: all */
  requiredCount: number | null;
  type: "rule" | "rules" | "section" | "points" | "level" | "api" | "badge" | "badges" | "csv";
}

export interface ChainNeedful {
  id: string;
  loyaltyBadgeId: string | null;
  loyaltyCurrency: Named | null;
  loyaltyCurrencyId: string | null;
  loyaltyRule: Named | null;
  loyaltyRuleGroupId: string | null;
  loyaltyRuleId: string | null;
}

export interface ChangeRolesInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
  websiteUserRoles: RoleChange[];
}

export interface ChangedRoles {
  data: UserRole[];
}

export interface ChoiceBody {
  /** The id of an existing choice; ignored on creation */
  id?: string | null | undefined;
  /** Absent: as it was, of a new choice false. Polls take any choice */
  isCorrect?: boolean | null | undefined;
  /** A number or a text to sort by, numbers first */
  sortIdentifier?: number | string | undefined;
  text: string;
}

export interface ClaimDataJob {
  id: string;
  /** Why it failed, or which rows were skipped */
  message?: string;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
}

export interface ClaimEligibility {
  alreadyClaimed: boolean;
  /** The allocation of the wallet, as a decimal */
  amount: string;
  claimContractAddress: string | null;
  claimedAt: string | null;
  eligible: boolean;
  /** Empty if no driver reads the staking contract */
  stakes: ClaimStake[];
  tokenClaimId: string;
}

export interface ClaimProof {
  /** From the bottom up */
  proof: string[];
  tokenClaimId: string;
  /** A decimal */
  totalAllocation: string;
  walletAddress: string;
}

export interface ClaimReceipt {
  data: ClaimedAllocation;
  message: string;
}

export interface ClaimStake {
  amount: string;
  claimable: string;
  claimed: string;
  duration: number;
  stakeId: string;
  startTime: string;
}

export interface ClaimToken {
  address: string;
  chainId: number | null;
  id: string;
  name: string | null;
}

export interface ClaimTokenBody {
  organizationId?: string | undefined;
  /** 0x and 64 hexadecimal digits */
  txHash: string;
  walletAddress: string;
  websiteId?: string | undefined;
}

export interface ClaimUser {
  /** A decimal */
  amount: string;
  claimedAt: string | null;
  id: string;
  user: AllocatedUser;
}

export interface ClaimedAllocation {
  claimedAt: string | null;
  tokenClaimId: string;
  /** A decimal */
  totalAllocation: string;
  walletAddress: string;
}

export interface ClearingJob {
  /** That were debited so far */
  accounts: number;
  /** The sum of all debits so far */
  amount: Decimal;
  createdAt: string;
  createdById: string | null;
  id: string;
  /** For a reset: its currency */
  loyaltyCurrencyId: string | null;
  /** For the debit of a deleted rule: the rule */
  loyaltyRuleId: string | null;
  /** Why it was cancelled, or what it left out */
  message: string | null;
  organizationId: string;
  status: "processing" | "complete" | "cancelled";
  type: "loyalty_reset_balances" | "loyalty_reset_balances_data_and_rules" | "loyalty_reset_balances_data_not_rules" | "loyalty_rule_debit";
  updatedAt: string;
  websiteId: string;
}

export interface CodeList {
  complete: boolean;
  data: RedemptionCode[];
  hasNextPage: boolean;
}

export interface CodeSent {
  message: string;
  success: boolean;
  userId: string;
}

export interface Collection {
  address: string;
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
  symbol?: string | undefined;
}

export interface CollectionSummary {
  id: string;
  imageUrl: string | null;
  mintingContractId: string | null;
  name: string;
}

export interface CompleteRuleInputBody {
  /** In place of the rule's amount; external_rule only */
  amount?: Decimal | number | null | undefined;
  contentUrl?: string | null | undefined;
  /** Only for external_rule. Unique on the website forever, among completions and entries together */
  idempotencyKey?: string | null | undefined;
  loyaltyQuestionChoiceId?: string | null | undefined;
  organizationId?: string | undefined;
  /**
   * Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
   * the amount is paid for each unit of it
   */
  rangeValue?: Decimal | number | null | undefined;
  skipChainOrRequiredCheck?: boolean | null | undefined;
  userId?: string | null | undefined;
  verificationCode?: string | null | undefined;
  /** true, as boolean or text: every check and no reward */
  verifyOnly?: boolean | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CompletionBody {
  data: CompletionBodyDataStruct;
  /** For people; programs read data */
  message: string;
}

export interface CompletionBodyDataStruct {
  loyaltyTransactionId?: string;
  rewards: Paid[];
  status: "completed" | "pending";
  /**
   * With verifyOnly, to secret keys: what the rule's function would ask the payout driver for. Nothing
   * of it is sent
   */
  transactions?: AddedCall[];
}

export interface ConnectBody {
  /** The wallet may leave another group */
  confirmDisconnect?: boolean | undefined;
  organizationId?: string | undefined;
  /** The user whose group the wallet joins */
  userId?: string | null | undefined;
  verificationData?: VerificationData | null | undefined;
  walletAddress: string;
  walletType: "agw" | "cosmos" | "evm" | "flow_cadence" | "imx" | "solana" | "substrate" | "sui" | "ton";
  websiteId?: string | undefined;
}

export interface ConnectPhoneBody {
  code: string;
  organizationId?: string | undefined;
  /** In E.164 format */
  phoneNumber: string;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface ConnectedAccount {
  /** With MAXIMUM_ACCOUNT_LINKED: moves the account by POST /api/users/verify, within 15 minutes */
  accountLinkData?: string;
  /** Why the proof does not count, for programs */
  error?: string;
  message?: string;
  success: boolean;
}

export interface ConnectedUser {
  createdAt: string;
  id: string;
  /** A member token, if a signature was checked */
  token?: string;
  tokenExpiresAt?: string;
  updatedAt: string;
  walletAddress: string;
}

export interface Contract {
  /** As it was sent; absent with includeAbi=false */
  abi?: unknown | null;
  address: string;
  chainId: number | null;
  createdAt: string;
  deletedAt?: string;
  iconUrl?: string;
  id: string;
  name: string | null;
  organizationId: string;
  type: string;
  updatedAt: string;
  websiteId: string;
}

export interface ContractCount {
  /** Live assets that are listed */
  isListed: number;
}

export interface ContractEvent {
  blockNumber: string;
  contractAddress: string;
  detectedAt: string;
  eventKey: string;
  txHash: string;
}

export interface ContractStats {
  _count: ContractCount;
  _sum: ContractSum;
  mintingContractId: string;
}

export interface ContractSum {
  quantity: number | null;
  quantityMinted: number | null;
}

export interface CountedListAuctionBid {
  count?: number;
  data: AuctionBid[];
  hasNextPage: boolean;
}

export interface CreateAssetInputBody {
  /** Ends with one of png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb */
  fileName?: string | null | undefined;
  /** Default images */
  filePath?: "images" | "videos" | "banners" | "fonts" | "posts" | "profiles" | "minting" | "loyalty" | "tokenClaims" | "dapps" | null | undefined;
  /** Bytes */
  fileSize?: number | null | undefined;
  organizationId?: string | undefined;
  /** The user who owns the file; through client keys the member token's user */
  userId?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateAuctionBody {
  auctionItems?: NewAuctionItem[] | undefined;
  biddersOwnCollectionAddresses?: string[] | null | undefined;
  /** Stored */
  currencyAddress?: string | null | undefined;
  description?: string | null | undefined;
  /** Cannot be changed once there is a bid */
  endsAt: string;
  /** english: a bid so shortly before the end moves the end to so many seconds after it */
  extendedDurationInSeconds?: number | null | undefined;
  hideBids?: boolean | null | undefined;
  /** Bids are points of it; cannot be changed */
  loyaltyCurrencyId: string;
  minBidAmount: Decimal | number;
  /** For english auctions: the least difference between the best bid and the next bid */
  minBidIncrement?: Decimal | number | null | undefined;
  /** The minting contract of the items; cannot be changed */
  mintingContractId: string;
  name: string;
  /** The network of the collections; cannot be changed */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  organizationId?: string | undefined;
  /** Bids below it win nothing */
  reservePrice?: Decimal | number | null | undefined;
  /** Cannot be changed once there is a bid */
  startsAt: string;
  /** Cannot be changed */
  type: "first_price" | "second_price" | "english";
  websiteId?: string | undefined;
}

export interface CreateBadgeBody {
  conditions: Input[];
  /** Further lists of the badge's csv conditions */
  csvFiles?: CSVInput[] | null | undefined;
  description?: string | null | undefined;
  hideInUi?: boolean | null | undefined;
  imageUrl: string;
  name: string;
  organizationId?: string | undefined;
  rewards?: RewardInput[] | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateBody {
  blockchainSubscriptions?: BlockchainInput[] | undefined;
  callbackUrl?: string | undefined;
  endsAt?: string | null | undefined;
  finality?: string | null | undefined;
  functionIds?: string[] | undefined;
  maxEventsPerDay?: number | null | undefined;
  metadata?: unknown | undefined;
  name: string;
  organizationId: string;
  platformSubscriptions?: PlatformInput[] | undefined;
  startsAt?: string | null | undefined;
  version?: string | undefined;
  websiteId: string;
}

export interface CreateChainBody {
  loyaltyConditions: Input[];
  loyaltyRuleId: string;
  name: string;
  operatorType?: "AND" | "OR" | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface CreateCollectionBody {
  chatServerUrl?: string | null | undefined;
  collectionAddress: string;
  homeUrl?: string | null | undefined;
  imageUrl?: string | null | undefined;
  messengerUrl?: string | null | undefined;
  microblogUsername?: string | null | undefined;
  name: string;
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
  organizationId?: string | undefined;
  photoPlatformUsername?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  royaltyFeeAddress?: string | null | undefined;
  /** Lists go by it, the lowest first */
  sortId: number;
  /** The contract that locks its tokens */
  stakingAddress?: string | null | undefined;
  themeId?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateContractBody {
  /** A JSON array, or the text of one */
  abi?: unknown | undefined;
  address: string;
  chainId: number | null;
  iconUrl?: string | null | undefined;
  name: string;
  organizationId?: string | undefined;
  type: "erc20" | "erc721" | "erc1155" | "custom";
  websiteId?: string | undefined;
}

export interface CreateCurrencyBody {
  apiAuthKey?: string | null | undefined;
  apiAuthType?: "none" | "basic" | "bearer" | "apiKey" | null | undefined;
  apiAuthValue?: string | null | undefined;
  apiGetTransactionEntryUrl?: string | null | undefined;
  apiGetUrl?: string | null | undefined;
  apiPostUrl?: string | null | undefined;
  /** How many places a page shows; cannot be changed */
  decimals: number;
  imageUrl?: string | null | undefined;
  name: string;
  organizationId?: string | undefined;
  /** How many days points live; null: they do not expire */
  pointsExpireAfterDays?: number | null | undefined;
  /** How many hours rewards are held before they are credited; null: not at all */
  pointsWaitHours?: number | null | undefined;
  sortId?: number | null | undefined;
  symbol: string;
  websiteId?: string | undefined;
}

export interface CreateFunctionBody {
  code?: string | undefined;
  cron?: string | null | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  secrets?: Record<string, string> | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateGroupBody {
  isCollapsible?: boolean | undefined;
  isRequired?: boolean | undefined;
  name: string;
  organizationId?: string | undefined;
  sortId?: number | undefined;
  subTitle?: string | null | undefined;
  /** Another spelling of subTitle */
  subtitle?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateHoldBody {
  amount: Decimal | number;
  description?: string | null | undefined;
  /** Default 3600 */
  expiresInSeconds?: number | null | undefined;
  /** Unique on the website forever, among entries, completions and holds together */
  idempotencyKey?: string | null | undefined;
  loyaltyCurrencyId: string;
  /** At most 16384 bytes */
  metadata?: Record<string, unknown> | undefined;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateKeyInputBody {
  /** For client keys; empty: all origins */
  allowedOrigins?: string[] | undefined;
  expiresAt?: string | null | undefined;
  name: string;
  organizationId?: string | undefined;
  roleType: "ORGANIZATION_API_KEY" | "WEBSITE_API_KEY" | "WEBSITE_READ_ONLY_API_KEY" | "WEBSITE_CLIENT_API_KEY" | "STRATUS_API_KEY";
  websiteId?: string | undefined;
}

export interface CreateMintingAssetBody {
  animationUrl?: string | null | undefined;
  collectInfoType?: "customInput" | "freeText" | "shippingDetails" | null | undefined;
  /** ONCHAIN: the token that the price is in; null: the network's own */
  currencyAddress?: string | null | undefined;
  currencyDecimals?: number | null | undefined;
  description?: string | null | undefined;
  imageUrl?: string | null | undefined;
  /** true: only wallets on the allowlist may mint */
  isAllowlisted?: boolean | null | undefined;
  isHidden?: boolean | null | undefined;
  isListed?: boolean | null | undefined;
  isPhygitalItem?: boolean | null | undefined;
  listingEndsAt?: string | null | undefined;
  listingStartsAt?: string | null | undefined;
  /** Needed in an OFFCHAIN contract */
  loyaltyCurrencyId?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  mintingContractId: string;
  name: string;
  organizationId?: string | undefined;
  /** The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain */
  price: Decimal | number;
  /** In all, with those that are minted */
  quantity: number;
  shouldCollectUserInfo?: boolean | null | undefined;
  tokenId?: number | null | undefined;
  unlimitedQty?: boolean | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateMintingContractBody {
  /** Needed to list an ONCHAIN contract */
  address?: string | null | undefined;
  /** Stays as it was created */
  contractKind: "ONCHAIN" | "OFFCHAIN";
  description?: string | null | undefined;
  enableGasless?: boolean | null | undefined;
  externalLinkUrl?: string | null | undefined;
  hasRevealMechanic?: boolean | null | undefined;
  hideInactiveListings?: boolean | null | undefined;
  imageUrl?: string | null | undefined;
  /** true: free for holders, and others pay the price */
  isFreeClaimForBadgeHolders?: boolean | null | undefined;
  /** true: free for owners, and others pay the price */
  isFreeClaimForTokenHolders?: boolean | null | undefined;
  isListed?: boolean | null | undefined;
  /** true: the limit applies to each asset */
  isPerAssetMintLimit?: boolean | null | undefined;
  isSoulbound?: boolean | null | undefined;
  loyaltyBadgeIds?: string[] | null | undefined;
  mustOwnCollections?: GatingCollection[] | null | undefined;
  name: string;
  /** Needed to list an ONCHAIN contract */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  organizationId?: string | undefined;
  /** 0: no limit */
  perUserMintLimit?: number | null | undefined;
  preRevealMedia?: string | null | undefined;
  primarySaleRecipientAddress?: string | null | undefined;
  relayerId?: string | null | undefined;
  /** false: any one collection or badge suffices */
  requireHoldingAllGatedItems?: boolean | null | undefined;
  revealAvailableAt?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  royaltyFeeAddress?: string | null | undefined;
  shouldCollectEmail?: boolean | null | undefined;
  showOnMarketplace?: boolean | null | undefined;
  sortId?: number | null | undefined;
  symbol?: string | null | undefined;
  /** Default erc721; stays as it was created */
  tokenType?: "erc721" | "erc1155" | "erc721c" | null | undefined;
  /** The website's collection of these tokens */
  websiteCollectionId?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateQuestionBody {
  /** Default false; cannot be changed */
  allowMultipleAttempts?: boolean | null | undefined;
  loyaltyQuestionAnswers: ChoiceBody[];
  /** A quiz or poll, which has one question */
  loyaltyRuleId: string;
  organizationId?: string | undefined;
  questionText: string;
  websiteId?: string | undefined;
}

export interface CreateReferralCodeBody {
  /** Without it a code is generated */
  customReferralCode?: string | null | undefined;
  /** A rule of type referred_user */
  loyaltyRuleId: string;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateRuleBody {
  amount?: Decimal | number | null | undefined;
  backgroundAssetUrl?: string | null | undefined;
  claimType?: "manual" | "auto" | null | undefined;
  collectionAddress?: string | null | undefined;
  collections?: Collection[] | null | undefined;
  contractIds?: string[] | null | undefined;
  customRewardsApiUrl?: string | null | undefined;
  customRewardsCsvUrl?: string | null | undefined;
  dappDataWindow?: "daily" | "weekly" | "monthly" | null | undefined;
  dappDeployedWithin?: "daily" | "weekly" | "monthly" | null | undefined;
  /** On update: a time deletes, null brings back */
  deletedAt?: string | null | undefined;
  description?: string | null | undefined;
  duplicatedFromId?: string | null | undefined;
  editComment?: string | null | undefined;
  effectiveEndTime?: string | null | undefined;
  effectiveStartTime?: string | null | undefined;
  endTime?: string | null | undefined;
  externalIntegrationId?: string | null | undefined;
  frequency?: "none" | "once" | "hourly" | "daily" | "weekly" | "monthly" | "immediately" | undefined;
  functionId?: string | null | undefined;
  hideInUi?: boolean | undefined;
  interval?: "hourly" | "daily" | "weekly" | "monthly" | "once" | "custom" | "every_message" | "unlimited" | undefined;
  isDappRule?: boolean | undefined;
  isRequired?: boolean | undefined;
  isSpecial?: boolean | undefined;
  loyaltyBadgeId?: string | null | undefined;
  loyaltyCurrencyId?: string | null | undefined;
  /** A uuid or no-section */
  loyaltyRuleGroupId?: string | null | undefined;
  loyaltyUserAllotmentCsvUrl?: string | null | undefined;
  maxAmountInterval?: "daily" | "weekly" | "monthly" | "lifetime" | null | undefined;
  maxAmountPerInterval?: Decimal | number | null | undefined;
  mediaUrl?: string | null | undefined;
  /**
   * Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
   * bytes
   */
  metadata?: Record<string, unknown> | null | undefined;
  name: string;
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  oauthCredentialsId?: string | null | undefined;
  organizationId?: string | undefined;
  progressType?: "counter" | "percentage" | null | undefined;
  rewardLifetime?: "permanent" | "dynamic" | null | undefined;
  rewardType?: "points" | "multiplier" | "badge" | "token" | undefined;
  shopStoreUrl?: string | null | undefined;
  showBeforeStart?: boolean | undefined;
  startTime?: string | null | undefined;
  subscriptionId?: string | null | undefined;
  tokenReward?: TokenReward | null | undefined;
  trackProgress?: boolean | undefined;
  /** Cannot be changed */
  type: RuleType;
  websiteId?: string | undefined;
}

export interface CreateSectionBody {
  banner?: BannerInput | null | undefined;
  /** Replaces the former ones */
  discoveryItems?: DiscoveryInput[] | undefined;
  durationEnd?: string | null | undefined;
  durationStart: string;
  /** Replaces the former ones */
  itemsGrids?: ShownInput[] | undefined;
  organizationId?: string | undefined;
  /** The page, for placement page */
  pageId?: string | null | undefined;
  pageSectionType?: "all_items" | "discovery_item" | "discovery_items_grid" | null | undefined;
  placement: "global" | "page";
  /** Lists go by it, the lowest first. Default 0 */
  sortId?: number | undefined;
  title?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateTokenClaimBody {
  claimAndStake?: boolean | undefined;
  claimContractAddress?: string | null | undefined;
  /** A contract of type erc20 */
  contractId: string;
  /** Rows of walletAddress,amount */
  csvUrl?: string | null | undefined;
  endTime?: string | null | undefined;
  /** Default 18 */
  erc20Decimals?: number | undefined;
  /** Codes of countries, ISO 3166 alpha-2 */
  geoBlock?: string[] | undefined;
  /** Default true */
  isDraft?: boolean | undefined;
  isStakingOptional?: boolean | undefined;
  maxBonus?: Decimal | number | undefined;
  minLockup?: Decimal | number | undefined;
  minLockupForMultiplier?: Decimal | number | undefined;
  /** 0 to 100 */
  minPercentageToStake?: Decimal | number | undefined;
  /** Default 1 */
  multiplier?: Decimal | number | undefined;
  name: string;
  organizationId?: string | undefined;
  relayerId?: string | null | undefined;
  stakingContractAddress?: string | null | undefined;
  stakingContractType?: "linear" | "timelock" | null | undefined;
  startTime?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface CreateWebsiteInputBody {
  /** Wallets that administer the website */
  adminWalletAddress?: string[] | undefined;
  chatServerUrl?: string | null | undefined;
  homeUrl?: string | null | undefined;
  messengerUrl?: string | null | undefined;
  microblogUsername?: string | null | undefined;
  name: string;
  organizationId?: string | undefined;
  photoPlatformUsername?: string | null | undefined;
  /** true: client keys name users without a member token */
  trustClientUsers?: boolean | undefined;
}

export interface CreatedAsset {
  id: string;
  signedUrl?: string;
  url: string;
}

export interface Currency {
  apiAuthKey: string | null;
  apiAuthType: string | null;
  apiAuthValue?: string | null;
  apiGetTransactionEntryUrl: string | null;
  apiGetUrl: string | null;
  apiPostUrl: string | null;
  createdAt: string;
  createdById: string | null;
  decimals: number;
  deletedAt: string | null;
  id: string;
  imageUrl: string | null;
  isTokenRewardCurrency: boolean;
  name: string;
  organizationId: string;
  pointsExpireAfterDays: number | null;
  pointsWaitHours: number | null;
  sortId: number | null;
  symbol: string;
  updatedAt: string;
  websiteId: string;
}

export interface DataCodeSent {
  data: CodeSent;
}

export interface DataConnectedAccount {
  data: ConnectedAccount;
}

export interface DataDisconnected {
  data: Disconnected;
}

export interface DelegateBody {
  /** The cold wallet, which signs */
  delegatorWalletAddress: string;
  message?: string | undefined;
  organizationId?: string | undefined;
  /** Client keys need it */
  signature?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  /** Of the cold wallet; by default that which its address has by its form */
  walletType?: "agw" | "cosmos" | "evm" | "flow_cadence" | "imx" | "solana" | "substrate" | "sui" | "ton" | undefined;
  websiteId?: string | undefined;
}

export interface Delegation {
  createdAt: string;
  delegatorWalletAddress: string;
  id: string;
  organizationId: string;
  userId: string;
  websiteId: string;
}

export interface Delegator {
  walletAddress: string;
}

export interface DeleteAttributeInputBody {
  id: string;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface DeleteNamedMultiplierInputBody {
  externalIdentifier?: string | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface DeletedBody {
  deletedAt: string;
  id: string;
}

export interface Device {
  createdAt: string;
  deviceIdentifier: string | null;
  id: string;
  ipAddress: string;
  organizationId: string;
  source: "api";
  userId: string;
  websiteId: string;
}

export interface DeviceBody {
  deviceIdentifier?: string | null | undefined;
  ipAddress: string;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface DisconnectInputBody {
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface DisconnectPhoneInputBody {
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface Disconnected {
  message: string;
}

export interface DiscoveryInput {
  buttonText?: string | null | undefined;
  description?: string | null | undefined;
  externalLink?: string | null | undefined;
  hideQuestInfo?: boolean | undefined;
  /** The id of an existing part; ignored on creation */
  id?: string | null | undefined;
  layout?: "container_style" | "full_width_hero" | null | undefined;
  loyaltyRuleGroupId?: string | null | undefined;
  mediaLink?: string | null | undefined;
  microblog?: string | null | undefined;
  pageMediaLink?: string | null | undefined;
  /** Default: its place in the list, from 0 */
  sortId?: number | undefined;
  title?: string | null | undefined;
  website?: string | null | undefined;
}

export interface DiscoveryItem {
  buttonText: string | null;
  description: string | null;
  externalLink: string | null;
  hideQuestInfo: boolean;
  id: string;
  layout: string | null;
  loyaltyRuleGroupId: string | null;
  loyaltySection: LoyaltyHeader | null;
  mediaLink: string | null;
  microblog: string | null;
  pageMediaLink: string | null;
  sortId: number;
  title: string | null;
  website: string | null;
}

export interface DomainStruct {
  lengthBytes?: number | undefined;
  value: string;
}

export interface EnableInputBody {
  organizationId?: string | undefined;
  /** Default true */
  replay?: boolean | null | undefined;
  websiteId?: string | undefined;
}

export interface Entry {
  amount: Decimal;
  createdAt: string;
  direction: "credit" | "debit";
  id: string;
  idempotencyKey: string | null;
  loyaltyAccount: EntryAccount;
  loyaltyAccountEndAmount: Decimal | null;
  loyaltyAccountId: string;
  loyaltyAccountLockVersion: number | null;
  loyaltyAccountStartAmount: Decimal | null;
  loyaltyCurrencyId: string;
  loyaltyTransaction: EntryTransaction;
  loyaltyTransactionId: string;
  metadata?: Record<string, unknown>;
  organizationId: string;
  type: "auction_bid" | "direct_mint" | "loyalty_rule" | "api_key" | "order";
  updatedAt: string;
  websiteId: string;
}

export interface EntryAccount {
  id: string;
  user: ShortUser | null;
}

export interface EntryGroupItem {
  loyaltyRuleGroupId: string;
}

export interface EntryRule {
  description: string;
  id: string;
  loyaltyRuleGroupItem?: EntryGroupItem;
  metadata: Record<string, unknown>;
  name: string;
  type: string;
}

export interface EntryTransaction {
  description: string;
  id: string;
  loyaltyRule?: EntryRule;
  type: string;
}

export interface Event {
  attempts: number;
  callback: Callback | null;
  event: ContractEvent | null;
  functionRun: EventRun | null;
  /** Present if the subscription has several functions */
  functionRuns?: EventRun[];
  id: string;
  nextAttemptAt: string | null;
  /** The whole body of v2 */
  payload: Record<string, unknown>;
  status: "pending" | "delivered" | "failed" | "skipped" | "held";
  table: string | null;
  triggeredAt: string;
  type: string;
}

export interface EventRun {
  /** The function; null of a rule that decides by itself */
  id: string | null;
  /** The rule that decides on the event; absent of a function that the subscription names itself */
  loyaltyRuleId?: string;
  output: unknown;
  runId: string | null;
  status: "pending" | "succeeded" | "failed";
}

export interface Expiring {
  amount: Decimal;
  expiresAt: string;
}

export interface ExternalEntry {
  /** As the external ledger receives it: an exact decimal */
  amount: string;
  direction: "credit" | "debit";
  walletAddress: string;
}

export interface ExternalPost {
  attempts: number;
  createdAt: string;
  entries: ExternalEntry[];
  finishedAt: string | null;
  /** The idempotencyKey that the external ledger receives */
  id: string;
  /** A call may have arrived although its response did not */
  inDoubt: boolean;
  kind: "transaction" | "completion";
  loyaltyCurrencyId: string;
  loyaltyTransactionId: string | null;
  /** Why it was refused, or why the last call failed */
  message: string | null;
  nextAttemptAt: string | null;
  organizationId: string;
  status: "open" | "done" | "refused" | "cancelled";
  updatedAt: string;
  websiteId: string;
}

export interface Function {
  code: string;
  createdAt: string;
  cron: string | null;
  deletedAt: string | null;
  disabled: boolean;
  id: string;
  name: string;
  organizationId: string;
  updatedAt: string;
  /** From 1; each change of the code raises it */
  version: number;
  websiteId: string;
}

export interface FunctionRun {
  createdAt: string;
  durationMs: number;
  /** Why it failed */
  error: string | null;
  functionId: string;
  id: string;
  /** The output of console.log, at most 64 KiB */
  logs: string[];
  /** The value that was passed to setResult; null without one */
  output: unknown;
  /** The same as id */
  runId: string;
  status: "running" | "succeeded" | "failed";
  trigger: "subscription" | "cron" | "invoke" | "rule";
  /** The version of the code that ran */
  version: number;
}

export interface GatingBadge {
  id: string;
  imageUrl: string;
  name: string;
}

export interface GatingBadgeItem {
  loyaltyBadge: GatingBadge;
}

export interface GatingCollection {
  address: string;
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
}

export interface GetPageSectionsResponse {
  banner?: SectionBanner | null;
  createdAt?: string;
  data: PageSection[];
  deletedAt?: string;
  discoveryItems?: DiscoveryItem[];
  durationEnd?: string | null;
  durationStart?: string;
  hasNextPage: boolean;
  id?: string;
  itemsGrids?: ShownCollection[];
  organizationId?: string;
  pageId?: string;
  pageSectionType?: string | null;
  placement?: string;
  sortId?: number;
  title?: string | null;
  updatedAt?: string;
  websiteId?: string;
}

export interface GiveMultiplierBody {
  description?: string | null | undefined;
  /** Names one live multiplier of the website */
  externalIdentifier?: string | null | undefined;
  /** Empty or absent: all currencies */
  loyaltyCurrencyIds?: string[] | null | undefined;
  multiplier: Decimal | number;
  organizationId?: string | undefined;
  title?: string | null | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface GivenBadge {
  data: GivenBadgeUser;
  message: string;
}

export interface GivenBadgeUser {
  id: string;
  loyaltyBadgeId: string;
  status: "active" | "inactive" | "revoked";
  userId: string;
}

export interface GivenBody {
  /** The response is an earlier one, and the question takes no further */
  alreadySubmitted: boolean;
  isCorrect: boolean;
  response: GivenResponse;
}

export interface GivenResponse {
  id: string;
  loyaltyQuestionChoiceId: string;
  loyaltyQuestionId: string;
  userId: string;
}

export interface GroupItem {
  id: string;
  loyaltyRule: RuleBody;
  sortId: number;
}

export interface GroupName {
  externalIdentifier: string | null;
  id: string;
}

export interface Hold {
  /** The amount debited from the accounts that paid */
  amount: Decimal;
  /** The captured part of amount; the rest went back */
  capturedAmount: Decimal;
  createdAt: string;
  description: string | null;
  expiresAt: string;
  id: string;
  loyaltyCurrencyId: string;
  /** The transaction that took the amount */
  loyaltyTransactionId: string;
  metadata: Record<string, unknown>;
  organizationId: string;
  status: "held" | "captured" | "released" | "expired";
  updatedAt: string;
  userId: string;
  websiteId: string;
}

export interface IdBody {
  id: string;
}

export interface ImportMembersBody {
  /** The url of a file that was uploaded for the website, in place of csvUrl */
  assetUrl?: string | null | undefined;
  /** The address of the file */
  csvUrl?: string | null | undefined;
  /** Of the opening balances. Default: the website's only currency */
  loyaltyCurrencyId?: string | null | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface Input {
  amount?: Decimal | number | null | undefined;
  csvUrl?: string | null | undefined;
  description?: string | null | undefined;
  loyaltyBadgeIds?: string[] | undefined;
  loyaltyCurrencyIds?: string[] | undefined;
  loyaltyLeaderboardViewIds?: string[] | undefined;
  loyaltyRuleGroupIds?: string[] | undefined;
  loyaltyRuleId?: string | null | undefined;
  loyaltyRuleIds?: string[] | undefined;
  repeatCount?: number | null | undefined;
  requiredCount?: number | null | undefined;
  type: "rule" | "rules" | "section" | "points" | "level" | "api" | "badge" | "badges" | "csv";
}

export interface InvokeFunctionBody {
  /** Any value; the handler gets it as input.input */
  input?: unknown | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface InvokedFunction {
  data: FunctionRun;
}

export interface IssueTokenInputBody {
  /** Default 3600 */
  expiresInSeconds?: number | null | undefined;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface Item {
  /** Of an attribute that gets the label */
  id?: string | null | undefined;
  label: string;
}

export interface KeyOfTransaction {
  idempotencyKey: string;
}

export interface LabeledAttribute {
  id: string;
  label: string;
  websiteUserAttributeValues: ShortValue[];
}

export interface Lack {
  have: Decimal;
  need: Decimal;
}

export interface LeaveGroupInputBody {
  organizationId?: string | undefined;
  userId: string;
  websiteId?: string | undefined;
}

export interface ListAccount {
  data: Account[];
  hasNextPage: boolean;
}

export interface ListAllowEntry {
  data: AllowEntry[];
  hasNextPage: boolean;
}

export interface ListApiKey {
  data: ApiKey[];
  hasNextPage: boolean;
}

export interface ListAsset {
  data: Asset[];
  hasNextPage: boolean;
}

export interface ListAuction {
  data: Auction[];
  hasNextPage: boolean;
}

export interface ListAuctionItem {
  data: AuctionItem[];
  hasNextPage: boolean;
}

export interface ListBadge {
  data: Badge[];
  hasNextPage: boolean;
}

export interface ListClaimUser {
  data: ClaimUser[];
  hasNextPage: boolean;
}

export interface ListClearingJob {
  data: ClearingJob[];
  hasNextPage: boolean;
}

export interface ListContract {
  data: Contract[];
  hasNextPage: boolean;
}

export interface ListContractsBody {
  data: MintingContract[];
  hasNextPage: boolean;
  stats: ContractStats[];
}

export interface ListCurrency {
  data: Currency[];
  hasNextPage: boolean;
}

export interface ListDelegation {
  data: Delegation[];
  hasNextPage: boolean;
}

export interface ListDevice {
  data: Device[];
  hasNextPage: boolean;
}

export interface ListEntry {
  data: Entry[];
  hasNextPage: boolean;
}

export interface ListEvent {
  data: Event[];
  hasNextPage: boolean;
}

export interface ListExpiring {
  data: Expiring[];
  hasNextPage: boolean;
}

export interface ListExternalPost {
  data: ExternalPost[];
  hasNextPage: boolean;
}

export interface ListFunction {
  data: Function[];
  hasNextPage: boolean;
}

export interface ListFunctionRun {
  data: FunctionRun[];
  hasNextPage: boolean;
}

export interface ListHold {
  data: Hold[];
  hasNextPage: boolean;
}

export interface ListListedBadgeUser {
  data: ListedBadgeUser[];
  hasNextPage: boolean;
}

export interface ListLot {
  data: Lot[];
  hasNextPage: boolean;
}

export interface ListMemberImport {
  data: MemberImport[];
  hasNextPage: boolean;
}

export interface ListMetadata {
  data: Metadata[];
  hasNextPage: boolean;
}

export interface ListMintStatus {
  data: MintStatus[];
  hasNextPage: boolean;
}

export interface ListMintingAsset {
  data: MintingAsset[];
  hasNextPage: boolean;
}

export interface ListMultiplier {
  data: Multiplier[];
  hasNextPage: boolean;
}

export interface ListPayout {
  data: Payout[];
  hasNextPage: boolean;
}

export interface ListProcessingView {
  data: ProcessingView[];
  hasNextPage: boolean;
}

export interface ListQuestion {
  data: Question[];
  hasNextPage: boolean;
}

export interface ListQuestionResponse {
  data: QuestionResponse[];
  hasNextPage: boolean;
}

export interface ListReferralItem {
  data: ReferralItem[];
  hasNextPage: boolean;
}

export interface ListReplayBody {
  data: ReplayBody[];
  hasNextPage: boolean;
}

export interface ListRuleBody {
  data: RuleBody[];
  hasNextPage: boolean;
}

export interface ListRuleChain {
  data: RuleChain[];
  hasNextPage: boolean;
}

export interface ListRuleEdit {
  data: RuleEdit[];
  hasNextPage: boolean;
}

export interface ListRuleGroup {
  data: RuleGroup[];
  hasNextPage: boolean;
}

export interface ListRuleImport {
  data: RuleImport[];
  hasNextPage: boolean;
}

export interface ListRuleRun {
  data: RuleRun[];
  hasNextPage: boolean;
}

export interface ListRuleStatus {
  data: RuleStatus[];
  hasNextPage: boolean;
}

export interface ListSubscription {
  data: Subscription[];
  hasNextPage: boolean;
}

export interface ListTokenClaim {
  data: TokenClaim[];
  hasNextPage: boolean;
}

export interface ListUser {
  data: User[];
  hasNextPage: boolean;
}

export interface ListUserAttribute {
  data: UserAttribute[];
  hasNextPage: boolean;
}

export interface ListUserAttributeValue {
  data: UserAttributeValue[];
  hasNextPage: boolean;
}

export interface ListUserRole {
  data: UserRole[];
  hasNextPage: boolean;
}

export interface ListWebsite {
  data: Website[];
  hasNextPage: boolean;
}

export interface ListWebsiteCollection {
  data: WebsiteCollection[];
  hasNextPage: boolean;
}

export interface ListWebsitePageSection {
  data: WebsitePageSection[];
  hasNextPage: boolean;
}

export interface ListedBadgeUser {
  /** Left out until granted */
  completedAt?: string;
  createdAt: string;
  deletedAt: string | null;
  dismissedInUi: boolean;
  hideInUi: boolean;
  id: string;
  loyaltyBadgeId: string;
  organizationId: string;
  progress: BadgeProgress[];
  status: "active" | "inactive" | "revoked";
  updatedAt: string;
  user: ShortUser;
  userId: string;
  websiteId: string;
}

export interface Lot {
  amount: Decimal;
  createdAt: string;
  /** When it was spent, expired, cancelled or closed */
  endedAt: string | null;
  expiresAt: string | null;
  /** The debit by which it expired */
  expiryEntryId: string | null;
  id: string;
  loyaltyAccountId: string;
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
  organizationId: string;
  /** The reason of a cancellation */
  reason: string | null;
  /** The remaining points of an open lot, or all points of a pending lot */
  remaining: Decimal;
  state: "pending" | "released" | "cancelled" | "open" | "spent" | "expired" | "closed";
  userId: string;
  waitsUntil: string | null;
  websiteId: string;
}

export interface LoyaltyHeader {
  id: string;
  name: string;
}

export interface MemberImport {
  createdAt: string;
  id: string;
  /** How far it is, what was imported, or which rows are bad */
  message?: string;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  updatedAt: string;
}

export interface Metadata {
  bio: string | null;
  blockStatusReason: string | null;
  chatServerUser: string | null;
  chatServerUserId: string | null;
  chatServerVerifiedAt: string | null;
  codeHostUser: string | null;
  codeHostUserId: string | null;
  codeHostVerifiedAt: string | null;
  createdAt: string;
  displayName: string | null;
  emailAddress: string | null;
  emailVerifiedAt: string | null;
  externalIdentifier: string | null;
  externalLoyaltyScore: string | null;
  forumPlatformUser: string | null;
  forumPlatformUserId: string | null;
  forumPlatformVerifiedAt: string | null;
  gameLauncherAccountId: string | null;
  gameLauncherUsername: string | null;
  gameLauncherVerifiedAt: string | null;
  gameStoreUserId: string | null;
  gameStoreUsername: string | null;
  gameStoreVerifiedAt: string | null;
  id: string;
  internalNotes: string | null;
  isBlockExempt: boolean;
  isBlocked: boolean;
  liveStreamUser: string | null;
  liveStreamUserId: string | null;
  liveStreamVerifiedAt: string | null;
  location: string | null;
  logoUrl: string | null;
  messengerUserId: string | null;
  messengerUsername: string | null;
  messengerVerifiedAt: string | null;
  meta: string | null;
  microblogFollowersCount: number | null;
  microblogUser: string | null;
  microblogUserId: string | null;
  microblogVerifiedAccount: boolean;
  microblogVerifiedAt: string | null;
  organizationId: string;
  phoneNumber: string | null;
  phoneVerifiedAt: string | null;
  photoPlatformUser: string | null;
  photoPlatformVerifiedAt: string | null;
  portfolioUrl: string | null;
  shortVideoUser: string | null;
  shortVideoUserId: string | null;
  shortVideoVerifiedAt: string | null;
  sybilScore: number | null;
  updatedAt: string;
  user: UserName;
  userGroup: GroupName | null;
  userGroupId: string | null;
  userId: string;
  verifiedLocallyAt: string | null;
  videoPlatformChannelId: string | null;
  videoPlatformVerifiedAt: string | null;
  walletGroupIdentifier: string | null;
  webAccountUser: string | null;
  webAccountUserId: string | null;
  webAccountVerifiedAt: string | null;
  websiteId: string;
}

export interface Milestone {
  streakAmount: Decimal;
  streakMilestone: Decimal;
}

export interface MintBody {
  /** Recorded */
  agreedToSendW9?: boolean | null | undefined;
  assetId: string;
  contractId: string;
  customInputValue?: string | null | undefined;
  emailAddress?: string | null | undefined;
  organizationId?: string | undefined;
  quantity?: number | null | undefined;
  shippingId?: string | null | undefined;
  /** Recorded */
  shippingOrderType?: string | null | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface MintOutputBody {
  mintingContractAssetMintStatusId: string;
}

export interface MintStatus {
  createdAt: string;
  customInputValue: string | null;
  /** null for read-only and client keys */
  emailAddress: string | null;
  errorCode: number | null;
  errorMessage: string | null;
  id: string;
  mintingContractAssetId: string;
  mintingContractId: string;
  /** The price of all items */
  price: Decimal | null;
  quantity: number;
  relayerTxId: string | null;
  shippingId: string | null;
  /** As the minting driver returned it */
  signature?: unknown;
  status: "generatingSignature" | "minting" | "minted" | "failed";
  txHash: string | null;
  unpaid: Unpaid | null;
  updatedAt: string;
  userId: string;
  walletAddress: string | null;
}

export interface MintingAsset {
  animationUrl: string | null;
  assetNr: number;
  auctionItems: AuctionedItem[];
  collectInfoType: string | null;
  createdAt: string;
  currencyAddress: string | null;
  currencyDecimals: number | null;
  deletedAt: string | null;
  description: string | null;
  id: string;
  imageUrl: string | null;
  isAllowlisted: boolean;
  isHidden: boolean;
  isListed: boolean;
  isPhygitalItem: boolean;
  listingEndsAt: string | null;
  listingStartsAt: string | null;
  loyaltyCurrencyId: string | null;
  /** With includeMetadata=true, if it has any */
  metadata?: Record<string, unknown>;
  mintingContractId: string;
  name: string;
  organizationId: string;
  /** The price of one item */
  price: Decimal;
  quantity: number;
  quantityMinted: number;
  revealedAt: string | null;
  shouldCollectUserInfo: boolean;
  tokenId: number | null;
  unlimitedQty: boolean;
  updatedAt: string;
  websiteId: string;
}

export interface MintingContract {
  address: string | null;
  contractKind: "ONCHAIN" | "OFFCHAIN";
  createdAt: string;
  deletedAt: string | null;
  description: string | null;
  enableGasless: boolean;
  externalLinkUrl: string | null;
  hasRevealMechanic: boolean;
  hideInactiveListings: boolean;
  id: string;
  imageUrl: string | null;
  isFreeClaimForBadgeHolders: boolean;
  isFreeClaimForTokenHolders: boolean;
  isListed: boolean;
  isPerAssetMintLimit: boolean;
  isSoulbound: boolean;
  /** The newest 100 that are not hidden */
  mintingContractAssets: MintingAsset[];
  mintingContractBadgeAssociation: GatingBadgeItem[];
  mustOwnCollections: GatingCollection[];
  name: string;
  network: string | null;
  organizationId: string;
  /** 0: no limit */
  perUserMintLimit: number;
  preRevealMedia: string | null;
  primarySaleRecipientAddress: string;
  relayerId: string | null;
  requireHoldingAllGatedItems: boolean;
  revealAvailableAt: string | null;
  /** Percent */
  royaltyFee: Decimal;
  royaltyFeeAddress: string;
  shouldCollectEmail: boolean;
  showOnMarketplace: boolean;
  sortId: number | null;
  symbol: string;
  tokenType: "erc721" | "erc1155" | "erc721c";
  /** Live ones */
  totalAssets: number;
  updatedAt: string;
  websiteCollectionId?: string;
  websiteId: string;
}

export interface Missing {
  capLeft?: Decimal;
  characters?: Lack;
  conditions?: State[];
  fields?: Lack;
  followers?: Lack;
  opensAt?: string;
  progress?: Lack;
  required?: Lack;
  value?: Lack;
}

export interface MoveAccountInputBody {
  /** Of the refusal MAXIMUM_ACCOUNT_LINKED */
  accountLinkData: string;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface Multiplier {
  createdAt: string;
  deletedAt: string | null;
  description: string | null;
  externalIdentifier: string | null;
  id: string;
  /** The badge that granted it */
  loyaltyBadgeId?: string;
  /** Empty: all currencies */
  loyaltyCurrencyIds: string[];
  /** The rule that granted it */
  loyaltyRuleId?: string;
  multiplier: Decimal;
  organizationId: string;
  title: string | null;
  updatedAt: string;
  user: ShortUser;
  userId: string;
  websiteId: string;
}

export interface Named {
  name: string;
}

export interface NewAuctionItem {
  mintingContractAssetId: string;
  /** That its winner gets; default 1 */
  quantity?: number | null | undefined;
  /** The best bidder wins the first; default: in the order in which items are added */
  sortId?: number | null | undefined;
}

export interface NewKey {
  allowedOrigins: string[];
  createdAt: string;
  expiresAt: string | null;
  id: string;
  /** Shown once: only its hash is stored */
  key?: string;
  lastUsedAt: string | null;
  name: string;
  organizationId: string;
  prefix: string;
  revokedAt: string | null;
  roleType: string;
  userId: string;
  websiteId: string | null;
}

export interface Outcome {
  /** For POST /api/users/verify, which moves the account to this user */
  accountLinkData?: string;
  error?: string;
  /** To try again with */
  jwtState?: string;
  message?: string;
  success: boolean;
}

export interface OwnAccount {
  amount: Decimal;
  loyaltyCurrencyId: string;
  rank: number | string | null;
}

export interface OwnGroup {
  externalIdentifier: string | null;
  id: string;
  /** In order of joining */
  users: ShortUser[];
}

export interface PageSection {
  banner: SectionBanner | null;
  createdAt: string;
  deletedAt?: string;
  discoveryItems: DiscoveryItem[];
  durationEnd: string | null;
  durationStart: string;
  id: string;
  itemsGrids: ShownCollection[];
  organizationId: string;
  pageId?: string;
  pageSectionType: string | null;
  placement: string;
  sortId: number;
  title: string | null;
  updatedAt: string;
  websiteId: string;
}

export interface Paid {
  amount?: Decimal;
  loyaltyBadgeId?: string;
  loyaltyCurrencyId?: string;
  multiplier?: Decimal;
  rewardType: string;
  /** The points are held and not credited yet, as pointsWaitHours of the currency says */
  waiting?: boolean;
}

export interface Payout {
  amount: Decimal;
  /** Calls of the driver since the payout was created or retried */
  attempts: number;
  contractId: string | null;
  createdAt: string;
  /** The idempotencyKey that the payout driver receives */
  id: string;
  isNative: boolean;
  /** null if a rule granted the reward */
  loyaltyBadgeId: string | null;
  /** The hidden currency of the token */
  loyaltyCurrencyId: string;
  /** null if a badge granted the reward */
  loyaltyRuleId: string | null;
  loyaltyTransactionEntryId: string;
  /** Why it failed, or why the last call failed */
  message: string | null;
  network: string | null;
  nextAttemptAt: string | null;
  organizationId: string;
  /** null if a badge granted the reward */
  relayerId: string | null;
  status: "waiting" | "sent" | "done" | "failed";
  txHash: string | null;
  /** Moves with status and txHash */
  updatedAt: string;
  userId: string;
  walletAddress: string;
  websiteId: string;
}

export interface PlaceBidBody {
  amount: Decimal | number;
  auctionId: string;
  /** Recorded */
  auctionItemId?: string | null | undefined;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface PlatformInput {
  /** Limits entries and accounts to the currencies of these main accounts */
  mainLoyaltyAccountIds?: string[] | undefined;
  tableNames?: string[] | undefined;
  triggerId?: string | null | undefined;
}

export interface PlatformSource {
  createdAt: string;
  deletedAt: string | null;
  id: string;
  table: string;
  updatedAt: string;
}

export interface PostTransactionInputBody {
  description: string;
  entries: TransactionEntry[];
  /** The currency of entries without one */
  loyaltyCurrencyId?: string | null | undefined;
  organizationId?: string | undefined;
  /** Default api_key */
  type?: "api_key" | "order" | undefined;
  websiteId?: string | undefined;
}

export interface PostedEntry {
  amount: Decimal;
  direction: string;
  id: string;
  idempotencyKey?: string;
  loyaltyAccountId: string;
  loyaltyCurrencyId: string;
  metadata?: Record<string, unknown>;
  userId: string;
  walletAddress: string | null;
}

export interface ProcessingView {
  createdAt: string;
  fulfilledAt: string | null;
  id: string;
  loyaltyRuleId: string;
  message: string;
  organizationId: string;
  progress: Decimal | null;
  /** Absent if there is only progress */
  status?: "pending" | "processing" | "completed" | "failed";
  updatedAt: string;
  userId: string;
  websiteId: string;
}

export interface Question {
  allowMultipleAttempts: boolean;
  createdAt: string;
  id: string;
  loyaltyQuestionChoices: QuestionChoice[];
  loyaltyRuleId: string;
  organizationId: string;
  text: string;
  updatedAt: string;
  websiteId: string;
}

export interface QuestionChoice {
  id: string;
  /** As it was sent; without one the place in the list, from 0 */
  sortIdentifier: number | string;
  text: string;
}

export interface QuestionResponse {
  createdAt: string;
  id: string;
  /** Always true for polls */
  isCorrect: boolean;
  loyaltyQuestionChoiceId: string;
  loyaltyQuestionId: string;
  question: AnsweredQuestion;
  userId: string;
}

export interface Queued {
  queued: number;
}

export interface RangeInputBody {
  from?: string | null | undefined;
  organizationId?: string | undefined;
  /** One or many; none: every status */
  status?: string[] | undefined;
  to?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface RankOutputBody {
  /** null: the user has no amount. Ranks beyond 5000 are the text 5000+. */
  rank: number | string | null;
}

export interface RedeliverInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface RedemptionCode {
  code: string;
  createdAt: string;
  id: string;
  redeemedAt: string | null;
  redeemedByUserId: string | null;
}

export interface ReferUsersBody {
  organizationId?: string | undefined;
  /** In any case; this or referralCodeId */
  referralCode?: string | null | undefined;
  referralCodeId?: string | null | undefined;
  /** The users who came by the code */
  userIds: string[];
  websiteId?: string | undefined;
}

export interface ReferralCode {
  createdAt: string;
  deletedAt: string | null;
  id: string;
  loyaltyRuleId: string;
  organizationId: string;
  referralCode: string;
  updatedAt: string;
  userId: string;
  websiteId: string;
}

export interface ReferralItem {
  /** The amount that the referrer got for this referee, in the rule's currency */
  amount: Decimal;
  /** The rule's requirements have held */
  eligible: boolean;
  id: string;
  referralCode: ReferralItemReferralCodeStruct;
  /** The part of amount that is shares of the referee's earnings */
  tier1Amount: Decimal;
  /** The part of amount that is shares of the earnings of users whom the referee referred */
  tier2Amount: Decimal;
  user: ShortUser;
}

export interface ReferralItemReferralCodeStruct {
  createdAt: string;
  deletedAt: string | null;
  id: string;
  loyaltyRuleId: string;
  referralCode: string;
  updatedAt: string;
  userId: string;
}

export interface Referrer {
  eligible: boolean;
  referralCode: ReferrerReferralCodeStruct;
  user: ShortUser;
}

export interface ReferrerReferralCodeStruct {
  user: ShortUser;
}

export interface ReleaseHoldInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface ReleaseLotInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface ReplayBody {
  createdAt: string;
  from: string;
  id: string;
  loyaltyRuleId: string;
  /** Why it failed */
  message?: string;
  /** Percent of the period that is done */
  progress: number;
  result: ReplayResult | null;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  to: string;
  updatedAt: string;
}

export interface ReplayResult {
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

export interface ReplayRuleInputBody {
  /** Properties of the rule, as an update has them. Those that are left out stay as they are */
  draft: RuleDraft;
  /** Completions from here on are decided again */
  from: string;
  organizationId?: string | undefined;
  /** Up to here, exclusive */
  to: string;
  websiteId?: string | undefined;
}

export interface ReportMintBody {
  organizationId?: string | undefined;
  status: "failed" | "minted";
  txHash?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface ReportMintOutputBody {
  message: "Success";
}

export interface ResetBody {
  /** true while the reset of a large currency continues in the background */
  pending?: boolean;
  success: boolean;
}

export interface ResetInputBody {
  loyaltyCurrencyId: string | null;
  organizationId?: string | undefined;
  type: "loyalty_reset_balances" | "loyalty_reset_balances_data_and_rules" | "loyalty_reset_balances_data_not_rules";
  websiteId?: string | undefined;
}

export interface RespondInputBody {
  loyaltyQuestionChoiceId: string;
  organizationId?: string | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface RestoreEditInputBody {
  editComment?: string | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface RetryPayoutInputBody {
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface ReverseByKeyInputBody {
  /** A part of a transaction with one entry, above 0; default: what is not reversed yet */
  amount?: Decimal | number | null | undefined;
  /** Default: that of the reversed transaction */
  description?: string | undefined;
  /** Of the reversal; unique on the website forever, among entries and completions together */
  idempotencyKey?: string | null | undefined;
  of: KeyOfTransaction;
  organizationId?: string | undefined;
  /** Default reverse_within_balance */
  policy?: "reverse_within_balance" | "reverse" | undefined;
  /** Revoke badges of the members whose conditions no longer hold */
  recheckBadges?: boolean | undefined;
  /** The rule that has paid can be completed again in the same window */
  reopen?: boolean | undefined;
  websiteId?: string | undefined;
}

export interface ReverseTransactionInputBody {
  /** A part of a transaction with one entry, above 0; default: what is not reversed yet */
  amount?: Decimal | number | null | undefined;
  /** Default: that of the reversed transaction */
  description?: string | undefined;
  /** Of the reversal; unique on the website forever, among entries and completions together */
  idempotencyKey?: string | null | undefined;
  organizationId?: string | undefined;
  /** Default reverse_within_balance */
  policy?: "reverse_within_balance" | "reverse" | undefined;
  /** Revoke badges of the members whose conditions no longer hold */
  recheckBadges?: boolean | undefined;
  /** The rule that has paid can be completed again in the same window */
  reopen?: boolean | undefined;
  websiteId?: string | undefined;
}

export interface RevokeBadgeBody {
  organizationId?: string | undefined;
  status?: "revoked" | "inactive" | null | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface RevokeTokensInputBody {
  organizationId?: string | undefined;
  userId: string;
  websiteId?: string | undefined;
}

export interface RewardBadgeBody {
  organizationId?: string | undefined;
  status?: "active" | "inactive" | null | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface RewardInput {
  amount?: Decimal | number | null | undefined;
  /** multiplier: credits the current balance x (multiplier - 1) once */
  isRetroactive?: boolean | undefined;
  /** badge: the badge that is granted with this one */
  loyaltyBadgeId?: string | undefined;
  /** points: what is paid; token: the hidden currency of the token */
  loyaltyCurrencyId?: string | undefined;
  /** multiplier: empty or absent for all currencies */
  loyaltyCurrencyIds?: string[] | undefined;
  multiplier?: Decimal | number | null | undefined;
  rewardType: "points" | "multiplier" | "badge" | "token";
}

export interface RoleChange {
  /** Any time revokes the role, at the time of the call */
  deletedAt?: string | null | undefined;
  roleType: "WEBSITE_SUPER_ADMIN" | "WEBSITE_ADMIN" | "WEBSITE_MODERATOR" | "WEBSITE_DEVELOPER" | "WEBSITE_VIEWER" | "ORGANIZATION_API_KEY" | "WEBSITE_API_KEY" | "WEBSITE_READ_ONLY_API_KEY" | "WEBSITE_CLIENT_API_KEY" | "STRATUS_API_KEY";
  walletAddress: string;
}

export interface RowError {
  /** In the file, from 1; in a feed the number of the result */
  line: number;
  message: string;
}

export interface RuleBody {
  amount: Decimal | null;
  backgroundAssetUrl: string | null;
  claimType: string | null;
  collectionAddress: string | null;
  collections: Collection[] | null;
  contractIds: string[] | null;
  createdAt: string;
  customRewardsApiUrl: string | null;
  customRewardsCsvUrl: string | null;
  dappDataWindow: string | null;
  dappDeployedWithin: string | null;
  deletedAt: string | null;
  description: string;
  duplicatedFromId: string | null;
  effectiveEndTime: string | null;
  effectiveStartTime: string | null;
  endTime: string | null;
  externalIntegrationId: string | null;
  frequency: string;
  functionId: string | null;
  hideInUi: boolean;
  id: string;
  interval: string;
  isDappRule: boolean;
  isRequired: boolean;
  isSpecial: boolean;
  loyaltyBadge: ShortBadge | null;
  loyaltyBadgeId: string | null;
  loyaltyCurrencyId: string | null;
  loyaltyRuleChain: RuleChain[];
  loyaltyRuleGroupId: string | null;
  loyaltyUserAllotmentCsvUrl: string | null;
  maxAmountInterval: string | null;
  maxAmountPerInterval: Decimal | null;
  mediaUrl: string | null;
  metadata: Record<string, unknown>;
  name: string;
  network: string | null;
  oauthCredentialsId: string | null;
  organizationId: string;
  progressType: string | null;
  rewardLifetime: string | null;
  rewardType: string;
  shopStoreUrl: string | null;
  showBeforeStart: boolean;
  startTime: string | null;
  subscriptionId: string | null;
  tokenReward: TokenReward | null;
  trackProgress: boolean;
  type: string;
  updatedAt: string;
  websiteId: string;
}

export interface RuleChain {
  createdAt: string;
  id: string;
  loyaltyConditions: ChainCondition[];
  loyaltyRuleId: string;
  name: string;
  operatorType: "AND" | "OR";
  organizationId: string;
  updatedAt: string;
  websiteId: string;
}

export interface RuleDraft {
  amount?: Decimal | number | null | undefined;
  backgroundAssetUrl?: string | null | undefined;
  claimType?: "manual" | "auto" | null | undefined;
  collectionAddress?: string | null | undefined;
  collections?: Collection[] | null | undefined;
  contractIds?: string[] | null | undefined;
  customRewardsApiUrl?: string | null | undefined;
  customRewardsCsvUrl?: string | null | undefined;
  dappDataWindow?: "daily" | "weekly" | "monthly" | null | undefined;
  dappDeployedWithin?: "daily" | "weekly" | "monthly" | null | undefined;
  /** On update: a time deletes, null brings back */
  deletedAt?: string | null | undefined;
  description?: string | null | undefined;
  duplicatedFromId?: string | null | undefined;
  editComment?: string | null | undefined;
  effectiveEndTime?: string | null | undefined;
  effectiveStartTime?: string | null | undefined;
  endTime?: string | null | undefined;
  externalIntegrationId?: string | null | undefined;
  frequency?: "none" | "once" | "hourly" | "daily" | "weekly" | "monthly" | "immediately" | undefined;
  functionId?: string | null | undefined;
  hideInUi?: boolean | undefined;
  interval?: "hourly" | "daily" | "weekly" | "monthly" | "once" | "custom" | "every_message" | "unlimited" | undefined;
  isDappRule?: boolean | undefined;
  isRequired?: boolean | undefined;
  isSpecial?: boolean | undefined;
  loyaltyBadgeId?: string | null | undefined;
  loyaltyCurrencyId?: string | null | undefined;
  /** A uuid or no-section */
  loyaltyRuleGroupId?: string | null | undefined;
  loyaltyUserAllotmentCsvUrl?: string | null | undefined;
  maxAmountInterval?: "daily" | "weekly" | "monthly" | "lifetime" | null | undefined;
  maxAmountPerInterval?: Decimal | number | null | undefined;
  mediaUrl?: string | null | undefined;
  /**
   * Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
   * bytes
   */
  metadata?: Record<string, unknown> | null | undefined;
  name?: string | undefined;
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  oauthCredentialsId?: string | null | undefined;
  progressType?: "counter" | "percentage" | null | undefined;
  rewardLifetime?: "permanent" | "dynamic" | null | undefined;
  rewardType?: "points" | "multiplier" | "badge" | "token" | undefined;
  shopStoreUrl?: string | null | undefined;
  showBeforeStart?: boolean | undefined;
  startTime?: string | null | undefined;
  subscriptionId?: string | null | undefined;
  tokenReward?: TokenReward | null | undefined;
  trackProgress?: boolean | undefined;
  /** Cannot be changed */
  type?: RuleType | undefined;
}

export interface RuleEdit {
  action: "create" | "update" | "delete" | "restore";
  comment?: string;
  data: Record<string, unknown>;
  editedAt: string;
  editedByUserId: string;
  id: string;
  loyaltyRuleId: string;
  organizationId: string;
  previousData?: Record<string, unknown>;
  websiteId: string;
}

export interface RuleGroup {
  createdAt: string;
  deletedAt: string | null;
  /**
   * true: the group has further rules that did not fit into the response. The list of rules, filtered by
   * the group, has them all
   */
  hasMoreItems?: boolean;
  id: string;
  isCollapsible: boolean;
  isRequired: boolean;
  loyaltyGroupItems: GroupItem[];
  name: string;
  organizationId: string;
  sortId: number;
  subTitle: string | null;
  updatedAt: string;
  websiteId: string;
}

export interface RuleImport {
  createdAt: string;
  /** The problems of the first 100 skipped rows */
  errors: RowError[];
  finishedAt: string | null;
  id: string;
  kind: "allotment" | "codes" | "rewards" | "condition";
  /** For the kind condition: the condition of the chain; otherwise null */
  loyaltyConditionId: string | null;
  loyaltyRuleId: string;
  message: string | null;
  /** New rows */
  rowsKept: number;
  rowsRead: number;
  /** Invalid rows, and rows that the list has already */
  rowsSkipped: number;
  /** null until the file is downloaded */
  rowsTotal: number | null;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  updatedAt: string;
  url: string;
}

export interface RuleRun {
  createdAt: string;
  /** Members that were evaluated so far */
  evaluated: number;
  /** Members who could not be paid; the server's log says why */
  failed: number;
  finishedAt: string | null;
  id: string;
  loyaltyRuleId: string;
  /** Why the run failed or was cancelled, or what it waits for; empty otherwise */
  message: string;
  organizationId: string;
  /** Members who do not fulfil the rule, or were paid already */
  refused: number;
  /** Members who were paid, or who may claim if claimType is manual */
  rewarded: number;
  /** The time of the run; its rewards are decided as of then */
  scheduledAt: string;
  /** The beginning of the period that the run covers: the run before, or the rule's start */
  since: string;
  startedAt: string | null;
  status: "pending" | "processing" | "complete" | "failed" | "cancelled";
  updatedAt: string;
  websiteId: string;
}

export interface RuleStatus {
  createdAt: string;
  id: string;
  loyaltyRuleId: string;
  organizationId: string;
  progress: Decimal;
  updatedAt: string;
  userId: string;
  websiteId: string;
}

export interface SectionBanner {
  carousel: SectionCarousel | null;
  id: string;
  websiteCollectionBanners: ShownCollection[];
}

export interface SectionCarousel {
  carouselItems: SectionCarouselItem[];
  id: string;
}

export interface SectionCarouselItem {
  id: string;
  sortId: number;
}

export interface Self {
  accounts: OwnAccount[];
  createdAt: string;
  delegationsFrom?: Delegator[];
  id: string;
  isPlatformSuperAdmin: boolean;
  notifications: boolean | null;
  referrers: Referrer[];
  temporaryLoyaltyUser: boolean;
  updatedAt: string;
  userGroup: OwnGroup | null;
  userMetadata: Metadata[];
  walletAddress: string | null;
  walletType: string | null;
  websiteUserAttributes: LabeledAttribute[];
}

export interface SendPhoneCodeInputBody {
  organizationId?: string | undefined;
  /** In E.164 format */
  phoneNumber: string;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface ShortAttribute {
  id: string;
  label: string;
}

export interface ShortBadge {
  description: string;
  id: string;
  imageUrl: string;
  name: string;
}

export interface ShortUser {
  id: string;
  walletAddress: string | null;
}

export interface ShortValue {
  id: string;
  userId: string;
  value: string;
  websiteUserAttributeId: string;
}

export interface ShownCollection {
  id: string;
  websiteCollection: CollectionSummary | null;
  websiteCollectionId?: string;
}

export interface ShownInput {
  /** The id of an existing part; ignored on creation */
  id?: string | null | undefined;
  websiteCollectionId?: string | null | undefined;
}

export interface SimulateRuleInputBody {
  /** In place of the rule's amount; external_rule only */
  amount?: Decimal | number | null | undefined;
  /** Decides as if at this time, on the current facts */
  at?: string | null | undefined;
  contentUrl?: string | null | undefined;
  draft?: RuleDraft | null | undefined;
  /** Only for external_rule. Unique on the website forever, among completions and entries together */
  idempotencyKey?: string | null | undefined;
  loyaltyQuestionChoiceId?: string | null | undefined;
  organizationId?: string | undefined;
  /**
   * Picks the tier of a rule with a range. With metadata.rewardPerValue of an external_rule, required:
   * the amount is paid for each unit of it
   */
  rangeValue?: Decimal | number | null | undefined;
  skipChainOrRequiredCheck?: boolean | null | undefined;
  userId?: string | null | undefined;
  verificationCode?: string | null | undefined;
  /** true, as boolean or text: every check and no reward */
  verifyOnly?: boolean | null | undefined;
  walletAddress?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface SimulatedCheck {
  /** The refusal, as a completion would return it */
  message?: string;
  /**
   * overrides, idempotencyKey, currency, setup, time, blocked, audience, required, window, progress,
   * account, verification or reward
   */
  name: string;
  pass: boolean;
}

export interface SimulationBody {
  /** Every check, also those behind the first that fails, as far as they can be judged */
  checks: SimulatedCheck[];
  /** The first refusal; null if there is none */
  message: string | null;
  missing: Missing | null;
  /** The rewards that would be paid */
  rewards: Paid[];
  /** The transactions that the rule's function would request. They are not sent */
  transactions?: AddedCall[];
  wouldComplete: boolean;
}

export interface SiteCollection {
  id: string;
  imageUrl: string | null;
  name: string;
  /** Percent; 0 if none is set */
  royaltyFee: Decimal;
  /** Empty if none is set */
  royaltyFeeAddress: string;
}

export interface StartedFlow {
  /** What the profile must contain */
  code?: string;
  /** For accounts that are proved by their profile */
  jwtState?: string;
  url: string;
}

export interface State {
  complete: boolean;
  current: Decimal;
  loyaltyConditionId: string;
  required: Decimal;
  type: string;
}

export interface StoriedEvent {
  attemptList: Attempt[];
  attempts: number;
  callback: Callback | null;
  event: ContractEvent | null;
  functionRun: EventRun | null;
  /** Present if the subscription has several functions */
  functionRuns?: EventRun[];
  id: string;
  nextAttemptAt: string | null;
  /** The whole body of v2 */
  payload: Record<string, unknown>;
  status: "pending" | "delivered" | "failed" | "skipped" | "held";
  table: string | null;
  triggeredAt: string;
  type: string;
}

export interface Subscription {
  blockchainSubscriptions?: BlockchainSource[];
  callbackUrl: string;
  consecutiveFailures: number;
  createdAt: string;
  deletedAt: string | null;
  disabled: boolean;
  disabledAt?: string;
  disabledReason?: string;
  endsAt?: string;
  finality?: "confirmed" | "instant";
  functionIds: string[];
  id: string;
  maxEventsPerDay?: number;
  metadata?: unknown;
  name: string;
  organizationId: string;
  platformSubscriptions?: PlatformSource[];
  /** whsec_ and the base64 of 24 bytes */
  signingKey?: string;
  startsAt?: string;
  updatedAt: string;
  version: "v1" | "v2";
  websiteId: string;
}

export interface Success {
  message: string;
}

export interface TONProof {
  proof: TONProofProofStruct;
  /** 32 bytes in hexadecimal */
  publicKey: string;
  /** Code and data of the wallet in base64, whose hash is the address */
  walletStateInit: string;
}

export interface TONProofProofStruct {
  domain: DomainStruct;
  /** The nonce */
  payload: string;
  /** Base64 */
  signature: string;
  /** Seconds since 1970 */
  timestamp: number;
}

export interface TestInputBody {
  organizationId?: string | undefined;
  /** One of the subscription's own; default the first */
  type?: string | undefined;
  websiteId?: string | undefined;
}

export interface Token {
  expiresAt: string;
  token?: string;
  userId: string;
  websiteId: string;
}

export interface TokenClaim {
  claimAndStake: boolean;
  claimContractAddress: string | null;
  contract: ClaimToken;
  createdAt: string;
  /** Shown to secret keys only */
  csvUrl: string | null;
  dataJobId: string | null;
  deletedAt?: string;
  endTime: string | null;
  erc20Decimals: number;
  geoBlock: string[];
  id: string;
  isDraft: boolean;
  isStakingOptional: boolean;
  maxBonus: Decimal;
  /** null until the list is imported */
  merkleRoot: string | null;
  minLockup: Decimal;
  minLockupForMultiplier: Decimal;
  minPercentageToStake: Decimal;
  multiplier: Decimal;
  name: string;
  organizationId: string;
  relayerId: string | null;
  stakingContractAddress: string | null;
  /** linear or timelock */
  stakingContractType: string | null;
  startTime: string | null;
  /** Exact, with up to erc20Decimals places */
  totalAllocatedAmount: number;
  /** Exact, with up to erc20Decimals places */
  totalClaimedAmount: number;
  totalWalletsAllocated: number;
  updatedAt: string;
  websiteId: string;
}

export interface TokenGateOutputBody {
  eligible: boolean;
  message: string;
}

export interface TokenReward {
  contractId?: string | undefined;
  isNative?: boolean | undefined;
  relayerId: string;
}

export interface TopAuctionBid {
  amount: string;
  createdAt: string;
  id: string;
}

export interface Transaction {
  createdAt: string;
  description: string;
  entries: PostedEntry[];
  id: string;
  /** The currency of all entries; null if they differ */
  loyaltyCurrencyId: string | null;
  organizationId: string;
  type: string;
  updatedAt: string;
  websiteId: string;
}

export interface TransactionEntry {
  amount: Decimal | number;
  /** Default credit */
  direction?: "credit" | "debit" | undefined;
  /** Unique on the website forever, among entries and completions together */
  idempotencyKey?: string | null | undefined;
  loyaltyCurrencyId?: string | null | undefined;
  /** At most 16384 bytes */
  metadata?: Record<string, unknown> | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
}

export interface Unpaid {
  /** Points */
  amount: Decimal;
  /** Items */
  quantity: number;
}

export interface UpdateAttributeBody {
  /** Unique in a website */
  label?: string | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface UpdateAuctionInputBody {
  biddersOwnCollectionAddresses?: string[] | null | undefined;
  /** Stored */
  currencyAddress?: string | null | undefined;
  description?: string | null | undefined;
  /** Cannot be changed once there is a bid */
  endsAt?: string | undefined;
  /** english: a bid so shortly before the end moves the end to so many seconds after it */
  extendedDurationInSeconds?: number | null | undefined;
  hideBids?: boolean | null | undefined;
  /** Bids are points of it; cannot be changed */
  loyaltyCurrencyId?: string | undefined;
  minBidAmount?: Decimal | number | undefined;
  /** For english auctions: the least difference between the best bid and the next bid */
  minBidIncrement?: Decimal | number | null | undefined;
  /** The minting contract of the items; cannot be changed */
  mintingContractId?: string | undefined;
  name?: string | undefined;
  /** The network of the collections; cannot be changed */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  organizationId?: string | undefined;
  /** Bids below it win nothing */
  reservePrice?: Decimal | number | null | undefined;
  /** Cannot be changed once there is a bid */
  startsAt?: string | undefined;
  /** Cannot be changed */
  type?: "first_price" | "second_price" | "english" | undefined;
  websiteId?: string | undefined;
}

export interface UpdateBadgeInputBody {
  /** Further lists of the badge's csv conditions */
  csvFiles?: CSVInput[] | null | undefined;
  description?: string | null | undefined;
  hideInUi?: boolean | null | undefined;
  imageUrl?: string | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  rewards?: RewardInput[] | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateBadgeUserInputBody {
  dismissedInUi?: boolean | null | undefined;
  hideInUi?: boolean | null | undefined;
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface UpdateCollectionBody {
  chatServerUrl?: string | null | undefined;
  collectionAddress?: string | undefined;
  homeUrl?: string | null | undefined;
  imageUrl?: string | null | undefined;
  messengerUrl?: string | null | undefined;
  microblogUsername?: string | null | undefined;
  name?: string | undefined;
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | undefined;
  organizationId?: string | undefined;
  photoPlatformUsername?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  royaltyFeeAddress?: string | null | undefined;
  /** Lists go by it, the lowest first */
  sortId?: number | undefined;
  /** The contract that locks its tokens */
  stakingAddress?: string | null | undefined;
  themeId?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateContractBody {
  /** A JSON array, or the text of one */
  abi?: unknown | undefined;
  address?: string | undefined;
  chainId?: number | null | undefined;
  iconUrl?: string | null | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  type?: "erc20" | "erc721" | "erc1155" | "custom" | undefined;
  websiteId?: string | undefined;
}

export interface UpdateFunctionBody {
  code?: string | undefined;
  cron?: string | null | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  secrets?: Record<string, string> | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateInputBody {
  callbackUrl?: string | undefined;
  endsAt?: string | null | undefined;
  finality?: string | null | undefined;
  functionIds?: string[] | undefined;
  maxEventsPerDay?: number | null | undefined;
  metadata?: unknown | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  startsAt?: string | null | undefined;
  version?: string | undefined;
  websiteId?: string | undefined;
}

export interface UpdateMintingAssetBody {
  animationUrl?: string | null | undefined;
  collectInfoType?: "customInput" | "freeText" | "shippingDetails" | null | undefined;
  /** ONCHAIN: the token that the price is in; null: the network's own */
  currencyAddress?: string | null | undefined;
  currencyDecimals?: number | null | undefined;
  description?: string | null | undefined;
  imageUrl?: string | null | undefined;
  /** true: only wallets on the allowlist may mint */
  isAllowlisted?: boolean | null | undefined;
  isHidden?: boolean | null | undefined;
  isListed?: boolean | null | undefined;
  isPhygitalItem?: boolean | null | undefined;
  listingEndsAt?: string | null | undefined;
  listingStartsAt?: string | null | undefined;
  /** Needed in an OFFCHAIN contract */
  loyaltyCurrencyId?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  mintingContractId?: string | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  /** The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain */
  price?: Decimal | number | undefined;
  /** In all, with those that are minted */
  quantity?: number | undefined;
  shouldCollectUserInfo?: boolean | null | undefined;
  tokenId?: number | null | undefined;
  unlimitedQty?: boolean | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateMintingContractBody {
  /** Needed to list an ONCHAIN contract */
  address?: string | null | undefined;
  /** Stays as it was created */
  contractKind?: "ONCHAIN" | "OFFCHAIN" | undefined;
  description?: string | null | undefined;
  enableGasless?: boolean | null | undefined;
  externalLinkUrl?: string | null | undefined;
  hasRevealMechanic?: boolean | null | undefined;
  hideInactiveListings?: boolean | null | undefined;
  imageUrl?: string | null | undefined;
  /** true: free for holders, and others pay the price */
  isFreeClaimForBadgeHolders?: boolean | null | undefined;
  /** true: free for owners, and others pay the price */
  isFreeClaimForTokenHolders?: boolean | null | undefined;
  isListed?: boolean | null | undefined;
  /** true: the limit applies to each asset */
  isPerAssetMintLimit?: boolean | null | undefined;
  isSoulbound?: boolean | null | undefined;
  loyaltyBadgeIds?: string[] | null | undefined;
  mustOwnCollections?: GatingCollection[] | null | undefined;
  name?: string | undefined;
  /** Needed to list an ONCHAIN contract */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  organizationId?: string | undefined;
  /** 0: no limit */
  perUserMintLimit?: number | null | undefined;
  preRevealMedia?: string | null | undefined;
  primarySaleRecipientAddress?: string | null | undefined;
  relayerId?: string | null | undefined;
  /** false: any one collection or badge suffices */
  requireHoldingAllGatedItems?: boolean | null | undefined;
  revealAvailableAt?: string | null | undefined;
  /** Percent, 0 to 100 */
  royaltyFee?: Decimal | number | null | undefined;
  royaltyFeeAddress?: string | null | undefined;
  shouldCollectEmail?: boolean | null | undefined;
  showOnMarketplace?: boolean | null | undefined;
  sortId?: number | null | undefined;
  symbol?: string | null | undefined;
  /** Default erc721; stays as it was created */
  tokenType?: "erc721" | "erc1155" | "erc721c" | null | undefined;
  /** The website's collection of these tokens */
  websiteCollectionId?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateMultiplierInputBody {
  description?: string | null | undefined;
  /** Empty or absent: all currencies */
  loyaltyCurrencyIds?: string[] | null | undefined;
  multiplier?: Decimal | number | undefined;
  organizationId?: string | undefined;
  title?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateQuestionBody {
  /** The choices that the question has from now on */
  loyaltyQuestionAnswers: ChoiceBody[];
  organizationId?: string | undefined;
  questionText: string;
  websiteId?: string | undefined;
}

export interface UpdateSectionBody {
  banner?: BannerInput | null | undefined;
  /** Replaces the former ones */
  discoveryItems?: DiscoveryInput[] | undefined;
  durationEnd?: string | null | undefined;
  durationStart?: string | undefined;
  /** Replaces the former ones */
  itemsGrids?: ShownInput[] | undefined;
  organizationId?: string | undefined;
  /** The page, for placement page */
  pageId?: string | null | undefined;
  pageSectionType?: "all_items" | "discovery_item" | "discovery_items_grid" | null | undefined;
  placement?: "global" | "page" | undefined;
  /** Lists go by it, the lowest first. Default 0 */
  sortId?: number | undefined;
  title?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateTokenClaimBody {
  claimAndStake?: boolean | undefined;
  claimContractAddress?: string | null | undefined;
  /** A contract of type erc20 */
  contractId?: string | undefined;
  /** Rows of walletAddress,amount */
  csvUrl?: string | null | undefined;
  endTime?: string | null | undefined;
  /** Default 18 */
  erc20Decimals?: number | undefined;
  /** Codes of countries, ISO 3166 alpha-2 */
  geoBlock?: string[] | undefined;
  /** Default true */
  isDraft?: boolean | undefined;
  isStakingOptional?: boolean | undefined;
  maxBonus?: Decimal | number | undefined;
  minLockup?: Decimal | number | undefined;
  minLockupForMultiplier?: Decimal | number | undefined;
  /** 0 to 100 */
  minPercentageToStake?: Decimal | number | undefined;
  /** Default 1 */
  multiplier?: Decimal | number | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  relayerId?: string | null | undefined;
  stakingContractAddress?: string | null | undefined;
  stakingContractType?: "linear" | "timelock" | null | undefined;
  startTime?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface UpdateWebsiteBody {
  chatServerUrl?: string | null | undefined;
  homeUrl?: string | null | undefined;
  messengerUrl?: string | null | undefined;
  microblogUsername?: string | null | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  photoPlatformUsername?: string | null | undefined;
  trustClientUsers?: boolean | undefined;
}

export interface User {
  createdAt: string;
  delegationsFrom?: Delegator[];
  id: string;
  isPlatformSuperAdmin: boolean;
  notifications: boolean | null;
  referrers: Referrer[];
  temporaryLoyaltyUser: boolean;
  updatedAt: string;
  userMetadata: Metadata[];
  walletAddress: string | null;
  walletType: string | null;
  websiteUserAttributes: LabeledAttribute[];
}

export interface UserAttribute {
  createdAt: string;
  deletedAt: string | null;
  id: string;
  label: string;
  organizationId: string;
  updatedAt: string;
  websiteId: string;
}

export interface UserAttributeValue {
  createdAt: string;
  /** The same as websiteUserAttributeId */
  customFieldId: string;
  id: string;
  organizationId: string;
  updatedAt: string;
  userId: string;
  value: string;
  websiteId: string;
  websiteUserAttributeId: string;
}

export interface UserCount {
  totalCount: number;
}

export interface UserName {
  id: string;
  walletAddress: string | null;
}

export interface UserRole {
  createdAt: string;
  deletedAt: string | null;
  id: string;
  organizationId: string;
  roleType: string;
  updatedAt: string;
  userId: string;
  walletAddress: string | null;
  websiteId: string;
}

export interface ValueItem {
  /** Of the value that the user has of the attribute */
  id?: string | null | undefined;
  userId: string;
  value: string;
  websiteUserAttributeId: string;
}

export interface ValuesBody {
  data: ValueItem[];
  organizationId?: string | undefined;
  websiteId?: string | undefined;
}

export interface VerificationData {
  /** For wallet types that a driver of the operator checks; it is ignored without one */
  accessToken?: string | undefined;
  /** The text that was signed */
  message?: string | undefined;
  signature?: string | undefined;
  tonVerification?: TONProof | null | undefined;
  /** Secret keys: your server has checked the signature */
  verifiedLocally?: boolean | undefined;
}

export interface Website {
  _count: WebsiteCount;
  chatServerUrl: string | null;
  collections: SiteCollection[];
  createdAt: string;
  homeUrl: string | null;
  id: string;
  messengerUrl: string | null;
  microblogUsername: string | null;
  name: string;
  onchainTokens: (Record<string, unknown>)[];
  organizationId: string;
  photoPlatformUsername: string | null;
  termsSignedAt: string | null;
  trustClientUsers: boolean;
  updatedAt: string;
}

export interface WebsiteCollection {
  chatServerUrl: string | null;
  collectionAddress: string;
  createdAt: string;
  deletedAt: string | null;
  homeUrl: string | null;
  id: string;
  imageUrl: string | null;
  messengerUrl: string | null;
  microblogUsername: string | null;
  mintingContractId: string | null;
  name: string;
  network: string;
  organizationId: string;
  photoPlatformUsername: string | null;
  /** Percent */
  royaltyFee: Decimal | null;
  royaltyFeeAddress: string | null;
  sortId: number;
  stakingAddress: string | null;
  themeId: string | null;
  updatedAt: string;
  websiteId: string;
}

export interface WebsiteCount {
  mintingContractAssets: number;
}

export interface WebsitePageSection {
  createdAt: string;
  id: string;
  isHidden: boolean;
  loyaltyRuleGroupId: string | null;
  metadata: Record<string, unknown>;
  organizationId: string;
  sortId: number;
  subTitle: string | null;
  title: string | null;
  type: string;
  updatedAt: string;
  websiteId: string;
}

export interface WholeTokenClaim {
  claimAndStake: boolean;
  claimContractAddress: string | null;
  contract: ClaimToken;
  createdAt: string;
  /** Shown to secret keys only */
  csvUrl: string | null;
  dataJob: ClaimDataJob | null;
  dataJobId: string | null;
  deletedAt?: string;
  endTime: string | null;
  erc20Decimals: number;
  geoBlock: string[];
  id: string;
  isDraft: boolean;
  isStakingOptional: boolean;
  maxBonus: Decimal;
  /** null until the list is imported */
  merkleRoot: string | null;
  minLockup: Decimal;
  minLockupForMultiplier: Decimal;
  minPercentageToStake: Decimal;
  multiplier: Decimal;
  name: string;
  organizationId: string;
  /** With walletAddress, if it is on the list */
  proof?: string[];
  relayerId: string | null;
  stakingContractAddress: string | null;
  /** linear or timelock */
  stakingContractType: string | null;
  startTime: string | null;
  tokenClaimId: string;
  /** Exact, with up to erc20Decimals places */
  totalAllocatedAmount: number;
  /** The amount of the wallet, or without walletAddress that of all wallets, as a decimal */
  totalAllocation: string;
  /** Exact, with up to erc20Decimals places */
  totalClaimedAmount: number;
  totalWalletsAllocated: number;
  updatedAt: string;
  walletAddress: string | null;
  websiteId: string;
}

export interface WriteCurrencyBody {
  apiAuthKey?: string | null | undefined;
  apiAuthType?: "none" | "basic" | "bearer" | "apiKey" | null | undefined;
  apiAuthValue?: string | null | undefined;
  apiGetTransactionEntryUrl?: string | null | undefined;
  apiGetUrl?: string | null | undefined;
  apiPostUrl?: string | null | undefined;
  /** How many places a page shows; cannot be changed */
  decimals?: number | undefined;
  imageUrl?: string | null | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  /** How many days points live; null: they do not expire */
  pointsExpireAfterDays?: number | null | undefined;
  /** How many hours rewards are held before they are credited; null: not at all */
  pointsWaitHours?: number | null | undefined;
  sortId?: number | null | undefined;
  symbol?: string | undefined;
  websiteId?: string | undefined;
}

export interface WriteGroupBody {
  isCollapsible?: boolean | undefined;
  isRequired?: boolean | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  sortId?: number | undefined;
  subTitle?: string | null | undefined;
  /** Another spelling of subTitle */
  subtitle?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface WriteMetadataInputBody {
  bio?: string | null | undefined;
  blockStatusReason?: "sybil_and_multi_account" | "account_migration" | "abuse_manipulation" | "not_sybil" | "issue_resolved" | "microblog_suspended" | "other" | null | undefined;
  chatServerUser?: string | null | undefined;
  chatServerUserId?: string | null | undefined;
  codeHostUser?: string | null | undefined;
  codeHostUserId?: string | null | undefined;
  displayName?: string | null | undefined;
  emailAddress?: string | null | undefined;
  externalIdentifier?: string | null | undefined;
  externalLoyaltyScore?: string | null | undefined;
  forumPlatformUser?: string | null | undefined;
  forumPlatformUserId?: string | null | undefined;
  gameLauncherAccountId?: string | null | undefined;
  gameLauncherUsername?: string | null | undefined;
  gameStoreUserId?: string | null | undefined;
  gameStoreUsername?: string | null | undefined;
  internalNotes?: string | null | undefined;
  isBlockExempt?: boolean | null | undefined;
  isBlocked?: boolean | null | undefined;
  location?: string | null | undefined;
  logoUrl?: string | null | undefined;
  messengerUserId?: string | null | undefined;
  messengerUsername?: string | null | undefined;
  microblogFollowersCount?: number | null | undefined;
  microblogUser?: string | null | undefined;
  microblogUserId?: string | null | undefined;
  organizationId?: string | undefined;
  phoneNumber?: string | null | undefined;
  portfolioUrl?: string | null | undefined;
  shortVideoUser?: string | null | undefined;
  shortVideoUserId?: string | null | undefined;
  sybilScore?: number | null | undefined;
  userGroupExternalIdentifier?: string | null | undefined;
  /** Joins the group; null leaves it */
  userGroupId?: string | null | undefined;
  userId?: string | null | undefined;
  videoPlatformChannelId?: string | null | undefined;
  walletAddress?: string | null | undefined;
  walletGroupIdentifier?: string | null | undefined;
  webAccountUser?: string | null | undefined;
  webAccountUserId?: string | null | undefined;
  websiteId?: string | undefined;
}

export interface WriteRuleBody {
  amount?: Decimal | number | null | undefined;
  backgroundAssetUrl?: string | null | undefined;
  claimType?: "manual" | "auto" | null | undefined;
  collectionAddress?: string | null | undefined;
  collections?: Collection[] | null | undefined;
  contractIds?: string[] | null | undefined;
  customRewardsApiUrl?: string | null | undefined;
  customRewardsCsvUrl?: string | null | undefined;
  dappDataWindow?: "daily" | "weekly" | "monthly" | null | undefined;
  dappDeployedWithin?: "daily" | "weekly" | "monthly" | null | undefined;
  /** On update: a time deletes, null brings back */
  deletedAt?: string | null | undefined;
  description?: string | null | undefined;
  duplicatedFromId?: string | null | undefined;
  editComment?: string | null | undefined;
  effectiveEndTime?: string | null | undefined;
  effectiveStartTime?: string | null | undefined;
  endTime?: string | null | undefined;
  externalIntegrationId?: string | null | undefined;
  frequency?: "none" | "once" | "hourly" | "daily" | "weekly" | "monthly" | "immediately" | undefined;
  functionId?: string | null | undefined;
  hideInUi?: boolean | undefined;
  interval?: "hourly" | "daily" | "weekly" | "monthly" | "once" | "custom" | "every_message" | "unlimited" | undefined;
  isDappRule?: boolean | undefined;
  isRequired?: boolean | undefined;
  isSpecial?: boolean | undefined;
  loyaltyBadgeId?: string | null | undefined;
  loyaltyCurrencyId?: string | null | undefined;
  /** A uuid or no-section */
  loyaltyRuleGroupId?: string | null | undefined;
  loyaltyUserAllotmentCsvUrl?: string | null | undefined;
  maxAmountInterval?: "daily" | "weekly" | "monthly" | "lifetime" | null | undefined;
  maxAmountPerInterval?: Decimal | number | null | undefined;
  mediaUrl?: string | null | undefined;
  /**
   * Replaced as a whole. Known properties are checked, all others are stored unchanged. At most 65536
   * bytes
   */
  metadata?: Record<string, unknown> | null | undefined;
  name?: string | undefined;
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | null | undefined;
  oauthCredentialsId?: string | null | undefined;
  organizationId?: string | undefined;
  progressType?: "counter" | "percentage" | null | undefined;
  rewardLifetime?: "permanent" | "dynamic" | null | undefined;
  rewardType?: "points" | "multiplier" | "badge" | "token" | undefined;
  shopStoreUrl?: string | null | undefined;
  showBeforeStart?: boolean | undefined;
  startTime?: string | null | undefined;
  subscriptionId?: string | null | undefined;
  tokenReward?: TokenReward | null | undefined;
  trackProgress?: boolean | undefined;
  /** Cannot be changed */
  type?: RuleType | undefined;
  websiteId?: string | undefined;
}

export interface WriteStatusInputBody {
  /** Adds to the progress; clamped to the rule's target */
  incProgress?: Decimal | number | null | undefined;
  loyaltyRuleId: string;
  organizationId?: string | undefined;
  /** Sets the progress; clamped to the rule's target */
  progress?: Decimal | number | null | undefined;
  userId?: string | null | undefined;
  walletAddress?: string | null | undefined;
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
  CompletionBody: { data: "CompletionBodyDataStruct" },
  CompletionBodyDataStruct: { rewards: "Paid" },
  CountedListAuctionBid: { data: "AuctionBid" },
  CreateAuctionBody: { minBidAmount: "#", minBidIncrement: "#", reservePrice: "#" },
  CreateBadgeBody: { conditions: "Input", rewards: "RewardInput" },
  CreateChainBody: { loyaltyConditions: "Input" },
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
  Input: { amount: "#" },
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
  TokenClaim: { maxBonus: "#", minLockup: "#", minLockupForMultiplier: "#", minPercentageToStake: "#", multiplier: "#" },
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
  WholeTokenClaim: { maxBonus: "#", minLockup: "#", minLockupForMultiplier: "#", minPercentageToStake: "#", multiplier: "#" },
  WriteRuleBody: { amount: "#", maxAmountPerInterval: "#" },
  WriteStatusInputBody: { incProgress: "#", progress: "#" },
};
