// Code generated from openapi.json by scripts/clients. DO NOT EDIT.

import { eachItem, type Options, type Transport } from "./transport.js";
import type * as types from "./types.js";

export interface AccountStreaksListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** The rules whose streaks are listed, up to 100 */
  loyaltyRuleId: string | readonly string[];
}

export class AccountStreaksApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List streaks of check-ins. A bare array, newest first. A group has one streak; userId is the member
   * who checked in last. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/account_streaks`
   */
  list(params: AccountStreaksListParams, options?: Options): Promise<types.AccountStreak[]> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/account_streaks", query: params, shape: "AccountStreak" }, options);
  }
}

export interface AccountsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only accounts of these members, up to 100. Sent empty: main accounts */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** Only what is in this currency */
  loyaltyCurrencyId?: string | undefined;
  /** Only members with this identifier of yours */
  externalIdentifier?: string | undefined;
  /** Only members with this label */
  walletGroupIdentifier?: string | undefined;
  /** Default desc */
  sortDir?: "asc" | "desc" | undefined;
  /**
   * Only accounts that have a rank, or that have none: those of blocked members. Secret keys only;
   * through others a list that names no user shows ranked accounts alone
   */
  isRanked?: boolean | undefined;
  /** A moment of the past that is settled; later ones are refused */
  asOf?: string | undefined;
}

export interface AccountsListExpiringParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Exclusive. RFC 3339 with an offset, or a date for 00:00 UTC */
  before?: string | undefined;
  /** Exclusive. The expiresAt of the last item of a page gives the next page. Form as before */
  after?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
}

export interface AccountsListLotsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only lots in this state */
  state?: "pending" | "released" | "cancelled" | "open" | "spent" | "expired" | "closed" | readonly ("pending" | "released" | "cancelled" | "open" | "spent" | "expired" | "closed")[] | undefined;
}

export interface AccountsGetRankParams {
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId: string;
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId: string;
  /** The currency of the ranking */
  loyaltyCurrencyId: string;
  /** A moment of the past that is settled; later ones are refused */
  asOf?: string | undefined;
}

export class AccountsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List accounts by balance. By balance, highest first. Without loyaltyCurrencyId the list has the
   * accounts of all currencies: send it for a leaderboard. Main accounts by userId= (empty). asOf lists
   * the accounts of a settled moment of the past with their balances then. API keys: organization,
   * website, read-only, client.
   *
   * `GET /api/loyalty/accounts`
   */
  list(params: AccountsListParams = {}, options?: Options): Promise<types.ListAccount> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/accounts", query: params, shape: "ListAccount" }, options);
  }

  /**
   * All items of `list`, read page by page. Accounts are missed or repeated if balances change between
   * two pages: asOf reads them as they were at one time.
   */
  all(params: AccountsListParams = {}, options?: Options): AsyncGenerator<types.Account, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * List the points of an account that will expire. Soonest first, computed up to the account's last
   * entry. Points that expire at the same moment are one item. Held points are not among them. Empty if
   * points of the currency do not expire. Client keys send the member token of the account's user,
   * whatever the website trusts. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/accounts/{id}/expiring`
   */
  listExpiring(id: string, params: AccountsListExpiringParams = {}, options?: Options): Promise<types.ListExpiring> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/accounts/{id}/expiring", ids: [id], query: params, shape: "ListExpiring" }, options);
  }

  /** All items of `listExpiring`, read page by page. */
  allExpiring(id: string, params: AccountsListExpiringParams = {}, options?: Options): AsyncGenerator<types.Expiring, void, undefined> {
    return eachItem(params, (page) => this.listExpiring(id, page, options), (last) => ({ after: last.expiresAt }));
  }

  /**
   * List the lots of an account. Newest first, computed up to the account's last entry. If points
   * expire, the open lots sum to the balance; debits take from the oldest. Held points are pending lots
   * and not part of the balance. API keys: organization, website, read-only.
   *
   * `GET /api/loyalty/accounts/{id}/lots`
   */
  listLots(id: string, params: AccountsListLotsParams = {}, options?: Options): Promise<types.ListLot> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/accounts/{id}/lots", ids: [id], query: params, shape: "ListLot" }, options);
  }

  /** All items of `listLots`, read page by page. */
  allLots(id: string, params: AccountsListLotsParams = {}, options?: Options): AsyncGenerator<types.Lot, void, undefined> {
    return eachItem(params, (page) => this.listLots(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Rank of an account by points of one currency. 1 + the number of accounts with more points of the
   * currency, exact at the time of the response; ties share a rank. The three parameters are required
   * with every key. asOf returns the rank at a settled moment of the past: by the balances then and the
   * blocked members of today. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/accounts/{id}/rank`
   */
  getRank(id: string, params: AccountsGetRankParams, options?: Options): Promise<types.RankOutputBody> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/accounts/{id}/rank", ids: [id], query: params, shape: "RankOutputBody" }, options);
  }
}

export interface ApiKeysListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface ApiKeysDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class ApiKeysApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List API keys. Newest first, revoked ones too. lastUsedAt is exact to a minute. API keys:
   * organization, website.
   *
   * `GET /api/api_keys`
   */
  list(params: ApiKeysListParams = {}, options?: Options): Promise<types.ListApiKey> {
    return this.#transport.send({ method: "GET", path: "/api/api_keys", query: params, shape: "ListApiKey" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: ApiKeysListParams = {}, options?: Options): AsyncGenerator<types.ApiKey, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create an API key. The response is the only place where the key can be read. Website keys create
   * keys of their own website; organization keys also create keys of the organization. API keys:
   * organization, website.
   *
   * `POST /api/api_keys`
   */
  create(body: types.CreateKeyInputBody, options?: Options): Promise<types.NewKey> {
    return this.#transport.send({ method: "POST", path: "/api/api_keys", body, isKeyed: true, shape: "NewKey" }, options);
  }

  /**
   * Revoke an API key. This node refuses it at once, others within half a second. Revoking it again
   * changes nothing. API keys: organization, website.
   *
   * `DELETE /api/api_keys/{id}`
   */
  delete(id: string, params: ApiKeysDeleteParams = {}, options?: Options): Promise<types.ApiKey> {
    return this.#transport.send({ method: "DELETE", path: "/api/api_keys/{id}", ids: [id], query: params, shape: "ApiKey" }, options);
  }
}

export interface AssetsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Users who own the files */
  userId?: string | readonly string[] | undefined;
}

export interface AssetsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface AssetsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class AssetsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List files. Newest first: files that were uploaded, and those that still can be. API keys:
   * organization, website.
   *
   * `GET /api/assets`
   */
  list(params: AssetsListParams = {}, options?: Options): Promise<types.ListAsset> {
    return this.#transport.send({ method: "GET", path: "/api/assets", query: params, shape: "ListAsset" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: AssetsListParams = {}, options?: Options): AsyncGenerator<types.Asset, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Announce a file that will be uploaded. PUT exactly fileSize bytes to signedUrl within 15 minutes,
   * without a key; then anyone who knows url can read the file. If the server has no public address,
   * both are paths, which rules and currencies accept unchanged. Files have quotas in bytes, per user,
   * website and service; an announced file counts until its time is over. Client keys: filePath profiles
   * and posts only, with a member token, whose user the file belongs to. API keys: organization,
   * website, client.
   *
   * `POST /api/assets`
   */
  create(body: types.CreateAssetInputBody = {}, options?: Options): Promise<types.CreatedAsset> {
    return this.#transport.send({ method: "POST", path: "/api/assets", body, isKeyed: true, shape: "CreatedAsset" }, options);
  }

  /**
   * Get a file. A file that was uploaded, or still can be. API keys: organization, website.
   *
   * `GET /api/assets/{id}`
   */
  get(id: string, params: AssetsGetParams = {}, options?: Options): Promise<types.Asset> {
    return this.#transport.send({ method: "GET", path: "/api/assets/{id}", ids: [id], query: params, shape: "Asset" }, options);
  }

  /**
   * Delete a file. Its bytes are removed, and it no longer counts against quotas. Client keys delete
   * files of their member only. API keys: organization, website, client.
   *
   * `DELETE /api/assets/{id}`
   */
  delete(id: string, params: AssetsDeleteParams = {}, options?: Options): Promise<types.IdBody> {
    return this.#transport.send({ method: "DELETE", path: "/api/assets/{id}", ids: [id], query: params, shape: "IdBody" }, options);
  }
}

export interface AuctionBidsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The id, a UUID */
  id?: string | readonly string[] | undefined;
  /** Only what belongs to this auction */
  auctionId?: string | undefined;
  /** Only items with this status */
  status?: "submitted" | "accepted" | "rejected" | "fulfilled" | undefined;
  /** Only bids with one of these statuses */
  statuses?: "submitted" | "accepted" | "rejected" | "fulfilled" | readonly ("submitted" | "accepted" | "rejected" | "fulfilled")[] | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** By amount; default desc */
  orderBy?: "asc" | "desc" | undefined;
  /** How many items are left out at the beginning */
  skip?: number | undefined;
  /** true: with the number of all items */
  includeCount?: boolean | undefined;
}

export interface AuctionBidsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class AuctionBidsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List bids. By amount, the highest first unless orderBy is asc. Client keys see hidden bids only of
   * the member whose token they send. API keys: organization, website, read-only, client.
   *
   * `GET /api/auction_bids`
   */
  list(params: AuctionBidsListParams = {}, options?: Options): Promise<types.CountedListAuctionBid> {
    return this.#transport.send({ method: "GET", path: "/api/auction_bids", query: params, shape: "CountedListAuctionBid" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: AuctionBidsListParams = {}, options?: Options): AsyncGenerator<types.AuctionBid, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ skip: undefined, startingAfter: last.id }));
  }

  /**
   * Bid for a user. The amount is debited at once. A new bid replaces the member's own and debits the
   * difference; in an english auction the points of the best bid before it go back in the same
   * transaction. Client keys send the member token, also where the website trusts them. API keys:
   * organization, website, client.
   *
   * `POST /api/auction_bids`
   */
  create(body: types.PlaceBidBody, options?: Options): Promise<types.AuctionBid> {
    return this.#transport.send({ method: "POST", path: "/api/auction_bids", body, isKeyed: true, shape: "AuctionBid" }, options);
  }

  /**
   * Get a bid. As lists show it. API keys: organization, website, read-only, client.
   *
   * `GET /api/auction_bids/{id}`
   */
  get(id: string, params: AuctionBidsGetParams = {}, options?: Options): Promise<types.AuctionBid> {
    return this.#transport.send({ method: "GET", path: "/api/auction_bids/{id}", ids: [id], query: params, shape: "AuctionBid" }, options);
  }
}

export interface AuctionsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only items with this status */
  status?: "in_progress" | "completed" | "cancelled" | undefined;
  /** Only items of this type */
  type?: "first_price" | "second_price" | "english" | undefined;
  /** Auctions are cancelled, never deleted: it changes nothing */
  includeDeleted?: boolean | undefined;
  /** true: with the items of each auction */
  includeItems?: boolean | undefined;
}

export interface AuctionsListItemsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to this auction */
  auctionId: string | readonly string[];
}

export interface AuctionsGetItemParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface AuctionsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** true: with the items of each auction */
  includeItems?: boolean | undefined;
}

export class AuctionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List auctions. Newest first. reservePrice is shown to secret keys only. auctionBids are the highest
   * 10, of equal bids the earlier first, and none while bids are hidden. API keys: organization,
   * website, read-only, client.
   *
   * `GET /api/auctions`
   */
  list(params: AuctionsListParams = {}, options?: Options): Promise<types.ListAuction> {
    return this.#transport.send({ method: "GET", path: "/api/auctions", query: params, shape: "ListAuction" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: AuctionsListParams = {}, options?: Options): AsyncGenerator<types.Auction, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create an auction. Bids are points of loyaltyCurrencyId, whose balances no external ledger keeps.
   * Items reserve their stock at once. An english auction has one item, which can be added later. API
   * keys: organization, website.
   *
   * `POST /api/auctions`
   */
  create(body: types.CreateAuctionBody, options?: Options): Promise<types.Auction> {
    return this.#transport.send({ method: "POST", path: "/api/auctions", body, isKeyed: true, shape: "Auction" }, options);
  }

  /**
   * List the items of auctions. By sortId. API keys: organization, website, read-only, client.
   *
   * `GET /api/auctions/items`
   */
  listItems(params: AuctionsListItemsParams, options?: Options): Promise<types.ListAuctionItem> {
    return this.#transport.send({ method: "GET", path: "/api/auctions/items", query: params, shape: "ListAuctionItem" }, options);
  }

  /** All items of `listItems`, read page by page. */
  allItems(params: AuctionsListItemsParams, options?: Options): AsyncGenerator<types.AuctionItem, void, undefined> {
    return eachItem(params, (page) => this.listItems(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Get an item of an auction. As lists show it. API keys: organization, website, read-only, client.
   *
   * `GET /api/auctions/items/{id}`
   */
  getItem(id: string, params: AuctionsGetItemParams = {}, options?: Options): Promise<types.AuctionItem> {
    return this.#transport.send({ method: "GET", path: "/api/auctions/items/{id}", ids: [id], query: params, shape: "AuctionItem" }, options);
  }

  /**
   * Get an auction. As lists show it. API keys: organization, website, read-only, client.
   *
   * `GET /api/auctions/{id}`
   */
  get(id: string, params: AuctionsGetParams = {}, options?: Options): Promise<types.Auction> {
    return this.#transport.send({ method: "GET", path: "/api/auctions/{id}", ids: [id], query: params, shape: "Auction" }, options);
  }

  /**
   * Update an auction. An absent property keeps its value. Times cannot change once it has a bid or has
   * ended; type, currency, network and contract never can. API keys: organization, website.
   *
   * `POST /api/auctions/{id}`
   */
  update(id: string, body: types.UpdateAuctionInputBody = {}, options?: Options): Promise<types.Auction> {
    return this.#transport.send({ method: "POST", path: "/api/auctions/{id}", ids: [id], body, isKeyed: true, shape: "Auction" }, options);
  }

  /**
   * Cancel an auction. All bids are refunded and the stock is released. No one wins. API keys:
   * organization, website.
   *
   * `POST /api/auctions/{id}/cancel`
   */
  cancel(id: string, body: types.CancelAuctionInputBody = {}, options?: Options): Promise<types.Auction> {
    return this.#transport.send({ method: "POST", path: "/api/auctions/{id}/cancel", ids: [id], body, isKeyed: true, shape: "Auction" }, options);
  }

  /**
   * Add items to an auction. Until the auction ends. An auction has at most 50. API keys: organization,
   * website.
   *
   * `POST /api/auctions/{id}/items`
   */
  addItems(id: string, body: types.AddAuctionItemsInputBody, options?: Options): Promise<types.ListAuctionItem> {
    return this.#transport.send({ method: "POST", path: "/api/auctions/{id}/items", ids: [id], body, isKeyed: true, shape: "ListAuctionItem" }, options);
  }
}

export interface BadgeUsersListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The badge whose members are listed */
  loyaltyBadgeId: string;
  /** Only items with this status */
  status?: "active" | "inactive" | "revoked" | readonly ("active" | "inactive" | "revoked")[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
}

export interface BadgeUsersUpdateParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class BadgeUsersApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the users of a badge. Newest first. Client keys do not see hidden badges. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/loyalty/badge_users`
   */
  list(params: BadgeUsersListParams, options?: Options): Promise<types.ListListedBadgeUser> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/badge_users", query: params, shape: "ListListedBadgeUser" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: BadgeUsersListParams, options?: Options): AsyncGenerator<types.ListedBadgeUser, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Hide or dismiss a badge of a user. Client keys send the member token of the badge's user. API keys:
   * organization, website, client.
   *
   * `POST /api/loyalty/badge_users/{id}`
   */
  update(id: string, body: types.UpdateBadgeUserInputBody = {}, options?: Options & { query?: BadgeUsersUpdateParams | undefined }): Promise<types.BadgeUser> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/badge_users/{id}", ids: [id], body, query: options?.query, isKeyed: true, shape: "BadgeUser" }, options);
  }
}

export interface BadgesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** Only these badges, up to 100 */
  badgeIds?: string | readonly string[] | undefined;
  /** true: deleted items too */
  includeDeleted?: boolean | undefined;
}

