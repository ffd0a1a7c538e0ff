package bench

import (
	"context"
	"errors"
	"fmt"
)

const completeName = "complete an external rule over HTTP, c%d, full durability, counter-entry, claim, all indexes, change feed on, one subscription"

var (
	complete64Limit  = map[string]limit{Postgres: {floor: 0.8, goal: 1.5, p99: 60}, SQLite: {floor: 0.7, goal: 1.2}}
	complete512Limit = map[string]limit{Postgres: {floor: 1.2, goal: 2.5}, SQLite: {floor: 1, goal: 2}}
)

func (b *bench) measureCompletions64(ctx context.Context) ([]Result, error) {
	return b.measureCompletions(ctx, []int{64}, []limit{complete64Limit[b.engine]})
}

func (b *bench) measureCompletions512(ctx context.Context) ([]Result, error) {
	return b.measureCompletions(ctx, []int{512}, []limit{complete512Limit[b.engine]})
}

func (b *bench) measureCompletionsSQLite(ctx context.Context) ([]Result, error) {
	return b.measureCompletions(ctx, []int{64, 512}, []limit{complete64Limit[SQLite], complete512Limit[SQLite]})
}

// measureCompletions measures completions on one new database, with each number of workers in turn. It returns a result
// for each number, compared with the limit at the same place. A receiver is subscribed to all entries meanwhile.
func (b *bench) measureCompletions(ctx context.Context, workers []int, limits []limit) (out []Result, err error) {
	database, p, err := b.createDatabase(ctx, fmt.Sprintf("row%d", b.row))
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, database, b.profile(), "--dev")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	end, err := b.subscribeToEntries(ctx, s, p)
	if err != nil {
		return nil, err
	}
	defer end()
	for i, n := range workers {
		name := fmt.Sprintf(completeName, n)
		m, pgbench, err := b.withPgbench(ctx, name, func() (measured, error) {
			return b.completeOnServer(ctx, s, completionPlan{
				site: p, workers: n, currencies: []string{p.LoyaltyCurrencyID.String()},
			})
		})
		if err != nil {
			return out, err
		}
		out = append(out, b.result(limits[i].newResult(name, m.perSecond/pgbench.mean(), m), b.compareWith(pgbench)))
	}
	return out, nil
}

// compareWith describes what a figure is a multiple of: the rates of pgbench, and the settings of PostgreSQL.
func (b *bench) compareWith(pgbench pgbenchRates) string {
	return pgbench.String() + " (" + b.cluster.settings + ")"
}

// result sets the row, the engine and the comparison of a result, and returns it.
func (b *bench) result(r Result, against string) Result {
	r.Row, r.Engine, r.Against = b.row, b.engine, against
	return r
}
