package bulk

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"laurel.example/laurel"
)

// chunk is how many rows one statement inserts: some seconds of work, so that an interruption takes effect soon.
const chunk = 500_000

// Load inserts all rows of a data set of the shape. For speed it first drops keys, references and indexes, and creates
// them again afterwards, as they were. PostgreSQL then checks all rows against them, so the rows are ones that the
// schema allows.
//
// rules are the ids of the rules that members complete, as many as the constant Rules. logf prints each step.
// PostgreSQL only.
func (t Target) Load(
	ctx context.Context,
	shape Shape,
	rules []laurel.ID,
	logf func(format string, arguments ...any),
) error {
	return t.open(ctx, func(w writer) error {
		if err := w.execute(
			ctx,
			"SET synchronous_commit = off",
			"SET maintenance_work_mem = '1GB'",
			"SET work_mem = '256MB'",
		); err != nil {
			return err
		}
		drops, creates, err := indexStatements(ctx, w.db)
		if err != nil {
			return err
		}
		if err := w.execute(ctx, drops...); err != nil {
			return err
		}
		l := dataSet{w, shape, rules}
		for _, s := range l.steps() {
			logf("loading %s", s.name)
			for from := 0; from < s.rows; from += s.chunk {
				if err := w.execute(ctx, s.statements(from, min(from+s.chunk, s.rows))...); err != nil {
					return err
				}
			}
		}
		logf("indexing")
		if err := w.execute(ctx, append([]string{l.updateMainAccount()}, creates...)...); err != nil {
			return err
		}
		// The empty database had been sealed to its end. Without this row, sealing begins anew, with the loaded entries.
		return w.execute(ctx, "DELETE FROM seal_backlog", "VACUUM (ANALYZE)", "CHECKPOINT")
	})
}

// Analyze updates the planner's statistics and vacuums, so that the server does not during a run. PostgreSQL only.
func (t Target) Analyze(ctx context.Context) error {
	return t.open(ctx, func(w writer) error { return w.execute(ctx, "VACUUM (ANALYZE)", "CHECKPOINT") })
}

// loadedTables are the tables that are filled in bulk.
const loadedTables = "'users','members','loyalty_accounts','loyalty_transactions','loyalty_transaction_entries','rule_subjects','rule_claims'"

// indexStatements returns statements for every reference (foreign key) of the schema, and for every key and index of
// the loaded tables: drops removes them, and creates makes them again, keys and indexes first, then the references,
// which need the keys.
func indexStatements(ctx context.Context, db *sql.DB) (drops, creates []string, err error) {
	rows, err := db.QueryContext(ctx, `
		SELECT 1, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
		FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
		UNION ALL
		SELECT 2, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
		FROM pg_constraint WHERE contype IN ('p', 'u') AND conrelid IN (SELECT unnest(ARRAY[`+loadedTables+`])::regclass)
		UNION ALL
		SELECT 3, format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
		FROM pg_index WHERE indrelid IN (SELECT unnest(ARRAY[`+loadedTables+`])::regclass) AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)
		ORDER BY 1, 2`)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }()
	var references []string
	for rows.Next() {
		var kind int
		var drop, create string
		if err := rows.Scan(&kind, &drop, &create); err != nil {
			return nil, nil, err
		}
		drops = append(drops, drop)
		if kind == 1 { // a reference, which needs the keys
			references = append(references, create)
		} else {
			creates = append(creates, create)
		}
	}
	return drops, append(creates, references...), rows.Err()
}

// dataSet makes the SQL that loads one data set. Arguments named n are SQL expressions of a number.
type dataSet struct {
	writer
	shape Shape
	rules []laurel.ID
}

// step inserts rows of some tables in chunks.
type step struct {
	name        string
	rows, chunk int
	statements  func(from, until int) []string
}

// steps returns the steps of a load in their order. Together they insert all rows of the data set.
func (l dataSet) steps() []step {
	s := l.shape
	return []step{
		{"users, members and accounts", s.Accounts, chunk, func(from, until int) []string {
			return []string{
				l.insertUsers(from, until),
				l.insertMembers(from, until),
				l.insertAccounts(
					accountRange{
						from:  from,
						until: until,
						kind:  KindAccount,
						amount: l.openingBalance("g.n") + " + " + l.completionCount("g.n") +
							fmt.Sprintf(" * %d", Reward*laurel.One),
						version: "1 + " + l.completionCount("g.n"), // one per entry of the account
					},
				),
			}
		}},
		{"opening balances", s.Openings, chunk / openingSize, l.insertOpenings},
		{"completions", s.Completions, chunk, l.insertCompletions},
		{
			"what rules remember",
			s.Busy + s.Others,
			chunk,
			func(from, until int) []string { return []string{l.insertRuleStates(from, until)} },
		},
	}
}

