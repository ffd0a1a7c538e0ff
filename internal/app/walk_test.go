package app_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/payouts"
)

// visit is how the walk calls an operation so that it succeeds. A route that is not listed fails the walk: declaring it
// here is part of adding it.
type visit struct {
	keys   string                      // who may call it (contract 1.2 and 4)
	id     string                      // the kind of thing that {id} names
	cursor string                      // the kind of thing that the list holds
	member bool                        // a publishable key names its user and shows the member token
	body   func(t *tenant) object      // of a valid call
	query  func(t *tenant) object      // of a valid call; nil: what the document requires
	auth   string                      // what {authType} names
	client func(t *tenant) (id string) // what {id} names for publishable keys where it differs
}

var visits = map[string]visit{
	"GET /api/loyalty/accounts/{id}/rank":  {keys: "OWRC", id: "account"},
	"GET /api/loyalty/transaction_entries": {keys: "OWRC", cursor: "entry", member: true},
	"GET /api/loyalty/rules":               {keys: "OWRC", cursor: "rule"},
	"POST /api/loyalty/rules": {keys: "OW", body: func(t *tenant) object {
		return object{"name": "A rule", "type": "external_rule", "loyaltyCurrencyId": t.things["currency"]}
	}},
	"POST /api/loyalty/rules/{id}":   {keys: "OW", id: "rule", body: emptyBody},
	"DELETE /api/loyalty/rules/{id}": {keys: "OW", id: "rule"},
	"POST /api/loyalty/rules/{id}/complete": {
		keys:   "OWC",
		id:     "rule",
		member: true,
		body:   func(t *tenant) object { return object{"walletAddress": t.stranger()} },
		client: func(t *tenant) string { return t.things["check-in"] },
	},
	"POST /api/loyalty/rules/{id}/simulate": {
		keys: "OW",
		id:   "rule",
		body: func(t *tenant) object { return object{"walletAddress": t.stranger()} },
	},
	"POST /api/loyalty/rules/{id}/replay": {
		keys: "OW",
		id:   "rule",
		body: func(t *tenant) object {
			if err := t.App.Replays.RunDue(context.Background()); err != nil { // only so many may wait
				t.T.Fatal(err)
			}
			return object{"draft": object{"amount": 2}, "from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}
		},
	},
	"GET /api/loyalty/rules/{id}/replays": {keys: "OW", id: "rule", cursor: "replay"},
	"GET /api/stratus/subscriptions":      {keys: "OW", cursor: "subscription"},
	"POST /api/stratus/subscriptions": {keys: "OW", body: func(t *tenant) object {
		return object{
			"name": "CRM", "organizationId": t.things["organization"], "websiteId": t.things["website"],
			"platformSubscriptions": []any{object{"tableNames": []any{"User"}}},
		}
	}},
	"GET /api/stratus/subscriptions/{id}":             {keys: "OW", id: "subscription"},
	"POST /api/stratus/subscriptions/{id}":            {keys: "OW", id: "subscription", body: emptyBody},
	"DELETE /api/stratus/subscriptions/{id}":          {keys: "OW", id: "subscription"},
	"GET /api/stratus/subscriptions/{id}/events":      {keys: "OW", id: "subscription", cursor: "event"},
	"POST /api/stratus/subscriptions/{id}/test":       {keys: "OW", id: "subscription", body: emptyBody},
	"POST /api/stratus/subscriptions/{id}/rotate_key": {keys: "OW", id: "subscription", body: emptyBody},
	"POST /api/stratus/subscriptions/{id}/enable":     {keys: "OW", id: "subscription", body: emptyBody},
	"POST /api/stratus/subscriptions/{id}/redeliver": {
		keys: "OW",
		id:   "subscription",
		body: func(*tenant) object { return object{"from": apptest.Noon, "to": apptest.Noon.Add(time.Hour)} },
	},
	"GET /api/stratus/subscriptions/{id}/events/{eventId}":            {keys: "OW", id: "subscription"},
	"POST /api/stratus/subscriptions/{id}/events/{eventId}/redeliver": {keys: "OW", id: "subscription", body: emptyBody},
	"GET /api/loyalty/rules/{id}/codes":                               {keys: "OW", id: "coded", cursor: "code"},
	"GET /api/loyalty/rules/{id}/runs":                                {keys: "OWR", id: "running", cursor: "run"},
	"GET /api/loyalty/rules/{id}/imports":                             {keys: "OW", id: "listed", cursor: "import"},
	"GET /api/loyalty/rules/status":                                   {keys: "OWRC", cursor: "status", member: true},
	"GET /api/loyalty/rule_groups":                                    {keys: "OWRC", cursor: "section"},
	"POST /api/loyalty/rule_groups/create": {
		keys: "OW",
		body: func(*tenant) object { return object{"name": "A section", "sortId": 7} },
	},
	"POST /api/loyalty/rule_groups/{id}":        {keys: "OW", id: "section", body: emptyBody},
	"DELETE /api/loyalty/rule_groups/{id}":      {keys: "OW", id: "section"},
	"GET /api/loyalty/rule_edits":               {keys: "OWR", cursor: "edit"},
	"POST /api/loyalty/rule_edits/{id}/restore": {keys: "OW", id: "edit", body: emptyBody},
	"GET /api/loyalty/rule_statuses":            {keys: "OWRC", cursor: "status", member: true},
	"POST /api/loyalty/rule_statuses": {keys: "OW", body: func(t *tenant) object {
		return object{"loyaltyRuleId": t.things["rule"], "walletAddress": t.stranger(), "progress": 1}
	}},
	"GET /api/loyalty/account_streaks": {keys: "OWRC", cursor: "streak"},
	"GET /api/loyalty/questions":       {keys: "OWRC", cursor: "question"},
	"POST /api/loyalty/questions": {keys: "OW", body: func(t *tenant) object {
		return object{
			"loyaltyRuleId":          t.Rule("poll", object{"loyaltyCurrencyId": t.things["currency"]}),
			"questionText":           "Why?",
			"loyaltyQuestionAnswers": []any{object{"text": "So"}, object{"text": "No"}},
		}
	}},
	"POST /api/loyalty/questions/{id}": {keys: "OW", id: "question", body: func(*tenant) object {
		return object{"questionText": "Why not?", "loyaltyQuestionAnswers": []any{object{"text": "So"}, object{"text": "No"}}}
	}},
	"GET /api/loyalty/questions_responses": {keys: "OWRC", cursor: "response", member: true},
	"POST /api/loyalty/questions_responses": {keys: "OWC", member: true, body: func(t *tenant) object {
		return object{"walletAddress": t.stranger(), "loyaltyQuestionChoiceId": t.things["choice"]}
	}},
	"GET /api/loyalty/rule_chains": {keys: "OWRC", cursor: "chain"},
	"POST /api/loyalty/rule_chains": {keys: "OW", body: func(t *tenant) object {
		locked := t.Rule("check_in", object{"loyaltyCurrencyId": t.things["currency"]})
		return object{
			"name":              "A chain",
			"loyaltyRuleId":     locked,
			"loyaltyConditions": []any{object{"type": "points", "amount": 1, "loyaltyCurrencyIds": []any{t.things["currency"]}}},
		}
	}},
	"DELETE /api/loyalty/rule_chains/{id}": {keys: "OW", id: "chain"},
	"GET /api/loyalty/currencies":          {keys: "OWRC", cursor: "currency"},
	"POST /api/loyalty/currencies": {keys: "OW", body: func(*tenant) object {
		return object{"name": "Gold", "symbol": "G", "decimals": 2}
	}},
	"POST /api/loyalty/currencies/{id}":               {keys: "OW", id: "currency", body: emptyBody},
	"DELETE /api/loyalty/currencies/{id}":             {keys: "OW", id: "currency"},
	"GET /api/loyalty/currencies/{id}/external_posts": {keys: "OW", id: "currency", cursor: "none"},
	"GET /api/loyalty/accounts":                       {keys: "OWRC", cursor: "account"},
	"POST /api/loyalty/reset": {keys: "OW", body: func(t *tenant) object {
		return object{"loyaltyCurrencyId": t.currency(), "type": "loyalty_reset_balances"}
	}},
	"GET /api/loyalty/clearing_jobs":          {keys: "OW", cursor: "clearing"},
	"GET /api/loyalty/accounts/{id}/lots":     {keys: "OWR", id: "lot-account", cursor: "lot"},
	"GET /api/loyalty/accounts/{id}/expiring": {keys: "OWRC", id: "lot-account", member: true},
	"POST /api/loyalty/lots/{id}/release":     {keys: "OW", id: "lot", body: emptyBody},
	"POST /api/loyalty/lots/{id}/cancel":      {keys: "OW", id: "lot", body: emptyBody},
	"POST /api/loyalty/transactions": {keys: "OW", body: func(t *tenant) object {
		return object{
			"description":       "A gift",
			"loyaltyCurrencyId": t.things["currency"],
			"entries":           []any{object{"amount": 1, "walletAddress": t.stranger()}},
		}
	}},
	"POST /api/loyalty/transactions/{id}/reverse": {keys: "OW", id: "transaction", body: emptyBody},
	"POST /api/loyalty/transactions/reverse": {keys: "OW", body: func(t *tenant) object {
		key := t.stranger()
		t.transaction(key)
		return object{"of": object{"idempotencyKey": key}}
	}},
	"GET /api/loyalty/payouts":             {keys: "OW", cursor: "payout"},
	"POST /api/loyalty/payouts/{id}/retry": {keys: "OW", id: "payout", body: emptyBody},
	"GET /api/loyalty/multipliers":         {keys: "OWRC", cursor: "multiplier"},
	"POST /api/loyalty/multipliers": {keys: "OW", body: func(t *tenant) object {
		return object{"walletAddress": t.stranger(), "multiplier": 2, "externalIdentifier": t.stranger()}
	}},
	"GET /api/loyalty/badges": {keys: "OWRC", cursor: "badge"},
	"POST /api/loyalty/badges": {keys: "OW", body: func(t *tenant) object {
		return apptest.BadgeBody(object{"rewards": []object{{"rewardType": "badge", "loyaltyBadgeId": t.things["badge"]}}})
	}},
	"POST /api/loyalty/badges/{id}":   {keys: "OW", id: "badge", body: emptyBody},
	"DELETE /api/loyalty/badges/{id}": {keys: "OW", id: "badge"},
	"POST /api/loyalty/badges/{id}/reward": {
		keys:   "OW",
		id:     "badge",
		body:   func(t *tenant) object { return object{"walletAddress": t.stranger()} },
		client: func(t *tenant) string { return t.things["badge"] }, // lists tell its users by badges
	},
	"POST /api/loyalty/badges/{id}/revoke": {
		keys: "OW",
		id:   "badge",
		body: func(t *tenant) object { return object{"userId": t.things["user"]} },
	},
	"GET /api/loyalty/badge_users":       {keys: "OWRC", cursor: "badge user"},
	"POST /api/loyalty/badge_users/{id}": {keys: "OWC", id: "badge user", member: true, body: emptyBody},
	"GET /api/stratus/functions":         {keys: "OW", cursor: "function"},
	"POST /api/stratus/functions": {keys: "OW", body: func(*tenant) object {
		return object{"name": "a function", "code": functionCode}
	}},
	"GET /api/stratus/functions/{id}":         {keys: "OW", id: "function"},
	"POST /api/stratus/functions/{id}":        {keys: "OW", id: "function", body: emptyBody},
	"DELETE /api/stratus/functions/{id}":      {keys: "OW", id: "function"},
	"GET /api/stratus/functions/{id}/runs":    {keys: "OW", id: "function", cursor: "function run"},
	"POST /api/stratus/functions/{id}/invoke": {keys: "OWS", id: "function", body: emptyBody},
	"POST /api/loyalty/multipliers/{id}":      {keys: "OW", id: "multiplier", body: emptyBody},
	"DELETE /api/loyalty/multipliers/{id}":    {keys: "OW", id: "multiplier"},
	"DELETE /api/loyalty/multipliers": {keys: "OW", body: func(t *tenant) object {
		external := t.stranger()
		t.multiplier(external)
		return object{"externalIdentifier": external}
	}},
	"POST /api/phone_verifications":            {keys: "OWC", member: true, body: aNumber},
	"POST /api/phone_verifications/connect":    {keys: "OWC", member: true, body: aCode},
	"POST /api/phone_verifications/disconnect": {keys: "OWC", member: true, body: aMember},
	"POST /api/phone/auth":                     {keys: "OWC", member: true, body: aNumber},
	"POST /api/phone/auth/connect":             {keys: "OWC", member: true, body: aCode},
	"POST /api/phone/auth/disconnect":          {keys: "OWC", member: true, body: aMember},
	"POST /api/referral/codes": {keys: "OWC", member: true, body: func(t *tenant) object {
		return object{"loyaltyRuleId": t.things["referring"], "walletAddress": t.stranger()}
	}},
	"POST /api/referral/users": {keys: "OWC", member: true, body: func(t *tenant) object {
		_, code := t.referring() // whose it is was referred by nobody, and a user is referred once per rule
		return object{"referralCodeId": code, "userIds": []any{t.newcomer()}}
	}},
	"GET /api/referral/users":     {keys: "OWRC", cursor: "referral", member: true},
	"GET /api/users":              {keys: "OWRC", cursor: "user", member: true},
	"GET /api/users/{id}":         {keys: "OWRC", id: "user", member: true},
	"GET /api/users/count":        {keys: "OWRC"},
	"GET /api/users/me":           {keys: "C", member: true},
	"GET /api/users/imports":      {keys: "OW", cursor: "member import"},
	"GET /api/users/imports/{id}": {keys: "OW", id: "member import"},
	"POST /api/users/imports": {keys: "OW", body: func(*tenant) object {
		return object{"csvUrl": "https://lists.example/members.csv"}
	}},
	"GET /api/users/metadatas":      {keys: "OWR", cursor: "metadata"},
	"GET /api/users/metadatas/{id}": {keys: "OWR", id: "metadata"},
	"POST /api/users/connect": {keys: "OWC", member: true, body: func(t *tenant) object {
		return object{"walletAddress": t.stranger(), "walletType": "evm"}
	}},
	"POST /api/users/disconnect": {keys: "OW", body: func(t *tenant) object {
		grouped := object{"walletAddress": t.stranger(), "userGroupExternalIdentifier": t.stranger()}
		return object{"userId": t.Post("/api/users/metadatas", grouped).OK()["userId"]}
	}},
	"GET /api/users/delegations": {keys: "OWR", cursor: "delegation"},
	"POST /api/users/delegations": {keys: "OWC", member: true, body: func(t *tenant) object {
		return object{"walletAddress": t.stranger(), "delegatorWalletAddress": t.stranger()}
	}},
	"GET /api/users/delegations/{id}":    {keys: "OWR", id: "delegation"},
	"DELETE /api/users/delegations/{id}": {keys: "OW", id: "delegation"},
	"GET /api/users/devices":             {keys: "OW", cursor: "device"},
	"POST /api/users/devices": {keys: "OWC", member: true, body: func(t *tenant) object {
		return object{"walletAddress": t.stranger(), "ipAddress": "192.0.2.1", "deviceIdentifier": "a phone"}
	}},
	"GET /api/users/devices/{id}":                  {keys: "OW", id: "device"},
	"GET /api/website_user_attributes":             {keys: "OWR", cursor: "user attribute"},
	"GET /api/website_user_attributes/{id}":        {keys: "OWR", id: "user attribute"},
	"POST /api/website_user_attributes/{id}":       {keys: "OW", id: "user attribute", body: emptyBody},
	"DELETE /api/website_user_attributes/{id}":     {keys: "OW", id: "user attribute"},
	"GET /api/website_user_attributes/values":      {keys: "OWR", cursor: "attribute value"},
	"GET /api/website_user_attributes/values/{id}": {keys: "OWR", id: "attribute value"},
	"POST /api/website_user_attributes": {keys: "OW", body: func(t *tenant) object {
		return object{"data": []any{object{"label": t.stranger()}}}
	}},
	"DELETE /api/website_user_attributes": {keys: "OW", body: func(t *tenant) object {
		return object{"id": t.userAttribute()}
	}},
	"POST /api/website_user_attributes/values": {keys: "OW", body: func(t *tenant) object {
		return object{"data": []any{object{
			"userId": t.things["user"], "websiteUserAttributeId": t.things["user attribute"], "value": "M",
		}}}
	}},
	"POST /api/users/metadatas": {
		keys: "OW",
		body: func(t *tenant) object { return object{"walletAddress": t.stranger()} },
	},
	"POST /api/users/verify": {keys: "OWC", member: true, body: func(t *tenant) object {
		wallet := t.stranger()
		return object{"walletAddress": wallet, "accountLinkData": accountLink(t.Server, t.stranger(), identity.Ref{Wallet: wallet})}
	}},
	"POST /api/users/tokens": {
		keys: "OW",
		body: func(t *tenant) object { return object{"walletAddress": t.stranger()} },
	},
	"POST /api/users/tokens/revoke": {
		keys: "OW",
		body: func(t *tenant) object { return object{"userId": t.things["user"]} },
	},
	"POST /api/api_keys": {keys: "OW", body: func(*tenant) object {
		return object{"roleType": "WEBSITE_CLIENT_API_KEY", "name": "A page"}
	}},
	"GET /api/api_keys":         {keys: "OW", cursor: "api key"},
	"DELETE /api/api_keys/{id}": {keys: "OW", id: "api key"},
	"POST /api/website_user_roles": {keys: "OW", body: func(t *tenant) object {
		return object{"websiteUserRoles": []any{object{"roleType": "WEBSITE_VIEWER", "walletAddress": t.stranger()}}}
	}},
	"GET /api/website_user_roles": {keys: "OWR", cursor: "role"},
	"GET /api/websites":           {keys: "OWR", cursor: "website"},
	"POST /api/assets": {keys: "OWC", member: true, body: func(*tenant) object {
		return object{"fileName": "a.png", "fileSize": 1, "filePath": "posts"}
	}},
	"GET /api/assets/{id}":    {keys: "OW", id: "file"},
	"GET /api/websites/{id}":  {keys: "OWR", id: "website"},
	"POST /api/websites/{id}": {keys: "OW", id: "website", body: emptyBody},
	"GET /api/contracts":      {keys: "OWR", cursor: "contract"},
	"POST /api/contracts": {keys: "OW", body: func(t *tenant) object {
		return object{"name": "A token", "address": t.stranger(), "chainId": 8453, "type": "erc20"}
	}},
	"GET /api/contracts/{id}":            {keys: "OWR", id: "contract"},
	"POST /api/contracts/{id}":           {keys: "OW", id: "contract", body: emptyBody},
	"DELETE /api/contracts/{id}":         {keys: "OW", id: "contract"},
	"GET /api/minting/contracts":         {keys: "OWRC", cursor: "minting contract"},
	"POST /api/minting/contracts":        {keys: "OW", body: (*tenant).aMintingContract},
	"GET /api/minting/contracts/{id}":    {keys: "OWRC", id: "minting contract"},
	"POST /api/minting/contracts/{id}":   {keys: "OW", id: "minting contract", body: emptyBody},
	"DELETE /api/minting/contracts/{id}": {keys: "OW", id: "minting contract"},
	"GET /api/minting/assets":            {keys: "OWRC", cursor: "minting asset"},
	"POST /api/minting/assets":           {keys: "OW", body: (*tenant).aMintingAsset},
	"GET /api/minting/assets/{id}":       {keys: "OWRC", id: "minting asset"},
	"POST /api/minting/assets/{id}":      {keys: "OW", id: "minting asset", body: emptyBody},
	"DELETE /api/minting/assets/{id}":    {keys: "OW", id: "minting asset"},
	"GET /api/minting/assets/allowlist":  {keys: "OWR", cursor: "allowed"},
	"POST /api/minting/assets/allowlist": {keys: "OW", body: func(t *tenant) object {
		return object{
			"mintingContractAssetId": t.things["minting asset"],
			"entries":                []any{object{"walletAddress": t.stranger(), "quantity": 1}},
		}
	}},
	"GET /api/minting/token_gate":      {keys: "OWRC"},
	"POST /api/minting/contracts/mint": {keys: "OWC", member: true, body: (*tenant).aMint},
	"GET /api/minting/status":          {keys: "OWRC", cursor: "mint", member: true},
	"GET /api/minting/status/{id}":     {keys: "OWRC", id: "mint", member: true},
	"POST /api/minting/status/{id}": {keys: "OWC", id: "mint", member: true, body: func(*tenant) object {
		return object{"status": "minted"}
	}},
	"GET /api/loyalty/holds":               {keys: "OWRC", cursor: "hold", member: true},
	"POST /api/loyalty/holds":              {keys: "OW", body: (*tenant).aHold},
	"GET /api/loyalty/holds/{id}":          {keys: "OWRC", id: "hold", member: true},
	"POST /api/loyalty/holds/{id}/capture": {keys: "OW", id: "hold", body: emptyBody},
	"POST /api/loyalty/holds/{id}/release": {keys: "OW", id: "hold", body: emptyBody},
	"GET /api/auctions":                    {keys: "OWRC", cursor: "auction"},
	"POST /api/auctions":                   {keys: "OW", body: (*tenant).anAuction},
	"GET /api/auctions/items":              {keys: "OWRC", cursor: "auction item"},
	"GET /api/auctions/items/{id}":         {keys: "OWRC", id: "auction item"},
	"GET /api/auctions/{id}":               {keys: "OWRC", id: "auction"},
	"POST /api/auctions/{id}":              {keys: "OW", id: "auction", body: emptyBody},
	"POST /api/auctions/{id}/cancel":       {keys: "OW", id: "auction", body: emptyBody},
	"POST /api/auctions/{id}/items": {keys: "OW", id: "auction", body: func(t *tenant) object {
		return object{"auctionItems": []any{object{"mintingContractAssetId": t.things["minting asset"]}}}
	}},
	"GET /api/auction_bids":      {keys: "OWRC", cursor: "bid"},
	"POST /api/auction_bids":     {keys: "OWC", member: true, body: (*tenant).aBid},
	"GET /api/auction_bids/{id}": {keys: "OWRC", id: "bid"},
	"GET /api/token_claims":      {keys: "OWRC", cursor: "token claim"},
	"POST /api/token_claims": {keys: "OW", body: func(t *tenant) object {
		return object{"name": "A season", "contractId": t.things["contract"], "isDraft": false}
	}},
	"GET /api/token_claims/{id}":             {keys: "OWRC", id: "token claim"},
	"POST /api/token_claims/{id}":            {keys: "OW", id: "token claim", body: emptyBody},
	"DELETE /api/token_claims/{id}":          {keys: "OW", id: "token claim"},
	"GET /api/token_claims/{id}/eligibility": {keys: "OWRC", id: "token claim"},
	"GET /api/token_claims/{id}/proof":       {keys: "OWRC", id: "token claim"},
	"GET /api/token_claims/{id}/users":       {keys: "OWR", id: "token claim", cursor: "allocation"},
	"POST /api/token_claims/{id}/claim": {keys: "OWC", id: "token claim", member: true, body: func(t *tenant) object {
		return object{"walletAddress": t.things["wallet"], "txHash": "0x" + strings.Repeat("ab", 32)}
	}},
	"GET /api/website_collections":                {keys: "OWRC", cursor: "collection"},
	"POST /api/website_collections":               {keys: "OW", body: func(t *tenant) object { return collectionAt(t.stranger()) }},
	"GET /api/website_collections/{id}":           {keys: "OWRC", id: "collection"},
	"POST /api/website_collections/{id}":          {keys: "OW", id: "collection", body: emptyBody},
	"DELETE /api/website_collections/{id}":        {keys: "OW", id: "collection"},
	"GET /api/page_sections":                      {keys: "OWRC"},
	"POST /api/page_sections":                     {keys: "OW", body: (*tenant).aPageSection},
	"GET /api/page_sections/{id}":                 {keys: "OWRC", id: "page section"},
	"POST /api/page_sections/{id}":                {keys: "OW", id: "page section", body: emptyBody},
	"DELETE /api/page_sections/{id}":              {keys: "OW", id: "page section"},
	"GET /api/loyalty/website_page_sections":      {keys: "OWRC", cursor: "block"},
	"GET /api/loyalty/website_page_sections/{id}": {keys: "OWRC", id: "block"},
	"POST /api/loyalty/website_page_sections": {keys: "OW", body: func(t *tenant) object {
		return object{"websitePageSections": []any{object{"type": "hero", "id": t.things["block"]}}}
	}},
	"GET /api/assets":         {keys: "OW", cursor: "file"},
	"DELETE /api/assets/{id}": {keys: "OWC", id: "file", member: true},
	"POST /api/websites":      {keys: "O", body: func(*tenant) object { return object{"name": "A site"} }},
	"GET /api/{authType}/auth": {keys: "OWC", auth: "code_host", member: true, query: func(t *tenant) object {
		return object{"responseType": "json", "userId": t.things["user"], "websiteId": t.things["website"]}
	}},
	"GET /api/{authType}/auth/connect": {keys: "OWC", auth: "photo_platform", query: (*tenant).aProof},
	"DELETE /api/{authType}/auth": {keys: "OWC", auth: "code_host", member: true, body: func(t *tenant) object {
		return object{"userId": t.things["user"]}
	}},
}

// tenant is a website with one thing of each kind, and how it calls.
type tenant struct {
	*apptest.Server
	things map[string]string // kind → id
	token  string            // member token of its user, once a publishable key has needed one
}

// aProof is the query of a call that looks for the code of the tenant's user in a profile.
func (t *tenant) aProof() object {
	started := t.Get("/api/photo_platform/auth?responseType=json&userId=" + t.things["user"]).OK()
	return object{
		"state": started["jwtState"], "photoPlatformUsernameOrUrl": "acme_photos", "websiteId": t.things["website"],
	}
}

func emptyBody(*tenant) object { return object{} }

// idKinds says what each id of a query or body names. "none" is a kind of which nothing exists yet.
var idKinds = map[string]string{
	"organizationId":             "organization",
	"websiteId":                  "website",
	"startingAfter":              "cursor",
	"cursor":                     "cursor",
	"mainLoyaltyAccountIds":      "main account",
	"userId":                     "user",
	"userGroupId":                "group",
	"allotedToUserId":            "user",
	"allotedUserGroupId":         "group",
	"loyaltyCurrencyId":          "currency",
	"loyaltyAccountId":           "account",
	"loyaltyCurrencyIds":         "currency",
	"loyaltyRuleGroupIds":        "section",
	"loyaltyBadgeIds":            "badge",
	"badgeIds":                   "badge",
	"loyaltyLeaderboardViewIds":  "none",
	"loyaltyTransactionId":       "transaction",
	"loyaltyRuleId":              "rule",
	"userCompletedLoyaltyRuleId": "rule",
	"duplicatedFromId":           "rule",
	"loyaltyRuleGroupId":         "section",
	"loyaltyBadgeId":             "badge",
	"subscriptionId":             "subscription",
	"functionId":                 "function",
	"contractIds":                "contract",
	"mintingContractId":          "minting contract",
	"mintingContractIds":         "minting contract",
	"mintingContractAssetId":     "minting asset",
	"assetId":                    "minting asset",
	"shippingId":                 "none",
	"auctionId":                  "auction",
	"auctionItemId":              "auction item",
	"websiteCollectionId":        "collection",
	"themeId":                    "none",
	"loyaltyQuestionChoiceId":    "choice",
	"loyaltyRuleIds":             "poll",
	"functionIds":                "function",
	"questionsId":                "question",
	"id":                         "choice",
	"contractId":                 "contract",
	"relayerId":                  "none",
	"referralCodeId":             "referral code",
	"userIds":                    "user",
	"websiteUserAttributeId":     "user attribute",
}

// ownIDs says what the ids of a body name whose names say too little.
var ownIDs = map[string]string{
	"DELETE /api/website_user_attributes id":             "user attribute",
	"POST /api/website_user_attributes data.0.id":        "user attribute",
	"POST /api/website_user_attributes/values data.0.id": "attribute value",
}

// foreignIDs are texts that others have made.
var foreignIDs = []string{
	"externalIntegrationId", "oauthCredentialsId", "triggerId", "chatServerUserId", "codeHostUserId",
	"gameLauncherAccountId", "shortVideoUserId", "videoPlatformChannelId", "webAccountUserId",
}

var namesIDs = regexp.MustCompile(`Ids?$`)

// ofText reports whether a schema takes a text of any form.
func ofText(schema object) bool {
	types, _ := schema["type"].([]any)
	return (schema["type"] == "string" || slices.Contains(types, any("string"))) && schema["format"] == nil && schema["enum"] == nil
}

// names are the texts by which one tenant could look for another's things, with what the first tenant calls them.
var names = map[string]string{
	"walletAddress":               apptest.Alice,
	"address":                     apptest.Alice,
	"userGroupExternalIdentifier": "acme-family",
	"walletGroupIdentifier":       "acme-wallets",
	"externalIdentifier":          "acme-1",
	"emailAddress":                "alice@acme.example",
	"phoneNumber":                 "+4915112345678",
	"microblogUser":               "acme_micro",
	"microblogUserId":             "acme-m1",
	"chatServerUser":              "acme_chat",
	"messengerUserId":             "acme-77",
	"messengerUsername":           "acme_messenger",
	"shortVideoUser":              "acme_short",
	"forumPlatformUser":           "acme_forum",
	"forumPlatformUserId":         "acme-f1",
	"gameStoreUserId":             "acme-g1",
	"contractAddress":             "0x00000000000000000000000000000000000c0113",
	"chainId":                     "1",
	"status":                      "pending",
	"gameStoreUsername":           "acme_game",
	"codeHostUser":                "acme_code",
	"idempotencyKey":              "acme-order-1",
	"name":                        "Acme site",
	"search":                      "Acme",
	"pageId":                      "acme-page",
	"tokenId":                     "7",
	"loyaltyRuleType":             "external_rule",
	"userSearch":                  "acme_micro",
	"delegatorWalletAddress":      "0x00000000000000000000000000000000de1a11ce",
	"collectionAddress":           "0x00000000000000000000000000000000000c0113",
	"redirect":                    "https://acme.example/done",
	"state":                       "acme-state",
	"shortVideoProfileUrl":        "https://social.example/@acme",
	"forumPlatformProfileUrl":     "https://forum.example/u/acme",
	"photoPlatformUsernameOrUrl":  "acme_photos",
}

var strangers atomic.Int64

// stranger returns a wallet that nobody has named yet.
func (t *tenant) stranger() string { return fmt.Sprintf("0x%040x", 0xfeed0000+strangers.Add(1)) }

// aMember names somebody.
func aMember(t *tenant) object { return object{"walletAddress": t.stranger()} }

// aNumber is a call for a code.
func aNumber(t *tenant) object {
	return object{"walletAddress": t.stranger(), "phoneNumber": fmt.Sprint("+1555", 5550000+strangers.Add(1))}
}

// aCode proves a number.
func aCode(t *tenant) object {
	body := aNumber(t)
	body["code"] = t.phoneCode(body)
	return body
}

// phoneCode asks for a code and reads it in the outbox.
func (t *tenant) phoneCode(body object) string {
	t.Post("/api/phone_verifications", body).OK()
	list, err := t.App.Messages.ListOutbox(context.Background(), t.WebsiteScope(), laurel.PageRequest{Limit: 1})
	if err != nil {
		t.T.Fatal(err)
	}
	return list.Data[0].Content[:6]
}

// settle fills the server's program with one thing of each kind, called by the given names.
func settle(s *apptest.Server, called map[string]string) *tenant {
	s.T.Helper()
	t := &tenant{
		Server: s,
		things: map[string]string{
			"organization": s.OrganizationID.String(),
			"website":      s.WebsiteID.String(),
			"currency":     s.LoyaltyCurrencyID.String(),
		},
	}
	person := maps.Clone(called)
	for _, name := range []string{"address", "idempotencyKey", "name", "loyaltyRuleType", "collectionAddress", "search", "pageId", "tokenId",
		"userSearch", "delegatorWalletAddress"} {
		delete(person, name)
	}
	written := s.Post("/api/users/metadatas", person).OK()
	t.things["user"], t.things["group"] = written["userId"].(string), written["userGroupId"].(string)
	t.things["metadata"], t.things["user attribute"] = written["id"].(string), t.userAttribute()
	t.things["attribute value"] = t.attributeValue()
	t.Post("/api/users/connect", object{ // as one that has signed, so that other wallets may join it
		"walletAddress": called["walletAddress"], "walletType": "evm", "verificationData": object{"verifiedLocally": true},
	}).OK()
	t.things["delegation"] = t.Post("/api/users/delegations", object{
		"userId": t.things["user"], "delegatorWalletAddress": called["delegatorWalletAddress"],
	}).OK()["id"].(string)
	t.things["device"] = t.Post("/api/users/devices", object{"userId": t.things["user"], "ipAddress": "192.0.2.9"}).OK()["id"].(string)
	t.things["member import"] = t.Post("/api/users/imports", object{
		"csvUrl": "https://lists.example/" + url.PathEscape(called["name"]), "loyaltyCurrencyId": t.things["currency"],
	}).OK()["id"].(string)
	rule := object{
		"interval":          "unlimited",
		"loyaltyCurrencyId": t.things["currency"],
		"collectionAddress": called["collectionAddress"],
	}
	t.things["rule"], t.things["check-in"] = s.Rule("external_rule", rule), s.Rule("check_in", rule)
	t.things["none"] = t.things["rule"]
	t.things["section"], t.things["edit"] = t.section(), t.edit()
	t.things["chain"] = t.chain()
	t.things["file"], t.things["api key"] = t.file(), t.apiKey()
	t.things["contract"], t.things["collection"] = t.contract(called["name"]), t.collection()
	t.things["wallet"] = called["walletAddress"]
	t.things["season"] = t.Upload("season.csv", t.things["wallet"]+",1\n")
	t.things["token claim"] = t.tokenClaim()
	users := t.Get("/api/token_claims/" + t.things["token claim"] + "/users").Data()
	t.things["allocation"] = users[0]["id"].(string)
	t.things["page section"], t.things["block"] = t.pageSection(), t.block()
	t.things["role"] = t.role(called["walletAddress"])
	t.mintings()
	t.auctions()
	t.things["multiplier"] = t.multiplier(called["externalIdentifier"])
	t.things["badge"], t.things["badge user"] = t.badge()
	t.Post("/api/loyalty/reset", object{"loyaltyCurrencyId": t.currency(), "type": "loyalty_reset_balances"}).OK()
	t.things["clearing"] = t.Get("/api/loyalty/clearing_jobs").Data()[0]["id"].(string)
	t.things["lot"], t.things["lot-account"] = t.waiting()
	t.things["payout"], t.things["transaction"] = t.payout(), t.transaction(t.stranger())
	t.things["subscription"], t.things["event"] = t.subscription()
	t.things["main account"] = t.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + t.things["currency"]).Data()[0]["id"].(string)
	t.things["coded"] = s.Rule(
		"code_entry",
		object{
			"loyaltyCurrencyId": t.things["currency"],
			"metadata":          object{"promoCodeType": "generate", "promoCodeLength": 2},
		},
	)
	streak := s.Rule(
		"check_in",
		object{"loyaltyCurrencyId": t.things["currency"], "metadata": object{"enableStreaks": true}},
	)
	s.Complete(streak, object{"userId": t.things["user"]}).OK()
	t.things["streak"] = s.Streaks(streak)[0]["id"].(string)
	question := t.poll()
	t.things["question"], t.things["poll"] = question["id"].(string), question["loyaltyRuleId"].(string)
	t.things["choice"] = question["loyaltyQuestionChoices"].([]any)[0].(object)["id"].(string)
	given := s.Post("/api/loyalty/questions_responses", object{"userId": t.things["user"], "loyaltyQuestionChoiceId": t.things["choice"]}).
		OK()
	t.things["response"] = given["response"].(object)["id"].(string)
	t.things["listed"] = s.Rule(
		"points_airdrop",
		object{
			"loyaltyCurrencyId":          t.things["currency"],
			"loyaltyUserAllotmentCsvUrl": "https://lists.example/" + called["name"],
		},
	)
	t.things["import"] = s.Get("/api/loyalty/rules/" + t.things["listed"] + "/imports").Data()[0]["id"].(string)
	t.things["code"] = s.Get("/api/loyalty/rules/" + t.things["coded"] + "/codes").Data()[0]["id"].(string)
	s.Complete(t.things["rule"], object{"userId": t.things["user"], "idempotencyKey": called["idempotencyKey"]}).OK()
	t.things["status"] = s.Get("/api/loyalty/rule_statuses?loyaltyRuleId=" + t.things["rule"]).Data()[0]["id"].(string)
	entry := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + t.things["rule"]).Data()[0]
	t.things["running"] = s.Rule("manual_upload", object{"loyaltyCurrencyId": t.things["currency"], "frequency": "once"})
	if _, err := s.App.Schedule.PlanDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
	t.things["run"] = s.Get("/api/loyalty/rules/" + t.things["running"] + "/runs").Data()[0]["id"].(string)
	replayed := "/api/loyalty/rules/" + t.things["rule"] + "/replay"
	year := object{"draft": object{"amount": 2}, "from": "2026-01-01T00:00:00Z", "to": "2027-01-01T00:00:00Z"}
	t.things["replay"] = t.Post(replayed, year).OK()["id"].(string)
	t.things["function"], t.things["function run"] = t.function()
	t.things["referring"], t.things["referral code"] = t.referring()
	t.Post("/api/referral/users", object{"referralCodeId": t.things["referral code"], "userIds": []any{t.things["user"]}}).
		OK()
	t.things["referral"] = s.Get("/api/referral/users").Data()[0]["id"].(string)
	t.things["entry"], t.things["transaction"], t.things["account"] = entry["id"].(string), entry["loyaltyTransactionId"].(string), entry["loyaltyAccountId"].(string)
	return t
}

