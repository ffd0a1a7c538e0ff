package ledger

import (
	"cmp"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// AccountKey names the account of a user in a currency.
type AccountKey struct{ Currency, User laurel.ID }

// account is a user's account as Works read and change it.
type account struct {
	ID               laurel.ID     `db:"id"`
	OrganizationID   laurel.ID     `db:"organization_id"`
	WebsiteID        laurel.ID     `db:"website_id"`
	CurrencyID       laurel.ID     `db:"loyalty_currency_id"`
	UserID           laurel.ID     `db:"user_id"`
	Amount           laurel.Amount `db:"amount"`
	LockVersion      int64         `db:"lock_version"`
	Ranked           bool          `db:"ranked"`
	Concealed        laurel.Amount `db:"concealed_amount"` // held by auctions with hidden bids
	Receivable       laurel.Amount `db:"receivable"`       // owed: it is taken from later credits
	CreatedAt        int64         `db:"created_at"`
	UpdatedAt        int64         `db:"updated_at"`
	isNew            bool          // not in the database yet
	peak             laurel.Amount // the highest amount it had before a debit of this batch
	wasLowered       bool
	concealedChanged bool // Concealed has changed
	owedChanged      bool // Receivable has changed
}

var accounts = &store.Table[AccountKey, account]{
	Name: "accounts", Rank: store.LockRankAccounts,
	Compare: func(a, b AccountKey) int {
		return cmp.Or(a.Currency.Compare(b.Currency), a.User.Compare(b.User))
	},
	Query: selectAccount,
	Key:   store.Columns("loyalty_currency_id uuid, user_id uuid"),
	Args:  func(k AccountKey) []any { return []any{k.Currency, k.User} },
	KeyOf: func(a *account) AccountKey { return AccountKey{a.CurrencyID, a.UserID} },
	New: func(k AccountKey) *account {
		return &account{CurrencyID: k.Currency, UserID: k.User, Ranked: true, isNew: true}
	},
	Save: saveAccounts,
}

// currencyState is a currency with its total when the batch began: what the main account owes to members. Near the
// bounds of amounts, a posting checks the total in the database.
type currencyState struct {
	Currency
	Total laurel.Amount `db:"total"`
}

// currencies is the table of currencies for Works. A lock keeps the currency from being deleted.
var currencies = &store.Table[laurel.ID, currencyState]{
	Name: "currencies", Rank: store.LockRankCurrencies,
	Compare: laurel.ID.Compare,
	Query:   selectCurrencyState,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(c *currencyState) laurel.ID { return c.ID },
	New:     func(laurel.ID) *currencyState { return &currencyState{} },
}

// CurrencyLock names the row of a currency, for a Work that calls IsLiveCurrency or IsExternal.
func CurrencyLock(id laurel.ID) store.Lock { return currencies.Lock(id) }

var transactionSink = &store.Sink[Transaction]{
	Name:  "transactions",
	Rank:  store.LockRankTransactions,
	Write: insertTransactions,
}

var entrySink = &store.Sink[entryRow]{Name: "entries", Rank: store.LockRankEntries, Write: insertEntries}

var deltaSink = &store.Sink[delta]{Name: "main account deltas", Rank: store.LockRankDeltas, Write: insertDeltas}

// entryRow is an entry with the columns that filters of the list compare.
type entryRow struct {
	Entry
	OrganizationID, WebsiteID, RuleID laurel.ID
	Type                              TransactionType
	RuleType                          string
}

// delta is the change of a main account by one posting.
type delta struct {
	AccountID   laurel.ID
	Amount      laurel.Amount
	TotalBefore laurel.Amount // the account's balance when the batch began
	At          time.Time
}