// openingBalance returns SQL for the opening balance of account n in millionths: very uneven, and nearly always unlike
// that of others.
func (l dataSet) openingBalance(n string) string {
	return fmt.Sprintf(
		"(1000000 + floor(1e11 * power(((%s)::bigint * %d %% 4294967296)::float8 / 4294967296, 4))::bigint)",
		n,
		scatter,
	)
}

// completionCount returns SQL for the number of completions of the account with the number n. Busy accounts share the
// busy completions in turn, the others share the rest, and all further accounts have none.
func (l dataSet) completionCount(n string) string {
	s := l.shape
	// A share in turn is (all completions - place of the account) / accounts, rounded up.
	return fmt.Sprintf(
		"(CASE WHEN %[1]s < %[2]d THEN (%[4]d - %[1]s + %[2]d - 1) / %[2]d WHEN %[1]s < %[2]d + %[3]d THEN (%[5]d - (%[1]s - %[2]d) + %[3]d - 1) / %[3]d ELSE 0 END)",
		n,
		s.Busy,
		s.Others,
		s.BusyCompletions(),
		s.otherCompletions(),
	)
}

// insertOpenings returns the statements that insert the transactions from to until-1 of opening balances. Each
// transaction credits the next openingSize accounts with their opening balances, and debits the main account with the
// sum.
func (l dataSet) insertOpenings(from, until int) []string {
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
		l.openingBalance("g.n"),
		"{main}",
		mainAccountOf(l.uuid(l.site.CurrencyID)),
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
			l.numberTable(from, until),
		),
		entry.Replace(
			insertEntry + ` SELECT ` + l.bulkID(KindOpeningEntry, "g.n") + `, {org}, {site}, {transaction}, ` +
				l.bulkID(KindAccount, "g.n") + `, {currency}, ` + l.bulkID(KindUser, "g.n") +
				`, 'credit', 'api_key', NULL, NULL, {opening}, 0, {opening}, 1, {at} FROM ` + l.numberTable(from*openingSize, last),
		),
		entry.Replace(insertEntry + ` SELECT ` + l.bulkID(KindOpeningCounter, fmt.Sprintf("g.n / %d", openingSize)) +
			`, {org}, {site}, {transaction}, {main}, {currency}, NULL, 'debit', 'api_key', NULL, NULL, SUM({opening}), NULL, NULL, NULL, {at} FROM ` +
			l.numberTable(from*openingSize, last) + fmt.Sprintf(" GROUP BY g.n / %d", openingSize)),
	}
}

const insertEntry = `INSERT INTO loyalty_transaction_entries (id, organization_id, website_id, loyalty_transaction_id, loyalty_account_id, loyalty_currency_id,
	user_id, direction, type, loyalty_rule_id, loyalty_rule_type, amount, start_amount, end_amount, lock_version, created_at)`

// mainAccountOf returns SQL for the id of the main account of a currency.
func mainAccountOf(currency string) string {
	return "(SELECT main_account_id FROM loyalty_currencies WHERE id = " + currency + ")"
}

// completionRows returns SQL for a table of the completions from to until-1. One of BusyInterval completions is of a
// busy account, and accounts take turns. Its columns are n, the number of the
// completion; account, the number of its account; nth, how many completions that account had before; rule, the id of
// the rule; at, the time in microseconds; and before, the balance of the account before the completion.
func (l dataSet) completionRows(from, until int) string {
	s := l.shape
	return fmt.Sprintf(
		`(SELECT n, account, nth, %[1]s AS rule, %[2]d + n * %[7]d AS at, %[8]s AS before FROM (SELECT n,
			CASE WHEN n %% %[3]d = 0 THEN n / %[3]d %% %[4]d ELSE %[4]d + (n - n / %[3]d - 1) %% %[5]d END AS account,
			CASE WHEN n %% %[3]d = 0 THEN n / %[3]d / %[4]d ELSE (n - n / %[3]d - 1) / %[5]d END AS nth
		FROM %[6]s) c) c`,
		l.ruleInTurn(
			"account + nth",
		),
		First,
		BusyInterval,
		s.Busy,
		s.Others,
		l.numberTable(from, until),
		s.interval(),
		l.openingBalance("account")+fmt.Sprintf(" + nth * %d", Reward*laurel.One),
	)
}