export interface BadgesCreateParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface BadgesUpdateParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface BadgesDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface BadgesRevokeParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface BadgesGrantParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class BadgesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List badges. Newest first. With a user filter each badge has the rows of those users and their
   * current progress; without one, its newest 100 rows. Client keys do not see hidden badges. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/loyalty/badges`
   */
  list(params: BadgesListParams = {}, options?: Options): Promise<types.ListBadge> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/badges", query: params, shape: "ListBadge" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: BadgesListParams = {}, options?: Options): AsyncGenerator<types.Badge, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a badge. Members who meet all conditions are granted the badge, including existing members. A
   * condition of type rule, rules or badges refers to records by loyaltyRuleIds and loyaltyBadgeIds,
   * section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. A condition of type api
   * never holds. API keys: organization, website.
   *
   * `POST /api/loyalty/badges`
   */
  create(body: types.CreateBadgeBody, options?: Options & { query?: BadgesCreateParams | undefined }): Promise<types.Badge> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/badges", body, query: options?.query, isKeyed: true, shape: "Badge" }, options);
  }

  /**
   * Update a badge. An absent property keeps its value. rewards and csvFiles replace all existing ones;
   * members who already have the badge do not get new rewards. API keys: organization, website.
   *
   * `POST /api/loyalty/badges/{id}`
   */
  update(id: string, body: types.UpdateBadgeInputBody = {}, options?: Options & { query?: BadgesUpdateParams | undefined }): Promise<types.Badge> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/badges/{id}", ids: [id], body, query: options?.query, isKeyed: true, shape: "Badge" }, options);
  }

  /**
   * Delete a badge. Returns the badge as it was, with its users revoked. The multipliers that it granted
   * end; points stay. API keys: organization, website.
   *
   * `DELETE /api/loyalty/badges/{id}`
   */
  delete(id: string, params: BadgesDeleteParams = {}, options?: Options): Promise<types.Badge> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/badges/{id}", ids: [id], query: params, shape: "Badge" }, options);
  }

  /**
   * Revoke a badge of a user. Multipliers from the badge end; points stay. A revoked badge is not
   * granted again automatically; an inactive one is. API keys: organization, website.
   *
   * `POST /api/loyalty/badges/{id}/revoke`
   */
  revoke(id: string, body: types.RevokeBadgeBody = {}, options?: Options & { query?: BadgesRevokeParams | undefined }): Promise<types.GivenBadge> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/badges/{id}/revoke", ids: [id], body, query: options?.query, isKeyed: true, shape: "GivenBadge" }, options);
  }

  /**
   * Grant a badge to a user. Grants the badge and pays its rewards, each member once: after a revoke its
   * multipliers come back, and nothing is paid again. With status inactive the member gets a row that is
   * not granted. An unknown wallet becomes a user. API keys: organization, website.
   *
   * `POST /api/loyalty/badges/{id}/reward`
   */
  grant(id: string, body: types.RewardBadgeBody = {}, options?: Options & { query?: BadgesGrantParams | undefined }): Promise<types.GivenBadge> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/badges/{id}/reward", ids: [id], body, query: options?.query, isKeyed: true, shape: "GivenBadge" }, options);
  }
}

export interface ClearingJobsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what is in this currency */
  loyaltyCurrencyId?: string | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | undefined;
  /** Only items with this status */
  status?: "processing" | "complete" | "cancelled" | undefined;
}

export class ClearingJobsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List resets of currencies and debits of deleted rules. Newest first. API keys: organization,
   * website.
   *
   * `GET /api/loyalty/clearing_jobs`
   */
  list(params: ClearingJobsListParams = {}, options?: Options): Promise<types.ListClearingJob> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/clearing_jobs", query: params, shape: "ListClearingJob" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: ClearingJobsListParams = {}, options?: Options): AsyncGenerator<types.ClearingJob, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }
}

export interface ConnectionsStartParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | undefined;
  /** Where the browser goes in the end: an address of http, https or an app */
  redirect?: string | undefined;
  /** For email: the address that is proved */
  emailAddress?: string | undefined;
  /** For web_account: leave the video channel alone */
  skipVideoPlatformChannelCheck?: boolean | undefined;
}

export interface ConnectionsConnectParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** jwtState */
  state?: string | undefined;
  /** Must be the code of state */
  code?: string | undefined;
  /** For short_video: the address of the profile */
  shortVideoProfileUrl?: string | undefined;
  /** For forum_platform: the address of the profile */
  forumPlatformProfileUrl?: string | undefined;
  /** For photo_platform: the name, or the address of the profile */
  photoPlatformUsernameOrUrl?: string | undefined;
  /** Default json */
  responseType?: "redirect" | "json" | undefined;
}

export class ConnectionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Start the connection of an account. Starts the connection of an account. The member's browser must
   * go to url, which with responseType redirect, the default, is in Location, too. It comes back to
   * redirect with status=success and authType, or with status=error, error, message and, for
   * MAXIMUM_ACCOUNT_LINKED, accountLinkData for POST /api/users/verify. Without redirect it comes back
   * to the website's homeUrl. Through client keys redirect must be of an origin of the key's
   * allowedOrigins or of homeUrl. For short_video, forum_platform and photo_platform the member puts
   * code into the public profile instead, and jwtState goes to GET /api/{authType}/auth/connect. For
   * email a link goes to emailAddress, valid once and for 60 minutes; url is then the redirect, to which
   * responseType redirect leads with status=pending. At most one link per 30 seconds and five per hour,
   * per address and per user: then 429 with Retry-After. API keys: organization, website, client.
   *
   * `GET /api/{authType}/auth`
   */
  start(authType: string, params: ConnectionsStartParams = {}, options?: Options): Promise<types.StartedFlow> {
    return this.#transport.send({ method: "GET", path: "/api/{authType}/auth", ids: [authType], query: { ...params, responseType: "json" }, shape: "StartedFlow" }, options);
  }

  /**
   * Disconnect an account. Removes the account from the user's metadata, and revokes what dynamic rules
   * have granted for it. Without an account nothing changes. API keys: organization, website, client.
   *
   * `DELETE /api/{authType}/auth`
   */
  disconnect(authType: string, body: types.DisconnectInputBody = {}, options?: Options): Promise<types.Disconnected> {
    return this.#transport.send({ method: "DELETE", path: "/api/{authType}/auth", ids: [authType], body, shape: "Disconnected" }, options);
  }

  /**
   * Connect an account by its public profile. Looks for the code of GET /api/{authType}/auth in the
   * public profile of short_video, forum_platform or photo_platform, and connects the account. What the
   * member can mend is answered with 200 and error. API keys: organization, website, client.
   *
   * `GET /api/{authType}/auth/connect`
   */
  connect(authType: string, params: ConnectionsConnectParams = {}, options?: Options): Promise<types.Outcome> {
    return this.#transport.send({ method: "GET", path: "/api/{authType}/auth/connect", ids: [authType], query: params, shape: "Outcome" }, options);
  }
}

export interface ContractsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The id, a UUID */
  id?: string | undefined;
  /** A part of the name or the address */
  search?: string | undefined;
  /** Another name of startingAfter */
  cursor?: string | undefined;
  /** Default true */
  includeAbi?: boolean | undefined;
}

export interface ContractsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface ContractsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class ContractsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List contracts. Newest first. Without the ABIs with includeAbi=false. API keys: organization,
   * website, read-only.
   *
   * `GET /api/contracts`
   */
  list(params: ContractsListParams = {}, options?: Options): Promise<types.ListContract> {
    return this.#transport.send({ method: "GET", path: "/api/contracts", query: params, shape: "ListContract" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: ContractsListParams = {}, options?: Options): AsyncGenerator<types.Contract, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Register a contract. A live contract is unique by website, chain and address. chainId is null if the
   * chain was not given. API keys: organization, website.
   *
   * `POST /api/contracts`
   */
  create(body: types.CreateContractBody, options?: Options): Promise<types.Contract> {
    return this.#transport.send({ method: "POST", path: "/api/contracts", body, isKeyed: true, shape: "Contract" }, options);
  }

  /**
   * Get a contract. With its ABI. API keys: organization, website, read-only.
   *
   * `GET /api/contracts/{id}`
   */
  get(id: string, params: ContractsGetParams = {}, options?: Options): Promise<types.Contract> {
    return this.#transport.send({ method: "GET", path: "/api/contracts/{id}", ids: [id], query: params, shape: "Contract" }, options);
  }

  /**
   * Update a contract. An absent property keeps its value. Address and chain stay. API keys:
   * organization, website.
   *
   * `POST /api/contracts/{id}`
   */
  update(id: string, body: types.UpdateContractBody = {}, options?: Options): Promise<types.Contract> {
    return this.#transport.send({ method: "POST", path: "/api/contracts/{id}", ids: [id], body, isKeyed: true, shape: "Contract" }, options);
  }

  /**
   * Delete a contract. Refused while a live rule or token claim names it. Its address can be registered
   * again. API keys: organization, website.
   *
   * `DELETE /api/contracts/{id}`
   */
  delete(id: string, params: ContractsDeleteParams = {}, options?: Options): Promise<types.Contract> {
    return this.#transport.send({ method: "DELETE", path: "/api/contracts/{id}", ids: [id], query: params, shape: "Contract" }, options);
  }
}

export interface CurrenciesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Default true */
  excludeTokenRewardCurrencies?: boolean | undefined;
  /** true: deleted items too */
  includeDeleted?: boolean | undefined;
}

export interface CurrenciesDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface CurrenciesListExternalPostsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only items with this status */
  status?: "open" | "done" | "refused" | "cancelled" | undefined;
}

export class CurrenciesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List currencies. By sortId (unset last), then oldest first. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/loyalty/currencies`
   */
  list(params: CurrenciesListParams = {}, options?: Options): Promise<types.ListCurrency> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/currencies", query: params, shape: "ListCurrency" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: CurrenciesListParams = {}, options?: Options): AsyncGenerator<types.Currency, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a currency. decimals is how many places a page shows and cannot be changed; amounts are whole
   * units everywhere. With pointsExpireAfterDays points expire; with pointsWaitHours the rewards of
   * rules are held before they are credited. null: neither. API keys: organization, website.
   *
   * `POST /api/loyalty/currencies`
   */
  create(body: types.CreateCurrencyBody, options?: Options): Promise<types.Currency> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/currencies", body, isKeyed: true, shape: "Currency" }, options);
  }

  /**
   * Update a currency. An absent property keeps its value and null clears it; decimals is ignored. API
   * keys: organization, website.
   *
   * `POST /api/loyalty/currencies/{id}`
   */
  update(id: string, body: types.WriteCurrencyBody = {}, options?: Options): Promise<types.Currency> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/currencies/{id}", ids: [id], body, isKeyed: true, shape: "Currency" }, options);
  }

  /**
   * Delete a currency. Accounts and entries can still be read; nothing can be posted in the currency,
   * and its rules pay nothing. API keys: organization, website.
   *
   * `DELETE /api/loyalty/currencies/{id}`
   */
  delete(id: string, params: CurrenciesDeleteParams = {}, options?: Options): Promise<types.Currency> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/currencies/{id}", ids: [id], query: params, shape: "Currency" }, options);
  }

  /**
   * List the posts of a currency to its external ledger. Newest first. open: the external ledger has not
   * answered yet, and the post is sent again with the same idempotencyKey until it does. API keys:
   * organization, website.
   *
   * `GET /api/loyalty/currencies/{id}/external_posts`
   */
  listExternalPosts(id: string, params: CurrenciesListExternalPostsParams = {}, options?: Options): Promise<types.ListExternalPost> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/currencies/{id}/external_posts", ids: [id], query: params, shape: "ListExternalPost" }, options);
  }

  /** All items of `listExternalPosts`, read page by page. */
  allExternalPosts(id: string, params: CurrenciesListExternalPostsParams = {}, options?: Options): AsyncGenerator<types.ExternalPost, void, undefined> {
    return eachItem(params, (page) => this.listExternalPosts(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Reset a currency. All balances of users are debited to 0. The types with data also delete progress,
   * windows and all other rule state of the currency's rules; the type with rules also deletes these
   * rules. Entries stay. The reset of a very large currency returns pending: true after some seconds and
   * continues; clearing_jobs shows its progress. API keys: organization, website.
   *
   * `POST /api/loyalty/reset`
   */
  reset(body: types.ResetInputBody, options?: Options): Promise<types.ResetBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/reset", body, isKeyed: true, shape: "ResetBody" }, options);
  }
}

export interface FunctionsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The id, a UUID */
  id?: string | readonly string[] | undefined;
}

export interface FunctionsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** An earlier version; default: the current one */
  version?: number | undefined;
}

export interface FunctionsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface FunctionsListRunsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only items with this status */
  status?: "running" | "succeeded" | "failed" | readonly ("running" | "succeeded" | "failed")[] | undefined;
}