const functionCode = "module.exports.handler = (input, output) => { output.setResult(1); return output.buildOutput() }"

// contract registers one.
func (t *tenant) contract(name string) string {
	body := object{"name": name, "address": t.stranger(), "chainId": 8453, "type": "erc20"}
	return t.Post("/api/contracts", body).Created()["id"].(string)
}

// tokenClaim makes one whose list names the tenant's user.
func (t *tenant) tokenClaim() string {
	made := t.Post("/api/token_claims", object{
		"name": "A season", "contractId": t.things["contract"], "isDraft": false,
		"csvUrl": t.things["season"],
	}).OK()
	if _, err := t.App.Claims.RunDue(context.Background()); err != nil {
		t.T.Fatal(err)
	}
	return made["id"].(string)
}

func collectionAt(address string) object {
	return object{"name": "A collection", "collectionAddress": address, "network": "base", "sortId": 1}
}

func (t *tenant) collection() string {
	return t.Post("/api/website_collections", collectionAt(t.stranger())).OK()["id"].(string)
}

// aMintingContract is the body that makes a listed one.
func (t *tenant) aMintingContract() object {
	return object{"name": "Posters", "contractKind": "ONCHAIN", "isListed": true, "network": "base", "address": t.stranger()}
}

// aMintingAsset is the body that makes one that is free.
func (t *tenant) aMintingAsset() object {
	return object{"mintingContractId": t.things["minting contract"], "name": "Poster", "price": 0, "quantity": 0,
		"unlimitedQty": true, "isListed": true}
}

