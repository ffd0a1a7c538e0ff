package figures

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// figureInsert adds to figures. A sum stops at maxFigure.
var figureInsert = store.Insert{
	Table: "daily_figures",
	Columns: store.Columns(
		"website_id uuid, name text, subject uuid, day bigint, detail text, organization_id uuid, value bigint",
	),
	Conflict: `ON CONFLICT (website_id, name, subject, day, detail) DO UPDATE SET value = CASE
		WHEN EXCLUDED.value > 0 AND daily_figures.value > 9000000000000000000 - EXCLUDED.value THEN 9000000000000000000
		ELSE daily_figures.value + EXCLUDED.value END`,
}

// addFigures adds the values of rows to the stored figures.
func addFigures(ctx context.Context, tx *store.Tx, rows [][]any) error {
	_, err := tx.InsertRows(ctx, figureInsert, rows)
	return err
}

// concealedDay is the sum of a day's concealed bids: points taken and given back.
type concealedDay struct {
	Day      int64         `db:"day"`
	Spent    laurel.Amount `db:"spent"`
	Returned laurel.Amount `db:"returned"`
}

// selectConcealed sums up the concealed bids of the query's currency, by day of the query's span. With transactions it
// sums up only the bids that these transactions have paid or refunded. Moments are in microseconds; a day has
// 86400000000.
func (query flowQuery) selectConcealed(
	ctx context.Context, q store.Queryer, transactions []laurel.ID,
) (days []concealedDay, err error) {
	var w store.Where
	w.Add("x.loyalty_currency_id = ? AND x.website_id = ? AND x.concealed AND x.user_id IS NOT NULL",
		query.currency, query.scope.WebsiteID)
	w.Add("x.created_at >= ? AND x.created_at < ?", query.span.first*86400000000, (query.span.last+1)*86400000000)
	if len(transactions) > 0 {
		var named store.Where
		store.InArray(&named, q, "e.loyalty_transaction_id", "uuid", transactions)
		w.Add("x.entry_id IN (SELECT e.id FROM loyalty_transaction_entries e"+named.String()+")", named.Args...)
	}
	err = q.Select(ctx, &days, `SELECT x.created_at / 86400000000 AS day,
		CAST(SUM(CASE WHEN x.amount < 0 THEN -x.amount ELSE 0 END) AS BIGINT) AS spent,
		CAST(SUM(CASE WHEN x.amount > 0 THEN x.amount ELSE 0 END) AS BIGINT) AS returned
		FROM bid_entries x`+w.String()+" GROUP BY 1", w.Args...)
	return days, err
}

// selectBidTransactions returns the transactions of those entries that belong to concealed bids, each once.
func selectBidTransactions(ctx context.Context, q store.Queryer, entries []laurel.ID) (ids []laurel.ID, err error) {
	var w store.Where
	store.InArray(&w, q, "x.entry_id", "uuid", entries)
	w.Add("x.concealed")
	err = q.Select(ctx, &ids, `SELECT DISTINCT e.loyalty_transaction_id FROM bid_entries x
		JOIN loyalty_transaction_entries e ON e.id = x.entry_id`+w.String(), w.Args...)
	return ids, err
}

// entryRow holds the columns of an entry that figures count.
type entryRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	UserID         laurel.ID `db:"user_id"` // zero: a main account's
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	Direction      string    `db:"direction"`
	Amount         int64     `db:"amount"`
	CreatedAt      int64     `db:"created_at"`
	Cause          string    `db:"cause"`
	IsRequested    bool      `db:"asked"` // requested by a caller, and not caused by expiry or a reset
}

// selectEntries reads all entries of the transactions to which the entries with these ids belong.
func selectEntries(ctx context.Context, q store.Queryer, ids []laurel.ID) ([]entryRow, error) {
	var w store.Where
	store.InArray(&w, q, "n.id", "uuid", ids)
	var rows []entryRow
	err := q.Select(ctx, &rows, `SELECT e.id, e.organization_id, e.website_id, e.loyalty_transaction_id,
		e.loyalty_currency_id, e.user_id, e.loyalty_rule_id, e.direction, e.amount, e.created_at,
		COALESCE(t.cause, '`+string(ledger.CauseReward)+`') AS cause, t.created_by_id IS NOT NULL AS asked
		FROM (SELECT DISTINCT n.loyalty_transaction_id FROM loyalty_transaction_entries n`+w.String()+`) x
		JOIN loyalty_transactions t ON t.id = x.loyalty_transaction_id
		JOIN loyalty_transaction_entries e ON e.loyalty_transaction_id = x.loyalty_transaction_id`, w.Args...)
	return rows, err
}

