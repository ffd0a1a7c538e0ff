package store

import "slices"

// Rank is a place in the lock order of the service. Every transaction first locks existing rows by rank and key, and
// then inserts rows, again by rank and key. So a transaction that waits for a row holds only rows before it, and
// deadlocks cannot arise.
type Rank struct {
	Place int
	Rows  string   // the table, or some of its rows
	Lock  LockMode // how a Work holds these rows
	Why   string
}

// LockInserted is the mode of rows that are only inserted.
const LockInserted LockMode = "inserted"

// The lock order. The table in docs/ARCHITECTURE.md is generated from Ranks.
var (
	RankJobSteps = declareRank(1, "reset jobs, ended multipliers, checks of dynamic rewards, runs of rules", LockUpdate,
		"what goes on in steps moves in the transaction of the step; only its owner takes it")
	RankExternalHolds = declareRank(
		3,
		"`outside_holds`",
		LockUpdate,
		"what must not be paid for twice while the external ledger is asked, unique. Before all that a post writes when it ends: "+
			"whoever finds a hold ended finds that, too",
	)
	RankPointHolds = declareRank(4, "`loyalty_holds`", LockUpdate,
		"a hold is captured, released or expires once; whoever ends it comes to the accounts that paid afterwards")
	RankRules      = declareRank(5, "`loyalty_rules`", LockAdvisory, "the rule does not change between decision and commit")
	RankUsers      = declareRank(10, "`users`", LockNone, "unique by wallet; an insert that meets a row asks for a rerun")
	RankGroups     = declareRank(15, "`user_groups`", LockShare, "nobody joins, leaves or is blocked meanwhile")
	RankMembers    = declareRank(20, "`members`", LockShare, "the same for one user")
	RankCurrencies = declareRank(30, "`loyalty_currencies`", LockAdvisory,
		"not deleted meanwhile. What it owes in all is read with it: far from the limit of amounts no more is read")
	RankBadges           = declareRank(33, "`loyalty_badges`", LockAdvisory, "the badge does not change between the decision to grant it and the commit")
	RankMintingContracts = declareRank(34, "`minting_contracts`", LockAdvisory,
		"the contract does not change between the decision to mint and the commit")
	RankAuctions = declareRank(35, "`auctions`", LockUpdate,
		"one bid after the other: each depends on the best one before it. Deleting a currency cancels its auctions under its advisory lock")
	RankBidders = declareRank(36, "`auction_bidders`", LockNone,
		"whose points are held; the auction's lock is held")
	RankItems         = declareRank(37, "`auction_items`", LockInserted, "the auction's lock is held")
	RankBids          = declareRank(38, "`auction_bids`", LockInserted, "the auction's lock is held")
	RankExternalPosts = declareRank(39, "`outside_posts`", LockUpdate, "a post to an external ledger is ended once")
	RankLedgerKeys    = declareRank(40, "`ledger_keys`", LockNone, "unique; only ever inserted")
	RankEndedBids     = declareRank(41, "`auction_bids` that end", LockInserted, "written, not read: the auction's lock is held")
	RankQuestions     = declareRank(45, "`loyalty_questions`", LockAdvisory,
		"the question does not change between the judgement of an answer and the commit")
	RankAnswers = declareRank(
		46,
		"`loyalty_question_answers`",
		LockUpdate,
		"one row per question and user or group: a single attempt is single",
	)
	RankResponses  = declareRank(47, "`loyalty_question_responses`", LockInserted, "the choice of an answer")
	RankRuleStates = declareRank(
		50,
		"`rule_subjects`",
		LockUpdate,
		"the row that every payment of a rule to a user or group meets",
	)
	RankBadgeUsers = declareRank(
		51,
		"`loyalty_badge_users`",
		LockUpdate,
		"one row per badge and member: a badge is granted, and its rewards are paid, once",
	)
	RankMultiplierHeads = declareRank(
		52,
		"`multiplier_heads`",
		LockUpdate,
		"the multipliers of a member; locked only for members who have had any (`members.has_multipliers`, compared under the member's lock)",
	)
	RankEndedMultipliers   = declareRank(53, "`loyalty_multipliers` that end", LockInserted, "their head is held")
	RankGrantedMultipliers = declareRank(54, "`loyalty_multipliers` that are given", LockInserted, "their head is held")
	RankRuleCodes          = declareRank(55, "`rule_codes`", LockUpdate, "a code is redeemed once")
	RankStreaks            = declareRank(57, "`loyalty_account_streaks`", LockUpdate, "one row per rule and user or group")
	RankReferrals          = declareRank(58, "`referrals`", LockUpdate, "a referral is settled once, and counts its shares")
	RankPaidWindows        = declareRank(
		60,
		"`rule_claims`",
		LockNone,
		"presumed to be absent, or read under the subject's lock; unique all the same ([decision 32](decisions/0032-presumed.md))",
	)
	RankOpenMints = declareRank(61, "`minting_mints` under way", LockUpdate, "a mint ends once, and returns what it had reserved once")
	RankStock     = declareRank(62, "`minting_assets`", LockUpdate,
		"the stock: what is minted and reserved never exceeds the quantity")
	RankAllowlist  = declareRank(63, "`minting_allowlist`", LockUpdate, "nobody mints more than the allowlist says")
	RankMintCounts = declareRank(64, "`minting_counts`", LockUpdate, "nobody mints more than the limit per user")
	RankJobs       = declareRank(65, "`rule_jobs`", LockNone, "one waits per rule and user; the subject's lock is held")
	RankBadgeDues  = declareRank(66, "`badge_dues`", LockInserted, "a due goes with the grant; whoever makes dues holds no later row")
	RankAccounts   = declareRank(
		70,
		"`loyalty_accounts`",
		LockUpdate,
		"balances; then, in the order of currencies, `rank_cutoffs` where a debit may touch it. Near the limit of amounts the main account "+
			"is locked first, so that what a currency owes stays in range",
	)
	RankLots = declareRank(
		72,
		"`lot_accounts`, `account_lots`",
		LockUpdate,
		"lots are worked out once; only expiry and release lock them",
	)
	RankTransactions = declareRank(80, "`loyalty_transactions`", LockInserted, "what happened")
	RankEntries      = declareRank(90, "`loyalty_transaction_entries`", LockInserted, "what it changed")
	RankHeldLots     = declareRank(95, "`account_lots` of held points", LockInserted, "with the entry that tells of them")
	RankRefunds      = declareRank(96, "`lot_refunds`", LockInserted, "with the entry by which points come back")
	RankBidEntries   = declareRank(97, "`bid_entries`", LockInserted, "with the entries by which an auction holds points and gives them back")
	RankBidsRevealed = declareRank(98, "`bid_entries` that are shown", LockNone, "the auction is held")
	RankDeltas       = declareRank(100, "`main_account_deltas`", LockInserted, "what main accounts gave")
	RankFiles        = declareRank(
		105,
		"`asset_usage`, then `assets`",
		LockUpdate,
		"what files count; the row of all files comes first, so announcements, deletions and upkeep go one by one and no quota is exceeded. "+
			"Only `content` takes them, and nothing else with them",
	)
	RankPayouts              = declareRank(110, "`payouts`", LockInserted, "with the entries of a token reward")
	RankFunctionTransactions = declareRank(111, "`function_transactions`", LockInserted, "with the payment of the completion that owes them")
	RankNewMints             = declareRank(112, "`minting_mints` that are made", LockInserted, "with what they reserve and debit")
	RankChanges              = declareRank(800, "`changes`", LockInserted, "the feed's number is taken as late as can be")
	RankRequests             = declareRank(900, "`request_keys`", LockNone, "the Idempotency-Key of the HTTP request")
)

var lockOrder []Rank

func declareRank(place int, rows string, lock LockMode, why string) Rank {
	r := Rank{place, rows, lock, why}
	lockOrder = append(lockOrder, r)
	return r
}

// Ranks returns the lock order.
func Ranks() []Rank { return slices.Clone(lockOrder) }