func (t *tenant) mintingContract() string {
	return t.Post("/api/minting/contracts", t.aMintingContract()).OK()["id"].(string)
}

func (t *tenant) mintingAsset() string {
	return t.Post("/api/minting/assets", t.aMintingAsset()).OK()["id"].(string)
}

// aMint is the body that has an asset minted.
func (t *tenant) aMint() object {
	return object{
		"assetId": t.things["minting asset"], "contractId": t.things["minting contract"], "walletAddress": t.stranger(),
	}
}

// mint makes one that is under way, for the tenant's user.
func (t *tenant) mint() string {
	body := t.aMint()
	delete(body, "walletAddress")
	body["userId"] = t.things["user"]
	return t.Post("/api/minting/contracts/mint", body).OK()["mintingContractAssetMintStatusId"].(string)
}

// mintings makes one thing of each kind of minting.
func (t *tenant) mintings() {
	t.App.Minting.Driver = func(context.Context, minting.Job) (minting.DriverResult, error) {
		return minting.DriverResult{Status: minting.Generating}, nil
	}
	t.things["minting contract"] = t.mintingContract()
	t.things["minting asset"] = t.mintingAsset()
	t.things["mint"] = t.mint()
	t.Post("/api/minting/assets/allowlist", visits["POST /api/minting/assets/allowlist"].body(t)).OK()
	list := "/api/minting/assets/allowlist?mintingContractAssetId=" + t.things["minting asset"]
	t.things["allowed"] = t.Get(list).Data()[0]["id"].(string)
}