export class FunctionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List functions. Newest first. Secrets are never returned. API keys: organization, website.
   *
   * `GET /api/stratus/functions`
   */
  list(params: FunctionsListParams = {}, options?: Options): Promise<types.ListFunction> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/functions", query: params, shape: "ListFunction" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: FunctionsListParams = {}, options?: Options): AsyncGenerator<types.Function, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a function. The code is checked: it parses, has exactly one handler with two parameters,
   * calls setResult or fail, and returns output.buildOutput(). cron is an expression of five fields in
   * UTC. API keys: organization, website.
   *
   * `POST /api/stratus/functions`
   */
  create(body: types.CreateFunctionBody = {}, options?: Options): Promise<types.Function> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/functions", body, isKeyed: true, shape: "Function" }, options);
  }

  /**
   * Get a function. With version, the code of that version. Secrets are never returned. API keys:
   * organization, website.
   *
   * `GET /api/stratus/functions/{id}`
   */
  get(id: string, params: FunctionsGetParams = {}, options?: Options): Promise<types.Function> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/functions/{id}", ids: [id], query: params, shape: "Function" }, options);
  }

  /**
   * Update a function. An absent property keeps its value; secrets and cron can be cleared with null.
   * secrets replace all earlier ones. A changed code raises version. API keys: organization, website.
   *
   * `POST /api/stratus/functions/{id}`
   */
  update(id: string, body: types.UpdateFunctionBody = {}, options?: Options): Promise<types.Function> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/functions/{id}", ids: [id], body, isKeyed: true, shape: "Function" }, options);
  }

  /**
   * Delete a function. It no longer runs. Rules that name it are then not set up. API keys:
   * organization, website.
   *
   * `DELETE /api/stratus/functions/{id}`
   */
  delete(id: string, params: FunctionsDeleteParams = {}, options?: Options): Promise<types.Function> {
    return this.#transport.send({ method: "DELETE", path: "/api/stratus/functions/{id}", ids: [id], query: params, shape: "Function" }, options);
  }

  /**
   * Run a function and wait for its end. Waits for the end of the run, 60 seconds at most. A handler
   * that fails is a run with status failed. API keys: organization, website, function.
   *
   * `POST /api/stratus/functions/{id}/invoke`
   */
  invoke(id: string, body: types.InvokeFunctionBody = {}, options?: Options): Promise<types.InvokedFunction> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/functions/{id}/invoke", ids: [id], body, isKeyed: true, shape: "InvokedFunction" }, options);
  }

  /**
   * List the runs of a function. Newest first. Runs are stored for 30 days. API keys: organization,
   * website.
   *
   * `GET /api/stratus/functions/{id}/runs`
   */
  listRuns(id: string, params: FunctionsListRunsParams = {}, options?: Options): Promise<types.ListFunctionRun> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/functions/{id}/runs", ids: [id], query: params, shape: "ListFunctionRun" }, options);
  }

  /** All items of `listRuns`, read page by page. */
  allRuns(id: string, params: FunctionsListRunsParams = {}, options?: Options): AsyncGenerator<types.FunctionRun, void, undefined> {
    return eachItem(params, (page) => this.listRuns(id, page, options), (last) => ({ startingAfter: last.id }));
  }
}

export interface HoldsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** Only items with this status */
  status?: "held" | "captured" | "released" | "expired" | readonly ("held" | "captured" | "released" | "expired")[] | undefined;
  /** Only what is in this currency */
  loyaltyCurrencyId?: string | undefined;
}

export interface HoldsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class HoldsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List holds. Newest first. Client keys name exactly one user and send its member token. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/loyalty/holds`
   */
  list(params: HoldsListParams = {}, options?: Options): Promise<types.ListHold> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/holds", query: params, shape: "ListHold" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: HoldsListParams = {}, options?: Options): AsyncGenerator<types.Hold, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Reserve points of a user for an order. The amount is debited at once, by a transaction of type
   * order: from the member, and what its balance does not cover from its group. What is neither captured
   * nor released goes back when the hold expires. A repeated idempotencyKey with an equal input returns
   * the hold as it is now. API keys: organization, website.
   *
   * `POST /api/loyalty/holds`
   */
  create(body: types.CreateHoldBody, options?: Options): Promise<types.Hold> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/holds", body, isKeyed: true, shape: "Hold" }, options);
  }

  /**
   * Get a hold. Client keys send the member token of the hold's user. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/loyalty/holds/{id}`
   */
  get(id: string, params: HoldsGetParams = {}, options?: Options): Promise<types.Hold> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/holds/{id}", ids: [id], query: params, shape: "Hold" }, options);
  }

  /**
   * Capture a hold, or a part of it. The rest goes back in the same transaction to the accounts that
   * paid, the last payer first. A hold is captured once. API keys: organization, website.
   *
   * `POST /api/loyalty/holds/{id}/capture`
   */
  capture(id: string, body: types.CaptureHoldInputBody = {}, options?: Options): Promise<types.Hold> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/holds/{id}/capture", ids: [id], body, isKeyed: true, shape: "Hold" }, options);
  }

  /**
   * Release a hold. All goes back to the accounts that paid. API keys: organization, website.
   *
   * `POST /api/loyalty/holds/{id}/release`
   */
  release(id: string, body: types.ReleaseHoldInputBody = {}, options?: Options): Promise<types.Hold> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/holds/{id}/release", ids: [id], body, isKeyed: true, shape: "Hold" }, options);
  }
}

export class LotsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Cancel held points. The points are never credited. API keys: organization, website.
   *
   * `POST /api/loyalty/lots/{id}/cancel`
   */
  cancel(id: string, body: types.CancelLotInputBody = {}, options?: Options): Promise<types.Lot> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/lots/{id}/cancel", ids: [id], body, isKeyed: true, shape: "Lot" }, options);
  }

  /**
   * Credit held points before they are due. The points are credited by a transaction like the one that
   * granted them; the entry's metadata names the lot. API keys: organization, website.
   *
   * `POST /api/loyalty/lots/{id}/release`
   */
  release(id: string, body: types.ReleaseLotInputBody = {}, options?: Options): Promise<types.Lot> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/lots/{id}/release", ids: [id], body, isKeyed: true, shape: "Lot" }, options);
  }
}

export interface MintingAssetsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what is on this blockchain */
  network?: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify" | undefined;
  /** true: with the metadata of each asset */
  includeMetadata?: boolean | undefined;
  /** true: deleted items too */
  includeDeleted?: boolean | undefined;
  /** true: hidden ones too */
  isHidden?: boolean | undefined;
  /** true: only listed assets; false: only others */
  isListed?: boolean | undefined;
  /** Only what refers to this contract */
  contractAddress?: string | undefined;
  /** Only assets with a price in points (loyalty) or in a currency of the blockchain (native) */
  currencyType?: "loyalty" | "native" | undefined;
  /** Only what belongs to this asset */
  mintingContractAssetId?: string | undefined;
  /** Only assets of these minting contracts, up to 100 */
  mintingContractIds?: string | readonly string[] | undefined;
  /** active: can be minted now; past: no longer */
  status?: "active" | "past" | undefined;
  /** Only the asset with this token */
  tokenId?: number | readonly number[] | undefined;
  /** Assets that these have minted */
  walletAddress?: string | readonly string[] | undefined;
  /** What the list is ordered by */
  sortBy?: "price" | "startsAt" | "assetNr" | undefined;
  /** Default asc with sortBy */
  sortDir?: "asc" | "desc" | undefined;
}

export interface MintingAssetsListAllowlistParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The asset whose allowlist is listed */
  mintingContractAssetId: string;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | undefined;
}

export interface MintingAssetsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** true: with the metadata of each asset */
  includeMetadata?: boolean | undefined;
}

export interface MintingAssetsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface MintingAssetsCheckTokenGateParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** The contract of the token */
  collectionAddress: string;
  /** The asset of the gate */
  mintingContractAssetId: string;
  /** The minting contract of the gate */
  mintingContractId: string;
  /** The blockchain of the contract */
  network: "abstract" | "abstractTestnet" | "apechain" | "arbitrum" | "arbitrumGoerli" | "arbitrumSepolia" | "avalanche" | "avalancheFuji" | "base" | "baseSepolia" | "basecamp" | "berachain" | "berachainArtio" | "berachainBepolia" | "binance" | "bscTestnet" | "campTestnet" | "coti" | "cotiTestnet" | "dogeosTestnet" | "fantom" | "fantomTestnet" | "flowMainnet" | "flow_cadence" | "goerli" | "horizen" | "horizenTestnet" | "kusama" | "mainnet" | "morph" | "morphHolesky" | "morphTestnet" | "nexus" | "nexusTestnet" | "nitrograph" | "optimism" | "optimism_goerli" | "optimism_sepolia" | "polkadot" | "polygon" | "polygon_mumbai" | "sepolia" | "skaleCalypso" | "skaleEuropa" | "skaleNebula" | "solana" | "somnia" | "sophon" | "sophonTestnet" | "sui" | "superseed" | "superseedSepolia" | "vanar" | "xai" | "zksync" | "zkverify";
  /** The token that is shown at the gate */
  tokenId: string;
}

export class MintingAssetsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List minting assets. Newest first, or by sortBy, ascending unless sortDir says otherwise. active:
   * listed, with its contract, and inside its window; past: its window is over. API keys: organization,
   * website, read-only, client.
   *
   * `GET /api/minting/assets`
   */
  list(params: MintingAssetsListParams = {}, options?: Options): Promise<types.ListMintingAsset> {
    return this.#transport.send({ method: "GET", path: "/api/minting/assets", query: params, shape: "ListMintingAsset" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: MintingAssetsListParams = {}, options?: Options): AsyncGenerator<types.MintingAsset, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a minting asset. assetNr counts 1, 2, ... in the contract. API keys: organization, website.
   *
   * `POST /api/minting/assets`
   */
  create(body: types.CreateMintingAssetBody, options?: Options): Promise<types.MintingAsset> {
    return this.#transport.send({ method: "POST", path: "/api/minting/assets", body, isKeyed: true, shape: "MintingAsset" }, options);
  }

  /**
   * List the allowlist of an asset. Newest first. API keys: organization, website, read-only.
   *
   * `GET /api/minting/assets/allowlist`
   */
  listAllowlist(params: MintingAssetsListAllowlistParams, options?: Options): Promise<types.ListAllowEntry> {
    return this.#transport.send({ method: "GET", path: "/api/minting/assets/allowlist", query: params, shape: "ListAllowEntry" }, options);
  }

  /** All items of `listAllowlist`, read page by page. */
  allAllowlist(params: MintingAssetsListAllowlistParams, options?: Options): AsyncGenerator<types.AllowEntry, void, undefined> {
    return eachItem(params, (page) => this.listAllowlist(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Write entries of an asset's allowlist. A wallet that is on the list gets the new quantity;
   * createdCount counts new entries. The list holds while the asset has isAllowlisted. API keys:
   * organization, website.
   *
   * `POST /api/minting/assets/allowlist`
   */
  writeAllowlist(body: types.AllowBody, options?: Options): Promise<types.AllowOutputBody> {
    return this.#transport.send({ method: "POST", path: "/api/minting/assets/allowlist", body, isKeyed: true, shape: "AllowOutputBody" }, options);
  }

  /**
   * Get a minting asset. As lists show it, also a hidden one. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/minting/assets/{id}`
   */
  get(id: string, params: MintingAssetsGetParams = {}, options?: Options): Promise<types.MintingAsset> {
    return this.#transport.send({ method: "GET", path: "/api/minting/assets/{id}", ids: [id], query: params, shape: "MintingAsset" }, options);
  }

  /**
   * Update a minting asset. An absent property keeps its value. quantity stays at least what is minted
   * or reserved. API keys: organization, website.
   *
   * `POST /api/minting/assets/{id}`
   */
  update(id: string, body: types.UpdateMintingAssetBody = {}, options?: Options): Promise<types.MintingAsset> {
    return this.#transport.send({ method: "POST", path: "/api/minting/assets/{id}", ids: [id], body, isKeyed: true, shape: "MintingAsset" }, options);
  }

  /**
   * Delete a minting asset. Pending mints continue. API keys: organization, website.
   *
   * `DELETE /api/minting/assets/{id}`
   */
  delete(id: string, params: MintingAssetsDeleteParams = {}, options?: Options): Promise<types.MintingAsset> {
    return this.#transport.send({ method: "DELETE", path: "/api/minting/assets/{id}", ids: [id], query: params, shape: "MintingAsset" }, options);
  }

  /**
   * Check whether a token opens the gate of an asset. Whether a token opens the gate of an asset.
   * Without a reader of blockchains none does. API keys: organization, website, read-only, client.
   *
   * `GET /api/minting/token_gate`
   */
  checkTokenGate(params: MintingAssetsCheckTokenGateParams, options?: Options): Promise<types.TokenGateOutputBody> {
    return this.#transport.send({ method: "GET", path: "/api/minting/token_gate", query: params, shape: "TokenGateOutputBody" }, options);
  }
}

export interface MintingContractsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** true: only contracts that the marketplace lists */
  showOnMarketplace?: boolean | undefined;
  /** true: deleted items too */
  includeDeleted?: boolean | undefined;
}

export interface MintingContractsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface MintingContractsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class MintingContractsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List minting contracts. Newest first, each with its newest 100 assets that are not hidden. stats
   * count live assets; its sums are null where there is none. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/minting/contracts`
   */
  list(params: MintingContractsListParams = {}, options?: Options): Promise<types.ListContractsBody> {
    return this.#transport.send({ method: "GET", path: "/api/minting/contracts", query: params, shape: "ListContractsBody" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: MintingContractsListParams = {}, options?: Options): AsyncGenerator<types.MintingContract, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a minting contract. Assets of a contract that is not listed cannot be minted. A website has
   * at most 1000. API keys: organization, website.
   *
   * `POST /api/minting/contracts`
   */
  create(body: types.CreateMintingContractBody, options?: Options): Promise<types.MintingContract> {
    return this.#transport.send({ method: "POST", path: "/api/minting/contracts", body, isKeyed: true, shape: "MintingContract" }, options);
  }

  /**
   * Mint items of an asset for a user. OFFCHAIN: the points are debited and the items minted at once.
   * ONCHAIN: both are reserved until the mint is reported; one that is not reported within an hour has
   * failed, and all goes back. API keys: organization, website, client.
   *
   * `POST /api/minting/contracts/mint`
   */
  mint(body: types.MintBody, options?: Options): Promise<types.MintOutputBody> {
    return this.#transport.send({ method: "POST", path: "/api/minting/contracts/mint", body, isKeyed: true, shape: "MintOutputBody" }, options);
  }

  /**
   * Get a minting contract. As lists show it. API keys: organization, website, read-only, client.
   *
   * `GET /api/minting/contracts/{id}`
   */
  get(id: string, params: MintingContractsGetParams = {}, options?: Options): Promise<types.MintingContract> {
    return this.#transport.send({ method: "GET", path: "/api/minting/contracts/{id}", ids: [id], query: params, shape: "MintingContract" }, options);
  }

  /**
   * Update a minting contract. An absent property keeps its value. contractKind and tokenType stay. API
   * keys: organization, website.
   *
   * `POST /api/minting/contracts/{id}`
   */
  update(id: string, body: types.UpdateMintingContractBody = {}, options?: Options): Promise<types.MintingContract> {
    return this.#transport.send({ method: "POST", path: "/api/minting/contracts/{id}", ids: [id], body, isKeyed: true, shape: "MintingContract" }, options);
  }

  /**
   * Delete a minting contract. Its assets are deleted with it, with an event for each. Pending mints
   * continue. API keys: organization, website.
   *
   * `DELETE /api/minting/contracts/{id}`
   */
  delete(id: string, params: MintingContractsDeleteParams = {}, options?: Options): Promise<types.MintingContract> {
    return this.#transport.send({ method: "DELETE", path: "/api/minting/contracts/{id}", ids: [id], query: params, shape: "MintingContract" }, options);
  }
}

export interface MintsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** Only items with this status */
  status?: "generatingSignature" | "minting" | "minted" | "failed" | readonly ("generatingSignature" | "minting" | "minted" | "failed")[] | undefined;
}

export interface MintsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class MintsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List mints. Newest first. Client keys name exactly one user and send its member token. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/minting/status`
   */
  list(params: MintsListParams = {}, options?: Options): Promise<types.ListMintStatus> {
    return this.#transport.send({ method: "GET", path: "/api/minting/status", query: params, shape: "ListMintStatus" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: MintsListParams = {}, options?: Options): AsyncGenerator<types.MintStatus, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Get a mint. Client keys send the member token of the mint's user. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/minting/status/{id}`
   */
  get(id: string, params: MintsGetParams = {}, options?: Options): Promise<types.MintStatus> {
    return this.#transport.send({ method: "GET", path: "/api/minting/status/{id}", ids: [id], query: params, shape: "MintStatus" }, options);
  }

  /**
   * Report the result of a mint. Only for a pending mint. failed returns the reserved items and the
   * points. API keys: organization, website, client.
   *
   * `POST /api/minting/status/{id}`
   */
  report(id: string, body: types.ReportMintBody, options?: Options): Promise<types.ReportMintOutputBody> {
    return this.#transport.send({ method: "POST", path: "/api/minting/status/{id}", ids: [id], body, isKeyed: true, shape: "ReportMintOutputBody" }, options);
  }
}

export interface MultipliersListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** The externalIdentifier of the multiplier */
  externalIdentifier?: string | undefined;
  /** Only members with this label */
  walletGroupIdentifier?: string | undefined;
  /** true: deleted items too */
  includeDeleted?: boolean | undefined;
}

export interface MultipliersDeleteByExternalIdentifierParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Also accepted in the body */
  externalIdentifier?: string | undefined;
}

