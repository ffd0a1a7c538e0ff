package store

import "slices"

// LockRank is a place in the lock order of the service. Every transaction first locks existing rows by rank and key,
// and then inserts rows, again by rank and key. So a transaction that waits for a row holds only rows before it, and
// deadlocks cannot arise.
type LockRank struct {
	Place int
	Rows  string   // the table, or some of its rows
	Lock  LockMode // how a Work holds these rows
	Why   string
}

// LockInserted is the mode of rows that are only inserted.
const LockInserted LockMode = "inserted"

// The lock order. The table in docs/ARCHITECTURE.md is generated from LockRanks.
var (
	LockRankJobSteps = declareLockRank(1, "reset jobs, ended multipliers, checks of dynamic rewards, runs of rules", LockUpdate,
		"the row moves on in the transaction of each of its steps; only one node works on it")
	LockRankExternalHolds = declareLockRank(
		3,
		"`outside_holds`",
		LockUpdate,
		"guards: a name that at most one open post has, so that nothing is paid for twice while the external ledger is called. Locked "+
			"before what a post writes when it ends, so a Work that finds a guard free also finds these writes",
	)
	LockRankPointHolds = declareLockRank(4, "`loyalty_holds`", LockUpdate,
		"a hold is captured, released or expires once; the accounts that paid are locked afterwards")
	LockRankRules      = declareLockRank(5, "`loyalty_rules`", LockAdvisory, "the rule does not change between decision and commit")
	LockRankUsers      = declareLockRank(10, "`users`", LockNone, "unique by wallet; an insert that meets a row asks for a rerun")
	LockRankGroups     = declareLockRank(15, "`user_groups`", LockShare, "nobody joins, leaves or is blocked meanwhile")
	LockRankMembers    = declareLockRank(20, "`members`", LockShare, "the same for one user")
	LockRankCurrencies = declareLockRank(30, "`loyalty_currencies`", LockAdvisory,
		"the currency is not deleted meanwhile. The sum that it owes is read with it; only near the limit of amounts is more read")
	LockRankBadges           = declareLockRank(33, "`loyalty_badges`", LockAdvisory, "the badge does not change between the decision to grant it and the commit")
	LockRankMintingContracts = declareLockRank(34, "`minting_contracts`", LockAdvisory,
		"the contract does not change between the decision to mint and the commit")
	LockRankAuctions = declareLockRank(35, "`auctions`", LockUpdate,
		"one bid after the other: each depends on the best one before it. Deleting a currency cancels its auctions under its advisory lock")
	LockRankBidders = declareLockRank(36, "`auction_bidders`", LockNone,
		"the members whose points are held; the auction's lock is held")
	LockRankItems         = declareLockRank(37, "`auction_items`", LockInserted, "the auction's lock is held")
	LockRankBids          = declareLockRank(38, "`auction_bids`", LockInserted, "the auction's lock is held")
	LockRankExternalPosts = declareLockRank(39, "`outside_posts`", LockUpdate, "a post to an external ledger ends once")
	LockRankLedgerKeys    = declareLockRank(40, "`ledger_keys`", LockNone, "unique; only ever inserted")
	LockRankEndedBids     = declareLockRank(41, "`auction_bids` that end", LockInserted, "written, not read: the auction's lock is held")
	LockRankReversals     = declareLockRank(42, "`transaction_reversals`", LockUpdate, "a transaction is reversed once, or in parts that make up no more than it")
	LockRankQuestions     = declareLockRank(45, "`loyalty_questions`", LockAdvisory,
		"the question does not change between the check of an answer and the commit")
	LockRankAnswers = declareLockRank(
		46,
		"`loyalty_question_answers`",
		LockUpdate,
		"one row per question and user or group, so that one attempt is counted once",
	)
	LockRankResponses  = declareLockRank(47, "`loyalty_question_responses`", LockInserted, "the choice of an answer")
	LockRankRuleStates = declareLockRank(
		50,
		"`rule_subjects`",
		LockUpdate,
		"rule state: one row per rule and user or group, locked by each of its payments",
	)
	LockRankBadgeUsers = declareLockRank(
		51,
		"`loyalty_badge_users`",
		LockUpdate,
		"one row per badge and member: a badge is granted, and its rewards are paid, once",
	)
	LockRankMultiplierHeads = declareLockRank(
		52,
		"`multiplier_heads`",
		LockUpdate,
		"one row for the multipliers of a member; locked only if the member has had any (`members.has_multipliers`, compared under the member's lock)",
	)
	LockRankEndedMultipliers   = declareLockRank(53, "`loyalty_multipliers` that end", LockInserted, "their head is held")
	LockRankGrantedMultipliers = declareLockRank(54, "`loyalty_multipliers` that are granted", LockInserted, "their head is held")
	LockRankRuleCodes          = declareLockRank(55, "`rule_codes`", LockUpdate, "a code is redeemed once")
	LockRankStreaks            = declareLockRank(57, "`loyalty_account_streaks`", LockUpdate, "one row per rule and user or group")
	LockRankReferrals          = declareLockRank(58, "`referrals`", LockUpdate, "a referral is paid or ruled out once, and counts its shares")
	LockRankEventPayments      = declareLockRank(59, "`rule_event_payments`", LockUpdate, "an event of a contract is paid once, and taken back once")
	LockRankPaidWindows        = declareLockRank(
		60,
		"`rule_claims`",
		LockNone,
		"paid windows: presumed to be absent, or read under the lock of the rule state; unique in any case ([decision 32](decisions/0032-presumed.md))",
	)
	LockRankOpenMints = declareLockRank(61, "`minting_mints` under way", LockUpdate, "a mint ends once, and returns what it had reserved once")
	LockRankStock     = declareLockRank(62, "`minting_assets`", LockUpdate,
		"the stock: what is minted and reserved never exceeds the quantity")
	LockRankAllowlist  = declareLockRank(63, "`minting_allowlist`", LockUpdate, "nobody mints more than the allowlist says")
	LockRankMintCounts = declareLockRank(64, "`minting_counts`", LockUpdate, "nobody mints more than the limit per user")
	LockRankJobs       = declareLockRank(65, "`rule_jobs`", LockNone, "one open job per rule and user; the lock of the rule state is held")
	LockRankBadgeDues  = declareLockRank(66, "`badge_dues`", LockInserted, "due grants: a row is removed with its grant; a Work that adds rows holds no row of a later rank")
	LockRankAccounts   = declareLockRank(
		70,
		"`loyalty_accounts`",
		LockUpdate,
		"balances; then, in the order of currencies, `rank_cutoffs` where a debit may touch it. Near the limit of amounts the main account "+
			"is locked first, so that what a currency owes stays in range",
	)
	LockRankLots = declareLockRank(
		72,
		"`lot_accounts`, `account_lots`",
		LockUpdate,
		"lots are worked out once; only expiry and release lock them",
	)
	LockRankEndedLots    = declareLockRank(73, "`account_lots` of held points that are cancelled", LockUpdate, "held points are credited or cancelled, not both")
	LockRankTransactions = declareLockRank(80, "`loyalty_transactions`", LockInserted, "what happened")
	LockRankEntries      = declareLockRank(90, "`loyalty_transaction_entries`", LockInserted, "what it changed")
	LockRankHeldLots     = declareLockRank(95, "`account_lots` of held points", LockInserted, "with the entry that records them")
	LockRankRefunds      = declareLockRank(96, "`lot_refunds`", LockInserted, "with the entry by which points come back")
	LockRankBidEntries   = declareLockRank(97, "`bid_entries`", LockInserted, "with the entries by which an auction holds points and refunds them")
	LockRankBidsRevealed = declareLockRank(98, "`bid_entries` that are shown", LockNone, "the auction's lock is held")
	LockRankDeltas       = declareLockRank(100, "`main_account_deltas`", LockInserted, "changes of main accounts")
	LockRankFiles        = declareLockRank(
		105,
		"`asset_usage`, then `assets`",
		LockUpdate,
		"the number and size of files. The row of all files comes first, so changes go one by one and no quota is exceeded. "+
			"Only `content` takes them, and nothing else with them",
	)
	LockRankPayouts              = declareLockRank(110, "`payouts`", LockInserted, "with the entries of a token reward")
	LockRankFunctionTransactions = declareLockRank(111, "`function_transactions`", LockInserted, "with the payment of the completion that owes them")
	LockRankNewMints             = declareLockRank(112, "`minting_mints` that are made", LockInserted, "with what they reserve and debit")
	LockRankChanges              = declareLockRank(800, "`changes`", LockInserted, "last of all, so that the feed's number is taken as late as possible")
	LockRankRequests             = declareLockRank(900, "`request_keys`", LockNone, "the Idempotency-Key of the HTTP request")
)

var lockOrder []LockRank

// declareLockRank adds a rank to the lock order and returns it.
func declareLockRank(place int, rows string, lock LockMode, why string) LockRank {
	r := LockRank{place, rows, lock, why}
	lockOrder = append(lockOrder, r)
	return r
}

// LockRanks returns the lock order.
func LockRanks() []LockRank { return slices.Clone(lockOrder) }