// rich gives points to a wallet.
func (t *tenant) rich(wallet string) string {
	t.Transact(apptest.Points(wallet, 100, object{"loyaltyCurrencyId": t.things["currency"]})).OK()
	return wallet
}

// aHold is the body that makes one.
func (t *tenant) aHold() object {
	return object{"loyaltyCurrencyId": t.things["currency"], "walletAddress": t.rich(t.stranger()), "amount": 1}
}

// hold makes one of the tenant's user.
func (t *tenant) hold() string {
	body := t.aHold()
	body["walletAddress"] = t.rich(t.things["wallet"])
	return t.Post("/api/loyalty/holds", body).OK()["id"].(string)
}

// anAuction is the body that makes one that is open.
func (t *tenant) anAuction() object {
	return object{
		"name": "A poster", "type": "english", "startsAt": apptest.Noon.Add(-time.Hour), "endsAt": apptest.Noon.AddDate(1, 0, 0),
		"loyaltyCurrencyId": t.things["currency"], "minBidAmount": "1", "mintingContractId": t.things["minting contract"],
		"auctionItems": []any{object{"mintingContractAssetId": t.things["minting asset"]}},
	}
}

// auction makes one without items.
func (t *tenant) auction() string {
	body := t.anAuction()
	delete(body, "auctionItems")
	return t.Post("/api/auctions", body).OK()["id"].(string)
}