export interface MultipliersDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class MultipliersApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List multipliers. Newest first. externalIdentifier is that of the multiplier; the other filters are
   * on users. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/multipliers`
   */
  list(params: MultipliersListParams = {}, options?: Options): Promise<types.ListMultiplier> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/multipliers", query: params, shape: "ListMultiplier" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: MultipliersListParams = {}, options?: Options): AsyncGenerator<types.Multiplier, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Grant a multiplier to a user. Raises what rules and streaks pay to the user from now on;
   * transactions of callers stay as they are. Several add up: 2 and 3 give 4. An unknown wallet becomes
   * a user. API keys: organization, website.
   *
   * `POST /api/loyalty/multipliers`
   */
  create(body: types.GiveMultiplierBody, options?: Options): Promise<types.Multiplier> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/multipliers", body, isKeyed: true, shape: "Multiplier" }, options);
  }

  /**
   * End a multiplier by its externalIdentifier. externalIdentifier is sent in the query or in the body.
   * API keys: organization, website.
   *
   * `DELETE /api/loyalty/multipliers`
   */
  deleteByExternalIdentifier(body: types.DeleteNamedMultiplierInputBody = {}, options?: Options & { query?: MultipliersDeleteByExternalIdentifierParams | undefined }): Promise<types.Multiplier> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/multipliers", body, query: options?.query, shape: "Multiplier" }, options);
  }

  /**
   * Update a multiplier. An absent property keeps its value. API keys: organization, website.
   *
   * `POST /api/loyalty/multipliers/{id}`
   */
  update(id: string, body: types.UpdateMultiplierInputBody = {}, options?: Options): Promise<types.Multiplier> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/multipliers/{id}", ids: [id], body, isKeyed: true, shape: "Multiplier" }, options);
  }

  /**
   * End a multiplier. Points that were paid with the multiplier stay. API keys: organization, website.
   *
   * `DELETE /api/loyalty/multipliers/{id}`
   */
  delete(id: string, params: MultipliersDeleteParams = {}, options?: Options): Promise<types.IdBody> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/multipliers/{id}", ids: [id], query: params, shape: "IdBody" }, options);
  }
}

export interface PageSectionsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** The place of the sections */
  placement: "global" | "page";
  /** Only sections of this page */
  pageId?: string | undefined;
  /** Only sections of this type */
  pageSectionType?: "all_items" | "discovery_item" | "discovery_items_grid" | undefined;
  /** 1: sections whose window is not open, too */
  all?: "1" | undefined;
}

export interface PageSectionsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface PageSectionsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class PageSectionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the page sections of a place. Sections whose window is open, or all with all=1, by sortId: at
   * most 100. The response also has the fields of the first section, beside data. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/page_sections`
   */
  list(params: PageSectionsListParams, options?: Options): Promise<types.GetPageSectionsResponse> {
    return this.#transport.send({ method: "GET", path: "/api/page_sections", query: params, shape: "GetPageSectionsResponse" }, options);
  }

  /**
   * Create a page section. It is shown from durationStart on, and before durationEnd. API keys:
   * organization, website.
   *
   * `POST /api/page_sections`
   */
  create(body: types.CreateSectionBody, options?: Options): Promise<types.PageSection> {
    return this.#transport.send({ method: "POST", path: "/api/page_sections", body, isKeyed: true, shape: "PageSection" }, options);
  }

  /**
   * Get a page section. Whether its window is open or not. API keys: organization, website, read-only,
   * client.
   *
   * `GET /api/page_sections/{id}`
   */
  get(id: string, params: PageSectionsGetParams = {}, options?: Options): Promise<types.PageSection> {
    return this.#transport.send({ method: "GET", path: "/api/page_sections/{id}", ids: [id], query: params, shape: "PageSection" }, options);
  }

  /**
   * Update a page section. An absent property keeps its value. banner, itemsGrids and discoveryItems
   * replace the former ones; parts that are sent with their id keep it. API keys: organization, website.
   *
   * `POST /api/page_sections/{id}`
   */
  update(id: string, body: types.UpdateSectionBody = {}, options?: Options): Promise<types.PageSection> {
    return this.#transport.send({ method: "POST", path: "/api/page_sections/{id}", ids: [id], body, isKeyed: true, shape: "PageSection" }, options);
  }

  /**
   * Delete a page section. Lists no longer show it. API keys: organization, website.
   *
   * `DELETE /api/page_sections/{id}`
   */
  delete(id: string, params: PageSectionsDeleteParams = {}, options?: Options): Promise<types.PageSection> {
    return this.#transport.send({ method: "DELETE", path: "/api/page_sections/{id}", ids: [id], query: params, shape: "PageSection" }, options);
  }
}

export interface PayoutsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only items with this status */
  status?: "waiting" | "sent" | "done" | "failed" | readonly ("waiting" | "sent" | "done" | "failed")[] | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
}

export class PayoutsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the payouts of token rewards. Newest first. waiting: the payout driver has not accepted it yet,
   * or there is no driver; sent: the driver has accepted it and not reported the result; failed: it was
   * refused, or the driver could not be reached often enough; it can be retried. The metadata of the
   * entry has status and txHash too. API keys: organization, website.
   *
   * `GET /api/loyalty/payouts`
   */
  list(params: PayoutsListParams = {}, options?: Options): Promise<types.ListPayout> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/payouts", query: params, shape: "ListPayout" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: PayoutsListParams = {}, options?: Options): AsyncGenerator<types.Payout, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Retry a failed payout. The driver is called again with the same idempotencyKey, so that it does not
   * pay twice if it has paid already. API keys: organization, website.
   *
   * `POST /api/loyalty/payouts/{id}/retry`
   */
  retry(id: string, body: types.RetryPayoutInputBody = {}, options?: Options): Promise<types.Payout> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/payouts/{id}/retry", ids: [id], body, isKeyed: true, shape: "Payout" }, options);
  }
}

export class PhoneApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Send a code to a phone number (deprecated). Sends six digits by SMS, valid for 10 minutes, and
   * returns once the operator's gateway has accepted the message. A new code ends the one before. At
   * most one code per 30 seconds and five per hour, per number and per user: then 429 with Retry-After.
   * Client keys name the user and send its member token. API keys: organization, website, client.
   *
   * `POST /api/phone/auth`
   *
   * @deprecated the same as the operation under /api/phone_verifications, without data around the answer.
   */
  sendCode(body: types.SendPhoneCodeInputBody, options?: Options): Promise<types.CodeSent> {
    return this.#transport.send({ method: "POST", path: "/api/phone/auth", body, isKeyed: true, shape: "CodeSent" }, options);
  }

  /**
   * Connect a phone number by its code (deprecated). Every code that was checked is answered with 200.
   * error is INVALID_CODE, CODE_EXPIRED, TOO_MANY_ATTEMPTS after five wrong codes, or
   * MAXIMUM_ACCOUNT_LINKED, if another user has connected the number: accountLinkData then moves it by
   * POST /api/users/verify. API keys: organization, website, client.
   *
   * `POST /api/phone/auth/connect`
   *
   * @deprecated the same as the operation under /api/phone_verifications, without data around the answer.
   */
  connect(body: types.ConnectPhoneBody, options?: Options): Promise<types.ConnectedAccount> {
    return this.#transport.send({ method: "POST", path: "/api/phone/auth/connect", body, isKeyed: true, shape: "ConnectedAccount" }, options);
  }

  /**
   * Disconnect the phone number of a user (deprecated). Clears the number and takes the badges back that
   * rules of type connected_phone have granted. API keys: organization, website, client.
   *
   * `POST /api/phone/auth/disconnect`
   *
   * @deprecated the same as the operation under /api/phone_verifications, without data around the answer.
   */
  disconnect(body: types.DisconnectPhoneInputBody = {}, options?: Options): Promise<types.Disconnected> {
    return this.#transport.send({ method: "POST", path: "/api/phone/auth/disconnect", body, isKeyed: true, shape: "Disconnected" }, options);
  }
}

export class PhoneVerificationsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Send a code to a phone number. Sends six digits by SMS, valid for 10 minutes, and returns once the
   * operator's gateway has accepted the message. A new code ends the one before. At most one code per 30
   * seconds and five per hour, per number and per user: then 429 with Retry-After. Client keys name the
   * user and send its member token. API keys: organization, website, client.
   *
   * `POST /api/phone_verifications`
   */
  sendCode(body: types.SendPhoneCodeInputBody, options?: Options): Promise<types.DataCodeSent> {
    return this.#transport.send({ method: "POST", path: "/api/phone_verifications", body, isKeyed: true, shape: "DataCodeSent" }, options);
  }

  /**
   * Connect a phone number by its code. Every code that was checked is answered with 200. error is
   * INVALID_CODE, CODE_EXPIRED, TOO_MANY_ATTEMPTS after five wrong codes, or MAXIMUM_ACCOUNT_LINKED, if
   * another user has connected the number: accountLinkData then moves it by POST /api/users/verify. API
   * keys: organization, website, client.
   *
   * `POST /api/phone_verifications/connect`
   */
  connect(body: types.ConnectPhoneBody, options?: Options): Promise<types.DataConnectedAccount> {
    return this.#transport.send({ method: "POST", path: "/api/phone_verifications/connect", body, isKeyed: true, shape: "DataConnectedAccount" }, options);
  }

  /**
   * Disconnect the phone number of a user. Clears the number and takes the badges back that rules of
   * type connected_phone have granted. API keys: organization, website, client.
   *
   * `POST /api/phone_verifications/disconnect`
   */
  disconnect(body: types.DisconnectPhoneInputBody = {}, options?: Options): Promise<types.DataDisconnected> {
    return this.#transport.send({ method: "POST", path: "/api/phone_verifications/disconnect", body, isKeyed: true, shape: "DataDisconnected" }, options);
  }
}

export interface QuestionResponsesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only answers to these questions, up to 100 */
  questionsId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | undefined;
}

export class QuestionResponsesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List answers to questions. Newest first. It says which choices are correct once the user can no
   * longer answer. Client keys name their user by userId and send its member token. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/loyalty/questions_responses`
   */
  list(params: QuestionResponsesListParams = {}, options?: Options): Promise<types.ListQuestionResponse> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/questions_responses", query: params, shape: "ListQuestionResponse" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: QuestionResponsesListParams = {}, options?: Options): AsyncGenerator<types.QuestionResponse, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Answer a question. A completion of the rule is decided by this answer. If the question allows one
   * attempt, a second answer changes nothing and returns the first; the users of a group share the
   * attempt. Client keys send the user's member token. API keys: organization, website, client.
   *
   * `POST /api/loyalty/questions_responses`
   */
  respond(body: types.RespondInputBody, options?: Options): Promise<types.GivenBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/questions_responses", body, isKeyed: true, shape: "GivenBody" }, options);
  }
}

export interface QuestionsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The rules whose questions are listed, up to 100 */
  loyaltyRuleIds: string | readonly string[];
  /** No effect: a question is the same for every user */
  userId?: string | undefined;
}

export class QuestionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the questions of quizzes and polls. Newest first, of live rules. It does not say which choices
   * are correct. Client keys do not see questions of rules that they do not see. API keys: organization,
   * website, read-only, client.
   *
   * `GET /api/loyalty/questions`
   */
  list(params: QuestionsListParams, options?: Options): Promise<types.ListQuestion> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/questions", query: params, shape: "ListQuestion" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: QuestionsListParams, options?: Options): AsyncGenerator<types.Question, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create the question of a quiz or poll. A quiz needs a correct choice; a poll takes any. A rule has
   * one question. API keys: organization, website.
   *
   * `POST /api/loyalty/questions`
   */
  create(body: types.CreateQuestionBody, options?: Options): Promise<types.Question> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/questions", body, isKeyed: true, shape: "Question" }, options);
  }

  /**
   * Update a question. Choices with id are changed, where absent properties stay, those without are
   * added, and those that are missing removed. A choice that a member has given as an answer cannot be
   * removed. API keys: organization, website.
   *
   * `POST /api/loyalty/questions/{id}`
   */
  update(id: string, body: types.UpdateQuestionBody, options?: Options): Promise<types.Question> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/questions/{id}", ids: [id], body, isKeyed: true, shape: "Question" }, options);
  }
}

export class ReferralCodesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get or create a member's referral code. A member has one code per rule: if there is one already, it
   * is returned, even if another one was requested. Codes ignore case and are unique in a website.
   * Client keys send the member's token. API keys: organization, website, client.
   *
   * `POST /api/referral/codes`
   */
  create(body: types.CreateReferralCodeBody, options?: Options): Promise<types.ReferralCode> {
    return this.#transport.send({ method: "POST", path: "/api/referral/codes", body, isKeyed: true, shape: "ReferralCode" }, options);
  }
}

export interface ReferralsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
  /** The referrer */
  userId?: string | readonly string[] | undefined;
  /** The wallet of the referrer */
  walletAddress?: string | readonly string[] | undefined;
}

export class ReferralsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List referrals. Newest first. Client keys name exactly one referrer and send its member token. API
   * keys: organization, website, read-only, client.
   *
   * `GET /api/referral/users`
   */
  list(params: ReferralsListParams = {}, options?: Options): Promise<types.ListReferralItem> {
    return this.#transport.send({ method: "GET", path: "/api/referral/users", query: params, shape: "ListReferralItem" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: ReferralsListParams = {}, options?: Options): AsyncGenerator<types.ReferralItem, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Record that users came by a referral code. All of the users or none. A user is referred once per
   * rule; the referrals of a website may not form a loop. Client keys name exactly one user and send its
   * member token. API keys: organization, website, client.
   *
   * `POST /api/referral/users`
   */
  create(body: types.ReferUsersBody, options?: Options): Promise<types.Success> {
    return this.#transport.send({ method: "POST", path: "/api/referral/users", body, isKeyed: true, shape: "Success" }, options);
  }
}

export interface RuleChainsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
}

export interface RuleChainsCreateParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface RuleChainsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class RuleChainsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List rule chains. Newest first. Rules include their chains in loyaltyRuleChain. Client keys do not
   * see chains of rules that are hidden from them. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/rule_chains`
   */
  list(params: RuleChainsListParams = {}, options?: Options): Promise<types.ListRuleChain> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rule_chains", query: params, shape: "ListRuleChain" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: RuleChainsListParams = {}, options?: Options): AsyncGenerator<types.RuleChain, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Lock a rule until conditions hold. Until all conditions hold, or with OR one of them, the rule
   * cannot be completed. A condition of type rule, rules or badges refers to records by loyaltyRuleIds
   * and loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. A
   * condition of type csv holds while the wallet is on its list; one of type api never holds. API keys:
   * organization, website.
   *
   * `POST /api/loyalty/rule_chains`
   */
  create(body: types.CreateChainBody, options?: Options & { query?: RuleChainsCreateParams | undefined }): Promise<types.ChainBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rule_chains", body, query: options?.query, isKeyed: true, shape: "ChainBody" }, options);
  }

  /**
   * Delete a rule chain. Returns the chain as it was. API keys: organization, website.
   *
   * `DELETE /api/loyalty/rule_chains/{id}`
   */
  delete(id: string, params: RuleChainsDeleteParams = {}, options?: Options): Promise<types.ChainBody> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/rule_chains/{id}", ids: [id], query: params, shape: "ChainBody" }, options);
  }
}

