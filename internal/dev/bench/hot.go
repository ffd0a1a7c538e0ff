package bench

import (
	"context"
	"errors"

	"laurel.example/laurel"
)

// hotCurrencies is how many currencies the uniform load takes its rewards from.
const hotCurrencies = 4

var hotLimit = limit{floor: 0.9, goal: 1}

// measureHotRows measures completions of which half are for one account, and completions that all pay in one currency,
// and compares them with completions that are spread evenly. All three loads run between the same two runs of pgbench.
// Calls have keys, since without keys a rule pays a member only once per interval.
func (b *bench) measureHotRows(ctx context.Context) (out []Result, err error) {
	database, p, err := b.createDatabase(ctx, "row4")
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, database, b.profile())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	currencies, err := b.createCurrencies(ctx, s, database, p)
	if err != nil {
		return nil, err
	}
	loads := []completionPlan{
		{site: p, workers: 64, keyed: true, currencies: currencies},
		{site: p, workers: 64, keyed: true, currencies: currencies, hot: true},
		{site: p, workers: 64, keyed: true, currencies: currencies[:1]},
	}
	figures := make([]measured, len(loads))
	_, pgbench, err := b.withPgbench(ctx, "evenly over accounts and currencies, c64", func() (measured, error) {
		for i, load := range loads {
			var err error
			if figures[i], err = b.completeOnServer(ctx, s, load); err != nil {
				return measured{}, err
			}
		}
		return figures[0], nil
	})
	if err != nil {
		return nil, err
	}
	for i, name := range []string{"half of all completions on one account, c64", "all rewards from one currency, c64"} {
		m := figures[i+1]
		against := "the same load spread evenly over accounts and 4 currencies: " +
			formatNumber(roundedRate(figures[0])) + "/s; " + b.compareWith(pgbench)
		out = append(out, b.result(hotLimit.newResult(name, m.perSecond/figures[0].perSecond, m), against))
	}
	return out, nil
}

// roundedRate returns the completions per second of a run, rounded for printing.
func roundedRate(m measured) *float64 {
	r := round(m.perSecond, 1)
	return &r
}

// createCurrencies creates further currencies, with an empty account of each member in each. It returns the ids of all
// currencies, the site's own first.
func (b *bench) createCurrencies(ctx context.Context, s *server, database string, p site) ([]string, error) {
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return nil, err
	}
	defer a.wire.close()
	ids := []string{p.LoyaltyCurrencyID.String()}
	for i := 1; i < hotCurrencies; i++ {
		var made struct{ ID laurel.ID }
		if err := a.post(
			"/api/loyalty/currencies",
			object{
				"name":           "More",
				"symbol":         "MORE",
				"decimals":       0,
				"websiteId":      p.WebsiteID,
				"organizationId": p.OrganizationID,
			},
			&made,
		); err != nil {
			return nil, err
		}
		if err := p.target(database).InsertAccounts(ctx, p.members, made.ID, i); err != nil {
			return nil, err
		}
		ids = append(ids, made.ID.String())
	}
	return ids, nil
}
