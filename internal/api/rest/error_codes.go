package rest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// Codes of errors that no message decides (contract 1.11).
const (
	codeInvalid     = "invalid_request"
	codeMalformed   = "malformed_json"
	codeRefused     = "refused"
	codeForbidden   = "forbidden"
	codeNotFound    = "not_found"
	codeRateLimited = "rate_limited"
	codeUnavailable = "service_unavailable"
	codeUnanswered  = "provider_unavailable"
	codeInternal    = "internal_error"
)

// codesOfKinds are the codes of errors whose message has none of its own: what functions and platforms say, and what
// only the kind of the error decides.
var codesOfKinds = map[laurel.Code]string{
	laurel.Internal:    codeInternal,
	laurel.Invalid:     codeInvalid,
	laurel.Refused:     codeRefused,
	laurel.Forbidden:   codeForbidden,
	laurel.NotFound:    codeNotFound,
	laurel.RateLimited: codeRateLimited,
	laurel.Unavailable: codeUnavailable,
	laurel.Unanswered:  codeUnanswered,
}

// anyText stands in a message for a text that differs: a name, a number.
const anyText = "…"

// messageCode names a message that callers see, for programs. A code never changes its meaning.
type messageCode struct{ code, message string }

// messageCodes are the codes of refusals (contract 1.11), by area. Not found … is derived from the thing, see
// missingCode.
var messageCodes = []messageCode{
	// keys and requests (1.2 to 1.9)
	{"api_key_required", "API key is required"},
	{"api_key_invalid", "Invalid API key"},
	{"api_key_read_only", "API key is read-only"},
	{"operation_not_allowed", "API key is not allowed to perform this operation"},
	{"foreign_organization", "API key does not have access to this organization"},
	{"foreign_website", "API key does not have access to this website"},
	{"member_token_required", "Member token is required"},
	{"foreign_member_token", "Member token does not belong to this user"},
	{"secret_key_required", "Only a secret key can report failed"},
	{"method_not_allowed", "Method not allowed"},
	{"body_too_large", "Request body too large"},
	{"unsupported_media_type", "Content-Type must be application/json"},
	{"unsupported_encoding", "Content-Encoding must be identity: send the body uncompressed"},
	{"precondition_not_supported", "If-Match names a version, and an upload creates a file"},
	{"record_changed", "Record was changed meanwhile"},
	{"idempotency_key_reused", "Idempotency-Key was already used with a different request"},
	{"limit_reached", "Website has … already"},
	{"limit_reached", "Organization has … already"},

	// completions (5.1)
	{"already_rewarded", "You have already been rewarded"},
	{"amount_not_allowed", "Only external rules can have amount override"},
	{"idempotency_key_not_allowed", "Only external rules can have idempotency key override"},
	{"secret_key_required", "Api key is required to skip chain or required check"},
	{"rule_not_set_up", "Rule is not setup"},
	{"rule_not_set_up", "Rule is not setup: …"},
	{"quest_not_completed", "Quest not completed"},
	{"quest_not_achieved", "Quest not achieved, please try again."},
	{"rule_not_started", "Loyalty rule has not started yet"},
	{"rule_not_started", "Loyalty rule … has not started yet"},
	{"rule_expired", "Loyalty rule has expired"},
	{"account_blocked", "Access restricted. Your account is blocked."},
	{"not_on_list", "Access restricted. Your account is not on the list."},
	{"new_users_only", "this quest is only available for new users"},
	{"check_in_amount_zero", "Check-in amount rule cannot be completed when amount is 0"},
	{"required_rules_open", "Please complete other required rules to unlock this quest."},
	{"code_wrong", "The code you entered could not be verified"},
	{"verification_failed", "Invalid Verification, try again"},
	{"click_in_progress", "Link already clicked, your reward is being processed"},
	{"completion_in_progress", "Another completion request for this rule is still in the queue"},
	{"account_not_connected", "… not connected"},
	{"phone_not_verified", "Phone not connected or not verified"},
	{"email_not_verified", "Email not verified"},
	{"email_not_connected", "Email not connected or not verified"},
	{"choice_missing", "No choice selected"},
	{"choice_wrong", "Invalid choice selected"},
	{"no_wallet", "User has no wallet address"},
	{"content_url_required", "Connect your … account or provide a content url"},
	{"comment_link_required", "Comment link is required"},
	{"account_used_by_another", "The same … account was already used by another user"},
	{"post_claimed", "Post already claimed"},
	{"post_too_old", "Post was made before the rule started"},
	{"post_of_another", "Post was made by another account"},
	{"post_without_media", "Post has no media"},
	{"token_hold_points", "Claim on token hold is supported only for multipliers"},
	{"token_hold_sales", "Claim on token hold is not supported for paid full royalty or native purchases"},
	{"token_hold_network", "Claim on token hold is not supported for …"},
	{"reward_failed", "The reward could not be given, please try again"},

	// rules and chains
	{"edit_not_restorable", "A create edit cannot be restored"},
	{"limit_reached", "Loyalty rule has … chains already"},
	{"rule_chain_cycle", "Rule chain has a cycle"},
	{"rule_being_cleared", "Loyalty rule is still being cleared"},
	{"order_changed", "Somebody else has changed the groups or their order meanwhile"},
	{"order_changed", "Somebody else has changed the rules of the group meanwhile"},
	{"order_changed", "Somebody else has changed the order meanwhile"},
	{"too_many_to_order", "More than … sections cannot be put into an order here"},
	{"too_many_to_order", "More than … groups cannot be put into an order here"},
	{"too_many_members", "More than … members completed the rule then. Choose a shorter period"},
	{"too_many_replays", "… replays are under way. Try again when one has ended"},

	// points
	{"insufficient_balance", "Insufficient balance"},
	{"idempotency_key_used", "Idempotency key already used"},
	{"already_reversed", "Transaction was already reversed"},
	{"not_reversible", "Transaction cannot be reversed: …"},
	{"balance_kept_outside", "Balances of this currency are kept outside"},
	{"currencies_cannot_mix", "A currency that is kept outside cannot share a transaction with another one"},
	{"token_currency_fixed", "Currencies of token rewards cannot be changed"},
	{"lot_not_pending", "Lot is not pending"},
	{"payout_not_failed", "Payout has not failed"},
	{"post_over", "Post is over"},
	{"hold_final", "Hold is already final"},
	{"entry_not_sealed", "entry … is not sealed yet; a running server seals it within seconds"},

	// engagement
	{"badge_reward_cycle", "Badge rewards form a cycle"},
	{"badge_reward_depth", "Badge rewards may lead to at most …"},
	{"multiplier_exists", "Multiplier already exists"},
	{"limit_reached", "A user may have at most … multipliers"},
	{"rule_type_not_allowed", "Loyalty rule must be of type quiz or poll"},
	{"question_exists", "Question already exists"},
	{"question_answered", "An answered question cannot be deleted"},
	{"choice_answered", "An answered choice cannot be removed"},
	{"referral_code_taken", "Referral code is already taken"},
	{"self_referral", "Users cannot refer themselves"},
	{"referral_loop", "Referral loop is not allowed"},
	{"already_referred", "User was already referred"},

	// members and identity
	{"signature_required", "Signature is required"},
	{"signature_invalid", "Invalid signature"},
	{"signature_expired", "Signature has expired"},
	{"wallet_type_not_supported", "Wallet type is not supported"},
	{"self_delegation", "Wallets cannot delegate to themselves"},
	{"limit_reached", "User has … already"},
	{"connects_by_redirect", "… connects by redirect"},
	{"provider_not_configured", "… is not configured"},
	{"redirect_not_allowed", "redirect is not allowed"},
	{"account_of_another", "… account is already connected to another user"},
	{"user_in_other_group", "User is already connected to another group"},
	{"user_not_verified", "User is not verified"},
	{"user_not_connected", "User is not connected"},
	{"attribute_exists", "User attribute already exists"},
	{"account_link_invalid", "Invalid account link"},
	{"account_link_expired", "Account link has expired"},
	{"foreign_account_link", "Account link belongs to another user"},
	{"terms_in_future", "Terms cannot be signed in the future"},

	// minting, auctions, token claims
	{"asset_not_listed", "Asset is not listed"},
	{"minting_not_started", "Minting has not started yet"},
	{"minting_ended", "Minting has ended"},
	{"not_on_allowlist", "Wallet is not on the allowlist"},
	{"allowlist_exceeded", "Allowlist quantity exceeded"},
	{"mint_limit_reached", "Mint limit per user reached"},
	{"email_required", "Email is required"},
	{"information_required", "Additional information is required"},
	{"minting_not_configured", "Minting is not configured"},
	{"token_required", "You must own a token of the required collections"},
	{"badge_required", "You must hold the required badge"},
	{"mint_final", "Mint is already final"},
	{"sold_out", "Not enough quantity left"},
	{"auction_not_started", "Auction has not started yet"},
	{"auction_ended", "Auction has ended"},
	{"auction_cancelled", "Auction is cancelled"},
	{"auction_not_ended", "Auction has not ended yet"},
	{"auction_has_bids", "Auction has bids"},
	{"bid_too_low", "Bid must be at least …"},
	{"claim_not_started", "Token claim has not started yet"},
	{"claim_ended", "Token claim has ended"},
	{"already_claimed", "Already claimed"},
	{"no_allocation", "Wallet has no allocation"},
	{"claim_frozen", "Token claim has claims already"},
	{"contract_in_use", "Contract is used by a rule"},
	{"contract_exists", "Contract already exists"},

	// websites, files, subscriptions, functions
	{"collection_exists", "Collection already exists"},
	{"quota_exceeded", "The files of this … may have at most … bytes in all"},
	{"upload_expired", "Upload address has expired"},
	{"upload_used", "Upload address was already used"},
	{"wrong_file_size", "File must have exactly … bytes"},
	{codeInvalid, "Exactly one of blockchainSubscriptions and platformSubscriptions is required"},
	{"too_many_events", "More than … events would be sent again. Choose a shorter range"},
	{"subscription_disabled", "The subscription is disabled. Enable it first"},
	{"function_disabled", "Function is disabled"},
}

