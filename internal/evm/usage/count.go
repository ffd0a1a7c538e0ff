package usage

import (
	"context"
	"math/big"
	"time"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/store"
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
		rows, err := selectCounts(ctx, r.DB, m, in, w)
		if err != nil {
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
