package dashboard

import (
	"laurel"
	"laurel/internal/points/ledger"
)

// websiteCurrencies are the currencies of the website: the live ones, to choose from, and all by id.
type websiteCurrencies struct {
	Live []ledger.Currency
	ByID map[laurel.ID]ledger.Currency
}

// readCurrencies reads all currencies of the website, including deleted ones and those of token rewards.
func (c *request) readCurrencies() (websiteCurrencies, error) {
	currencies := websiteCurrencies{ByID: map[laurel.ID]ledger.Currency{}}
	for page := (laurel.PageRequest{Limit: listPageSize}); ; {
		list, err := c.d.Ledger.ListCurrencies(c.Context(), c.scope.At(c.site.ID),
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
		page.StartingAfter = lastID(list, func(c ledger.Currency) laurel.ID { return c.ID })
	}
}

// name returns the name of a currency.
func (m websiteCurrencies) name(id laurel.ID) string { return m.ByID[id].Name }

// choose returns the live currency with the id in text, else the first live one, else the zero currency.
func (m websiteCurrencies) choose(text string) ledger.Currency {
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

// joinNames returns the names of currencies, separated by commas, in the order of their ids.
func (m websiteCurrencies) joinNames(ids []laurel.ID) string {
	out := ""
	for i, id := range ids {
		if i > 0 {
			out += ", "
		}
		out += m.name(id)
	}
	return out
}
