package usage

import (
	"context"
	"math/big"
	"time"

	"laurel/internal/evm"
	"laurel/internal/store"
)

// Metric is what is measured of a contract's transactions.
type Metric int

// The metrics (contract 5.21). All but GasSpent are of transactions that have succeeded.
const (
	GasSpent         Metric = iota // what all transactions have paid, in the smallest unit; failed ones too
	TransactionCount               // transactions
	ActiveUsers                    // senders
	NewUsers                       // senders whose first transaction is in the window
	UserRetention                  // the share of senders of the window before that came again
)

// Window is the time of the transactions that count: those after From, up to Until. A zero From: all time.
type Window struct{ From, Until time.Time }

// before returns the beginning of the window of the same length before this one, in microseconds.
func (w Window) before() int64 { return store.Micros(w.From.Add(-w.Until.Sub(w.From))) }

// from returns the beginning in microseconds.
func (w Window) from() int64 {
	if w.From.IsZero() {
		return 0
	}
	return store.Micros(w.From)
}

// gasPerUnit is how many of the smallest unit fee_high counts in one.
const gasPerUnit = 1_000_000_000

const dayMicros = int64(24 * time.Hour / time.Microsecond)

// countRow is a contract with the two numbers that its metric is made of.
type countRow struct {
	Address string `db:"address"`
	High    int64  `db:"high"`
	Low     int64  `db:"low"`
}

// Count measures contracts of a network, whose blocks must have been read up to the end of the window. It leaves out
// those whose metric is 0. UserRetention is a number from 0 to 1.
func (r *Reader) Count(
	ctx context.Context, network evm.Network, addresses []string, m Metric, in Window,
) (map[string]*big.Rat, error) {
	out := make(map[string]*big.Rat, len(addresses))
	err := inChunks(addresses, func(some []string) error {
		w := whereContracts(r.DB, int64(network.ChainID), some) //nolint:gosec // chain ids have 53 bits
		w.Add("block_time <= ?", store.Micros(in.Until))
		var rows []countRow
		query, args := countQuery(m, in, w)
		if err := r.DB.Select(ctx, &rows, query, args...); err != nil {
			return err
		}
		for _, row := range rows {
			if value := row.value(m); value.Sign() > 0 {
				out[row.Address] = value
			}
		}
		return nil
	})
	return out, err
}

// countQuery returns the statement that measures the contracts of a condition.
func countQuery(m Metric, in Window, w *store.Where) (query string, args []any) {
	if m != GasSpent {
		w.Add("succeeded > 0")
	}
	switch m {
	case NewUsers:
		return `SELECT address, COUNT(*) AS high, 0 AS low FROM (SELECT address, sender, MIN(block_time) AS first_time
			FROM contract_calls` + w.String() + ` GROUP BY address, sender) AS senders WHERE first_time > ? GROUP BY address`,
			append(w.Args, in.from())
	case UserRetention:
		comes, came, times := "MIN(block_time) / ? <> MAX(block_time) / ?", "COUNT(*) > 0", []any{dayMicros, dayMicros}
		if !in.From.IsZero() {
			comes, came, times = "MAX(block_time) > ?", "MIN(block_time) <= ?", []any{in.from(), in.from()}
			w.Add("block_time > ?", in.before())
		}
		return `SELECT address, CAST(SUM(comes) AS BIGINT) AS high, COUNT(*) AS low FROM (SELECT address, sender,
			CASE WHEN ` + comes + ` THEN 1 ELSE 0 END AS comes, CASE WHEN ` + came + ` THEN 1 ELSE 0 END AS came
			FROM contract_calls` + w.String() + ` GROUP BY address, sender) AS senders WHERE came = 1 GROUP BY address`,
			append(times, w.Args...)
	case ActiveUsers:
		query = "SELECT address, COUNT(DISTINCT sender) AS high, 0 AS low"
	case TransactionCount:
		query = "SELECT address, CAST(SUM(succeeded) AS BIGINT) AS high, 0 AS low"
	case GasSpent:
		query = "SELECT address, CAST(SUM(fee_high) AS BIGINT) AS high, CAST(SUM(fee_low) AS BIGINT) AS low"
	}
	w.Add("block_time > ?", in.from())
	return query + " FROM contract_calls" + w.String() + " GROUP BY address", w.Args
}

// value returns the metric of the contract.
func (r countRow) value(m Metric) *big.Rat {
	high, low := big.NewInt(r.High), big.NewInt(r.Low)
	switch m {
	case GasSpent:
		return new(big.Rat).SetInt(low.Add(low, high.Mul(high, big.NewInt(gasPerUnit))))
	case UserRetention:
		return new(big.Rat).SetFrac(high, low)
	case TransactionCount, ActiveUsers, NewUsers:
	}
	return new(big.Rat).SetInt(high)
}
