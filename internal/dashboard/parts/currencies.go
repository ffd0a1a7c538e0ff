package parts

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
)

// Currencies are the currencies of the website: the live ones, to choose from, and all by id.
type Currencies struct {
	Live []ledger.Currency
	ByID map[laurel.ID]ledger.Currency
}

// ReadCurrencies reads all currencies of the website, including deleted ones and those of token rewards.
func (c *Call) ReadCurrencies() (Currencies, error) {
	currencies := Currencies{ByID: map[laurel.ID]ledger.Currency{}}
	for page := (laurel.PageRequest{Limit: web.ListPageSize}); ; {
		list, err := c.Ledger.ListCurrencies(c.Context(), c.Scope.At(c.Site.ID),
			ledger.CurrencyFilter{WithTokenRewards: true, WithDeleted: true}, page)
		if err != nil {
			return currencies, err
		}
		for _, currency := range list.Data {
			currencies.ByID[currency.ID] = currency
			if currency.DeletedAt.IsZero() && !currency.IsTokenRewardCurrency {
				currencies.Live = append(currencies.Live, currency)
			}
		}
		if !list.HasNextPage {
			return currencies, nil
		}
		page.StartingAfter = web.LastID(list, func(c ledger.Currency) laurel.ID { return c.ID })
	}
}

// Name returns the name of a currency.
func (m Currencies) Name(id laurel.ID) string { return m.ByID[id].Name }

// Choose returns the live currency with the id in text, else the first live one, else the zero currency.
func (m Currencies) Choose(text string) ledger.Currency {
	for _, currency := range m.Live {
		if currency.ID.String() == text {
			return currency
		}
	}
	if len(m.Live) > 0 {
		return m.Live[0]
	}
	return ledger.Currency{}
}

// JoinNames returns the names of currencies, separated by commas, in the order of their ids.
func (m Currencies) JoinNames(ids []laurel.ID) string {
	out := ""
	for i, id := range ids {
		if i > 0 {
			out += ", "
		}
		out += m.Name(id)
	}
	return out
}

// CurrencyHoldings is a currency with the points that its members hold.
type CurrencyHoldings struct {
	ledger.Currency
	Held laurel.Amount
}

// Expires is after how many days its points expire; 0: never.
func (h CurrencyHoldings) Expires() int64 { return orZero(h.ExpireAfterDays) }

// Waits is for how many hours its rewards wait; 0: not at all.
func (h CurrencyHoldings) Waits() int64 { return orZero(h.WaitHours) }

func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// ReadHoldings returns, by currency, the points that all members together hold. It reads the main account of each
// currency: that is the other side of all members' accounts, so its balance is the negative sum of theirs.
func (c *Call) ReadHoldings(list []ledger.Currency) (map[laurel.ID]laurel.Amount, error) {
	out := map[laurel.ID]laurel.Amount{}
	var accounts []laurel.ID
	for _, currency := range list {
		accounts = append(accounts, currency.MainAccountID)
	}
	if len(accounts) == 0 {
		return out, nil
	}
	f := report.AccountFilter{MainAccounts: true, IDs: accounts, Visibility: c.Visibility()}
	found, err := c.Report.Accounts(c.Context(), c.Scope, f, laurel.PageRequest{Limit: len(accounts)})
	for _, a := range found.Data {
		out[a.CurrencyID] = -a.Amount
	}
	return out, err
}

// MaxCurrencies bounds the choice of currencies. Websites have a few.
const MaxCurrencies = 100