export interface RuleEditsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The rule whose history is listed */
  loyaltyRuleId: string;
}

export class RuleEditsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the edits of a rule. Newest first: the editor and the changed properties of each edit, with the
   * values before and after. API keys: organization, website, read-only.
   *
   * `GET /api/loyalty/rule_edits`
   */
  list(params: RuleEditsListParams, options?: Options): Promise<types.ListRuleEdit> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rule_edits", query: params, shape: "ListRuleEdit" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: RuleEditsListParams, options?: Options): AsyncGenerator<types.RuleEdit, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Undo an edit. Sets the properties that the edit changed back to their former values; that is an edit
   * too. API keys: organization, website.
   *
   * `POST /api/loyalty/rule_edits/{id}/restore`
   */
  restore(id: string, body: types.RestoreEditInputBody = {}, options?: Options): Promise<types.RuleEdit> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rule_edits/{id}/restore", ids: [id], body, isKeyed: true, shape: "RuleEdit" }, options);
  }
}

export interface RuleGroupsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** true drops rules with hideInUi */
  excludeHidden?: boolean | undefined;
}

export interface RuleGroupsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class RuleGroupsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List rule groups with their rules. By sortId. A page ends before the group that would bring its
   * rules above 1000. Client keys do not see hidden rules. API keys: organization, website, read-only,
   * client.
   *
   * `GET /api/loyalty/rule_groups`
   */
  list(params: RuleGroupsListParams = {}, options?: Options): Promise<types.ListRuleGroup> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rule_groups", query: params, shape: "ListRuleGroup" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: RuleGroupsListParams = {}, options?: Options): AsyncGenerator<types.RuleGroup, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a rule group. Without sortId the group comes last. A rule joins it by its loyaltyRuleGroupId.
   * API keys: organization, website.
   *
   * `POST /api/loyalty/rule_groups/create`
   */
  create(body: types.CreateGroupBody, options?: Options): Promise<types.RuleGroup> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rule_groups/create", body, isKeyed: true, shape: "RuleGroup" }, options);
  }

  /**
   * Update a rule group. An absent property keeps its value. API keys: organization, website.
   *
   * `POST /api/loyalty/rule_groups/{id}`
   */
  update(id: string, body: types.WriteGroupBody = {}, options?: Options): Promise<types.RuleGroup> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rule_groups/{id}", ids: [id], body, isKeyed: true, shape: "RuleGroup" }, options);
  }

  /**
   * Delete a rule group; its rules stay. The rules stay and are in no group. API keys: organization,
   * website.
   *
   * `DELETE /api/loyalty/rule_groups/{id}`
   */
  delete(id: string, params: RuleGroupsDeleteParams = {}, options?: Options): Promise<types.RuleGroup> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/rule_groups/{id}", ids: [id], query: params, shape: "RuleGroup" }, options);
  }
}

export interface RuleStatusesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** One or up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
}

export class RuleStatusesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List progress on rules. Progress per rule and user. Client keys name exactly one user and send its
   * member token. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/rule_statuses`
   */
  list(params: RuleStatusesListParams = {}, options?: Options): Promise<types.ListRuleStatus> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rule_statuses", query: params, shape: "ListRuleStatus" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: RuleStatusesListParams = {}, options?: Options): AsyncGenerator<types.RuleStatus, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Write progress on a rule. Progress is limited to the range from 0 to the rule's target. The call
   * pays no reward: a completion does. API keys: organization, website.
   *
   * `POST /api/loyalty/rule_statuses`
   */
  write(body: types.WriteStatusInputBody, options?: Options): Promise<types.RuleStatus> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rule_statuses", body, isKeyed: true, shape: "RuleStatus" }, options);
  }
}

export interface RulesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Rules of these groups; several share one cursor */
  loyaltyRuleGroupId?: string | readonly string[] | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
  /** Rules whose allotment list has one of the users */
  allotedToUserId?: string | readonly string[] | undefined;
  /** Only rules whose allotment list has a member of this group */
  allotedUserGroupId?: string | undefined;
  /** Only rules about this contract */
  collectionAddress?: string | undefined;
  /** true: deleted items too */
  includeDeleted?: boolean | undefined;
  /** true: started and not ended; false: the rest */
  isActive?: boolean | undefined;
  /** true: only honeypots, which are left out otherwise */
  isSpecial?: boolean | undefined;
}

export interface RulesListCompletionsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
}

export interface RulesDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** true: each user is debited by what the rule paid, at most down to 0 */
  debitLoyaltyPoints?: boolean | undefined;
}

export interface RulesListCodesParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** true: only redeemed codes; false: only others */
  redeemed?: boolean | undefined;
}

export interface RulesListImportsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface RulesListReplaysParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface RulesListRunsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only items with this status */
  status?: "pending" | "processing" | "complete" | "failed" | "cancelled" | readonly ("pending" | "processing" | "complete" | "failed" | "cancelled")[] | undefined;
}

export class RulesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List rules. Newest first. Client keys do not see hidden rules, nor rules that have not started
   * unless showBeforeStart. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/rules`
   */
  list(params: RulesListParams = {}, options?: Options): Promise<types.ListRuleBody> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rules", query: params, shape: "ListRuleBody" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: RulesListParams = {}, options?: Options): AsyncGenerator<types.RuleBody, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a rule. Without loyaltyCurrencyId the rule pays in the website's only currency. interval sets
   * how often a user is paid. API keys: organization, website.
   *
   * `POST /api/loyalty/rules`
   */
  create(body: types.CreateRuleBody, options?: Options): Promise<types.RuleBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rules", body, isKeyed: true, shape: "RuleBody" }, options);
  }

  /**
   * List accepted completions with their state. Accepted completions with their state. Client keys name
   * exactly one user and send its member token. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/rules/status`
   */
  listCompletions(params: RulesListCompletionsParams = {}, options?: Options): Promise<types.ListProcessingView> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rules/status", query: params, shape: "ListProcessingView" }, options);
  }

  /** All items of `listCompletions`, read page by page. */
  allCompletions(params: RulesListCompletionsParams = {}, options?: Options): AsyncGenerator<types.ProcessingView, void, undefined> {
    return eachItem(params, (page) => this.listCompletions(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Update a rule. An absent property keeps its value and null clears it; metadata is replaced as a
   * whole. type cannot be changed. API keys: organization, website.
   *
   * `POST /api/loyalty/rules/{id}`
   */
  update(id: string, body: types.WriteRuleBody = {}, options?: Options): Promise<types.RuleBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rules/{id}", ids: [id], body, isKeyed: true, shape: "RuleBody" }, options);
  }

  /**
   * Delete a rule. Points that the rule paid stay. With debitLoyaltyPoints=true they are debited, at
   * most down to 0, and its held points are cancelled; a large debit continues after the response. An
   * update with deletedAt null restores the rule. API keys: organization, website.
   *
   * `DELETE /api/loyalty/rules/{id}`
   */
  delete(id: string, params: RulesDeleteParams = {}, options?: Options): Promise<types.DeletedBody> {
    return this.#transport.send({ method: "DELETE", path: "/api/loyalty/rules/{id}", ids: [id], query: params, shape: "DeletedBody" }, options);
  }

  /**
   * List the codes of a rule. The codes that the service generated or imported for the rule, each for
   * one redemption. A large number of codes is generated in the seconds after the rule is saved: while
   * complete is false, codes are missing, and new ones appear at the front of the list. API keys:
   * organization, website.
   *
   * `GET /api/loyalty/rules/{id}/codes`
   */
  listCodes(id: string, params: RulesListCodesParams = {}, options?: Options): Promise<types.CodeList> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rules/{id}/codes", ids: [id], query: params, shape: "CodeList" }, options);
  }

  /** All items of `listCodes`, read page by page. */
  allCodes(id: string, params: RulesListCodesParams = {}, options?: Options): AsyncGenerator<types.RedemptionCode, void, undefined> {
    return eachItem(params, (page) => this.listCodes(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Complete a rule for a user. Pays at most once per window of the rule, however often it is called.
   * The texts of message are for people. A reward above the rule's maximum is cut to what is left of it.
   * idempotencyKey (external_rule only) shares one name space per website with the keys of entries: the
   * same input gets the first outcome, any other is refused. Client keys send the user's member token.
   * API keys: organization, website, client.
   *
   * `POST /api/loyalty/rules/{id}/complete`
   */
  complete(id: string, body: types.CompleteRuleInputBody = {}, options?: Options): Promise<types.CompletionBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rules/{id}/complete", ids: [id], body, isKeyed: true, shape: "CompletionBody" }, options);
  }

  /**
   * List the imports of a rule's lists. Newest first: the progress of each import of
   * loyaltyUserAllotmentCsvUrl, metadata.promoCodeCsvUrl, customRewardsCsvUrl, customRewardsApiUrl and
   * the csvUrl of conditions, and the errors of the first 100 skipped rows. A list of wallets or rewards
   * takes effect when its import is complete. API keys: organization, website.
   *
   * `GET /api/loyalty/rules/{id}/imports`
   */
  listImports(id: string, params: RulesListImportsParams = {}, options?: Options): Promise<types.ListRuleImport> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rules/{id}/imports", ids: [id], query: params, shape: "ListRuleImport" }, options);
  }

  /** All items of `listImports`, read page by page. */
  allImports(id: string, params: RulesListImportsParams = {}, options?: Options): AsyncGenerator<types.RuleImport, void, undefined> {
    return eachItem(params, (page) => this.listImports(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Replay past completions by a changed rule. Decides the completions of a period again with a changed
   * rule, from the facts that are stored with each, and pays nothing. It runs in the background; the
   * list of replays shows its progress. Refused calls are not replayed. At most ten replays of a website
   * may run at once. API keys: organization, website.
   *
   * `POST /api/loyalty/rules/{id}/replay`
   */
  replay(id: string, body: types.ReplayRuleInputBody, options?: Options): Promise<types.BegunReplay> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rules/{id}/replay", ids: [id], body, isKeyed: true, shape: "BegunReplay" }, options);
  }

  /**
   * List the replays of a rule. Newest first. A replay is stored for 30 days after its end. API keys:
   * organization, website.
   *
   * `GET /api/loyalty/rules/{id}/replays`
   */
  listReplays(id: string, params: RulesListReplaysParams = {}, options?: Options): Promise<types.ListReplayBody> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rules/{id}/replays", ids: [id], query: params, shape: "ListReplayBody" }, options);
  }

  /** All items of `listReplays`, read page by page. */
  allReplays(id: string, params: RulesListReplaysParams = {}, options?: Options): AsyncGenerator<types.ReplayBody, void, undefined> {
    return eachItem(params, (page) => this.listReplays(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * List the runs of a rule. Newest first. A rule with a frequency runs at its start and every hour,
   * day, week or month after it, until its end; runs that were missed while no server ran are made up
   * for. The numbers grow during a run. API keys: organization, website, read-only.
   *
   * `GET /api/loyalty/rules/{id}/runs`
   */
  listRuns(id: string, params: RulesListRunsParams = {}, options?: Options): Promise<types.ListRuleRun> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/rules/{id}/runs", ids: [id], query: params, shape: "ListRuleRun" }, options);
  }

  /** All items of `listRuns`, read page by page. */
  allRuns(id: string, params: RulesListRunsParams = {}, options?: Options): AsyncGenerator<types.RuleRun, void, undefined> {
    return eachItem(params, (page) => this.listRuns(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Simulate the completion of a rule. Decides a completion on the current facts and writes nothing. An
   * unknown wallet is treated as a new user. A completion that is decided later, such as a click, counts
   * as one that would complete, and has no rewards yet. API keys: organization, website.
   *
   * `POST /api/loyalty/rules/{id}/simulate`
   */
  simulate(id: string, body: types.SimulateRuleInputBody = {}, options?: Options): Promise<types.SimulationBody> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/rules/{id}/simulate", ids: [id], body, isKeyed: true, shape: "SimulationBody" }, options);
  }
}

export interface SubscriptionsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only subscriptions to blockchains, or to tables of the service */
  type?: "blockchain" | "platform" | undefined;
  /** true: only disabled ones; false: only others */
  disabled?: boolean | undefined;
  /** Only what refers to this contract */
  contractAddress?: string | undefined;
  /** A whole number */
  chainId?: string | undefined;
  /** Only subscriptions to this table */
  table?: "LoyaltyTransactionEntry" | "LoyaltyAccount" | "LoyaltyRule" | "LoyaltyRuleStatus" | "LoyaltyBadge" | "LoyaltyBadgeUser" | "UserMetadata" | "User" | "AuctionBid" | "MintingContractAsset" | "LoyaltyHold" | "TokenClaim" | "Subscription" | undefined;
  /** A part of the name */
  name?: string | undefined;
}

export interface SubscriptionsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface SubscriptionsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface SubscriptionsListEventsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The same as startingAfter */
  cursor?: string | undefined;
  /** One or many of pending, delivered, failed, skipped, held */
  status?: string | readonly string[] | undefined;
}

export interface SubscriptionsGetEventParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class SubscriptionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List subscriptions. Newest first. API keys: organization, website.
   *
   * `GET /api/stratus/subscriptions`
   */
  list(params: SubscriptionsListParams = {}, options?: Options): Promise<types.ListSubscription> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/subscriptions", query: params, shape: "ListSubscription" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: SubscriptionsListParams = {}, options?: Options): AsyncGenerator<types.Subscription, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Subscribe to changes. Exactly one of blockchainSubscriptions and platformSubscriptions has items.
   * Without callbackUrl and functionIds events are only recorded. No key implies organizationId and
   * websiteId here. Events from now on are delivered within seconds, at least once, and always with the
   * same id. API keys: organization, website.
   *
   * `POST /api/stratus/subscriptions`
   */
  create(body: types.CreateSubscriptionBody, options?: Options): Promise<types.Subscription> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions", body, isKeyed: true, shape: "Subscription" }, options);
  }

  /**
   * Get a subscription. Deleted subscriptions too. API keys: organization, website.
   *
   * `GET /api/stratus/subscriptions/{id}`
   */
  get(id: string, params: SubscriptionsGetParams = {}, options?: Options): Promise<types.Subscription> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/subscriptions/{id}", ids: [id], query: params, shape: "Subscription" }, options);
  }

  /**
   * Update a subscription. An absent property keeps its value. The groups cannot change. API keys:
   * organization, website.
   *
   * `POST /api/stratus/subscriptions/{id}`
   */
  update(id: string, body: types.UpdateSubscriptionBody = {}, options?: Options): Promise<types.Subscription> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions/{id}", ids: [id], body, isKeyed: true, shape: "Subscription" }, options);
  }

  /**
   * Delete a subscription. Pending deliveries are dropped. The history can be read for 30 days. API
   * keys: organization, website.
   *
   * `DELETE /api/stratus/subscriptions/{id}`
   */
  delete(id: string, params: SubscriptionsDeleteParams = {}, options?: Options): Promise<types.Subscription> {
    return this.#transport.send({ method: "DELETE", path: "/api/stratus/subscriptions/{id}", ids: [id], query: params, shape: "Subscription" }, options);
  }

  /**
   * Enable a subscription that was disabled. With replay, which is the default, events that were held
   * meanwhile are sent; without it they are skipped. API keys: organization, website.
   *
   * `POST /api/stratus/subscriptions/{id}/enable`
   */
  enable(id: string, body: types.EnableInputBody = {}, options?: Options): Promise<types.Subscription> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions/{id}/enable", ids: [id], body, isKeyed: true, shape: "Subscription" }, options);
  }

  /**
   * List the events of a subscription. Newest first, of the last 30 days. API keys: organization,
   * website.
   *
   * `GET /api/stratus/subscriptions/{id}/events`
   */
  listEvents(id: string, params: SubscriptionsListEventsParams = {}, options?: Options): Promise<types.ListEvent> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/subscriptions/{id}/events", ids: [id], query: params, shape: "ListEvent" }, options);
  }

  /** All items of `listEvents`, read page by page. */
  allEvents(id: string, params: SubscriptionsListEventsParams = {}, options?: Options): AsyncGenerator<types.Event, void, undefined> {
    return eachItem(params, (page) => this.listEvents(id, page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Get an event with all attempts. With every attempt, oldest first. API keys: organization, website.
   *
   * `GET /api/stratus/subscriptions/{id}/events/{eventId}`
   */
  getEvent(id: string, eventId: string, params: SubscriptionsGetEventParams = {}, options?: Options): Promise<types.StoriedEvent> {
    return this.#transport.send({ method: "GET", path: "/api/stratus/subscriptions/{id}/events/{eventId}", ids: [id, eventId], query: params, shape: "StoriedEvent" }, options);
  }

  /**
   * Redeliver an event. One more attempt, which does not count in the schedule of retries. The event
   * keeps its id. API keys: organization, website.
   *
   * `POST /api/stratus/subscriptions/{id}/events/{eventId}/redeliver`
   */
  redeliverEvent(id: string, eventId: string, body: types.RedeliverInputBody = {}, options?: Options): Promise<types.Event> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions/{id}/events/{eventId}/redeliver", ids: [id, eventId], body, isKeyed: true, shape: "Event" }, options);
  }

  /**
   * Redeliver the events of a period. By the time of the event, from inclusive, to exclusive; at most
   * 10,000 events. API keys: organization, website.
   *
   * `POST /api/stratus/subscriptions/{id}/redeliver`
   */
  redeliver(id: string, body: types.RangeInputBody = {}, options?: Options): Promise<types.Queued> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions/{id}/redeliver", ids: [id], body, isKeyed: true, shape: "Queued" }, options);
  }

  /**
   * Replace the signing key. v2 signs with the former keys as well for 24 hours; v1 signs with the new
   * one at once. API keys: organization, website.
   *
   * `POST /api/stratus/subscriptions/{id}/rotate_key`
   */
  rotateKey(id: string, body: types.ActInputBody = {}, options?: Options): Promise<types.Subscription> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions/{id}/rotate_key", ids: [id], body, isKeyed: true, shape: "Subscription" }, options);
  }

  /**
   * Send a test event. Sends one event with sample data and "test": true. It does not trigger rules. API
   * keys: organization, website.
   *
   * `POST /api/stratus/subscriptions/{id}/test`
   */
  sendTest(id: string, body: types.TestInputBody = {}, options?: Options): Promise<types.Event> {
    return this.#transport.send({ method: "POST", path: "/api/stratus/subscriptions/{id}/test", ids: [id], body, isKeyed: true, shape: "Event" }, options);
  }
}

