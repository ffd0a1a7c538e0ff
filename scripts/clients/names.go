package main

import (
	"slices"
	"strings"
	"unicode"
)

// areaNames are the names of areas whose tag would give another one.
var areaNames = map[string]string{
	"{authType}":                  "connections",
	"loyalty questions responses": "questionResponses",
	"minting status":              "mints",
	"referral codes":              "referralCodes",
	"referral users":              "referrals",
}

// operationName is the area and the name of an operation in the clients.
type operationName struct{ area, method string }

// operationNames are the names of operations to which the rules of nameOf would give worse ones, or none of their own.
var operationNames = map[string]operationName{
	"deleteLoyaltyMultipliers":            {"multipliers", "deleteByExternalIdentifier"},
	"deleteWebsiteUserAttributes":         {"websiteUserAttributes", "deleteByLabel"},
	"getLoyaltyRulesStatus":               {"rules", "listCompletions"},
	"getMintingTokenGate":                 {"mintingAssets", "checkTokenGate"},
	"getTokenClaimsIdEligibility":         {"tokenClaims", "checkEligibility"},
	"getUsersCount":                       {"users", "count"},
	"getUsersMe":                          {"users", "me"},
	"getUsersMetadatas":                   {"users", "listMetadata"},
	"getUsersMetadatasId":                 {"users", "getMetadata"},
	"getAuthTypeAuth":                     {"connections", "start"},
	"getAuthTypeAuthConnect":              {"connections", "connect"},
	"deleteAuthTypeAuth":                  {"connections", "disconnect"},
	"postAuctionsIdItems":                 {"auctions", "addItems"},
	"postLoyaltyQuestionsResponses":       {"questionResponses", "respond"},
	"postLoyaltyReset":                    {"currencies", "reset"},
	"postLoyaltyRuleStatuses":             {"ruleStatuses", "write"},
	"postLoyaltyTransactionsReverse":      {"transactions", "reverseByKey"},
	"postLoyaltyWebsitePageSections":      {"websitePageSections", "arrange"},
	"postMintingAssetsAllowlist":          {"mintingAssets", "writeAllowlist"},
	"postMintingStatusId":                 {"mints", "report"},
	"postPhoneAuth":                       {"phone", "sendCode"},
	"postPhoneAuthConnect":                {"phone", "connect"},
	"postPhoneAuthDisconnect":             {"phone", "disconnect"},
	"postPhoneVerifications":              {"phoneVerifications", "sendCode"},
	"postUsersDelegations":                {"users", "delegate"},
	"postUsersDevices":                    {"users", "storeDevice"},
	"postUsersMetadatas":                  {"users", "writeMetadata"},
	"postUsersVerify":                     {"users", "moveAccount"},
	"postWebsiteUserAttributes":           {"websiteUserAttributes", "write"},
	"postWebsiteUserAttributesValues":     {"websiteUserAttributes", "setValues"},
	"postWebsiteUserRoles":                {"websiteUserRoles", "change"},
	"postLoyaltyBadgesIdReward":           {"badges", "grant"},
	"postLoyaltyTransactions":             {"transactions", "post"},
	"postStratusSubscriptionsIdTest":      {"subscriptions", "sendTest"},
	"getLoyaltyAccountsIdExpiring":        {"accounts", "listExpiring"},
	"getLoyaltyCurrenciesIdExternalPosts": {"currencies", "listExternalPosts"},
}

// recordNames are the names of types whose schema has one that says too little on its own.
var recordNames = map[string]string{
	"CompletionBodyDataStruct":       "CompletionData",
	"CreateBody":                     "CreateSubscriptionBody",
	"DomainStruct":                   "TONProofDomain",
	"Input":                          "ConditionInput",
	"Item":                           "AttributeInput",
	"ReferralItemReferralCodeStruct": "ReferralItemCode",
	"ReferrerReferralCodeStruct":     "ReferrerCode",
	"TONProofProofStruct":            "TONProofProof",
	"UpdateInputBody":                "UpdateSubscriptionBody",
}

// families are the first words of tags that say nothing beside the others.
var families = []string{"loyalty", "stratus", "referral"}

