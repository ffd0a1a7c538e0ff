// Code generated from openapi.json by scripts/clients. DO NOT EDIT.

package laurel

import (
	"context"
	"iter"
	"net/url"
	"time"
)

// Areas are the operations of the API by what they are about. A Client has them.
type Areas struct {
	AccountStreaks        AccountStreaksAPI
	Accounts              AccountsAPI
	APIKeys               APIKeysAPI
	Assets                AssetsAPI
	AuctionBids           AuctionBidsAPI
	Auctions              AuctionsAPI
	BadgeUsers            BadgeUsersAPI
	Badges                BadgesAPI
	ClearingJobs          ClearingJobsAPI
	Connections           ConnectionsAPI
	Contracts             ContractsAPI
	Currencies            CurrenciesAPI
	Functions             FunctionsAPI
	Holds                 HoldsAPI
	Lots                  LotsAPI
	MintingAssets         MintingAssetsAPI
	MintingContracts      MintingContractsAPI
	Mints                 MintsAPI
	Multipliers           MultipliersAPI
	PageSections          PageSectionsAPI
	Payouts               PayoutsAPI
	Phone                 PhoneAPI
	PhoneVerifications    PhoneVerificationsAPI
	QuestionResponses     QuestionResponsesAPI
	Questions             QuestionsAPI
	ReferralCodes         ReferralCodesAPI
	Referrals             ReferralsAPI
	RuleChains            RuleChainsAPI
	RuleEdits             RuleEditsAPI
	RuleGroups            RuleGroupsAPI
	RuleStatuses          RuleStatusesAPI
	Rules                 RulesAPI
	Subscriptions         SubscriptionsAPI
	TokenClaims           TokenClaimsAPI
	TransactionEntries    TransactionEntriesAPI
	Transactions          TransactionsAPI
	Users                 UsersAPI
	WebsiteCollections    WebsiteCollectionsAPI
	WebsitePageSections   WebsitePageSectionsAPI
	WebsiteUserAttributes WebsiteUserAttributesAPI
	WebsiteUserRoles      WebsiteUserRolesAPI
	Websites              WebsitesAPI
}

func newAreas(c *Client) Areas {
	return Areas{
		AccountStreaks:        AccountStreaksAPI{c},
		Accounts:              AccountsAPI{c},
		APIKeys:               APIKeysAPI{c},
		Assets:                AssetsAPI{c},
		AuctionBids:           AuctionBidsAPI{c},
		Auctions:              AuctionsAPI{c},
		BadgeUsers:            BadgeUsersAPI{c},
		Badges:                BadgesAPI{c},
		ClearingJobs:          ClearingJobsAPI{c},
		Connections:           ConnectionsAPI{c},
		Contracts:             ContractsAPI{c},
		Currencies:            CurrenciesAPI{c},
		Functions:             FunctionsAPI{c},
		Holds:                 HoldsAPI{c},
		Lots:                  LotsAPI{c},
		MintingAssets:         MintingAssetsAPI{c},
		MintingContracts:      MintingContractsAPI{c},
		Mints:                 MintsAPI{c},
		Multipliers:           MultipliersAPI{c},
		PageSections:          PageSectionsAPI{c},
		Payouts:               PayoutsAPI{c},
		Phone:                 PhoneAPI{c},
		PhoneVerifications:    PhoneVerificationsAPI{c},
		QuestionResponses:     QuestionResponsesAPI{c},
		Questions:             QuestionsAPI{c},
		ReferralCodes:         ReferralCodesAPI{c},
		Referrals:             ReferralsAPI{c},
		RuleChains:            RuleChainsAPI{c},
		RuleEdits:             RuleEditsAPI{c},
		RuleGroups:            RuleGroupsAPI{c},
		RuleStatuses:          RuleStatusesAPI{c},
		Rules:                 RulesAPI{c},
		Subscriptions:         SubscriptionsAPI{c},
		TokenClaims:           TokenClaimsAPI{c},
		TransactionEntries:    TransactionEntriesAPI{c},
		Transactions:          TransactionsAPI{c},
		Users:                 UsersAPI{c},
		WebsiteCollections:    WebsiteCollectionsAPI{c},
		WebsitePageSections:   WebsitePageSectionsAPI{c},
		WebsiteUserAttributes: WebsiteUserAttributesAPI{c},
		WebsiteUserRoles:      WebsiteUserRolesAPI{c},
		Websites:              WebsitesAPI{c},
	}
}

// AccountStreaksAPI has the operations of account streaks.
type AccountStreaksAPI struct{ client *Client }

// AccountStreaksListParams are the query parameters of List. Those that are empty are left out.
type AccountStreaksListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// The rules whose streaks are listed, up to 100. Required.
	LoyaltyRuleID []string
}

func (p AccountStreaksListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	return url.Values(q)
}

// List: List streaks of check-ins. A bare array, newest first. A group has one streak; userId is the
// member who checked in last. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/account_streaks
func (a AccountStreaksAPI) List(ctx context.Context, params AccountStreaksListParams, options ...Option) ([]AccountStreak, error) {
	return receiveValue[[]AccountStreak](ctx, a.client, request{method: "GET", path: "/api/loyalty/account_streaks", query: params.query()}, options)
}

// AccountsAPI has the operations of accounts.
type AccountsAPI struct{ client *Client }

// AccountsListParams are the query parameters of List. Those that are empty are left out.
type AccountsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only accounts of these members, up to 100. Sent empty: main accounts
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// Only what is in this currency
	LoyaltyCurrencyID string
	// Only members with this identifier of yours
	ExternalIdentifier string
	// Only members with this label
	WalletGroupIdentifier string
	// Default desc. One of: asc, desc.
	SortDir string
	// Only accounts that have a rank, or that have none: those of blocked members. Secret keys only;
	// through others a list that names no user shows ranked accounts alone
	IsRanked Optional[bool]
	// A moment of the past that is settled; later ones are refused
	AsOf time.Time
}

func (p AccountsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.text("loyaltyCurrencyId", p.LoyaltyCurrencyID)
	q.text("externalIdentifier", p.ExternalIdentifier)
	q.text("walletGroupIdentifier", p.WalletGroupIdentifier)
	q.text("sortDir", p.SortDir)
	q.flag("isRanked", p.IsRanked)
	q.time("asOf", p.AsOf)
	return url.Values(q)
}

// List: List accounts by balance. By balance, highest first. Without loyaltyCurrencyId the list has
// the accounts of all currencies: send it for a leaderboard. Main accounts by userId= (empty). asOf
// lists the accounts of a settled moment of the past with their balances then. API keys: organization,
// website, read-only, client.
//
//	GET /api/loyalty/accounts
func (a AccountsAPI) List(ctx context.Context, params AccountsListParams, options ...Option) (*ListAccount, error) {
	return receive[ListAccount](ctx, a.client, request{method: "GET", path: "/api/loyalty/accounts", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends. Accounts are
// missed or repeated if balances change between two pages: asOf reads them as they were at one time.
func (a AccountsAPI) All(ctx context.Context, params AccountsListParams, options ...Option) iter.Seq2[Account, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Account, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Account) string { return item.ID })
}

// AccountsListExpiringParams are the query parameters of ListExpiring. Those that are empty are left out.
type AccountsListExpiringParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Exclusive. RFC 3339 with an offset, or a date for 00:00 UTC
	Before time.Time
	// Exclusive. The expiresAt of the last item of a page gives the next page. Form as before
	After time.Time
	// How many items a page has at most
	Limit int64
}

func (p AccountsListExpiringParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.time("before", p.Before)
	q.time("after", p.After)
	q.integer("limit", p.Limit)
	return url.Values(q)
}

// ListExpiring: List the points of an account that will expire. Soonest first, computed up to the
// account's last entry. Points that expire at the same moment are one item. Held points are not among
// them. Empty if points of the currency do not expire. Client keys send the member token of the
// account's user, whatever the website trusts. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/accounts/{id}/expiring
func (a AccountsAPI) ListExpiring(ctx context.Context, id string, params AccountsListExpiringParams, options ...Option) (*ListExpiring, error) {
	return receive[ListExpiring](ctx, a.client, request{method: "GET", path: "/api/loyalty/accounts/{id}/expiring", ids: []string{id}, query: params.query()}, options)
}

// AllExpiring returns all items of ListExpiring, which it reads page by page. After an error it ends.
func (a AccountsAPI) AllExpiring(ctx context.Context, id string, params AccountsListExpiringParams, options ...Option) iter.Seq2[Expiring, error] {
	return eachItem(params.After, func(after time.Time) ([]Expiring, bool, error) {
		params.After = after
		page, err := a.ListExpiring(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Expiring) time.Time { return item.ExpiresAt })
}

// AccountsListLotsParams are the query parameters of ListLots. Those that are empty are left out.
type AccountsListLotsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only lots in this state
	State []string
}

func (p AccountsListLotsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("state", p.State)
	return url.Values(q)
}

// ListLots: List the lots of an account. Newest first, computed up to the account's last entry. If
// points expire, the open lots sum to the balance; debits take from the oldest. Held points are
// pending lots and not part of the balance. API keys: organization, website, read-only.
//
//	GET /api/loyalty/accounts/{id}/lots
func (a AccountsAPI) ListLots(ctx context.Context, id string, params AccountsListLotsParams, options ...Option) (*ListLot, error) {
	return receive[ListLot](ctx, a.client, request{method: "GET", path: "/api/loyalty/accounts/{id}/lots", ids: []string{id}, query: params.query()}, options)
}

// AllLots returns all items of ListLots, which it reads page by page. After an error it ends.
func (a AccountsAPI) AllLots(ctx context.Context, id string, params AccountsListLotsParams, options ...Option) iter.Seq2[Lot, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Lot, bool, error) {
		params.StartingAfter = after
		page, err := a.ListLots(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Lot) string { return item.ID })
}

// AccountsGetRankParams are the query parameters of GetRank. Those that are empty are left out.
type AccountsGetRankParams struct {
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3). Required.
	WebsiteID string
	// The organization. Absent: that of the key (contract 1.3). Required.
	OrganizationID string
	// The currency of the ranking. Required.
	LoyaltyCurrencyID string
	// A moment of the past that is settled; later ones are refused
	AsOf time.Time
}

func (p AccountsGetRankParams) query() url.Values {
	q := query{}
	q.text("websiteId", p.WebsiteID)
	q.text("organizationId", p.OrganizationID)
	q.text("loyaltyCurrencyId", p.LoyaltyCurrencyID)
	q.time("asOf", p.AsOf)
	return url.Values(q)
}

// GetRank: Rank of an account by points of one currency. 1 + the number of accounts with more points
// of the currency, exact at the time of the response; ties share a rank. The three parameters are
// required with every key. asOf returns the rank at a settled moment of the past: by the balances then
// and the blocked members of today. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/accounts/{id}/rank
func (a AccountsAPI) GetRank(ctx context.Context, id string, params AccountsGetRankParams, options ...Option) (*RankOutputBody, error) {
	return receive[RankOutputBody](ctx, a.client, request{method: "GET", path: "/api/loyalty/accounts/{id}/rank", ids: []string{id}, query: params.query()}, options)
}

// APIKeysAPI has the operations of api keys.
type APIKeysAPI struct{ client *Client }

// APIKeysListParams are the query parameters of List. Those that are empty are left out.
type APIKeysListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p APIKeysListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// List: List API keys. Newest first, revoked ones too. lastUsedAt is exact to a minute. API keys:
// organization, website.
//
//	GET /api/api_keys
func (a APIKeysAPI) List(ctx context.Context, params APIKeysListParams, options ...Option) (*ListApiKey, error) {
	return receive[ListApiKey](ctx, a.client, request{method: "GET", path: "/api/api_keys", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a APIKeysAPI) All(ctx context.Context, params APIKeysListParams, options ...Option) iter.Seq2[ApiKey, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ApiKey, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ApiKey) string { return item.ID })
}

// Create: Create an API key. The response is the only place where the key can be read. Website keys
// create keys of their own website; organization keys also create keys of the organization. API keys:
// organization, website.
//
//	POST /api/api_keys
func (a APIKeysAPI) Create(ctx context.Context, body CreateKeyInputBody, options ...Option) (*NewKey, error) {
	return receive[NewKey](ctx, a.client, request{method: "POST", path: "/api/api_keys", body: body, isKeyed: true}, options)
}

// APIKeysDeleteParams are the query parameters of Delete. Those that are empty are left out.
type APIKeysDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p APIKeysDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Revoke an API key. This node refuses it at once, others within half a second. Revoking it
// again changes nothing. API keys: organization, website.
//
//	DELETE /api/api_keys/{id}
func (a APIKeysAPI) Delete(ctx context.Context, id string, params APIKeysDeleteParams, options ...Option) (*ApiKey, error) {
	return receive[ApiKey](ctx, a.client, request{method: "DELETE", path: "/api/api_keys/{id}", ids: []string{id}, query: params.query()}, options)
}

// AssetsAPI has the operations of assets.
type AssetsAPI struct{ client *Client }

// AssetsListParams are the query parameters of List. Those that are empty are left out.
type AssetsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Users who own the files
	UserID []string
}

func (p AssetsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	return url.Values(q)
}

// List: List files. Newest first: files that were uploaded, and those that still can be. API keys:
// organization, website.
//
//	GET /api/assets
func (a AssetsAPI) List(ctx context.Context, params AssetsListParams, options ...Option) (*ListAsset, error) {
	return receive[ListAsset](ctx, a.client, request{method: "GET", path: "/api/assets", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a AssetsAPI) All(ctx context.Context, params AssetsListParams, options ...Option) iter.Seq2[Asset, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Asset, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Asset) string { return item.ID })
}

// Create: Announce a file that will be uploaded. PUT exactly fileSize bytes to signedUrl within 15
// minutes, without a key; then anyone who knows url can read the file. If the server has no public
// address, both are paths, which rules and currencies accept unchanged. Files have quotas in bytes,
// per user, website and service; an announced file counts until its time is over. Client keys:
// filePath profiles and posts only, with a member token, whose user the file belongs to. API keys:
// organization, website, client.
//
//	POST /api/assets
func (a AssetsAPI) Create(ctx context.Context, body CreateAssetInputBody, options ...Option) (*CreatedAsset, error) {
	return receive[CreatedAsset](ctx, a.client, request{method: "POST", path: "/api/assets", body: body, isKeyed: true}, options)
}

// AssetsGetParams are the query parameters of Get. Those that are empty are left out.
type AssetsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p AssetsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a file. A file that was uploaded, or still can be. API keys: organization, website.
//
//	GET /api/assets/{id}
func (a AssetsAPI) Get(ctx context.Context, id string, params AssetsGetParams, options ...Option) (*Asset, error) {
	return receive[Asset](ctx, a.client, request{method: "GET", path: "/api/assets/{id}", ids: []string{id}, query: params.query()}, options)
}

// AssetsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type AssetsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p AssetsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a file. Its bytes are removed, and it no longer counts against quotas. Client keys
// delete files of their member only. API keys: organization, website, client.
//
//	DELETE /api/assets/{id}
func (a AssetsAPI) Delete(ctx context.Context, id string, params AssetsDeleteParams, options ...Option) (*IdBody, error) {
	return receive[IdBody](ctx, a.client, request{method: "DELETE", path: "/api/assets/{id}", ids: []string{id}, query: params.query()}, options)
}

// AuctionBidsAPI has the operations of auction bids.
type AuctionBidsAPI struct{ client *Client }

// AuctionBidsListParams are the query parameters of List. Those that are empty are left out.
type AuctionBidsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The id, a UUID
	ID []string
	// Only what belongs to this auction
	AuctionID string
	// Only items with this status. One of: submitted, accepted, rejected, fulfilled.
	Status string
	// Only bids with one of these statuses
	Statuses []string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// By amount; default desc. One of: asc, desc.
	OrderBy string
	// How many items are left out at the beginning
	Skip int64
	// true: with the number of all items
	IncludeCount Optional[bool]
}

func (p AuctionBidsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("id", p.ID)
	q.text("auctionId", p.AuctionID)
	q.text("status", p.Status)
	q.list("statuses", p.Statuses)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("orderBy", p.OrderBy)
	q.integer("skip", p.Skip)
	q.flag("includeCount", p.IncludeCount)
	return url.Values(q)
}

// List: List bids. By amount, the highest first unless orderBy is asc. Client keys see hidden bids
// only of the member whose token they send. API keys: organization, website, read-only, client.
//
//	GET /api/auction_bids
func (a AuctionBidsAPI) List(ctx context.Context, params AuctionBidsListParams, options ...Option) (*CountedListAuctionBid, error) {
	return receive[CountedListAuctionBid](ctx, a.client, request{method: "GET", path: "/api/auction_bids", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a AuctionBidsAPI) All(ctx context.Context, params AuctionBidsListParams, options ...Option) iter.Seq2[AuctionBid, error] {
	return eachItem(params.StartingAfter, func(after string) ([]AuctionBid, bool, error) {
		if after != params.StartingAfter {
			params.Skip = 0 // it counts from the first page
		}
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item AuctionBid) string { return item.ID })
}

// Create: Bid for a user. The amount is debited at once. A new bid replaces the member's own and
// debits the difference; in an english auction the points of the best bid before it go back in the
// same transaction. Client keys send the member token, also where the website trusts them. API keys:
// organization, website, client.
//
//	POST /api/auction_bids
func (a AuctionBidsAPI) Create(ctx context.Context, body PlaceBidBody, options ...Option) (*AuctionBid, error) {
	return receive[AuctionBid](ctx, a.client, request{method: "POST", path: "/api/auction_bids", body: body, isKeyed: true}, options)
}

// AuctionBidsGetParams are the query parameters of Get. Those that are empty are left out.
type AuctionBidsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p AuctionBidsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a bid. As lists show it. API keys: organization, website, read-only, client.
//
//	GET /api/auction_bids/{id}
func (a AuctionBidsAPI) Get(ctx context.Context, id string, params AuctionBidsGetParams, options ...Option) (*AuctionBid, error) {
	return receive[AuctionBid](ctx, a.client, request{method: "GET", path: "/api/auction_bids/{id}", ids: []string{id}, query: params.query()}, options)
}

// AuctionsAPI has the operations of auctions.
type AuctionsAPI struct{ client *Client }

// AuctionsListParams are the query parameters of List. Those that are empty are left out.
type AuctionsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only items with this status. One of: in_progress, completed, cancelled.
	Status string
	// Only items of this type. One of: first_price, second_price, english.
	Type string
	// Auctions are cancelled, never deleted: it changes nothing
	IncludeDeleted Optional[bool]
	// true: with the items of each auction
	IncludeItems Optional[bool]
}

func (p AuctionsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("status", p.Status)
	q.text("type", p.Type)
	q.flag("includeDeleted", p.IncludeDeleted)
	q.flag("includeItems", p.IncludeItems)
	return url.Values(q)
}

// List: List auctions. Newest first. reservePrice is shown to secret keys only. auctionBids are the
// highest 10, of equal bids the earlier first, and none while bids are hidden. API keys: organization,
// website, read-only, client.
//
//	GET /api/auctions
func (a AuctionsAPI) List(ctx context.Context, params AuctionsListParams, options ...Option) (*ListAuction, error) {
	return receive[ListAuction](ctx, a.client, request{method: "GET", path: "/api/auctions", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a AuctionsAPI) All(ctx context.Context, params AuctionsListParams, options ...Option) iter.Seq2[Auction, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Auction, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Auction) string { return item.ID })
}

// Create: Create an auction. Bids are points of loyaltyCurrencyId, whose balances no external ledger
// keeps. Items reserve their stock at once. An english auction has one item, which can be added later.
// API keys: organization, website.
//
//	POST /api/auctions
func (a AuctionsAPI) Create(ctx context.Context, body CreateAuctionBody, options ...Option) (*Auction, error) {
	return receive[Auction](ctx, a.client, request{method: "POST", path: "/api/auctions", body: body, isKeyed: true}, options)
}

// AuctionsListItemsParams are the query parameters of ListItems. Those that are empty are left out.
type AuctionsListItemsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to this auction. Required.
	AuctionID []string
}