export interface TokenClaimsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only claims of this contract */
  contractId?: string | undefined;
}

export interface TokenClaimsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | undefined;
}

export interface TokenClaimsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface TokenClaimsCheckEligibilityParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress: string;
}

export interface TokenClaimsGetProofParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress: string;
}

export interface TokenClaimsListUsersParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | undefined;
  /** Default amount */
  sortBy?: "claimedAt" | "amount" | undefined;
  /** Default desc */
  sortOrder?: "asc" | "desc" | undefined;
}

export class TokenClaimsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List token claims. Newest first. Drafts are shown to secret keys only. API keys: organization,
   * website, read-only, client.
   *
   * `GET /api/token_claims`
   */
  list(params: TokenClaimsListParams = {}, options?: Options): Promise<types.ListTokenClaim> {
    return this.#transport.send({ method: "GET", path: "/api/token_claims", query: params, shape: "ListTokenClaim" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: TokenClaimsListParams = {}, options?: Options): AsyncGenerator<types.TokenClaim, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a token claim. The list of csvUrl has the columns walletAddress and amount, and at most
   * 1,000,000 rows and 50 MiB. It is read by a data job; merkleRoot is set when that is complete. Bad
   * rows are skipped and counted in the job's message; if a wallet is repeated, its last row counts. API
   * keys: organization, website.
   *
   * `POST /api/token_claims`
   */
  create(body: types.CreateTokenClaimBody, options?: Options): Promise<types.TokenClaim> {
    return this.#transport.send({ method: "POST", path: "/api/token_claims", body, isKeyed: true, shape: "TokenClaim" }, options);
  }

  /**
   * Get a token claim with what a wallet may claim. With the latest data job. With walletAddress it
   * includes the total that the wallet may claim, and its proof if the wallet is on the list. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/token_claims/{id}`
   */
  get(id: string, params: TokenClaimsGetParams = {}, options?: Options): Promise<types.WholeTokenClaim> {
    return this.#transport.send({ method: "GET", path: "/api/token_claims/{id}", ids: [id], query: params, shape: "WholeTokenClaim" }, options);
  }

  /**
   * Update a token claim. An absent property keeps its value. csvUrl imports the list, even if it was
   * imported before. After the first claim the list and the decimals cannot change. API keys:
   * organization, website.
   *
   * `POST /api/token_claims/{id}`
   */
  update(id: string, body: types.UpdateTokenClaimBody = {}, options?: Options): Promise<types.TokenClaim> {
    return this.#transport.send({ method: "POST", path: "/api/token_claims/{id}", ids: [id], body, isKeyed: true, shape: "TokenClaim" }, options);
  }

  /**
   * Delete a token claim. Ends the data job, too. API keys: organization, website.
   *
   * `DELETE /api/token_claims/{id}`
   */
  delete(id: string, params: TokenClaimsDeleteParams = {}, options?: Options): Promise<types.TokenClaim> {
    return this.#transport.send({ method: "DELETE", path: "/api/token_claims/{id}", ids: [id], query: params, shape: "TokenClaim" }, options);
  }

  /**
   * Report that a wallet has claimed. A wallet claims all that is allocated to it, once. Client keys
   * send its member token; through secret keys an unknown wallet becomes a user. API keys: organization,
   * website, client.
   *
   * `POST /api/token_claims/{id}/claim`
   */
  claim(id: string, body: types.ClaimTokenBody, options?: Options): Promise<types.ClaimReceipt> {
    return this.#transport.send({ method: "POST", path: "/api/token_claims/{id}/claim", ids: [id], body, isKeyed: true, shape: "ClaimReceipt" }, options);
  }

  /**
   * Check whether a wallet may claim now. The country of the caller is taken from a trusted proxy;
   * without one no country is blocked. API keys: organization, website, read-only, client.
   *
   * `GET /api/token_claims/{id}/eligibility`
   */
  checkEligibility(id: string, params: TokenClaimsCheckEligibilityParams, options?: Options): Promise<types.ClaimEligibility> {
    return this.#transport.send({ method: "GET", path: "/api/token_claims/{id}/eligibility", ids: [id], query: params, shape: "ClaimEligibility" }, options);
  }

  /**
   * Get the Merkle proof of a wallet. Verifies against merkleRoot as OpenZeppelin's MerkleProof does:
   * the leaf is keccak256(keccak256(abi.encode(address, uint256))) of the wallet and the allocation in
   * smallest units. API keys: organization, website, read-only, client.
   *
   * `GET /api/token_claims/{id}/proof`
   */
  getProof(id: string, params: TokenClaimsGetProofParams, options?: Options): Promise<types.ClaimProof> {
    return this.#transport.send({ method: "GET", path: "/api/token_claims/{id}/proof", ids: [id], query: params, shape: "ClaimProof" }, options);
  }

  /**
   * List the wallets of a token claim. By claimedAt, wallets that have not claimed come last. The user's
   * id is null until the wallet is a user. API keys: organization, website, read-only.
   *
   * `GET /api/token_claims/{id}/users`
   */
  listUsers(id: string, params: TokenClaimsListUsersParams = {}, options?: Options): Promise<types.ListClaimUser> {
    return this.#transport.send({ method: "GET", path: "/api/token_claims/{id}/users", ids: [id], query: params, shape: "ListClaimUser" }, options);
  }

  /** All items of `listUsers`, read page by page. */
  allUsers(id: string, params: TokenClaimsListUsersParams = {}, options?: Options): AsyncGenerator<types.ClaimUser, void, undefined> {
    return eachItem(params, (page) => this.listUsers(id, page, options), (last) => ({ startingAfter: last.id }));
  }
}

export interface TransactionEntriesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only members with this label */
  walletGroupIdentifier?: string | undefined;
  /** Only entries of this transaction */
  loyaltyTransactionId?: string | undefined;
  /** Only entries of this account, also of a main account */
  loyaltyAccountId?: string | undefined;
  /** Only what belongs to these rules, up to 100 */
  loyaltyRuleId?: string | readonly string[] | undefined;
  /** Only entries of rules of these types, up to 100 */
  loyaltyRuleType?: string | readonly string[] | undefined;
  /** Only the entry with this key */
  idempotencyKey?: string | undefined;
  /** Only entries with this cause (contract 2) */
  type?: "auction_bid" | "direct_mint" | "loyalty_rule" | "api_key" | "order" | undefined;
  /** Only credits, or only debits */
  direction?: "credit" | "debit" | undefined;
  /** What the list is ordered by */
  sortBy?: "createdAt" | "updatedAt" | "loyaltyAccountLockVersion" | undefined;
  /** Ascending or descending order */
  sortDir?: "asc" | "desc" | undefined;
  /** The entries that still close the windows of these rules for the named user */
  userCompletedLoyaltyRuleId?: string | readonly string[] | undefined;
  /** Inclusive. RFC 3339 with an offset, or a date for 00:00 UTC */
  createdAtStart?: string | undefined;
  /** Exclusive. Form as createdAtStart */
  createdAtEnd?: string | undefined;
  /** Only entries of rules in this group */
  loyaltyRuleGroupId?: string | undefined;
  /** Only what is in this currency */
  loyaltyCurrencyId?: string | readonly string[] | undefined;
}

export class TransactionEntriesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List transaction entries. Entries of users, newest first. Main accounts by userId= (empty) or
   * loyaltyAccountId. Client keys name exactly one user and send its member token. API keys:
   * organization, website, read-only, client.
   *
   * `GET /api/loyalty/transaction_entries`
   */
  list(params: TransactionEntriesListParams = {}, options?: Options): Promise<types.ListEntry> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/transaction_entries", query: params, shape: "ListEntry" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: TransactionEntriesListParams = {}, options?: Options): AsyncGenerator<types.Entry, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }
}

export class TransactionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Post a transaction: all entries or none. An unknown wallet becomes a user. A balance never falls
   * below 0. idempotencyKey is unique on the website forever, together with the keys of completions. If
   * all keyed entries repeat an earlier transaction with the same input, that transaction is returned;
   * any other reuse is refused. API keys: organization, website.
   *
   * `POST /api/loyalty/transactions`
   */
  post(body: types.PostTransactionInputBody, options?: Options): Promise<types.Transaction> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/transactions", body, isKeyed: true, shape: "Transaction" }, options);
  }

  /**
   * Reverse the transaction that an idempotency key belongs to. The answer is a transaction of the same
   * type with the opposite entries; each has metadata.reversalOf. What a balance no longer covers stays
   * with the member; with the policy reverse the account owes it (receivable), and later credits pay. A
   * reversal that a balance covers in part counts as whole. Held points are cancelled. Caps and streaks
   * stay, and the window of a rule stays closed unless reopen is true. With recheckBadges, badges whose
   * conditions no longer hold are revoked, and their rewards taken back as far as balances go. API keys:
   * organization, website.
   *
   * `POST /api/loyalty/transactions/reverse`
   */
  reverseByKey(body: types.ReverseByKeyInputBody, options?: Options): Promise<types.Transaction> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/transactions/reverse", body, isKeyed: true, shape: "Transaction" }, options);
  }

  /**
   * Reverse a transaction, or a part of it. The answer is a transaction of the same type with the
   * opposite entries; each has metadata.reversalOf. What a balance no longer covers stays with the
   * member; with the policy reverse the account owes it (receivable), and later credits pay. A reversal
   * that a balance covers in part counts as whole. Held points are cancelled. Caps and streaks stay, and
   * the window of a rule stays closed unless reopen is true. With recheckBadges, badges whose conditions
   * no longer hold are revoked, and their rewards taken back as far as balances go. API keys:
   * organization, website.
   *
   * `POST /api/loyalty/transactions/{id}/reverse`
   */
  reverse(id: string, body: types.ReverseTransactionInputBody = {}, options?: Options): Promise<types.Transaction> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/transactions/{id}/reverse", ids: [id], body, isKeyed: true, shape: "Transaction" }, options);
  }
}