// missingThings are the things of "… not found".
var missingThings = []string{
	"API key", "Account", "Admin", "Asset", "Auction", "Auction item", "Badge", "Badge user", "Bid", "Collection",
	"Comment", "Consumer", "Contract", "Data job", "Delegation", "Event", "File", "Follow", "Function", "Function version", "Hold",
	"Invitation", "Job", "List", "Lot", "Loyalty currency", "Loyalty rule", "Loyalty rule group", "Mint", "Minting contract",
	"Multiplier", "Organization", "Page section", "Payout", "Post", "Question", "Question choice", "Referral code",
	"Replay", "Repost", "Role", "Route", "Rule chain", "Rule edit", "Subscription", "Text", "Token claim",
	"Transaction", "Upload", "User", "User attribute", "User attribute value", "User group", "User metadata", "Website",
	"Website page section",
}

// missingCode returns the code of "<thing> not found": rule_not_found for "Loyalty rule".
func missingCode(thing string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(thing, "Loyalty ")), " ", "_") + "_not_found"
}

// codesByMessage and codePatterns hold messageCodes and missingThings for codeOfMessage: messages that are always the
// same, and those with anyText.
var codesByMessage, codePatterns = indexCodes()

type codePattern struct {
	code    string
	message *regexp.Regexp
}

