package usage

import (
	"context"

	"laurel.example/laurel/internal/store"
)

// selectCounts measures the contracts of a condition.
func selectCounts(
	ctx context.Context, q store.Queryer, m Metric, in Window, w *store.Where,
) (out []countRow, err error) {
	w.Add("block_time <= ?", store.Micros(in.Until))
	query, args := countQuery(m, in, w)
	err = q.Select(ctx, &out, query, args...)
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
