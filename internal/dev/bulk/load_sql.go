package bulk

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"laurel"
)

// chunk is how many rows one statement makes: some seconds of work, so that an interrupt is heard.
const chunk = 500_000

// Load makes every row without keys and indexes and puts these back afterwards, as they were: PostgreSQL checks each
// key and each reference that the schema has while it does, so what is loaded is what the schema allows. Verification
// checks the others.
//
// Rules are those of the completions, Rules many. say is told what is done. PostgreSQL only.
func (t Target) Load(
	ctx context.Context,
	shape Shape,
	rules []laurel.ID,
	say func(format string, arguments ...any),
) error {
	return t.open(ctx, func(w bulk) error {
		if err := w.execute(
			ctx,
			"SET synchronous_commit = off",
			"SET maintenance_work_mem = '1GB'",
			"SET work_mem = '256MB'",
		); err != nil {
			return err
		}
		takeDown, putUp, err := indexes(ctx, w.db)
		if err != nil {
			return err
		}
		if err := w.execute(ctx, takeDown...); err != nil {
			return err
		}
		l := dataSet{w, shape, rules}
		for _, s := range l.steps() {
			say("loading %s", s.name)
			for from := 0; from < s.rows; from += s.chunk {
				if err := w.execute(ctx, s.statements(from, min(from+s.chunk, s.rows))...); err != nil {
					return err
				}
			}
		}
		say("indexing")
		if err := w.execute(ctx, append([]string{l.mainAccount()}, putUp...)...); err != nil {
			return err
		}
		// Sealing had begun, and ended, on the empty database: what was loaded is from before it begins anew.
		return w.execute(ctx, "DELETE FROM seal_backlog", "VACUUM (ANALYZE)", "CHECKPOINT")
	})
}

// Analyze updates the planner's statistics and vacuums, so that the server does not during a run. PostgreSQL only.
func (t Target) Analyze(ctx context.Context) error {
	return t.open(ctx, func(w bulk) error { return w.execute(ctx, "VACUUM (ANALYZE)", "CHECKPOINT") })
}

// loaded are the tables that are filled in bulk.
const loaded = "'users','members','loyalty_accounts','loyalty_transactions','loyalty_transaction_entries','rule_subjects','rule_claims'"

// indexes returns the statements that remove and make again every reference of the schema and every key and index of
// the loaded tables.
func indexes(ctx context.Context, db *sql.DB) (takeDown, putUp []string, err error) {
	rows, err := db.QueryContext(ctx, `
		SELECT 1, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
		FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
		UNION ALL
		SELECT 2, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
		FROM pg_constraint WHERE contype IN ('p', 'u') AND conrelid IN (SELECT unnest(ARRAY[`+loaded+`])::regclass)
		UNION ALL
		SELECT 3, format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
		FROM pg_index WHERE indrelid IN (SELECT unnest(ARRAY[`+loaded+`])::regclass) AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)
		ORDER BY 1, 2`)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }()
	var references []string
	for rows.Next() {
		var kind int
		var down, up string
		if err := rows.Scan(&kind, &down, &up); err != nil {
			return nil, nil, err
		}
		takeDown = append(takeDown, down)
		if kind == 1 {
			references = append(references, up) // they need the keys
		} else {
			putUp = append(putUp, up)
		}
	}
	return takeDown, append(putUp, references...), rows.Err()
}

// dataSet makes the statements that load one data set.
type dataSet struct {
	bulk
	shape Shape
	rules []laurel.ID
}

// step makes rows of some tables in chunks.
type step struct {
	name        string
	rows, chunk int
	statements  func(from, until int) []string
}

func (l dataSet) steps() []step {
	s := l.shape
	return []step{
		{"users, members and accounts", s.Accounts, chunk, func(from, until int) []string {
			return []string{
				l.users(from, until),
				l.members(from, until),
				l.accounts(
					holding{
						from,
						until,
						KindAccount,
						l.opening("g.n") + " + " + l.count("g.n") + fmt.Sprintf(" * %d", Reward*laurel.One),
						"1 + " + l.count("g.n"),
					},
				),
			}
		}},
		{"opening balances", s.Openings, chunk / openingSize, l.openings},
		{"completions", s.Completions, chunk, l.completions},
		{
			"what rules remember",
			s.Busy + s.Others,
			chunk,
			func(from, until int) []string { return []string{l.subjects(from, until)} },
		},
	}
}

// opening is the opening balance of account n in millionths: very uneven, and nearly never equal to another.
func (l dataSet) opening(n string) string {
	return fmt.Sprintf(
		"(1000000 + floor(1e11 * power(((%s)::bigint * %d %% 4294967296)::float8 / 4294967296, 4))::bigint)",
		n,
		scatter,
	)
}