// grouped are the first segments of paths that have a second one before the things that they hold.
var grouped = []string{"loyalty", "minting", "stratus", "referral"}

// nameOf returns the area and the name of an operation: of GET /api/users users.list, of POST
// /api/loyalty/rules/{id}/complete rules.complete.
func nameOf(c call, isList bool) operationName {
	if name, ok := operationNames[c.OperationID]; ok {
		return name
	}
	area := ""
	if len(c.Tags) > 0 {
		area = areaOf(c.Tags[0])
	}
	segments := strings.Split(strings.TrimPrefix(c.path, "/api/"), "/")
	base := 1
	if slices.Contains(grouped, segments[0]) {
		base = 2
	}
	return operationName{area, methodOf(c.method, segments[min(base, len(segments)):], isList)}
}

// areaOf returns the name of the area of a tag: of "loyalty rule chains" ruleChains.
func areaOf(tag string) string {
	if name, ok := areaNames[tag]; ok {
		return name
	}
	words := strings.Fields(tag)
	if len(words) > 1 && slices.Contains(families, words[0]) {
		words = words[1:]
	}
	return camel(strings.Join(words, " "))
}

// methodOf returns the name of an operation by what follows the path of its area.
func methodOf(method string, rest []string, isList bool) string {
	endsInID := len(rest) > 0 && strings.HasPrefix(rest[len(rest)-1], "{")
	words := []string{}
	for _, segment := range rest {
		if !strings.HasPrefix(segment, "{") {
			words = append(words, segment)
		}
	}
	noun := ""
	if len(words) > 0 {
		noun = pascal(strings.Join(words, " "))
	}
	if endsInID && noun != "" {
		noun = singular(noun)
	}
	switch {
	case method == "GET" && isList:
		return "list" + noun
	case method == "GET":
		return "get" + noun
	case method == "DELETE":
		return "delete" + noun
	case noun == "" && endsInID:
		return "update"
	case noun == "":
		return "create"
	case endsInID:
		return "update" + noun
	case len(words) > 1: // events/{eventId}/redeliver, tokens/revoke: the last word is the verb
		return camel(words[len(words)-1] + " " + nounOf(words[:len(words)-1], rest))
	case len(rest) == 1 && strings.HasSuffix(words[0], "s"): // users/tokens
		return "create" + singular(noun)
	}
	return camel(words[0])
}

// nounOf returns the noun before a verb of a path: one thing, if its id follows it.
func nounOf(words, rest []string) string {
	noun := strings.Join(words, " ")
	if strings.HasPrefix(rest[len(rest)-2], "{") {
		return singular(noun)
	}
	return noun
}

func singular(noun string) string {
	if strings.HasSuffix(noun, "ies") {
		return strings.TrimSuffix(noun, "ies") + "y"
	}
	return strings.TrimSuffix(noun, "s")
}

// wordsOf parts a name at its capitals, underscores and spaces: of loyaltyRuleId loyalty, Rule, Id.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words, word = append(words, string(word)), nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// pascal returns a name with a capital for each word, and camel one that begins with a small letter.
func pascal(name string) string {
	out := ""
	for _, word := range wordsOf(name) {
		out += strings.ToUpper(word[:1]) + word[1:]
	}
	return out
}

func camel(name string) string {
	out := pascal(name)
	if out == "" {
		return ""
	}
	return strings.ToLower(out[:1]) + out[1:]
}

// initials are the words that Go writes in capitals.
var initials = strings.Fields("abi amm api csv evm html http https id ip json nft sms tls ton ui uri url uuid")

// goName returns the exported name in Go of a property or parameter: of loyaltyRuleId LoyaltyRuleID.
func goName(name string) string {
	out := ""
	for _, word := range wordsOf(name) {
		lower := strings.ToLower(word)
		switch {
		case slices.Contains(initials, lower):
			out += strings.ToUpper(word)
		case strings.HasSuffix(lower, "s") && slices.Contains(initials, strings.TrimSuffix(lower, "s")):
			out += strings.ToUpper(word[:len(word)-1]) + "s"
		default:
			out += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	if out != "" && unicode.IsDigit(rune(out[0])) {
		return "N" + out
	}
	return out
}