export interface UsersListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only what belongs to members of this group */
  userGroupId?: string | undefined;
  /** Only what belongs to members of the group with this identifier of yours */
  userGroupExternalIdentifier?: string | undefined;
  /** The same as walletAddress */
  address?: string | readonly string[] | undefined;
  /** Only members with this identifier of yours */
  externalIdentifier?: string | undefined;
  /** Secret keys only */
  emailAddress?: string | undefined;
  /** Secret keys only */
  phoneNumber?: string | undefined;
  /** Only the member with this user name on the microblog */
  microblogUser?: string | undefined;
  /** Only the member with this user name on the chat server */
  chatServerUser?: string | undefined;
  /** Only the member with this id on the messenger */
  messengerUserId?: string | undefined;
  /** Only the member with this user name on the messenger */
  messengerUsername?: string | undefined;
  /** Only the member with this user name on the short video platform */
  shortVideoUser?: string | undefined;
  /** Only the member with this user name in the forum */
  forumPlatformUser?: string | undefined;
  /** Only the member with this id in the forum */
  forumPlatformUserId?: string | undefined;
  /** Only the member with this id in the game store */
  gameStoreUserId?: string | undefined;
  /** Only the member with this user name in the game store */
  gameStoreUsername?: string | undefined;
  /** Only the member with this user name on the code host */
  codeHostUser?: string | undefined;
  /** true: with the wallets that delegate to each member */
  includeDelegation?: boolean | undefined;
}

export interface UsersCountParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersListDelegationsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only delegations of this wallet */
  delegatorWalletAddress?: string | readonly string[] | undefined;
}

export interface UsersGetDelegationParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersDeleteDelegationParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersListDevicesParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
}

export interface UsersGetDeviceParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersListImportsParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface UsersGetImportParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersMeParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersListMetadataParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | readonly string[] | undefined;
  /** Only what belongs to these members, by identifier; up to 100 */
  walletAddress?: string | readonly string[] | undefined;
  /** Only members with this identifier of yours */
  externalIdentifier?: string | undefined;
  /** Part of a wallet, display name, user name, external identifier or, for secret keys, e-mail address */
  userSearch?: string | undefined;
}

export interface UsersGetMetadataParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface UsersGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** true: with the wallets that delegate to each member */
  includeDelegation?: boolean | undefined;
}