// count returns SQL for the number of completions of the account with the number n. Busy accounts share the busy
// completions in turn, the others share the rest, and all further accounts have none.
func (l dataSet) count(n string) string {
	s := l.shape
	return fmt.Sprintf(
		"(CASE WHEN %[1]s < %[2]d THEN (%[4]d - %[1]s + %[2]d - 1) / %[2]d WHEN %[1]s < %[2]d + %[3]d THEN (%[5]d - (%[1]s - %[2]d) + %[3]d - 1) / %[3]d ELSE 0 END)",
		n,
		s.Busy,
		s.Others,
		s.BusyCompletions(),
		s.otherCompletions(),
	)
}

// openings gives each account its opening balance and takes it from the main account.
func (l dataSet) openings(from, until int) []string {
	s := l.shape
	last := min(until*openingSize, s.Accounts)
	entry := strings.NewReplacer(
		"{org}",
		l.uuid(l.site.OrganizationID),
		"{site}",
		l.uuid(l.site.WebsiteID),
		"{currency}",
		l.uuid(l.site.CurrencyID),
		"{transaction}",
		l.bulkID(KindOpening, fmt.Sprintf("g.n / %d", openingSize)),
		"{at}",
		fmt.Sprintf("%d + g.n / %d", First-1_000_000_000_000, openingSize),
		"{opening}",
		l.opening("g.n"),
		"{main}",
		mainOf(l.uuid(l.site.CurrencyID)),
	)
	return []string{
		fmt.Sprintf(
			`INSERT INTO loyalty_transactions (id, organization_id, website_id, type, description, created_at) SELECT %s, %s, %s, 'api_key', 'Opening balances', %d + g.n FROM %s`,
			l.bulkID(
				KindOpening,
				"g.n",
			),
			l.uuid(l.site.OrganizationID),
			l.uuid(l.site.WebsiteID),
			First-1_000_000_000_000,
			l.numbers(from, until),
		),
		entry.Replace(
			insertEntry + ` SELECT ` + l.bulkID(KindOpeningEntry, "g.n") + `, {org}, {site}, {transaction}, ` +
				l.bulkID(KindAccount, "g.n") + `, {currency}, ` + l.bulkID(KindUser, "g.n") +
				`, 'credit', 'api_key', NULL, NULL, {opening}, 0, {opening}, 1, {at} FROM ` + l.numbers(from*openingSize, last),
		),
		entry.Replace(insertEntry + ` SELECT ` + l.bulkID(KindOpeningCounter, fmt.Sprintf("g.n / %d", openingSize)) +
			`, {org}, {site}, {transaction}, {main}, {currency}, NULL, 'debit', 'api_key', NULL, NULL, SUM({opening}), NULL, NULL, NULL, {at} FROM ` +
			l.numbers(from*openingSize, last) + fmt.Sprintf(" GROUP BY g.n / %d", openingSize)),
	}
}

const insertEntry = `INSERT INTO loyalty_transaction_entries (id, organization_id, website_id, loyalty_transaction_id, loyalty_account_id, loyalty_currency_id,
	user_id, direction, type, loyalty_rule_id, loyalty_rule_type, amount, start_amount, end_amount, lock_version, created_at)`

// mainOf is the main account of a currency.
func mainOf(currency string) string {
	return "(SELECT main_account_id FROM loyalty_currencies WHERE id = " + currency + ")"
}

// completion is completion n of the data set: its account, the how manieth of that account it is, its rule and its
// moment.
func (l dataSet) completion(from, until int) string {
	s := l.shape
	return fmt.Sprintf(
		`(SELECT n, account, nth, %[1]s AS rule, %[2]d + n * %[7]d AS at, %[8]s AS before FROM (SELECT n,
			CASE WHEN n %% %[3]d = 0 THEN n / %[3]d %% %[4]d ELSE %[4]d + (n - n / %[3]d - 1) %% %[5]d END AS account,
			CASE WHEN n %% %[3]d = 0 THEN n / %[3]d / %[4]d ELSE (n - n / %[3]d - 1) / %[5]d END AS nth
		FROM %[6]s) c) c`,
		l.rule(
			"account + nth",
		),
		First,
		BusyOne,
		s.Busy,
		s.Others,
		l.numbers(from, until),
		s.step(),
		l.opening("account")+fmt.Sprintf(" + nth * %d", Reward*laurel.One),
	)
}

// rule is the rule of an expression, taken in turn.
func (l dataSet) rule(n string) string {
	ids := make([]string, len(l.rules))
	for i, id := range l.rules {
		ids[i] = "'" + id.String() + "'"
	}
	return fmt.Sprintf("(ARRAY[%s]::uuid[])[1 + (%s) %% %d]", strings.Join(ids, ","), n, len(ids))
}