// aBid is the body that makes one in an auction of its own.
func (t *tenant) aBid() object {
	t.rich(t.things["wallet"]) // who bids through client keys
	return object{"auctionId": t.auction(), "walletAddress": t.rich(t.stranger()), "amount": "2"}
}

// auctions makes a hold, an auction with an item, and a bid.
func (t *tenant) auctions() {
	t.things["wallet"] = t.Get("/api/users?userId=" + t.things["user"]).Data()[0]["walletAddress"].(string)
	t.things["hold"] = t.hold()
	t.things["auction"] = t.Post("/api/auctions", t.anAuction()).OK()["id"].(string)
	t.things["auction item"] = t.Get("/api/auctions/items?auctionId=" + t.things["auction"]).Data()[0]["id"].(string)
	t.things["bid"] = t.Post("/api/auction_bids", object{
		"auctionId": t.things["auction"], "walletAddress": t.rich(t.things["wallet"]), "amount": 3,
	}).OK()["id"].(string)
}

// aPageSection is the body that makes one, with each kind of part.
func (t *tenant) aPageSection() object {
	shown := []any{object{"websiteCollectionId": t.things["collection"]}}
	return object{
		"placement": "global", "durationStart": "2025-01-01T00:00:00Z", "itemsGrids": shown,
		"banner":         object{"websiteCollectionBanners": shown, "carousel": object{"carouselItems": []any{object{}}}},
		"discoveryItems": []any{object{"title": "Earn", "loyaltyRuleGroupId": t.things["section"]}},
	}
}