export class UsersApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List users. Newest first. Client keys name exactly one user and send its member token; only secret
   * keys see and filter by e-mail and phone. API keys: organization, website, read-only, client.
   *
   * `GET /api/users`
   */
  list(params: UsersListParams = {}, options?: Options): Promise<types.ListUser> {
    return this.#transport.send({ method: "GET", path: "/api/users", query: params, shape: "ListUser" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: UsersListParams = {}, options?: Options): AsyncGenerator<types.User, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Connect a wallet. Makes sure that the wallet has a user and, with userId, joins both in one group.
   * Client keys send a signature of the wallet and, with userId, the member token of that user. If a
   * signature was checked, the response has a member token; a response that is repeated for an
   * Idempotency-Key has none. API keys: organization, website, client.
   *
   * `POST /api/users/connect`
   */
  connect(body: types.ConnectBody, options?: Options): Promise<types.ConnectedUser> {
    return this.#transport.send({ method: "POST", path: "/api/users/connect", body, isKeyed: true, shape: "ConnectedUser" }, options);
  }

  /**
   * Count users. Users with metadata or an account in the website. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/users/count`
   */
  count(params: UsersCountParams = {}, options?: Options): Promise<types.UserCount> {
    return this.#transport.send({ method: "GET", path: "/api/users/count", query: params, shape: "UserCount" }, options);
  }

  /**
   * List delegations of cold wallets. Newest first. API keys: organization, website, read-only.
   *
   * `GET /api/users/delegations`
   */
  listDelegations(params: UsersListDelegationsParams = {}, options?: Options): Promise<types.ListDelegation> {
    return this.#transport.send({ method: "GET", path: "/api/users/delegations", query: params, shape: "ListDelegation" }, options);
  }

  /** All items of `listDelegations`, read page by page. */
  allDelegations(params: UsersListDelegationsParams = {}, options?: Options): AsyncGenerator<types.Delegation, void, undefined> {
    return eachItem(params, (page) => this.listDelegations(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Delegate a cold wallet to a user. What the cold wallet holds then counts for the user. A cold wallet
   * delegates to one user of a website: a second delegation replaces the first. Client keys send a
   * signature of the cold wallet, and the member token of the user. API keys: organization, website,
   * client.
   *
   * `POST /api/users/delegations`
   */
  delegate(body: types.DelegateBody, options?: Options): Promise<types.Delegation> {
    return this.#transport.send({ method: "POST", path: "/api/users/delegations", body, isKeyed: true, shape: "Delegation" }, options);
  }

  /**
   * Get a delegation. A delegation as the list shows it. API keys: organization, website, read-only.
   *
   * `GET /api/users/delegations/{id}`
   */
  getDelegation(id: string, params: UsersGetDelegationParams = {}, options?: Options): Promise<types.Delegation> {
    return this.#transport.send({ method: "GET", path: "/api/users/delegations/{id}", ids: [id], query: params, shape: "Delegation" }, options);
  }

  /**
   * Delete a delegation. The cold wallet may delegate again. API keys: organization, website.
   *
   * `DELETE /api/users/delegations/{id}`
   */
  deleteDelegation(id: string, params: UsersDeleteDelegationParams = {}, options?: Options): Promise<types.IdBody> {
    return this.#transport.send({ method: "DELETE", path: "/api/users/delegations/{id}", ids: [id], query: params, shape: "IdBody" }, options);
  }

  /**
   * List devices of members. Newest first. API keys: organization, website.
   *
   * `GET /api/users/devices`
   */
  listDevices(params: UsersListDevicesParams = {}, options?: Options): Promise<types.ListDevice> {
    return this.#transport.send({ method: "GET", path: "/api/users/devices", query: params, shape: "ListDevice" }, options);
  }

  /** All items of `listDevices`, read page by page. */
  allDevices(params: UsersListDevicesParams = {}, options?: Options): AsyncGenerator<types.Device, void, undefined> {
    return eachItem(params, (page) => this.listDevices(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Store a device of a member. A device that is stored already is returned as it is. Client keys send
   * the user's member token. API keys: organization, website, client.
   *
   * `POST /api/users/devices`
   */
  storeDevice(body: types.DeviceBody, options?: Options): Promise<types.Device> {
    return this.#transport.send({ method: "POST", path: "/api/users/devices", body, isKeyed: true, shape: "Device" }, options);
  }

  /**
   * Get a device of a member. A device as the list shows it. API keys: organization, website.
   *
   * `GET /api/users/devices/{id}`
   */
  getDevice(id: string, params: UsersGetDeviceParams = {}, options?: Options): Promise<types.Device> {
    return this.#transport.send({ method: "GET", path: "/api/users/devices/{id}", ids: [id], query: params, shape: "Device" }, options);
  }

  /**
   * Take a user out of its group. The user leaves its group, with its balances and entries. API keys:
   * organization, website.
   *
   * `POST /api/users/disconnect`
   */
  disconnect(body: types.LeaveGroupInputBody, options?: Options): Promise<types.Success> {
    return this.#transport.send({ method: "POST", path: "/api/users/disconnect", body, isKeyed: true, shape: "Success" }, options);
  }

  /**
   * List imports of members. Newest first, with what came of each. API keys: organization, website.
   *
   * `GET /api/users/imports`
   */
  listImports(params: UsersListImportsParams = {}, options?: Options): Promise<types.ListMemberImport> {
    return this.#transport.send({ method: "GET", path: "/api/users/imports", query: params, shape: "ListMemberImport" }, options);
  }

  /** All items of `listImports`, read page by page. */
  allImports(params: UsersListImportsParams = {}, options?: Options): AsyncGenerator<types.MemberImport, void, undefined> {
    return eachItem(params, (page) => this.listImports(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Import members from a file. The first row of the file names its columns: walletAddress, and any of
   * externalIdentifier, displayName, emailAddress, phoneNumber, joinedAt and balance. A data job checks
   * all rows, at most 1,000,000 and 50 MiB; if one is bad, nothing is imported. An empty field keeps
   * what is stored. A balance is credited once per member and import, and counts as neither issued nor a
   * completion. API keys: organization, website.
   *
   * `POST /api/users/imports`
   */
  createImport(body: types.ImportMembersBody = {}, options?: Options): Promise<types.MemberImport> {
    return this.#transport.send({ method: "POST", path: "/api/users/imports", body, isKeyed: true, shape: "MemberImport" }, options);
  }

  /**
   * Get an import of members. The import as the list shows it. API keys: organization, website.
   *
   * `GET /api/users/imports/{id}`
   */
  getImport(id: string, params: UsersGetImportParams = {}, options?: Options): Promise<types.MemberImport> {
    return this.#transport.send({ method: "GET", path: "/api/users/imports/{id}", ids: [id], query: params, shape: "MemberImport" }, options);
  }

  /**
   * Get the member of the token. The member of the token, with its accounts, ranks and group. API keys:
   * client.
   *
   * `GET /api/users/me`
   */
  me(params: UsersMeParams = {}, options?: Options): Promise<types.Self> {
    return this.#transport.send({ method: "GET", path: "/api/users/me", query: params, shape: "Self" }, options);
  }

  /**
   * List the metadata of users. Newest first. A search that takes too long is refused: other filters are
   * quick. API keys: organization, website, read-only.
   *
   * `GET /api/users/metadatas`
   */
  listMetadata(params: UsersListMetadataParams = {}, options?: Options): Promise<types.ListMetadata> {
    return this.#transport.send({ method: "GET", path: "/api/users/metadatas", query: params, shape: "ListMetadata" }, options);
  }

  /** All items of `listMetadata`, read page by page. */
  allMetadata(params: UsersListMetadataParams = {}, options?: Options): AsyncGenerator<types.Metadata, void, undefined> {
    return eachItem(params, (page) => this.listMetadata(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create or change a user's metadata. An absent field keeps its value and null clears it. A new wallet
   * becomes a user. API keys: organization, website.
   *
   * `POST /api/users/metadatas`
   */
  writeMetadata(body: types.WriteMetadataInputBody = {}, options?: Options): Promise<types.Metadata> {
    return this.#transport.send({ method: "POST", path: "/api/users/metadatas", body, isKeyed: true, shape: "Metadata" }, options);
  }

  /**
   * Get the metadata of a user by its id. Metadata as the list shows it. API keys: organization,
   * website, read-only.
   *
   * `GET /api/users/metadatas/{id}`
   */
  getMetadata(id: string, params: UsersGetMetadataParams = {}, options?: Options): Promise<types.Metadata> {
    return this.#transport.send({ method: "GET", path: "/api/users/metadatas/{id}", ids: [id], query: params, shape: "Metadata" }, options);
  }

  /**
   * Issue a member token. The token proves the user to this service when a client key is used. It is
   * shown once: a response that is repeated for an Idempotency-Key has no token. API keys: organization,
   * website.
   *
   * `POST /api/users/tokens`
   */
  createToken(body: types.IssueTokenInputBody = {}, options?: Options): Promise<types.Token> {
    return this.#transport.send({ method: "POST", path: "/api/users/tokens", body, isKeyed: true, shape: "Token" }, options);
  }

  /**
   * Revoke all earlier member tokens of a user. Tokens that are issued afterwards are valid. API keys:
   * organization, website.
   *
   * `POST /api/users/tokens/revoke`
   */
  revokeTokens(body: types.RevokeTokensInputBody, options?: Options): Promise<types.Success> {
    return this.#transport.send({ method: "POST", path: "/api/users/tokens/revoke", body, isKeyed: true, shape: "Success" }, options);
  }

  /**
   * Move an account to the user who has proved it. accountLinkData comes with the refusal
   * MAXIMUM_ACCOUNT_LINKED and is valid once, for 15 minutes. The user who held the account loses it,
   * with what was granted for being connected. Points that were earned stay. Client keys send the user's
   * member token. API keys: organization, website, client.
   *
   * `POST /api/users/verify`
   */
  moveAccount(body: types.MoveAccountInputBody, options?: Options): Promise<types.Success> {
    return this.#transport.send({ method: "POST", path: "/api/users/verify", body, isKeyed: true, shape: "Success" }, options);
  }

  /**
   * Get a user. Client keys get the user of their member token. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/users/{id}`
   */
  get(id: string, params: UsersGetParams = {}, options?: Options): Promise<types.User> {
    return this.#transport.send({ method: "GET", path: "/api/users/{id}", ids: [id], query: params, shape: "User" }, options);
  }
}

export interface WebsiteCollectionsListParams {
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId: string;
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface WebsiteCollectionsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface WebsiteCollectionsDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class WebsiteCollectionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the collections of a website. By sortId, then the oldest first. API keys: organization,
   * website, read-only, client.
   *
   * `GET /api/website_collections`
   */
  list(params: WebsiteCollectionsListParams, options?: Options): Promise<types.ListWebsiteCollection> {
    return this.#transport.send({ method: "GET", path: "/api/website_collections", query: params, shape: "ListWebsiteCollection" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: WebsiteCollectionsListParams, options?: Options): AsyncGenerator<types.WebsiteCollection, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Add a collection to a website. A live collection is unique by website, network and address. A
   * website has at most 1000. API keys: organization, website.
   *
   * `POST /api/website_collections`
   */
  create(body: types.CreateCollectionBody, options?: Options): Promise<types.WebsiteCollection> {
    return this.#transport.send({ method: "POST", path: "/api/website_collections", body, isKeyed: true, shape: "WebsiteCollection" }, options);
  }

  /**
   * Get a collection. As lists show it. API keys: organization, website, read-only, client.
   *
   * `GET /api/website_collections/{id}`
   */
  get(id: string, params: WebsiteCollectionsGetParams = {}, options?: Options): Promise<types.WebsiteCollection> {
    return this.#transport.send({ method: "GET", path: "/api/website_collections/{id}", ids: [id], query: params, shape: "WebsiteCollection" }, options);
  }

  /**
   * Update a collection. An absent property keeps its value. Address and network stay. API keys:
   * organization, website.
   *
   * `POST /api/website_collections/{id}`
   */
  update(id: string, body: types.UpdateCollectionBody = {}, options?: Options): Promise<types.WebsiteCollection> {
    return this.#transport.send({ method: "POST", path: "/api/website_collections/{id}", ids: [id], body, isKeyed: true, shape: "WebsiteCollection" }, options);
  }

  /**
   * Delete a collection. Page sections that show it show nothing in its place. API keys: organization,
   * website.
   *
   * `DELETE /api/website_collections/{id}`
   */
  delete(id: string, params: WebsiteCollectionsDeleteParams = {}, options?: Options): Promise<types.WebsiteCollection> {
    return this.#transport.send({ method: "DELETE", path: "/api/website_collections/{id}", ids: [id], query: params, shape: "WebsiteCollection" }, options);
  }
}

export interface WebsitePageSectionsListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface WebsitePageSectionsGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class WebsitePageSectionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the blocks of the loyalty page. The blocks of the loyalty page by sortId. Client keys see no
   * hidden ones. API keys: organization, website, read-only, client.
   *
   * `GET /api/loyalty/website_page_sections`
   */
  list(params: WebsitePageSectionsListParams = {}, options?: Options): Promise<types.ListWebsitePageSection> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/website_page_sections", query: params, shape: "ListWebsitePageSection" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: WebsitePageSectionsListParams = {}, options?: Options): AsyncGenerator<types.WebsitePageSection, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Set the whole layout of the loyalty page. The array is the whole layout: blocks with an id are
   * updated, blocks without are added, and blocks that are not in it are removed. All or none. API keys:
   * organization, website.
   *
   * `POST /api/loyalty/website_page_sections`
   */
  arrange(body: types.ArrangeBlocksBody, options?: Options): Promise<types.ListWebsitePageSection> {
    return this.#transport.send({ method: "POST", path: "/api/loyalty/website_page_sections", body, isKeyed: true, shape: "ListWebsitePageSection" }, options);
  }

  /**
   * Get a block of the loyalty page. Client keys see no hidden one. API keys: organization, website,
   * read-only, client.
   *
   * `GET /api/loyalty/website_page_sections/{id}`
   */
  get(id: string, params: WebsitePageSectionsGetParams = {}, options?: Options): Promise<types.WebsitePageSection> {
    return this.#transport.send({ method: "GET", path: "/api/loyalty/website_page_sections/{id}", ids: [id], query: params, shape: "WebsitePageSection" }, options);
  }
}

export interface WebsiteUserAttributesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface WebsiteUserAttributesListValuesParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** The members, up to 100 */
  userIds: string | readonly string[];
}

export interface WebsiteUserAttributesGetValueParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface WebsiteUserAttributesGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export interface WebsiteUserAttributesDeleteParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
}

export class WebsiteUserAttributesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List attributes of users. Newest first. API keys: organization, website, read-only.
   *
   * `GET /api/website_user_attributes`
   */
  list(params: WebsiteUserAttributesListParams = {}, options?: Options): Promise<types.ListUserAttribute> {
    return this.#transport.send({ method: "GET", path: "/api/website_user_attributes", query: params, shape: "ListUserAttribute" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: WebsiteUserAttributesListParams = {}, options?: Options): AsyncGenerator<types.UserAttribute, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create or change attributes of users. All or none. An item with id changes that attribute; one
   * without id creates an attribute, unless there is one with the label. API keys: organization,
   * website.
   *
   * `POST /api/website_user_attributes`
   */
  write(body: types.AttributesBody, options?: Options): Promise<types.ListUserAttribute> {
    return this.#transport.send({ method: "POST", path: "/api/website_user_attributes", body, isKeyed: true, shape: "ListUserAttribute" }, options);
  }

  /**
   * Delete the attribute of users that the body names. As with the id in the path. API keys:
   * organization, website.
   *
   * `DELETE /api/website_user_attributes`
   */
  deleteByLabel(body: types.DeleteAttributeInputBody, options?: Options): Promise<types.Success> {
    return this.#transport.send({ method: "DELETE", path: "/api/website_user_attributes", body, shape: "Success" }, options);
  }

  /**
   * List the values of users. Newest first. API keys: organization, website, read-only.
   *
   * `GET /api/website_user_attributes/values`
   */
  listValues(params: WebsiteUserAttributesListValuesParams, options?: Options): Promise<types.ListUserAttributeValue> {
    return this.#transport.send({ method: "GET", path: "/api/website_user_attributes/values", query: params, shape: "ListUserAttributeValue" }, options);
  }

  /** All items of `listValues`, read page by page. */
  allValues(params: WebsiteUserAttributesListValuesParams, options?: Options): AsyncGenerator<types.UserAttributeValue, void, undefined> {
    return eachItem(params, (page) => this.listValues(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Set values of users. A bare array, in the order of data: all or none. A user has one value of an
   * attribute: one that is written again is replaced. API keys: organization, website.
   *
   * `POST /api/website_user_attributes/values`
   */
  setValues(body: types.ValuesBody, options?: Options): Promise<types.UserAttributeValue[]> {
    return this.#transport.send({ method: "POST", path: "/api/website_user_attributes/values", body, isKeyed: true, shape: "UserAttributeValue" }, options);
  }

  /**
   * Get a value of a user. A value of a live attribute. API keys: organization, website, read-only.
   *
   * `GET /api/website_user_attributes/values/{id}`
   */
  getValue(id: string, params: WebsiteUserAttributesGetValueParams = {}, options?: Options): Promise<types.UserAttributeValue> {
    return this.#transport.send({ method: "GET", path: "/api/website_user_attributes/values/{id}", ids: [id], query: params, shape: "UserAttributeValue" }, options);
  }

  /**
   * Get an attribute of users. A live attribute. API keys: organization, website, read-only.
   *
   * `GET /api/website_user_attributes/{id}`
   */
  get(id: string, params: WebsiteUserAttributesGetParams = {}, options?: Options): Promise<types.UserAttribute> {
    return this.#transport.send({ method: "GET", path: "/api/website_user_attributes/{id}", ids: [id], query: params, shape: "UserAttribute" }, options);
  }

  /**
   * Update an attribute of users. Its values stay. API keys: organization, website.
   *
   * `POST /api/website_user_attributes/{id}`
   */
  update(id: string, body: types.UpdateAttributeBody = {}, options?: Options): Promise<types.UserAttribute> {
    return this.#transport.send({ method: "POST", path: "/api/website_user_attributes/{id}", ids: [id], body, isKeyed: true, shape: "UserAttribute" }, options);
  }

  /**
   * Delete an attribute of users. Its values are no longer shown, and its label is free. API keys:
   * organization, website.
   *
   * `DELETE /api/website_user_attributes/{id}`
   */
  delete(id: string, params: WebsiteUserAttributesDeleteParams = {}, options?: Options): Promise<types.Success> {
    return this.#transport.send({ method: "DELETE", path: "/api/website_user_attributes/{id}", ids: [id], query: params, shape: "Success" }, options);
  }
}

export interface WebsiteUserRolesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /**
   * The website. Absent: that of the key; an organization key without it sees all its websites (contract
   * 1.3)
   */
  websiteId?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
  /** Only what belongs to these members, by id; up to 100 */
  userId?: string | undefined;
}

export class WebsiteUserRolesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List the roles of users. Newest first, without revoked ones. API keys: organization, website,
   * read-only.
   *
   * `GET /api/website_user_roles`
   */
  list(params: WebsiteUserRolesListParams = {}, options?: Options): Promise<types.ListUserRole> {
    return this.#transport.send({ method: "GET", path: "/api/website_user_roles", query: params, shape: "ListUserRole" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: WebsiteUserRolesListParams = {}, options?: Options): AsyncGenerator<types.UserRole, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Grant and revoke roles. All changes or none. A role that a user has already stays as it is, and an
   * unknown wallet becomes a user. Roles of API keys mark the users who may hold such keys; no key is
   * created. API keys: organization, website.
   *
   * `POST /api/website_user_roles`
   */
  change(body: types.ChangeRolesInputBody, options?: Options): Promise<types.ChangedRoles> {
    return this.#transport.send({ method: "POST", path: "/api/website_user_roles", body, isKeyed: true, shape: "ChangedRoles" }, options);
  }
}

export interface WebsitesListParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
  /** A part of the name */
  name?: string | undefined;
  /** How many items a page has at most */
  limit?: number | undefined;
  /** The id of the last item of the page before */
  startingAfter?: string | undefined;
}

export interface WebsitesGetParams {
  /** The organization. Absent: that of the key (contract 1.3) */
  organizationId?: string | undefined;
}

export class WebsitesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List websites. Newest first. Website keys see their own only. API keys: organization, website,
   * read-only.
   *
   * `GET /api/websites`
   */
  list(params: WebsitesListParams = {}, options?: Options): Promise<types.ListWebsite> {
    return this.#transport.send({ method: "GET", path: "/api/websites", query: params, shape: "ListWebsite" }, options);
  }

  /** All items of `list`, read page by page. */
  all(params: WebsitesListParams = {}, options?: Options): AsyncGenerator<types.Website, void, undefined> {
    return eachItem(params, (page) => this.list(page, options), (last) => ({ startingAfter: last.id }));
  }

  /**
   * Create a website. The website belongs to the key's organization. It has no keys yet: laurel keys
   * create creates them. API keys: organization.
   *
   * `POST /api/websites`
   */
  create(body: types.CreateWebsiteInputBody, options?: Options): Promise<types.Website> {
    return this.#transport.send({ method: "POST", path: "/api/websites", body, isKeyed: true, shape: "Website" }, options);
  }

  /**
   * Get a website. Website keys see their own only. API keys: organization, website, read-only.
   *
   * `GET /api/websites/{id}`
   */
  get(id: string, params: WebsitesGetParams = {}, options?: Options): Promise<types.Website> {
    return this.#transport.send({ method: "GET", path: "/api/websites/{id}", ids: [id], query: params, shape: "Website" }, options);
  }

  /**
   * Update a website. An absent property keeps its value. Wallets of admins are roles: see
   * website_user_roles. API keys: organization, website.
   *
   * `POST /api/websites/{id}`
   */
  update(id: string, body: types.UpdateWebsiteBody = {}, options?: Options): Promise<types.Website> {
    return this.#transport.send({ method: "POST", path: "/api/websites/{id}", ids: [id], body, isKeyed: true, shape: "Website" }, options);
  }
}

/** The operations of the API by what they are about. */
export class Areas {
  readonly accountStreaks: AccountStreaksApi;
  readonly accounts: AccountsApi;
  readonly apiKeys: ApiKeysApi;
  readonly assets: AssetsApi;
  readonly auctionBids: AuctionBidsApi;
  readonly auctions: AuctionsApi;
  readonly badgeUsers: BadgeUsersApi;
  readonly badges: BadgesApi;
  readonly clearingJobs: ClearingJobsApi;
  readonly connections: ConnectionsApi;
  readonly contracts: ContractsApi;
  readonly currencies: CurrenciesApi;
  readonly functions: FunctionsApi;
  readonly holds: HoldsApi;
  readonly lots: LotsApi;
  readonly mintingAssets: MintingAssetsApi;
  readonly mintingContracts: MintingContractsApi;
  readonly mints: MintsApi;
  readonly multipliers: MultipliersApi;
  readonly pageSections: PageSectionsApi;
  readonly payouts: PayoutsApi;
  readonly phone: PhoneApi;
  readonly phoneVerifications: PhoneVerificationsApi;
  readonly questionResponses: QuestionResponsesApi;
  readonly questions: QuestionsApi;
  readonly referralCodes: ReferralCodesApi;
  readonly referrals: ReferralsApi;
  readonly ruleChains: RuleChainsApi;
  readonly ruleEdits: RuleEditsApi;
  readonly ruleGroups: RuleGroupsApi;
  readonly ruleStatuses: RuleStatusesApi;
  readonly rules: RulesApi;
  readonly subscriptions: SubscriptionsApi;
  readonly tokenClaims: TokenClaimsApi;
  readonly transactionEntries: TransactionEntriesApi;
  readonly transactions: TransactionsApi;
  readonly users: UsersApi;
  readonly websiteCollections: WebsiteCollectionsApi;
  readonly websitePageSections: WebsitePageSectionsApi;
  readonly websiteUserAttributes: WebsiteUserAttributesApi;
  readonly websiteUserRoles: WebsiteUserRolesApi;
  readonly websites: WebsitesApi;

  constructor(transport: Transport) {
    this.accountStreaks = new AccountStreaksApi(transport);
    this.accounts = new AccountsApi(transport);
    this.apiKeys = new ApiKeysApi(transport);
    this.assets = new AssetsApi(transport);
    this.auctionBids = new AuctionBidsApi(transport);
    this.auctions = new AuctionsApi(transport);
    this.badgeUsers = new BadgeUsersApi(transport);
    this.badges = new BadgesApi(transport);
    this.clearingJobs = new ClearingJobsApi(transport);
    this.connections = new ConnectionsApi(transport);
    this.contracts = new ContractsApi(transport);
    this.currencies = new CurrenciesApi(transport);
    this.functions = new FunctionsApi(transport);
    this.holds = new HoldsApi(transport);
    this.lots = new LotsApi(transport);
    this.mintingAssets = new MintingAssetsApi(transport);
    this.mintingContracts = new MintingContractsApi(transport);
    this.mints = new MintsApi(transport);
    this.multipliers = new MultipliersApi(transport);
    this.pageSections = new PageSectionsApi(transport);
    this.payouts = new PayoutsApi(transport);
    this.phone = new PhoneApi(transport);
    this.phoneVerifications = new PhoneVerificationsApi(transport);
    this.questionResponses = new QuestionResponsesApi(transport);
    this.questions = new QuestionsApi(transport);
    this.referralCodes = new ReferralCodesApi(transport);
    this.referrals = new ReferralsApi(transport);
    this.ruleChains = new RuleChainsApi(transport);
    this.ruleEdits = new RuleEditsApi(transport);
    this.ruleGroups = new RuleGroupsApi(transport);
    this.ruleStatuses = new RuleStatusesApi(transport);
    this.rules = new RulesApi(transport);
    this.subscriptions = new SubscriptionsApi(transport);
    this.tokenClaims = new TokenClaimsApi(transport);
    this.transactionEntries = new TransactionEntriesApi(transport);
    this.transactions = new TransactionsApi(transport);
    this.users = new UsersApi(transport);
    this.websiteCollections = new WebsiteCollectionsApi(transport);
    this.websitePageSections = new WebsitePageSectionsApi(transport);
    this.websiteUserAttributes = new WebsiteUserAttributesApi(transport);
    this.websiteUserRoles = new WebsiteUserRolesApi(transport);
    this.websites = new WebsitesApi(transport);
  }
}