// selectDays reads the last active days of users on every website, and sets them in the map into, by member.
func selectDays(ctx context.Context, q store.Queryer, users []laurel.ID, into map[member]int64) error {
	var w store.Where
	store.InArray(&w, q, "user_id", "uuid", users)
	var rows []struct {
		OrganizationID laurel.ID `db:"organization_id"`
		WebsiteID      laurel.ID `db:"website_id"`
		UserID         laurel.ID `db:"user_id"`
		Day            int64     `db:"day"`
	}
	err := q.Select(ctx, &rows, "SELECT organization_id, website_id, user_id, day FROM member_days"+w.String(), w.Args...)
	for _, r := range rows {
		into[member{tenant{r.OrganizationID, r.WebsiteID}, r.UserID}] = r.Day
	}
	return err
}

var dayInsert = store.Insert{
	Table:    "member_days",
	Columns:  store.Columns("user_id uuid, website_id uuid, organization_id uuid, day bigint"),
	Conflict: "ON CONFLICT (user_id, website_id) DO UPDATE SET day = EXCLUDED.day",
}

// upsertDays writes the last active days of members, in a fixed order, since others may write at the same time.
func upsertDays(ctx context.Context, tx *store.Tx, days map[member]int64) error {
	rows := make([][]any, 0, len(days))
	for _, m := range slices.SortedFunc(maps.Keys(days), member.compare) {
		rows = append(rows, []any{m.user, m.website, m.organization, days[m]})
	}
	_, err := tx.InsertRows(ctx, dayInsert, rows)
	return err
}

// deleteDays deletes up to limit last active days before a day, and returns how many it has deleted.
func deleteDays(ctx context.Context, tx *store.Tx, before int64, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM member_days WHERE (user_id, website_id) IN
		(SELECT user_id, website_id FROM member_days WHERE day < ? ORDER BY day LIMIT ?)`, before, limit)
}

// figureRow is a figure, or the sum of several.
type figureRow struct {
	Name    string    `db:"name"`
	Subject laurel.ID `db:"subject"`
	Day     int64     `db:"day"`
	Detail  string    `db:"detail"`
	Value   int64     `db:"value"`
}

const ofWebsite = " FROM daily_figures WHERE organization_id = ? AND website_id = ? AND name = ? AND subject = ?"

// selectSeries reads a figure for the days of the span that have a value.
func selectSeries(
	ctx context.Context, q store.Queryer, scope laurel.Scope, figure figureKey, span Span,
) ([]figureRow, error) {
	var rows []figureRow
	err := q.Select(ctx, &rows, "SELECT day, value"+ofWebsite+" AND day BETWEEN ? AND ?",
		scope.OrganizationID, scope.WebsiteID, figure.name, figure.subject, span.first, span.last)
	return rows, err
}

// sumUntil sums up a figure of the website from its first day to a day. It reads one row per day.
func sumUntil(ctx context.Context, q store.Queryer, scope laurel.Scope, name string, last int64) (int64, error) {
	var n int64
	err := q.Get(ctx, &n, "SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT)"+ofWebsite+" AND day <= ?",
		scope.OrganizationID, scope.WebsiteID, name, scope.WebsiteID, last)
	return n, err
}

// firstDay reads the first day with an active member, or 0 if there is none.
func firstDay(ctx context.Context, q store.Queryer, scope laurel.Scope) (int64, error) {
	var n int64
	err := q.Get(ctx, &n, "SELECT COALESCE(MIN(day), 0)"+ofWebsite,
		scope.OrganizationID, scope.WebsiteID, figureActive, scope.WebsiteID)
	return n, err
}

// sumsOfRules reads the completions of rules and the amounts that they paid, each summed up over the span.
func sumsOfRules(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rules []laurel.ID,
	span Span,
) ([]figureRow, error) {
	var w store.Where
	w.Tenant("", scope)
	store.In(&w, "name", []string{figureCompletions, figurePaid})
	store.In(&w, "subject", rules)
	w.Add("day BETWEEN ? AND ?", span.first, span.last)
	var rows []figureRow
	err := q.Select(ctx, &rows, "SELECT name, subject, detail, value, day FROM daily_figures"+w.String(), w.Args...)
	return sumByFigure(rows), err
}

// sumByFigure returns one row for each figure, with the sum of its days, which is maxFigure at most.
func sumByFigure(rows []figureRow) []figureRow {
	t := newTally()
	for _, r := range rows {
		t.add(figureKey{name: r.Name, subject: r.Subject, detail: r.Detail}, r.Value)
	}
	out := make([]figureRow, 0, len(t.sums))
	for k, value := range t.sums {
		out = append(out, figureRow{Name: k.name, Subject: k.subject, Detail: k.detail, Value: value})
	}
	return out
}

// sumsOfReasons reads how often calls of a rule were refused within the span, by reason, most frequent first.
func sumsOfReasons(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	span Span,
) ([]Refusal, error) {
	var rows []Refusal
	err := q.Select(ctx, &rows, "SELECT detail, CAST(SUM(value) AS BIGINT) AS value"+ofWebsite+
		" AND day BETWEEN ? AND ? GROUP BY detail ORDER BY value DESC, detail",
		scope.OrganizationID, scope.WebsiteID, figureRefused, rule, span.first, span.last)
	return rows, err
}