func (t *tenant) pageSection() string {
	return t.Post("/api/page_sections", t.aPageSection()).OK()["id"].(string)
}

// block makes the one block of the loyalty page.
func (t *tenant) block() string {
	body := object{"websitePageSections": []any{object{"type": "hero"}}}
	return t.Post("/api/loyalty/website_page_sections", body).Data()[0]["id"].(string)
}

// function makes a function with a run.
func (t *tenant) function() (id, run string) {
	made := t.Post("/api/stratus/functions", object{"name": "a function", "code": functionCode}).OK()["id"].(string)
	return made, t.Post("/api/stratus/functions/"+made+"/invoke", nil).OK()["data"].(object)["id"].(string)
}

// badge makes one, and gives it to the tenant's user.
func (t *tenant) badge() (id, user string) {
	id = t.CreateBadge()
	given := t.Post(apptest.BadgesPath+"/"+id+"/reward", object{"userId": t.things["user"]}).OK()
	return id, given["data"].(object)["id"].(string)
}

// payout makes a payout that has failed.
func (t *tenant) payout() string {
	rule := t.Rule(
		"check_in",
		object{
			"rewardType":  "token",
			"network":     "polygon",
			"tokenReward": object{"relayerId": apptest.UnknownID, "isNative": true},
		},
	)
	t.Complete(rule, object{"userId": t.things["user"]}).OK()
	t.App.Payouts.Driver = func(context.Context, payouts.Payout) (payouts.DriverResult, error) {
		return payouts.DriverResult{Status: payouts.Failed, Message: "Out of funds"}, nil
	}
	if err := t.App.Payouts.RunDue(context.Background()); err != nil {
		t.T.Fatal(err)
	}
	return t.Get("/api/loyalty/payouts?limit=1").Data()[0]["id"].(string)
}

// poll makes a poll with its question, which it returns.
func (t *tenant) poll() object {
	rule := t.Rule("poll", object{"loyaltyCurrencyId": t.things["currency"]})
	return t.Post("/api/loyalty/questions", object{"loyaltyRuleId": rule, "questionText": "Why?", "loyaltyQuestionAnswers": []object{{"text": "So"}, {"text": "No"}}}).
		OK()
}

// newcomer makes a user, referring a rule of type referred_user with somebody's code for it.
func (t *tenant) newcomer() string {
	return t.Post("/api/users/metadatas", object{"walletAddress": t.stranger()}).OK()["userId"].(string)
}

