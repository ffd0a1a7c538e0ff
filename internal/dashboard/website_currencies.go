package dashboard

import (
	"laurel"
	"laurel/internal/points/ledger"
)

// websiteCurrencies is the currencies of the website: those to choose from, and all that entries may name.
type websiteCurrencies struct {
	Live []ledger.Currency
	ByID map[laurel.ID]ledger.Currency
}

// readCurrencies reads the currencies, ended ones and those of token rewards included.
func (c *request) readCurrencies() (websiteCurrencies, error) {
	m := websiteCurrencies{ByID: map[laurel.ID]ledger.Currency{}}
	for page := (laurel.PageRequest{Limit: 100}); ; {
		list, err := c.d.Ledger.ListCurrencies(c.Context(), c.scope.At(c.site.ID),
			ledger.CurrencyFilter{WithTokenRewards: true, WithDeleted: true}, page)
		if err != nil {
			return m, err
		}
		for _, currency := range list.Data {
			m.ByID[currency.ID] = currency
			if currency.DeletedAt.IsZero() && !currency.IsTokenRewardCurrency {
				m.Live = append(m.Live, currency)
			}
		}
		if !list.HasNextPage {
			return m, nil
		}
		page.StartingAfter = lastID(list, func(c ledger.Currency) laurel.ID { return c.ID })
	}
}

// name returns the name of a currency.
func (m websiteCurrencies) name(id laurel.ID) string { return m.ByID[id].Name }

// choose is the currency that a parameter of the address names among the live ones, else the first; zero without any.
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

// joinNames names currencies, in one text.
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
