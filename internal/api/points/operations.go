package points

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
)

// Operations are the operations on points, for the table of routes in package api.
type Operations struct {
	AccountRank, ListEntries, ListCurrencies, CreateCurrency, UpdateCurrency, DeleteCurrency, ListExternalPosts,
	ResetCurrency, ListClearingJobs, ListAccounts, ListLots, ListExpiring, ReleaseLot, CancelLot, PostTransaction,
	ReverseTransaction, ReverseByKey, ListPayouts, RetryPayout rest.OperationHandler
}

// New returns the operations on points. Each has its handler and its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	getCurrency := caller.ByID(cfg.Caller, cfg.Ledger.Currency, h.currencyResponse)
	return Operations{
		AccountRank: rest.Handle(h.accountRank,
			rest.Note("1 + the number of accounts with more points of the currency, exact at the time of the response; ties share a rank. The three parameters "+
				"are required with every key. asOf returns the rank at a settled moment of the past: by the balances then and the blocked members of today."),
		),
		ListEntries: rest.Handle(h.listEntries,
			rest.Note("Entries of users, newest first. Main accounts by userId= (empty) or loyaltyAccountId. Client keys name exactly one user "+
				"and send its member token."),
		),
		ListCurrencies: rest.Handle(h.listCurrencies, rest.Note("By sortId (unset last), then oldest first.")),
		CreateCurrency: rest.Handle(h.createCurrency,
			rest.Note("decimals is how many places a page shows and cannot be changed; amounts are whole units everywhere. "+
				"With pointsExpireAfterDays points expire; with pointsWaitHours the rewards of rules are held before they are credited. null: neither."),
			rest.Example(`{"name":"Points","symbol":"PTS","decimals":0}`),
			rest.Secret("apiAuthValue"),
		),
		UpdateCurrency: rest.Handle(h.updateCurrency, rest.IfMatch(getCurrency),
			rest.Note("An absent property keeps its value and null clears it; decimals is ignored."),
			rest.Example(`{"name":"Stars","symbol":"STR"}`),
			rest.Secret("apiAuthValue"),
		),
		DeleteCurrency: rest.Handle(caller.ByID(cfg.Caller, cfg.Ledger.DeleteCurrency, h.currencyResponse),
			rest.IfMatch(getCurrency),
			rest.Note("Accounts and entries can still be read; nothing can be posted in the currency, and its rules pay nothing."),
		),
		ListExternalPosts: rest.Handle(h.listExternalPosts,
			rest.Note("Newest first. open: the external ledger has not answered yet, and the post is sent again with the same idempotencyKey until it does."),
		),
		ResetCurrency: rest.Handle(h.resetCurrency,
			rest.Note("All balances of users are debited to 0. The types with data also delete progress, windows "+
				"and all other rule state of the currency's rules; the type with rules also deletes these rules. "+
				"Entries stay. The reset of a very large currency returns pending: true after some seconds and "+
				"continues; clearing_jobs shows its progress."),
			rest.Example(`{"loyaltyCurrencyId":`+rest.ExampleID+`,"type":"loyalty_reset_balances"}`),
		),
		ListClearingJobs: rest.Handle(h.listClearingJobs, rest.Note("Newest first.")),
		ListAccounts: rest.Handle(h.listAccounts,
			rest.Note("By balance, highest first. Without loyaltyCurrencyId the list has the accounts of all currencies: send it for a leaderboard. "+
				"Main accounts by userId= (empty). asOf lists the accounts of a settled moment of the past with their balances then."),
		),
		ListLots: rest.Handle(h.listLots,
			rest.Note("Newest first, computed up to the account's last entry. If points expire, the open lots sum to the balance; debits take from the oldest. "+
				"Held points are pending lots and not part of the balance."),
		),
		ListExpiring: rest.Handle(h.listExpiring,
			rest.Note("Soonest first, computed up to the account's last entry. Points that expire at the same moment are one item. Held points are not among them. "+
				"Empty if points of the currency do not expire. Client keys send the member token of the account's user, whatever the website trusts."),
		),
		ReleaseLot: rest.Handle(h.releaseLot,
			rest.Note("The points are credited by a transaction like the one that granted them; the entry's metadata names the lot."),
			rest.Example(`{}`),
		),
		CancelLot: rest.Handle(h.cancelLot,
			rest.Note("The points are never credited."),
			rest.Example(`{"reason":"Order returned"}`),
		),
		PostTransaction: rest.Handle(h.postTransaction,
			rest.Note("An unknown wallet becomes a user. A balance never falls below 0. idempotencyKey is unique "+
				"on the website forever, together with the keys of completions. If all keyed entries repeat an "+
				"earlier transaction with the same input, that transaction is returned; any other reuse is "+
				"refused."),
			rest.Example(`{"description":"Order A-1","type":"order","loyaltyCurrencyId":`+rest.ExampleID+
				`,"entries":[{`+rest.ExampleWallet+`,"amount":5.25,"direction":"credit","idempotencyKey":"A-1","metadata":{"orderId":"A-1"}}]}`),
		),
		ReverseTransaction: rest.Handle(h.reverseTransaction, rest.Note(reversalNote), rest.Example(`{"description":"Order A-1 was returned"}`)),
		ReverseByKey: rest.Handle(h.reverseByKey, rest.Note(reversalNote),
			rest.Example(`{"of":{"idempotencyKey":"A-1"},"amount":2.5,"idempotencyKey":"A-1-refund-1"}`)),
		ListPayouts: rest.Handle(h.listPayouts,
			rest.Note("Newest first. waiting: the payout driver has not accepted it yet, or there is no driver; sent: the driver has accepted it and not reported the result; failed: it was refused, or "+
				"the driver could not be reached often enough; it can be retried. The metadata of the entry has status and txHash too."),
		),
		RetryPayout: rest.Handle(h.retryPayout,
			rest.Note("The driver is called again with the same idempotencyKey, so that it does not pay twice if it has paid already."),
			rest.Example(`{}`),
		),
	}
}