func (t *tenant) referring() (rule, code string) {
	rule = t.Rule("referred_user", object{"loyaltyCurrencyId": t.things["currency"]})
	return rule, t.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": t.stranger()}).OK()["id"].(string)
}

// subscription makes a subscription and a test event.
func (t *tenant) subscription() (id, event string) {
	id = t.Subscribe("", nil, "User")["id"].(string)
	event = t.Post("/api/stratus/subscriptions/"+id+"/test", nil).OK()["id"].(string)
	t.things["event of "+id] = event
	return id, event
}

// delegation makes one to the tenant's user.
func (t *tenant) delegation() string {
	body := object{"userId": t.things["user"], "delegatorWalletAddress": t.stranger()}
	return t.Post("/api/users/delegations", body).OK()["id"].(string)
}

// signed returns the body by which a wallet that nobody has named yet signs, for the tenant's user.
func (t *tenant) signed(path string) object {
	wallet := apptest.NewSigningWallet(byte(strangers.Add(1)))
	body := wallet.Connect(t.things["website"], t.Clock.Now())
	if path == "/api/users/delegations" {
		body = wallet.Delegate(t.things["website"], t.Clock.Now(), t.things["wallet"])
	}
	body["userId"] = t.things["user"]
	return body
}

// userAttribute makes an attribute of users.
func (t *tenant) userAttribute() string {
	body := object{"data": []any{object{"label": t.stranger()}}}
	return t.Post("/api/website_user_attributes", body).Data()[0]["id"].(string)
}

// attributeValue sets the attribute of the tenant's user.
func (t *tenant) attributeValue() string {
	t.Post("/api/website_user_attributes/values", visits["POST /api/website_user_attributes/values"].body(t))
	return t.Get("/api/website_user_attributes/values?userIds=" + t.things["user"]).Data()[0]["id"].(string)
}

// section makes a rule group, edit an edit of the first rule.
func (t *tenant) section() string {
	return t.Post("/api/loyalty/rule_groups/create", object{"name": "A section", "sortId": 7}).OK()["id"].(string)
}

func (t *tenant) currency() string {
	return t.Post("/api/loyalty/currencies", object{"name": "Silver", "symbol": "S", "decimals": 0}).OK()["id"].(string)
}

// waiting makes a lot that waits, in a currency of its own, and returns it with its account.
func (t *tenant) waiting() (lot, account string) {
	slow := t.Post("/api/loyalty/currencies", object{"name": "Slow", "symbol": "S", "decimals": 0, "pointsWaitHours": 24}).OK()["id"].(string)
	rule := t.Rule("external_rule", object{"interval": "unlimited", "loyaltyCurrencyId": slow})
	t.Complete(rule, object{"userId": t.things["user"]}).OK()
	entry := t.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()[0]
	return entry["metadata"].(object)["lotId"].(string), entry["loyaltyAccountId"].(string)
}

// transaction posts one for a stranger, with a key of its entry.
func (t *tenant) transaction(key string) string {
	entry := object{"amount": 1, "walletAddress": t.stranger(), "idempotencyKey": key}
	return t.Post("/api/loyalty/transactions", object{
		"description": "A gift", "loyaltyCurrencyId": t.things["currency"], "entries": []any{entry},
	}).OK()["id"].(string)
}

// chain makes one of a rule of its own.
func (t *tenant) chain() string {
	locked := t.Rule("check_in", object{"loyaltyCurrencyId": t.things["currency"]})
	made := t.Post("/api/loyalty/rule_chains", object{"name": "A chain", "loyaltyRuleId": locked, "loyaltyConditions": []any{object{"type": "rule", "loyaltyRuleId": t.things["rule"]}}}).
		OK()
	return made["data"].(object)["id"].(string)
}

// file announces one of the tenant's user.
func (t *tenant) file() string {
	body := object{"fileName": "a.png", "fileSize": 1, "userId": t.things["user"]}
	return t.Post("/api/assets", body).OK()["id"].(string)
}

func (t *tenant) apiKey() string {
	body := object{"roleType": "WEBSITE_CLIENT_API_KEY", "name": "A page"}
	return t.Post("/api/api_keys", body).OK()["id"].(string)
}

// role gives one to the tenant's user.
func (t *tenant) role(wallet string) string {
	body := object{"websiteUserRoles": []any{object{"roleType": "WEBSITE_ADMIN", "walletAddress": wallet}}}
	return t.Post("/api/website_user_roles", body).Data()[0]["id"].(string)
}

// multiplier gives one to the tenant's user.
func (t *tenant) multiplier(external string) string {
	return t.Post("/api/loyalty/multipliers", object{"userId": t.things["user"], "multiplier": 1, "externalIdentifier": external}).OK()["id"].(string)
}

func (t *tenant) edit() string {
	t.Post("/api/loyalty/rules/"+t.things["rule"], object{"description": t.stranger()}).OK()
	return t.Get("/api/loyalty/rule_edits?limit=1&loyaltyRuleId=" + t.things["rule"]).Data()[0]["id"].(string)
}

// key returns the tenant's key of a kind.
func (t *tenant) key(kind byte) string {
	return map[byte]string{'O': t.OrganizationAPIKey, 'W': t.WebsiteAPIKey, 'R': t.ReadOnlyAPIKey, 'C': t.ClientAPIKey, 'S': t.FunctionAPIKey}[kind]
}

// visitor is one call that is being put together.
type visitor struct {
	*tenant
	op    operation
	kind  byte // of the key
	id    string
	query url.Values
	body  object
}

// visit prepares a call that succeeds.
func (t *tenant) visit(op operation, kind byte) *visitor {
	v := &visitor{tenant: t, op: op, kind: kind, query: url.Values{}, id: t.things[op.visit.id]}
	// of something that may go or change
	if op.method == "DELETE" && op.visit.id != "" || op.method == "POST" && op.visit.client == nil && op.visit.id != "" {
		v.id = map[string]func() string{
			"rule": func() string {
				return t.Rule("check_in", object{"loyaltyCurrencyId": t.things["currency"]})
			},
			"section":          t.section,
			"chain":            t.chain,
			"multiplier":       func() string { return t.multiplier(t.stranger()) },
			"edit":             t.edit,
			"question":         func() string { return t.poll()["id"].(string) },
			"payout":           t.payout,
			"transaction":      func() string { return t.transaction(t.stranger()) },
			"lot":              func() string { lot, _ := t.waiting(); return lot },
			"currency":         t.currency,
			"file":             t.file,
			"api key":          t.apiKey,
			"contract":         func() string { return t.contract("A token") },
			"collection":       t.collection,
			"token claim":      t.tokenClaim,
			"minting contract": t.mintingContract,
			"minting asset":    t.mintingAsset,
			"mint":             t.mint,
			"hold":             t.hold,
			"auction":          t.auction,
			"page section":     t.pageSection,
			"website":          func() string { return t.things["website"] },
			"subscription":     func() string { id, _ := t.subscription(); return id },
			"function":         func() string { id, _ := t.function(); return id },
			"badge":            func() string { id, _ := t.badge(); return id },
			"user attribute":   t.userAttribute,
			"delegation":       t.delegation,
			"badge user":       func() string { _, user := t.badge(); return user },
		}[op.visit.id]()
	}
	for _, p := range op.places {
		if p.required && p.in == "query" {
			v.query.Set(p.name, t.things[idKinds[p.name]])
		}
	}
	if strings.HasSuffix(op.path, "/eligibility") || strings.HasSuffix(op.path, "/proof") {
		v.query.Set("walletAddress", t.things["wallet"])
	}
	if op.method+op.path == "GET/api/page_sections" {
		v.query.Set("placement", "global") // an enumeration is no place of the walk
	}
	if op.method+op.path == "GET/api/minting/token_gate" {
		for name, text := range map[string]string{"network": "base", "tokenId": "7", "collectionAddress": apptest.Alice} {
			v.query.Set(name, text)
		}
	}
	if op.visit.query != nil {
		for name, value := range op.visit.query(t) {
			v.query.Set(name, value.(string))
		}
	}
	if strings.HasSuffix(op.path, "/connect") && kind == 'C' { // the state names the user, whose token it needs
		t.token = t.Token(t.things["wallet"])
	}
	if op.visit.body != nil {
		v.body = op.visit.body(t)
		if kind == 'O' && op.path != "/api/websites" {
			v.body["websiteId"] = t.things["website"] // an organization may have several
		}
	}
	if kind == 'C' && op.visit.member {
		t.token = t.Post("/api/users/tokens", object{"userId": t.things["user"], "expiresInSeconds": 86400}).OK()["token"].(string)
		switch {
		case v.body["walletType"] != nil || v.body["delegatorWalletAddress"] != nil:
			v.body = t.signed(op.path)
		case v.body["txHash"] != nil: // names its user by wallet alone
		case v.body["accountLinkData"] != nil:
			user, _ := laurel.ParseID(t.things["user"])
			v.body = object{"userId": t.things["user"], "accountLinkData": accountLink(t.Server, t.stranger(), identity.Ref{UserID: user})}
		case v.body["userIds"] != nil:
			v.body["userIds"] = []any{t.things["user"]}
		case v.body != nil:
			delete(v.body, "walletAddress")
			v.body["userId"] = t.things["user"]
		default:
			v.query.Set("userId", t.things["user"])
		}
	}
	if kind == 'C' && op.visit.client != nil {
		v.id = op.visit.client(t)
	}
	return v
}

