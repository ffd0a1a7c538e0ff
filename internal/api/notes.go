package api

import "encoding/json"

// note is what the document says of an operation besides its summary, and a body to try it with.
type note struct {
	text    string
	example any
}

const exampleWallet = `"walletAddress":"0x00000000000000000000000000000000000a11ce"`

func body(text string) json.RawMessage { return json.RawMessage(text) }

// The ids of examples are nobody's: a program puts its own in their place.
const exampleID = `"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"`

// notes are by method and path.
var notes = map[string]note{
	"GET /api/loyalty/accounts/{id}/rank": {
		text: "1 + the accounts with more points of the currency, exact at the answer; ties share a rank. The three parameters " +
			"are required whatever the key implies. asOf asks for a settled moment of the past: by the balances then and the blocks of today.",
	},
	"GET /api/loyalty/transaction_entries": {
		text: "Entries of users, newest first. Main accounts by userId= (empty) or loyaltyAccountId. Client keys name exactly one user " +
			"and send its member token.",
	},
	"GET /api/loyalty/rules": {
		text: "Newest first. Client keys do not see hidden rules, nor rules that have not started unless showBeforeStart.",
	},
	"POST /api/loyalty/rules": {
		text:    "Without loyaltyCurrencyId the rule pays in the website's only currency. interval says how often one user is paid.",
		example: body(`{"name":"Welcome","type":"external_rule","amount":10,"interval":"once"}`),
	},
	"POST /api/loyalty/rules/{id}": {
		text:    "An absent property keeps its value and null clears it; metadata is replaced as a whole. type cannot be changed.",
		example: body(`{"name":"Welcome, friend","amount":20}`),
	},
	"DELETE /api/loyalty/rules/{id}": {
		text: "What the rule paid stays, unless debitLoyaltyPoints=true takes it back, at most down to 0 and cancelling what waits; a large debit goes on after the answer. " +
			"An update with deletedAt null brings the rule back.",
	},
	"POST /api/loyalty/rules/{id}/complete": {
		text: "Pays at most once per window of the rule, however often it is called. The texts of message are for people. " +
			"A reward that passes the rule's maximum is cut to what is left. idempotencyKey (external_rule only) shares one name space per website with the keys of entries: " +
			"the same input gets the first outcome, any other is refused. Client keys send the user's member token.",
		example: body(`{` + exampleWallet + `}`),
	},
	"POST /api/loyalty/rules/{id}/simulate": {
		text: "Decides like a completion on the present facts and writes nothing. A wallet that is not known is judged as a new user's. " +
			"What waits for something, as a click does, would be completed and has no rewards yet.",
		example: body(`{` + exampleWallet + `}`),
	},
	"GET /api/loyalty/rules/{id}/codes": {
		text: "The codes that the service made or read for the rule, each good for one redemption. " +
			"Of a large number the rest is made in the seconds after the rule: while complete is false, codes are missing, and further ones come at the front of the list.",
	},
	"GET /api/loyalty/rules/{id}/runs": {
		text: "The latest first. A rule with a frequency runs at its start and every hour, day, week or month after it, before its end; what was missed " +
			"while no server ran is made up for. The numbers grow while a run is going on.",
	},
	"GET /api/loyalty/rules/{id}/imports": {
		text: "Newest first: how far each reading of loyaltyUserAllotmentCsvUrl, metadata.promoCodeCsvUrl, customRewardsCsvUrl, " +
			"customRewardsApiUrl and the csvUrl of conditions has come, and what was wrong with the first 100 rows that were skipped. A list of wallets or rewards counts from the moment its reading is complete.",
	},
	"GET /api/loyalty/rules/status": {
		text: "What became of completions. Client keys name exactly one user and send its member token.",
	},
	"GET /api/loyalty/rule_groups": {
		text: "By sortId. A page ends before the group with which its rules would be more than 1000. Client keys do not see hidden rules in them.",
	},
	"POST /api/loyalty/rule_groups/create": {
		text:    "Without sortId the group comes last. A rule joins it by its loyaltyRuleGroupId.",
		example: body(`{"name":"First steps","subTitle":"Five minutes each"}`),
	},
	"POST /api/loyalty/rule_groups/{id}": {
		text:    "An absent property keeps its value.",
		example: body(`{"name":"Second steps"}`),
	},
	"DELETE /api/loyalty/rule_groups/{id}": {text: "The rules stay and are in no group."},
	"GET /api/loyalty/rule_edits": {
		text: "Newest first: who changed what of the rule, with the values before and after.",
	},
	"POST /api/loyalty/rule_edits/{id}/restore": {
		text:    "Brings the properties that the edit changed back to their values before; that is an edit too.",
		example: body(`{"editComment":"Too generous"}`),
	},
	"GET /api/loyalty/rule_statuses": {
		text: "Progress per rule and user. Client keys name exactly one user and send its member token.",
	},
	"POST /api/loyalty/rule_statuses": {
		text:    "Clamped to 0 and the rule's target. It never pays by itself: a completion does.",
		example: body(`{"loyaltyRuleId":` + exampleID + `,` + exampleWallet + `,"incProgress":5}`),
	},
	"GET /api/loyalty/account_streaks": {
		text: "A bare array, newest first. A group has one streak; userId is who checked in last.",
	},
	"GET /api/loyalty/questions": {
		text: "Newest first, of live rules. It does not tell which choices are correct. Client keys do not see questions of rules that they do not see.",
	},
	"POST /api/loyalty/questions": {
		text: "A quiz needs a correct choice; a poll takes any. A rule has one question.",
		example: body(
			`{"loyaltyRuleId":` + exampleID + `,"questionText":"What is 6 x 7?","loyaltyQuestionAnswers":[{"text":"41"},{"text":"42","isCorrect":true}]}`,
		),
	},
	"POST /api/loyalty/questions/{id}": {
		text: "Choices with id are changed, where absent properties stay, those without are added, and those that are missing removed. " +
			"A choice that somebody gave cannot be removed.",
		example: body(
			`{"questionText":"What is 6 x 7?","loyaltyQuestionAnswers":[{"text":"42","isCorrect":true},{"text":"43"}]}`,
		),
	},
	"GET /api/loyalty/questions_responses": {
		text: "Newest first. Which choices are correct is told where the user can no longer answer. Client keys name their user by userId and send its member token.",
	},
	"POST /api/loyalty/questions_responses": {
		text: "A completion of the rule goes by this answer. Where the question takes one attempt, a second answer changes nothing and gets the first; " +
			"the users of a group have it together. Client keys send the user's member token.",
		example: body(`{` + exampleWallet + `,"loyaltyQuestionChoiceId":` + exampleID + `}`),
	},
	"GET /api/loyalty/rule_chains": {
		text: "Newest first. A rule tells its own chains too, in loyaltyRuleChain. Client keys do not see chains of rules that they do not see.",
	},
	"POST /api/loyalty/rule_chains": {
		text: "Until all conditions hold, or with OR one of them, the rule cannot be completed. A condition of type rule, rules or badges names things by loyaltyRuleIds and " +
			"loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. Those of type api and csv never hold by themselves.",
		example: body(
			`{"name":"After the first steps","loyaltyRuleId":` + exampleID + `,"loyaltyConditions":[{"type":"points","amount":100,"loyaltyCurrencyIds":[` + exampleID + `]}]}`,
		),
	},
	"DELETE /api/loyalty/rule_chains/{id}": {text: "Answers the chain as it was."},
	"GET /api/loyalty/currencies":          {text: "By sortId (unset last), then oldest first."},
	"POST /api/loyalty/currencies": {
		text: "decimals is how many places a page shows and cannot be changed; amounts are whole units everywhere. " +
			"pointsExpireAfterDays and pointsWaitHours let points expire, and rewards of rules wait before they are credited; null: not.",
		example: body(`{"name":"Points","symbol":"PTS","decimals":0}`),
	},
	"POST /api/loyalty/currencies/{id}": {
		text:    "An absent property keeps its value and null clears it; decimals is ignored.",
		example: body(`{"name":"Stars","symbol":"STR"}`),
	},
	"DELETE /api/loyalty/currencies/{id}": {
		text: "Accounts and entries can still be read; nothing can be posted in the currency, and its rules pay nothing.",
	},
	"GET /api/loyalty/currencies/{id}/external_posts": {
		text: "Newest first. open: it was asked for and has not told yet, and is asked again with the same idempotencyKey until it does.",
	},
	"GET /api/loyalty/accounts": {
		text: "By balance, highest first. Without loyaltyCurrencyId the accounts of all currencies stand in one list: name one for a leaderboard. " +
			"Main accounts by userId= (empty). asOf lists the accounts of a settled moment of the past with their balances then.",
	},
	"POST /api/loyalty/reset": {
		text: "All balances of users go to 0. With data, statuses, windows and whatever else rules of the currency remember of members are cleared with them, and with rules those rules " +
			"are deleted. Entries stay. A very large currency answers pending: true after some seconds and goes on; clearing_jobs tells how far it is.",
		example: body(`{"loyaltyCurrencyId":` + exampleID + `,"type":"loyalty_reset_balances"}`),
	},
	"GET /api/loyalty/clearing_jobs": {text: "Newest first."},
	"GET /api/loyalty/accounts/{id}/lots": {
		text: "Newest first, worked out up to the account's last entry. Where points expire, the open lots sum to the balance; debits take from the oldest. " +
			"Points that wait are pending and no part of the balance.",
	},
	"POST /api/loyalty/lots/{id}/release": {
		text:    "The points are credited by a transaction like the one that granted them; the entry's metadata names the lot.",
		example: body(`{}`),
	},
	"POST /api/loyalty/lots/{id}/cancel": {
		text:    "The points are never credited.",
		example: body(`{"reason":"Order returned"}`),
	},
	"POST /api/loyalty/transactions": {
		text: "An unknown wallet becomes a user. A balance never falls below 0. idempotencyKey shares one name space per website, for ever, " +
			"with the keys of completions: where all keyed entries repeat an earlier transaction with the same input, that one is answered; any other use is refused.",
		example: body(`{"description":"Order A-1","type":"order","loyaltyCurrencyId":` + exampleID +
			`,"entries":[{` + exampleWallet + `,"amount":5.25,"direction":"credit","idempotencyKey":"A-1","metadata":{"orderId":"A-1"}}]}`),
	},
	"GET /api/loyalty/payouts": {
		text: "Newest first. waiting: the payout driver has not taken it yet, or there is none; sent: it has and has not told the end; failed: it was refused, or " +
			"the driver could not be asked often enough, and can be retried. The entry tells status and txHash too, in its metadata.",
	},
	"POST /api/loyalty/payouts/{id}/retry": {
		text:    "The driver is asked again under the same idempotencyKey, so that what it has paid after all is not paid twice.",
		example: body(`{}`),
	},
	"GET /api/loyalty/multipliers": {
		text: "Newest first. externalIdentifier is the multiplier's own; the other filters name users.",
	},
	"POST /api/loyalty/multipliers": {
		text: "Raises what rules and streaks pay to the user from now on; transactions of callers stay as they are. Several add up: 2 and 3 give 4. " +
			"An unknown wallet becomes a user.",
		example: body(`{` + exampleWallet + `,"multiplier":1.5,"title":"Gold","externalIdentifier":"crm-7"}`),
	},
	"POST /api/loyalty/multipliers/{id}": {
		text:    "An absent property keeps its value.",
		example: body(`{"multiplier":2}`),
	},
	"DELETE /api/loyalty/multipliers/{id}": {text: "What was paid with it stays."},
	"DELETE /api/loyalty/multipliers": {
		text:    "externalIdentifier stands in the query or in the body.",
		example: body(`{"externalIdentifier":"crm-7"}`),
	},
	"POST /api/referral/codes": {
		text: "A member has one code per rule: where there is one it is answered, whatever is asked for. Codes are the same in any case and unique in a " +
			"website. Client keys send the member's token.",
		example: body(`{"loyaltyRuleId":` + exampleID + `,` + exampleWallet + `}`),
	},
	"POST /api/referral/users": {
		text: "All of the users or none. A user is referred once per rule; no chain of referrals of a website may close to a loop. Client keys name " +
			"exactly one user and send its member token.",
		example: body(`{"userIds":[` + exampleID + `],"referralCode":"ALICE"}`),
	},
	"GET /api/referral/users": {text: "Newest first. Client keys name exactly one referrer and send its member token."},
	"GET /api/users": {
		text: "Newest first. Client keys name exactly one user and send its member token; only secret keys see and filter by e-mail and phone.",
	},
	"POST /api/users/metadatas": {text: "An absent field keeps its value and null clears it. A new wallet becomes a user.",
		example: body(`{` + exampleWallet + `,"displayName":"Alice","userGroupExternalIdentifier":"household-1"}`)},
	"POST /api/users/tokens": {
		text:    "The token proves the user to this service when a client key is used. It is shown once: an answer that is repeated for an Idempotency-Key has no token.",
		example: body(`{` + exampleWallet + `,"expiresInSeconds":3600}`),
	},
	"POST /api/users/tokens/revoke": {
		text:    "Tokens that are made afterwards are good.",
		example: body(`{"userId":` + exampleID + `}`),
	},
	"GET /api/websites": {text: "Newest first. Website keys see their own only."},
	"POST /api/websites": {text: "Of the key's organization. It has no keys yet: laurel keys create makes them.",
		example: body(`{"name":"Acme shop","homeUrl":"https://shop.example"}`)},
	"GET /api/assets": {text: "Newest first: those that were sent, and those that still can be."},
	"DELETE /api/assets/{id}": {
		text: "Its bytes are removed and it counts no more. Client keys delete files of their member only.",
	},
	"POST /api/assets": {
		text: "PUT exactly fileSize bytes to signedUrl within 15 minutes, without a key; then everybody who knows url can read the file. " +
			"Where the server was given no public address both are paths, which rules and currencies take as they are. " +
			"Files have quotas in bytes, per user, website and service; an announced file counts until its time is over. " +
			"Client keys: filePath profiles and posts only, with a member token, whose user the file belongs to.",
		example: body(`{"fileName":"wallets.csv","fileSize":1024,"filePath":"loyalty"}`),
	},
}