func indexCodes() (exact map[string]string, patterns []codePattern) {
	exact = map[string]string{}
	for _, m := range messageCodes {
		if strings.Contains(m.message, anyText) {
			patterns = append(patterns, codePattern{m.code, patternOf(m.message, "$")})
		} else {
			exact[m.message] = m.code
		}
	}
	for _, thing := range missingThings {
		exact[thing+" not found"] = missingCode(thing)
	}
	return exact, patterns
}

// patternOf returns the expression for a message, in which anyText stands for one character or more.
func patternOf(message, end string) *regexp.Regexp {
	return regexp.MustCompile("(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(message), anyText, ".+") + end)
}

// codeOfMessage returns the code of a refusal's message; "" if it has none of its own.
func codeOfMessage(message string) string {
	if code, ok := codesByMessage[message]; ok {
		return code
	}
	for _, p := range codePatterns {
		if p.message.MatchString(message) {
			return p.code
		}
	}
	return ""
}

// codeOf returns the code of an error. Faults of an input are always invalid_request, also where the text of one is a
// refusal elsewhere.
func codeOf(e *laurel.Error) string {
	if len(e.Faults) == 0 && (e.Code == laurel.Refused || e.Code == laurel.Forbidden || e.Code == laurel.NotFound) {
		if code := codeOfMessage(e.Message); code != "" {
			return code
		}
	}
	return codesOfKinds[e.Code]
}

// codeOfStatus returns the code of a response with the given status and message.
func codeOfStatus(status int, message string) string {
	if code := codeOfMessage(message); code != "" {
		return code
	}
	switch status {
	case http.StatusForbidden:
		return codeForbidden
	case http.StatusNotFound:
		return codeNotFound
	}
	return codeInvalid
}

// problemCodes are the codes of the problems of an input (contract 1.11), by what their texts begin with behind the
// path. The first that fits counts.
var problemCodes = []struct{ code, text string }{
	{"required", "is required"},
	{"not_a_uuid", "must be a uuid"},
	{"not_a_number", "must be a number"},
	{"not_an_integer", "must be an integer"},
	{"not_a_boolean", "must be a boolean"},
	{"not_a_boolean", "must be true or false"},
	{"not_a_string", "must be a string"},
	{"not_a_string", "must be a text"},
	{"invalid_text", "must be valid text without NUL"},
	{"invalid_text", "must not contain NUL characters"},
	{"not_an_array", "must be an array"},
	{"not_an_object", "must be an object"},
	{"not_an_object", "must be a JSON object"},
	{"not_a_url", "must be a valid url"},
	{"not_an_email_address", "must be a valid email address"},
	{"not_an_email_address", "must be an email address"},
	{"not_a_date_time", "must be an ISO 8601 date-time"},
	{"not_one_of", "must be one of: "},
	{codeOutOfRange, "must be between "},
	{codeOutOfRange, "must be at least "},
	{codeOutOfRange, "must be at most "},
	{codeOutOfRange, "must be greater than "},
	{codeOutOfRange, "must be less than "},
	{codeOutOfRange, "must not be negative"},
	{codeItemCount, "must have at most "},
	{codeItemCount, "must have at least "},
	{codeItemCount, "must have between "},
	{codeItemCount, "must have exactly "},
	{"duplicate", "must be distinct"},
	{"duplicate", "must have unique items"},
	{"duplicate", "is there twice"},
	{"unknown_property", "is not a known property"},
	{"unknown_parameter", "is not a known parameter"},
	{"not_allowed", "cannot "},
	{"not_allowed", "must not "},
	{"out_of_order", "must be after "},
	{"out_of_order", "must be before "},
}

// Codes of problems that not only the beginning of their text decides. No text of problemCodes fits codeOtherProblem.
const (
	codeOutOfRange    = "out_of_range"
	codeItemCount     = "wrong_item_count"
	codeLength        = "wrong_length"
	codeDecimalPlaces = "too_many_decimal_places"
	codeOtherProblem  = "invalid"
)

// lengthUnits end the texts of problems that are about the length of a text.
var lengthUnits = []string{" characters", " character", " bytes"}

// codeOfProblem returns the code of one problem of an input.
func codeOfProblem(f laurel.Fault) string {
	problem := strings.TrimPrefix(f.Message, f.Path+" ")
	for _, p := range problemCodes {
		if strings.HasPrefix(problem, p.text) {
			isLength := slices.ContainsFunc(lengthUnits, func(unit string) bool { return strings.HasSuffix(problem, unit) })
			switch {
			case isLength && (p.code == codeOutOfRange || p.code == codeItemCount):
				return codeLength
			case p.code == codeItemCount && strings.HasSuffix(problem, " decimal places"):
				return codeDecimalPlaces
			}
			return p.code
		}
	}
	switch {
	case strings.HasSuffix(f.Message, " is required"): // one of several
		return "required"
	case strings.HasSuffix(f.Message, " not found"):
		return codeNotFound
	case problem == msgMalformed:
		return codeMalformed
	}
	return codeOtherProblem
}

// errorCodes returns every code of an error, in alphabetical order, for the document.
func errorCodes() []string {
	out := []string{codeMalformed}
	for _, code := range codesOfKinds {
		out = append(out, code)
	}
	for _, m := range messageCodes {
		out = append(out, m.code)
	}
	for _, thing := range missingThings {
		out = append(out, missingCode(thing))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// faultCodes returns every code of a problem of an input, in alphabetical order, for the document.
func faultCodes() []string {
	out := []string{codeLength, codeDecimalPlaces, codeNotFound, codeMalformed, codeOtherProblem}
	for _, p := range problemCodes {
		out = append(out, p.code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