func (p AuctionsListItemsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("auctionId", p.AuctionID)
	return url.Values(q)
}

// ListItems: List the items of auctions. By sortId. API keys: organization, website, read-only,
// client.
//
//	GET /api/auctions/items
func (a AuctionsAPI) ListItems(ctx context.Context, params AuctionsListItemsParams, options ...Option) (*ListAuctionItem, error) {
	return receive[ListAuctionItem](ctx, a.client, request{method: "GET", path: "/api/auctions/items", query: params.query()}, options)
}

// AllItems returns all items of ListItems, which it reads page by page. After an error it ends.
func (a AuctionsAPI) AllItems(ctx context.Context, params AuctionsListItemsParams, options ...Option) iter.Seq2[AuctionItem, error] {
	return eachItem(params.StartingAfter, func(after string) ([]AuctionItem, bool, error) {
		params.StartingAfter = after
		page, err := a.ListItems(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item AuctionItem) string { return item.ID })
}

// AuctionsGetItemParams are the query parameters of GetItem. Those that are empty are left out.
type AuctionsGetItemParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p AuctionsGetItemParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetItem: Get an item of an auction. As lists show it. API keys: organization, website, read-only,
// client.
//
//	GET /api/auctions/items/{id}
func (a AuctionsAPI) GetItem(ctx context.Context, id string, params AuctionsGetItemParams, options ...Option) (*AuctionItem, error) {
	return receive[AuctionItem](ctx, a.client, request{method: "GET", path: "/api/auctions/items/{id}", ids: []string{id}, query: params.query()}, options)
}

// AuctionsGetParams are the query parameters of Get. Those that are empty are left out.
type AuctionsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// true: with the items of each auction
	IncludeItems Optional[bool]
}

func (p AuctionsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.flag("includeItems", p.IncludeItems)
	return url.Values(q)
}