// set puts a value at a place of the call.
func (v *visitor) set(p place, value any) {
	switch p.in {
	case "path":
		v.id = value.(string)
	case "query":
		v.query.Set(p.name, value.(string))
		if p.name == "userCompletedLoyaltyRuleId" { // needs a user
			v.query.Set("userId", v.things["user"])
		}
	default:
		var at any = v.body
		parts := strings.Split(p.name, ".")
		for i, part := range parts {
			last := i == len(parts)-1
			switch in := at.(type) {
			case object:
				switch {
				case last:
					in[part] = value
				case in[part] == nil && parts[i+1] == "0" && i+2 < len(parts):
					in[part] = []any{object{}}
				case in[part] == nil && parts[i+1] == "0":
					in[part] = []any{value}
				case in[part] == nil:
					in[part] = object{}
				}
				at = in[part]
			case []any:
				if n, _ := strconv.Atoi(part); last {
					in[n] = value
				} else {
					at = in[n]
				}
			}
		}
	}
}

// path is the call's, with its ids.
func (v *visitor) path() string {
	path := strings.NewReplacer("{id}", v.id, "{authType}", v.op.visit.auth).Replace(v.op.path)
	return strings.Replace(path, "{eventId}", cmp.Or(v.things["event of "+v.id], v.things["event"]), 1)
}

func (v *visitor) send(key string, headers ...string) apptest.Response {
	v.T.Helper()
	path := v.path()
	if len(v.query) > 0 {
		path += "?" + v.query.Encode()
	}
	var body any
	if v.body != nil {
		body = v.body
	}
	return v.Call(key, v.op.method, path, body, append(headers, "Authorization", "Bearer "+v.token)...)
}

// operation is one of the document.
type operation struct {
	method, path string
	visit        visit
	places       []place
}

// place is somewhere a call names a thing: an id, or a text of names.
type place struct {
	in, name string // path, query or body; the dotted name
	kind     string // of the thing; empty for texts
	required bool
}

func (p place) last() string {
	parts := strings.Split(p.name, ".")
	if last := parts[len(parts)-1]; last != "0" {
		return last
	}
	return parts[len(parts)-2]
}

// operations reads /openapi.json. Whatever it cannot place fails the test.
func operations(s *apptest.Server) []operation {
	s.T.Helper()
	document := s.OpenAPI()
	var found []operation
	visited := map[string]bool{}
	for path, methods := range document["paths"].(object) {
		for method, described := range methods.(object) {
			op := operation{method: strings.ToUpper(method), path: path}
			name := op.method + " " + path
			var known bool
			if op.visit, known = visits[name]; !known {
				s.T.Errorf("%s: declare in visits who may call it and how it succeeds", name)
				continue
			}
			visited[name] = true
			d := described.(object)
			for _, p := range items(d["parameters"]) {
				if p.(object)["$ref"] == nil { // a header that all have
					op.parameter(s.T, p.(object))
				}
			}
			if body, ok := d["requestBody"].(object); ok {
				op.properties(s.T, document, body["content"].(object)["application/json"].(object)["schema"], "")
			}
			found = append(found, op)
		}
	}
	for name := range visits {
		if !visited[name] {
			s.T.Errorf("%s is in visits but not in the document", name)
		}
	}
	slices.SortFunc(found, func(a, b operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return found
}

func items(v any) []any { l, _ := v.([]any); return l }

func (op *operation) parameter(t testing.TB, p object) {
	t.Helper()
	name, in, schema := p["name"].(string), p["in"].(string), p["schema"].(object)
	if items, ok := schema["items"].(object); ok {
		schema = items
	}
	required, _ := p["required"].(bool)
	switch {
	case in == "path" && schema["enum"] == nil:
		if op.visit.id == "" {
			t.Errorf("%s %s: declare in visits what {%s} names", op.method, op.path, name)
		}
		op.places = append(op.places, place{in, name, op.visit.id, true})
	case in == "query" && name == "code": // of a flow, which the state names already
	case in == "header" || schema["enum"] != nil || schema["type"] != "string" || schema["format"] == "date-time":
	case schema["format"] == "uuid":
		kind := idKinds[name]
		if kind == "cursor" {
			kind = op.visit.cursor
		}
		if kind == "" {
			t.Errorf("%s %s: declare in idKinds what %s names", op.method, op.path, name)
		}
		op.places = append(op.places, place{in, name, kind, required})
	case names[name] == "":
		t.Errorf("%s %s: declare in names a text for %s", op.method, op.path, name)
	default:
		op.places = append(op.places, place{in: in, name: name})
	}
}

func (op *operation) properties(t testing.TB, document object, s any, path string) {
	t.Helper()
	schema, _ := s.(object)
	if ref, ok := schema["$ref"].(string); ok {
		schema = document["components"].(object)["schemas"].(object)[ref[strings.LastIndexByte(ref, '/')+1:]].(object)
	}
	for _, form := range items(schema["oneOf"]) {
		if form.(object)["$ref"] != nil {
			op.properties(t, document, form, path)
		}
	}
	p := place{in: "body", name: path}
	switch {
	case path != "" && ofText(schema) && idKinds[p.last()] != "": // an id, or something else beside ids
		p.kind = idKinds[p.last()]
		op.places = append(op.places, p)
	case path != "" && ofText(schema) && namesIDs.MatchString(p.last()) && names[p.last()] == "" && !slices.Contains(foreignIDs, p.last()):
		t.Errorf("%s %s: declare in idKinds or foreignIDs what %s of the body names", op.method, op.path, path)
	case schema["format"] == "uuid":
		if p.kind = cmp.Or(ownIDs[op.method+" "+op.path+" "+path], idKinds[p.last()]); p.kind == "" {
			t.Errorf("%s %s: declare in idKinds what %s of the body names", op.method, op.path, path)
		}
		op.places = append(op.places, p)
	case schema["properties"] != nil:
		for name, property := range schema["properties"].(object) {
			op.properties(t, document, property, strings.TrimPrefix(path+"."+name, "."))
		}
	case schema["items"] != nil:
		op.properties(t, document, schema["items"], path+".0")
	case path != "" && names[p.last()] != "":
		op.places = append(op.places, p)
	}
}