// ruleInTurn returns SQL for the id of the rule at place n, counted round and round.
func (l dataSet) ruleInTurn(n string) string {
	ids := make([]string, len(l.rules))
	for i, id := range l.rules {
		ids[i] = "'" + id.String() + "'"
	}
	return fmt.Sprintf("(ARRAY[%s]::uuid[])[1 + (%s) %% %d]", strings.Join(ids, ","), n, len(ids))
}

// insertCompletions returns the statements that insert completions from to until-1: for each a transaction, an entry, a
// counter-entry and a claim, as the service writes them.
func (l dataSet) insertCompletions(from, until int) []string {
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
		mainAccountOf(l.uuid(l.site.CurrencyID)),
		"{completion}",
		l.completionRows(from, until),
		"{entry}",
		l.bulkID(KindCompletionEntry, "n"),
		"{counter}",
		l.bulkID(KindCompletionCounter, "n"),
		"{name}",
		RuleName,
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

// insertRuleStates returns the statement that inserts the rule states of the accounts from to until-1: for each rule
// that an account completed, the last time and the sum that was paid.
func (l dataSet) insertRuleStates(from, until int) string {
	values := strings.NewReplacer(
		"{org}",
		l.uuid(l.site.OrganizationID),
		"{site}",
		l.uuid(l.site.WebsiteID),
		"{user}",
		l.bulkID(KindUser, "account"),
		"{rule}",
		l.ruleInTurn("account + m"),
		"{id}",
		l.bulkID(KindSubject, fmt.Sprintf("account * %d + m", Rules)),
		"{rules}",
		fmt.Sprint(Rules),
		"{count}",
		l.completionCount("g.n"),
		"{accounts}",
		l.numberTable(from, until),
		"{reward}",
		fmt.Sprint(int64(Reward*laurel.One)),
		"{first}",
		l.completedAt("m"),
		"{last}",
		l.completedAt("m + times * {rules} - {rules}"),
	)
	return values.Replace( // a second time: the value of {last} contains {rules}
		values.Replace(
			`INSERT INTO rule_subjects (loyalty_rule_id, subject_id, id, organization_id, website_id, last_paid_at, completed_at, window_paid_at,
			counted_at, paid_day, paid_week, paid_month, paid_ever, user_id, created_at, updated_at)
		SELECT {rule}, {user}, {id}, {org}, {site}, {last}, {last}, {last}, {last}, {reward}, {reward}, {reward}, times * {reward}, {user}, {first}, {last}
		FROM (SELECT account, m, (count - m + {rules} - 1) / {rules} AS times FROM (SELECT g.n AS account, {count} AS count FROM {accounts}) a,
			LATERAL generate_series(0, LEAST(count, {rules}) - 1) m) s`,
		),
	)
}

// completedAt returns SQL for the time at which the account in the column account completed for the n-th time.
func (l dataSet) completedAt(n string) string {
	s := l.shape
	return fmt.Sprintf(`(%d + %d * CASE WHEN account < %[3]d THEN %[4]d * ((%[5]s) * %[3]d + account)
		ELSE (%[5]s) * %[6]d + account - %[3]d + ((%[5]s) * %[6]d + account - %[3]d) / (%[4]d - 1) + 1 END)`, First, s.interval(), s.Busy, BusyInterval, n, s.Others)
}

// updateMainAccount returns the statement that sets the main account's balance to minus the sum of all credits, and its
// version to the number of its entries.
func (l dataSet) updateMainAccount() string {
	return `UPDATE loyalty_accounts a SET amount = e.total, lock_version = e.n FROM (SELECT loyalty_account_id, -SUM(amount) AS total, COUNT(*) AS n
		FROM loyalty_transaction_entries WHERE user_id IS NULL GROUP BY loyalty_account_id) e WHERE a.id = e.loyalty_account_id`
}