// completions pays one reward each: transaction, entry, counter-entry and claim, as the service writes them.
func (l dataSet) completions(from, until int) []string {
	values := strings.NewReplacer(
		"{org}",
		l.uuid(l.site.OrganizationID),
		"{site}",
		l.uuid(l.site.WebsiteID),
		"{currency}",
		l.uuid(l.site.CurrencyID),
		"{transaction}",
		l.bulkID(KindCompletion, "n"),
		"{user}",
		l.bulkID(KindUser, "account"),
		"{account}",
		l.bulkID(KindAccount, "account"),
		"{reward}",
		fmt.Sprint(int64(Reward*laurel.One)),
		"{main}",
		mainOf(l.uuid(l.site.CurrencyID)),
		"{completion}",
		l.completion(from, until),
		"{entry}",
		l.bulkID(KindCompletionEntry, "n"),
		"{counter}",
		l.bulkID(KindCompletionCounter, "n"),
		"{name}",
		Rule,
	)
	return []string{
		values.Replace(
			`INSERT INTO loyalty_transactions (id, organization_id, website_id, type, description, loyalty_rule_id, created_at)
			SELECT {transaction}, {org}, {site}, 'loyalty_rule', '{name}', rule, at FROM {completion}`,
		),
		values.Replace(
			insertEntry + ` SELECT {entry}, {org}, {site}, {transaction}, {account}, {currency}, {user}, 'credit', 'loyalty_rule', rule, 'external_rule', {reward},
			before, before + {reward}, nth + 2, at FROM {completion}`,
		),
		values.Replace(
			insertEntry + ` SELECT {counter}, {org}, {site}, {transaction}, {main}, {currency}, NULL, 'debit', 'loyalty_rule', rule, 'external_rule', {reward},
			NULL, NULL, NULL, at FROM {completion}`,
		),
		values.Replace(
			`INSERT INTO rule_claims (loyalty_rule_id, subject_id, window_key, organization_id, website_id, user_id, loyalty_transaction_id, created_at)
			SELECT rule, {user}, to_char(to_timestamp(at / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), {org}, {site}, {user}, {transaction}, at FROM {completion}`,
		),
	}
}

// subjects writes the rule state of each account that completed a rule: the last time, and the sum that was paid.
func (l dataSet) subjects(from, until int) string {
	values := strings.NewReplacer(
		"{org}",
		l.uuid(l.site.OrganizationID),
		"{site}",
		l.uuid(l.site.WebsiteID),
		"{user}",
		l.bulkID(KindUser, "account"),
		"{rule}",
		l.rule("account + m"),
		"{id}",
		l.bulkID(KindSubject, fmt.Sprintf("account * %d + m", Rules)),
		"{rules}",
		fmt.Sprint(Rules),
		"{count}",
		l.count("g.n"),
		"{accounts}",
		l.numbers(from, until),
		"{reward}",
		fmt.Sprint(int64(Reward*laurel.One)),
		"{first}",
		l.moment("m"),
		"{last}",
		l.moment("m + times * {rules} - {rules}"),
	)
	return values.Replace(
		values.Replace(
			`INSERT INTO rule_subjects (loyalty_rule_id, subject_id, id, organization_id, website_id, last_paid_at, completed_at, window_paid_at,
			counted_at, paid_day, paid_week, paid_month, paid_ever, user_id, created_at, updated_at)
		SELECT {rule}, {user}, {id}, {org}, {site}, {last}, {last}, {last}, {last}, {reward}, {reward}, {reward}, times * {reward}, {user}, {first}, {last}
		FROM (SELECT account, m, (count - m + {rules} - 1) / {rules} AS times FROM (SELECT g.n AS account, {count} AS count FROM {accounts}) a,
			LATERAL generate_series(0, LEAST(count, {rules}) - 1) m) s`,
		),
	)
}

// moment is when the account of the row completed for the n-th time.
func (l dataSet) moment(n string) string {
	s := l.shape
	return fmt.Sprintf(`(%d + %d * CASE WHEN account < %[3]d THEN %[4]d * ((%[5]s) * %[3]d + account)
		ELSE (%[5]s) * %[6]d + account - %[3]d + ((%[5]s) * %[6]d + account - %[3]d) / (%[4]d - 1) + 1 END)`, First, s.step(), s.Busy, BusyOne, n, s.Others)
}

// mainAccount writes the main account: minus the sum of all credits, in as many entries.
func (l dataSet) mainAccount() string {
	return `UPDATE loyalty_accounts a SET amount = e.total, lock_version = e.n FROM (SELECT loyalty_account_id, -SUM(amount) AS total, COUNT(*) AS n
		FROM loyalty_transaction_entries WHERE user_id IS NULL GROUP BY loyalty_account_id) e WHERE a.id = e.loyalty_account_id`
}
