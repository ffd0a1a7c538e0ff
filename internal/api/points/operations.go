package points

import "laurel/internal/api/rest"

// Operations are the operations on points, for the table of routes in package api.
type Operations struct {
	AccountRank, ListEntries, ListCurrencies, CreateCurrency, UpdateCurrency, DeleteCurrency, ListExternalPosts,
	ResetCurrency, ListClearingJobs, ListAccounts, ListLots, ReleaseLot, CancelLot, PostTransaction, ListPayouts,
	RetryPayout rest.OperationHandler
}

// New returns the operations.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		AccountRank: rest.Handle(h.accountRank,
			rest.Note("1 + the accounts with more points of the currency, exact at the answer; ties share a rank. The three parameters "+
				"are required whatever the key implies. asOf asks for a settled moment of the past: by the balances then and the blocks of today."),
		),
		ListEntries: rest.Handle(h.listEntries,
			rest.Note("Entries of users, newest first. Main accounts by userId= (empty) or loyaltyAccountId. Client keys name exactly one user "+
				"and send its member token."),
		),
		ListCurrencies: rest.Handle(h.listCurrencies, rest.Note("By sortId (unset last), then oldest first.")),
		CreateCurrency: rest.Handle(h.createCurrency,
			rest.Note("decimals is how many places a page shows and cannot be changed; amounts are whole units everywhere. "+
				"pointsExpireAfterDays and pointsWaitHours let points expire, and rewards of rules wait before they are credited; null: not."),
			rest.Example(`{"name":"Points","symbol":"PTS","decimals":0}`),
			rest.Secret("apiAuthValue"),
		),
		UpdateCurrency: rest.Handle(h.updateCurrency,
			rest.Note("An absent property keeps its value and null clears it; decimals is ignored."),
			rest.Example(`{"name":"Stars","symbol":"STR"}`),
			rest.Secret("apiAuthValue"),
		),
		DeleteCurrency: rest.Handle(h.deleteCurrency,
			rest.Note("Accounts and entries can still be read; nothing can be posted in the currency, and its rules pay nothing."),
		),
		ListExternalPosts: rest.Handle(h.listExternalPosts,
			rest.Note("Newest first. open: it was asked for and has not told yet, and is asked again with the same idempotencyKey until it does."),
		),
		ResetCurrency: rest.Handle(h.resetCurrency,
			rest.Note("All balances of users go to 0. With data, statuses, windows and whatever else rules of the currency remember of members are cleared with them, and with rules those rules "+
				"are deleted. Entries stay. A very large currency answers pending: true after some seconds and goes on; clearing_jobs tells how far it is."),
			rest.Example(`{"loyaltyCurrencyId":`+rest.ExampleID+`,"type":"loyalty_reset_balances"}`),
		),
		ListClearingJobs: rest.Handle(h.listClearingJobs, rest.Note("Newest first.")),
		ListAccounts: rest.Handle(h.listAccounts,
			rest.Note("By balance, highest first. Without loyaltyCurrencyId the accounts of all currencies stand in one list: name one for a leaderboard. "+
				"Main accounts by userId= (empty). asOf lists the accounts of a settled moment of the past with their balances then."),
		),
		ListLots: rest.Handle(h.listLots,
			rest.Note("Newest first, worked out up to the account's last entry. Where points expire, the open lots sum to the balance; debits take from the oldest. "+
				"Points that wait are pending and no part of the balance."),
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
			rest.Note("An unknown wallet becomes a user. A balance never falls below 0. idempotencyKey shares one name space per website, for ever, "+
				"with the keys of completions: where all keyed entries repeat an earlier transaction with the same input, that one is answered; any other use is refused."),
			rest.Example(`{"description":"Order A-1","type":"order","loyaltyCurrencyId":`+rest.ExampleID+
				`,"entries":[{`+rest.ExampleWallet+`,"amount":5.25,"direction":"credit","idempotencyKey":"A-1","metadata":{"orderId":"A-1"}}]}`),
		),
		ListPayouts: rest.Handle(h.listPayouts,
			rest.Note("Newest first. waiting: the payout driver has not taken it yet, or there is none; sent: it has and has not told the end; failed: it was refused, or "+
				"the driver could not be asked often enough, and can be retried. The entry tells status and txHash too, in its metadata."),
		),
		RetryPayout: rest.Handle(h.retryPayout,
			rest.Note("The driver is asked again under the same idempotencyKey, so that what it has paid after all is not paid twice."),
			rest.Example(`{}`),
		),
	}
}
