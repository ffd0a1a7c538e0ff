package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
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

// route is one operation.
type route struct {
	method, path, summary string
	keys                  string   // the kinds of keys that may call it: O, W, R, C, S
	secrets               []string // paths of the answer that are never kept, and so never replayed
	idName                string   // the name of {id} in messages; empty: id
	forMember             bool     // it names users: a publishable key shows the token of the member
	invalid               string   // the message of every invalid body; empty: the first problem
	input, output         reflect.Type
	register              func(huma.API, huma.Operation)
}

// option changes a route.
type option func(*route)

// secret names what of the answer is left out of replays (contract 1.8.1): fields, or paths to inner ones, through
// every item of a list.
func secret(paths ...string) option { return func(rt *route) { rt.secrets = paths } }

// Where the secrets of rules stand in answers that tell a rule, or a group with its rules.
const (
	ruleSecret  = "metadata." + schema.RewardsKey
	groupSecret = "loyaltyGroupItems.loyaltyRule." + ruleSecret
)

// forMember marks an operation that acts for users whom the body names (contract 1.2).
func forMember(rt *route) { rt.forMember = true }

// ofRule names the path's {id} in the message of a malformed one as completions do.
func ofRule(rt *route) { rt.idName = "loyaltyRuleId" }

// invalidAs sets the message of every invalid body; the answer's errors tell the problems.
func invalidAs(message string) option { return func(rt *route) { rt.invalid = message } }

func get[I, O any](path, keys, summary string, h handler[I, O], options ...option) route {
	return operation(http.MethodGet, path, h, about(keys, summary, options))
}

func post[I, O any](path, keys, summary string, h handler[I, O], options ...option) route {
	return operation(http.MethodPost, path, h, about(keys, summary, options))
}

func del[I, O any](path, keys, summary string, h handler[I, O], options ...option) route {
	return operation(http.MethodDelete, path, h, about(keys, summary, options))
}

// handler shapes one call: the input is read and checked for form, the answer is what goes out.
type handler[I, O any] = func(context.Context, *I) (*O, error)

func about(keys, summary string, options []option) option {
	return func(rt *route) {
		rt.keys, rt.summary = keys, summary
		for _, o := range options {
			o(rt)
		}
	}
}

func operation[I, O any](method, path string, h handler[I, O], set option) route {
	rt := route{method: method, path: path, input: reflect.TypeFor[I](), output: reflect.TypeFor[O]()}
	rt.register = func(api huma.API, op huma.Operation) { huma.Register(api, op, watched(h)) }
	set(&rt)
	return rt
}

// watched runs the handler unless query or body showed problems, which huma does not see, and keeps its error for
// Idempotency-Key.
func watched[I, O any](h handler[I, O]) handler[I, O] {
	return func(ctx context.Context, in *I) (*O, error) {
		r := requestOf(ctx)
		if r.err = r.problems(slices.Clone(r.faults)); r.err != nil {
			return nil, r.err
		}
		var out *O
		out, r.err = h(ctx, in)
		return out, r.err
	}
}

// letters are the short names of key kinds (contract 1.2).
var letters = map[laurel.Role]string{
	laurel.RoleOrganization: "O",
	laurel.RoleWebsite:      "W",
	laurel.RoleReadOnly:     "R",
	laurel.RoleClient:       "C",
	laurel.RoleFunction:     "S",
}

// admits tells whether keys of the role may call the operation. Errors: Forbidden.
func (rt *route) admits(role laurel.Role) error {
	if letter := letters[role]; letter != "" && strings.Contains(rt.keys, letter) {
		return nil
	}
	if role == laurel.RoleReadOnly && rt.method != http.MethodGet {
		return errKeyReadOnly
	}
	return errKeyKind
}

// ids lists the path parameters that are ids.
func (rt *route) ids() []string {
	var names []string
	for part := range strings.SplitSeq(rt.path, "/") {
		name := strings.Trim(part, "{}")
		if name != part && (name == "id" || strings.HasSuffix(name, "Id")) {
			names = append(names, name)
		}
	}
	return names
}

// label is the name of a path parameter in messages.
func (rt *route) label(name string) string {
	if name == "id" && rt.idName != "" {
		return rt.idName
	}
	return name
}