// Get: Get an auction. As lists show it. API keys: organization, website, read-only, client.
//
//	GET /api/auctions/{id}
func (a AuctionsAPI) Get(ctx context.Context, id string, params AuctionsGetParams, options ...Option) (*Auction, error) {
	return receive[Auction](ctx, a.client, request{method: "GET", path: "/api/auctions/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update an auction. An absent property keeps its value. Times cannot change once it has a bid
// or has ended; type, currency, network and contract never can. API keys: organization, website.
//
//	POST /api/auctions/{id}
func (a AuctionsAPI) Update(ctx context.Context, id string, body UpdateAuctionInputBody, options ...Option) (*Auction, error) {
	return receive[Auction](ctx, a.client, request{method: "POST", path: "/api/auctions/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// Cancel: Cancel an auction. All bids are refunded and the stock is released. No one wins. API keys:
// organization, website.
//
//	POST /api/auctions/{id}/cancel
func (a AuctionsAPI) Cancel(ctx context.Context, id string, body CancelAuctionInputBody, options ...Option) (*Auction, error) {
	return receive[Auction](ctx, a.client, request{method: "POST", path: "/api/auctions/{id}/cancel", ids: []string{id}, body: body, isKeyed: true}, options)
}

// AddItems: Add items to an auction. Until the auction ends. An auction has at most 50. API keys:
// organization, website.
//
//	POST /api/auctions/{id}/items
func (a AuctionsAPI) AddItems(ctx context.Context, id string, body AddAuctionItemsInputBody, options ...Option) (*ListAuctionItem, error) {
	return receive[ListAuctionItem](ctx, a.client, request{method: "POST", path: "/api/auctions/{id}/items", ids: []string{id}, body: body, isKeyed: true}, options)
}

// BadgeUsersAPI has the operations of badge users.
type BadgeUsersAPI struct{ client *Client }

// BadgeUsersListParams are the query parameters of List. Those that are empty are left out.
type BadgeUsersListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The badge whose members are listed. Required.
	LoyaltyBadgeID string
	// Only items with this status
	Status []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to these members, by id; up to 100
	UserID []string
}

func (p BadgeUsersListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("loyaltyBadgeId", p.LoyaltyBadgeID)
	q.list("status", p.Status)
	q.list("walletAddress", p.WalletAddress)
	q.list("userId", p.UserID)
	return url.Values(q)
}

// List: List the users of a badge. Newest first. Client keys do not see hidden badges. API keys:
// organization, website, read-only, client.
//
//	GET /api/loyalty/badge_users
func (a BadgeUsersAPI) List(ctx context.Context, params BadgeUsersListParams, options ...Option) (*ListListedBadgeUser, error) {
	return receive[ListListedBadgeUser](ctx, a.client, request{method: "GET", path: "/api/loyalty/badge_users", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a BadgeUsersAPI) All(ctx context.Context, params BadgeUsersListParams, options ...Option) iter.Seq2[ListedBadgeUser, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ListedBadgeUser, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ListedBadgeUser) string { return item.ID })
}

// BadgeUsersUpdateParams are the query parameters of Update. Those that are empty are left out.
type BadgeUsersUpdateParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p BadgeUsersUpdateParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Update: Hide or dismiss a badge of a user. Client keys send the member token of the badge's user.
// API keys: organization, website, client.
//
//	POST /api/loyalty/badge_users/{id}
func (a BadgeUsersAPI) Update(ctx context.Context, id string, params BadgeUsersUpdateParams, body UpdateBadgeUserInputBody, options ...Option) (*BadgeUser, error) {
	return receive[BadgeUser](ctx, a.client, request{method: "POST", path: "/api/loyalty/badge_users/{id}", ids: []string{id}, query: params.query(), body: body, isKeyed: true}, options)
}

// BadgesAPI has the operations of badges.
type BadgesAPI struct{ client *Client }

// BadgesListParams are the query parameters of List. Those that are empty are left out.
type BadgesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// Only these badges, up to 100
	BadgeIDs []string
	// true: deleted items too
	IncludeDeleted Optional[bool]
}

func (p BadgesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("badgeIds", p.BadgeIDs)
	q.flag("includeDeleted", p.IncludeDeleted)
	return url.Values(q)
}

// List: List badges. Newest first. With a user filter each badge has the rows of those users and their
// current progress; without one, its newest 100 rows. Client keys do not see hidden badges. API keys:
// organization, website, read-only, client.
//
//	GET /api/loyalty/badges
func (a BadgesAPI) List(ctx context.Context, params BadgesListParams, options ...Option) (*ListBadge, error) {
	return receive[ListBadge](ctx, a.client, request{method: "GET", path: "/api/loyalty/badges", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a BadgesAPI) All(ctx context.Context, params BadgesListParams, options ...Option) iter.Seq2[Badge, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Badge, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Badge) string { return item.ID })
}

// BadgesCreateParams are the query parameters of Create. Those that are empty are left out.
type BadgesCreateParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p BadgesCreateParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Create: Create a badge. Members who meet all conditions are granted the badge, including existing
// members. A condition of type rule, rules or badges refers to records by loyaltyRuleIds and
// loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. A condition
// of type api never holds. API keys: organization, website.
//
//	POST /api/loyalty/badges
func (a BadgesAPI) Create(ctx context.Context, params BadgesCreateParams, body CreateBadgeBody, options ...Option) (*Badge, error) {
	return receive[Badge](ctx, a.client, request{method: "POST", path: "/api/loyalty/badges", query: params.query(), body: body, isKeyed: true}, options)
}

// BadgesUpdateParams are the query parameters of Update. Those that are empty are left out.
type BadgesUpdateParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p BadgesUpdateParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Update: Update a badge. An absent property keeps its value. rewards and csvFiles replace all
// existing ones; members who already have the badge do not get new rewards. API keys: organization,
// website.
//
//	POST /api/loyalty/badges/{id}
func (a BadgesAPI) Update(ctx context.Context, id string, params BadgesUpdateParams, body UpdateBadgeInputBody, options ...Option) (*Badge, error) {
	return receive[Badge](ctx, a.client, request{method: "POST", path: "/api/loyalty/badges/{id}", ids: []string{id}, query: params.query(), body: body, isKeyed: true}, options)
}

// BadgesDeleteParams are the query parameters of Delete. Those that are empty are left out.
type BadgesDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p BadgesDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a badge. Returns the badge as it was, with its users revoked. The multipliers that it
// granted end; points stay. API keys: organization, website.
//
//	DELETE /api/loyalty/badges/{id}
func (a BadgesAPI) Delete(ctx context.Context, id string, params BadgesDeleteParams, options ...Option) (*Badge, error) {
	return receive[Badge](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/badges/{id}", ids: []string{id}, query: params.query()}, options)
}

// BadgesRevokeParams are the query parameters of Revoke. Those that are empty are left out.
type BadgesRevokeParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p BadgesRevokeParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Revoke: Revoke a badge of a user. Multipliers from the badge end; points stay. A revoked badge is
// not granted again automatically; an inactive one is. API keys: organization, website.
//
//	POST /api/loyalty/badges/{id}/revoke
func (a BadgesAPI) Revoke(ctx context.Context, id string, params BadgesRevokeParams, body RevokeBadgeBody, options ...Option) (*GivenBadge, error) {
	return receive[GivenBadge](ctx, a.client, request{method: "POST", path: "/api/loyalty/badges/{id}/revoke", ids: []string{id}, query: params.query(), body: body, isKeyed: true}, options)
}

// BadgesGrantParams are the query parameters of Grant. Those that are empty are left out.
type BadgesGrantParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p BadgesGrantParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Grant: Grant a badge to a user. Grants the badge and pays its rewards, each member once: after a
// revoke its multipliers come back, and nothing is paid again. With status inactive the member gets a
// row that is not granted. An unknown wallet becomes a user. API keys: organization, website.
//
//	POST /api/loyalty/badges/{id}/reward
func (a BadgesAPI) Grant(ctx context.Context, id string, params BadgesGrantParams, body RewardBadgeBody, options ...Option) (*GivenBadge, error) {
	return receive[GivenBadge](ctx, a.client, request{method: "POST", path: "/api/loyalty/badges/{id}/reward", ids: []string{id}, query: params.query(), body: body, isKeyed: true}, options)
}

// ClearingJobsAPI has the operations of clearing jobs.
type ClearingJobsAPI struct{ client *Client }

// ClearingJobsListParams are the query parameters of List. Those that are empty are left out.
type ClearingJobsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what is in this currency
	LoyaltyCurrencyID string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID string
	// Only items with this status. One of: processing, complete, cancelled.
	Status string
}

func (p ClearingJobsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("loyaltyCurrencyId", p.LoyaltyCurrencyID)
	q.text("loyaltyRuleId", p.LoyaltyRuleID)
	q.text("status", p.Status)
	return url.Values(q)
}

// List: List resets of currencies and debits of deleted rules. Newest first. API keys: organization,
// website.
//
//	GET /api/loyalty/clearing_jobs
func (a ClearingJobsAPI) List(ctx context.Context, params ClearingJobsListParams, options ...Option) (*ListClearingJob, error) {
	return receive[ListClearingJob](ctx, a.client, request{method: "GET", path: "/api/loyalty/clearing_jobs", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a ClearingJobsAPI) All(ctx context.Context, params ClearingJobsListParams, options ...Option) iter.Seq2[ClearingJob, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ClearingJob, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ClearingJob) string { return item.ID })
}

// ConnectionsAPI has the operations of connections.
type ConnectionsAPI struct{ client *Client }

// ConnectionsStartParams are the query parameters of Start. Those that are empty are left out.
type ConnectionsStartParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Only what belongs to these members, by id; up to 100
	UserID string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress string
	// Where the browser goes in the end: an address of http, https or an app
	Redirect string
	// For email: the address that is proved
	EmailAddress string
	// For web_account: leave the video channel alone
	SkipVideoPlatformChannelCheck Optional[bool]
}

func (p ConnectionsStartParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("userId", p.UserID)
	q.text("walletAddress", p.WalletAddress)
	q.text("redirect", p.Redirect)
	q.text("emailAddress", p.EmailAddress)
	q.flag("skipVideoPlatformChannelCheck", p.SkipVideoPlatformChannelCheck)
	q.text("responseType", "json")
	return url.Values(q)
}

// Start: Start the connection of an account. Starts the connection of an account. The member's browser
// must go to url, which with responseType redirect, the default, is in Location, too. It comes back to
// redirect with status=success and authType, or with status=error, error, message and, for
// MAXIMUM_ACCOUNT_LINKED, accountLinkData for POST /api/users/verify. Without redirect it comes back
// to the website's homeUrl. Through client keys redirect must be of an origin of the key's
// allowedOrigins or of homeUrl. For short_video, forum_platform and photo_platform the member puts
// code into the public profile instead, and jwtState goes to GET /api/{authType}/auth/connect. For
// email a link goes to emailAddress, valid once and for 60 minutes; url is then the redirect, to which
// responseType redirect leads with status=pending. At most one link per 30 seconds and five per hour,
// per address and per user: then 429 with Retry-After. API keys: organization, website, client.
//
//	GET /api/{authType}/auth
func (a ConnectionsAPI) Start(ctx context.Context, authType string, params ConnectionsStartParams, options ...Option) (*StartedFlow, error) {
	return receive[StartedFlow](ctx, a.client, request{method: "GET", path: "/api/{authType}/auth", ids: []string{authType}, query: params.query()}, options)
}

// Disconnect: Disconnect an account. Removes the account from the user's metadata, and revokes what
// dynamic rules have granted for it. Without an account nothing changes. API keys: organization,
// website, client.
//
//	DELETE /api/{authType}/auth
func (a ConnectionsAPI) Disconnect(ctx context.Context, authType string, body DisconnectInputBody, options ...Option) (*Disconnected, error) {
	return receive[Disconnected](ctx, a.client, request{method: "DELETE", path: "/api/{authType}/auth", ids: []string{authType}, body: body}, options)
}

// ConnectionsConnectParams are the query parameters of Connect. Those that are empty are left out.
type ConnectionsConnectParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// jwtState
	State string
	// Must be the code of state
	Code string
	// For short_video: the address of the profile
	ShortVideoProfileURL string
	// For forum_platform: the address of the profile
	ForumPlatformProfileURL string
	// For photo_platform: the name, or the address of the profile
	PhotoPlatformUsernameOrURL string
	// Default json. One of: redirect, json.
	ResponseType string
}

func (p ConnectionsConnectParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("state", p.State)
	q.text("code", p.Code)
	q.text("shortVideoProfileUrl", p.ShortVideoProfileURL)
	q.text("forumPlatformProfileUrl", p.ForumPlatformProfileURL)
	q.text("photoPlatformUsernameOrUrl", p.PhotoPlatformUsernameOrURL)
	q.text("responseType", p.ResponseType)
	return url.Values(q)
}

// Connect: Connect an account by its public profile. Looks for the code of GET /api/{authType}/auth in
// the public profile of short_video, forum_platform or photo_platform, and connects the account. What
// the member can mend is answered with 200 and error. API keys: organization, website, client.
//
//	GET /api/{authType}/auth/connect
func (a ConnectionsAPI) Connect(ctx context.Context, authType string, params ConnectionsConnectParams, options ...Option) (*Outcome, error) {
	return receive[Outcome](ctx, a.client, request{method: "GET", path: "/api/{authType}/auth/connect", ids: []string{authType}, query: params.query()}, options)
}

// ContractsAPI has the operations of contracts.
type ContractsAPI struct{ client *Client }

// ContractsListParams are the query parameters of List. Those that are empty are left out.
type ContractsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The id, a UUID
	ID string
	// A part of the name or the address
	Search string
	// Another name of startingAfter
	Cursor string
	// Default true
	IncludeABI Optional[bool]
}

func (p ContractsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("id", p.ID)
	q.text("search", p.Search)
	q.text("cursor", p.Cursor)
	q.flag("includeAbi", p.IncludeABI)
	return url.Values(q)
}

// List: List contracts. Newest first. Without the ABIs with includeAbi=false. API keys: organization,
// website, read-only.
//
//	GET /api/contracts
func (a ContractsAPI) List(ctx context.Context, params ContractsListParams, options ...Option) (*ListContract, error) {
	return receive[ListContract](ctx, a.client, request{method: "GET", path: "/api/contracts", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a ContractsAPI) All(ctx context.Context, params ContractsListParams, options ...Option) iter.Seq2[Contract, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Contract, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Contract) string { return item.ID })
}

// Create: Register a contract. A live contract is unique by website, chain and address. chainId is
// null if the chain was not given. API keys: organization, website.
//
//	POST /api/contracts
func (a ContractsAPI) Create(ctx context.Context, body CreateContractBody, options ...Option) (*Contract, error) {
	return receive[Contract](ctx, a.client, request{method: "POST", path: "/api/contracts", body: body, isKeyed: true}, options)
}

// ContractsGetParams are the query parameters of Get. Those that are empty are left out.
type ContractsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p ContractsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a contract. With its ABI. API keys: organization, website, read-only.
//
//	GET /api/contracts/{id}
func (a ContractsAPI) Get(ctx context.Context, id string, params ContractsGetParams, options ...Option) (*Contract, error) {
	return receive[Contract](ctx, a.client, request{method: "GET", path: "/api/contracts/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a contract. An absent property keeps its value. Address and chain stay. API keys:
// organization, website.
//
//	POST /api/contracts/{id}
func (a ContractsAPI) Update(ctx context.Context, id string, body UpdateContractBody, options ...Option) (*Contract, error) {
	return receive[Contract](ctx, a.client, request{method: "POST", path: "/api/contracts/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// ContractsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type ContractsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p ContractsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a contract. Refused while a live rule or token claim names it. Its address can be
// registered again. API keys: organization, website.
//
//	DELETE /api/contracts/{id}
func (a ContractsAPI) Delete(ctx context.Context, id string, params ContractsDeleteParams, options ...Option) (*Contract, error) {
	return receive[Contract](ctx, a.client, request{method: "DELETE", path: "/api/contracts/{id}", ids: []string{id}, query: params.query()}, options)
}

// CurrenciesAPI has the operations of currencies.
type CurrenciesAPI struct{ client *Client }

// CurrenciesListParams are the query parameters of List. Those that are empty are left out.
type CurrenciesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Default true
	ExcludeTokenRewardCurrencies Optional[bool]
	// true: deleted items too
	IncludeDeleted Optional[bool]
}

func (p CurrenciesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.flag("excludeTokenRewardCurrencies", p.ExcludeTokenRewardCurrencies)
	q.flag("includeDeleted", p.IncludeDeleted)
	return url.Values(q)
}

// List: List currencies. By sortId (unset last), then oldest first. API keys: organization, website,
// read-only, client.
//
//	GET /api/loyalty/currencies
func (a CurrenciesAPI) List(ctx context.Context, params CurrenciesListParams, options ...Option) (*ListCurrency, error) {
	return receive[ListCurrency](ctx, a.client, request{method: "GET", path: "/api/loyalty/currencies", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a CurrenciesAPI) All(ctx context.Context, params CurrenciesListParams, options ...Option) iter.Seq2[Currency, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Currency, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Currency) string { return item.ID })
}

// Create: Create a currency. decimals is how many places a page shows and cannot be changed; amounts
// are whole units everywhere. With pointsExpireAfterDays points expire; with pointsWaitHours the
// rewards of rules are held before they are credited. null: neither. API keys: organization, website.
//
//	POST /api/loyalty/currencies
func (a CurrenciesAPI) Create(ctx context.Context, body CreateCurrencyBody, options ...Option) (*Currency, error) {
	return receive[Currency](ctx, a.client, request{method: "POST", path: "/api/loyalty/currencies", body: body, isKeyed: true}, options)
}

// Update: Update a currency. An absent property keeps its value and null clears it; decimals is
// ignored. API keys: organization, website.
//
//	POST /api/loyalty/currencies/{id}
func (a CurrenciesAPI) Update(ctx context.Context, id string, body WriteCurrencyBody, options ...Option) (*Currency, error) {
	return receive[Currency](ctx, a.client, request{method: "POST", path: "/api/loyalty/currencies/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// CurrenciesDeleteParams are the query parameters of Delete. Those that are empty are left out.
type CurrenciesDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p CurrenciesDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a currency. Accounts and entries can still be read; nothing can be posted in the
// currency, and its rules pay nothing. API keys: organization, website.
//
//	DELETE /api/loyalty/currencies/{id}
func (a CurrenciesAPI) Delete(ctx context.Context, id string, params CurrenciesDeleteParams, options ...Option) (*Currency, error) {
	return receive[Currency](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/currencies/{id}", ids: []string{id}, query: params.query()}, options)
}

// CurrenciesListExternalPostsParams are the query parameters of ListExternalPosts. Those that are empty are left out.
type CurrenciesListExternalPostsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only items with this status. One of: open, done, refused, cancelled.
	Status string
}

func (p CurrenciesListExternalPostsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("status", p.Status)
	return url.Values(q)
}

// ListExternalPosts: List the posts of a currency to its external ledger. Newest first. open: the
// external ledger has not answered yet, and the post is sent again with the same idempotencyKey until
// it does. API keys: organization, website.
//
//	GET /api/loyalty/currencies/{id}/external_posts
func (a CurrenciesAPI) ListExternalPosts(ctx context.Context, id string, params CurrenciesListExternalPostsParams, options ...Option) (*ListExternalPost, error) {
	return receive[ListExternalPost](ctx, a.client, request{method: "GET", path: "/api/loyalty/currencies/{id}/external_posts", ids: []string{id}, query: params.query()}, options)
}

// AllExternalPosts returns all items of ListExternalPosts, which it reads page by page. After an error
// it ends.
func (a CurrenciesAPI) AllExternalPosts(ctx context.Context, id string, params CurrenciesListExternalPostsParams, options ...Option) iter.Seq2[ExternalPost, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ExternalPost, bool, error) {
		params.StartingAfter = after
		page, err := a.ListExternalPosts(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ExternalPost) string { return item.ID })
}

// Reset: Reset a currency. All balances of users are debited to 0. The types with data also delete
// progress, windows and all other rule state of the currency's rules; the type with rules also deletes
// these rules. Entries stay. The reset of a very large currency returns pending: true after some
// seconds and continues; clearing_jobs shows its progress. API keys: organization, website.
//
//	POST /api/loyalty/reset
func (a CurrenciesAPI) Reset(ctx context.Context, body ResetInputBody, options ...Option) (*ResetBody, error) {
	return receive[ResetBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/reset", body: body, isKeyed: true}, options)
}

// FunctionsAPI has the operations of functions.
type FunctionsAPI struct{ client *Client }

// FunctionsListParams are the query parameters of List. Those that are empty are left out.
type FunctionsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The id, a UUID
	ID []string
}

func (p FunctionsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("id", p.ID)
	return url.Values(q)
}

// List: List functions. Newest first. Secrets are never returned. API keys: organization, website.
//
//	GET /api/stratus/functions
func (a FunctionsAPI) List(ctx context.Context, params FunctionsListParams, options ...Option) (*ListFunction, error) {
	return receive[ListFunction](ctx, a.client, request{method: "GET", path: "/api/stratus/functions", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a FunctionsAPI) All(ctx context.Context, params FunctionsListParams, options ...Option) iter.Seq2[Function, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Function, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Function) string { return item.ID })
}

// Create: Create a function. The code is checked: it parses, has exactly one handler with two
// parameters, calls setResult or fail, and returns output.buildOutput(). cron is an expression of five
// fields in UTC. API keys: organization, website.
//
//	POST /api/stratus/functions
func (a FunctionsAPI) Create(ctx context.Context, body CreateFunctionBody, options ...Option) (*Function, error) {
	return receive[Function](ctx, a.client, request{method: "POST", path: "/api/stratus/functions", body: body, isKeyed: true}, options)
}

// FunctionsGetParams are the query parameters of Get. Those that are empty are left out.
type FunctionsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// An earlier version; default: the current one
	Version int64
}

func (p FunctionsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("version", p.Version)
	return url.Values(q)
}

// Get: Get a function. With version, the code of that version. Secrets are never returned. API keys:
// organization, website.
//
//	GET /api/stratus/functions/{id}
func (a FunctionsAPI) Get(ctx context.Context, id string, params FunctionsGetParams, options ...Option) (*Function, error) {
	return receive[Function](ctx, a.client, request{method: "GET", path: "/api/stratus/functions/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a function. An absent property keeps its value; secrets and cron can be cleared with
// null. secrets replace all earlier ones. A changed code raises version. API keys: organization,
// website.
//
//	POST /api/stratus/functions/{id}
func (a FunctionsAPI) Update(ctx context.Context, id string, body UpdateFunctionBody, options ...Option) (*Function, error) {
	return receive[Function](ctx, a.client, request{method: "POST", path: "/api/stratus/functions/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// FunctionsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type FunctionsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p FunctionsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a function. It no longer runs. Rules that name it are then not set up. API keys:
// organization, website.
//
//	DELETE /api/stratus/functions/{id}
func (a FunctionsAPI) Delete(ctx context.Context, id string, params FunctionsDeleteParams, options ...Option) (*Function, error) {
	return receive[Function](ctx, a.client, request{method: "DELETE", path: "/api/stratus/functions/{id}", ids: []string{id}, query: params.query()}, options)
}

// Invoke: Run a function and wait for its end. Waits for the end of the run, 60 seconds at most. A
// handler that fails is a run with status failed. API keys: organization, website, function.
//
//	POST /api/stratus/functions/{id}/invoke
func (a FunctionsAPI) Invoke(ctx context.Context, id string, body InvokeFunctionBody, options ...Option) (*InvokedFunction, error) {
	return receive[InvokedFunction](ctx, a.client, request{method: "POST", path: "/api/stratus/functions/{id}/invoke", ids: []string{id}, body: body, isKeyed: true}, options)
}

// FunctionsListRunsParams are the query parameters of ListRuns. Those that are empty are left out.
type FunctionsListRunsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only items with this status
	Status []string
}

func (p FunctionsListRunsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("status", p.Status)
	return url.Values(q)
}

// ListRuns: List the runs of a function. Newest first. Runs are stored for 30 days. API keys:
// organization, website.
//
//	GET /api/stratus/functions/{id}/runs
func (a FunctionsAPI) ListRuns(ctx context.Context, id string, params FunctionsListRunsParams, options ...Option) (*ListFunctionRun, error) {
	return receive[ListFunctionRun](ctx, a.client, request{method: "GET", path: "/api/stratus/functions/{id}/runs", ids: []string{id}, query: params.query()}, options)
}

// AllRuns returns all items of ListRuns, which it reads page by page. After an error it ends.
func (a FunctionsAPI) AllRuns(ctx context.Context, id string, params FunctionsListRunsParams, options ...Option) iter.Seq2[FunctionRun, error] {
	return eachItem(params.StartingAfter, func(after string) ([]FunctionRun, bool, error) {
		params.StartingAfter = after
		page, err := a.ListRuns(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item FunctionRun) string { return item.ID })
}

// HoldsAPI has the operations of holds.
type HoldsAPI struct{ client *Client }

// HoldsListParams are the query parameters of List. Those that are empty are left out.
type HoldsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// Only items with this status
	Status []string
	// Only what is in this currency
	LoyaltyCurrencyID string
}

func (p HoldsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("status", p.Status)
	q.text("loyaltyCurrencyId", p.LoyaltyCurrencyID)
	return url.Values(q)
}

// List: List holds. Newest first. Client keys name exactly one user and send its member token. API
// keys: organization, website, read-only, client.
//
//	GET /api/loyalty/holds
func (a HoldsAPI) List(ctx context.Context, params HoldsListParams, options ...Option) (*ListHold, error) {
	return receive[ListHold](ctx, a.client, request{method: "GET", path: "/api/loyalty/holds", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a HoldsAPI) All(ctx context.Context, params HoldsListParams, options ...Option) iter.Seq2[Hold, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Hold, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Hold) string { return item.ID })
}

// Create: Reserve points of a user for an order. The amount is debited at once, by a transaction of
// type order: from the member, and what its balance does not cover from its group. What is neither
// captured nor released goes back when the hold expires. A repeated idempotencyKey with an equal input
// returns the hold as it is now. API keys: organization, website.
//
//	POST /api/loyalty/holds
func (a HoldsAPI) Create(ctx context.Context, body CreateHoldBody, options ...Option) (*Hold, error) {
	return receive[Hold](ctx, a.client, request{method: "POST", path: "/api/loyalty/holds", body: body, isKeyed: true}, options)
}

// HoldsGetParams are the query parameters of Get. Those that are empty are left out.
type HoldsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p HoldsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a hold. Client keys send the member token of the hold's user. API keys: organization,
// website, read-only, client.
//
//	GET /api/loyalty/holds/{id}
func (a HoldsAPI) Get(ctx context.Context, id string, params HoldsGetParams, options ...Option) (*Hold, error) {
	return receive[Hold](ctx, a.client, request{method: "GET", path: "/api/loyalty/holds/{id}", ids: []string{id}, query: params.query()}, options)
}

// Capture: Capture a hold, or a part of it. The rest goes back in the same transaction to the accounts
// that paid, the last payer first. A hold is captured once. API keys: organization, website.
//
//	POST /api/loyalty/holds/{id}/capture
func (a HoldsAPI) Capture(ctx context.Context, id string, body CaptureHoldInputBody, options ...Option) (*Hold, error) {
	return receive[Hold](ctx, a.client, request{method: "POST", path: "/api/loyalty/holds/{id}/capture", ids: []string{id}, body: body, isKeyed: true}, options)
}

// Release: Release a hold. All goes back to the accounts that paid. API keys: organization, website.
//
//	POST /api/loyalty/holds/{id}/release
func (a HoldsAPI) Release(ctx context.Context, id string, body ReleaseHoldInputBody, options ...Option) (*Hold, error) {
	return receive[Hold](ctx, a.client, request{method: "POST", path: "/api/loyalty/holds/{id}/release", ids: []string{id}, body: body, isKeyed: true}, options)
}

// LotsAPI has the operations of lots.
type LotsAPI struct{ client *Client }

// Cancel: Cancel held points. The points are never credited. API keys: organization, website.
//
//	POST /api/loyalty/lots/{id}/cancel
func (a LotsAPI) Cancel(ctx context.Context, id string, body CancelLotInputBody, options ...Option) (*Lot, error) {
	return receive[Lot](ctx, a.client, request{method: "POST", path: "/api/loyalty/lots/{id}/cancel", ids: []string{id}, body: body, isKeyed: true}, options)
}

// Release: Credit held points before they are due. The points are credited by a transaction like the
// one that granted them; the entry's metadata names the lot. API keys: organization, website.
//
//	POST /api/loyalty/lots/{id}/release
func (a LotsAPI) Release(ctx context.Context, id string, body ReleaseLotInputBody, options ...Option) (*Lot, error) {
	return receive[Lot](ctx, a.client, request{method: "POST", path: "/api/loyalty/lots/{id}/release", ids: []string{id}, body: body, isKeyed: true}, options)
}

// MintingAssetsAPI has the operations of minting assets.
type MintingAssetsAPI struct{ client *Client }

// MintingAssetsListParams are the query parameters of List. Those that are empty are left out.
type MintingAssetsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what is on this blockchain
	Network string
	// true: with the metadata of each asset
	IncludeMetadata Optional[bool]
	// true: deleted items too
	IncludeDeleted Optional[bool]
	// true: hidden ones too
	IsHidden Optional[bool]
	// true: only listed assets; false: only others
	IsListed Optional[bool]
	// Only what refers to this contract
	ContractAddress string
	// Only assets with a price in points (loyalty) or in a currency of the blockchain (native). One of:
	// loyalty, native.
	CurrencyType string
	// Only what belongs to this asset
	MintingContractAssetID string
	// Only assets of these minting contracts, up to 100
	MintingContractIDs []string
	// active: can be minted now; past: no longer. One of: active, past.
	Status string
	// Only the asset with this token
	TokenID []int64
	// Assets that these have minted
	WalletAddress []string
	// What the list is ordered by. One of: price, startsAt, assetNr.
	SortBy string
	// Default asc with sortBy. One of: asc, desc.
	SortDir string
}

func (p MintingAssetsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("network", p.Network)
	q.flag("includeMetadata", p.IncludeMetadata)
	q.flag("includeDeleted", p.IncludeDeleted)
	q.flag("isHidden", p.IsHidden)
	q.flag("isListed", p.IsListed)
	q.text("contractAddress", p.ContractAddress)
	q.text("currencyType", p.CurrencyType)
	q.text("mintingContractAssetId", p.MintingContractAssetID)
	q.list("mintingContractIds", p.MintingContractIDs)
	q.text("status", p.Status)
	q.integers("tokenId", p.TokenID)
	q.list("walletAddress", p.WalletAddress)
	q.text("sortBy", p.SortBy)
	q.text("sortDir", p.SortDir)
	return url.Values(q)
}

// List: List minting assets. Newest first, or by sortBy, ascending unless sortDir says otherwise.
// active: listed, with its contract, and inside its window; past: its window is over. API keys:
// organization, website, read-only, client.
//
//	GET /api/minting/assets
func (a MintingAssetsAPI) List(ctx context.Context, params MintingAssetsListParams, options ...Option) (*ListMintingAsset, error) {
	return receive[ListMintingAsset](ctx, a.client, request{method: "GET", path: "/api/minting/assets", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a MintingAssetsAPI) All(ctx context.Context, params MintingAssetsListParams, options ...Option) iter.Seq2[MintingAsset, error] {
	return eachItem(params.StartingAfter, func(after string) ([]MintingAsset, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item MintingAsset) string { return item.ID })
}

// Create: Create a minting asset. assetNr counts 1, 2, ... in the contract. API keys: organization,
// website.
//
//	POST /api/minting/assets
func (a MintingAssetsAPI) Create(ctx context.Context, body CreateMintingAssetBody, options ...Option) (*MintingAsset, error) {
	return receive[MintingAsset](ctx, a.client, request{method: "POST", path: "/api/minting/assets", body: body, isKeyed: true}, options)
}

// MintingAssetsListAllowlistParams are the query parameters of ListAllowlist. Those that are empty are left out.
type MintingAssetsListAllowlistParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The asset whose allowlist is listed. Required.
	MintingContractAssetID string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress string
}

func (p MintingAssetsListAllowlistParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("mintingContractAssetId", p.MintingContractAssetID)
	q.text("walletAddress", p.WalletAddress)
	return url.Values(q)
}

// ListAllowlist: List the allowlist of an asset. Newest first. API keys: organization, website,
// read-only.
//
//	GET /api/minting/assets/allowlist
func (a MintingAssetsAPI) ListAllowlist(ctx context.Context, params MintingAssetsListAllowlistParams, options ...Option) (*ListAllowEntry, error) {
	return receive[ListAllowEntry](ctx, a.client, request{method: "GET", path: "/api/minting/assets/allowlist", query: params.query()}, options)
}

// AllAllowlist returns all items of ListAllowlist, which it reads page by page. After an error it
// ends.
func (a MintingAssetsAPI) AllAllowlist(ctx context.Context, params MintingAssetsListAllowlistParams, options ...Option) iter.Seq2[AllowEntry, error] {
	return eachItem(params.StartingAfter, func(after string) ([]AllowEntry, bool, error) {
		params.StartingAfter = after
		page, err := a.ListAllowlist(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item AllowEntry) string { return item.ID })
}

// WriteAllowlist: Write entries of an asset's allowlist. A wallet that is on the list gets the new
// quantity; createdCount counts new entries. The list holds while the asset has isAllowlisted. API
// keys: organization, website.
//
//	POST /api/minting/assets/allowlist
func (a MintingAssetsAPI) WriteAllowlist(ctx context.Context, body AllowBody, options ...Option) (*AllowOutputBody, error) {
	return receive[AllowOutputBody](ctx, a.client, request{method: "POST", path: "/api/minting/assets/allowlist", body: body, isKeyed: true}, options)
}

// MintingAssetsGetParams are the query parameters of Get. Those that are empty are left out.
type MintingAssetsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// true: with the metadata of each asset
	IncludeMetadata Optional[bool]
}

func (p MintingAssetsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.flag("includeMetadata", p.IncludeMetadata)
	return url.Values(q)
}

// Get: Get a minting asset. As lists show it, also a hidden one. API keys: organization, website,
// read-only, client.
//
//	GET /api/minting/assets/{id}
func (a MintingAssetsAPI) Get(ctx context.Context, id string, params MintingAssetsGetParams, options ...Option) (*MintingAsset, error) {
	return receive[MintingAsset](ctx, a.client, request{method: "GET", path: "/api/minting/assets/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a minting asset. An absent property keeps its value. quantity stays at least what is
// minted or reserved. API keys: organization, website.
//
//	POST /api/minting/assets/{id}
func (a MintingAssetsAPI) Update(ctx context.Context, id string, body UpdateMintingAssetBody, options ...Option) (*MintingAsset, error) {
	return receive[MintingAsset](ctx, a.client, request{method: "POST", path: "/api/minting/assets/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// MintingAssetsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type MintingAssetsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p MintingAssetsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a minting asset. Pending mints continue. API keys: organization, website.
//
//	DELETE /api/minting/assets/{id}
func (a MintingAssetsAPI) Delete(ctx context.Context, id string, params MintingAssetsDeleteParams, options ...Option) (*MintingAsset, error) {
	return receive[MintingAsset](ctx, a.client, request{method: "DELETE", path: "/api/minting/assets/{id}", ids: []string{id}, query: params.query()}, options)
}

// MintingAssetsCheckTokenGateParams are the query parameters of CheckTokenGate. Those that are empty are left out.
type MintingAssetsCheckTokenGateParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// The contract of the token. Required.
	CollectionAddress string
	// The asset of the gate. Required.
	MintingContractAssetID string
	// The minting contract of the gate. Required.
	MintingContractID string
	// The blockchain of the contract. Required.
	Network string
	// The token that is shown at the gate. Required.
	TokenID string
}

func (p MintingAssetsCheckTokenGateParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("collectionAddress", p.CollectionAddress)
	q.text("mintingContractAssetId", p.MintingContractAssetID)
	q.text("mintingContractId", p.MintingContractID)
	q.text("network", p.Network)
	q.text("tokenId", p.TokenID)
	return url.Values(q)
}

// CheckTokenGate: Check whether a token opens the gate of an asset. Whether a token opens the gate of
// an asset. Without a reader of blockchains none does. API keys: organization, website, read-only,
// client.
//
//	GET /api/minting/token_gate
func (a MintingAssetsAPI) CheckTokenGate(ctx context.Context, params MintingAssetsCheckTokenGateParams, options ...Option) (*TokenGateOutputBody, error) {
	return receive[TokenGateOutputBody](ctx, a.client, request{method: "GET", path: "/api/minting/token_gate", query: params.query()}, options)
}

// MintingContractsAPI has the operations of minting contracts.
type MintingContractsAPI struct{ client *Client }

// MintingContractsListParams are the query parameters of List. Those that are empty are left out.
type MintingContractsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// true: only contracts that the marketplace lists
	ShowOnMarketplace Optional[bool]
	// true: deleted items too
	IncludeDeleted Optional[bool]
}

func (p MintingContractsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.flag("showOnMarketplace", p.ShowOnMarketplace)
	q.flag("includeDeleted", p.IncludeDeleted)
	return url.Values(q)
}

// List: List minting contracts. Newest first, each with its newest 100 assets that are not hidden.
// stats count live assets; its sums are null where there is none. API keys: organization, website,
// read-only, client.
//
//	GET /api/minting/contracts
func (a MintingContractsAPI) List(ctx context.Context, params MintingContractsListParams, options ...Option) (*ListContractsBody, error) {
	return receive[ListContractsBody](ctx, a.client, request{method: "GET", path: "/api/minting/contracts", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a MintingContractsAPI) All(ctx context.Context, params MintingContractsListParams, options ...Option) iter.Seq2[MintingContract, error] {
	return eachItem(params.StartingAfter, func(after string) ([]MintingContract, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item MintingContract) string { return item.ID })
}

// Create: Create a minting contract. Assets of a contract that is not listed cannot be minted. A
// website has at most 1000. API keys: organization, website.
//
//	POST /api/minting/contracts
func (a MintingContractsAPI) Create(ctx context.Context, body CreateMintingContractBody, options ...Option) (*MintingContract, error) {
	return receive[MintingContract](ctx, a.client, request{method: "POST", path: "/api/minting/contracts", body: body, isKeyed: true}, options)
}

// Mint: Mint items of an asset for a user. OFFCHAIN: the points are debited and the items minted at
// once. ONCHAIN: both are reserved until the mint is reported; one that is not reported within an hour
// has failed, and all goes back. API keys: organization, website, client.
//
//	POST /api/minting/contracts/mint
func (a MintingContractsAPI) Mint(ctx context.Context, body MintBody, options ...Option) (*MintOutputBody, error) {
	return receive[MintOutputBody](ctx, a.client, request{method: "POST", path: "/api/minting/contracts/mint", body: body, isKeyed: true}, options)
}

// MintingContractsGetParams are the query parameters of Get. Those that are empty are left out.
type MintingContractsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p MintingContractsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a minting contract. As lists show it. API keys: organization, website, read-only, client.
//
//	GET /api/minting/contracts/{id}
func (a MintingContractsAPI) Get(ctx context.Context, id string, params MintingContractsGetParams, options ...Option) (*MintingContract, error) {
	return receive[MintingContract](ctx, a.client, request{method: "GET", path: "/api/minting/contracts/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a minting contract. An absent property keeps its value. contractKind and tokenType
// stay. API keys: organization, website.
//
//	POST /api/minting/contracts/{id}
func (a MintingContractsAPI) Update(ctx context.Context, id string, body UpdateMintingContractBody, options ...Option) (*MintingContract, error) {
	return receive[MintingContract](ctx, a.client, request{method: "POST", path: "/api/minting/contracts/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// MintingContractsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type MintingContractsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p MintingContractsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a minting contract. Its assets are deleted with it, with an event for each. Pending
// mints continue. API keys: organization, website.
//
//	DELETE /api/minting/contracts/{id}
func (a MintingContractsAPI) Delete(ctx context.Context, id string, params MintingContractsDeleteParams, options ...Option) (*MintingContract, error) {
	return receive[MintingContract](ctx, a.client, request{method: "DELETE", path: "/api/minting/contracts/{id}", ids: []string{id}, query: params.query()}, options)
}

// MintsAPI has the operations of mints.
type MintsAPI struct{ client *Client }

// MintsListParams are the query parameters of List. Those that are empty are left out.
type MintsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// Only items with this status
	Status []string
}

func (p MintsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("status", p.Status)
	return url.Values(q)
}

// List: List mints. Newest first. Client keys name exactly one user and send its member token. API
// keys: organization, website, read-only, client.
//
//	GET /api/minting/status
func (a MintsAPI) List(ctx context.Context, params MintsListParams, options ...Option) (*ListMintStatus, error) {
	return receive[ListMintStatus](ctx, a.client, request{method: "GET", path: "/api/minting/status", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a MintsAPI) All(ctx context.Context, params MintsListParams, options ...Option) iter.Seq2[MintStatus, error] {
	return eachItem(params.StartingAfter, func(after string) ([]MintStatus, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item MintStatus) string { return item.ID })
}

// MintsGetParams are the query parameters of Get. Those that are empty are left out.
type MintsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p MintsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a mint. Client keys send the member token of the mint's user. API keys: organization,
// website, read-only, client.
//
//	GET /api/minting/status/{id}
func (a MintsAPI) Get(ctx context.Context, id string, params MintsGetParams, options ...Option) (*MintStatus, error) {
	return receive[MintStatus](ctx, a.client, request{method: "GET", path: "/api/minting/status/{id}", ids: []string{id}, query: params.query()}, options)
}

// Report: Report the result of a mint. Only for a pending mint. failed returns the reserved items and
// the points. API keys: organization, website, client.
//
//	POST /api/minting/status/{id}
func (a MintsAPI) Report(ctx context.Context, id string, body ReportMintBody, options ...Option) (*ReportMintOutputBody, error) {
	return receive[ReportMintOutputBody](ctx, a.client, request{method: "POST", path: "/api/minting/status/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// MultipliersAPI has the operations of multipliers.
type MultipliersAPI struct{ client *Client }

// MultipliersListParams are the query parameters of List. Those that are empty are left out.
type MultipliersListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// The externalIdentifier of the multiplier
	ExternalIdentifier string
	// Only members with this label
	WalletGroupIdentifier string
	// true: deleted items too
	IncludeDeleted Optional[bool]
}

func (p MultipliersListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.text("externalIdentifier", p.ExternalIdentifier)
	q.text("walletGroupIdentifier", p.WalletGroupIdentifier)
	q.flag("includeDeleted", p.IncludeDeleted)
	return url.Values(q)
}

// List: List multipliers. Newest first. externalIdentifier is that of the multiplier; the other
// filters are on users. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/multipliers
func (a MultipliersAPI) List(ctx context.Context, params MultipliersListParams, options ...Option) (*ListMultiplier, error) {
	return receive[ListMultiplier](ctx, a.client, request{method: "GET", path: "/api/loyalty/multipliers", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a MultipliersAPI) All(ctx context.Context, params MultipliersListParams, options ...Option) iter.Seq2[Multiplier, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Multiplier, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Multiplier) string { return item.ID })
}

// Create: Grant a multiplier to a user. Raises what rules and streaks pay to the user from now on;
// transactions of callers stay as they are. Several add up: 2 and 3 give 4. An unknown wallet becomes
// a user. API keys: organization, website.
//
//	POST /api/loyalty/multipliers
func (a MultipliersAPI) Create(ctx context.Context, body GiveMultiplierBody, options ...Option) (*Multiplier, error) {
	return receive[Multiplier](ctx, a.client, request{method: "POST", path: "/api/loyalty/multipliers", body: body, isKeyed: true}, options)
}

// MultipliersDeleteByExternalIdentifierParams are the query parameters of DeleteByExternalIdentifier. Those that are empty are left out.
type MultipliersDeleteByExternalIdentifierParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Also accepted in the body
	ExternalIdentifier string
}

func (p MultipliersDeleteByExternalIdentifierParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("externalIdentifier", p.ExternalIdentifier)
	return url.Values(q)
}

// DeleteByExternalIdentifier: End a multiplier by its externalIdentifier. externalIdentifier is sent
// in the query or in the body. API keys: organization, website.
//
//	DELETE /api/loyalty/multipliers
func (a MultipliersAPI) DeleteByExternalIdentifier(ctx context.Context, params MultipliersDeleteByExternalIdentifierParams, body DeleteNamedMultiplierInputBody, options ...Option) (*Multiplier, error) {
	return receive[Multiplier](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/multipliers", query: params.query(), body: body}, options)
}

// Update: Update a multiplier. An absent property keeps its value. API keys: organization, website.
//
//	POST /api/loyalty/multipliers/{id}
func (a MultipliersAPI) Update(ctx context.Context, id string, body UpdateMultiplierInputBody, options ...Option) (*Multiplier, error) {
	return receive[Multiplier](ctx, a.client, request{method: "POST", path: "/api/loyalty/multipliers/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// MultipliersDeleteParams are the query parameters of Delete. Those that are empty are left out.
type MultipliersDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p MultipliersDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: End a multiplier. Points that were paid with the multiplier stay. API keys: organization,
// website.
//
//	DELETE /api/loyalty/multipliers/{id}
func (a MultipliersAPI) Delete(ctx context.Context, id string, params MultipliersDeleteParams, options ...Option) (*IdBody, error) {
	return receive[IdBody](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/multipliers/{id}", ids: []string{id}, query: params.query()}, options)
}

// PageSectionsAPI has the operations of page sections.
type PageSectionsAPI struct{ client *Client }

// PageSectionsListParams are the query parameters of List. Those that are empty are left out.
type PageSectionsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// The place of the sections. One of: global, page. Required.
	Placement string
	// Only sections of this page
	PageID string
	// Only sections of this type. One of: all_items, discovery_item, discovery_items_grid.
	PageSectionType string
	// 1: sections whose window is not open, too. One of: 1.
	All string
}

func (p PageSectionsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("placement", p.Placement)
	q.text("pageId", p.PageID)
	q.text("pageSectionType", p.PageSectionType)
	q.text("all", p.All)
	return url.Values(q)
}

// List: List the page sections of a place. Sections whose window is open, or all with all=1, by
// sortId: at most 100. The response also has the fields of the first section, beside data. API keys:
// organization, website, read-only, client.
//
//	GET /api/page_sections
func (a PageSectionsAPI) List(ctx context.Context, params PageSectionsListParams, options ...Option) (*GetPageSectionsResponse, error) {
	return receive[GetPageSectionsResponse](ctx, a.client, request{method: "GET", path: "/api/page_sections", query: params.query()}, options)
}

// Create: Create a page section. It is shown from durationStart on, and before durationEnd. API keys:
// organization, website.
//
//	POST /api/page_sections
func (a PageSectionsAPI) Create(ctx context.Context, body CreateSectionBody, options ...Option) (*PageSection, error) {
	return receive[PageSection](ctx, a.client, request{method: "POST", path: "/api/page_sections", body: body, isKeyed: true}, options)
}

// PageSectionsGetParams are the query parameters of Get. Those that are empty are left out.
type PageSectionsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p PageSectionsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a page section. Whether its window is open or not. API keys: organization, website,
// read-only, client.
//
//	GET /api/page_sections/{id}
func (a PageSectionsAPI) Get(ctx context.Context, id string, params PageSectionsGetParams, options ...Option) (*PageSection, error) {
	return receive[PageSection](ctx, a.client, request{method: "GET", path: "/api/page_sections/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a page section. An absent property keeps its value. banner, itemsGrids and
// discoveryItems replace the former ones; parts that are sent with their id keep it. API keys:
// organization, website.
//
//	POST /api/page_sections/{id}
func (a PageSectionsAPI) Update(ctx context.Context, id string, body UpdateSectionBody, options ...Option) (*PageSection, error) {
	return receive[PageSection](ctx, a.client, request{method: "POST", path: "/api/page_sections/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// PageSectionsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type PageSectionsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p PageSectionsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a page section. Lists no longer show it. API keys: organization, website.
//
//	DELETE /api/page_sections/{id}
func (a PageSectionsAPI) Delete(ctx context.Context, id string, params PageSectionsDeleteParams, options ...Option) (*PageSection, error) {
	return receive[PageSection](ctx, a.client, request{method: "DELETE", path: "/api/page_sections/{id}", ids: []string{id}, query: params.query()}, options)
}

// PayoutsAPI has the operations of payouts.
type PayoutsAPI struct{ client *Client }

// PayoutsListParams are the query parameters of List. Those that are empty are left out.
type PayoutsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only items with this status
	Status []string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID []string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
}

func (p PayoutsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("status", p.Status)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	return url.Values(q)
}

// List: List the payouts of token rewards. Newest first. waiting: the payout driver has not accepted
// it yet, or there is no driver; sent: the driver has accepted it and not reported the result; failed:
// it was refused, or the driver could not be reached often enough; it can be retried. The metadata of
// the entry has status and txHash too. API keys: organization, website.
//
//	GET /api/loyalty/payouts
func (a PayoutsAPI) List(ctx context.Context, params PayoutsListParams, options ...Option) (*ListPayout, error) {
	return receive[ListPayout](ctx, a.client, request{method: "GET", path: "/api/loyalty/payouts", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a PayoutsAPI) All(ctx context.Context, params PayoutsListParams, options ...Option) iter.Seq2[Payout, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Payout, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Payout) string { return item.ID })
}

// Retry: Retry a failed payout. The driver is called again with the same idempotencyKey, so that it
// does not pay twice if it has paid already. API keys: organization, website.
//
//	POST /api/loyalty/payouts/{id}/retry
func (a PayoutsAPI) Retry(ctx context.Context, id string, body RetryPayoutInputBody, options ...Option) (*Payout, error) {
	return receive[Payout](ctx, a.client, request{method: "POST", path: "/api/loyalty/payouts/{id}/retry", ids: []string{id}, body: body, isKeyed: true}, options)
}

// PhoneAPI has the operations of phone.
type PhoneAPI struct{ client *Client }

// SendCode: Send a code to a phone number (deprecated). Sends six digits by SMS, valid for 10 minutes,
// and returns once the operator's gateway has accepted the message. A new code ends the one before. At
// most one code per 30 seconds and five per hour, per number and per user: then 429 with Retry-After.
// Client keys name the user and send its member token. API keys: organization, website, client.
//
//	POST /api/phone/auth
//
// Deprecated: the same as the operation under /api/phone_verifications, without data around the
// answer.
func (a PhoneAPI) SendCode(ctx context.Context, body SendPhoneCodeInputBody, options ...Option) (*CodeSent, error) {
	return receive[CodeSent](ctx, a.client, request{method: "POST", path: "/api/phone/auth", body: body, isKeyed: true}, options)
}

// Connect: Connect a phone number by its code (deprecated). Every code that was checked is answered
// with 200. error is INVALID_CODE, CODE_EXPIRED, TOO_MANY_ATTEMPTS after five wrong codes, or
// MAXIMUM_ACCOUNT_LINKED, if another user has connected the number: accountLinkData then moves it by
// POST /api/users/verify. API keys: organization, website, client.
//
//	POST /api/phone/auth/connect
//
// Deprecated: the same as the operation under /api/phone_verifications, without data around the
// answer.
func (a PhoneAPI) Connect(ctx context.Context, body ConnectPhoneBody, options ...Option) (*ConnectedAccount, error) {
	return receive[ConnectedAccount](ctx, a.client, request{method: "POST", path: "/api/phone/auth/connect", body: body, isKeyed: true}, options)
}

// Disconnect: Disconnect the phone number of a user (deprecated). Clears the number and takes the
// badges back that rules of type connected_phone have granted. API keys: organization, website,
// client.
//
//	POST /api/phone/auth/disconnect
//
// Deprecated: the same as the operation under /api/phone_verifications, without data around the
// answer.
func (a PhoneAPI) Disconnect(ctx context.Context, body DisconnectPhoneInputBody, options ...Option) (*Disconnected, error) {
	return receive[Disconnected](ctx, a.client, request{method: "POST", path: "/api/phone/auth/disconnect", body: body, isKeyed: true}, options)
}

// PhoneVerificationsAPI has the operations of phone verifications.
type PhoneVerificationsAPI struct{ client *Client }

// SendCode: Send a code to a phone number. Sends six digits by SMS, valid for 10 minutes, and returns
// once the operator's gateway has accepted the message. A new code ends the one before. At most one
// code per 30 seconds and five per hour, per number and per user: then 429 with Retry-After. Client
// keys name the user and send its member token. API keys: organization, website, client.
//
//	POST /api/phone_verifications
func (a PhoneVerificationsAPI) SendCode(ctx context.Context, body SendPhoneCodeInputBody, options ...Option) (*DataCodeSent, error) {
	return receive[DataCodeSent](ctx, a.client, request{method: "POST", path: "/api/phone_verifications", body: body, isKeyed: true}, options)
}

// Connect: Connect a phone number by its code. Every code that was checked is answered with 200. error
// is INVALID_CODE, CODE_EXPIRED, TOO_MANY_ATTEMPTS after five wrong codes, or MAXIMUM_ACCOUNT_LINKED,
// if another user has connected the number: accountLinkData then moves it by POST /api/users/verify.
// API keys: organization, website, client.
//
//	POST /api/phone_verifications/connect
func (a PhoneVerificationsAPI) Connect(ctx context.Context, body ConnectPhoneBody, options ...Option) (*DataConnectedAccount, error) {
	return receive[DataConnectedAccount](ctx, a.client, request{method: "POST", path: "/api/phone_verifications/connect", body: body, isKeyed: true}, options)
}

// Disconnect: Disconnect the phone number of a user. Clears the number and takes the badges back that
// rules of type connected_phone have granted. API keys: organization, website, client.
//
//	POST /api/phone_verifications/disconnect
func (a PhoneVerificationsAPI) Disconnect(ctx context.Context, body DisconnectPhoneInputBody, options ...Option) (*DataDisconnected, error) {
	return receive[DataDisconnected](ctx, a.client, request{method: "POST", path: "/api/phone_verifications/disconnect", body: body, isKeyed: true}, options)
}

// QuestionResponsesAPI has the operations of question responses.
type QuestionResponsesAPI struct{ client *Client }

// QuestionResponsesListParams are the query parameters of List. Those that are empty are left out.
type QuestionResponsesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only answers to these questions, up to 100
	QuestionsID []string
	// Only what belongs to these members, by id; up to 100
	UserID string
}

func (p QuestionResponsesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("questionsId", p.QuestionsID)
	q.text("userId", p.UserID)
	return url.Values(q)
}

// List: List answers to questions. Newest first. It says which choices are correct once the user can
// no longer answer. Client keys name their user by userId and send its member token. API keys:
// organization, website, read-only, client.
//
//	GET /api/loyalty/questions_responses
func (a QuestionResponsesAPI) List(ctx context.Context, params QuestionResponsesListParams, options ...Option) (*ListQuestionResponse, error) {
	return receive[ListQuestionResponse](ctx, a.client, request{method: "GET", path: "/api/loyalty/questions_responses", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a QuestionResponsesAPI) All(ctx context.Context, params QuestionResponsesListParams, options ...Option) iter.Seq2[QuestionResponse, error] {
	return eachItem(params.StartingAfter, func(after string) ([]QuestionResponse, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item QuestionResponse) string { return item.ID })
}

// Respond: Answer a question. A completion of the rule is decided by this answer. If the question
// allows one attempt, a second answer changes nothing and returns the first; the users of a group
// share the attempt. Client keys send the user's member token. API keys: organization, website,
// client.
//
//	POST /api/loyalty/questions_responses
func (a QuestionResponsesAPI) Respond(ctx context.Context, body RespondInputBody, options ...Option) (*GivenBody, error) {
	return receive[GivenBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/questions_responses", body: body, isKeyed: true}, options)
}

// QuestionsAPI has the operations of questions.
type QuestionsAPI struct{ client *Client }

// QuestionsListParams are the query parameters of List. Those that are empty are left out.
type QuestionsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The rules whose questions are listed, up to 100. Required.
	LoyaltyRuleIDs []string
	// No effect: a question is the same for every user
	UserID string
}

func (p QuestionsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("loyaltyRuleIds", p.LoyaltyRuleIDs)
	q.text("userId", p.UserID)
	return url.Values(q)
}

// List: List the questions of quizzes and polls. Newest first, of live rules. It does not say which
// choices are correct. Client keys do not see questions of rules that they do not see. API keys:
// organization, website, read-only, client.
//
//	GET /api/loyalty/questions
func (a QuestionsAPI) List(ctx context.Context, params QuestionsListParams, options ...Option) (*ListQuestion, error) {
	return receive[ListQuestion](ctx, a.client, request{method: "GET", path: "/api/loyalty/questions", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a QuestionsAPI) All(ctx context.Context, params QuestionsListParams, options ...Option) iter.Seq2[Question, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Question, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Question) string { return item.ID })
}

// Create: Create the question of a quiz or poll. A quiz needs a correct choice; a poll takes any. A
// rule has one question. API keys: organization, website.
//
//	POST /api/loyalty/questions
func (a QuestionsAPI) Create(ctx context.Context, body CreateQuestionBody, options ...Option) (*Question, error) {
	return receive[Question](ctx, a.client, request{method: "POST", path: "/api/loyalty/questions", body: body, isKeyed: true}, options)
}

// Update: Update a question. Choices with id are changed, where absent properties stay, those without
// are added, and those that are missing removed. A choice that a member has given as an answer cannot
// be removed. API keys: organization, website.
//
//	POST /api/loyalty/questions/{id}
func (a QuestionsAPI) Update(ctx context.Context, id string, body UpdateQuestionBody, options ...Option) (*Question, error) {
	return receive[Question](ctx, a.client, request{method: "POST", path: "/api/loyalty/questions/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// ReferralCodesAPI has the operations of referral codes.
type ReferralCodesAPI struct{ client *Client }

// Create: Get or create a member's referral code. A member has one code per rule: if there is one
// already, it is returned, even if another one was requested. Codes ignore case and are unique in a
// website. Client keys send the member's token. API keys: organization, website, client.
//
//	POST /api/referral/codes
func (a ReferralCodesAPI) Create(ctx context.Context, body CreateReferralCodeBody, options ...Option) (*ReferralCode, error) {
	return receive[ReferralCode](ctx, a.client, request{method: "POST", path: "/api/referral/codes", body: body, isKeyed: true}, options)
}

// ReferralsAPI has the operations of referrals.
type ReferralsAPI struct{ client *Client }

// ReferralsListParams are the query parameters of List. Those that are empty are left out.
type ReferralsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID []string
	// The referrer
	UserID []string
	// The wallet of the referrer
	WalletAddress []string
}

func (p ReferralsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	return url.Values(q)
}

// List: List referrals. Newest first. Client keys name exactly one referrer and send its member token.
// API keys: organization, website, read-only, client.
//
//	GET /api/referral/users
func (a ReferralsAPI) List(ctx context.Context, params ReferralsListParams, options ...Option) (*ListReferralItem, error) {
	return receive[ListReferralItem](ctx, a.client, request{method: "GET", path: "/api/referral/users", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a ReferralsAPI) All(ctx context.Context, params ReferralsListParams, options ...Option) iter.Seq2[ReferralItem, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ReferralItem, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ReferralItem) string { return item.ID })
}

// Create: Record that users came by a referral code. All of the users or none. A user is referred once
// per rule; the referrals of a website may not form a loop. Client keys name exactly one user and send
// its member token. API keys: organization, website, client.
//
//	POST /api/referral/users
func (a ReferralsAPI) Create(ctx context.Context, body ReferUsersBody, options ...Option) (*Success, error) {
	return receive[Success](ctx, a.client, request{method: "POST", path: "/api/referral/users", body: body, isKeyed: true}, options)
}

// RuleChainsAPI has the operations of rule chains.
type RuleChainsAPI struct{ client *Client }

// RuleChainsListParams are the query parameters of List. Those that are empty are left out.
type RuleChainsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID []string
}

func (p RuleChainsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	return url.Values(q)
}

// List: List rule chains. Newest first. Rules include their chains in loyaltyRuleChain. Client keys do
// not see chains of rules that are hidden from them. API keys: organization, website, read-only,
// client.
//
//	GET /api/loyalty/rule_chains
func (a RuleChainsAPI) List(ctx context.Context, params RuleChainsListParams, options ...Option) (*ListRuleChain, error) {
	return receive[ListRuleChain](ctx, a.client, request{method: "GET", path: "/api/loyalty/rule_chains", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a RuleChainsAPI) All(ctx context.Context, params RuleChainsListParams, options ...Option) iter.Seq2[RuleChain, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleChain, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleChain) string { return item.ID })
}

// RuleChainsCreateParams are the query parameters of Create. Those that are empty are left out.
type RuleChainsCreateParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p RuleChainsCreateParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Create: Lock a rule until conditions hold. Until all conditions hold, or with OR one of them, the
// rule cannot be completed. A condition of type rule, rules or badges refers to records by
// loyaltyRuleIds and loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by
// loyaltyCurrencyIds. A condition of type csv holds while the wallet is on its list; one of type api
// never holds. API keys: organization, website.
//
//	POST /api/loyalty/rule_chains
func (a RuleChainsAPI) Create(ctx context.Context, params RuleChainsCreateParams, body CreateChainBody, options ...Option) (*ChainBody, error) {
	return receive[ChainBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/rule_chains", query: params.query(), body: body, isKeyed: true}, options)
}

// RuleChainsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type RuleChainsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p RuleChainsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a rule chain. Returns the chain as it was. API keys: organization, website.
//
//	DELETE /api/loyalty/rule_chains/{id}
func (a RuleChainsAPI) Delete(ctx context.Context, id string, params RuleChainsDeleteParams, options ...Option) (*ChainBody, error) {
	return receive[ChainBody](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/rule_chains/{id}", ids: []string{id}, query: params.query()}, options)
}

// RuleEditsAPI has the operations of rule edits.
type RuleEditsAPI struct{ client *Client }

// RuleEditsListParams are the query parameters of List. Those that are empty are left out.
type RuleEditsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The rule whose history is listed. Required.
	LoyaltyRuleID string
}

func (p RuleEditsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("loyaltyRuleId", p.LoyaltyRuleID)
	return url.Values(q)
}

// List: List the edits of a rule. Newest first: the editor and the changed properties of each edit,
// with the values before and after. API keys: organization, website, read-only.
//
//	GET /api/loyalty/rule_edits
func (a RuleEditsAPI) List(ctx context.Context, params RuleEditsListParams, options ...Option) (*ListRuleEdit, error) {
	return receive[ListRuleEdit](ctx, a.client, request{method: "GET", path: "/api/loyalty/rule_edits", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a RuleEditsAPI) All(ctx context.Context, params RuleEditsListParams, options ...Option) iter.Seq2[RuleEdit, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleEdit, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleEdit) string { return item.ID })
}

// Restore: Undo an edit. Sets the properties that the edit changed back to their former values; that
// is an edit too. API keys: organization, website.
//
//	POST /api/loyalty/rule_edits/{id}/restore
func (a RuleEditsAPI) Restore(ctx context.Context, id string, body RestoreEditInputBody, options ...Option) (*RuleEdit, error) {
	return receive[RuleEdit](ctx, a.client, request{method: "POST", path: "/api/loyalty/rule_edits/{id}/restore", ids: []string{id}, body: body, isKeyed: true}, options)
}

// RuleGroupsAPI has the operations of rule groups.
type RuleGroupsAPI struct{ client *Client }

// RuleGroupsListParams are the query parameters of List. Those that are empty are left out.
type RuleGroupsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// true drops rules with hideInUi
	ExcludeHidden Optional[bool]
}

func (p RuleGroupsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.flag("excludeHidden", p.ExcludeHidden)
	return url.Values(q)
}

// List: List rule groups with their rules. By sortId. A page ends before the group that would bring
// its rules above 1000. Client keys do not see hidden rules. API keys: organization, website,
// read-only, client.
//
//	GET /api/loyalty/rule_groups
func (a RuleGroupsAPI) List(ctx context.Context, params RuleGroupsListParams, options ...Option) (*ListRuleGroup, error) {
	return receive[ListRuleGroup](ctx, a.client, request{method: "GET", path: "/api/loyalty/rule_groups", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a RuleGroupsAPI) All(ctx context.Context, params RuleGroupsListParams, options ...Option) iter.Seq2[RuleGroup, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleGroup, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleGroup) string { return item.ID })
}

// Create: Create a rule group. Without sortId the group comes last. A rule joins it by its
// loyaltyRuleGroupId. API keys: organization, website.
//
//	POST /api/loyalty/rule_groups/create
func (a RuleGroupsAPI) Create(ctx context.Context, body CreateGroupBody, options ...Option) (*RuleGroup, error) {
	return receive[RuleGroup](ctx, a.client, request{method: "POST", path: "/api/loyalty/rule_groups/create", body: body, isKeyed: true}, options)
}

// Update: Update a rule group. An absent property keeps its value. API keys: organization, website.
//
//	POST /api/loyalty/rule_groups/{id}
func (a RuleGroupsAPI) Update(ctx context.Context, id string, body WriteGroupBody, options ...Option) (*RuleGroup, error) {
	return receive[RuleGroup](ctx, a.client, request{method: "POST", path: "/api/loyalty/rule_groups/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// RuleGroupsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type RuleGroupsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p RuleGroupsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a rule group; its rules stay. The rules stay and are in no group. API keys:
// organization, website.
//
//	DELETE /api/loyalty/rule_groups/{id}
func (a RuleGroupsAPI) Delete(ctx context.Context, id string, params RuleGroupsDeleteParams, options ...Option) (*RuleGroup, error) {
	return receive[RuleGroup](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/rule_groups/{id}", ids: []string{id}, query: params.query()}, options)
}

// RuleStatusesAPI has the operations of rule statuses.
type RuleStatusesAPI struct{ client *Client }

// RuleStatusesListParams are the query parameters of List. Those that are empty are left out.
type RuleStatusesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// One or up to 100
	LoyaltyRuleID []string
}

func (p RuleStatusesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	return url.Values(q)
}

// List: List progress on rules. Progress per rule and user. Client keys name exactly one user and send
// its member token. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/rule_statuses
func (a RuleStatusesAPI) List(ctx context.Context, params RuleStatusesListParams, options ...Option) (*ListRuleStatus, error) {
	return receive[ListRuleStatus](ctx, a.client, request{method: "GET", path: "/api/loyalty/rule_statuses", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a RuleStatusesAPI) All(ctx context.Context, params RuleStatusesListParams, options ...Option) iter.Seq2[RuleStatus, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleStatus, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleStatus) string { return item.ID })
}

// Write: Write progress on a rule. Progress is limited to the range from 0 to the rule's target. The
// call pays no reward: a completion does. API keys: organization, website.
//
//	POST /api/loyalty/rule_statuses
func (a RuleStatusesAPI) Write(ctx context.Context, body WriteStatusInputBody, options ...Option) (*RuleStatus, error) {
	return receive[RuleStatus](ctx, a.client, request{method: "POST", path: "/api/loyalty/rule_statuses", body: body, isKeyed: true}, options)
}

// RulesAPI has the operations of rules.
type RulesAPI struct{ client *Client }

// RulesListParams are the query parameters of List. Those that are empty are left out.
type RulesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Rules of these groups; several share one cursor
	LoyaltyRuleGroupID []string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID []string
	// Rules whose allotment list has one of the users
	AllotedToUserID []string
	// Only rules whose allotment list has a member of this group
	AllotedUserGroupID string
	// Only rules about this contract
	CollectionAddress string
	// true: deleted items too
	IncludeDeleted Optional[bool]
	// true: started and not ended; false: the rest
	IsActive Optional[bool]
	// true: only honeypots, which are left out otherwise
	IsSpecial Optional[bool]
}

func (p RulesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("loyaltyRuleGroupId", p.LoyaltyRuleGroupID)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	q.list("allotedToUserId", p.AllotedToUserID)
	q.text("allotedUserGroupId", p.AllotedUserGroupID)
	q.text("collectionAddress", p.CollectionAddress)
	q.flag("includeDeleted", p.IncludeDeleted)
	q.flag("isActive", p.IsActive)
	q.flag("isSpecial", p.IsSpecial)
	return url.Values(q)
}

// List: List rules. Newest first. Client keys do not see hidden rules, nor rules that have not started
// unless showBeforeStart. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/rules
func (a RulesAPI) List(ctx context.Context, params RulesListParams, options ...Option) (*ListRuleBody, error) {
	return receive[ListRuleBody](ctx, a.client, request{method: "GET", path: "/api/loyalty/rules", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a RulesAPI) All(ctx context.Context, params RulesListParams, options ...Option) iter.Seq2[RuleBody, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleBody, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleBody) string { return item.ID })
}

// Create: Create a rule. Without loyaltyCurrencyId the rule pays in the website's only currency.
// interval sets how often a user is paid. API keys: organization, website.
//
//	POST /api/loyalty/rules
func (a RulesAPI) Create(ctx context.Context, body CreateRuleBody, options ...Option) (*RuleBody, error) {
	return receive[RuleBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/rules", body: body, isKeyed: true}, options)
}

// RulesListCompletionsParams are the query parameters of ListCompletions. Those that are empty are left out.
type RulesListCompletionsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID []string
}

func (p RulesListCompletionsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	return url.Values(q)
}

// ListCompletions: List accepted completions with their state. Accepted completions with their state.
// Client keys name exactly one user and send its member token. API keys: organization, website,
// read-only, client.
//
//	GET /api/loyalty/rules/status
func (a RulesAPI) ListCompletions(ctx context.Context, params RulesListCompletionsParams, options ...Option) (*ListProcessingView, error) {
	return receive[ListProcessingView](ctx, a.client, request{method: "GET", path: "/api/loyalty/rules/status", query: params.query()}, options)
}

// AllCompletions returns all items of ListCompletions, which it reads page by page. After an error it
// ends.
func (a RulesAPI) AllCompletions(ctx context.Context, params RulesListCompletionsParams, options ...Option) iter.Seq2[ProcessingView, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ProcessingView, bool, error) {
		params.StartingAfter = after
		page, err := a.ListCompletions(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ProcessingView) string { return item.ID })
}

// Update: Update a rule. An absent property keeps its value and null clears it; metadata is replaced
// as a whole. type cannot be changed. API keys: organization, website.
//
//	POST /api/loyalty/rules/{id}
func (a RulesAPI) Update(ctx context.Context, id string, body WriteRuleBody, options ...Option) (*RuleBody, error) {
	return receive[RuleBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/rules/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// RulesDeleteParams are the query parameters of Delete. Those that are empty are left out.
type RulesDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// true: each user is debited by what the rule paid, at most down to 0
	DebitLoyaltyPoints Optional[bool]
}

func (p RulesDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.flag("debitLoyaltyPoints", p.DebitLoyaltyPoints)
	return url.Values(q)
}

// Delete: Delete a rule. Points that the rule paid stay. With debitLoyaltyPoints=true they are
// debited, at most down to 0, and its held points are cancelled; a large debit continues after the
// response. An update with deletedAt null restores the rule. API keys: organization, website.
//
//	DELETE /api/loyalty/rules/{id}
func (a RulesAPI) Delete(ctx context.Context, id string, params RulesDeleteParams, options ...Option) (*DeletedBody, error) {
	return receive[DeletedBody](ctx, a.client, request{method: "DELETE", path: "/api/loyalty/rules/{id}", ids: []string{id}, query: params.query()}, options)
}

// RulesListCodesParams are the query parameters of ListCodes. Those that are empty are left out.
type RulesListCodesParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// true: only redeemed codes; false: only others
	Redeemed Optional[bool]
}

func (p RulesListCodesParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.flag("redeemed", p.Redeemed)
	return url.Values(q)
}

// ListCodes: List the codes of a rule. The codes that the service generated or imported for the rule,
// each for one redemption. A large number of codes is generated in the seconds after the rule is
// saved: while complete is false, codes are missing, and new ones appear at the front of the list. API
// keys: organization, website.
//
//	GET /api/loyalty/rules/{id}/codes
func (a RulesAPI) ListCodes(ctx context.Context, id string, params RulesListCodesParams, options ...Option) (*CodeList, error) {
	return receive[CodeList](ctx, a.client, request{method: "GET", path: "/api/loyalty/rules/{id}/codes", ids: []string{id}, query: params.query()}, options)
}

// AllCodes returns all items of ListCodes, which it reads page by page. After an error it ends.
func (a RulesAPI) AllCodes(ctx context.Context, id string, params RulesListCodesParams, options ...Option) iter.Seq2[RedemptionCode, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RedemptionCode, bool, error) {
		params.StartingAfter = after
		page, err := a.ListCodes(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RedemptionCode) string { return item.ID })
}

// Complete: Complete a rule for a user. Pays at most once per window of the rule, however often it is
// called. The texts of message are for people. A reward above the rule's maximum is cut to what is
// left of it. idempotencyKey (external_rule only) shares one name space per website with the keys of
// entries: the same input gets the first outcome, any other is refused. Client keys send the user's
// member token. API keys: organization, website, client.
//
//	POST /api/loyalty/rules/{id}/complete
func (a RulesAPI) Complete(ctx context.Context, id string, body CompleteRuleInputBody, options ...Option) (*CompletionBody, error) {
	return receive[CompletionBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/rules/{id}/complete", ids: []string{id}, body: body, isKeyed: true}, options)
}

// RulesListImportsParams are the query parameters of ListImports. Those that are empty are left out.
type RulesListImportsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p RulesListImportsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// ListImports: List the imports of a rule's lists. Newest first: the progress of each import of
// loyaltyUserAllotmentCsvUrl, metadata.promoCodeCsvUrl, customRewardsCsvUrl, customRewardsApiUrl and
// the csvUrl of conditions, and the errors of the first 100 skipped rows. A list of wallets or rewards
// takes effect when its import is complete. API keys: organization, website.
//
//	GET /api/loyalty/rules/{id}/imports
func (a RulesAPI) ListImports(ctx context.Context, id string, params RulesListImportsParams, options ...Option) (*ListRuleImport, error) {
	return receive[ListRuleImport](ctx, a.client, request{method: "GET", path: "/api/loyalty/rules/{id}/imports", ids: []string{id}, query: params.query()}, options)
}

// AllImports returns all items of ListImports, which it reads page by page. After an error it ends.
func (a RulesAPI) AllImports(ctx context.Context, id string, params RulesListImportsParams, options ...Option) iter.Seq2[RuleImport, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleImport, bool, error) {
		params.StartingAfter = after
		page, err := a.ListImports(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleImport) string { return item.ID })
}

// Replay: Replay past completions by a changed rule. Decides the completions of a period again with a
// changed rule, from the facts that are stored with each, and pays nothing. It runs in the background;
// the list of replays shows its progress. Refused calls are not replayed. At most ten replays of a
// website may run at once. API keys: organization, website.
//
//	POST /api/loyalty/rules/{id}/replay
func (a RulesAPI) Replay(ctx context.Context, id string, body ReplayRuleInputBody, options ...Option) (*BegunReplay, error) {
	return receive[BegunReplay](ctx, a.client, request{method: "POST", path: "/api/loyalty/rules/{id}/replay", ids: []string{id}, body: body, isKeyed: true}, options)
}

// RulesListReplaysParams are the query parameters of ListReplays. Those that are empty are left out.
type RulesListReplaysParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p RulesListReplaysParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// ListReplays: List the replays of a rule. Newest first. A replay is stored for 30 days after its end.
// API keys: organization, website.
//
//	GET /api/loyalty/rules/{id}/replays
func (a RulesAPI) ListReplays(ctx context.Context, id string, params RulesListReplaysParams, options ...Option) (*ListReplayBody, error) {
	return receive[ListReplayBody](ctx, a.client, request{method: "GET", path: "/api/loyalty/rules/{id}/replays", ids: []string{id}, query: params.query()}, options)
}

// AllReplays returns all items of ListReplays, which it reads page by page. After an error it ends.
func (a RulesAPI) AllReplays(ctx context.Context, id string, params RulesListReplaysParams, options ...Option) iter.Seq2[ReplayBody, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ReplayBody, bool, error) {
		params.StartingAfter = after
		page, err := a.ListReplays(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ReplayBody) string { return item.ID })
}

// RulesListRunsParams are the query parameters of ListRuns. Those that are empty are left out.
type RulesListRunsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only items with this status
	Status []string
}

func (p RulesListRunsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("status", p.Status)
	return url.Values(q)
}

// ListRuns: List the runs of a rule. Newest first. A rule with a frequency runs at its start and every
// hour, day, week or month after it, until its end; runs that were missed while no server ran are made
// up for. The numbers grow during a run. API keys: organization, website, read-only.
//
//	GET /api/loyalty/rules/{id}/runs
func (a RulesAPI) ListRuns(ctx context.Context, id string, params RulesListRunsParams, options ...Option) (*ListRuleRun, error) {
	return receive[ListRuleRun](ctx, a.client, request{method: "GET", path: "/api/loyalty/rules/{id}/runs", ids: []string{id}, query: params.query()}, options)
}

// AllRuns returns all items of ListRuns, which it reads page by page. After an error it ends.
func (a RulesAPI) AllRuns(ctx context.Context, id string, params RulesListRunsParams, options ...Option) iter.Seq2[RuleRun, error] {
	return eachItem(params.StartingAfter, func(after string) ([]RuleRun, bool, error) {
		params.StartingAfter = after
		page, err := a.ListRuns(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item RuleRun) string { return item.ID })
}

// Simulate: Simulate the completion of a rule. Decides a completion on the current facts and writes
// nothing. An unknown wallet is treated as a new user. A completion that is decided later, such as a
// click, counts as one that would complete, and has no rewards yet. API keys: organization, website.
//
//	POST /api/loyalty/rules/{id}/simulate
func (a RulesAPI) Simulate(ctx context.Context, id string, body SimulateRuleInputBody, options ...Option) (*SimulationBody, error) {
	return receive[SimulationBody](ctx, a.client, request{method: "POST", path: "/api/loyalty/rules/{id}/simulate", ids: []string{id}, body: body, isKeyed: true}, options)
}

// SubscriptionsAPI has the operations of subscriptions.
type SubscriptionsAPI struct{ client *Client }

// SubscriptionsListParams are the query parameters of List. Those that are empty are left out.
type SubscriptionsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only subscriptions to blockchains, or to tables of the service. One of: blockchain, platform.
	Type string
	// true: only disabled ones; false: only others
	Disabled Optional[bool]
	// Only what refers to this contract
	ContractAddress string
	// A whole number
	ChainID string
	// Only subscriptions to this table. One of: LoyaltyTransactionEntry, LoyaltyAccount, LoyaltyRule,
	// LoyaltyRuleStatus, LoyaltyBadge, LoyaltyBadgeUser, UserMetadata, User, AuctionBid,
	// MintingContractAsset, LoyaltyHold, TokenClaim, Subscription.
	Table string
	// A part of the name
	Name string
}

func (p SubscriptionsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("type", p.Type)
	q.flag("disabled", p.Disabled)
	q.text("contractAddress", p.ContractAddress)
	q.text("chainId", p.ChainID)
	q.text("table", p.Table)
	q.text("name", p.Name)
	return url.Values(q)
}

// List: List subscriptions. Newest first. API keys: organization, website.
//
//	GET /api/stratus/subscriptions
func (a SubscriptionsAPI) List(ctx context.Context, params SubscriptionsListParams, options ...Option) (*ListSubscription, error) {
	return receive[ListSubscription](ctx, a.client, request{method: "GET", path: "/api/stratus/subscriptions", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a SubscriptionsAPI) All(ctx context.Context, params SubscriptionsListParams, options ...Option) iter.Seq2[Subscription, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Subscription, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Subscription) string { return item.ID })
}

// Create: Subscribe to changes. Exactly one of blockchainSubscriptions and platformSubscriptions has
// items. Without callbackUrl and functionIds events are only recorded. No key implies organizationId
// and websiteId here. Events from now on are delivered within seconds, at least once, and always with
// the same id. API keys: organization, website.
//
//	POST /api/stratus/subscriptions
func (a SubscriptionsAPI) Create(ctx context.Context, body CreateSubscriptionBody, options ...Option) (*Subscription, error) {
	return receive[Subscription](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions", body: body, isKeyed: true}, options)
}

// SubscriptionsGetParams are the query parameters of Get. Those that are empty are left out.
type SubscriptionsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p SubscriptionsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a subscription. Deleted subscriptions too. API keys: organization, website.
//
//	GET /api/stratus/subscriptions/{id}
func (a SubscriptionsAPI) Get(ctx context.Context, id string, params SubscriptionsGetParams, options ...Option) (*Subscription, error) {
	return receive[Subscription](ctx, a.client, request{method: "GET", path: "/api/stratus/subscriptions/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a subscription. An absent property keeps its value. The groups cannot change. API
// keys: organization, website.
//
//	POST /api/stratus/subscriptions/{id}
func (a SubscriptionsAPI) Update(ctx context.Context, id string, body UpdateSubscriptionBody, options ...Option) (*Subscription, error) {
	return receive[Subscription](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// SubscriptionsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type SubscriptionsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p SubscriptionsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a subscription. Pending deliveries are dropped. The history can be read for 30 days.
// API keys: organization, website.
//
//	DELETE /api/stratus/subscriptions/{id}
func (a SubscriptionsAPI) Delete(ctx context.Context, id string, params SubscriptionsDeleteParams, options ...Option) (*Subscription, error) {
	return receive[Subscription](ctx, a.client, request{method: "DELETE", path: "/api/stratus/subscriptions/{id}", ids: []string{id}, query: params.query()}, options)
}

// Enable: Enable a subscription that was disabled. With replay, which is the default, events that were
// held meanwhile are sent; without it they are skipped. API keys: organization, website.
//
//	POST /api/stratus/subscriptions/{id}/enable
func (a SubscriptionsAPI) Enable(ctx context.Context, id string, body EnableInputBody, options ...Option) (*Subscription, error) {
	return receive[Subscription](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions/{id}/enable", ids: []string{id}, body: body, isKeyed: true}, options)
}

// SubscriptionsListEventsParams are the query parameters of ListEvents. Those that are empty are left out.
type SubscriptionsListEventsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The same as startingAfter
	Cursor string
	// One or many of pending, delivered, failed, skipped, held
	Status []string
}

func (p SubscriptionsListEventsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("cursor", p.Cursor)
	q.list("status", p.Status)
	return url.Values(q)
}

// ListEvents: List the events of a subscription. Newest first, of the last 30 days. API keys:
// organization, website.
//
//	GET /api/stratus/subscriptions/{id}/events
func (a SubscriptionsAPI) ListEvents(ctx context.Context, id string, params SubscriptionsListEventsParams, options ...Option) (*ListEvent, error) {
	return receive[ListEvent](ctx, a.client, request{method: "GET", path: "/api/stratus/subscriptions/{id}/events", ids: []string{id}, query: params.query()}, options)
}

// AllEvents returns all items of ListEvents, which it reads page by page. After an error it ends.
func (a SubscriptionsAPI) AllEvents(ctx context.Context, id string, params SubscriptionsListEventsParams, options ...Option) iter.Seq2[Event, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Event, bool, error) {
		params.StartingAfter = after
		page, err := a.ListEvents(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Event) string { return item.ID })
}

// SubscriptionsGetEventParams are the query parameters of GetEvent. Those that are empty are left out.
type SubscriptionsGetEventParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p SubscriptionsGetEventParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetEvent: Get an event with all attempts. With every attempt, oldest first. API keys: organization,
// website.
//
//	GET /api/stratus/subscriptions/{id}/events/{eventId}
func (a SubscriptionsAPI) GetEvent(ctx context.Context, id string, eventId string, params SubscriptionsGetEventParams, options ...Option) (*StoriedEvent, error) {
	return receive[StoriedEvent](ctx, a.client, request{method: "GET", path: "/api/stratus/subscriptions/{id}/events/{eventId}", ids: []string{id, eventId}, query: params.query()}, options)
}

// RedeliverEvent: Redeliver an event. One more attempt, which does not count in the schedule of
// retries. The event keeps its id. API keys: organization, website.
//
//	POST /api/stratus/subscriptions/{id}/events/{eventId}/redeliver
func (a SubscriptionsAPI) RedeliverEvent(ctx context.Context, id string, eventId string, body RedeliverInputBody, options ...Option) (*Event, error) {
	return receive[Event](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions/{id}/events/{eventId}/redeliver", ids: []string{id, eventId}, body: body, isKeyed: true}, options)
}

// Redeliver: Redeliver the events of a period. By the time of the event, from inclusive, to exclusive;
// at most 10,000 events. API keys: organization, website.
//
//	POST /api/stratus/subscriptions/{id}/redeliver
func (a SubscriptionsAPI) Redeliver(ctx context.Context, id string, body RangeInputBody, options ...Option) (*Queued, error) {
	return receive[Queued](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions/{id}/redeliver", ids: []string{id}, body: body, isKeyed: true}, options)
}

// RotateKey: Replace the signing key. v2 signs with the former keys as well for 24 hours; v1 signs
// with the new one at once. API keys: organization, website.
//
//	POST /api/stratus/subscriptions/{id}/rotate_key
func (a SubscriptionsAPI) RotateKey(ctx context.Context, id string, body ActInputBody, options ...Option) (*Subscription, error) {
	return receive[Subscription](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions/{id}/rotate_key", ids: []string{id}, body: body, isKeyed: true}, options)
}

// SendTest: Send a test event. Sends one event with sample data and "test": true. It does not trigger
// rules. API keys: organization, website.
//
//	POST /api/stratus/subscriptions/{id}/test
func (a SubscriptionsAPI) SendTest(ctx context.Context, id string, body TestInputBody, options ...Option) (*Event, error) {
	return receive[Event](ctx, a.client, request{method: "POST", path: "/api/stratus/subscriptions/{id}/test", ids: []string{id}, body: body, isKeyed: true}, options)
}

// TokenClaimsAPI has the operations of token claims.
type TokenClaimsAPI struct{ client *Client }

// TokenClaimsListParams are the query parameters of List. Those that are empty are left out.
type TokenClaimsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only claims of this contract
	ContractID string
}

func (p TokenClaimsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("contractId", p.ContractID)
	return url.Values(q)
}

// List: List token claims. Newest first. Drafts are shown to secret keys only. API keys: organization,
// website, read-only, client.
//
//	GET /api/token_claims
func (a TokenClaimsAPI) List(ctx context.Context, params TokenClaimsListParams, options ...Option) (*ListTokenClaim, error) {
	return receive[ListTokenClaim](ctx, a.client, request{method: "GET", path: "/api/token_claims", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a TokenClaimsAPI) All(ctx context.Context, params TokenClaimsListParams, options ...Option) iter.Seq2[TokenClaim, error] {
	return eachItem(params.StartingAfter, func(after string) ([]TokenClaim, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item TokenClaim) string { return item.ID })
}

// Create: Create a token claim. The list of csvUrl has the columns walletAddress and amount, and at
// most 1,000,000 rows and 50 MiB. It is read by a data job; merkleRoot is set when that is complete.
// Bad rows are skipped and counted in the job's message; if a wallet is repeated, its last row counts.
// API keys: organization, website.
//
//	POST /api/token_claims
func (a TokenClaimsAPI) Create(ctx context.Context, body CreateTokenClaimBody, options ...Option) (*TokenClaim, error) {
	return receive[TokenClaim](ctx, a.client, request{method: "POST", path: "/api/token_claims", body: body, isKeyed: true}, options)
}

// TokenClaimsGetParams are the query parameters of Get. Those that are empty are left out.
type TokenClaimsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress string
}

func (p TokenClaimsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("walletAddress", p.WalletAddress)
	return url.Values(q)
}

// Get: Get a token claim with what a wallet may claim. With the latest data job. With walletAddress it
// includes the total that the wallet may claim, and its proof if the wallet is on the list. API keys:
// organization, website, read-only, client.
//
//	GET /api/token_claims/{id}
func (a TokenClaimsAPI) Get(ctx context.Context, id string, params TokenClaimsGetParams, options ...Option) (*WholeTokenClaim, error) {
	return receive[WholeTokenClaim](ctx, a.client, request{method: "GET", path: "/api/token_claims/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a token claim. An absent property keeps its value. csvUrl imports the list, even if
// it was imported before. After the first claim the list and the decimals cannot change. API keys:
// organization, website.
//
//	POST /api/token_claims/{id}
func (a TokenClaimsAPI) Update(ctx context.Context, id string, body UpdateTokenClaimBody, options ...Option) (*TokenClaim, error) {
	return receive[TokenClaim](ctx, a.client, request{method: "POST", path: "/api/token_claims/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// TokenClaimsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type TokenClaimsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p TokenClaimsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a token claim. Ends the data job, too. API keys: organization, website.
//
//	DELETE /api/token_claims/{id}
func (a TokenClaimsAPI) Delete(ctx context.Context, id string, params TokenClaimsDeleteParams, options ...Option) (*TokenClaim, error) {
	return receive[TokenClaim](ctx, a.client, request{method: "DELETE", path: "/api/token_claims/{id}", ids: []string{id}, query: params.query()}, options)
}

// Claim: Report that a wallet has claimed. A wallet claims all that is allocated to it, once. Client
// keys send its member token; through secret keys an unknown wallet becomes a user. API keys:
// organization, website, client.
//
//	POST /api/token_claims/{id}/claim
func (a TokenClaimsAPI) Claim(ctx context.Context, id string, body ClaimTokenBody, options ...Option) (*ClaimReceipt, error) {
	return receive[ClaimReceipt](ctx, a.client, request{method: "POST", path: "/api/token_claims/{id}/claim", ids: []string{id}, body: body, isKeyed: true}, options)
}

// TokenClaimsCheckEligibilityParams are the query parameters of CheckEligibility. Those that are empty are left out.
type TokenClaimsCheckEligibilityParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Only what belongs to these members, by identifier; up to 100. Required.
	WalletAddress string
}

func (p TokenClaimsCheckEligibilityParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("walletAddress", p.WalletAddress)
	return url.Values(q)
}

// CheckEligibility: Check whether a wallet may claim now. The country of the caller is taken from a
// trusted proxy; without one no country is blocked. API keys: organization, website, read-only,
// client.
//
//	GET /api/token_claims/{id}/eligibility
func (a TokenClaimsAPI) CheckEligibility(ctx context.Context, id string, params TokenClaimsCheckEligibilityParams, options ...Option) (*ClaimEligibility, error) {
	return receive[ClaimEligibility](ctx, a.client, request{method: "GET", path: "/api/token_claims/{id}/eligibility", ids: []string{id}, query: params.query()}, options)
}

// TokenClaimsGetProofParams are the query parameters of GetProof. Those that are empty are left out.
type TokenClaimsGetProofParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Only what belongs to these members, by identifier; up to 100. Required.
	WalletAddress string
}

func (p TokenClaimsGetProofParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.text("walletAddress", p.WalletAddress)
	return url.Values(q)
}

// GetProof: Get the Merkle proof of a wallet. Verifies against merkleRoot as OpenZeppelin's
// MerkleProof does: the leaf is keccak256(keccak256(abi.encode(address, uint256))) of the wallet and
// the allocation in smallest units. API keys: organization, website, read-only, client.
//
//	GET /api/token_claims/{id}/proof
func (a TokenClaimsAPI) GetProof(ctx context.Context, id string, params TokenClaimsGetProofParams, options ...Option) (*ClaimProof, error) {
	return receive[ClaimProof](ctx, a.client, request{method: "GET", path: "/api/token_claims/{id}/proof", ids: []string{id}, query: params.query()}, options)
}

// TokenClaimsListUsersParams are the query parameters of ListUsers. Those that are empty are left out.
type TokenClaimsListUsersParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress string
	// Default amount. One of: claimedAt, amount.
	SortBy string
	// Default desc. One of: asc, desc.
	SortOrder string
}

func (p TokenClaimsListUsersParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("walletAddress", p.WalletAddress)
	q.text("sortBy", p.SortBy)
	q.text("sortOrder", p.SortOrder)
	return url.Values(q)
}

// ListUsers: List the wallets of a token claim. By claimedAt, wallets that have not claimed come last.
// The user's id is null until the wallet is a user. API keys: organization, website, read-only.
//
//	GET /api/token_claims/{id}/users
func (a TokenClaimsAPI) ListUsers(ctx context.Context, id string, params TokenClaimsListUsersParams, options ...Option) (*ListClaimUser, error) {
	return receive[ListClaimUser](ctx, a.client, request{method: "GET", path: "/api/token_claims/{id}/users", ids: []string{id}, query: params.query()}, options)
}

// AllUsers returns all items of ListUsers, which it reads page by page. After an error it ends.
func (a TokenClaimsAPI) AllUsers(ctx context.Context, id string, params TokenClaimsListUsersParams, options ...Option) iter.Seq2[ClaimUser, error] {
	return eachItem(params.StartingAfter, func(after string) ([]ClaimUser, bool, error) {
		params.StartingAfter = after
		page, err := a.ListUsers(ctx, id, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item ClaimUser) string { return item.ID })
}

// TransactionEntriesAPI has the operations of transaction entries.
type TransactionEntriesAPI struct{ client *Client }

// TransactionEntriesListParams are the query parameters of List. Those that are empty are left out.
type TransactionEntriesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only members with this label
	WalletGroupIdentifier string
	// Only entries of this transaction
	LoyaltyTransactionID string
	// Only entries of this account, also of a main account
	LoyaltyAccountID string
	// Only what belongs to these rules, up to 100
	LoyaltyRuleID []string
	// Only entries of rules of these types, up to 100
	LoyaltyRuleType []string
	// Only the entry with this key
	IdempotencyKey string
	// Only entries with this cause (contract 2). One of: auction_bid, direct_mint, loyalty_rule, api_key,
	// order.
	Type string
	// Only credits, or only debits. One of: credit, debit.
	Direction string
	// What the list is ordered by. One of: createdAt, updatedAt, loyaltyAccountLockVersion.
	SortBy string
	// Ascending or descending order. One of: asc, desc.
	SortDir string
	// The entries that still close the windows of these rules for the named user
	UserCompletedLoyaltyRuleID []string
	// Inclusive. RFC 3339 with an offset, or a date for 00:00 UTC
	CreatedAtStart time.Time
	// Exclusive. Form as createdAtStart
	CreatedAtEnd time.Time
	// Only entries of rules in this group
	LoyaltyRuleGroupID string
	// Only what is in this currency
	LoyaltyCurrencyID []string
}

func (p TransactionEntriesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("walletGroupIdentifier", p.WalletGroupIdentifier)
	q.text("loyaltyTransactionId", p.LoyaltyTransactionID)
	q.text("loyaltyAccountId", p.LoyaltyAccountID)
	q.list("loyaltyRuleId", p.LoyaltyRuleID)
	q.list("loyaltyRuleType", p.LoyaltyRuleType)
	q.text("idempotencyKey", p.IdempotencyKey)
	q.text("type", p.Type)
	q.text("direction", p.Direction)
	q.text("sortBy", p.SortBy)
	q.text("sortDir", p.SortDir)
	q.list("userCompletedLoyaltyRuleId", p.UserCompletedLoyaltyRuleID)
	q.time("createdAtStart", p.CreatedAtStart)
	q.time("createdAtEnd", p.CreatedAtEnd)
	q.text("loyaltyRuleGroupId", p.LoyaltyRuleGroupID)
	q.list("loyaltyCurrencyId", p.LoyaltyCurrencyID)
	return url.Values(q)
}

// List: List transaction entries. Entries of users, newest first. Main accounts by userId= (empty) or
// loyaltyAccountId. Client keys name exactly one user and send its member token. API keys:
// organization, website, read-only, client.
//
//	GET /api/loyalty/transaction_entries
func (a TransactionEntriesAPI) List(ctx context.Context, params TransactionEntriesListParams, options ...Option) (*ListEntry, error) {
	return receive[ListEntry](ctx, a.client, request{method: "GET", path: "/api/loyalty/transaction_entries", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a TransactionEntriesAPI) All(ctx context.Context, params TransactionEntriesListParams, options ...Option) iter.Seq2[Entry, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Entry, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Entry) string { return item.ID })
}

// TransactionsAPI has the operations of transactions.
type TransactionsAPI struct{ client *Client }

// Post: Post a transaction: all entries or none. An unknown wallet becomes a user. A balance never
// falls below 0. idempotencyKey is unique on the website forever, together with the keys of
// completions. If all keyed entries repeat an earlier transaction with the same input, that
// transaction is returned; any other reuse is refused. API keys: organization, website.
//
//	POST /api/loyalty/transactions
func (a TransactionsAPI) Post(ctx context.Context, body PostTransactionInputBody, options ...Option) (*Transaction, error) {
	return receive[Transaction](ctx, a.client, request{method: "POST", path: "/api/loyalty/transactions", body: body, isKeyed: true}, options)
}

// ReverseByKey: Reverse the transaction that an idempotency key belongs to. The answer is a
// transaction of the same type with the opposite entries; each has metadata.reversalOf. What a balance
// no longer covers stays with the member; with the policy reverse the account owes it (receivable),
// and later credits pay. A reversal that a balance covers in part counts as whole. Held points are
// cancelled. Caps and streaks stay, and the window of a rule stays closed unless reopen is true. With
// recheckBadges, badges whose conditions no longer hold are revoked, and their rewards taken back as
// far as balances go. API keys: organization, website.
//
//	POST /api/loyalty/transactions/reverse
func (a TransactionsAPI) ReverseByKey(ctx context.Context, body ReverseByKeyInputBody, options ...Option) (*Transaction, error) {
	return receive[Transaction](ctx, a.client, request{method: "POST", path: "/api/loyalty/transactions/reverse", body: body, isKeyed: true}, options)
}

// Reverse: Reverse a transaction, or a part of it. The answer is a transaction of the same type with
// the opposite entries; each has metadata.reversalOf. What a balance no longer covers stays with the
// member; with the policy reverse the account owes it (receivable), and later credits pay. A reversal
// that a balance covers in part counts as whole. Held points are cancelled. Caps and streaks stay, and
// the window of a rule stays closed unless reopen is true. With recheckBadges, badges whose conditions
// no longer hold are revoked, and their rewards taken back as far as balances go. API keys:
// organization, website.
//
//	POST /api/loyalty/transactions/{id}/reverse
func (a TransactionsAPI) Reverse(ctx context.Context, id string, body ReverseTransactionInputBody, options ...Option) (*Transaction, error) {
	return receive[Transaction](ctx, a.client, request{method: "POST", path: "/api/loyalty/transactions/{id}/reverse", ids: []string{id}, body: body, isKeyed: true}, options)
}

// UsersAPI has the operations of users.
type UsersAPI struct{ client *Client }

// UsersListParams are the query parameters of List. Those that are empty are left out.
type UsersListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only what belongs to members of this group
	UserGroupID string
	// Only what belongs to members of the group with this identifier of yours
	UserGroupExternalIdentifier string
	// The same as walletAddress
	Address []string
	// Only members with this identifier of yours
	ExternalIdentifier string
	// Secret keys only
	EmailAddress string
	// Secret keys only
	PhoneNumber string
	// Only the member with this user name on the microblog
	MicroblogUser string
	// Only the member with this user name on the chat server
	ChatServerUser string
	// Only the member with this id on the messenger
	MessengerUserID string
	// Only the member with this user name on the messenger
	MessengerUsername string
	// Only the member with this user name on the short video platform
	ShortVideoUser string
	// Only the member with this user name in the forum
	ForumPlatformUser string
	// Only the member with this id in the forum
	ForumPlatformUserID string
	// Only the member with this id in the game store
	GameStoreUserID string
	// Only the member with this user name in the game store
	GameStoreUsername string
	// Only the member with this user name on the code host
	CodeHostUser string
	// true: with the wallets that delegate to each member
	IncludeDelegation Optional[bool]
}

func (p UsersListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("userGroupId", p.UserGroupID)
	q.text("userGroupExternalIdentifier", p.UserGroupExternalIdentifier)
	q.list("address", p.Address)
	q.text("externalIdentifier", p.ExternalIdentifier)
	q.text("emailAddress", p.EmailAddress)
	q.text("phoneNumber", p.PhoneNumber)
	q.text("microblogUser", p.MicroblogUser)
	q.text("chatServerUser", p.ChatServerUser)
	q.text("messengerUserId", p.MessengerUserID)
	q.text("messengerUsername", p.MessengerUsername)
	q.text("shortVideoUser", p.ShortVideoUser)
	q.text("forumPlatformUser", p.ForumPlatformUser)
	q.text("forumPlatformUserId", p.ForumPlatformUserID)
	q.text("gameStoreUserId", p.GameStoreUserID)
	q.text("gameStoreUsername", p.GameStoreUsername)
	q.text("codeHostUser", p.CodeHostUser)
	q.flag("includeDelegation", p.IncludeDelegation)
	return url.Values(q)
}

// List: List users. Newest first. Client keys name exactly one user and send its member token; only
// secret keys see and filter by e-mail and phone. API keys: organization, website, read-only, client.
//
//	GET /api/users
func (a UsersAPI) List(ctx context.Context, params UsersListParams, options ...Option) (*ListUser, error) {
	return receive[ListUser](ctx, a.client, request{method: "GET", path: "/api/users", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a UsersAPI) All(ctx context.Context, params UsersListParams, options ...Option) iter.Seq2[User, error] {
	return eachItem(params.StartingAfter, func(after string) ([]User, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item User) string { return item.ID })
}

// Connect: Connect a wallet. Makes sure that the wallet has a user and, with userId, joins both in one
// group. Client keys send a signature of the wallet and, with userId, the member token of that user.
// If a signature was checked, the response has a member token; a response that is repeated for an
// Idempotency-Key has none. API keys: organization, website, client.
//
//	POST /api/users/connect
func (a UsersAPI) Connect(ctx context.Context, body ConnectBody, options ...Option) (*ConnectedUser, error) {
	return receive[ConnectedUser](ctx, a.client, request{method: "POST", path: "/api/users/connect", body: body, isKeyed: true}, options)
}

// UsersCountParams are the query parameters of Count. Those that are empty are left out.
type UsersCountParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersCountParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Count: Count users. Users with metadata or an account in the website. API keys: organization,
// website, read-only, client.
//
//	GET /api/users/count
func (a UsersAPI) Count(ctx context.Context, params UsersCountParams, options ...Option) (*UserCount, error) {
	return receive[UserCount](ctx, a.client, request{method: "GET", path: "/api/users/count", query: params.query()}, options)
}

// UsersListDelegationsParams are the query parameters of ListDelegations. Those that are empty are left out.
type UsersListDelegationsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only delegations of this wallet
	DelegatorWalletAddress []string
}

func (p UsersListDelegationsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("delegatorWalletAddress", p.DelegatorWalletAddress)
	return url.Values(q)
}

// ListDelegations: List delegations of cold wallets. Newest first. API keys: organization, website,
// read-only.
//
//	GET /api/users/delegations
func (a UsersAPI) ListDelegations(ctx context.Context, params UsersListDelegationsParams, options ...Option) (*ListDelegation, error) {
	return receive[ListDelegation](ctx, a.client, request{method: "GET", path: "/api/users/delegations", query: params.query()}, options)
}

// AllDelegations returns all items of ListDelegations, which it reads page by page. After an error it
// ends.
func (a UsersAPI) AllDelegations(ctx context.Context, params UsersListDelegationsParams, options ...Option) iter.Seq2[Delegation, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Delegation, bool, error) {
		params.StartingAfter = after
		page, err := a.ListDelegations(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Delegation) string { return item.ID })
}

// Delegate: Delegate a cold wallet to a user. What the cold wallet holds then counts for the user. A
// cold wallet delegates to one user of a website: a second delegation replaces the first. Client keys
// send a signature of the cold wallet, and the member token of the user. API keys: organization,
// website, client.
//
//	POST /api/users/delegations
func (a UsersAPI) Delegate(ctx context.Context, body DelegateBody, options ...Option) (*Delegation, error) {
	return receive[Delegation](ctx, a.client, request{method: "POST", path: "/api/users/delegations", body: body, isKeyed: true}, options)
}

// UsersGetDelegationParams are the query parameters of GetDelegation. Those that are empty are left out.
type UsersGetDelegationParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersGetDelegationParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetDelegation: Get a delegation. A delegation as the list shows it. API keys: organization, website,
// read-only.
//
//	GET /api/users/delegations/{id}
func (a UsersAPI) GetDelegation(ctx context.Context, id string, params UsersGetDelegationParams, options ...Option) (*Delegation, error) {
	return receive[Delegation](ctx, a.client, request{method: "GET", path: "/api/users/delegations/{id}", ids: []string{id}, query: params.query()}, options)
}

// UsersDeleteDelegationParams are the query parameters of DeleteDelegation. Those that are empty are left out.
type UsersDeleteDelegationParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersDeleteDelegationParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// DeleteDelegation: Delete a delegation. The cold wallet may delegate again. API keys: organization,
// website.
//
//	DELETE /api/users/delegations/{id}
func (a UsersAPI) DeleteDelegation(ctx context.Context, id string, params UsersDeleteDelegationParams, options ...Option) (*IdBody, error) {
	return receive[IdBody](ctx, a.client, request{method: "DELETE", path: "/api/users/delegations/{id}", ids: []string{id}, query: params.query()}, options)
}

// UsersListDevicesParams are the query parameters of ListDevices. Those that are empty are left out.
type UsersListDevicesParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
}

func (p UsersListDevicesParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	return url.Values(q)
}

// ListDevices: List devices of members. Newest first. API keys: organization, website.
//
//	GET /api/users/devices
func (a UsersAPI) ListDevices(ctx context.Context, params UsersListDevicesParams, options ...Option) (*ListDevice, error) {
	return receive[ListDevice](ctx, a.client, request{method: "GET", path: "/api/users/devices", query: params.query()}, options)
}

// AllDevices returns all items of ListDevices, which it reads page by page. After an error it ends.
func (a UsersAPI) AllDevices(ctx context.Context, params UsersListDevicesParams, options ...Option) iter.Seq2[Device, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Device, bool, error) {
		params.StartingAfter = after
		page, err := a.ListDevices(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Device) string { return item.ID })
}

// StoreDevice: Store a device of a member. A device that is stored already is returned as it is.
// Client keys send the user's member token. API keys: organization, website, client.
//
//	POST /api/users/devices
func (a UsersAPI) StoreDevice(ctx context.Context, body DeviceBody, options ...Option) (*Device, error) {
	return receive[Device](ctx, a.client, request{method: "POST", path: "/api/users/devices", body: body, isKeyed: true}, options)
}

// UsersGetDeviceParams are the query parameters of GetDevice. Those that are empty are left out.
type UsersGetDeviceParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersGetDeviceParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetDevice: Get a device of a member. A device as the list shows it. API keys: organization, website.
//
//	GET /api/users/devices/{id}
func (a UsersAPI) GetDevice(ctx context.Context, id string, params UsersGetDeviceParams, options ...Option) (*Device, error) {
	return receive[Device](ctx, a.client, request{method: "GET", path: "/api/users/devices/{id}", ids: []string{id}, query: params.query()}, options)
}

// Disconnect: Take a user out of its group. The user leaves its group, with its balances and entries.
// API keys: organization, website.
//
//	POST /api/users/disconnect
func (a UsersAPI) Disconnect(ctx context.Context, body LeaveGroupInputBody, options ...Option) (*Success, error) {
	return receive[Success](ctx, a.client, request{method: "POST", path: "/api/users/disconnect", body: body, isKeyed: true}, options)
}

// UsersListImportsParams are the query parameters of ListImports. Those that are empty are left out.
type UsersListImportsParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p UsersListImportsParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// ListImports: List imports of members. Newest first, with what came of each. API keys: organization,
// website.
//
//	GET /api/users/imports
func (a UsersAPI) ListImports(ctx context.Context, params UsersListImportsParams, options ...Option) (*ListMemberImport, error) {
	return receive[ListMemberImport](ctx, a.client, request{method: "GET", path: "/api/users/imports", query: params.query()}, options)
}

// AllImports returns all items of ListImports, which it reads page by page. After an error it ends.
func (a UsersAPI) AllImports(ctx context.Context, params UsersListImportsParams, options ...Option) iter.Seq2[MemberImport, error] {
	return eachItem(params.StartingAfter, func(after string) ([]MemberImport, bool, error) {
		params.StartingAfter = after
		page, err := a.ListImports(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item MemberImport) string { return item.ID })
}

// CreateImport: Import members from a file. The first row of the file names its columns:
// walletAddress, and any of externalIdentifier, displayName, emailAddress, phoneNumber, joinedAt and
// balance. A data job checks all rows, at most 1,000,000 and 50 MiB; if one is bad, nothing is
// imported. An empty field keeps what is stored. A balance is credited once per member and import, and
// counts as neither issued nor a completion. API keys: organization, website.
//
//	POST /api/users/imports
func (a UsersAPI) CreateImport(ctx context.Context, body ImportMembersBody, options ...Option) (*MemberImport, error) {
	return receive[MemberImport](ctx, a.client, request{method: "POST", path: "/api/users/imports", body: body, isKeyed: true}, options)
}

// UsersGetImportParams are the query parameters of GetImport. Those that are empty are left out.
type UsersGetImportParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersGetImportParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetImport: Get an import of members. The import as the list shows it. API keys: organization,
// website.
//
//	GET /api/users/imports/{id}
func (a UsersAPI) GetImport(ctx context.Context, id string, params UsersGetImportParams, options ...Option) (*MemberImport, error) {
	return receive[MemberImport](ctx, a.client, request{method: "GET", path: "/api/users/imports/{id}", ids: []string{id}, query: params.query()}, options)
}

// UsersMeParams are the query parameters of Me. Those that are empty are left out.
type UsersMeParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersMeParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Me: Get the member of the token. The member of the token, with its accounts, ranks and group. API
// keys: client.
//
//	GET /api/users/me
func (a UsersAPI) Me(ctx context.Context, params UsersMeParams, options ...Option) (*Self, error) {
	return receive[Self](ctx, a.client, request{method: "GET", path: "/api/users/me", query: params.query()}, options)
}

// UsersListMetadataParams are the query parameters of ListMetadata. Those that are empty are left out.
type UsersListMetadataParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID []string
	// Only what belongs to these members, by identifier; up to 100
	WalletAddress []string
	// Only members with this identifier of yours
	ExternalIdentifier string
	// Part of a wallet, display name, user name, external identifier or, for secret keys, e-mail address
	UserSearch string
}

func (p UsersListMetadataParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userId", p.UserID)
	q.list("walletAddress", p.WalletAddress)
	q.text("externalIdentifier", p.ExternalIdentifier)
	q.text("userSearch", p.UserSearch)
	return url.Values(q)
}

// ListMetadata: List the metadata of users. Newest first. A search that takes too long is refused:
// other filters are quick. API keys: organization, website, read-only.
//
//	GET /api/users/metadatas
func (a UsersAPI) ListMetadata(ctx context.Context, params UsersListMetadataParams, options ...Option) (*ListMetadata, error) {
	return receive[ListMetadata](ctx, a.client, request{method: "GET", path: "/api/users/metadatas", query: params.query()}, options)
}

// AllMetadata returns all items of ListMetadata, which it reads page by page. After an error it ends.
func (a UsersAPI) AllMetadata(ctx context.Context, params UsersListMetadataParams, options ...Option) iter.Seq2[Metadata, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Metadata, bool, error) {
		params.StartingAfter = after
		page, err := a.ListMetadata(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Metadata) string { return item.ID })
}

// WriteMetadata: Create or change a user's metadata. An absent field keeps its value and null clears
// it. A new wallet becomes a user. API keys: organization, website.
//
//	POST /api/users/metadatas
func (a UsersAPI) WriteMetadata(ctx context.Context, body WriteMetadataInputBody, options ...Option) (*Metadata, error) {
	return receive[Metadata](ctx, a.client, request{method: "POST", path: "/api/users/metadatas", body: body, isKeyed: true}, options)
}

// UsersGetMetadataParams are the query parameters of GetMetadata. Those that are empty are left out.
type UsersGetMetadataParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p UsersGetMetadataParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetMetadata: Get the metadata of a user by its id. Metadata as the list shows it. API keys:
// organization, website, read-only.
//
//	GET /api/users/metadatas/{id}
func (a UsersAPI) GetMetadata(ctx context.Context, id string, params UsersGetMetadataParams, options ...Option) (*Metadata, error) {
	return receive[Metadata](ctx, a.client, request{method: "GET", path: "/api/users/metadatas/{id}", ids: []string{id}, query: params.query()}, options)
}

// CreateToken: Issue a member token. The token proves the user to this service when a client key is
// used. It is shown once: a response that is repeated for an Idempotency-Key has no token. API keys:
// organization, website.
//
//	POST /api/users/tokens
func (a UsersAPI) CreateToken(ctx context.Context, body IssueTokenInputBody, options ...Option) (*Token, error) {
	return receive[Token](ctx, a.client, request{method: "POST", path: "/api/users/tokens", body: body, isKeyed: true}, options)
}

// RevokeTokens: Revoke all earlier member tokens of a user. Tokens that are issued afterwards are
// valid. API keys: organization, website.
//
//	POST /api/users/tokens/revoke
func (a UsersAPI) RevokeTokens(ctx context.Context, body RevokeTokensInputBody, options ...Option) (*Success, error) {
	return receive[Success](ctx, a.client, request{method: "POST", path: "/api/users/tokens/revoke", body: body, isKeyed: true}, options)
}

// MoveAccount: Move an account to the user who has proved it. accountLinkData comes with the refusal
// MAXIMUM_ACCOUNT_LINKED and is valid once, for 15 minutes. The user who held the account loses it,
// with what was granted for being connected. Points that were earned stay. Client keys send the user's
// member token. API keys: organization, website, client.
//
//	POST /api/users/verify
func (a UsersAPI) MoveAccount(ctx context.Context, body MoveAccountInputBody, options ...Option) (*Success, error) {
	return receive[Success](ctx, a.client, request{method: "POST", path: "/api/users/verify", body: body, isKeyed: true}, options)
}

// UsersGetParams are the query parameters of Get. Those that are empty are left out.
type UsersGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// true: with the wallets that delegate to each member
	IncludeDelegation Optional[bool]
}

func (p UsersGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.flag("includeDelegation", p.IncludeDelegation)
	return url.Values(q)
}

// Get: Get a user. Client keys get the user of their member token. API keys: organization, website,
// read-only, client.
//
//	GET /api/users/{id}
func (a UsersAPI) Get(ctx context.Context, id string, params UsersGetParams, options ...Option) (*User, error) {
	return receive[User](ctx, a.client, request{method: "GET", path: "/api/users/{id}", ids: []string{id}, query: params.query()}, options)
}

// WebsiteCollectionsAPI has the operations of website collections.
type WebsiteCollectionsAPI struct{ client *Client }

// WebsiteCollectionsListParams are the query parameters of List. Those that are empty are left out.
type WebsiteCollectionsListParams struct {
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3). Required.
	WebsiteID string
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p WebsiteCollectionsListParams) query() url.Values {
	q := query{}
	q.text("websiteId", p.WebsiteID)
	q.text("organizationId", p.OrganizationID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// List: List the collections of a website. By sortId, then the oldest first. API keys: organization,
// website, read-only, client.
//
//	GET /api/website_collections
func (a WebsiteCollectionsAPI) List(ctx context.Context, params WebsiteCollectionsListParams, options ...Option) (*ListWebsiteCollection, error) {
	return receive[ListWebsiteCollection](ctx, a.client, request{method: "GET", path: "/api/website_collections", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a WebsiteCollectionsAPI) All(ctx context.Context, params WebsiteCollectionsListParams, options ...Option) iter.Seq2[WebsiteCollection, error] {
	return eachItem(params.StartingAfter, func(after string) ([]WebsiteCollection, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item WebsiteCollection) string { return item.ID })
}

// Create: Add a collection to a website. A live collection is unique by website, network and address.
// A website has at most 1000. API keys: organization, website.
//
//	POST /api/website_collections
func (a WebsiteCollectionsAPI) Create(ctx context.Context, body CreateCollectionBody, options ...Option) (*WebsiteCollection, error) {
	return receive[WebsiteCollection](ctx, a.client, request{method: "POST", path: "/api/website_collections", body: body, isKeyed: true}, options)
}

// WebsiteCollectionsGetParams are the query parameters of Get. Those that are empty are left out.
type WebsiteCollectionsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p WebsiteCollectionsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a collection. As lists show it. API keys: organization, website, read-only, client.
//
//	GET /api/website_collections/{id}
func (a WebsiteCollectionsAPI) Get(ctx context.Context, id string, params WebsiteCollectionsGetParams, options ...Option) (*WebsiteCollection, error) {
	return receive[WebsiteCollection](ctx, a.client, request{method: "GET", path: "/api/website_collections/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a collection. An absent property keeps its value. Address and network stay. API keys:
// organization, website.
//
//	POST /api/website_collections/{id}
func (a WebsiteCollectionsAPI) Update(ctx context.Context, id string, body UpdateCollectionBody, options ...Option) (*WebsiteCollection, error) {
	return receive[WebsiteCollection](ctx, a.client, request{method: "POST", path: "/api/website_collections/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// WebsiteCollectionsDeleteParams are the query parameters of Delete. Those that are empty are left out.
type WebsiteCollectionsDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p WebsiteCollectionsDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete a collection. Page sections that show it show nothing in its place. API keys:
// organization, website.
//
//	DELETE /api/website_collections/{id}
func (a WebsiteCollectionsAPI) Delete(ctx context.Context, id string, params WebsiteCollectionsDeleteParams, options ...Option) (*WebsiteCollection, error) {
	return receive[WebsiteCollection](ctx, a.client, request{method: "DELETE", path: "/api/website_collections/{id}", ids: []string{id}, query: params.query()}, options)
}

// WebsitePageSectionsAPI has the operations of website page sections.
type WebsitePageSectionsAPI struct{ client *Client }

// WebsitePageSectionsListParams are the query parameters of List. Those that are empty are left out.
type WebsitePageSectionsListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p WebsitePageSectionsListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// List: List the blocks of the loyalty page. The blocks of the loyalty page by sortId. Client keys see
// no hidden ones. API keys: organization, website, read-only, client.
//
//	GET /api/loyalty/website_page_sections
func (a WebsitePageSectionsAPI) List(ctx context.Context, params WebsitePageSectionsListParams, options ...Option) (*ListWebsitePageSection, error) {
	return receive[ListWebsitePageSection](ctx, a.client, request{method: "GET", path: "/api/loyalty/website_page_sections", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a WebsitePageSectionsAPI) All(ctx context.Context, params WebsitePageSectionsListParams, options ...Option) iter.Seq2[WebsitePageSection, error] {
	return eachItem(params.StartingAfter, func(after string) ([]WebsitePageSection, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item WebsitePageSection) string { return item.ID })
}

// Arrange: Set the whole layout of the loyalty page. The array is the whole layout: blocks with an id
// are updated, blocks without are added, and blocks that are not in it are removed. All or none. API
// keys: organization, website.
//
//	POST /api/loyalty/website_page_sections
func (a WebsitePageSectionsAPI) Arrange(ctx context.Context, body ArrangeBlocksBody, options ...Option) (*ListWebsitePageSection, error) {
	return receive[ListWebsitePageSection](ctx, a.client, request{method: "POST", path: "/api/loyalty/website_page_sections", body: body, isKeyed: true}, options)
}

// WebsitePageSectionsGetParams are the query parameters of Get. Those that are empty are left out.
type WebsitePageSectionsGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p WebsitePageSectionsGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get a block of the loyalty page. Client keys see no hidden one. API keys: organization,
// website, read-only, client.
//
//	GET /api/loyalty/website_page_sections/{id}
func (a WebsitePageSectionsAPI) Get(ctx context.Context, id string, params WebsitePageSectionsGetParams, options ...Option) (*WebsitePageSection, error) {
	return receive[WebsitePageSection](ctx, a.client, request{method: "GET", path: "/api/loyalty/website_page_sections/{id}", ids: []string{id}, query: params.query()}, options)
}

// WebsiteUserAttributesAPI has the operations of website user attributes.
type WebsiteUserAttributesAPI struct{ client *Client }

// WebsiteUserAttributesListParams are the query parameters of List. Those that are empty are left out.
type WebsiteUserAttributesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p WebsiteUserAttributesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// List: List attributes of users. Newest first. API keys: organization, website, read-only.
//
//	GET /api/website_user_attributes
func (a WebsiteUserAttributesAPI) List(ctx context.Context, params WebsiteUserAttributesListParams, options ...Option) (*ListUserAttribute, error) {
	return receive[ListUserAttribute](ctx, a.client, request{method: "GET", path: "/api/website_user_attributes", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a WebsiteUserAttributesAPI) All(ctx context.Context, params WebsiteUserAttributesListParams, options ...Option) iter.Seq2[UserAttribute, error] {
	return eachItem(params.StartingAfter, func(after string) ([]UserAttribute, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item UserAttribute) string { return item.ID })
}

// Write: Create or change attributes of users. All or none. An item with id changes that attribute;
// one without id creates an attribute, unless there is one with the label. API keys: organization,
// website.
//
//	POST /api/website_user_attributes
func (a WebsiteUserAttributesAPI) Write(ctx context.Context, body AttributesBody, options ...Option) (*ListUserAttribute, error) {
	return receive[ListUserAttribute](ctx, a.client, request{method: "POST", path: "/api/website_user_attributes", body: body, isKeyed: true}, options)
}

// DeleteByLabel: Delete the attribute of users that the body names. As with the id in the path. API
// keys: organization, website.
//
//	DELETE /api/website_user_attributes
func (a WebsiteUserAttributesAPI) DeleteByLabel(ctx context.Context, body DeleteAttributeInputBody, options ...Option) (*Success, error) {
	return receive[Success](ctx, a.client, request{method: "DELETE", path: "/api/website_user_attributes", body: body}, options)
}

// WebsiteUserAttributesListValuesParams are the query parameters of ListValues. Those that are empty are left out.
type WebsiteUserAttributesListValuesParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// The members, up to 100. Required.
	UserIDs []string
}

func (p WebsiteUserAttributesListValuesParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.list("userIds", p.UserIDs)
	return url.Values(q)
}

// ListValues: List the values of users. Newest first. API keys: organization, website, read-only.
//
//	GET /api/website_user_attributes/values
func (a WebsiteUserAttributesAPI) ListValues(ctx context.Context, params WebsiteUserAttributesListValuesParams, options ...Option) (*ListUserAttributeValue, error) {
	return receive[ListUserAttributeValue](ctx, a.client, request{method: "GET", path: "/api/website_user_attributes/values", query: params.query()}, options)
}

// AllValues returns all items of ListValues, which it reads page by page. After an error it ends.
func (a WebsiteUserAttributesAPI) AllValues(ctx context.Context, params WebsiteUserAttributesListValuesParams, options ...Option) iter.Seq2[UserAttributeValue, error] {
	return eachItem(params.StartingAfter, func(after string) ([]UserAttributeValue, bool, error) {
		params.StartingAfter = after
		page, err := a.ListValues(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item UserAttributeValue) string { return item.ID })
}

// SetValues: Set values of users. A bare array, in the order of data: all or none. A user has one
// value of an attribute: one that is written again is replaced. API keys: organization, website.
//
//	POST /api/website_user_attributes/values
func (a WebsiteUserAttributesAPI) SetValues(ctx context.Context, body ValuesBody, options ...Option) ([]UserAttributeValue, error) {
	return receiveValue[[]UserAttributeValue](ctx, a.client, request{method: "POST", path: "/api/website_user_attributes/values", body: body, isKeyed: true}, options)
}

// WebsiteUserAttributesGetValueParams are the query parameters of GetValue. Those that are empty are left out.
type WebsiteUserAttributesGetValueParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p WebsiteUserAttributesGetValueParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// GetValue: Get a value of a user. A value of a live attribute. API keys: organization, website,
// read-only.
//
//	GET /api/website_user_attributes/values/{id}
func (a WebsiteUserAttributesAPI) GetValue(ctx context.Context, id string, params WebsiteUserAttributesGetValueParams, options ...Option) (*UserAttributeValue, error) {
	return receive[UserAttributeValue](ctx, a.client, request{method: "GET", path: "/api/website_user_attributes/values/{id}", ids: []string{id}, query: params.query()}, options)
}

// WebsiteUserAttributesGetParams are the query parameters of Get. Those that are empty are left out.
type WebsiteUserAttributesGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p WebsiteUserAttributesGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Get: Get an attribute of users. A live attribute. API keys: organization, website, read-only.
//
//	GET /api/website_user_attributes/{id}
func (a WebsiteUserAttributesAPI) Get(ctx context.Context, id string, params WebsiteUserAttributesGetParams, options ...Option) (*UserAttribute, error) {
	return receive[UserAttribute](ctx, a.client, request{method: "GET", path: "/api/website_user_attributes/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update an attribute of users. Its values stay. API keys: organization, website.
//
//	POST /api/website_user_attributes/{id}
func (a WebsiteUserAttributesAPI) Update(ctx context.Context, id string, body UpdateAttributeBody, options ...Option) (*UserAttribute, error) {
	return receive[UserAttribute](ctx, a.client, request{method: "POST", path: "/api/website_user_attributes/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}

// WebsiteUserAttributesDeleteParams are the query parameters of Delete. Those that are empty are left out.
type WebsiteUserAttributesDeleteParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
}

func (p WebsiteUserAttributesDeleteParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	return url.Values(q)
}

// Delete: Delete an attribute of users. Its values are no longer shown, and its label is free. API
// keys: organization, website.
//
//	DELETE /api/website_user_attributes/{id}
func (a WebsiteUserAttributesAPI) Delete(ctx context.Context, id string, params WebsiteUserAttributesDeleteParams, options ...Option) (*Success, error) {
	return receive[Success](ctx, a.client, request{method: "DELETE", path: "/api/website_user_attributes/{id}", ids: []string{id}, query: params.query()}, options)
}

// WebsiteUserRolesAPI has the operations of website user roles.
type WebsiteUserRolesAPI struct{ client *Client }

// WebsiteUserRolesListParams are the query parameters of List. Those that are empty are left out.
type WebsiteUserRolesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// The website. Absent: that of the key; an organization key without it sees all its websites (contract
	// 1.3)
	WebsiteID string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
	// Only what belongs to these members, by id; up to 100
	UserID string
}

func (p WebsiteUserRolesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("websiteId", p.WebsiteID)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	q.text("userId", p.UserID)
	return url.Values(q)
}

// List: List the roles of users. Newest first, without revoked ones. API keys: organization, website,
// read-only.
//
//	GET /api/website_user_roles
func (a WebsiteUserRolesAPI) List(ctx context.Context, params WebsiteUserRolesListParams, options ...Option) (*ListUserRole, error) {
	return receive[ListUserRole](ctx, a.client, request{method: "GET", path: "/api/website_user_roles", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a WebsiteUserRolesAPI) All(ctx context.Context, params WebsiteUserRolesListParams, options ...Option) iter.Seq2[UserRole, error] {
	return eachItem(params.StartingAfter, func(after string) ([]UserRole, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item UserRole) string { return item.ID })
}

// Change: Grant and revoke roles. All changes or none. A role that a user has already stays as it is,
// and an unknown wallet becomes a user. Roles of API keys mark the users who may hold such keys; no
// key is created. API keys: organization, website.
//
//	POST /api/website_user_roles
func (a WebsiteUserRolesAPI) Change(ctx context.Context, body ChangeRolesInputBody, options ...Option) (*ChangedRoles, error) {
	return receive[ChangedRoles](ctx, a.client, request{method: "POST", path: "/api/website_user_roles", body: body, isKeyed: true}, options)
}

// WebsitesAPI has the operations of websites.
type WebsitesAPI struct{ client *Client }

// WebsitesListParams are the query parameters of List. Those that are empty are left out.
type WebsitesListParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
	// A part of the name
	Name string
	// How many items a page has at most
	Limit int64
	// The id of the last item of the page before
	StartingAfter string
}

func (p WebsitesListParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	q.text("name", p.Name)
	q.integer("limit", p.Limit)
	q.text("startingAfter", p.StartingAfter)
	return url.Values(q)
}

// List: List websites. Newest first. Website keys see their own only. API keys: organization, website,
// read-only.
//
//	GET /api/websites
func (a WebsitesAPI) List(ctx context.Context, params WebsitesListParams, options ...Option) (*ListWebsite, error) {
	return receive[ListWebsite](ctx, a.client, request{method: "GET", path: "/api/websites", query: params.query()}, options)
}

// All returns all items of List, which it reads page by page. After an error it ends.
func (a WebsitesAPI) All(ctx context.Context, params WebsitesListParams, options ...Option) iter.Seq2[Website, error] {
	return eachItem(params.StartingAfter, func(after string) ([]Website, bool, error) {
		params.StartingAfter = after
		page, err := a.List(ctx, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item Website) string { return item.ID })
}

// Create: Create a website. The website belongs to the key's organization. It has no keys yet: laurel
// keys create creates them. API keys: organization.
//
//	POST /api/websites
func (a WebsitesAPI) Create(ctx context.Context, body CreateWebsiteInputBody, options ...Option) (*Website, error) {
	return receive[Website](ctx, a.client, request{method: "POST", path: "/api/websites", body: body, isKeyed: true}, options)
}

// WebsitesGetParams are the query parameters of Get. Those that are empty are left out.
type WebsitesGetParams struct {
	// The organization. Absent: that of the key (contract 1.3)
	OrganizationID string
}

func (p WebsitesGetParams) query() url.Values {
	q := query{}
	q.text("organizationId", p.OrganizationID)
	return url.Values(q)
}

// Get: Get a website. Website keys see their own only. API keys: organization, website, read-only.
//
//	GET /api/websites/{id}
func (a WebsitesAPI) Get(ctx context.Context, id string, params WebsitesGetParams, options ...Option) (*Website, error) {
	return receive[Website](ctx, a.client, request{method: "GET", path: "/api/websites/{id}", ids: []string{id}, query: params.query()}, options)
}

// Update: Update a website. An absent property keeps its value. Wallets of admins are roles: see
// website_user_roles. API keys: organization, website.
//
//	POST /api/websites/{id}
func (a WebsitesAPI) Update(ctx context.Context, id string, body UpdateWebsiteBody, options ...Option) (*Website, error) {
	return receive[Website](ctx, a.client, request{method: "POST", path: "/api/websites/{id}", ids: []string{id}, body: body, isKeyed: true}, options)
}
